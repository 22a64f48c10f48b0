//! A connection's messages to its table, or to the room that will become one.

use std::time::Instant;

use parlor_core::limits::CHAT_CHARS_MAX;
use parlor_core::{HouseCode, Json};
use parlor_host::{AnswerTarget, Command, ConnId, Submit};
use parlor_wire::{ClientMessage, CloseReason, LobbyNews};

use super::join::JoinRequest;
use super::{AfterFrame, Connection, Location, busy};
use crate::net::websocket::WebSocket;
use crate::table::Mail;

impl Connection {
    pub(super) async fn message(&mut self, socket: &mut WebSocket, message: ClientMessage) -> AfterFrame {
        match message {
            ClientMessage::Ping => self.news(socket, &LobbyNews::Pong).await,
            ClientMessage::JoinGame {
                player_name,
                session_token,
                last_v,
                last_chat,
                spectate,
                game_id,
                player_token,
                invite,
                seat,
                buy_in,
            } => {
                let wish = JoinRequest {
                    name: player_name,
                    token: session_token,
                    last_v,
                    last_chat,
                    spectate,
                    game_id,
                    player_token,
                    invite,
                    seat,
                    buy_in,
                };
                // Boxed: what it needs while it waits would lie in every connection for as long as that is open.
                Box::pin(self.join(socket, wish)).await;
            }
            ClientMessage::LeaveGame => return self.leave(socket).await,
            ClientMessage::ReserveSeat { seat } => Box::pin(self.keep_seat(socket, seat)).await,
            ClientMessage::SitDown { seat, buy_in } => match &self.place {
                Location::Table(handle) => match &self.guest {
                    Some(guest) => {
                        let (token, invite) = (guest.token.clone(), guest.invite.clone());
                        let sitting = self.sit_down(socket, handle.clone(), token, (seat, buy_in), invite);
                        Box::pin(sitting).await;
                    }
                    None => self.error(socket, HouseCode::Seated, "you have a seat already").await,
                },
                _ => self.error(socket, HouseCode::NotInGame, "You are not in a game").await,
            },
            other => self.command(socket, other).await,
        }
        AfterFrame::Go
    }

    async fn leave(&mut self, socket: &mut WebSocket) -> AfterFrame {
        let home = self.home();
        match std::mem::replace(&mut self.place, home) {
            Location::Nowhere | Location::Lobby => {
                self.error(socket, HouseCode::NotInGame, "You are not in a game").await;
                return AfterFrame::Go;
            }
            Location::Room => self.leave_room().await,
            Location::Table(handle) => {
                let _ = handle.tx.send(Mail::Leave { conn: self.conn }).await;
            }
        }
        self.viewer = None;
        self.news(socket, &LobbyNews::GameLeft).await;
        if self.lobby { AfterFrame::Go } else { AfterFrame::Close(CloseReason::Left) }
    }

    /// Sends a command to the table. If the mailbox is full, only this client gets an error.
    async fn command(&mut self, socket: &mut WebSocket, message: ClientMessage) {
        let conn = self.conn;
        let command = match message {
            ClientMessage::Answer { names, answer, request_key } => {
                submit_command(conn, names, answer, request_key)
            }
            ClientMessage::Undo { to, request_key: key } => Command::Undo { conn, to, key },
            ClientMessage::Words(words) => {
                Command::Dialect { seat: None, conn, name: self.name.clone(), words }
            }
            ClientMessage::Chat { .. } if !self.chat.take(Instant::now()) => {
                return self.error(socket, HouseCode::RateLimited, "you are talking too much").await;
            }
            ClientMessage::Chat { text } => Command::Chat { conn, name: self.name.clone(), text },
            _ => return,
        };
        let full = match &self.place {
            Location::Nowhere | Location::Lobby => {
                return self.error(socket, HouseCode::NotInGame, "You are not in a game").await;
            }
            Location::Room => {
                if let Command::Chat { name, text, .. } = command {
                    if text.chars().count() > CHAT_CHARS_MAX {
                        return self.error(socket, HouseCode::Chat, "that is too long").await;
                    }
                    if self.hub.with_room(&self.game_id, |room| room.chat(name, text)).is_none() {
                        // The table is being stored and takes no commands yet.
                        self.error(socket, HouseCode::Busy, "the game is about to start; try again").await;
                    }
                    return;
                }
                return self.error(socket, HouseCode::GameNotStarted, "Game has not started").await;
            }
            Location::Table(handle) => {
                handle.tx.try_send(Mail::Do { command: Box::new(command), at: Instant::now() }).is_err()
            }
        };
        if full {
            self.refuse(socket, &busy().into()).await;
        }
    }
}

/// The command for an answer to the request that it names.
pub(super) fn submit_command(conn: ConnId, to: AnswerTarget, answer: Json, key: Option<String>) -> Command {
    Command::Submit(conn, Submit { to, answer, key })
}
