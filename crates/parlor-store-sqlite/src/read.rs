//! Reading: on connections of their own, which see what is committed and nothing else.

use std::collections::HashMap;

use parlor_store::driver::{Frames, checksum, unpack};
use parlor_store::{
    Currency, Epoch, Facts, ListOrder, Listing, LogEntry, MatchSelector, Owner, StoredMatch, TableId,
    TableInfo, TableState,
};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Result, Row, params, params_from_iter};

use crate::batch::state_number;
use crate::fault::nonsense;
use crate::group;

/// Entries of one table: what fits into the lower half of a place.
pub(crate) const ENTRIES_PER_TABLE_MAX: u64 = u32::MAX as u64;

/// Where the row lies that begins with this entry.
pub(crate) fn place(no: i64, seq: u64) -> i64 {
    (no << 32) | seq.min(ENTRIES_PER_TABLE_MAX) as i64
}

/// The number of the last entry, and the row it is in.
pub(crate) fn last_chunk(conn: &Connection, no: i64) -> Result<Option<(u64, Vec<u8>)>> {
    let chunk = conn
        .prepare_cached(
            "SELECT place, entries, crc, body FROM chunk WHERE place BETWEEN ?1 AND ?2 ORDER BY place DESC LIMIT 1",
        )?
        .query_row([place(no, 0), place(no, ENTRIES_PER_TABLE_MAX)], |row| {
            let (first, entries, body) = chunk(row)?;
            Ok((first + entries - 1, body))
        })
        .optional()?;
    let gathered =
        group::of_table(conn, no)?.pop().map(|piece| (piece.first + piece.entries - 1, piece.bytes));
    Ok(chunk.into_iter().chain(gathered).max_by_key(|(seq, _)| *seq))
}

