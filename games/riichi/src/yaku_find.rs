//! Finding yaku: by how the win came about, by the kinds in the hand, and by the sets it is read as.

use crate::meld::{Block, Shape};
use crate::rules::{Renhou, Rules};
use crate::sets::KindSet;
use crate::tile::Kind;
use crate::win::{Flags, Win};
use crate::yaku::{Yaku, YakuSet};

/// The yaku that do not depend on how the hand is read.
pub(crate) fn common_yaku(win: &Win, rules: &Rules) -> YakuSet {
    let mut yaku = circumstance_yaku(win, rules);
    let kinds = win.kinds;
    yaku.insert_if(kinds.and(KindSet::ORPHANS).is_empty() && (!win.open || rules.open_tanyao), Yaku::Tanyao);
    let honors = !kinds.and(KindSet::HONORS).is_empty();
    let suits = (0..3).filter(|suit| kinds.bits() >> (9 * suit) & 0x1ff != 0).count();
    yaku.insert_if(suits == 1 && honors, Yaku::Honitsu);
    yaku.insert_if(suits == 1 && !honors, Yaku::Chinitsu);
    yaku.insert_if(suits == 0, Yaku::Tsuuiisou);
    yaku.insert_if(kinds.within(KindSet::ORPHANS), Yaku::Honroutou);
    yaku.insert_if(kinds.within(KindSet::TERMINALS), Yaku::Chinroutou);
    yaku.insert_if(kinds.within(KindSet::GREENS), Yaku::Ryuuiisou);
    if win.meld_count == 0 && suits == 1 && !honors {
        nine_gates(win, &mut yaku);
        wheels(win, rules, &mut yaku);
    }
    yaku
}

fn circumstance_yaku(win: &Win, rules: &Rules) -> YakuSet {
    let mut yaku = YakuSet::EMPTY;
    let flags = win.flags;
    yaku.insert_if(win.is_tsumo() && !win.open, Yaku::MenzenTsumo);
    if !flags.has(Flags::ALL_BUT_TSUMO) {
        return yaku;
    }
    if win.is_riichi() {
        let double = flags.has(Flags::DOUBLE_RIICHI);
        let shown = flags.has(Flags::OPEN_RIICHI);
        yaku.insert(match (double, shown) {
            (false, false) => Yaku::Riichi,
            (true, false) => Yaku::DoubleRiichi,
            (false, true) => Yaku::OpenRiichi,
            (true, true) => Yaku::DoubleOpenRiichi,
        });
        yaku.insert_if(shown && rules.sashikomi && !win.is_tsumo(), Yaku::Sashikomi);
    }
    yaku.insert_if(flags.has(Flags::IPPATSU) && rules.ippatsu, Yaku::Ippatsu);
    yaku.insert_if(flags.has(Flags::RINSHAN), Yaku::Rinshan);
    yaku.insert_if(flags.has(Flags::CHANKAN), Yaku::Chankan);
    yaku.insert_if(flags.has(Flags::HAITEI), Yaku::Haitei);
    yaku.insert_if(flags.has(Flags::HOUTEI), Yaku::Houtei);
    yaku.insert_if(flags.has(Flags::TENHOU), Yaku::Tenhou);
    yaku.insert_if(flags.has(Flags::CHIIHOU), Yaku::Chiihou);
    yaku.insert_if(flags.has(Flags::PAARENCHAN), Yaku::Paarenchan);
    if flags.has(Flags::RENHOU) {
        match rules.renhou {
            Renhou::Han(_) => yaku.insert(Yaku::Renhou),
            Renhou::Yakuman => yaku.insert(Yaku::RenhouYakuman),
            Renhou::Off | Renhou::FlatMangan | Renhou::FlatBaiman => {}
        }
    }
    yaku
}

/// 1112345678999 and one more of the suit.
fn nine_gates(win: &Win, yaku: &mut YakuSet) {
    let counts = win.concealed.counts();
    let suit = if counts[..9].iter().any(|&c| c > 0) {
        0
    } else if counts[9..18].iter().any(|&c| c > 0) {
        9
    } else {
        18
    };
    let counts = &counts[suit..suit + 9];
    if counts[0] >= 3 && counts[8] >= 3 && counts.iter().all(|&count| count > 0) {
        // Before the winning tile the hand was 1112345678999 itself if it is the tile there is one too many of.
        let pure = matches!(win.concealed.count(win.win), 2 | 4);
        yaku.insert(if pure { Yaku::JunseiChuuren } else { Yaku::Chuuren });
    }
}

/// Two each of 2 to 8 of a suit.
fn wheels(win: &Win, rules: &Rules, yaku: &mut YakuSet) {
    let wheel = |suit: u32| KindSet::from_bits(0b0_1111_1110 << (9 * suit));
    let two_each = |suit| win.kinds == wheel(suit) && win.concealed.kinds(3).is_empty();
    let other = rules.daisharin_other_suits;
    yaku.insert_if((rules.daisharin || other) && two_each(1), Yaku::Daisharin);
    yaku.insert_if(other && two_each(0), Yaku::Daisuurin);
    yaku.insert_if(other && two_each(2), Yaku::Daichikurin);
}

