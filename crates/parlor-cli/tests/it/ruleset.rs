//! `parlor ruleset`, and a ruleset's file in place of a game's name.

use serde_json::Value;

use crate::tools::{Dir, parlor, parlor_told};

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

/// What the command says, with times left out.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut words: Vec<&str> = line.split(' ').collect();
        for n in 1..words.len() {
            if matches!(words[n].trim_end_matches([')', ',']), "ms" | "s")
                && words[n - 1].parse::<f64>().is_ok()
            {
                words[n - 1] = "…";
            }
        }
        out.push_str(&(words.join(" ") + "\n"));
    }
    out
}

/// What is said is what the file says; `PARLOR_BLESS=1` writes it.
fn says(name: &str, said: &str) {
    let path = format!("{}/tests/ruleset/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("PARLOR_BLESS").is_some() {
        std::fs::write(&path, said).expect("it can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), said, "{name}");
}

/// A file of the tests, copied to a folder of its own so that no path of this machine is said.
fn copied(dir: &Dir, name: &str) -> String {
    let file = dir.file(name);
    std::fs::copy(format!("{}/tests/ruleset/{name}", env!("CARGO_MANIFEST_DIR")), &file).expect("a copy");
    file
}

#[test]
fn what_never_ran_is_named_with_its_place() {
    let dir = Dir::new();
    let file = &copied(&dir, "gaps.json");
    let folder = &file[..file.len() - "gaps.json".len()];
    let ran = parlor(&["ruleset", "test", file, "--matches", "50", "--seed", "7"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    says("gaps.test.expected", &without_times(&ran.out).replace(folder, ""));
    let rows = parlor(&["ruleset", "test", file, "--matches", "5", "--seed", "7", "--json"]).json_lines();
    let last = rows.last().expect("a line");
    assert_eq!((&last["matches"], &last["seed"], &last["never_ran"]), (&5.into(), &7.into(), &3.into()));
    assert_eq!(rows[1]["pointer"], "/rules/0/do/1/if/1/0/emit");
    // Each run without a seed draws one, and says which.
    let drawn = parlor(&["ruleset", "test", file, "--matches", "3"]);
    assert!(drawn.out.contains("random matches: 3 with seed "), "{}", drawn.out);
    // Some scenarios alone say nothing of what the others run.
    let other = dir.tampered(file, "two.json", "\"tests\": [", "\"tests\": [{\"name\": \"nothing\"},");
    let some = parlor(&["ruleset", "test", &other, "--filter", "points"]);
    assert!(!some.out.contains("never ran"), "{}", some.out);
}

#[test]
fn what_no_scenario_notices_is_named_with_its_place() {
    let dir = Dir::new();
    let file = &copied(&dir, "gaps.json");
    let folder = &file[..file.len() - "gaps.json".len()];
    let ran = parlor(&["ruleset", "mutate", file]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    says("gaps.mutate.expected", &without_times(&ran.out).replace(folder, ""));
    // The same ones on any number of threads, and no more than asked for.
    let few = |threads: &str| {
        without_times(
            &parlor(&["ruleset", "mutate", file, "--limit", "9", "--seed", "4", "--threads", threads]).out,
        )
    };
    assert_eq!(few("1"), few("4"));
    assert!(few("1").contains("changes: 9 of "), "{}", few("1"));
    let rows = parlor(&["ruleset", "mutate", file, "--limit", "9", "--json"]).json_lines();
    assert_eq!(rows.last().expect("a line")["tried"], 9);
    // A scenario that fails would notice everything.
    let wrong = dir.tampered(file, "wrong.json", "[3, 8]", "[3, 9]");
    let failed = parlor(&["ruleset", "mutate", &wrong]);
    assert_eq!(failed.code, 1);
    assert!(failed.err.contains("a scenario fails before anything is changed"), "{}", failed.err);
}

/// An older word is told with its place; `--fix` writes today's, and the file is what it would have been.
#[test]
fn check_mends_older_words() {
    let dir = Dir::new();
    let today = shipped("skirmish.json");
    let old = dir.tampered(&today, "old.json", r#"{"prevent": true}"#, r#"{"preventEvent": true}"#);
    let told = parlor(&["ruleset", "check", &old]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(
        told.out.contains("warning[older]: `preventEvent` is an older word for `prevent`"),
        "{}",
        told.out
    );
    let mended = parlor(&["ruleset", "check", "--fix", &old]);
    assert!(mended.out.ends_with(": 0 errors, 0 warnings\n"), "{}", mended.out);
    let text = |file: &str| std::fs::read_to_string(file).expect("the file is there");
    assert_eq!(text(&old), text(&today));
}

/// The ruleset to start from has no mistakes, no gaps, the one layout, and plays.
#[test]
fn a_new_ruleset_checks_tests_and_plays() {
    let dir = Dir::new();
    let folder = &dir.file("games");
    let made = parlor(&["ruleset", "new", "night-market", "--into", folder]);
    assert_eq!(made.code, 0, "{}", made.err);
    let file = &format!("{folder}/night-market.json");
    let checked = parlor(&["ruleset", "check", file]);
    assert_eq!(checked.out, "Night market: 0 errors, 0 warnings\n");
    assert_eq!(parlor(&["ruleset", "fmt", "--check", file]).code, 0);
    let tested = parlor(&["ruleset", "test", file, "--seed", "1"]);
    assert_eq!(tested.code, 0, "{}", tested.out);
    says("new.test.expected", &without_times(&tested.out));
    says(
        "new.mutate.expected",
        &without_times(&parlor(&["ruleset", "mutate", file]).out).replace(&format!("{folder}/"), ""),
    );
    let played = parlor(&["try", file, "--bots", "all", "--fast", "--seed", "1"]);
    assert_eq!(played.code, 0, "{}", played.err);
    assert!(played.out.contains("all cards are played"), "{}", played.out);
    let again = parlor(&["ruleset", "new", "night-market", "--into", folder]);
    assert_eq!((again.code, again.err.contains("already exists")), (1, true), "{}", again.err);
    assert_eq!(parlor(&["ruleset", "new", "Night Market"]).code, 2);
}

/// The terminal table shows a ruleset as its author means it: what is hidden from screens is hidden here, the log has its
/// lines, and a question with its table fits on a screen.
#[test]
fn a_terminal_table_is_told_in_the_words_of_the_ruleset() {
    let file = shipped("skirmish.json");
    let ran = parlor_told(&["try", &file, "--seed", "7", "--fast"], "2.1\n1\n1\n1\n1\n");
    says("skirmish.try.expected", &ran.out);
    for (name, answers) in [
        ("skirmish.json", "1\n"),
        ("orcain.json", "1\n"),
        ("hearts.json", "1 2 3\n"),
        ("atelier.json", "1\n"),
    ] {
        let ran = parlor_told(&["try", &shipped(name), "--seed", "3", "--fast"], &answers.repeat(40));
        let most = ran.out.split("\n> ").map(|prompt| prompt.lines().count()).max().unwrap_or(0);
        assert!((4..=48).contains(&most), "{name}: a prompt has {most} lines\n{}", ran.out);
        for raw in ["passUntil", "activePlayer", "emptyDraw", "priority.changed", "causedBy"] {
            assert!(!ran.out.contains(raw), "{name}: {raw} is no word for people\n{}", ran.out);
        }
    }
}
