//! What has run: noted without a change of what is played, and told with its place where nothing has.

use std::sync::Arc;

use parlor_core::Json;
use parlor_core::sim::Job;
use parlor_ruleset::{Compiled, Finding, compile, coverage, game_def, scenario, shipped};
use serde_json::{Value, json};

use crate::harness::ruleset;

fn traced(text: &str) -> Compiled {
    coverage::traced(text, &|_| None).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

/// What never ran when this scenario of the small game was played.
fn never(extra: &Value, test: &Value) -> Vec<Finding> {
    let program = Arc::new(traced(&ruleset(extra).to_string()).program);
    scenario::run(&program, test).unwrap_or_else(|why| panic!("{why}"));
    coverage::never_ran(&program)
}

fn said(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.pointer.as_str(), finding.message.as_str())).collect()
}

#[test]
fn rules_questions_and_triggers_that_never_ran_are_named_with_their_place() {
    let count = |by: i64| json!([{"add": {"var": "n", "by": by}}]);
    let extra = json!({
        "rules": [
            {"id": "ping", "on": {"event": "Ping"}, "do": [{"if": [{">": [{"ev": "n"}, 9]},
                [{"ask": {"id": "sure", "who": {"seat": 0}, "confirm": true}}, {"add": {"var": "n", "by": 1}}]]}]},
            {"id": "pong", "on": {"event": "Pong"}, "do": count(2)}
        ],
        "cards": {"stone": {"triggers": [{"id": "roll", "on": {"event": "Hit"}, "do": count(3)}]}},
        "replaces": [{"id": "soften", "event": "Hit", "do": []}],
        "cannot": [{"id": "never", "event": "Hit"}, {"id": "small", "event": "Ping", "where": {"<": [{"ev": "n"}, 0]}}],
        "checks": [{"id": "many", "seats": "all", "where": {">": [{"var": "n"}, 5]}, "do": count(4)}],
        "procs": {"help": [{"add": {"var": "log", "by": 1}}]},
        "actions": {
            "press": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 5}}}]},
            "hit": {"timing": "instant", "when": {"==": [{"var": "n"}, 4]}, "do": [{"call": "help"}]}
        }
    });
    let all = never(&extra, &json!({"script": [{"seat": 0, "act": "press"}]}));
    assert_eq!(
        said(&all),
        [
            ("/actions/hit", "the action 'hit' never runs"),
            ("/cannot/0", "the prohibition 'never' never runs"),
            ("/cannot/1", "the prohibition 'small' never runs"),
            ("/cards/stone/triggers/0", "the trigger 'roll' of 'stone' never runs"),
            ("/checks/0", "the check 'many' never runs"),
            ("/procs/help", "the procedure 'help' never runs"),
            ("/replaces/0", "the replacement 'soften' never runs"),
            ("/rules/0/do/0/if/1/0/ask", "the question 'sure' is never asked"),
            ("/rules/1", "the rule 'pong' never runs"),
        ]
    );
    assert!(all.iter().all(|finding| finding.help.is_some() && finding.at > 0));
}

#[test]
fn what_has_run_is_not_named() {
    let extra = json!({
        "rules": [{"id": "ping", "on": {"event": "Ping"}, "do": [{"add": {"var": "n", "by": 1}}]}],
        "cannot": [{"id": "none", "event": "Hit"}],
        "actions": {"press": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 5}}},
            {"emit": {"event": "Hit", "payload": {"target": {"first": "table"}, "n": 1}}}]}}
    });
    assert_eq!(said(&never(&extra, &json!({"script": [{"seat": 0, "act": "press"}]}))), []);
    let idle = never(&extra, &json!({}));
    assert_eq!(idle.len(), 3, "{idle:#?}");
}

/// A traced ruleset plays the same matches: what notes that something ran is no part of the rules.
#[test]
fn a_traced_ruleset_plays_the_same() {
    for name in ["skirmish", "orcain", "hearts-rules"] {
        let text = shipped::text(name).expect("it is shipped");
        let plain = compile(text).expect("it compiles").program;
        let noted = traced(text).program;
        assert_eq!(plain.hash, noted.hash);
        let seats = plain.seats.0;
        let job = Job { settings: Json::Null, seats, seed: 7, bots: false };
        // The state at the end has the places of its code, which are others: who won, why, and how many inputs it took.
        let played = |program, id: &str| {
            let tally = game_def(Arc::new(program), id).sim(&job, 0, 30).expect("it can be played");
            (tally.inputs, tally.results)
        };
        assert_eq!(
            played(plain, &format!("{name}-plain")),
            played(noted, &format!("{name}-noted")),
            "{name}"
        );
    }
}

/// The scenarios of the cards hold in a traced ruleset, too.
#[test]
fn scenarios_of_a_traced_ruleset_hold() {
    for name in ["atelier", "skirmish"] {
        let file = |end: &str| {
            let path = format!("{}/../../rulesets/{name}{end}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).expect("it is there")
        };
        let program = Arc::new(traced(&file(".json")).program);
        let tests: Json = serde_json::from_str(&file(".tests.json")).expect("scenarios are JSON");
        for test in tests["tests"].as_array().expect("a list") {
            scenario::run(&program, test).unwrap_or_else(|why| panic!("{why}"));
        }
    }
}
