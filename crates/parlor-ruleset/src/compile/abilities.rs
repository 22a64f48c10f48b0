//! Abilities of cards, rules of the game, and actions.

use super::Compiler;
use super::scope::Bound;
use crate::ir::Node;
use crate::limits::TARGETS_MAX;
use crate::program::{
    ABILITIES, ActionDef, Block, Change, CheckDef, Cost, Expr, Limit, ModeDef, Op, Recheck, ReplaceDef,
    STEP_END, STEP_START, STEPS, Scope, Source, Spread, StaticDef, TargetDef, Timing, TriggerDef, Ty,
};

impl<'n> Compiler<'n> {
    /// Zones in which something works: a bit each; everywhere that is not said to be elsewhere.
    fn zone_bits(&mut self, node: &'n Node, field: &str, default: u64) -> u64 {
        let Some(inner) = node.get(field) else { return default };
        let names: Vec<&Node> =
            if inner.items().is_empty() { vec![inner] } else { inner.items().iter().collect() };
        let mut bits = 0;
        for name in names {
            if let Some(zone) = self.at(field, |c| c.zone(name)) {
                bits |= 1u64 << zone;
            }
        }
        bits
    }

    /// Where abilities work unless they say otherwise: zones that everybody sees.
    fn open_zones(&self) -> u64 {
        let open = |zone: &crate::program::ZoneDef| zone.see == crate::program::See::All;
        let bits = |f: &dyn Fn(&crate::program::ZoneDef) -> bool| {
            self.p.zones.iter().enumerate().filter(|(_, zone)| f(zone)).fold(0u64, |all, (n, _)| all | 1 << n)
        };
        match self.p.zones.iter().position(|zone| zone.name == "battlefield") {
            Some(n) => 1 << n,
            None => bits(&open),
        }
    }

    fn limit(&mut self, node: &'n Node) -> Option<Limit> {
        let flag = |name: &str| node.get(name).and_then(Node::as_bool) == Some(true);
        if flag("oncePerTurn") {
            return Some(Limit { scope: Scope::Turn, max: 1 });
        }
        if flag("oncePerSource") {
            return Some(Limit { scope: Scope::Source, max: 1 });
        }
        if let Some(n) = node.get("maxPerEvent").and_then(Node::as_int) {
            return Some(Limit { scope: Scope::Event, max: n.clamp(0, 1000) as u16 });
        }
        let limit = node.get("limit")?;
        self.at("limit", |c| {
            c.only(limit, &["oncePer", "maxPer", "n", "oncePerTurn", "oncePerSource", "maxPerEvent"]);
            if let Some(inner) = limit.get("oncePer").or_else(|| limit.get("maxPer")) {
                let scope = match inner.as_text() {
                    Some("event") => Scope::Event,
                    Some("turn" | "round") => Scope::Turn,
                    Some("source") => Scope::Source,
                    Some("game") => Scope::Game,
                    other => {
                        c.f.unknown(
                            inner.at,
                            "scope",
                            other.unwrap_or("?"),
                            ["event", "turn", "source", "game"],
                        );
                        Scope::Event
                    }
                };
                let max = limit.get("n").and_then(Node::as_int).unwrap_or(1).clamp(0, 1000) as u16;
                return Some(Limit { scope, max });
            }
            c.limit(limit)
        })
    }

