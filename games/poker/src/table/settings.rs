//! The settings of a table, their two profiles, and what keeps a table from opening.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::money::{CHIPS_MAX, Chips, DECIMALS_MAX};
use crate::rake::Rake;
use crate::seat::SEATS_MAX;
use crate::variant::{Limit, Variant};

/// Which set of defaults the settings start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Profile {
    /// The document's rules.
    #[default]
    Document,
    /// Card-room practice, as the lobby offers it.
    Standard,
}

/// Where the button may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ButtonRule {
    /// Small blind and button follow the big blind, even to seats where nobody plays.
    #[default]
    Dead,
    /// Seats where nobody plays are skipped.
    Moving,
}

/// What it costs to come into a running game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Newcomers {
    /// Nothing.
    #[default]
    Free,
    /// A big blind, posted live; nobody comes in between the button and the big blind.
    PostBigBlind,
    /// Everybody waits for the big blind.
    WaitForBigBlind,
}

/// How missed blinds are made up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MissedBlinds {
    /// All of it goes dead into the pot.
    #[default]
    Dead,
    /// The small blind is dead, the big blind counts as a bet.
    Live,
}

/// What is done for a player whose time is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TimeoutAction {
    /// Check where it is free, else fold.
    #[default]
    Check,
    /// Fold.
    Fold,
}

/// Everything that can be set. Amounts are in the table's smallest unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    pub profile: Profile,
    /// Seats at the table.
    pub seat_count: usize,
    /// The games, one orbit each, then from the start again.
    #[serde(with = "codes")]
    pub variants: Vec<Variant>,
    pub small_blind: Chips,
    /// Also the minimum bet, and the small bet where `smallBet` is 0.
    pub big_blind: Chips,
    /// From each player; in stud games it is needed.
    pub ante: Chips,
    /// Whether the big blind pays one ante for everybody instead.
    pub big_blind_ante: bool,
    /// In short-deck, posted by the button instead of all blinds; 0 is the usual blinds.
    pub button_blind: Chips,
    /// Stud games only.
    pub bring_in: Chips,
    /// Fixed limit; 0 is the big blind.
    pub small_bet: Chips,
    /// Fixed limit; 0 is twice the small bet.
    pub big_bet: Chips,
    pub buy_in_min: Chips,
    pub buy_in_max: Chips,
    /// Decimals of the smallest unit in the notation.
    pub decimals: u8,
    pub button: ButtonRule,
    pub newcomers: Newcomers,
    pub missed_blinds: MissedBlinds,
    pub finish_hand_before_pause: bool,
    /// Between two players the first seat always has the small blind, as in the document's hand 9.
    pub strict_seed: bool,
    pub timeout_action: TimeoutAction,
    /// Time-outs in a row after which a player sits out; 0 is never.
    pub timeouts_to_sit_out: u8,
    /// For one action; 0 is no limit.
    pub time_limit_ms: u32,
    /// What a player has besides, over all actions.
    pub time_bank_ms: u32,
    /// Added to the bank after every ten hands played.
    pub time_bank_add_ms: u32,
    pub time_bank_max_ms: u32,
    /// How long a player may be without a connection before they sit out.
    pub away_grace_ms: u32,
    /// How long the seat of a player without chips is kept; 0 is not at all.
    pub rebuy_ms: u32,
    /// How long a pause may last; 0 is for ever.
    pub max_pause_ms: u32,
    /// How long somebody who left must bring back what they left with; 0 is not at all.
    pub rathole_ms: u32,
    /// Between two hands.
    pub hand_gap_ms: u32,
    /// Hundredths of a percent of the pot.
    pub rake_basis_points: u32,
    /// The most taken from one hand; 0 is no limit.
    pub rake_cap: Chips,
    /// The most taken from one hand by how many are dealt in: the first for two players, the last also for more. Empty is
    /// `rakeCap` for all.
    pub rake_caps: Vec<Chips>,
    pub no_flop_no_drop: bool,
    /// Whether the player left of the big blind may straddle.
    pub straddle: bool,
    /// Every so many hands everybody antes and the betting begins on the flop; 0 is never.
    pub bomb_pot_every: u32,
    pub bomb_pot_ante: Chips,
    /// Whether players may agree to deal the rest of the board twice.
    pub run_it_twice: bool,
}

/// The bets of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stakes {
    pub small_blind: Chips,
    pub big_blind: Chips,
    pub small_bet: Chips,
    pub big_bet: Chips,
    pub bring_in: Chips,
}

impl Stakes {
    /// What a missed small blind costs: half a big blind, rounded down.
    #[must_use]
    pub const fn half(&self) -> Chips {
        self.big_blind / 2
    }

    /// The most anybody owes: one and a half big blinds, rounded down.
    #[must_use]
    pub const fn debt_max(&self) -> Chips {
        self.big_blind * 3 / 2
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::document()
    }
}

