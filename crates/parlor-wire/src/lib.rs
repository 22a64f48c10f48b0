//! The session protocol: the messages between server and clients, and the two codecs for them.
//!
//! Messages are flat objects with a `type`. Those that come from records have a version `v`, counted for each stream
//! (a seat, or the gallery). They contain no wall-clock time: deadlines are in match time, and the server adds its
//! own clock when it encodes.

pub mod actions;
pub mod client;
pub mod close;
pub mod codec;
pub mod dialect;
pub mod encoded;
pub mod lobby;
pub mod message;
mod pack;
mod plain;
pub mod ruleset;
mod update;

pub use client::ClientMessage;
pub use close::CloseReason;
pub use codec::{Codec, DecodeError};
pub use dialect::{DetectDialect, Dialect, ShowDocument, WriteNotation};
pub use encoded::{EncodedMessage, FirstRequest, KeptMessage};
pub use lobby::{Inbound, LobbyMessage, LobbyNews};
pub use message::{Prompt, PromptKind, SeatClock, SeatInfo, ServerMessage};
pub use update::{Update, UpdateBody};
