//! No message is sent before its record is stored, and a failing store stops nothing for ever.

use std::time::Duration;

use serde_json::json;

use crate::client::{Client, House, config, play_out};

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
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    house.store.set_quota(Some(1)).expect("set");
    let mut refused = false;
    for _ in 0..400 {
        first.say(json!({"type": "chat", "text": "x".repeat(900)})).await;
        let message = first.next().await.expect("open");
        if message["type"] == "notice" && message["code"] == "read_only" {
            refused = true;
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert!(refused, "the disk was full at some point");
    house.store.set_quota(None).expect("set");
    loop {
        if first.until("notice").await["code"] == "writable" {
            break;
        }
    }
    let over = tokio::join!(play_out(&mut first), play_out(&mut second));
    assert!(over.0["over"].is_object());
    house.server.stop().await;
    assert_eq!(house.store.integrity().expect("reads"), Vec::<String>::new());
    let _ = config();
}
