//! The document's protocol as a dialect: one translator per connection, between the document's messages and Parlor's.
//!
//! It remembers what its client was sent. It never decides anything, and never names GRASS to a client.

mod screen;
mod speak;

use parlor_core::{AnswerTarget, Fault, Json};
use parlor_wire::client::ClientMessage;
use parlor_wire::lobby::{Inbound, LobbyMessage, LobbyNews};
use parlor_wire::{Dialect, ServerMessage};
use serde_json::json;

use screen::Screen;

/// The message types with which a client of the document may open a connection.
const FIRST_WORDS: [&str; 4] = ["hello", "queue_join", "queue_leave", "pve_start"];
/// The name of the game in Parlor.
const GAME: &str = "battle";

/// Starts the dialect if a connection's first frame belongs to it. Clients of Parlor's own protocol send `hello` too,
/// but with a `protocol`, and are left alone.
#[must_use]
pub fn detect(first: &Json) -> Option<Box<dyn Dialect>> {
    let word = first["type"].as_str()?;
    let document =
        FIRST_WORDS.contains(&word) && first.get("protocol").is_none() && other_game(first).is_none();
    document.then(|| Box::new(Client::default()) as Box<dyn Dialect>)
}

/// The game that a message names, if it is another one.
fn other_game(frame: &Json) -> Option<&str> {
    frame.get("game").and_then(Json::as_str).filter(|game| *game != GAME)
}

/// What an account holds, as the document's messages carry it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Me {
    tokens: i64,
    rating: i64,
    league: String,
}

/// One client of the document.
#[derive(Default)]
struct Client {
    /// Whether `hello` was answered.
    known: bool,
    me: Me,
    screen: Option<Screen>,
    /// The match was found just now: the first snapshot is its beginning, not a return.
    found: bool,
}

impl Dialect for Client {
    fn decode(&mut self, frame: Json) -> Result<Vec<Inbound>, Fault> {
        let lobby = |message| Ok(vec![Inbound::Lobby(message)]);
        match frame["type"].as_str().unwrap_or_default() {
            "hello" => match frame["authToken"].as_str() {
                Some(token) if parlor_wire::client::is_token(token) => lobby(LobbyMessage::Hello {
                    token: Some(token.to_owned()),
                    nickname: None,
                    language: None,
                }),
                _ => Err(Fault::new("unauthorized", "Unauthorized")),
            },
            "ping" => Ok(vec![Inbound::Table(ClientMessage::Ping)]),
            _ if !self.known => Err(Fault::new("hello_first", "Please send hello first")),
            "queue_join" | "pve_start" if self.at_a_match() => {
                Err(Fault::new("already_in_match", "Already in a match"))
            }
            "queue_join" => lobby(LobbyMessage::QueueJoin {
                game: Some(GAME.to_owned()),
                settings: settings(&frame, 1),
                seats: None,
                fill_ms: None,
            }),
            "queue_leave" => lobby(LobbyMessage::QueueLeave),
            "pve_start" => lobby(LobbyMessage::PlayBots {
                game: Some(GAME.to_owned()),
                settings: settings(&frame, 0),
                bots: None,
            }),
            "layout_draft" => self.layout(&frame, false),
            "layout_confirm" => self.layout(&frame, true),
            other => {
                Err(Fault::new("invalid_message", "there is no message of type {type}").arg("type", other))
            }
        }
    }

    fn takes_up(&self, game: &str) -> bool {
        game == GAME
    }

    fn news(&mut self, news: &LobbyNews) -> Vec<Json> {
        match news {
            LobbyNews::HelloOk { profile, .. } => {
                self.known = true;
                self.account(profile);
                vec![json!({
                    "type": "hello_ok", "accountId": profile.player_id, "tokens": profile.tokens,
                    "nickname": profile.nickname, "language": profile.language, "avatar": profile.avatar,
                    "rating": self.me.rating, "leagueKey": self.me.league,
                })]
            }
            LobbyNews::Account { profile } => {
                self.account(profile);
                Vec::new()
            }
            LobbyNews::QueueOk { tokens, .. } => {
                self.me.tokens = *tokens;
                vec![json!({"type": "queue_ok", "tokens": tokens})]
            }
            LobbyNews::QueueLeft => vec![json!({"type": "queue_left"})],
            LobbyNews::MatchFound { game_id, game, seat, players, returning, .. } if game == GAME => {
                let account = |n: usize| players.get(n).and_then(|player| player.player_id.clone());
                let name = |n: usize| players.get(n).map(|player| player.name.clone()).unwrap_or_default();
                self.found = !returning;
                self.screen = Some(Screen {
                    match_id: game_id.clone(),
                    seat: usize::from(*seat) % 2,
                    accounts: [account(0), account(1)],
                    names: [name(0), name(1)],
                    ..Screen::default()
                });
                Vec::new()
            }
            LobbyNews::SessionError { code, message } => vec![error(code.text(), message)],
            LobbyNews::Notice { code, message } => {
                vec![json!({"type": "notice", "code": code, "message": message})]
            }
            LobbyNews::Pong => vec![json!({"type": "pong"})],
            _ => Vec::new(),
        }
    }

