//! One document's message names, mapped to the house's own. A dialect belongs to one connection and may remember what
//! was said on it; no game logic is in it.

use parlor_core::{Fault, Json};

use crate::lobby::{Inbound, LobbyNews};
use crate::message::ServerMessage;

/// A translator for one connection.
pub trait Dialect: Send + Sync {
    /// What a frame means to the house: nothing, or up to four things in order.
    ///
    /// # Errors
    /// What is wrong with it; the refusal goes to the sender through [`Dialect::news`].
    fn decode(&mut self, frame: Json) -> Result<Vec<Inbound>, Fault>;

    /// Whether a match of this game is taken up again by itself when its player says hello.
    fn takes_up(&self, game: &str) -> bool;

    /// What the document's client is told of this; nothing where the document has no word for it.
    fn news(&mut self, news: &LobbyNews) -> Vec<Json>;

    /// The same for what a table says. `wall_at_zero` is the wall clock, in milliseconds since 1970, at match time 0.
    fn message(&mut self, message: &ServerMessage, wall_at_zero: i64) -> Vec<Json>;
}

/// Begins a dialect where the first frame of a connection belongs to it; the frame is then heard like any other.
pub type DetectDialect = fn(first: &Json) -> Option<Box<dyn Dialect>>;
