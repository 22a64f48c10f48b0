//! The whole state of a match, and what the machine is lent for one input.

use parlor_core::{Outcome, OutputBuffer, Rng, Seat, Seats, Viewer};
use serde::{Deserialize, Serialize};

use super::board::{Board, Delta};
use super::eval::{Eval, Scratch};
pub(crate) use super::events_kept::{EventData, Status, Verdict};
use crate::limits::FACTS_KEPT;
use crate::machine::ids::{
    ActionId, EntityId, EventType, KindId, LimitedId, QuestionId, ReplaceId, TriggerId,
};
use crate::machine::program::{Expr, ExprId, NONE, Program, Scope, See, Ty};
use crate::machine::value::seat_number;

/// Code that runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The next operation.
    pub pc: u32,
    /// Where its locals begin.
    pub base: u32,
    /// Where its lists begin.
    pub lists: u32,
    /// The entity that has the ability.
    pub this: i64,
    /// Who controls it.
    pub you: i64,
    /// The event it is about.
    pub ev: EventData,
}

/// What kind of item waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ItemKind {
    /// An action of a player, by number.
    Action(ActionId),
    /// An event that was pushed.
    Event,
    /// A trigger, by number.
    Reaction(TriggerId),
}

/// What entities were like when they last left a zone, as an event found them: entity and row.
pub(crate) type Rows = Vec<(EntityId, Vec<i64>)>;

/// Something that happened, with what is remembered of those that took part: none of it ever changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Past {
    /// The event.
    pub ev: EventData,
    /// What is remembered.
    pub was: Rows,
}

/// Names that were bound where a trigger was told to wait, as they were.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// Locals.
    pub locals: Vec<i64>,
    /// Lists.
    pub lists: Vec<Vec<i64>>,
}

/// Something that waits on the stack.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Item {
    /// Its number: the order in which items were made.
    pub order: u32,
    /// What it is.
    pub kind: ItemKind,
    /// The event that it is, or that it reacts to.
    pub ev: EventData,
    /// The entity that has the ability, or the first target.
    pub this: i64,
    /// Who controls it.
    pub you: i64,
    /// What it is done to.
    pub targets: Vec<i64>,
    /// Since when each target lies where it lay.
    pub since: Vec<u32>,
    /// Reactions that came before it already: trigger and source.
    pub before: Vec<(TriggerId, EntityId)>,
    /// Whether it was countered.
    pub countered: bool,
    /// What countered it, where that was an item.
    pub counter: Option<Counter>,
    /// The item that this one came before.
    pub about: u32,
    /// Whether players may respond.
    pub respond: bool,
    /// Whether it is a copy of another.
    pub copy: bool,
    /// What its code begins with, where it was made before its event: locals and lists.
    pub kept: Option<Box<Kept>>,
    /// What is remembered of those that took part in its event.
    pub was: Rows,
}

impl Item {
    /// An item without targets.
    #[must_use]
    pub const fn new(order: u32, kind: ItemKind, ev: EventData, this: i64, you: i64) -> Self {
        Self {
            order,
            kind,
            ev,
            this,
            you,
            targets: Vec::new(),
            since: Vec::new(),
            before: Vec::new(),
            countered: false,
            counter: None,
            about: 0,
            respond: false,
            copy: false,
            kept: None,
            was: Vec::new(),
        }
    }
}

/// What countered an item: as much of it as it takes to name it when it is gone, as it was named while it waited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counter {
    /// Its place in the order of items.
    pub order: u32,
    /// What it was.
    pub kind: ItemKind,
    /// The type of its event.
    pub event: EventType,
    /// The entity that had the ability, or the first target.
    pub this: i64,
    /// Who controlled it.
    pub you: i64,
}

impl From<&Item> for Counter {
    fn from(item: &Item) -> Self {
        Self { order: item.order, kind: item.kind, event: item.ev.ty, this: item.this, you: item.you }
    }
}

/// The item that resolves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Current {
    /// The item.
    pub item: Item,
    /// How to take back what it did.
    pub journal: Vec<Delta>,
    /// How many frames there were before it.
    pub frames: u32,
    /// What else there was before it: what fails has done nothing.
    pub before: Before,
}

