//! The settings of a served table: those of the rules, and what the house has to know.

use std::sync::Arc;

use parlor_core::schema::Schema;
use parlor_core::{Fault, Json, Money, Refusal};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, json};

use crate::money::{CHIPS_MAX, Chips};
use crate::table::{Level, Profile, Settings as TableSettings, SettingsFault, SitAndGoSettings};
use crate::variant::Variant;

/// The longest time that can be set, in milliseconds: a day.
const CLOCK_MS_MAX: u32 = 86_400_000;

/// What a table plays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// Players come and go with chips that are money.
    #[default]
    Ring,
    /// Everybody pays in once and plays to the end.
    SitAndGo,
}

/// What a table keeps of its settings beside those of its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rules {
    pub(crate) format: Format,
    pub(crate) currency: Money,
    /// Hands after which the table closes; 0 is never.
    pub(crate) hands: u32,
    /// How long a table stays open at which no hand can be dealt; 0 is for ever.
    pub(crate) idle_close_ms: u32,
    /// Before each card that is dealt when nobody can bet any more.
    pub(crate) run_out_ms: u32,
    /// What a sit-and-go costs each player, in tokens.
    pub(crate) buy_in: Chips,
}

/// What somebody brings who says nothing: a hundred big blinds, within the limits.
pub(crate) fn usual_buy_in(table: &TableSettings) -> Chips {
    table.big_blind.saturating_mul(100).clamp(table.buy_in_min, table.buy_in_max.max(table.buy_in_min))
}

/// The settings of a table as they were given: with everything that is wrong in them, which the start of a match refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub(crate) rules: Rules,
    pub(crate) table: Arc<TableSettings>,
    starting_stack: Chips,
    levels: Vec<Level>,
    /// Shares by place in hundredths of a percent.
    payouts: Vec<u32>,
    faults: Vec<SettingsFault>,
}

impl Default for Settings {
    fn default() -> Self {
        Self::of(Profile::default())
    }
}

impl Settings {
    fn of(profile: Profile) -> Self {
        let sit_and_go = SitAndGoSettings::six_max(10);
        Self {
            rules: Rules {
                format: Format::Ring,
                currency: Money::Play,
                hands: 0,
                idle_close_ms: 0,
                run_out_ms: 1_000,
                buy_in: sit_and_go.buy_in,
            },
            table: Arc::new(TableSettings::of(profile)),
            starting_stack: sit_and_go.starting_stack,
            levels: sit_and_go.levels,
            payouts: sit_and_go.payouts,
            faults: Vec::new(),
        }
    }

    /// A sit-and-go at a table with these settings.
    pub(crate) fn sit_and_go(&self, table: &TableSettings) -> SitAndGoSettings {
        SitAndGoSettings {
            table: table.clone(),
            starting_stack: self.starting_stack,
            levels: self.levels.clone(),
            buy_in: self.rules.buy_in,
            payouts: self.payouts.clone(),
        }
    }

    fn json(&self) -> Map<String, Json> {
        let own = json!({
            "format": self.rules.format,
            "currency": self.rules.currency,
            "hands": self.rules.hands,
            "idleCloseMs": self.rules.idle_close_ms,
            "runOutMs": self.rules.run_out_ms,
            "buyIn": self.rules.buy_in,
            "startingStack": self.starting_stack,
            "levels": self.levels,
            "payouts": self.payouts,
        });
        let table = serde_json::to_value(self.table.as_ref()).unwrap_or_default();
        let both = [table, own].into_iter().filter_map(|value| match value {
            Json::Object(fields) => Some(fields),
            _ => None,
        });
        let mut fields: Map<String, Json> = both.flatten().collect();
        // A table has as many seats as it was opened with.
        fields.remove("seatCount");
        fields
    }

    /// Sets one of the fields that the table's own rules do not know; whether there is such a field.
    fn set(&mut self, name: &str, value: &Json) -> Option<Result<(), serde_json::Error>> {
        fn put<T: serde::de::DeserializeOwned>(to: &mut T, value: &Json) -> Result<(), serde_json::Error> {
            *to = serde_json::from_value(value.clone())?;
            Ok(())
        }
        Some(match name {
            "format" => put(&mut self.rules.format, value),
            "currency" => put(&mut self.rules.currency, value),
            "hands" => put(&mut self.rules.hands, value),
            "idleCloseMs" => put(&mut self.rules.idle_close_ms, value),
            "runOutMs" => put(&mut self.rules.run_out_ms, value),
            "buyIn" => put(&mut self.rules.buy_in, value),
            "startingStack" => put(&mut self.starting_stack, value),
            "levels" => put(&mut self.levels, value),
            "payouts" => put(&mut self.payouts, value),
            _ => return None,
        })
    }

