//! `parlor poker convert`.

use std::io::Write;
use std::path::PathBuf;

use parlor_poker::notation::{Record, phh, pokerstars, seed};

use super::{Failure, files};

/// Convert hands from one notation to another
///
/// The notation of a file (PHH, its JSON form or PokerStars text) is detected from its beginning. Hands of a variant
/// that PokerStars does not offer are refused by name; the other hands are written, and the exit code is 1.
///
/// Examples:
///   parlor poker convert --to json hand.phh
///   parlor poker convert --to pokerstars hands.phhs > hands.txt
///   parlor poker convert --to phhs hands.txt -o hands.phhs
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The notation to write
    #[arg(long, value_enum)]
    to: Form,
    /// Files to read; - is standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// In JSON, write dead blinds paid in the hand as _deadBlinds, as other programs do
    #[arg(long)]
    foreign_dead_blinds: bool,
    /// Write to this file instead of standard output
    #[arg(long, short)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// One hand in TOML
    Phh,
    /// Many hands in TOML
    Phhs,
    /// One JSON object per line
    Json,
    /// PokerStars hand history text
    Pokerstars,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut hands: Vec<(String, Record)> = Vec::new();
    for path in &args.paths {
        let text = files::text(path)?;
        let read = files::records(&text).map_err(|e| Failure::Failed(format!("{}: {e}", path.display())))?;
        hands.extend(read.into_iter().map(|(key, record)| (format!("{} {key}", path.display()), record)));
    }
    if args.to == Form::Phh && hands.len() != 1 {
        return Err(Failure::Usage(format!(
            "a .phh file holds one hand, not {}: use --to phhs",
            hands.len()
        )));
    }
    let bar = files::progress(hands.len());
    let mut text = String::new();
    let mut refused = 0;
    for (i, (name, record)) in hands.iter().enumerate() {
        match args.to {
            Form::Phh => text.push_str(&phh::write(record)),
            Form::Phhs => {
                text.push_str(if i > 0 { "\n" } else { "" });
                text.push_str(&phh::write_all([((i + 1).to_string().as_str(), record)]));
            }
            Form::Json if args.foreign_dead_blinds => {
                text.push_str(&seed::write(&record.with_foreign_dead_blinds()))
            }
            Form::Json => text.push_str(&seed::write(record)),
            Form::Pokerstars => match pokerstars::write(record) {
                Ok(written) => {
                    text.push_str(if text.is_empty() { "" } else { "\n" });
                    text.push_str(&written);
                }
                Err(error) => {
                    refused += 1;
                    eprintln!("parlor poker: {name}: {error}");
                }
            },
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    match &args.output {
        Some(path) => std::fs::write(path, text).map_err(|e| Failure::Io(path.display().to_string(), e))?,
        None => std::io::stdout()
            .lock()
            .write_all(text.as_bytes())
            .map_err(|e| Failure::Io("standard output".into(), e))?,
    }
    if refused > 0 {
        return Err(Failure::Failed(format!("{refused} of {} hands could not be converted", hands.len())));
    }
    Ok(())
}
