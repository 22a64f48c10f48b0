//! The cards of one hand in the order in which they are dealt, with a commitment to each.
//!
//! The order is fixed before the first card is dealt. Where a draw game uses the deck up, what was thrown away is shuffled
//! and committed to anew: a card that comes back is proved by its new place, so that the old one tells nobody who threw it
//! away.

use arrayvec::ArrayVec;
use parlor_core::commitments::{Commitments, Opened};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::card::{Card, CardSet};

/// A whole deck.
const ALL: [Card; 52] = {
    let mut all = [Card::at(0); 52];
    let mut index = 0;
    while index < all.len() {
        all[index] = Card::at(index as u8);
        index += 1;
    }
    all
};

/// The deck of one hand.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Deck {
    #[serde(with = "crate::compact::cards")]
    order: Vec<Card>,
    /// How far the order is final. All of it is before the first card is dealt; only in a simulation, where nobody could
    /// check it, the rest is shuffled as it is dealt.
    shuffled: usize,
    dealt: usize,
    shuffles: Shuffles,
}

/// Where each shuffle begins in the order, and its commitments. A state is written with both these and what is published of
/// them.
#[derive(Clone, Debug, Default)]
struct Shuffles(Vec<(usize, Commitments)>);

impl Serialize for Shuffles {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (&self.0, PublishedDeck(&self.0)).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Shuffles {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let (shuffles, _) = <(Vec<(usize, Commitments)>, Vec<String>)>::deserialize(from)?;
        Ok(Self(shuffles))
    }
}

/// The commitments of all shuffles as everybody sees them, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct PublishedDeck<'a>(&'a [(usize, Commitments)]);

impl Serialize for PublishedDeck<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let each = || self.0.iter().flat_map(|(_, commitments)| commitments.each_published());
        let mut list = to.serialize_seq(Some(each().count()))?;
        each().try_for_each(|published| list.serialize_element(&published))?;
        list.end()
    }
}

/// A card that everybody has seen, with what proves that it lay where it was dealt from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
pub struct OpenedCard {
    pub card: String,
    /// The place of its commitment in the list.
    pub item: u32,
    /// As 32 hexadecimal digits.
    pub salt: String,
}

impl Deck {
    /// A new hand: the first card that is drawn shuffles the deck.
    pub(crate) fn clear(&mut self) {
        self.order.clear();
        self.shuffles.0.clear();
        (self.shuffled, self.dealt) = (0, 0);
    }

    /// Whether anybody can check what is dealt: not in a simulation.
    pub(crate) fn is_committed(&self) -> bool {
        !self.shuffles.0.is_empty()
    }

    /// The commitments of all shuffles, one after the other.
    pub(crate) fn published(&self) -> PublishedDeck<'_> {
        PublishedDeck(&self.shuffles.0)
    }

    /// The place of a card: the last one, where it was shuffled again.
    pub(crate) fn place_of(&self, card: Card) -> Option<usize> {
        self.order.iter().rposition(|&other| other == card)
    }

    /// What proves a card that is shown; `None` in a simulation.
    pub(crate) fn open(&self, card: Card, rng: &parlor_core::Rng) -> Option<OpenedCard> {
        let place = self.place_of(card)?;
        let (start, commitments) = self.shuffles.0.iter().rfind(|(start, _)| *start <= place)?;
        let Opened { salt, .. } = commitments.open((place - start) as u32, rng)?;
        Some(OpenedCard { card: card.to_string(), item: place as u32, salt })
    }

    /// Puts other cards in the places of these.
    pub(crate) fn map_cards(&mut self, to: impl Fn(Card) -> Card) {
        self.order.iter_mut().for_each(|card| *card = to(*card));
    }

    /// Adds these cards and commits to the order in which they are dealt.
    #[inline(never)]
    fn shuffle(&mut self, cards: CardSet, rng: &mut parlor_core::Rng) {
        let start = self.order.len();
        if cards == CardSet::FULL {
            self.order.extend_from_slice(&ALL);
        } else {
            self.order.extend(cards.iter());
        }
        let list = self.shuffles.0.len() as u32;
        // In a simulation there is nobody to commit to.
        if Commitments::are_made(rng) {
            self.shuffle_to(self.order.len(), rng);
            let text = |card: &Card| card.chars().map(|c| c as u8);
            let texts: ArrayVec<[u8; 2], 52> = self.order[start..].iter().map(text).collect();
            self.shuffles.0.push((start, Commitments::to(&texts, list, rng)));
        }
    }

    /// Makes the order final up to this place.
    #[inline(always)]
    fn shuffle_to(&mut self, end: usize, rng: &mut parlor_core::Rng) {
        if self.shuffled < end {
            rng.shuffle_front(&mut self.order[self.shuffled..], end - self.shuffled);
            self.shuffled = end;
        }
    }
}

/// Deals from a deck, with luck for its shuffles.
pub(crate) struct Dealer<'a> {
    pub(crate) deck: &'a mut Deck,
    pub(crate) rng: &'a mut parlor_core::Rng,
}

impl crate::deal::Rng for Dealer<'_> {
    fn draw(&mut self, from: CardSet) -> Card {
        let Dealer { deck, rng } = self;
        loop {
            let at = deck.dealt;
            if at == deck.order.len() {
                deck.shuffle(from, rng);
            }
            deck.dealt = at + 1;
            deck.shuffle_to(at + 1, rng);
            let card = deck.order[at];
            if from.contains(card) {
                return card;
            }
        }
    }

    // The only place that calls it in earnest is `Hand::deal`.
    #[inline(always)]
    fn draw_all(&mut self, from: CardSet, cards: &mut [Card]) -> CardSet {
        let Dealer { deck, rng } = self;
        if deck.dealt == deck.order.len() && !cards.is_empty() {
            deck.shuffle(from, rng);
        }
        let end = deck.dealt + cards.len();
        if end <= deck.order.len() {
            deck.shuffle_to(end, rng);
            let mut drawn = CardSet::EMPTY;
            for (card, next) in cards.iter_mut().zip(&deck.order[deck.dealt..end]) {
                *card = *next;
                drawn.insert(*next);
            }
            if drawn.without(from).is_empty() {
                deck.dealt = end;
                return from.without(drawn);
            }
        }
        // Some were dealt before the deck was shuffled again, or it is used up.
        crate::deal::draw_each(self, from, cards)
    }
}

/// The luck of a bot, which deals nobody anything.
pub(crate) struct BotRng<'a>(pub(crate) &'a mut parlor_core::Rng);

impl crate::deal::Rng for BotRng<'_> {
    fn draw(&mut self, from: CardSet) -> Card {
        let skip = self.0.below(from.len().max(1) as u32) as usize;
        from.nth(skip).unwrap_or(Card::at(0))
    }
}
