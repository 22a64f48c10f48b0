//! All rooms of the server: kept in the store, and turned into tables when their players are there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_core::{HouseCode, Money, OpenSeating, Refusal};
use parlor_host::{ConnId, NewTable, OnDisconnect, Table};
use parlor_store::{Facts, Owner, PlayerId, TableId, Write, WriteError};
use parlor_wire::lobby::LobbyNews;
use tokio::sync::oneshot;

use crate::house::hub::{Hub, lock};
use crate::house::matchmaking::canonical;
use crate::house::names;
use crate::house::private_tables::Pass;
use crate::house::room::state::{Guest, Link, Room, RoomState};
use crate::house::stakes::PLAY_BUY_INS;
use crate::net::outbox::Out;
use crate::rest::types::{MatchInfo, MatchState, SeatsInfo};
use crate::table::{JoinError, Opening, TableTask};

/// How long a player whose socket was lost in a restart has to come back.
const BACK_WITHIN: Duration = Duration::from_secs(60);
/// How long a room is kept to which nobody is connected and in which nothing changes.
const EMPTY_FOR: Duration = Duration::from_secs(3600);
/// How long to wait before a table that could not be stored is tried again.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Whether a table has started: known when the store has committed it, and the stakes with it.
pub(crate) enum Start {
    NotYet,
    Told(oneshot::Receiver<Result<(), Refusal>>),
}

impl Start {
    /// Waits until it is known.
    pub(crate) async fn known(self) -> Result<bool, Refusal> {
        match self {
            Self::NotYet => Ok(false),
            Self::Told(told) => match told.await {
                Ok(result) => result.map(|()| true),
                Err(_) => Err(Refusal::of(HouseCode::Busy, "the server is stopping")),
            },
        }
    }
}

/// A change of a room that was submitted to the store.
pub(crate) struct Kept(oneshot::Receiver<Result<u64, WriteError>>);

impl Kept {
    /// Waits until the store has committed it.
    pub(crate) async fn known(self) -> Result<(), Refusal> {
        let result = self.0.await.unwrap_or(Err(WriteError::Closed));
        result.map(|_| ()).map_err(|error| Refusal::of(HouseCode::NotStored, error.to_string()))
    }
}

/// A player who wants a place in a room.
pub(crate) struct RoomJoin {
    pub(crate) name: String,
    pub(crate) token: String,
    pub(crate) player: Option<PlayerId>,
    pub(crate) invite: Option<String>,
    /// What they bring, if they say.
    pub(crate) buy_in: Option<i64>,
}

/// A player's place in a room.
struct Place {
    /// Their name there.
    name: String,
    /// If they are new: whether the store has committed it.
    kept: Option<Kept>,
}

/// A table at which players come and go and that needs no invitation.
pub(crate) struct OpenTable {
    pub(crate) id: String,
    pub(crate) game: &'static str,
    /// Whether it runs; otherwise it waits for its first players.
    pub(crate) runs: bool,
    pub(crate) seats: u8,
    pub(crate) free: usize,
    pub(crate) open: OpenSeating,
    /// All settings, those that were not given as by default.
    pub(crate) settings: String,
    /// Who waits there with an account, while it does not run.
    pub(crate) waiting: Vec<String>,
}

impl Hub {
    /// Calls a function with a room; `None` if there is no such room.
    pub(crate) fn with_room<T>(&self, id: &str, act: impl FnOnce(&mut Room) -> T) -> Option<T> {
        lock(&self.rooms).get_mut(id).map(act)
    }

    /// The same for a change: the room is stored, and its members are sent the new state.
    pub(crate) fn change_room<T>(&self, id: &str, act: impl FnOnce(&mut Room) -> T) -> Option<T> {
        let mut rooms = lock(&self.rooms);
        let room = rooms.get_mut(id)?;
        let done = act(room);
        room.changed = Instant::now();
        let _ = self.keep_room(id, room);
        room.tell_stand(id);
        Some(done)
    }

    /// Submits a room to the store. Who promises it to somebody waits for the result; all other changes cost a place
    /// in a queue if they are lost, and break no promise.
    pub(crate) fn keep_room(&self, id: &str, room: &Room) -> Kept {
        let (tell, told) = oneshot::channel();
        match TableId::new(id) {
            Ok(id) => {
                let body = serde_json::to_value(&room.plan).ok().map(Facts);
                let done = move |result| {
                    // Nobody may wait for it.
                    let _ = tell.send(result);
                };
                self.store.submit(Write::Room { id, body }, Box::new(done));
            }
            Err(_) => drop(tell.send(Err(WriteError::Malformed("that is no id")))),
        }
        Kept(told)
    }

