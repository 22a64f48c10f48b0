//! What the machine does, one rule at a time, in small rulesets.

use serde_json::{Value, json};

pub(crate) use crate::harness::{holds, program};

/// Adds a digit to the log: the order in which things happened can be read from it.
pub(crate) fn note(digit: i64) -> Value {
    json!({"set": {"var": "log", "to": {"+": [{"*": [{"var": "log"}, 10]}, digit]}}})
}

#[test]
fn a_reaction_before_an_event_resolves_first_and_may_change_it() {
    // cites 001/R2, 001/R18, 001-3, 001-17, 001-18
    holds(
        json!({
            "actions": {"press": {"timing": "instant", "do": [{"push": {"event": "Ping", "payload": {"n": 5}}}]}},
            "events": {"Ping": {"n": "int", "do": [{"set": {"var": "n", "to": {"ev": "n"}}}, note(2)]}},
            "rules": [
                {"id": "less", "when": {"eventType": "Ping", "moment": "before"}, "effects": [note(1), {"modifyEvent": {"n": {"-": [{"ev": "n"}, 2]}}}]},
                {"id": "after", "when": {"eventType": "Ping"}, "effects": [note(3)]},
                // Found only after the change: the event is looked at again.
                {"id": "small", "when": {"eventType": "Ping", "moment": "before"}, "conditions": [{"<": [{"ev": "n"}, 4]}], "effects": [note(9)]}
            ]
        }),
        json!({"script": [{"seat": 0, "act": "press", "events": ["Press pending", "Ping pending", "Press applied", "Ping applied"]}],
               "then": {"vars": {"n": 3, "log": 1923}}}),
    );
}

#[test]
fn a_reaction_before_an_event_may_prevent_it() {
    // cites 001/R9, 001-21
    holds(
        json!({
            "actions": {"press": {"timing": "instant", "do": [{"push": {"event": "Ping", "payload": {"n": 5}}}]}},
            "events": {"Ping": {"n": "int", "do": [{"set": {"var": "n", "to": 7}}]}},
            "rules": [{"id": "no", "when": {"eventType": "Ping", "moment": "before"}, "effects": [{"prevent": true}]}]
        }),
        json!({"script": [{"seat": 0, "act": "press", "events": ["Press pending", "Ping pending", "Press applied", "Ping prevented", "EventPrevented"]}],
               "then": {"vars": {"n": 0}}}),
    );
}

#[test]
fn reactions_resolve_by_distance_from_the_active_player_then_rule_then_source() {
    // cites 001/R3, 001-13
    let card = |digit: i64, id: &str| json!({"triggers": [{"id": id, "on": {"event": "Ping"}, "do": [note(digit)]}]});
    let extra = |order: &str| {
        json!({
            "cards": {"late": card(1, "z"), "early": card(2, "a"), "far": card(3, "a")},
            "triggerOrder": order
        })
    };
    let given = json!({"zones": {"table": [["late", "early"], ["far"]]}});
    let script = json!([{"seat": 0, "act": "press"}]);
    holds(extra("active"), json!({"given": given, "script": script, "then": {"vars": {"log": 213}}}));
    // Magic's order: the active player's are put on the stack first and so resolve last.
    holds(extra("apnap"), json!({"given": given, "script": script, "then": {"vars": {"log": 321}}}));
}

#[test]
fn inside_one_source_declaration_order_holds() {
    // cites 001/R3, 001-13
    holds(
        json!({"cards": {"stone": {"triggers": [
            {"id": "z", "on": {"event": "Ping"}, "do": [note(1)]}, {"id": "a", "on": {"event": "Ping"}, "do": [note(2)]}]}}}),
        json!({"given": {"zones": {"table": [["stone"]]}}, "script": [{"seat": 0, "act": "press"}], "then": {"vars": {"log": 12}}}),
    );
}

#[test]
fn limiters_count_by_rule_source_and_scope() {
    // cites 001-19
    let count = json!([{"add": {"var": "n", "by": 1}}]);
    let twice = json!([{"emit": {"event": "Ping"}}, {"emit": {"event": "Ping"}}]);
    for (limit, after) in [
        (json!({"oncePerTurn": true}), 2),
        (json!({"oncePerSource": true}), 2),
        (json!({"maxPerEvent": 1}), 4),
        (json!({"limit": {"oncePer": "game"}}), 1),
        (json!({"limit": {"maxPer": "turn", "n": 3}}), 6),
    ] {
        let mut trigger = json!({"id": "t", "on": {"event": "Ping"}, "do": count});
        for (name, value) in limit.as_object().expect("an object") {
            trigger[name] = value.clone();
        }
        holds(
            json!({"cards": {"stone": {"triggers": [trigger]}}, "actions": {"press": {"timing": "instant", "do": twice}}}),
            json!({"name": limit.to_string(), "given": {"zones": {"table": [["stone", "stone"]]}},
                   "script": [{"seat": 0, "act": "press"}, {"seat": 0, "act": "press"}], "then": {"vars": {"n": after}}}),
        );
    }
}