    /// What is wrong beyond the table's own rules.
    fn own_faults(&self) -> Vec<SettingsFault> {
        let mut faults = Vec::new();
        let mut need = |right: bool, field: &str, problem: &str| {
            if !right {
                faults.push(SettingsFault { field: field.into(), problem: problem.into() });
            }
        };
        for (field, ms) in [
            ("idleCloseMs", self.rules.idle_close_ms),
            ("runOutMs", self.rules.run_out_ms),
            ("handGapMs", self.table.hand_gap_ms),
            ("timeLimitMs", self.table.time_limit_ms),
            ("timeBankMs", self.table.time_bank_ms),
            ("timeBankAddMs", self.table.time_bank_add_ms),
            ("timeBankMaxMs", self.table.time_bank_max_ms),
            ("ratholeMs", self.table.rathole_ms),
            ("rebuyMs", self.table.rebuy_ms),
            ("maxPauseMs", self.table.max_pause_ms),
            ("awayGraceMs", self.table.away_grace_ms),
        ] {
            need(ms <= CLOCK_MS_MAX, field, "expected at most 86400000");
        }
        let chips = 0..=CHIPS_MAX / 1_000;
        let levels = self.levels.iter().flat_map(|level| [level.big_blind, level.ante]);
        need(
            levels.into_iter().all(|amount| chips.contains(&amount)),
            "levels",
            "expected amounts of 0 or more",
        );
        need(chips.contains(&self.rules.buy_in), "buyIn", "expected an amount of 0 or more");
        need(chips.contains(&self.starting_stack), "startingStack", "expected an amount of 0 or more");
        if self.rules.currency == Money::Tokens {
            need(self.table.decimals == 0, "decimals", "expected 0 where chips are tokens");
        }
        if self.rules.format == Format::SitAndGo {
            need(self.rules.currency == Money::Tokens, "currency", "expected tokens in a sit-and-go");
            need(self.levels.len() <= 100, "levels", "expected at most 100 levels");
        }
        faults
    }

    /// Reads settings over the defaults of the profile that they name.
    fn read(mut given: Map<String, Json>) -> Self {
        let profile = given.get("profile").and_then(|name| serde_json::from_value(name.clone()).ok());
        let mut settings = Self::of(profile.unwrap_or_default());
        let mut faults = Vec::new();
        // A sit-and-go is played for tokens, and needs no word to say so.
        let is_sit_and_go = given.get("format") == Some(&json!(Format::SitAndGo));
        if is_sit_and_go && !given.contains_key("currency") {
            settings.rules.currency = Money::Tokens;
        }
        if given.remove("seatCount").is_some() {
            let problem = "is set by how many seats the table is opened with".into();
            faults.push(SettingsFault { field: "seatCount".into(), problem });
        }
        let mut rest = Map::new();
        for (name, value) in given {
            match settings.set(&name, &value) {
                Some(Ok(())) => {}
                Some(Err(error)) => {
                    faults.push(SettingsFault { field: name, problem: error.to_string() });
                }
                None => {
                    rest.insert(name, value);
                }
            }
        }
        match TableSettings::from_json(&rest) {
            Ok(table) => settings.table = Arc::new(table),
            Err(error) => faults.extend(error.0),
        }
        faults.extend(settings.own_faults());
        Self { faults, ..settings }
    }

    /// The rules of a table of so many seats.
    pub(crate) fn for_seats(&self, seats: u8) -> Result<Arc<TableSettings>, Refusal> {
        let mut table = Arc::clone(&self.table);
        if self.faults.is_empty() && table.seat_count == usize::from(seats) {
            // They were looked at when they were read.
            return Ok(table);
        }
        Arc::make_mut(&mut table).seat_count = seats.into();
        if self.faults.is_empty() {
            let faults = table.faults();
            if faults.is_empty() {
                return Ok(table);
            }
            return Err(Refusal::with(faults.iter().map(fault).collect()));
        }
        Err(Refusal::with(self.faults.iter().map(fault).collect()))
    }

    /// A JSON Schema.
    pub(crate) fn schema() -> Json {
        let chips = i64::from(u32::MAX);
        let ms = i64::from(CLOCK_MS_MAX);
        let codes: Vec<&str> = Variant::ALL.iter().map(|variant| variant.code()).collect();
        let mut schema = Schema::of(&Json::Object(Self::default().json()))
            .one_of("profile", &["document", "standard"])
            .one_of("format", &["ring", "sitAndGo"])
            .one_of("currency", &["play", "tokens"])
            .one_of("button", &["dead", "moving"])
            .one_of("newcomers", &["free", "postBigBlind", "waitForBigBlind"])
            .one_of("missedBlinds", &["dead", "live"])
            .one_of("timeoutAction", &["check", "fold"])
            .with("variants", "items", json!({"type": "string", "enum": codes}))
            .with("rakeCaps", "items", json!({"type": "integer"}))
            .range("bigBlind", 1, chips)
            .range("buyInMin", 1, chips)
            .range("buyInMax", 1, chips)
            .range("decimals", 0, 8)
            .range("rakeBasisPoints", 0, 10_000)
            .range("timeoutsToSitOut", 0, 255)
            .range("bombPotEvery", 0, chips)
            .range("hands", 0, chips);
        for name in [
            "smallBlind",
            "ante",
            "buttonBlind",
            "bringIn",
            "smallBet",
            "bigBet",
            "rakeCap",
            "bombPotAnte",
            "buyIn",
            "startingStack",
        ] {
            schema = schema.range(name, 0, chips);
        }
        for name in [
            "timeLimitMs",
            "timeBankMs",
            "timeBankAddMs",
            "timeBankMaxMs",
            "awayGraceMs",
            "rebuyMs",
            "maxPauseMs",
            "ratholeMs",
            "handGapMs",
            "idleCloseMs",
            "runOutMs",
        ] {
            schema = schema.range(name, 0, ms);
        }
        schema.json()
    }
}

/// A setting that is wrong, as a refusal names it.
pub(crate) fn fault(fault: &SettingsFault) -> Fault {
    Fault::new("setting", "{field}: {problem}")
        .arg("field", fault.field.as_str())
        .arg("problem", fault.problem.as_str())
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Map::deserialize(from).map(Self::read)
    }
}
