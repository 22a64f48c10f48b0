//! Poker through the server: who leaves in a hand, who comes back, and the hand as a document.

use std::time::Duration;

use parlor_core::Json;
use parlor_store::{Accounts, Currency, Owner, PlayerId};
use serde_json::json;

use crate::client::{House, call};

fn tokens(house: &House, player: &str) -> i64 {
    let owner = Owner::Player(PlayerId::new(player).expect("a good name"));
    house.store.balance(&owner, &Currency::new("tokens").expect("a good name")).expect("it can be read")
}

/// A table for tokens at which nobody is hurried; a player brings 4 to 10.
async fn table(house: &House, more: &Json) {
    let mut settings = json!({
        "currency": "tokens", "smallBlind": 1, "bigBlind": 2, "buyInMin": 4, "buyInMax": 10,
        "timeLimitMs": 0, "handGapMs": 10, "runOutMs": 0, "finishHandBeforePause": true,
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        settings[name] = value.clone();
    }
    let body = json!({"id": "p", "game": "poker", "seats": 6, "bots": 0, "settings": settings});
    let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
}

/// A new player with an account, seated; returns their id and token.
async fn sit(house: &House, name: &str, buy_in: i64) -> (String, String) {
    let (id, token) = house.player(name).await;
    let (code, joined) =
        house.rest("POST", "/matches/p/join", Some(&token), Some(json!({"buyIn": buy_in}))).await;
    assert_eq!(code, 200, "{joined}");
    (id, token)
}

async fn seen_by(house: &House, token: Option<&str>) -> Json {
    house.rest("GET", "/matches/p", token, None).await.1
}

async fn until(house: &House, is: impl Fn(&Json) -> bool) -> Json {
    for _ in 0..1000 {
        let seen = seen_by(house, None).await;
        if is(&seen) {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came to that: {}", seen_by(house, None).await);
}

fn seat_of(seen: &Json, name: &str) -> Option<usize> {
    seen["seats"].as_array()?.iter().position(|seat| seat["name"] == name)
}

/// Whose turn it is.
fn turn(seen: &Json) -> Option<usize> {
    seen["snapshot"]["view"]["turn"].as_u64().map(|seat| seat as usize)
}

/// The whole state with this line added, as the document's client sends it.
async fn merge(house: &House, token: &str, change: impl FnOnce(&mut Json)) -> (u16, Json) {
    let (code, mut hand) = house.rest("GET", "/matches/p/hand", Some(token), None).await;
    assert_eq!(code, 200, "{hand}");
    change(&mut hand);
    house.rest("POST", "/matches/p/hand", Some(token), Some(hand)).await
}

/// Folds for whoever's turn it is.
async fn fold(house: &House, players: &[(&str, &str)]) {
    let seen = until(house, |seen| turn(seen).is_some()).await;
    let at = turn(&seen).expect("a turn");
    let name = seen["seats"][at]["name"].as_str().expect("a name").to_owned();
    let (_, token) = players.iter().find(|(known, _)| *known == name).expect("one of them");
    let (code, told) = merge(house, token, |hand| {
        let me = hand["author"].as_str().map(str::to_owned).unwrap_or_default();
        let column =
            hand["players"].as_array().and_then(|all| all.iter().position(|name| *name == json!(me)));
        let line = format!("p{} f", column.expect("a column") + 1);
        hand["actions"].as_array_mut().expect("actions").push(json!(line));
    })
    .await;
    assert_eq!(code, 200, "{told}");
}

/// Whoever leaves in a hand is paid when it ends, and their seat is free for another from then on. Cites 004-22.
#[tokio::test(flavor = "multi_thread")]
async fn a_leaver_is_paid_when_the_hand_ends() {
    let house = House::open().await;
    table(&house, &json!({})).await;
    let (ann, ann_token) = sit(&house, "Ann", 10).await;
    let (_, bob_token) = sit(&house, "Bob", 10).await;
    let (_, cid_token) = sit(&house, "Cid", 10).await;
    let everybody = [("Ann", ann_token.as_str()), ("Bob", &bob_token), ("Cid", &cid_token)];
    let seen = until(&house, |seen| turn(seen).is_some()).await;
    // Cid may have come after the first deal; two are in the hand in any case.
    let at = turn(&seen).expect("a turn");
    let actor = seen["seats"][at]["name"].as_str().expect("a name").to_owned();
    let leaver = if actor == "Ann" { ("Bob", &bob_token) } else { ("Ann", &ann_token) };
    let seat = seat_of(&seen, leaver.0).expect("seated");
    assert_eq!(house.rest("POST", "/matches/p/leave", Some(leaver.1), None).await.0, 200);
    let _ = ann;
    // The hand still has them: nobody else gets the seat, and no money has moved.
    let (_, dan) = house.player("Dan").await;
    let wish = Some(json!({"buyIn": 10, "seat": seat}));
    let (code, refused) = house.rest("POST", "/matches/p/join", Some(&dan), wish.clone()).await;
    assert_eq!((code, refused["code"].as_str()), (409, Some("seat_taken")), "{refused}");
    fold(&house, &everybody).await;
    for _ in 0..1000 {
        if house.rest("POST", "/matches/p/join", Some(&dan), wish.clone()).await.0 == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let seen = until(&house, |seen| seat_of(seen, "Dan") == Some(seat)).await;
    assert_eq!(seat_of(&seen, leaver.0), None);
    let (_, statement) = house.rest("GET", "/me/ledger?currency=tokens", Some(leaver.1), None).await;
    let lines = statement["lines"].as_array().expect("lines");
    let paid = lines.iter().find(|line| line["change"].as_i64() > Some(0) && line["game_id"] == "p");
    assert!(paid.is_some_and(|line| line["change"].as_i64() >= Some(8)), "they got their stack: {statement}");
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

/// A player who comes back within the window brings at least what they left with, also when it is more than others may
/// bring. Cites 004/R15.
#[tokio::test(flavor = "multi_thread")]
async fn a_returning_player_brings_what_they_left_with() {
    let house = House::open().await;
    table(&house, &json!({"ratholeMs": 3_600_000, "timeLimitMs": 50})).await;
    let (ann, ann_token) = sit(&house, "Ann", 10).await;
    sit(&house, "Bob", 10).await;
    until(&house, |seen| turn(seen).is_some()).await;
    assert_eq!(tokens(&house, &ann), 0);
    assert_eq!(house.rest("POST", "/matches/p/leave", Some(&ann_token), None).await.0, 200);
    for _ in 0..1000 {
        if tokens(&house, &ann) > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let left_with = tokens(&house, &ann);
    assert!(left_with > 4, "{left_with}");
    let (code, offer) = house.rest("POST", "/matches/p/reserve", Some(&ann_token), None).await;
    assert_eq!((code, offer["buyInMin"].as_i64()), (200, Some(left_with)), "{offer}");
    let (code, refused) =
        house.rest("POST", "/matches/p/join", Some(&ann_token), Some(json!({"buyIn": 4}))).await;
    assert_eq!((code, refused["code"].as_str()), (422, Some("buy_in")), "{refused}");
    let (code, _) =
        house.rest("POST", "/matches/p/join", Some(&ann_token), Some(json!({"buyIn": left_with}))).await;
    assert_eq!(code, 200);
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

/// The hand with a column of this name in a free seat, as a guest sends it.
fn with_column(hand: &Json, name: &str, stack: i64) -> Json {
    let mut hand = hand.clone();
    let taken = hand["seats"].as_array().cloned().unwrap_or_default();
    let free = (1..=6).find(|seat| !taken.contains(&json!(seat))).expect("a free seat");
    let zero = json!(0);
    for (field, value) in [
        ("players", json!(name)),
        ("startingStacks", json!(stack)),
        ("blindsOrStraddles", zero.clone()),
        ("antes", zero.clone()),
        ("_inactive", json!(2)),
        ("_intents", zero.clone()),
        ("_deadBlinds", zero),
        ("seats", json!(free)),
    ] {
        if let Some(column) = hand[field].as_array_mut() {
            column.push(value);
        }
    }
    hand["author"] = json!(name);
    hand
}

/// The words of a viewer without a seat reach the game and become a seat, with its buy-in. Cites 004/R17.
#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_joins_by_merge_on_a_socket() {
    let house = House::open().await;
    table(&house, &json!({"currency": "play"})).await;
    for name in ["Ann", "Bob"] {
        sit(&house, name, 10).await;
    }
    until(&house, |seen| turn(seen).is_some()).await;
    let mut eve = house.client("p", "json").await;
    let token = "token-of-Eve-0123456789";
    eve.say(json!({"type": "join_game", "dialect": "hand", "player_name": "Eve", "spectate": true, "session_token": token}))
        .await;
    let hand = eve.until("hand").await["hand"].clone();
    let merge = |stack: i64| json!({"type": "game_action", "action": "merge", "data": with_column(&hand, "Eve", stack)});
    eve.say(merge(1000)).await;
    let refused = eve.next().await.expect("an answer");
    assert_eq!(
        (refused["type"].as_str(), refused["code"].as_str()),
        (Some("session_error"), Some("buy_in")),
        "{refused}"
    );
    eve.say(merge(9)).await;
    assert_eq!(eve.until("game_joined").await["session_token"], token);
    let seen = until(&house, |seen| seat_of(seen, "Eve").is_some()).await;
    let seat = seat_of(&seen, "Eve").expect("seated");
    assert_eq!(seen["snapshot"]["view"]["seats"][seat]["stack"], 9);
    house.server.stop().await;
}

/// The hand can be had as JSON or PHH, with a caller's own cards and nobody else's; a whole state sent there is merged, and
/// a guest takes a seat so. Cites 004-25, 004/R17.
#[tokio::test(flavor = "multi_thread")]
async fn the_hand_is_a_document() {
    let house = House::open().await;
    table(&house, &json!({})).await;
    let (_, ann) = sit(&house, "Ann", 10).await;
    let (_, bob) = sit(&house, "Bob", 10).await;
    until(&house, |seen| turn(seen).is_some()).await;
    let (code, hand) = house.rest("GET", "/matches/p/hand", Some(&ann), None).await;
    assert_eq!((code, hand["author"].as_str()), (200, Some("Ann")), "{hand}");
    assert!(hand["players"].as_array().is_some_and(|all| all.contains(&json!("Bob"))));
    let dealt = |hand: &Json| {
        let lines = hand["actions"].as_array().cloned().unwrap_or_default();
        lines
            .iter()
            .filter(|line| line.as_str().is_some_and(|line| line.starts_with("d dh")))
            .cloned()
            .collect::<Vec<_>>()
    };
    let hidden = |lines: &[Json]| {
        lines.iter().filter(|line| line.as_str().is_some_and(|line| line.contains('?'))).count()
    };
    assert_eq!((dealt(&hand).len(), hidden(&dealt(&hand))), (2, 1), "{hand}");
    let (_, public) = house.rest("GET", "/matches/p/hand", None, None).await;
    assert_eq!(hidden(&dealt(&public)), 2, "{public}");
    let text = [("Accept", "text/plain")];
    let (code, phh) = call(house.server.addr, "GET", "/matches/p/hand", Some(&ann), None, &text).await;
    let phh = phh.as_str().expect("it is no JSON");
    assert!(code == 200 && phh.contains("variant = ") && phh.contains("Bob"), "{phh}");
    assert_eq!(house.rest("GET", "/matches/p/nothing", Some(&ann), None).await.0, 404);
    // A guest adds a column of their own.
    let (_, cid) = house.player("Cid").await;
    let hand = with_column(&public, "Cid", 8);
    let (code, joined) = house.rest("POST", "/matches/p/hand", Some(&cid), Some(hand)).await;
    assert_eq!(code, 200, "{joined}");
    let seen = until(&house, |seen| seat_of(seen, "Cid").is_some()).await;
    assert!(seat_of(&seen, "Cid").is_some());
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    let _ = bob;
    house.server.stop().await;
}

/// The hole cards that a player sees in their own hand, as they are written.
async fn own_cards(house: &House, token: &str) -> String {
    let (_, hand) = house.rest("GET", "/matches/p/hand", Some(token), None).await;
    let lines = hand["actions"].as_array().expect("actions").iter().filter_map(Json::as_str);
    let mut dealt = lines.filter(|line| line.starts_with("d dh") && !line.contains('?'));
    dealt.next().expect("one's own cards").rsplit(' ').next().expect("cards").to_owned()
}

/// The text of a reply without what looks like cards and is none.
fn without_hashes(reply: &Json) -> String {
    fn strip(value: &mut Json) {
        match value {
            Json::Object(fields) => {
                fields.retain(|name, _| !["commitments", "opened", "viewHash"].contains(&name.as_str()));
                fields.values_mut().for_each(strip);
            }
            Json::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut reply = reply.clone();
    strip(&mut reply);
    reply.to_string()
}

/// Neither the log nor a replay nor the hand as a document tells anybody a card that was not shown, as long as it runs and
/// afterwards at a table that goes on. Cites 004-15, 004/R10.
#[tokio::test(flavor = "multi_thread")]
async fn the_past_of_a_running_table_shows_no_hidden_card() {
    let house = House::open().await;
    table(&house, &json!({})).await;
    let (_, ann) = sit(&house, "Ann", 10).await;
    let (_, bob) = sit(&house, "Bob", 10).await;
    until(&house, |seen| turn(seen).is_some()).await;
    let (anns, bobs) = (own_cards(&house, &ann).await, own_cards(&house, &bob).await);
    let hidden_from = |token: Option<&str>| {
        let others =
            [(ann.as_str(), &anns), (&bob, &bobs)].into_iter().filter(move |(of, _)| token != Some(*of));
        others.map(|(_, cards)| cards.clone()).collect::<Vec<_>>()
    };
    let viewers = [None, Some(ann.as_str()), Some(bob.as_str())];
    for token in viewers {
        for past in ["log", "log?as=records", "replay", "replay?seat=0", "replay?seat=1"] {
            let (code, told) = house.rest("GET", &format!("/matches/p/{past}"), token, None).await;
            assert_eq!((code, &told["code"]), (409, &json!("running")), "{past}: {told}");
        }
        for open in ["", "/hand", "/log?as=events"] {
            let (code, told) = house.rest("GET", &format!("/matches/p{open}"), token, None).await;
            assert_eq!(code, 200, "{told}");
            let text = without_hashes(&told);
            assert!(!hidden_from(token).iter().any(|cards| text.contains(cards)), "{open}: {text}");
        }
    }
    fold(&house, &[("Ann", &ann), ("Bob", &bob)]).await;
    until(&house, |seen| seen["snapshot"]["view"]["hand"] == 2).await;
    for token in viewers {
        for past in ["log?match=1", "replay?match=1&seat=0", "replay?match=1&seat=1"] {
            let (code, told) = house.rest("GET", &format!("/matches/p/{past}"), token, None).await;
            assert_eq!((code, &told["code"]), (403, &json!("auditor_only")), "{past}: {told}");
        }
        let (code, told) = house.rest("GET", "/matches/p/replay?match=1", token, None).await;
        assert_eq!(code, 200, "{told}");
        let text = without_hashes(&told);
        assert!(!text.contains(&anns) && !text.contains(&bobs), "{text}");
    }
    house.server.stop().await;
}

/// The ids of the tables that are listed for these stakes, with their free seats.
async fn listed(house: &House, query: &str) -> Vec<(String, u64)> {
    let (code, found) = house.rest("GET", &format!("/matches?{query}"), None, None).await;
    assert_eq!(code, 200, "{found}");
    let rows = found["matches"].as_array().expect("a list").iter();
    rows.map(|row| {
        (row["id"].as_str().unwrap_or_default().to_owned(), row["seatsFree"].as_u64().expect("a count"))
    })
    .collect()
}

/// Asks for any seat at these blinds.
async fn any_seat(house: &House, token: &str, big: i64) -> (u16, Json) {
    let settings = json!({
        "profile": "standard", "smallBlind": big / 2, "bigBlind": big, "buyInMin": big * 20, "buyInMax": big * 100,
        "timeLimitMs": 0,
    });
    let body = json!({"settings": settings, "anySeat": true});
    house.rest("POST", "/queue/poker", Some(token), Some(body)).await
}

/// Whoever asks for a game with given blinds is seated at one that runs, or one is opened for them, and is sent its state.
/// Cites 004-25, 004/R17.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_asked_for_by_its_stakes() {
    let house = House::open().await;
    let mut tokens = Vec::new();
    for name in ["Ann", "Bob", "Cid", "Dora"] {
        tokens.push(house.player(name).await.1);
    }
    assert!(listed(&house, "game=poker").await.is_empty());
    // Nobody plays yet: a table is opened, and asking again opens no second one.
    let (code, ann) = any_seat(&house, &tokens[0], 2).await;
    assert_eq!((code, ann["status"].as_str()), (200, Some("waiting")), "{ann}");
    let small = ann["game_id"].as_str().expect("a table").to_owned();
    assert_eq!(any_seat(&house, &tokens[0], 2).await.1["game_id"], json!(small));
    assert_eq!(listed(&house, "game=poker&minBet=2&seatsFree=1").await, [(small.clone(), 5)]);
    for none in ["game=poker&minBet=4", "game=poker&minBet=2&seatsFree=6", "game=hearts", "minBet=3"] {
        assert!(listed(&house, none).await.is_empty(), "{none}");
    }
    // Other stakes are another table; the same stakes are the same one, before it runs and while it does.
    let (_, bob) = any_seat(&house, &tokens[1], 4).await;
    let large = bob["game_id"].as_str().expect("a table").to_owned();
    assert_ne!(large, small);
    let (code, cid) = any_seat(&house, &tokens[2], 2).await;
    assert_eq!((code, &cid["game_id"], &cid["status"]), (200, &json!(small), &json!("matched")), "{cid}");
    let (code, dora) = any_seat(&house, &tokens[3], 2).await;
    assert_eq!((code, &dora["game_id"], &dora["status"]), (200, &json!(small), &json!("matched")), "{dora}");
    assert!(dora["seat"].is_u64(), "{dora}");
    // A player who sits there already has their seat, and takes no second one.
    let (code, again) = any_seat(&house, &tokens[3], 2).await;
    assert_eq!((code, &again["game_id"], &again["seat"]), (200, &json!(small), &dora["seat"]), "{again}");
    assert_eq!(listed(&house, "minBet=2&seatsFree=3").await, [(small.clone(), 3)]);
    assert!(listed(&house, "minBet=2&seatsFree=4").await.is_empty());
    assert_eq!(listed(&house, "game=poker&after=").await.len(), 2);
    // The seat's token shows the personalised state.
    let token = dora["session_token"].as_str().expect("a token");
    let (code, hand) = house.rest("GET", &format!("/matches/{small}/hand"), Some(token), None).await;
    assert_eq!((code, &hand["author"], &hand["minBet"]), (200, &json!("Dora"), &json!(2)), "{hand}");
    house.server.stop().await;
}

/// A table that takes an invitation is nobody's to find, and what makes no sense is refused. Cites 004/R17.
#[tokio::test(flavor = "multi_thread")]
async fn only_open_tables_are_found_by_their_stakes() {
    let house = House::open().await;
    let body = json!({"id": "hidden", "game": "poker", "seats": 6, "bots": 0, "private": true});
    let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
    assert!(listed(&house, "game=poker").await.is_empty());
    // Nor while it runs.
    for name in ["Bob", "Cid"] {
        let (_, token) = house.player(name).await;
        let wish = json!({"buyIn": 100, "invite": made["invite"]});
        let (code, joined) = house.rest("POST", "/matches/hidden/join", Some(&token), Some(wish)).await;
        assert_eq!(code, 200, "{joined}");
    }
    assert!(listed(&house, "game=poker").await.is_empty());
    for query in ["minBet=two", "seatsFree=-1", "minBet=2&state=running"] {
        let (code, told) = house.rest("GET", &format!("/matches?{query}"), None, None).await;
        assert_eq!((code, &told["code"]), (400, &json!("malformed")), "{query}: {told}");
    }
    let (_, token) = house.player("Ann").await;
    for (game, body, why) in [
        ("hearts", json!({"anySeat": true}), "no_visits"),
        ("chess", json!({"anySeat": true}), "unknown_game"),
        ("poker", json!({"anySeat": true, "fillWithBotsAfterMs": 5}), "malformed"),
        ("poker", json!({"anySeat": true, "settings": {"bigBlind": -2}}), "setting"),
    ] {
        let (code, told) = house.rest("POST", &format!("/queue/{game}"), Some(&token), Some(body)).await;
        assert_eq!((code, &told["code"]), (400, &json!(why)), "{game}: {told}");
    }
    house.server.stop().await;
}
