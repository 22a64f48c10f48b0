//! Undo in a script.

use parlor_core::{AskId, Body, By, Match, Response, Seat};
use serde_json::json;

use crate::small::{A, B, C, Scene, answer, asked, notes, start};

/// Seat 0 asks to go back to before this record, and all others agree.
fn go_back(play: &mut Match, to: u32) {
    play.apply(0, By::Human, None, Body::Undo { seat: A, to }).expect("the undo is asked for");
    for seat in [B, C] {
        let yes: Response = play.request(seat, AskId::UNDO).to_answer(&[0]);
        let answer = serde_json::to_value(yes).expect("a response is plain data");
        play.apply(0, By::Human, None, Body::Answer { seat, ask: AskId::UNDO, answer }).expect("agreed");
    }
}

#[test]
fn an_undo_brings_the_script_back_and_it_goes_on() {
    // cites 000/R5
    let mut play = start(Scene::Rounds);
    for _ in 0..25 {
        answer(&mut play, A, json!(["yes"]));
    }
    let rounds = |play: &Match| play.view(Seat::new(0).into())["rounds"].as_u64();
    assert_eq!(rounds(&play), Some(25));
    go_back(&mut play, 23);
    assert_eq!(rounds(&play), Some(22), "in the open segment");
    go_back(&mut play, 5);
    assert_eq!(rounds(&play), Some(4), "over a seam");
    answer(&mut play, A, json!(["no"]));
    assert_eq!(rounds(&play), Some(5));
    let again = Match::replay(*play.def(), play.header().clone(), play.records().to_vec()).expect("replays");
    assert_eq!(again.digest(), play.digest());
}

#[test]
fn a_script_that_cannot_shuffle_again_does_not_go_back_past_a_draw() {
    // cites 000/R5
    let mut play = start(Scene::Rng);
    answer(&mut play, A, json!(["yes"]));
    let refused =
        play.apply(0, By::Human, None, Body::Undo { seat: A, to: 1 }).expect_err("it cannot be reshuffled");
    assert_eq!(refused.code().text(), "no_undo");
    assert_eq!(notes(&play).len(), 2);
    assert!(asked(&play, A).is_some());
}
