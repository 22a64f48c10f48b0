//! The AsyncAPI description: the schemas of all messages, in a frame written by hand.

use parlor_core::Json;
use parlor_wire::{ClientMessage, LobbyMessage, LobbyNews, ServerMessage};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, json};

use super::schema::{Schemas, tidied};

/// One message: its name, its meaning, and its schema.
#[derive(Clone)]
pub(super) struct Message {
    /// Its type; two messages of one type have their `action` behind it.
    pub(super) name: String,
    pub(super) about: String,
    pub(super) schema: Json,
}

/// The messages of one enum, in its order.
pub(super) fn messages(schema: Schema, is_written: bool) -> Vec<Message> {
    let all = tidied(schema, is_written);
    let all = all["oneOf"].as_array().expect("messages are an enum").iter();
    let read = |schema: &Json| {
        let mut schema = schema.clone();
        let constant = |name: &str| schema["properties"][name]["const"].as_str();
        let name = [constant("type"), constant("action")].into_iter().flatten().collect::<Vec<_>>().join("_");
        let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let about = about.as_ref().and_then(Json::as_str).unwrap_or_default().to_owned();
        Message { name, about, schema }
    };
    all.map(read).collect()
}

/// Every message, by who sends it and to whom.
pub(super) struct Messages {
    pub(super) to_table: Vec<Message>,
    pub(super) to_lobby: Vec<Message>,
    pub(super) news: Vec<Message>,
    pub(super) about_match: Vec<Message>,
}

impl Messages {
    pub(super) fn new(schemas: &mut Schemas) -> Self {
        Self {
            to_table: messages(ClientMessage::json_schema(&mut schemas.read), false),
            to_lobby: messages(LobbyMessage::json_schema(&mut schemas.read), false),
            news: messages(LobbyNews::json_schema(&mut schemas.written), true),
            about_match: messages(ServerMessage::json_schema(&mut schemas.written), true),
        }
    }
}

/// The AsyncAPI 3 description of the sockets.
pub(super) fn page() -> Json {
    let mut schemas = Schemas::new();
    let Messages { to_table, to_lobby, news, about_match } = Messages::new(&mut schemas);
    let mut components = Map::new();
    for (side, list) in
        [("client", &to_table), ("client", &to_lobby), ("server", &news), ("server", &about_match)]
    {
        for Message { name, about, schema } in list {
            let described = json!({"name": name, "summary": about, "payload": schema});
            components.insert(format!("{side}_{name}"), described);
        }
    }
    let refs = |side: &str, lists: &[&Vec<Message>]| -> Map<String, Json> {
        let all = lists.iter().copied().flatten();
        all.map(|message| {
            let key = format!("{side}_{}", message.name);
            let at = json!({"$ref": format!("#/components/messages/{key}")});
            (key, at)
        })
        .collect()
    };
    let said = [&news, &about_match];
    let channel = |address: &str, about: &str, parameters: Json, heard: &[&Vec<Message>]| {
        let mut all = refs("client", heard);
        all.extend(refs("server", &said));
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
    let (at_table, in_lobby) = ([&to_table], [&to_table, &to_lobby]);
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
            "table": channel("/ws/{game_id}", "One table.", json!({"game_id": {"description": "the table"}}), &at_table),
            "lobby": channel("/ws", "The house; then the match that it finds.", Json::Null, &in_lobby),
        },
        "operations": {
            "hearAtTable": operation("table", "receive", refs("client", &at_table)),
            "sayAtTable": operation("table", "send", refs("server", &said)),
            "hearInLobby": operation("lobby", "receive", refs("client", &in_lobby)),
            "sayInLobby": operation("lobby", "send", refs("server", &said)),
        },
        "components": {"messages": components, "schemas": schemas.all()},
    })
}
