//! Every game passes everything.

use parlor_classics::Hearts;
use parlor_core::{Entry, Match};
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
    passes(Kit::of(parlor_script::entry::<Hearts>()).matches(10, 3), "hearts");
}
