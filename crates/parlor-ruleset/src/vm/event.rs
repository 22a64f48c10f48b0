//! Events: proposed, replaced or prevented, applied, told, and kept for whoever reacts.

use parlor_core::{Json, Out, Seats, Viewer};
use serde_json::{Map, json};

use super::act::Done;
use super::eval::Eval;
use super::state::{EventData, LimitKey, State, Status, Verdict, Vm};
use crate::limits::{DEPTH_MAX, EVENTS_PER_INPUT_MAX};
use crate::program::{Block, EVENT_PREVENTED, Limit, NONE, Program, Scope, VERDICT};

impl Vm<'_, '_> {
    /// Whether anybody cares for events of this type.
    #[must_use]
    pub fn wanted(&self, ty: u16) -> bool {
        let def = &self.p.events[usize::from(ty)];
        self.out.listening() || !def.triggers.is_empty() || !def.replaces.is_empty() || def.code.is_some()
    }

    /// The number of the event that causes what happens now.
    fn cause(&self) -> u32 {
        self.s.frames.last().map_or(0, |frame| frame.ev.id)
    }

    /// Lets an event happen, unless it is prevented.
    pub fn happen(&mut self, ty: u16, args: &[i64]) -> Result<bool, Verdict> {
        self.s.next.event += 1;
        let ev = EventData { id: self.s.next.event, ty, args: Self::args(args), cause: self.cause() };
        self.propose(ev)
    }

    fn propose(&mut self, mut ev: EventData) -> Result<bool, Verdict> {
        self.events += 1;
        if self.events > EVENTS_PER_INPUT_MAX {
            return Err(Verdict::Events);
        }
        let p = self.p;
        let def = &p.events[usize::from(ev.ty)];
        if !def.replaces.is_empty() {
            let prevented = self.replace(&mut ev)?;
            if prevented {
                return self.prevented(&ev).map(|()| false);
            }
        }
        if let Some(code) = def.code {
            let you = self.s.frames.last().map_or(NONE, |frame| frame.you);
            let this = self.s.frames.last().map_or(NONE, |frame| frame.this);
            self.block(code, this, you, ev, &[])?;
        }
        self.append(&ev, Status::Applied);
        let counts = &mut self.s.counts[usize::from(ev.ty)];
        *counts = (counts.0.saturating_add(1), counts.1.saturating_add(1));
        if !p.events[usize::from(ev.ty)].triggers.is_empty() {
            self.s.happened.push(ev);
        }
        Ok(true)
    }

    /// An event does not happen: everybody is told, and its group falls with it.
    pub fn prevented(&mut self, ev: &EventData) -> Done {
        self.append(ev, Status::Prevented);
        if let Some(group) = self.s.groups.last_mut() {
            group.1 = true;
        }
        self.s.next.event += 1;
        let id = self.s.next.event;
        let args = Self::args(&[ev.id.into(), ev.ty.into()]);
        let told = EventData { id, ty: EVENT_PREVENTED, args, cause: ev.id };
        self.append(&told, Status::Applied);
        if !self.p.events[usize::from(EVENT_PREVENTED)].triggers.is_empty() {
            self.s.happened.push(told);
        }
        Ok(())
    }

    /// Everything that changes or prevents this event, each once, and after each change a new look.
    fn replace(&mut self, ev: &mut EventData) -> Result<bool, Verdict> {
        let p = self.p;
        let mut applied: Vec<(u16, u16)> = Vec::new();
        loop {
            let next = self.replacement(ev, &applied);
            let Some((id, source)) = next else { return Ok(false) };
            applied.push((id, source));
            if applied.len() > p.limits().reactions as usize {
                return Err(Verdict::Reactions);
            }
            let def = &p.replaces[usize::from(id)];
            if let Some(limit) = def.limit {
                self.count_limit(id | 0x8000, source, limit, ev);
            }
            let this = if source == u16::MAX { NONE } else { i64::from(source) };
            let you = self.you_of(this);
            self.replacing.push((*ev, false));
            let done = self.block(def.code, this, you, *ev, &[]);
            let Some((changed, prevented)) = self.replacing.pop() else { return Ok(false) };
            done?;
            *ev = changed;
            if prevented {
                return Ok(true);
            }
        }
    }

