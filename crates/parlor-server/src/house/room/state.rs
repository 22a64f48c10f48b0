//! One room: a table that waits for its players. Its state is stored, so that a restart loses nobody's place.

use std::collections::VecDeque;
use std::time::Instant;

use parlor_core::{BotChoice, GameDef, Json, Money, OpenSeating, Purpose, Rng, Seat, Seed};
use parlor_host::{ConnId, Occupant, TableSettings};
use parlor_store::PlayerId;
use parlor_wire::lobby::{LobbyNews, Waiting};
use serde::{Deserialize, Serialize};

use crate::house::chat::{CHAT_KEPT_MAX, KeptChat};
use crate::house::names;
use crate::house::sessions::{Session, TOKEN_CHARS_MIN, TableFacts, hash, player_number, random};
use crate::net::outbox::{Out, Outbox};
use crate::table::JoinError;

/// How much is kept of whom the owner has sent away.
const SENT_AWAY_MAX: usize = 300;

/// A player in a room.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Member {
    #[serde(skip)]
    pub(crate) conn: Option<ConnId>,
    #[serde(skip)]
    pub(crate) out: Option<Outbox>,
    pub(crate) name: String,
    /// The hash of the player's token, if they may return with it.
    pub(crate) token: Option<String>,
    #[serde(default)]
    pub(crate) player: Option<String>,
    /// What they bring, at a table with open seating; the most that is allowed if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) buy_in: Option<i64>,
    #[serde(default)]
    pub(crate) ready: bool,
    /// Whether the player came by a socket: then they leave when it closes.
    #[serde(default)]
    pub(crate) by_socket: bool,
    /// The player's token, if the server generated it for a match it found: sent once, never stored.
    #[serde(skip)]
    pub(crate) found: Option<String>,
    /// Whether the client gets updates about the room: clients of the documents' dialects have no message for it.
    #[serde(skip)]
    pub(crate) lobby: bool,
    /// Whether the store has yet to commit that they are here: until then they are not welcomed and no match starts.
    #[serde(skip)]
    pub(crate) pending: bool,
}

/// A bot that the creator chose.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ChosenBot {
    /// Any seat that is left if none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seat: Option<u8>,
    #[serde(flatten)]
    pub(crate) choice: BotChoice,
    /// The operator's program that plays it, if it is none of the game's bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<String>,
}

/// What the creator set for the table itself; the server's own values where they set nothing.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TableWishes {
    pub(crate) away_grace_ms: Option<u64>,
    pub(crate) last_human_grace_ms: Option<u64>,
    pub(crate) bot_ms: Option<u64>,
    pub(crate) stand_in: Option<BotChoice>,
}

impl TableWishes {
    /// These settings with what the creator set.
    pub(crate) fn over(&self, mut settings: TableSettings) -> TableSettings {
        settings.away_grace_ms = self.away_grace_ms.unwrap_or(settings.away_grace_ms);
        settings.bot_ms = self.bot_ms.unwrap_or(settings.bot_ms);
        settings.last_human_grace_ms = self.last_human_grace_ms.or(settings.last_human_grace_ms);
        settings.stand_in = self.stand_in.clone().unwrap_or(settings.stand_in);
        settings
    }
}