#[test]
fn a_replacement_is_synchronous_applies_once_and_is_looked_for_again() {
    // cites 001-18, 001/R18
    holds(
        json!({
            "events": {"Ping": {"n": "int", "do": [{"set": {"var": "n", "to": {"ev": "n"}}}]}},
            "replaces": [
                {"id": "double", "event": "Ping", "do": [{"modifyEvent": {"n": {"*": [{"ev": "n"}, 2]}}}]},
                {"id": "cap", "event": "Ping", "where": {">": [{"ev": "n"}, 8]}, "do": [{"modifyEvent": {"n": 8}}]}
            ]
        }),
        json!({"script": [{"seat": 0, "act": "press"}], "then": {"vars": {"n": 8}}}),
    );
}

#[test]
fn an_atomic_group_stands_or_falls_together() {
    // cites 001/R9
    let group = json!([{"atomic": [
        {"add": {"var": "n", "by": 1}},
        {"emit": {"event": "Hit", "each": {"target": {"zones": ["table"], "of": "each"}}, "payload": {"n": 1}}}
    ]}]);
    let events = json!({"Hit": {"target": "entity", "n": "int", "do": [{"setAttr": {"of": {"ev": "target"}, "attr": "size", "to": 9}}]}});
    let cards = |shield: bool| {
        let replaces = if shield {
            json!([{"id": "no", "event": "Hit", "where": {"==": [{"ev": "target"}, "self"]}, "do": [{"prevent": true}]}])
        } else {
            json!([])
        };
        json!({"stone": {}, "wall": {"replaces": replaces}})
    };
    for (shield, n, size) in [(false, 1, 9), (true, 0, 1)] {
        holds(
            json!({"events": events, "cards": cards(shield), "actions": {"press": {"timing": "instant", "do": group}}}),
            json!({"given": {"zones": {"table": [["stone", "wall"]]}}, "script": [{"seat": 0, "act": "press"}],
                   "then": {"vars": {"n": n}, "cards": {"stone": {"size": size}}}}),
        );
    }
}

#[test]
fn an_opponent_is_anybody_but_oneself() {
    // cites 001/R10
    let hit = json!({"timing": "instant", "targets": [{"id": "t", "from": {"zones": ["table"], "of": "opponent"}}], "do": [{"add": {"var": "n", "by": 1}}]});
    let next = json!({"timing": "instant", "targets": [{"id": "t", "from": {"zones": ["table"], "of": {"seatOffset": ["you", 1]}}}], "do": [{"add": {"var": "n", "by": 10}}]});
    holds(
        json!({"actions": {"hit": hit, "next": next}, "cards": {"a": {}, "b": {}, "c": {}}}),
        json!({"seats": 3, "given": {"zones": {"table": [["a"], ["b"], ["c"]]}}, "script": [
            {"seat": 0, "act": "hit", "targets": {"t": "a"}, "refused": "no legal target"},
            {"seat": 0, "act": "hit", "targets": {"t": "c"}},
            {"seat": 0, "act": "next", "targets": {"t": "c"}, "refused": "no legal target"},
            {"seat": 0, "act": "next", "targets": {"t": "b"}}
        ], "then": {"vars": {"n": 11}}}),
    );
}

#[test]
fn modifiers_last_as_long_as_they_say() {
    // cites 001-25
    let grow = json!({"timing": "instant", "do": [{"apply": {"to": {"zones": ["table"], "of": "you"}, "modify": {"size": 4}, "until": "turnEnd"}}]});
    holds(
        json!({"actions": {"grow": grow}}),
        json!({"given": {"zones": {"table": [["stone"]]}}, "script": [{"seat": 0, "act": "grow"}], "then": {"cards": {"stone": {"size": 5}}}}),
    );
    let grow = json!({"timing": "instant", "do": [{"apply": {"to": {"zones": ["table"], "of": "you"}, "modify": {"size": 4}, "until": "turnEnd"}}]});
    holds(
        json!({"actions": {"grow": grow}}),
        json!({"given": {"zones": {"table": [["stone"]]}}, "script": [{"seat": 0, "act": "grow"}, {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}],
               "then": {"asked": 1, "cards": {"stone": {"size": 1}}}}),
    );
}

