//! Scenarios are strict: whatever nobody wrote fails, and says where and what.

use serde_json::{Value, json};

use crate::harness::{fails, holds};

/// A game of luck: a deck is shuffled and drawn from, a die is rolled, a list is mixed.
fn rng() -> Value {
    json!({
        "zones": {"deck": {"owner": "player", "order": "ordered", "see": "none"}, "hand": {"owner": "player", "see": "owner"}, "table": {"owner": "player", "see": "all"}},
        "cards": {"ant": {}, "bee": {}, "cow": {}, "dog": {}},
        "setup": [{"forEach": {"seats": "all", "as": "p", "do": [
            {"create": {"cards": ["ant", "bee", "cow", "dog"], "to": {"zone": ["deck", "p"]}}}]}},
            {"shuffle": {"zone": ["deck", {"seat": 0}]}}],
        "actions": {
            "draw": {"timing": "instant", "do": [{"draw": {"seat": "you", "n": 2}}]},
            "roll": {"timing": "instant", "do": [{"roll": {"sides": 6, "as": "r"}}, {"set": {"var": "n", "to": "r"}}]},
            "mix": {"timing": "instant", "do": [{"let": {"as": "l", "list": {"zones": ["hand"], "of": "you"}}}, {"mix": "l"},
                {"forEach": {"in": "l", "as": "c", "do": [{"set": {"var": "log", "to": {"+": [{"*": [{"var": "log"}, 10]}, {"if": [{"isCard": ["c", "bee"]}, 1, 2]}]}}}]}}]}
        }
    })
}

#[test]
fn chance_is_scripted_and_comes_as_written() {
    // cites 001-6
    // A shuffle puts named cards on top, the first topmost; a roll gives its value; a list its order.
    holds(
        rng(),
        json!({
            "chance": [{"shuffle": "deck", "seat": 0, "top": ["dog", "bee"]}, {"roll": 4}, {"mix": ["bee", "dog"]}],
            "script": [{"seat": 0, "act": "draw"}, {"seat": 0, "act": "roll"}, {"seat": 0, "act": "mix"}],
            "then": {"vars": {"n": 4, "log": 12}, "zones": {"hand": [["dog", "bee"], []]}}
        }),
    );
    // All of them in their order, from the top.
    holds(
        rng(),
        json!({
            "chance": [{"shuffle": "deck", "seat": 0, "order": ["ant", "bee", "cow", "dog"]}],
            "script": [{"seat": 0, "act": "draw"}],
            "then": {"zones": {"hand": [["ant", "bee"], []], "deck": [["dog", "cow"], ["ant", "bee", "cow", "dog"]]}}
        }),
    );
}

#[test]
fn answers_by_lot_are_scripted_too() {
    let flow = json!([
        {"ask": {"id": "a", "who": {"seat": 0}, "as": "c", "pick": {"from": {"zones": ["table"], "of": {"seat": 0}}}, "timeout": {"ms": 1000, "default": "random"}}},
        {"move": {"what": "c", "to": {"zone": ["hand", {"seat": 0}]}}}
    ]);
    let extra = json!({"flow": flow, "actions": {}, "cards": {"ant": {}, "bee": {}, "cow": {}}});
    for kind in ["ant", "bee", "cow"] {
        holds(
            extra.clone(),
            json!({"given": {"zones": {"table": [["ant", "bee", "cow"]]}}, "chance": [{"lot": [kind]}],
                   "script": [{"elapse": true}], "then": {"zones": {"hand": [[kind], []]}}}),
        );
    }
}

