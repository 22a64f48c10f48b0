//! The one thread that writes. It puts all pending writes, of however many tables, into one transaction, and
//! acknowledges them when that is on the disk. While one flush waits for the disk, the next one gathers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use parlor_store::Done;
use parlor_store::driver::Packed;
use rusqlite::{Connection, Error, Result, TransactionBehavior};

use crate::batch::{Batch, Heads, Verdict};
use crate::fault::{is_everybodys, write_error};
use crate::identity::Identity;
use crate::pulse::Pulse;
use crate::{Flush, Observer, group};

/// Writes in one flush.
const FLUSH_WRITES_MAX: usize = 4096;
/// Bytes after which a flush takes no further write.
const FLUSH_BYTES_MAX: usize = 8 * 1024 * 1024;

/// A write and its sender.
type Submitted = (Box<Packed>, Done);
type Errand = Box<dyn FnOnce(&mut Writer) + Send>;

/// What the thread is asked to do.
pub(crate) enum Job {
    /// Store this together with whatever else waits.
    Write(Box<Packed>, Done),
    /// Do this between two flushes.
    Run(Errand),
}

/// What the thread owns.
pub(crate) struct Writer {
    pub(crate) conn: Connection,
    pub(crate) heads: Heads,
    identity: Identity,
    /// Changes when another process has written.
    data_version: i64,
    /// Whether to stop without acknowledging anything more.
    pub(crate) stopped: bool,
    pulse: Arc<Pulse>,
    observer: Option<Observer>,
    together: Together,
    /// Bytes that were put together and not carried over since.
    gathered_bytes: usize,
    /// Whether the last flush had many writes: then many more are about to come.
    busy: bool,
}

/// When entries of many tables are put together, and when they are carried over into rows of each table's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Together {
    /// Tables in a flush from which on their entries become one row.
    pub tables_min: usize,
    /// Bytes of such rows after which they are carried over.
    pub bytes_max: usize,
    /// How long the next flush waits after one of so many tables. A flush costs a dozen system calls beside its
    /// writes: where many tables move at once a millisecond is not noticed, and an idle store never waits.
    pub wait: Duration,
}

impl Default for Together {
    fn default() -> Self {
        Self { tables_min: 8, bytes_max: 1024 * 1024, wait: Duration::from_millis(1) }
    }
}

impl Writer {
    pub(crate) fn new(
        conn: Connection,
        identity: Identity,
        pulse: Arc<Pulse>,
        observer: Option<Observer>,
        together: Together,
    ) -> Self {
        let (heads, data_version, stopped, gathered_bytes) = (Heads::default(), 0, false, 0);
        let busy = false;
        Self { conn, heads, identity, data_version, stopped, pulse, observer, together, gathered_bytes, busy }
    }

    /// Works until the store is dropped; pending writes are still stored then.
    pub(crate) fn work(mut self, jobs: &Receiver<Job>) {
        while let Ok(job) = jobs.recv() {
            let mut next = Some(job);
            while let Some(job) = next.take_if(|_| !self.stopped) {
                match job {
                    Job::Run(errand) => errand(&mut self),
                    Job::Write(packed, done) => {
                        if self.busy {
                            std::thread::sleep(self.together.wait);
                        }
                        let (flush, rest) = gather((packed, done), jobs);
                        self.busy = flush.len() >= self.together.tables_min;
                        self.flush(flush);
                        self.tidy();
                        next = rest;
                    }
                }
            }
            if self.stopped {
                return;
            }
        }
    }

    /// Carries over what was put together, when it has become much, and before many tables are looked up anew: one
    /// whose entries are in its own rows alone is found at once.
    fn tidy(&mut self) {
        if self.gathered_bytes < self.together.bytes_max && !self.heads.full() {
            return;
        }
        self.carry_over();
        if self.heads.full() {
            self.heads.clear();
        }
    }

