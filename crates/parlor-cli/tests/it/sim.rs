//! `parlor sim`.

use serde_json::Value;

use crate::tools::{Dir, parlor};

fn sim(more: &[&str]) -> Value {
    let ran = parlor(&[&["sim", "oxo", "--matches", "3000", "--json"], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.json()
}

#[test]
fn the_digest_is_the_same_whatever_the_threads() {
    let one = sim(&["--seed", "7", "--threads", "1"]);
    for threads in ["2", "5", "0"] {
        let many = sim(&["--seed", "7", "--threads", threads]);
        for field in ["digest", "matches", "inputs", "endless"] {
            assert_eq!(one[field], many[field], "{field} on {threads} threads");
        }
    }
}

#[test]
fn another_seed_other_bots_or_another_number_of_matches_is_another_digest() {
    let base = sim(&["--seed", "7"]);
    assert_ne!(base["digest"], sim(&["--seed", "8"])["digest"]);
    assert_ne!(base["digest"], sim(&["--seed", "spring"])["digest"]);
    assert_ne!(base["digest"], sim(&["--seed", "7", "--bots", "own"])["digest"]);
    let fewer = parlor(&["sim", "oxo", "--matches", "2999", "--seed", "7", "--json"]).json();
    assert_ne!(base["digest"], fewer["digest"]);
}

#[test]
fn the_result_has_all_its_figures() {
    let result = sim(&[]);
    assert_eq!(result["game"], "oxo");
    assert_eq!(result["matches"], 3000);
    assert_eq!(result["endless"], 0);
    // Oxo takes five to nine moves.
    assert!((15_000..=27_000).contains(&result["inputs"].as_u64().expect("a number")));
    let digest = result["digest"].as_str().expect("a text");
    assert!(digest.len() == 16 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{digest}");
    for field in ["seconds", "cpu_seconds", "per_second"] {
        assert!(result[field].is_number(), "{field}");
    }
}

#[test]
fn no_matches_are_no_trouble() {
    let none = parlor(&["sim", "oxo", "--matches", "0", "--json"]).json();
    assert_eq!((&none["matches"], &none["digest"]), (&0.into(), &"0000000000000000".into()));
}

#[test]
fn a_recorded_match_replays_and_verifies() {
    let dir = Dir::new();
    for bots in ["random", "own"] {
        let file = dir.file(&format!("{bots}.jsonl"));
        sim(&["--seed", "7", "--bots", bots, "--record", &file]);
        let checked = parlor(&["replay", "check", &file]);
        assert_eq!(checked.code, 0, "{}", checked.out);
        assert_eq!(parlor(&["verify", &file]).code, 0);
        let steps = parlor(&["replay", "show", &file, "--json"]).json_lines();
        assert!(
            steps.last().is_some_and(|last| !last["outcome"].is_null()),
            "the match was played to its end"
        );
    }
}
