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
    /// Per suit: the counts as base-five digits, those of ranks 1, 2, 3, 4 and 9 in the low half, those of ranks 5 to 8 in
    /// the high half. This order lets eight counts at a time be turned into a key.
    keys: [u32; 4],
}

/// Why tiles make no hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HandError {
    /// More than four of one kind.
    FiveOfAKind { kind: Kind },
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
        step[kind] = match kind as u32 % 9 {
            8 => 625,
            rank => 5_u32.pow(rank % 4) << (16 * (rank / 4)),
        };
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
        let (len, keys) = len_and_keys(counts)?;
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
        if tiles.len() > usize::from(HAND_TILES_MAX) {
            return Err(HandError::TooManyTiles);
        }
        let mut counts = [0; KINDS];
        for tile in tiles {
            counts[tile.kind().index()] += 1;
        }
        Self::from_counts(&counts)
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

    /// The counts of each suit, three bits for a rank, lowest rank lowest.
    pub(crate) fn packed(&self) -> [u32; 4] {
        let [man, pin, sou, honors, nines] = words(&self.counts);
        [pack(man, nines as u8), pack(pin, (nines >> 8) as u8), pack(sou, honors as u8), pack(honors >> 8, 0)]
    }
}

/// A one in each byte.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;

/// Eight counts as one word.
#[inline]
fn eight(counts: &[u8; KINDS], from: usize) -> u64 {
    u64::from_le_bytes(counts[from..from + 8].try_into().expect("eight of them"))
}

/// All counts: the first eight ranks of each suit as a word, the third nine and the honors as the fourth, and the other
/// two nines as the last.
#[inline]
pub(crate) fn words(counts: &[u8; KINDS]) -> [u64; 5] {
    let word = |from: usize| eight(counts, from);
    [word(0), word(9), word(18), word(26), u64::from(counts[8]) | u64::from(counts[17]) << 8]
}

/// In which word of [`words`] the count of a kind is, and in which byte of it.
pub(crate) const fn word_and_byte(kind: usize) -> (usize, usize) {
    match kind {
        8 => (4, 0),
        17 => (4, 1),
        26.. => (3, kind - 26),
        _ => (kind / 9, kind % 9),
    }
}

/// The number of tiles and the keys of the hand with these counts.
#[inline]
pub(crate) fn len_and_keys(counts: &[u8; KINDS]) -> Result<(u8, [u32; 4]), HandError> {
    let words = words(counts);
    // A count above seven shows in the upper five bits of its byte; one above four in the top bit after adding 123,
    // where no other is above seven, so that nothing carries.
    let any = words[0] | words[1] | words[2] | words[3] | words[4];
    let above = words.iter().fold(0, |above, word| above | word.wrapping_add(0x7b * ONES));
    let len = (words.iter().fold(0, |sum: u64, word| sum.wrapping_add(*word)).wrapping_mul(ONES) >> 56) as u8;
    if any & (0xf8 * ONES) | above & (0x80 * ONES) != 0 || len > HAND_TILES_MAX {
        let kind = Kind::all().find(|kind| counts[kind.index()] > 4);
        return Err(kind.map_or(HandError::TooManyTiles, |kind| HandError::FiveOfAKind { kind }));
    }
    let [man, pin, sou, honors, nines] = words;
    let keys =
        [key(man, nines as u8), key(pin, (nines >> 8) as u8), key(sou, honors as u8), key(honors >> 8, 0)];
    Ok((len, keys))
}

/// The key of a suit, from the counts of its first eight ranks and that of the ninth: neighbouring digits are joined to
/// pairs, and one multiplication joins the pairs to fours, in the second and the last quarter of the word.
#[inline]
const fn key(eight: u64, ninth: u8) -> u32 {
    let pairs = (eight & 0x00ff_00ff_00ff_00ff) + 5 * (eight >> 8 & 0x00ff_00ff_00ff_00ff);
    let fours = pairs.wrapping_mul(25 + (1 << 16));
    (fours >> 16 & 0xffff) as u32 + ((fours >> 32) as u32 & 0xffff_0000) + 625 * ninth as u32
}

/// The counts of eight ranks and of the ninth, three bits each: the gaps are closed pair by pair, then four by four.
#[inline]
const fn pack(eight: u64, ninth: u8) -> u32 {
    let pairs = (eight | eight >> 5) & 0x003f_003f_003f_003f;
    let fours = (pairs | pairs >> 10) & 0x0000_0fff_0000_0fff;
    ((fours | fours >> 20) & 0x00ff_ffff) as u32 | (ninth as u32) << 24
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
        assert_eq!(
            hand.packed().map(|suit| format!("{suit:o}")),
            ["100000002", "110001", "200000000", "3000001"]
        );
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
