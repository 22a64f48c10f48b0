//! A riichi table before, beside and after the game, as the document's clients meet it: routes, frames, errors, tokens, how a
//! game starts and what becomes of a table that everybody has left. Clocks are held where time decides.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use parlor_core::{Game, Json, Viewer};
use parlor_host::Command;
use parlor_server::{Clock, Config, Server};
use parlor_store_sqlite::{Options, SqliteStore};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, House, TempFile, call, config};

const TABLE: &str = "r";
/// Longer than anything here takes: what has not come by then never comes.
const PATIENCE: Duration = Duration::from_secs(20);
/// Every message of the document to a client (003-4, 003-5, 003/R15).
const WORDS: [&str; 19] = [
    "game_joined",
    "game_left",
    "player_joined",
    "player_left",
    "chat",
    "pong",
    "session_error",
    "game_started",
    "round_started",
    "draw",
    "discard",
    "meld",
    "dora_revealed",
    "call_prompt",
    "round_end",
    "furiten",
    "game_end",
    "riichi_declared",
    "error",
];

/// What a client of the document says first.
fn join(name: &str, token: Option<&str>) -> Json {
    let mut join = json!({"type": "join_game", "game_id": TABLE, "player_name": name});
    if let Some(token) = token {
        join["session_token"] = json!(token);
    }
    join
}

/// A client of the document at a table.
async fn guest(house: &House, name: &str, token: Option<&str>) -> Client {
    let mut client = house.client(TABLE, "none").await;
    client.say(join(name, token)).await;
    client
}

/// Everything sent so far has been heard when the answer to a ping comes.
async fn catch_up(client: &mut Client) {
    client.say(json!({"type": "ping"})).await;
    client.until("pong").await;
}

fn heard(client: &Client, kind: &str) -> usize {
    client.heard.iter().filter(|message| message["type"] == kind).count()
}

async fn make(house: &House, body: Json) -> Json {
    let (code, made) = house.rest("POST", "/games", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
    made
}

/// Waits for something that a lost socket brings about.
async fn until_seen(house: &House, what: &str, is: impl Fn(&Json) -> bool) {
    let found = tokio::time::timeout(PATIENCE, async {
        loop {
            let (_, seen) = house.rest("GET", &format!("/matches/{TABLE}"), None, None).await;
            if is(&seen) {
                return;
            }
            tokio::task::yield_now().await;
        }
    });
    assert!(found.await.is_ok(), "the table is never {what}");
}

/// The document's routes with what they take and give. Cites 003-1.
#[tokio::test(flavor = "multi_thread")]
async fn the_documents_routes_make_count_and_list_riichi_tables() {
    assert!(Config::default().listen.ends_with(":8001"), "the document's port");
    let house = House::with(Config { tables_max: 5, ..config() }).await;
    assert_eq!(house.rest("GET", "/health", None, None).await, (200, json!({"status": "ok"})));
    for (given, bots) in [(json!({}), 3), (json!({"num_bots": 0}), 0), (json!({"num_bots": 2}), 2)] {
        let mut body = given.clone();
        body["game_id"] = json!(format!("b{bots}"));
        let made = make(&house, body).await;
        assert_eq!(made, json!({"game_id": format!("b{bots}"), "num_bots": bots, "status": "created"}));
    }
    let named = make(&house, json!({})).await["game_id"].as_str().map(str::to_owned).expect("a name");
    for wrong in [json!({"num_bots": 4}), json!({"num_bots": -1}), json!({"num_bots": "3"})] {
        assert_eq!(house.rest("POST", "/games", None, Some(wrong.clone())).await.0, 400, "{wrong}");
    }
    let again = json!({"game_id": "b3"});
    assert_eq!(house.rest("POST", "/games", None, Some(again)).await.0, 409, "a name is given once");
    let (_, status) = house.rest("GET", "/status", None, None).await;
    assert_eq!(status, json!({"status": "ok", "active_games": 4, "max_games": 5}));
    let (_, games) = house.rest("GET", "/games", None, None).await;
    let mut listed: Vec<(Json, Json)> = Vec::new();
    for game in games["games"].as_array().expect("a list") {
        assert_eq!((&game["max_players"], &game["started"]), (&json!(4), &json!(false)), "{game}");
        listed.push((game["game_id"].clone(), game["num_bots"].clone()));
    }
    listed.sort_by_key(|(name, _)| name.to_string());
    let mut wanted: Vec<(Json, Json)> =
        [("b3", 3), ("b0", 0), ("b2", 2), (&named, 3)].map(|(name, bots)| (json!(name), json!(bots))).into();
    wanted.sort_by_key(|(name, _)| name.to_string());
    assert_eq!(listed, wanted);
    house.server.stop().await;
}

/// A table that nobody named is a riichi table and a match like any other; a server without riichi says what it has.
/// Cites 003/R13.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_the_documents_route_is_a_riichi_match() {
    let house = House::open().await;
    make(&house, json!({"game_id": TABLE})).await;
    let (code, seen) = house.rest("GET", "/matches/r", None, None).await;
    assert_eq!((code, seen["game"].as_str()), (200, Some("riichi")), "{seen}");
    let (_, waiting) = house.rest("GET", "/matches?state=waiting", None, None).await;
    assert_eq!(waiting["matches"][0]["id"], TABLE, "{waiting}");
    let (code, refused) = house.rest("POST", "/games", None, Some(json!({"game": "chess"}))).await;
    assert_eq!(code, 400);
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("riichi")), "{refused}");
    house.server.stop().await;

    let file = TempFile::new();
    let store = Arc::new(SqliteStore::open(&file.0, Options::default()).expect("the store opens"));
    let only_oxo =
        Server::builder(config(), [parlor_oxo::Oxo::def()], store).start().await.expect("it starts");
    let (code, refused) = call(only_oxo.addr, "POST", "/games", None, Some(json!({})), &[]).await;
    assert_eq!(code, 400, "{refused}");
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("oxo")), "{refused}");
    only_oxo.stop().await;
}

