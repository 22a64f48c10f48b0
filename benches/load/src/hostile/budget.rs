//! Half a core, and no more: a process that has used more than that waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::house;

/// The part of a core that the process may use.
const SHARE: f64 = 0.5;
/// How often it is looked at: what was left over longer ago than this is not made up for.
const WINDOW: Duration = Duration::from_secs(1);
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Whether the process may go on.
#[derive(Clone)]
pub(super) struct Budget {
    spent: Arc<AtomicBool>,
    until: Instant,
}

impl Budget {
    /// Watches this process from a thread of its own, until then.
    pub(super) fn watched(until: Instant) -> Self {
        let budget = Self { spent: Arc::default(), until };
        let spent = budget.spent.clone();
        std::thread::spawn(move || {
            let (mut began, mut cpu_began) = (Instant::now(), cpu_seconds());
            while Instant::now() < until {
                let (past, used) = (began.elapsed(), cpu_seconds() - cpu_began);
                spent.store(used > SHARE * past.as_secs_f64(), Ordering::Relaxed);
                // What was used too much is taken into the next window; what was left is not.
                if past >= WINDOW && used < SHARE * past.as_secs_f64() {
                    (began, cpu_began) = (Instant::now(), cpu_seconds());
                }
                std::thread::sleep(LOOK_EVERY);
            }
        });
        budget
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }

    pub(super) fn is_spent(&self) -> bool {
        self.spent.load(Ordering::Relaxed)
    }

    /// Waits until there is something left; says whether the time is over.
    pub(super) async fn take(&self) -> bool {
        while self.is_spent() && !self.is_over() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        !self.is_over()
    }
}

/// Processor time of this process.
pub(super) fn cpu_seconds() -> f64 {
    house::cpu_seconds("self")
}
