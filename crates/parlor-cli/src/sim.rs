//! `parlor sim`: plays many matches at full speed on any number of threads, with one digest for all of them.

mod arena;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use parlor_core::sim::{ArenaTally, Job, StuckMatch, Tally};
use parlor_core::{Json, Refusal, Seed};
use parlor_testkit::cpu::Stopwatch;
use serde_json::json;

use crate::shell::{Done, Failure, json_arg};
use crate::{registry, store};

/// About how often a worker reports its progress.
const STRETCH: Duration = Duration::from_millis(50);

/// Arguments of `parlor sim`.
#[derive(clap::Args)]
#[command(
    after_help = "The digest depends on the game, settings, seats, bots, seed and number of matches, and not on the\n\
    number of threads. per_second is the number of matches per second of CPU time.\n\n\
    With bots by name, each bot's places, what the game counts (per round where it has rounds) and the time of its\n\
    decisions are printed.\n\n\
    Examples:\n  parlor sim oxo --matches 1000000 --seed 1\n  \
    parlor sim oxo --matches 1000 --seed spring --bots own --record match.jsonl --json\n  \
    parlor sim riichi --bots fair,greedy,greedy,greedy --walls 1000 --seatings 4"
)]
pub(crate) struct Args {
    /// The game (see `parlor games`), or a ruleset file
    game: String,
    /// The number of matches
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    matches: u64,
    /// The seed of the run: a number or any text
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: String,
    /// Who plays: `random` legal moves, the game's `own` bot, or bots by name, one or one for each seat
    #[arg(long, value_name = "NAMES", default_value = "random")]
    bots: String,
    /// With bots by name: the number of deals, instead of --matches
    #[arg(long, value_name = "N")]
    walls: Option<u64>,
    /// With bots by name: how often each deal is played, with the bots one seat further each time
    #[arg(long, value_name = "N")]
    seatings: Option<u8>,
    /// The number of threads; 0 means one per core
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// The table's settings
    #[arg(long, value_name = "JSON", value_parser = json_arg, default_value = "null", hide_default_value = true)]
    settings: Json,
    /// The number of seats [default: the game's minimum]
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// Also play one match of this seed with a log, and write the log to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// The results of all workers together.
struct Run<T> {
    tally: T,
    seconds: f64,
    cpu_seconds: f64,
    threads: usize,
}

impl<T> Run<T> {
    /// How much of the time the workers ran: beside other programs they wait, and what is timed by the wall clock is that much
    /// too long.
    fn busy(&self) -> f64 {
        let seconds = self.seconds * self.threads as f64;
        if seconds > 0.0 { (self.cpu_seconds / seconds).min(1.0) } else { 1.0 }
    }
}

/// Totals that workers add up.
trait Totals: Default + Send {
    fn and(self, other: Self) -> Self;
    fn stuck(&self) -> Option<&StuckMatch>;
}

impl Totals for Tally {
    fn and(self, other: Self) -> Self {
        self.and(other)
    }

    fn stuck(&self) -> Option<&StuckMatch> {
        self.stuck.as_ref()
    }
}

impl Totals for ArenaTally {
    fn and(self, other: Self) -> Self {
        self.and(other)
    }