/// What no delta changes and is yet taken back with what failed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Before {
    /// How often events had happened.
    pub counts: Vec<[u32; 3]>,
    /// How often things that are limited had.
    pub limits: Vec<(LimitKey, u16)>,
    /// What waited.
    pub stack: Vec<Item>,
    /// Who had lost.
    pub lost: Seats,
    /// Who had another turn.
    pub extra: Vec<u8>,
    /// Whose turn was left out.
    pub skip: Seats,
    /// Who had a turn in this round.
    pub had: Seats,
}

impl Before {
    /// As it is now.
    pub(super) fn of(state: &State) -> Self {
        let (counts, limits, stack, extra) =
            (state.counts.clone(), state.limits.clone(), state.stack.clone(), state.extra.clone());
        Self { counts, limits, stack, lost: state.lost, extra, skip: state.skip, had: state.had }
    }

    /// As it was then.
    pub(super) fn again(self, state: &mut State) {
        (state.counts, state.limits, state.stack, state.extra) =
            (self.counts, self.limits, self.stack, self.extra);
        (state.lost, state.skip, state.had) = (self.lost, self.skip, self.had);
    }
}

impl Current {
    /// Something that resolves outside of any item, so that it can be taken back: a group of the flow.
    pub(super) fn apart(state: &State) -> Self {
        let item = Item::new(0, ItemKind::Event, EventData::NONE, NONE, NONE);
        Self { item, journal: Vec::new(), frames: u32::MAX, before: Before::of(state) }
    }

    /// Whether it is no item of the stack.
    pub(super) fn is_apart(&self) -> bool {
        self.item.order == 0
    }
}

/// An atomic group that is open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Group {
    /// Where it began in the journal.
    pub journal: u32,
    /// How many events waited for their reactions when it began.
    pub happened: u32,
    /// Whether something in it was prevented.
    pub fell: bool,
    /// What else there was before it.
    pub before: Before,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Question {
    /// A statement asks.
    Ask(QuestionId),
    /// A seat has priority.
    Priority,
    /// An action that is put together needs its next target.
    Target,
    /// An operation waits for a choice.
    Choose,
    /// Nobody is asked; time goes by.
    Wait(u32),
}

/// A question that stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Open {
    /// Its number; a draft has the next one.
    pub id: u32,
    /// What is asked.
    pub what: Question,
    /// Who has yet to answer.
    pub seats: Seats,
    /// How long, in milliseconds; 0 for ever.
    pub ms: u32,
}

/// Players may act.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Window {
    /// Who may act now.
    pub holder: u8,
    /// How many passed in a row.
    pub passes: u8,
}

/// An action that is put together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Announce {
    /// The action.
    pub action: ActionId,
    /// Who acts.
    pub seat: u8,
    /// The targets so far.
    pub targets: Vec<i64>,
}

/// What later editions keep beside what the first keeps. Where there is nothing to keep no byte of it is written, so that
/// states of old matches are what they were.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct More {
    /// Seats of the open question that were asked it before, and still are.
    pub kept: Vec<KeptAsk>,
    /// The window that goes on after an action that resolved at once, and the number of the item on top when it began.
    pub resumes: Option<(Window, u32)>,
    /// Seats that want to be asked even where everybody can tell that they can do nothing.
    pub full: Seats,
}

/// Seats that are asked under an older number: their question has stayed the same, and so has their clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KeptAsk {
    /// The number.
    pub id: u32,
    /// Who.
    pub seats: Seats,
    /// How long, in milliseconds, from when it was first asked; 0 for ever.
    pub ms: u32,
}

/// How often something has happened: what, source, in what.
pub(crate) type LimitKey = (LimitedId, EntityId, Scope, u32);

