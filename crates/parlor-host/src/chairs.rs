//! Who sits where, and what happens when somebody is away.

use parlor_core::game::{DisconnectPolicy, OnDisconnect};
use parlor_core::{Json, Seat};
use parlor_wire::SeatInfo;
use serde::{Deserialize, Serialize};

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "is")]
pub enum Occupant {
    /// Nobody.
    #[default]
    Empty,
    /// A person.
    Human {
        /// The name at the table.
        name: String,
    },
    /// A bot of the house.
    Bot {
        /// The name at the table.
        name: String,
    },
}

impl Occupant {
    /// A person of this name.
    #[must_use]
    pub fn human(name: &str) -> Self {
        Self::Human { name: name.to_owned() }
    }

    /// A bot of this name.
    #[must_use]
    pub fn bot(name: &str) -> Self {
        Self::Bot { name: name.to_owned() }
    }

    /// The name at the table; empty for nobody.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Empty => "",
            Self::Human { name } | Self::Bot { name } => name,
        }
    }
}

/// What a table decides and the rules do not care about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TableSettings {
    /// What happens when a player's connection is lost.
    #[serde(rename = "when_away")]
    pub on_disconnect: OnDisconnect,
    /// How long he has to come back, in milliseconds.
    pub away_grace_ms: u64,
    /// Whether the match stands still in the meantime.
    pub pause_while_away: bool,
    /// How long a bot thinks, in milliseconds: always the same, so that it tells nothing.
    pub bot_ms: u64,
}

impl TableSettings {
    /// These settings, with what the game itself says about patience.
    #[must_use]
    pub fn with(mut self, disconnect_policy: Option<DisconnectPolicy>) -> Self {
        if let Some(DisconnectPolicy { on_disconnect, grace_ms, pause }) = disconnect_policy {
            (self.on_disconnect, self.away_grace_ms, self.pause_while_away) =
                (on_disconnect, grace_ms, pause);
        }
        self
    }
}

impl Default for TableSettings {
    fn default() -> Self {
        Self { on_disconnect: OnDisconnect::Wait, away_grace_ms: 0, pause_while_away: false, bot_ms: 0 }
    }
}

/// A note of the house in the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "note")]
pub(crate) enum Note {
    /// Who sits in a seat from now on.
    Sit { seat: Seat, who: Occupant },
    /// Whether a player is connected.
    Here { seat: Seat, here: bool },
    /// A bot plays for the player in this seat, or he has it back.
    #[serde(rename = "stand")]
    StandIn { seat: Seat, bot: bool },
}

impl Note {
    pub(crate) fn json(&self) -> Json {
        serde_json::to_value(self).expect("a note is plain data")
    }
}

/// One seat of the table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Chair {
    pub(crate) who: Occupant,
    /// Whether the player is connected.
    pub(crate) here: bool,
    /// Whether a bot plays for an absent player.
    pub(crate) stand_in: bool,
    /// The record with which his connection was lost; none while he is here, and before he ever was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lost: Option<u32>,
}

impl Chair {
    pub(crate) fn is_bot(&self) -> bool {
        self.stand_in || matches!(self.who, Occupant::Bot { .. })
    }

    pub(crate) fn is_human(&self) -> bool {
        matches!(self.who, Occupant::Human { .. })
    }

    pub(crate) fn info(&self) -> SeatInfo {
        SeatInfo {
            name: self.who.name().to_owned(),
            is_bot: self.is_bot(),
            here: self.here || matches!(self.who, Occupant::Bot { .. }),
        }
    }
}
