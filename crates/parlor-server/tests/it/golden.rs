//! A store that 0.1.0 wrote, with running tables: every later build opens it, and the tables go on.
//!
//! `conformance/golden/0.1.0/store.sql` is the store, `store.json` its content when it was written. Both are frozen.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parlor_core::{GameDef, Json, Match, Viewer};
use parlor_host::Command;
use parlor_server::{Clock, Config, Server};
use parlor_store::{Accounts, Currency, Listing, MatchLog, MatchSelector, Owner, PlayerId, TableState};
use parlor_store_sqlite::{Options, SqliteStore};
use parlor_testkit::probes::cash::Cash;
use rusqlite::Connection;
use serde_json::json;

use crate::client::{House, TempFile, config, games, registration};

/// The clock's time when the store is opened again, in milliseconds.
const LATER: u64 = 100_000;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/golden/0.1.0")
}

fn served() -> Vec<GameDef> {
    let mut served = games();
    served.push(GameDef::for_game::<Cash>());
    served
}

async fn open(file: TempFile, ms: u64) -> House {
    let config = Config { welcome_tokens: 100, last_human_grace_ms: 3_600_000, ..config() };
    let store = Arc::new(SqliteStore::open(&file.0, Options::default()).expect("the store opens"));
    let games = served().into_iter().map(registration);
    let started = Server::builder(config, games, store.clone()).clock(Clock::held(ms)).start().await;
    House { server: started.expect("the server starts"), store, file }
}

// ---- the content of such a store ----

/// Everything that must be unchanged after a later build has opened it.
fn content(store: &SqliteStore, players: &[String]) -> Json {
    let tokens = Currency::new("tokens").expect("a good name");
    let listed = store.tables(&Listing::default()).expect("it can be read");
    let mut owners = vec![Owner::House, Owner::Burn, Owner::Mint];
    owners.extend(listed.iter().map(|info| Owner::Table(info.table.clone())));
    owners.extend(players.iter().map(|id| Owner::Player(PlayerId::new(id).expect("an id"))));
    let balances: serde_json::Map<String, Json> = owners
        .iter()
        .map(|owner| (owner.to_string(), json!(store.balance(owner, &tokens).expect("it can be read"))))
        .collect();
    let tables: serde_json::Map<String, Json> = listed
        .iter()
        .map(|info| {
            let digests: Vec<Json> = (1..=info.match_no).map(|n| digest(store, info, n)).collect();
            let row = json!({"game": info.game, "state": state(info.state), "matches": digests});
            (info.table.to_string(), row)
        })
        .collect();
    let people: serde_json::Map<String, Json> =
        players.iter().map(|id| (id.clone(), person(store, &PlayerId::new(id).expect("an id")))).collect();
    json!({"balances": balances, "tables": tables, "people": people})
}

fn state(state: TableState) -> &'static str {
    match state {
        TableState::Running => "running",
        TableState::Paused => "paused",
        TableState::Finished => "finished",
    }
}

/// The digest of one match's replay.
fn digest(store: &SqliteStore, info: &parlor_store::TableInfo, match_no: u32) -> Json {
    let stored = store
        .read(&info.table, MatchSelector::Match(match_no))
        .expect("it can be read")
        .expect("it is there");
    let def = served().into_iter().find(|def| def.name == info.game).expect("the game is served");
    let played = Match::replay(def, stored.header, stored.records);
    let played = played.unwrap_or_else(|error| panic!("{} does not replay: {error}", info.table));
    json!({"records": played.record_count(), "digest": played.footer().digest, "chain": played.footer().chain})
}

fn person(store: &SqliteStore, id: &PlayerId) -> Json {
    let player = store.player(id).expect("it can be read").expect("the account is there");
    let standings = store.standings(id).expect("it can be read");
    let past = store.history(id, None, 100).expect("it can be read");
    let rows: Vec<Json> = past
        .iter()
        .map(|past| json!([past.table.as_str(), past.played.went.word(), past.played.reason]))
        .collect();
    let rated: Vec<Json> =
        standings.iter().map(|s| json!([s.game, s.points, s.won, s.lost, s.drawn])).collect();
    json!({"name": player.name, "standings": rated, "matches": rows})
}

