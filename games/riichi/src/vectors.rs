//! JSON lines in and out: what `parlor riichi score`, `shanten` and `waits` read and print.
//!
//! The fields are those of the project's vectors, so a vector's own line is valid input; what it says of the answer is
//! not looked at. A line that cannot be read or believed gives an answer too: `{"error": code, "message": text}`.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::hand::{Hand, HandError};
use crate::limit::Limit;
use crate::meld::{Meld, MeldKind};
use crate::pay::{Price, Stakes};
use crate::rules::Rules;
use crate::score::{Score, score};
use crate::sets::TileSet;
use crate::shanten::shanten_by_shape;
use crate::tile::{Tile, Wind};
use crate::waits::waits;
use crate::win::{Claim, Flags, Win};

/// Why a line has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError {
    /// A short name of the fault, for programs.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: String,
}

impl LineError {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The line to print for it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({ "error": self.code, "message": self.message })
    }
}

impl From<HandError> for LineError {
    fn from(error: HandError) -> Self {
        let code = match error {
            HandError::FiveOfAKind { .. } => "five_of_a_kind",
            HandError::TooManyTiles => "wrong_count",
        };
        Self::new(code, error.to_string())
    }
}

/// A line for `score`.
#[derive(Clone, Debug, Deserialize)]
pub struct ScoreLine {
    /// A scoring profile.
    pub rules: String,
    /// Concealed tiles, the winning one among them.
    pub hand: Vec<i64>,
    /// Kind and tiles of each meld.
    #[serde(default)]
    pub melds: Vec<(String, Vec<i64>)>,
    /// The winning tile.
    pub win: i64,
    /// Dora indicators.
    #[serde(default)]
    pub dora: Vec<i64>,
    /// Ura indicators.
    #[serde(default)]
    pub ura: Vec<i64>,
    /// 0 = east.
    pub seat_wind: i64,
    /// 0 = east.
    pub round_wind: i64,
    /// Counters on the table.
    #[serde(default)]
    pub honba: i64,
    /// Riichi sticks on the table.
    #[serde(default)]
    pub sticks: i64,
    /// How the win came about.
    #[serde(default)]
    pub flags: Vec<String>,
}

/// A line for `shanten` and `waits`.
#[derive(Clone, Debug, Deserialize)]
pub struct HandLine {
    /// How many melds.
    #[serde(default)]
    pub melds: i64,
    /// Concealed tiles.
    pub hand: Vec<i64>,
}

/// A win read from a line, ready to be scored.
#[derive(Clone, Debug)]
pub struct ReadWin {
    pub win: Win,
    pub rules: Rules,
    /// What lies on the table.
    pub stakes: Stakes,
}

impl ScoreLine {
    /// Reads and believes the line.
    ///
    /// # Errors
    /// If something in it is unknown or cannot be.
    pub fn read(&self) -> Result<ReadWin, LineError> {
        let rules = Rules::profile(&self.rules).ok_or_else(|| {
            let known = Rules::PROFILES.join(", ");
            LineError::new("unknown_rules", format!("rules {:?}: the profiles are {known}", self.rules))
        })?;
        let hand = tiles("hand", &self.hand)?;
        let melds = self.melds.iter().map(read_meld).collect::<Result<Vec<_>, _>>()?;
        let (dora, ura) = (tiles("dora", &self.dora)?, tiles("ura", &self.ura)?);
        let mut flags = Flags::NONE;
        for name in &self.flags {
            let flag = Flags::from_name(name);
            flags = flags.with(flag.ok_or_else(|| LineError::new("unknown_flag", format!("flag {name:?}")))?);
        }
        let claim = Claim {
            hand: &hand,
            melds: &melds,
            win: tile("win", self.win)?,
            dora: &dora,
            ura: &ura,
            seat_wind: wind("seat_wind", self.seat_wind)?,
            round_wind: wind("round_wind", self.round_wind)?,
            flags,
        };
        let win = Win::new(&claim).map_err(|error| LineError::new(error.code(), error.to_string()))?;
        let stakes = Stakes { honba: count("honba", self.honba)?, sticks: count("sticks", self.sticks)? };
        Ok(ReadWin { win, rules, stakes })
    }
}

impl HandLine {
    /// Reads the concealed tiles, of which there must be 14 (or, for `waits`, 13) less three for every meld.
    fn read(&self, whole: &[usize]) -> Result<Hand, LineError> {
        let melds = usize::try_from(self.melds).ok().filter(|melds| *melds <= 4);
        let melds =
            melds.ok_or_else(|| LineError::new("wrong_count", format!("{} melds: 0 to 4", self.melds)))?;
        let tiles = tiles("hand", &self.hand)?;
        if !whole.iter().any(|whole| tiles.len() + 3 * melds == *whole) {
            let wanted: Vec<String> = whole.iter().map(|whole| (whole - 3 * melds).to_string()).collect();
            let wanted = wanted.join(" or ");
            let message = format!("{} tiles in hand; with {melds} melds it must be {wanted}", tiles.len());
            return Err(LineError::new("wrong_count", message));
        }
        let hand = Hand::from_tiles(&tiles)?;
        let mut seen = TileSet::EMPTY;
        if let Some(twice) = tiles.iter().find(|tile| !seen.insert(**tile)) {
            let message = format!("tile {} ({twice}) is there twice", twice.id());
            return Err(LineError::new("same_tile_twice", message));
        }
        Ok(hand)
    }
}

