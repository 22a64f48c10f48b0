//! What the operator reads: the log of a real server.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::kill::request;
use crate::tools::Dir;

#[test]
fn a_card_that_nobody_holds_is_noted() {
    // cites 002-8
    let dir = Dir::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["serve", "--listen", "127.0.0.1:0", "--database", &dir.file("log.sqlite")])
        .env("RUST_LOG", "warn")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let addr = line.trim().rsplit('/').next().and_then(|addr| addr.parse().ok()).expect("an address");
    let ask = |method: &str, path: &str, token: &str, body: Value| {
        let (status, reply) = request(addr, method, path, token, &body).expect("the server answers");
        assert!(status < 300, "{method} {path}: {status} {reply}");
        reply
    };
    ask("POST", "/matches", "", json!({"id": "b", "game": "battle", "bots": 0}));
    let tokens = ["Ada", "Bo"].map(|name| {
        let joined = ask("POST", "/matches/b/join", "", json!({"player_name": name}));
        joined["session_token"].as_str().expect("a token").to_owned()
    });
    let seen = ask("GET", "/matches/b", &tokens[1], Value::Null);
    let requests = seen["snapshot"]["requests"].as_array().expect("requests");
    let draft = requests.iter().find(|request| request["kind"] == "draft").expect("a draft stands");
    let layout = json!(["attack", "dragon", null]);
    ask("POST", "/matches/b/responses", &tokens[1], json!({"inputId": draft["inputId"], "layout": layout}));
    let seen = ask("GET", "/matches/b", &tokens[1], Value::Null);
    assert_eq!(seen["snapshot"]["view"]["layout"], json!(["attack", null, null]), "and taken out");
    child.kill().expect("it was running");
    let mut log = String::new();
    child.stderr.take().expect("its log").read_to_string(&mut log).expect("UTF-8");
    child.wait().expect("it is gone");
    let noted: Vec<&str> = log.lines().filter(|line| line.contains("[INVALID_CARD_FROM_CLIENT]")).collect();
    assert_eq!(noted.len(), 1, "{log}");
    assert!(
        noted[0].contains("table=b")
            && noted[0].contains(&format!("seat={}", seen["snapshot"]["view"]["seat"])),
        "{}",
        noted[0]
    );
}
