//! The game passes the testkit.

use parlor_draft::Draft;
use parlor_script::Script as _;
use parlor_testkit::{Kit, random};

#[test]
fn draft_passes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/playthrough.txt");
    match Kit::of(Draft::def()).seats(3).matches(20, 4).playthrough(path).run() {
        Ok(report) => println!("{}", report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn draft_replays() {
    random::replays(Draft::def(), 4);
}

#[test]
fn the_typescript_of_its_screen_is_that_of_its_types() {
    parlor_testkit::typescript::types_match::<parlor_draft::View<'static>, parlor_draft::Event>(env!(
        "CARGO_MANIFEST_DIR"
    ));
}
