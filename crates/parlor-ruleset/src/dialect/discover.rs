//! What a seat can do now: the body of `GET /matches/{id}/actions` (R15).
//!
//! Every target of an action is listed with its options. Options of a later target are those that go with the targets
//! before it: with the ones the caller names, else with the first that can be chosen; `given` says which. So the work
//! grows with the number of options and never with their product.

use parlor_core::{Fault, Json, Seat};
use serde_json::{Map, json};

use crate::game::RulesetGame;
use crate::game::expr_text::Words;
use crate::game::price::{Price, price, range, text};
use crate::game::reasons::Why;
use crate::game::request::{named, numbered, referred};
use crate::limits::{OPS_PER_LOOK_MAX, OPS_PER_WHY_MAX, TARGETS_MAX};
use crate::machine::eval::Scratch;
use crate::machine::program::{ActionDef, Expr, ExprId, Program, SelId, Source};
use crate::machine::stack::window::{Acting, Spec};
use crate::machine::state::Question;

/// What can really be done now, and why the rest cannot. `wanted` narrows it: `of` is the thing that was clicked,
/// `action` the name of one action, `targets` what was chosen for it so far.
#[must_use]
pub fn actions(game: &RulesetGame, seat: Seat, wanted: &Json) -> Json {
    let (program, state) = (game.program(), game.inside());
    let mine =
        state.open.as_ref().is_some_and(|open| open.what == Question::Priority && open.seats.has(seat));
    if !mine {
        let fault = match state.over {
            Some(_) => Fault::new("over", "the match is over"),
            None => Fault::new("priority", "it is not for you to act now"),
        };
        return json!({"actions": [], "refused": [], "whyNot": told(&fault)});
    }
    let acting = Acting { program, state, seat: seat.index() as u8 };
    let mut found =
        Found { acting, seat, scratch: Scratch::new(OPS_PER_LOOK_MAX), y: Scratch::new(OPS_PER_WHY_MAX) };
    let (of, only) = (wanted["of"].as_str(), wanted["action"].as_str());
    let (mut can, mut refused) = (Vec::new(), Vec::new());
    for def in program.actions.iter().filter(|def| only.is_none_or(|only| only == def.id)) {
        match found.starts(def, of) {
            Some(Ok(())) => can.push(found.action(def, of, &wanted["targets"])),
            Some(Err(fault)) => refused.push(json!({"id": def.id, "name": def.name, "whyNot": told(&fault)})),
            None => {}
        }
    }
    json!({"actions": can, "refused": refused})
}

/// A reason as the document's clients read it.
fn told(fault: &Fault) -> Json {
    json!({"code": fault.code, "text": fault.to_string(), "args": fault.args})
}

struct Found<'a> {
    acting: Acting<'a>,
    seat: Seat,
    /// For what is legal.
    scratch: Scratch,
    /// For reasons and prices.
    y: Scratch,
}

