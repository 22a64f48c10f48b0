//! Replacements that somebody chooses, that put something else in an event's place, and what cannot happen at all.

use serde_json::{Value, json};

use super::rules::{holds, note};

fn ping(replaces: &Value, more: &Value) -> Value {
    let mut extra = json!({
        "events": {"Ping": {"n": "int", "who": "seat", "do": [{"set": {"var": "n", "to": {"ev": "n"}}}]}, "Pong": {"n": "int"}},
        "actions": {"press": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 5, "who": "opponent"}}}, note(1)]}},
        "replaces": replaces
    });
    for (name, value) in more.as_object().expect("an object") {
        extra[name] = value.clone();
    }
    extra
}

#[test]
fn an_optional_replacement_is_the_affected_controller_s_choice() {
    // cites 001-18, 001-5
    let replaces = json!([{"id": "half", "event": "Ping", "optional": true, "prompt": "Halve it?", "do": [{"modifyEvent": {"n": 2}}]}]);
    let extra = ping(&replaces, &json!({"actionMs": 1000}));
    for (line, n) in [
        (json!({"seat": 1, "say": "yes", "events": ["Ping", "Press applied"]}), 2),
        (json!({"seat": 1, "say": "no", "events": ["Ping", "Press applied"]}), 5),
        // Whoever says nothing has not said yes.
        (json!({"elapse": true, "events": ["Ping", "Press applied"]}), 5),
    ] {
        let press = json!({"seat": 0, "act": "press", "events": ["Press pending"]});
        holds(
            extra.clone(),
            json!({"name": line.to_string(), "script": [press, line], "then": {"asked": 0, "vars": {"n": n, "log": 1}}}),
        );
    }
}

#[test]
fn the_chooser_may_be_somebody_else() {
    let replaces = json!([{"id": "half", "event": "Ping", "optional": true, "chooser": {"opponentOf": {"ev": "who"}}, "do": [{"modifyEvent": {"n": 2}}]}]);
    let script = json!([{"seat": 0, "act": "press"}, {"seat": 1, "say": "yes", "refused": "not asked"}, {"seat": 0, "say": "yes"}]);
    holds(ping(&replaces, &json!({})), json!({"script": script, "then": {"vars": {"n": 2}}}));
}

#[test]
fn what_was_drawn_before_a_choice_is_drawn_no_second_time() {
    // cites 001-6, 001/R14
    let replaces = json!([{"id": "keep", "event": "Ping", "optional": true, "do": [{"modifyEvent": {"n": {"+": [{"ev": "n"}, 1000]}}}]}]);
    let roll = json!([{"emit": {"event": "Pong"}}]);
    let extra = json!({
        "events": {
            "Ping": {"n": "int", "do": [{"set": {"var": "n", "to": {"ev": "n"}}}]},
            "Pong": {"n": "int", "do": [{"roll": {"sides": 1000, "as": "r"}}, {"set": {"var": "log", "to": "r"}}, {"emit": {"event": "Ping", "payload": {"n": "r"}}}]}
        },
        "actions": {"press": {"timing": "instant", "do": roll}}, "replaces": replaces,
        "invariants": [{"or": [{"==": [{"var": "n"}, 0]}, {"==": [{"var": "n"}, {"+": [{"var": "log"}, 1000]}]}]}]
    });
    // The roll stands in `log`; the event carries the same number, whatever was asked in between.
    holds(
        extra.clone(),
        json!({"script": [{"seat": 0, "act": "press"}, {"seat": 0, "say": "yes"}], "then": {"over": false}}),
    );
    let p = super::rules::program(extra);
    let mut rng = parlor_core::Rng::fast(3);
    let config = parlor_ruleset::internals::settings(&p, &parlor_core::Json::Null).expect("good");
    let mut table = parlor_ruleset::RulesetGame::start(
        p,
        config,
        2,
        &mut rng,
        &mut parlor_ruleset::internals::Sink::silent(),
    );
    use parlor_ruleset::internals::SeatInput;
    let seat = parlor_core::Seat::new(0);
    table.say(
        seat,
        false,
        SeatInput::Act(parlor_ruleset::internals::ActionId(0), Vec::new()),
        &mut rng,
        &mut parlor_ruleset::internals::Sink::silent(),
    );
    let drawn = table.inside().redo.drawn.clone();
    assert_eq!(drawn.len(), 1, "the operation waits with what was drawn for it");
    assert_eq!(table.inside().board.vars[..2], [0, 0], "and nothing of it has happened yet");
    table.say(
        seat,
        false,
        SeatInput::Picks(vec![1]),
        &mut rng,
        &mut parlor_ruleset::internals::Sink::silent(),
    );
    let roll = i64::from(drawn[0]);
    assert_eq!(table.inside().board.vars[..2], [roll, roll + 1000], "log, then n");
    assert!(table.inside().redo.drawn.is_empty() && table.inside().redo.answers.is_empty());
}

