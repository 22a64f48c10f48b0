//! What is done to items on the stack: copied, aimed elsewhere; and abilities that another card uses.

use serde_json::{Value, json};

use super::rules::{holds, note};

fn shoot() -> Value {
    json!({"timing": "stack", "targets": [{"id": "t", "from": {"zones": ["table"], "of": "each", "where": {"not": {"isCard": ["it", "wall"]}}}}],
           "do": [{"setAttr": {"of": "t", "attr": "size", "to": {"+": [{"attr": ["t", "size"]}, 10]}}}, {"if": [{"isCopy": true}, [note(7)], [note(1)]]}]})
}

#[test]
fn a_copy_resolves_first_with_the_same_targets_under_another_hand() {
    // cites 001-4, 001-8
    let fork = json!({"timing": "instant", "targets": [{"id": "s", "from": {"stackItems": {"controller": "opponent"}}}],
        "do": [{"copyItem": {"item": "s", "by": "you"}}]});
    holds(
        json!({"actions": {"shoot": shoot(), "fork": fork}, "cards": {"stone": {}, "wall": {}}}),
        json!({"given": {"zones": {"table": [["stone"], []]}}, "script": [
            {"seat": 0, "act": "shoot", "targets": {"t": "stone"}}, {"seat": 0, "say": "Pass"},
            {"seat": 1, "act": "fork", "targets": {"s": "Shoot"}, "events": ["Fork pending", "Shoot pending", "Fork applied"]},
            {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass", "events": ["Shoot applied"]},
            {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass", "events": ["Shoot applied"]}
        ], "then": {"vars": {"log": 71}, "cards": {"stone": {"size": 21}}}}),
    );
}

#[test]
fn a_target_becomes_another_only_where_that_is_legal() {
    // cites 001-16
    let bend = json!({"timing": "instant", "targets": [{"id": "s", "from": {"stackItems": {"controller": "opponent"}}}, {"id": "to", "from": {"zones": ["table"], "of": "each"}}],
        "do": [{"retarget": {"item": "s", "target": 0, "to": "to"}}]});
    for (to, stone, flint) in [("flint", 1, 11), ("wall", 11, 1)] {
        holds(
            json!({"actions": {"shoot": shoot(), "bend": bend}, "cards": {"stone": {}, "flint": {}, "wall": {}}}),
            json!({"name": to, "given": {"zones": {"table": [["stone", "flint"], ["wall"]]}}, "script": [
                {"seat": 0, "act": "shoot", "targets": {"t": "stone"}}, {"seat": 0, "say": "Pass"},
                {"seat": 1, "act": "bend", "targets": {"s": "Shoot", "to": to}},
                {"seat": 1, "say": "Pass"}
            ], "then": {"cards": {"stone": {"size": stone}, "flint": {"size": flint}}}}),
        );
    }
}

#[test]
fn an_ability_of_one_card_is_used_by_another() {
    let cards = json!({
        "stone": {"triggers": [{"id": "grow", "on": {"event": "Ping"}, "do": [{"apply": {"to": "self", "modify": {"size": 5}}}]}]},
        "ape": {}
    });
    let press = json!({"timing": "instant", "targets": [{"id": "me", "from": {"zones": ["table"], "of": "you"}}],
        "do": [{"activate": {"of": {"first": {"zones": ["table"], "of": "opponent"}}, "trigger": "grow", "as": "me"}}]});
    holds(
        json!({"cards": cards, "actions": {"press": press}}),
        json!({"given": {"zones": {"table": [["ape"], ["stone"]]}}, "script": [{"seat": 0, "act": "press", "targets": {"me": "ape"}}],
               "then": {"cards": {"ape": {"size": 6}, "stone": {"size": 1}}}}),
    );
}

#[test]
fn keywords_bring_abilities_which_come_and_go_with_them() {
    // cites 001-13
    let keywords = json!({
        "echo": {"triggers": [{"id": "echo", "on": {"event": "Ping"}, "do": [note(1)]}]},
        "ward": {"replaces": [{"id": "ward", "event": "Hit", "where": {"==": [{"ev": "target"}, "self"]}, "do": [{"prevent": true}]}]},
        "big": {"statics": [{"affects": {"zones": ["table"], "where": {"==": ["it", "self"]}}, "modify": {"size": 3}}]}
    });
    let all = json!({"zones": ["table"], "of": "each"});
    let do_ = |code: Value| json!({"timing": "instant", "do": [code]});
    let extra = || {
        json!({
            "keywords": keywords, "cards": {"stone": {}, "bell": {"keywords": ["echo", "big"]}},
            "events": {"Ping": {"n": "int"}, "Hit": {"target": "entity", "do": [{"setAttr": {"of": {"ev": "target"}, "attr": "size", "to": 9}}]}},
            "actions": {
                "call": do_(json!({"emit": {"event": "Ping"}})),
                "hit": do_(json!({"emit": {"event": "Hit", "each": {"target": all}}})),
                "give": do_(json!({"grant": {"to": all, "keywords": ["echo", "ward"], "until": "turnEnd"}})),
                "take": do_(json!({"apply": {"to": all, "without": "echo"}})),
                "hush": do_(json!({"apply": {"to": all, "silence": true, "until": "turnEnd"}}))
            }
        })
    };
    let run = |names: &[&str], then: Value| {
        let script: Vec<Value> = names.iter().map(|name| json!({"seat": 0, "act": name})).collect();
        holds(
            extra(),
            json!({"name": format!("{names:?}"), "given": {"zones": {"table": [["stone", "bell"]]}}, "script": script, "then": then}),
        );
    };
    run(&["call"], json!({"vars": {"log": 1}, "cards": {"bell": {"size": 4}, "stone": {"size": 1}}}));
    run(&["give", "call"], json!({"vars": {"log": 11}}));
    run(&["take", "call"], json!({"vars": {"log": 0}, "cards": {"bell": {"size": 4}}}));
    run(&["give", "hit"], json!({"cards": {"stone": {"size": 1}}}));
    run(&["hit"], json!({"cards": {"stone": {"size": 9}}}));
    // Silence takes what is printed; what keywords bring is theirs.
    run(&["hush", "call"], json!({"vars": {"log": 1}}));
}
