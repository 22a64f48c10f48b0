//! Whether viewers are connected: a match whose last player has gone is paused and given up after a grace period, and
//! a table without viewers may leave memory.
//!
//! Apart from the task, because the two facts change together and only in these ways.

use std::time::{Duration, Instant};

/// Which viewers are missing, and since when.
pub(super) struct Presence {
    /// Since when there is no viewer, or, if only the gallery is left, no player.
    nobody_since: Option<Instant>,
    /// Whether the match is paused until a player comes back.
    waits: bool,
}

impl Presence {
    /// For a table without viewers so far.
    pub(super) fn nobody() -> Self {
        Self { nobody_since: Some(Instant::now()), waits: false }
    }

    /// A viewer has come. Returns whether they are a player for whom the match was paused.
    pub(super) fn came(&mut self, player: bool) -> bool {
        self.nobody_since = None;
        player && std::mem::take(&mut self.waits)
    }

    /// A viewer has gone. `anybody`: viewers are left; `missed`: a player is missing who could come back. Returns
    /// whether to pause the match.
    pub(super) fn went(&mut self, anybody: bool, missed: bool) -> bool {
        if !anybody {
            self.nobody_since = Some(Instant::now());
        }
        if !missed || self.waits {
            return false;
        }
        self.waits = true;
        self.nobody_since.get_or_insert_with(Instant::now);
        true
    }

    /// Whether the match is paused until a player comes back.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// When waiting for a player ends.
    pub(super) fn waits_until(&self, grace: Duration) -> Option<Instant> {
        self.nobody_since.filter(|_| self.waits).map(|since| since + grace)
    }

    /// Whether no player came back in time. Returns true once.
    pub(super) fn given_up(&mut self, grace: Duration) -> bool {
        let over = self.waits && self.nobody_for(grace);
        self.waits &= !over;
        over
    }

    /// Gives a table up again: the store could not record it the first time.
    pub(super) fn give_up_again(&mut self) {
        self.waits |= self.nobody_since.is_some();
    }

    /// Whether there was no viewer for this long.
    pub(super) fn nobody_for(&self, time: Duration) -> bool {
        self.nobody_since.is_some_and(|since| since.elapsed() >= time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: Duration = Duration::from_secs(5);

    /// The same presence a minute later.
    fn a_minute_later(mut presence: Presence) -> Presence {
        presence.nobody_since = presence.nobody_since.and_then(|at| at.checked_sub(Duration::from_secs(60)));
        presence
    }

    #[test]
    fn a_match_waits_for_its_last_player_and_goes_on_when_he_is_back() {
        let mut presence = Presence::nobody();
        assert!(!presence.came(true), "nobody was waited for");
        assert!(presence.went(false, true), "it stands still");
        assert!(!presence.went(false, true), "it does so already");
        assert!(!presence.came(false), "a spectator is not waited for");
        assert!(presence.waits() && presence.came(true) && !presence.waits());
    }

    #[test]
    fn whoever_is_not_missed_is_not_waited_for() {
        let mut presence = Presence::nobody();
        presence.came(true);
        assert!(!presence.went(false, false) && !presence.waits());
        assert!(a_minute_later(presence).nobody_for(GRACE), "the table may go all the same");
    }

    #[test]
    fn a_match_is_given_up_once_when_the_grace_is_over() {
        let mut presence = Presence::nobody();
        presence.came(true);
        presence.went(true, true);
        assert!(presence.waits_until(GRACE).is_some_and(|until| until > Instant::now()));
        assert!(!presence.given_up(GRACE));
        let mut presence = a_minute_later(presence);
        assert!(presence.given_up(GRACE) && !presence.given_up(GRACE));
        assert_eq!(presence.waits_until(GRACE), None);
        presence.give_up_again();
        assert!(presence.given_up(GRACE), "it could not be stored");
    }
}
