//! The server itself: its health, its games, and its refusals.

use std::collections::BTreeMap;

use parlor_core::{BotDef, Code, Fault, Json, OpenSeating, Route, Undo};
use parlor_wire::ruleset::RulesetFinding;
use serde::{Deserialize, Serialize};

use super::Publication;

/// Why something was refused.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Problem"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProblemBody {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) status: ProblemStatus,
    /// For programs.
    pub(crate) code: Code,
    /// For people.
    pub(crate) message: String,
    pub(crate) error: String,
    /// The head as it is, where an answer came too late.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) branch_id: Option<u32>,
    /// Everything that is wrong with an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) faults: Option<Vec<Fault>>,
    /// Everything that is wrong with a ruleset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) findings: Option<Vec<RulesetFinding>>,
}

/// The status of a refusal; or `error`, where the input-requests document asks for that.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
#[serde(untagged)]
pub(crate) enum ProblemStatus {
    Code(u16),
    Word(&'static str),
}

/// The server answers.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Health {
    pub(crate) status: &'static str,
}

/// How many tables there are.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Status {
    pub(crate) status: &'static str,
    pub(crate) active_games: usize,
    pub(crate) max_games: usize,
}

/// It is done.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Done {
    pub(crate) success: bool,
}

/// The games.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Catalog {
    pub(crate) games: Vec<CatalogGame>,
}

/// A game that is served here.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct CatalogGame {
    /// For programs.
    pub(crate) name: &'static str,
    /// For people.
    pub(crate) title: &'static str,
    /// The title in other languages, where the rules have words for it.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, String>"))]
    pub(crate) titles: BTreeMap<String, Json>,
    /// What its author says of it in a sentence; empty where the rules are no ruleset.
    pub(crate) text: String,
    /// The same in other languages, where the rules have words for it.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, String>"))]
    pub(crate) texts: BTreeMap<String, Json>,
    /// The number of its rules.
    pub(crate) rules: u32,
    pub(crate) seats: SeatRange,
    /// What a table has unless it says otherwise.
    pub(crate) settings: Json,
    /// The JSON Schema of the settings.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, Json>"))]
    pub(crate) schema: Json,
    pub(crate) rated: bool,
    /// Whether tokens can be at stake.
    pub(crate) staked: bool,
    /// Whether people come and go while it runs.
    pub(crate) visits: bool,
    pub(crate) leagues: Vec<League>,
    pub(crate) bots: &'static [BotDef],
    /// How players take seats while a table runs, under the usual settings.
    pub(crate) open_seating: Option<OpenSeating>,
    pub(crate) lobby: CatalogLobby,
    /// Null for rules that the server was built with.
    pub(crate) published: Option<Publication>,
    pub(crate) undo: Undo,
    /// Whether its rules are data; then it has a sheet.
    pub(crate) ruleset: bool,
}

/// A game, with what a screen needs that knows nothing of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameInfo {
    #[serde(flatten)]
    pub(crate) game: CatalogGame,
    /// What never changes at its tables; null where its rules are code.
    pub(crate) sheet: Json,
}

/// How many can play.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SeatRange {
    pub(crate) min: u8,
    pub(crate) max: u8,
}

/// A league, and from how many points on.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct League {
    pub(crate) key: &'static str,
    pub(crate) from: i32,
}

/// What a lobby knows of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct CatalogLobby {
    /// The place in the list, lower first.
    pub(crate) order: u16,
    /// Of a table that is opened without a number of seats.
    pub(crate) seats: u8,
    /// Of a table that is opened from the lobby; null for the defaults.
    pub(crate) settings: Json,
    /// Served, but not listed.
    pub(crate) hidden: bool,
    /// Marks by which a lobby groups games.
    pub(crate) tags: &'static [&'static str],
    /// Requests that mean this game when they name none.
    pub(crate) default_for: &'static [Route],
}

/// Which rules a game's sheet is asked for.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GameQuery {
    /// Which rules, where they are a ruleset's; the listed ones unless said.
    pub(crate) identity: Option<String>,
}
