//! Scenarios: given a table, a script of what is said, then what must have come of it.
//!
//! A scenario is strict: every event of a step is listed in its order, a line that cannot be played fails, a line that is
//! left over fails, and a question that nobody has an answer for fails when the script says that nothing is asked.
//!
//! ```json
//! {"name": "…", "cites": ["001-20"], "settings": {}, "seed": "text",
//!  "given": {"step": "main", "zones": {"battlefield": [["bear"], ["scholar"]]}, "vars": {"mana": [3, 3]}},
//!  "script": [
//!    {"seat": 0, "act": "attack", "targets": {"attacker": "bear", "defender": "scholar"}, "events": ["Attack pending"]},
//!    {"seat": 0, "say": "Pass"}, {"elapse": true}],
//!  "then": {"asked": 1, "vars": {"life": [12, 12]}, "zones": {"hand": [[], ["bear"]]}, "over": false}}
//! ```

use std::sync::Arc;

use parlor_core::{AskId, Hosted, Json, Luck, Seat};
use serde_json::json;

use crate::program::{NONE, Program, SEAT, Ty};
use crate::table::{Table, entry, request};
use crate::vm::board::Delta;
use crate::vm::state::{EventData, Sink, Status, Vm};

/// What a scenario did.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Lines played.
    pub lines: usize,
    /// Events compared.
    pub events: usize,
}

/// Plays a scenario.
///
/// # Errors
/// The first thing that is not as it says, with the line.
pub fn run(p: &Arc<Program>, scenario: &Json) -> Result<Report, String> {
    let name = scenario["name"].as_str().unwrap_or("a scenario");
    let mut play = Play::start(p, scenario).map_err(|why| format!("{name}: given: {why}"))?;
    let mut report = Report::default();
    for (n, line) in scenario["script"].as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
        let at = |why: String| format!("{name}: line {n} {line}: {why}");
        play.log.clear();
        play.line(line).map_err(at)?;
        report.lines += 1;
        if let Some(events) = line["events"].as_array() {
            play.compare(events).map_err(at)?;
            report.events += events.len();
        }
    }
    play.then(&scenario["then"]).map_err(|why| format!("{name}: then: {why}"))?;
    Ok(report)
}

struct Play {
    p: Arc<Program>,
    table: Table,
    luck: Luck,
    log: Vec<(EventData, Status)>,
    deltas: Vec<Delta>,
}

impl Play {
    fn start(p: &Arc<Program>, scenario: &Json) -> Result<Self, String> {
        let config = entry::settings(p, &scenario["settings"]).map_err(|refusal| refusal.to_string())?;
        let seats = scenario["seats"].as_u64().unwrap_or(p.seats.0.into()) as u8;
        if !(p.seats.0..=p.seats.1).contains(&seats) {
            return Err(format!("{seats} cannot play this"));
        }
        let seed = blake3::hash(scenario["seed"].as_str().unwrap_or("scenario").as_bytes());
        let mut luck = Luck::fast(u64::from_le_bytes(seed.as_bytes()[..8].try_into().unwrap_or_default()));
        let (mut log, mut deltas) = (Vec::new(), Vec::new());
        let mut wrong = None;
        let mut out = Sink { told: None, deltas: Some(&mut deltas), log: Some(&mut log) };
        let table = Table::start_with(p.clone(), config, seats, &mut luck, &mut out, |vm| {
            wrong = given(vm, &scenario["given"]).err();
        });
        if let Some(why) = wrong {
            return Err(why);
        }
        let mut play = Self { p: p.clone(), table, luck, log, deltas };
        if let Some(step) = scenario["given"]["step"].as_str() {
            play.pass_to(step)?;
        }
        Ok(play)
    }

