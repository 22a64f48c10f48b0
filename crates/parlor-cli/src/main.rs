//! The binary `parlor`: an engine and a server for table games with hidden information.
//!
//! Each sub-command is a module; this file only lists them. Results go to stdout, errors and progress to stderr.
//! Exit codes: 0 success, 1 failure, 2 wrong usage.

mod answer;
mod database;
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
mod sheet;
mod shell;
mod sim;
mod store;
mod table_top;
mod time;
mod try_table;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A server allocates and frees about a hundred small objects per move, some of them on another thread. With the
/// system's allocator that takes a sixth of its CPU time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// An engine and a server for table games with hidden information.
#[derive(Parser)]
#[command(name = "parlor", version)]
#[command(after_help = "Examples:\n  parlor play\n  parlor sim oxo --matches 100000 --seed 1\n\n\
    Exit codes: 0 success, 1 failure, 2 wrong usage.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the games of this build
    Games(games::Args),
    /// Play against bots, in the browser or in the terminal
    Play(try_table::PlayArgs),
    /// Open a table in the terminal; choose seats, seed and settings
    Try(try_table::TryArgs),
    /// Create a folder with a small complete game to start yours from
    New(new::Args),
    /// Play many matches at full speed and print the results
    Sim(sim::Args),
    /// Show a match from its log, or replay logs and compare the results
    Replay(replay::Args),
    /// Verify that a match was dealt from its committed seed and its log was not altered
    Verify(verify::Args),
    /// Check and test rulesets (games written as JSON); print their JSON Schema
    Ruleset(ruleset::Args),
    /// Run a server that stores its matches in a file
    Serve(serve::ServeArgs),
    /// Show the server's settings and where each one comes from
    Config(serve::ConfigArgs),
    /// Check whether a server can run here: address, store, games
    Doctor(serve::DoctorArgs),
    /// Copy the server's store, even while a server uses it
    Backup(serve::CopyArgs),
    /// Create the server's store from a copy
    Restore(serve::CopyArgs),
    /// Audit the ledger of a server's store, or show a player's balance
    Ledger(ledger::Args),
    /// Score riichi mahjong hands; compute shanten and waits
    Riichi(riichi::Args),
    /// Replay, compare and convert poker hands (PHH); compute equity
    Poker(poker::Args),
    /// Print completions for a shell
    Completions(manual::CompletionsArgs),
    /// Print the manual page, or write a page for each command
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
