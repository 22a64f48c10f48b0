//! A table's players outside of the match: its start, their accounts, the spectator delay, rematches.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use parlor_core::{Refusal, Seat, Viewer};
use parlor_host::{Command, ConnId};
use parlor_store::WriteError;
use parlor_wire::LobbyNews;
use parlor_wire::lobby::SeatNews;
use tokio::sync::oneshot;

use super::{TableHandle, TableTask};
use crate::house::hub::dry_run_start;
use crate::house::room::state::{Member, Room, RoomState};
use crate::house::sessions::fresh_token;
use crate::net::outbox::{Out, Outbox, Started};

/// A table that is not stored yet: its members are sent the start when it is, or return to the room or the queue.
pub(crate) struct Opening {
    pub(crate) room: Room,
    /// The seats of the room's members, in their order.
    pub(crate) seats: Vec<Seat>,
    pub(crate) handle: TableHandle,
    /// The caller that waits to learn whether it has started.
    pub(crate) told: Option<oneshot::Sender<Result<(), Refusal>>>,
}

/// The players who agreed to a rematch, and its table once all did.
pub(crate) struct Agreed {
    pub(crate) names: Vec<String>,
    pub(crate) game_id: Option<String>,
}

impl TableTask {
    /// Every seat, with its player's account.
    pub(super) fn seat_news(&self) -> Vec<SeatNews> {
        let player_of = |seat| self.facts.player_at(Seat::new(seat)).map(|id| id.to_string());
        SeatNews::all(&self.table.seat_infos(), player_of)
    }

    /// The state of the account of a seat's player.
    fn account_of(&self, seat: Seat) -> Option<LobbyNews> {
        let id = self.facts.player_at(seat)?;
        let profile = tokio::task::block_in_place(|| {
            let player = self.hub.store.player(&id).ok()??;
            self.hub.profile(&player).ok()
        })?;
        Some(LobbyNews::Account { profile })
    }

    /// Tokens or points have changed: sends every connected player their new account before the event that caused it.
    pub(super) fn tell_accounts(&self) {
        for listener in self.listeners.values() {
            if let Some(news) = listener.viewer.seat().and_then(|seat| self.account_of(seat)) {
                listener.out.put(Out::news(news));
            }
        }
    }

    /// The table is stored: sends the members the start of the match.
    pub(super) fn opened(&mut self, opening: Opening) {
        let Opening { room, seats, handle, told } = opening;
        let players = self.seat_news();
        self.hub.room_gone(&self.id);
        for (member, seat) in room.plan.members.iter().zip(&seats) {
            let (Some(conn), Some(out)) = (member.conn, &member.out) else { continue };
            let (players, id) = (players.clone(), self.id.to_string());
            let news = match &member.found {
                Some(token) => LobbyNews::MatchFound {
                    game_id: id.clone(),
                    game: self.public.game.to_owned(),
                    seat: seat.index() as u8,
                    session_token: token.clone(),
                    players,
                    stake: room.plan.stakes.get(seat.index()).copied().unwrap_or(0),
                    returning: false,
                },
                None => LobbyNews::GameStarted { players },
            };
            out.put(Out::news(news));
            if self.facts.staked
                && let Some(account) = self.account_of(*seat)
            {
                out.put(Out::news(account));
            }
            out.put(Out::Started(Box::new(Started { id, handle: handle.clone(), seat: *seat })));
            self.attach(conn, (*seat).into(), None, out.clone());
        }
        if let Some(told) = told {
            let _ = told.send(Ok(()));
        }
        self.start_programs();
    }

    /// The table was not stored: no player was charged, and all return to where they were.
    pub(super) fn not_opened(&mut self, opening: Opening, error: &WriteError) {
        self.hub.note_gone(self.id.as_str(), &self.facts.players);
        self.finished = true;
        self.public.over.store(true, Ordering::Release);
        self.rx.close();
        self.hub.put_back(&self.id, opening, error);
    }

    /// Tells every viewer what was said, and keeps it for those who come later. It is stored soon, and waits for nothing;
    /// after the match it is kept in memory alone: what is stored of a match that is over does not change.
    pub(super) fn tell_chat(&mut self, player_name: String, text: String) {
        let mut n = 0;
        if self.finished {
            n = self.facts.chat.add(&player_name, &text);
        } else {
            self.change_facts(|facts| n = facts.chat.add(&player_name, &text));
        }
        let news = LobbyNews::Chat { n: Some(n), player_name, text };
        let delayed = self.facts.spectator_delay_ms > 0;
        let mut later = Vec::new();
        for (conn, listener) in self.listeners.iter() {
            if delayed && listener.viewer == Viewer::Gallery {
                later.push(*conn);
            } else {
                listener.out.put(Out::news(news.clone()));
            }
        }
        for conn in later {
            self.hold_back(conn, Out::news(news.clone()));
        }
    }

