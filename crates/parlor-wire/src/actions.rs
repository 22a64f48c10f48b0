//! What a seat can do now, in the words of a game that has words of its own: the body of `GET /matches/{id}/actions`.
//!
//! The game makes it; the server passes it on and never looks inside.

use std::borrow::Cow;
use std::collections::BTreeMap;

use parlor_core::{Code, Fault, Json};
use serde::Serialize;

/// What somebody can do now.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Actions {
    pub actions: Vec<ActionRow>,
    pub refused: Vec<RefusedAction>,
    /// Why nothing can be done at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<WhyNot>,
}

/// Something that can be done now.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActionRow {
    pub id: String,
    pub name: String,
    pub description: String,
    /// What it costs, or from where to where.
    pub cost: Option<String>,
    pub targets: BTreeMap<String, ActionTarget>,
    pub timing: ActionTiming,
    /// Hints for a screen.
    pub ui: Json,
}

/// When an action takes effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ActionTiming {
    /// It waits for responses.
    Stack,
    /// It waits for nothing.
    #[serde(rename = "instant")]
    AtOnce,
}

/// What an action is about.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActionTarget {
    /// What it is taken from.
    pub selector: Option<String>,
    pub count: u16,
    /// Fewer than `count` where fewer will do.
    pub min: u16,
    pub constraints: Vec<String>,
    pub options: Vec<ActionOption>,
    /// What has been chosen so far: ids by the names of the targets.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub given: BTreeMap<String, Json>,
}

/// Something that a target can be, or why it cannot.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ActionOption {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<WhyNot>,
}

/// Something that cannot be done now.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RefusedAction {
    pub id: String,
    pub name: String,
    pub why_not: WhyNot,
}

/// Why something cannot be had.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WhyNot {
    /// For programs.
    pub code: Code,
    /// For people.
    pub text: String,
    /// The values in the text.
    pub args: BTreeMap<Cow<'static, str>, Json>,
}

impl From<Fault> for WhyNot {
    fn from(fault: Fault) -> Self {
        let text = fault.to_string();
        Self { code: fault.code, text, args: fault.args }
    }
}
