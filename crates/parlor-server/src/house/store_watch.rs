//! Whether the store is what it was and takes writes. Asked by probes from outside, and by the server itself while a
//! write has failed: readiness comes back when the fault is over, also where nobody plays.

use std::sync::Weak;
use std::time::{Duration, Instant};

use parlor_store::WriteError;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::house::hub::Hub;

/// How long an answer of the store counts: a probe costs a write to the disk.
const ANSWER_COUNTS_FOR: Duration = Duration::from_secs(1);
/// How long the store has to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

type Answer = Result<(), WriteError>;

/// The last probe.
#[derive(Default)]
pub(crate) struct StoreWatch(Mutex<LastProbe>);

#[derive(Default)]
struct LastProbe {
    answered: Option<(Instant, Answer)>,
    /// A probe that has not been answered in time. No second one is made beside it.
    pending: Option<JoinHandle<Answer>>,
}

impl Hub {
    /// Whether the store takes writes now.
    pub(crate) async fn store_ready(&self) -> Answer {
        let mut last = self.store_watch.0.lock().await;
        if let Some((at, answer)) = &last.answered
            && at.elapsed() < ANSWER_COUNTS_FOR
        {
            return answer.clone();
        }
        let store = self.store.clone();
        let mut probe =
            last.pending.take().unwrap_or_else(|| tokio::task::spawn_blocking(move || store.probe()));
        let answer = match tokio::time::timeout(ANSWER_WITHIN, &mut probe).await {
            Ok(answer) => answer.unwrap_or(Err(WriteError::Closed)),
            Err(_) => {
                last.pending = Some(probe);
                Err(WriteError::Io(format!("no answer for {} s", ANSWER_WITHIN.as_secs())))
            }
        };
        last.answered = Some((Instant::now(), answer.clone()));
        answer
    }
}

/// Asks a store that has failed until it takes writes again, for as long as the hub exists.
pub(crate) async fn watch_store(hub: Weak<Hub>) {
    loop {
        tokio::time::sleep(ANSWER_COUNTS_FOR).await;
        let Some(hub) = hub.upgrade().filter(|hub| !hub.stopping()) else { return };
        if hub.store.health().failing.is_some() && hub.store_ready().await.is_ok() {
            tracing::info!("the store takes writes again");
        }
    }
}
