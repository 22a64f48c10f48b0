//! Bit sets of kinds and of tiles.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tile::{Kind, Tile};

/// A set of kinds, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(as = "Vec<Kind>"))]
#[serde(into = "Vec<Kind>", from = "Vec<Kind>")]
pub struct KindSet(u64);

/// A set of tiles, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(as = "Vec<Tile>"))]
#[serde(into = "Vec<Tile>", from = "Vec<Tile>")]
pub struct TileSet([u64; 3]);

impl KindSet {
    /// No kind.
    pub const EMPTY: Self = Self(0);
    /// Every kind.
    pub const ALL: Self = Self((1 << 34) - 1);
    /// Ones and nines.
    pub const TERMINALS: Self = Self(0b1_0000_0001 | 0b1_0000_0001 << 9 | 0b1_0000_0001 << 18);
    /// Winds and dragons.
    pub const HONORS: Self = Self(0b111_1111 << 27);
    /// The four winds.
    pub const WINDS: Self = Self(0b1111 << 27);
    /// The three dragons.
    pub const DRAGONS: Self = Self(0b111 << 31);
    /// Terminals and honors.
    pub const ORPHANS: Self = Self(Self::TERMINALS.0 | Self::HONORS.0);
    /// 2, 3, 4, 6, 8 of sou and the green dragon.
    pub const GREENS: Self = Self(0b0_1010_1110 << 18 | 1 << 32);

    /// The set with these bits; bits above 33 are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The bits, kind 0 lowest.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of one kind.
    #[must_use]
    pub const fn one(kind: Kind) -> Self {
        Self(1 << kind.number())
    }

    /// Puts a kind in.
    pub const fn insert(&mut self, kind: Kind) {
        self.0 |= 1 << kind.number();
    }

    /// Whether the kind is in.
    #[must_use]
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 >> kind.number() & 1 == 1
    }

    /// Whether nothing is in.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many kinds are in.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether everything here is also in the other.
    #[must_use]
    pub const fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The kinds, in order.
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let kind = Kind::at(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            Some(kind)
        })
    }
}

impl FromIterator<Kind> for KindSet {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        let mut set = Self::EMPTY;
        kinds.into_iter().for_each(|kind| set.insert(kind));
        set
    }
}

impl fmt::Debug for KindSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl TileSet {
    /// No tile.
    pub const EMPTY: Self = Self([0; 3]);

    /// Puts a tile in; false if it was in already.
    pub const fn insert(&mut self, tile: Tile) -> bool {
        let (word, bit) = (tile.id() as usize / 64, 1 << (tile.id() % 64));
        let new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        new
    }

    /// Takes a tile out; false if it was not in.
    pub const fn remove(&mut self, tile: Tile) -> bool {
        let (word, bit) = (tile.id() as usize / 64, 1 << (tile.id() % 64));
        let held = self.0[word] & bit != 0;
        self.0[word] &= !bit;
        held
    }

    /// Whether the tile is in.
    #[must_use]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0[tile.id() as usize / 64] >> (tile.id() % 64) & 1 == 1
    }

    /// How many tiles are in.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// Whether nothing is in.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// The tiles, lowest id first.
    pub fn iter(self) -> impl Iterator<Item = Tile> {
        (0..3).flat_map(move |word| {
            let mut rest = self.0[word];
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let id = word as u32 * 64 + rest.trailing_zeros();
                rest &= rest - 1;
                Tile::new(id as u8)
            })
        })
    }

    /// The tiles of one kind, lowest id first, so a red five comes first.
    pub fn of_kind(self, kind: Kind) -> impl Iterator<Item = Tile> {
        kind.tiles().filter(move |tile| self.contains(*tile))
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        let mut set = Self::EMPTY;
        for tile in tiles {
            set.insert(tile);
        }
        set
    }
}

impl fmt::Debug for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_sets_hold_what_their_names_say() {
        let text = |set: KindSet| set.iter().map(|k| k.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(text(KindSet::TERMINALS), "1m 9m 1p 9p 1s 9s");
        assert_eq!(text(KindSet::GREENS), "2s 3s 4s 6s 8s 6z");
        assert_eq!(text(KindSet::DRAGONS), "5z 6z 7z");
        assert_eq!(KindSet::ORPHANS, Kind::all().filter(|k| k.is_orphan()).collect());
    }
}