    /// Removes a room from the store: its table has started, or it was given up.
    pub(crate) fn room_gone(&self, id: &TableId) {
        self.store.submit(Write::Room { id: id.clone(), body: None }, Box::new(|_| {}));
    }

    /// Restores the stored rooms, except those whose table has started.
    pub(crate) fn restore_rooms(&self) -> Result<(), String> {
        let mut rooms = lock(&self.rooms);
        for (id, Facts(body)) in self.store.rooms().map_err(|error| error.to_string())? {
            let begun = self.store.table(&id).map_err(|error| error.to_string())?.is_some();
            let plan: Option<RoomState> = serde_json::from_value(body).ok();
            let def = plan.as_ref().and_then(|plan| self.def(&plan.game));
            match (begun, plan.zip(def)) {
                (false, Some((plan, def))) => {
                    rooms.insert(id.to_string(), Room::new(def, plan));
                }
                _ => self.room_gone(&id),
            }
        }
        Ok(())
    }

    /// Adds a player to a room. The player must be able to pay the stake; blocks on the store if there is one.
    fn add_to_room(&self, id: &str, guest: Guest<'_>) -> Option<Result<Place, JoinError>> {
        let (stake, open) = self.with_room(id, |room| (room.stake(), room.open_seating()))?;
        if let (Some(open), Some(player)) = (&open, &guest.player) {
            let needs = guest.buy_in.unwrap_or(open.buy_in_max);
            let broke = match open.money {
                Money::Tokens => self.tokens_of(player).is_ok_and(|tokens| tokens < needs),
                Money::Play => {
                    self.refill(player, needs, open.buy_in_max.saturating_mul(PLAY_BUY_INS)).is_err()
                }
            };
            if broke {
                return Some(Err(JoinError::CannotBuyIn));
            }
        }
        let broke = |player: &PlayerId| self.tokens_of(player).is_ok_and(|tokens| tokens < stake);
        if open.is_none() && stake > 0 && guest.player.as_ref().is_some_and(broke) {
            return Some(Err(JoinError::NotEnoughTokens));
        }
        let mut rooms = lock(&self.rooms);
        let room = rooms.get_mut(id)?;
        Some(match room.join(guest) {
            Ok((name, true)) => {
                room.changed = Instant::now();
                let kept = Some(self.keep_room(id, room));
                room.tell_stand(id);
                Ok(Place { name, kept })
            }
            Ok((name, false)) => Ok(Place { name, kept: None }),
            Err(refused) => Err(refused),
        })
    }

    /// Whether somebody may sit down under this name: without an account only under one that is no account's.
    pub(crate) async fn check_name(&self, name: &str, has_account: bool) -> Result<(), Refusal> {
        if has_account {
            return Ok(());
        }
        names::check(name)?;
        let (store, name) = (self.store.clone(), name.to_owned());
        let found = self.store_threads.run(move || store.player_by_name(&name)).await;
        match found {
            Ok(Ok(found)) if found.as_ref().is_none_or(|player| player.deleted_ms.is_some()) => Ok(()),
            Ok(Ok(_)) => Err(Refusal::of(HouseCode::NameTaken, "That name is already taken in this game")),
            _ => Err(Refusal::of(HouseCode::Busy, "the server cannot look that up now; try again")),
        }
    }

    /// Gives a player a place in a room, and returns when it is stored: then they are welcomed, before anything that
    /// starting the table sends. `None` if there is no such room, or no longer.
    pub(crate) async fn join_room(
        self: &Arc<Self>,
        id: &str,
        join: RoomJoin,
        link: Option<Link>,
    ) -> Option<Result<(), Refusal>> {
        let RoomJoin { name, token, player, invite, buy_in } = join;
        let by_socket = link.is_some();
        let (hub, room, session) = (self.clone(), id.to_owned(), token.clone());
        let has_account = player.is_some();
        let pass = Pass { invite: invite.as_deref(), token: Some(&token), player: player.as_ref() };
        // Whoever may not know of a private room finds none.
        self.with_room(id, |room| room.is_known_to(&pass)).filter(|known| *known)?;
        if let Err(refusal) = self.check_name(&name, has_account).await {
            return Some(Err(refusal));
        }
        let adding = move || {
            let (token, invite) = (session.as_str(), invite.as_deref());
            hub.add_to_room(&room, Guest { name, token, player, invite, buy_in, by_socket })
        };
        // For a player with an account the store is read; for all others nothing blocks.
        let added = if has_account {
            self.store_threads.run(adding).await.unwrap_or(Some(Err(JoinError::Busy)))
        } else {
            adding()
        };
        let Place { name, kept } = match added? {
            Ok(place) => place,
            Err(error) => return Some(Err(error.into())),
        };
        if let Some(kept) = kept
            && let Err(refusal) = kept.known().await
        {
            self.change_room(id, |room| room.turn_away(&name));
            return Some(Err(refusal));
        }
        let mut rooms = lock(&self.rooms);
        let room = rooms.get_mut(id)?;
        if !room.welcome(id, &name, &token, link) {
            return Some(Err(Refusal::of(HouseCode::Kicked, "the owner asked you to go")));
        }
        room.tell_stand(id);
        Some(Ok(()))
    }

