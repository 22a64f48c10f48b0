//! The end of a hand: who wins which pot, odd chips and rake.

use arrayvec::ArrayVec;

use crate::card::Card;
use crate::hand::{Hand, Phase};
use crate::money::Chips;
use crate::pot::Pot;
use crate::rank::{Pile, Strength, strength};
use crate::seat::{SEATS_MAX, Seat, SeatSet};
use crate::setup::Interpretation;
use crate::variant::HandKind;

/// One payment out of a pot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Award {
    /// Which pot, main pot first.
    pub pot: usize,
    /// Which board decided it.
    pub run: usize,
    /// Whether it is the low half of a hi-lo pot.
    pub low: bool,
    pub seat: Seat,
    pub chips: Chips,
}

type Strengths = [Strength; SEATS_MAX];

impl Hand {
    /// Pays the pots out.
    pub(crate) fn settle(&mut self) {
        let mut won = [0; SEATS_MAX];
        self.raked = self.pay_out(|award| won[award.seat] += award.chips);
        self.stacks.iter_mut().zip(won).for_each(|(stack, chips)| *stack += chips);
        self.won = won;
        self.phase = Phase::Over;
    }

    /// Every payment of a hand that is over, pot by pot.
    #[must_use]
    pub fn awards(&self) -> Vec<Award> {
        let mut awards = Vec::new();
        if self.phase == Phase::Over {
            self.pay_out(|award| awards.push(award));
        }
        awards
    }

    /// The pots of a hand that is over as they lay before they were paid out, with the rake taken from each.
    #[must_use]
    pub fn final_pots(&self) -> Vec<(Pot, Chips)> {
        let pots = self.side_pots();
        let total = pots.iter().map(|pot| pot.chips).sum();
        let rake = self.rake_of(total);
        let mut left = rake;
        let mut shares: Vec<_> =
            pots.iter().map(|pot| (*pot, share_of_rake(rake, pot.chips, total))).collect();
        shares.iter().for_each(|(_, share)| left -= share);
        for (pot, share) in &mut shares {
            let more = left.min(pot.chips - *share);
            *share += more;
            left -= more;
        }
        shares
    }

    fn rake_of(&self, total: Chips) -> Chips {
        self.setup.rake.of(total, self.street > 0)
    }

    /// Computes all payments; returns the rake.
    fn pay_out(&self, mut pay: impl FnMut(Award)) -> Chips {
        if self.live.is_at_most_one() {
            let total = self.collected();
            let rake = self.rake_of(total);
            let seat = self.live.lowest().unwrap_or(0);
            pay(Award { pot: 0, run: 0, low: false, seat, chips: total - rake });
            return rake;
        }
        let (high_kind, low_kind) = self.setup.variant.kinds();
        let runs = self.run as usize + 1;
        let mut high = [[0; SEATS_MAX]; 2];
        let mut low = [[0; SEATS_MAX]; 2];
        for run in 0..runs {
            high[run] = self.strengths(high_kind, run, None);
            if let Some(kind) = low_kind {
                low[run] = self.strengths(kind, run, None);
            }
        }
        let mut raked = 0;
        let mut divide = |index: usize, chips: Chips, eligible: SeatSet| {
            for run in 0..runs {
                let rest = if runs == 2 { chips / 2 } else { 0 };
                let part = if run == 0 { chips - rest } else { rest };
                let has_low = low_kind.is_some() && best_of(&low[run], eligible) > 0;
                let low_half = if has_low { part / 2 } else { 0 };
                self.split(part - low_half, eligible, &high[run], false, |seat, chips| {
                    pay(Award { pot: index, run, low: false, seat, chips });
                });
                self.split(low_half, eligible, &low[run], true, |seat, chips| {
                    pay(Award { pot: index, run, low: true, seat, chips });
                });
            }
        };
        if self.rake_of(self.collected()) == 0 {
            for (index, pot) in self.side_pots().iter().enumerate() {
                divide(index, pot.chips, pot.eligible);
            }
        } else {
            for (index, (pot, rake)) in self.final_pots().into_iter().enumerate() {
                raked += rake;
                divide(index, pot.chips - rake, pot.eligible);
            }
        }
        raked
    }

