//! Whoever leaves takes his own question with him, and nobody else's.

use serde_json::{Value, json};

use parlor_core::{AskId, DynGame, Rng, Seat};
use parlor_ruleset::RulesetGame;
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;

use crate::harness::{holds, program};

/// Three seats, a question of this mode and kind, and then what each has answered as his `got`.
fn asking(more: &Value, on: Option<Value>) -> Value {
    let mut ask =
        json!({"id": "q", "who": "all", "prompt": "How many?", "as": "x", "number": {"min": 1, "max": 9}});
    for (name, value) in more.as_object().expect("an object") {
        ask[name] = value.clone();
    }
    let got = json!({"set": {"var": ["p", "got"], "to": {"if": [{"isNone": {"answer": ["x", "p"]}}, 0, {"answer": ["x", "p"]}]}}});
    let mut extra = json!({
        "actions": {},
        "players": {"min": 2, "max": 4},
        "vars": {"got": {"owner": "player", "type": "int", "default": 0}, "gone": {"owner": "game", "type": "int", "default": 0}},
        "events": {"Left": {"seat": "seat", "do": [{"add": {"var": "gone", "by": 1}}]}},
        "flow": [
            {"ask": ask},
            {"forEach": {"seats": "all", "as": "p", "do": [got]}},
            {"ask": {"id": "next", "who": "all", "mode": "all", "prompt": "Go on?", "confirm": true}},
            {"finish": {"reason": "played"}}
        ]
    });
    if let Some(on) = on {
        extra["on"] = json!({"leave": on});
    }
    extra
}

/// Without a word about leaving, and with code that lets an event happen.
fn both() -> [Option<Value>; 2] {
    [None, Some(json!([{"emit": {"event": "Left", "payload": {"seat": "subject"}}}]))]
}

#[test]
fn the_others_are_asked_on_when_one_leaves() {
    // cites 001-10
    for on in both() {
        let left = i64::from(on.is_some());
        let all = asking(&json!({"mode": "all"}), on.clone());
        holds(
            all.clone(),
            json!({
                "name": "one has answered, one leaves, one is asked on", "seats": 3,
                "script": [{"seat": 1, "say": "3"}, {"seat": 0, "leave": true}],
                "then": {"over": false, "asked": {"seat": 2, "ask": "q"}, "vars": {"got": [0, 0, 0], "gone": left}}
            }),
        );
        holds(
            all.clone(),
            json!({
                "name": "what the others say counts, and he who left has said nothing", "seats": 3,
                "script": [{"seat": 1, "say": "3"}, {"seat": 0, "leave": true}, {"seat": 2, "say": "5"}],
                "then": {"over": false, "asked": {"seat": 1, "ask": "next"}, "vars": {"got": [0, 3, 5]}}
            }),
        );
        holds(
            all.clone(),
            json!({
                "name": "what somebody had answered before he left stands", "seats": 3,
                "script": [{"seat": 0, "say": "4"}, {"seat": 0, "leave": true}, {"seat": 1, "say": "1"}, {"seat": 2, "say": "5"}],
                "then": {"asked": {"seat": 1, "ask": "next"}, "vars": {"got": [4, 1, 5]}}
            }),
        );
        holds(
            all,
            json!({
                "name": "the last one who was asked leaves", "seats": 3,
                "script": [{"seat": 0, "say": "4"}, {"seat": 1, "say": "1"}, {"seat": 2, "leave": true}],
                "then": {"asked": {"seat": 0, "ask": "next"}, "vars": {"got": [4, 1, 0]}}
            }),
        );
        holds(
            asking(&json!({"mode": "any"}), on.clone()),
            json!({
                "name": "whoever answers first: the others still may", "seats": 3,
                "script": [{"seat": 0, "leave": true}, {"seat": 2, "say": "5"}],
                "then": {"asked": {"seat": 1, "ask": "next"}, "vars": {"got": [0, 0, 5]}}
            }),
        );
        let one = asking(&json!({"who": {"seat": 1}}), on);
        holds(
            one.clone(),
            json!({
                "name": "somebody leaves who is not asked", "seats": 3,
                "script": [{"seat": 2, "leave": true}],
                "then": {"asked": {"seat": 1, "ask": "q"}, "vars": {"got": [0, 0, 0], "gone": left}}
            }),
        );
        holds(
            one,
            json!({
                "name": "he alone was asked: it goes on without an answer", "seats": 3,
                "script": [{"seat": 1, "leave": true}],
                "then": {"asked": {"seat": 0, "ask": "next"}, "vars": {"got": [0, 0, 0], "gone": left}}
            }),
        );
    }
}

