//! `parlor poker`.

use std::process::ExitCode;

/// What `parlor poker` takes.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// Runs the sub-command; exit code 0 done, 1 failed, 2 wrong usage.
pub(crate) fn run(_args: Args) -> ExitCode {
    ExitCode::SUCCESS
}
