//! What a player knows of cards that they do not see: what they were shown stays known until it could be another.

use parlor_core::{Body, By, Header, Json, Match, Seat, Seats, Seed, Viewer};
use parlor_ruleset::{compile, game_def};
use serde_json::{Value, json};

const OTHER: Viewer = Viewer::Seat(Seat::new(1));

/// Seat 0 has a king and a queen in his hand, where nobody sees them, and takes an ace that everybody sees.
fn game(zones: &Value, flow: &Value) -> Value {
    let mut all = json!({
        "up": {"owner": "game", "order": "ordered", "see": "all"},
        "hand": {"owner": "player", "order": "set", "see": "owner"},
    });
    for (name, zone) in zones.as_object().expect("zones") {
        all[name] = zone.clone();
    }
    json!({
        "ir": "parlor-ir/1", "id": "sight", "name": "Sight", "author": "test", "players": {"min": 2, "max": 2},
        "zones": all, "cards": {"ace": {}, "king": {}, "queen": {}},
        "setup": [
            {"create": {"cards": ["king", "queen"], "to": {"zone": ["hand", {"seat": 0}]}}},
            {"create": {"card": "ace", "to": "up"}},
            {"move": {"what": "up", "to": {"zone": ["hand", {"seat": 0}]}}}
        ],
        "flow": flow, "end": {"rank": {"by": 0}}
    })
}

fn of_his_hand() -> Value {
    json!({"zones": ["hand"], "of": {"seat": 0}})
}

fn choose(what: &str, then: Value) -> Value {
    let ask = json!({"ask": {"id": "choose", "who": {"seat": 0}, "as": "gone", "prompt": "Choose", "pick": {"from": of_his_hand(), "count": 1}}});
    let wait = json!({"ask": {"id": "wait", "who": {"seat": 0}, "as": "x", "prompt": what, "confirm": true}});
    json!([ask, then, wait, {"finish": {}}])
}

fn start(ruleset: &Value) -> Match {
    let compiled = compile(&ruleset.to_string()).unwrap_or_else(|found| panic!("{found:#?}"));
    let program = std::sync::Arc::new(compiled.program);
    crate::screen::check(&program);
    let def = game_def(program, "sight");
    let header = Header::seeded(&def, 2, Json::Null, Seed::from_text("sight"));
    Match::start(def, header).expect("it starts").0
}

/// Seat 0 chooses a card: what the other seat hears of it and sees then.
fn chosen(ruleset: &Value, card: &str) -> (Vec<Json>, Json, Json) {
    let mut play = start(ruleset);
    let before = play.view(OTHER);
    let ask = play.open_asks()[0].id;
    let body =
        Body::Answer { seat: Seat::new(0), ask, answer: json!({"title": "Choose", "selection": [card]}) };
    let told = play.apply(0, By::Human, None, body).expect("it is taken").events;
    let heard: Vec<(Seats, Json)> = told.into_iter().filter(|(to, _)| to.sees(OTHER)).collect();
    (heard.into_iter().map(|(_, event)| event).collect(), before, play.view(OTHER))
}

fn hand(view: &Json) -> Vec<&str> {
    let cards = view["players"][0]["zones"]["hand"]["cards"].as_array();
    cards.into_iter().flatten().filter_map(|card| card["card"].as_str()).collect()
}

#[test]
fn whoever_does_not_see_what_leaves_a_hand_cannot_tell_from_what_he_knew_there() {
    // cites 001-23
    let grave = json!({"grave": {"owner": "game", "order": "set", "see": "none"}});
    let table = json!({"table": {"owner": "game", "order": "ordered", "see": "all"}});
    let grid = json!({"table": {"owner": "game", "see": "all", "grid": [2, 2]}});
    let own = json!({"own": {"owner": "player", "order": "set", "see": "owner"}});
    let rows = [
        (grave, json!({"move": {"what": "gone", "to": "grave"}})),
        (table.clone(), json!({"move": {"what": "gone", "to": "table", "faceDown": true}})),
        (table, json!({"move": {"what": "gone", "to": "table", "at": "bottom", "faceDown": true}})),
        (grid, json!({"move": {"what": "gone", "to": "table", "cell": 3, "faceDown": true}})),
        (own, json!({"move": {"what": "gone", "to": {"zone": ["own", {"seat": 0}]}}})),
    ];
    for (zones, then) in rows {
        let ruleset = game(&zones, &choose("Go on", then.clone()));
        let (known, unknown) = (chosen(&ruleset, "ace"), chosen(&ruleset, "king"));
        assert_eq!(hand(&known.1), ["ace"], "everybody saw it come to his hand");
        assert_eq!(known.0, unknown.0, "{then}: what is told");
        assert_eq!(known.2, unknown.2, "{then}: what is seen");
        assert!(hand(&known.2).is_empty(), "{then}");
        assert!(
            !known.2.to_string().contains("\"ace\"") && !json!(known.0).to_string().contains("\"ace\""),
            "{then}"
        );
    }
}

#[test]
fn what_leaves_openly_leaves_the_rest_as_it_was_known() {
    let up = json!({"move": {"what": "gone", "to": "up"}});
    let ruleset = game(&json!({}), &choose("Go on", up));
    let (heard, _, after) = chosen(&ruleset, "king");
    assert_eq!(hand(&after), ["ace"], "{heard:?}");
    assert!(hand(&chosen(&ruleset, "ace").2).is_empty());
}

