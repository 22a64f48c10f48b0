//! Players take and leave seats while the table runs.

use std::time::{Duration, Instant};

use parlor_core::{Fault, HouseCode, Money, OpenSeating, Refusal, Seat};
use parlor_host::{Command, ConnId, Occupant};
use parlor_store::PlayerId;
use parlor_wire::LobbyNews;
use tokio::sync::oneshot;

use super::money::players_only;
use super::store_queue::RecordId;
use super::{TableHandle, TableTask};
use crate::house::names;
use crate::house::sessions::{Session, TOKEN_CHARS_MIN, hash, player_number};
use crate::net::outbox::{Out, Outbox, Started};

/// How long a seat is kept for a player who chooses their buy-in.
pub(crate) const SEAT_KEPT: Duration = Duration::from_secs(60);

/// A player who wants a seat at a table that runs.
pub(crate) struct SitDown {
    pub(crate) conn: ConnId,
    pub(crate) name: String,
    /// The token with which they return.
    pub(crate) token: String,
    pub(crate) player: Option<PlayerId>,
    pub(crate) invite: Option<String>,
    /// Any free seat if none.
    pub(crate) seat: Option<Seat>,
    /// The most that is allowed if none.
    pub(crate) buy_in: Option<i64>,
    /// Where the connection is to be told, for a player with a socket.
    pub(crate) link: Option<(Outbox, TableHandle)>,
    pub(crate) reply: Option<oneshot::Sender<Result<Seat, Refusal>>>,
}

/// A player who is about to have a seat.
pub(super) struct Sitting {
    pub(super) seat: Seat,
    pub(super) player: Option<PlayerId>,
    name: String,
    token: String,
    link: Option<(Outbox, TableHandle)>,
    reply: Option<oneshot::Sender<Result<Seat, Refusal>>>,
    /// The record that seats them, once it is applied.
    seated_by: Option<RecordId>,
}

impl Sitting {
    /// The connection of the player is gone.
    pub(super) fn disconnected(&mut self) {
        self.link = None;
    }

    fn finish(self, result: Result<Seat, Refusal>) {
        if let (Err(refusal), Some((out, _))) = (&result, &self.link) {
            out.put(Out::news(LobbyNews::from(refusal)));
        }
        if let Some(reply) = self.reply {
            let _ = reply.send(result);
        }
    }
}

/// A seat that is kept while its player chooses what to bring.
pub(super) struct KeptSeat {
    seat: Seat,
    /// The hash of the player's token.
    by: String,
    until: Instant,
}

/// What a player needs to know to choose their buy-in.
pub(crate) struct SeatOffer {
    pub(crate) seat: Seat,
    pub(crate) open: OpenSeating,
}

impl TableTask {
    /// How players take seats at this table while it runs; none if they do not.
    pub(super) fn open_seating(&self) -> Option<OpenSeating> {
        let current = self.table.current_match();
        current.def().open_seating(&current.header().settings.json())
    }

    /// How this player takes a seat here now.
    fn seating_for(&self, player: u64) -> Result<OpenSeating, Refusal> {
        let mut open = self.open_seating().filter(|_| !self.finished).ok_or_else(game_started)?;
        if let Some((least, most)) = self.table.current_match().game().buy_in(player) {
            (open.buy_in_min, open.buy_in_max) = (least, most);
        }
        Ok(open)
    }

    fn number_of(&self, token: &str, player: Option<&PlayerId>) -> u64 {
        player_number(&self.facts.root, player.map(PlayerId::as_str), Some(&hash(token)))
    }

    fn kept_for(&self, seat: Seat) -> Option<&KeptSeat> {
        let now = Instant::now();
        self.kept_seats.iter().find(|kept| kept.seat == seat && kept.until > now)
    }

    /// A free seat that nobody else keeps: the one that is named, or any.
    fn free_seat(&self, wanted: Option<Seat>, by: &str) -> Result<Seat, Refusal> {
        let free = self.table.free_seats();
        let others = |seat: &Seat| {
            self.kept_for(*seat).is_some_and(|kept| kept.by != by)
                || self.sitting.values().any(|sitting| sitting.seat == *seat)
        };
        let own = free.iter().find(|seat| self.kept_for(*seat).is_some_and(|kept| kept.by == by));
        match wanted {
            Some(seat) if !free.has(seat) => Err(Refusal::of(HouseCode::SeatTaken, "that seat is taken")),
            Some(seat) if others(&seat) => {
                Err(Refusal::of(HouseCode::SeatReserved, "somebody is about to take that seat"))
            }
            Some(seat) => Ok(seat),
            None => own
                .or_else(|| free.iter().find(|seat| !others(seat)))
                .ok_or_else(|| Refusal::of(HouseCode::GameFull, "Game is full")),
        }
    }

