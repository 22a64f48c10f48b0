//! Rooms: kept over a restart, private or public, with an owner, and rematches.

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House, config, play_out};

async fn error(client: &mut Client) -> String {
    client.until("session_error").await["code"].as_str().expect("a code").to_owned()
}

async fn hello(house: &House, token: &str) -> Client {
    let mut client = Client::lobby(house, "json").await;
    client.say(json!({"type": "hello", "token": token})).await;
    client.until("hello_ok").await;
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_waits_through_a_restart() {
    let house = House::open().await;
    let made = json!({"id": "t", "game": "oxo", "bots": 0, "settings": null});
    let (_, made) = house.rest("POST", "/matches", None, Some(made)).await;
    let owner = made["owner_token"].as_str().unwrap().to_owned();
    let (_, joined) = house.rest("POST", "/matches/t/join", None, Some(json!({"player_name": "Ann"}))).await;
    let token = joined["session_token"].as_str().unwrap().to_owned();
    let house = house.restart(config()).await;
    let (code, room) = house.rest("GET", "/matches/t", None, None).await;
    assert_eq!((code, &room["players"]), (200, &json!(["Ann"])));
    assert_eq!(house.rest("POST", "/matches/t/join", None, Some(json!({"player_name": "Bob"}))).await.0, 200);
    assert_eq!(house.rest("GET", "/matches/t", Some(&token), None).await.0, 200, "her token is still hers");
    // A room whose table has started is gone, and a closed room stays closed.
    let body = json!({"id": "u", "game": "oxo", "bots": 0});
    let (_, made) = house.rest("POST", "/matches", None, Some(body)).await;
    let closer = made["owner_token"].as_str().unwrap().to_owned();
    assert_eq!(house.rest("POST", "/matches/u/kill", Some(&closer), None).await.0, 200);
    let house = house.restart(config()).await;
    assert_eq!(house.rest("GET", "/matches/u", None, None).await.0, 404);
    assert_eq!(house.rest("POST", "/matches/t/start", Some(&owner), None).await.0, 404);
    assert_eq!(house.rest("GET", "/matches/t", None, None).await.1["status"], "running");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_that_wait_are_listed_in_pages_as_tables_that_run_are() {
    let house = House::open().await;
    for id in ["b", "d", "a", "c"] {
        house.create(id, "oxo", 0).await;
    }
    let listed = async |more: &str| {
        let (_, page) = house.rest("GET", &format!("/matches?state=waiting{more}"), None, None).await;
        let rows = page["matches"].as_array().expect("rows").iter();
        rows.map(|row| row["id"].as_str().unwrap_or_default().to_owned()).collect::<String>()
    };
    assert_eq!(listed("").await, "abcd");
    assert_eq!(listed("&limit=3").await, "abc");
    assert_eq!(listed("&limit=3&after=c").await, "d");
    assert_eq!(listed("&limit=3&after=d").await, "");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_room_takes_an_invitation() {
    let house = House::open().await;
    let body = json!({"id": "t", "game": "oxo", "bots": 0, "private": true});
    let (_, made) = house.rest("POST", "/matches", None, Some(body)).await;
    let invite = made["invite"].as_str().expect("a code").to_owned();
    assert_eq!(made["link"], json!(format!("/t/t?invite={invite}")));
    assert_eq!(house.rest("GET", "/matches/t", None, None).await.0, 404);
    assert_eq!(house.rest("GET", &format!("/matches/t?invite={invite}"), None, None).await.0, 200);
    let (_, listed) = house.rest("GET", "/matches?state=waiting", None, None).await;
    assert_eq!(listed["matches"], json!([]), "it is not listed");
    let join = async |name: &str, code: Option<&str>| {
        let body = json!({"player_name": name, "invite": code});
        house.rest("POST", "/matches/t/join", None, Some(body)).await.0
    };
    assert_eq!(join("Ann", None).await, 404);
    assert_eq!(join("Ann", Some("wrong")).await, 404);
    assert_eq!(join("Ann", Some(&invite)).await, 200);
    let mut bob = house.client("t", "json").await;
    bob.join("Bob", None).await;
    assert_eq!(error(&mut bob).await, "game_not_found");
    bob.say(json!({"type": "join_game", "player_name": "Bob", "invite": invite})).await;
    bob.until("snapshot").await;
    // Nor may a spectator without the invitation watch.
    let mut eve = house.client("t", "json").await;
    eve.say(json!({"type": "join_game", "spectate": true})).await;
    assert_eq!(error(&mut eve).await, "game_not_found");
    assert_eq!(house.rest("GET", "/matches/t", None, None).await.0, 404);
    eve.say(json!({"type": "join_game", "spectate": true, "invite": invite})).await;
    eve.until("snapshot").await;
    // Nor read what happened, now or when it is over; a player who sat there may.
    assert_eq!(house.rest("GET", "/matches/t/log?as=events", None, None).await.0, 404);
    let with = format!("/matches/t/log?as=events&invite={invite}");
    assert_eq!(house.rest("GET", &with, None, None).await.0, 200);
    let owner = made["owner_token"].as_str().unwrap();
    assert_eq!(house.rest("POST", "/matches/t/kill", Some(owner), None).await.0, 200);
    eve.until("update").await;
    let session = bob.heard.iter().find_map(|m| m["session_token"].as_str()).expect("his token").to_owned();
    for path in ["/matches/t/log", "/matches/t/replay"] {
        assert_eq!(house.rest("GET", path, None, None).await.0, 404, "{path}");
        assert_eq!(house.rest("GET", &format!("{path}?invite={invite}"), None, None).await.0, 200, "{path}");
        assert_eq!(house.rest("GET", path, Some(&session), None).await.0, 200, "{path}");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_starts_when_all_are_ready_and_its_owner_decides_who_stays() {
    let house = House::open().await;
    let mut clients = Vec::new();
    let (_, ann) = house.player("Ann").await;
    let body = json!({"id": "t", "game": "oxo", "bots": 0, "readyCheck": true});
    assert_eq!(house.rest("POST", "/matches", Some(&ann), Some(body)).await.0, 201);
    for token in [ann, house.player("Bob").await.1] {
        let mut client = hello(&house, &token).await;
        client.say(json!({"type": "join_game", "game_id": "t"})).await;
        client.until("game_joined").await;
        clients.push(client);
    }
    let [mut ann, mut bob] = <[Client; 2]>::try_from(clients).ok().expect("two");
    let members = |news: &Json| -> Vec<(String, bool, bool)> {
        let row = |m: &Json| {
            let flag = |name: &str| m[name].as_bool().unwrap();
            (m["name"].as_str().unwrap().to_owned(), flag("ready"), flag("owner"))
        };
        news["members"].as_array().unwrap().iter().map(row).collect()
    };
    let owned = |name: &str, ready, owner| (name.to_owned(), ready, owner);
    assert_eq!(members(&bob.until("room").await), [owned("Ann", false, true), owned("Bob", false, false)]);
    bob.say(json!({"type": "room_kick", "player_name": "Ann"})).await;
    assert_eq!(error(&mut bob).await, "forbidden");
    bob.say(json!({"type": "chat", "text": "hello"})).await;
    assert_eq!(ann.until("chat").await["text"], "hello");
    ann.say(json!({"type": "room_kick", "player_name": "Bob"})).await;
    assert_eq!(error(&mut bob).await, "kicked");
    bob.say(json!({"type": "join_game", "game_id": "t"})).await;
    assert_eq!(error(&mut bob).await, "kicked", "whom the owner has sent away stays out");
    let again = json!({"player_name": "B o b"});
    assert_eq!(house.rest("POST", "/matches/t/join", None, Some(again)).await.0, 403, "under any such name");
    let mut bob = hello(&house, &house.player("Cid").await.1).await;
    bob.say(json!({"type": "join_game", "game_id": "t"})).await;
    bob.until("game_joined").await;
    assert_eq!(bob.until("chat").await["text"], "hello", "latecomers hear what was said");
    ann.say(json!({"type": "room_owner", "player_name": "Cid"})).await;
    loop {
        let news = members(&bob.until("room").await);
        if news == [owned("Ann", false, false), owned("Cid", false, true)] {
            break;
        }
    }
    ann.say(json!({"type": "room_start"})).await;
    assert_eq!(error(&mut ann).await, "forbidden", "she has handed it over");
    ann.say(json!({"type": "room_ready"})).await;
    loop {
        if members(&bob.until("room").await)[0].1 {
            break;
        }
    }
    bob.say(json!({"type": "room_ready", "ready": true})).await;
    bob.until("game_started").await;
    ann.until("snapshot").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rematch_needs_everybody_and_moves_them_one_seat_on() {
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    first.say(json!({"type": "rematch"})).await;
    assert_eq!(first.until("rematch").await["agreed"], json!([]), "not before it is over");
    tokio::join!(play_out(&mut first), play_out(&mut second));
    first.say(json!({"type": "rematch"})).await;
    let asked = second.until("rematch").await;
    assert_eq!((asked["agreed"].as_array().map(Vec::len), asked["game_id"].as_str()), (Some(1), None));
    second.say(json!({"type": "rematch"})).await;
    let agreed = loop {
        let news = first.until("rematch").await;
        if news["game_id"].is_string() {
            break news;
        }
    };
    let started = first.until("game_started").await;
    let before = first.heard.iter().find(|m| m["type"] == "game_started").cloned().unwrap();
    assert_eq!(
        started["players"][0]["name"], before["players"][1]["name"],
        "whoever began does not begin again"
    );
    let (over, _) = tokio::join!(play_out(&mut second), play_out(&mut first));
    assert!(over["over"].is_object());
    let id = agreed["game_id"].as_str().unwrap();
    assert_eq!(house.rest("GET", &format!("/matches/{id}"), None, None).await.0, 200);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_has_a_rate_and_latecomers_hear_the_last_of_it() {
    let house = House::with(parlor_server::Config { chat_per_second: 1, chat_burst: 3, ..config() }).await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    for n in 0..5 {
        first.say(json!({"type": "chat", "text": format!("word {n}")})).await;
    }
    assert_eq!(error(&mut first).await, "rate_limited");
    assert_eq!(second.until("chat").await["text"], "word 0");
    second.until("chat").await;
    second.until("chat").await;
    let mut spectator_delay = house.client("t", "json").await;
    spectator_delay.say(json!({"type": "join_game", "spectate": true})).await;
    spectator_delay.until("snapshot").await;
    for n in 0..3 {
        assert_eq!(spectator_delay.until("chat").await["text"], json!(format!("word {n}")));
    }
    house.server.stop().await;
}
