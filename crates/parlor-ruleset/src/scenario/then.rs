//! What must have come of a script: events line by line, and the table at the end.

use parlor_core::{Json, Seat};
use serde_json::{Map, json};

use super::Wrong;
use super::play::Play;
use super::shape::unknown;
use crate::limits::OPS_PER_LOOK_MAX;
use crate::machine::program::{EVENT_PREVENTED, ITEM, NONE, SEAT, STEPS, Ty, VERDICT};
use crate::machine::state::{EventData, Question, Status, Verdict};
use crate::machine::{Eval, Scratch};

impl Play {
    /// The events of a line: `Type`, `Type status`, or an object with type, status, causedBy (the type of the
    /// event that caused it, or null) and payload.
    pub(super) fn compare(&self, expected: &[Json]) -> Result<(), Wrong> {
        let told: Vec<Json> = self.log.iter().map(|(ev, status)| self.event(ev, *status)).collect();
        let short = |event: &Json| {
            format!("{} {}", event["type"].as_str().unwrap_or("?"), event["status"].as_str().unwrap_or("?"))
        };
        let all = || Json::Array(told.iter().map(|event| json!(short(event))).collect());
        for (n, want) in expected.iter().enumerate() {
            let Some(got) = told.get(n) else {
                return Err(Wrong::not("nothing more happened", want, &all()).inside(n));
            };
            let fits = match want.as_str() {
                Some(text) if text.contains(' ') => short(got) == text,
                Some(text) => got["type"] == text && got["status"] == "applied",
                None => subset(want, got),
            };
            if !fits {
                let mut wrong = Wrong::not("another event happened", want, got).inside(n);
                wrong.what = format!("another event happened; all of them: {}", all());
                return Err(wrong);
            }
        }
        if told.len() > expected.len() {
            let rest = Json::Array(told[expected.len()..].iter().map(|event| json!(short(event))).collect());
            return Err(Wrong::not("events that nobody expects", &json!([]), &rest));
        }
        Ok(())
    }

    fn event(&self, ev: &EventData, status: Status) -> Json {
        let def = &self.program.events[usize::from(ev.ty)];
        let payload: Map<String, Json> = def
            .fields
            .iter()
            .enumerate()
            .map(|(n, (name, ty))| (name.clone(), self.plain(*ty, ev.args[n])))
            .collect();
        let payload = self.named(ev, payload);
        let cause = self.types.get(&ev.cause).map(|ty| self.program.events[usize::from(*ty)].name.as_str());
        json!({"type": def.name, "status": status.word(), "id": ev.id, "causedBy": cause, "payload": payload})
    }

    /// What the engine's own events say by numbers, by their names: verdicts and types of events.
    fn named(&self, ev: &EventData, mut payload: Map<String, Json>) -> Map<String, Json> {
        if ev.ty == VERDICT {
            let name = Verdict::ALL.iter().find(|verdict| **verdict as i64 == ev.args[1]).map(|v| v.name());
            payload.insert("verdict".to_owned(), json!(name));
        }
        if ev.ty == EVENT_PREVENTED {
            let def = usize::try_from(ev.args[1]).ok().and_then(|n| self.program.events.get(n));
            payload.insert("eventType".to_owned(), json!(def.map(|def| def.name.as_str())));
        }
        payload
    }

    /// A value as a scenario writes it: cards by their kind.
    fn plain(&self, ty: Ty, value: i64) -> Json {
        let state = self.game.inside();
        match ty {
            Ty::Bool => json!(value != 0),
            Ty::Enum(n) => {
                json!(
                    usize::try_from(value)
                        .ok()
                        .and_then(|v| self.program.enums[usize::from(n)].values.get(v))
                )
            }
            Ty::Int | Ty::Any => json!(value),
            _ if value >= ITEM => json!("item"),
            _ if value >= SEAT => json!(value - SEAT),
            _ => {
                let e = usize::try_from(value).ok().filter(|e| *e < state.board.entities.len());
                json!(e.map(|e| self.program.cards[usize::from(state.board.entities[e].def)].name.as_str()))
            }
        }
    }

