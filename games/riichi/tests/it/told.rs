//! What a client of the document is told, message by message: results with their kinds and fields, what a client that comes
//! back finds, who hears that a player is gone, how a socket is closed.

use parlor_core::{AnswerTarget, Json};
use parlor_riichi::table::{MultiRon, Pace, Settings};
use parlor_wire::client::ClientMessage;
use parlor_wire::lobby::{Inbound, LobbyNews, SeatNews};
use parlor_wire::{CloseReason, SeatInfo, ServerMessage};
use serde_json::json;

use crate::bounds::river_of_terminals;
use crate::house::House;
use crate::scene::{Play, Scene};
use crate::words::{new_client, snapshot, told};

/// Tenpai on 4m and 7m with tanyao and pinfu.
const TENPAI_47M: &str = "56m234567p234s88s";
const FAR: [&str; 4] = ["147m258p369s1234z", "147m258p369s1235z", "258m369p147s567z1z", "258m369p147s5672z"];

fn ronin() -> Scene {
    Scene::new(Settings::ronin())
}

/// The result of a round as seat 2 is told it.
fn result(play: &Play) -> Json {
    let all = told(play, 2, Pace::document());
    let end = all.into_iter().find(|message| message["type"] == "round_end");
    end.expect("the round is over")["result"].clone()
}

fn names(value: &Json) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn four_winds() -> Play {
    let hands = ["258m369p147s567z1z", "147m258p369s1235z", "147m258p369s1235z", "147m258p369s1345z"];
    ronin().hands(hands).start().run("0 discard 1z, 1 discard 1z, 2 discard 1z, 3 discard 1z").passed()
}

fn four_riichi() -> Play {
    let hands = ["123m456p789s1155z", "234m567p123s2266z", "345m678p234s3377z", "456m123p345s44z99m"];
    let play = ronin().hands(hands).draws("8m8m8m8m").start();
    play.run("0 riichi 8m, 1 riichi 8m, 2 riichi 8m, 3 riichi 8m").passed()
}

fn four_kans() -> Play {
    let hands = ["1111222233334m", "6666p258p369s12z", "", ""];
    let scene = Scene { rinshan: "4m4m5z6z", ..ronin().hands(hands).draws("4m") };
    let play = scene.start().run("0 closed 1m, 0 closed 2m, 0 closed 3m, 0 discard 5z").passed();
    play.run("1 closed 6p, 1 discard 6z").passed()
}

fn rons(multi_ron: MultiRon, steps: &str) -> Play {
    let hands = ["", TENPAI_47M, "56m345678p345s77s", "56m345678p678s22s"];
    let scene = ronin().with(|settings| settings.multi_ron = multi_ron).hands(hands).draws("7m");
    scene.start().run("0 discard 7m").run(steps)
}

/// Every way to break a round off, with its reason, who called it, and nobody's points. Cites 003-5, 003-16.
#[test]
fn a_round_that_is_broken_off_has_its_reason() {
    let nine = ronin().hands(["19m19p19s12z258m36p", "", "", ""]).draws("3z").start().run("0 nine");
    for (play, reason, by) in [
        (nine, "nine_terminals", json!(0)),
        (four_winds(), "four_winds", Json::Null),
        (four_riichi(), "four_riichi", Json::Null),
        (four_kans(), "four_kans", Json::Null),
        (rons(MultiRon::Double, "1 ron, 2 ron, 3 ron"), "triple_ron", Json::Null),
    ] {
        let told = result(&play);
        assert_eq!((&told["type"], &told["reason"]), (&json!("abortive_draw"), &json!(reason)));
        assert_eq!(told["seat"], by, "{reason}");
        assert_eq!(told["score_changes"], json!({"0": 0, "1": 0, "2": 0, "3": 0}), "{reason}");
        let scores = json!(play.table.standing().scores);
        for seat in 0..4 {
            assert_eq!(told["scores"][seat.to_string()], scores[seat], "{reason}");
        }
    }
}

