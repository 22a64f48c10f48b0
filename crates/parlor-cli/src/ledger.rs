//! `parlor ledger`: reads the ledger of a store. It never changes it.

use std::sync::Arc;

use parlor_store::{Currency, Owner, PlayerId, Store};
use serde_json::json;

use crate::database::open_to_look;
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
    /// Print a player's statement: everything that came and went, newest first
    #[command(
        after_help = "Example:\n  parlor ledger statement p0123456789abcdef --currency tokens --limit 20"
    )]
    Statement {
        /// The player's id
        player: String,
        /// Only this currency: tokens or play
        #[arg(long)]
        currency: Option<String>,
        /// How many lines
        #[arg(long, default_value_t = 50)]
        limit: usize,
        /// Print JSON, one line each
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        server: ServerArgs,
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

fn open(server: &ServerArgs) -> Result<Arc<dyn Store>, Failure> {
    open_to_look(&settings::read(server)?.0)
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
        LedgerCommand::Statement { player, currency, limit, json, server } => {
            statement(&*open(server)?, player, currency.as_deref(), *limit, *json)
        }
        LedgerCommand::Balance { player, server } => {
            let store = open(server)?;
            let id = known(&*store, player)?;
            let owns = store.balance(&Owner::Player(id), &tokens()).map_err(failed)?;
            say(&format!("{owns} tokens"))
        }
    }
}

/// The player with this id.
fn known(store: &dyn Store, player: &str) -> Result<PlayerId, Failure> {
    let id = PlayerId::new(player).map_err(|error| Failure::usage(error.to_string()))?;
    match store.player(&id) {
        Ok(Some(_)) => Ok(id),
        Ok(None) => Err(Failure::failed(format!("there is no player {id}"))),
        Err(error) => Err(Failure::failed(error.to_string())),
    }
}

/// Prints a player's statement, page by page.
fn statement(store: &dyn Store, player: &str, currency: Option<&str>, limit: usize, as_json: bool) -> Done {
    let owner = Owner::Player(known(store, player)?);
    let currency =
        currency.map(Currency::new).transpose().map_err(|error| Failure::usage(error.to_string()))?;
    let (mut before, mut left) = (None, limit);
    while left > 0 {
        let page = store
            .statement(&owner, currency.as_ref(), before, left)
            .map_err(|error| Failure::failed(error.to_string()))?;
        let Some(last) = page.last() else { return Ok(()) };
        (before, left) = (Some(last.no), left.saturating_sub(page.len()));
        for line in &page {
            let table = line.table.as_ref().map(ToString::to_string);
            if as_json {
                print_json(&json!({
                    "no": line.no, "at": line.at_ms, "currency": line.currency.as_str(), "change": line.change,
                    "balance": line.balance, "reason": line.reason.word(), "with": line.with.to_string(),
                    "game_id": table,
                }))?;
            } else {
                let (reason, change, balance) = (line.reason.word(), line.change, line.balance);
                let at = table.map(|table| format!("  table {table}")).unwrap_or_default();
                say(&format!("{change:>+10} {:<7} {balance:>10}  {reason}{at}", line.currency.as_str()))?;
            }
        }
    }
    Ok(())
}