    /// `on: {event, where, moment}` or `when: {eventType, filters, moment}`.
    fn pattern(&mut self, node: &'n Node) -> Option<(u16, bool, Option<u32>)> {
        let (field, on) = match (node.get("on"), node.get("when")) {
            (Some(on), _) => ("on", on),
            (None, Some(when)) => ("when", when),
            _ => {
                self.f.error("shape", node.at, "a trigger must have 'when' (or 'on')");
                return None;
            }
        };
        self.at(field, |c| {
            c.only(on, &["event", "eventType", "where", "filters", "moment"]);
            let Some(name) = on.get("event").or_else(|| on.get("eventType")) else {
                c.f.error("shape", on.at, "`eventType` is missing");
                return None;
            };
            let (event, step) = c.event_or_step(name)?;
            let before = match on.get("moment").and_then(Node::as_text) {
                None | Some("after") => false,
                Some("before") => true,
                Some(other) => {
                    c.f.unknown(on.at, "moment", other, ["before", "after"]);
                    false
                }
            };
            let outer = c.event.replace(event);
            let mut when = c.field(on, "where", |c, inner| c.expr(inner, Ty::Bool));
            if let Some(filters) = on.get("filters") {
                for (key, value) in filters.fields() {
                    let fields = c.p.events[usize::from(event)].fields.clone();
                    let Some(n) = fields.iter().position(|(field, _)| *field == key.name) else {
                        c.f.unknown(
                            key.at,
                            "field of this event",
                            &key.name,
                            fields.iter().map(|(f, _)| f.as_str()),
                        );
                        continue;
                    };
                    let value = c.at("filters", |c| c.at(&key.name, |c| c.expr(value, fields[n].1)));
                    let field = c.add(Expr::Ev(n as u8));
                    let same = c.add(Expr::Eq(field, value));
                    when = Some(c.both(when, same));
                }
            }
            if let Some(step) = step {
                let (field, value) = (c.add(Expr::Ev(1)), c.add(Expr::Const(step)));
                let same = c.add(Expr::Eq(field, value));
                when = Some(c.both(when, same));
            }
            c.event = outer;
            Some((event, before, when))
        })
    }

    fn both(&mut self, first: Option<u32>, second: u32) -> u32 {
        match first {
            None => second,
            Some(first) => self.add(Expr::And(first, second)),
        }
    }

    /// An event, or the document's `DrawStep.Start` for the beginning of the step `draw` (R4).
    fn event_or_step(&mut self, node: &Node) -> Option<(u16, Option<i64>)> {
        if let Some(text) = node.as_text() {
            for (suffix, event) in [("Step.Start", STEP_START), ("Step.End", STEP_END)] {
                if let Some(name) = text.strip_suffix(suffix) {
                    let steps = &self.p.enums[usize::from(STEPS)].values;
                    let found = steps.iter().position(|step| same_step(step, name));
                    if let Some(step) = found {
                        return Some((event, Some(step as i64)));
                    }
                }
            }
        }
        self.event_named(node).map(|event| (event, None))
    }

    /// A trigger of a card, or a rule of the game.
    pub(super) fn trigger(&mut self, node: &'n Node, card: Option<u16>) -> Option<u16> {
        const KNOWN: &[&str] = &[
            "id",
            "on",
            "when",
            "conditions",
            "effects",
            "do",
            "zone",
            "zones",
            "optional",
            "targets",
            "limit",
            "recheck",
            "respond",
            "prompt",
            "oncePerTurn",
            "oncePerSource",
            "maxPerEvent",
            "text",
        ];
        self.only(node, KNOWN);
        let id = node.get("id").and_then(Node::as_text).unwrap_or("trigger").to_owned();
        let (event, before, mut when) = self.pattern(node)?;
        let outer = self.event.replace(event);
        for (n, condition) in node.get("conditions").map_or(&[][..], Node::items).iter().enumerate() {
            let condition = self.at("conditions", |c| c.at(n, |c| c.expr(condition, Ty::Bool)));
            when = Some(self.both(when, condition));
        }
        self.event = outer;
        let limit = self.limit(node);
        let default = self.open_zones();
        let field = if node.get("zones").is_some() { "zones" } else { "zone" };
        let zones = self.zone_bits(node, field, default);
        let code = self.block(false, Some(event), &[], |c| {
            if node.get("optional").and_then(Node::as_bool) == Some(true) {
                c.may(node, &id);
            }
            if let Some(targets) = node.get("targets") {
                c.at("targets", |c| c.trigger_targets(targets, &id));
            }
            let body = if node.get("do").is_some() { "do" } else { "effects" };
            if c.field(node, body, Self::statements).is_none() {
                c.f.error("shape", node.at, "`do` is missing");
            }
        });
        let n = self.p.triggers.len() as u16;
        let respond = node.get("respond").and_then(Node::as_bool).unwrap_or(self.p.respond_to_triggers);
        let recheck = node.get("recheck").and_then(Node::as_bool).unwrap_or(false);
        self.p.triggers.push(TriggerDef {
            id,
            card,
            event,
            before,
            when,
            recheck,
            zones,
            limit,
            code,
            respond,
        });
        let def = &mut self.p.events[usize::from(event)];
        def.triggers.push(n);
        def.heard |= card.is_some();
        Some(n)
    }

