//! What everybody can tell of an action without knowing what is hidden: whether somebody could do it at all.
//!
//! A seat that cannot do anything is not asked to act or pass. Others see that it was not asked, so it may hang on nothing
//! but what all of them know (001/R21): what lies open, how many cards there are, and what costs at least how much.

use super::Compiler;
use crate::machine::ids::{AttrId, KindId, SlotId, VarId, ZoneId};
use crate::machine::program::{
    ActionDef, AttrKind, Cost, Expr, ExprId, Least, Op, Program, Reach, See, Sel, SelId, Source, Spread,
    TargetDef, Who,
};
use crate::operations;

impl Compiler<'_> {
    /// What everybody can tell of each action; when all of it is compiled.
    pub(super) fn reaches(&mut self) {
        if self.program.is_first_edition() {
            return;
        }
        let actions = std::mem::take(&mut self.program.actions);
        self.program.reach = actions.iter().map(|def| self.reach(def)).collect();
        self.program.actions = actions;
    }

    fn reach(&mut self, def: &ActionDef) -> Reach {
        let open = Open::of(&self.program);
        if open.action(def) {
            return Reach { open: true, when: Vec::new(), costs: Vec::new() };
        }
        let mut when = Vec::new();
        for (_, condition) in def.when.iter().filter(|(need, _)| *need == 0) {
            open.parts(*condition, &mut when);
        }
        let costs = open.costs(def);
        when.extend(def.targets.first().and_then(|first| self.there(first)));
        Reach { open: false, when, costs }
    }

    /// Whether there is anything at all that a target could be, where everybody knows how many cards lie there.
    fn there(&mut self, target: &TargetDef) -> Option<ExprId> {
        let source = self.program.sels[target.from].source.clone();
        if target.optional || !Open::of(&self.program).counted(&source) {
            return None;
        }
        let all = self.add_sel(super::exprs::plain(source));
        Some(self.add(Expr::Exists(all)))
    }
}

/// What is open to everybody.
struct Open<'p> {
    program: &'p Program,
    /// Whether cards can lie face down where everybody sees the others, or be moved by what is hidden.
    faces: bool,
    /// Whether what statics make of cards is open.
    statics: bool,
}

impl<'p> Open<'p> {
    fn of(program: &'p Program) -> Self {
        let turned = |op: &Op| match op {
            Op::Flip(..) => true,
            Op::Move(_, _, place, _) | Op::Create(_, _, _, place) => place.is_down(),
            _ => false,
        };
        let faces = !program.code.iter().any(turned);
        let mut open = Self { program, faces, statics: true };
        let bare = |def: &crate::machine::program::StaticDef| {
            open.expr_or(def.when) && def.changes.iter().all(|change| open.expr(change.value))
        };
        open.statics = program.statics.iter().all(bare);
        open
    }

    /// Whether all of an action is open: what it needs, what it is aimed at, and what it costs.
    fn action(&self, def: &ActionDef) -> bool {
        let whole = |def: &ActionDef| {
            def.targets.iter().all(|target| self.sel(target.from))
                && def.when.iter().all(|(_, when)| self.expr(*when))
                && def.costs.iter().all(|cost| match cost {
                    Cost::Pay { var, of, amount } => {
                        self.var(*var) && self.expr_or(*of) && self.expr(*amount)
                    }
                    Cost::Do(_) | Cost::Ability => true,
                })
        };
        let ability = def.spread != Spread::Ability || self.program.abilities.iter().all(whole);
        let forbidden = self.program.events[def.event].forbidden;
        def.spread != Spread::Card && !forbidden && ability && whole(def)
    }

    /// The parts of a condition that are open before anything is chosen: all of them must hold.
    fn parts(&self, condition: ExprId, parts: &mut Vec<ExprId>) {
        match self.program.exprs[condition] {
            Expr::And(a, b) => {
                self.parts(a, parts);
                self.parts(b, parts);
            }
            _ if self.expr(condition) && !self.speaks_of_targets(condition) => parts.push(condition),
            _ => {}
        }
    }

    /// What an action costs at the least, as far as that is open.
    fn costs(&self, def: &ActionDef) -> Vec<(VarId, Option<ExprId>, Least)> {
        let least = |cost: &Cost| {
            let Cost::Pay { var, of, amount } = cost else { return None };
            let whose = of.is_none_or(|of| self.expr(of) && !self.speaks_of_targets(of));
            (self.var(*var) && whose).then_some(())?;
            Some((*var, *of, self.least(def, *amount)?))
        };
        def.costs.iter().filter_map(least).collect()
    }

    /// An amount that everybody can work out, or what is printed at the least on anything that could be chosen first.
    fn least(&self, def: &ActionDef, amount: ExprId) -> Option<Least> {
        if self.expr(amount) && !self.speaks_of_targets(amount) {
            return Some(Least::Open(amount));
        }
        let Expr::Attr(of, attr) = self.program.exprs[amount].spelled_out() else { return None };
        if !matches!(self.program.exprs[of], Expr::Local(0) | Expr::This) {
            return None;
        }
        let kind = &self.program.attrs[attr];
        if kind.layered || kind.kind != AttrKind::Printed {
            return None;
        }
        let sel = &self.program.sels[def.targets.first()?.from];
        let kinds = (0..self.program.cards.len()).map(KindId::at);
        let values =
            kinds.filter(|card| self.could_be(sel, *card)).map(|card| self.program.printed(card, attr));
        values.min().map(Least::Fixed)
    }

