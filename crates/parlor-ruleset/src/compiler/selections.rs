//! Selections, seats, and the names of declared things.

use super::Compiler;
use super::exprs::plain;
use super::implicit_seat::Left;
use super::scope::Bound;
use crate::language::{Node, Value, schema};
use crate::machine::ids::{AnswerId, AttrId, ConfigId, CounterId, EnumId, EventType, TextId, VarId, ZoneId};
use crate::machine::program::{CARDS, Expr, ExprId, Prefer, Sel, SelId, Source, To, Ty, Who};

/// What says what a selection is from.
const SOURCES: [&str; 14] = [
    "zones",
    "zone",
    "of",
    "seats",
    "stackItems",
    "answer",
    "range",
    "enum",
    "cards",
    "union",
    "from",
    "config",
    "cells",
    "free",
];

/// Whether an object says what it selects from.
pub(super) fn is_from_something(node: &Node) -> bool {
    SOURCES.iter().any(|source| node.get(source).is_some())
}

impl<'n> Compiler<'n> {
    /// A selection, and what it selects.
    pub(super) fn select(&mut self, node: &'n Node, want: Ty) -> (SelId, Ty) {
        self.select_as(node, want, false)
    }

    /// The selection of all that does not fit its `where`.
    pub(super) fn select_negated(&mut self, node: &'n Node) -> (SelId, Ty) {
        self.select_as(node, Ty::Any, true)
    }

    fn select_as(&mut self, node: &'n Node, want: Ty, negated: bool) -> (SelId, Ty) {
        match &node.value {
            Value::Text(text) => {
                let bound = self.scope.find(text);
                let source = match bound {
                    Some(Bound::List(slot, ty)) => Some((Source::List(slot), ty)),
                    Some(Bound::Answer(slot, ty, false)) => {
                        let you = self.you(node.at, Left::Word(text));
                        Some((Source::Answer(slot, you), ty))
                    }
                    Some(_) => None,
                    None => self
                        .program
                        .zone_named(text)
                        .map(|zone| (Source::Zones(vec![zone], Who::All), Ty::Ent)),
                };
                if let Some((source, ty)) = source {
                    return (self.add_sel(plain(source)), ty);
                }
                let (expr, ty) = self.typed(node, want);
                (self.add_sel(plain(Source::Single(expr))), ty)
            }
            Value::List(items) => {
                let mut parts = Vec::new();
                let mut ty = want;
                for (n, item) in items.iter().enumerate() {
                    let (sel, got) = self.at(n, |this| this.select(item, want));
                    ty = got;
                    parts.push(sel);
                }
                (self.add_sel(plain(Source::Union(parts))), ty)
            }
            Value::Map(fields)
                if fields
                    .iter()
                    .any(|(key, _)| SOURCES.contains(&key.name.as_str()) && !self.is_scalar(node)) =>
            {
                self.select_map(node, want, negated)
            }
            _ => {
                let (expr, ty) = self.typed(node, want);
                (self.add_sel(plain(Source::Single(expr))), ty)
            }
        }
    }

    /// `{"config": name}` of a number and `{"seats": true}` are values, not selections.
    fn is_scalar(&self, node: &Node) -> bool {
        if node.fields().len() != 1 {
            return false;
        }
        let scalar_config = node.get("config").and_then(Node::as_text).is_some_and(|name| {
            self.program.config.iter().any(|config| config.name == *name && !config.list)
        });
        scalar_config || node.get("seats").and_then(Node::as_bool).is_some()
    }

