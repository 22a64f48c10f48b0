//! Every game passes the testkit.

use parlor_classics::{Draft, Hearts, Sharing};
use parlor_core::{GameDef, Match};
use parlor_script::Script as _;
use parlor_testkit::Kit;
use parlor_testkit::random::random_match;

fn passes(kit: Kit, name: &str) {
    let path = format!("{}/tests/playthroughs/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    match kit.playthrough(path).run() {
        Ok(report) => println!("{name}: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn hearts_passes() {
    passes(Kit::of(Hearts::def()).matches(10, 3), "hearts");
}

#[test]
fn draft_passes() {
    passes(Kit::of(Draft::def()).seats(3).matches(20, 4), "draft");
}

#[test]
fn sharing_passes() {
    passes(Kit::of(Sharing::def()).seats(3).matches(20, 6), "sharing");
}

/// Random matches, each replayed from its log: 2,000 here, `PARLOR_SOAK_MATCHES` in a soak.
fn replays(def: GameDef, seats: u8) {
    let matches = std::env::var("PARLOR_SOAK_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    for seed in 0..matches {
        let play = random_match(def, &serde_json::Value::Null, seats, seed);
        assert!(play.outcome().is_some(), "{} {seed}: the match does not end", def.name);
        let again = Match::replay(def, play.header().clone(), play.records().to_vec());
        let again = again.unwrap_or_else(|error| panic!("{} {seed}: {error}", def.name));
        assert_eq!(again.footer(), play.footer(), "{} {seed}", def.name);
    }
    println!("{}: {matches} random matches replay identically", def.name);
}

#[test]
fn hearts_replays() {
    // cites 000-1
    replays(Hearts::def(), 4);
}

#[test]
fn draft_replays() {
    replays(Draft::def(), 4);
}

#[test]
fn sharing_replays() {
    replays(Sharing::def(), 3);
}
