//! The eleven variants of the notation and what tells them apart: deck, streets, betting and which hands win.

use std::fmt;
use std::str::FromStr;

use crate::card::CardSet;

/// A poker game of the PHH notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Variant {
    /// `FT`: fixed-limit Texas hold'em.
    FixedHoldem,
    /// `NT`: no-limit Texas hold'em.
    NoLimitHoldem,
    /// `NS`: no-limit short-deck hold'em.
    ShortDeck,
    /// `PO`: pot-limit Omaha.
    PotLimitOmaha,
    /// `FO/8`: fixed-limit Omaha, eight or better.
    FixedOmahaHiLo,
    /// `F7S`: fixed-limit seven card stud.
    Stud,
    /// `F7S/8`: fixed-limit seven card stud, eight or better.
    StudHiLo,
    /// `FR`: fixed-limit razz.
    Razz,
    /// `N2L1D`: no-limit deuce-to-seven single draw.
    SingleDraw,
    /// `F2L3D`: fixed-limit deuce-to-seven triple draw.
    TripleDraw,
    /// `FB`: fixed-limit badugi.
    Badugi,
}

/// How much may be bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// One size per street, four bets and raises at most.
    Fixed,
    /// Up to the pot.
    Pot,
    /// Up to the stack.
    None,
}

/// Who opens the betting of a street.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// The player after the last blind or straddle; after the first street the player left of the button.
    Position,
    /// The lowest card showing brings it in.
    LowCard,
    /// The highest card showing brings it in, aces low.
    HighCard,
    /// The best hand showing.
    HighBoard,
    /// The lowest hand showing, aces low.
    LowBoard,
}

/// One street: what is dealt and how its betting starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Street {
    /// Cards dealt to each player face down, before those face up.
    pub down: u8,
    /// Cards dealt to each player face up.
    pub up: u8,
    /// Cards dealt to the board.
    pub board: u8,
    /// Whether players may exchange cards.
    pub draw: bool,
    /// Whether the big bet is the size, in fixed limit.
    pub big: bool,
    pub opening: Opening,
}

/// A way of comparing hands; a hi-lo game has two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandKind {
    /// Best five of all cards.
    High,
    /// Best five with a flush above a full house and A-6-7-8-9 a straight.
    ShortHigh,
    /// Two of the hole cards and three of the board.
    OmahaHigh,
    /// Lowest five, two from the hole and three from the board, eight or better.
    OmahaLowEight,
    /// Lowest five of all cards, eight or better.
    LowEight,
    /// Lowest five, aces low, straights and flushes do not count.
    AceFive,
    /// Lowest five, aces high, straights and flushes count.
    DeuceSeven,
    /// Most cards of different rank and suit, then the lowest.
    Badugi,
}

const fn street(down: u8, up: u8, board: u8, draw: bool, big: bool, opening: Opening) -> Street {
    Street { down, up, board, draw, big, opening }
}

const fn board_game(hole: u8) -> [Street; 4] {
    [
        street(hole, 0, 0, false, false, Opening::Position),
        street(0, 0, 3, false, false, Opening::Position),
        street(0, 0, 1, false, true, Opening::Position),
        street(0, 0, 1, false, true, Opening::Position),
    ]
}

const fn stud_game(bring_in: Opening, opening: Opening) -> [Street; 5] {
    [
        street(2, 1, 0, false, false, bring_in),
        street(0, 1, 0, false, false, opening),
        street(0, 1, 0, false, true, opening),
        street(0, 1, 0, false, true, opening),
        street(1, 0, 0, false, true, opening),
    ]
}

const fn triple_draw_game(hole: u8) -> [Street; 4] {
    [
        street(hole, 0, 0, false, false, Opening::Position),
        street(0, 0, 0, true, false, Opening::Position),
        street(0, 0, 0, true, true, Opening::Position),
        street(0, 0, 0, true, true, Opening::Position),
    ]
}

static HOLDEM: [Street; 4] = board_game(2);
static OMAHA: [Street; 4] = board_game(4);
static STUD: [Street; 5] = stud_game(Opening::LowCard, Opening::HighBoard);
static RAZZ: [Street; 5] = stud_game(Opening::HighCard, Opening::LowBoard);
static TRIPLE_DRAW: [Street; 4] = triple_draw_game(5);
static BADUGI: [Street; 4] = triple_draw_game(4);
static SINGLE_DRAW: [Street; 2] =
    [street(5, 0, 0, false, false, Opening::Position), street(0, 0, 0, true, false, Opening::Position)];

impl Variant {
    /// All variants, in the order of the notation's table.
    pub const ALL: [Self; 11] = [
        Self::FixedHoldem,
        Self::NoLimitHoldem,
        Self::ShortDeck,
        Self::PotLimitOmaha,
        Self::FixedOmahaHiLo,
        Self::Stud,
        Self::StudHiLo,
        Self::Razz,
        Self::SingleDraw,
        Self::TripleDraw,
        Self::Badugi,
    ];

