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
    assert!(ran.out.contains(" passed, 0 failed, in "), "{}", ran.out);
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

#[test]
fn a_folder_is_checked_file_by_file_and_its_scenarios_are_no_rulesets() {
    let ran = parlor(&["ruleset", "check", &shipped("")]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("Skirmish: 0 errors, 0 warnings"), "{}", ran.out);
    assert!(ran.out.trim_end().ends_with("rulesets: 0 errors, 0 warnings"), "{}", ran.out);
    let dir = Dir::new();
    let empty = parlor(&["ruleset", "check", &dir.file("")]);
    assert_eq!((empty.code, empty.err.contains("there is no ruleset in")), (1, true), "{}", empty.err);
    // Editors are told which file.
    std::fs::write(
        dir.file("bad.json"),
        "{\"name\": \"Bad\", \"author\": \"x\", \"flow\": [{\"emitt\": {}}]}",
    )
    .expect("a file");
    let json = parlor(&["ruleset", "check", &dir.file(""), "--json"]);
    let rows = json.json_lines();
    assert_eq!((json.code, rows.len()), (1, 1));
    assert!(rows[0]["file"].as_str().is_some_and(|file| file.ends_with("bad.json")), "{}", rows[0]);
    assert_eq!(rows[0]["help"], "did you mean 'emit'?");
}

#[test]
fn a_scenario_that_fails_says_where_in_its_file_and_what_came_instead() {
    let dir = Dir::new();
    let game = &dir.file("game.json");
    std::fs::copy(shipped("skirmish.json"), game).expect("a copy");
    let tests = "{\"tests\": [\n  {\"name\": \"Good one\", \"script\": []},\n  {\"name\": \"Bad one\",\n   \"then\": {\"vars\": {\"life\": [12, 11]}}}\n]}";
    std::fs::write(dir.file("game.tests.json"), tests).expect("a file");
    let ran = parlor(&["ruleset", "test", game]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("ok      Good one (0 lines, 0 events, "), "{}", ran.out);
    assert!(ran.out.contains("game.tests.json:4:30: life is another\n  at /tests/1/then/vars/life\n  expected: [12,11]\n  got: [12,12]"), "{}", ran.out);
    assert!(ran.out.contains("scenarios: 1 passed, 1 failed, in "), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "colours are for terminals");
    let rows = parlor(&["ruleset", "test", game, "--json"]).json_lines();
    assert_eq!((rows[0]["ok"].as_bool(), rows[1]["ok"].as_bool()), (Some(true), Some(false)));
    assert_eq!((&rows[1]["failure"]["line"], &rows[1]["failure"]["got"]), (&4.into(), &"[12,12]".into()));
    assert!(rows[0]["micros"].is_u64());
    // Some of them.
    let some = parlor(&["ruleset", "test", game, "--filter", "GOOD"]);
    assert_eq!(some.code, 0, "{}", some.out);
    assert!(some.out.contains("scenarios: 1 passed, 0 failed, 1 left out"), "{}", some.out);
    assert_eq!(parlor(&["ruleset", "test", game, "--filter", "nothing"]).code, 1);
    std::fs::write(dir.file("game.tests.json"), "{\"tests\": [\n  {\"name\": 1.5}]}").expect("a file");
    let broken = parlor(&["ruleset", "test", game]);
    assert_eq!((broken.code, broken.err.contains("game.tests.json:2:13")), (1, true), "{}", broken.err);
}

#[test]
fn a_ruleset_is_named_by_its_id_and_not_by_its_path() {
    let ran = parlor(&["sim", &shipped("orcain.json"), "--matches", "2", "--json"]);
    assert_eq!(ran.json()["game"], "orcain");
    let people = parlor(&["sim", &shipped("orcain.json"), "--matches", "2"]);
    assert!(people.out.starts_with("orcain: 2 matches"), "{}", people.out);
}

#[test]
fn the_schema_of_one_ruleset_offers_its_names() {
    let schema = parlor(&["ruleset", "schema", &shipped("skirmish.json")]).json();
    let zones = schema["$defs"]["zoneName"]["enum"].as_array().expect("names");
    assert!(zones.contains(&"battlefield".into()), "{zones:?}");
}

#[test]
fn scenarios_are_checked_with_their_ruleset() {
    let dir = Dir::new();
    let (game, tests) = (dir.file("game.json"), dir.file("game.tests.json"));
    let ruleset = |own: &str| {
        format!(
            "{{\"ir\": \"parlor-ir/1\", \"id\": \"game\", \"name\": \"Game\", \"author\": \"test\",\n \"vars\": {{\"n\": {{\"type\": \"int\"}}}},\n             \"flow\": [{{\"set\": {{\"var\": \"n\", \"to\": 1}}}}],\n \"tests\": [{own}]}}"
        )
    };
    let write = |file: &str, text: &str| std::fs::write(file, text).expect("a file");
    write(&game, &ruleset("{\"then\": {\"vars\": {\"m\": 1}}}"));
    let own = parlor(&["ruleset", "check", &game]);
    assert_eq!(own.code, 1, "{}", own.out);
    assert!(own.out.contains("game.json:4:36: error[scenario]: there is no variable 'm'"), "{}", own.out);
    assert!(own.out.contains("at /tests/0/then/vars/m"), "{}", own.out);
    write(&game, &ruleset("{\"then\": {\"vars\": {\"n\": 1}}}"));
    assert_eq!(parlor(&["ruleset", "check", &game]).code, 0);
    // The file beside it.
    write(&tests, "{\"ruleset\": \"game\",\n \"tests\": [{\"then\": {\"vrs\": {}}}]}");
    let beside = parlor(&["ruleset", "check", &game]);
    assert_eq!(beside.code, 1, "{}", beside.out);
    assert!(
        beside.out.contains("game.tests.json:2:29: error[scenario]: there is no field 'vrs'"),
        "{}",
        beside.out
    );
    write(&tests, "{\"ruleset\": \"other\", \"tests\": [{\"then\": {\"vars\": {\"n\": 1}}}]}");
    assert_eq!(parlor(&["ruleset", "check", &game]).code, 1);
    let played = parlor(&["ruleset", "test", &game]);
    assert_eq!(played.code, 1, "{}", played.out);
    assert!(played.err.contains("these are scenarios of other, and the ruleset is game"), "{}", played.err);
}

/// Every file of the tutorial is without mistakes, its scenarios hold, and it plays to its end.
#[test]
fn the_files_of_the_tutorial_can_be_played() {
    let page =
        std::fs::read_to_string(format!("{}/../../docs/write-a-ruleset.md", env!("CARGO_MANIFEST_DIR")));
    let page = page.expect("the tutorial is there");
    let files: Vec<&str> =
        page.split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(files.len(), 2);
    let dir = Dir::new();
    for (n, text) in files.iter().enumerate() {
        let path = &dir.file(&format!("step{n}.json"));
        std::fs::write(path, text).expect("a file");
        let checked = parlor(&["ruleset", "check", path]);
        assert!(checked.out.ends_with("0 errors, 0 warnings\n"), "{}", checked.out);
        let played = parlor(&["sim", path, "--matches", "50", "--seed", "1"]);
        assert_eq!(played.code, 0, "{}{}", played.out, played.err);
    }
    let tested = parlor(&["ruleset", "test", &dir.file("step1.json")]);
    assert!(tested.out.contains("1 passed, 0 failed"), "{}", tested.out);
}
