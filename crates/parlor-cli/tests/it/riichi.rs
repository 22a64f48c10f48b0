//! `parlor riichi` through the binary: input, output and exit codes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .arg("riichi")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

const WIN: &str = r#"{"rules":"tenhou","hand":[0,4,8,48,53,56,96,100,104,108,109,112,113,114],"win":114,"seat_wind":1,"round_wind":0,"flags":["tsumo","riichi"]}"#;

#[test]
fn every_line_in_is_a_line_out() {
    let input = format!("{WIN}\n\n{WIN}\n");
    let output = run(&["score"], input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let lines: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["cost"]["total"], 5200);
    assert_eq!(lines[0], lines[1]);
}

#[test]
fn gzip_is_read_from_a_file_and_from_standard_input() {
    let line = br#"{"melds":4,"hand":[0]}"#;
    let zipped = gzip(line);
    let file = std::env::temp_dir().join(format!("parlor-riichi-{}.jsonl.gz", std::process::id()));
    std::fs::write(&file, &zipped).expect("a temporary file");
    let from_file = run(&["waits", file.to_str().expect("a plain path")], b"");
    std::fs::remove_file(&file).expect("it was there");
    assert_eq!(text(&from_file.stdout), "{\"waits\":[0]}\n");
    assert_eq!(text(&run(&["waits", "-", "--json"], &zipped).stdout), "{\"waits\":[0]}\n");
    assert_eq!(text(&run(&["shanten"], line).stdout), "{\"best\":0,\"regular\":0}\n");
}

#[test]
fn a_bad_line_is_answered_and_the_exit_code_tells() {
    let output = run(&["shanten"], b"nonsense\n{\"melds\":4,\"hand\":[0]}\n");
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert!(lines[0].contains("invalid_line"), "{}", lines[0]);
    assert_eq!(lines[1], "{\"best\":0,\"regular\":0}");
    assert_eq!(run(&["score", "/no/such/file"], b"").status.code(), Some(1));
    assert_eq!(run(&["score"], &gzip(WIN.as_bytes())[..20]).status.code(), Some(1), "a cut file");
    assert_eq!(run(&["score", "--nonsense"], b"").status.code(), Some(2));
}

#[test]
fn a_hand_is_explained() {
    let hand = ["hand", "123m456p789s1122z"];
    assert_eq!(text(&run(&hand, b"").stdout), "tenpai, waiting for 12z: 4 tiles not in sight\n");
    let won = run(&["hand", hand[1], "--win", "2z", "--tsumo", "--riichi", "--dora", "5m"], b"");
    assert_eq!(won.status.code(), Some(0));
    for part in
        ["dora indicator 5m: 6m is dora", "1  Riichi (ready hand)", "3 han 40 fu", "the winner gets 5200"]
    {
        assert!(text(&won.stdout).contains(part), "{part} is not in:\n{}", text(&won.stdout));
    }
    let discard = run(&["hand", "123m456p789s11224z", "--json"], b"");
    let value: serde_json::Value = serde_json::from_slice(&discard.stdout).expect("JSON");
    assert_eq!(value["discards"][0]["discard"], "4z");
    assert_eq!(value["discards"][0]["accepts"], serde_json::json!(["1z", "2z"]));
}

#[test]
fn a_hand_that_cannot_be_is_refused_with_the_fault() {
    for (arguments, code, fault) in [
        (&["hand", "11111m"][..], 2, "five of a kind"),
        (&["hand", "12345m"], 2, "5 concealed tiles"),
        (&["hand", "123x"], 2, "'x' at place 4"),
        (&["hand", "123m456p789s1122z", "--win", "1z", "--ippatsu"], 2, "ippatsu needs riichi"),
        (&["hand", "123m456p789s11222z", "--win", "5m"], 2, "not among the tiles given"),
        (&["hand", "123m456p789s1122z", "--win", "3z"], 1, "not complete"),
        (&["hand", "123m456p789s1133z", "--win", "3z"], 1, "no yaku"),
        (&["hand", "1122z", "--chi", "123m", "--chi", "135p", "--chi", "789s"], 2, "three in a row"),
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(text(&output.stderr).contains(fault), "{arguments:?}: {}", text(&output.stderr));
    }
}
