//! Continuing a finished match from one of its records.

use parlor_core::Json;
use serde_json::json;

use crate::client::{House, play_out};

/// Plays hearts against bots to its end; returns the client's seat.
async fn hearts(house: &House, id: &str) -> usize {
    house.create(id, "hearts", 3).await;
    let mut client = house.client(id, "json").await;
    client.join("Ada", Some("token-of-Ada-0123456789")).await;
    client.until("snapshot").await;
    let seat = client.seat();
    play_out(&mut client).await;
    seat
}

async fn steps(house: &House, id: &str, seat: usize) -> Vec<Json> {
    for _ in 0..100 {
        let (code, replay) =
            house.rest("GET", &format!("/matches/{id}/replay?seat={seat}"), None, None).await;
        if code == 200 {
            return replay["steps"].as_array().cloned().expect("steps");
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the match is never over");
}

/// A step of the replay at which this seat has to play a card.
fn moment(steps: &[Json], seat: usize) -> usize {
    let plays = |step: &Json| step["view"]["turn"] == json!(seat) && step["view"]["tricks"] == json!(4);
    steps.iter().position(plays).expect("he plays to every trick")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_goes_on_from_any_moment_with_what_was_hidden_then() {
    let house = House::open().await;
    let seat = hearts(&house, "h").await;
    let steps = steps(&house, "h", seat).await;
    let at = moment(&steps, seat);
    let order = json!({"at": at, "seat": seat, "player_name": "Noor"});
    let (code, made) = house.rest("POST", "/matches/h/fork", None, Some(order.clone())).await;
    assert_eq!(code, 201, "{made}");
    let (id, token) = (made["id"].as_str().unwrap(), made["session_token"].as_str().unwrap());
    let (_, seen) = house.rest("GET", &format!("/matches/{id}"), Some(token), None).await;
    assert_eq!(seen["snapshot"]["view"], steps[at]["view"], "the moment, through the same eyes");
    assert_eq!(seen["continuedFrom"], json!({"id": "h", "match": 1, "at": at}));
    let bots = seen["seats"].as_array().unwrap().iter().filter(|who| who["isBot"] == true).count();
    assert_eq!((bots, &seen["seats"][seat]["name"]), (3, &json!("Noor")));

    // Every seat has the same cards: play goes on from the hands they had.
    let mut client = house.client(id, "json").await;
    client.join("Noor", Some(token)).await;
    client.until("snapshot").await;
    play_out(&mut client).await;
    for other in 0..4 {
        let (before, after) = (self::steps(&house, "h", other).await, self::steps(&house, id, other).await);
        assert_eq!(before[at]["view"], after[at]["view"], "seat {other} had what it had");
    }
    let (_, log) = house.rest("GET", &format!("/matches/{id}/log"), None, None).await;
    let header: Json = serde_json::from_str(log.as_str().unwrap().lines().next().unwrap()).unwrap();
    assert!(log.as_str().unwrap().contains("\"seeded\":true"), "its luck is no secret any more: {header}");

    // It survives a restart like any table, and can be continued itself.
    let (code, again) = house.rest("POST", &format!("/matches/{id}/fork"), None, Some(order)).await;
    assert_eq!(code, 201, "{again}");
    let again = again["id"].as_str().unwrap().to_owned();
    let house = house.restart(crate::client::config()).await;
    let (code, kept) = house.rest("GET", &format!("/matches/{again}"), None, None).await;
    assert_eq!((code, &kept["continuedFrom"]["id"]), (200, &json!(id)), "{kept}");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_moments_that_there_were_and_after_which_there_is_something_to_play() {
    let house = House::open().await;
    let seat = hearts(&house, "h").await;
    let all = steps(&house, "h", seat).await;
    let fork = async |order: Json| house.rest("POST", "/matches/h/fork", None, Some(order)).await;
    let over = all.iter().position(|step| step["events"].to_string().contains("scored")).expect("an end");
    for (order, expected) in [
        (json!({"at": over, "seat": 0}), (409, "ended")),
        (json!({"at": all.len() + 5, "seat": 0}), (400, "unknown_record")),
        (json!({"at": 1, "seat": 4}), (400, "unknown_seat")),
        (json!({"seat": 0}), (400, "malformed")),
        (json!({"at": -1, "seat": 0}), (400, "malformed")),
    ] {
        let (code, reply) = fork(order.clone()).await;
        assert_eq!((code, reply["code"].as_str().unwrap()), expected, "{order}");
    }
    assert_eq!(
        house.rest("POST", "/matches/nowhere/fork", None, Some(json!({"at": 0, "seat": 0}))).await.0,
        404
    );
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_at_stake_when_a_staked_match_is_played_on() {
    let house = House::open().await;
    let settings = json!({"profile": "standard", "stake": 1, "prepMs": 1, "revealMs": 0, "firstRevealMs": 0});
    let (_, made) = house
        .rest(
            "POST",
            "/matches",
            None,
            Some(json!({"id": "b", "game": "battle", "bots": 0, "settings": settings})),
        )
        .await;
    assert_eq!(made["stake"], 1, "{made}");
    let mut tokens = Vec::new();
    for name in ["Ada", "Noor"] {
        let (_, token) = house.player(name).await;
        let (code, joined) = house.rest("POST", "/matches/b/join", Some(&token), None).await;
        assert_eq!(code, 200, "{joined}");
        tokens.push(token);
    }
    // No player plays a card: after two rounds both have lost, and the match is over.
    steps(&house, "b", 0).await;
    let before = [house.tokens(&tokens[0]).await, house.tokens(&tokens[1]).await];
    let order = json!({"at": 1, "seat": 0});
    let (code, forked) = house.rest("POST", "/matches/b/fork", Some(&tokens[0]), Some(order)).await;
    assert_eq!(code, 201, "{forked}");
    let path = format!("/matches/{}", forked["id"].as_str().unwrap());
    for _ in 0..200 {
        if house.rest("GET", &path, None, None).await.1["over"] == true {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(house.rest("GET", &path, None, None).await.1["over"], true, "it came to an end");
    assert_eq!([house.tokens(&tokens[0]).await, house.tokens(&tokens[1]).await], before);
    let (_, history) = house.rest("GET", "/players/me/matches", Some(&tokens[0]), None).await;
    assert_eq!(history["matches"].as_array().map(Vec::len), Some(1), "only the match itself: {history}");
    house.server.stop().await;
}
