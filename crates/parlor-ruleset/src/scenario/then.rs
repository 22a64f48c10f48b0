//! What must have come of a script: events line by line, and the table at the end.

use parlor_core::{Json, Seat};
use serde_json::{Map, json};

use super::Wrong;
use super::play::Play;
use super::shape::unknown;
use crate::limits::OPS_PER_LOOK_MAX;
use crate::machine::exec::stopped::Stop;
use crate::machine::ids::{AttrId, CounterId, EntityId, InstanceId, KindId};
use crate::machine::program::{EVENT_PREVENTED, NONE, Program, STEPS, Ty, VERDICT};
use crate::machine::state::{EventData, Faces, Question, Status, Verdict};
use crate::machine::value::{Value, seat_number, seat_value};
use crate::machine::{Eval, Scratch};

impl Play {
    /// The events of a line: `Type`, `Type status`, or an object with type, status, causedBy (the type of the
    /// event that caused it, or null) and payload.
    pub(super) fn compare(&self, expected: &[Json]) -> Vec<Wrong> {
        let mut differ = Vec::new();
        let events = self.log.iter().zip(&self.faces);
        let told: Vec<Json> = events.map(|((ev, status), faces)| self.event(ev, *status, faces)).collect();
        let short = |event: &Json| {
            format!("{} {}", event["type"].as_str().unwrap_or("?"), event["status"].as_str().unwrap_or("?"))
        };
        let all = || Json::Array(told.iter().map(|event| json!(short(event))).collect());
        for (n, want) in expected.iter().enumerate() {
            let Some(got) = told.get(n) else {
                differ.push(Wrong::not("nothing more happened", want, &all()).inside(n));
                break;
            };
            let fits = match want.as_str() {
                Some(text) if text.contains(' ') => short(got) == text,
                Some(text) => got["type"] == text && got["status"] == "applied",
                None => subset(want, got),
            };
            if !fits {
                let mut wrong = Wrong::not("another event happened", want, got).inside(n);
                if differ.is_empty() {
                    wrong.what = format!("another event happened; all of them: {}", all());
                }
                differ.push(wrong);
            }
        }
        if told.len() > expected.len() {
            let rest = Json::Array(told[expected.len()..].iter().map(|event| json!(short(event))).collect());
            differ.push(Wrong::not("events that nobody expects", &json!([]), &rest));
        }
        differ
    }

    /// An event as a scenario writes it: cards by their kind, as they were when it happened.
    fn event(&self, ev: &EventData, status: Status, faces: &Faces) -> Json {
        let def = &self.program.events[ev.ty];
        let payload: Map<String, Json> = def
            .fields
            .iter()
            .enumerate()
            .map(|(n, (name, ty))| (name.clone(), self.plain(*ty, ev.args[n], faces[n])))
            .collect();
        let payload = self.named(ev, payload);
        let cause = self.types.get(&ev.cause).map(|ty| self.program.events[*ty].name.as_str());
        json!({"type": def.name, "status": status.word(), "id": ev.id, "causedBy": cause, "payload": payload})
    }

    /// What the engine's own events say by numbers, by their names: verdicts and types of events.
    fn named(&self, ev: &EventData, mut payload: Map<String, Json>) -> Map<String, Json> {
        if ev.ty == VERDICT {
            let name = Verdict::ALL.iter().find(|verdict| **verdict as i64 == ev.args[1]).map(|v| v.name());
            payload.insert("verdict".to_owned(), json!(name));
            let stop = Stop::of(ev);
            payload.insert("at".to_owned(), json!(stop.place(&self.program)));
            payload.insert("why".to_owned(), json!(stop.why(&self.program)));
        }
        if ev.ty == EVENT_PREVENTED {
            let def = usize::try_from(ev.args[1]).ok().and_then(|n| self.program.events.get(n));
            payload.insert("eventType".to_owned(), json!(def.map(|def| def.name.as_str())));
        }
        payload
    }

    /// A value as a scenario writes it: cards by their kind.
    fn plain(&self, ty: Ty, value: i64, face: Option<KindId>) -> Json {
        match ty {
            Ty::Int | Ty::Any if value == NONE => Json::Null,
            Ty::Bool => json!(value != 0),
            Ty::Enum(n) => {
                json!(usize::try_from(value).ok().and_then(|v| self.program.enums[n].values.get(v)))
            }
            Ty::Int | Ty::Any => json!(value),
            _ if matches!(Value::of(value), Value::Item(_)) => json!("item"),
            _ if value >= seat_value(0) => json!(seat_number(value)),
            _ => json!(face.map(|kind| self.program.cards[kind].name.as_str())),
        }
    }

