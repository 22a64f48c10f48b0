//! Replacements and prohibitions: what changes an event before it happens, or keeps it from happening.

use super::Compiler;
use crate::language::Node;
use crate::machine::ids::{EventType, ReplaceId};
use crate::machine::program::{ExprId, ReplaceDef, Ty};

impl<'n> Compiler<'n> {
    /// The event that a replacement or a prohibition is about, and what must hold.
    fn about(&mut self, node: &'n Node) -> Option<(EventType, Option<ExprId>)> {
        let Some(name) = node.get("event") else {
            let (event, _, when) = self.pattern(node)?;
            return Some((event, when));
        };
        let event = self.at("event", |this| this.event_named(name))?;
        let outer = self.event.replace(event);
        let when = self.field(node, "where", |this, inner| this.expr(inner, Ty::Bool));
        self.event = outer;
        Some((event, when))
    }

    pub(super) fn replacement(&mut self, node: &'n Node, ability: bool) -> Option<ReplaceId> {
        self.only_part(node, "replacement");
        let id = node.get("id").and_then(Node::as_text).unwrap_or("replace").to_owned();
        let (event, when) = self.about(node)?;
        let limit = self.limit(node);
        let default = self.open_zones();
        let zones = self.zone_bits(node, if node.get("zones").is_some() { "zones" } else { "zone" }, default);
        let outer = self.event.replace(event);
        let chooser = self.field(node, "chooser", |this, inner| this.expr(inner, Ty::Seat));
        self.event = outer;
        let optional = (node.get("optional").and_then(Node::as_bool) == Some(true)).then(|| {
            let prompt = node.get("prompt").and_then(Node::as_text);
            prompt.map_or_else(|| format!("Use {id}?"), str::to_owned)
        });
        if chooser.is_some() && optional.is_none() {
            self.findings.warn("chooser", node.at, "nothing is chosen here", "add \"optional\": true");
        }
        self.program.chooses |= optional.is_some();
        let instead = node.get("instead").is_some();
        if instead == node.get("do").is_some() {
            let help = "`do` changes or prevents the event, `instead` is what happens in its place";
            self.findings.error_help("shape", node.at, "a replacement has either `do` or `instead`", help);
        }
        let code = self.block(true, Some(event), &[], |this| {
            this.field(node, if instead { "instead" } else { "do" }, Self::statements);
        });
        let def = ReplaceDef {
            id,
            ability,
            event,
            when,
            zones,
            limit,
            forbids: false,
            instead,
            optional,
            chooser,
            code,
        };
        Some(self.new_replacement(def))
    }

    fn new_replacement(&mut self, def: ReplaceDef) -> ReplaceId {
        let n = ReplaceId::at(self.program.replaces.len());
        let event = &mut self.program.events[def.event];
        event.replaces.push(n);
        event.forbidden |= def.forbids;
        self.program.replaces.push(def);
        n
    }

    /// Something that cannot happen: an event that is prevented, an action that cannot be begun.
    pub(super) fn prohibition(&mut self, node: &'n Node, ability: bool) -> Option<ReplaceId> {
        self.only_part(node, "prohibition");
        let id = node.get("id").and_then(Node::as_text).unwrap_or("cannot").to_owned();
        let (event, when) = self.about(node)?;
        let default = self.open_zones();
        let zones = self.zone_bits(node, if node.get("zones").is_some() { "zones" } else { "zone" }, default);
        let code = self.block(true, Some(event), &[], |_| {});
        let def = ReplaceDef {
            id,
            ability,
            event,
            when,
            zones,
            limit: None,
            forbids: true,
            instead: false,
            optional: None,
            chooser: None,
            code,
        };
        Some(self.new_replacement(def))
    }
}
