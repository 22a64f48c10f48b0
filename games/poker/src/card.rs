//! Cards and sets of cards. A [`Card`] is always a real card; a card nobody has seen is `None`.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

/// No rank or suit.
const NO_CARD: u8 = u8::MAX;

/// The rank and the suit that each character stands for.
const RANK_OF: [u8; 256] = places(RANKS);
const SUIT_OF: [u8; 256] = places(SUITS);

const fn places<const N: usize>(of: &[u8; N]) -> [u8; 256] {
    let mut all = [NO_CARD; 256];
    let mut place = 0;
    while place < N {
        all[of[place] as usize] = place as u8;
        place += 1;
    }
    all
}

/// One of the 52 cards. Ordered by rank (deuce low, ace high), then by suit (clubs, diamonds, hearts, spades), the
/// order in which suits break ties for the bring-in and for odd chips in stud.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Card(NonZeroU8);

impl From<Card> for u8 {
    fn from(card: Card) -> Self {
        card.index()
    }
}

impl TryFrom<u8> for Card {
    type Error = CardError;

    fn try_from(index: u8) -> Result<Self, CardError> {
        if index < 52 { Ok(Self::at(index)) } else { Err(CardError(index.to_string())) }
    }
}

impl Card {
    /// The card at `index`, counted from 0 as rank × 4 + suit.
    ///
    /// # Panics
    /// Panics when `index` is 52 or more.
    #[must_use]
    #[inline]
    pub const fn at(index: u8) -> Self {
        assert!(index < 52, "a deck has 52 cards");
        match NonZeroU8::new(index + 1) {
            Some(n) => Self(n),
            None => unreachable!(),
        }
    }

    /// Rank × 4 + suit, from 0 (deuce of clubs) to 51 (ace of spades).
    #[must_use]
    #[inline]
    pub const fn index(self) -> u8 {
        self.0.get() - 1
    }

    /// The rank, from 0 (deuce) to 12 (ace).
    #[must_use]
    #[inline]
    pub const fn rank(self) -> u8 {
        self.index() / 4
    }

    /// The suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades.
    #[must_use]
    #[inline]
    pub const fn suit(self) -> u8 {
        self.index() % 4
    }

    /// Reads the two characters of a card, such as `As`.
    #[must_use]
    pub fn from_chars(rank: u8, suit: u8) -> Option<Self> {
        let (rank, suit) = (RANK_OF[rank as usize], SUIT_OF[suit as usize]);
        if rank == NO_CARD || suit == NO_CARD { None } else { Some(Self::at(rank * 4 + suit)) }
    }

    /// The two characters of the card.
    #[must_use]
    pub fn chars(self) -> [char; 2] {
        [RANKS[self.rank() as usize] as char, SUITS[self.suit() as usize] as char]
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rank, suit] = self.chars();
        write!(f, "{rank}{suit}")
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is not a row of cards.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected cards such as \"AsTd\" or \"??\", got {0:?}")]
pub struct CardError(pub String);

impl FromStr for Card {
    type Err = CardError;

    fn from_str(text: &str) -> Result<Self, CardError> {
        match text.as_bytes() {
            &[rank, suit] => Self::from_chars(rank, suit).ok_or_else(|| CardError(text.into())),
            _ => Err(CardError(text.into())),
        }
    }
}

/// Reads a row of cards without separators; `??` is a card that was not seen.
///
/// # Errors
/// When the text is not made of two-character cards.
pub fn parse_row(text: &str) -> Result<Vec<Option<Card>>, CardError> {
    let bad = || CardError(text.into());
    let bytes = text.as_bytes();
    if !bytes.len().is_multiple_of(2) {
        return Err(bad());
    }
    let one = |pair: &[u8]| match pair {
        b"??" => Ok(None),
        &[rank, suit] => Card::from_chars(rank, suit).map(Some).ok_or_else(bad),
        _ => Err(bad()),
    };
    bytes.chunks_exact(2).map(one).collect()
}

