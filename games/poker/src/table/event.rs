//! What happens at a table, as its viewers are told, and the money that the house has to book.

use serde::{Serialize, Serializer};

use crate::money::Chips;
use crate::row::Row;
use crate::table::seat_state::Intent;
use crate::variant::Variant;

/// Money that crosses the edge of the table. What lies on it is [`crate::table::Table::escrow`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posting {
    /// From the player's account to the table: a buy-in, a top-up or a rebuy.
    BuyIn { seat: usize, chips: Chips },
    /// From the table back to the player.
    CashOut { seat: usize, chips: Chips },
    /// From the table to the house.
    Rake { chips: Chips },
}

/// Why the table wrote a player's intent (ruling 004/R12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum WrittenBecause {
    BackOnBigBlind,
    CannotPay,
    PausedTooLong,
    NoRebuy,
    Removed,
    TableClosed,
    OutOfChips,
    TimedOut,
    ConnectionLost,
    ConnectionBack,
}

/// One thing that happened. [`Event::only_for`] tells who may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(rename = "TableEvent"))]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Event {
    /// Somebody took a seat.
    Sat {
        seat: usize,
        chips: Chips,
    },
    /// A seat became free.
    Left {
        seat: usize,
    },
    /// A player asked for something.
    Wants {
        seat: usize,
        #[serde(serialize_with = "number")]
        #[cfg_attr(feature = "game", ts(type = "number"))]
        intent: Intent,
    },
    /// The table wrote a player's intent.
    Written {
        seat: usize,
        #[serde(serialize_with = "number")]
        #[cfg_attr(feature = "game", ts(type = "number"))]
        intent: Intent,
        because: WrittenBecause,
    },
    /// Chips were added between two hands.
    ToppedUp {
        seat: usize,
        chips: Chips,
    },
    /// A hand begins.
    HandStarted {
        number: u64,
        #[serde(serialize_with = "code")]
        #[cfg_attr(feature = "game", ts(type = "string"))]
        variant: Variant,
        button: usize,
    },
    /// An ante or dead blind: chips that count for no bet.
    Dead {
        seat: usize,
        chips: Chips,
    },
    /// A blind, straddle or post.
    Blind {
        seat: usize,
        chips: Chips,
    },
    /// Cards for one seat, known to that seat alone.
    HoleCards {
        seat: usize,
        #[serde(serialize_with = "text")]
        #[cfg_attr(feature = "game", ts(type = "string"))]
        cards: Row,
    },
    /// Cards for one seat as everybody sees them: unseen ones are `None`.
    Dealt {
        seat: usize,
        #[serde(serialize_with = "text")]
        #[cfg_attr(feature = "game", ts(type = "string"))]
        cards: Row,
    },
    /// Cards of the board; `run` is 1 for the second of two boards.
    Board {
        run: usize,
        /// How many cards lay there before.
        lay: usize,
        #[serde(serialize_with = "text")]
        #[cfg_attr(feature = "game", ts(type = "string"))]
        cards: Row,
    },
    Folded {
        seat: usize,
    },
    Called {
        seat: usize,
        chips: Chips,
    },
    Raised {
        seat: usize,
        to: Chips,
    },
    BroughtIn {
        seat: usize,
        chips: Chips,
    },
    /// How many cards a player exchanged.
    Drew {
        seat: usize,
        count: usize,
    },
    Shown {
        seat: usize,
        #[serde(serialize_with = "text")]
        #[cfg_attr(feature = "game", ts(type = "string"))]
        cards: Row,
    },
    Mucked {
        seat: usize,
    },
    /// It is a player's turn.
    Turn {
        seat: usize,
    },
    /// A prepared action was dropped because its price changed; known to that seat alone.
    PreActionDropped {
        seat: usize,
    },
    /// A bet that nobody called went back.
    Uncalled {
        seat: usize,
        chips: Chips,
    },
    /// Chips won, from all pots together.
    Won {
        seat: usize,
        chips: Chips,
    },
    HandOver {
        number: u64,
        rake: Chips,
    },
    /// Time is added to a player's bank.
    TimeAdded {
        seat: usize,
        ms: u32,
    },
    /// Money for the house to book; told to nobody.
    #[serde(skip)]
    Posted(Posting),
}

impl Event {
    /// The only seat that may know, or `None` when everybody may.
    #[must_use]
    pub const fn only_for(&self) -> Option<usize> {
        match self {
            Self::HoleCards { seat, .. } | Self::PreActionDropped { seat } => Some(*seat),
            _ => None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn number<S: Serializer>(intent: &Intent, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u8(intent.number())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn code<S: Serializer>(variant: &Variant, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(variant.code())
}

fn text<S: Serializer>(cards: &Row, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(cards)
}
