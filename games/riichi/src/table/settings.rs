//! What a table plays by: every optional rule a named field, the four presets, and the check at creation.
//!
//! A *preset* is a set of rules. A [`Pace`](super::pace::Pace) is clocks and house manners; the two are free to combine
//! and know nothing of each other.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SEATS_MAX;
use crate::rules::{DoubleYakuman, Kazoe, KuikaeForbidden, Pao, PaoHonba, Renhou, RiichiKan, Rules};

/// How many winds a game lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameType {
    /// East only.
    East,
    /// East and South.
    Hanchan,
}

/// What follows the last hand if nobody has the points to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Enchousen {
    /// Nothing: the game is over.
    None,
    /// One more wind, which ends as soon as somebody has the points.
    SuddenDeath,
}

/// When the indicator that a kan earns is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KanDora {
    /// Before the tile after the kan is drawn.
    Immediate,
    /// Before the discard after the kan, or when another kan is declared first.
    BeforeDiscard,
    /// When the discard after the kan has passed without a ron.
    AfterDiscardPasses,
}

/// How many seats may win on one tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MultiRon {
    /// The first in turn order.
    HeadBump,
    /// Two; three end the round without a winner.
    Double,
    /// All three.
    Triple,
}

/// Which winners of one tile are paid the honba.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HonbaMulti {
    /// The first in turn order.
    First,
    /// Each of them.
    All,
}

/// What a river of terminals and honors is worth at an exhaustive draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nagashi {
    /// Nothing.
    Off,
    /// Payments in place of those for noten; the round is a draw, sticks stay, no honba is paid.
    Draw,
    /// A win by self-draw: honba and sticks are paid, and a dealer who has it stays.
    Win,
}

/// Who is ahead with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Who sits nearer to the first dealer in turn order.
    Seat,
    /// Nobody: they share the uma of their places.
    Share,
}

/// Where the riichi sticks go that lie on the table at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftoverRiichiBets {
    /// To the first place.
    Winner,
    /// To nobody.
    Lost,
}

/// The preset that settings were made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// The document's rules.
    Ronin,
    Tenhou,
    /// Mahjong Soul.
    Soul,
    /// The European Mahjong Association, 2016.
    Ema,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Ronin, Self::Tenhou, Self::Soul, Self::Ema];

    /// The name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ronin => "ronin",
            Self::Tenhou => "tenhou",
            Self::Soul => "soul",
            Self::Ema => "ema",
        }
    }

    /// The preset with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }
}

