//! What waits for one connection: bounded, so that a client that does not read costs nobody else anything.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parlor_core::Seat;
use parlor_wire::{EncodedMessage, LobbyNews};

use crate::net::bounded_queue::{self, Receiver, Refused, Sender};
use crate::table::TableHandle;

/// Something for a connection. What is rare and large is boxed: every outbox has room for several of these, and every
/// connection's task holds a few on their way.
pub(crate) enum Out {
    /// A message of a table; `wall_at_zero` is the wall clock, in milliseconds since 1970, at match time 0.
    Message { message: Arc<EncodedMessage>, wall_at_zero: i64 },
    /// A message of the session.
    Session(Box<LobbyNews>),
    /// The connection's table has started.
    Started(Box<Started>),
    /// The connection has no place in its room any more.
    Unseated,
    /// Close with this code and reason.
    Close(u16, &'static str),
}

/// A table that has started, and where the connection sits there.
pub(crate) struct Started {
    pub(crate) id: String,
    pub(crate) handle: TableHandle,
    pub(crate) seat: Seat,
}

impl Out {
    /// A message of the session.
    pub(crate) fn news(news: LobbyNews) -> Self {
        Self::Session(Box::new(news))
    }
}

/// The sending end, held by a table or a room.
#[derive(Clone)]
pub(crate) struct Outbox {
    tx: Sender<Out>,
    /// Set when something was dropped: the connection asks for a snapshot once it has caught up.
    behind: Arc<AtomicBool>,
}

/// What became of a message.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Put {
    /// Taken, behind so many others.
    Taken(usize),
    /// Dropped: the connection is behind and will be brought up to date at once, later.
    Dropped,
    Gone,
}

impl Outbox {
    pub(crate) fn new(size: usize) -> (Self, Receiver<Out>, Arc<AtomicBool>) {
        let (tx, rx) = bounded_queue::channel(size);
        let behind = Arc::new(AtomicBool::new(false));
        (Self { tx, behind: behind.clone() }, rx, behind)
    }

    /// Puts a message of a table; once one was dropped, all are until the connection has caught up. The connection
    /// hears of it with [`Outbox::ring`]: what is made together is to be written together.
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

    /// Tells the connection that there is something for it.
    pub(crate) fn ring(&self) {
        self.tx.ring();
    }

    /// The snapshot that brings a connection up to date again.
    pub(crate) fn caught_up(&self) {
        self.behind.store(false, Ordering::Release);
    }

    /// Puts a message of the session; a full outbox loses it, as a closed one does.
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
