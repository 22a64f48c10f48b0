//! Which store a server's settings name: a file, or a database at an address.

use std::path::Path;
use std::sync::Arc;

use parlor_server::Config;
use parlor_store::{OpenError, Store};
use parlor_store_sqlite::{Options, SqliteStore};

use crate::shell::Failure;

/// Opens the store; `serve` keeps it for this process.
pub(crate) fn open_store(database: &str, serve: bool) -> Result<Arc<dyn Store>, OpenError> {
    if Config::is_address(database) {
        return open_address(database, serve);
    }
    let options = Options { serve, ..Options::default() };
    Ok(Arc::new(SqliteStore::open(Path::new(database), options)?))
}

#[cfg(feature = "postgres")]
fn open_address(database: &str, serve: bool) -> Result<Arc<dyn Store>, OpenError> {
    use parlor_store_postgres::{Options, PostgresStore};
    Ok(Arc::new(PostgresStore::open(database, Options { serve, ..Options::default() })?))
}

#[cfg(not(feature = "postgres"))]
fn open_address(_: &str, _: bool) -> Result<Arc<dyn Store>, OpenError> {
    Err(OpenError::Io("this build knows files alone; build it with the feature `postgres`".to_owned()))
}

/// Opens the store for a tool.
pub(crate) fn open_to_look(config: &Config) -> Result<Arc<dyn Store>, Failure> {
    exists(config)?;
    open_store(&config.database, false)
        .map_err(|error| Failure::failed(format!("{}: {error}", config.database_shown())))
}

/// Opens the file of the store, for what only a file has.
pub(crate) fn open_file(config: &Config, instead: &str) -> Result<SqliteStore, Failure> {
    only_a_file(config, instead)?;
    exists(config)?;
    SqliteStore::open(Path::new(&config.database), Options::default())
        .map_err(|error| Failure::failed(format!("{}: {error}", config.database)))
}

/// Refuses an address where only a file will do; says what is used instead.
pub(crate) fn only_a_file(config: &Config, instead: &str) -> Result<(), Failure> {
    if !Config::is_address(&config.database) {
        return Ok(());
    }
    let database = config.database_shown();
    Err(Failure::failed(format!("{database}: this is for a store in a file")).hint(instead))
}

fn exists(config: &Config) -> Result<(), Failure> {
    if Config::is_address(&config.database) || Path::new(&config.database).exists() {
        return Ok(());
    }
    Err(Failure::failed(format!("{}: this store does not exist", config.database))
        .hint("name the store with --database FILE"))
}
