//! Dealing by luck that is lent from outside: a deck in a known order, or any generator.

use crate::card::{Card, CardSet};
use crate::hand::{Hand, Phase};
use crate::legal::{Action, Move};
use crate::seat::SEATS_MAX;

/// Where cards come from. The rules own no generator.
pub trait Rng {
    /// A card of `from`, which is never empty.
    fn draw(&mut self, from: CardSet) -> Card;
}

/// A deck in a fixed order: the next card that is still to be had is dealt.
#[derive(Clone, Debug)]
pub struct Stacked {
    order: Vec<Card>,
}

impl Stacked {
    /// A deck whose first card is dealt first.
    #[must_use]
    pub fn new(order: impl IntoIterator<Item = Card>) -> Self {
        let mut order: Vec<Card> = order.into_iter().collect();
        order.reverse();
        Self { order }
    }
}

impl Rng for Stacked {
    fn draw(&mut self, from: CardSet) -> Card {
        while let Some(card) = self.order.pop() {
            if from.contains(card) {
                return card;
            }
        }
        // Past its end the deck goes on in the order of cards, so that a hand never stalls.
        from.iter().next().unwrap_or(Card::at(0))
    }
}

impl Hand {
    /// Cards that may be dealt now.
    #[must_use]
    pub const fn dealable(&self) -> CardSet {
        if self.fresh > 0 { self.deck } else { self.deck.union(self.reserve) }
    }

    /// Takes a card, which may be unseen, from the deck; an empty deck is made up of folded and discarded cards first.
    #[inline]
    pub(crate) fn take(&mut self, card: Option<Card>) {
        if self.fresh == 0 {
            self.deck = self.deck.union(self.reserve);
            self.fresh = self.reserve.len() as u8;
            self.reserve = CardSet::EMPTY;
        }
        self.fresh = self.fresh.saturating_sub(1);
        if let Some(card) = card {
            self.deck.remove(card);
            self.reserve.remove(card);
        }
    }

    /// Deals everything that is owed, players first in order, then the board; does nothing in other phases.
    pub fn deal(&mut self, rng: &mut impl Rng) {
        if self.phase != Phase::Deal {
            return;
        }
        if self.owed != [0; SEATS_MAX] {
            let up = self.street_rules().up;
            for seat in self.live.iter() {
                for left in (1..=std::mem::take(&mut self.owed[seat])).rev() {
                    let card = rng.draw(self.dealable());
                    self.take(Some(card));
                    self.holdings[seat].add(Some(card), left <= up);
                }
            }
        }
        for _ in 0..std::mem::take(&mut self.board_owed) {
            let card = rng.draw(self.dealable());
            self.take(Some(card));
            self.boards[self.run as usize].push(Some(card));
        }
        self.after_deal();
    }

    /// The next single deal as a move: all cards owed to the next player, or the board's. For logs.
    pub fn next_deal(&self, rng: &mut impl Rng) -> Option<Move> {
        if self.phase != Phase::Deal {
            return None;
        }
        let mut copy = self.clone();
        let seat = self.live.iter().find(|&seat| self.owed[seat] > 0);
        let owed = seat.map_or(self.board_owed, |seat| self.owed[seat]);
        let mut row = crate::row::Row::EMPTY;
        for _ in 0..owed {
            let card = rng.draw(copy.dealable());
            match seat {
                Some(seat) => copy.deal_to(seat, Some(card)),
                None => copy.deal_to_board(Some(card)),
            }
            row.push(Some(card));
        }
        Some(Move(seat.map_or(Action::DealBoard(row), |seat| Action::DealHole(seat, row))))
    }
}
