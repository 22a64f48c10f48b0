//! Who reacts: what forbids, changes or prevents an event, what triggers on it, and how often.

use crate::machine::eval::{Eval, Scratch};
use crate::machine::exec::board_ops::Done;
use crate::machine::ids::{EntityId, LimitedId, ReplaceId, TriggerId};
use crate::machine::program::{ExprId, Limit, NONE, Program, Scope, See, Ty};
use crate::machine::requests::choose::Kind;
use crate::machine::state::{EventData, LimitKey, State, Verdict, Vm};
use crate::machine::value::seat_value;

/// What becomes of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// It happens.
    Happens,
    /// Something else happened in its place.
    Replaced,
    /// It was prevented.
    Prevented,
}

/// One reaction that was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// The trigger.
    pub id: TriggerId,
    /// The entity that has it; [`EntityId::NONE`] for a rule of the game.
    pub source: EntityId,
    /// The number of the delayed trigger that it is; 0 for any other.
    pub serial: u32,
    /// Which of the events that happened.
    pub n: usize,
}

fn this_of(source: EntityId) -> i64 {
    if source == EntityId::NONE { NONE } else { source.value() }
}

/// Who acts for a source: its controller, or whoever's turn it is.
fn you_of(program: &Program, state: &State, this: i64) -> i64 {
    let controller = Eval::outside(program, state, this, NONE).controller(this);
    if controller == NONE { seat_value(usize::from(state.board.active)) } else { controller }
}

/// Whether a condition holds for a source and an event.
fn holds(
    program: &Program,
    state: &State,
    scratch: &mut Scratch,
    when: Option<ExprId>,
    source: EntityId,
    ev: &EventData,
) -> bool {
    let Some(when) = when else { return true };
    let this = this_of(source);
    let eval = Eval { ev, ..Eval::outside(program, state, this, you_of(program, state, this)) };
    eval.holds(scratch, when)
}

/// Replacements and prohibitions of this event that apply, with their sources: those of the game, then those of
/// entities that hear it where they are.
fn applying(
    program: &Program,
    state: &State,
    scratch: &mut Scratch,
    ev: &EventData,
    forbids: bool,
) -> Vec<(ReplaceId, EntityId)> {
    let mut found = Vec::new();
    for id in &program.events[ev.ty].replaces {
        let def = &program.replaces[*id];
        if !def.ability
            && def.forbids == forbids
            && holds(program, state, scratch, def.when, EntityId::NONE, ev)
        {
            found.push((*id, EntityId::NONE));
        }
    }
    for ent in &state.board.hear[ev.ty] {
        let bit = program.bit_of(state.board.entities[*ent].at);
        for id in state.board.abilities(program, *ent).flat_map(|part| &part.replaces) {
            let def = &program.replaces[*id];
            let hears = def.event == ev.ty && def.forbids == forbids && def.zones & bit != 0;
            if hears && holds(program, state, scratch, def.when, *ent, ev) {
                found.push((*id, *ent));
            }
        }
    }
    // What was there when the batch began is there for all of it, also where it has gone in the meantime.
    for (id, ent) in &state.batched {
        let def = &program.replaces[*id];
        let hears = def.event == ev.ty && def.forbids == forbids && !found.contains(&(*id, *ent));
        if hears
            && !hears_now(program, state, *id, *ent)
            && holds(program, state, scratch, def.when, *ent, ev)
        {
            found.push((*id, *ent));
        }
    }
    found
}

/// Whether a card has a replacement where it lies.
fn hears_now(program: &Program, state: &State, id: ReplaceId, ent: EntityId) -> bool {
    let bit = program.bit_of(state.board.entities[ent].at);
    let has = || state.board.abilities(program, ent).any(|part| part.replaces.contains(&id));
    program.replaces[id].zones & bit != 0 && has()
}

