//! Events: proposed, applied, sent, and kept for the rules that react.

use parlor_core::{Json, Output, Seats, Viewer};
use serde_json::{Map, json};

use super::board_ops::Done;
use super::stopped::Stop;
use crate::limits::{DEPTH_MAX, EVENTS_PER_INPUT_MAX};
use crate::machine::ids::EventType;
use crate::machine::program::{Block, EVENT_PREVENTED, NONE, Program, VERDICT};
use crate::machine::stack::react::Fate;
use crate::machine::state::{EventData, State, Status, Verdict, Vm};

impl Vm<'_, '_> {
    /// Whether anybody cares for events of this type.
    #[must_use]
    pub fn wanted(&self, ty: EventType) -> bool {
        let def = &self.program.events[ty];
        self.out.listening() || !def.triggers.is_empty() || !def.replaces.is_empty() || def.code.is_some()
    }

    /// Whether the rules care for events of this type, whoever listens.
    #[must_use]
    pub fn wanted_by_rules(&self, ty: EventType) -> bool {
        let def = &self.program.events[ty];
        !def.triggers.is_empty() || !def.replaces.is_empty()
    }

    /// The number of the event that causes what happens now.
    fn cause(&self) -> u32 {
        self.state.frames.last().map_or(0, |frame| frame.ev.id)
    }

    /// Lets an event happen, unless it is prevented.
    pub fn happen(&mut self, ty: EventType, args: &[i64]) -> Result<bool, Verdict> {
        self.state.next.event += 1;
        let ev = EventData { id: self.state.next.event, ty, args: Self::args(args), cause: self.cause() };
        self.propose(ev)
    }

    fn propose(&mut self, mut ev: EventData) -> Result<bool, Verdict> {
        self.events += 1;
        if self.events > EVENTS_PER_INPUT_MAX {
            return Err(Verdict::Events);
        }
        let program = self.program;
        let def = &program.events[ev.ty];
        if !self.wanted(ev.ty) {
            self.remember(&ev);
            return Ok(true);
        }
        if !def.replaces.is_empty() {
            match self.replace(&mut ev)? {
                Fate::Happens => {}
                Fate::Replaced => return Ok(false),
                Fate::Prevented => return self.prevented(&ev).map(|()| false),
            }
        }
        if let Some(code) = def.code {
            let you = self.state.frames.last().map_or(NONE, |frame| frame.you);
            let this = self.state.frames.last().map_or(NONE, |frame| frame.this);
            self.block(code, this, you, ev, &[])?;
        }
        self.append(&ev, Status::Applied);
        self.remember(&ev);
        Ok(true)
    }

    /// An event does not happen: everybody is told, and its group falls with it.
    pub fn prevented(&mut self, ev: &EventData) -> Done {
        self.append(ev, Status::Prevented);
        if let Some(group) = self.state.groups.last_mut() {
            group.fell = true;
        }
        self.stopped_short(ev);
        Ok(())
    }

    /// Everybody is told that an event, or a reaction to it, came to nothing.
    pub(in crate::machine) fn stopped_short(&mut self, ev: &EventData) {
        self.state.next.event += 1;
        let id = self.state.next.event;
        let args = Self::args(&[ev.id.into(), ev.ty.value()]);
        let told = EventData { id, ty: EVENT_PREVENTED, args, cause: ev.id };
        self.append(&told, Status::Applied);
        self.keep(&told);
    }