/// The yaku of the shape of seven pairs.
pub(crate) fn pairs_yaku(win: &Win, rules: &Rules) -> YakuSet {
    let mut yaku = YakuSet::one(Yaku::SevenPairs);
    yaku.insert_if(rules.daichisei && win.kinds == KindSet::HONORS, Yaku::Daichisei);
    yaku
}

/// What the sets and the pair of a reading look like.
pub(crate) struct Shapes {
    pair: Kind,
    /// Where runs start, one bit per kind.
    runs: u64,
    /// How many times a run has a twin that is not another's already.
    twin_runs: u8,
    /// Triplets and quads, one bit per kind.
    triplets: u64,
    /// Triplets and quads that no call opened.
    pub(crate) concealed_triplets: u8,
    quads: u8,
    /// Every set has a terminal or an honor, and so has the pair.
    outside: bool,
}

impl Shapes {
    #[inline]
    pub(crate) fn of(pair: Kind, blocks: &[Block; 4]) -> Self {
        let (mut runs, mut odd, mut triplets) = (0_u64, 0_u64, 0_u64);
        let (mut twin_runs, mut concealed_triplets, mut quads) = (0, 0, 0);
        let mut outside = pair.is_orphan();
        for block in blocks {
            let bit = 1 << block.first.number();
            if block.shape == Shape::Run {
                twin_runs += u8::from(odd & bit != 0);
                odd ^= bit;
                runs |= bit;
                outside &= matches!(block.first.rank(), 1 | 7);
            } else {
                triplets |= bit;
                concealed_triplets += u8::from(!block.open);
                quads += u8::from(block.shape == Shape::Quad);
                outside &= block.first.is_orphan();
            }
        }
        Self { pair, runs, twin_runs, triplets, concealed_triplets, quads, outside }
    }

    /// The yaku of these shapes, but for those that ask what the winning tile completed.
    #[inline]
    pub(crate) fn yaku(&self, win: &Win) -> YakuSet {
        let mut yaku = YakuSet::EMPTY;
        if self.runs == 0 {
            yaku.insert(Yaku::Toitoi);
        } else {
            self.run_yaku(win, &mut yaku);
        }
        if self.triplets != 0 {
            self.triplet_yaku(win, &mut yaku);
        }
        yaku
    }

    #[inline]
    fn run_yaku(&self, win: &Win, yaku: &mut YakuSet) {
        let honors = !win.kinds.and(KindSet::HONORS).is_empty();
        yaku.insert_if(self.outside && honors, Yaku::Chanta);
        yaku.insert_if(self.outside && !honors, Yaku::Junchan);
        yaku.insert_if(!win.open && self.twin_runs == 1, Yaku::Iipeikou);
        yaku.insert_if(!win.open && self.twin_runs == 2, Yaku::Ryanpeikou);
        let straight = |suit: u32| self.runs >> (9 * suit) & 0b100_1001 == 0b100_1001;
        yaku.insert_if(straight(0) || straight(1) || straight(2), Yaku::Ittsu);
        yaku.insert_if(in_three_suits(self.runs), Yaku::SanshokuDoujun);
    }

    #[inline]
    fn triplet_yaku(&self, win: &Win, yaku: &mut YakuSet) {
        yaku.insert_if(in_three_suits(self.triplets), Yaku::SanshokuDoukou);
        yaku.insert_if(self.quads == 3, Yaku::Sankantsu);
        yaku.insert_if(self.quads == 4, Yaku::Suukantsu);
        let triplets = KindSet::from_bits(self.triplets);
        if triplets.and(KindSet::HONORS).is_empty() {
            return;
        }
        yaku.insert_if(triplets.contains(Kind::WHITE), Yaku::White);
        yaku.insert_if(triplets.contains(Kind::GREEN), Yaku::Green);
        yaku.insert_if(triplets.contains(Kind::RED), Yaku::Red);
        if triplets.contains(win.seat_wind.kind()) {
            yaku.insert(
                [Yaku::SeatEast, Yaku::SeatSouth, Yaku::SeatWest, Yaku::SeatNorth][win.seat_wind as usize],
            );
        }
        if triplets.contains(win.round_wind.kind()) {
            let round = [Yaku::RoundEast, Yaku::RoundSouth, Yaku::RoundWest, Yaku::RoundNorth];
            yaku.insert(round[win.round_wind as usize]);
        }
        let dragons = triplets.and(KindSet::DRAGONS).len();
        yaku.insert_if(dragons == 2 && KindSet::DRAGONS.contains(self.pair), Yaku::Shousangen);
        yaku.insert_if(dragons == 3, Yaku::Daisangen);
        let winds = triplets.and(KindSet::WINDS).len();
        yaku.insert_if(winds == 3 && KindSet::WINDS.contains(self.pair), Yaku::Shousuushii);
        yaku.insert_if(winds == 4, Yaku::Daisuushii);
    }
}

/// Whether a bit of the first suit has its like in the other two.
const fn in_three_suits(bits: u64) -> bool {
    bits & bits >> 9 & bits >> 18 & 0x1ff != 0
}
