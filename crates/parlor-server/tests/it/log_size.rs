//! What is said, and who comes and goes, does not fill a match's log; and the log of a match that is over stays as it is.

use parlor_core::Json;
use parlor_server::Config;
use parlor_store::{MatchLog, MatchSelector, TableId};
use serde_json::json;

use crate::client::{Client, House, config, play_out};

const TOKEN: &str = "token-of-Ann-0123456789";

async fn say(client: &mut Client, text: &str) {
    client.say(json!({"type": "chat", "text": text})).await;
}

/// Reads until this was said.
async fn hear(client: &mut Client, text: &str) -> Json {
    loop {
        let heard = client.until("chat").await;
        if heard["text"] == text {
            return heard;
        }
    }
}

/// The numbers of the messages that a client was told.
fn numbers(client: &Client) -> Vec<u64> {
    let chat = client.heard.iter().filter(|message| message["type"] == "chat");
    chat.map(|message| message["n"].as_u64().expect("a number")).collect()
}

/// The records of a table's match.
fn records(house: &House, id: &str) -> usize {
    let id = TableId::new(id).expect("a name");
    let stored = house.store.read(&id, MatchSelector::Last).expect("it can be read");
    stored.expect("it is there").records.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_is_kept_for_those_who_come_later_and_over_a_restart() {
    let house = House::with(Config { chat_burst: 1_000, ..config() }).await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let before = records(&house, "t");
    for n in 1..=60 {
        say(&mut first, &format!("line {n}")).await;
    }
    assert_eq!(hear(&mut second, "line 60").await["n"], 60);
    assert_eq!(numbers(&second), (1..=60).collect::<Vec<_>>());
    let mut late = house.client("t", "json").await;
    late.say(json!({"type": "join_game", "spectate": true})).await;
    hear(&mut late, "line 60").await;
    assert_eq!(numbers(&late), (11..=60).collect::<Vec<_>>(), "the last fifty");
    assert_eq!(records(&house, "t"), before, "and none of it is in the log");

    let house = house.restart(config()).await;
    let mut back = house.client("t", "json").await;
    let token = "token-of-Bob-0123456789";
    let join = json!({"type": "join_game", "player_name": "Bob", "session_token": token, "last_v": 1, "last_chat": 58});
    back.say(join).await;
    hear(&mut back, "line 60").await;
    assert_eq!(numbers(&back), [59, 60], "who comes back hears what they missed");
    say(&mut back, "again").await;
    assert_eq!(hear(&mut back, "again").await["n"], 61);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_changes_the_log_of_a_match_that_is_over() {
    let house = House::open().await;
    let body = json!({"id": "t", "game": "oxo", "bots": 1});
    house.rest("POST", "/matches", None, Some(body)).await;
    let mut ann = house.client("t", "json").await;
    ann.join("Ann", Some(TOKEN)).await;
    ann.until("snapshot").await;
    play_out(&mut ann).await;
    let log = || async { house.rest("GET", "/matches/t/log", None, None).await };
    let (mut code, mut published) = log().await;
    while code == 409 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        (code, published) = log().await;
    }
    assert_eq!(code, 200, "{published}");
    say(&mut ann, "well played").await;
    hear(&mut ann, "well played").await;
    drop(ann);
    let mut ann = house.client("t", "json").await;
    ann.join("Ann", Some(TOKEN)).await;
    ann.until("snapshot").await;
    say(&mut ann, "again?").await;
    hear(&mut ann, "again?").await;
    assert_eq!(house.rest("POST", "/matches/t/leave", Some(TOKEN), None).await.0, 200);
    assert_eq!(log().await, (200, published));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn coming_and_going_does_not_fill_the_log() {
    const TIMES: usize = 60;
    let house = House::open().await;
    let body = json!({"id": "t", "game": "oxo", "bots": 1});
    house.rest("POST", "/matches", None, Some(body)).await;
    for _ in 0..TIMES {
        let mut ann = house.client("t", "json").await;
        ann.join("Ann", Some(TOKEN)).await;
        ann.until("snapshot").await;
    }
    let paused = || async { house.rest("GET", "/matches/t", None, None).await.1["paused"].clone() };
    // The last time she stays away, and the match waits for her.
    while paused().await.is_null() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let grown = records(&house, "t");
    assert!(grown < TIMES * 3 / 2, "{grown} records");
    let mut ann = house.client("t", "json").await;
    ann.join("Ann", Some(TOKEN)).await;
    ann.until("snapshot").await;
    assert!(paused().await.is_null(), "and goes on when she is back");
    house.server.stop().await;
}
