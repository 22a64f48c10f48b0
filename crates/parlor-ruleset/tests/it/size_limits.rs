//! Size limits: files that declare more than there is room for, the greatest numbers, and code that copies without end.
//! None of it makes the checker or a table panic, hang or take all memory.

use parlor_ruleset::{Finding, compile};
use serde_json::{Map, Value, json};

use super::rules::{holds, note};
use crate::harness::ruleset;

fn found(extra: &Value) -> Vec<Finding> {
    compile(&ruleset(extra).to_string()).map_or_else(|findings| findings, |compiled| compiled.warnings)
}

/// So many things of one kind, each with a name of its own.
fn many(n: usize, one: &Value) -> Value {
    Value::Object((0..n).map(|n| (format!("x{n}"), one.clone())).collect::<Map<_, _>>())
}

#[test]
fn a_file_that_declares_too_much_is_refused_and_not_compiled_to_the_end() {
    // cites 001-14
    let players = json!({"min": 2, "max": 15});
    let ranks: Vec<String> = (0..64).map(|n| format!("r{n}")).collect();
    let cases = [
        (
            "zones",
            json!({"players": players, "zones": many(5000, &json!({"see": "all", "owner": "player"}))}),
        ),
        (
            "variables",
            json!({"players": players, "vars": many(6000, &json!({"owner": "player", "type": "int"}))}),
        ),
        ("attributes", json!({"attributes": many(20_000, &json!({"type": "int", "value": 1}))})),
        ("counters", json!({"counters": many(20_000, &json!({}))})),
        ("events", json!({"events": many(20_000, &json!({}))})),
        ("events", json!({"actions": many(20_000, &json!({}))})),
        ("knobs", json!({"config": many(20_000, &json!({"type": "int"}))})),
        ("enums", json!({"enums": many(20_000, &json!(["a"]))})),
        (
            "values",
            json!({"attributes": many(1000, &json!({"type": "int"})), "enums": {"one": ranks, "two": ranks[..60]},
                   "decks": {"all": {"product": ["one", "two"], "into": {"zone": ["table", {"seat": 0}]}}}}),
        ),
    ];
    for (what, extra) in cases {
        let all = found(&extra);
        let limit = all.iter().find(|finding| finding.code == "limit");
        assert!(limit.is_some_and(|finding| finding.message.contains(what)), "{what}: {:?}", all.first());
    }
    // As many as there is room for are no mistake.
    let most = json!({"players": players, "vars": many(4000, &json!({"owner": "player", "type": "int", "default": 0}))});
    let more = found(&most).into_iter().find(|finding| finding.code == "limit");
    assert_eq!(more, None);
}

#[test]
fn what_procedures_come_to_has_its_numbers_too() {
    // cites 001-14
    let calls = |what: &Value| {
        let inner: Vec<Value> = (0..300).map(|_| what.clone()).collect();
        let outer: Vec<Value> = (0..120).map(|_| json!({"call": "inner"})).collect();
        json!({"procs": {"inner": inner, "outer": outer}, "flow": [{"call": "outer"}], "actions": {}})
    };
    for (what, code) in [
        ("names", json!({"roll": {"sides": 6, "as": "r"}})),
        ("questions", json!({"ask": {"id": "q", "who": "active", "confirm": true}})),
        ("triggers", json!({"later": {"on": {"event": "Ping"}, "do": []}})),
    ] {
        let all = found(&calls(&code));
        let limit = all.iter().find(|finding| finding.code == "limit");
        assert!(limit.is_some_and(|finding| finding.message.contains(what)), "{what}: {:?}", all.first());
    }
}

/// Procedures that each call the one before twice are 2^39 calls: they are refused after so many, not when all were made.
#[test]
fn procedures_that_double_are_refused_at_once() {
    for (depth, code) in [(20, "limit"), (40, "recursion")] {
        let mut procs = json!({"p0": []});
        for n in 1..depth {
            let before = format!("p{}", n - 1);
            procs[format!("p{n}")] = json!([{"call": before}, {"call": before}]);
        }
        let flow = json!([{"call": format!("p{}", depth - 1)}]);
        let all = found(&json!({"procs": procs, "flow": flow, "actions": {}}));
        assert!(all.iter().any(|finding| finding.code == code), "{depth}: {:?}", all.first());
    }
}

#[test]
fn the_least_of_all_numbers_is_a_number_like_any_other() {
    let least = i64::MIN;
    let press = |code: Value| json!({"actions": {"press": {"timing": "instant", "do": code}}});
    let script = json!([{"seat": 0, "act": "press"}]);
    let set = |value: Value| json!([{"set": {"var": "n", "to": {"if": [value, 1, 2]}}}]);
    for (code, n) in [
        // Nobody controls a number, it waits nowhere, and it is no place in a list.
        (set(json!({"isNone": {"controller": least}})), 1),
        (set(json!({"onStack": least})), 2),
        (set(json!({"isNone": {"at": [{"range": [1, 5]}, least]}})), 1),
        (
            json!([{"counterItem": {"first": {"union": [{"stackItems": {}}]}}}, {"set": {"var": "n", "to": 3}}]),
            3,
        ),
        // Arithmetic saturates; by 0 it is 0.
        (set(json!({"==": [{"/": [least, -1]}, i64::MAX]})), 1),
        (set(json!({"==": [{"/": [least, 0]}, 0]})), 1),
        (json!([{"set": {"var": "n", "to": {"/": [-7, 2]}}}]), -4),
        // The greatest comes first, and the least is least.
        (
            set(
                json!({"==": [{"at": [{"range": [1, 3], "by": {"if": [{"==": ["it", 2]}, least, {"+": [least, 1]}]}, "desc": true}, 2]}, 2]}),
            ),
            1,
        ),
    ] {
        holds(
            press(code.clone()),
            json!({"name": format!("{code}"), "script": script, "then": {"vars": {"n": n}}}),
        );
    }
    // A check over numbers asks of each whether it is a seat.
    let check = json!([{"id": "c", "each": {"range": [least, least + 1], "where": {"==": [{"var": "n"}, 0]}}, "do": [{"set": {"var": "n", "to": 4}}]}]);
    let mut game = press(json!([]));
    game["checks"] = check;
    holds(game, json!({"script": script, "then": {"vars": {"n": 4}}}));
}