    /// Everybody passes until the step is reached.
    fn pass_to(&mut self, step: &str) -> Result<(), String> {
        let steps = &self.p.enums[usize::from(crate::program::STEPS)].values;
        let Some(wanted) = steps.iter().position(|other| other == step) else {
            return Err(format!("there is no step {step}"));
        };
        for _ in 0..100 {
            if usize::from(self.table.inside().board.step) == wanted {
                return Ok(());
            }
            let Some(seat) = self.table.inside().open.as_ref().and_then(|open| open.seats.lowest()) else {
                break;
            };
            self.say(seat, &json!({"title": "Act or pass", "selection": [request::PASS]}))?;
        }
        Err(format!("the step {step} is never reached"))
    }

    fn sink<'a>(log: &'a mut Vec<(EventData, Status)>, deltas: &'a mut Vec<Delta>) -> Sink<'a> {
        Sink { told: None, deltas: Some(deltas), log: Some(log) }
    }

    fn say(&mut self, seat: Seat, answer: &Json) -> Result<(), String> {
        let Some(open) = self.table.inside().open.clone() else { return Err("nothing is asked".to_owned()) };
        if !open.seats.has(seat) {
            return Err(format!("{seat:?} is not asked; {:?} is", open.seats));
        }
        let said = self.table.read(seat, AskId(open.id), answer).map_err(|refusal| refusal.to_string())?;
        self.table.say(seat, false, said, &mut self.luck, &mut Self::sink(&mut self.log, &mut self.deltas));
        Ok(())
    }

    fn line(&mut self, line: &Json) -> Result<(), String> {
        if line["elapse"] == true {
            if self.table.inside().open.is_none() {
                return Err("nothing stands".to_owned());
            }
            self.table.elapse(&mut self.luck, &mut Self::sink(&mut self.log, &mut self.deltas));
            return Ok(());
        }
        let n = line["seat"].as_u64().unwrap_or(0) as u8;
        if n >= self.table.inside().board.seats {
            return Err("there is no such seat".to_owned());
        }
        let seat = Seat::new(n);
        let title = self.table.request(seat, AskId(0)).title;
        let answer = if let Some(action) = line["act"].as_str() {
            let targets = if line["targets"].is_null() { json!({}) } else { line["targets"].clone() };
            json!({"title": title, "selection": {"action": action, "targets": targets}})
        } else {
            let list = match &line["say"] {
                Json::Array(items) => items.clone(),
                Json::Null => return Err("the line says nothing: act, say or elapse".to_owned()),
                one => vec![one.clone()],
            };
            json!({"title": title, "selection": list})
        };
        let before = self.table.state();
        match (self.say(seat, &answer), line["refused"].as_str()) {
            (Ok(()), None) => Ok(()),
            (Ok(()), Some(_)) => Err("it was taken, and should have been refused".to_owned()),
            (Err(why), None) => Err(why),
            (Err(why), Some(text)) if why.contains(text) => {
                if self.table.state() == before {
                    Ok(())
                } else {
                    Err("a refusal changed something".to_owned())
                }
            }
            (Err(why), Some(text)) => Err(format!("it was refused with '{why}', not with '{text}'")),
        }
    }

    /// An event in a line: `Type`, `Type status`, or an object with type, status, causedBy and payload.
    fn compare(&self, expected: &[Json]) -> Result<(), String> {
        let told: Vec<Json> = self.log.iter().map(|(ev, status)| self.event(ev, *status)).collect();
        let short = |event: &Json| {
            format!("{} {}", event["type"].as_str().unwrap_or("?"), event["status"].as_str().unwrap_or("?"))
        };
        let all: Vec<String> = told.iter().map(short).collect();
        for (n, want) in expected.iter().enumerate() {
            let Some(got) = told.get(n) else {
                return Err(format!("event {n} should be {want}, and there is none; all: {all:?}"));
            };
            let fits = match want.as_str() {
                Some(text) if text.contains(' ') => short(got) == text,
                Some(text) => got["type"] == text && got["status"] == "applied",
                None => subset(want, got),
            };
            if !fits {
                return Err(format!("event {n} should be {want}, and is {got}; all: {all:?}"));
            }
        }
        if told.len() > expected.len() {
            return Err(format!("events that nobody expects: {:?}", &all[expected.len()..]));
        }
        Ok(())
    }

