//! The TypeScript types of the wire, generated from the Rust types.

use std::collections::BTreeSet;
use std::fmt::Write;

use parlor_core::selector::{Bounds, Details, Form};
use parlor_core::{Choice, Fault, Ignored, Json, Outcome, Seat, Seats, Selector};
use parlor_wire::lobby::{Profile, Rated, SeatNews, Sitting, Waiting};
use parlor_wire::message::Over;
use parlor_wire::{LobbyNews, Prompt, PromptKind, SeatClock, SeatInfo, ServerMessage};
use serde_json::json;

use crate::committed::{same_as, source};
use crate::declared::{Body, Declared, Field, declared, renamed, serde};

const FILE: &str = "clients/typescript/src/generated/wire.ts";
const LOBBY_FILE: &str = "clients/typescript/src/generated/lobby.ts";
const LOBBY: &str = "crates/parlor-wire/src/lobby.rs";

/// Every type of the wire with the file that declares it, in the order of the generated file.
const TYPES: [(&str, &str); 19] = [
    ("crates/parlor-core/src/refusal.rs", "Fault"),
    ("crates/parlor-core/src/outcome.rs", "Outcome"),
    ("crates/parlor-core/src/selector.rs", "Form"),
    ("crates/parlor-core/src/selector.rs", "Bounds"),
    ("crates/parlor-core/src/selector/choice.rs", "Details"),
    ("crates/parlor-core/src/selector/choice.rs", "Choice"),
    ("crates/parlor-core/src/selector.rs", "Selector"),
    ("crates/parlor-wire/src/message.rs", "PromptKind"),
    ("crates/parlor-wire/src/message.rs", "Prompt"),
    ("crates/parlor-wire/src/message.rs", "SeatInfo"),
    ("crates/parlor-wire/src/message.rs", "SeatClock"),
    ("crates/parlor-core/src/dyn_game.rs", "Ignored"),
    ("crates/parlor-wire/src/message.rs", "Over"),
    ("crates/parlor-core/src/game.rs", "Money"),
    (LOBBY, "SeatNews"),
    (LOBBY, "Sitting"),
    (LOBBY, "Rated"),
    (LOBBY, "Profile"),
    (LOBBY, "Waiting"),
];
const MESSAGES: (&str, &str) = ("crates/parlor-wire/src/message.rs", "ServerMessage");

const NEWS: (&str, &str) = (LOBBY, "LobbyNews");

/// Fields that the server adds when it encodes; they are neither numbered nor hashed.
const ADDED: [(&str, &str, &str); 2] = [
    ("Prompt", "deadlineTs", "`until` on the server's wall clock, in milliseconds since 1970."),
    ("SeatClock", "deadlineTs", "`until` on the server's wall clock, in milliseconds since 1970."),
];

/// One field as a client sees it.
struct Seen {
    name: String,
    ty: String,
    optional: bool,
    doc: Vec<String>,
}

fn typescript(ty: &str) -> String {
    let inside = |outer: &str| ty.strip_prefix(outer).and_then(|rest| rest.strip_suffix('>'));
    match ty {
        "String" | "Cow<'static, str>" => return "string".to_owned(),
        "bool" => return "boolean".to_owned(),
        // A set of seats is written as a number, one bit for each.
        "u8" | "u16" | "u32" | "u64" | "i64" | "Seats" | "Seat" => return "number".to_owned(),
        "Json" => return "unknown".to_owned(),
        _ => {}
    }
    if let Some(item) = inside("Vec<") {
        return format!("readonly {}[]", typescript(item));
    }
    if let Some(item) = inside("ArrayVec<").and_then(|inner| inner.split_once(", ")) {
        return format!("readonly {}[]", typescript(item.0));
    }
    if let Some((_, value)) = inside("BTreeMap<").and_then(|inner| inner.rsplit_once(", ")) {
        return format!("{{ readonly [name: string]: {} }}", typescript(value));
    }
    assert!(TYPES.iter().any(|(_, name)| *name == ty), "{ty}: add it to the table of types");
    ty.to_owned()
}

/// A field, or none if its type is flattened. `sparse`: the type omits absent fields.
fn seen(field: &Field, rule: Option<&str>, sparse: bool) -> Option<Seen> {
    if field.attributes.contains("flatten") {
        return None;
    }
    let name = serde(&field.attributes, "rename").map_or_else(|| renamed(&field.name, rule), str::to_owned);
    let skipped = field.attributes.contains("skip_serializing_if");
    let option = field.ty.strip_prefix("Option<").and_then(|rest| rest.strip_suffix('>'));
    let may_be_absent = option.is_some() || field.ty == "bool" || field.ty.starts_with("Vec<");
    let optional = skipped || (sparse && may_be_absent);
    let ty = typescript(option.unwrap_or(&field.ty));
    let ty = if option.is_some() && !optional { format!("{ty} | null") } else { ty };
    Some(Seen { name, ty, optional, doc: field.doc.clone() })
}

