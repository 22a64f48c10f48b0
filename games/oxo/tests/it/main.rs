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

#[test]
fn the_typescript_of_its_screen_is_that_of_its_types() {
    parlor_testkit::typescript::types_match::<parlor_oxo::View, parlor_oxo::Event>(env!(
        "CARGO_MANIFEST_DIR"
    ));
}
