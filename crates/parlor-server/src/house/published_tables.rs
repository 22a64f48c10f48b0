//! The threads on which tables of published rulesets run. Such rules may use up their fuel at every input: they get
//! threads of their own, which yield to those of all other tables.

use std::sync::OnceLock;

use tokio::runtime::{Builder, Runtime};

/// How far the threads step back behind the others: a thread with this nice value gets a tenth of the time of one with
/// none, where both want a core.
const NICE: i32 = 10;
/// One table may keep a thread busy; the others share what is left.
const THREADS: usize = 2;

/// Runs tables of published rulesets. The threads are started with the first one.
#[derive(Default)]
pub(crate) struct PublishedTables(OnceLock<Option<Runtime>>);

impl PublishedTables {
    /// Runs a table's task.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        match self.0.get_or_init(threads) {
            Some(runtime) => runtime.spawn(task),
            None => tokio::spawn(task),
        };
    }
}

fn threads() -> Option<Runtime> {
    let built = Builder::new_multi_thread()
        .worker_threads(THREADS)
        .thread_name("published")
        .on_thread_start(|| {
            // On Linux the nice value is the thread's own. A system that refuses it runs them like all others.
            let _ = rustix::process::nice(NICE);
        })
        .enable_all()
        .build();
    built
        .inspect_err(|error| tracing::error!(%error, "published rulesets share the threads of all others"))
        .ok()
}

impl Drop for PublishedTables {
    fn drop(&mut self) {
        // A runtime that is dropped the usual way waits for its threads, and may not do that on another's.
        if let Some(Some(runtime)) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
