//! Rulesets that players publish and rulesets in files: versions, rights, limits, and matches that keep their rules.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use parlor_core::Json;
use parlor_server::{Config, RulesetFile, RulesetFiles, Server};
use parlor_store::{MemoryLog, Syncs};
use serde_json::json;

use crate::client::{Client, House, TempFile, call, config, play_out, registration};

/// A race: on a turn a seat goes one or two fields, and the first at the goal wins.
fn race(id: &str, goal: i64) -> Json {
    let at = || json!({"var": ["active", "at"]});
    json!({
        "ir": "parlor-ir/1", "id": id, "name": "Race", "author": "test", "players": {"min": 2, "max": 2},
        "vars": {"at": {"owner": "player", "type": "int", "default": 0}},
        "flow": [{"turns": {"max": 100, "do": [
            {"ask": {"id": "step", "who": "active", "prompt": "How far?", "as": "n", "number": {"min": 1, "max": 2}}},
            {"add": {"var": ["active", "at"], "by": "n"}},
            {"if": [{">=": [at(), goal]}, [{"win": {"who": "active"}}]]}
        ]}}]
    })
}

fn open_house() -> Config {
    Config { publish_open: true, ..config() }
}

async fn publish(house: &House, token: &str, ruleset: &Json) -> (u16, Json) {
    house.rest("POST", "/rulesets", Some(token), Some(ruleset.clone())).await
}

/// Publishes a ruleset; its version.
async fn published(house: &House, token: &str, ruleset: &Json) -> u64 {
    let (code, made) = publish(house, token, ruleset).await;
    assert_eq!(code, 201, "{made}");
    made["version"].as_u64().expect("a version")
}

/// How many answers a player of this client gave before the match was over.
fn steps(client: &Client) -> usize {
    let asked = client.heard.iter().filter(|message| {
        message["requests"].as_array().is_some_and(|all| all.iter().any(|each| each["kind"] == "request"))
    });
    asked.count()
}

async fn play(mut clients: [Client; 2]) -> usize {
    let [one, two] = &mut clients;
    tokio::join!(play_out(one), play_out(two));
    steps(one) + steps(two)
}

/// A ruleset that was published is a game like any other: it is in the catalog with its author and version, and people
/// play it. Its next version is for new tables; a table that runs keeps its own, also over a restart, and so does its
/// replay.
#[tokio::test(flavor = "multi_thread")]
async fn a_match_keeps_the_version_it_was_begun_with() {
    let house = House::with(open_house()).await;
    let (ann_id, ann) = house.player("Ann").await;
    assert_eq!(published(&house, &ann, &race("sprint", 3)).await, 1);
    let (_, about) = house.rest("GET", "/catalog/sprint", None, None).await;
    assert_eq!(about["published"]["version"], 1, "{about}");
    assert_eq!(about["published"]["author"], json!({"player_id": ann_id, "name": "Ann"}));
    let old = house.pair("old", "sprint").await;
    assert_eq!(published(&house, &ann, &race("sprint", 9)).await, 2);
    let fresh = house.pair("fresh", "sprint").await;
    let version = async |house: &House, id: &str| {
        let (_, shown) = house.rest("GET", &format!("/matches/{id}"), None, None).await;
        (shown["ruleset"]["version"].clone(), shown["ruleset"]["identity"].clone())
    };
    let (first, second) = (version(&house, "old").await, version(&house, "fresh").await);
    assert_eq!((&first.0, &second.0), (&json!(1), &json!(2)));
    assert_ne!(first.1, second.1);
    drop((old, fresh));
    let house = house.restart(open_house()).await;
    assert_eq!(version(&house, "old").await, first);
    let back = async |id: &str| {
        let mut clients = Vec::new();
        for name in ["Alice", "Bob"] {
            let mut client = house.client(id, "json").await;
            client.join(name, Some(&format!("token-of-{name}-0123456789"))).await;
            client.until("snapshot").await;
            clients.push(client);
        }
        play(clients.try_into().ok().expect("two")).await
    };
    assert_eq!(back("old").await, 5, "three fields, one at a time, in turn");
    assert_eq!(back("fresh").await, 17, "nine fields");
    for (id, version) in [("old", 1), ("fresh", 2)] {
        let (code, replay) = house.rest("GET", &format!("/matches/{id}/replay"), None, None).await;
        assert_eq!((code, &replay["ruleset"]["version"]), (200, &json!(version)));
        let (code, log) = house.rest("GET", &format!("/matches/{id}/log"), None, None).await;
        assert_eq!(code, 200, "{log}");
    }
    // A screen draws a table by the sheet of its own rules.
    let identity = first.1.as_str().expect("a hash");
    let (code, sheet) = house.rest("GET", &format!("/catalog/sprint?identity={identity}"), None, None).await;
    assert_eq!((code, &sheet["published"]["version"]), (200, &json!(1)), "{sheet}");
    house.server.stop().await;
}