/// Everything.
#[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct State {
    /// The table.
    pub board: Board,
    /// The knobs.
    pub config: Vec<Vec<i64>>,
    /// Code that runs, the innermost last.
    pub frames: Vec<Frame>,
    /// Locals of all frames.
    pub locals: Vec<i64>,
    /// Lists of all frames.
    pub lists: Vec<Vec<i64>>,
    /// What waits, the top last.
    pub stack: Vec<Item>,
    /// What resolves.
    pub current: Option<Box<Current>>,
    /// Events whose triggers are not collected yet.
    pub happened: Vec<Past>,
    /// Delayed triggers that have met their event and are not on the stack yet.
    pub taken: Vec<super::board::Delayed>,
    /// What an operation waits for.
    pub choice: Option<Box<super::requests::choose::Choice>>,
    /// What was chosen and drawn for the operation that is done again.
    pub redo: super::requests::choose::Redo,
    /// State triggers whose state holds: trigger and source, sorted.
    pub states: Vec<(TriggerId, EntityId)>,
    /// Seats that had a turn in this round.
    pub had: Seats,
    /// Tokens on the table.
    pub pot: i64,
    /// Answers: a row for each name, a list for each seat.
    pub answers: Vec<Vec<i64>>,
    /// Who gave a sign of life, by name.
    pub touched: Vec<Seats>,
    /// Who has confirmed what he drafted, by name.
    pub sealed: Vec<Seats>,
    /// What stands.
    pub open: Option<Open>,
    /// Players may act.
    pub window: Option<Window>,
    /// An action that is put together.
    pub announce: Option<Announce>,
    /// Whether everybody passed on the item on top.
    pub passed: bool,
    /// How often what has happened, sorted.
    pub limits: Vec<(LimitKey, u16)>,
    /// How often events happened: in this turn, in this round, in the match.
    pub counts: Vec<[u32; 3]>,
    /// Positions seen, and how often.
    pub positions: Vec<(u64, u16)>,
    /// Seats that have another turn.
    pub extra: Vec<u8>,
    /// Seats whose next turn is left out.
    pub skip: Seats,
    /// Seats that have lost.
    pub lost: Seats,
    /// How it ended.
    pub over: Option<Outcome>,
    /// The next numbers: question, event, item, order, name for clients.
    pub next: Next,
    /// What each viewer learnt, as running hashes by number: a ring for each.
    pub facts: Vec<u32>,
    /// How much each viewer learnt.
    pub learnt: Vec<u32>,
    /// Batches that are open.
    pub batch: u16,
    /// The place in the order of the match at which the outermost of them began.
    pub batch_since: u32,
    /// Replacements and prohibitions of cards that could apply when the outermost batch began, with their sources.
    pub batched: Vec<(ReplaceId, EntityId)>,
    /// Atomic groups that are open, the innermost last.
    pub groups: Vec<Group>,
    /// What each seat does by itself.
    pub auto: Vec<super::requests::auto::Auto>,
    /// The invariant that does not hold: nothing goes on before the operator has settled it.
    pub broken: Option<u16>,
    /// What later editions keep: written after all of the above.
    #[serde(skip)]
    pub more: More,
}

/// Counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Next {
    /// The number of the last question.
    pub ask: u32,
    /// The number of the last event.
    pub event: u32,
    /// The number of the last item.
    pub item: u32,
    /// The last place in the order of the match.
    pub order: u32,
    /// The last name for clients.
    pub handle: u32,
}

/// The kind of the card in each field of an event; nothing where there is none.
pub(crate) type Faces = [Option<KindId>; crate::limits::EVENT_FIELDS_MAX];

/// Who listens.
pub struct Sink<'a> {
    /// The house; nobody in a simulation.
    pub output: Option<&'a mut OutputBuffer>,
    /// Whoever folds.
    pub deltas: Option<&'a mut Vec<Delta>>,
    /// Whoever reads along: events as they happen, with their status.
    pub log: Option<&'a mut Vec<(EventData, Status)>>,
    /// The kinds of the cards that each event of that log speaks of, as they were when it happened.
    pub faces: Option<&'a mut Vec<Faces>>,
    /// Whoever decides what luck brings: a scenario. Otherwise luck does.
    pub chance: Option<&'a mut dyn super::exec::chance::Chance>,
}

impl<'a> Sink<'a> {
    /// Nobody.
    #[must_use]
    pub const fn silent() -> Self {
        Self { output: None, deltas: None, log: None, faces: None, chance: None }
    }

    /// The house listens.
    #[must_use]
    pub const fn telling(output: &'a mut OutputBuffer) -> Self {
        Self { output: Some(output), ..Self::silent() }
    }

