//! `parlor poker`: hands in PHH and other notations. The commands only read, write and print; the work is done by
//! `parlor_poker`.

mod convert;
mod equity;
mod eval;
mod files;
mod replay;
mod state;
mod stats;

use std::process::ExitCode;

/// Arguments of `parlor poker`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Replay(replay::Args),
    Eval(eval::Args),
    Convert(convert::Args),
    Equity(equity::Args),
    Merge(state::Merge),
    Next(state::Next),
    Auto(state::Auto),
    Personalize(state::Personalize),
    Stats(stats::Args),
}

/// Runs the sub-command. Exit codes: 0 success, 1 failure, 2 wrong usage.
pub(crate) fn run(args: Args) -> ExitCode {
    let done = match args.command {
        Command::Replay(args) => replay::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Equity(args) => equity::run(&args),
        Command::Merge(args) => state::merge(&args),
        Command::Next(args) => state::next(&args),
        Command::Auto(args) => state::auto(&args),
        Command::Personalize(args) => state::personalize(&args),
        Command::Stats(args) => stats::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output closed the pipe: not an error.
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("parlor poker: {error}");
            ExitCode::from(error.code())
        }
    }
}

/// Why a command failed.
enum Failure {
    /// An input could not be read or played.
    Failed(String),
    /// The command line is wrong.
    Usage(String),
    /// Reading or writing failed; the text names the file.
    Io(String, std::io::Error),
}

impl Failure {
    fn code(&self) -> u8 {
        if matches!(self, Self::Usage(_)) { 2 } else { 1 }
    }

    fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io(_, error) if error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Failed(text) | Self::Usage(text) => f.write_str(text),
            Self::Io(what, error) => write!(f, "{what}: {error}"),
        }
    }
}

/// Writes a line to standard output.
fn print(out: &mut impl std::io::Write, line: &str) -> Result<(), Failure> {
    writeln!(out, "{line}").map_err(|error| Failure::Io("standard output".into(), error))
}