    /// The same, as it is now.
    fn now(&self, ty: Ty, value: i64) -> Json {
        let entities = &self.game.inside().board.entities;
        let card = usize::try_from(value).ok().and_then(|e| entities.get(e));
        self.plain(ty, value, card.map(|card| card.def))
    }

    /// The table at the end: everything that differs.
    pub(super) fn then(&self, then: &Json) -> Vec<Wrong> {
        let state = self.game.inside();
        let mut differ = Vec::new();
        let mut same = |name: &str, what: &str, now: Json| {
            let wanted = then.get(name).filter(|wanted| **wanted != now);
            differ.extend(wanted.map(|wanted| Wrong::not(what, wanted, &now).inside(name)));
        };
        same("over", "whether the match is over", json!(state.over.is_some()));
        same("reason", "why it is over", json!(state.over.as_ref().map(|over| over.reason.as_ref())));
        let winners =
            state.over.as_ref().map_or(Vec::new(), |over| over.winners.iter().map(Seat::index).collect());
        same("winners", "the winners", json!(winners));
        let stack: Vec<&str> =
            state.stack.iter().map(|item| self.program.events[item.ev.ty].name.as_str()).collect();
        same("stack", "what waits on the stack", json!(stack));
        let step = self.program.enums[STEPS].values.get(state.board.step.index());
        same("step", "the step", json!(step));
        same("broken", "the invariant that does not hold", json!(state.broken));
        if let Some(asked) = then.get("asked") {
            differ.extend(self.asked(asked).err().map(|wrong| wrong.inside("asked")));
        }
        let sections: [(&str, Look); 3] =
            [("vars", Self::same_variable), ("zones", Self::same_zone), ("cards", Self::same_card)];
        for (section, look) in sections {
            for (name, wanted) in then[section].as_object().into_iter().flatten() {
                let wrong = look(self, name, wanted);
                differ.extend(wrong.into_iter().map(|wrong| wrong.inside(name).inside(section)));
            }
        }
        differ
    }

    fn same_variable(&self, name: &str, wanted: &Json) -> Vec<Wrong> {
        match self.variable(name) {
            Ok(now) if now == *wanted => Vec::new(),
            Ok(now) => vec![Wrong::not(format!("{name} is another"), wanted, &now)],
            Err(wrong) => vec![wrong],
        }
    }

    fn same_zone(&self, name: &str, wanted: &Json) -> Vec<Wrong> {
        let ordered = self.program.zones.iter().any(|zone| zone.name == name && zone.ordered);
        match self.zone(name) {
            Ok(now) if now == *wanted || (!ordered && sorted(&now) == sorted(wanted)) => Vec::new(),
            Ok(now) => vec![Wrong::not(format!("other cards lie in {name}"), wanted, &now)],
            Err(wrong) => vec![wrong],
        }
    }

    /// Who is asked: a seat, a list of all of them, or `{seat, ask}`; null for nobody.
    fn asked(&self, wanted: &Json) -> Result<(), Wrong> {
        let open = self.game.inside().open.as_ref();
        let seat = open.and_then(|open| open.seats.lowest()).map(Seat::index);
        let ask = open.map(|open| match open.what {
            Question::Ask(ask) => self.program.asks[ask].id.as_str(),
            Question::Priority => "priority",
            Question::Target => "target",
            Question::Choose => "choice",
            Question::Wait(_) => "wait",
        });
        let now = match wanted {
            Json::Object(_) => json!({"seat": seat, "ask": ask}),
            Json::Array(_) => {
                json!(open.map_or(Vec::new(), |open| open.seats.iter().map(Seat::index).collect()))
            }
            _ => json!(seat),
        };
        if now == *wanted { Ok(()) } else { Err(Wrong::not("somebody else is asked", wanted, &now)) }
    }

