//! The game passes the testkit: restart at every record, twins for every viewer, bad answers, a faulty network.

use parlor_core::{Game, Match};
use parlor_riichi::game::Riichi;
use parlor_testkit::Kit;
use parlor_testkit::random::random_match;
use serde_json::json;

fn passes(kit: Kit, name: &str) {
    match kit.run() {
        Ok(report) => println!("{name}: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn the_standard_profile_passes() {
    let settings = json!({"profile": "standard", "game_type": "east", "enchousen": "none"});
    passes(Kit::of(Riichi::def()).settings(settings).matches(4, 1), "standard");
}

#[test]
fn the_document_profile_passes() {
    let settings = json!({"game_type": "east", "enchousen": "none"});
    passes(Kit::of(Riichi::def()).settings(settings).matches(4, 1), "document");
}

#[test]
fn random_matches_replay_identically() {
    for seed in 0..10 {
        let settings = json!({"game_type": "east", "enchousen": "none", "preset": "tenhou"});
        let play = random_match(Riichi::def(), &settings, 4, seed);
        assert!(play.outcome().is_some(), "{seed}: the match does not end");
        let again = Match::replay(Riichi::def(), play.header().clone(), play.records().to_vec());
        let again = again.unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert_eq!(again.footer(), play.footer(), "{seed}");
    }
}