#[test]
fn several_inputs_stand_at_once_and_nobody_sees_an_answer_before_the_last() {
    // cites 001-10, 001-5
    let flow = json!([
        {"ask": {"id": "bid", "who": "all", "mode": "all", "as": "bid", "number": {"min": 1, "max": 9}, "timeout": {"ms": 1000, "default": "first"}}},
        {"set": {"var": "n", "to": {"+": [{"*": [{"answer": ["bid", {"seat": 0}]}, 10]}, {"answer": ["bid", {"seat": 1}]}]}}},
        {"ask": {"id": "more", "who": "all", "mode": "any", "as": "more", "confirm": true}},
        {"ask": {"id": "last", "who": {"seat": 1}, "as": "last", "modes": ["left", "right"]}},
        {"set": {"var": "log", "to": "last"}}
    ]);
    let without = |script: Value, then: Value| {
        holds(
            json!({"flow": flow, "actions": {}, "turnStructure": {"phases": [{"id": "p", "steps": [{"id": "s"}]}]}}),
            json!({"script": script, "then": then}),
        );
    };
    without(
        json!([{"seat": 1, "say": "4"}, {"seat": 1, "say": "5", "refused": "not asked"}, {"seat": 0, "say": "7"}, {"seat": 1, "say": "no"}, {"seat": 1, "say": "right"}]),
        json!({"vars": {"n": 74, "log": 1}, "over": true}),
    );
    // Time runs out on whoever has not answered.
    without(
        json!([{"seat": 0, "say": "7"}, {"elapse": true}, {"seat": 0, "say": "yes"}, {"seat": 1, "say": "left"}]),
        json!({"vars": {"n": 71, "log": 0}}),
    );
}

