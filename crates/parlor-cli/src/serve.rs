//! `parlor serve` and the other commands for operators: `config`, `doctor`, `backup`, `restore`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parlor_server::{Config, Server};
use parlor_store::{Accounts as _, MatchLog as _};
use parlor_store_sqlite::{Options, SqliteStore};
use serde_json::json;

use crate::database::{only_a_file, open_file, open_store, open_to_look};
use crate::registry;
use crate::ruleset::files::Files;
use crate::settings::{self, ServerArgs};
use crate::shell::{Done, Failure};

/// What keeps and mends a store in PostgreSQL.
const BY_POSTGRES: &str =
    "for PostgreSQL use its own tools: pg_dump and pg_restore, or a backup of its whole log";

/// Arguments of `parlor serve`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor serve\n  parlor serve --listen 127.0.0.1:9000 --database games.sqlite\n  \
    parlor serve --set tables_max=500\n  parlor serve --rulesets games\n  \
    parlor serve --listen 0.0.0.0:443 --tls-cert fullchain.pem --tls-key privkey.pem --http-redirect 0.0.0.0:80\n  \
    parlor serve --database postgres://parlor@db1,db2/parlor\n\n\
    A flag overrides a PARLOR_… environment variable, which overrides parlor.toml."
)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    server: ServerArgs,
    /// Serve the rulesets (games as JSON) in this folder or file too; a file that is saved becomes the next version
    #[arg(long, value_name = "DIR")]
    rulesets: Vec<PathBuf>,
}

/// Arguments of `parlor config`.
#[derive(clap::Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(clap::Subcommand)]
enum ConfigCommand {
    /// Print every setting with its value and its origin
    Show {
        #[command(flatten)]
        server: ServerArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Arguments of `parlor doctor`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor doctor --database games.sqlite\n  parlor doctor --repair --database games.sqlite"
)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    server: ServerArgs,
    /// Mend what can be mended of the store without losing anything: its indexes. A copy of it is kept beside it
    #[arg(long)]
    repair: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Arguments of `parlor backup` and `parlor restore`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  parlor backup games.bak --database games.sqlite\n  parlor restore games.bak --database games.sqlite"
)]
pub(crate) struct CopyArgs {
    /// The file of the copy
    file: PathBuf,
    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn say(line: &str) -> Done {
    writeln!(io::stdout().lock(), "{line}")?;
    Ok(())
}

pub(crate) fn print_json(value: &parlor_core::Json) -> Done {
    say(&value.to_string())
}

/// Runs a server until the process is asked to stop.
pub(crate) fn serve(args: &ServeArgs) -> Done {
    let (config, _) = settings::read(&args.server)?;
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info".into()),
        )
        .with_writer(std::io::stderr)
        // It would be written to the same place, with a panic if that cannot be done.
        .log_internal_errors(false)
        .init();
    if let Some(missing) = args.rulesets.iter().find(|path| !path.exists()) {
        return Err(Failure::failed(format!("--rulesets {}: there is no such folder", missing.display())));
    }
    let database = config.database.clone();
    let open_store = move || open_store(&database, true);
    let scheme = if config.tls_cert.is_empty() { "http" } else { "https" };
    let started = |addr| {
        // The server runs even if stdout is closed.
        let _ = say(&format!("parlor listens on {scheme}://{addr}"));
    };
    let stopping = || {
        let _ = say("parlor stops: notifying clients, pausing clocks, finishing pending writes");
    };
    Server::builder_opening(config, registry::registrations(), Box::new(open_store))
        .rulesets(Arc::new(parlor_ruleset::ServerCompiler))
        .ruleset_files(Box::new(Files::new(args.rulesets.clone())))
        .run(started, stopping)
        .map_err(Failure::failed)
}

/// Prints the settings.
pub(crate) fn config(args: &ConfigArgs) -> Done {
    let ConfigCommand::Show { server, json } = &args.command;
    let (config, mut settings) = settings::read(server)?;
    if let Some(database) = settings.get_mut("database") {
        database.value = json!(config.database_shown());
    }
    if *json {
        let rows: serde_json::Map<String, _> = settings
            .iter()
            .map(|(name, setting)| (name.clone(), json!({"value": setting.value, "origin": setting.origin})))
            .collect();
        return print_json(&json!(rows));
    }
    for (name, setting) in &settings {
        say(&format!("{name:<28} {:<24} {}", setting.value.to_string(), setting.origin))?;
    }
    Ok(())
}