/// The game of the path must exist; everything that comes is a binary frame with a map that has a `type`, and a frame of
/// text or without a type is refused. Cites 003-2, 003/R16.
#[tokio::test(flavor = "multi_thread")]
async fn every_frame_is_messagepack_with_a_type() {
    let house = House::open().await;
    make(&house, json!({"game_id": TABLE})).await;
    let mut lost = house.client("nowhere", "none").await;
    lost.say(join("Ann", None)).await;
    assert_eq!(lost.until("session_error").await["code"], "game_not_found");

    let mut ann = guest(&house, "Ann", None).await;
    let (mut frames, mut started) = (0, false);
    while !started {
        let frame = tokio::time::timeout(PATIENCE, ann.socket.next()).await.expect("a frame");
        let Some(Ok(Message::Binary(bytes))) = frame else { panic!("no binary frame: {frame:?}") };
        let message: Json = rmp_serde::from_slice(&bytes).expect("MessagePack");
        assert!(message["type"].is_string(), "{message}");
        started = message["type"] == "round_started";
        frames += 1;
    }
    assert!(frames > 2);
    for bad in [json!({"action": "discard"}), json!({"type": 7}), json!([1, 2])] {
        ann.say(bad.clone()).await;
        assert_eq!(ann.until("error").await["code"], "invalid_message", "{bad}");
    }
    // The next ping is a good frame: those before it are forgotten.
    catch_up(&mut ann).await;
    for _ in 0..5 {
        ann.raw(Message::Text(r#"{"type":"ping"}"#.into())).await;
        assert_eq!(ann.until("error").await["code"], "invalid_message", "text, after binary frames");
    }
    assert_eq!(ann.until_closed().await.map(|(code, _)| code), Some(4004));
    house.server.stop().await;
}

/// Each error of a session has the document's code and the words of the public implementation. Cites 003-7.
#[tokio::test(flavor = "multi_thread")]
async fn every_session_error_has_the_documents_code_and_words() {
    let house = House::open().await;
    let body = json!({"id": TABLE, "game": "riichi", "bots": 2, "readyCheck": true});
    assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201);
    let error = async |client: &mut Client| -> (String, String) {
        let told = client.until("session_error").await;
        let text = |field: &str| told[field].as_str().unwrap_or_default().to_owned();
        (text("code"), text("message"))
    };
    let told = |code: &str, message: &str| (code.to_owned(), message.to_owned());
    let mut nobody = house.client(TABLE, "none").await;
    nobody.say(json!({"type": "leave_game"})).await;
    assert_eq!(error(&mut nobody).await.0, "not_in_game");
    let mut lost = house.client("nowhere", "none").await;
    lost.say(join("Ann", None)).await;
    assert_eq!(error(&mut lost).await, told("game_not_found", "Game does not exist"));
    let mut ann = guest(&house, "Ann", None).await;
    ann.until("game_joined").await;
    ann.say(join("Ann", None)).await;
    assert_eq!(error(&mut ann).await, told("already_in_game", "You must leave your current game first"));
    let mut twin = guest(&house, "Ann", None).await;
    assert_eq!(error(&mut twin).await, told("name_taken", "That name is already taken in this game"));
    let mut bob = guest(&house, "Bob", None).await;
    bob.until("game_joined").await;
    // Two people are all that are needed; the game waits for them to be ready.
    let mut carl = guest(&house, "Carl", None).await;
    assert_eq!(error(&mut carl).await, told("game_full", "Game is full"));
    bob.say(json!({"type": "leave_game"})).await;
    bob.until("game_left").await;
    carl.say(join("Carl", None)).await;
    carl.until("game_joined").await;
    house.server.stop().await;

    let house = House::open().await;
    make(&house, json!({"game_id": TABLE})).await;
    let mut ann = guest(&house, "Ann", None).await;
    ann.until("round_started").await;
    let mut late = guest(&house, "Late", None).await;
    assert_eq!(error(&mut late).await, told("game_started", "Game has already started"));
    house.server.stop().await;
}

/// Four minus `num_bots` people are waited for and not one less; bots have the other seats, and where people sit is drawn.
/// Cites 003-22.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_starts_with_its_last_human_and_seats_are_drawn() {
    const NAMES: [&str; 4] = ["Ann", "Bob", "Cy", "Dee"];
    for bots in 0..=3_usize {
        let house = House::open().await;
        make(&house, json!({"game_id": TABLE, "num_bots": bots})).await;
        let mut people: Vec<Client> = Vec::new();
        for name in &NAMES[..4 - bots] {
            for waiting in &mut people {
                catch_up(waiting).await;
                assert_eq!(
                    heard(waiting, "game_started"),
                    0,
                    "{} of {} are there",
                    people_at(waiting),
                    4 - bots
                );
            }
            people.push(guest(&house, name, None).await);
            people.last_mut().expect("the one who came").until("game_joined").await;
        }
        let mut seats = BTreeSet::new();
        for (player, name) in people.iter_mut().zip(NAMES) {
            let started = player.until("game_started").await;
            let all = started["players"].as_array().expect("players");
            assert_eq!(all.iter().filter(|one| one["is_bot"] == true).count(), bots);
            assert_eq!(
                all.iter().map(|one| one["seat"].as_u64()).collect::<Vec<_>>(),
                [0, 1, 2, 3].map(Some)
            );
            let own = player.until("round_started").await["view"]["seat"].as_u64().expect("a seat");
            assert_eq!(all[own as usize]["name"], name, "the seat that the list says");
            seats.insert(own);
        }
        assert_eq!(seats.len(), 4 - bots, "each in a seat of their own");
        house.server.stop().await;
    }
    let house = House::open().await;
    let mut seats = BTreeSet::new();
    for n in 0..12 {
        let id = format!("t{n}");
        let body = json!({"id": id, "game": "riichi", "bots": 3, "seed": format!("seat {n}")});
        assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201);
        let mut ann = house.client(&id, "none").await;
        ann.say(join("Ann", None)).await;
        seats.insert(ann.until("round_started").await["view"]["seat"].as_u64().expect("a seat"));
    }
    assert_eq!(seats.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3], "anybody may sit anywhere");
    house.server.stop().await;
}

