//! What a seat can do, checked.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::tile::{Kind, Tile};

/// What a seat wants done by itself. The house keeps it for the seat and answers for it; the rules never look at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Automatic {
    /// Takes every win.
    pub win: bool,
    /// Passes whatever is no win.
    pub no_calls: bool,
    /// Discards what was drawn, unless it wins.
    pub discard_drawn: bool,
}

/// One action of a seat. Only [`Table::check`](super::Table::check) and [`Table::legal`](super::Table::legal) make those
/// that can be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Discard(Tile),
    /// Declares riichi with this discard.
    Riichi(Tile),
    Tsumo,
    /// A closed kan.
    Ankan(Kind),
    /// Adds this tile to a pon.
    Kakan(Tile),
    /// Nine kinds of terminals and honors: ends the round.
    Nine,
    Ron,
    /// With these two of one's own.
    Pon([Tile; 2]),
    /// With these two of one's own.
    Chi([Tile; 2]),
    /// An open kan on a discard.
    Daiminkan,
    Pass,
    /// Confirms the result of the round.
    Confirm,
    /// What is done by itself from now on.
    Automatic(Automatic),
}

/// More than a seat can ever choose from: 14 discards, 14 riichi, 3 closed and 4 added kans, tsumo, nine.
pub type Actions = ArrayVec<Action, 40>;
