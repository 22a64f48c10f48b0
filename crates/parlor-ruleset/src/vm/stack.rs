//! One beat after another: checks, reactions, responses, and the item on top.
//!
//! The order of one beat: state checks until none applies; triggers of all that happened, collected together and pushed
//! so that they resolve in the order of R3; then the item on top: found countered, responded to, preceded by what comes
//! before it, or begun. A finished item is appended once more with its new status, and the beat begins again.

use super::act::Done;
use super::eval::Eval;
use super::state::{Current, EventData, Item, ItemKind, Status, Verdict, Vm};
use crate::limits::CHECK_ROUNDS_MAX;
use crate::program::{ITEM, NONE, Recheck, SEAT, Spread};

impl Vm<'_, '_> {
    /// One beat; says whether there may be more to do.
    pub fn beat(&mut self) -> Result<bool, Verdict> {
        if self.s.batch > 0 {
            return Ok(false);
        }
        if !self.p.checks.is_empty() {
            self.checks()?;
        }
        self.last_standing();
        if self.s.over.is_some() {
            return Ok(false);
        }
        if !self.s.happened.is_empty() {
            self.collect()?;
        }
        let Some(top) = self.s.stack.last() else { return Ok(false) };
        if top.countered {
            // Told while it still waits, so that whoever hears of it can find it.
            let ev = top.ev;
            self.s.passed = false;
            self.prevented(&ev)?;
            let Some(item) = self.s.stack.pop() else { return Ok(false) };
            self.released(&item)?;
            return Ok(true);
        }
        if top.respond && !self.s.passed {
            self.open_window();
            return Ok(true);
        }
        if self.precede()? {
            return Ok(true);
        }
        self.s.passed = false;
        let Some(item) = self.s.stack.pop() else { return Ok(false) };
        self.begin(item)?;
        Ok(true)
    }

    /// State checks: all that apply, at once, and again until none does.
    fn checks(&mut self) -> Done {
        let p = self.p;
        for _ in 0..CHECK_ROUNDS_MAX {
            let dirty = self.s.board.dirty.take();
            self.s.board.dirty = Some(Vec::new());
            let mut hits: Vec<(usize, Vec<i64>)> = Vec::new();
            for (n, check) in p.checks.iter().enumerate() {
                let eval = Eval::outside(p, self.s, NONE, SEAT + i64::from(self.s.board.active));
                let mut list = self.x.list();
                match &dirty {
                    Some(changed) if check.local => {
                        for ent in changed {
                            if eval.contains_dirty(self.x, check.each, i64::from(*ent)) {
                                list.push(i64::from(*ent));
                            }
                        }
                        list.sort_unstable();
                        list.dedup();
                        eval.by_name(&mut list);
                    }
                    _ => eval.list(self.x, check.each, &mut list),
                }
                list.retain(|value| super::State::seat(*value).is_none_or(|seat| !self.s.lost.has(seat)));
                if !list.is_empty() {
                    hits.push((n, list));
                }
            }
            if hits.is_empty() {
                return Ok(());
            }
            for (n, list) in hits {
                let check = &p.checks[n];
                for value in &list {
                    let mut locals = vec![NONE; usize::from(check.it) + 1];
                    locals[usize::from(check.it)] = *value;
                    let you = Eval::outside(p, self.s, NONE, NONE).controller(*value);
                    self.block(check.code, *value, you, EventData::NONE, &locals)?;
                }
                self.x.give(list);
            }
            self.last_standing();
            if self.s.over.is_some() {
                return Ok(());
            }
        }
        Err(Verdict::Checks)
    }

    /// Pushes the reactions to everything that happened.
    pub fn collect(&mut self) -> Done {
        let p = self.p;
        let happened = std::mem::take(&mut self.s.happened);
        let mut set: Vec<(u16, u16, usize)> = Vec::new();
        for (n, ev) in happened.iter().enumerate() {
            for (id, source) in self.discover(ev, false)? {
                if let Some(limit) = p.triggers[usize::from(id)].limit {
                    if self.limited(id, source, limit, ev) {
                        continue;
                    }
                    self.count_limit(id, source, limit, ev);
                }
                set.push((id, source, n));
            }
        }
        self.sort(&mut set);
        for (id, source, n) in set.into_iter().rev() {
            self.react(id, source, &happened[n], 0)?;
        }
        Ok(())
    }

