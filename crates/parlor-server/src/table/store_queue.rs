//! A table's writes to the store, and their results.
//!
//! At most one write is pending: everything that happens meanwhile is gathered into the next one. [`StoreQueue`] is
//! apart from the task so that no other code can submit a write or lose a queued one: a client was promised that it
//! will be stored.

use std::time::{Duration, Instant};

use parlor_core::{EncodedRecord, GameDef, Header, HouseCode, Json};
use parlor_host::{Command, RecordWrite};
use parlor_store::{
    Append as StoreAppend, Epoch, Facts, LogEntry, MatchLog, Played, TableId, TableState, Transfer, Write,
    WriteError,
};
use tokio::sync::oneshot;

use super::TableTask;
use crate::house::sessions::{TableFacts, TableResult};
use crate::house::stakes;
use crate::net::outbox::Out;

/// How often a failed store is probed.
const PROBE_EVERY: Duration = Duration::from_millis(250);

/// The state of the store for one table.
enum Phase {
    /// No write is pending.
    Idle,
    /// A write is pending.
    AtWork(AtWork),
    /// The last write failed; the store is probed until it succeeds again, next at this time: whatever mail comes
    /// meanwhile does not put it off.
    Stalled { probe_at: Instant },
    /// The table was never stored: nothing more is submitted.
    Closed,
}

/// A pending write.
struct AtWork {
    /// The last record in it.
    last: RecordId,
    /// The number of log entries in it.
    added: u64,
    since: Instant,
    /// Whether it moves tokens or points.
    settles: bool,
}

/// A record: its match and its number there; 0 is the header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct RecordId {
    match_no: u32,
    seq: u32,
}

impl RecordId {
    /// The last record of the table's current match.
    pub(super) fn latest(table: &parlor_host::Table) -> Self {
        let current = table.current_match();
        Self { match_no: current.header().match_no, seq: current.next_seq() - 1 }
    }
}

/// One entry with all that moves with it, as it was decided when the record was made.
#[derive(Default)]
pub(super) struct Entry {
    match_no: u32,
    opens: Option<Box<Header>>,
    record: Option<EncodedRecord>,
    transfers: Vec<Transfer>,
    played: Vec<Played>,
    beside: Option<Json>,
}

impl Entry {
    /// The entry of a record; who sits where is decided here and now.
    fn new(
        write: RecordWrite,
        def: &GameDef,
        id: &TableId,
        facts: &TableFacts,
        held: Option<&stakes::Held>,
    ) -> Self {
        let mut entry = Self::default();
        if !write.postings.is_empty() {
            entry.transfers = stakes::transfers(facts, id, &write, held);
        }
        if let Some(outcome) = &write.ends {
            entry.played = stakes::played(facts, def, write.match_no, outcome);
        }
        let RecordWrite { match_no, opens, record, beside, .. } = write;
        Self { match_no, opens, record, beside, ..entry }
    }

    fn id(&self) -> RecordId {
        RecordId { match_no: self.match_no, seq: self.record.as_ref().map_or(0, |record| record.seq) }
    }
}

/// A write that the store has committed.
pub(super) struct Stored {
    last: RecordId,
    since: Instant,
    settles: bool,
}

/// The meaning of a failed write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Failure {
    /// The store fails: nothing can be stored until it recovers.
    Passing,
    /// The store works and refused this write: a player could not pay.
    Refused,
    /// Another server owns the table now.
    Moved,
}

impl Failure {
    fn of(error: &WriteError) -> Self {
        match error {
            // One that went back is nobody's until an operator has looked: the store refuses every claim, too.
            WriteError::Conflict { .. } | WriteError::WentBack { .. } => Self::Moved,
            error if error.passes() => Self::Passing,
            _ => Self::Refused,
        }
    }
}

/// A table's queue to the store.
pub(super) struct StoreQueue {
    /// The number of entries that the store has.
    seq: u64,
    waiting: Vec<Entry>,
    phase: Phase,
    /// The result of the last submitted write. It is dropped when a failure makes it obsolete.
    ack: Option<oneshot::Receiver<Result<u64, WriteError>>>,
    facts_changed: bool,
    /// The table's state as the store has it.
    noted: Option<TableState>,
}

impl StoreQueue {
    /// For a table of which the store has this many entries.
    pub(super) fn new(seq: u64) -> Self {
        Self { seq, waiting: Vec::new(), phase: Phase::Idle, ack: None, facts_changed: seq == 0, noted: None }
    }

    /// Queues an entry.
    pub(super) fn push(&mut self, entry: Entry) {
        self.waiting.push(entry);
    }

    /// Queues the facts that are stored beside the log.
    pub(super) fn facts_changed(&mut self) {
        self.facts_changed = true;
    }

