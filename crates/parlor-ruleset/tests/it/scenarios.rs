//! The scenarios beside the shipped rulesets, event by event; and the kit for skirmish.

use parlor_core::Json;
use parlor_ruleset::{scenario, shipped};
use parlor_testkit::Kit;

fn run(text: &str) -> usize {
    let file: Json = serde_json::from_str(text).expect("scenarios are JSON");
    let program = shipped::program(file["ruleset"].as_str().expect("a ruleset")).expect("it is shipped");
    let mut faults = Vec::new();
    let tests = file["tests"].as_array().expect("a list of scenarios");
    for test in tests {
        if let Err(why) = scenario::run(&program, test) {
            faults.push(why.to_string());
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    tests.len()
}

/// Some rules are seen in a whole turn alone. Cites 001-20, 001-24, 001/R5, 001/R17.
#[test]
fn the_scenarios_of_skirmish_hold() {
    let count = run(include_str!("../../../../rulesets/skirmish.tests.json"));
    println!("skirmish: {count} scenarios hold");
}

#[test]
fn skirmish_passes_the_kit() {
    let def = shipped::game_defs().into_iter().find(|def| def.name == "skirmish").expect("it is shipped");
    match Kit::of(def).matches(6, 2).run() {
        Ok(report) => println!("skirmish: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}
