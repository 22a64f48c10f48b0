//! A ruleset on the server, in its document's dialect: by REST and over a socket.

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House};

pub(crate) const TOKENS: [&str; 2] = ["token-of-Alice-0123456789", "token-of-Bob-0123456789"];

/// Two clients at a table of skirmish who get events; the first has seat 0. Each comes with its token.
async fn table(house: &House) -> [(Client, &'static str); 2] {
    table_of(house, "s1", "skirmish").await
}

pub(crate) async fn table_of(house: &House, id: &str, game: &str) -> [(Client, &'static str); 2] {
    house.create(id, game, 0).await;
    let mut clients = Vec::new();
    for (name, token) in ["Alice", "Bob"].into_iter().zip(TOKENS) {
        let mut client = house.client(id, "json").await;
        let join =
            json!({"type": "join_game", "player_name": name, "session_token": token, "dialect": "events"});
        client.say(join).await;
        client.until("game_joined").await;
        clients.push((client, token));
    }
    for (client, _) in &mut clients {
        client.until("snapshot").await;
    }
    if clients[0].0.seat() != 0 {
        clients.swap(0, 1);
    }
    clients.try_into().ok().expect("two")
}

async fn actions(house: &House, token: &str) -> Vec<Json> {
    let (status, listed) = house.rest("GET", "/matches/s1/actions", Some(token), None).await;
    assert_eq!(status, 200, "{listed}");
    listed["actions"].as_array().cloned().expect("a list")
}

async fn act(house: &House, token: &str, body: Json) -> (u16, Json) {
    house.rest("POST", "/matches/s1/actions", Some(token), Some(body)).await
}

/// The player who may act passes.
async fn pass(house: &House, clients: &[(Client, &'static str); 2]) {
    for (_, token) in clients {
        if act(house, token, json!({"type": "pass"})).await.0 == 200 {
            break;
        }
    }
}

/// The draw events in a log of events.
fn drawn(log: &Json) -> Vec<Json> {
    let events = log["events"].as_array().expect("events").iter().map(|row| &row["event"]);
    events.filter(|event| event["type"] == "CardDrawn").map(|event| event["payload"].clone()).collect()
}

/// Passes until a player can play a creature; returns which one, and their actions: hands differ from table to table.
async fn playable(house: &House, clients: &[(Client, &'static str); 2]) -> (usize, Json) {
    for _ in 0..60 {
        for (n, (_, token)) in clients.iter().enumerate() {
            let listed = actions(house, token).await;
            if let Some(action) = listed.into_iter().find(|action| action["id"] == "play_creature") {
                return (n, action);
            }
        }
        pass(house, clients).await;
    }
    panic!("nobody can ever play anything");
}

#[tokio::test(flavor = "multi_thread")]
async fn actions_are_discovered_and_done_by_single_requests() {
    // cites 001-30, 001-32, 001-34, 001/R15
    let house = House::open().await;
    let mut clients = table(&house).await;
    let (who, first) = playable(&house, &clients).await;
    let (client, token) = &mut clients[who];
    for field in ["id", "name", "cost", "targets", "timing"] {
        assert!(first.get(field).is_some(), "{field} in {first}");
    }
    let (status, refused) = act(&house, token, json!({"type": "no_such_action"})).await;
    assert_eq!((status, refused["message"].as_str()), (422, Some("Unknown action")), "{refused}");
    let (status, refused) = act(&house, token, json!({"type": first["id"], "cardId": "no such card"})).await;
    assert_eq!(status, 422, "{refused}");
    assert!(refused["message"].as_str().is_some_and(|text| text.starts_with("Invalid action")), "{refused}");
    let moved = json!({"type": "direct_manipulation", "action": "move_card", "cardId": "x", "from": "deck", "to": "hand"});
    let (status, refused) = act(&house, token, moved).await;
    assert_eq!((status, refused["message"].as_str()), (422, Some("Invalid manipulation")), "{refused}");
    let (status, done) = act(&house, token, json!({"type": "pass"})).await;
    assert_eq!((status, done["success"].as_bool()), (200, Some(true)), "{done}");
    client.until("priority.changed").await;
    let (status, _) = house.rest("GET", "/matches/s1/actions?player_id=7", Some(token), None).await;
    assert_eq!(status, 403, "only one's own");
    assert_eq!(house.rest("GET", "/matches/s1/actions", None, None).await.0, 401);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_the_document_hears_events_deltas_requests_and_errors() {
    // cites 001-11, 001-12, 001-23, 001/R16
    let house = House::open().await;
    let mut clients = table(&house).await;
    let (who, action) = playable(&house, &clients).await;
    let client = &mut clients[who].0;
    let (name, target) = action["targets"].as_object().and_then(|t| t.iter().next()).expect("a target");
    let params = json!({"targets": {name: target["options"][0]["id"]}});
    client.say(json!({"type": "action.submit", "actionType": action["id"], "params": params})).await;
    let appended = client.until("event.appended").await;
    assert!(appended["event"]["id"].is_string() && appended["event"]["status"].is_string(), "{appended}");
    client.until("state.delta").await;
    client.say(json!({"type": "action.submit", "actionType": "nonsense", "params": {}})).await;
    assert_eq!(client.until("error").await["message"], "Unknown action");
    for control in ["moderation", "timeout", "kill", "fail"] {
        client.say(json!({"type": "system.control", "control": control})).await;
        assert_eq!(client.until("error").await["code"], "forbidden", "{control} is the house's");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_can_be_had_as_the_events_that_the_caller_was_told() {
    // cites 001/R14
    let house = House::open().await;
    let clients = table(&house).await;
    let (who, _) = playable(&house, &clients).await;
    let events = async |token| {
        let (status, log) = house.rest("GET", "/matches/s1/log?as=events", token, None).await;
        assert_eq!(status, 200, "{log}");
        log
    };
    // Both have drawn: each player's events about the other's draws are in the log.
    let of = |log: &Json, seat: u8| drawn(log).iter().filter(|draw| draw["seat"] == seat).count();
    for _ in 0..60 {
        let log = events(None).await;
        if of(&log, 0) > 0 && of(&log, 1) > 0 {
            break;
        }
        pass(&house, &clients).await;
    }
    let token = clients[who].1;
    let (his, gallery) = (events(Some(token)).await, events(None).await);
    let rows = his["events"].as_array().expect("events");
    assert!(rows.iter().any(|row| row["event"]["causedBy"].is_u64()), "causes are named: {his}");
    // Every viewer gets an event for every draw; only the player who drew sees the card.
    let (own, seen) = (drawn(&his), drawn(&gallery));
    assert!((0..2).all(|seat| of(&gallery, seat) > 0), "both have drawn: {gallery}");
    assert_eq!(seen.len(), own.len(), "no draw is kept from anybody");
    for (draw, to_all) in own.iter().zip(&seen) {
        assert!(to_all["card"].is_null(), "the gallery is told what was drawn: {to_all}");
        assert_eq!(draw["seat"], to_all["seat"]);
        assert_eq!(draw["card"].is_null(), draw["seat"] != who, "his own, and no other's: {draw}");
    }
    let numbers: Vec<_> = rows.iter().map(|row| row["n"].as_u64()).collect();
    assert_eq!(numbers, (1..=rows.len() as u64).map(Some).collect::<Vec<_>>(), "counted for him alone");
    let (_, look) = house.rest("GET", "/matches/s1", Some(token), None).await;
    assert_eq!(his["v"], look["snapshot"]["v"], "up to where his stream is");
    assert_eq!(house.rest("GET", "/matches/s1/log?as=poem", None, None).await.0, 400);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_concedes_has_lost() {
    // cites 001/R16
    let house = House::open().await;
    let [(mut first, _), (mut second, _)] = table(&house).await;
    first.say(json!({"type": "system.control", "control": "concede", "playerId": "p1"})).await;
    assert_eq!(first.until("error").await["code"], "forbidden", "only for oneself");
    first.say(json!({"type": "system.control", "control": "concede"})).await;
    let over = second.until("match.over").await;
    let outcome = &over["over"]["outcome"];
    assert_eq!((&outcome["places"], &outcome["reason"]), (&json!([2, 1]), &json!("forfeit")), "{over}");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_that_is_dragged_is_the_action_that_is_meant_through_the_socket() {
    // cites 001-33, 001/R13, 001-34
    let house = House::open().await;
    let [(mut first, token), _second] = table_of(&house, "s1", "two-ways").await;
    first.until("pending.offer").await;
    let snapshot =
        first.heard.iter().rev().find(|message| message["type"] == "snapshot").expect("a snapshot");
    let hand = snapshot["view"]["players"][0]["zones"]["hand"]["cards"].as_array().expect("a hand");
    let stones: Vec<Json> = hand.iter().map(|card| card["id"].clone()).collect();
    let drag = |card: &Json, to: &str| {
        json!({"type": "direct_manipulation", "action": "move_card", "cardId": card, "from": "hand", "to": to,
               "metadata": {"drag_drop": true, "ui_context": "hand_to_play"}})
    };
    let view = async || house.rest("GET", "/matches/s1", Some(token), None).await.1;
    let before = view().await;
    // No match: nothing has changed.
    for bad in [drag(&stones[0], "nowhere"), drag(&json!("c99"), "table")] {
        first.say(bad).await;
        let error = first.until("error").await;
        assert_eq!(
            (&error["code"], &error["message"]),
            (&json!("invalid_manipulation"), &json!("Invalid manipulation"))
        );
    }
    assert_eq!(view().await, before, "nothing has changed");
    // Several matches: the player is asked which, and each option is a submission.
    first.say(drag(&stones[0], "table")).await;
    let which = first.until("pending.input").await;
    assert_eq!(which["kind"], "mode_pick", "{which}");
    let options = which["options"].as_array().expect("options");
    let ids: Vec<&str> = options.iter().filter_map(|option| option["id"].as_str()).collect();
    assert_eq!(ids, ["lay", "throw"]);
    assert_eq!(view().await, before, "nothing has changed yet");
    first.say(options[1]["submit"].clone()).await;
    let appended = first.until("event.appended").await;
    assert_eq!(appended["event"]["type"], "Throw");
    // One match: it is done.
    first.until("pending.input").await;
    first.say(drag(&stones[1], "bin")).await;
    assert_eq!(first.until("event.appended").await["event"]["type"], "DragHandBin");
    let bin = view().await;
    assert_eq!(bin["snapshot"]["view"]["players"][0]["zones"]["bin"]["count"], 1, "{bin}");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn why_something_cannot_be_had_reaches_every_client() {
    // cites 001/R15, 001-23, 001/R20
    let house = House::open().await;
    let mut clients = table(&house).await;
    let pending = clients[0].0.until("pending.input").await;
    let (_, token) = &clients[1];
    let (status, his) = house.rest("GET", "/matches/s1/actions", Some(token), None).await;
    assert_eq!((status, &his["actions"], &his["whyNot"]["code"]), (200, &json!([]), &json!("priority")));
    let (_, first) = &clients[0];
    let (_, listed) = house.rest("GET", "/matches/s1/actions", Some(first), None).await;
    let refused = listed["refused"].as_array().expect("a list");
    let attack = refused.iter().find(|row| row["id"] == "attack").expect("no attack in the main step");
    assert_eq!(attack["whyNot"]["text"], "only in the step Attack");
    let (status, _) = house.rest("GET", "/matches/s1/actions?targets=7", Some(first), None).await;
    assert_eq!(status, 400, "targets are an object");
    let one = "/matches/s1/actions?action=attack&targets=%7B%22attacker%22%3A%22c1%22%7D";
    let (status, narrowed) = house.rest("GET", one, Some(first), None).await;
    assert_eq!((status, narrowed["refused"].as_array().map(Vec::len)), (200, Some(1)), "{narrowed}");
    // The same in the generic protocol's request and in the document's pending.input.
    let reasons = pending["constraints"]["refused"].as_array().expect("reasons");
    assert!(reasons.iter().any(|row| row["action"] == "attack" && row["code"] == "step"), "{pending}");
    let snapshot = clients[0].0.heard.iter().rev().find(|m| m["type"] == "snapshot").expect("a snapshot");
    let choices = snapshot["requests"][0]["choices"].as_array().expect("choices");
    let attack = choices.iter().find(|choice| choice["id"] == "attack").expect("it is listed");
    assert_eq!(attack["whyNot"]["code"], "step");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn passing_by_itself_is_an_offer_that_stands_and_is_taken_through_the_socket() {
    // cites 001/R19
    let house = House::open().await;
    let [(mut first, _), (mut second, token)] = table(&house).await;
    let offer = second.until("pending.offer").await;
    assert_eq!(offer["kind"], "pass_until");
    let until = json!({"action": "pass_until", "until": "my_turn"});
    second.say(json!({"type": "input.submit", "inputId": offer["inputId"], "answers": until})).await;
    second.until("state.delta").await;
    let (_, seen) = house.rest("GET", "/matches/s1", Some(token), None).await;
    assert_eq!(seen["snapshot"]["view"]["passUntil"]["until"], "my_turn", "{seen}");
    // The first player passes twice and is asked each time; then it is the second player's turn, and they are asked
    // again.
    for _ in 0..2 {
        first.say(json!({"type": "pass"})).await;
        first.until("priority.changed").await;
    }
    let asked = second.until("pending.input").await;
    assert_eq!(asked["kind"], "action", "his own turn has begun: {asked}");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_at_once_is_taken_one_after_the_other() {
    // cites 001-7
    let house = House::open().await;
    let clients = table(&house).await;
    let token = clients[0].1;
    // Ten passes of one seat at once: one answers the open request, the others come too late.
    let (_, listed) = house.rest("GET", "/matches/s1", Some(token), None).await;
    let head = listed["snapshot"]["branchId"].clone();
    let pass = || act(&house, token, json!({"type": "pass", "branchId": head}));
    let replies = futures_util::future::join_all((0..10).map(|_| pass())).await;
    let taken = replies.iter().filter(|(status, _)| *status == 200).count();
    assert_eq!(taken, 1, "{replies:?}");
    assert!(replies.iter().all(|(status, _)| [200, 409, 422].contains(status)), "{replies:?}");
    house.server.stop().await;
}
