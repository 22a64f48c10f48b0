//! The concealed tiles of one seat, as counts per kind.

use std::fmt;

use crate::sets::KindSet;
use crate::tile::{KINDS, Kind, Tile};

/// The most concealed tiles a seat ever holds.
pub const HAND_TILES_MAX: u8 = 14;

/// Concealed tiles as counts: at most four of a kind, at most fourteen in all.
///
/// Beside the counts it keeps one running key per suit, so that [`shanten`](crate::shanten::shanten) is a handful of
/// table look-ups and adding or removing a tile is two additions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hand {
    counts: [u8; KINDS],
    len: u8,
    /// Per suit: the counts of ranks 1 to 5 as base-five digits in the low half, those of ranks 6 to 9 in the high half.
    keys: [u32; 4],
}

/// Why tiles make no hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandError {
    /// More than four of one kind.
    FiveOfAKind {
        /// The kind.
        kind: Kind,
    },
    /// More than fourteen tiles.
    TooManyTiles,
}

impl fmt::Display for HandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FiveOfAKind { kind } => write!(f, "five of a kind: more than four {kind}"),
            Self::TooManyTiles => write!(f, "more than {HAND_TILES_MAX} concealed tiles"),
        }
    }
}

impl std::error::Error for HandError {}

/// What one tile of a kind adds to the key of its suit.
const STEP: [u32; KINDS] = {
    let mut step = [0; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let rank = kind as u32 % 9;
        step[kind] = if rank < 5 { 5_u32.pow(rank) } else { 5_u32.pow(rank - 5) << 16 };
        kind += 1;
    }
    step
};

impl Hand {
    /// No tiles.
    pub const EMPTY: Self = Self { counts: [0; KINDS], len: 0, keys: [0; 4] };

    /// The hand with these counts.
    ///
    /// # Errors
    /// If a count is above four or the sum above fourteen.
    pub fn from_counts(counts: &[u8; KINDS]) -> Result<Self, HandError> {
        // One pass without branches finds both faults; which kind it was is asked only then.
        let over = counts.iter().fold(0, |over, &count| over | u8::from(count > 4));
        let len = counts.iter().fold(0_u8, |sum, &count| sum.wrapping_add(count));
        if over != 0 {
            let kind = Kind::all().find(|kind| counts[kind.index()] > 4);
            return Err(kind.map_or(HandError::TooManyTiles, |kind| HandError::FiveOfAKind { kind }));
        }
        if len > HAND_TILES_MAX {
            return Err(HandError::TooManyTiles);
        }
        let keys = [key(&counts[0..9]), key(&counts[9..18]), key(&counts[18..27]), key(&counts[27..34])];
        Ok(Self { counts: *counts, len, keys })
    }

    /// The hand with these kinds.
    ///
    /// # Errors
    /// If there are more than four of a kind or more than fourteen in all.
    pub fn from_kinds(kinds: impl IntoIterator<Item = Kind>) -> Result<Self, HandError> {
        let mut hand = Self::EMPTY;
        for kind in kinds {
            hand.add(kind)?;
        }
        Ok(hand)
    }

    /// The hand with the kinds of these tiles.
    ///
    /// # Errors
    /// If there are more than four of a kind or more than fourteen in all.
    pub fn from_tiles(tiles: &[Tile]) -> Result<Self, HandError> {
        Self::from_kinds(tiles.iter().map(|tile| tile.kind()))
    }

    /// Adds a tile.
    ///
    /// # Errors
    /// If it would be a fifth of its kind or a fifteenth in all; the hand is then unchanged.
    #[inline]
    pub fn add(&mut self, kind: Kind) -> Result<(), HandError> {
        if self.counts[kind.index()] >= 4 {
            return Err(HandError::FiveOfAKind { kind });
        }
        if self.len >= HAND_TILES_MAX {
            return Err(HandError::TooManyTiles);
        }
        self.counts[kind.index()] += 1;
        self.len += 1;
        self.keys[kind.index() / 9] += STEP[kind.index()];
        Ok(())
    }

    /// Removes a tile; false, and the hand unchanged, if there is none of this kind.
    #[inline]
    pub fn remove(&mut self, kind: Kind) -> bool {
        if self.counts[kind.index()] == 0 {
            return false;
        }
        self.counts[kind.index()] -= 1;
        self.len -= 1;
        self.keys[kind.index() / 9] -= STEP[kind.index()];
        true
    }

    /// How many of a kind are held.
    #[must_use]
    pub const fn count(&self, kind: Kind) -> u8 {
        self.counts[kind.index()]
    }

    /// The counts, by kind.
    #[must_use]
    pub const fn counts(&self) -> &[u8; KINDS] {
        &self.counts
    }

    /// How many tiles are held.
    #[must_use]
    pub const fn len(&self) -> u8 {
        self.len
    }

    /// Whether no tile is held.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The kinds held at least `least` times.
    #[must_use]
    pub fn kinds(&self, least: u8) -> KindSet {
        let bits = (0..KINDS).fold(0, |bits, kind| bits | u64::from(self.counts[kind] >= least) << kind);
        KindSet::from_bits(bits)
    }

    pub(crate) const fn keys(&self) -> &[u32; 4] {
        &self.keys
    }
}

/// The key of one suit, from its counts.
#[inline]
fn key(counts: &[u8]) -> u32 {
    let (low, high) = counts.split_at(5);
    let digits = |counts: &[u8]| counts.iter().rev().fold(0, |value, &count| value * 5 + u32::from(count));
    digits(low) | digits(high) << 16
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = Kind::all().flat_map(|kind| std::iter::repeat_n(kind, usize::from(self.count(kind))));
        f.debug_list().entries(kinds).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_steps_lead_to_the_same_hand() {
        let mut hand = Hand::EMPTY;
        let kinds = [0, 0, 8, 9, 13, 14, 26, 26, 27, 33, 33, 33];
        for kind in kinds {
            hand.add(Kind::at(kind)).unwrap();
        }
        assert_eq!(hand, Hand::from_counts(hand.counts()).unwrap());
        for kind in kinds {
            assert!(hand.remove(Kind::at(kind)));
        }
        assert_eq!(hand, Hand::EMPTY);
        assert!(!hand.remove(Kind::at(0)));
    }

    #[test]
    fn a_fifth_of_a_kind_and_a_fifteenth_tile_are_refused() {
        let five = HandError::FiveOfAKind { kind: Kind::at(3) };
        assert_eq!(Hand::from_kinds([Kind::at(3); 5]), Err(five));
        let mut counts = [0; KINDS];
        counts[3] = 5;
        assert_eq!(Hand::from_counts(&counts), Err(five));
        assert_eq!(Hand::from_kinds(Kind::all().take(15)), Err(HandError::TooManyTiles));
        assert_eq!(Hand::from_counts(&[4; KINDS]), Err(HandError::TooManyTiles));
        counts[3] = 255;
        assert_eq!(Hand::from_counts(&counts), Err(five), "a sum that wraps is no way round the limit");
    }
}