#[test]
fn what_others_have_drafted_stays_and_what_he_drafted_goes() {
    for on in both() {
        let more = json!({"mode": "all", "drafts": true, "timeout": {"ms": 1000, "default": "lastDraft"}});
        let p = program(asking(&more, on));
        let config = settings(&p, &Value::Null).expect("the defaults are good");
        let (mut rng, mut silent) = (Rng::fast(1), Sink::silent());
        let mut table = RulesetGame::start(p, config, 3, &mut rng, &mut silent);
        for (seat, n) in [(0, "7"), (1, "8")] {
            let open = table.inside().open.as_ref().expect("something is asked").id;
            let answer = json!({"title": "How many?", "selection": [n]});
            let said = table.read(Seat::new(seat), AskId(open + 1), &answer).expect("a draft");
            table.say(Seat::new(seat), true, said, &mut rng, &mut silent);
        }
        let before = table.open_asks()[0].id;
        table.leave(Seat::new(0), &mut rng, &mut silent);
        let asks = table.open_asks();
        assert_eq!(asks[0].id, before, "the same question, so that its clock runs on");
        assert_eq!(asks[0].seats.iter().map(Seat::index).collect::<Vec<_>>(), [1, 2]);
        table.elapse(&mut rng, &mut silent);
        let base = table.program().vars.iter().find(|var| var.name == "got").expect("it is declared").base;
        let got = &table.inside().board.vars[base.index()..][..3];
        assert_eq!(got, [0, 8, 1], "the draft of one who is there, and the first for one without a draft");
    }
}

#[test]
fn a_seat_that_loses_because_another_left_is_asked_no_longer() {
    let on = json!([{"lose": {"seat": 3}}]);
    holds(
        asking(&json!({"mode": "all"}), Some(on)),
        json!({
            "seats": 4,
            "script": [{"seat": 0, "leave": true}, {"seat": 3, "say": "1", "refused": "not asked"}, {"seat": 1, "say": "2"}, {"seat": 2, "say": "3"}],
            "then": {"asked": {"seat": 1, "ask": "next"}, "vars": {"got": [0, 2, 3, 0]}}
        }),
    );
}

#[test]
fn those_who_have_not_passed_may_still_act_when_one_leaves() {
    // cites 001-9
    let press = json!({"timing": "stack", "do": [{"set": {"var": "log", "to": 7}}]});
    let on = json!({"leave": [{"emit": {"event": "Ping", "payload": {"n": 1}}}]});
    let act = json!({"seat": 0, "act": "press"});
    let pass = |seat: i64| json!({"seat": seat, "say": "Pass"});
    let leave = |seat: i64| json!({"seat": seat, "leave": true});
    for (script, asked) in [
        (json!([act, leave(0)]), 1),
        (json!([act, leave(0), pass(1)]), 2),
        (json!([act, pass(0), leave(0)]), 1),
        (json!([act, pass(0), leave(0), pass(1)]), 2),
        (json!([act, pass(0), leave(1)]), 2),
        (json!([act, leave(1), pass(0)]), 2),
    ] {
        let then = json!({"asked": asked, "vars": {"log": 0}, "stack": ["Press"]});
        holds(
            json!({"actions": {"press": press}, "on": on}),
            json!({"name": script, "seats": 3, "script": script, "then": then}),
        );
    }
    holds(
        json!({"actions": {"press": press}, "on": on}),
        json!({"seats": 3, "script": [act, pass(0), leave(1), pass(2)], "then": {"asked": 0, "vars": {"log": 7}}}),
    );
}

