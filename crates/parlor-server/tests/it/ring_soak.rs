//! Cash tables over a store that fails and servers that die: nobody's chip is lost, made, or given to somebody else.
//!
//! Bots keep the hands going; people come, top up, leave and come back through REST. Meanwhile the store refuses writes,
//! loses what it has not synced, or is taken over by the next server. At the end every match is read back and replayed,
//! and what it posted is compared with the players' statements.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parlor_core::{Account, Body, Game, GameDef, Json, Match, Rng};
use parlor_server::{Config, Registration, Server};
use parlor_store::{
    Accounts, Currency, Listing, MatchLog, MatchSelector, MemoryLog, Owner, PlayerId, Reason, Syncs, TableId,
};
use parlor_testkit::probes::ring::Ring;
use serde_json::json;

use crate::client::call;

/// Tables at a time.
const TABLES: usize = 6;
/// Players with accounts.
const PLAYERS: usize = 10;

fn matches_wanted() -> u64 {
    std::env::var("PARLOR_SOAK_RING").ok().and_then(|n| n.parse().ok()).unwrap_or(1000)
}

fn config() -> Config {
    Config {
        listen: "127.0.0.1:0".to_owned(),
        admin_listen: String::new(),
        bot_ms: 0,
        idle_ms: 60_000,
        last_human_grace_ms: 3_600_000,
        away_grace_ms: 3_600_000,
        requests_per_second: 1_000_000,
        requests_burst: 1_000_000,
        ..Config::default()
    }
}

async fn open(store: &Arc<MemoryLog>) -> Server {
    loop {
        let served = [Registration::new(Ring::def())];
        match Server::builder(config(), served, store.clone()).start().await {
            Ok(server) => return server,
            // The store is failing just now.
            Err(_) => tokio::time::sleep(Duration::from_millis(2)).await,
        }
    }
}

/// A player and where they sit, as far as they know.
struct Person {
    name: String,
    token: String,
    sits: Vec<(String, String)>,
}

/// What the server has acknowledged: retry keys of answers.
type Acknowledged = BTreeSet<String>;

async fn rest(
    at: SocketAddr,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<Json>,
) -> (u16, Json) {
    call(at, method, path, token, body, &[]).await
}

/// One random thing that a player does.
async fn act(
    at: SocketAddr,
    person: &mut Person,
    keys: &mut u64,
    acknowledged: &mut Acknowledged,
    rng: &mut Rng,
) {
    let table = format!("t{}", rng.below(TABLES as u32));
    let here = person.sits.iter().position(|(id, _)| *id == table);
    match (here, rng.below(4)) {
        (None, _) => {
            let body = json!({"buyIn": 1 + rng.below(40)});
            let path = format!("/matches/{table}/join");
            let (code, joined) = rest(at, "POST", &path, Some(&person.token), Some(body)).await;
            if code == 200 {
                let session = joined["session_token"].as_str().unwrap_or_default().to_owned();
                person.sits.push((table, session));
            }
        }
        (Some(n), 0) => {
            let (id, _) = person.sits.remove(n);
            rest(at, "POST", &format!("/matches/{id}/leave"), Some(&person.token), None).await;
        }
        (Some(n), _) => {
            let id = &person.sits[n].0;
            let path = format!("/matches/{id}");
            let (code, seen) = rest(at, "GET", &path, Some(&person.token), None).await;
            if code == 403 {
                // The store never had the seat, or it was left.
                person.sits.remove(n);
                return;
            }
            let requests = seen["snapshot"]["requests"].as_array().cloned().unwrap_or_default();
            let Some(offer) = requests.iter().find(|open| open["kind"] == "offer") else { return };
            *keys += 1;
            let key = format!("{}-{keys}", person.name);
            let body = json!({"title": "Beside the hand", "selection": ["top up"], "inputId": offer["inputId"], "requestKey": key});
            let path = format!("/matches/{id}/responses");
            let (code, _) = rest(at, "POST", &path, Some(&person.token), Some(body)).await;
            if code == 200 {
                acknowledged.insert(key);
            }
        }
    }
}

