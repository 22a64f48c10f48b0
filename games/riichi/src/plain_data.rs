//! How tiles, sets and melds are written down: as the numbers and lists that they are. What cannot be is refused.

use crate::meld::{Meld, MeldError, MeldKind};
use crate::pay::Seat;
use crate::sets::{KindSet, TileSet};
use crate::tile::{Kind, Tile};

macro_rules! number {
    ($type:ident, $value:expr, $what:literal) => {
        impl From<$type> for u8 {
            fn from(value: $type) -> Self {
                $value(value)
            }
        }

        impl TryFrom<u8> for $type {
            type Error = String;

            fn try_from(number: u8) -> Result<Self, String> {
                Self::new(number).ok_or_else(|| format!("no {} has the number {number}", $what))
            }
        }
    };
}

number!(Tile, Tile::id, "tile");
number!(Kind, Kind::number, "kind");
number!(Seat, |seat: Seat| seat.index() as u8, "seat");

impl From<TileSet> for Vec<Tile> {
    fn from(set: TileSet) -> Self {
        set.iter().collect()
    }
}

impl From<Vec<Tile>> for TileSet {
    fn from(tiles: Vec<Tile>) -> Self {
        tiles.into_iter().collect()
    }
}

impl From<KindSet> for Vec<Kind> {
    fn from(set: KindSet) -> Self {
        set.iter().collect()
    }
}

impl From<Vec<Kind>> for KindSet {
    fn from(kinds: Vec<Kind>) -> Self {
        kinds.into_iter().collect()
    }
}

impl From<Meld> for (MeldKind, Vec<Tile>) {
    fn from(meld: Meld) -> Self {
        (meld.kind(), meld.tiles().to_vec())
    }
}

impl TryFrom<(MeldKind, Vec<Tile>)> for Meld {
    type Error = MeldError;

    fn try_from((kind, tiles): (MeldKind, Vec<Tile>)) -> Result<Self, MeldError> {
        Self::new(kind, &tiles)
    }
}
