//! Tokens at tables: staked at the start of a match, paid at its end, refunded when it is stopped.

use std::time::Duration;

use parlor_core::Json;
use parlor_store::{Accounts, Currency, Owner, TableId};
use serde_json::json;

use crate::client::{Client, House, config};
use crate::lobby::quick;

fn chips() -> Currency {
    Currency::new("tokens").expect("a good name")
}

fn pot(house: &House, id: &str) -> i64 {
    house.store.balance(&Owner::Table(TableId::new(id).unwrap()), &chips()).expect("it can be read")
}

/// Two players at a battle that they found in the queue, in the order of their names; and the table's id.
async fn battle(house: &House, settings: &Json) -> ([(String, Client); 2], String) {
    let mut both = Vec::new();
    for name in ["Ann", "Bob"] {
        let (_, token) = house.player(name).await;
        let mut client = Client::lobby(house, "json").await;
        client.say(json!({"type": "hello", "token": token})).await;
        client.until("hello_ok").await;
        client.say(json!({"type": "queue_join", "settings": settings})).await;
        client.until("queue_ok").await;
        both.push((token, client));
    }
    let mut id = String::new();
    for (_, client) in &mut both {
        id = client.until("match_found").await["game_id"].as_str().expect("an id").to_owned();
        client.until("snapshot").await;
    }
    (both.try_into().ok().expect("two"), id)
}

