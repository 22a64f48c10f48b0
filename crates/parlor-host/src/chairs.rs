//! The seats of a table: who sits in each, and the settings for lost connections. Only data: `table/seats.rs` acts on
//! it.

use parlor_core::game::{DisconnectPolicy, OnDisconnect};
use parlor_core::{BotChoice, Json, Seat};
use parlor_wire::SeatInfo;
use serde::{Deserialize, Serialize};

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "is")]
pub enum Occupant {
    #[default]
    Empty,
    Human {
        name: String,
        /// Who it is, for the rules ([`parlor_core::Visit::Join`]); 0 if nobody knows.
        #[serde(default, skip_serializing_if = "is_zero")]
        player: u64,
    },
    /// A bot that the server runs.
    Bot {
        name: String,
        /// Which of the game's bots it is.
        #[serde(default, skip_serializing_if = "BotChoice::is_default")]
        choice: BotChoice,
        /// The program outside of the server that plays it, as the operator named it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        program: Option<String>,
    },
}

impl Occupant {
    /// A person with this name.
    #[must_use]
    pub fn human(name: &str) -> Self {
        Self::Human { name: name.to_owned(), player: 0 }
    }

    /// A person with this name, and the number by which the rules know them again.
    #[must_use]
    pub fn known_human(name: &str, player: u64) -> Self {
        Self::Human { name: name.to_owned(), player }
    }

    /// A bot with this name.
    #[must_use]
    pub fn bot(name: &str) -> Self {
        Self::Bot { name: name.to_owned(), choice: BotChoice::default(), program: None }
    }

    /// The name at the table; empty if the seat is.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Empty => "",
            Self::Human { name, .. } | Self::Bot { name, .. } => name,
        }
    }

    /// The number by which the rules know a player again; 0 if they do not.
    pub(crate) fn player(&self) -> u64 {
        match self {
            Self::Human { player, .. } => *player,
            Self::Empty | Self::Bot { .. } => 0,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Settings of a table that do not concern the rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TableSettings {
    /// What happens when a player's connection is lost.
    #[serde(rename = "when_away")]
    pub on_disconnect: OnDisconnect,
    /// How long the player has to come back, in milliseconds.
    pub away_grace_ms: u64,
    /// Whether the match is paused in the meantime.
    pub pause_while_away: bool,
    /// How long a bot takes for its own turn, in milliseconds: always the same, so that the time reveals nothing. Where
    /// several are asked, or nobody may know who is, bots answer at once.
    pub bot_ms: u64,
    /// The bot that plays for a player whose connection is lost.
    #[serde(skip_serializing_if = "BotChoice::is_default")]
    pub stand_in: BotChoice,
    /// How long the table waits for its last human player, in milliseconds; the server's own time if none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_human_grace_ms: Option<u64>,
    /// Whether players pay from accounts: what an input costs is reserved before it is applied.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub funded: bool,
}

impl TableSettings {
    /// These settings, overridden by the game's own disconnect policy if it has one.
    #[must_use]
    pub fn with(mut self, disconnect_policy: Option<DisconnectPolicy>) -> Self {
        if let Some(policy) = disconnect_policy {
            (self.on_disconnect, self.away_grace_ms, self.pause_while_away) =
                (policy.on_disconnect, policy.grace_ms, policy.pause);
            self.last_human_grace_ms = policy.last_human_grace_ms.or(self.last_human_grace_ms);
            if let Some(name) = policy.stand_in {
                self.stand_in = BotChoice::named(name);
            }
        }
        self
    }
}

impl Default for TableSettings {
    fn default() -> Self {
        Self {
            on_disconnect: OnDisconnect::Wait,
            away_grace_ms: 0,
            pause_while_away: false,
            bot_ms: 0,
            stand_in: BotChoice::default(),
            last_human_grace_ms: None,
            funded: false,
        }
    }
}

/// A note in the log, written by the table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "note")]
pub(crate) enum Note {
    /// Who sits in a seat from now on.
    Sit { seat: Seat, who: Occupant },
    /// Whether a player is connected.
    Here { seat: Seat, here: bool },
    /// A bot starts or stops playing for the player in this seat.
    #[serde(rename = "stand")]
    StandIn { seat: Seat, bot: bool },
    /// The player in this seat sent what no honest client can send: a bot has the seat from now on (003-19).
    Expel { seat: Seat, why: String },
    /// The player in this seat leaves when the match is over, or stays after all.
    Leaving { seat: Seat, leaving: bool },
    /// The settings of the rules from the next match on.
    Settings { settings: Json },
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
    pub(crate) here: bool,
    /// Whether a bot plays for an absent player.
    pub(crate) stand_in: bool,
    /// The record that says the connection was lost; none while the player is connected, and before they first were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lost: Option<u32>,
    /// Whether the player leaves when the match is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) leaving: bool,
    /// How often their connection was lost in this match, less what they have played since.
    #[serde(skip)]
    pub(crate) losses: u8,
}

impl Chair {
    pub(crate) fn is_bot(&self) -> bool {
        self.stand_in || matches!(self.who, Occupant::Bot { .. })
    }

    /// The game's bot that answers for this seat; none if a person or a program does.
    pub(crate) fn bot<'a>(&'a self, stand_in: &'a BotChoice) -> Option<&'a BotChoice> {
        match &self.who {
            Occupant::Bot { program: Some(_), .. } => None,
            Occupant::Bot { choice, .. } => Some(choice),
            _ => self.stand_in.then_some(stand_in),
        }
    }

    /// Whether answers for this seat come from a connection: of a person, or of a program.
    pub(crate) fn is_client(&self) -> bool {
        matches!(self.who, Occupant::Human { .. } | Occupant::Bot { program: Some(_), .. })
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
