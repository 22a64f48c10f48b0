//! A compiled ruleset: names resolved to numbers, code flattened, triggers indexed. Plain data that never changes.
//!
//! Numbers of what it declares are types of their own (`ids`); what values are says `value`. Types are checked when a
//! ruleset is compiled, so the machine never looks at them.

mod asks;
mod code;
mod defs;
mod expr;
mod rules;

pub(crate) use super::ids::{ExprId, SelId};
pub use super::value::NONE;
pub(crate) use super::value::{NEVER, amount, number};
use crate::machine::ids::{
    AttrId, ColumnId, CounterId, EntityId, EnumId, EventType, InstanceId, KindId, ZoneId,
};
pub use asks::Limits;
pub(crate) use asks::{AskDef, AskKind, AskMode, Fallback, Hole, Rank, Stake};
pub(crate) use code::{Block, Durations, ModifierDef, Op, To, ZonePosition};
pub(crate) use defs::{
    Abilities, AttrDef, AttrKind, CardDef, Config, EnumDef, Instance, Legal, ModeDef, See, TargetDef, VarDef,
    ZoneDef,
};
pub(crate) use expr::{Expr, Prefer, Sel, Source, Span, TeamRelation, Test, Was, Who, Whole, With};
pub(crate) use rules::{
    ActionDef, Change, CheckDef, Cost, EventDef, Least, Limit, Reach, Recheck, ReplaceDef, Scope, Spread,
    StaticDef, StepDef, Timing, TriggerDef,
};

/// The edition of a ruleset that names none.
pub(crate) const EDITION: u8 = 2;

/// The type of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    /// A whole number.
    Int,
    /// True or false.
    Bool,
    /// A value of this enum.
    Enum(EnumId),
    /// A seat.
    Seat,
    /// A card or another entity.
    Ent,
    /// An entity or a seat.
    Thing,
    /// An item on the stack.
    Item,
    /// Anything: what a mistake is taken for, so that it is reported once.
    Any,
}

/// Enums that every ruleset has.
pub(crate) const ZONES: EnumId = EnumId(0);
/// The phases of the turn structure.
pub(crate) const PHASES: EnumId = EnumId(1);
/// The steps of the turn structure.
pub(crate) const STEPS: EnumId = EnumId(2);
/// The kinds of cards.
pub(crate) const CARDS: EnumId = EnumId(3);
/// Activated abilities.
pub(crate) const ABILITIES: EnumId = EnumId(4);

/// Events that every ruleset has, by number.
pub(crate) const ZONE_MOVED: EventType = EventType(0);
/// A step begins.
pub(crate) const STEP_START: EventType = EventType(1);
/// A step is over.
pub(crate) const STEP_END: EventType = EventType(2);
/// Another phase begins.
pub(crate) const PHASE_CHANGED: EventType = EventType(3);
/// A turn begins.
pub(crate) const TURN_STARTED: EventType = EventType(4);
/// A turn is over.
pub(crate) const TURN_ENDED: EventType = EventType(5);
/// An event was prevented.
pub(crate) const EVENT_PREVENTED: EventType = EventType(6);
/// A guardrail stopped something: the verdict.
pub const VERDICT: EventType = EventType(7);
/// A card was made.
pub(crate) const CARD_CREATED: EventType = EventType(8);
/// Cards were shown where they lie.
pub(crate) const REVEALED: EventType = EventType(9);
/// The match is over.
pub(crate) const GAME_ENDED: EventType = EventType(11);
/// A round begins.
pub(crate) const ROUND_STARTED: EventType = EventType(12);
/// An ability that triggered has resolved: only where somebody reacts to that.
pub(crate) const ABILITY_TRIGGERED: EventType = EventType(13);
/// No event: what triggers on a state listens for this.
pub(crate) const STATE: EventType = EventType(14);