    pub(super) fn listening(&self) -> bool {
        self.output.is_some() || self.log.is_some()
    }
}

/// The machine at work for one input.
pub struct Vm<'a, 'b> {
    /// The rules.
    pub program: &'a Program,
    /// The state.
    pub state: &'a mut State,
    /// Working memory.
    pub scratch: &'a mut Scratch,
    /// Luck.
    pub rng: &'a mut Rng,
    /// Who listens.
    pub out: &'a mut Sink<'b>,
    /// Events told so far.
    pub events: u32,
    /// Luck drawn so far.
    pub draws: u32,
    /// How often a seat was not asked because it could do nothing.
    pub idle: u16,
    /// Blocks inside blocks.
    pub depth: u16,
    /// Whether the budget was filled up once.
    pub refilled: bool,
    /// Events that are being replaced, and whether each was prevented.
    pub replacing: Vec<(EventData, bool)>,
    /// Whose view has changed.
    pub changed: Seats,
    /// Who was told something.
    pub heard: Seats,
    /// Where the operation that is done stands with what was chosen and drawn for it.
    pub again: super::requests::choose::Again,
    /// The question of which this input is an answer, where the others that were asked it may be asked it again.
    pub reask: Option<super::requests::reask::Asked>,
    /// Whether the innermost frame is that of a trigger whose targets are chosen.
    pub aiming: bool,
}

impl State {
    /// The seat of a scalar.
    #[must_use]
    pub fn seat(value: i64) -> Option<Seat> {
        let n = seat_number(value);
        (0..parlor_core::limits::SEATS_MAX as i64).contains(&n).then(|| Seat::new(n as u8))
    }

    /// Notes that these viewers learnt something.
    pub fn learn(&mut self, viewers: Seats, what: u64) {
        let seats = self.board.seats;
        for seat in viewers.shared(Seats::first(seats)).iter() {
            self.note(seat.index(), what);
        }
        if viewers.sees(Viewer::Gallery) {
            self.note(Viewer::Gallery.index(seats), what);
        }
    }

    #[inline(always)]
    fn note(&mut self, viewer: usize, what: u64) {
        let (ring, learnt) =
            (&mut self.facts.as_chunks_mut::<FACTS_KEPT>().0[viewer], &mut self.learnt[viewer]);
        let count = *learnt;
        let last = ring[count as usize % FACTS_KEPT];
        let mut hash = (u64::from(last) << 32 | u64::from(count)) ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash = (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        *learnt = count + 1;
        ring[(count as usize + 1) % FACTS_KEPT] = (hash >> 32) as u32;
    }
}

impl Vm<'_, '_> {
    /// Changes the table, and keeps what takes the change back while an item resolves.
    #[inline]
    pub fn change(&mut self, delta: Delta) {
        if let Some(current) = &mut self.state.current
            && let Some(inverse) = self.state.board.inverse(self.program, &delta)
        {
            current.journal.push(inverse);
        }
        if self.out.output.is_some() {
            self.changed = self.changed.and(self.concerns(&delta));
        }
        self.state.board.apply(self.program, &delta);
        if let Some(deltas) = &mut self.out.deltas {
            deltas.push(delta);
        }
    }

    /// Whether nobody keeps or reads what is changed: a simulation outside of any item.
    #[inline]
    pub(super) fn unwatched(&self) -> bool {
        self.state.current.is_none() && self.out.output.is_none() && self.out.deltas.is_none()
    }

    /// Whose view a change may show in.
    fn concerns(&self, delta: &Delta) -> Seats {
        let known = |ent: EntityId| self.state.board.entities[ent].known;
        match delta {
            Delta::Var(slot, _) => {
                let var = self.program.vars.iter().rfind(|var| var.base <= *slot);
                match var.map(|var| (var.see, var.base)) {
                    Some((See::All, _)) => Seats::ALL,
                    Some((See::Owner, _)) if var.is_some_and(|var| var.per.is_some()) => Seats::NONE,
                    Some((See::Owner, base)) if var.is_some_and(|var| var.per_team) => {
                        self.team((slot.0 - base.0) as u8)
                    }
                    Some((See::Owner, base)) => Seats::only(Seat::new((slot.0 - base.0) as u8)),
                    _ => Seats::NONE,
                }
            }
            Delta::Attr(ent, ..) | Delta::Counter(ent, ..) => known(*ent),
            Delta::Know(ent, seats) => seats.and(known(*ent)),
            Delta::Peeks(_) | Delta::Last(..) | Delta::Delayed(_) => Seats::NONE,
            _ => Seats::ALL,
        }
    }

