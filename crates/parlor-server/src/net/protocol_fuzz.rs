//! Any frames from a client: in both codecs they are messages or a fault, first ones and later ones, in every dialect.

use parlor_testkit::fuzz::Fuzz;
use serde_json::json;

use super::*;

const DIALECTS: &[DetectDialect] = &[
    parlor_battle::dialect::detect,
    parlor_poker::detect,
    parlor_riichi::dialect::detect,
    parlor_ruleset::dialect::detect,
];

/// Between two frames: never part of MessagePack, nor of UTF-8.
const BETWEEN: u8 = 0xc1;

const WORDS: [&str; 51] = [
    "type",
    "ping",
    "join_game",
    "leave_game",
    "game_action",
    "chat",
    "hello",
    "play_bots",
    "queue_join",
    "queue_leave",
    "watch_rooms",
    "create_room",
    "join_room",
    "ready",
    "kick",
    "player_name",
    "session_token",
    "game_id",
    "action",
    "answer",
    "data",
    "inputId",
    "branchId",
    "requestKey",
    "title",
    "selection",
    "text",
    "token",
    "game",
    "seats",
    "settings",
    "spectate",
    "invite",
    "dialect",
    "undo",
    "draft",
    "layout",
    "resume",
    "seq",
    "version",
    "tile_id",
    "discard",
    "confirm_round",
    "manipulate",
    "hand",
    "seat",
    "amount",
    "fold",
    "sit",
    "leave",
    "stake",
];

/// What clients send, those of the documents too.
fn messages() -> Vec<Json> {
    let answer = json!({"title": "Take a cell", "selection": ["b2"]});
    vec![
        json!({"type": "ping"}),
        json!({"type": "join_game", "game_id": "t", "player_name": "Ann", "session_token": "0123456789abcdef"}),
        json!({"type": "game_action", "action": "answer", "data": answer, "inputId": 3, "requestKey": "k1"}),
        json!({"type": "game_action", "action": "answer", "data": [1, {"id": "a"}], "branchId": 70000}),
        json!({"type": "game_action", "action": "discard", "data": {"tile_id": 17}}),
        json!({"type": "game_action", "action": "undo", "data": {}}),
        json!({"type": "chat", "text": "hello"}),
        json!({"type": "leave_game"}),
        json!({"type": "hello", "token": "0123456789abcdef0123456789abcdef"}),
        json!({"type": "queue_join", "game": "oxo", "seats": 2, "settings": {"a": [1, 2.5, null]}}),
        json!({"type": "play_bots", "game": "hearts", "dialect": "battle"}),
        json!({"type": "create_room", "game": "poker", "private": true}),
        json!({"type": "authenticate", "data": {"nickname": "Ann"}}),
        json!({"event": "join", "payload": {"name": "Ann"}}),
        json!({"action": "create", "game": "skirmish"}),
    ]
}

/// The kind of a message: its names, without what they hold.
fn kind(message: &Inbound) -> String {
    let text = format!("{message:?}");
    let end = text.find(['{', '"']).unwrap_or(text.len());
    text[..end].to_owned()
}

fn read(codec: Codec, bytes: &[u8]) -> String {
    let mut protocols = [Protocol::new(None), Protocol::new(Some(codec))];
    let mut told = String::new();
    for frame in bytes.split(|byte| *byte == BETWEEN).take(8) {
        let decoded = codec.decode(frame);
        if codec == Codec::MessagePack
            && let Some(answer) = ClientMessage::plain_answer(frame)
        {
            let slowly = decoded.clone().expect("the general decoder reads what the fast one does");
            assert_eq!(Inbound::read(slowly).ok(), Some(Inbound::Table(answer)), "both say the same");
        }
        if let Ok(value) = decoded.as_ref().map_err(|_| ())
            && !has_fraction(value)
        {
            let again = codec.encode(value);
            if again.len() <= parlor_wire::codec::FRAME_BYTES_MAX {
                assert_eq!(codec.decode(&again).as_ref(), Ok(value), "what was read is written as it was");
            }
        }
        for protocol in &mut protocols {
            told = match protocol.decode(codec, frame, DIALECTS) {
                Ok(Decoded::One(one)) => kind(&one),
                Ok(Decoded::Many(many)) => {
                    format!("{} of many: {:?}", many.len().min(2), many.first().map(kind))
                }
                Err(fault) => {
                    let said = fault.template.split(' ').take(5).collect::<Vec<_>>().join(" ");
                    format!("{}: {said}", fault.code)
                }
            };
        }
    }
    told
}

/// What is written of a fraction need not be read as the same one.
fn has_fraction(value: &Json) -> bool {
    match value {
        Json::Number(number) => number.is_f64(),
        Json::Array(items) => items.iter().any(has_fraction),
        Json::Object(map) => map.values().any(has_fraction),
        _ => false,
    }
}

fn run(name: &str, codec: Codec) {
    let messages = messages();
    let mut seeds: Vec<Vec<u8>> = messages.iter().map(|message| codec.encode(message)).collect();
    for two in messages.windows(2) {
        seeds.push([codec.encode(&two[0]), vec![BETWEEN], codec.encode(&two[1])].concat());
    }
    let bytes_max = parlor_wire::codec::FRAME_BYTES_MAX + 1000;
    Fuzz { name, seeds, words: &WORDS, codec: Some(codec), bytes_max }.run(|bytes| read(codec, bytes));
}

#[test]
fn messagepack_takes_any_bytes() {
    run("messagepack", Codec::MessagePack);
}

#[test]
fn json_takes_any_bytes() {
    run("json", Codec::Json);
}
