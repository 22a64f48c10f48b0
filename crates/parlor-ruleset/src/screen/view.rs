//! What one viewer sees of a match.

use std::collections::BTreeMap;

use parlor_core::{Json, Seat};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::{Values, present};

/// What one viewer sees of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct View {
    /// The viewer's own seat; none for the gallery.
    pub you: Option<Seat>,
    /// Where the turn is; only where the ruleset has steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub turn: Option<Turn>,
    /// The variables of the game, by name.
    pub vars: Values,
    /// The zones of the game, by name.
    pub zones: BTreeMap<String, SeenZone>,
    /// The players by seat.
    pub players: Vec<SeenPlayer>,
    /// Only where the ruleset has teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub teams: Option<Vec<SeenTeam>>,
    /// What waits, the next to resolve last; only where something can wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub stack: Option<Vec<SeenItem>>,
    /// Who may act now; it is there where the stack is.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub priority: Option<Option<Seat>>,
    /// Who has passed since somebody last acted; it is there where the stack is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub passes: Option<Vec<Seat>>,
    /// Who has yet to answer, where the ruleset shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub waiting_for: Option<Vec<Seat>>,
    /// What the viewer has said to the question that stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub answer: Option<Answer>,
    /// How the viewer passes automatically; only for players of a ruleset in which one can act or pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pass_until: Option<PassUntil>,
    /// Whether the match is over.
    pub over: bool,
}

/// Where the turn is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Turn {
    pub phase: Option<String>,
    pub step: Option<String>,
    pub active_player: Seat,
    pub turn_number: u32,
    pub round: u32,
}

/// A zone, as far as the viewer sees into it; there is at least one of these fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SeenZone {
    /// How many cards lie there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub count: Option<usize>,
    /// Those that the viewer knows of. Where they see the places, null stands for a card that they do not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cards: Option<Vec<Option<SeenCard>>>,
}

/// A card with everything that the viewer sees on it.
// What an author calls one of the fields below hides it: names of attributes are not kept apart from them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SeenCard {
    /// What clients call it.
    pub id: String,
    /// Its name in the ruleset; none for a card that lies face down.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub card: Option<String>,
    /// Whose it is, where it is not the zone's owner's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub owner: Option<Seat>,
    /// Who controls it, where it is not the zone's owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub controller: Option<Seat>,
    /// Who put it into a zone of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by: Option<Seat>,
    /// Keywords in force; there is at least one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub keywords: Option<Vec<String>>,
    /// Counters on it, by name; there is at least one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub counters: Option<BTreeMap<String, i64>>,
    /// It is true where it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub face_down: Option<bool>,
    /// The cell of a grid in which it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cell: Option<u16>,
    /// The attributes that can change, by name.
    #[serde(flatten)]
    pub attrs: BTreeMap<String, AttrValue>,
}

/// What an attribute is: the ruleset says of which type.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct AttrValue(pub Json);

/// A player, as far as the viewer may know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SeenPlayer {
    pub vars: Values,
    pub zones: BTreeMap<String, SeenZone>,
    pub lost: bool,
}

/// A team, as far as the viewer may know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SeenTeam {
    pub name: String,
    pub seats: Vec<Seat>,
    pub vars: Values,
}

/// A seat where a card or an item may stand as well.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SeatRef {
    pub seat: Seat,
}

/// A card that the viewer knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct CardRef {
    /// What clients call it.
    pub id: String,
    /// Its name in the ruleset.
    pub card: String,
}

/// A seat, a card, or an item by its id. What the viewer may not know is null instead.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum Thing {
    Item(String),
    Seat(SeatRef),
    Card(CardRef),
}

/// What waits on the stack.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeenItem {
    /// What clients call it.
    pub id: String,
    pub kind: ItemKind,
    /// The name of the action, the event or the trigger in the ruleset.
    pub ref_id: String,
    /// What people call it: a card that is played has its title.
    pub title: String,
    /// The number of the event that it is, or that it reacts to.
    pub event: u32,
    pub created_at_order: u32,
    pub flags: ItemFlags,
    pub controller: Option<SeatRef>,
    pub source: Option<Thing>,
    pub caused_by: Option<Cause>,
    /// It is true where it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub countered: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub countered_by: Option<CounteredBy>,
    /// The action that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub action: Option<String>,
    /// The mode that was chosen; null where the card no longer has it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<Option<String>>,
    /// The ability that was chosen; null where the card no longer has it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub ability: Option<Option<String>>,
    pub targets: Vec<SeenTarget>,
}

/// What an item is: an event, or a reaction to one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    Event,
    Reaction,
}

/// What was done with an item so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ItemFlags {
    /// Whether the reactions that come before it were put above it.
    pub before_scheduled: bool,
}

/// What put an item there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// The item, where it still waits.
    pub id: Option<String>,
    /// The number of the event.
    pub event: u32,
    pub title: Option<String>,
}

/// What countered an item.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct CounteredBy {
    /// What clients called the item that did it.
    pub id: String,
    pub title: String,
    pub seat: Option<Seat>,
    pub source: Option<CardRef>,
}

/// A target of an action. One that the viewer may not know has only its name among the targets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SeenTarget {
    /// What it is to the action.
    pub target: String,
    /// What clients call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub id: Option<String>,
    /// The seat that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub seat: Option<Seat>,
    /// The name of the card that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub card: Option<String>,
}

/// What a seat has said to the question that stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The question's name in the ruleset.
    pub ask: String,
    /// What was said; null for an empty place.
    pub said: Vec<Option<AnswerValue>>,
    /// Whether it is no longer a draft.
    pub sealed: bool,
}

/// One thing that was said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum AnswerValue {
    Truth(bool),
    Number(i64),
    Word(String),
    Thing(Thing),
}

/// How a seat passes automatically.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct PassUntil {
    /// `off`, `response`, `turn_end`, `my_turn`, or `step:` and the name of a step.
    pub until: String,
    /// Whether it also passes on what others put onto the stack.
    pub through: bool,
    /// The steps whose beginning ends it.
    pub stops: Vec<String>,
    /// Whether the seat is asked even where everybody can tell that it can do nothing; rulesets of the first edition always
    /// ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub full: Option<bool>,
}
