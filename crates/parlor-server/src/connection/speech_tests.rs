use parlor_wire::ServerMessage;

use super::*;

/// A document with one word for everything.
struct Parrot;

impl Dialect for Parrot {
    fn hear(&mut self, _: Json) -> Result<Vec<Inbound>, Fault> {
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

const TONGUES: &[Tongue] =
    &[|first| (first.get("bird").is_some() || first.get("dialect").is_some()).then(|| Box::new(Parrot) as _)];

fn hear(speech: &mut Speech, codec: Codec, value: &Json) -> Result<Said, Fault> {
    speech.hear(codec, &codec.encode(value), TONGUES)
}

#[test]
fn the_first_frame_decides_the_codec() {
    let ping = json!({"type": "ping"});
    for (first, other, kind) in
        [(Codec::Json, Codec::MessagePack, Kind::Text), (Codec::MessagePack, Codec::Json, Kind::Binary)]
    {
        let mut speech = Speech::new(None);
        assert!(matches!(
            hear(&mut speech, first, &ping),
            Ok(Said::One(Inbound::Table(ClientMessage::Ping)))
        ));
        assert!(hear(&mut speech, other, &ping).is_err_and(|fault| fault.code == "invalid_message"));
        assert!(hear(&mut speech, first, &ping).is_ok(), "nothing has changed");
        let (said, bytes) = speech.frame_of(&ping);
        assert!(said == kind && first.decode(&bytes).is_ok_and(|value| value == ping));
        assert!(hear(&mut Speech::new(Some(other)), first, &ping).is_err(), "it was agreed on before");
    }
}

#[test]
fn the_first_frame_decides_in_whose_words_the_two_speak() {
    let (foreign, own) = (json!({"bird": 1}), json!({"type": "ping"}));
    let mut parrot = Speech::new(None);
    assert!(matches!(hear(&mut parrot, Codec::Json, &foreign), Ok(Said::Many(all)) if all.len() == 2));
    assert!(matches!(hear(&mut parrot, Codec::Json, &own), Ok(Said::Many(_))), "for good");
    assert!(parrot.is_foreign() && parrot.takes_up("cracker") && !parrot.takes_up("oxo"));
    assert_eq!(parrot.worded(&LobbyNews::Pong), [json!("squawk")]);

    let mut house = Speech::new(None);
    assert!(matches!(hear(&mut house, Codec::Json, &own), Ok(Said::One(_))));
    assert!(hear(&mut house, Codec::Json, &foreign).is_err(), "for good");
    assert!(!house.is_foreign() && !house.takes_up("cracker"));
    assert_eq!(house.worded(&LobbyNews::Pong), [json!({"type": "pong"})]);
}

#[test]
fn whoever_agreed_on_a_subprotocol_speaks_as_the_house_does_unless_he_names_a_dialect() {
    for (first, foreign) in [(json!({"bird": 1}), false), (json!({"dialect": "parrot"}), true)] {
        let mut speech = Speech::new(Some(Codec::Json));
        let _ = hear(&mut speech, Codec::Json, &first);
        assert_eq!(speech.is_foreign(), foreign, "{first}");
    }
}

#[test]
fn a_message_is_written_once_for_all_who_speak_messagepack() {
    let letter = Letter::from(ServerMessage::Paused { v: 3, why: None });
    let (packed, json) = (Speech::new(None), Speech::new(Some(Codec::Json)));
    assert!(packed.ready(&letter).is_none(), "nobody was sent it");
    let (kind, written) = packed.encode(&letter, 0);
    assert!(kind == Kind::Binary && matches!(written, Cow::Borrowed(_)));
    assert!(packed.ready(&letter).is_some_and(|(_, bytes)| bytes == written));
    assert!(json.ready(&letter).is_none() && json.encode(&letter, 0).0 == Kind::Text);
}

#[test]
fn a_deadline_is_told_by_the_wall_clock_too() {
    let mut message = json!({"requests": [{"until": 500}, {"title": "no hurry"}], "until": 7});
    add_wall_clock(&mut message, 1_000_000);
    let requests = json!([{"until": 500, "deadlineTs": 1_000_500}, {"title": "no hurry"}]);
    assert_eq!(message, json!({"requests": requests, "until": 7}));
}