// ---- opening it ----

#[tokio::test(flavor = "multi_thread")]
async fn a_store_of_0_1_0_opens_and_every_match_goes_on() {
    if std::env::var_os("PARLOR_BLESS").is_some() && !folder().join("store.sql").exists() {
        write().await;
    }
    let kept = std::fs::read_to_string(folder().join("store.json")).expect("it is in the repository");
    let kept: Json = serde_json::from_str(&kept).expect("it is JSON");
    let sql = std::fs::read_to_string(folder().join("store.sql")).expect("it is in the repository");
    let file = TempFile::new();
    Connection::open(&file.0).expect("a new file").execute_batch(&sql).expect("it is SQL");
    let players: Vec<String> =
        kept["content"]["people"].as_object().expect("a map").keys().cloned().collect();

    let store = SqliteStore::open(&file.0, Options::default()).expect("the store opens");
    assert_eq!(content(&store, &players), kept["content"]);
    assert_eq!((store.audit(), store.integrity()), (Ok(Vec::new()), Ok(Vec::new())));
    drop(store);

    let house = open(file, LATER).await;
    assert_eq!(content(&house.store, &players)["balances"], kept["content"]["balances"]);
    let running: Vec<(&String, &Json)> = kept["tables"].as_object().expect("a map").iter().collect();
    for (id, tokens) in running {
        goes_on(&house, id, tokens, &kept).await;
    }
    the_rest_is_there(&house, &kept).await;
    assert_eq!((house.store.audit(), house.store.integrity()), (Ok(Vec::new()), Ok(Vec::new())));
    house.server.stop().await;
}

/// The players of this table play on, in the state it had.
async fn goes_on(house: &House, id: &str, tokens: &Json, kept: &Json) {
    let tokens: Vec<&str> =
        tokens.as_array().expect("a list").iter().map(|t| t.as_str().expect("text")).collect();
    // Players who had sockets are waited for until they connect again.
    let mut back = Vec::new();
    for name in ["Alice", "Bob"].into_iter().filter(|_| id == "oxo-talk") {
        let mut client = house.client(id, "json").await;
        client.join(name, Some(&format!("token-of-{name}-0123456789"))).await;
        client.until("snapshot").await;
        back.push(client);
    }
    let (code, seen) = house.rest("GET", &format!("/matches/{id}"), Some(tokens[0]), None).await;
    assert_eq!(code, 200, "{id}: {seen}");
    let state = kept["content"]["tables"][id]["state"].as_str().expect("a state");
    match state {
        "finished" => assert_eq!(seen["status"], "finished", "{id}"),
        "paused" => assert!(seen["paused"].is_string(), "{id}: {seen}"),
        _ => {
            assert_eq!((seen["status"].as_str(), &seen["paused"]), (Some("running"), &Json::Null), "{id}");
            assert!(step(house, id, &tokens).await, "{id} does not go on");
        }
    }
}

