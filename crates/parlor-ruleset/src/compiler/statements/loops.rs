//! Statements that branch, loop, call a procedure or bind a local.

use std::collections::BTreeSet;

use crate::compiler::Compiler;
use crate::compiler::exprs::plain;
use crate::compiler::scope::Bound;
use crate::language::Node;
use crate::limits::{CALL_DEPTH_MAX, CALLS_MAX};
use crate::machine::program::{Expr, Op, Source, Ty};
use crate::operations::Operation;

impl<'n> Compiler<'n> {
    pub(crate) fn branch(&mut self, of: Operation<'n>) {
        let node = of.node;
        let (condition, then, other) = match node.items() {
            [condition, then] => (condition, then, None),
            [condition, then, other] => (condition, then, Some(other)),
            _ => return self.expect(node, "[condition, then] or [condition, then, else]"),
        };
        let condition = self.at(0, |this| this.expr(condition, Ty::Bool));
        let skip = self.op(Op::Unless(condition, 0));
        let bound = self.at(1, |this| this.statements_naming(then));
        match other {
            None => self.land(skip),
            Some(other) => {
                let joined = self.join(&bound, other);
                let end = self.op(Op::Jump(0));
                self.land(skip);
                let bound = self.at(2, |this| this.statements_naming(other));
                self.join_other(joined, &bound);
                self.land(end);
            }
        }
    }

    /// At the end of one branch: each name that the other branch binds too gets a place that both will fill.
    fn join(&mut self, bound: &[(String, Bound)], other: &Node) -> Vec<(String, Bound)> {
        let mut joined: Vec<(String, Bound)> = Vec::new();
        if self.program.is_first_edition() {
            return joined;
        }
        let wanted = binds(other);
        for (name, bound) in bound.iter().rev() {
            let plain = name.trim_start_matches('?');
            if !wanted.contains(plain) || plain.is_empty() || joined.iter().any(|(other, _)| other == name) {
                continue;
            }
            let place = match *bound {
                Bound::Local(_, ty) => Bound::Local(self.scope.bind("", ty), ty),
                Bound::List(_, ty) => Bound::List(self.scope.bind_list("", ty), ty),
                other => other,
            };
            self.fill(place, *bound);
            joined.push((name.clone(), place));
        }
        joined
    }

    /// At the end of the other branch: what both have bound is bound.
    fn join_other(&mut self, joined: Vec<(String, Bound)>, bound: &[(String, Bound)]) {
        for (name, place) in joined {
            let Some((_, found)) = bound.iter().rev().find(|(other, _)| *other == name) else { continue };
            let same = match (place, *found) {
                (Bound::Local(_, one), Bound::Local(_, other)) => Self::fits(one, other),
                (Bound::List(_, one), Bound::List(_, other)) => Self::fits(one, other),
                (one, other) => one == other,
            };
            if same {
                self.fill(place, *found);
                self.scope.alias(&name, place);
            }
        }
    }

    /// What one name stands for is kept for another.
    fn fill(&mut self, place: Bound, from: Bound) {
        match (place, from) {
            (Bound::Local(slot, _), Bound::Local(from, _)) => {
                let value = self.add(Expr::Local(from));
                self.op(Op::Let(slot, value));
            }
            (Bound::List(slot, _), Bound::List(from, _)) => {
                let list = self.add_sel(plain(Source::List(from)));
                self.op(Op::LetList(slot, list));
            }
            _ => {}
        }
    }

