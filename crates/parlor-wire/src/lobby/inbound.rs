//! What a client says to the house, read without trust: every field is checked before anything is made of it.

use parlor_core::{Fault, Json};

use crate::client::{ClientMessage, NAME_CHARS_MAX, number, text, token};

/// The longest that somebody may want to wait for people before bots sit down, in milliseconds.
pub const FILL_MS_MAX: u32 = 3_600_000;

/// Anything that a client may say.
#[derive(Clone, PartialEq, Debug)]
pub enum Inbound {
    /// To a table.
    Table(ClientMessage),
    /// To the house.
    Lobby(LobbyMessage),
}

impl Inbound {
    /// Reads a message without trust; unknown fields are ignored.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(value: Json) -> Result<Self, Fault> {
        match LobbyMessage::read(&value)? {
            Some(message) => Ok(Self::Lobby(message)),
            None => ClientMessage::read(value).map(Self::Table),
        }
    }
}

/// A message to the house, from a connection that is at no table.
#[derive(Clone, PartialEq, Debug)]
pub enum LobbyMessage {
    /// Here I am; without a token the house opens an account for a guest.
    Hello {
        /// The player's token.
        token: Option<String>,
        /// The name a new guest would like.
        nickname: Option<String>,
        /// The language a new guest reads.
        language: Option<String>,
    },
    /// Find people to play with.
    QueueJoin {
        /// The game; the dialect, or the house, may know which is meant.
        game: Option<String>,
        /// The table's settings.
        settings: Json,
        /// How many seats; as few as the game allows unless said.
        seats: Option<u8>,
        /// After how long bots may take the seats that are still empty, in milliseconds; never, unless said.
        fill_ms: Option<u32>,
    },
    /// Stop looking.
    QueueLeave,
    /// Play against bots, at once.
    PlayBots {
        /// The game.
        game: Option<String>,
        /// The table's settings.
        settings: Json,
        /// How many bots; all other seats unless said.
        bots: Option<u8>,
    },
    /// In a room: I am ready, or not yet.
    RoomReady {
        /// Whether.
        ready: bool,
    },
    /// The owner starts with whoever is there; bots take the rest.
    RoomStart,
    /// The owner asks somebody to go.
    RoomKick {
        /// Who.
        player_name: String,
    },
    /// The owner hands the room to somebody else.
    RoomOwner {
        /// To whom.
        player_name: String,
    },
    /// After a match: once more with the same people.
    Rematch {
        /// Whether; `false` takes it back.
        agree: bool,
    },
}

impl LobbyMessage {
    /// Reads a message of the lobby; none where the type is none of its own.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(value: &Json) -> Result<Option<Self>, Fault> {
        let Some(kind) = value.get("type").and_then(Json::as_str) else { return Ok(None) };
        let flag = |name: &str| value.get(name).and_then(Json::as_bool).unwrap_or(true);
        let message = match kind {
            "hello" => Self::Hello {
                token: account(value)?,
                nickname: short(value, "nickname")?,
                language: short(value, "language")?,
            },
            "queue_join" => Self::QueueJoin {
                game: short(value, "game")?,
                settings: settings(value),
                seats: small(value, "seats")?,
                fill_ms: fill(value)?,
            },
            "queue_leave" => Self::QueueLeave,
            "play_bots" => Self::PlayBots {
                game: short(value, "game")?,
                settings: settings(value),
                bots: small(value, "bots")?,
            },
            "room_ready" => Self::RoomReady { ready: flag("ready") },
            "room_start" => Self::RoomStart,
            "room_kick" => Self::RoomKick { player_name: named(value)? },
            "room_owner" => Self::RoomOwner { player_name: named(value)? },
            "rematch" => Self::Rematch { agree: flag("agree") },
            _ => return Ok(None),
        };
        Ok(Some(message))
    }
}

fn settings(value: &Json) -> Json {
    value.get("settings").cloned().unwrap_or(Json::Null)
}

/// The token, under either of its names.
fn account(value: &Json) -> Result<Option<String>, Fault> {
    match token(value, "authToken")? {
        Some(token) => Ok(Some(token)),
        None => token(value, "token"),
    }
}

fn short(value: &Json, name: &'static str) -> Result<Option<String>, Fault> {
    match text(value, name)? {
        Some(text) if text.chars().count() > NAME_CHARS_MAX => {
            let fault = Fault::new("invalid_message", "{name} has at most {max} characters");
            Err(fault.arg("name", name).arg("max", NAME_CHARS_MAX))
        }
        text => Ok(text),
    }
}

fn named(value: &Json) -> Result<String, Fault> {
    short(value, "player_name")?.ok_or_else(|| Fault::new("invalid_message", "player_name says who is meant"))
}

fn small(value: &Json, name: &'static str) -> Result<Option<u8>, Fault> {
    let Some(n) = number(value, name)? else { return Ok(None) };
    u8::try_from(n)
        .map(Some)
        .map_err(|_| Fault::new("invalid_message", "{name} must be a small whole number").arg("name", name))
}

fn fill(value: &Json) -> Result<Option<u32>, Fault> {
    match number(value, "fillWithBotsAfterMs")? {
        Some(ms) if ms > FILL_MS_MAX => {
            let fault = Fault::new("invalid_message", "fillWithBotsAfterMs is at most {max}");
            Err(fault.arg("max", FILL_MS_MAX))
        }
        ms => Ok(ms),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_said_to_the_house_is_read_without_trust() {
        let queue = json!({"type": "queue_join", "game": "oxo", "fillWithBotsAfterMs": 500});
        let expected = LobbyMessage::QueueJoin {
            game: Some("oxo".to_owned()),
            settings: Json::Null,
            seats: None,
            fill_ms: Some(500),
        };
        assert_eq!(Inbound::read(queue), Ok(Inbound::Lobby(expected)));
        assert_eq!(Inbound::read(json!({"type": "ping"})), Ok(Inbound::Table(ClientMessage::Ping)));
        for bad in [
            json!({"type": "queue_join", "game": 7}),
            json!({"type": "queue_join", "seats": 300}),
            json!({"type": "queue_join", "fillWithBotsAfterMs": FILL_MS_MAX + 1}),
            json!({"type": "hello", "token": "no token at all"}),
            json!({"type": "hello", "nickname": "x".repeat(51)}),
            json!({"type": "room_kick"}),
            json!({"type": "unheard_of"}),
            json!({"no": "type"}),
        ] {
            assert_eq!(Inbound::read(bad.clone()).expect_err("refused").code, "invalid_message", "{bad}");
        }
        let either = json!({"type": "hello", "token": "b", "authToken": "a"});
        let Ok(Inbound::Lobby(LobbyMessage::Hello { token, .. })) = Inbound::read(either) else {
            panic!("a hello")
        };
        assert_eq!(token.as_deref(), Some("a"));
    }
}
