//! The API descriptions: the committed files are given out, and they are true to what the server does.

use std::path::Path;

use parlor_core::Json;
use parlor_server::Config;
use serde_json::json;

use crate::client::{Client, House, config};

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_for_machines_are_the_committed_ones() {
    let house = House::open().await;
    for name in ["openapi.json", "asyncapi.json"] {
        let (code, page) = house.rest("GET", &format!("/{name}"), None, None).await;
        assert_eq!(code, 200);
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/api").join(name);
        let committed = std::fs::read_to_string(file).expect("it is committed");
        assert_eq!(page, serde_json::from_str::<Json>(&committed).expect("JSON"), "{name}");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_on_the_page_is_answered_and_no_other_method_is() {
    let house = House::open().await;
    let (_, page) = house.rest("GET", "/openapi.json", None, None).await;
    let mut operations = 0;
    for (path, methods) in page["paths"].as_object().expect("paths") {
        let at = path.replace("{id}", "nowhere").replace("{game}", "nothing");
        let at = at.replace("{document}", "nothing").replace("{name}", "nothing");
        for method in ["get", "post", "put", "delete", "patch"] {
            let (code, reply) = house.rest(&method.to_uppercase(), &at, None, Some(json!({}))).await;
            let known = methods.get(method);
            operations += usize::from(known.is_some());
            match known {
                None => assert_eq!(code, 405, "{method} {path}: {reply}"),
                Some(operation) => {
                    let responses = &operation["responses"];
                    assert!(responses.get(code.to_string()).is_some(), "{method} {path}: {code} {reply}");
                }
            }
        }
    }
    assert_eq!(operations, 63);
    let (code, lost) = house.rest("GET", "/no/such/place", None, None).await;
    assert_eq!((code, lost["code"].as_str()), (404, Some("no_route")));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalog_says_what_can_be_set() {
    let house = House::open().await;
    let (code, catalog) = house.rest("GET", "/catalog", None, None).await;
    assert_eq!(code, 200);
    let game = |name: &str| -> Json {
        let games = catalog["games"].as_array().expect("games");
        games.iter().find(|game| game["name"] == name).cloned().expect("it is there")
    };
    assert_eq!(game("skirmish")["titles"]["ru"], "Стычка", "as the ruleset says it");
    let battle = game("battle");
    assert_eq!((battle["rated"].as_bool(), battle["staked"].as_bool()), (Some(true), Some(true)));
    assert_eq!(battle["leagues"][1], json!({"key": "iron", "from": 100}));
    let settings = &battle["schema"]["properties"];
    assert_eq!(settings["profile"]["enum"], json!(["document", "standard"]));
    assert_eq!(
        (settings["stake"]["minimum"].as_i64(), settings["stake"]["maximum"].as_i64()),
        (Some(0), Some(1))
    );
    assert!(settings["prepMs"]["description"].is_string());
    let hearts = game("hearts");
    assert_eq!((hearts["rated"].as_bool(), hearts["staked"].as_bool()), (Some(false), Some(false)));
    for (name, about) in hearts["schema"]["properties"].as_object().expect("settings") {
        assert!(about["description"].is_string(), "{name} says what it means");
    }
    assert!(game("oxo")["seats"] == json!({"min": 2, "max": 2}));
    // What the lobby knows of a game is the game's own word.
    let lobby = json!({"order": 3, "seats": 2, "settings": {"profile": "standard", "stake": 0}, "hidden": false,
        "tags": [], "default_for": ["queue"]});
    assert_eq!(battle["lobby"], lobby);
    assert_eq!(
        (game("draft")["lobby"]["seats"].as_u64(), &game("draft")["lobby"]["settings"]),
        (Some(4), &Json::Null)
    );
    assert!(!catalog.to_string().contains("grid64"), "what measures servers is no game to play");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gallery_that_is_held_back_hears_everything_later() {
    // No timer of the connection wakes it: what is due must.
    let never = 3_600_000;
    let house = House::with(Config { join_ms: never, heartbeat_ms: never, ..config() }).await;
    let body = json!({"id": "t", "game": "oxo", "bots": 0, "spectatorDelayMs": 700});
    assert_eq!(house.rest("POST", "/matches", None, Some(body)).await.0, 201);
    let mut players = Vec::new();
    for name in ["Ann", "Bob"] {
        let mut client = house.client("t", "json").await;
        client.join(name, None).await;
        players.push(client);
    }
    for client in &mut players {
        client.until("snapshot").await;
    }
    let mut eve: Client = house.client("t", "json").await;
    let began = std::time::Instant::now();
    eve.say(json!({"type": "join_game", "spectate": true})).await;
    eve.until("game_joined").await;
    for client in &mut players {
        client.answer(json!({"title": "Take a cell", "selection": ["b2"]})).await;
    }
    let shown = eve.until("snapshot").await;
    assert!(began.elapsed().as_millis() >= 700, "after {:?}", began.elapsed());
    assert_eq!(shown["view"]["board"], ".........", "what it was when she came");
    assert_eq!(eve.until("update").await["events"][0]["cell"], "b2");
    let (_, look) = house.rest("GET", "/matches/t", None, None).await;
    assert_eq!(look["snapshot"], Json::Null, "nor is there a way round it");
    assert_eq!(house.rest("GET", "/matches/t/log?as=events", None, None).await.0, 409);
    house.server.stop().await;
}
