//! Expressions that look something up: variables, events, answers, keys, tables.

use super::Compiler;
use super::scope::Bound;
use crate::language::Node;
use crate::machine::ids::AnswerId;
use crate::machine::program::{Expr, ExprId, NONE, SelId, Span, Ty};
use crate::operations::Operation;

impl<'n> Compiler<'n> {
    pub(crate) fn variable(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let Some((var, of)) = self.var_ref(node) else { return self.constant(0, Ty::Any) };
        let def = &self.program.vars[var];
        let (base, ty, team) = (def.base, def.ty, def.per_team);
        if let (Some(_), Some(which)) = (def.per, of) {
            let count = def.count(&self.program, 0);
            return (self.add(Expr::EnumVar(base, count, which)), ty);
        }
        match of {
            Some(seat) if team => (self.add(Expr::TeamVar(base, seat)), ty),
            None => (self.add(Expr::Var(base)), ty),
            Some(seat) => (self.add(Expr::SeatVar(base, seat)), ty),
        }
    }

    pub(crate) fn event_field(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let (Some(event), Some(name)) = (self.event, node.as_text()) else {
            self.findings.error_help(
                "event",
                node.at,
                "no event is known here",
                "`ev` stands in triggers, replaces and events",
            );
            return self.constant(0, Ty::Any);
        };
        let fields = &self.program.events[event].fields;
        if let Some(n) = fields.iter().position(|(field, _)| field == name) {
            let ty = fields[n].1;
            return (self.add(Expr::Ev(n as u8)), ty);
        }
        if name == "id" {
            return (self.add(Expr::EvId), Ty::Int);
        }
        let names: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
        self.findings.unknown(node.at, "field of this event", name, names.iter().map(String::as_str));
        self.constant(0, Ty::Any)
    }

    pub(crate) fn answer(&mut self, of: Operation<'n>) -> (ExprId, Ty) {
        let (op, node) = (of.name, of.node);
        let most = if op == "slot" { 3 } else { 2 };
        let Some(items) = self.operands(node, most, most) else { return self.constant(0, Ty::Any) };
        let Some((slot, ty)) = self.at(0, |this| this.answer_slot(&items[0])) else {
            return self.constant(0, Ty::Any);
        };
        let seat = self.at(1, |this| this.expr(&items[1], Ty::Seat));
        match op {
            "touched" => (self.add(Expr::Touched(slot, seat)), Ty::Bool),
            "slot" => {
                let place = self.at(2, |this| this.expr(&items[2], Ty::Int));
                (self.add(Expr::AnswerAt(slot, seat, place)), ty)
            }
            _ => (self.answered(slot, seat, ty), ty),
        }
    }

    /// A single answer. Who gave none has not said yes.
    pub(super) fn answered(&mut self, slot: AnswerId, seat: ExprId, ty: Ty) -> ExprId {
        let said = self.add(Expr::Answer(slot, seat));
        if ty == Ty::Bool { self.add(Expr::EqConst(said, 1)) } else { said }
    }

    pub(crate) fn keyed(
        &mut self,
        node: &'n Node,
        make: fn(SelId, ExprId) -> Expr,
        thing: bool,
    ) -> (ExprId, Ty) {
        self.only_part(node, "keyed");
        let Some(from) = node.get("from") else {
            self.findings.error("shape", node.at, "`from` is missing: a selection");
            return self.constant(0, Ty::Any);
        };
        let field = if node.get("key").is_some() { "key" } else { "of" };
        let Some(key) = node.get(field) else {
            self.findings.error("shape", node.at, "`of` is missing: what is counted of each");
            return self.constant(0, Ty::Any);
        };
        let (sel, ty) = self.at("from", |this| this.select(from, Ty::Any));
        let it = self.program.sels[sel].it;
        let mark = self.scope.mark();
        self.scope.alias("it", Bound::It(it, ty));
        // Deeper selections inside the key must not use the same `it`.
        let deeper = self.scope.deeper();
        let (key, got) = self.at(field, |this| this.typed(key, Ty::Int));
        if deeper.is_some() {
            self.scope.shallower();
        }
        self.scope.back(mark);
        if !matches!(got, Ty::Int | Ty::Enum(_) | Ty::Any | Ty::Bool) {
            self.findings.error("type", node.at, "what is counted of each is a number");
        }
        (self.add(make(sel, key)), if thing { ty } else { Ty::Int })
    }

