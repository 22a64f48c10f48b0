//! The document's words: which messages are sent when, to whom, with which fields; which actions are understood.

use std::collections::BTreeSet;

use parlor_core::{AskId, AskKind, Game, Json, Rng, Seat, Viewer};
use parlor_riichi::dialect;
use parlor_riichi::game::Riichi;
use parlor_riichi::table::{Pace, Settings};
use parlor_wire::client::ClientMessage;
use parlor_wire::lobby::Inbound;
use parlor_wire::{Dialect, Prompt, PromptKind, SeatInfo, ServerMessage};
use serde_json::json;

use crate::house::House;
use crate::scene::{Play, Scene};

fn fields(message: &Json) -> Vec<&str> {
    message.as_object().expect("a message").keys().map(String::as_str).collect()
}

/// What a player who knows the document alone does with what it hears: something it is offered, at random.
fn answer(house: &mut House, seat: usize, rng: &mut Rng) -> bool {
    let mut acted = false;
    for message in house.news(seat) {
        match message["type"].as_str().unwrap_or_default() {
            "draw"
                if message["available_actions"] != json!(null)
                    && message["available_actions"] != json!([]) =>
            {
                let actions = message["available_actions"].as_array().expect("a list").clone();
                let wins = actions.iter().find(|action| action["action"] == "tsumo");
                let action = wins.unwrap_or_else(|| rng.pick(&actions)).clone();
                let tiles = action["tiles"].as_array().cloned().unwrap_or_default();
                let data = if tiles.is_empty() { json!({}) } else { json!({"tile_id": rng.pick(&tiles)}) };
                house.act(seat, action["action"].as_str().expect("a name"), data);
                acted = true;
            }
            "call_prompt" => {
                let calls = message["available_calls"].as_array().cloned().unwrap_or_default();
                let pass = rng.below(2) == 0;
                match message["call_type"].as_str() {
                    Some("ron" | "chankan") => house.act(seat, "ron", json!({})),
                    _ if pass => house.act(seat, "pass", json!({})),
                    _ => {
                        let call = rng.pick(&calls).clone();
                        let options = call["options"].as_array().cloned().unwrap_or_default();
                        let data = match options.is_empty() {
                            true => json!({"tile_id": message["tile_id"]}),
                            false => json!({"tile_ids": rng.pick(&options)}),
                        };
                        house.act(seat, call["call_type"].as_str().expect("a name"), data);
                    }
                }
                acted = true;
            }
            "round_end" => {
                house.act(seat, "confirm_round", json!({}));
                acted = true;
            }
            _ => {}
        }
    }
    acted
}

fn play_out(house: &mut House, rng: &mut Rng) {
    for _ in 0..200_000 {
        if house.table.finished() {
            return;
        }
        let mut acted = false;
        for seat in 0..house.clients.len() {
            acted |= answer(house, seat, rng);
        }
        if !acted {
            house.advance(50);
        }
    }
    panic!("the game does not end");
}

/// Whole games by clients that know the document alone, four people and one with bots: nothing they are offered is refused,
/// each is told its own tiles alone, and all hear the same end. Cites 003-5, 003-6, 003-8, 003-9, 003-13, 003-29, 003/R18.
#[test]
fn clients_of_the_document_play_whole_games() {
    for (n, (people, profile, preset)) in
        [(4, "document", "ronin"), (1, "standard", "tenhou"), (2, "document", "soul")].into_iter().enumerate()
    {
        let settings =
            json!({"preset": preset, "profile": profile, "game_type": "east", "enchousen": "none"});
        let mut house = House::open(&settings, people, &format!("words {n}"));
        let mut rng = Rng::fast(n as u64);
        play_out(&mut house, &mut rng);
        let mut ends = BTreeSet::new();
        for seat in 0..people {
            let heard = &house.clients[seat].heard;
            let types = house.types(seat);
            let refused: Vec<&Json> = heard
                .iter()
                .filter(|message| message["type"] == "error" && message["code"] != "invalid_action")
                .collect();
            assert_eq!(refused, Vec::<&Json>::new(), "{profile}, seat {seat}");
            assert_eq!(types[..3], ["game_joined", "game_started", "round_started"]);
            // A confirmation of the last round comes too late.
            let last = types.iter().rev().find(|kind| **kind != "error");
            assert_eq!(last, Some(&"game_end"), "{profile}, seat {seat}");
            for draw in heard.iter().filter(|message| message["type"] == "draw") {
                let own = draw["seat"] == seat;
                assert!(own || draw["tile_id"].is_null(), "seat {seat} is told {draw}");
                assert!(own || profile == "standard", "document announces no draws (003/R10): {draw}");
            }
            ends.insert(house.last(seat, "game_end").to_string());
        }
        assert_eq!(ends.len(), 1, "all hear the same end");
    }
}

