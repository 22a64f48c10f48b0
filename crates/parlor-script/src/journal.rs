//! The journal of an open segment, from which it can be run again: the state it started from and the inputs since.

use parlor_core::{AskId, Outcome, Seat, Seats};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::open::SeatAnswer;
use crate::question::CheckedAnswer;

/// The journal of the open segment. It is kept as bytes: a suspended match is small, and newer rules can be given a
/// state without knowing its type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentJournal {
    /// The state when the segment began.
    pub(crate) start: Vec<u8>,
    /// The id of its first request.
    pub(crate) next_ask: u32,
    /// Unanswered requests of an `any` before it: its first request may keep their ids.
    pub(crate) unanswered: Vec<Unanswered>,
    /// The random words drawn before its first request.
    pub(crate) opening: Vec<u32>,
    /// The inputs since, one encoded [`Step`] after the other.
    pub(crate) steps: Vec<u8>,
}

impl SegmentJournal {
    pub(crate) fn new(start: &impl Serialize, next_ask: u32, unanswered: Vec<Unanswered>) -> Self {
        Self { start: bytes(start), next_ask, unanswered, opening: Vec::new(), steps: Vec::new() }
    }

    /// Whether there was no input since the segment began.
    pub(crate) fn at_seam(&self) -> bool {
        self.steps.is_empty()
    }

    pub(crate) fn push<S: Serialize>(&mut self, step: &Step<S>) {
        let steps = std::mem::take(&mut self.steps);
        self.steps = postcard::to_extend(step, steps).expect("a step is plain data");
    }

    /// The inputs, in order; one that cannot be decoded ends the iterator with `None`.
    pub(crate) fn steps<S: DeserializeOwned>(&self) -> impl Iterator<Item = Option<Step<S>>> {
        let mut rest = self.steps.as_slice();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let step = postcard::take_from_bytes(rest).ok();
            rest = step.as_ref().map_or(&[], |(_, rest)| *rest);
            Some(step.map(|(step, _)| step))
        })
    }

    /// Bytes on the heap.
    pub(crate) fn footprint(&self) -> usize {
        self.start.capacity() + 4 * self.opening.capacity() + self.steps.capacity()
    }
}

/// Seat, id of the request, fingerprint of its description.
pub(crate) type Unanswered = (Seat, u32, u64);

/// One input, and the random words that were drawn because of it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Step<S> {
    pub(crate) what: What<S>,
    pub(crate) words: Vec<u32>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum What<S> {
    Answer {
        seat: Seat,
        answer: CheckedAnswer,
    },
    Elapsed {
        ask: AskId,
        seat: Option<Seat>,
    },
    Left(Seat),
    /// What no viewer knew was changed between two inputs: the state and the sealed answers are now these.
    Amend(Box<Amended<S>>),
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Amended<S> {
    pub(crate) game: S,
    pub(crate) sealed: Vec<Sealed>,
}

/// A sealed answer: seat, answer, whether it was automatic.
pub(crate) type Sealed = (Seat, CheckedAnswer, bool);

pub(crate) fn sealed(given: &[SeatAnswer<CheckedAnswer>]) -> Vec<Sealed> {
    given.iter().map(|given| (given.seat, given.answer.clone(), given.auto)).collect()
}

pub(crate) fn unsealed(sealed: &[Sealed]) -> Vec<SeatAnswer<CheckedAnswer>> {
    sealed
        .iter()
        .map(|(seat, answer, auto)| SeatAnswer { seat: *seat, answer: answer.clone(), auto: *auto })
        .collect()
}

/// A whole script, for digests and snapshots.
#[derive(Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) seats: u8,
    pub(crate) journal: SegmentJournal,
    /// The current state. A replay that arrives at another one was run by other rules.
    pub(crate) now: Vec<u8>,
    pub(crate) sealed: Vec<Sealed>,
    /// The open asks and their seats.
    pub(crate) asks: Vec<(AskId, Seats)>,
    pub(crate) over: Option<Outcome>,
}

pub(crate) fn bytes(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("a state is plain data")
}
