//! The one thread that writes. It puts all pending writes, of however many tables, into one transaction, and
//! acknowledges them when the database has committed it. While one flush waits, the next one gathers.
//!
//! No connection is trusted to say that nothing happened. When one breaks, or a commit ends with a warning, the writer
//! keeps the flush, connects again, and reads its node's row: every flush raises the number there in its own
//! transaction. What is there counts as it was judged; what is not there is done again. Only then is anybody told.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use parlor_store::driver::Packed;
use parlor_store::{Done, OpenError, WriteError};
use tokio::runtime::Runtime;

use crate::batch::{Batch, Verdict, table_of};
use crate::cluster::Cluster;
use crate::conn::{Conn, step};
use crate::fault::{Fault, Remedy, Result};
use crate::heads::Heads;
use crate::node::Node;
use crate::numbers::Numbers;
use crate::pulse::Pulse;
use crate::{Flush, Observer};

/// Writes in one flush.
const FLUSH_WRITES_MAX: usize = 4096;
/// Bytes after which a flush takes no further write.
const FLUSH_BYTES_MAX: usize = 8 * 1024 * 1024;
/// How often a transaction is tried again because another one was in the way.
const TRIES_MAX: u32 = 50;
/// How long the writer waits before it connects again: at first, and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));
/// How long a store that is dropped waits for a database that cannot be reached.
const CLOSING_MAX: Duration = Duration::from_secs(5);
/// How often a node that serves says that it is alive.
const RENEW_EVERY: Duration = Duration::from_secs(1);

/// A write and its sender.
pub(crate) type Submitted = (Box<Packed>, Done);
type Errand = Box<dyn FnOnce(&mut Writer) + Send>;

/// What the thread is asked to do.
pub(crate) enum Job {
    /// Store this together with whatever else waits.
    Write(Box<Packed>, Done),
    /// Do this between two flushes.
    Run(Errand),
    /// Stop without acknowledging anything more.
    #[cfg(feature = "conformance")]
    Die,
}

/// What the thread owns.
pub(crate) struct Writer {
    cluster: Arc<Cluster>,
    runtime: Runtime,
    conn: Option<Conn>,
    pub(crate) node: Node,
    pub(crate) heads: Heads,
    numbers: Numbers,
    pulse: Arc<Pulse>,
    observer: Option<Observer>,
}

/// How an attempt ended.
enum End {
    /// It is durable.
    Stored(Vec<Verdict>),
    /// The commit was sent, and nobody knows whether it is durable.
    Unknown(Vec<Verdict>),
}

impl Writer {
    pub(crate) fn new(
        cluster: Arc<Cluster>,
        runtime: Runtime,
        node: Node,
        pulse: Arc<Pulse>,
        observer: Option<Observer>,
    ) -> Self {
        let (heads, numbers) = (Heads::default(), Numbers::default());
        Self { cluster, runtime, conn: None, node, heads, numbers, pulse, observer }
    }

    /// Makes this process the one that writes under its node's name; a tool does so with its first write.
    pub(crate) fn take_place(&mut self, serve: bool) -> std::result::Result<(), OpenError> {
        if serve {
            let conn = self.runtime.block_on(connect(&self.cluster, &mut self.node));
            self.conn = Some(conn.map_err(|fault| fault.open_error())?);
        }
        Ok(())
    }

