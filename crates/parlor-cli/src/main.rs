//! The binary `parlor`: one engine and one server for table games with secrets.

mod poker;
mod riichi;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// One engine and one server for table games with secrets.
#[derive(Parser)]
#[command(name = "parlor", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Riichi mahjong hands: score, shanten, waits
    Riichi(riichi::Args),
    /// Poker hands on PHH: replay, eval, convert, equity
    Poker(poker::Args),
}

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Riichi(args) => riichi::run(args),
        Command::Poker(args) => poker::run(args),
    }
}