/// The stored state of a room.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct RoomState {
    pub(crate) game: String,
    pub(crate) settings: Json,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    pub(crate) seed: Option<String>,
    /// The hash of the owner's token.
    pub(crate) owner: String,
    /// The owner's account.
    #[serde(default)]
    pub(crate) owner_player: Option<String>,
    /// The code that players need to join; `None` for a public room.
    #[serde(default)]
    pub(crate) invite: Option<String>,
    /// Whether every member must declare that they are ready.
    #[serde(default)]
    pub(crate) ready_check: bool,
    /// The spectator delay, in milliseconds.
    #[serde(default)]
    pub(crate) spectator_delay_ms: u64,
    /// The stake of each seat; empty if the table is not staked.
    #[serde(default)]
    pub(crate) stakes: Vec<i64>,
    /// The members' seats, in the members' order; random if `None`.
    #[serde(default)]
    pub(crate) seating: Option<Vec<Seat>>,
    /// The bots that the creator chose; the others are the game's first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) chosen_bots: Vec<ChosenBot>,
    #[serde(default)]
    pub(crate) table: TableWishes,
    pub(crate) members: Vec<Member>,
    /// Whom the owner has sent away: hashes of tokens, accounts, and how their names look.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    pub(crate) sent_away: VecDeque<String>,
    #[serde(default)]
    pub(crate) said: VecDeque<(String, String)>,
}

/// A table that has not started.
pub(crate) struct Room {
    pub(crate) def: GameDef,
    pub(crate) plan: RoomState,
    /// When it was made, restored, or last changed.
    pub(crate) changed: Instant,
}

/// A player who wants to join.
pub(crate) struct Guest<'a> {
    pub(crate) name: String,
    pub(crate) token: &'a str,
    pub(crate) player: Option<PlayerId>,
    pub(crate) invite: Option<&'a str>,
    /// What they bring, if they say.
    pub(crate) buy_in: Option<i64>,
    /// Whether they come by a socket.
    pub(crate) by_socket: bool,
}

/// A connection of a member.
pub(crate) struct Link {
    pub(crate) conn: ConnId,
    pub(crate) out: Outbox,
    /// Whether the client gets updates about the room.
    pub(crate) lobby: bool,
}

impl Room {
    pub(crate) fn new(def: GameDef, plan: RoomState) -> Self {
        Self { def, plan, changed: Instant::now() }
    }

    /// The number of human seats.
    pub(crate) fn humans(&self) -> usize {
        usize::from(self.plan.seats - self.plan.bots)
    }

    pub(crate) fn full(&self) -> bool {
        self.plan.members.len() >= self.humans()
    }

    /// How players take seats after the start; none if all sit down before it.
    pub(crate) fn open_seating(&self) -> Option<OpenSeating> {
        self.def.open_seating(&self.plan.settings)
    }

    /// Whether enough players are there.
    fn enough(&self) -> bool {
        match self.open_seating() {
            Some(open) => {
                !self.plan.members.is_empty()
                    && self.plan.members.len() + usize::from(self.plan.bots) >= usize::from(open.start_with)
            }
            None => self.full(),
        }
    }

    /// Whether the match can start by itself.
    pub(crate) fn ready(&self) -> bool {
        self.enough()
            && self.plan.members.iter().all(|it| !it.pending && (it.ready || !self.plan.ready_check))
    }

    /// Whether tokens of the players' accounts are at stake.
    pub(crate) fn staked(&self) -> bool {
        match self.open_seating() {
            Some(open) => open.money == Money::Tokens,
            None => self.plan.stakes.iter().any(|stake| *stake > 0),
        }
    }

    /// The money that moves at the table; none if none does.
    pub(crate) fn money(&self) -> Option<Money> {
        self.open_seating().map(|open| open.money).or_else(|| self.staked().then_some(Money::Tokens))
    }

    /// The most that a player brings.
    pub(crate) fn stake(&self) -> i64 {
        self.plan.stakes.iter().copied().max().unwrap_or(0)
    }

    /// What each seat brings at the start, at a table with open seating; empty elsewhere.
    pub(crate) fn brought(&self, seats: &[Seat]) -> Vec<i64> {
        let Some(open) = self.open_seating() else { return Vec::new() };
        let mut brought = vec![open.buy_in_max; self.plan.seats.into()];
        for (member, seat) in self.plan.members.iter().zip(seats) {
            brought[seat.index()] = member.buy_in.unwrap_or(open.buy_in_max);
        }
        brought
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.plan.members.iter().map(|member| member.name.clone()).collect()
    }