/// The fields of every message. Cites 003-4, 003-5, 003/R15.
#[test]
fn messages_have_the_documents_fields() {
    let facts: &[(&str, &[&str])] = &[
        ("game_joined", &["game_id", "players", "session_token", "type"]),
        ("game_started", &["players", "type"]),
        ("round_started", &["type", "view"]),
        ("draw", &["available_actions", "seat", "tile_id", "type"]),
        ("discard", &["is_riichi", "is_tsumogiri", "seat", "tile_id", "type"]),
        ("meld", &["called_tile_id", "caller_seat", "from_seat", "meld_type", "tile_ids", "type"]),
        ("dora_revealed", &["tile_id", "type"]),
        ("furiten", &["is_furiten", "type"]),
        ("riichi_declared", &["seat", "type"]),
        ("round_end", &["result", "type"]),
        ("game_end", &["result", "type"]),
    ];
    let mut seen = BTreeSet::new();
    for n in 0..6 {
        let mut house = House::open(&json!({}), 4, &format!("fields {n}"));
        play_out(&mut house, &mut Rng::fast(n));
        for message in house.clients.iter().flat_map(|client| &client.heard) {
            let kind = message["type"].as_str().expect("a type");
            if let Some((kind, names)) = facts.iter().find(|(name, _)| *name == kind) {
                seen.insert(*kind);
                assert_eq!(fields(message), *names, "{kind}");
            }
        }
        let view = &house.last(0, "round_started")["view"];
        let names = [
            "current_player_seat",
            "dealer_seat",
            "dora_indicators",
            "honba_sticks",
            "my_tiles",
            "players",
            "riichi_sticks",
            "round_number",
            "round_wind",
            "seat",
        ];
        assert_eq!(fields(view), names);
        assert_eq!(fields(&view["players"][0]), ["is_bot", "name", "score", "seat"]);
        assert_eq!(view["my_tiles"].as_array().map(Vec::len), Some(13));
        let end = &house.last(0, "game_end")["result"];
        assert_eq!(fields(end), ["standings", "winner_seat"]);
        assert_eq!(fields(&end["standings"][0]), ["final_score", "is_bot", "name", "score", "seat"]);
        assert_eq!(end["winner_seat"], end["standings"][0]["seat"]);
    }
    for (kind, _) in facts {
        assert!(seen.contains(kind), "no {kind} was heard in six games");
    }
}

pub(crate) fn new_client() -> Box<dyn Dialect> {
    dialect::detect(&json!({"type": "ping"})).expect("it is the document's")
}

