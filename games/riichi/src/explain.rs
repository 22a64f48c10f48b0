//! A score that explains itself: yaku by yaku, fu by fu, who pays what.

use std::fmt;

use serde::Serialize;

use crate::fu::{FuLine, FuSource, fu};
use crate::limit::Limit;
use crate::meld::Shape;
use crate::pay::{PaidFor, Price, Settlement, Stakes};
use crate::rules::Rules;
use crate::score::{Reading, Score};
use crate::tile::Kind;
use crate::win::Win;

/// A score, line by line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// How the hand was read: `123m 456p 789s 222z 11z`, melds in brackets.
    pub reading: String,
    /// The yaku, then dora.
    pub yaku: Vec<YakuText>,
    /// The fu, before rounding.
    pub fu_lines: Vec<FuText>,
    /// Han in all.
    pub han: u8,
    /// Fu, rounded.
    pub fu: u8,
    /// The limit, if one is reached.
    pub limit: Option<String>,
    /// How han and fu became base points.
    pub base: String,
    /// Who pays what.
    pub payments: Vec<String>,
    /// What the winner gets in all.
    pub total: u32,
}

/// A line about a yaku.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct YakuText {
    pub name: String,
    pub what: String,
    pub han: u8,
}

/// A line about fu.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FuText {
    pub fu: u8,
    /// What for.
    pub what: String,
}

/// Explains a score.
#[must_use]
pub fn explain(win: &Win, rules: &Rules, score: &Score, stakes: Stakes) -> Explanation {
    let price = Price::of(score.base, win.is_dealer(), win.is_tsumo());
    let honba = u32::from(stakes.honba) * u32::from(rules.honba_points);
    let sticks = u32::from(stakes.sticks) * u32::from(rules.stick_points);
    Explanation {
        reading: reading_text(win, &score.reading),
        yaku: yaku_texts(win, rules, score),
        fu_lines: fu_lines(win, rules, &score.reading).iter().map(fu_text).collect(),
        han: score.han,
        fu: score.fu,
        limit: (score.limit != Limit::None).then(|| score.limit.name()),
        base: base_text(score),
        payments: payment_texts(price, honba, stakes, sticks),
        total: price.total() + 3 * honba + sticks,
    }
}

/// The fu of a reading, line by line.
#[must_use]
pub fn fu_lines(win: &Win, rules: &Rules, reading: &Reading) -> Vec<FuLine> {
    let mut lines = Vec::new();
    match reading {
        Reading::Regular { pair, blocks, completed } => {
            fu(win, rules, *pair, blocks, *completed, |line| lines.push(line));
            // Every hand starts from the base, so it comes first for the reader.
            lines.sort_by_key(|line| !matches!(line.source, FuSource::Base | FuSource::ClosedRon));
        }
        Reading::SevenPairs => lines.push(FuLine { fu: 25, source: FuSource::SevenPairs }),
        Reading::ThirteenOrphans => {}
    }
    lines
}

fn reading_text(win: &Win, reading: &Reading) -> String {
    let pair_text = |kind: Kind| format!("{0}{0}{1}", kind.rank(), kind.suit().letter());
    match reading {
        Reading::Regular { pair, blocks, .. } => {
            let concealed = 4 - win.melds().len();
            let mut parts: Vec<String> = blocks[..concealed].iter().map(ToString::to_string).collect();
            parts.push(pair_text(*pair));
            parts.extend(
                blocks[concealed..]
                    .iter()
                    .map(|meld| if meld.open { format!("[{meld}]") } else { format!("[{meld} concealed]") }),
            );
            parts.join(" ")
        }
        Reading::SevenPairs => win.kinds.iter().map(pair_text).collect::<Vec<_>>().join(" "),
        Reading::ThirteenOrphans => "thirteen orphans".into(),
    }
}

fn yaku_texts(win: &Win, rules: &Rules, score: &Score) -> Vec<YakuText> {
    let mut texts: Vec<YakuText> = score
        .yaku
        .iter()
        .map(|yaku| YakuText {
            name: yaku.name().into(),
            what: yaku.english().into(),
            han: rules.han(yaku, win.is_open()),
        })
        .collect();
    let bonus = [
        ("Dora", "tiles an indicator points to", score.dora),
        ("Aka Dora", "red fives", score.reds),
        ("Ura Dora", "tiles an indicator under the dora points to", score.ura),
    ];
    for (name, what, han) in bonus.into_iter().filter(|(_, _, han)| *han > 0) {
        texts.push(YakuText { name: name.into(), what: what.into(), han });
    }
    texts
}

