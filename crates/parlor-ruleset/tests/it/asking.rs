//! Who is asked, when nothing can be chosen, and what the clock says.

use serde_json::{Value, json};

use parlor_core::{DynGame, Rng, Seat};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::{Finding, RulesetGame, compile};

use crate::harness::{fails, holds, program, ruleset};

/// A flow, with a card in the hand of seat 1 alone.
fn flow(code: Value) -> Value {
    json!({
        "actions": {},
        "vars": {"got": {"owner": "player", "type": "int", "default": 0}, "alive": {"owner": "player", "type": "bool", "default": true}, "n": {"owner": "game", "type": "int", "default": 0}},
        "setup": [{"create": {"card": "stone", "to": {"zone": ["hand", {"seat": 1}]}}}],
        "flow": code
    })
}

fn findings(extra: &Value) -> Vec<Finding> {
    match compile(&ruleset(extra).to_string()) {
        Ok(compiled) => compiled.warnings,
        Err(findings) => findings,
    }
}

fn last() -> Value {
    json!({"ask": {"id": "last", "who": {"seat": 0}, "prompt": "Go on?", "confirm": true}})
}

#[test]
fn a_question_without_a_choice_is_asked_where_it_would_tell_a_secret() {
    let pick = |of: &str, min: i64| json!({"from": {"zones": ["hand"], "of": of}, "min": min, "max": 1});
    let asks = |auto: Option<bool>, mode: &str, min: i64| {
        let mut ask = json!({"id": "q", "who": "p", "mode": mode, "prompt": "Show one?", "as": "x", "pick": pick("p", min)});
        if let Some(auto) = auto {
            ask["auto"] = json!(auto);
        }
        flow(json!([{"forEach": {"seats": "all", "as": "p", "do": [{"ask": ask}]}}, last()]))
    };
    for (mode, min) in [("one", 0), ("one", 1), ("any", 0), ("all", 0)] {
        // Nobody can tell that the hand of seat 0 is empty.
        holds(
            asks(Some(false), mode, min),
            json!({"name": mode, "script": [{"seat": 0, "say": []}], "then": {"asked": {"seat": 1, "ask": "q"}}}),
        );
    }
    for auto in [None, Some(true)] {
        holds(asks(auto, "one", 0), json!({"script": [], "then": {"asked": {"seat": 1, "ask": "q"}}}));
    }
}

#[test]
fn a_list_and_a_selection_of_seats_are_asked_together() {
    let living = json!({"seats": "all", "where": {"var": ["it", "alive"]}});
    let ask = |who: Value| json!({"ask": {"id": "q", "who": who, "mode": "all", "prompt": "How many?", "as": "x", "number": {"min": 1, "max": 9}}});
    let got = json!({"forEach": {"seats": living, "as": "p", "do": [{"set": {"var": ["p", "got"], "to": {"answer": ["x", "p"]}}}]}});
    let dead = |seat: i64| json!({"set": {"var": [{"seat": seat}, "alive"], "to": false}});
    let bound = json!({"let": {"as": "living", "list": living}});
    for (binds, who) in [(bound.clone(), json!("living")), (json!({"do": []}), living.clone())] {
        holds(
            flow(json!([dead(0), binds, ask(who.clone()), got, last()])),
            json!({
                "name": who, "seats": 3,
                "script": [{"seat": 0, "say": "3", "refused": "not asked"}, {"seat": 2, "say": "3"}, {"seat": 1, "say": "4"}],
                "then": {"asked": {"seat": 0, "ask": "last"}, "vars": {"got": [0, 4, 3]}}
            }),
        );
        holds(
            flow(json!([dead(0), dead(1), dead(2), binds, ask(who), last()])),
            json!({"name": "nobody is left to ask", "seats": 3, "script": [], "then": {"asked": {"seat": 0, "ask": "last"}}}),
        );
    }
    // Wherever seats are named: they lose, win, are dealt to.
    holds(
        flow(
            json!([bound, {"lose": {"seats": "all", "where": {"==": ["it", {"seat": 0}]}}}, {"ask": {"id": "none", "who": "living", "mode": "all", "confirm": true}}]),
        ),
        json!({"seats": 3, "script": [], "then": {"asked": {"seat": 1, "ask": "none"}}}),
    );
    holds(
        flow(
            json!([{"win": {"who": {"seats": "all", "where": {"==": [{"seatNo": "it"}, 1]}}, "reason": "so"}}]),
        ),
        json!({"script": [], "then": {"over": true, "winners": [1]}}),
    );
    let cards = json!([{"let": {"as": "cards", "list": {"zones": ["hand"]}}}, ask(json!("cards"))]);
    let found = findings(&flow(cards));
    assert!(
        found.iter().any(|finding| finding.code == "type" && finding.pointer == "/flow/1/ask/who"),
        "cards are nobody: {found:#?}"
    );
}

