//! What a lobby knows of a game: its place in the list, and how a table is opened when nothing else is said.

use serde::Serialize;

use crate::Json;

/// What a lobby knows of a game. Change what differs: `Lobby { order: 3, ..Lobby::DEFAULT }`.
#[derive(Clone, Copy, Debug)]
pub struct Lobby {
    /// The place in the list: lower comes first. Games with the same number keep the order of their registration.
    pub order: u16,
    /// Seats of a table that is opened without a number of seats; the game's minimum if this is none.
    pub seats: Option<u8>,
    /// Settings of a table that is opened from the lobby; the default settings if this is none.
    pub settings: Option<fn() -> Json>,
    /// Served, but not listed: a game that measures a server.
    pub hidden: bool,
    /// Marks by which a lobby groups games, such as `developer`.
    pub tags: &'static [&'static str],
    /// Requests that mean this game when they name none.
    pub default_for: &'static [Route],
    /// Where the public view has a number for each seat that a list of tables shows as the score: a JSON pointer,
    /// in which `*` stands for each seat of a list.
    pub scores: Option<&'static str>,
}

/// A request that may leave out its game, because the document that describes it knows one game only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// `POST /games`.
    Games,
    /// The queue, and a match against bots.
    Queue,
}

impl Lobby {
    /// A game with nothing special about it; it comes after those with a place of their own.
    pub const DEFAULT: Self = Self {
        order: 100,
        seats: None,
        settings: None,
        hidden: false,
        tags: &[],
        default_for: &[],
        scores: None,
    };
}
