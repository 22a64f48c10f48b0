//! The AsyncAPI description, generated from the table of messages.

use parlor_core::Json;
use serde_json::{Map, json};

/// A field: its name, its type, and whether it is required.
type Field = (&'static str, &'static str, bool);

/// A message: its type, its meaning and its fields.
pub(crate) struct Message {
    pub(crate) kind: &'static str,
    pub(crate) about: &'static str,
    pub(crate) fields: &'static [Field],
}

const fn message(kind: &'static str, about: &'static str, fields: &'static [Field]) -> Message {
    Message { kind, about, fields }
}

/// Messages from a client to a table.
pub(crate) const TO_TABLE: [Message; 7] = [
    message(
        "join_game",
        "take a seat, or take it back",
        &[
            ("player_name", "string", false),
            ("session_token", "string", false),
            ("player_token", "string", false),
            ("game_id", "string", false),
            ("invite", "string", false),
            ("last_v", "integer", false),
            ("last_chat", "integer", false),
            ("spectate", "boolean", false),
            ("seat", "integer", false),
            ("buy_in", "integer", false),
        ],
    ),
    message("reserve_seat", "keep a free seat while I choose what to bring", &[("seat", "integer", false)]),
    message(
        "sit_down",
        "a spectator takes a seat at a table that runs",
        &[("seat", "integer", false), ("buy_in", "integer", false)],
    ),
    message(
        "game_action",
        "answer a request, or ask to take an answer back",
        &[
            ("action", "string", true),
            ("data", "any", false),
            ("inputId", "integer", false),
            ("branchId", "integer", false),
            ("requestKey", "string", false),
        ],
    ),
    message("chat", "say something that is no part of the game", &[("text", "string", true)]),
    message("ping", "still here", &[]),
    message("leave_game", "get up", &[]),
];

/// Messages from a client to the lobby.
pub(crate) const TO_LOBBY: [Message; 9] = [
    message(
        "hello",
        "here I am; without a token an account is opened",
        &[
            ("token", "string", false),
            ("authToken", "string", false),
            ("nickname", "string", false),
            ("language", "string", false),
        ],
    ),
    message(
        "queue_join",
        "find people to play with",
        &[
            ("game", "string", false),
            ("settings", "any", false),
            ("seats", "integer", false),
            ("fillWithBotsAfterMs", "integer", false),
        ],
    ),
    message("queue_leave", "stop looking", &[]),
    message(
        "play_bots",
        "play against bots, at once",
        &[("game", "string", false), ("settings", "any", false), ("bots", "integer", false)],
    ),
    message("room_ready", "I am ready, or not yet", &[("ready", "boolean", false)]),
    message("room_start", "the owner begins with whoever is there", &[]),
    message("room_kick", "the owner asks somebody to go", &[("player_name", "string", true)]),
    message("room_owner", "the owner hands the room over", &[("player_name", "string", true)]),
    message("rematch", "once more with the same people", &[("agree", "boolean", false)]),
];

/// Messages from the server outside of a match.
pub(crate) const NEWS: [Message; 17] = [
    message(
        "hello_ok",
        "this is who you are",
        &[
            ("player_id", "string", true),
            ("nickname", "string", true),
            ("language", "string", true),
            ("avatar", "string", true),
            ("tokens", "integer", true),
            ("rating", "integer", true),
            ("leagueKey", "string", true),
            ("ratings", "array", true),
            ("free_rename", "boolean", true),
            ("rights", "array", true),
            ("token", "string", false),
            ("matches", "array", true),
        ],
    ),
    message(
        "account",
        "what you own and how you stand has changed",
        &[
            ("player_id", "string", true),
            ("nickname", "string", true),
            ("language", "string", true),
            ("avatar", "string", true),
            ("tokens", "integer", true),
            ("rating", "integer", true),
            ("leagueKey", "string", true),
            ("ratings", "array", true),
            ("free_rename", "boolean", true),
            ("rights", "array", true),
        ],
    ),
    message(
        "queue_ok",
        "you are in the queue",
        &[("tokens", "integer", true), ("position", "integer", true), ("waiting", "integer", true)],
    ),
    message("queue_left", "you are in no queue", &[]),
    message(
        "match_found",
        "a match has begun, and this connection carries it",
        &[
            ("game_id", "string", true),
            ("game", "string", true),
            ("seat", "integer", true),
            ("session_token", "string", true),
            ("players", "array", true),
            ("stake", "integer", true),
            ("returning", "boolean", false),
        ],
    ),
    message(
        "room",
        "who is in the room, and how it stands",
        &[("game_id", "string", true), ("members", "array", true), ("humans", "integer", true)],
    ),
    message(
        "game_joined",
        "you have a place at the table",
        &[("game_id", "string", true), ("players", "array", true), ("session_token", "string?", true)],
    ),
    message("player_joined", "somebody came", &[("player_name", "string", true)]),
    message("player_left", "somebody went", &[("player_name", "string", true)]),
    message("game_started", "the match begins", &[("players", "array", true)]),
    message("game_left", "you have left", &[]),
    message("pong", "still here", &[]),
    message(
        "chat",
        "somebody said something; numbered at a table",
        &[("n", "integer", false), ("player_name", "string", true), ("text", "string", true)],
    ),
    message(
        "rematch",
        "who wants a rematch, and its table once all do",
        &[("agreed", "array", true), ("game_id", "string?", true)],
    ),
    message(
        "seat_reserved",
        "a seat is kept for you while you choose what to bring",
        &[
            ("seat", "integer", true),
            ("for_ms", "integer", true),
            ("buy_in_min", "integer", true),
            ("buy_in_max", "integer", true),
            ("currency", "string", true),
        ],
    ),
    message("notice", "about the server", &[("code", "string", true), ("message", "string", true)]),
    message(
        "session_error",
        "what you said could not be done",
        &[("code", "string", true), ("message", "string", true)],
    ),
];

