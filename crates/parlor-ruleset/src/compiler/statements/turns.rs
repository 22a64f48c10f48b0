//! Statements about events, turns, steps, and modifiers.

use crate::compiler::Compiler;
use crate::compiler::scope::Bound;
use crate::language::Node;
use crate::machine::ids::{EventType, StepId};
use crate::machine::program::{Durations, Expr, ModifierDef, NONE, Op, STEPS, Ty};
use crate::operations::Operation;

impl<'n> Compiler<'n> {
    /// `{"run": "card.resolve"}`: what a card does when it resolves, with the targets that follow the action's own.
    pub(crate) fn run(&mut self, of: Operation<'n>) {
        let node = of.node;
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
                self.findings.unknown(node.at, "target", name, names.iter().map(String::as_str));
            }
        }
    }

    pub(crate) fn emit(&mut self, of: Operation<'n>) {
        let (op, node) = (of.name, of.node);
        let Some(event) = node.get("event").and_then(|name| self.at("event", |this| this.event_named(name)))
        else {
            return if node.get("event").is_none() {
                self.missing(node, "event")
            };
        };
        if event.index() < crate::compiler::BUILT_IN_EVENTS {
            let name = self.program.events[event].name.clone();
            let help = match name.as_str() {
                "GameEnded" => "end the match with finish, win or drawGame",
                _ => "declare an event of your own in `events`",
            };
            let message = format!("{name} is an event of the engine: it happens by itself");
            self.at("event", |this| this.findings.error_help("event", node.at, message, help));
        }
        self.emitted(event, node.at);
        let fields = self.program.events[event].fields.clone();
        let mut args = Vec::new();
        let payload = node.get("payload");
        for (name, ty) in &fields {
            let given = payload.and_then(|payload| payload.get(name));
            args.push(match given {
                Some(inner) => self.at("payload", |this| this.at(name, |this| this.expr(inner, *ty))),
                None => self.add(Expr::Const(NONE)),
            });
        }
        for (key, _) in payload.map_or(&[][..], Node::fields) {
            if !fields.iter().any(|(name, _)| *name == key.name) {
                self.findings.unknown(
                    key.at,
                    "field of this event",
                    &key.name,
                    fields.iter().map(|(f, _)| f.as_str()),
                );
            }
        }
        let each = node.get("each").and_then(|each| each.fields().first()).map(|(key, _)| key.name.as_str());
        let given =
            |name: &str| payload.is_some_and(|payload| payload.get(name).is_some()) || each == Some(name);
        let lacks: Vec<&str> =
            fields.iter().map(|(name, _)| name.as_str()).filter(|name| !given(name)).collect();
        let lacks: Vec<&str> = lacks.into_iter().filter(|name| !self.may_lack(event, name)).collect();
        if !lacks.is_empty() {
            let message = format!("the payload has no {}", lacks.join(", "));
            let help = "give it, or let the field be left out: its type with a ?, as in \"seat?\"";
            self.findings.warn("payload", node.at, message, help);
        }
        if op == "push" {
            let respond = node.get("respond").and_then(Node::as_bool).unwrap_or(false);
            self.op(Op::Push(event, args.into(), respond));
        } else {
            let mut each = None;
            if let Some((key, inner)) = node.get("each").and_then(|each| each.fields().first()) {
                match fields.iter().position(|(name, _)| *name == key.name) {
                    Some(n) => {
                        let sel = self
                            .at("each", |this| this.at(&key.name, |this| this.sel_of(inner, fields[n].1)));
                        each = Some((sel, n as u8));
                    }
                    None => {
                        self.findings.unknown(
                            key.at,
                            "field of this event",
                            &key.name,
                            fields.iter().map(|(f, _)| f.as_str()),
                        );
                    }
                }
            }
            self.op(Op::Emit(event, args.into(), each));
        }
    }

    /// Whether a field of an event may be left out where it happens.
    fn may_lack(&self, event: EventType, name: &str) -> bool {
        self.optional.contains(&(event, name.to_owned()))
    }

    pub(crate) fn step(&mut self, of: Operation<'n>) {
        let (at, node) = (of.at, of.node);
        self.steps_here(at, "step");
        let Some(id) = node.get("id") else { return self.missing(node, "id") };
        let step = self.at("id", |this| this.expr(id, Ty::Enum(STEPS)));
        let Expr::Const(step) = self.program.exprs[step] else { return };
        let step = StepId::at(step as usize);
        self.op(Op::EnterStep(step));
        self.op(Op::Drain);
        self.field(node, "do", Self::statements);
        self.op(Op::Drain);
        self.op(Op::Priority(step));
        self.op(Op::LeaveStep(step));
        self.op(Op::Drain);
    }

    pub(crate) fn turns(&mut self, of: Operation<'n>) {
        let (at, node) = (of.at, of.node);
        self.steps_here(at, "turns");
        if let Some(order) = node.get("order") {
            let help = "turns go as `players.turnOrder` says; leave seats out with skipTurn, and add turns with extraTurn";
            self.at("order", |this| {
                this.findings.error_help("unknown", order.at, "turns have no order of their own", help)
            });
        }
        let first = match node.get("first") {
            Some(first) if first.as_text() == Some("random") => {
                let slot = self.scope.bind("", Ty::Int);
                let sides = self.add(Expr::Seats);
                self.op(Op::Roll(slot, sides));
                let n = self.add(Expr::Local(slot));
                Some(self.add(Expr::SeatAt(n)))
            }
            Some(first) => Some(self.at("first", |this| this.expr(first, Ty::Seat))),
            None => None,
        };
        let max = self.number(node, "max", 1000);
        let counter = self.scope.bind("", Ty::Int);
        let zero = self.add(Expr::Const(0));
        self.op(Op::Let(counter, zero));
        let top = self.here();
        let again = self.op(Op::Again(counter, max, 0));
        self.breaks.push(Vec::new());
        self.op(Op::BeginTurn(first, counter));
        self.op(Op::Drain);
        if self.field(node, "do", Self::statements).is_none() {
            self.missing(node, "do");
        }
        self.op(Op::EndTurn);
        self.op(Op::Drain);
        self.op(Op::Jump(top));
        self.end_loop(again);
    }

    pub(crate) fn apply(&mut self, of: Operation<'n>) {
        let (op, node) = (of.name, of.node);
        let to = self.need_sel(node, "to", Ty::Ent);
        let changes = self.changes(node);
        let mut keywords = 0;
        let mut without = 0;
        for field in ["keyword", "keywords", "without"] {
            if let Some(inner) = node.get(field) {
                let names: Vec<&Node> =
                    if inner.items().is_empty() { vec![inner] } else { inner.items().iter().collect() };
                for name in names {
                    if let Some(n) = self.at(field, |this| this.keyword(name)) {
                        let bits = if field == "without" { &mut without } else { &mut keywords };
                        *bits |= 1u64 << n;
                    }
                }
            }
        }
        if op == "grant" && keywords == 0 {
            self.missing(node, "keyword");
        }
        let mute = node.get("silence").and_then(Node::as_bool).unwrap_or(false);
        let until = self.duration(node);
        self.op(Op::Apply(Box::new(ModifierDef { to, changes, keywords, without, mute, until })));
    }

    pub(in crate::compiler) fn duration(&mut self, node: &Node) -> Durations {
        self.duration_or(node, &[])
    }

    /// How long, where other words are known too.
    pub(in crate::compiler) fn duration_or(&mut self, node: &Node, more: &[&'static str]) -> Durations {
        let Some(until) = node.get("until") else { return Durations::Permanent };
        if let Some(rounds) = until.get("rounds").and_then(Node::as_int) {
            return Durations::Rounds(rounds.clamp(0, 1000) as u16);
        }
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
                let known = more.iter().copied().chain(NAMES.iter().map(|(name, _)| *name));
                self.at("until", |this| this.findings.unknown(until.at, "duration", text, known));
                Durations::Permanent
            }
        }
    }
}
