//! A win as it is claimed, and as it is believed.
//!
//! [`Claim`] is what a caller says; [`Win`] is a claim in which nothing contradicts the box of tiles or the rules about
//! when a win can happen. Whether the tiles are complete and have a yaku is the question of [`score`](crate::score::score).

use std::fmt;

use crate::flags::check;
pub use crate::flags::{FlagFault, Flags};
use crate::hand::{Hand, HandError};
use crate::meld::{Block, Meld};
use crate::sets::{KindSet, TileSet};
use crate::tile::{Kind, Tile, Wind};

/// A win as claimed; nothing of it is believed before [`Win::new`].
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The concealed tiles, the winning one among them: 14 less 3 for every meld.
    pub hand: &'a [Tile],
    /// The melds, at most four.
    pub melds: &'a [Meld],
    /// The winning tile.
    pub win: Tile,
    /// The dora indicators that lie open, at most five.
    pub dora: &'a [Tile],
    /// The indicators under them; only after riichi.
    pub ura: &'a [Tile],
    /// The winner's wind; east is the dealer.
    pub seat_wind: Wind,
    /// The wind of the round.
    pub round_wind: Wind,
    /// How it came about.
    pub flags: Flags,
}

/// Why a claim is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClaimError {
    /// More than four melds.
    TooManyMelds,
    /// The concealed tiles are not 14 less 3 for every meld.
    WrongCount {
        /// How many there should be.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// More of a kind than the box holds.
    FiveOfAKind { kind: Kind },
    /// The same piece in two places.
    SameTileTwice { tile: Tile },
    /// The winning tile is not among the concealed tiles.
    WinNotInHand {
        /// The winning tile.
        tile: Tile,
    },
    /// More than five dora indicators, or more ura than dora.
    TooManyIndicators,
    /// Ura indicators without riichi.
    UraWithoutRiichi,
    /// Flags that cannot be together, or not with this hand.
    Flags(FlagFault),
}

impl ClaimError {
    /// A short name of the fault, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyMelds => "too_many_melds",
            Self::WrongCount { .. } => "wrong_count",
            Self::FiveOfAKind { .. } => "five_of_a_kind",
            Self::SameTileTwice { .. } => "same_tile_twice",
            Self::WinNotInHand { .. } => "winning_tile_not_in_hand",
            Self::TooManyIndicators => "too_many_indicators",
            Self::UraWithoutRiichi => "ura_without_riichi",
            Self::Flags(fault) => fault.texts().0,
        }
    }
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyMelds => write!(f, "more than four melds"),
            Self::WrongCount { wanted, found } => {
                write!(
                    f,
                    "{found} concealed tiles, the winning one among them; with these melds it must be {wanted}"
                )
            }
            Self::FiveOfAKind { kind } => write!(f, "five of a kind: only four {kind} are in the box"),
            Self::SameTileTwice { tile } => write!(f, "tile {} ({tile}) is in two places", tile.id()),
            Self::WinNotInHand { tile } => {
                write!(f, "the winning tile {} ({tile}) is not among the concealed tiles", tile.id())
            }
            Self::TooManyIndicators => {
                write!(f, "more than five dora indicators, or more ura than dora indicators")
            }
            Self::UraWithoutRiichi => write!(f, "ura indicators count only after riichi"),
            Self::Flags(fault) => f.write_str(fault.texts().1),
        }
    }
}

impl std::error::Error for ClaimError {}

/// A win in which nothing contradicts the box of tiles or the rules about when a win can happen.
#[derive(Clone, Copy, Debug)]
pub struct Win {
    pub(crate) concealed: Hand,
    pub(crate) melds: [Block; 4],
    pub(crate) meld_count: u8,
    pub(crate) win: Kind,
    pub(crate) flags: Flags,
    pub(crate) seat_wind: Wind,
    pub(crate) round_wind: Wind,
    /// Tiles of the hand and the melds that an indicator points to, once for each that does.
    pub(crate) dora: u8,
    pub(crate) ura: u8,
    pub(crate) reds: u8,
    /// Every kind in the hand and the melds.
    pub(crate) kinds: KindSet,
    pub(crate) open: bool,
}