    fn owns(&self, member: &Member) -> bool {
        member.token.as_ref() == Some(&self.plan.owner)
            || (self.plan.owner_player.is_some() && member.player == self.plan.owner_player)
    }

    /// The member with this connection, and whether they own the room.
    pub(crate) fn member(&self, conn: ConnId) -> Option<(&Member, bool)> {
        let member = self.plan.members.iter().find(|member| member.conn == Some(conn))?;
        Some((member, self.owns(member)))
    }

    /// The state of the room, as a message to its members.
    pub(crate) fn news(&self, id: &str) -> LobbyNews {
        let waiting = |member: &Member| Waiting {
            name: member.name.clone(),
            ready: member.ready,
            owner: self.owns(member),
            here: member.conn.is_some() || !member.by_socket,
        };
        LobbyNews::Room {
            game_id: id.to_owned(),
            members: self.plan.members.iter().map(waiting).collect(),
            humans: self.humans() as u8,
        }
    }

    /// Whether a player with this code may join or look.
    pub(crate) fn invites(&self, invite: Option<&str>) -> bool {
        self.plan.invite.is_none() || self.plan.invite.as_deref() == invite
    }

    /// The place of the member with this token or account.
    fn place_by_identity(&self, token: &str, player: Option<&PlayerId>) -> Option<usize> {
        let good = (token.len() >= TOKEN_CHARS_MIN).then(|| hash(token));
        let player = player.map(PlayerId::as_str);
        self.plan.members.iter().position(|member| {
            (good.is_some() && member.token == good)
                || (player.is_some() && member.player.as_deref() == player)
        })
    }

    /// Adds a player, who is welcomed when the store has committed it. Returns the name that they have here, and
    /// whether they are new.
    pub(crate) fn join(&mut self, guest: Guest<'_>) -> Result<(String, bool), JoinError> {
        let Guest { name, token, player, invite, buy_in, by_socket } = guest;
        if let Some(place) = self.place_by_identity(token, player.as_ref()) {
            return Ok((self.plan.members[place].name.clone(), false));
        }
        let good = (token.len() >= TOKEN_CHARS_MIN).then(|| hash(token));
        let player = player.map(|id| id.to_string());
        let owner = good.as_ref() == Some(&self.plan.owner);
        if !owner && !self.invites(invite) {
            return Err(JoinError::NotInvited);
        }
        if self.staked() && player.is_none() {
            return Err(JoinError::PlayersOnly);
        }
        let open = self.open_seating();
        let fits =
            |open: &OpenSeating| buy_in.is_none_or(|it| (open.buy_in_min..=open.buy_in_max).contains(&it));
        if open.as_ref().is_some_and(|open| !fits(open)) {
            return Err(JoinError::BuyIn);
        }
        let look = names::look(&name);
        let known = [good.as_ref(), player.as_ref(), Some(&look)];
        if known.iter().flatten().any(|it| self.plan.sent_away.contains(it)) {
            return Err(JoinError::Kicked);
        }
        if self.plan.members.iter().any(|member| names::look(&member.name) == look) {
            return Err(JoinError::NameTaken);
        }
        if self.full() {
            return Err(JoinError::GameFull);
        }
        self.broadcast(&LobbyNews::PlayerJoined { player_name: name.clone() });
        let known_as = name.clone();
        let member =
            Member { name, token: good, player, buy_in, by_socket, pending: true, ..Member::default() };
        self.plan.members.push(member);
        Ok((known_as, true))
    }

