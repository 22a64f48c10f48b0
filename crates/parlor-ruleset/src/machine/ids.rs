//! What is counted, each by a number of its own kind: an entity is no zone, and a variable no attribute, so that one
//! cannot stand where another is meant. As bytes each is the plain number that it always was.

use serde::{Deserialize, Serialize};

/// A kind of number, and the lists that it is an index of.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($number:ty) $(: $($list:ty => $of:ty),+)?;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
        pub struct $name(pub $number);

        impl $name {
            /// The place in its list.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The number of a place in its list. No list is longer than its numbers reach: the limits see to that.
            #[inline]
            #[must_use]
            pub const fn at(place: usize) -> Self {
                Self(place as $number)
            }

            /// As a value of the language.
            #[inline]
            #[must_use]
            pub const fn value(self) -> i64 {
                self.0 as i64
            }
        }

        $($(
            impl std::ops::Index<$name> for $list {
                type Output = $of;

                #[inline]
                fn index(&self, id: $name) -> &$of {
                    &self[id.index()]
                }
            }

            impl std::ops::IndexMut<$name> for $list {
                #[inline]
                fn index_mut(&mut self, id: $name) -> &mut $of {
                    &mut self[id.index()]
                }
            }
        )+)?
    )+};
}

ids! {
    /// An entity.
    EntityId(u16): Vec<super::board::Entity> => super::board::Entity;
    /// A zone, as the ruleset declares it.
    ZoneId(u16): Vec<super::program::ZoneDef> => super::program::ZoneDef;
    /// One instance of a zone: that of the game, or of one seat.
    InstanceId(u16): Vec<super::program::Instance> => super::program::Instance,
        Vec<Vec<EntityId>> => Vec<EntityId>;
    /// An attribute.
    AttrId(u16): Vec<super::program::AttrDef> => super::program::AttrDef, Vec<i64> => i64,
        Vec<Vec<i64>> => Vec<i64>;
    /// An expression.
    ExprId(u32): Vec<super::program::Expr> => super::program::Expr;
    /// A selection.
    SelId(u32): Vec<super::program::Sel> => super::program::Sel;
    /// Named values; the first are built in.
    EnumId(u16): Vec<super::program::EnumDef> => super::program::EnumDef;
    /// A kind of card.
    KindId(u16): Vec<super::program::CardDef> => super::program::CardDef, [i64] => i64;
    /// A type of events.
    EventType(u16): Vec<super::program::EventDef> => super::program::EventDef,
        Vec<Vec<EntityId>> => Vec<EntityId>, Vec<[u32; 3]> => [u32; 3];
    /// An ability that triggers, or a rule of the game that does.
    TriggerId(u16): Vec<super::program::TriggerDef> => super::program::TriggerDef;
    /// An ability that changes or prevents an event, or a rule of the game that does.
    ReplaceId(u16): Vec<super::program::ReplaceDef> => super::program::ReplaceDef;
    /// An ability that holds all the time.
    StaticId(u16): Vec<super::program::StaticDef> => super::program::StaticDef;
    /// Something that players may do.
    ActionId(u16): Vec<super::program::ActionDef> => super::program::ActionDef;
    /// An activated ability.
    AbilityId(u16): Vec<super::program::ActionDef> => super::program::ActionDef;
    /// A question.
    QuestionId(u16): Vec<super::program::AskDef> => super::program::AskDef;
    /// A step of a turn.
    StepId(u16): Vec<super::program::StepDef> => super::program::StepDef;
    /// A column in which attributes of entities are kept.
    ColumnId(u16);
    /// A kind of counters.
    CounterId(u16): Vec<(String, Vec<(AttrId, i64)>)> => (String, Vec<(AttrId, i64)>);
    /// The name of answers.
    AnswerId(u16): Vec<parlor_core::Seats> => parlor_core::Seats;
    /// A knob.
    ConfigId(u16): Vec<super::program::Config> => super::program::Config, Vec<Vec<i64>> => Vec<i64>;
    /// A text of the author's.
    TextId(u16): Vec<String> => String;
    /// A phase of a turn.
    PhaseId(u16);
    /// A trigger or a replacement, whichever it is: what a limit counts.
    LimitedId(u16);
    /// A variable, as the ruleset declares it.
    VarId(u16): Vec<super::program::VarDef> => super::program::VarDef;
    /// A place in which a variable is kept: that of the game, or of one seat, one team, or one value of an enum.
    SlotId(u16): Vec<i64> => i64;
}

impl SlotId {
    /// The one so many places further on.
    #[inline]
    #[must_use]
    pub const fn of(self, place: usize) -> Self {
        Self(self.0 + place as u16)
    }
}

impl From<TriggerId> for LimitedId {
    fn from(id: TriggerId) -> Self {
        Self(id.0)
    }
}

impl From<ReplaceId> for LimitedId {
    fn from(id: ReplaceId) -> Self {
        Self(id.0 | 0x8000)
    }
}

impl ZoneId {
    /// Its bit in a set of zones.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl InstanceId {
    /// That of a seat, where this is the first of a zone that each player has.
    #[inline]
    #[must_use]
    pub const fn of(self, seat: usize) -> Self {
        Self(self.0 + seat as u16)
    }
}

impl EntityId {
    /// No entity: what a rule of the game has for a source.
    pub const NONE: Self = Self(u16::MAX);
}