    /// Strength of each live hand as far as it was shown, and of all cards of `own`; 0 for none.
    fn strengths(&self, kind: HandKind, run: usize, own: Option<Seat>) -> Strengths {
        let mut all = [0; SEATS_MAX];
        let up = |seat: Seat| if own == Some(seat) { u8::MAX } else { self.holdings[seat].up };
        if matches!(kind, HandKind::OmahaHigh | HandKind::OmahaLowEight) {
            let board: ArrayVec<Card, 7> = self.boards[run].known().collect();
            for seat in self.live.iter() {
                let hole: ArrayVec<Card, 7> = self.holdings[seat].row.of_bits(up(seat)).collect();
                all[seat] = strength(kind, &hole, &board);
            }
            return all;
        }
        let common: Pile = self.boards[run].known().collect();
        for seat in self.live.iter() {
            let mut pile = common;
            self.holdings[seat].row.of_bits(up(seat)).for_each(|card| pile.add(card));
            all[seat] = pile.strength(kind);
        }
        all
    }

    /// Divides chips among the strongest; when no hand is known, among all who could win.
    fn split(
        &self,
        chips: Chips,
        among: SeatSet,
        of: &Strengths,
        low: bool,
        mut pay: impl FnMut(Seat, Chips),
    ) {
        if chips == 0 {
            return;
        }
        let (mut best, mut winners) = (0, SeatSet::EMPTY);
        for seat in among.iter() {
            if of[seat] > best {
                (best, winners) = (of[seat], SeatSet::only(seat));
            } else if of[seat] == best {
                winners.insert(seat);
            }
        }
        if let (Some(seat), true) = (winners.lowest(), winners.is_at_most_one()) {
            return pay(seat, chips);
        }
        let count = winners.len() as Chips;
        let (each, odd) = (chips / count, chips % count);
        if odd == 0 {
            return winners.iter().for_each(|seat| pay(seat, each));
        }
        let winners: ArrayVec<Seat, SEATS_MAX> = winners.iter().collect();
        let order = if self.setup.interpretation == Interpretation::House {
            self.odd_chip_order(winners, low)
        } else {
            winners
        };
        for (place, seat) in order.into_iter().enumerate() {
            let more = match self.setup.interpretation {
                Interpretation::House => Chips::from((place as Chips) < odd),
                Interpretation::PokerKit => {
                    if place == 0 {
                        odd
                    } else {
                        0
                    }
                }
            };
            if each + more > 0 {
                pay(seat, each + more);
            }
        }
    }

    /// Odd chips go one by one to the first players left of the button; in stud by card, the highest for a high hand
    /// and the lowest for a low one, all seven cards counted.
    fn odd_chip_order(&self, mut winners: ArrayVec<Seat, SEATS_MAX>, low: bool) -> ArrayVec<Seat, SEATS_MAX> {
        if self.setup.variant.is_stud() {
            let low = low || self.setup.variant.kinds().0 == HandKind::AceFive;
            let ace_low = |card: Card| ((card.rank() + 1) % 13, card.suit());
            if low {
                winners.sort_by_key(|&seat| self.face_up(seat).map(ace_low).min());
            } else {
                winners.sort_by_key(|&seat| std::cmp::Reverse(self.face_up(seat).max()));
            }
        }
        winners
    }

    /// Whether the player's hand, shown or not, could take part of a pot against what the others have shown.
    #[must_use]
    pub fn can_win(&self, seat: Seat) -> bool {
        let pots = self.side_pots();
        let (high, low) = self.setup.variant.kinds();
        (0..=self.run as usize).any(|run| {
            [Some(high), low].into_iter().flatten().any(|kind| {
                let strengths = self.strengths(kind, run, Some(seat));
                let wins = |pot: &Pot| {
                    pot.eligible.contains(seat) && strengths[seat] >= best_of(&strengths, pot.eligible)
                };
                strengths[seat] > 0 && pots.iter().any(wins)
            })
        })
    }
}

fn best_of(strengths: &Strengths, among: SeatSet) -> Strength {
    among.iter().map(|seat| strengths[seat]).max().unwrap_or(0)
}

fn share_of_rake(rake: Chips, chips: Chips, total: Chips) -> Chips {
    (i128::from(rake) * i128::from(chips) / i128::from(total.max(1))) as Chips
}