/// Messages from the server about a match.
pub(crate) const ABOUT_MATCH: [Message; 6] = [
    message(
        "snapshot",
        "everything you may know",
        &[
            ("v", "integer", true),
            ("branchId", "integer", true),
            ("matchNo", "integer", true),
            ("view", "any", true),
            ("viewHash", "string", true),
            ("requests", "array", true),
            ("seats", "array", true),
            ("clocks", "array", false),
            ("commitment", "string", false),
            ("paused", "string", false),
            ("over", "object", false),
        ],
    ),
    message(
        "update",
        "what happened",
        &[
            ("v", "integer", true),
            ("branchId", "integer", true),
            ("events", "array", true),
            ("patch", "array", true),
            ("viewHash", "string", true),
            ("requests", "array", false),
            ("clocks", "array", false),
            ("over", "object", false),
        ],
    ),
    message("seats", "who sits where", &[("v", "integer", true), ("seats", "array", true)]),
    message(
        "paused",
        "the table stands still, or goes on",
        &[("v", "integer", true), ("why", "string?", true)],
    ),
    message(
        "accepted",
        "your answer was taken and is stored",
        &[("requestKey", "string", false), ("branchId", "integer", true), ("ignored", "array", false)],
    ),
    message(
        "refused",
        "it was not; nothing has changed",
        &[
            ("requestKey", "string", false),
            ("code", "string", true),
            ("message", "string", true),
            ("faults", "array", true),
            ("branchId", "integer", true),
        ],
    ),
];

fn schema(message: &Message) -> Json {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), json!({"const": message.kind}));
    let mut required = vec!["type"];
    for (name, kind, always) in message.fields {
        let schema = match (*kind, kind.strip_suffix('?')) {
            ("any", _) => json!({}),
            (_, Some(kind)) => json!({"type": [kind, "null"]}),
            (kind, None) => json!({"type": kind}),
        };
        properties.insert((*name).to_owned(), schema);
        if *always {
            required.push(name);
        }
    }
    json!({"type": "object", "properties": properties, "required": required})
}

/// The AsyncAPI 3 description of the sockets.
pub(crate) fn page() -> Json {
    let sides =
        [("client", &TO_TABLE[..]), ("client", &TO_LOBBY), ("server", &NEWS), ("server", &ABOUT_MATCH)];
    let mut messages = Map::new();
    for (side, list) in sides {
        for message in list {
            let described =
                json!({"name": message.kind, "summary": message.about, "payload": schema(message)});
            messages.insert(format!("{side}_{}", message.kind), described);
        }
    }
    let refs = |side: &str, lists: &[&[Message]]| -> Map<String, Json> {
        let all = lists.iter().flat_map(|list| list.iter());
        all.map(|message| {
            let key = format!("{side}_{}", message.kind);
            let at = json!({"$ref": format!("#/components/messages/{key}")});
            (key, at)
        })
        .collect()
    };
    let channel = |address: &str, about: &str, parameters: Json, heard: &[&[Message]]| {
        let mut all = refs("client", heard);
        all.extend(refs("server", &[&NEWS, &ABOUT_MATCH]));
        let mut channel = json!({"address": address, "description": about, "messages": all});
        if parameters.is_object() {
            channel["parameters"] = parameters;
        }
        channel
    };
    let operation = |channel: &str, action: &str, keys: Map<String, Json>| {
        let messages: Vec<Json> =
            keys.keys().map(|key| json!({"$ref": format!("#/channels/{channel}/messages/{key}")})).collect();
        json!({"action": action, "channel": {"$ref": format!("#/channels/{channel}")}, "messages": messages})
    };
    let (to_table, to_all): (&[&[Message]], &[&[Message]]) = (&[&TO_TABLE], &[&TO_TABLE, &TO_LOBBY]);
    let said: &[&[Message]] = &[&NEWS, &ABOUT_MATCH];
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Parlor",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0"},
            "description": "Frames are MessagePack (binary) or JSON (text); the subprotocol says which, or the first frame does.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "table": channel("/ws/{game_id}", "One table.", json!({"game_id": {"description": "the table"}}), to_table),
            "lobby": channel("/ws", "The house; then the match that it finds.", Json::Null, to_all),
        },
        "operations": {
            "hearAtTable": operation("table", "receive", refs("client", to_table)),
            "sayAtTable": operation("table", "send", refs("server", said)),
            "hearInLobby": operation("lobby", "receive", refs("client", to_all)),
            "sayInLobby": operation("lobby", "send", refs("server", said)),
        },
        "components": {"messages": messages},
    })
}

#[cfg(test)]
#[path = "asyncapi_tests.rs"]
mod tests;
