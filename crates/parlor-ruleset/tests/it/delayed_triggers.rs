//! Triggers that wait, that look at a state, that look twice, and what is known of those who left.

use serde_json::{Value, json};

use super::rules::{holds, note};

fn button(code: Value) -> Value {
    json!({"press": {"timing": "instant", "do": code}, "call": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 4}}}]}})
}

fn script(names: &[&str]) -> Value {
    names
        .iter()
        .flat_map(|name| match *name {
            "turn" => vec![json!({"pass": true})],
            name => vec![json!({"act": name})],
        })
        .collect()
}

/// Plays actions of whoever is asked; `turn` is a pass of both.
fn plays(extra: Value, given: Value, names: &[&str], then: Value) {
    let mut seat = 0;
    let mut lines = Vec::new();
    for line in script(names).as_array().expect("a list") {
        if line.get("pass").is_some() {
            lines.push(json!({"seat": seat, "say": "Pass"}));
            lines.push(json!({"seat": 1 - seat, "say": "Pass"}));
            seat = 1 - seat;
        } else {
            lines.push(json!({"seat": seat, "act": line["act"]}));
        }
    }
    let mut extra = extra;
    extra["turnStructure"] = json!({"maxTurns": 20, "phases": [{"id": "main", "steps": [{"id": "main"}]}]});
    holds(extra, json!({"name": format!("{names:?}"), "given": given, "script": lines, "then": then}));
}

#[test]
fn a_delayed_trigger_waits_for_its_event_with_the_names_of_its_place() {
    // cites 001-3, 001-13
    let later = |more: Value| {
        let mut later = json!({"on": {"event": "Ping", "where": {">": [{"ev": "n"}, "least"]}}, "do": [{"add": {"var": "n", "by": {"+": [{"ev": "n"}, {"*": ["kept", 10]}]}}}]});
        for (name, value) in more.as_object().expect("an object") {
            later[name] = value.clone();
        }
        json!({"actions": button(json!([{"let": {"as": "least", "to": 3}}, {"let": {"as": "kept", "to": {"turnNumber": true}}}, {"later": later}, {"let": {"as": "kept", "to": 99}}]))})
    };
    let none = || json!({});
    // Once, with the locals as they were: 4 + 10 * 1.
    plays(later(none()), none(), &["press", "call", "call"], json!({"vars": {"n": 14}}));
    plays(later(none()), none(), &["call", "press", "turn", "call"], json!({"vars": {"n": 14}}));
    // As often as it comes, until it is over.
    plays(
        later(json!({"once": false, "until": "turnEnd"})),
        none(),
        &["press", "call", "call", "turn", "call"],
        json!({"vars": {"n": 28}}),
    );
    plays(later(json!({"until": "turnEnd"})), none(), &["press", "turn", "call"], json!({"vars": {"n": 0}}));
    plays(
        later(json!({"once": false, "until": {"rounds": 1}})),
        none(),
        &["press", "turn", "call", "turn", "call", "turn", "turn", "call"],
        json!({"vars": {"n": 28}}),
    );
}

#[test]
fn what_a_failed_item_left_to_wait_is_taken_back() {
    // cites 001/R11
    let code =
        json!([{"later": {"on": {"event": "Ping"}, "do": [note(1)]}}, {"pay": {"var": "n", "amount": 5}}]);
    plays(json!({"actions": button(code)}), json!({}), &["press", "call"], json!({"vars": {"log": 0}}));
}

#[test]
fn a_state_trigger_triggers_when_its_state_begins_and_again_only_after_it_ended() {
    // cites 001-13
    let rules = json!([{"id": "high", "state": {">": [{"var": "n"}, 2]}, "do": [note(1)]}]);
    let set = |to: i64| json!({"timing": "instant", "do": [{"set": {"var": "n", "to": to}}]});
    let extra = || json!({"rules": rules, "actions": {"high": set(3), "low": set(0), "more": set(9)}});
    plays(extra(), json!({}), &["low", "high"], json!({"vars": {"log": 1}}));
    plays(extra(), json!({}), &["high", "more", "more"], json!({"vars": {"log": 1}}));
    plays(extra(), json!({}), &["high", "low", "more"], json!({"vars": {"log": 11}}));
    // Of a card: for each that lies where it works.
    let cards =
        json!({"stone": {"triggers": [{"id": "s", "state": {">": [{"var": "n"}, 2]}, "do": [note(2)]}]}});
    let extra = json!({"cards": cards, "actions": {"high": set(3)}});
    plays(
        extra,
        json!({"zones": {"table": [["stone"], ["stone"]], "hand": [["stone"]]}}),
        &["high"],
        json!({"vars": {"log": 22}}),
    );
}