    /// Whether nothing is queued or pending: every change was stored or undone.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && matches!(self.phase, Phase::Idle | Phase::Stalled { .. })
    }

    /// Whether a write is pending.
    pub(super) fn is_at_work(&self) -> bool {
        matches!(self.phase, Phase::AtWork(_))
    }

    /// Whether the store failed and has not recovered yet.
    pub(super) fn stalled(&self) -> bool {
        self.probe_at().is_some()
    }

    /// When a store that has failed is probed next.
    pub(super) fn probe_at(&self) -> Option<Instant> {
        match self.phase {
            Phase::Stalled { probe_at } => Some(probe_at),
            _ => None,
        }
    }

    /// Takes the queued records, if there is something to write and no write is pending.
    fn due(&mut self) -> Option<Vec<Entry>> {
        let due = matches!(self.phase, Phase::Idle) && (!self.waiting.is_empty() || self.facts_changed);
        due.then(|| std::mem::take(&mut self.waiting))
    }

    /// Builds one write from a batch and from what changed beside the log since the last write.
    fn write(
        &mut self,
        batch: Batch,
        table: TableId,
        epoch: Epoch,
        beside: (TableState, &TableFacts),
    ) -> StoreAppend {
        let Batch { last, entries, transfers, played } = batch;
        let (added, settles) = (entries.len() as u64, !transfers.is_empty() || !played.is_empty());
        let mut write = StoreAppend::new(table, epoch, self.seq, entries);
        (write.transfers, write.played) = (transfers, played);
        let (state, facts) = (Some(beside.0), beside.1);
        write.state = state.filter(|_| state != std::mem::replace(&mut self.noted, state));
        write.facts = std::mem::take(&mut self.facts_changed).then(|| Facts(facts.json()));
        self.phase = Phase::AtWork(AtWork { last, added, since: Instant::now(), settles });
        write
    }

    fn submit(&mut self, store: &dyn MatchLog, write: Write) {
        let (tx, ack) = oneshot::channel();
        self.ack = Some(ack);
        store.submit(
            write,
            Box::new(move |result| {
                // The task may have ended: then the result is not needed.
                let _ = tx.send(result);
            }),
        );
    }

    /// Submits an empty durable write: when it succeeds, the table goes on.
    fn probe(&mut self, store: &dyn MatchLog) {
        self.phase = Phase::Stalled { probe_at: Instant::now() + PROBE_EVERY };
        if self.ack.is_none() {
            self.submit(store, Write::Probe);
        }
    }

    /// Waits for the store's result; for ever if nothing was submitted.
    pub(super) async fn ack(&mut self) -> Result<u64, WriteError> {
        let Some(ack) = &mut self.ack else { return std::future::pending().await };
        // A store that drops the callback has not committed the write.
        let result = ack.await.unwrap_or(Err(WriteError::Closed));
        self.ack = None;
        result
    }

    /// The store has committed the pending write.
    fn stored(&mut self) -> Option<Stored> {
        match std::mem::replace(&mut self.phase, Phase::Idle) {
            Phase::AtWork(AtWork { last, added, since, settles }) => {
                self.seq += added;
                Some(Stored { last, since, settles })
            }
            other => {
                self.phase = other;
                None
            }
        }
    }

    /// The store has refused the write: it is void, and so is everything queued behind it.
    fn failed(&mut self, failure: Failure) {
        self.ack = None;
        self.waiting.clear();
        self.facts_changed = true;
        self.noted = None;
        self.phase = match failure {
            Failure::Passing => Phase::Stalled { probe_at: Instant::now() + PROBE_EVERY },
            _ => Phase::Idle,
        };
    }

    /// The store has recovered.
    fn back(&mut self) {
        self.phase = Phase::Idle;
    }

    /// Submits nothing any more.
    fn close(&mut self) {
        self.ack = None;
        self.phase = Phase::Closed;
    }
}

/// The content of one write.
struct Batch {
    /// The last record in it.
    last: RecordId,
    entries: Vec<LogEntry>,
    transfers: Vec<Transfer>,
    played: Vec<Played>,
}

impl Batch {
    /// Collects the content of these appends, in their order; `match_no` is used if there are none.
    fn of(appends: Vec<Entry>, match_no: u32) -> Self {
        let last = appends.last().map_or(RecordId { match_no, seq: 0 }, Entry::id);
        let entries = Vec::with_capacity(appends.len());
        let mut batch = Self { last, entries, transfers: Vec::new(), played: Vec::new() };
        for Entry { match_no, opens, record, transfers, played, .. } in appends {
            batch.transfers.extend(transfers);
            batch.played.extend(played);
            batch.entries.extend(opens.map(LogEntry::Open));
            batch.entries.extend(record.map(|record| LogEntry::Record { match_no, record }));
        }
        batch
    }
}

