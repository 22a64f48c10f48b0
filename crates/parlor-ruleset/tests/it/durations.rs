//! How long things last, how often they happen, and which of many: small rules of the language, one by one.

use std::sync::Arc;

use parlor_ruleset::{compile, scenario};
use serde_json::{Value, json};

use super::rules::{holds, note};

/// Lines of a match of two in which `turn` is a pass of both; anything else is an action of whoever's turn it is.
fn lines(names: &[&str]) -> Vec<Value> {
    let mut seat = 0;
    let mut lines = Vec::new();
    for name in names {
        if *name == "turn" {
            lines.push(json!({"seat": seat, "say": "Pass"}));
            lines.push(json!({"seat": 1 - seat, "say": "Pass"}));
            seat = 1 - seat;
        } else {
            lines.push(json!({"seat": seat, "act": name}));
        }
    }
    lines
}

fn plays(extra: &Value, given: &Value, names: &[&str], then: &Value) {
    let mut extra = extra.clone();
    if extra.get("turnStructure").is_none() {
        extra["turnStructure"] =
            json!({"maxTurns": 30, "phases": [{"id": "main", "steps": [{"id": "main"}]}]});
    }
    holds(extra, json!({"name": format!("{names:?}"), "given": given, "script": lines(names), "then": then}));
}

#[test]
fn every_duration_ends_when_it_says() {
    // cites 001-25
    let grow = |until: Value| {
        let to = json!({"zones": ["table"], "of": "each", "where": {"isCard": ["it", "stone"]}});
        json!({"timing": "instant", "targets": [{"id": "by", "from": {"zones": ["table"], "of": "you", "where": {"isCard": ["it", "stone"]}}}],
               "do": [{"apply": {"to": to, "modify": {"size": 4}, "until": until}}]})
    };
    let steps =
        json!({"maxTurns": 30, "phases": [{"id": "main", "steps": [{"id": "main"}, {"id": "late"}]}]});
    let check = |until: Value, passes: usize, size: i64| {
        let mut script = vec![json!({"seat": 0, "act": "grow", "targets": {"by": "stone"}})];
        for n in 0..passes {
            // Two steps a turn, two passes a step, seats in turn.
            let active = n / 4 % 2;
            script.push(json!({"seat": (active + n % 2) % 2, "say": "Pass"}));
        }
        holds(
            json!({"actions": {"grow": grow(until.clone())}, "turnStructure": steps}),
            json!({"name": format!("{until} after {passes}"), "given": {"zones": {"table": [["stone"]]}}, "script": script, "then": {"cards": {"stone": {"size": size}}}}),
        );
    };
    for (until, last) in [
        (json!("stepEnd"), 2),
        (json!("turnEnd"), 4),
        (json!({"turns": 2}), 12),
        (json!("untilYourNextTurn"), 8),
        (json!({"rounds": 1}), 16),
    ] {
        check(until.clone(), last - 1, 5);
        check(until, last, 1);
    }
    check(json!("permanently"), 40, 5);
    check(json!("whileSourceInPlay"), 20, 5);
}

#[test]
fn a_modifier_goes_with_its_source() {
    let grow = json!({"timing": "instant", "targets": [{"id": "by", "from": {"zones": ["table"], "of": "you", "where": {"isCard": ["it", "drum"]}}}],
        "do": [{"apply": {"to": {"zones": ["table"], "of": "each"}, "modify": {"size": 4}, "until": "whileSourceInPlay"}}]});
    let leave = json!({"timing": "instant", "do": [{"move": {"what": {"zones": ["table"], "of": "you", "where": {"isCard": ["it", "drum"]}}, "to": {"zone": ["hand", "you"]}}}]});
    let extra = json!({"cards": {"stone": {}, "drum": {}}, "actions": {"grow": grow, "leave": leave}});
    let given = json!({"zones": {"table": [["stone", "drum"]]}});
    let grow = json!({"seat": 0, "act": "grow", "targets": {"by": "drum"}});
    holds(
        extra.clone(),
        json!({"given": given, "script": [grow], "then": {"cards": {"stone": {"size": 5}}}}),
    );
    holds(
        extra,
        json!({"given": given, "script": [grow, {"seat": 0, "act": "leave"}], "then": {"cards": {"stone": {"size": 1}}}}),
    );
}