fn write_doc(text: &mut String, indent: &str, doc: &[String]) {
    // Links are for rustdoc.
    let doc = doc.join(" ").replace("[`", "`").replace("`]", "`");
    writeln!(text, "{indent}/** {} */", doc.trim()).expect("text grows");
}

fn write_fields(text: &mut String, fields: &[Seen]) {
    for Seen { name, ty, optional, doc } in fields {
        write_doc(text, "  ", doc);
        let mark = if *optional { "?" } else { "" };
        writeln!(text, "  readonly {name}{mark}: {ty};").expect("text grows");
    }
    text.push_str("}\n");
}

/// Whether a type has its own `Serialize`, which omits absent fields.
fn sparse(declared: &Declared) -> bool {
    !declared.attributes.replace("Deserialize", "").contains("Serialize")
}

/// The fields of a struct, including those of flattened types.
fn fields_of(declared: &Declared) -> Vec<Seen> {
    let Body::Struct(fields) = &declared.body else { panic!("{} is no struct", declared.name) };
    let rule = serde(&declared.attributes, "rename_all");
    let mut all: Vec<Seen> = fields.iter().filter_map(|field| seen(field, rule, sparse(declared))).collect();
    for (_, name, doc) in ADDED.iter().filter(|(ty, ..)| *ty == declared.name) {
        let doc = vec![(*doc).to_owned()];
        all.push(Seen { name: (*name).to_owned(), ty: "number".to_owned(), optional: true, doc });
    }
    all
}

fn flattened(declared: &Declared) -> Vec<&str> {
    let Body::Struct(fields) = &declared.body else { return Vec::new() };
    fields
        .iter()
        .filter(|field| field.attributes.contains("flatten"))
        .map(|field| field.ty.trim_start_matches("Option<Box<").trim_end_matches(">>"))
        .collect()
}

fn write_type(text: &mut String, declared: &Declared) {
    text.push('\n');
    write_doc(text, "", &declared.doc);
    if let Body::Enum(variants) = &declared.body {
        let rule = serde(&declared.attributes, "rename_all");
        let names: Vec<String> =
            variants.iter().map(|variant| format!("'{}'", renamed(&variant.name, rule))).collect();
        writeln!(text, "export type {} = {};", declared.name, names.join(" | ")).expect("text grows");
        return;
    }
    let above = flattened(declared);
    let extends = if above.is_empty() { String::new() } else { format!(" extends {}", above.join(", ")) };
    writeln!(text, "export interface {}{extends} {{", declared.name).expect("text grows");
    write_fields(text, &fields_of(declared));
}

fn write_messages(text: &mut String, declared: &Declared) {
    let Body::Enum(variants) = &declared.body else { panic!("messages are an enum") };
    let tag = serde(&declared.attributes, "tag").expect("messages have a tag");
    let (rule, fields_rule) =
        (serde(&declared.attributes, "rename_all"), serde(&declared.attributes, "rename_all_fields"));
    for variant in variants {
        text.push('\n');
        write_doc(text, "", &variant.doc);
        let above: Vec<&str> = variant
            .fields
            .iter()
            .filter(|field| field.attributes.contains("flatten"))
            .map(|field| field.ty.as_str())
            .collect();
        let extends = if above.is_empty() { String::new() } else { format!(" extends {}", above.join(", ")) };
        writeln!(text, "export interface {}{extends} {{", variant.name).expect("text grows");
        writeln!(text, "  readonly {tag}: '{}';", renamed(&variant.name, rule)).expect("text grows");
        let fields: Vec<Seen> =
            variant.fields.iter().filter_map(|field| seen(field, fields_rule, false)).collect();
        write_fields(text, &fields);
    }
    text.push('\n');
    write_doc(text, "", &declared.doc);
    let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
    writeln!(text, "export type {} = {};", declared.name, names.join(" | ")).expect("text grows");
}

fn read(path: &str, name: &str) -> Declared {
    declared(&source(path), name)
}

/// One file: the types that the lobby's source declares, or all others, and the messages over them.
fn generated(lobby: bool) -> String {
    let mut text = String::from(
        "// Made from the Rust types by `PARLOR_BLESS=1 cargo test -p parlor-wire`. Do not edit.\n",
    );
    if lobby {
        text.push_str("\nimport type { Money } from './wire.ts';\n");
    }
    for (path, name) in TYPES.into_iter().filter(|(path, _)| (*path == LOBBY) == lobby) {
        write_type(&mut text, &read(path, name));
    }
    let (path, name) = if lobby { NEWS } else { MESSAGES };
    write_messages(&mut text, &read(path, name));
    text
}

#[test]
fn the_types_of_the_typescript_client_are_those_of_the_wire() {
    same_as(FILE, &generated(false));
    same_as(LOBBY_FILE, &generated(true));
}

fn keys(value: &Json) -> BTreeSet<String> {
    value.as_object().expect("an object").keys().cloned().collect()
}

