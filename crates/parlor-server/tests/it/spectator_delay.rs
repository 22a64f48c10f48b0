//! Spectators of a table with a delay hear everything, in order, as much later, and nothing sooner.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::House;

const DELAY: Duration = Duration::from_millis(700);
const MOVES: usize = 10;

/// Nothing happens at the table after the last move: what is held back comes by the table's own timer.
#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_with_a_delay_hears_every_move_that_much_later() {
    let house = House::open().await;
    let body = json!({"id": "t", "game": "grid64", "bots": 0, "spectatorDelayMs": DELAY.as_millis() as u64});
    house.rest("POST", "/matches", None, Some(body)).await;
    let mut players = Vec::new();
    for name in ["Alice", "Bob"] {
        let mut player = house.client("t", "json").await;
        player.join(name, Some(&format!("token-of-{name}-0123456789"))).await;
        player.until("game_joined").await;
        players.push(player);
    }
    for player in &mut players {
        player.until("snapshot").await;
    }
    if players[0].seat() != 0 {
        players.swap(0, 1);
    }
    let came = Instant::now();
    let mut spectator = house.client("t", "json").await;
    spectator.say(json!({"type": "join_game", "spectate": true})).await;
    let mut v = spectator.until("snapshot").await["v"].as_u64().expect("a number");
    assert!(came.elapsed() >= DELAY, "also what stood when they came");
    let listening = tokio::spawn(async move {
        let mut heard = Vec::new();
        for _ in 0..MOVES {
            let update = spectator.until("update").await;
            v += 1;
            assert_eq!(update["v"], v, "in order, and none is missing");
            heard.push(Instant::now());
        }
        spectator.until("chat").await;
        (heard, Instant::now())
    });
    let snapshot = players[0].heard.iter().rev().find(|message| message["type"] == "snapshot").expect("one");
    let request = snapshot["requests"][0].clone();
    let mut made = Vec::new();
    for n in 0..MOVES {
        made.push(Instant::now());
        let pick = &request["choices"][n]["title"];
        players[n % 2].answer(json!({"title": request["title"], "selection": [pick]})).await;
        players[n % 2].until("accepted").await;
        while players[1 - n % 2].until("update").await["requests"].as_array().is_none_or(Vec::is_empty) {}
    }
    let said = Instant::now();
    players[0].say(json!({"type": "chat", "text": "your turn"})).await;
    let (heard, chat) = listening.await.expect("the spectator has heard everything");
    for (heard, made) in heard.iter().zip(&made) {
        assert!(*heard >= *made + DELAY, "too early: {:?}", *heard - *made);
    }
    assert!(chat >= said + DELAY, "a line of chat, too");
    house.server.stop().await;
}