#[test]
fn turns_that_follow_other_turns_begin_with_their_own_first() {
    let turns = |id: &str, first: i64, max: i64| json!({"turns": {"first": {"seat": first}, "max": max, "do": [{"ask": {"id": id, "who": "active", "prompt": id, "as": "stop", "confirm": true}}, {"if": ["stop", [{"break": true}]]}]}});
    let two = flow(json!([turns("a", 0, 2), turns("b", 0, 2), last()]));
    let no = |seat: i64| json!({"seat": seat, "say": "no"});
    holds(
        two.clone(),
        json!({"seats": 3, "script": [no(0), no(1)], "then": {"asked": {"seat": 0, "ask": "b"}}}),
    );
    holds(
        two,
        json!({"seats": 3, "script": [no(0), no(1), no(0), no(1)], "then": {"asked": {"seat": 0, "ask": "last"}}}),
    );
    let again = flow(json!([{"loop": {"max": 2, "do": [turns("a", 1, 6)]}}]));
    holds(
        again.clone(),
        json!({"name": "left by a break", "seats": 3, "script": [no(1), {"seat": 2, "say": "yes"}], "then": {"asked": {"seat": 1, "ask": "a"}}}),
    );
    holds(
        again,
        json!({"name": "the first one is gone", "seats": 3, "script": [no(1), {"seat": 1, "leave": true}, {"seat": 2, "say": "yes"}], "then": {"asked": {"seat": 2, "ask": "a"}}}),
    );
    let mut on = flow(json!([turns("a", 0, 2), turns("b", 0, 2)]));
    on["flow"][1]["turns"].as_object_mut().expect("turns").remove("first");
    holds(
        on,
        json!({"name": "without a first they go on", "seats": 3, "script": [no(0), no(1)], "then": {"asked": {"seat": 2, "ask": "b"}}}),
    );
}

#[test]
fn minus_one_is_a_number() {
    let is_none = |of: Value| json!({"set": {"var": "n", "to": {"+": [{"*": [{"var": "n"}, 10]}, {"if": [{"isNone": of}, 2, 1]}]}}});
    let ask = json!({"ask": {"id": "q", "who": {"seat": 0}, "prompt": "How many?", "as": "x", "number": {"min": -2, "max": 2}}});
    let set = json!({"set": {"var": [{"seat": 0}, "got"], "to": {"-": [4, 5]}}});
    holds(
        flow(json!([
            set,
            is_none(json!({"-": [4, 5]})),
            is_none(json!({"var": [{"seat": 0}, "got"]})),
            is_none(json!({"neg": 1})),
            ask,
            is_none(json!("x")),
            {"set": {"var": [{"seat": 1}, "got"], "to": "x"}},
            is_none(json!({"answer": ["x", {"seat": 1}]})),
            is_none(json!("none")),
            last()
        ])),
        json!({"script": [{"seat": 0, "say": "-1"}], "then": {"asked": 0, "vars": {"n": 111_122, "got": [-1, -1]}}}),
    );
}

#[test]
fn arithmetic_never_comes_to_nothing() {
    // Every number is written out of smaller ones, so that arithmetic comes to it.
    let none = parlor_ruleset::internals::NONE;
    let half = none / 2;
    for by in -2..=2 {
        let sum = json!({"+": [half, none - half + by]});
        let difference = json!({"-": [half, half - none - by]});
        let product = json!({"+": [{"*": [none + by, 1]}, 0]});
        for value in [sum, difference, product, json!(none + by)] {
            let is_none = json!({"if": [{"isNone": value}, 1, 0]});
            holds(
                flow(json!([{"set": {"var": "n", "to": is_none}}, last()])),
                json!({"name": value, "script": [], "then": {"asked": 0, "vars": {"n": 0}}}),
            );
        }
    }
}

#[test]
fn a_line_that_waits_for_a_clock_that_does_not_run_fails() {
    let ask = |timeout: Value| {
        let mut ask = json!({"id": "q", "who": {"seat": 0}, "prompt": "Yes?", "as": "x", "confirm": true});
        if !timeout.is_null() {
            ask["timeout"] = timeout;
        }
        flow(json!([{"ask": ask}, last()]))
    };
    let elapse = json!({"script": [{"elapse": true}], "then": {"asked": {"seat": 0, "ask": "last"}}});
    for none in [Value::Null, json!({"ms": 0}), json!(0)] {
        let failure = fails(&ask(none.clone()), &elapse).to_string();
        assert!(failure.contains("no clock runs"), "{none}: {failure}");
    }
    holds(ask(json!({"ms": 5})), elapse.clone());
    holds(flow(json!([{"wait": 500}, last()])), elapse);
}

