//! The types of the TypeScript client, made from the schemas of messages and of REST.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use parlor_core::selector::Bounds;
use parlor_core::{Json, Money, Selector};
use parlor_wire::lobby::Profile;
use parlor_wire::{LobbyNews, ServerMessage};
use schemars::JsonSchema;
use serde_json::Map;

use super::asyncapi::{Message, Messages, messages};
use super::schema::{Schemas, names_in, reference_to};

/// The messages about a match, and what they are made of. Clients name some types without a message around them.
fn of_match() -> (Vec<Message>, Map<String, Json>) {
    let mut schemas = Schemas::new();
    let messages = messages(ServerMessage::json_schema(&mut schemas.written), true);
    let _ = reference_to::<Bounds>(&mut schemas.written);
    let _ = reference_to::<Money>(&mut schemas.written);
    let _ = reference_to::<Selector>(&mut schemas.written);
    (messages, schemas.all())
}

/// The same for messages outside a match.
fn of_lobby() -> (Vec<Message>, Map<String, Json>) {
    let mut schemas = Schemas::new();
    let messages = messages(LobbyNews::json_schema(&mut schemas.written), true);
    let _ = reference_to::<Profile>(&mut schemas.written);
    (messages, schemas.all())
}

/// One file of types.
struct File {
    /// What a value is called of which nothing is known.
    unknown: &'static str,
    body: String,
    /// The types that it names.
    named: BTreeSet<String>,
    /// The types that it declares.
    declared: BTreeSet<String>,
}

impl File {
    fn new(unknown: &'static str) -> Self {
        Self { unknown, body: String::new(), named: BTreeSet::new(), declared: BTreeSet::new() }
    }

    /// A schema as a type.
    fn typed(&mut self, schema: &Json) -> String {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.rsplit('/').next().unwrap_or_default().to_owned();
            self.named.insert(name.clone());
            return name;
        }
        if schema.get("const").is_some() {
            return literal(&schema["const"]);
        }
        if let Some(words) = schema["enum"].as_array() {
            return words.iter().map(literal).collect::<Vec<_>>().join(" | ");
        }
        for key in ["anyOf", "oneOf"] {
            // Where only names of fields are listed, the fields are beside it.
            let some = schema[key].as_array().filter(|some| some.iter().all(|one| one["required"].is_null()));
            if let Some(some) = some {
                return joined(some.iter().map(|one| self.typed(one)));
            }
        }
        match &schema["type"] {
            Json::String(kind) => self.of_kind(kind, schema),
            Json::Array(kinds) => {
                let kinds: Vec<&str> = kinds.iter().filter_map(Json::as_str).collect();
                joined(kinds.into_iter().map(|kind| self.of_kind(kind, schema)))
            }
            _ => self.unknown.to_owned(),
        }
    }

    fn of_kind(&mut self, kind: &str, schema: &Json) -> String {
        match kind {
            "null" | "string" | "boolean" => kind.to_owned(),
            "integer" => "number".to_owned(),
            "array" => {
                let item = self.typed(&schema["items"]);
                if item.contains('|') { format!("readonly ({item})[]") } else { format!("readonly {item}[]") }
            }
            "object" => match schema["properties"].as_object() {
                Some(properties) => {
                    let required = names_in(schema.get("required"));
                    let members = properties.iter().map(|(name, member)| {
                        let mark = if required.contains(name) { "" } else { "?" };
                        format!("readonly {name}{mark}: {}", self.typed(member))
                    });
                    format!("{{ {} }}", members.collect::<Vec<_>>().join("; "))
                }
                None => {
                    let of = schema["additionalProperties"].as_object().cloned();
                    let of = of.map_or(self.unknown.to_owned(), |of| self.typed(&Json::Object(of)));
                    format!("{{ readonly [name: string]: {of} }}")
                }
            },
            other => panic!("{other}: what is it in TypeScript?"),
        }
    }

    /// Declares a type.
    fn declare(&mut self, name: &str, about: &str, schema: &Json) {
        assert!(self.declared.insert(name.to_owned()), "two types are called {name}");
        self.put_doc("\n", about);
        let Some(properties) = schema["properties"].as_object() else {
            let ty = self.typed(schema);
            self.put(&format!("export type {name} = {ty};\n"));
            return;
        };
        let required = names_in(schema.get("required"));
        self.put(&format!("export interface {name} {{\n"));
        // What tells it from others comes first.
        let (tags, fields): (Vec<_>, Vec<_>) =
            properties.iter().partition(|(_, schema)| schema.get("const").is_some());
        for (name, member) in tags.into_iter().rev().chain(fields) {
            self.put_doc("  ", member["description"].as_str().unwrap_or_default());
            let mark = if required.contains(name) { "" } else { "?" };
            let ty = self.typed(member);
            self.put(&format!("  readonly {name}{mark}: {ty};\n"));
        }
        self.put("}\n");
    }

    fn declare_all(&mut self, schemas: &Map<String, Json>) {
        for (name, schema) in schemas {
            self.declare(name, schema["description"].as_str().unwrap_or_default(), schema);
        }
    }

    /// Declares each message, and a type of all of them.
    fn declare_messages(&mut self, name: &str, about: &str, messages: &[Message]) {
        for Message { name, about, schema } in messages {
            self.declare(&pascal_case(name), about, schema);
        }
        let names: Vec<String> = messages.iter().map(|message| pascal_case(&message.name)).collect();
        self.put_doc("\n", about);
        self.put(&format!("export type {name} = {};\n", names.join(" | ")));
    }

    fn put(&mut self, text: &str) {
        self.body.push_str(text);
    }

    fn put_doc(&mut self, before: &str, about: &str) {
        if about.is_empty() {
            self.put(before.trim_start_matches(' '));
        } else {
            self.put(&format!("{before}/** {} */\n", sentence(about)));
        }
    }

    /// The file, with imports of what it names and does not declare.
    fn text(&self, others: &[(&str, &Self)]) -> String {
        let mut text = String::from(
            "// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-server --lib api::`. Do not edit.\n",
        );
        let mut from: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for name in self.named.difference(&self.declared) {
            let file = others.iter().find(|(_, other)| other.declared.contains(name));
            let (file, _) = file.unwrap_or_else(|| panic!("{name} is declared nowhere"));
            from.entry(file).or_default().push(name);
        }
        if self.unknown == "Json" {
            from.insert("../types.ts", vec!["Json"]);
        }
        let imports = from.iter().map(|(file, names)| {
            let names = names.join(", ");
            format!("import type {{ {names} }} from '{file}';\n")
        });
        let imports: String = imports.collect();
        if !imports.is_empty() {
            text.push('\n');
            text.push_str(&imports);
        }
        text + &self.body
    }
}

