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

#[test]
fn a_fan_out_goes_by_the_names_of_things_however_they_were_selected() {
    // cites 001-18
    let hit =
        |order: Value| json!([{"emit": {"event": "Hit", "each": {"target": order}, "payload": {"n": 1}}}]);
    let told = |card: &str| json!({"type": "Hit", "causedBy": "Press", "payload": {"target": card}});
    let cards = json!({"stone": {"size": 3}, "flint": {"size": 2}, "clay": {"size": 1}});
    let all = json!({"zones": ["table"], "of": "each"});
    let small_first = json!({"zones": ["table"], "of": "each", "by": {"attr": ["it", "size"]}});
    let others_first = json!([{"zones": ["table"], "of": "opponents"}, {"zones": ["table"], "of": "you"}]);
    for order in [all, small_first, others_first] {
        holds(
            json!({"cards": cards, "actions": {"press": {"timing": "instant", "do": hit(order.clone())}},
                   "events": {"Hit": {"target": "entity", "n": "int"}}}),
            json!({"name": order.to_string(), "given": {"zones": {"table": [["stone", "flint"], ["clay"]]}},
                   "script": [{"seat": 0, "act": "press", "events": ["Press pending", told("stone"), told("flint"), told("clay"), "Press applied"]}]}),
        );
    }
}

#[test]
fn what_happens_in_a_batch_is_reacted_to_when_all_of_it_has_happened() {
    // cites 001-18, 001/R11
    let emit = |name: &str| json!({"emit": {"event": name}});
    let game = |code: Value| {
        json!({
            "events": {"Ping": {"n": "int"}, "Pong": {"n": "int", "do": [note(2)]}},
            "rules": [{"id": "r", "on": {"event": "Ping"}, "do": [note(1)]}],
            // A state check would see the first of them done alone.
            "checks": [{"id": "c", "seats": "active", "where": {"==": [{"var": "n"}, 1]}, "do": [note(3), {"set": {"var": "n", "to": 0}}]}],
            "flow": code, "actions": {}
        })
    };
    let add = |by: i64| json!({"add": {"var": "n", "by": by}});
    let code = [emit("Ping"), emit("Pong")];
    holds(game(json!(code)), json!({"script": [], "then": {"vars": {"log": 12}}}));
    holds(game(json!([{"batch": code}])), json!({"script": [], "then": {"vars": {"log": 21}}}));
    let code = [add(1), emit("Pong"), add(1)];
    holds(game(json!(code)), json!({"script": [], "then": {"vars": {"log": 23, "n": 1}}}));
    holds(game(json!([{"batch": code}])), json!({"script": [], "then": {"vars": {"log": 2, "n": 2}}}));
}

#[test]
fn state_checks_go_on_until_none_applies() {
    // cites 001/R11
    let rise = |from: i64| {
        json!({"id": format!("c{from}"), "seats": "active", "where": {"==": [{"var": "n"}, from]},
        "do": [{"set": {"var": "n", "to": from + 1}}, note(from)]})
    };
    // Each makes the next one apply; the last comes first in the file.
    let extra = json!({"checks": [rise(3), rise(2), rise(1)], "actions": {"press": {"timing": "instant", "do": [{"set": {"var": "n", "to": 1}}]}}});
    holds(extra, json!({"script": [{"seat": 0, "act": "press"}], "then": {"vars": {"n": 4, "log": 123}}}));
}

#[test]
fn everybody_passes_before_anything_goes_on_also_with_three() {
    // cites 001-9, 001/R1, 001/R10
    let press = json!({"timing": "stack", "do": [note(7)]});
    let pass = |seat: u8| json!({"seat": seat, "say": "Pass"});
    let script = |lines: &[Value]| json!({"seats": 3, "script": lines, "strict": true, "then": {"asked": 2, "vars": {"log": 0}, "step": "main", "stack": ["Press"]}});
    let act = json!({"seat": 0, "act": "press"});
    // On an item: the third is asked, and nothing has resolved.
    let extra = json!({"actions": {"press": press}});
    holds(extra.clone(), script(&[act.clone(), pass(0), pass(1)]));
    holds(
        extra.clone(),
        json!({"seats": 3, "script": [act, pass(0), pass(1), pass(2)], "then": {"asked": 0, "vars": {"log": 7}, "stack": []}}),
    );
    // On an empty stack: the turn is over when the third has passed, and not before.
    let turn = |lines: &[Value], asked: u8, events: Value| {
        let mut lines = lines.to_vec();
        lines.last_mut().expect("a line")["events"] = events;
        json!({"seats": 3, "script": lines, "then": {"asked": asked}})
    };
    holds(extra.clone(), turn(&[pass(0), pass(1)], 2, json!([])));
    let over = json!(["StepEnd", "TurnEnded", "TurnStarted", "PhaseChanged", "StepStart"]);
    holds(extra, turn(&[pass(0), pass(1), pass(2)], 1, over));
}

#[test]
fn whoever_has_lost_is_asked_nothing_more() {
    // cites 001-9
    let quit = json!({"timing": "instant", "do": [{"lose": "you"}]});
    let extra = json!({"actions": {"quit": quit}});
    let script = json!([{"seat": 0, "act": "quit"}, {"seat": 1, "say": "Pass"}]);
    holds(extra.clone(), json!({"seats": 3, "script": script, "then": {"asked": 2}}));
    // Also in later windows: between the two that are left nobody is asked, and two passes are all there are.
    let pass = |seat: u8| json!({"seat": seat, "say": "Pass"});
    let mut script = vec![pass(0), json!({"seat": 1, "act": "quit"}), pass(2), pass(2), pass(0)];
    holds(extra.clone(), json!({"seats": 3, "script": script, "then": {"asked": 0}}));
    script.push(pass(0));
    holds(extra, json!({"seats": 3, "script": script, "then": {"asked": 2}}));
}

#[test]
fn what_a_check_did_is_told_and_seen_before_an_order_is_asked_for() {
    // cites 001/R3, 001/R11
    let mourns = |id: &str| json!({"id": id, "on": {"event": "Dies"}, "do": [note(1)]});
    let extra = json!({
        "triggerOrder": "controllerChooses",
        "events": {"Dies": {"card": "entity", "do": [{"move": {"what": {"ev": "card"}, "to": {"zone": ["hand", {"owner": {"ev": "card"}}]}}}]}},
        "cards": {"rock": {}, "ghoul": {"triggers": [mourns("a"), mourns("b")]}},
        "actions": {"press": {"timing": "instant", "do": [{"setAttr": {"of": {"zones": ["table"], "of": {"seat": 1}}, "attr": "size", "to": 0}}]}},
        "checks": [{"id": "c", "each": {"zones": ["table"], "where": {"==": [{"attr": ["it", "size"]}, 0]}}, "do": [{"emit": {"event": "Dies", "payload": {"card": "it"}}}]}]
    });
    let told = json!(["Press pending", "Press applied", "ZoneMoved", "Dies"]);
    let given = json!({"zones": {"table": [["ghoul"], ["rock"]]}});
    let order = json!([option("ghoul: b (c1)", 1), option("ghoul: a (c1)", 0)]);
    let press = json!({"seat": 0, "act": "press", "events": told});
    holds(
        extra.clone(),
        json!({"given": given, "script": [press], "then": {"asked": 0, "zones": {"table": [["ghoul"], []]}, "vars": {"log": 0}}}),
    );
    holds(
        extra,
        json!({"given": given, "script": [press, {"seat": 0, "say": order, "events": []}], "then": {"asked": 0, "vars": {"log": 11}}}),
    );
}
