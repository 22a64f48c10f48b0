//! What one seat has in a round: tiles, melds, river, riichi, furiten.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::hand::{Hand, HandError};
use crate::meld::{Block, Meld, MeldKind};
use crate::pay::Seat;
use crate::sets::{KindSet, TileSet};
use crate::tile::{Kind, Tile};
use crate::waits::{keishiki_tenpai, waits};
use crate::yaku::Yaku;

/// More discards than one seat can make in a round: 18 draws of its own, one more for each call that skips others.
pub(super) const RIVER_MAX: usize = 48;

/// The concealed tiles, as pieces and as counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "TileSet", try_from = "TileSet")]
pub(super) struct Concealed {
    pub(super) tiles: TileSet,
    pub(super) hand: Hand,
}

impl From<Concealed> for TileSet {
    fn from(concealed: Concealed) -> Self {
        concealed.tiles
    }
}

impl TryFrom<TileSet> for Concealed {
    type Error = HandError;

    fn try_from(tiles: TileSet) -> Result<Self, HandError> {
        Ok(Self { tiles, hand: Hand::from_kinds(tiles.iter().map(Tile::kind))? })
    }
}

/// Where a seat stands with riichi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RiichiState {
    No,
    /// Declared; the discard has not passed yet.
    Declared {
        /// On the first turn that nobody interrupted.
        double: bool,
    },
    /// The stick is paid.
    Accepted {
        double: bool,
    },
}

/// A tile in a river. Written down it is one number: the tile's id, 256 if it was the tile just drawn, 512 if it was discarded
/// with a riichi, and 1024 times one more than the seat that called it. Rivers are most of what lies open, and every viewer
/// has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u16", try_from = "u16")]
#[cfg_attr(feature = "game", derive(ts_rs::TS), ts(as = "u16"))]
pub struct Discarded {
    pub tile: Tile,
    pub tsumogiri: bool,
    /// Discarded with a riichi.
    pub riichi: bool,
    /// Who called it.
    pub called_by: Option<Seat>,
}

const TSUMOGIRI: u16 = 1 << 8;
const WITH_RIICHI: u16 = 1 << 9;
const CALLED_BY: u32 = 10;

impl From<Discarded> for u16 {
    fn from(discarded: Discarded) -> Self {
        let Discarded { tile, tsumogiri, riichi, called_by } = discarded;
        let called_by = called_by.map_or(0, |seat| seat.index() as Self + 1);
        Self::from(tile.id())
            + Self::from(tsumogiri) * TSUMOGIRI
            + Self::from(riichi) * WITH_RIICHI
            + (called_by << CALLED_BY)
    }
}

impl TryFrom<u16> for Discarded {
    type Error = &'static str;

    fn try_from(number: u16) -> Result<Self, Self::Error> {
        let tile = Tile::new((number & 0xff) as u8).ok_or("no tile has this id")?;
        let called_by = match number >> CALLED_BY {
            0 => None,
            seat => Some(Seat::new((seat - 1).min(255) as u8).ok_or("no seat has this number")?),
        };
        let is = |mark: u16| number & mark != 0;
        Ok(Self { tile, tsumogiri: is(TSUMOGIRI), riichi: is(WITH_RIICHI), called_by })
    }
}

/// A meld on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct TableMeld {
    pub meld: Meld,
    /// Who fed it; the seat itself for a closed kan.
    pub from: Seat,
    /// The tile that was called; none for a closed kan.
    pub called: Option<Tile>,
    /// The tile that was added to a pon.
    pub added: Option<Tile>,
}

/// Why a seat is furiten, with the tiles that make it so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct Furiten {
    /// Waits among the seat's own discards.
    pub discards: KindSet,
    /// A tile that went by since the seat's last discard.
    pub missed: Option<Tile>,
    /// A tile that went by after riichi.
    pub missed_in_riichi: Option<Tile>,
}

impl Furiten {
    /// Whether any of the three is so.
    #[must_use]
    pub const fn is_furiten(&self) -> bool {
        !self.discards.is_empty() || self.missed.is_some() || self.missed_in_riichi.is_some()
    }
}

/// What one seat has in a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    pub(super) concealed: Concealed,
    /// The tile just drawn; it is among the concealed ones.
    pub(super) drawn: Option<Tile>,
    pub(super) melds: ArrayVec<TableMeld, 4>,
    pub(super) river: ArrayVec<Discarded, RIVER_MAX>,
    /// The kinds of the river, called tiles included.
    pub(super) discarded: KindSet,
    /// What completes the hand without the drawn tile; stale from a call to the discard after it.
    pub(super) waits: KindSet,
    pub(super) riichi: RiichiState,
    pub(super) ippatsu: bool,
    pub(super) missed: Option<Tile>,
    pub(super) missed_in_riichi: Option<Tile>,
    /// What the seat was last told.
    pub(super) told_furiten: bool,
    /// What a call forbids to discard.
    pub(super) forbidden: KindSet,
    /// Every tile that was ever in hand or meld in this round.
    pub(super) held: TileSet,
    /// Who fed the last set of a yakuman.
    pub(super) liable: Option<(Seat, Yaku)>,
    /// Only terminals and honors discarded, none of them called.
    pub(super) nagashi: bool,
    /// The tiles are not known here: this state follows a game from another seat. Such a seat is asked nothing.
    pub(super) hidden: bool,
    /// What a hidden seat showed at an exhaustive draw.
    pub(super) shows_tenpai: bool,
}

