//! Runs every command of the README from the root of the repository.
//!
//! Only the start differs: the binary of this build instead of `cargo run --release --`. That cargo would find this
//! binary is checked in cargo's metadata of the workspace, so that nothing is built twice.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::tools::Dir;

const CARGO_RUN: &str = "cargo run --release -- ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The commands of the README's shell blocks, without their comments.
fn commands() -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README is there");
    let mut found = Vec::new();
    let mut shell = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            shell = line == "```sh";
        } else if shell {
            let command = line.split(" # ").next().unwrap_or_default().trim();
            found.extend((!command.is_empty()).then(|| command.to_owned()));
        }
    }
    found
}

/// How the test runs a command so that it ends and leaves nothing in the repository.
enum Run {
    /// To its end, with these arguments added.
    With(String),
    /// Until it has printed its address and has answered there.
    Server,
}

fn how(command: &str, dir: &Dir) -> Run {
    match command.split(' ').next() {
        Some("serve" | "play") => Run::Server,
        Some("new") => Run::With(format!(" --into {}", dir.path().display())),
        _ => Run::With(String::new()),
    }
}

/// A shell in the root that runs `parlor` with these arguments as typed. Servers keep their files in `dir`.
fn shell(command: &str, dir: &Dir) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec \"$PARLOR_BINARY\" {command}")]).current_dir(root());
    shell.env("PARLOR_BINARY", env!("CARGO_BIN_EXE_parlor")).env("PARLOR_DATABASE", dir.file("store.sqlite"));
    shell.env("PARLOR_LISTEN", "127.0.0.1:0").env("PARLOR_ADMIN_LISTEN", "");
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

/// Ends the process even if the test fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to stop.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server, reads its address, and requests its first page.
fn answers(command: &str, dir: &Dir) {
    let mut running = Running(shell(command, dir).stderr(Stdio::null()).spawn().expect("a shell starts"));
    let mut line = String::new();
    let said = running.0.stdout.take().expect("piped");
    BufReader::new(said).read_line(&mut line).expect("it says something");
    let (_, url) = line.trim().split_once("http://").unwrap_or_else(|| panic!("{command}: {line:?}"));
    let (addr, path) = url.split_once('/').unwrap_or((url, ""));
    let mut stream = TcpStream::connect(addr).expect("connects");
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n").expect("asks");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("reads");
    assert!(
        reply.starts_with("HTTP/1.1 200") && reply.contains("<title>Parlor</title>"),
        "{command}: {reply}"
    );
}

/// Without pages `play` has nothing to show: it says why and exits.
fn refuses(command: &str, why: &str, dir: &Dir) {
    let ended = shell(command, dir).output().expect("a shell starts");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("built without its web pages: {why}")), "{said}");
}

#[test]
fn every_command_of_the_readme_works() {
    let dir = Dir::new();
    let mut ran = 0;
    for line in commands() {
        let Some(command) = line.strip_prefix(CARGO_RUN) else {
            assert_eq!(line, "cargo xtask test", "this test does not know how to try `{line}`");
            continue;
        };
        ran += 1;
        match (how(command, &dir), parlor_server::web_missing()) {
            (Run::Server, Some(why)) if command.starts_with("play") => refuses(command, why, &dir),
            (Run::Server, _) => answers(command, &dir),
            (Run::With(more), _) => {
                let ended = shell(&(command.to_owned() + &more), &dir).output().expect("a shell starts");
                let said = String::from_utf8_lossy(&ended.stderr).into_owned();
                assert_eq!(ended.status.code(), Some(0), "{command}: {said}");
                assert!(!ended.stdout.is_empty(), "{command} says nothing");
            }
        }
    }
    assert!(ran >= 10, "the README has commands: {ran}");
}

/// `cargo run` alone must start `parlor`, and `cargo xtask` must be an alias that cargo knows.
#[test]
fn cargo_run_means_parlor() {
    let args = ["metadata", "--no-deps", "--format-version", "1", "--locked", "--offline"];
    let said = Command::new(env!("CARGO")).args(args).current_dir(root()).output().expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&said.stdout).expect("metadata is JSON");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let default = list(&metadata["workspace_default_members"]);
    let packages = list(&metadata["packages"]);
    let binaries: Vec<String> = packages
        .iter()
        .filter(|package| default.contains(&package["id"]))
        .flat_map(|package| list(&package["targets"]))
        .filter(|target| list(&target["kind"]).contains(&Value::from("bin")))
        .map(|target| target["name"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(binaries, ["parlor"]);
    let alias = std::fs::read_to_string(root().join(".cargo/config.toml")).expect("the alias is there");
    assert!(alias.contains("xtask = \"run --quiet --package xtask --\""), "{alias}");
}
