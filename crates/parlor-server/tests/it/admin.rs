//! The admin API: authorization, orders, and the audit log.

use std::os::unix::fs::PermissionsExt;

use parlor_core::Json;
use parlor_server::Config;
use parlor_store::Accounts;
use serde_json::json;

use crate::client::{Client, House, TempFile, call, config};

/// Every route of the admin API.
const DESK: [(&str, &str); 18] = [
    ("GET", "/admin/tables"),
    ("GET", "/admin/tables/t"),
    ("POST", "/admin/tables/t/pause"),
    ("POST", "/admin/tables/t/resume"),
    ("POST", "/admin/tables/t/kill"),
    ("POST", "/admin/tables/t/expire"),
    ("POST", "/admin/tables/t/fail"),
    ("POST", "/admin/tables/t/draw"),
    ("POST", "/admin/tables/t/look"),
    ("POST", "/admin/drain"),
    ("GET", "/admin/players/p"),
    ("POST", "/admin/players/p/tokens"),
    ("POST", "/admin/players/p/rights"),
    ("POST", "/admin/rulesets/r/takedown"),
    ("POST", "/admin/rulesets/r/restore"),
    ("GET", "/admin/ledger"),
    ("GET", "/admin/log"),
    ("GET", "/admin/health"),
];

struct Office {
    house: House,
    token: String,
    addr: std::net::SocketAddr,
    _file: TempFile,
}

async fn office() -> Office {
    let file = TempFile::new();
    let config = Config {
        admin_listen: "127.0.0.1:0".to_owned(),
        admin_token_file: file.0.display().to_string(),
        ..config()
    };
    let house = House::with(config).await;
    let token = std::fs::read_to_string(&file.0).expect("the token was made");
    let addr = house.server.admin.expect("the door is open");
    Office { house, token, addr, _file: file }
}

