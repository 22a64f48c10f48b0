//! What is said outside of a match: hello, the queue, rooms, and the news of a session.
//!
//! A frame is one [`Inbound`]; what goes out is a [`LobbyNews`] or a [`ServerMessage`](crate::ServerMessage). Between
//! these and the frames a [`Dialect`](crate::Dialect) may stand.

use parlor_core::{Fault, Json};
use serde::{Deserialize, Serialize};

use crate::client::{ClientMessage, NAME_CHARS_MAX, number, text, token};
use crate::message::SeatInfo;

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

/// Who plays in a match that has just begun.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatNews {
    /// Where.
    pub seat: u8,
    /// The name at the table.
    pub name: String,
    /// Whether it is a bot.
    pub is_bot: bool,
    /// Whose account it is; nobody's for a bot, and for a guest without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<String>,
}

impl SeatNews {
    /// Everybody, by seats; `player_of` says whose account is in a seat.
    #[must_use]
    pub fn all(seats: &[SeatInfo], player_of: impl Fn(u8) -> Option<String>) -> Vec<Self> {
        let news = |(seat, info): (u8, &SeatInfo)| Self {
            seat,
            name: info.name.clone(),
            is_bot: info.is_bot,
            player_id: player_of(seat),
        };
        (0..).zip(seats).map(news).collect()
    }
}

/// A match that a player sits at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sitting {
    /// The table.
    pub game_id: String,
    /// The game.
    pub game: String,
    /// His seat.
    pub seat: u8,
}

/// How a player stands in one game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rated {
    /// The game.
    pub game: String,
    /// His points.
    pub rating: i64,
    /// The league they make.
    pub league_key: String,
    /// Matches won.
    pub won: u64,
    /// Matches lost.
    pub lost: u64,
    /// Matches drawn.
    pub drawn: u64,
}

/// A player as he sees himself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Profile {
    /// His name for programs.
    pub player_id: String,
    /// His name for people.
    pub nickname: String,
    /// The language he reads.
    pub language: String,
    /// His picture.
    pub avatar: String,
    /// What he owns.
    pub tokens: i64,
    /// His points in the first game that rates him; 0 where none does yet.
    pub rating: i64,
    /// The league they make.
    #[serde(rename = "leagueKey")]
    pub league_key: String,
    /// How he stands in every game.
    pub ratings: Vec<Rated>,
    /// Whether the next change of name costs nothing.
    pub free_rename: bool,
    /// What he may do beyond playing.
    pub rights: Vec<String>,
}

/// One of the people in a room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Waiting {
    /// The name at the table.
    pub name: String,
    /// Whether he is ready.
    pub ready: bool,
    /// Whether the room is his.
    pub owner: bool,
    /// Whether he is connected.
    pub here: bool,
}

/// What the server says beside a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyNews {
    /// This is who you are.
    HelloOk {
        /// The account.
        #[serde(flatten)]
        profile: Profile,
        /// The token of an account that was opened just now: shown this once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// Matches that wait for you.
        matches: Vec<Sitting>,
    },
    /// What you own and how you stand has changed.
    Account {
        /// The account.
        #[serde(flatten)]
        profile: Profile,
    },
    /// You are in the queue.
    QueueOk {
        /// What you own.
        tokens: i64,
        /// Your place, from 1.
        position: u64,
        /// How many wait with you.
        waiting: u64,
    },
    /// You are in no queue.
    QueueLeft,
    /// A match has begun, and this connection carries it.
    MatchFound {
        /// The table.
        game_id: String,
        /// The game.
        game: String,
        /// Your seat.
        seat: u8,
        /// Your right to return.
        session_token: String,
        /// Everybody.
        players: Vec<SeatNews>,
        /// What each has staked.
        stake: i64,
        /// Whether it had begun before: you come back to it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        returning: bool,
    },
    /// Who is in the room, and how it stands.
    Room {
        /// The table.
        game_id: String,
        /// The people.
        members: Vec<Waiting>,
        /// How many people it waits for in all.
        humans: u8,
    },
    /// You have a place at the table.
    GameJoined {
        /// The table.
        game_id: String,
        /// The names of those who are there.
        players: Vec<String>,
        /// Your right to return; none for a spectator.
        session_token: Option<String>,
    },
    /// Somebody came.
    PlayerJoined {
        /// Who.
        player_name: String,
    },
    /// Somebody went.
    PlayerLeft {
        /// Who.
        player_name: String,
    },
    /// The match begins.
    GameStarted {
        /// Everybody.
        players: Vec<SeatNews>,
    },
    /// You have left.
    GameLeft,
    /// Still here.
    Pong,
    /// Somebody in the room said something.
    Chat {
        /// Who.
        player_name: String,
        /// What.
        text: String,
    },
    /// Who wants a rematch.
    Rematch {
        /// Those who have agreed.
        agreed: Vec<String>,
        /// The new table, once all have.
        game_id: Option<String>,
    },
    /// Something about the server.
    Notice {
        /// What, for programs.
        code: String,
        /// What, for people.
        message: String,
    },
    /// What you said could not be done.
    SessionError {
        /// Why, for programs.
        code: String,
        /// Why, for people.
        message: String,
    },
}

impl LobbyNews {
    /// A refusal.
    #[must_use]
    pub fn error(code: &str, message: &str) -> Self {
        Self::SessionError { code: code.to_owned(), message: message.to_owned() }
    }

    /// A word about the server.
    #[must_use]
    pub fn notice(code: &str, message: &str) -> Self {
        Self::Notice { code: code.to_owned(), message: message.to_owned() }
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

    #[test]
    fn news_are_flat_objects_with_a_type() {
        let error = serde_json::to_value(LobbyNews::error("busy", "later")).expect("plain data");
        assert_eq!(error, json!({"type": "session_error", "code": "busy", "message": "later"}));
        assert_eq!(serde_json::to_value(LobbyNews::Pong).expect("plain data"), json!({"type": "pong"}));
    }
}
