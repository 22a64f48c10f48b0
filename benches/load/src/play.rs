//! Many matches at once: moves per processor second, latency, memory.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::house::House;
use crate::pair::Pair;
use crate::stats::percentile_ms;
use crate::{Outcome, PlayArgs};

/// Clients that connect at once: a backlog of the server's socket has an end.
const CONNECT_AT_ONCE: usize = 50;
/// How long an idle server is given to settle before its memory is read.
const SETTLE: Duration = Duration::from_millis(500);

/// Plays, and reports.
pub(crate) async fn run(args: &PlayArgs) -> Outcome<Value> {
    let house = House::parlor(&args.server)?;
    tokio::time::sleep(SETTLE).await;
    let rss_idle = house.rss_bytes();
    let mut pairs = seat_all(&house, args.matches, args.moves).await?;
    if args.wait_s > 0 {
        eprintln!("the server is process {}", house.pid());
        tokio::time::sleep(Duration::from_secs(args.wait_s)).await;
    }
    let (began, cpu_began) = (Instant::now(), house.cpu_seconds());
    // Memory is read in the middle, when every match is running and has a past.
    let half = args.moves / 2;
    pairs = play_all(pairs, half).await?;
    let rss_running = house.rss_bytes();
    // The last move ends the match: nobody is asked anything after it.
    pairs = play_all(pairs, (args.moves - half).saturating_sub(1)).await?;
    let (seconds, cpu) = (began.elapsed().as_secs_f64(), house.cpu_seconds() - cpu_began);
    let mut missed = 0;
    let mut latencies = Vec::new();
    for pair in &mut pairs {
        missed += pair.catch_up().await?;
        latencies.append(&mut pair.latencies_us);
    }
    latencies.sort_unstable();
    let moves = latencies.len();
    let grown = rss_running.saturating_sub(rss_idle);
    Ok(json!({
        "matches": args.matches,
        "moves": moves,
        "seconds": round(seconds),
        "server_cpu_seconds": cpu,
        "moves_per_cpu_second": (moves as f64 / cpu).round(),
        "p50_ms": percentile_ms(&latencies, 0.5),
        "p99_ms": percentile_ms(&latencies, 0.99),
        "rss_idle": rss_idle,
        "rss_running": rss_running,
        "bytes_per_match": grown / u64::from(args.matches.max(1)),
        "messages_missed": missed,
    }))
}

/// Seats two clients at each of so many tables.
pub(crate) async fn seat_all(house: &House, matches: u32, moves: u32) -> Outcome<Vec<Pair>> {
    let mut pairs = Vec::new();
    let mut seating = JoinSet::new();
    let addr = house.addr;
    for n in 0..matches {
        seating.spawn(async move { Pair::seat(addr, &format!("load-{n}"), moves).await });
        while seating.len() >= CONNECT_AT_ONCE {
            pairs.extend(seating.join_next().await.transpose().map_err(|e| e.to_string())?.transpose()?);
        }
    }
    while let Some(pair) = seating.join_next().await {
        pairs.push(pair.map_err(|error| error.to_string())??);
    }
    Ok(pairs)
}

/// Plays so many moves of every match, all at once.
pub(crate) async fn play_all(pairs: Vec<Pair>, moves: u32) -> Outcome<Vec<Pair>> {
    let mut playing = JoinSet::new();
    for mut pair in pairs {
        playing.spawn(async move { pair.play(moves).await.map(|()| pair) });
    }
    let mut done = Vec::new();
    while let Some(pair) = playing.join_next().await {
        done.push(pair.map_err(|error| error.to_string())??);
    }
    Ok(done)
}

fn round(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
