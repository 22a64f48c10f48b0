//! The wall of one round: 136 tiles in a fixed order. Who shuffled them is not asked here.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::sets::TileSet;
use crate::tile::{TILES, Tile};

/// Tiles that can be dealt and drawn.
const LIVE: usize = 122;
/// Tiles drawn after kans.
const RINSHAN: usize = 4;
/// The most indicators.
const INDICATORS: usize = 5;

/// A wall: first the tiles to deal and draw, in that order, then the four drawn after kans, the five dora indicators
/// and the five ura indicators, in the order they are turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "WallData", try_from = "WallData")]
pub struct Wall {
    tiles: [Tile; TILES],
    /// How many of the live tiles are dealt or drawn.
    drawn: u8,
    /// How many were drawn after kans.
    kans: u8,
}

#[derive(Serialize, Deserialize)]
struct WallData {
    tiles: Vec<Tile>,
    drawn: u8,
    kans: u8,
}

/// Why tiles are no wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WallError {
    /// Not 136 tiles.
    WrongCount { found: usize },
    /// A tile is in it twice.
    SameTileTwice { tile: Tile },
    /// More was drawn than there is.
    Overdrawn,
}

impl fmt::Display for WallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongCount { found } => write!(f, "a wall has {TILES} tiles, {found} came"),
            Self::SameTileTwice { tile } => write!(f, "tile {} ({tile}) twice in one wall", tile.id()),
            Self::Overdrawn => write!(f, "more tiles were drawn than the wall has"),
        }
    }
}

impl std::error::Error for WallError {}

impl Wall {
    /// A wall of these tiles, in the order the type describes.
    ///
    /// # Errors
    /// If they are not the 136 tiles of the box.
    pub fn new(tiles: &[Tile]) -> Result<Self, WallError> {
        let tiles: [Tile; TILES] =
            tiles.try_into().map_err(|_| WallError::WrongCount { found: tiles.len() })?;
        let mut seen = TileSet::EMPTY;
        match tiles.iter().find(|tile| !seen.insert(**tile)) {
            Some(&tile) => Err(WallError::SameTileTwice { tile }),
            None => Ok(Self { tiles, drawn: 0, kans: 0 }),
        }
    }

    /// The wall as the box is sorted: for examples.
    ///
    /// # Panics
    /// Never: the ids are those of the box.
    #[must_use]
    pub fn sorted() -> Self {
        let tiles = std::array::from_fn(|id| Tile::new(id as u8).expect("an id of the box"));
        Self { tiles, drawn: 0, kans: 0 }
    }

    /// A shuffled wall; `below(n)` is a number from 0 to n - 1.
    #[must_use]
    pub fn shuffled(mut below: impl FnMut(usize) -> usize) -> Self {
        let mut wall = Self::sorted();
        for last in (1..TILES).rev() {
            wall.tiles.swap(last, below(last + 1));
        }
        wall
    }

    /// All tiles, in order.
    #[must_use]
    pub const fn tiles(&self) -> &[Tile; TILES] {
        &self.tiles
    }

    /// How many tiles are left to draw.
    #[must_use]
    pub const fn left(&self) -> u8 {
        LIVE as u8 - self.drawn - self.kans
    }

    /// The tile that is drawn last if no kan follows; none if nothing is left.
    pub(super) fn last(&self) -> Option<Tile> {
        (self.left() > 0).then(|| self.tiles[LIVE - 1 - usize::from(self.kans)])
    }

    /// How many kans there were.
    #[must_use]
    pub const fn kans(&self) -> u8 {
        self.kans
    }

    /// The next tile; the caller has seen that one is left.
    pub(super) fn draw(&mut self) -> Tile {
        let tile = self.tiles[usize::from(self.drawn)];
        self.drawn += 1;
        tile
    }

    /// The next tile after a kan.
    pub(super) fn draw_rinshan(&mut self) -> Tile {
        let tile = self.tiles[LIVE + usize::from(self.kans)];
        self.kans += 1;
        tile
    }

    /// The first so many dora indicators.
    #[must_use]
    pub fn dora(&self, count: u8) -> &[Tile] {
        &self.tiles[LIVE + RINSHAN..][..usize::from(count).min(INDICATORS)]
    }

    /// The first so many ura indicators.
    #[must_use]
    pub fn ura(&self, count: u8) -> &[Tile] {
        &self.tiles[LIVE + RINSHAN + INDICATORS..][..usize::from(count).min(INDICATORS)]
    }

    /// The same wall with other tiles in its places; the caller only exchanges tiles.
    pub(super) fn with(&self, tile: impl Fn(Tile) -> Tile) -> Self {
        Self { tiles: self.tiles.map(tile), ..*self }
    }

    /// What was neither dealt nor drawn.
    #[must_use]
    pub fn undrawn(&self) -> TileSet {
        let live = &self.tiles[usize::from(self.drawn)..LIVE];
        live.iter().chain(&self.tiles[LIVE + usize::from(self.kans)..]).copied().collect()
    }
}

impl From<Wall> for WallData {
    fn from(wall: Wall) -> Self {
        Self { tiles: wall.tiles.to_vec(), drawn: wall.drawn, kans: wall.kans }
    }
}

impl TryFrom<WallData> for Wall {
    type Error = WallError;

    fn try_from(data: WallData) -> Result<Self, WallError> {
        let WallData { tiles, drawn, kans } = data;
        if usize::from(kans) > RINSHAN || usize::from(drawn) + usize::from(kans) > LIVE {
            return Err(WallError::Overdrawn);
        }
        Ok(Self { drawn, kans, ..Self::new(&tiles)? })
    }
}
