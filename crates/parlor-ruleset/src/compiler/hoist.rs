//! What is the same for everything a selection looks at is worked out once for each walk.
//!
//! Looking changes nothing, so a part of a condition that does not speak of `it` has one value all through a walk. Only
//! shapes that are cheap to understand are moved; anything else is left as it is.

use super::Compiler;
use crate::machine::ids::{AttrId, InstanceId};
use crate::machine::program::{AttrKind, Expr, ExprId, Sel, SelId, Source, Test, Who, Whole, With};

impl Compiler<'_> {
    /// Puts cheaper forms in place of common ones, when everything has been looked at.
    pub(super) fn lower(&mut self) {
        for n in 0..self.program.exprs.len() {
            let cheaper = match self.program.exprs[n] {
                Expr::Count(sel) => self.game_zone(sel).map(Expr::ZoneLen),
                Expr::First(sel) => self.game_zone(sel).map(Expr::ZoneFirst),
                Expr::Lt(a, b) => match (self.program.exprs[a], self.program.exprs[b]) {
                    (_, Expr::Const(value)) => Some(Expr::LtConst(a, value)),
                    (Expr::Const(value), _) => Some(Expr::GtConst(b, value)),
                    _ => None,
                },
                _ => None,
            };
            let cheaper = cheaper.unwrap_or(self.program.exprs[n]);
            self.program.exprs[n] = self.short(cheaper).unwrap_or(cheaper);
        }
        // A selection is made after those inside it, so what they came to is known.
        for n in 0..self.program.sels.len() {
            let it = self.program.sels[n].it;
            let test = self.program.sels[n].keep.and_then(|keep| self.test(keep, it, SelId::at(n)));
            self.program.sels[n].test = test;
            self.program.sels[n].whole = self.whole(&self.program.sels[n]);
            self.program.sels[n].runs = self.runs(&self.program.sels[n]);
            for k in 0..self.program.sels[n].prefer.len() {
                let keep = self.program.sels[n].prefer[k].keep;
                self.program.sels[n].prefer[k].test = self.test(keep, it, SelId::at(n));
            }
        }
    }

    /// The short form of an expression whose parts can be read off.
    fn short(&self, expr: Expr) -> Option<Expr> {
        let of = |id: ExprId| self.program.exprs[id];
        Some(match expr {
            Expr::EqConst(a, value) => match of(a) {
                Expr::Var(slot) => Expr::VarEq(a, slot, value),
                Expr::ZoneLen(instance) => Expr::ZoneLenEq(a, instance, value),
                _ => return None,
            },
            Expr::GtConst(a, value) => match of(a) {
                Expr::ZoneLen(instance) => Expr::ZoneLenOver(a, instance, value),
                _ => return None,
            },
            Expr::Attr(e, attr) => {
                let def = &self.program.attrs[attr];
                let printed = def.kind == AttrKind::Printed && !def.layered;
                match of(e) {
                    Expr::Local(n) if printed => Expr::LocalAttr(e, n, attr),
                    Expr::It(depth) if printed => Expr::ItAttr(e, depth, attr),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    /// A condition of a selection as a test of what is printed on cards, where it is no more than that.
    fn test(&self, keep: ExprId, it: u8, sel: SelId) -> Option<Test> {
        match self.program.exprs[keep] {
            Expr::Not(inner) => {
                let test = self.test(inner, it, sel)?;
                Some(Test { not: !test.not, cost: test.cost + 1, ..test })
            }
            Expr::ItAttrEq(depth, attr, value) if depth == it => {
                Some(Test { attr: Some(attr), with: With::Value(value), not: false, cost: 1 })
            }
            Expr::ItAttrIs(depth, attr, with) if depth == it => {
                let once = matches!(self.program.exprs[with], Expr::Once(_, of, _) if of == sel);
                let same = once || self.program.exprs[with].is_at_hand();
                same.then_some(Test { attr: Some(attr), with: With::Same(with), not: false, cost: 2 })
            }
            Expr::Eq(card, kind) => {
                let Expr::Card(of) = self.program.exprs[card] else { return None };
                let Expr::Const(kind) = self.program.exprs[kind] else { return None };
                let same = self.program.exprs[of] == Expr::It(it);
                same.then_some(Test { attr: None, with: With::Value(kind), not: false, cost: 4 })
            }
            _ => None,
        }
    }

    /// The zones that a selection counts, where it counts all that lies in them: those that follow one another are one run.
    fn runs(&self, sel: &Sel) -> Vec<(InstanceId, u16)> {
        let Source::Zones(zones, Who::All) = &sel.source else { return Vec::new() };
        let mut runs: Vec<(InstanceId, u16)> = Vec::new();
        for zone in zones.iter().map(|zone| &self.program.zones[*zone]) {
            let count = if zone.per_player { u16::from(self.program.seats.1) } else { 1 };
            match runs.last_mut() {
                Some((first, run)) if first.of((*run).into()) == zone.base => *run += count,
                _ => runs.push((zone.base, count)),
            }
        }
        runs
    }

    /// The one whole zone that a selection looks at.
    fn whole(&self, sel: &Sel) -> Option<Whole> {
        match &sel.source {
            Source::Zones(zones, who) => {
                let [zone] = zones.as_slice() else { return None };
                let def = &self.program.zones[*zone];
                let of = match (def.per_player, who) {
                    (false, _) => None,
                    (true, Who::One(seat)) => Some(*seat),
                    (true, _) => return None,
                };
                Some(Whole { base: def.base, of, cost: 1 })
            }
            Source::Union(parts) if sel.keep.is_none() => {
                let [part] = parts.as_slice() else { return None };
                let part = &self.program.sels[*part];
                let whole = part.all_of().filter(|_| part.is_simple())?;
                Some(Whole { cost: whole.cost + 1, ..whole })
            }
            _ => None,
        }
    }

    /// The instance of a selection that is one whole zone of the game.
    fn game_zone(&self, sel: SelId) -> Option<InstanceId> {
        let sel = &self.program.sels[sel];
        let Source::Zones(zones, _) = &sel.source else { return None };
        let [zone] = zones.as_slice() else { return None };
        let def = &self.program.zones[*zone];
        (sel.keep.is_none() && sel.is_simple() && !def.per_player).then_some(def.base)
    }

    /// Moves what can be moved in the conditions of a selection.
    pub(super) fn hoist(&mut self, sel: SelId) {
        let def = &self.program.sels[sel];
        let mut roots: Vec<ExprId> = def.keep.into_iter().collect();
        roots.extend(def.prefer.iter().map(|prefer| prefer.keep));
        for root in roots {
            self.hoist_in(root, sel);
        }
    }

    fn hoist_in(&mut self, expr: ExprId, sel: SelId) {
        if self.program.exprs.len() + 2 >= crate::limits::EXPRESSIONS_MAX || self.program.onces == u16::MAX {
            return;
        }
        if self.is_fixed(expr) {
            if self.is_work(expr) {
                let inner = self.add(self.program.exprs[expr]);
                self.program.exprs[expr] = Expr::Once(self.program.onces, sel, inner);
                self.program.onces += 1;
            }
            return;
        }
        match self.program.exprs[expr] {
            Expr::Not(a) | Expr::EqConst(a, _) => self.hoist_in(a, sel),
            Expr::Eq(a, b) => {
                self.hoist_in(a, sel);
                self.hoist_in(b, sel);
                for (attr, other) in [(a, b), (b, a)] {
                    if let Some((depth, attr)) = self.printed_of_it(attr) {
                        self.program.exprs[expr] = Expr::ItAttrIs(depth, attr, other);
                        break;
                    }
                }
            }
            Expr::And(a, b)
            | Expr::Or(a, b)
            | Expr::Lt(a, b)
            | Expr::Le(a, b)
            | Expr::Add(a, b)
            | Expr::Sub(a, b)
            | Expr::Mul(a, b) => {
                self.hoist_in(a, sel);
                self.hoist_in(b, sel);
            }
            _ => {}
        }
    }

    /// A printed attribute of what is looked at, which nothing changes.
    fn printed_of_it(&self, expr: ExprId) -> Option<(u8, AttrId)> {
        let Expr::Attr(of, attr) = self.program.exprs[expr] else { return None };
        let Expr::It(depth) = self.program.exprs[of] else { return None };
        let def = &self.program.attrs[attr];
        (def.kind == AttrKind::Printed && !def.layered && def.default == crate::machine::program::NONE)
            .then_some((depth, attr))
    }

    /// Whether it speaks of nothing that a walk changes.
    fn is_fixed(&self, expr: ExprId) -> bool {
        match self.program.exprs[expr] {
            leaf if leaf.is_at_hand() => true,
            Expr::SeatVar(_, a)
            | Expr::TeamVar(_, a)
            | Expr::Card(a)
            | Expr::Owner(a)
            | Expr::Controller(a) => self.is_fixed(a),
            Expr::Attr(a, attr) => {
                !matches!(self.program.attrs[attr].kind, AttrKind::Computed(..)) && self.is_fixed(a)
            }
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) | Expr::Min(a, b) | Expr::Max(a, b) => {
                self.is_fixed(a) && self.is_fixed(b)
            }
            Expr::Count(sel) | Expr::First(sel) | Expr::Last(sel) => self.is_fixed_zone(sel),
            _ => false,
        }
    }

    fn is_fixed_zone(&self, sel: SelId) -> bool {
        let sel = &self.program.sels[sel];
        let Source::Zones(_, who) = &sel.source else { return false };
        let seats = match who {
            Who::All | Who::InTurn => true,
            Who::One(seat) => self.is_fixed(*seat),
            Who::Others(_) | Who::From(..) | Who::TeamRelation(..) | Who::Among(_) => false,
        };
        sel.keep.is_none() && sel.is_simple() && seats
    }

    /// Whether keeping it saves anything.
    fn is_work(&self, expr: ExprId) -> bool {
        !self.program.exprs[expr].is_at_hand()
    }
}
