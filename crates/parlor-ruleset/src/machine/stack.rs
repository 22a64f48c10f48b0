//! One beat after another: checks, reactions, responses, and the item on top.
//!
//! The order of one beat: state checks until none applies; triggers of all that happened, collected together and pushed
//! so that they resolve in the order of R3; then the item on top: found countered, responded to, preceded by what comes
//! before it, or begun. A finished item is appended once more with its new status, and the beat begins again.

mod items;
pub(crate) mod react;
pub(crate) mod window;

use super::eval::Eval;
use super::exec::board_ops::Done;
use super::requests::choose::Kind;
use super::stack::react::{Fate, Found};
use super::stack::window::Acting;
use super::state::{Before, Current, EventData, Item, ItemKind, Kept, Rows, Status, Verdict, Vm};
use crate::limits::CHECK_ROUNDS_MAX;
use crate::machine::ids::{ActionId, EntityId, EventType, TriggerId};
use crate::machine::program::{ABILITY_TRIGGERED, ActionDef, NONE, Recheck, STATE, Scope, Spread};
use crate::machine::value::{Value, item_value, seat_value};

impl Vm<'_, '_> {
    /// One beat; says whether there may be more to do.
    pub fn beat(&mut self) -> Result<bool, Verdict> {
        if self.state.batch > 0 {
            return Ok(false);
        }
        let applied = !self.program.checks.is_empty() && self.checks()?;
        self.last_standing();
        if self.state.over.is_some() {
            return Ok(false);
        }
        if applied && self.program.orders {
            // What the checks did is told and seen before anybody is asked for an order of what it triggers.
            return Ok(true);
        }
        if !self.state.happened.is_empty() {
            self.collect()?;
        }
        if !self.program.events[STATE].triggers.is_empty() {
            self.states()?;
        }
        if let Some(n) = self.unaimed() {
            self.aim(n);
            return Ok(true);
        }
        let Some(top) = self.state.stack.last() else {
            // What was counted for one event is over with all that came of it.
            self.state.limits.retain(|((_, _, scope, _), _)| *scope != Scope::Event);
            return Ok(false);
        };
        if top.countered {
            // Told while it still waits, so that whoever hears of it can find it.
            let (ev, reaction) = (top.ev, matches!(top.kind, ItemKind::Reaction(_)));
            self.state.passed = false;
            // The event that a reaction is about has happened long since: only the reaction comes to nothing.
            if reaction {
                self.stopped_short(&ev);
            } else {
                self.prevented(&ev)?;
            }
            let Some(item) = self.state.stack.pop() else { return Ok(false) };
            self.released(&item)?;
            return Ok(true);
        }
        if top.respond && !self.state.passed {
            self.open_window();
            return Ok(true);
        }
        if self.precede()? {
            return Ok(true);
        }
        self.state.passed = false;
        let Some(item) = self.state.stack.pop() else { return Ok(false) };
        self.begin(item)?;
        Ok(true)
    }

    /// The first trigger, from the top, whose targets are yet to be chosen, by its place from the bottom.
    fn unaimed(&self) -> Option<usize> {
        let waits = |item: &Item| {
            let ItemKind::Reaction(id) = item.kind else { return false };
            self.program.triggers[id].aim.is_some() && item.kept.is_none() && !item.countered
        };
        self.state.stack.iter().rposition(waits)
    }

    /// Lets the controller of a trigger choose its targets; the flow comes back to where it was.
    fn aim(&mut self, n: usize) {
        let item = &self.state.stack[n];
        let (this, you, ev) = (item.this, item.you, item.ev);
        let ItemKind::Reaction(id) = item.kind else { return };
        let Some(aim) = self.program.triggers[id].aim else { return };
        self.enter(aim, this, you, ev, &[]);
        self.aiming = true;
    }

    /// The targets of a trigger were chosen: so many locals. Everybody knows them from here on.
    pub(super) fn aimed(&mut self, targets: u16) {
        let (Some(n), Some(frame)) = (self.unaimed(), self.state.frames.last()) else { return };
        let base = frame.base as usize;
        let locals = self.state.locals[base..base + usize::from(targets)].to_vec();
        for target in &locals {
            let name = self.entity(*target).map(|ent| self.state.board.entities[ent].handle);
            self.disclose(name.map_or(*target, i64::from));
        }
        self.state.stack[n].kept = Some(Box::new(Kept { locals, lists: Vec::new() }));
        self.changed = parlor_core::Seats::ALL;
    }

