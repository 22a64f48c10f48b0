//! Whether viewers are connected: a match whose last player has gone is paused and given up after a grace period, and
//! a table without viewers may leave memory.
//!
//! Apart from the task, because the two facts change together and only in these ways. Times are the server's clock, in
//! milliseconds: while the process stands still nobody is missed.

/// Which viewers are missing, and since when.
pub(super) struct Presence {
    /// Since when there is no viewer, or, if only the gallery is left, no player.
    nobody_since: Option<u64>,
    /// Whether the match is paused until a player comes back.
    waits: bool,
}

impl Presence {
    /// For a table without viewers so far.
    pub(super) fn nobody(now: u64) -> Self {
        Self { nobody_since: Some(now), waits: false }
    }

    /// A viewer has come. Returns whether they are a player for whom the match was paused.
    pub(super) fn came(&mut self, player: bool) -> bool {
        self.nobody_since = None;
        player && std::mem::take(&mut self.waits)
    }

    /// A viewer has gone. `anybody`: viewers are left; `missed`: a player is missing who could come back. Returns
    /// whether to pause the match.
    pub(super) fn went(&mut self, now: u64, anybody: bool, missed: bool) -> bool {
        if !anybody {
            self.nobody_since = Some(now);
        }
        if !missed || self.waits {
            return false;
        }
        self.waits = true;
        self.nobody_since.get_or_insert(now);
        true
    }

    /// Whether the match is paused until a player comes back.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// When waiting for a player ends.
    pub(super) fn waits_until(&self, grace_ms: u64) -> Option<u64> {
        self.nobody_since.filter(|_| self.waits).map(|since| since.saturating_add(grace_ms))
    }

    /// Whether no player came back in time. Returns true once.
    pub(super) fn given_up(&mut self, now: u64, grace_ms: u64) -> bool {
        let over = self.waits && self.nobody_for(now, grace_ms);
        self.waits &= !over;
        over
    }

    /// Gives a table up again: the store could not record it the first time.
    pub(super) fn give_up_again(&mut self) {
        self.waits |= self.nobody_since.is_some();
    }

    /// Whether there was no viewer for this long.
    pub(super) fn nobody_for(&self, now: u64, ms: u64) -> bool {
        self.nobody_since.is_some_and(|since| now.saturating_sub(since) >= ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: u64 = 5_000;
    const START: u64 = 1_000;
    const A_MINUTE_LATER: u64 = START + 60_000;

    #[test]
    fn a_match_waits_for_its_last_player_and_goes_on_when_they_are_back() {
        let mut presence = Presence::nobody(START);
        assert!(!presence.came(true), "nobody was waited for");
        assert!(presence.went(START, false, true), "it is paused");
        assert!(!presence.went(START, false, true), "it is already");
        assert!(!presence.came(false), "a spectator is not waited for");
        assert!(presence.waits() && presence.came(true) && !presence.waits());
    }

    #[test]
    fn a_player_who_is_not_missed_is_not_waited_for() {
        let mut presence = Presence::nobody(START);
        presence.came(true);
        assert!(!presence.went(START, false, false) && !presence.waits());
        assert!(!presence.nobody_for(START + GRACE - 1, GRACE));
        assert!(presence.nobody_for(START + GRACE, GRACE), "the table may go all the same");
    }

    #[test]
    fn a_match_is_given_up_once_when_the_grace_is_over() {
        let mut presence = Presence::nobody(START);
        presence.came(true);
        presence.went(START, true, true);
        assert_eq!(presence.waits_until(GRACE), Some(START + GRACE));
        assert!(!presence.given_up(START, GRACE));
        assert!(presence.given_up(A_MINUTE_LATER, GRACE) && !presence.given_up(A_MINUTE_LATER, GRACE));
        assert_eq!(presence.waits_until(GRACE), None);
        presence.give_up_again();
        assert!(presence.given_up(A_MINUTE_LATER, GRACE), "it could not be stored");
    }
}
