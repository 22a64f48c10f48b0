//! The tables that the writer knows. What it remembers is a guess until the database confirms it: by the row lock under
//! which it was read, or by the fence with which it is written.

use std::collections::HashMap;

use parlor_store::driver::Head;
use parlor_store::{Append, Epoch, TableId, TableState};

use crate::conn::{Conn, Step, step};
use crate::fault::Result;

/// Tables that are remembered from one flush to the next.
const HEADS_MAX: usize = 65_536;

/// Reads where these tables stand, under the lock that every append and every claim takes.
const LOCK: &str = "SELECT id, no, epoch, seq, match_no, record_seq FROM game_table
    WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE";

/// The fence. Whoever has claimed the table or written to it since has changed its row: then the row is not there to
/// be updated, and nothing of the flush is stored before the writer has looked again.
const FENCE: &str = "UPDATE game_table t SET epoch = i.epoch, seq = i.seq, match_no = i.match_no,
      record_seq = i.record_seq, touched_ms = greatest(t.touched_ms, i.touched_ms),
      state = coalesce(i.state, t.state), facts = coalesce(i.facts, t.facts),
      changed_ms = greatest(t.changed_ms, i.changed_ms),
      game = coalesce(i.game, t.game), seats = coalesce(i.seats, t.seats)
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                $8::bigint[], $9::smallint[], $10::text[], $11::bigint[], $12::text[], $13::smallint[])
      AS i (no, was_epoch, was_seq, epoch, seq, match_no, record_seq, touched_ms, state, facts, changed_ms, game, seats)
    WHERE t.no = i.no AND t.epoch = i.was_epoch AND t.seq = i.was_seq
    RETURNING t.no";

const CREATE: &str = "INSERT INTO game_table
    SELECT i.no, i.id, i.epoch, i.seq, i.match_no, i.record_seq, i.touched_ms, coalesce(i.state, 0),
           coalesce(i.game, ''), coalesce(i.seats, 0), i.created_ms, greatest(i.created_ms, i.changed_ms),
           coalesce(i.facts, 'null')
    FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                $8::smallint[], $9::text[], $10::bigint[], $11::bigint[], $12::text[], $13::smallint[])
      AS i (no, id, epoch, seq, match_no, record_seq, touched_ms, state, facts, created_ms, changed_ms, game, seats)";

const CHUNKS: &str = "INSERT INTO chunk
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])";

/// What changes of a table's row beside its head.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) state: Option<i16>,
    pub(crate) facts: Option<String>,
    pub(crate) changed_ms: i64,
    pub(crate) game: Option<String>,
    pub(crate) seats: Option<i16>,
}

/// A table as the writer knows it.
pub(crate) struct Known {
    pub(crate) no: i64,
    pub(crate) head: Head,
    /// The row as this transaction has it; none while the table is not in the database.
    row: Option<Head>,
    /// How many entries were acknowledged.
    acknowledged: u64,
    /// Whether the row was read under its lock in this transaction.
    pub(crate) locked: bool,
    /// How many entries the row has, where those are fewer than were acknowledged.
    pub(crate) went_back: Option<u64>,
    /// Whether the row is still to be written.
    dirty: bool,
    pub(crate) changes: Changes,
    /// Entries that are still to be written.
    pending: Vec<u8>,
    pending_entries: u64,
    touched_ms: i64,
    created_ms: i64,
}

impl Known {
    fn found(no: i64, head: Head) -> Self {
        Self {
            no,
            head,
            row: Some(head),
            acknowledged: 0,
            locked: true,
            went_back: None,
            dirty: false,
            changes: Changes::default(),
            pending: Vec::new(),
            pending_entries: 0,
            touched_ms: 0,
            created_ms: 0,
        }
    }

    /// A table that this flush opens.
    pub(crate) fn opened(no: i64, epoch: Epoch, at_ms: i64) -> Self {
        let head = Head { epoch, ..Head::default() };
        Self { row: None, created_ms: at_ms, touched_ms: at_ms, ..Self::found(no, head) }
    }

    /// How many entries were acknowledged of it.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// The row is to be written with this head, and confirmed by the fence.
    pub(crate) fn stand_at(&mut self, head: Head) {
        self.head = head;
        self.dirty = true;
    }

    /// Adds packed entries.
    pub(crate) fn add(&mut self, bytes: &[u8], entries: u64, at_ms: i64) {
        self.pending.extend_from_slice(bytes);
        self.pending_entries += entries;
        self.touched_ms = self.touched_ms.max(at_ms);
    }

    /// Notes the state and the facts that come with an append.
    pub(crate) fn note(&mut self, append: &Append) {
        if append.state.is_none() && append.facts.is_none() {
            return;
        }
        let changes = &mut self.changes;
        changes.state = append.state.map(state_number).or(changes.state);
        changes.facts = append.facts.as_ref().map(|facts| facts.0.to_string()).or(changes.facts.take());
        changes.changed_ms = changes.changed_ms.max(append.at_ms as i64);
    }
}

