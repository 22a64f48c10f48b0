//! Many random matches: each replays to its digest. `PARLOR_SOAK_MATCHES` sets how many; the digests of the first few
//! are kept in a file, so that every profile and every machine must agree.

use parlor_core::Game;
use std::fmt::Write as _;

use parlor_core::{GameDef, Json, Match};
use parlor_testkit::random::random_match;

fn games() -> Vec<GameDef> {
    parlor_testkit::probes::all().into_iter().chain([parlor_oxo::Oxo::def()]).collect()
}

fn wanted() -> u64 {
    std::env::var("PARLOR_SOAK_MATCHES").ok().and_then(|text| text.parse().ok()).unwrap_or(2000)
}

#[test]
fn soak_random_matches_replay_to_the_same_digest() {
    // cites 000-1
    let each = wanted().div_ceil(games().len() as u64);
    let mut replayed = 0;
    for def in games() {
        for n in 0..each {
            let (fewest, most) = def.seats;
            let seats = fewest + (n % u64::from(most - fewest + 1)) as u8;
            let play = random_match(def, &Json::Null, seats, n);
            let again = Match::replay(def, play.header().clone(), play.records().to_vec()).expect("replays");
            assert_eq!(again.footer(), play.footer(), "{} match {n}", def.name);
            replayed += 1;
        }
    }
    println!("{replayed} random matches replayed, 0 differences");
}

#[test]
fn digests_agree_in_every_profile() {
    let mut text = String::new();
    for def in games() {
        for n in 0..20 {
            let footer = random_match(def, &Json::Null, def.seats.0, 1000 + n).footer();
            let _ = writeln!(text, "{} {n} {} {}", def.name, footer.digest, &footer.chain[..16]);
        }
    }
    let path = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/digests.txt"));
    parlor_testkit::playthrough::compare(&text, &path).unwrap_or_else(|why| panic!("{why}"));
}
