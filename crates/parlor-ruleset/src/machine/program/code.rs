//! Statements, flattened: straight code with jumps.

use super::{Change, ExprId, SelId, Ty, Who};
use crate::machine::exec::deeds::Operand;
use crate::machine::ids::{AttrId, EventType, QuestionId, StepId, TextId, TriggerId, VarId, ZoneId};

/// A piece of code with its own locals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Block {
    /// Where it begins.
    pub pc: u32,
    /// How many locals it has; the first hold its targets.
    pub locals: u16,
    /// How many lists it has.
    pub lists: u16,
}

/// A zone: the owner is a seat, or nobody for a zone of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct To {
    /// The zone.
    pub zone: ZoneId,
    /// Whose.
    pub of: Option<ExprId>,
}

/// Where in a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZonePosition {
    /// On top.
    Top,
    /// At the bottom.
    Bottom,
    /// On top, face down.
    TopDown,
    /// At the bottom, face down.
    BottomDown,
    /// In this cell of a grid.
    Cell(ExprId),
    /// In this cell of a grid, face down.
    CellDown(ExprId),
}

impl ZonePosition {
    /// Whether what comes there lies face down.
    #[must_use]
    pub const fn is_down(self) -> bool {
        matches!(self, Self::TopDown | Self::BottomDown | Self::CellDown(_))
    }
}

/// A modifier that is laid on each of a selection.
#[derive(Clone, PartialEq, Debug)]
pub struct ModifierDef {
    /// On what.
    pub to: SelId,
    /// What it does to attributes.
    pub changes: Vec<Change>,
    /// Keywords that it gives.
    pub keywords: u64,
    /// Keywords that it takes.
    pub without: u64,
    /// Whether its own abilities are gone.
    pub mute: bool,
    /// How long.
    pub until: Durations,
}

/// How long a modifier lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Durations {
    /// For good, while the entity stays where it is.
    Permanent,
    /// Until this turn is over.
    TurnEnd,
    /// Until this step is over.
    StepEnd,
    /// Until the turn of the seat that made it begins.
    YourNextTurn,
    /// While its source is where it was.
    WhileSource,
    /// Until so many more turns are over.
    Turns(u16),
    /// Until so many more rounds are over.
    Rounds(u16),
}

/// One operation.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// A statement of the table by its number, with its operands.
    Do(u8, Box<[Operand]>),
    /// Binds a local.
    Let(u16, ExprId),
    /// Binds a list.
    LetList(u16, SelId),
    /// Sets a variable: which, whose, value.
    SetVar(VarId, Option<ExprId>, ExprId),
    /// Adds to a variable.
    AddVar(VarId, Option<ExprId>, ExprId),
    /// Sets an attribute of each: which entities, attribute, value.
    SetAttr(SelId, AttrId, ExprId),
    /// Moves each to a zone: what, where, place, by whom.
    Move(SelId, To, ZonePosition, Option<ExprId>),
    /// Deals from one zone to these seats' zones, so many to each.
    Deal(To, ZoneId, Who, ExprId),
    /// Moves from the top of one zone to another, so many; fewer where there are fewer.
    Draw(To, To, ExprId),
    /// Makes cards of these kinds, so many of each, owned by the seat of the zone: kinds, where, how many, place.
    Create(SelId, To, ExprId, ZonePosition),
    /// An event happens: type, fields, for each of a selection in this field.
    Emit(EventType, Box<[ExprId]>, Option<(SelId, u8)>),
    /// An event goes onto the stack: type, fields, whether players may respond.
    Push(EventType, Box<[ExprId]>, bool),
    /// The targets of a trigger were chosen: so many locals.
    Aimed(u16),
    /// Modifies each.
    Apply(Box<ModifierDef>),
    /// Shows each to these seats for some time: what, whom, how long.
    Peek(SelId, Who, Durations),
    /// Turns each over: whether its face is down.
    Flip(SelId, bool),
    /// From here on, for some time, this trigger works: which, whether once, how long.
    Later(TriggerId, bool, Durations),
    /// A trigger of one card goes onto the stack as if another had it: the card, its name, the other.
    Activate(ExprId, TextId, ExprId),
    /// What follows is one batch.
    BatchStart,
    /// The batch is over: triggers of all of it are collected together.
    BatchEnd,
    /// What follows stands or falls together.
    AtomicStart,
    /// All of it stands, or nothing.
    AtomicEnd,
    /// Everything that waits on the stack resolves now, where this is the flow of the game.
    Drain,
    /// Goes on elsewhere.
    Jump(u32),
    /// Goes on elsewhere where it does not hold.
    Unless(ExprId, u32),
    /// The next of a list: list, counter, local, where to go after the last.
    Next(u16, u16, u16, u32),
    /// One more turn of a loop: counter, most, where to go after so many.
    Again(u16, ExprId, u32),
    /// Asks.
    Ask(QuestionId),
    /// Waits so many milliseconds.
    Wait(ExprId),
    /// A turn begins: the seat that comes next; in the first turn of these turns, which this local counts, the first one.
    BeginTurn(Option<ExprId>, u16),
    /// A turn is over.
    EndTurn,
    /// A step begins.
    EnterStep(StepId),
    /// Players may act, where the step lets them.
    Priority(StepId),
    /// A step is over.
    LeaveStep(StepId),
    /// A field of that event changes.
    Modify(u8, ExprId),
    /// What a card does when it resolves: the card, the local of the first of its targets.
    Run(ExprId, u16),
    /// What the ability does that was chosen: the source, the local of the ability, the local of the first target.
    RunAbility(ExprId, u16, u16),
    /// A number below the sides, by luck, into a local.
    Roll(u16, ExprId),
    /// Puts a list of these into an order by luck.
    Mix(u16, Ty),
    /// Notes that what stands at this place has run: only where a ruleset is compiled to find out what does.
    Note(u32),
    /// Tokens: who wins the pot. Kept for rulesets with stakes.
    End,
}
