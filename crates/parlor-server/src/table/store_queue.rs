//! What a table hands to the store, and what it hears of it.
//!
//! At most one write is under way: all that happens meanwhile waits and is one write together. [`StoreQueue`] is apart from
//! the task so that nothing else can hand something in, or forget what waits: what is lost here was promised to somebody.

use std::time::Instant;

use parlor_core::GameDef;
use parlor_host::{Command, RecordWrite};
use parlor_store::{
    Append as StoreAppend, Epoch, Facts, LogEntry, MatchLog, Played, TableId, TableState, Transfer, Write,
    WriteError,
};
use tokio::sync::oneshot;

use super::TableTask;
use crate::house::sessions::TableFacts;
use crate::house::stakes;
use crate::net::outbox::Out;

/// What the store is doing for one table.
enum Phase {
    /// Nothing: it takes what comes.
    Idle,
    /// It has a write.
    AtWork(AtWork),
    /// It failed, and is asked now and then whether it is well again.
    Stalled,
    /// It is given nothing any more: the table did not come to be.
    Closed,
}

/// A write under way.
struct AtWork {
    /// The last record in it.
    last: RecordId,
    /// How many entries it adds.
    added: u64,
    since: Instant,
    /// Whether it moves tokens or points.
    settles: bool,
}

/// A record: the match, and its number there; 0 for the header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RecordId {
    match_no: u32,
    seq: u32,
}

/// A write that the store has taken.
pub(super) struct Stored {
    last: RecordId,
    since: Instant,
    settles: bool,
}

/// What a write that failed means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Failure {
    /// The store is not well: nothing can be stored until it is.
    Passing,
    /// The store is well and has refused this: somebody could not pay.
    Refused,
    /// Somebody else owns the table now.
    Moved,
}

impl Failure {
    fn of(error: &WriteError) -> Self {
        match error {
            WriteError::Conflict { .. } => Self::Moved,
            error if error.passes() => Self::Passing,
            _ => Self::Refused,
        }
    }
}

/// Everything between one table and the store.
pub(super) struct StoreQueue {
    /// Entries the store has.
    seq: u64,
    waiting: Vec<RecordWrite>,
    phase: Phase,
    /// The store's word on what it was given last. One that is let go of belongs to what a failure has overtaken.
    ack: Option<oneshot::Receiver<Result<u64, WriteError>>>,
    facts_changed: bool,
    /// The state that the store was last told.
    noted: Option<TableState>,
}

impl StoreQueue {
    /// Of a table of which the store has so many entries.
    pub(super) fn new(seq: u64) -> Self {
        Self { seq, waiting: Vec::new(), phase: Phase::Idle, ack: None, facts_changed: seq == 0, noted: None }
    }

    /// Something is to be stored.
    pub(super) fn push(&mut self, append: RecordWrite) {
        self.waiting.push(append);
    }

    /// What is kept beside the log is to be stored, too.
    pub(super) fn facts_changed(&mut self) {
        self.facts_changed = true;
    }

    /// Whether all that happened is stored, or has not happened.
    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && matches!(self.phase, Phase::Idle | Phase::Stalled)
    }

    /// Whether the store failed, and has not said since that it is well.
    pub(super) fn stalled(&self) -> bool {
        matches!(self.phase, Phase::Stalled)
    }

    /// Takes what is to be written now, if anything is and the store is free.
    fn due(&mut self) -> Option<Vec<RecordWrite>> {
        let due = matches!(self.phase, Phase::Idle) && (!self.waiting.is_empty() || self.facts_changed);
        due.then(|| std::mem::take(&mut self.waiting))
    }

    /// Makes one write of a batch, and of what has changed beside the log since the last.
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
                // The table may be gone: then nobody waits for the word.
                let _ = tx.send(result);
            }),
        );
    }

    /// Says nothing, durably: when that works, the table goes on.
    fn probe(&mut self, store: &dyn MatchLog) {
        if self.ack.is_none() {
            self.submit(store, Write::Probe);
        }
    }

    /// The store's word; waits for ever where nothing was handed in.
    pub(super) async fn ack(&mut self) -> Result<u64, WriteError> {
        let Some(ack) = &mut self.ack else { return std::future::pending().await };
        // A writer that dies says nothing, and has stored nothing that it could stand by.
        let result = ack.await.unwrap_or(Err(WriteError::Closed));
        self.ack = None;
        result
    }

    /// The store has taken what it was given.
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

    /// The store has not taken it: neither that nor what waited behind it has happened.
    fn failed(&mut self, failure: Failure) {
        self.ack = None;
        self.waiting.clear();
        self.facts_changed = true;
        self.noted = None;
        self.phase = if failure == Failure::Passing { Phase::Stalled } else { Phase::Idle };
    }

    /// The store is well again.
    fn back(&mut self) {
        self.phase = Phase::Idle;
    }

    /// Nothing is handed in any more.
    fn close(&mut self) {
        self.ack = None;
        self.phase = Phase::Closed;
    }
}

