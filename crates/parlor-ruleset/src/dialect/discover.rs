//! What a seat can do now: the body of `GET /matches/{id}/actions` (R15).
//!
//! Every target of an action is listed with its options. Options of a later target are those that go with the targets
//! before it: with the ones the caller names, else with the first that can be chosen; `given` says which. So the work
//! grows with the number of options and never with their product.

use std::collections::BTreeMap;

use parlor_core::{Fault, Json, Seat};
use parlor_wire::actions::{
    ActionOption, ActionRow, ActionTarget, ActionTiming, Actions, RefusedAction, WhyNot,
};
use serde_json::json;

use crate::game::RulesetGame;
use crate::game::expr_text::Words;
use crate::game::price::{Price, price, range, text};
use crate::game::reasons::Why;
use crate::game::request::{named, numbered, referred};
use crate::limits::{OPS_PER_LOOK_MAX, OPS_PER_WHY_MAX, TARGETS_MAX};
use crate::machine::eval::Scratch;
use crate::machine::program::{ActionDef, Expr, ExprId, Program, SelId, Source, Timing};
use crate::machine::stack::window::{Acting, Spec};
use crate::machine::state::Question;

/// What can really be done now, and why the rest cannot. `wanted` narrows it: `of` is the thing that was clicked,
/// `action` the name of one action, `targets` what was chosen for it so far.
#[must_use]
pub fn actions(game: &RulesetGame, seat: Seat, wanted: &Json) -> Actions {
    let (program, state) = (game.program(), game.inside());
    let mine =
        state.open.as_ref().is_some_and(|open| open.what == Question::Priority && open.seats.has(seat));
    if !mine {
        let fault = match state.over {
            Some(_) => Fault::new("over", "the match is over"),
            None => Fault::new("priority", "it is not for you to act now"),
        };
        return Actions { why_not: Some(fault.into()), ..Actions::default() };
    }
    let acting = Acting { program, state, seat: seat.index() as u8 };
    let mut found =
        Found { acting, seat, scratch: Scratch::new(OPS_PER_LOOK_MAX), y: Scratch::new(OPS_PER_WHY_MAX) };
    let (of, only) = (wanted["of"].as_str(), wanted["action"].as_str());
    let (mut can, mut refused) = (Vec::new(), Vec::new());
    for def in program.actions.iter().filter(|def| only.is_none_or(|only| only == def.id)) {
        match found.starts(def, of) {
            Some(Ok(())) => can.push(found.action(def, of, &wanted["targets"])),
            Some(Err(fault)) => refused.push(RefusedAction {
                id: def.id.clone(),
                name: def.name.clone(),
                why_not: fault.into(),
            }),
            None => {}
        }
    }
    Actions { actions: can, refused, why_not: None }
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

    fn action(&mut self, def: &ActionDef, of: Option<&str>, given: &Json) -> ActionRow {
        let (program, state) = (self.acting.program, self.acting.state);
        let mut targets = BTreeMap::new();
        let mut chosen: Vec<i64> = Vec::new();
        let mut bound = BTreeMap::new();
        let mut cost: Option<String> = None;
        while chosen.len() <= TARGETS_MAX {
            let (name, selector, min, constraints) = match self.acting.spec(def, &chosen) {
                Spec::Done => break,
                Spec::From(target, skip) => {
                    let bound = chosen.get(skip..).map_or(0, <[i64]>::len);
                    let constraints = self.constraints(def, target.from, bound);
                    let min = u16::from(!target.optional);
                    (target.name.clone(), self.zones(target.from), min, constraints)
                }
                Spec::Named(_, what) => (what.clone(), Some(what), 1, Vec::new()),
            };
            let (options, prices) = self.options(def, &chosen);
            if cost.is_none() && prices.iter().any(|price| !price.is_empty()) {
                cost = range(&prices);
            }
            let given_so_far = bound.clone();
            let target = ActionTarget { selector, count: 1, min, constraints, options, given: given_so_far };
            targets.insert(name.clone(), target);
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
        let timing = match def.timing {
            Timing::Stack => ActionTiming::Stack,
            Timing::AtOnce => ActionTiming::AtOnce,
        };
        ActionRow {
            id: def.id.clone(),
            name: def.name.clone(),
            description: def.description.clone(),
            cost,
            targets,
            timing,
            ui: def.ui.clone(),
        }
    }

    /// The options of the next target with their costs, those that cannot be had with their reasons; and what the
    /// legal ones cost.
    fn options(&mut self, def: &ActionDef, chosen: &[i64]) -> (Vec<ActionOption>, Vec<Price>) {
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
            list.push(ActionOption {
                id: id.unwrap_or_else(|| named(program, state, value).1),
                cost: text(&price),
                why_not: fault.clone().map(WhyNot::from),
            });
            if fault.is_none() {
                prices.push(price);
            }
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
    fn zones(&self, sel: SelId) -> Option<String> {
        let program = self.program();
        match &program.sels[sel].source {
            Source::Zones(zones, _) => {
                let names: Vec<&str> = zones.iter().map(|zone| program.zones[*zone].name.as_str()).collect();
                Some(names.join(", "))
            }
            Source::Union(parts) => {
                let names: Vec<String> = parts.iter().filter_map(|part| self.zones(*part)).collect();
                (!names.is_empty()).then(|| names.join(", "))
            }
            Source::Items(_) => Some("stack".to_owned()),
            Source::Seats(_) => Some("players".to_owned()),
            Source::Range(..) => Some("number".to_owned()),
            _ => None,
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
        let inner = match &sels[sel].source {
            Source::Union(parts) if sels[sel].keep.is_none() => parts.first().copied().unwrap_or(sel),
            _ => sel,
        };
        let (keep, it) = (sels[inner].keep, sels[inner].it);
        let words = Words { program: self.program(), locals: &names, it: Some(it) };
        if let Some(keep) = keep {
            self.parts(keep, &mut |part| all.extend(words.said(part)));
        }
        all
    }

    fn parts(&self, expr: ExprId, f: &mut dyn FnMut(ExprId)) {
        match self.program().exprs[expr] {
            Expr::And(a, b) => {
                self.parts(a, f);
                self.parts(b, f);
            }
            _ => f(expr),
        }
    }
}
