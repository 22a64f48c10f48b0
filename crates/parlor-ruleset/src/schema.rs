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
    let text = json!({"type": "string"});
    let code = json!({"$ref": "#/$defs/code"});
    let expression = json!({"$ref": "#/$defs/expression"});
    let sees = json!({"enum": ["all", "owner", "none"]});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Parlor ruleset (parlor-ir/1)",
        "type": "object",
        "required": ["name", "players"],
        "properties": {
            "ir": {"const": "parlor-ir/1"},
            "id": text, "name": text, "version": text, "author": text, "description": text,
            "players": {"type": "object", "properties": {"min": {"type": "integer", "minimum": 1}, "max": {"type": "integer", "maximum": 15}}},
            "config": map_of("#/$defs/config"),
            "enums": {"type": "object", "additionalProperties": {"type": "array", "minItems": 1}},
            "attributes": map_of("#/$defs/attribute"),
            "counters": {"type": "object"}, "keywords": {"type": ["object", "array"]},
            "vars": map_of("#/$defs/variable"), "resources": map_of("#/$defs/variable"),
            "zones": map_of("#/$defs/zone"),
            "events": {"type": "object"}, "cards": map_of("#/$defs/card"),
            "decks": {"type": "object"},
            "procs": {"type": "object", "additionalProperties": code},
            "setup": code, "flow": code,
            "turnStructure": {"type": "object"},
            "actions": {"type": ["object", "array"]},
            "rules": {"type": "array", "items": {"$ref": "#/$defs/trigger"}},
            "replaces": {"type": "array"}, "checks": {"type": "array"},
            "end": {"type": "object"}, "on": {"type": "object"}, "invariants": {"type": "array", "items": expression},
            "limits": {"type": "object"}, "tests": {"type": "array"},
        },
        "$defs": {
            "code": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/statement"}}, {"$ref": "#/$defs/statement"}]},
            "statement": one_of(STATEMENTS, "a statement: one field, its name"),
            "expression": {"anyOf": [
                {"type": ["integer", "boolean", "string", "null"]},
                one_of(EXPRESSIONS, "an expression: one field, its name"),
            ]},
            "config": {"type": "object", "required": ["type"], "properties": {"type": text, "default": true, "min": {"type": "integer"}, "max": {"type": "integer"}}},
            "attribute": {"type": "object", "required": ["type"], "properties": {"type": text, "default": true, "value": expression, "layer": text, "resetOn": {"enum": ["turnEnd", "never"]}}},
            "variable": {"type": "object", "properties": {"owner": {"enum": ["game", "player"]}, "type": text, "default": expression, "min": expression, "max": expression, "visible": sees}},
            "zone": {"type": "object", "required": ["see"], "properties": {"owner": {"enum": ["game", "player"]}, "order": {"enum": ["ordered", "set"]}, "see": sees, "count": sees, "capacity": {"type": "integer"}}},
            "card": {"type": "object", "properties": {"title": text, "triggers": {"type": "array", "items": {"$ref": "#/$defs/trigger"}}}},
            "trigger": {"type": "object", "properties": {"id": text, "do": code, "effects": code, "optional": {"type": "boolean"}}},
        },
    })
}
