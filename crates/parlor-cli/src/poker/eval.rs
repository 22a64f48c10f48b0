//! `parlor poker eval`.

use std::io::Write;
use std::path::PathBuf;

use parlor_poker::eval::Question;

use super::{Failure, files, print};

/// Compare pairs of hands: one JSON line in, one JSON line out
///
/// A line has `t` (high, short, omaha, omaha8lo, stud, stud8lo, razz, 27lo or badugi), the hands `a` and `b`, and
/// `board` where the game has one. The result has `cmp`: 1 if a is better, -1 if b is better, 0 if they tie; `qa` and
/// `qb` say whether each qualifies as a hand.
///
/// Examples:
///   echo '{"t":"high","a":"AsKs","b":"QhQd","board":"Ah7c2d9s3c"}' | parlor poker eval
///   parlor poker eval eval.jsonl
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Files of JSON lines; standard input if omitted
    paths: Vec<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let stdin = [PathBuf::from("-")];
    let paths = if args.paths.is_empty() { &stdin[..] } else { &args.paths };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in paths {
        for (i, line) in files::text(path)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place =
                |error: String| Failure::Failed(format!("{}: line {}: {error}", path.display(), i + 1));
            let question: Question = serde_json::from_str(line).map_err(|e| place(e.to_string()))?;
            let answer = question.answer().map_err(|e| place(e.to_string()))?;
            let text = serde_json::to_string(&answer).map_err(|e| place(e.to_string()))?;
            print(&mut out, &text)?;
        }
    }
    out.flush().map_err(|error| Failure::Io("standard output".into(), error))
}