    /// Carries over what was put together. A failure loses nothing and is ignored: the next carry-over tries again, and
    /// the pending writes report themselves whether the disk takes them.
    pub(crate) fn carry_over(&mut self) {
        self.gathered_bytes = 0;
        let _ = self
            .conn
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|tx| group::carry_over(&tx).and_then(|()| tx.commit()));
    }

    fn flush(&mut self, flush: Vec<Submitted>) {
        self.pulse.begins();
        if let Err(lost) = self.pulse.damage().and_then(|()| self.identity.check()) {
            self.heads.clear();
            self.pulse.ends(0, Some(lost.clone()));
            for (packed, done) in flush {
                self.acknowledge(&packed, done, Err(lost.clone()));
            }
            return;
        }
        match self.attempt(&flush) {
            Ok(verdicts) => {
                self.pulse.ends(flush.len(), None);
                for ((packed, done), verdict) in flush.into_iter().zip(verdicts) {
                    self.acknowledge(&packed, done, verdict);
                }
            }
            // One of them cannot be stored, and it is not known which: each for itself.
            Err(error) if flush.len() > 1 && !is_everybodys(&error) => {
                for submitted in flush {
                    self.flush(vec![submitted]);
                }
            }
            Err(error) => {
                let everybodys = is_everybodys(&error);
                let error = write_error(&error);
                self.pulse.ends(0, everybodys.then(|| error.clone()));
                for (packed, done) in flush {
                    self.acknowledge(&packed, done, Err(error.clone()));
                }
            }
        }
    }

    /// Stores the whole flush, or nothing. A refusal found in a transaction that then failed counts for nothing.
    fn attempt(&mut self, flush: &[Submitted]) -> Result<Vec<Verdict>> {
        let result = self.transact(flush);
        if result.is_err() {
            self.heads.clear();
            if !self.conn.is_autocommit() {
                // Where even this fails, the next BEGIN says so.
                let _ = self.conn.execute_batch("ROLLBACK");
            }
        }
        result
    }

    fn transact(&mut self, flush: &[Submitted]) -> Result<Vec<Verdict>> {
        self.conn.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        self.notice_others()?;
        let mut batch = Batch::new(&self.conn, &mut self.heads);
        let verdicts: Result<Vec<_>> = flush.iter().map(|(packed, _)| batch.take(packed)).collect();
        let verdicts = verdicts?;
        let gathered = batch.finish(self.together.tables_min)?;
        let started = Instant::now();
        self.conn.prepare_cached("COMMIT")?.execute([])?;
        let commit_us = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.gathered_bytes += gathered;
        self.observe(flush, &verdicts, commit_us);
        Ok(verdicts)
    }

    fn observe(&self, flush: &[Submitted], verdicts: &[Verdict], commit_us: u64) {
        let Some(observer) = &self.observer else { return };
        let refused = verdicts.iter().filter(|verdict| verdict.is_err()).count();
        let bytes = flush.iter().map(|(packed, _)| packed.size).sum();
        let flush = Flush { writes: flush.len(), refused, bytes, commit_us };
        // The flush is stored: a panic of the observer must not make it look otherwise.
        let _ = catch_unwind(AssertUnwindSafe(|| observer(flush)));
    }

    /// Another process may have written since: then nothing that is remembered counts.
    pub(crate) fn notice_others(&mut self) -> Result<(), Error> {
        let version = self.conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        if version != self.data_version {
            self.data_version = version;
            self.heads.clear();
        }
        Ok(())
    }

    fn acknowledge(&self, packed: &Packed, done: Done, verdict: Verdict) {
        self.pulse.leaves(packed.size);
        // The sender's panic is the sender's: the other tables' writes go on.
        let _ = catch_unwind(AssertUnwindSafe(|| done(verdict)));
    }
}

/// Takes what waits, up to a flush full; and a job that is no write, if it came upon one.
fn gather(first: Submitted, jobs: &Receiver<Job>) -> (Vec<Submitted>, Option<Job>) {
    let mut bytes = first.0.size;
    let mut flush = vec![first];
    while flush.len() < FLUSH_WRITES_MAX && bytes < FLUSH_BYTES_MAX {
        match jobs.try_recv() {
            Ok(Job::Write(packed, done)) => {
                bytes += packed.size;
                flush.push((packed, done));
            }
            Ok(other) => return (flush, Some(other)),
            Err(_) => break,
        }
    }
    (flush, None)
}
