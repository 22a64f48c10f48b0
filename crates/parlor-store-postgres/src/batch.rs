//! One flush: many writes of many tables in one transaction. Each write is judged in memory, so that a refused one leaves
//! no trace; what the others change goes to the database together.

use parlor_store::driver::{AppendKind, Head, Packed, repeats};
use parlor_store::{
    Append, Currency, Epoch, Facts, HoldId, Owner, Player, Reason, TableId, Transfer, Write, WriteError,
};

use crate::conn::{Conn, Step, step};
use crate::fault::{Fault, Result};
use crate::heads::{Heads, Known, passed};
use crate::money::{Money, PostedAt, Wanted};
use crate::numbers::Numbers;
use crate::{accounts, journal, read, rulesets};

/// Bytes that must find room before a full store counts as recovered.
const PROBE_BYTES: usize = 8 * 1024;

/// How a write ended: a refusal is no failure of the transaction.
pub(crate) type Verdict = std::result::Result<u64, WriteError>;

/// The table that a write is about.
pub(crate) fn table_of(write: &Write) -> Option<&TableId> {
    match write {
        Write::Append(Append { table, .. }) | Write::Claim { table, .. } => Some(table),
        _ => None,
    }
}

/// The current flush.
pub(crate) struct Batch<'a> {
    conn: &'a Conn,
    heads: &'a mut Heads,
    numbers: &'a mut Numbers,
    money: Money,
    begun: bool,
    touched: Vec<TableId>,
    /// Numbers for tables that this flush opens, the lowest last.
    table_numbers: Vec<i64>,
    /// What is to be written and not asked for again in this flush.
    steps: Vec<Step>,
}

impl<'a> Batch<'a> {
    pub(crate) fn new(conn: &'a Conn, heads: &'a mut Heads, numbers: &'a mut Numbers, node: i32) -> Self {
        let (begun, touched, table_numbers, steps) = (false, Vec::new(), Vec::new(), Vec::new());
        Self { conn, heads, numbers, money: Money::new(node), begun, touched, table_numbers, steps }
    }

    /// Looks up, and locks, what the flush needs to know: first accounts, then tables, everybody in this order.
    pub(crate) async fn look_up(&mut self, flush: &[&Packed], node: i32) -> Result<()> {
        let mut wanted = Wanted::default();
        flush.iter().for_each(|packed| wanted.add(&packed.write));
        let unknown = self.heads.unknown(flush.iter().filter_map(|packed| table_of(&packed.write)));
        let opens = |packed: &&&Packed| matches!(&packed.write, Write::Append(a) if a.expected_seq == 0);
        let fresh = if unknown.is_empty() { 0 } else { flush.iter().filter(opens).count() };
        let (mut steps, mut what) = (Vec::new(), Vec::new());
        let mut ask = |answer, step| {
            steps.push(step);
            what.push(answer);
        };
        if let Some(lock) = wanted.lock(node) {
            ask(Answer::Accounts, lock);
        }
        if !unknown.is_empty() {
            ask(Answer::Tables, Heads::lock(unknown.clone()));
        }
        if !wanted.keys.is_empty() {
            ask(Answer::Posted, step!(journal::POSTED, std::mem::take(&mut wanted.keys)));
        }
        let draw = |sequence: &'static str, count: usize| step!(sequence, count as i64);
        if wanted.postings > 0 {
            let sql = "SELECT nextval('posting_no') FROM generate_series(1, $1::bigint)";
            ask(Answer::PostingNumbers, draw(sql, wanted.postings));
        }
        if fresh > 0 {
            let sql = "SELECT nextval('table_no') FROM generate_series(1, $1::bigint)";
            ask(Answer::TableNumbers, draw(sql, fresh));
        }
        if steps.is_empty() {
            return Ok(());
        }
        let answers = self.send(&steps).await?;
        for (what, rows) in what.into_iter().zip(answers) {
            match what {
                Answer::Accounts => self.money.take_in(&rows)?,
                Answer::Tables => self.heads.take_in(&rows, &unknown)?,
                Answer::Posted => {
                    for (key, transfers) in journal::posted(&rows)? {
                        self.money.was_posted(&key, transfers);
                    }
                }
                Answer::PostingNumbers => self.money.number(&rows),
                Answer::TableNumbers => {
                    self.table_numbers = rows.iter().rev().map(|row| row.get(0)).collect();
                }
            }
        }
        Ok(())
    }

    async fn send(&mut self, steps: &[Step]) -> Result<Vec<Vec<tokio_postgres::Row>>> {
        let begin = !std::mem::replace(&mut self.begun, true);
        self.conn.together(begin, steps).await
    }

