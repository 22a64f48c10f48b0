//! The document's messages: which are sent when, to whom, and with which fields.

use parlor_core::{Json, Rng};
use serde_json::json;

use crate::house::{House, WALL};

fn house(profile: &str) -> House {
    House::open(&json!({"profile": profile, "stake": 1}), "words")
}

fn lay(house: &mut House, seat: usize, kind: &str, layout: Json) {
    house.send(seat, json!({"type": kind, "matchId": "m1", "layout": layout}));
}

fn fields(message: &Json) -> Vec<&str> {
    message.as_object().expect("a message").keys().map(String::as_str).collect()
}

#[test]
fn a_match_is_told_in_the_documents_order_and_words() {
    // cites 002-2, 002-9, 002/R12
    let mut house = house("document");
    lay(&mut house, 0, "layout_draft", json!(["attack", null, null]));
    lay(&mut house, 0, "layout_confirm", json!(["attack", "attack", null]));
    lay(&mut house, 0, "layout_confirm", json!(["attack", "heal", null]));
    lay(&mut house, 1, "layout_draft", json!(["counter", null, null]));
    house.advance(23_000);
    let ann = [
        "hello_ok",
        "queue_ok",
        "match_found",
        "prep_start",
        "error_msg",
        "confirm_ok",
        "step_reveal",
        "step_reveal",
        "step_reveal",
        "round_end",
        "prep_start",
    ];
    assert_eq!(house.types(0), ann);
    let bob =
        ann.iter().copied().filter(|kind| !["error_msg", "confirm_ok"].contains(kind)).collect::<Vec<_>>();
    assert_eq!(house.types(1), bob, "nobody hears of another's drafts, confirms and mistakes");
    let steps: Vec<Json> =
        house.clients[1].heard.iter().filter(|m| m["type"] == "step_reveal").cloned().collect();
    assert_eq!((&steps[0]["yourCard"], &steps[0]["oppCard"]), (&json!("counter"), &json!("attack")));
    assert_eq!((&steps[0]["yourHp"], &steps[0]["oppHp"]), (&json!(10), &json!(8)));
    assert_eq!((&steps[2]["yourCard"], &steps[2]["stepIndex"]), (&Json::Null, &json!(2)));
}

#[test]
fn prep_start_has_every_field_and_the_same_four_cards_twice() {
    // cites 002-1, 002-3, 002/R2
    let house = house("document");
    let prep = house.last(1, "prep_start");
    let names = [
        "cards",
        "deadlineTs",
        "matchId",
        "oppHp",
        "oppNickname",
        "pot",
        "roundIndex",
        "suddenDeath",
        "type",
        "yourHand",
        "yourHp",
        "yourNickname",
        "yourTokens",
    ];
    assert_eq!(fields(prep), names);
    assert_eq!(prep["deadlineTs"], WALL + 20_000);
    assert_eq!((&prep["yourNickname"], &prep["oppNickname"]), (&json!("Bob"), &json!("Ann")));
    assert_eq!((&prep["roundIndex"], &prep["pot"], &prep["yourTokens"]), (&json!(1), &json!(2), &json!(9)));
    assert_eq!(prep["yourHand"], json!(["attack", "defense", "heal", "counter"]));
    assert_eq!(prep["cards"], prep["yourHand"]);
    assert_eq!(house.last(0, "match_found")["yourHand"], prep["yourHand"]);
    assert_eq!(house.last(0, "match_found")["pot"], 2);
}

#[test]
fn grass_is_never_said() {
    // cites 002-11, 002/R3
    let mut house = house("standard");
    lay(&mut house, 0, "layout_draft", json!(["GRASS", "grass", null]));
    lay(&mut house, 1, "layout_confirm", json!([null, null, null]));
    house.advance(90_000);
    assert!(house.types(0).contains(&"match_end"));
    for message in house.clients.iter().flat_map(|client| &client.heard) {
        assert!(!message.to_string().to_lowercase().contains("grass"), "{message}");
    }
}

#[test]
fn when_both_are_afk_twice_both_are_told_that_the_opponent_won_and_nobody_did() {
    // cites 002-16, 002/R7
    let mut house = house("document");
    house.advance(50_000);
    for seat in 0..2 {
        let end = house.last(seat, "match_end");
        assert_eq!((&end["winner"], &end["reason"]), (&json!("OPPONENT"), &json!("timeout")));
        assert_eq!((&end["winnerId"], &end["loserId"]), (&Json::Null, &Json::Null));
        assert_eq!(end["yourTokens"], 9);
    }
    assert_eq!(house.books["burn"], 2);
}

