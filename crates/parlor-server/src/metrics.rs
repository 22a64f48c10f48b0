//! The server's metrics, in Prometheus's text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

const BOUNDS_US: [u64; 12] = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000, 50_000, 250_000];

/// Parts of a histogram. Each thread counts into one part, so that processors do not contend for one cache line.
const PARTS: usize = 4;

thread_local! {
    /// The part that this thread counts into.
    static PART: usize = {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        THREADS.fetch_add(1, Ordering::Relaxed) % PARTS
    };
}

/// A histogram of durations or counts.
#[derive(Default)]
pub(crate) struct Histogram([Part; PARTS]);

/// Aligned to a multiple of a cache line.
#[derive(Default)]
#[repr(align(128))]
struct Part {
    buckets: [AtomicU64; BOUNDS_US.len() + 1],
    sum: AtomicU64,
}

impl Histogram {
    pub(crate) fn add(&self, value: u64) {
        let part = &self.0[PART.with(|part| *part)];
        let bucket = BOUNDS_US.iter().position(|bound| value <= *bound).unwrap_or(BOUNDS_US.len());
        part.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        part.sum.fetch_add(value, Ordering::Relaxed);
    }

    fn all(&self, number: impl Fn(&Part) -> &AtomicU64) -> u64 {
        self.0.iter().map(|part| number(part).load(Ordering::Relaxed)).sum()
    }

    fn write(&self, name: &str, text: &mut String) {
        let _ = writeln!(text, "# TYPE {name} histogram");
        let mut total = 0;
        for (n, bound) in BOUNDS_US.iter().enumerate() {
            total += self.all(|part| &part.buckets[n]);
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {total}");
        }
        let count = total + self.all(|part| &part.buckets[BOUNDS_US.len()]);
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(text, "{name}_sum {}", self.all(|part| &part.sum));
        let _ = writeln!(text, "{name}_count {count}");
    }
}

/// Every metric.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Microseconds a command waited in a mailbox.
    pub(crate) queue: Histogram,
    /// Microseconds a table took to check and apply a command.
    pub(crate) apply: Histogram,
    /// Microseconds from submitting a write to the store's result.
    pub(crate) commit: Histogram,
    /// Microseconds to encode a message for one connection, if the encoding is not shared.
    pub(crate) encode: Histogram,
    /// Records that one table submitted in one write.
    pub(crate) batch: Histogram,
    /// Messages in an outbox when one more was put into it.
    pub(crate) outbox: Histogram,
    pub(crate) connections: AtomicI64,
    pub(crate) tables: AtomicI64,
    /// When the certificate that is served ends, in seconds since 1970; 0 without one.
    pub(crate) certificate_until: AtomicI64,
    pub(crate) frames_in: AtomicU64,
    pub(crate) frames_out: AtomicU64,
    pub(crate) slow_clients: AtomicU64,
    refusals: Mutex<BTreeMap<String, u64>>,
}

impl Metrics {
    pub(crate) fn refused(&self, code: &str) {
        if let Ok(mut refusals) = self.refusals.lock() {
            // Codes come from the engine and from games. They should be a bounded set; this makes sure of it.
            if refusals.len() < 256 || refusals.contains_key(code) {
                *refusals.entry(code.to_owned()).or_default() += 1;
            }
        }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (name, histogram) in [
            ("parlor_queue_us", &self.queue),
            ("parlor_apply_us", &self.apply),
            ("parlor_commit_us", &self.commit),
            ("parlor_encode_us", &self.encode),
            ("parlor_batch_records", &self.batch),
            ("parlor_outbox_depth", &self.outbox),
        ] {
            histogram.write(name, &mut text);
        }
        for (name, gauge) in [
            ("parlor_connections", &self.connections),
            ("parlor_tables", &self.tables),
            ("parlor_certificate_until_seconds", &self.certificate_until),
        ] {
            let _ = writeln!(text, "# TYPE {name} gauge\n{name} {}", gauge.load(Ordering::Relaxed));
        }
        for (name, counter) in [
            ("parlor_frames_in_total", &self.frames_in),
            ("parlor_frames_out_total", &self.frames_out),
            ("parlor_slow_clients_total", &self.slow_clients),
        ] {
            let _ = writeln!(text, "# TYPE {name} counter\n{name} {}", counter.load(Ordering::Relaxed));
        }
        let _ = writeln!(text, "# TYPE parlor_refusals_total counter");
        if let Ok(refusals) = self.refusals.lock() {
            for (code, count) in refusals.iter() {
                let _ = writeln!(text, "parlor_refusals_total{{code=\"{code}\"}} {count}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_threads_count_is_counted_together() {
        let histogram = Histogram::default();
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| [3, 7, 7, 1_000_000].into_iter().for_each(|value| histogram.add(value)));
            }
        });
        let mut text = String::new();
        histogram.write("t", &mut text);
        for line in ["t_bucket{le=\"5\"} 6", "t_bucket{le=\"10\"} 18", "t_bucket{le=\"250000\"} 18"] {
            assert!(text.contains(line), "{text}");
        }
        for line in ["t_bucket{le=\"+Inf\"} 24", "t_sum 6000102", "t_count 24"] {
            assert!(text.contains(line), "{text}");
        }
    }
}
