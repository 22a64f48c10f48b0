//! WebSocket (RFC 6455), the server's side of it, without extensions.
//!
//! A house has thousands of connections, and nearly all of them are silent at any moment: one that has nothing to say keeps
//! no buffer at all. `frame` knows the bytes, `message` puts frames together, `stream` moves them by what `buffer_pool` lends,
//! `handshake` opens the door.

mod buffer_pool;
mod frame;
mod handshake;
mod message;
mod stream;
#[cfg(test)]
mod stream_tests;

pub(crate) use frame::Opcode;
pub(crate) use handshake::Upgrade;
pub(crate) use message::Message;
pub(crate) use stream::{RecvError, WebSocket};
