//! The TypeScript types of the REST API, generated from the OpenAPI description.

use std::collections::BTreeSet;
use std::fmt::Write;

use parlor_core::Json;

use crate::api::same_as;
use crate::client::House;

const FILE: &str = "clients/typescript/src/generated/rest.ts";

/// A schema as a type; notes the wire types that it uses.
fn typed(schema: &Json, wire: &mut BTreeSet<String>) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(|word| word.to_string().replace('"', "'")).collect();
        return words.join(" | ");
    }
    let some = schema["anyOf"].as_array();
    if let Some(some) = some.filter(|some| some.iter().all(|one| one["required"].is_null())) {
        return some.iter().map(|one| typed(one, wire)).collect::<Vec<_>>().join(" | ");
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Json::String(kind) => vec![kind],
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => return "Json".to_owned(),
    };
    let one = |kind: &&str| match *kind {
        "null" | "string" | "boolean" => (*kind).to_owned(),
        "integer" => "number".to_owned(),
        "array" => {
            let item = typed(&schema["items"], wire);
            if item.contains('|') { format!("readonly ({item})[]") } else { format!("readonly {item}[]") }
        }
        "object" => {
            if let Some(name) = schema["x-wire"].as_str() {
                wire.insert(name.to_owned());
                return name.to_owned();
            }
            if let Some(properties) = schema["properties"].as_object() {
                let members: Vec<String> = properties
                    .iter()
                    .map(|(name, member)| format!("readonly {name}: {}", typed(member, wire)))
                    .collect();
                return format!("{{ {} }}", members.join("; "));
            }
            let of = schema.get("additionalProperties").map_or("Json".to_owned(), |of| typed(of, wire));
            format!("{{ readonly [name: string]: {of} }}")
        }
        other => panic!("{other}: what is it in TypeScript?"),
    };
    let mut kinds: Vec<String> = kinds.iter().map(one).collect();
    kinds.dedup();
    kinds.join(" | ")
}

/// A description as a sentence.
fn sentence(about: &str) -> String {
    let mut letters = about.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

fn write_shape(text: &mut String, name: &str, shape: &Json, wire: &mut BTreeSet<String>) {
    let about = shape["description"].as_str().unwrap_or_default();
    writeln!(text, "\n/** {} */", sentence(about)).expect("text grows");
    let Some(properties) = shape["properties"].as_object() else {
        writeln!(text, "export type {name} = {};", typed(shape, wire)).expect("text grows");
        return;
    };
    let always: Vec<&str> =
        shape["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    writeln!(text, "export interface {name} {{").expect("text grows");
    for (name, member) in properties {
        if let Some(about) = member["description"].as_str() {
            writeln!(text, "  /** {} */", sentence(about)).expect("text grows");
        }
        let mark = if always.contains(&name.as_str()) { "" } else { "?" };
        writeln!(text, "  readonly {name}{mark}: {};", typed(member, wire)).expect("text grows");
    }
    text.push_str("}\n");
}

fn generated(page: &Json) -> String {
    let (mut shapes, mut wire) = (String::new(), BTreeSet::new());
    for (name, shape) in page["components"]["schemas"].as_object().expect("shapes") {
        write_shape(&mut shapes, name, shape, &mut wire);
    }
    let mut operations = String::from(
        "\n/** What each operation takes, and what it gives. */\nexport interface Operations {\n",
    );
    let json = |content: &Json| content["application/json"]["schema"].clone();
    for methods in page["paths"].as_object().expect("paths").values() {
        for operation in methods.as_object().expect("methods").values() {
            let name = operation["operationId"].as_str().expect("a name");
            let body = json(&operation["requestBody"]["content"]);
            let body = if body.is_null() { "undefined".to_owned() } else { typed(&body, &mut wire) };
            let well = operation["responses"]
                .as_object()
                .expect("replies")
                .iter()
                .find(|(code, _)| code.starts_with('2'));
            let reply = well.map(|(_, reply)| json(&reply["content"])).unwrap_or_default();
            let reply = if reply.is_null() { "string".to_owned() } else { typed(&reply, &mut wire) };
            let about = sentence(operation["summary"].as_str().unwrap_or_default());
            writeln!(operations, "  /** {about} */\n  {name}: {{ body: {body}; reply: {reply} }};")
                .expect("text grows");
        }
    }
    operations.push_str("}\n");
    let wire: Vec<&str> = wire.iter().map(String::as_str).collect();
    format!(
        "// Made from the table of operations by `PARLOR_BLESS=1 cargo test -p parlor-server --test it typescript`. Do not edit.\n\n\
         import type {{ {} }} from './wire.ts';\nimport type {{ Json }} from '../types.ts';\n{shapes}{operations}",
        wire.join(", ")
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn the_types_of_the_typescript_client_are_those_of_the_page() {
    let house = House::open().await;
    same_as(FILE, &generated(house.page().await), "typescript");
    house.server.stop().await;
}