#[test]
fn all_of_a_hand_is_known_where_it_goes_as_it_was_where_it_lay() {
    let pass = json!([
        {"move": {"what": of_his_hand(), "to": "box"}},
        {"ask": {"id": "choose", "who": {"seat": 0}, "as": "x", "prompt": "Go on", "confirm": true}},
        {"finish": {}}
    ]);
    let play = start(&game(&json!({"box": {"owner": "game", "order": "set", "see": "none"}}), &pass));
    assert_eq!(play.view(OTHER)["zones"]["box"]["cards"][0]["card"], "ace");
    assert_eq!(
        play.view(Viewer::Seat(Seat::new(0)))["zones"]["box"]["cards"].as_array().map(Vec::len),
        Some(3)
    );
}

#[test]
fn whoever_looked_at_the_top_card_knows_who_drew_it_but_not_whether_it_was_searched_for() {
    let deck = json!({"deck": {"owner": "game", "order": "ordered", "see": "none"}});
    let looked = |then: Value| {
        let flow = json!([
            {"move": {"what": of_his_hand(), "to": "deck"}},
            {"peek": {"what": {"last": "deck"}, "to": {"seat": 1}, "until": "moves"}},
            {"ask": {"id": "choose", "who": {"seat": 0}, "as": "gone", "prompt": "Choose", "pick": {"from": "deck", "count": 1}}},
            then,
            {"ask": {"id": "wait", "who": {"seat": 0}, "as": "x", "prompt": "Go on", "confirm": true}},
            {"finish": {}}
        ]);
        game(&deck, &flow)
    };
    let draw = looked(json!({"draw": {"seat": {"seat": 0}}}));
    let (_, before, after) = chosen(&draw, "king");
    let top = |view: &Json| view["zones"]["deck"]["cards"].to_string();
    assert!(top(&before).contains("\"ace\""), "{before}");
    assert_eq!(top(&after), "null", "a look is over when the card moves: {after}");
    let search = looked(json!({"move": {"what": "gone", "to": {"zone": ["hand", {"seat": 0}]}}}));
    let (one, other) = (chosen(&search, "ace"), chosen(&search, "king"));
    assert_eq!((&one.0, &one.2), (&other.0, &other.2));
}

#[test]
fn a_shuffle_takes_everything_of_a_card_with_its_face() {
    let flow = json!([
        {"create": {"card": "ace", "to": {"zone": ["hand", {"seat": 1}]}}},
        {"forEach": {"entities": {"zones": ["hand"], "of": {"seat": 1}}, "as": "c", "do": [
            {"set": {"var": "mine", "to": "c"}}, {"setAttr": {"of": "c", "attr": "mark", "to": 7}}, {"move": {"what": "c", "to": "deck"}}]}},
        {"move": {"what": of_his_hand(), "to": "deck"}},
        {"shuffle": "deck"},
        {"finish": {}}
    ]);
    let mut ruleset = game(&json!({"deck": {"owner": "game", "order": "ordered", "see": "none"}}), &flow);
    ruleset["vars"] = json!({"mine": {"owner": "game", "type": "entity"}});
    ruleset["attributes"] = json!({"mark": {"type": "int", "default": 0, "resetOn": "never"}});
    let compiled = compile(&ruleset.to_string()).unwrap_or_else(|found| panic!("{found:#?}"));
    let program = std::sync::Arc::new(compiled.program);
    let mut moved = 0;
    for seed in 0..20 {
        let config =
            parlor_ruleset::internals::settings(&program, &Json::Null).expect("the defaults are good");
        let mut rng = parlor_core::Rng::fast(seed);
        let table = parlor_ruleset::RulesetGame::start(
            program.clone(),
            config,
            2,
            &mut rng,
            &mut parlor_ruleset::internals::Sink::silent(),
        );
        let board = &table.inside().board;
        let marked: Vec<usize> = (0..board.entities.len()).filter(|e| board.attrs[*e] == 7).collect();
        assert_eq!(marked.len(), 1);
        let card = board.entities[marked[0]];
        assert_eq!((card.owner, card.ctrl), (1, 1), "seed {seed}: it is still his who had it");
        assert_eq!(program.cards[card.def].name, "ace");
        assert_eq!(board.vars[0], marked[0] as i64, "and the variable still means it");
        moved += usize::from(marked[0] != 3);
    }
    assert!(moved > 5, "the luck of these seeds moves it about");
}

#[test]
fn whoever_passed_cards_in_hearts_knows_where_they_are() {
    let def = game_def(parlor_ruleset::shipped::program("hearts-rules").expect("it is shipped"), "sight");
    let header = Header::seeded(&def, 4, Json::Null, Seed::from_text("pass"));
    let mut play = Match::start(def, header).expect("it starts").0;
    let mut rng = parlor_core::Rng::fast(3);
    let mut sent = Vec::new();
    for seat in (0..4).map(Seat::new) {
        let ask = play.open_asks()[0].id;
        let answer = play.sample(seat, ask, &mut rng).expect("an answer");
        sent.push(answer["selection"].as_array().expect("cards").len());
        play.apply(0, By::Human, None, Body::Answer { seat, ask, answer }).expect("it is taken");
    }
    assert_eq!(sent, [3; 4]);
    for seat in 0..4u8 {
        let view = play.view(Viewer::Seat(Seat::new(seat)));
        let known = |of: u8| {
            view["players"][usize::from(of)]["zones"]["hand"]["cards"].as_array().map_or(0, Vec::len)
        };
        let others: Vec<usize> = (1..4).map(|on| known((seat + on) % 4)).collect();
        // The two of clubs has been led by now.
        let (all, most) = (others.iter().sum::<usize>(), others.iter().max().copied());
        assert!(all >= 2 && most == Some(all), "seat {seat}, whoever passed first: {others:?}");
    }
}
