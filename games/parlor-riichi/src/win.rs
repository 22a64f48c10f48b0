//! A win as it is claimed, and as it is believed.
//!
//! [`Claim`] is what a caller says; [`Win`] is a claim in which nothing contradicts the box of tiles or the rules about
//! when a win can happen. Whether the tiles are complete and have a yaku is the question of [`score`](crate::score::score).

use std::fmt;

use crate::hand::{Hand, HandError};
use crate::meld::{Block, Meld};
use crate::sets::{KindSet, TileSet};
use crate::tile::{Kind, Tile, Wind};

/// How a win came about: a set of flags.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Flags(u16);

macro_rules! flags {
    ($($constant:ident, $bit:literal, $name:literal, $doc:literal;)+) => {
        impl Flags {
            $(#[doc = $doc] pub const $constant: Self = Self(1 << $bit);)+
            const NAMES: &[(&str, Self)] = &[$(($name, Self::$constant)),+];
        }
    };
}

flags! {
    TSUMO, 0, "tsumo", "Self-drawn; without it the win is on a discard or a robbed kan.";
    RIICHI, 1, "riichi", "The winner declared riichi.";
    DOUBLE_RIICHI, 2, "double_riichi", "Riichi on the first uninterrupted turn.";
    IPPATSU, 3, "ippatsu", "Within an uninterrupted turn of riichi.";
    RINSHAN, 4, "rinshan", "On the tile drawn after an own kan.";
    CHANKAN, 5, "chankan", "On the tile that another seat adds to a pon (or, for thirteen orphans, on a closed kan).";
    HAITEI, 6, "haitei", "On the last tile of the wall.";
    HOUTEI, 7, "houtei", "On the last discard.";
    TENHOU, 8, "tenhou", "The dealer's first draw.";
    CHIIHOU, 9, "chiihou", "Another seat's first uninterrupted draw.";
    RENHOU, 10, "renhou", "On a discard before the first own draw, uninterrupted.";
    OPEN_RIICHI, 11, "open_riichi", "The riichi was declared with the hand shown.";
    PAARENCHAN, 12, "paarenchan", "The dealer's eighth win in a row.";
}

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);
    pub(crate) const ALL_BUT_TSUMO: Self = Self(!Self::TSUMO.0);
    const ANY_RIICHI: Self = Self(Self::RIICHI.0 | Self::DOUBLE_RIICHI.0);
    const FIRST_TURN: Self = Self(Self::TENHOU.0 | Self::CHIIHOU.0 | Self::RENHOU.0);

    /// The flag with this name, as in the vectors.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, flag)| *flag)
    }

    /// The names of the flags that are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(_, flag)| self.has(*flag)).map(|(name, _)| *name)
    }

    /// These and those.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether any of those is set here.
    #[must_use]
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

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
    FiveOfAKind {
        /// The kind.
        kind: Kind,
    },
    /// The same piece in two places.
    SameTileTwice {
        /// The piece.
        tile: Tile,
    },
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

/// What is wrong with the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the text of each says it")]
pub enum FlagFault {
    RiichiOpenHand,
    IppatsuWithoutRiichi,
    IppatsuAfterKan,
    OpenRiichiWithoutRiichi,
    ChankanWithTsumo,
    ChankanTileHeld,
    RinshanWithoutTsumo,
    RinshanWithoutKan,
    HaiteiWithoutTsumo,
    HaiteiWithRinshan,
    HouteiWithTsumo,
    HouteiWithChankan,
    TenhouNotDealer,
    TenhouWithoutTsumo,
    ChiihouAsDealer,
    ChiihouWithoutTsumo,
    RenhouAsDealer,
    RenhouWithTsumo,
    FirstTurnWithMelds,
    FirstTurnWithOther,
    PaarenchanNotDealer,
}

