//! The pace of bots, as a client on a socket sees it. The server's clock is held: time passes when a test says so.

use std::collections::BTreeMap;

use parlor_core::{Json, Viewer};
use parlor_host::Command;
use parlor_server::{Clock, Config};
use serde_json::json;

use crate::client::{Client, House, TempFile, config};

/// Longer than the 800 ms for which a window stays open at least: a bot that took its time there would be seen.
const BOT_MS: u64 = 900;
/// The steps by which time passes.
const STEP_MS: u64 = 100;

/// What a player at one table of the probe `window` hears, beside two bots.
struct Seen {
    house: House,
    id: String,
    now: u64,
    client: Client,
    /// How much of what they heard has been looked at.
    looked: usize,
}

impl Seen {
    async fn open(seed: &str) -> Self {
        // Pings show that everything was heard: there are many, and the time by which they are counted stands still.
        let config = Config { bot_ms: BOT_MS, messages_per_second: 100_000, ..config() };
        let house = House::by_clock(Clock::held(0), config, TempFile::new()).await;
        let body = json!({"id": "w", "game": "window", "seats": 3, "bots": 2, "seed": seed});
        let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
        assert_eq!(code, 201, "{made}");
        let mut client = house.client("w", "json").await;
        client.join("Ann", Some("token-of-Ann-0123456789")).await;
        client.until("snapshot").await;
        Self { house, id: "w".to_owned(), now: 0, client, looked: 0 }
    }

    /// Everything sent so far has been heard when the answer to a ping comes.
    async fn catch_up(&mut self) {
        self.client.say(json!({"type": "ping"})).await;
        self.client.until("pong").await;
    }

    /// What is due at this time happens and is heard.
    async fn settle(&mut self) {
        self.catch_up().await;
        self.house.server.tell(&self.id, self.now, Command::Tick, Viewer::Gallery).await.expect("a table");
        self.catch_up().await;
    }

    /// The events heard now, and the question that is open for the player.
    async fn news(&mut self) -> (Vec<Json>, Option<Json>) {
        self.settle().await;
        let news = &self.client.heard[self.looked..];
        self.looked = self.client.heard.len();
        let events = |message: &Json| message["events"].as_array().cloned().unwrap_or_default();
        let asks = |message: &Json| message.get("requests").and_then(Json::as_array).cloned();
        let asked = news.iter().rev().find_map(asks).and_then(|all| all.first().cloned());
        (news.iter().flat_map(events).collect(), asked)
    }

    /// The player discards their first card and passes, at once.
    async fn answer(&mut self, asked: &Json) {
        let choices = asked["choices"].as_array().expect("choices");
        let picked = if asked["title"] == "Call?" { &choices[1] } else { &choices[0] };
        let data = json!({"title": asked["title"], "selection": [picked["title"]]});
        let say =
            json!({"type": "game_action", "action": "answer", "inputId": asked["inputId"], "data": data});
        self.client.say(say).await;
    }
}

/// Inside of a hidden window bots answer at once: to a player it closes after the same time whether a bot called or none
/// could, and only on its own turn does a bot take its time. Cites 003/R19.
#[tokio::test(flavor = "multi_thread")]
async fn the_pace_of_bots_says_nothing_about_their_cards() {
    // For each window, whether a bot called, and how long it was open; how long bots took for their own turns.
    let (mut windows, mut turns) = (BTreeMap::<(bool, u64), u32>::new(), BTreeMap::<u64, u32>::new());
    for seed in ["a", "b", "c"] {
        let mut seen = Seen::open(seed).await;
        let mut since = 0;
        while seen.now < 60_000 {
            let (events, asked) = seen.news().await;
            for event in &events {
                let took = seen.now - since;
                match event["type"].as_str() {
                    Some("closed") => *windows.entry((!event["taken_by"].is_null(), took)).or_default() += 1,
                    Some("discarded") if took > 0 => *turns.entry(took).or_default() += 1,
                    _ => {}
                }
                since = seen.now;
            }
            match asked {
                Some(asked) => seen.answer(&asked).await,
                None => seen.now += STEP_MS,
            }
        }
        seen.house.server.stop().await;
    }
    assert_eq!(windows.keys().collect::<Vec<_>>(), [&(false, 800), &(true, 800)], "{windows:?}");
    assert_eq!(turns.keys().collect::<Vec<_>>(), [&BOT_MS], "{turns:?}");
}
