//! Messages from clients to a table. They are untrusted: every field is checked before it is used.

use parlor_core::{AnswerTarget, Fault, HouseCode, Json};

/// The maximum number of characters of a table's name, a player's name and a session token.
pub const NAME_CHARS_MAX: usize = 50;

/// A message from a client.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(tag = "type", rename_all = "snake_case", rename_all_fields = "snake_case")
)]
pub enum ClientMessage {
    /// Take a seat, or return to it.
    JoinGame {
        /// May be left out by a spectator, and by a player with an account.
        #[cfg_attr(feature = "schema", schemars(default, length(max = NAME_CHARS_MAX)))]
        player_name: String,
        /// The client's own token, if it has one.
        session_token: Option<String>,
        /// The last version that the client has, if it returns.
        last_v: Option<u64>,
        /// The number of the last chat message that the client has, if it returns.
        last_chat: Option<u64>,
        /// Whether the client only wants to watch.
        #[cfg_attr(feature = "schema", schemars(default))]
        spectate: bool,
        /// The table, for a connection that has not named one yet.
        game_id: Option<String>,
        /// The token of the player's account, if they play under it.
        player_token: Option<String>,
        /// The code of a private table.
        invite: Option<String>,
        /// The seat that the client wants, at a table that runs; any if none.
        seat: Option<u8>,
        /// What the player brings, at a table where players come and go.
        buy_in: Option<i64>,
    },
    /// Keep a free seat for a minute, while the player chooses what to bring.
    ReserveSeat {
        /// Any if none.
        seat: Option<u8>,
    },
    /// A spectator takes a seat at a table that runs.
    SitDown {
        /// Any if none.
        seat: Option<u8>,
        /// What they bring; the most that is allowed if none.
        buy_in: Option<i64>,
    },
    /// Leave the seat.
    LeaveGame,
    /// Answer a request.
    #[cfg_attr(feature = "schema", schemars(rename = "game_action", transform = schema::action("answer")))]
    Answer {
        #[cfg_attr(feature = "schema", schemars(flatten, with = "schema::AnswerNames"))]
        names: AnswerTarget,
        /// The answer, in the form that the request asks for.
        #[cfg_attr(feature = "schema", schemars(rename = "data", default))]
        answer: Json,
        /// The retry key.
        #[cfg_attr(feature = "schema", schemars(rename = "requestKey"))]
        request_key: Option<String>,
    },
    /// Take back the last answer, or the record that the client names.
    #[cfg_attr(feature = "schema", schemars(rename = "game_action", transform = schema::action("undo")))]
    Undo {
        /// The record.
        #[cfg_attr(feature = "schema", schemars(rename = "data", with = "Option<schema::UndoData>"))]
        to: Option<u32>,
        /// The retry key.
        #[cfg_attr(feature = "schema", schemars(rename = "requestKey"))]
        request_key: Option<String>,
    },
    /// Send a chat message.
    Chat { text: String },
    /// A message in the game's dialect, which the game itself reads.
    #[cfg_attr(feature = "schema", schemars(skip))]
    Words(Json),
    /// Keep the connection alive.
    Ping,
}

/// Parts of messages that have another form in Rust.
#[cfg(feature = "schema")]
mod schema {
    use parlor_core::Json;
    use serde_json::json;

    /// Which request an answer is for: the one that was sent last, if it names none.
    #[derive(schemars::JsonSchema)]
    #[schemars(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its schema is of use")]
    pub(super) struct AnswerNames {
        /// The request that is answered.
        input_id: Option<u32>,
        /// The head that the client had.
        branch_id: Option<u32>,
    }

    /// How far back to go.
    #[derive(schemars::JsonSchema)]
    #[schemars(inline)]
    #[expect(dead_code, reason = "only its schema is of use")]
    pub(super) struct UndoData {
        /// The record.
        to: Option<u32>,
    }

    /// Two messages have one type; their `action` tells them apart.
    pub(super) fn action(name: &'static str) -> impl FnMut(&mut schemars::Schema) {
        move |schema| {
            if let Some(properties) = schema.get_mut("properties").and_then(Json::as_object_mut) {
                properties.insert("action".to_owned(), json!({"type": "string", "const": name}));
            }
            if let Some(required) = schema.get_mut("required").and_then(Json::as_array_mut) {
                required.push(json!("action"));
            }
        }
    }
}

