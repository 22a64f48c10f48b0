//! `parlor play` without arguments: the page of all games.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn play_alone_serves_a_page_and_says_where() {
    if let Some(why) = parlor_server::web_missing() {
        // Then `play` refuses, and `every_command_of_the_readme_works` looks at how.
        return println!("not tried: this build has no pages ({why})");
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["play", "--listen", "127.0.0.1:0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("says something");
    let addr =
        line.trim().strip_prefix("parlor plays at http://").unwrap_or_else(|| panic!("{line}")).to_owned();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(&addr).expect("connects");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n").expect("asks");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("reads");
        reply
    };
    let (page, status) = (ask("/"), ask("/status"));
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Parlor</title>"), "{page}");
    assert!(status.contains("active_games"), "{status}");
}