/// Whether an event cannot happen at all.
#[must_use]
pub(crate) fn forbidden(program: &Program, state: &State, scratch: &mut Scratch, ev: &EventData) -> bool {
    if !program.events[ev.ty].forbidden {
        return false;
    }
    let forbids = applying(program, state, scratch, ev, true);
    for (id, _) in &forbids {
        program.note_block(program.replaces[*id].code);
    }
    !forbids.is_empty()
}

impl Vm<'_, '_> {
    /// What follows happens at the same time: what can replace any of it now can replace all of it.
    pub(in crate::machine) fn begin_batch(&mut self) {
        self.state.batch += 1;
        let (program, state) = (self.program, &mut *self.state);
        if state.batch == 1 {
            state.batch_since = state.next.order;
        }
        if state.batch > 1 || !program.replaces.iter().any(|def| def.ability) {
            return;
        }
        for (ty, ents) in state.board.hear.iter().enumerate() {
            for ent in ents {
                for id in state.board.abilities(program, *ent).flat_map(|part| &part.replaces) {
                    let def = &program.replaces[*id];
                    let bit = program.bit_of(state.board.entities[*ent].at);
                    if def.event.index() == ty && def.zones & bit != 0 {
                        state.batched.push((*id, *ent));
                    }
                }
            }
        }
    }

    /// The batch is over.
    pub(in crate::machine) fn end_batch(&mut self) {
        self.state.batch = self.state.batch.saturating_sub(1);
        if self.state.batch == 0 {
            self.state.batched.clear();
        }
    }

    /// Everything that changes or prevents this event, each once, and after each change a new look.
    pub(in crate::machine) fn replace(&mut self, ev: &mut EventData) -> Result<Fate, Verdict> {
        let program = self.program;
        let mut applied: Vec<(ReplaceId, EntityId)> = Vec::new();
        loop {
            if forbidden(program, self.state, self.scratch, ev) {
                return Ok(Fate::Prevented);
            }
            let Some((id, source)) = self.replacement(ev, &applied)? else { return Ok(Fate::Happens) };
            applied.push((id, source));
            if applied.len() > program.limits().reactions as usize {
                return Err(Verdict::Reactions);
            }
            let def = &program.replaces[id];
            if def.optional.is_some() {
                let chooser = self.chooser(id, source, ev);
                if self.choose(chooser, Kind::May, vec![(id.0, source)], *ev)? != [1] {
                    continue;
                }
            }
            if let Some(limit) = def.limit {
                self.count_limit(id.into(), source, limit, ev);
            }
            let this = this_of(source);
            let you = you_of(program, self.state, this);
            self.replacing.push((*ev, false));
            let done = self.block(def.code, this, you, *ev, &[]);
            let Some((changed, prevented)) = self.replacing.pop() else { return Ok(Fate::Happens) };
            done?;
            *ev = changed;
            if prevented {
                return Ok(Fate::Prevented);
            }
            if def.instead {
                return Ok(Fate::Replaced);
            }
        }
    }

    /// The replacement that comes next: in the order of R3, or as whoever is affected says.
    fn replacement(
        &mut self,
        ev: &EventData,
        applied: &[(ReplaceId, EntityId)],
    ) -> Result<Option<(ReplaceId, EntityId)>, Verdict> {
        let program = self.program;
        let mut found = applying(program, self.state, self.scratch, ev, false);
        if program.events[ev.ty].overheard {
            let heard: Vec<(u16, EntityId)> = found.iter().map(|(id, source)| (id.0, *source)).collect();
            self.overheard(&heard);
        }
        found.retain(|(id, source)| {
            let limit = program.replaces[*id].limit;
            !applied.contains(&(*id, *source))
                && !limit.is_some_and(|limit| self.limited((*id).into(), *source, limit, ev))
        });
        found.sort_by_key(|(id, source)| {
            (self.distance(*source), program.replaces[*id].id.as_str(), self.name_of(*source), *id)
        });
        if found.len() > 1 && program.picks {
            let chooser = self.affected(ev);
            let options = found.iter().map(|(id, source)| (id.0, *source)).collect();
            let chosen = self.choose(chooser, Kind::Next, options, *ev)?;
            let n = chosen.first().and_then(|n| usize::try_from(*n).ok()).unwrap_or(0);
            return Ok(found.get(n).or(found.first()).copied());
        }
        Ok(found.first().copied())
    }

