//! The game passes the testkit.

use parlor_script::Script as _;
use parlor_sharing::Sharing;
use parlor_testkit::{Kit, random};

#[test]
fn sharing_passes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/playthrough.txt");
    match Kit::of(Sharing::def()).seats(3).matches(20, 6).playthrough(path).run() {
        Ok(report) => println!("{}", report.text()),
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn sharing_replays() {
    random::replays(Sharing::def(), 3);
}

#[test]
fn the_typescript_of_its_screen_is_that_of_its_types() {
    parlor_testkit::typescript::types_match::<parlor_sharing::View, parlor_sharing::Event>(env!(
        "CARGO_MANIFEST_DIR"
    ));
}
