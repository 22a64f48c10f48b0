//! Abilities of cards, rules of the game, and actions.

use super::Compiler;
use crate::language::Node;
use crate::limits::NUMBERS_LISTED_MAX;
use crate::machine::ids::{AnswerId, EventType, QuestionId, TriggerId};
use crate::machine::program::{
    Abilities, Expr, ExprId, Limit, Op, STATE, STEP_END, STEP_START, STEPS, Scope, SelId, Source, TriggerDef,
    Ty,
};
use crate::machine::value::seat_value;

impl<'n> Compiler<'n> {
    /// Zones in which something works: a bit each; everywhere that is not said to be elsewhere.
    pub(super) fn zone_bits(&mut self, node: &'n Node, field: &str, default: u64) -> u64 {
        let Some(inner) = node.get(field) else { return default };
        let names: Vec<&Node> =
            if inner.items().is_empty() { vec![inner] } else { inner.items().iter().collect() };
        let mut bits = 0;
        for name in names {
            if let Some(zone) = self.at(field, |this| this.zone(name)) {
                bits |= zone.bit();
            }
        }
        bits
    }

    /// Where abilities work unless they say otherwise: zones that everybody sees.
    pub(super) fn open_zones(&self) -> u64 {
        let open = |zone: &crate::machine::program::ZoneDef| zone.see == crate::machine::program::See::All;
        let bits = |f: &dyn Fn(&crate::machine::program::ZoneDef) -> bool| {
            self.program
                .zones
                .iter()
                .enumerate()
                .filter(|(_, zone)| f(zone))
                .fold(0u64, |all, (n, _)| all | 1 << n)
        };
        match self.program.zone_named("battlefield") {
            Some(zone) => zone.bit(),
            None => bits(&open),
        }
    }

    pub(super) fn limit(&mut self, node: &'n Node) -> Option<Limit> {
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
        self.at("limit", |this| {
            this.only_part(limit, "limit");
            if let Some(inner) = limit.get("oncePer").or_else(|| limit.get("maxPer")) {
                let scope = match inner.as_text() {
                    Some("event") => Scope::Event,
                    Some("turn") => Scope::Turn,
                    Some("round") => Scope::Round,
                    Some("source") => Scope::Source,
                    Some("game") => Scope::Game,
                    other => {
                        this.findings.unknown(
                            inner.at,
                            "scope",
                            other.unwrap_or("?"),
                            ["event", "turn", "round", "source", "game"],
                        );
                        Scope::Event
                    }
                };
                let max = limit.get("n").and_then(Node::as_int).unwrap_or(1).clamp(0, 1000) as u16;
                return Some(Limit { scope, max });
            }
            this.limit(limit)
        })
    }

    /// `on: {event, where, moment}` or `when: {eventType, filters, moment}`.
    pub(super) fn pattern(&mut self, node: &'n Node) -> Option<(EventType, bool, Option<ExprId>)> {
        let (field, on) = match (node.get("on"), node.get("when")) {
            (Some(on), _) => ("on", on),
            (None, Some(when)) => ("when", when),
            _ => {
                self.findings.error("shape", node.at, "a trigger must have 'when' (or 'on')");
                return None;
            }
        };
        self.at(field, |this| {
            this.only_part(on, "pattern");
            let Some(name) = on.get("event").or_else(|| on.get("eventType")) else {
                let help = format!(
                    "write {{\"event\": {}}}",
                    on.as_text().map_or("…".to_owned(), |name| format!("\"{name}\""))
                );
                this.findings.error_help("shape", on.at, "`event` (or `eventType`) is missing", help);
                return None;
            };
            let (event, step) = this.event_or_step(name)?;
            let before = match on.get("moment").and_then(Node::as_text) {
                None | Some("after") => false,
                Some("before") => true,
                Some(other) => {
                    this.findings.unknown(on.at, "moment", other, ["before", "after"]);
                    false
                }
            };
            let outer = this.event.replace(event);
            let mut when = this.field(on, "where", |this, inner| this.expr(inner, Ty::Bool));
            if let Some(filters) = on.get("filters") {
                for (key, value) in filters.fields() {
                    let fields = this.program.events[event].fields.clone();
                    let Some(n) = fields.iter().position(|(field, _)| *field == key.name) else {
                        this.findings.unknown(
                            key.at,
                            "field of this event",
                            &key.name,
                            fields.iter().map(|(f, _)| f.as_str()),
                        );
                        continue;
                    };
                    let value =
                        this.at("filters", |this| this.at(&key.name, |this| this.expr(value, fields[n].1)));
                    let field = this.add(Expr::Ev(n as u8));
                    let same = this.add(Expr::Eq(field, value));
                    when = Some(this.both(when, same));
                }
            }
            if let Some(step) = step {
                let (field, value) = (this.add(Expr::Ev(1)), this.add(Expr::Const(step)));
                let same = this.add(Expr::Eq(field, value));
                when = Some(this.both(when, same));
            }
            this.event = outer;
            Some((event, before, when))
        })
    }

