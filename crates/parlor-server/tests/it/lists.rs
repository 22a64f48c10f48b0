//! Lists of tables and players: what stands in a row, in which order, and what is never listed.

use std::time::Duration;

use parlor_core::{Json, Viewer};
use parlor_host::Command;
use parlor_server::Clock;
use serde_json::json;

use crate::client::{House, TempFile, config, play_out};

/// The rows of a list, by their tables.
async fn rows(house: &House, query: &str) -> Vec<Json> {
    let (code, listed) = house.rest("GET", &format!("/matches?{query}"), None, None).await;
    assert_eq!(code, 200, "{listed}");
    listed["matches"].as_array().expect("rows").clone()
}

fn ids(rows: &[Json]) -> Vec<&str> {
    rows.iter().filter_map(|row| row["id"].as_str()).collect()
}

/// Plays oxo to its end, each taking the first free cell.
async fn play(house: &House, id: &str) {
    let [mut one, mut two] = house.pair(id, "oxo").await;
    tokio::join!(play_out(&mut one), play_out(&mut two));
}

/// A list says who plays, and of a table that is over who came in at which place, and why it ended.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_has_the_players_and_the_result() {
    let house = House::open().await;
    play(&house, "over").await;
    let [_one, _two] = house.pair("runs", "oxo").await;
    let over = rows(&house, "state=finished").await;
    assert_eq!(ids(&over), ["over"]);
    let mut players: Vec<&str> =
        over[0]["players"].as_array().expect("players").iter().filter_map(Json::as_str).collect();
    players.sort_unstable();
    assert_eq!(players, ["Alice", "Bob"]);
    assert_eq!(over[0]["result"]["reason"], "three in a row", "{}", over[0]);
    let mut places: Vec<u64> =
        over[0]["result"]["places"].as_array().expect("places").iter().filter_map(Json::as_u64).collect();
    places.sort_unstable();
    assert_eq!(places, [1, 2]);
    let runs = rows(&house, "state=running").await;
    assert_eq!((ids(&runs), runs[0]["players"].as_array().map(Vec::len)), (vec!["runs"], Some(2)));
    assert!(runs[0].get("result").is_none());
    // What was stored says the same after a restart.
    let house = house.restart(crate::client::config()).await;
    assert_eq!(rows(&house, "state=finished").await, over);
    house.server.stop().await;
}

/// A battle's row has what each player has left.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_has_the_score_where_the_game_has_one() {
    let house = House::open().await;
    let [mut one, _two] = house.pair("b", "battle").await;
    one.say(json!({"type": "leave_game"})).await;
    one.until("game_left").await;
    let mut over = Vec::new();
    for _ in 0..500 {
        over = rows(&house, "state=finished").await;
        if !over.is_empty() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let scores = over[0]["result"]["scores"].as_array().expect("hit points").clone();
    assert_eq!(scores.len(), 2, "{}", over[0]);
    let names = over[0]["players"].as_array().expect("players");
    assert!(names.iter().all(|name| name.is_string()), "whoever left has a name all the same: {}", over[0]);
    house.server.stop().await;
}

/// A list says how a match stands that runs, as those who watch see it: not where they see it later.
#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_runs_has_the_score_that_spectators_see() {
    let house = House::open().await;
    let [_one, _two] = house.pair("b", "battle").await;
    let [_three, _four] = house.pair("o", "oxo").await;
    let settings = json!({"profile": "standard", "stake": 0});
    let body =
        json!({"id": "late", "game": "battle", "bots": 1, "settings": settings, "spectatorDelayMs": 60_000});
    let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
    let mut ann = house.client("late", "json").await;
    ann.join("Ann", None).await;
    ann.until("snapshot").await;
    let running = rows(&house, "state=running").await;
    assert_eq!(ids(&running), ["b", "late", "o"]);
    assert_eq!(running[0]["scores"], json!([10, 10]), "{}", running[0]);
    assert_eq!(running[1].get("scores"), None, "its spectators are held back");
    assert_eq!(running[2].get("scores"), None, "oxo has no score");
    house.server.stop().await;
}

/// The newest table comes first, page by page, also of one game; private tables are not listed.
#[tokio::test(flavor = "multi_thread")]
async fn the_newest_come_first_and_private_tables_are_left_out() {
    let house = House::open().await;
    for id in ["m", "z", "a"] {
        let _players = house.pair(id, "oxo").await;
    }
    let _players = house.pair("h", "sealed").await;
    let body = json!({"id": "secret", "game": "oxo", "bots": 1, "private": true});
    let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
    let mut ann = house.client("secret", "json").await;
    ann.say(json!({"type": "join_game", "player_name": "Ann", "invite": made["invite"]})).await;
    ann.until("snapshot").await;
    assert_eq!(ids(&rows(&house, "state=running&order=newest").await), ["h", "a", "z", "m"]);
    assert_eq!(ids(&rows(&house, "state=running&order=newest&game=oxo").await), ["a", "z", "m"]);
    let (_, page) = house.rest("GET", "/matches?state=running&order=newest&limit=2", None, None).await;
    assert_eq!(ids(page["matches"].as_array().expect("rows")), ["h"], "one of the two is private");
    let after = page["next"].as_str().expect("there is more");
    let next = rows(&house, &format!("state=running&order=newest&limit=2&after={after}")).await;
    assert_eq!(ids(&next), ["a", "z"]);
    assert_eq!(house.rest("GET", "/matches?order=odd", None, None).await.0, 400);
    house.server.stop().await;
}

