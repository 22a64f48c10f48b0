//! `parlor poker replay`.

use std::io::Write;
use std::path::PathBuf;

use parlor_poker::Interpretation;
use parlor_poker::report::Report;

use super::{Failure, files, print};

/// Replay hands and print every step, one JSON line per hand
///
/// Files end in .phh (one hand), .phhs (many), .json, .jsonl or .txt (PokerStars); folders are searched recursively.
/// Amounts are decimal text. Each line has `ok`; if a hand cannot be played to its end, `ok` is false and `error` says
/// why.
///
/// Examples:
///   parlor poker replay hand.phh
///   parlor poker replay corpus/ > steps.jsonl
///   parlor poker replay --compat pokerkit corpus/ | jq .final.stacks
///   parlor poker replay --brief hands.phhs
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files and folders to read; - is standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Follow another program's interpretation of the rules instead of Parlor's
    #[arg(long, value_enum)]
    compat: Option<Compat>,
    /// Omit the steps
    #[arg(long)]
    brief: bool,
    /// Exit with code 1 if a hand cannot be played
    #[arg(long)]
    strict: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Compat {
    /// PokerKit 0.7.7, including where it departs from casino rules
    Pokerkit,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let interpretation = match args.compat {
        Some(Compat::Pokerkit) => Interpretation::PokerKit,
        None => Interpretation::House,
    };
    let found = files::find(&args.paths, files::ENDINGS)?;
    let bar = files::progress(found.len());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let (mut unread, mut unplayed) = (0, 0);
    for file in &found {
        let text = files::text(&file.path)?;
        match files::records(&text) {
            Ok(records) => {
                for (key, record) in &records {
                    let mut report = Report::of(&file.name, key, record, interpretation);
                    unplayed += usize::from(!report.ok);
                    if args.brief {
                        report.steps.clear();
                    }
                    let line = serde_json::to_string(&report).map_err(|e| Failure::Failed(e.to_string()))?;
                    print(&mut out, &line)?;
                }
            }
            Err(error) => {
                unread += 1;
                eprintln!("parlor poker: {}: {error}", file.path.display());
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    out.flush().map_err(|error| Failure::Io("standard output".into(), error))?;
    if unread > 0 || args.strict && unplayed > 0 {
        return Err(Failure::Failed(format!(
            "{unread} files could not be read, {unplayed} hands could not be played"
        )));
    }
    Ok(())
}
