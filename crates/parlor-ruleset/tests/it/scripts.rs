//! Scenarios as their authors write them: names are looked at before anything is played, and what is meant is taken.

use parlor_ruleset::scenario;
use serde_json::{Value, json};

use crate::harness::{fails, holds, program};

fn game() -> Value {
    json!({
        "counters": {"pip": {}},
        "zones": {"table": {"owner": "player", "order": "ordered", "see": "all"}, "bag": {"order": "set", "see": "all"}, "hand": {"owner": "player", "see": "owner"}},
        "cards": {"stone": {}, "leaf": {}},
        "actions": {
            "press": {"timing": "instant", "targets": [{"id": "card", "from": {"zones": ["table"], "of": "you"}}], "do": [{"move": {"what": "card", "to": "bag"}}, {"emit": {"event": "Ping", "payload": {"n": 1}}}]},
            "mark": {"timing": "instant", "targets": [{"id": "card", "from": {"zones": ["table"], "of": "you"}}], "do": [{"addCounter": {"to": "card", "counter": "pip"}}]},
            "spin": {"timing": "instant", "do": [{"loop": {"max": 4000000, "do": [{"add": {"var": "n", "by": 1}}]}}]},
            "guess": {"timing": "instant", "do": [{"ask": {"id": "g", "who": "you", "as": "x", "prompt": "How many?", "number": {"min": 0, "max": 9}}}, {"set": {"var": "n", "to": "x"}}]},
            "both": {"timing": "instant", "do": [{"ask": {"id": "b", "who": "all", "mode": "all", "prompt": "Ready?", "confirm": true}}]},
            "share": {"timing": "instant", "do": [{"ask": {"id": "d", "who": "you", "as": "d", "prompt": "Share", "distribute": {"from": {"zones": ["table"], "of": "you"}, "sum": 3}}}]}
        }
    })
}

#[test]
fn a_misspelt_name_is_found_before_anything_is_played() {
    // cites 001-6
    let p = program(game());
    for (test, pointer, what) in [
        (
            json!({"given": {"zones": {"tabel": []}}}),
            "/given/zones/tabel",
            "there is no zone 'tabel'; did you mean 'table'?",
        ),
        (
            json!({"given": {"zones": {"bag": ["ston"]}}}),
            "/given/zones/bag/0",
            "there is no card 'ston'; did you mean 'stone'?",
        ),
        (json!({"given": {"vars": {"m": 1}}}), "/given/vars/m", "there is no variable 'm'"),
        (
            json!({"given": {"vars": {"n": "one"}}}),
            "/given/vars/n",
            "\"one\" is no value that can stand here",
        ),
        (json!({"given": {"step": "man"}}), "/given/step", "there is no step 'man'"),
        (
            json!({"then": {"zones": {"table": [["stone", "lef"]]}}}),
            "/then/zones/table/0/1",
            "there is no card 'lef'",
        ),
        (json!({"then": {"zones": {"hands": [[]]}}}), "/then/zones/hands", "there is no zone 'hands'"),
        (
            json!({"then": {"cards": {"stone": {"pips": 1}}}}),
            "/then/cards/stone/pips",
            "there is no attribute or counter 'pips'",
        ),
        (json!({"then": {"winer": [0]}}), "/then/winer", "there is no field 'winer'"),
        (
            json!({"script": [{"seat": 0, "act": "pres"}]}),
            "/script/0/act",
            "there is no action 'pres'; did you mean 'press'?",
        ),
        (
            json!({"script": [{"seat": 0, "act": "press", "targets": {"crad": "stone"}}]}),
            "/script/0/targets/crad",
            "there is no field 'crad' here; did you mean 'card'?",
        ),
        (
            json!({"script": [{"seat": 7, "say": "Pass"}]}),
            "/script/0/seat",
            "there is no such seat: 7, and they are 0 to 2",
        ),
        (json!({"chance": [{"shuffle": "bagg"}]}), "/chance/0/shuffle", "there is no zone 'bagg'"),
    ] {
        let text = json!({"tests": [{"name": "good", "given": {"zones": {"bag": ["stone"]}, "vars": {"n": 3}}}, test]}).to_string();
        let found = scenario::findings(&p, &text, None);
        assert_eq!(found.len(), 1, "{test}: {found:#?}");
        assert_eq!(found[0].pointer, format!("/tests/1{pointer}"), "{found:#?}");
        let help = found[0].help.as_ref().map_or(String::new(), |help| format!("; {help}"));
        let said = format!("{}{help}", found[0].message);
        assert!(said.starts_with(what), "{found:#?}");
        assert!(found[0].at > 0, "{found:#?}");
        // It fails where it is played too.
        let failed = fails(&game(), &test);
        assert_eq!((failed.pointer.as_str(), &failed.what), (pointer, &said));
    }
    let several = json!({"tests": [{"given": {"zones": {"tabel": []}, "vars": {"m": 1}}, "script": [{"seat": 0, "act": "pres"}]}]});
    assert_eq!(scenario::findings(&p, &several.to_string(), None).len(), 3, "all of them at once");
}

