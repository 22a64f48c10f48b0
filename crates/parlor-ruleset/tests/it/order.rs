//! Whoever controls several reactions puts them into an order, where the ruleset says so.

use serde_json::{Value, json};

use super::rules::{holds, note};

fn cards() -> Value {
    let card = |digit: i64, id: &str| json!({"triggers": [{"id": id, "on": {"event": "Ping"}, "do": [note(digit)]}]});
    json!({"cards": {"one": card(1, "a"), "two": card(2, "b"), "three": card(3, "c"), "far": card(4, "a")},
           "triggerOrder": "controllerChooses", "actionMs": 1000})
}

fn given() -> Value {
    json!({"zones": {"table": [["one", "two", "three"], ["far"]]}})
}

fn option(title: &str, n: usize) -> Value {
    json!({"title": title, "id": format!("r{n}")})
}

#[test]
fn the_controller_says_in_which_order_his_reactions_resolve() {
    // cites 001/R3, 001-5, 001-13
    let order = json!([option("three: c (c3)", 2), option("one: a (c1)", 0), option("two: b (c2)", 1)]);
    // The item is not over before the order is known; about the other player's single reaction nobody is asked.
    let script = json!([
        {"seat": 0, "act": "press", "events": ["Press pending", "Ping"]},
        {"seat": 1, "say": order, "refused": "not asked"},
        {"seat": 0, "say": [option("one: a (c1)", 0)], "refused": "expected 3"},
        {"seat": 0, "say": order, "events": ["Press applied"]}
    ]);
    holds(cards(), json!({"given": given(), "script": script, "then": {"asked": 0, "vars": {"log": 3124}}}));
}

#[test]
fn whoever_says_nothing_or_is_gone_has_the_order_of_the_rules() {
    // cites 001/R3
    let script = json!([{"seat": 0, "act": "press"}, {"elapse": true}]);
    holds(cards(), json!({"given": given(), "script": script, "then": {"asked": 0, "vars": {"log": 1234}}}));
    // A seat that has lost is not asked.
    let mut extra = cards();
    extra["setup"] = json!([{"lose": {"seat": 1}}]);
    extra["actions"] = json!({"press": {"timing": "instant", "do": [{"emit": {"event": "Ping"}}]}});
    let given = json!({"zones": {"table": [["far"], ["one", "two"], []]}});
    let script = json!([{"seat": 0, "act": "press"}]);
    holds(
        extra,
        json!({"seats": 3, "given": given, "script": script, "then": {"asked": 0, "vars": {"log": 412}}}),
    );
}

#[test]
fn reactions_before_an_event_are_ordered_too() {
    // cites 001/R3
    let before = |digit: i64, id: &str| json!({"triggers": [{"id": id, "on": {"event": "Ping", "moment": "before"}, "do": [note(digit)]}]});
    let extra = json!({"cards": {"one": before(1, "a"), "two": before(2, "b")}, "triggerOrder": "controllerChooses",
        "actions": {"press": {"timing": "instant", "do": [{"push": {"event": "Ping"}}]}},
        "events": {"Ping": {"n": "int", "do": [note(9)]}}});
    let script = json!([{"seat": 0, "act": "press"}, {"seat": 0, "say": [option("two: b (c2)", 1), option("one: a (c1)", 0)]}]);
    let given = json!({"zones": {"table": [["one", "two"]]}});
    holds(extra, json!({"given": given, "script": script, "then": {"vars": {"log": 219}}}));
}