/// Every name under which an action is understood, and what it says. Cites 003-3, 003-6, 003/R1, 003/R11, 003/R15.
#[test]
fn actions_are_understood_by_all_their_names() {
    let facts = [
        ("discard", json!({"tile": "1m"}), r#"{"discard":"1m"}"#),
        ("discard", json!({"tile_id": 42, "note": "ignored"}), r#"{"discard":42}"#),
        ("riichi", json!({"tile_id": 42}), r#"{"riichi":42}"#),
        ("declare_riichi", json!({"tile_id": 42}), r#"{"riichi":42}"#),
        ("tsumo", json!({}), r#""tsumo""#),
        ("declare_tsumo", json!(null), r#""tsumo""#),
        ("ron", json!({}), r#""ron""#),
        ("call_ron", json!({}), r#""ron""#),
        ("pon", json!({}), r#"{"pon":null}"#),
        ("call_pon", json!({"tile_ids": [16, 17]}), r#"{"pon":[16,17]}"#),
        ("chi", json!({"tile_ids": ["3m", "4m"]}), r#"{"chi":["3m","4m"]}"#),
        ("call_chi", json!({"sequence_tiles": [40, 44]}), r#"{"chi":[40,44]}"#),
        ("kan", json!({}), r#"{"kan":[null,null]}"#),
        ("call_kan", json!({"tile_id": 8, "kan_type": "closed"}), r#"{"kan":["closed",8]}"#),
        ("open_kan", json!({}), r#"{"kan":["open",null]}"#),
        ("closed_kan", json!({"tile_id": 8}), r#"{"kan":["closed",8]}"#),
        ("added_kan", json!({"tile": "7z"}), r#"{"kan":["added","7z"]}"#),
        ("kyuushu", json!({}), r#""nine""#),
        ("call_kyuushu", json!({}), r#""nine""#),
        ("pass", json!({}), r#""pass""#),
        ("confirm_round", json!({}), r#""confirm""#),
        ("discard", json!({}), "validation_error"),
        ("discard", json!({"tile_id": 136}), "validation_error"),
        ("discard", json!({"tile_id": -1}), "validation_error"),
        ("discard", json!([1]), "validation_error"),
        ("chi", json!({"tile_ids": [1]}), "validation_error"),
        ("chi", json!({"tile_ids": "1m2m"}), "validation_error"),
        ("kan", json!({"kan_type": "big"}), "validation_error"),
        ("fold", json!({}), "unknown_action"),
    ];
    for (action, data, expected) in facts {
        let frame = json!({"type": "game_action", "action": action, "data": data});
        let found = match new_client().decode(frame.clone()).as_deref() {
            Ok([Inbound::Table(ClientMessage::Answer { answer, .. })]) => answer.to_string(),
            Ok(other) => panic!("{frame}: {other:?}"),
            Err(fault) => fault.code.to_string(),
        };
        assert_eq!(found, expected, "{frame}");
    }
    for (frame, code) in [
        (json!({"type": "sing"}), "invalid_message"),
        (json!({"type": "hello"}), "invalid_message"),
        (json!({"action": "discard"}), "invalid_message"),
        (json!({"type": "game_action"}), "validation_error"),
    ] {
        assert_eq!(new_client().decode(frame.clone()).expect_err("bad").code.text(), code, "{frame}");
    }
}

/// What the house tells one seat in a position.
pub(crate) fn snapshot(play: &Play, seat: u8, pace: Pace) -> ServerMessage {
    let game = Riichi::resumed(play.table.clone(), pace);
    let chair = Seat::new(seat);
    let asks = game.open_asks();
    let asked = asks.iter().find(|ask| ask.kind == AskKind::Request && ask.seats.has(chair));
    let prompt = |ask: AskId| Prompt {
        input_id: 7,
        kind: PromptKind::Request,
        selector: game.request(chair, ask),
        until: None,
    };
    let info = |name: &str| SeatInfo { name: name.to_owned(), is_bot: false, here: true };
    ServerMessage::Snapshot {
        v: 1,
        branch_id: 1,
        match_no: 1,
        view: serde_json::to_value(game.view(Viewer::Seat(chair))).expect("plain data"),
        view_hash: String::new(),
        requests: asked.map(|ask| prompt(ask.id)).into_iter().collect(),
        seats: ["Ann", "Bob", "Cem", "Dee"].map(info).to_vec(),
        clocks: Vec::new(),
        commitment: None,
        paused: None,
        over: None,
    }
}

/// The same in the document's words.
pub(crate) fn told(play: &Play, seat: u8, pace: Pace) -> Vec<Json> {
    new_client().message(&snapshot(play, seat, pace), 0)
}

fn prompt_of(play: &Play, seat: u8) -> Json {
    let all = told(play, seat, Pace::document());
    all.into_iter().find(|message| message["type"] != "round_started").unwrap_or(Json::Null)
}

/// A discard is offered to each caller by itself: ron alone where the seat could ron, melds with their ways otherwise, and
/// nothing to the others. Cites 003-11, 003-20, 003/R5, 003/R15.
#[test]
fn each_caller_is_prompted_for_what_it_may_do() {
    let play = Scene::new(Settings::ronin())
        .hands(["", "46m067p1239s1234z", "55m123789p1122z3z", "46m456789p11177s"])
        .draws("5m")
        .start()
        .run("0 discard 5m");
    let tile = play.table.player(parlor_riichi::pay::Seat::ALL[0]).river()[0].tile.id();
    assert_eq!(prompt_of(&play, 0), Json::Null, "who discarded is asked nothing");
    let chi = prompt_of(&play, 1);
    assert_eq!(
        (&chi["type"], &chi["call_type"], &chi["tile_id"], &chi["from_seat"], &chi["caller_seat"]),
        (&json!("call_prompt"), &json!("meld"), &json!(tile), &json!(0), &json!(1))
    );
    assert_eq!(chi["available_calls"][0]["call_type"], "chi");
    assert_eq!(chi["available_calls"][0]["options"].as_array().map(Vec::len), Some(1));
    let pon = prompt_of(&play, 2);
    assert_eq!(pon["available_calls"], json!([{"call_type": "pon"}]), "one way: no options");
}

/// After a call the caller's turn is told as a draw without a tile. Cites 003/R10.
#[test]
fn after_a_call_the_turn_is_a_draw_without_a_tile() {
    let play = Scene::new(Settings::ronin())
        .hands(["", "", "55m123789p1122z3z", ""])
        .draws("5m")
        .start()
        .run("0 discard 5m, 2 pon");
    let turn = prompt_of(&play, 2);
    assert_eq!((&turn["type"], &turn["seat"], &turn["tile_id"]), (&json!("draw"), &json!(2), &Json::Null));
    assert_eq!(turn["available_actions"][0]["action"], "discard");
    assert_eq!(turn["available_actions"][0]["tiles"].as_array().map(Vec::len), Some(11));
}

/// Out of turn, nothing to pass, nothing to confirm: an error event with its code, no bad frame, and nothing changes for
/// anybody. Cites 003-19, 003/R11.
#[test]
fn what_a_confused_client_sends_is_an_error_event() {
    let mut house = House::open(&json!({}), 4, "errors");
    let before: Vec<usize> = house.clients.iter().map(|client| client.heard.len()).collect();
    let idle = 2;
    for (action, data, code) in [
        ("discard", json!({"tile_id": 0}), "not_your_turn"),
        ("riichi", json!({"tile_id": 0}), "not_your_turn"),
        ("tsumo", json!({}), "not_your_turn"),
        ("kyuushu", json!({}), "not_your_turn"),
        ("ron", json!({}), "invalid_ron"),
        ("pon", json!({}), "invalid_pon"),
        ("chi", json!({}), "invalid_chi"),
        ("kan", json!({}), "invalid_kan"),
        ("pass", json!({}), "invalid_pass"),
        ("confirm_round", json!({}), "invalid_action"),
    ] {
        house.act(idle, action, data);
        let error = house.last(idle, "error").clone();
        assert_eq!(error["code"], code, "{action}");
        assert_eq!(fields(&error), ["code", "message", "type"]);
    }
    house.act(0, "tsumo", json!({}));
    assert_eq!(house.last(0, "error")["code"], "invalid_tsumo");
    house.act(0, "pass", json!({}));
    assert_eq!(house.last(0, "error")["code"], "invalid_pass");
    house.send(1, json!({"type": "sing"}));
    assert_eq!(house.last(1, "error")["code"], "invalid_message");
    assert_eq!(house.clients[3].heard.len(), before[3], "the others hear nothing of it");
}

/// Time runs out: the drawn tile is discarded after the bank of 3 + 2 seconds; a result is confirmed after 15.
/// Cites 003-25, 003-26, 003/R4, 003/R6.
#[test]
fn time_runs_out_as_the_document_says() {
    let mut house = House::open(&json!({}), 4, "time");
    let drawn = house.turn(0)["tile_id"].clone();
    house.advance(4950);
    assert_eq!(house.last(1, "discard"), &Json::Null, "the first turn has five seconds");
    house.advance(50);
    let discard = house.last(1, "discard");
    assert_eq!((&discard["tile_id"], &discard["is_tsumogiri"]), (&drawn, &json!(true)));
}

/// A lost socket: a bot plays on under the same name, the others hear it, and the seat can be taken back with everything
/// that stands. Cites 003-23, 003/R3, 003/R17.
#[test]
fn a_player_who_is_dropped_can_come_back() {
    let mut house = House::open(&json!({"profile": "standard"}), 2, "dropped");
    house.lose(1);
    assert_eq!(house.last(0, "player_left"), &Json::Null, "there is a grace of fifteen seconds");
    house.advance(15_100);
    assert_eq!(house.last(0, "player_left")["player_name"], "Bob");
    house.meet(1);
    assert_eq!(house.last(0, "player_joined")["player_name"], "Bob");
    let view = &house.last(1, "round_started")["view"];
    assert_eq!(view["seat"], 1);
    assert!(view["my_tiles"].as_array().is_some_and(|tiles| tiles.len() >= 13 || !tiles.is_empty()));
    let mut rng = Rng::fast(5);
    play_out(&mut house, &mut rng);
    assert_eq!(house.types(1).last(), Some(&"game_end"));
}
