//! What the operator reads: the log of a real server.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::kill::request;
use crate::tools::Dir;

/// A server that goes with the test, also when that fails.
struct Running(Child);

impl Running {
    /// A server on this store that logs from this level on, and its address.
    fn start(database: &str, level: &str) -> (Self, SocketAddr) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database", database])
            .env("RUST_LOG", level)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("its output");
        let running = Self(child);
        BufReader::new(output).read_line(&mut line).expect("a line");
        let addr = line.trim().rsplit('/').next().and_then(|addr| addr.parse().ok());
        (running, addr.expect("an address"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_card_that_nobody_holds_is_noted() {
    // cites 002-8
    let dir = Dir::new();
    let (mut child, addr) = Running::start(&dir.file("log.sqlite"), "warn");
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
    child.0.kill().expect("it was running");
    let mut log = String::new();
    child.0.stderr.take().expect("its log").read_to_string(&mut log).expect("UTF-8");
    child.0.wait().expect("it is gone");
    let noted: Vec<&str> = log.lines().filter(|line| line.contains("[INVALID_CARD_FROM_CLIENT]")).collect();
    assert_eq!(noted.len(), 1, "{log}");
    assert!(
        noted[0].contains("table=b")
            && noted[0].contains(&format!("seat={}", seen["snapshot"]["view"]["seat"])),
        "{}",
        noted[0]
    );
}

/// Nobody reads the log any more, as after the terminal of a server was closed: tables go on, also over a store fault, which
/// is logged.
#[test]
fn a_log_that_cannot_be_written_stops_no_table() {
    let dir = Dir::new();
    let database = dir.file("log.sqlite");
    let (mut child, addr) = Running::start(&database, "info");
    drop(child.0.stderr.take());
    let ask = |method: &str, path: &str, token: &str, body: Value| {
        request(addr, method, path, token, &body).expect("the server answers")
    };
    assert_eq!(ask("POST", "/matches", "", json!({"id": "t", "game": "oxo", "bots": 0})).0, 201);
    let tokens = ["Ada", "Bo"].map(|name| {
        let (_, joined) = ask("POST", "/matches/t/join", "", json!({"player_name": name}));
        joined["session_token"].as_str().expect("a token").to_owned()
    });
    let play = || {
        tokens.iter().map(|token| {
            let answer = json!({"inputId": 1, "title": "Take a cell", "selection": ["b2"]});
            ask("POST", "/matches/t/responses", token, answer)
        })
    };
    let away = format!("{database}.away");
    std::fs::rename(&database, &away).expect("moved");
    let refused: Vec<_> = play().collect();
    assert!(refused.iter().all(|(status, _)| *status >= 400), "nothing is stored: {refused:?}");
    std::fs::rename(&away, &database).expect("moved back");
    let back = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        ask("GET", "/readyz", "", Value::Null).0 == 200
    });
    assert!(back, "the store is back");
    let goes_on = (0..40).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        play().any(|(status, _)| status == 200)
    });
    assert!(goes_on, "the table goes on: {:?}", play().collect::<Vec<_>>());
    let metrics = crate::kill::request_text(addr, "/metrics");
    assert!(metrics.contains("\nparlor_tables 1\n"), "by the task that it had: {metrics}");
    child.0.kill().expect("it was running");
    child.0.wait().expect("it is gone");
}

#[test]
fn failed_logins_are_logged_a_line_a_second_and_without_the_token() {
    const TIMES: usize = 60;
    let dir = Dir::new();
    let (mut child, addr) = Running::start(&dir.file("log.sqlite"), "warn");
    for n in 0..TIMES {
        let token = format!("guessed-{n}-0123456789");
        let (status, _) = request(addr, "GET", "/players/me", &token, &Value::Null).expect("it answers");
        assert_eq!(status, 401);
    }
    child.0.kill().expect("it was running");
    let mut log = String::new();
    child.0.stderr.take().expect("its log").read_to_string(&mut log).expect("UTF-8");
    child.0.wait().expect("it is gone");
    let noted: Vec<&str> = log.lines().filter(|line| line.contains("logins failed")).collect();
    assert!((1..TIMES).contains(&noted.len()), "{log}");
    assert!(noted[0].contains("from=127.0.0.1") && noted[0].contains("count=1"), "{}", noted[0]);
    assert!(!log.contains("guessed"), "{log}");
}
