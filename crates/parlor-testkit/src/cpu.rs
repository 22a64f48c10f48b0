//! CPU time of the calling thread, for honest figures on a noisy machine.

use std::time::Instant;

/// A stopwatch that counts the time this thread spent on a core; where the system does not say, wall-clock time.
pub struct Stopwatch {
    cpu_ns: Option<u64>,
    wall: Instant,
}

impl Stopwatch {
    /// Starts counting now, for the calling thread.
    #[must_use]
    pub fn start() -> Self {
        Self { cpu_ns: thread_ns(), wall: Instant::now() }
    }

    /// Seconds of CPU time used by this thread since the start.
    #[must_use]
    pub fn cpu_seconds(&self) -> f64 {
        match (self.cpu_ns, thread_ns()) {
            (Some(from), Some(to)) => (to - from) as f64 / 1e9,
            _ => self.wall_seconds(),
        }
    }

    /// Seconds on the wall since the start.
    #[must_use]
    pub fn wall_seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }
}

/// Linux counts on-CPU nanoseconds of a thread in the first field of its schedstat.
fn thread_ns() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