fn literal(value: &Json) -> String {
    value.to_string().replace('"', "'")
}

fn joined(types: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for ty in types {
        if !all.contains(&ty) {
            all.push(ty);
        }
    }
    all.join(" | ")
}

/// A description as a sentence.
fn sentence(about: &str) -> String {
    let mut letters = about.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

fn pascal_case(name: &str) -> String {
    let upper = |word: &str| sentence(word).trim_end_matches('.').to_owned();
    name.split('_').map(upper).collect()
}

/// Without the schemas that another file has.
fn others(mut schemas: Map<String, Json>, known: &[&File]) -> Map<String, Json> {
    schemas.retain(|name, _| !known.iter().any(|file| file.declared.contains(name)));
    schemas
}

/// The files, by their names in `clients/typescript/src/generated`.
pub(super) fn files(openapi: &Json) -> Vec<(&'static str, String)> {
    let mut wire = File::new("unknown");
    let (about_match, parts) = of_match();
    wire.declare_all(&parts);
    wire.declare_messages("ServerMessage", "A message to one client.", &about_match);

    let mut lobby = File::new("unknown");
    let (news, parts) = of_lobby();
    lobby.declare_all(&others(parts, &[&wire]));
    // Messages of the lobby are no types of REST, even where they share a name.
    let mut types_of_lobby = File::new("unknown");
    types_of_lobby.declared.clone_from(&lobby.declared);
    lobby.declare_messages("LobbyNews", "A message from the server outside a match.", &news);

    let Messages { to_table, to_lobby, .. } = Messages::new(&mut Schemas::new());
    let mut client = File::new("unknown");
    client.declare_messages("ClientMessage", "A message from a client to a table.", &to_table);
    client.declare_messages("LobbyMessage", "A message from a client to the lobby.", &to_lobby);

    let mut rest = File::new("Json");
    let shapes = openapi["components"]["schemas"].as_object().expect("schemas").clone();
    rest.declare_all(&others(shapes, &[&wire, &types_of_lobby]));
    declare_operations(&mut rest, openapi);
    vec![
        ("wire.ts", wire.text(&[])),
        ("lobby.ts", lobby.text(&[("./wire.ts", &wire)])),
        ("client.ts", client.text(&[])),
        ("rest.ts", rest.text(&[("./wire.ts", &wire), ("./lobby.ts", &types_of_lobby)])),
    ]
}

fn declare_operations(rest: &mut File, openapi: &Json) {
    rest.put_doc("\n", "What each operation takes, and what it gives.");
    rest.put("export interface Operations {\n");
    let json = |content: &Json| content["application/json"]["schema"].clone();
    for methods in openapi["paths"].as_object().expect("paths").values() {
        for operation in methods.as_object().expect("methods").values() {
            let name = operation["operationId"].as_str().expect("a name");
            let body = json(&operation["requestBody"]["content"]);
            let body = if body.is_null() { "undefined".to_owned() } else { rest.typed(&body) };
            let mut responses = operation["responses"].as_object().expect("replies").iter();
            let done = responses.find(|(code, _)| code.starts_with('2'));
            let reply = done.map(|(_, reply)| json(&reply["content"])).unwrap_or_default();
            let reply = if reply.is_null() { "string".to_owned() } else { rest.typed(&reply) };
            let about = sentence(operation["summary"].as_str().unwrap_or_default());
            let line = format!("  /** {about} */\n  {name}: {{ body: {body}; reply: {reply} }};");
            writeln!(rest.body, "{line}").expect("text grows");
        }
    }
    rest.put("}\n");
}
