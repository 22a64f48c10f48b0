//! What a ruleset sends to screens, as types: views, events, the sheet, and what requests and choices carry.
//!
//! The TypeScript of the screens is made from these types, and a test reads everything that rulesets send into them and
//! compares what they write. Whatever an author's rules decide is plain JSON here. Nothing in this folder knows the
//! rules or the state of a match.
//!
//! | file | what |
//! |---|---|
//! | `view` | what a viewer sees of a match, with the stack |
//! | `event` | what viewers are told |
//! | `sheet` | what never changes at a table |
//! | `request` | what requests and their choices carry |

mod event;
mod request;
mod sheet;
mod view;

use std::collections::BTreeMap;

use parlor_core::Json;
use serde::{Deserialize, Deserializer};

pub use event::{Event, EventStatus, Notice, RuleEvent, ZoneMoved};
pub use request::{
    AskMeta, AskOption, ChoiceMeta, PassLeads, Question, RuleKind, RuleMeta, StatementMeta, TargetKind,
    TargetMeta, UntilOption, WindowMeta,
};
pub use sheet::{
    AttrDef, CardDef, Labels, Named, Owner, PhaseDef, SeenBy, Sheet, StepDef, VarDef, Words, ZoneDef,
};
pub use view::{
    Answer, AnswerValue, AttrValue, CardRef, Cause, CounteredBy, ItemFlags, ItemKind, PassUntil, SeatRef,
    SeenCard, SeenItem, SeenPlayer, SeenTarget, SeenTeam, SeenZone, Thing, Turn, View,
};

/// Values by names that the author chose.
type Values = BTreeMap<String, Json>;

/// Reads a field that is there, though it may be null: a field that is missing is not read at all.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}
