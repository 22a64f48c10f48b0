//! The server's clock. Tests use one that only moves when they set it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime};

/// The wall clock of a held clock at 0: 2026-01-01, in milliseconds since 1970.
const HELD_WALL_MS: u64 = 1_767_225_600_000;

/// The server's source of time.
#[derive(Clone)]
pub enum Clock {
    /// The machine's clock, measured from this server's start.
    Real(Instant),
    /// Milliseconds set by a test.
    Held(Arc<AtomicU64>),
}

impl Clock {
    /// The machine's clock, starting now.
    #[must_use]
    pub fn real() -> Self {
        Self::Real(Instant::now())
    }

    /// A clock that stays at this time until it is [set](Self::set).
    #[must_use]
    pub fn held(ms: u64) -> Self {
        Self::Held(Arc::new(AtomicU64::new(ms)))
    }

    /// Sets a held clock; does nothing to the real one.
    pub fn set(&self, ms: u64) {
        if let Self::Held(at) = self {
            at.store(ms, Ordering::Release);
        }
    }

    /// Milliseconds since the server began.
    pub(crate) fn now(&self) -> u64 {
        self.at(Instant::now())
    }

    /// The same for an instant that the caller has already read.
    pub(crate) fn at(&self, now: Instant) -> u64 {
        match self {
            Self::Real(began) => now.duration_since(*began).as_millis() as u64,
            Self::Held(at) => at.load(Ordering::Acquire),
        }
    }

    /// The wall clock, in milliseconds since 1970.
    pub(crate) fn wall_ms(&self) -> u64 {
        match self {
            Self::Real(_) => SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .map_or(0, |since| since.as_millis() as u64),
            Self::Held(at) => HELD_WALL_MS + at.load(Ordering::Acquire),
        }
    }
}
