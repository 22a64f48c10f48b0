//! Logs and tables, as rows.

use parlor_store::driver::{Frames, checksum, unpack};
use parlor_store::{
    Currency, Epoch, Facts, ListOrder, Listing, LogEntry, MatchSelector, Owner, StoredMatch, TableId,
    TableInfo, TableState,
};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::conn::Conn;
use crate::fault::{Result, nonsense};
use crate::heads::state_number;

/// Entries of one table.
pub(crate) const ENTRIES_PER_TABLE_MAX: u64 = u32::MAX as u64;

/// Reads several times from one state of the database: what a flush adds in between does not show in half of the answer.
pub(crate) async fn at_one_instant<T>(conn: &Conn, read: impl Future<Output = Result<T>>) -> Result<T> {
    conn.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    // Where this fails the connection is not used again.
    let result = read.await?;
    conn.run("COMMIT").await?;
    Ok(result)
}

/// Walks over a table's entries from one number to another.
pub(crate) async fn frames(
    conn: &Conn,
    no: i64,
    from: u64,
    to: u64,
    mut each: impl FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let sql = "SELECT first_seq, entries, crc, body FROM chunk WHERE table_no = $1 AND first_seq <= $3 AND first_seq >=
                 coalesce((SELECT max(first_seq) FROM chunk WHERE table_no = $1 AND first_seq <= $2), $2)
               ORDER BY first_seq";
    let rows = conn.query(sql, &[&no, &(from as i64), &(to as i64)]).await?;
    let mut next = None;
    for row in rows {
        let (first, entries) = (row.get::<_, i64>(0) as u64, row.get::<_, i64>(1) as u64);
        let (crc, body): (i64, &[u8]) = (row.get(2), row.get(3));
        if i64::from(checksum(body)) != crc {
            return Err(nonsense(format!("the entries of table {no} at {first} fail their checksum")));
        }
        if next.is_some_and(|next| next != first) {
            return Err(nonsense("a table's log has a gap"));
        }
        next = Some(first + entries);
        let mut seq = first;
        for frame in Frames(body) {
            let frame = frame.map_err(nonsense)?;
            if (from..=to).contains(&seq) {
                each(seq, frame)?;
            }
            seq += 1;
        }
        if seq != first + entries {
            return Err(nonsense("a row has not the entries it says"));
        }
    }
    Ok(())
}

pub(crate) async fn read(conn: &Conn, table: &TableId, which: MatchSelector) -> Result<Option<StoredMatch>> {
    at_one_instant(conn, read_match(conn, table, which)).await
}

async fn read_match(conn: &Conn, table: &TableId, which: MatchSelector) -> Result<Option<StoredMatch>> {
    let sql = "SELECT no, epoch, seq, match_no FROM game_table WHERE id = $1";
    let Some(row) = conn.find(sql, &[&table.as_str()]).await? else { return Ok(None) };
    let (no, epoch, seq): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
    let match_no = match which {
        MatchSelector::Last => row.get(3),
        MatchSelector::Match(n) => i64::from(n),
    };
    let sql = "SELECT match_no, first_seq FROM game_match
               WHERE table_no = $1 AND match_no BETWEEN $2 AND $2 + 1 ORDER BY match_no";
    let places = conn.query(sql, &[&no, &match_no]).await?;
    let first_of =
        |n: i64| places.iter().find(|row| row.get::<_, i64>(0) == n).map(|row| row.get::<_, i64>(1));
    let Some(from) = first_of(match_no) else { return Ok(None) };
    let to = first_of(match_no + 1).map_or(seq, |next| next - 1);
    let (mut header, mut records) = (None, Vec::new());
    frames(conn, no, from as u64, to as u64, |_, frame| {
        match unpack(frame).map_err(nonsense)? {
            LogEntry::Open(open) => header = Some(*open),
            LogEntry::Record { record, .. } => records.push(record.into_record()),
        }
        Ok(())
    })
    .await?;
    let header = header.ok_or_else(|| nonsense("a match without a header"))?;
    Ok(Some(StoredMatch { header, records, epoch: Epoch(epoch as u64), seq: seq as u64 }))
}

