//! `parlor riichi games`, `sessions`, `export`, `import` and `replay` through the binary.

use std::path::PathBuf;

use parlor_core::Game;
use parlor_core::logfile::LogFile;
use parlor_riichi::game::Riichi;
use parlor_testkit::random::random_match;
use serde_json::{Value, json};

use crate::tools::{Dir, parlor};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// A file of the reference data; none if it is not there and need not be.
fn shared(name: &str) -> Option<String> {
    let folder = std::env::var_os("PARLOR_DATA_DIR").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let file = folder.join("mahjong/corpus").join(name);
    if file.exists() {
        return Some(file.to_str().expect("a plain path").to_owned());
    }
    assert!(
        !std::env::var("PARLOR_DATA").is_ok_and(|value| value == "require"),
        "{} is missing",
        file.display()
    );
    println!("UNCOMPARED: {} is missing", file.display());
    None
}

/// A match of the house, written and read back in each notation.
#[test]
fn a_match_is_exported_and_read_back() {
    let dir = Dir::new();
    let settings = json!({"preset": "tenhou", "game_type": "east", "enchousen": "none"});
    let match_ = random_match(Riichi::def(), &settings, 4, 4);
    let log = dir.file("match.jsonl");
    std::fs::write(&log, LogFile::of(&match_).write()).expect("a temporary file");
    let written = parlor(&["riichi", "export", &log, "--to", "tenhou6"]);
    assert_eq!(written.code, 0, "{}", written.err);
    let rounds = lines(&written.out)[0]["tenhou6_rounds"].as_array().map_or(0, Vec::len);
    assert!(rounds >= 4, "{rounds} rounds");
    let tenhou6 = dir.file("match.tenhou6");
    std::fs::write(&tenhou6, &written.out).expect("a temporary file");
    let read = parlor(&["riichi", "import", &tenhou6, "--settings", "{\"game_type\": \"east\"}"]);
    assert_eq!(read.code, 0, "{}", read.err);
    assert_eq!(lines(&read.out).len(), rounds);
    assert!(lines(&read.out).iter().all(|line| line["result"].is_object() && line["end_scores"].is_array()));

    let written = parlor(&["riichi", "export", &log, "--to", "mjai"]);
    assert_eq!(lines(&written.out)[0]["type"], "start_game");
    let mjai = dir.file("match.mjai");
    std::fs::write(&mjai, &written.out).expect("a temporary file");
    let again = parlor(&["riichi", "import", &mjai, "--settings", "{\"game_type\": \"east\"}"]);
    assert_eq!((again.code, again.out), (0, read.out), "both notations tell the same game");

    let written = parlor(&["riichi", "export", &log, "--to", "ronin"]);
    let events = lines(&written.out)[0]["events"].clone();
    assert_eq!((&events[0]["type"], &events[1]["type"]), (&json!("game_started"), &json!("round_started")));
}

#[test]
fn what_cannot_be_read_is_refused() {
    let dir = Dir::new();
    let file = dir.file("nonsense");
    std::fs::write(&file, "nonsense\n").expect("a temporary file");
    for arguments in [
        &["riichi", "games", &file][..],
        &["riichi", "sessions", &file],
        &["riichi", "export", &file, "--to", "mjai"],
        &["riichi", "import", &file],
        &["riichi", "replay", &file],
        &["riichi", "games", &file, "--preset", "house"],
        &["riichi", "games", "/no/such/file"],
    ] {
        let ran = parlor(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{arguments:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
    assert_eq!(parlor(&["riichi", "export", &file]).code, 2, "--to is needed");
}

/// Cites 003-28.
#[test]
fn a_replay_prints_its_trace() {
    let dir = Dir::new();
    let input = json!({
        "schema_version": 1, "seed": "cli", "names": ["A", "B", "C", "D"], "bots": [0, 1, 2, 3], "actions": [],
    });
    let file = dir.file("input.json");
    std::fs::write(&file, input.to_string()).expect("a temporary file");
    let ran = parlor(&["riichi", "replay", &file]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let trace: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(trace["over"], true, "bots play to the end");
    assert_eq!(ran.out, parlor(&["riichi", "replay", &file]).out);
}

/// All rounds of the real games agree, and their export equals the goldens.
#[test]
fn real_games_agree() {
    let Some(games) = shared("games.jsonl.gz") else { return };
    let ran = parlor(&["riichi", "games", &games, "--preset", "tenhou"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let out = lines(&ran.out);
    assert_eq!(out.iter().filter(|line| line["result"].is_object()).count(), 182);
    assert_eq!(out.iter().filter(|line| line.get("final").is_some()).count(), 18);
    assert!(out.iter().all(|line| line.get("disagrees").is_none()));
    let ran = parlor(&["riichi", "export", &games, "--to", "tenhou6"]);
    assert_eq!((ran.code, lines(&ran.out).len()), (0, 18));
}

/// Every round of the real sessions is followed without a disagreement.
#[test]
fn real_sessions_agree() {
    let Some(sessions) = shared("sessions.jsonl.gz") else { return };
    let ran = parlor(&["riichi", "sessions", &sessions, "--preset", "tenhou"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(lines(&ran.out).len(), 3162);
}
