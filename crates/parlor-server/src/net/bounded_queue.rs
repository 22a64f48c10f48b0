//! A bounded queue with one reader: the mailbox of a table, the outbox of a connection.
//!
//! There are thousands of them, and most are empty most of the time: an empty one keeps no buffer for later items.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use tokio::sync::Notify;

/// The largest capacity that an empty queue keeps, in items.
const KEPT_ITEMS_MAX: usize = 8;

struct State<T> {
    items: VecDeque<T>,
    /// Woken when an item arrives.
    reader: Option<Waker>,
    closed: bool,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    items_max: usize,
    senders: AtomicUsize,
    /// Notified when there is room again, or the reader is gone.
    room: Notify,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ring(&self) {
        let reader = self.lock().reader.take();
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

/// Why an item was not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    Full,
    /// The reader is gone.
    Closed,
}

/// Creates a queue for at most this many items.
pub(crate) fn channel<T>(items_max: usize) -> (Sender<T>, Receiver<T>) {
    let state = Mutex::new(State { items: VecDeque::new(), reader: None, closed: false });
    let shared = Arc::new(Shared { state, items_max, senders: AtomicUsize::new(1), room: Notify::new() });
    (Sender(shared.clone()), Receiver(shared))
}

/// The sending end.
pub(crate) struct Sender<T>(Arc<Shared<T>>);

impl<T> Sender<T> {
    /// Adds an item if there is room; returns how many waited before it. Does not wake the reader: see
    /// [`Sender::ring`].
    pub(crate) fn put(&self, item: T) -> Result<usize, Refused> {
        self.put_or_return(item).map_err(|(refused, _)| refused)
    }

    fn put_or_return(&self, item: T) -> Result<usize, (Refused, T)> {
        let mut state = self.0.lock();
        let waiting = state.items.len();
        if state.closed {
            return Err((Refused::Closed, item));
        }
        if waiting >= self.0.items_max {
            return Err((Refused::Full, item));
        }
        state.items.push_back(item);
        Ok(waiting)
    }

    /// Wakes the reader.
    pub(crate) fn ring(&self) {
        self.0.ring();
    }

    /// Adds an item if there is room and wakes the reader, also for items that were added without waking it.
    pub(crate) fn try_send(&self, item: T) -> Result<(), Refused> {
        let taken = self.put(item);
        self.ring();
        taken.map(|_| ())
    }

    /// Adds an item as soon as there is room.
    pub(crate) async fn send(&self, mut item: T) -> Result<(), Refused> {
        loop {
            let room = self.0.room.notified();
            match self.put_or_return(item) {
                Ok(waiting) => {
                    if waiting + 1 < self.0.items_max {
                        // There may be room for the next waiting sender.
                        self.0.room.notify_one();
                    }
                    self.ring();
                    return Ok(());
                }
                Err((Refused::Closed, _)) => {
                    // The next waiting sender must learn that the queue is closed, too.
                    self.0.room.notify_one();
                    return Err(Refused::Closed);
                }
                Err((Refused::Full, back)) => item = back,
            }
            room.await;
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.0.lock().closed
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        self.0.senders.fetch_add(1, Ordering::Relaxed);
        Self(self.0.clone())
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        if self.0.senders.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.ring();
        }
    }
}

/// The receiving end.
pub(crate) struct Receiver<T>(Arc<Shared<T>>);

impl<T> Receiver<T> {
    /// The next item; `None` when the queue is empty and either closed or without senders.
    pub(crate) async fn recv(&mut self) -> Option<T> {
        poll_fn(|context| self.poll_recv(context)).await
    }

    fn poll_recv(&self, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = self.0.lock();
        if let Some(item) = self.take(&mut state) {
            return Poll::Ready(Some(item));
        }
        if state.closed || self.0.senders.load(Ordering::Acquire) == 0 {
            return Poll::Ready(None);
        }
        if state.reader.as_ref().is_none_or(|reader| !reader.will_wake(context.waker())) {
            state.reader = Some(context.waker().clone());
        }
        Poll::Pending
    }