/// A wall that is used up: who was tenpai, with their hands, who was not, and what they paid. Cites 003-5, 003-12.
#[test]
fn an_exhaustive_draw_says_who_was_tenpai() {
    let play = ronin().hands([TENPAI_47M, FAR[1], FAR[2], FAR[3]]).start().exhaust();
    let told = result(&play);
    assert_eq!(
        names(&told),
        ["noten_seats", "score_changes", "scores", "tempai_seats", "tenpai_hands", "type"]
    );
    assert_eq!(told["type"], "exhaustive_draw");
    assert_eq!((&told["tempai_seats"], &told["noten_seats"]), (&json!([0]), &json!([1, 2, 3])));
    assert_eq!(told["tenpai_hands"][0]["seat"], 0);
    assert_eq!(told["tenpai_hands"][0]["closed_tiles"].as_array().map(Vec::len), Some(13));
    assert_eq!(told["score_changes"], json!({"0": 3000, "1": -1000, "2": -1000, "3": -1000}));
    assert_eq!(told["scores"], json!({"0": 28_000, "1": 24_000, "2": 24_000, "3": 24_000}));
}

/// A river of terminals names its seats, which are not those that were tenpai. Cites 003-5, 003-12.
#[test]
fn a_river_of_terminals_names_its_seats() {
    let told = result(&river_of_terminals());
    assert_eq!((&told["type"], &told["qualifying_seats"]), (&json!("nagashi_mangan"), &json!([1])));
    assert_eq!(told["score_changes"], json!({"0": -4000, "1": 8000, "2": -2000, "3": -2000}));
}

/// Wins: who, from whom, with which tile, and what it costs whom. Cites 003-5.
#[test]
fn a_win_is_told_with_its_cost() {
    let ron = rons(MultiRon::Double, "1 ron, 2 pass, 3 pass");
    let told = result(&ron);
    let tile = ron.wins()[0].tile.id();
    assert_eq!(told["type"], "ron");
    assert_eq!(
        (&told["winner_seat"], &told["loser_seat"], &told["winning_tile"]),
        (&json!(1), &json!(0), &json!(tile))
    );
    let hand = &told["hand_result"];
    assert_eq!(names(hand), ["cost_additional", "cost_main", "fu", "han", "yaku"]);
    assert_eq!((&hand["cost_main"], &hand["cost_additional"]), (&json!(ron.wins()[0].points), &json!(0)));
    assert_eq!(told.get("ura_dora_indicators"), None, "without riichi no ura");

    for (play, kind, winners) in [
        (rons(MultiRon::Double, "1 ron, 2 ron, 3 pass"), "double_ron", vec![1, 2]),
        (rons(MultiRon::Triple, "1 ron, 2 ron, 3 ron"), "triple_ron", vec![1, 2, 3]),
    ] {
        let told = result(&play);
        assert_eq!((&told["type"], &told["loser_seat"]), (&json!(kind), &json!(0)));
        let who: Vec<&Json> =
            told["winners"].as_array().expect("winners").iter().map(|win| &win["winner_seat"]).collect();
        assert_eq!(json!(who), json!(winners));
        let changes: i64 = (0..4).filter_map(|seat| told["score_changes"][seat.to_string()].as_i64()).sum();
        assert_eq!(changes, 0, "{kind}: what one pays the others get");
    }

    let tsumo = ronin().hands(["", TENPAI_47M, "", ""]).draws("1z1z9m9m9m7m").start();
    let tsumo = tsumo.run("0 discard, 1 discard, 2 discard, 3 discard, 0 discard, 1 tsumo");
    let told = result(&tsumo);
    assert_eq!((&told["type"], &told["win_tile"]), (&json!("tsumo"), &json!(tsumo.wins()[0].tile.id())));
    let cost = |name: &str| told["hand_result"][name].as_i64().expect("points");
    assert_eq!(-cost("cost_main"), told["score_changes"]["0"].as_i64().expect("the dealer's"));
    assert_eq!(-cost("cost_additional"), told["score_changes"]["3"].as_i64().expect("another's"));
    assert!(cost("cost_main") > cost("cost_additional"));
}

