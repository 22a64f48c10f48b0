//! What card authors need: every trigger, effect, range, sort and amount is a card of `atelier`, with a scenario of its own.

use std::sync::Arc;

use parlor_core::Json;
use parlor_ruleset::{Program, compile, game_def, scenario};
use parlor_testkit::Kit;

/// The list that card authors of the original project wrote down.
const NEEDED: &[(&str, &[&str])] = &[
    (
        "triggers",
        &[
            "OnReveal",
            "Ongoing",
            "GameStart",
            "StartTurn",
            "EndTurn",
            "EndGame",
            "InHand",
            "InDeck",
            "Destroyed",
            "Discarded",
            "Moved",
            "Banished",
            "Activate",
            "BeforeCardPlayed",
            "AfterCardPlayed",
            "AfterAbilityTriggered",
            "OnCreated",
        ],
    ),
    (
        "effects",
        &[
            "GainPower",
            "LosePower",
            "StealPower",
            "SetPower",
            "Afflict",
            "Draw",
            "Discard",
            "Destroy",
            "Move",
            "GainEnergy",
            "LoseEnergy",
            "MaxEnergy",
            "AddPowerToLocation",
            "CreateInHand",
            "CreateInDeck",
            "CreateAtLocation",
            "RemoveAbility",
            "ReduceCost",
            "IncreaseCost",
            "SetCost",
            "Merge",
            "Return",
            "AddCardToLocation",
            "AddCardToHand",
            "CopyAndActivate",
            "AddKeyword",
            "AddTemporaryAbility",
        ],
    ),
    ("ranges", &["First", "Last", "All", "Random", "WithRequirements"]),
    ("sorts", &["SortByPower", "SortByCost", "SortByPlayedOrder", "SortByLocationOrder"]),
    ("amounts", &["Constant", "PerTarget", "TargetsValue", "RandomCard"]),
];

fn program() -> Arc<Program> {
    let compiled = compile(include_str!("../../../../rulesets/atelier.json")).unwrap_or_else(|found| {
        panic!("{:#?}", found.iter().map(|f| f.text("atelier.json", "")).collect::<Vec<_>>())
    });
    assert!(compiled.warnings.is_empty(), "{:#?}", compiled.warnings);
    Arc::new(compiled.program)
}

fn tests() -> Vec<Json> {
    let file: Json =
        serde_json::from_str(include_str!("../../../../rulesets/atelier.tests.json")).expect("it is JSON");
    file["tests"].as_array().cloned().expect("a list of scenarios")
}

#[test]
fn every_row_of_the_authors_list_has_a_card_and_a_scenario_that_holds() {
    // cites 001-1, 001-3, 001-18
    let (p, tests) = (program(), tests());
    let mut faults = Vec::new();
    for (kind, rows) in NEEDED {
        for row in *rows {
            let mut own = tests.iter().filter(|test| test["row"] == *row);
            match (own.next(), own.next()) {
                (Some(test), None) => {
                    faults.extend(scenario::run(&p, test).err().map(|failure| failure.to_string()))
                }
                (None, _) => faults.push(format!("{kind}: {row} has no scenario")),
                (Some(_), Some(_)) => faults.push(format!("{kind}: {row} has two scenarios")),
            }
        }
    }
    let rows: usize = NEEDED.iter().map(|(_, rows)| rows.len()).sum();
    assert_eq!(tests.len(), rows, "a scenario without a row");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("atelier: {rows} rows, each with its card and scenario");
}

#[test]
fn atelier_passes_the_kit() {
    match Kit::of(game_def(program(), "atelier")).matches(2, 1).run() {
        Ok(report) => println!("atelier: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}
