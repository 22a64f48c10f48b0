//! One flush: many writes of many tables in one transaction. The batch checks each write in memory before it stores
//! anything of it, so that a refused write leaves no trace and does not affect the others.

use std::collections::HashMap;

use parlor_store::driver::{AppendKind, Frames, Head, Packed, repeats, shape};
use parlor_store::{
    Append, Currency, Epoch, HoldId, Owner, Player, Reason, TableId, TableState, Transfer, Write, WriteError,
};
use rusqlite::{Connection, OptionalExtension, Result, params};

use crate::fault::nonsense;
use crate::group::{self, Piece};
use crate::money::Money;
use crate::{accounts, journal, read, rooms, rulesets};

/// Tables whose heads the writer remembers.
const HEADS_MAX: usize = 16_384;
/// Bytes that must find room before a full store counts as recovered.
const PROBE_BYTES: i64 = 64 * 1024;

/// How a write ended: a refusal is no failure of the transaction.
pub(crate) type Verdict = std::result::Result<u64, WriteError>;

/// A table as the writer knows it.
pub(crate) struct Known {
    no: i64,
    head: Head,
    /// Entries of this flush that are not in a row yet.
    pending: Vec<u8>,
    pending_entries: u64,
    pending_at_ms: u64,
}

/// The tables the writer knows.
#[derive(Default)]
pub(crate) struct Heads(HashMap<TableId, Known>);

impl Heads {
    /// Forgets everything: another process has written, or a transaction was rolled back.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether no further table should be remembered.
    pub(crate) fn full(&self) -> bool {
        self.0.len() > HEADS_MAX
    }
}

/// The current flush.
pub(crate) struct Batch<'a> {
    conn: &'a Connection,
    heads: &'a mut Heads,
    money: Money,
    touched: Vec<TableId>,
}

impl<'a> Batch<'a> {
    pub(crate) fn new(conn: &'a Connection, heads: &'a mut Heads) -> Self {
        Self { conn, heads, money: Money::default(), touched: Vec::new() }
    }

    /// Checks one write and, if nothing speaks against it, enters it.
    pub(crate) fn take(&mut self, packed: &Packed) -> Result<Verdict> {
        match &packed.write {
            Write::Append(append) => self.append(append, packed),
            Write::Claim { table, epoch } => self.claim(table, *epoch),
            Write::Post { key, transfers, at_ms } => self.post(key, transfers, *at_ms),
            Write::Release { hold, currency, to, at_ms } => self.release(hold, currency, to, *at_ms),
            Write::Player(player) => self.register(player),
            Write::PlayerPays { player, key, transfers, at_ms } => {
                self.register_paying(player, key, transfers, *at_ms)
            }
            Write::Room { id, body } => rooms::keep_room(self.conn, id, body.as_ref()),
            Write::Ruleset(version) => rulesets::publish(self.conn, version),
            Write::RulesetState { name, state } => rulesets::set_state(self.conn, name, *state),
            Write::Audit(line) => accounts::note_audit(self.conn, line),
            Write::Probe => self.probe(),
        }
    }

    /// Writes what was entered and is not in the database yet: entries of so many tables or more together. Says how
    /// many bytes were put together.
    pub(crate) fn finish(mut self, together_min: usize) -> Result<usize> {
        let touched = std::mem::take(&mut self.touched);
        let pieces: Vec<Piece> =
            touched.iter().filter_map(|table| self.heads.0.get_mut(table)?.piece()).collect();
        let mut together = 0;
        if pieces.len() >= together_min {
            together = group::write(self.conn, &pieces)?;
        } else {
            for piece in &pieces {
                group::write_chunk(self.conn, piece)?;
            }
        }
        self.money.write(self.conn)?;
        Ok(together)
    }

    /// Finds a table; whether there is one.
    fn know(&mut self, table: &TableId) -> Result<bool> {
        if self.heads.0.contains_key(table) {
            return Ok(true);
        }
        let Some((no, head)) = load_head(self.conn, table)? else { return Ok(false) };
        self.heads.0.insert(table.clone(), Known::new(no, head));
        Ok(true)
    }

    fn known(&mut self, table: &TableId) -> &mut Known {
        self.heads.0.get_mut(table).expect("the table was looked up")
    }

