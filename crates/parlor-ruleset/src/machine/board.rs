//! What lies on the table, and the few deltas by which it changes.

mod clone_into;
mod listen;

use parlor_core::Seats;
use serde::{Deserialize, Serialize};

use crate::machine::ids::{
    AttrId, ColumnId, CounterId, EntityId, InstanceId, KindId, PhaseId, SlotId, StepId, TriggerId, ZoneId,
};
use crate::machine::program::{AttrKind, Durations, NEVER, NONE, Program};

/// Nobody's.
pub(crate) const NOBODY: u8 = u8::MAX;
/// In no cell.
pub(crate) const NO_CELL: u16 = u16::MAX;

/// A modifier that lies on an entity.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mod {
    /// On which entity.
    pub ent: EntityId,
    /// What it does to which attribute: set or add.
    pub change: Option<(AttrId, bool, i64)>,
    /// Keywords that it gives.
    pub keywords: u64,
    /// Keywords that it takes.
    pub without: u64,
    /// Whether the entity's own abilities are gone.
    pub mute: bool,
    /// How long it lies.
    pub until: Until,
}

/// Until when something holds, and what that is counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Until {
    /// How long.
    pub how: Durations,
    /// Who made it.
    pub by: u8,
    /// The entity that made it, and since when that lies where it lies.
    pub source: Option<(EntityId, u32)>,
    /// The turn in which it was made.
    pub turn: u32,
    /// The round in which it was made.
    pub round: u32,
}

/// Seats that see an entity for some time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Peek {
    /// Which.
    pub ent: EntityId,
    /// Who sees it because of this.
    pub seats: Seats,
    /// How long, if it stays where it is.
    pub until: Until,
}

/// A trigger that waits for its event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Delayed {
    /// Its number: the place in the order of the match at which it was made.
    pub serial: u32,
    /// The trigger.
    pub trigger: TriggerId,
    /// The entity that made it.
    pub this: i64,
    /// Who controls it.
    pub you: i64,
    /// The locals of the code that made it, as they were.
    pub locals: Vec<i64>,
    /// Its lists, as they were.
    pub lists: Vec<Vec<i64>>,
    /// Whether it works once.
    pub once: bool,
    /// How long it waits.
    pub until: Until,
}

/// What an entity gets when cards are shuffled: a face, and what goes with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Face {
    /// Which.
    pub ent: EntityId,
    /// Its kind.
    pub def: KindId,
    /// Who owns it.
    pub owner: u8,
    /// Who controls it.
    pub ctrl: u8,
    /// Who knows it.
    pub known: Seats,
}

/// One change of the table. Folding all deltas of a match over its first table gives its last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Delta {
    /// A variable's place has another value.
    Var(SlotId, i64),
    /// A kept attribute: entity, column, value.
    Attr(EntityId, ColumnId, i64),
    /// Counters: entity, kind, how many.
    Counter(EntityId, CounterId, i64),
    /// An entity lies elsewhere.
    Move {
        /// Which.
        ent: EntityId,
        /// In this instance of a zone.
        to: InstanceId,
        /// At this place, from the bottom.
        at: u16,
        /// The name that clients know it by from here on.
        handle: u32,
        /// Who moved it.
        by: u8,
        /// When it came there, in the order of the match.
        since: u32,
    },
    /// The faces of these entities, and who knows them.
    Faces(Vec<Face>),
    /// The order of a zone.
    Order(InstanceId, Vec<EntityId>),
    /// A new entity on top of a zone: kind, zone, owner, name for clients, order.
    Create(KindId, InstanceId, u8, u32, u32),
    /// The newest entity is gone: the inverse of its making.
    Uncreate,
    /// Who knows an entity.
    Know(EntityId, Seats),
    /// Who controls an entity.
    Control(EntityId, u8),
    /// Phase, step, whose turn, which turn.
    Turn(PhaseId, StepId, u8, u32),
    /// Which round.
    Round(u32),
    /// Everything that lies on entities.
    Mods(Vec<Mod>),
    /// Whether a face is down.
    Down(EntityId, bool),
    /// The cell of a grid an entity lies in.
    Cell(EntityId, u16),
    /// Everything that is seen for some time.
    Peeks(Vec<Peek>),
    /// What an entity was like when it left.
    Last(EntityId, Vec<i64>),
    /// Every trigger that waits.
    Delayed(Vec<Delayed>),
    /// The name that clients know an entity by.
    Handle(EntityId, u32),
}

