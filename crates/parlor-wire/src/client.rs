//! What a client says: the session messages of the protocol, read without trust.

use parlor_core::{Fault, Json};

/// Characters of a table's name, a player's name and a session token.
pub const NAME_CHARS_MAX: usize = 50;

/// How a submission says what it answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// This `inputId`.
    Input(u32),
    /// This `branchId`.
    Head(u32),
    /// Neither.
    Nothing,
}

/// A message from a client.
#[derive(Clone, PartialEq, Debug)]
pub enum ClientMessage {
    /// Take a seat, or take it back.
    JoinGame {
        /// The name at the table.
        player_name: String,
        /// The client's own token, if it has one.
        session_token: Option<String>,
        /// The last version it has, when it comes back.
        last_v: Option<u64>,
        /// Whether it only wants to look.
        spectate: bool,
    },
    /// Get up.
    LeaveGame,
    /// Answer a request.
    Answer {
        /// Which.
        names: Names,
        /// What it says.
        answer: Json,
        /// The key for retries.
        request_key: Option<String>,
    },
    /// Take back the last answer, or the record it names.
    Undo {
        /// The record.
        to: Option<u32>,
    },
    /// Say something that is no part of the game.
    Chat {
        /// What.
        text: String,
    },
    /// Still here.
    Ping,
}

impl ClientMessage {
    /// Reads a message; unknown fields are ignored.
    ///
    /// # Errors
    /// What is wrong with it: `invalid_message` for its shape, `unknown_action` for an action nobody knows.
    pub fn read(mut value: Json) -> Result<Self, Fault> {
        let Some(kind) = value.get("type").and_then(Json::as_str) else {
            return Err(Fault::new("invalid_message", "a message is an object with a type"));
        };
        match kind {
            "ping" => Ok(Self::Ping),
            "leave_game" => Ok(Self::LeaveGame),
            "chat" => Ok(Self::Chat { text: text(&value, "text")?.unwrap_or_default() }),
            "join_game" => Self::join(&value),
            "game_action" => {
                // Moved, not copied: it is most of the message.
                let data = value.get_mut("data").map(Json::take).unwrap_or(Json::Null);
                Self::action(&value, data)
            }
            other => {
                Err(Fault::new("invalid_message", "there is no message of type {type}").arg("type", other))
            }
        }
    }

    fn join(value: &Json) -> Result<Self, Fault> {
        let spectate = value.get("spectate").and_then(Json::as_bool).unwrap_or(false);
        let player_name = text(value, "player_name")?.unwrap_or_default();
        let well = (1..=NAME_CHARS_MAX).contains(&player_name.chars().count())
            && !player_name.contains(char::is_control);
        if !well && !(spectate && player_name.is_empty()) {
            return Err(Fault::new("invalid_message", "player_name has 1 to {max} characters")
                .arg("max", NAME_CHARS_MAX));
        }
        let session_token = text(value, "session_token")?;
        if session_token.as_ref().is_some_and(|token| !is_token(token)) {
            let fault =
                Fault::new("invalid_message", "session_token has 1 to {max} characters of A-Z a-z 0-9 _ -");
            return Err(fault.arg("max", NAME_CHARS_MAX));
        }
        Ok(Self::JoinGame {
            player_name,
            session_token,
            last_v: value.get("last_v").and_then(Json::as_u64),
            spectate,
        })
    }

    fn action(value: &Json, data: Json) -> Result<Self, Fault> {
        match text(value, "action")?.as_deref() {
            Some("undo") => Ok(Self::Undo { to: number(&data, "to")? }),
            Some("answer") => {
                let names = match (number(value, "inputId")?, number(value, "branchId")?) {
                    (Some(input), _) => Names::Input(input),
                    (None, Some(head)) => Names::Head(head),
                    (None, None) => Names::Nothing,
                };
                Ok(Self::Answer { names, answer: data, request_key: text(value, "requestKey")? })
            }
            Some(other) => {
                Err(Fault::new("unknown_action", "there is no action {action}").arg("action", other))
            }
            None => Err(Fault::new("invalid_message", "a game_action has an action")),
        }
    }
}

/// Whether a text can name a table or be a token.
#[must_use]
pub fn is_token(text: &str) -> bool {
    (1..=NAME_CHARS_MAX).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

fn text(value: &Json, name: &'static str) -> Result<Option<String>, Fault> {
    match value.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Fault::new("invalid_message", "{name} must be text").arg("name", name)),
    }
}

fn number(value: &Json, name: &'static str) -> Result<Option<u32>, Fault> {
    match value.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(found) => match found.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(Some(n)),
            None => Err(Fault::new("invalid_message", "{name} must be a whole number").arg("name", name)),
        },
    }
}