    fn stuck(&self) -> Option<&StuckMatch> {
        self.stuck.as_ref()
    }
}

/// Plays the matches and prints the results.
pub(crate) fn run(args: &Args) -> Done {
    let def = registry::find(&args.game)?;
    let fast = ["random", "own"].contains(&args.bots.as_str());
    if !fast || args.walls.is_some() || args.seatings.is_some() {
        if args.record.is_some() {
            return Err(Failure::usage("--record needs --bots random or --bots own"));
        }
        return arena::run(&def, args);
    }
    let job = Job {
        settings: args.settings.clone(),
        seats: registry::seats(&def, args.seats)?,
        seed: seed_number(&args.seed),
        bots: args.bots == "own",
    };
    if let Some(path) = &args.record {
        let match_log = store::sample_match(def, &job, &Seed::from_text(&args.seed)).map_err(not_playable)?;
        store::write(path, &match_log)?;
    }
    let run = play_all(def.name, args.matches, args.threads, |from, to| def.sim(&job, from, to))?;
    report(args, def.name, job.seats, &run)?;
    stuck(&args.seed, run.tally.stuck.as_ref())
}

/// A match that could not go on is a failure of the run.
fn stuck(seed: &str, stuck: Option<&StuckMatch>) -> Done {
    match stuck {
        None => Ok(()),
        Some(still) => Err(Failure::failed(format!(
            "match {} of seed {seed} is stuck after {} inputs: {}",
            still.number, still.inputs, still.why
        ))
        .hint("an invariant is broken: correct the rules or the invariant")),
    }
}

fn not_playable(refusal: Refusal) -> Failure {
    Failure::usage(format!("cannot start a match: {refusal}"))
        .hint("run `parlor games` to see the settings of each game")
}

/// A seed that is not a number is hashed to one.
fn seed_number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| {
        u64::from_str_radix(&Seed::from_text(text).to_hex()[..16], 16)
            .expect("a seed is written in hex digits")
    })
}

/// Plays all matches on so many threads; `play` plays a range of them.
fn play_all<T: Totals>(
    game: &str,
    matches: u64,
    threads: u16,
    play: impl Fn(u64, u64) -> Result<T, Refusal> + Sync,
) -> Result<Run<T>, Failure> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { cores() } else { threads.into() };
    let bar = progress_bar(matches);
    // The matches still to be played: none after the first one that is stuck.
    let (next, end) = (AtomicU64::new(0), AtomicU64::new(matches));
    let wall = Instant::now();
    let work = || work(&play, &next, &end, &bar);
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(std::thread::ScopedJoinHandle::join).collect()
    });
    bar.finish_and_clear();
    let mut run =
        Run { tally: T::default(), seconds: wall.elapsed().as_secs_f64(), cpu_seconds: 0.0, threads };
    for result in results {
        let broken = |_| Failure::failed(format!("the rules of {game} panicked in a match"));
        let (tally, cpu_seconds) = result.map_err(broken)?.map_err(not_playable)?;
        run.tally = run.tally.and(tally);
        run.cpu_seconds += cpu_seconds;
    }
    Ok(run)
}

/// One thread: takes ranges of matches until none is left.
fn work<T: Totals>(
    play: &(impl Fn(u64, u64) -> Result<T, Refusal> + Sync),
    next: &AtomicU64,
    end: &AtomicU64,
    bar: &ProgressBar,
) -> Result<(T, f64), Refusal> {
    let watch = Stopwatch::start();
    let mut tally = T::default();
    let mut stretch = 1;
    loop {
        let from = next.fetch_add(stretch, Ordering::Relaxed);
        let matches = end.load(Ordering::Relaxed);
        if from >= matches {
            return Ok((tally, watch.cpu_seconds()));
        }
        let to = (from + stretch).min(matches);
        let began = Instant::now();
        tally = tally.and(play(from, to)?);
        if let Some(still) = tally.stuck() {
            // Workers with earlier matches continue, so the first stuck match is reported on any number of threads.
            end.fetch_min(still.number, Ordering::Relaxed);
        }
        bar.inc(to - from);
        if began.elapsed() < STRETCH {
            stretch *= 2;
        }
    }
}

/// A progress bar of matches on standard error; hidden when that is no terminal.
pub(crate) fn progress_bar(matches: u64) -> ProgressBar {
    progress_bar_of(matches, "matches")
}

