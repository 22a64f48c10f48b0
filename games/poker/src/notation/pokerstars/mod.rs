//! PokerStars' hand histories as text, both ways.
//!
//! Everything that the text has a place for is kept: players, seats, stacks, button, blinds, posts dead and live,
//! antes, straddles, actions, cards, pots, rake, sitting out, chat and time. Three things it has no words for are written
//! in words of our own and read back: a live post of an odd size (`posts a live blind`), the size of a blind posted
//! short (`(of 100)`), and a bring-in nobody posted in full (in the header).

mod build;
mod drive;
mod figures;
mod read;
mod write;

pub use read::read;
pub use write::{WriteError, write};

use crate::variant::Variant;

/// Games by their name in the header; no-limit short-deck has none.
const GAMES: [(&str, Variant); 10] = [
    ("Hold'em No Limit", Variant::NoLimitHoldem),
    ("Hold'em Limit", Variant::FixedHoldem),
    ("Omaha Pot Limit", Variant::PotLimitOmaha),
    ("Omaha Hi/Lo Limit", Variant::FixedOmahaHiLo),
    ("7 Card Stud Limit", Variant::Stud),
    ("7 Card Stud Hi/Lo Limit", Variant::StudHiLo),
    ("Razz Limit", Variant::Razz),
    ("Single Draw 2-7 Lowball No Limit", Variant::SingleDraw),
    ("Triple Draw 2-7 Lowball Limit", Variant::TripleDraw),
    ("Badugi Limit", Variant::Badugi),
];

/// Names of streets as they stand between asterisks.
const fn street_name(variant: Variant, street: usize) -> &'static str {
    if variant.is_stud() {
        match street {
            0 => "3rd STREET",
            1 => "4th STREET",
            2 => "5th STREET",
            3 => "6th STREET",
            _ => "RIVER",
        }
    } else if variant.is_draw() {
        match street {
            0 => "DEALING HANDS",
            1 if matches!(variant, Variant::SingleDraw) => "DRAW",
            1 => "FIRST DRAW",
            2 => "SECOND DRAW",
            _ => "THIRD DRAW",
        }
    } else {
        match street {
            0 => "HOLE CARDS",
            1 => "FLOP",
            2 => "TURN",
            _ => "RIVER",
        }
    }
}