    /// Sorts a set of reactions into the order in which they resolve (R3).
    fn sort(&self, set: &mut [(u16, u16, usize)]) {
        if set.len() < 2 {
            return;
        }
        let name = |id: u16| self.p.triggers[usize::from(id)].id.as_str();
        let groups: Vec<(u16, &str)> = {
            let mut sources: Vec<u16> = set.iter().map(|(_, source, _)| *source).collect();
            sources.sort_unstable();
            sources.dedup();
            let least = |source: u16| {
                set.iter()
                    .filter(|(_, other, _)| *other == source)
                    .map(|(id, _, _)| name(*id))
                    .min()
                    .unwrap_or("")
            };
            sources.into_iter().map(|source| (source, least(source))).collect()
        };
        let far = |source: u16| {
            let distance = self.distance(source);
            if self.p.apnap { u8::MAX - distance } else { distance }
        };
        set.sort_by_key(|(id, source, n)| {
            let rule = groups.iter().find(|(other, _)| other == source).map_or("", |(_, rule)| *rule);
            (far(*source), rule, self.name_of(*source), *id, *n)
        });
    }

    fn room(&mut self) -> Result<u32, Verdict> {
        if self.s.stack.len() >= self.p.limits().stack as usize {
            return Err(Verdict::Stack);
        }
        self.s.next.item += 1;
        Ok(self.s.next.item)
    }

    fn react(&mut self, id: u16, source: u16, ev: &EventData, about: u32) -> Done {
        let order = self.room()?;
        let def = &self.p.triggers[usize::from(id)];
        let this = if source == u16::MAX { NONE } else { i64::from(source) };
        let you = match Eval::outside(self.p, self.s, this, NONE).controller(this) {
            NONE => SEAT + i64::from(self.s.board.active),
            controller => controller,
        };
        self.s.stack.push(Item {
            order,
            kind: ItemKind::Reaction(id),
            ev: *ev,
            this,
            you,
            targets: Vec::new(),
            since: Vec::new(),
            before: Vec::new(),
            countered: false,
            about,
            respond: def.respond,
        });
        self.changed = parlor_core::Seats::ALL;
        self.s.passed = false;
        Ok(())
    }

    /// An event goes onto the stack.
    pub fn push_event(&mut self, ty: u16, args: &[i64]) -> Done {
        let order = self.room()?;
        let (this, you, cause) =
            self.s.frames.last().map_or((NONE, NONE, 0), |frame| (frame.this, frame.you, frame.ev.id));
        self.s.next.event += 1;
        let ev = EventData { id: self.s.next.event, ty, args: Self::args(args), cause };
        self.append(&ev, Status::Pending);
        self.s.stack.push(Item {
            order,
            kind: ItemKind::Event,
            ev,
            this,
            you,
            targets: Vec::new(),
            since: Vec::new(),
            before: Vec::new(),
            countered: false,
            about: 0,
            respond: false,
        });
        self.s.passed = false;
        Ok(())
    }

    /// An action goes onto the stack, with its targets.
    pub fn push_action(&mut self, action: u16, seat: u8, targets: Vec<i64>) -> Done {
        let order = self.room()?;
        let def = &self.p.actions[usize::from(action)];
        self.s.next.event += 1;
        let ev = EventData { id: self.s.next.event, ty: def.event, args: Self::args(&targets), cause: 0 };
        let since = targets.iter().map(|target| self.since(*target)).collect();
        // Targets may have been chosen one by one and in silence: with this everybody knows them.
        self.disclose(i64::from(action));
        for target in &targets {
            let name =
                self.entity(*target).map_or(*target, |ent| i64::from(self.s.board.handle[usize::from(ent)]));
            self.disclose(name);
        }
        let this = targets.first().copied().unwrap_or(NONE);
        let step = self.p.steps.get(usize::from(self.s.board.step));
        let respond = def.timing == crate::program::Timing::Stack && step.is_none_or(|step| step.stack);
        self.append(&ev, Status::Pending);
        self.s.stack.push(Item {
            order,
            kind: ItemKind::Action(action),
            ev,
            this,
            you: SEAT + i64::from(seat),
            targets,
            since,
            before: Vec::new(),
            countered: false,
            about: 0,
            respond,
        });
        self.s.passed = false;
        Ok(())
    }

