//! Questions, the end, and limits that a ruleset sets for itself.

use super::{ExprId, SelId, Ty, Who};
use crate::machine::ids::{AnswerId, TextId};

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
    /// Its last draft; without one as [`Fallback::Pass`].
    Draft,
    /// An empty answer; the first thing that is legal where that is none.
    Pass,
    /// This, where it is legal; otherwise the first thing that is.
    Value(ExprId),
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
    /// What its answer is made of.
    pub ty: Ty,
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
    pub answer: AnswerId,
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
    /// Whether a seat without a choice is asked all the same, so that nobody learns that it had none.
    pub always: bool,
    /// Whether everybody sees who has yet to answer.
    pub shown: bool,
    /// What must hold of all that is picked, which is this list of the frame.
    pub fits: Option<(ExprId, u16)>,
    /// The author's words for whoever picks what does not fit: a text, by number.
    pub why: Option<TextId>,
    /// What stands in the holes of the prompt.
    pub holes: Vec<Hole>,
}

/// What stands in a hole of a prompt.
#[derive(Clone, Debug)]
pub struct Hole {
    /// Its name, as it is written between the braces.
    pub name: String,
    /// What stands there.
    pub value: ExprId,
    /// Its type.
    pub ty: Ty,
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
    /// Whether a repeated position is ranked; otherwise it is a draw.
    pub same_ranked: bool,
}

/// Tokens that each seat puts on the table as the match begins, and where they go.
#[derive(Clone, Copy, Debug)]
pub struct Stake {
    /// How many.
    pub amount: ExprId,
    /// Whether they go back in a draw; otherwise they burn.
    pub draw_returns: ExprId,
    /// Whether they go back when all have lost.
    pub lost_returns: ExprId,
}