    fn select_map(&mut self, node: &'n Node, want: Ty, negated: bool) -> (SelId, Ty) {
        if std::mem::take(&mut self.picking) {
            let options = [schema::selection(), vec!["fits"]].concat();
            self.only(node, &options);
        } else {
            self.only(node, &schema::selection());
        }
        let (source, ty) = self.source(node, want);
        let Some(depth) = self.scope.deeper() else {
            self.findings.error("limit", node.at, "selections are nested deeper than it_depth_max");
            return (self.add_sel(plain(source)), ty);
        };
        let mark = self.scope.mark();
        self.scope.alias("it", Bound::It(depth, ty));
        if let Some(name) = node.get("as").and_then(Node::as_text) {
            self.scope.alias(name, Bound::It(depth, ty));
        }
        let mut keep = self.field(node, "where", |this, inner| this.expr(inner, Ty::Bool));
        if let Some(id) = keep
            && negated
        {
            keep = Some(self.add(Expr::Not(id)));
        }
        if let Some(other) = self.field(node, "exclude", |this, inner| this.excluded(inner, depth, ty)) {
            keep = Some(match keep {
                None => other,
                Some(keep) => self.add(Expr::And(other, keep)),
            });
        }
        let prefer = self.field(node, "prefer", Self::prefers).unwrap_or_default();
        let order = self.field(node, "order", |this, inner| this.expr(inner, Ty::Any));
        let order = order.or_else(|| self.field(node, "by", |this, inner| this.expr(inner, Ty::Any)));
        let most = node.get("desc").and_then(Node::as_bool).unwrap_or(false);
        let distinct = self.field(node, "distinctBy", |this, inner| this.expr(inner, Ty::Any));
        self.scope.back(mark);
        self.scope.shallower();
        let n = self.field(node, "n", |this, inner| this.expr(inner, Ty::Int));
        let flag = |name: &str| node.get(name).and_then(Node::as_bool).unwrap_or(false);
        let sel = Sel {
            source,
            keep,
            it: depth,
            prefer,
            distinct,
            order: order.map(|key| (key, most)),
            reversed: flag("top"),
            n,
            sorted: flag("sorted"),
            why: self.why(node),
            test: None,
            whole: None,
            runs: Vec::new(),
        };
        self.never_matches(node, &sel);
        let mut id = self.add_sel(sel);
        self.hoist(id);
        id = self.at_random(node, id, ty).unwrap_or(id);
        let Some(seats) = node.get("orSeats") else { return (id, ty) };
        let who = self.at("orSeats", |this| this.who(seats));
        let seats = self.add_sel(plain(Source::Seats(who)));
        (self.add_sel(plain(Source::Union(vec![id, seats]))), Ty::Thing)
    }

    /// Whether `it` is none of these: one thing, or a list of them.
    fn excluded(&mut self, node: &'n Node, depth: u8, ty: Ty) -> ExprId {
        let it = self.add(Expr::It(depth));
        let several = match &node.value {
            Value::Text(text) => match self.scope.find(text) {
                Some(bound) => matches!(bound, Bound::List(..) | Bound::Answer(_, _, false)),
                None => self.program.zones.iter().any(|zone| zone.name == *text),
            },
            Value::List(_) => true,
            _ => is_from_something(node) && !self.is_scalar(node),
        };
        if !several || self.program.is_first_edition() {
            let thing = self.expr(node, ty);
            let same = self.add(Expr::Eq(it, thing));
            return self.add(Expr::Not(same));
        }
        let inner = self.sel_of(node, ty);
        let same = match self.scope.deeper() {
            Some(each) => {
                let other = self.add(Expr::It(each));
                let same = self.add(Expr::Eq(other, it));
                self.scope.shallower();
                let among = Sel { keep: Some(same), it: each, ..plain(Source::Union(vec![inner])) };
                let among = self.add_sel(among);
                self.add(Expr::Exists(among))
            }
            None => {
                self.findings.error("limit", node.at, "selections are nested deeper than it_depth_max");
                it
            }
        };
        self.add(Expr::Not(same))
    }

    /// What whoever asks is told about things that were not selected.
    fn why(&mut self, node: &'n Node) -> Option<TextId> {
        let why = node.get("why")?;
        match why.as_text() {
            Some(text) => Some(self.text(text)),
            None => {
                self.at("why", |this| this.expect(why, "a text"));
                None
            }
        }
    }

    fn prefers(&mut self, node: &'n Node) -> Vec<Prefer> {
        let mut list = Vec::new();
        for (n, item) in node.items().iter().enumerate() {
            self.at(n, |this| {
                this.only(item, &["when", "where", "why"]);
                let when = this.field(item, "when", |this, inner| this.expr(inner, Ty::Bool));
                let Some(keep) = this.field(item, "where", |this, inner| this.expr(inner, Ty::Bool)) else {
                    this.findings.error("shape", item.at, "`where` is missing: what is preferred");
                    return;
                };
                let why = this.why(item);
                list.push(Prefer { when, keep, why, test: None });
            });
        }
        list
    }

