//! What brings an open segment back: the state it started from and what has come since.

use parlor_core::{AskId, Outcome, Seat, Seats};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::open::SeatAnswer;
use crate::question::CheckedAnswer;

/// The open segment, so that it can be run again. It is kept as bytes: a suspended match is small, and newer rules can
/// be handed a state without knowing its type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SegmentJournal {
    /// The state when the segment began.
    pub(crate) start: Vec<u8>,
    /// The number of its first request.
    pub(crate) next_ask: u32,
    /// Requests of an `any` before it that nobody has answered: its first request may go on with them.
    pub(crate) unanswered: Vec<Unanswered>,
    /// The words of luck drawn before its first request.
    pub(crate) opening: Vec<u32>,
    /// What has come since, one [`Step`] after the other.
    pub(crate) steps: Vec<u8>,
}

impl SegmentJournal {
    pub(crate) fn new(start: &impl Serialize, next_ask: u32, unanswered: Vec<Unanswered>) -> Self {
        Self { start: bytes(start), next_ask, unanswered, opening: Vec::new(), steps: Vec::new() }
    }

    /// Whether nothing has come since the segment began.
    pub(crate) fn at_seam(&self) -> bool {
        self.steps.is_empty()
    }

    pub(crate) fn push<S: Serialize>(&mut self, step: &Step<S>) {
        let steps = std::mem::take(&mut self.steps);
        self.steps = postcard::to_extend(step, steps).expect("a step is plain data");
    }

    /// What has come, in order; an item that does not decode ends it with `None`.
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

/// Seat, request, fingerprint of its description.
pub(crate) type Unanswered = (Seat, u32, u64);

/// One thing that came, and the words of luck that were drawn because of it.
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
    /// What nobody knew was changed, between two inputs: the state and the sealed answers are these.
    Amend(Box<Amended<S>>),
}

#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Amended<S> {
    pub(crate) game: S,
    pub(crate) sealed: Vec<Sealed>,
}

/// A sealed answer: seat, answer, whether it came by itself.
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
    /// The state as it is now: a replay that comes to another one was run by other rules.
    pub(crate) now: Vec<u8>,
    pub(crate) sealed: Vec<Sealed>,
    /// What stands, and for whom.
    pub(crate) asks: Vec<(AskId, Seats)>,
    pub(crate) over: Option<Outcome>,
}

pub(crate) fn bytes(value: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(value).expect("a state is plain data")
}