/// The store fails in one of its ways, and recovers.
async fn fail(store: &MemoryLog, rng: &mut Rng) {
    match rng.below(3) {
        0 => {
            store.set_read_only(true);
            tokio::time::sleep(Duration::from_millis(rng.below(20).into())).await;
            store.set_read_only(false);
        }
        way => {
            store.set_syncs(Syncs::ByHand);
            tokio::time::sleep(Duration::from_millis(rng.below(10).into())).await;
            if way == 1 {
                store.crash()
            } else {
                store.sync()
            }
            store.set_syncs(Syncs::AtOnce);
            store.sync();
        }
    }
}

fn tables(store: &MemoryLog) -> Vec<(TableId, u32)> {
    let listed = store.tables(&Listing::default()).expect("it can be read");
    listed.into_iter().map(|info| (info.table, info.match_no)).collect()
}

/// What the logs of a table say: who was paid and who paid, by name, and what lies there at the end.
struct Replayed {
    paid: BTreeMap<String, i64>,
    house: i64,
    escrow: i64,
    keys: BTreeSet<String>,
}

fn replay(store: &MemoryLog, table: &TableId, last: u32) -> Replayed {
    let mut found = Replayed { paid: BTreeMap::new(), house: 0, escrow: 0, keys: BTreeSet::new() };
    for number in 1..=last {
        let stored = store.read(table, MatchSelector::Match(number)).expect("it can be read");
        let stored = stored.unwrap_or_else(|| panic!("{table}: match {number} was never stored"));
        let house: Json = stored.header.house.json();
        let sits = |chair: &Json| chair["who"]["name"].as_str().map(str::to_owned);
        let mut names: Vec<Option<String>> =
            house["chairs"].as_array().into_iter().flatten().map(sits).collect();
        let (mut play, started) =
            Match::start(GameDef::for_game::<Ring>(), stored.header).expect("it starts again");
        let mut post = |postings: &[parlor_core::Posting], names: &[Option<String>]| {
            for posting in postings {
                for (account, amount) in [(posting.from, -posting.amount), (posting.to, posting.amount)] {
                    match account {
                        Account::Seat(seat) => {
                            let name = names.get(seat.index()).cloned().flatten().unwrap_or_default();
                            *found.paid.entry(name).or_default() += amount;
                        }
                        Account::House => found.house += amount,
                        Account::Table | Account::Burn => {}
                    }
                }
            }
        };
        post(&started.postings, &names);
        let records = stored.records;
        for (n, record) in records.iter().enumerate() {
            // Somebody who joins pays before the note says who they are.
            let joins = matches!(record.body, Body::Visit { visit: parlor_core::Visit::Join { .. } });
            let mut then = names.clone();
            if let (true, Some(Body::Note { note })) = (joins, records.get(n + 1).map(|next| &next.body)) {
                sit(&mut then, note);
            }
            if let Body::Note { note } = &record.body {
                sit(&mut names, note);
            }
            found.keys.extend(record.key.clone());
            let applied = play.apply(record.at, record.by, record.key.clone(), record.body.clone());
            post(&applied.expect("it replays").postings, &then);
        }
        found.escrow = play.escrow();
    }
    found
}

fn sit(names: &mut [Option<String>], note: &Json) {
    if note["note"] == "sit"
        && let Some(seat) = note["seat"].as_u64()
    {
        names[seat as usize] = note["who"]["name"].as_str().map(str::to_owned);
    }
}

