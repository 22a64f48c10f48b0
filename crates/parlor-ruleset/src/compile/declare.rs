//! Declarations: everything that has a name, before any code is read.

use super::Compiler;
use crate::ir::{Node, Value};
use crate::limits::{DECLARED_MAX, EVENT_FIELDS_MAX, KEYWORDS_MAX, NAME_CHARS_MAX};
use crate::program::{
    ABILITIES, AttrDef, AttrKind, CARDS, EnumDef, EventDef, Expr, NONE, PHASES, STEPS, See, Ty, ZONES,
};

/// Events that every ruleset has, in the order of their numbers.
const BUILT_IN: [(&str, &[(&str, Ty)]); 15] = [
    (
        "ZoneMoved",
        &[
            ("card", Ty::Ent),
            ("from", Ty::Enum(ZONES)),
            ("to", Ty::Enum(ZONES)),
            ("fromSeat", Ty::Seat),
            ("toSeat", Ty::Seat),
        ],
    ),
    ("StepStart", &[("phase", Ty::Enum(PHASES)), ("step", Ty::Enum(STEPS))]),
    ("StepEnd", &[("phase", Ty::Enum(PHASES)), ("step", Ty::Enum(STEPS))]),
    ("PhaseChanged", &[("phase", Ty::Enum(PHASES))]),
    ("TurnStarted", &[("seat", Ty::Seat), ("turn", Ty::Int)]),
    ("TurnEnded", &[("seat", Ty::Seat), ("turn", Ty::Int)]),
    ("EventPrevented", &[("eventId", Ty::Int), ("eventType", Ty::Int)]),
    ("Verdict", &[("eventId", Ty::Int), ("verdict", Ty::Int)]),
    ("CardCreated", &[("card", Ty::Ent)]),
    ("Revealed", &[("card", Ty::Ent)]),
    ("Answered", &[("seat", Ty::Seat)]),
    ("GameEnded", &[]),
    ("RoundStarted", &[("round", Ty::Int)]),
    ("AbilityTriggered", &[("source", Ty::Ent), ("controller", Ty::Seat)]),
    ("(state)", &[]),
];

/// How many events every ruleset has; they come first.
pub(crate) const BUILT_IN_EVENTS: usize = BUILT_IN.len();

impl<'n> Compiler<'n> {
    /// Whether there is room for one more of what a section declares; says so where there is none.
    pub(super) fn room(&mut self, have: usize, what: &str, at: u32) -> bool {
        if have >= DECLARED_MAX {
            self.f.error("limit", at, format!("more {what} than declared_max, {DECLARED_MAX}"));
        }
        have < DECLARED_MAX
    }

