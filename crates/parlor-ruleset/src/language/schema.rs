//! The JSON Schema of rulesets: editors complete sections, statements, expressions and names with it.
//!
//! Facts come first: every operand is a row of a table (`operations.rs`, `schema/sections.rs`), in shapes that
//! `schema/shape.rs` turns into JSON Schema. A test holds the schema against the rulesets that are shipped.

mod sections;
pub(crate) mod shape;
pub(super) mod tables;

use parlor_core::Json;
use serde_json::{Map, json};

use crate::language::{Node, syntax as reader};
use crate::operations::{EXPRESSIONS, STATEMENTS, statement};
use sections::Row;
use shape::{Shape, printed};

/// Names that a ruleset declares, by the definition that stands for them and the section they are declared in.
const NAMES: [(&str, &str, &str); 9] = [
    ("zoneName", "zones", "a zone"),
    ("attributeName", "attributes", "an attribute"),
    ("counterName", "counters", "a counter"),
    ("keywordName", "keywords", "a keyword"),
    ("eventName", "events", "an event"),
    ("configName", "config", "a knob"),
    ("enumName", "enums", "an enum"),
    ("procName", "procs", "a procedure"),
    ("varName", "vars", "a variable"),
];

/// The schema of every ruleset.
#[must_use]
pub fn schema() -> Json {
    with(&|_| None)
}

/// The schema of one ruleset: names of zones, variables, events and so on are those that it declares, so that editors
/// offer them. Of a text that is no JSON, the schema of every ruleset.
#[must_use]
pub fn schema_for(text: &str) -> Json {
    let Ok(root) = reader::read(text) else { return schema() };
    if root.get("extends").is_some() {
        // Names may come from the ruleset that it is a variant of.
        return schema();
    }
    with(&|section| declared(&root, section))
}

/// What a statement has, in short: `draw has seat, n?, from?, to?`. Nothing for one that is no object with fields.
pub(crate) fn fields(name: &str) -> Option<String> {
    let (_, row) = statement(name)?;
    let shape = shape_of(row.has);
    let names: Vec<String> = shape.fields()?.iter().map(shape::Field::to_string).collect();
    Some(format!("{name} has {}", names.join(", ")))
}

/// A shape; of a part with a name the shape of that part.
pub(crate) fn shape_of(text: &'static str) -> Shape {
    match sections::PARTS.iter().find(|(name, ..)| *name == text) {
        Some((_, part, _)) => Shape::read(part),
        None => Shape::read(text),
    }
}

/// The sections of a ruleset.
pub(crate) fn sections() -> Vec<&'static str> {
    sections::SECTIONS.iter().map(|(name, ..)| *name).collect()
}

/// What a selection may have.
pub(crate) fn selection() -> Vec<&'static str> {
    sections::SELECTION.iter().map(|(name, ..)| *name).collect()
}

/// What a card may have beside its attributes.
pub(crate) fn card() -> Vec<&'static str> {
    sections::CARD.iter().map(|(name, ..)| *name).collect()
}

/// The names that a section declares; nothing where there is no such section.
fn declared(root: &Node, section: &str) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let sections: &[&str] = if section == "vars" { &["vars", "resources"] } else { &[section] };
    for section in sections {
        let Some(node) = root.get(section) else { continue };
        names.extend(node.fields().iter().map(|(key, _)| key.name.clone()));
        let listed = node.items().iter();
        names.extend(
            listed.filter_map(|item| item.as_text().or_else(|| item.get("id")?.as_text()).map(str::to_owned)),
        );
    }
    if section == "events" {
        // Built-in events, and the events of actions, have names too.
        return None;
    }
    names.retain(|name| !name.starts_with("//"));
    // The document's form has a library of names beside what it declares.
    let document = root.get("actions").is_some_and(|actions| !actions.items().is_empty());
    (!names.is_empty() && !document).then_some(names)
}

