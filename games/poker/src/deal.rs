//! Dealing by luck that is lent from outside: a deck in a known order, or any generator.

use crate::card::{Card, CardSet};
use crate::hand::{Hand, Phase};
use crate::legal::{Action, Move};
use crate::seat::SEATS_MAX;

/// Cards of a whole deck.
const DECK: usize = 52;

/// Where cards come from. The rules own no generator.
pub trait Rng {
    /// A card of `from`, which is never empty.
    fn draw(&mut self, from: CardSet) -> Card;

    /// As many cards of `from`, one after the other; it has at least so many. Returns those that are left of it.
    fn draw_all(&mut self, from: CardSet, cards: &mut [Card]) -> CardSet {
        draw_each(self, from, cards)
    }
}

/// Draws cards one by one.
pub(crate) fn draw_each(rng: &mut (impl Rng + ?Sized), mut from: CardSet, cards: &mut [Card]) -> CardSet {
    for card in cards {
        *card = rng.draw(from);
        from.remove(*card);
    }
    from
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
        let mut owed = self.board_owed;
        if self.owed != [0; SEATS_MAX] {
            self.live.iter().for_each(|seat| owed += self.owed[seat]);
        }
        if owed <= self.fresh {
            self.deal_fresh(usize::from(owed), rng);
        } else {
            self.deal_reshuffled(rng);
        }
        self.after_deal();
    }

    /// Deals what is owed from a deck that has enough cards: they come all at once.
    fn deal_fresh(&mut self, count: usize, rng: &mut impl Rng) {
        let mut drawn = [Card::at(0); DECK];
        let mut cards = &mut drawn[..count];
        self.deck = rng.draw_all(self.deck, cards);
        self.fresh -= count as u8;
        if cards.len() > usize::from(self.board_owed) {
            let up = self.street_rules().up;
            for seat in self.live.iter() {
                let owed = std::mem::take(&mut self.owed[seat]);
                let (own, others) = cards.split_at_mut(owed.into());
                self.holdings[seat].add_all(own, up);
                cards = others;
            }
        }
        self.board_owed = 0;
        self.boards[self.run as usize].push_all(cards);
    }

    /// Deals what is owed one by one: on the way the deck is made up of folded and discarded cards.
    #[cold]
    fn deal_reshuffled(&mut self, rng: &mut impl Rng) {
        let up = self.street_rules().up;
        for seat in self.live.iter() {
            for left in (1..=std::mem::take(&mut self.owed[seat])).rev() {
                let card = rng.draw(self.dealable());
                self.take(Some(card));
                self.holdings[seat].add(Some(card), left <= up);
            }
        }
        for _ in 0..std::mem::take(&mut self.board_owed) {
            let card = rng.draw(self.dealable());
            self.take(Some(card));
            self.boards[self.run as usize].push(Some(card));
        }
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
