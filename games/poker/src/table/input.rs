//! What comes in: answers of seats and orders of the house, untrusted, and the moves that [`crate::table::Table`] makes of them.

use serde::{Deserialize, Serialize};

use crate::legal::{self, Choices};
use crate::money::Chips;
use crate::table::seat_state::{Intent, IntentRefused};

/// An action prepared before it is one's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum PreAction {
    /// Check if it is free, else fold.
    CheckFold,
    /// Check; dropped when somebody bets.
    Check,
    /// Call as much as it costs now; dropped when that changes.
    Call,
    /// Fold whatever happens.
    Fold,
}

/// What a seat answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Answer {
    Fold,
    /// Check or call.
    Call,
    Raise {
        to: Chips,
    },
    BringIn,
    /// Exchange these cards, such as `4s9d`; none is standing pat.
    Draw {
        cards: String,
    },
    /// Show the hand; after an uncontested pot these cards of it.
    Show {
        #[serde(default)]
        cards: String,
    },
    Muck,
    /// 0 play, 1 wait for the big blind, 2 pause, 3 leave.
    Intent {
        intent: i64,
    },
    /// Chips to add before the next hand; 0 takes it back.
    TopUp {
        chips: Chips,
    },
    /// Chips that are set aside: the stack is filled up from them before each hand, until they are used up; 0 takes back what
    /// is left.
    AutoTopUp {
        chips: Chips,
    },
    /// Chips with which a player who has none goes on; only where they are asked.
    BuyIn {
        chips: Chips,
    },
    /// A player without chips does not go on; only where they are asked.
    Decline,
    /// Whether to straddle when left of the big blind.
    Straddle {
        on: bool,
    },
    /// Whether to deal the rest of the board twice when all are all-in and all agree.
    RunTwice {
        on: bool,
    },
    /// Whether losing hands are mucked and winning ones shown without being asked.
    AutoMuck {
        on: bool,
    },
    /// What to do when one's turn comes; `None` takes it back.
    Prepare {
        action: Option<PreAction>,
    },
}

/// A clock that the house runs for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Timer {
    /// The player to act.
    Turn,
    /// From the end of a hand to the next.
    NextHand,
    /// A player without chips.
    Rebuy(usize),
    /// A pause.
    Pause(usize),
    /// A lost connection.
    Away(usize),
    /// A player who left, by account.
    Rathole(u64),
}

/// What the house orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Somebody sits down with chips that are already held. `player` is their account, `owned` the most they could bring.
    Sit { seat: usize, player: u64, chips: Chips, owned: Chips },
    /// The connection of a seat is lost.
    Away { seat: usize },
    /// The connection is back.
    Back { seat: usize },
    /// A clock ran out.
    Elapsed(Timer),
    /// A player has left for good and will not answer again.
    Leave { seat: usize },
    /// The owner removes a player.
    Remove { seat: usize },
    /// The table closes after this hand.
    Close,
}

/// Something that was checked against the table it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableMove(pub(crate) Checked);

#[cfg(feature = "game")]
impl TableMove {
    /// Sitting down, as it was checked.
    pub(crate) const fn sit(seat: usize, player: u64, chips: Chips) -> Self {
        Self(Checked::Sit { seat, player, chips })
    }

    /// The chips that lie beside the stack after a top-up.
    pub(crate) const fn top_up(self) -> Option<Chips> {
        match self.0 {
            Checked::TopUp(_, chips) | Checked::AutoTopUp(_, chips) => Some(chips),
            _ => None,
        }
    }

    /// Whether it changes only what its own player sees.
    pub(crate) const fn is_silent(self) -> bool {
        use Checked::{AutoMuck, AutoTopUp, Prepare, RunTwice, Straddle, TopUp};
        matches!(self.0, TopUp(..) | AutoTopUp(..) | Straddle(..) | RunTwice(..) | AutoMuck(..) | Prepare(..))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    Play(legal::Move),
    ShowAfter(usize, crate::row::Row),
    Intent(usize, Intent),
    TopUp(usize, Chips),
    AutoTopUp(usize, Chips),
    Straddle(usize, bool),
    RunTwice(usize, bool),
    AutoMuck(usize, bool),
    Prepare(usize, Option<PreAction>),
    Sit { seat: usize, player: u64, chips: Chips },
    Away(usize),
    Back(usize),
    Elapsed(Timer),
    Leave(usize),
    Remove(usize),
    Close,
}

/// Why an answer or an order is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableRefusal {
    #[error("seat {}: expected a seat from 1 to {count}", seat + 1)]
    NoSuchSeat { seat: usize, count: usize },
    #[error("seat {} is taken", seat + 1)]
    SeatTaken { seat: usize },
    #[error("seat {} is empty", seat + 1)]
    SeatEmpty { seat: usize },
    #[error("this player sits here already, at seat {}", seat + 1)]
    SitsAlready { seat: usize },
    #[error("expected chips from {least} to {most}, got {got}")]
    BuyIn { least: Chips, most: Chips, got: Chips },
    #[error("expected at most {most} chips to add, got {got}")]
    TopUp { most: Chips, got: Chips },
    #[error("it is not this seat's turn")]
    NotYourTurn,
    #[error("expected cards such as 4s9d, got {0:?}")]
    Cards(String),
    #[error("expected an intent from 0 to 3, got {0}")]
    NoSuchIntent(i64),
    #[error("this table has no {0}")]
    NotHere(&'static str),
    #[error("this clock does not run")]
    NoSuchTimer,
    #[error("the table is closing")]
    Closing,
    #[error(transparent)]
    Intent(#[from] IntentRefused),
    #[error(transparent)]
    Hand(#[from] legal::Refusal),
}

/// What a seat may do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// Bets, when it is this seat's turn to bet.
    pub bet: Option<Choices>,
    /// Whether cards may be exchanged.
    pub draw: bool,
    /// Whether the hand is to be shown; `Some(true)` when it may be mucked.
    pub reveal: Option<bool>,
    /// Whether the winner of an uncontested pot may show.
    pub show_after: bool,
    /// Whether intents may be sent.
    pub intents: bool,
    /// The most that may be added before the next hand.
    pub top_up: Chips,
    pub straddle: bool,
    pub run_twice: bool,
    /// Whether an action may be prepared.
    pub prepare: bool,
}