    /// "You may": asked first; whoever declines does nothing.
    fn may(&mut self, node: &'n Node, id: &str) {
        let you = self.add(Expr::You);
        let prompt =
            node.get("prompt").and_then(Node::as_text).map_or_else(|| format!("Use {id}?"), str::to_owned);
        let n = self.hidden_ask(
            crate::program::AskKind::Confirm,
            None,
            prompt,
            format!("{id}.activate"),
            Ty::Bool,
            "activate",
        );
        let yes = self.add(Expr::Answer(self.p.asks[usize::from(n)].answer, you));
        let skip = self.op(Op::Unless(yes, 0));
        let over = self.op(Op::Jump(0));
        if let Some(Op::Unless(_, to)) = self.p.code.get_mut(skip) {
            *to = skip as u32 + 2;
        }
        // Declined: the block ends here.
        self.op(Op::End);
        let here = self.here();
        if let Some(Op::Jump(to)) = self.p.code.get_mut(over) {
            *to = here;
        }
    }

    /// A question that the compiler puts into the code; its answer is bound to a name.
    fn hidden_ask(
        &mut self,
        kind: crate::program::AskKind,
        from: Option<u32>,
        prompt: String,
        id: String,
        ty: Ty,
        name: &str,
    ) -> u16 {
        let you = self.add(Expr::You);
        let one = self.add(Expr::Const(1));
        self.p.answers.push(String::new());
        let answer = (self.p.answers.len() - 1) as u16;
        self.p.asks.push(crate::program::AskDef {
            id,
            prompt,
            kind,
            who: crate::program::Who::One(you),
            mode: crate::program::AskMode::One,
            from,
            asked: 0,
            min: one,
            max: one,
            modes: Vec::new(),
            answer,
            ms: self.p.action_ms,
            fallback: crate::program::Fallback::First,
            deadline: false,
            drafts: false,
            alive: false,
            auto: false,
        });
        let n = (self.p.asks.len() - 1) as u16;
        self.op(Op::Ask(n));
        let local = self.scope.bind(name, ty);
        let value = self.add(Expr::Answer(answer, you));
        self.op(Op::Let(local, value));
        n
    }

    fn trigger_targets(&mut self, node: &'n Node, id: &str) {
        for (n, target) in node.items().iter().enumerate() {
            self.at(n, |c| {
                let Some(name) = target.get("id").and_then(Node::as_text) else {
                    return c.f.error("shape", target.at, "`id` is missing");
                };
                let (sel, ty) = c.target_sel(target);
                let prompt = target
                    .get("prompt")
                    .and_then(Node::as_text)
                    .map_or_else(|| format!("Choose the {name} of {id}"), str::to_owned);
                c.hidden_ask(
                    crate::program::AskKind::Pick,
                    Some(sel),
                    prompt,
                    format!("{id}.{name}"),
                    ty,
                    name,
                );
            });
        }
    }

    fn target_sel(&mut self, target: &'n Node) -> (u32, Ty) {
        self.only(target, &["id", "from", "selector", "min", "max", "optional", "prompt", "count", "text"]);
        let field = if target.get("from").is_some() { "from" } else { "selector" };
        match target.get(field) {
            Some(from) => self.at(field, |c| c.select(from, Ty::Any)),
            None => {
                self.f.error("shape", target.at, "`from` is missing: what may be chosen");
                (self.add_sel(super::exprs::plain(Source::Consts(Vec::new()))), Ty::Any)
            }
        }
    }

