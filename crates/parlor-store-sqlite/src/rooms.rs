//! Rooms, as rows.

use parlor_store::{Facts, TableId};
use rusqlite::{Connection, Result, params};

use crate::batch::Verdict;
use crate::fault::nonsense;

pub(crate) fn keep_room(conn: &Connection, id: &TableId, body: Option<&Facts>) -> Result<Verdict> {
    match body {
        Some(Facts(body)) => conn
            .prepare_cached("INSERT OR REPLACE INTO room VALUES (?1, ?2)")?
            .execute(params![id.as_str(), body.to_string()])?,
        None => conn.prepare_cached("DELETE FROM room WHERE id = ?1")?.execute([id.as_str()])?,
    };
    Ok(Ok(0))
}

pub(crate) fn rooms(conn: &Connection) -> Result<Vec<(TableId, Facts)>> {
    let mut statement = conn.prepare_cached("SELECT id, body FROM room ORDER BY id")?;
    let rows = statement.query_map([], |row| {
        let id = TableId::new(&row.get::<_, String>(0)?).map_err(nonsense)?;
        let body: String = row.get(1)?;
        Ok((id, Facts(serde_json::from_str(&body).map_err(|_| nonsense("a room that does not decode"))?)))
    })?;
    rows.collect()
}