    /// The table at the end.
    pub(super) fn then(&self, then: &Json) -> Result<(), Wrong> {
        let state = self.game.inside();
        let same = |name: &str, what: &str, now: Json| match then.get(name) {
            Some(wanted) if *wanted != now => Err(Wrong::not(what, wanted, &now).inside(name)),
            _ => Ok(()),
        };
        same("over", "whether the match is over", json!(state.over.is_some()))?;
        same("reason", "why it is over", json!(state.over.as_ref().map(|over| over.reason.as_ref())))?;
        let winners =
            state.over.as_ref().map_or(Vec::new(), |over| over.winners.iter().map(Seat::index).collect());
        same("winners", "the winners", json!(winners))?;
        let stack: Vec<&str> = state
            .stack
            .iter()
            .map(|item| self.program.events[usize::from(item.ev.ty)].name.as_str())
            .collect();
        same("stack", "what waits on the stack", json!(stack))?;
        let step = self.program.enums[usize::from(STEPS)].values.get(usize::from(state.board.step));
        same("step", "the step", json!(step))?;
        same("broken", "the invariant that does not hold", json!(state.broken))?;
        if let Some(asked) = then.get("asked") {
            self.asked(asked).map_err(|wrong| wrong.inside("asked"))?;
        }
        for (name, wanted) in then["vars"].as_object().into_iter().flatten() {
            let now = self.variable(name).map_err(|wrong| wrong.inside(name).inside("vars"))?;
            if now != *wanted {
                return Err(Wrong::not(format!("{name} is another"), wanted, &now)
                    .inside(name)
                    .inside("vars"));
            }
        }
        for (name, wanted) in then["zones"].as_object().into_iter().flatten() {
            let now = self.zone(name).map_err(|wrong| wrong.inside(name).inside("zones"))?;
            let ordered = self.program.zones.iter().any(|zone| zone.name == *name && zone.ordered);
            if now != *wanted && (ordered || sorted(&now) != sorted(wanted)) {
                let wrong = Wrong::not(format!("other cards lie in {name}"), wanted, &now);
                return Err(wrong.inside(name).inside("zones"));
            }
        }
        for (card, wanted) in then["cards"].as_object().into_iter().flatten() {
            self.card(card, wanted).map_err(|wrong| wrong.inside(card).inside("cards"))?;
        }
        Ok(())
    }

    /// Who is asked: a seat, a list of all of them, or `{seat, ask}`; null for nobody.
    fn asked(&self, wanted: &Json) -> Result<(), Wrong> {
        let open = self.game.inside().open.as_ref();
        let seat = open.and_then(|open| open.seats.lowest()).map(Seat::index);
        let ask = open.map(|open| match open.what {
            Question::Ask(ask) => self.program.asks[usize::from(ask)].id.as_str(),
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
        let value = |n: usize| self.plain(var.ty, state.board.vars[usize::from(var.base) + n]);
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
        let list = |instance: usize| -> Json {
            let kinds = state.board.zones[instance].iter();
            kinds
                .map(|ent| {
                    json!(self.program.cards[usize::from(state.board.entities[usize::from(*ent)].def)].name)
                })
                .collect()
        };
        let base = usize::from(zone.base);
        let seats = usize::from(state.board.seats);
        Ok(if zone.per_player { (0..seats).map(|n| list(base + n)).collect() } else { list(base) })
    }

    /// Attributes and counters of the first card of a kind.
    fn card(&self, kind: &str, wanted: &Json) -> Result<(), Wrong> {
        let state = self.game.inside();
        let found =
            state.board.entities.iter().position(|ent| self.program.cards[usize::from(ent.def)].name == kind);
        let Some(ent) = found else { return Err(Wrong::new(format!("there is no {kind} in the match"))) };
        let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
        let eval = Eval::outside(&self.program, state, NONE, NONE);
        for (name, value) in wanted.as_object().into_iter().flatten() {
            let now = if let Some(attr) = self.program.attrs.iter().position(|attr| attr.name == *name) {
                self.plain(self.program.attrs[attr].ty, eval.attr(&mut scratch, ent as i64, attr as u16))
            } else if let Some(kind) = self.program.counters.iter().position(|(counter, _)| counter == name) {
                json!(state.board.counters[ent * self.program.counters.len() + kind])
            } else {
                let attrs = self.program.attrs.iter().map(|attr| attr.name.as_str());
                let counters = self.program.counters.iter().map(|(name, _)| name.as_str());
                return Err(unknown("attribute or counter", name, attrs.chain(counters)).inside(name));
            };
            if now != *value {
                return Err(Wrong::not(format!("{name} of {kind} is another"), value, &now).inside(name));
            }
        }
        Ok(())
    }
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
