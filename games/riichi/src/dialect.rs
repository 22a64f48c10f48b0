//! The document's protocol as a dialect: one translator per connection, between the document's messages and Parlor's.
//!
//! It remembers what its client was sent. It decides nothing: what may be done comes from the requests, what happened from
//! the events. Names and fields are those of the document and of 003/R15.
//!
//! The document's clients send the same first message as Parlor's own (`join_game`), so [`detect`] can only be asked on a
//! connection to a riichi table without a subprotocol whose first frame is binary (003/R16).

mod actions;
mod board;
mod record;
mod results;
mod speak;

use parlor_core::{AnswerTarget, Fault, Json};
use parlor_wire::client::ClientMessage;
use parlor_wire::lobby::{Inbound, LobbyNews, SeatNews};
use parlor_wire::{CloseReason, Dialect, ServerMessage};
use serde_json::json;

use board::Board;
pub use record::record;

/// The name of the game in Parlor.
const GAME: &str = "riichi";
/// The messages that a client of the document sends (003-3).
const WORDS: [&str; 5] = ["join_game", "leave_game", "game_action", "chat", "ping"];
/// Codes of the rules that are sent on as they are; any other refusal means that the seat is not asked this now.
const GAME_CODES: [&str; 15] = [
    "not_your_turn",
    "invalid_discard",
    "invalid_riichi",
    "invalid_tsumo",
    "invalid_ron",
    "invalid_pon",
    "invalid_chi",
    "invalid_kan",
    "cannot_call_kyuushu",
    "invalid_pass",
    "game_error",
    "invalid_action",
    "validation_error",
    "unknown_action",
    "missing_round_result",
];
/// Codes of bad messages: they are told as error events too (003/R11).
const MESSAGE_CODES: [&str; 3] = ["invalid_message", "unknown_action", "validation_error"];

/// Starts the dialect if a connection's first message is the document's.
#[must_use]
pub fn detect(first: &Json) -> Option<Box<dyn Dialect>> {
    let word = first["type"].as_str()?;
    let document = WORDS.contains(&word) && first.get("protocol").is_none();
    document.then(|| Box::new(Client::default()) as Box<dyn Dialect>)
}

/// The answer that a recorded action of the document means, and the code if nobody asked for it.
///
/// # Errors
/// As for an action that a client sends.
pub(crate) fn answer_of(frame: &Json) -> Result<(Json, &'static str), Fault> {
    actions::read(frame, None).map(|action| (action.answer, action.not_asked))
}

/// One client of the document.
#[derive(Default)]
struct Client {
    board: Board,
    /// The code for the last action if it turns out that the seat was not asked.
    not_asked: &'static str,
    /// The client was told the end of the game.
    over: bool,
}

impl Dialect for Client {
    fn decode(&mut self, frame: Json) -> Result<Vec<Inbound>, Fault> {
        let word = frame["type"].as_str().unwrap_or_default();
        if word != "game_action" {
            if !WORDS.contains(&word) {
                return Err(
                    Fault::new("invalid_message", "there is no message of type {type}").arg("type", word)
                );
            }
            return ClientMessage::read(frame).map(|message| vec![Inbound::Table(message)]);
        }
        let action = actions::read(&frame, self.board.called())?;
        self.not_asked = action.not_asked;
        // What is not asked goes to the table all the same, and comes back refused: it is no bad frame.
        let names = AnswerTarget::Input(self.board.input(action.fits));
        let answer = ClientMessage::Answer { names, answer: action.answer, request_key: None };
        Ok(vec![Inbound::Table(answer)])
    }

    fn takes_up(&self, game: &str) -> bool {
        game == GAME
    }

    fn news(&mut self, news: &LobbyNews) -> Vec<Json> {
        let told = match news {
            LobbyNews::GameJoined { game_id, players, session_token } => json!({
                "type": "game_joined", "game_id": game_id, "players": players, "session_token": session_token,
            }),
            LobbyNews::PlayerJoined { player_name } => {
                json!({"type": "player_joined", "player_name": player_name})
            }
            LobbyNews::PlayerLeft { player_name } => {
                json!({"type": "player_left", "player_name": player_name})
            }
            LobbyNews::GameStarted { players } => started(players),
            // A player who comes back hears what they heard when they came (003/R3).
            LobbyNews::MatchFound { game_id, session_token, players, returning: true, .. } => {
                let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
                let joined = json!({
                    "type": "game_joined", "game_id": game_id, "players": names, "session_token": session_token,
                });
                return vec![joined, started(players)];
            }
            LobbyNews::GameLeft => json!({"type": "game_left"}),
            LobbyNews::Chat { player_name, text, .. } => chat(player_name, text),
            LobbyNews::Pong => json!({"type": "pong"}),
            LobbyNews::SessionError { code, message } if MESSAGE_CODES.contains(&code.text()) => {
                error(code.text(), message)
            }
            LobbyNews::SessionError { code, message } => {
                json!({"type": "session_error", "code": code, "message": message})
            }
            LobbyNews::HelloOk { .. }
            | LobbyNews::Account { .. }
            | LobbyNews::QueueOk { .. }
            | LobbyNews::QueueLeft
            | LobbyNews::MatchFound { .. }
            | LobbyNews::Room { .. }
            | LobbyNews::Rematch { .. }
            | LobbyNews::SeatReserved { .. }
            | LobbyNews::Notice { .. } => return Vec::new(),
        };
        vec![told]
    }

    fn message(&mut self, message: &ServerMessage, _: i64) -> Vec<Json> {
        let board = &mut self.board;
        if let ServerMessage::Snapshot { over, .. } | ServerMessage::Update { over, .. } = message {
            self.over |= over.is_some();
        }
        match message {
            ServerMessage::Snapshot { view, requests, seats, over, .. } => {
                board.show(view, seats);
                board.asked(requests);
                board.snapshot(view, requests, over.as_ref().map(|over| &over.outcome))
            }
            ServerMessage::Update { events, requests, over, .. } => {
                let fresh = requests.as_deref().map(|requests| board.asked(requests)).unwrap_or_default();
                board.update(events, &fresh, over.as_ref().map(|over| &over.outcome))
            }
            ServerMessage::Seats { seats, .. } => board.seated(seats),
            ServerMessage::Refused { code, message, .. } => {
                let known = GAME_CODES.contains(&code.text());
                vec![error(if known { code.text() } else { self.not_asked }, message)]
            }
            ServerMessage::Paused { .. } | ServerMessage::Accepted { .. } => Vec::new(),
        }
    }

    fn ends(&self) -> Option<(u16, &'static str)> {
        self.over.then_some((1000, "game_ended"))
    }

    fn close(&self, reason: CloseReason) -> (u16, &'static str) {
        match reason {
            CloseReason::Forged | CloseReason::RateLimited => (1008, "invalid_game_action"),
            _ => reason.frame(),
        }
    }
}

fn started(players: &[SeatNews]) -> Json {
    let player =
        |player: &SeatNews| json!({"seat": player.seat, "name": player.name, "is_bot": player.is_bot});
    json!({"type": "game_started", "players": players.iter().map(player).collect::<Vec<Json>>()})
}

fn chat(player_name: &str, text: &str) -> Json {
    json!({"type": "chat", "player_name": player_name, "text": text})
}

/// An error event (003/R15).
fn error(code: &str, message: &str) -> Json {
    json!({"type": "error", "code": code, "message": message})
}