impl Win {
    /// Believes a claim.
    ///
    /// # Errors
    /// If something in it cannot be.
    pub fn new(claim: &Claim<'_>) -> Result<Self, ClaimError> {
        if claim.melds.len() > 4 {
            return Err(ClaimError::TooManyMelds);
        }
        let wanted = 14 - 3 * claim.melds.len();
        if claim.hand.len() != wanted {
            return Err(ClaimError::WrongCount { wanted, found: claim.hand.len() });
        }
        if claim.dora.len() > 5 || claim.ura.len() > claim.dora.len().max(1) {
            return Err(ClaimError::TooManyIndicators);
        }
        let (reds, kinds) = every_piece_once(claim)?;
        let concealed = Hand::from_tiles(claim.hand).map_err(|error| match error {
            HandError::FiveOfAKind { kind } => ClaimError::FiveOfAKind { kind },
            HandError::TooManyTiles => ClaimError::WrongCount { wanted, found: claim.hand.len() },
        })?;
        if !claim.hand.contains(&claim.win) {
            return Err(ClaimError::WinNotInHand { tile: claim.win });
        }
        let mut melds = [Block { shape: crate::meld::Shape::Run, first: Kind::at(0), open: false }; 4];
        for (block, meld) in melds.iter_mut().zip(claim.melds) {
            *block = meld.block();
        }
        let held = &melds[..claim.melds.len()];
        let pointed_at = |indicators: &[Tile]| {
            let count = |kind| concealed.count(kind) + held.iter().map(|block| block.count(kind)).sum::<u8>();
            indicators.iter().map(|tile| count(tile.kind().dora())).sum()
        };
        let win = Self {
            concealed,
            melds,
            meld_count: claim.melds.len() as u8,
            win: claim.win.kind(),
            flags: claim.flags,
            seat_wind: claim.seat_wind,
            round_wind: claim.round_wind,
            dora: pointed_at(claim.dora),
            ura: pointed_at(claim.ura),
            reds,
            kinds,
            open: held.iter().any(|block| block.open),
        };
        if !win.is_riichi() && !claim.ura.is_empty() {
            return Err(ClaimError::UraWithoutRiichi);
        }
        check(&win).map_or(Ok(win), |fault| Err(ClaimError::Flags(fault)))
    }

    /// Whether the winner is the dealer.
    #[must_use]
    pub const fn is_dealer(&self) -> bool {
        matches!(self.seat_wind, Wind::East)
    }

    /// Whether the win is self-drawn.
    #[must_use]
    pub const fn is_tsumo(&self) -> bool {
        self.flags.has(Flags::TSUMO)
    }

    /// Whether riichi or double riichi was declared.
    #[must_use]
    pub const fn is_riichi(&self) -> bool {
        self.flags.has(Flags::ANY_RIICHI)
    }

    /// Whether the hand is open.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.open
    }

    /// The melds, as blocks.
    #[must_use]
    pub fn melds(&self) -> &[Block] {
        &self.melds[..usize::from(self.meld_count)]
    }
}

/// Checks that no piece is in two places; gives the number of red fives and the kinds of the hand and the melds.
fn every_piece_once(claim: &Claim<'_>) -> Result<(u8, KindSet), ClaimError> {
    let mut pieces = Pieces::default();
    for meld in claim.melds {
        pieces.lay(meld.tiles());
    }
    pieces.lay(claim.hand);
    let Pieces { kinds, reds, .. } = pieces;
    pieces.lay(claim.dora);
    pieces.lay(claim.ura);
    if !pieces.twice {
        return Ok((reds, kinds));
    }
    // Pieces are unique, so five of a kind always shows as a piece twice; the plainer fault is named first.
    let own = claim.melds.iter().flat_map(|meld| meld.tiles()).chain(claim.hand);
    let all: Vec<Tile> = own.chain(claim.dora).chain(claim.ura).copied().collect();
    let crowded = Kind::all().find(|kind| all.iter().filter(|tile| tile.kind() == *kind).count() > 4);
    let mut seen = TileSet::EMPTY;
    let twice = all.iter().find(|tile| !seen.insert(**tile)).copied().unwrap_or(claim.win);
    Err(crowded.map_or(ClaimError::SameTileTwice { tile: twice }, |kind| ClaimError::FiveOfAKind { kind }))
}

/// The pieces of a claim, laid out one after the other.
#[derive(Clone, Copy, Default)]
struct Pieces {
    seen: TileSet,
    twice: bool,
    kinds: KindSet,
    reds: u8,
}

impl Pieces {
    #[inline]
    fn lay(&mut self, tiles: &[Tile]) {
        for &tile in tiles {
            self.twice |= !self.seen.insert(tile);
            self.kinds.insert(tile.kind());
            self.reds += u8::from(tile.is_red());
        }
    }
}