/// The rules of a table. `RULES.md` says what each is under each preset, and where that comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What fields that were not named were taken from.
    pub preset: Preset,
    pub num_players: u8,
    pub game_type: GameType,
    pub start_points: i32,
    /// What a seat's points are counted from at the end.
    pub target_points: i32,
    /// What somebody must have for the game to end after its last hand.
    pub winning_threshold: i32,
    pub enchousen: Enchousen,
    /// In overtime the points end the game even where the dealer would stay.
    pub sudden_death_over_renchan: bool,
    /// By place, in thousands.
    pub uma: [i32; SEATS_MAX],
    /// Final points are rounded to thousands; without it they have tenths.
    pub round_points: bool,
    /// The most that is rounded down, in points.
    pub goshashonyu: i32,
    pub tobi: bool,
    /// The game ends when somebody has less.
    pub tobi_threshold: i32,
    pub agari_yame: bool,
    pub tenpai_yame: bool,
    pub tie_break: TieBreak,
    pub leftover_riichi_bets: LeftoverRiichiBets,

    pub red_fives: bool,
    pub open_tanyao: bool,
    pub ippatsu: bool,
    /// The first indicator counts.
    pub omote_dora: bool,
    pub ura_dora: bool,
    pub kan_dora: bool,
    pub kan_ura_dora: bool,
    pub closed_kan_dora: KanDora,
    pub open_kan_dora: KanDora,

    pub kuikae_forbidden: bool,
    pub suji_kuikae_forbidden: bool,
    /// A seat that may ron may pon, chi or kan instead.
    pub ron_caller_may_meld: bool,
    /// Tiles that must be left to draw for a kan.
    pub min_wall_for_kan: u8,
    pub max_kans: u8,
    pub riichi_kan: RiichiKan,
    /// Thirteen orphans may rob a closed kan.
    pub kokushi_robs_closed_kan: bool,
    pub riichi_cost: u16,
    /// Tiles that must be left to draw for riichi.
    pub min_wall_for_riichi: u8,

    pub multi_ron: MultiRon,
    pub honba_multi: HonbaMulti,
    pub honba_points: u16,
    pub noten_pool: u32,
    pub nagashi: Nagashi,
    /// Paid by (or to) the dealer, and by each of the others.
    pub nagashi_points: [i32; 2],
    pub renchan_on_win: bool,
    pub renchan_on_tenpai: bool,
    pub renchan_on_abort: bool,

    pub abort_nine_kinds: bool,
    pub nine_kinds_min: u8,
    pub abort_four_winds: bool,
    pub abort_four_riichi: bool,
    pub abort_four_kans: bool,
    /// How many seats the four kans must be spread over.
    pub four_kans_min_players: u8,

    pub pao_daisangen: bool,
    pub pao_daisuushii: bool,
    pub pao_suukantsu: bool,
    pub pao_honba: PaoHonba,
    pub pao_only_own_yakuman: bool,

    pub kiriage_mangan: bool,
    pub kazoe: Kazoe,
    pub double_kokushi_thirteen: bool,
    pub double_suuankou_tanki: bool,
    pub double_junsei_chuuren: bool,
    pub double_daisuushii: bool,
    pub yakuman_max: u8,
    pub renhou: Renhou,
    pub double_wind_pair_fu: u8,
    pub open_pinfu_fu: bool,
    pub pinfu_tsumo_fu: bool,
    pub rinshan_fu: bool,
    pub daisharin: bool,
    pub daisharin_other_suits: bool,
    pub daichisei: bool,
    pub sashikomi: bool,
    pub paarenchan: bool,
    pub paarenchan_needs_yaku: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self::ronin()
    }
}

impl Settings {
    /// The settings of a preset.
    #[must_use]
    pub const fn of(preset: Preset) -> Self {
        match preset {
            Preset::Ronin => Self::ronin(),
            Preset::Tenhou => Self::tenhou(),
            Preset::Soul => Self::soul(),
            Preset::Ema => Self::ema(),
        }
    }

    /// The document's rules.
    #[must_use]
    pub const fn ronin() -> Self {
        Self {
            preset: Preset::Ronin,
            num_players: 4,
            game_type: GameType::Hanchan,
            start_points: 25_000,
            target_points: 30_000,
            winning_threshold: 30_000,
            enchousen: Enchousen::SuddenDeath,
            sudden_death_over_renchan: true,
            uma: [20, 10, -10, -20],
            round_points: true,
            goshashonyu: 500,
            tobi: true,
            tobi_threshold: 0,
            agari_yame: false,
            tenpai_yame: false,
            tie_break: TieBreak::Seat,
            leftover_riichi_bets: LeftoverRiichiBets::Winner,
            red_fives: true,
            open_tanyao: true,
            ippatsu: true,
            omote_dora: true,
            ura_dora: true,
            kan_dora: true,
            kan_ura_dora: true,
            closed_kan_dora: KanDora::Immediate,
            open_kan_dora: KanDora::AfterDiscardPasses,
            kuikae_forbidden: true,
            suji_kuikae_forbidden: true,
            ron_caller_may_meld: false,
            min_wall_for_kan: 2,
            max_kans: 4,
            riichi_kan: RiichiKan::SameReadings,
            kokushi_robs_closed_kan: true,
            riichi_cost: 1000,
            min_wall_for_riichi: 4,
            multi_ron: MultiRon::Double,
            honba_multi: HonbaMulti::All,
            honba_points: 100,
            noten_pool: 3000,
            nagashi: Nagashi::Draw,
            nagashi_points: [4000, 2000],
            renchan_on_win: true,
            renchan_on_tenpai: true,
            renchan_on_abort: true,
            abort_nine_kinds: true,
            nine_kinds_min: 9,
            abort_four_winds: true,
            abort_four_riichi: true,
            abort_four_kans: true,
            four_kans_min_players: 2,
            pao_daisangen: true,
            pao_daisuushii: true,
            pao_suukantsu: false,
            pao_honba: PaoHonba::Shared,
            pao_only_own_yakuman: false,
            kiriage_mangan: true,
            kazoe: Kazoe::Yakuman,
            double_kokushi_thirteen: true,
            double_suuankou_tanki: true,
            double_junsei_chuuren: true,
            double_daisuushii: true,
            yakuman_max: 6,
            renhou: Renhou::Han(5),
            double_wind_pair_fu: 4,
            open_pinfu_fu: true,
            pinfu_tsumo_fu: false,
            rinshan_fu: true,
            daisharin: false,
            daisharin_other_suits: false,
            daichisei: false,
            sashikomi: false,
            paarenchan: false,
            paarenchan_needs_yaku: true,
        }
    }