impl TableTask {
    /// Queues a record, with the transfers and histories that follow from who sits where now.
    pub(super) fn queue(&mut self, write: RecordWrite) {
        let funds = write.funds;
        let held = funds.and_then(|(_, id)| self.money.held(id));
        let entry = Entry::new(write, self.table.current_match().def(), &self.id, &self.facts, held);
        if let Some((_, id)) = funds {
            self.money.spent(id, entry.id());
        }
        self.store_queue.push(entry);
    }

    /// Submits everything that is queued as one write, unless one is pending.
    pub(super) fn flush(&mut self) {
        let Some(mut entries) = self.store_queue.due() else { return };
        for entry in &mut entries {
            if let Some(beside) = entry.beside.take() {
                self.facts.beside = beside;
                self.store_queue.facts_changed();
            }
        }
        if self.facts.result.is_none() && self.table.finished() {
            let result = TableResult::of(&self.table);
            self.change_facts(|facts| facts.result = result);
        }
        let batch = Batch::of(entries, self.table.current_match().header().match_no);
        self.hub.metrics.batch.add(batch.entries.len() as u64);
        if self.store_queue.facts_changed {
            self.kept_facts.submitted(&self.facts);
        }
        let beside = (self.state(), &*self.facts);
        let mut write = self.store_queue.write(batch, self.id.clone(), self.hub.epoch, beside);
        write.at_ms = self.hub.wall_ms();
        self.store_queue.submit(self.hub.store.as_ref(), Write::Append(write));
    }

    fn state(&self) -> TableState {
        if self.table.finished() {
            TableState::Finished
        } else if self.table.current_match().paused().is_some() && !self.presence.waits() {
            TableState::Paused
        } else {
            TableState::Running
        }
    }

    /// Handles the store's result.
    pub(super) fn stored(&mut self, result: Result<u64, WriteError>) {
        match result {
            Ok(_) if self.store_queue.stalled() => self.store_back(),
            Ok(_) => {
                let Some(Stored { last, since, settles }) = self.store_queue.stored() else { return };
                self.hub.metrics.commit.add(since.elapsed().as_micros() as u64);
                self.kept_facts.stored();
                self.money.stored(last);
                if let Some(opening) = self.opening.take() {
                    self.opened(*opening);
                } else if settles {
                    self.tell_accounts();
                }
                self.handle(Command::Appended { match_no: last.match_no, seq: last.seq });
                self.seat_stored(last);
            }
            Err(_) if self.store_queue.stalled() => {}
            Err(error) => self.store_failed(&error),
        }
    }

    /// Runs the waiting reads once no write is pending: nobody may see what is not stored.
    pub(super) fn show(&mut self) {
        if self.store_queue.is_idle() {
            for look in std::mem::take(&mut self.looks) {
                look(&self.table, &self.facts);
            }
            self.watchers.notify(&self.table);
        }
    }

    fn store_failed(&mut self, error: &WriteError) {
        if let Some(opening) = self.opening.take() {
            self.store_queue.close();
            return self.not_opened(*opening, error);
        }
        let seq = self.store_queue.seq;
        if matches!(error, WriteError::WentBack { .. }) {
            tracing::error!(table = %self.id, seq, %error, "the table stops: what was stored is missing");
        } else {
            tracing::warn!(table = %self.id, seq, %error, "a write to the store failed");
        }
        let failure = Failure::of(error);
        self.store_queue.failed(failure);
        if let Some(facts) = self.kept_facts.failed() {
            // What was said was said.
            let chat = std::mem::take(&mut self.facts.chat);
            self.facts = facts;
            self.facts.chat = chat;
        }
        self.seats_not_stored();
        if !self.finished && !self.has_viewers() {
            self.presence.give_up_again();
        }
        self.handle(Command::AppendFailed);
        if failure == Failure::Refused {
            // The input of the player who could not pay is void.
            return self.handle(Command::StoreBack);
        }
        self.notice(HouseCode::ReadOnly, "the server cannot store anything now; clocks are stopped");
        if failure == Failure::Moved {
            // Viewers must connect to the server that owns the table now.
            for (_, listener) in std::mem::take(&mut self.listeners) {
                listener.out.put(Out::Close(parlor_wire::CloseReason::Moved));
            }
            self.rx.close();
        }
    }

    /// Probes a failed store.
    pub(super) fn probe(&mut self) {
        self.store_queue.probe(self.hub.store.as_ref());
    }

    fn store_back(&mut self) {
        tracing::info!(table = %self.id, "the store accepts writes again");
        self.store_queue.back();
        self.handle(Command::StoreBack);
        self.notice(HouseCode::Writable, "the server stores again; clocks run");
    }
}

#[cfg(test)]
#[path = "store_queue_tests.rs"]
mod tests;
