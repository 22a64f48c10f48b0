//! What is said outside of a match: hello, the queue, rooms, and the news of a session.
//!
//! A frame is one [`Inbound`]; what goes out is a [`LobbyNews`] or a [`ServerMessage`](crate::ServerMessage). Between
//! these and the frames a [`Dialect`](crate::Dialect) may stand. What comes in is apart from what goes out: one is read
//! without trust, the other is plain data.

mod inbound;

pub use inbound::{FILL_MS_MAX, Inbound, LobbyMessage};

use serde::{Deserialize, Serialize};

use crate::message::SeatInfo;

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
    fn news_are_flat_objects_with_a_type() {
        let error = serde_json::to_value(LobbyNews::error("busy", "later")).expect("plain data");
        assert_eq!(error, json!({"type": "session_error", "code": "busy", "message": "later"}));
        assert_eq!(serde_json::to_value(LobbyNews::Pong).expect("plain data"), json!({"type": "pong"}));
    }
}
