//! What the gallery of a table that is held back will be told, in the order in which it happened.

use std::collections::VecDeque;
use std::time::Instant;

use parlor_host::ConnId;

use crate::net::outbox::Out;

/// Messages that wait for the gallery of one table.
const LATE_MAX: usize = 100_000;

/// Messages with their time and whom they are for. The delay of a table is always the same: the first is due first.
#[derive(Default)]
pub(super) struct SpectatorDelay(VecDeque<(Instant, ConnId, Out)>);

impl SpectatorDelay {
    /// Keeps something until its time has come.
    pub(super) fn hold(&mut self, until: Instant, conn: ConnId, out: Out) {
        // Whoever missed something asks for a snapshot when it is next sent anything.
        if self.0.len() < LATE_MAX {
            self.0.push_back((until, conn, out));
        }
    }

    /// When the first is due.
    pub(super) fn next(&self) -> Option<Instant> {
        self.0.front().map(|(at, ..)| *at)
    }

    /// Takes the first whose time has come.
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
