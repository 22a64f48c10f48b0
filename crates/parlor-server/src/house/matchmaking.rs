//! Matchmaking: drives the queues and opens the tables for the groups they form.

use std::net::IpAddr;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parlor_core::{GameDef, HouseCode, Json, Refusal};
use parlor_host::ConnId;
use parlor_store::{Player, PlayerId};

use crate::house::hub::{Hub, dry_run_start, lock};
use crate::house::queue::{Group, Line, NotQueued, Position, Ticket};
use crate::house::room::state::{Member, Room, RoomState};
use crate::house::sessions::{fresh_token, hash};
use crate::net::outbox::{Out, Outbox};

/// How often the queues are checked when nothing is due.
const QUEUE_EVERY: Duration = Duration::from_secs(30);

/// A queued player: what it takes to seat them.
pub(crate) struct Seeker {
    pub(crate) name: String,
    /// The player's connection; `None` for a player who uses REST.
    pub(crate) link: Option<(ConnId, Outbox)>,
    /// Where they came from.
    pub(crate) address: Option<IpAddr>,
    /// The stake of each seat.
    pub(crate) stakes: Vec<i64>,
    pub(crate) settings: Json,
}

/// A request to join a queue.
pub(crate) struct QueueRequest {
    pub(crate) game: String,
    pub(crate) settings: Json,
    pub(crate) seats: Option<u8>,
    pub(crate) fill_ms: Option<u32>,
}

impl Hub {
    /// Queues a player, and opens a table if a group is complete. Blocks on the store.
    pub(crate) fn queue_join(
        self: &Arc<Self>,
        player: &Player,
        wish: QueueRequest,
        link: Option<(ConnId, Outbox)>,
        address: IpAddr,
    ) -> Result<(Position, i64), Refusal> {
        let def = self
            .def(&wish.game)
            .ok_or_else(|| Refusal::of(HouseCode::UnknownGame, "there is no such game"))?;
        let (fewest, most) = def.seats;
        let seats = wish.seats.unwrap_or(fewest);
        if !(fewest..=most).contains(&seats) {
            let text = format!("{} is played by {fewest} to {most}", def.name);
            return Err(Refusal::of(HouseCode::Seats, text));
        }
        self.check_capacity()?;
        self.check_table_quota(player.id.as_str(), address)?;
        let stakes = dry_run_start(def, seats, &wish.settings)?;
        let stake = stakes.iter().copied().max().unwrap_or(0);
        if stake > 0 && wish.fill_ms.is_some() {
            return Err(Refusal::of(HouseCode::Staked, "where tokens are staked no bot plays"));
        }
        let busy = || Refusal::of(HouseCode::Busy, "the server cannot look that up now; try again");
        let tokens = self.tokens_of(&player.id).map_err(|_| busy())?;
        if tokens < stake {
            return Err(Refusal::of(HouseCode::NotEnoughTokens, "you do not have enough tokens"));
        }
        let line = Line { game: def.name.to_owned(), settings: canonical(&def, &wish.settings), seats };
        let fill_at = wish.fill_ms.map(|ms| self.now() + u64::from(ms));
        let (name, address) = (player.name.clone(), Some(address));
        let with = Seeker { name, link, address, stakes, settings: wish.settings };
        let mut queues = lock(&self.queues);
        let joined = queues.join(line.clone(), Ticket { player: player.id.clone(), fill_at, with });
        let position = joined.map_err(|why| match why {
            NotQueued::Elsewhere => Refusal::of(HouseCode::AlreadyQueued, "you are waiting for another game"),
            NotQueued::Full => Refusal::of(HouseCode::AtCapacity, "too many people are waiting"),
        })?;
        drop(queues);
        self.queue_bell.notify_one();
        Ok((position, tokens))
    }

    /// Takes a player out of the queue; if a connection is given, only when the player joined by that connection.
    pub(crate) fn queue_leave(&self, player: &PlayerId, conn: Option<ConnId>) -> bool {
        let mut queues = lock(&self.queues);
        let of = |seeker: &Seeker| seeker.link.as_ref().map(|(conn, _)| *conn);
        let his = conn.is_none() || queues.ticket(player).is_some_and(|(_, ticket)| of(&ticket.with) == conn);
        his && queues.leave(player).is_some()
    }

    /// A player's game and position in its queue.
    pub(crate) fn queue_place(&self, player: &PlayerId) -> Option<(String, Position)> {
        let queues = lock(&self.queues);
        let (line, _) = queues.ticket(player)?;
        Some((line.game.clone(), queues.position(player)?))
    }

    pub(crate) fn queue_len(&self) -> usize {
        lock(&self.queues).len()
    }

    /// Opens a table for every complete group.
    pub(crate) fn match_people(self: &Arc<Self>) {
        loop {
            let now = self.now();
            let mut queues = lock(&self.queues);
            let group = queues.matched().or_else(|| queues.due(now));
            drop(queues);
            let Some(group) = group else { return };
            self.open_group(group);
        }
    }