    fn append(&mut self, append: &Append, packed: &Packed) -> Result<Verdict> {
        let Append { table, epoch, expected_seq, transfers, at_ms, .. } = append;
        let fresh = !self.know(table)?;
        let place = if fresh {
            Head::first(*epoch, *expected_seq, &packed.shapes).map(AppendKind::Next)
        } else {
            self.known(table).head.place(*epoch, *expected_seq, &packed.shapes)
        };
        let head = match place {
            Ok(AppendKind::Next(head)) => head,
            Ok(AppendKind::Duplicate) => return self.again(append, packed),
            Err(error) => return Ok(Err(error)),
        };
        if head.seq > read::ENTRIES_PER_TABLE_MAX {
            return Ok(Err(WriteError::Malformed("a table has at most 2^32 - 1 entries")));
        }
        if packed.shapes.is_empty() && !transfers.is_empty() {
            return Ok(Err(WriteError::Malformed("tokens move with an entry, or with a key")));
        }
        let after = match self.money.judge(self.conn, transfers)? {
            Ok(after) => after,
            Err(error) => return Ok(Err(error)),
        };
        // From here on nothing is refused.
        if fresh {
            let no = create_table(self.conn, append)?;
            self.heads.0.insert(table.clone(), Known::new(no, Head::default()));
        }
        let no = self.known(table).no;
        note_matches(self.conn, no, *expected_seq, packed)?;
        note_state(self.conn, no, append)?;
        accounts::note_played(self.conn, append)?;
        if !transfers.is_empty() {
            let key = append_key(no, *expected_seq);
            self.money.enter(self.conn, Some(&key), transfers, after, *at_ms)?;
        }
        let known = self.known(table);
        known.head = head;
        if !packed.shapes.is_empty() {
            known.pending.extend_from_slice(&packed.bytes);
            known.pending_entries += packed.shapes.len() as u64;
            known.pending_at_ms = known.pending_at_ms.max(*at_ms);
            self.touched.push(table.clone());
        }
        Ok(Ok(head.seq))
    }

    /// Entries that are there already: the same append again, or another that came too late.
    fn again(&mut self, append: &Append, packed: &Packed) -> Result<Verdict> {
        let Append { table, expected_seq, transfers, .. } = append;
        self.write_chunk(table)?;
        let (no, head) = (self.known(table).no, self.known(table).head);
        let last = expected_seq + packed.shapes.len() as u64;
        let mut stored = Vec::with_capacity(packed.bytes.len());
        read::frames(self.conn, no, expected_seq + 1, last, |_, frame| {
            stored.extend_from_slice(frame);
            Ok(())
        })?;
        let posted = journal::posted(self.conn, &append_key(no, *expected_seq))?.unwrap_or_default();
        let same = stored == packed.bytes && repeats(&posted, transfers);
        Ok(if same { Ok(last) } else { Err(head.conflict()) })
    }

    fn claim(&mut self, table: &TableId, epoch: Epoch) -> Result<Verdict> {
        if !self.know(table)? {
            return Ok(Err(WriteError::Unknown));
        }
        let known = self.known(table);
        let head = match known.head.claimed(epoch) {
            Ok(head) => head,
            Err(error) => return Ok(Err(error)),
        };
        let no = known.no;
        known.head = head;
        self.conn
            .prepare_cached("UPDATE game_table SET epoch = ?2 WHERE no = ?1")?
            .execute(params![no, epoch.0 as i64])?;
        Ok(Ok(head.seq))
    }

    fn post(&mut self, key: &str, transfers: &[Transfer], at_ms: u64) -> Result<Verdict> {
        let key_stored = format!("k/{key}");
        match journal::posted(self.conn, &key_stored)? {
            Some(known) if repeats(&known, transfers) => return Ok(Ok(0)),
            Some(_) => return Ok(Err(WriteError::KeyReused(key.to_owned()))),
            None => {}
        }
        self.transfer(Some(&key_stored), transfers, at_ms)
    }

    fn release(&mut self, hold: &HoldId, currency: &Currency, to: &Owner, at_ms: u64) -> Result<Verdict> {
        let from = Owner::Hold(hold.clone());
        let amount = self.money.balance(self.conn, &from, currency)?;
        if amount == 0 {
            return Ok(Ok(0));
        }
        let (to, currency, reason) = (to.clone(), currency.clone(), Reason::Release);
        self.transfer(None, &[Transfer { from, to, currency, amount, reason }], at_ms)
    }

    fn transfer(&mut self, key: Option<&str>, transfers: &[Transfer], at_ms: u64) -> Result<Verdict> {
        match self.money.judge(self.conn, transfers)? {
            Ok(after) => self.money.enter(self.conn, key, transfers, after, at_ms).map(|()| Ok(0)),
            Err(error) => Ok(Err(error)),
        }
    }

    fn register(&mut self, player: &Player) -> Result<Verdict> {
        match accounts::taken(self.conn, player)? {
            Some(error) => Ok(Err(error)),
            None => accounts::register(self.conn, player).map(|()| Ok(0)),
        }
    }