/// The same text again is no new version; another author's name, a game's name and a name that does not fit an address
/// are refused; so are mistakes, each with its place.
#[tokio::test(flavor = "multi_thread")]
async fn what_may_be_published_under_which_name() {
    let house = House::with(open_house()).await;
    let ((_, ann), (_, bob)) = (house.player("Ann").await, house.player("Ben").await);
    assert_eq!(published(&house, &ann, &race("sprint", 3)).await, 1);
    assert_eq!(published(&house, &ann, &race("sprint", 3)).await, 1, "the same text");
    for (token, ruleset, code, why) in [
        (&bob, race("sprint", 4), 409, "name_taken"),
        (&bob, race("oxo", 4), 409, "name_taken"),
        (&bob, race("check", 4), 422, "invalid_name"),
        (&bob, race("Sprint", 4), 422, "invalid_name"),
    ] {
        let (got, refused) = publish(&house, token, &ruleset).await;
        assert_eq!((got, refused["code"].as_str()), (code, Some(why)), "{refused}");
    }
    let mut wrong = race("sprint", 3);
    wrong["flow"][0]["turns"]["do"][0]["ask"]["who"] = json!("activ");
    for path in ["/rulesets", "/rulesets/check"] {
        let (code, refused) = house.rest("POST", path, Some(&ann), Some(wrong.clone())).await;
        let finding = &refused["findings"][0];
        assert_eq!((code, finding["level"].as_str()), (422, Some("error")), "{refused}");
        assert_eq!(finding["pointer"], "/flow/0/turns/do/0/ask/who", "{finding}");
    }
    let (code, checked) = house.rest("POST", "/rulesets/check", Some(&bob), Some(race("dash", 3))).await;
    assert_eq!((code, checked["name"].as_str()), (200, Some("dash")), "{checked}");
    assert_eq!(house.rest("GET", "/rulesets/dash", None, None).await.0, 404, "nothing was published");
    let mut staked = race("dash", 3);
    staked["stake"] = json!({"amount": 5});
    let (code, refused) = publish(&house, &bob, &staked).await;
    assert_eq!((code, refused["code"].as_str()), (422, Some("staked")), "{refused}");
    house.server.stop().await;
}

/// A variant is stored with all that it extends: it does not change when its base does.
#[tokio::test(flavor = "multi_thread")]
async fn a_variant_is_stored_whole() {
    let house = House::with(open_house()).await;
    let ((_, ann), (_, bob)) = (house.player("Ann").await, house.player("Ben").await);
    published(&house, &ann, &race("sprint", 3)).await;
    let variant =
        json!({"ir": "parlor-ir/1", "id": "slow-sprint", "name": "Slow sprint", "extends": "sprint"});
    published(&house, &bob, &variant).await;
    let (code, shown) = house.rest("GET", "/rulesets/slow-sprint", None, None).await;
    let text: Json = serde_json::from_str(shown["text"].as_str().expect("a text")).expect("JSON");
    assert_eq!((code, text["flow"].is_array(), &text["name"]), (200, true, &json!("Slow sprint")), "{text}");
    assert!(text.get("extends").is_none(), "{text}");
    published(&house, &ann, &race("sprint", 9)).await;
    let variants = house.pair("v", "slow-sprint").await;
    assert_eq!(play(variants).await, 5, "still three fields");
    house.server.stop().await;
}