    fn variable(&self, name: &str) -> Result<Json, Wrong> {
        let state = self.game.inside();
        let Some(var) = self.program.vars.iter().find(|var| var.name == name) else {
            return Err(unknown("variable", name, self.program.vars.iter().map(|var| var.name.as_str())));
        };
        let value = |n: usize| self.now(var.ty, state.board.vars[var.base.of(n)]);
        if let Some(per) = var.per {
            let names = &self.program.enums[per].values;
            let map = names.iter().enumerate().map(|(n, name)| (name.clone(), value(n)));
            return Ok(Json::Object(map.collect()));
        }
        Ok(match (var.per_player, var.per_team) {
            (true, _) => (0..usize::from(state.board.seats)).map(value).collect(),
            (false, true) => (0..self.program.team_names.len()).map(value).collect(),
            (false, false) => value(0),
        })
    }

    fn zone(&self, name: &str) -> Result<Json, Wrong> {
        let state = self.game.inside();
        let Some(zone) = self.program.zones.iter().find(|zone| zone.name == name) else {
            return Err(unknown("zone", name, self.program.zones.iter().map(|zone| zone.name.as_str())));
        };
        let list = |instance: InstanceId| -> Json {
            let kinds = state.board.zones[instance].iter();
            kinds.map(|ent| json!(self.program.cards[state.board.entities[*ent].def].name)).collect()
        };
        let seats = usize::from(state.board.seats);
        Ok(if zone.per_player {
            (0..seats).map(|n| list(zone.base.of(n))).collect()
        } else {
            list(zone.base)
        })
    }

    /// Attributes and counters of a card: `ant` is the first of its kind, `ant#2` the second.
    fn same_card(&self, named: &str, wanted: &Json) -> Vec<Wrong> {
        let state = self.game.inside();
        let (kind, place) = nth(&self.program, named);
        let is = |ent: &EntityId| self.program.cards[state.board.entities[*ent].def].name == kind;
        let Some(ent) = state.board.all_entities().filter(is).nth(place) else {
            return vec![Wrong::new(format!("there is no {named} in the match"))];
        };
        let mut differ = Vec::new();
        let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
        let eval = Eval::outside(&self.program, state, NONE, NONE);
        for (name, value) in wanted.as_object().into_iter().flatten() {
            let now = if let Some(attr) = self.program.attrs.iter().position(|attr| attr.name == *name) {
                self.now(self.program.attrs[attr].ty, eval.attr(&mut scratch, ent.value(), AttrId::at(attr)))
            } else if let Some(kind) = self.program.counters.iter().position(|(counter, _)| counter == name) {
                json!(state.board.counters[self.program.counter_at(ent, CounterId::at(kind))])
            } else {
                let attrs = self.program.attrs.iter().map(|attr| attr.name.as_str());
                let counters = self.program.counters.iter().map(|(name, _)| name.as_str());
                differ.push(unknown("attribute or counter", name, attrs.chain(counters)).inside(name));
                continue;
            };
            if now != *value {
                differ.push(Wrong::not(format!("{name} of {named} is another"), value, &now).inside(name));
            }
        }
        differ
    }
}

/// What is compared of one thing: everything that differs.
type Look = fn(&Play, &str, &Json) -> Vec<Wrong>;

/// The kind that a name means, and which of them, from 0: `ant#2` is the second.
pub(super) fn nth<'a>(program: &Program, named: &'a str) -> (&'a str, usize) {
    let whole = program.cards.iter().any(|card| card.name == named);
    let split = named.rsplit_once('#').filter(|_| !whole);
    let place = |n: &str| n.parse::<usize>().ok()?.checked_sub(1);
    split.and_then(|(kind, n)| Some((kind, place(n)?))).unwrap_or((named, 0))
}

/// The cards of a zone in which their order means nothing, in one that is always the same.
fn sorted(cards: &Json) -> Json {
    let Some(list) = cards.as_array() else { return cards.clone() };
    if list.iter().any(Json::is_array) {
        return list.iter().map(sorted).collect();
    }
    let mut names: Vec<&str> = list.iter().map(|card| card.as_str().unwrap_or_default()).collect();
    names.sort_unstable();
    json!(names)
}

fn subset(want: &Json, got: &Json) -> bool {
    match (want, got) {
        (Json::Object(want), Json::Object(got)) => {
            want.iter().all(|(name, value)| got.get(name).is_some_and(|other| subset(value, other)))
        }
        _ => want == got,
    }
}