#[test]
fn what_is_done_when_somebody_leaves_runs_like_any_code() {
    // cites 001-16
    let told = json!({"emit": {"event": "Left", "payload": {"seat": "subject"}}});
    let all = |on: Value| asking(&json!({"mode": "all"}), Some(on));
    holds(
        all(json!([told, {"finish": {"reason": "left"}}, told])),
        json!({
            "name": "after an event the match ends, with its reason, and nothing follows", "seats": 3,
            "script": [{"seat": 0, "leave": true, "events": ["Left", "GameEnded"]}],
            "then": {"over": true, "reason": "left", "vars": {"gone": 1}}
        }),
    );
    holds(
        all(json!([{"set": {"var": "gone", "to": 7}}, {"finish": {"reason": "left"}}])),
        json!({
            "seats": 3, "script": [{"seat": 0, "leave": true, "events": ["GameEnded"]}],
            "then": {"over": true, "reason": "left", "vars": {"gone": 7}}
        }),
    );
    let mut cards = all(json!([
        {"repeat": {"n": 2, "do": [{"add": {"var": "gone", "by": 1}}]}},
        {"move": {"what": {"zones": ["hand"], "of": "subject"}, "to": {"zone": ["table", {"seat": 1}]}}},
        {"reveal": {"zones": ["hand"], "of": {"seat": 2}}}
    ]));
    cards["setup"] = json!([{"forEach": {"seats": "all", "as": "p", "do": [{"create": {"card": "stone", "to": {"zone": ["hand", "p"]}}}]}}]);
    holds(
        cards,
        json!({
            "name": "loops, moves and what is shown", "seats": 3,
            "script": [{"seat": 0, "leave": true, "events": ["ZoneMoved", "Revealed"]}],
            "then": {"asked": {"seat": 1, "ask": "q"}, "zones": {"table": [[], ["stone"], []]}, "vars": {"gone": 2}}
        }),
    );
}

#[test]
fn a_trigger_of_what_happens_when_somebody_leaves_resolves_before_the_next_question() {
    let mut rules = asking(
        &json!({"mode": "all"}),
        Some(json!([{"emit": {"event": "Left", "payload": {"seat": "subject"}}}])),
    );
    rules["rules"] =
        json!([{"id": "r", "on": {"event": "Left"}, "do": [{"add": {"var": "gone", "by": 10}}]}]);
    rules["flow"]
        .as_array_mut()
        .expect("a flow")
        .insert(1, json!({"emit": {"event": "Ping", "payload": {}}}));
    rules["events"]["Ping"] = json!({});
    holds(
        rules,
        json!({
            "seats": 3,
            "script": [{"seat": 0, "leave": true}, {"seat": 1, "say": "1"}, {"seat": 2, "say": "1"}],
            "then": {"asked": {"seat": 1, "ask": "next"}, "vars": {"gone": 11}}
        }),
    );
}

/// Seats with these scores, what happens to them, and a finish.
fn scored(scores: &[i64], order: &str, what: Value) -> Value {
    let set = scores.iter().enumerate();
    let set: Vec<Value> =
        set.map(|(n, score)| json!({"set": {"var": [{"seat": n}, "score"], "to": score}})).collect();
    json!({
        "actions": {}, "players": {"min": 2, "max": 4},
        "vars": {"score": {"owner": "player", "type": "int", "default": 0}},
        "setup": set,
        "flow": [what, {"ask": {"id": "q", "who": {"seat": 0}, "prompt": "Go on?", "confirm": true}}, {"finish": {"reason": "points"}}],
        "end": {"rank": {"by": {"var": ["it", "score"]}, "order": order}}
    })
}

/// The places at the end, seat by seat.
fn places(ruleset: &Value, seats: u8, leaves: &[u8]) -> (Vec<usize>, Vec<u8>) {
    let p = program(ruleset);
    let config = settings(&p, &Value::Null).expect("the defaults are good");
    let (mut rng, mut silent) = (Rng::fast(1), Sink::silent());
    let mut table = RulesetGame::start(p, config, seats, &mut rng, &mut silent);
    for seat in leaves {
        table.leave(Seat::new(*seat), &mut rng, &mut silent);
    }
    while table.inside().over.is_none() {
        let seat = table.open_asks()[0].seats.lowest().expect("somebody is asked");
        crate::harness::say(&mut table, seat, &json!(["yes"]));
    }
    let over = table.outcome().expect("it is over");
    (over.winners.iter().map(Seat::index).collect(), over.places.to_vec())
}

