//! What one seat of a table is doing, and what its player may ask for.
//!
//! The notation writes this as three numbers per player (`_inactive`, `_intents`, `_deadBlinds`), of which many
//! combinations mean nothing. Inside it is one enum: a seat that plays has no place for a debt.

use crate::money::Chips;

/// What a player wants; the notation's `_intents`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    Play,
    WaitForBigBlind,
    Pause,
    Leave,
}

impl Intent {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Play, Self::WaitForBigBlind, Self::Pause, Self::Leave];

    /// The notation's number.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The intent with that number.
    #[must_use]
    pub fn from_number(number: i64) -> Option<Self> {
        usize::try_from(number).ok().and_then(|n| Self::ALL.get(n).copied())
    }
}

/// How a pause ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum PauseKind {
    /// When the big blind reaches the seat.
    UntilBigBlind,
    /// Not at all.
    Plain,
}

/// What somebody who has not played yet wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum NewcomerWish {
    /// The next hand, at the price the table asks.
    Play,
    WaitForBigBlind,
    /// Keep the seat, nothing more.
    Pause,
}

/// What a player does when the hand they finish is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Then {
    Pause(PauseKind),
    Leave,
}

/// One seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum SeatState {
    #[default]
    Empty,
    /// Sits there and has not played yet.
    Newcomer(NewcomerWish),
    /// Takes part in hands. `then` is only used where players finish their hand before a pause.
    Playing { then: Option<Then> },
    /// Sits out, and owes blinds that went by.
    Paused { until: PauseKind, debt: Chips },
    /// Sat out and wants to play again; the debt is posted at the deal.
    Returning { debt: Chips },
    /// Has no chips; the seat is kept for a rebuy.
    Broke,
    /// Is removed when the next hand begins.
    Leaving,
}

/// A seat in the notation's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// `_inactive`.
    pub inactive: bool,
    /// `_intents`.
    pub intent: Intent,
    /// `_deadBlinds`.
    pub debt: Chips,
}

/// Numbers that no seat can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Impossible {
    #[error("a player who is not sitting out cannot owe dead blinds (got {debt})")]
    PlayingWithDebt { debt: Chips },
    #[error("expected dead blinds of 0 or more, got {debt}")]
    NegativeDebt { debt: Chips },
}

/// Why a player cannot have what they ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IntentRefused {
    #[error("nobody sits there")]
    Empty,
    #[error("leaving is final")]
    Leaving,
    #[error("there are no chips to play with: buy in again first")]
    Broke,
}

/// Circumstances that decide what an intent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntentContext {
    /// Whether the seat has cards in a hand that is not over.
    pub in_hand: bool,
    /// Setting `finishHandBeforePause`.
    pub finish_hand: bool,
    /// Whether newcomers play for free; then a newcomer's pause is a pause like any other.
    pub free_entry: bool,
}

impl SeatState {
    /// Playing, with nothing else asked for.
    pub const PLAYING: Self = Self::Playing { then: None };

    /// Whether somebody sits there.
    #[must_use]
    pub const fn is_taken(self) -> bool {
        !matches!(self, Self::Empty)
    }

    /// Whether the seat takes part in hands.
    #[must_use]
    pub const fn is_playing(self) -> bool {
        matches!(self, Self::Playing { .. })
    }

    /// What is owed.
    #[must_use]
    pub const fn debt(self) -> Chips {
        match self {
            Self::Paused { debt, .. } | Self::Returning { debt } => debt,
            _ => 0,
        }
    }

    /// The notation's numbers; an empty seat has none.
    #[must_use]
    pub const fn flags(self) -> Option<Flags> {
        let (inactive, intent, debt) = match self {
            Self::Empty => return None,
            Self::Newcomer(NewcomerWish::Play) => (true, Intent::Play, 0),
            Self::Newcomer(NewcomerWish::WaitForBigBlind) => (true, Intent::WaitForBigBlind, 0),
            Self::Newcomer(NewcomerWish::Pause) | Self::Broke => (true, Intent::Pause, 0),
            Self::Playing { then: None } => (false, Intent::Play, 0),
            Self::Playing { then: Some(Then::Pause(kind)) } => (false, kind.intent(), 0),
            Self::Playing { then: Some(Then::Leave) } => (false, Intent::Leave, 0),
            Self::Paused { until, debt } => (true, until.intent(), debt),
            Self::Returning { debt } => (true, Intent::Play, debt),
            Self::Leaving => (true, Intent::Leave, 0),
        };
        Some(Flags { inactive, intent, debt })
    }

