//! A server behind a proxy: who a request is from, and what is for this machine alone.

use parlor_server::{Config, Server};
use parlor_store_sqlite::{Options, SqliteStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{House, TempFile, call, config};

const ONE: (&str, &str) = ("X-Forwarded-For", "198.51.100.1, 203.0.113.1");
const OTHER: (&str, &str) = ("X-Forwarded-For", "203.0.113.2");

/// How often the server says that this sender asks too much.
async fn refused(house: &House, sender: (&str, &str), times: usize) -> usize {
    let mut refused = 0;
    for _ in 0..times {
        let (code, _) = call(house.server.addr, "GET", "/status", None, None, &[sender]).await;
        refused += usize::from(code == 429);
    }
    refused
}

fn tight() -> Config {
    Config { requests_per_second: 1, requests_burst: 10, ..config() }
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_are_those_of_whom_a_trusted_proxy_names() {
    let house = House::with(Config { trusted_proxies: vec!["127.0.0.0/8".to_owned()], ..tight() }).await;
    assert!(refused(&house, ONE, 60).await > 0);
    assert_eq!(refused(&house, OTHER, 3).await, 0, "another client is not concerned");
    let spoofed = ("X-Forwarded-For", "203.0.113.77, 203.0.113.1");
    assert!(refused(&house, spoofed, 30).await > 0, "what a client wrote itself is not believed");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_is_believed_who_they_are_from() {
    let house = House::with(tight()).await;
    assert!(refused(&house, ONE, 60).await > 0);
    assert!(refused(&house, OTHER, 30).await > 0, "the same sender under another name");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_that_is_none_stops_the_start() {
    for (trusted, header, said) in
        [("nginx", "Forwarded", "`nginx`"), ("10.0.0.0/8", "X-Real-IP", "`X-Real-IP`")]
    {
        let file = TempFile::new();
        let store = std::sync::Arc::new(SqliteStore::open(&file.0, Options::default()).expect("opens"));
        let trusted_proxies = vec![trusted.to_owned()];
        let config = Config { trusted_proxies, proxy_header: header.to_owned(), ..config() };
        let started = Server::builder(config, crate::client::games(), store).start().await;
        let why = started.err().expect("it does not start");
        assert!(why.contains(said), "{why}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_for_this_machine_or_for_a_token() {
    let config = Config { metrics_token: "for-prometheus".to_owned(), ..config() };
    let house = House::with(config).await;
    let read = async |token, headers: &[(&str, &str)]| {
        call(house.server.addr, "GET", "/metrics", token, None, headers).await.0
    };
    assert_eq!(read(None, &[]).await, 200);
    assert_eq!(read(None, &[ONE]).await, 403, "a proxy on this machine had it from elsewhere");
    assert_eq!(read(None, &[("Forwarded", "for=203.0.113.1")]).await, 403);
    assert_eq!(read(Some("guessed"), &[ONE]).await, 403);
    assert_eq!(read(Some("for-prometheus"), &[ONE]).await, 200);
    house.server.stop().await;
    let house = House::open().await;
    let (code, _) = call(house.server.addr, "GET", "/metrics", Some(""), None, &[ONE]).await;
    assert_eq!(code, 403, "no token is set, so none is good");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_of_the_api_are_neither_guessed_at_nor_kept() {
    let house = House::open().await;
    for path in ["/health", "/matches", "/matches/none", "/players/me", "/catalog"] {
        let mut stream = TcpStream::connect(house.server.addr).await.expect("connects");
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("writes");
        let mut told = String::new();
        stream.read_to_string(&mut told).await.expect("reads");
        let head = told.split("\r\n\r\n").next().expect("a head").to_lowercase();
        assert!(head.contains("x-content-type-options: nosniff"), "{path}: {head}");
        assert!(head.contains("cache-control: no-store"), "{path}: {head}");
    }
    house.server.stop().await;
}
