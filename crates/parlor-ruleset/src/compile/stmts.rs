//! Statements.

use super::Compiler;
use super::exprs::plain;
use super::scope::Bound;
use crate::ir::Node;
use crate::limits::CALL_DEPTH_MAX;
use crate::program::{
    AskDef, AskKind, AskMode, Durations, Expr, ExprId, Fallback, NONE, Op, Place, STEPS, Source, To, Ty, Who,
};

/// Every statement by its name, for suggestions.
pub(crate) const STATEMENTS: &[&str] = &[
    "set",
    "add",
    "setAttr",
    "addCounter",
    "removeCounter",
    "move",
    "moveAll",
    "deal",
    "dealOut",
    "draw",
    "shuffle",
    "create",
    "reveal",
    "peek",
    "emit",
    "push",
    "batch",
    "atomic",
    "if",
    "forEach",
    "repeat",
    "loop",
    "break",
    "call",
    "let",
    "run",
    "executeAbility",
    "ask",
    "wait",
    "step",
    "turns",
    "priority",
    "apply",
    "grant",
    "pay",
    "counterItem",
    "prevent",
    "preventEvent",
    "modifyEvent",
    "lose",
    "win",
    "finish",
    "drawGame",
    "extraTurn",
    "skipTurn",
    "roll",
    "disclose",
    "control",
    "do",
    "mix",
];

impl<'n> Compiler<'n> {
    /// One statement after another.
    pub(super) fn statements(&mut self, node: &'n Node) {
        let mark = self.scope.mark();
        if node.items().is_empty() && !node.fields().is_empty() {
            self.statement(node);
        } else {
            if !matches!(node.value, crate::ir::Value::List(_)) {
                self.expect(node, "a list of statements");
            }
            let mut gone = false;
            for (n, item) in node.items().iter().enumerate() {
                if gone {
                    self.at(n, |c| {
                        c.f.warn(
                            "unreachable",
                            item.at,
                            "this is never reached",
                            "something before it always ends here",
                        )
                    });
                }
                self.at(n, |c| c.statement(item));
                gone = item.get("break").is_some() || item.get("finish").is_some();
            }
        }
        self.scope.back(mark);
    }

    fn statement(&mut self, node: &'n Node) {
        if self.full() {
            return;
        }
        let mut fields = node.fields().iter().filter(|(key, _)| !key.name.starts_with("//"));
        let (Some((key, inner)), None) = (fields.next(), fields.next()) else {
            self.f.error_help(
                "shape",
                node.at,
                "a statement is an object with one field",
                "write {\"op\": …}",
            );
            return;
        };
        self.at(&key.name, |c| c.perform(&key.name, key.at, inner));
    }

    fn missing(&mut self, node: &Node, name: &str) {
        self.f.error("shape", node.at, format!("`{name}` is missing"));
    }

    fn need(&mut self, node: &'n Node, name: &str, ty: Ty) -> ExprId {
        match self.field(node, name, |c, inner| c.expr(inner, ty)) {
            Some(id) => id,
            None => {
                self.missing(node, name);
                self.add(Expr::Const(0))
            }
        }
    }