impl Settings {
    /// The document's rules, at no-limit hold'em 1/2.
    #[must_use]
    pub fn document() -> Self {
        Self {
            profile: Profile::Document,
            seat_count: 6,
            variants: vec![Variant::NoLimitHoldem],
            small_blind: 1,
            big_blind: 2,
            ante: 0,
            big_blind_ante: false,
            button_blind: 0,
            bring_in: 0,
            small_bet: 0,
            big_bet: 0,
            buy_in_min: 40,
            buy_in_max: 400,
            decimals: 0,
            button: ButtonRule::Dead,
            newcomers: Newcomers::Free,
            missed_blinds: MissedBlinds::Dead,
            finish_hand_before_pause: false,
            strict_seed: false,
            timeout_action: TimeoutAction::Check,
            timeouts_to_sit_out: 2,
            time_limit_ms: 20_000,
            time_bank_ms: 0,
            time_bank_add_ms: 0,
            time_bank_max_ms: 0,
            away_grace_ms: 0,
            rebuy_ms: 0,
            max_pause_ms: 0,
            rathole_ms: 0,
            hand_gap_ms: 3_000,
            rake_basis_points: 0,
            rake_cap: 0,
            rake_caps: Vec::new(),
            no_flop_no_drop: true,
            straddle: false,
            bomb_pot_every: 0,
            bomb_pot_ante: 0,
            run_it_twice: false,
        }
    }

    /// Card-room practice.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            profile: Profile::Standard,
            newcomers: Newcomers::PostBigBlind,
            missed_blinds: MissedBlinds::Live,
            finish_hand_before_pause: true,
            time_bank_ms: 30_000,
            time_bank_add_ms: 5_000,
            time_bank_max_ms: 60_000,
            away_grace_ms: 60_000,
            rebuy_ms: 60_000,
            max_pause_ms: 1_200_000,
            rathole_ms: 3_600_000,
            ..Self::document()
        }
    }

    /// The defaults of a profile.
    #[must_use]
    pub fn of(profile: Profile) -> Self {
        match profile {
            Profile::Document => Self::document(),
            Profile::Standard => Self::standard(),
        }
    }

    /// Reads settings: those given, over the defaults of the profile that they name.
    ///
    /// # Errors
    /// Every field that is unknown, of the wrong kind or out of range.
    pub fn from_json(given: &Map<String, Value>) -> Result<Self, SettingsError> {
        let profile = match given.get("profile") {
            None => Profile::default(),
            Some(value) => serde_json::from_value(value.clone())
                .map_err(|_| SettingsError::one("profile", "expected document or standard"))?,
        };
        let Ok(Value::Object(mut fields)) = serde_json::to_value(Self::of(profile)) else {
            return Err(SettingsError::one("", "expected an object"));
        };
        let mut faults = Vec::new();
        for (name, value) in given {
            let Some(default) = fields.get_mut(name) else {
                faults.push(SettingsFault::new(name, "there is no such setting"));
                continue;
            };
            let old = std::mem::replace(default, value.clone());
            if let Err(error) = serde_json::from_value::<Self>(Value::Object(fields.clone())) {
                faults.push(SettingsFault::new(name, &error.to_string()));
                fields.insert(name.clone(), old);
            }
        }
        let read: Option<Self> = serde_json::from_value(Value::Object(fields)).ok();
        if let Some(settings) = &read {
            faults.extend(settings.faults());
        }
        match read {
            Some(settings) if faults.is_empty() => Ok(settings),
            _ => Err(SettingsError(faults)),
        }
    }

    /// Everything that keeps a table from opening with these settings.
    #[must_use]
    pub fn faults(&self) -> Vec<SettingsFault> {
        let mut faults = Vec::new();
        let mut need = |right: bool, field: &str, problem: &str| {
            if !right {
                faults.push(SettingsFault::new(field, problem));
            }
        };
        let chips = 0..=CHIPS_MAX / 1_000;
        for (field, amount) in [
            ("smallBlind", self.small_blind),
            ("ante", self.ante),
            ("bringIn", self.bring_in),
            ("smallBet", self.small_bet),
            ("bigBet", self.big_bet),
            ("rakeCap", self.rake_cap),
            ("bombPotAnte", self.bomb_pot_ante),
            ("buttonBlind", self.button_blind),
            ("buyInMax", self.buy_in_max),
        ] {
            need(chips.contains(&amount), field, "expected an amount of 0 or more");
        }
        need(
            self.rake_caps.len() <= SEATS_MAX && self.rake_caps.iter().all(|cap| chips.contains(cap)),
            "rakeCaps",
            "expected at most 10 amounts of 0 or more",
        );
        need(self.big_blind > 0 && chips.contains(&self.big_blind), "bigBlind", "expected a positive amount");
        need(self.small_blind <= self.big_blind, "smallBlind", "expected at most bigBlind");
        need(self.buy_in_min > 0, "buyInMin", "expected a positive amount");
        need(self.buy_in_min <= self.buy_in_max, "buyInMax", "expected at least buyInMin");
        need(self.decimals <= DECIMALS_MAX, "decimals", "expected 0 to 8");
        need(self.rake_basis_points <= 10_000, "rakeBasisPoints", "expected 0 to 10000");
        let seats = 2..=SEATS_MAX;
        need(seats.contains(&self.seat_count), "seatCount", "expected 2 to 10");
        need(!self.variants.is_empty(), "variants", "expected at least one game");
        need(self.variants.len() <= 32, "variants", "expected at most 32 games");
        need(
            self.bomb_pot_every == 0 || self.bomb_pot_ante > 0,
            "bombPotAnte",
            "expected a positive amount where bombPotEvery is set",
        );
        for &variant in &self.variants {
            self.variant_faults(variant, &mut faults);
        }
        faults
    }

    fn variant_faults(&self, variant: Variant, faults: &mut Vec<SettingsFault>) {
        let stakes = self.stakes(variant);
        // A table is opened for every hand of a simulation: texts are written only for what is wrong.
        let mut need = |right: bool, field: &str, expected: &dyn Fn() -> String| {
            if !right {
                faults.push(SettingsFault::new(field, &format!("expected {} in {variant}", expected())));
            }
        };
        let most = seats_max(variant);
        need(self.seat_count <= most, "seatCount", &|| format!("at most {most}"));
        if variant.limit() == Limit::Fixed {
            need(stakes.big_bet >= stakes.small_bet, "bigBet", &|| "at least smallBet".into());
        }
        if variant.is_stud() {
            need(self.ante > 0, "ante", &|| "a positive amount".into());
            let brings = self.bring_in > 0 && self.bring_in < stakes.small_bet;
            need(brings, "bringIn", &|| "a positive amount below the small bet".into());
        }
    }

    /// The bets of one of the games.
    #[must_use]
    pub const fn stakes(&self, variant: Variant) -> Stakes {
        let small_bet = if self.small_bet > 0 { self.small_bet } else { self.big_blind };
        let fixed = matches!(variant.limit(), Limit::Fixed);
        let stud = variant.is_stud();
        let none = stud || self.has_button_blind(variant);
        Stakes {
            small_blind: if none { 0 } else { self.small_blind },
            big_blind: if none { 0 } else { self.big_blind },
            small_bet: if fixed { small_bet } else { self.big_blind },
            big_bet: match (fixed, self.big_bet) {
                (false, _) => 0,
                (true, 0) => small_bet * 2,
                (true, bet) => bet,
            },
            bring_in: if stud { self.bring_in } else { 0 },
        }
    }

    /// Whether the button alone posts a blind.
    #[must_use]
    pub const fn has_button_blind(&self, variant: Variant) -> bool {
        matches!(variant, Variant::ShortDeck) && self.button_blind > 0
    }

    /// Whether any of the games has blinds.
    #[must_use]
    pub fn has_blinds(&self) -> bool {
        self.variants.iter().any(|variant| !variant.is_stud())
    }

    /// How rake is taken from a hand of so many.
    #[must_use]
    pub fn rake(&self, players: usize) -> Rake {
        let of_players = self.rake_caps.get(players.saturating_sub(2)).or(self.rake_caps.last());
        let cap = of_players.copied().unwrap_or(self.rake_cap);
        Rake {
            fixed: None,
            basis_points: self.rake_basis_points,
            cap: if cap > 0 { Some(cap) } else { None },
            no_flop_no_drop: self.no_flop_no_drop,
        }
    }
}

