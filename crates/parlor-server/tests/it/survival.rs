//! Restarts, panics, slow clients, garbage: no other client notices, and nothing is lost.

use futures_util::SinkExt;
use parlor_core::Json;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{House, config, play_out};

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_loses_nothing_and_everybody_plays_on() {
    let mut house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let name = |client: &crate::client::Client| {
        client.heard[0]["players"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned()
    };
    let names = [name(&first), name(&second)];
    first.answer(json!({"title": "Take a cell", "selection": ["b2"]})).await;
    first.until("accepted").await;
    second.until("update").await;
    house = house.restart(config()).await;
    assert_eq!(second.until_closed().await, Some((1012, "server_restarting".to_owned())), "clients are told");
    let mut again = Vec::new();
    for name in &names {
        let mut client = house.client("t", "json").await;
        client.join(name, Some(&format!("token-of-{name}-0123456789"))).await;
        client.until("game_joined").await;
        let snapshot = client.until("snapshot").await;
        assert_eq!(snapshot["view"]["board"], "....x....", "what was acknowledged is there");
        again.push(client);
    }
    let [mut a, mut b]: [_; 2] = again.try_into().ok().expect("two");
    tokio::join!(play_out(&mut a), play_out(&mut b));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_after_a_restart_and_misses_nothing_hears_what_happens_next() {
    let mut house = House::open().await;
    let [first, second] = house.pair("t", "oxo").await;
    let v =
        |client: &crate::client::Client| client.heard.iter().filter_map(|m| m["v"].as_u64()).max().unwrap();
    let name = |client: &crate::client::Client| {
        client.heard[0]["players"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned()
    };
    let them = [(name(&first), v(&first)), (name(&second), v(&second))];
    house = house.restart(config()).await;
    let mut again = Vec::new();
    for (name, last_v) in &them {
        let mut client = house.client("t", "json").await;
        let token = format!("token-of-{name}-0123456789");
        client
            .say(json!({"type": "join_game", "player_name": name, "session_token": token, "last_v": last_v}))
            .await;
        client.until("game_joined").await;
        again.push(client);
    }
    again[0]
        .say(json!({"type": "game_action", "action": "answer", "inputId": 1,
        "data": {"title": "Take a cell", "selection": ["b2"]}}))
        .await;
    again[0].until("accepted").await;
    for client in &mut again {
        while !client.heard.iter().any(|m| m.to_string().contains("....x....")) {
            client.next().await.expect("he is told");
        }
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planted_panic_pauses_its_table_and_the_others_miss_nothing() {
    let house = House::open().await;
    let [mut boom, mut witness] = house.pair("b", "boom").await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    boom.answer(json!({"title": "Which?", "selection": ["panic in apply"]})).await;
    let refused = boom.until("refused").await;
    assert_eq!(refused["code"], "broken");
    assert!(witness.until("paused").await["why"].as_str().unwrap().contains("as planned"));
    tokio::join!(play_out(&mut first), play_out(&mut second));
    let house = house.restart(config()).await;
    let (code, view) = house.rest("GET", "/matches/b", None, None).await;
    assert_eq!(code, 200);
    assert!(
        view["paused"].as_str().unwrap().contains("as planned"),
        "the restart is clean, and it still stands still"
    );
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_table_leaves_memory_and_comes_back_on_the_next_input() {
    let house =
        House::with(parlor_server::Config { idle_ms: 60, last_human_grace_ms: 3_600_000, ..config() }).await;
    let (_, made) =
        house.rest("POST", "/matches", None, Some(json!({"id": "t", "game": "oxo", "bots": 0}))).await;
    assert!(made["owner_token"].is_string());
    let mut tokens = Vec::new();
    for name in ["Alice", "Bob"] {
        let (_, joined) =
            house.rest("POST", "/matches/t/join", None, Some(json!({"player_name": name}))).await;
        tokens.push(joined["session_token"].as_str().unwrap().to_owned());
    }
    let tables = async || {
        let (_, text) = house.rest("GET", "/metrics", None, None).await;
        let line = text
            .as_str()
            .unwrap()
            .lines()
            .find_map(|line| line.strip_prefix("parlor_tables ").map(str::to_owned));
        line.unwrap().parse::<i64>().unwrap()
    };
    let mut left = false;
    for _ in 0..100 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        left |= tables().await == 0;
    }
    assert!(left, "nobody looks and no clock runs: it leaves memory");
    let body = json!({"title": "Take a cell", "selection": ["b2"], "inputId": 1});
    let mut taken = 0;
    for token in &tokens {
        taken += u16::from(
            house.rest("POST", "/matches/t/responses", Some(token), Some(body.clone())).await.0 == 200,
        );
    }
    assert_eq!(taken, 1, "the one whose turn it is");
    let (_, view) = house.rest("GET", "/matches/t", None, None).await;
    assert_eq!(view["snapshot"]["view"]["board"], "....x....");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rubbish_in_both_codecs_changes_nothing_for_others() {
    let house = House::with(parlor_server::Config {
        messages_per_second: 1_000_000,
        messages_burst: 1_000_000,
        requests_per_second: 100_000,
        requests_burst: 100_000,
        ..config()
    })
    .await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let frames = std::env::var("PARLOR_SOAK_FRAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000_u32);
    let mut rng = parlor_testkit::world::test_luck(77);
    let good =
        json!({"type": "join_game", "player_name": "R", "session_token": "0123456789abcdef"}).to_string();
    let mut sent = 0;
    while sent < frames {
        let mut rude = house.client("t", "none").await;
        for _ in 0..20 {
            let mut bytes: Vec<u8> = match rng.below(3) {
                0 => good.clone().into_bytes(),
                1 => rmp_serde::to_vec_named(&serde_json::from_str::<Json>(&good).unwrap()).unwrap(),
                _ => (0..rng.below(300)).map(|_| rng.below(256) as u8).collect(),
            };
            for _ in 0..rng.below(6) {
                if !bytes.is_empty() {
                    let at = rng.below(bytes.len() as u32) as usize;
                    bytes[at] = rng.below(256) as u8;
                }
            }
            let frame = match (rng.below(2), String::from_utf8(bytes.clone())) {
                (0, Ok(text)) => Message::Text(text.into()),
                _ => Message::Binary(bytes.into()),
            };
            sent += 1;
            if rude.socket.send(frame).await.is_err() {
                break;
            }
        }
    }
    let over = tokio::join!(play_out(&mut first), play_out(&mut second));
    assert!(over.0["over"].is_object());
    assert_eq!(house.rest("GET", "/healthz", None, None).await.0, 200);
    println!("{sent} frames of rubbish");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_or_a_body_that_is_too_big_is_refused() {
    let house = House::open().await;
    house.create("t", "oxo", 1).await;
    let mut client = house.client("t", "json").await;
    client.raw(Message::Text("x".repeat(100_000).into())).await;
    assert_eq!(client.until_closed().await.map(|(code, _)| code).unwrap_or(1009), 1009);
    let (code, reply) = house.rest("POST", "/matches", None, Some(json!({"game": "x".repeat(50_000)}))).await;
    assert_eq!((code, reply["code"].as_str()), (413, Some("too_big")), "{reply}");
    let (code, reply) = house.rest("GET", "/matches/%ff", None, None).await;
    assert_eq!((code, reply["code"].as_str()), (400, Some("malformed")), "{reply}");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_reads_costs_nobody_else_anything() {
    let house = House::with(parlor_server::Config {
        outbox_max: 4,
        messages_per_second: 100_000,
        messages_burst: 100_000,
        ..config()
    })
    .await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let mut sleepers = Vec::new();
    for _ in 0..20 {
        let mut sleeper = house.client("t", "json").await;
        sleeper.say(json!({"type": "join_game", "player_name": "", "spectate": true})).await;
        sleepers.push(sleeper);
    }
    let long = "x".repeat(990);
    for _ in 0..400 {
        first.say(json!({"type": "chat", "text": long})).await;
    }
    let over = tokio::join!(play_out(&mut first), play_out(&mut second));
    assert!(over.0["over"].is_object() && over.1["over"].is_object());
    let mut spectator_delay = sleepers.pop().unwrap();
    let mut last = Json::Null;
    while let Ok(Some(message)) =
        tokio::time::timeout(std::time::Duration::from_millis(1500), spectator_delay.next()).await
    {
        if message["type"] == "snapshot" || message.get("over").is_some() {
            last = message;
        }
    }
    assert!(last["over"].is_object(), "whoever fell behind is brought up to date by one snapshot: {last}");
    house.server.stop().await;
}
