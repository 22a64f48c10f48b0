//! Waits: the kinds that complete a hand.

use crate::hand::Hand;
use crate::meld::Block;
use crate::sets::KindSet;
use crate::shanten::shanten;
use crate::tile::Kind;

/// The kinds that complete a hand of `3n + 1` concealed tiles, whether or not it then has a yaku; without those of
/// which the hand itself holds all four. Empty if the hand is not tenpai.
#[must_use]
pub fn waits(hand: &Hand) -> KindSet {
    if hand.len() % 3 != 1 || shanten(hand) != 0 {
        return KindSet::EMPTY;
    }
    let mut with_one_more = *hand;
    let mut waits = KindSet::EMPTY;
    for kind in useful(hand).iter() {
        if with_one_more.add(kind).is_ok() {
            if shanten(&with_one_more) < 0 {
                waits.insert(kind);
            }
            with_one_more.remove(kind);
        }
    }
    waits
}

/// The kinds that can complete a hand at all: those in it and their neighbours, for the tile that a run lacks is next to
/// one of the other two. Thirteen orphans may want an orphan that is next to nothing.
fn useful(hand: &Hand) -> KindSet {
    let held = hand.kinds(1).bits();
    let suited = held & in_every_suit(0b1_1111_1111);
    // What would leave its suit is cut off.
    let above = suited << 1 & in_every_suit(0b1_1111_1110);
    let below = suited >> 1 & in_every_suit(0b0_1111_1111);
    let near = KindSet::from_bits(held | above | below);
    if hand.len() >= 13 { near.or(KindSet::ORPHANS) } else { near }
}

/// The same ranks of man, pin and sou.
const fn in_every_suit(ranks: u64) -> u64 {
    ranks | ranks << 9 | ranks << 18
}

/// Whether an exhaustive draw finds the hand tenpai: some kind completes it of which not all four lie in the hand and
/// its own melds. A yaku is not asked for.
#[must_use]
pub fn keishiki_tenpai(hand: &Hand, melds: &[Block]) -> bool {
    let own = |kind: Kind| hand.count(kind) + melds.iter().map(|meld| meld.count(kind)).sum::<u8>();
    waits(hand).iter().any(|kind| own(kind) < 4)
}

/// Whether a seat with these waits is furiten by its own discards; those that others claimed count as well.
#[must_use]
pub fn discard_furiten(waits: KindSet, discards: KindSet) -> bool {
    !waits.and(discards).is_empty()
}

/// What a seat has let go by, beyond its own discards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missed {
    until_own_discard: bool,
    for_good: bool,
}

impl Missed {
    /// A tile that completes the hand went by: declined, without a yaku, or to another caller. After riichi it is for
    /// good.
    pub const fn pass(&mut self, in_riichi: bool) {
        self.until_own_discard = true;
        self.for_good |= in_riichi;
    }

    /// The seat discards.
    pub const fn discard(&mut self) {
        self.until_own_discard = false;
    }

    /// Whether it is furiten by what went by.
    #[must_use]
    pub const fn is_furiten(self) -> bool {
        self.until_own_discard || self.for_good
    }
}
