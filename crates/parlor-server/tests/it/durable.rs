//! No message is sent before its record is stored, and a failing store stops nothing for ever.

use std::sync::Arc;
use std::time::Duration;

use parlor_core::Json;
use parlor_server::{Clock, Config, Server};
use parlor_store::{OpenError, Store};
use parlor_store_sqlite::{Options, SqliteStore};
use serde_json::json;

use crate::client::{Client, House, TempFile, call, config};

/// Counts the messages that come within this time.
async fn quiet_for(client: &mut Client, ms: u64) -> usize {
    let before = client.heard.len();
    let _ = tokio::time::timeout(Duration::from_millis(ms), async { while client.next().await.is_some() {} })
        .await;
    client.heard.len() - before
}

#[tokio::test(flavor = "multi_thread")]
async fn no_frame_is_written_before_its_commit() {
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    quiet_for(&mut first, 200).await;
    quiet_for(&mut second, 200).await;
    let held = house.store.hold_back().expect("the writer waits");
    first.answer(json!({"title": "Take a cell", "selection": ["b2"]})).await;
    let (a, b) = tokio::join!(quiet_for(&mut first, 500), quiet_for(&mut second, 500));
    assert_eq!((a, b), (0, 0), "not a byte of it while the store has not said so");
    let look = house.rest("GET", "/matches/t", None, None);
    let early = tokio::time::timeout(Duration::from_millis(300), look).await;
    assert!(early.is_err(), "nor by REST: {early:?}");
    drop(held);
    first.until("accepted").await;
    assert_eq!(second.until("update").await["events"][0]["cell"], "b2");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_takes_nothing_makes_tables_read_only_until_it_does_again() {
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "slow").await;
    house.store.set_read_only(true).expect("set");
    first.answer(json!({"title": "Tick", "selection": ["tick"]})).await;
    assert_eq!(first.until("refused").await["code"], "not_stored");
    assert_eq!(second.until("notice").await["code"], "read_only", "everybody is told");
    first.until("notice").await;
    first.answer(json!({"title": "Tick", "selection": ["tick"]})).await;
    assert_eq!(first.until("refused").await["code"], "read_only");
    // Longer than any player's time bank: clocks are stopped.
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(house.rest("GET", "/readyz", None, None).await.0, 503);
    house.store.set_read_only(false).expect("set");
    first.until("notice").await;
    let (_, view) = house.rest("GET", "/matches/t", None, None).await;
    assert_eq!(view["snapshot"]["view"]["late"], json!([0, 0]), "nobody paid for it");
    first.answer(json!({"title": "Tick", "selection": ["tick"]})).await;
    first.until("accepted").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_survived_without_a_restart() {
    let many = 10_000;
    let config = Config { messages_per_second: many, messages_burst: many, ..config() };
    // By a clock that stands still: the round must not end while a slow disk fills.
    let house = House::by_clock(Clock::held(0), config, TempFile::new()).await;
    let [mut first, mut second] = house.pair("t", "sealed").await;
    let snapshot = first.heard.iter().rev().find(|message| message["type"] == "snapshot").expect("one");
    let drafts = snapshot["requests"].as_array().expect("requests").iter().find(|all| all["kind"] == "draft");
    let input = drafts.expect("a draft")["inputId"].clone();
    // A draft may change as often as its player likes.
    let draft = |n: usize| {
        let answer = json!({"card": n % 2 + 1});
        json!({"type": "game_action", "action": "answer", "data": answer, "inputId": input})
    };
    house.store.set_quota(Some(1)).expect("set");
    let mut full = false;
    for n in 0..5_000 {
        first.say(draft(n)).await;
        full = first.until_any(&["accepted", "refused"]).await["code"] == "not_stored";
        if full {
            break;
        }
    }
    assert!(full, "the disk was full at some point");
    assert_eq!(second.until("notice").await["code"], "read_only");
    house.store.set_quota(None).expect("set");
    while second.until("notice").await["code"] != "writable" {}
    first.say(draft(0)).await;
    first.until("accepted").await;
    house.server.stop().await;
    assert_eq!(house.store.integrity().expect("reads"), Vec::<String>::new());
}

/// A port that nobody listens on.
pub(crate) fn free_port() -> std::net::SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a free port")
}

