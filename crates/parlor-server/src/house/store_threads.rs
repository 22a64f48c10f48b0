//! Work that blocks on the store, outside of the threads that serve connections. Only so much of it runs at a time: many who
//! come at once wait a little for each other, where a thread for each of them would keep memory for long.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

/// How many pieces of work run at a time: the store keeps a connection for as many readers.
const AT_ONCE_MAX: usize = 4;

/// A share of the threads for one kind of work: what waits for writes does not keep those waiting who only read.
#[derive(Clone)]
pub(crate) struct StoreThreads(Arc<Semaphore>);

impl Default for StoreThreads {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE_MAX)))
    }
}

impl StoreThreads {
    /// Runs a function that blocks. It is run to its end even if nobody waits for it any more.
    ///
    /// # Errors
    /// It panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        let turn = self.0.clone().acquire_owned().await;
        spawn_blocking(move || {
            let _turn = turn;
            work()
        })
        .await
    }
}
