//! Asks: the one concept behind requests, offers, drafts, waits and windows.
//!
//! | name | how it is written |
//! |---|---|
//! | request | an ask of one or more seats; the game goes on when they have answered |
//! | wait | an ask of no seat, with a minimum time: [`Ask::wait`] |
//! | window | an ask with a minimum time, of some seats or of none: [`Ask::at_least`] |
//! | offer | an ask that the game does not wait for: [`Ask::offer`] |
//! | draft | an offer whose answers no other viewer can notice: [`Ask::draft`] |
//!
//! An ask has *elapsed* when no seat is left in it and its minimum time is over, or when a clock has run out. The
//! host then gives the game [`crate::Input::Elapsed`]; the rules never see the time itself.

use arrayvec::ArrayVec;

use crate::limits::ASKS_MAX;
use crate::seat::{Seat, Seats};

/// The game's own id of one decision. As long as the id stays the same, it is the same ask with the same description,
/// and its clock runs on; a new decision, or another description, has a new id. It never leaves the server: clients
/// see a counter of their own seat instead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct AskId(pub u32);

impl AskId {
    /// The engine's own ask: may this undo happen?
    pub const UNDO: Self = Self(u32::MAX);
}

/// What an ask means to the game and to other viewers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskKind {
    /// The game waits for the answer.
    Request,
    /// A seat may answer; the game does not wait.
    Offer,
    /// An offer whose answers change nothing that another viewer can see: no head, no version, no random numbers.
    Draft,
}

/// The time limit of an ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeLimit {
    None,
    /// The same time for every seat that is asked.
    Fixed {
        /// Counted from the moment the ask was opened.
        ms: u32,
    },
    /// Each seat pays from its own bank, after some time that is free.
    Bank {
        /// Free time before the bank is used.
        base_ms: u32,
    },
}

/// One ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask {
    pub id: AskId,
    /// The seats that have yet to answer; none for a wait.
    pub seats: Seats,
    pub kind: AskKind,
    pub clock: TimeLimit,
    /// The ask does not elapse before this time, however soon all seats have answered.
    pub min_ms: u32,
    /// Whether the engine answers at once for a seat that has no choice (000-19). Never set it if the choices, or
    /// their number, are secret: an automatic answer reveals that there was nothing to choose.
    pub auto: bool,
    /// Whether an answer to this can never be taken back.
    pub final_answer: bool,
    /// Whether everybody may know who is waited for, and for how long. Never set it if the seats are a secret.
    pub public: bool,
}

impl Ask {
    /// A request to these seats, without a time limit.
    #[must_use]
    pub const fn request(id: u32, seats: Seats) -> Self {
        Self {
            id: AskId(id),
            seats,
            kind: AskKind::Request,
            clock: TimeLimit::None,
            min_ms: 0,
            auto: false,
            final_answer: false,
            public: false,
        }
    }

    /// A request to one seat.
    #[must_use]
    pub const fn turn(id: u32, seat: Seat) -> Self {
        Self::request(id, Seats::only(seat))
    }

    /// A wait: asks no seat and elapses after `ms` milliseconds.
    #[must_use]
    pub const fn wait(id: u32, ms: u32) -> Self {
        Self::request(id, Seats::NONE).at_least(ms)
    }

    /// An offer to these seats: they may answer while the game goes on.
    #[must_use]
    pub const fn offer(id: u32, seats: Seats) -> Self {
        Self { kind: AskKind::Offer, ..Self::request(id, seats) }
    }

    /// A draft by these seats: they may answer, and no other viewer notices.
    #[must_use]
    pub const fn draft(id: u32, seats: Seats) -> Self {
        Self { kind: AskKind::Draft, ..Self::request(id, seats) }
    }

    /// Sets the time limit.
    #[must_use]
    pub const fn clock(mut self, clock: TimeLimit) -> Self {
        self.clock = clock;
        self
    }

    /// Sets a time limit of `ms` milliseconds for every seat that is asked.
    #[must_use]
    pub const fn within(self, ms: u32) -> Self {
        self.clock(TimeLimit::Fixed { ms })
    }

    /// Makes it a window: it does not elapse before `ms` milliseconds, so that the delay does not reveal who was
    /// asked.
    #[must_use]
    pub const fn at_least(mut self, ms: u32) -> Self {
        self.min_ms = ms;
        self
    }

    /// Answers at once for seats that have no choice.
    #[must_use]
    pub const fn auto(mut self) -> Self {
        self.auto = true;
        self
    }

    /// Makes its answers final: they cannot be taken back.
    #[must_use]
    pub const fn final_answer(mut self) -> Self {
        self.final_answer = true;
        self
    }

    /// Shows everybody who is waited for, and for how long.
    #[must_use]
    pub const fn public(mut self) -> Self {
        self.public = true;
        self
    }

    /// Whether the game waits for this.
    #[must_use]
    pub const fn blocks(&self) -> bool {
        matches!(self.kind, AskKind::Request)
    }
}

/// All open asks, in the order in which the game lists them.
pub type Asks = ArrayVec<Ask, ASKS_MAX>;

/// A list of this one ask.
#[must_use]
pub fn one(ask: Ask) -> Asks {
    let mut asks = Asks::new();
    asks.push(ask);
    asks
}