/// What only some wins have: the liable seat, and the ura indicators of a win in riichi. Cites 003-5, 003-16.
#[test]
fn liability_and_ura_are_told_where_they_are() {
    let scene = ronin().hands(["", "556677z23m99p45s1s", "", ""]).draws("5z6z9s7z1m");
    let pao = scene.start().run(
        "0 discard 5z, 1 pon, 1 discard 1s, 2 discard 6z, 1 pon, 1 discard 4s, 2 discard, 3 discard 7z, 1 pon, \
         1 discard 5s, 2 discard 1m, 1 ron",
    );
    let told = result(&pao);
    assert_eq!((&told["pao_seat"], &told["loser_seat"]), (&json!(3), &json!(2)));
    assert_eq!(told["melds"][0]["meld_type"], "pon");
    assert_eq!((&told["melds"][0]["from_seat"], &told["melds"][1]["from_seat"]), (&json!(0), &json!(2)));
    let riichi = Scene { ura: "1p", ..ronin().hands([TENPAI_47M, "", "", ""]).draws("1z7m") };
    let riichi = riichi.start().run("0 riichi 1z, 1 discard 7m, 0 ron");
    let told = result(&riichi);
    assert_eq!(told["ura_dora_indicators"], json!([riichi.wins()[0].ura_indicators[0].id()]));
    assert_eq!(told["riichi_sticks_collected"], 1);
    assert_eq!(told.get("pao_seat"), None);
}

/// The end of a game: places in their order, points as whole numbers where they are whole. Cites 003-5.
#[test]
fn the_end_of_a_game_lists_everybody_in_their_places() {
    let scene = Scene::new(Settings::tenhou()).hands(FAR).at(|standing| {
        (standing.kyoku, standing.scores) = (7, [19_000, 27_000, 32_000, 22_000]);
    });
    let play = scene.start().exhaust();
    let all = told(&play, 1, Pace::document());
    let end = all.iter().find(|message| message["type"] == "game_end").expect("the game is over");
    assert_eq!(end["result"]["winner_seat"], 2);
    let rows: Vec<Json> = end["result"]["standings"]
        .as_array()
        .expect("standings")
        .iter()
        .map(|row| json!([row["seat"], row["name"], row["score"], row["final_score"], row["is_bot"]]))
        .collect();
    assert_eq!(
        json!(rows),
        json!([
            [2, "Cem", 32_000, 42, false],
            [1, "Bob", 27_000, 7, false],
            [3, "Dee", 22_000, -18, false],
            [0, "Ann", 19_000, -31, false],
        ])
    );
    assert_eq!(all.last(), Some(end), "nothing is asked any more");
}

/// A client that comes back finds the rivers, who is in riichi, its own furiten and what stands for it. Cites 003/R3.
#[test]
fn a_client_that_comes_back_finds_everything() {
    let hands = [TENPAI_47M, "56m345678p345s77s", "", ""];
    let play = ronin().hands(hands).draws("1z7m").start().run("0 riichi 1z, 1 discard 7m, 0 pass");
    let view = |seat: u8| {
        let all = told(&play, seat, Pace::document());
        assert_eq!(all[0]["type"], "round_started");
        all[0]["view"].clone()
    };
    assert_eq!(view(0)["is_furiten"], true, "it let a win go by");
    assert_eq!(view(1)["is_furiten"], true, "its own discard");
    assert_eq!(view(2)["is_furiten"], false);
    for seat in 0..4 {
        let view = view(seat);
        assert_eq!((&view["seat"], &view["tiles_remaining"]), (&json!(seat), &json!(play.table.left())));
        assert_eq!((&view["round_wind"], &view["round_number"]), (&json!("East"), &json!(1)));
        let players = view["players"].as_array().expect("players").clone();
        assert_eq!(players[0]["is_riichi"], true);
        assert_eq!(players[1]["is_riichi"], false);
        assert_eq!(players[0]["discards"][0]["is_riichi"], true);
        assert_eq!(players[1]["discards"][0]["tile_id"].as_u64().map(|id| id / 4), Some(6), "7m");
        assert_eq!(players[2]["discards"], json!([]));
    }
    let missed = ronin().hands(["", TENPAI_47M, FAR[2], ""]).draws("4m").start().run("0 discard 4m, 1 pass");
    let missed = &told(&missed, 1, Pace::document())[0];
    assert_eq!(missed["view"]["is_furiten"], true, "it let a win go by in this turn");
    let last = |seat: u8| told(&play, seat, Pace::document()).last().cloned().expect("something");
    assert_eq!((&last(2)["type"], &last(2)["seat"]), (&json!("draw"), &json!(2)), "its turn is told again");
    assert_eq!(last(3)["type"], "round_started", "nothing stands for it");
}