    /// The store has committed that this player is here: welcomes them, and their connection hears what happens from
    /// now on. Returns false if they have left since.
    pub(crate) fn welcome(&mut self, id: &str, name: &str, token: &str, link: Option<Link>) -> bool {
        let Some(place) = self.place_of(name) else { return false };
        // Themselves last, as they joined: who came while this was stored is among the others.
        let mut names = self.names();
        names[place..].rotate_left(1);
        let member = &mut self.plan.members[place];
        member.pending = false;
        let Some(link) = link else { return true };
        if let Some(old) = member.out.take().filter(|_| member.conn != Some(link.conn)) {
            old.put(Out::Close(parlor_wire::CloseReason::TakenOver));
        }
        let (game_id, session_token) = (id.to_owned(), Some(token.to_owned()));
        link.out.put(Out::news(LobbyNews::GameJoined { game_id, players: names, session_token }));
        for (player_name, text) in self.plan.said.iter().cloned() {
            link.out.put(Out::news(LobbyNews::Chat { n: None, player_name, text }));
        }
        (member.conn, member.out, member.lobby) = (Some(link.conn), Some(link.out), link.lobby);
        true
    }

    /// The store has not committed that this player is here.
    pub(crate) fn turn_away(&mut self, name: &str) {
        if let Some(place) = self.place_of(name).filter(|place| self.plan.members[*place].pending) {
            self.remove(place);
        }
    }

    /// Removes a player, and tells the others.
    pub(crate) fn leave(&mut self, conn: ConnId) -> Option<Member> {
        let place = self.plan.members.iter().position(|member| member.conn == Some(conn))?;
        Some(self.remove(place))
    }

    pub(crate) fn remove(&mut self, place: usize) -> Member {
        let member = self.plan.members.remove(place);
        self.broadcast(&LobbyNews::PlayerLeft { player_name: member.name.clone() });
        member
    }

    /// Removes a player who may not come back.
    pub(crate) fn send_away(&mut self, place: usize) -> Member {
        let member = self.remove(place);
        let known = [member.token.clone(), member.player.clone(), Some(names::look(&member.name))];
        self.plan.sent_away.extend(known.into_iter().flatten());
        while self.plan.sent_away.len() > SENT_AWAY_MAX {
            self.plan.sent_away.pop_front();
        }
        member
    }

    pub(crate) fn place_of(&self, name: &str) -> Option<usize> {
        self.plan.members.iter().position(|member| member.name == name)
    }

    /// Makes another member the owner.
    pub(crate) fn hand_over(&mut self, place: usize) {
        let heir = &self.plan.members[place];
        // A member without a token or an account could never prove that they own the room.
        self.plan.owner = heir.token.clone().unwrap_or_default();
        self.plan.owner_player = heir.player.clone();
    }

    pub(crate) fn broadcast(&self, news: &LobbyNews) {
        for out in self.plan.members.iter().filter_map(|member| member.out.as_ref()) {
            out.put(Out::news(news.clone()));
        }
    }

    /// Sends the room's state to the members who want it.
    pub(crate) fn tell_stand(&self, id: &str) {
        let news = self.news(id);
        for member in self.plan.members.iter().filter(|member| member.lobby) {
            if let Some(out) = &member.out {
                out.put(Out::news(news.clone()));
            }
        }
    }

    /// Sends a chat message to every member, and keeps it for players who join later.
    pub(crate) fn chat(&mut self, name: String, text: String) {
        self.broadcast(&LobbyNews::Chat { n: None, player_name: name.clone(), text: text.clone() });
        self.plan.said.push_back((name, text));
        if self.plan.said.len() > CHAT_KEPT_MAX {
            self.plan.said.pop_front();
        }
    }

    /// The table's root seed: the chosen one, or a random one.
    pub(crate) fn root(&self) -> Seed {
        let chosen = self.plan.seed.as_ref();
        chosen.map_or_else(|| Seed::from_bytes(&random::<96>()), |text| Seed::from_text(text))
    }