    /// The seat that numbers of the notation describe. `newcomer` tells one who has not played yet from one who comes
    /// back, which the numbers do not.
    ///
    /// # Errors
    /// When the numbers are impossible.
    pub const fn from_flags(flags: Flags, newcomer: bool) -> Result<Self, Impossible> {
        let Flags { inactive, intent, debt } = flags;
        if debt < 0 {
            return Err(Impossible::NegativeDebt { debt });
        }
        if !inactive && debt > 0 {
            return Err(Impossible::PlayingWithDebt { debt });
        }
        Ok(match (inactive, intent) {
            (false, Intent::Play) => Self::PLAYING,
            (false, Intent::WaitForBigBlind) => {
                Self::Playing { then: Some(Then::Pause(PauseKind::UntilBigBlind)) }
            }
            (false, Intent::Pause) => Self::Playing { then: Some(Then::Pause(PauseKind::Plain)) },
            (false, Intent::Leave) => Self::Playing { then: Some(Then::Leave) },
            (true, Intent::Leave) => Self::Leaving,
            (true, Intent::Play) if newcomer => Self::Newcomer(NewcomerWish::Play),
            (true, Intent::WaitForBigBlind) if newcomer => Self::Newcomer(NewcomerWish::WaitForBigBlind),
            (true, Intent::Pause) if newcomer => Self::Newcomer(NewcomerWish::Pause),
            (true, Intent::Play) => Self::Returning { debt },
            (true, Intent::WaitForBigBlind) => Self::Paused { until: PauseKind::UntilBigBlind, debt },
            (true, Intent::Pause) => Self::Paused { until: PauseKind::Plain, debt },
        })
    }

    /// The seat after its player asked for something.
    ///
    /// # Errors
    /// When they cannot have it; the seat stays as it is.
    pub const fn ask(self, intent: Intent, at: IntentContext) -> Result<Self, IntentRefused> {
        if let (Intent::Leave, true) = (intent, self.is_taken()) {
            return Ok(match self {
                Self::Playing { .. } if at.in_hand && at.finish_hand => {
                    Self::Playing { then: Some(Then::Leave) }
                }
                _ => Self::Leaving,
            });
        }
        let pause = match intent {
            Intent::WaitForBigBlind => Some(PauseKind::UntilBigBlind),
            Intent::Pause => Some(PauseKind::Plain),
            Intent::Play | Intent::Leave => None,
        };
        Ok(match (self, pause) {
            (Self::Empty, _) => return Err(IntentRefused::Empty),
            (Self::Leaving, _) => return Err(IntentRefused::Leaving),
            (Self::Broke, None) => return Err(IntentRefused::Broke),
            (Self::Broke, Some(_)) => Self::Broke,
            (Self::Playing { .. }, None) => Self::PLAYING,
            (Self::Playing { .. }, Some(kind)) if at.in_hand && at.finish_hand => {
                Self::Playing { then: Some(Then::Pause(kind)) }
            }
            (Self::Playing { .. }, Some(kind)) => Self::Paused { until: kind, debt: 0 },
            (Self::Paused { debt, .. } | Self::Returning { debt }, None) => Self::Returning { debt },
            (Self::Paused { debt, .. } | Self::Returning { debt }, Some(kind)) => {
                Self::Paused { until: kind, debt }
            }
            (Self::Newcomer(_), None) => Self::Newcomer(NewcomerWish::Play),
            (Self::Newcomer(_), Some(kind)) if at.free_entry => Self::Paused { until: kind, debt: 0 },
            (Self::Newcomer(_), Some(PauseKind::UntilBigBlind)) => {
                Self::Newcomer(NewcomerWish::WaitForBigBlind)
            }
            (Self::Newcomer(_), Some(PauseKind::Plain)) => Self::Newcomer(NewcomerWish::Pause),
        })
    }

    /// The seat when the hand it was in is over and `stack` is left. `rebuys` tells whether a player without chips may
    /// buy in again.
    #[must_use]
    pub const fn after_hand(self, stack: Chips, rebuys: bool) -> Self {
        let next = match self {
            Self::Playing { then: Some(Then::Leave) } => Self::Leaving,
            Self::Playing { then: Some(Then::Pause(until)) } => Self::Paused { until, debt: 0 },
            other => other,
        };
        match next {
            Self::Empty | Self::Leaving => next,
            _ if stack > 0 => next,
            _ if rebuys => Self::Broke,
            _ => Self::Leaving,
        }
    }
}

impl PauseKind {
    /// The intent that asks for it.
    #[must_use]
    pub const fn intent(self) -> Intent {
        match self {
            Self::UntilBigBlind => Intent::WaitForBigBlind,
            Self::Plain => Intent::Pause,
        }
    }
}