/// Answers a line for `score`: the `out` object of the vectors.
///
/// # Errors
/// If the line cannot be read or believed. A hand that is not complete or has no yaku is an answer, not an error.
pub fn score_line(line: &str) -> Result<Value, LineError> {
    let ReadWin { win, rules, stakes } = parse::<ScoreLine>(line)?.read()?;
    Ok(match score(&win, &rules) {
        Ok(score) => score_out(&win, &rules, &score, stakes),
        Err(none) => json!({ "error": none.code() }),
    })
}

/// Answers a line for `shanten`: `{regular, best, chiitoi?, kokushi?}`, the last two only without melds.
///
/// # Errors
/// If the line cannot be read or believed.
pub fn shanten_line(line: &str) -> Result<Value, LineError> {
    let line = parse::<HandLine>(line)?;
    let shanten = shanten_by_shape(&line.read(&[14, 13])?);
    let mut out = json!({ "regular": shanten.regular, "best": shanten.best() });
    if let (Some(pairs), Some(orphans)) = (shanten.seven_pairs, shanten.thirteen_orphans) {
        out["chiitoi"] = pairs.into();
        out["kokushi"] = orphans.into();
    }
    Ok(out)
}

/// Answers a line for `waits`: `{waits}`.
///
/// # Errors
/// If the line cannot be read or believed.
pub fn waits_line(line: &str) -> Result<Value, LineError> {
    let hand = parse::<HandLine>(line)?.read(&[13])?;
    let kinds: Vec<u8> = waits(&hand).iter().map(|kind| kind.number()).collect();
    Ok(json!({ "waits": kinds }))
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, LineError> {
    serde_json::from_str(line).map_err(|error| LineError::new("invalid_line", error.to_string()))
}

/// The `out` object of a score.
#[must_use]
pub fn score_out(win: &Win, rules: &Rules, score: &Score, stakes: Stakes) -> Value {
    let mut yaku: Vec<(&str, u8)> =
        score.yaku.iter().map(|yaku| (yaku.name(), rules.han(yaku, win.is_open()))).collect();
    let bonus = [("Dora", score.dora), ("Aka Dora", score.reds), ("Ura Dora", score.ura)];
    yaku.extend(bonus.into_iter().filter(|(_, han)| *han > 0));
    yaku.sort_unstable();
    let price = Price::of(score.base, win.is_dealer(), win.is_tsumo());
    let honba = u32::from(stakes.honba) * u32::from(rules.honba_points);
    let (main, additional) = match price {
        Price::Ron(points) => (points, 0),
        Price::DealerTsumo(each) => (each, each),
        Price::Tsumo { dealer, others } => (dealer, others),
    };
    let (main_bonus, additional_bonus) = if win.is_tsumo() { (honba, honba) } else { (3 * honba, 0) };
    let sticks = u32::from(stakes.sticks) * u32::from(rules.stick_points);
    json!({
        "han": score.han,
        "fu": score.fu,
        "yaku": yaku,
        "cost": {
            "main": main,
            "main_bonus": main_bonus,
            "additional": additional,
            "additional_bonus": additional_bonus,
            "kyoutaku_bonus": sticks,
            "total": price.total() + 3 * honba + sticks,
            "yaku_level": level(score, rules),
        },
    })
}

/// The name of the limit, as the vectors have it. They leave a mangan below five han without a name where kiriage is on.
fn level(score: &Score, rules: &Rules) -> String {
    match score.limit {
        Limit::None => String::new(),
        Limit::Mangan if score.han < 5 && rules.kiriage_mangan => {
            if matches!((score.han, score.fu), (4, 30) | (3, 60)) {
                "kiriage mangan".into()
            } else {
                String::new()
            }
        }
        Limit::Mangan => "mangan".into(),
        Limit::Haneman => "haneman".into(),
        Limit::Baiman => "baiman".into(),
        Limit::Sanbaiman => "sanbaiman".into(),
        Limit::Kazoe(1) | Limit::Yakuman(1) => "yakuman".into(),
        Limit::Kazoe(times) | Limit::Yakuman(times) => format!("{times}x yakuman"),
    }
}

fn read_meld((name, ids): &(String, Vec<i64>)) -> Result<Meld, LineError> {
    let kind = MeldKind::from_name(name).ok_or_else(|| {
        let known = MeldKind::ALL.map(MeldKind::name).join(", ");
        LineError::new("unknown_meld", format!("meld {name:?}: the kinds are {known}"))
    })?;
    let tiles = tiles("melds", ids)?;
    Meld::new(kind, &tiles).map_err(|error| LineError::new("invalid_meld", error.to_string()))
}

fn tiles(field: &str, ids: &[i64]) -> Result<Vec<Tile>, LineError> {
    ids.iter().map(|id| tile(field, *id)).collect()
}

fn tile(field: &str, id: i64) -> Result<Tile, LineError> {
    let tile = u8::try_from(id).ok().and_then(Tile::new);
    tile.ok_or_else(|| LineError::new("unknown_tile", format!("{field}: tile {id}; ids are 0 to 135")))
}

fn wind(field: &str, number: i64) -> Result<Wind, LineError> {
    let wind = u8::try_from(number).ok().and_then(Wind::new);
    wind.ok_or_else(|| {
        LineError::new("unknown_wind", format!("{field}: {number}; 0 east, 1 south, 2 west, 3 north"))
    })
}

/// A table never sees as many counters or sticks as this.
const STAKES_MAX: i64 = 1000;

fn count(field: &str, number: i64) -> Result<u16, LineError> {
    if (0..=STAKES_MAX).contains(&number) {
        return Ok(number as u16);
    }
    Err(LineError::new("out_of_range", format!("{field}: {number}; 0 to {STAKES_MAX}")))
}