/// A compiled ruleset.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Its name in commands.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its version, as its author counts.
    pub version: String,
    /// What it is: the hash of its content and of its edition.
    pub hash: [u8; 32],
    /// The edition of the machine that plays it: the first is played as 0.2.0 played it, so that its matches replay.
    pub edition: u8,
    /// The fewest and the most seats.
    pub seats: (u8, u8),
    /// The team of each seat, where there are teams.
    pub teams: Vec<u8>,
    /// Names of teams.
    pub team_names: Vec<String>,
    /// Whether turns go to the seat before, not to the next.
    pub leftward: bool,
    /// Knobs.
    pub config: Vec<Config>,
    /// Named values; the first are built in.
    pub enums: Vec<EnumDef>,
    /// Attributes.
    pub attrs: Vec<AttrDef>,
    /// How many attributes are kept for each entity.
    pub kept: u16,
    /// Names of counters, and what each adds to which attributes.
    pub counters: Vec<(String, Vec<(AttrId, i64)>)>,
    /// Names of keywords.
    pub keywords: Vec<String>,
    /// What keywords bring with them.
    pub macros: Vec<Abilities>,
    /// Keywords that bring something to listen for: a bit each.
    pub listening_keywords: u64,
    /// Whether no card and no keyword has anything that listens.
    pub nothing_listens: bool,
    /// Variables.
    pub vars: Vec<VarDef>,
    /// Places for variables.
    pub var_slots: u16,
    /// Zones.
    pub zones: Vec<ZoneDef>,
    /// Instances of zones.
    pub zone_slots: u16,
    /// Every instance of every zone.
    pub instances: Vec<Instance>,
    /// Kinds of cards.
    pub cards: Vec<CardDef>,
    /// What is printed on all kinds of cards, a column for each attribute: where it is looked up most.
    pub printed: Vec<Vec<i64>>,
    /// Types of events.
    pub events: Vec<EventDef>,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Selections.
    pub sels: Vec<Sel>,
    /// How many values are worked out once for each walk.
    pub onces: u16,
    /// Tables of numbers: keys (one for each column of the key) and values.
    pub tables: Vec<Vec<(Vec<i64>, i64)>>,
    /// Code.
    pub code: Vec<Op>,
    /// Questions.
    pub asks: Vec<AskDef>,
    /// Names of answers.
    pub answers: Vec<String>,
    /// Actions.
    pub actions: Vec<ActionDef>,
    /// What everybody can tell of each action; nothing in the first edition, which asks everybody.
    pub reach: Vec<Reach>,
    /// Activated abilities.
    pub abilities: Vec<ActionDef>,
    /// Triggers.
    pub triggers: Vec<TriggerDef>,
    /// Replacements.
    pub replaces: Vec<ReplaceDef>,
    /// Statics.
    pub statics: Vec<StaticDef>,
    /// State checks.
    pub checks: Vec<CheckDef>,
    /// Steps.
    pub steps: Vec<StepDef>,
    /// Whether its turns have the steps of a turn structure, one after another.
    pub turned: bool,
    /// Whether triggers open a window for responses.
    pub respond_to_triggers: bool,
    /// Where a card goes that waited on the stack and came to nothing.
    pub discard: Option<ZoneId>,
    /// Reactions of others before one's own: resolution order as in Magic.
    pub apnap: bool,
    /// Whether whoever controls several reactions puts them into an order.
    pub orders: bool,
    /// Whether whoever is affected says which of several replacements comes first.
    pub picks: bool,
    /// Whether anything is chosen while an operation is under way.
    pub chooses: bool,
    /// Whether anything is kept on cards, or remembered of them.
    pub marks: bool,
    /// Whether any zone is a grid.
    pub grids: bool,
    /// What is remembered of entities that left.
    pub was: Vec<Was>,
    /// Tokens on the table.
    pub stake: Option<Stake>,
    /// Time for an action.
    pub action_ms: Option<ExprId>,
    /// Setup and flow.
    pub main: Block,
    /// What happens when somebody leaves; the seat is local 0.
    pub on_leave: Option<Block>,
    /// Places at the end.
    pub rank: Option<Rank>,
    /// What must always hold.
    pub invariants: Vec<ExprId>,
    /// Its own limits.
    pub limits: Option<Limits>,
    /// What never changes at a table, in the author's words: for screens, never for the rules.
    pub sheet: parlor_core::Json,
    /// Titles of finished matches and other texts: reasons, by number.
    pub texts: Vec<String>,
    /// Where the code stands in the file: from this operation on, at this place.
    pub places: Vec<(u32, u32)>,
    /// Places, by number: JSON pointers.
    pub pointers: Vec<String>,
    /// What has run, where the author wants to know.
    pub trace: Option<std::sync::Arc<crate::coverage::Trace>>,
}

