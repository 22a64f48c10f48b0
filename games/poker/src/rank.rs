//! Strength of hands as one number per way of comparing: higher wins, 0 is no hand. The tables are `aya_poker`'s.

use aya_poker::base::{CARDS, Hand};
use aya_poker::{ace_five_rank, badugi_rank, deuce_seven_rank, poker_rank, short_deck_rank};

use crate::card::Card;
use crate::variant::HandKind;

/// How strong a hand is; 0 when the cards make none.
pub type Strength = u16;

/// Cards to be ranked, grown one by one; at most seven, all different.
#[derive(Clone, Copy)]
pub struct Pile {
    hand: Hand,
}

impl Default for Pile {
    fn default() -> Self {
        Self::new()
    }
}

impl Pile {
    /// No card.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self { hand: Hand::new() }
    }

    /// Adds a card. With a card twice or an eighth one the strength means nothing.
    #[inline]
    pub fn add(&mut self, card: Card) {
        self.hand.insert_unchecked(&CARDS[card.index() as usize]);
    }

    /// Strength of the best hand of the pile when any of its cards may be used.
    #[inline]
    #[must_use]
    pub fn strength(&self, kind: HandKind) -> Strength {
        if self.hand.len() < 5 && kind != HandKind::Badugi {
            return 0;
        }
        match kind {
            HandKind::High | HandKind::OmahaHigh => poker_rank(&self.hand).0,
            HandKind::ShortHigh => short_deck_rank(&self.hand).0,
            HandKind::AceFive => ace_five_rank(&self.hand).0,
            HandKind::LowEight | HandKind::OmahaLowEight => ace_five_rank(&self.hand).to_lo_8_rank().0,
            HandKind::DeuceSeven => deuce_seven_rank(&self.hand).0,
            HandKind::Badugi if self.hand.is_empty() => 0,
            HandKind::Badugi => badugi_rank(&self.hand).0,
        }
    }
}

impl FromIterator<Card> for Pile {
    fn from_iter<T: IntoIterator<Item = Card>>(cards: T) -> Self {
        let mut pile = Self::new();
        cards.into_iter().take(7).for_each(|card| pile.add(card));
        pile
    }
}

/// Strength of the best hand of `hole` and `board` under `kind`.
#[must_use]
pub fn strength(kind: HandKind, hole: &[Card], board: &[Card]) -> Strength {
    match kind {
        HandKind::OmahaHigh | HandKind::OmahaLowEight => omaha(kind, hole, board),
        _ => hole.iter().chain(board).copied().collect::<Pile>().strength(kind),
    }
}

/// Exactly two from the hole and three from the board; a low hand uses nothing above an eight.
fn omaha(kind: HandKind, hole: &[Card], board: &[Card]) -> Strength {
    if kind != HandKind::OmahaLowEight {
        return two_and_three(kind, hole, board);
    }
    let low = |cards: &[Card]| -> arrayvec::ArrayVec<Card, 7> {
        cards.iter().copied().filter(|card| card.rank() <= 6 || card.rank() == 12).take(7).collect()
    };
    two_and_three(kind, &low(hole), &low(board))
}

fn two_and_three(kind: HandKind, hole: &[Card], board: &[Card]) -> Strength {
    let mut best = 0;
    for (a, &first) in board.iter().enumerate() {
        for (b, &second) in board.iter().enumerate().skip(a + 1) {
            for &third in &board[b + 1..] {
                let three: Pile = [first, second, third].into_iter().collect();
                for (i, &one) in hole.iter().enumerate() {
                    for &other in &hole[i + 1..] {
                        let mut five = three;
                        five.add(one);
                        five.add(other);
                        best = best.max(five.strength(kind));
                    }
                }
            }
        }
    }
    best
}

/// The best hand of the pile in words, as hand histories say it: "a pair of Kings" needs no more than its class.
#[must_use]
pub fn class_name(kind: HandKind, strength: Strength) -> &'static str {
    use aya_poker::PokerRankCategory as Class;
    let class = match kind {
        HandKind::High | HandKind::OmahaHigh => aya_poker::PokerHandRank(strength).rank_category(),
        HandKind::ShortHigh => aya_poker::ShortDeckHandRank(strength).rank_category(),
        HandKind::AceFive | HandKind::LowEight | HandKind::OmahaLowEight => {
            aya_poker::AceFiveHandRank(strength).rank_category()
        }
        HandKind::DeuceSeven => aya_poker::DeuceSevenHandRank(strength).rank_category(),
        HandKind::Badugi => return "a badugi hand",
    };
    match class {
        Class::Ineligible => "no hand",
        Class::HighCard => "high card",
        Class::Pair => "a pair",
        Class::TwoPair => "two pair",
        Class::ThreeOfAKind => "three of a kind",
        Class::Straight => "a straight",
        Class::Flush => "a flush",
        Class::FullHouse => "a full house",
        Class::FourOfAKind => "four of a kind",
        Class::StraightFlush => "a straight flush",
        Class::RoyalFlush => "a royal flush",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;

    fn of(kind: HandKind, hole: &str, board: &str) -> Strength {
        let cards = |text| Row::parse(text).unwrap().known().collect::<Vec<_>>();
        strength(kind, &cards(hole), &cards(board))
    }

    #[test]
    fn a_flush_beats_a_full_house_only_in_short_deck() {
        let (flush, full) = ("AsTs9s7s6s", "AsAdAhKcKd");
        assert!(of(HandKind::High, flush, "") < of(HandKind::High, full, ""));
        assert!(of(HandKind::ShortHigh, flush, "") > of(HandKind::ShortHigh, full, ""));
    }

    #[test]
    fn omaha_uses_exactly_two_hole_cards() {
        let four_hearts_on_board = of(HandKind::OmahaHigh, "Ah2c7d9s", "KhQhJh3h4c");
        assert_eq!(class_name(HandKind::OmahaHigh, four_hearts_on_board), "high card");
    }

    #[test]
    fn a_nine_makes_no_low_and_unseen_cards_make_no_hand() {
        assert_eq!(of(HandKind::LowEight, "As2d3h4c9c", ""), 0);
        assert!(of(HandKind::LowEight, "As2d3h4c8c", "") > 0);
        assert_eq!(of(HandKind::High, "AsKs", "QsJs"), 0);
    }
}