    fn replacement(&mut self, ev: &EventData, applied: &[(u16, u16)]) -> Option<(u16, u16)> {
        let p = self.p;
        let mut found: Vec<(u16, u16)> = Vec::new();
        for id in &p.events[usize::from(ev.ty)].replaces {
            let def = &p.replaces[usize::from(*id)];
            let sources: Vec<u16> = match def.card {
                None => vec![u16::MAX],
                Some(card) => self.sources(ev.ty, card, def.zones),
            };
            for source in sources {
                if applied.contains(&(*id, source)) {
                    continue;
                }
                if let Some(limit) = def.limit
                    && self.limited(*id | 0x8000, source, limit, ev)
                {
                    continue;
                }
                if self.matches(def.when, source, ev) {
                    found.push((*id, source));
                }
            }
        }
        let key = |(id, source): (u16, u16)| {
            (self.distance(source), p.replaces[usize::from(id)].id.as_str(), self.name_of(source), id)
        };
        found.into_iter().min_by_key(|pair| key(*pair))
    }

    /// Entities of this kind that hear the event from zones in which they may.
    fn sources(&self, ty: u16, card: u16, zones: u64) -> Vec<u16> {
        let board = &self.s.board;
        let hears = |ent: &&u16| {
            let e = usize::from(**ent);
            board.def[e] == card && zones & 1 << super::Board::zone_of(self.p, board.at[e]).0 != 0
        };
        board.hear[usize::from(ty)].iter().filter(hears).copied().collect()
    }

    fn you_of(&self, this: i64) -> i64 {
        let controller = Eval::outside(self.p, self.s, this, NONE).controller(this);
        if controller == NONE { crate::program::SEAT + i64::from(self.s.board.active) } else { controller }
    }

    /// Whether a condition holds for a source and an event.
    pub fn matches(&mut self, when: Option<u32>, source: u16, ev: &EventData) -> bool {
        let Some(when) = when else { return true };
        let this = if source == u16::MAX { NONE } else { i64::from(source) };
        let you = self.you_of(this);
        let eval = Eval { ev, ..Eval::outside(self.p, self.s, this, you) };
        eval.holds(self.x, when)
    }

    /// The number that clients know a source by; rules of the game come last.
    pub(super) fn name_of(&self, source: u16) -> u32 {
        self.s.board.handle.get(usize::from(source)).copied().unwrap_or(u32::MAX)
    }

    /// How far the controller of a source is from the seat whose turn it is: the first key of R3.
    pub(super) fn distance(&self, source: u16) -> u8 {
        if source == u16::MAX {
            return 0;
        }
        let (seats, active) = (self.s.board.seats, self.s.board.active);
        let controller = self.s.board.ctrl[usize::from(source)];
        if controller >= seats { seats } else { (controller + seats - active) % seats }
    }

    /// Triggers that react to an event, with their sources, in no order.
    pub fn discover(&mut self, ev: &EventData, before: bool) -> Result<Vec<(u16, u16)>, Verdict> {
        let p = self.p;
        let mut found = Vec::new();
        for id in &p.events[usize::from(ev.ty)].triggers {
            let def = &p.triggers[usize::from(*id)];
            if def.before == before && def.card.is_none() && self.matches(def.when, u16::MAX, ev) {
                found.push((*id, u16::MAX));
            }
        }
        if p.events[usize::from(ev.ty)].heard {
            let hear = self.s.board.hear[usize::from(ev.ty)].clone();
            for ent in hear {
                let e = usize::from(ent);
                let bit = 1u64 << super::Board::zone_of(p, self.s.board.at[e]).0;
                for id in &p.cards[usize::from(self.s.board.def[e])].triggers {
                    let def = &p.triggers[usize::from(*id)];
                    let hears = def.event == ev.ty && def.before == before && def.zones & bit != 0;
                    if hears && self.matches(def.when, ent, ev) {
                        found.push((*id, ent));
                    }
                }
            }
        }
        if found.len() > p.limits().reactions as usize {
            return Err(Verdict::Reactions);
        }
        Ok(found)
    }

    fn limit_key(&self, id: u16, source: u16, limit: Limit, ev: &EventData) -> LimitKey {
        match limit.scope {
            Scope::Event => (id, source, Scope::Event, if ev.cause == 0 { ev.id } else { ev.cause }),
            Scope::Turn => (id, source, Scope::Turn, self.s.board.turn),
            Scope::Source => (id, source, Scope::Source, 0),
            Scope::Game => (id, u16::MAX, Scope::Game, 0),
        }
    }

    /// Whether something has happened as often as it may.
    #[must_use]
    pub fn limited(&self, id: u16, source: u16, limit: Limit, ev: &EventData) -> bool {
        let key = self.limit_key(id, source, limit, ev);
        let found = self.s.limits.binary_search_by_key(&key, |(key, _)| *key);
        found.is_ok_and(|n| self.s.limits[n].1 >= limit.max)
    }