impl<'a> Found<'a> {
    fn program(&self) -> &'a Program {
        self.acting.program
    }

    fn why(&self) -> Why<'a> {
        Why { program: self.acting.program, state: self.acting.state, seat: self.seat }
    }

    /// Whether an action can be begun, with this thing if one is named; nothing where they have nothing to do with
    /// each other.
    fn starts(&mut self, def: &ActionDef, of: Option<&str>) -> Option<Result<(), Fault>> {
        let why = self.why();
        let Some(id) = of else {
            if self.acting.completable(&mut self.scratch, def, &[]) {
                return Some(Ok(()));
            }
            return why.action(&mut self.y, def).map(Err);
        };
        let legal = self.acting.options(&mut self.scratch, def, &[]);
        let is = |value: i64| named(self.acting.program, self.acting.state, value).1 == id;
        if legal.iter().any(|value| is(*value)) {
            return Some(Ok(()));
        }
        let weighed = why.targets(&mut self.y, def, &[], &legal);
        let found = weighed.into_iter().find(|(value, _)| is(*value));
        found.and_then(|(_, fault)| fault).map(Err)
    }

    fn action(&mut self, def: &ActionDef, of: Option<&str>, given: &Json) -> Json {
        let (program, state) = (self.acting.program, self.acting.state);
        let mut targets = Map::new();
        let mut chosen: Vec<i64> = Vec::new();
        let mut bound = Map::new();
        let mut cost: Option<String> = None;
        while chosen.len() <= TARGETS_MAX {
            let (name, mut entry) = match self.acting.spec(def, &chosen) {
                Spec::Done => break,
                Spec::From(target, skip) => {
                    let least = if target.optional { 0 } else { 1 };
                    let bound = chosen.get(skip..).map_or(0, <[i64]>::len);
                    let entry = json!({
                        "selector": self.zones(target.from), "count": 1, "min": least,
                        "constraints": self.constraints(def, target.from, bound),
                    });
                    (target.name.clone(), entry)
                }
                Spec::Named(_, what) => {
                    let entry = json!({"selector": what, "count": 1, "min": 1, "constraints": []});
                    (what, entry)
                }
            };
            let (options, prices) = self.options(def, &chosen);
            if cost.is_none() && prices.iter().any(|price| !price.is_empty()) {
                cost = range(&prices);
            }
            entry["options"] = Json::Array(options);
            if !bound.is_empty() {
                entry["given"] = Json::Object(bound.clone());
            }
            targets.insert(name.clone(), entry);
            let Some(next) = self.next(def, &chosen, &name, of, given) else { break };
            let id = match self.acting.spec(def, &chosen) {
                Spec::Named(names, _) => {
                    names.into_iter().find(|(n, _)| *n == next).map_or(Json::Null, |(_, name)| json!(name))
                }
                Spec::From(target, _) if target.number => json!(next.to_string()),
                _ => json!(named(program, state, next).1),
            };
            bound.insert(name, id);
            chosen.push(next);
        }
        let cost = cost.or_else(|| text(&price(self.acting, &mut self.y, def, &chosen)));
        let timing = if def.timing == crate::machine::program::Timing::Stack { "stack" } else { "instant" };
        json!({
            "id": def.id,
            "name": def.name,
            "description": def.description,
            "cost": cost,
            "targets": targets,
            "timing": timing,
            "ui": def.ui,
        })
    }

    /// The options of the next target with their costs, those that cannot be had with their reasons; and what the
    /// legal ones cost.
    fn options(&mut self, def: &ActionDef, chosen: &[i64]) -> (Vec<Json>, Vec<Price>) {
        let (program, state) = (self.acting.program, self.acting.state);
        let legal = self.acting.options(&mut self.scratch, def, chosen);
        let weighed = self.why().targets(&mut self.y, def, chosen, &legal);
        let names = match self.acting.spec(def, chosen) {
            Spec::Named(names, _) => names,
            Spec::From(target, _) if target.number => {
                weighed.iter().map(|(value, _)| (*value, value.to_string())).collect()
            }
            _ => Vec::new(),
        };
        let (mut list, mut prices) = (Vec::new(), Vec::new());
        let mut longer = chosen.to_vec();
        for (value, fault) in weighed {
            longer.truncate(chosen.len());
            longer.push(value);
            let price = price(self.acting, &mut self.y, def, &longer);
            let id = names.iter().find(|(n, _)| *n == value).map(|(_, name)| name.clone());
            let mut option = json!({"id": id.unwrap_or_else(|| named(program, state, value).1)});
            if let Some(cost) = text(&price) {
                option["cost"] = json!(cost);
            }
            match fault {
                Some(fault) => option["whyNot"] = told(&fault),
                None => prices.push(price),
            }
            list.push(option);
        }
        (list, prices)
    }

    /// What the targets after this one are looked up with: what the caller chose, the thing that was clicked, or the
    /// first that can be chosen.
    fn next(
        &mut self,
        def: &ActionDef,
        chosen: &[i64],
        name: &str,
        of: Option<&str>,
        given: &Json,
    ) -> Option<i64> {
        let legal = self.acting.options(&mut self.scratch, def, chosen);
        let said = match (given.get(name), of) {
            (Some(said), _) => Some(said.clone()),
            (None, Some(of)) if chosen.is_empty() => Some(json!(of)),
            _ => None,
        };
        if let (Spec::Named(names, _), Some(said)) = (self.acting.spec(def, chosen), &said) {
            let found = names.into_iter().find(|(_, other)| Some(other.as_str()) == said.as_str());
            return found.map(|(n, _)| n).filter(|n| legal.contains(n));
        }
        let number = matches!(self.acting.spec(def, chosen), Spec::From(target, _) if target.number);
        match said {
            Some(said) if number => numbered(&said).filter(|n| legal.contains(n)),
            Some(said) => referred(self.acting.program, self.acting.state, &said, &legal),
            None => legal.first().copied(),
        }
    }

    /// What a target is taken from, by the names of its zones.
    fn zones(&self, sel: SelId) -> Json {
        let program = self.program();
        match &program.sels[sel as usize].source {
            Source::Zones(zones, _) => {
                let names: Vec<&str> =
                    zones.iter().map(|zone| program.zones[usize::from(*zone)].name.as_str()).collect();
                json!(names.join(", "))
            }
            Source::Union(parts) => {
                let names: Vec<String> =
                    parts.iter().filter_map(|part| self.zones(*part).as_str().map(str::to_owned)).collect();
                if names.is_empty() { Json::Null } else { json!(names.join(", ")) }
            }
            Source::Items(_) => json!("stack"),
            Source::Seats(_) => json!("players"),
            Source::Range(..) => json!("number"),
            _ => Json::Null,
        }
    }

    /// What a target must be, in words.
    fn constraints(&self, def: &ActionDef, sel: SelId, bound: usize) -> Vec<String> {
        let mut all = vec!["playable".to_owned()];
        if def.costs.iter().any(|cost| !matches!(cost, crate::machine::program::Cost::Do(_))) {
            all.push("affordable".to_owned());
        }
        let names: Vec<String> = def.targets.iter().take(bound).map(|target| target.name.clone()).collect();
        let sels = &self.program().sels;
        let inner = match &sels[sel as usize].source {
            Source::Union(parts) if sels[sel as usize].keep.is_none() => {
                parts.first().copied().unwrap_or(sel)
            }
            _ => sel,
        };
        let (keep, it) = (sels[inner as usize].keep, sels[inner as usize].it);
        let words = Words { program: self.program(), locals: &names, it: Some(it) };
        if let Some(keep) = keep {
            self.parts(keep, &mut |part| all.extend(words.said(part)));
        }
        all
    }

    fn parts(&self, expr: ExprId, f: &mut dyn FnMut(ExprId)) {
        match self.program().exprs[expr as usize] {
            Expr::And(a, b) => {
                self.parts(a, f);
                self.parts(b, f);
            }
            _ => f(expr),
        }
    }
}
