//! What a table is opened with: the rules of a preset, the pace of a profile, and whatever differs from both.

use parlor_core::Json;
use parlor_core::schema::Schema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, json};

use crate::table::{Bot, Pace, Preset, Settings, SettingsError, SettingsFault};

/// The longest time that can be set anywhere.
pub const PACE_MS_MAX: u32 = 3_600_000;

/// A pace with a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The document's timers.
    #[default]
    Document,
    /// What players of today expect.
    Standard,
}

impl Profile {
    const ALL: [Self; 2] = [Self::Document, Self::Standard];

    /// The name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Standard => "standard",
        }
    }

    /// Its clocks and manners.
    #[must_use]
    pub const fn pace(self) -> Pace {
        match self {
            Self::Document => Pace::document(),
            Self::Standard => Pace::standard(),
        }
    }
}

/// The settings of a table. In JSON all fields stand side by side, and those that are not named come from the preset and
/// the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSettings {
    pub rules: Settings,
    pub profile: Profile,
    pub pace: Pace,
    /// Who plays for a player whose connection is lost.
    pub stand_in_bot: Bot,
}

impl Default for TableSettings {
    fn default() -> Self {
        Self::of(Preset::Ronin, Profile::Document)
    }
}

impl TableSettings {
    /// The settings of a preset and a profile.
    #[must_use]
    pub const fn of(preset: Preset, profile: Profile) -> Self {
        Self { rules: Settings::of(preset), profile, pace: profile.pace(), stand_in_bot: Bot::Fair }
    }

    /// Settings from JSON.
    ///
    /// # Errors
    /// Every name that is unknown and every value that is wrong, each with the fields it is about.
    pub fn read(given: &Json) -> Result<Self, SettingsError> {
        let mut faults = Faults::default();
        let Json::Object(given) = given else {
            faults.add("settings", "must be an object, such as {\"preset\": \"tenhou\"}");
            return Err(faults.into());
        };
        let preset =
            faults.named(given, "preset", "ronin, tenhou, soul and ema", Preset::from_name, Preset::Ronin);
        let by_name = |name: &str| Profile::ALL.into_iter().find(|profile| profile.name() == name);
        let profile = faults.named(given, "profile", "document and standard", by_name, Profile::Document);
        let bots = "tsumogiri, random, greedy and fair";
        let stand_in_bot = faults.named(given, "standInBot", bots, Bot::from_name, Bot::Fair);
        let (mut rules, mut pace) = (Settings::of(preset), profile.pace());
        for (name, value) in given {
            if matches!(name.as_str(), "preset" | "profile" | "standInBot") {
                continue;
            }
            let changed = change(&mut rules, rule_name(name), value)
                .or_else(|| change(&mut pace, name, value))
                .unwrap_or_else(|| Err("is not a setting of this game".into()));
            if let Err(why) = changed {
                faults.add(name, &why);
            }
        }
        if let Err(error) = rules.validate() {
            faults.0.extend(error.faults);
        }
        faults.pace(&pace);
        if faults.0.is_empty() { Ok(Self { rules, profile, pace, stand_in_bot }) } else { Err(faults.into()) }
    }

    /// The JSON Schema of the settings, for a form.
    #[must_use]
    pub(super) fn schema() -> Json {
        let mut schema = Schema::of(&json!(Self::default()));
        for (name, choices) in CHOICES {
            schema = schema.one_of(name, choices);
        }
        for (name, least, most) in RANGES {
            schema = schema.range(name, *least, *most);
        }
        for name in CLOCKS {
            schema = schema.range(name, 0, PACE_MS_MAX.into());
        }
        for (name, text) in TEXTS {
            schema = schema.text(name, text);
        }
        for name in ["bankMaxMs", "riichiDiscardMs"] {
            let most = json!(PACE_MS_MAX);
            schema = schema.with(name, "type", json!(["integer", "null"])).with(name, "maximum", most);
        }
        let han = json!({"type": "object", "properties": {"han": {"type": "integer", "minimum": 1, "maximum": 12}},
            "additionalProperties": false, "required": ["han"]});
        let renhou = json!([{"enum": ["off", "flat_mangan", "flat_baiman", "yakuman"]}, han]);
        let schema =
            schema.with("renhou", "type", json!(["object", "string"])).with("renhou", "oneOf", renhou);
        schema.with("renhou", "default", json!(Self::default().rules.renhou)).json()
    }
}

/// Settings with a few values to choose from.
const CHOICES: &[(&str, &[&str])] = &[
    ("preset", &["ronin", "tenhou", "soul", "ema"]),
    ("profile", &["document", "standard"]),
    ("standInBot", &["tsumogiri", "random", "greedy", "fair"]),
    ("game_type", &["east", "hanchan"]),
    ("enchousen", &["none", "sudden_death"]),
    ("tie_break", &["seat", "share"]),
    ("leftover_riichi_bets", &["winner", "lost"]),
    ("closed_kan_dora", &["immediate", "before_discard", "after_discard_passes"]),
    ("open_kan_dora", &["immediate", "before_discard", "after_discard_passes"]),
    ("riichi_kan", &["never", "same_waits", "same_readings"]),
    ("multi_ron", &["head_bump", "double", "triple"]),
    ("honba_multi", &["first", "all"]),
    ("nagashi", &["off", "draw", "win"]),
    ("pao_honba", &["liable", "shared", "discarder"]),
    ("kazoe", &["yakuman", "sanbaiman", "unlimited"]),
];

