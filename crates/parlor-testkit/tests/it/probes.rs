//! Every probe passes everything.

use parlor_core::Entry;
use parlor_testkit::Kit;
use parlor_testkit::probes::{boom, cash, peek, sealed, slow, window};

fn passes(entry: Entry, seats: u8) {
    let path = format!("{}/tests/playthroughs/{}.txt", env!("CARGO_MANIFEST_DIR"), entry.name);
    match Kit::of(entry).seats(seats).playthrough(path).run() {
        Ok(report) => println!("{}: {}", entry.name, report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn window_passes() {
    passes(Entry::of::<window::Window>(), 3);
}

#[test]
fn sealed_passes() {
    passes(Entry::of::<sealed::Sealed>(), 2);
}

#[test]
fn cash_passes() {
    passes(Entry::of::<cash::Cash>(), 3);
}

#[test]
fn peek_passes() {
    passes(Entry::of::<peek::Peek>(), 2);
}

#[test]
fn slow_passes() {
    passes(Entry::of::<slow::Slow>(), 2);
}

#[test]
fn boom_passes() {
    passes(Entry::of::<boom::Boom>(), 2);
}

#[test]
fn oxo_passes() {
    passes(Entry::of::<parlor_classics::Oxo>(), 2);
}