#[test]
fn who_has_lost_comes_after_all_others() {
    let nothing = || json!({"set": {"var": [{"seat": 0}, "score"], "to": 0}});
    let lose = |seat: i64| json!({"lose": {"seat": seat}});
    assert_eq!(places(&scored(&[0, 5, 3], "desc", nothing()), 3, &[]), (vec![1], vec![3, 1, 2]));
    assert_eq!(places(&scored(&[0, 5, 3], "desc", lose(1)), 3, &[]), (vec![2], vec![2, 3, 1]), "by losing");
    assert_eq!(
        places(&scored(&[0, 5, 3], "desc", nothing()), 3, &[1]),
        (vec![2], vec![2, 3, 1]),
        "by leaving"
    );
    assert_eq!(
        places(&scored(&[2, 1, 3], "asc", lose(1)), 3, &[]),
        (vec![0], vec![1, 3, 2]),
        "the least first"
    );
    // Among themselves by their rank; those who have lost never share the first place.
    assert_eq!(places(&scored(&[0, 5, 9, 0], "desc", lose(1)), 4, &[2]), (vec![0, 3], vec![1, 4, 3, 1]));
    let mut flow = scored(&[0, 5, 3], "desc", lose(1));
    flow["flow"].as_array_mut().expect("a flow").pop();
    assert_eq!(places(&flow, 3, &[]), (vec![2], vec![2, 3, 1]), "a flow that is done");
    let mut unranked = scored(&[0, 0, 0], "desc", lose(1));
    unranked.as_object_mut().expect("a ruleset").remove("end");
    assert_eq!(places(&unranked, 3, &[]), (vec![0, 2], vec![1, 3, 1]), "without a rank those who are left");
    let mut losers = scored(&[1, 2, 3], "desc", lose(2));
    losers["flow"][2] = json!({"finish": {"reason": "so", "losers": {"seat": 0}}});
    assert_eq!(places(&losers, 3, &[]).0, [1], "who had lost has not won because another loses");
    losers["players"] = json!({"min": 4, "max": 4, "teams": {"a": [0, 3], "b": [1, 2]}});
    assert_eq!(places(&losers, 4, &[]).0, [1, 2, 3], "but his partner has");
    // All at once: nobody is first.
    let mut all = scored(&[1, 2], "desc", json!({"emit": {"event": "End"}}));
    all["events"] = json!({"End": {"do": [{"lose": "all"}, {"finish": {"reason": "points"}}]}});
    assert_eq!(places(&all, 2, &[]), (vec![], vec![3, 2]));
}

#[test]
fn a_team_has_one_place_and_has_lost_when_all_of_it_have() {
    let teams = |what: Value| {
        let mut ruleset = scored(&[1, 2, 8, 5], "desc", what);
        ruleset["players"] = json!({"min": 4, "max": 4, "teams": 2});
        ruleset
    };
    let nothing = json!({"set": {"var": [{"seat": 0}, "score"], "to": 1}});
    assert_eq!(places(&teams(nothing.clone()), 4, &[]), (vec![0, 2], vec![1, 3, 1, 3]), "the best of each");
    let partner = json!({"lose": {"seat": 2}});
    assert_eq!(
        places(&teams(partner), 4, &[]),
        (vec![1, 3], vec![3, 1, 3, 1]),
        "what a partner has who lost is lost"
    );
    assert_eq!(
        places(&teams(nothing), 4, &[1, 3]),
        (vec![0, 2], vec![1, 3, 1, 3]),
        "the last team that stands"
    );
    let mut three = scored(&[1, 2, 3, 9, 8, 7], "desc", json!({"lose": {"from": {"seat": 3}, "n": 1}}));
    three["players"] = json!({"min": 6, "max": 6, "teams": 3});
    three["flow"][0] = json!({"do": [{"lose": {"seat": 0}}, {"lose": {"seat": 3}}]});
    three["flow"][1]["ask"]["who"] = json!({"seat": 1});
    assert_eq!(places(&three, 6, &[]), (vec![1, 4], vec![5, 1, 3, 5, 1, 3]), "a whole team has lost");
}