/// The same of other things.
pub(crate) fn progress_bar_of(things: u64, what: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = format!("{{bar:40}} {{human_pos}} of {{human_len}} {what}, {{eta}} left");
    ProgressBar::new(things)
        .with_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn report(args: &Args, game: &str, seats: u8, run: &Run<Tally>) -> Done {
    let Tally { matches, inputs, digest, endless, results, stuck } = &run.tally;
    let rate = |count: u64| rate(count, run.cpu_seconds);
    let per_second = rate(*matches);
    let hands = results.reasons.get(HAND_OVER).copied();
    let digest = format!("{digest:016x}");
    let wins = &results.wins[..usize::from(seats)];
    let verdicts: u64 = results.reasons.iter().filter(|(reason, _)| by_verdict(reason)).map(|(_, n)| n).sum();
    let mut out = io::stdout().lock();
    if args.json {
        let mut result = json!({
            "game": game,
            "matches": matches,
            "seconds": rounded(run.seconds),
            "cpu_seconds": rounded(run.cpu_seconds),
            "per_second": per_second,
            "digest": digest,
            "inputs": inputs,
            "endless": endless,
            "wins": wins,
            "draws": results.draws,
            "reasons": results.reasons,
            "verdicts": verdicts,
        });
        if let Some(hands) = hands {
            result["hands"] = json!(hands);
            result["hands_per_second"] = json!(rate(hands));
            result["matches_per_second"] = json!(per_second);
        }
        if let Some(still) = stuck {
            result["still"] = json!({"match": still.number, "inputs": still.inputs, "why": still.why});
        }
        writeln!(out, "{result}")?;
        return Ok(());
    }
    writeln!(out, "{game}: {matches} matches, {inputs} inputs, {endless} endless")?;
    let shares: Vec<String> = wins.iter().enumerate().map(|(seat, n)| format!("seat {seat} {n}")).collect();
    writeln!(out, "winners     {}; {} draws", shares.join(", "), results.draws)?;
    let reasons: Vec<String> = results.reasons.iter().map(|(reason, n)| format!("{reason} {n}")).collect();
    writeln!(out, "reasons     {}", if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") })?;
    if verdicts > 0 {
        writeln!(out, "verdicts    {verdicts} of {matches} matches were ended by a guardrail")?;
    }
    writeln!(out, "digest      {digest}")?;
    writeln!(out, "seconds     {:.3} wall clock, {:.3} CPU", run.seconds, run.cpu_seconds)?;
    writeln!(out, "per_second  {per_second}")?;
    if let Some(hands) = hands {
        writeln!(out, "hands       {hands}, {} per second", rate(hands))?;
    }
    if let Some(path) = &args.record {
        writeln!(out, "record      {}", path.display())?;
    }
    Ok(())
}

/// The reason of a match that is one hand of a table that goes on.
const HAND_OVER: &str = "hand over";

/// Whether a guardrail ended the match: rulesets put that into the reason.
fn by_verdict(reason: &str) -> bool {
    reason.starts_with("verdict: ")
}

/// How many of them in a second of CPU time: whole numbers, and three digits of a small one, so that what is slow does not
/// look as if it stood still. A run that the clock did not notice took one tick of it.
fn rate(count: u64, cpu_seconds: f64) -> Json {
    const TICK_SECONDS: f64 = 1e-6;
    const LEAST: f64 = 0.001;
    let rate = count as f64 / cpu_seconds.max(TICK_SECONDS);
    if count == 0 || rate >= 10.0 {
        return json!(rate.round() as u64);
    }
    json!(((rate * 1e3).round() / 1e3).max(LEAST))
}

/// Rounds to microseconds; further digits are noise.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::rate;

    #[test]
    fn whatever_was_played_has_a_rate_above_0() {
        for (count, cpu_seconds, told) in [
            (3000, 1.5, json!(2000)),
            (1, 3.0, json!(0.333)),
            (1, 100_000.0, json!(0.001)),
            (5, 0.0, json!(5_000_000)),
            (0, 1.0, json!(0)),
        ] {
            assert_eq!(rate(count, cpu_seconds), told, "{count} in {cpu_seconds} s");
        }
    }
}