    /// Removes a connection from its room.
    pub(crate) fn leave_room(&self, id: &str, conn: ConnId) {
        self.change_room(id, |room| room.leave(conn));
    }

    /// The rooms that need no invitation: id, game, members, seats, bots.
    pub(crate) fn all_rooms(&self) -> Vec<(String, &'static str, usize, u8, u8)> {
        let rooms = lock(&self.rooms);
        let open = rooms.iter().filter(|(_, room)| room.plan.invite.is_none());
        open.map(|(id, r)| (id.clone(), r.def.name, r.plan.members.len(), r.plan.seats, r.plan.bots))
            .collect()
    }

    /// The rooms that need no invitation and whose players come and go: a seat there is free as soon as one joins.
    pub(crate) fn open_rooms(&self) -> Vec<OpenTable> {
        let rooms = lock(&self.rooms);
        let of = |(id, room): (&String, &Room)| {
            let taken = room.plan.members.len() + usize::from(room.plan.bots);
            Some(OpenTable {
                id: id.clone(),
                game: room.def.name,
                runs: false,
                seats: room.plan.seats,
                free: usize::from(room.plan.seats).saturating_sub(taken),
                open: room.open_seating().filter(|_| room.plan.invite.is_none())?,
                settings: canonical(&room.def, &room.plan.settings),
                waiting: room.plan.members.iter().filter_map(|member| member.player.clone()).collect(),
            })
        };
        rooms.iter().filter_map(of).collect()
    }

    /// The ids of all rooms.
    pub(crate) fn room_names(&self) -> Vec<String> {
        lock(&self.rooms).keys().cloned().collect()
    }

    pub(crate) fn drop_room(&self, id: &str) -> bool {
        let room = lock(&self.rooms).remove(id);
        if let (Some(room), Ok(name)) = (&room, TableId::new(id)) {
            room.broadcast(&LobbyNews::error(HouseCode::GameNotFound, "the room was closed"));
            self.room_gone(&name);
        }
        room.is_some()
    }

    /// Starts a room's table when it is ready; with `at_once`, as soon as it has a member (all of them if it is
    /// staked).
    pub(crate) fn start_room(self: &Arc<Self>, id: &str, at_once: bool) -> Result<Start, Refusal> {
        let mut rooms = lock(&self.rooms);
        let Some(room) = rooms.get(id) else { return Ok(Start::NotYet) };
        if at_once && room.staked() && !room.full() && room.open_seating().is_none() {
            return Err(Refusal::of(
                HouseCode::PeopleMissing,
                "where tokens are staked everybody must be there",
            ));
        }
        let told_to = at_once && room.plan.members.iter().any(|member| !member.pending);
        if !room.ready() && !told_to {
            return Ok(Start::NotYet);
        }
        let Some(mut room) = rooms.remove(id) else { return Ok(Start::NotYet) };
        drop(rooms);
        // Who is not stored yet was promised nothing, and is told that the game has started.
        room.plan.members.retain(|member| !member.pending);
        self.open_table(id, room)
    }

    /// Opens the table of a room. Its members are sent the start when it is stored.
    pub(crate) fn open_table(self: &Arc<Self>, id: &str, room: Room) -> Result<Start, Refusal> {
        let name = TableId::new(id).map_err(|_| Refusal::of(HouseCode::InvalidId, "that is no id"))?;
        let root = room.root();
        let (chairs, seats) = room.seating(&root);
        let mut settings = room.plan.table.over(self.config.table());
        if (room.staked() && room.open_seating().is_none()) || room.rated() {
            // A bot would play with the player's tokens and under their name.
            (settings.on_disconnect, settings.pause_while_away) = (OnDisconnect::Forfeit, true);
        }
        // The game's own disconnect policy takes precedence.
        let mut settings = settings.with(room.def.disconnect_policy(&room.plan.settings));
        settings = room.plan.table.over(settings);
        settings.funded = room.money().is_some();
        let facts = room.facts(&root, &seats, settings.clone());
        let seeded = room.plan.seed.is_some();
        let rules = room.plan.settings.clone();
        let stakes = room.brought(&seats);
        let new = NewTable { def: room.def, root, seeded, rules, chairs, stakes, settings };
        let (table, effects) = Table::open(new, self.now())?;
        let (told, begun) = oneshot::channel();
        let opening = |handle| Some(Opening { room, seats, handle, told: Some(told) });
        let handle = TableTask::spawn(self.clone(), name, table, facts, 0, effects, opening);
        lock(&self.tables).insert(id.to_owned(), handle);
        Ok(Start::Told(begun))
    }