    pub(super) fn both(&mut self, first: Option<ExprId>, second: ExprId) -> ExprId {
        match first {
            None => second,
            Some(first) => self.add(Expr::And(first, second)),
        }
    }

    /// An event, or the document's `DrawStep.Start` for the beginning of the step `draw` (R4).
    pub(super) fn event_or_step(&mut self, node: &Node) -> Option<(EventType, Option<i64>)> {
        if let Some(text) = node.as_text() {
            for (suffix, event) in [("Step.Start", STEP_START), ("Step.End", STEP_END)] {
                if let Some(name) = text.strip_suffix(suffix) {
                    let steps = &self.program.enums[STEPS].values;
                    let found = steps.iter().position(|step| same_step(step, name));
                    if let Some(step) = found {
                        return Some((event, Some(step as i64)));
                    }
                }
            }
        }
        self.event_named(node).map(|event| (event, None))
    }

    /// What a trigger triggers on: an event, or a state.
    fn occasion(&mut self, node: &'n Node) -> Option<(EventType, bool, Option<ExprId>)> {
        if node.get("state").is_some() {
            let when = self.field(node, "state", |this, inner| this.expr(inner, Ty::Bool));
            return Some((STATE, false, when));
        }
        self.pattern(node)
    }

    /// A trigger of a card, or a rule of the game.
    pub(super) fn trigger(&mut self, node: &'n Node, ability: bool) -> Option<TriggerId> {
        self.only_part(node, "trigger");
        let id = node.get("id").and_then(Node::as_text).unwrap_or("trigger").to_owned();
        let (event, before, mut when) = self.occasion(node)?;
        let outer = self.event.replace(event);
        for (n, condition) in node.get("conditions").map_or(&[][..], Node::items).iter().enumerate() {
            let condition = self.at("conditions", |this| this.at(n, |this| this.expr(condition, Ty::Bool)));
            when = Some(self.both(when, condition));
        }
        let still = self.field(node, "if", |this, inner| this.expr(inner, Ty::Bool));
        self.event = outer;
        let limit = self.limit(node);
        let default = self.open_zones();
        let field = if node.get("zones").is_some() { "zones" } else { "zone" };
        let zones = self.zone_bits(node, field, default);
        let respond = node.get("respond").and_then(Node::as_bool).unwrap_or(self.program.respond_to_triggers);
        // Whoever may respond must know what it is aimed at.
        let aims = respond && !self.program.is_first_edition() && node.get("targets").is_some();
        let mut bound = Vec::new();
        let aim = aims.then(|| {
            self.block(false, Some(event), &[], |this| {
                bound = this
                    .field(node, "targets", |this, targets| this.trigger_targets(targets, &id))
                    .unwrap_or_default();
                this.op(Op::Aimed(bound.len() as u16));
            })
        });
        let bind: Vec<(&str, Ty)> = bound.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
        let code = self.block(false, Some(event), &bind, |this| {
            if node.get("optional").and_then(Node::as_bool) == Some(true) {
                this.may(node, &id);
            }
            if let Some(targets) = node.get("targets").filter(|_| !aims) {
                this.at("targets", |this| this.trigger_targets(targets, &id));
            }
            let body = if node.get("do").is_some() { "do" } else { "effects" };
            if this.field(node, body, Self::statements).is_none() {
                this.findings.error("shape", node.at, "`do` is missing");
            }
        });
        let targets = bound.into_iter().map(|(name, _)| name).collect();
        let n = TriggerId::at(self.program.triggers.len());
        let recheck = node.get("recheck").and_then(Node::as_bool).unwrap_or(false);
        self.program.triggers.push(TriggerDef {
            id,
            ability,
            delayed: false,
            event,
            before,
            when,
            recheck,
            still,
            zones,
            limit,
            code,
            aim,
            targets,
            respond,
        });
        let def = &mut self.program.events[event];
        def.triggers.push(n);
        def.heard |= ability;
        Some(n)
    }

    /// "You may": asked first; whoever declines does nothing.
    pub(super) fn may(&mut self, node: &'n Node, id: &str) {
        let you = self.add(Expr::You);
        let prompt =
            node.get("prompt").and_then(Node::as_text).map_or_else(|| format!("Use {id}?"), str::to_owned);
        let n = self.hidden_ask(
            crate::machine::program::AskKind::Confirm,
            None,
            prompt,
            format!("{id}.activate"),
            Ty::Bool,
            "activate",
        );
        let yes = self.answered(self.program.asks[n].answer, you, Ty::Bool);
        let skip = self.op(Op::Unless(yes, 0));
        let over = self.op(Op::Jump(0));
        if let Some(Op::Unless(_, to)) = self.program.code.get_mut(skip) {
            *to = skip as u32 + 2;
        }
        // Declined: the block ends here.
        self.op(Op::End);
        let here = self.here();
        if let Some(Op::Jump(to)) = self.program.code.get_mut(over) {
            *to = here;
        }
    }

