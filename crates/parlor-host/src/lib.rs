//! A table: everything the server does for a match, without a socket, a clock or a disk.
//!
//! [`Table::handle`] takes a [`Command`] and the time, and returns [`Effect`]s. The driver (the server, or a test
//! with a virtual clock) appends the records that the table emits, reports when they are stored, and delivers the
//! messages that the table then releases. No effect of an input reaches a client before its record is stored.

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
pub use table::{NewTable, Table};
