//! Reasons: why something cannot be chosen that a player might think of.
//!
//! Reasons are looked for one by one and only when somebody looks, with fuel of their own: they never change what is
//! legal, and they name nothing that the seat does not know.

use std::ops::ControlFlow;

use parlor_core::{Fault, Seat, Viewer};

use super::expr_text::Words;
use crate::limits::WHY_NOT_MAX;
use crate::machine::eval::{Eval, Scratch};
use crate::machine::ids::{EntityId, TextId, ZoneId};
use crate::machine::program::{ActionDef, Expr, ExprId, Program, See, Sel, SelId, Source, Ty, Who};
use crate::machine::stack::window::{Acting, Spec};
use crate::machine::state::State;
use crate::machine::value::{item_value, seat_value};

/// A thing, and why it cannot be chosen; nothing where it can.
pub(crate) type Weighed = (i64, Option<Fault>);

/// A look for reasons, for one seat.
#[derive(Clone, Copy)]
pub(crate) struct Why<'a> {
    /// The rules.
    pub program: &'a Program,
    /// The state.
    pub state: &'a State,
    /// Who asks.
    pub seat: Seat,
}

impl<'a> Why<'a> {
    fn acting(&self) -> Acting<'a> {
        Acting { program: self.program, state: self.state, seat: self.seat.index() as u8 }
    }

    /// Whether the seat may be told anything of this card.
    fn knows(&self, ent: EntityId) -> bool {
        self.state.board.entities[ent].known.sees(Viewer::Seat(self.seat))
    }

    /// The options of a question, and beside them what was not selected, each with its reason.
    #[must_use]
    pub(crate) fn picks(&self, scratch: &mut Scratch, sel: SelId, legal: &[i64]) -> Vec<Weighed> {
        let mut seen = Vec::new();
        self.selection(Eval::of(self.program, self.state), scratch, sel, &[], &mut seen);
        let other = |_: &mut Scratch, _: i64| Some(not_now());
        self.beside(scratch, legal, seen, other)
    }

    /// The options of the next target of an action, and beside them what cannot be chosen, each with its reason.
    #[must_use]
    pub(crate) fn targets(
        &self,
        scratch: &mut Scratch,
        def: &ActionDef,
        targets: &[i64],
        legal: &[i64],
    ) -> Vec<Weighed> {
        let names = self.names(def, targets);
        let mut seen = Vec::new();
        match self.acting().spec(def, targets) {
            Spec::Done => {}
            Spec::Named(list, _) => seen.extend(list.into_iter().map(|(n, _)| (n, None))),
            Spec::From(target, skip) => {
                let eval = self.acting().eval_short(targets);
                let eval = Eval { locals: &targets[skip.min(targets.len())..], ..eval };
                self.selection(eval, scratch, target.from, names.get(skip..).unwrap_or(&[]), &mut seen);
            }
        }
        let mut longer = targets.to_vec();
        self.beside(scratch, legal, seen, |scratch, value| {
            longer.truncate(targets.len());
            longer.push(value);
            Some(self.incomplete(scratch, def, &longer))
        })
    }

    /// What is legal, in its order, then the rest: the reason found in the selection, or the one that `other` finds.
    fn beside(
        &self,
        scratch: &mut Scratch,
        legal: &[i64],
        seen: Vec<Weighed>,
        mut other: impl FnMut(&mut Scratch, i64) -> Option<Fault>,
    ) -> Vec<Weighed> {
        let mut all: Vec<Weighed> = legal.iter().map(|value| (*value, None)).collect();
        for (value, fault) in seen {
            if scratch.fuel == 0 || all.len() >= legal.len() + WHY_NOT_MAX {
                break;
            }
            if all.iter().any(|(there, _)| *there == value) {
                continue;
            }
            let fault = fault.or_else(|| other(scratch, value));
            // A look that ended for want of fuel has found nothing.
            if scratch.fuel > 0 {
                all.push((value, fault));
            }
        }
        all
    }

    /// Why an action cannot be begun at all; nothing where it can.
    #[must_use]
    pub(crate) fn action(&self, scratch: &mut Scratch, def: &ActionDef) -> Option<Fault> {
        if self.acting().completable(scratch, def, &[]) {
            return None;
        }
        let found = self.incomplete(scratch, def, &[]);
        // A look that ended for want of fuel has found nothing.
        Some(if scratch.fuel > 0 { found } else { not_now() })
    }

    /// Why an action with these targets cannot be completed.
    fn incomplete(&self, scratch: &mut Scratch, def: &ActionDef, targets: &[i64]) -> Fault {
        let acting = self.acting();
        let eval = acting.eval_short(targets);
        let names = self.names(def, targets);
        for (need, when) in &def.when {
            if usize::from(*need) <= targets.len() && !eval.holds(scratch, *when) {
                return self.reason(eval, scratch, *when, &names, None);
            }
        }
        if let Some(ability) = acting.ability(def, targets) {
            let rest = (def.targets.len() + 1).min(targets.len());
            let eval = Eval { locals: &targets[rest..], ..eval };
            for (need, when) in &ability.when {
                if usize::from(*need) <= targets.len() - rest && !eval.holds(scratch, *when) {
                    return self.reason(eval, scratch, *when, &names[rest..], None);
                }
            }
        }
        if let Some(fault) = self.unaffordable(scratch, def, targets) {
            return fault;
        }
        match acting.spec(def, targets) {
            Spec::Done => not_now(),
            next => self.same_for_all(scratch, def, targets).unwrap_or_else(|| {
                Fault::new("no_target", "there is no {target} that can be chosen").arg("target", next.name())
            }),
        }
    }

    /// The reason of the first candidate for the next target, where nothing more can be said of the others.
    fn same_for_all(&self, scratch: &mut Scratch, def: &ActionDef, targets: &[i64]) -> Option<Fault> {
        let all = self.acting().candidates_of(scratch, def, targets)?;
        let mut longer = targets.to_vec();
        let mut first: Option<Fault> = None;
        for value in all.into_iter().take(16) {
            longer.truncate(targets.len());
            longer.push(value);
            let fault = self.unaffordable(scratch, def, &longer)?;
            match &first {
                None => first = Some(fault),
                Some(known) if known.code == fault.code => {}
                Some(_) => return None,
            }
        }
        first
    }

    /// What is missing where an action with these targets costs more than there is.
    fn unaffordable(&self, scratch: &mut Scratch, def: &ActionDef, targets: &[i64]) -> Option<Fault> {
        let mut due = Vec::new();
        if !self.acting().add_costs(scratch, def, targets, 0, &mut due) {
            return None;
        }
        let (slot, amount) = due.into_iter().find(|(slot, amount)| self.state.board.vars[*slot] < *amount)?;
        let var = self.program.vars.iter().rfind(|var| var.base <= slot)?;
        let fault = Fault::new("unaffordable", "costs {cost} {resource}, and there is {have}");
        let have = self.state.board.vars[slot];
        Some(fault.arg("cost", amount).arg("resource", var.name.as_str()).arg("have", have))
    }

    /// The names of the targets that are bound, in their order.
    fn names(&self, def: &ActionDef, targets: &[i64]) -> Vec<String> {
        (0..targets.len()).map(|n| self.acting().spec(def, &targets[..n]).name().to_owned()).collect()
    }

    /// Everything that a selection is taken from, each with why it is not selected.
    fn selection(
        &self,
        eval: Eval<'_>,
        scratch: &mut Scratch,
        id: SelId,
        names: &[String],
        out: &mut Vec<Weighed>,
    ) {
        let sel = &self.program.sels[id];
        let start = out.len();
        match &sel.source {
            Source::Zones(zones, who) => self.zones(eval, scratch, zones, *who, out),
            Source::Seats(who) => {
                let theirs = eval.seat_bits(scratch, *who);
                out.extend(
                    (0..self.state.board.seats)
                        .map(|n| (seat_value(usize::from(n)), self.whose(theirs, n, *who))),
                );
            }
            Source::Items(who) => {
                let theirs = eval.seat_bits(scratch, *who);
                for item in self.state.stack.iter().rev() {
                    let by = State::seat(item.you).map_or(u8::MAX, |seat| seat.index() as u8);
                    out.push((item_value(item.order), self.whose(theirs, by, *who)));
                }
            }
            Source::Union(parts) => {
                for part in parts {
                    self.selection(eval, scratch, *part, names, out);
                }
            }
            // Numbers, values and cells are many: those that cannot be had are listed where the author has a word for it.
            Source::Consts(_) | Source::Range(..) | Source::Cells(..)
                if sel.why.is_some() || sel.prefer.iter().any(|prefer| prefer.why.is_some()) =>
            {
                let bare = Sel { keep: None, ..sel.clone() };
                let _ = eval.walk_source(scratch, &bare, &mut |_, value| {
                    out.push((value, None));
                    ControlFlow::Continue(())
                });
            }
            _ => {
                let mut list = scratch.list();
                eval.list(scratch, id, &mut list);
                out.extend(list.drain(..).map(|value| (value, None)));
                scratch.give(list);
                return;
            }
        }
        self.keep(eval, scratch, id, names, out, start);
        self.prefer(eval, scratch, id, names, out, start);
        self.distinct(eval, scratch, id, out, start);
    }

    /// Of those with the same key one stands for all: the first that can be had, or the first.
    fn distinct(
        &self,
        eval: Eval<'_>,
        scratch: &mut Scratch,
        id: SelId,
        out: &mut Vec<Weighed>,
        start: usize,
    ) {
        let sel = &self.program.sels[id];
        let Some(key) = sel.distinct else { return };
        let before = scratch.its[usize::from(sel.it)];
        let mut keyed = Vec::new();
        for (value, fault) in out.split_off(start) {
            scratch.its[usize::from(sel.it)] = value;
            keyed.push((eval.value(scratch, key), value, fault));
        }
        scratch.its[usize::from(sel.it)] = before;
        let had: Vec<i64> =
            keyed.iter().filter(|(.., fault)| fault.is_none()).map(|(key, ..)| *key).collect();
        let mut seen = Vec::new();
        for (key, value, fault) in keyed {
            if !seen.contains(&key) && (fault.is_none() || !had.contains(&key)) {
                seen.push(key);
                out.push((value, fault));
            }
        }
    }

    fn zones(
        &self,
        eval: Eval<'_>,
        scratch: &mut Scratch,
        zones: &[ZoneId],
        who: Who,
        out: &mut Vec<Weighed>,
    ) {
        let theirs = eval.seat_bits(scratch, who);
        for zone in zones {
            let def = &self.program.zones[*zone];
            let places = if def.per_player { self.state.board.seats } else { 1 };
            for n in 0..places {
                let fault = if def.per_player { self.whose(theirs, n, who) } else { None };
                // Nobody thinks of what lies in another's hand, even where he has seen it.
                if fault.is_some() && def.see != See::All {
                    continue;
                }
                let cards = &self.state.board.zones[def.base.of(n.into())];
                let known = cards.iter().filter(|ent| self.knows(**ent));
                out.extend(known.map(|ent| (ent.value(), fault.clone())));
            }
        }
    }

    fn whose(&self, theirs: u16, seat: u8, who: Who) -> Option<Fault> {
        if seat < 16 && theirs & 1 << seat != 0 {
            return None;
        }
        let mine = usize::from(seat) == self.seat.index();
        let of_you = |expr: ExprId| self.program.exprs[expr] == Expr::You;
        Some(match who {
            Who::One(expr) if of_you(expr) => Fault::new("controller", "it is not yours"),
            Who::Others(expr) if of_you(expr) && mine => Fault::new("controller", "it is your own"),
            _ => Fault::new("controller", "it is another player's"),
        })
    }

    /// What does not fit the `where`. What never could, by what is printed on it, is not even thought of.
    fn keep(
        &self,
        eval: Eval<'_>,
        scratch: &mut Scratch,
        id: SelId,
        names: &[String],
        out: &mut Vec<Weighed>,
        start: usize,
    ) {
        let sel = &self.program.sels[id];
        let Some(keep) = sel.keep else { return };
        let rest = out.split_off(start);
        for (value, fault) in rest {
            let before = std::mem::replace(&mut scratch.its[usize::from(sel.it)], value);
            if eval.holds(scratch, keep) {
                out.push((value, fault));
            } else if !self.never(eval, scratch, keep) {
                let why = fault.unwrap_or_else(|| match sel.why {
                    Some(text) => self.told(text),
                    None => self.reason(eval, scratch, keep, names, Some(sel.it)),
                });
                out.push((value, Some(why)));
            }
            scratch.its[usize::from(sel.it)] = before;
        }
    }

    fn prefer(
        &self,
        eval: Eval<'_>,
        scratch: &mut Scratch,
        id: SelId,
        names: &[String],
        out: &mut [Weighed],
        start: usize,
    ) {
        let sel = &self.program.sels[id];
        let it = usize::from(sel.it);
        for prefer in &sel.prefer {
            if prefer.when.is_some_and(|when| !eval.holds(scratch, when)) {
                continue;
            }
            let before = scratch.its[it];
            let fits: Vec<bool> = out[start..]
                .iter()
                .map(|(value, fault)| {
                    scratch.its[it] = *value;
                    fault.is_none() && eval.holds(scratch, prefer.keep)
                })
                .collect();
            scratch.its[it] = before;
            if !fits.contains(&true) {
                continue;
            }
            let words = Words { program: self.program, locals: names, it: Some(sel.it) };
            for ((_, fault), fits) in out[start..].iter_mut().zip(fits) {
                if fault.is_none() && !fits {
                    *fault = Some(match prefer.why {
                        Some(text) => self.told(text),
                        None => match words.said(prefer.keep) {
                            Some(what) => {
                                Fault::new("prefer", "there is one for which {what}").arg("what", what)
                            }
                            None => Fault::new("prefer", "there is another that must be chosen first"),
                        },
                    });
                }
            }
            return;
        }
    }

    /// The author's own words.
    fn told(&self, text: TextId) -> Fault {
        Fault::new("rule", "{text}").arg("text", self.program.texts[text].as_str())
    }

    /// Whether a part of a condition that is not met speaks of nothing but what is printed.
    fn never(&self, eval: Eval<'_>, scratch: &mut Scratch, expr: ExprId) -> bool {
        match self.program.exprs[expr] {
            Expr::And(a, b) => self.never(eval, scratch, a) || self.never(eval, scratch, b),
            Expr::ItAttrEq(..) => !eval.holds(scratch, expr),
            _ => false,
        }
    }

    /// Why a condition does not hold: the first part of it that does not.
    fn reason(
        &self,
        eval: Eval<'_>,
        scratch: &mut Scratch,
        expr: ExprId,
        names: &[String],
        it: Option<u8>,
    ) -> Fault {
        let words = Words { program: self.program, locals: names, it };
        let of = |id: ExprId| words.expr(id);
        match of(expr) {
            Expr::And(a, b) => {
                let part = if eval.holds(scratch, a) { b } else { a };
                self.reason(eval, scratch, part, names, it)
            }
            Expr::Eq(a, b) => match (of(a), of(b)) {
                (Expr::Step, Expr::Const(step)) => Fault::new("step", "only in the step {step}")
                    .arg("step", words.constant(step, Some(Ty::Enum(crate::machine::program::STEPS)))),
                (Expr::Phase, Expr::Const(phase)) => Fault::new("phase", "only in the phase {phase}")
                    .arg("phase", words.constant(phase, Some(Ty::Enum(crate::machine::program::PHASES)))),
                (Expr::Active, Expr::You) => Fault::new("turn", "it is not your turn"),
                (Expr::ZoneOf(_), Expr::Const(zone)) => Fault::new("zone", "it is not in {zone}")
                    .arg("zone", words.constant(zone, Some(Ty::Enum(crate::machine::program::ZONES)))),
                _ => needs(&words, expr),
            },
            Expr::StackEmpty => Fault::new("stack", "something waits on the stack"),
            Expr::Not(inner) => match of(inner) {
                Expr::Attr(_, attr) if self.program.attrs[attr].ty == Ty::Bool => {
                    Fault::new("attribute", "it is {attribute}")
                        .arg("attribute", self.program.attrs[attr].name.as_str())
                }
                _ => needs(&words, expr),
            },
            _ => needs(&words, expr),
        }
    }
}

/// What is needed, where there are words for all of it: a reason that reads wrong is worse than none.
fn needs(words: &Words<'_>, expr: ExprId) -> Fault {
    match words.said(expr) {
        Some(what) => Fault::new("needs", "only where {what}").arg("what", what),
        None => not_now(),
    }
}

fn not_now() -> Fault {
    Fault::new("not_now", "it cannot be chosen now")
}