    /// Counts that something happened.
    pub fn count_limit(&mut self, id: u16, source: u16, limit: Limit, ev: &EventData) {
        let key = self.limit_key(id, source, limit, ev);
        match self.s.limits.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(n) => self.s.limits[n].1 = self.s.limits[n].1.saturating_add(1),
            Err(n) => self.s.limits.insert(n, (key, 1)),
        }
    }

    /// Runs a block to its end, at once. It cannot ask.
    pub fn block(&mut self, block: Block, this: i64, you: i64, ev: EventData, locals: &[i64]) -> Done {
        if self.depth >= DEPTH_MAX {
            return Err(Verdict::Depth);
        }
        self.depth += 1;
        let frames = self.s.frames.len();
        self.enter(block, this, you, ev, locals);
        let mut done = Ok(());
        while done.is_ok() && self.s.frames.len() > frames {
            done = self.step();
            if self.s.open.is_some() || self.s.window.is_some() {
                // The checker lets no question into such a block; whatever slips through is stopped here.
                (self.s.open, self.s.window) = (None, None);
                done = Err(Verdict::Rules);
            }
        }
        while self.s.frames.len() > frames {
            self.leave();
        }
        self.depth -= 1;
        done
    }

    /// Tells an event to everybody, to each as far as he may know it.
    pub fn append(&mut self, ev: &EventData, status: Status) {
        if let Some(log) = &mut self.out.log {
            log.push((*ev, status));
        }
        if self.out.told.is_none() {
            return;
        }
        let seats = self.s.board.seats;
        let mut versions: Vec<(Json, Seats)> = Vec::new();
        for viewer in Viewer::all(seats) {
            let version = event_json(self.p, self.s, ev, status, viewer);
            match versions.iter_mut().find(|(other, _)| *other == version) {
                Some((_, to)) => *to = to.and(viewer.into()),
                None => versions.push((version, viewer.into())),
            }
        }
        let every = Viewer::all(seats).fold(Seats::NONE, |all, viewer| all.and(viewer.into()));
        for (json, to) in versions {
            let to = if to == every { Seats::ALL } else { to };
            self.tell(to, json);
        }
    }

    /// Tells something to these viewers.
    pub fn tell(&mut self, to: Seats, event: Json) {
        if let Some(told) = &mut self.out.told {
            told.tell(to, event);
            self.heard = self.heard.and(to);
        }
    }

    /// A guardrail stopped something: a logged result of this input.
    pub fn verdict(&mut self, verdict: Verdict, about: u32) {
        self.s.next.event += 1;
        let id = self.s.next.event;
        let args = Self::args(&[about.into(), verdict as i64]);
        let ev = EventData { id, ty: VERDICT, args, cause: about };
        self.append(&ev, Status::Applied);
    }
}

/// An event as one viewer may know it.
#[must_use]
pub fn event_json(p: &Program, s: &State, ev: &EventData, status: Status, viewer: Viewer) -> Json {
    let def = &p.events[usize::from(ev.ty)];
    let mut payload = Map::new();
    let secret = def
        .secret
        .is_some_and(|field| State::seat(ev.args[usize::from(field)]).map(Viewer::Seat) != Some(viewer));
    for (n, (name, ty)) in def.fields.iter().enumerate() {
        if secret && def.secret != Some(n as u8) {
            continue;
        }
        payload.insert(name.clone(), crate::table::view::scalar(p, s, *ty, ev.args[n], viewer));
    }
    if ev.ty == VERDICT {
        let names = [
            Verdict::Fuel,
            Verdict::Depth,
            Verdict::Stack,
            Verdict::Reactions,
            Verdict::Loop,
            Verdict::Checks,
            Verdict::Events,
            Verdict::Entities,
            Verdict::Rules,
            Verdict::Targets,
            Verdict::Group,
            Verdict::Repetition,
        ];
        let found = names.iter().find(|v| **v as i64 == ev.args[1]);
        payload.insert("verdict".to_owned(), json!(found.map(|v| v.name())));
    }
    if ev.ty == EVENT_PREVENTED {
        let name = p.events.get(ev.args[1].max(0) as usize).map(|def| def.name.as_str());
        payload.insert("eventType".to_owned(), json!(name));
        payload.insert("cue".to_owned(), json!("fizzle"));
    }
    let mut event = Map::new();
    event.insert("type".to_owned(), json!(def.name));
    event.insert("id".to_owned(), json!(ev.id));
    event.insert("causedBy".to_owned(), if ev.cause == 0 { Json::Null } else { json!(ev.cause) });
    event.insert("status".to_owned(), json!(status.word()));
    event.insert("payload".to_owned(), Json::Object(payload));
    let about = if ev.ty == EVENT_PREVENTED { ev.args[0] } else { ev.id.into() };
    if let Some((id, title)) = crate::table::stack::of_event(p, s, about, viewer) {
        event.insert("item".to_owned(), json!(id));
        event.insert("title".to_owned(), json!(title));
    }
    Json::Object(event)
}
