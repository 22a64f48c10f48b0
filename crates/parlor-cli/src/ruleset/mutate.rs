//! `parlor ruleset mutate`: changes one node of a ruleset at a time and names what no scenario notices.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use parlor_core::{Json, Rng};
use parlor_ruleset::mutants::{Fate, Mutants, bounded};
use parlor_ruleset::scenario;
use serde_json::json;

use super::{beside, compiled, described, painted, read, scenarios};
use crate::shell::{Done, Failure, Paint};

/// Arguments of `parlor ruleset mutate`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor ruleset mutate mygame.json\n  parlor ruleset mutate mygame.json --limit 2000 --seed 7\n\n\
    A change that no scenario notices is a rule that no scenario tests. Exit codes: 0 all changes were noticed, 1 some were \
    not."
)]
pub(super) struct Args {
    /// A ruleset; its scenarios are in its `tests` and in NAME.tests.json beside it
    file: PathBuf,
    /// The greatest number of changes to try; of more, this many are drawn by luck
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// The seed of that draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The number of threads; 0 means one per core
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
    /// Print one JSON object per line and change that nothing notices, and one with the counts
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Done {
    let text = read(&args.file)?;
    let whole = super::program(&args.file)?;
    let tests: Vec<Json> = scenarios::all(&args.file, &whole)?.into_iter().map(|test| test.json).collect();
    if tests.is_empty() {
        return Err(scenarios::none(&args.file));
    }
    let file = args.file.display().to_string();
    must_hold(&args.file, &text, &tests)?;
    let mutants = Mutants::of(&text).map_err(|finding| Failure::failed(finding.text(&file, &text)))?;
    let chosen = drawn(mutants.count(), args.limit as usize, args.seed);
    let began = Instant::now();
    let fates = judged(&mutants, &chosen, args, &tests);
    let count = |fate: Fate| fates.iter().filter(|(_, other)| *other == fate).count();
    let (refused, noticed, unnoticed) = (count(Fate::Refused), count(Fate::Noticed), count(Fate::Unnoticed));
    let paint = Paint::stdout();
    let mut out = io::stdout().lock();
    for (n, _) in fates.iter().filter(|(_, fate)| *fate == Fate::Unnoticed) {
        let finding = mutants.finding(*n);
        if args.json {
            writeln!(out, "{}", described(&finding, &file, &text))?;
        } else {
            writeln!(out, "{}", painted(paint, &finding, &file, &text))?;
        }
    }
    let (all, tried, seconds) = (mutants.count(), chosen.len(), began.elapsed().as_secs_f64());
    if args.json {
        let counts = json!({"changes": all, "tried": tried, "seed": args.seed, "refused": refused, "noticed": noticed,
                            "unnoticed": unnoticed, "seconds": seconds});
        writeln!(out, "{counts}")?;
    } else {
        let drawn =
            if tried < all { format!(" of {all}, drawn with seed {}", args.seed) } else { String::new() };
        writeln!(
            out,
            "changes: {tried}{drawn}; {noticed} noticed, {refused} refused by the checker, {unnoticed} unnoticed, in \
             {seconds:.1} s"
        )?;
    }
    if unnoticed > 0 { Err(Failure::Told) } else { Ok(()) }
}

/// What fails before anything is changed would notice every change.
fn must_hold(path: &std::path::Path, text: &str, tests: &[Json]) -> Done {
    let program = compiled(path, text).map_err(|_| Failure::Told)?.program;
    let program = bounded(program);
    match tests.iter().find_map(|test| scenario::run(&program, test).err()) {
        None => Ok(()),
        Some(failure) => {
            Err(Failure::failed(format!("a scenario fails before anything is changed: {failure}"))
                .hint(format!("run `parlor ruleset test {}` first", path.display())))
        }
    }
}

/// So many of them, in the order of the file.
fn drawn(all: usize, limit: usize, seed: u64) -> Vec<usize> {
    let mut chosen: Vec<usize> = (0..all).collect();
    if all > limit {
        Rng::fast(seed).shuffle(&mut chosen);
        chosen.truncate(limit);
        chosen.sort_unstable();
    }
    chosen
}

/// What becomes of each, in the order in which they were chosen.
fn judged(mutants: &Mutants, chosen: &[usize], args: &Args, tests: &[Json]) -> Vec<(usize, Fate)> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if args.threads == 0 { cores() } else { args.threads.into() };
    let bar = crate::sim::progress_bar_of(chosen.len() as u64, "changes");
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads.min(chosen.len()) {
            scope.spawn(|| {
                while let Some(n) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fate = mutants.judge(*n, &|name| beside(&args.file, name), tests);
                    found.lock().expect("nobody panics while it is held").push((*n, fate));
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut found = found.into_inner().expect("nobody panics while it is held");
    found.sort_unstable_by_key(|(n, _)| *n);
    found
}