#[test]
fn luck_that_nobody_wrote_fails() {
    let shuffle = json!({"shuffle": "deck", "seat": 0, "top": ["dog"]});
    let roll = json!([{"seat": 0, "act": "roll"}]);
    let cases: Vec<(Value, Value, &str, &str)> = vec![
        (json!([]), json!([]), "/chance", "luck that is not scripted: {\"seat\":0,\"shuffle\":\"deck\"}"),
        (json!([shuffle]), roll.clone(), "/chance", "luck that is not scripted: a roll of 6 sides"),
        (json!([shuffle, {"roll": 1}]), json!([]), "/chance/1", "1 lines of luck are left over"),
        (json!([{"roll": 1}]), json!([]), "/chance/0", "another draw comes here"),
        (json!([shuffle, {"roll": 6}]), roll, "/chance/1", "6 is not on a die of 6 sides, 0 to 5"),
        (json!([{"shuffle": "deck", "seat": 1}]), json!([]), "/chance/0", "another zone is shuffled here"),
        (
            json!([{"shuffle": "deck", "seat": 0, "top": ["ant", "ant"]}]),
            json!([]),
            "/chance/0",
            "there is no ant in deck to put on top",
        ),
        (
            json!([{"shuffle": "deck", "seat": 0, "order": ["ant"]}]),
            json!([]),
            "/chance/0",
            "names all cards of deck: 3 are missing",
        ),
        (json!([{"shuffle": "dekc", "seat": 0}]), json!([]), "/chance/0/shuffle", "did you mean 'deck'?"),
        (
            json!([{"shuffle": "deck", "seat": 0, "top": ["cat"]}]),
            json!([]),
            "/chance/0/top/0",
            "there is no card 'cat'",
        ),
        (json!([{"shuffle": "deck"}]), json!([]), "/chance/0", "`seat` says whose"),
        (json!([{"flip": 1}]), json!([]), "/chance/0/flip", "there is no field 'flip'"),
    ];
    for (chance, script, pointer, what) in cases {
        let failure = fails(&rng(), &json!({"name": "x", "chance": chance, "script": script}));
        assert_eq!(failure.pointer, pointer, "{chance}: {failure}");
        assert!(failure.to_string().contains(what), "{chance}: {failure}");
    }
}

#[test]
fn what_is_left_open_or_left_over_fails() {
    let flow =
        json!([{"ask": {"id": "q", "who": {"seat": 1}, "confirm": true, "as": "a", "prompt": "Well?"}}]);
    let asks = json!({"flow": flow, "actions": {}});
    let failure = fails(&asks, &json!({"script": []}));
    assert_eq!(
        (failure.pointer.as_str(), failure.what.contains("seat 1 is asked 'Well?'")),
        ("/script", true),
        "{failure}"
    );
    holds(asks.clone(), json!({"script": [], "then": {"asked": 1}}));
    holds(asks.clone(), json!({"script": [], "then": {"asked": {"seat": 1, "ask": "q"}}}));
    holds(asks.clone(), json!({"script": [], "strict": false}));
    let failure = fails(&asks, &json!({"script": [{"seat": 1, "say": "yes"}, {"seat": 1, "say": "yes"}]}));
    assert_eq!(
        (failure.pointer.as_str(), failure.what.as_str()),
        ("/script/1", "the match is over: this line is left over")
    );
    let failure = fails(&asks, &json!({"script": [{"seat": 0, "say": "yes"}]}));
    assert!(
        failure.got.as_deref().is_some_and(|got| got.contains("seat 0 is not asked; [1] are")),
        "{failure}"
    );
}

