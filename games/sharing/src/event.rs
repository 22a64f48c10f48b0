//! What viewers are told.

use parlor_core::Seat;
use serde::Serialize;
use ts_rs::TS;

use crate::Animal;

/// What happened.
#[derive(Serialize, TS)]
#[serde(rename_all = "lowercase", tag = "type")]
pub enum Event {
    Drew { seat: Seat },
    Card { card: Animal },
    Order { order: Vec<Seat> },
    Laid { seat: Seat, card: Animal },
    Called { seat: Seat, sharing: Vec<Seat> },
    Scored { seat: Seat, card: Animal },
    Turn { seat: Seat },
}
