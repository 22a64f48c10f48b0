//! The guide: `parlor new`, then docs/write-a-game.md block by block. What it writes at the beginning and what the reader
//! has at the end are committed and compiled here, and the testkit checks both; building them as a stranger would is a long
//! run (`cargo xtask soak guide`). `PARLOR_BLESS=1` writes the two files anew.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use clap::Parser;
use parlor_testkit::Kit;

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

fn parlor_new(folder: &Path, name: &str) -> std::process::ExitCode {
    let into = folder.to_str().expect("a plain path");
    new::run(Cli::parse_from(["new", name, "--into", into]).new)
}

/// A new game in a folder of its own.
fn new_game() -> (Folder, PathBuf) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("parlor-new-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = Folder(std::env::temp_dir().join(name));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    assert_eq!(parlor_new(&folder.0, "highest"), std::process::ExitCode::SUCCESS);
    assert_eq!(parlor_new(&folder.0, "highest"), std::process::ExitCode::FAILURE, "it never overwrites");
    assert_eq!(parlor_new(&folder.0, "../High"), std::process::ExitCode::from(2));
    let game = folder.0.join("highest");
    (folder, game)
}

fn follow_the_page(game: &Path) {
    let page = std::fs::read_to_string(root().join("docs/write-a-game.md")).expect("the page is there");
    assert_eq!(apply(&page, game), 10, "blocks of the page");
}

/// Compares the game's code with a committed file.
fn is_as_committed(game: &Path, name: &str) {
    let written = std::fs::read_to_string(game.join("src/lib.rs")).expect("it has code");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/guide").join(name);
    if std::env::var_os("PARLOR_BLESS").is_some() {
        std::fs::write(&path, &written).expect("written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == committed,
        "{name} is not what the guide gives: run with PARLOR_BLESS=1 and look at the change"
    );
}

#[test]
fn the_page_leads_from_an_empty_folder_to_a_game_that_passes() {
    let (_folder, game) = new_game();
    is_as_committed(&game, "new.rs");
    follow_the_page(&game);
    is_as_committed(&game, "highest.rs");
    for def in [super::guide::new::def(), super::guide::highest::def()] {
        let report = Kit::of(def).seats(3).matches(20, 6).run().unwrap_or_else(|why| panic!("{why}"));
        assert!(report.text().contains("twins of seat 0"), "{}", report.text());
    }
}

/// The same as a stranger does it: each state is built by cargo with all its targets, in a target folder of its own.
#[test]
#[ignore = "a long run: cargo xtask soak guide"]
fn the_page_leads_to_a_game_that_cargo_builds() {
    let (_folder, game) = new_game();
    // The versions in the checkout's lock file: nothing needs to be downloaded.
    std::fs::copy(root().join("Cargo.lock"), game.join("Cargo.lock")).expect("the lock file is there");
    passes(&game);
    follow_the_page(&game);
    passes(&game);
}

/// Builds the game with all its targets and runs its tests.
fn passes(game: &Path) {
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--quiet", "--", "--nocapture"])
        .current_dir(game)
        .env("CARGO_TARGET_DIR", game.join("target"))
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