    /// Tenhou.
    #[must_use]
    pub const fn tenhou() -> Self {
        Self {
            preset: Preset::Tenhou,
            sudden_death_over_renchan: false,
            agari_yame: true,
            tenpai_yame: true,
            open_kan_dora: KanDora::BeforeDiscard,
            ron_caller_may_meld: true,
            min_wall_for_kan: 1,
            riichi_kan: RiichiKan::SameWaits,
            kokushi_robs_closed_kan: false,
            honba_multi: HonbaMulti::First,
            pao_honba: PaoHonba::Liable,
            kiriage_mangan: false,
            double_kokushi_thirteen: false,
            double_suuankou_tanki: false,
            double_junsei_chuuren: false,
            double_daisuushii: false,
            renhou: Renhou::Off,
            ..Self::ronin()
        }
    }

    /// Mahjong Soul.
    #[must_use]
    pub const fn soul() -> Self {
        Self {
            preset: Preset::Soul,
            sudden_death_over_renchan: false,
            uma: [15, 5, -5, -15],
            round_points: false,
            agari_yame: true,
            tenpai_yame: true,
            ron_caller_may_meld: true,
            min_wall_for_kan: 1,
            riichi_kan: RiichiKan::SameWaits,
            multi_ron: MultiRon::Triple,
            honba_multi: HonbaMulti::First,
            pao_honba: PaoHonba::Liable,
            pao_only_own_yakuman: true,
            kiriage_mangan: false,
            renhou: Renhou::Off,
            ..Self::ronin()
        }
    }

    /// EMA, edition of 2016.
    #[must_use]
    pub const fn ema() -> Self {
        Self {
            preset: Preset::Ema,
            start_points: 30_000,
            enchousen: Enchousen::None,
            sudden_death_over_renchan: false,
            uma: [15, 5, -5, -15],
            round_points: false,
            tobi: false,
            tie_break: TieBreak::Share,
            red_fives: false,
            open_kan_dora: KanDora::Immediate,
            ron_caller_may_meld: true,
            min_wall_for_kan: 1,
            multi_ron: MultiRon::Triple,
            nagashi: Nagashi::Off,
            abort_nine_kinds: false,
            abort_four_winds: false,
            abort_four_riichi: false,
            abort_four_kans: false,
            pao_honba: PaoHonba::Discarder,
            kiriage_mangan: false,
            kazoe: Kazoe::Sanbaiman,
            double_kokushi_thirteen: false,
            double_suuankou_tanki: false,
            double_junsei_chuuren: false,
            double_daisuushii: false,
            yakuman_max: 1,
            renhou: Renhou::FlatMangan,
            ..Self::ronin()
        }
    }

