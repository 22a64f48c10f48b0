//! Tests of oxo.

use parlor_core::Game as _;
use parlor_oxo::Oxo;
use parlor_testkit::Kit;

#[test]
fn oxo_passes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/playthrough.txt");
    match Kit::of(Oxo::def()).playthrough(path).run() {
        Ok(report) => println!("{}", report.text()),
        Err(why) => panic!("{why}"),
    }
}
