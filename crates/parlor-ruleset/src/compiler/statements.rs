//! Statements. Questions, loops, turns and what waits or lasts are in files of their own.

mod asks;
mod delayed;
mod loops;
mod turns;

use super::Compiler;
use super::exprs::plain;
use super::scope::Bound;
use crate::language::Node;
use crate::language::names::STATEMENTS;
use crate::machine::program::{Expr, ExprId, Op, Source, To, Ty, Who};

impl<'n> Compiler<'n> {
    /// One statement after another.
    pub(super) fn statements(&mut self, node: &'n Node) {
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
                    self.at(n, |c| {
                        c.findings.warn(
                            "unreachable",
                            item.at,
                            "this is never reached",
                            "something before it always ends here",
                        )
                    });
                }
                self.at(n, |c| c.statement(item));
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
        self.at(&key.name, |c| c.perform(&key.name, key.at, inner));
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

    pub(super) fn need(&mut self, node: &'n Node, name: &str, ty: Ty) -> ExprId {
        match self.field(node, name, |c, inner| c.expr(inner, ty)) {
            Some(id) => id,
            None => {
                self.missing(node, name);
                self.add(Expr::Const(0))
            }
        }
    }

    pub(super) fn need_sel(&mut self, node: &'n Node, name: &str, ty: Ty) -> u32 {
        match node.get(name) {
            Some(inner) => self.at(name, |c| c.sel_of(inner, ty)),
            None => {
                self.missing(node, name);
                self.add_sel(plain(Source::Consts(Vec::new())))
            }
        }
    }

