//! `parlor ledger`: reads the ledger of a store. It never changes it.

use std::path::Path;

use parlor_store::{Accounts, Currency, Owner, PlayerId};
use parlor_store_sqlite::{Options, SqliteStore};
use serde_json::json;

use crate::serve::{print_json, say};
use crate::settings::{self, ServerArgs};
use crate::shell::{Done, Failure};

/// Arguments of `parlor ledger`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: LedgerCommand,
}

#[derive(clap::Subcommand)]
enum LedgerCommand {
    /// Recompute all balances from the journal and report whether the ledger balances
    #[command(after_help = "Example:\n  parlor ledger audit --database games.sqlite")]
    Audit {
        #[command(flatten)]
        server: ServerArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a player's balance
    #[command(after_help = "Example:\n  parlor ledger balance p0123456789abcdef")]
    Balance {
        /// The player's id
        player: String,
        #[command(flatten)]
        server: ServerArgs,
    },
}

fn open(server: &ServerArgs) -> Result<SqliteStore, Failure> {
    let (config, _) = settings::read(server)?;
    if !Path::new(&config.database).exists() {
        return Err(Failure::failed(format!("{}: this store does not exist", config.database))
            .hint("name the store with --database FILE"));
    }
    SqliteStore::open(Path::new(&config.database), Options::default())
        .map_err(|error| Failure::failed(format!("{}: {error}", config.database)))
}

fn tokens() -> Currency {
    Currency::new("tokens").expect("a good name")
}

/// Audits the ledger or prints a balance.
pub(crate) fn run(args: &Args) -> Done {
    let failed = |error: parlor_store::ReadError| Failure::failed(error.to_string());
    match &args.command {
        LedgerCommand::Audit { server, json } => {
            let store = open(server)?;
            let of = |owner: Owner| store.balance(&owner, &tokens()).map_err(failed);
            let (minted, house, burnt) = (-of(Owner::Mint)?, of(Owner::House)?, of(Owner::Burn)?);
            let faults = store.audit().map_err(failed)?;
            if *json {
                let rows = json!({"minted": minted, "house": house, "burnt": burnt, "faults": faults});
                print_json(&rows)?;
            } else {
                say(&format!("{minted} tokens minted, {burnt} burnt, {house} owned by the house"))?;
                for fault in &faults {
                    say(&format!("FAILED {fault}"))?;
                }
                if faults.is_empty() {
                    say("the ledger balances")?;
                }
            }
            if faults.is_empty() { Ok(()) } else { Err(Failure::Told) }
        }
        LedgerCommand::Balance { player, server } => {
            let store = open(server)?;
            let id = PlayerId::new(player).map_err(|error| Failure::usage(error.to_string()))?;
            if store.player(&id).map_err(failed)?.is_none() {
                return Err(Failure::failed(format!("there is no player {id}")));
            }
            let owns = store.balance(&Owner::Player(id), &tokens()).map_err(failed)?;
            say(&format!("{owns} tokens"))
        }
    }
}
