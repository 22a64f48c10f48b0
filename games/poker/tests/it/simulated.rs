//! Simulated tables go on from hand to hand in place. Debug builds look at every hand whether it is the one that would be
//! started from what is carried over.

use parlor_core::sim::Job;
use parlor_core::{Game, Json};
use parlor_poker::Poker;
use serde_json::json;

fn job(settings: Json) -> Job {
    Job { settings, seats: 6, seed: 1, bots: false }
}

#[test]
fn a_simulated_table_goes_on_as_one_that_is_carried_over() {
    let sit_and_go = json!({"format": "sitAndGo", "startingStack": 300});
    let standard = json!({"profile": "standard", "straddle": true, "runItTwice": true, "ante": 1});
    for settings in [standard, json!({"variants": ["F2L3D", "PO"]}), sit_and_go] {
        let tally = Poker::def().sim(&job(settings.clone()), 0, 2).expect("it can be played");
        assert!(tally.matches == 2 && tally.inputs > 100 && tally.endless == 0, "{settings}: {tally:?}");
    }
}

/// The digest was made when every match was started from a copy.
#[test]
fn simulated_hands_stay_the_same() {
    let tally = Poker::def().sim(&job(Json::Null), 0, 3).expect("it can be played");
    assert_eq!(format!("{:016x}", tally.digest), "24b73094ca871a3f");
}
