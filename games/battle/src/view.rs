//! The view of a match: what one viewer may know.

use arrayvec::ArrayVec;
use parlor_core::{Seat, Viewer};
use serde::Serialize;
use ts_rs::TS;

use crate::card::{Hand, Slot};
use crate::end::End;
use crate::layout::{Layout, SLOTS};
use crate::rules::Battle;

/// The phase of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, TS)]
#[serde(rename_all = "UPPERCASE")]
pub enum Phase {
    /// Layouts are taken.
    Prep,
    /// Slots are turned over.
    Reveal,
    /// The match is over.
    End,
}

/// Revealed slots, one pair for each step, in seat order.
pub type Shown = ArrayVec<[Slot; 2], SLOTS>;

/// What one viewer may know.
#[derive(Clone, PartialEq, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Where the viewer sits; nowhere in the gallery.
    pub seat: Option<Seat>,
    /// The round, from 1.
    pub round: u32,
    pub phase: Phase,
    /// Whether it is beyond the limit.
    pub sudden_death: bool,
    pub hp: [u8; 2],
    /// What lies in the pot.
    pub pot: i64,
    /// The viewer's own hand.
    pub hand: Option<Hand>,
    /// What the viewer has drafted or confirmed in this round.
    pub layout: Option<Layout>,
    /// Whether the viewer has confirmed it.
    pub confirmed: bool,
    /// What was turned over in this round.
    pub shown: Shown,
    /// What was turned over in the round before.
    pub last: Shown,
    pub end: Option<End>,
}

impl Battle {
    pub(crate) fn seen_by(&self, viewer: Viewer) -> View {
        let seat = viewer.seat();
        let mine = seat.map(|seat| &self.sides[seat.index()]);
        let [a, b] = &self.sides;
        let pairs = |a: Layout, b: Layout, steps| (0..steps).map(|n| [a.0[n], b.0[n]]).collect();
        View {
            seat,
            round: self.round,
            phase: match (self.end, self.step) {
                (Some(_), _) => Phase::End,
                (None, 0) => Phase::Prep,
                _ => Phase::Reveal,
            },
            sudden_death: self.sudden_death(),
            hp: self.hp(),
            pot: self.holds_tokens(),
            hand: seat.map(|seat| self.settings.hands[seat.index()]),
            layout: mine.map(|side| side.laid),
            confirmed: mine.is_some_and(|side| side.confirmed),
            shown: pairs(a.laid, b.laid, self.steps_shown()),
            last: pairs(a.last, b.last, if self.round > 1 { SLOTS } else { 0 }),
            end: self.end,
        }
    }
}
