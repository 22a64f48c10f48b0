//! Statements. Questions, loops, turns and what waits or lasts are in files of their own.

mod asks;
mod delayed;
mod loops;
mod turns;

use super::Compiler;
use super::exprs::plain;
use super::scope::Bound;
use crate::language::Node;
use crate::machine::ids::ZoneId;
use crate::machine::program::{AttrKind, CARDS, Expr, ExprId, NONE, Op, SelId, Source, To, Ty, Who};
use crate::operations::{self, Deed, Operation};

impl<'n> Compiler<'n> {
    /// One statement after another.
    pub(crate) fn statements(&mut self, node: &'n Node) {
        self.statements_naming(node);
    }

    /// The same; gives the names that they have bound.
    pub(super) fn statements_naming(&mut self, node: &'n Node) -> Vec<(String, Bound)> {
        let mark = self.scope.mark();
        if node.items().is_empty() && !node.fields().is_empty() {
            self.statement(node);
        } else {
            if !matches!(node.value, crate::language::Value::List(_)) {
                self.expect(node, "a list of statements");
            }
            let mut gone = false;
            for (n, item) in node.items().iter().enumerate() {
                if gone {
                    self.at(n, |this| {
                        this.findings.warn(
                            "unreachable",
                            item.at,
                            "this is never reached",
                            "something before it always ends here",
                        )
                    });
                }
                self.at(n, |this| this.statement(item));
                gone = crate::compiler::lint::ends(item);
            }
        }
        self.scope.back(mark)
    }

    pub(super) fn statement(&mut self, node: &'n Node) {
        if self.full() {
            return;
        }
        let mut fields = node.fields().iter().filter(|(key, _)| !key.name.starts_with("//"));
        let (Some((key, inner)), None) = (fields.next(), fields.next()) else {
            self.findings.error_help(
                "shape",
                node.at,
                "a statement is an object with one field",
                "write {\"op\": …}",
            );
            return;
        };
        self.at(&key.name, |this| this.perform(&key.name, key.at, inner));
    }

    /// A field that must be there is not: the help says what the statement has.
    pub(super) fn missing(&mut self, node: &Node, name: &str) {
        let message = format!("`{name}` is missing");
        match self.findings.path().last().and_then(|op| crate::language::schema::fields(op)) {
            Some(help) => self.findings.error_help("shape", node.at, message, help),
            None => self.findings.error("shape", node.at, message),
        }
    }