    /// Tells a viewer what was said after the message with this number; nobody without a seat if spectators are delayed or
    /// the match is over.
    pub(super) fn tell_kept_chat(&self, viewer: Viewer, out: &Outbox, heard: u64) {
        if viewer == Viewer::Gallery && (self.facts.spectator_delay_ms > 0 || self.finished) {
            return;
        }
        for news in self.facts.chat.since(heard) {
            out.put(Out::news(news));
        }
    }

    /// Holds a message to the gallery back for the spectator delay.
    pub(super) fn hold_back(&mut self, conn: ConnId, out: Out) {
        let delay = Duration::from_millis(self.facts.spectator_delay_ms);
        self.spectator_delay.hold(Instant::now() + delay, conn, out);
    }

    /// Sends the gallery the messages whose delay is over.
    pub(super) fn tell_late(&mut self) {
        if self.spectator_delay.next().is_none() {
            return;
        }
        let now = Instant::now();
        while let Some((conn, out)) = self.spectator_delay.due(now) {
            self.deliver(conn, out);
            if let Some(listener) = self.listeners.get(conn) {
                listener.out.ring();
            }
        }
    }

    /// A player agrees to a rematch, or no longer; when all agree, it starts.
    pub(super) fn rematch(&mut self, seat: Seat, agree: bool, reply: Option<oneshot::Sender<Agreed>>) {
        let sits = self.facts.sessions.iter().any(|session| session.seat == seat);
        if self.finished && sits && agree {
            self.agreed.insert(seat);
        } else {
            self.agreed.remove(&seat);
        }
        let all = self.facts.sessions.iter().all(|session| self.agreed.contains(&session.seat));
        let game_id = (all && !self.agreed.is_empty()).then(|| fresh_token()[..12].to_owned());
        let agreed = self.facts.sessions.iter().filter(|session| self.agreed.contains(&session.seat));
        let names: Vec<String> = agreed.map(|session| session.name.clone()).collect();
        let news = LobbyNews::Rematch { agreed: names.clone(), game_id: game_id.clone() };
        for listener in self.listeners.values() {
            listener.out.put(Out::news(news.clone()));
        }
        if let Some(id) = &game_id {
            self.agreed.clear();
            if let Err(refusal) = self.open_rematch(id) {
                self.notice(refusal.code().clone(), &refusal.to_string());
            }
        }
        if let Some(reply) = reply {
            let _ = reply.send(Agreed { names, game_id });
        }
    }

    /// Opens a table for the same players, each one seat further, so that another player starts.
    fn open_rematch(&mut self, id: &str) -> Result<(), Refusal> {
        let header = self.table.current_match().header();
        let (entry, seats, settings) =
            (*self.table.current_match().def(), header.seats, header.settings.json());
        let mut plan = RoomState {
            game: entry.name.to_owned(),
            stakes: if self.facts.staked { dry_run_start(entry, seats, &settings)? } else { Vec::new() },
            settings,
            seats,
            bots: self.facts.bots,
            owner_player: self.facts.owner_player.clone(),
            owner: self.facts.owner.clone().unwrap_or_default(),
            invite: self.facts.invite.clone(),
            spectator_delay_ms: self.facts.spectator_delay_ms,
            ..RoomState::default()
        };
        let mut seating = Vec::new();
        for session in &self.facts.sessions {
            let of_seat = |(_, listener): &&(ConnId, super::Listener)| listener.viewer == session.seat.into();
            let link = self.listeners.iter().find(of_seat);
            plan.members.push(Member {
                conn: link.map(|(conn, _)| *conn),
                out: link.map(|(_, listener)| listener.out.clone()),
                name: session.name.clone(),
                token: session.token.clone(),
                player: session.player.clone(),
                by_socket: link.is_some(),
                ready: true,
                ..Member::default()
            });
            seating.push(session.seat.next(seats));
        }
        // A bot takes the seat of a player who left, if bots are allowed.
        plan.bots = seats - plan.members.len() as u8;
        plan.seating = Some(seating);
        for conn in plan.members.iter().filter_map(|member| member.conn) {
            self.listeners.remove(conn);
            self.handle(Command::Disconnect { conn, by_server: true });
        }
        self.hub.open_table(id, Room::new(entry, plan)).map(|_| ())
    }
}