#[test]
fn a_disconnect_in_the_document_profile_pays_whoever_stayed() {
    // cites 002-17, 002-25
    let mut house = house("document");
    house.advance(5_000);
    assert!(!house.types(0).contains(&"match_end"), "silence alone ends nothing in PREP");
    house.lose(0);
    let end = house.last(1, "match_end");
    assert_eq!((&end["winner"], &end["reason"]), (&json!("YOU"), &json!("disconnect")));
    assert_eq!((&end["winnerId"], &end["loserId"]), (&json!("bob"), &json!("ann")));
    assert_eq!(
        (&end["yourTokens"], &end["yourNickname"], &end["oppNickname"]),
        (&json!(11), &json!("Bob"), &json!("Ann"))
    );
}

#[test]
fn a_disconnect_in_reveal_ends_the_match_too() {
    // cites 002-25, 002/R12
    let mut house = house("document");
    lay(&mut house, 0, "layout_draft", json!(["attack", null, null]));
    house.advance(20_400);
    assert_eq!(house.types(1).last(), Some(&"step_reveal"));
    house.lose(1);
    assert_eq!(house.last(0, "match_end")["reason"], "disconnect");
}

#[test]
fn whoever_comes_back_is_told_everything() {
    // cites 002/R9, 002/R10
    let mut house = house("standard");
    lay(&mut house, 0, "layout_draft", json!(["attack", null, "heal"]));
    house.advance(4_000);
    house.lose(0);
    assert_eq!(house.last(1, "sync_state")["paused"], "waiting for a player to come back");
    assert_eq!(house.last(1, "sync_state")["deadlineTs"], Json::Null, "no clock runs");
    house.advance(10_000);
    house.meet(0, false);
    let sync = house.last(0, "sync_state");
    assert_eq!(
        (&sync["inMatch"], &sync["phase"], &sync["roundIndex"]),
        (&json!(true), &json!("PREP"), &json!(1))
    );
    assert_eq!(sync["layout"], json!(["attack", null, "heal"]));
    assert_eq!(sync["yourHand"], json!(["attack", "defense", "heal", "counter"]));
    assert_eq!(
        (&sync["confirmed"], &sync["pot"], &sync["yourTokens"]),
        (&json!(false), &json!(2), &json!(9))
    );
    assert_eq!(sync["deadlineTs"], WALL + 30_000, "PREP has as long left as it had");
    assert_eq!(house.last(1, "sync_state")["deadlineTs"], WALL + 30_000);
    lay(&mut house, 0, "layout_confirm", json!(["attack", null, "heal"]));
    lay(&mut house, 1, "layout_confirm", json!(["attack", null, "heal"]));
    house.advance(300);
    assert_eq!(house.types(1).last(), Some(&"step_reveal"), "both have confirmed: no need to wait");
}

#[test]
fn what_cannot_be_taken_is_answered_with_error_msg() {
    // cites 002-8, 002/R4
    let mut house = house("document");
    house.send(0, json!({"type": "layout_confirm", "matchId": "another", "layout": ["attack", null, null]}));
    assert_eq!(house.types(0).last(), Some(&"prep_start"), "a layout for another match is nobody's business");
    lay(&mut house, 0, "layout_confirm", json!(["attack", "attack", null]));
    let error = house.last(0, "error_msg").clone();
    assert_eq!(error["message"], "Invalid cards: cards must be from your hand");
    lay(&mut house, 0, "layout_confirm", json!(["attack"]));
    assert_eq!(house.last(0, "error_msg")["code"], "layout");
    lay(&mut house, 0, "layout_confirm", json!(["attack", null, null]));
    assert_eq!(house.types(0).last(), Some(&"confirm_ok"));
    lay(&mut house, 0, "layout_draft", json!(["heal", null, null]));
    assert_eq!(house.last(0, "error_msg")["code"], "already_confirmed");
    house.send(0, json!({"type": "queue_join"}));
    assert_eq!(house.last(0, "error_msg")["message"], "Already in a match");
    house.advance(20_300);
    lay(&mut house, 1, "layout_draft", json!(["heal", null, null]));
    assert_eq!(house.last(1, "error_msg")["code"], "not_prep");
}

