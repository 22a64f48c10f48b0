//! Who may sit where: tokens, of which only hashes are kept.

use parlor_core::{Json, Seat, Seed};
use parlor_host::TableSettings;
use parlor_store::PlayerId;
use serde::{Deserialize, Serialize};

/// A client's token is accepted as a right to return from this length on; a shorter one is only echoed.
pub(crate) const TOKEN_CHARS_MIN: usize = 16;

/// The hash of a token, as hexadecimal digits.
pub(crate) fn hash(token: &str) -> String {
    blake3::derive_key("parlor 2026 session token", token.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A fresh token: 128 bits that nobody can guess.
pub(crate) fn fresh_token() -> String {
    random::<16>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Random bytes from the system.
///
/// # Panics
/// When the system has none: then nothing here is safe, and nothing should go on.
pub(crate) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has randomness");
    bytes
}

/// Somebody who may return to a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Session {
    pub(crate) name: String,
    /// The hash of his token; none when he gave none that is good enough to return with.
    pub(crate) token: Option<String>,
    pub(crate) seat: Seat,
    /// The account he plays from, if he has one.
    #[serde(default)]
    pub(crate) player: Option<String>,
}

/// What the server keeps with a table, beside its log. Never shown to anybody.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct TableFacts {
    /// The table's own secret, in hexadecimal digits.
    pub(crate) root: String,
    pub(crate) sessions: Vec<Session>,
    /// The hash of the token of whoever made the table.
    #[serde(default)]
    pub(crate) owner: Option<String>,
    /// How many seats are played by bots from the start.
    pub(crate) bots: u8,
    pub(crate) settings: TableSettings,
    /// The account behind each seat. It stays when its player leaves: what the seat wins or loses is his.
    #[serde(default)]
    pub(crate) players: Vec<Option<String>>,
    /// Whether its tokens are those of the players' accounts.
    #[serde(default)]
    pub(crate) staked: bool,
    /// Whether its matches count for the players' ratings.
    #[serde(default)]
    pub(crate) rated: bool,
    /// How long the gallery's messages are held back, in milliseconds.
    #[serde(default)]
    pub(crate) spectator_delay_ms: u64,
    /// The code without which nobody may look; none where everybody may.
    #[serde(default)]
    pub(crate) invite: Option<String>,
    /// The moment of another match from which this one plays on.
    #[serde(default)]
    pub(crate) continued: Option<Continued>,
}

/// A moment of a match: the table, which match there, and how many records of it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Continued {
    pub(crate) id: String,
    #[serde(rename = "match")]
    pub(crate) match_no: u32,
    pub(crate) at: u32,
}

impl TableFacts {
    /// The account behind a seat.
    pub(crate) fn player_at(&self, seat: Seat) -> Option<PlayerId> {
        self.players.get(seat.index())?.as_deref().and_then(|id| PlayerId::new(id).ok())
    }

    /// The seat to which this player may return.
    pub(crate) fn seat_of_player(&self, player: &PlayerId) -> Option<&Session> {
        self.sessions.iter().find(|session| session.player.as_deref() == Some(player.as_str()))
    }

    pub(crate) fn root(&self) -> Option<Seed> {
        Seed::from_hex(&self.root)
    }

    pub(crate) fn json(&self) -> Json {
        serde_json::to_value(self).expect("facts are plain data")
    }

    /// The seat that this token may return to.
    pub(crate) fn seat_of(&self, token: &str) -> Option<&Session> {
        let hashed = hash(token);
        self.sessions.iter().find(|session| session.token.as_deref() == Some(&hashed))
    }
}
