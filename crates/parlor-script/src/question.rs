//! What can be asked: a [`Question`] describes one request to one seat and gives its answer a type.
//!
//! [`Pick`] and [`One`] choose among typed things, [`parlor_core::Selector`] is the whole language of selectors with
//! nested choices, [`Free`] takes anything that the game's own check accepts, and [`Either`] puts two of them side by
//! side. A wish is built when somebody looks, from the state as it then is.

mod either;
mod free;
mod pick;
mod raw;

pub use either::Either;
pub use free::Free;
pub use pick::{Choices, Item, One, Pick};

use parlor_core::{Fault, Json, Refusal, Response, Rng, Selector, TimeLimit};
use serde::{Deserialize, Serialize};

/// A checked answer, small and without the game's types: what is kept to run a segment again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CheckedAnswer {
    /// The only pick, by its place among the choices.
    One(u16),
    /// Any other number of picks, in the order in which they were named.
    Some(Box<[u16]>),
    /// Picks with picks inside them.
    Nested(Vec<Branch>),
    /// A free-form answer, as JSON text.
    Free(Box<str>),
}

/// A pick and what was picked inside it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Branch {
    /// Its place among the choices.
    pub index: u16,
    /// What was picked inside it.
    pub nested: Vec<Branch>,
}

impl CheckedAnswer {
    /// Just this choice.
    #[must_use]
    pub fn one(index: usize) -> Self {
        Self::One(index as u16)
    }

    /// These choices.
    #[must_use]
    pub fn picks(indexes: impl IntoIterator<Item = usize>) -> Self {
        let picks: Vec<u16> = indexes.into_iter().map(|index| index as u16).collect();
        match picks.as_slice() {
            [one] => Self::One(*one),
            _ => Self::Some(picks.into()),
        }
    }

    /// The places of the picks, where they are plain ones.
    #[must_use]
    pub fn indexes(&self) -> &[u16] {
        match self {
            Self::One(index) => std::slice::from_ref(index),
            Self::Some(picks) => picks,
            Self::Nested(_) | Self::Free(_) => &[],
        }
    }
}

/// How a request stands: whose time runs, and what the house may do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Whose time runs while it stands.
    pub clock: TimeLimit,
    /// Milliseconds before which it does not close, however soon everybody has answered.
    pub at_least_ms: u32,
    /// Whether an answer can never be taken back.
    pub final_answer: bool,
    /// Whether the choices, or how many there are, are a secret: then nothing is answered by itself (000/R10).
    pub secret: bool,
}

impl Terms {
    /// No clock, public choices.
    pub const PLAIN: Self =
        Self { clock: TimeLimit::None, at_least_ms: 0, final_answer: false, secret: false };
}

/// What a bot is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer<'a> {
    /// The title of the request.
    pub title: &'a str,
    /// The key of each choice ([`Item::key`]); none for a free-form request.
    pub keys: Vec<u32>,
    /// The fewest picks.
    pub min: usize,
    /// The most picks.
    pub max: usize,
}

impl Offer<'_> {
    /// The answer that picks the choice with this key.
    #[must_use]
    pub fn key(&self, key: u32) -> Option<CheckedAnswer> {
        self.keys.iter().position(|other| *other == key).map(CheckedAnswer::one)
    }
}

/// One request to one seat. Implemented by what [`crate::Table::single`] and its kin take; games use them as they are.
pub trait Question {
    /// What the script gets.
    type Answer;

    /// How it stands.
    fn terms(&self) -> Terms;
    /// The full description for a client.
    fn describe(&self) -> Selector;
    /// Checks an answer from outside.
    ///
    /// # Errors
    /// Every fault of the answer.
    fn read(&self, answer: &Json) -> Result<CheckedAnswer, Refusal>;
    /// The answer that means this.
    fn to_answer(&self, answer: &CheckedAnswer) -> Json;
    /// Whether this could have been said.
    fn fits(&self, answer: &CheckedAnswer) -> bool;
    /// What the script gets for it.
    fn take(self, answer: CheckedAnswer) -> Self::Answer;
    /// One random legal answer.
    fn sample(&self, rng: &mut Rng) -> CheckedAnswer;
    /// Every legal answer, or some of each kind where there are too many.
    fn legal(&self) -> Vec<CheckedAnswer>;
    /// The answer that needs no asking (000-19), where it tells nobody anything (000/R10).
    fn forced(&self) -> Option<CheckedAnswer>;
    /// What is said for a seat whose clock has run out: the first legal answer.
    fn by_clock(&self) -> CheckedAnswer {
        self.legal().swap_remove(0)
    }
    /// What a bot gets to see of it.
    fn offer(&self) -> Offer<'_>;
}

/// The shape of a response, before anything is checked.
fn response(answer: &Json) -> Result<Response, Refusal> {
    serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| malformed(&error))
}

fn malformed(error: &serde_json::Error) -> Refusal {
    Fault::new("malformed", "answer: {error}").arg("error", error.to_string()).into()
}

fn spoken(response: &Response) -> Json {
    serde_json::to_value(response).expect("a response is plain data")
}
