//! What requests and their choices carry for the screen.

use parlor_core::Json;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::present;

/// What a request carries, by who asks. A question that a rule of the engine asks has no name in the ruleset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum AskMeta {
    Window(WindowMeta),
    Target(TargetMeta),
    Rule(RuleMeta),
    Statement(StatementMeta),
}

/// To act or to pass, and the offer to pass automatically.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum WindowMeta {
    Action {},
    PassUntil { options: Vec<UntilOption>, stops: Vec<String> },
}

/// Until when one can pass.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct UntilOption {
    pub id: String,
    pub label: String,
}

/// What is still to be chosen for an action that was begun.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TargetMeta {
    pub kind: TargetKind,
    pub action: String,
    pub action_name: String,
    /// The first thing that was chosen: the action starts from it.
    pub source: Option<String>,
    /// What was chosen so far; null for a card that the seat does not know.
    pub chosen: Vec<Option<String>>,
    /// The names of the targets that were chosen, and of the next.
    pub names: Vec<String>,
    /// The mode that was chosen; null where the card no longer has it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<Option<String>>,
    /// The ability that was chosen; null where the card no longer has it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ability: Option<Option<String>>,
}

/// What is chosen for an action: what it is aimed at, what it is paid with, or one of its modes or abilities.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    TargetSelect,
    PayCost,
    ModePick,
}

/// Which rules apply to an event, or in which order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RuleMeta {
    pub kind: RuleKind,
    /// The name of the event.
    pub event: String,
}

/// Whether a rule applies, which comes first, or the order of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RuleKind {
    Confirm,
    ModePick,
    OrderSelect,
}

/// What the ruleset asks by a statement of its own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
pub struct StatementMeta {
    /// The question's name in the ruleset.
    pub ask: String,
    /// The thing that asks, where the seat knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub source: Option<String>,
    /// The number of the event that made it ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub event: Option<u32>,
    #[serde(flatten)]
    pub question: Question,
}

/// What a statement asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Question {
    TargetSelect {},
    OrderSelect {},
    ModePick {},
    Confirm {},
    /// A number; without bounds where there is none to choose.
    Number {
        min: Option<i64>,
        max: Option<i64>,
    },
    /// Things for so many places.
    Slots {
        slots: u8,
        options: Vec<AskOption>,
    },
    /// A number that is shared out among things.
    Distribute {
        sum: i64,
        options: Vec<AskOption>,
    },
}

/// A thing that can be laid into a place, or given a share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct AskOption {
    pub id: String,
    #[serde(rename = "ref")]
    pub reference: String,
    pub title: String,
}

/// Where a pass leads if the others pass too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "to", rename_all = "snake_case", deny_unknown_fields)]
pub enum PassLeads {
    /// What is on top of the stack resolves.
    Item { title: String },
    /// The next step in which players may act.
    Step { title: String },
    /// The turn is over.
    TurnEnd {},
}

/// What a choice carries: the thing that it is, with what it costs; or an action, a mode or an ability.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(untagged, deny_unknown_fields)]
pub enum ChoiceMeta {
    Thing {
        #[serde(rename = "ref")]
        reference: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        cost: Option<String>,
    },
    Action {
        action: String,
        /// Hints for screens: whatever the author wrote.
        ui: Json,
    },
    Mode {
        mode: String,
    },
    /// To pass, and where that leads if the others pass too.
    Pass {
        leads: PassLeads,
    },
    Ability {
        ability: String,
    },
}
