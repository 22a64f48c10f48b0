//! What belongs together: groups that stand or fall, costs that are paid or not, and loops that end.

use parlor_ruleset::compile;
use serde_json::{Value, json};

use super::rules::{holds, note};

/// A game in which a group hits every card on the table; a wall there lets it fall.
fn game(before: &Value) -> Value {
    let hit = json!({"emit": {"event": "Hit", "each": {"target": {"zones": ["table"], "of": "each"}}}});
    let mut press = before.as_array().cloned().expect("a list");
    press.push(json!({"atomic": [{"add": {"var": "n", "by": 1}}, hit]}));
    press.push(json!({"add": {"var": "n", "by": 10}}));
    json!({
        // What hits does so by way of another event: the group is all that comes of it.
        "events": {
            "Ping": {"n": "int"},
            "Hit": {"target": "entity", "do": [{"emit": {"event": "Hurt", "payload": {"target": {"ev": "target"}}}}]},
            "Hurt": {"target": "entity"}
        },
        "cards": {"stone": {}, "wall": {"replaces": [{"id": "no", "event": "Hit", "where": {"==": [{"ev": "target"}, "self"]}, "do": [{"prevent": true}]}]}},
        "rules": [
            {"id": "p", "on": {"event": "Ping"}, "do": [note(1)]},
            {"id": "h", "on": {"event": "Hurt"}, "do": [note(2)]},
            {"id": "e", "on": {"event": "EventPrevented"}, "do": [note(3)]}
        ],
        "actions": {"press": {"timing": "instant", "do": press}, "count": {"timing": "instant", "do": [{"set": {"var": "n", "to": {"happened": "Hurt"}}}]}}
    })
}

#[test]
fn what_a_fallen_group_did_is_reacted_to_and_counted_by_nobody() {
    // cites 001/R9
    let ping = json!([{"emit": {"event": "Ping"}}]);
    let given = |card: &str| json!({"zones": {"table": [["stone"], [card]]}});
    let press = json!({"seat": 0, "act": "press"});
    let count = json!({"seat": 0, "act": "count"});
    // It stands: both are hurt. What came before it in the same action is reacted to either way.
    holds(
        game(&ping),
        json!({"given": given("stone"), "script": [press], "then": {"vars": {"n": 11, "log": 122}}}),
    );
    holds(
        game(&ping),
        json!({"given": given("wall"), "script": [press], "then": {"vars": {"n": 10, "log": 13}}}),
    );
    holds(
        game(&ping),
        json!({"given": given("stone"), "script": [press, count], "then": {"vars": {"n": 2}}}),
    );
    holds(game(&ping), json!({"given": given("wall"), "script": [press, count], "then": {"vars": {"n": 0}}}));
}

#[test]
fn a_group_of_a_step_falls_like_one_of_an_action() {
    // cites 001/R9
    let extra = |card: &str| {
        let mut game = game(&json!([]));
        let group = game["actions"]["press"]["do"].clone();
        game["actions"] = json!({});
        game["turnStructure"] =
            json!({"maxTurns": 1, "phases": [{"id": "main", "steps": [{"id": "main", "do": group}]}]});
        game["setup"] =
            json!([{"create": {"cards": ["stone", card], "to": {"zone": ["table", {"seat": 0}]}}}]);
        game
    };
    holds(extra("stone"), json!({"script": [], "then": {"vars": {"n": 11, "log": 22}}}));
    holds(extra("wall"), json!({"script": [], "then": {"vars": {"n": 10, "log": 3}}}));
}

#[test]
fn a_guardrail_inside_a_group_of_the_flow_ends_the_match_as_anywhere_in_the_flow() {
    // cites 001/R11
    let group = json!([{"atomic": [{"add": {"var": "n", "by": 1}}, {"pay": {"var": "log", "amount": 1}}]}]);
    let steps = json!({"maxTurns": 1, "phases": [{"id": "main", "steps": [{"id": "main", "do": group}]}]});
    holds(
        json!({"turnStructure": steps, "actions": {}}),
        json!({"script": [], "then": {"over": true, "winners": [], "reason": "verdict: rules"}}),
    );
}

