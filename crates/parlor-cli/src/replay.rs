//! `parlor replay show` and `parlor replay check`: replay a match from its log.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parlor_core::logfile::LogFile;
use parlor_core::record::Footer;
use parlor_core::{Applied, Body, GameDef, Json, Match, Record, Seat, Seats, Viewer};
use serde_json::json;

use crate::shell::{Done, Failure, read_log};
use crate::{registry, render};

/// Arguments of `parlor replay`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Show a match step by step
    Show(ShowArgs),
    /// Replay logs and compare the results with their footers
    Check(CheckArgs),
}

/// Arguments of `parlor replay show`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  parlor replay show match.jsonl\n  \
    parlor replay show match.jsonl --as 0 --at 12\n  parlor replay show match.jsonl --as all --json")]
struct ShowArgs {
    /// The log of a match
    file: PathBuf,
    /// Whose view to show: a seat's, the gallery's, or all of them
    #[arg(long = "as", value_name = "SEAT|gallery|all", value_parser = Eyes::parse, default_value = "gallery")]
    eyes: Eyes,
    /// The ruleset, if the match was played from a ruleset file
    #[arg(long, value_name = "FILE")]
    ruleset: Option<PathBuf>,
    /// Show only this record; 0 is the start
    #[arg(long, value_name = "SEQ")]
    at: Option<u32>,
    /// Print one JSON object per line and step
    #[arg(long)]
    json: bool,
}

/// Arguments of `parlor replay check`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor replay check match.jsonl\n  parlor replay check logs/*.jsonl --json"
)]
struct CheckArgs {
    /// Logs of matches
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The ruleset, if the matches were played from a ruleset file
    #[arg(long, value_name = "FILE")]
    ruleset: Option<PathBuf>,
    /// Print one JSON object per line and file
    #[arg(long)]
    json: bool,
}

/// Whose view of a match is shown.
#[derive(Clone, Copy)]
enum Eyes {
    One(Viewer),
    All,
}

impl Eyes {
    fn parse(text: &str) -> Result<Self, String> {
        match (text, text.parse::<u8>()) {
            ("all", _) => Ok(Self::All),
            ("gallery", _) => Ok(Self::One(Viewer::Gallery)),
            (_, Ok(seat)) if usize::from(seat) < parlor_core::limits::SEATS_MAX => {
                Ok(Self::One(Seat::new(seat).into()))
            }
            _ => Err("expected a seat number, 'gallery' or 'all'".to_owned()),
        }
    }

    /// The viewers at a table with this many seats.
    fn viewers(self, seats: u8) -> Result<Vec<Viewer>, Failure> {
        match self {
            Self::All => Ok(Viewer::all(seats).collect()),
            Self::One(Viewer::Seat(seat)) if seat.index() >= usize::from(seats) => {
                Err(Failure::usage(format!("there is no seat {seat}, this table has {seats}"))
                    .hint("seats are counted from 0"))
            }
            Self::One(viewer) => Ok(vec![viewer]),
        }
    }
}

/// Runs `show` or `check`.
pub(crate) fn run(args: &Args) -> Done {
    match &args.command {
        Command::Show(args) => show(args),
        Command::Check(args) => check_all(args),
    }
}

// ---- show ----

fn show(args: &ShowArgs) -> Done {
    let log = read_log(&args.file)?;
    let def = game_of(&log, args.ruleset.as_deref())?;
    let viewers = args.eyes.viewers(log.header.seats)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut shown = false;
    walk(def, log, |played, applied| {
        if args.at.is_some_and(|at| at != applied.seq) {
            return Ok(());
        }
        shown = true;
        let record = played.records().into_iter().find(|record| record.seq == applied.seq);
        match args.json {
            true => writeln!(out, "{}", step_json(played, record.as_ref(), applied, &viewers))?,
            false => write!(out, "{}", step_text(played, record.as_ref(), applied, &viewers))?,
        }
        Ok(())
    })?;
    out.flush()?;
    match args.at {
        Some(at) if !shown => Err(Failure::failed(format!("{} has no record {at}", args.file.display()))),
        _ => Ok(()),
    }
}

/// Plays a log record by record. All records before a migration, played by older rules, are one step.
fn walk(def: GameDef, log: LogFile, mut step: impl FnMut(&Match, &Applied) -> Done) -> Done {
    let failed = |error: &dyn std::fmt::Display| Failure::failed(format!("the log does not replay: {error}"));
    let taken_over =
        |record: &Record| matches!(record.body, Body::Migrate { rules, .. } if rules == def.rules);
    let mut records = log.records;
    let (mut played, applied) = match records.iter().rposition(taken_over) {
        None => Match::start(def, log.header).map_err(|error| failed(&error))?,
        Some(index) => {
            let rest = records.split_off(index + 1);
            let before = std::mem::replace(&mut records, rest);
            let seq = before.len() as u32;
            let played = Match::replay(def, log.header, before).map_err(|error| failed(&error))?;
            (played, Applied { seq, ..Applied::default() })
        }
    };
    step(&played, &applied)?;
    for record in records {
        if record.seq != played.next_seq() {
            return Err(failed(&format!("expected record {}, found {}", played.next_seq(), record.seq)));
        }
        let Record { seq, at, by, key, body } = record;
        let applied =
            played.apply(at, by, key, body).map_err(|refusal| failed(&format!("record {seq}: {refusal}")))?;
        step(&played, &applied)?;
    }
    Ok(())
}

/// The events that these viewers received, in order.
fn told<'a>(applied: &'a Applied, viewers: &[Viewer]) -> impl Iterator<Item = &'a (Seats, Json)> {
    applied.events.iter().filter(move |(to, _)| viewers.iter().any(|viewer| to.sees(*viewer)))
}