    /// Keeps a seat for a minute, while the player chooses what to bring.
    pub(super) fn keep_seat(
        &mut self,
        wanted: Option<Seat>,
        token: &str,
        player: Option<&PlayerId>,
    ) -> Result<SeatOffer, Refusal> {
        let open = self.seating_for(self.number_of(token, player))?;
        let by = hash(token);
        let seat = self.free_seat(wanted, &by)?;
        let now = Instant::now();
        self.kept_seats.retain(|kept| kept.until > now && kept.by != by);
        self.kept_seats.push(KeptSeat { seat, by, until: now + SEAT_KEPT });
        Ok(SeatOffer { seat, open })
    }

    /// A player wants a seat.
    pub(super) fn sit_down(&mut self, wish: SitDown) {
        match self.may_sit_down(&wish) {
            Ok((seat, stake)) => {
                let SitDown { conn, name, token, player, link, reply, .. } = wish;
                let who = Occupant::known_human(&name, self.number_of(&token, player.as_ref()));
                let sitting = Sitting { seat, player, name, token, link, reply, seated_by: None };
                self.sitting.insert(conn, sitting);
                if self.presence.came(true) {
                    // Everybody had left.
                    self.handle(Command::Resume);
                }
                self.handle(Command::Sit { conn, seat, who, stake });
            }
            Err(refusal) => {
                if let Some((out, _)) = &wish.link {
                    out.put(Out::news(LobbyNews::from(&refusal)));
                }
                if let Some(reply) = wish.reply {
                    let _ = reply.send(Err(refusal));
                }
            }
        }
    }

    fn may_sit_down(&self, wish: &SitDown) -> Result<(Seat, i64), Refusal> {
        let open = self.seating_for(self.number_of(&wish.token, wish.player.as_ref()))?;
        if self.facts.invite.is_some() && self.facts.invite != wish.invite {
            return Err(Refusal::of(HouseCode::NotInvited, "This game is private: it takes an invitation"));
        }
        let by_player = wish.player.as_ref().and_then(|player| self.facts.seat_of_player(player));
        let waits = |sitting: &Sitting| {
            sitting.token == wish.token || (wish.player.is_some() && sitting.player == wish.player)
        };
        if by_player.is_some()
            || self.facts.seat_of(&wish.token).is_some()
            || self.sitting.values().any(waits)
        {
            return Err(Refusal::of(HouseCode::Seated, "you have a seat already"));
        }
        if wish.name.is_empty() {
            return Err(Refusal::of(HouseCode::InvalidMessage, "player_name has 1 to 50 characters"));
        }
        if open.money == Money::Tokens && wish.player.is_none() {
            return Err(players_only());
        }
        let look = names::look(&wish.name);
        if self.table.seat_infos().iter().any(|seat| names::look(&seat.name) == look) {
            return Err(Refusal::of(HouseCode::NameTaken, "That name is already taken in this game"));
        }
        let seat = self.free_seat(wish.seat, &hash(&wish.token))?;
        let stake = wish.buy_in.unwrap_or(open.buy_in_max);
        if !(open.buy_in_min..=open.buy_in_max).contains(&stake) {
            let fault = Fault::new(HouseCode::BuyIn, "a player brings {least} to {most}, not {got}");
            let fault = fault.arg("least", open.buy_in_min).arg("most", open.buy_in_max);
            return Err(fault.arg("got", stake).into());
        }
        Ok((seat, stake))
    }

    /// A viewer wants a seat, in the words of the game's dialect.
    pub(super) fn wants_seat(&mut self, conn: ConnId, seat: Option<Seat>, stake: i64) {
        let Some(listener) = self.listeners.get(conn) else { return };
        let Some(guest) = &listener.guest else { return };
        let out = listener.out.clone();
        let Some(handle) = self.hub.running(self.id.as_str()) else { return };
        let wish = SitDown {
            conn,
            name: guest.name.clone(),
            token: guest.token.clone().unwrap_or_else(crate::house::sessions::fresh_token),
            player: guest.player.clone(),
            invite: guest.invite.clone(),
            seat,
            buy_in: Some(stake),
            link: Some((out, handle)),
            reply: None,
        };
        self.sit_down(wish);
    }

