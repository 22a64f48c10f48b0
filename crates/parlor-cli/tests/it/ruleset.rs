//! `parlor ruleset`, and a ruleset's file in place of a game's name.

use serde_json::Value;

use crate::tools::{Dir, parlor};

fn shipped(name: &str) -> String {
    format!("{}/../../rulesets/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_good_ruleset_is_checked_in_silence_and_exits_0() {
    for name in ["skirmish.json", "orcain.json", "hearts.json"] {
        let ran = parlor(&["ruleset", "check", &shipped(name)]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        assert!(ran.out.ends_with("0 errors, 0 warnings\n"), "{}", ran.out);
    }
}

#[test]
fn mistakes_are_told_with_their_place_and_exit_1() {
    let dir = Dir::new();
    let path = &dir.file("bad.json");
    std::fs::write(
        path,
        "{\"name\": \"Bad\", \"author\": \"x\",\n \"flow\": [{\"emitt\": {}},\n  {\"shuffle\": \"dekc\"}]}",
    )
    .expect("a file");
    let ran = parlor(&["ruleset", "check", path]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("bad.json:2:12: error[unknown]: there is no statement 'emitt'"), "{}", ran.out);
    assert!(ran.out.contains("help: did you mean 'emit'?"), "{}", ran.out);
    assert!(ran.out.contains("at /flow/1/shuffle"), "{}", ran.out);
    let json = parlor(&["ruleset", "check", path, "--json"]);
    let first: Value = serde_json::from_str(json.out.lines().next().expect("a line")).expect("JSON");
    assert_eq!(
        (&first["line"], &first["column"], &first["pointer"]),
        (&2.into(), &12.into(), &"/flow/0/emitt".into())
    );
    // It cannot be played either, and the first mistake says why.
    let sim = parlor(&["sim", path, "--matches", "1"]);
    assert_eq!(sim.code, 1);
    assert!(sim.err.contains("there is no statement 'emitt'"), "{}", sim.err);
}

#[test]
fn scenarios_beside_a_ruleset_are_played() {
    let ran = parlor(&["ruleset", "test", &shipped("skirmish.json")]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("ok      Example 1: "), "{}", ran.out);
    assert!(ran.out.trim_end().ends_with("0 failed"), "{}", ran.out);
}

#[test]
fn the_schema_names_every_section() {
    let schema = parlor(&["ruleset", "schema"]).json();
    for section in ["zones", "cards", "actions", "turnStructure", "flow"] {
        assert!(schema["properties"].get(section).is_some(), "{section}");
    }
    assert!(schema["$defs"]["statement"]["properties"].get("emit").is_some());
}

#[test]
fn a_file_is_played_recorded_and_replayed_like_a_game() {
    let dir = Dir::new();
    let (file, log) = (shipped("orcain.json"), &dir.file("match.jsonl"));
    let ran = parlor(&["sim", &file, "--matches", "20", "--seed", "3", "--json", "--record", log]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.json()["endless"], 0);
    let again = parlor(&["replay", "check", log, "--ruleset", &file]);
    assert_eq!(again.code, 0, "{}{}", again.out, again.err);
    // The header names the content: other rules of the same name do not replay it.
    let other = &dir.tampered(&file, "other.json", "\"default\": 900", "\"default\": 901");
    let wrong = parlor(&["replay", "check", log, "--ruleset", other]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.out.contains("needs the rules"), "{}", wrong.out);
}