impl Player {
    pub(super) fn new() -> Self {
        Self {
            concealed: Concealed { tiles: TileSet::EMPTY, hand: Hand::EMPTY },
            drawn: None,
            melds: ArrayVec::new(),
            river: ArrayVec::new(),
            discarded: KindSet::EMPTY,
            waits: KindSet::EMPTY,
            riichi: RiichiState::No,
            ippatsu: false,
            missed: None,
            missed_in_riichi: None,
            told_furiten: false,
            forbidden: KindSet::EMPTY,
            held: TileSet::EMPTY,
            liable: None,
            nagashi: true,
            hidden: false,
            shows_tenpai: false,
        }
    }

    /// The concealed tiles.
    #[must_use]
    pub const fn tiles(&self) -> TileSet {
        self.concealed.tiles
    }

    /// The concealed tiles, as counts.
    #[must_use]
    pub const fn hand(&self) -> &Hand {
        &self.concealed.hand
    }

    /// The tile just drawn.
    #[must_use]
    pub const fn drawn(&self) -> Option<Tile> {
        self.drawn
    }

    /// The melds.
    #[must_use]
    pub fn melds(&self) -> &[TableMeld] {
        &self.melds
    }

    /// The river, called tiles included.
    #[must_use]
    pub fn river(&self) -> &[Discarded] {
        &self.river
    }

    /// The kinds that complete the hand; in an own turn those of the hand before the draw.
    #[must_use]
    pub const fn waits(&self) -> KindSet {
        self.waits
    }

    /// Where the seat stands with riichi.
    #[must_use]
    pub const fn riichi(&self) -> RiichiState {
        self.riichi
    }

    /// Whether riichi stands.
    #[must_use]
    pub const fn in_riichi(&self) -> bool {
        matches!(self.riichi, RiichiState::Accepted { .. })
    }

    /// Whether no call has opened the hand.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.melds.iter().all(|meld| meld.meld.kind() == MeldKind::Ankan)
    }

    /// Why the seat is furiten, if it is.
    #[must_use]
    pub const fn furiten(&self) -> Furiten {
        Furiten {
            discards: self.waits.and(self.discarded),
            missed: self.missed,
            missed_in_riichi: self.missed_in_riichi,
        }
    }

    pub(super) fn blocks(&self) -> ArrayVec<Block, 4> {
        self.melds.iter().map(|meld| meld.meld.block()).collect()
    }

    pub(super) fn kan_count(&self) -> usize {
        self.melds.iter().filter(|meld| meld.meld.kind().is_kan()).count()
    }

    /// Whether an exhaustive draw finds the hand tenpai.
    #[must_use]
    pub fn is_tenpai(&self) -> bool {
        if self.hidden { self.shows_tenpai } else { keishiki_tenpai(self.hand(), &self.blocks()) }
    }

    pub(super) fn receive(&mut self, tile: Tile) {
        self.held.insert(tile);
        if !self.hidden {
            self.concealed.tiles.insert(tile);
            let added = self.concealed.hand.add(tile.kind());
            debug_assert!(added.is_ok(), "a wall has four of a kind");
        }
    }

    pub(super) fn give(&mut self, tile: Tile) {
        if !self.hidden {
            let held = self.concealed.tiles.remove(tile) && self.concealed.hand.remove(tile.kind());
            debug_assert!(held, "{tile:?} is not in hand");
        }
    }

    pub(super) fn update_waits(&mut self) {
        self.waits = if self.hidden { KindSet::EMPTY } else { waits(self.hand()) };
    }

    /// The hand without the drawn tile.
    pub(super) fn before_draw(&self) -> Hand {
        let mut hand = self.concealed.hand;
        if let Some(drawn) = self.drawn {
            hand.remove(drawn.kind());
        }
        hand
    }

    /// A tile that completes the hand goes by.
    pub(super) fn miss(&mut self, tile: Tile) {
        if self.waits.contains(tile.kind()) {
            self.missed.get_or_insert(tile);
            if self.in_riichi() {
                self.missed_in_riichi.get_or_insert(tile);
            }
        }
    }

    pub(super) fn pon_of(&self, kind: Kind) -> Option<usize> {
        let is_it =
            |meld: &TableMeld| meld.meld.kind() == MeldKind::Pon && meld.meld.tiles()[0].kind() == kind;
        self.melds.iter().position(is_it)
    }
}
