//! Two tables that one viewer cannot tell apart, on a real server: the viewer's frames, the gallery's, REST and
//! refusals are the same, except for wall-clock fields, tokens and the tables' names.

use parlor_core::{Game as _, Json, Seat, Viewer};
use parlor_host::Command;
use parlor_server::Clock;
use parlor_server::test_tables::Staged;
use parlor_testkit::twins;
use parlor_testkit::world::Plan;
use serde_json::json;

use crate::client::{Client, House, TempFile, config, games};

/// The part of a message that must be the same.
fn plain(message: &Json) -> String {
    let mut value = message.clone();
    strip(&mut value);
    value.to_string()
}

fn strip(value: &mut Json) {
    match value {
        Json::Object(map) => {
            for name in ["deadlineTs", "session_token", "game_id", "id"] {
                map.remove(name);
            }
            map.values_mut().for_each(strip);
        }
        Json::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// A table of `sealed` with two players and a spectator, seated alike because the seed is chosen.
async fn table(house: &House, id: &str) -> (Client, Client, Client) {
    let body = json!({"id": id, "game": "sealed", "bots": 0, "seed": "twins"});
    assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201);
    let mut people = Vec::new();
    for name in ["Alice", "Bob"] {
        let mut client = house.client(id, "json").await;
        client.join(name, Some(&format!("token-of-{name}-0123456789"))).await;
        client.until("game_joined").await;
        people.push(client);
    }
    let [mut viewer, mut other]: [Client; 2] = people.try_into().ok().expect("two");
    viewer.until("snapshot").await;
    other.until("snapshot").await;
    let mut gallery = house.client(id, "json").await;
    gallery.say(json!({"type": "join_game", "player_name": "", "spectate": true})).await;
    gallery.until("snapshot").await;
    (viewer, other, gallery)
}

/// Reads up to the first message that shows a revealed card; that message may differ.
async fn before_the_reveal(client: &mut Client) -> Vec<String> {
    loop {
        let message = client.next().await.expect("open");
        if message["events"][0]["type"] == "reveal" {
            break;
        }
    }
    client.heard[..client.heard.len() - 1].iter().map(plain).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn drafts_and_sealed_answers_of_another_seat_are_seen_by_nobody() {
    let house = House::open().await;
    let (mut viewer_a, mut other_a, mut gallery_a) = table(&house, "a").await;
    let (mut viewer_b, _other_b, mut gallery_b) = table(&house, "b").await;
    // In one world the other seat drafts twice and confirms; in the other it does nothing.
    let requests = other_a.heard.iter().rev().find_map(|m| m.get("requests").cloned()).expect("requests");
    let input = |kind: &str| {
        let found = requests.as_array().and_then(|all| all.iter().find(|r| r["kind"] == kind).cloned());
        found.expect("a request")["inputId"].clone()
    };
    for (kind, card) in [("draft", 0), ("draft", 2), ("request", 1)] {
        let inputs = input(kind);
        other_a
            .say(
                json!({"type": "game_action", "action": "answer", "inputId": inputs, "data": {"card": card}}),
            )
            .await;
        other_a.until("accepted").await;
    }
    // The viewer makes the same mistake and the same move in both worlds.
    for client in [&mut viewer_a, &mut viewer_b] {
        client.answer(json!({"card": 9})).await;
        client.until("refused").await;
        client.answer(json!({"card": 1})).await;
        client.until("accepted").await;
    }
    for token in [None, Some("token-of-Alice-0123456789")] {
        let (_, rest_a) = house.rest("GET", "/matches/a", token, None).await;
        let (_, rest_b) = house.rest("GET", "/matches/b", token, None).await;
        assert_eq!(plain(&rest_a), plain(&rest_b), "REST as {token:?}");
    }
    let (a, b) = tokio::join!(before_the_reveal(&mut viewer_a), before_the_reveal(&mut viewer_b));
    assert_eq!(a, b, "the frames of the seat");
    let (a, b) = tokio::join!(before_the_reveal(&mut gallery_a), before_the_reveal(&mut gallery_b));
    assert_eq!(a, b, "the frames of the gallery");
    assert!(a.len() > 1);
    // Nor do the numbers of events show how often a player changed their answer.
    for token in [None, Some("token-of-Alice-0123456789")] {
        let (_, a) = house.rest("GET", "/matches/a/log?as=events", token, None).await;
        let (_, b) = house.rest("GET", "/matches/b/log?as=events", token, None).await;
        let numbers = |told: &Json| -> Vec<Json> {
            let rows = told["events"].as_array().expect("rows");
            rows.iter().map(|row| json!([row["n"], row["event"]["type"]])).collect()
        };
        assert!(!numbers(&a).is_empty(), "{a}");
        assert_eq!(numbers(&a), numbers(&b), "as {token:?}");
    }
    house.server.stop().await;
}

/// One of two worlds, on its own server with a held clock, and one viewer.
struct Side {
    house: House,
    looks: Client,
    token: Option<String>,
}

impl Side {
    async fn open(staged: Staged, now: u64, viewer: Viewer) -> Self {
        let house = House::by_clock(Clock::held(now), config(), TempFile::new()).await;
        let token = viewer.seat().map(|seat| staged.tokens[seat.index()].clone());
        house.server.put("twin", staged).await.expect("a good name");
        let mut looks = house.client("twin", "json").await;
        let spectate = viewer == Viewer::Gallery;
        let join =
            json!({"type": "join_game", "player_name": "Ada", "session_token": token, "spectate": spectate});
        looks.say(join).await;
        looks.until("snapshot").await;
        Self { house, looks, token }
    }

    /// Plays a step, makes a mistake, and reads up to its refusal: everything sent before has arrived by then.
    async fn step(&mut self, told: &twins::TimedCommands, at: u64, viewer: Viewer) -> Vec<String> {
        for (now, command) in told {
            self.house.server.tell("twin", *now, command.clone(), viewer).await;
        }
        self.house.server.tell("twin", at, Command::Tick, viewer).await.expect("the table is there");
        let seen = self.looks.heard.len();
        let mistake = json!({"type": "game_action", "action": "answer", "inputId": 9999, "data": {"no": at}});
        self.looks.say(mistake).await;
        loop {
            let message = self.looks.next().await.expect("open");
            if message["type"] == "refused" || message["type"] == "error" {
                break;
            }
        }
        let mut heard: Vec<String> = self.looks.heard[seen..].iter().map(Json::to_string).collect();
        let mut hand = Json::Null;
        for path in ["", "/log", "/replay", "/hand"].map(|path| format!("/matches/twin{path}")) {
            let (status, reply) = self.house.rest("GET", &path, self.token.as_deref(), None).await;
            heard.push(format!("{path} {status} {reply}"));
            hand = reply;
        }
        // The whole state (poker) with guesses at cards: nothing of it is taken, whether or not it is right.
        hand["seed"] = json!("guess");
        for line in hand["actions"].as_array_mut().into_iter().flatten() {
            *line = json!(line.as_str().unwrap_or_default().replace("????", "AsKs"));
        }
        let reply = self.house.rest("POST", "/matches/twin/hand", self.token.as_deref(), Some(hand)).await;
        heard.push(format!("hand {} {}", reply.0, reply.1));
        if reply.0 == 200 {
            // An answer that poker's rules themselves refuse.
            let seen = self.looks.heard.len();
            let raise =
                json!({"type": "game_action", "action": "answer", "data": {"type": "raise", "to": 1}});
            self.looks.say(raise).await;
            self.looks.until("refused").await;
            heard.extend(self.looks.heard[seen..].iter().map(Json::to_string));
        }
        heard
    }
}

/// Every game with secrets, every kind of viewer: the messages, the REST replies and the refusals that a viewer gets
/// are the same in two worlds that differ only in what the viewer was not shown. Nothing is left out of the
/// comparison: the tables have the same name, the players the same tokens, and the clocks are held.
#[tokio::test(flavor = "multi_thread")]
async fn two_worlds_that_differ_in_secrets_alone_are_the_same_to_whoever_looks() {
    let mut steps = 0;
    let mut parted = 0;
    let riichi = parlor_riichi::game::Riichi::def();
    let poker = parlor_poker::Poker::def();
    let entries = games().into_iter().chain([riichi, poker]);
    for entry in entries.filter(|entry| !["oxo", "grid64", "boom", "slow"].contains(&entry.name)) {
        for viewer in [Viewer::Seat(Seat::new(0)), Viewer::Seat(Seat::new(1)), Viewer::Gallery] {
            let plan = Plan::of(entry, entry.seats.0, "");
            let (world, staged) = twins::find(&plan, viewer, 1, 6).expect("a pair");
            let tokens: Vec<String> =
                (0..plan.seats).map(|n| format!("token-of-seat-{n}-0123456789")).collect();
            let log: Vec<_> = world.log.iter().map(|one| (one.header.clone(), one.records.clone())).collect();
            let mut sides = Vec::new();
            for table in staged.tables {
                let (log, tokens) = (log.clone(), tokens.clone());
                let staged_here = Staged { table, root: world.plan.root(), log, tokens };
                sides.push(Side::open(staged_here, staged.now, viewer).await);
            }
            let last = staged.steps.len() - 1;
            let mut at = staged.now;
            for (n, told) in staged.steps.iter().enumerate() {
                at = told.iter().flatten().map(|(now, _)| *now).fold(at, u64::max);
                let a = sides[0].step(&told[0], at, viewer).await;
                let b = sides[1].step(&told[1], at, viewer).await;
                if staged.parted && n == last {
                    // A value that differs was revealed. The comparison must notice it.
                    assert_ne!(a, b, "{} as {viewer}: the comparison is blind", entry.name);
                    parted += 1;
                } else {
                    assert_eq!(a, b, "{} as {viewer}, step {n}", entry.name);
                    steps += 1;
                }
            }
            for side in sides {
                side.house.server.stop().await;
            }
        }
    }
    println!(
        "twins through the server: the same after {steps} steps, {parted} pairs parted when something was shown"
    );
    assert!(steps > 50 && parted > 0);
}