/// That a bot plays for somebody, and that they are back, is told to the others alone. Cites 003-4, 003/R17.
#[test]
fn nobody_hears_of_their_own_leaving() {
    let play = ronin().start();
    let mut client = new_client();
    client.message(&snapshot(&play, 1, Pace::document()), 0);
    let seats = |bots: [bool; 4]| {
        let info = |(name, is_bot): (&str, bool)| SeatInfo { name: name.to_owned(), is_bot, here: !is_bot };
        let seats = ["Ann", "Bob", "Cem", "Dee"].into_iter().zip(bots).map(info).collect();
        ServerMessage::Seats { v: 2, seats }
    };
    let left = client.message(&seats([false, true, true, false]), 0);
    assert_eq!(left, [json!({"type": "player_left", "player_name": "Cem"})]);
    assert_eq!(client.message(&seats([false, true, true, false]), 0), Vec::<Json>::new(), "told once");
    let back = client.message(&seats([false, false, false, false]), 0);
    assert_eq!(back, [json!({"type": "player_joined", "player_name": "Cem"})]);
}

/// Whoever comes back to a running game hears that they joined, then who plays. Cites 003-4, 003/R3.
#[test]
fn a_return_begins_like_a_first_visit() {
    let players: Vec<SeatNews> = (0..4)
        .map(|seat| SeatNews { seat, name: format!("P{seat}"), is_bot: seat > 1, player_id: None })
        .collect();
    let found = LobbyNews::MatchFound {
        game_id: "g1".to_owned(),
        game: "riichi".to_owned(),
        seat: 1,
        session_token: "0123456789abcdef".to_owned(),
        players,
        stake: 0,
        returning: true,
    };
    let told = new_client().news(&found);
    let joined = json!({
        "type": "game_joined", "game_id": "g1", "players": ["P0", "P1", "P2", "P3"], "session_token": "0123456789abcdef",
    });
    assert_eq!(told[0], joined);
    assert_eq!((&told[1]["type"], &told[1]["players"][2]["is_bot"]), (&json!("game_started"), &json!(true)));
}

/// Draws of the others are told under `announceDraws` alone, without the tile and without what may be done. Cites 003/R10.
#[test]
fn draws_of_others_are_told_where_the_table_announces_them() {
    for (profile, announced) in [("document", false), ("standard", true)] {
        let mut house = House::open(&json!({"profile": profile}), 4, "announced");
        let drawn = house.turn(0)["tile_id"].clone();
        house.act(0, "discard", json!({"tile_id": drawn}));
        house.advance(60_000);
        let heard = &house.clients[0].heard;
        let others: Vec<&Json> =
            heard.iter().filter(|message| message["type"] == "draw" && message["seat"] != 0).collect();
        assert_eq!(!others.is_empty(), announced, "{profile}");
        for draw in others {
            assert_eq!(names(draw), ["seat", "tile_id", "type"]);
            assert_eq!(draw["tile_id"], Json::Null);
        }
    }
}

/// The socket is closed with `game_ended` when the game is over and not before; a forged action has its own word.
/// Cites 003-19, 003/R11.
#[test]
fn a_socket_is_closed_with_the_documents_words() {
    let short = json!({
        "game_type": "east", "enchousen": "none", "start_points": 1000, "target_points": 1000,
        "winning_threshold": 1000, "tobi_threshold": 1000,
    });
    let mut house = House::open(&short, 4, "closing");
    assert_eq!(house.ends(0), None);
    for _ in 0..2000 {
        house.advance(1000);
    }
    assert!(house.table.finished());
    assert_eq!(house.last(0, "game_end")["type"], "game_end");
    assert_eq!(house.ends(0), Some((1000, "game_ended")));
    let client = new_client();
    assert_eq!(client.close(CloseReason::Forged), (1008, "invalid_game_action"));
    assert_eq!(client.close(CloseReason::TakenOver), (4000, "taken_over"));
    assert_eq!(client.close(CloseReason::RateLimited), (1008, "invalid_game_action"));
}