/// Checks whether a server can run here.
pub(crate) fn doctor(args: &DoctorArgs) -> Done {
    let (config, _) = settings::read(&args.server)?;
    let mut findings: Vec<(&str, Result<String, String>)> = Vec::new();
    findings.push(("listen", is_free(&config.listen)));
    if !config.http_redirect.is_empty() {
        findings.push(("redirect", is_free(&config.http_redirect)));
    }
    if let Some(found) = parlor_server::tls_report(&config) {
        findings.push(("tls", found));
    }
    let address = Config::is_address(&config.database);
    if address && args.repair {
        findings.push(("repair", Err(format!("there is nothing to do here: {BY_POSTGRES}"))));
    }
    if address {
        findings.push(("store", check_address(&config)));
    } else if Path::new(&config.database).exists() {
        if args.repair {
            findings.push(("repair", repair_store(&config)));
        }
        findings.push(("store", check_store(&config)));
    } else {
        findings
            .push(("store", Ok(format!("{} does not exist; `parlor serve` creates it", config.database))));
    }
    findings.push(("files", Ok(parlor_server::open_files_report(config.connections_max))));
    findings.push((
        "games",
        Ok(registry::registrations().iter().map(|each| each.def.name).collect::<Vec<_>>().join(", ")),
    ));
    let failed = findings.iter().any(|(_, found)| found.is_err());
    if args.json {
        let rows: Vec<_> = findings
            .iter()
            .map(|(name, found)| json!({"check": name, "ok": found.is_ok(), "text": found.as_ref().unwrap_or_else(|e| e)}))
            .collect();
        print_json(&json!(rows))?;
    } else {
        for (name, found) in &findings {
            let (mark, text) = match found {
                Ok(text) => ("ok    ", text),
                Err(text) => ("FAILED", text),
            };
            say(&format!("{mark} {name:<8} {text}"))?;
        }
    }
    if failed { Err(Failure::Told) } else { Ok(()) }
}

/// Whether the server could listen there.
fn is_free(address: &str) -> Result<String, String> {
    let bound = std::net::TcpListener::bind(address);
    bound.map(|_| format!("{address} is free")).map_err(|error| format!("{address}: {error}"))
}

/// Mends the store, and says what can be done about the rest.
fn repair_store(config: &Config) -> Result<String, String> {
    let told = SqliteStore::repair(Path::new(&config.database)).map_err(|error| error.to_string())?;
    let kept = told.kept.map(|copy| format!("; as it was it is in {}", copy.display())).unwrap_or_default();
    match (told.found.is_empty(), told.left.is_empty()) {
        (true, _) => Ok("there is nothing to mend".to_owned()),
        (false, true) => Ok(format!("the indexes were made anew ({} faults){kept}", told.found.len())),
        (false, false) => Err(format!(
            "{}{kept}. That is lost here: stop the server, move the store away and put the last backup in its \
             place (`parlor restore BACKUP --database {}`)",
            told.left.join("; "),
            config.database
        )),
    }
}

fn check_store(config: &Config) -> Result<String, String> {
    let store = SqliteStore::open(Path::new(&config.database), Options::default())
        .map_err(|error| error.to_string())?;
    let mut wrong = store.integrity().map_err(|error| error.to_string())?;
    wrong.extend(store.audit().map_err(|error| error.to_string())?);
    let tables = store.tables(&parlor_store::Listing::default()).map_err(|error| error.to_string())?;
    if wrong.is_empty() {
        Ok(format!("{} is intact, {} tables, the ledger balances", config.database, tables.len()))
    } else {
        Err(wrong.join("; "))
    }
}

/// Whether the database at an address has a store of ours, and its books balance.
fn check_address(config: &Config) -> Result<String, String> {
    let store = open_to_look(config).map_err(|failure| failure.to_string())?;
    let wrong = store.audit().map_err(|error| error.to_string())?;
    let tables = store.tables(&parlor_store::Listing::default()).map_err(|error| error.to_string())?;
    if wrong.is_empty() {
        Ok(format!("{} answers, {} tables, the ledger balances", config.database_shown(), tables.len()))
    } else {
        Err(wrong.join("; "))
    }
}

/// Copies the store while it is in use.
pub(crate) fn backup(args: &CopyArgs) -> Done {
    let (config, _) = settings::read(&args.server)?;
    open_file(&config, BY_POSTGRES)?
        .backup(&args.file)
        .map_err(|error| Failure::failed(format!("{}: {error}", args.file.display())))?;
    say(&format!("copied {} to {}", config.database, args.file.display()))
}

/// Creates the store from a copy. It never overwrites a store.
pub(crate) fn restore(args: &CopyArgs) -> Done {
    let (config, _) = settings::read(&args.server)?;
    only_a_file(&config, BY_POSTGRES)?;
    let to = Path::new(&config.database);
    SqliteStore::restore(&args.file, to)
        .map_err(|error| Failure::failed(format!("{}: {error}", config.database)))?;
    say(&format!("restored {} from {}", config.database, args.file.display()))
}
