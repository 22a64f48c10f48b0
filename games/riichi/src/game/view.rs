//! What one viewer may know: the open table, their own tiles, and what these mean.

use parlor_core::Viewer as Watcher;
use serde::{Serialize, Serializer};
use serde_json::Map;
use ts_rs::TS;

use super::sheet::FuPart;
use super::{Profile, Riichi, seat_of};
use crate::table::{Automatic, Hints, Pace, Phase, View, Viewer, differing};

/// What one viewer may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "View")]
pub struct TableView {
    /// The open table and the viewer's own tiles.
    #[serde(flatten)]
    pub table: View,
    /// Clocks and manners of the table: the profile, and what differs from it.
    #[serde(serialize_with = "from_profile")]
    #[ts(type = "{[key: string]: unknown}")]
    pub pace: Pace,
    /// The round, counted from 1 through the whole game.
    pub round: u32,
    /// What the viewer's own tiles mean; none for a spectator.
    pub hints: Option<Hints>,
    /// What the server does for the viewer; none for a spectator.
    pub automatic: Option<Automatic>,
    /// The fu of each win, line by line, once the round is over.
    pub fu: Vec<Vec<FuPart>>,
}

/// A profile's name and the fields that are not its own; of the nearer profile, so that most tables have none.
fn from_profile<S: Serializer>(pace: &Pace, serializer: S) -> Result<S::Ok, S::Error> {
    let profile = if pace.announce_draws { Profile::Standard } else { Profile::Document };
    let mut fields = match profile.pace() {
        usual if usual == *pace => Map::new(),
        usual => differing(pace, &usual, ""),
    };
    fields.insert("profile".to_owned(), profile.name().into());
    fields.serialize(serializer)
}

impl Riichi {
    pub(super) fn seen_by(&self, viewer: Watcher) -> TableView {
        let seat = viewer.seat().and_then(seat_of);
        let mut table = self.table.view(seat.map_or(Viewer::Gallery, Viewer::Seat));
        if let (Some(own), Some(seat)) = (&mut table.own, seat) {
            // A seat whose answer is kept, or who has nothing to decide in riichi, is not asked.
            let held = matches!(self.table.phase(), Phase::Turn { .. }) && self.holds_tile(seat).is_some();
            own.turn = own.turn.filter(|_| !held || self.decides(seat));
        }
        let hints = seat.map(|seat| self.table.hints(seat, &table.in_sight()));
        let automatic = viewer.seat().and_then(|chair| self.automatic_of(chair));
        TableView { table, pace: self.pace, round: self.round, hints, automatic, fu: self.fu_parts() }
    }
}