    /// Targets of an action: each is bound for the next.
    fn targets(&mut self, node: &'n Node) -> Vec<TargetDef> {
        let mut list = Vec::new();
        for (n, target) in node.items().iter().enumerate() {
            if target.get("spread").is_some() {
                continue;
            }
            if list.len() >= TARGETS_MAX - 2 {
                self.f.error("limit", target.at, format!("more targets than targets_max, {TARGETS_MAX}"));
                break;
            }
            self.at(n, |c| {
                let name = target.get("id").and_then(Node::as_text).unwrap_or("target").to_owned();
                let (from, ty) = c.target_sel(target);
                let optional = target.get("optional").and_then(Node::as_bool).unwrap_or(false)
                    || target.get("min").and_then(Node::as_int) == Some(0);
                let prompt = target.get("prompt").and_then(Node::as_text).unwrap_or("").to_owned();
                c.scope.bind(&name, ty);
                list.push(TargetDef { name, from, optional, prompt });
            });
        }
        list
    }

    pub(super) fn replacement(&mut self, node: &'n Node, card: Option<u16>) -> Option<u16> {
        self.only(
            node,
            &[
                "id",
                "event",
                "on",
                "when",
                "where",
                "limit",
                "do",
                "zone",
                "zones",
                "text",
                "oncePerTurn",
                "oncePerSource",
                "maxPerEvent",
            ],
        );
        let id = node.get("id").and_then(Node::as_text).unwrap_or("replace").to_owned();
        let (event, when) = match node.get("event") {
            Some(name) => {
                let event = self.at("event", |c| c.event_named(name))?;
                let outer = self.event.replace(event);
                let when = self.field(node, "where", |c, inner| c.expr(inner, Ty::Bool));
                self.event = outer;
                (event, when)
            }
            None => {
                let (event, _, when) = self.pattern(node)?;
                (event, when)
            }
        };
        let limit = self.limit(node);
        let default = self.open_zones();
        let zones = self.zone_bits(node, if node.get("zones").is_some() { "zones" } else { "zone" }, default);
        let code = self.block(true, Some(event), &[], |c| {
            if c.field(node, "do", Self::statements).is_none() {
                c.f.error("shape", node.at, "`do` is missing");
            }
        });
        let n = self.p.replaces.len() as u16;
        self.p.replaces.push(ReplaceDef { id, card, event, when, zones, limit, code });
        self.p.events[usize::from(event)].replaces.push(n);
        Some(n)
    }