/// Without the right nobody publishes; with it, so many versions a day; and no more are loaded than the server takes.
#[tokio::test(flavor = "multi_thread")]
async fn publishing_takes_a_right_and_has_limits() {
    let house = House::with(config()).await;
    let (_, ann) = house.player("Ann").await;
    let (code, refused) = publish(&house, &ann, &race("sprint", 3)).await;
    assert_eq!((code, refused["code"].as_str()), (403, Some("forbidden")), "{refused}");
    house.server.stop().await;

    let limits = Config { ruleset_versions_per_day_max: 2, ..open_house() };
    let house = House::with(limits).await;
    let (_, ann) = house.player("Ann").await;
    assert_eq!(published(&house, &ann, &race("sprint", 3)).await, 1);
    assert_eq!(published(&house, &ann, &race("sprint", 4)).await, 2);
    let (code, refused) = publish(&house, &ann, &race("sprint", 5)).await;
    assert_eq!((code, refused["code"].as_str()), (429, Some("too_many_today")), "{refused}");
    house.server.stop().await;

    let house = House::with(Config { rulesets_max: 1, ..open_house() }).await;
    let (_, ann) = house.player("Ann").await;
    assert_eq!(published(&house, &ann, &race("sprint", 3)).await, 1);
    let (code, refused) = publish(&house, &ann, &race("dash", 3)).await;
    assert_eq!((code, refused["code"].as_str()), (503, Some("at_capacity")), "{refused}");
    let huge = json!({"ir": "parlor-ir/1", "pad": "x".repeat(1 << 20)});
    assert_eq!(publish(&house, &ann, &huge).await.0, 413);
    house.server.stop().await;
}

/// A ruleset that its author withdraws, or that the operator takes down, opens no new tables; those that run go on. A
/// report reaches the operator once.
#[tokio::test(flavor = "multi_thread")]
async fn withdrawn_and_taken_down() {
    let file = TempFile::new();
    let config = Config {
        admin_listen: "127.0.0.1:0".to_owned(),
        admin_token_file: file.0.display().to_string(),
        ..open_house()
    };
    let house = House::with(config).await;
    let operator = std::fs::read_to_string(&file.0).expect("the token was made");
    let desk = house.server.admin.expect("the door is open");
    let ((_, ann), (bob_id, bob)) = (house.player("Ann").await, house.player("Ben").await);
    published(&house, &ann, &race("sprint", 3)).await;
    let runs = house.pair("runs", "sprint").await;
    let open =
        async |house: &House| house.rest("POST", "/matches", None, Some(json!({"game": "sprint"}))).await.0;
    let listed = async |house: &House| {
        let (_, rows) = house.rest("GET", "/rulesets", None, None).await;
        rows["rulesets"].as_array().expect("rows").len()
    };
    assert_eq!((open(&house).await, listed(&house).await), (201, 1));
    let withdraw = async |token| house.rest("DELETE", "/rulesets/sprint", Some(token), None).await.0;
    assert_eq!((withdraw(&bob).await, withdraw(&ann).await), (403, 200));
    assert_eq!((open(&house).await, listed(&house).await), (400, 0));
    assert_eq!(play(runs).await, 5, "the table that ran goes on");
    assert_eq!(published(&house, &ann, &race("sprint", 4)).await, 2);
    assert_eq!(open(&house).await, 201, "the next version is listed");
    for _ in 0..2 {
        let body = json!({"text": "its title is rude"});
        let (code, done) = house.rest("POST", "/rulesets/sprint/report", Some(&bob), Some(body)).await;
        assert_eq!(code, 200, "{done}");
    }
    let (_, log) = call(desk, "GET", "/admin/log", Some(&operator), None, &[]).await;
    let reports: Vec<&Json> = log["lines"].as_array().expect("lines").iter().collect();
    assert_eq!(reports.len(), 1, "{log}");
    assert_eq!(
        (&reports[0]["what"], &reports[0]["about"]["player"]),
        (&json!("ruleset_reported"), &json!(bob_id))
    );
    let order = async |what: &str| {
        let why = Some(json!({"why": "a test"}));
        call(desk, "POST", &format!("/admin/rulesets/sprint/{what}"), Some(&operator), why, &[]).await.0
    };
    assert_eq!(order("takedown").await, 200);
    assert_eq!((open(&house).await, house.rest("GET", "/rulesets/sprint", None, None).await.0), (400, 403));
    let (code, refused) = publish(&house, &ann, &race("sprint", 5)).await;
    assert_eq!((code, refused["code"].as_str()), (403, Some("taken_down")), "{refused}");
    assert_eq!(order("restore").await, 200);
    assert_eq!((open(&house).await, listed(&house).await), (201, 1));
    let why = Some(json!({"why": "a test"}));
    let nothing = call(desk, "POST", "/admin/rulesets/nothing/takedown", Some(&operator), why, &[]).await;
    assert_eq!(nothing.0, 404, "{}", nothing.1);
    house.server.stop().await;
}