    /// An account and its tokens, together or not at all.
    fn register_paying(
        &mut self,
        player: &Player,
        key: &str,
        transfers: &[Transfer],
        at_ms: u64,
    ) -> Result<Verdict> {
        let key_stored = format!("k/{key}");
        match journal::posted(self.conn, &key_stored)? {
            Some(known) if repeats(&known, transfers) => return Ok(Ok(0)),
            Some(_) => return Ok(Err(WriteError::KeyReused(key.to_owned()))),
            None => {}
        }
        if let Some(error) = accounts::taken(self.conn, player)? {
            return Ok(Err(error));
        }
        match self.transfer(Some(&key_stored), transfers, at_ms)? {
            Ok(_) => accounts::register(self.conn, player).map(|()| Ok(0)),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Takes space and gives it back: changing a page would need none.
    fn probe(&mut self) -> Result<Verdict> {
        self.conn.prepare_cached("INSERT INTO probe VALUES (zeroblob(?1))")?.execute([PROBE_BYTES])?;
        self.conn.prepare_cached("DELETE FROM probe")?.execute([])?;
        Ok(Ok(0))
    }

    /// Packs a table's entries of this flush, so far, into one row.
    fn write_chunk(&mut self, table: &TableId) -> Result<()> {
        let piece = self.heads.0.get_mut(table).and_then(Known::piece);
        piece.map_or(Ok(()), |piece| group::write_chunk(self.conn, &piece))
    }
}

impl Known {
    fn new(no: i64, head: Head) -> Self {
        Self { no, head, pending: Vec::new(), pending_entries: 0, pending_at_ms: 0 }
    }

    /// Takes the entries of this flush that are not in a row yet; an idle table keeps no memory.
    fn piece(&mut self) -> Option<Piece> {
        let entries = std::mem::take(&mut self.pending_entries);
        let at_ms = std::mem::take(&mut self.pending_at_ms);
        let bytes = std::mem::take(&mut self.pending);
        let first = self.head.seq + 1 - entries;
        (entries > 0).then_some(Piece { table_no: self.no, first, entries, at_ms, bytes })
    }
}

/// The key under which the tokens of an append move.
fn append_key(no: i64, expected_seq: u64) -> String {
    format!("t/{no}/{expected_seq}")
}

fn load_head(conn: &Connection, table: &TableId) -> Result<Option<(i64, Head)>> {
    let row: Option<(i64, i64)> = conn
        .prepare_cached("SELECT no, epoch FROM game_table WHERE id = ?1")?
        .query_row([table.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((no, epoch)) = row else { return Ok(None) };
    let (seq, body) = read::last_chunk(conn, no)?.ok_or_else(|| nonsense("a table without entries"))?;
    let last = Frames(&body).last().ok_or_else(|| nonsense("a row without entries"))?.map_err(nonsense)?;
    let last = shape(last).map_err(nonsense)?;
    let epoch = Epoch(epoch as u64);
    Ok(Some((no, Head { epoch, seq, match_no: last.match_no, record_seq: last.record_seq })))
}

fn create_table(conn: &Connection, append: &Append) -> Result<i64> {
    conn.prepare_cached(
        "INSERT INTO game_table (id, epoch, state, game, seats, match_no, created_ms, changed_ms, facts)
         VALUES (?1, ?2, 0, '', 0, 0, ?3, ?3, 'null')",
    )?
    .execute(params![append.table.as_str(), append.epoch.0 as i64, append.at_ms as i64])?;
    Ok(conn.last_insert_rowid())
}

fn note_matches(conn: &Connection, no: i64, expected_seq: u64, packed: &Packed) -> Result<()> {
    for (place, header) in packed.opens() {
        let seq = expected_seq + 1 + place as u64;
        conn.prepare_cached("INSERT INTO game_match VALUES (?1, ?2, ?3)")?.execute(params![
            no,
            header.match_no,
            seq as i64
        ])?;
        conn.prepare_cached("UPDATE game_table SET game = ?2, seats = ?3, match_no = ?4 WHERE no = ?1")?
            .execute(params![no, header.game, header.seats, header.match_no])?;
    }
    Ok(())
}

fn note_state(conn: &Connection, no: i64, append: &Append) -> Result<()> {
    let state = append.state.map(state_number);
    let facts = append.facts.as_ref().map(|facts| facts.0.to_string());
    if state.is_none() && facts.is_none() {
        return Ok(());
    }
    conn.prepare_cached(
        "UPDATE game_table SET state = coalesce(?2, state), facts = coalesce(?3, facts),
                changed_ms = max(changed_ms, ?4) WHERE no = ?1",
    )?
    .execute(params![no, state, facts, append.at_ms as i64])?;
    Ok(())
}

pub(crate) fn state_number(state: TableState) -> i64 {
    match state {
        TableState::Running => 0,
        TableState::Paused => 1,
        TableState::Finished => 2,
    }
}
