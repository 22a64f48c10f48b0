//! WebSocket (RFC 6455), the server's side, without extensions.
//!
//! It is ours because of memory: tungstenite on hyper's upgraded stream kept buffers as large as the largest batch that was
//! ever written, and copied each message through three layers. A silent socket here holds under 200 bytes.
//!
//! A server has thousands of connections, and nearly all are idle at any moment: an idle one keeps no buffer at all.
//! `frame` parses and writes frames, `message` assembles them, `stream` reads and writes them with buffers from
//! `buffer_pool`, `handshake` upgrades the request.

mod buffer_pool;
mod frame;
#[cfg(test)]
mod frame_fuzz;
mod handshake;
mod message;
mod stream;
#[cfg(test)]
mod stream_tests;

pub(crate) use frame::{Opcode, ProtocolError};
pub(crate) use handshake::Upgrade;
pub(crate) use message::Message;
pub(crate) use stream::{RecvError, WebSocket};
