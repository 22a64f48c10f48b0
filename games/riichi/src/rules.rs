//! The optional rules about hands, each a named setting, and the presets.
//!
//! A *table preset* ([`Rules::ronin`], [`Rules::tenhou`], [`Rules::soul`], [`Rules::ema`]) is what a table plays by. A
//! *scoring profile* ([`Rules::profile`]) is what the vectors of `parlor riichi score` name in their field `rules`; four
//! of the six carry the name of a preset and differ from it in renhou, which the vectors always count as five han.

use serde::{Deserialize, Serialize};

/// How a table scores, and what it lets a seat do with its hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rules {
    /// An open hand may have tanyao.
    pub open_tanyao: bool,
    /// The three red fives count as dora.
    pub red_fives: bool,
    /// Ippatsu counts.
    pub ippatsu: bool,
    /// Ura dora count.
    pub ura_dora: bool,
    /// Which yakuman are worth two.
    pub double_yakuman: DoubleYakuman,
    /// The most yakuman a hand is paid for.
    pub yakuman_max: u8,
    /// What thirteen han without a yakuman are.
    pub kazoe: Kazoe,
    /// 4 han 30 fu and 3 han 60 fu are paid as mangan.
    pub kiriage_mangan: bool,
    /// What a win on a discard before the first own turn is worth.
    pub renhou: Renhou,
    /// Fu for a pair that is both seat and round wind: 4, or 2.
    pub double_wind_pair_fu: u8,
    /// An open hand without any fu has 2, so that none is below 30.
    pub open_pinfu_fu: bool,
    /// A self-drawn pinfu has the 2 fu of a self-draw, and then is no pinfu.
    pub pinfu_tsumo_fu: bool,
    /// A win on the tile after a kan has the 2 fu of a self-draw.
    pub rinshan_fu: bool,
    /// 22334455667788 of pin is a yakuman.
    pub daisharin: bool,
    /// So it is of man and sou.
    pub daisharin_other_suits: bool,
    /// Seven pairs of honors are a yakuman of their own beside tsuuiisou.
    pub daichisei: bool,
    /// Dealing into an open riichi is a yakuman.
    pub sashikomi: bool,
    /// The dealer's eighth win in a row needs another yaku beside it.
    pub paarenchan_needs_yaku: bool,
    /// Which yakuman make the feeder of the last set liable.
    pub pao: Pao,
    /// What one honba adds for each of three payers.
    pub honba_points: u16,
    /// What a riichi stick is worth.
    pub stick_points: u16,
    /// Which discards a chi or pon forbids.
    pub kuikae_forbidden: KuikaeForbidden,
    /// Which closed kans riichi allows.
    pub riichi_kan: RiichiKan,
}

/// Which yakuman are worth two; each a flag of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleYakuman {
    pub kokushi_thirteen: bool,
    pub suuankou_tanki: bool,
    pub junsei_chuuren: bool,
    pub daisuushii: bool,
}

impl DoubleYakuman {
    /// All four.
    pub const ALL: Self =
        Self { kokushi_thirteen: true, suuankou_tanki: true, junsei_chuuren: true, daisuushii: true };
    /// None of them.
    pub const NONE: Self =
        Self { kokushi_thirteen: false, suuankou_tanki: false, junsei_chuuren: false, daisuushii: false };
}

/// What thirteen or more han are without a yakuman.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kazoe {
    /// One yakuman.
    Yakuman,
    /// Sanbaiman.
    Sanbaiman,
    /// One yakuman for every thirteen.
    Unlimited,
}

/// What renhou is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Renhou {
    /// Nothing: no yaku at all.
    Off,
    /// So many han, which add up with the rest: 5 is "mangan", 8 "baiman".
    Han(u8),
    /// A mangan, unless the hand is worth more without it.
    FlatMangan,
    /// A baiman, unless the hand is worth more without it.
    FlatBaiman,
    /// A yakuman.
    Yakuman,
}

/// Liability for a yakuman.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pao {
    /// For the third dragon set.
    pub daisangen: bool,
    /// For the fourth wind set.
    pub daisuushii: bool,
    /// For the fourth kan.
    pub suukantsu: bool,
    /// Who bears the honba of a ron that the liable seat and the discarder share.
    pub honba: PaoHonba,
    /// In a hand of several yakuman, the liable seat answers only for the one it fed.
    pub only_own_yakuman: bool,
}

/// Who bears the honba of a shared ron.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaoHonba {
    /// The liable seat.
    Liable,
    /// The discarder.
    Discarder,
    /// Both: the sum with honba is halved, an odd hundred falls to the liable seat.
    Shared,
}

