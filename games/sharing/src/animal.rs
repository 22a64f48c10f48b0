//! The cards: thirty-two animals in alphabetical order.

use parlor_core::Choice;
use parlor_script::Item;
use serde::{Serialize, Serializer};
use ts_rs::TS;

/// Every card, by name.
pub(super) const NAMES: [&str; 32] = [
    "Ant", "Badger", "Camel", "Deer", "Eagle", "Ferret", "Goat", "Heron", "Ibex", "Jay", "Kite", "Lark",
    "Mole", "Newt", "Otter", "Puma", "Quail", "Rook", "Seal", "Tern", "Urchin", "Vole", "Wasp", "Xerus",
    "Yak", "Zander", "Zebra", "Zebu", "Zokor", "Zonkey", "Zorilla", "Zyzzyva",
];

/// An animal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, TS)]
#[ts(type = "string")]
pub struct Animal(u16);

impl Animal {
    /// The animal with this face.
    #[must_use]
    pub const fn of(face: u16) -> Self {
        Self(face)
    }

    /// Its number, from 0.
    #[must_use]
    pub const fn face(self) -> u16 {
        self.0
    }

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self.0 as usize]
    }

    /// The symbols it shows, from 1 to 3.
    #[must_use]
    pub const fn symbols(self) -> u32 {
        self.0 as u32 % 3 + 1
    }

    /// What it scores, from 1 to 5.
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0 as u32 % 5 + 1
    }
}

impl Serialize for Animal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Item for Animal {
    fn choice(&self) -> Choice {
        Choice::new(self.name())
    }

    fn key(&self) -> u32 {
        self.0.into()
    }
}
