use std::collections::BTreeSet;
use std::path::Path;

use parlor_core::selector::{Bounds, Details, Form};
use parlor_core::{Choice, Fault, Ignored, Json, Outcome, Seat, Seats, Selector};
use parlor_wire::message::Over;
use parlor_wire::{Inbound, Prompt, PromptKind, SeatClock, SeatInfo, ServerMessage};
use serde_json::json;

use super::asyncapi::{Message, Messages};
use super::schema::{Schemas, names_in, reference_to};
use super::{asyncapi, openapi, typescript};
use crate::rest::routes::operations;

/// Compares with a committed file; `PARLOR_BLESS=1` writes it.
fn same_as(path: &str, made: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("PARLOR_BLESS").is_some() {
        std::fs::write(&file, made).expect("the file can be written");
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = kept.lines().zip(made.lines()).position(|(kept, made)| kept != made);
    let line = differs.unwrap_or_else(|| kept.lines().count().min(made.lines().count()));
    assert!(
        kept == made,
        "{path}:{} is not what the Rust types say now\n  was {}\n  is  {}\nPARLOR_BLESS=1 cargo test -p parlor-server --lib api:: writes it anew",
        line + 1,
        kept.lines().nth(line).unwrap_or("(the end)"),
        made.lines().nth(line).unwrap_or("(the end)"),
    );
}

fn pretty(page: &Json) -> String {
    serde_json::to_string_pretty(page).expect("plain data") + "\n"
}

#[test]
fn the_descriptions_are_those_of_the_rust_types() {
    let openapi = openapi::page(&operations());
    same_as("docs/api/openapi.json", &pretty(&openapi));
    same_as("docs/api/asyncapi.json", &pretty(&asyncapi::page()));
    for (name, text) in typescript::files(&openapi) {
        same_as(&format!("clients/typescript/src/generated/{name}"), &text);
    }
}

/// A value that a schema allows; `other` makes two that differ.
fn sample(schema: &Json, other: bool) -> Json {
    if let Some(word) = schema.get("const") {
        return word.clone();
    }
    let kind = match &schema["type"] {
        Json::Array(kinds) => kinds[0].as_str(),
        kind => kind.as_str(),
    };
    match kind {
        Some("string") => json!(if other { "b" } else { "a" }),
        Some("integer") => json!(1 + u8::from(other)),
        Some("boolean") => json!(other),
        Some("object") => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            properties.map(|(name, schema)| (name.clone(), sample(schema, other))).collect()
        }
        _ => json!({"any": other}),
    }
}

fn heard() -> Vec<Message> {
    let Messages { to_table, to_lobby, .. } = Messages::new(&mut Schemas::new());
    [to_table, to_lobby].concat()
}

/// What a client says is read by hand, because it is not to be trusted: nothing that the page names may be forgotten.
#[test]
fn the_server_reads_every_field_that_the_page_says_it_hears() {
    for Message { name, schema, .. } in heard() {
        let value = |other: Option<&str>| -> Json {
            let properties = schema["properties"].as_object().expect("fields").iter();
            properties.map(|(name, schema)| (name.clone(), sample(schema, other == Some(name)))).collect()
        };
        let read = |value: Json| Inbound::read(value).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let fields = schema["properties"].as_object().expect("fields");
        for (field, of_field) in fields.iter().filter(|(_, schema)| schema.get("const").is_none()) {
            // The input that is named is answered, whatever the head is.
            let mut values = [value(None), value(Some(field))];
            if field == "branchId" {
                for value in &mut values {
                    value.as_object_mut().expect("an object").remove("inputId");
                }
            }
            let [one, other] = values.map(read);
            assert_ne!(one, other, "{name}: {field} is read");
            let kinds = names_in(Some(&of_field["type"]));
            // Where a client's place in its streams cannot be read, it is told everything.
            let lenient = ["last_v", "last_chat", "game_id"].contains(&field.as_str());
            if !lenient && ["string", "integer"].iter().any(|kind| kinds.iter().any(|known| known == kind)) {
                let mut bad = value(None);
                bad[field] = json!([]);
                assert!(Inbound::read(bad).is_err(), "{name}: {field} is checked");
            }
        }
        let required = names_in(schema.get("required"));
        let least = required.iter().map(|field| (field.clone(), sample(&fields[field], false)));
        let spectator = (name == "join_game").then(|| ("spectate".to_owned(), json!(true)));
        read(least.chain(spectator).collect());
    }
}