    fn source(&mut self, node: &'n Node, want: Ty) -> (Source, Ty) {
        if let Some(zones) = node.get("zones").or_else(|| node.get("zone")) {
            let mut list = Vec::new();
            let names: Vec<&Node> =
                if zones.items().is_empty() { vec![zones] } else { zones.items().iter().collect() };
            for (n, name) in names.into_iter().enumerate() {
                self.at("zones", |this| this.at(n, |this| list.extend(this.zone(name))));
            }
            let of = node.get("of").or_else(|| node.get("controller"));
            let who = of.map(|of| self.at("of", |this| this.who(of)));
            return (Source::Zones(list, who.unwrap_or(Who::All)), Ty::Ent);
        }
        if let Some(seats) = node.get("seats") {
            let who = self.at("seats", |this| this.who(seats));
            return (Source::Seats(who), Ty::Seat);
        }
        if let Some(items) = node.get("stackItems") {
            let who = match items.get("controller") {
                Some(of) => self.at("stackItems", |this| this.at("controller", |this| this.who(of))),
                None => Who::All,
            };
            return (Source::Items(who), Ty::Item);
        }
        if let Some(answer) = node.get("answer") {
            return self.at("answer", |this| this.answered_by(answer));
        }
        if let Some(name) = ["cells", "free"].into_iter().find(|name| node.get(name).is_some()) {
            let of = node.get("of");
            let grid = node.get(name).and_then(|zone| self.at(name, |this| this.grid_of(zone, of)));
            return match grid {
                Some((zone, of)) => (Source::Cells(zone, of, name == "free"), Ty::Int),
                None => (Source::Consts(Vec::new()), Ty::Int),
            };
        }
        if let Some(range) = node.get("range") {
            let [from, to] = range.items() else {
                self.expect(range, "[from, to]");
                return (Source::Consts(Vec::new()), Ty::Int);
            };
            let from = self.at("range", |this| this.at(0, |this| this.expr(from, Ty::Int)));
            let to = self.at("range", |this| this.at(1, |this| this.expr(to, Ty::Int)));
            return (Source::Range(from, to), Ty::Int);
        }
        if let Some(name) = node.get("enum").and_then(Node::as_text) {
            return self.values_of(node.at, name);
        }
        if let Some(cards) = node.get("cards") {
            return self.at("cards", |this| (this.card_list(cards), Ty::Enum(CARDS)));
        }
        if let Some(config) = node.get("config") {
            return match self.at("config", |this| this.config(config)) {
                Some(n) => (Source::Config(n), self.program.config[n].ty),
                None => (Source::Consts(Vec::new()), Ty::Any),
            };
        }
        if let Some(union) = node.get("union") {
            let mut parts = Vec::new();
            let mut ty = want;
            for (n, item) in union.items().iter().enumerate() {
                let (sel, got) = self.at("union", |this| this.at(n, |this| this.select(item, want)));
                ty = got;
                parts.push(sel);
            }
            return (Source::Union(parts), ty);
        }
        if let Some(from) = node.get("from") {
            let (sel, ty) = self.at("from", |this| this.select(from, want));
            return (Source::Union(vec![sel]), ty);
        }
        self.expect(node, "a selection");
        (Source::Consts(Vec::new()), Ty::Any)
    }

    /// `[name, seat]`: what a seat answered.
    fn answered_by(&mut self, answer: &'n Node) -> (Source, Ty) {
        let [name, seat] = answer.items() else {
            self.expect(answer, "[name, seat]");
            return (Source::Consts(Vec::new()), Ty::Any);
        };
        let slot = self.answer_slot(name);
        let seat = self.at(1, |this| this.expr(seat, Ty::Seat));
        match slot {
            Some((slot, ty)) => (Source::Answer(slot, seat), ty),
            None => (Source::Consts(Vec::new()), Ty::Any),
        }
    }

    /// The values of an enum.
    fn values_of(&mut self, at: u32, name: &str) -> (Source, Ty) {
        match self.program.enums.iter().position(|def| def.name == name) {
            Some(n) => {
                let values = (0..self.program.enums[n].values.len() as i64).collect();
                (Source::Consts(values), Ty::Enum(EnumId::at(n)))
            }
            None => {
                let names: Vec<String> = self.program.enums.iter().map(|def| def.name.clone()).collect();
                self.findings.unknown(at, "enum", name, names.iter().map(String::as_str));
                (Source::Consts(Vec::new()), Ty::Any)
            }
        }
    }

    /// Kinds of cards: a list of names, or a knob that lists them.
    pub(super) fn card_list(&mut self, node: &'n Node) -> Source {
        if let Some(inner) = node.get("config") {
            return match self.at("config", |this| this.config(inner)) {
                Some(n) => Source::Config(n),
                None => Source::Consts(Vec::new()),
            };
        }
        let mut list = Vec::new();
        for (n, card) in node.items().iter().enumerate() {
            let id = self.at(n, |this| this.expr(card, Ty::Enum(CARDS)));
            if let Expr::Const(value) = self.program.exprs[id] {
                list.push(value);
            }
        }
        Source::Consts(list)
    }