    /// Takes back what the current item changed since its journal was so long.
    pub fn roll_back(&mut self, mark: usize) {
        let Some(current) = &mut self.state.current else { return };
        let undone: Vec<Delta> = current.journal.split_off(mark.min(current.journal.len()));
        for delta in undone.into_iter().rev() {
            self.state.board.apply(self.program, &delta);
            if let Some(deltas) = &mut self.out.deltas {
                deltas.push(delta);
            }
        }
    }

    /// The value of an expression in the innermost frame.
    #[inline]
    pub fn eval(&mut self, expr: ExprId) -> i64 {
        let base = self.state.frames.last().map_or(0, |frame| frame.base as usize);
        self.eval_at(base, expr)
    }

    /// The same, where it is known at which place the locals of that frame begin.
    #[inline]
    pub(super) fn eval_at(&mut self, base: usize, expr: ExprId) -> i64 {
        match &self.program.exprs[expr] {
            Expr::Const(value) => *value,
            Expr::Var(slot) => self.state.board.vars[*slot],
            Expr::Local(n) => self.state.locals.get(base + usize::from(*n)).copied().unwrap_or(NONE),
            _ => self.eval_parts(expr),
        }
    }

    #[inline(never)]
    fn eval_parts(&mut self, expr: ExprId) -> i64 {
        Eval::of(self.program, self.state).value(self.scratch, expr)
    }

    /// The seats of a team.
    pub(super) fn team(&self, team: u8) -> Seats {
        let of = |seat: &u8| self.program.teams.get(usize::from(*seat)) == Some(&team);
        (0..self.state.board.seats).filter(of).map(Seat::new).collect()
    }

    /// Counts that an event happened, and keeps it for whoever reacts.
    pub(super) fn remember(&mut self, ev: &EventData) {
        for count in &mut self.state.counts[ev.ty] {
            *count = count.saturating_add(1);
        }
        self.keep(ev);
    }

    /// Keeps an event for whoever reacts, with what is known of those who took part.
    pub(super) fn keep(&mut self, ev: &EventData) {
        let def = &self.program.events[ev.ty];
        if def.triggers.is_empty() {
            return;
        }
        let width = self.program.was.len();
        let mut was = Rows::new();
        if width > 0 {
            for (value, (_, ty)) in ev.args.iter().zip(&def.fields) {
                // A number is no card, whatever card has that number.
                let card = matches!(ty, Ty::Ent | Ty::Thing | Ty::Any);
                if let Some(ent) = self.entity(*value).filter(|_| card) {
                    let first = ent.index() * width;
                    was.push((ent, self.state.board.last[first..first + width].to_vec()));
                }
            }
        }
        self.state.happened.push(Past { ev: *ev, was });
    }

    /// Pays for so many values that are copied.
    pub(super) fn copies(&mut self, values: usize) -> Result<(), Verdict> {
        if self.scratch.looks(values, 1) < values { Err(Verdict::Fuel) } else { Ok(()) }
    }

    /// Counts luck that is about to be drawn: the house stops a table that draws without end, and a ruleset must not.
    pub fn lucky(&mut self, words: usize) -> Result<(), Verdict> {
        self.draws = self.draws.saturating_add(u32::try_from(words).unwrap_or(u32::MAX));
        if self.draws > crate::limits::DRAWS_PER_INPUT_MAX { Err(Verdict::Fuel) } else { Ok(()) }
    }

    /// The next name for clients.
    pub fn handle(&mut self) -> u32 {
        self.state.next.handle += 1;
        self.state.next.handle
    }

    /// The next place in the order of the match.
    pub fn order(&mut self) -> u32 {
        self.state.next.order += 1;
        self.state.next.order
    }
}