    fn message(&mut self, message: &ServerMessage, wall_at_zero: i64) -> Vec<Json> {
        let Some(screen) = &mut self.screen else { return Vec::new() };
        match message {
            ServerMessage::Snapshot { view, requests, seats, paused, over, .. } => {
                let before = screen.ended;
                screen.show(view, requests, seats, paused.as_deref());
                if over.is_some() {
                    screen.end();
                }
                let mut told = Vec::new();
                match (std::mem::take(&mut self.found), screen.ended) {
                    (true, false) => {
                        told.push(screen.match_found(&self.me));
                        told.push(screen.prep_start(&self.me, wall_at_zero));
                    }
                    _ => told.push(screen.sync_state(&self.me, wall_at_zero)),
                }
                if screen.ended && !before {
                    // The match ended while this client was away: the end is sent once, here.
                    told.extend(over.as_ref().map(|over| screen.ended_by(&over.outcome, &self.me)));
                }
                told
            }
            ServerMessage::Update { events, requests, over, .. } => {
                if let Some(requests) = requests {
                    screen.until = None;
                    screen.asked(requests);
                }
                let mut told = Vec::new();
                for event in events {
                    screen.fold(event);
                    told.extend(screen.tell(event, &self.me, wall_at_zero));
                }
                if let Some(over) = over.as_ref().filter(|_| !screen.ended) {
                    // The host ended the match, not the rules: nobody has won.
                    screen.end();
                    told.push(screen.ended_by(&over.outcome, &self.me));
                }
                told
            }
            ServerMessage::Paused { why, .. } => {
                screen.paused.clone_from(why);
                // A waiting client needs to know that the clock has stopped, and the new deadline when it runs again.
                if screen.ended { Vec::new() } else { vec![screen.sync_state(&self.me, wall_at_zero)] }
            }
            ServerMessage::Refused { code, message, .. } => vec![error(code.text(), message)],
            ServerMessage::Seats { .. } | ServerMessage::Accepted { .. } => Vec::new(),
        }
    }
}

impl Client {
    fn at_a_match(&self) -> bool {
        self.screen.as_ref().is_some_and(|screen| !screen.ended)
    }

    fn account(&mut self, profile: &parlor_wire::lobby::Profile) {
        let rated = profile.ratings.iter().find(|rated| rated.game == GAME);
        self.me = Me {
            tokens: profile.tokens,
            rating: rated.map_or(0, |rated| rated.rating),
            // A player without points is in the lowest league.
            league: rated.map_or("wood", |rated| &rated.league_key).to_owned(),
        };
    }

    /// A layout for the match it names; a layout for another match is ignored.
    fn layout(&self, frame: &Json, confirm: bool) -> Result<Vec<Inbound>, Fault> {
        let Some(screen) = &self.screen else { return Ok(Vec::new()) };
        if frame["matchId"].as_str().is_some_and(|id| id != screen.match_id) || screen.ended {
            return Ok(Vec::new());
        }
        let input = if confirm { screen.confirm } else { screen.draft };
        let Some(input) = input else {
            return Err(if screen.confirmed {
                Fault::new("already_confirmed", "Your layout is confirmed")
            } else {
                Fault::new("not_prep", "Layouts are taken in PREP only")
            });
        };
        let answer = json!({"layout": frame["layout"]});
        let said = ClientMessage::Answer { names: AnswerTarget::Input(input), answer, request_key: None };
        Ok(vec![Inbound::Table(said)])
    }
}

/// The settings that a message asks for, with this stake. The rules check them.
fn settings(frame: &Json, stake: u8) -> Json {
    let mut settings =
        frame.get("settings").filter(|settings| settings.is_object()).cloned().unwrap_or(json!({}));
    if let Some(profile) = frame.get("profile") {
        settings["profile"] = profile.clone();
    }
    settings["stake"] = json!(stake);
    settings
}

fn error(code: &str, message: &str) -> Json {
    json!({"type": "error_msg", "code": code, "message": message})
}