    fn event(&self, ev: &EventData, status: Status) -> Json {
        let def = &self.p.events[usize::from(ev.ty)];
        let payload: serde_json::Map<String, Json> = def
            .fields
            .iter()
            .enumerate()
            .map(|(n, (name, ty))| (name.clone(), self.plain(*ty, ev.args[n])))
            .collect();
        json!({"type": def.name, "status": status.word(), "id": ev.id, "causedBy": ev.cause, "payload": payload})
    }

    /// A value as a scenario writes it: cards by their kind.
    fn plain(&self, ty: Ty, value: i64) -> Json {
        let s = self.table.inside();
        match ty {
            Ty::Bool => json!(value != 0),
            Ty::Enum(n) => {
                json!(usize::try_from(value).ok().and_then(|v| self.p.enums[usize::from(n)].values.get(v)))
            }
            Ty::Int | Ty::Any => json!(value),
            _ if value >= crate::program::ITEM => json!("item"),
            _ if value >= SEAT => json!(value - SEAT),
            _ => {
                let ent = usize::try_from(value).ok().filter(|e| *e < s.board.def.len());
                json!(ent.map(|e| self.p.cards[usize::from(s.board.def[e])].name.as_str()))
            }
        }
    }

    fn then(&mut self, then: &Json) -> Result<(), String> {
        let s = self.table.inside();
        if let Some(over) = then["over"].as_bool()
            && s.over.is_some() != over
        {
            return Err(format!("over is {}", s.over.is_some()));
        }
        if let Some(asked) = then.get("asked") {
            let seat = s.open.as_ref().and_then(|open| open.seats.lowest()).map(Seat::index);
            if json!(seat) != *asked {
                return Err(format!("seat {seat:?} is asked, not {asked}"));
            }
        }
        if let Some(winners) = then["winners"].as_array() {
            let won: Vec<Json> =
                s.over.as_ref().map_or(Vec::new(), |over| over.winners.iter().map(|s| json!(s)).collect());
            if won != *winners {
                return Err(format!("the winners are {won:?}"));
            }
        }
        for (name, wanted) in then["vars"].as_object().into_iter().flatten() {
            let Some(var) = self.p.vars.iter().find(|var| var.name == *name) else {
                return Err(format!("there is no variable {name}"));
            };
            let value = |n: usize| self.plain(var.ty, s.board.vars[usize::from(var.base) + n]);
            let now = if var.per_team {
                Json::Array((0..self.p.team_names.len()).map(value).collect())
            } else if var.per_player {
                Json::Array((0..usize::from(s.board.seats)).map(value).collect())
            } else {
                value(0)
            };
            if now != *wanted {
                return Err(format!("{name} is {now}, not {wanted}"));
            }
        }
        for (name, wanted) in then["zones"].as_object().into_iter().flatten() {
            let now = self.zone(name)?;
            if now != *wanted {
                return Err(format!("{name} has {now}, not {wanted}"));
            }
        }
        for (card, wanted) in then["cards"].as_object().into_iter().flatten() {
            self.card(card, wanted)?;
        }
        Ok(())
    }

    fn zone(&self, name: &str) -> Result<Json, String> {
        let s = self.table.inside();
        let Some(zone) = self.p.zones.iter().find(|zone| zone.name == name) else {
            return Err(format!("there is no zone {name}"));
        };
        let list = |instance: usize| -> Json {
            let kinds = s.board.zones[instance]
                .iter()
                .map(|ent| json!(self.p.cards[usize::from(s.board.def[usize::from(*ent)])].name));
            Json::Array(kinds.collect())
        };
        let base = usize::from(zone.base);
        Ok(if zone.per_player {
            Json::Array((0..usize::from(s.board.seats)).map(|n| list(base + n)).collect())
        } else {
            list(base)
        })
    }

