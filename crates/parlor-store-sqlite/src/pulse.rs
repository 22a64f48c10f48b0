//! What is known of the writer without waiting for it: pending writes, flushes, the last failure.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use parlor_store::{Health, WriteError};

/// Writes that may wait.
pub(crate) const QUEUE_WRITES_MAX: u64 = 65_536;
/// Bytes that may wait.
pub(crate) const QUEUE_BYTES_MAX: u64 = 256 * 1024 * 1024;

#[derive(Default)]
pub(crate) struct Pulse {
    queued: AtomicU64,
    queued_bytes: AtomicU64,
    flushes: AtomicU64,
    writes: AtomicU64,
    /// Rarely touched: when a flush begins and ends.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    since: Option<Instant>,
    failing: Option<WriteError>,
    /// What the last look through the file found.
    damage: Option<WriteError>,
}

impl Pulse {
    /// What a look through the file has found; none if it is intact.
    pub(crate) fn found(&self, damage: Option<WriteError>) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).damage = damage;
    }

    /// Why nothing may be written, if a look through the file has found damage.
    pub(crate) fn damage(&self) -> Result<(), WriteError> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).damage.clone().map_or(Ok(()), Err)
    }

    /// Whether one more write may wait; if so it is counted.
    pub(crate) fn enters(&self, bytes: usize) -> bool {
        let queued = self.queued.fetch_add(1, Relaxed);
        let queued_bytes = self.queued_bytes.fetch_add(bytes as u64, Relaxed);
        let fits = queued < QUEUE_WRITES_MAX && queued_bytes < QUEUE_BYTES_MAX;
        if !fits {
            self.leaves(bytes);
        }
        fits
    }

    pub(crate) fn leaves(&self, bytes: usize) {
        self.queued.fetch_sub(1, Relaxed);
        self.queued_bytes.fetch_sub(bytes as u64, Relaxed);
    }

    pub(crate) fn begins(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).since = Some(Instant::now());
    }

    pub(crate) fn ends(&self, writes: usize, failing: Option<WriteError>) {
        self.flushes.fetch_add(1, Relaxed);
        self.writes.fetch_add(writes as u64, Relaxed);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.since, state.failing) = (None, failing);
    }

    pub(crate) fn health(&self) -> Health {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ms = |since: Instant| u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX);
        Health {
            failing: state.failing.clone(),
            queued: self.queued.load(Relaxed),
            flushing_ms: state.since.map(ms),
            flushes: self.flushes.load(Relaxed),
            writes: self.writes.load(Relaxed),
        }
    }
}
