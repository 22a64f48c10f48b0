//! `parlor new --here`: the files it writes, and the entries it adds to a checkout.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::tools::{Dir, parlor};

/// What the command changes beside the new folder.
const CHANGED: [&str; 3] =
    ["Cargo.lock", "crates/parlor-cli/Cargo.toml", "crates/parlor-cli/src/registry.rs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The part of a checkout that the command reads.
fn checkout() -> Dir {
    let dir = Dir::new();
    for path in CHANGED {
        let to = dir.path().join(path);
        std::fs::create_dir_all(to.parent().expect("it lies in a folder")).expect("a folder");
        std::fs::copy(root().join(path), to).expect("a copy");
    }
    dir
}

/// Every file of a folder, with its path.
fn files(folder: &Path, under: &str, all: &mut Vec<(String, String)>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        let name = format!("{under}/{}", path.file_name().expect("a name").display());
        if path.is_dir() { files(&path, &name, all) } else { all.push((name, read(&path))) }
    }
}

/// The lines of a file that the file before did not have, and how many lines it lost.
fn added(before: &str, after: &str) -> (Vec<String>, usize) {
    let mut left: Vec<&str> = before.lines().collect();
    let mut new = Vec::new();
    for line in after.lines() {
        if left.first() == Some(&line) {
            left.remove(0);
        } else {
            new.push(line.to_owned());
        }
    }
    (new, left.len())
}

#[test]
fn a_new_game_is_a_folder_and_an_entry_in_three_files() {
    let dir = checkout();
    let ran = parlor(&["new", "tin-cups", "--here", "--parlor", dir.path().to_str().expect("UTF-8")]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut all = Vec::new();
    files(&dir.path().join("games"), "games", &mut all);
    let mut text = String::new();
    for (name, content) in &all {
        write!(text, "=== {name}\n{content}").expect("text grows");
    }
    for path in CHANGED {
        let (lines, lost) = added(&read(&root().join(path)), &read(&dir.path().join(path)));
        assert_eq!(lost, 0, "{path} keeps what it had");
        writeln!(text, "=== {path}: new lines\n{}", lines.join("\n")).expect("text grows");
    }
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/new-game.txt");
    if std::env::var_os("PARLOR_BLESS").is_some() {
        std::fs::write(&golden, &text).expect("it can be written");
    }
    let wanted = read(&golden);
    let differs = wanted.lines().zip(text.lines()).find(|(wanted, found)| wanted != found);
    assert!(
        wanted == text,
        "the files differ from tests/new-game.txt, first in {differs:?}; if that is meant: PARLOR_BLESS=1 cargo test \
         -p parlor-cli a_new_game, and `cargo xtask soak new-game`"
    );
}

#[test]
fn a_new_game_overwrites_nothing() {
    let dir = checkout();
    let here = ["--here", "--parlor", dir.path().to_str().expect("UTF-8")];
    assert_eq!(parlor(&[&["new", "cups"], &here[..]].concat()).code, 0);
    let before: Vec<String> = CHANGED.iter().map(|path| read(&dir.path().join(path))).collect();
    let again = parlor(&[&["new", "cups"], &here[..]].concat());
    assert_eq!((again.code, again.err.contains("already exists")), (1, true), "{}", again.err);
    let after: Vec<String> = CHANGED.iter().map(|path| read(&dir.path().join(path))).collect();
    assert_eq!(before, after);
}

#[test]
fn a_folder_that_is_no_checkout_is_left_as_it_is() {
    let dir = Dir::new();
    let ran = parlor(&["new", "cups", "--here", "--parlor", dir.path().to_str().expect("UTF-8")]);
    assert_eq!((ran.code, ran.err.contains("checkout of Parlor")), (1, true), "{}", ran.err);
    assert_eq!(std::fs::read_dir(dir.path()).expect("a folder").count(), 0);
}
