//! Melds: sets that a seat has laid out.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tile::{Kind, Tile};

/// The five ways to meld.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MeldKind {
    /// A run with the discard of the left neighbour.
    Chi,
    /// A triplet with a discard.
    Pon,
    /// Four of a kind with a discard.
    Daiminkan,
    /// Four of a kind out of the hand. The hand stays closed.
    Ankan,
    /// A fourth tile added to a pon.
    Kakan,
}

impl MeldKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Chi, Self::Pon, Self::Daiminkan, Self::Ankan, Self::Kakan];

    /// The name, as in the vectors.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chi => "chi",
            Self::Pon => "pon",
            Self::Daiminkan => "daiminkan",
            Self::Ankan => "ankan",
            Self::Kakan => "kakan",
        }
    }

    /// The meld with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it opens the hand.
    #[must_use]
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Ankan)
    }

    /// Whether it has four tiles.
    #[must_use]
    pub const fn is_kan(self) -> bool {
        matches!(self, Self::Daiminkan | Self::Ankan | Self::Kakan)
    }
}

/// A meld: its tiles fit its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(type = "[MeldKind, Array<Tile>]"))]
#[serde(into = "(MeldKind, Vec<Tile>)", try_from = "(MeldKind, Vec<Tile>)")]
pub struct Meld {
    kind: MeldKind,
    /// Lowest id first; the last repeats the third where there are three.
    tiles: [Tile; 4],
}

/// Why tiles make no meld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeldError {
    /// A wrong number of tiles.
    WrongCount {
        /// The meld that was meant.
        kind: MeldKind,
        /// How many tiles came.
        found: usize,
    },
    /// The same piece twice.
    SameTileTwice { tile: Tile },
    /// The tiles of a chi are not three in a row of one suit.
    NoRun,
    /// The tiles of a pon or kan are not of one kind.
    NotOneKind {
        /// The meld that was meant.
        kind: MeldKind,
    },
}

impl fmt::Display for MeldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount { kind, found } => {
                let wanted = if kind.is_kan() { 4 } else { 3 };
                write!(f, "{} takes {wanted} tiles, {found} came", kind.name())
            }
            Self::SameTileTwice { tile } => write!(f, "tile {} ({tile}) twice in one meld", tile.id()),
            Self::NoRun => write!(f, "chi takes three in a row of one suit"),
            Self::NotOneKind { kind } => write!(f, "{} takes tiles of one kind", kind.name()),
        }
    }
}

impl std::error::Error for MeldError {}

impl Meld {
    /// A meld of these tiles.
    ///
    /// # Errors
    /// If the tiles do not fit the kind of meld.
    #[inline]
    pub fn new(kind: MeldKind, tiles: &[Tile]) -> Result<Self, MeldError> {
        let wanted = if kind.is_kan() { 4 } else { 3 };
        if tiles.len() != wanted {
            return Err(MeldError::WrongCount { kind, found: tiles.len() });
        }
        let mut sorted = [tiles[0], tiles[1], tiles[2], tiles[wanted - 1]];
        sorted[..wanted].sort_unstable();
        sorted[3] = sorted[wanted - 1];
        if let Some(pair) = sorted[..wanted].windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(MeldError::SameTileTwice { tile: pair[0] });
        }
        let [low, middle, high] = [0, 1, wanted - 1].map(|i| sorted[i].kind());
        if kind == MeldKind::Chi {
            let in_a_row = low.number() + 1 == middle.number() && middle.number() + 1 == high.number();
            if !in_a_row || low.suit() != high.suit() || low.is_honor() {
                return Err(MeldError::NoRun);
            }
        } else if low != high {
            return Err(MeldError::NotOneKind { kind });
        }
        Ok(Self { kind, tiles: sorted })
    }

    /// How it was melded.
    #[must_use]
    pub const fn kind(&self) -> MeldKind {
        self.kind
    }

    /// The tiles, lowest id first.
    #[must_use]
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..if self.kind.is_kan() { 4 } else { 3 }]
    }

    /// The block of the hand that it is.
    #[must_use]
    pub const fn block(&self) -> Block {
        let shape = match self.kind {
            MeldKind::Chi => Shape::Run,
            MeldKind::Pon => Shape::Triplet,
            MeldKind::Daiminkan | MeldKind::Ankan | MeldKind::Kakan => Shape::Quad,
        };
        Block { shape, first: self.tiles[0].kind(), open: self.kind.is_open() }
    }
}

/// The shapes a set can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// Four of a kind.
    Quad,
    /// Three of a kind.
    Triplet,
    /// Three in a row.
    Run,
}

/// A set of a hand, melded or concealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    pub shape: Shape,
    /// Its lowest kind.
    pub first: Kind,
    /// Whether another seat's tile is in it by a call.
    pub open: bool,
}

impl Block {
    pub(crate) const fn concealed(shape: Shape, first: Kind) -> Self {
        Self { shape, first, open: false }
    }

    /// Whether a tile of this kind is in it.
    #[must_use]
    pub const fn contains(&self, kind: Kind) -> bool {
        let above = kind.number().wrapping_sub(self.first.number());
        match self.shape {
            Shape::Run => above < 3,
            Shape::Triplet | Shape::Quad => above == 0,
        }
    }

    /// How many tiles of this kind are in it.
    #[must_use]
    pub const fn count(&self, kind: Kind) -> u8 {
        match (self.contains(kind), self.shape) {
            (false, _) => 0,
            (true, Shape::Run) => 1,
            (true, Shape::Triplet) => 3,
            (true, Shape::Quad) => 4,
        }
    }
}

impl fmt::Display for Block {
    /// As text: `123m`, `777z`, `1111p`; without a word on whether it is open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rank, letter) = (self.first.rank(), self.first.suit().letter());
        match self.shape {
            Shape::Run => write!(f, "{}{}{}{letter}", rank, rank + 1, rank + 2),
            Shape::Triplet => write!(f, "{rank}{rank}{rank}{letter}"),
            Shape::Quad => write!(f, "{rank}{rank}{rank}{rank}{letter}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meld(kind: MeldKind, ids: &[u8]) -> Result<Meld, MeldError> {
        let tiles: Vec<Tile> = ids.iter().map(|id| Tile::new(*id).unwrap()).collect();
        Meld::new(kind, &tiles)
    }

    #[test]
    fn only_tiles_that_fit_make_a_meld() {
        assert_eq!(meld(MeldKind::Chi, &[8, 0, 4]).unwrap().block().to_string(), "123m");
        assert_eq!(meld(MeldKind::Kakan, &[135, 132, 134, 133]).unwrap().block().to_string(), "7777z");
        assert_eq!(meld(MeldKind::Chi, &[28, 32, 36]), Err(MeldError::NoRun), "891 crosses suits");
        assert_eq!(meld(MeldKind::Chi, &[108, 112, 116]), Err(MeldError::NoRun), "winds are no run");
        assert_eq!(meld(MeldKind::Pon, &[0, 1, 4]), Err(MeldError::NotOneKind { kind: MeldKind::Pon }));
        assert_eq!(
            meld(MeldKind::Pon, &[0, 1]),
            Err(MeldError::WrongCount { kind: MeldKind::Pon, found: 2 })
        );
        assert!(matches!(meld(MeldKind::Ankan, &[0, 1, 2, 2]), Err(MeldError::SameTileTwice { .. })));
        assert!(matches!(meld(MeldKind::Ankan, &[0, 1, 2, 4]), Err(MeldError::NotOneKind { .. })));
    }
}