    /// Who chooses about a replacement.
    fn chooser(&mut self, id: ReplaceId, source: EntityId, ev: &EventData) -> i64 {
        let Some(chooser) = self.program.replaces[id].chooser else { return self.affected(ev) };
        let this = this_of(source);
        let eval = Eval {
            ev,
            ..Eval::outside(self.program, self.state, this, you_of(self.program, self.state, this))
        };
        eval.value(self.scratch, chooser)
    }

    /// Who controls what an event is about: the first of its fields that somebody controls.
    fn affected(&self, ev: &EventData) -> i64 {
        let fields = &self.program.events[ev.ty].fields;
        let eval = Eval::outside(self.program, self.state, NONE, NONE);
        let things = fields.iter().zip(&ev.args);
        let things = things.filter(|((_, ty), _)| matches!(ty, Ty::Seat | Ty::Ent | Ty::Thing | Ty::Item));
        let mut seats = things.map(|(_, value)| eval.controller(*value));
        seats.find(|seat| *seat != NONE).unwrap_or(seat_value(usize::from(self.state.board.active)))
    }

    /// Whether a condition holds for a source and an event.
    pub fn matches(&mut self, when: Option<ExprId>, source: EntityId, ev: &EventData) -> bool {
        holds(self.program, self.state, self.scratch, when, source, ev)
    }

    /// The number that clients know a source by; rules of the game come last.
    pub(in crate::machine) fn name_of(&self, source: EntityId) -> u32 {
        self.state.board.entities.get(source.index()).map_or(u32::MAX, |ent| ent.handle)
    }

    /// How far a seat is from the one whose turn it is: the first key of R3.
    pub(in crate::machine) fn distance_of(&self, controller: u8) -> u8 {
        let (seats, active) = (self.state.board.seats, self.state.board.active);
        if controller >= seats { seats } else { (controller + seats - active) % seats }
    }

    /// How far the controller of a source is from the seat whose turn it is.
    pub(in crate::machine) fn distance(&self, source: EntityId) -> u8 {
        self.state.board.entities.get(source.index()).map_or(0, |ent| self.distance_of(ent.ctrl))
    }

    /// Triggers that react to an event, with their sources, in no order.
    pub fn discover(&mut self, ev: &EventData, before: bool, n: usize) -> Result<Vec<Found>, Verdict> {
        let program = self.program;
        let mut found = Vec::new();
        let def = &program.events[ev.ty];
        for id in &def.triggers {
            let trigger = &program.triggers[*id];
            let rule = trigger.before == before && !trigger.ability && !trigger.delayed;
            if rule && self.triggers(*id, EntityId::NONE, ev) {
                found.push(Found { id: *id, source: EntityId::NONE, serial: 0, n });
            }
        }
        if def.heard {
            let hear = self.state.board.hear[ev.ty].clone();
            for ent in hear {
                let bit = program.bit_of(self.state.board.entities[ent].at);
                for id in self.state.board.abilities(program, ent).flat_map(|part| &part.triggers) {
                    let trigger = &program.triggers[*id];
                    let hears =
                        trigger.event == ev.ty && trigger.before == before && trigger.zones & bit != 0;
                    if hears && self.triggers(*id, ent, ev) {
                        found.push(Found { id: *id, source: ent, serial: 0, n });
                    }
                }
            }
        }
        if !self.state.board.delayed.is_empty() {
            self.discover_delayed(ev, before, n, &mut found);
        }
        if found.len() > program.limits().reactions as usize {
            return Err(Verdict::Reactions);
        }
        if def.overheard {
            let heard: Vec<(u16, EntityId)> = found.iter().map(|found| (found.id.0, found.source)).collect();
            self.overheard(&heard);
        }
        Ok(found)
    }