    fn open_group(self: &Arc<Self>, group: Group<Seeker>) {
        let Group { line, people, bots } = group;
        let Some(def) = self.def(&line.game) else { return };
        let settings = people.first().map(|ticket| ticket.with.settings.clone()).unwrap_or_default();
        let stakes = people.first().map(|ticket| ticket.with.stakes.clone()).unwrap_or_default();
        let id = &fresh_token()[..12];
        for ticket in &people {
            // They were let into the queue: what has begun since does not keep them out.
            let _ = self.reserve_table(Some(ticket.player.as_str()), ticket.with.address, id);
        }
        let plan = RoomState {
            game: line.game,
            settings,
            seats: line.seats,
            bots,
            stakes,
            members: people.into_iter().map(|ticket| member(&ticket.player, ticket.with)).collect(),
            ..RoomState::default()
        };
        self.open_found(id, Room::new(def, plan));
    }

    fn open_found(self: &Arc<Self>, id: &str, room: Room) {
        let outs: Vec<Outbox> = room.plan.members.iter().filter_map(|member| member.out.clone()).collect();
        if let Err(refusal) = self.open_table(id, room) {
            for out in outs {
                let news = parlor_wire::LobbyNews::from(&refusal);
                out.put(Out::news(news));
            }
        }
    }

    /// Starts a match of one player against bots at once. Does not block.
    pub(crate) fn play_bots(
        self: &Arc<Self>,
        player: &Player,
        game: &str,
        settings: Json,
        bots: Option<u8>,
        link: (ConnId, Outbox),
        address: IpAddr,
    ) -> Result<(), Refusal> {
        let def =
            self.def(game).ok_or_else(|| Refusal::of(HouseCode::UnknownGame, "there is no such game"))?;
        let (fewest, most) = def.seats;
        let bots = bots.unwrap_or(fewest.saturating_sub(1));
        let seats = bots.saturating_add(1);
        if !(fewest..=most).contains(&seats) || bots == 0 {
            let text = format!("{} is played by {fewest} to {most}, here with at least one bot", def.name);
            return Err(Refusal::of(HouseCode::Seats, text));
        }
        let stakes = dry_run_start(def, seats, &settings)?;
        if stakes.iter().any(|stake| *stake > 0) {
            return Err(Refusal::of(HouseCode::Staked, "where tokens are staked no bot plays"));
        }
        self.check_capacity()?;
        let seeker = Seeker { name: player.name.clone(), link: Some(link), address: None, stakes, settings };
        let settings = seeker.settings.clone();
        let members = vec![member(&player.id, seeker)];
        let plan =
            RoomState { game: def.name.to_owned(), settings, seats, bots, members, ..RoomState::default() };
        let id = &fresh_token()[..12];
        self.reserve_table(Some(player.id.as_str()), Some(address), id)?;
        self.open_table(id, Room::new(def, plan)).map(|_| ())
    }

    /// Puts players back at the head of their queue after their match failed to start because of another player.
    pub(crate) fn back_to_queue(self: &Arc<Self>, room: Room) {
        let Room { def, plan, .. } = room;
        let RoomState { game, settings, seats, stakes, members, .. } = plan;
        let line = Line { game, settings: canonical(&def, &settings), seats };
        let mut queues = lock(&self.queues);
        // In reverse order: each player is put before all others.
        for member in members.into_iter().rev() {
            let Some(player) = member.player.as_deref().and_then(|id| PlayerId::new(id).ok()) else {
                continue;
            };
            let link = member.conn.zip(member.out);
            let (name, stakes, settings) = (member.name, stakes.clone(), settings.clone());
            let with = Seeker { name, link, address: None, stakes, settings };
            queues.back(line.clone(), Ticket { player, fill_at: None, with });
        }
        drop(queues);
        self.queue_bell.notify_one();
    }
}

/// Settings as a text that is equal for equal settings: omitted settings get the game's defaults.
pub(crate) fn canonical(def: &GameDef, settings: &Json) -> String {
    let mut all = def.default_settings();
    if let (Some(all), Some(said)) = (all.as_object_mut(), settings.as_object()) {
        all.extend(said.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    // JSON objects are sorted by key.
    all.to_string()
}

fn member(player: &PlayerId, seeker: Seeker) -> Member {
    let token = fresh_token();
    let (conn, out) = seeker.link.map_or((None, None), |(conn, out)| (Some(conn), Some(out)));
    Member {
        buy_in: None,
        by_socket: conn.is_some(),
        conn,
        out,
        name: seeker.name,
        token: Some(hash(&token)),
        player: Some(player.to_string()),
        ready: true,
        found: Some(token),
        lobby: true,
        pending: false,
    }
}

/// Opens tables for complete groups and for players whose waiting time has run out, for as long as the hub exists.
pub(crate) async fn tend_queues(hub: Weak<Hub>) {
    loop {
        let Some(strong) = hub.upgrade() else { return };
        if strong.stopping() {
            return;
        }
        strong.match_people();
        let wait = lock(&strong.queues)
            .wakes_at()
            .map_or(QUEUE_EVERY, |at| Duration::from_millis(at.saturating_sub(strong.now()).max(1)));
        let bell = strong.queue_bell.clone();
        drop(strong);
        let _ = tokio::time::timeout(wait.min(QUEUE_EVERY), bell.notified()).await;
    }
}
