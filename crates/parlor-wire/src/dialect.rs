//! Dialects: the message names of one document, mapped to those of the server. A dialect belongs to one connection
//! and may remember what was sent on it; it contains no game logic.

use parlor_core::{Fault, Json};

use crate::close::CloseReason;
use crate::lobby::{Inbound, LobbyNews};
use crate::message::{SeatInfo, ServerMessage};

/// A translator for one connection.
pub trait Dialect: Send + Sync {
    /// What a frame means to the server: nothing, or up to four messages in order.
    ///
    /// # Errors
    /// What is wrong with it; the sender gets the refusal through [`Dialect::news`].
    fn decode(&mut self, frame: Json) -> Result<Vec<Inbound>, Fault>;

    /// Whether a player who says hello returns to an unfinished match of this game without asking for it.
    fn takes_up(&self, game: &str) -> bool;

    /// The frames that tell the document's client of this; none if the document has no message for it.
    fn news(&mut self, news: &LobbyNews) -> Vec<Json>;

    /// The frames for a message from a table. `wall_at_zero` is the wall clock, in milliseconds since 1970, at match
    /// time 0.
    fn message(&mut self, message: &ServerMessage, wall_at_zero: i64) -> Vec<Json>;

    /// The close code and reason with which the document ends the connection after what was just told; none if it goes on.
    fn ends(&self) -> Option<(u16, &'static str)> {
        None
    }

    /// The document's close code and reason where the server closes for this reason.
    fn close(&self, reason: CloseReason) -> (u16, &'static str) {
        reason.frame()
    }
}

/// Starts a dialect if the first frame of a connection belongs to it; the dialect then decodes that frame too.
pub type DetectDialect = fn(first: &Json) -> Option<Box<dyn Dialect>>;

/// The log of a finished match in a notation of its game's own: the media type and the text. `None` if the game has no
/// notation of this name; an error if the log is not one of this game.
pub type WriteNotation = fn(notation: &str, log: &str) -> Option<Result<(&'static str, String), String>>;

/// A table in a form of its game's own, made from what one viewer sees: the media type and the text. `accept` is what the
/// caller asked for; `None` if there is nothing to show yet.
pub type ShowDocument = fn(view: &Json, seats: &[SeatInfo], accept: &str) -> Option<(&'static str, String)>;
