//! The battle passes the testkit in both profiles.

use parlor_battle::Battle;
use parlor_core::Game;
use parlor_core::Match;
use parlor_testkit::Kit;
use parlor_testkit::random::random_match;
use serde_json::json;

fn passes(kit: Kit, name: &str) {
    let path = format!("{}/playthroughs/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    match kit.playthrough(path).run() {
        Ok(report) => println!("{name}: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn the_document_profile_passes() {
    passes(Kit::of(Battle::def()).settings(json!({"stake": 1})), "document");
}

#[test]
fn the_standard_profile_passes() {
    let settings = json!({"profile": "standard", "prepMs": 3000, "stake": 1, "stopAtZero": true});
    passes(Kit::of(Battle::def()).settings(settings), "standard");
}

#[test]
fn hands_of_other_cards_pass() {
    let hands = json!([["attack", "attack", "heal", "counter"], ["heal", "heal", "heal", "heal"]]);
    let kit = Kit::of(Battle::def()).settings(json!({"hands": hands})).matches(10, 6);
    kit.run().unwrap_or_else(|why| panic!("{why}"));
}

#[test]
fn random_matches_replay_identically() {
    for seed in 0..500 {
        let def = Battle::def();
        let play = random_match(def, &json!({"stake": 1}), 2, seed);
        assert!(play.outcome().is_some(), "{seed}: the match does not end");
        let again = Match::replay(def, play.header().clone(), play.records().to_vec());
        let again = again.unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(again.footer(), play.footer(), "{seed}");
    }
}

#[test]
fn the_typescript_of_its_screen_is_that_of_its_types() {
    parlor_testkit::typescript::types_match::<parlor_battle::View, parlor_battle::Event>(env!(
        "CARGO_MANIFEST_DIR"
    ));
}
