//! The battle over real sockets, by clients that use only the battle's document.

use std::time::Duration;

use parlor_core::Json;
use serde_json::json;

use crate::client::{Client, House, config};

/// A client of the document: text frames, no subprotocol, no versions, no retry keys.
struct Orc {
    client: Client,
    match_id: Json,
}

impl Orc {
    async fn hello(house: &House, token: &str) -> Self {
        let mut client = Client::document(house).await;
        client.say(json!({"type": "hello", "sessionId": "s1", "authToken": token})).await;
        client.until("hello_ok").await;
        Self { client, match_id: Json::Null }
    }

    async fn until(&mut self, kind: &str) -> Json {
        let message = self.client.until(kind).await;
        if let Some(id) = message.get("matchId") {
            self.match_id = id.clone();
        }
        message
    }

    async fn lay(&mut self, kind: &str, layout: Json) {
        self.client.say(json!({"type": kind, "matchId": self.match_id, "layout": layout})).await;
    }

    fn types(&self) -> Vec<&str> {
        self.client.heard.iter().filter_map(|message| message["type"].as_str()).collect()
    }
}

/// Two matched players and their tokens, in the order in which they queued.
async fn two(house: &House, settings: &Json) -> ([Orc; 2], [String; 2]) {
    let mut tokens = Vec::new();
    let mut orcs = Vec::new();
    for name in ["Grom", "Thrall"] {
        // The document's own way to open an account.
        let (status, made) = house.rest("POST", "/auth/guest", None, Some(json!({"nickname": name}))).await;
        assert_eq!(status, 201, "{made}");
        let token = made["token"].as_str().expect("a token").to_owned();
        let mut orc = Orc::hello(house, &token).await;
        orc.client.say(json!({"type": "queue_join", "settings": settings})).await;
        assert_eq!(orc.until("queue_ok").await["tokens"], 10);
        orcs.push(orc);
        tokens.push(token);
    }
    let orcs = <[Orc; 2]>::try_from(orcs).ok().expect("two");
    (orcs, tokens.try_into().expect("two"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_in_the_document_profile_ends_with_a_disconnect() {
    // cites 002-2, 002-3, 002-9, 002-17, 002/R2, 002/R9, 002/R12
    let house = House::open().await;
    let settings = json!({"prepMs": 3000, "firstRevealMs": 50, "revealMs": 50});
    let ([mut grom, mut thrall], tokens) = two(&house, &settings).await;
    let found = grom.until("match_found").await;
    assert_eq!((&found["yourTokens"], &found["pot"]), (&json!(9), &json!(2)), "{found}");
    assert_eq!((&found["yourNickname"], &found["oppNickname"]), (&json!("Grom"), &json!("Thrall")));
    let prep = grom.until("prep_start").await;
    assert_eq!((&prep["roundIndex"], &prep["cards"]), (&json!(1), &prep["yourHand"]));
    assert!(prep["deadlineTs"].as_i64().is_some_and(|ts| ts > 1_600_000_000_000), "{prep}");
    thrall.until("prep_start").await;
    grom.lay("layout_draft", json!(["attack", null, null])).await;
    thrall.lay("layout_confirm", json!(["heal", "heal", null])).await;
    assert_eq!(thrall.until("error_msg").await["message"], "Invalid cards: cards must be from your hand");
    thrall.lay("layout_confirm", json!(["heal", null, null])).await;
    thrall.until("confirm_ok").await;
    for step in 0..3 {
        let told = thrall.until("step_reveal").await;
        assert_eq!((&told["stepIndex"], &told["yourHp"]), (&json!(step), &json!(8)), "{told}");
    }
    assert_eq!(thrall.until("round_end").await["oppHp"], 10);
    thrall.until("prep_start").await;
    drop(grom);
    let end = thrall.until("match_end").await;
    assert_eq!((&end["winner"], &end["reason"]), (&json!("YOU"), &json!("disconnect")));
    assert_eq!(
        (&end["yourTokens"], &end["rating"], &end["leagueKey"]),
        (&json!(11), &json!(5), &json!("wood"))
    );
    assert_eq!((house.tokens(&tokens[0]).await, house.tokens(&tokens[1]).await), (9, 11));
    let order = [
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
        "match_end",
    ];
    assert_eq!(thrall.types(), order);
    thrall.client.say(json!({"type": "queue_join"})).await;
    assert_eq!(thrall.until("queue_ok").await["tokens"], 11, "the same socket plays on");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_in_the_standard_profile_survives_a_disconnect_and_a_restart() {
    // cites 002/R9, 002/R10, 002/R11
    let house = House::open().await;
    let settings = json!({"profile": "standard", "prepMs": 60_000, "firstRevealMs": 20, "revealMs": 20});
    let ([mut grom, mut thrall], tokens) = two(&house, &settings).await;
    grom.until("prep_start").await;
    thrall.until("prep_start").await;
    thrall.lay("layout_draft", json!(["attack", null, "counter"])).await;
    // The player must be in the log before their connection is lost.
    tokio::time::sleep(Duration::from_millis(200)).await;
    drop(thrall);
    let paused = grom.until("sync_state").await;
    assert_eq!(paused["deadlineTs"], Json::Null, "the clock stands still: {paused}");
    let mut thrall = Orc::hello(&house, &tokens[1]).await;
    let sync = thrall.until("sync_state").await;
    assert_eq!((&sync["inMatch"], &sync["phase"], &sync["pot"]), (&json!(true), &json!("PREP"), &json!(2)));
    assert_eq!(sync["layout"], json!(["attack", null, "counter"]));
    assert_eq!(sync["yourHand"].as_array().map(Vec::len), Some(4));
    assert!(grom.until("sync_state").await["deadlineTs"].is_i64(), "and runs on");
    grom.lay("layout_confirm", json!(["heal", null, null])).await;
    grom.until("confirm_ok").await;

    let house = house.restart(config()).await;
    let (mut grom, mut thrall) = (Orc::hello(&house, &tokens[0]).await, Orc::hello(&house, &tokens[1]).await);
    let sync = grom.until("sync_state").await;
    assert_eq!((&sync["confirmed"], &sync["layout"]), (&json!(true), &json!(["heal", null, null])));
    assert_eq!(thrall.until("sync_state").await["layout"], json!(["attack", null, "counter"]));
    thrall.lay("layout_confirm", json!(["attack", null, "counter"])).await;
    let mut ends = Vec::new();
    for orc in [&mut thrall, &mut grom] {
        orc.until("round_end").await;
    }
    for _ in 2..=3 {
        for orc in [&mut thrall, &mut grom] {
            orc.until("prep_start").await;
            orc.lay("layout_confirm", json!([null, null, null])).await;
        }
        for orc in [&mut thrall, &mut grom] {
            orc.until("round_end").await;
        }
    }
    for orc in [&mut thrall, &mut grom] {
        ends.push(orc.until("match_end").await);
    }
    assert_eq!(
        (&ends[0]["winner"], &ends[0]["reason"], &ends[0]["yourTokens"]),
        (&json!("YOU"), &json!("normal"), &json!(11))
    );
    assert_eq!((&ends[1]["winner"], &ends[1]["yourTokens"]), (&json!("OPPONENT"), &json!(9)));
    assert_eq!(ends[0]["winnerId"], ends[1]["winnerId"]);
    for orc in [&thrall, &grom] {
        assert_eq!(orc.types().iter().filter(|kind| **kind == "match_end").count(), 1);
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn against_the_bot_nothing_is_staked() {
    // cites 002/R12
    let house = House::open().await;
    let (_, token) = house.player("Grom").await;
    let mut grom = Orc::hello(&house, &token).await;
    grom.client
        .say(json!({"type": "pve_start", "settings": {"profile": "standard", "prepMs": 2000, "firstRevealMs": 0, "revealMs": 0}}))
        .await;
    let found = grom.until("match_found").await;
    assert_eq!((&found["pot"], &found["yourTokens"]), (&json!(0), &json!(10)));
    grom.client.say(json!({"type": "pve_start"})).await;
    assert_eq!(grom.until("error_msg").await["message"], "Already in a match");
    let end = grom.until("match_end").await;
    assert_eq!(
        (&end["reason"], &end["winner"]),
        (&json!("timeout"), &json!("OPPONENT")),
        "the bot is never away"
    );
    assert_eq!((&end["yourTokens"], &end["rating"]), (&json!(10), &json!(0)));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_no_token_left_does_not_get_into_the_queue() {
    let house = House::with(parlor_server::Config { welcome_tokens: 0, ..config() }).await;
    let (_, token) = house.player("Grom").await;
    let mut grom = Orc::hello(&house, &token).await;
    grom.client.say(json!({"type": "queue_join"})).await;
    assert_eq!(grom.until("error_msg").await["code"], "not_enough_tokens");
    grom.client.say(json!({"type": "queue_leave"})).await;
    grom.until("queue_left").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_and_the_impatient_are_told_so() {
    let house = House::open().await;
    let mut client = Client::document(&house).await;
    client.say(json!({"type": "queue_join"})).await;
    assert_eq!(client.until("error_msg").await["message"], "Please send hello first");
    client.say(json!({"type": "hello", "sessionId": "s", "authToken": "nobodys"})).await;
    assert_eq!(client.until("error_msg").await["message"], "Unauthorized");
    house.server.stop().await;
}