#[test]
fn an_intervening_if_is_looked_at_again_when_it_resolves() {
    // cites 001-3
    let rules = |still: bool| {
        let mut second = json!({"id": "b", "on": {"event": "Ping"}, "do": [note(2)]});
        if still {
            second["if"] = json!({"==": [{"var": "n"}, 0]});
        }
        json!([{"id": "a", "on": {"event": "Ping"}, "do": [note(1), {"set": {"var": "n", "to": 7}}]}, second])
    };
    let ping = json!({"call": {"timing": "instant", "do": [{"emit": {"event": "Ping"}}]}});
    plays(
        json!({"rules": rules(false), "actions": ping}),
        json!({}),
        &["call"],
        json!({"vars": {"log": 12}}),
    );
    plays(json!({"rules": rules(true), "actions": ping}), json!({}), &["call"], json!({"vars": {"log": 1}}));
}

#[test]
fn what_left_is_known_as_it_was() {
    // cites 001-18, 001/R18
    let cards = json!({
        "stone": {},
        "crypt": {"triggers": [{"id": "mourn", "on": {"event": "ZoneMoved", "where": {"==": [{"ev": "from"}, "table"]}},
            "do": [{"set": {"var": "n", "to": {"was": [{"ev": "card"}, "size"]}}}, {"set": {"var": "log", "to": {"attr": [{"ev": "card"}, "size"]}}}]}]}
    });
    let stone = json!({"first": {"zones": ["table"], "of": "you", "where": {"isCard": ["it", "stone"]}}});
    let code = json!([
        {"let": {"as": "c", "to": stone}},
        {"apply": {"to": "c", "modify": {"size": 6}}},
        {"batch": [
            {"move": {"what": "c", "to": {"zone": ["hand", "you"]}}},
            // Back, and away once more: what the first event found stays with it.
            {"move": {"what": "c", "to": {"zone": ["hand", "you"]}}}
        ]}
    ]);
    let given = json!({"zones": {"table": [["stone", "crypt"]]}});
    plays(
        json!({"cards": cards, "actions": button(code)}),
        given,
        &["press"],
        json!({"vars": {"n": 7, "log": 1}}),
    );
}

#[test]
fn each_reaction_has_its_own_event_and_what_it_knew_of_it() {
    // cites 001/R18
    let cards = json!({
        "stone": {},
        "crypt": {"triggers": [{"id": "mourn", "on": {"event": "ZoneMoved", "where": {"==": [{"ev": "from"}, "table"]}},
            "do": [{"set": {"var": "log", "to": {"+": [{"*": [{"var": "log"}, 10]}, {"was": [{"ev": "card"}, "size"]}]}}}]}]}
    });
    let code = json!([
        {"let": {"as": "c", "to": {"first": {"zones": ["table"], "of": "you", "where": {"isCard": ["it", "stone"]}}}}},
        {"batch": [
            {"apply": {"to": "c", "modify": {"size": 1}}},
            {"move": {"what": "c", "to": {"zone": ["hand", "you"]}}},
            {"move": {"what": "c", "to": {"zone": ["table", "you"]}}},
            {"apply": {"to": "c", "modify": {"size": 4}}},
            {"move": {"what": "c", "to": {"zone": ["hand", "you"]}}}
        ]}
    ]);
    let given = json!({"zones": {"table": [["stone", "crypt"]]}});
    plays(json!({"cards": cards, "actions": button(code)}), given, &["press"], json!({"vars": {"log": 25}}));
}
