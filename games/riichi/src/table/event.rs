//! What happens at a table, and who hears what of it.

use serde::{Deserialize, Serialize};

use super::SEATS_MAX;
use super::result::{GameEnd, RoundResult};
use super::state::Standing;
use crate::meld::MeldKind;
use crate::pay::Seat;
use crate::tile::Tile;

/// Who looks on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    Seat(Seat),
    /// A spectator.
    Gallery,
}

/// One thing that happened. What the state tells is whole; [`Event::seen_by`] is what a viewer hears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(rename = "TableEvent"))]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Event {
    RoundStarted {
        standing: Standing,
        /// By seat; empty where the viewer does not see them.
        hands: Box<[Vec<Tile>; SEATS_MAX]>,
        dora: Tile,
    },
    Draw {
        seat: Seat,
        /// None where the viewer does not see it.
        tile: Option<Tile>,
        rinshan: bool,
    },
    Discard {
        seat: Seat,
        tile: Tile,
        tsumogiri: bool,
        riichi: bool,
    },
    Meld {
        seat: Seat,
        kind: MeldKind,
        /// Lowest id first.
        tiles: Vec<Tile>,
        from: Seat,
        /// The tile that was called or, for an added kan, added.
        tile: Option<Tile>,
    },
    Dora {
        tile: Tile,
    },
    RiichiAccepted {
        seat: Seat,
    },
    /// Only the seat itself hears it.
    Furiten {
        seat: Seat,
        is_furiten: bool,
    },
    RoundEnd {
        result: Box<RoundResult>,
        scores: [i32; SEATS_MAX],
    },
    GameEnd {
        end: GameEnd,
    },
}

impl Event {
    /// What a viewer hears of it; none if nothing.
    #[must_use]
    pub fn seen_by(&self, viewer: Viewer) -> Option<Self> {
        let own = |seat: Seat| viewer == Viewer::Seat(seat);
        Some(match self {
            Self::RoundStarted { standing, hands, dora } => {
                let seen = |index: usize| {
                    let is_own = Seat::new(index as u8).is_some_and(own);
                    if is_own { hands[index].clone() } else { Vec::new() }
                };
                let hands = Box::new(std::array::from_fn(seen));
                Self::RoundStarted { standing: *standing, hands, dora: *dora }
            }
            Self::Draw { seat, tile, rinshan } => {
                Self::Draw { seat: *seat, tile: tile.filter(|_| own(*seat)), rinshan: *rinshan }
            }
            Self::Furiten { seat, .. } if !own(*seat) => return None,
            _ => self.clone(),
        })
    }
}
