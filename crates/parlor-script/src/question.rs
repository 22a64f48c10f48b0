//! Questions: a [`Question`] describes one request to one seat and gives its answer a type.
//!
//! [`Pick`] and [`One`] choose among typed items, [`parlor_core::Selector`] has every feature of selectors, including
//! nested choices, [`Free`] takes anything that the game's own check accepts, and [`Either`] combines two of them. A
//! question is built from the current state, whenever it is needed.

mod either;
mod free;
mod pick;
mod raw;

pub use either::Either;
pub use free::Free;
pub use pick::{Choices, Item, One, Pick};

use parlor_core::{Fault, HouseCode, Json, Refusal, Response, Rng, Selector, TimeLimit};
use serde::{Deserialize, Serialize};

/// A checked answer, small and without the game's types. The journal keeps it to run a segment again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CheckedAnswer {
    /// The only pick, by its index among the choices.
    One(u16),
    /// Any other number of picks, in the order of the answer.
    Some(Box<[u16]>),
    /// Picks with inner picks.
    Nested(Vec<Branch>),
    /// A free-form answer, as JSON text.
    Free(Box<str>),
}

/// A pick and its inner picks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// Its index among the choices.
    pub index: u16,
    pub nested: Vec<Branch>,
}

impl CheckedAnswer {
    /// Picks this one choice.
    #[must_use]
    pub fn one(index: usize) -> Self {
        Self::One(index as u16)
    }

    /// Picks these choices.
    #[must_use]
    pub fn picks(indexes: impl IntoIterator<Item = usize>) -> Self {
        let picks: Vec<u16> = indexes.into_iter().map(|index| index as u16).collect();
        match picks.as_slice() {
            [one] => Self::One(*one),
            _ => Self::Some(picks.into()),
        }
    }

    /// The indexes of the picks, if they have no inner picks.
    #[must_use]
    pub fn indexes(&self) -> &[u16] {
        match self {
            Self::One(index) => std::slice::from_ref(index),
            Self::Some(picks) => picks,
            Self::Nested(_) | Self::Free(_) => &[],
        }
    }
}

/// The terms of a request: its time limit, and how it is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    pub clock: TimeLimit,
    /// The request does not close before this time, however soon all seats have answered.
    pub at_least_ms: u32,
    /// Whether an answer can never be taken back.
    pub final_answer: bool,
    /// Whether the choices, or their number, are secret: then there are no automatic answers (000/R10).
    pub secret: bool,
}

impl Terms {
    /// No time limit, public choices.
    pub const PLAIN: Self =
        Self { clock: TimeLimit::None, at_least_ms: 0, final_answer: false, secret: false };
}

/// What a bot is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer<'a> {
    /// The title of the request.
    pub title: &'a str,
    /// The key of each choice ([`Item::key`]); empty for a free-form request.
    pub keys: Vec<u32>,
    /// The minimum number of picks.
    pub min: usize,
    /// The maximum number of picks.
    pub max: usize,
}

impl Offer<'_> {
    /// The answer that picks the choice with this key.
    #[must_use]
    pub fn key(&self, key: u32) -> Option<CheckedAnswer> {
        self.keys.iter().position(|other| *other == key).map(CheckedAnswer::one)
    }
}

/// One request to one seat, as [`crate::Table::single`] and the other methods take it. Games use the implementations
/// here and need none of their own.
pub trait Question {
    /// What the script gets.
    type Answer;

    /// The terms of the request.
    fn terms(&self) -> Terms;
    /// The full description for a client.
    fn describe(&self) -> Selector;
    /// Checks an untrusted answer.
    ///
    /// # Errors
    /// Every fault of the answer.
    fn read(&self, answer: &Json) -> Result<CheckedAnswer, Refusal>;
    /// The client's answer that means this.
    fn to_answer(&self, answer: &CheckedAnswer) -> Json;
    /// Whether this is a possible answer.
    fn fits(&self, answer: &CheckedAnswer) -> bool;
    /// Converts a checked answer to what the script gets.
    fn take(self, answer: CheckedAnswer) -> Self::Answer;
    /// A random legal answer.
    fn sample(&self, rng: &mut Rng) -> CheckedAnswer;
    /// Every legal answer, or some of each kind if there are too many.
    fn legal(&self) -> Vec<CheckedAnswer>;
    /// The automatic answer, if there is no choice (000-19) and it reveals nothing (000/R10).
    fn forced(&self) -> Option<CheckedAnswer>;
    /// The answer for a seat whose clock has run out: the first legal one.
    fn by_clock(&self) -> CheckedAnswer {
        self.legal().swap_remove(0)
    }
    /// What a bot sees of the request.
    fn offer(&self) -> Offer<'_>;
}

/// Reads the shape of a response; checks nothing else.
fn response(answer: &Json) -> Result<Response, Refusal> {
    serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| malformed(&error))
}

fn malformed(error: &serde_json::Error) -> Refusal {
    Fault::new(HouseCode::Malformed, "answer: {error}").arg("error", error.to_string()).into()
}

fn spoken(response: &Response) -> Json {
    serde_json::to_value(response).expect("a response is plain data")
}
