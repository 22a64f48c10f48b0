//! `parlor poker merge`, `next`, `auto` and `personalize`: what a table does with a hand, without a server; and `stats`.

use crate::tools::{Dir, parlor};

const HAND: &str = r#"{"variant":"NT","antes":[0,0,0],"blindsOrStraddles":[1,2,0],"minBet":2,
"startingStacks":[50,100,75.25],"players":["Ann","Bob","Cid"],"seats":[1,2,3],"seatCount":6,"hand":1,
"actions":["d dh p1 2h2d","d dh p2 3s3d","d dh p3 4c4d"],"_inactive":[0,0,0],"_intents":[0,0,0]}"#;

/// Only the author's own column and actions are taken, and the rest is named. Cites 004-3, 004/R9.
#[test]
fn merge_takes_the_authors_own_and_names_the_rest() {
    let dir = Dir::new();
    let (old, new) = (dir.file("old.json"), dir.file("new.json"));
    let changed = HAND.replace("\"_intents\":[0,0,0]", "\"_intents\":[0,3,2]").replace("75.25", "99");
    // Cid does not see the others' cards.
    let changed = changed.replace("p1 2h2d", "p1 ????").replace("p2 3s3d", "p2 ????");
    std::fs::write(&old, HAND).unwrap();
    std::fs::write(&new, changed).unwrap();
    let ran = parlor(&["poker", "merge", &old, &new, "--author", "Cid"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let merged = ran.json();
    assert_eq!(merged["hand"]["_intents"], serde_json::json!([0, 0, 2]));
    assert_eq!(merged["hand"]["startingStacks"][2], 75.25);
    let paths: Vec<&str> =
        merged["ignored"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["startingStacks[2]", "_intents[1]"]);
    let stranger = parlor(&["poker", "merge", &old, &new, "--author", "Eve"]);
    assert_eq!(stranger.code, 0, "all was ignored, and that is no failure");
}

/// Cites 004/R8, 004/R10.
#[test]
fn auto_plays_a_hand_to_its_end_and_next_begins_another() {
    let dir = Dir::new();
    let file = dir.file("hand.json");
    std::fs::write(&file, HAND).unwrap();
    for _ in 0..2 {
        let ran = parlor(&["poker", "auto", &file]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        std::fs::write(&file, ran.out).unwrap();
    }
    let next = parlor(&["poker", "next", &file, "--seed", "s"]);
    assert_eq!(next.code, 0, "{}", next.err);
    let next = next.json();
    assert_eq!((next["hand"].clone(), next["actions"].clone()), (2.into(), serde_json::json!([])));
    let seen = parlor(&["poker", "personalize", &file]).json();
    assert_eq!(seen["actions"][0], "d dh p1 ????");
    let own = parlor(&["poker", "personalize", &file, "--viewer", "Ann"]).json();
    assert_eq!(own["actions"][0], "d dh p1 2h2d");
}

/// The twenty hands that are counted by hand in `games/poker/tests/data/stats.txt`.
#[test]
fn stats_print_a_line_for_each_player_and_position() {
    let hands = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/poker/tests/data/stats.phhs");
    let ran = parlor(&["poker", "stats", hands]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ann = &lines[0];
    assert_eq!((ann["player"].clone(), ann["position"].clone()), ("Ann".into(), "all".into()));
    assert_eq!(
        (ann["hands"].clone(), ann["vpip"].clone()),
        (18.into(), serde_json::json!({"done": 8, "of": 18}))
    );
    assert_eq!(ann["bb100"].as_f64().map(|won| (won * 18.0 / 100.0).round()), Some(-147.0));
    for name in ["pfr", "three_bet", "cbet", "af", "wtsd", "bb100_se"] {
        assert!(!ann[name].is_null(), "{name}");
    }
    // A hand that cannot be played is left out and named; the rest is counted.
    let dir = Dir::new();
    let file = dir.file("broken.phhs");
    let text = std::fs::read_to_string(hands).unwrap();
    std::fs::write(&file, text.replacen("'p3 cbr 6'", "'p3 cbr 1'", 1)).unwrap();
    let ran = parlor(&["poker", "stats", &file]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, lines.len()), "{}", ran.err);
    assert!(ran.err.contains("broken.phhs: hand 1: actions[4]"), "{}", ran.err);
    assert_eq!(parlor(&["poker", "stats", &file, "--strict"]).code, 1);
}
