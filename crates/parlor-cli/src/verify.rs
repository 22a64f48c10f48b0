//! `parlor verify`: checks that a match was dealt from the seed the house committed to, and that its log is unaltered.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parlor_core::logfile::LogFile;
use parlor_core::{Body, Header};
use serde_json::json;

use crate::replay::{Verdict, game_of, replay};
use crate::shell::{Done, Failure, read_log};

/// Arguments of `parlor verify`.
#[derive(clap::Args)]
#[command(
    after_help = "Without --commitment, the log is only checked against itself. With the commitment that you saw\n\
    before the match, the check also proves that the house dealt from the seed it had committed to.\n\n\
    Examples:\n  parlor verify match.jsonl\n  parlor verify match.jsonl --commitment 5f0c… --json"
)]
pub(crate) struct Args {
    /// The log of a match
    file: PathBuf,
    /// The ruleset, if the match was played from a ruleset file
    #[arg(long, value_name = "FILE")]
    ruleset: Option<PathBuf>,
    /// The commitment that was published before the match
    #[arg(long, value_name = "HEX")]
    commitment: Option<String>,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// The result of one check.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Ok,
    Failed,
    NotApplicable,
}

impl State {
    fn text(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "FAILED",
            Self::NotApplicable => "not applicable",
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::NotApplicable => "not_applicable",
        }
    }
}

/// One check and its result.
struct Point {
    name: &'static str,
    state: State,
    why: String,
}

impl Point {
    fn new(name: &'static str, state: State, why: impl Into<String>) -> Self {
        Self { name, state, why: why.into() }
    }
}

/// Runs all checks and prints their results.
pub(crate) fn run(args: &Args) -> Done {
    let log = read_log(&args.file)?;
    let mut points = vec![commitment(&log.header, args.commitment.as_deref()), nonces(&log.header)];
    points.extend(played(&log, args.ruleset.as_deref())?);
    let failed = points.iter().any(|point| point.state == State::Failed);
    let mut out = io::stdout().lock();
    if args.json {
        let point = |p: &Point| json!({"point": p.name, "state": p.state.code(), "why": p.why});
        let points: Vec<_> = points.iter().map(point).collect();
        writeln!(
            out,
            "{}",
            json!({"file": args.file.display().to_string(), "ok": !failed, "points": points})
        )?;
    } else {
        for Point { name, state, why } in &points {
            writeln!(out, "{name:12} {:15} {why}", state.text())?;
        }
    }
    if failed { Err(Failure::Told) } else { Ok(()) }
}

/// Whether the seed is the one the house committed to.
fn commitment(header: &Header, published: Option<&str>) -> Point {
    let point = |state, why: String| Point::new("commitment", state, why);
    let ours = header.seed.commitment();
    match (header.seeded, &header.commitment, published) {
        (true, None, None) => {
            point(State::NotApplicable, "seeded: the seed was chosen, so there is no commitment".to_owned())
        }
        (true, None, Some(_)) => {
            point(State::Failed, "seeded: the seed was chosen, so nothing was published before".to_owned())
        }
        (true, Some(_), _) => {
            point(State::Failed, "the file is marked as seeded but has a commitment".to_owned())
        }
        (false, None, _) => point(State::Failed, "the file has no commitment".to_owned()),
        (false, Some(said), _) if *said != ours => {
            point(State::Failed, format!("the file says {said}, the seed gives {ours}"))
        }
        (false, Some(said), Some(published)) if !published.eq_ignore_ascii_case(said) => {
            point(State::Failed, format!("{published} was published, the file says {said}"))
        }
        (false, Some(said), Some(_)) => {
            point(State::Ok, format!("{said} matches the seed and was published"))
        }
        (false, Some(said), None) => point(State::Ok, format!("{said} matches the seed")),
    }
}

/// Whether players contributed to the seed.
fn nonces(header: &Header) -> Point {
    let point = |state, why: String| Point::new("nonces", state, why);
    let count = header.nonces.len();
    if header.nonces.is_empty() {
        return point(State::NotApplicable, "no player contributed to the seed".to_owned());
    }
    if count > usize::from(header.seats) {
        return point(State::Failed, format!("{count} nonces from {} seats", header.seats));
    }
    if header.nonces.iter().any(String::is_empty) {
        return point(State::Failed, "a nonce is empty".to_owned());
    }
    point(State::Ok, format!("{count} mixed into the seed before the first deal"))
}

/// Whether the log replays to the result in its footer. Every deal is drawn again from the seed.
fn played(log: &LogFile, ruleset: Option<&Path>) -> Result<Vec<Point>, Failure> {
    let found = match replay(game_of(log, ruleset)?, log) {
        Verdict::Played(found) => found,
        Verdict::Broken(why) => return Ok(vec![Point::new("deals", State::Failed, why)]),
    };
    let records = log.records.len();
    let taken_over = log.records.iter().rposition(|record| matches!(record.body, Body::Migrate { .. }));
    let deals = match taken_over {
        None => format!("{records} records replay from the seed"),
        Some(index) => {
            format!("record {} migrates to newer rules; earlier records are not replayed", index + 1)
        }
    };
    let mut points = vec![Point::new("deals", State::Ok, deals)];
    let Some(said) = &log.footer else {
        points.push(Point::new("footer", State::Failed, "missing, so there is nothing to compare with"));
        return Ok(points);
    };
    for (name, said, found) in [("digest", &said.digest, &found.digest), ("chain", &said.chain, &found.chain)]
    {
        points.push(match said == found {
            true => Point::new(name, State::Ok, found.clone()),
            false => {
                Point::new(name, State::Failed, format!("the file says {said}, the replay gives {found}"))
            }
        });
    }
    Ok(points)
}