/// What goes into one write.
struct Batch {
    /// The last record in it.
    last: RecordId,
    entries: Vec<LogEntry>,
    transfers: Vec<Transfer>,
    played: Vec<Played>,
}

impl Batch {
    /// Everything that these appends bring with them, in their order; `match_no` is the match where there is none.
    fn of(
        appends: Vec<RecordWrite>,
        match_no: u32,
        entry: &GameDef,
        id: &TableId,
        facts: &TableFacts,
    ) -> Self {
        let last = appends.last().map_or(RecordId { match_no, seq: 0 }, |last| RecordId {
            match_no: last.match_no,
            seq: last.record.as_ref().map_or(0, |record| record.seq),
        });
        let entries = Vec::with_capacity(appends.len());
        let mut batch = Self { last, entries, transfers: Vec::new(), played: Vec::new() };
        for RecordWrite { match_no, opens, record, postings, ends } in appends {
            if !postings.is_empty() {
                batch.transfers.extend(stakes::transfers(facts, id, &postings));
            }
            if let Some(outcome) = &ends {
                batch.played.extend(stakes::played(facts, entry, match_no, outcome));
            }
            batch.entries.extend(opens.map(LogEntry::Open));
            batch.entries.extend(record.map(|record| LogEntry::Record { match_no, record }));
        }
        batch
    }
}

impl TableTask {
    /// Hands everything that waits to the store, as one write, unless it is still at work on the last.
    pub(super) fn flush(&mut self) {
        let Some(appends) = self.store_queue.due() else { return };
        for append in &appends {
            self.chat.note(append);
        }
        let play = self.table.current_match();
        let batch = Batch::of(appends, play.header().match_no, play.def(), &self.id, &self.facts);
        self.hub.metrics.batch.add(batch.entries.len() as u64);
        let beside = (self.state(), &self.facts);
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

    /// The store has spoken.
    pub(super) fn stored(&mut self, result: Result<u64, WriteError>) {
        match result {
            Ok(_) if self.store_queue.stalled() => self.store_back(),
            Ok(_) => {
                let Some(Stored { last, since, settles }) = self.store_queue.stored() else { return };
                self.hub.metrics.commit.add(since.elapsed().as_micros() as u64);
                self.chat.stored();
                if let Some(opening) = self.opening.take() {
                    self.opened(*opening);
                } else if settles {
                    self.tell_accounts();
                }
                self.handle(Command::Appended { match_no: last.match_no, seq: last.seq });
            }
            Err(_) if self.store_queue.stalled() => {}
            Err(error) => self.store_failed(&error),
        }
    }

    /// Lets people look, once nothing is under way to the store: what is not stored is nobody's to see.
    pub(super) fn show(&mut self) {
        if self.store_queue.is_idle() {
            for look in std::mem::take(&mut self.looks) {
                look(&self.table, &self.facts);
            }
        }
    }

    fn store_failed(&mut self, error: &WriteError) {
        if let Some(opening) = self.opening.take() {
            self.store_queue.close();
            return self.not_opened(*opening, error);
        }
        tracing::warn!(table = %self.id, seq = self.store_queue.seq, %error, "the store did not take a write");
        let failure = Failure::of(error);
        self.store_queue.failed(failure);
        self.chat.unsaid();
        if !self.finished && self.listeners.is_empty() {
            self.presence.give_up_again();
        }
        self.handle(Command::AppendFailed);
        if failure == Failure::Refused {
            // What he did who could not pay has not happened.
            return self.handle(Command::StoreBack);
        }
        self.notice("read_only", "the server cannot store anything now; clocks are stopped");
        if failure == Failure::Moved {
            // Whoever looks must look where the table is now.
            for (_, listener) in std::mem::take(&mut self.listeners) {
                listener.out.put(Out::Close(1012, "moved"));
            }
            self.rx.close();
        }
    }

    /// Asks a store that failed whether it is well again.
    pub(super) fn probe(&mut self) {
        self.store_queue.probe(self.hub.store.as_ref());
    }

    fn store_back(&mut self) {
        tracing::info!(table = %self.id, "the store takes writes again");
        self.store_queue.back();
        self.handle(Command::StoreBack);
        self.notice("writable", "the server stores again; clocks run");
    }
}

#[cfg(test)]
#[path = "store_queue_tests.rs"]
mod tests;