    /// The name that something is bound to.
    fn named_as(&mut self, node: &'n Node) -> Option<&'n str> {
        let name = node.get("as")?;
        if name.as_text().is_none() {
            self.at("as", |this| this.expect(name, "a name"));
        }
        name.as_text()
    }

    /// A jump goes to here.
    pub(in crate::compiler) fn land(&mut self, jump: usize) {
        let here = self.here();
        if let Some(Op::Jump(to) | Op::Unless(_, to) | Op::Next(_, _, _, to) | Op::Again(_, _, to)) =
            self.program.code.get_mut(jump)
        {
            *to = here;
        }
    }

    pub(in crate::compiler) fn end_loop(&mut self, exit: usize) {
        self.land(exit);
        for jump in self.breaks.pop().unwrap_or_default() {
            self.land(jump);
        }
    }

    pub(crate) fn for_each(&mut self, of: Operation<'n>) {
        let node = of.node;
        let mark = self.scope.mark();
        let (sel, ty) = if let Some(inner) = node.get("entities").or_else(|| node.get("in")) {
            self.at("entities", |this| this.select(inner, Ty::Ent))
        } else if let Some(seats) = node.get("seats") {
            let who = self.at("seats", |this| this.who(seats));
            (self.add_sel(plain(Source::Seats(who))), Ty::Seat)
        } else {
            return self.missing(node, "in");
        };
        let list = self.scope.bind_list("", ty);
        let counter = self.scope.bind("", Ty::Int);
        self.op(Op::LetList(list, sel));
        let zero = self.add(Expr::Const(0));
        self.op(Op::Let(counter, zero));
        let name = self.named_as(node).unwrap_or("it");
        let local = self.scope.bind(name, ty);
        let top = self.here();
        let next = self.op(Op::Next(list, counter, local, 0));
        self.breaks.push(Vec::new());
        if self.field(node, "do", Self::statements).is_none() {
            self.missing(node, "do");
        }
        self.op(Op::Jump(top));
        self.end_loop(next);
        self.scope.back(mark);
    }

    pub(crate) fn repeat(&mut self, of: Operation<'n>) {
        let node = of.node;
        let mark = self.scope.mark();
        let n = self.need(node, "n", Ty::Int);
        let counter = self.scope.bind("", Ty::Int);
        let minus = self.add(Expr::Const(0));
        self.op(Op::Let(counter, minus));
        let top = self.here();
        let again = self.op(Op::Again(counter, n, 0));
        if let Some(name) = self.named_as(node) {
            let local = self.scope.bind(name, Ty::Int);
            let (count, one) = (self.add(Expr::Local(counter)), self.add(Expr::Const(1)));
            let value = self.add(Expr::Sub(count, one));
            self.op(Op::Let(local, value));
        }
        self.breaks.push(Vec::new());
        if self.field(node, "do", Self::statements).is_none() {
            self.missing(node, "do");
        }
        self.op(Op::Jump(top));
        self.end_loop(again);
        self.scope.back(mark);
    }

    pub(crate) fn looped(&mut self, of: Operation<'n>) {
        let (at, node) = (of.at, of.node);
        let mark = self.scope.mark();
        if node.get("max").is_none() {
            self.findings.error_help(
                "bound",
                at,
                "a loop without a bound",
                "say how often at most: \"max\": 100",
            );
        }
        let max = self.number(node, "max", 0);
        let counter = self.scope.bind("", Ty::Int);
        let zero = self.add(Expr::Const(0));
        self.op(Op::Let(counter, zero));
        let top = self.here();
        let again = self.op(Op::Again(counter, max, 0));
        self.breaks.push(Vec::new());
        let until = self.field(node, "until", |this, inner| this.expr(inner, Ty::Bool));
        let wanted = match until {
            Some(until) => Some(self.add(Expr::Not(until))),
            None => self.field(node, "while", |this, inner| this.expr(inner, Ty::Bool)),
        };
        if let Some(wanted) = wanted {
            let leave = self.op(Op::Unless(wanted, 0));
            if let Some(list) = self.breaks.last_mut() {
                list.push(leave);
            }
        }
        if self.field(node, "do", Self::statements).is_none() {
            self.missing(node, "do");
        }
        self.op(Op::Jump(top));
        self.end_loop(again);
        self.scope.back(mark);
    }

    pub(crate) fn call(&mut self, of: Operation<'n>) {
        let node = of.node;
        let Some(name) = node.as_text() else { return self.expect(node, "the name of a procedure") };
        let Some(body) = self.procs.get(name).copied() else {
            let names: Vec<String> = self.procs.keys().cloned().collect();
            return self.findings.unknown(node.at, "procedure", name, names.iter().map(String::as_str));
        };
        self.calls += 1;
        if self.calls > CALLS_MAX {
            let text = format!("more calls of procedures than calls_max, {CALLS_MAX}, allows");
            return self.findings.error_help("limit", node.at, text, "use a loop with a `max`");
        }
        if self.calling.iter().any(|other| other == name) || self.calling.len() >= CALL_DEPTH_MAX {
            return self.findings.error_help(
                "recursion",
                node.at,
                format!("{name} calls itself"),
                "procedures are put in place of their calls: use a loop with a `max`",
            );
        }
        self.called.insert(name.to_owned());
        self.calling.push(name.to_owned());
        let path = self.findings.go(vec!["procs".to_owned(), name.to_owned()]);
        self.statements(body);
        self.findings.go(path);
        self.calling.pop();
    }

    pub(crate) fn bind(&mut self, of: Operation<'n>) {
        let node = of.node;
        let Some(name) = node.get("as").and_then(Node::as_text) else { return self.missing(node, "as") };
        if let Some(list) = node.get("list") {
            let (sel, ty) = self.at("list", |this| this.select(list, Ty::Any));
            let slot = self.scope.bind_list(name, ty);
            self.op(Op::LetList(slot, sel));
            return;
        }
        let Some(to) = node.get("to") else { return self.missing(node, "to") };
        let (value, ty) = self.at("to", |this| this.typed(to, Ty::Any));
        let slot = match self.scope.find(name) {
            // The same name again is the same local: a value can be carried round a loop.
            Some(Bound::Local(slot, old)) if Self::fits(old, ty) => slot,
            _ => self.scope.bind(name, ty),
        };
        self.op(Op::Let(slot, value));
    }
}

/// Names that statements bind on every way through them.
fn binds(node: &Node) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (op, inner) in node.fields().iter().map(|(key, inner)| (key.name.as_str(), inner)) {
        match op {
            "let" | "ask" | "roll" => names.extend(inner.get("as").and_then(Node::as_text)),
            "if" => {
                if let [_, then, other] = inner.items() {
                    names.extend(binds(then).intersection(&binds(other)));
                }
            }
            _ => {}
        }
    }
    node.items().iter().for_each(|statement| names.extend(binds(statement)));
    names
}