/// What a client hears of these events.
fn heard(events: Vec<Json>) -> Vec<Json> {
    let mut client = new_client();
    client.message(&snapshot(&ronin().start(), 1, Pace::document()), 0);
    let update = ServerMessage::Update {
        v: 2,
        branch_id: 1,
        events,
        patch: Vec::new(),
        view_hash: String::new(),
        requests: None,
        clocks: None,
        over: None,
    };
    client.message(&update, 0)
}

/// What lies open is told with the document's names: each kind of discard, each kind of meld. Cites 003-5, 003/R15.
#[test]
fn discards_and_melds_have_their_marks() {
    for (tsumogiri, riichi) in [(false, false), (true, false), (false, true), (true, true)] {
        let event =
            json!({"type": "discard", "seat": 2, "tile": 40, "tsumogiri": tsumogiri, "riichi": riichi});
        let discard = json!({
            "type": "discard", "seat": 2, "tile_id": 40, "is_tsumogiri": tsumogiri, "is_riichi": riichi,
        });
        assert_eq!(heard(vec![event]), [discard]);
    }
    for (kind, name, from, tile) in [
        ("chi", "chi", json!(0), json!(8)),
        ("pon", "pon", json!(0), json!(8)),
        ("daiminkan", "open_kan", json!(0), json!(8)),
        ("kakan", "added_kan", json!(0), json!(8)),
        ("ankan", "closed_kan", Json::Null, Json::Null),
    ] {
        let event =
            json!({"type": "meld", "seat": 1, "kind": kind, "tiles": [8, 9, 10], "from": 0, "tile": tile});
        let meld = json!({
            "type": "meld", "meld_type": name, "caller_seat": 1, "tile_ids": [8, 9, 10], "from_seat": from,
            "called_tile_id": tile,
        });
        assert_eq!(heard(vec![event]), [meld]);
    }
}

/// A kan that can be robbed is a prompt of its own kind. Cites 003-5, 003-20.
#[test]
fn a_kan_to_rob_is_a_prompt_of_its_own() {
    let play = ronin().hands(["", "77m258p369s12356z", TENPAI_47M, ""]).draws("7m1z2z3z7m").start();
    let play = play.run(
        "0 discard 7m, 2 pass, 1 pon, 1 discard 6z, 2 riichi 1z, 3 discard 2z, 0 discard 3z, 1 added 7m",
    );
    let prompt = told(&play, 2, Pace::document()).pop().expect("a prompt");
    assert_eq!((&prompt["type"], &prompt["call_type"]), (&json!("call_prompt"), &json!("chankan")));
    assert_eq!((&prompt["from_seat"], &prompt["caller_seat"]), (&json!(1), &json!(2)));
    let ron = ronin().hands(["", TENPAI_47M, "", ""]).draws("7m").start().run("0 discard 7m");
    assert_eq!(told(&ron, 1, Pace::document()).pop().expect("a prompt")["call_type"], "ron");
}

/// A call is for the tile that lies there: one that names another means a prompt that is gone. Of three tiles the called one is
/// not the caller's own. Cites 003/R11, 003/R15.
#[test]
fn a_call_is_for_the_tile_that_lies_there() {
    let play = ronin().hands(["", "", "55m123789p1122z3z", ""]).draws("5m").start().run("0 discard 5m");
    let tile = play.table.player(crate::scene::seat(0)).river()[0].tile.id();
    let own: Vec<u8> =
        play.table.player(crate::scene::seat(2)).tiles().iter().map(|tile| tile.id()).take(2).collect();
    let sent = |data: Json| {
        let mut client = new_client();
        client.message(&snapshot(&play, 2, Pace::document()), 0);
        let frame = json!({"type": "game_action", "action": "pon", "data": data});
        match client.decode(frame).expect("it is understood").remove(0) {
            Inbound::Table(ClientMessage::Answer { names, answer, .. }) => (names, answer),
            other => panic!("{other:?}"),
        }
    };
    let (open, gone) = (AnswerTarget::Input(7), AnswerTarget::Input(0));
    assert_eq!(sent(json!({})), (open, json!({"pon": null})));
    assert_eq!(sent(json!({"tile_id": tile})), (open, json!({"pon": null})));
    assert_eq!(sent(json!({"tile_id": 135})), (gone, json!({"pon": null})));
    let three = json!({"tile_ids": [own[0], tile, own[1]]});
    assert_eq!(sent(three), (open, json!({"pon": own})));
}