/// Writes a row of cards; a card that was not seen is `??`.
#[must_use]
pub fn row_text(cards: impl IntoIterator<Item = Option<Card>>) -> String {
    let mut text = String::new();
    for card in cards {
        match card {
            Some(card) => text.extend(card.chars()),
            None => text.push_str("??"),
        }
    }
    text
}

/// A set of known cards.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, serde::Serialize, serde::Deserialize)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: Self = Self(0);
    /// All 52 cards.
    pub const FULL: Self = Self((1 << 52) - 1);
    /// The 36 cards from six to ace.
    pub const SHORT: Self = Self(((1 << 52) - 1) & !((1 << 16) - 1));

    /// Whether the card is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Adds a card.
    #[inline]
    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.index();
    }

    /// Takes a card out.
    #[inline]
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.index());
    }

    /// How many cards the set holds.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set holds no card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cards of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The card that has `n` cards of this set below it. Bots draw thousands of cards for one decision: it walks over
    /// bytes and not over cards.
    #[must_use]
    pub const fn nth(self, n: usize) -> Option<Card> {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const EVEN: u64 = 0x55 * ONES;
        const TWOS: u64 = 0x33 * ONES;
        const LOW: u64 = 0x0f * ONES;
        const HIGH: u64 = 0x80 * ONES;
        let pairs = self.0 - ((self.0 >> 1) & EVEN);
        let fours = (pairs & TWOS) + ((pairs >> 2) & TWOS);
        // In each byte the number of cards up to its end.
        let counts = ((fours + (fours >> 4)) & LOW).wrapping_mul(ONES);
        if n >= (counts >> 56) as usize {
            return None;
        }
        // The high bit of each byte tells whether the card lies behind it; there are as many bytes before its own.
        let behind = ((HIGH | (n as u64 * ONES)) - counts) & HIGH;
        let byte = ((behind >> 7).wrapping_mul(ONES) >> 56) as u32 * 8;
        let before = ((counts << 8) >> byte) as u8 as usize;
        let (mut bits, mut left) = (self.0 >> byte, n - before);
        while left > 0 {
            bits &= bits - 1;
            left -= 1;
        }
        Some(Card::at((byte + bits.trailing_zeros()) as u8))
    }

    /// The cards, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let index = bits.trailing_zeros();
            (bits != 0).then(|| {
                bits &= bits - 1;
                Card::at(index as u8)
            })
        })
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<T: IntoIterator<Item = Card>>(cards: T) -> Self {
        let mut set = Self::EMPTY;
        cards.into_iter().for_each(|card| set.insert(card));
        set
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&row_text(self.iter().map(Some)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_written_and_read_back() {
        for index in 0..52 {
            let card = Card::at(index);
            assert_eq!(card.to_string().parse(), Ok(card));
        }
    }

    #[test]
    fn an_unseen_card_is_two_question_marks_and_half_a_card_is_refused() {
        assert_eq!(parse_row("As??"), Ok(vec![Some(Card::at(51)), None]));
        assert!(parse_row("As?").is_err());
        assert!(parse_row("1s").is_err());
        assert!(parse_row("é2").is_err());
    }

    #[test]
    fn the_nth_card_of_a_set_has_n_below_it() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        let mut sets = vec![CardSet::EMPTY, CardSet::FULL, CardSet::SHORT, CardSet(1), CardSet(1 << 51)];
        for _ in 0..1_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            sets.push(CardSet((bits ^ (bits >> 32)) & CardSet::FULL.0));
            sets.push(CardSet(bits & (bits >> 9) & (bits >> 17) & CardSet::FULL.0));
        }
        for set in sets {
            let cards: Vec<Card> = set.iter().collect();
            let found: Vec<Card> = (0..=set.len()).filter_map(|n| set.nth(n)).collect();
            assert_eq!(found, cards, "{set:?}");
        }
    }

    #[test]
    fn the_short_deck_runs_from_six_to_ace() {
        assert_eq!(CardSet::SHORT.len(), 36);
        assert!(CardSet::SHORT.contains("6c".parse().unwrap()));
        assert!(!CardSet::SHORT.contains("5s".parse().unwrap()));
    }
}
