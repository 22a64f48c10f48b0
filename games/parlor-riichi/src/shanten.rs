//! How far a hand is from complete.
//!
//! Shanten is the number of tiles a hand still needs, less one: −1 is complete, 0 is tenpai. A hand of `3n + 1` or
//! `3n + 2` concealed tiles wants `n` sets and a pair; what is melded is done and not looked at. A fifth tile of a
//! kind does not exist, so it is never waited for; whether the tiles a hand needs lie in melds or discards is not asked.

use crate::hand::Hand;
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
    let kinds = Kinds::of(hand);
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
    let regular = regular(hand);
    // The other two shapes need all the tiles, and cannot be nearer than tenpai is near.
    if hand.len() < 13 || regular < 0 {
        return regular;
    }
    let kinds = Kinds::of(hand);
    regular.min(kinds.seven_pairs()).min(kinds.thirteen_orphans())
}

/// The shanten for sets and a pair.
#[must_use]
#[inline]
pub fn regular(hand: &Hand) -> i8 {
    tables().needed(hand.keys(), usize::from(hand.len() / 3)) as i8 - 1
}

/// The kinds held once or more, and twice or more.
struct Kinds {
    held: u64,
    paired: u64,
}

impl Kinds {
    #[inline]
    fn of(hand: &Hand) -> Self {
        let counts = hand.counts();
        let (mut held, mut paired) = (0_u64, 0_u64);
        // Eight counts at a time: a count of 0..=4 plus 127 (126) shows in the top bit of its byte whether it is at
        // least one (two), and one multiplication gathers the eight top bits.
        for word in 0..KINDS / 8 {
            let bytes: [u8; 8] = counts[word * 8..word * 8 + 8].try_into().expect("eight counts");
            let bytes = u64::from_le_bytes(bytes);
            held |= top_bits(bytes + 0x7f7f_7f7f_7f7f_7f7f) << (word * 8);
            paired |= top_bits(bytes + 0x7e7e_7e7e_7e7e_7e7e) << (word * 8);
        }
        held |= u64::from(counts[32] > 0) << 32 | u64::from(counts[33] > 0) << 33;
        paired |= u64::from(counts[32] > 1) << 32 | u64::from(counts[33] > 1) << 33;
        Self { held, paired }
    }

    #[inline]
    fn seven_pairs(&self) -> i8 {
        let pairs = self.paired.count_ones() as i8;
        let kinds = self.held.count_ones() as i8;
        6 - pairs.min(7) + (7 - kinds).max(0)
    }

    #[inline]
    fn thirteen_orphans(&self) -> i8 {
        let orphans = KindSet::ORPHANS.bits();
        13 - (self.held & orphans).count_ones() as i8 - i8::from(self.paired & orphans != 0)
    }
}

#[inline]
const fn top_bits(bytes: u64) -> u64 {
    ((bytes >> 7) & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
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
