//! What a ruleset says in other languages: by its author's words, beside the rules and no part of them.

use parlor_ruleset::{Finding, compile};
use serde_json::{Value, json};

const LANGUAGES: [&str; 2] = ["ja", "ru"];

fn game(words: Value) -> Value {
    json!({
        "name": "Pebbles", "author": "test", "players": {"min": 2, "max": 2},
        "zones": {"riverBank": {"owner": "game", "order": "ordered", "see": "all"}},
        "events": {"Thrown": {"seat": "seat", "ui": {"log": "{seat} throws"}}},
        "cards": {"pebble": {"title": "Pebble", "text": "It is round."}},
        "flow": [
            {"create": {"card": "pebble", "to": "riverBank"}},
            {"ask": {"who": {"seat": 0}, "prompt": "Throw it?", "confirm": true, "as": "yes"}},
            {"emit": {"event": "Thrown", "payload": {"seat": {"seat": 0}}}},
            {"finish": {}}
        ],
        "words": words
    })
}

fn found(words: Value) -> Vec<Finding> {
    match compile(&game(words).to_string()) {
        Ok(compiled) => compiled.warnings,
        Err(findings) => findings,
    }
}

fn said(words: Value) -> Vec<String> {
    found(words)
        .iter()
        .filter(|finding| finding.pointer.starts_with("/words"))
        .map(ToString::to_string)
        .collect()
}

#[test]
fn what_is_shown_is_translated_by_the_words_that_show_it() {
    let words = json!({"ja": {
        "Pebbles": "小石", "River bank": "川岸", "{seat} throws": "{seat} が投げる", "Pebble": "小石",
        "It is round.": "丸い。", "Throw it?": "投げますか"
    }});
    assert_eq!(said(words.clone()), [""; 0], "labels, names, prompts, lines of the log");
    let compiled = compile(&game(words.clone()).to_string()).expect("it is played");
    assert_eq!(compiled.program.sheet["words"], words, "screens are told");
    let without = compile(&game(json!({})).to_string()).expect("it is played");
    assert_eq!(compiled.program.hash, without.program.hash, "a translation changes no match");
}

#[test]
fn words_that_nothing_shows_are_probably_misspelt() {
    let found = found(json!({"ja": {"River Bank": "川岸", "Mountain": "山"}}));
    let of = |pointer: &str| found.iter().find(|finding| finding.pointer == pointer).expect("it is found");
    let bank = of("/words/ja/River Bank");
    assert_eq!(bank.message, "nothing shows 'River Bank'");
    assert_eq!(bank.help.as_deref(), Some("'River bank' is shown"));
    assert_eq!(
        of("/words/ja/Mountain").help.as_deref(),
        Some("write it as players read it, capitals and all")
    );
    assert!(found.iter().all(|finding| finding.level == parlor_ruleset::Level::Warning), "{found:#?}");
}

#[test]
fn holes_languages_and_shapes_are_looked_at() {
    assert_eq!(
        said(json!({"ja": {"{seat} throws": "投げる", "Pebble": "{seat}"}})),
        [
            "/words/ja/Pebble: the holes of '{seat}' are not those of 'Pebble'",
            "/words/ja/{seat} throws: the holes of '投げる' are not those of '{seat} throws'"
        ]
    );
    assert_eq!(said(json!({"in Japanese": {}})), ["/words/in Japanese: 'in Japanese' is no language"]);
    assert_eq!(said(json!([])).len(), 1);
    assert_eq!(said(json!({"ja": "小石"})).len(), 1);
    assert_eq!(said(json!({"ja": {"Pebble": 7}})).len(), 1);
}

#[test]
fn a_file_of_nothing_but_words_is_read_in_no_time() {
    // Twenty thousand words that nothing shows, beside a text that is as long as a file may be.
    let words: serde_json::Map<String, Value> =
        (0..20_000).map(|n| (format!("word number {n}"), json!("x"))).collect();
    let mut file = game(json!({"ja": words}));
    file["description"] = json!("long ".repeat(60_000));
    file["cards"]["pebble"]["text"] = json!("longer ".repeat(10_000));
    let found = compile(&file.to_string()).expect("it is played").warnings;
    assert!(
        found.iter().any(|finding| finding.message == "nothing shows 'word number 0'"),
        "{}",
        found.len()
    );
}

#[test]
fn what_is_shipped_to_be_played_is_said_in_every_language_of_the_pages() {
    for game in ["skirmish", "orcain", "hearts"] {
        let text = parlor_ruleset::shipped::text(game).expect("shipped");
        let warnings = compile(text).expect("it is played").warnings;
        assert!(warnings.iter().all(|found| !found.pointer.starts_with("/words")), "{game}: {warnings:#?}");
        let root: Value = serde_json::from_str(text).expect("JSON");
        let mut shown = Vec::new();
        texts(&root, "", &mut shown);
        assert!(shown.len() > 10, "{game}: {shown:?}");
        for language in LANGUAGES {
            let missing: Vec<&&str> =
                shown.iter().filter(|text| root["words"][language].get(**text).is_none()).collect();
            assert!(missing.is_empty(), "{game} in {language}: {missing:?}");
        }
    }
}

/// Everything that an author writes for people to read.
fn texts<'v>(node: &'v Value, key: &str, found: &mut Vec<&'v str>) {
    match node {
        Value::Object(fields) => {
            let inside = fields.iter().filter(|(key, _)| !["tests", "words"].contains(&key.as_str()));
            inside.for_each(|(key, inner)| texts(inner, key, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| texts(inner, key, found)),
        Value::String(text) => {
            let read =
                ["label", "name", "title", "text", "prompt", "why", "description", "log"].contains(&key);
            // Signs are the same everywhere.
            if read && text.chars().any(char::is_alphabetic) {
                found.push(text);
            }
        }
        _ => {}
    }
}