    /// Settings from JSON: the fields of its `preset` (`ronin` if it names none), changed where others are given.
    ///
    /// # Errors
    /// If a name or a value is unknown, or [`Settings::validate`] finds a fault.
    pub fn read(given: &Value) -> Result<Self, SettingsError> {
        let Value::Object(given) = given else {
            return Err(SettingsError::one(
                "settings",
                "must be an object, such as {\"preset\": \"tenhou\"}",
            ));
        };
        let preset = match given.get("preset") {
            None => Preset::Ronin,
            Some(name) => name.as_str().and_then(Preset::from_name).ok_or_else(|| {
                SettingsError::one("preset", format!("is {name}; there are ronin, tenhou, soul and ema"))
            })?,
        };
        let plain = |error: serde_json::Error| SettingsError::one("settings", error.to_string());
        let mut all = serde_json::to_value(Self::of(preset)).map_err(plain)?;
        for (name, value) in given {
            // The name this restriction had in the public implementation.
            let name = if name == "has_kuikae" { "kuikae_forbidden" } else { name };
            let Some(place) = all.get_mut(name) else {
                return Err(SettingsError::one(name, "is not a setting of this game"));
            };
            *place = value.clone();
            let read: Result<Self, _> = serde_json::from_value(all.clone());
            read.map_err(|error| SettingsError::one(name, error.to_string()))?;
        }
        let settings: Self = serde_json::from_value(all).map_err(plain)?;
        settings.validate()?;
        Ok(settings)
    }

