//! The server's clock. It stands still while the process does, so that nobody is charged for a pause of the machine;
//! tests use one that only moves when they set it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime};

/// The wall clock of a held clock at 0: 2026-01-01, in milliseconds since 1970.
const HELD_WALL_MS: u64 = 1_767_225_600_000;
/// How often the clock is driven.
const BEAT_EVERY: Duration = Duration::from_millis(100);
/// How far the clock runs past the last time it was driven: a longer silence is a process that stood still.
const RUN_ON_MS: u64 = 1000;

/// The server's source of time.
#[derive(Clone)]
pub enum Clock {
    /// The machine's clock, measured from this server's start, without the time in which the process stood still.
    Real(Arc<DrivenClock>),
    /// Milliseconds set by a test.
    Held(Arc<AtomicU64>),
}

/// A clock that runs only while it is driven: by the runtime itself, so that a stopped process, a paused machine and a
/// stalled runtime look alike.
pub struct DrivenClock {
    began: Instant,
    driven: Mutex<Driven>,
}

/// How far a clock was driven. The two change together.
#[derive(Clone, Copy, Default)]
struct Driven {
    /// When it was last driven, in milliseconds since it began; none before the server runs.
    last: Option<u64>,
    /// The time in which nothing drove it, in milliseconds.
    stood_still: u64,
}

impl DrivenClock {
    fn driven(&self) -> MutexGuard<'_, Driven> {
        self.driven.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at(&self, now: Instant) -> u64 {
        let Driven { last, stood_still } = *self.driven();
        let passed = now.duration_since(self.began).as_millis() as u64;
        passed.min(last.map_or(u64::MAX, |last| last + RUN_ON_MS)) - stood_still
    }

    /// Drives the clock; returns for how long nothing did, if that was too long.
    fn drive(&self, now: Instant) -> Option<Duration> {
        let passed = now.duration_since(self.began).as_millis() as u64;
        let mut driven = self.driven();
        let still = driven.last.map_or(0, |last| passed.saturating_sub(last + RUN_ON_MS));
        driven.stood_still += still;
        driven.last = Some(passed);
        (still > 0).then(|| Duration::from_millis(still))
    }
}

impl Clock {
    /// The machine's clock, starting now.
    #[must_use]
    pub fn real() -> Self {
        let driven = Mutex::new(Driven::default());
        Self::Real(Arc::new(DrivenClock { began: Instant::now(), driven }))
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

    /// Drives the real clock from now on, until nobody has it any more.
    pub(crate) fn start(&self) {
        if let Self::Real(clock) = self {
            clock.drive(Instant::now());
            tokio::spawn(keep_driving(Arc::downgrade(clock)));
        }
    }

    /// Milliseconds since the server began, without those in which it stood still.
    pub(crate) fn now(&self) -> u64 {
        self.at(Instant::now())
    }

    /// The same for an instant that the caller has already read.
    pub(crate) fn at(&self, now: Instant) -> u64 {
        match self {
            Self::Real(clock) => clock.at(now),
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

async fn keep_driving(clock: Weak<DrivenClock>) {
    loop {
        tokio::time::sleep(BEAT_EVERY).await;
        let Some(clock) = clock.upgrade() else { return };
        if let Some(still) = clock.drive(Instant::now()) {
            let ms = still.as_millis() as u64;
            tracing::warn!(ms, "the process stood still; no clock was charged");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock and the instants of its milliseconds.
    fn clock() -> (DrivenClock, impl Fn(u64) -> Instant) {
        let began = Instant::now();
        let clock = DrivenClock { began, driven: Mutex::default() };
        (clock, move |ms| began + Duration::from_millis(ms))
    }

    #[test]
    fn a_clock_that_is_driven_runs_with_the_machine() {
        let (clock, ms) = clock();
        assert_eq!(clock.at(ms(5_000)), 5_000, "nothing drives it before the server runs");
        for beat in (0..3_000).step_by(100) {
            assert_eq!(clock.drive(ms(beat)), None);
            assert_eq!(clock.at(ms(beat + 60)), beat + 60);
        }
    }

    #[test]
    fn a_process_that_stood_still_charges_nobody() {
        let (clock, ms) = clock();
        clock.drive(ms(0));
        clock.drive(ms(100));
        // Stopped for 25 s: a reader who comes before it is driven again sees no more than a second of it.
        assert_eq!(clock.at(ms(25_100)), 1_100);
        assert_eq!(clock.drive(ms(25_100)), Some(Duration::from_millis(24_000)));
        assert_eq!(clock.at(ms(25_100)), 1_100, "it goes on from there");
        clock.drive(ms(25_200));
        assert_eq!(clock.at(ms(25_250)), 1_250);
    }

    #[test]
    fn several_stops_add_up_and_time_never_goes_back() {
        let (clock, ms) = clock();
        let mut last = 0;
        for beat in [0, 100, 9_000, 9_100, 60_000, 60_050, 63_000] {
            for read in [beat, beat + 1] {
                let now = clock.at(ms(read));
                assert!(now >= last, "{now} after {last}");
                last = now;
            }
            clock.drive(ms(beat));
        }
        assert!(last <= 100 + 3 * RUN_ON_MS + 200, "{last}");
    }
}
