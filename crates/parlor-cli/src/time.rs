//! The time that this driver gives to a [`parlor_host::Table`].

use std::time::{Duration, Instant};

/// The table's time: real time, or virtual time that jumps over waits.
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

    /// How long until then; `None` in virtual time, where nothing runs out.
    pub(crate) fn left(&self, at: Option<u64>) -> Option<Duration> {
        match self {
            Self::Real(_) => at.map(|at| Duration::from_millis(at.saturating_sub(self.now()))),
            Self::Fast(_) => None,
        }
    }

    /// Jumps to this time; returns `false` in real time, which cannot jump.
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