    /// State checks: all that apply, at once, and again until none does. Says whether any did.
    fn checks(&mut self) -> Result<bool, Verdict> {
        let program = self.program;
        for round in 0..CHECK_ROUNDS_MAX {
            let dirty = self.state.board.dirty.take();
            self.state.board.dirty = Some(Vec::new());
            let mut hits: Vec<(usize, Vec<i64>)> = Vec::new();
            for (n, check) in program.checks.iter().enumerate() {
                let eval = Eval::outside(
                    program,
                    self.state,
                    NONE,
                    seat_value(usize::from(self.state.board.active)),
                );
                let mut list = self.scratch.list();
                match &dirty {
                    Some(changed) if check.local => {
                        for ent in changed {
                            if eval.contains_dirty(self.scratch, check.each, ent.value()) {
                                list.push(ent.value());
                            }
                        }
                        list.sort_unstable();
                        list.dedup();
                        eval.by_name(&mut list);
                    }
                    _ => eval.list(self.scratch, check.each, &mut list),
                }
                list.retain(|value| super::State::seat(*value).is_none_or(|seat| !self.state.lost.has(seat)));
                if !list.is_empty() {
                    hits.push((n, list));
                }
            }
            if hits.is_empty() {
                return Ok(round > 0);
            }
            for (n, list) in hits {
                let check = &program.checks[n];
                for value in &list {
                    let mut locals = vec![NONE; usize::from(check.it) + 1];
                    locals[usize::from(check.it)] = *value;
                    let you = Eval::outside(program, self.state, NONE, NONE).controller(*value);
                    self.block(check.code, *value, you, EventData::NONE, &locals)?;
                }
                self.scratch.give(list);
            }
            self.last_standing();
            if self.state.over.is_some() {
                return Ok(true);
            }
        }
        Err(Verdict::Checks)
    }

    /// Pushes the reactions to everything that happened.
    pub fn collect(&mut self) -> Done {
        let program = self.program;
        let mut happened = std::mem::take(&mut self.state.happened);
        let mut set: Vec<Found> = Vec::new();
        for (n, past) in happened.iter().enumerate() {
            for found in self.discover(&past.ev, false, n)? {
                if let Some(limit) = program.triggers[found.id].limit {
                    if self.limited(found.id.into(), found.source, limit, &past.ev) {
                        continue;
                    }
                    self.count_limit(found.id.into(), found.source, limit, &past.ev);
                }
                if found.serial == 0 || self.take_delayed(found.serial) {
                    set.push(found);
                }
            }
        }
        let about = happened.last().map_or(EventData::NONE, |past| past.ev);
        self.arrange(&mut set, &about)?;
        for found in set.into_iter().rev() {
            let past = &happened[found.n];
            let (ev, was) = (past.ev, past.was.clone());
            self.react(&found, &ev, was, 0)?;
        }
        happened.clear();
        Ok(())
    }

    /// Puts reactions into the order in which they resolve: that of R3, and where the ruleset says so each controller
    /// says in which order his own do.
    pub(super) fn arrange(&mut self, set: &mut [Found], about: &EventData) -> Done {
        self.sort(set);
        if !self.program.orders {
            return Ok(());
        }
        let mut start = 0;
        while start < set.len() {
            let controller = self.controls(&set[start]);
            let length = set[start..].iter().take_while(|found| self.controls(found) == controller).count();
            let own = &mut set[start..start + length];
            start += length;
            if length < 2 {
                continue;
            }
            let options = own.iter().map(|found| (found.id.0, found.source)).collect();
            let order = self.choose(controller, Kind::Order, options, *about)?;
            let mut sorted = order.clone();
            sorted.sort_unstable();
            if sorted.iter().copied().eq(0..length as i64) {
                let before: Vec<Found> = own.to_vec();
                for (place, n) in own.iter_mut().zip(order) {
                    *place = before[n as usize];
                }
            }
        }
        Ok(())
    }

    /// Who controls a reaction.
    fn controls(&self, found: &Found) -> i64 {
        if let Some(delayed) =
            self.state.taken.iter().find(|delayed| delayed.serial == found.serial && found.serial != 0)
        {
            return delayed.you;
        }
        let this = if found.source == EntityId::NONE { NONE } else { found.source.value() };
        match Eval::outside(self.program, self.state, this, NONE).controller(this) {
            NONE => seat_value(usize::from(self.state.board.active)),
            controller => controller,
        }
    }

    fn far(&self, found: &Found) -> u8 {
        let seat = super::State::seat(self.controls(found));
        let distance = seat.map_or(0, |seat| self.distance_of(seat.index() as u8));
        if self.program.apnap { u8::MAX - distance } else { distance }
    }

