//! Networking: the WebSocket protocol, one connection per client, and the protocol that it speaks.
//!
//! A connection turns frames into commands and messages into frames. It never touches a table's state: it writes to
//! the mailbox of a table task and reads its own outbox.

pub(crate) mod bounded_queue;
pub(crate) mod connection;
pub(crate) mod http;
pub(crate) mod not_ready;
pub(crate) mod open_files;
pub(crate) mod outbox;
pub(crate) mod protocol;
pub(crate) mod proxies;
pub(crate) mod refusal_log;
pub(crate) mod throttle;
pub(crate) mod tls;
pub(crate) mod transport;
mod wall_clock;
pub(crate) mod websocket;
