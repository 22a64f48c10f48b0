//! JSON Schemas of Rust types, as the descriptions show them.
//!
//! schemars makes them; here they are told what Rust's types cannot say: that a field which is left out where there is
//! nothing is never null, and that nobody outside cares how many bits a number has.

use std::borrow::Cow;

use parlor_core::Json;
use parlor_wire::ServerMessage;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Map;

/// Marks a schema of which null stays, also where the field may be left out.
pub(crate) const OR_NULL: &str = "x-or-null";

/// A reference to a type's schema, by its name; the schema itself, if the type has no name.
pub(crate) fn reference_to<T: JsonSchema + ?Sized>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// The schemas of a description, by the names of their types.
pub(crate) struct Schemas {
    /// Of what the server reads.
    pub(crate) read: SchemaGenerator,
    /// Of what it writes.
    pub(crate) written: SchemaGenerator,
}

impl Schemas {
    pub(crate) fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
            })
        };
        Self {
            read: settings().for_deserialize().into_generator(),
            written: settings().for_serialize().into_generator(),
        }
    }

    /// Every schema that was referred to so far.
    pub(crate) fn all(&mut self) -> Map<String, Json> {
        let mut all = Map::new();
        for (generator, is_written) in [(&mut self.read, false), (&mut self.written, true)] {
            for (name, mut schema) in generator.take_definitions(false) {
                tidy(&mut schema, is_written);
                let other = all.insert(name.clone(), schema.clone());
                assert!(other.is_none_or(|other| other == schema), "two types are called {name}");
                assert!(!name.ends_with(char::is_numeric), "two types share the name of {name}");
            }
        }
        all
    }
}

/// A schema as the descriptions show it.
pub(crate) fn tidied(schema: Schema, is_written: bool) -> Json {
    let mut schema = schema.to_value();
    tidy(&mut schema, is_written);
    schema
}

fn tidy(schema: &mut Json, is_written: bool) {
    if *schema == Json::Bool(true) {
        *schema = Json::Object(Map::new());
    }
    let Json::Object(members) = schema else { return };
    tidy_text(members);
    tidy_number(members, is_written);
    // Null is what Rust has for "nothing"; in a reply there is no default.
    if is_written || members.get("default").is_some_and(Json::is_null) {
        members.remove("default");
    }
    let required: Vec<String> = names_in(members.get("required"));
    for (name, property) in members.get_mut("properties").and_then(Json::as_object_mut).into_iter().flatten()
    {
        if is_written && !required.contains(name) {
            remove_null(property);
        }
        tidy(property, is_written);
    }
    members.remove(OR_NULL);
    for key in ["items", "additionalProperties"] {
        // `additionalProperties: true` stays: it says that the names are not known.
        if let Some(inner) = members.get_mut(key).filter(|inner| inner.is_object()) {
            tidy(inner, is_written);
        }
    }
    if members.get("items") == Some(&Json::Bool(true)) {
        members.insert("items".to_owned(), Json::Object(Map::new()));
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for inner in members.get_mut(key).and_then(Json::as_array_mut).into_iter().flatten() {
            // Names of fields are no schema.
            if inner.get("required").is_none() || inner.get("properties").is_some() {
                tidy(inner, is_written);
            }
        }
    }
}

/// Strings in a list.
pub(crate) fn names_in(list: Option<&Json>) -> Vec<String> {
    let items = list.and_then(Json::as_array).into_iter().flatten();
    items.filter_map(Json::as_str).map(str::to_owned).collect()
}

/// Lines are rustdoc's, and so are links.
fn tidy_text(members: &mut Map<String, Json>) {
    if let Some(Json::String(about)) = members.get_mut("description") {
        let text = about.replace('\n', " ").replace("[`", "`").replace("`]", "`");
        text.trim().clone_into(about);
    }
}

/// A request is told how large a number may be; of a reply that says nothing.
fn tidy_number(members: &mut Map<String, Json>, is_written: bool) {
    let is_integer = match &members.get("type") {
        Some(Json::String(kind)) => kind == "integer",
        Some(Json::Array(kinds)) => kinds.iter().any(|kind| kind == "integer"),
        _ => false,
    };
    let Some(format) = members.get("format").and_then(Json::as_str).filter(|_| is_integer) else { return };
    if format == "uint32" && !is_written {
        members.insert("maximum".to_owned(), u32::MAX.into());
    }
    members.remove("format");
    if is_written {
        members.remove("maximum");
    }
}

/// Removes null from the values that a schema allows.
pub(crate) fn remove_null(schema: &mut Json) {
    let Json::Object(members) = schema else { return };
    if members.contains_key(OR_NULL) {
        return;
    }
    if let Some(Json::Array(kinds)) = members.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = &mut kinds[..] {
            let kind = kind.take();
            members.insert("type".to_owned(), kind);
        }
    }
    if let Some(Json::Array(words)) = members.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Json::Array(some)) = members.get_mut("anyOf") {
        some.retain(|one| one["type"] != "null");
        if let [one] = &mut some[..] {
            let one = one.take();
            members.remove("anyOf");
            let one = one.as_object().cloned().unwrap_or_default();
            for (key, value) in one {
                // The field's own description comes first.
                members.entry(key).or_insert(value);
            }
        }
    }
}

/// A snapshot, which is one of the messages to a client.
pub(crate) struct Snapshot;

impl JsonSchema for Snapshot {
    fn schema_name() -> Cow<'static, str> {
        "Snapshot".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let all = ServerMessage::json_schema(generator).to_value();
        let mut all = all["oneOf"].as_array().into_iter().flatten();
        let snapshot = all.find(|message| message["properties"]["type"]["const"] == "snapshot");
        Schema::try_from(snapshot.expect("there is such a message").clone()).expect("an object")
    }
}