    /// A selection of things of this type.
    pub(super) fn sel_of(&mut self, node: &'n Node, ty: Ty) -> u32 {
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
            Some(None) => To { zone: 0, of: None },
            None => {
                self.missing(node, name);
                To { zone: 0, of: None }
            }
        }
    }

    pub(super) fn number(&mut self, node: &'n Node, name: &str, default: i64) -> ExprId {
        match self.field(node, name, |c, inner| c.expr(inner, Ty::Int)) {
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

    /// Statements that belong together: nothing jumps out of them, or they would never be over.
    fn as_one(&mut self, node: &'n Node, word: &'static str, start: Op, end: Op) {
        let breaks = std::mem::take(&mut self.breaks);
        // A batch inside a group is both: what a batch does not let in comes first.
        let outer = self.group;
        self.group = if outer == Some("batch") { outer } else { Some(word) };
        self.op(start);
        self.statements(node);
        self.op(end);
        self.op(Op::Drain);
        (self.breaks, self.group) = (breaks, outer);
    }

    pub(super) fn perform(&mut self, op: &str, at: u32, node: &'n Node) {
        match op {
            "set" => {
                self.only(node, &["var", "to"]);
                let Some((var, of)) = self.must(node, "var", Self::var_ref) else { return };
                let ty = self.program.vars[usize::from(var)].ty;
                let value = self.need(node, "to", ty);
                self.op(Op::SetVar(var, of, value));
            }
            "add" => {
                self.only(node, &["var", "by"]);
                let Some((var, of)) = self.must(node, "var", Self::var_ref) else { return };
                let by = self.need(node, "by", Ty::Int);
                self.op(Op::AddVar(var, of, by));
            }
            "pay" => {
                self.only(node, &["var", "amount"]);
                let Some((var, of)) = self.must(node, "var", Self::var_ref) else { return };
                let amount = self.need(node, "amount", Ty::Int);
                self.op(Op::Pay(var, of, amount));
            }
            "setAttr" => {
                self.only(node, &["of", "attr", "to"]);
                let of = self.need_sel(node, "of", Ty::Ent);
                let Some(attr) = self.must(node, "attr", |c, inner| c.attribute(inner)) else { return };
                let def = &self.program.attrs[usize::from(attr)];
                let ty = def.ty;
                if !matches!(def.kind, crate::machine::program::AttrKind::Kept(_)) {
                    self.findings.error_help(
                        "kept",
                        at,
                        "this attribute is not kept",
                        "give it a `default` where it is declared",
                    );
                }
                let value = self.need(node, "to", ty);
                self.op(Op::SetAttr(of, attr, value));
            }
            "addCounter" | "removeCounter" => {
                self.only(node, &["to", "from", "counter", "n"]);
                let side = if op == "addCounter" { "to" } else { "from" };
                let to = self.need_sel(node, side, Ty::Ent);
                let Some(kind) = self.must(node, "counter", |c, inner| c.counter(inner)) else { return };
                let mut n = self.number(node, "n", 1);
                if op == "removeCounter" {
                    let zero = self.add(Expr::Const(0));
                    n = self.add(Expr::Sub(zero, n));
                }
                self.op(Op::AddCounter(to, kind, n));
            }
            "move" | "moveAll" => {
                self.only(node, &["what", "from", "to", "at", "by", "faceDown", "cell"]);
                let what = self.need_sel(node, if op == "move" { "what" } else { "from" }, Ty::Ent);
                if op == "moveAll" {
                    // From several places at once: in the order of their numbers, so that a deck is gathered the same.
                    self.program.sels[what as usize].sorted = true;
                }
                let to = self.need_to(node, "to");
                let bottom = self.at_bottom(node);
                let by = self.field(node, "by", |c, inner| c.expr(inner, Ty::Seat));
                let place = self.place(node, to, bottom);
                self.op(Op::Move(what, to, place, by));
                self.op(Op::Drain);
            }
            "deal" | "dealOut" => {
                self.only(node, &["from", "to", "seats", "n"]);
                let from = self.need_to(node, "from");
                let Some(to) = self.must(node, "to", |c, inner| c.zone(inner)) else { return };
                if !self.program.zones[usize::from(to)].per_player {
                    return self.findings.error_help(
                        "owner",
                        at,
                        "cards are dealt to zones of players",
                        "use `move` or `draw`",
                    );
                }
                let who = self.field(node, "seats", Self::who).unwrap_or(Who::All);
                let n = self.number(node, "n", 1);
                self.op(Op::Deal(from, to, who, n));
                self.op(Op::Drain);
            }
            "draw" => {
                self.only(node, &["seat", "n", "from", "to"]);
                let seat = self.need(node, "seat", Ty::Seat);
                let side = |c: &mut Self, field: &str, default: &str| -> Option<To> {
                    let zone = match node.get(field) {
                        Some(inner) => c.at(field, |c| c.zone(inner))?,
                        None => {
                            let found = c.program.zones.iter().position(|zone| zone.name == default);
                            if found.is_none() {
                                c.missing(node, field);
                            }
                            found? as u16
                        }
                    };
                    let of = c.program.zones[usize::from(zone)].per_player.then_some(seat);
                    Some(To { zone, of })
                };
                let (Some(from), Some(to)) = (side(self, "from", "deck"), side(self, "to", "hand")) else {
                    return;
                };
                let n = self.number(node, "n", 1);
                self.op(Op::Draw(from, to, n));
                self.op(Op::Drain);
            }
            "shuffle" => {
                if let Some(to) = self.to(node) {
                    self.op(Op::Shuffle(to));
                }
            }
            "create" => {
                self.only(node, &["cards", "card", "to", "n", "cell", "faceDown"]);
                let kinds = match (node.get("cards"), node.get("card")) {
                    (_, Some(card)) => {
                        let card =
                            self.at("card", |c| c.expr(card, Ty::Enum(crate::machine::program::CARDS)));
                        self.add_sel(plain(Source::Single(card)))
                    }
                    (Some(cards), None) => {
                        let source = self.at("cards", |c| c.card_list(cards));
                        self.add_sel(plain(source))
                    }
                    (None, None) => {
                        self.missing(node, "cards");
                        return;
                    }
                };
                let to = self.need_to(node, "to");
                let n = self.number(node, "n", 1);
                let place = self.place(node, to, false);
                self.op(Op::Create(kinds, to, n, place));
                self.op(Op::Drain);
            }
            "reveal" => {
                let (what, who) = if node.get("what").is_some() {
                    self.only(node, &["what", "to"]);
                    (self.need_sel(node, "what", Ty::Ent), self.field(node, "to", Self::who))
                } else {
                    (self.sel_of(node, Ty::Ent), None)
                };
                self.op(Op::Reveal(what, who));
            }
            "peek" => self.peek(node),
            "turnDown" | "turnUp" => {
                let what = self.sel_of(node, Ty::Ent);
                self.op(Op::Flip(what, op == "turnDown"));
                self.op(Op::Drain);
            }
            "later" => self.later(node),
            "copyItem" | "retarget" | "activate" => self.on_items(op, node),
            "nextRound" => {
                self.op(Op::NextRound);
                self.op(Op::Drain);
            }
            "control" => {
                let what = self.need_sel(node, "what", Ty::Ent);
                let seat = self.need(node, "to", Ty::Seat);
                self.op(Op::Control(what, seat));
            }
            "emit" | "push" => self.emit(op, node),
            "batch" => self.as_one(node, "batch", Op::BatchStart, Op::BatchEnd),
            "atomic" => self.as_one(node, "atomic", Op::AtomicStart, Op::AtomicEnd),
            "do" => self.statements(node),
            "if" => self.branch(node),
            "forEach" => self.for_each(node),
            "repeat" => self.repeat(node),
            "loop" => self.looped(at, node),
            "break" => {
                let jump = self.op(Op::Jump(0));
                match self.breaks.last_mut() {
                    Some(list) => list.push(jump),
                    None => {
                        let help = match self.group {
                            Some(_) => {
                                "a batch or an atomic group is left at its end only: put the loop inside, or the `break` after it"
                            }
                            None => {
                                "`break` leaves a loop, repeat, forEach or turns; what follows an `if` is put into its else"
                            }
                        };
                        self.findings.error_help("break", at, "there is no loop around this", help);
                    }
                }
            }
            "call" => self.call(node),
            "let" => self.bind(node),
            "mix" => {
                if let Some(Bound::List(slot, ty)) = node.as_text().and_then(|name| self.scope.find(name)) {
                    self.op(Op::Mix(slot, ty));
                } else {
                    self.expect(node, "the name of a list");
                }
            }
            "roll" => {
                let sides = self.need(node, "sides", Ty::Int);
                let Some(name) = node.get("as").and_then(Node::as_text) else {
                    return self.missing(node, "as");
                };
                let slot = self.scope.bind(name, Ty::Int);
                self.op(Op::Roll(slot, sides));
            }
            "disclose" => {
                let value = self.expr(node, Ty::Any);
                self.op(Op::Disclose(value));
            }
            "wait" => {
                self.asks_here(at);
                let ms = self.expr(node, Ty::Int);
                self.op(Op::Wait(ms));
            }
            "ask" => self.ask(at, node),
            "step" => self.step(at, node),
            "turns" => self.turns(at, node),
            "apply" | "grant" => self.apply(op, node),
            "counterItem" => {
                let item = match node.get("item") {
                    Some(_) => self.need(node, "item", Ty::Item),
                    None => self.expr(node, Ty::Item),
                };
                self.op(Op::CounterItem(item));
            }
            "prevent" | "preventEvent" => {
                self.op(Op::Prevent);
            }
            "modifyEvent" => {
                let Some(event) = self.event else {
                    return self.findings.error("event", at, "no event is known here");
                };
                let fields = self.program.events[usize::from(event)].fields.clone();
                self.each_field(node, |c, name, inner| {
                    match fields.iter().position(|(field, _)| field == name) {
                        Some(n) => {
                            let value = c.expr(inner, fields[n].1);
                            c.op(Op::Modify(n as u8, value));
                        }
                        None => c.findings.unknown(
                            inner.at,
                            "field of this event",
                            name,
                            fields.iter().map(|(f, _)| f.as_str()),
                        ),
                    }
                });
            }
            "lose" => {
                let who = self.who(node);
                self.op(Op::Lose(who));
                self.op(Op::Drain);
            }
            "win" => {
                let (who, reason) = match node.get("who") {
                    Some(inner) => {
                        (self.at("who", |c| c.who(inner)), node.get("reason").and_then(Node::as_text))
                    }
                    None => (self.who(node), None),
                };
                let reason = self.text(reason.unwrap_or("won"));
                self.op(Op::Win(who, reason));
            }
            "finish" => {
                self.only(node, &["reason", "losers"]);
                let reason = self.text(node.get("reason").and_then(Node::as_text).unwrap_or("finished"));
                let losers = self.field(node, "losers", Self::who);
                self.op(Op::Finish(reason, losers));
            }
            "drawGame" => {
                let reason = self.text(node.get("reason").and_then(Node::as_text).unwrap_or("draw"));
                self.op(Op::EndInDraw(reason));
            }
            "extraTurn" => {
                let seat = self.expr(node, Ty::Seat);
                self.op(Op::ExtraTurn(seat));
            }
            "skipTurn" => {
                let seat = self.expr(node, Ty::Seat);
                self.op(Op::SkipTurn(seat));
            }
            "run" => self.run(node),
            "executeAbility" => {
                let source = self.add(Expr::Local(0));
                self.op(Op::RunAbility(source, 1, 2));
            }
            _ => self.findings.unknown(at, "statement", op, STATEMENTS.iter().copied()),
        }
    }
}