    /// The table has seated a player, or not.
    pub(super) fn sat(&mut self, conn: ConnId, seat: Seat, result: Result<(), Refusal>) {
        let Some(sitting) = self.sitting.get_mut(conn) else { return };
        if let Err(refusal) = result {
            if let Some(sitting) = self.sitting.remove(conn) {
                sitting.finish(Err(refusal));
            }
            return;
        }
        sitting.seated_by = Some(RecordId::latest(&self.table));
        let long = sitting.token.len() >= TOKEN_CHARS_MIN;
        let session = Session {
            name: sitting.name.clone(),
            token: long.then(|| hash(&sitting.token)),
            seat,
            player: sitting.player.as_ref().map(ToString::to_string),
        };
        let player = session.player.clone();
        self.kept_seats.retain(|kept| kept.seat != seat);
        self.change_facts(|facts| {
            facts.sessions.retain(|old| old.seat != seat);
            facts.sessions.push(session);
            facts.leavers.retain(|(other, _)| *other != seat);
            if let Some(place) = facts.players.get_mut(seat.index()) {
                place.clone_from(&player);
            }
        });
        if player.is_some() {
            let mut players = vec![None; usize::from(self.public.seats)];
            players[seat.index()] = player;
            self.hub.note_sitting(self.id.as_str(), self.public.game, &players);
        }
    }

    /// Records up to this one are stored: players whom they seated are told, and see the table from their seats.
    pub(super) fn seat_stored(&mut self, last: RecordId) {
        let seated = |sitting: &Sitting| sitting.seated_by.is_some_and(|by| by <= last);
        let done: Vec<ConnId> =
            self.sitting.iter().filter(|(_, sitting)| seated(sitting)).map(|(conn, _)| *conn).collect();
        for conn in done {
            let Some(mut sitting) = self.sitting.remove(conn) else { continue };
            let seat = sitting.seat;
            if let Some((out, handle)) = sitting.link.take() {
                let players = self.seat_news().into_iter().map(|player| player.name).collect();
                let (game_id, session_token) = (self.id.to_string(), Some(sitting.token.clone()));
                out.put(Out::news(LobbyNews::GameJoined { game_id, players, session_token }));
                let id = self.id.to_string();
                out.put(Out::Started(Box::new(Started { id, handle, seat })));
                self.attach(conn, seat.into(), None, out);
            }
            sitting.finish(Ok(seat));
        }
    }

    /// What was not stored has not happened: nobody was seated by it.
    pub(super) fn seats_not_stored(&mut self) {
        let lost: Vec<ConnId> = self
            .sitting
            .iter()
            .filter(|(_, sitting)| sitting.seated_by.is_some())
            .map(|(conn, _)| *conn)
            .collect();
        for conn in lost {
            if let Some(sitting) = self.sitting.remove(conn) {
                let why = Refusal::of(HouseCode::NotStored, "the store did not take it; nothing has changed");
                sitting.finish(Err(why));
            }
        }
    }

    /// A player has left their seat. What it is paid until it is vacated is theirs.
    pub(super) fn seat_left(&mut self, seat: Seat) {
        if self.open_seating().is_none() {
            return;
        }
        let gone = self.facts.players.get(seat.index()).cloned().flatten();
        self.change_facts(|facts| {
            facts.sessions.retain(|session| session.seat != seat);
            if let Some(place) = facts.players.get_mut(seat.index()) {
                facts.leavers.extend(place.take().map(|player| (seat, player)));
            }
        });
        self.hub.note_gone(self.id.as_str(), &[gone]);
    }

    /// Nothing is left of the player who had this seat.
    pub(super) fn seat_vacated(&mut self, seat: Seat) {
        if self.facts.leavers.iter().any(|(other, _)| *other == seat) {
            self.change_facts(|facts| facts.leavers.retain(|(other, _)| *other != seat));
        }
    }

    /// A player was expelled: their token gives no right to return.
    pub(super) fn expelled(&mut self, seat: Seat, why: &str) {
        tracing::warn!(table = %self.id, seat = seat.index(), why, "a player sent forged data and was expelled");
        let gone: Vec<Option<String>> = {
            let sessions = self.facts.sessions.iter().filter(|session| session.seat == seat);
            sessions.map(|session| session.player.clone()).collect()
        };
        self.hub.note_left(self.id.as_str(), &gone);
        self.change_facts(|facts| facts.sessions.retain(|session| session.seat != seat));
    }
}

fn game_started() -> Refusal {
    Refusal::of(HouseCode::GameStarted, "Game has already started")
}
