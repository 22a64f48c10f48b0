//! Fu: the small points of a reading.

use crate::meld::{Block, Shape};
use crate::rules::Rules;
use crate::sets::KindSet;
use crate::tile::Kind;
use crate::win::{Flags, Win};

/// Which part of the hand the winning tile completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    /// The pair.
    Pair,
    /// The block with this index.
    Block(u8),
}

/// One source of fu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FuLine {
    pub fu: u8,
    pub source: FuSource,
}

/// What fu are given for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FuSource {
    /// Winning.
    Base,
    /// Seven pairs, a fixed amount that is not rounded.
    SevenPairs,
    /// A closed hand that wins on another seat's tile.
    ClosedRon,
    /// A triplet or quad. A concealed triplet that another seat's tile completed counts as open.
    Block {
        /// The set.
        block: Block,
        /// Whether it counts as open.
        open: bool,
    },
    /// A pair of dragons, or of the seat or round wind.
    Pair(Kind),
    /// Waiting for the middle tile of a run.
    MiddleWait,
    /// Waiting for the 3 of 1-2-3 or the 7 of 7-8-9.
    EdgeWait,
    /// Waiting for the second tile of the pair.
    PairWait,
    /// A self-draw.
    Tsumo,
    /// An open hand that has no fu otherwise.
    OpenWithoutFu,
}

/// The fu of a regular reading, before and after rounding up to ten, and line by line into `line`.
#[inline]
pub(crate) fn fu(
    win: &Win,
    rules: &Rules,
    pair: Kind,
    blocks: &[Block; 4],
    completed: Completed,
    mut line: impl FnMut(FuLine),
) -> Fu {
    let tsumo = win.is_tsumo();
    let mut raw = 0;
    let mut add = |fu: u8, source: FuSource| {
        if fu > 0 {
            raw += fu;
            line(FuLine { fu, source });
        }
    };
    for (index, block) in blocks.iter().enumerate() {
        if block.shape != Shape::Run {
            let open = block.open || (!tsumo && completed == Completed::Block(index as u8));
            add(set_fu(block, open), FuSource::Block { block: *block, open });
        }
    }
    add(pair_fu(win, rules, pair), FuSource::Pair(pair));
    match completed {
        Completed::Pair => add(2, FuSource::PairWait),
        Completed::Block(index) => {
            let block = &blocks[usize::from(index)];
            let above = win.win.number().wrapping_sub(block.first.number());
            if block.shape == Shape::Run {
                let rank = block.first.rank();
                let edge = (rank == 1 && above == 2) || (rank == 7 && above == 0);
                add(2 * u8::from(edge), FuSource::EdgeWait);
                add(2 * u8::from(above == 1), FuSource::MiddleWait);
            }
        }
    }
    let plain = raw == 0;
    let mut add = |fu: u8, source: FuSource| {
        raw += fu;
        line(FuLine { fu, source });
    };
    let drawn_fu = rules.rinshan_fu || !win.flags.has(Flags::RINSHAN);
    if tsumo && drawn_fu && (!plain || rules.pinfu_tsumo_fu) {
        add(2, FuSource::Tsumo);
    } else if plain && win.open && rules.open_pinfu_fu {
        add(2, FuSource::OpenWithoutFu);
    }
    let pinfu = plain && !win.open && !(tsumo && rules.pinfu_tsumo_fu);
    add(20, FuSource::Base);
    if !tsumo && !win.open {
        add(10, FuSource::ClosedRon);
    }
    Fu { raw, rounded: raw.div_ceil(10) * 10, pinfu }
}

/// The fu of a reading.
#[derive(Clone, Copy)]
pub(crate) struct Fu {
    pub(crate) raw: u8,
    pub(crate) rounded: u8,
    /// A closed hand with no fu but those that every hand has.
    pub(crate) pinfu: bool,
}

/// 2 for an open triplet of simple tiles; doubled by being concealed, by terminals and honors, and twice by a quad.
fn set_fu(block: &Block, open: bool) -> u8 {
    let doublings =
        u8::from(!open) + u8::from(block.first.is_orphan()) + 2 * u8::from(block.shape == Shape::Quad);
    2 << doublings
}

fn pair_fu(win: &Win, rules: &Rules, pair: Kind) -> u8 {
    if !pair.is_honor() {
        return 0;
    }
    let (seat, round) = (win.seat_wind.kind() == pair, win.round_wind.kind() == pair);
    match (KindSet::DRAGONS.contains(pair), seat, round) {
        (_, true, true) => rules.double_wind_pair_fu,
        (true, _, _) | (_, true, _) | (_, _, true) => 2,
        _ => 0,
    }
}
