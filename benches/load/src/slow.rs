//! Clients that never read: what they cost the other tables, and the server's memory.

use serde_json::{Value, json};

use crate::house::House;
use crate::pair::Pair;
use crate::play::{play_all, seat_all};
use crate::player::Player;
use crate::stats::{median, percentile_ms};
use crate::{Outcome, SlowArgs};

/// Chat lines with each move of the table that the sleepers are at: what their sockets can hold is soon full.
const LINES: u32 = 10;
/// Characters of each.
const LINE_CHARS: usize = 900;
/// Moves of each half that are talked over. After them the sockets are full, and the log of that table need not grow: it would be
/// counted as memory of the sleepers.
const TALKED_OVER: u32 = 60;

/// Measures in interleaved pairs, and reports.
pub(crate) async fn run(args: &SlowArgs) -> Outcome<Value> {
    let house = House::parlor(&args.server)?;
    let moves = args.moves * args.pairs * 8 + 100;
    let mut tables = seat_all(&house, args.tables, moves).await?;
    let mut watched = Pair::seat(house.addr, "watched", moves).await?;
    let (mut without, mut with, mut ratios, mut grown) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for _ in 0..args.pairs {
        let awake;
        (tables, watched, awake) = measure(tables, watched, args.moves).await?;
        let before = house.rss_bytes();
        // They join, and from then on nobody takes a byte out of their sockets.
        let mut sleepers = Vec::new();
        for _ in 0..args.sleepers {
            let mut sleeper = Player::connect(house.addr, "watched").await?;
            sleeper.spectate().await?;
            sleepers.push(sleeper);
        }
        let asleep;
        (tables, watched, asleep) = measure(tables, watched, args.moves).await?;
        grown = grown.max(house.rss_bytes().saturating_sub(before));
        drop(sleepers);
        without.push(awake);
        with.push(asleep);
        ratios.push(asleep / awake.max(0.001));
    }
    let mut missed = watched.catch_up().await?;
    for table in &mut tables {
        missed += table.catch_up().await?;
    }
    Ok(json!({
        "tables": args.tables,
        "sleepers": args.sleepers,
        "p99_ms_without": without,
        "p99_ms_with": with,
        "median_ratio": median(&mut ratios),
        "bytes_per_sleeper": grown / u64::from(args.sleepers.max(1)),
        "messages_missed_elsewhere": missed,
    }))
}

/// Plays at all tables, also at the one that is watched; the p99 of the others, in milliseconds.
async fn measure(tables: Vec<Pair>, mut watched: Pair, moves: u32) -> Outcome<(Vec<Pair>, Pair, f64)> {
    let line = "x".repeat(LINE_CHARS);
    let noise = tokio::spawn(async move {
        let talked_over = moves.min(TALKED_OVER);
        watched.play_and_talk(talked_over, &line, LINES).await?;
        watched.play_and_talk(moves - talked_over, &line, 0).await.map(|()| watched)
    });
    let mut tables = play_all(tables, moves).await?;
    let watched = noise.await.map_err(|error| error.to_string())??;
    let mut latencies = Vec::new();
    for table in &mut tables {
        latencies.append(&mut table.latencies_us);
    }
    latencies.sort_unstable();
    Ok((tables, watched, percentile_ms(&latencies, 0.99)))
}
