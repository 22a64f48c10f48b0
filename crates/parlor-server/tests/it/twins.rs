//! Two tables that one viewer cannot tell apart, on a real server: his frames, the gallery's, REST and refusals are
//! the same, but for wall-clock fields, tokens and the tables' own names.

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House};

/// What must be the same.
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

/// A table of `sealed` with two people and a spectator, seated alike because the seed is chosen.
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

/// Reads on up to the first message that shows a revealed card; that one may differ.
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
    // In one world the other seat drafts twice and confirms; in the other it never says a word.
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
    // The viewer makes the same mistake and the same move in both.
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
    house.server.stop().await;
}
