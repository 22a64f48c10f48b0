//! Messages from a table to its clients.

use parlor_core::{Code, Fault, Ignored, Json, Outcome, Seat, Selector};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// What an open request means to the seat that is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PromptKind {
    /// The match waits for the answer.
    Request,
    /// The seat may answer; the match does not wait.
    Offer,
    /// An offer whose answers no other viewer can notice.
    Draft,
    /// The server asks whether another player may undo.
    Undo,
}

/// An open request, as the asked seat's clients see it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = deadline_ts))]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// The id that an answer may name; counted for this seat alone.
    pub input_id: u32,
    /// What the request means to the seat.
    pub kind: PromptKind,
    /// The full description.
    #[serde(flatten)]
    pub selector: Selector,
    /// The match time, in milliseconds, at which time runs out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
}

// By hand for the same reason as a selector's: a map of known length is written in one pass.
impl Serialize for Prompt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = 2 + self.selector.fields() + usize::from(self.until.is_some());
        let mut map = serializer.serialize_map(Some(fields))?;
        map.serialize_entry("inputId", &self.input_id)?;
        map.serialize_entry("kind", &self.kind)?;
        self.selector.write(&mut map)?;
        if let Some(until) = self.until {
            map.serialize_entry("until", &until)?;
        }
        map.end()
    }
}

/// The field that the server adds to a message when it encodes one ([`crate::EncodedMessage`]).
#[cfg(feature = "schema")]
fn deadline_ts(schema: &mut schemars::Schema) {
    if let Some(properties) = schema.get_mut("properties").and_then(parlor_core::Json::as_object_mut) {
        let about = "`until` on the server's wall clock, in milliseconds since 1970.";
        let added = serde_json::json!({"type": "integer", "minimum": 0, "description": about});
        properties.insert("deadlineTs".to_owned(), added);
    }
}

/// Who sits in a seat; the same for every viewer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SeatInfo {
    /// The name; empty for an empty seat.
    pub name: String,
    /// Whether a bot plays the seat now.
    pub is_bot: bool,
    /// Whether the seat's player is connected.
    pub here: bool,
}

/// How long a player is waited for, where everybody may know it; the same for every viewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = deadline_ts))]
#[serde(rename_all = "camelCase")]
pub struct SeatClock {
    /// The seat that is waited for.
    pub seat: Seat,
    /// The match time, in milliseconds, at which its time runs out.
    pub until: u64,
    /// What its bank has, in milliseconds, when its time begins; absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<u64>,
}

/// How a match ended, with what may be published about it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Over {
    /// The result.
    pub outcome: Outcome,
    /// The result in a sentence.
    pub text: String,
    /// The seed, if the game's policy publishes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// A message to one client.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ServerMessage {
    /// The viewer's full state: view, open requests, seats.
    Snapshot {
        /// The client's version after this message.
        v: u64,
        /// The viewer's head. The table refuses an answer that names another.
        branch_id: u32,
        /// The number of the match at this table.
        match_no: u32,
        /// The viewer's view.
        view: Json,
        /// The hash of the view.
        view_hash: String,
        /// The viewer's open requests.
        requests: Vec<Prompt>,
        /// Who sits where.
        seats: Vec<SeatInfo>,
        /// How long each player is waited for, where everybody may know it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        clocks: Vec<SeatClock>,
        /// The server's commitment to the seed, made before the match began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<String>,
        /// Why the table is paused, if it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paused: Option<String>,
        /// The result, once there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Over>,
    },
    /// Something happened that this viewer may know.
    Update {
        /// The client's version after this message.
        v: u64,
        /// The viewer's head. The table refuses an answer that names another.
        branch_id: u32,
        /// The events, in order.
        events: Vec<Json>,
        /// The changes to the view, as a JSON Patch.
        patch: Vec<Json>,
        /// The hash of the view after these changes.
        view_hash: String,
        /// The viewer's open requests; absent if they have not changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requests: Option<Vec<Prompt>>,
        /// How long each player is waited for, where everybody may know it; absent if that has not changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Vec<SeatClock>>,
        /// The result, once there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Over>,
    },
    /// A seat has a new player, or a player has connected or disconnected.
    Seats {
        /// The client's version after this message.
        v: u64,
        /// Who sits where.
        seats: Vec<SeatInfo>,
    },
    /// The table is paused or resumed.
    Paused {
        /// The client's version after this message.
        v: u64,
        /// Why it is paused; null if it is resumed.
        why: Option<String>,
    },
    /// The table accepts the sender's message.
    Accepted {
        /// The sender's retry key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_key: Option<String>,
        /// The viewer's head. The table refuses an answer that names another.
        branch_id: u32,
        /// The parts of the message that were not followed, and why.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ignored: Vec<Ignored>,
    },
    /// The table refuses the sender's message; nothing has changed.
    Refused {
        /// The sender's retry key.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_key: Option<String>,
        /// The first reason, for programs.
        code: Code,
        /// All reasons, for people.
        message: String,
        /// Every fault.
        faults: Vec<Fault>,
        /// The viewer's head.
        branch_id: u32,
    },
}

impl ServerMessage {
    /// The client's version after this message, if the message is numbered.
    #[must_use]
    pub fn v(&self) -> Option<u64> {
        match self {
            Self::Snapshot { v, .. }
            | Self::Update { v, .. }
            | Self::Seats { v, .. }
            | Self::Paused { v, .. } => Some(*v),
            Self::Accepted { .. } | Self::Refused { .. } => None,
        }
    }

    /// Whether the message says when time runs out for somebody.
    #[must_use]
    pub fn has_deadline(&self) -> bool {
        let clocks = match self {
            Self::Snapshot { clocks, .. } => !clocks.is_empty(),
            Self::Update { clocks, .. } => clocks.as_ref().is_some_and(|clocks| !clocks.is_empty()),
            _ => false,
        };
        clocks || self.requests().is_some_and(|all| all.iter().any(|prompt| prompt.until.is_some()))
    }

    /// The open requests in the message, if it says anything about them.
    #[must_use]
    pub fn requests(&self) -> Option<&[Prompt]> {
        match self {
            Self::Snapshot { requests, .. } => Some(requests),
            Self::Update { requests, .. } => requests.as_deref(),
            _ => None,
        }
    }
}