#[test]
fn a_round_is_a_turn_of_everybody() {
    // cites 001-19, 001-25
    let rules = json!([
        {"id": "once", "on": {"event": "Ping"}, "limit": {"oncePer": "round"}, "do": [{"add": {"var": "n", "by": 1}}]},
        {"id": "start", "on": {"event": "RoundStarted"}, "do": [{"set": {"var": "log", "to": {"+": [{"*": [{"var": "log"}, 10]}, {"roundNumber": true}]}}}]}
    ]);
    let actions = json!({"call": {"timing": "instant", "do": [{"emit": {"event": "Ping"}}]}, "again": {"timing": "instant", "do": [{"extraTurn": "you"}]}});
    let extra = json!({"rules": rules, "actions": actions});
    plays(&extra, &json!({}), &["call", "call", "turn", "call"], &json!({"vars": {"n": 1, "log": 1}}));
    plays(
        &extra,
        &json!({}),
        &["call", "turn", "call", "turn", "call"],
        &json!({"vars": {"n": 2, "log": 12}}),
    );
}

#[test]
fn what_happened_is_counted_by_turn_round_and_game() {
    let count = |span: &str| json!({"timing": "instant", "do": [{"set": {"var": "n", "to": {"happened": ["Ping", span]}}}]});
    let actions = json!({"call": {"timing": "instant", "do": [{"emit": {"event": "Ping"}}]}, "by_turn": count("turn"), "by_round": count("round"), "by_game": count("game")});
    let extra = json!({"actions": actions});
    let played = ["call", "turn", "turn", "call", "turn", "call"];
    for (last, n) in [("by_turn", 1), ("by_round", 2), ("by_game", 3)] {
        let names: Vec<&str> = played.into_iter().chain([last]).collect();
        plays(&extra, &json!({}), &names, &json!({"vars": {"n": n}}));
    }
}

#[test]
fn of_equal_ones_only_the_first_is_selected() {
    let all = json!({"zones": ["table"], "of": "each"});
    let count = |more: Value| {
        let mut sel = all.clone();
        for (name, value) in more.as_object().expect("an object") {
            sel[name] = value.clone();
        }
        json!({"actions": {"go": {"timing": "instant", "do": [{"set": {"var": "n", "to": {"count": sel}}}]}}, "cards": {"a": {}, "b": {}}})
    };
    let given = json!({"zones": {"table": [["a", "b", "a"], ["b"]]}});
    plays(&count(json!({})), &given, &["go"], &json!({"vars": {"n": 4}}));
    plays(&count(json!({"distinctBy": {"card": "it"}})), &given, &["go"], &json!({"vars": {"n": 2}}));
    plays(&count(json!({"distinctBy": {"controller": "it"}})), &given, &["go"], &json!({"vars": {"n": 2}}));
}

#[test]
fn luck_chooses_from_a_selection_in_a_statement_and_nowhere_else() {
    // cites 001-6
    let all = json!({"zones": ["table"], "of": "you", "random": 2});
    let go = json!({"timing": "instant", "do": [{"move": {"what": all, "to": {"zone": ["hand", "you"]}}}, {"set": {"var": "n", "to": {"count": {"zones": ["hand"], "of": "you"}}}}]});
    let extra = json!({"actions": {"go": go}, "cards": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}}});
    let given = json!({"zones": {"table": [["a", "b", "c", "d", "e"]]}});
    plays(&extra, &given, &["go"], &json!({"vars": {"n": 2}}));
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let p = super::rules::program(extra.clone());
        for hand in [["a", "b"], ["a", "c"], ["d", "e"]] {
            let test = json!({"seed": format!("s{seed}"), "given": given, "script": [{"seat": 0, "act": "go"}], "then": {"zones": {"hand": [hand, []]}}});
            if scenario::run(&p, &test).is_ok() {
                seen.insert(hand);
            }
        }
    }
    assert!(seen.len() > 1, "luck brings different ones: {seen:?}");
    let bad = json!({"name": "Bad", "author": "t", "players": {"min": 2}, "zones": {"table": {"see": "all"}},
        "actions": {"x": {"when": {"exists": {"zones": ["table"], "random": 1}}, "do": []}}, "turnStructure": {"phases": [{"id": "m", "steps": [{"id": "m"}]}]}});
    let found = compile(&bad.to_string()).expect_err("it is refused");
    assert!(
        found.iter().any(|f| f.message.contains("nothing can be drawn here") && f.help.is_some()),
        "{found:#?}"
    );
}

