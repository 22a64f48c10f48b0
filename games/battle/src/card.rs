//! The four cards, and the hand that holds them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Cards in a hand.
pub const HAND: usize = 4;

/// A card. It is serialized as the id that clients use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Card {
    /// Deals 2, unless it is blocked or turned back.
    Attack,
    /// Blocks an attack.
    Defense,
    /// Restores 1.
    Heal,
    /// Turns an attack back on the attacker.
    Counter,
}

/// The content of a slot: a card, or nothing.
///
/// The document's GRASS is `None`. It is not a card and has no id, so no message or view can name it by accident: an
/// empty slot is always serialized as null.
pub type Slot = Option<Card>;

impl Card {
    /// Every card, in the order of the default hand.
    pub const ALL: [Self; 4] = [Self::Attack, Self::Defense, Self::Heal, Self::Counter];

    /// The card with this id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.id() == id)
    }

    /// The id that clients use.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Attack => "attack",
            Self::Defense => "defense",
            Self::Heal => "heal",
            Self::Counter => "counter",
        }
    }
}

/// The four cards that a player has for the whole match. A card that is in the hand twice may be laid twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct Hand(pub [Card; HAND]);

impl Default for Hand {
    fn default() -> Self {
        Self(Card::ALL)
    }
}

impl Hand {
    /// How often each card is in the hand, in the order of [`Card::ALL`].
    #[must_use]
    pub fn counts(&self) -> [u8; 4] {
        let mut counts = [0; 4];
        for card in self.0 {
            counts[card as usize] += 1;
        }
        counts
    }
}