    /// A question that the compiler puts into the code; its answer is bound to a name.
    pub(super) fn hidden_ask(
        &mut self,
        kind: crate::machine::program::AskKind,
        from: Option<SelId>,
        prompt: String,
        id: String,
        ty: Ty,
        name: &str,
    ) -> QuestionId {
        let you = self.add(Expr::You);
        let one = self.add(Expr::Const(1));
        self.program.answers.push(String::new());
        let answer = AnswerId::at(self.program.answers.len() - 1);
        self.program.asks.push(crate::machine::program::AskDef {
            id,
            prompt,
            kind,
            ty,
            who: crate::machine::program::Who::One(you),
            mode: crate::machine::program::AskMode::One,
            from,
            asked: 0,
            min: one,
            max: one,
            modes: Vec::new(),
            answer,
            ms: self.program.action_ms,
            // Whoever says nothing has not said that he will.
            fallback: if kind == crate::machine::program::AskKind::Confirm {
                crate::machine::program::Fallback::Pass
            } else {
                crate::machine::program::Fallback::First
            },
            deadline: false,
            drafts: false,
            alive: false,
            auto: false,
            always: false,
            shown: false,
            fits: None,
            why: None,
            holes: Vec::new(),
        });
        let n = QuestionId::at(self.program.asks.len() - 1);
        self.op(Op::Ask(n));
        let local = self.scope.bind(name, ty);
        let value = self.answered(answer, you, ty);
        self.op(Op::Let(local, value));
        n
    }

    /// Asks for the targets of a trigger; their names and types.
    pub(super) fn trigger_targets(&mut self, node: &'n Node, id: &str) -> Vec<(String, Ty)> {
        let mut bound = Vec::new();
        for (n, target) in node.items().iter().enumerate() {
            self.at(n, |this| {
                let Some(name) = target.get("id").and_then(Node::as_text) else {
                    return this.findings.error("shape", target.at, "`id` is missing");
                };
                let (sel, ty) = this.target_sel(target);
                let left_out = target.get("optional").and_then(Node::as_bool) == Some(true)
                    || target.get("min").and_then(Node::as_int) == Some(0);
                if let Some(number) = target.get("number") {
                    let help = "`ask` for it in `do`";
                    this.findings.error_help("type", number.at, "a target of a trigger is a thing", help);
                }
                if let Some(price) = target.get("price") {
                    this.findings.error(
                        "shape",
                        price.at,
                        "a trigger costs nothing: only a target of an action is a price",
                    );
                }
                if left_out {
                    let help = "make the trigger `optional`, or `ask` with `min: 0` in `do`";
                    this.findings.error_help(
                        "shape",
                        target.at,
                        "a target of a trigger cannot be left out",
                        help,
                    );
                }
                let prompt = target
                    .get("prompt")
                    .and_then(Node::as_text)
                    .map_or_else(|| format!("Choose the {name} of {id}"), str::to_owned);
                this.hidden_ask(
                    crate::machine::program::AskKind::Pick,
                    Some(sel),
                    prompt,
                    format!("{id}.{name}"),
                    ty,
                    name,
                );
                bound.push((name.to_owned(), ty));
            });
        }
        bound
    }

    pub(super) fn target_sel(&mut self, target: &'n Node) -> (SelId, Ty) {
        self.only_part(target, "target");
        if let Some(number) = target.get("number") {
            return (self.at("number", |this| this.numbers(number)), Ty::Int);
        }
        let field = if target.get("from").is_some() { "from" } else { "selector" };
        self.one_thing(target);
        self.field(target, field, Self::one_thing);
        match target.get(field) {
            Some(from) => self.at(field, |this| this.select(from, Ty::Any)),
            None => {
                self.findings.error("shape", target.at, "`from` is missing: what may be chosen");
                (self.add_sel(super::exprs::plain(Source::Consts(Vec::new()))), Ty::Any)
            }
        }
    }

    /// `{min, max}`: the numbers that a target may be, from 0 on and so many as are listed.
    fn numbers(&mut self, node: &'n Node) -> SelId {
        self.only(node, &["min", "max"]);
        let (min, max) = (self.number(node, "min", 0), self.need(node, "max", Ty::Int));
        let (zero, width) = (self.add(Expr::Const(0)), self.add(Expr::Const(NUMBERS_LISTED_MAX - 1)));
        let most = self.add(Expr::Const(seat_value(0) - 1));
        let min = self.add(Expr::Max(min, zero));
        let last = self.add(Expr::Add(min, width));
        let max = self.add(Expr::Min(max, last));
        let max = self.add(Expr::Min(max, most));
        self.add_sel(super::exprs::plain(Source::Range(min, max)))
    }