    /// Sorts a set of reactions into the order in which they resolve (R3).
    fn sort(&self, set: &mut [Found]) {
        if set.len() < 2 {
            return;
        }
        let name = |id: TriggerId| self.program.triggers[id].id.as_str();
        let groups: Vec<(EntityId, &str)> = {
            let mut sources: Vec<EntityId> = set.iter().map(|found| found.source).collect();
            sources.sort_unstable();
            sources.dedup();
            let least = |source: EntityId| {
                let own = set.iter().filter(|found| found.source == source);
                own.map(|found| name(found.id)).min().unwrap_or("")
            };
            sources.into_iter().map(|source| (source, least(source))).collect()
        };
        set.sort_by_key(|found| {
            let rule = groups.iter().find(|(other, _)| *other == found.source).map_or("", |(_, rule)| *rule);
            (self.far(found), rule, self.name_of(found.source), found.id, found.n, found.serial)
        });
    }

    pub(super) fn room(&mut self) -> Result<u32, Verdict> {
        if self.state.stack.len() >= self.program.limits().stack as usize {
            return Err(Verdict::Stack);
        }
        self.state.next.item += 1;
        Ok(self.state.next.item)
    }

    /// A reaction goes onto the stack.
    pub(super) fn react(&mut self, found: &Found, ev: &EventData, was: Rows, about: u32) -> Done {
        let order = self.room()?;
        let this = if found.source == EntityId::NONE { NONE } else { found.source.value() };
        let you = self.controls(found);
        let mut item = Item::new(order, ItemKind::Reaction(found.id), *ev, this, you);
        if let Some(n) = self.state.taken.iter().position(|d| d.serial == found.serial && found.serial != 0) {
            let delayed = self.state.taken.swap_remove(n);
            item.this = delayed.this;
            item.kept = Some(Box::new(Kept { locals: delayed.locals, lists: delayed.lists }));
        }
        (item.about, item.was) = (about, was);
        item.respond = self.program.triggers[found.id].respond;
        self.state.stack.push(item);
        self.changed = parlor_core::Seats::ALL;
        self.state.passed = false;
        Ok(())
    }

    /// A delayed trigger has met its event: it is taken out where it works once.
    fn take_delayed(&mut self, serial: u32) -> bool {
        let Some(n) = self.state.board.delayed.iter().position(|delayed| delayed.serial == serial) else {
            return false;
        };
        let delayed = self.state.board.delayed[n].clone();
        if delayed.once {
            let mut left = self.state.board.delayed.clone();
            left.remove(n);
            self.change(super::Delta::Delayed(left));
        }
        self.state.taken.push(delayed);
        true
    }

    /// An event goes onto the stack.
    pub fn push_event(&mut self, ty: EventType, args: &[i64], respond: bool) -> Done {
        let order = self.room()?;
        let (this, you, cause) =
            self.state.frames.last().map_or((NONE, NONE, 0), |frame| (frame.this, frame.you, frame.ev.id));
        self.state.next.event += 1;
        let ev = EventData { id: self.state.next.event, ty, args: Self::args(args), cause };
        self.append(&ev, Status::Pending);
        let mut item = Item::new(order, ItemKind::Event, ev, this, you);
        item.respond = respond && self.step_takes_responses();
        self.state.stack.push(item);
        self.state.passed = false;
        Ok(())
    }

    /// Whether players may respond in this step to what waits on the stack.
    fn step_takes_responses(&self) -> bool {
        self.program.steps.get(self.state.board.step.index()).is_none_or(|step| step.stack)
    }

    /// An action goes onto the stack, with its targets.
    pub fn push_action(&mut self, action: ActionId, seat: u8, targets: Vec<i64>) -> Done {
        let order = self.room()?;
        let def = &self.program.actions[action];
        self.state.next.event += 1;
        let ev = EventData { id: self.state.next.event, ty: def.event, args: Self::args(&targets), cause: 0 };
        // A mode or an ability has a number, and is no card that could be gone.
        let named = self.named_at(def, &targets);
        let acting = Acting { program: self.program, state: self.state, seat };
        let numbers: Vec<bool> = (0..targets.len()).map(|n| acting.is_number(def, &targets, n)).collect();
        let thing = |n: usize| named != Some(n) && !numbers[n];
        let since = targets.iter().enumerate();
        let since = since.map(|(n, target)| if thing(n) { self.since(*target) } else { 0 }).collect();
        // Targets may have been chosen one by one and in silence: with this everybody knows them.
        self.disclose(action.value());
        for (n, target) in targets.iter().enumerate() {
            let name = self
                .entity(*target)
                .filter(|_| thing(n))
                .map_or(*target, |ent| i64::from(self.state.board.entities[ent].handle));
            self.disclose(name);
        }
        let this = targets.first().copied().unwrap_or(NONE);
        let respond = def.timing == crate::machine::program::Timing::Stack && self.step_takes_responses();
        self.append(&ev, Status::Pending);
        let mut item = Item::new(order, ItemKind::Action(action), ev, this, seat_value(usize::from(seat)));
        (item.targets, item.since, item.respond) = (targets, since, respond);
        self.state.stack.push(item);
        self.state.passed = false;
        Ok(())
    }

