//! How a match ends, and where the pot goes. Only `end_match` ends it, and only once.

use parlor_core::{Account, Outcome, Output, Seat, Seats};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::event::Event;
use crate::rules::Battle;
use crate::settings::BothDead;

/// Why a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// By HP.
    Normal,
    /// By rounds in which nothing came.
    Timeout,
    /// By a player who left.
    Disconnect,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// This seat, against the other.
    Won(Seat),
    /// Nobody, and nobody lost.
    Draw,
    /// Nobody: both have lost.
    BothLost,
}

/// The end of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
pub struct End {
    pub reason: Reason,
    pub verdict: Verdict,
}

impl Reason {
    const fn code(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Timeout => "timeout",
            Self::Disconnect => "disconnect",
        }
    }
}

impl End {
    /// The outcome for the host.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let reason = self.reason.code();
        match self.verdict {
            Verdict::Won(seat) => Outcome::win(Seats::only(seat), 2, reason),
            Verdict::Draw => Outcome::draw(2, reason),
            // No seat has the first place: that distinguishes a match that both lost from a draw.
            Verdict::BothLost => Outcome { places: [2, 2].into_iter().collect(), ..Outcome::draw(2, reason) },
        }
    }

    /// A distinct number for each end, never 0.
    #[must_use]
    pub(crate) fn code(&self) -> u32 {
        let verdict = match self.verdict {
            Verdict::Won(seat) => seat.index() as u32,
            Verdict::Draw => 2,
            Verdict::BothLost => 3,
        };
        1 + self.reason as u32 * 4 + verdict
    }
}

/// The other seat.
#[must_use]
pub(crate) const fn other(seat: Seat) -> Seat {
    seat.next(2)
}

impl Battle {
    /// Ends the match, pays out the pot and emits the event. Inputs after the end never get here: `apply` ignores them.
    pub(crate) fn end_match(&mut self, reason: Reason, verdict: Verdict, out: &mut impl Output<Event>) {
        debug_assert!(self.end.is_none(), "a match ends once");
        let pot = self.holds_tokens();
        self.end = Some(End { reason, verdict });
        // Slots that were not revealed never will be, so they are cleared and nothing is left to hide.
        let shown = self.steps_shown();
        for side in &mut self.sides {
            side.laid = side.laid.first(shown);
            (side.present, side.confirmed) = (false, false);
        }
        match verdict {
            Verdict::Won(winner) => out.post(Account::Table, Account::Seat(winner), pot),
            Verdict::Draw if self.settings.both_dead == BothDead::Return => {
                for seat in SEATS {
                    out.post(Account::Table, Account::Seat(seat), self.settings.stake.into());
                }
            }
            Verdict::Draw | Verdict::BothLost => out.post(Account::Table, Account::Burn, pot),
        }
        let (winner, loser) = match verdict {
            Verdict::Won(winner) => (Some(winner), Some(other(winner))),
            Verdict::Draw | Verdict::BothLost => (None, None),
        };
        let draw = verdict == Verdict::Draw;
        out.emit(Seats::ALL, Event::MatchEnd { reason, winner, loser, draw, hp: self.hp() });
    }
}

/// Both seats.
pub(crate) const SEATS: [Seat; 2] = [Seat::new(0), Seat::new(1)];
