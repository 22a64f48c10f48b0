//! Actions, activated abilities, and what cards do when they resolve.

use super::Compiler;
use super::abilities::camel;
use super::implicit_seat::ImplicitSeat;
use super::scope::Bound;
use crate::language::Node;
use crate::limits::TARGETS_MAX;
use crate::machine::ids::{AbilityId, EventType};
use crate::machine::program::{
    ABILITIES, ActionDef, Block, Cost, Expr, ModeDef, Recheck, Spread, TargetDef, Timing, Ty,
};

impl<'n> Compiler<'n> {
    /// Targets of an action: each is bound for the next.
    pub(super) fn targets(&mut self, node: &'n Node) -> Vec<TargetDef> {
        let mut list = Vec::new();
        for (n, target) in node.items().iter().enumerate() {
            if target.get("spread").is_some() {
                continue;
            }
            if list.len() >= TARGETS_MAX - 2 {
                self.findings.error(
                    "limit",
                    target.at,
                    format!("more targets than targets_max, {TARGETS_MAX}"),
                );
                break;
            }
            self.at(n, |this| {
                let name = target.get("id").and_then(Node::as_text).unwrap_or("target").to_owned();
                let (from, ty) = this.target_sel(target);
                let number = target.get("number").is_some();
                if !number && matches!(ty, Ty::Int | Ty::Bool | Ty::Enum(_)) {
                    let (what, help) =
                        (this.type_name(ty), "write \"number\": {\"min\", \"max\"}, or `ask` for it in `do`");
                    this.findings.error_help(
                        "type",
                        target.at,
                        format!("a target is a thing, and this is {what}"),
                        help,
                    );
                }
                let optional = target.get("optional").and_then(Node::as_bool).unwrap_or(false)
                    || target.get("min").and_then(Node::as_int) == Some(0);
                let prompt = target.get("prompt").and_then(Node::as_text).unwrap_or("").to_owned();
                this.scope.bind(&name, ty);
                let price = target.get("price").and_then(Node::as_bool).unwrap_or(false);
                list.push(TargetDef { name, from, optional, prompt, price, number });
            });
        }
        list
    }

    pub(super) fn card_resolve(&mut self, node: &'n Node, n: usize) {
        if let Some(modes) = node.get("modes") {
            self.at("modes", |this| {
                let of = modes.get("of").unwrap_or(modes);
                for (k, mode) in of.items().iter().enumerate() {
                    this.at(k, |this| {
                        let name = mode.get("id").and_then(Node::as_text).unwrap_or("mode").to_owned();
                        let mut targets = Vec::new();
                        let code = this.block(false, None, &[], |this| {
                            if let Some(inner) = mode.get("targets") {
                                targets = this.at("targets", |this| this.targets(inner));
                            }
                            this.field(mode, "resolve", Self::statements);
                        });
                        this.program.cards[n].modes.push(ModeDef { name, targets, code });
                    });
                }
            });
        }
        let mut targets = Vec::new();
        let code = self.block(false, None, &[], |this| {
            if let Some(inner) = node.get("targets") {
                targets = this.at("targets", |this| this.targets(inner));
            }
            this.field(node, "resolve", Self::statements);
        });
        self.program.cards[n].targets = targets;
        if node.get("resolve").is_some() {
            self.program.cards[n].resolve = Some(code);
        }
    }

    pub(super) fn ability(&mut self, node: &'n Node) -> AbilityId {
        self.only(
            node,
            &[
                "id",
                "name",
                "description",
                "text",
                "timing",
                "when",
                "targets",
                "costs",
                "do",
                "zone",
                "zones",
                "ui",
                "effects",
            ],
        );
        let id = node.get("id").and_then(Node::as_text).unwrap_or("ability").to_owned();
        let mut def = self.action_def(node, &id, true);
        let default = self.open_zones();
        def.zones = self.zone_bits(node, if node.get("zones").is_some() { "zones" } else { "zone" }, default);
        self.program.abilities.push(def);
        AbilityId::at(self.program.abilities.len() - 1)
    }