/// Compares logs, tables and ledger.
fn compare(store: &MemoryLog, people: &BTreeMap<String, PlayerId>, acknowledged: &Acknowledged) -> u64 {
    assert_eq!(store.audit(), Ok(Vec::new()), "the books balance");
    assert!(store.holds(None, 10).expect("it can be read").is_empty(), "nothing is still set aside");
    let play = Currency::new("play").expect("a good name");
    let (mut paid, mut keys, mut matches) = (BTreeMap::<String, i64>::new(), BTreeSet::new(), 0);
    for (table, last) in tables(store) {
        let found = replay(store, &table, last);
        let lies = store.balance(&Owner::Table(table.clone()), &play).expect("it can be read");
        assert_eq!(lies, found.escrow, "{table}: what lies on it is what its rules say");
        for (name, amount) in found.paid {
            *paid.entry(name).or_default() += amount;
        }
        keys.extend(found.keys);
        matches += u64::from(last);
    }
    for (name, id) in people {
        let mut moved = 0;
        let mut before = None;
        loop {
            let page = store.statement(&Owner::Player(id.clone()), Some(&play), before, 200);
            let page = page.expect("it can be read");
            let Some(last) = page.last() else { break };
            before = Some(last.no);
            let at_tables = page.iter().filter(|line| line.reason != Reason::Refill);
            moved += at_tables.map(|line| line.change).sum::<i64>();
        }
        assert_eq!(moved, paid.get(name).copied().unwrap_or(0), "{name}: what tables gave and took");
    }
    let lost: Vec<&String> = acknowledged.difference(&keys).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    matches
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_are_conserved_over_failing_stores_and_dying_servers() {
    let wanted = matches_wanted();
    let mut rng = Rng::fast(wanted);
    let store = Arc::new(MemoryLog::new(Syncs::AtOnce));
    let mut server = open(&store).await;
    for n in 0..TABLES {
        let settings = json!({"turnMs": 4, "pauseMs": 15});
        let body =
            json!({"id": format!("t{n}"), "game": "ring", "seats": 6, "bots": 3, "settings": settings});
        assert_eq!(rest(server.addr, "POST", "/matches", None, Some(body)).await.0, 201);
    }
    let (mut people, mut ids) = (Vec::new(), BTreeMap::new());
    for n in 0..PLAYERS {
        let name = format!("Player {n}");
        let (_, made) =
            rest(server.addr, "POST", "/players/guest", None, Some(json!({"nickname": name}))).await;
        let text = |field: &str| made[field].as_str().expect("text").to_owned();
        ids.insert(name.clone(), PlayerId::new(&text("player_id")).expect("a good name"));
        people.push(Person { name, token: text("token"), sits: Vec::new() });
    }
    // Each table starts with its first player.
    for (n, person) in people.iter_mut().enumerate().take(TABLES) {
        let path = format!("/matches/t{n}/join");
        let (code, joined) =
            rest(server.addr, "POST", &path, Some(&person.token), Some(json!({"buyIn": 20}))).await;
        assert_eq!(code, 200, "{joined}");
        person.sits.push((format!("t{n}"), joined["session_token"].as_str().unwrap_or_default().to_owned()));
    }
    let (mut keys, mut acknowledged) = (0, Acknowledged::new());
    let stop = Arc::new(AtomicBool::new(false));
    let failing = tokio::spawn({
        let (store, stop, mut rng) = (store.clone(), stop.clone(), Rng::fast(wanted + 1));
        async move {
            while !stop.load(Ordering::Acquire) {
                tokio::time::sleep(Duration::from_millis(rng.below(60).into())).await;
                fail(&store, &mut rng).await;
            }
        }
    });
    let mut servers = 1;
    // A run that comes to a stop fails instead of going on for ever.
    let too_late = Instant::now() + Duration::from_secs(180 + wanted / 20);
    loop {
        if Instant::now() > too_late {
            let mut paused = Vec::new();
            for n in 0..TABLES {
                let (_, seen) = rest(server.addr, "GET", &format!("/matches/t{n}"), None, None).await;
                paused.push(json!([seen["match"], seen["paused"], seen["status"], seen["code"]]));
            }
            panic!("the tables have come to a stop: {paused:?}");
        }
        for _ in 0..40 {
            let person = &mut people[rng.below(PLAYERS as u32) as usize];
            act(server.addr, person, &mut keys, &mut acknowledged, &mut rng).await;
        }
        let played: u64 = tables(&store).iter().map(|(_, last)| u64::from(*last)).sum();
        if played >= wanted && servers > 3 && !acknowledged.is_empty() {
            break;
        }
        // The next server takes over while this one still runs: whatever it was about to write is refused.
        if rng.below(12) == 0 || played * 4 > wanted * servers {
            let next = open(&store).await;
            let old = std::mem::replace(&mut server, next);
            tokio::spawn(old.stop());
            servers += 1;
        }
    }
    stop.store(true, Ordering::Release);
    failing.await.expect("it ends");
    server.stop().await;
    // The last server gives back what was set aside when the others ended.
    open(&store).await.stop().await;
    let matches = compare(&store, &ids, &acknowledged);
    println!("{matches} matches, {} acknowledged top-ups, {servers} servers", acknowledged.len());
    assert!(matches >= wanted);
}
