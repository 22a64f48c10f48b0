//! Messages from clients to the lobby. They are untrusted: every field is checked before it is used.

use parlor_core::{Fault, HouseCode, Json};

use crate::client::{ClientMessage, NAME_CHARS_MAX, number, text, token};

/// The longest time that a player may wait for people before bots take the empty seats, in milliseconds.
pub const FILL_MS_MAX: u32 = 3_600_000;

/// Any message from a client.
#[derive(Clone, PartialEq, Debug)]
pub enum Inbound {
    /// To a table.
    Table(ClientMessage),
    /// To the lobby.
    Lobby(LobbyMessage),
}

impl Inbound {
    /// Reads an untrusted message; unknown fields are ignored.
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

/// A message to the lobby, from a connection that is at no table.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(tag = "type", rename_all = "snake_case", rename_all_fields = "snake_case")
)]
pub enum LobbyMessage {
    /// Sign in. Without a token the server creates an account for a guest.
    Hello {
        /// The account's token; `authToken` is the same.
        token: Option<String>,
        /// The name that a new guest would like.
        #[cfg_attr(feature = "schema", schemars(length(max = NAME_CHARS_MAX)))]
        nickname: Option<String>,
        /// The language of a new guest.
        language: Option<String>,
    },
    /// Join the queue.
    QueueJoin {
        /// May be omitted if the dialect or the server knows which game is meant.
        game: Option<String>,
        /// The table's settings.
        #[cfg_attr(feature = "schema", schemars(default))]
        settings: Json,
        /// The number of seats; the game's minimum if omitted.
        seats: Option<u8>,
        /// After how many milliseconds bots may take the empty seats; never if omitted.
        #[cfg_attr(
            feature = "schema",
            schemars(rename = "fillWithBotsAfterMs", range(max = FILL_MS_MAX))
        )]
        fill_ms: Option<u32>,
    },
    /// Leave the queue.
    QueueLeave,
    /// Play against bots at once.
    PlayBots {
        game: Option<String>,
        /// The table's settings.
        #[cfg_attr(feature = "schema", schemars(default))]
        settings: Json,
        /// The number of bots; all other seats if omitted.
        bots: Option<u8>,
    },
    /// Say whether the player is ready, in a room.
    RoomReady {
        #[cfg_attr(feature = "schema", schemars(default = "yes"))]
        ready: bool,
    },
    /// The owner starts the match with the people who are there; bots take the other seats.
    RoomStart,
    /// The owner removes a member.
    RoomKick { player_name: String },
    /// The owner makes another member the owner.
    RoomOwner { player_name: String },
    /// Ask for a rematch with the same people after a match.
    Rematch {
        /// `false` withdraws the request.
        #[cfg_attr(feature = "schema", schemars(default = "yes"))]
        agree: bool,
    },
}

/// What a flag is that was not given.
#[cfg(feature = "schema")]
fn yes() -> bool {
    true
}

impl LobbyMessage {
    /// Reads a message to the lobby; none if its type is not one of the lobby's.
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
            let fault = Fault::new(HouseCode::InvalidMessage, "{name} has at most {max} characters");
            Err(fault.arg("name", name).arg("max", NAME_CHARS_MAX))
        }
        text => Ok(text),
    }
}

fn named(value: &Json) -> Result<String, Fault> {
    short(value, "player_name")?
        .ok_or_else(|| Fault::new(HouseCode::InvalidMessage, "player_name says who is meant"))
}

fn small(value: &Json, name: &'static str) -> Result<Option<u8>, Fault> {
    let Some(n) = number(value, name)? else { return Ok(None) };
    u8::try_from(n).map(Some).map_err(|_| {
        Fault::new(HouseCode::InvalidMessage, "{name} must be a small whole number").arg("name", name)
    })
}

fn fill(value: &Json) -> Result<Option<u32>, Fault> {
    match number(value, "fillWithBotsAfterMs")? {
        Some(ms) if ms > FILL_MS_MAX => {
            let fault = Fault::new(HouseCode::InvalidMessage, "fillWithBotsAfterMs is at most {max}");
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
            assert_eq!(
                Inbound::read(bad.clone()).expect_err("refused").code,
                HouseCode::InvalidMessage.into(),
                "{bad}"
            );
        }
        let either = json!({"type": "hello", "token": "b", "authToken": "a"});
        let Ok(Inbound::Lobby(LobbyMessage::Hello { token, .. })) = Inbound::read(either) else {
            panic!("a hello")
        };
        assert_eq!(token.as_deref(), Some("a"));
    }
}