    /// Whether a kind of card could be in a selection, as far as what is printed on it says.
    fn could_be(&self, sel: &Sel, card: KindId) -> bool {
        sel.keep.is_none_or(|keep| self.allows(keep, sel.it, card))
    }

    /// Whether a condition can hold for a kind of card; one that looks at anything but print can.
    fn allows(&self, keep: ExprId, it: u8, card: KindId) -> bool {
        let exprs = &self.program.exprs;
        let printed = |expr: ExprId| {
            let Expr::Attr(of, attr) = exprs[expr].spelled_out() else { return None };
            let def = &self.program.attrs[attr];
            let same = exprs[of] == Expr::It(it) && !def.layered && def.kind == AttrKind::Printed;
            same.then(|| self.program.printed(card, attr))
        };
        match exprs[keep].spelled_out() {
            Expr::And(a, b) => self.allows(a, it, card) && self.allows(b, it, card),
            Expr::Or(a, b) => self.allows(a, it, card) || self.allows(b, it, card),
            Expr::Attr(..) => printed(keep).is_none_or(|value| value != 0),
            Expr::Not(a) => printed(a).is_none_or(|value| value == 0),
            Expr::EqConst(a, value) => printed(a).is_none_or(|printed| printed == value),
            Expr::Eq(a, b) => match (exprs[a], exprs[b]) {
                (Expr::Const(value), _) => printed(b).is_none_or(|printed| printed == value),
                (_, Expr::Const(value)) => printed(a).is_none_or(|printed| printed == value),
                _ => true,
            },
            _ => true,
        }
    }

    /// Whether everybody sees a variable.
    fn var(&self, var: VarId) -> bool {
        self.program.vars[var].see == See::All
    }

    fn var_at(&self, base: SlotId) -> bool {
        let vars = self.program.vars.iter().filter(|var| var.base <= base);
        vars.max_by_key(|var| var.base).is_some_and(|var| var.see == See::All)
    }

    fn expr_or(&self, expr: Option<ExprId>) -> bool {
        expr.is_none_or(|expr| self.expr(expr))
    }

    /// Whether a condition speaks of what is chosen: before that it cannot be told.
    fn speaks_of_targets(&self, expr: ExprId) -> bool {
        match self.program.exprs[expr].spelled_out() {
            Expr::Local(_) | Expr::This => true,
            Expr::LocalAttr(..) => true,
            other => {
                operands(other).into_iter().any(|inner| self.speaks_of_targets(inner))
                    || self.sel_speaks(other)
            }
        }
    }

    fn sel_speaks(&self, expr: Expr) -> bool {
        let (Expr::Count(sel) | Expr::Exists(sel)) = expr else { return false };
        let sel = &self.program.sels[sel];
        let mut inner: Vec<ExprId> = sel.keep.into_iter().chain(sel.n).collect();
        match &sel.source {
            Source::Zones(_, who) | Source::Seats(who) | Source::Items(who) => inner.extend(of_whom(*who)),
            Source::Range(a, b) => inner.extend([*a, *b]),
            Source::Single(a) => inner.push(*a),
            _ => {}
        }
        inner.into_iter().any(|expr| self.speaks_of_targets(expr))
    }

