//! Connections that join and leave a table: admission, listeners, and the pause when no player is left.

use parlor_core::{PauseReason, Seat, Viewer};
use parlor_host::{Command, ConnId};
use parlor_store::PlayerId;

use super::listener::Listener;
use super::{Join, JoinError, Joined, TableTask};
use crate::house::private_tables::Pass;
use crate::house::sessions::Session;
use crate::net::outbox::Outbox;

impl TableTask {
    pub(super) fn join(&mut self, join: Join) {
        let Join { conn, name, token, player, invite, spectate, last_v, last_chat, out, reply } = join;
        let joined = self.admit(token.as_deref(), player.as_ref(), invite.as_deref(), spectate);
        match joined {
            Ok(joined) => {
                let viewer = joined.viewer;
                // The welcome must be in the outbox before the table's first message.
                if reply.send(Ok(joined)).is_ok() {
                    // Who comes back with what they have misses what came after it.
                    let heard = if last_v.is_some() { last_chat } else { Some(0) };
                    let latecomer = heard.map(|heard| (out.clone(), heard));
                    self.attach(conn, viewer, last_v, out);
                    if let (Viewer::Gallery, Some(listener)) = (viewer, self.listeners.get_mut(conn)) {
                        listener.guest =
                            Some(Box::new(super::listener::Guest { name, token, player, invite }));
                    }
                    if let Some((out, heard)) = latecomer {
                        self.tell_kept_chat(viewer, &out, heard);
                    }
                }
            }
            Err(error) => {
                let _ = reply.send(Err(error));
            }
        }
    }

    /// The viewer that a client may join as.
    fn admit(
        &self,
        token: Option<&str>,
        player: Option<&PlayerId>,
        invite: Option<&str>,
        spectate: bool,
    ) -> Result<Joined, JoinError> {
        let players = self.seat_news();
        if !self.facts.is_known_to(&Pass { invite, token, player }) {
            return Err(JoinError::GameNotFound);
        }
        if spectate {
            let invited = self.facts.invite.is_none() || self.facts.invite.as_deref() == invite;
            if !invited {
                return Err(JoinError::NotInvited);
            }
            return Ok(Joined { viewer: Viewer::Gallery, players });
        }
        let by_account = player.and_then(|player| self.facts.seat_of_player(player));
        let session: Option<&Session> =
            by_account.or_else(|| token.and_then(|token| self.facts.seat_of(token)));
        match session {
            Some(session) => Ok(Joined { viewer: session.seat.into(), players }),
            None => Err(JoinError::GameStarted),
        }
    }

    pub(super) fn attach(&mut self, conn: ConnId, viewer: Viewer, last_v: Option<u64>, out: Outbox) {
        let listener = Listener::new(out, viewer);
        let waited_for = self.presence.came(listener.is_player());
        self.owes_pause &= !waited_for;
        self.listeners.insert(conn, listener);
        // They have their seat again before anything goes on: a bot that was to stand in for them does nothing.
        self.handle(Command::Connect { conn, viewer, last_v });
        if waited_for {
            self.handle(Command::Resume);
        }
    }

    pub(super) fn detach(&mut self, conn: ConnId, by_server: bool) {
        if let Some(opening) = &mut self.opening
            && let Some(member) = opening.room.plan.members.iter_mut().find(|m| m.conn == Some(conn))
        {
            // The player disconnected before they were sent the start: they have the seat, but no connection.
            (member.conn, member.out) = (None, None);
        }
        if let Some(sitting) = self.sitting.get_mut(conn) {
            // They may still get the seat, but not this connection.
            sitting.disconnected();
        }
        if self.listeners.remove(conn).is_none() {
            return;
        }
        self.handle(Command::Disconnect { conn, by_server });
        self.note_absence(by_server);
    }

    /// Pauses the table when the last human player has gone; it is given up after a grace period.
    pub(super) fn note_absence(&mut self, by_server: bool) {
        let players = self.listeners.values().any(Listener::is_player);
        let missed = !players && !by_server && !self.finished;
        if self.presence.went(self.hub.now(), self.has_viewers(), players, missed) {
            self.owes_pause = true;
            self.pause_if_owed();
        }
    }

    /// Pauses the match whose last player has gone, as soon as the log says that they have.
    pub(super) fn pause_if_owed(&mut self) {
        if self.owes_pause && !self.table.holds_a_loss() {
            self.owes_pause = false;
            self.handle(Command::Pause { why: PauseReason::PlayerAway });
        }
    }

    pub(super) fn leave(&mut self, conn: ConnId) {
        let seat = self.listeners.get(conn).and_then(|listener| listener.viewer.seat());
        let Some(seat) = seat.filter(|_| !self.finished) else { return self.detach(conn, false) };
        // The connection is detached before the seat is left: the player keeps it and may join another table with it.
        self.listeners.remove(conn);
        self.handle(Command::Disconnect { conn, by_server: true });
        self.get_up(seat);
    }

    pub(super) fn get_up(&mut self, seat: Seat) {
        if self.open_seating().is_some() {
            // The seat is free when the rules have let them go.
            self.handle(Command::Leave { seat });
            // Players without a socket play on; only a table that the last of them has left waits for somebody.
            if self.facts.sessions.is_empty() {
                self.note_absence(false);
            }
            return;
        }
        let mut gone: Vec<Option<String>> = Vec::new();
        self.change_facts(|facts| {
            let left = facts.sessions.extract_if(.., |session| session.seat == seat);
            gone.extend(left.map(|session| session.player));
        });
        self.hub.note_left(self.id.as_str(), &gone);
        self.handle(Command::Leave { seat });
        self.note_absence(false);
    }

    pub(super) fn resync(&mut self, conn: ConnId) {
        let Some(listener) = self.listeners.get_mut(conn) else { return };
        listener.caught_up();
        let viewer = listener.viewer;
        // The same connection connects again: it gets one snapshot instead of all that it missed.
        self.handle(Command::Refresh { conn, viewer });
    }
}