impl ClientMessage {
    /// Reads a message; unknown fields are ignored.
    ///
    /// # Errors
    /// What is wrong with it: `invalid_message` for its shape, `unknown_action` for an unknown action.
    pub fn read(mut value: Json) -> Result<Self, Fault> {
        let Some(kind) = value.get("type").and_then(Json::as_str) else {
            return Err(Fault::new(HouseCode::InvalidMessage, "a message is an object with a type"));
        };
        match kind {
            "ping" => Ok(Self::Ping),
            "leave_game" => Ok(Self::LeaveGame),
            "chat" => Ok(Self::Chat { text: text(&value, "text")?.unwrap_or_default() }),
            "join_game" => Self::join(&value),
            "reserve_seat" => Ok(Self::ReserveSeat { seat: seat(&value)? }),
            "sit_down" => Ok(Self::SitDown { seat: seat(&value)?, buy_in: amount(&value)? }),
            "game_action" => {
                // Moved, not copied: it is most of the message.
                let data = value.get_mut("data").map(Json::take).unwrap_or(Json::Null);
                Self::action(&value, data)
            }
            "action.submit" | "input.submit" | "system.control" => Ok(Self::Words(value)),
            other => Err(Fault::new(HouseCode::InvalidMessage, "there is no message of type {type}")
                .arg("type", other)),
        }
    }

    fn join(value: &Json) -> Result<Self, Fault> {
        let spectate = value.get("spectate").and_then(Json::as_bool).unwrap_or(false);
        let player_name = text(value, "player_name")?.unwrap_or_default();
        let well = (1..=NAME_CHARS_MAX).contains(&player_name.chars().count())
            && !player_name.contains(char::is_control);
        // A spectator needs no name, and an account has one; only the server knows whose account it is.
        let known = ["player_token", "game_id"].iter().any(|name| value.get(name).is_some());
        let nameless = (spectate || known) && player_name.is_empty();
        if !well && !nameless {
            return Err(Fault::new(HouseCode::InvalidMessage, "player_name has 1 to {max} characters")
                .arg("max", NAME_CHARS_MAX));
        }
        let session_token = token(value, "session_token")?;
        let player_token = token(value, "player_token")?;
        let (game_id, invite) = (token(value, "game_id").unwrap_or_default(), token(value, "invite")?);
        Ok(Self::JoinGame {
            player_name,
            session_token,
            last_v: value.get("last_v").and_then(Json::as_u64),
            last_chat: value.get("last_chat").and_then(Json::as_u64),
            spectate,
            game_id,
            player_token,
            invite,
            seat: seat(value)?,
            buy_in: amount(value)?,
        })
    }

    fn action(value: &Json, data: Json) -> Result<Self, Fault> {
        match text(value, "action")?.as_deref() {
            Some("undo") => {
                Ok(Self::Undo { to: number(&data, "to")?, request_key: text(value, "requestKey")? })
            }
            Some("answer") => {
                let names = match (number(value, "inputId")?, number(value, "branchId")?) {
                    (Some(input), _) => AnswerTarget::Input(input),
                    (None, Some(head)) => AnswerTarget::Head(head),
                    (None, None) => AnswerTarget::Latest,
                };
                Ok(Self::Answer { names, answer: data, request_key: text(value, "requestKey")? })
            }
            Some(other) => {
                Err(Fault::new(HouseCode::UnknownAction, "there is no action {action}").arg("action", other))
            }
            None => Err(Fault::new(HouseCode::InvalidMessage, "a game_action has an action")),
        }
    }
}

fn seat(value: &Json) -> Result<Option<u8>, Fault> {
    let small =
        |n: u32| u8::try_from(n).map_err(|_| Fault::new(HouseCode::InvalidMessage, "there is no such seat"));
    number(value, "seat")?.map(small).transpose()
}

fn amount(value: &Json) -> Result<Option<i64>, Fault> {
    match value.get("buy_in") {
        None | Some(Json::Null) => Ok(None),
        Some(found) => match found.as_i64().filter(|amount| *amount > 0) {
            Some(amount) => Ok(Some(amount)),
            None => Err(Fault::new(HouseCode::InvalidMessage, "buy_in is a whole number above 0")),
        },
    }
}

/// Whether a text can be a table's name or a token.
#[must_use]
pub fn is_token(text: &str) -> bool {
    (1..=NAME_CHARS_MAX).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

pub(crate) fn token(value: &Json, name: &'static str) -> Result<Option<String>, Fault> {
    match text(value, name)? {
        Some(token) if !is_token(&token) => {
            let fault =
                Fault::new(HouseCode::InvalidMessage, "{name} has 1 to {max} characters of A-Z a-z 0-9 _ -");
            Err(fault.arg("name", name).arg("max", NAME_CHARS_MAX))
        }
        token => Ok(token),
    }
}

pub(crate) fn text(value: &Json, name: &'static str) -> Result<Option<String>, Fault> {
    match value.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Fault::new(HouseCode::InvalidMessage, "{name} must be text").arg("name", name)),
    }
}

pub(crate) fn number(value: &Json, name: &'static str) -> Result<Option<u32>, Fault> {
    match value.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(found) => match found.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Ok(Some(n)),
            None => {
                Err(Fault::new(HouseCode::InvalidMessage, "{name} must be a whole number").arg("name", name))
            }
        },
    }
}