/// How many people a client knows of.
fn people_at(client: &Client) -> usize {
    let joined = client.heard.iter().find(|message| message["type"] == "game_joined");
    joined.and_then(|joined| joined["players"].as_array()).map_or(0, Vec::len)
        + heard(client, "player_joined")
}

/// A token comes back as it was sent, is a secret, and is stored as a hash; a long one brings its player back, a short one
/// does not; without one the server makes one; after `leave_game` it is worth nothing. Cites 003-24, 003/R2.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_its_owners_secret_and_the_right_to_come_back() {
    const LONG: &str = "3f2a9c10-77aa-4e1b-9d55-0c6f8e21b7aa";
    const SHORT: &str = "fifteen-letters";
    let house = House::open().await;
    // With `document` the table would end when all three sockets are lost.
    make(&house, json!({"game_id": TABLE, "num_bots": 1, "settings": {"profile": "standard"}})).await;
    for wrong in ["a token with spaces", "tok/en-0123456789abcdef", &"x".repeat(51)] {
        let mut client = guest(&house, "Ann", Some(wrong)).await;
        assert_eq!(client.until("error").await["code"], "invalid_message", "{wrong}");
    }
    let mut ann = guest(&house, "Ann", Some(LONG)).await;
    assert_eq!(ann.until("game_joined").await["session_token"], LONG);
    let mut bob = guest(&house, "Bob", Some(SHORT)).await;
    assert_eq!(bob.until("game_joined").await["session_token"], SHORT);
    let mut cy = guest(&house, "Cy", None).await;
    let made = cy.until("game_joined").await["session_token"].as_str().expect("a token").to_owned();
    assert_eq!((made.len(), made.bytes().all(|digit| digit.is_ascii_hexdigit())), (32, true), "128 bits");
    for player in [&mut ann, &mut bob, &mut cy] {
        player.until("round_started").await;
        catch_up(player).await;
    }
    let told = |client: &Client, token: &str| client.heard.iter().any(|m| m.to_string().contains(token));
    for (owner, token) in [(0, LONG), (1, SHORT), (2, &made)] {
        for (other, client) in [&ann, &bob, &cy].into_iter().enumerate() {
            assert_eq!(told(client, token), owner == other, "client {other} and the token of {owner}");
        }
    }
    let (_, seen) = house.rest("GET", "/matches/r", None, None).await;
    for token in [LONG, SHORT, &made] {
        assert!(!seen.to_string().contains(token), "the public table has a token");
        assert!(!stored(&house.file, token), "the store has {token} itself");
    }
    // Lost sockets: who has a long token comes back, also if the server made it; who has a short one does not.
    drop((ann, bob, cy));
    for (name, token) in [("Ann", LONG), ("Cy", &made)] {
        let mut back = guest(&house, name, Some(token)).await;
        assert_eq!(back.until("game_joined").await["session_token"], token, "never replaced");
        back.until("round_started").await;
        if name == "Ann" {
            back.say(json!({"type": "leave_game"})).await;
            back.until("game_left").await;
        } else {
            catch_up(&mut back).await;
            let mut bob = guest(&house, "Bob", Some(SHORT)).await;
            assert_eq!(bob.until("session_error").await["code"], "game_started", "too short to come back");
            let mut ann = guest(&house, "Ann", Some(LONG)).await;
            assert_eq!(ann.until("session_error").await["code"], "game_started", "she has left");
        }
    }
    house.server.stop().await;
}