    /// The notation's code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::FixedHoldem => "FT",
            Self::NoLimitHoldem => "NT",
            Self::ShortDeck => "NS",
            Self::PotLimitOmaha => "PO",
            Self::FixedOmahaHiLo => "FO/8",
            Self::Stud => "F7S",
            Self::StudHiLo => "F7S/8",
            Self::Razz => "FR",
            Self::SingleDraw => "N2L1D",
            Self::TripleDraw => "F2L3D",
            Self::Badugi => "FB",
        }
    }

    /// The game's name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FixedHoldem => "fixed-limit Texas hold'em",
            Self::NoLimitHoldem => "no-limit Texas hold'em",
            Self::ShortDeck => "no-limit short-deck hold'em",
            Self::PotLimitOmaha => "pot-limit Omaha",
            Self::FixedOmahaHiLo => "fixed-limit Omaha hi-lo",
            Self::Stud => "fixed-limit seven card stud",
            Self::StudHiLo => "fixed-limit seven card stud hi-lo",
            Self::Razz => "fixed-limit razz",
            Self::SingleDraw => "no-limit deuce-to-seven single draw",
            Self::TripleDraw => "fixed-limit deuce-to-seven triple draw",
            Self::Badugi => "fixed-limit badugi",
        }
    }

    /// The streets, in order.
    #[must_use]
    pub fn streets(self) -> &'static [Street] {
        match self {
            Self::FixedHoldem | Self::NoLimitHoldem | Self::ShortDeck => &HOLDEM,
            Self::PotLimitOmaha | Self::FixedOmahaHiLo => &OMAHA,
            Self::Stud | Self::StudHiLo => &STUD,
            Self::Razz => &RAZZ,
            Self::SingleDraw => &SINGLE_DRAW,
            Self::TripleDraw => &TRIPLE_DRAW,
            Self::Badugi => &BADUGI,
        }
    }

    /// How much may be bet.
    #[must_use]
    pub const fn limit(self) -> Limit {
        match self {
            Self::NoLimitHoldem | Self::ShortDeck | Self::SingleDraw => Limit::None,
            Self::PotLimitOmaha => Limit::Pot,
            _ => Limit::Fixed,
        }
    }

    /// How hands are compared; the second, if any, plays for half the pot.
    #[must_use]
    pub const fn kinds(self) -> (HandKind, Option<HandKind>) {
        match self {
            Self::FixedHoldem | Self::NoLimitHoldem | Self::Stud => (HandKind::High, None),
            Self::ShortDeck => (HandKind::ShortHigh, None),
            Self::PotLimitOmaha => (HandKind::OmahaHigh, None),
            Self::FixedOmahaHiLo => (HandKind::OmahaHigh, Some(HandKind::OmahaLowEight)),
            Self::StudHiLo => (HandKind::High, Some(HandKind::LowEight)),
            Self::Razz => (HandKind::AceFive, None),
            Self::SingleDraw | Self::TripleDraw => (HandKind::DeuceSeven, None),
            Self::Badugi => (HandKind::Badugi, None),
        }
    }

    /// The cards the game is played with.
    #[must_use]
    pub const fn deck(self) -> CardSet {
        match self {
            Self::ShortDeck => CardSet::SHORT,
            _ => CardSet::FULL,
        }
    }

    /// Whether cards lie face up before each player and a bring-in replaces the blinds.
    #[must_use]
    pub const fn is_stud(self) -> bool {
        matches!(self, Self::Stud | Self::StudHiLo | Self::Razz)
    }

    /// Whether players exchange cards.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        matches!(self, Self::SingleDraw | Self::TripleDraw | Self::Badugi)
    }

    /// Whether there is a board.
    #[must_use]
    pub const fn has_board(self) -> bool {
        !self.is_stud() && !self.is_draw()
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A code that names no variant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of FT, NT, NS, PO, FO/8, F7S, F7S/8, FR, N2L1D, F2L3D, FB, got {0:?}")]
pub struct VariantError(pub String);

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(code: &str) -> Result<Self, VariantError> {
        Self::ALL.into_iter().find(|v| v.code() == code).ok_or_else(|| VariantError(code.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_names_its_variant() {
        for variant in Variant::ALL {
            assert_eq!(variant.code().parse(), Ok(variant));
        }
        assert!("NL".parse::<Variant>().is_err());
    }

    #[test]
    fn stud_deals_seven_cards_and_holdem_five_to_the_board() {
        let cards = |v: Variant| {
            v.streets().iter().map(|s| (s.down + s.up, s.board)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
        };
        assert_eq!(cards(Variant::Stud), (7, 0));
        assert_eq!(cards(Variant::PotLimitOmaha), (4, 5));
    }
}
