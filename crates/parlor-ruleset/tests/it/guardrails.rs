//! Rulesets that would never end: each is stopped by a guardrail with a name, and by the same on replay.

use std::sync::Arc;

use parlor_core::{Body, By, Header, Json, Match, Rng, Seed};
use parlor_ruleset::{compile, game_def};
use serde_json::{Value, json};

/// A small game with one button; what the button does is the bomb.
fn ruleset(button: &Value, extra: &Value) -> Value {
    let mut ruleset = json!({
        "name": "A bomb", "author": "test", "players": {"min": 2, "max": 2},
        "attributes": {"size": {"type": "int", "default": 1, "layer": "stat", "resetOn": "never"}},
        "vars": {"n": {"owner": "game", "type": "int", "default": 0}},
        "zones": {"table": {"owner": "player", "order": "ordered", "see": "all"}},
        "events": {"Ping": {"n": "int"}, "Pong": {"n": "int"}},
        "cards": {"stone": {}},
        "setup": [{"forEach": {"seats": "all", "as": "p", "do": [{"create": {"card": "stone", "to": {"zone": ["table", "p"]}}}]}}],
        "actions": {"press": {"timing": "instant", "do": button}},
        "turnStructure": {"maxTurns": 3, "phases": [{"id": "main", "steps": [{"id": "main"}]}]},
        "limits": {"ops": 60000}
    });
    for (name, value) in extra.as_object().expect("an object") {
        ruleset[name] = value.clone();
    }
    ruleset
}

/// Presses the button, plays on to the end, replays it all, and says what verdicts were told.
fn explode(name: &str, ruleset: &Value) -> Vec<String> {
    let compiled = compile(&ruleset.to_string()).unwrap_or_else(|findings| panic!("{name}: {findings:#?}"));
    let program = Arc::new(compiled.program);
    crate::screen::check(&program);
    let def = game_def(program, name);
    let header = Header::seeded(&def, 2, Json::Null, Seed::from_text(name));
    let (mut play, first) = Match::start(def, header).unwrap_or_else(|why| panic!("{name}: {why}"));
    let mut verdicts = Vec::new();
    let mut note = |applied: parlor_core::Applied| {
        for (_, event) in applied.events {
            if event["type"] == "Verdict" {
                verdicts.push(event["payload"]["verdict"].as_str().unwrap_or("?").to_owned());
            }
        }
    };
    note(first);
    let mut rng = Rng::fast(5);
    for n in 0..60 {
        let Some(ask) = play.open_asks().first().copied() else { break };
        let Some(seat) = ask.seats.lowest() else { break };
        let answer = if n == 0 {
            json!({"title": "Act or pass", "selection": {"action": "press"}})
        } else {
            play.sample(seat, ask.id, &mut rng).expect("an answer")
        };
        let applied = play.apply(0, By::Human, None, Body::Answer { seat, ask: ask.id, answer });
        note(applied.unwrap_or_else(|why| panic!("{name}: {why}")));
    }
    let again = Match::replay(def, play.header().clone(), play.records().to_vec());
    let again = again.unwrap_or_else(|why| panic!("{name}: {why}"));
    assert_eq!(again.footer(), play.footer(), "{name}: another end on replay");
    verdicts
}