pub(crate) fn state_number(state: TableState) -> i16 {
    match state {
        TableState::Running => 0,
        TableState::Paused => 1,
        TableState::Finished => 2,
    }
}

/// The tables the writer knows.
#[derive(Default)]
pub(crate) struct Heads(HashMap<TableId, Known>);

impl Heads {
    pub(crate) fn get(&mut self, table: &TableId) -> Option<&mut Known> {
        // One whose row is not known is looked up before it is asked for.
        self.0.get_mut(table).filter(|known| known.row.is_some() || known.dirty)
    }

    pub(crate) fn open(&mut self, table: &TableId, known: Known) {
        self.0.insert(table.clone(), known);
    }

    /// A table that was looked up or opened before.
    pub(crate) fn known(&mut self, table: &TableId) -> Result<&mut Known> {
        self.0.get_mut(table).ok_or_else(|| crate::fault::nonsense("a table that nobody looked up"))
    }

    /// Forgets everything, as after a sweep.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Which of these tables must be looked up.
    pub(crate) fn unknown<'a>(&self, tables: impl Iterator<Item = &'a TableId>) -> Vec<String> {
        let mut unknown: Vec<String> = tables
            .filter(|table| self.0.get(*table).is_none_or(|known| known.row.is_none()))
            .map(ToString::to_string)
            .collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown
    }

    /// Looks tables up and locks them.
    pub(crate) fn lock(unknown: Vec<String>) -> Step {
        step!(LOCK, unknown)
    }

    /// Takes in what was looked up; a table of which nothing came is not there.
    pub(crate) fn take_in(&mut self, rows: &[tokio_postgres::Row], looked_up: &[String]) -> Result<()> {
        let mut before = HashMap::new();
        for id in looked_up {
            let id = TableId::new(id).map_err(crate::fault::nonsense)?;
            if let Some(known) = self.0.remove(&id) {
                before.insert(id, (known.no, known.acknowledged));
            }
        }
        for row in rows {
            let id = TableId::new(row.get(0)).map_err(crate::fault::nonsense)?;
            let number = |n: usize| row.get::<_, i64>(n) as u64;
            let (match_no, record_seq) = (number(4) as u32, number(5) as u32);
            let head = Head { epoch: Epoch(number(2)), seq: number(3), match_no, record_seq };
            let mut known = Known::found(row.get(1), head);
            // The name may be used again after a sweep: then it is another table.
            if let Some((no, acknowledged)) = before.get(&id)
                && *no == known.no
            {
                known.acknowledged = *acknowledged;
                known.went_back = (head.seq < *acknowledged).then_some(head.seq);
            }
            self.0.insert(id, known);
        }
        Ok(())
    }

    /// The transaction was rolled back: of the tables it touched nothing counts but what was acknowledged.
    pub(crate) fn roll_back<'a>(&mut self, tables: impl Iterator<Item = &'a TableId>) {
        for table in tables {
            if let Some(known) = self.0.get_mut(table) {
                let (no, acknowledged) = (known.no, known.acknowledged);
                *known =
                    Known { acknowledged, row: None, locked: false, ..Known::found(no, Head::default()) };
            }
        }
    }

    /// The transaction was committed, and acknowledged.
    pub(crate) fn commit<'a>(&mut self, tables: impl Iterator<Item = &'a TableId>) {
        for table in tables {
            if let Some(known) = self.0.get_mut(table) {
                known.locked = false;
                known.acknowledged = known.acknowledged.max(known.head.seq);
            }
        }
        if self.0.len() > HEADS_MAX {
            self.0.clear();
        }
    }

    /// The steps that write these tables' rows and entries, and how many rows the fence must let through.
    pub(crate) fn steps(&mut self, touched: &[TableId], steps: &mut Vec<Step>) -> Option<(usize, usize)> {
        let (mut fence, mut create, mut chunks) = (Fence::default(), Create::default(), Chunks::default());
        for table in touched {
            let Some(known) = self.0.get_mut(table).filter(|known| known.dirty) else { continue };
            known.dirty = false;
            chunks.push(known);
            match known.row.replace(known.head) {
                Some(row) => fence.push(known, row),
                None => create.push(table, known),
            }
        }
        if !create.no.is_empty() {
            steps.push(create.step());
        }
        if !chunks.table_no.is_empty() {
            steps.push(chunks.step());
        }
        let expected = fence.no.len();
        (expected > 0).then(|| {
            steps.push(fence.step());
            (steps.len() - 1, expected)
        })
    }
}

#[derive(Default)]
struct Fence {
    no: Vec<i64>,
    was_epoch: Vec<i64>,
    was_seq: Vec<i64>,
    head: Columns,
    changed_ms: Vec<i64>,
}

/// What a row gets, column by column.
#[derive(Default)]
struct Columns {
    epoch: Vec<i64>,
    seq: Vec<i64>,
    match_no: Vec<i64>,
    record_seq: Vec<i64>,
    touched_ms: Vec<i64>,
    state: Vec<Option<i16>>,
    facts: Vec<Option<String>>,
    game: Vec<Option<String>>,
    seats: Vec<Option<i16>>,
}

