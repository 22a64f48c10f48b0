//! Plays matches against a real server on real sockets, and measures the server from outside: of grid64, or of any game
//! that the server serves.

mod asked;
mod guest;
mod hostile;
mod house;
mod pair;
mod play;
mod player;
mod relay;
mod served;
mod slow;
mod stats;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What can go wrong, in a sentence.
pub(crate) type Outcome<T> = Result<T, String>;

/// Measures a Parlor server: throughput, latency and memory.
#[derive(Parser)]
#[command(
    name = "parlor-load",
    after_help = "Examples:\n  \
    cargo build --release -p parlor-cli -p parlor-load\n  \
    parlor-load play --server target/release/parlor\n  \
    parlor-load play --server target/release/parlor --matches 2000\n  \
    parlor-load play --server target/release/parlor --game riichi --matches 500 --beside grid64 --pairs 3\n  \
    parlor-load play --server target/release/parlor --game poker --clients 6 --matches 500\n  \
    parlor-load slow --server target/release/parlor\n  \
    parlor-load hostile --server target/release/parlor\n\n\
    Everything is printed as JSON. Compare numbers of one run only: processor seconds of the server, not of the clock."
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays matches with two clients each, every move durable before the next; with --game any game, under its clocks
    Play(GameArgs),
    /// Plays the same matches through a bare relay, to compare with
    Relay(PlayArgs),
    /// Compares the latency of other tables with and without clients that never read
    Slow(SlowArgs),
    /// Plays honest tables beside floods, slow and silent clients, frozen readers and churn, and says what that costs them
    Hostile(HostileArgs),
    /// Attacks a server: what `hostile` starts
    #[command(hide = true)]
    Attack(AttackArgs),
}

/// What `parlor-load play` takes.
#[derive(clap::Args)]
pub(crate) struct GameArgs {
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    /// A game of the server (riichi, poker, …), played by clients who pick from the choices that they are sent, until they have
    /// given --moves answers at the average table; prints memory for each table and processor time for each byte sent
    #[arg(long)]
    pub(crate) game: Option<String>,
    /// Clients at each table [default: as few as the game takes]
    #[arg(long, requires = "game")]
    pub(crate) clients: Option<u32>,
    /// The table's settings, as JSON
    #[arg(long, requires = "game")]
    pub(crate) settings: Option<String>,
    /// Play this game in the same way after it, and print the ratio of processor time for each byte sent
    #[arg(long, requires = "game")]
    pub(crate) beside: Option<String>,
    /// How often the two are played; the ratio is the median of all
    #[arg(long, requires = "beside", default_value_t = 1)]
    pub(crate) pairs: u32,
}

/// What `parlor-load play` and `parlor-load relay` take.
#[derive(clap::Args)]
pub(crate) struct PlayArgs {
    /// The `parlor` binary to start
    #[arg(long)]
    pub(crate) server: PathBuf,
    /// Matches at once
    #[arg(long, default_value_t = 200)]
    pub(crate) matches: u32,
    /// Moves of each
    #[arg(long, default_value_t = 100)]
    pub(crate) moves: u32,
    /// Print the server's process id and wait so many seconds before playing, for a profiler
    #[arg(long, default_value_t = 0)]
    pub(crate) wait_s: u64,
}

/// What `parlor-load slow` takes.
#[derive(clap::Args)]
pub(crate) struct SlowArgs {
    /// The `parlor` binary to start
    #[arg(long)]
    pub(crate) server: PathBuf,
    /// Tables whose latency is measured
    #[arg(long, default_value_t = 20)]
    pub(crate) tables: u32,
    /// Clients that never read
    #[arg(long, default_value_t = 100)]
    pub(crate) sleepers: u32,
    /// Moves in each half of a pair
    #[arg(long, default_value_t = 600)]
    pub(crate) moves: u32,
    /// Pairs of runs, without and with the sleepers
    #[arg(long, default_value_t = 5)]
    pub(crate) pairs: u32,
}

/// What `parlor-load hostile` takes.
#[derive(clap::Args)]
pub(crate) struct HostileArgs {
    /// The `parlor` binary to start
    #[arg(long)]
    pub(crate) server: PathBuf,
    /// Honest tables
    #[arg(long, default_value_t = 200)]
    pub(crate) tables: u32,
    /// How long they are attacked
    #[arg(long, default_value_t = 600)]
    pub(crate) seconds: u64,
    /// How long they are measured before, beside a process that burns what the attackers may
    #[arg(long, default_value_t = 120)]
    pub(crate) quiet_s: u64,
    /// How long the server is given to forget the attackers; with less than a minute a run says nothing of memory
    #[arg(long, default_value_t = 60)]
    pub(crate) after_s: u64,
    /// Attack in this one way, to see what it costs
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(hostile::KINDS))]
    pub(crate) only: Option<String>,
}

/// What `parlor-load attack` takes.
#[derive(clap::Args)]
pub(crate) struct AttackArgs {
    #[arg(long)]
    pub(crate) addr: SocketAddr,
    #[arg(long)]
    pub(crate) seconds: u64,
    /// Burn the processor time, and leave the server alone
    #[arg(long)]
    pub(crate) burn: bool,
    #[arg(long)]
    pub(crate) only: Option<String>,
    #[arg(long, conflicts_with_all = ["burn", "only"])]
    pub(crate) all: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let result = runtime.map_err(|error| error.to_string()).and_then(|runtime| {
        runtime.block_on(async {
            match &args.command {
                Command::Play(args) => match &args.game {
                    Some(game) => served::run(args, game).await,
                    None => play::run(&args.play).await,
                },
                Command::Relay(args) => relay::run(args).await,
                Command::Slow(args) => slow::run(args).await,
                Command::Hostile(args) => hostile::run(args).await,
                Command::Attack(args) => hostile::attack(args).await,
            }
        })
    });
    match result {
        Ok(report) => {
            println!("{report:#}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}
