//! The server's metrics, in Prometheus's text format.
//!
//! Counting is ours: a thread counts into its own part of a histogram, without a lock. Given that, a library would be left
//! the text, which is the fifty lines of [`Page`]; `prometheus-client` brings a registry, labels and a derive for them,
//! and wants to count itself.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

use parlor_core::{Code, HouseCode};

/// The bounds of a histogram: microseconds, or a number.
const BOUNDS: [u64; 12] = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000, 50_000, 250_000];

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
    buckets: [AtomicU64; BOUNDS.len() + 1],
    sum: AtomicU64,
}

impl Histogram {
    pub(crate) fn add(&self, value: u64) {
        let part = &self.0[PART.with(|part| *part)];
        let bucket = BOUNDS.iter().position(|bound| value <= *bound).unwrap_or(BOUNDS.len());
        part.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        part.sum.fetch_add(value, Ordering::Relaxed);
    }

    fn all(&self, number: impl Fn(&Part) -> &AtomicU64) -> u64 {
        self.0.iter().map(|part| number(part).load(Ordering::Relaxed)).sum()
    }
}

/// What a histogram counts, and so how its numbers are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// It counts microseconds, and is written in seconds.
    Time,
    Number,
}

impl Unit {
    fn write(self, value: u64) -> String {
        let whole = || value.to_string();
        match self {
            Self::Number => whole(),
            Self::Time if value.is_multiple_of(1_000_000) => (value / 1_000_000).to_string(),
            Self::Time => {
                let fraction = format!("{:06}", value % 1_000_000);
                format!("{}.{}", value / 1_000_000, fraction.trim_end_matches('0'))
            }
        }
    }
}

/// The text of the metrics.
#[derive(Default)]
pub(crate) struct Page(String);

