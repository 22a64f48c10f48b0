//! A connection's messages to the lobby: hello, the queue, rooms, a rematch.

use std::sync::atomic::Ordering;

use parlor_core::{HouseCode, Json, Route};
use parlor_wire::lobby::{LobbyMessage, LobbyNews};

use super::{Connection, Location};
use crate::house::accounts::Trouble;
use crate::house::matchmaking::QueueRequest;
use crate::net::outbox::Out;
use crate::net::websocket::WebSocket;
use crate::table::Mail;

impl Connection {
    pub(super) async fn trouble(&mut self, socket: &mut WebSocket, trouble: Trouble) {
        let (code, message) = trouble.words();
        self.error(socket, code, message).await;
    }

    pub(super) async fn lobby_message(&mut self, socket: &mut WebSocket, message: LobbyMessage) {
        match message {
            LobbyMessage::Hello { token, nickname, language } => {
                self.hello(socket, token, nickname, language).await;
            }
            LobbyMessage::QueueJoin { game, settings, seats, fill_ms } => {
                let game = self.game_meant(game);
                self.queue_join(socket, QueueRequest { game, settings, seats, fill_ms }).await;
            }
            LobbyMessage::QueueLeave => {
                if let Some(player) = &self.player {
                    self.hub.queue_leave(&player.id, Some(self.conn));
                }
                self.news(socket, &LobbyNews::QueueLeft).await;
            }
            LobbyMessage::PlayBots { game, settings, bots } => {
                let game = self.game_meant(game);
                self.play_bots(socket, &game, settings, bots).await;
            }
            LobbyMessage::Rematch { agree } => self.rematch(socket, agree).await,
            room => self.room_message(socket, room).await,
        }
    }

    /// The game of a request; the queue's default if it names none (002/R12).
    fn game_meant(&self, game: Option<String>) -> String {
        game.unwrap_or_else(|| self.hub.default_game(Route::Queue))
    }

    async fn hello(
        &mut self,
        socket: &mut WebSocket,
        token: Option<String>,
        nickname: Option<String>,
        language: Option<String>,
    ) {
        let (address, link) = (self.address, self.signed_in_link());
        let met = self.hub.blocking(move |hub| {
            let (player, fresh) = match token {
                Some(token) => (hub.sign_in(&token, &link)?, None),
                None if !hub.guest_from(address) => return Err(Trouble::TooManyGuests),
                None => {
                    let (player, token) = hub.new_guest(nickname.as_deref(), language.as_deref())?;
                    hub.signed_in_as(&player, link.clone());
                    (player, Some(token))
                }
            };
            let profile =
                hub.profile(&player).inspect_err(|_| hub.signed_in.remove(&player.id, link.conn))?;
            Ok((profile, player, fresh))
        });
        match met.await {
            Ok((profile, player, token)) => {
                self.name.clone_from(&player.name);
                let matches = self.hub.sittings(&player.id);
                self.is_player(player);
                if self.lobby && matches!(self.place, Location::Nowhere) {
                    self.place = Location::Lobby;
                }
                let taken_up = matches.iter().rev().find(|sitting| self.protocol.takes_up(&sitting.game));
                let taken_up = taken_up.map(|sitting| sitting.game_id.clone());
                self.news(socket, &LobbyNews::HelloOk { profile, token, matches }).await;
                if let Some(id) = taken_up.filter(|_| matches!(self.place, Location::Lobby)) {
                    self.game_id = id;
                    self.join_table(socket, super::join::JoinRequest::to_return()).await;
                }
            }
            Err(trouble) => self.trouble(socket, trouble).await,
        }
    }

    /// Whether this connection can start another match now; sends an error if not. A finished match is left.
    async fn free(&mut self, socket: &mut WebSocket) -> bool {
        let over = match &self.place {
            Location::Lobby => return true,
            Location::Nowhere => {
                self.error(socket, HouseCode::HelloFirst, "Please send hello first").await;
                return false;
            }
            Location::Table(handle) if self.lobby && self.player.is_some() => {
                handle.public.over.load(Ordering::Acquire)
            }
            _ => false,
        };
        if !over {
            self.error(socket, HouseCode::AlreadyInGame, "Already in a match").await;
            return false;
        }
        if let Location::Table(handle) = std::mem::replace(&mut self.place, Location::Lobby) {
            let _ = handle.tx.send(Mail::Detach { conn: self.conn, by_server: true }).await;
        }
        true
    }

