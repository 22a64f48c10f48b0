//! The schemas of bodies and replies, as JSON Schema. A named schema appears once in the description, under its name,
//! and is a type of that name in the TypeScript client.

mod house;
mod operator;
mod people;
mod tables;

use parlor_core::Json;
use serde_json::{Map, json};

pub(crate) use house::*;
pub(crate) use operator::*;
pub(crate) use people::*;
pub(crate) use tables::*;

/// A property of an object: its name, its schema, and its meaning (empty if the name says it all).
type Member<'a> = (&'a str, Json, &'a str);

/// An object with this name and these properties; the required ones first.
fn object(name: &str, about: &str, required: &[Member<'_>], other: &[Member<'_>]) -> Json {
    let names: Vec<&str> = required.iter().map(|(name, ..)| *name).collect();
    let all = required.iter().chain(other);
    let properties: Map<String, Json> =
        all.map(|(name, schema, about)| ((*name).to_owned(), described(schema.clone(), about))).collect();
    let mut object = json!({"title": name, "description": about, "type": "object", "properties": properties});
    if !names.is_empty() {
        object["required"] = json!(names);
    }
    object
}

/// Holds the meaning of a named schema in one place, until a reference replaces the schema.
pub(super) const HERE: &str = "x-here";

/// Describes a property; a named schema keeps its own description.
fn described(mut schema: Json, about: &str) -> Json {
    if !about.is_empty() {
        let named = schema.get("title").is_some();
        schema[if named { HERE } else { "description" }] = json!(about);
    }
    schema
}

/// A named choice of strings.
fn words(name: &str, about: &str, words: &[&str]) -> Json {
    json!({"title": name, "description": about, "type": "string", "enum": words})
}

fn list(of: Json) -> Json {
    json!({"type": "array", "items": of})
}

fn by_name(of: Json) -> Json {
    json!({"type": "object", "additionalProperties": of})
}

fn maybe(kind: &str) -> Json {
    json!({"type": [kind, "null"]})
}

/// A value that the sockets send as well: its schema is in docs/wire.md and in the client's wire types.
fn as_on_the_wire(kinds: &[&str], name: &str) -> Json {
    json!({"type": kinds, "x-wire": name})
}

pub(crate) fn text() -> Json {
    json!({"type": "string"})
}

pub(crate) fn whole() -> Json {
    json!({"type": "integer"})
}

pub(crate) fn count() -> Json {
    json!({"type": "integer", "minimum": 0})
}

fn flag() -> Json {
    json!({"type": "boolean"})
}

/// Any value.
pub(crate) fn anything() -> Json {
    json!({})
}

fn text_of(least: u64, most: u64) -> Json {
    json!({"type": "string", "minLength": least, "maxLength": most})
}

fn at_most(most: u64) -> Json {
    json!({"type": "string", "maxLength": most})
}

fn small() -> Json {
    json!({"type": ["integer", "null"], "minimum": 0, "maximum": 255})
}
