//! The messages for one connection: bounded, so that a client that does not read costs other clients nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parlor_core::Seat;
use parlor_wire::{CloseReason, EncodedMessage, LobbyNews};

use crate::net::bounded_queue::{self, Receiver, Refused, Sender};
use crate::table::TableHandle;

/// An item for a connection. Rare large items are boxed: every outbox has room for several, and every connection's
/// task holds a few.
pub(crate) enum Out {
    /// A table's message; `wall_at_zero` is the wall clock, in milliseconds since 1970, at match time 0.
    Message { message: Arc<EncodedMessage>, wall_at_zero: i64 },
    /// A lobby message.
    Session(Box<LobbyNews>),
    /// The connection's table has started.
    Started(Box<Started>),
    /// The connection has lost its place in its room.
    Unseated,
    /// Close for this reason.
    Close(CloseReason),
}

/// A table that has started, and the connection's seat.
pub(crate) struct Started {
    pub(crate) id: String,
    pub(crate) handle: TableHandle,
    pub(crate) seat: Seat,
}

impl Out {
    /// A lobby message.
    pub(crate) fn news(news: LobbyNews) -> Self {
        Self::Session(Box::new(news))
    }
}

/// The sending end, held by a table or a room.
#[derive(Clone)]
pub(crate) struct Outbox {
    tx: Sender<Out>,
    /// True once a message was dropped: the connection asks for a snapshot when it has caught up.
    behind: Arc<AtomicBool>,
}

/// The result of putting a message.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Put {
    /// Accepted, behind this many others.
    Taken(usize),
    /// Dropped: the connection is behind and will get a snapshot.
    Dropped,
    Gone,
}

impl Outbox {
    pub(crate) fn new(size: usize) -> (Self, Receiver<Out>, Arc<AtomicBool>) {
        let (tx, rx) = bounded_queue::channel(size);
        let behind = Arc::new(AtomicBool::new(false));
        (Self { tx, behind: behind.clone() }, rx, behind)
    }

    /// Puts a table's message. Once one was dropped, all are until the connection has caught up. Does not wake the
    /// connection, so that messages produced together are written together: see [`Outbox::ring`].
    pub(crate) fn put_numbered(&self, out: Out) -> Put {
        if self.behind.load(Ordering::Acquire) {
            return if self.tx.is_closed() { Put::Gone } else { Put::Dropped };
        }
        match self.tx.put(out) {
            Ok(waiting) => Put::Taken(waiting),
            Err(Refused::Full) => {
                self.behind.store(true, Ordering::Release);
                Put::Dropped
            }
            Err(Refused::Closed) => Put::Gone,
        }
    }

    /// Wakes the connection.
    pub(crate) fn ring(&self) {
        self.tx.ring();
    }

    /// Accepts messages again: the connection is about to get a snapshot.
    pub(crate) fn caught_up(&self) {
        self.behind.store(false, Ordering::Release);
    }

    /// Puts a lobby message; false if the outbox is full or closed.
    pub(crate) fn put(&self, out: Out) -> bool {
        self.tx.try_send(out).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::Out;

    #[test]
    fn what_waits_for_a_connection_is_small() {
        assert!(size_of::<Out>() <= 24, "{} bytes", size_of::<Out>());
    }
}