fn fu_text(line: &FuLine) -> FuText {
    let what = match line.source {
        FuSource::Base => "for winning".into(),
        FuSource::SevenPairs => "seven pairs, always".into(),
        FuSource::ClosedRon => "closed hand, won on another's tile".into(),
        FuSource::Block { block, open } => {
            let shape = if block.shape == Shape::Quad { "kan" } else { "triplet" };
            let how = match (open, block.open) {
                (false, _) => "concealed",
                (true, true) => "open",
                (true, false) => "completed by another's tile, so open",
            };
            let tiles = if block.first.is_orphan() { "terminals or honors" } else { "simple tiles" };
            format!("{block}: {shape} of {tiles}, {how}")
        }
        FuSource::Pair(kind) => format!("pair of {kind}"),
        FuSource::MiddleWait => "waiting for the middle of a run".into(),
        FuSource::EdgeWait => "waiting for the edge of a run".into(),
        FuSource::PairWait => "waiting for the pair".into(),
        FuSource::Tsumo => "self-draw".into(),
        FuSource::OpenWithoutFu => "open hand without other fu".into(),
    };
    FuText { fu: line.fu, what }
}

fn base_text(score: &Score) -> String {
    match score.limit {
        Limit::None => format!("{} fu × 2^(2 + {} han) = {} base points", score.fu, score.han, score.base),
        limit => format!("{} = {} base points", limit.name(), score.base),
    }
}

fn payment_texts(price: Price, honba: u32, stakes: Stakes, sticks: u32) -> Vec<String> {
    let with = |points: u32, extra: u32| match extra {
        0 => format!("{points}"),
        _ => format!("{points} + {extra} ({} honba) = {}", stakes.honba, points + extra),
    };
    let mut texts = match price {
        Price::Ron(points) => vec![format!("the discarder pays {}", with(points, 3 * honba))],
        Price::DealerTsumo(each) => vec![format!("each of the other three pays {}", with(each, honba))],
        Price::Tsumo { dealer, others } => vec![
            format!("the dealer pays {}", with(dealer, honba)),
            format!("each of the other two pays {}", with(others, honba)),
        ],
    };
    if sticks > 0 {
        texts.push(format!("the table gives {sticks} ({} riichi sticks)", stakes.sticks));
    }
    texts
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.reading)?;
        writeln!(f, "\nyaku")?;
        for line in &self.yaku {
            writeln!(f, "  {:>2}  {} ({})", line.han, line.name, line.what)?;
        }
        if !self.fu_lines.is_empty() {
            writeln!(f, "\nfu")?;
            for line in &self.fu_lines {
                writeln!(f, "  {:>2}  {}", line.fu, line.what)?;
            }
            let raw: u32 = self.fu_lines.iter().map(|line| u32::from(line.fu)).sum();
            if raw != u32::from(self.fu) {
                writeln!(f, "  {raw} rounded up to {}", self.fu)?;
            }
        }
        write!(f, "\n{} han", self.han)?;
        if self.fu > 0 {
            write!(f, " {} fu", self.fu)?;
        }
        if let Some(limit) = &self.limit {
            write!(f, ", {limit}")?;
        }
        writeln!(f, "\n{}", self.base)?;
        writeln!(f)?;
        for line in &self.payments {
            writeln!(f, "{line}")?;
        }
        write!(f, "the winner gets {}", self.total)
    }
}

impl fmt::Display for Settlement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for payment in &self.payments {
            let what = match payment.paid_for {
                PaidFor::Hand => "for the hand",
                PaidFor::Liability => "for the hand, being liable",
                PaidFor::Honba => "for honba",
            };
            writeln!(f, "{} pays {} {what}", payment.from, payment.points)?;
        }
        if self.stick_points > 0 {
            writeln!(f, "the table gives {} for riichi sticks", self.stick_points)?;
        }
        write!(f, "{} gets {}", self.winner, self.deltas()[self.winner.index()])
    }
}
