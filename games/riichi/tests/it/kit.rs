//! The game passes the testkit: restart at every record, twins for every viewer, bad answers, a faulty network.

use parlor_core::{Game, Json, Match, Viewer};
use parlor_riichi::game::Riichi;
use parlor_testkit::random::random_match;
use parlor_testkit::twins::{self, Compared};
use parlor_testkit::world::{Plan, World, test_luck};
use parlor_testkit::{Kit, bad, net, random, restart};
use serde_json::json;

/// A game that ends with the first payment: one round, seldom more.
fn short(profile: &str) -> Json {
    json!({
        "profile": profile, "game_type": "east", "enchousen": "none",
        "start_points": 1000, "target_points": 1000, "winning_threshold": 1000, "tobi_threshold": 1000,
    })
}

/// Plays one match and looks closely at every so many steps: a whole round has too many to look at each.
fn look_closely(settings: &Json, every: usize, restarts: bool) -> (u64, Compared) {
    let plan = Plan { settings: settings.clone(), ..Plan::of(Riichi::def(), 4, "closely") };
    let mut rng = test_luck(11);
    let mut world = World::open(plan.clone());
    let (mut refused, mut compared) = (0, Compared::default());
    for step in 0.. {
        if step % every == 0 {
            refused += bad::answers(&mut world, &mut rng).unwrap_or_else(|why| panic!("step {step}: {why}"));
            for viewer in Viewer::all(4) {
                let found = twins::compare(&world, viewer, &mut rng, 6);
                compared.add(found.unwrap_or_else(|why| panic!("step {step}: {why}")));
            }
        }
        if !random::step(&mut world, &mut rng) {
            break;
        }
        world.check();
        assert_eq!(world.violations, Vec::<String>::new(), "step {step}");
    }
    assert!(world.view().finished(), "the match ends");
    if !restarts {
        return (refused, compared);
    }
    let restarts = restart::after_every_record(&world, &mut rng).unwrap_or_else(|why| panic!("{why}"));
    assert!(restarts > 50, "{restarts} restarts");
    net::faulty_network(&plan, 1).unwrap_or_else(|why| panic!("{why}"));
    net::crashes(&plan, 1).unwrap_or_else(|why| panic!("{why}"));
    (refused, compared)
}

fn passes(profile: &str, every: usize, restarts: bool) {
    let settings = short(profile);
    let report = Kit::of(Riichi::def()).settings(settings.clone()).matches(2, 0).run();
    println!("{profile}: {}", report.unwrap_or_else(|why| panic!("{why}")).text());
    let (refused, compared) = look_closely(&settings, every, restarts);
    println!("{profile}: {refused} bad answers, {compared:?}");
    assert!(compared.different > 60 && compared.steps > 120, "the twins prove too little: {compared:?}");
}

/// Restarts give the same bytes, a refused answer changes nothing, and nobody can tell by words or by time what tiles the
/// others hold, what lies in the wall, or whether somebody could have called. Cites 003-14, 003/R6, 003/R19.
#[test]
fn the_standard_profile_passes() {
    // The other profile looks at restarts: this one has several times as many records, which are the same code.
    passes("standard", 20, false);
}

/// As above; only that a window stands may be noticed, because the document's window has no least time.
#[test]
fn the_document_profile_passes() {
    passes("document", 6, true);
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