    /// Runs a block to its end, at once. It cannot ask.
    pub fn block(&mut self, block: Block, this: i64, you: i64, ev: EventData, locals: &[i64]) -> Done {
        if self.depth >= DEPTH_MAX {
            return Err(Verdict::Depth);
        }
        self.depth += 1;
        let frames = self.state.frames.len();
        self.enter(block, this, you, ev, locals);
        let mut done = Ok(());
        // Where the match is over nothing more is done.
        while done.is_ok() && self.state.frames.len() > frames && self.state.over.is_none() {
            done = self.step();
            if self.state.open.is_some() || self.state.window.is_some() {
                // The checker lets no question into such a block; whatever slips through is stopped here.
                (self.state.open, self.state.window) = (None, None);
                done = Err(Verdict::Rules);
            }
        }
        while self.state.frames.len() > frames {
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
        if let Some(faces) = &mut self.out.faces {
            let entities = &self.state.board.entities;
            let kind =
                |value: i64| usize::try_from(value).ok().and_then(|e| entities.get(e)).map(|card| card.def);
            faces.push(ev.args.map(kind));
        }
        if self.out.output.is_none() {
            return;
        }
        let seats = self.state.board.seats;
        let mut versions: Vec<(Json, Seats)> = Vec::new();
        for viewer in Viewer::all(seats) {
            let version = event_json(self.program, self.state, ev, status, viewer);
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
        if let Some(output) = &mut self.out.output {
            output.emit(to, event);
            self.heard = self.heard.and(to);
        }
    }

    /// A guardrail stopped something: a logged result of this input.
    pub fn verdict(&mut self, verdict: Verdict, about: u32) {
        self.state.next.event += 1;
        let id = self.state.next.event;
        let args = Self::args(&[about.into(), verdict as i64]);
        let mut ev = EventData { id, ty: VERDICT, args, cause: about };
        let stop = std::mem::take(&mut self.scratch.stop);
        stop.note(&mut ev);
        self.scratch.told = Some(stop);
        self.append(&ev, Status::Applied);
    }
}

/// Where a verdict fell and why, as far as everybody may know it: the code of a card names the card.
fn stopped(program: &Program, ev: &EventData, payload: &mut Map<String, Json>) {
    if program.is_first_edition() {
        return;
    }
    let stop = Stop::of(ev);
    let of_cards = |place: &&str| place.starts_with("/cards/") || place.starts_with("/keywords/");
    if let Some(place) = stop.place(program).filter(|place| !of_cards(place)) {
        payload.insert("at".to_owned(), json!(place));
    }
    if let Some(why) = stop.why(program).filter(|_| stop.is_open(program)) {
        payload.insert("why".to_owned(), json!(why));
    }
}

/// An event as one viewer may know it.
#[must_use]
pub fn event_json(program: &Program, state: &State, ev: &EventData, status: Status, viewer: Viewer) -> Json {
    let def = &program.events[ev.ty];
    let mut payload = Map::new();
    let secret = def
        .secret
        .is_some_and(|field| State::seat(ev.args[usize::from(field)]).map(Viewer::Seat) != Some(viewer));
    for (n, (name, ty)) in def.fields.iter().enumerate() {
        if secret && def.secret != Some(n as u8) {
            continue;
        }
        payload.insert(name.clone(), crate::game::view::scalar(program, state, *ty, ev.args[n], viewer));
    }
    if ev.ty == VERDICT {
        let found = Verdict::ALL.iter().find(|v| **v as i64 == ev.args[1]);
        payload.insert("verdict".to_owned(), json!(found.map(|v| v.name())));
        stopped(program, ev, &mut payload);
    }
    if ev.ty == EVENT_PREVENTED {
        let name = program.events.get(ev.args[1].max(0) as usize).map(|def| def.name.as_str());
        payload.insert("eventType".to_owned(), json!(name));
        payload.insert("cue".to_owned(), json!("fizzle"));
    }
    let mut event = Map::new();
    event.insert("type".to_owned(), json!(def.name));
    event.insert("id".to_owned(), json!(ev.id));
    event.insert("causedBy".to_owned(), if ev.cause == 0 { Json::Null } else { json!(ev.cause) });
    event.insert("status".to_owned(), json!(status.word()));
    event.insert("payload".to_owned(), Json::Object(payload));
    crate::game::stack::note_item(program, state, ev, viewer, &mut event);
    Json::Object(event)
}