    /// What a field says that must be there; nothing where it is missing or wrong, which is then told.
    fn must<R>(
        &mut self,
        node: &'n Node,
        name: &str,
        read: impl FnOnce(&mut Self, &'n Node) -> Option<R>,
    ) -> Option<R> {
        let found = self.field(node, name, read);
        if found.is_none() {
            self.missing(node, name);
        }
        found.flatten()
    }

    /// A selection of things of this type.
    pub(super) fn sel_of(&mut self, node: &'n Node, ty: Ty) -> SelId {
        let (sel, got) = self.select(node, ty);
        if !Self::fits(ty, got) {
            let (want, got) = (self.type_name(ty), self.type_name(got));
            let message = format!("{want} is expected here, and this is {got}");
            self.findings.error_help("type", node.at, message, super::exprs::meant(ty));
        }
        sel
    }

    pub(super) fn need_to(&mut self, node: &'n Node, name: &str) -> To {
        match self.field(node, name, Self::to) {
            Some(Some(to)) => to,
            Some(None) => To { zone: ZoneId::default(), of: None },
            None => {
                self.missing(node, name);
                To { zone: ZoneId::default(), of: None }
            }
        }
    }

    pub(super) fn number(&mut self, node: &'n Node, name: &str, default: i64) -> ExprId {
        match self.field(node, name, |this, inner| this.expr(inner, Ty::Int)) {
            Some(id) => id,
            None => self.add(Expr::Const(default)),
        }
    }

    /// A statement that asks people or lets time go by: not where everything happens at once.
    pub(super) fn asks_here(&mut self, at: u32) {
        if self.group == Some("batch") {
            self.findings.error_help(
                "batch",
                at,
                "nobody is asked and nothing waits inside a batch",
                "what is in a batch happens at the same time: ask before it, and put only what is done into it",
            );
        }
        if self.sync {
            self.findings.error_help(
                "ask",
                at,
                "nothing can be asked here",
                "events, replaces, checks, costs and `on` happen at once: ask in the flow, an action or a trigger",
            );
        }
    }

    /// A statement that has steps or turns of its own: not inside what happens as one.
    pub(super) fn steps_here(&mut self, at: u32, op: &str) {
        if let Some(group) = self.group {
            self.findings.error_help(
                "batch",
                at,
                format!("`{op}` cannot stand inside `{group}`"),
                format!("a {group} is one moment, and players act in steps and turns: put the {group} into the `do` of the `{op}`"),
            );
        }
        if self.group != Some("batch") {
            self.asks_here(at);
        }
    }

    /// A statement by its name: what its row in the table says.
    pub(super) fn perform(&mut self, name: &str, at: u32, node: &'n Node) {
        let Some((number, row)) = operations::statement(name) else {
            let known = operations::STATEMENTS.iter().map(|row| row.name);
            return self.findings.unknown(at, "statement", name, known);
        };
        self.older_word(at, name, row.name);
        self.fields_of(row, node);
        match row.deed {
            Deed::Code(code) => code(self, Operation { name: row.name, at, node, want: Ty::Any }),
            Deed::Machine(_) => {
                let Some(operands) = self.given(row.has, node) else { return };
                self.op(Op::Do(number, operands.into()));
            }
        }
        if row.drains {
            self.op(Op::Drain);
        }
    }

    /// Statements that belong together: nothing jumps out of them, or they would never be over.
    pub(crate) fn as_one(&mut self, of: Operation<'n>) {
        let (start, end) = match of.name {
            "batch" => (Op::BatchStart, Op::BatchEnd),
            _ => (Op::AtomicStart, Op::AtomicEnd),
        };
        let breaks = std::mem::take(&mut self.breaks);
        // A batch inside a group is both: what a batch does not let in comes first.
        let outer = self.group;
        self.group = if outer == Some("batch") { outer } else { Some(of.name) };
        self.op(start);
        self.statements(of.node);
        self.op(end);
        (self.breaks, self.group) = (breaks, outer);
    }

    /// `set` and `add`.
    pub(crate) fn set(&mut self, of: Operation<'n>) {
        let value = if of.name == "set" { "to" } else { "by" };
        let Some((var, whose)) = self.must(of.node, "var", Self::var_ref) else { return };
        if whose.is_some_and(|whose| self.program.exprs[whose] == Expr::Const(NONE)) {
            let name = self.program.vars[var].name.clone();
            let message = format!("this is {name} of nobody");
            self.findings.warn("nobody", of.at, message, "say whose: a seat, as in [\"you\", …]");
        }
        let op = match of.name {
            "set" => Op::SetVar(var, whose, self.need(of.node, value, self.program.vars[var].ty)),
            _ => Op::AddVar(var, whose, self.need(of.node, value, Ty::Int)),
        };
        self.op(op);
    }

    pub(crate) fn set_attr(&mut self, of: Operation<'n>) {
        let cards = self.need_sel(of.node, "of", Ty::Ent);
        let Some(attr) = self.must(of.node, "attr", Self::attribute) else { return };
        let def = &self.program.attrs[attr];
        let ty = def.ty;
        if !matches!(def.kind, AttrKind::Kept(_)) {
            let help = "give it a `default` where it is declared";
            self.findings.error_help("kept", of.at, "this attribute is not kept", help);
        }
        let value = self.need(of.node, "to", ty);
        self.op(Op::SetAttr(cards, attr, value));
    }

    /// `move` and `moveAll`.
    pub(crate) fn move_cards(&mut self, of: Operation<'n>) {
        let what = self.need_sel(of.node, if of.name == "move" { "what" } else { "from" }, Ty::Ent);
        if of.name == "moveAll" {
            // From several places at once: in the order of their numbers, so that a deck is gathered the same.
            self.program.sels[what].sorted = true;
        }
        let to = self.need_to(of.node, "to");
        let bottom = self.at_bottom(of.node);
        let by = self.field(of.node, "by", |this, inner| this.expr(inner, Ty::Seat));
        let place = self.place(of.node, to, bottom);
        self.op(Op::Move(what, to, place, by));
    }

    pub(crate) fn deal(&mut self, of: Operation<'n>) {
        let from = self.need_to(of.node, "from");
        let Some(to) = self.must(of.node, "to", Self::zone) else { return };
        if !self.program.zones[to].per_player {
            let help = "use `move` or `draw`";
            return self.findings.error_help("owner", of.at, "cards are dealt to zones of players", help);
        }
        let who = self.field(of.node, "seats", Self::who).unwrap_or(Who::All);
        let n = self.number(of.node, "n", 1);
        self.op(Op::Deal(from, to, who, n));
    }

    pub(crate) fn draw(&mut self, of: Operation<'n>) {
        let seat = self.need(of.node, "seat", Ty::Seat);
        let (from, to) = (self.drawn(of.node, "from", "deck", seat), self.drawn(of.node, "to", "hand", seat));
        let (Some(from), Some(to)) = (from, to) else { return };
        let n = self.number(of.node, "n", 1);
        self.op(Op::Draw(from, to, n));
    }

    /// A side of a `draw`: the zone that is named, or the one that has this name.
    fn drawn(&mut self, node: &'n Node, field: &str, default: &str, seat: ExprId) -> Option<To> {
        let zone = match node.get(field) {
            Some(inner) => self.at(field, |this| this.zone(inner))?,
            None => match self.program.zone_named(default) {
                Some(zone) => zone,
                None => {
                    self.missing(node, field);
                    return None;
                }
            },
        };
        let of = self.program.zones[zone].per_player.then_some(seat);
        Some(To { zone, of })
    }

    pub(crate) fn create(&mut self, of: Operation<'n>) {
        let node = of.node;
        let source = match (node.get("cards"), node.get("card")) {
            (_, Some(card)) => Source::Single(self.at("card", |this| this.expr(card, Ty::Enum(CARDS)))),
            (Some(cards), None) => self.at("cards", |this| this.card_list(cards)),
            (None, None) => return self.missing(node, "cards"),
        };
        let kinds = self.add_sel(plain(source));
        let to = self.need_to(node, "to");
        let n = self.number(node, "n", 1);
        let place = self.place(node, to, false);
        self.op(Op::Create(kinds, to, n, place));
    }

    /// `turnDown` and `turnUp`.
    pub(crate) fn turn_over(&mut self, of: Operation<'n>) {
        let what = self.sel_of(of.node, Ty::Ent);
        self.op(Op::Flip(what, of.name == "turnDown"));
    }

    pub(crate) fn break_off(&mut self, of: Operation<'n>) {
        let jump = self.op(Op::Jump(0));
        if let Some(list) = self.breaks.last_mut() {
            return list.push(jump);
        }
        let help = match self.group {
            Some(_) => {
                "a batch or an atomic group is left at its end only: put the loop inside, or the `break` after it"
            }
            None => {
                "`break` leaves a loop, repeat, forEach or turns; what follows an `if` is put into its else"
            }
        };
        self.findings.error_help("break", of.at, "there is no loop around this", help);
    }

    pub(crate) fn mix(&mut self, of: Operation<'n>) {
        match of.node.as_text().and_then(|name| self.scope.find(name)) {
            Some(Bound::List(slot, ty)) => {
                self.op(Op::Mix(slot, ty));
            }
            _ => self.expect(of.node, "the name of a list"),
        }
    }

    pub(crate) fn roll(&mut self, of: Operation<'n>) {
        let sides = self.need(of.node, "sides", Ty::Int);
        let Some(name) = of.node.get("as").and_then(Node::as_text) else {
            return self.missing(of.node, "as");
        };
        let slot = self.scope.bind(name, Ty::Int);
        self.op(Op::Roll(slot, sides));
    }

    pub(crate) fn wait(&mut self, of: Operation<'n>) {
        self.asks_here(of.at);
        let ms = self.expr(of.node, Ty::Int);
        self.op(Op::Wait(ms));
    }

    pub(crate) fn modify_event(&mut self, of: Operation<'n>) {
        let Some(event) = self.event else {
            return self.findings.error("event", of.at, "no event is known here");
        };
        let fields = self.program.events[event].fields.clone();
        self.each_field(of.node, |this, name, inner| {
            match fields.iter().position(|(field, _)| field == name) {
                Some(n) => {
                    let value = this.expr(inner, fields[n].1);
                    this.op(Op::Modify(n as u8, value));
                }
                None => {
                    let known = fields.iter().map(|(field, _)| field.as_str());
                    this.findings.unknown(inner.at, "field of this event", name, known);
                }
            }
        });
    }

    pub(crate) fn execute_ability(&mut self, _: Operation<'n>) {
        let source = self.add(Expr::Local(0));
        self.op(Op::RunAbility(source, 1, 2));
    }
}
