//! Rulesets that were published, and what was found in them.

use parlor_store::{RulesetInfo, RulesetState};
use parlor_wire::ruleset::RulesetFinding;
use serde::{Deserialize, Serialize};

use super::Text;

/// Who published a ruleset, and which version it is.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Publication {
    pub(crate) version: u32,
    /// Null for the house.
    pub(crate) author: Option<PublishedBy>,
    /// When, in milliseconds since 1970.
    pub(crate) at: u64,
    /// The hash that names these rules in every log.
    pub(crate) identity: String,
}

/// The player who published a ruleset.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PublishedBy {
    pub(crate) player_id: String,
    /// Null for a player who has given their account up.
    pub(crate) name: Option<String>,
}

/// A ruleset that was published.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetRow {
    /// The name of its game.
    pub(crate) name: String,
    /// For people.
    pub(crate) title: String,
    /// Which version it is, from 1.
    pub(crate) version: u32,
    pub(crate) state: RulesetListing,
    /// The hash that names these rules in every log.
    pub(crate) identity: String,
    /// The player who published it; null for the house.
    pub(crate) author: Option<String>,
    /// When that version was published, in milliseconds since 1970.
    pub(crate) at: u64,
}

impl From<&RulesetInfo> for RulesetRow {
    fn from(info: &RulesetInfo) -> Self {
        Self {
            name: info.name.clone(),
            title: info.title.clone(),
            version: info.version,
            state: match info.state {
                RulesetState::Listed => RulesetListing::Listed,
                RulesetState::Withdrawn => RulesetListing::Withdrawn,
                RulesetState::TakenDown => RulesetListing::TakenDown,
            },
            identity: info.identity.iter().map(|byte| format!("{byte:02x}")).collect(),
            author: info.author.as_ref().map(ToString::to_string),
            at: info.at_ms,
        }
    }
}

/// Whether new tables may be opened.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RulesetState"))]
#[serde(rename_all = "snake_case")]
pub(crate) enum RulesetListing {
    Listed,
    Withdrawn,
    TakenDown,
}

/// Rulesets, by name.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Rulesets {
    pub(crate) rulesets: Vec<RulesetRow>,
}

/// Which page of the rulesets.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetsQuery {
    /// The `name` of the last row you have.
    pub(crate) after: Option<String>,
    /// How many rows at most.
    pub(crate) limit: Option<u64>,
}

/// One version of a ruleset.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetText {
    #[serde(flatten)]
    pub(crate) row: RulesetRow,
    /// The whole ruleset.
    pub(crate) text: String,
}

/// Which version of a ruleset.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetQuery {
    /// Which version, from 1; the newest unless said.
    pub(crate) version: Option<u64>,
}

/// The version that was published, or that is there already.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetMade {
    #[serde(flatten)]
    pub(crate) row: RulesetRow,
    /// What was found beside errors.
    pub(crate) warnings: Vec<RulesetFinding>,
}

/// A ruleset without mistakes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetChecked {
    /// The name of its game.
    pub(crate) name: String,
    /// For people.
    pub(crate) title: String,
    /// What was found beside errors.
    pub(crate) warnings: Vec<RulesetFinding>,
}

/// How the file of a ruleset stands.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetStatus {
    /// Counts its changes.
    pub(crate) v: u64,
    /// The version that is served.
    pub(crate) version: u32,
    /// With an error among them the version before is still served.
    pub(crate) findings: Vec<RulesetFinding>,
}

/// Whether to wait for a change.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetStatusQuery {
    /// Wait so many milliseconds, at most a minute, for something newer than `v`.
    pub(crate) wait: Option<u64>,
    /// The last version you have.
    pub(crate) v: Option<u64>,
}

/// What is wrong with it.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RulesetReport {
    pub(crate) text: Text<1, 1000>,
}
