//! Splitting a complete hand into sets and a pair: every way there is, without allocation.

use crate::hand::Hand;
use crate::meld::{Block, Shape};
use crate::tile::Kind;

/// Calls `found` with the pair and the concealed sets of every way to split the hand, which must hold `3n + 2` tiles.
pub(crate) fn splits(hand: &Hand, found: impl FnMut(Kind, &[Block])) {
    let suits = hand.packed();
    // Sets are threes, so the pair is in the one suit that has two too many.
    let mut pair_suit = None;
    for (suit, &counts) in suits.iter().enumerate() {
        match tiles(counts) % 3 {
            0 => {}
            2 if pair_suit.is_none() => pair_suit = Some(suit),
            _ => return,
        }
    }
    let Some(pair_suit) = pair_suit else { return };
    // The ranks of a set add up to a multiple of three, so those of the pair are what the whole suit is over it: rank r
    // fits if 2r is, modulo three; 2 is its own inverse there.
    let counts = suits[pair_suit];
    let over: usize = (0..9).map(|rank| rank * (counts >> (3 * rank) & 7) as usize).sum();
    let fits = |rank: usize| pair_suit == 3 || rank % 3 == 2 * over % 3;
    let mut splitter = Splitter { suits, pair: NO_BLOCK.first, blocks: [NO_BLOCK; 4], len: 0, found };
    for rank in (0..9).filter(|&rank| fits(rank) && counts >> (3 * rank) & 7 >= 2) {
        splitter.pair = Kind::at(pair_suit * 9 + rank);
        splitter.suits[pair_suit] = counts - (2 << (3 * rank));
        splitter.suit(0);
    }
}

const NO_BLOCK: Block = Block::concealed(Shape::Run, Kind::at(0));

/// How many tiles there are in counts of three bits.
const fn tiles(counts: u32) -> u32 {
    let pairs = (counts & 0o070_707_070) >> 3;
    let sums = (counts & 0o707_070_707) + pairs;
    // Five fields of six bits; 63 divides one less than their base, so the remainder is their sum.
    sums % 63
}

struct Splitter<F> {
    /// The counts without the pair, three bits for a rank.
    suits: [u32; 4],
    pair: Kind,
    blocks: [Block; 4],
    len: usize,
    found: F,
}

impl<F: FnMut(Kind, &[Block])> Splitter<F> {
    fn suit(&mut self, suit: usize) {
        match self.suits.get(suit) {
            Some(&counts) => self.sets(suit, counts),
            None => (self.found)(self.pair, &self.blocks[..self.len]),
        }
    }

    /// Takes the sets of a suit away from the lowest rank on. What is there once or twice must start runs; three or four
    /// may start as many runs, or be a triplet and what is left. Nothing else is possible.
    fn sets(&mut self, suit: usize, counts: u32) {
        if counts == 0 {
            return self.suit(suit + 1);
        }
        let rank = counts.trailing_zeros() / 3;
        let here = counts >> (3 * rank);
        let first = Kind::at(suit * 9 + rank as usize);
        if here & 7 >= 3 {
            self.with(1, Block::concealed(Shape::Triplet, first), suit, counts - (3 << (3 * rank)));
        }
        let runs = here & 7;
        let fits = (here >> 3 & 7) >= runs && (here >> 6 & 7) >= runs;
        if suit < 3 && rank < 7 && fits {
            let left = counts - ((0o111 * runs) << (3 * rank));
            self.with(runs as usize, Block::concealed(Shape::Run, first), suit, left);
        }
    }

    fn with(&mut self, times: usize, block: Block, suit: usize, left: u32) {
        let before = self.len;
        self.blocks[before..before + times].fill(block);
        self.len += times;
        self.sets(suit, left);
        self.len = before;
    }
}
