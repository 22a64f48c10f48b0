//! The cube: 120 cards, each a creature of one colour and kind.

use parlor_core::Choice;
use parlor_script::Item;
use serde::{Serialize, Serializer};
use ts_rs::TS;

/// How many cards there are.
pub(super) const CARDS: usize = 120;
pub(super) const COLOURS: [&str; 5] = ["White", "Blue", "Black", "Red", "Green"];
const KINDS: [&str; 24] = [
    "Adder", "Bear", "Crane", "Drake", "Eel", "Fox", "Gnome", "Hawk", "Imp", "Jackal", "Kraken", "Lynx",
    "Moth", "Newt", "Owl", "Pixie", "Quail", "Raven", "Sphinx", "Toad", "Unicorn", "Viper", "Wolf", "Yeti",
];

/// A card of the cube.
#[derive(Clone, Copy, PartialEq, Eq, Debug, TS)]
#[ts(type = "string")]
pub struct Card(u16);

impl Card {
    /// The card with this face.
    #[must_use]
    pub const fn of(face: u16) -> Self {
        Self(face)
    }

    /// Its number, from 0.
    #[must_use]
    pub const fn face(self) -> u16 {
        self.0
    }

    /// The number of its colour.
    #[must_use]
    pub const fn colour(self) -> usize {
        self.0 as usize % COLOURS.len()
    }

    /// How strong it is, from 1 to 9.
    #[must_use]
    pub const fn power(self) -> u32 {
        (self.0 as u32 * 7 + 3) % 9 + 1
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> String {
        format!("{} {}", COLOURS[self.colour()], KINDS[usize::from(self.0) / COLOURS.len()])
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl Item for Card {
    fn choice(&self) -> Choice {
        Choice::new(self.name()).id(self.0.to_string()).kind("card")
    }

    fn key(&self) -> u32 {
        self.0.into()
    }
}
