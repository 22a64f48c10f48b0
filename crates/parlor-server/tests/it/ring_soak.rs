//! Cash tables over a store that fails and servers that die: nobody's chip is lost, made, or given to somebody else.
//!
//! Bots keep the hands going; people come, top up, leave and come back through REST. Meanwhile the store refuses writes,
//! loses what it has not synced, or is taken over by the next server. At the end every match is read back and replayed,
//! and what it posted is compared with the players' statements.
//!
//! A long run is a row of houses, each with a seed and a store of its own, so that it can be stopped and go on.

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
use parlor_testkit::soak::{Progress, count};
use serde_json::json;

use crate::client::call;

/// Tables at a time.
const TABLES: usize = 6;
/// Players with accounts.
const PLAYERS: usize = 10;

/// Matches of one house, over all its tables.
const MATCHES_PER_HOUSE: u64 = 1000;
/// Houses of a long run that play beside each other: most of the time each waits for its clocks.
const HOUSES_AT_ONCE: usize = 6;

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

/// How often a top-up is tried before the player does something else.
const TOP_UP_TRIES: usize = 4;
/// Every request is answered, whatever the store does meanwhile.
const ANSWER_WITHIN: Duration = Duration::from_secs(60);
/// The first tables are for play money, which never runs out; at the others players soon cannot pay.
const TOKEN_TABLES: usize = 2;

/// A player and where they sit, as far as they know.
struct Person {
    name: String,
    token: String,
    sits: Vec<String>,
    /// Retry keys used so far.
    keys: u64,
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
    let answered = tokio::time::timeout(ANSWER_WITHIN, call(at, method, path, token, body, &[])).await;
    answered.unwrap_or_else(|_| panic!("{method} {path} was never answered"))
}

/// What came of something that a player did.
#[derive(Default)]
struct Done {
    /// The retry key of an answer that the server acknowledged.
    acknowledged: Option<String>,
    /// Whether it was refused because the store did not take it.
    not_stored: bool,
}

/// One random thing that a player does.
async fn act(at: SocketAddr, person: &mut Person, mut rng: Rng) -> Done {
    let table = format!("t{}", rng.below(TABLES as u32));
    let token = person.token.clone();
    let here = person.sits.iter().position(|id| *id == table);
    let path = |what: &str| format!("/matches/{table}{what}");
    let reply = match (here, rng.below(4)) {
        (None, _) => {
            let body = json!({"buyIn": 1 + rng.below(8)});
            let (code, joined) = rest(at, "POST", &path("/join"), Some(&token), Some(body)).await;
            if code == 200 {
                person.sits.push(table);
            }
            joined
        }
        (Some(n), 0) => {
            person.sits.remove(n);
            rest(at, "POST", &path("/leave"), Some(&token), None).await.1
        }
        (Some(n), _) => return top_up(at, person, n, &path("")).await,
    };
    Done { acknowledged: None, not_stored: reply["code"] == "not_stored" }
}

/// A player tops up where they sit, number `n` of their seats. Hands are short: one that is over by the time the answer
/// comes is followed by another with the same offer.
async fn top_up(at: SocketAddr, person: &mut Person, n: usize, table: &str) -> Done {
    let mut done = Done::default();
    for _ in 0..TOP_UP_TRIES {
        let (code, seen) = rest(at, "GET", table, Some(&person.token), None).await;
        if code == 403 {
            // The store never had the seat, or it was left.
            person.sits.remove(n);
            return done;
        }
        let requests = seen["snapshot"]["requests"].as_array().cloned().unwrap_or_default();
        let Some(offer) = requests.iter().find(|open| open["kind"] == "offer") else { continue };
        person.keys += 1;
        let key = format!("{}-{}", person.name, person.keys);
        let body = json!({"title": "Beside the hand", "selection": ["top up"], "inputId": offer["inputId"], "requestKey": key});
        let (code, told) =
            rest(at, "POST", &format!("{table}/responses"), Some(&person.token), Some(body)).await;
        done.not_stored |= told["code"] == "not_stored";
        if code == 200 {
            done.acknowledged = Some(key);
            return done;
        }
    }
    done
}

/// Everybody does something at the same time, or nothing.
async fn all_act(at: SocketAddr, people: &mut [Person], rng: &mut Rng) -> Vec<Done> {
    let some = people.iter_mut().filter_map(|person| {
        let own = Rng::fast(u64::from(rng.below(u32::MAX)));
        (rng.below(2) == 0).then(|| act(at, person, own))
    });
    futures_util::future::join_all(some).await
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
            // Long enough, now and then, for several hands: a table must not link twice before the store answers.
            let ms = if rng.below(3) == 0 { 250 } else { 10 };
            tokio::time::sleep(Duration::from_millis(rng.below(ms).into())).await;
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

fn currencies() -> [Currency; 2] {
    ["play", "tokens"].map(|name| Currency::new(name).expect("a good name"))
}

/// Compares logs, tables and ledger.
fn compare(store: &MemoryLog, people: &BTreeMap<String, PlayerId>, acknowledged: &Acknowledged) -> u64 {
    assert_eq!(store.audit(), Ok(Vec::new()), "the books balance");
    assert!(store.holds(None, 10).expect("it can be read").is_empty(), "nothing is still set aside");
    let (mut paid, mut keys, mut matches) = (BTreeMap::<String, i64>::new(), BTreeSet::new(), 0);
    for (table, last) in tables(store) {
        let found = replay(store, &table, last);
        let lies = |currency: &Currency| {
            store.balance(&Owner::Table(table.clone()), currency).expect("it can be read")
        };
        let lies: i64 = currencies().iter().map(lies).sum();
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
            let page = store.statement(&Owner::Player(id.clone()), None, before, 200);
            let page = page.expect("it can be read");
            let Some(last) = page.last() else { break };
            before = Some(last.no);
            let given = [Reason::Refill, Reason::Welcome];
            let at_tables = page.iter().filter(|line| !given.contains(&line.reason));
            moved += at_tables.map(|line| line.change).sum::<i64>();
        }
        assert_eq!(moved, paid.get(name).copied().unwrap_or(0), "{name}: what tables gave and took");
    }
    let lost: Vec<&String> = acknowledged.difference(&keys).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    matches
}