#[test]
fn what_finds_no_room_on_the_stack_has_cost_nothing() {
    // cites 001-14, 001/R11, 001-29
    let zap = json!({"timing": "stack", "costs": [{"pay": {"var": "n", "amount": 1}}], "do": []});
    let extra = json!({"actions": {"zap": zap}, "limits": {"stack": 2}});
    let lines = json!([
        {"seat": 0, "act": "zap", "events": ["Zap pending"]},
        {"seat": 0, "act": "zap", "events": ["Zap pending"]},
        {"seat": 0, "act": "zap", "events": [{"type": "Verdict"}]}
    ]);
    holds(
        extra,
        json!({"given": {"vars": {"n": 5}}, "script": lines, "then": {"stack": ["Zap", "Zap"], "vars": {"n": 3}}}),
    );
}

#[test]
fn nothing_breaks_out_of_a_batch_or_a_group() {
    // cites 001-14
    for word in ["batch", "atomic"] {
        let out = json!({"loop": {"max": 3, "do": [{word: [{"break": true}]}]}});
        let inside = json!({word: [{"loop": {"max": 3, "do": [{"break": true}]}}]});
        let with = |code: Value| {
            let extra = json!({"actions": {"press": {"timing": "instant", "do": [code]}}});
            compile(&crate::harness::ruleset(&extra).to_string())
        };
        let found = with(out).expect_err("it would never be over");
        assert_eq!((found[0].code, found[0].message.as_str()), ("break", "there is no loop around this"));
        assert_eq!(found[0].pointer, format!("/actions/press/do/0/loop/do/0/{word}/0/break"));
        assert!(with(inside).is_ok());
    }
}

#[test]
fn nobody_is_asked_and_no_step_begins_inside_a_batch() {
    // cites 001-14
    let ask = json!({"ask": {"id": "q", "who": "active", "confirm": true}});
    let step = json!({"step": {"id": "inner", "do": []}});
    let turns = json!({"turns": {"max": 1, "do": []}});
    let found = |code: Value| {
        let extra = json!({"flow": code, "actions": {}, "procs": {"asks": [ask]}});
        let found = compile(&crate::harness::ruleset(&extra).to_string());
        let list = found.map_or_else(|findings| findings, |compiled| compiled.warnings);
        list.into_iter().filter(|finding| finding.code == "batch").collect::<Vec<_>>()
    };
    let at = |code: Value, pointer: &str, message: &str, help: &str| {
        let all = found(code.clone());
        assert_eq!(all.len(), 1, "{code}: {all:#?}");
        assert_eq!((all[0].pointer.as_str(), all[0].message.as_str()), (pointer, message), "{code}");
        assert!(all[0].help.as_deref().is_some_and(|text| text.contains(help)), "{code}: {all:#?}");
    };
    let waits = "nobody is asked and nothing waits inside a batch";
    at(json!([{"batch": [ask]}]), "/flow/0/batch/0/ask", waits, "ask before it");
    at(json!([{"batch": [{"wait": 5}]}]), "/flow/0/batch/0/wait", waits, "at the same time");
    at(json!([{"batch": [{"call": "asks"}]}]), "/procs/asks/0/ask", waits, "ask before it");
    at(json!([{"atomic": [{"batch": [ask]}]}]), "/flow/0/atomic/0/batch/0/ask", waits, "ask before it");
    at(
        json!([{"batch": [{"atomic": [{"if": [true, [ask]]}]}]}]),
        "/flow/0/batch/0/atomic/0/if/1/0/ask",
        waits,
        "",
    );
    for (word, code) in [("step", &step), ("turns", &turns)] {
        for group in ["batch", "atomic"] {
            let message = format!("`{word}` cannot stand inside `{group}`");
            at(json!([{group: [code]}]), &format!("/flow/0/{group}/0/{word}"), &message, "into the `do`");
        }
    }
    // After it, and around it, everything is as it was; what waits for later is no part of it.
    let later = json!({"later": {"on": {"event": "Ping"}, "do": [ask]}});
    for good in [
        json!([{"batch": [{"emit": {"event": "Ping"}}]}, ask]),
        json!([{"step": {"id": "inner", "do": [{"batch": [{"emit": {"event": "Ping"}}]}, ask]}}]),
        json!([{"batch": [later]}]),
        json!([{"atomic": [ask]}]),
    ] {
        assert_eq!(found(good.clone()), [], "{good}");
    }
}
