//! The betting of one street: what a call costs, between what bounds a raise lies, and whom a short all-in lets raise
//! again.
//!
//! The house plays TDA and Robert's rules: a short blind counts as a full one, an all-in of less than a full raise does
//! not reopen the betting for those who acted (in fixed limit, of less than half a bet). PokerKit's reading is kept
//! beside it for comparison.

use crate::hand::Hand;
use crate::money::Chips;
use crate::seat::{Seat, SeatSet};
use crate::setup::Interpretation;
use crate::variant::Limit;

/// Bets and raises per street in fixed limit.
const CAP: u8 = 4;

/// The state of a street's betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Betting {
    /// The largest bet.
    pub(crate) top: Chips,
    /// What must be called at least, when a blind was posted short.
    pub(crate) floor: Chips,
    /// Size of the last full raise; the street's bet before any. PokerKit counts from 0.
    pub(crate) full: Chips,
    /// Fixed limit: the level the next raise is counted from.
    pub(crate) base: Chips,
    /// Who acted since the last full raise.
    pub(crate) acted: SeatSet,
    /// Bets and raises so far.
    pub(crate) raises: u8,
    /// Whether the bring-in is still to be posted.
    pub(crate) bring_in_due: bool,
    /// Whether the next raise only completes the bring-in.
    pub(crate) completing: bool,
    /// PokerKit: chips of short all-ins in a row.
    pub(crate) short_sum: Chips,
}

impl Hand {
    /// The bet size of this street.
    pub(crate) fn bet_size(&self) -> Chips {
        let big = self.street_rules().big && self.setup.variant.limit() == Limit::Fixed;
        if big { self.setup.big_bet } else { self.setup.small_bet }
    }

    fn level(&self) -> Chips {
        self.betting.top.max(self.betting.floor)
    }

    /// The most another live player could have in front of him.
    fn reach_of_others(&self, seat: Seat) -> Chips {
        let others = self.live.iter().filter(|&other| other != seat);
        others.map(|other| self.bets[other] + self.stacks[other]).max().unwrap_or(0)
    }

    /// Whether another live player could have more than `chips` in front of him.
    fn others_reach(&self, seat: Seat, chips: Chips) -> bool {
        self.live.iter().any(|other| other != seat && self.bets[other] + self.stacks[other] > chips)
    }

    /// What calling costs; 0 is a check.
    pub(crate) fn call_cost(&self, seat: Seat) -> Chips {
        let mut to = self.betting.top;
        if self.betting.floor > to {
            // Nobody puts in more than someone else can match.
            to = to.max(self.betting.floor.min(self.reach_of_others(seat)));
        }
        (to - self.bets[seat]).clamp(0, self.stacks[seat])
    }

    /// The lowest and highest total a raise may be to.
    pub(crate) fn raise_bounds(&self, seat: Seat) -> Option<(Chips, Chips)> {
        let level = self.level();
        let (bet, all) = (self.bets[seat], self.bets[seat] + self.stacks[seat]);
        if all <= level || !self.may_raise(seat) || !self.others_reach(seat, level) {
            return None;
        }
        let least = self.full_raise_to().min(all);
        let most = match self.setup.variant.limit() {
            Limit::Fixed => least,
            Limit::None => all,
            Limit::Pot => {
                let mut pot = self.collected() + self.bets.iter().sum::<Chips>();
                if !self.setup.pot_limit_counts_antes && self.street == 0 {
                    pot -= self.collected();
                }
                (2 * level - bet + pot).max(least).min(all)
            }
        };
        Some((least, most))
    }

    /// What a full raise is to.
    fn full_raise_to(&self) -> Chips {
        let betting = &self.betting;
        match (self.setup.interpretation, self.setup.variant.limit()) {
            (Interpretation::House, Limit::Fixed) => betting.base + self.bet_size(),
            (Interpretation::House, _) => self.level() + betting.full,
            (Interpretation::PokerKit, _) => {
                betting.full.max(self.bet_size()) + if betting.completing { 0 } else { betting.top }
            }
        }
    }

    fn may_raise(&self, seat: Seat) -> bool {
        let betting = &self.betting;
        let acted = betting.acted.contains(seat);
        let fixed = self.setup.variant.limit() == Limit::Fixed;
        let capped = betting.raises >= CAP && (self.setup.cap_heads_up || self.live.len() > 2);
        if fixed && capped {
            return false;
        }
        match self.setup.interpretation {
            Interpretation::House => !acted || !fixed && self.level() - self.bets[seat] >= betting.full,
            Interpretation::PokerKit => {
                let call = self.stacks[seat].min(betting.top - self.bets[seat]);
                let short = betting.short_sum > 0 && betting.short_sum < betting.full;
                (betting.bring_in_due || call >= betting.full) && !(short && acted)
            }
        }
    }

    /// Books a raise: whom it lets act again and what the next one is counted from.
    pub(crate) fn book_raise(&mut self, seat: Seat, to: Chips) {
        let fixed = self.setup.variant.limit() == Limit::Fixed;
        let (level, size, target) = (self.level(), self.bet_size(), self.full_raise_to());
        let all_in = to == self.bets[seat] + self.stacks[seat];
        let betting = &mut self.betting;
        match self.setup.interpretation {
            Interpretation::House if fixed => {
                if to >= target || (to - betting.base) * 2 >= size {
                    betting.base = to;
                    betting.raises += 1;
                    betting.acted = SeatSet::EMPTY;
                }
            }
            Interpretation::House => {
                if to - level >= betting.full {
                    betting.full = to - level;
                    betting.acted = SeatSet::EMPTY;
                }
            }
            Interpretation::PokerKit => {
                let increase = to - betting.top;
                if increase >= betting.full {
                    betting.acted = SeatSet::EMPTY;
                }
                betting.full = betting.full.max(increase);
                betting.raises += 1;
                betting.short_sum = if all_in { betting.short_sum + increase } else { 0 };
                if betting.short_sum >= betting.full {
                    betting.short_sum = 0;
                }
            }
        }
        betting.completing = false;
        betting.bring_in_due = false;
        betting.acted.insert(seat);
    }

    /// Sets the betting of a street up; the bets already lie (blinds on the first street).
    pub(crate) fn reset_betting(&mut self) {
        let stud_start = self.street == 0 && self.setup.bring_in > 0;
        let size = self.bet_size();
        let house = self.setup.interpretation == Interpretation::House;
        let betting = &mut self.betting;
        let level = betting.top.max(betting.floor);
        betting.full = if house { size } else { 0 };
        betting.base = if stud_start { 0 } else { level };
        betting.acted = SeatSet::EMPTY;
        betting.raises = 0;
        betting.bring_in_due = stud_start;
        betting.completing = stud_start;
        betting.short_sum = 0;
    }

    /// Whether the player has chips and someone who could call more of them.
    pub(crate) fn can_act(&self, seat: Seat) -> bool {
        self.stacks[seat] > 0 && self.others_reach(seat, self.bets[seat])
    }
}