#[test]
fn the_last_is_last_even_with_the_least_number() {
    let end = json!({"rank": {"by": {"if": [{"==": ["it", {"seat": 1}]}, i64::MIN, {"+": [i64::MIN, 1]}]}, "order": "asc"}});
    let extra = json!({"flow": [{"finish": {}}], "actions": {}, "end": end});
    holds(extra, json!({"script": [], "then": {"over": true, "winners": [1]}}));
}

#[test]
fn of_many_equal_ones_the_first_are_found_in_one_go() {
    // cites 001-14
    let all = json!({"range": [1, 120_000], "distinctBy": {"/": ["it", 2]}});
    let press = json!({"timing": "instant", "do": [{"set": {"var": "n", "to": {"count": all}}}]});
    let extra = json!({"actions": {"press": press}});
    holds(extra, json!({"script": [{"seat": 0, "act": "press"}], "then": {"vars": {"n": 60_001}}}));
}

#[test]
fn what_is_copied_is_paid_for() {
    // cites 001-14, 001/R11
    let setup = json!([{"create": {"card": "stone", "to": {"zone": ["table", {"seat": 0}]}, "n": 4000}}]);
    let apply = |to: Value| json!({"apply": {"to": to, "keywords": ["quick"]}});
    let lists = json!([{"let": {"as": "l", "list": {"range": [1, 200_000]}}}, {"repeat": {"n": 500, "do": [{"later": {"on": {"event": "Ping"}, "do": [{"set": {"var": "n", "to": {"count": "l"}}}]}}]}}]);
    let peeks = json!([{"peek": {"what": "deck", "to": "you"}}, {"repeat": {"n": 90_000, "do": [{"peek": {"what": {"first": "deck"}, "to": "you"}}]}}]);
    let verdict = json!([{"type": "Press", "status": "pending"}, {"type": "Press", "status": "failed"}, {"type": "Verdict", "payload": {"verdict": "fuel"}}]);
    for code in [json!([{"repeat": {"n": 4000, "do": [apply(json!({"first": "table"}))]}}]), lists, peeks] {
        let deck = json!({"owner": "game", "see": "none", "order": "ordered"});
        let zones = json!({"table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"}, "deck": deck});
        let mut setup = setup.as_array().cloned().expect("a list");
        if code.to_string().contains("deck") {
            setup = vec![json!({"create": {"card": "stone", "to": "deck", "n": 4000}})];
        }
        let extra = json!({"keywords": ["quick"], "zones": zones, "setup": setup, "actions": {"press": {"timing": "instant", "do": code}}});
        let name = code.to_string().chars().take(60).collect::<String>();
        holds(
            extra,
            json!({"name": name, "script": [{"seat": 0, "act": "press", "events": verdict}], "then": {"over": false}}),
        );
    }
    // What is laid on nothing copies nothing.
    let code = json!([apply(json!("table")), {"repeat": {"n": 90_000, "do": [apply(json!({"zones": ["hand"], "of": "you"}))]}}]);
    let extra = json!({"keywords": ["quick"], "setup": setup, "actions": {"press": {"timing": "instant", "do": code}}});
    holds(
        extra,
        json!({"script": [{"seat": 0, "act": "press", "events": ["Press pending", "Press applied"]}], "then": {"over": false}}),
    );
}

#[test]
fn limits_of_events_are_not_kept_when_the_event_is_over() {
    // cites 001-19
    let rules = json!([{"id": "p", "on": {"event": "Ping"}, "limit": {"oncePer": "event"}, "do": [note(1)]}]);
    let ask = json!({"ask": {"id": "q", "who": {"seat": 0}, "confirm": true}});
    let ping = json!({"emit": {"event": "Ping"}});
    let flow = json!([{"loop": {"max": 50, "do": [ping, ask]}}]);
    let program = super::rules::program(json!({"flow": flow, "actions": {}, "rules": rules}));
    let config = parlor_ruleset::internals::settings(&program, &Value::Null).expect("the defaults are good");
    let mut rng = parlor_core::Rng::fast(1);
    let mut sink = parlor_ruleset::internals::Sink::silent();
    let mut table = parlor_ruleset::RulesetGame::start(program, config, 2, &mut rng, &mut sink);
    for _ in 0..6 {
        crate::harness::say(&mut table, parlor_core::Seat::new(0), &json!(["yes"]));
    }
    assert_eq!(table.inside().board.vars[0], 1_111_111, "each Ping is an event of its own");
    assert_eq!(table.inside().limits, [], "and nobody will ask about it again");
}
