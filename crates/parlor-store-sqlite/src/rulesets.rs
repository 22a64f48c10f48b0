//! Published rulesets, as rows.

use parlor_store::driver::{is_new_version, published};
use parlor_store::{PlayerId, ROWS_PER_PAGE_MAX, RulesetInfo, RulesetState, RulesetVersion, WriteError};
use rusqlite::{Connection, OptionalExtension, Params, Result, Row, params};

use crate::batch::Verdict;
use crate::fault::nonsense;

const INFO: &str = "SELECT r.name, r.state, r.version, v.identity, r.author, v.title, v.at_ms
    FROM ruleset r JOIN ruleset_version v ON v.name = r.name AND v.version = r.version";
const VERSION: &str = "SELECT name, version, identity, author, title, text, at_ms FROM ruleset_version";

/// Enters the next version of a ruleset.
pub(crate) fn publish(conn: &Connection, version: &RulesetVersion) -> Result<Verdict> {
    let known = info(conn, &version.name)?;
    let newest = known.as_ref().map(|known| (known.version, known.author.as_ref()));
    let same = one(conn, &version.name, version.version)?;
    match is_new_version(version, newest, same.as_ref()) {
        Ok(true) => {}
        Ok(false) => return Ok(Ok(0)),
        Err(error) => return Ok(Err(error)),
    }
    let state = published(known.map(|known| known.state).unwrap_or_default());
    let author = version.author.as_ref().map(PlayerId::as_str);
    conn.prepare_cached("INSERT OR REPLACE INTO ruleset VALUES (?1, ?2, ?3, ?4)")?.execute(params![
        version.name,
        author,
        state_number(state),
        version.version
    ])?;
    conn.prepare_cached(
        "INSERT INTO ruleset_version (name, version, identity, author, title, text, at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        version.name,
        version.version,
        version.identity,
        author,
        version.title,
        version.text,
        version.at_ms as i64
    ])?;
    Ok(Ok(0))
}

/// Lists, withdraws or takes down a ruleset.
pub(crate) fn set_state(conn: &Connection, name: &str, state: RulesetState) -> Result<Verdict> {
    let changed = conn
        .prepare_cached("UPDATE ruleset SET state = ?2 WHERE name = ?1")?
        .execute(params![name, state_number(state)])?;
    Ok(if changed == 0 { Err(WriteError::Unknown) } else { Ok(0) })
}

pub(crate) fn list(conn: &Connection, after: Option<&str>, limit: usize) -> Result<Vec<RulesetInfo>> {
    let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
    let sql = format!("{INFO} WHERE ?1 IS NULL OR r.name > ?1 ORDER BY r.name LIMIT ?2");
    conn.prepare_cached(&sql)?.query_map(params![after, limit], info_row)?.collect()
}

pub(crate) fn info(conn: &Connection, name: &str) -> Result<Option<RulesetInfo>> {
    conn.prepare_cached(&format!("{INFO} WHERE r.name = ?1"))?.query_row([name], info_row).optional()
}

pub(crate) fn one(conn: &Connection, name: &str, version: u32) -> Result<Option<RulesetVersion>> {
    version_where(conn, "name = ?1 AND version = ?2", params![name, version])
}

pub(crate) fn with_identity(
    conn: &Connection,
    name: &str,
    identity: &[u8; 32],
) -> Result<Option<RulesetVersion>> {
    let newest = "name = ?1 AND identity = ?2 ORDER BY version DESC LIMIT 1";
    version_where(conn, newest, params![name, identity])
}

pub(crate) fn count_since(conn: &Connection, author: &PlayerId, since_ms: u64) -> Result<usize> {
    conn.prepare_cached("SELECT count(*) FROM ruleset_version WHERE author = ?1 AND at_ms >= ?2")?
        .query_row(params![author.as_str(), since_ms as i64], |row| row.get::<_, i64>(0))
        .map(|count| count as usize)
}

fn version_where(conn: &Connection, is: &str, values: impl Params) -> Result<Option<RulesetVersion>> {
    conn.prepare_cached(&format!("{VERSION} WHERE {is}"))?.query_row(values, version_row).optional()
}

fn author_of(text: Option<String>) -> Result<Option<PlayerId>> {
    text.map(|text| PlayerId::new(&text)).transpose().map_err(nonsense)
}

fn version_row(row: &Row<'_>) -> Result<RulesetVersion> {
    Ok(RulesetVersion {
        name: row.get(0)?,
        version: row.get(1)?,
        identity: row.get(2)?,
        author: author_of(row.get(3)?)?,
        title: row.get(4)?,
        text: row.get(5)?,
        at_ms: row.get::<_, i64>(6)? as u64,
    })
}

fn info_row(row: &Row<'_>) -> Result<RulesetInfo> {
    Ok(RulesetInfo {
        name: row.get(0)?,
        state: state_of(row.get(1)?)?,
        version: row.get(2)?,
        identity: row.get(3)?,
        author: author_of(row.get(4)?)?,
        title: row.get(5)?,
        at_ms: row.get::<_, i64>(6)? as u64,
    })
}

fn state_number(state: RulesetState) -> i64 {
    match state {
        RulesetState::Listed => 0,
        RulesetState::Withdrawn => 1,
        RulesetState::TakenDown => 2,
    }
}

fn state_of(number: i64) -> Result<RulesetState> {
    match number {
        0 => Ok(RulesetState::Listed),
        1 => Ok(RulesetState::Withdrawn),
        2 => Ok(RulesetState::TakenDown),
        _ => Err(nonsense("a state that no ruleset has")),
    }
}