fn with(names: &dyn Fn(&str) -> Option<Vec<String>>) -> Json {
    let mut defs = Map::new();
    for (def, section, what) in NAMES {
        let schema = match names(section) {
            Some(known) => json!({"description": what, "enum": known}),
            None => json!({"description": what, "type": "string"}),
        };
        defs.insert(def.to_owned(), schema);
    }
    for name in ["phaseName", "stepName"] {
        defs.insert(name.to_owned(), json!({"type": "string"}));
    }
    defs.insert("text".to_owned(), json!({"type": "string"}));
    defs.insert("whole".to_owned(), json!({"type": "integer"}));
    defs.insert(
        "variable".to_owned(),
        described("a variable: its name, or [seat, name]", shaped("varName|[E,varName]")),
    );
    let place = "a zone: its name, or {\"zone\": [name, seat]}";
    defs.insert(
        "place".to_owned(),
        described(place, shaped("zoneName|{zone:zoneName|[zoneName]|[zoneName,E]}")),
    );
    let who = "seats: all, each, any, you, self, opponent, opponents, others, active, inTurn, others:NAME, team, partners, enemies, {from, n}, {others}, a seat, a list or a selection of seats";
    defs.insert(
        "who".to_owned(),
        described(who, shaped("{from:E,n?:E}|{others:E}|{team:E}|{partner:E}|{partners:E}|{enemies:E}|S")),
    );
    defs.insert("statement".to_owned(), one_of(&statements(), "a statement: one field, its name"));
    defs.insert(
        "code".to_owned(),
        json!({"anyOf": [
        {"type": "array", "items": {"$ref": "#/$defs/statement"}}, {"$ref": "#/$defs/statement"}]}),
    );
    let plain = json!({"type": ["integer", "boolean", "string", "null"]});
    defs.insert(
        "expression".to_owned(),
        json!({
            "description": "a value: a number, true or false, a name, or an object with one field",
            "anyOf": [plain, one_of(&expressions(), "an expression: one field, its name")],
        }),
    );
    let selected = one_of(sections::SELECTION, "a selection");
    defs.insert(
        "selection".to_owned(),
        json!({
            "description": "a zone's name, a list, an answer, one thing, or a selection",
            "anyOf": [plain, {"type": "array", "items": {"$ref": "#/$defs/selection"}}, selected,
                one_of(&expressions(), "one thing")],
        }),
    );
    let attributes = names("attributes");
    defs.insert("card".to_owned(), card_schema(attributes.as_deref()));
    for (name, shape, about) in sections::PARTS {
        defs.insert((*name).to_owned(), described(about, shaped(shape)));
    }
    let mut root = one_of(sections::SECTIONS, "a whole game in one file");
    root["required"] = json!(["name"]);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("A Parlor ruleset (parlor-ir/1)");
    root["$defs"] = Json::Object(defs);
    root
}

fn described(about: &str, mut schema: Json) -> Json {
    if let Json::Object(schema) = &mut schema {
        schema.insert("description".to_owned(), json!(about));
    }
    schema
}

fn shaped(shape: &'static str) -> Json {
    Shape::read(shape).schema()
}

fn statements() -> Vec<Row> {
    STATEMENTS.iter().map(|row| (row.name, row.has, row.about)).collect()
}

fn expressions() -> Vec<Row> {
    EXPRESSIONS.iter().map(|row| (row.name, row.has, row.about)).collect()
}

/// An object whose fields are rows of a table.
fn one_of(rows: &[Row], about: &str) -> Json {
    let field = |(name, shape, about): &Row| ((*name).to_owned(), described(about, shaped(shape)));
    let fields: Map<String, Json> = rows.iter().map(field).collect();
    json!({
        "description": about, "type": "object", "properties": fields, "patternProperties": {"^//": true},
        "additionalProperties": false, "minProperties": 1,
    })
}

/// A card: its parts, and its attributes by their names.
fn card_schema(attributes: Option<&[String]>) -> Json {
    let mut card = one_of(sections::CARD, "a kind of card: printed attributes and abilities");
    card.as_object_mut().map(|card| card.remove("minProperties"));
    match attributes {
        None => card["additionalProperties"] = json!(true),
        Some(names) => {
            for name in names {
                card["properties"][name] =
                    json!({"description": "a printed attribute", "$ref": "#/$defs/expression"});
            }
        }
    }
    card
}

/// The tables as the reference prints them: every statement and expression with its operands, and what these are.
#[must_use]
pub fn reference() -> String {
    let mut text = String::from(
        "`E` is an expression, `S` a selection, `W` somebody, `C` code, `V` a variable (its name, or `[seat, name]`), `Z` a\n\
         place (a zone's name, for a zone of players your own, or `{\"zone\": [name, seat]}`), `T` a text, `I` a number; `?` may be left out.\n",
    );
    let tables =
        [("statement", statements()), ("expression", expressions()), ("operand", sections::PARTS.to_vec())];
    for (what, rows) in tables {
        text.push_str(&format!("\n| {what} | has | what |\n|---|---|---|\n"));
        for (name, shape, about) in rows {
            text.push_str(&format!("| `{name}` | `{}` | {about} |\n", printed(shape)));
        }
    }
    text.push_str("\n| event of the engine | has | when |\n|---|---|---|\n");
    for (name, fields, about) in crate::compiler::engine_events() {
        text.push_str(&format!("| `{name}` | `{{{fields}}}` | {about} |\n"));
    }
    text
}

/// Names of statements and expressions.
#[must_use]
pub fn operations() -> [Vec<&'static str>; 2] {
    [STATEMENTS.iter().map(|row| row.name).collect(), EXPRESSIONS.iter().map(|row| row.name).collect()]
}