    /// Attributes of the first card of a kind.
    fn card(&self, kind: &str, wanted: &Json) -> Result<(), String> {
        let s = self.table.inside();
        let found = s.board.def.iter().position(|def| self.p.cards[usize::from(*def)].name == kind);
        let Some(ent) = found else { return Err(format!("there is no {kind}")) };
        let mut x = crate::vm::Scratch::new(crate::limits::OPS_PER_LOOK_MAX);
        let eval = crate::vm::Eval::outside(&self.p, s, NONE, NONE);
        for (name, value) in wanted.as_object().into_iter().flatten() {
            let now = if let Some(attr) = self.p.attrs.iter().position(|attr| attr.name == *name) {
                self.plain(self.p.attrs[attr].ty, eval.attr(&mut x, ent as i64, attr as u16))
            } else if let Some(kind) = self.p.counters.iter().position(|(counter, _)| counter == name) {
                json!(s.board.counters[ent * self.p.counters.len() + kind])
            } else {
                return Err(format!("there is no attribute or counter {name}"));
            };
            if now != *value {
                return Err(format!("{name} of {kind} is {now}, not {value}"));
            }
        }
        Ok(())
    }
}

/// Lays the table that a scenario gives.
///
/// # Errors
/// A zone, card or variable that is not there.
pub fn given(vm: &mut Vm<'_, '_>, given: &Json) -> Result<(), String> {
    for (name, lists) in given["zones"].as_object().into_iter().flatten() {
        let Some(zone) = vm.p.zones.iter().position(|zone| zone.name == *name) else {
            return Err(format!("there is no zone {name}"));
        };
        let def = &vm.p.zones[zone];
        let (base, per_player) = (def.base, def.per_player);
        let lists: Vec<Json> =
            if per_player { lists.as_array().cloned().unwrap_or_default() } else { vec![lists.clone()] };
        let places = if per_player { usize::from(vm.s.board.seats) } else { 1 };
        for (seat, list) in lists.iter().enumerate().take(places) {
            for card in list.as_array().map_or(&[][..], Vec::as_slice) {
                let kind = vm.p.cards.iter().position(|def| Some(def.name.as_str()) == card.as_str());
                let Some(kind) = kind else { return Err(format!("there is no card {card}")) };
                let (handle, since) = (vm.handle(), vm.order());
                let instance = base + if per_player { seat as u16 } else { 0 };
                let owner = if per_player { seat as u8 } else { crate::vm::board::NOBODY };
                let ent = vm.s.board.def.len() as u16;
                vm.change(Delta::Create(kind as u16, instance, owner, handle, since));
                let sees = vm.sees(instance);
                vm.show(ent, sees);
            }
        }
    }
    for (name, values) in given["vars"].as_object().into_iter().flatten() {
        let Some(var) = vm.p.vars.iter().find(|var| var.name == *name) else {
            return Err(format!("there is no variable {name}"));
        };
        let base = var.base;
        let places = match (var.per_player, var.per_team) {
            (true, _) => usize::from(vm.s.board.seats),
            (false, true) => vm.p.team_names.len(),
            (false, false) => 1,
        };
        let values = values.as_array().cloned().unwrap_or_else(|| vec![values.clone()]);
        for (n, value) in values.iter().enumerate().take(places) {
            vm.change(Delta::Var(base + n as u16, value.as_i64().unwrap_or(0)));
        }
    }
    Ok(())
}

fn subset(want: &Json, got: &Json) -> bool {
    match (want, got) {
        (Json::Object(want), Json::Object(got)) => {
            want.iter().all(|(name, value)| got.get(name).is_some_and(|other| subset(value, other)))
        }
        _ => want == got,
    }
}
