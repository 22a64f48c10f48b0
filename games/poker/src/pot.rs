//! Pots: collecting bets, returning what nobody called, and splitting the rest by who can win it.

use arrayvec::ArrayVec;

use crate::hand::{Hand, Phase};
use crate::money::Chips;
use crate::seat::{SEATS_MAX, SeatSet};

/// Chips that the same players compete for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pot {
    /// How much, bets of the current street not included.
    pub chips: Chips,
    /// Who can win it.
    pub eligible: SeatSet,
}

/// The pots of a hand, main pot first.
pub type Pots = ArrayVec<Pot, { SEATS_MAX + 1 }>;

impl Hand {
    /// Moves the bets of the street to the pots and returns what no other bet matches.
    pub(crate) fn collect(&mut self) {
        let players = self.setup.players;
        let (mut first, mut second, mut holder) = (0, 0, 0);
        for seat in 0..players {
            let bet = self.bets[seat];
            if bet > first {
                (first, second, holder) = (bet, first, seat);
            } else if bet > second {
                second = bet;
            }
        }
        if first > second {
            self.bets[holder] = second;
            self.stacks[holder] += first - second;
            self.uncalled = (holder as u8, first - second);
        }
        for seat in 0..players {
            self.paid[seat] += self.bets[seat];
            self.bets[seat] = 0;
        }
        self.betting.top = 0;
        self.betting.floor = 0;
    }

    /// Chips in the pots, bets of this street not included.
    pub(crate) fn collected(&self) -> Chips {
        self.dead + self.paid[..self.setup.players].iter().sum::<Chips>()
    }

    /// The pots as they lie; none once the hand is over.
    #[must_use]
    pub fn pots(&self) -> Pots {
        if self.phase == Phase::Over { Pots::new() } else { self.side_pots() }
    }

    /// All chips in the middle, bets included.
    #[must_use]
    pub fn pot_total(&self) -> Chips {
        if self.phase == Phase::Over { 0 } else { self.collected() + self.bets.iter().sum::<Chips>() }
    }

    /// Splits what was collected by how far each player could pay.
    pub(crate) fn side_pots(&self) -> Pots {
        let players = self.setup.players;
        let mut levels: ArrayVec<Chips, SEATS_MAX> = self.paid[..players].iter().copied().collect();
        levels.sort_unstable();
        let mut pots = Pots::new();
        let (mut chips, mut below) = (self.dead, 0);
        for (at, &level) in levels.iter().enumerate() {
            if at > 0 && level == below {
                continue;
            }
            chips += (level - below) * (players - at) as Chips;
            below = level;
            if chips == 0 {
                continue;
            }
            let eligible: SeatSet =
                self.live.iter().filter(|&seat| self.paid[seat] + self.bets[seat] >= level).collect();
            match pots.last_mut() {
                // Chips that nobody left can win stay with the pot below them.
                Some(pot) if pot.eligible == eligible || eligible.is_empty() => pot.chips += chips,
                _ => pots.push(Pot { chips, eligible }),
            }
            chips = 0;
        }
        pots
    }
}
