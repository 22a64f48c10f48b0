//! A wall from what a record shows of it: hands and draws in their places, the rest of the box in the places left.

use super::SEATS_MAX;
use super::wall::Wall;
use crate::pay::Seat;
use crate::sets::TileSet;
use crate::tile::Tile;

/// What a record shows of a wall.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownTiles {
    pub(super) dealt: [Vec<Tile>; SEATS_MAX],
    /// Draws in order, those after kans apart.
    pub(super) live: Vec<Tile>,
    pub(super) rinshan: Vec<Tile>,
    pub(super) dora: Vec<Tile>,
    pub(super) ura: Vec<Tile>,
}

impl KnownTiles {
    /// A wall in which all of it happens.
    pub(super) fn wall(&self, dealer: Seat) -> Result<Wall, String> {
        let mut places: [Option<Tile>; 136] = [None; 136];
        for seat in Seat::ALL {
            let steps = usize::from(dealer.steps_to(seat, SEATS_MAX as u8));
            let place = |n: usize| if n < 12 { n / 4 * 16 + steps * 4 + n % 4 } else { 48 + steps };
            let hand = &self.dealt[seat.index()];
            if hand.len() != 13 {
                return Err(format!("{seat} was dealt {} tiles, not 13", hand.len()));
            }
            hand.iter().enumerate().for_each(|(n, tile)| places[place(n)] = Some(*tile));
        }
        let parts =
            [(52, 70, &self.live), (122, 4, &self.rinshan), (126, 5, &self.dora), (131, 5, &self.ura)];
        for (start, room, tiles) in parts {
            if tiles.len() > room {
                return Err("more tiles were drawn than the wall has".into());
            }
            tiles.iter().enumerate().for_each(|(n, tile)| places[start + n] = Some(*tile));
        }
        fill(places)
    }
}

/// Fills the places that are not known with tiles that are not known.
pub(super) fn fill(places: [Option<Tile>; 136]) -> Result<Wall, String> {
    let known: TileSet = places.iter().flatten().copied().collect();
    let unknown =
        Wall::sorted().tiles().iter().copied().filter(|tile| !known.contains(*tile)).collect::<Vec<_>>();
    let mut rest = unknown.into_iter();
    let filled: Option<Vec<Tile>> = places.into_iter().map(|place| place.or_else(|| rest.next())).collect();
    Wall::new(&filled.ok_or("a tile is known in two places")?).map_err(|error| error.to_string())
}
