//! A cash table through the server: seats that fill and empty while it runs, buy-ins, top-ups, cash-outs, owner's rights,
//! bots by name, everybody's clocks. The game is the probe `ring`.

use std::time::Duration;

use parlor_core::Json;
use parlor_core::commitments::{Opened, verify};
use parlor_server::{BotProgram, Config};
use parlor_store::{Accounts, Currency, HoldId, MatchLog, Owner, PlayerId, TableId, Write};
use serde_json::json;

use crate::client::{Client, House, config};

fn balance(house: &House, owner: &Owner, currency: &str) -> i64 {
    house.store.balance(owner, &Currency::new(currency).expect("a good name")).expect("it can be read")
}

fn on_table(house: &House, id: &str, currency: &str) -> i64 {
    balance(house, &Owner::Table(TableId::new(id).expect("a good name")), currency)
}

fn player(id: &str) -> Owner {
    Owner::Player(PlayerId::new(id).expect("a good name"))
}

/// A table of nine with these settings; returns the owner's token.
async fn table(house: &House, id: &str, settings: &Json, more: Json) -> String {
    let mut body = json!({"id": id, "game": "ring", "seats": 9, "bots": 0, "settings": settings});
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
    made["owner_token"].as_str().expect("a token").to_owned()
}

async fn join(house: &House, id: &str, token: Option<&str>, body: Json) -> (u16, Json) {
    house.rest("POST", &format!("/matches/{id}/join"), token, Some(body)).await
}

/// A hand that waits for its players for a minute, and shows its result for a moment.
fn slow() -> Json {
    json!({"turnMs": 60_000, "pauseMs": 50, "money": "tokens"})
}

/// The session of somebody who joins by REST without an account, for play money.
async fn guest(house: &House, id: &str, name: &str) -> String {
    let (code, joined) = join(house, id, None, json!({"player_name": name, "buyIn": 20})).await;
    assert_eq!(code, 200, "{joined}");
    joined["session_token"].as_str().expect("a token").to_owned()
}

async fn view(house: &House, id: &str) -> Json {
    house.rest("GET", &format!("/matches/{id}"), None, None).await.1
}