    fn need_sel(&mut self, node: &'n Node, name: &str, ty: Ty) -> u32 {
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
            self.f.error("type", node.at, format!("{want} is expected here, and this is {got}"));
        }
        sel
    }

    fn need_to(&mut self, node: &'n Node, name: &str) -> To {
        match self.field(node, name, Self::to) {
            Some(Some(to)) => to,
            Some(None) => To { zone: 0, of: None },
            None => {
                self.missing(node, name);
                To { zone: 0, of: None }
            }
        }
    }

    fn number(&mut self, node: &'n Node, name: &str, default: i64) -> ExprId {
        match self.field(node, name, |c, inner| c.expr(inner, Ty::Int)) {
            Some(id) => id,
            None => self.add(Expr::Const(default)),
        }
    }

    fn asks_here(&mut self, at: u32) {
        if self.sync {
            self.f.error_help(
                "ask",
                at,
                "nothing can be asked here",
                "events, replaces, checks, costs and `on` happen at once: ask in the flow, an action or a trigger",
            );
        }
    }

    fn perform(&mut self, op: &str, at: u32, node: &'n Node) {
        match op {
            "set" => {
                self.only(node, &["var", "to"]);
                let Some(Some((var, of))) = self.field(node, "var", Self::var_ref) else { return };
                let ty = self.p.vars[usize::from(var)].ty;
                let value = self.need(node, "to", ty);
                self.op(Op::SetVar(var, of, value));
            }
            "add" => {
                self.only(node, &["var", "by"]);
                let Some(Some((var, of))) = self.field(node, "var", Self::var_ref) else { return };
                let by = self.need(node, "by", Ty::Int);
                self.op(Op::AddVar(var, of, by));
            }
            "pay" => {
                self.only(node, &["var", "amount"]);
                let Some(Some((var, of))) = self.field(node, "var", Self::var_ref) else { return };
                let amount = self.need(node, "amount", Ty::Int);
                self.op(Op::Pay(var, of, amount));
            }
            "setAttr" => {
                self.only(node, &["of", "attr", "to"]);
                let of = self.need_sel(node, "of", Ty::Ent);
                let Some(Some(attr)) = self.field(node, "attr", |c, inner| c.attribute(inner)) else {
                    return;
                };
                let def = &self.p.attrs[usize::from(attr)];
                let ty = def.ty;
                if !matches!(def.kind, crate::program::AttrKind::Kept(_)) {
                    self.f.error_help(
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
                let Some(Some(kind)) = self.field(node, "counter", |c, inner| c.counter(inner)) else {
                    return;
                };
                let mut n = self.number(node, "n", 1);
                if op == "removeCounter" {
                    let zero = self.add(Expr::Const(0));
                    n = self.add(Expr::Sub(zero, n));
                }
                self.op(Op::AddCounter(to, kind, n));
            }
            "move" | "moveAll" => {
                self.only(node, &["what", "from", "to", "at", "by"]);
                let what = self.need_sel(node, if op == "move" { "what" } else { "from" }, Ty::Ent);
                if op == "moveAll" {
                    // From several places at once: in the order of their numbers, so that a deck is gathered the same.
                    self.p.sels[what as usize].sorted = true;
                }
                let to = self.need_to(node, "to");
                let bottom = node.get("at").and_then(Node::as_text) == Some("bottom");
                let by = self.field(node, "by", |c, inner| c.expr(inner, Ty::Seat));
                self.op(Op::Move(what, to, if bottom { Place::Bottom } else { Place::Top }, by));
                self.op(Op::Drain);
            }
            "deal" | "dealOut" => {
                self.only(node, &["from", "to", "seats", "n"]);
                let from = self.need_to(node, "from");
                let Some(Some(to)) = self.field(node, "to", |c, inner| c.zone(inner)) else { return };
                if !self.p.zones[usize::from(to)].per_player {
                    return self.f.error_help(
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
                            let found = c.p.zones.iter().position(|zone| zone.name == default);
                            if found.is_none() {
                                c.missing(node, field);
                            }
                            found? as u16
                        }
                    };
                    let of = c.p.zones[usize::from(zone)].per_player.then_some(seat);
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
                self.only(node, &["cards", "card", "to", "n"]);
                let kinds = match (node.get("cards"), node.get("card")) {
                    (_, Some(card)) => {
                        let card = self.at("card", |c| c.expr(card, Ty::Enum(crate::program::CARDS)));
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
                self.op(Op::Create(kinds, to, n));
                self.op(Op::Drain);
            }
            "reveal" | "peek" => {
                self.only(node, &["what", "to"]);
                let (what, who) = if node.get("what").is_some() {
                    (self.need_sel(node, "what", Ty::Ent), self.field(node, "to", Self::who))
                } else {
                    (self.sel_of(node, Ty::Ent), None)
                };
                self.op(Op::Reveal(what, who));
            }
            "control" => {
                let what = self.need_sel(node, "what", Ty::Ent);
                let seat = self.need(node, "to", Ty::Seat);
                self.op(Op::Control(what, seat));
            }
            "emit" | "push" => self.emit(op, node),
            "batch" => {
                self.op(Op::BatchStart);
                self.statements(node);
                self.op(Op::BatchEnd);
                self.op(Op::Drain);
            }
            "atomic" => {
                self.op(Op::AtomicStart);
                self.statements(node);
                self.op(Op::AtomicEnd);
                self.op(Op::Drain);
            }
            "do" => self.statements(node),
            "if" => self.branch(node),
            "forEach" => self.for_each(node),
            "repeat" => self.repeat(node),
            "loop" => self.looped(at, node),
            "break" => {
                let jump = self.op(Op::Jump(0));
                match self.breaks.last_mut() {
                    Some(list) => list.push(jump),
                    None => self.f.error("break", at, "there is no loop around this"),
                }
            }
            "call" => self.call(node),
            "let" => self.bind(node),
            "mix" => {
                if let Some(Bound::List(slot, _)) = node.as_text().and_then(|name| self.scope.find(name)) {
                    self.op(Op::Mix(slot));
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
                    return self.f.error("event", at, "no event is known here");
                };
                let fields = self.p.events[usize::from(event)].fields.clone();
                self.each_field(node, |c, name, inner| {
                    match fields.iter().position(|(field, _)| field == name) {
                        Some(n) => {
                            let value = c.expr(inner, fields[n].1);
                            c.op(Op::Modify(n as u8, value));
                        }
                        None => c.f.unknown(
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
                self.op(Op::Draw0(reason));
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
            _ => self.f.unknown(at, "statement", op, STATEMENTS.iter().copied()),
        }
    }

    /// `{"run": "card.resolve"}`: what a card does when it resolves, with the targets that follow the action's own.
    fn run(&mut self, node: &'n Node) {
        let Some(name) = node.as_text().map(|text| text.trim_end_matches(".resolve")) else {
            return self.expect(node, "the name of a target");
        };
        match self.scope.find(name) {
            Some(Bound::Local(slot, _)) => {
                let card = self.add(Expr::Local(slot));
                self.op(Op::Run(card, slot + 1));
            }
            _ => {
                let names = self.scope.names();
                self.f.unknown(node.at, "target", name, names.iter().map(String::as_str));
            }
        }
    }

    fn emit(&mut self, op: &str, node: &'n Node) {
        self.only(node, &["event", "payload", "each"]);
        let Some(event) = node.get("event").and_then(|name| self.at("event", |c| c.event_named(name))) else {
            return if node.get("event").is_none() {
                self.missing(node, "event")
            };
        };
        let fields = self.p.events[usize::from(event)].fields.clone();
        let mut args = Vec::new();
        let payload = node.get("payload");
        for (name, ty) in &fields {
            let given = payload.and_then(|payload| payload.get(name));
            args.push(match given {
                Some(inner) => self.at("payload", |c| c.at(name, |c| c.expr(inner, *ty))),
                None => self.add(Expr::Const(NONE)),
            });
        }
        for (key, _) in payload.map_or(&[][..], Node::fields) {
            if !fields.iter().any(|(name, _)| *name == key.name) {
                self.f.unknown(
                    key.at,
                    "field of this event",
                    &key.name,
                    fields.iter().map(|(f, _)| f.as_str()),
                );
            }
        }
        if op == "push" {
            self.op(Op::Push(event, args));
        } else {
            let mut each = None;
            if let Some((key, inner)) = node.get("each").and_then(|each| each.fields().first()) {
                match fields.iter().position(|(name, _)| *name == key.name) {
                    Some(n) => {
                        let sel = self.at("each", |c| c.at(&key.name, |c| c.sel_of(inner, fields[n].1)));
                        each = Some((sel, n as u8));
                    }
                    None => {
                        self.f.unknown(
                            key.at,
                            "field of this event",
                            &key.name,
                            fields.iter().map(|(f, _)| f.as_str()),
                        );
                    }
                }
            }
            self.op(Op::Emit(event, args, each));
        }
        self.op(Op::Drain);
    }

    fn branch(&mut self, node: &'n Node) {
        let (condition, then, other) = match node.items() {
            [condition, then] => (condition, then, None),
            [condition, then, other] => (condition, then, Some(other)),
            _ => return self.expect(node, "[condition, then] or [condition, then, else]"),
        };
        let condition = self.at(0, |c| c.expr(condition, Ty::Bool));
        let skip = self.op(Op::Unless(condition, 0));
        self.at(1, |c| c.statements(then));
        match other {
            None => self.land(skip),
            Some(other) => {
                let end = self.op(Op::Jump(0));
                self.land(skip);
                self.at(2, |c| c.statements(other));
                self.land(end);
            }
        }
    }

    /// A jump goes to here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        match self.p.code.get_mut(jump) {
            Some(Op::Jump(to) | Op::Unless(_, to) | Op::Next(_, _, _, to) | Op::Again(_, _, to)) => {
                *to = here
            }
            _ => {}
        }
    }

    fn end_loop(&mut self, exit: usize) {
        self.land(exit);
        for jump in self.breaks.pop().unwrap_or_default() {
            self.land(jump);
        }
    }

    fn for_each(&mut self, node: &'n Node) {
        self.only(node, &["seats", "entities", "in", "as", "do", "from", "n"]);
        let mark = self.scope.mark();
        let (sel, ty) = if let Some(inner) = node.get("entities").or_else(|| node.get("in")) {
            self.at("entities", |c| c.select(inner, Ty::Ent))
        } else if let Some(seats) = node.get("seats") {
            let who = self.at("seats", |c| c.who(seats));
            (self.add_sel(plain(Source::Seats(who))), Ty::Seat)
        } else {
            return self.missing(node, "in");
        };
        let list = self.scope.bind_list("", ty);
        let counter = self.scope.bind("", Ty::Int);
        self.op(Op::LetList(list, sel));
        let zero = self.add(Expr::Const(0));
        self.op(Op::Let(counter, zero));
        let name = node.get("as").and_then(Node::as_text).unwrap_or("it");
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

    fn repeat(&mut self, node: &'n Node) {
        self.only(node, &["n", "as", "do"]);
        let mark = self.scope.mark();
        let n = self.need(node, "n", Ty::Int);
        let counter = self.scope.bind("", Ty::Int);
        let minus = self.add(Expr::Const(0));
        self.op(Op::Let(counter, minus));
        let top = self.here();
        let again = self.op(Op::Again(counter, n, 0));
        if let Some(name) = node.get("as").and_then(Node::as_text) {
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

    fn looped(&mut self, at: u32, node: &'n Node) {
        self.only(node, &["max", "until", "while", "do"]);
        let mark = self.scope.mark();
        if node.get("max").is_none() {
            self.f.error_help("bound", at, "a loop without a bound", "say how often at most: \"max\": 100");
        }
        let max = self.number(node, "max", 0);
        let counter = self.scope.bind("", Ty::Int);
        let zero = self.add(Expr::Const(0));
        self.op(Op::Let(counter, zero));
        let top = self.here();
        let again = self.op(Op::Again(counter, max, 0));
        self.breaks.push(Vec::new());
        let until = self.field(node, "until", |c, inner| c.expr(inner, Ty::Bool));
        let wanted = match until {
            Some(until) => Some(self.add(Expr::Not(until))),
            None => self.field(node, "while", |c, inner| c.expr(inner, Ty::Bool)),
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

    fn call(&mut self, node: &'n Node) {
        let Some(name) = node.as_text() else { return self.expect(node, "the name of a procedure") };
        let Some(body) = self.procs.get(name).copied() else {
            let names: Vec<String> = self.procs.keys().cloned().collect();
            return self.f.unknown(node.at, "procedure", name, names.iter().map(String::as_str));
        };
        if self.calling.iter().any(|other| other == name) || self.calling.len() >= CALL_DEPTH_MAX {
            return self.f.error_help(
                "recursion",
                node.at,
                format!("{name} calls itself"),
                "procedures are put in place of their calls: use a loop with a `max`",
            );
        }
        self.called.push(name.to_owned());
        self.calling.push(name.to_owned());
        let path = self.f.go(vec!["procs".to_owned(), name.to_owned()]);
        self.statements(body);
        self.f.go(path);
        self.calling.pop();
    }

    fn bind(&mut self, node: &'n Node) {
        self.only(node, &["as", "to", "list"]);
        let Some(name) = node.get("as").and_then(Node::as_text) else { return self.missing(node, "as") };
        if let Some(list) = node.get("list") {
            let (sel, ty) = self.at("list", |c| c.select(list, Ty::Any));
            let slot = self.scope.bind_list(name, ty);
            self.op(Op::LetList(slot, sel));
            return;
        }
        let Some(to) = node.get("to") else { return self.missing(node, "to") };
        let (value, ty) = self.at("to", |c| c.typed(to, Ty::Any));
        let slot = match self.scope.find(name) {
            // The same name again is the same local: a value can be carried round a loop.
            Some(Bound::Local(slot, old)) if Self::fits(old, ty) => slot,
            _ => self.scope.bind(name, ty),
        };
        self.op(Op::Let(slot, value));
    }

    fn step(&mut self, at: u32, node: &'n Node) {
        self.asks_here(at);
        self.only(node, &["id", "name", "do", "priority", "phase", "mandatory"]);
        let Some(id) = node.get("id") else { return self.missing(node, "id") };
        let step = self.at("id", |c| c.expr(id, Ty::Enum(STEPS)));
        let Expr::Const(step) = self.p.exprs[step as usize] else { return };
        let step = step as u16;
        self.op(Op::EnterStep(step));
        self.op(Op::Drain);
        self.field(node, "do", Self::statements);
        self.op(Op::Drain);
        self.op(Op::Priority(step));
        self.op(Op::LeaveStep(step));
        self.op(Op::Drain);
    }

    fn turns(&mut self, at: u32, node: &'n Node) {
        self.asks_here(at);
        self.only(node, &["first", "do", "max", "order"]);
        let first = match node.get("first") {
            Some(first) if first.as_text() == Some("random") => {
                let slot = self.scope.bind("", Ty::Int);
                let sides = self.add(Expr::Seats);
                self.op(Op::Roll(slot, sides));
                let n = self.add(Expr::Local(slot));
                Some(self.add(Expr::SeatAt(n)))
            }
            Some(first) => Some(self.at("first", |c| c.expr(first, Ty::Seat))),
            None => None,
        };
        let max = self.number(node, "max", 1000);
        let counter = self.scope.bind("", Ty::Int);
        let zero = self.add(Expr::Const(0));
        self.op(Op::Let(counter, zero));
        let top = self.here();
        let again = self.op(Op::Again(counter, max, 0));
        self.breaks.push(Vec::new());
        self.op(Op::BeginTurn(first));
        self.op(Op::Drain);
        if self.field(node, "do", Self::statements).is_none() {
            self.missing(node, "do");
        }
        self.op(Op::EndTurn);
        self.op(Op::Drain);
        self.op(Op::Jump(top));
        self.end_loop(again);
    }

    fn apply(&mut self, op: &str, node: &'n Node) {
        self.only(node, &["to", "modify", "set", "keyword", "keywords", "until"]);
        let to = self.need_sel(node, "to", Ty::Ent);
        let mut changes = Vec::new();
        for (field, set) in [("modify", false), ("set", true)] {
            if let Some(inner) = node.get(field) {
                self.at(field, |c| {
                    c.each_field(inner, |c, name, value| {
                        let Some(attr) = c.p.attrs.iter().position(|def| def.name == name) else {
                            let names: Vec<String> = c.p.attrs.iter().map(|def| def.name.clone()).collect();
                            return c.f.unknown(
                                value.at,
                                "attribute",
                                name,
                                names.iter().map(String::as_str),
                            );
                        };
                        let ty = c.p.attrs[attr].ty;
                        let value = c.expr(value, ty);
                        changes.push((attr as u16, set, value));
                    });
                });
            }
        }
        let mut keywords = 0;
        for field in ["keyword", "keywords"] {
            if let Some(inner) = node.get(field) {
                let names: Vec<&Node> =
                    if inner.items().is_empty() { vec![inner] } else { inner.items().iter().collect() };
                for name in names {
                    if let Some(n) = self.at(field, |c| c.keyword(name)) {
                        keywords |= 1u64 << n;
                    }
                }
            }
        }
        if op == "grant" && keywords == 0 {
            self.missing(node, "keyword");
        }
        let until = self.duration(node);
        self.op(Op::Apply(to, changes, keywords, until));
    }

    fn duration(&mut self, node: &Node) -> Durations {
        let Some(until) = node.get("until") else { return Durations::Permanent };
        if let Some(turns) = until.get("turns").and_then(Node::as_int) {
            return Durations::Turns(turns.clamp(0, 1000) as u16);
        }
        const NAMES: [(&str, Durations); 5] = [
            ("turnEnd", Durations::TurnEnd),
            ("stepEnd", Durations::StepEnd),
            ("untilYourNextTurn", Durations::YourNextTurn),
            ("whileSourceInPlay", Durations::WhileSource),
            ("permanently", Durations::Permanent),
        ];
        let text = until.as_text().unwrap_or("");
        match NAMES.iter().find(|(name, _)| *name == text) {
            Some((_, duration)) => *duration,
            None => {
                self.f.unknown(until.at, "duration", text, NAMES.iter().map(|(name, _)| *name));
                Durations::Permanent
            }
        }
    }

    fn ask(&mut self, at: u32, node: &'n Node) {
        self.asks_here(at);
        const KNOWN: &[&str] = &[
            "id",
            "who",
            "mode",
            "pick",
            "slots",
            "order",
            "number",
            "confirm",
            "modes",
            "distribute",
            "prompt",
            "as",
            "timeout",
            "drafts",
            "closes",
            "alive",
            "auto",
            "reveal",
            "ui",
        ];
        self.only(node, KNOWN);
        let id = node.get("id").and_then(Node::as_text).unwrap_or("ask").to_owned();
        let who = match self.field(node, "who", Self::who) {
            Some(who) => who,
            None => {
                let you = self.add(Expr::You);
                Who::One(you)
            }
        };
        let mode = match node.get("mode").and_then(Node::as_text) {
            None | Some("one") => AskMode::One,
            Some("all") => AskMode::All,
            Some("any") => AskMode::Any,
            Some(other) => {
                self.f.unknown(at, "mode", other, ["one", "all", "any"]);
                AskMode::One
            }
        };
        let Some(asked) = self.scope.deeper() else {
            return self.f.error("limit", at, "selections are nested deeper than it_depth_max");
        };
        let mark = self.scope.mark();
        self.scope.alias("asked", Bound::It(asked, Ty::Seat));
        let mut def = AskDef {
            prompt: node.get("prompt").and_then(Node::as_text).unwrap_or(&id).to_owned(),
            id,
            kind: AskKind::Confirm,
            who,
            mode,
            from: None,
            asked,
            min: self.add(Expr::Const(1)),
            max: self.add(Expr::Const(1)),
            modes: Vec::new(),
            answer: 0,
            ms: None,
            fallback: Fallback::First,
            deadline: node.get("closes").and_then(Node::as_text) == Some("deadline"),
            drafts: node.get("drafts").is_some_and(|drafts| drafts.as_bool() != Some(false)),
            alive: node.get("alive").and_then(Node::as_bool).unwrap_or(false),
            auto: node.get("auto").and_then(Node::as_bool).unwrap_or(false),
        };
        let ty = self.ask_kind(at, node, &mut def);
        self.scope.back(mark);
        self.scope.shallower();
        if let Some(timeout) = node.get("timeout") {
            self.at("timeout", |c| c.timeout(timeout, &mut def));
        }
        if def.deadline && def.ms.is_none() {
            self.f.error_help("deadline", at, "it closes at its deadline and has none", "add a `timeout`");
        }
        let name = node.get("as").and_then(Node::as_text).unwrap_or("").to_owned();
        let slot = match self.p.answers.iter().position(|other| *other == name && !name.is_empty()) {
            Some(slot) => slot as u16,
            None => {
                self.p.answers.push(name.clone());
                (self.p.answers.len() - 1) as u16
            }
        };
        def.answer = slot;
        let single = !matches!(def.kind, AskKind::Slots(_) | AskKind::Order | AskKind::Distribute)
            && self.p.exprs[def.max as usize] == Expr::Const(1)
            || matches!(def.kind, AskKind::Confirm | AskKind::Mode | AskKind::Number);
        let one = def.mode == AskMode::One;
        let asked_seat = match def.who {
            Who::One(seat) => Some(seat),
            _ => None,
        };
        self.p.asks.push(def);
        let n = (self.p.asks.len() - 1) as u16;
        self.op(Op::Ask(n));
        if name.is_empty() {
            return;
        }
        self.scope.alias(&format!("?{name}"), Bound::Answer(slot, ty, single));
        if let (true, true, Some(seat)) = (single, one, asked_seat) {
            let local = self.scope.bind(&name, ty);
            let value = self.add(Expr::Answer(slot, seat));
            self.op(Op::Let(local, value));
        } else if let (true, Some(seat)) = (one, asked_seat) {
            let list = self.scope.bind_list(&name, ty);
            let sel = self.add_sel(plain(Source::Answer(slot, seat)));
            self.op(Op::LetList(list, sel));
        }
    }

    /// How it is answered, and what the answer is made of.
    fn ask_kind(&mut self, at: u32, node: &'n Node, def: &mut AskDef) -> Ty {
        if let Some(pick) = node.get("pick") {
            return self.at("pick", |c| {
                def.kind = AskKind::Pick;
                let (sel, ty) = match pick.get("from") {
                    Some(_) => c.select_pick(pick),
                    None => c.select(pick, Ty::Any),
                };
                def.from = Some(sel);
                let n = c.field(pick, "count", |c, inner| c.expr(inner, Ty::Int));
                let min = c.field(pick, "min", |c, inner| c.expr(inner, Ty::Int));
                let max = c.field(pick, "max", |c, inner| c.expr(inner, Ty::Int));
                def.min = n.or(min).unwrap_or(def.min);
                def.max = n.or(max).unwrap_or(def.max);
                ty
            });
        }
        if let Some(slots) = node.get("slots") {
            return self.at("slots", |c| {
                c.only(slots, &["n", "from"]);
                let n = slots.get("n").and_then(Node::as_int).unwrap_or(0);
                if !(1..=64).contains(&n) {
                    c.f.error("shape", slots.at, "`n` is the number of places: 1 to 64");
                }
                def.kind = AskKind::Slots(n.clamp(1, 64) as u8);
                def.from = Some(c.need_sel(slots, "from", Ty::Ent));
                Ty::Ent
            });
        }
        if let Some(order) = node.get("order") {
            def.kind = AskKind::Order;
            let (sel, ty) = self.at("order", |c| c.select(order, Ty::Any));
            def.from = Some(sel);
            return ty;
        }
        if let Some(number) = node.get("number") {
            def.kind = AskKind::Number;
            self.at("number", |c| {
                c.only(number, &["min", "max"]);
                def.min = c.need(number, "min", Ty::Int);
                def.max = c.need(number, "max", Ty::Int);
            });
            return Ty::Int;
        }
        if let Some(modes) = node.get("modes") {
            def.kind = AskKind::Mode;
            def.modes = modes.items().iter().filter_map(Node::as_text).map(str::to_owned).collect();
            if def.modes.is_empty() {
                self.f.error("shape", modes.at, "a list of names is expected here");
            }
            return Ty::Int;
        }
        if let Some(distribute) = node.get("distribute") {
            def.kind = AskKind::Distribute;
            self.at("distribute", |c| {
                c.only(distribute, &["from", "sum"]);
                def.from = Some(c.need_sel(distribute, "from", Ty::Any));
                def.max = c.need(distribute, "sum", Ty::Int);
            });
            return Ty::Int;
        }
        if node.get("confirm").is_none() {
            self.f.error_help(
                "ask",
                at,
                "it does not say how it is answered",
                "one of pick, slots, order, number, confirm, modes, distribute",
            );
        }
        Ty::Bool
    }

    /// `{"from": …, "prefer": …, "min", "max"}`: the options of a pick stand beside its `from`.
    fn select_pick(&mut self, pick: &'n Node) -> (u32, Ty) {
        let beside = ["where", "prefer", "exclude"].iter().any(|name| pick.get(name).is_some());
        match pick.get("from") {
            Some(from) if !beside => self.at("from", |c| c.select(from, Ty::Any)),
            _ => self.select(pick, Ty::Any),
        }
    }

    fn timeout(&mut self, node: &'n Node, def: &mut AskDef) {
        if node.as_int().is_some() {
            def.ms = Some(self.expr(node, Ty::Int));
            return;
        }
        self.only(node, &["ms", "default"]);
        def.ms = Some(self.need(node, "ms", Ty::Int));
        def.fallback = match node.get("default").and_then(Node::as_text) {
            None | Some("first") => Fallback::First,
            Some("random") => Fallback::Random,
            Some("pass") => Fallback::Pass,
            Some("lastDraft" | "lastDraftOrEmpty") => Fallback::Draft,
            Some(other) => {
                let known = ["first", "random", "pass", "lastDraft"];
                self.f.unknown(node.at, "default", other, known);
                Fallback::First
            }
        };
    }
}
