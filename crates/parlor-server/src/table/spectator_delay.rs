//! Messages to the gallery of a table with a spectator delay, in the order in which they were sent.

use std::collections::VecDeque;
use std::time::Instant;

use parlor_host::ConnId;

use crate::net::outbox::Out;

/// The largest number of messages held back at one table.
const LATE_MAX: usize = 100_000;

/// Messages with their due time and connection. A table's delay is constant: the first is due first.
#[derive(Default)]
pub(super) struct SpectatorDelay(VecDeque<(Instant, ConnId, Out)>);

impl SpectatorDelay {
    /// Holds a message back until this time.
    pub(super) fn hold(&mut self, until: Instant, conn: ConnId, out: Out) {
        // A connection that missed one asks for a snapshot when it is next sent a message.
        if self.0.len() < LATE_MAX {
            self.0.push_back((until, conn, out));
        }
    }

    /// When the first message is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.0.front().map(|(at, ..)| *at)
    }

    /// Takes the first message if it is due.
    pub(super) fn due(&mut self, now: Instant) -> Option<(ConnId, Out)> {
        self.0.pop_front_if(|(at, ..)| *at <= now).map(|(_, conn, out)| (conn, out))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_gallery_is_told_in_order_and_never_too_early() {
        let (mut spectator_delay, start) = (SpectatorDelay::default(), Instant::now());
        let after = |ms| start + Duration::from_millis(ms);
        assert!(spectator_delay.next().is_none() && spectator_delay.due(start).is_none());
        for n in 1..=3 {
            spectator_delay.hold(after(n * 10), ConnId(n), Out::Unseated);
        }
        assert_eq!(spectator_delay.next(), Some(after(10)));
        assert!(spectator_delay.due(after(9)).is_none());
        let told: Vec<u64> =
            std::iter::from_fn(|| spectator_delay.due(after(20))).map(|(conn, _)| conn.0).collect();
        assert_eq!((told, spectator_delay.next()), (vec![1, 2], Some(after(30))));
    }

    #[test]
    fn what_waits_is_bounded() {
        let (mut spectator_delay, now) = (SpectatorDelay::default(), Instant::now());
        for _ in 0..=LATE_MAX {
            spectator_delay.hold(now, ConnId(1), Out::Unseated);
        }
        assert_eq!(spectator_delay.0.len(), LATE_MAX);
    }
}