#[test]
fn constants_are_values_with_a_name() {
    let extra = json!({"constants": {"HAND": 7, "open": true}, "actions": {"go": {"timing": "instant", "when": "open", "do": [{"set": {"var": "n", "to": {"+": ["HAND", {"const": "HAND"}]}}}]}}});
    plays(&extra, &json!({}), &["go"], &json!({"vars": {"n": 14}}));
}

#[test]
fn turns_go_the_way_the_ruleset_says() {
    let ruleset = |order: &str| {
        let text = json!({"name": "Way", "author": "t", "players": {"min": 3, "max": 3, "turnOrder": order}, "vars": {"n": {"owner": "game", "type": "int", "default": 0}},
            "flow": [{"turns": {"max": 3, "do": [{"set": {"var": "n", "to": {"+": [{"*": [{"var": "n"}, 10]}, {"seatNo": "active"}]}}}]}}]});
        Arc::new(compile(&text.to_string()).expect("it compiles").program)
    };
    scenario::run(&ruleset("clockwise"), &json!({"script": [], "then": {"vars": {"n": 12}}}))
        .expect("0, 1, 2");
    scenario::run(&ruleset("counterclockwise"), &json!({"script": [], "then": {"vars": {"n": 21}}}))
        .expect("0, 2, 1");
}

#[test]
fn a_question_s_time_out_may_say_what_is_answered() {
    // cites 001-5
    let ask = |value: Value| {
        json!([
        {"ask": {"id": "q", "who": {"seat": 0}, "as": "q", "number": {"min": 2, "max": 5}, "timeout": {"ms": 100, "default": {"value": value}}}},
        {"set": {"var": "n", "to": "q"}}])
    };
    for (value, n) in [(json!(4), 4), (json!(9), 2), (json!({"+": [1, 2]}), 3)] {
        holds(
            json!({"flow": ask(value), "actions": {}}),
            json!({"script": [{"elapse": true}], "then": {"vars": {"n": n}}}),
        );
    }
}

#[test]
fn a_repeated_position_ends_as_the_ruleset_says() {
    // cites 001/R11
    let script: Vec<Value> = lines(&["turn", "turn", "turn", "turn"]);
    let extra = |end: &str| {
        json!({"limits": {"samePosition": 3, "repetition": end}, "end": {"rank": {"by": {"seatNo": "it"}}},
        "turnStructure": {"maxTurns": 500, "phases": [{"id": "main", "steps": [{"id": "main"}]}]}})
    };
    holds(extra("draw"), json!({"script": script, "then": {"over": true, "winners": []}}));
    holds(extra("rank"), json!({"script": script, "then": {"over": true, "winners": [1]}}));
}

