//! Tiles. A [`Tile`] is one of the 136 pieces in the box, a [`Kind`] one of the 34 faces they carry.
//!
//! The numbers are the ones used on the wire and in the vectors: kind = id / 4; kinds 0..=8 are man, 9..=17
//! pin, 18..=26 sou, 27..=30 the winds east, south, west, north, 31..=33 white, green, red. The red fives are
//! the ids 16, 52 and 88, so a red five is always the lowest id of its kind.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How many kinds of tile there are.
pub const KINDS: usize = 34;
/// How many tiles are in the box.
pub const TILES: usize = 136;

/// One of the 34 faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(type = "number"))]
#[serde(into = "u8", try_from = "u8")]
pub struct Kind(u8);

/// One of the 136 pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(type = "number"))]
#[serde(into = "u8", try_from = "u8")]
pub struct Tile(u8);

/// The three suits and the honors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// Characters, written `m`.
    Man,
    /// Circles, written `p`.
    Pin,
    /// Bamboo, written `s`.
    Sou,
    /// Winds and dragons, written `z`.
    Honor,
}

impl Suit {
    /// The letter of the suit in text.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Man => 'm',
            Self::Pin => 'p',
            Self::Sou => 's',
            Self::Honor => 'z',
        }
    }

    /// The suit a letter names.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'm' => Some(Self::Man),
            'p' => Some(Self::Pin),
            's' => Some(Self::Sou),
            'z' => Some(Self::Honor),
            _ => None,
        }
    }
}

impl Kind {
    /// The white dragon, 5z.
    pub const WHITE: Self = Self(31);
    /// The green dragon, 6z.
    pub const GREEN: Self = Self(32);
    /// The red dragon, 7z.
    pub const RED: Self = Self(33);

    /// The kind with this number, 0..=33.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < KINDS as u8 { Some(Self(number)) } else { None }
    }

    /// For numbers this crate made itself.
    pub(crate) const fn at(number: usize) -> Self {
        debug_assert!(number < KINDS);
        Self(number as u8)
    }

    /// The kind of a suit with the rank 1..=9 (1..=7 for honors).
    #[must_use]
    pub const fn of(suit: Suit, rank: u8) -> Option<Self> {
        let top = if matches!(suit, Suit::Honor) { 7 } else { 9 };
        if rank < 1 || rank > top { None } else { Some(Self(suit as u8 * 9 + rank - 1)) }
    }

    /// The number of the kind, 0..=33.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The number of the kind, as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        match self.0 / 9 {
            0 => Suit::Man,
            1 => Suit::Pin,
            2 => Suit::Sou,
            _ => Suit::Honor,
        }
    }

    /// The rank, 1..=9; honors 1..=7.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// Whether it is a wind or a dragon.
    #[must_use]
    pub const fn is_honor(self) -> bool {
        self.0 >= 27
    }

    /// Whether it is a one, a nine or an honor.
    #[must_use]
    pub const fn is_orphan(self) -> bool {
        self.is_honor() || self.rank() == 1 || self.rank() == 9
    }

    /// The dora that an indicator of this kind points to: the next rank, the next wind, the next dragon.
    #[must_use]
    pub const fn dora(self) -> Self {
        let (first, length) = match self.0 {
            0..=8 => (0, 9),
            9..=17 => (9, 9),
            18..=26 => (18, 9),
            27..=30 => (27, 4),
            _ => (31, 3),
        };
        Self(first + (self.0 - first + 1) % length)
    }

    /// The four tiles of this kind, lowest id first.
    pub fn tiles(self) -> impl DoubleEndedIterator<Item = Tile> + Clone {
        (self.0 * 4..self.0 * 4 + 4).map(Tile)
    }

    /// All kinds, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..KINDS as u8).map(Self)
    }
}

impl Tile {
    /// The tile with this id, 0..=135.
    #[must_use]
    pub const fn new(id: u8) -> Option<Self> {
        if id < TILES as u8 { Some(Self(id)) } else { None }
    }

    /// The id, 0..=135.
    #[must_use]
    pub const fn id(self) -> u8 {
        self.0
    }

    /// The face the tile carries.
    #[must_use]
    pub const fn kind(self) -> Kind {
        Kind(self.0 / 4)
    }

    /// Whether it is one of the three red fives.
    #[must_use]
    pub const fn is_red(self) -> bool {
        matches!(self.0, 16 | 52 | 88)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank(), self.suit().letter())
    }
}

impl fmt::Display for Tile {
    /// As text: `1m`, `0p` for a red five, `7z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_red() { write!(f, "0{}", self.kind().suit().letter()) } else { self.kind().fmt(f) }
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}#{}", self.0)
    }
}

/// A wind: of a seat or of the round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Wind {
    /// East; the seat wind of the dealer.
    #[default]
    East,
    /// South.
    South,
    /// West.
    West,
    /// North.
    North,
}

impl Wind {
    /// The wind with this number, 0 = east.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::East),
            1 => Some(Self::South),
            2 => Some(Self::West),
            3 => Some(Self::North),
            _ => None,
        }
    }

    /// The tile that shows this wind.
    #[must_use]
    pub const fn kind(self) -> Kind {
        Kind(27 + self as u8)
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
            Self::North => "north",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn red_fives_are_the_first_fives() {
        // cites 003-16
        let reds: Vec<String> =
            (0..136).filter_map(Tile::new).filter(|t| t.is_red()).map(|t| format!("{t:?}")).collect();
        assert_eq!(reds, ["0m#16", "0p#52", "0s#88"]);
        assert_eq!(Tile::new(136), None);
    }

    #[test]
    fn the_dora_follows_its_indicator_and_turns_round_at_the_end() {
        let dora = |suit, rank| Kind::of(suit, rank).unwrap().dora().to_string();
        assert_eq!(dora(Suit::Man, 1), "2m");
        assert_eq!(dora(Suit::Man, 9), "1m");
        assert_eq!(dora(Suit::Pin, 9), "1p");
        assert_eq!(dora(Suit::Sou, 9), "1s");
        assert_eq!(dora(Suit::Honor, 4), "1z", "after north comes east");
        assert_eq!(dora(Suit::Honor, 5), "6z");
        assert_eq!(dora(Suit::Honor, 7), "5z", "after red comes white");
    }
}