/// Most seats a game has cards for.
const fn seats_max(variant: Variant) -> usize {
    match variant {
        Variant::SingleDraw | Variant::TripleDraw => 6,
        Variant::Stud | Variant::StudHiLo | Variant::Razz | Variant::Badugi => 8,
        _ => SEATS_MAX,
    }
}

/// One setting that is not right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFault {
    /// The field's name in the settings.
    pub field: String,
    pub problem: String,
}

impl SettingsFault {
    fn new(field: &str, problem: &str) -> Self {
        Self { field: field.into(), problem: problem.into() }
    }
}

/// Settings that no table opens with, with everything wrong in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError(pub Vec<SettingsFault>);

impl SettingsError {
    fn one(field: &str, problem: &str) -> Self {
        Self(vec![SettingsFault::new(field, problem)])
    }
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            write!(f, "{}{}: {}", if i == 0 { "" } else { "; " }, fault.field, fault.problem)?;
        }
        Ok(())
    }
}

impl std::error::Error for SettingsError {}

/// Variants as their codes.
mod codes {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::variant::Variant;

    pub(super) fn serialize<S: Serializer>(variants: &[Variant], to: S) -> Result<S::Ok, S::Error> {
        variants.iter().map(|variant| variant.code()).collect::<Vec<_>>().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Variant>, D::Error> {
        let codes = Vec::<String>::deserialize(from)?;
        codes.iter().map(|code| code.parse().map_err(serde::de::Error::custom)).collect()
    }
}