/// Whether the store's files have this text in them.
fn stored(file: &TempFile, text: &str) -> bool {
    ["", "-wal"].iter().any(|end| {
        let mut path = file.0.clone().into_os_string();
        path.push(end);
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

/// A player who leaves before the game starts is forgotten: name, seat and token. Cites 003-24.
#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_before_the_start_is_forgotten() {
    const TOKEN: &str = "3f2a9c10-77aa-4e1b-9d55-0c6f8e21b7aa";
    let house = House::open().await;
    make(&house, json!({"game_id": TABLE, "num_bots": 2})).await;
    let mut ann = guest(&house, "Ann", Some(TOKEN)).await;
    ann.until("game_joined").await;
    ann.say(json!({"type": "leave_game"})).await;
    ann.until("game_left").await;
    // Another has the name; the game still needs two.
    let mut other = guest(&house, "Ann", None).await;
    assert_eq!(other.until("game_joined").await["players"], json!(["Ann"]));
    let mut bob = guest(&house, "Bob", None).await;
    bob.until("round_started").await;
    let mut back = guest(&house, "Annabel", Some(TOKEN)).await;
    assert_eq!(back.until("session_error").await["code"], "game_started");
    house.server.stop().await;
}

/// Under `document` a table ends with its last player's socket, and no bot plays on. Cites 003/R9, 003/R17.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_the_document_ends_with_its_last_socket() {
    let house = House::by_clock(Clock::held(0), config(), TempFile::new()).await;
    make(&house, json!({"game_id": TABLE, "num_bots": 2})).await;
    let mut ann = guest(&house, "Ann", Some("token-of-Ann-0123456789")).await;
    ann.until("game_joined").await;
    let mut bob = guest(&house, "Bob", Some("token-of-Bob-0123456789")).await;
    for player in [&mut ann, &mut bob] {
        player.until("round_started").await;
    }
    drop(bob);
    ann.until("player_left").await;
    catch_up(&mut ann).await;
    let (_, seen) = house.rest("GET", "/matches/r", None, None).await;
    assert_eq!(seen["status"], "running", "one is left: {seen}");
    drop(ann);
    until_seen(&house, "finished", |seen| seen["status"] == "finished").await;
    let (_, log) = house.rest("GET", "/matches/r/log", None, None).await;
    let log = parlor_core::logfile::LogFile::parse(log.as_str().expect("lines")).expect("a log");
    let last = json!(log.records.last().expect("records"));
    assert!(last.to_string().contains("abandoned"), "the last thing that happened: {last}");
    let mut back = guest(&house, "Ann", Some("token-of-Ann-0123456789")).await;
    let told = back.next().await.expect("an answer");
    assert_ne!(told["type"], "round_started", "there is nothing to come back to");
    house.server.stop().await;
}

/// Under `standard` it waits two minutes with clocks stopped and bots idle, and a restart of the server does not count.
/// Cites 003/R9.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_under_standard_waits_two_minutes_and_a_restart_does_not_count() {
    let token = "token-of-Ann-0123456789";
    let house = House::by_clock(Clock::held(0), config(), TempFile::new()).await;
    let settings = json!({"profile": "standard"});
    make(&house, json!({"game_id": TABLE, "settings": settings})).await;
    let mut ann = guest(&house, "Ann", Some(token)).await;
    ann.until("round_started").await;
    house.server.stop().await;
    // The server went, not the player: it may be away for as long as it likes.
    let file = house.file;
    drop((house.store, ann));
    let house = House::by_clock(Clock::held(600_000), config(), file).await;
    for later in [900_000, 900_001] {
        // The table may have left memory by then.
        let _ = house.server.tell(TABLE, later, Command::Tick, Viewer::Gallery).await;
    }
    let mut ann = guest(&house, "Ann", Some(token)).await;
    ann.until("round_started").await;
    catch_up(&mut ann).await;
    drop(ann);
    until_seen(&house, "paused", |seen| seen["snapshot"]["paused"].is_string()).await;
    let table = async || {
        let (_, seen) = house.rest("GET", "/matches/r", None, None).await;
        (seen["status"].clone(), seen["snapshot"]["view"].clone())
    };
    let before = table().await;
    let later = async |ms: u64| house.server.tell(TABLE, 900_001 + ms, Command::Tick, Viewer::Gallery).await;
    later(119_999).await;
    assert_eq!(table().await, before, "it waits, and nobody does anything");
    later(120_000).await;
    until_seen(&house, "finished", |seen| seen["status"] == "finished").await;
    house.server.stop().await;
}

