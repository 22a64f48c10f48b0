//! Who opens a street.

use crate::card::Card;
use crate::hand::Hand;
use crate::seat::Seat;
use crate::setup::Interpretation;
use crate::variant::Opening;

/// Rank with aces low.
const fn ace_low(card: Card) -> u8 {
    (card.rank() + 1) % 13
}

/// A number that orders boards by pairs first, then ranks; straights and flushes do not count on a board.
fn board_key(ranks: impl Iterator<Item = u8>) -> u32 {
    let mut counts = [0u32; 13];
    ranks.for_each(|rank| counts[rank as usize] += 1);
    let mut groups: arrayvec::ArrayVec<u32, 7> =
        (0..13u32).filter(|&r| counts[r as usize] > 0).map(|r| counts[r as usize] << 4 | r).take(7).collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let group = |i: usize| groups.get(i).copied().unwrap_or(0);
    let counts = (0..4).fold(0, |key, i| key << 3 | group(i) >> 4);
    (0..4).fold(counts, |key, i| key << 4 | group(i) & 15)
}

impl Hand {
    /// The first to act on this street, whether or not he still can.
    pub(crate) fn find_opener(&self) -> Seat {
        let seats = || self.live.iter();
        let found = match self.street_rules().opening {
            Opening::Position => return self.after_the_blinds(),
            Opening::LowCard => {
                seats().filter_map(|s| Some((self.face_up(s).min()?, s))).min().map(|(_, s)| s)
            }
            Opening::HighCard => {
                let key = |card: Card| (ace_low(card), card.suit());
                seats().filter_map(|s| Some((self.face_up(s).map(key).max()?, s))).max().map(|(_, s)| s)
            }
            // Of equal boards the one nearest to the dealer's left opens.
            Opening::HighBoard => {
                let key = |s: Seat| board_key(self.face_up(s).map(Card::rank));
                seats().min_by_key(|&s| (std::cmp::Reverse(key(s)), s))
            }
            Opening::LowBoard => {
                let key = |s: Seat| board_key(self.face_up(s).map(ace_low));
                seats().min_by_key(|&s| (key(s), s))
            }
        };
        found.unwrap_or(0)
    }

    /// On the first street the player after the largest blind or straddle (posts do not count), later the first place.
    fn after_the_blinds(&self) -> Seat {
        if self.street > 0 {
            return 0;
        }
        let players = self.setup.players;
        let size = |seat: Seat| match self.setup.interpretation {
            Interpretation::House => self.setup.blinds[seat].max(0),
            Interpretation::PokerKit => self.bets[seat] * self.setup.blinds[seat].signum(),
        };
        let last = (0..players).max_by_key(|&seat| (size(seat), seat)).unwrap_or(0);
        if last + 1 < players { last + 1 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_showing_beats_high_cards_and_loses_to_two_pair() {
        let key = |ranks: &[u8]| board_key(ranks.iter().copied());
        assert!(key(&[0, 0]) > key(&[12, 11]));
        assert!(key(&[3, 3, 2, 2]) > key(&[12, 12, 11, 10]));
        assert!(key(&[12, 5]) > key(&[12, 4]));
    }
}
