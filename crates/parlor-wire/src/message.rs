//! What the server says.

use parlor_core::{Fault, Json, Outcome, Selector};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

/// What an open request is to the seat that is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptKind {
    /// The game waits for the answer.
    Request,
    /// The seat may answer; nobody waits.
    Offer,
    /// An offer whose answers no other viewer can notice.
    Draft,
    /// The house asks whether another player may take something back.
    Undo,
}

/// One thing a seat is asked, as its clients see it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// The id that an answer may name; counted for this seat alone.
    pub input_id: u32,
    /// What it is to the seat.
    pub kind: PromptKind,
    /// The full description.
    #[serde(flatten)]
    pub selector: Selector,
    /// The match time, in milliseconds, at which time runs out.
    #[serde(default)]
    pub until: Option<u64>,
}

// By hand for the same reason as a selector's: a map whose length is known is written once.
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

/// Who sits in a seat, for everybody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeatInfo {
    /// The name; empty for an empty seat.
    pub name: String,
    /// Whether a bot plays it now.
    pub is_bot: bool,
    /// Whether its player is connected.
    pub here: bool,
}

/// How a match ended, with what may be published about it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Over {
    /// The result.
    pub outcome: Outcome,
    /// The result in a sentence.
    pub text: String,
    /// The seed, where the game's policy publishes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// A message to one client.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ServerMessage {
    /// Everything this viewer may know, and everything that stands for him.
    Snapshot {
        /// The version this brings the client to.
        v: u64,
        /// The lock for the next answer.
        branch_id: u32,
        /// The number of the match at this table.
        match_no: u32,
        /// What the viewer sees.
        view: Json,
        /// The hash of the view.
        view_hash: String,
        /// What stands for him.
        requests: Vec<Prompt>,
        /// Who sits where.
        seats: Vec<SeatInfo>,
        /// What the server committed to before the cards were dealt.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<String>,
        /// Why the table stands still, if it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paused: Option<String>,
        /// The result, once there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Over>,
    },
    /// Something happened that this viewer may know.
    Update {
        /// The version this brings the client to.
        v: u64,
        /// The lock for the next answer.
        branch_id: u32,
        /// What happened, in order.
        events: Vec<Json>,
        /// The changes to the view, as a JSON Patch.
        patch: Vec<Json>,
        /// The hash of the view after them.
        view_hash: String,
        /// What stands for him now; absent when that has not changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requests: Option<Vec<Prompt>>,
        /// The result, once there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        over: Option<Over>,
    },
    /// Who sits where has changed.
    Seats {
        /// The version this brings the client to.
        v: u64,
        /// Who sits where.
        seats: Vec<SeatInfo>,
    },
    /// Somebody said something.
    Chat {
        /// The version this brings the client to.
        v: u64,
        /// Who.
        #[serde(rename = "player_name")]
        player_name: String,
        /// What.
        text: String,
    },
    /// The table stands still, or goes on.
    Paused {
        /// The version this brings the client to.
        v: u64,
        /// Why; nothing when it goes on.
        why: Option<String>,
    },
    /// The sender's submission was taken.
    Accepted {
        /// The sender's key for retries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_key: Option<String>,
        /// The lock for the next answer.
        branch_id: u32,
    },
    /// The sender's submission was not taken; nothing has changed.
    Refused {
        /// The sender's key for retries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request_key: Option<String>,
        /// The first reason, for programs.
        code: String,
        /// All reasons, for people.
        message: String,
        /// Every fault.
        faults: Vec<Fault>,
        /// The lock that would have been right.
        branch_id: u32,
    },
}

impl ServerMessage {
    /// The version a numbered message brings its client to.
    #[must_use]
    pub fn v(&self) -> Option<u64> {
        match self {
            Self::Snapshot { v, .. }
            | Self::Update { v, .. }
            | Self::Seats { v, .. }
            | Self::Chat { v, .. }
            | Self::Paused { v, .. } => Some(*v),
            Self::Accepted { .. } | Self::Refused { .. } => None,
        }
    }

    /// The requests that the message brings, if it says anything about them.
    #[must_use]
    pub fn requests(&self) -> Option<&[Prompt]> {
        match self {
            Self::Snapshot { requests, .. } => Some(requests),
            Self::Update { requests, .. } => requests.as_deref(),
            _ => None,
        }
    }
}