    /// A target is one thing: whoever wants several is told how to have them.
    fn one_thing(&mut self, node: &'n Node) {
        for name in ["count", "min", "max"] {
            let Some(many) = node.get(name).filter(|n| n.as_int() != Some(1) && n.as_int() != Some(0)) else {
                continue;
            };
            let help = "list a target for each, or `ask` with `min` and `max` in `do`";
            self.at(name, |this| this.findings.error_help("limit", many.at, "a target is one thing", help));
        }
    }

    /// What keywords bring with them.
    pub(super) fn keyword_abilities(&mut self, root: &'n Node) {
        let Some(keywords) = root.get("keywords") else { return };
        self.program.macros = vec![Abilities::default(); self.program.keywords.len()];
        self.at("keywords", |this| {
            let named = keywords.fields().iter().map(|(key, node)| (key.name.clone(), node));
            let listed = keywords.items().iter().enumerate().map(|(n, node)| (n.to_string(), node));
            let nodes: Vec<(String, &'n Node)> = named.chain(listed).collect();
            for (n, (step, node)) in nodes.into_iter().enumerate().take(this.program.macros.len()) {
                this.at(step, |this| {
                    this.only_part(node, "keyword");
                    let abilities = this.abilities(node);
                    this.program.listening_keywords |=
                        u64::from(!abilities.is_silent() || !abilities.activated.is_empty()) << n;
                    this.program.macros[n] = abilities;
                });
            }
        });
    }

    /// The abilities that a card or a keyword has.
    fn abilities(&mut self, node: &'n Node) -> Abilities {
        let mut all = Abilities::default();
        self.each_item(node, "triggers", |this, item| all.triggers.extend(this.trigger(item, true)));
        self.each_item(node, "replaces", |this, item| all.replaces.extend(this.replacement(item, true)));
        self.each_item(node, "cannot", |this, item| all.replaces.extend(this.prohibition(item, true)));
        self.each_item(node, "statics", |this, item| all.statics.push(this.static_ability(item)));
        self.each_item(node, "activated", |this, item| all.activated.push(this.ability(item)));
        all
    }

    fn each_item(&mut self, node: &'n Node, field: &str, mut f: impl FnMut(&mut Self, &'n Node)) {
        for (n, item) in node.get(field).map_or(&[][..], Node::items).iter().enumerate() {
            self.at(field, |this| this.at(n, |this| f(this, item)));
        }
    }

    /// What abilities a card has.
    pub(super) fn card_abilities(&mut self, root: &'n Node) {
        let Some(cards) = root.get("cards") else { return };
        for (n, (key, node)) in cards.fields().iter().enumerate() {
            if n >= self.program.cards.len() {
                break;
            }
            self.at("cards", |this| {
                this.at(&key.name, |this| {
                    let mut all = this.abilities(node);
                    for (field, to_zone) in [("etb", true), ("leaves", false)] {
                        if let Some(inner) = node.get(field) {
                            all.triggers.push(this.at(field, |this| this.arrival(inner, field, to_zone)));
                        }
                    }
                    this.program.cards[n].abilities = all;
                    this.card_resolve(node, n);
                });
            });
        }
    }

    pub(super) fn arrival(&mut self, node: &'n Node, id: &str, arrives: bool) -> TriggerId {
        let event = crate::machine::program::ZONE_MOVED;
        let zones = self.open_zones();
        let (moved, this) = (self.add(Expr::Ev(0)), self.add(Expr::This));
        let mut when = self.add(Expr::Eq(moved, this));
        // Into, or out of, where its abilities work.
        let zone = self.add(Expr::Ev(if arrives { 2 } else { 1 }));
        let mut any = self.add(Expr::Const(0));
        for n in 0..self.program.zones.len() {
            if zones & 1 << n != 0 {
                let is = self.add(Expr::EqConst(zone, n as i64));
                any = self.add(Expr::Or(any, is));
            }
        }
        when = self.add(Expr::And(when, any));
        let code = self.block(false, Some(event), &[], |this| this.statements(node));
        let n = TriggerId::at(self.program.triggers.len());
        self.program.triggers.push(TriggerDef {
            id: id.to_owned(),
            ability: true,
            delayed: false,
            event,
            before: false,
            when: Some(when),
            recheck: false,
            still: None,
            zones: if arrives { zones } else { u64::MAX },
            limit: None,
            code,
            aim: None,
            targets: Vec::new(),
            respond: self.program.respond_to_triggers,
        });
        let def = &mut self.program.events[event];
        def.triggers.push(n);
        def.heard = true;
        n
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
