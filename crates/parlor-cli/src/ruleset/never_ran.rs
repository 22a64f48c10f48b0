//! Random matches of a ruleset, and what neither they nor the scenarios have run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_core::sim::{Job, StuckMatch};
use parlor_ruleset::{Finding, Program, coverage, game_def};
use serde_json::json;

use super::{painted, read};
use crate::shell::{Done, Failure, Paint};

/// Matches that are played where the author does not say how many.
pub(super) const MATCHES: u64 = 200;

/// How long they may take together; what is not played by then is not played.
const LONGEST: Duration = Duration::from_secs(20);

/// What random matches came to.
struct Played {
    matches: u64,
    wanted: u64,
    seconds: f64,
    verdicts: BTreeMap<String, u64>,
    endless: u64,
    stuck: Option<StuckMatch>,
}

/// What to play.
pub(super) struct Wish {
    pub(super) matches: u64,
    pub(super) seed: u64,
    pub(super) json: bool,
}

/// Plays random matches of a traced program and tells what never ran.
pub(super) fn run(path: &Path, program: &Arc<Program>, wish: &Wish, out: &mut impl Write) -> Done {
    let played = play(program, wish)?;
    let never = coverage::never_ran(program);
    let text = read(path)?;
    let file = path.display().to_string();
    if wish.json {
        for finding in &never {
            writeln!(out, "{}", super::described(finding, &file, &text))?;
        }
        writeln!(
            out,
            "{}",
            json!({"matches": played.matches, "seed": wish.seed, "seconds": played.seconds, "verdicts": played.verdicts,
                   "endless": played.endless, "never_ran": never.len()})
        )?;
    } else {
        told(&played, &never, wish, (&file, &text), out)?;
    }
    match played.stuck {
        None => Ok(()),
        Some(still) => Err(Failure::failed(format!(
            "match {} of seed {} is stuck after {} inputs: {}",
            still.number, wish.seed, still.inputs, still.why
        ))
        .hint("an invariant is broken: correct the rules or the invariant")),
    }
}

fn told(
    played: &Played,
    never: &[Finding],
    wish: &Wish,
    (file, text): (&str, &str),
    out: &mut impl Write,
) -> Done {
    let paint = Paint::stdout();
    if wish.matches > 0 {
        let cut =
            if played.matches < played.wanted { format!(" of {}", played.wanted) } else { String::new() };
        let line = format!(
            "random matches: {}{cut} with seed {}, in {:.1} s",
            played.matches, wish.seed, played.seconds
        );
        writeln!(out, "{line}")?;
    }
    for (why, count) in &played.verdicts {
        writeln!(out, "  {count} ended by a {why}")?;
    }
    if played.endless > 0 {
        writeln!(out, "  {} did not end", played.endless)?;
    }
    for finding in never {
        writeln!(out, "{}", painted(paint, finding, file, text))?;
    }
    let where_to = if wish.matches > 0 { "in scenarios or random matches" } else { "in scenarios" };
    match never.len() {
        0 => writeln!(out, "never ran: nothing; all of it ran {where_to}")?,
        n => writeln!(out, "never ran: {n}, neither {}", where_to.replace(" or ", " nor "))?,
    }
    Ok(())
}

/// Plays with every number of seats that is allowed, in turn, until enough matches are played or the time is over.
fn play(program: &Arc<Program>, wish: &Wish) -> Result<Played, Failure> {
    let def = game_def(program.clone(), &program.id);
    let (least, most) = program.seats;
    let began = Instant::now();
    let bar = crate::sim::progress_bar(wish.matches);
    let mut all = Played {
        matches: 0,
        wanted: wish.matches,
        seconds: 0.0,
        verdicts: BTreeMap::new(),
        endless: 0,
        stuck: None,
    };
    for n in 0..wish.matches {
        let seats = least + (n % u64::from(most - least + 1)) as u8;
        let job = Job { settings: serde_json::Value::Null, seats, seed: wish.seed, bots: false };
        let tally = def.sim(&job, n, n + 1).map_err(|refusal| {
            Failure::failed(format!("a match of {seats} seats cannot start: {refusal}"))
        })?;
        all.matches += 1;
        all.endless += tally.endless;
        for (reason, count) in &tally.results.reasons {
            if reason.starts_with("verdict: ") {
                *all.verdicts.entry(reason.clone()).or_default() += count;
            }
        }
        bar.inc(1);
        all.stuck = tally.stuck;
        if all.stuck.is_some() || began.elapsed() > LONGEST {
            break;
        }
    }
    bar.finish_and_clear();
    all.seconds = began.elapsed().as_secs_f64();
    Ok(all)
}
