//! Hearts: playouts per CPU second, the size of a suspended match, and how the bot fares against three random players.
//!
//! `cargo bench -p parlor-hearts --bench hearts -- playouts` prints the number alone, for benches/rivals/hearts.

use parlor_core::sim::Job;
use parlor_core::{Body, BotChoice, By, Header, Json, Match, Rng, Seat, Seed, Viewer};
use parlor_hearts::Hearts;
use parlor_script::Script;
use parlor_testkit::cpu::Stopwatch;

const DEALS: u64 = 50_000;

fn main() {
    let alone = std::env::args().any(|arg| arg == "playouts");
    let best = (0..5).map(|_| playouts()).fold(0.0, f64::max);
    if alone {
        println!("{best:.0}");
        return;
    }
    println!("hearts: {best:.0} playouts per CPU second (best of 5 × {DEALS} deals; aim 60,000)");
    for answers in [0, 4, 30, 54] {
        let (_, print) = parlor_script::suspended::<Hearts>(&Json::Null, 4, answers).expect("hearts runs");
        let word = if print.total() <= 4096 { "ok" } else { "MISSED" };
        println!(
            "hearts: suspended after {answers} answers: {} bytes, must be <= 4096: {word}; {print:?}",
            print.total()
        );
    }
    resident();
    bot(10_000);
}

/// Random deals, with passing and 52 plays each, per CPU second.
fn playouts() -> f64 {
    let def = Hearts::def();
    let job = Job { settings: Json::Null, seats: 4, seed: 1, bots: false };
    let watch = Stopwatch::start();
    let tally = def.sim(&job, 0, DEALS).expect("hearts can be simulated");
    assert_eq!(tally.inputs, DEALS * 55, "four passes and all plays but the forced first");
    DEALS as f64 / watch.cpu_seconds()
}

/// The resident memory per suspended match: how much the process grows over many of them.
fn resident() {
    const MATCHES: usize = 20_000;
    let pages = || -> Option<usize> {
        let text = std::fs::read_to_string("/proc/self/statm").ok()?;
        text.split_whitespace().nth(1)?.parse().ok()
    };
    let Some(before) = pages() else { return };
    let suspended = |_| parlor_script::suspended::<Hearts>(&Json::Null, 4, 54).expect("hearts runs").0;
    let all: Vec<_> = (0..MATCHES).map(suspended).collect();
    let bytes = (pages().unwrap_or(before) - before) * 4096 / all.len();
    let word = if bytes <= 4096 { "ok" } else { "MISSED" };
    println!(
        "hearts: {bytes} bytes of memory for each of {MATCHES} matches suspended before their last plays: {word}"
    );
}

/// One bot, in every seat in turn, against three random players.
fn bot(deals: u64) {
    let def = Hearts::def();
    let (mut points, mut rng) = (0, Rng::fast(5));
    for n in 0..deals {
        let header = Header::seeded(&def, 4, Json::Null, Seed::from_text(&format!("bot {n}")));
        let (mut play, _) = Match::start(def, header).expect("hearts starts");
        let bot = Seat::new((n % 4) as u8);
        while let Some((ask, seat)) =
            play.open_asks().first().and_then(|ask| Some((ask.id, ask.seats.lowest()?)))
        {
            let answer = if seat == bot { play.bot(seat, ask, &BotChoice::default()) } else { play.sample(seat, ask, &mut rng) };
            let answer = answer.expect("an answer");
            play.apply(0, By::Bot, None, Body::Answer { seat, ask, answer }).expect("a legal answer");
        }
        points += play.view(Viewer::Gallery)["scores"][bot.index()].as_u64().unwrap_or(26);
    }
    let mean = points as f64 / deals as f64;
    let word = if mean <= 4.5 { "ok" } else { "MISSED" };
    println!(
        "hearts: the bot takes {mean:.2} points a deal from three random players over {deals} deals, must be <= 4.5: {word}"
    );
}