/// A client of the document hears the document's words and no other; whatever only the house knows how to say (clocks,
/// waits, hashes, versions) is not in them. Both subprotocols speak the house's words at the same table. Cites 003/R16.
#[tokio::test(flavor = "multi_thread")]
async fn who_speaks_the_documents_words_hears_no_others() {
    let house = House::open().await;
    make(&house, json!({"game_id": TABLE, "num_bots": 1})).await;
    let mut ann = guest(&house, "Ann", None).await;
    ann.until("game_joined").await;
    let mut own = Vec::new();
    for (name, codec) in [("Bob", "json"), ("Cy", "msgpack")] {
        let mut client = house.client(TABLE, codec).await;
        client.join(name, None).await;
        client.until("game_joined").await;
        own.push(client);
    }
    for client in &mut own {
        let snapshot = client.until("snapshot").await;
        assert!(snapshot["viewHash"].is_string() && snapshot["clocks"].is_array(), "{snapshot}");
        assert!(snapshot["view"]["hints"].is_object(), "{snapshot}");
    }
    own[0].say(json!({"type": "chat", "text": "hello"})).await;
    ann.until("chat").await;
    ann.say(json!({"type": "game_action", "action": "dance", "data": {}})).await;
    ann.until("error").await;
    catch_up(&mut ann).await;
    for message in &ann.heard {
        let kind = message["type"].as_str().expect("a type");
        assert!(WORDS.contains(&kind), "{kind} is no word of the document");
        let text = message.to_string();
        for word in
            ["clocks", "viewHash", "hints", "waits", "branchId", "inputId", "patch", "automatic", "\"v\""]
        {
            assert!(!text.contains(word), "{word} in {message}");
        }
    }
    house.server.stop().await;
}
