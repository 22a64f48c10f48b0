//! Splitting a complete hand into sets and a pair: every way there is, without allocation.

use crate::hand::Hand;
use crate::meld::{Block, Shape};
use crate::tile::Kind;

/// One suit's sets. Three equal neighbouring triplets are also three equal runs; nothing else is ambiguous once the
/// pair is chosen, so a suit splits in at most three ways.
#[derive(Clone, Copy)]
pub(crate) struct SuitSplit {
    blocks: [Block; 4],
    len: u8,
}

/// All ways to split one suit.
#[derive(Clone, Copy)]
pub(crate) struct SuitSplits {
    splits: [SuitSplit; 3],
    len: u8,
}

const NO_BLOCK: Block = Block::concealed(Shape::Run, Kind::at(0));

impl SuitSplits {
    const NONE: Self = Self { splits: [SuitSplit { blocks: [NO_BLOCK; 4], len: 0 }; 3], len: 0 };

    /// The splits of a suit (0..=3) with these counts, three bits per rank; none if tiles are left over.
    fn of(suit: usize, counts: u32) -> Self {
        let mut splits = Self::NONE;
        let empty = SuitSplit { blocks: [NO_BLOCK; 4], len: 0 };
        splits.search(suit, counts, empty);
        splits
    }

    fn search(&mut self, suit: usize, counts: u32, so_far: SuitSplit) {
        if counts == 0 {
            self.splits[usize::from(self.len)] = so_far;
            self.len += 1;
            return;
        }
        let rank = counts.trailing_zeros() / 3;
        let here = counts >> (3 * rank);
        if here & 7 >= 3 {
            let next = so_far.with(Shape::Triplet, suit, rank);
            // With the triplet gone a fourth tile must start a run.
            self.search(suit, counts - (3 << (3 * rank)), next);
        }
        // The lowest tile starts a run: so do all of its kind that are in no triplet, that is one or two of them, or
        // three at once (then the triplets were the other way), or four.
        let runs = here & 7;
        let fits = (here >> 3 & 7) >= runs && (here >> 6 & 7) >= runs;
        if suit < 3 && rank < 7 && fits {
            let next = (0..runs).fold(so_far, |split, _| split.with(Shape::Run, suit, rank));
            self.search(suit, counts - ((0o111 * runs) << (3 * rank)), next);
        }
    }

    fn iter(&self) -> impl Iterator<Item = &SuitSplit> {
        self.splits[..usize::from(self.len)].iter()
    }
}

impl SuitSplit {
    fn with(mut self, shape: Shape, suit: usize, rank: u32) -> Self {
        self.blocks[usize::from(self.len)] = Block::concealed(shape, Kind::at(suit * 9 + rank as usize));
        self.len += 1;
        self
    }
}

/// How many tiles there are in counts of three bits.
const fn tiles(counts: u32) -> u32 {
    let pairs = (counts & 0o070_707_070) >> 3;
    let sums = (counts & 0o707_070_707) + pairs;
    // Five fields of six bits; 63 divides one less than their base, so the remainder is their sum.
    sums % 63
}

/// Calls `found` with the pair and the concealed sets of every way to split the hand, which must hold `3n + 2` tiles.
pub(crate) fn splits(hand: &Hand, mut found: impl FnMut(Kind, &[Block])) {
    let packed = hand.packed();
    // Sets are threes, so the pair is in the one suit that has two too many.
    let mut pair_suit = None;
    for (suit, &counts) in packed.iter().enumerate() {
        match tiles(counts) % 3 {
            0 => {}
            2 if pair_suit.is_none() => pair_suit = Some(suit),
            _ => return,
        }
    }
    let Some(pair_suit) = pair_suit else { return };
    let mut suits = [SuitSplits::NONE; 4];
    for suit in (0..4).filter(|&suit| suit != pair_suit) {
        suits[suit] = SuitSplits::of(suit, packed[suit]);
        if suits[suit].len == 0 {
            return;
        }
    }
    // The ranks of a set add up to a multiple of three, so those of the pair are what the whole suit is over it: rank r
    // fits if 2r is, modulo three; 2 is its own inverse there.
    let over: usize = (0..9).map(|rank| rank * (packed[pair_suit] >> (3 * rank) & 7) as usize).sum();
    let fits = |rank: usize| pair_suit == 3 || rank % 3 == 2 * over % 3;
    for rank in (0..9).filter(|&rank| fits(rank)) {
        if packed[pair_suit] >> (3 * rank) & 7 < 2 {
            continue;
        }
        suits[pair_suit] = SuitSplits::of(pair_suit, packed[pair_suit] - (2 << (3 * rank)));
        let pair = Kind::at(pair_suit * 9 + rank);
        for man in suits[0].iter() {
            for pin in suits[1].iter() {
                for sou in suits[2].iter() {
                    for honors in suits[3].iter() {
                        let mut blocks = [NO_BLOCK; 4];
                        let mut len = 0;
                        for split in [man, pin, sou, honors] {
                            for block in &split.blocks[..usize::from(split.len)] {
                                blocks[len] = *block;
                                len += 1;
                            }
                        }
                        found(pair, &blocks[..len]);
                    }
                }
            }
        }
    }
}
