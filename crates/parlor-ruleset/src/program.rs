//! A compiled ruleset: names resolved to numbers, code flattened, triggers indexed. Plain data that never changes.
//!
//! Every scalar is an `i64`: a number, 0 or 1, the index of an enum's value, an entity (its index), a seat
//! ([`SEAT`]` + n`), an item on the stack ([`ITEM`]` + n`) or nothing ([`NONE`]). Types are checked when a ruleset is
//! compiled, so the machine never looks at them.

mod code;
mod expr;

pub use code::{Block, Durations, Op, Place, To};
pub use expr::{Expr, ExprId, Prefer, Sel, SelId, Source, Who};

/// Nothing: no entity, no seat, an empty slot.
pub const NONE: i64 = -1;
/// Seat 0, as a scalar.
pub const SEAT: i64 = 0x1_0000;
/// Stack item number 0, as a scalar.
pub const ITEM: i64 = 0x2_0000;

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// A whole number.
    Int,
    /// True or false.
    Bool,
    /// A value of this enum.
    Enum(u16),
    /// A seat.
    Seat,
    /// A card or another entity.
    Ent,
    /// An entity or a seat.
    Thing,
    /// An item on the stack.
    Item,
    /// Anything: what a mistake is taken for, so that it is reported once.
    Any,
}

/// Enums that every ruleset has.
pub const ZONES: u16 = 0;
/// The phases of the turn structure.
pub const PHASES: u16 = 1;
/// The steps of the turn structure.
pub const STEPS: u16 = 2;
/// The kinds of cards.
pub const CARDS: u16 = 3;
/// Activated abilities.
pub const ABILITIES: u16 = 4;

/// Events that every ruleset has, by number.
pub const ZONE_MOVED: u16 = 0;
/// A step begins.
pub const STEP_START: u16 = 1;
/// A step is over.
pub const STEP_END: u16 = 2;
/// Another phase begins.
pub const PHASE_CHANGED: u16 = 3;
/// A turn begins.
pub const TURN_STARTED: u16 = 4;
/// A turn is over.
pub const TURN_ENDED: u16 = 5;
/// An event was prevented.
pub const EVENT_PREVENTED: u16 = 6;
/// A guardrail stopped something: the verdict.
pub const VERDICT: u16 = 7;
/// A card was made.
pub const CARD_CREATED: u16 = 8;
/// Cards were shown where they lie.
pub const REVEALED: u16 = 9;
/// A seat has answered, for everybody to see.
pub const ANSWERED: u16 = 10;
/// The match is over.
pub const GAME_ENDED: u16 = 11;

/// A knob that a table may set.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// A list of cards instead of a scalar.
    pub list: bool,
    /// What it is when nobody sets it; for a list its items.
    pub default: Vec<i64>,
    /// The least it may be.
    pub min: i64,
    /// The most it may be.
    pub max: i64,
}

/// Named values.
#[derive(Clone, Debug)]
pub struct EnumDef {
    /// Its name.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<String>,
    /// How values are written in titles.
    pub labels: Vec<String>,
}

/// How the value of an attribute comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttrKind {
    /// Printed on the card.
    Printed,
    /// Kept for each entity, in this column.
    Kept(u16),
    /// Computed; `it` is the entity.
    Computed(ExprId, u8),
}

/// An attribute of cards.
#[derive(Clone, Debug)]
pub struct AttrDef {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// How its value comes about.
    pub kind: AttrKind,
    /// What it is where a card does not say.
    pub default: i64,
    /// Whether counters, modifiers or statics may change it.
    pub layered: bool,
    /// Whether it goes back to its default at the end of a turn.
    pub reset_turn: bool,
    /// Whether it goes back to its default when the entity changes zones.
    pub reset_move: bool,
}

/// Who sees a variable or the contents of a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum See {
    /// Everybody.
    All,
    /// Its owner.
    Owner,
    /// Nobody.
    None,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct VarDef {
    /// Its name.
    pub name: String,
    /// Whether each player has one.
    pub per_player: bool,
    /// Its type.
    pub ty: Ty,
    /// Where it is kept; a player's is so many further on as his seat.
    pub base: u16,
    /// What it starts with.
    pub default: ExprId,
    /// Never below this.
    pub min: Option<ExprId>,
    /// Never above this.
    pub max: Option<ExprId>,
    /// Who sees it.
    pub see: See,
}

/// A zone.
#[derive(Clone, Debug)]
pub struct ZoneDef {
    /// Its name.
    pub name: String,
    /// Whether each player has one.
    pub per_player: bool,
    /// The number of its first instance; a player's is so many further on as his seat.
    pub base: u16,
    /// Whether the order of its cards means something.
    pub ordered: bool,
    /// Who sees its cards.
    pub see: See,
    /// Who sees how many there are.
    pub count: See,
    /// How many it holds.
    pub capacity: Option<u16>,
}

