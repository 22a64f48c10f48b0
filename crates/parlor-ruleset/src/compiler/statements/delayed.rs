//! Statements whose effect waits or lasts: delayed triggers, cards seen for some time, and items on the stack.

use crate::compiler::Compiler;
use crate::compiler::implicit_seat::Left;
use crate::language::Node;
use crate::machine::ids::TriggerId;
use crate::machine::program::{Durations, Op, To, TriggerDef, Ty, Who, ZonePosition};
use crate::operations::Operation;

impl<'n> Compiler<'n> {
    /// Whether something comes to lie at the bottom.
    pub(in crate::compiler) fn at_bottom(&mut self, node: &'n Node) -> bool {
        let Some(end) = node.get("at") else { return false };
        let text = end.as_text().unwrap_or("?");
        if !["top", "bottom"].contains(&text) {
            self.at("at", |this| this.findings.unknown(end.at, "end of a zone", text, ["top", "bottom"]));
        }
        text == "bottom"
    }

    /// Where in a zone something comes to lie.
    pub(in crate::compiler) fn place(&mut self, node: &'n Node, to: To, bottom: bool) -> ZonePosition {
        let down = node.get("faceDown").and_then(Node::as_bool) == Some(true);
        if let Some(cell) = node.get("cell") {
            if self.program.zones[to.zone].grid.is_none() {
                self.findings.error_help(
                    "grid",
                    cell.at,
                    "this zone has no cells",
                    "add \"grid\": [columns, rows]",
                );
            }
            let cell = self.at("cell", |this| this.expr(cell, Ty::Int));
            return if down { ZonePosition::CellDown(cell) } else { ZonePosition::Cell(cell) };
        }
        match (bottom, down) {
            (false, false) => ZonePosition::Top,
            (false, true) => ZonePosition::TopDown,
            (true, false) => ZonePosition::Bottom,
            (true, true) => ZonePosition::BottomDown,
        }
    }

    /// `{"peek": {what, to, until?}}`: seen for some time, or until it moves.
    pub(crate) fn peek(&mut self, of: Operation<'n>) {
        let node = of.node;
        let what = self.need_sel(node, "what", Ty::Ent);
        let who = match self.field(node, "to", Self::who) {
            Some(who) => who,
            None => Who::One(self.you(node.at, Left::Field("to"))),
        };
        let until = match node.get("until").and_then(Node::as_text) {
            Some("moves") => Durations::Permanent,
            _ => self.duration_or(node, &["moves"]),
        };
        self.op(Op::Peek(what, who, until));
    }

    /// `{"later": {on: {event, where}, do, once?, until?}}`: a trigger that waits, with the names that are bound here.
    pub(crate) fn later(&mut self, of: Operation<'n>) {
        let node = of.node;
        let id = node.get("id").and_then(Node::as_text).unwrap_or("later").to_owned();
        let Some((event, before, when)) = self.pattern(node) else { return };
        let outer = self.event.replace(event);
        let still = self.field(node, "if", |this, inner| this.expr(inner, Ty::Bool));
        self.event = outer;
        if node.get("do").is_none() {
            self.missing(node, "do");
        }
        // Its code stands aside: the code that makes it jumps over it.
        let over = self.op(Op::Jump(0));
        let scope = self.scope.clone();
        let code = self.block(false, Some(event), &[], |this| {
            this.scope = scope;
            this.field(node, "do", Self::statements);
        });
        self.land(over);
        let n = TriggerId::at(self.program.triggers.len());
        let respond = node.get("respond").and_then(Node::as_bool).unwrap_or(self.program.respond_to_triggers);
        self.program.triggers.push(TriggerDef {
            id,
            ability: false,
            delayed: true,
            event,
            before,
            when,
            recheck: false,
            still,
            zones: u64::MAX,
            limit: None,
            code,
            aim: None,
            targets: Vec::new(),
            respond,
        });
        self.program.events[event].triggers.push(n);
        let once = node.get("once").and_then(Node::as_bool).unwrap_or(true);
        let until = self.duration(node);
        self.op(Op::Later(n, once, until));
    }

    /// A trigger of one card that another uses.
    pub(crate) fn activate(&mut self, of: Operation<'n>) {
        let node = of.node;
        let card = self.need(node, "of", Ty::Ent);
        let Some(name) = node.get("trigger").and_then(Node::as_text) else {
            return self.missing(node, "trigger");
        };
        let known = self.trigger_names.clone();
        if !known.iter().any(|other| other == name) {
            self.findings.unknown(node.at, "trigger of a card", name, known.iter().map(String::as_str));
        }
        let name = self.text(name);
        let this = self.field(node, "as", |this, inner| this.expr(inner, Ty::Ent));
        let this = this.unwrap_or_else(|| self.this(node.at, "as"));
        self.op(Op::Activate(card, name, this));
    }

    /// Names of the triggers that cards and keywords have, before anything may speak of them.
    pub(in crate::compiler) fn name_triggers(&mut self, root: &'n Node) {
        for section in ["cards", "keywords"] {
            for (_, node) in root.get(section).map_or(&[][..], Node::fields) {
                for trigger in node.get("triggers").map_or(&[][..], Node::items) {
                    self.trigger_names.extend(trigger.get("id").and_then(Node::as_text).map(str::to_owned));
                }
                for field in ["etb", "leaves"] {
                    self.trigger_names.extend(node.get(field).map(|_| field.to_owned()));
                }
            }
        }
        self.trigger_names.sort();
        self.trigger_names.dedup();
    }
}
