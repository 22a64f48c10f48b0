//! HTTPS as operators start it: the options, what `doctor` says, and SIGHUP.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::certificates::{Certificate, certificate, usual};
use crate::kill::request;
use crate::tools::{Dir, parlor};

/// The arguments for a server with this certificate.
fn arguments(dir: &Dir, certificate: &Certificate) -> [String; 8] {
    let (cert, key) = (dir.file("cert.pem"), dir.file("key.pem"));
    fs::write(&cert, &certificate.pem).expect("written");
    fs::write(&key, &certificate.key_pem).expect("written");
    let options = ["--listen", "127.0.0.1:0", "--database", &dir.file("tls.sqlite"), "--tls-cert", &cert];
    let more = ["--tls-key", &key];
    [options.as_slice(), &more]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .try_into()
        .expect("eight")
}

/// A server that goes with the test, also when that fails, and the lines of its log.
struct Running {
    child: Child,
    addr: SocketAddr,
    log: mpsc::Receiver<String>,
}

impl Running {
    fn start(arguments: &[String]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
            .arg("serve")
            .args(arguments)
            .env("RUST_LOG", "info")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let (say, log) = mpsc::channel();
        let stderr = BufReader::new(child.stderr.take().expect("its log"));
        std::thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| say.send(line)));
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let addr = line.trim().strip_prefix("parlor listens on https://").and_then(|addr| addr.parse().ok());
        let addr = addr.unwrap_or_else(|| panic!("it said: {line}"));
        Self { child, addr, log }
    }

    /// Waits until the log says this.
    fn until(&self, said: &str) -> String {
        loop {
            let line = self.log.recv_timeout(Duration::from_secs(20));
            let line = line.unwrap_or_else(|_| panic!("the log never says {said:?}"));
            if line.contains(said) {
                return line;
            }
        }
    }

    fn hang_up(&self) {
        let sent = Command::new("kill").args(["-HUP", &self.child.id().to_string()]).status();
        assert!(sent.expect("it can be sent").success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_hangup_reads_the_certificate_again_and_keeps_the_old_one_where_the_new_is_bad() {
    let dir = Dir::new();
    let running = Running::start(&arguments(&dir, &usual()));
    running.hang_up();
    assert!(running.until("was read again").contains("until 2099-01-01"));
    fs::write(dir.file("cert.pem"), usual().pem).expect("written");
    running.hang_up();
    let why = running.until("the one from before is served on");
    assert!(why.contains("ERROR") && why.contains("the key is not that of the certificate"), "{why}");
    let (code, told) = request(running.addr, "GET", "/healthz", "", &Value::Null).expect("it still runs");
    assert_eq!((code, told["code"].as_str()), (400, Some("https_only")));
}

#[test]
fn an_expired_certificate_is_warned_of_with_its_date() {
    let dir = Dir::new();
    let old = certificate(&["localhost"], "20200101000000Z", "20210203000000Z");
    let running = Running::start(&arguments(&dir, &old));
    let warned = running.until("clients may not take the certificate");
    assert!(warned.contains("WARN") && warned.contains("has expired on 2021-02-03"), "{warned}");
}

#[test]
fn the_doctor_looks_at_the_certificate() {
    let dir = Dir::new();
    let examined = |certificate: &Certificate| {
        let arguments = arguments(&dir, certificate);
        let arguments: Vec<&str> =
            ["doctor", "--json"].into_iter().chain(arguments.iter().map(String::as_str)).collect();
        let ran = parlor(&[&arguments[..], &["--http-redirect", "127.0.0.1:0"]].concat());
        let rows = ran.json();
        let row = |name| rows.as_array().expect("rows").iter().find(|row| row["check"] == name).cloned();
        assert_eq!(row("redirect").expect("it is looked at")["ok"], true);
        (ran.code, row("tls").expect("it is looked at"))
    };
    let (code, tls) = examined(&usual());
    assert!(
        code == 0
            && tls["text"].as_str().is_some_and(|text| text.ends_with("is for localhost, until 2099-01-01")),
        "{tls}"
    );
    let (code, tls) = examined(&certificate(&["localhost"], "20200101000000Z", "20210203000000Z"));
    assert!(
        code != 0 && tls["text"].as_str().is_some_and(|text| text.contains("has expired on 2021-02-03")),
        "{tls}"
    );
    let mixed = Certificate { key_pem: usual().key_pem, ..usual() };
    let (code, tls) = examined(&mixed);
    assert!(
        code != 0 && tls["text"].as_str().is_some_and(|text| text.contains("not that of the certificate")),
        "{tls}"
    );
}