/// Stakes, accounts and rooms.
async fn the_rest_is_there(house: &House, kept: &Json) {
    let token = |name: &str| kept["accounts"][name].as_str().expect("a token").to_owned();
    let (ann, bob) = (token("Ann"), token("Bob"));
    let before = (house.tokens(&ann).await, house.tokens(&bob).await);
    house.rest("POST", "/matches/battle-staked/leave", Some(&bob), None).await;
    let mut tries = 0;
    while house.tokens(&ann).await != before.0 + 2 {
        tries += 1;
        assert!(tries < 200, "the pot does not come: {}", house.tokens(&ann).await);
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    assert_eq!(house.tokens(&bob).await, before.1);
    let (_, waiting) = house.rest("GET", "/matches?state=waiting", None, None).await;
    assert_eq!(waiting["matches"][0]["id"], "room-open", "{waiting}");
    let (code, joined) = house.rest("POST", "/matches/room-open/join", Some(&bob), None).await;
    assert_eq!((code, joined["started"].as_bool()), (200, Some(true)), "{joined}");
    let invite = json!({"player_name": "Gil", "invite": kept["invite"]});
    let (code, joined) = house.rest("POST", "/matches/room-private/join", None, Some(invite)).await;
    assert_eq!((code, joined["started"].as_bool()), (200, Some(false)), "{joined}");
    let (code, gone) = house.rest("GET", "/players/me", Some(&token("Eve")), None).await;
    assert_eq!(code, 401, "an account that was given up: {gone}");
}

/// Answers the first open request of one of these players; returns whether the answer was accepted.
async fn step(house: &House, id: &str, tokens: &[&str]) -> bool {
    for token in tokens {
        let (_, seen) = house.rest("GET", &format!("/matches/{id}"), Some(token), None).await;
        let requests = seen["snapshot"]["requests"].as_array().cloned().unwrap_or_default();
        let Some(request) = requests.iter().find(|request| request["kind"] == "request") else { continue };
        let mut body = answer(request);
        body["inputId"] = request["inputId"].clone();
        let (code, reply) =
            house.rest("POST", &format!("/matches/{id}/responses"), Some(token), Some(body)).await;
        assert_eq!(code, 200, "{id}: {request} {reply}");
        return true;
    }
    false
}

/// The first choices, as many as the request wants.
fn answer(request: &Json) -> Json {
    match request["title"].as_str() {
        Some("Lay a card") => return json!({"card": 0}),
        Some("Confirm a layout") => {
            return json!({"title": "Confirm a layout", "selection": [null, null, null]});
        }
        _ => {}
    }
    let number = request["count"].as_u64().or(request["min"].as_u64()).unwrap_or(1) as usize;
    let pick = |choice: &Json| match choice.get("id") {
        Some(id) => json!({"title": choice["title"], "id": id}),
        None => choice["title"].clone(),
    };
    let choices = request["choices"].as_array().map_or(&[][..], Vec::as_slice);
    json!({"title": request["title"], "selection": choices.iter().take(number).map(pick).collect::<Vec<_>>()})
}

// ---- writing it, once ----

/// Creates a table and seats these players, by their accounts or as guests; returns their tokens.
async fn table(house: &House, order: Json, people: &[Option<&str>]) -> (Vec<String>, Json) {
    let id = order["id"].as_str().expect("an id").to_owned();
    let (code, made) = house.rest("POST", "/matches", None, Some(order)).await;
    assert_eq!(code, 201, "{made}");
    let mut tokens = Vec::new();
    for (account, name) in people.iter().zip(["Gil", "Hal", "Ida"]) {
        let name = json!({"player_name": name});
        let (code, joined) = house.rest("POST", &format!("/matches/{id}/join"), *account, Some(name)).await;
        assert_eq!(code, 200, "{id}: {joined}");
        tokens.push(
            account.map_or_else(|| joined["session_token"].as_str().expect("a token"), |t| t).to_owned(),
        );
    }
    (tokens, made)
}

async fn write() {
    let house = open(TempFile::new(), 1_000).await;
    let (kept, players) = fill(&house).await;
    let House { server, store, file } = house;
    server.stop().await;
    let mut kept = kept;
    kept["content"] = content(&store, &players);
    drop(store);
    std::fs::create_dir_all(folder()).expect("the folder can be made");
    let sql = dump(&Connection::open(&file.0).expect("the file opens"));
    std::fs::write(folder().join("store.sql"), sql).expect("it can be written");
    let text = serde_json::to_string_pretty(&kept).expect("plain data") + "\n";
    std::fs::write(folder().join("store.json"), text).expect("it can be written");
}

/// Creates tables of many games in every state, accounts with tokens and ratings, and rooms.
async fn fill(house: &House) -> (Json, Vec<String>) {
    let (mut accounts, mut players) = (serde_json::Map::new(), Vec::new());
    let mut tokens = Vec::new();
    for name in ["Ann", "Bob", "Cleo", "Dora", "Eve"] {
        let (id, token) = house.player(name).await;
        accounts.insert(name.to_owned(), json!(token));
        tokens.push(token);
        if name != "Eve" {
            players.push(id);
        }
    }
    let [ann, bob, cleo, dora, eve] = &tokens[..] else { unreachable!("five accounts") };
    let mut tables = serde_json::Map::new();
    stakes(house, [ann, bob, cleo, dora]).await;
    tables.insert("cash-running".to_owned(), json!([ann, bob]));
    for (game, bots, people, steps) in [
        ("oxo", 0, vec![Some(ann.as_str()), None], 3),
        ("grid64", 0, vec![None, None], 12),
        ("draft", 0, vec![None, None], 3),
        ("peek", 0, vec![None, None], 2),
        ("sealed", 0, vec![None, None], 1),
        ("slow", 0, vec![None, None], 1),
        ("window", 0, vec![None, None, None], 1),
        ("hearts", 3, vec![Some(cleo.as_str())], 4),
        ("hearts-rules", 3, vec![Some(cleo.as_str())], 4),
        ("skirmish", 1, vec![None], 4),
        ("orcain", 1, vec![None], 0),
    ] {
        let id = format!("{game}-running");
        let (seated, _) = table(house, json!({"id": id, "game": game, "bots": bots}), &people).await;
        play(house, &id, &seated, steps).await;
        tables.insert(id, json!(seated));
    }
    undo(house, &tables, "draft-running").await;
    undo(house, &tables, "peek-running").await;
    talk(house).await;
    let seated = ["Alice", "Bob"].map(|name| format!("token-of-{name}-0123456789"));
    tables.insert("oxo-talk".to_owned(), json!(seated));
    let (seated, _) =
        table(house, json!({"id": "oxo-over", "game": "oxo", "bots": 0}), &[Some(bob), None]).await;
    play(house, "oxo-over", &seated, 9).await;
    tables.insert("oxo-over".to_owned(), json!(seated));
    let (seated, _) =
        table(house, json!({"id": "boom-paused", "game": "boom", "bots": 0}), &[None, None]).await;
    break_down(house, &seated).await;
    tables.insert("boom-paused".to_owned(), json!(seated));
    let (_, private) = rooms(house, ann).await;
    accounts_change(house, bob, eve).await;
    (json!({"accounts": accounts, "tables": tables, "invite": private["invite"]}), players)
}

async fn play(house: &House, id: &str, seated: &[String], steps: usize) {
    let tokens: Vec<&str> = seated.iter().map(String::as_str).collect();
    for _ in 0..steps {
        let mut tries = 0;
        // Bots may still be playing.
        while !step(house, id, &tokens).await && tries < 40 {
            tokio::time::sleep(std::time::Duration::from_millis(25)).await;
            tries += 1;
        }
    }
}

async fn undo(house: &House, tables: &serde_json::Map<String, Json>, id: &str) {
    let mut taken = 0;
    for token in tables[id].as_array().expect("a list") {
        let path = format!("/matches/{id}/undo");
        taken += u8::from(house.rest("POST", &path, token.as_str(), Some(json!({}))).await.0 == 200);
    }
    assert!(taken > 0, "{id}: nobody could take anything back");
}

/// Two players at a table, with sockets, who chat.
async fn talk(house: &House) {
    let [mut first, mut second] = house.pair("oxo-talk", "oxo").await;
    first.say(json!({"type": "chat", "text": "Good luck, 頑張って!"})).await;
    second.until("chat").await;
    first.answer(json!({"title": "Take a cell", "selection": ["b2"]})).await;
    second.until("update").await;
}

async fn break_down(house: &House, seated: &[String]) {
    let body = json!({"title": "MatchSelector?", "selection": ["panic in apply"], "inputId": 1});
    for token in seated {
        house.rest("POST", "/matches/boom-paused/responses", Some(token), Some(body.clone())).await;
    }
}

/// Battles for tokens, one running, one won, one stopped; and a cash table in its second hand.
async fn stakes(house: &House, [ann, bob, cleo, dora]: [&String; 4]) {
    let settings = json!({"profile": "standard", "stake": 1});
    for (id, one, other) in
        [("battle-staked", ann, bob), ("battle-won", cleo, dora), ("battle-stopped", bob, cleo)]
    {
        let order = json!({"id": id, "game": "battle", "bots": 0, "settings": settings});
        let (_, made) = table(house, order, &[Some(one), Some(other)]).await;
        let path = format!("/matches/{id}");
        match id {
            "battle-won" => house.rest("POST", &format!("{path}/leave"), Some(dora), None).await,
            "battle-stopped" => {
                house.rest("POST", &format!("{path}/kill"), made["owner_token"].as_str(), None).await
            }
            _ => continue,
        };
    }
    table(house, json!({"id": "cash-running", "game": "cash", "bots": 0}), &[Some(ann), Some(bob)]).await;
    play(house, "cash-running", &[ann.clone(), bob.clone()], 2).await;
    house.server.tell("cash-running", 5_000, Command::Tick, Viewer::Gallery).await.expect("it runs");
    play(house, "cash-running", &[ann.clone(), bob.clone()], 1).await;
}

async fn rooms(house: &House, ann: &str) -> (Vec<String>, Json) {
    table(house, json!({"id": "room-open", "game": "oxo", "bots": 0}), &[Some(ann)]).await;
    table(house, json!({"id": "room-private", "game": "draft", "bots": 0, "seats": 4, "private": true}), &[])
        .await
}

async fn accounts_change(house: &House, bob: &str, eve: &str) {
    for nickname in ["Bobby", "Bob the Third"] {
        let body = json!({"nickname": nickname});
        let (code, reply) = house.rest("POST", "/players/me/nickname", Some(bob), Some(body)).await;
        assert_eq!(code, 200, "{reply}");
    }
    let body = json!({"language": "ja"});
    assert_eq!(house.rest("POST", "/players/me/profile", Some(bob), Some(body)).await.0, 200);
    assert_eq!(house.rest("DELETE", "/players/me", Some(eve), None).await.0, 200);
}

/// Dumps a database as SQL.
fn dump(conn: &Connection) -> String {
    let mut out = String::new();
    for pragma in ["application_id", "user_version"] {
        let value: i64 = conn.pragma_query_value(None, pragma, |row| row.get(0)).expect("it says");
        writeln!(out, "PRAGMA {pragma} = {value};").expect("text");
    }
    let sql = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'";
    let mut schema = conn.prepare(sql).expect("it is SQL");
    let mut rows = schema.query([]).expect("there are rows");
    while let Some(row) = rows.next().expect("there are rows") {
        let (kind, name, sql): (String, String, String) =
            (row.get_unwrap(0), row.get_unwrap(1), row.get_unwrap(2));
        writeln!(out, "{sql};").expect("text");
        if kind == "table" {
            dump_rows(conn, &name, &mut out);
        }
    }
    out
}

fn dump_rows(conn: &Connection, name: &str, out: &mut String) {
    let columns = conn.prepare(&format!("SELECT * FROM {name}")).expect("it is SQL");
    let quoted: Vec<String> = columns.column_names().map(|column| format!("quote({column})")).collect();
    let mut statement =
        conn.prepare(&format!("SELECT {} FROM {name}", quoted.join(", "))).expect("it is SQL");
    let mut rows = statement.query([]).expect("there are rows");
    while let Some(row) = rows.next().expect("there are rows") {
        let values: Vec<String> = (0..quoted.len()).map(|n| row.get_unwrap(n)).collect();
        writeln!(out, "INSERT INTO {name} VALUES ({});", values.join(", ")).expect("text");
    }
}
