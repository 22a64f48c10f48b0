//! The answers of a player (layouts, valid or not) and the moves they give: a draft, a confirm, or a sign of life.

use parlor_core::{Fault, Json, Refusal};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::card::{Card, Slot};
use crate::layout::{Layout, SLOTS, Sifted};

/// The answer of a draft and of a confirm; the ask decides which of them it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The layout, as it came.
    pub layout: LayoutAnswer,
}

/// A layout as sent. Any JSON in its place is accepted, because even a wrong layout is a sign of life; only a message
/// that is no answer at all is refused before the rules see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutAnswer {
    /// Three entries.
    Three([SlotAnswer; SLOTS]),
    /// Another number of entries, or no list.
    Other,
}

/// One entry of a layout as sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotAnswer {
    /// Null.
    Empty,
    /// The id of a card.
    Card(Card),
    /// Anything else.
    Unknown,
}

impl From<Slot> for SlotAnswer {
    fn from(slot: Slot) -> Self {
        slot.map_or(Self::Empty, Self::Card)
    }
}

impl From<&Json> for SlotAnswer {
    fn from(value: &Json) -> Self {
        match value {
            Json::Null => Self::Empty,
            Json::String(id) => Card::from_id(id).map_or(Self::Unknown, Self::Card),
            _ => Self::Unknown,
        }
    }
}

impl From<&Json> for LayoutAnswer {
    fn from(value: &Json) -> Self {
        match value.as_array().map(Vec::as_slice) {
            Some([a, b, c]) => Self::Three([a.into(), b.into(), c.into()]),
            _ => Self::Other,
        }
    }
}

impl<'de> Deserialize<'de> for LayoutAnswer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from(&Json::deserialize(deserializer)?))
    }
}

impl Serialize for LayoutAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries: &[SlotAnswer] = match self {
            Self::Three(entries) => entries,
            Self::Other => &[],
        };
        let mut list = serializer.serialize_seq(Some(entries.len()))?;
        for entry in entries {
            list.serialize_element(&match entry {
                SlotAnswer::Empty => None,
                SlotAnswer::Card(card) => Some(card.id()),
                SlotAnswer::Unknown => Some("?"),
            })?;
        }
        list.end()
    }
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Play this layout unless another one arrives before the deadline.
    Draft(Sifted),
    /// Play this layout.
    Confirm(Layout),
    /// Not a valid layout, but a sign of life.
    Present(Wrong),
}

/// Why a layout is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It does not have three entries.
    Shape,
    /// A confirm with a card that the hand does not hold, or not as often.
    Cards,
}

impl Wrong {
    /// The reason, as a code and as text.
    #[must_use]
    pub fn fault(self) -> Fault {
        match self {
            Self::Shape => Fault::new("layout", "Invalid layout: exactly three entries, each a card or null"),
            Self::Cards => Fault::new("cards", "Invalid cards: cards must be from your hand"),
        }
    }
}

impl From<Wrong> for Refusal {
    fn from(wrong: Wrong) -> Self {
        wrong.fault().into()
    }
}

impl Move {
    /// The layout of this move.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        match self {
            Self::Draft(sifted) => sifted.layout,
            Self::Confirm(layout) => *layout,
            Self::Present(_) => Layout::EMPTY,
        }
    }

    /// An answer that gives this move.
    #[must_use]
    pub fn to_answer(&self) -> Answer {
        let layout = match self {
            Self::Present(Wrong::Shape) => LayoutAnswer::Other,
            Self::Present(Wrong::Cards) => {
                LayoutAnswer::Three([SlotAnswer::Unknown, SlotAnswer::Empty, SlotAnswer::Empty])
            }
            Self::Confirm(layout) => LayoutAnswer::Three(layout.0.map(SlotAnswer::from)),
            Self::Draft(Sifted { layout, dropped }) => {
                let mut entries = layout.0.map(SlotAnswer::from);
                for (n, entry) in entries.iter_mut().enumerate() {
                    if dropped & 1 << n != 0 {
                        *entry = SlotAnswer::Unknown;
                    }
                }
                LayoutAnswer::Three(entries)
            }
        };
        Answer { layout }
    }
}