    async fn queue_join(&mut self, socket: &mut WebSocket, wish: QueueRequest) {
        if !self.free(socket).await {
            return;
        }
        let Some(player) = self.player.clone() else { return };
        let (hub, link) = (self.hub.clone(), Some((self.conn, self.out.clone())));
        let address = self.address;
        let joining = self.hub.store_threads.run(move || hub.queue_join(&player, wish, link, address)).await;
        match joining {
            Ok(Ok((position, tokens))) => {
                let (position, waiting) = (position.place, position.waiting);
                self.news(socket, &LobbyNews::QueueOk { tokens, position, waiting }).await;
            }
            Ok(Err(refusal)) => self.refuse(socket, &refusal).await,
            Err(_) => self.trouble(socket, Trouble::Busy).await,
        }
    }

    async fn play_bots(&mut self, socket: &mut WebSocket, game: &str, settings: Json, bots: Option<u8>) {
        if !self.free(socket).await {
            return;
        }
        let Some(player) = self.player.clone() else { return };
        self.hub.queue_leave(&player.id, Some(self.conn));
        let link = (self.conn, self.out.clone());
        if let Err(refusal) = self.hub.play_bots(&player, game, settings, bots, link, self.address) {
            self.refuse(socket, &refusal).await;
        }
    }

    async fn rematch(&mut self, socket: &mut WebSocket, agree: bool) {
        let seat = self.viewer.and_then(|viewer| viewer.seat());
        let (Location::Table(handle), Some(seat)) = (&self.place, seat) else {
            return self.error(socket, HouseCode::NotInGame, "You are not in a game").await;
        };
        if handle.tx.try_send(Mail::Rematch { seat, agree, reply: None }).is_err() {
            self.error(socket, HouseCode::Busy, "this table has too much to do; try again").await;
        }
    }

    async fn room_message(&mut self, socket: &mut WebSocket, message: LobbyMessage) {
        if !matches!(self.place, Location::Room) {
            return self.error(socket, HouseCode::NotInGame, "You are not in a room").await;
        }
        let id = self.game_id.clone();
        let own = self.hub.with_room(&id, |room| room.member(self.conn).is_some_and(|(_, own)| own));
        if !matches!(message, LobbyMessage::RoomReady { .. }) && own != Some(true) {
            return self.error(socket, HouseCode::Forbidden, "only the owner of the room may do that").await;
        }
        let at_once = matches!(message, LobbyMessage::RoomStart);
        let known = self.hub.change_room(&id, |room| match &message {
            LobbyMessage::RoomReady { ready } => {
                let mine = room.plan.members.iter_mut().find(|member| member.conn == Some(self.conn));
                mine.map(|member| (member.ready, member.lobby) = (*ready, true)).is_some()
            }
            LobbyMessage::RoomKick { player_name } => {
                let place = room.place_of(player_name);
                let member = place.map(|place| room.send_away(place));
                if let Some(out) = member.as_ref().and_then(|member| member.out.as_ref()) {
                    out.put(Out::news(LobbyNews::error(HouseCode::Kicked, "the owner asked you to go")));
                    out.put(Out::Unseated);
                }
                member.is_some()
            }
            LobbyMessage::RoomOwner { player_name } => {
                let place = room.place_of(player_name);
                place.map(|place| room.hand_over(place)).is_some()
            }
            _ => true,
        });
        if known == Some(false) {
            return self.error(socket, HouseCode::PlayerNotFound, "there is nobody of that name here").await;
        }
        if let Err(refusal) = self.hub.start_room(&id, at_once) {
            self.refuse(socket, &refusal).await;
        }
    }
}
