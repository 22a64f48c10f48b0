//! What a win is worth: the best of all readings of the hand.

use std::fmt;

use crate::fu::{Completed, Fu, fu};
use crate::limit::{Limit, counted};
use crate::meld::{Block, Shape};
use crate::rules::{Renhou, Rules};
use crate::split::splits;
use crate::tile::Kind;
use crate::win::{Flags, Win};
use crate::yaku::{Yaku, YakuSet};
use crate::yaku_find::{Shapes, common_yaku, pairs_yaku};

/// How a complete hand is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Four sets and a pair.
    Regular {
        pair: Kind,
        /// The sets, concealed ones first.
        blocks: [Block; 4],
        /// What the winning tile completed.
        completed: Completed,
    },
    /// Seven pairs.
    SevenPairs,
    /// Thirteen orphans.
    ThirteenOrphans,
}

/// What a win is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Han, dora included; a yakuman counts thirteen.
    pub han: u8,
    /// Fu, rounded. Thirteen orphans have none.
    pub fu: u8,
    /// The yaku; yakuman only if there is one.
    pub yaku: YakuSet,
    /// Dora counted; 0 for a yakuman, as are the next two.
    pub dora: u8,
    /// Red fives counted.
    pub reds: u8,
    /// Ura dora counted.
    pub ura: u8,
    /// The limit reached.
    pub limit: Limit,
    /// Base points: a discard pays four times this to a seat, six times to the dealer.
    pub base: u32,
    /// How the hand was read.
    pub reading: Reading,
}

/// Why a win is worth nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoScore {
    /// The tiles are not complete.
    NotComplete,
    /// The hand is complete and has no yaku.
    NoYaku,
}

impl NoScore {
    /// The name, as in the vectors.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotComplete => "hand_not_winning",
            Self::NoYaku => "no_yaku",
        }
    }
}

impl fmt::Display for NoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotComplete => write!(f, "the hand is not complete"),
            Self::NoYaku => write!(f, "the hand is complete but has no yaku"),
        }
    }
}

impl std::error::Error for NoScore {}

/// Scores a win by the best reading of its hand.
///
/// # Errors
/// If the hand is not complete, or has no yaku.
pub fn score(win: &Win, rules: &Rules) -> Result<Score, NoScore> {
    let mut best = Best { win, rules, complete: false, rank: 0, score: None };
    if best.thirteen_orphans() {
        return best.finish();
    }
    let common = common_yaku(win, rules);
    best.seven_pairs(common);
    let melds = win.melds();
    let concealed_sets = 4 - melds.len();
    splits(&win.concealed, |pair, concealed| {
        // The hand holds 3n + 2 tiles, so the sets are exactly as many as the melds leave.
        debug_assert_eq!(concealed.len(), concealed_sets);
        let mut blocks = win.melds;
        blocks.copy_within(..melds.len(), concealed_sets);
        blocks[..concealed_sets].copy_from_slice(concealed);
        best.regular(common, pair, &blocks, concealed_sets);
    });
    best.finish()
}

/// The best reading so far.
struct Best<'a> {
    win: &'a Win,
    rules: &'a Rules,
    complete: bool,
    /// Points, then a real yakuman over a counted one, then han, then fu: of two readings the higher is the score.
    rank: u64,
    score: Option<Score>,
}

