//! Published rulesets, as rows.

use parlor_store::driver::{is_new_version, published};
use parlor_store::{PlayerId, ROWS_PER_PAGE_MAX, RulesetInfo, RulesetState, RulesetVersion, WriteError};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::batch::Verdict;
use crate::conn::Conn;
use crate::fault::{Result, nonsense};

const INFO: &str = "SELECT r.name, r.state, r.version, v.identity, r.author, v.title, v.at_ms
    FROM ruleset r JOIN ruleset_version v ON v.name = r.name AND v.version = r.version";
const VERSION: &str = "SELECT name, version, identity, author, title, text, at_ms FROM ruleset_version";

/// Enters the next version of a ruleset. Another node that enters the same one is noticed by its key.
pub(crate) async fn publish(conn: &Conn, version: &RulesetVersion) -> Result<Verdict> {
    conn.execute("SELECT 1 FROM ruleset WHERE name = $1 FOR UPDATE", &[&version.name]).await?;
    let known = info(conn, &version.name).await?;
    let newest = known.as_ref().map(|known| (known.version, known.author.as_ref()));
    let same = one(conn, &version.name, version.version).await?;
    match is_new_version(version, newest, same.as_ref()) {
        Ok(true) => {}
        Ok(false) => return Ok(Ok(0)),
        Err(error) => return Ok(Err(error)),
    }
    let state = state_number(published(known.map(|known| known.state).unwrap_or_default()));
    let author = version.author.as_ref().map(PlayerId::as_str);
    let number = i64::from(version.version);
    let sql = "INSERT INTO ruleset_version VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let identity = version.identity.as_slice();
    let RulesetVersion { name, title, text, .. } = version;
    conn.execute(sql, &[name, &number, &identity, &author, title, text, &(version.at_ms as i64)]).await?;
    let sql = "INSERT INTO ruleset VALUES ($1, $2, $3, $4)
               ON CONFLICT (name) DO UPDATE SET state = excluded.state, version = excluded.version";
    conn.execute(sql, &[name, &author, &state, &number]).await?;
    Ok(Ok(0))
}

/// Lists, withdraws or takes down a ruleset.
pub(crate) async fn set_state(conn: &Conn, name: &str, state: RulesetState) -> Result<Verdict> {
    let sql = "UPDATE ruleset SET state = $2 WHERE name = $1";
    let changed = conn.execute(sql, &[&name, &state_number(state)]).await?;
    Ok(if changed == 0 { Err(WriteError::Unknown) } else { Ok(0) })
}

pub(crate) async fn list(conn: &Conn, after: Option<&str>, limit: usize) -> Result<Vec<RulesetInfo>> {
    let limit = limit.min(ROWS_PER_PAGE_MAX) as i64;
    let sql = format!("{INFO} WHERE $1::text IS NULL OR r.name > $1 ORDER BY r.name LIMIT $2");
    conn.query(&sql, &[&after, &limit]).await?.iter().map(info_row).collect()
}

pub(crate) async fn info(conn: &Conn, name: &str) -> Result<Option<RulesetInfo>> {
    conn.find(&format!("{INFO} WHERE r.name = $1"), &[&name]).await?.as_ref().map(info_row).transpose()
}

pub(crate) async fn one(conn: &Conn, name: &str, version: u32) -> Result<Option<RulesetVersion>> {
    version_where(conn, "name = $1 AND version = $2", &[&name, &i64::from(version)]).await
}

pub(crate) async fn with_identity(
    conn: &Conn,
    name: &str,
    identity: &[u8; 32],
) -> Result<Option<RulesetVersion>> {
    let newest = "name = $1 AND identity = $2 ORDER BY version DESC LIMIT 1";
    version_where(conn, newest, &[&name, &identity.as_slice()]).await
}

pub(crate) async fn count_since(conn: &Conn, author: &PlayerId, since_ms: u64) -> Result<usize> {
    let sql = "SELECT count(*) FROM ruleset_version WHERE author = $1 AND at_ms >= $2";
    let row = conn.find(sql, &[&author.as_str(), &(since_ms as i64)]).await?;
    Ok(row.map_or(0, |row| row.get::<_, i64>(0)) as usize)
}

async fn version_where(
    conn: &Conn,
    is: &str,
    values: &[&(dyn ToSql + Sync)],
) -> Result<Option<RulesetVersion>> {
    conn.find(&format!("{VERSION} WHERE {is}"), values).await?.as_ref().map(version_row).transpose()
}

fn author_of(text: Option<&str>) -> Result<Option<PlayerId>> {
    text.map(PlayerId::new).transpose().map_err(nonsense)
}

fn identity(bytes: &[u8]) -> Result<[u8; 32]> {
    bytes.try_into().map_err(|_| nonsense("an identity that is no hash"))
}

fn version_row(row: &Row) -> Result<RulesetVersion> {
    Ok(RulesetVersion {
        name: row.get(0),
        version: row.get::<_, i64>(1) as u32,
        identity: identity(row.get(2))?,
        author: author_of(row.get(3))?,
        title: row.get(4),
        text: row.get(5),
        at_ms: row.get::<_, i64>(6) as u64,
    })
}

fn info_row(row: &Row) -> Result<RulesetInfo> {
    Ok(RulesetInfo {
        name: row.get(0),
        state: state_of(row.get(1))?,
        version: row.get::<_, i64>(2) as u32,
        identity: identity(row.get(3))?,
        author: author_of(row.get(4))?,
        title: row.get(5),
        at_ms: row.get::<_, i64>(6) as u64,
    })
}

fn state_number(state: RulesetState) -> i16 {
    match state {
        RulesetState::Listed => 0,
        RulesetState::Withdrawn => 1,
        RulesetState::TakenDown => 2,
    }
}

fn state_of(number: i16) -> Result<RulesetState> {
    let all = [RulesetState::Listed, RulesetState::Withdrawn, RulesetState::TakenDown];
    let found = all.into_iter().find(|state| state_number(*state) == number);
    found.ok_or_else(|| nonsense("a state that no ruleset has"))
}