    /// Names of activated abilities, before anything may speak of them.
    pub(super) fn ability_names(&mut self, root: &'n Node) {
        // In the order in which they are compiled: those of keywords, then those of cards.
        let mut names = Vec::new();
        let keywords = root.get("keywords");
        let macros = keywords.map_or(&[][..], Node::fields).iter().map(|(_, node)| node);
        let macros = macros.chain(keywords.map_or(&[][..], Node::items));
        let cards = root.get("cards").map_or(&[][..], Node::fields).iter().map(|(_, node)| node);
        for card in macros.chain(cards) {
            for ability in card.get("activated").map_or(&[][..], Node::items) {
                names.push(ability.get("id").and_then(Node::as_text).unwrap_or("ability").to_owned());
            }
        }
        self.program.enums[ABILITIES].values = names;
    }

    /// An event for each action, before anything may react to it.
    pub(super) fn action_events(&mut self, root: &'n Node) {
        for (key, node) in root.get("actions").map_or(&[][..], Node::fields) {
            let name =
                node.get("event").and_then(Node::as_text).map_or_else(|| camel(&key.name), str::to_owned);
            if self.program.events.iter().any(|event| event.name == name) {
                continue;
            }
            if !self.room(self.program.events.len(), "events", node.at) {
                return;
            }
            let mut fields: Vec<(String, Ty)> = Vec::new();
            for target in node.get("targets").map_or(&[][..], Node::items) {
                if let Some(id) = target.get("id").and_then(Node::as_text)
                    && fields.len() < crate::limits::EVENT_FIELDS_MAX
                {
                    let from = target.get("from").or_else(|| target.get("selector"));
                    let ty = match from {
                        _ if target.get("number").is_some() => Ty::Int,
                        Some(from) if from.get("stackItems").is_some() => Ty::Item,
                        Some(from) if from.get("orSeats").is_some() => Ty::Thing,
                        Some(from) if from.get("seats").is_some() => Ty::Seat,
                        _ => Ty::Ent,
                    };
                    fields.push((id.to_owned(), ty));
                }
            }
            let spread = node.get("spread").and_then(Node::as_text);
            if spread == Some("ability") && fields.len() < crate::limits::EVENT_FIELDS_MAX {
                fields.push(("ability".to_owned(), Ty::Enum(ABILITIES)));
            }
            self.new_event(&name, fields, None);
        }
    }

    pub(super) fn actions(&mut self, root: &'n Node) {
        let Some(actions) = root.get("actions") else { return };
        self.at("actions", |this| {
            this.each_field(actions, |this, id, node| {
                const KNOWN: &[&str] = &[
                    "id",
                    "name",
                    "description",
                    "timing",
                    "when",
                    "targets",
                    "costs",
                    "do",
                    "ui",
                    "event",
                    "spread",
                    "hold",
                    "moveSource",
                    "targetsRecheck",
                    "bot",
                    "zone",
                    "zones",
                ];
                this.only(node, KNOWN);
                // `self` is the first target.
                let card = node.get("targets").is_some_and(|targets| !targets.items().is_empty());
                let mut def = this
                    .with_implicit_seat(ImplicitSeat::Seat { card }, |this| this.action_def(node, id, false));
                let name = node.get("event").and_then(Node::as_text).map_or_else(|| camel(id), str::to_owned);
                let event = this.program.events.iter().position(|event| event.name == name);
                def.event = EventType::at(event.unwrap_or(0));
                def.hold = this.field(node, "hold", |this, inner| this.zone(inner)).flatten();
                this.program.actions.push(def);
            });
        });
    }