    fn since(&self, target: i64) -> u32 {
        self.entity(target).map_or(0, |ent| self.s.board.since[usize::from(ent)])
    }

    /// Reactions that come before the item on top are pushed above it; says whether there were any.
    fn precede(&mut self) -> Result<bool, Verdict> {
        let Some(top) = self.s.stack.last() else { return Ok(false) };
        if matches!(top.kind, ItemKind::Reaction(_)) {
            return Ok(false);
        }
        let (ev, order) = (top.ev, top.order);
        let found = self.discover(&ev, true)?;
        let mut set = Vec::new();
        for (id, source) in found {
            let done = self.s.stack.last().is_some_and(|top| top.before.contains(&(id, source)));
            let limit = self.p.triggers[usize::from(id)].limit;
            if done || limit.is_some_and(|limit| self.limited(id, source, limit, &ev)) {
                continue;
            }
            if let Some(limit) = limit {
                self.count_limit(id, source, limit, &ev);
            }
            set.push((id, source, 0));
        }
        if set.is_empty() {
            return Ok(false);
        }
        self.sort(&mut set);
        if let Some(top) = self.s.stack.last_mut() {
            top.before.extend(set.iter().map(|(id, source, _)| (*id, *source)));
        }
        for (id, source, _) in set.into_iter().rev() {
            self.react(id, source, &ev, order)?;
        }
        Ok(true)
    }

    /// Begins to resolve an item.
    fn begin(&mut self, item: Item) -> Done {
        let p = self.p;
        let code = match item.kind {
            ItemKind::Action(action) => Some(p.actions[usize::from(action)].code),
            ItemKind::Event => p.events[usize::from(item.ev.ty)].code,
            ItemKind::Reaction(id) => Some(p.triggers[usize::from(id)].code),
        };
        self.changed = parlor_core::Seats::ALL;
        let frames = self.s.frames.len() as u32;
        let illegal = self.targets_gone(&item) || self.no_longer(&item);
        let (this, you, ev, targets) = (item.this, item.you, item.ev, item.targets.clone());
        self.s.current = Some(Box::new(Current { item, journal: Vec::new(), frames }));
        if illegal {
            self.fail(Verdict::Targets);
            return Ok(());
        }
        match code {
            Some(code) => self.enter(code, this, you, ev, &targets),
            None => self.finish_item()?,
        }
        Ok(())
    }

    /// Whether what a trigger asks for when it triggers still holds (its intervening if).
    fn no_longer(&mut self, item: &Item) -> bool {
        let ItemKind::Reaction(id) = item.kind else { return false };
        let def = &self.p.triggers[usize::from(id)];
        let source = if item.this == NONE { u16::MAX } else { item.this as u16 };
        def.recheck && !self.matches(def.when, source, &item.ev)
    }