/// A kind of card.
#[derive(Clone, Debug, Default)]
pub struct CardDef {
    /// Its name in the ruleset.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The value of each attribute.
    pub attrs: Vec<i64>,
    /// Printed keywords, a bit each.
    pub keywords: u64,
    /// Abilities that trigger.
    pub triggers: Vec<u16>,
    /// Abilities that replace or prevent.
    pub replaces: Vec<u16>,
    /// Abilities that hold all the time.
    pub statics: Vec<u16>,
    /// Abilities that are activated.
    pub activated: Vec<u16>,
    /// What it is played on.
    pub targets: Vec<TargetDef>,
    /// Modes to choose from; targets and code of each.
    pub modes: Vec<ModeDef>,
    /// What it does when it resolves.
    pub resolve: Option<Block>,
}

/// One mode of a card.
#[derive(Clone, Debug)]
pub struct ModeDef {
    /// Its name.
    pub name: String,
    /// What it is played on.
    pub targets: Vec<TargetDef>,
    /// What it does.
    pub code: Block,
}

/// One target of an action, an ability or a card.
#[derive(Clone, Debug)]
pub struct TargetDef {
    /// Its name.
    pub name: String,
    /// What may be chosen.
    pub from: SelId,
    /// Whether it may be left out.
    pub optional: bool,
    /// How it is asked for.
    pub prompt: String,
}

/// A part of a cost.
#[derive(Clone, Copy, Debug)]
pub enum Cost {
    /// From a variable of the seat that this expression names.
    Pay {
        /// The variable.
        var: u16,
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
    pub event: u16,
    /// Whether its targets are looked at again when it resolves.
    pub recheck: Recheck,
    /// Zones in which an ability can be activated: a bit each.
    pub zones: u64,
    /// The zone to which the first target goes while the item waits; none if it stays.
    pub hold: Option<u16>,
    /// Hints for screens.
    pub ui: parlor_core::Json,
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
    /// The kind of card that has it; none for a rule of the game.
    pub card: Option<u16>,
    /// On what.
    pub event: u16,
    /// Before the event resolves, or after.
    pub before: bool,
    /// What must hold; the event and its source are known.
    pub when: Option<ExprId>,
    /// What must still hold when it resolves.
    pub recheck: bool,
    /// Zones in which the source must be: a bit each.
    pub zones: u64,
    /// How often.
    pub limit: Option<Limit>,
    /// What it does; asking first, where it is optional or has targets, is part of the code.
    pub code: Block,
    /// Whether players may respond to it.
    pub respond: bool,
}

/// An ability that changes or prevents an event before it happens.
#[derive(Clone, Debug)]
pub struct ReplaceDef {
    /// Its name.
    pub id: String,
    /// The kind of card that has it; none for a rule of the game.
    pub card: Option<u16>,
    /// What it replaces.
    pub event: u16,
    /// What must hold.
    pub when: Option<ExprId>,
    /// Zones in which the source must be: a bit each.
    pub zones: u64,
    /// How often.
    pub limit: Option<Limit>,
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
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The attribute.
    pub attr: u16,
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
    pub triggers: Vec<u16>,
    /// Whether any of those is on a card.
    pub heard: bool,
    /// Rules and cards that replace it.
    pub replaces: Vec<u16>,
}

/// One step of a turn.
#[derive(Clone, Debug)]
pub struct StepDef {
    /// The phase it belongs to.
    pub phase: u16,
    /// Whether players may act on an empty stack.
    pub empty: bool,
    /// Whether players may respond to what waits on the stack.
    pub stack: bool,
    /// Whether it is mandatory.
    pub mandatory: bool,
}

/// How an answer is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskKind {
    /// Pick from a selection.
    Pick,
    /// Fill places from a selection, each card once; a place may stay empty.
    Slots(u8),
    /// Put a selection into an order.
    Order,
    /// A number.
    Number,
    /// Yes or no.
    Confirm,
    /// One of some names.
    Mode,
    /// Numbers for each of a selection, with a fixed sum.
    Distribute,
}

/// Who is asked together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskMode {
    /// One seat.
    One,
    /// All of them; nobody sees an answer before the last.
    All,
    /// Whoever answers first.
    Any,
}

/// What happens to a seat whose time is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fallback {
    /// The first thing that is legal.
    First,
    /// Something legal.
    Random,
    /// Its last draft, or nothing.
    Draft,
    /// Nothing: as few as may be.
    Pass,
}

