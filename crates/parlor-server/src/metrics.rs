//! What a server counts, in the text form that Prometheus reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

const BOUNDS_US: [u64; 12] = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000, 50_000, 250_000];

/// How long something took, or how many there were, in buckets.
#[derive(Default)]
pub(crate) struct Histogram {
    buckets: [AtomicU64; BOUNDS_US.len() + 1],
    sum: AtomicU64,
    count: AtomicU64,
}

impl Histogram {
    pub(crate) fn add(&self, value: u64) {
        let bucket = BOUNDS_US.iter().position(|bound| value <= *bound).unwrap_or(BOUNDS_US.len());
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn write(&self, name: &str, text: &mut String) {
        let _ = writeln!(text, "# TYPE {name} histogram");
        let mut total = 0;
        for (bound, bucket) in BOUNDS_US.iter().zip(&self.buckets) {
            total += bucket.load(Ordering::Relaxed);
            let _ = writeln!(text, "{name}_bucket{{le=\"{bound}\"}} {total}");
        }
        let count = self.count.load(Ordering::Relaxed);
        let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(text, "{name}_sum {}", self.sum.load(Ordering::Relaxed));
        let _ = writeln!(text, "{name}_count {count}");
    }
}

/// Everything that is counted.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Microseconds a command waited in a mailbox.
    pub(crate) queue: Histogram,
    /// Microseconds a table took to check and apply a command.
    pub(crate) apply: Histogram,
    /// Microseconds from handing records to the store to its word.
    pub(crate) commit: Histogram,
    /// Microseconds to encode a message.
    pub(crate) encode: Histogram,
    /// Records handed to the store at once by one table.
    pub(crate) batch: Histogram,
    /// Messages that waited in an outbox when one more came.
    pub(crate) outbox: Histogram,
    pub(crate) connections: AtomicI64,
    pub(crate) tables: AtomicI64,
    pub(crate) frames_in: AtomicU64,
    pub(crate) frames_out: AtomicU64,
    pub(crate) slow_clients: AtomicU64,
    refusals: Mutex<BTreeMap<String, u64>>,
}

impl Metrics {
    pub(crate) fn refused(&self, code: &str) {
        if let Ok(mut refusals) = self.refusals.lock() {
            // Codes come from the engine and from games: a bounded set, but nobody's word for it is taken.
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
        for (name, gauge) in [("parlor_connections", &self.connections), ("parlor_tables", &self.tables)] {
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
