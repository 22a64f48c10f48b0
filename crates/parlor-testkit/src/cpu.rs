//! CPU time of the calling thread, for measurements that do not depend on what else the machine does.

use std::time::Instant;

/// A stopwatch for the CPU time of this thread; wall-clock time if the system does not report it.
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

    /// Seconds of wall-clock time since the start.
    #[must_use]
    pub fn wall_seconds(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }
}

/// On Linux the first field of a thread's schedstat is its on-CPU time in nanoseconds.
fn thread_ns() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}
