//! What stands: the one concept behind requests, offers, drafts, waits and windows.
//!
//! | name | how it is written |
//! |---|---|
//! | request | an ask of one or more seats; the game goes on when they have answered |
//! | wait | an ask of nobody, with a minimum time: [`Ask::wait`] |
//! | window | an ask with a minimum time, of some seats or of none: [`Ask::at_least`] |
//! | offer | an ask that blocks nobody: [`Ask::offer`] |
//! | draft | an offer whose answers nobody else may notice: [`Ask::draft`] |
//!
//! An ask has *elapsed* when nobody is left in it and its minimum is over, or when its clock has run out on somebody.
//! The house then gives the game [`crate::Input::Elapsed`]; the rules never see the time itself.

use arrayvec::ArrayVec;

use crate::limits::ASKS_MAX;
use crate::seat::{Seat, Seats};

/// The game's own name for one decision. While the id stays, it is the same ask, described in the same words, and its
/// clock runs on; a new decision, or another description, has a new id. It never leaves the server: clients see a counter of their own seat instead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct AskId(pub u32);

impl AskId {
    /// The house's own ask: may this undo happen?
    pub const UNDO: Self = Self(u32::MAX);
}

/// What an ask does to the game and to other people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskKind {
    /// The game waits for it.
    Request,
    /// A seat may say something that nobody waits for.
    Offer,
    /// An offer whose answers move nothing that anybody else can see: no head, no version, no luck.
    Draft,
}

/// Whose time runs while an ask stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeLimit {
    /// No limit.
    None,
    /// The same time for everybody asked.
    Fixed {
        /// Milliseconds from the moment the ask first stood.
        ms: u32,
    },
    /// Each seat pays from its own bank, after some time that is free.
    Bank {
        /// Free milliseconds before the bank runs.
        base_ms: u32,
    },
}

/// One thing that stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ask {
    /// The game's name for this decision.
    pub id: AskId,
    /// Who has yet to answer; nobody, for a wait.
    pub seats: Seats,
    /// Whether the game waits for it.
    pub kind: AskKind,
    /// Whose time runs.
    pub clock: TimeLimit,
    /// Milliseconds before which the ask does not elapse, however soon everybody has answered.
    pub min_ms: u32,
    /// Whether the house answers at once for a seat that has no choice (000-19). Never where the choices, or their
    /// number, are secret: an answer that comes by itself tells that there was nothing to choose.
    pub auto: bool,
    /// Whether an answer to this can never be taken back.
    pub final_answer: bool,
}

impl Ask {
    /// A request to these seats, without a clock.
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
        }
    }

    /// A request to one seat.
    #[must_use]
    pub const fn turn(id: u32, seat: Seat) -> Self {
        Self::request(id, Seats::only(seat))
    }

    /// Nobody is asked, but not yet: elapses after `ms` milliseconds.
    #[must_use]
    pub const fn wait(id: u32, ms: u32) -> Self {
        Self::request(id, Seats::NONE).at_least(ms)
    }

    /// Something these seats may say while the game goes on.
    #[must_use]
    pub const fn offer(id: u32, seats: Seats) -> Self {
        Self { kind: AskKind::Offer, ..Self::request(id, seats) }
    }

    /// Something these seats may say that nobody else notices.
    #[must_use]
    pub const fn draft(id: u32, seats: Seats) -> Self {
        Self { kind: AskKind::Draft, ..Self::request(id, seats) }
    }

    /// With this clock.
    #[must_use]
    pub const fn clock(mut self, clock: TimeLimit) -> Self {
        self.clock = clock;
        self
    }

    /// With a limit of `ms` milliseconds for everybody asked.
    #[must_use]
    pub const fn within(self, ms: u32) -> Self {
        self.clock(TimeLimit::Fixed { ms })
    }

    /// As a window: it does not elapse before `ms` milliseconds, so that nobody can tell from the pause who was asked.
    #[must_use]
    pub const fn at_least(mut self, ms: u32) -> Self {
        self.min_ms = ms;
        self
    }

    /// With instant answers for seats that have no choice.
    #[must_use]
    pub const fn auto(mut self) -> Self {
        self.auto = true;
        self
    }

    /// With answers that stay given.
    #[must_use]
    pub const fn final_answer(mut self) -> Self {
        self.final_answer = true;
        self
    }

    /// Whether the game waits for this.
    #[must_use]
    pub const fn blocks(&self) -> bool {
        matches!(self.kind, AskKind::Request)
    }
}

/// Everything that stands, in the order in which the game lists it.
pub type Asks = ArrayVec<Ask, ASKS_MAX>;

/// Just this one ask.
#[must_use]
pub fn one(ask: Ask) -> Asks {
    let mut asks = Asks::new();
    asks.push(ask);
    asks
}
