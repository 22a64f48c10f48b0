//! Messages outside a match: hello, the queue, rooms, and the news of a session.
//!
//! An incoming frame is one [`Inbound`]; an outgoing one is a [`LobbyNews`] or a
//! [`ServerMessage`](crate::ServerMessage). A [`Dialect`](crate::Dialect) may translate between these and the frames.
//! Incoming messages have a module of their own because they are untrusted and checked; outgoing ones are plain data.

mod inbound;

pub use inbound::{FILL_MS_MAX, Inbound, LobbyMessage};

use parlor_core::{Code, Fault, HouseCode, Money, Refusal};
use serde::{Deserialize, Serialize};

use crate::message::SeatInfo;

/// A player of a match that has just begun.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatNews {
    /// The seat, from 0.
    pub seat: u8,
    /// The name at the table.
    pub name: String,
    /// Whether a bot plays it.
    pub is_bot: bool,
    /// The player's account; absent for a bot, and for a guest without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player_id: Option<String>,
}

impl SeatNews {
    /// All players by seat; `player_of` gives the account in a seat.
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

/// An unfinished match in which a player has a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sitting {
    /// The table.
    pub game_id: String,
    /// The game.
    pub game: String,
    /// The player's seat.
    pub seat: u8,
}

/// A player's rating in one game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rated {
    /// The game.
    pub game: String,
    /// The rating points.
    pub rating: i64,
    /// The league for these points.
    pub league_key: String,
    /// Matches won.
    pub won: u64,
    /// Matches lost.
    pub lost: u64,
    /// Matches drawn.
    pub drawn: u64,
}

/// A player's own account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Profile {
    /// The account's id.
    pub player_id: String,
    /// The name that other players see.
    pub nickname: String,
    /// The player's language.
    pub language: String,
    /// The player's picture.
    pub avatar: String,
    /// The balance in tokens.
    pub tokens: i64,
    /// The rating points in the game that requests mean when they name none, or else in the first that rates players; 0
    /// if none does.
    pub rating: i64,
    /// The league for these points.
    #[serde(rename = "leagueKey")]
    pub league_key: String,
    /// The ratings in all games.
    pub ratings: Vec<Rated>,
    /// Whether the next change of name is free.
    pub free_rename: bool,
    /// What the player may do beyond playing.
    pub rights: Vec<String>,
}

/// A member of a room.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waiting {
    /// The name at the table.
    pub name: String,
    /// Whether the player is ready.
    pub ready: bool,
    /// Whether the player owns the room.
    pub owner: bool,
    /// Whether the player is connected.
    pub here: bool,
}

/// A message from the server outside a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyNews {
    /// The client is signed in.
    HelloOk {
        /// The account.
        #[serde(flatten)]
        profile: Profile,
        /// The token of an account that was created just now; sent only this once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        token: Option<String>,
        /// Unfinished matches of the player.
        matches: Vec<Sitting>,
    },
    /// The player's balance or ratings have changed.
    Account {
        /// The account.
        #[serde(flatten)]
        profile: Profile,
    },
    /// The player is in the queue.
    QueueOk {
        /// The balance in tokens.
        tokens: i64,
        /// The position in the queue, from 1.
        position: u64,
        /// How many players wait in all.
        waiting: u64,
    },
    /// The player is not in the queue.
    QueueLeft,
    /// A match has begun on this connection.
    MatchFound {
        /// The table.
        game_id: String,
        /// The game.
        game: String,
        /// The player's seat.
        seat: u8,
        /// The token to return to the seat with.
        session_token: String,
        /// All players.
        players: Vec<SeatNews>,
        /// The stake of each player, in tokens.
        stake: i64,
        /// Whether the match had begun before and the player returns to it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        returning: bool,
    },
    /// The state of a room.
    Room {
        /// The table.
        game_id: String,
        /// The members.
        members: Vec<Waiting>,
        /// How many people the room waits for in all.
        humans: u8,
    },
    /// The client has joined the table.
    GameJoined {
        /// The table.
        game_id: String,
        /// The names of the players who are there.
        players: Vec<String>,
        /// The token to return to the seat with; null for a spectator.
        session_token: Option<String>,
    },
    /// A player has joined.
    PlayerJoined {
        /// The player's name.
        player_name: String,
    },
    /// A player has left.
    PlayerLeft {
        /// The player's name.
        player_name: String,
    },
    /// The match begins.
    GameStarted {
        /// All players.
        players: Vec<SeatNews>,
    },
    /// The client has left the table.
    GameLeft,
    /// The answer to a ping.
    Pong,
    /// A chat message in the room or at the table. It is no part of the match.
    Chat {
        /// The number of the message at its table, from 1; none in a room.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        n: Option<u64>,
        /// The sender's name.
        player_name: String,
        /// The message.
        text: String,
    },
    /// Who wants a rematch.
    Rematch {
        /// The names of the players who have agreed.
        agreed: Vec<String>,
        /// The new table, once all have agreed.
        game_id: Option<String>,
    },
    /// A seat is kept for the player while they choose what to bring.
    SeatReserved {
        /// The seat.
        seat: u8,
        /// For how long, in milliseconds.
        for_ms: u64,
        /// The least that a player brings.
        buy_in_min: i64,
        /// The most that a player brings.
        buy_in_max: i64,
        /// What it is counted in.
        currency: Money,
    },
    /// A notice about the server.
    Notice {
        /// The notice, for programs.
        code: Code,
        /// The notice, for people.
        message: String,
    },
    /// The server refuses the client's message.
    SessionError {
        /// The reason, for programs.
        code: Code,
        /// The reason, for people.
        message: String,
    },
}

impl LobbyNews {
    /// A refusal by the house.
    #[must_use]
    pub fn error(code: HouseCode, message: &str) -> Self {
        Self::SessionError { code: code.into(), message: message.to_owned() }
    }

    /// A notice about the server.
    #[must_use]
    pub fn notice(code: impl Into<Code>, message: &str) -> Self {
        Self::Notice { code: code.into(), message: message.to_owned() }
    }
}

impl From<&Refusal> for LobbyNews {
    fn from(refusal: &Refusal) -> Self {
        Self::SessionError { code: refusal.code().clone(), message: refusal.to_string() }
    }
}

impl From<&Fault> for LobbyNews {
    fn from(fault: &Fault) -> Self {
        Self::SessionError { code: fault.code.clone(), message: fault.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn news_are_flat_objects_with_a_type() {
        let error = serde_json::to_value(LobbyNews::error(HouseCode::Busy, "later")).expect("plain data");
        assert_eq!(error, json!({"type": "session_error", "code": "busy", "message": "later"}));
        assert_eq!(serde_json::to_value(LobbyNews::Pong).expect("plain data"), json!({"type": "pong"}));
    }
}