/// A row: its first entry's number, how many there are, and their bytes.
fn chunk(row: &Row<'_>) -> Result<(u64, u64, Vec<u8>)> {
    let (place, entries, crc): (i64, i64, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let body: Vec<u8> = row.get(3)?;
    if checksum(&body) != crc || entries < 1 {
        return Err(nonsense(format!("the entries at {place} fail their checksum")));
    }
    Ok(((place & ENTRIES_PER_TABLE_MAX as i64) as u64, entries as u64, body))
}

/// A table's rows that hold entries from one number to another, in order; those that are only gathered as well.
fn chunks(conn: &Connection, no: i64, from: u64, to: u64) -> Result<Vec<(u64, u64, Vec<u8>)>> {
    let mut statement = conn.prepare_cached(
        "SELECT place, entries, crc, body FROM chunk WHERE place <= ?3 AND place >=
           coalesce((SELECT max(place) FROM chunk WHERE place BETWEEN ?1 AND ?2), ?2) ORDER BY place",
    )?;
    let rows = statement.query_map([place(no, 0), place(no, from), place(no, to)], chunk)?;
    let mut chunks: Vec<_> = rows.collect::<Result<_>>()?;
    chunks.extend(
        group::of_table(conn, no)?.into_iter().map(|piece| (piece.first, piece.entries, piece.bytes)),
    );
    chunks.retain(|(first, entries, _)| *first <= to && first + entries > from);
    chunks.sort_by_key(|(first, ..)| *first);
    Ok(chunks)
}

/// Walks over a table's entries from one number to another.
pub(crate) fn frames(
    conn: &Connection,
    no: i64,
    from: u64,
    to: u64,
    mut each: impl FnMut(u64, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut next = None;
    for (first, entries, body) in chunks(conn, no, from, to)? {
        if next.is_some_and(|next| next != first) {
            return Err(nonsense("a table's log has a gap"));
        }
        next = Some(first + entries);
        let mut seq = first;
        for frame in Frames(&body) {
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

fn number(conn: &Connection, table: &TableId) -> Result<Option<(i64, Epoch)>> {
    conn.prepare_cached("SELECT no, epoch FROM game_table WHERE id = ?1")?
        .query_row([table.as_str()], |row| Ok((row.get(0)?, Epoch(row.get::<_, i64>(1)? as u64))))
        .optional()
}

/// Where a match begins.
fn first_seq(conn: &Connection, no: i64, match_no: u32) -> Result<Option<u64>> {
    conn.prepare_cached("SELECT first_seq FROM game_match WHERE table_no = ?1 AND match_no = ?2")?
        .query_row(params![no, match_no], |row| row.get::<_, i64>(0))
        .optional()
        .map(|seq| seq.map(|seq| seq as u64))
}

fn last_match(conn: &Connection, no: i64) -> Result<u32> {
    conn.prepare_cached("SELECT coalesce(max(match_no), 0) FROM game_match WHERE table_no = ?1")?
        .query_row([no], |row| row.get(0))
}

pub(crate) fn read(conn: &Connection, table: &TableId, which: MatchSelector) -> Result<Option<StoredMatch>> {
    // One look: what a flush adds in between must not show in half of the answer.
    let tx = conn.unchecked_transaction()?;
    let Some((no, epoch)) = number(&tx, table)? else { return Ok(None) };
    let match_no = match which {
        MatchSelector::Last => last_match(&tx, no)?,
        MatchSelector::Match(n) => n,
    };
    let Some(from) = first_seq(&tx, no, match_no)? else { return Ok(None) };
    let to = first_seq(&tx, no, match_no.saturating_add(1))?.map_or(ENTRIES_PER_TABLE_MAX, |next| next - 1);
    let (mut header, mut records) = (None, Vec::new());
    frames(&tx, no, from, to, |_, frame| {
        match unpack(frame).map_err(nonsense)? {
            LogEntry::Open(open) => header = Some(*open),
            LogEntry::Record { record, .. } => records.push(record.into_record()),
        }
        Ok(())
    })?;
    let header = header.ok_or_else(|| nonsense("a match without a header"))?;
    let seq = last_seq(&tx, no)?;
    Ok(Some(StoredMatch { header, records, epoch, seq }))
}

fn last_seq(conn: &Connection, no: i64) -> Result<u64> {
    let own = conn
        .prepare_cached(
            "SELECT place + entries - 1 FROM chunk WHERE place BETWEEN ?1 AND ?2 ORDER BY place DESC LIMIT 1",
        )?
        .query_row([place(no, 0), place(no, ENTRIES_PER_TABLE_MAX)], |row| row.get::<_, i64>(0))
        .optional()?;
    let own = own.map_or(0, |place| place as u64 & ENTRIES_PER_TABLE_MAX);
    let gathered = group::newest(conn)?.get(&no).map_or(0, |(seq, _)| *seq);
    Ok(own.max(gathered))
}

const TABLE_ROW: &str = "SELECT t.id, t.game, t.seats, t.match_no, t.state, t.epoch, t.created_ms, t.facts, t.no,
           coalesce(c.place + c.entries - 1, 0), max(t.changed_ms, coalesce(c.at_ms, 0))
    FROM game_table t LEFT JOIN chunk c ON c.place = (SELECT max(place) FROM chunk WHERE place BETWEEN t.no << 32 AND (t.no << 32) + 4294967295)";

/// A row of the list, with what is gathered of the tables.
fn table_info(row: &Row<'_>, gathered: &HashMap<i64, (u64, u64)>) -> Result<TableInfo> {
    let facts: String = row.get(7)?;
    let (seq, at_ms) = gathered.get(&row.get(8)?).copied().unwrap_or_default();
    Ok(TableInfo {
        table: TableId::new(&row.get::<_, String>(0)?).map_err(nonsense)?,
        game: row.get(1)?,
        seats: row.get(2)?,
        match_no: row.get(3)?,
        state: state(row.get(4)?)?,
        epoch: Epoch(row.get::<_, i64>(5)? as u64),
        created_ms: row.get::<_, i64>(6)? as u64,
        facts: Facts(serde_json::from_str(&facts).map_err(|_| nonsense("facts that do not decode"))?),
        seq: seq.max(row.get::<_, i64>(9)? as u64 & ENTRIES_PER_TABLE_MAX),
        updated_ms: at_ms.max(row.get::<_, i64>(10)? as u64),
    })
}

fn state(number: i64) -> Result<TableState> {
    let all = [TableState::Running, TableState::Paused, TableState::Finished];
    all.into_iter().find(|state| state_number(*state) == number).ok_or_else(|| nonsense("an unknown state"))
}

pub(crate) fn table(conn: &Connection, table: &TableId) -> Result<Option<TableInfo>> {
    let tx = conn.unchecked_transaction()?;
    let gathered = group::newest(&tx)?;
    let mut statement = tx.prepare_cached(&format!("{TABLE_ROW} WHERE t.id = ?1"))?;
    statement.query_row([table.as_str()], |row| table_info(row, &gathered)).optional()
}

pub(crate) fn tables(conn: &Connection, listing: &Listing) -> Result<Vec<TableInfo>> {
    let tx = conn.unchecked_transaction()?;
    let gathered = group::newest(&tx)?;
    // Conditions that nobody asked for are left out, so that the index for the others is found.
    let (mut conditions, mut values): (Vec<&str>, Vec<Value>) = (vec!["TRUE"], Vec::new());
    let mut only = |condition, value: Value| {
        conditions.push(condition);
        values.push(value);
    };
    if let Some(state) = listing.state {
        only("t.state = ?", state_number(state).into());
    }
    if let Some(game) = &listing.game {
        only("t.game = ?", game.clone().into());
    }
    if let Some(after) = &listing.after {
        let condition = match listing.order {
            ListOrder::Name => "t.id > ?",
            ListOrder::Newest => "t.no < (SELECT no FROM game_table WHERE id = ?)",
        };
        only(condition, after.as_str().to_owned().into());
    }
    let order = match listing.order {
        ListOrder::Name => "t.id",
        ListOrder::Newest => "t.no DESC",
    };
    values.push((listing.page() as i64).into());
    let sql = format!("{TABLE_ROW} WHERE {} ORDER BY {order} LIMIT ?", conditions.join(" AND "));
    let mut statement = tx.prepare_cached(&sql)?;
    statement.query_map(params_from_iter(values), |row| table_info(row, &gathered))?.collect()
}

/// The numbers of the tables that were finished before this time and on which nothing lies any more.
pub(crate) fn forgettable(
    conn: &Connection,
    before_ms: u64,
    tables_max: usize,
) -> Result<Vec<(i64, String)>> {
    let mut statement = conn.prepare_cached(
        "SELECT t.no, t.id FROM game_table t WHERE t.state = 2 AND t.changed_ms < ?1
           AND NOT EXISTS (SELECT 1 FROM chunk WHERE place BETWEEN t.no << 32 AND (t.no << 32) + 4294967295 AND at_ms >= ?1)
           AND NOT EXISTS (SELECT 1 FROM account WHERE owner = 'table:' || t.id AND balance <> 0)
         ORDER BY t.id LIMIT ?2",
    )?;
    let limit = i64::try_from(tables_max).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![before_ms as i64, limit], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// When the table finished that is the first beyond this many, counted from the newest.
pub(crate) fn finished_beyond(conn: &Connection, kept: usize) -> Result<Option<u64>> {
    let skipped = i64::try_from(kept).unwrap_or(i64::MAX);
    conn.prepare_cached(
        "SELECT changed_ms FROM game_table WHERE state = 2 ORDER BY changed_ms DESC LIMIT 1 OFFSET ?1",
    )?
    .query_row([skipped], |row| row.get::<_, i64>(0))
    .optional()
    .map(|at| at.map(|at| at as u64))
}

pub(crate) fn balance(conn: &Connection, owner: &Owner, currency: &Currency) -> Result<i64> {
    conn.prepare_cached("SELECT balance FROM account WHERE owner = ?1 AND currency = ?2")?
        .query_row([&owner.to_string(), currency.as_str()], |row| row.get(0))
        .optional()
        .map(|balance| balance.unwrap_or(0))
}
