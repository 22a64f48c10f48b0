//! The binary `parlor`: one engine and one server for table games with secrets.
//!
//! Each sub-command is a file of its own; this one only names them. Results go to stdout, errors and progress to stderr.
//! Exit codes: 0 done, 1 failed, 2 wrong usage.

mod answer;
mod games;
#[cfg(test)]
mod golden_tests;
mod keyboard;
mod ledger;
mod manual;
mod new;
mod page;
mod poker;
mod registry;
mod render;
mod replay;
mod riichi;
mod ruleset;
mod screen;
mod serve;
mod settings;
mod shell;
mod sim;
mod store;
mod table_top;
mod time;
mod try_table;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A server makes and drops a hundred small things with every move, and lets some of them go on another thread: a sixth
/// of its processor time goes to the system's own allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// One engine and one server for table games with secrets.
#[derive(Parser)]
#[command(name = "parlor", version)]
#[command(after_help = "Examples:\n  parlor play\n  parlor sim oxo --matches 100000 --seed 1\n\n\
    Exit codes: 0 done, 1 failed, 2 wrong usage.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The games that can be played here
    Games(games::Args),
    /// Play against bots: in the browser, or in the terminal
    Play(try_table::PlayArgs),
    /// Try a game at a terminal table: choose seats, seed, settings
    Try(try_table::TryArgs),
    /// Make a folder with a small whole game in it, to be changed into yours
    New(new::Args),
    /// Play many matches at full speed and say what they came to
    Sim(sim::Args),
    /// Look at the log of a match, or play it again and compare
    Replay(replay::Args),
    /// Check that a match was dealt fairly and is written down truly
    Verify(verify::Args),
    /// Rulesets, games as data: check, test, schema
    Ruleset(ruleset::Args),
    /// Run a server that people can leave running
    Serve(serve::ServeArgs),
    /// The server's settings and where each comes from
    Config(serve::ConfigArgs),
    /// Look whether a server would run well here
    Doctor(serve::DoctorArgs),
    /// Copy the server's store, even while it is in use
    Backup(serve::CopyArgs),
    /// Make a store from a copy
    Restore(serve::CopyArgs),
    /// The books of a server's store: audit, balance
    Ledger(ledger::Args),
    /// Riichi mahjong hands: score, shanten, waits
    Riichi(riichi::Args),
    /// Poker hands on PHH: replay, eval, convert, equity
    Poker(poker::Args),
    /// Print completions for a shell
    Completions(manual::CompletionsArgs),
    /// Print the manual page, or write all of them
    Man(manual::ManArgs),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Riichi(args) => return riichi::run(args),
        Command::Poker(args) => return poker::run(args),
        Command::New(args) => return new::run(args),
        Command::Games(args) => games::run(&args),
        Command::Play(args) => try_table::play(args),
        Command::Try(args) => try_table::run(args),
        Command::Sim(args) => sim::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Ruleset(args) => ruleset::run(&args),
        Command::Serve(args) => serve::serve(&args),
        Command::Config(args) => serve::config(&args),
        Command::Doctor(args) => serve::doctor(&args),
        Command::Backup(args) => serve::backup(&args),
        Command::Restore(args) => serve::restore(&args),
        Command::Ledger(args) => ledger::run(&args),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    shell::exit_code(done)
}
