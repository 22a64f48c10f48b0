//! The guide: `parlor new`, then docs/write-a-game.md block by block, built and checked by the testkit.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Parser;

#[path = "../../../parlor-cli/src/new.rs"]
mod new;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    new: new::Args,
}

/// A folder that is deleted when the test is over.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the checkout is there")
}

/// The folder in which this test was built: it already contains everything that the new game needs.
fn target() -> PathBuf {
    let exe = std::env::current_exe().expect("this test has a file");
    exe.ancestors().nth(3).expect("target/debug/deps").to_path_buf()
}

fn parlor_new(folder: &Path, name: &str) -> std::process::ExitCode {
    let into = folder.to_str().expect("a plain path");
    new::run(Cli::parse_from(["new", name, "--into", into]).new)
}

#[test]
fn the_page_leads_from_an_empty_folder_to_a_game_that_passes() {
    let folder = Folder(std::env::temp_dir().join(format!("parlor-new-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    assert_eq!(parlor_new(&folder.0, "highest"), std::process::ExitCode::SUCCESS);
    assert_eq!(parlor_new(&folder.0, "highest"), std::process::ExitCode::FAILURE, "it never overwrites");
    assert_eq!(parlor_new(&folder.0, "../High"), std::process::ExitCode::from(2));
    let game = folder.0.join("highest");
    // The versions in the checkout's lock file: nothing needs to be downloaded.
    std::fs::copy(root().join("Cargo.lock"), game.join("Cargo.lock")).expect("the lock file is there");
    // Built as the checkout is, so that nothing it has already is built again.
    std::fs::create_dir_all(game.join(".cargo")).expect("a folder");
    std::fs::write(game.join(".cargo/config.toml"), dev_profile()).expect("written");
    passes(&game);
    let page = std::fs::read_to_string(root().join("docs/write-a-game.md")).expect("the page is there");
    assert_eq!(apply(&page, &game), 10, "blocks of the page");
    passes(&game);
}

/// The profile in which the checkout's tests are built, as a configuration of cargo.
fn dev_profile() -> String {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest is there");
    let (_, profiles) = manifest.split_once("[profile.dev]").expect("it has a profile for tests");
    let (dev, _) = profiles.split_once("[profile.release]").expect("the release profile follows");
    format!("[profile.dev]{dev}")
}

/// Builds the game with all its targets and runs its tests.
fn passes(game: &Path) {
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet", "--tests", "--", "--nocapture"])
        .current_dir(game)
        .env("CARGO_TARGET_DIR", target())
        .env_remove("PARLOR_BLESS")
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("twins of seat 0"), "{text}");
}

/// Applies every block that names a file; returns how many there were.
fn apply(page: &str, game: &Path) -> usize {
    let mut applied = 0;
    for part in page.split("\n```rust ").skip(1) {
        let (head, rest) = part.split_once('\n').expect("a block has a head");
        let (code, _) = rest.split_once("\n```").expect("a block ends");
        let (file, what) = head.split_once(" replaces ").expect("a block says what it replaces");
        let path = game.join(file);
        let text = std::fs::read_to_string(&path).expect("the template has this file");
        std::fs::write(&path, replace(&text, what.trim_matches('"'), code)).expect("written");
        applied += 1;
    }
    applied
}

/// Replaces the item that begins with these words, including its comments and attributes.
fn replace(text: &str, words: &str, code: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &&str| line.trim_start().starts_with(words);
    let at = lines.iter().position(begins).unwrap_or_else(|| panic!("{words:?} is in the template"));
    let above = |line: &&&str| line.trim_start().starts_with("///") || line.trim_start().starts_with("#[");
    let first = at - lines[..at].iter().rev().take_while(above).count();
    let indent = lines[at].len() - lines[at].trim_start().len();
    let ends = |line: &&str| {
        **line == format!("{}}}", " ".repeat(indent)) || (line.starts_with("use ") && line.ends_with(';'))
    };
    let last = at + lines[at..].iter().position(ends).expect("the item ends");
    [&lines[..first], &[code], &lines[last + 1..]].concat().join("\n") + "\n"
}