    /// The next item, if there is one already.
    pub(crate) fn try_recv(&mut self) -> Option<T> {
        self.take(&mut self.0.lock())
    }

    fn take(&self, state: &mut State<T>) -> Option<T> {
        let full = state.items.len() >= self.0.items_max;
        let item = state.items.pop_front()?;
        if state.items.is_empty() && state.items.capacity() > KEPT_ITEMS_MAX {
            state.items = VecDeque::new();
        }
        if full {
            self.0.room.notify_one();
        }
        Some(item)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().items.is_empty()
    }

    /// A sending end for somebody whom the reader itself asks to answer.
    pub(crate) fn sender(&self) -> Sender<T> {
        self.0.senders.fetch_add(1, Ordering::Relaxed);
        Sender(self.0.clone())
    }

    /// Closes the queue: it accepts nothing more, but the items in it can still be read.
    pub(crate) fn close(&mut self) {
        self.0.lock().closed = true;
        self.0.room.notify_one();
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.close();
        // Dropped items may hold the sending ends of replies: callers who wait for one learn that none will come.
        let left = std::mem::take(&mut self.0.lock().items);
        drop(left);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn run<T>(test: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
        runtime.expect("there is a runtime").block_on(test)
    }

    #[test]
    fn what_is_put_in_comes_out_in_order_and_no_more_than_fits() {
        let (tx, mut rx) = channel(2);
        assert_eq!((tx.put(1), tx.put(2), tx.put(3)), (Ok(0), Ok(1), Err(Refused::Full)));
        assert_eq!((rx.try_recv(), tx.put(3).is_ok()), (Some(1), true));
        assert_eq!((rx.try_recv(), rx.try_recv(), rx.try_recv()), (Some(2), Some(3), None));
    }

    #[test]
    fn a_reader_that_waits_is_woken_by_a_ring() {
        run(async {
            let (tx, mut rx) = channel(4);
            let reading = tokio::spawn(async move { rx.recv().await });
            tokio::time::sleep(Duration::from_millis(20)).await;
            tx.put(7).expect("there is room");
            tx.ring();
            assert_eq!(reading.await.expect("it ends"), Some(7));
        });
    }

    #[test]
    fn many_senders_wait_for_room_and_all_get_through() {
        run(async {
            let (tx, mut rx) = channel(3);
            let senders: Vec<_> = (0..50)
                .map(|n| {
                    let tx = tx.clone();
                    tokio::spawn(async move { tx.send(n).await })
                })
                .collect();
            drop(tx);
            let mut got = Vec::new();
            while let Some(n) = rx.recv().await {
                got.push(n);
            }
            got.sort_unstable();
            assert_eq!(got, (0..50).collect::<Vec<_>>());
            for sender in senders {
                assert_eq!(sender.await.expect("it ends"), Ok(()));
            }
        });
    }

    #[test]
    fn whoever_waits_for_room_learns_that_nobody_reads_any_more() {
        run(async {
            let (tx, rx) = channel(1);
            tx.put(0).expect("there is room");
            let waiting: Vec<_> = (0..5)
                .map(|n| {
                    let tx = tx.clone();
                    tokio::spawn(async move { tx.send(n).await })
                })
                .collect();
            tokio::time::sleep(Duration::from_millis(20)).await;
            drop(rx);
            for sender in waiting {
                assert_eq!(sender.await.expect("it ends"), Err(Refused::Closed));
            }
            assert!(tx.is_closed());
            assert_eq!(tx.put(1), Err(Refused::Closed));
        });
    }

    #[test]
    fn what_waits_in_a_queue_that_was_closed_can_still_be_read() {
        run(async {
            let (tx, mut rx) = channel(4);
            tx.put(1).expect("there is room");
            rx.close();
            assert_eq!(tx.put(2), Err(Refused::Closed));
            assert_eq!((rx.recv().await, rx.recv().await), (Some(1), None));
        });
    }
}
