//! The game passes the testkit.

use parlor_hearts::Hearts;
use parlor_script::Script as _;
use parlor_testkit::{Kit, random};

#[test]
fn hearts_passes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/playthrough.txt");
    match Kit::of(Hearts::def()).matches(10, 3).playthrough(path).run() {
        Ok(report) => println!("{}", report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn hearts_replays() {
    // cites 000-1
    random::replays(Hearts::def(), 4);
}

#[test]
fn the_typescript_of_its_screen_is_that_of_its_types() {
    parlor_testkit::typescript::types_match::<parlor_hearts::View, parlor_hearts::Event>(env!(
        "CARGO_MANIFEST_DIR"
    ));
}
