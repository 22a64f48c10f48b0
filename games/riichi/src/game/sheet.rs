//! What the sheet at the end of a round shows beside the result: where the fu of each win come from.

use serde::Serialize;
use ts_rs::TS;

use super::Riichi;
use crate::explain::fu_lines;
use crate::fu::{FuLine, FuSource};
use crate::meld::{Meld, Shape};
use crate::score::score;
use crate::table::{RoundResult, Table, WinResult};
use crate::tile::Kind;
use crate::win::{Claim, Flags, Win};
use crate::yaku::Yaku;

/// One source of fu.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct FuPart {
    pub fu: u8,
    pub what: FuWhat,
    /// The tiles of a set or a pair; its first kind.
    pub kind: Option<Kind>,
}

/// What fu are given for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FuWhat {
    Base,
    SevenPairs,
    ClosedRon,
    OpenTriplet,
    ClosedTriplet,
    OpenKan,
    ClosedKan,
    Pair,
    MiddleWait,
    EdgeWait,
    PairWait,
    Tsumo,
    OpenWithoutFu,
}

impl From<&FuLine> for FuPart {
    fn from(line: &FuLine) -> Self {
        let (what, kind) = match line.source {
            FuSource::Base => (FuWhat::Base, None),
            FuSource::SevenPairs => (FuWhat::SevenPairs, None),
            FuSource::ClosedRon => (FuWhat::ClosedRon, None),
            FuSource::Block { block, open } => {
                let what = match (block.shape == Shape::Quad, open) {
                    (false, true) => FuWhat::OpenTriplet,
                    (false, false) => FuWhat::ClosedTriplet,
                    (true, true) => FuWhat::OpenKan,
                    (true, false) => FuWhat::ClosedKan,
                };
                (what, Some(block.first))
            }
            FuSource::Pair(kind) => (FuWhat::Pair, Some(kind)),
            FuSource::MiddleWait => (FuWhat::MiddleWait, None),
            FuSource::EdgeWait => (FuWhat::EdgeWait, None),
            FuSource::PairWait => (FuWhat::PairWait, None),
            FuSource::Tsumo => (FuWhat::Tsumo, None),
            FuSource::OpenWithoutFu => (FuWhat::OpenWithoutFu, None),
        };
        Self { fu: line.fu, what, kind }
    }
}

impl Riichi {
    /// The fu of each win of the round that is over.
    pub(super) fn fu_parts(&self) -> Vec<Vec<FuPart>> {
        match self.table.round_result() {
            Some(RoundResult::Wins(wins)) => wins.iter().map(|win| parts(&self.table, win)).collect(),
            _ => Vec::new(),
        }
    }
}

fn parts(table: &Table, result: &WinResult) -> Vec<FuPart> {
    let melds: Vec<Meld> = result.melds.iter().map(|meld| meld.meld).collect();
    let claim = Claim {
        hand: &result.hand,
        melds: &melds,
        win: result.tile,
        dora: &result.dora_indicators,
        ura: &result.ura_indicators,
        seat_wind: table.seat_wind(result.who),
        round_wind: table.round_wind(),
        flags: flags(result),
    };
    let rules = table.settings().rules();
    let scored = Win::new(&claim).ok().and_then(|win| Some((win, score(&win, &rules).ok()?)));
    scored.map_or_else(Vec::new, |(win, score)| {
        fu_lines(&win, &rules, &score.reading).iter().map(FuPart::from).collect()
    })
}

/// How the win came about, as far as its yaku tell: fu depend on nothing else.
fn flags(result: &WinResult) -> Flags {
    let told = [
        (Yaku::Riichi, Flags::RIICHI),
        (Yaku::DoubleRiichi, Flags::DOUBLE_RIICHI),
        (Yaku::Ippatsu, Flags::IPPATSU),
        (Yaku::Rinshan, Flags::RINSHAN),
        (Yaku::Chankan, Flags::CHANKAN),
        (Yaku::Haitei, Flags::HAITEI),
        (Yaku::Houtei, Flags::HOUTEI),
        (Yaku::Tenhou, Flags::TENHOU),
        (Yaku::Chiihou, Flags::CHIIHOU),
        (Yaku::Renhou, Flags::RENHOU),
        (Yaku::RenhouYakuman, Flags::RENHOU),
        (Yaku::Paarenchan, Flags::PAARENCHAN),
    ];
    let won_by = |yaku: Yaku| result.yaku.iter().any(|(found, _)| *found == yaku);
    let start = if result.from.is_none() { Flags::TSUMO } else { Flags::NONE };
    told.into_iter().filter(|(yaku, _)| won_by(*yaku)).fold(start, |flags, (_, flag)| flags.with(flag))
}
