//! What viewers are told.

use parlor_core::Seat;
use serde::Serialize;
use ts_rs::TS;

use crate::Card;

/// What happened.
#[derive(Serialize, TS)]
#[serde(rename_all = "lowercase", tag = "type")]
pub enum Event {
    Round { round: u8 },
    Pack,
    Picked { card: Card },
    Took { seat: Seat },
    Decks { scores: Vec<i64> },
}
