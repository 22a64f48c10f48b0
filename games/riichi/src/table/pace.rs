//! Pace and house manners: how long a seat may think, and what happens when it does not answer. No rule of the game
//! depends on them; the house reads them.

use serde::{Deserialize, Serialize};

/// The clocks of a table and its manners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Pace {
    /// Time for a turn before the bank runs.
    pub turn_base_ms: u32,
    /// The least a turn has, even with an empty bank.
    pub turn_floor_ms: u32,
    pub bank_start_ms: u32,
    /// Added at the start of every round, the first included.
    pub bank_per_round_ms: u32,
    /// None: no limit.
    pub bank_max_ms: Option<u32>,
    pub call_base_ms: u32,
    /// A call may use the bank when its own time is over.
    pub call_uses_bank: bool,
    /// How long a window stays open after every discard, whether or not anybody may call.
    pub call_window_min_ms: u32,
    pub round_advance_ms: u32,
    /// A seat that may win and lets its time run out wins.
    pub timeout_takes_win: bool,
    /// How long a seat in riichi with nothing to decide holds its tile; none: it is asked.
    pub riichi_discard_ms: Option<u32>,
    /// The other seats hear of a draw.
    pub announce_draws: bool,
    pub away_grace_ms: u32,
    pub last_human_grace_ms: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self::document()
    }
}

impl Pace {
    /// The document's timers.
    #[must_use]
    pub const fn document() -> Self {
        Self {
            turn_base_ms: 0,
            turn_floor_ms: 0,
            bank_start_ms: 3000,
            bank_per_round_ms: 2000,
            bank_max_ms: None,
            call_base_ms: 2000,
            call_uses_bank: false,
            call_window_min_ms: 0,
            round_advance_ms: 15_000,
            timeout_takes_win: false,
            riichi_discard_ms: None,
            announce_draws: false,
            away_grace_ms: 0,
            last_human_grace_ms: 0,
        }
    }

    /// What players of today expect.
    #[must_use]
    pub const fn standard() -> Self {
        Self {
            turn_base_ms: 5000,
            bank_start_ms: 20_000,
            bank_per_round_ms: 10_000,
            bank_max_ms: Some(60_000),
            call_base_ms: 5000,
            call_uses_bank: true,
            call_window_min_ms: 800,
            timeout_takes_win: true,
            riichi_discard_ms: Some(1000),
            announce_draws: true,
            away_grace_ms: 15_000,
            last_human_grace_ms: 120_000,
            ..Self::document()
        }
    }

    /// The profile with this name.
    #[must_use]
    pub fn profile(name: &str) -> Option<Self> {
        match name {
            "document" => Some(Self::document()),
            "standard" => Some(Self::standard()),
            _ => None,
        }
    }
}
