//! The sheet: what never changes at a table, in the author's words.

use std::collections::BTreeMap;

use parlor_core::Json;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Values, present};

/// What never changes at a table of a ruleset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// The ruleset's id.
    pub ruleset: String,
    pub name: String,
    pub version: String,
    pub text: Option<String>,
    pub zones: Vec<ZoneDef>,
    pub attributes: Vec<AttrDef>,
    pub vars: Vec<VarDef>,
    pub counters: Vec<Named>,
    pub keywords: Vec<Named>,
    /// Labels of values, for enums that have them.
    pub enums: BTreeMap<String, Labels>,
    pub phases: Vec<PhaseDef>,
    pub cards: BTreeMap<String, CardDef>,
    pub actions: Vec<Named>,
    /// Those that have hints for screens.
    pub events: Vec<Named>,
    /// What is shown, in other languages: by language, by the author's own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub words: Option<BTreeMap<String, Words>>,
}

/// What is shown for the values of an enum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct Labels(pub BTreeMap<String, String>);

/// The author's own words, and what is said for them in another language.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct Words(pub BTreeMap<String, String>);

/// Something with a name, and what its author says of it for screens.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, TS)]
pub struct Named {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// Hints for screens: whatever the author wrote.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ui: Option<Json>,
}

/// A zone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
pub struct ZoneDef {
    #[serde(flatten)]
    pub named: Named,
    pub owner: Owner,
    pub ordered: bool,
    pub see: SeenBy,
    /// `hand`, `deck`, `pile`, `row` or `stack`; whatever else an author writes is a row.
    pub role: String,
}

/// Whether every player has one, or the game has one for all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    Player,
    Game,
}

/// Who sees into a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum SeenBy {
    All,
    Owner,
    None,
}

/// An attribute of cards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
pub struct AttrDef {
    #[serde(flatten)]
    pub named: Named,
    /// `bool`, `int`, `thing`, or the name of an enum.
    #[serde(rename = "type")]
    pub ty: String,
}

/// A variable.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
pub struct VarDef {
    #[serde(flatten)]
    pub named: Named,
    pub owner: Owner,
    /// `bool`, `int`, `thing`, or the name of an enum.
    #[serde(rename = "type")]
    pub ty: String,
}

/// A phase of a turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
pub struct PhaseDef {
    #[serde(flatten)]
    pub named: Named,
    pub steps: Vec<StepDef>,
}

/// A step of a phase.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
pub struct StepDef {
    #[serde(flatten)]
    pub named: Named,
    /// Whether players may act in it while nothing waits on the stack.
    pub window: bool,
}

/// What is printed on a card.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct CardDef {
    pub title: String,
    /// Whatever the author wrote; a text, if it is to be read.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<Json>,
    /// Hints for screens: whatever the author wrote.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ui: Option<Json>,
    /// Attributes by name.
    pub attrs: Values,
    /// There is at least one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub keywords: Option<Vec<String>>,
}
