//! The documents' own words, as clients that know nothing but a document use them.

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House, call};
use crate::rulesets::{TOKENS, table_of};

/// Two clients of the rulesets' document at a table, each with its token and its player's name; the first has seat 0.
async fn table(house: &House, game: &str) -> [(Client, &'static str, &'static str); 2] {
    let named = |(client, token): (Client, &'static str)| {
        (client, token, token.split('-').nth(2).expect("a token has its player's name"))
    };
    table_of(house, "d1", game).await.map(named)
}

/// The card of a seat in the ruleset `spikes`, and how much damage it has.
async fn card(house: &House, token: &str, seat: usize) -> (Json, Json) {
    let (_, seen) = house.rest("GET", "/matches/d1", Some(token), None).await;
    let card = &seen["snapshot"]["view"]["players"][seat]["zones"]["field"]["cards"][0];
    (card["id"].clone(), card["damage"].clone())
}

async fn act(house: &House, token: &str, body: Json) -> (u16, Json) {
    house.rest("POST", "/matches/d1/actions", Some(token), Some(body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retried_action_is_answered_as_before() {
    // cites 000/R3, 001/R6
    let house = House::open().await;
    let [(mut first, token, _), (_second, other, _)] = table(&house, "spikes").await;
    let (target, _) = card(&house, token, 1).await;
    let hit = json!({"type": "hit", "cardId": target, "requestKey": "once"});
    for n in 0..3 {
        let (status, done) = act(&house, token, hit.clone()).await;
        assert_eq!((status, done["success"].as_bool()), (200, Some(true)), "try {n}: {done}");
    }
    assert_eq!(card(&house, token, 1).await.1, 1, "it was done once");
    // The same by socket.
    let mut submit = json!({"type": "action.submit", "actionType": "hit", "params": {"cardId": target}, "requestKey": "once"});
    first.say(submit.clone()).await;
    let error = first.until("error").await;
    assert_eq!(error["code"], "key_reused", "other content under the same key: {error}");
    let (status, declined) = house
        .rest(
            "POST",
            "/matches/d1/actions",
            Some(other),
            Some(json!({"type": "input.submit", "inputId": 99})),
        )
        .await;
    assert_eq!(status, 422, "{declined}");
    submit["requestKey"] = json!("twice");
    let before = card(&house, token, 1).await.1;
    for _ in 0..2 {
        first.say(submit.clone()).await;
    }
    // Bob is asked first whether to hit back: Alice's action is refused both times, and refusals are not remembered.
    assert_eq!(first.until("error").await["code"], "invalid_action");
    assert_eq!(card(&house, token, 1).await.1, before);
    house.server.stop().await;
}

/// The same for a client that names its retry in the header, as HTTP clients do.
#[tokio::test(flavor = "multi_thread")]
async fn an_action_under_an_idempotency_key_is_done_once() {
    // cites 000/R3, 001/R6
    let house = House::open().await;
    let [(_first, token, _), (_second, other, _)] = table(&house, "spikes").await;
    let (target, _) = card(&house, token, 1).await;
    let hit = async |key: &str, target: &Json| {
        let body = json!({"type": "hit", "cardId": target});
        let headers = [("Idempotency-Key", key)];
        call(house.server.addr, "POST", "/matches/d1/actions", Some(token), Some(body), &headers).await
    };
    let first = hit("once", &target).await;
    assert_eq!((first.0, first.1["success"].as_bool()), (200, Some(true)), "{}", first.1);
    for n in 0..2 {
        let again = hit("once", &target).await;
        assert_eq!((again.0, again.1["success"].as_bool()), (200, Some(true)), "retry {n}: {}", again.1);
    }
    assert_eq!(card(&house, token, 1).await.1, 1, "it was done once");
    let (own, _) = card(&house, token, 0).await;
    let (status, reused) = hit("once", &own).await;
    assert_eq!((status, reused["code"].as_str()), (409, Some("key_reused")), "another action: {reused}");
    // The other player declines to hit back, so that the first may act again: under another key it is another action.
    let (_, seen) = house.rest("GET", "/matches/d1", Some(other), None).await;
    let asked =
        seen["snapshot"]["requests"].as_array().and_then(|all| all.iter().find(|r| r["kind"] == "request"));
    let input = asked.expect("the other is asked")["inputId"].clone();
    act(&house, other, json!({"type": "input.submit", "inputId": input, "activate": false})).await;
    let (status, done) = hit("once more", &target).await;
    assert_eq!(status, 200, "{done}");
    assert_eq!(card(&house, token, 1).await.1, 2);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn activate_and_target_are_one_message() {
    // cites 001-22, 001/R7
    let house = House::open().await;
    let [(_first, token, _), (mut second, other, _)] = table(&house, "spikes").await;
    let (target, _) = card(&house, token, 1).await;
    let (own, _) = card(&house, token, 0).await;
    let (status, done) = act(&house, token, json!({"type": "hit", "cardId": target})).await;
    assert_eq!(status, 200, "{done}");
    let asked = loop {
        let asked = second.until("pending.input").await;
        if asked["kind"] == "confirm" {
            break asked;
        }
    };
    second
        .say(json!({"type": "input.submit", "inputId": asked["inputId"], "activate": true, "targetId": own}))
        .await;
    second.until("accepted").await;
    assert_eq!(card(&house, other, 0).await.1, 10, "hit back, without another question");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_named_by_one_id_everywhere_or_by_their_own_name() {
    // cites 001-11, 001-12
    let house = House::open().await;
    let [(mut first, token, name), (second, other, theirs)] = table(&house, "spikes").await;
    let asked = first.until("pending.input").await;
    let id = asked["forPlayerIds"][0].clone();
    let changed = first.heard.iter().find(|message| message["type"] == "priority.changed").cloned();
    if let Some(changed) = changed {
        assert_eq!(changed["playerId"], id, "{changed}");
    }
    let (target, _) = card(&house, token, 1).await;
    for wrong in [json!(1), json!("p1"), json!(theirs)] {
        let (status, refused) =
            act(&house, token, json!({"type": "hit", "cardId": target, "playerId": wrong})).await;
        assert_eq!((status, refused["code"].as_str()), (422, Some("forbidden")), "{wrong}: {refused}");
    }
    for own in [id.clone(), json!("p0"), json!("0"), json!(name)] {
        // Declined at once, so that Alice may act again.
        let (status, done) =
            act(&house, token, json!({"type": "hit", "cardId": target, "playerId": own})).await;
        assert_eq!(status, 200, "{own}: {done}");
        let (_, seen) = house.rest("GET", "/matches/d1", Some(other), None).await;
        let request = seen["snapshot"]["requests"]
            .as_array()
            .and_then(|all| all.iter().find(|r| r["kind"] == "request"));
        let input = request.expect("Bob is asked")["inputId"].clone();
        let (status, done) =
            act(&house, other, json!({"type": "input.submit", "inputId": input, "activate": false})).await;
        assert_eq!(status, 200, "{done}");
        for (token, path) in [
            (token, format!("/matches/d1/actions?player_id={name}")),
            (other, format!("/matches/d1/actions?player_id={theirs}")),
        ] {
            assert_eq!(house.rest("GET", &path, Some(token), None).await.0, 200, "{path}");
        }
        let (status, _) =
            house.rest("GET", &format!("/matches/d1/actions?player_id={theirs}"), Some(token), None).await;
        assert_eq!(status, 403);
    }
    drop(second);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_are_word_for_word_with_the_details_beside_them() {
    // cites 001-34
    let house = House::open().await;
    let [(mut first, token, _), _second] = table(&house, "spikes").await;
    let (target, _) = card(&house, token, 1).await;
    for (body, error, detail) in [
        (json!({"type": "dance"}), "Unknown action", "Unknown action"),
        (json!({"type": "hit", "cardId": "c99"}), "Invalid action", "Invalid action: "),
        (
            json!({"type": "hit", "params": {"cardId": target, "speed": 3}}),
            "Invalid action",
            "hit has no parameter speed",
        ),
        (
            json!({"type": "hit", "params": {"cardId": target, "shieldId": "c1"}}),
            "Invalid action",
            "hit has no parameter shieldId",
        ),
        (
            json!({"type": "hit", "targets": {"card": target, "other": "c1"}}),
            "Invalid action",
            "hit has no parameter other",
        ),
    ] {
        let (status, refused) = act(&house, token, body.clone()).await;
        assert_eq!((status, refused["error"].as_str()), (422, Some(error)), "{body}: {refused}");
        assert!(refused["message"].as_str().is_some_and(|text| text.contains(detail)), "{refused}");
        let mut submit = body.clone();
        (submit["type"], submit["actionType"]) = (json!("action.submit"), body["type"].clone());
        first.say(submit).await;
        let told = first.until("error").await;
        assert_eq!(told["message"], error, "{told}");
        assert!(told["details"].as_str().is_some_and(|text| text.contains(detail)), "{told}");
    }
    assert_eq!(card(&house, token, 1).await.1, 0, "nothing has changed");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn priority_is_told_last() {
    // cites 001-12, 001-23
    let house = House::open().await;
    let [(mut first, token, _), (second, ..)] = table(&house, "skirmish").await;
    let before = first.heard.len();
    assert_eq!(act(&house, token, json!({"type": "pass"})).await.0, 200);
    first.until("priority.changed").await;
    let kinds: Vec<&str> =
        first.heard[before..].iter().filter_map(|message| message["type"].as_str()).collect();
    let (last, others) = kinds.split_last().expect("there were messages");
    assert_eq!(*last, "priority.changed", "{kinds:?}");
    assert!(others.contains(&"event.appended") || others.contains(&"state.delta"), "{kinds:?}");
    drop(second);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_branch_id_is_a_conflict_also_beside_an_offer() {
    // cites 000-13, 000/R3
    let house = House::open().await;
    let [(_first, token, _), (_second, other, _)] = table(&house, "skirmish").await;
    let seen = async |token| house.rest("GET", "/matches/d1", Some(token), None).await.1["snapshot"].clone();
    let respond =
        async |token, body| house.rest("POST", "/matches/d1/responses", Some(token), Some(body)).await;
    let pass = |head: &Json| json!({"title": "Act or pass", "selection": ["Pass"], "branchId": head});
    let old = seen(token).await["branchId"].clone();
    let offers = seen(token).await["requests"]
        .as_array()
        .map(|all| all.iter().filter(|r| r["kind"] == "offer").count());
    assert_eq!(offers, Some(1), "an offer stands beside the request");
    assert_eq!(respond(token, pass(&old)).await.0, 200);
    assert_eq!(respond(other, pass(&seen(other).await["branchId"])).await.0, 200);
    let (status, refused) = respond(token, pass(&old)).await;
    assert_eq!((status, refused["code"].as_str()), (409, Some("stale_head")), "{refused}");
    assert_eq!(refused["branchId"], seen(token).await["branchId"], "with the head as it is now");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_waits_has_not_started() {
    // cites 000-13
    let house = House::open().await;
    house.create("w1", "oxo", 0).await;
    let token = TOKENS[0];
    for (method, path, body) in [
        ("GET", "/matches/w1/actions", None),
        ("POST", "/matches/w1/actions", Some(json!({"type": "pass"}))),
        ("POST", "/matches/w1/responses", Some(json!({"title": "x", "selection": [], "branchId": 1}))),
        ("POST", "/matches/w1/undo", Some(json!({}))),
    ] {
        let (status, refused) = house.rest(method, path, Some(token), body.clone()).await;
        assert_eq!(
            (status, refused["code"].as_str()),
            (409, Some("not_started")),
            "{method} {path}: {refused}"
        );
        let nowhere = path.replace("w1", "nowhere");
        assert_eq!(house.rest(method, &nowhere, Some(token), body).await.0, 404, "{nowhere}");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_branch_id_the_title_chooses_among_standing_requests() {
    // cites 000/R3, 000-21
    let house = House::open().await;
    house.create("d1", "oxo", 0).await;
    let mut tokens = Vec::new();
    for name in ["Ann", "Bob"] {
        let (status, joined) =
            house.rest("POST", "/matches/d1/join", None, Some(json!({"player_name": name}))).await;
        assert_eq!(status, 200, "{joined}");
        tokens.push(joined["session_token"].as_str().expect("a token").to_owned());
    }
    let seen =
        async |token: &str| house.rest("GET", "/matches/d1", Some(token), None).await.1["snapshot"].clone();
    let respond = async |token: &str, body: Json| {
        house.rest("POST", "/matches/d1/responses", Some(token), Some(body)).await
    };
    if seen(&tokens[0]).await["requests"].as_array().is_none_or(Vec::is_empty) {
        tokens.swap(0, 1);
    }
    let (first, second) = (&tokens[0], &tokens[1]);
    let cell = |head: &Json| json!({"title": "Take a cell", "selection": ["b2"], "branchId": head});
    assert_eq!(respond(first, cell(&seen(first).await["branchId"])).await.0, 200);
    assert_eq!(house.rest("POST", "/matches/d1/undo", Some(first), Some(json!({}))).await.0, 200);
    // The other player has a request of the game and a vote: the same branchId stands for both.
    let snapshot = seen(second).await;
    let requests = snapshot["requests"].as_array().expect("requests");
    let vote = requests.iter().find(|request| request["kind"] == "undo").expect("a vote").clone();
    assert_eq!(requests.len(), 2, "{requests:?}");
    let agree = json!({"title": vote["title"], "selection": [vote["choices"][0]["title"]], "branchId": snapshot["branchId"]});
    let (status, done) = respond(second, agree).await;
    assert_eq!(status, 200, "{done}");
    assert_eq!(seen(first).await["view"]["board"], ".........", "the move was taken back");
    house.server.stop().await;
}
