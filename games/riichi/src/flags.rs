//! How a win came about, and what cannot have been together.

use std::fmt;

use crate::meld::Shape;
use crate::win::Win;

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
    pub(crate) const ANY_RIICHI: Self = Self(Self::RIICHI.0 | Self::DOUBLE_RIICHI.0);
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

/// What is wrong with the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    pub(crate) const fn texts(self) -> (&'static str, &'static str) {
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

/// The first thing that is wrong with the flags of a win.
pub(crate) fn check(win: &Win) -> Option<FlagFault> {
    let flags = win.flags;
    let (tsumo, dealer, riichi) = (win.is_tsumo(), win.is_dealer(), win.is_riichi());
    // Most wins carry no flag but these: nothing further to ask.
    if !flags.has(Flags::ALL_BUT_TSUMO) {
        return None;
    }
    let kan = || win.melds().iter().any(|meld| meld.shape == Shape::Quad);
    let held = || win.concealed.count(win.win) != 1 || win.melds().iter().any(|meld| meld.contains(win.win));
    let first = flags.0 & Flags::FIRST_TURN.0;
    let beside_first = Flags(Flags::ANY_RIICHI.0 | Flags::RINSHAN.0 | Flags::HAITEI.0 | Flags::HOUTEI.0);
    let faults = [
        (riichi && win.open, FlagFault::RiichiOpenHand),
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
        (first != 0 && win.meld_count > 0, FlagFault::FirstTurnWithMelds),
        (first != 0 && (flags.has(beside_first) || first.count_ones() > 1), FlagFault::FirstTurnWithOther),
        (flags.has(Flags::PAARENCHAN) && !dealer, FlagFault::PaarenchanNotDealer),
    ];
    faults.iter().find(|(is_so, _)| *is_so).map(|(_, fault)| *fault)
}
