//! Joining a room, or a table that has started.

use parlor_core::{HouseCode, Seat, Viewer};
use parlor_wire::LobbyNews;
use tokio::sync::oneshot;

use super::{Connection, GuestPass, Location};
use crate::house::room::registry::RoomJoin;
use crate::house::room::state::Link;
use crate::house::sessions::fresh_token;
use crate::net::websocket::WebSocket;
use crate::table::{Join, JoinError, KeepSeat, Mail, SEAT_KEPT, SitDown, TableHandle};

/// A client's request to join.
pub(super) struct JoinRequest {
    pub(super) name: String,
    pub(super) token: Option<String>,
    pub(super) last_v: Option<u64>,
    pub(super) last_chat: Option<u64>,
    pub(super) spectate: bool,
    pub(super) game_id: Option<String>,
    pub(super) player_token: Option<String>,
    pub(super) invite: Option<String>,
    /// The seat that the client wants, at a table that runs.
    pub(super) seat: Option<u8>,
    pub(super) buy_in: Option<i64>,
}

impl JoinRequest {
    /// A request to return to a match of this connection's player.
    pub(super) fn to_return() -> Self {
        Self {
            name: String::new(),
            token: None,
            last_v: None,
            last_chat: None,
            spectate: false,
            game_id: None,
            player_token: None,
            invite: None,
            seat: None,
            buy_in: None,
        }
    }
}

impl Connection {
    pub(super) async fn join(&mut self, socket: &mut WebSocket, mut wish: JoinRequest) {
        if matches!(self.place, Location::Room | Location::Table(_)) {
            return self
                .error(socket, HouseCode::AlreadyInGame, "You must leave your current game first")
                .await;
        }
        if self.lobby {
            let Some(id) = wish.game_id.take() else {
                return self
                    .error(socket, HouseCode::InvalidMessage, "join_game names its game_id here")
                    .await;
            };
            self.game_id = id;
        }
        if let Some(token) = wish.player_token.take() {
            let link = self.signed_in_link();
            match self.hub.blocking(move |hub| hub.sign_in(&token, &link)).await {
                Ok(player) => self.is_player(player),
                Err(trouble) => return self.trouble(socket, trouble).await,
            }
        }
        if let Some(player) = &self.player {
            wish.name.clone_from(&player.name);
        }
        if wish.name.is_empty() && !wish.spectate {
            return self.error(socket, HouseCode::InvalidMessage, "player_name has 1 to 50 characters").await;
        }
        self.name.clone_from(&wish.name);
        if wish.spectate || !self.join_room(socket, &mut wish).await {
            self.join_table(socket, wish).await;
        }
    }

    /// Joins the room, if there is one; returns whether there is.
    async fn join_room(&mut self, socket: &mut WebSocket, wish: &mut JoinRequest) -> bool {
        let token = wish.token.get_or_insert_with(fresh_token).clone();
        let join = RoomJoin {
            name: wish.name.clone(),
            token,
            player: self.player.as_ref().map(|player| player.id.clone()),
            invite: wish.invite.clone(),
            buy_in: wish.buy_in,
        };
        let link = Link { conn: self.conn, out: self.out.clone(), lobby: self.lobby };
        match self.hub.clone().join_room(&self.game_id, join, Some(link)).await {
            None => return false,
            Some(Err(refusal)) => self.refuse(socket, &refusal).await,
            Some(Ok(())) => {
                self.place = Location::Room;
                // A staked table that could not start sends its members the refusal itself.
                if let Err(refusal) = self.hub.start_room(&self.game_id, false) {
                    self.refuse(socket, &refusal).await;
                }
            }
        }
        true
    }

