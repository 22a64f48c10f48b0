//! A table as one seat follows it: the other seats' tiles are not known, what they do is believed.
//!
//! A hidden seat holds no tiles here and is asked nothing. What it does is put in by the caller who follows the game; what the
//! rules make of that for everybody is the table's own work.

use super::action::Action;
use super::state::{Phase, Table};
use crate::hand::HandError;
use crate::pay::Seat;
use crate::sets::{KindSet, TileSet};
use crate::tile::Tile;

impl Table {
    /// From now to the end of the round nothing is known of the seat's concealed tiles.
    pub(super) fn hide(&mut self, seat: Seat) {
        let player = &mut self.round.players[seat.index()];
        player.hidden = true;
        player.concealed = TileSet::EMPTY.try_into().unwrap_or(player.concealed);
        player.held = TileSet::EMPTY;
        player.waits = KindSet::EMPTY;
    }

    /// A hidden seat lays its tiles open; `drawn` is among them.
    pub(super) fn reveal(
        &mut self,
        seat: Seat,
        tiles: TileSet,
        drawn: Option<Tile>,
    ) -> Result<(), HandError> {
        let player = &mut self.round.players[seat.index()];
        player.concealed = tiles.try_into()?;
        player.hidden = false;
        player.drawn = drawn;
        player.waits = crate::waits::waits(&player.before_draw());
        Ok(())
    }

    /// A hidden seat says at an exhaustive draw whether it is tenpai.
    pub(super) fn show_tenpai(&mut self, seat: Seat, is_tenpai: bool) {
        self.round.players[seat.index()].shows_tenpai = is_tenpai;
    }

    /// A hidden seat answers the open window.
    pub(super) fn intend(&mut self, seat: Seat, action: Action) {
        if let Phase::Window(window) = &mut self.phase {
            window.intents[seat.index()] = Some(action);
        }
    }
}
