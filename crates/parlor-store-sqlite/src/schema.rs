//! The layout of the file, its migrations, and the settings on which durability rests.

use std::time::Duration;

use parlor_store::OpenError;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use crate::fault::{damaged, open_error};
use crate::journal;

/// "PARL": tells the file from any other program's.
const APPLICATION_ID: i32 = 0x5041_524C;
/// A step from one schema to the next.
type Migration = fn(&Connection) -> rusqlite::Result<()>;
/// One step for each schema version, in order. A step is never changed once it is out.
const MIGRATIONS: [Migration; 7] = [
    |conn| conn.execute_batch(include_str!("schema/v1.sql")),
    |conn| conn.execute_batch(include_str!("schema/v2.sql")),
    |conn| conn.execute_batch(include_str!("schema/people.sql")),
    |conn| {
        conn.execute_batch(include_str!("schema/v4.sql"))?;
        journal::fill_lines(conn)?;
        conn.execute_batch(include_str!("schema/v4_filled.sql"))
    },
    |conn| conn.execute_batch(include_str!("schema/v5.sql")),
    |conn| conn.execute_batch(include_str!("schema/v6.sql")),
    |conn| conn.execute_batch(include_str!("schema/v7.sql")),
];
/// The newest schema this build knows.
pub(crate) const SCHEMA: u32 = MIGRATIONS.len() as u32;
/// How long to wait for another process, in milliseconds.
const BUSY_MS_MAX: u64 = 5_000;
/// Pages of the write-ahead log after which it is carried over into the file.
const CHECKPOINT_PAGES: u32 = 2_000;
/// Bytes to which the write-ahead log shrinks again after a burst.
const WAL_BYTES_KEPT: u32 = 32 * 1024 * 1024;
/// Kibibytes of pages kept in memory by the writer.
const CACHE_KIB: i32 = 1024;
/// Kibibytes of pages kept in memory by each reader.
const READER_CACHE_KIB: i32 = 256;

/// Sets the writer's connection up and makes sure that it took.
pub(crate) fn configure_writer(conn: &Connection, busy_ms_max: Option<u64>) -> Result<(), OpenError> {
    let busy_ms = busy_ms_max.unwrap_or(BUSY_MS_MAX);
    conn.busy_timeout(Duration::from_millis(busy_ms)).map_err(open_error)?;
    check_file(conn)?;
    set_pragma(conn, "journal_mode", "wal", "journal_mode=WAL")?;
    conn.pragma_update(None, "synchronous", "FULL").map_err(open_error)?;
    conn.pragma_update(None, "cache_size", -CACHE_KIB).map_err(open_error)?;
    conn.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES).map_err(open_error)?;
    conn.pragma_update(None, "journal_size_limit", WAL_BYTES_KEPT).map_err(open_error)?;
    conn.set_prepared_statement_cache_capacity(64);
    let synchronous: i64 = pragma(conn, "synchronous")?;
    if synchronous != 2 {
        return Err(OpenError::Setting("synchronous=FULL"));
    }
    Ok(())
}

/// Sets a reader's connection up: it can never write.
pub(crate) fn settle_reader(conn: &Connection) -> rusqlite::Result<()> {
    conn.busy_timeout(Duration::from_millis(BUSY_MS_MAX))?;
    conn.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    conn.pragma_update(None, "query_only", true)
}

fn set_pragma(conn: &Connection, name: &str, value: &str, what: &'static str) -> Result<(), OpenError> {
    let taken: String =
        conn.pragma_update_and_check(None, name, value, |row| row.get(0)).map_err(open_error)?;
    if taken == value { Ok(()) } else { Err(OpenError::Setting(what)) }
}

fn pragma<T: rusqlite::types::FromSql>(conn: &Connection, name: &str) -> Result<T, OpenError> {
    conn.pragma_query_value(None, name, |row| row.get(0)).map_err(open_error)
}

/// Refuses files of other programs and of later builds; says which schema the file has.
pub(crate) fn check_file(conn: &Connection) -> Result<u32, OpenError> {
    let id: i32 = pragma(conn, "application_id")?;
    let found: u32 = pragma(conn, "user_version")?;
    let fresh = id == 0 && found == 0 && is_empty(conn)?;
    if id != APPLICATION_ID && !fresh {
        return Err(OpenError::Foreign);
    }
    if found > SCHEMA {
        return Err(OpenError::TooNew { found, known: SCHEMA });
    }
    Ok(found)
}

fn is_empty(conn: &Connection) -> Result<bool, OpenError> {
    let any = conn.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(()));
    any.optional().map(|any| any.is_none()).map_err(open_error)
}

/// Brings the file up to this build's schema, one version after the other, each whole or not at all.
pub(crate) fn migrate(conn: &mut Connection) -> Result<(), OpenError> {
    loop {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).map_err(open_error)?;
        let from = check_file(&tx)? as usize;
        let Some(step) = MIGRATIONS.get(from) else { return Ok(()) };
        step(&tx).map_err(open_error)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID).map_err(open_error)?;
        tx.pragma_update(None, "user_version", from as u32 + 1).map_err(open_error)?;
        tx.commit().map_err(open_error)?;
    }
}

/// What the database finds wrong with its own file; empty when it finds nothing.
pub(crate) fn integrity(conn: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = conn.prepare("PRAGMA integrity_check")?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
    let faults: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
    Ok(faults.into_iter().filter(|fault| fault != "ok").collect())
}

/// The same, as an error.
pub(crate) fn sound(conn: &Connection) -> Result<(), OpenError> {
    let faults = integrity(conn).map_err(open_error)?;
    if faults.is_empty() { Ok(()) } else { Err(damaged(&faults)) }
}

/// Reads the header, the schema and the first page of every table: what is damaged there is an error. Cheap, whatever the
/// size of the file.
pub(crate) fn look_through(conn: &Connection) -> rusqlite::Result<()> {
    let mut statement = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    let names: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    for name in names {
        conn.query_row(&format!("SELECT 1 FROM \"{name}\" LIMIT 1"), [], |_| Ok(())).optional()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A commit is on the disk before it is acknowledged: `seen_is_durable`.
    #[test]
    fn the_writer_waits_for_the_disk() {
        let name = format!("parlor-schema-{}.sqlite", std::process::id());
        let path = std::env::temp_dir().join(name);
        let conn = Connection::open(&path).expect("a file");
        let set_up = configure_writer(&conn, None);
        let synchronous: i64 =
            conn.pragma_query_value(None, "synchronous", |row| row.get(0)).expect("a number");
        let journal: String =
            conn.pragma_query_value(None, "journal_mode", |row| row.get(0)).expect("a word");
        drop(conn);
        std::fs::remove_file(&path).expect("it was there");
        assert!(set_up.is_ok());
        assert_eq!((synchronous, journal.as_str()), (2, "wal"), "2 is FULL");
    }
}