    pub(super) fn static_ability(&mut self, node: &'n Node) -> u16 {
        self.only(node, &["id", "layer", "affects", "modify", "set", "keywords", "zone", "zones", "text"]);
        let default = self.open_zones();
        let zones = self.zone_bits(node, if node.get("zones").is_some() { "zones" } else { "zone" }, default);
        let mut def = StaticDef {
            layer: 4,
            zones,
            affects: default,
            when: None,
            it: 0,
            changes: Vec::new(),
            keywords: 0,
        };
        const LAYERS: [&str; 5] = ["control", "type", "abilities", "set-stat", "modify-stat"];
        if let Some(layer) = node.get("layer").and_then(Node::as_text) {
            def.layer = LAYERS.iter().position(|name| *name == layer).unwrap_or(4) as u8;
        }
        let mark = self.scope.mark();
        let depth = self.scope.deeper().unwrap_or(0);
        self.scope.alias("it", Bound::It(depth, Ty::Ent));
        def.it = depth;
        if let Some(affects) = node.get("affects") {
            self.at("affects", |c| {
                c.only(affects, &["zones", "of", "where", "zone"]);
                def.affects = c.zone_bits(
                    affects,
                    if affects.get("zones").is_some() { "zones" } else { "zone" },
                    default,
                );
                let mut when = c.field(affects, "where", |c, inner| c.expr(inner, Ty::Bool));
                if let Some(of) = affects.get("of")
                    && !matches!(of.as_text(), Some("each" | "all"))
                {
                    let it = c.add(Expr::It(depth));
                    let controller = c.add(Expr::Controller(it));
                    let same = match of.as_text() {
                        Some("opponent" | "opponents") => {
                            let you = c.add(Expr::You);
                            let mine = c.add(Expr::Eq(controller, you));
                            c.add(Expr::Not(mine))
                        }
                        _ => {
                            let seat = c.at("of", |c| c.expr(of, Ty::Seat));
                            c.add(Expr::Eq(controller, seat))
                        }
                    };
                    when = Some(match when {
                        None => same,
                        Some(when) => c.add(Expr::And(same, when)),
                    });
                }
                def.when = when;
            });
        }
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
                        if !c.p.attrs[attr].layered {
                            c.f.error_help(
                                "layer",
                                value.at,
                                format!("{name} has no layer"),
                                "declare it with \"layer\": \"stat\"",
                            );
                        }
                        let ty = c.p.attrs[attr].ty;
                        let value = c.expr(value, ty);
                        def.changes.push(Change { attr: attr as u16, set, value });
                    });
                });
            }
        }
        for item in node.get("keywords").map_or(&[][..], Node::items) {
            if let Some(n) = self.at("keywords", |c| c.keyword(item)) {
                def.keywords |= 1u64 << n;
            }
        }
        self.scope.back(mark);
        self.scope.shallower();
        self.p.statics.push(def);
        (self.p.statics.len() - 1) as u16
    }

    /// What abilities a card has.
    pub(super) fn card_abilities(&mut self, root: &'n Node) {
        let Some(cards) = root.get("cards") else { return };
        for (n, (key, node)) in cards.fields().iter().enumerate() {
            if n >= self.p.cards.len() {
                break;
            }
            let card = n as u16;
            self.at("cards", |c| {
                c.at(&key.name, |c| {
                    for (k, item) in node.get("triggers").map_or(&[][..], Node::items).iter().enumerate() {
                        let id = c.at("triggers", |c| c.at(k, |c| c.trigger(item, Some(card))));
                        c.p.cards[n].triggers.extend(id);
                    }
                    for (field, to_zone) in [("etb", true), ("leaves", false)] {
                        if let Some(inner) = node.get(field) {
                            let id = c.at(field, |c| c.arrival(inner, card, field, to_zone));
                            c.p.cards[n].triggers.push(id);
                        }
                    }
                    for (k, item) in node.get("replaces").map_or(&[][..], Node::items).iter().enumerate() {
                        let id = c.at("replaces", |c| c.at(k, |c| c.replacement(item, Some(card))));
                        c.p.cards[n].replaces.extend(id);
                    }
                    for (k, item) in node.get("statics").map_or(&[][..], Node::items).iter().enumerate() {
                        let id = c.at("statics", |c| c.at(k, |c| c.static_ability(item)));
                        c.p.cards[n].statics.push(id);
                    }
                    for (k, item) in node.get("activated").map_or(&[][..], Node::items).iter().enumerate() {
                        let id = c.at("activated", |c| c.at(k, |c| c.ability(item)));
                        c.p.cards[n].activated.push(id);
                    }
                    c.card_resolve(node, n);
                });
            });
        }
    }

    fn arrival(&mut self, node: &'n Node, card: u16, id: &str, arrives: bool) -> u16 {
        let event = crate::program::ZONE_MOVED;
        let zones = self.open_zones();
        let (moved, this) = (self.add(Expr::Ev(0)), self.add(Expr::This));
        let mut when = self.add(Expr::Eq(moved, this));
        // Into, or out of, where its abilities work.
        let zone = self.add(Expr::Ev(if arrives { 2 } else { 1 }));
        let mut any = self.add(Expr::Const(0));
        for n in 0..self.p.zones.len() {
            if zones & 1 << n != 0 {
                let is = self.add(Expr::EqConst(zone, n as i64));
                any = self.add(Expr::Or(any, is));
            }
        }
        when = self.add(Expr::And(when, any));
        let code = self.block(false, Some(event), &[], |c| c.statements(node));
        let n = self.p.triggers.len() as u16;
        self.p.triggers.push(TriggerDef {
            id: id.to_owned(),
            card: Some(card),
            event,
            before: false,
            when: Some(when),
            recheck: false,
            zones: if arrives { zones } else { u64::MAX },
            limit: None,
            code,
            respond: self.p.respond_to_triggers,
        });
        let def = &mut self.p.events[usize::from(event)];
        def.triggers.push(n);
        def.heard = true;
        n
    }

    fn card_resolve(&mut self, node: &'n Node, n: usize) {
        if let Some(modes) = node.get("modes") {
            self.at("modes", |c| {
                let of = modes.get("of").unwrap_or(modes);
                for (k, mode) in of.items().iter().enumerate() {
                    c.at(k, |c| {
                        let name = mode.get("id").and_then(Node::as_text).unwrap_or("mode").to_owned();
                        let mut targets = Vec::new();
                        let code = c.block(false, None, &[], |c| {
                            if let Some(inner) = mode.get("targets") {
                                targets = c.at("targets", |c| c.targets(inner));
                            }
                            c.field(mode, "resolve", Self::statements);
                        });
                        c.p.cards[n].modes.push(ModeDef { name, targets, code });
                    });
                }
            });
        }
        let mut targets = Vec::new();
        let code = self.block(false, None, &[], |c| {
            if let Some(inner) = node.get("targets") {
                targets = c.at("targets", |c| c.targets(inner));
            }
            c.field(node, "resolve", Self::statements);
        });
        self.p.cards[n].targets = targets;
        if node.get("resolve").is_some() {
            self.p.cards[n].resolve = Some(code);
        }
    }

    fn ability(&mut self, node: &'n Node) -> u16 {
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
        self.p.abilities.push(def);
        (self.p.abilities.len() - 1) as u16
    }

    /// Names of activated abilities, before anything may speak of them.
    pub(super) fn ability_names(&mut self, root: &'n Node) {
        let mut names = Vec::new();
        for (_, card) in root.get("cards").map_or(&[][..], Node::fields) {
            for ability in card.get("activated").map_or(&[][..], Node::items) {
                names.push(ability.get("id").and_then(Node::as_text).unwrap_or("ability").to_owned());
            }
        }
        self.p.enums[usize::from(ABILITIES)].values = names;
    }

    /// An event for each action, before anything may react to it.
    pub(super) fn action_events(&mut self, root: &'n Node) {
        for (key, node) in root.get("actions").map_or(&[][..], Node::fields) {
            let name =
                node.get("event").and_then(Node::as_text).map_or_else(|| camel(&key.name), str::to_owned);
            if self.p.events.iter().any(|event| event.name == name) {
                continue;
            }
            let mut fields: Vec<(String, Ty)> = Vec::new();
            for target in node.get("targets").map_or(&[][..], Node::items) {
                if let Some(id) = target.get("id").and_then(Node::as_text)
                    && fields.len() < crate::limits::EVENT_FIELDS_MAX
                {
                    let from = target.get("from").or_else(|| target.get("selector"));
                    let ty = match from {
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
        self.at("actions", |c| {
            c.each_field(actions, |c, id, node| {
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
                c.only(node, KNOWN);
                let mut def = c.action_def(node, id, false);
                let name = node.get("event").and_then(Node::as_text).map_or_else(|| camel(id), str::to_owned);
                def.event = c.p.events.iter().position(|event| event.name == name).unwrap_or(0) as u16;
                def.hold = c.field(node, "hold", |c, inner| c.zone(inner)).flatten();
                c.p.actions.push(def);
            });
        });
    }

    fn action_def(&mut self, node: &'n Node, id: &str, ability: bool) -> ActionDef {
        let text = |name: &str| node.get(name).and_then(Node::as_text).map(str::to_owned);
        let timing = match node.get("timing").and_then(Node::as_text) {
            None | Some("stack" | "sorcery") => Timing::Stack,
            Some("instant") => Timing::Instant,
            Some(other) => {
                self.f.unknown(node.at, "timing", other, ["stack", "instant"]);
                Timing::Stack
            }
        };
        let recheck = match node.get("targetsRecheck").and_then(Node::as_text) {
            None | Some("any") => Recheck::Any,
            Some("all") => Recheck::All,
            Some("never") => Recheck::Never,
            Some(other) => {
                self.f.unknown(node.at, "targetsRecheck", other, ["any", "all", "never"]);
                Recheck::Any
            }
        };
        let spread = match node.get("spread").and_then(Node::as_text) {
            None => Spread::None,
            Some("card") => Spread::Card,
            Some("ability") => Spread::Ability,
            Some(other) => {
                self.f.unknown(node.at, "spread", other, ["card", "ability"]);
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
            event: 0,
            recheck,
            zones: u64::MAX,
            hold: None,
            ui: node.get("ui").map_or(parlor_core::Json::Null, Node::plain),
        };
        // Conditions and costs are read with the targets bound, but outside of any frame: locals are the targets.
        let event = self.event.take();
        let outer = std::mem::take(&mut self.scope);
        if let Some(targets) = node.get("targets") {
            def.targets = self.at("targets", |c| c.targets(targets));
        }
        if !ability && !def.targets.is_empty() {
            self.scope.alias("self", Bound::Local(0, Ty::Ent));
        }
        if spread == Spread::Ability {
            self.scope.alias("ability", Bound::Local(def.targets.len() as u16, Ty::Enum(ABILITIES)));
            self.scope.alias("abilityId", Bound::Local(def.targets.len() as u16, Ty::Enum(ABILITIES)));
        }
        if let Some(when) = node.get("when") {
            self.at("when", |c| c.conditions(when, &mut def, ability));
        }
        let scope = std::mem::replace(&mut self.scope, outer);
        self.event = event;
        if let Some(costs) = node.get("costs") {
            for (n, cost) in costs.items().iter().enumerate() {
                let cost = self.at("costs", |c| c.at(n, |c| c.cost(cost, &scope)));
                def.costs.extend(cost);
            }
        }
        def.code = self.action_code(node, &scope);
        def
    }

    fn action_code(&mut self, node: &'n Node, scope: &super::scope::Scope) -> Block {
        self.block(false, None, &[], |c| {
            c.scope = scope.clone();
            c.scope.reserve(TARGETS_MAX as u16 + 1);
            let body = if node.get("do").is_some() { "do" } else { "effects" };
            c.field(node, body, Self::statements);
        })
    }

    /// `and` at the top is split, so that each part is looked at as soon as its targets are bound.
    fn conditions(&mut self, node: &'n Node, def: &mut ActionDef, ability: bool) {
        if let Some(parts) = node.get("and") {
            for (n, part) in parts.items().iter().enumerate() {
                self.at("and", |c| c.at(n, |c| c.conditions(part, def, ability)));
            }
            return;
        }
        let from = self.p.exprs.len();
        let id = self.expr(node, Ty::Bool);
        let mut need = 0;
        for expr in &self.p.exprs[from..] {
            match expr {
                Expr::Local(n) => need = need.max(*n as u8 + 1),
                Expr::This if !ability => need = need.max(1),
                _ => {}
            }
        }
        def.when.push((need, id));
    }

    fn cost(&mut self, node: &'n Node, scope: &super::scope::Scope) -> Option<Cost> {
        if let Some(pay) = node.get("pay") {
            let outer = std::mem::replace(&mut self.scope, scope.clone());
            let cost = self.at("pay", |c| {
                c.only(pay, &["var", "amount"]);
                let (var, of) = c.field(pay, "var", Self::var_ref)??;
                let amount = c.field(pay, "amount", |c, inner| c.expr(inner, Ty::Int))?;
                Some(Cost::Pay { var, of, amount })
            });
            self.scope = outer;
            if cost.is_none() {
                self.f.error("shape", node.at, "a payment has `var` and `amount`");
            }
            return cost;
        }
        if node.get("payAbility").is_some() {
            return Some(Cost::Ability);
        }
        let block = self.block(true, None, &[], |c| {
            c.scope = scope.clone();
            c.scope.reserve(TARGETS_MAX as u16 + 1);
            c.statements(node);
        });
        Some(Cost::Do(block))
    }

    pub(super) fn checks(&mut self, root: &'n Node) {
        let Some(checks) = root.get("checks") else { return };
        self.at("checks", |c| {
            for (n, node) in checks.items().iter().enumerate() {
                c.at(n, |c| c.check(node));
            }
        });
    }

    fn check(&mut self, node: &'n Node) {
        self.only(node, &["id", "each", "seats", "where", "do", "simultaneous", "text"]);
        let id = node.get("id").and_then(Node::as_text).unwrap_or("check").to_owned();
        let (each, ty) = if let Some(inner) = node.get("each") {
            self.at("each", |c| c.select(inner, Ty::Any))
        } else if node.get("seats").is_some() {
            let depth = self.scope.deeper().unwrap_or(0);
            let mark = self.scope.mark();
            let who = self.field(node, "seats", Self::who).unwrap_or(crate::program::Who::All);
            self.scope.alias("it", Bound::It(depth, Ty::Seat));
            let keep = self.field(node, "where", |c, inner| c.expr(inner, Ty::Bool));
            self.scope.back(mark);
            self.scope.shallower();
            let sel = crate::program::Sel { keep, it: depth, ..super::exprs::plain(Source::Seats(who)) };
            (self.add_sel(sel), Ty::Seat)
        } else {
            return self.f.error("shape", node.at, "`each` is missing: what is looked at");
        };
        let local = self.is_local(each);
        let mut it = 0;
        let code = self.block(true, None, &[], |c| {
            it = c.scope.bind("it", ty);
            c.field(node, "do", Self::statements);
        });
        self.p.checks.push(CheckDef { id, each, local, code, it });
    }

    /// Whether a check over entities in zones looks at nothing but each of them.
    fn is_local(&self, sel: u32) -> bool {
        let sel = &self.p.sels[sel as usize];
        let (Source::Zones(_, crate::program::Who::All), Some(keep)) = (&sel.source, sel.keep) else {
            return false;
        };
        sel.prefer.is_empty() && sel.n.is_none() && self.looks_at_it(keep)
    }

    fn looks_at_it(&self, expr: u32) -> bool {
        match self.p.exprs[expr as usize] {
            Expr::Const(_) | Expr::It(_) | Expr::ItAttrEq(..) => true,
            Expr::Attr(e, attr) => {
                let kind = self.p.attrs[usize::from(attr)].kind;
                !matches!(kind, crate::program::AttrKind::Computed(..)) && self.looks_at_it(e)
            }
            Expr::Counter(e, _) | Expr::EqConst(e, _) | Expr::Not(e) => self.looks_at_it(e),
            Expr::Add(a, b)
            | Expr::Sub(a, b)
            | Expr::Mul(a, b)
            | Expr::Eq(a, b)
            | Expr::Lt(a, b)
            | Expr::Le(a, b)
            | Expr::And(a, b)
            | Expr::Or(a, b) => self.looks_at_it(a) && self.looks_at_it(b),
            _ => false,
        }
    }
}

/// `draw` is the step of `DrawStep`, `declare_attackers` that of `DeclareAttackersStep`.
fn same_step(step: &str, name: &str) -> bool {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    plain(step) == plain(name)
}

/// `play_card` as the name of an event: `PlayCard`.
pub(super) fn camel(name: &str) -> String {
    let mut camel = String::new();
    let mut upper = true;
    for c in name.chars() {
        if c == '_' || c == '-' || c == ' ' {
            upper = true;
        } else if upper {
            camel.extend(c.to_uppercase());
            upper = false;
        } else {
            camel.push(c);
        }
    }
    camel
}