/// While the store works, nobody is refused for its sake: not because somebody else at the table cannot pay.
async fn quiet_moment(
    at: SocketAddr,
    store_is_well: &tokio::sync::Mutex<()>,
    people: &mut [Person],
    acknowledged: &mut Acknowledged,
    rng: &mut Rng,
) {
    let _well = store_is_well.lock().await;
    // What failed before is over when every table has answered twice.
    for n in (0..TABLES).chain(0..TABLES) {
        rest(at, "GET", &format!("/matches/t{n}"), None, None).await;
    }
    for _ in 0..2 {
        let done = all_act(at, people, rng).await;
        assert!(
            !done.iter().any(|done| done.not_stored),
            "the store works, and somebody was refused for its sake"
        );
        acknowledged.extend(done.into_iter().filter_map(|done| done.acknowledged));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn chips_are_conserved_over_failing_stores_and_dying_servers() {
    let wanted = count("PARLOR_SOAK_RING", MATCHES_PER_HOUSE as usize);
    let mut progress = Progress::of("ring");
    while progress.done < wanted {
        let left = (wanted - progress.done).div_ceil(MATCHES_PER_HOUSE as usize);
        let row = progress.next..progress.next + left.min(HOUSES_AT_ONCE) as u64;
        for matches in futures_util::future::join_all(row.map(one_house)).await {
            progress.add(matches as usize);
        }
        println!("{} houses: {} of {wanted} matches", progress.next, progress.done);
    }
}

/// Plays the matches of one house, compares, and returns how many there were.
async fn one_house(seed: u64) -> u64 {
    let wanted = MATCHES_PER_HOUSE;
    let mut rng = Rng::fast(2 * seed);
    let store = Arc::new(MemoryLog::new(Syncs::AtOnce));
    let mut server = open(&store).await;
    for n in 0..TABLES {
        // Where tokens are staked no bot plays.
        let (money, bots) = if n < TABLES - TOKEN_TABLES { ("play", 3) } else { ("tokens", 0) };
        let settings = json!({"turnMs": 5, "pauseMs": 40, "money": money});
        let body =
            json!({"id": format!("t{n}"), "game": "ring", "seats": 6, "bots": bots, "settings": settings});
        assert_eq!(rest(server.addr, "POST", "/matches", None, Some(body)).await.0, 201);
    }
    let (mut people, mut ids) = (Vec::new(), BTreeMap::new());
    for n in 0..PLAYERS {
        let name = format!("Player {n}");
        let (_, made) =
            rest(server.addr, "POST", "/players/guest", None, Some(json!({"nickname": name}))).await;
        let text = |field: &str| made[field].as_str().expect("text").to_owned();
        ids.insert(name.clone(), PlayerId::new(&text("player_id")).expect("a good name"));
        people.push(Person { name, token: text("token"), sits: Vec::new(), keys: 0 });
    }
    // Each table starts with its first player.
    for (n, person) in people.iter_mut().enumerate().take(TABLES) {
        let path = format!("/matches/t{n}/join");
        let (code, joined) =
            rest(server.addr, "POST", &path, Some(&person.token), Some(json!({"buyIn": 5}))).await;
        assert_eq!(code, 200, "{joined}");
        person.sits.push(format!("t{n}"));
    }
    let mut acknowledged = Acknowledged::new();
    let stop = Arc::new(AtomicBool::new(false));
    // Whoever has it decides whether the store fails just now.
    let store_is_well = Arc::new(tokio::sync::Mutex::new(()));
    let failing = tokio::spawn({
        let (store, stop, mut rng) = (store.clone(), stop.clone(), Rng::fast(2 * seed + 1));
        let store_is_well = store_is_well.clone();
        async move {
            while !stop.load(Ordering::Acquire) {
                tokio::time::sleep(Duration::from_millis(rng.below(60).into())).await;
                let _ill = store_is_well.lock().await;
                fail(&store, &mut rng).await;
            }
        }
    });
    let mut servers = 1;
    // A run that comes to a stop fails instead of going on for ever.
    let too_late = Instant::now() + Duration::from_secs(600);
    loop {
        if Instant::now() > too_late {
            let mut paused = Vec::new();
            for n in 0..TABLES {
                let (_, seen) = rest(server.addr, "GET", &format!("/matches/t{n}"), None, None).await;
                paused.push(json!([seen["match"], seen["paused"], seen["status"], seen["code"]]));
            }
            panic!("the tables have come to a stop: {paused:?}");
        }
        for _ in 0..16 {
            let done = all_act(server.addr, &mut people, &mut rng).await;
            acknowledged.extend(done.into_iter().filter_map(|done| done.acknowledged));
        }
        quiet_moment(server.addr, &store_is_well, &mut people, &mut acknowledged, &mut rng).await;
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
    matches
}