impl Office {
    async fn ask(&self, method: &str, path: &str, body: Option<Json>) -> (u16, Json) {
        call(self.addr, method, path, Some(&self.token), body, &[]).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_whoever_has_the_token_and_is_on_this_machine_gets_in() {
    let office = office().await;
    let mode = std::fs::metadata(&office._file.0).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "nobody else can read the token");
    let get = async |token: Option<&str>, headers: &[(&str, &str)]| {
        call(office.addr, "GET", "/admin/tables", token, None, headers).await.0
    };
    assert_eq!(get(Some(&office.token), &[]).await, 200);
    assert_eq!(get(None, &[]).await, 401);
    assert_eq!(get(Some("0123456789abcdef0123456789abcdef"), &[]).await, 403);
    for host in ["evil.example", "evil.example:8002", "127.0.0.1.evil.example", "localhost.evil.example:80"] {
        assert_eq!(get(Some(&office.token), &[("Host", host)]).await, 403, "{host}");
    }
    for host in ["localhost", "localhost:1", "127.0.0.1", "[::1]:8002"] {
        assert_eq!(get(Some(&office.token), &[("Host", host)]).await, 200, "{host}");
    }
    assert_eq!(get(Some(&office.token), &[("Origin", "http://127.0.0.1")]).await, 403, "no web page");
    // Every route refuses a player's token like any other wrong token.
    let (_, player) = office.house.player("Ann").await;
    for (method, path) in DESK {
        for (token, code) in [(None, 401), (Some(player.as_str()), 403), (Some("nobodys"), 403)] {
            let (got, reply) = call(office.addr, method, path, token, Some(json!({})), &[]).await;
            assert_eq!(got, code, "{method} {path}: {reply}");
        }
        let (got, _) = office.ask(method, path, Some(json!({}))).await;
        assert!(![401, 403].contains(&got), "{method} {path} is the operator's: {got}");
    }
    // None of it is on the public address.
    assert_eq!(office.house.rest("GET", "/admin/tables", Some(&office.token), None).await.0, 404);
    office.house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_door_opens_on_loopback_alone_and_not_with_a_token_that_others_can_read() {
    let file = TempFile::new();
    std::fs::write(&file.0, "0123456789abcdef0123456789abcdef").expect("written");
    std::fs::set_permissions(&file.0, std::fs::Permissions::from_mode(0o644)).expect("set");
    for admin_listen in ["0.0.0.0:0", "127.0.0.1:0", "nowhere"] {
        let store = std::sync::Arc::new(parlor_store::MemoryLog::default());
        let config = Config {
            admin_listen: admin_listen.to_owned(),
            admin_token_file: file.0.display().to_string(),
            ..config()
        };
        let started =
            parlor_server::Server::builder(config, Vec::<parlor_core::GameDef>::new(), store).start().await;
        assert!(started.is_err(), "{admin_listen}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_stops_clocks_ends_matches_and_gives_tokens_and_it_is_written_down() {
    let office = office().await;
    let house = &office.house;
    let (ann_id, ann) = house.player("Ann").await;
    let (_, bob) = house.player("Bob").await;
    let settings = json!({"profile": "standard", "stake": 1});
    let body = json!({"id": "t", "game": "battle", "bots": 0, "settings": settings});
    assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201);
    for token in [&ann, &bob] {
        assert_eq!(house.rest("POST", "/matches/t/join", Some(token), None).await.0, 200);
    }
    let mut client = house.client("t", "json").await;
    client.say(json!({"type": "join_game", "player_token": ann})).await;
    client.until("snapshot").await;
    let why = Some(json!({"why": "a test"}));
    let (_, table) = office.ask("GET", "/admin/tables/t", None).await;
    assert_eq!(
        (table["onTable"].as_i64(), table["stands"][0].as_str()),
        (Some(2), Some("request")),
        "{table}"
    );
    assert!(table.get("view").is_none() && table.get("snapshot").is_none(), "no secrets: {table}");
    assert_eq!(office.ask("POST", "/admin/tables/t/pause", why.clone()).await.0, 200);
    assert_eq!(client.until("paused").await["why"], "a test");
    assert_eq!(office.ask("POST", "/admin/tables/t/resume", why.clone()).await.0, 200);
    assert_eq!(client.until("paused").await["why"], Json::Null);
    // The 20 seconds of PREP are over at once: the next round starts.
    assert_eq!(office.ask("POST", "/admin/tables/t/expire", why.clone()).await.0, 200);
    client.until("update").await;
    let look = json!({"seat": 0, "why": "a complaint"});
    let (code, seen) = office.ask("POST", "/admin/tables/t/look", Some(look)).await;
    assert_eq!((code, seen["type"].as_str()), (200, Some("snapshot")));
    assert_eq!(office.ask("POST", "/admin/tables/t/look", Some(json!({"seat": 9, "why": "x"}))).await.0, 404);
    assert_eq!(
        office.ask("POST", "/admin/tables/t/kill", Some(json!({}))).await.0,
        400,
        "not without a reason"
    );
    assert_eq!(office.ask("POST", "/admin/tables/t/kill", why.clone()).await.0, 200);
    client.until("update").await;
    let grant = json!({"amount": 5, "key": "g1", "why": "a prize"});
    for _ in 0..2 {
        let path = format!("/admin/players/{ann_id}/tokens");
        let (code, reply) = office.ask("POST", &path, Some(grant.clone())).await;
        assert_eq!((code, reply["tokens"].as_i64()), (200, Some(15)), "once: {reply}");
    }
    let burn = json!({"amount": -100, "key": "g2", "why": "too much"});
    assert_eq!(office.ask("POST", &format!("/admin/players/{ann_id}/tokens"), Some(burn)).await.0, 402);
    let (_, ledger) = office.ask("GET", "/admin/ledger", None).await;
    assert_eq!((ledger["balances"].as_bool(), ledger["minted"].as_i64()), (Some(true), Some(25)));
    let (_, log) = office.ask("GET", "/admin/log", None).await;
    let what: Vec<&str> =
        log["lines"].as_array().unwrap().iter().rev().map(|line| line["what"].as_str().unwrap()).collect();
    assert_eq!(what, ["pause", "resume", "expire", "look", "kill", "tokens", "tokens", "tokens"]);
    assert!(!log.to_string().contains(&office.token), "never a secret");
    assert_eq!(house.store.audit(), Ok(Vec::new()));
    office.house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_with_the_right_to_kill_ends_any_table() {
    let office = office().await;
    let house = &office.house;
    let (id, ann) = house.player("Ann").await;
    let [_first, _second] = house.pair("t", "oxo").await;
    assert_eq!(house.rest("POST", "/matches/t/kill", Some(&ann), None).await.0, 403);
    let path = format!("/admin/players/{id}/rights");
    assert_eq!(office.ask("POST", &path, Some(json!({"rights": ["fly"]}))).await.0, 400);
    assert_eq!(office.ask("POST", &path, Some(json!({"rights": ["kill"]}))).await.0, 200);
    let (_, me) = house.rest("GET", "/players/me", Some(&ann), None).await;
    assert_eq!(me["rights"], json!(["kill"]));
    assert_eq!(house.rest("POST", "/matches/t/kill", Some(&ann), None).await.0, 200);
    office.house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draining_house_plays_out_what_runs_and_begins_nothing() {
    let office = office().await;
    let house = &office.house;
    let (_, ann) = house.player("Ann").await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    assert_eq!(office.ask("POST", "/admin/drain", Some(json!({"on": true}))).await.0, 200);
    let (code, refused) = house.rest("POST", "/matches", None, Some(json!({"game": "oxo"}))).await;
    assert_eq!((code, refused["code"].as_str()), (503, Some("draining")));
    assert_eq!(house.rest("POST", "/queue/oxo", Some(&ann), None).await.0, 503);
    assert_eq!(house.rest("GET", "/readyz", None, None).await.0, 503);
    let mut client = Client::lobby(house, "json").await;
    client.say(json!({"type": "hello", "token": ann})).await;
    client.say(json!({"type": "play_bots", "game": "oxo"})).await;
    assert_eq!(client.until("session_error").await["code"], "draining");
    tokio::join!(crate::client::play_out(&mut first), crate::client::play_out(&mut second));
    assert_eq!(office.ask("POST", "/admin/drain", Some(json!({"on": false}))).await.0, 200);
    assert_eq!(house.rest("GET", "/readyz", None, None).await.0, 200);
    office.house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_and_an_address_have_only_so_many_tables() {
    let config = Config { tables_per_player_max: 2, tables_per_address_max: 3, ..config() };
    let house = House::with(config).await;
    let (_, ann) = house.player("Ann").await;
    let make = async |token: Option<&str>| {
        let (code, made) =
            house.rest("POST", "/matches", token, Some(json!({"game": "oxo", "bots": 0}))).await;
        (code, made)
    };
    assert_eq!(make(Some(&ann)).await.0, 201);
    let (_, second) = make(Some(&ann)).await;
    let (code, refused) = make(Some(&ann)).await;
    assert_eq!((code, refused["code"].as_str()), (409, Some("too_many_tables")));
    assert_eq!((make(None).await.0, make(None).await.0), (201, 409), "nor has anybody at one address");
    let (id, owner) = (second["id"].as_str().unwrap(), second["owner_token"].as_str().unwrap());
    assert_eq!(house.rest("POST", &format!("/matches/{id}/kill"), Some(owner), None).await.0, 200);
    assert_eq!(make(Some(&ann)).await.0, 201, "what is over does not count");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_invariant_pauses_the_table_until_the_operator_has_settled_it() {
    // cites 001/R11, 001-16
    let office = office().await;
    let house = &office.house;
    let why = || Some(json!({"why": "a test"}));
    for (id, how) in [("a", "fail"), ("b", "draw"), ("c", "kill")] {
        let [mut first, mut second] = house.pair(id, "unsound").await;
        let press = |action: &str| {
            let data = json!({"title": "Act or pass", "selection": {"action": action}});
            json!({"type": "game_action", "action": "answer", "data": data})
        };
        let table = format!("/admin/tables/{id}");
        first.say(press("good")).await;
        first.until("accepted").await;
        for order in ["fail", "draw"] {
            let (code, refused) = office.ask("POST", &format!("{table}/{order}"), why()).await;
            assert_eq!(
                (code, refused["code"].as_str()),
                (409, Some("not_broken")),
                "what holds stops nobody"
            );
        }
        first.say(press("bad")).await;
        let paused = second.until("paused").await;
        assert_eq!(paused["why"], "broken: invariant 0 does not hold: n ≤ 10");
        let (_, shown) = office.ask("GET", &table, None).await;
        assert_eq!(shown["broken"]["item"], "bad", "{shown}");
        // Resuming repairs nothing.
        assert_eq!(office.ask("POST", &format!("{table}/resume"), why()).await.0, 200);
        assert_eq!(second.until("paused").await["why"], Json::Null);
        assert!(second.until("paused").await["why"].is_string(), "it stands still again");
        assert_eq!(office.ask("POST", &format!("{table}/{how}"), why()).await.0, 200);
        if how == "fail" {
            while second.until("paused").await["why"] != Json::Null {}
            let (_, seen) = house.rest("GET", &format!("/matches/{id}"), None, None).await;
            assert_eq!(seen["snapshot"]["view"]["vars"]["n"], 10, "taken back: {seen}");
            first.say(press("good")).await;
            first.until("accepted").await;
        } else {
            let over = loop {
                let update = second.until("update").await;
                if !update["over"].is_null() {
                    break update["over"].clone();
                }
            };
            let reason = if how == "draw" { "verdict: invariant" } else { "a test" };
            assert_eq!(
                (&over["outcome"]["winners"], &over["outcome"]["reason"]),
                (&json!(0), &json!(reason))
            );
        }
    }
    let (_, log) = office.ask("GET", "/admin/log", None).await;
    let what: Vec<&str> =
        log["lines"].as_array().unwrap().iter().rev().filter_map(|line| line["what"].as_str()).collect();
    assert_eq!(
        what,
        ["resume", "fail", "resume", "draw", "resume", "kill"],
        "what changed nothing is not in it"
    );
    // It is in the log, and replays the same after a restart.
    let Office { house, .. } = office;
    let house = house.restart(config()).await;
    let (_, seen) = house.rest("GET", "/matches/a", None, None).await;
    assert_eq!(seen["snapshot"]["view"]["vars"]["n"], 10, "{seen}");
    let (status, log) = house.rest("GET", "/matches/b/log", None, None).await;
    assert_eq!(status, 200, "{log}");
    house.server.stop().await;
}
