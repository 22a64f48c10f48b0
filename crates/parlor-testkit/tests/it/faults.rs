//! The kit catches each planted fault.

use parlor_core::Game;
use parlor_core::GameDef;
use parlor_testkit::Kit;
use parlor_testkit::probes::{Fault, Settings, cash, peek, sealed, window};

/// The kit must fail, and for the planted reason.
fn caught(def: GameDef, seats: u8, fault: Fault, by: &str) {
    let settings = serde_json::to_value(Settings { fault }).expect("settings are plain data");
    match Kit::of(def).seats(seats).settings(settings).run() {
        Ok(report) => panic!("{fault:?} went unnoticed: {}", report.text()),
        Err(why) => assert!(why.contains(by), "{fault:?} was caught for another reason: {why}"),
    }
}

const WINDOW: GameDef = GameDef::for_game::<window::Window>();
const PEEK: GameDef = GameDef::for_game::<peek::Peek>();

#[test]
fn a_hash_of_the_whole_state_in_a_view() {
    caught(WINDOW, 3, Fault::StateHash, "twins_look_alike");
    caught(PEEK, 2, Fault::StateHash, "twins_look_alike");
}

#[test]
fn an_id_that_follows_from_a_face() {
    caught(WINDOW, 3, Fault::FaceId, "twins_look_alike");
    caught(PEEK, 2, Fault::FaceId, "twins_look_alike");
}

#[test]
fn a_list_of_whom_the_game_waits_for() {
    caught(WINDOW, 3, Fault::WaitingFor, "twins_look_alike");
}

#[test]
fn a_pause_only_when_somebody_can_act() {
    caught(WINDOW, 3, Fault::PauseOnlyWhenAsked, "twins_look_alike");
}

#[test]
fn the_order_of_a_hash_map() {
    // Twins would catch it too: without them, replay must.
    let settings =
        serde_json::to_value(Settings { fault: Fault::HashMapOrder }).expect("settings are plain data");
    let why = Kit::of(PEEK).settings(settings).matches(5, 0).run().expect_err("a hash map has no order");
    assert!(why.contains("clone = original") || why.contains("same_log_same_bytes"), "{why}");
}

#[test]
fn one_bit_of_the_next_card() {
    caught(PEEK, 2, Fault::NextCardBit, "twins_look_alike");
}

#[test]
fn a_draft_that_others_notice() {
    caught(sealed::Sealed::def(), 2, Fault::DraftTold, "twins_look_alike");
}

#[test]
fn a_counter_shared_by_all_requests() {
    caught(WINDOW, 3, Fault::SharedCounter, "twins_look_alike");
}

#[test]
fn an_undo_that_keeps_the_deck() {
    caught(PEEK, 2, Fault::UndoKeepsDeck, "keeps the deck");
}

#[test]
fn a_payment_without_a_posting() {
    caught(cash::Cash::def(), 3, Fault::LostPosting, "chips_are_conserved");
}
