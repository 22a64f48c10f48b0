//! The settings of a table.

use parlor_core::schema::Schema;
use parlor_core::{Fault, Json, Refusal};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::card::Hand;

/// The longest time limit that can be set, in milliseconds.
const CLOCK_MS_MAX: u32 = 3_600_000;

/// How PREP ends, and how long a lost connection may take to come back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// PREP runs to its deadline even if both have confirmed: the clock does not reveal that the opponent has.
    #[default]
    Document,
    /// PREP ends with the second confirm.
    Standard,
}

impl Profile {
    /// How long a lost connection may take to come back before its seat counts as left. It goes into the table's
    /// settings, because the rules know nothing of connections.
    #[must_use]
    pub const fn grace_ms(self) -> u64 {
        match self {
            Self::Document => 0,
            Self::Standard => 15_000,
        }
    }
}

/// What happens to the stakes when both players reach 0 HP in the same step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BothDead {
    /// Both get their own stake back.
    #[default]
    Return,
    /// Nobody gets anything.
    Burn,
}

/// The table's settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Settings {
    /// How PREP ends.
    pub profile: Profile,
    /// How long PREP lasts at most.
    pub prep_ms: u32,
    /// From the end of PREP to the first step of the reveal.
    pub first_reveal_ms: u32,
    /// From one step of the reveal to the next.
    pub reveal_ms: u32,
    /// The round after which a difference in HP decides; from the next on it is sudden death.
    pub round_limit: u8,
    /// Whether the reveal stops when a player reaches 0 HP; otherwise the remaining steps are shown without effect.
    pub stop_at_zero: bool,
    /// What happens to the stakes when both reach 0 HP in the same step.
    pub both_dead: BothDead,
    /// Tokens that each player stakes: 0 or 1. Against a bot nothing is staked.
    pub stake: u8,
    /// The hand of each seat. Settings are public, so both players know both hands.
    pub hands: [Hand; 2],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            profile: Profile::Document,
            prep_ms: 20_000,
            first_reveal_ms: 250,
            reveal_ms: 900,
            round_limit: 3,
            stop_at_zero: false,
            both_dead: BothDead::Return,
            stake: 0,
            hands: [Hand::default(); 2],
        }
    }
}

impl Settings {
    /// The settings of a profile.
    #[must_use]
    pub fn of(profile: Profile) -> Self {
        Self { profile, ..Self::default() }
    }

    /// The JSON Schema of the settings, for a form.
    #[must_use]
    pub(crate) fn schema() -> Json {
        let (clock, cards) = (i64::from(CLOCK_MS_MAX), ["attack", "defense", "heal", "counter"]);
        let hand = json!({"type": "array", "minItems": 4, "maxItems": 4, "items": {"enum": cards}});
        Schema::of(&serde_json::to_value(Self::default()).expect("settings are plain data"))
            .one_of("profile", &["document", "standard"])
            .text("profile", "document: PREP runs to its deadline; standard: it ends with the second confirm")
            .range("prepMs", 1, clock)
            .text("prepMs", "How long PREP lasts at most, in milliseconds")
            .range("firstRevealMs", 0, clock)
            .text("firstRevealMs", "From the end of PREP to the first step of the reveal, in milliseconds")
            .range("revealMs", 0, clock)
            .text("revealMs", "From one step of the reveal to the next, in milliseconds")
            .range("roundLimit", 1, u8::MAX.into())
            .text("roundLimit", "The round after which a difference in HP decides; then it is sudden death")
            .text("stopAtZero", "Whether the reveal stops when somebody falls")
            .one_of("bothDead", &["return", "burn"])
            .text("bothDead", "What becomes of the stakes when both fall in the same step")
            .range("stake", 0, 1)
            .text("stake", "Tokens that each player stakes; against a bot nothing is staked")
            .text("hands", "The hand of each seat: four cards")
            .with("hands", "items", hand)
            .with("hands", "minItems", json!(2))
            .with("hands", "maxItems", json!(2))
            .json()
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// A refusal with every setting that is wrong.
    pub fn check(&self) -> Result<(), Refusal> {
        let mut faults = Vec::new();
        let mut between = |name: &'static str, got: u32, least: u32, most: u32| {
            if !(least..=most).contains(&got) {
                let fault = Fault::new("setting", "{name} is {least} to {most}, not {got}");
                faults.push(fault.arg("name", name).arg("least", least).arg("most", most).arg("got", got));
            }
        };
        between("prepMs", self.prep_ms, 1, CLOCK_MS_MAX);
        between("firstRevealMs", self.first_reveal_ms, 0, CLOCK_MS_MAX);
        between("revealMs", self.reveal_ms, 0, CLOCK_MS_MAX);
        between("roundLimit", self.round_limit.into(), 1, u8::MAX.into());
        between("stake", self.stake.into(), 0, 1);
        Refusal::with(faults).into_result()
    }
}
