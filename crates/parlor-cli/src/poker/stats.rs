//! `parlor poker stats`.

use std::io::Write;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use parlor_poker::notation::{ReadError, Record, RecordError};
use parlor_poker::stats::Stats;

use super::{Failure, files, print};

/// Count what players do, one JSON line per player and position
///
/// Files end in .phh (one hand), .phhs (many), .json, .jsonl or .txt (PokerStars); folders are searched recursively.
/// Each figure is `{"done", "of"}`: how often, of how many opportunities. Hands that cannot be played are left out and
/// named on standard error. What each figure counts is in docs/poker-hands.md.
///
/// Examples:
///   parlor poker stats hands.phhs
///   parlor poker stats corpus/ | jq 'select(.position == "all")'
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files and folders to read; - is standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Exit with code 1 if a hand cannot be read or played
    #[arg(long)]
    strict: bool,
}

/// What is counted, and what could not be.
#[derive(Default)]
struct Count {
    stats: Stats,
    hands: u64,
    left_out: u64,
}

impl Count {
    fn hand(&mut self, file: &str, key: &str, record: Result<Record, RecordError>) {
        self.hands += 1;
        let counted = record
            .map_err(|error| error.to_string())
            .and_then(|record| self.stats.count(&record).map_err(|error| error.to_string()));
        if let Err(error) = counted {
            self.left_out += 1;
            let key = if key.is_empty() { String::new() } else { format!(" hand {key}:") };
            eprintln!("parlor poker: {file}:{key} {error}");
        }
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let found = files::find(&args.paths, files::ENDINGS)?;
    let size = |file: &files::HandFile| std::fs::metadata(&file.path).map_or(0, |file| file.len());
    let bar = progress_bar(found.iter().map(size).sum());
    let (mut count, mut unread) = (Count::default(), 0);
    for file in &found {
        let text = files::text(&file.path)?;
        let each = |key: String, record: Result<Record, RecordError>| -> Result<(), ReadError> {
            count.hand(&file.name, &key, record);
            Ok(())
        };
        if let Err(error) = files::each_record(&text, each) {
            unread += 1;
            eprintln!("parlor poker: {}: {error}", file.path.display());
        }
        bar.inc(text.len() as u64);
    }
    bar.finish_and_clear();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in count.stats.lines() {
        let line = serde_json::to_string(&line).map_err(|error| Failure::Failed(error.to_string()))?;
        print(&mut out, &line)?;
    }
    out.flush().map_err(|error| Failure::Io("standard output".into(), error))?;
    if unread > 0 || args.strict && count.left_out > 0 {
        return Err(Failure::Failed(format!(
            "{unread} files could not be read, {} of {} hands could not be played",
            count.left_out, count.hands
        )));
    }
    Ok(())
}

/// A progress bar over bytes; hidden where standard error is no terminal.
fn progress_bar(bytes: u64) -> ProgressBar {
    let style = "{bar:40} {bytes} of {total_bytes}, {eta} left";
    files::on_terminal(bytes)
        .with_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()))
}
