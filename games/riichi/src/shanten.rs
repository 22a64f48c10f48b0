//! How far a hand is from complete.
//!
//! Shanten is the number of tiles a hand still needs, less one: −1 is complete, 0 is tenpai. A hand of `3n + 1` or
//! `3n + 2` concealed tiles wants `n` sets and a pair; what is melded is done and not looked at. A fifth tile of a
//! kind does not exist, so it is never waited for; whether the tiles a hand needs lie in melds or discards is not asked.

use crate::hand::{Hand, HandError, ONES, len_and_keys, word_and_byte, words};
use crate::sets::KindSet;
use crate::shanten_tables::tables;
use crate::tile::KINDS;

/// The shanten of a hand, by shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shanten {
    /// For sets and a pair.
    pub regular: i8,
    /// For seven pairs; only a hand without melds can be.
    pub seven_pairs: Option<i8>,
    /// For thirteen orphans; only a hand without melds can be.
    pub thirteen_orphans: Option<i8>,
}

impl Shanten {
    /// The nearest of the three.
    #[must_use]
    pub fn best(self) -> i8 {
        let pairs = self.seven_pairs.unwrap_or(i8::MAX);
        self.regular.min(pairs).min(self.thirteen_orphans.unwrap_or(i8::MAX))
    }
}

/// The shanten of a hand, by shape.
#[must_use]
pub fn shanten_by_shape(hand: &Hand) -> Shanten {
    let whole = hand.len() >= 13;
    let kinds = Kinds::of(hand.counts());
    Shanten {
        regular: regular(hand),
        seven_pairs: whole.then(|| kinds.seven_pairs()),
        thirteen_orphans: whole.then(|| kinds.thirteen_orphans()),
    }
}

/// The shanten of a hand: of its nearest shape.
///
/// ```
/// use parlor_riichi::{hand::Hand, sets::TileSet, shanten::shanten, text::read_tiles};
/// let tiles = read_tiles("123m456p789s1122z", &mut TileSet::default(), true)?;
/// assert_eq!(shanten(&Hand::from_tiles(&tiles)?), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[inline]
pub fn shanten(hand: &Hand) -> i8 {
    nearest(hand.counts(), hand.len(), hand.keys())
}

/// The shanten of a hand that is given by its counts; faster than making a [`Hand`] for one question.
///
/// # Errors
/// If a count is above four or the sum above fourteen.
#[inline]
pub fn shanten_of_counts(counts: &[u8; KINDS]) -> Result<i8, HandError> {
    let (len, keys) = len_and_keys(counts)?;
    Ok(nearest(counts, len, &keys))
}

#[inline(always)]
fn nearest(counts: &[u8; KINDS], len: u8, keys: &[u32; 4]) -> i8 {
    let regular = tables().needed(keys, usize::from(len / 3)) as i8 - 1;
    // The other two shapes need all the tiles.
    if len < 13 {
        return regular;
    }
    let kinds = Kinds::of(counts);
    regular.min(kinds.seven_pairs()).min(kinds.thirteen_orphans())
}

/// The shanten for sets and a pair.
#[must_use]
#[inline]
pub fn regular(hand: &Hand) -> i8 {
    tables().needed(hand.keys(), usize::from(hand.len() / 3)) as i8 - 1
}

/// How many kinds are held at all and twice, and how many orphans.
struct Kinds {
    held: i8,
    paired: i8,
    orphans: i8,
    paired_orphan: bool,
}

/// The orphans among the counts, a one in the byte of each, in the order of [`words`].
const ORPHANS: [u64; 5] = {
    let mut words = [0; 5];
    let mut kind = 0;
    while kind < KINDS {
        if KindSet::ORPHANS.bits() >> kind & 1 == 1 {
            let (word, byte) = word_and_byte(kind);
            words[word] |= 1 << (8 * byte);
        }
        kind += 1;
    }
    words
};

impl Kinds {
    #[inline]
    fn of(counts: &[u8; KINDS]) -> Self {
        let (mut held, mut paired, mut orphans, mut paired_orphans) = (0, 0, 0, 0);
        for (word, orphan) in words(counts).into_iter().zip(ORPHANS) {
            // A count is at most 4, so adding 127 (126) sets the top bit of its byte just if it is at least one (two).
            let one = (word + 0x7f * ONES) >> 7 & ONES;
            let two = (word + 0x7e * ONES) >> 7 & ONES;
            held += one;
            paired += two;
            orphans += one & orphan;
            paired_orphans |= two & orphan;
        }
        let sum = |bytes: u64| (bytes.wrapping_mul(ONES) >> 56) as i8;
        Self {
            held: sum(held),
            paired: sum(paired),
            orphans: sum(orphans),
            paired_orphan: paired_orphans != 0,
        }
    }

    #[inline]
    fn seven_pairs(&self) -> i8 {
        6 - self.paired.min(7) + (7 - self.held).max(0)
    }

    #[inline]
    fn thirteen_orphans(&self) -> i8 {
        13 - self.orphans - i8::from(self.paired_orphan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::TileSet;
    use crate::text::read_tiles;

    fn of(text: &str) -> Shanten {
        let tiles = read_tiles(text, &mut TileSet::default(), false).unwrap();
        shanten_by_shape(&Hand::from_tiles(&tiles).unwrap())
    }

    #[test]
    fn known_hands_have_their_known_shanten() {
        for (text, best) in [
            ("123m456p789s11222z", -1),
            ("123m456p789s1122z", 0),
            ("19m19p19s1234567z", 0),
            ("19m19p19s12345677z", -1),
            ("1122m3344p5566s7z", 0),
            ("147m258p369s12345z", 6),
            ("11m", -1),
            ("1m", 0),
            ("1111m", 1),
        ] {
            assert_eq!(of(text).best(), best, "{text}");
        }
        assert_eq!(of("147m258p369s12345z").regular, 8);
        assert_eq!(of("11112222333344m").seven_pairs, Some(5), "four of a kind is one pair, not two");
        assert_eq!(of("1122m").seven_pairs, None);
    }
}
