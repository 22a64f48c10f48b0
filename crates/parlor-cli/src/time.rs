//! The table's time: what the driver of a [`parlor_host::Table`] tells it.

use std::time::{Duration, Instant};

/// The table's time: the wall's, or one that only jumps.
pub(crate) enum Time {
    Real(Instant),
    Fast(u64),
}

impl Time {
    pub(crate) fn start(fast: bool) -> Self {
        if fast { Self::Fast(0) } else { Self::Real(Instant::now()) }
    }

    pub(crate) fn is_fast(&self) -> bool {
        matches!(self, Self::Fast(_))
    }

    /// Milliseconds since the table was opened.
    pub(crate) fn now(&self) -> u64 {
        match self {
            Self::Real(start) => u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
            Self::Fast(now) => *now,
        }
    }

    /// How long until then; nothing runs out in a time that only jumps.
    pub(crate) fn left(&self, at: Option<u64>) -> Option<Duration> {
        match self {
            Self::Real(_) => at.map(|at| Duration::from_millis(at.saturating_sub(self.now()))),
            Self::Fast(_) => None,
        }
    }

    /// Jumps to then, if it can.
    pub(crate) fn jump(&mut self, at: u64) -> bool {
        match self {
            Self::Real(_) => false,
            Self::Fast(now) => {
                *now = at.max(*now);
                true
            }
        }
    }
}
