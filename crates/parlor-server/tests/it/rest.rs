//! REST, with the shapes that the documents name.

use parlor_core::Game;
use serde_json::json;

use crate::client::{House, config, play_out};

#[tokio::test(flavor = "multi_thread")]
async fn the_documents_own_routes_answer_in_its_shapes() {
    // cites 003-1
    let house = House::open().await;
    assert_eq!(house.rest("GET", "/health", None, None).await, (200, json!({"status": "ok"})));
    let (_, status) = house.rest("GET", "/status", None, None).await;
    assert_eq!(status, json!({"status": "ok", "active_games": 0, "max_games": 10_000}));
    let (code, made) =
        house.rest("POST", "/games", None, Some(json!({"game_id": "g1", "game": "window"}))).await;
    assert_eq!((code, made), (201, json!({"game_id": "g1", "num_bots": 3, "status": "created"})));
    let (code, _) =
        house.rest("POST", "/games", None, Some(json!({"game_id": "g1", "game": "window"}))).await;
    assert_eq!(code, 409);
    let (code, error) =
        house.rest("POST", "/games", None, Some(json!({"game_id": "g2", "game": "chess"}))).await;
    assert_eq!(code, 400, "it says what it has");
    assert!(error["message"].as_str().unwrap().contains("oxo"), "{error}");
    let (code, _) = house
        .rest("POST", "/games", None, Some(json!({"game_id": "g3", "game": "window", "num_bots": 9})))
        .await;
    assert_eq!(code, 400);
    let (_, games) = house.rest("GET", "/games", None, None).await;
    let expected = json!({"game_id": "g1", "game": "window", "player_count": 0, "max_players": 4, "num_bots": 3, "started": false});
    assert_eq!(games, json!({"games": [expected]}));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_server_says_so() {
    // cites 003-1
    let house = House::with(parlor_server::Config { tables_max: 1, ..config() }).await;
    house.create("a", "oxo", 1).await;
    let (code, error) = house.rest("POST", "/matches", None, Some(json!({"id": "b", "game": "oxo"}))).await;
    assert_eq!((code, error["message"].as_str()), (503, Some("Server at capacity")));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_by_rest_is_locked_by_its_branch() {
    // cites 000-13, 000/R11
    let house = House::open().await;
    house.create("t", "oxo", 1).await;
    let (code, joined) =
        house.rest("POST", "/matches/t/join", None, Some(json!({"player_name": "Alice"}))).await;
    assert_eq!((code, joined["started"].as_bool()), (200, Some(true)));
    let token = joined["session_token"].as_str().unwrap();
    let view = async || house.rest("GET", "/matches/t", Some(token), None).await.1["snapshot"].clone();
    let snapshot = loop {
        let snapshot = view().await;
        if snapshot["requests"].as_array().is_some_and(|all| !all.is_empty()) {
            break snapshot;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    let pick = snapshot["requests"][0]["choices"][0]["title"].clone();
    let body = json!({"title": "Take a cell", "selection": [pick], "branchId": snapshot["branchId"], "requestKey": "r1"});
    let (code, reply) = house.rest("POST", "/matches/t/responses", Some(token), Some(body.clone())).await;
    assert_eq!(code, 200, "{reply}");
    assert!(reply["branchId"].as_u64() > snapshot["branchId"].as_u64());
    let (code, again) = house.rest("POST", "/matches/t/responses", Some(token), Some(body.clone())).await;
    assert_eq!(code, 200, "the same key again: {again}");
    let mut stale = body.clone();
    stale["requestKey"] = json!("r2");
    let (code, conflict) = house.rest("POST", "/matches/t/responses", Some(token), Some(stale)).await;
    assert_eq!(
        (code, conflict["status"].as_str(), conflict["code"].as_str()),
        (409, Some("error"), Some("stale_head"))
    );
    assert!(conflict["branchId"].is_u64() && conflict["message"].is_string());
    let mut foreign = body.clone();
    foreign["actor"] = json!("Bob");
    foreign["requestKey"] = json!("r3");
    let (code, error) = house.rest("POST", "/matches/t/responses", Some(token), Some(foreign)).await;
    assert_eq!((code, error["code"].as_str()), (422, Some("actor")));
    let (code, _) = house
        .rest(
            "POST",
            "/matches/t/responses",
            Some(token),
            Some(json!({"title": "Take a cell", "selection": []})),
        )
        .await;
    assert_eq!(code, 400, "neither branchId nor inputId");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_opens_when_the_match_is_over_and_replays() {
    // cites 000/R6
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    assert_eq!(house.rest("GET", "/matches/t/log", None, None).await.0, 409, "not while it runs");
    tokio::join!(play_out(&mut first), play_out(&mut second));
    let mut tries = 0;
    let log = loop {
        let (code, log) = house.rest("GET", "/matches/t/log", None, None).await;
        tries += 1;
        if code == 200 || tries > 100 {
            break log;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let log = parlor_core::logfile::LogFile::parse(log.as_str().expect("lines")).expect("a log file");
    let def = parlor_oxo::Oxo::def();
    let replayed = parlor_core::Match::replay(def, log.header, log.records).expect("replays");
    assert_eq!(Some(replayed.footer()), log.footer);
    let (code, steps) = house.rest("GET", "/matches/t/replay", None, None).await;
    assert_eq!(code, 200);
    assert!(steps["steps"].as_array().is_some_and(|steps| steps.len() > 5), "{steps}");
    let (code, eyes) = house.rest("GET", "/matches/t/replay?seat=1", None, None).await;
    assert_eq!((code, &eyes["outcome"]), (200, &steps["outcome"]), "once it is over, through anybody's eyes");
    assert_eq!(
        house.rest("GET", "/matches/t/replay?seat=2", None, None).await.0,
        400,
        "there is no such seat"
    );
    let (_, listed) = house.rest("GET", "/matches?state=finished", None, None).await;
    assert_eq!(listed["matches"][0]["id"], "t");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_by_rest_asks_the_other_seat() {
    // cites 000-18
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let name = first.heard[0]["players"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    let token = format!("token-of-{name}-0123456789");
    assert_eq!(
        house.rest("POST", "/matches/t/undo", Some(&token), None).await.0,
        409,
        "nothing to take back"
    );
    first.answer(json!({"title": "Take a cell", "selection": ["b2"]})).await;
    second.until("update").await;
    assert_eq!(house.rest("POST", "/matches/t/undo", Some(&token), None).await.0, 200);
    let asked = loop {
        let update = second.until("update").await;
        let undo =
            update["requests"].as_array().and_then(|all| all.iter().find(|r| r["kind"] == "undo").cloned());
        if let Some(undo) = undo {
            break undo;
        }
    };
    let agree = json!({"type": "game_action", "action": "answer", "inputId": asked["inputId"],
        "data": {"title": asked["title"], "selection": ["yes"]}});
    second.say(agree).await;
    let snapshot = first.until("snapshot").await;
    assert_eq!(snapshot["view"]["board"], ".........", "everybody is brought back");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_count_what_happens() {
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    tokio::join!(play_out(&mut first), play_out(&mut second));
    let (code, text) = house.rest("GET", "/metrics", None, None).await;
    let text = text.as_str().expect("text");
    assert_eq!(code, 200);
    for name in [
        "parlor_queue_seconds_count",
        "parlor_apply_seconds_count",
        "parlor_commit_seconds_count",
        "parlor_encode_seconds_count",
        "parlor_batch_records_count",
        "parlor_outbox_messages_count",
        "parlor_connections 2",
        "parlor_tables 1",
    ] {
        assert!(text.contains(name), "{name} is missing");
    }
    let commits = text.lines().find_map(|line| line.strip_prefix("parlor_commit_seconds_count ")).unwrap();
    assert!(commits.parse::<u64>().unwrap() >= 5, "{commits}");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_and_the_dashboard_ask_for_metrics_that_are_there() {
    let house = House::open().await;
    let (_, text) = house.rest("GET", "/metrics", None, None).await;
    let text = text.as_str().expect("a text");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operate");
    for (file, least) in [("alerts.yml", 4), ("grafana.json", 10)] {
        let asked = std::fs::read_to_string(folder.join(file)).expect("the file is there");
        let names: std::collections::BTreeSet<&str> = asked
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .filter(|word| word.starts_with("parlor_"))
            .collect();
        assert!(names.len() >= least, "{file}: {names:?}");
        for name in names {
            let name = name.strip_suffix("_bucket").unwrap_or(name);
            assert!(text.contains(&format!("# TYPE {name} ")), "{file} asks for {name}");
        }
    }
    house.server.stop().await;
}
