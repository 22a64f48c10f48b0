//! What a viewer knows of the cards, and other worlds that look the same.

use parlor_core::{Facts, Rng, Seat, Seats, Viewer};

use super::Poker;
use crate::card::{Card, CardSet};
use crate::legal::Action;

/// What the facts of a showdown are numbered from; below are the places of the deck.
const SHOWDOWN_FACT: u32 = 1_000;

impl Poker {
    /// The cards that somebody of these has seen.
    fn known_cards(&self, viewers: Seats) -> CardSet {
        let table = self.table();
        let Some(hand) = table.hand() else { return CardSet::EMPTY };
        let owns = |place: usize| viewers.has(Seat::new(table.seats[place]));
        let mut known: CardSet = (0..2).flat_map(|run| hand.board(run).known()).collect();
        let mut add = |cards: &crate::Row| cards.known().for_each(|card| known.insert(card));
        for action in &table.log {
            match action {
                Action::DealHole(place, row) | Action::Draw(place, row) if owns(*place) => add(row),
                Action::Show(_, row) => add(row),
                _ => {}
            }
        }
        for place in 0..hand.players() {
            hand.face_up(place).for_each(|card| known.insert(card));
        }
        // What lay face up stays known when its hand is folded.
        self.opened.iter().filter_map(|opened| opened.card.parse().ok()).for_each(|card| known.insert(card));
        known
    }

    /// The same table with every card changed for another that none of these has seen.
    pub(super) fn twin(&self, viewers: Seats, rng: &mut Rng) -> Self {
        let mut twin = self.clone();
        let Some(hand) = self.table().hand() else { return twin };
        let known = self.known_cards(viewers);
        let deck = hand.setup().variant.deck();
        let hidden: Vec<Card> = deck.iter().filter(|card| !known.contains(*card)).collect();
        let mut images = hidden.clone();
        rng.shuffle(&mut images);
        let mut map: [Card; 52] = std::array::from_fn(|index| Card::at(index as u8));
        for (card, image) in hidden.iter().zip(images) {
            map[card.index() as usize] = image;
        }
        let to = |card: Card| map[card.index() as usize];
        twin.deck.map_cards(to);
        match &mut twin.room {
            super::Room::Ring(table) => table.map_cards(to),
            super::Room::SitAndGo(tournament) => tournament.table_mut().map_cards(to),
        }
        twin
    }

    /// Each card a viewer has seen, by its place in the deck; and what every showdown told, which is whether a hidden hand
    /// wins.
    pub(super) fn facts(&self, viewer: Viewer, facts: &mut Facts) {
        for card in self.known_cards(viewer.into()).iter() {
            if let Some(place) = self.deck.place_of(card) {
                facts.add(place as u32, card.index().into());
            }
        }
        for (at, action) in self.table().log.iter().enumerate() {
            let shown = match action {
                Action::Show(..) | Action::ShowAll(_) => 1,
                Action::Muck(_) => 0,
                _ => continue,
            };
            facts.add(SHOWDOWN_FACT + at as u32, shown);
        }
    }
}