/// Waits until something is so.
async fn until(house: &House, id: &str, is: impl Fn(&Json) -> bool) -> Json {
    for _ in 0..2000 {
        let seen = view(house, id).await;
        if is(&seen) {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never came to that: {}", view(house, id).await);
}

/// The open request of a seat, answered by REST.
async fn answer(house: &House, id: &str, token: &str, title: &str, choice: &str) -> (u16, Json) {
    let (_, seen) = house.rest("GET", &format!("/matches/{id}"), Some(token), None).await;
    let requests = seen["snapshot"]["requests"].as_array().cloned().unwrap_or_default();
    let open = requests.iter().find(|open| open["title"] == title).cloned().unwrap_or_default();
    let body =
        json!({"title": title, "selection": [choice], "inputId": open["inputId"].as_u64().unwrap_or(0)});
    house.rest("POST", &format!("/matches/{id}/responses"), Some(token), Some(body)).await
}

/// A match starts with two of nine seats taken; others come, go and come back while it runs.
#[tokio::test(flavor = "multi_thread")]
async fn seats_fill_and_empty_while_a_match_runs() {
    let house = House::open().await;
    table(&house, "t", &json!({"turnMs": 60_000}), json!({})).await;
    guest(&house, "t", "Ann").await;
    assert_eq!(view(&house, "t").await["status"], "waiting", "one is not enough");
    let bob = guest(&house, "t", "Bob").await;
    let seen = until(&house, "t", |seen| seen["status"] == "running").await;
    let names = |seen: &Json| -> Vec<String> {
        let seats = seen["seats"].as_array().cloned().unwrap_or_default();
        seats.iter().map(|seat| seat["name"].as_str().unwrap_or("").to_owned()).collect()
    };
    assert_eq!(names(&seen).iter().filter(|name| !name.is_empty()).count(), 2);
    assert_eq!(names(&seen).len(), 9);
    // By REST into a chosen seat, and by a socket into any.
    let free = names(&seen).iter().position(String::is_empty).expect("a free seat");
    let wish = json!({"player_name": "Cid", "seat": free, "buyIn": 7});
    let (code, joined) = join(&house, "t", None, wish).await;
    assert_eq!((code, joined["seat"].as_u64()), (200, Some(free as u64)), "{joined}");
    let seen = view(&house, "t").await;
    assert_eq!(seen["snapshot"]["view"]["players"][free]["stack"], 7);
    let taken = join(&house, "t", None, json!({"player_name": "Dan", "seat": free})).await;
    assert_eq!((taken.0, taken.1["code"].as_str()), (409, Some("seat_taken")));
    let named = join(&house, "t", None, json!({"player_name": "Cid"})).await;
    assert_eq!((named.0, named.1["code"].as_str()), (409, Some("name_taken")));
    let mut eve = house.client("t", "json").await;
    eve.join("Eve", Some("token-of-Eve-0123456789")).await;
    let joined = eve.until("game_joined").await;
    assert_eq!(joined["session_token"], "token-of-Eve-0123456789");
    let snapshot = eve.until("snapshot").await;
    assert!(snapshot["requests"].as_array().is_some_and(|all| !all.is_empty()), "she may top up");
    // Somebody leaves, and the seat is free for another.
    let (code, _) = house.rest("POST", "/matches/t/leave", Some(&bob), None).await;
    assert_eq!(code, 200);
    until(&house, "t", |seen| !names(seen).contains(&"Bob".to_owned())).await;
    let (code, _) = house.rest("GET", "/matches/t", Some(&bob), None).await;
    assert_eq!(code, 403, "the token is no longer good for a seat");
    guest(&house, "t", "Bob").await;
    until(&house, "t", |seen| names(seen).contains(&"Bob".to_owned())).await;
    assert_eq!(view(&house, "t").await["paused"], Json::Null, "players without sockets play on");
    // A full table that takes late players says so; one that does not has started.
    for n in 0..5 {
        guest(&house, "t", &format!("P{n}")).await;
    }
    let full = join(&house, "t", None, json!({"player_name": "Zed"})).await;
    assert_eq!((full.0, full.1["code"].as_str()), (409, Some("game_full")));
    let mut zed = house.client("t", "json").await;
    zed.join("Zed", None).await;
    assert_eq!(zed.until("session_error").await["code"], "game_full");
    let [_one, _two] = house.pair("o", "oxo").await;
    let late = join(&house, "o", None, json!({"player_name": "Zed"})).await;
    assert_eq!((late.0, late.1["code"].as_str()), (409, Some("game_started")));
    house.server.stop().await;
}

/// A seat is kept for a minute for a player who chooses a buy-in, and a spectator sits down on the same connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_keeps_a_seat_and_sits_down() {
    let house = House::open().await;
    table(&house, "t", &json!({"turnMs": 60_000}), json!({})).await;
    guest(&house, "t", "Ann").await;
    guest(&house, "t", "Bob").await;
    until(&house, "t", |seen| seen["status"] == "running").await;
    let mut eve = house.client("t", "json").await;
    eve.say(json!({"type": "join_game", "player_name": "Eve", "spectate": true, "session_token": "token-of-Eve-0123456789"}))
        .await;
    eve.until("snapshot").await;
    eve.say(json!({"type": "reserve_seat"})).await;
    let kept = eve.until("seat_reserved").await;
    assert_eq!((kept["buy_in_min"].as_i64(), kept["buy_in_max"].as_i64()), (Some(1), Some(100)));
    assert_eq!((kept["for_ms"].as_u64(), kept["currency"].as_str()), (Some(60_000), Some("play")));
    let seat = kept["seat"].as_u64().expect("a seat");
    let other = join(&house, "t", None, json!({"player_name": "Dan", "seat": seat})).await;
    assert_eq!((other.0, other.1["code"].as_str()), (409, Some("seat_reserved")));
    let (code, offer) =
        house.rest("POST", "/matches/t/reserve", Some("another-token-0123456789"), None).await;
    assert_eq!(code, 200, "{offer}");
    assert_ne!(offer["seat"].as_u64(), Some(seat), "another one");
    eve.say(json!({"type": "sit_down", "buy_in": 101})).await;
    assert_eq!(eve.until("session_error").await["code"], "buy_in");
    eve.say(json!({"type": "sit_down", "buy_in": 30})).await;
    eve.until("game_joined").await;
    let snapshot = eve.until("snapshot").await;
    assert_eq!(snapshot["view"]["players"][seat as usize]["stack"], 30, "in the seat that was kept");
    eve.say(json!({"type": "sit_down"})).await;
    assert_eq!(eve.until("session_error").await["code"], "seated");
    // Somebody without a name gets no seat, and somebody who returns to none does not buy in again.
    let mut nobody = house.client("t", "json").await;
    nobody.say(json!({"type": "join_game", "spectate": true})).await;
    nobody.until("snapshot").await;
    nobody.say(json!({"type": "sit_down"})).await;
    assert_eq!(nobody.until("session_error").await["code"], "invalid_message");
    let mut gone = house.client("t", "json").await;
    gone.say(json!({"type": "join_game", "player_name": "Gus", "last_v": 7})).await;
    assert_eq!(gone.until("session_error").await["code"], "game_started");
    // She comes back to it with her token.
    let mut again = house.client("t", "json").await;
    again.join("Eve", Some("token-of-Eve-0123456789")).await;
    again.until("snapshot").await;
    house.server.stop().await;
}

/// Buy-in, top-up, cash-out and rake are postings of one ledger, and a player sees each on their statement.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_player_pays_is_on_their_statement() {
    let house = House::open().await;
    table(&house, "t", &slow(), json!({})).await;
    let no_account = join(&house, "t", None, json!({"player_name": "Zed"})).await;
    assert_eq!((no_account.0, no_account.1["code"].as_str()), (403, Some("players_only")));
    let mut tokens = Vec::new();
    for name in ["Ann", "Bob"] {
        let (id, token) = house.player(name).await;
        let (code, joined) = join(&house, "t", Some(&token), json!({"buyIn": 4})).await;
        assert_eq!(code, 200, "{joined}");
        tokens.push((id, token));
    }
    let (ann, ann_token) = &tokens[0];
    until(&house, "t", |seen| seen["status"] == "running").await;
    assert_eq!((balance(&house, &player(ann), "tokens"), on_table(&house, "t", "tokens")), (6, 8));
    // Somebody joins the running table, and the buy-in comes out of a hold.
    let (cid, cid_token) = house.player("Cid").await;
    let (code, _) = join(&house, "t", Some(&cid_token), json!({"buyIn": 11})).await;
    assert_eq!(code, 402, "more than they own");
    let (code, _) = join(&house, "t", Some(&cid_token), json!({"buyIn": 5})).await;
    assert_eq!(code, 200);
    assert_eq!((balance(&house, &player(&cid), "tokens"), on_table(&house, "t", "tokens")), (5, 13));
    // A top-up costs five: Ann has six, and then one.
    assert_eq!(answer(&house, "t", ann_token, "Beside the hand", "top up").await.0, 200);
    assert_eq!((balance(&house, &player(ann), "tokens"), on_table(&house, "t", "tokens")), (1, 18));
    let (code, refused) = answer(&house, "t", ann_token, "Beside the hand", "top up").await;
    assert_eq!((code, refused["code"].as_str()), (422, Some("not_enough_tokens")), "{refused}");
    assert_eq!(house.rest("POST", "/matches/t/leave", Some(ann_token), None).await.0, 200);
    until(&house, "t", |seen| {
        seen["seats"].as_array().is_some_and(|all| !all.iter().any(|s| s["name"] == "Ann"))
    })
    .await;
    let (_, statement) = house.rest("GET", "/me/ledger?currency=tokens", Some(ann_token), None).await;
    let lines = statement["lines"].as_array().expect("lines");
    let reasons: Vec<&str> = lines.iter().filter_map(|line| line["reason"].as_str()).collect();
    assert_eq!(reasons, ["cash_out", "hold", "stake", "welcome"], "newest first: {statement}");
    assert_eq!(lines[0]["game_id"], "t");
    assert_eq!(lines[0]["balance"].as_i64(), Some(balance(&house, &player(ann), "tokens")));
    assert!(house.store.holds(None, 10).expect("it can be read").is_empty());
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

/// Only the player who cannot pay is refused: the neighbour's answer in the same moment is taken.
#[tokio::test(flavor = "multi_thread")]
async fn a_top_up_that_cannot_be_paid_is_nobody_elses_trouble() {
    let house = House::open().await;
    table(&house, "t", &slow(), json!({})).await;
    let mut players = Vec::new();
    for name in ["Ann", "Bob", "Cid"] {
        let (_, token) = house.player(name).await;
        assert_eq!(join(&house, "t", Some(&token), json!({"buyIn": 6})).await.0, 200);
        players.push(token);
    }
    let seen = until(&house, "t", |seen| seen["snapshot"]["view"]["pot"].as_i64() > Some(1)).await;
    let turn = seen["snapshot"]["view"]["turn"].as_u64().expect("a turn") as usize;
    let name = seen["seats"][turn]["name"].as_str().expect("a name");
    let actor = ["Ann", "Bob", "Cid"].iter().position(|known| *known == name).expect("one of them");
    let broke: Vec<&String> = (0..3).filter(|n| *n != actor).map(|n| &players[n]).collect();
    let top_up = |token: &String| {
        let (house, token) = (&house, token.clone());
        async move { answer(house, "t", &token, "Beside the hand", "top up").await }
    };
    let stay = answer(&house, "t", &players[actor], "Stay?", "stay");
    let (stayed, first, second) = tokio::join!(stay, top_up(broke[0]), top_up(broke[1]));
    assert_eq!(stayed.0, 200, "{}", stayed.1);
    for (code, refused) in [first, second] {
        assert_eq!((code, refused["code"].as_str()), (422, Some("not_enough_tokens")), "{refused}");
    }
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

/// Play money is a currency of its own, filled up by the house to a hundred buy-ins. Cites 004/R16.
#[tokio::test(flavor = "multi_thread")]
async fn play_money_is_filled_up_and_never_becomes_a_token() {
    let house = House::open().await;
    table(&house, "t", &json!({"turnMs": 60_000}), json!({})).await;
    let (ann, token) = house.player("Ann").await;
    assert_eq!(join(&house, "t", Some(&token), json!({"buyIn": 50})).await.0, 200);
    guest(&house, "t", "Bob").await;
    until(&house, "t", |seen| seen["status"] == "running").await;
    assert_eq!(balance(&house, &player(&ann), "play"), 100 * 100 - 50);
    assert_eq!((balance(&house, &player(&ann), "tokens"), on_table(&house, "t", "play")), (10, 70));
    let (_, owned) = house.rest("GET", "/players/me/balance", Some(&token), None).await;
    assert_eq!(owned["balances"], json!({"tokens": 10, "play": 9950}));
    assert_eq!(house.rest("POST", "/matches/t/kill", Some("nobody"), None).await.0, 403);
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    house.server.stop().await;
}

/// What was set aside when a process died goes back when the next one starts.
#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_lost_its_process_goes_back() {
    let house = House::open().await;
    let (ann, _) = house.player("Ann").await;
    let (hold, id) = (HoldId::new("lost").expect("a good name"), PlayerId::new(&ann).expect("a good name"));
    let tokens = Currency::new("tokens").expect("a good name");
    house.store.write(Write::hold(&hold, &id, &tokens, 4, 0)).expect("it is set aside");
    assert_eq!(balance(&house, &player(&ann), "tokens"), 6);
    let house = house.restart(config()).await;
    assert_eq!(balance(&house, &player(&ann), "tokens"), 10);
    house.server.stop().await;
}

/// Everybody sees how long the player is waited for whose turn it is. Cites 003-25.
#[tokio::test(flavor = "multi_thread")]
async fn everybodys_clock_is_on_the_wire() {
    let house = House::open().await;
    table(&house, "t", &json!({"turnMs": 60_000}), json!({})).await;
    guest(&house, "t", "Ann").await;
    guest(&house, "t", "Bob").await;
    until(&house, "t", |seen| seen["status"] == "running").await;
    let mut watcher = house.client("t", "json").await;
    watcher.say(json!({"type": "join_game", "spectate": true})).await;
    let snapshot = watcher.until("snapshot").await;
    let clock = &snapshot["clocks"][0];
    assert_eq!(clock["seat"], snapshot["view"]["turn"]);
    assert_eq!(clock["until"], 60_000);
    let wall = clock["deadlineTs"].as_i64().expect("on the wall clock");
    let now =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_millis()
            as i64;
    assert!((0..=60_000).contains(&(wall - now)), "{wall} is within a minute of {now}");
    house.server.stop().await;
}

/// The owner pauses, resumes, removes a player after the hand and changes the settings from the next one on.
#[tokio::test(flavor = "multi_thread")]
async fn an_owner_has_rights_while_the_table_runs() {
    let house = House::open().await;
    let settings = json!({"turnMs": 60_000, "pauseMs": 20});
    let owner = table(&house, "t", &settings, json!({"awayGraceMs": 1234, "lastHumanGraceMs": 99_000})).await;
    let tokens = [guest(&house, "t", "Ann").await, guest(&house, "t", "Bob").await];
    until(&house, "t", |seen| seen["status"] == "running").await;
    let post = |path: &'static str, body: Option<Json>| {
        let (house, owner) = (&house, owner.clone());
        async move { house.rest("POST", &format!("/matches/t/{path}"), Some(&owner), body).await }
    };
    assert_eq!(post("pause", None).await.0, 200);
    assert_eq!(view(&house, "t").await["paused"], "paused by its owner");
    let (code, _) = answer(&house, "t", &tokens[0], "Stay?", "stay").await;
    assert!(code == 409 || code == 422, "nobody plays meanwhile");
    assert_eq!(post("pause", None).await.0, 409);
    assert_eq!(post("resume", None).await.0, 200);
    assert_eq!(post("resume", None).await.0, 409, "only what they paused");
    assert_eq!(post("settings", Some(json!({"settings": {"turnMs": 0}}))).await.0, 422, "checked at once");
    assert_eq!(post("settings", Some(json!({"settings": {"turnMs": 30_000, "pauseMs": 20}}))).await.0, 200);
    guest(&house, "t", "Cid").await;
    let seen = view(&house, "t").await;
    let cid = seen["seats"]
        .as_array()
        .expect("seats")
        .iter()
        .position(|seat| seat["name"] == "Cid")
        .expect("there");
    assert_eq!(post("remove", Some(json!({"seat": cid}))).await.0, 200);
    let sits = |seen: &Json| seen["seats"][cid]["name"] == "Cid";
    assert!(sits(&view(&house, "t").await), "not before the hand is over");
    let hand = seen["match"].as_u64().expect("a number");
    for _ in 0..20 {
        for token in &tokens {
            answer(&house, "t", token, "Stay?", "stay").await;
        }
        if view(&house, "t").await["match"].as_u64() > Some(hand) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    let seen = until(&house, "t", |seen| seen["match"].as_u64() > Some(hand)).await;
    assert!(!sits(&seen), "removed when the hand was over");
    // The settings are the new ones: a turn has half a minute, not a whole one.
    let half_a_minute = |seen: &Json| {
        let until = seen["snapshot"]["clocks"][0]["until"].as_u64();
        until.is_some_and(|until| (30_000..60_000).contains(&until))
    };
    until(&house, "t", half_a_minute).await;
    house.server.stop().await;
}

/// A seat's bot is the one that the creator chose; people are drawn among the other seats. Cites 003-22.
#[tokio::test(flavor = "multi_thread")]
async fn bots_are_chosen_by_name_level_and_seat() {
    let house = House::open().await;
    let (_, catalog) = house.rest("GET", "/catalog/ring", None, None).await;
    let names: Vec<&str> =
        catalog["bots"].as_array().expect("bots").iter().filter_map(|bot| bot["name"].as_str()).collect();
    assert_eq!(names, ["stays", "folds", "thinks"]);
    assert_eq!(catalog["openSeating"]["startWith"], 2);
    for (bots, code) in [
        (json!([{"bot": "nobody"}]), "unknown_bot"),
        (json!([{"bot": "folds", "level": 4}]), "unknown_bot"),
        (json!([{"bot": "folds", "seat": 9}]), "seats"),
        (json!([{"seat": 1}, {"seat": 1}]), "seats"),
    ] {
        let body = json!({"game": "ring", "seats": 9, "bots": bots});
        let (status, refused) = house.rest("POST", "/matches", None, Some(body)).await;
        assert_eq!((status, refused["code"].as_str()), (400, Some(code)), "{bots}");
    }
    let settings = json!({"turnMs": 60_000, "pauseMs": 20, "hands": 2});
    let bots = json!([{"seat": 4, "bot": "folds", "level": 2}, {"bot": "thinks"}]);
    table(&house, "t", &settings, json!({"bots": bots, "num_bots": 1})).await;
    let mut ann = house.client("t", "json").await;
    ann.join("Ann", Some("token-of-Ann-0123456789")).await;
    let snapshot = ann.until("snapshot").await;
    let seats = snapshot["seats"].as_array().expect("seats");
    assert_eq!((seats[4]["name"].as_str(), seats[4]["isBot"].as_bool()), (Some("Folds 1"), Some(true)));
    assert_eq!(seats.iter().filter(|seat| seat["isBot"] == true).count(), 3);
    // The bots play by themselves, the one that thinks on another thread.
    let over = crate::client::play_out(&mut ann).await;
    assert!(over.get("over").is_some());
    let (_, log) = house.rest("GET", "/matches/t/log?as=events&match=1", None, None).await;
    let folded = |row: &Json| row["event"]["seat"] == 4 && row["event"]["folded"] == true;
    assert!(log["events"].as_array().is_some_and(|rows| rows.iter().any(folded)), "it folds: {log}");
    house.server.stop().await;
}

/// Data that no honest client can send expels its sender: logged, closed with 1008, and the token is no longer good.
/// Cites 003-19, 003/R11, 003/R17.
#[tokio::test(flavor = "multi_thread")]
async fn a_forged_answer_expels_its_sender() {
    let house = House::open().await;
    table(&house, "t", &json!({"turnMs": 60_000}), json!({})).await;
    guest(&house, "t", "Ann").await;
    let mut bob = house.client("t", "json").await;
    bob.join("Bob", Some("token-of-Bob-0123456789")).await;
    let snapshot = bob.until("snapshot").await;
    let offer = snapshot["requests"]
        .as_array()
        .expect("requests")
        .iter()
        .find(|open| open["kind"] == "offer")
        .expect("an offer");
    bob.say(json!({"type": "game_action", "action": "answer", "inputId": offer["inputId"], "data": {"title": "forged", "selection": []}}))
        .await;
    assert_eq!(bob.until_closed().await, Some((1008, "forged".to_owned())));
    let seen = view(&house, "t").await;
    let his =
        seen["seats"].as_array().expect("seats").iter().find(|seat| seat["name"] == "Bob").expect("there");
    assert_eq!(his["isBot"], true, "a bot has the seat, under the same name");
    let mut again = house.client("t", "json").await;
    again.join("Bob", Some("token-of-Bob-0123456789")).await;
    let refused = again.until("session_error").await;
    assert!(["name_taken", "game_started"].contains(&refused["code"].as_str().expect("a code")), "{refused}");
    house.server.stop().await;
}

/// Every die is committed to by itself. At the showdown the dice that are shown are opened, each with a salt of its own,
/// and fit what was published before; the die of a player who folded stays closed.
#[tokio::test(flavor = "multi_thread")]
async fn commitments_are_opened_one_by_one() {
    let house = House::open().await;
    // The result is shown for longer than the test takes.
    let settings = json!({"turnMs": 60_000, "pauseMs": 60_000});
    let bots = json!([{"seat": 4, "bot": "folds"}, {"seat": 5, "bot": "stays"}]);
    table(&house, "t", &settings, json!({"bots": bots})).await;
    let mut ann = house.client("t", "json").await;
    ann.join("Ann", Some("token-of-Ann-0123456789")).await;
    let before = ann.until("snapshot").await;
    let seats = before["seats"].as_array().expect("seats");
    let own = seats.iter().position(|seat| seat["name"] == "Ann").expect("a seat");
    let published: Vec<String> =
        serde_json::from_value(before["view"]["commitments"].clone()).expect("one for each seat");
    assert_eq!(published.len(), 9);
    assert!(
        before["view"]["players"]
            .as_array()
            .expect("players")
            .iter()
            .all(|player| player["opened"].is_null())
    );
    until(&house, "t", |seen| seen["snapshot"]["view"]["turn"] == own).await;
    ann.answer(json!({"title": "Stay?", "selection": ["stay"]})).await;
    let seen = until(&house, "t", |seen| !seen["snapshot"]["view"]["players"][own]["opened"].is_null()).await;
    let view = &seen["snapshot"]["view"];
    assert_eq!(view["commitments"], before["view"]["commitments"], "nothing is committed to anew");
    for seat in [own, 5] {
        let player = &view["players"][seat];
        let opened: Opened = serde_json::from_value(player["opened"].clone()).expect("it was opened");
        let die = player["die"].as_u64().expect("a die") as u8;
        assert!(verify(&published[seat], &opened, &[die]), "seat {seat} shows what it was dealt");
        assert!(!verify(&published[seat], &opened, &[die % 6 + 1]), "another die does not fit");
        assert!(!verify(&published[4], &opened, &[die]), "one salt opens one commitment");
    }
    let folded = &view["players"][4];
    assert_eq!(
        (&folded["folded"], &folded["die"], &folded["opened"]),
        (&json!(true), &Json::Null, &Json::Null)
    );
    house.server.stop().await;
}

/// A client without a socket waits for news of a version that it has. Cites 000-14.
#[tokio::test(flavor = "multi_thread")]
async fn a_view_waits_for_something_newer() {
    let house = House::open().await;
    let [mut one, mut two] = house.pair("t", "oxo").await;
    let v = view(&house, "t").await["snapshot"]["v"].as_u64().expect("a version");
    let at_once = house.rest("GET", "/matches/t?wait=20000&v=0", None, None).await.1;
    assert_eq!(at_once["snapshot"]["v"].as_u64(), Some(v), "what is old is answered at once");
    let nothing = house.rest("GET", &format!("/matches/t?wait=50&v={v}"), None, None).await.1;
    assert_eq!(nothing["snapshot"]["v"].as_u64(), Some(v), "and what stands when the time is over");
    let path = format!("/matches/t?wait=20000&v={v}");
    let waiting = house.rest("GET", &path, None, None);
    let moving = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        one.answer(json!({"title": "Take a cell", "selection": ["a1"]})).await;
        two.until("update").await;
    };
    let ((_, news), ()) = tokio::join!(waiting, moving);
    assert_eq!(news["snapshot"]["view"]["board"], "......x..");
    house.server.stop().await;
}