#[test]
fn every_bomb_ends_in_a_verdict_with_a_name() {
    // cites 001-14, 001/R11, 001-19
    let ping = json!([{"emit": {"event": "Ping", "payload": {"n": 1}}}]);
    let deep = (0..14).fold(
        json!([{"add": {"var": "n", "by": 1}}]),
        |inner, _| json!([{"repeat": {"n": 50, "do": inner}}]),
    );
    let corpus: Vec<(&str, Value, Value, &str)> = vec![
        (
            "mutual triggers",
            ping.clone(),
            json!({"rules": [
            {"id": "a", "on": {"event": "Ping"}, "do": [{"emit": {"event": "Pong"}}]},
            {"id": "b", "on": {"event": "Pong"}, "do": [{"emit": {"event": "Ping"}}]}]}),
            "events",
        ),
        (
            "doubling",
            ping.clone(),
            json!({"rules": [
            {"id": "a", "on": {"event": "Ping"}, "do": [{"emit": {"event": "Ping"}}, {"emit": {"event": "Ping"}}]}]}),
            "stack",
        ),
        (
            "an event that is itself",
            ping.clone(),
            json!({"events": {"Ping": {"n": "int", "do": [{"emit": {"event": "Ping"}}]}}}),
            "depth",
        ),
        (
            "a giant selection",
            json!([{"let": {"as": "x", "to": {"count": {"range": [0, 4_000_000_000i64]}}}}]),
            json!({}),
            "fuel",
        ),
        ("loops in loops", deep, json!({}), "fuel"),
        (
            "cards without end",
            json!([{"repeat": {"n": 5000, "do": [{"create": {"card": "stone", "to": {"zone": ["table", "you"]}}}]}}]),
            json!({}),
            "entities",
        ),
        (
            "shuffles without end",
            json!([{"repeat": {"n": 60000, "do": [{"roll": {"sides": 6, "as": "r"}}]}}]),
            json!({"limits": {"ops": 1_000_000}}),
            "fuel",
        ),
        (
            "more reactions than an event may have",
            ping.clone(),
            json!({"limits": {"reactions": 2}, "rules": [
            {"id": "a", "on": {"event": "Ping"}, "do": []}, {"id": "b", "on": {"event": "Ping"}, "do": []}, {"id": "c", "on": {"event": "Ping"}, "do": []}]}),
            "reactions",
        ),
        (
            "more iterations than an effect may have",
            json!([{"repeat": {"n": 200_000, "do": []}}]),
            json!({"limits": {"ops": 1_000_000}}),
            "loop",
        ),
        (
            "a check that never rests",
            json!([{"add": {"var": "n", "by": 1}}]),
            json!({"checks": [
            {"id": "c", "each": {"zones": ["table"], "of": "each", "where": {">": [{"var": "n"}, 0]}}, "do": [{"add": {"var": "n", "by": 1}}]}]}),
            "checks",
        ),
        (
            "a static of statics",
            json!([{"let": {"as": "x", "to": {"attr": [{"first": "table"}, "size"]}}}, {"add": {"var": "n", "by": "x"}}]),
            json!({"cards": {"stone": {"statics": [
            {"affects": {"zones": ["table"], "where": {">": [{"attr": ["it", "size"]}, 0]}}, "modify": {"size": 1}}]}}}),
            "fuel",
        ),
        (
            "triggers that make triggers wait",
            json!([{"repeat": {"n": 600, "do": [{"later": {"on": {"event": "Ping"}, "do": []}}]}}]),
            json!({}),
            "stack",
        ),
        (
            "states that chase each other",
            json!([{"set": {"var": "n", "to": 1}}]),
            json!({"rules": [
            {"id": "up", "state": {"==": [{"%": [{"var": "n"}, 2]}, 1]}, "do": [{"add": {"var": "n", "by": 1}}]},
            {"id": "down", "state": {"and": [{">": [{"var": "n"}, 0]}, {"==": [{"%": [{"var": "n"}, 2]}, 0]}]}, "do": [{"add": {"var": "n", "by": 1}}]}]}),
            "fuel",
        ),
        (
            "an item that copies itself",
            json!([{"push": {"event": "Ping"}}]),
            json!({"rules": [{"id": "c", "on": {"event": "Ping", "moment": "before"}, "do": [{"copyItem": {"evItem": true}}]}]}),
            "stack",
        ),
        (
            "a replacement that feeds itself",
            ping,
            json!({"replaces": [
            {"id": "r", "event": "Ping", "do": [{"emit": {"event": "Ping"}}]}]}),
            "depth",
        ),
    ];
    let mut wrong = Vec::new();
    for (name, button, extra, verdict) in corpus {
        let verdicts = explode(name, &ruleset(&button, &extra));
        if !verdicts.iter().any(|told| told == verdict) {
            wrong.push(format!("{name}: {verdicts:?}, not {verdict}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_guardrail_stops_is_taken_back() {
    // cites 001-16, 001/R11
    let button = json!([{"add": {"var": "n", "by": 7}}, {"emit": {"event": "Ping"}}]);
    let events = json!({"events": {"Ping": {"n": "int", "do": [{"emit": {"event": "Ping"}}]}}});
    let compiled = compile(&ruleset(&button, &events).to_string()).expect("it compiles");
    let def = game_def(Arc::new(compiled.program), "rollback");
    let (mut play, _) =
        Match::start(def, Header::seeded(&def, 2, Json::Null, Seed::from_text("r"))).expect("it starts");
    let ask = play.open_asks()[0];
    let answer = json!({"title": "Act or pass", "selection": {"action": "press"}});
    let seat = ask.seats.lowest().expect("somebody is asked");
    let applied =
        play.apply(0, By::Human, None, Body::Answer { seat, ask: ask.id, answer }).expect("it is taken");
    let statuses: Vec<(&str, &str)> = applied
        .events
        .iter()
        .filter_map(|(_, event)| Some((event["type"].as_str()?, event["status"].as_str()?)))
        .collect();
    assert_eq!(statuses, [("Press", "pending"), ("Press", "failed"), ("Verdict", "applied")]);
    assert_eq!(play.view(parlor_core::Viewer::Gallery)["vars"]["n"], 0, "nothing of it stays");
    assert!(play.outcome().is_none(), "and play goes on");
}

#[test]
fn more_cards_than_fit_are_refused_together() {
    // cites 001-14
    let create = |n: i64| json!({"actions": {}, "flow": [{"create": {"card": "stone", "to": {"zone": ["table", {"seat": 0}]}, "n": n}}, {"ask": {"id": "q", "who": {"seat": 0}, "confirm": true}}]});
    let most = parlor_ruleset::internals::ENTITIES_MAX as i64;
    crate::harness::holds(create(most), json!({"script": [], "then": {"asked": 0}}));
    for n in [most + 1, 100_000_000, i64::MAX] {
        let then = json!({"over": true, "reason": "verdict: entities", "zones": {"table": [[], []]}});
        crate::harness::holds(create(n), json!({"name": n.to_string(), "script": [], "then": then}));
    }
}