    /// Which seats.
    pub(super) fn who(&mut self, node: &'n Node) -> Who {
        if let Some(text) = node.as_text()
            && self.scope.find(text).is_none()
        {
            match text {
                "each" | "all" | "any" => return Who::All,
                "inTurn" => return Who::InTurn,
                "opponent" | "opponents" | "others" => {
                    return Who::Others(self.you(node.at, Left::Word(text)));
                }
                "self" => return Who::One(self.you(node.at, Left::Word(text))),
                _ => {}
            }
            if let Some(name) = text.strip_prefix("others:") {
                let expr = match self.scope.find(name) {
                    Some(Bound::Local(slot, _)) => Expr::Local(slot),
                    Some(Bound::It(depth, _)) => Expr::It(depth),
                    _ => {
                        let names = self.scope.names();
                        self.findings.unknown(node.at, "name", name, names.iter().map(String::as_str));
                        Expr::You
                    }
                };
                return Who::Others(self.add(expr));
            }
        }
        if !node.as_text().is_some_and(|text| self.is_bound(text))
            && let Some(who) = self.team_relation(node)
        {
            return who;
        }
        if node.get("from").is_some() {
            self.only(node, &["from", "n"]);
            let from = self.field(node, "from", |this, inner| this.expr(inner, Ty::Seat));
            let n = self.field(node, "n", |this, inner| this.expr(inner, Ty::Int));
            let all = self.add(Expr::Seats);
            return Who::From(from.unwrap_or_default(), n.unwrap_or(all));
        }
        if let Some(others) = node.get("others") {
            let expr = self.at("others", |this| this.expr(others, Ty::Seat));
            return Who::Others(expr);
        }
        if self.is_selection(node) {
            return Who::Among(self.sel_of(node, Ty::Seat));
        }
        if let Some(text) = node.as_text().filter(|text| !self.is_name(text)) {
            let mut known = self.scope.names();
            known.retain(|name| !name.is_empty() && !name.starts_with('?'));
            let yours = self.implicit_seat != super::implicit_seat::ImplicitSeat::Nobody;
            let teams = !self.program.teams.is_empty();
            known.extend(["all", "each", "any", "inTurn", "active"].map(str::to_owned));
            known.extend(["you", "opponents", "others"].into_iter().filter(|_| yours).map(str::to_owned));
            let kin = ["team", "partners", "enemies"].into_iter().filter(|_| yours && teams);
            known.extend(kin.map(str::to_owned));
            match self.written(text, Ty::Any) {
                Some(help) => {
                    self.findings.error_help("unknown", node.at, format!("there is no name '{text}'"), help)
                }
                None => self.findings.unknown(node.at, "name", text, known.iter().map(String::as_str)),
            }
            return Who::All;
        }
        Who::One(self.expr(node, Ty::Seat))
    }

    /// Whether these may be several seats: a list, the name of one, or a selection.
    fn is_selection(&self, node: &Node) -> bool {
        match &node.value {
            Value::Text(text) => matches!(self.scope.find(text), Some(Bound::List(..))),
            Value::List(_) => true,
            _ => ["seats", "union"].iter().any(|source| node.get(source).is_some()) && !self.is_scalar(node),
        }
    }

    /// Whether a name means something, wherever it stands.
    fn is_name(&self, text: &str) -> bool {
        const ALWAYS: [&str; 7] = ["self", "source", "you", "active", "none", "partner", "opponent"];
        self.scope.find(text).is_some()
            || ALWAYS.contains(&text)
            || self.constants.iter().any(|(name, ..)| name == text)
            || self.defined.contains_key(text)
    }

    fn lookup(&mut self, node: &Node, what: &str, names: &[String]) -> Option<u16> {
        let Some(text) = node.as_text() else {
            self.expect(node, &format!("the name of a {what}"));
            return None;
        };
        let found = names.iter().position(|name| name == text);
        if found.is_none() {
            self.findings.unknown(node.at, what, text, names.iter().map(String::as_str));
        }
        found.map(|n| n as u16)
    }

    pub(super) fn zone(&mut self, node: &Node) -> Option<ZoneId> {
        let names: Vec<String> = self.program.zones.iter().map(|def| def.name.clone()).collect();
        self.lookup(node, "zone", &names).map(ZoneId)
    }

