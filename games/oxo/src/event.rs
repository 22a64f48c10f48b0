//! What viewers are told.

use parlor_core::Seat;
use serde::Serialize;
use ts_rs::TS;

/// What happened.
#[derive(Serialize, TS)]
#[serde(rename_all = "lowercase", tag = "type")]
pub enum Event {
    /// A seat took a cell.
    Taken { seat: Seat, cell: &'static str },
}