    /// Everybody learns which cards that lie hidden have reacted, also that none has: what follows shows it.
    fn overheard(&mut self, found: &[(u16, EntityId)]) {
        let hidden = |source: EntityId| {
            let source = self.state.board.entities.get(source.index());
            let zone = source.map(|ent| self.program.instances[ent.at].zone);
            zone.is_some_and(|zone| self.program.zones[zone].see != See::All)
        };
        let mix = |all: i64, (id, source): &(u16, EntityId)| {
            let who = i64::from(self.state.board.entities[*source].ctrl);
            all.wrapping_mul(1_000_003).wrapping_add(i64::from(*id) * 64 + who + 1)
        };
        let fact = found.iter().filter(|(_, source)| hidden(*source)).fold(0, mix);
        self.disclose(fact);
    }

    fn triggers(&mut self, id: TriggerId, source: EntityId, ev: &EventData) -> bool {
        let def = &self.program.triggers[id];
        self.matches(def.when, source, ev) && self.matches(def.still, source, ev)
    }

    fn discover_delayed(&mut self, ev: &EventData, before: bool, n: usize, found: &mut Vec<Found>) {
        for delayed in &self.state.board.delayed {
            let def = &self.program.triggers[delayed.trigger];
            if def.event != ev.ty || def.before != before {
                continue;
            }
            let eval = Eval {
                ev,
                locals: &delayed.locals,
                lists: &delayed.lists,
                ..Eval::outside(self.program, self.state, delayed.this, delayed.you)
            };
            let both = [def.when, def.still].into_iter().flatten();
            if both.into_iter().all(|when| eval.holds(self.scratch, when)) {
                let source = self.entity(delayed.this).unwrap_or(EntityId::NONE);
                found.push(Found { id: delayed.trigger, source, serial: delayed.serial, n });
            }
        }
    }

    /// State triggers: each once when its state begins to hold, and again only after it did not.
    pub(in crate::machine) fn states(&mut self) -> Done {
        let ev = EventData { ty: crate::machine::program::STATE, ..EventData::NONE };
        let holding = self.discover(&ev, false, 0)?;
        let mut now: Vec<(TriggerId, EntityId)> =
            holding.iter().map(|found| (found.id, found.source)).collect();
        now.sort_unstable();
        let before = std::mem::replace(&mut self.state.states, now);
        let mut set: Vec<Found> = holding
            .into_iter()
            .filter(|found| before.binary_search(&(found.id, found.source)).is_err())
            .collect();
        self.arrange(&mut set, &ev)?;
        for found in set.into_iter().rev() {
            self.react(&found, &ev, Vec::new(), 0)?;
        }
        Ok(())
    }

    fn limit_key(&self, id: LimitedId, source: EntityId, limit: Limit, ev: &EventData) -> LimitKey {
        match limit.scope {
            Scope::Event => (id, source, Scope::Event, if ev.cause == 0 { ev.id } else { ev.cause }),
            Scope::Turn => (id, source, Scope::Turn, self.state.board.turn),
            Scope::Round => (id, source, Scope::Round, self.state.board.round),
            Scope::Source => (id, source, Scope::Source, 0),
            Scope::Game => (id, EntityId::NONE, Scope::Game, 0),
        }
    }

    /// Whether something has happened as often as it may.
    #[must_use]
    pub fn limited(&self, id: LimitedId, source: EntityId, limit: Limit, ev: &EventData) -> bool {
        let key = self.limit_key(id, source, limit, ev);
        let found = self.state.limits.binary_search_by_key(&key, |(key, _)| *key);
        found.map_or(limit.max == 0, |n| self.state.limits[n].1 >= limit.max)
    }

    /// Counts that something happened.
    pub fn count_limit(&mut self, id: LimitedId, source: EntityId, limit: Limit, ev: &EventData) {
        let key = self.limit_key(id, source, limit, ev);
        match self.state.limits.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(n) => self.state.limits[n].1 = self.state.limits[n].1.saturating_add(1),
            Err(n) => self.state.limits.insert(n, (key, 1)),
        }
    }
}