/// Who leads in a game that rates its players; what two of them have played against each other; and what everybody may
/// know of that.
#[tokio::test(flavor = "multi_thread")]
async fn leaders_profiles_and_head_to_head() {
    let house = House::open().await;
    let (ann_id, ann) = house.player("Ann").await;
    let (bob_id, bob) = house.player("Bob").await;
    for (id, private) in [("one", false), ("two", true)] {
        let settings = json!({"profile": "standard", "stake": 0});
        let body = json!({"id": id, "game": "battle", "bots": 0, "private": private, "settings": settings});
        let (code, made) = house.rest("POST", "/matches", Some(&ann), Some(body)).await;
        assert_eq!(code, 201, "{made}");
        for token in [&ann, &bob] {
            let join = json!({"invite": made["invite"]});
            let (code, joined) =
                house.rest("POST", &format!("/matches/{id}/join"), Some(token), Some(join)).await;
            assert_eq!(code, 200, "{joined}");
        }
        // A player who leaves loses.
        let (code, left) = house.rest("POST", &format!("/matches/{id}/leave"), Some(&bob), None).await;
        assert_eq!(code, 200, "{left}");
    }
    for _ in 0..500 {
        let (_, me) = house.rest("GET", "/players/me/matches", Some(&bob), None).await;
        if me["matches"].as_array().is_some_and(|rows| rows.len() == 2) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let (code, listed) = house.rest("GET", "/leaders/battle", None, None).await;
    assert_eq!(code, 200, "{listed}");
    let leaders = listed["leaders"].as_array().expect("leaders");
    let names: Vec<&str> = leaders.iter().filter_map(|leader| leader["nickname"].as_str()).collect();
    assert_eq!(names, ["Ann", "Bob"]);
    assert_eq!((&leaders[0]["won"], &leaders[1]["lost"]), (&json!(2), &json!(2)));
    assert_eq!(house.rest("GET", "/leaders/hearts", None, None).await.0, 404, "hearts rates nobody");
    let path = format!("/players/{bob_id}");
    let (_, seen) = house.rest("GET", &path, Some(&ann), None).await;
    assert_eq!(seen["headToHead"], json!([{"game": "battle", "won": 2, "lost": 0, "drawn": 0}]));
    for nobody in [None, Some(bob.as_str())] {
        let (_, seen) = house.rest("GET", &path, nobody, None).await;
        assert!(seen.get("headToHead").is_none(), "{seen}");
    }
    let (_, public) = house.rest("GET", &format!("/players/{ann_id}/matches"), None, None).await;
    let tables: Vec<&str> = public["matches"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|row| row["game_id"].as_str())
        .collect();
    assert_eq!(tables, ["one"], "the other table is private");
    assert_eq!(house.rest("GET", "/players/nobody/matches", None, None).await.0, 404);
    // A player who gives their account up is nowhere any more.
    assert_eq!(house.rest("DELETE", "/players/me", Some(&bob), None).await.0, 200);
    let (_, listed) = house.rest("GET", "/leaders/battle", None, None).await;
    assert_eq!(listed["leaders"].as_array().map(Vec::len), Some(1));
    assert_eq!(house.rest("GET", &format!("/players/{bob_id}/matches"), None, None).await.0, 404);
    let over = rows(&house, "state=finished").await;
    let names = over[0]["players"].to_string();
    assert!(names.contains("Ann") && names.contains("Player ") && !names.contains("Bob"), "{names}");
    house.server.stop().await;
}

/// Spectators who are held back do not learn the result from a list, or from the page of a link, before their time.
#[tokio::test(flavor = "multi_thread")]
async fn a_result_waits_for_the_spectators_who_are_held_back() {
    let house = House::by_clock(Clock::held(0), crate::client::config(), TempFile::new()).await;
    let body = json!({"id": "slow", "game": "oxo", "bots": 0, "spectatorDelayMs": 60_000});
    let (code, made) = house.rest("POST", "/matches", None, Some(body)).await;
    assert_eq!(code, 201, "{made}");
    let mut clients = Vec::new();
    for name in ["Alice", "Bob"] {
        let mut client = house.client("slow", "json").await;
        client.join(name, Some(&format!("token-of-{name}-0123456789"))).await;
        client.until("game_joined").await;
        clients.push(client);
    }
    for client in &mut clients {
        client.until("snapshot").await;
    }
    let (mut two, mut one) = (clients.pop().expect("two"), clients.pop().expect("one"));
    tokio::join!(play_out(&mut one), play_out(&mut two));
    let at_once = rows(&house, "state=finished").await;
    assert!(at_once[0].get("result").is_none(), "{}", at_once[0]);
    house.server.tell("slow", 60_000, Command::Tick, Viewer::Gallery).await;
    let later = rows(&house, "state=finished").await;
    assert!(later[0].get("result").is_some(), "{}", later[0]);
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_finished_tables_only_the_newest_are_kept() {
    let house = House::with(parlor_server::Config { finished_kept_max: 2, sweep_ms: 20, ..config() }).await;
    for id in ["a", "b", "c", "d"] {
        let body = json!({"id": id, "game": "oxo", "bots": 1});
        let (_, made) = house.rest("POST", "/matches", None, Some(body)).await;
        let join = json!({"player_name": "Ann"});
        assert_eq!(house.rest("POST", &format!("/matches/{id}/join"), None, Some(join)).await.0, 200);
        let owner = made["owner_token"].as_str().expect("a token");
        assert_eq!(house.rest("POST", &format!("/matches/{id}/kill"), Some(owner), None).await.0, 200);
        // The next one is newer.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut kept: Vec<String> = Vec::new();
    for _ in 0..1_000 {
        let (_, page) = house.rest("GET", "/matches?state=finished", None, None).await;
        let rows = page["matches"].as_array().expect("rows");
        kept = rows.iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect();
        if kept == ["c", "d"] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(kept, ["c", "d"]);
    house.server.stop().await;
}