    /// Whether everybody can work out an expression.
    fn expr(&self, expr: ExprId) -> bool {
        let expr = self.program.exprs[expr].spelled_out();
        match expr {
            Expr::Const(_)
            | Expr::Local(_)
            | Expr::It(_)
            | Expr::This
            | Expr::You
            | Expr::Active
            | Expr::Config(_)
            | Expr::Seats
            | Expr::Phase
            | Expr::Step
            | Expr::Turn
            | Expr::StackEmpty
            | Expr::Happened(..) => true,
            Expr::Function(number, ..) => {
                let open = operations::function(number).is_some_and(|function| function.open);
                open && operands(expr).into_iter().all(|inner| self.expr(inner))
            }
            Expr::Var(slot) => self.var_at(slot),
            Expr::SeatVar(base, of) | Expr::TeamVar(base, of) | Expr::EnumVar(base, _, of) => {
                self.var_at(base) && self.expr(of)
            }
            Expr::Attr(of, attr) => self.attr(attr) && self.expr(of),
            Expr::ItAttrEq(_, attr, _) => self.attr(attr),
            Expr::ItAttrIs(_, attr, of) => self.attr(attr) && self.expr(of),
            Expr::Counter(of, _) | Expr::Card(of) | Expr::Owner(of) | Expr::ZoneOf(of) => {
                self.faces && self.expr(of)
            }
            Expr::Has(of, _) => self.faces && self.statics && self.expr(of),
            Expr::Count(sel) | Expr::Exists(sel) => self.sel(sel) || self.is_counted(sel),
            Expr::Team(_)
            | Expr::Partner(_)
            | Expr::Controller(_)
            | Expr::SeatNo(_)
            | Expr::SeatAt(_)
            | Expr::Not(_)
            | Expr::EqConst(..)
            | Expr::LtConst(..)
            | Expr::GtConst(..)
            | Expr::Add(..)
            | Expr::Sub(..)
            | Expr::Mul(..)
            | Expr::Div(..)
            | Expr::Rem(..)
            | Expr::Min(..)
            | Expr::Max(..)
            | Expr::Eq(..)
            | Expr::Lt(..)
            | Expr::Le(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::SeatOffset(..)
            | Expr::If(..)
            | Expr::Once(..) => operands(expr).into_iter().all(|inner| self.expr(inner)),
            _ => false,
        }
    }

    /// Whether everybody can tell an attribute of a card that lies open.
    fn attr(&self, attr: AttrId) -> bool {
        let def = &self.program.attrs[attr];
        let computed = matches!(def.kind, AttrKind::Computed(..));
        self.faces && def.see == See::All && !computed && (!def.layered || self.statics)
    }

    /// Whether everybody can tell what is in a selection.
    fn sel(&self, sel: SelId) -> bool {
        let sel = &self.program.sels[sel];
        let source = match &sel.source {
            Source::Zones(zones, who) => {
                self.faces && zones.iter().all(|zone| self.zone(*zone).see == See::All) && self.who(*who)
            }
            Source::Seats(who) | Source::Items(who) => self.who(*who),
            Source::Range(a, b) => self.expr(*a) && self.expr(*b),
            Source::Single(of) => self.expr(*of),
            Source::Config(_) | Source::Consts(_) => true,
            Source::Union(all) => all.iter().all(|part| self.sel(*part)),
            Source::List(_) | Source::Answer(..) | Source::Cells(..) => false,
        };
        let prefer = sel.prefer.iter().all(|prefer| self.expr_or(prefer.when) && self.expr(prefer.keep));
        let order = sel.order.is_none_or(|(key, _)| self.expr(key));
        source
            && prefer
            && order
            && self.expr_or(sel.keep)
            && self.expr_or(sel.distinct)
            && self.expr_or(sel.n)
    }

    fn zone(&self, zone: ZoneId) -> &crate::machine::program::ZoneDef {
        &self.program.zones[zone]
    }

    /// Whether everybody can tell how many there are, whatever they are.
    fn is_counted(&self, sel: SelId) -> bool {
        let sel = &self.program.sels[sel];
        sel.keep.is_none() && sel.is_simple() && self.counted(&sel.source)
    }

    fn counted(&self, source: &Source) -> bool {
        let Source::Zones(zones, who) = source else { return false };
        zones.iter().all(|zone| self.zone(*zone).count == See::All) && self.who(*who)
    }

    fn who(&self, who: Who) -> bool {
        !matches!(who, Who::Among(_)) && of_whom(who).into_iter().all(|expr| self.expr(expr))
    }
}

fn of_whom(who: Who) -> Vec<ExprId> {
    match who {
        Who::One(of) | Who::Others(of) | Who::TeamRelation(of, _) => vec![of],
        Who::From(of, n) => vec![of, n],
        Who::All | Who::InTurn | Who::Among(_) => Vec::new(),
    }
}

/// The expressions that an expression is worked out from; of those that are worked out from others alone.
fn operands(expr: Expr) -> Vec<ExprId> {
    match expr {
        Expr::Team(a)
        | Expr::Partner(a)
        | Expr::Controller(a)
        | Expr::SeatNo(a)
        | Expr::SeatAt(a)
        | Expr::Not(a)
        | Expr::EqConst(a, _)
        | Expr::LtConst(a, _)
        | Expr::GtConst(a, _)
        | Expr::Once(_, _, a)
        | Expr::SeatVar(_, a)
        | Expr::TeamVar(_, a)
        | Expr::EnumVar(_, _, a)
        | Expr::Attr(a, _)
        | Expr::ItAttrIs(_, _, a)
        | Expr::Counter(a, _)
        | Expr::Card(a)
        | Expr::Owner(a)
        | Expr::ZoneOf(a)
        | Expr::Has(a, _) => vec![a],
        Expr::Add(a, b)
        | Expr::Sub(a, b)
        | Expr::Mul(a, b)
        | Expr::Div(a, b)
        | Expr::Rem(a, b)
        | Expr::Min(a, b)
        | Expr::Max(a, b)
        | Expr::Eq(a, b)
        | Expr::Lt(a, b)
        | Expr::Le(a, b)
        | Expr::And(a, b)
        | Expr::Or(a, b)
        | Expr::SeatOffset(a, b) => vec![a, b],
        Expr::If(a, b, c) => vec![a, b, c],
        Expr::Function(_, count, operands) => operands[..usize::from(count)].to_vec(),
        _ => Vec::new(),
    }
}