#[test]
fn of_several_replacements_the_affected_controller_says_which_comes_first() {
    // cites 001-18
    let replaces = json!([
        {"id": "double", "event": "Ping", "do": [{"modifyEvent": {"n": {"*": [{"ev": "n"}, 2]}}}]},
        {"id": "less", "event": "Ping", "do": [{"modifyEvent": {"n": {"-": [{"ev": "n"}, 1]}}}]}
    ]);
    // Without the policy the order is that of the rules: double, then less.
    holds(
        ping(&replaces, &json!({})),
        json!({"script": [{"seat": 0, "act": "press"}], "then": {"vars": {"n": 9}}}),
    );
    let extra = ping(&replaces, &json!({"replaceOrder": "affectedChooses", "actionMs": 500}));
    for (line, n) in [
        (json!({"seat": 1, "say": {"title": "less", "id": "r1"}}), 8),
        (json!({"seat": 1, "say": {"title": "double", "id": "r0"}}), 9),
        (json!({"elapse": true}), 9),
    ] {
        holds(
            extra.clone(),
            json!({"script": [{"seat": 0, "act": "press"}, line], "then": {"asked": 0, "vars": {"n": n}}}),
        );
    }
}

#[test]
fn something_else_happens_instead() {
    // cites 001-18
    let replaces = json!([{"id": "other", "event": "Ping", "instead": [{"emit": {"event": "Pong", "payload": {"n": {"ev": "n"}}}}, note(7)]}]);
    let press = json!({"seat": 0, "act": "press", "events": ["Press pending", "Pong", "Press applied"]});
    holds(ping(&replaces, &json!({})), json!({"script": [press], "then": {"vars": {"n": 0, "log": 71}}}));
}

#[test]
fn a_pushed_event_is_replaced_when_it_resolves() {
    let actions = json!({"press": {"timing": "instant", "do": [{"push": {"event": "Ping", "payload": {"n": 5, "who": "you"}}}]}});
    let less = json!([{"id": "less", "event": "Ping", "do": [{"modifyEvent": {"n": 3}}]}]);
    let press = |events: Value| json!([{"seat": 0, "act": "press", "events": events}]);
    let told = json!(["Press pending", "Ping pending", "Press applied", {"type": "Ping", "status": "applied", "payload": {"n": 3}}]);
    holds(
        ping(&less, &json!({"actions": actions})),
        json!({"script": press(told), "then": {"vars": {"n": 3}}}),
    );
    let no = json!([{"id": "no", "event": "Ping", "do": [{"prevent": true}]}]);
    let told = json!(["Press pending", "Ping pending", "Press applied", "Ping prevented", "EventPrevented"]);
    holds(
        ping(&no, &json!({"actions": actions})),
        json!({"script": press(told), "then": {"vars": {"n": 0}}}),
    );
}

