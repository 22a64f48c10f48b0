//! The connections that players have signed in with: they can see them, and end them all by changing their token.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use parlor_host::ConnId;
use parlor_store::{Player, PlayerId};

use crate::house::accounts::Trouble;
use crate::house::hub::{Hub, lock};
use crate::net::outbox::{Out, Outbox};

/// One connection of a player.
#[derive(Clone)]
pub(crate) struct SignedInLink {
    pub(crate) conn: ConnId,
    pub(crate) address: IpAddr,
    pub(crate) out: Outbox,
    /// When, in milliseconds since 1970.
    pub(crate) since_ms: u64,
}

/// All of them.
#[derive(Default)]
pub(crate) struct SignedIn {
    links: Mutex<HashMap<PlayerId, Vec<SignedInLink>>>,
    /// How often a token was changed.
    changes: AtomicU64,
}

impl SignedIn {
    fn add(&self, player: &PlayerId, link: SignedInLink) {
        let mut links = lock(&self.links);
        let own = links.entry(player.clone()).or_default();
        own.retain(|other| other.conn != link.conn);
        own.push(link);
    }

    /// The connection is closed, or somebody else's now.
    pub(crate) fn remove(&self, player: &PlayerId, conn: ConnId) {
        let mut links = lock(&self.links);
        let Some(own) = links.get_mut(player) else { return };
        own.retain(|link| link.conn != conn);
        if own.is_empty() {
            links.remove(player);
        }
    }

    /// A player's connections, oldest first.
    pub(crate) fn of(&self, player: &PlayerId) -> Vec<SignedInLink> {
        lock(&self.links).get(player).cloned().unwrap_or_default()
    }

    fn close_all(&self, player: &PlayerId) {
        for link in lock(&self.links).remove(player).unwrap_or_default() {
            link.out.put(Out::Close(parlor_wire::CloseReason::SignedOut));
        }
    }
}

impl Hub {
    /// The player with this token, whose connection this is from now on. Blocks on the store.
    pub(crate) fn sign_in(&self, token: &str, link: &SignedInLink) -> Result<Player, Trouble> {
        loop {
            let changes = self.signed_in.changes.load(Ordering::Acquire);
            let player = match self.player_of(token) {
                Ok(player) => player,
                Err(trouble) => {
                    if matches!(trouble, Trouble::Unauthorized) {
                        self.failed_logins.note(link.address, "an unknown token on a socket");
                    }
                    return Err(trouble);
                }
            };
            self.signed_in.add(&player.id, link.clone());
            if changes == self.signed_in.changes.load(Ordering::Acquire) {
                return Ok(player);
            }
            // Perhaps it was this player's, after it was read.
            self.signed_in.remove(&player.id, link.conn);
        }
    }

    /// A player who was not there before has signed in by coming.
    pub(crate) fn signed_in_as(&self, player: &Player, link: SignedInLink) {
        self.signed_in.add(&player.id, link);
    }

    /// Gives an account another token. The old one, and every connection that signed in with it, end here. Blocks on the
    /// store.
    pub(crate) fn change_token(&self, player: &PlayerId) -> Result<String, Trouble> {
        let token = self.new_token(player)?;
        self.signed_in.changes.fetch_add(1, Ordering::AcqRel);
        self.signed_in.close_all(player);
        Ok(token)
    }

    /// Tokens of sessions that the player was given in rooms are no longer good; their account is.
    pub(crate) fn forget_room_sessions(&self, player: &PlayerId) {
        let is_theirs = |id: &Option<String>| id.as_deref() == Some(player.as_str());
        let ids: Vec<String> = {
            let rooms = lock(&self.rooms);
            let has = |room: &crate::house::room::state::Room| {
                room.plan.members.iter().any(|member| is_theirs(&member.player))
            };
            rooms.iter().filter(|(_, room)| has(room)).map(|(id, _)| id.clone()).collect()
        };
        for id in ids {
            self.change_room(&id, |room| {
                for member in room.plan.members.iter_mut().filter(|member| is_theirs(&member.player)) {
                    member.token = None;
                }
            });
        }
    }
}
