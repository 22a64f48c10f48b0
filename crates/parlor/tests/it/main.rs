//! The examples hold what they say: each is run as it stands, and ends with its own assertions.

use std::path::Path;
use std::process::Command;

#[path = "../../examples/bot.rs"]
mod bot;
#[path = "../../examples/in_process.rs"]
mod in_process;
#[path = "../../examples/own_sockets.rs"]
mod own_sockets;

#[test]
fn a_game_of_ones_own_is_played_in_process() {
    in_process::main();
}

#[test]
fn a_table_runs_on_a_transport_of_ones_own() {
    own_sockets::main();
}

#[test]
fn a_bot_plays_by_what_its_seat_sees() {
    bot::main();
}

/// An embedder's own transport is short: what a table needs around it fits on a screen or two.
#[test]
fn a_transport_of_ones_own_has_eighty_lines() {
    let code = include_str!("../../examples/own_sockets.rs");
    let lines =
        code.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with("//")).count();
    assert!(lines <= 80, "{lines} lines");
}

/// `cargo xtask soak embed`: a program outside of this workspace builds against the library and plays.
#[test]
#[ignore = "compiles everything once more"]
fn an_outside_program_that_cargo_builds_hosts_hearts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the checkout");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    std::fs::create_dir_all(program.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         parlor = {{ path = {:?} }}\nparlor-hearts = {{ path = {:?} }}\nserde_json = \"1\"\n",
        root.join("crates/parlor"),
        root.join("games/hearts"),
    );
    std::fs::write(program.join("Cargo.toml"), manifest).expect("written");
    std::fs::write(program.join("src/main.rs"), include_str!("../../examples/own_sockets.rs"))
        .expect("written");
    // The versions in the checkout's lock file: nothing needs to be downloaded.
    std::fs::copy(root.join("Cargo.lock"), program.join("Cargo.lock")).expect("copied");
    let output = Command::new(env!("CARGO"))
        .args(["run", "--offline", "--quiet"])
        .current_dir(&program)
        .env("CARGO_TARGET_DIR", program.join("target"))
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("answers"), "{said}");
}