/// Rulesets that are made to be expensive, in five sizes each.
fn bombs() -> Vec<Json> {
    let names = |n: usize| (0..n).map(|k| format!("v{k}")).collect::<Vec<_>>();
    let mut all = Vec::new();
    for size in [8, 64, 512, 4_096, 20_000] {
        let mut product = race("bomb", 3);
        product["enums"] = json!({"a": names(size), "b": names(size)});
        product["zones"] = json!({"deck": {"owner": "game", "see": "none"}});
        product["decks"] = json!({"d": {"product": ["a", "b"], "into": "deck", "copies": size}});
        let mut setup = race("bomb", 3);
        let round = |inner: Json| json!([{"repeat": {"n": size, "do": inner}}]);
        let add = json!([{"add": {"var": [{"seat": 0}, "at"], "by": 1}}]);
        setup["setup"] = (0..5).fold(add.clone(), |inner, _| round(inner));
        let mut procs = race("bomb", 3);
        procs["procs"] = json!({"p0": add});
        for n in 1..size.min(40) {
            let call = format!("p{}", n - 1);
            procs["procs"][format!("p{n}")] = json!([{"call": call}, {"call": call}]);
        }
        procs["setup"] = json!([{"call": format!("p{}", size.min(40) - 1)}]);
        let mut deep = race("bomb", 3);
        deep["setup"] =
            (0..size.min(100)).fold(json!([]), |inner, _| json!([{"repeat": {"n": 2, "do": inner}}]));
        let mut wide = race("bomb", 3);
        wide["vars"] =
            names(size).into_iter().map(|name| (name, json!({"owner": "player", "type": "int"}))).collect();
        let mut long = race("bomb", 3);
        long["name"] = json!("<b>".repeat(size));
        let mut own = race("bomb", 3);
        own["extends"] = json!("bomb");
        let mut seats = race("bomb", 3);
        seats["players"] = json!({"min": 2, "max": size});
        let mut events = race("bomb", 3);
        events["events"] = json!({"E": {"n": "int"}});
        events["setup"] = round(json!([{"emit": {"event": "E", "payload": {"n": 1}}}]));
        let mut numbers = race("bomb", 3);
        numbers["flow"][0]["turns"]["do"][0]["ask"]["number"]["max"] = json!(i64::MAX - size as i64);
        all.extend([product, setup, procs, deep, wide, long, own, seats, events, numbers]);
    }
    all
}

