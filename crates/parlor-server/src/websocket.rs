//! WebSocket (RFC 6455), the server's side of it, without extensions.
//!
//! A house has thousands of connections, and nearly all of them are silent at any moment: one that has nothing to say keeps
//! no buffer at all. `frame` knows the bytes, `message` puts frames together, `stream` moves them by what `spare` lends,
//! `handshake` opens the door.

mod frame;
mod handshake;
mod message;
mod spare;
mod stream;
#[cfg(test)]
mod stream_tests;

pub(crate) use frame::Kind;
pub(crate) use handshake::Upgrade;
pub(crate) use message::Message;
pub(crate) use stream::{End, WebSocket};
