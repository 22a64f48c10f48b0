//! Threads for work that strangers can make as much of as they like: tables of published rulesets, whose rules may use up
//! their fuel at every input, and readers of long logs. They yield to the threads of all other tables.

use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// How far the threads step back behind the others: a thread with this nice value gets a tenth of the time of one with
/// none, where both want a core.
const NICE: i32 = 10;
/// One piece of work may keep a thread busy; the others share what is left.
const THREADS: usize = 2;

/// The threads, which are started with the first piece of work.
#[derive(Default)]
pub(crate) struct QuietThreads(OnceLock<Option<Runtime>>);

impl QuietThreads {
    /// Runs a task.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        match self.0.get_or_init(threads) {
            Some(runtime) => runtime.spawn(task),
            None => tokio::spawn(task),
        };
    }

    /// Runs a function that takes its time.
    pub(crate) fn spawn_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        match self.0.get_or_init(threads) {
            Some(runtime) => runtime.spawn_blocking(work),
            None => tokio::task::spawn_blocking(work),
        }
    }
}

fn threads() -> Option<Runtime> {
    let built = Builder::new_multi_thread()
        .worker_threads(THREADS)
        .max_blocking_threads(THREADS)
        .thread_name("quiet")
        .on_thread_start(|| {
            // On Linux the nice value is the thread's own. A system that refuses it runs them like all others.
            let _ = rustix::process::nice(NICE);
        })
        .enable_all()
        .build();
    built
        .inspect_err(
            |error| tracing::error!(%error, "there are no quiet threads: all work shares the others"),
        )
        .ok()
}

impl Drop for QuietThreads {
    fn drop(&mut self) {
        // A runtime that is dropped the usual way waits for its threads, and may not do that on another's.
        if let Some(Some(runtime)) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