    pub(super) async fn join_table(&mut self, socket: &mut WebSocket, wish: JoinRequest) {
        let id = self.game_id.clone();
        let Some(handle) = self.hub.table(&id).await else {
            return self.error(socket, HouseCode::GameNotFound, "Game does not exist").await;
        };
        let (reply, answer) = oneshot::channel();
        let token = wish.token.unwrap_or_else(fresh_token);
        let (seat, buy_in, invite) = (wish.seat, wish.buy_in, wish.invite.clone());
        let join = Join {
            conn: self.conn,
            name: wish.name.clone(),
            token: Some(token.clone()),
            player: self.player.as_ref().map(|player| player.id.clone()),
            invite: wish.invite,
            spectate: wish.spectate,
            last_v: wish.last_v,
            last_chat: wish.last_chat,
            out: self.out.clone(),
            reply,
        };
        if handle.tx.send(Mail::Join(Box::new(join))).await.is_err() {
            return self.error(socket, HouseCode::Busy, "this table is being moved; try again").await;
        }
        match answer.await {
            Ok(Ok(joined)) => {
                let game = handle.public.game.to_owned();
                self.place = Location::Table(handle);
                self.viewer = Some(joined.viewer);
                let is_guest = joined.viewer == Viewer::Gallery;
                self.guest = is_guest.then(|| Box::new(GuestPass { token: token.clone(), invite }));
                let news = match (self.protocol.is_foreign(), joined.viewer.seat()) {
                    (true, Some(seat)) => LobbyNews::MatchFound {
                        game_id: id,
                        game,
                        seat: seat.index() as u8,
                        session_token: token,
                        players: joined.players,
                        stake: 0,
                        returning: true,
                    },
                    _ => LobbyNews::GameJoined {
                        game_id: id,
                        players: joined.players.into_iter().map(|player| player.name).collect(),
                        session_token: (!wish.spectate).then_some(token),
                    },
                };
                self.news(socket, &news).await;
            }
            // A client that returns has a seat or none: it never buys in again unasked.
            Ok(Err(JoinError::GameStarted)) if !wish.spectate && wish.last_v.is_none() => {
                self.sit_down(socket, handle, token, (seat, buy_in), invite).await;
            }
            Ok(Err(error)) => {
                let (code, message) = error.words();
                self.error(socket, code, message).await
            }
            Err(_) => self.error(socket, HouseCode::Busy, "this table is being moved; try again").await,
        }
    }

    /// Takes a seat at a table that runs, if its game lets players come. The table tells the client when it is stored.
    pub(super) async fn sit_down(
        &mut self,
        socket: &mut WebSocket,
        handle: TableHandle,
        token: String,
        (seat, buy_in): (Option<u8>, Option<i64>),
        invite: Option<String>,
    ) {
        let seat = match seat {
            Some(n) if usize::from(n) >= usize::from(handle.public.seats) => {
                return self.error(socket, HouseCode::UnknownSeat, "there is no such seat").await;
            }
            seat => seat.map(Seat::new),
        };
        if let Err(refusal) = self.hub.check_name(&self.name, self.player.is_some()).await {
            return self.refuse(socket, &refusal).await;
        }
        let wish = SitDown {
            conn: self.conn,
            name: self.name.clone(),
            token,
            player: self.player.as_ref().map(|player| player.id.clone()),
            invite,
            seat,
            buy_in,
            link: Some((self.out.clone(), handle.clone())),
            reply: None,
        };
        if handle.tx.send(Mail::Sit(Box::new(wish))).await.is_err() {
            self.error(socket, HouseCode::Busy, "this table is being moved; try again").await;
        }
    }

    /// Keeps a seat for a minute while the player chooses what to bring.
    pub(super) async fn keep_seat(&mut self, socket: &mut WebSocket, seat: Option<u8>) {
        let Location::Table(handle) = &self.place else {
            return self.error(socket, HouseCode::NotInGame, "You are not in a game").await;
        };
        let seat = seat.filter(|n| *n < handle.public.seats).map(Seat::new);
        let (reply, answer) = oneshot::channel();
        let Some(token) = self.guest.as_ref().map(|guest| guest.token.clone()) else {
            return self.error(socket, HouseCode::Seated, "you have a seat already").await;
        };
        let player = self.player.as_ref().map(|player| player.id.clone());
        let wish = Box::new(KeepSeat { seat, token, player, reply });
        if handle.tx.send(Mail::KeepSeat(wish)).await.is_err() {
            return self.error(socket, HouseCode::Busy, "this table is being moved; try again").await;
        }
        match answer.await {
            Ok(Ok(offer)) => {
                let news = LobbyNews::SeatReserved {
                    seat: offer.seat.index() as u8,
                    for_ms: SEAT_KEPT.as_millis() as u64,
                    buy_in_min: offer.open.buy_in_min,
                    buy_in_max: offer.open.buy_in_max,
                    currency: offer.open.money,
                };
                self.news(socket, &news).await;
            }
            Ok(Err(refusal)) => self.refuse(socket, &refusal).await,
            Err(_) => self.error(socket, HouseCode::Busy, "this table is being moved; try again").await,
        }
    }
}
