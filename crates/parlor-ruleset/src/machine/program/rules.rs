//! What can be done and what reacts: actions, triggers, replacements, statics, checks, events and steps.

use super::{Block, ExprId, SelId, TargetDef, Ty};
use crate::machine::ids::{AttrId, EventType, PhaseId, ReplaceId, TriggerId, VarId, ZoneId};

/// A part of a cost.
#[derive(Clone, Copy, Debug)]
pub enum Cost {
    /// From a variable of the seat that this expression names.
    Pay {
        /// The variable.
        var: VarId,
        /// Whose; nobody's for a variable of the game.
        of: Option<ExprId>,
        /// How much.
        amount: ExprId,
    },
    /// Something that is done; it can always be.
    Do(Block),
    /// What the ability that was chosen costs.
    Ability,
}

/// What follows an action's own targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spread {
    /// Nothing.
    None,
    /// The modes and targets of the card that is the first target.
    Card,
    /// An activated ability of the first target, then its targets.
    Ability,
}

/// When an action's item meets answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// It goes onto the stack and waits for responses.
    Stack,
    /// It goes onto the stack and resolves at once.
    AtOnce,
}

/// What becomes of an item whose targets are no longer legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recheck {
    /// It fails when none is.
    Any,
    /// It fails when one is not.
    All,
    /// It goes on.
    Never,
}

/// Something a player may do when he has priority, or an activated ability.
#[derive(Clone, Debug)]
pub struct ActionDef {
    /// Its name.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it does, for people.
    pub description: String,
    /// When it meets answers.
    pub timing: Timing,
    /// What it is done to.
    pub targets: Vec<TargetDef>,
    /// What follows these targets.
    pub spread: Spread,
    /// What must hold; each with the number of targets that must be bound first.
    pub when: Vec<(u8, ExprId)>,
    /// What it costs.
    pub costs: Vec<Cost>,
    /// What it does when it resolves.
    pub code: Block,
    /// The event that it is.
    pub event: EventType,
    /// Whether its targets are looked at again when it resolves.
    pub recheck: Recheck,
    /// Zones in which an ability can be activated: a bit each.
    pub zones: u64,
    /// The zone to which the first target goes while the item waits; none if it stays.
    pub hold: Option<ZoneId>,
    /// Hints for screens.
    pub ui: parlor_core::Json,
}

/// What everybody can tell of an action: whether a seat could do it at all, whatever it holds.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Whether all of it is open: then everybody can tell whether it can be done.
    pub open: bool,
    /// Conditions that everybody can look at before anything is chosen.
    pub when: Vec<ExprId>,
    /// Payments of which everybody knows that they are at least so much: the variable, whose, how much.
    pub costs: Vec<(VarId, Option<ExprId>, Least)>,
}

/// What something costs at the least.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Least {
    /// What everybody can work out.
    Open(ExprId),
    /// The least that is printed on anything it could be.
    Fixed(i64),
}

/// How often something may happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// In what.
    pub scope: Scope,
    /// How often.
    pub max: u16,
}

/// In what a limit counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Scope {
    /// For each event.
    Event,
    /// For each turn.
    Turn,
    /// For each round.
    Round,
    /// For each source.
    Source,
    /// For the whole match.
    Game,
}

/// An ability that triggers, or a rule of the game that does.
#[derive(Clone, Debug)]
pub struct TriggerDef {
    /// Its name: the rule id of the order of reactions.
    pub id: String,
    /// Whether it is an ability of cards; otherwise a rule of the game.
    pub ability: bool,
    /// Whether it works only once something has said so: a delayed trigger.
    pub delayed: bool,
    /// On what.
    pub event: EventType,
    /// Before the event resolves, or after.
    pub before: bool,
    /// What must hold; the event and its source are known.
    pub when: Option<ExprId>,
    /// Whether `when` must still hold when it resolves.
    pub recheck: bool,
    /// What must hold when it triggers, and still when it resolves.
    pub still: Option<ExprId>,
    /// Zones in which the source must be: a bit each.
    pub zones: u64,
    /// How often.
    pub limit: Option<Limit>,
    /// What it does; asking first, where it is optional or has targets, is part of the code.
    pub code: Block,
    /// How its targets are chosen when it is put onto the stack, where players may respond to it; otherwise that is part of
    /// the code.
    pub aim: Option<Block>,
    /// The names of the targets that are chosen then: its first locals.
    pub targets: Vec<String>,
    /// Whether players may respond to it.
    pub respond: bool,
}

/// An ability that changes or prevents an event before it happens.
#[derive(Clone, Debug)]
pub struct ReplaceDef {
    /// Its name.
    pub id: String,
    /// Whether it is an ability of cards; otherwise a rule of the game.
    pub ability: bool,
    /// What it replaces.
    pub event: EventType,
    /// What must hold.
    pub when: Option<ExprId>,
    /// Zones in which the source must be: a bit each.
    pub zones: u64,
    /// How often.
    pub limit: Option<Limit>,
    /// Whether the event simply cannot happen.
    pub forbids: bool,
    /// Whether what it does happens instead of the event.
    pub instead: bool,
    /// The question, where somebody may leave it.
    pub optional: Option<String>,
    /// Who chooses; the controller of what is affected where it does not say.
    pub chooser: Option<ExprId>,
    /// What it does.
    pub code: Block,
}

/// A change that lies on attributes for as long as its source is where it works.
#[derive(Clone, Debug)]
pub struct StaticDef {
    /// The layer: lower ones are applied first.
    pub layer: u8,
    /// Zones in which the source must be: a bit each.
    pub zones: u64,
    /// Zones in which entities are changed: a bit each.
    pub affects: u64,
    /// Which of them; `it` is the entity.
    pub when: Option<ExprId>,
    /// The depth of that `it`.
    pub it: u8,
    /// Attributes that are set or added to.
    pub changes: Vec<Change>,
    /// Keywords that are given.
    pub keywords: u64,
}

/// One change of an attribute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Change {
    /// The attribute.
    pub attr: AttrId,
    /// Whether the value is set, or added.
    pub set: bool,
    /// The value.
    pub value: ExprId,
}

/// A state check: what holds after every resolution.
#[derive(Clone, Debug)]
pub struct CheckDef {
    /// Its name.
    pub id: String,
    /// What is looked at; `it` is each.
    pub each: SelId,
    /// Whether only entities that changed need to be looked at.
    pub local: bool,
    /// What is done for each; `it` is a local.
    pub code: Block,
    /// The local that holds `it`.
    pub it: u16,
}

/// An event's type.
#[derive(Clone, Debug)]
pub struct EventDef {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<(String, Ty)>,
    /// The field that names the only seat who learns the payload.
    pub secret: Option<u8>,
    /// What it does when it happens.
    pub code: Option<Block>,
    /// Rules of the game that trigger on it, and cards that do: index into triggers.
    pub triggers: Vec<TriggerId>,
    /// Whether any of those is on a card.
    pub heard: bool,
    /// Rules and cards that replace it or forbid it.
    pub replaces: Vec<ReplaceId>,
    /// Whether any of those forbids it.
    pub forbidden: bool,
    /// Whether a card that not everybody sees may react to it: then everybody learns whether one did.
    pub overheard: bool,
}

/// One step of a turn.
#[derive(Clone, Debug)]
pub struct StepDef {
    /// The phase it belongs to.
    pub phase: PhaseId,
    /// Whether players may act on an empty stack.
    pub empty: bool,
    /// Whether players may respond to what waits on the stack.
    pub stack: bool,
    /// Whether it is mandatory.
    pub mandatory: bool,
}