/// Waits until this path is answered with this status.
async fn until_status(addr: std::net::SocketAddr, path: &str, wanted: u16) -> Json {
    for _ in 0..200 {
        if tokio::net::TcpStream::connect(addr).await.is_ok() {
            let (status, body) = call(addr, "GET", path, None, None, &[]).await;
            if status == wanted {
                return body;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{path} is never answered with {wanted}");
}

/// Why the store cannot be used is said until it can.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_store_cannot_be_used_yet_answers_503_and_then_starts() {
    let file = TempFile::new();
    let store = Arc::new(SqliteStore::open(&file.0, Options::default()).expect("the store opens"));
    store.set_read_only(true).expect("set");
    let addr = free_port();
    let config = Config { listen: addr.to_string(), ..config() };
    let (mut opened, given) = (0, store.clone());
    let open = move || {
        opened += 1;
        if opened == 1 { Err(OpenError::Full) } else { Ok(given.clone() as Arc<dyn Store>) }
    };
    let games: [parlor_core::GameDef; 0] = [];
    let starting = tokio::spawn(Server::builder_opening(config, games, Box::new(open)).start());
    assert_eq!(until_status(addr, "/readyz", 503).await["message"], "the disk is full");
    until_status(addr, "/health", 200).await;
    let why = loop {
        let body = until_status(addr, "/matches", 503).await;
        if body["message"] != "the disk is full" {
            break body;
        }
    };
    assert_eq!((&why["code"], &why["message"]), (&json!("read_only"), &json!("the store is read-only")));
    store.set_read_only(false).expect("set");
    until_status(addr, "/readyz", 200).await;
    starting.await.expect("no panic").expect("it has started").stop().await;
}

/// Nobody needs to play for it.
#[tokio::test(flavor = "multi_thread")]
async fn readiness_comes_back_when_the_fault_is_over() {
    let house = House::open().await;
    house.store.set_read_only(true).expect("set");
    let (code, why) = house.rest("POST", "/matches", None, Some(json!({"game": "oxo", "id": "t"}))).await;
    assert_eq!((code, &why["code"]), (503, &json!("not_stored")), "an answer means stored: {why}");
    assert_eq!(house.rest("GET", "/matches/t", None, None).await.0, 404, "and nothing is left of it");
    until_status(house.server.addr, "/readyz", 503).await;
    house.store.set_read_only(false).expect("set");
    until_status(house.server.addr, "/readyz", 200).await;
    house.create("t", "oxo", 0).await;
    house.store.set_read_only(true).expect("set");
    let join = Some(json!({"player_name": "Ann"}));
    assert_eq!(house.rest("POST", "/matches/t/join", None, join.clone()).await.0, 503);
    house.store.set_read_only(false).expect("set");
    assert_eq!(house.rest("POST", "/matches/t/join", None, join).await.0, 200, "the name is free again");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_file_is_gone_is_not_ready_and_promises_nothing() {
    let house = House::open().await;
    let away = house.file.0.with_extension("away");
    std::fs::rename(&house.file.0, &away).expect("moved");
    let why = until_status(house.server.addr, "/readyz", 503).await;
    assert!(why["message"].as_str().is_some_and(|text| text.contains("deleted or moved")), "{why}");
    assert_eq!(house.rest("POST", "/matches", None, Some(json!({"game": "oxo"}))).await.0, 503);
    std::fs::rename(&away, &house.file.0).expect("moved back");
    until_status(house.server.addr, "/readyz", 200).await;
    house.create("t", "oxo", 0).await;
    house.server.stop().await;
}