    /// Whether a name can be used.
    pub(super) fn good_name(&mut self, name: &str, at: u32) {
        let good =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '♣' | '♦' | '♥' | '♠');
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || !name.chars().all(good) {
            self.f.error(
                "name",
                at,
                format!("'{name}' is no name: letters, digits, _ and -, at most {NAME_CHARS_MAX}"),
            );
        }
    }

    pub(super) fn header(&mut self, root: &'n Node) {
        const SECTIONS: &[&str] = &[
            "ir",
            "id",
            "version",
            "name",
            "author",
            "description",
            "metadata",
            "players",
            "config",
            "enums",
            "attributes",
            "counters",
            "keywords",
            "vars",
            "resources",
            "zones",
            "events",
            "cards",
            "decks",
            "procs",
            "setup",
            "flow",
            "turnStructure",
            "actions",
            "rules",
            "replaces",
            "checks",
            "end",
            "on",
            "invariants",
            "limits",
            "triggerOrder",
            "respondToTriggers",
            "actionMs",
            "manipulations",
            "ui",
            "tests",
            "discard",
            "constants",
            "cannot",
            "stake",
            "layers",
            "replaceOrder",
            "$schema",
            "words",
        ];
        if !matches!(root.value, Value::Map(_)) {
            return self.expect(root, "a ruleset: an object");
        }
        self.only(root, SECTIONS);
        let text = |name: &str| root.get(name).and_then(Node::as_text).map(str::to_owned);
        self.p.id = text("id").unwrap_or_else(|| "ruleset".to_owned());
        match text("name") {
            Some(name) if !name.trim().is_empty() => self.p.name = name,
            _ => self.f.error("name", root.at, "Ruleset must have a name"),
        }
        self.p.version = text("version").unwrap_or_else(|| "0.0.0".to_owned());
        if let Some(ir) = root.get("ir")
            && ir.as_text() != Some("parlor-ir/1")
        {
            self.at("ir", |c| {
                c.f.error_help(
                    "version",
                    ir.at,
                    "this engine reads parlor-ir/1",
                    "write \"ir\": \"parlor-ir/1\"",
                );
            });
        }
        self.players(root);
    }

    pub(super) fn enums(&mut self, root: &'n Node) {
        let named = |name: &str| EnumDef { name: name.to_owned(), values: Vec::new(), labels: Vec::new() };
        self.p.enums = ["zone", "phase", "step", "card", "ability"].map(named).to_vec();
        let zones = root.get("zones").map_or(&[][..], Node::fields);
        self.p.enums[usize::from(ZONES)].values = zones.iter().map(|(key, _)| key.name.clone()).collect();
        self.field(root, "enums", |c, enums| {
            c.each_field(enums, |c, name, node| {
                if !c.room(c.p.enums.len(), "enums", node.at) {
                    return;
                }
                c.good_name(name, node.at);
                let mut def = named(name);
                for item in node.items() {
                    match item.as_text() {
                        Some(text) => {
                            def.values.push(text.to_owned());
                            def.labels.push(text.to_owned());
                        }
                        None => match (
                            item.get("id").and_then(Node::as_text),
                            item.get("label").and_then(Node::as_text),
                        ) {
                            (Some(id), label) => {
                                def.values.push(id.to_owned());
                                def.labels.push(label.unwrap_or(id).to_owned());
                            }
                            _ => c.expect(item, "a name"),
                        },
                    }
                }
                if def.values.is_empty() {
                    c.f.error("shape", node.at, "an enum has values");
                }
                c.p.enums.push(def);
            });
        });
    }

    /// A type by its name.
    pub(super) fn ty(&mut self, node: &Node) -> Ty {
        let Some(text) = node.as_text() else {
            self.expect(node, "the name of a type");
            return Ty::Any;
        };
        let text = text.trim_end_matches('?');
        let plain = match text {
            "int" => Some(Ty::Int),
            "bool" => Some(Ty::Bool),
            "seat" => Some(Ty::Seat),
            "entity" => Some(Ty::Ent),
            "thing" | "entity|seat" => Some(Ty::Thing),
            "item" => Some(Ty::Item),
            "card" => Some(Ty::Enum(CARDS)),
            "zone" => Some(Ty::Enum(ZONES)),
            "ability" => Some(Ty::Enum(ABILITIES)),
            _ => None,
        };
        if let Some(ty) = plain {
            return ty;
        }
        let name = text.strip_prefix("enum:").unwrap_or(text);
        if let Some(n) = self.p.enums.iter().position(|def| def.name == name) {
            return Ty::Enum(n as u16);
        }
        let mut known: Vec<String> =
            ["int", "bool", "seat", "entity", "thing", "item", "card"].map(str::to_owned).to_vec();
        known.extend(self.p.enums.iter().map(|def| format!("enum:{}", def.name)));
        self.f.unknown(node.at, "type", text, known.iter().map(String::as_str));
        Ty::Any
    }

    pub(super) fn typed_field(&mut self, node: &'n Node) -> Ty {
        match node.get("type") {
            Some(ty) => self.at("type", |c| c.ty(ty)),
            None => {
                let help = "add \"type\": \"int\", \"bool\", \"seat\", \"card\", \"enum:NAME\" …";
                self.f.error_help("shape", node.at, "`type` is missing", help);
                Ty::Any
            }
        }
    }

    /// A value that is written down.
    pub(super) fn literal(&mut self, node: &'n Node, ty: Ty) -> i64 {
        let id = self.expr(node, ty);
        match self.p.exprs[id as usize] {
            Expr::Const(value) => value,
            _ => {
                self.f.error("constant", node.at, "a plain value is expected here");
                0
            }
        }
    }

    pub(super) fn attributes(&mut self, root: &'n Node) {
        self.field(root, "attributes", |c, attrs| {
            // All names first: a computed attribute may speak of any other.
            for (key, node) in attrs.fields() {
                c.at(&key.name, |c| {
                    if !c.room(c.p.attrs.len(), "attributes", key.at) {
                        return;
                    }
                    c.only(
                        node,
                        &["type", "default", "value", "layer", "resetOn", "visible", "kept", "label", "ui"],
                    );
                    c.good_name(&key.name, key.at);
                    let ty = c.typed_field(node);
                    let default =
                        node.get("default").map(|default| c.at("default", |c| c.literal(default, ty)));
                    let kept = default.is_some() && node.get("kept").and_then(Node::as_bool) != Some(false);
                    let resets = node.get("resetOn").and_then(Node::as_text);
                    if let Some(other) = resets.filter(|word| !["turnEnd", "never", "move"].contains(word)) {
                        c.f.unknown(node.at, "moment", other, ["turnEnd", "move", "never"]);
                    }
                    let kind = if kept {
                        c.p.kept += 1;
                        AttrKind::Kept(c.p.kept - 1)
                    } else {
                        AttrKind::Printed
                    };
                    let empty = if ty == Ty::Int || ty == Ty::Bool { 0 } else { NONE };
                    let see = c.see(node, "visible", See::All);
                    c.p.attrs.push(AttrDef {
                        name: key.name.clone(),
                        ty,
                        kind,
                        default: default.unwrap_or(empty),
                        layered: node.get("layer").is_some(),
                        reset_turn: resets == Some("turnEnd"),
                        reset_move: resets != Some("never"),
                        see,
                    });
                });
            }
        });
    }

    pub(super) fn counters_and_keywords(&mut self, root: &'n Node) {
        self.field(root, "counters", |c, counters| {
            c.each_field(counters, |c, name, node| {
                if !c.room(c.p.counters.len(), "counters", node.at) {
                    return;
                }
                c.good_name(name, node.at);
                let mut changes = Vec::new();
                if let Some(modifies) = node.get("modifies") {
                    for (key, by) in modifies.fields() {
                        let attr = c.p.attrs.iter().position(|def| def.name == key.name);
                        match (attr, by.as_int()) {
                            (Some(attr), Some(by)) => {
                                c.p.attrs[attr].layered = true;
                                changes.push((attr as u16, by));
                            }
                            (None, _) => {
                                let names: Vec<String> =
                                    c.p.attrs.iter().map(|def| def.name.clone()).collect();
                                c.f.unknown(key.at, "attribute", &key.name, names.iter().map(String::as_str));
                            }
                            _ => c.expect(by, "a number"),
                        }
                    }
                }
                c.p.counters.push((name.to_owned(), changes));
            });
        });
        self.field(root, "keywords", |c, keywords| {
            for (key, _) in keywords.fields() {
                c.good_name(&key.name, key.at);
                c.p.keywords.push(key.name.clone());
            }
            for item in keywords.items() {
                match item.as_text().or_else(|| item.get("id").and_then(Node::as_text)) {
                    Some(name) => c.p.keywords.push(name.to_owned()),
                    None => c.expect(item, "the name of a keyword"),
                }
            }
            if c.p.keywords.len() > KEYWORDS_MAX {
                c.f.error("limit", keywords.at, format!("more keywords than keywords_max, {KEYWORDS_MAX}"));
                c.p.keywords.truncate(KEYWORDS_MAX);
            }
        });
    }

    pub(super) fn events(&mut self, root: &'n Node) {
        for (name, fields) in BUILT_IN {
            let fields = fields.iter().map(|(field, ty)| ((*field).to_owned(), *ty)).collect();
            self.new_event(name, fields, None);
        }
        self.field(root, "events", |c, events| {
            c.each_field(events, |c, name, node| {
                if !c.room(c.p.events.len(), "events", node.at) {
                    return;
                }
                c.good_name(name, node.at);
                let mut fields = Vec::new();
                let inner = node.get("fields").unwrap_or(node);
                for (key, ty) in inner.fields() {
                    if ["do", "secretTo", "ui"].contains(&key.name.as_str()) {
                        continue;
                    }
                    let ty = c.at(&key.name, |c| c.ty(ty));
                    fields.push((key.name.clone(), ty));
                }
                if fields.len() > EVENT_FIELDS_MAX {
                    c.f.error(
                        "limit",
                        node.at,
                        format!("more fields than event_fields_max, {EVENT_FIELDS_MAX}"),
                    );
                    fields.truncate(EVENT_FIELDS_MAX);
                }
                let secret = node.get("secretTo").and_then(Node::as_text);
                let at = secret.map(|secret| fields.iter().position(|(field, _)| field == secret));
                if let (Some(None), Some(name)) = (at, secret) {
                    let names: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
                    c.f.unknown(node.at, "field of this event", name, names.iter().map(String::as_str));
                }
                if c.p.events.iter().any(|event| event.name == name) {
                    c.f.error("twice", node.at, format!("there is an event {name} already"));
                }
                c.new_event(name, fields, at.flatten().map(|n| n as u8));
            });
        });
    }

    pub(super) fn new_event(&mut self, name: &str, fields: Vec<(String, Ty)>, secret: Option<u8>) -> u16 {
        self.p.events.push(EventDef {
            name: name.to_owned(),
            fields,
            secret,
            code: None,
            triggers: Vec::new(),
            heard: false,
            replaces: Vec::new(),
            forbidden: false,
            overheard: false,
        });
        (self.p.events.len() - 1) as u16
    }
}
