//! What viewers are told.

use parlor_core::Seat;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{CardRef, CounteredBy, PassUntil, Values};

/// What viewers are told: something that happened by the rules, or a word of the engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum Event {
    Rule(RuleEvent),
    Notice(Notice),
}

/// An event of the rules, as far as the viewer may know it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleEvent {
    /// Its name in the ruleset, or one that every ruleset has.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its number in the match, from 1.
    pub id: u32,
    /// The number of the event that caused it.
    pub caused_by: Option<u32>,
    pub status: EventStatus,
    /// What it carries, by the names of its fields.
    pub payload: Values,
    /// The item on the stack that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub item: Option<String>,
    /// What people call that item.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub title: Option<String>,
    /// What countered that item.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub countered_by: Option<CounteredBy>,
}

/// What has become of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum EventStatus {
    /// It waits on the stack.
    Pending,
    Applied,
    Prevented,
    /// It was begun, and taken back.
    Failed,
}

/// What the engine tells beside the events of the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Notice {
    /// The view has changed, and nothing else tells of it.
    Changed {},
    /// This seat may act now; whether anything waits on the stack.
    #[serde(rename = "priority.changed")]
    PriorityChanged { seat: Seat, stack: bool },
    /// How the viewer passes automatically has changed.
    PassUntil { set: PassUntil },
    /// The viewer's draft is kept.
    Drafted { ask: String },
    /// The viewer's answer is kept until the others have answered.
    Answered { ask: String },
    /// The viewer was there, with nothing that could be kept.
    Present { ask: String },
}

/// The payload of `ZoneMoved`, which every ruleset has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ZoneMoved {
    /// None for a card that the viewer may not know.
    pub card: Option<CardRef>,
    pub from: Option<String>,
    pub to: Option<String>,
    /// Whose zone it was; none for a zone of the game.
    pub from_seat: Option<Seat>,
    pub to_seat: Option<Seat>,
}
