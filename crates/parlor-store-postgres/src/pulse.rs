//! What is known of the writer without waiting for it: pending writes, flushes, the last failure.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use parlor_store::{Health, WriteError};

/// Writes that may wait.
const QUEUE_WRITES_MAX: u64 = 65_536;
/// Bytes that may wait.
const QUEUE_BYTES_MAX: u64 = 256 * 1024 * 1024;

#[derive(Default)]
pub(crate) struct Pulse {
    queued: AtomicU64,
    queued_bytes: AtomicU64,
    flushes: AtomicU64,
    writes: AtomicU64,
    unknown_commits: AtomicU64,
    /// The store is being dropped: a database that cannot be reached is not waited for much longer.
    closing: AtomicBool,
    /// Nobody is told anything any more.
    killed: AtomicBool,
    flush: Mutex<Flush>,
}

#[derive(Default)]
struct Flush {
    since: Option<Instant>,
    failing: Option<WriteError>,
}

impl Pulse {
    /// Whether one more write may wait; if so it is counted.
    pub(crate) fn enters(&self, bytes: usize) -> bool {
        let writes = self.queued.fetch_add(1, Relaxed);
        let waiting = self.queued_bytes.fetch_add(bytes as u64, Relaxed);
        let fits = writes < QUEUE_WRITES_MAX && waiting < QUEUE_BYTES_MAX;
        if !fits {
            self.leaves(bytes);
        }
        fits
    }

    pub(crate) fn leaves(&self, bytes: usize) {
        self.queued.fetch_sub(1, Relaxed);
        self.queued_bytes.fetch_sub(bytes as u64, Relaxed);
    }

    fn flush(&self) -> std::sync::MutexGuard<'_, Flush> {
        self.flush.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begins(&self) {
        self.flush().since = Some(Instant::now());
    }

    /// Nobody answers, and the writer goes on trying; or somebody does again.
    pub(crate) fn waits(&self, why: Option<WriteError>) {
        self.flush().failing = why;
    }

    /// Whether a commit was in doubt, once more.
    pub(crate) fn doubts(&self) {
        self.unknown_commits.fetch_add(1, Relaxed);
    }

    pub(crate) fn unknown_commits(&self) -> u64 {
        self.unknown_commits.load(Relaxed)
    }

    pub(crate) fn ends(&self, writes: usize, failing: Option<WriteError>) {
        self.flushes.fetch_add(1, Relaxed);
        self.writes.fetch_add(writes as u64, Relaxed);
        *self.flush() = Flush { since: None, failing };
    }

    pub(crate) fn close(&self) {
        self.closing.store(true, Relaxed);
    }

    pub(crate) fn closing(&self) -> bool {
        self.closing.load(Relaxed)
    }

    #[cfg(feature = "conformance")]
    pub(crate) fn kill(&self) {
        self.killed.store(true, Relaxed);
    }

    pub(crate) fn killed(&self) -> bool {
        self.killed.load(Relaxed)
    }

    pub(crate) fn health(&self) -> Health {
        let flush = self.flush();
        let ms = |since: Instant| u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        Health {
            failing: flush.failing.clone(),
            queued: self.queued.load(Relaxed),
            flushing_ms: flush.since.map(ms),
            flushes: self.flushes.load(Relaxed),
            writes: self.writes.load(Relaxed),
        }
    }
}