#[test]
fn cards_lie_in_the_cells_of_a_grid() {
    let text = json!({
        "name": "Grid", "author": "t", "players": {"min": 2, "max": 2},
        "vars": {"n": {"owner": "game", "type": "int", "default": 0}, "log": {"owner": "game", "type": "int", "default": 0}},
        "zones": {"bag": {"owner": "game", "see": "all"}, "board": {"owner": "game", "see": "all", "grid": [3, 2]}},
        "cards": {"a": {}, "b": {}, "c": {}},
        "actions": {
            "put": {"timing": "instant", "targets": [{"id": "c", "from": "bag"}], "do": [
                {"ask": {"id": "at", "who": "you", "as": "at", "prompt": "Where?", "pick": {"from": {"free": "board"}}}},
                {"move": {"what": "c", "to": "board", "cell": "at"}}]},
            "crash": {"timing": "instant", "targets": [{"id": "c", "from": "bag"}], "do": [note(1), {"move": {"what": "c", "to": "board", "cell": 4}}]},
            "count": {"timing": "instant", "do": [
                {"set": {"var": "n", "to": {"count": {"free": "board"}}}},
                {"let": {"as": "x", "to": {"inCell": ["board", 4]}}},
                {"if": [{"isCard": ["x", "b"]}, [{"set": {"var": "log", "to": {"+": [{"*": [{"row": ["board", {"cell": "x"}]}, 100]}, {"column": ["board", {"cell": "x"}]}]}}}]]}]}
        },
        "turnStructure": {"phases": [{"id": "m", "steps": [{"id": "m"}]}]}
    });
    let p = Arc::new(compile(&text.to_string()).unwrap_or_else(|found| panic!("{found:#?}")).program);
    let given = json!({"zones": {"bag": ["a", "b", "c"]}});
    let act = |card: &str| json!({"seat": 0, "act": "put", "targets": {"c": card}});
    let test = json!({"given": given, "script": [
        act("b"), {"seat": 0, "say": "4"}, act("a"), {"seat": 0, "say": "4", "refused": "didn't exist in the choices"}, {"seat": 0, "say": "0"},
        {"seat": 0, "act": "crash", "targets": {"c": "c"}, "events": ["Crash pending", "Crash failed", "Verdict"]},
        {"seat": 0, "act": "count"}], "then": {"vars": {"n": 4, "log": 101}}});
    scenario::run(&p, &test).unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn what_is_kept_on_a_card_goes_with_it_through_a_shuffle() {
    let text = json!({
        "name": "Marks", "author": "t", "players": {"min": 2, "max": 2},
        "attributes": {"mark": {"type": "int", "default": 0}, "size": {"type": "int", "layer": "stat"}},
        "counters": {"dot": {}},
        "vars": {"n": {"owner": "game", "type": "int", "default": 0}},
        "zones": {"deck": {"owner": "game", "order": "ordered", "see": "none"}},
        "cards": {"a": {"size": 1}, "b": {"size": 2}, "c": {"size": 3}, "d": {"size": 4}, "e": {"size": 5}},
        "setup": [
            {"create": {"cards": ["a", "b", "c", "d", "e"], "to": "deck"}},
            {"forEach": {"in": "deck", "as": "c", "do": [
                {"setAttr": {"of": "c", "attr": "mark", "to": {"attr": ["c", "size"]}}},
                {"addCounter": {"to": "c", "counter": "dot", "n": {"attr": ["c", "size"]}}},
                {"apply": {"to": "c", "modify": {"size": {"*": [10, {"attr": ["c", "size"]}]}}}}]}},
            {"shuffle": "deck"}
        ],
        "flow": [{"set": {"var": "n", "to": {"count": {"zones": ["deck"], "where": {"and": [
            {"==": [{"*": [11, {"attr": ["it", "mark"]}]}, {"attr": ["it", "size"]}]},
            {"==": [{"attr": ["it", "mark"]}, {"counters": ["it", "dot"]}]}]}}}}}]
    });
    let p = Arc::new(compile(&text.to_string()).unwrap_or_else(|found| panic!("{found:#?}")).program);
    for seed in 0..5 {
        let test = json!({"seed": format!("{seed}"), "script": [], "then": {"vars": {"n": 5}}});
        scenario::run(&p, &test).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn what_is_kept_on_a_card_lasts_as_long_as_its_attribute_says() {
    let kept = |reset: Value| json!({"type": "int", "default": 1, "resetOn": reset});
    let attributes = json!({"size": {"type": "int", "default": 1}, "heat": kept(json!("turnEnd")), "scar": kept(json!("never"))});
    let set =
        |attr: &str| json!({"setAttr": {"of": {"zones": ["table"], "of": "each"}, "attr": attr, "to": 9}});
    let all = json!([set("size"), set("heat"), set("scar")]);
    let back =
        json!([{"move": {"what": {"zones": ["table"], "of": "you"}, "to": {"zone": ["hand", "you"]}}}]);
    let extra = json!({"attributes": attributes,
        "actions": {"press": {"timing": "instant", "do": all}, "take": {"timing": "instant", "do": back}}});
    let given = json!({"zones": {"table": [["stone"]]}});
    let press = json!({"seat": 0, "act": "press"});
    let pass = |seat: u8| json!({"seat": seat, "say": "Pass"});
    let then = |script: Value, size: i64, heat: i64| {
        let card = json!({"stone": {"size": size, "heat": heat, "scar": 9}});
        json!({"given": given, "script": script, "then": {"cards": card}})
    };
    holds(extra.clone(), then(json!([press]), 9, 9));
    // A turn takes what says so; another zone takes that too, and what says nothing.
    holds(extra.clone(), then(json!([press, pass(0), pass(1)]), 9, 1));
    holds(extra, then(json!([press, {"seat": 0, "act": "take"}]), 1, 1));
}
