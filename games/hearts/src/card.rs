//! The fifty-two cards.

use parlor_core::Choice;
use parlor_script::Item;
use serde::{Serialize, Serializer};
use ts_rs::TS;

/// A suit, in the order in which hands are sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Suit {
    /// ♣
    Clubs,
    /// ♦
    Diamonds,
    /// ♠
    Spades,
    /// ♥
    Hearts,
}

impl Suit {
    /// Its thirteen cards, as a set.
    #[must_use]
    pub const fn cards(self) -> u64 {
        0x1fff << (13 * self as u64)
    }
}

/// A card: thirteen ranks in each suit, from the two (0) to the ace (12).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, TS)]
#[ts(type = "string")]
pub struct Card(u8);

const RANKS: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS: [(Suit, &str); 4] =
    [(Suit::Clubs, "♣"), (Suit::Diamonds, "♦"), (Suit::Spades, "♠"), (Suit::Hearts, "♥")];

impl Card {
    /// Leads the first trick.
    pub const TWO_OF_CLUBS: Self = Self(0);
    /// Thirteen points.
    pub const QUEEN_OF_SPADES: Self = Self(36);

    /// Every card that counts points, as a set.
    pub const POINTS: u64 = Suit::Hearts.cards() | Self::QUEEN_OF_SPADES.bit();

    /// The cards of a set, lowest first.
    pub fn all(mut set: u64) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let face = set.trailing_zeros();
            set &= set.wrapping_sub(1);
            (face < 52).then_some(Self(face as u8))
        })
    }

    /// The card with this face, from 0 to 51.
    #[must_use]
    #[inline]
    pub const fn of(face: u16) -> Self {
        Self(face as u8)
    }

    /// Its number, from 0 to 51.
    #[must_use]
    #[inline]
    pub const fn face(self) -> u16 {
        self.0 as u16
    }

    /// Its bit in a set of cards.
    #[must_use]
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Its suit.
    #[must_use]
    #[inline]
    pub const fn suit(self) -> Suit {
        SUITS[(self.0 / 13) as usize].0
    }

    /// From the two (0) to the ace (12).
    #[must_use]
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 13
    }

    /// The points that the seat that takes it gets.
    #[must_use]
    #[inline]
    pub const fn points(self) -> u8 {
        if self.0 >= 39 {
            1
        } else if self.0 == Self::QUEEN_OF_SPADES.0 {
            13
        } else {
            0
        }
    }
}

impl std::fmt::Display for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", RANKS[usize::from(self.rank())], SUITS[usize::from(self.0 / 13)].1)
    }
}

impl std::fmt::Debug for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Clients read cards by name; saved states hold faces, never cards.
impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Item for Card {
    fn choice(&self) -> Choice {
        Choice::new(self.to_string())
    }

    fn key(&self) -> u32 {
        self.0.into()
    }
}
