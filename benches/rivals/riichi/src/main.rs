//! Scoring and shanten per CPU second of one thread, this project's and riichienv-core's, on the same hands.
//!
//! `cargo run --release --manifest-path benches/rivals/riichi/Cargo.toml [FOLDER]`, FOLDER holding `score.jsonl.gz` and
//! `shanten.jsonl.gz` in the form of the project's vectors (default: the vectors the project commits).
//!
//! `… play` races whole games with random actions; `… rounds` writes rounds for other engines to play again (README.md).
//!
//! The two take turns, five rounds each, and the best round of each is printed: what else the machine does can only slow
//! a round down.

/// The project's stopwatch, taken by itself: its crate needs much that a race does not.
#[path = "../../../../crates/parlor-testkit/src/cpu.rs"]
mod cpu;
mod hands;
mod play;
mod rounds;
mod score;
mod shanten;

use std::path::PathBuf;

use cpu::Stopwatch;

/// Rounds of each contestant.
const ROUNDS: usize = 5;
/// Seconds of CPU time in a round, about.
const ROUND_SECONDS: f64 = 0.7;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(("rounds", rest)) = args.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        if let Err(error) = rounds::run(rest) {
            eprintln!("{error}");
            std::process::exit(2);
        }
        return;
    }
    if args.first().is_some_and(|first| first == "play") {
        play::run();
        return;
    }
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../games/riichi/tests/data");
    let folder = std::env::args_os().nth(1).map_or(own, PathBuf::from);
    let watch = Stopwatch::start();
    std::hint::black_box(parlor_riichi::shanten::shanten(&parlor_riichi::hand::Hand::EMPTY));
    println!("parlor-riichi makes its tables in {:.0} ms\n", watch.cpu_seconds() * 1000.0);
    score::run(&hands::lines(&folder.join("score.jsonl.gz")));
    shanten::run(&hands::lines(&folder.join("shanten.jsonl.gz")));
}

/// A contestant: a name and a pass over all the hands.
struct Contestant<'a> {
    name: &'a str,
    pass: Box<dyn FnMut() -> u64 + 'a>,
}

/// Lets the contestants take turns; prints and gives the best rate of each, in hands per CPU second.
fn race(hands: usize, contestants: &mut [Contestant<'_>]) -> Vec<f64> {
    let mut best = vec![0.0; contestants.len()];
    for _ in 0..ROUNDS {
        for (contestant, best) in contestants.iter_mut().zip(&mut best) {
            let rate = round(hands, contestant);
            *best = f64::max(*best, rate);
        }
    }
    for (contestant, best) in contestants.iter().zip(&best) {
        println!("{:<58} {:>11.0} per CPU second", contestant.name, best);
    }
    best
}

fn round(hands: usize, contestant: &mut Contestant<'_>) -> f64 {
    let watch = Stopwatch::start();
    let mut passes = 0;
    loop {
        std::hint::black_box((contestant.pass)());
        passes += 1;
        let seconds = watch.cpu_seconds();
        if seconds >= ROUND_SECONDS {
            return (passes * hands) as f64 / seconds;
        }
    }
}