/// Which discards right after a chi or pon are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KuikaeForbidden {
    /// The kind that was called.
    pub same: bool,
    /// The kind at the other end of a run that was called at its end.
    pub suji: bool,
}

/// Which closed kans riichi allows; the tile drawn must be one of the four in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiichiKan {
    /// None.
    Never,
    /// Those that leave the waits as they are.
    SameWaits,
    /// Those that leave the waits as they are and whose three tiles are a triplet in every reading of the hand.
    SameReadings,
}

impl Rules {
    /// The names of the table presets.
    pub const PRESETS: [&str; 4] = ["ronin", "tenhou", "soul", "ema"];
    /// The names of the scoring profiles of the vectors.
    pub const PROFILES: [&str; 6] = ["tenhou", "ronin", "soul", "ema", "nokuitan", "renhou_yakuman"];

    /// The default of a table.
    #[must_use]
    pub const fn ronin() -> Self {
        Self {
            open_tanyao: true,
            red_fives: true,
            ippatsu: true,
            ura_dora: true,
            double_yakuman: DoubleYakuman::ALL,
            yakuman_max: 6,
            kazoe: Kazoe::Yakuman,
            kiriage_mangan: true,
            renhou: Renhou::Han(5),
            double_wind_pair_fu: 4,
            open_pinfu_fu: true,
            pinfu_tsumo_fu: false,
            rinshan_fu: true,
            daisharin: false,
            daisharin_other_suits: false,
            daichisei: false,
            sashikomi: false,
            paarenchan_needs_yaku: true,
            pao: Pao {
                daisangen: true,
                daisuushii: true,
                suukantsu: false,
                honba: PaoHonba::Shared,
                only_own_yakuman: false,
            },
            honba_points: 100,
            stick_points: 1000,
            kuikae_forbidden: KuikaeForbidden::BOTH,
            riichi_kan: RiichiKan::SameReadings,
        }
    }

    /// Tenhou: nothing doubled, no kiriage, no renhou; the liable seat bears the honba.
    #[must_use]
    pub const fn tenhou() -> Self {
        let ronin = Self::ronin();
        Self {
            double_yakuman: DoubleYakuman::NONE,
            kiriage_mangan: false,
            renhou: Renhou::Off,
            pao: Pao { honba: PaoHonba::Liable, ..ronin.pao },
            riichi_kan: RiichiKan::SameWaits,
            ..ronin
        }
    }

    /// Mahjong Soul: no kiriage, no renhou; liable only for the yakuman one fed.
    #[must_use]
    pub const fn soul() -> Self {
        let ronin = Self::ronin();
        Self {
            kiriage_mangan: false,
            renhou: Renhou::Off,
            pao: Pao { honba: PaoHonba::Liable, only_own_yakuman: true, ..ronin.pao },
            riichi_kan: RiichiKan::SameWaits,
            ..ronin
        }
    }

    /// EMA, edition of 2016: no red fives, no kiriage, at most one yakuman, thirteen han are sanbaiman, renhou a flat mangan.
    #[must_use]
    pub const fn ema() -> Self {
        let ronin = Self::ronin();
        Self {
            red_fives: false,
            double_yakuman: DoubleYakuman::NONE,
            yakuman_max: 1,
            kazoe: Kazoe::Sanbaiman,
            kiriage_mangan: false,
            renhou: Renhou::FlatMangan,
            pao: Pao { honba: PaoHonba::Discarder, ..ronin.pao },
            ..ronin
        }
    }

    /// The table preset with this name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "ronin" => Some(Self::ronin()),
            "tenhou" => Some(Self::tenhou()),
            "soul" => Some(Self::soul()),
            "ema" => Some(Self::ema()),
            _ => None,
        }
    }

    /// The scoring profile with this name.
    #[must_use]
    pub fn profile(name: &str) -> Option<Self> {
        let five_han = Renhou::Han(5);
        match name {
            // As the vectors were made, which is not by the edition of 2016.
            "ema" => Some(Self { kiriage_mangan: true, yakuman_max: 6, renhou: five_han, ..Self::ema() }),
            "nokuitan" => Some(Self {
                open_tanyao: false,
                red_fives: false,
                kiriage_mangan: false,
                renhou: five_han,
                ..Self::ronin()
            }),
            "renhou_yakuman" => {
                Some(Self { kiriage_mangan: false, renhou: Renhou::Yakuman, ..Self::ronin() })
            }
            _ => Self::preset(name).map(|preset| Self { renhou: five_han, ..preset }),
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::ronin()
    }
}
