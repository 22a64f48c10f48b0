use parlor_wire::ServerMessage;
use serde_json::json;

use super::*;

/// A dialect with the same message for everything.
struct Parrot;

impl Dialect for Parrot {
    fn decode(&mut self, _: Json) -> Result<Vec<Inbound>, Fault> {
        Ok(vec![Inbound::Table(ClientMessage::Ping), Inbound::Table(ClientMessage::LeaveGame)])
    }

    fn takes_up(&self, game: &str) -> bool {
        game == "cracker"
    }

    fn news(&mut self, _: &LobbyNews) -> Vec<Json> {
        vec![json!("squawk")]
    }

    fn message(&mut self, _: &ServerMessage, wall_at_zero: i64) -> Vec<Json> {
        vec![json!(wall_at_zero)]
    }
}

const TONGUES: &[DetectDialect] =
    &[|first| (first.get("bird").is_some() || first.get("dialect").is_some()).then(|| Box::new(Parrot) as _)];

fn decode(protocol: &mut Protocol, codec: Codec, value: &Json) -> Result<Decoded, Fault> {
    protocol.decode(codec, &codec.encode(value), TONGUES)
}

#[test]
fn the_first_frame_decides_the_codec() {
    let ping = json!({"type": "ping"});
    for (first, other, kind) in
        [(Codec::Json, Codec::MessagePack, Opcode::Text), (Codec::MessagePack, Codec::Json, Opcode::Binary)]
    {
        let mut protocol = Protocol::new(None);
        assert!(matches!(
            decode(&mut protocol, first, &ping),
            Ok(Decoded::One(Inbound::Table(ClientMessage::Ping)))
        ));
        assert!(
            decode(&mut protocol, other, &ping)
                .is_err_and(|fault| fault.code == HouseCode::InvalidMessage.into())
        );
        assert!(decode(&mut protocol, first, &ping).is_ok(), "nothing has changed");
        let (said, bytes) = protocol.to_frame(&ping);
        assert!(said == kind && first.decode(&bytes).is_ok_and(|value| value == ping));
        assert!(decode(&mut Protocol::new(Some(other)), first, &ping).is_err(), "it was agreed on before");
    }
}

#[test]
fn the_first_frame_decides_in_whose_words_the_two_speak() {
    let (foreign, own) = (json!({"bird": 1}), json!({"type": "ping"}));
    let mut parrot = Protocol::new(None);
    assert!(matches!(decode(&mut parrot, Codec::Json, &foreign), Ok(Decoded::Many(all)) if all.len() == 2));
    assert!(matches!(decode(&mut parrot, Codec::Json, &own), Ok(Decoded::Many(_))), "for good");
    assert!(parrot.is_foreign() && parrot.takes_up("cracker") && !parrot.takes_up("oxo"));
    assert_eq!(parrot.encode_news(&LobbyNews::Pong), [json!("squawk")]);

    let mut house = Protocol::new(None);
    assert!(matches!(decode(&mut house, Codec::Json, &own), Ok(Decoded::One(_))));
    assert!(decode(&mut house, Codec::Json, &foreign).is_err(), "for good");
    assert!(!house.is_foreign() && !house.takes_up("cracker"));
    assert_eq!(house.encode_news(&LobbyNews::Pong), [json!({"type": "pong"})]);
}

#[test]
fn whoever_agreed_on_a_subprotocol_speaks_as_the_house_does_unless_he_names_a_dialect() {
    for (first, foreign) in [(json!({"bird": 1}), false), (json!({"dialect": "parrot"}), true)] {
        let mut protocol = Protocol::new(Some(Codec::Json));
        let _ = decode(&mut protocol, Codec::Json, &first);
        assert_eq!(protocol.is_foreign(), foreign, "{first}");
    }
}

#[test]
fn a_message_is_written_once_for_all_who_speak_messagepack() {
    let letter = EncodedMessage::from(ServerMessage::Paused { v: 3, why: None });
    let (packed, json) = (Protocol::new(None), Protocol::new(Some(Codec::Json)));
    assert!(packed.ready(&letter).is_none(), "nobody was sent it");
    let (kind, written) = packed.encode(&letter, 0);
    assert!(kind == Opcode::Binary && matches!(written, Cow::Borrowed(_)));
    assert!(packed.ready(&letter).is_some_and(|(_, bytes)| bytes == written));
    assert!(json.ready(&letter).is_none() && json.encode(&letter, 0).0 == Opcode::Text);
}

#[test]
fn a_deadline_is_told_by_the_wall_clock_too() {
    let mut message = json!({"requests": [{"until": 500}, {"title": "no hurry"}], "until": 7});
    wall_clock::add_to_json(&mut message, 1_000_000);
    let requests = json!([{"until": 500, "deadlineTs": 1_000_500}, {"title": "no hurry"}]);
    assert_eq!(message, json!({"requests": requests, "until": 7}));
}