/// An entity: what is looked at together lies together. Attributes, counters and memories have tables of their own,
/// since how many there are depends on the ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entity {
    /// Its kind: its secret.
    pub def: KindId,
    /// The zone instance in which it lies.
    pub at: InstanceId,
    /// Who owns it.
    pub owner: u8,
    /// Who controls it.
    pub ctrl: u8,
    /// Who moved it to where it is.
    pub by: u8,
    /// Whether it lies face down.
    pub down: bool,
    /// Its name for clients.
    pub handle: u32,
    /// When it came to where it is, in the order of the match.
    pub since: u32,
    /// Who knows its kind.
    pub known: Seats,
    /// Its cell, where its zone is a grid.
    pub cell: u16,
    /// Its keywords, printed or given: a bit each. Follows from the rest.
    #[serde(skip)]
    pub keywords: u64,
    /// Whether it has lost its own abilities. Follows from the rest.
    #[serde(skip)]
    pub mute: bool,
}

impl Entity {
    /// A new one, which nobody knows yet.
    #[must_use]
    pub const fn new(def: KindId, at: InstanceId, owner: u8, handle: u32, since: u32) -> Self {
        Self {
            def,
            at,
            owner,
            ctrl: owner,
            by: NOBODY,
            down: false,
            handle,
            since,
            known: Seats::NONE,
            cell: NO_CELL,
            keywords: 0,
            mute: false,
        }
    }
}

/// What lies on the table.
#[derive(PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Board {
    /// How many seats.
    pub seats: u8,
    /// Every variable, by its place.
    pub vars: Vec<i64>,
    /// Every entity, by its number.
    pub entities: Vec<Entity>,
    /// Attributes that are kept, a row for each entity.
    pub attrs: Vec<i64>,
    /// Counters, a row for each entity.
    pub counters: Vec<i64>,
    /// The entities in each zone instance, from the bottom.
    pub zones: Vec<Vec<EntityId>>,
    /// The phase.
    pub phase: PhaseId,
    /// The step.
    pub step: StepId,
    /// Whose turn it is.
    pub active: u8,
    /// Which turn, from 1.
    pub turn: u32,
    /// Which round, from 1; 0 before the first turn.
    pub round: u32,
    /// What lies on entities.
    pub mods: Vec<Mod>,
    /// What is seen for some time.
    pub peeks: Vec<Peek>,
    /// What each entity was like when it last left a zone: a row for each, where a ruleset asks for it.
    pub last: Vec<i64>,
    /// Triggers that wait for their event.
    pub delayed: Vec<Delayed>,
    /// Entities that hear each event where they are, in the order of their numbers. Follows from the rest.
    #[serde(skip)]
    pub hear: Vec<Vec<EntityId>>,
    /// Entities with statics that work where they are.
    #[serde(skip)]
    pub statics: Vec<EntityId>,
    /// Entities that changed since the last check; everything, where `None`. Follows from the rest, with a second look.
    #[serde(skip)]
    pub dirty: Option<Vec<EntityId>>,
}

impl Board {
    /// An empty table.
    #[must_use]
    pub fn new(program: &Program, seats: u8) -> Self {
        let mut board = Self { seats, active: 0, ..Self::default() };
        let room = program.cards.len().clamp(16, 128);
        board.entities.reserve(room);
        board.vars = vec![0; usize::from(program.var_slots)];
        board.zones = vec![Vec::new(); usize::from(program.zone_slots)];
        board.listen(program);
        board
    }

    /// The entity that a value is, if it is one.
    #[inline]
    #[must_use]
    pub fn entity(&self, value: i64) -> Option<EntityId> {
        (value >= 0 && (value as usize) < self.entities.len()).then(|| EntityId::at(value as usize))
    }

    /// Every entity.
    pub fn all_entities(&self) -> impl Iterator<Item = EntityId> + use<> {
        (0..self.entities.len()).map(EntityId::at)
    }

    /// The zone definition of an instance, and its owner.
    #[must_use]
    pub fn zone_of(program: &Program, instance: InstanceId) -> (ZoneId, u8) {
        let instance = program.instances[instance];
        (instance.zone, instance.owner)
    }

