//! The session protocol through a real socket.

use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, House, config, play_out};

#[tokio::test(flavor = "multi_thread")]
async fn a_match_between_two_people_from_start_to_end_in_both_codecs() {
    // cites 003-2, 003-3, 003-4, 003-22
    for codecs in [["json", "json"], ["msgpack", "none"]] {
        let house = House::open().await;
        house.create("t", "oxo", 0).await;
        let mut alice = house.client("t", codecs[0]).await;
        alice.join("Alice", Some("alice-0123456789abcdef")).await;
        let joined = alice.until("game_joined").await;
        assert_eq!(joined["game_id"], "t", "the path's id counts");
        assert_eq!(joined["players"], json!(["Alice"]));
        assert_eq!(joined["session_token"], "alice-0123456789abcdef", "echoed unchanged");
        let mut bob = house.client("t", codecs[1]).await;
        bob.join("Bob", None).await;
        let joined = bob.until("game_joined").await;
        assert_eq!(
            joined["session_token"].as_str().map(str::len),
            Some(32),
            "the server makes one of 128 bits"
        );
        assert_eq!(alice.until("player_joined").await["player_name"], "Bob");
        assert_eq!(alice.until("game_started").await["players"].as_array().map(Vec::len), Some(2));
        let (over_a, over_b) = tokio::join!(play_out(&mut alice), play_out(&mut bob));
        assert_eq!(over_a["over"]["text"], over_b["over"]["text"]);
        let tokens = alice
            .heard
            .iter()
            .any(|message| message.to_string().contains(joined["session_token"].as_str().unwrap()));
        assert!(!tokens, "nobody else ever sees a token");
        house.server.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_starts_when_its_humans_are_there_and_bots_fill_the_rest() {
    // cites 003-22
    let house = House::open().await;
    house.create("t", "oxo", 1).await;
    let mut alice = house.client("t", "json").await;
    alice.join("Alice", None).await;
    let started = alice.until("game_started").await;
    let bots =
        started["players"].as_array().unwrap().iter().filter(|player| player["is_bot"] == true).count();
    assert_eq!(bots, 1);
    play_out(&mut alice).await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_session_error_has_its_code() {
    // cites 003-7
    let house = House::open().await;
    house.create("t", "oxo", 0).await;
    let error =
        async |client: &mut Client| client.until("session_error").await["code"].as_str().unwrap().to_owned();
    let mut lost = house.client("nowhere", "json").await;
    lost.join("Eve", None).await;
    assert_eq!(error(&mut lost).await, "game_not_found");
    lost.say(json!({"type": "leave_game"})).await;
    assert_eq!(error(&mut lost).await, "not_in_game");
    lost.answer(json!({})).await;
    assert_eq!(error(&mut lost).await, "not_in_game");
    let mut alice = house.client("t", "json").await;
    alice.join("Alice", None).await;
    alice.until("game_joined").await;
    alice.join("Alice", None).await;
    assert_eq!(error(&mut alice).await, "already_in_game");
    alice.answer(json!({})).await;
    assert_eq!(error(&mut alice).await, "game_not_started");
    let mut twin = house.client("t", "json").await;
    twin.join("Alice", None).await;
    assert_eq!(error(&mut twin).await, "name_taken");
    let mut bob = house.client("t", "json").await;
    bob.join("Bob", None).await;
    bob.until("snapshot").await;
    let mut spectator_delay = house.client("t", "json").await;
    spectator_delay.join("Carol", Some("a-token-of-somebody-else")).await;
    assert_eq!(error(&mut spectator_delay).await, "game_started");
    spectator_delay.say(json!({"type": "dance"})).await;
    assert_eq!(error(&mut spectator_delay).await, "invalid_message");
    spectator_delay.say(json!({"type": "game_action", "action": "fly"})).await;
    assert_eq!(error(&mut spectator_delay).await, "unknown_action");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_room_says_so_and_leaving_it_makes_room() {
    // cites 003-4, 003-7
    let house = House::open().await;
    house.create("t", "window", 0).await;
    let mut alice = house.client("t", "json").await;
    alice.join("Alice", None).await;
    alice.until("game_joined").await;
    let mut bob = house.client("t", "json").await;
    bob.join("Bob", None).await;
    bob.until("game_joined").await;
    bob.say(json!({"type": "leave_game"})).await;
    bob.until("game_left").await;
    alice.until("player_joined").await;
    assert_eq!(alice.until("player_left").await["player_name"], "Bob");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_is_answered_and_silence_is_cut() {
    // cites 003-3, 003-4
    let house = House::with(parlor_server::Config { heartbeat_ms: 300, join_ms: 200, ..config() }).await;
    house.create("t", "oxo", 0).await;
    let mut idle = house.client("t", "json").await;
    assert_eq!(idle.until_closed().await, Some((4001, "join_timeout".to_owned())));
    let mut alice = house.client("t", "json").await;
    alice.join("Alice", None).await;
    alice.until("game_joined").await;
    alice.say(json!({"type": "ping"})).await;
    assert_eq!(alice.until("pong").await, json!({"type": "pong"}));
    assert_eq!(alice.until_closed().await, Some((1000, "heartbeat_timeout".to_owned())));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_token_takes_the_seat_back_with_everything_that_stands() {
    // cites 003-24, 003/R2, 003/R3
    let house = House::open().await;
    let [mut first, second] = house.pair("t", "oxo").await;
    let name = first.heard[0]["players"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    let token = format!("token-of-{name}-0123456789");
    first.answer(json!({"title": "Take a cell", "selection": ["b2"]})).await;
    first.until("update").await;
    drop(first);
    let mut again = house.client("t", "json").await;
    again.join("whatever name", Some(&token)).await;
    again.until("game_joined").await;
    let snapshot = again.until("snapshot").await;
    assert_eq!(snapshot["view"]["board"], "....x....");
    assert_eq!(snapshot["requests"], json!([]), "it is the other one's turn");
    let mut thief = house.client("t", "json").await;
    thief.join("Thief", Some("another-token-0123456789")).await;
    assert_eq!(thief.until("session_error").await["code"], "game_started");
    drop(second);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_socket_takes_over_and_the_older_is_told_not_to_come_back() {
    let house = House::open().await;
    let [mut first, _second] = house.pair("t", "oxo").await;
    let name = first.heard[0]["players"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    let mut newer = house.client("t", "json").await;
    newer.join(&name, Some(&format!("token-of-{name}-0123456789"))).await;
    newer.until("snapshot").await;
    assert_eq!(first.until_closed().await, Some((4000, "taken_over".to_owned())));
    newer.answer(json!({"title": "Take a cell", "selection": ["b2"]})).await;
    newer.until("accepted").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_names_its_last_version_gets_just_what_it_misses() {
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let mut watcher = house.client("t", "json").await;
    watcher.say(json!({"type": "join_game", "player_name": "", "spectate": true})).await;
    let had = watcher.until("snapshot").await["v"].clone();
    drop(watcher);
    first.answer(json!({"title": "Take a cell", "selection": ["a1"]})).await;
    second.until("update").await;
    let mut again = house.client("t", "json").await;
    again.say(json!({"type": "join_game", "player_name": "", "spectate": true, "last_v": had})).await;
    again.until("game_joined").await;
    let next = again.next().await.expect("a message");
    assert_eq!((next["type"].as_str(), next["v"].as_u64()), (Some("update"), had.as_u64().map(|v| v + 1)));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_branch_is_refused_and_a_retry_is_taken_once() {
    // cites 000-12, 000-13, 000/R3
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let act = |key: &str, cell: &str, branch: &serde_json::Value| {
        json!({"type": "game_action", "action": "answer", "branchId": branch, "requestKey": key,
            "data": {"title": "Take a cell", "selection": [cell]}})
    };
    let snapshot = first.heard.iter().find(|m| m["type"] == "snapshot").unwrap().clone();
    first.say(act("k1", "a1", &snapshot["branchId"])).await;
    first.say(act("k1", "a1", &snapshot["branchId"])).await;
    first.until("accepted").await;
    first.until("accepted").await;
    second.until("update").await;
    let refused = {
        first.say(act("k2", "b1", &snapshot["branchId"])).await;
        first.until("refused").await
    };
    assert_eq!((refused["code"].as_str(), refused["requestKey"].as_str()), (Some("stale_head"), Some("k2")));
    assert!(refused["branchId"].as_u64() > snapshot["branchId"].as_u64(), "the current one comes with it");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deadlines_carry_the_wall_clock_outside_of_what_is_hashed() {
    let house = House::open().await;
    let [mut first, _second] = house.pair("t", "slow").await;
    let snapshot = first.heard.iter().find(|m| m["type"] == "snapshot").unwrap().clone();
    let request = &snapshot["requests"][0];
    assert!(request["deadlineTs"].as_u64() > Some(1_600_000_000_000), "{request}");
    assert!(request["until"].as_u64() < Some(10_000), "match time");
    let hash = snapshot["viewHash"].as_str().unwrap();
    assert_eq!(hash, parlor_core::view::hash(&snapshot["view"]));
    first.until("update").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_subprotocol_the_server_names_none_and_the_first_frame_decides() {
    // cites 003-2
    let house = House::open().await;
    house.create("t", "oxo", 1).await;
    let mut binary = house.client("t", "none").await;
    binary.join("Alice", None).await;
    binary.until("snapshot").await;
    binary.raw(Message::Text("{\"type\":\"ping\"}".into())).await;
    assert_eq!(
        binary.until("session_error").await["code"],
        "invalid_message",
        "the other codec was agreed on"
    );
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn five_bad_frames_in_a_row_close_the_socket() {
    // cites 003-19
    let house = House::open().await;
    house.create("t", "oxo", 1).await;
    let mut rude = house.client("t", "json").await;
    rude.join("Rude", None).await;
    rude.until("snapshot").await;
    for frame in ["", "{", "[]", "{\"type\":7}", "{\"type\":\"x\"}"] {
        rude.raw(Message::Text(frame.into())).await;
    }
    assert_eq!(rude.until_closed().await, Some((4004, "bad_frames".to_owned())));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_frames_are_counted_in_a_row() {
    // cites 003-19, 003/R11
    let house = House::open().await;
    house.create("t", "oxo", 1).await;
    let mut clumsy = house.client("t", "json").await;
    clumsy.join("Clumsy", None).await;
    clumsy.until("snapshot").await;
    let good = [
        json!({"type": "ping"}),
        // An answer, which goes to the table by a way of its own.
        json!({"type": "game_action", "action": "answer", "inputId": 999, "data": {"title": "x", "selection": []}}),
    ];
    for said in good.iter().chain(&good) {
        for _ in 0..4 {
            clumsy.raw(Message::Text("{".into())).await;
            assert_eq!(clumsy.until("session_error").await["code"], "invalid_message");
        }
        clumsy.say(said.clone()).await;
    }
    clumsy.until("refused").await;
    clumsy.say(json!({"type": "ping"})).await;
    clumsy.until("pong").await;
    assert_eq!(clumsy.closed, None, "never five in a row");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_messages_are_refused_and_nobody_else_notices() {
    let house =
        House::with(parlor_server::Config { messages_per_second: 5, messages_burst: 10, ..config() }).await;
    let [mut loud, mut quiet] = house.pair("t", "oxo").await;
    for _ in 0..30 {
        loud.say(json!({"type": "ping"})).await;
    }
    assert_eq!(loud.until("session_error").await["code"], "rate_limited");
    quiet.say(json!({"type": "ping"})).await;
    quiet.until("pong").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_leaves_is_replaced_by_a_bot_and_cannot_return() {
    // cites 003-23, 003/R2
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let name = first.heard[0]["players"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    first.say(json!({"type": "leave_game"})).await;
    first.until("game_left").await;
    let seats = loop {
        let message = second.until("seats").await;
        if message["seats"][0]["isBot"] == true {
            break message;
        }
    };
    assert_eq!(seats["seats"][0]["name"].as_str(), Some(name.as_str()));
    play_out(&mut second).await;
    let mut again = house.client("t", "json").await;
    again.join(&name, Some(&format!("token-of-{name}-0123456789"))).await;
    assert_eq!(again.until("session_error").await["code"], "game_started");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_socket_is_played_by_a_bot_after_the_grace_and_the_table_of_nobody_is_given_up() {
    // cites 003-23, 003/R9
    let config = parlor_server::Config { away_grace_ms: 50, last_human_grace_ms: 200, ..config() };
    let house = House::with(config).await;
    let [first, mut second] = house.pair("t", "oxo").await;
    drop(first);
    let moved = second.until("update").await;
    assert_eq!(moved["events"][0]["type"], "taken", "the bot moves for whoever is away");
    drop(second);
    tokio::time::sleep(std::time::Duration::from_millis(900)).await;
    let (_, view) = house.rest("GET", "/matches/t", None, None).await;
    assert_eq!(view["status"], "finished", "{view}");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_reaches_everybody_with_the_players_own_name() {
    // cites 003-3, 003-4
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    first.say(json!({"type": "chat", "text": "hello", "player_name": "Somebody Else"})).await;
    let heard = second.until("chat").await;
    assert_eq!(heard["text"], "hello");
    assert!(["Alice", "Bob"].contains(&heard["player_name"].as_str().unwrap()));
    first.say(json!({"type": "chat", "text": "x".repeat(1001)})).await;
    assert_eq!(first.until("refused").await["code"], "limit");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_play_hearts_with_passing_all_at_once_and_cards_in_turn() {
    // cites 000-12, 000-13, 003-2, 003-22
    let house = House::open().await;
    house.create("t", "hearts", 0).await;
    let mut clients = Vec::new();
    for name in ["North", "East", "South", "West"] {
        let mut client = house.client("t", "msgpack").await;
        client.join(name, None).await;
        client.until("game_joined").await;
        clients.push(client);
    }
    for client in &mut clients {
        client.until("snapshot").await;
    }
    let [mut n, mut e, mut s, mut w]: [Client; 4] = clients.try_into().ok().expect("four");
    let over = tokio::join!(play_out(&mut n), play_out(&mut e), play_out(&mut s), play_out(&mut w));
    assert_eq!(over.0["over"]["text"], over.3["over"]["text"]);
    assert_eq!(over.0["over"]["outcome"]["places"].as_array().map(Vec::len), Some(4));
    house.server.stop().await;
}
