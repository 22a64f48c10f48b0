//! Every probe passes the whole kit.

use parlor_core::Game;
use parlor_core::GameDef;
use parlor_testkit::Kit;
use parlor_testkit::probes::{boom, cash, peek, ring, sealed, slow, window};

fn passes(def: GameDef, seats: u8) {
    let path = format!("{}/tests/playthroughs/{}.txt", env!("CARGO_MANIFEST_DIR"), def.name);
    match Kit::of(def).seats(seats).playthrough(path).run() {
        Ok(report) => println!("{}: {}", def.name, report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn window_passes() {
    passes(window::Window::def(), 3);
}

#[test]
fn sealed_passes() {
    passes(sealed::Sealed::def(), 2);
}

#[test]
fn cash_passes() {
    passes(cash::Cash::def(), 3);
}

#[test]
fn peek_passes() {
    passes(peek::Peek::def(), 2);
}

#[test]
fn slow_passes() {
    passes(slow::Slow::def(), 2);
}

#[test]
fn boom_passes() {
    passes(boom::Boom::def(), 2);
}

/// Seats fill and empty while hands follow one another.
#[test]
fn ring_passes() {
    let path = format!("{}/tests/playthroughs/ring.txt", env!("CARGO_MANIFEST_DIR"));
    let settings = serde_json::json!({"hands": 4});
    match Kit::of(ring::Ring::def()).settings(settings).seats(3).playthrough(path).run() {
        Ok(report) => println!("ring: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}