fn step_json(played: &Match, record: Option<&Record>, applied: &Applied, viewers: &[Viewer]) -> Json {
    let header = played.header();
    let views: serde_json::Map<String, Json> =
        viewers.iter().map(|viewer| (key(*viewer), played.view(*viewer))).collect();
    let events: Vec<&Json> = told(applied, viewers).map(|(_, event)| event).collect();
    json!({
        "game": header.game,
        "seq": applied.seq,
        "record": record,
        "events": events,
        "undone": applied.undone,
        "views": views,
        "outcome": applied.outcome,
    })
}

fn key(viewer: Viewer) -> String {
    viewer.seat().map_or_else(|| "gallery".to_owned(), |seat| seat.to_string())
}

fn step_text(played: &Match, record: Option<&Record>, applied: &Applied, viewers: &[Viewer]) -> String {
    let mut text = match record {
        None => render::heading(played.header()),
        Some(record) => format!("\n#{} {}\n", record.seq, render::record(record)),
    };
    for (to, event) in told(applied, viewers) {
        let secret =
            if *to == Seats::ALL { String::new() } else { format!("  (only {})", render::audience(*to)) };
        text.push_str(&format!("  · {}{secret}\n", render::event(event, &[])));
    }
    if applied.undone {
        text.push_str("  · the match was rewound\n");
    }
    text.push_str(&views_text(played, viewers));
    if let Some(outcome) = &applied.outcome {
        let names: Vec<String> = (0..played.header().seats).map(|seat| format!("seat {seat}")).collect();
        text.push_str(&format!("\n{}\n", outcome.text(&names)));
    }
    text
}

/// Each distinct view, with all viewers who share it.
fn views_text(played: &Match, viewers: &[Viewer]) -> String {
    let mut views: Vec<(Json, Vec<String>)> = Vec::new();
    for viewer in viewers {
        let view = played.view(*viewer);
        match views.iter_mut().find(|(same, _)| *same == view) {
            Some((_, who)) => who.push(viewer.to_string()),
            None => views.push((view, vec![viewer.to_string()])),
        }
    }
    let shown = |(view, who): &(Json, Vec<String>)| match viewers.len() {
        1 => render::view(view, "  "),
        _ => format!("  {}:\n{}", who.join(", "), render::view(view, "    ")),
    };
    views.iter().map(shown).collect()
}

// ---- check ----

/// The result of replaying a log.
pub(crate) enum Verdict {
    /// It plays, and gives this footer.
    Played(Footer),
    /// It does not play, for this reason.
    Broken(String),
}

/// The definition of the game that this log belongs to.
pub(crate) fn game_of(log: &LogFile, ruleset: Option<&Path>) -> Result<GameDef, Failure> {
    if let Some(path) = ruleset {
        return crate::ruleset::def(path);
    }
    registry::games().into_iter().find(|def| def.name == log.header.game).ok_or_else(|| {
        Failure::failed(format!("this is a match of '{}', which this build does not have", log.header.game))
            .hint("if it was played from a ruleset file, name it with --ruleset FILE")
    })
}

/// Replays the log.
pub(crate) fn replay(def: GameDef, log: &LogFile) -> Verdict {
    match Match::replay(def, log.header.clone(), log.records.clone()) {
        Ok(played) => Verdict::Played(played.footer()),
        Err(error) if error.seq == 0 => Verdict::Broken(error.why.to_string()),
        Err(error) => Verdict::Broken(error.to_string()),
    }
}

/// All differences between two footers, as text.
pub(crate) fn differences(said: Option<&Footer>, found: &Footer) -> Vec<String> {
    let Some(said) = said else {
        return vec!["the file has no footer, so there is nothing to compare with".to_owned()];
    };
    [("digest", &said.digest, &found.digest), ("chain", &said.chain, &found.chain)]
        .into_iter()
        .filter(|(_, said, found)| said != found)
        .map(|(what, said, found)| {
            format!("the {what} differs: the file says {said}, the replay gives {found}")
        })
        .collect()
}

fn check_all(args: &CheckArgs) -> Done {
    let mut out = io::stdout().lock();
    let mut failed = false;
    for file in &args.files {
        let (line, faults) = check(file, args.ruleset.as_deref());
        failed |= !faults.is_empty();
        let shown = file.display();
        match (args.json, faults.is_empty()) {
            (true, ok) => {
                writeln!(out, "{}", json!({"file": shown.to_string(), "ok": ok, "faults": faults}))?;
            }
            (false, true) => writeln!(out, "{shown}: ok, {line}")?,
            (false, false) => writeln!(out, "{shown}: FAILED: {}", faults.join("; "))?,
        }
    }
    if failed { Err(Failure::Told) } else { Ok(()) }
}

/// A summary of a log, and everything that is wrong with it.
fn check(file: &Path, ruleset: Option<&Path>) -> (String, Vec<String>) {
    let log = match read_log(file).and_then(|log| Ok((game_of(&log, ruleset)?, log))) {
        Ok(log) => log,
        Err(failure) => return (String::new(), vec![failure.to_string()]),
    };
    let (def, log) = log;
    match replay(def, &log) {
        Verdict::Broken(why) => (String::new(), vec![why]),
        Verdict::Played(found) => {
            let faults = differences(log.footer.as_ref(), &found);
            let LogFile { header, records, .. } = &log;
            let line = format!(
                "{} rules {}, {} records, digest {}",
                header.game,
                header.rules,
                records.len(),
                found.digest
            );
            (line, faults)
        }
    }
}