fn full_choice() -> Choice {
    let mut choice = Choice::new("t").id("i");
    *choice = Details {
        kind: Some("k".into()),
        meta: Some(json!(1)),
        extra: true,
        exclusive: true,
        why_not: Some(Fault::new("over", "t").arg("a", 1)),
        choices: vec![Choice::new("inner")],
        bounds: Bounds { min: Some(1), max: Some(2), count: Some(1) },
    };
    choice
}

fn full_prompt() -> Prompt {
    let selector = Selector {
        form: Form::Action,
        actor: Some("a".into()),
        title: "t".into(),
        choices: vec![full_choice()],
        bounds: Bounds { min: Some(1), max: Some(2), count: Some(1) },
        allows_action: Some(json!(true)),
        no_auto_respond: true,
        meta: Some(json!({})),
    };
    Prompt { input_id: 1, kind: PromptKind::Request, selector, until: Some(1) }
}

fn keys(value: &Json) -> BTreeSet<String> {
    value.as_object().expect("an object").keys().cloned().collect()
}

/// Some types are written by hand, for speed: with all that they can have, and with as little, they have the fields that
/// their schemas say.
#[test]
fn what_is_written_by_hand_has_exactly_the_fields_that_its_schema_says() {
    let mut schemas = Schemas::new();
    let _ = reference_to::<ServerMessage>(&mut schemas.written);
    let _ = (reference_to::<Selector>(&mut schemas.written), reference_to::<Bounds>(&mut schemas.written));
    let schemas = schemas.all();
    let over = Over { outcome: Outcome::draw(2, "r"), text: "t".into(), seed: Some("s".into()) };
    let bare_over = Over { seed: None, ..over.clone() };
    let bare = Prompt { input_id: 1, kind: PromptKind::Offer, selector: Selector::default(), until: None };
    let clock = SeatClock { seat: Seat::new(0), until: 1, bank_ms: Some(1) };
    let bare_clock = SeatClock { bank_ms: None, ..clock };
    let seat = SeatInfo { name: "n".into(), is_bot: false, here: true };
    let ignored = Ignored { path: "/p".into(), reason: "r".into() };
    let fault = Fault::new("over", "t");
    let rows = [
        ("Fault", json!(fault.clone().arg("a", 1)), json!(fault)),
        ("Outcome", json!(Outcome::win(Seats::NONE, 1, "r")), json!(Outcome::stopped("r"))),
        ("Bounds", json!(Bounds { min: Some(1), max: Some(1), count: Some(1) }), json!(Bounds::default())),
        ("Choice", json!(full_choice()), json!(Choice::default())),
        ("Selector", json!(full_prompt().selector), json!(Selector::default())),
        ("Prompt", json!(full_prompt()), json!(bare)),
        ("SeatInfo", json!(seat), json!(seat)),
        ("SeatClock", json!(clock), json!(bare_clock)),
        ("Ignored", json!(ignored), json!(ignored)),
        ("Over", json!(over), json!(bare_over)),
    ];
    for (name, full, bare) in rows {
        // The server adds this one when it encodes.
        let mut all = keys(&schemas[name]["properties"]);
        all.remove("deadlineTs");
        let required = names_in(schemas[name].get("required")).into_iter().collect();
        assert_eq!(keys(&full), all, "{name}, with everything");
        assert_eq!(keys(&bare), required, "{name}, with as little as can be");
    }
}
