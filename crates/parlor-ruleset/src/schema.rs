//! The JSON Schema of rulesets, made from the same tables of names that the compiler reads.

use parlor_core::Json;
use serde_json::{Map, json};

use crate::compile::{EXPRESSIONS, STATEMENTS};

/// One definition whose objects have exactly one of these fields.
fn one_of(names: &[&str], what: &str) -> Json {
    let fields: Map<String, Json> = names.iter().map(|name| ((*name).to_owned(), json!(true))).collect();
    json!({
        "description": what,
        "type": "object",
        "properties": fields,
        "patternProperties": {"^//": true},
        "additionalProperties": false,
        "minProperties": 1,
    })
}

fn map_of(reference: &str) -> Json {
    json!({"type": "object", "additionalProperties": {"$ref": reference}})
}

/// The schema: editors complete sections, statements and expressions with it.
#[must_use]
pub fn schema() -> Json {
    let mut sections = declared();
    if let (Json::Object(all), Json::Object(more)) = (&mut sections, played()) {
        all.extend(more);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Parlor ruleset (parlor-ir/1)",
        "type": "object",
        "anyOf": [{"required": ["name", "players"]}, {"required": ["extends", "id"]}],
        "properties": sections,
        "$defs": definitions(),
    })
}

fn text() -> Json {
    json!({"type": "string"})
}

fn code() -> Json {
    json!({"$ref": "#/$defs/code"})
}

fn expression() -> Json {
    json!({"$ref": "#/$defs/expression"})
}

/// Sections that declare something.
fn declared() -> Json {
    let text = text();
    json!({
        "ir": {"const": "parlor-ir/1"},
        "id": text, "name": text, "version": text, "author": text, "description": text,
        "extends": {"type": "string", "description": "a file beside this one, or the id of a shipped ruleset"},
        "constants": {"type": "object"},
        "players": {"type": "object", "properties": {"min": {"type": "integer", "minimum": 1}, "max": {"type": "integer", "maximum": 15}, "teams": {"type": ["integer", "object"]}, "turnOrder": {"enum": ["clockwise", "counterclockwise"]}}},
        "config": map_of("#/$defs/config"),
        "enums": {"type": "object", "additionalProperties": {"type": "array", "minItems": 1}},
        "attributes": map_of("#/$defs/attribute"),
        "counters": {"type": "object"}, "keywords": {"type": ["object", "array"]},
        "vars": map_of("#/$defs/variable"), "resources": map_of("#/$defs/variable"),
        "zones": map_of("#/$defs/zone"),
        "events": {"type": "object"}, "cards": map_of("#/$defs/card"),
        "decks": {"type": "object"},
    })
}

/// Sections that say what happens.
fn played() -> Json {
    let (text, code, expression) = (text(), code(), expression());
    json!({
        "procs": {"type": "object", "additionalProperties": code},
        "setup": code, "flow": code,
        "turnStructure": {"type": "object"},
        "actions": {"type": ["object", "array"]},
        "rules": {"type": "array", "items": {"$ref": "#/$defs/trigger"}},
        "replaces": {"type": "array", "items": {"$ref": "#/$defs/replacement"}},
        "cannot": {"type": "array", "items": {"$ref": "#/$defs/prohibition"}},
        "checks": {"type": "array"},
        "layers": {"type": "array", "items": text},
        "triggerOrder": {"enum": ["active", "apnap", "controllerChooses"]},
        "replaceOrder": {"enum": ["active", "affectedChooses"]},
        "respondToTriggers": {"type": "boolean"}, "actionMs": expression, "discard": text,
        "manipulations": {"type": "array"}, "ui": {"type": "object"}, "metadata": {"type": "object"},
        "stake": {"type": "object", "required": ["amount"], "properties": {"amount": expression, "draw": true, "allLost": true}},
        "end": {"type": "object"}, "on": {"type": "object"}, "invariants": {"type": "array", "items": expression},
        "limits": {"type": "object"}, "tests": {"type": "array"},

    })
}

/// What the sections are made of.
fn definitions() -> Json {
    let (text, code, expression) = (text(), code(), expression());
    let sees = json!({"enum": ["all", "owner", "none"]});
    json!({
        "code": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/statement"}}, {"$ref": "#/$defs/statement"}]},
        "statement": one_of(STATEMENTS, "a statement: one field, its name"),
        "expression": {"anyOf": [
            {"type": ["integer", "boolean", "string", "null"]},
            one_of(EXPRESSIONS, "an expression: one field, its name"),
        ]},
        "config": {"type": "object", "required": ["type"], "properties": {"type": text, "default": true, "min": {"type": "integer"}, "max": {"type": "integer"}, "size": {"type": ["integer", "object"]}, "copies": expression, "where": expression}},
        "attribute": {"type": "object", "required": ["type"], "properties": {"type": text, "default": true, "value": expression, "layer": text, "resetOn": {"enum": ["turnEnd", "move", "never"]}, "visible": sees}},
        "variable": {"type": "object", "properties": {"owner": {"enum": ["game", "player", "team"]}, "type": text, "default": expression, "min": expression, "max": expression, "visible": sees}},
        "zone": {"type": "object", "required": ["see"], "properties": {"owner": {"enum": ["game", "player"]}, "order": {"enum": ["ordered", "set"]}, "see": sees, "count": sees, "places": sees, "grid": {"type": "array", "minItems": 2, "maxItems": 2}, "capacity": {"type": "integer"}}},
        "card": {"type": "object", "properties": {"title": text, "replaces": {"type": "array", "items": {"$ref": "#/$defs/replacement"}}, "cannot": {"type": "array", "items": {"$ref": "#/$defs/prohibition"}}, "triggers": {"type": "array", "items": {"$ref": "#/$defs/trigger"}}}},
        "replacement": {"type": "object", "properties": {"id": text, "event": text, "where": expression, "optional": {"type": "boolean"}, "chooser": expression, "do": code, "instead": code}},
        "prohibition": {"type": "object", "properties": {"id": text, "event": text, "where": expression}},
        "trigger": {"type": "object", "properties": {"id": text, "state": expression, "if": expression, "do": code, "effects": code, "optional": {"type": "boolean"}}},
    })
}
