//! The checker: everything that is wrong in one go, each at its place and with what to do.

use parlor_ruleset::{Finding, Level, compile, shipped};
use serde_json::{Value, json};

fn small() -> Value {
    json!({
        "name": "Small", "author": "test", "players": {"min": 2, "max": 2},
        "vars": {"score": {"owner": "player", "type": "int", "default": 0}},
        "zones": {"deck": {"owner": "game", "see": "none"}},
        "events": {"Ping": {"n": "int"}},
        "flow": [{"emit": {"event": "Ping"}}]
    })
}

fn found(change: &[(&str, Value)]) -> Vec<Finding> {
    let mut ruleset = small();
    for (pointer, value) in change {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        let at = ruleset.pointer_mut(parent).expect("a place in the ruleset");
        at[key] = value.clone();
    }
    match compile(&ruleset.to_string()) {
        Ok(compiled) => compiled.warnings,
        Err(findings) => findings,
    }
}

#[test]
fn shipped_rulesets_have_no_warnings() {
    for name in ["skirmish", "orcain", "hearts-rules"] {
        let compiled = compile(shipped::text(name).expect("it is shipped")).expect("it compiles");
        assert!(compiled.warnings.is_empty(), "{name}: {:#?}", compiled.warnings);
    }
}

#[test]
fn each_mistake_is_named_at_its_pointer_with_help() {
    // cites 001-14, 001-31
    let cases: Vec<(&str, Value, &str, &str, &str)> = vec![
        (
            "/flow",
            json!([{"emti": {"event": "Ping"}}]),
            "/flow/0/emti",
            "there is no statement 'emti'",
            "did you mean 'emit'?",
        ),
        (
            "/flow",
            json!([{"emit": {"event": "Pong"}}]),
            "/flow/0/emit/event",
            "there is no event 'Pong'",
            "did you mean 'Ping'?",
        ),
        (
            "/flow",
            json!([{"shuffle": "dekc"}]),
            "/flow/0/shuffle",
            "there is no zone 'dekc'",
            "did you mean 'deck'?",
        ),
        (
            "/flow",
            json!([{"add": {"var": ["you", "scoer"], "by": 1}}]),
            "/flow/0/add/var",
            "there is no variable 'scoer'",
            "did you mean 'score'?",
        ),
        (
            "/flow",
            json!([{"add": {"var": "score", "by": 1}}]),
            "/flow/0/add/var",
            "each player has a variable score",
            "say whose",
        ),
        (
            "/flow",
            json!([{"add": {"var": [{"seat": 0}, "score"], "by": true}}]),
            "/flow/0/add/by",
            "a number is expected here, and this is true or false",
            "",
        ),
        ("/flow", json!([{"loop": {"do": []}}]), "/flow/0/loop", "a loop without a bound", "\"max\""),
        ("/flow", json!([{"call": "nothing"}]), "/flow/0/call", "there is no procedure 'nothing'", ""),
        (
            "/zones/hand",
            json!({"owner": "player"}),
            "/zones/hand",
            "does not say who sees its cards",
            "add \"see\"",
        ),
        (
            "/zones/hand",
            json!({"owner": "player", "see": "al"}),
            "/zones/hand",
            "there is no visibility 'al'",
            "did you mean 'all'?",
        ),
        ("/events/Ping", json!({"n": "integer"}), "/events/Ping/n", "there is no type 'integer'", ""),
        ("/ir", json!("other/2"), "/ir", "this engine reads parlor-ir/1", ""),
        ("/colour", json!(1), "/colour", "there is no field 'colour'", ""),
        (
            "/turnStructure",
            json!({"phases": []}),
            "/turnStructure",
            "Ruleset must have at least one phase",
            "",
        ),
        (
            "/turnStructure",
            json!({"phases": [{"id": "a", "steps": []}]}),
            "/turnStructure/phases/0",
            "Phase 'a' must have at least one step",
            "",
        ),
        (
            "/turnStructure",
            json!({"phases": [{"id": "a", "steps": [{"id": "s"}]}, {"id": "a", "steps": [{"id": "t"}]}]}),
            "/turnStructure/phases/1",
            "Duplicate phase IDs found",
            "",
        ),
        ("/rules", json!([{"id": "r", "do": []}]), "/rules/0", "a trigger must have 'when'", ""),
        (
            "/events/Ping",
            json!({"n": "int", "do": [{"ask": {"id": "a", "confirm": true}}]}),
            "/events/Ping/do/0/ask",
            "nothing can be asked here",
            "ask in the flow",
        ),
        ("/procs", json!({"a": [{"call": "b"}], "b": [{"call": "a"}]}), "", "", ""),
    ];
    for (pointer, value, at, message, help) in cases {
        let findings = found(&[(pointer, value.clone())]);
        if message.is_empty() {
            continue;
        }
        let hit = findings.iter().find(|f| f.level == Level::Error && f.message.contains(message));
        let hit = hit.unwrap_or_else(|| panic!("{pointer} {value}: nobody says '{message}': {findings:#?}"));
        assert_eq!(hit.pointer, at, "{pointer} {value}");
        assert!(hit.help.clone().unwrap_or_default().contains(help), "{pointer}: {hit:?}");
    }
}