    pub(super) fn action_def(&mut self, node: &'n Node, id: &str, ability: bool) -> ActionDef {
        let text = |name: &str| node.get(name).and_then(Node::as_text).map(str::to_owned);
        let timing = match node.get("timing").and_then(Node::as_text) {
            None | Some("stack" | "sorcery") => Timing::Stack,
            Some("instant") => Timing::AtOnce,
            Some(other) => {
                self.findings.unknown(node.at, "timing", other, ["stack", "instant"]);
                Timing::Stack
            }
        };
        let recheck = match node.get("targetsRecheck").and_then(Node::as_text) {
            None | Some("any") => Recheck::Any,
            Some("all") => Recheck::All,
            Some("never") => Recheck::Never,
            Some(other) => {
                self.findings.unknown(node.at, "targetsRecheck", other, ["any", "all", "never"]);
                Recheck::Any
            }
        };
        let spread = match node.get("spread").and_then(Node::as_text) {
            None => Spread::None,
            Some("card") => Spread::Card,
            Some("ability") => Spread::Ability,
            Some(other) => {
                self.findings.unknown(node.at, "spread", other, ["card", "ability"]);
                Spread::None
            }
        };
        let mut def = ActionDef {
            id: id.to_owned(),
            name: text("name").unwrap_or_else(|| id.to_owned()),
            description: text("description").unwrap_or_default(),
            timing,
            targets: Vec::new(),
            spread,
            when: Vec::new(),
            costs: Vec::new(),
            code: Block::default(),
            event: EventType::default(),
            recheck,
            zones: u64::MAX,
            hold: None,
            ui: node.get("ui").map_or(parlor_core::Json::Null, Node::plain),
        };
        // Conditions and costs are read with the targets bound, but outside of any frame: locals are the targets.
        let event = self.event.take();
        let outer = std::mem::take(&mut self.scope);
        let lucky = std::mem::replace(&mut self.lucky, false);
        if let Some(targets) = node.get("targets") {
            def.targets = self.at("targets", |this| this.targets(targets));
        }
        if !ability && def.targets.first().is_some_and(|target| target.number) {
            let help = "the first target is what the action starts from: list a thing before the number";
            self.findings.error_help("type", node.at, "the first target of an action is a thing", help);
        }
        if !ability && !def.targets.is_empty() {
            self.scope.alias("self", Bound::Local(0, Ty::Ent));
        }
        if spread == Spread::Ability {
            self.scope.alias("ability", Bound::Local(def.targets.len() as u16, Ty::Enum(ABILITIES)));
            self.scope.alias("abilityId", Bound::Local(def.targets.len() as u16, Ty::Enum(ABILITIES)));
        }
        if let Some(when) = node.get("when") {
            self.at("when", |this| this.conditions(when, &mut def, ability));
        }
        let scope = std::mem::replace(&mut self.scope, outer);
        (self.event, self.lucky) = (event, lucky);
        if let Some(costs) = node.get("costs") {
            for (n, cost) in costs.items().iter().enumerate() {
                let cost = self.at("costs", |this| this.at(n, |this| this.cost(cost, &scope)));
                def.costs.extend(cost);
            }
        }
        def.code = self.action_code(node, &scope);
        def
    }

    pub(super) fn action_code(&mut self, node: &'n Node, scope: &super::scope::Scope) -> Block {
        self.block(false, None, &[], |this| {
            this.scope = scope.clone();
            this.scope.reserve(TARGETS_MAX as u16 + 1);
            let body = if node.get("do").is_some() { "do" } else { "effects" };
            this.field(node, body, Self::statements);
        })
    }

    /// `and` at the top is split, so that each part is looked at as soon as its targets are bound.
    pub(super) fn conditions(&mut self, node: &'n Node, def: &mut ActionDef, ability: bool) {
        if let Some(parts) = node.get("and") {
            for (n, part) in parts.items().iter().enumerate() {
                self.at("and", |this| this.at(n, |this| this.conditions(part, def, ability)));
            }
            return;
        }
        let from = self.program.exprs.len();
        let id = self.expr(node, Ty::Bool);
        let mut need = 0;
        for expr in &self.program.exprs[from..] {
            match expr {
                Expr::Local(n) => need = need.max(*n as u8 + 1),
                Expr::This if !ability => need = need.max(1),
                _ => {}
            }
        }
        def.when.push((need, id));
    }

    pub(super) fn cost(&mut self, node: &'n Node, scope: &super::scope::Scope) -> Option<Cost> {
        if let Some(pay) = node.get("pay") {
            let outer = std::mem::replace(&mut self.scope, scope.clone());
            let cost = self.at("pay", |this| {
                this.only(pay, &["var", "amount"]);
                let (var, of) = this.field(pay, "var", Self::var_ref)??;
                let amount = this.field(pay, "amount", |this, inner| this.expr(inner, Ty::Int))?;
                Some(Cost::Pay { var, of, amount })
            });
            self.scope = outer;
            if pay.get("var").is_none() || pay.get("amount").is_none() {
                self.findings.error("shape", node.at, "a payment has `var` and `amount`");
            }
            return cost;
        }
        if node.get("payAbility").is_some() {
            return Some(Cost::Ability);
        }
        let block = self.block(true, None, &[], |this| {
            this.scope = scope.clone();
            this.scope.reserve(TARGETS_MAX as u16 + 1);
            this.statements(node);
        });
        Some(Cost::Do(block))
    }
}
