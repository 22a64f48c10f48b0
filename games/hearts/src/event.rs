//! What viewers are told.

use parlor_core::Seat;
use serde::Serialize;
use ts_rs::TS;

use crate::Card;

/// What happened.
#[derive(Serialize, TS)]
#[serde(rename_all = "lowercase", tag = "type")]
pub enum Event {
    Dealt { deal: u32 },
    Passed { to: Seat, cards: [Card; 3] },
    Leads { seat: Seat },
    Played { seat: Seat, card: Card },
    Took { seat: Seat, points: u8 },
    Scored { points: [u8; 4], scores: [u16; 4], moon: Option<Seat> },
}