    /// Which round it is, from 1. The first edition counts from 0 where no turn has begun.
    #[must_use]
    pub fn round_number(&self, program: &Program) -> u32 {
        self.round.max(u32::from(!program.is_first_edition()))
    }

    fn touch(&mut self, ent: EntityId) {
        if let Some(dirty) = &mut self.dirty {
            if dirty.len() > 64 {
                self.dirty = None;
            } else if dirty.last() != Some(&ent) {
                dirty.push(ent);
            }
        }
    }

    /// Makes one change.
    pub fn apply(&mut self, program: &Program, delta: &Delta) {
        match delta {
            Delta::Var(slot, value) => self.vars[*slot] = *value,
            Delta::Attr(ent, column, value) => {
                self.attrs[program.attr_at(*ent, *column)] = *value;
                self.touch(*ent);
            }
            Delta::Counter(ent, kind, n) => {
                self.counters[program.counter_at(*ent, *kind)] = *n;
                self.touch(*ent);
            }
            Delta::Move { ent, to, at, handle, by, since } => {
                self.relocate(program, *ent, *to, *at, (*handle, *by, *since));
            }
            Delta::Faces(faces) => {
                for Face { ent, def, owner, ctrl, known } in faces {
                    self.unlist(program, *ent);
                    let entity = &mut self.entities[*ent];
                    (entity.def, entity.owner, entity.ctrl, entity.known) = (*def, *owner, *ctrl, *known);
                    self.wear(program, *ent);
                    self.enlist(program, *ent);
                }
                self.dirty = None;
            }
            Delta::Order(zone, cards) => self.zones[*zone].clone_from(cards),
            Delta::Create(def, zone, owner, handle, since) => {
                self.create(program, *def, *zone, *owner, *handle, *since);
            }
            Delta::Uncreate => self.uncreate(program),
            Delta::Know(ent, seats) => self.entities[*ent].known = *seats,
            Delta::Control(ent, seat) => self.give(*ent, *seat),
            Delta::Turn(phase, step, active, turn) => {
                (self.phase, self.step, self.active, self.turn) = (*phase, *step, *active, *turn);
            }
            Delta::Round(round) => self.round = *round,
            Delta::Mods(mods) => self.lay(program, mods),
            Delta::Down(ent, down) => {
                self.unlist(program, *ent);
                self.entities[*ent].down = *down;
                self.enlist(program, *ent);
                self.touch(*ent);
            }
            Delta::Cell(ent, cell) => self.entities[*ent].cell = *cell,
            Delta::Peeks(peeks) => self.peeks.clone_from(peeks),
            Delta::Last(ent, row) => {
                let first = ent.index() * program.was.len();
                self.last[first..first + row.len()].copy_from_slice(row);
            }
            Delta::Delayed(delayed) => self.delayed.clone_from(delayed),
            Delta::Handle(ent, handle) => self.entities[*ent].handle = *handle,
        }
    }

    /// Somebody else controls an entity.
    pub(super) fn give(&mut self, ent: EntityId, seat: u8) {
        self.entities[ent].ctrl = seat;
        self.dirty = None;
    }

    /// An entity lies elsewhere: its place there, and its name, who moved it, and when.
    #[inline(always)]
    pub(super) fn relocate(
        &mut self,
        program: &Program,
        ent: EntityId,
        to: InstanceId,
        at: u16,
        marks: (u32, u8, u32),
    ) {
        let silent = self.is_silent(program, ent);
        if !silent {
            self.unlist(program, ent);
        }
        let from = &mut self.zones[self.entities[ent].at];
        if from.last() == Some(&ent) {
            from.pop();
        } else if from.first() == Some(&ent) {
            from.remove(0);
        } else if let Some(place) = from.iter().rposition(|other| *other == ent) {
            from.remove(place);
        }
        let zone = &mut self.zones[to];
        if usize::from(at) >= zone.len() {
            zone.push(ent);
        } else {
            zone.insert(usize::from(at), ent);
        }
        let card = &mut self.entities[ent];
        card.at = to;
        (card.handle, card.by, card.since) = marks;
        if !silent {
            self.enlist(program, ent);
        }
        self.touch(ent);
    }

