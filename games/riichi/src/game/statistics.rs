//! What an arena counts for each seat of a riichi table: rounds, wins, deal-ins, calls and riichi.

use parlor_core::sim::SeatCounts;

use super::{Riichi, chair_of};
use crate::pay::Seat;
use crate::table::{Phase, RiichiState, RoundResult, SeatSet};

impl Riichi {
    /// Counts a round when it has just ended: nobody has confirmed it yet.
    pub(super) fn count_round(&self, counts: &mut SeatCounts) {
        let result = match self.table.phase() {
            Phase::RoundEnd { result, waiting, .. } if *waiting == SeatSet::all(self.table.seats()) => result,
            Phase::Over { result, .. } => result,
            _ => return,
        };
        for seat in Seat::ALL.into_iter().take(self.table.seats().into()) {
            let player = self.table.player(seat);
            counts.add(chair_of(seat), SeatCounts::ROUNDS);
            if !player.is_closed() {
                counts.add(chair_of(seat), "calls");
            }
            if player.riichi() != RiichiState::No {
                counts.add(chair_of(seat), "riichi");
            }
        }
        let RoundResult::Wins(wins) = &**result else { return };
        for win in wins {
            counts.add(chair_of(win.who), "wins");
        }
        // Two winners on one tile are one deal-in.
        if let Some(from) = wins.first().and_then(|win| win.from) {
            counts.add(chair_of(from), "deal_ins");
        }
    }
}