/// The last cell is taken by itself: there is nothing to choose, and everybody sees that. Cites 000-19.
#[tokio::test(flavor = "multi_thread")]
async fn a_forced_move_is_answered_by_the_server() {
    let house = House::open().await;
    let mut players = house.pair("t", "oxo").await;
    // A draw: the ninth cell is left.
    for (n, cell) in ["a1", "b2", "c3", "a2", "c2", "c1", "a3", "b3"].iter().enumerate() {
        players[n % 2].answer(json!({"title": "Take a cell", "selection": [cell]})).await;
        players[n % 2].until("accepted").await;
        players[(n + 1) % 2].until("update").await;
    }
    let seen = view(&house, "t").await;
    assert_eq!(
        (seen["over"].as_bool(), seen["snapshot"]["view"]["turn"].as_u64()),
        (Some(true), Some(9)),
        "{seen}"
    );
    house.server.stop().await;
}

/// A program outside of the server plays a seat with the house's messages; the game's bot takes over when it fails.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_plays_as_a_bot_and_is_replaced_when_it_fails() {
    let plays = "import sys, json\n\
for line in sys.stdin:\n\
    m = json.loads(line)\n\
    for r in m.get('requests') or []:\n\
        if r['kind'] == 'request':\n\
            pick = r['choices'][0]['title']\n\
            d = {'title': r['title'], 'selection': [pick]}\n\
            print(json.dumps({'type': 'game_action', 'action': 'answer', 'inputId': r['inputId'], 'data': d}), flush=True)\n";
    let program = |name: &str, code: &str, answer_ms| BotProgram {
        name: name.to_owned(),
        game: "oxo".to_owned(),
        command: vec!["python3".to_owned(), "-c".to_owned(), code.to_owned()],
        answer_ms,
    };
    let programs = vec![
        program("plays", plays, 20_000),
        program("dies", "import sys; sys.exit(1)", 20_000),
        program("stalls", "import time; time.sleep(1000)", 50),
        program("errs", "print('hm', flush=True); import time; time.sleep(1000)", 20_000),
    ];
    let house = House::with(Config { bot_programs: programs, ..config() }).await;
    for name in ["plays", "dies", "stalls", "errs"] {
        let body = json!({"id": name, "game": "oxo", "bots": [{"program": name}]});
        assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201, "{name}");
        let mut ann = house.client(name, "json").await;
        ann.join("Ann", None).await;
        ann.until("snapshot").await;
        let over = crate::client::play_out(&mut ann).await;
        assert!(over.get("over").is_some(), "{name}: the match goes on to its end");
    }
    let unknown = json!({"game": "oxo", "bots": [{"program": "nobody"}]});
    assert_eq!(house.rest("POST", "/matches", None, Some(unknown)).await.1["code"], "unknown_bot");
    house.server.stop().await;
}