    pub(crate) fn happened(&mut self, node: &'n Node) -> (ExprId, Ty) {
        const SPANS: [(&str, Span); 3] = [("turn", Span::Turn), ("round", Span::Round), ("game", Span::Game)];
        let (name, scope) = match (node.as_text(), node.items()) {
            (Some(_), _) => (Some(node), None),
            (None, [name, scope]) => (Some(name), Some(scope)),
            _ => (node.get("event"), node.get("scope")),
        };
        let Some(event) = name.and_then(|name| self.event_named(name)) else {
            if name.is_none() {
                self.expect(node, "an event, or [event, turn | round | game]");
            }
            return self.constant(0, Ty::Int);
        };
        let word = scope.map_or("turn", |scope| scope.as_text().unwrap_or("?"));
        let Some((_, span)) = SPANS.iter().find(|(name, _)| *name == word) else {
            self.findings.unknown(
                scope.map_or(node.at, |s| s.at),
                "scope",
                word,
                SPANS.iter().map(|(name, _)| *name),
            );
            return self.constant(0, Ty::Int);
        };
        (self.add(Expr::Happened(event, *span)), Ty::Int)
    }

    /// `{"table": [[keys], {"A,B": 1}, default]}`
    pub(crate) fn table(&mut self, node: &'n Node) -> (ExprId, Ty) {
        let Some([keys, rows, default]) = self.operands(node, 3, 3) else { return self.constant(0, Ty::Int) };
        let mut columns = Vec::new();
        for (n, key) in keys.items().iter().enumerate() {
            columns.push(self.at(0, |this| this.at(n, |this| this.typed(key, Ty::Any))));
        }
        let mut table = Vec::new();
        for (key, value) in rows.fields() {
            let parts: Vec<&str> = key.name.split(',').map(str::trim).collect();
            let mut row = Vec::new();
            for (part, (_, ty)) in parts.iter().zip(&columns) {
                row.push(self.table_key(key.at, part, *ty));
            }
            if parts.len() != columns.len() {
                let message = format!("this row has {} keys, not {}", parts.len(), columns.len());
                let help = "a row names a value for each key, with commas between them: \"red,2\"";
                self.findings.error_help("shape", key.at, message, help);
            }
            let Some(value) = value.as_int() else {
                self.expect(value, "a number");
                continue;
            };
            table.push((row, value));
        }
        let first = ExprId::at(self.program.exprs.len());
        let count = columns.len() as u8;
        for (key, _) in columns {
            self.add(Expr::Const(key.value()));
        }
        self.program.tables.push(table);
        let n = (self.program.tables.len() - 1) as u16;
        (self.add(Expr::Table(n, first, count, default.as_int().unwrap_or(0))), Ty::Int)
    }

    pub(super) fn table_key(&mut self, at: u32, part: &str, ty: Ty) -> i64 {
        if part == "none" {
            return NONE;
        }
        match ty {
            Ty::Enum(n) => {
                let values = self.program.enums[n].values.clone();
                let number = part.parse().ok().filter(|_| self.modes.contains(&n));
                match values.iter().position(|value| value == part) {
                    Some(value) => value as i64,
                    None if let Some(number) = number => number,
                    None => {
                        self.findings.unknown(at, "value", part, values.iter().map(String::as_str));
                        0
                    }
                }
            }
            _ => part.parse().unwrap_or(0),
        }
    }
}