/// Whatever is sent as a ruleset is published or refused; the server stays as it was, and goes on with everything else.
#[tokio::test(flavor = "multi_thread")]
async fn hostile_rulesets_harm_nobody() {
    let extra = std::env::var("PARLOR_SOAK_RULESETS").ok().and_then(|n| n.parse().ok()).unwrap_or(0_usize);
    let limits = Config {
        requests_per_second: 1_000_000,
        requests_burst: 1_000_000,
        ruleset_versions_per_day_max: 1_000_000,
        rulesets_max: 20,
        tables_per_address_max: 1_000_000,
        ..open_house()
    };
    let house = House::with(limits).await;
    let (_, ann) = house.player("Ann").await;
    let good = race("sprint", 3);
    let once = parlor_testkit::bad::mutations(&good);
    let twice = once.iter().cycle().enumerate().flat_map(|(n, each)| {
        let again = parlor_testkit::bad::mutations(each);
        let kept = again.len().min(7);
        again.into_iter().skip(n % 11).step_by(5).take(kept)
    });
    let files = bombs().into_iter().chain(once.clone()).chain(twice.take(extra));
    let mut counts = std::collections::BTreeMap::new();
    for file in files {
        let sent = file.to_string();
        let done = tokio::time::timeout(Duration::from_secs(60), publish(&house, &ann, &file)).await;
        let (code, reply) = done.unwrap_or_else(|_| panic!("no reply to {:.300}", sent));
        assert!([201, 400, 409, 413, 422, 503].contains(&code), "{code} {reply} to {sent:.300}");
        *counts.entry(code).or_insert(0_usize) += 1;
        if code == 201 {
            // Its tables start or are refused, within their fuel.
            let order = json!({"game": reply["name"], "bots": 1});
            let made = house.rest("POST", "/matches", None, Some(order));
            let (code, made) = tokio::time::timeout(Duration::from_secs(60), made).await.expect("a reply");
            assert!([201, 400].contains(&code), "{code} {made} to {sent:.300}");
        }
    }
    println!("published or refused: {counts:?}");
    assert!(counts[&422] > 50 && counts[&201] > 0, "{counts:?}");
    let (code, catalog) = house.rest("GET", "/catalog", None, None).await;
    let games = catalog["games"].as_array().map_or(0, Vec::len);
    assert!(code == 200 && games < 60, "{games}");
    let pair = house.pair("after", "oxo").await;
    drop(pair);
    house.server.stop().await;
}

/// Texts that a test has saved and the server has not looked at yet.
#[derive(Clone, Default)]
struct Saved(Arc<Mutex<Vec<String>>>);

impl Saved {
    fn save(&self, text: &str) {
        self.0.lock().expect("unpoisoned").push(text.to_owned());
    }
}

impl RulesetFiles for Saved {
    fn changes(&mut self) -> Vec<RulesetFile> {
        let texts = std::mem::take(&mut *self.0.lock().expect("unpoisoned"));
        let file = |text: String| RulesetFile {
            path: "race.json".to_owned(),
            compiled: parlor_ruleset::compile_for_server(&text, &|_| None),
        };
        texts.into_iter().map(file).collect()
    }
}

/// A file of the house is served and followed: a saved file is the next version, a mistake is told at its place and what
/// was served before stays.
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_saved_is_the_next_version() {
    let files = Saved::default();
    files.save(&race("sprint", 3).to_string());
    let store = Arc::new(MemoryLog::new(Syncs::AtOnce));
    let games = crate::client::games().into_iter().map(registration);
    let server = Server::builder(config(), games, store)
        .rulesets(Arc::new(parlor_ruleset::ServerCompiler))
        .ruleset_files(Box::new(files.clone()));
    let server = server.start().await.expect("the server starts");
    let status = async |query: &str| {
        let path = format!("/rulesets/sprint/status?{query}");
        let (code, status) = call(server.addr, "GET", &path, None, None, &[]).await;
        assert_eq!(code, 200, "{status}");
        status
    };
    assert_eq!(status("").await, json!({"v": 1, "version": 1, "findings": []}));
    // A caller who waits hears of the next save at once.
    let (told, ()) = tokio::join!(status("wait=20000&v=1"), async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        files.save("{\n  \"ir\": }");
    });
    assert_eq!(
        (&told["v"], &told["version"], &told["findings"][0]["line"]),
        (&json!(2), &json!(1), &json!(2))
    );
    let order = || Some(json!({"game": "sprint"}));
    let (code, made) = call(server.addr, "POST", "/matches", None, order(), &[]).await;
    assert_eq!(code, 201, "what was served before stays: {made}");
    files.save(&race("sprint", 4).to_string());
    let told = status("wait=20000&v=2").await;
    assert_eq!(told, json!({"v": 3, "version": 2, "findings": []}));
    let (code, none) = call(server.addr, "GET", "/rulesets/oxo/status", None, None, &[]).await;
    assert_eq!(code, 404, "{none}");
    server.stop().await;
}