#[test]
fn a_step_s_beginning_can_be_reacted_to_by_the_document_s_name() {
    // cites 001/R4, 001-15
    holds(
        json!({
            "turnStructure": {"maxTurns": 3, "phases": [{"id": "p", "steps": [{"id": "draw", "mandatory": true}, {"id": "main"}]}], "priorityWindows": [{"phase": "p", "step": "main"}]},
            "rules": [{"id": "d", "when": {"eventType": "DrawStep.Start"}, "effects": [{"add": {"var": "n", "by": 1}}]}]
        }),
        json!({"script": [{"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}], "then": {"asked": 1, "vars": {"n": 2}}}),
    );
}

#[test]
fn triggers_open_a_window_only_where_the_ruleset_says_so() {
    // cites 001/R1
    let rules = json!([{"id": "r", "on": {"event": "Ping"}, "do": [{"add": {"var": "n", "by": 1}}]}]);
    holds(
        json!({"rules": rules}),
        json!({"script": [{"seat": 0, "act": "press"}], "then": {"vars": {"n": 1}}}),
    );
    holds(
        json!({"rules": rules, "respondToTriggers": true}),
        json!({"script": [{"seat": 0, "act": "press", "events": ["Press pending", "Ping", "Press applied"]}],
               "then": {"asked": 0, "stack": ["Ping"], "vars": {"n": 0}}}),
    );
    holds(
        json!({"rules": rules, "respondToTriggers": true}),
        json!({"script": [{"seat": 0, "act": "press"}, {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}],
               "then": {"asked": 0, "stack": [], "vars": {"n": 1}}}),
    );
}

#[test]
fn a_spell_whose_target_is_gone_fails_and_play_goes_on() {
    // cites 001-16
    let shoot = json!({"timing": "stack", "targets": [{"id": "t", "from": {"zones": ["table"], "of": "each"}}], "do": [{"add": {"var": "n", "by": 1}}]});
    let hide = json!({"timing": "instant", "targets": [{"id": "t", "from": {"zones": ["table"], "of": "you"}}], "do": [{"move": {"what": "t", "to": {"zone": ["hand", "you"]}}}]});
    holds(
        json!({"actions": {"shoot": shoot, "hide": hide}}),
        json!({"given": {"zones": {"table": [[], ["stone"]]}}, "script": [
            {"seat": 0, "act": "shoot", "targets": {"t": "stone"}}, {"seat": 0, "say": "Pass"},
            {"seat": 1, "act": "hide", "targets": {"t": "stone"}, "events": ["Hide pending", "ZoneMoved", "Hide applied"]},
            {"seat": 1, "say": "Pass", "events": ["Shoot failed", "Verdict"]}
        ], "then": {"asked": 0, "vars": {"n": 0}}}),
    );
}

#[test]
fn a_position_that_comes_again_and_again_ends_the_match() {
    // cites 001/R11
    holds(
        json!({"limits": {"samePosition": 3}, "turnStructure": {"maxTurns": 500, "phases": [{"id": "main", "steps": [{"id": "main"}]}]}}),
        json!({"script": [
            {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}, {"seat": 1, "say": "Pass"}, {"seat": 0, "say": "Pass"},
            {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}, {"seat": 1, "say": "Pass"}, {"seat": 0, "say": "Pass"}
        ], "then": {"over": true, "winners": []}}),
    );
}

#[test]
fn orders_distributions_and_places_are_answered_in_their_own_forms() {
    // cites 001/R7, 001-5
    let mine = json!({"zones": ["table"], "of": {"seat": 0}});
    let flow = json!([
        {"ask": {"id": "d", "who": {"seat": 0}, "as": "d", "distribute": {"from": mine, "sum": 3}}},
        {"set": {"var": "n", "to": {"+": [{"*": [{"slot": ["d", {"seat": 0}, 0]}, 10]}, {"slot": ["d", {"seat": 0}, 1]}]}}},
        {"ask": {"id": "p", "who": {"seat": 0}, "as": "p", "slots": {"n": 3, "from": mine}}},
        {"if": [{"isNone": {"slot": ["p", {"seat": 0}, 1]}}, [{"set": {"var": "log", "to": 7}}]]},
        {"ask": {"id": "o", "who": {"seat": 0}, "as": "o", "order": mine}},
        {"move": {"what": {"answer": ["o", {"seat": 0}]}, "to": {"zone": ["hand", {"seat": 0}]}}}
    ]);
    holds(
        json!({"flow": flow, "actions": {}, "cards": {"a": {}, "b": {}}}),
        json!({"given": {"zones": {"table": [["a", "b"]]}}, "script": [
            {"seat": 0, "say": [2, 2], "refused": "together they make 3"},
            {"seat": 0, "say": [2, 1]},
            {"seat": 0, "say": ["a", "a", null], "refused": "cards must be from your hand"},
            {"seat": 0, "say": ["b", null], "refused": "exactly 3 entries"},
            {"seat": 0, "say": ["b", null, "a"]},
            {"seat": 0, "say": ["b"], "refused": "expected 2-2"},
            {"seat": 0, "say": ["b", "a"]}
        ], "then": {"vars": {"n": 21, "log": 7}, "zones": {"hand": [["b", "a"], []]}, "over": true}}),
    );
}

#[test]
fn whoever_is_silent_has_not_said_yes() {
    // cites 001-5
    let rules = json!([{"id": "may", "on": {"event": "Ping"}, "optional": true, "do": [{"add": {"var": "n", "by": 1}}]}]);
    let silent = json!({"script": [{"seat": 0, "act": "press"}, {"elapse": true}], "then": {"asked": 0, "vars": {"n": 0}}});
    holds(json!({"rules": rules, "actionMs": 1000}), silent);
    let says = json!({"script": [{"seat": 0, "act": "press"}, {"seat": 0, "say": "yes"}], "then": {"vars": {"n": 1}}});
    holds(json!({"rules": rules, "actionMs": 1000}), says);
}

#[test]
fn what_a_failed_item_did_has_not_happened_and_was_no_use_of_what_is_limited() {
    // cites 001/R11, 001-19
    let ping = json!({"emit": {"event": "Ping", "payload": {"n": 5}}});
    let fails = json!({"timing": "instant", "do": [ping, {"pay": {"var": "log", "amount": 1}}]});
    let extra = json!({
        "events": {"Ping": {"n": "int", "do": [{"set": {"var": "n", "to": {"ev": "n"}}}]}},
        "replaces": [{"id": "once", "event": "Ping", "limit": {"oncePer": "turn"}, "do": [{"modifyEvent": {"n": 8}}]}],
        "actions": {
            "bad": fails,
            "good": {"timing": "instant", "do": [ping, {"set": {"var": "log", "to": {"happened": "Ping"}}}]}
        }
    });
    let bad = json!({"seat": 0, "act": "bad"});
    holds(extra.clone(), json!({"script": [bad], "then": {"vars": {"n": 0, "log": 0}}}));
    let good = json!({"seat": 0, "act": "good"});
    holds(extra, json!({"script": [bad, good], "then": {"vars": {"n": 8, "log": 1}}}));
}