    pub(super) fn attribute(&mut self, node: &Node) -> Option<AttrId> {
        let names: Vec<String> = self.program.attrs.iter().map(|def| def.name.clone()).collect();
        self.lookup(node, "attribute", &names).map(AttrId)
    }

    pub(super) fn counter(&mut self, node: &Node) -> Option<CounterId> {
        let names: Vec<String> = self.program.counters.iter().map(|(name, _)| name.clone()).collect();
        self.lookup(node, "counter", &names).map(CounterId)
    }

    pub(super) fn keyword(&mut self, node: &Node) -> Option<u16> {
        let names = self.program.keywords.clone();
        self.lookup(node, "keyword", &names)
    }

    pub(super) fn config(&mut self, node: &Node) -> Option<ConfigId> {
        let names: Vec<String> = self.program.config.iter().map(|def| def.name.clone()).collect();
        self.lookup(node, "config", &names).map(ConfigId)
    }

    pub(super) fn event_named(&mut self, node: &Node) -> Option<EventType> {
        // One of the engine's own has no name that could be written.
        let names: Vec<String> =
            self.program.events.iter().map(|def| def.name.replace("(state)", "")).collect();
        self.lookup(node, "event", &names).map(EventType)
    }

    pub(super) fn answer_slot(&mut self, node: &Node) -> Option<(AnswerId, Ty)> {
        if let Some(text) = node.as_text()
            && let Some(Bound::Answer(slot, ty, _)) = self.scope.find(&format!("?{text}"))
        {
            return Some((slot, ty));
        }
        let names: Vec<String> =
            self.scope.names().iter().filter_map(|name| name.strip_prefix('?').map(str::to_owned)).collect();
        self.lookup(node, "answer", &names).map(|_| (AnswerId::default(), Ty::Any))
    }

    /// A variable and whose it is: `"name"`, `["game", "name"]`, `[seat, "name"]`.
    pub(super) fn var_ref(&mut self, node: &'n Node) -> Option<(VarId, Option<ExprId>)> {
        let (owner, name) = match node.items() {
            [owner, name] => (Some(owner), name),
            _ => (None, node),
        };
        let names: Vec<String> = self.program.vars.iter().map(|def| def.name.clone()).collect();
        let var = VarId(self.lookup(name, "variable", &names)?);
        let def = &self.program.vars[var];
        let (per_player, per_team) = (def.per_player || def.per_team, def.per_team);
        let of_game = owner.is_none_or(|owner| owner.as_text() == Some("game"));
        if let Some(per) = def.per {
            let Some(which) = owner else {
                let values = self.program.enums[per].name.clone();
                let message = format!("there is a variable {} for each {values}", names[var.index()]);
                let help = format!("say which: [{values}, \"{}\"]", names[var.index()]);
                self.findings.error_help("owner", node.at, message, help);
                return None;
            };
            let which = self.at(0, |this| this.expr(which, Ty::Enum(per)));
            return Some((var, Some(which)));
        }
        match (per_player, of_game) {
            (false, true) => Some((var, None)),
            (true, false) => {
                let owner = owner?;
                let seat = self.at(0, |this| this.expr(owner, Ty::Seat));
                Some((var, Some(seat)))
            }
            (true, true) => {
                let who = if per_team { "team" } else { "player" };
                let message = format!("each {who} has a variable {}", names[var.index()]);
                let help = format!("say whose: [\"{}\", \"{}\"]", self.some_seat(), names[var.index()]);
                self.findings.error_help("owner", node.at, message, help);
                None
            }
            (false, false) => {
                let message = format!("{} is a variable of the game", names[var.index()]);
                self.findings.error_help("owner", node.at, message, "write [\"game\", name]");
                None
            }
        }
    }

    /// A zone to move to: `"name"`, `{"zone": ["name", seat]}`.
    pub(super) fn to(&mut self, node: &'n Node) -> Option<To> {
        let inner = node.get("zone").unwrap_or(node);
        let (name, owner) = match inner.items() {
            [name, owner] => (name, Some(owner)),
            [name] => (name, None),
            _ => (inner, None),
        };
        let zone = self.zone(name)?;
        let per_player = self.program.zones[zone].per_player;
        let of = match (per_player, owner) {
            (true, Some(owner)) => {
                Some(self.at("zone", |this| this.at(1, |this| this.expr(owner, Ty::Seat))))
            }
            (true, None) => Some(self.you(name.at, Left::Zone(name.as_text().unwrap_or("?")))),
            (false, _) => None,
        };
        Some(To { zone, of })
    }
}
