//! What a player says: a layout, good or bad. What he means: a draft, a confirm, or just that he is there.

use parlor_core::{Fault, Json, Refusal};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::card::{Card, Slot};
use crate::layout::{Layout, SLOTS, Sifted};

/// What is said in a draft and in a confirm: which of them it is, the ask tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The layout, as it came.
    pub layout: LayoutAnswer,
}

/// A layout as it came. Whatever is sent in its place is read, because even a wrong layout shows that somebody is
/// there; only what is no answer at all is refused before the rules see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutAnswer {
    /// Three entries.
    Three([SlotAnswer; SLOTS]),
    /// Another number of entries, or no list.
    Other,
}

/// One entry of a layout as it came.
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

/// What is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// To lay this, unless something else is said before the deadline.
    Draft(Sifted),
    /// To lay this.
    Confirm(Layout),
    /// Nothing that can be laid; but it shows that somebody is there.
    Present(Wrong),
}

/// Why a layout is not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It has not three entries.
    Shape,
    /// A confirm with a card that the hand does not hold, or not so often.
    Cards,
}

impl Wrong {
    /// The reason, as a code and in words.
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
    /// The layout it lays or would lay.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        match self {
            Self::Draft(sifted) => sifted.layout,
            Self::Confirm(layout) => *layout,
            Self::Present(_) => Layout::EMPTY,
        }
    }

    /// An answer with this meaning.
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