    /// Whether a table can be played by these.
    ///
    /// # Errors
    /// Every fault, each with the fields it is about.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let mut faults = Vec::new();
        let mut fault = |wrong: bool, fields: &'static [&'static str], text: &str| {
            if wrong {
                faults.push(SettingsFault {
                    fields: fields.iter().map(|&f| f.into()).collect(),
                    text: text.into(),
                });
            }
        };
        self.check_numbers(&mut fault);
        self.check_combinations(&mut fault);
        if faults.is_empty() { Ok(()) } else { Err(SettingsError { faults }) }
    }

    fn check_numbers(&self, fault: &mut impl FnMut(bool, &'static [&'static str], &str)) {
        let hundreds = |points: i32| points % 100 == 0;
        let points = |points: i32| (0..=1_000_000).contains(&points) && hundreds(points);
        fault(self.num_players != 4, &["num_players"], "must be 4: three players are not played yet");
        fault(!points(self.start_points), &["start_points"], "must be hundreds from 0 to 1000000");
        fault(!points(self.target_points), &["target_points"], "must be hundreds from 0 to 1000000");
        fault(!points(self.winning_threshold), &["winning_threshold"], "must be hundreds from 0 to 1000000");
        fault(!(0..1000).contains(&self.goshashonyu), &["goshashonyu"], "must be from 0 to 999");
        fault(self.uma.iter().any(|uma| uma.abs() > 1000), &["uma"], "must be from -1000 to 1000 each");
        fault(self.uma.iter().sum::<i32>() != 0, &["uma"], "must add up to 0");
        fault(self.uma.windows(2).any(|two| two[0] < two[1]), &["uma"], "must not rise from place to place");
        fault(!hundreds(i32::from(self.riichi_cost)), &["riichi_cost"], "must be hundreds");
        fault(!hundreds(i32::from(self.honba_points)), &["honba_points"], "must be hundreds");
        // Three, two or one payer share it, and so do those who are paid.
        fault(!self.noten_pool.is_multiple_of(600), &["noten_pool"], "must be a multiple of 600");
        fault(self.noten_pool > 60_000, &["noten_pool"], "must be at most 60000");
        fault(!self.nagashi_points.iter().all(|&p| points(p)), &["nagashi_points"], "must be hundreds");
        fault(self.max_kans > 4, &["max_kans"], "must be at most 4: the dead wall has four tiles for kans");
        fault(!(1..=70).contains(&self.min_wall_for_kan), &["min_wall_for_kan"], "must be from 1 to 70");
        fault(self.min_wall_for_riichi > 70, &["min_wall_for_riichi"], "must be at most 70");
        fault(!(1..=13).contains(&self.nine_kinds_min), &["nine_kinds_min"], "must be from 1 to 13");
        fault(!(1..=6).contains(&self.yakuman_max), &["yakuman_max"], "must be from 1 to 6");
        fault(!matches!(self.double_wind_pair_fu, 2 | 4), &["double_wind_pair_fu"], "must be 2 or 4");
        let renhou = matches!(self.renhou, Renhou::Han(han) if !(1..=12).contains(&han));
        fault(renhou, &["renhou"], "must be from 1 to 12 han, or yakuman");
    }

    fn check_combinations(&self, fault: &mut impl FnMut(bool, &'static [&'static str], &str)) {
        fault(
            self.tobi && self.start_points < self.tobi_threshold,
            &["tobi_threshold", "start_points"],
            "the game would be over before its first hand",
        );
        fault(
            self.suji_kuikae_forbidden && !self.kuikae_forbidden,
            &["suji_kuikae_forbidden", "kuikae_forbidden"],
            "the other end of a run cannot be forbidden where the called tile itself is allowed",
        );
        fault(
            self.kan_ura_dora && !(self.kan_dora && self.ura_dora),
            &["kan_ura_dora", "kan_dora", "ura_dora"],
            "ura of kans need both ura and indicators of kans",
        );
        fault(
            self.abort_four_kans && (self.max_kans < 4 || !(1..=4).contains(&self.four_kans_min_players)),
            &["abort_four_kans", "max_kans", "four_kans_min_players"],
            "four kans cannot be spread like this",
        );
        fault(
            self.tenpai_yame && !(self.renchan_on_tenpai && self.agari_yame),
            &["tenpai_yame", "renchan_on_tenpai", "agari_yame"],
            "a dealer ends the game by tenpai only where tenpai keeps the deal and a win ends it too",
        );
        fault(self.sashikomi, &["sashikomi"], "needs an open riichi, which no table offers");
        fault(
            self.kan_ura_dora && !self.omote_dora,
            &["kan_ura_dora", "omote_dora"],
            "ura of kans need the first indicator",
        );
    }

    /// The part that scores hands.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        Rules {
            open_tanyao: self.open_tanyao,
            red_fives: self.red_fives,
            ippatsu: self.ippatsu,
            ura_dora: self.ura_dora,
            double_yakuman: DoubleYakuman {
                kokushi_thirteen: self.double_kokushi_thirteen,
                suuankou_tanki: self.double_suuankou_tanki,
                junsei_chuuren: self.double_junsei_chuuren,
                daisuushii: self.double_daisuushii,
            },
            yakuman_max: self.yakuman_max,
            kazoe: self.kazoe,
            kiriage_mangan: self.kiriage_mangan,
            renhou: self.renhou,
            double_wind_pair_fu: self.double_wind_pair_fu,
            open_pinfu_fu: self.open_pinfu_fu,
            pinfu_tsumo_fu: self.pinfu_tsumo_fu,
            rinshan_fu: self.rinshan_fu,
            daisharin: self.daisharin,
            daisharin_other_suits: self.daisharin_other_suits,
            daichisei: self.daichisei,
            sashikomi: self.sashikomi,
            paarenchan_needs_yaku: self.paarenchan_needs_yaku,
            pao: Pao {
                daisangen: self.pao_daisangen,
                daisuushii: self.pao_daisuushii,
                suukantsu: self.pao_suukantsu,
                honba: self.pao_honba,
                only_own_yakuman: self.pao_only_own_yakuman,
            },
            honba_points: self.honba_points,
            stick_points: self.riichi_cost,
            kuikae_forbidden: self.kuikae(),
            riichi_kan: self.riichi_kan,
        }
    }

    pub(super) const fn kuikae(&self) -> KuikaeForbidden {
        KuikaeForbidden { same: self.kuikae_forbidden, suji: self.suji_kuikae_forbidden }
    }

    /// The number of the last hand before overtime, counted from 0.
    pub(super) const fn last_kyoku(&self, seats: u8) -> u8 {
        match self.game_type {
            GameType::East => seats - 1,
            GameType::Hanchan => 2 * seats - 1,
        }
    }
}

/// One thing that is wrong with settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFault {
    /// The fields it is about.
    pub fields: Vec<String>,
    pub text: String,
}

/// All that is wrong with settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    pub faults: Vec<SettingsFault>,
}

impl SettingsError {
    fn one(field: impl Into<String>, text: impl Into<String>) -> Self {
        Self { faults: vec![SettingsFault { fields: vec![field.into()], text: text.into() }] }
    }
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let gap = if index > 0 { "; " } else { "" };
            write!(f, "{gap}{}: {}", fault.fields.join(", "), fault.text)?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsError {}