    /// The place among the targets of an action at which a mode or an ability stands.
    fn named_at(&self, def: &ActionDef, targets: &[i64]) -> Option<usize> {
        let card = self.entity(targets.first().copied().unwrap_or(NONE))?;
        let modes = &self.program.cards[self.state.board.entities[card].def].modes;
        let named = match def.spread {
            Spread::None => false,
            Spread::Card => !modes.is_empty(),
            Spread::Ability => true,
        };
        named.then_some(def.targets.len())
    }

    pub(super) fn since(&self, target: i64) -> u32 {
        self.entity(target).map_or(0, |ent| self.state.board.entities[ent].since)
    }

    /// Reactions that come before the item on top are pushed above it; says whether there were any.
    fn precede(&mut self) -> Result<bool, Verdict> {
        let Some(top) = self.state.stack.last() else { return Ok(false) };
        if matches!(top.kind, ItemKind::Reaction(_)) {
            return Ok(false);
        }
        let (ev, order) = (top.ev, top.order);
        let found = self.discover(&ev, true, 0)?;
        let mut set = Vec::new();
        for found in found {
            let pair = (found.id, found.source);
            let done = self.state.stack.last().is_some_and(|top| top.before.contains(&pair));
            let limit = self.program.triggers[found.id].limit;
            if done || limit.is_some_and(|limit| self.limited(found.id.into(), found.source, limit, &ev)) {
                continue;
            }
            if let Some(limit) = limit {
                self.count_limit(found.id.into(), found.source, limit, &ev);
            }
            if found.serial == 0 || self.take_delayed(found.serial) {
                set.push(found);
            }
        }
        if set.is_empty() {
            return Ok(false);
        }
        self.arrange(&mut set, &ev)?;
        if let Some(top) = self.state.stack.last_mut() {
            top.before.extend(set.iter().map(|found| (found.id, found.source)));
        }
        for found in set.into_iter().rev() {
            self.react(&found, &ev, Rows::new(), order)?;
        }
        Ok(true)
    }

    /// Begins to resolve an item.
    fn begin(&mut self, item: Item) -> Done {
        let program = self.program;
        let code = match item.kind {
            ItemKind::Action(action) => Some(program.actions[action].code),
            ItemKind::Event => program.events[item.ev.ty].code,
            ItemKind::Reaction(id) => Some(program.triggers[id].code),
        };
        self.changed = parlor_core::Seats::ALL;
        let frames = self.state.frames.len() as u32;
        let illegal = self.targets_gone(&item) || self.no_longer(&item);
        let (this, you, mut ev) = (item.this, item.you, item.ev);
        let replaceable = item.kind == ItemKind::Event && !program.events[ev.ty].replaces.is_empty();
        let kept = item.kept.clone();
        let targets = item.targets.clone();
        let before = Before::of(self.state);
        self.state.current = Some(Box::new(Current { item, journal: Vec::new(), frames, before }));
        if illegal {
            self.fail(Verdict::Targets);
            return Ok(());
        }
        if replaceable {
            let fate = self.replace(&mut ev)?;
            if let Some(current) = &mut self.state.current {
                current.item.ev = ev;
            }
            if fate != Fate::Happens {
                self.state.current = None;
                return self.prevented(&ev);
            }
        }
        match (code, kept) {
            (Some(code), None) => self.enter(code, this, you, ev, &targets),
            (Some(code), Some(kept)) => {
                self.enter(code, this, you, ev, &kept.locals);
                let first = self.state.frames.last().map_or(0, |frame| frame.lists as usize);
                for (place, list) in self.state.lists[first..].iter_mut().zip(kept.lists) {
                    *place = list;
                }
            }
            (None, _) => self.finish_item()?,
        }
        Ok(())
    }

