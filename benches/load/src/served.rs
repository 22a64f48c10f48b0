//! Any game that the server serves, by clients who pick from what they are asked: memory for each table, and processor time
//! for each byte sent, beside those of another game in the same run.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::guest::{Guest, Tally};
use crate::house::House;
use crate::player::request;
use crate::stats::median;
use crate::{GameArgs, Outcome, PlayArgs};

/// Tables that fill at once: a backlog of the server's socket has an end.
const SEATED_AT_ONCE: usize = 12;
/// How long an idle server is given to settle before its memory is read.
const SETTLE: Duration = Duration::from_millis(500);
/// How often the clients are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// No match has followed for so long: none will.
const OVER_FOR: Duration = Duration::from_secs(10);
/// Nobody has answered anything for so long: nothing more will come.
const SILENCE_MAX: Duration = Duration::from_secs(60);

/// Which game, with whom and how.
struct Wish<'a> {
    game: &'a str,
    clients: u32,
    settings: Value,
    play: &'a PlayArgs,
}

/// What the server has used by some moment.
struct Used {
    at: Instant,
    cpu_seconds: f64,
    answers: u64,
    bytes: u64,
    messages: u64,
}

impl Used {
    fn now(house: &House, tally: &Tally) -> Self {
        Self {
            at: Instant::now(),
            cpu_seconds: house.cpu_seconds(),
            answers: tally.answers.load(Ordering::Relaxed),
            bytes: tally.bytes.load(Ordering::Relaxed),
            messages: tally.messages.load(Ordering::Relaxed),
        }
    }
}