impl Page {
    /// What a metric is; its lines follow.
    fn begin(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    pub(crate) fn gauge(&mut self, name: &str, help: &str, value: i64) {
        self.begin(name, "gauge", help);
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.begin(name, "counter", help);
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn histogram(&mut self, name: &str, help: &str, unit: Unit, histogram: &Histogram) {
        self.begin(name, "histogram", help);
        let mut total = 0;
        for (n, bound) in BOUNDS.iter().enumerate() {
            total += histogram.all(|part| &part.buckets[n]);
            let _ = writeln!(self.0, "{name}_bucket{{le=\"{}\"}} {total}", unit.write(*bound));
        }
        let count = total + histogram.all(|part| &part.buckets[BOUNDS.len()]);
        let _ = writeln!(self.0, "{name}_bucket{{le=\"+Inf\"}} {count}");
        let _ = writeln!(self.0, "{name}_sum {}", unit.write(histogram.all(|part| &part.sum)));
        let _ = writeln!(self.0, "{name}_count {count}");
    }

    pub(crate) fn into_text(self) -> String {
        self.0
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
    refusals: Refusals,
}

/// Refusals by their codes.
struct Refusals {
    /// In the order of [`HouseCode::ALL`].
    house: Vec<AtomicU64>,
    games: Mutex<BTreeMap<Cow<'static, str>, u64>>,
}

/// How many codes of games are counted. They should be a bounded set; this makes sure of it.
const GAME_CODES_MAX: usize = 256;

impl Default for Refusals {
    fn default() -> Self {
        Self { house: HouseCode::ALL.iter().map(|_| AtomicU64::new(0)).collect(), games: Mutex::default() }
    }
}

impl Refusals {
    fn count(&self, code: &Code) {
        match code {
            Code::House(code) => {
                self.house[*code as usize].fetch_add(1, Ordering::Relaxed);
            }
            Code::Game(text) => {
                if let Ok(mut games) = self.games.lock()
                    && (games.len() < GAME_CODES_MAX || games.contains_key(text))
                {
                    *games.entry(text.clone()).or_default() += 1;
                }
            }
        }
    }

    /// How often each text was said. A game's text counts with the house's that is the same.
    fn all(&self) -> BTreeMap<Cow<'static, str>, u64> {
        let mut all = self.games.lock().map(|games| games.clone()).unwrap_or_default();
        for (code, count) in HouseCode::ALL.iter().zip(&self.house) {
            let count = count.load(Ordering::Relaxed);
            if count > 0 {
                *all.entry(code.text().into()).or_default() += count;
            }
        }
        all
    }
}

impl Metrics {
    pub(crate) fn refused(&self, code: &Code) {
        self.refusals.count(code);
    }

    /// Everything that is counted here.
    pub(crate) fn page(&self) -> Page {
        let mut page = Page::default();
        for (name, histogram, unit, help) in [
            (
                "parlor_queue_seconds",
                &self.queue,
                Unit::Time,
                "How long a command waited in a table's mailbox.",
            ),
            ("parlor_apply_seconds", &self.apply, Unit::Time, "How long a table took to apply a command."),
            (
                "parlor_commit_seconds",
                &self.commit,
                Unit::Time,
                "From submitting a write to the store's result.",
            ),
            (
                "parlor_encode_seconds",
                &self.encode,
                Unit::Time,
                "How long a message that is not shared was encoded.",
            ),
            (
                "parlor_batch_records",
                &self.batch,
                Unit::Number,
                "Records that one table submitted in one write.",
            ),
            (
                "parlor_outbox_messages",
                &self.outbox,
                Unit::Number,
                "Messages in an outbox when one more came.",
            ),
        ] {
            page.histogram(name, help, unit, histogram);
        }
        for (name, gauge, help) in [
            ("parlor_connections", &self.connections, "Open WebSocket connections."),
            ("parlor_tables", &self.tables, "Tables in memory."),
            (
                "parlor_certificate_until_seconds",
                &self.certificate_until,
                "When the certificate ends, in seconds since 1970; 0 without one.",
            ),
        ] {
            page.gauge(name, help, gauge.load(Ordering::Relaxed));
        }
        for (name, counter, help) in [
            ("parlor_frames_in_total", &self.frames_in, "Frames that clients sent."),
            ("parlor_frames_out_total", &self.frames_out, "Frames sent to clients."),
            (
                "parlor_slow_clients_total",
                &self.slow_clients,
                "Clients that were cut off because they did not read.",
            ),
        ] {
            page.counter(name, help, counter.load(Ordering::Relaxed));
        }
        page.begin("parlor_refusals_total", "counter", "Refusals that clients were sent, by their code.");
        for (code, count) in self.refusals.all() {
            let _ = writeln!(page.0, "parlor_refusals_total{{code=\"{code}\"}} {count}");
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_one_line_whoever_says_it() {
        let metrics = Metrics::default();
        for code in [Code::from(HouseCode::Stale), Code::from("stale"), Code::from("cards")] {
            metrics.refused(&code);
        }
        let text = metrics.page().into_text();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("parlor_refusals")).collect();
        let expected = ["parlor_refusals_total{code=\"cards\"} 1", "parlor_refusals_total{code=\"stale\"} 2"];
        assert_eq!(lines, expected);
    }

    #[test]
    fn what_many_threads_count_is_counted_together() {
        let histogram = Histogram::default();
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| [3, 7, 7, 1_000_000].into_iter().for_each(|value| histogram.add(value)));
            }
        });
        let mut page = Page::default();
        page.histogram("t", "A number.", Unit::Number, &histogram);
        page.histogram("s", "A time.", Unit::Time, &histogram);
        let text = page.into_text();
        for line in ["t_bucket{le=\"5\"} 6", "t_bucket{le=\"10\"} 18", "t_bucket{le=\"250000\"} 18"] {
            assert!(text.contains(line), "{text}");
        }
        for line in ["t_bucket{le=\"+Inf\"} 24", "t_sum 6000102", "t_count 24"] {
            assert!(text.contains(line), "{text}");
        }
        for line in
            ["s_bucket{le=\"0.000005\"} 6", "s_bucket{le=\"0.25\"} 18", "s_sum 6.000102", "s_count 24"]
        {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn every_metric_says_what_it_is_and_counts_in_base_units() {
        let text = Metrics::default().page().into_text();
        for kind in text.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
            let (name, kind) = kind.split_once(' ').expect("a name and a kind");
            assert!(text.contains(&format!("# HELP {name} ")), "{name}");
            assert_eq!(kind == "counter", name.ends_with("_total"), "{name}");
            assert!(!["_us", "_ms", "_depth"].iter().any(|unit| name.ends_with(unit)), "{name}");
        }
    }
}