async fn until_tokens(house: &House, token: &str, expected: i64) {
    for _ in 0..200 {
        if house.tokens(token).await == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{} tokens, not {expected}", house.tokens(token).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stake_leaves_with_the_start_and_the_pot_and_the_rating_come_with_the_end() {
    // cites 002/R11
    let house = House::open().await;
    let settings = json!({"profile": "standard", "stake": 1});
    let ([(ann, _first), (bob, mut second)], id) = battle(&house, &settings).await;
    assert_eq!((house.tokens(&ann).await, house.tokens(&bob).await, pot(&house, &id)), (9, 9, 2));
    second.say(json!({"type": "leave_game"})).await;
    second.until("game_left").await;
    until_tokens(&house, &ann, 11).await;
    assert_eq!((house.tokens(&bob).await, pot(&house, &id)), (9, 0));
    let (_, me) = house.rest("GET", "/players/me", Some(&ann), None).await;
    assert_eq!((me["rating"].as_i64(), me["leagueKey"].as_str()), (Some(5), Some("wood")));
    let (_, other) = house.rest("GET", "/players/me", Some(&bob), None).await;
    assert_eq!(other["rating"], 0, "nobody falls below the floor");
    assert_eq!(other["ratings"][0]["lost"], 1);
    let (_, history) = house.rest("GET", "/players/me/matches", Some(&bob), None).await;
    assert_eq!(history["matches"][0]["went"], "lost");
    assert_eq!(
        (history["matches"][0]["game_id"].as_str(), history["matches"].as_array().unwrap().len()),
        (Some(&*id), 1)
    );
    // A restart pays and counts nothing twice.
    let house = house.restart(config()).await;
    assert_eq!((house.tokens(&ann).await, house.tokens(&bob).await), (11, 9));
    let (_, me) = house.rest("GET", "/players/me", Some(&ann), None).await;
    assert_eq!((me["rating"].as_i64(), me["ratings"][0]["won"].as_i64()), (Some(5), Some(1)));
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn when_nobody_does_anything_the_pot_burns_and_both_have_lost() {
    // cites 002-16
    let house = House::open().await;
    let ([(ann, _first), (bob, _second)], id) = battle(&house, &quick(1)).await;
    until_tokens(&house, &ann, 9).await;
    for _ in 0..200 {
        if house.store.balance(&Owner::Burn, &chips()) == Ok(2) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert_eq!(house.store.balance(&Owner::Burn, &chips()), Ok(2));
    assert_eq!((house.tokens(&bob).await, pot(&house, &id)), (9, 0));
    let (_, history) = house.rest("GET", "/players/me/matches", Some(&bob), None).await;
    assert_eq!(
        (history["matches"][0]["went"].as_str(), history["matches"][0]["points"].as_i64()),
        (Some("lost"), Some(-2))
    );
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_stopped_gives_every_stake_back_and_counts_for_nothing() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann").await;
    let (_, bob) = house.player("Bob").await;
    let settings = json!({"profile": "standard", "stake": 1});
    let body = json!({"id": "t", "game": "battle", "bots": 0, "settings": settings});
    let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
    assert_eq!((code, made["stake"].as_i64()), (201, Some(1)), "{made}");
    let (code, refused) =
        house.rest("POST", "/matches/t/join", None, Some(json!({"player_name": "Eve"}))).await;
    assert_eq!((code, refused["code"].as_str()), (403, Some("players_only")));
    for (n, token) in [&ann, &ann, &bob].into_iter().enumerate() {
        let (code, joined) = house.rest("POST", "/matches/t/join", Some(token), None).await;
        assert_eq!((code, joined["started"].as_bool()), (200, Some(n == 2)), "each once: {joined}");
    }
    assert_eq!((house.tokens(&ann).await, house.tokens(&bob).await, pot(&house, "t")), (9, 9, 2));
    let owner = made["owner_token"].as_str().unwrap();
    assert_eq!(house.rest("POST", "/matches/t/kill", Some(owner), None).await.0, 200);
    until_tokens(&house, &ann, 10).await;
    assert_eq!((house.tokens(&bob).await, pot(&house, "t")), (10, 0));
    let (_, history) = house.rest("GET", "/players/me/matches", Some(&ann), None).await;
    assert_eq!(
        (history["matches"][0]["went"].as_str(), &history["matches"][0]["points"]),
        (Some("stopped"), &Json::Null)
    );
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_everybody_has_left_alone_gives_the_stakes_back() {
    let house =
        House::with(parlor_server::Config { last_human_grace_ms: 200, away_grace_ms: 60_000, ..config() })
            .await;
    let settings = json!({"profile": "standard", "stake": 1});
    let ([(ann, first), (bob, second)], id) = battle(&house, &settings).await;
    drop((first, second));
    until_tokens(&house, &ann, 10).await;
    assert_eq!((house.tokens(&bob).await, pot(&house, &id)), (10, 0));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn stakes_survive_a_restart_in_the_middle_of_a_match() {
    let house = House::open().await;
    let settings = json!({"profile": "standard", "stake": 1});
    let ([(ann, first), (bob, second)], id) = battle(&house, &settings).await;
    drop((first, second));
    let house = house.restart(config()).await;
    assert_eq!((house.tokens(&ann).await, pot(&house, &id)), (9, 2));
    let mut back = Client::lobby(&house, "json").await;
    back.say(json!({"type": "hello", "token": bob})).await;
    let hello = back.until("hello_ok").await;
    assert_eq!(hello["matches"][0]["game_id"], json!(id));
    back.say(json!({"type": "join_game", "game_id": id})).await;
    back.until("snapshot").await;
    back.say(json!({"type": "leave_game"})).await;
    until_tokens(&house, &ann, 11).await;
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_pay_at_the_start_is_sent_away_and_nobody_is_charged() {
    // cites 002/R11
    let house = House::with(parlor_server::Config { welcome_tokens: 1, ..config() }).await;
    let (_, ann) = house.player("Ann").await;
    let (_, bob) = house.player("Bob").await;
    let settings = json!({"profile": "standard", "stake": 1});
    for id in ["t", "u"] {
        let body = json!({"id": id, "game": "battle", "bots": 0, "settings": settings});
        assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201);
        assert_eq!(house.rest("POST", &format!("/matches/{id}/join"), Some(&ann), None).await.0, 200);
    }
    let (code, joined) = house.rest("POST", "/matches/t/join", Some(&bob), None).await;
    assert_eq!((code, joined["started"].as_bool()), (200, Some(true)));
    assert_eq!((house.tokens(&ann).await, house.tokens(&bob).await), (0, 0));
    // Ann waits at another table and has no tokens left for it: it does not start, and nobody pays.
    let (_, cleo) = house.player("Cleo").await;
    let (code, refused) = house.rest("POST", "/matches/u/join", Some(&cleo), None).await;
    assert_eq!((code, refused["code"].as_str()), (402, Some("not_enough_tokens")), "{refused}");
    assert_eq!((house.tokens(&cleo).await, pot(&house, "u")), (1, 0));
    let (_, waiting) = house.rest("GET", "/matches/u", None, None).await;
    assert_eq!(waiting["players"], json!(["Cleo"]), "Ann's place is free");
    let (_, dora) = house.player("Dora").await;
    let (code, joined) = house.rest("POST", "/matches/u/join", Some(&dora), None).await;
    assert_eq!((code, joined["started"].as_bool()), (200, Some(true)));
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_and_chosen_seeds_are_not_for_tokens() {
    let house = House::open().await;
    for extra in [json!({"bots": 1}), json!({"bots": 0, "seed": "x"})] {
        let mut body = json!({"game": "battle", "settings": {"stake": 1}});
        for (name, value) in extra.as_object().unwrap() {
            body[name] = value.clone();
        }
        let (code, refused) = house.rest("POST", "/matches", None, Some(body)).await;
        assert_eq!((code, refused["code"].as_str()), (400, Some("staked")));
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_match_counts_against_a_bot_a_guest_or_with_a_chosen_seed() {
    let house = House::open().await;
    let (_, ann) = house.player("Ann").await;
    let (_, bob) = house.player("Bob").await;
    // Each ends when Ann leaves; a guest takes the other seat if Bob does not.
    let tables = [
        ("bot", json!({"bots": 1}), None),
        ("guest", json!({"bots": 0}), Some(None)),
        ("seeded", json!({"bots": 0, "seed": "x"}), Some(Some(&bob))),
        ("rated", json!({"bots": 0}), Some(Some(&bob))),
    ];
    for (id, extra, other) in tables {
        let mut body = json!({"id": id, "game": "battle", "settings": {"profile": "standard"}});
        for (name, value) in extra.as_object().unwrap() {
            body[name] = value.clone();
        }
        assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201);
        let path = format!("/matches/{id}/join");
        if let Some(other) = other {
            let body = Some(json!({"player_name": "Guest"}));
            assert_eq!(house.rest("POST", &path, other.map(String::as_str), body).await.0, 200);
        }
        let (code, joined) = house.rest("POST", &path, Some(&ann), None).await;
        assert_eq!((code, joined["started"].as_bool()), (200, Some(true)), "{id}: {joined}");
        assert_eq!(house.rest("POST", &format!("/matches/{id}/leave"), Some(&ann), None).await.0, 200);
        let mut tries = 0;
        let history = loop {
            let (_, history) = house.rest("GET", "/players/me/matches", Some(&ann), None).await;
            if history["matches"][0]["game_id"] == *id {
                break history;
            }
            tries += 1;
            assert!(tries < 200, "{id}: {history}");
            tokio::time::sleep(Duration::from_millis(25)).await;
        };
        let points = &history["matches"][0]["points"];
        assert_eq!(points.is_null(), id != "rated", "{id}: {history}");
    }
    let (_, me) = house.rest("GET", "/players/me", Some(&bob), None).await;
    assert_eq!((me["rating"].as_i64(), me["ratings"][0]["won"].as_i64()), (Some(5), Some(1)));
    house.server.stop().await;
}