#[test]
fn procedures_that_call_each_other_are_refused() {
    let findings = found(&[
        ("/procs", json!({"a": [{"call": "b"}], "b": [{"call": "a"}]})),
        ("/flow", json!([{"call": "a"}])),
    ]);
    assert!(findings.iter().any(|f| f.code == "recursion"), "{findings:#?}");
}

#[test]
fn what_can_never_happen_is_a_warning() {
    let findings = found(&[(
        "/flow",
        json!([{"loop": {"max": 3, "do": [{"break": true}, {"emit": {"event": "Ping"}}]}}]),
    )]);
    assert!(findings.iter().any(|f| f.level == Level::Warning && f.code == "unreachable"), "{findings:#?}");
    let findings = found(&[("/flow", json!([{"reveal": {"zones": ["deck"], "where": false}}]))]);
    assert!(findings.iter().any(|f| f.level == Level::Warning && f.code == "never"), "{findings:#?}");
    let findings = found(&[("/procs", json!({"idle": []}))]);
    assert!(findings.iter().any(|f| f.level == Level::Warning && f.code == "unused"), "{findings:#?}");
}

#[test]
fn many_mistakes_are_told_at_once_with_line_and_column() {
    let text = "{\n  \"name\": \"Two\",\n  \"author\": \"x\",\n  \"players\": {\"min\": 2},\n  \"flow\": [\n    {\"shufle\": \"deck\"},\n    {\"emit\": {\"event\": \"Gone\"}}\n  ]\n}";
    let findings = compile(text).expect_err("it is wrong");
    let places: Vec<(usize, usize)> = findings.iter().map(|f| f.place(text)).collect();
    assert_eq!(places, [(6, 6), (7, 24)], "{findings:#?}");
    let said = findings[0].text("two.json", text);
    assert!(said.starts_with("two.json:6:6: error[unknown]: there is no statement 'shufle'"), "{said}");
}

#[test]
fn what_is_no_json_is_found_at_its_place() {
    for (text, place, message) in [
        ("{\"a\": 1.5}", (1, 8), "whole"),
        ("{\"a\": 1,\n \"a\": 2}", (2, 2), "twice"),
        ("{\"a\"", (1, 5), "colon"),
        ("", (1, 1), "ends"),
        ("[1, 2", (1, 6), "comma"),
        ("{\"a\": \"\\x\"}", (1, 9), "escape"),
    ] {
        let findings = compile(text).expect_err("it is no ruleset");
        assert_eq!(findings[0].place(text), place, "{text}: {findings:?}");
        assert!(findings[0].message.contains(message), "{text}: {findings:?}");
    }
    let deep = "[".repeat(100_000);
    assert!(compile(&deep).expect_err("too deep")[0].message.contains("file_depth_max"));
    let long = format!("\"{}\"", "x".repeat(parlor_ruleset::internals::FILE_BYTES_MAX));
    assert!(compile(&long).expect_err("too long")[0].message.contains("file_bytes_max"));
}

#[test]
fn the_content_is_the_identity() {
    // cites 001-31
    let hash = |value: &Value| compile(&value.to_string()).expect("it compiles").program.hash;
    let mut other = small();
    other["version"] = json!("2");
    assert_ne!(hash(&small()), hash(&other));
    let spaced = serde_json::to_string_pretty(&small()).expect("JSON");
    assert_eq!(hash(&small()), compile(&spaced).expect("it compiles").program.hash, "spaces are no content");
}

#[test]
fn the_schema_knows_every_section_and_every_word_of_the_language() {
    let schema = parlor_ruleset::schema();
    let texts =
        ["skirmish", "orcain", "hearts-rules"].map(|name| shipped::text(name).expect("it is shipped"));
    let others = [include_str!("../fixtures/veil.json"), include_str!("../../../../rulesets/atelier.json")];
    fn words(value: &Value, found: &mut std::collections::BTreeSet<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| words(item, found)),
            Value::Object(map) => map.iter().for_each(|(name, inner)| {
                if matches!(name.as_str(), "do" | "setup" | "flow" | "effects" | "instead") {
                    let list = inner.as_array().map_or(&[][..], Vec::as_slice);
                    found
                        .extend(list.iter().filter_map(Value::as_object).flat_map(|map| map.keys().cloned()));
                }
                words(inner, found);
            }),
            _ => {}
        }
    }
    for text in texts.into_iter().chain(others) {
        let ruleset: Value = serde_json::from_str(text).expect("it is JSON");
        for section in ruleset.as_object().expect("an object").keys() {
            assert!(schema["properties"].get(section).is_some(), "the schema has no section {section}");
        }
        let mut found = std::collections::BTreeSet::new();
        words(&ruleset, &mut found);
        for word in found {
            assert!(schema["$defs"]["statement"]["properties"].get(&word).is_some(), "no statement {word}");
        }
    }
    for word in ["later", "peek", "turnDown", "turnUp", "copyItem", "retarget", "activate", "nextRound"] {
        assert!(schema["$defs"]["statement"]["properties"].get(word).is_some(), "no statement {word}");
    }
}
