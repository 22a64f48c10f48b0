//! Who may know that a private table exists: whoever has its code, owns it, or has a place there. To all others it is a name
//! that nobody has given.

use std::sync::Arc;

use parlor_store::{PlayerId, TableId};
use tokio::sync::oneshot;

use crate::house::accounts::Trouble;
use crate::house::hub::Hub;
use crate::house::room::state::Room;
use crate::house::sessions::{TableFacts, fresh_token, hash};
use crate::table::Mail;

/// What a caller shows.
pub(crate) struct Pass<'a> {
    pub(crate) invite: Option<&'a str>,
    /// The token of a session, or of the table's owner.
    pub(crate) token: Option<&'a str>,
    /// Their account.
    pub(crate) player: Option<&'a PlayerId>,
}

impl TableFacts {
    /// Whether whoever shows this may know of the table.
    pub(crate) fn is_known_to(&self, pass: &Pass<'_>) -> bool {
        let Some(code) = &self.invite else { return true };
        let of_player = |id: &PlayerId| {
            let owns = self.owner_player.as_deref() == Some(id.as_str());
            let sat = self.players.iter().flatten().any(|player| player == id.as_str());
            owns || sat || self.seat_of_player(id).is_some()
        };
        let of_token = |token| self.owner == Some(hash(token)) || self.seat_of(token).is_some();
        pass.invite == Some(code) || pass.token.is_some_and(of_token) || pass.player.is_some_and(of_player)
    }
}

impl Room {
    /// Whether whoever shows this may know of the room.
    pub(crate) fn is_known_to(&self, pass: &Pass<'_>) -> bool {
        let plan = &self.plan;
        let of_player = |id: &PlayerId| {
            let of = |other: &Option<String>| other.as_deref() == Some(id.as_str());
            of(&plan.owner_player) || plan.members.iter().any(|member| of(&member.player))
        };
        let of_token = |token| {
            let hashed = hash(token);
            plan.owner == hashed || plan.members.iter().any(|member| member.token.as_ref() == Some(&hashed))
        };
        self.invites(pass.invite) || pass.token.is_some_and(of_token) || pass.player.is_some_and(of_player)
    }
}

impl Hub {
    /// The name under which a caller finds a table: its own, or for a private one of which they may not know a name that no
    /// table has.
    pub(crate) async fn veiled(
        self: &Arc<Self>,
        id: String,
        invite: Option<String>,
        token: Option<String>,
    ) -> Result<String, Trouble> {
        let (open, name) = (self.is_public(&id), TableId::new(&id));
        let (false, Ok(name)) = (open, name) else { return Ok(id) };
        // The token may be that of an account.
        let by_token = token.clone();
        let player = self.blocking(move |hub| Ok::<_, Trouble>(by_token.map(|token| hub.player_of(&token))));
        let player = match player.await? {
            None | Some(Err(Trouble::Unauthorized)) => None,
            Some(found) => Some(found?.id),
        };
        let shown = move |known: &dyn Fn(&Pass<'_>) -> bool| {
            let (invite, token) = (invite.as_deref(), token.as_deref());
            known(&Pass { invite, token, player: player.as_ref() })
        };
        if let Some(known) = self.with_room(&id, |room| shown(&|pass| room.is_known_to(pass))) {
            return Ok(if known { id } else { fresh_token() });
        }
        if let Some(handle) = self.running(&id) {
            let (tell, told) = oneshot::channel();
            let look = Mail::Look(Box::new(move |_, facts| {
                let _ = tell.send(shown(&|pass| facts.is_known_to(pass)));
            }));
            handle.tx.send(look).await.map_err(|_| Trouble::Busy)?;
            return Ok(if told.await.map_err(|_| Trouble::Busy)? { id } else { fresh_token() });
        }
        let known = self.blocking(move |hub| {
            let Some(info) = hub.store.table(&name)? else { return Ok::<_, Trouble>(true) };
            let facts = serde_json::from_value::<TableFacts>(info.facts.0);
            Ok(facts.map_or(true, |facts| shown(&|pass| facts.is_known_to(pass))))
        });
        Ok(if known.await? { id } else { fresh_token() })
    }

    /// Whether a room or a table in memory is public: known without asking it.
    fn is_public(&self, id: &str) -> bool {
        match self.with_room(id, |room| room.plan.invite.is_none()) {
            Some(public) => public,
            None => self.running(id).is_some_and(|handle| !handle.public.private),
        }
    }
}