    /// Works until the store is dropped; pending writes are still stored then.
    pub(crate) fn work(mut self, jobs: &Receiver<Job>) {
        let mut next = None;
        loop {
            let job = match next.take() {
                Some(job) => job,
                None if self.node.serves() => match jobs.recv_timeout(RENEW_EVERY) {
                    Ok(job) => job,
                    Err(RecvTimeoutError::Timeout) => {
                        self.renew();
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                },
                None => match jobs.recv() {
                    Ok(job) => job,
                    Err(_) => break,
                },
            };
            match job {
                Job::Run(errand) => errand(&mut self),
                Job::Write(packed, done) => {
                    let (flush, rest) = gather((packed, done), jobs);
                    self.flush(flush);
                    next = rest;
                }
                #[cfg(feature = "conformance")]
                Job::Die => return,
            }
            if self.pulse.killed() {
                return;
            }
        }
        self.leave();
    }

    /// A node that stops says so: the next one need not wait.
    fn leave(&mut self) {
        if let (true, Some(conn)) = (self.node.serves(), &self.conn) {
            // Where this fails, the next one waits until the node counts as dead.
            let _ = self.runtime.block_on(self.node.leave(conn));
        }
    }

    /// Says that the node is alive.
    fn renew(&mut self) {
        let Some(conn) = &self.conn else {
            // One try: a flush that comes meanwhile should not wait.
            if let Ok(conn) = self.runtime.block_on(connect(&self.cluster, &mut self.node)) {
                self.conn = Some(conn);
            }
            return;
        };
        let renewed = self.node.renew(conn);
        if self.runtime.block_on(unless_deposed(&self.cluster, conn, renewed)).is_err() {
            self.conn = None;
        }
    }

    fn flush(&mut self, flush: Vec<Submitted>) {
        self.pulse.begins();
        let packed: Vec<&Packed> = flush.iter().map(|(packed, _)| &**packed).collect();
        let stored = self.store(&packed);
        match stored {
            _ if self.pulse.killed() => {}
            Ok(verdicts) => {
                self.pulse.ends(flush.len(), None);
                for ((packed, done), verdict) in flush.into_iter().zip(verdicts) {
                    self.acknowledge(&packed, done, verdict);
                }
            }
            // One of them cannot be stored, and it is not known which: each for itself.
            Err(fault) if flush.len() > 1 && fault.remedy() == Remedy::ThisWrites => {
                for submitted in flush {
                    self.flush(vec![submitted]);
                }
            }
            Err(fault) => {
                let everybodys = fault.remedy() != Remedy::ThisWrites;
                let error = fault.write_error();
                self.pulse.ends(0, everybodys.then(|| error.clone()));
                for (packed, done) in flush {
                    self.acknowledge(&packed, done, Err(error.clone()));
                }
            }
        }
    }

    /// Stores the whole flush and says how each write ended; or says why nothing of it is stored.
    fn store(&mut self, flush: &[&Packed]) -> Result<Vec<Verdict>> {
        let mut tries = Tries::new(self.pulse.clone());
        let mut unknown: Option<Vec<Verdict>> = None;
        loop {
            let conn = match self.connected() {
                Ok(conn) => conn,
                Err(fault) => {
                    tries.pause(fault)?;
                    continue;
                }
            };
            // A commit in doubt is settled before anything else is done.
            let settled = self.node.settle(&conn, unknown.is_some());
            match self.runtime.block_on(unless_deposed(&self.cluster, &conn, settled)) {
                Ok(there) => {
                    self.conn = Some(conn);
                    match unknown.take() {
                        Some(verdicts) if there => return Ok(self.stored(flush, verdicts)),
                        Some(_) => self.forget(flush),
                        None => {}
                    }
                }
                Err(fault) => {
                    tries.pause(fault)?;
                    continue;
                }
            }
            match self.attempt(flush) {
                Ok(End::Stored(verdicts)) => return Ok(self.stored(flush, verdicts)),
                Ok(End::Unknown(verdicts)) => {
                    self.pulse.doubts();
                    self.conn = None;
                    unknown = Some(verdicts);
                }
                Err(fault) => {
                    self.forget(flush);
                    self.undo(&fault);
                    tries.pause(fault)?;
                }
            }
        }
    }

    /// Nothing of the flush was stored.
    fn forget(&mut self, flush: &[&Packed]) {
        self.heads.roll_back(flush.iter().filter_map(|packed| table_of(&packed.write)));
    }

    /// The flush is durable.
    fn stored(&mut self, flush: &[&Packed], verdicts: Vec<Verdict>) -> Vec<Verdict> {
        self.node.flushed();
        self.heads.commit(flush.iter().filter_map(|packed| table_of(&packed.write)));
        verdicts
    }

    /// The connection, or a new one.
    fn connected(&mut self) -> Result<Conn> {
        match self.conn.take() {
            Some(conn) => Ok(conn),
            None => {
                let conn = self.runtime.block_on(connect(&self.cluster, &mut self.node))?;
                self.cluster.moved();
                Ok(conn)
            }
        }
    }

    /// Ends a transaction that has failed, or the connection where that is of no use any more.
    fn undo(&mut self, fault: &Fault) {
        let Some(conn) = self.conn.take() else { return };
        // The next connection may find a primary where this one has become a standby.
        if !fault.breaks() && !fault.is_read_only() && self.runtime.block_on(conn.run("ROLLBACK")).is_ok() {
            self.conn = Some(conn);
        }
    }

    fn attempt(&mut self, flush: &[&Packed]) -> Result<End> {
        let Self { cluster, runtime, conn, node, heads, numbers, observer, .. } = self;
        let Some(conn) = conn else { return Err(Fault::GivenUp) };
        let entered = transact(conn, heads, numbers, node, flush);
        let verdicts = runtime.block_on(unless_deposed(cluster, conn, entered))?;
        conn.take_warning();
        let started = Instant::now();
        let committed = runtime.block_on(unless_deposed(cluster, conn, conn.run("COMMIT")));
        // A warning says that the standby may not have it.
        if committed.is_err() || conn.take_warning() {
            return Ok(End::Unknown(verdicts));
        }
        observe(observer.as_ref(), flush, &verdicts, started.elapsed());
        Ok(End::Stored(verdicts))
    }

    /// Does something in a transaction of its own, again and again until it is known to be durable. Doing it twice must
    /// do no harm.
    pub(crate) fn run<T>(
        &mut self,
        errand: impl AsyncFn(&Conn) -> Result<T>,
    ) -> std::result::Result<T, WriteError> {
        let mut tries = Tries::new(self.pulse.clone());
        loop {
            let result = self.connected().and_then(|conn| {
                let conn = self.conn.insert(conn);
                let done = async {
                    conn.run("BEGIN").await?;
                    let result = errand(conn).await?;
                    conn.take_warning();
                    conn.run("COMMIT").await?;
                    if conn.take_warning() { Err(Fault::GivenUp) } else { Ok(result) }
                };
                self.runtime.block_on(unless_deposed(&self.cluster, conn, done))
            });
            match result {
                Ok(result) => {
                    if tries.waited {
                        self.pulse.waits(None);
                    }
                    return Ok(result);
                }
                Err(fault) => {
                    self.undo(&fault);
                    tries.pause(fault).map_err(|fault| fault.write_error())?;
                }
            }
        }
    }

    fn acknowledge(&self, packed: &Packed, done: Done, verdict: Verdict) {
        self.pulse.leaves(packed.size);
        // The sender's panic is the sender's: the other tables' writes go on.
        let _ = catch_unwind(AssertUnwindSafe(|| done(verdict)));
    }
}

/// Connects to the primary, and makes the node this process's own.
async fn connect(cluster: &Cluster, node: &mut Node) -> Result<Conn> {
    let conn = cluster.connect().await?;
    node.enter(&conn).await?;
    Ok(conn)
}

/// Waits for a primary's answer, unless another one is promoted meanwhile: then this one may never give it.
async fn unless_deposed<T>(
    cluster: &Cluster,
    conn: &Conn,
    answer: impl Future<Output = Result<T>>,
) -> Result<T> {
    tokio::select! {
        answer = answer => answer,
        () = cluster.deposed(conn) => Err(Fault::GivenUp),
    }
}

/// All of the flush but its commit.
async fn transact(
    conn: &Conn,
    heads: &mut Heads,
    numbers: &mut Numbers,
    node: &Node,
    flush: &[&Packed],
) -> Result<Vec<Verdict>> {
    let mut batch = Batch::new(conn, heads, numbers, node.no());
    batch.look_up(flush, node.no()).await?;
    let mut verdicts = Vec::with_capacity(flush.len());
    for packed in flush {
        verdicts.push(batch.take(packed).await?);
    }
    let (no, instance, last) = node.place();
    let sql = "UPDATE node SET flush = flush + 1, seen_at = clock_timestamp()
               WHERE no = $1 AND instance = $2::text::uuid AND flush = $3 RETURNING flush";
    let rows = batch.write_out(vec![step!(sql, no, instance, last)]).await?;
    if rows[0].is_empty() { Err(Fault::Replaced) } else { Ok(verdicts) }
}

fn observe(observer: Option<&Observer>, flush: &[&Packed], verdicts: &[Verdict], commit: Duration) {
    let Some(observer) = observer else { return };
    let refused = verdicts.iter().filter(|verdict| verdict.is_err()).count();
    let bytes = flush.iter().map(|packed| packed.size).sum();
    let commit_us = u64::try_from(commit.as_micros()).unwrap_or(u64::MAX);
    let flush = Flush { writes: flush.len(), refused, bytes, commit_us };
    // The flush is stored: a panic of the observer must not make it look otherwise.
    let _ = catch_unwind(AssertUnwindSafe(|| observer(flush)));
}

/// How often something was tried, and whether to try again.
struct Tries {
    pulse: Arc<Pulse>,
    again: u32,
    pause: Duration,
    read_only: bool,
    waited: bool,
    closing_since: Option<Instant>,
}

impl Tries {
    fn new(pulse: Arc<Pulse>) -> Self {
        Self { pulse, again: 0, pause: PAUSES.0, read_only: false, waited: false, closing_since: None }
    }

    /// Waits before the next try.
    ///
    /// # Errors
    /// The fault itself, where no further try would help.
    fn pause(&mut self, fault: Fault) -> Result<()> {
        if self.pulse.killed() {
            return Err(Fault::GivenUp);
        }
        match fault.remedy() {
            Remedy::Again if self.again < TRIES_MAX => {
                self.again += 1;
                Ok(())
            }
            // The first time it may be a primary that was deposed: then another one takes writes.
            Remedy::Everybodys if fault.is_read_only() && !self.read_only => {
                self.read_only = true;
                Ok(())
            }
            Remedy::Reconnect => {
                if self.pulse.closing() {
                    let since = *self.closing_since.get_or_insert_with(Instant::now);
                    if since.elapsed() > CLOSING_MAX {
                        return Err(Fault::GivenUp);
                    }
                }
                self.pulse.waits(Some(fault.write_error()));
                self.waited = true;
                std::thread::sleep(self.pause);
                self.pause = (self.pause * 2).min(PAUSES.1);
                Ok(())
            }
            _ => Err(fault),
        }
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
