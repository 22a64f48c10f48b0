//! Events as the machine keeps them, what became of them, and why something was stopped.

use serde::{Deserialize, Serialize};

use crate::limits::EVENT_FIELDS_MAX;
use crate::machine::ids::EventType;
use crate::machine::program::NONE;

/// What has become of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Status {
    /// It waits on the stack.
    Pending,
    /// It has happened.
    Applied,
    /// It was prevented.
    Prevented,
    /// It was begun, and taken back.
    Failed,
}

impl Status {
    /// The word of the contract.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Applied => "applied",
            Self::Prevented => "prevented",
            Self::Failed => "failed",
        }
    }
}

/// An event: what a trigger keeps of it never changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EventData {
    /// Its number in the match, from 1.
    pub id: u32,
    /// Its type.
    pub ty: EventType,
    /// Its fields.
    pub args: [i64; EVENT_FIELDS_MAX],
    /// The number of the event that caused it; 0 for none.
    pub cause: u32,
}

impl EventData {
    /// No event at all.
    pub const NONE: Self = Self { id: 0, ty: EventType(u16::MAX), args: [NONE; EVENT_FIELDS_MAX], cause: 0 };
}

/// Why the machine stopped something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// Too many operations for one input.
    Fuel,
    /// Code inside code inside code.
    Depth,
    /// The stack is full.
    Stack,
    /// Too many reactions to one event.
    Reactions,
    /// A loop went on beyond its bound.
    Loop,
    /// State checks found no rest.
    Checks,
    /// Too many events for one input.
    Events,
    /// Too many entities or modifiers.
    Entities,
    /// A cost that could not be paid, or a zone that is full.
    Rules,
    /// Its targets are no longer there.
    Targets,
    /// A part of an atomic group was prevented.
    Group,
    /// The same position came too often.
    Repetition,
    /// Something that must always hold did not.
    Invariant,
    /// No verdict at all: the operation waits for somebody's choice, is taken back, and done again with it.
    Choice,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Fuel,
        Self::Depth,
        Self::Stack,
        Self::Reactions,
        Self::Loop,
        Self::Checks,
        Self::Events,
        Self::Entities,
        Self::Rules,
        Self::Targets,
        Self::Group,
        Self::Repetition,
        Self::Invariant,
        Self::Choice,
    ];

    /// Its name in the log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fuel => "fuel",
            Self::Depth => "depth",
            Self::Stack => "stack",
            Self::Reactions => "reactions",
            Self::Loop => "loop",
            Self::Checks => "checks",
            Self::Events => "events",
            Self::Entities => "entities",
            Self::Rules => "rules",
            Self::Targets => "targets",
            Self::Group => "group",
            Self::Repetition => "repetition",
            Self::Invariant => "invariant",
            Self::Choice => "choice",
        }
    }
}