    /// Whether the targets of an item are no longer where they were, as far as its rules mind.
    fn targets_gone(&self, item: &Item) -> bool {
        let ItemKind::Action(action) = item.kind else { return false };
        let def = &self.p.actions[usize::from(action)];
        let own = def.targets.len();
        let first = if def.spread == Spread::None || item.targets.len() <= own { 0 } else { own };
        let mut gone = Vec::new();
        for (target, since) in item.targets.iter().zip(&item.since).skip(first) {
            if *target >= ITEM {
                let waits = self.s.stack.iter().any(|other| ITEM + i64::from(other.order) == *target);
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
        let whole = self.s.current.as_ref().is_some_and(|c| self.s.frames.len() == c.frames as usize);
        if whole && self.depth == 0 { self.finish_item() } else { Ok(()) }
    }

    fn finish_item(&mut self) -> Done {
        let Some(current) = &self.s.current else { return Ok(()) };
        let (kind, ev) = (current.item.kind, current.item.ev);
        if !matches!(kind, ItemKind::Reaction(_)) {
            self.append(&ev, Status::Applied);
            let counts = &mut self.s.counts[usize::from(ev.ty)];
            *counts = (counts.0.saturating_add(1), counts.1.saturating_add(1));
            if !self.p.events[usize::from(ev.ty)].triggers.is_empty() {
                self.s.happened.push(ev);
            }
        }
        self.collect()?;
        self.s.current = None;
        Ok(())
    }

    /// An item that a guardrail stopped: nothing of it stays but the verdict.
    pub fn fail(&mut self, verdict: Verdict) {
        self.roll_back(0);
        let failed = self.s.current.as_ref().map(|current| (current.item.kind, current.item.ev));
        if let Some((ItemKind::Action(_) | ItemKind::Event, ev)) = failed {
            self.append(&ev, Status::Failed);
        }
        let Some(current) = self.s.current.take() else { return };
        while self.s.frames.len() > current.frames as usize {
            self.leave();
        }
        self.s.happened.clear();
        self.s.groups.clear();
        (self.s.batch, self.depth) = (0, 0);
        self.replacing.clear();
        self.verdict(verdict, current.item.ev.id);
        let _ = self.released(&current.item);
    }

    /// A card that waited on the stack with an item that came to nothing goes where cards go: its owner's last zone.
    fn released(&mut self, item: &Item) -> Done {
        let ItemKind::Action(action) = item.kind else { return Ok(()) };
        let Some(hold) = self.p.actions[usize::from(action)].hold else { return Ok(()) };
        let Some(ent) = self.entity(item.this) else { return Ok(()) };
        let held = self.s.board.at[usize::from(ent)];
        if super::Board::zone_of(self.p, held).0 != hold {
            return Ok(());
        }
        let Some(discard) = self.p.discard else { return Ok(()) };
        let owner = self.s.board.owner[usize::from(ent)];
        let def = &self.p.zones[usize::from(discard)];
        if def.per_player && owner >= self.s.board.seats {
            return Ok(());
        }
        let to = if def.per_player { def.base + u16::from(owner) } else { def.base };
        self.put(ent, to, crate::program::Place::Top, super::board::NOBODY)
    }

    /// The event that is replaced, or before which the current item stands, does not happen.
    pub fn prevent(&mut self) {
        if let Some(event) = self.replacing.last_mut() {
            event.1 = true;
            return;
        }
        let about = self.s.current.as_ref().map_or(0, |current| current.item.about);
        if let Some(item) = self.s.stack.iter_mut().find(|item| item.order == about) {
            item.countered = true;
        }
    }

    /// A field of that event changes.
    pub fn modify_event(&mut self, field: u8, value: i64) {
        if let Some((event, _)) = self.replacing.last_mut() {
            event.args[usize::from(field)] = value;
            return;
        }
        let about = self.s.current.as_ref().map_or(0, |current| current.item.about);
        if let Some(item) = self.s.stack.iter_mut().find(|item| item.order == about) {
            item.ev.args[usize::from(field)] = value;
            if let Some(target) = item.targets.get_mut(usize::from(field)) {
                *target = value;
            }
        }
    }

    /// What a card does when it resolves.
    pub fn run_card(&mut self, card: u32, first: u16) {
        let ent = self.eval(card);
        let Some(e) = self.entity(ent) else { return };
        let p = self.p;
        let def = &p.cards[usize::from(self.s.board.def[usize::from(e)])];
        let Some(frame) = self.s.frames.last() else { return };
        let (you, ev) = (frame.you, frame.ev);
        let mut targets =
            self.s.locals.get(frame.base as usize + usize::from(first)..).unwrap_or(&[]).to_vec();
        let code = if def.modes.is_empty() {
            def.resolve
        } else {
            let mode = targets.first().copied().unwrap_or(NONE);
            targets.drain(..1.min(targets.len()));
            usize::try_from(mode).ok().and_then(|mode| def.modes.get(mode)).map(|mode| mode.code)
        };
        if let Some(code) = code {
            targets.truncate(usize::from(code.locals));
            self.enter(code, ent, you, ev, &targets);
        }
    }

    /// What the ability does that was chosen.
    pub fn run_ability(&mut self, source: u32, ability: u16, first: u16) {
        let ent = self.eval(source);
        let Some(frame) = self.s.frames.last() else { return };
        let (you, ev, base) = (frame.you, frame.ev, frame.base as usize);
        let ability = self.s.locals.get(base + usize::from(ability)).copied().unwrap_or(NONE);
        let p = self.p;
        let Some(def) = usize::try_from(ability).ok().and_then(|n| p.abilities.get(n)) else { return };
        let mut targets = self.s.locals.get(base + usize::from(first)..).unwrap_or(&[]).to_vec();
        targets.truncate(usize::from(def.code.locals));
        self.enter(def.code, ent, you, ev, &targets);
    }
}
