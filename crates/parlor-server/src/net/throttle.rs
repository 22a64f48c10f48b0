//! Rate limits by token bucket.

use std::time::Instant;

/// A token bucket: limits the average rate per second and the size of a burst.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    per_second: f32,
    burst: f32,
    left: f32,
    at: Instant,
}

impl Bucket {
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        let burst = burst.max(1) as f32;
        Self { per_second: per_second as f32, burst, left: burst, at: Instant::now() }
    }

    /// Takes one token, if there is one.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f32();
        self.at = now;
        self.left = (self.left + passed * self.per_second).min(self.burst);
        if self.left < 1.0 {
            return false;
        }
        self.left -= 1.0;
        true
    }

    /// Whether it is full again and can be dropped.
    pub(crate) fn full(&self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f32();
        self.left + passed * self.per_second >= self.burst
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Bucket;

    #[test]
    fn a_burst_is_let_through_and_then_the_rate() {
        let mut bucket = Bucket::new(10, 3);
        let start = Instant::now();
        assert_eq!((0..5).filter(|_| bucket.take(start)).count(), 3);
        assert!(!bucket.take(start + Duration::from_millis(50)));
        assert!(bucket.take(start + Duration::from_millis(160)));
        assert!(!bucket.full(start + Duration::from_millis(200)));
        assert!(bucket.full(start + Duration::from_secs(1)));
    }
}