#[test]
fn what_is_answered_when_the_time_is_over() {
    let ask = |default: &str, min: i64| {
        let pick = json!({"from": {"range": [1, 3]}, "min": min, "max": 1});
        flow(json!([
            {"ask": {"id": "q", "who": {"seat": 0}, "prompt": "Which?", "as": "x", "pick": pick, "drafts": true, "timeout": {"ms": 9, "default": default}}},
            {"set": {"var": "n", "to": {"sum": {"from": {"answer": ["x", {"seat": 0}]}, "of": "it"}}}},
            last()
        ]))
    };
    for (default, min, n) in
        [("lastDraft", 0, 0), ("lastDraft", 1, 1), ("pass", 0, 0), ("first", 0, 1), ("first", 1, 1)]
    {
        holds(
            ask(default, min),
            json!({"name": format!("{default} {min}"), "script": [{"elapse": true}], "then": {"asked": {"seat": 0, "ask": "last"}, "vars": {"n": n}}}),
        );
    }
    let refused = |extra: &Value| {
        let found = findings(extra);
        found.into_iter().find(|finding| finding.message.contains("cannot be passed"))
    };
    let found = refused(&ask("pass", 1)).expect("one must be picked");
    assert_eq!((found.pointer.as_str(), found.code), ("/flow/0/ask/timeout/default", "shape"));
    assert_eq!(refused(&ask("pass", 0)), None);
    let confirm = json!({"ask": {"id": "q", "who": {"seat": 0}, "confirm": true, "timeout": {"ms": 9, "default": "pass"}}});
    assert!(refused(&flow(json!([confirm, last()]))).is_some(), "yes or no is no empty answer");
}

#[test]
fn any_number_of_a_wide_range_may_be_said() {
    // cites 001/R7
    let ask = |min: i64, max: i64, more: Value| {
        let mut ask = json!({"id": "q", "who": {"seat": 0}, "prompt": "How much?", "as": "x", "number": {"min": min, "max": max}});
        for (name, value) in more.as_object().expect("an object") {
            ask[name] = value.clone();
        }
        flow(json!([{"ask": ask}, {"set": {"var": "n", "to": "x"}}, last()]))
    };
    let bet = ask(0, 10_000, json!({}));
    for said in [json!(5000), json!("5000"), json!([5000]), json!(["5000"])] {
        holds(
            bet.clone(),
            json!({"name": said, "script": [{"seat": 0, "say": said}], "then": {"asked": {"seat": 0, "ask": "last"}, "vars": {"n": 5000}}}),
        );
    }
    for said in [json!(10_001), json!(-1), json!("much"), json!([1, 2]), json!([]), json!(1.5), json!("1e3")]
    {
        holds(
            bet.clone(),
            json!({"name": said, "script": [{"seat": 0, "say": said, "refused": "a whole number from 0 to 10000"}], "then": {"asked": {"seat": 0, "ask": "q"}}}),
        );
    }
    // Few numbers are choices, and are said in the same ways.
    for said in [json!(7), json!("7"), json!([7])] {
        holds(
            ask(0, 9, json!({})),
            json!({"name": said, "script": [{"seat": 0, "say": said}], "then": {"asked": {"seat": 0, "ask": "last"}, "vars": {"n": 7}}}),
        );
    }
    let late = |default: Value| ask(10, 1_000_000, json!({"timeout": {"ms": 9, "default": default}}));
    for (default, n) in
        [(json!("first"), 10), (json!({"value": 777_777}), 777_777), (json!({"value": 3}), 10)]
    {
        holds(
            late(default.clone()),
            json!({"name": default, "script": [{"elapse": true}], "then": {"asked": {"seat": 0, "ask": "last"}, "vars": {"n": n}}}),
        );
    }
}

#[test]
fn a_wide_range_goes_to_clients_with_its_bounds_and_is_sampled_all_over() {
    let code = json!([{"ask": {"id": "q", "who": {"seat": 0}, "prompt": "How much?", "as": "x", "number": {"min": -50, "max": 5_000_000_000i64}}}, last()]);
    let p = program(flow(code));
    let config = settings(&p, &Value::Null).expect("the defaults are good");
    let table = RulesetGame::start(p, config, 2, &mut Rng::fast(1), &mut Sink::silent());
    let ask = table.open_asks()[0].id;
    let request = table.request(Seat::new(0), ask);
    assert_eq!((request.form, request.choices.len()), (parlor_core::selector::Form::Action, 0));
    let meta = request.meta.expect("what a screen needs");
    assert_eq!(
        (&meta["kind"], &meta["min"], &meta["max"]),
        (&json!("number"), &json!(-50), &json!(5_000_000_000i64))
    );
    let mut rng = Rng::fast(3);
    let said: Vec<i64> = (0..40)
        .map(|_| {
            let answer = table.sample(Seat::new(0), ask, &mut rng);
            table.check(Seat::new(0), ask, &answer).unwrap_or_else(|why| panic!("{answer}: {why}"));
            answer["selection"][0].as_i64().expect("a number")
        })
        .collect();
    assert!(said.iter().any(|n| *n > 4_000_000_000) && said.iter().any(|n| *n < 1_000_000_000), "{said:?}");
    assert!(table.round_trip(Seat::new(0), ask).expect("what is legal is taken") > 10);
}