impl Columns {
    fn push(&mut self, known: &mut Known) {
        let Head { epoch, seq, match_no, record_seq } = known.head;
        self.epoch.push(epoch.0 as i64);
        self.seq.push(seq as i64);
        self.match_no.push(match_no.into());
        self.record_seq.push(record_seq.into());
        self.touched_ms.push(known.touched_ms);
        let Changes { state, facts, game, seats, .. } = std::mem::take(&mut known.changes);
        self.state.push(state);
        self.facts.push(facts);
        self.game.push(game);
        self.seats.push(seats);
    }
}

impl Fence {
    fn push(&mut self, known: &mut Known, row: Head) {
        self.no.push(known.no);
        self.was_epoch.push(row.epoch.0 as i64);
        self.was_seq.push(row.seq as i64);
        self.changed_ms.push(known.changes.changed_ms);
        self.head.push(known);
    }

    fn step(self) -> Step {
        let Columns { epoch, seq, match_no, record_seq, touched_ms, state, facts, game, seats } = self.head;
        step!(
            FENCE,
            self.no,
            self.was_epoch,
            self.was_seq,
            epoch,
            seq,
            match_no,
            record_seq,
            touched_ms,
            state,
            facts,
            self.changed_ms,
            game,
            seats
        )
    }
}

#[derive(Default)]
struct Create {
    no: Vec<i64>,
    id: Vec<String>,
    head: Columns,
    created_ms: Vec<i64>,
    changed_ms: Vec<i64>,
}

impl Create {
    fn push(&mut self, table: &TableId, known: &mut Known) {
        self.no.push(known.no);
        self.id.push(table.to_string());
        self.created_ms.push(known.created_ms);
        self.changed_ms.push(known.changes.changed_ms);
        self.head.push(known);
    }

    fn step(self) -> Step {
        let Columns { epoch, seq, match_no, record_seq, touched_ms, state, facts, game, seats } = self.head;
        step!(
            CREATE,
            self.no,
            self.id,
            epoch,
            seq,
            match_no,
            record_seq,
            touched_ms,
            state,
            facts,
            self.created_ms,
            self.changed_ms,
            game,
            seats
        )
    }
}

#[derive(Default)]
struct Chunks {
    table_no: Vec<i64>,
    first_seq: Vec<i64>,
    entries: Vec<i64>,
    crc: Vec<i64>,
    body: Vec<Vec<u8>>,
}

impl Chunks {
    /// Takes the entries that are not in a row yet; an idle table keeps no memory.
    fn push(&mut self, known: &mut Known) {
        let entries = std::mem::take(&mut known.pending_entries);
        if entries == 0 {
            return;
        }
        let body = std::mem::take(&mut known.pending);
        self.table_no.push(known.no);
        self.first_seq.push((known.head.seq + 1 - entries) as i64);
        self.entries.push(entries as i64);
        self.crc.push(parlor_store::driver::checksum(&body).into());
        self.body.push(body);
    }

    fn step(self) -> Step {
        step!(CHUNKS, self.table_no, self.first_seq, self.entries, self.crc, self.body)
    }
}

/// How many of these rows the fence let through.
pub(crate) fn passed(rows: &[Vec<tokio_postgres::Row>], fence: Option<(usize, usize)>) -> bool {
    fence.is_none_or(|(at, expected)| rows[at].len() == expected)
}

/// Deletes finished tables that nobody needs any more, under their locks.
pub(crate) async fn sweep(conn: &Conn, before_ms: u64, tables_max: usize) -> Result<usize> {
    let before = i64::try_from(before_ms).unwrap_or(i64::MAX);
    let limit = i64::try_from(tables_max).unwrap_or(i64::MAX);
    let rows = conn
        .query(
            "SELECT t.no, t.id FROM game_table t
             WHERE t.state = 2 AND t.changed_ms < $1 AND t.touched_ms < $1
               AND NOT EXISTS (SELECT 1 FROM account WHERE owner = 'table:' || t.id AND balance <> 0)
             ORDER BY t.id LIMIT $2 FOR UPDATE OF t",
            &[&before, &limit],
        )
        .await?;
    let no: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
    let id: Vec<String> = rows.iter().map(|row| row.get(1)).collect();
    let steps = [
        step!(
            "INSERT INTO swept_table SELECT i.no, i.id FROM unnest($1::bigint[], $2::text[]) AS i (no, id)
             WHERE EXISTS (SELECT 1 FROM posting WHERE table_no = i.no)",
            no.clone(),
            id.clone()
        ),
        step!("DELETE FROM chunk WHERE table_no = ANY($1::bigint[])", no.clone()),
        step!("DELETE FROM game_match WHERE table_no = ANY($1::bigint[])", no.clone()),
        step!("DELETE FROM game_table WHERE no = ANY($1::bigint[])", no.clone()),
    ];
    conn.together(false, &steps).await?;
    Ok(no.len())
}