    /// Checks one write and, if nothing speaks against it, enters it.
    pub(crate) async fn take(&mut self, packed: &Packed) -> Result<Verdict> {
        match &packed.write {
            Write::Append(append) => self.append(append, packed).await,
            Write::Claim { table, epoch } => self.claim(table, *epoch),
            Write::Post { key, transfers, at_ms } => self.post(key, transfers, *at_ms).await,
            Write::Release { hold, currency, to, at_ms } => self.release(hold, currency, to, *at_ms).await,
            Write::Player(player) => self.register(player).await,
            Write::PlayerPays { player, key, transfers, at_ms } => {
                self.register_paying(player, key, transfers, *at_ms).await
            }
            Write::Ruleset(version) => {
                self.begin().await?;
                rulesets::publish(self.conn, version).await
            }
            Write::RulesetState { name, state } => {
                self.begin().await?;
                rulesets::set_state(self.conn, name, *state).await
            }
            Write::Room { id, body } => Ok(self.later(keep_room(id, body.as_ref()))),
            Write::Audit(line) => Ok(self.later(accounts::note_audit(line))),
            Write::Probe => {
                self.steps.push(step!("INSERT INTO probe VALUES ($1)", vec![0u8; PROBE_BYTES]));
                Ok(self.later(step!("DELETE FROM probe")))
            }
        }
    }

    fn later(&mut self, step: Step) -> Verdict {
        self.steps.push(step);
        Ok(0)
    }

    async fn begin(&mut self) -> Result<()> {
        if self.begun { Ok(()) } else { self.send(&[]).await.map(drop) }
    }

    /// Writes what was entered, with these last steps. None of it is seen by anybody before the commit.
    pub(crate) async fn write_out(&mut self, last: Vec<Step>) -> Result<Vec<Vec<tokio_postgres::Row>>> {
        let mut steps = std::mem::take(&mut self.steps);
        let touched = std::mem::take(&mut self.touched);
        let ends = last.len();
        // The node's row first: it is locked for as long as the fate of this transaction is open.
        steps.splice(0..0, last);
        self.money.steps(&mut steps);
        let fence = self.heads.steps(&touched, &mut steps);
        let mut rows = self.send(&steps).await?;
        if !passed(&rows, fence) {
            return Err(Fault::Stale);
        }
        rows.truncate(ends);
        Ok(rows)
    }

    async fn append(&mut self, append: &Append, packed: &Packed) -> Result<Verdict> {
        let Append { table, epoch, expected_seq, transfers, at_ms, .. } = append;
        let known = self.heads.get(table);
        let (fresh, locked) = (known.is_none(), known.as_ref().is_none_or(|known| known.locked));
        if let Some(verdict) = known.as_ref().and_then(|known| went_back(known)) {
            return Ok(verdict);
        }
        let place = match known {
            None => Head::first(*epoch, *expected_seq, &packed.shapes).map(AppendKind::Next),
            Some(known) => known.head.place(*epoch, *expected_seq, &packed.shapes),
        };
        let head = match place {
            Ok(AppendKind::Next(head)) => head,
            // What is only remembered refuses nobody.
            _ if !locked => return Err(Fault::Stale),
            Ok(AppendKind::Duplicate) => return self.again(append, packed).await,
            Err(error) => return Ok(Err(error)),
        };
        if head.seq > read::ENTRIES_PER_TABLE_MAX {
            return Ok(Err(WriteError::Malformed("a table has at most 2^32 - 1 entries")));
        }
        if packed.shapes.is_empty() && !transfers.is_empty() {
            return Ok(Err(WriteError::Malformed("tokens move with an entry, or with a key")));
        }
        let after = match self.money.judge(transfers) {
            Ok(after) => after,
            Err(error) => return Ok(Err(error)),
        };
        // From here on nothing is refused.
        if fresh {
            let no = self.table_numbers.pop().ok_or(Fault::Stale)?;
            self.heads.open(table, Known::opened(no, *epoch, *at_ms as i64));
        }
        let no = self.enter(append, packed, head)?;
        if !append.played.is_empty() {
            self.begin().await?;
            accounts::note_played(self.conn, append, &mut self.steps).await?;
        }
        if !transfers.is_empty() {
            let key = append_key(no, *expected_seq);
            let place = PostedAt { key: Some(&key), table_no: Some(no), at_ms: *at_ms };
            self.begin().await?;
            self.money.enter(self.conn, self.numbers, place, transfers, after).await?;
        }
        Ok(Ok(head.seq))
    }

    /// Enters what an append adds to its table; says the table's number.
    fn enter(&mut self, append: &Append, packed: &Packed, head: Head) -> Result<i64> {
        let Append { table, expected_seq, at_ms, .. } = append;
        let known = self.heads.known(table)?;
        let no = known.no;
        for (place, header) in packed.opens() {
            let seq = (expected_seq + 1 + place as u64) as i64;
            let sql = "INSERT INTO game_match VALUES ($1, $2, $3)";
            self.steps.push(step!(sql, no, i64::from(header.match_no), seq));
            known.changes.game = Some(header.game.clone());
            known.changes.seats = Some(header.seats.into());
        }
        known.note(append);
        known.stand_at(head);
        if !packed.shapes.is_empty() {
            known.add(&packed.bytes, packed.shapes.len() as u64, *at_ms as i64);
        }
        self.touched.push(table.clone());
        Ok(no)
    }

