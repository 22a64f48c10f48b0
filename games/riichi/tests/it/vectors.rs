//! The vectors: every line's answer is the answer on the line.

use parlor_riichi::vectors::{LineError, score_line, shanten_line, waits_line};
use serde_json::{Value, json};

use crate::data::{shared, unzip};

type Answer = fn(&str) -> Result<Value, LineError>;

/// Counts the lines and shows the first few that differ.
fn agree(text: &str, answer: Answer, expected: fn(&Value) -> Value) -> usize {
    let mut differ = Vec::new();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("a vector is JSON");
        let (expected, found) = (expected(&value), answer(line));
        if found.as_ref() != Ok(&expected) {
            differ.push(format!("{line}\n  expected {expected}\n  found    {found:?}"));
        }
    }
    assert!(differ.is_empty(), "{} differ:\n{}", differ.len(), differ[..differ.len().min(5)].join("\n"));
    text.lines().count()
}

fn score_out(vector: &Value) -> Value {
    vector["out"].clone()
}

fn shanten_out(vector: &Value) -> Value {
    let mut out = vector.clone();
    let fields = out.as_object_mut().expect("a vector is an object");
    fields.retain(|name, _| ["regular", "best", "chiitoi", "kokushi"].contains(&name.as_str()));
    out
}

fn waits_out(vector: &Value) -> Value {
    json!({ "waits": vector["waits"] })
}

#[test]
fn every_shared_score_vector_agrees() {
    // cites 003-16, 003/R12
    if let Some(text) = shared("mahjong/vectors/score.jsonl.gz") {
        assert_eq!(agree(&text, score_line, score_out), 20_000);
    }
}

#[test]
fn every_shared_shanten_vector_agrees() {
    if let Some(text) = shared("mahjong/vectors/shanten.jsonl.gz") {
        assert_eq!(agree(&text, shanten_line, shanten_out), 10_000);
    }
}

#[test]
fn every_shared_waits_vector_agrees() {
    if let Some(text) = shared("mahjong/vectors/waits.jsonl.gz") {
        assert_eq!(agree(&text, waits_line, waits_out), 10_000);
    }
}

#[test]
fn every_own_score_vector_agrees() {
    // cites 003-16, 003/R12
    let text = unzip(include_bytes!("../data/score.jsonl.gz"));
    assert_eq!(agree(&text, score_line, score_out), 3_000);
}

#[test]
fn every_own_shanten_vector_agrees() {
    let text = unzip(include_bytes!("../data/shanten.jsonl.gz"));
    assert_eq!(agree(&text, shanten_line, shanten_out), 3_000);
}

#[test]
fn every_own_waits_vector_agrees() {
    let text = unzip(include_bytes!("../data/waits.jsonl.gz"));
    assert_eq!(agree(&text, waits_line, waits_out), 3_000);
}