/// Numbers with their least and most.
const RANGES: &[(&str, i64, i64)] = &[
    ("num_players", 4, 4),
    ("start_points", 0, 1_000_000),
    ("target_points", 0, 1_000_000),
    ("winning_threshold", 0, 1_000_000),
    ("goshashonyu", 0, 999),
    ("min_wall_for_kan", 1, 70),
    ("max_kans", 0, 4),
    ("min_wall_for_riichi", 0, 70),
    ("noten_pool", 0, 60_000),
    ("nine_kinds_min", 1, 13),
    ("four_kans_min_players", 1, 4),
    ("yakuman_max", 1, 6),
    ("double_wind_pair_fu", 2, 4),
];

/// Times in milliseconds.
const CLOCKS: &[&str] = &[
    "turnBaseMs",
    "turnFloorMs",
    "bankStartMs",
    "bankPerRoundMs",
    "callBaseMs",
    "callWindowMinMs",
    "roundAdvanceMs",
    "awayGraceMs",
    "lastHumanGraceMs",
];

const TEXTS: &[(&str, &str)] = &[
    (
        "preset",
        "The rules that are played where nothing else is set; some of soul and ema have no written source",
    ),
    ("profile", "document: the document's timers; standard: base and bank, and a pause after every discard"),
    ("standInBot", "Who plays for a player whose connection is lost"),
    ("game_type", "East only, or East and South"),
    ("turnBaseMs", "Time for a turn before the bank runs, in milliseconds"),
    ("turnFloorMs", "The least a turn has, even with an empty bank, in milliseconds"),
    ("bankStartMs", "What each bank starts with, in milliseconds"),
    ("bankPerRoundMs", "Added to each bank when a round starts, in milliseconds"),
    ("bankMaxMs", "The most a bank holds, in milliseconds; null: no limit"),
    ("callBaseMs", "Time to call a discard, in milliseconds"),
    ("callUsesBank", "Whether a call may use the bank when its own time is over"),
    (
        "callWindowMinMs",
        "How long a discard can be called at least, whether or not anybody may, in milliseconds",
    ),
    ("roundAdvanceMs", "Time to confirm the result of a round, in milliseconds"),
    ("timeoutTakesWin", "Whether a seat that may win and lets its time run out wins"),
    (
        "riichiDiscardMs",
        "How long a seat in riichi holds its tile; null: it is asked even if it has no choice",
    ),
    ("announceDraws", "Whether the document's clients hear of the draws of others"),
    ("awayGraceMs", "How long a lost connection may take to come back before a bot plays, in milliseconds"),
    ("lastHumanGraceMs", "How long a table waits when its last player is gone, in milliseconds"),
    ("ron_caller_may_meld", "Whether a seat that may win may call the tile for a meld instead"),
];

/// The faults that were found so far.
#[derive(Default)]
struct Faults(Vec<SettingsFault>);

impl Faults {
    fn add(&mut self, field: &str, text: &str) {
        self.0.push(SettingsFault { fields: vec![field.to_owned()], text: text.to_owned() });
    }

    /// The value of a setting that is one of a few names.
    fn named<T>(
        &mut self,
        given: &Map<String, Json>,
        field: &str,
        all: &str,
        of: impl Fn(&str) -> Option<T>,
        otherwise: T,
    ) -> T {
        let Some(name) = given.get(field) else { return otherwise };
        name.as_str().and_then(of).unwrap_or_else(|| {
            self.add(field, &format!("is {name}; there are {all}"));
            otherwise
        })
    }

    fn pace(&mut self, pace: &Pace) {
        let fields = json!(pace);
        for (name, value) in fields.as_object().into_iter().flatten() {
            if value.as_u64().is_some_and(|ms| ms > PACE_MS_MAX.into()) {
                self.add(name, &format!("must be at most {PACE_MS_MAX} milliseconds"));
            }
        }
    }
}

impl From<Faults> for SettingsError {
    fn from(faults: Faults) -> Self {
        Self { faults: faults.0 }
    }
}

/// The name of a rule; the names of the rulings and of the public implementation are accepted too.
fn rule_name(name: &str) -> &str {
    match name {
        "has_kuikae" => "kuikae_forbidden",
        "ronCallerMayMeld" => "ron_caller_may_meld",
        _ => name,
    }
}

/// Sets one field by its name; none if there is no such field, else why the value cannot be.
fn change<T: Serialize + for<'de> Deserialize<'de>>(
    settings: &mut T,
    name: &str,
    value: &Json,
) -> Option<Result<(), String>> {
    let mut all = json!(settings);
    *all.get_mut(name)? = value.clone();
    Some(match serde_json::from_value(all) {
        Ok(changed) => {
            *settings = changed;
            Ok(())
        }
        Err(error) => Err(error.to_string()),
    })
}

impl Serialize for TableSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = Map::new();
        for part in [json!(self.rules), json!(self.pace)] {
            if let Json::Object(part) = part {
                all.extend(part);
            }
        }
        all.insert("profile".into(), json!(self.profile));
        all.insert("standInBot".into(), json!(self.stand_in_bot.name()));
        all.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TableSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(&Json::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