    /// Entries that are there already: the same append again, or another that came too late.
    async fn again(&mut self, append: &Append, packed: &Packed) -> Result<Verdict> {
        let Append { table, expected_seq, transfers, .. } = append;
        self.write_out(Vec::new()).await?;
        let known = self.heads.known(table)?;
        let (no, head) = (known.no, known.head);
        let last = expected_seq + packed.shapes.len() as u64;
        let mut stored = Vec::with_capacity(packed.bytes.len());
        read::frames(self.conn, no, expected_seq + 1, last, |_, frame| {
            stored.extend_from_slice(frame);
            Ok(())
        })
        .await?;
        let key = append_key(no, *expected_seq);
        let rows = self.conn.query(journal::POSTED, &[&vec![key.as_str()]]).await?;
        let posted = journal::posted(&rows)?.remove(&key).unwrap_or_default();
        let same = stored == packed.bytes && repeats(&posted, transfers);
        Ok(if same { Ok(last) } else { Err(head.conflict()) })
    }

    fn claim(&mut self, table: &TableId, epoch: Epoch) -> Result<Verdict> {
        let Some(known) = self.heads.get(table) else { return Ok(Err(WriteError::Unknown)) };
        if let Some(verdict) = went_back(known) {
            return Ok(verdict);
        }
        match known.head.claimed(epoch) {
            Ok(head) => {
                known.stand_at(head);
                self.touched.push(table.clone());
                Ok(Ok(head.seq))
            }
            Err(_) if !known.locked => Err(Fault::Stale),
            Err(error) => Ok(Err(error)),
        }
    }

    /// How the same event ended before, if it did.
    fn before(&self, key: &str, key_stored: &str, transfers: &[Transfer]) -> Option<Verdict> {
        let known = self.money.posted(key_stored)?;
        Some(if repeats(known, transfers) { Ok(0) } else { Err(WriteError::KeyReused(key.to_owned())) })
    }

    async fn post(&mut self, key: &str, transfers: &[Transfer], at_ms: u64) -> Result<Verdict> {
        let key_stored = format!("k/{key}");
        match self.before(key, &key_stored, transfers) {
            Some(verdict) => Ok(verdict),
            None => self.transfer(Some(&key_stored), transfers, at_ms).await,
        }
    }

    async fn release(
        &mut self,
        hold: &HoldId,
        currency: &Currency,
        to: &Owner,
        at_ms: u64,
    ) -> Result<Verdict> {
        let from = Owner::Hold(hold.clone());
        let amount = self.money.balance(&from, currency);
        if amount == 0 {
            return Ok(Ok(0));
        }
        let (to, currency, reason) = (to.clone(), currency.clone(), Reason::Release);
        self.transfer(None, &[Transfer { from, to, currency, amount, reason }], at_ms).await
    }

    async fn transfer(&mut self, key: Option<&str>, transfers: &[Transfer], at_ms: u64) -> Result<Verdict> {
        match self.money.judge(transfers) {
            Ok(after) => {
                let place = PostedAt { key, table_no: None, at_ms };
                self.money.enter(self.conn, self.numbers, place, transfers, after).await?;
                Ok(Ok(0))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    async fn register(&mut self, player: &Player) -> Result<Verdict> {
        self.begin().await?;
        match accounts::taken(self.conn, player).await? {
            Some(error) => Ok(Err(error)),
            None => accounts::register(self.conn, player).await.map(|()| Ok(0)),
        }
    }

    /// An account and its tokens, together or not at all.
    async fn register_paying(
        &mut self,
        player: &Player,
        key: &str,
        transfers: &[Transfer],
        at_ms: u64,
    ) -> Result<Verdict> {
        let key_stored = format!("k/{key}");
        if let Some(verdict) = self.before(key, &key_stored, transfers) {
            return Ok(verdict);
        }
        if let Some(error) = accounts::taken(self.conn, player).await? {
            return Ok(Err(error));
        }
        match self.transfer(Some(&key_stored), transfers, at_ms).await? {
            Ok(_) => accounts::register(self.conn, player).await.map(|()| Ok(0)),
            Err(error) => Ok(Err(error)),
        }
    }
}

/// What was looked up.
enum Answer {
    Accounts,
    Tables,
    Posted,
    PostingNumbers,
    TableNumbers,
}

/// A table that has lost entries which were acknowledged is not written to.
fn went_back(known: &Known) -> Option<Verdict> {
    let (acknowledged, found) = (known.acknowledged(), known.went_back?);
    Some(Err(WriteError::WentBack { acknowledged, found }))
}

/// The key under which the tokens of an append move.
fn append_key(no: i64, expected_seq: u64) -> String {
    format!("t/{no}/{expected_seq}")
}

fn keep_room(id: &TableId, body: Option<&Facts>) -> Step {
    match body {
        Some(Facts(body)) => step!(
            "INSERT INTO room VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET body = excluded.body",
            id.to_string(),
            body.to_string()
        ),
        None => step!("DELETE FROM room WHERE id = $1", id.to_string()),
    }
}
