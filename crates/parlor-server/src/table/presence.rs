//! Whether viewers are connected: a match whose last player has gone is paused and given up after a grace period, one whose
//! players never came is given up after the same, and a table without viewers may leave memory.
//!
//! Apart from the task, because these facts change together and only in these ways. Times are the server's clock, in
//! milliseconds: while the process stands still nobody is missed.

/// Which viewers are missing, and since when.
pub(super) struct Presence {
    /// Since when there is no viewer.
    no_viewer_since: Option<u64>,
    /// Since when no player is connected, and why. A player without a socket is there whenever they ask for something.
    no_player: Option<(u64, Missing)>,
    /// Whether the match is paused until a player comes back.
    waits: bool,
    /// Whether the match was given up.
    given_up: bool,
}

/// How long a table waits whose players the server itself has lost, by stopping: they did not go.
pub(crate) const AFTER_RESTART_MS: u64 = 24 * 60 * 60 * 1000;

/// Why no player is connected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Missing {
    /// None has come yet, or they have no sockets.
    NotCome,
    /// The last of them has gone.
    Left,
    /// The table was loaded: perhaps it was the server that went.
    Restored,
}

/// How long tables wait for their players.
#[derive(Clone, Copy)]
pub(super) struct Graces {
    /// What the table itself says.
    pub(super) own: u64,
    /// What the server says.
    pub(super) usual: u64,
}

impl Graces {
    fn after(self, missing: Missing) -> u64 {
        match missing {
            Missing::Left => self.own,
            Missing::NotCome => self.own.max(self.usual),
            Missing::Restored => self.own.max(AFTER_RESTART_MS),
        }
    }
}

impl Presence {
    /// For a table without viewers so far.
    pub(super) fn nobody(now: u64, why: Missing) -> Self {
        Self { no_viewer_since: Some(now), no_player: Some((now, why)), waits: false, given_up: false }
    }

    /// A viewer has come. Returns whether they are a player for whom the match was paused.
    pub(super) fn came(&mut self, player: bool) -> bool {
        self.no_viewer_since = None;
        if !player {
            return false;
        }
        (self.no_player, self.given_up) = (None, false);
        std::mem::take(&mut self.waits)
    }

    /// A player without a socket has asked for something: they look at the table as if they had one.
    pub(super) fn heard_of(&mut self, now: u64) {
        self.no_viewer_since = self.no_viewer_since.map(|_| now);
        if !self.waits && self.no_player.is_some() {
            (self.no_player, self.given_up) = (Some((now, Missing::NotCome)), false);
        }
    }

    /// A viewer has gone. `viewers` and `players` say who is left; `missed`: a player is missing who could come back.
    /// Returns whether to pause the match.
    pub(super) fn went(&mut self, now: u64, viewers: bool, players: bool, missed: bool) -> bool {
        if !viewers {
            self.no_viewer_since = Some(now);
        }
        if !players {
            self.no_player.get_or_insert((now, Missing::Left));
        }
        if !missed || self.waits {
            return false;
        }
        self.waits = true;
        true
    }

    /// Whether the match is paused until a player comes back.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// When the match is given up, if no player comes.
    pub(super) fn given_up_at(&self, graces: Graces) -> Option<u64> {
        let (since, why) = self.no_player.filter(|_| !self.given_up)?;
        Some(since.saturating_add(graces.after(why)))
    }

    /// Whether no player came in time. Returns true once.
    pub(super) fn gives_up(&mut self, now: u64, graces: Graces) -> bool {
        let over = self.given_up_at(graces).is_some_and(|at| now >= at);
        self.given_up |= over;
        self.waits &= !over;
        over
    }

    /// Whether no player is there, so that a match in the store alone may be given up.
    pub(super) fn has_no_player(&self) -> bool {
        self.no_player.is_some()
    }

    /// Gives a table up again: the store could not record it the first time.
    pub(super) fn give_up_again(&mut self) {
        self.given_up = false;
    }

    /// Whether there was no viewer for this long.
    pub(super) fn nobody_for(&self, now: u64, ms: u64) -> bool {
        self.no_viewer_since.is_some_and(|since| now.saturating_sub(since) >= ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRACE: u64 = 5_000;
    const GRACES: Graces = Graces { own: GRACE, usual: 1_000 };
    const START: u64 = 1_000;
    const A_MINUTE_LATER: u64 = START + 60_000;

    #[test]
    fn a_match_waits_for_its_last_player_and_goes_on_when_they_are_back() {
        let mut presence = Presence::nobody(START, Missing::NotCome);
        assert!(!presence.came(true), "nobody was waited for");
        assert!(presence.went(START, false, false, true), "it is paused");
        assert!(!presence.went(START, false, false, true), "it is already");
        assert!(!presence.came(false), "a spectator is not waited for");
        assert!(presence.waits() && presence.came(true) && !presence.waits());
    }

    #[test]
    fn a_player_who_is_not_missed_is_not_waited_for() {
        let mut presence = Presence::nobody(START, Missing::NotCome);
        presence.came(true);
        assert!(!presence.went(START, false, false, false) && !presence.waits());
        assert!(!presence.nobody_for(START + GRACE - 1, GRACE));
        assert!(presence.nobody_for(START + GRACE, GRACE), "the table may go all the same");
    }

    #[test]
    fn a_match_is_given_up_once_when_the_grace_is_over() {
        // cites 003/R9
        let mut presence = Presence::nobody(START, Missing::NotCome);
        presence.came(true);
        assert_eq!(presence.given_up_at(GRACES), None, "while a player is there");
        presence.went(START, true, false, true);
        assert_eq!(presence.given_up_at(GRACES), Some(START + GRACE));
        assert!(!presence.gives_up(START, GRACES));
        assert!(presence.gives_up(A_MINUTE_LATER, GRACES) && !presence.gives_up(A_MINUTE_LATER, GRACES));
        assert_eq!(presence.given_up_at(GRACES), None);
        presence.give_up_again();
        assert!(presence.gives_up(A_MINUTE_LATER, GRACES), "it could not be stored");
    }

    #[test]
    fn a_match_whose_players_never_came_is_given_up_too() {
        // cites 003/R9
        let mut presence = Presence::nobody(START, Missing::NotCome);
        presence.came(false);
        assert_eq!(presence.given_up_at(GRACES), Some(START + GRACE), "a spectator keeps nothing alive");
        presence.heard_of(START + 4_000);
        assert!(!presence.gives_up(START + GRACE, GRACES), "a player without a socket has moved");
        assert!(presence.gives_up(START + 4_000 + GRACE, GRACES), "and is gone since");
    }

    #[test]
    fn a_player_without_a_socket_keeps_the_table_in_memory() {
        let mut presence = Presence::nobody(START, Missing::NotCome);
        presence.heard_of(START + 4_000);
        assert!(!presence.nobody_for(START + 5_000, 2_000));
        assert!(presence.nobody_for(START + 6_000, 2_000));
    }

    #[test]
    fn who_has_not_come_yet_has_at_least_the_usual_time_and_a_restart_does_not_count() {
        let graces = Graces { own: 0, usual: 1_000 };
        let at = |why| Presence::nobody(START, why).given_up_at(graces);
        assert_eq!(at(Missing::NotCome), Some(START + 1_000));
        assert_eq!(at(Missing::Restored), Some(START + AFTER_RESTART_MS));
        let mut presence = Presence::nobody(START, Missing::NotCome);
        presence.came(true);
        presence.went(START, false, false, true);
        assert_eq!(presence.given_up_at(graces), Some(START), "the last has left: the table's own time");
    }
}