    /// Restores the room of a table that was not stored: a player who could not pay is removed, all others keep their
    /// places.
    pub(crate) fn put_back(self: &Arc<Self>, id: &TableId, opening: Opening, error: &WriteError) {
        let Opening { mut room, told, .. } = opening;
        lock(&self.tables).remove(id.as_str());
        let refusal = match error {
            WriteError::Unfunded { .. } => {
                Refusal::of(HouseCode::NotEnoughTokens, "somebody does not have enough tokens")
            }
            error => Refusal::of(HouseCode::Busy, error.to_string()),
        };
        if let WriteError::Unfunded { owner: Owner::Player(broke), .. } = error {
            let gone =
                room.plan.members.iter().position(|member| member.player.as_deref() == Some(broke.as_str()));
            if let Some(member) = gone.map(|place| room.remove(place)) {
                let text = "you do not have enough tokens";
                if let Some(out) = member.out {
                    out.put(Out::news(LobbyNews::error(HouseCode::NotEnoughTokens, text)));
                    out.put(Out::Unseated);
                }
            }
        }
        let found = room.plan.members.iter().any(|member| member.found.is_some());
        if found && refusal.has(HouseCode::NotEnoughTokens) {
            self.back_to_queue(room);
        } else if found {
            room.broadcast(&LobbyNews::from(&refusal));
        } else {
            let _ = self.keep_room(id.as_str(), &room);
            lock(&self.rooms).insert(id.to_string(), room);
            if error.passes() {
                self.try_again(id.to_string());
            }
        }
        if let Some(told) = told {
            let _ = told.send(Err(refusal));
        }
    }

    fn try_again(self: &Arc<Self>, id: String) {
        let hub = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(AGAIN_AFTER).await;
            if let Some(hub) = hub.upgrade().filter(|hub| !hub.stopping()) {
                // It starts if its players are still there; otherwise the next player who joins starts it.
                let _ = hub.start_room(&id, false);
            }
        });
    }

    /// Gives up rooms that stayed empty, and frees places whose players did not come back.
    pub(crate) fn sweep_rooms(&self) {
        let mut given_up = Vec::new();
        let mut rooms = lock(&self.rooms);
        for (id, room) in rooms.iter_mut() {
            let age = room.changed.elapsed();
            let lost = |member: &crate::house::room::state::Member| member.by_socket && member.conn.is_none();
            while age >= BACK_WITHIN
                && let Some(place) = room.plan.members.iter().position(lost)
            {
                room.remove(place);
                let _ = self.keep_room(id, room);
            }
            if room.plan.members.iter().all(|member| member.conn.is_none()) && age >= EMPTY_FOR {
                given_up.push(id.clone());
            }
        }
        drop(rooms);
        for id in given_up {
            self.drop_room(&id);
        }
    }

    /// Removes a player from every queue and every room.
    pub(crate) fn forget_waiting(&self, id: &PlayerId) {
        lock(&self.queues).leave(id);
        let mut rooms = lock(&self.rooms);
        for (name, room) in rooms.iter_mut() {
            let place =
                room.plan.members.iter().position(|member| member.player.as_deref() == Some(id.as_str()));
            if let Some(place) = place {
                let member = room.remove(place);
                room.plan.said.retain(|(by, _)| *by != member.name);
                let _ = self.keep_room(name, room);
                if let Some(out) = member.out {
                    out.put(Out::Close(parlor_wire::CloseReason::SeatLeft));
                }
            }
        }
    }

    /// A room's public description. The inner `None` means that it takes an invitation.
    pub(crate) fn describe_room(&self, id: &str, invite: Option<&str>) -> Option<Option<MatchInfo>> {
        self.with_room(id, |room| {
            room.invites(invite).then(|| {
                let plan = &room.plan;
                MatchInfo {
                    id: id.to_owned(),
                    game: plan.game.clone(),
                    status: MatchState::Waiting,
                    seats: SeatsInfo::Count(plan.seats),
                    seeded: plan.seed.is_some(),
                    ruleset: self.games.publication(&room.def),
                    players: Some(room.names()),
                    bots: Some(plan.bots),
                    stake: Some(room.stake()),
                    settings: Some(plan.settings.clone()),
                    private: Some(plan.invite.is_some()),
                    match_no: None,
                    paused: None,
                    over: None,
                    continued_from: None,
                    snapshot: None,
                }
            })
        })
    }
}