#[test]
fn a_file_beside_says_whose_scenarios_it_has() {
    let p = program(json!({"id": "mine"}));
    let found = |file: &Value| scenario::findings(&p, &file.to_string(), Some("mine.tests.json"));
    assert_eq!(found(&json!({"ruleset": "mine", "tests": []})), []);
    let other = found(&json!({"ruleset": "yours", "tests": []}));
    assert_eq!(other[0].message, "these are scenarios of yours, and the ruleset is mine");
    assert_eq!(other[0].elsewhere.as_ref().map(|place| place.file.as_str()), Some("mine.tests.json"));
    assert!(found(&json!({"test": []}))[0].message.starts_with("there is no field 'test' here"));
    assert_eq!(found(&json!({"tests": 1}))[0].message, "a list of scenarios is expected here");
}

#[test]
fn numbers_are_said_as_numbers_and_sets_have_no_order() {
    for seven in [json!(7), json!("7"), json!([7])] {
        holds(
            game(),
            json!({"script": [{"seat": 0, "act": "guess"}, {"seat": 0, "say": seven}], "then": {"vars": {"n": 7}}}),
        );
    }
    // A distribution is made of numbers anyway.
    holds(
        game(),
        json!({"given": {"zones": {"table": [["stone", "leaf"]]}}, "script": [{"seat": 0, "act": "share"}, {"seat": 0, "say": [1, 2]}], "then": {}}),
    );
    let laid = json!({"bag": ["stone", "leaf", "stone"], "table": [["stone", "leaf"]]});
    let then = |zones: Value| json!({"given": {"zones": laid}, "then": {"zones": zones}});
    holds(game(), then(json!({"bag": ["leaf", "stone", "stone"]})));
    assert!(
        fails(&game(), &then(json!({"bag": ["leaf", "leaf", "stone"]})))
            .what
            .contains("other cards lie in bag")
    );
    let turned = fails(&game(), &then(json!({"table": [["leaf", "stone"], []]})));
    assert!(turned.what.contains("other cards lie in table"), "an order that means something is compared");
}

#[test]
fn one_of_several_copies_is_taken_where_they_are_the_same_and_named_where_not() {
    let given = json!({"zones": {"table": [["stone", "stone", "leaf"]]}});
    let press = |card: &str| json!({"seat": 0, "act": "press", "targets": {"card": card}});
    holds(
        game(),
        json!({"given": given, "script": [press("stone")], "then": {"zones": {"table": [["stone", "leaf"], []], "bag": ["stone"]}}}),
    );
    let marked = |second: Value| {
        json!({"given": given, "script": [{"seat": 0, "act": "mark", "targets": {"card": "stone"}}, second],
        "then": {"cards": {"stone": {"pip": 1}}, "zones": {"table": [["stone", "leaf"], []]}}})
    };
    let why = fails(&game(), &marked(press("stone")));
    assert!(
        why.got
            .as_deref()
            .unwrap_or("")
            .contains("\"stone\" alone is no legal target: there are 2, and they differ"),
        "{why}"
    );
    holds(game(), marked(press("stone#2")));
    assert!(fails(&game(), &marked(press("stone#3"))).got.is_some());
}

#[test]
fn what_is_asked_is_compared_with_all_who_are_asked_and_named_where_it_is_no_action() {
    let both = |asked: Value| json!({"script": [{"seat": 0, "act": "both"}], "then": {"asked": asked}});
    holds(game(), both(json!([0, 1])));
    holds(game(), both(json!(0)));
    let one = fails(&game(), &both(json!([0])));
    assert_eq!((one.expected.as_deref(), one.got.as_deref()), (Some("[0]"), Some("[0,1]")));
    let act = fails(&game(), &json!({"script": [{"seat": 0, "act": "guess"}, {"seat": 0, "act": "press"}]}));
    assert!(
        act.got
            .as_deref()
            .unwrap_or("")
            .contains("no action is asked of seat 0: 'How many?' is; answer it with `say`"),
        "{act}"
    );
}

#[test]
fn verdicts_are_named() {
    let spin = |verdict: Value| json!({"script": [{"seat": 0, "act": "spin", "events": ["Spin pending", "Spin failed", {"type": "Verdict", "payload": {"verdict": verdict}}]}], "then": {"vars": {"n": 0}}});
    let failed = fails(&game(), &spin(json!(1)));
    let name = failed
        .got
        .as_deref()
        .and_then(|got| serde_json::from_str::<Value>(got).ok())
        .map(|got| got["payload"]["verdict"].clone());
    let name = name.unwrap_or_else(|| panic!("{failed}"));
    assert!(name.is_string(), "{failed}");
    holds(game(), spin(name));
}

#[test]
fn an_invariant_says_what_must_be_and_what_is() {
    let mut extra = game();
    extra["invariants"] = json!([{"<": [{"var": "n"}, 3]}]);
    let why = fails(
        &extra,
        &json!({"script": [{"seat": 0, "act": "guess"}, {"seat": 0, "say": 5}, {"seat": 0, "say": "Pass"}]}),
    );
    assert!(why.what.contains("invariant 0 does not hold: n < 3 (now n is 5)"), "{why}");
}
