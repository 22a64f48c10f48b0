//! Stops the real server's process and lets it go on: nobody is charged for the time in which it stood still.

use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::kill::{Folder, House, request, size};

/// How long the players have, in milliseconds. What runs before and after the stop must fit into it.
const PREP_MS: u64 = 8_000;
/// Tables whose clocks run at each stop.
const TABLES: usize = 4;

fn signal(house: &House, name: &str) {
    let sent = Command::new("kill").args([name, &house.child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "{name}");
}

/// A battle with two players whose clock runs; the token of the first.
fn battle(house: &House, id: &str) -> String {
    let settings = json!({"profile": "standard", "prepMs": PREP_MS, "stake": 0});
    let order = json!({"id": id, "game": "battle", "seats": 2, "bots": 0, "settings": settings});
    let made = request(house.addr, "POST", "/matches", "", &order).expect("the server answers");
    assert_eq!(made.0, 201, "{made:?}");
    let tokens = ["Ada", "Bo"].map(|name| {
        let path = format!("/matches/{id}/join");
        let joined = request(house.addr, "POST", &path, "", &json!({"player_name": name}));
        joined.expect("the server answers").1["session_token"].as_str().expect("a token").to_owned()
    });
    tokens[0].clone()
}

/// What a player sees, without the times by the wall clock.
fn seen(house: &House, id: &str, token: &str) -> Value {
    let (status, seen) = request(house.addr, "GET", &format!("/matches/{id}"), token, &Value::Null)
        .expect("the server answers");
    assert_eq!(status, 200, "{seen}");
    json!([seen["snapshot"]["v"], seen["snapshot"]["view"], seen["over"], seen["paused"]])
}

/// How long the stop of this number takes: in a long run from 1 to 15 s, and a minute now and then.
fn stop_of(n: usize, all: usize) -> Duration {
    Duration::from_secs(match all {
        1 => 10,
        _ if n % 9 == 8 => 60,
        _ => 1 + (n * 7 % 15) as u64,
    })
}

#[test]
fn a_server_that_stood_still_charges_nobody() {
    let folder = Folder::new("freeze");
    let house = House::open(&folder.0.join("t.sqlite"));
    let stops = size("PARLOR_SOAK_FREEZES", 1);
    for n in 0..stops {
        let ids: Vec<String> = (0..TABLES).map(|table| format!("f{n}-{table}")).collect();
        let tokens: Vec<String> = ids.iter().map(|id| battle(&house, id)).collect();
        let look =
            || -> Vec<Value> { ids.iter().zip(&tokens).map(|(id, token)| seen(&house, id, token)).collect() };
        let before = look();
        signal(&house, "-STOP");
        std::thread::sleep(stop_of(n, stops));
        signal(&house, "-CONT");
        assert_eq!(look(), before, "stop {n} of {:?}: no clock has run out", stop_of(n, stops));
    }
    house.kill();
}
