//! Riichi through the server, by clients that know nothing but the document.

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House};

/// A client of the document at a table: binary frames, and no subprotocol (003/R16).
async fn document(house: &House, id: &str, name: &str) -> Client {
    let mut client = house.client(id, "none").await;
    let token = format!("token-of-{name}-0123456789");
    client
        .say(json!({"type": "join_game", "game_id": id, "player_name": name, "session_token": token}))
        .await;
    client
}

/// What a simple client does about a message: it discards what it drew, passes, and confirms rounds.
fn reply(message: &Json) -> Option<Json> {
    let act = |action: &str, data: Json| json!({"type": "game_action", "action": action, "data": data});
    match message["type"].as_str()? {
        "draw" if message["available_actions"].as_array().is_some_and(|actions| !actions.is_empty()) => {
            Some(act("discard", json!({"tile_id": message["tile_id"]})))
        }
        "call_prompt" => Some(act("pass", json!({}))),
        "round_end" => Some(act("confirm_round", json!({}))),
        _ => None,
    }
}

/// `POST /games` without a game makes a riichi table, whose clients speak the document's words. Cites 003-3, 003/R16.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_the_document_plays_a_round_with_bots() {
    let house = House::open().await;
    let body = json!({"game_id": "r", "num_bots": 3});
    let (code, made) = house.rest("POST", "/games", None, Some(body)).await;
    assert_eq!((code, made["status"].as_str()), (201, Some("created")), "{made}");
    let mut ann = document(&house, "r", "Ann").await;
    let joined = ann.until("game_joined").await;
    assert_eq!(joined["session_token"], "token-of-Ann-0123456789");
    let started = ann.until("game_started").await;
    assert_eq!(started["players"].as_array().map(Vec::len), Some(4));
    // A round may end before anybody else discards (nine terminals, a win from Ann's first tile): then another is played.
    let (mut ended, mut discarded) = (false, false);
    while !(ended && discarded) {
        let message = ann.next().await.expect("the game goes on");
        ended |= message["type"] == "round_end";
        discarded |= message["type"] == "discard";
        if let Some(reply) = reply(&message) {
            ann.say(reply).await;
        }
    }
    assert!(ann.heard.iter().all(|message| message.get("viewHash").is_none()), "no word of the house's own");
    house.server.stop().await;
}

/// `/games` shows tables for four alone, before and after they start; each is a match like any other. Cites 003/R13.
#[tokio::test(flavor = "multi_thread")]
async fn the_documents_list_has_tables_for_four() {
    let house = House::open().await;
    for body in [json!({"game_id": "four"}), json!({"game_id": "two", "game": "oxo"})] {
        let (code, made) = house.rest("POST", "/games", None, Some(body)).await;
        assert_eq!(code, 201, "{made}");
    }
    let listed = |games: &Json| -> Vec<(String, String, bool)> {
        let text = |game: &Json, field: &str| game[field].as_str().unwrap_or_default().to_owned();
        let all = games["games"].as_array().expect("a list").iter();
        all.map(|game| (text(game, "game_id"), text(game, "game"), game["started"] == true)).collect()
    };
    let (_, games) = house.rest("GET", "/games", None, None).await;
    assert_eq!(listed(&games), [("four".to_owned(), "riichi".to_owned(), false)]);
    let mut ann = document(&house, "four", "Ann").await;
    ann.until("round_started").await;
    let [_ann, _ben] = house.pair("more", "oxo").await;
    let (_, games) = house.rest("GET", "/games", None, None).await;
    assert_eq!(listed(&games), [("four".to_owned(), "riichi".to_owned(), true)]);
    let (code, seen) = house.rest("GET", "/matches/four", Some("token-of-Ann-0123456789"), None).await;
    assert_eq!(code, 200, "{seen}");
    house.server.stop().await;
}

/// A client with one of our subprotocols speaks the house's words at the same table. Cites 003/R16.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_with_a_subprotocol_speaks_the_houses_words() {
    let house = House::open().await;
    house.create("r", "riichi", 3).await;
    let mut ann = house.client("r", "json").await;
    ann.join("Ann", None).await;
    let snapshot = ann.until("snapshot").await;
    assert!(snapshot["view"].is_object() && snapshot["viewHash"].is_string());
    house.server.stop().await;
}
