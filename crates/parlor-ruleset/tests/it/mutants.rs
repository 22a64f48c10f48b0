//! Mutants: one node is changed, and a scenario notices or does not.

use parlor_core::Json;
use parlor_ruleset::mutants::{Fate, Mutants};
use serde_json::json;

use crate::harness::ruleset;

fn fates(ruleset: &str, tests: &[Json]) -> Vec<(String, String, Fate)> {
    let mutants = Mutants::of(ruleset).expect("it is JSON");
    let fate = |n: usize| {
        let told = mutants.finding(n);
        (told.pointer, told.message, mutants.judge(n, &|_| None, tests))
    };
    (0..mutants.count()).map(fate).collect()
}

#[test]
fn a_change_that_no_scenario_notices_is_found() {
    let game = ruleset(&json!({
        "rules": [{"id": "big", "on": {"event": "Ping", "where": {">": [{"ev": "n"}, 4]}}, "do": [{"add": {"var": "n", "by": 2}}]}],
        "attributes": {}, "cards": {}
    }))
    .to_string();
    let pressed = |n: i64| json!({"script": [{"seat": 0, "act": "press"}], "then": {"vars": {"n": n}}});
    let of = |pointer: &str, told: &str, tests: &[Json]| {
        let all = fates(&game, tests);
        let found = all.iter().find(|(at, message, _)| at == pointer && message == told);
        found.unwrap_or_else(|| panic!("{pointer} {told}: {all:#?}")).2
    };
    let loose = [json!({"script": [{"seat": 0, "act": "press"}]})];
    let tight = [pressed(2)];
    for (pointer, told) in [
        ("/rules/0", "it is left out"),
        ("/rules/0/do/0", "the statement is left out"),
        ("/rules/0/do/0/add/by", "2 becomes 3"),
        ("/rules/0/on/where/>/1", "4 becomes 5"),
    ] {
        assert_eq!(of(pointer, told, &loose), Fate::Unnoticed, "{pointer}");
        assert_eq!(of(pointer, told, &tight), Fate::Noticed, "{pointer}");
    }
    // 5 is more than 4 and no less: only a number in between tells them apart.
    assert_eq!(of("/rules/0/on/where/>", "`>` becomes `>=`", &tight), Fate::Unnoticed);
}

#[test]
fn words_and_looks_are_left_alone() {
    let game = ruleset(&json!({"words": {"de": {"Press": "Druck"}}, "tests": [{"seats": 3}]}));
    let all = fates(&game.to_string(), &[]);
    let none = ["/words", "/tests", "/players", "/name"];
    assert!(all.iter().all(|(at, _, _)| none.iter().all(|section| !at.starts_with(section))), "{all:#?}");
}

/// Whatever is changed, checking and playing it ends, and nothing of it panics.
#[test]
fn every_mutant_of_a_shipped_ruleset_is_judged() {
    let read = |name: &str| {
        let path = format!("{}/../../rulesets/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("it is there")
    };
    let tests: Json = serde_json::from_str(&read("skirmish.tests.json")).expect("scenarios are JSON");
    let all = fates(&read("skirmish.json"), tests["tests"].as_array().expect("a list"));
    let count = |fate: Fate| all.iter().filter(|(_, _, other)| *other == fate).count();
    assert!(
        count(Fate::Noticed) > 100 && count(Fate::Unnoticed) > 20 && count(Fate::Refused) > 0,
        "{all:#?}"
    );
}
