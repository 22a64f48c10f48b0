//! Rooms: tables that wait for their players. The store keeps what the server says of a room and never looks inside.

use crate::error::ReadError;
use crate::id::TableId;
use crate::write::Facts;

/// The rooms a store keeps. [`Write::Room`](crate::Write::Room) changes one.
pub trait Rooms: Send + Sync {
    /// The rooms that wait for players, by name.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn rooms(&self) -> Result<Vec<(TableId, Facts)>, ReadError>;
}
