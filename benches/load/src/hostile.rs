//! Honest tables on one server with everybody who means it ill: what that costs the honest ones, and what is left of it.

mod attackers;
mod budget;

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

pub(crate) use attackers::{KINDS, attack};

use crate::house::House;
use crate::pair::Pair;
use crate::play::seat_all;
use crate::player::request;
use crate::stats::percentile_ms;
use crate::{HostileArgs, Outcome};

/// How long each honest table thinks about a move.
const PACE: Duration = Duration::from_millis(500);
/// Tables that are read for one page of a list.
const PAGE: usize = 100;

/// What was measured while everybody played for a time.
struct Played {
    pairs: Vec<Pair>,
    moves: usize,
    p99_ms: f64,
    lost: Vec<String>,
    /// What the other process said when it ended.
    beside: Value,
}

/// Measures, and reports; an error names every line that was not kept.
pub(crate) async fn run(args: &HostileArgs) -> Outcome<Value> {
    let house = House::guarded(&args.server)?;
    let (quiet_s, hostile_s, after_s) = (args.quiet_s, args.seconds, args.after_s);
    let moves = (quiet_s + hostile_s + after_s) * 1000 / PACE.as_millis() as u64 + 1000;
    let pairs = seat_all(&house, args.tables, u32::try_from(moves).unwrap_or(u32::MAX)).await?;
    // The first minute of moves fills buffers that are kept.
    let warm = play_beside(&house, pairs, quiet_s.div_ceil(2), &[]).await?;
    let before = house.own_bytes();
    let quiet = play_beside(&house, warm.pairs, quiet_s, &["--burn"]).await?;
    let started = house.own_bytes();
    // The logs of honest tables grow by themselves, by so much for each move.
    let per_move = started.saturating_sub(before) as f64 / quiet.moves.max(1) as f64;
    eprintln!("quiet: {} moves, p99 {} ms, {started} bytes", quiet.moves, quiet.p99_ms);
    let attack: Vec<&str> = match &args.only {
        Some(only) => vec!["--only", only],
        None => vec!["--all"],
    };
    let hostile = play_beside(&house, quiet.pairs, hostile_s, &attack).await?;
    let peak = house.own_bytes();
    eprintln!("hostile: {} moves, p99 {} ms, {peak} bytes", hostile.moves, hostile.p99_ms);
    let after = play_beside(&house, hostile.pairs, after_s, &[]).await?;
    let ended = house.own_bytes();
    let grown = per_move * (hostile.moves + after.moves) as f64;
    let left_of_it = (ended as f64 - grown) / started as f64;
    let tables = strangers(&house).await?;
    let lost: Vec<&String> =
        [&warm.lost, &quiet.lost, &hostile.lost, &after.lost].into_iter().flatten().collect();
    let mut missed = 0;
    for mut pair in after.pairs {
        missed += pair.catch_up().await?;
    }
    let ratio = hostile.p99_ms / quiet.p99_ms.max(0.001);
    let report = json!({
        "tables": args.tables,
        "seconds": hostile_s,
        "moves": {"quiet": quiet.moves, "hostile": hostile.moves, "after": after.moves},
        "p99_ms": {"quiet": quiet.p99_ms, "hostile": hostile.p99_ms, "after": after.p99_ms},
        "p99_ratio": round(ratio),
        "answers_lost": lost.len(),
        "messages_missed": missed,
        "own_memory": {"start": started, "peak": peak, "end": ended, "grown_by_honest_moves": grown as u64},
        "memory_ratio": round(left_of_it),
        "tables_left": tables,
        "attackers": hostile.beside,
        "burner": quiet.beside,
    });
    let kept = [
        (ratio <= 2.0, format!("the p99 of honest tables is {ratio:.2} times the quiet one, and may be 2")),
        (lost.is_empty() && missed == 0, format!("honest answers were lost: {missed} unheard, {lost:?}")),
        (left_of_it <= 1.1, format!("{left_of_it:.2} times the memory is left, and may be 1.1")),
        (tables.is_empty(), format!("nobody sits at {} tables: {tables:?}", tables.len())),
    ];
    let broken: Vec<String> = kept.into_iter().filter(|(kept, _)| !kept).map(|(_, why)| why).collect();
    if broken.is_empty() { Ok(report) } else { Err(format!("{}\n{report:#}", broken.join("\n"))) }
}

/// Plays at every table for so long; with words for it, beside a process that attacks, or that burns what an attack may.
async fn play_beside(house: &House, pairs: Vec<Pair>, seconds: u64, how: &[&str]) -> Outcome<Played> {
    let beside = (!how.is_empty()).then(|| {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = tokio::process::Command::new(program);
        command.args(["attack", "--addr", &house.addr.to_string(), "--seconds", &seconds.to_string()]);
        command.args(how).stdout(Stdio::piped()).kill_on_drop(true).spawn().map_err(|error| error.to_string())
    });
    let beside = beside.transpose()?;
    let until = Instant::now() + Duration::from_secs(seconds);
    let (count, mut playing) = (pairs.len() as u32, JoinSet::new());
    for (n, mut pair) in pairs.into_iter().enumerate() {
        // Tables do not move in step.
        let first = PACE * n as u32 / count.max(1);
        playing.spawn(async move {
            let mut ticks = tokio::time::interval_at(tokio::time::Instant::now() + first, PACE);
            ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
            while Instant::now() < until {
                ticks.tick().await;
                pair.step().await?;
            }
            Ok::<Pair, String>(pair)
        });
    }
    let (mut pairs, mut lost, mut latencies) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(played) = playing.join_next().await {
        match played.map_err(|error| error.to_string())? {
            Ok(mut pair) => {
                latencies.append(&mut pair.latencies_us);
                pairs.push(pair);
            }
            Err(why) => lost.push(why),
        }
    }
    latencies.sort_unstable();
    let beside = match beside {
        Some(child) => {
            let said = child.wait_with_output().await.map_err(|error| error.to_string())?;
            serde_json::from_slice(&said.stdout).map_err(|error| format!("the attackers: {error}"))?
        }
        None => Value::Null,
    };
    let p99_ms = percentile_ms(&latencies, 0.99);
    Ok(Played { pairs, moves: latencies.len(), p99_ms, lost, beside })
}

/// Tables that run and at which no honest client sits.
async fn strangers(house: &House) -> Outcome<Vec<String>> {
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("/matches?state=running&limit={PAGE}{after}");
        let reply = request(house.addr, "GET", &path, "").await?;
        let body = reply.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let page: Value = serde_json::from_str(body).map_err(|error| format!("{error}: {reply}"))?;
        let listed = page["matches"].as_array().cloned().unwrap_or_default();
        let ids = listed.iter().filter_map(|table| table["id"].as_str());
        found.extend(ids.filter(|id| !id.starts_with("load-")).map(str::to_owned));
        match page["next"].as_str().or_else(|| page["after"].as_str()) {
            Some(next) if !listed.is_empty() => after = format!("&after={next}"),
            _ => return Ok(found),
        }
    }
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