impl FlagFault {
    /// The code and the text.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::RiichiOpenHand => ("riichi_open_hand", "riichi needs a closed hand"),
            Self::IppatsuWithoutRiichi => ("ippatsu_without_riichi", "ippatsu needs riichi"),
            Self::IppatsuAfterKan => ("ippatsu_with_rinshan", "a kan ends ippatsu, so rinshan excludes it"),
            Self::OpenRiichiWithoutRiichi => {
                ("open_riichi_without_riichi", "open_riichi needs riichi or double_riichi")
            }
            Self::ChankanWithTsumo => {
                ("chankan_with_tsumo", "chankan is a win on another seat's tile, not tsumo")
            }
            Self::ChankanTileHeld => {
                ("chankan_tile_held", "the other three tiles of a robbed kan are not in the winner's hand")
            }
            Self::RinshanWithoutTsumo => ("rinshan_without_tsumo", "rinshan needs tsumo"),
            Self::RinshanWithoutKan => ("rinshan_without_kan", "rinshan needs a kan among the melds"),
            Self::HaiteiWithoutTsumo => ("haitei_without_tsumo", "haitei needs tsumo"),
            Self::HaiteiWithRinshan => {
                ("haitei_with_rinshan", "the tile after a kan is not the last of the wall")
            }
            Self::HouteiWithTsumo => ("houtei_with_tsumo", "houtei is a win on a discard, not tsumo"),
            Self::HouteiWithChankan => ("houtei_with_chankan", "a robbed kan is not the last discard"),
            Self::TenhouNotDealer => ("tenhou_not_dealer", "tenhou is the dealer's"),
            Self::TenhouWithoutTsumo => ("tenhou_without_tsumo", "tenhou needs tsumo"),
            Self::ChiihouAsDealer => ("chiihou_as_dealer", "chiihou is not the dealer's"),
            Self::ChiihouWithoutTsumo => ("chiihou_without_tsumo", "chiihou needs tsumo"),
            Self::RenhouAsDealer => ("renhou_as_dealer", "renhou is not the dealer's"),
            Self::RenhouWithTsumo => ("renhou_with_tsumo", "renhou is a win on a discard, not tsumo"),
            Self::FirstTurnWithMelds => ("first_turn_with_melds", "tenhou, chiihou and renhou exclude melds"),
            Self::FirstTurnWithOther => (
                "first_turn_with_other",
                "tenhou, chiihou and renhou exclude each other, riichi, rinshan, haitei and houtei",
            ),
            Self::PaarenchanNotDealer => ("paarenchan_not_dealer", "paarenchan is the dealer's"),
        }
    }
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
        win.check_flags(claim)?;
        Ok(win)
    }

    fn check_flags(&self, claim: &Claim<'_>) -> Result<(), ClaimError> {
        let flags = self.flags;
        let tsumo = flags.has(Flags::TSUMO);
        let dealer = self.is_dealer();
        let riichi = flags.has(Flags::ANY_RIICHI);
        if !riichi && !claim.ura.is_empty() {
            return Err(ClaimError::UraWithoutRiichi);
        }
        // Most wins carry no flag but these: nothing further to ask.
        if !flags.has(Flags::ALL_BUT_TSUMO) {
            return Ok(());
        }
        let kan = || claim.melds.iter().any(|meld| meld.kind().is_kan());
        let held =
            || self.concealed.count(self.win) != 1 || self.melds().iter().any(|meld| meld.contains(self.win));
        let first = flags.0 & Flags::FIRST_TURN.0;
        let beside_first = Flags(Flags::ANY_RIICHI.0 | Flags::RINSHAN.0 | Flags::HAITEI.0 | Flags::HOUTEI.0);
        let faults = [
            (riichi && self.open, FlagFault::RiichiOpenHand),
            (flags.has(Flags::IPPATSU) && !riichi, FlagFault::IppatsuWithoutRiichi),
            (flags.has(Flags::IPPATSU) && flags.has(Flags::RINSHAN), FlagFault::IppatsuAfterKan),
            (flags.has(Flags::OPEN_RIICHI) && !riichi, FlagFault::OpenRiichiWithoutRiichi),
            (flags.has(Flags::CHANKAN) && tsumo, FlagFault::ChankanWithTsumo),
            (flags.has(Flags::CHANKAN) && held(), FlagFault::ChankanTileHeld),
            (flags.has(Flags::RINSHAN) && !tsumo, FlagFault::RinshanWithoutTsumo),
            (flags.has(Flags::RINSHAN) && !kan(), FlagFault::RinshanWithoutKan),
            (flags.has(Flags::HAITEI) && !tsumo, FlagFault::HaiteiWithoutTsumo),
            (flags.has(Flags::HAITEI) && flags.has(Flags::RINSHAN), FlagFault::HaiteiWithRinshan),
            (flags.has(Flags::HOUTEI) && tsumo, FlagFault::HouteiWithTsumo),
            (flags.has(Flags::HOUTEI) && flags.has(Flags::CHANKAN), FlagFault::HouteiWithChankan),
            (flags.has(Flags::TENHOU) && !dealer, FlagFault::TenhouNotDealer),
            (flags.has(Flags::TENHOU) && !tsumo, FlagFault::TenhouWithoutTsumo),
            (flags.has(Flags::CHIIHOU) && dealer, FlagFault::ChiihouAsDealer),
            (flags.has(Flags::CHIIHOU) && !tsumo, FlagFault::ChiihouWithoutTsumo),
            (flags.has(Flags::RENHOU) && dealer, FlagFault::RenhouAsDealer),
            (flags.has(Flags::RENHOU) && tsumo, FlagFault::RenhouWithTsumo),
            (first != 0 && self.meld_count > 0, FlagFault::FirstTurnWithMelds),
            (
                first != 0 && (flags.has(beside_first) || first.count_ones() > 1),
                FlagFault::FirstTurnWithOther,
            ),
            (flags.has(Flags::PAARENCHAN) && !dealer, FlagFault::PaarenchanNotDealer),
        ];
        match faults.iter().find(|(is_so, _)| *is_so) {
            Some((_, fault)) => Err(ClaimError::Flags(*fault)),
            None => Ok(()),
        }
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
