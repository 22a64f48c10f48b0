//! A short row of cards, some of them perhaps unseen, that is copied like a number.

use std::fmt;

use crate::card::{self, Card, CardError};

/// Most cards in a row: a full stud hand.
pub const ROW_MAX: usize = 7;

/// Up to seven cards in order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Row {
    cards: [Option<Card>; ROW_MAX],
    len: u8,
}

impl Row {
    /// No card.
    pub const EMPTY: Self = Self { cards: [None; ROW_MAX], len: 0 };

    /// Reads a row such as `AsKd??`.
    ///
    /// # Errors
    /// When the text is not made of cards or holds more than seven.
    pub fn parse(text: &str) -> Result<Self, CardError> {
        Self::from_bytes(text.as_bytes()).ok_or_else(|| CardError(text.chars().take(40).collect()))
    }

    /// The same without words about what is wrong.
    pub(crate) fn from_bytes(text: &[u8]) -> Option<Self> {
        if text.len() > ROW_MAX * 2 || !text.len().is_multiple_of(2) {
            return None;
        }
        let mut row = Self::EMPTY;
        for (at, pair) in text.chunks_exact(2).enumerate() {
            row.cards[at] = match pair {
                b"??" => None,
                &[rank, suit] => Some(Card::from_chars(rank, suit)?),
                _ => return None,
            };
        }
        row.len = (text.len() / 2) as u8;
        Some(row)
    }

    /// The cards.
    #[must_use]
    pub fn as_slice(&self) -> &[Option<Card>] {
        &self.cards[..self.len()]
    }

    /// How many cards, unseen ones included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no card.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a card at the end; an eighth card is dropped.
    #[inline]
    pub fn push(&mut self, card: Option<Card>) {
        if let Some(place) = self.cards.get_mut(self.len as usize) {
            *place = card;
            self.len += 1;
        }
    }

    /// Adds cards at the end; what is more than seven is dropped.
    #[inline]
    pub(crate) fn push_all(&mut self, cards: &[Card]) {
        for card in cards {
            self.push(Some(*card));
        }
    }

    /// Takes the card at `index` out and closes the gap.
    pub fn remove(&mut self, index: usize) -> Option<Card> {
        let card = self.cards[index];
        self.cards.copy_within(index + 1..self.len as usize, index);
        self.len -= 1;
        self.cards[self.len()] = None;
        card
    }

    /// The row with other cards in the places of the known ones.
    #[cfg(feature = "game")]
    pub(crate) fn map(&self, to: impl Fn(Card) -> Card) -> Self {
        self.as_slice().iter().map(|card| card.map(&to)).collect()
    }

    /// The cards after the first `n`.
    #[cfg(feature = "table")]
    pub(crate) fn after(&self, n: usize) -> Self {
        if n == 0 {
            return *self;
        }
        self.as_slice().get(n..).unwrap_or_default().iter().copied().collect()
    }

    /// The row as it is seen where only the cards of these bits lie open.
    #[cfg(feature = "table")]
    #[inline]
    pub(crate) fn masked(&self, open: u8) -> Self {
        let mut seen = Self { cards: [None; ROW_MAX], len: self.len };
        if open == 0 {
            return seen;
        }
        for (i, card) in self.as_slice().iter().enumerate().filter(|(i, _)| open >> i & 1 == 1) {
            seen.cards[i] = *card;
        }
        seen
    }

    /// The cards that are known.
    pub fn known(&self) -> impl Iterator<Item = Card> {
        self.as_slice().iter().copied().flatten()
    }

    /// The known cards of these bits.
    pub(crate) fn of_bits(&self, bits: u8) -> impl Iterator<Item = Card> {
        let chosen = move |(i, card): (usize, &Option<Card>)| card.filter(|_| bits >> i & 1 == 1);
        self.as_slice().iter().enumerate().filter_map(chosen)
    }

    /// How many cards are unseen.
    #[must_use]
    pub fn unseen(&self) -> usize {
        self.len() - self.known().count()
    }

    /// Whether a known card comes twice.
    #[must_use]
    pub fn repeats(&self) -> bool {
        let set: card::CardSet = self.known().collect();
        set.len() != self.known().count()
    }
}

/// As its cards, so that a short row stays short.
impl serde::Serialize for Row {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.as_slice().iter().map(|card| card.map_or(u8::MAX, Card::index)))
    }
}

impl<'de> serde::Deserialize<'de> for Row {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let cards = Vec::<u8>::deserialize(from)?;
        let card = |index: u8| match index {
            u8::MAX => Ok(None),
            index => Card::try_from(index).map(Some).map_err(serde::de::Error::custom),
        };
        cards.into_iter().map(card).collect()
    }
}

impl FromIterator<Option<Card>> for Row {
    fn from_iter<T: IntoIterator<Item = Option<Card>>>(cards: T) -> Self {
        let mut row = Self::EMPTY;
        cards.into_iter().for_each(|card| row.push(card));
        row
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&card::row_text(self.as_slice().iter().copied()))
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_written_as_it_was_read() {
        let mut row = Row::parse("AsKd??2c").unwrap();
        assert_eq!(row.to_string(), "AsKd??2c");
        assert_eq!(row.remove(1), "Kd".parse().ok());
        assert_eq!((row.to_string().as_str(), row.unseen()), ("As??2c", 1));
        assert!(Row::parse("2c2d2h2s3c3d3h3s").is_err());
        assert!(Row::parse("AsKdAs").unwrap().repeats());
    }
}
