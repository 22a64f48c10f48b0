//! HTTP connections: each is counted, none may be silent for ever, and a flood ends with its connection.

use std::time::Duration;

use parlor_server::Config;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{House, config};

/// What a raw connection is told until it is closed.
async fn told(house: &House, request: &str) -> String {
    let mut stream = TcpStream::connect(house.server.addr).await.expect("connects");
    stream.write_all(request.as_bytes()).await.expect("writes");
    rest_of(&mut stream).await
}

async fn rest_of(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut text)).await;
    // A connection that is cut may end with a reset.
    let _ = read.expect("the server closes the connection");
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_keep_nobody_out() {
    let house = House::with(Config { http_connections_per_address_max: 8, ..config() }).await;
    let mut silent = Vec::new();
    for _ in 0..40 {
        silent.push(TcpStream::connect(house.server.addr).await.expect("connects"));
    }
    assert_eq!(house.rest("GET", "/healthz", None, None).await.0, 200);
    // The one that was silent longest gave way.
    assert_eq!(rest_of(&mut silent[0]).await, "");
    let [alice, _bob] = house.pair("t", "oxo").await;
    assert_eq!(alice.closed, None, "a table is played meanwhile");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_does_not_arrive_is_not_waited_for() {
    let house = House::with(Config { request_ms: 200, ..config() }).await;
    for begun in ["", "GET /healthz HT", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "] {
        let told = told(&house, begun).await;
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 408"), "{begun:?}: {told}");
    }
    let body = "POST /players/guest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30\r\n\r\n{\"nick";
    assert!(told(&house, body).await.starts_with("HTTP/1.1 4"), "a body that never ends is refused");
    let kept = told(&house, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    assert!(kept.starts_with("HTTP/1.1 200"), "it was answered, waited for the next request, and was closed");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_names_one_host() {
    let house = House::open().await;
    let asked =
        async |head: &str| told(&house, &format!("GET /healthz {head}Connection: close\r\n\r\n")).await;
    assert!(asked("HTTP/1.1\r\nHost: localhost\r\n").await.starts_with("HTTP/1.1 200"));
    assert!(asked("HTTP/1.0\r\n").await.starts_with("HTTP/1.0 200"));
    for bad in ["HTTP/1.1\r\n", "HTTP/1.1\r\nHost: localhost\r\nHost: b\r\n"] {
        let told = asked(bad).await;
        assert!(told.starts_with("HTTP/1.1 400") && told.contains("bad_host"), "{told}");
    }
    house.server.stop().await;
}

/// A client that is told to send less and goes on is closed; one that slows down is not. Cites 003/R11.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_stays_over_its_rate_is_closed() {
    let house = House::with(Config { messages_per_second: 1, messages_burst: 5, ..config() }).await;
    let [mut loud, mut quiet] = house.pair("t", "oxo").await;
    for _ in 0..12 {
        quiet.say(json!({"type": "ping"})).await;
    }
    quiet.until("session_error").await;
    for _ in 0..100 {
        loud.say(json!({"type": "ping"})).await;
    }
    assert_eq!(loud.until_closed().await, Some((1008, "rate_limited".to_owned())));
    assert!(loud.heard.iter().any(|told| told["code"] == "rate_limited"), "it was warned first");
    assert_eq!(quiet.closed, None);
    house.server.stop().await;
}