impl Program {
    /// The zone of this name.
    #[must_use]
    pub(crate) fn zone_named(&self, name: &str) -> Option<ZoneId> {
        self.zones.iter().position(|zone| zone.name == name).map(ZoneId::at)
    }

    /// The zone of an instance, as a bit in a set of zones.
    #[inline]
    #[must_use]
    pub(crate) fn bit_of(&self, instance: InstanceId) -> u64 {
        self.instances[instance].zone.bit()
    }

    /// The name of the card that was probably meant by another name, or by a title.
    #[must_use]
    pub fn card_meant(&self, name: &str) -> Option<&str> {
        crate::language::suggest::card(
            name,
            self.cards.iter().map(|card| (card.name.as_str(), card.title.as_str())),
        )
    }

    /// The pointer of the statement that an operation is a part of.
    #[must_use]
    pub(crate) fn place(&self, pc: u32) -> Option<&str> {
        let n = self.places.partition_point(|(from, _)| *from <= pc).checked_sub(1)?;
        self.pointers.get(self.places[n].1 as usize).map(String::as_str)
    }

    /// Notes that what stands at a place has run.
    pub(crate) fn note(&self, place: u32) {
        if let Some(trace) = &self.trace {
            trace.note(place);
        }
    }

    /// The same for what has no code of its own that could run.
    pub(crate) fn note_block(&self, block: Block) {
        if let (Some(trace), Some(Op::Note(place))) = (&self.trace, self.code.get(block.pc as usize)) {
            trace.note(*place);
        }
    }

    /// Whether it is played as 0.2.0 played it, mistakes included: matches that began then replay as they were.
    #[inline]
    #[must_use]
    pub(crate) fn is_first_edition(&self) -> bool {
        self.edition == 1
    }

    /// What is printed on a kind of card. While a ruleset is compiled there is no table yet.
    #[inline]
    #[must_use]
    pub fn printed(&self, def: KindId, attr: AttrId) -> i64 {
        match self.column(attr).get(def.index()) {
            Some(value) => *value,
            None => self.cards[def].attrs[attr],
        }
    }

    /// What is printed for an attribute on each kind of card; nothing while a ruleset is compiled.
    #[inline]
    #[must_use]
    pub fn column(&self, attr: AttrId) -> &[i64] {
        self.printed.get(attr.index()).map_or(&[], Vec::as_slice)
    }

    /// Where a kept attribute of an entity stands: in a row for each.
    #[inline]
    #[must_use]
    pub(crate) fn attr_at(&self, ent: EntityId, column: ColumnId) -> usize {
        ent.index() * usize::from(self.kept) + column.index()
    }

    /// Where the counters of a kind stand that lie on an entity: in a row for each.
    #[inline]
    #[must_use]
    pub(crate) fn counter_at(&self, ent: EntityId, kind: CounterId) -> usize {
        ent.index() * self.counters.len() + kind.index()
    }

    /// The limits that hold.
    #[must_use]
    pub fn limits(&self) -> Limits {
        use crate::limits as most;
        self.limits.unwrap_or(Limits {
            ops: most::OPS_PER_INPUT_MAX,
            stack: most::STACK_ITEMS_MAX,
            reactions: most::REACTIONS_PER_EVENT_MAX,
            same: 0,
            same_ranked: false,
        })
    }
}