#[test]
fn what_cannot_happen_is_prevented_or_not_even_offered() {
    // cites 001-16, 001-30
    let cannot = json!([{"id": "never", "event": "Ping", "where": {">": [{"ev": "n"}, 4]}}]);
    // Also what a replacement would make of it is looked at.
    let replaces =
        json!([{"id": "more", "event": "Ping", "do": [{"modifyEvent": {"n": {"+": [{"ev": "n"}, 3]}}}]}]);
    let extra = ping(
        &replaces,
        &json!({"cannot": cannot, "actions": {
            "small": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 1}}}]},
            "big": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 2}}}]}
        }}),
    );
    let script = json!([
        {"seat": 0, "act": "small", "events": ["Small pending", "Ping", "Small applied"]},
        {"seat": 0, "act": "big", "events": ["Big pending", "Ping prevented", "EventPrevented", "Big applied"]}
    ]);
    holds(extra, json!({"script": script, "then": {"vars": {"n": 4}}}));
    let attack = json!({"timing": "instant", "targets": [{"id": "t", "from": {"zones": ["table"], "of": "opponent"}}], "do": [{"add": {"var": "n", "by": 1}}]});
    let guard = json!({"cannot": [{"id": "guard", "event": "Attack", "where": {"and": [{"==": [{"controller": {"ev": "t"}}, {"controller": "self"}]}, {"!=": [{"ev": "t"}, "self"]}]}}]});
    holds(
        json!({"actions": {"attack": attack}, "cards": {"stone": {}, "wall": guard}}),
        json!({"given": {"zones": {"table": [[], ["stone", "wall"]]}}, "script": [
            {"seat": 0, "act": "attack", "targets": {"t": "stone"}, "refused": "no legal target"},
            {"seat": 0, "act": "attack", "targets": {"t": "wall"}}
        ], "then": {"vars": {"n": 1}}}),
    );
}

#[test]
fn what_could_replace_when_a_batch_began_can_replace_all_of_it() {
    // cites 001-18
    let gone =
        json!({"move": {"what": {"ev": "target"}, "to": {"zone": ["hand", {"owner": {"ev": "target"}}]}}});
    let saves = json!({"id": "save", "event": "Hit", "zone": ["table"], "where": {"!=": [{"ev": "target"}, "self"]}, "instead": [{"add": {"var": "n", "by": 1}}]});
    let hit = json!({"emit": {"event": "Hit", "each": {"target": {"zones": ["table"], "of": "all"}}, "payload": {"n": 1}}});
    let game = |code: Value| {
        json!({
            "events": {"Hit": {"target": "entity", "n": "int", "do": [gone]}},
            "cards": {"priest": {"replaces": [saves]}, "ogre": {}},
            "actions": {"press": {"timing": "instant", "do": code}}
        })
    };
    let after = |table: Value, n: i64| json!({"vars": {"n": n}, "zones": {"table": table}});
    for (mine, his) in [("priest", "ogre"), ("ogre", "priest")] {
        let given = json!({"zones": {"table": [[mine], [his]]}});
        let left = if mine == "ogre" { json!([["ogre"], []]) } else { json!([[], ["ogre"]]) };
        let test = json!({"name": mine, "given": given, "script": [{"seat": 0, "act": "press"}], "then": after(left, 1)});
        holds(game(json!([{"batch": [hit]}])), test);
    }
    // Two that are there save each other; outside of a batch the first one is gone when the second is hit, and after the
    // batch it is gone too.
    let two = json!({"zones": {"table": [["priest", "ogre"], []]}});
    holds(
        game(json!([hit])),
        json!({"given": two, "script": [{"seat": 0, "act": "press"}], "then": after(json!([[], []]), 0)}),
    );
    holds(
        game(json!([{"batch": [hit]}, hit])),
        json!({"given": two, "script": [{"seat": 0, "act": "press"}], "then": after(json!([[], []]), 1)}),
    );
}
