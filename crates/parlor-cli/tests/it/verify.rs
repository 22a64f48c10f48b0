//! `parlor verify`.

use serde_json::Value;

use crate::tools::{Dir, parlor};

/// A match whose seed nobody chose.
fn secret_match(dir: &Dir) -> String {
    let file = dir.file("secret.jsonl");
    let ran = parlor(&["try", "oxo", "--bots", "all", "--fast", "--record", &file]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    file
}

/// How each point came out.
fn states(file: &str, more: &[&str]) -> (i32, Value) {
    let ran = parlor(&[&["verify", file, "--json"], more].concat());
    let states = ran.json()["points"]
        .as_array()
        .expect("points")
        .iter()
        .map(|point| (point["point"].as_str().expect("a name").to_owned(), point["state"].clone()))
        .collect::<serde_json::Map<_, _>>();
    (ran.code, states.into())
}

#[test]
fn a_seeded_match_has_no_commitment_to_check() {
    let dir = Dir::new();
    let file = dir.match_of_bots("seeded.jsonl");
    let (code, states) = states(&file, &[]);
    assert_eq!(code, 0);
    assert_eq!(states["commitment"], "not_applicable");
    assert_eq!(states["nonces"], "not_applicable");
    for point in ["deals", "digest", "chain"] {
        assert_eq!(states[point], "ok", "{point}");
    }
    let people = parlor(&["verify", &file]).out;
    assert!(people.contains("seeded: the seed was chosen, so there is no commitment"), "{people}");
}

#[test]
fn a_secret_seed_fits_the_commitment_that_was_published() {
    let dir = Dir::new();
    let file = secret_match(&dir);
    let text = std::fs::read_to_string(&file).expect("the log");
    let header: Value = serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
    let published = header["commitment"].as_str().expect("a commitment");
    assert_eq!(states(&file, &[]).1["commitment"], "ok");
    assert_eq!(states(&file, &["--commitment", published]), states(&file, &[]));
    let (code, other) = states(&file, &["--commitment", "0123"]);
    assert_eq!((code, &other["commitment"]), (1, &"failed".into()));
}

#[test]
fn two_secret_tables_have_two_seeds() {
    let dir = Dir::new();
    let first = std::fs::read_to_string(secret_match(&dir)).expect("the log");
    let second = std::fs::read_to_string(secret_match(&dir)).expect("the log");
    assert_ne!(first.lines().next(), second.lines().next());
}

#[test]
fn each_kind_of_tampering_fails_its_own_point() {
    let dir = Dir::new();
    let file = secret_match(&dir);
    for (name, from, to, point) in [
        ("commitment", "\"commitment\":\"", "\"commitment\":\"f", "commitment"),
        ("denied", "\"commitment\":", "\"seeded\":true,\"commitment\":", "commitment"),
        ("empty", "\"match_no\":1", "\"nonces\":[\"\"],\"match_no\":1", "nonces"),
        ("crowd", "\"match_no\":1", "\"nonces\":[\"a\",\"b\",\"c\"],\"match_no\":1", "nonces"),
        ("answer", "\"selection\":[\"", "\"selection\":[\"z", "deals"),
        ("digest", "{\"digest\":\"", "{\"digest\":\"f", "digest"),
        ("chain", "\"chain\":\"", "\"chain\":\"f", "chain"),
        ("nonce", "\"match_no\":1", "\"nonces\":[\"a\"],\"match_no\":1", "chain"),
    ] {
        let (code, states) = states(&dir.tampered(&file, name, from, to), &[]);
        assert_eq!((code, &states[point]), (1, &"failed".into()), "{name}");
    }
    let people = parlor(&["verify", &dir.file("chain")]);
    assert_eq!(people.code, 1);
    assert!(people.out.contains("FAILED"), "{}", people.out);
}

#[test]
fn nonces_that_were_mixed_in_are_counted() {
    let dir = Dir::new();
    let file = secret_match(&dir);
    let mixed = dir.tampered(&file, "mixed", "\"match_no\":1", "\"nonces\":[\"a\",\"b\"],\"match_no\":1");
    assert_eq!(states(&mixed, &[]).1["nonces"], "ok");
}
