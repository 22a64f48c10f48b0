//! The served table passes the testkit: restarts, twins, conservation, bad input and replay, in every format.

use parlor_core::Game;
use parlor_poker::Poker;
use parlor_testkit::Kit;
use serde_json::{Value, json};

fn passes(name: &str, seats: u8, settings: Value, matches: u64, deep: u64) {
    let kit = Kit::of(Poker::def()).settings(settings).seats(seats).matches(matches, deep);
    match kit.run() {
        Ok(report) => println!("{name}: {}", report.text()),
        Err(why) => panic!("{name}: {}", why.chars().take(6_000).collect::<String>()),
    }
}

/// A ring game that closes after a few hands, or when nobody can play.
fn ring(more: &Value) -> Value {
    let mut settings = json!({
        "buyInMin": 10, "buyInMax": 60, "hands": 2, "idleCloseMs": 20_000, "timeoutsToSitOut": 0,
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        settings[name] = value.clone();
    }
    settings
}

#[test]
fn the_document_profile_passes() {
    passes("document", 3, ring(&json!({})), 12, 3);
}

#[test]
fn the_standard_profile_passes() {
    let settings = json!({
        "profile": "standard", "straddle": true, "runItTwice": true, "rakeBasisPoints": 500, "rakeCap": 3,
        "awayGraceMs": 3_000, "rebuyMs": 6_000, "maxPauseMs": 9_000,
    });
    passes("standard", 4, ring(&settings), 12, 3);
}

#[test]
fn stud_and_draw_pass() {
    let settings = json!({"variants": ["F2L3D", "F7S"], "ante": 1, "bringIn": 1, "runOutMs": 0, "hands": 2});
    passes("draw and stud", 3, ring(&settings), 8, 3);
}

#[test]
fn a_sit_and_go_passes() {
    let levels = json!([
        {"smallBlind": 10, "bigBlind": 20, "ante": 0, "minutes": 1, "breakMinutes": 1},
        {"smallBlind": 100, "bigBlind": 200, "ante": 10, "minutes": 1, "breakMinutes": 0},
    ]);
    let settings = json!({
        "format": "sitAndGo", "buyIn": 7, "startingStack": 300, "levels": levels, "payouts": [6_000, 4_000],
    });
    passes("sit-and-go", 3, settings, 8, 2);
}

#[test]
fn the_typescript_of_its_screen_is_that_of_its_types() {
    parlor_testkit::typescript::types_match::<parlor_poker::Shown<'static>, parlor_poker::Told>(env!(
        "CARGO_MANIFEST_DIR"
    ));
}