#[test]
fn a_failure_says_what_was_expected_what_came_and_where() {
    let press = json!({"seat": 0, "act": "press"});
    let line = |extra: Value| {
        let mut line = press.clone();
        line.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({"name": "t", "script": [line]})
    };
    let cases: Vec<(Value, &str, &str, Option<&str>)> = vec![
        (
            line(json!({"events": ["Press pending", "Pong"]})),
            "/script/0/events/1",
            "another event happened",
            Some("\"Pong\""),
        ),
        (
            line(json!({"events": ["Press pending"]})),
            "/script/0/events",
            "events that nobody expects",
            Some("[]"),
        ),
        (
            line(json!({"events": ["Press pending", "Ping", "Press applied", "Ping"]})),
            "/script/0/events/3",
            "nothing more happened",
            Some("\"Ping\""),
        ),
        (line(json!({"refused": "no"})), "/script/0", "it was taken, and should have been refused", None),
        (line(json!({"evnets": []})), "/script/0/evnets", "did you mean 'events'?", None),
        (json!({"script": [{"seat": 0}]}), "/script/0", "the line does nothing", None),
        (
            json!({"script": [{"seat": 0, "act": "press", "say": "Pass"}]}),
            "/script/0",
            "several things: act, say",
            None,
        ),
        (json!({"script": [{"seat": 7, "act": "press"}]}), "/script/0/seat", "there is no such seat", None),
        (json!({"script": [{"seat": 0, "act": "prss"}]}), "/script/0/act", "did you mean 'press'?", None),
        (
            json!({"script": [{"seat": 0, "act": "prss", "refused": "Invalid"}]}),
            "/script/0/refused",
            "for another reason",
            Some("\"Invalid\""),
        ),
        (json!({"then": {"vars": {"n": 3}}}), "/then/vars/n", "n is another", Some("3")),
        (json!({"then": {"vars": {"m": 3}}}), "/then/vars/m", "there is no variable 'm'", None),
        (json!({"then": {"var": {}}}), "/then/var", "did you mean 'vars'?", None),
        (
            json!({"then": {"zones": {"table": [["stone"], []]}}}),
            "/then/zones/table",
            "other cards lie in table",
            Some("[[\"stone\"],[]]"),
        ),
        (json!({"then": {"over": true}}), "/then/over", "whether the match is over", Some("true")),
        (json!({"then": {"asked": 1}}), "/then/asked", "somebody else is asked", Some("1")),
        (
            json!({"then": {"cards": {"stone": {"size": 2}}}}),
            "/then/cards/stone",
            "there is no stone in the match",
            None,
        ),
        (
            json!({"given": {"zones": {"table": [["ston"]]}}}),
            "/given/zones/table/0/0",
            "did you mean 'stone'?",
            None,
        ),
        (
            json!({"given": {"zones": {"table": [[], [], []]}}}),
            "/given/zones/table",
            "3 entries for 2 seats",
            None,
        ),
        (json!({"given": {"vars": {"n": "many"}}}), "/given/vars/n", "is no value that can stand here", None),
        (json!({"given": {"step": "mian"}}), "/given/step", "did you mean 'main'?", None),
        (json!({"settings": {"x": 1}}), "/settings", "there is no setting x", None),
        (json!({"seats": 9}), "/seats", "9 cannot play this", None),
        (json!({"scirpt": []}), "/scirpt", "did you mean 'script'?", None),
    ];
    for (test, pointer, what, expected) in cases {
        let failure = fails(&json!({}), &test);
        assert_eq!(failure.pointer, pointer, "{test}: {failure}");
        assert!(failure.what.contains(what), "{test}: {failure}");
        assert_eq!(failure.expected.as_deref(), expected, "{test}: {failure}");
        assert!(failure.got.is_some() || failure.expected.is_none(), "{test}: {failure}");
    }
}

#[test]
fn an_invariant_that_does_not_hold_fails_a_scenario_unless_it_is_expected() {
    let unsound = json!({"invariants": [{"==": [{"var": "n"}, 0]}], "actions": {"press": {"timing": "instant", "do": [{"set": {"var": "n", "to": 1}}]}}});
    let press = json!({"seat": 0, "act": "press"});
    let failure = fails(&unsound, &json!({"script": [press]}));
    assert_eq!(failure.what, "the match stands still: invariant 0 does not hold: n is 0 (now n is 1)");
    holds(unsound.clone(), json!({"script": [press], "then": {"broken": 0}}));
    let failure = fails(&unsound, &json!({"script": [press, press]}));
    assert_eq!(failure.pointer, "/script/1");
}

#[test]
fn what_was_said_and_is_not_there_is_answered_with_what_is() {
    let flow = json!([{"ask": {"id": "q", "who": {"seat": 0}, "as": "q", "modes": ["left", "right"]}}]);
    let extra = json!({"flow": flow, "actions": {}});
    let failure = fails(&extra, &json!({"script": [{"seat": 0, "say": "up"}]}));
    assert!(failure.to_string().contains("; there is: left, right"), "{failure}");
}

#[test]
fn an_event_is_known_by_the_type_of_its_cause() {
    // cites 001-12
    let extra = json!({"rules": [{"id": "r", "on": {"event": "Ping"}, "do": [{"emit": {"event": "Pong"}}]}]});
    let with = |cause: Value| {
        json!({"script": [{"seat": 0, "act": "press", "events": [
            {"type": "Press", "status": "pending", "causedBy": null}, {"type": "Ping", "causedBy": "Press"}, "Press applied",
            {"type": "Pong", "causedBy": cause}]}]})
    };
    holds(extra.clone(), with(json!("Ping")));
    let failure = fails(&extra, &with(json!("Press")));
    assert!(failure.to_string().contains("another event happened"), "{failure}");
}
