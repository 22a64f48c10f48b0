//! Help, completions, manual pages, and the binary in a pipe.

use std::process::{Command, Stdio};

use crate::tools::{Dir, parlor};

const COMMANDS: [&[&str]; 13] = [
    &["games"],
    &["play"],
    &["try"],
    &["sim"],
    &["replay", "show"],
    &["replay", "check"],
    &["verify"],
    &["completions"],
    &["man"],
    &["ruleset"],
    &["ruleset", "check"],
    &["riichi"],
    &["poker"],
];

#[test]
fn every_command_explains_itself() {
    let overview = parlor(&["--help"]).out;
    for command in COMMANDS {
        assert!(overview.contains(&format!("\n  {} ", command[0])), "{command:?} is in the overview");
        let ran = parlor(&[command, &["--help"]].concat());
        assert_eq!(ran.code, 0, "{command:?}");
        assert!(ran.out.contains(&format!("Usage: parlor {}", command.join(" "))), "{}", ran.out);
    }
}

#[test]
fn every_command_of_the_house_shows_an_example() {
    for command in &COMMANDS[..9] {
        let help = parlor(&[command, &["--help"][..]].concat()).out;
        let example = format!("parlor {}", command.join(" "));
        let examples = help.split_once("Examples:").map_or("", |(_, examples)| examples);
        assert!(examples.contains(&example), "{command:?}: {help}");
    }
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = parlor(&["completions", shell]);
        assert_eq!(ran.code, 0, "{shell}");
        assert!(ran.out.contains("parlor") && ran.out.contains("verify"), "{shell}");
    }
    assert_eq!(parlor(&["completions", "abacus"]).code, 2);
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = parlor(&["man"]).out;
    assert!(page.contains(".TH parlor 1"), "{page}");
    let dir = Dir::new();
    let ran = parlor(&["man", "--out", &dir.file("man1")]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for command in COMMANDS {
        let page = dir.path().join("man1").join(format!("parlor-{}.1", command.join("-")));
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        assert!(text.contains(".SH SYNOPSIS"), "{}", page.display());
    }
}

#[test]
fn wrong_usage_is_exit_code_2() {
    for args in
        [&[][..], &["dance"], &["sim"], &["replay"], &["verify"], &["sim", "oxo", "--matches", "many"]]
    {
        let ran = parlor(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(!ran.err.is_empty(), "{args:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let dir = Dir::new();
    let file = dir.match_of_bots("match.jsonl");
    for args in [
        &["games"][..],
        &["replay", "show", &file],
        &["replay", "check", &file],
        &["verify", &file],
        &["completions", "bash"],
        &["man"],
        &["try", "oxo", "--bots", "all", "--fast"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        // Closed before anything is read: the first write of the binary may already fail.
        drop(child.stdout.take());
        let ran = child.wait_with_output().expect("the binary ends");
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{args:?}");
        assert_eq!(ran.status.code(), Some(0), "{args:?}");
    }
}