/// The field names that a type may have in JSON, and those that it always has.
fn named(name: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (path, _) = TYPES.iter().find(|(_, known)| *known == name).expect("a known type");
    let declared = read(path, name);
    let mut all = fields_of(&declared);
    let mut inner: Vec<&str> = flattened(&declared);
    let mut below = Vec::new();
    while let Some(name) = inner.pop() {
        let (path, _) = TYPES.iter().find(|(_, known)| *known == name).expect("a known type");
        below.push(read(path, name));
        let last = below.last().expect("it was pushed");
        all.extend(fields_of(last));
        let Body::Struct(fields) = &last.body else { continue };
        for field in fields.iter().filter(|field| field.attributes.contains("flatten")) {
            inner.push(TYPES.iter().map(|(_, name)| *name).find(|name| *name == field.ty).expect("known"));
        }
    }
    let added: Vec<&str> = ADDED.iter().map(|(_, name, _)| *name).collect();
    let all: Vec<Seen> = all.into_iter().filter(|seen| !added.contains(&seen.name.as_str())).collect();
    let always = all.iter().filter(|seen| !seen.optional).map(|seen| seen.name.clone()).collect();
    (all.into_iter().map(|seen| seen.name).collect(), always)
}

fn full_choice() -> Choice {
    let mut choice = Choice::new("t").id("i");
    *choice = Details {
        kind: Some("k".into()),
        meta: Some(json!(1)),
        extra: true,
        exclusive: true,
        why_not: Some(Fault::new("c", "t").arg("a", 1)),
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

/// Compares types that have their own `Serialize` with what they write: all fields, and as few as possible.
#[test]
fn what_is_written_has_exactly_the_fields_that_the_types_say() {
    let over = Over { outcome: Outcome::draw(2, "r"), text: "t".into(), seed: Some("s".into()) };
    let bare_over = Over { seed: None, ..over.clone() };
    let seat = SeatInfo { name: "n".into(), is_bot: false, here: true };
    let bare = Prompt { input_id: 1, kind: PromptKind::Offer, selector: Selector::default(), until: None };
    let clock = SeatClock { seat: Seat::new(0), until: 1, bank_ms: Some(1) };
    let bare_clock = SeatClock { bank_ms: None, ..clock };
    let ignored = Ignored { path: "/p".into(), reason: "r".into() };
    let fault = Fault::new("c", "t");
    let news = SeatNews { seat: 0, name: "n".into(), is_bot: false, player_id: Some("p".into()) };
    let bare_news = SeatNews { player_id: None, ..news.clone() };
    let sitting = Sitting { game_id: "t".into(), game: "g".into(), seat: 0 };
    let rated = Rated { game: "g".into(), rating: 1, league_key: "l".into(), won: 1, lost: 2, drawn: 3 };
    let profile = Profile {
        player_id: "p".into(),
        nickname: "n".into(),
        language: "en".into(),
        avatar: "a".into(),
        tokens: 10,
        rating: 0,
        league_key: "wood".into(),
        ratings: vec![rated.clone()],
        free_rename: true,
        rights: vec![],
    };
    let waiting = Waiting { name: "n".into(), ready: true, owner: true, here: true };
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
        ("SeatNews", json!(news), json!(bare_news)),
        ("Sitting", json!(sitting), json!(sitting)),
        ("Rated", json!(rated), json!(rated)),
        ("Profile", json!(profile), json!(profile)),
        ("Waiting", json!(waiting), json!(waiting)),
    ];
    for (name, full, bare) in rows {
        let (all, always) = named(name);
        assert_eq!(keys(&full), all, "{name}, with everything");
        assert_eq!(keys(&bare), always, "{name}, with as little as can be");
    }
}

#[test]
fn messages_are_written_as_their_types_say() {
    let update = ServerMessage::Update {
        v: 1,
        branch_id: 2,
        events: vec![],
        patch: vec![],
        view_hash: String::new(),
        requests: None,
        clocks: None,
        over: None,
    };
    let text = generated(false) + &generated(true);
    let kinds = [
        ("Update", json!(update)),
        ("Paused", json!(ServerMessage::Paused { v: 1, why: None })),
        ("Chat", json!(LobbyNews::Chat { n: None, player_name: "n".into(), text: "t".into() })),
        ("Accepted", json!(ServerMessage::Accepted { request_key: None, branch_id: 1, ignored: vec![] })),
        ("QueueOk", json!(LobbyNews::QueueOk { tokens: 1, position: 1, waiting: 1 })),
        ("QueueLeft", json!(LobbyNews::QueueLeft)),
        ("Room", json!(LobbyNews::Room { game_id: "t".into(), members: vec![], humans: 2 })),
    ];
    for (name, written) in kinds {
        let (_, rest) = text.split_once(&format!("export interface {name} {{\n")).expect("it is there");
        let (body, _) = rest.split_once("\n}").expect("it ends");
        let always: BTreeSet<String> = body
            .lines()
            .filter_map(|line| line.trim().strip_prefix("readonly ")?.split_once(": "))
            .map(|(name, _)| name.to_owned())
            .filter(|name| !name.ends_with('?'))
            .collect();
        assert_eq!(keys(&written), always, "{name}");
        assert!(body.contains(&format!("type: '{}'", written["type"].as_str().expect("a tag"))), "{name}");
    }
}
