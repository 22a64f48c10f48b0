//! Reading: on connections of their own, which see what is committed and nothing else. They are driven by a thread of the
//! store; the caller only waits.

use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future::{Either, select};
use parlor_store::ReadError;
use tokio::runtime::Runtime;

use crate::cluster::Cluster;
use crate::conn::{Conn, wait};
use crate::fault::{Fault, Result};

/// Connections kept open for reading; more are opened when needed and closed again.
const READERS_KEPT_MAX: usize = 8;
/// How long a read waits for a primary.
const READ_WITHIN: Duration = Duration::from_secs(30);
/// How long it waits before it connects again.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) struct Readers {
    cluster: Arc<Cluster>,
    /// None once the store is being dropped.
    runtime: Option<Runtime>,
    /// Each with the count of moves at which it was made.
    kept: Mutex<Vec<(u64, Conn)>>,
}

impl Readers {
    pub(crate) fn new(cluster: Arc<Cluster>, runtime: Runtime) -> Self {
        Self { cluster, runtime: Some(runtime), kept: Mutex::default() }
    }

    /// Reads; where the connection breaks or the writer goes to another primary, once more from there.
    pub(crate) fn look<T>(
        &self,
        read: impl AsyncFn(&Conn) -> Result<T>,
    ) -> std::result::Result<T, ReadError> {
        let started = Instant::now();
        loop {
            match wait(self.look_once(&read)) {
                Ok(result) => return Ok(result),
                Err(fault) if fault.breaks() && started.elapsed() < READ_WITHIN => std::thread::sleep(PAUSE),
                Err(fault) => return Err(fault.read_error()),
            }
        }
    }

    async fn look_once<T>(&self, read: impl AsyncFn(&Conn) -> Result<T>) -> Result<T> {
        let mut moves = self.cluster.moves();
        let now = *moves.borrow_and_update();
        let conn = match self.kept(now) {
            Some(conn) => conn,
            None => self.connect().await?,
        };
        let result = match select(pin!(read(&conn)), pin!(moves.changed())).await {
            Either::Left((result, _)) => result,
            // What the old primary would say may be out of date.
            Either::Right(_) => Err(Fault::GivenUp),
        };
        if result.is_ok() {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.len() < READERS_KEPT_MAX {
                kept.push((now, conn));
            }
        }
        result
    }

    fn kept(&self, now: u64) -> Option<Conn> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(moves, _)| *moves == now);
        kept.pop().map(|(_, conn)| conn)
    }

    async fn connect(&self) -> Result<Conn> {
        let Some(runtime) = &self.runtime else { return Err(Fault::GivenUp) };
        let cluster = self.cluster.clone();
        let conn = runtime.spawn(async move { cluster.connect().await }).await;
        conn.unwrap_or(Err(Fault::GivenUp))
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clear();
        // The last handle may be dropped on a thread that must not wait for another runtime.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
