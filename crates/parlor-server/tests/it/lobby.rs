//! Matchmaking by socket and by REST.

use std::time::Duration;

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House, config, play_out};

/// A battle that is over quickly if no player does anything.
pub(crate) fn quick(stake: i64) -> Json {
    json!({"profile": "standard", "prepMs": 150, "firstRevealMs": 0, "revealMs": 0, "stake": stake})
}

async fn hello(house: &House, token: &str) -> Client {
    let mut client = Client::lobby(house, "json").await;
    client.say(json!({"type": "hello", "token": token})).await;
    client.until("hello_ok").await;
    client
}

async fn error(client: &mut Client) -> String {
    client.until("session_error").await["code"].as_str().expect("a code").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_hello_opens_an_account_and_the_next_one_knows_it() {
    let house = House::open().await;
    for codec in ["json", "msgpack"] {
        let mut client = Client::lobby(&house, codec).await;
        client.say(json!({"type": "queue_join", "game": "oxo"})).await;
        assert_eq!(error(&mut client).await, "hello_first");
        client.say(json!({"type": "hello", "language": "ru"})).await;
        let hello = client.until("hello_ok").await;
        assert_eq!((hello["tokens"].as_i64(), hello["language"].as_str()), (Some(10), Some("ru")));
        let token = hello["token"].as_str().expect("a new account has a token").to_owned();
        let mut again = Client::lobby(&house, codec).await;
        again.say(json!({"type": "hello", "authToken": token, "sessionId": "whatever"})).await;
        let known = again.until("hello_ok").await;
        assert_eq!(known["player_id"], hello["player_id"]);
        assert!(known.get("token").is_none(), "it is told once");
        again.say(json!({"type": "hello", "token": "nobodys-token"})).await;
        assert_eq!(error(&mut again).await, "unauthorized");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_who_queue_play_on_the_same_sockets_and_go_back_to_the_lobby() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann").await;
    let (_, bob) = house.player("Bob").await;
    let (mut first, mut second) = (hello(&house, &ann).await, hello(&house, &bob).await);
    first.say(json!({"type": "queue_join", "game": "oxo"})).await;
    let queued = first.until("queue_ok").await;
    assert_eq!((queued["position"].as_u64(), queued["tokens"].as_i64()), (Some(1), Some(10)));
    second.say(json!({"type": "queue_join", "game": "oxo"})).await;
    second.until("queue_ok").await;
    let (found, other) = (first.until("match_found").await, second.until("match_found").await);
    assert_eq!(found["game_id"], other["game_id"]);
    assert_ne!(found["seat"], other["seat"]);
    assert_eq!(found["players"].as_array().map(Vec::len), Some(2));
    let (over, _) = tokio::join!(play_out(&mut first), play_out(&mut second));
    assert!(over["over"].is_object());
    first.say(json!({"type": "leave_game"})).await;
    first.until("game_left").await;
    first.say(json!({"type": "queue_join", "game": "oxo"})).await;
    first.until("queue_ok").await;
    // A finished match need not be left first.
    second.say(json!({"type": "queue_join", "game": "oxo"})).await;
    second.until("queue_ok").await;
    assert_ne!(first.until("match_found").await["game_id"], found["game_id"]);
    second.say(json!({"type": "queue_join", "game": "oxo"})).await;
    assert_eq!(error(&mut second).await, "already_in_game");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_plays_with_himself_and_a_cancel_is_honoured() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann").await;
    let (_, bob) = house.player("Bob").await;
    let (mut first, mut twin) = (hello(&house, &ann).await, hello(&house, &ann).await);
    for client in [&mut first, &mut twin] {
        client.say(json!({"type": "queue_join", "game": "oxo"})).await;
        assert_eq!(client.until("queue_ok").await["waiting"], 1, "one player, one place");
    }
    first.say(json!({"type": "queue_join", "game": "hearts"})).await;
    assert_eq!(error(&mut first).await, "already_queued");
    // The newer socket has the place: closing the older one changes nothing.
    drop(first);
    tokio::time::sleep(Duration::from_millis(100)).await;
    let (_, place) = house.rest("GET", "/queue/oxo", Some(&ann), None).await;
    assert_eq!(place["position"], 1);
    twin.say(json!({"type": "queue_leave"})).await;
    twin.until("queue_left").await;
    let mut other = hello(&house, &bob).await;
    other.say(json!({"type": "queue_join", "game": "oxo"})).await;
    other.until("queue_ok").await;
    assert_eq!(house.rest("GET", "/queue/oxo", Some(&ann), None).await.0, 404);
    // A player who queued by a socket leaves the queue when it closes.
    drop(other);
    let mut tries = 0;
    while house.rest("GET", "/queue/oxo", Some(&bob), None).await.0 != 404 {
        tries += 1;
        assert!(tries < 100, "he is gone");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_works_without_a_socket() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann").await;
    let (_, bob) = house.player("Bob").await;
    let (code, queued) = house.rest("POST", "/queue/oxo", Some(&ann), None).await;
    assert_eq!((code, queued["position"].as_u64()), (200, Some(1)));
    assert_eq!(house.rest("POST", "/queue/chess", Some(&bob), None).await.0, 400);
    assert_eq!(house.rest("POST", "/queue/oxo", None, None).await.0, 401);
    let (_, left) = house.rest("DELETE", "/queue/oxo", Some(&ann), None).await;
    assert_eq!(left["left"], true);
    for token in [&ann, &bob] {
        assert_eq!(house.rest("POST", "/queue/oxo", Some(token), None).await.0, 200);
    }
    let mut tries = 0;
    let found = loop {
        let (_, place) = house.rest("GET", "/queue/oxo", Some(&ann), None).await;
        if place["status"] == "matched" {
            break place;
        }
        tries += 1;
        assert!(tries < 100, "{place}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    // The player's own token opens their seat, by REST and by socket.
    let id = found["game_id"].as_str().unwrap();
    let (code, view) = house.rest("GET", &format!("/matches/{id}"), Some(&bob), None).await;
    assert_eq!((code, view["game"].as_str()), (200, Some("oxo")));
    let mut client = house.client(id, "json").await;
    client.say(json!({"type": "join_game", "player_token": ann})).await;
    assert_eq!(client.until("game_joined").await["players"].as_array().map(Vec::len), Some(2));
    client.until("snapshot").await;
    let mut lobby = hello(&house, &bob).await;
    assert_eq!(lobby.heard[0]["matches"][0]["game_id"], json!(id), "a match waits for him");
    lobby.say(json!({"type": "join_game", "game_id": id})).await;
    lobby.until("snapshot").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_that_say_what_the_game_does_anyway_are_no_other_settings() {
    // cites 002/R12
    let house = House::open().await;
    let mut clients = Vec::new();
    for (name, settings) in
        [("Ann", json!(null)), ("Bob", json!({"revealMs": 901})), ("Cleo", json!({"stake": 0}))]
    {
        let mut client = hello(&house, &house.player(name).await.1).await;
        client.say(json!({"type": "queue_join", "settings": settings})).await;
        client.until("queue_ok").await;
        clients.push(client);
    }
    for n in [0, 2] {
        let found = clients[n].until("match_found").await;
        assert_eq!(found["game"], "battle", "on this socket a game that is not named is the battle");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_sit_down_when_somebody_will_not_wait_longer() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann").await;
    let mut client = hello(&house, &ann).await;
    client.say(json!({"type": "queue_join", "game": "hearts", "fillWithBotsAfterMs": 200})).await;
    client.until("queue_ok").await;
    let found = client.until("match_found").await;
    let bots = found["players"].as_array().unwrap().iter().filter(|p| p["is_bot"] == true).count();
    assert_eq!(bots + 1, found["players"].as_array().unwrap().len());
    client.until("snapshot").await;
    client.say(json!({"type": "leave_game"})).await;
    client.until("game_left").await;
    client.say(json!({"type": "play_bots", "game": "oxo"})).await;
    let found = client.until("match_found").await;
    assert_eq!((found["game"].as_str(), found["stake"].as_i64()), (Some("oxo"), Some(0)));
    play_out(&mut client).await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_tokens_there_is_no_place_in_a_staked_queue() {
    // cites 002/R11
    let house = House::with(parlor_server::Config { welcome_tokens: 0, ..config() }).await;
    let (_, ann) = house.player("Ann").await;
    let mut client = hello(&house, &ann).await;
    client.say(json!({"type": "queue_join", "settings": quick(1)})).await;
    assert_eq!(error(&mut client).await, "not_enough_tokens");
    let body = json!({"settings": quick(1)});
    let (code, refused) = house.rest("POST", "/queue/battle", Some(&ann), Some(body)).await;
    assert_eq!((code, refused["code"].as_str()), (402, Some("not_enough_tokens")));
    client.say(json!({"type": "play_bots", "settings": quick(1)})).await;
    assert_eq!(error(&mut client).await, "staked", "no bot plays for tokens");
    client.say(json!({"type": "play_bots", "settings": quick(0)})).await;
    client.until("match_found").await;
    house.server.stop().await;
}
