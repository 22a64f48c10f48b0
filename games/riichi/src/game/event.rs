//! What happened, and who hears what of it.

use parlor_core::{Output, Seats};
use serde::Serialize;
use ts_rs::TS;

use super::chair_of;
use crate::pay::Seat;
use crate::table::{Automatic, Event, Viewer};

/// One thing that happened, as one audience hears it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(untagged)]
#[ts(rename = "Event")]
pub enum TableEvent {
    /// What happened at the table.
    Table(Event),
    /// What concerns one seat alone.
    Own(OwnEvent),
}

/// What only the seat itself hears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum OwnEvent {
    /// The seat's answer is kept until the others have answered.
    Answered,
    /// What is done by itself for the seat from now on.
    Automatic {
        /// All of it.
        automatic: Automatic,
    },
}

impl From<OwnEvent> for TableEvent {
    fn from(event: OwnEvent) -> Self {
        Self::Own(event)
    }
}

/// Tells every viewer what they may hear of an event.
pub(super) fn tell(event: &Event, out: &mut impl Output<TableEvent>) {
    let mut say = |to: Seats, viewer: Viewer| {
        if let Some(seen) = event.seen_by(viewer) {
            out.emit(to, TableEvent::Table(seen));
        }
    };
    match event {
        Event::RoundStarted { .. } => {
            for seat in Seat::ALL {
                say(Seats::only(chair_of(seat)), Viewer::Seat(seat));
            }
            say(Seats::GALLERY, Viewer::Gallery);
        }
        Event::Draw { seat, .. } => {
            say(Seats::only(chair_of(*seat)), Viewer::Seat(*seat));
            say(Seats::all_but(chair_of(*seat)), Viewer::Gallery);
        }
        Event::Furiten { seat, .. } => say(Seats::only(chair_of(*seat)), Viewer::Seat(*seat)),
        Event::Discard { .. }
        | Event::Meld { .. }
        | Event::Dora { .. }
        | Event::RiichiAccepted { .. }
        | Event::RoundEnd { .. }
        | Event::GameEnd { .. } => say(Seats::ALL, Viewer::Gallery),
    }
}
