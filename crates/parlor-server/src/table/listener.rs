//! A viewer's connection at a table: its outbox, and how long it has been behind.

use std::time::{Duration, Instant};

use parlor_core::Viewer;
use parlor_store::PlayerId;

use crate::net::outbox::{Out, Outbox, Put};

/// Connections that stay behind this long are cut off.
const BEHIND_MAX: Duration = Duration::from_secs(15);

/// A spectator who may take a seat.
pub(super) struct Guest {
    pub(super) name: String,
    pub(super) token: Option<String>,
    pub(super) player: Option<PlayerId>,
    pub(super) invite: Option<String>,
}

pub(super) struct Listener {
    pub(super) out: Outbox,
    pub(super) viewer: Viewer,
    /// Who a spectator is, should they take a seat.
    pub(super) guest: Option<Box<Guest>>,
    program: bool,
    /// Since when messages to it are dropped.
    behind_since: Option<Instant>,
}

/// The result of delivering a message.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Delivered {
    /// In the outbox, behind this many others.
    Taken(usize),
    /// The connection is behind, and will get a snapshot; or it is gone.
    Missed,
    /// The connection has been behind for too long.
    TooSlow,
}

impl Listener {
    pub(super) fn new(out: Outbox, viewer: Viewer) -> Self {
        Self { out, viewer, guest: None, program: false, behind_since: None }
    }

    /// For a program that plays a seat.
    pub(super) fn of_program(out: Outbox, viewer: Viewer) -> Self {
        Self { program: true, ..Self::new(out, viewer) }
    }

    pub(super) fn is_program(&self) -> bool {
        self.program
    }

    pub(super) fn is_player(&self) -> bool {
        self.viewer != Viewer::Gallery && !self.program
    }

    /// Puts a table's message into the outbox.
    pub(super) fn deliver(&mut self, out: Out) -> Delivered {
        match self.out.put_numbered(out) {
            Put::Taken(waiting) => Delivered::Taken(waiting),
            Put::Dropped => {
                let since = *self.behind_since.get_or_insert_with(Instant::now);
                if since.elapsed() > BEHIND_MAX { Delivered::TooSlow } else { Delivered::Missed }
            }
            Put::Gone => Delivered::Missed,
        }
    }

    /// The connection has read its outbox and is about to get a snapshot.
    pub(super) fn caught_up(&mut self) {
        self.out.caught_up();
        self.behind_since = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_stays_behind_too_long_is_too_slow_until_he_has_caught_up() {
        let (out, mut rx, _behind) = Outbox::new(1);
        let mut listener = Listener::new(out, Viewer::Gallery);
        assert_eq!(listener.deliver(Out::Unseated), Delivered::Taken(0));
        assert_eq!(listener.deliver(Out::Unseated), Delivered::Missed);
        listener.behind_since = Instant::now().checked_sub(BEHIND_MAX + Duration::from_secs(1));
        assert_eq!(listener.deliver(Out::Unseated), Delivered::TooSlow);
        assert!(rx.try_recv().is_some() && rx.try_recv().is_none(), "what was missed is not sent later");
        assert_eq!(
            listener.deliver(Out::Unseated),
            Delivered::TooSlow,
            "there is room, and he does not know"
        );
        listener.caught_up();
        assert_eq!(listener.deliver(Out::Unseated), Delivered::Taken(0));
        drop(rx);
        assert_eq!(listener.deliver(Out::Unseated), Delivered::Missed, "nobody is there");
    }
}
