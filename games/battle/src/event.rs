//! The events of a match, each for the viewers who may know it. The dialect makes the document's messages from them.

use arrayvec::ArrayVec;
use parlor_core::{Fault, Seat};
use serde::Serialize;
use ts_rs::TS;

use crate::card::{Hand, Slot};
use crate::end::Reason;
use crate::layout::{Layout, SLOTS};

/// What happened. HP and cards of both are in the order of the seats.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "type")]
pub enum Event {
    /// To everybody, to each player with their own hand: a round begins, and layouts are accepted.
    PrepStart {
        /// Counted from 1.
        round: u32,
        /// Whether this is a round beyond the limit.
        sudden_death: bool,
        /// How long layouts are taken at most.
        prep_ms: u32,
        hp: [u8; 2],
        /// What lies in the pot.
        pot: i64,
        /// The recipient's own cards; `None` for the gallery.
        hand: Option<Hand>,
    },
    /// To the sender alone: their draft was accepted.
    Drafted {
        layout: Layout,
        /// Slots whose entry was no card of the hand and was taken out.
        invalid: ArrayVec<u8, SLOTS>,
    },
    /// To the sender alone: their layout was accepted and is final.
    Confirmed { layout: Layout },
    /// To the sender alone: what they sent cannot be laid, but it shows that they are there.
    Present {
        /// What is wrong with it.
        error: Fault,
    },
    /// To everybody: layouts are closed, and the reveal begins.
    RevealStart { round: u32 },
    /// To everybody: one slot of each was turned over.
    StepReveal {
        round: u32,
        /// The slot, from 0.
        step: u8,
        /// What lay there.
        cards: [Slot; 2],
        /// HP of both afterwards.
        hp: [u8; 2],
    },
    /// To everybody: the round is over.
    RoundEnd {
        round: u32,
        /// Whether it was beyond the limit.
        sudden_death: bool,
        hp: [u8; 2],
    },
    /// To everybody: the match is over.
    MatchEnd {
        reason: Reason,
        /// Who won, if one did.
        winner: Option<Seat>,
        /// Who lost to the winner.
        loser: Option<Seat>,
        /// Whether nobody lost. With neither a winner nor a draw, both have.
        draw: bool,
        hp: [u8; 2],
    },
}