    fn create(
        &mut self,
        program: &Program,
        def: KindId,
        zone: InstanceId,
        owner: u8,
        handle: u32,
        since: u32,
    ) {
        let ent = EntityId::at(self.entities.len());
        self.entities.push(Entity::new(def, zone, owner, handle, since));
        let card = &program.cards[def];
        let first = self.attrs.len();
        self.attrs.resize(first + usize::from(program.kept), 0);
        for (n, attr) in program.attrs.iter().enumerate() {
            if let AttrKind::Kept(column) = attr.kind {
                self.attrs[first + column.index()] = card.attrs[n];
            }
        }
        self.counters.resize(self.counters.len() + program.counters.len(), 0);
        self.last.resize(self.last.len() + program.was.len(), NEVER);
        self.zones[zone].push(ent);
        self.wear(program, ent);
        self.enlist(program, ent);
        self.touch(ent);
    }

    fn uncreate(&mut self, program: &Program) {
        let Some(left) = self.entities.len().checked_sub(1) else { return };
        let ent = EntityId::at(left);
        self.unlist(program, ent);
        self.zones[self.entities[ent].at].retain(|other| *other != ent);
        self.entities.truncate(left);
        self.attrs.truncate(left * usize::from(program.kept));
        self.counters.truncate(left * program.counters.len());
        self.last.truncate(left * program.was.len());
        self.dirty = None;
    }

    /// The change that takes this one back, if it is made now. What somebody was shown stays shown.
    #[must_use]
    pub fn inverse(&self, program: &Program, delta: &Delta) -> Option<Delta> {
        Some(match delta {
            Delta::Var(slot, _) => Delta::Var(*slot, self.vars[*slot]),
            Delta::Attr(ent, column, _) => {
                Delta::Attr(*ent, *column, self.attrs[program.attr_at(*ent, *column)])
            }
            Delta::Counter(ent, kind, _) => {
                Delta::Counter(*ent, *kind, self.counters[program.counter_at(*ent, *kind)])
            }
            Delta::Move { ent, .. } => {
                let Entity { at, handle, by, since, .. } = self.entities[*ent];
                let place = self.zones[at].iter().position(|other| other == ent);
                Delta::Move { ent: *ent, to: at, at: place.unwrap_or(0) as u16, handle, by, since }
            }
            Delta::Faces(faces) => {
                let before = faces.iter().map(|Face { ent, .. }| {
                    let Entity { def, owner, ctrl, known, .. } = self.entities[*ent];
                    Face { ent: *ent, def, owner, ctrl, known }
                });
                Delta::Faces(before.collect())
            }
            Delta::Order(zone, _) => Delta::Order(*zone, self.zones[*zone].clone()),
            Delta::Create(..) => Delta::Uncreate,
            Delta::Control(ent, _) => Delta::Control(*ent, self.entities[*ent].ctrl),
            Delta::Turn(..) => Delta::Turn(self.phase, self.step, self.active, self.turn),
            Delta::Round(_) => Delta::Round(self.round),
            Delta::Mods(_) => Delta::Mods(self.mods.clone()),
            Delta::Down(ent, _) => Delta::Down(*ent, self.entities[*ent].down),
            Delta::Cell(ent, _) => Delta::Cell(*ent, self.entities[*ent].cell),
            Delta::Peeks(_) => Delta::Peeks(self.peeks.clone()),
            Delta::Last(ent, _) => {
                let first = ent.index() * program.was.len();
                Delta::Last(*ent, self.last[first..first + program.was.len()].to_vec())
            }
            Delta::Delayed(_) => Delta::Delayed(self.delayed.clone()),
            Delta::Handle(ent, _) => Delta::Handle(*ent, self.entities[*ent].handle),
            // Whoever no longer sees it sees it again.
            Delta::Know(ent, seats) if !seats.covers(self.entities[*ent].known) => {
                Delta::Know(*ent, self.entities[*ent].known.and(*seats))
            }
            Delta::Know(..) | Delta::Uncreate => return None,
        })
    }

    /// The entity that clients know by this name.
    #[must_use]
    pub fn by_handle(&self, handle: u32) -> i64 {
        self.entities.iter().position(|other| other.handle == handle).map_or(NONE, |ent| ent as i64)
    }
}
