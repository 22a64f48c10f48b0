//! The layout of the database and the steps that lead to it. Everything lies in a schema of its own, `parlor`.

use parlor_store::OpenError;

use crate::conn::Conn;
use crate::fault::{Fault, Remedy, Result};

/// One step for each schema version, in order. A step is never changed once it is out.
const STEPS: [&str; 1] = [include_str!("schema/v1.sql")];
/// The newest schema that this build knows.
pub(crate) const SCHEMA: u32 = STEPS.len() as u32;
/// How often a step is tried while another process takes it, too.
const TRIES_MAX: u32 = 20;

/// Which schema the database has; none if it has nothing of ours yet.
async fn found(conn: &Conn) -> std::result::Result<u32, OpenError> {
    let sql = "SELECT to_regnamespace('parlor') IS NOT NULL, to_regclass('parlor.meta') IS NOT NULL";
    let row = conn.find(sql, &[]).await.map_err(|fault| fault.open_error())?;
    let (schema, meta) = row.map_or((false, false), |row| (row.get(0), row.get::<_, bool>(1)));
    if schema && !meta {
        return Err(OpenError::Foreign);
    }
    if !meta {
        return Ok(0);
    }
    let sql = "SELECT value FROM parlor.meta WHERE name = 'schema'";
    let row = conn.find(sql, &[]).await.map_err(|fault| fault.open_error())?;
    let found = row.map_or(0, |row| row.get::<_, i64>(0)) as u32;
    if found > SCHEMA {
        return Err(OpenError::TooNew { found, known: SCHEMA });
    }
    Ok(found)
}

/// Brings the database up to this build's schema, one version after the other, each whole or not at all.
pub(crate) async fn migrate(conn: &Conn) -> std::result::Result<(), OpenError> {
    let mut tries = 0;
    loop {
        let from = found(conn).await?;
        let Some(step) = STEPS.get(from as usize) else { return Ok(()) };
        match take(conn, from, step).await {
            Ok(()) => {}
            // Another process took the same step.
            Err(fault) if fault.remedy() == Remedy::Again && tries < TRIES_MAX => {
                tries += 1;
                conn.run("ROLLBACK").await.map_err(|fault| fault.open_error())?;
            }
            Err(fault) => return Err(fault.open_error()),
        }
    }
}

async fn take(conn: &Conn, from: u32, step: &str) -> Result<()> {
    conn.run("BEGIN").await?;
    if from == 0 {
        conn.run(
            "CREATE SCHEMA parlor; CREATE TABLE parlor.meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",
        )
        .await
        .map_err(|fault| if is_made_twice(&fault) { Fault::Stale } else { fault })?;
        conn.run("INSERT INTO parlor.meta VALUES ('schema', 0)").await?;
    }
    let sql = "SELECT value FROM parlor.meta WHERE name = 'schema' FOR UPDATE";
    let now = conn.find(sql, &[]).await?.map_or(0, |row| row.get::<_, i64>(0));
    if now == i64::from(from) {
        conn.run(step).await?;
        let sql = "UPDATE parlor.meta SET value = $1 WHERE name = 'schema'";
        conn.execute(sql, &[&i64::from(from + 1)]).await?;
    }
    conn.run("COMMIT").await
}

/// Whether another process has made the same thing in the same moment.
fn is_made_twice(fault: &Fault) -> bool {
    use tokio_postgres::error::SqlState;
    let made = [SqlState::DUPLICATE_SCHEMA, SqlState::DUPLICATE_TABLE, SqlState::UNIQUE_VIOLATION];
    matches!(fault, Fault::Database(error) if error.code().is_some_and(|code| made.contains(code)))
}