/// Plays the game, and the one beside it as often, and reports.
pub(crate) async fn run(args: &GameArgs, game: &str) -> Outcome<Value> {
    let given = args.settings.as_deref().unwrap_or("{}");
    let settings: Value = serde_json::from_str(given).map_err(|error| format!("--settings: {error}"))?;
    let wish = Wish { game, clients: args.clients.unwrap_or(0), settings, play: &args.play };
    let Some(beside) = &args.beside else { return measure(&wish).await };
    let other = Wish { game: beside, clients: 0, settings: json!({}), play: &args.play };
    let (mut runs, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..args.pairs.max(1) {
        let (one, two) = (measure(&wish).await?, measure(&other).await?);
        let cost = |report: &Value| report["cpu_ns_per_byte"].as_f64().unwrap_or(0.0);
        ratios.push(cost(&one) / cost(&two));
        runs.push(json!([one, two]));
    }
    let rounded: Vec<f64> = ratios.iter().map(|ratio| round(*ratio)).collect();
    Ok(
        json!({"pairs": runs, "cpu_per_byte_ratios": rounded, "cpu_per_byte_ratio": round(median(&mut ratios))}),
    )
}

/// One game on a server of its own.
async fn measure(wish: &Wish<'_>) -> Outcome<Value> {
    let house = House::parlor(&wish.play.server)?;
    let clients = if wish.clients > 0 { wish.clients } else { fewest_seats(house.addr, wish.game).await? };
    tokio::time::sleep(SETTLE).await;
    let (rss_idle, own_idle) = (house.rss_bytes(), house.own_bytes());
    let tally = Arc::new(Tally::default());
    let guests = seat_all(&house, wish, clients, &tally).await?;
    if wish.play.wait_s > 0 {
        eprintln!("the server is process {}", house.pid());
        tokio::time::sleep(Duration::from_secs(wish.play.wait_s)).await;
    }
    let began = Used::now(&house, &tally);
    let seated = guests.len() as u64;
    let mut playing = JoinSet::new();
    guests.into_iter().for_each(|guest| drop(playing.spawn(guest.play())));
    let goal = u64::from(wish.play.matches) * u64::from(wish.play.moves);
    // Memory is read in the middle, when every match is running and has a past.
    reach(&mut playing, &tally, goal / 2, seated).await?;
    let (rss_running, own_running) = (house.rss_bytes(), house.own_bytes());
    reach(&mut playing, &tally, goal, seated).await?;
    let ended = Used::now(&house, &tally);
    playing.shutdown().await;
    let (cpu, bytes) = (ended.cpu_seconds - began.cpu_seconds, ended.bytes - began.bytes);
    let answers = ended.answers - began.answers;
    let grown = rss_running.saturating_sub(rss_idle);
    Ok(json!({
        "game": wish.game,
        "tables": wish.play.matches,
        "clients_per_table": clients,
        "answers": answers,
        "answers_refused": tally.refusals(),
        "clients_done": tally.done.load(Ordering::Relaxed),
        "seconds": round((ended.at - began.at).as_secs_f64()),
        "server_cpu_seconds": round(cpu),
        "cpu_us_per_answer": round(cpu * 1e6 / answers.max(1) as f64),
        "messages_sent": ended.messages - began.messages,
        "bytes_sent": bytes,
        "bytes_sent_per_answer": bytes / answers.max(1),
        "cpu_ns_per_byte": round(cpu * 1e9 / bytes.max(1) as f64),
        "rss_idle": rss_idle,
        "rss_running": rss_running,
        "memory_per_table": grown / u64::from(wish.play.matches.max(1)),
        "own_memory_per_table": own_running.saturating_sub(own_idle) / u64::from(wish.play.matches.max(1)),
    }))
}

/// Waits until the clients have given so many answers, or all their matches are over.
async fn reach(playing: &mut JoinSet<Outcome<()>>, tally: &Tally, goal: u64, seated: u64) -> Outcome<()> {
    // Between two matches of a table nobody is asked anything.
    let mut all_over = None;
    let (mut last, mut since) = (0, Instant::now());
    loop {
        while let Some(played) = playing.try_join_next() {
            played.map_err(|error| error.to_string())??;
        }
        let answers = tally.answers.load(Ordering::Relaxed);
        let over = tally.done.load(Ordering::Relaxed) == seated;
        all_over = all_over.filter(|_| over).or_else(|| over.then(Instant::now));
        if answers >= goal || all_over.is_some_and(|since: Instant| since.elapsed() > OVER_FOR) {
            return Ok(());
        }
        if answers > last {
            (last, since) = (answers, Instant::now());
        }
        if since.elapsed() > SILENCE_MAX {
            return Err(format!(
                "nobody has been asked anything for a minute, after {answers} of {goal} answers"
            ));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Fills so many tables.
async fn seat_all(house: &House, wish: &Wish<'_>, clients: u32, tally: &Arc<Tally>) -> Outcome<Vec<Guest>> {
    let mut guests = Vec::new();
    let mut seating = JoinSet::new();
    for n in 0..wish.play.matches {
        let body = json!({
            "id": format!("load-{n}"), "game": wish.game, "seats": clients, "bots": 0,
            "settings": settings_of(wish),
        });
        seating.spawn(fill(house.addr, n, body, clients, tally.clone()));
        while seating.len() >= SEATED_AT_ONCE {
            guests.extend(seated(seating.join_next().await)?);
        }
    }
    while !seating.is_empty() {
        guests.extend(seated(seating.join_next().await)?);
    }
    Ok(guests)
}

fn seated(filled: Option<Result<Outcome<Vec<Guest>>, tokio::task::JoinError>>) -> Outcome<Vec<Guest>> {
    filled.transpose().map_err(|error| error.to_string())?.unwrap_or_else(|| Ok(Vec::new()))
}

async fn fill(addr: SocketAddr, n: u32, body: Value, clients: u32, tally: Arc<Tally>) -> Outcome<Vec<Guest>> {
    let reply = request(addr, "POST", "/matches", &body.to_string()).await?;
    if reply.split(' ').nth(1) != Some("201") {
        return Err(format!("no table {n}: {reply}"));
    }
    let mut guests = Vec::new();
    for guest in 0..clients {
        guests.push(Guest::sit(addr, &format!("load-{n}"), guest, tally.clone()).await?);
    }
    for guest in &mut guests {
        guest.begin().await?;
    }
    Ok(guests)
}

/// A match of grid64 is as long as its table says: longer than anybody here plays.
fn settings_of(wish: &Wish<'_>) -> Value {
    let mut settings = wish.settings.clone();
    if wish.game == "grid64" && settings.get("moves").is_none() {
        settings["moves"] = json!(wish.play.moves.saturating_mul(8));
    }
    settings
}

/// How many seats a table of the game has at least.
async fn fewest_seats(addr: SocketAddr, game: &str) -> Outcome<u32> {
    let reply = request(addr, "GET", &format!("/catalog/{game}"), "").await?;
    let body = reply.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let known: Value = serde_json::from_str(body).map_err(|_| format!("no game {game}: {reply}"))?;
    let seats = known["seats"]["min"].as_u64().and_then(|seats| u32::try_from(seats).ok());
    seats.ok_or_else(|| format!("no game {game}: {body}"))
}

fn round(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