/// A question.
#[derive(Clone, Debug)]
pub struct AskDef {
    /// Its name.
    pub id: String,
    /// What the player reads.
    pub prompt: String,
    /// How it is answered.
    pub kind: AskKind,
    /// Who is asked.
    pub who: Who,
    /// Whether they are asked together.
    pub mode: AskMode,
    /// What may be picked; the asked seat is `asked`.
    pub from: Option<SelId>,
    /// The `it` depth that holds the asked seat.
    pub asked: u8,
    /// At least so many; for a number the least.
    pub min: ExprId,
    /// At most so many; for a number the most; for a distribution the sum.
    pub max: ExprId,
    /// The names of a mode.
    pub modes: Vec<String>,
    /// Where answers are kept.
    pub answer: u16,
    /// How long; nothing: for ever.
    pub ms: Option<ExprId>,
    /// What happens then.
    pub fallback: Fallback,
    /// Whether it stays open until its time is over.
    pub deadline: bool,
    /// Whether drafts are taken.
    pub drafts: bool,
    /// Whether even a wrong answer counts as a sign of life.
    pub alive: bool,
    /// Whether a seat without a choice is answered for.
    pub auto: bool,
    /// Whether everybody sees who has yet to answer.
    pub shown: bool,
}

/// How places are given at the end.
#[derive(Clone, Copy, Debug)]
pub struct Rank {
    /// The score of a seat, which is `it`.
    pub by: ExprId,
    /// The depth of that `it`.
    pub it: u8,
    /// Whether more is better.
    pub most: bool,
}

/// Limits a ruleset sets for itself.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Operations for one input.
    pub ops: u32,
    /// Items on the stack.
    pub stack: u32,
    /// Reactions to one event.
    pub reactions: u32,
    /// The same position so often ends the match; 0 for never.
    pub same: u32,
}

/// A compiled ruleset.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its name in commands.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its version, as its author counts.
    pub version: String,
    /// What it is: the hash of its content.
    pub hash: [u8; 32],
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// Knobs.
    pub config: Vec<Config>,
    /// Named values; the first are built in.
    pub enums: Vec<EnumDef>,
    /// Attributes.
    pub attrs: Vec<AttrDef>,
    /// How many attributes are kept for each entity.
    pub kept: u16,
    /// Names of counters, and what each adds to which attributes.
    pub counters: Vec<(String, Vec<(u16, i64)>)>,
    /// Names of keywords.
    pub keywords: Vec<String>,
    /// Variables.
    pub vars: Vec<VarDef>,
    /// Places for variables.
    pub var_slots: u16,
    /// Zones.
    pub zones: Vec<ZoneDef>,
    /// Instances of zones.
    pub zone_slots: u16,
    /// The zone of each instance, and its owner.
    pub instances: Vec<(u16, u8)>,
    /// Kinds of cards.
    pub cards: Vec<CardDef>,
    /// Types of events.
    pub events: Vec<EventDef>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Selections.
    pub sels: Vec<Sel>,
    /// Tables of numbers: keys (one for each column of the key) and values.
    pub tables: Vec<Vec<(Vec<i64>, i64)>>,
    /// Code.
    pub code: Vec<Op>,
    /// Questions.
    pub asks: Vec<AskDef>,
    /// Names of answers.
    pub answers: Vec<String>,
    /// Actions.
    pub actions: Vec<ActionDef>,
    /// Activated abilities.
    pub abilities: Vec<ActionDef>,
    /// Triggers.
    pub triggers: Vec<TriggerDef>,
    /// Replacements.
    pub replaces: Vec<ReplaceDef>,
    /// Statics.
    pub statics: Vec<StaticDef>,
    /// State checks.
    pub checks: Vec<CheckDef>,
    /// Steps.
    pub steps: Vec<StepDef>,
    /// Whether triggers open a window for responses.
    pub respond_to_triggers: bool,
    /// Where a card goes that waited on the stack and came to nothing.
    pub discard: Option<u16>,
    /// Reactions of others before one's own: resolution order as in Magic.
    pub apnap: bool,
    /// Time for an action.
    pub action_ms: Option<ExprId>,
    /// Setup and flow.
    pub main: Block,
    /// What happens when somebody leaves; the seat is local 0.
    pub on_leave: Option<Block>,
    /// Places at the end.
    pub rank: Option<Rank>,
    /// What must always hold.
    pub invariants: Vec<ExprId>,
    /// Its own limits.
    pub limits: Option<Limits>,
    /// What never changes at a table, in the author's words: for screens, never for the rules.
    pub sheet: parlor_core::Json,
    /// Titles of finished matches and other texts: reasons, by number.
    pub texts: Vec<String>,
}

impl Program {
    /// The limits that hold.
    #[must_use]
    pub fn limits(&self) -> Limits {
        use crate::limits as most;
        self.limits.unwrap_or(Limits {
            ops: most::OPS_PER_INPUT_MAX,
            stack: most::STACK_ITEMS_MAX,
            reactions: most::REACTIONS_PER_EVENT_MAX,
            same: 0,
        })
    }
}
