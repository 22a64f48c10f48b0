//! A table: everything the house does for a match, without a socket, a clock or a disk.
//!
//! [`Table::handle`] takes a [`Command`] and the time, and gives [`Effect`]s. Whoever drives it (the server, or a test
//! with a virtual clock) appends the records it emits, tells it when they are safe, and delivers the messages it then
//! releases. Nothing of an input leaves before its record is stored.

pub mod chairs;
pub mod clocks;
pub mod command;
mod conns;
pub mod stream;
pub mod table;

pub use chairs::{Occupant, TableSettings};
pub use command::{Command, ConnId, Effect, RecordWrite, Submit};
pub use conns::Conns;
pub use parlor_core::AnswerTarget;
pub use parlor_core::game::OnDisconnect;
pub use table::Table;