impl Best<'_> {
    fn regular(&mut self, common: YakuSet, pair: Kind, blocks: &[Block; 4], concealed_sets: usize) {
        let shapes = Shapes::of(pair, blocks);
        let yaku = common.or(shapes.yaku(self.win));
        if pair == self.win.win {
            self.completed(yaku, &shapes, pair, blocks, Completed::Pair);
        }
        let mut before = None;
        for (index, block) in blocks[..concealed_sets].iter().enumerate() {
            // Of equal sets it does not matter which one was completed.
            if block.contains(self.win.win) && before != Some(block) {
                self.completed(yaku, &shapes, pair, blocks, Completed::Block(index as u8));
                before = Some(block);
            }
        }
    }

    fn completed(
        &mut self,
        mut yaku: YakuSet,
        shapes: &Shapes,
        pair: Kind,
        blocks: &[Block; 4],
        completed: Completed,
    ) {
        let fu = fu(self.win, self.rules, pair, blocks, completed, |_| ());
        yaku.insert_if(fu.pinfu, Yaku::Pinfu);
        let by_other = match completed {
            Completed::Pair => false,
            Completed::Block(index) => !self.win.is_tsumo() && blocks[usize::from(index)].shape != Shape::Run,
        };
        match shapes.concealed_triplets - u8::from(by_other) {
            3 => yaku.insert(Yaku::Sanankou),
            4 if completed == Completed::Pair => yaku.insert(Yaku::SuuankouTanki),
            4 => yaku.insert(Yaku::Suuankou),
            _ => {}
        }
        self.consider(yaku, fu, Reading::Regular { pair, blocks: *blocks, completed });
    }

    fn seven_pairs(&mut self, common: YakuSet) {
        if self.win.meld_count > 0
            || self.win.kinds.len() != 7
            || self.win.concealed.kinds(2) != self.win.kinds
        {
            return;
        }
        let fu = Fu { raw: 25, rounded: 25, pinfu: false };
        self.consider(common.or(pairs_yaku(self.win, self.rules)), fu, Reading::SevenPairs);
    }

    fn thirteen_orphans(&mut self) -> bool {
        let win = self.win;
        if win.meld_count > 0 || win.kinds != crate::sets::KindSet::ORPHANS {
            return false;
        }
        let any = win.concealed.count(win.win) == 2;
        let mut yaku = common_yaku(win, self.rules).and(YakuSet::YAKUMAN);
        yaku.insert(if any { Yaku::KokushiThirteen } else { Yaku::Kokushi });
        self.consider(yaku, Fu { raw: 0, rounded: 0, pinfu: false }, Reading::ThirteenOrphans);
        true
    }

    fn consider(&mut self, mut yaku: YakuSet, fu: Fu, reading: Reading) {
        self.complete = true;
        let (win, rules) = (self.win, self.rules);
        let yakuman = yaku.and(YakuSet::YAKUMAN);
        if win.flags.has(Flags::PAARENCHAN)
            && rules.paarenchan_needs_yaku
            && yaku == YakuSet::one(Yaku::Paarenchan)
        {
            return;
        }
        let mut han = 0;
        let (mut dora, mut reds, mut ura) = (0, 0, 0);
        let (base, limit);
        if yakuman.is_empty() {
            yaku.iter().for_each(|yaku| han += rules.han(yaku, win.open));
            if han == 0 {
                return;
            }
            dora = win.dora;
            reds = if rules.red_fives { win.reds } else { 0 };
            ura = if rules.ura_dora { win.ura } else { 0 };
            han += dora + reds + ura;
            (base, limit) = counted(han, fu.rounded, rules);
        } else {
            yaku = yakuman;
            yaku.iter().for_each(|yaku| han += rules.han(yaku, win.open));
            han = han.min(13 * rules.yakuman_max);
            limit = Limit::Yakuman(han / 13);
            base = limit.base();
        }
        let rank = u64::from(base) << 32
            | u64::from(!yakuman.is_empty()) << 31
            | u64::from(han) << 16
            | u64::from(fu.rounded) << 8
            | u64::from(fu.raw);
        if rank > self.rank {
            self.rank = rank;
            self.score = Some(Score { han, fu: fu.rounded, yaku, dora, reds, ura, limit, base, reading });
        }
    }

    fn finish(mut self) -> Result<Score, NoScore> {
        if !self.complete {
            return Err(NoScore::NotComplete);
        }
        if self.win.flags.has(Flags::RENHOU) {
            self.flat_renhou();
        }
        self.score.ok_or(NoScore::NoYaku)
    }

    /// A flat renhou stands by itself: it replaces a hand that is worth less and takes nothing from it.
    fn flat_renhou(&mut self) {
        let (han, limit) = match self.rules.renhou {
            Renhou::FlatMangan => (5, Limit::Mangan),
            Renhou::FlatBaiman => (8, Limit::Baiman),
            Renhou::Off | Renhou::Han(_) | Renhou::Yakuman => return,
        };
        if self.score.is_some_and(|score| score.base >= limit.base()) {
            return;
        }
        let reading = self.score.map(|score| score.reading).or_else(|| any_reading(self.win));
        let Some(reading) = reading else { return };
        let fu = self.score.map_or(30, |score| score.fu);
        let yaku = YakuSet::one(Yaku::Renhou);
        self.score =
            Some(Score { han, fu, yaku, dora: 0, reds: 0, ura: 0, limit, base: limit.base(), reading });
    }
}

/// A reading of a complete hand that may have no yaku.
fn any_reading(win: &Win) -> Option<Reading> {
    let mut reading = None;
    splits(&win.concealed, |pair, concealed| {
        let mut blocks = win.melds;
        blocks[..concealed.len()].copy_from_slice(concealed);
        let index = concealed.iter().position(|block| block.contains(win.win));
        let completed = index.map_or(Completed::Pair, |index| Completed::Block(index as u8));
        reading = reading.or(Some(Reading::Regular { pair, blocks, completed }));
    });
    reading
}

impl Rules {
    /// What a yaku is worth under these rules.
    #[must_use]
    #[inline]
    pub fn han(&self, yaku: Yaku, open: bool) -> u8 {
        let double = match yaku {
            Yaku::KokushiThirteen => self.double_yakuman.kokushi_thirteen,
            Yaku::SuuankouTanki => self.double_yakuman.suuankou_tanki,
            Yaku::JunseiChuuren => self.double_yakuman.junsei_chuuren,
            Yaku::Daisuushii => self.double_yakuman.daisuushii,
            Yaku::Renhou => {
                return match self.renhou {
                    Renhou::Han(han) => han,
                    Renhou::FlatBaiman => 8,
                    Renhou::Off | Renhou::FlatMangan | Renhou::Yakuman => yaku.han(open),
                };
            }
            _ => false,
        };
        yaku.han(open) << u8::from(double)
    }
}