#[test]
fn before_hello_nothing_else_is_heard() {
    let mut dialect = parlor_battle::dialect::detect(&json!({"type": "queue_join"})).expect("the document's");
    let fault = dialect.decode(json!({"type": "queue_join"})).expect_err("hello comes first");
    assert_eq!(fault.to_string(), "Please send hello first");
    let fault = dialect.decode(json!({"type": "hello", "sessionId": "s"})).expect_err("who is it?");
    assert_eq!(fault.to_string(), "Unauthorized");
    let native = json!({"type": "hello", "protocol": "parlor"});
    assert!(parlor_battle::dialect::detect(&native).is_none(), "the house's own clients are left alone");
    assert!(parlor_battle::dialect::detect(&json!({"type": "join_game"})).is_none());
}

/// One random match with lost connections and process crashes.
fn one(n: u64) -> &'static str {
    let mut rng = Rng::fast(n);
    let profile = ["document", "standard"][rng.below(2) as usize];
    let settings =
        json!({"profile": profile, "stake": 1, "prepMs": 400, "firstRevealMs": 50, "revealMs": 50});
    let mut house = House::open(&settings, &format!("soak {n}"));
    let silence = [rng.below(6), rng.below(6)];
    let (drops, deaths) = (rng.below(3) == 0, rng.below(3) == 0);
    let words = [json!("attack"), json!("defense"), json!("heal"), json!("counter"), Json::Null, json!("x")];
    for step in 0.. {
        assert!(step < 4_000, "match {n} does not end");
        if house.table.finished() {
            break;
        }
        let seat = rng.below(2) as usize;
        if house.here(seat) && rng.below(6) >= silence[seat] {
            let layout: Json = (0..3).map(|_| rng.pick(&words).clone()).collect();
            let kind = if rng.below(3) == 0 { "layout_confirm" } else { "layout_draft" };
            lay(&mut house, seat, kind, layout);
        }
        if drops && rng.below(12) == 0 {
            house.lose(seat);
        } else if !house.here(seat) && rng.below(3) == 0 && !house.table.finished() {
            house.meet(seat, false);
        }
        if deaths && rng.below(12) == 0 && !house.table.finished() {
            if rng.flip_coin() { house.die() } else { house.doomed = true }
        }
        house.advance([50, 50, 100, 400][rng.below(4) as usize]);
        if !house.here(0) && !house.here(1) {
            // Both are disconnected: only time can end the match.
            house.advance(15_000);
        }
    }
    for seat in 0..2 {
        let ends = house.types(seat).iter().filter(|kind| **kind == "match_end").count();
        let owed = usize::from(house.here(seat));
        assert!(ends == 1 || (owed == 0 && ends == 0), "match {n}: seat {seat} was told of {ends} ends");
        let first = house.types(seat).iter().position(|kind| *kind == "prep_start");
        let end = house.types(seat).iter().position(|kind| *kind == "match_end");
        assert!(
            first.is_some() && end.is_none_or(|end| first < Some(end)),
            "match {n}: prep_start comes first"
        );
    }
    let books = &house.books;
    assert_eq!(books.values().sum::<i64>(), 20, "match {n}: tokens are conserved");
    assert_eq!(books["table"], 0, "match {n}: nothing is left on the table");
    assert!(books.values().all(|held| *held >= 0), "match {n}: nobody owes anything");
    let outcome = house.table.current_match().outcome().expect("it is over");
    match outcome.reason.as_ref() {
        "normal" => "normal",
        "timeout" => "timeout",
        "disconnect" => "disconnect",
        _ => "stopped",
    }
}

#[test]
fn random_matches_with_lost_connections_and_dying_processes_end_once_and_pay_once() {
    // cites 002-21, 002-23, 002/R10, 002/R11
    let matches = std::env::var("PARLOR_SOAK_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let mut ends = std::collections::BTreeMap::new();
    for n in 0..matches {
        *ends.entry(one(n)).or_insert(0u64) += 1;
    }
    println!("{matches} matches: {ends:?}");
    assert!(ends["normal"] > 0 && ends["timeout"] > 0 && ends["disconnect"] > 0, "{ends:?}");
}