const TABLE_ROW: &str = "SELECT id, game, seats, match_no, state, epoch, seq, created_ms,
    greatest(changed_ms, touched_ms), facts FROM game_table";

fn table_info(row: &Row) -> Result<TableInfo> {
    let number = |n: usize| row.get::<_, i64>(n) as u64;
    Ok(TableInfo {
        table: TableId::new(row.get(0)).map_err(nonsense)?,
        game: row.get(1),
        seats: row.get::<_, i16>(2) as u8,
        match_no: number(3) as u32,
        state: state(row.get(4))?,
        epoch: Epoch(number(5)),
        seq: number(6),
        created_ms: number(7),
        updated_ms: number(8),
        facts: Facts(serde_json::from_str(row.get(9)).map_err(|_| nonsense("facts that do not decode"))?),
    })
}

fn state(number: i16) -> Result<TableState> {
    let all = [TableState::Running, TableState::Paused, TableState::Finished];
    all.into_iter().find(|state| state_number(*state) == number).ok_or_else(|| nonsense("an unknown state"))
}

pub(crate) async fn table(conn: &Conn, table: &TableId) -> Result<Option<TableInfo>> {
    let sql = format!("{TABLE_ROW} WHERE id = $1");
    conn.find(&sql, &[&table.as_str()]).await?.as_ref().map(table_info).transpose()
}

pub(crate) async fn tables(conn: &Conn, listing: &Listing) -> Result<Vec<TableInfo>> {
    // Conditions that nobody asked for are left out, so that the index for the others is found.
    let (mut sql, mut values) = (format!("{TABLE_ROW} WHERE TRUE"), Vec::<&(dyn ToSql + Sync)>::new());
    let state = listing.state.map(state_number);
    let after = listing.after.as_ref().map(TableId::as_str);
    if let Some(state) = &state {
        values.push(state);
        sql += &format!(" AND state = ${}", values.len());
    }
    if let Some(game) = &listing.game {
        values.push(game);
        sql += &format!(" AND game = ${}", values.len());
    }
    if let Some(after) = &after {
        values.push(after);
        sql += &match listing.order {
            ListOrder::Name => format!(" AND id > ${}", values.len()),
            ListOrder::Newest => {
                format!(" AND no < (SELECT no FROM game_table WHERE id = ${})", values.len())
            }
        };
    }
    let limit = listing.page() as i64;
    values.push(&limit);
    let order = match listing.order {
        ListOrder::Name => "id",
        ListOrder::Newest => "no DESC",
    };
    sql += &format!(" ORDER BY {order} LIMIT ${}", values.len());
    conn.query(&sql, &values).await?.iter().map(table_info).collect()
}

/// When the table finished that is the first beyond this many, counted from the newest.
pub(crate) async fn finished_beyond(conn: &Conn, kept: usize) -> Result<Option<u64>> {
    let skipped = i64::try_from(kept).unwrap_or(i64::MAX);
    let sql = "SELECT changed_ms FROM game_table WHERE state = 2 ORDER BY changed_ms DESC LIMIT 1 OFFSET $1";
    Ok(conn.find(sql, &[&skipped]).await?.map(|row| row.get::<_, i64>(0) as u64))
}

pub(crate) async fn balance(conn: &Conn, owner: &Owner, currency: &Currency) -> Result<i64> {
    let sql = "SELECT coalesce(sum(balance), 0)::bigint FROM account WHERE owner = $1 AND currency = $2";
    let row = conn.find(sql, &[&owner.to_string(), &currency.as_str()]).await?;
    Ok(row.map_or(0, |row| row.get(0)))
}

pub(crate) async fn rooms(conn: &Conn) -> Result<Vec<(TableId, Facts)>> {
    let rows = conn.query("SELECT id, body FROM room ORDER BY id", &[]).await?;
    let room = |row: &Row| {
        let body = serde_json::from_str(row.get(1)).map_err(|_| nonsense("a room that does not decode"))?;
        Ok((TableId::new(row.get(0)).map_err(nonsense)?, Facts(body)))
    };
    rows.iter().map(room).collect()
}
