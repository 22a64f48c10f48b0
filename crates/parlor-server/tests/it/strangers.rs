//! What strangers may not do to others: pass for somebody else, come back where they were sent away, take all tables, look
//! into what is private, or act through somebody's browser.

use parlor_core::Json;
use parlor_server::Config;
use serde_json::json;

use crate::client::{Client, House, call, config, play_out};

async fn join(house: &House, id: &str, name: &str) -> (u16, Json) {
    house.rest("POST", &format!("/matches/{id}/join"), None, Some(json!({"player_name": name}))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_sits_down_under_a_name_that_is_not_theirs() {
    let house = House::open().await;
    house.player("Ann Lee").await;
    house.create("t", "hearts", 0).await;
    assert_eq!(join(&house, "t", "Alice").await.0, 200);
    for (name, status, code) in [
        ("Alice", 409, "name_taken"),
        ("A1ice", 409, "name_taken"),
        ("Аlice", 409, "name_taken"), // A Cyrillic letter.
        ("Ann Lee", 409, "name_taken"),
        ("System", 400, "invalid_name"),
        ("Bot 2", 400, "invalid_name"),
        ("A\u{202E}nn", 400, "invalid_name"),
        ("\u{200B}", 400, "invalid_name"),
        ("...", 400, "invalid_message"),
        ("A\nnn", 400, "invalid_name"),
    ] {
        let (got, refused) = join(&house, "t", name).await;
        assert_eq!((got, &refused["code"]), (status, &json!(code)), "{name:?}: {refused}");
        let mut client = house.client("t", "json").await;
        client.say(json!({"type": "join_game", "player_name": name})).await;
        let refused = client.until("session_error").await["code"].clone();
        // A control character is no name at all in the messages' own words.
        assert!(refused == code || refused == "invalid_message", "{name:?}: {refused}");
    }
    let guest = json!({"nickname": "moderator"});
    assert_eq!(
        house.rest("POST", "/players/guest", None, Some(guest)).await.0,
        400,
        "nor has an account one"
    );
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_spectator_does_not_speak_under_a_players_name() {
    let house = House::open().await;
    let [mut first, _second] = house.pair("t", "oxo").await;
    for (name, own) in [("Alice", false), ("ALICE", false), ("System", false), ("Carol", true)] {
        let mut spectator = house.client("t", "json").await;
        spectator.say(json!({"type": "join_game", "spectate": true, "player_name": name})).await;
        spectator.until("snapshot").await;
        spectator.say(json!({"type": "chat", "text": "hello"})).await;
        let said = first.until("chat").await;
        let speaker = said["player_name"].as_str().or(said["name"].as_str()).expect("a name");
        assert_eq!(speaker == name, own, "{said}");
        assert!(own || speaker.starts_with("Spectator "), "{said}");
    }
    first.say(json!({"type": "chat", "text": "mine"})).await;
    loop {
        let said = first.until("chat").await;
        if said["text"] == "mine" {
            assert!(said.to_string().contains("Alice") || said.to_string().contains("Bob"), "{said}");
            break;
        }
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_player_does_not_take_all_tables() {
    let house = House::with(Config { tables_per_player_max: 2, ..config() }).await;
    let (_, ann) = house.player("Ann").await;
    let mut refused = Vec::new();
    for _ in 0..3 {
        let mut client = Client::lobby(&house, "json").await;
        client.say(json!({"type": "hello", "token": ann})).await;
        client.until("hello_ok").await;
        client.say(json!({"type": "play_bots", "game": "hearts"})).await;
        let news = client.until_any(&["match_found", "session_error"]).await;
        refused.push(news["code"].clone());
    }
    assert_eq!(refused, [Json::Null, Json::Null, json!("too_many_tables")]);
    let (code, why) = house.rest("POST", "/queue/oxo", Some(&ann), None).await;
    assert_eq!((code, &why["code"]), (409, &json!("too_many_tables")), "nor by the queue");
    let mut client = Client::lobby(&house, "json").await;
    client.say(json!({"type": "hello", "token": ann})).await;
    client.until("hello_ok").await;
    client.say(json!({"type": "queue_join", "game": "oxo"})).await;
    assert_eq!(client.until("session_error").await["code"], "too_many_tables", "by neither way");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_does_not_take_all_tables() {
    let house = House::with(Config { tables_per_address_max: 1, ..config() }).await;
    let stakes = json!({"anySeat": true, "settings": {"currency": "play"}});
    let (_, ann) = house.player("Ann").await;
    let (code, seat) = house.rest("POST", "/queue/poker", Some(&ann), Some(stakes.clone())).await;
    assert_eq!(code, 200, "{seat}");
    let (_, bob) = house.player("Bob").await;
    let (code, why) = house.rest("POST", "/queue/oxo", Some(&bob), None).await;
    assert_eq!((code, &why["code"]), (409, &json!("too_many_tables")));
    let (code, why) = house.rest("POST", "/matches", None, Some(json!({"game": "oxo"}))).await;
    assert_eq!((code, &why["code"]), (409, &json!("too_many_tables")));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_on_from_a_private_table_is_private() {
    let house = House::open().await;
    let body = json!({"id": "t", "game": "oxo", "bots": 1, "private": true});
    let (_, made) = house.rest("POST", "/matches", None, Some(body)).await;
    let invite = made["invite"].as_str().expect("a code").to_owned();
    let mut client = house.client("t", "json").await;
    client.say(json!({"type": "join_game", "player_name": "Ann", "invite": invite})).await;
    client.until("snapshot").await;
    play_out(&mut client).await;
    let order = json!({"at": 0, "seat": 0, "player_name": "Ann"});
    let path = format!("/matches/t/fork?invite={invite}");
    let made = loop {
        let (code, made) = house.rest("POST", &path, None, Some(order.clone())).await;
        if code == 201 {
            break made;
        }
        assert_eq!((code, &made["code"]), (409, &json!("running")), "{made}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    let id = made["id"].as_str().expect("an id");
    assert_eq!(house.rest("GET", &format!("/matches/{id}"), None, None).await.0, 404);
    let (_, listed) = house.rest("GET", "/matches", None, None).await;
    assert!(!listed.to_string().contains(id), "{listed}");
    let link = made["link"].as_str().expect("a link").to_owned();
    let (_, given) = link.split_once("?invite=").expect("its own invitation");
    assert_ne!(given, invite);
    assert_eq!(house.rest("GET", &format!("/matches/{id}?invite={given}"), None, None).await.0, 200);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_page_does_nothing_here() {
    let house = House::open().await;
    let addr = house.server.addr;
    let own = format!("http://{addr}");
    let order = || Some(json!({"game": "oxo"}));
    for (headers, status) in [
        (vec![("Origin", "http://evil.example")], 403),
        (vec![("Origin", "null")], 403),
        (vec![("Sec-Fetch-Site", "cross-site")], 403),
        (vec![("Origin", own.as_str())], 201),
        (vec![("Origin", own.as_str()), ("Sec-Fetch-Site", "same-origin")], 201),
        (vec![], 201),
    ] {
        let (code, reply) = call(addr, "POST", "/matches", None, order(), &headers).await;
        assert_eq!(code, status, "{headers:?}: {reply}");
    }
    let read = call(addr, "GET", "/catalog", None, None, &[("Origin", "http://evil.example")]).await;
    assert_eq!(read.0, 200, "a browser shows it to nobody");
    house.server.stop().await;
}

/// Waits until a table has ended, and returns why.
async fn ended(house: &House, id: &str) -> Json {
    for _ in 0..200 {
        let (_, list) = house.rest("GET", "/matches?state=finished", None, None).await;
        let found =
            list["matches"].as_array().expect("a list").iter().find(|table| table["id"] == id).cloned();
        if let Some(table) = found {
            return table;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("{id} never ends");
}

/// A table that has left memory is found in the store.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_runs_in_the_store_alone_ends_too() {
    let patient = Config { last_human_grace_ms: 1500, idle_ms: 60, sweep_ms: 50, ..config() };
    let house = House::with(patient).await;
    house.create("t", "oxo", 0).await;
    for name in ["Ann", "Bob"] {
        assert_eq!(join(&house, "t", name).await.0, 200);
    }
    no_table_in_memory(&house).await;
    let (_, running) = house.rest("GET", "/matches?state=running", None, None).await;
    assert_eq!(running["matches"][0]["id"], "t", "it has only left memory: {running}");
    ended(&house, "t").await;
    no_table_in_memory(&house).await;
    house.server.stop().await;
}

/// A table that is over waits for nobody, and whoever asks for it later finds it in the store.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_is_over_leaves_memory_soon_after_the_last_who_looked() {
    let house = House::with(Config { idle_ms: 3_600_000, ..config() }).await;
    house.create("t", "oxo", 1).await;
    let mut client = house.client("t", "json").await;
    client.join("Ann", None).await;
    client.until("snapshot").await;
    play_out(&mut client).await;
    tokio::time::sleep(std::time::Duration::from_secs(3)).await;
    let (_, metrics) = house.rest("GET", "/metrics", None, None).await;
    assert!(metrics.to_string().contains("parlor_tables 1"), "somebody still looks at it");
    drop(client);
    no_table_in_memory(&house).await;
    let (code, table) = house.rest("GET", "/matches/t", None, None).await;
    assert_eq!((code, &table["over"]), (200, &json!(true)), "{table}");
    house.server.stop().await;
}

/// A match that its last player loses by being away is over, and waits for them no longer.
#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_is_forfeited_by_its_last_player_leaves_memory() {
    let house = House::with(Config { idle_ms: 60, ..config() }).await;
    let order = json!({"id": "t", "game": "battle", "bots": 1, "awayGraceMs": 200});
    assert_eq!(house.rest("POST", "/matches", None, Some(order)).await.0, 201);
    let mut client = house.client("t", "json").await;
    client.join("Ann", None).await;
    client.until("snapshot").await;
    drop(client);
    ended(&house, "t").await;
    no_table_in_memory(&house).await;
    house.server.stop().await;
}

/// Waits until no table is in memory.
async fn no_table_in_memory(house: &House) {
    let mut count = String::new();
    for _ in 0..200 {
        let (_, text) = house.rest("GET", "/metrics", None, None).await;
        let found = text.as_str().expect("text").lines().find_map(|line| line.strip_prefix("parlor_tables "));
        count = found.expect("it is counted").to_owned();
        if count == "0" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("{count} tables stay in memory");
}

/// A table whose players have no socket, one whose player hangs up, and one that nobody has come to, get the same grace.
#[tokio::test(flavor = "multi_thread")]
async fn every_table_that_nobody_comes_back_to_ends() {
    let graces = Config { last_human_grace_ms: 400, idle_ms: 60, sweep_ms: 50, ..config() };
    let house = House::with(graces).await;
    for id in ["rest", "alive", "kept"] {
        let grace = if id == "kept" { json!(3_600_000) } else { Json::Null };
        let mut order = json!({"id": id, "game": "oxo", "bots": 0});
        if id == "kept" {
            order["lastHumanGraceMs"] = grace;
        }
        assert_eq!(house.rest("POST", "/matches", None, Some(order)).await.0, 201);
    }
    let mut tokens = Vec::new();
    for (id, name) in [
        ("rest", "Ann"),
        ("rest", "Bob"),
        ("kept", "Ann"),
        ("kept", "Bob"),
        ("alive", "Ann"),
        ("alive", "Bob"),
    ] {
        let (code, joined) = join(&house, id, name).await;
        assert_eq!(code, 200, "{joined}");
        tokens.push(joined["session_token"].as_str().expect("a token").to_owned());
    }
    let mut watching = house.client("rest", "json").await;
    watching.say(json!({"type": "join_game", "spectate": true})).await;
    watching.until("snapshot").await;
    let mut hangs_up = house.client("alone", "json").await;
    house.create("alone", "hearts", 3).await;
    hangs_up.join("Ann", Some("token-of-Ann-0123456789")).await;
    hangs_up.until("snapshot").await;
    drop(hangs_up);
    // A player without a socket is there as long as they ask.
    let (addr, token) = (house.server.addr, tokens[4].clone());
    let asks = tokio::spawn(async move {
        for _ in 0..40 {
            call(addr, "GET", "/matches/alive", Some(&token), None, &[]).await;
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    });
    for id in ["rest", "alone"] {
        let over = ended(&house, id).await;
        assert!(
            over.to_string().contains("abandoned") || over.to_string().contains("killed"),
            "{id}: {over}"
        );
    }
    let (_, alive) = house.rest("GET", "/matches/alive", None, None).await;
    assert_eq!(alive["over"], false, "{alive}");
    asks.await.expect("it asks");
    ended(&house, "alive").await;
    // It has long left memory, and is still what its creator wanted.
    let (_, kept) = house.rest("GET", "/matches/kept", None, None).await;
    assert_eq!(kept["over"], false, "{kept}");
    drop(watching);
    no_table_in_memory(&house).await;
    house.server.stop().await;
}

/// A client that has not heard the answer asks again and gets the same table, also when both requests run at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_is_made_once_under_an_idempotency_key() {
    let house = House::open().await;
    let addr = house.server.addr;
    let ask = |path: &'static str, key: &'static str, body: Json| async move {
        call(addr, "POST", path, None, Some(body), &[("Idempotency-Key", key)]).await
    };
    let order = json!({"game": "oxo"});
    let (one, other) =
        tokio::join!(ask("/matches", "key-1", order.clone()), ask("/matches", "key-1", order.clone()));
    assert_eq!((one.0, &one.1), (201, &other.1), "the owner's token, too");
    assert_eq!(ask("/matches", "key-1", order.clone()).await, one);
    assert_ne!(ask("/matches", "key-2", order.clone()).await.1["id"], one.1["id"]);
    let (code, why) = ask("/matches", "key-1", json!({"game": "hearts"})).await;
    assert_eq!((code, &why["code"]), (422, &json!("idempotency_key_reused")));
    let (_, player) = house.player("Ann").await;
    let theirs =
        call(addr, "POST", "/matches", Some(&player), Some(order), &[("Idempotency-Key", "key-1")]).await;
    assert_ne!(theirs.1["id"], one.1["id"], "another caller's key is another key");
    let made = ask("/games", "key-3", json!({"game_id": "named"})).await;
    assert_eq!(made.0, 201);
    assert_eq!(
        ask("/games", "key-3", json!({"game_id": "named"})).await,
        made,
        "not refused as one that exists"
    );
    assert_eq!(ask("/games", "key-4", json!({"game_id": "named"})).await.0, 409);
    house.server.stop().await;
}

/// A table whose seed somebody chose says so from the room on: it is neither ranked nor staked.
#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_seed_is_seen_and_nothing_hangs_on_it() {
    let house = House::open().await;
    for (id, seed) in [("chosen", json!("mine")), ("drawn", Json::Null)] {
        let mut order = json!({"id": id, "game": "oxo", "bots": 0});
        if seed.is_string() {
            order["seed"] = seed.clone();
        }
        assert_eq!(house.rest("POST", "/matches", None, Some(order)).await.0, 201);
        let path = format!("/matches/{id}");
        let (_, waiting) = house.rest("GET", &path, None, None).await;
        for name in ["Ann", "Bob"] {
            join(&house, id, name).await;
        }
        let (_, running) = house.rest("GET", &path, None, None).await;
        let chosen = json!(seed.is_string());
        assert_eq!((&waiting["seeded"], &running["seeded"]), (&chosen, &chosen), "{id}");
        assert_eq!(
            running["snapshot"]["commitment"].is_null(),
            seed.is_string(),
            "nobody commits to what is known"
        );
    }
    let staked = json!({"game": "battle", "bots": 0, "seed": "mine", "settings": {"stake": 1}});
    let (code, why) = house.rest("POST", "/matches", None, Some(staked)).await;
    assert_eq!((code, &why["code"]), (400, &json!("staked")));
    let (ann, bob) = (house.player("Ann Lee").await, house.player("Bob Ray").await);
    let order = json!({"id": "rated", "game": "battle", "bots": 0, "seed": "mine", "settings": {"stake": 0}});
    assert_eq!(house.rest("POST", "/matches", None, Some(order)).await.0, 201);
    for (_, token) in [&ann, &bob] {
        assert_eq!(house.rest("POST", "/matches/rated/join", Some(token), Some(json!({}))).await.0, 200);
    }
    assert_eq!(house.rest("POST", "/matches/rated/leave", Some(&ann.1), None).await.0, 200);
    ended(&house, "rated").await;
    let (_, of_bob) = house.rest("GET", &format!("/players/{}", bob.0), None, None).await;
    let battle = of_bob["ratings"].as_array().expect("ratings").iter().find(|row| row["game"] == "battle");
    assert_eq!(battle.map(|row| (&row["won"], &row["lost"])), Some((&json!(0), &json!(0))), "{of_bob}");
    house.server.stop().await;
}

/// What a stranger is told on every way to a table.
async fn ways_in(house: &House, id: &str, token: &str) -> Vec<(String, u16, Json)> {
    let page = house.page().await;
    let mut told = Vec::new();
    for (path, of) in
        page["paths"].as_object().expect("paths").iter().filter(|(path, _)| path.contains("/matches/{id}"))
    {
        let at = path.replace("{id}", id).replace("{document}", "hand");
        for method in of.as_object().expect("methods").keys().map(|method| method.to_uppercase()) {
            for token in [None, Some(token), Some("0123456789abcdef0123456789abcdef")] {
                for body in [
                    json!({}),
                    json!({"player_name": "Eve", "requestKey": "k", "why": "x", "at": 0, "seat": 0}),
                ] {
                    for query in ["", "?invite=wrong", "?as=events"] {
                        let at = format!("{at}{query}");
                        let (code, reply) = house.rest(&method, &at, token, Some(body.clone())).await;
                        told.push((format!("{method} {path}{query}"), code, reply));
                    }
                }
            }
        }
    }
    told
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_table_cannot_be_told_from_none() {
    let many = 100_000;
    let house = House::with(Config { requests_per_second: many, requests_burst: many, ..config() }).await;
    let (_, eve) = house.player("Eve Lee").await;
    let private = |id: &str, bots: u8| json!({"id": id, "game": "hearts", "bots": bots, "private": true});
    for (id, bots) in [("room", 0), ("runs", 3), ("over", 3)] {
        let (code, made) = house.rest("POST", "/matches", None, Some(private(id, bots))).await;
        assert_eq!(code, 201, "{made}");
        if bots > 0 {
            let invite = made["invite"].as_str().expect("a code");
            let body = json!({"player_name": "Ann", "invite": invite});
            assert_eq!(house.rest("POST", &format!("/matches/{id}/join"), None, Some(body)).await.0, 200);
        }
        if id == "over" {
            let owner = made["owner_token"].as_str().expect("a token");
            assert_eq!(house.rest("POST", "/matches/over/kill", Some(owner), None).await.0, 200);
        }
    }
    let none = ways_in(&house, "none", &eve).await;
    assert!(none.len() > 200 && none.iter().any(|(_, code, _)| *code == 404), "{}", none.len());
    for id in ["room", "runs", "over"] {
        assert_eq!(ways_in(&house, id, &eve).await, none, "{id}");
    }
    for id in ["none", "room", "runs", "over"] {
        for join in [
            json!({"type": "join_game", "player_name": "Eve"}),
            json!({"type": "join_game", "player_name": "System"}),
            json!({"type": "join_game", "player_name": "Eve", "invite": "wrong", "seat": 99}),
            json!({"type": "join_game", "spectate": true}),
            json!({"type": "join_game", "player_token": eve}),
        ] {
            let mut client = house.client(id, "json").await;
            client.say(join.clone()).await;
            assert_eq!(client.until("session_error").await["code"], "game_not_found", "{id}: {join}");
        }
    }
    for list in
        ["/games", "/matches", "/matches?state=waiting", "/matches?state=running", "/matches?state=finished"]
    {
        let (code, listed) = house.rest("GET", list, None, None).await;
        let rows = listed["games"].as_array().or(listed["matches"].as_array()).expect("rows");
        assert_eq!((code, rows.len()), (200, 0), "{list}: {listed}");
    }
    // Nor is one that only the store has.
    let house = house.restart(Config { requests_per_second: many, requests_burst: many, ..config() }).await;
    assert_eq!(ways_in(&house, "over", &eve).await, none, "after a restart");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_a_place_at_a_private_table_finds_it_without_its_code() {
    let house = House::open().await;
    let body = json!({"id": "t", "game": "hearts", "bots": 3, "private": true});
    let (_, made) = house.rest("POST", "/matches", None, Some(body)).await;
    let (_, ann) = house.player("Ann Lee").await;
    let body = json!({"invite": made["invite"]});
    let (code, joined) = house.rest("POST", "/matches/t/join", Some(&ann), Some(body)).await;
    assert_eq!(code, 200, "{joined}");
    let session = joined["session_token"].as_str().expect("a token");
    for token in [session, &ann] {
        assert_eq!(house.rest("GET", "/matches/t", Some(token), None).await.0, 200);
    }
    let mut client = house.client("t", "json").await;
    client.say(json!({"type": "join_game", "player_token": ann})).await;
    client.until("snapshot").await;
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_of_tables_come_in_pages() {
    let house = House::open().await;
    for n in 1..=5 {
        house.create(&format!("t{n}"), "hearts", 0).await;
    }
    for (list, of, id) in [("/games", "games", "game_id"), ("/matches?state=waiting", "matches", "id")] {
        let (mut after, mut pages) = (String::new(), Vec::new());
        loop {
            let sign = if list.contains('?') { '&' } else { '?' };
            let (code, page) =
                house.rest("GET", &format!("{list}{sign}limit=2&after={after}"), None, None).await;
            assert_eq!(code, 200, "{page}");
            let rows = page[of].as_array().expect("rows");
            pages
                .push(rows.iter().map(|row| row[id].as_str().expect("an id").to_owned()).collect::<Vec<_>>());
            let Some(next) = page["next"].as_str() else { break };
            next.clone_into(&mut after);
        }
        assert_eq!(pages, [vec!["t1", "t2"], vec!["t3", "t4"], vec!["t5"]], "{list}");
    }
    assert_eq!(house.rest("GET", "/games?limit=many", None, None).await.0, 400);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_host_is_refused_on_every_address() {
    let house = House::with(Config { hosts: vec!["play.example".to_owned()], ..config() }).await;
    for (host, code) in [
        ("evil.example", 421),
        ("evil.example:80", 421),
        ("192.0.2.1", 421),
        ("localhost:1", 200),
        ("[::1]", 200),
        ("play.example", 200),
        ("PLAY.example:8443", 200),
    ] {
        for path in ["/health", "/games", "/openapi.json"] {
            let (got, told) = call(house.server.addr, "GET", path, None, None, &[("Host", host)]).await;
            assert_eq!(got, code, "{host} {path}");
            assert!(got == 200 || told["code"] == "foreign_host", "{told}");
        }
        let upgrade = [("Host", host), ("Connection", "Upgrade"), ("Upgrade", "websocket")];
        let (got, _) = call(house.server.addr, "GET", "/ws", None, None, &upgrade).await;
        assert_eq!(got == 421, code == 421, "{host}: the socket");
    }
    house.server.stop().await;
}