    /// Assigns seats: players as chosen or at random, bots in the rest.
    pub(crate) fn seating(&self, root: &Seed) -> (Vec<Occupant>, Vec<Seat>) {
        let mut seats: Vec<Seat> = (0..self.plan.seats).map(Seat::new).collect();
        Rng::new(root.clone(), 0).for_purpose(Purpose::Seating, 0).shuffle(&mut seats);
        if let Some(fixed) = &self.plan.seating {
            seats.sort_by_key(|seat| fixed.iter().position(|other| other == seat).unwrap_or(usize::MAX));
        }
        let mut chairs = vec![Occupant::Empty; self.plan.seats.into()];
        let mut chosen: Vec<ChosenBot> = self.plan.chosen_bots.clone();
        chosen.sort_by_key(|bot| bot.seat.is_none());
        // A bot with a seat of its own has it: people are drawn among the others.
        let own = |seat: &Seat| chosen.iter().any(|bot| bot.seat == Some(seat.index() as u8));
        seats.retain(|seat| !own(seat));
        let people = self.plan.members.len();
        let open = self.open_seating().is_some();
        for (member, seat) in self.plan.members.iter().zip(&seats) {
            let (player, token) = (member.player.as_deref(), member.token.as_deref());
            let number = if open { player_number(&root.to_hex(), player, token) } else { 0 };
            chairs[seat.index()] = Occupant::known_human(&member.name, number);
        }
        let mut left = seats.split_off(people.min(seats.len()));
        let bots = if open { usize::from(self.plan.bots) } else { left.len() + chosen.len() };
        chosen.resize(bots.max(chosen.len()), ChosenBot::default());
        for (n, ChosenBot { seat, choice, program }) in chosen.into_iter().enumerate() {
            let seat = seat.map(Seat::new).or_else(|| (!left.is_empty()).then(|| left.remove(0)));
            let free = seat.filter(|seat| chairs.get(seat.index()) == Some(&Occupant::Empty));
            if let Some(seat) = free {
                let name = self.bot_name(n, &choice);
                chairs[seat.index()] = Occupant::Bot { name, choice, program };
            }
        }
        (chairs, seats)
    }

    /// The name at the table of a bot that the creator chose, without what its title says of it; the others are numbered.
    fn bot_name(&self, n: usize, choice: &BotChoice) -> String {
        match self.def.bot(choice).filter(|_| !choice.bot.is_empty()) {
            Some(def) => format!("{} {}", def.title.split(':').next().unwrap_or(def.title), n + 1),
            None => format!("Bot {}", n + 1),
        }
    }

    /// Whether the match is rated: only among players with accounts, and only with a random seed.
    pub(crate) fn rated(&self) -> bool {
        let accounts = self.plan.members.iter().filter(|member| member.player.is_some()).count();
        self.def.rating.is_some() && accounts == usize::from(self.plan.seats) && self.plan.seed.is_none()
    }

    pub(crate) fn facts(&self, root: &Seed, seats: &[Seat], settings: TableSettings) -> TableFacts {
        let session = |(member, seat): (&Member, &Seat)| Session {
            name: member.name.clone(),
            token: member.token.clone(),
            seat: *seat,
            player: member.player.clone(),
        };
        let mut players = vec![None; self.plan.seats.into()];
        for (member, seat) in self.plan.members.iter().zip(seats) {
            players[seat.index()].clone_from(&member.player);
        }
        TableFacts {
            root: root.to_hex(),
            sessions: self.plan.members.iter().zip(seats).map(session).collect(),
            owner: Some(self.plan.owner.clone()),
            owner_player: self.plan.owner_player.clone(),
            bots: match self.open_seating() {
                Some(_) => self.plan.bots,
                None => self.plan.seats - self.plan.members.len() as u8,
            },
            settings,
            players,
            leavers: Vec::new(),
            staked: self.money().is_some(),
            money: self.money().unwrap_or_default(),
            rated: self.rated(),
            spectator_delay_ms: self.plan.spectator_delay_ms,
            invite: self.plan.invite.clone(),
            continued: None,
            result: None,
            beside: Json::Null,
            chat: KeptChat::default(),
        }
    }
}