/// A retry is recognised across a link and a restart, although no header holds its key any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_retry_is_known_after_a_link_and_a_restart() {
    let house = House::open().await;
    table(&house, "t", &json!({"turnMs": 60_000, "pauseMs": 10}), json!({})).await;
    let tokens = [guest(&house, "t", "Ann").await, guest(&house, "t", "Bob").await];
    until(&house, "t", |seen| seen["status"] == "running").await;
    let body = json!({"title": "Beside the hand", "selection": ["top up"], "inputId": 1, "requestKey": "k1"});
    let (_, seen) = house.rest("GET", "/matches/t", Some(&tokens[0]), None).await;
    let offer = seen["snapshot"]["requests"]
        .as_array()
        .expect("requests")
        .iter()
        .find(|open| open["kind"] == "offer")
        .cloned()
        .expect("an offer");
    let mut body = body;
    body["inputId"] = offer["inputId"].clone();
    let say = |house: House, body: Json, token: String| async move {
        let reply = house.rest("POST", "/matches/t/responses", Some(&token), Some(body)).await;
        (house, reply)
    };
    let (house, (code, first)) = say(house, body.clone(), tokens[0].clone()).await;
    assert_eq!(code, 200, "{first}");
    for _ in 0..40 {
        for token in &tokens {
            answer(&house, "t", token, "Stay?", "fold").await;
        }
        if view(&house, "t").await["match"].as_u64() > Some(2) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(view(&house, "t").await["match"].as_u64() > Some(2), "two links lie between");
    let house = house.restart(config()).await;
    let before = view(&house, "t").await["snapshot"]["view"].clone();
    let (house, (code, again)) = say(house, body, tokens[0].clone()).await;
    assert_eq!(code, 200, "{again}");
    // The hands go on meanwhile, and two antes make no rake.
    let chips = |view: &Json| -> i64 {
        let stacks =
            view["players"].as_array().into_iter().flatten().filter_map(|player| player["stack"].as_i64());
        stacks.sum::<i64>() + view["pot"].as_i64().unwrap_or(0)
    };
    let after = view(&house, "t").await["snapshot"]["view"].clone();
    assert_eq!(chips(&after), chips(&before), "nothing was paid twice");
    assert_eq!(chips(&after), 45, "two buy-ins and one top-up");
    house.server.stop().await;
}

/// The settings of a table that its creator chooses hold for it alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_has_manners_of_its_own() {
    let house = House::open().await;
    let body = json!({"id": "t", "game": "oxo", "bots": 0, "awayGraceMs": 30, "standInBot": "house"});
    assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201);
    let bad = json!({"game": "oxo", "standInBot": "nobody"});
    assert_eq!(house.rest("POST", "/matches", None, Some(bad)).await.1["code"], "unknown_bot");
    let mut clients: Vec<Client> = Vec::new();
    for name in ["Ann", "Bob"] {
        let mut client = house.client("t", "json").await;
        client.join(name, Some(&format!("token-of-{name}-0123456789"))).await;
        client.until("game_joined").await;
        clients.push(client);
    }
    for client in &mut clients {
        client.until("snapshot").await;
    }
    drop(clients.pop());
    // The server's own grace is fifteen seconds; the test waits for the table's.
    until(&house, "t", |seen| {
        seen["seats"].as_array().is_some_and(|all| all.iter().any(|seat| seat["isBot"] == true))
    })
    .await;
    house.server.stop().await;
}
