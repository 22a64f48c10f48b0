//! Flushes of many tables, each in one row. A row for each table would cost the write-ahead log a page for each and
//! flush; so the entries are gathered here and carried over into each table's own rows when there are many of them.

use std::collections::{BTreeMap, HashMap};

use parlor_store::driver::checksum;
use rusqlite::{Connection, Result, params};

use crate::fault::nonsense;
use crate::read;

/// Bytes of one piece's line in the directory: table, first entry, entries, time, length, checksum.
const LINE_BYTES: usize = 32;

/// A table's entries of one flush.
pub(crate) struct Piece {
    pub(crate) table_no: i64,
    /// The number of the first entry.
    pub(crate) first: u64,
    pub(crate) entries: u64,
    pub(crate) at_ms: u64,
    pub(crate) bytes: Vec<u8>,
}

/// A piece as the directory describes it.
struct Line {
    table_no: i64,
    first: u64,
    entries: u64,
    at_ms: u64,
    /// Where it lies in the body.
    from: usize,
    to: usize,
    crc: u32,
}

impl Line {
    fn bytes<'a>(&self, body: &'a [u8]) -> Result<&'a [u8]> {
        let bytes = body.get(self.from..self.to).filter(|bytes| checksum(bytes) == self.crc);
        let place = read::place(self.table_no, self.first);
        bytes.ok_or_else(|| nonsense(format!("the entries at {place} fail their checksum")))
    }
}

/// Writes a flush; says how many bytes it took.
pub(crate) fn write(conn: &Connection, pieces: &[Piece]) -> Result<usize> {
    let mut directory = Vec::with_capacity(pieces.len() * LINE_BYTES);
    let mut body = Vec::with_capacity(pieces.iter().map(|piece| piece.bytes.len()).sum());
    for Piece { table_no, first, entries, at_ms, bytes } in pieces {
        directory.extend(table_no.to_le_bytes());
        directory.extend((*first as u32).to_le_bytes());
        directory.extend((*entries as u32).to_le_bytes());
        directory.extend(at_ms.to_le_bytes());
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend(checksum(bytes).to_le_bytes());
        body.extend_from_slice(bytes);
    }
    conn.prepare_cached("INSERT INTO flush (crc, directory, body) VALUES (?1, ?2, ?3)")?.execute(params![
        checksum(&directory),
        directory,
        body
    ])?;
    Ok(directory.len() + body.len())
}

/// Reads a directory. A damaged one fails every table: nobody knows whose entries it held.
fn lines(crc: u32, directory: &[u8]) -> Result<impl Iterator<Item = Line>> {
    if checksum(directory) != crc || !directory.len().is_multiple_of(LINE_BYTES) {
        return Err(nonsense("the directory of a flush fails its checksum"));
    }
    let mut from = 0;
    Ok(directory.chunks_exact(LINE_BYTES).map(move |line| {
        let u32_at = |at: usize| u32::from_le_bytes([line[at], line[at + 1], line[at + 2], line[at + 3]]);
        let u64_at = |at: usize| u64::from(u32_at(at)) | u64::from(u32_at(at + 4)) << 32;
        let length = u32_at(24) as usize;
        let line = Line {
            table_no: u64_at(0) as i64,
            first: u32_at(8).into(),
            entries: u32_at(12).into(),
            at_ms: u64_at(16),
            from,
            to: from + length,
            crc: u32_at(28),
        };
        from += length;
        line
    }))
}

/// What is gathered of one table, in order.
pub(crate) fn of_table(conn: &Connection, table_no: i64) -> Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut statement = conn.prepare_cached("SELECT crc, directory, body FROM flush ORDER BY no")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for line in lines(row.get(0)?, row.get_ref(1)?.as_blob()?)? {
            if line.table_no == table_no {
                let bytes = line.bytes(row.get_ref(2)?.as_blob()?)?.to_vec();
                let Line { first, entries, at_ms, .. } = line;
                pieces.push(Piece { table_no, first, entries, at_ms, bytes });
            }
        }
    }
    Ok(pieces)
}

/// The number and the time of the last entry that is gathered, for each table.
pub(crate) fn newest(conn: &Connection) -> Result<HashMap<i64, (u64, u64)>> {
    let mut newest = HashMap::new();
    let mut statement = conn.prepare_cached("SELECT crc, directory FROM flush ORDER BY no")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for line in lines(row.get(0)?, row.get_ref(1)?.as_blob()?)? {
            newest.insert(line.table_no, (line.first + line.entries - 1, line.at_ms));
        }
    }
    Ok(newest)
}

/// Puts one table's entries into a row of its own.
pub(crate) fn write_chunk(conn: &Connection, piece: &Piece) -> Result<()> {
    let Piece { table_no, first, entries, at_ms, bytes } = piece;
    conn.prepare_cached("INSERT INTO chunk VALUES (?1, ?2, ?3, ?4, ?5)")?.execute(params![
        read::place(*table_no, *first),
        *entries as i64,
        *at_ms as i64,
        checksum(bytes),
        bytes
    ])?;
    Ok(())
}

/// Carries what is gathered over into the tables' own rows, each table's entries together. A flush that is damaged
/// stays where it is, so that it can be repaired.
pub(crate) fn carry_over(conn: &Connection) -> Result<()> {
    let mut tables: BTreeMap<i64, Vec<Piece>> = BTreeMap::new();
    let mut carried = Vec::new();
    let mut statement = conn.prepare_cached("SELECT no, crc, directory, body FROM flush ORDER BY no")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let body = row.get_ref(3)?.as_blob()?;
        let Ok(all) = lines(row.get(1)?, row.get_ref(2)?.as_blob()?) else { continue };
        let all: Vec<Line> = all.collect();
        if all.iter().any(|line| line.bytes(body).is_err()) {
            continue;
        }
        for line in all {
            let pieces = tables.entry(line.table_no).or_default();
            join(pieces, &line, &body[line.from..line.to]);
        }
        carried.push(row.get::<_, i64>(0)?);
    }
    drop(rows);
    for piece in tables.values().flatten() {
        write_chunk(conn, piece)?;
    }
    let mut delete = conn.prepare_cached("DELETE FROM flush WHERE no = ?1")?;
    for no in carried {
        delete.execute([no])?;
    }
    Ok(())
}

/// Puts a piece behind the last one, where it follows it.
fn join(pieces: &mut Vec<Piece>, line: &Line, bytes: &[u8]) {
    let Line { table_no, first, entries, at_ms, .. } = *line;
    match pieces.last_mut() {
        Some(last) if last.first + last.entries == first => {
            last.entries += entries;
            last.at_ms = last.at_ms.max(at_ms);
            last.bytes.extend_from_slice(bytes);
        }
        _ => pieces.push(Piece { table_no, first, entries, at_ms, bytes: bytes.to_vec() }),
    }
}
