//! The operator's log of what was refused: a line a second at most, which says how many there were.

use std::fmt::Display;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::house::hub::lock;

/// How often a line is written.
const EVERY: Duration = Duration::from_secs(1);

/// Refusals of one kind.
pub(crate) struct RefusalLog {
    what: &'static str,
    /// When the last line was written, and how many refusals there were since.
    state: Mutex<(Option<Instant>, u64)>,
}

impl RefusalLog {
    pub(crate) const fn new(what: &'static str) -> Self {
        Self { what, state: Mutex::new((None, 0)) }
    }

    /// Notes one. `from` and `why` are those of the line that is written; the others are only counted.
    pub(crate) fn note(&self, from: impl Display, why: impl Display) {
        if let Some(count) = self.due(Instant::now()) {
            tracing::warn!(%from, %why, count, "{}", self.what);
        }
    }

    /// Counts one more. How many a line speaks of, if it is time for one.
    fn due(&self, now: Instant) -> Option<u64> {
        let mut state = lock(&self.state);
        let (last, unlogged) = *state;
        let count = unlogged + 1;
        let due = last.is_none_or(|last| now.saturating_duration_since(last) >= EVERY);
        *state = if due { (Some(now), 0) } else { (last, count) };
        due.then_some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_second_says_how_many_there_were() {
        let (log, start) = (RefusalLog::new("test"), Instant::now());
        let at = |ms| log.due(start + Duration::from_millis(ms));
        assert_eq!(
            [at(0), at(1), at(999), at(1000), at(1001), at(2500)],
            [Some(1), None, None, Some(3), None, Some(2)]
        );
    }
}
