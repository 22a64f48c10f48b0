//! Declarations: everything that has a name, before any code is read.

use super::Compiler;
use crate::language::edit_distance::suggest;
use crate::language::{Findings, Node, Value, schema};
use crate::limits::{DECLARED_MAX, EVENT_FIELDS_MAX, KEYWORDS_MAX, NAME_CHARS_MAX};
use crate::machine::ids::{AttrId, ColumnId, EnumId, EventType};
use crate::machine::program::{
    ABILITIES, AttrDef, AttrKind, CARDS, EDITION, EnumDef, EventDef, Expr, NONE, PHASES, STEPS, See, Ty,
    ZONES,
};

/// An event of the engine: its name, its fields, and when it happens; without that, nothing speaks of it.
type Engine = (&'static str, &'static [(&'static str, Ty)], &'static str);

/// Events that every ruleset has, in the order of their numbers: name, fields, and when they happen.
const BUILT_IN: [Engine; 15] = [
    (
        "ZoneMoved",
        &[
            ("card", Ty::Ent),
            ("from", Ty::Enum(ZONES)),
            ("to", Ty::Enum(ZONES)),
            ("fromSeat", Ty::Seat),
            ("toSeat", Ty::Seat),
        ],
        "a card has moved from one zone to another",
    ),
    ("StepStart", &[("phase", Ty::Enum(PHASES)), ("step", Ty::Enum(STEPS))], "a step begins"),
    ("StepEnd", &[("phase", Ty::Enum(PHASES)), ("step", Ty::Enum(STEPS))], "a step is over"),
    ("PhaseChanged", &[("phase", Ty::Enum(PHASES))], "a phase begins"),
    ("TurnStarted", &[("seat", Ty::Seat), ("turn", Ty::Int)], "a turn begins"),
    ("TurnEnded", &[("seat", Ty::Seat), ("turn", Ty::Int)], "a turn is over"),
    (
        "EventPrevented",
        &[("eventId", Ty::Int), ("eventType", Ty::Int)],
        "an event did not happen; it is told by the name of that event",
    ),
    (
        "Verdict",
        &[("eventId", Ty::Int), ("verdict", Ty::Int)],
        "a guardrail stopped something; it is told by its name",
    ),
    ("CardCreated", &[("card", Ty::Ent)], "a card was made"),
    ("Revealed", &[("card", Ty::Ent)], "a card was shown by `reveal`"),
    // Nothing lets this one happen: answers are told by what is done with them.
    ("Answered", &[("seat", Ty::Seat)], ""),
    ("GameEnded", &[], "the match is over"),
    ("RoundStarted", &[("round", Ty::Int)], "a round begins"),
    ("AbilityTriggered", &[("source", Ty::Ent), ("controller", Ty::Seat)], "a trigger waits on the stack"),
    ("(state)", &[], ""),
];

/// The events of the engine that can be spoken of: name, fields with their types, and when they happen.
pub(crate) fn engine_events() -> impl Iterator<Item = (&'static str, String, &'static str)> {
    let ty = |ty: &Ty| match *ty {
        Ty::Ent => "entity",
        Ty::Seat => "seat",
        Ty::Enum(ZONES) => "zone",
        Ty::Enum(PHASES) => "phase",
        Ty::Enum(STEPS) => "step",
        _ => "int",
    };
    BUILT_IN.iter().filter(|(_, _, about)| !about.is_empty()).map(move |(name, fields, about)| {
        let fields: Vec<String> = fields.iter().map(|(field, of)| format!("{field}: {}", ty(of))).collect();
        (*name, fields.join(", "), *about)
    })
}

/// How many events every ruleset has; they come first.
pub(crate) const BUILT_IN_EVENTS: usize = BUILT_IN.len();

/// A section whose name is misspelt is told, and read as the one that is meant: what it declares is not unknown.
pub(super) fn name_sections(root: &mut Node, findings: &mut Findings) {
    let Value::Map(fields) = &mut root.value else { return };
    let there: Vec<String> = fields.iter().map(|(key, _)| key.name.clone()).collect();
    for (key, _) in fields.iter_mut().filter(|(key, _)| !schema::sections().contains(&key.name.as_str())) {
        let free =
            schema::sections().into_iter().filter(|section| !there.iter().any(|other| other == section));
        if let Some(meant) = suggest(&key.name, free).filter(|_| !key.name.starts_with("//")) {
            findings.enter(&key.name);
            findings.unknown(key.at, "field", &key.name, [meant]);
            findings.leave();
            meant.clone_into(&mut key.name);
        }
    }
}

impl<'n> Compiler<'n> {
    /// Whether there is room for one more of what a section declares; says so where there is none.
    pub(super) fn room(&mut self, have: usize, what: &str, at: u32) -> bool {
        if have >= DECLARED_MAX {
            self.findings.error("limit", at, format!("more {what} than declared_max, {DECLARED_MAX}"));
        }
        have < DECLARED_MAX
    }

    /// Whether a name can be used.
    pub(super) fn good_name(&mut self, name: &str, at: u32) {
        let good =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '♣' | '♦' | '♥' | '♠');
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || !name.chars().all(good) {
            self.findings.error(
                "name",
                at,
                format!("'{name}' is no name: letters, digits, _ and -, at most {NAME_CHARS_MAX}"),
            );
        }
    }

    pub(super) fn header(&mut self, root: &'n Node) {
        if !matches!(root.value, Value::Map(_)) {
            return self.expect(root, "a ruleset: an object");
        }
        self.only(root, &schema::sections());
        let text = |name: &str| root.get(name).and_then(Node::as_text).map(str::to_owned);
        self.program.id = text("id").unwrap_or_else(|| "ruleset".to_owned());
        match text("name") {
            Some(name) if !name.trim().is_empty() => self.program.name = name,
            _ => self.findings.error("name", root.at, "Ruleset must have a name"),
        }
        self.program.version = text("version").unwrap_or_else(|| "0.0.0".to_owned());
        if let Some(ir) = root.get("ir")
            && ir.as_text() != Some("parlor-ir/1")
        {
            self.at("ir", |this| {
                this.findings.error_help(
                    "version",
                    ir.at,
                    "this engine reads parlor-ir/1",
                    "write \"ir\": \"parlor-ir/1\"",
                );
            });
        }
        if let Some(edition) = root.get("edition")
            && !edition.as_int().is_some_and(|n| (1..=i64::from(EDITION)).contains(&n))
        {
            let help = format!("1 plays it as 0.2.0 did; leave it out for the present one, {EDITION}");
            self.at("edition", |this| {
                this.findings.error_help("version", edition.at, "there is no such edition", help)
            });
        }
        self.players(root);
    }

    pub(super) fn enums(&mut self, root: &'n Node) {
        let named = |name: &str| EnumDef { name: name.to_owned(), values: Vec::new(), labels: Vec::new() };
        self.program.enums = ["zone", "phase", "step", "card", "ability"].map(named).to_vec();
        let zones = root.get("zones").map_or(&[][..], Node::fields);
        self.program.enums[ZONES].values = zones.iter().map(|(key, _)| key.name.clone()).collect();
        self.field(root, "enums", |this, enums| {
            this.each_field(enums, |this, name, node| {
                if !this.room(this.program.enums.len(), "enums", node.at) {
                    return;
                }
                this.good_name(name, node.at);
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
                            _ => this.expect(item, "a name"),
                        },
                    }
                }
                if def.values.is_empty() {
                    this.findings.error("shape", node.at, "an enum has values");
                }
                this.program.enums.push(def);
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
        if let Some(n) = self.program.enums.iter().position(|def| def.name == name) {
            return Ty::Enum(EnumId::at(n));
        }
        let mut known: Vec<String> =
            ["int", "bool", "seat", "entity", "thing", "item", "card"].map(str::to_owned).to_vec();
        known.extend(self.program.enums.iter().map(|def| format!("enum:{}", def.name)));
        self.findings.unknown(node.at, "type", text, known.iter().map(String::as_str));
        Ty::Any
    }

    pub(super) fn typed_field(&mut self, node: &'n Node) -> Ty {
        match node.get("type") {
            Some(ty) => self.at("type", |this| this.ty(ty)),
            None => {
                let help = "add \"type\": \"int\", \"bool\", \"seat\", \"card\", \"enum:NAME\" …";
                self.findings.error_help("shape", node.at, "`type` is missing", help);
                Ty::Any
            }
        }
    }

    /// A value that is written down.
    pub(super) fn literal(&mut self, node: &'n Node, ty: Ty) -> i64 {
        let id = self.expr(node, ty);
        match self.program.exprs[id] {
            Expr::Const(value) => value,
            _ => {
                self.findings.error("constant", node.at, "a plain value is expected here");
                0
            }
        }
    }

    pub(super) fn attributes(&mut self, root: &'n Node) {
        self.field(root, "attributes", |this, attrs| {
            // All names first: a computed attribute may speak of any other.
            for (key, node) in attrs.fields() {
                this.at(&key.name, |this| {
                    if !this.room(this.program.attrs.len(), "attributes", key.at) {
                        return;
                    }
                    this.only_part(node, "attribute");
                    this.good_name(&key.name, key.at);
                    let ty = this.typed_field(node);
                    let default = node
                        .get("default")
                        .map(|default| this.at("default", |this| this.literal(default, ty)));
                    let kept = default.is_some() && node.get("kept").and_then(Node::as_bool) != Some(false);
                    let resets = node.get("resetOn").and_then(Node::as_text);
                    if let Some(other) = resets.filter(|word| !["turnEnd", "never", "move"].contains(word)) {
                        this.findings.unknown(node.at, "moment", other, ["turnEnd", "move", "never"]);
                    }
                    let kind = if kept {
                        this.program.kept += 1;
                        AttrKind::Kept(ColumnId(this.program.kept - 1))
                    } else {
                        AttrKind::Printed
                    };
                    let empty = if ty == Ty::Int || ty == Ty::Bool { 0 } else { NONE };
                    let see = this.see(node, "visible", See::All);
                    this.program.attrs.push(AttrDef {
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
        self.field(root, "counters", |this, counters| {
            this.each_field(counters, |this, name, node| {
                if !this.room(this.program.counters.len(), "counters", node.at) {
                    return;
                }
                this.good_name(name, node.at);
                let mut changes = Vec::new();
                if let Some(modifies) = node.get("modifies") {
                    for (key, by) in modifies.fields() {
                        let attr = this.program.attrs.iter().position(|def| def.name == key.name);
                        match (attr, by.as_int()) {
                            (Some(attr), Some(by)) => {
                                this.program.attrs[attr].layered = true;
                                changes.push((AttrId::at(attr), by));
                            }
                            (None, _) => {
                                let names: Vec<String> =
                                    this.program.attrs.iter().map(|def| def.name.clone()).collect();
                                this.findings.unknown(
                                    key.at,
                                    "attribute",
                                    &key.name,
                                    names.iter().map(String::as_str),
                                );
                            }
                            _ => this.expect(by, "a number"),
                        }
                    }
                }
                this.program.counters.push((name.to_owned(), changes));
            });
        });
        self.field(root, "keywords", |this, keywords| {
            for (key, _) in keywords.fields() {
                this.good_name(&key.name, key.at);
                this.program.keywords.push(key.name.clone());
            }
            for item in keywords.items() {
                match item.as_text().or_else(|| item.get("id").and_then(Node::as_text)) {
                    Some(name) => this.program.keywords.push(name.to_owned()),
                    None => this.expect(item, "the name of a keyword"),
                }
            }
            if this.program.keywords.len() > KEYWORDS_MAX {
                this.findings.error(
                    "limit",
                    keywords.at,
                    format!("more keywords than keywords_max, {KEYWORDS_MAX}"),
                );
                this.program.keywords.truncate(KEYWORDS_MAX);
            }
        });
    }

    pub(super) fn events(&mut self, root: &'n Node) {
        for (name, fields, _) in BUILT_IN {
            let fields = fields.iter().map(|(field, ty)| ((*field).to_owned(), *ty)).collect();
            self.new_event(name, fields, None);
        }
        self.field(root, "events", |this, events| {
            this.each_field(events, |this, name, node| {
                if !this.room(this.program.events.len(), "events", node.at) {
                    return;
                }
                this.good_name(name, node.at);
                let mut fields = Vec::new();
                let inner = node.get("fields").unwrap_or(node);
                if node.get("fields").is_some() {
                    this.only(node, &["fields", "do", "secretTo", "ui"]);
                }
                for (key, ty) in inner.fields() {
                    if ["do", "secretTo", "ui"].contains(&key.name.as_str()) {
                        continue;
                    }
                    if ty.as_text().is_some_and(|ty| ty.ends_with('?')) {
                        this.optional.insert((EventType::at(this.program.events.len()), key.name.clone()));
                    }
                    let ty = this.at(&key.name, |this| this.ty(ty));
                    fields.push((key.name.clone(), ty));
                }
                this.log_of(node, &fields);
                if fields.len() > EVENT_FIELDS_MAX {
                    this.findings.error(
                        "limit",
                        node.at,
                        format!("more fields than event_fields_max, {EVENT_FIELDS_MAX}"),
                    );
                    fields.truncate(EVENT_FIELDS_MAX);
                }
                let secret = this.field(node, "secretTo", |this, to| this.secret_to(to, &fields)).flatten();
                if BUILT_IN.iter().any(|(built_in, ..)| *built_in == name) {
                    let message = format!("{name} is an event of the engine");
                    this.findings.error_help(
                        "twice",
                        node.at,
                        message,
                        "it happens by itself: give yours another name",
                    );
                }
                this.new_event(name, fields, secret);
            });
        });
    }

    /// The line of the log speaks of fields that are there.
    fn log_of(&mut self, node: &Node, fields: &[(String, Ty)]) {
        let Some(log) = node.get("ui").and_then(|ui| ui.get("log")) else { return };
        let Some(text) = log.as_text() else { return };
        let known: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
        for hole in super::translations::holes(text).into_iter().filter(|hole| !known.contains(hole)) {
            self.at("ui", |this| {
                this.at("log", |this| {
                    this.findings.unknown(log.at, "field of this event", hole, known.clone())
                })
            });
        }
    }

    /// `secretTo: FIELD`: the seat in that field alone is told the others. Anything else would hide nothing.
    fn secret_to(&mut self, node: &Node, fields: &[(String, Ty)]) -> Option<u8> {
        let seats: Vec<&str> =
            fields.iter().filter(|(_, ty)| *ty == Ty::Seat).map(|(name, _)| name.as_str()).collect();
        let named = node.as_text().unwrap_or_default();
        if let Some(n) = fields.iter().position(|(name, ty)| name == named && *ty == Ty::Seat) {
            return Some(n as u8);
        }
        let message = match node.as_text() {
            Some(name) if fields.iter().any(|(field, _)| field == name) => format!("{name} is no seat"),
            Some(name) => format!("there is no field '{name}' in this event"),
            None => format!("the name of a field is expected here, not {}", node.kind()),
        };
        let help = match seats[..] {
            [] => "give the event a field of the type seat: whoever is in it is told the others".to_owned(),
            _ => format!(
                "the field whose seat alone is told the others, \"secretTo\": \"{}\": they are left out for everybody else",
                seats[0]
            ),
        };
        self.findings.error_help("secret", node.at, message, help);
        None
    }

    pub(super) fn new_event(
        &mut self,
        name: &str,
        fields: Vec<(String, Ty)>,
        secret: Option<u8>,
    ) -> EventType {
        self.program.events.push(EventDef {
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
        EventType::at(self.program.events.len() - 1)
    }
}