    /// Whether what a trigger asks for when it triggers still holds (its intervening if).
    fn no_longer(&mut self, item: &Item) -> bool {
        let ItemKind::Reaction(id) = item.kind else { return false };
        let def = &self.program.triggers[id];
        let locals = item.kept.as_ref().map_or(&[][..], |kept| &kept.locals);
        let lists = item.kept.as_ref().map_or(&[][..], |kept| &kept.lists);
        let eval = Eval {
            ev: &item.ev,
            locals,
            lists,
            ..Eval::outside(self.program, self.state, item.this, item.you)
        };
        let again = def.recheck.then_some(def.when).flatten().into_iter().chain(def.still);
        again.into_iter().any(|when| !eval.holds(self.scratch, when))
    }

    /// Whether the targets of an item are no longer where they were, as far as its rules mind.
    fn targets_gone(&self, item: &Item) -> bool {
        let ItemKind::Action(action) = item.kind else { return false };
        let def = &self.program.actions[action];
        let own = def.targets.len();
        let first = if def.spread == Spread::None || item.targets.len() <= own { 0 } else { own };
        let mut gone = Vec::new();
        for (target, since) in item.targets.iter().zip(&item.since).skip(first) {
            if matches!(Value::of(*target), Value::Item(_)) {
                let waits = self.state.stack.iter().any(|other| item_value(other.order) == *target);
                gone.push(!waits);
            } else if *since != 0 {
                gone.push(self.since(*target) != *since);
            }
        }
        match def.recheck {
            Recheck::Never => false,
            Recheck::Any => !gone.is_empty() && gone.iter().all(|gone| *gone),
            Recheck::All => gone.contains(&true),
        }
    }

    /// A block is at its end: of an item, or of something inside it.
    pub fn ended(&mut self) -> Done {
        self.leave();
        let whole = self.state.current.as_ref().is_some_and(|c| self.state.frames.len() == c.frames as usize);
        if whole && self.depth == 0 { self.finish_item() } else { Ok(()) }
    }

    fn finish_item(&mut self) -> Done {
        let Some(current) = &self.state.current else { return Ok(()) };
        let (kind, ev, this, you) = (current.item.kind, current.item.ev, current.item.this, current.item.you);
        if self.unsound() {
            // The item is kept with its journal: the operator may take it back.
            return Ok(());
        }
        if !matches!(kind, ItemKind::Reaction(_)) {
            self.append(&ev, Status::Applied);
            self.remember(&ev);
        } else if ev.ty != ABILITY_TRIGGERED && !self.program.events[ABILITY_TRIGGERED].triggers.is_empty() {
            // What reacts to abilities does not react to itself.
            self.happen(ABILITY_TRIGGERED, &[this, you])?;
        }
        self.collect()?;
        self.state.current = None;
        Ok(())
    }

    /// An item that a guardrail stopped: nothing of it stays but the verdict.
    pub fn fail(&mut self, verdict: Verdict) {
        self.roll_back(0);
        let failed = self.state.current.as_ref().map(|current| (current.item.kind, current.item.ev));
        if let Some((ItemKind::Action(_) | ItemKind::Event, ev)) = failed {
            self.append(&ev, Status::Failed);
        }
        let Some(mut current) = self.state.current.take() else { return };
        while self.state.frames.len() > current.frames as usize {
            self.leave();
        }
        std::mem::take(&mut current.before).again(self.state);
        self.state.happened.clear();
        self.state.taken.clear();
        self.state.groups.clear();
        (self.state.batch, self.depth) = (0, 0);
        self.state.batched.clear();
        self.replacing.clear();
        self.verdict(verdict, current.item.ev.id);
        let _ = self.released(&current.item);
    }

    /// A card that waited on the stack with an item that came to nothing goes where cards go: its owner's last zone.
    fn released(&mut self, item: &Item) -> Done {
        let ItemKind::Action(action) = item.kind else { return Ok(()) };
        if item.copy {
            return Ok(());
        }
        let Some(hold) = self.program.actions[action].hold else { return Ok(()) };
        let Some(ent) = self.entity(item.this) else { return Ok(()) };
        let held = self.state.board.entities[ent].at;
        if super::Board::zone_of(self.program, held).0 != hold {
            return Ok(());
        }
        let Some(discard) = self.program.discard else { return Ok(()) };
        let owner = self.state.board.entities[ent].owner;
        let def = &self.program.zones[discard];
        if def.per_player && owner >= self.state.board.seats {
            return Ok(());
        }
        let to = if def.per_player { def.base.of(owner.into()) } else { def.base };
        self.put(ent, to, crate::machine::program::ZonePosition::Top, super::board::NOBODY)
    }
}
