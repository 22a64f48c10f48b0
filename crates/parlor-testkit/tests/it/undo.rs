//! Who may undo what.

use parlor_core::Game;
use parlor_core::{AskId, Body, By, Json, Match, Refusal, Seat, Undo, Viewer};
use parlor_testkit::probes::peek::Peek;
use serde_json::json;

use crate::asker::{answer, ask_with, pick};

const S0: Seat = Seat::new(0);
const S1: Seat = Seat::new(1);

fn turns(order: &[u8], no_undo: bool) -> Json {
    let stage = |(n, seat): (usize, &u8)| json!({"mode": "single", "id": n, "no_undo": no_undo, "selectors": [[seat, pick("A", &["x", "y"])]]});
    Json::Array(order.iter().enumerate().map(stage).collect())
}

fn undo(play: &mut Match, seat: Seat) -> Result<(), Refusal> {
    let to = play.last_answer(seat)?;
    play.apply(later(play), By::Human, None, Body::Undo { seat, to }).map(|_| ())
}

fn later(play: &Match) -> u64 {
    play.records().last().map_or(0, |record| record.at) + 1
}

fn refused(play: &mut Match, seat: Seat, code: &str) {
    let (digest, records) = (play.digest(), play.records().len());
    assert_eq!(undo(play, seat).expect_err("refused").code().text(), code);
    assert_eq!((play.digest(), play.records().len()), (digest, records), "a refused undo changes nothing");
}

#[test]
fn own_takes_back_the_last_answer_while_nobody_has_answered_since() {
    // cites 000/R5
    let mut play = ask_with(2, json!({"stages": turns(&[0, 1, 0], false)}), Undo::Own);
    refused(&mut play, S0, "no_more_actions");
    let before = play.view(Viewer::Gallery);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    undo(&mut play, S0).expect("nothing has happened since");
    assert_eq!(play.view(Viewer::Gallery), before);
    assert_eq!((play.rewinds(), play.records().len()), (1, 2), "the log only grows");
    answer(&mut play, 0, "A", &["y"]).expect("taken");
    answer(&mut play, 1, "A", &["x"]).expect("taken");
    refused(&mut play, S0, "no_undo");
}

#[test]
fn own_does_not_go_back_over_luck() {
    // cites 000/R5
    let mut play = ask_with(1, json!({"stages": turns(&[0, 0], false), "dice": true}), Undo::Own);
    answer(&mut play, 0, "A", &["x"]).expect("taken, and a die rolled");
    refused(&mut play, S0, "no_undo");
}

#[test]
fn none_and_final_answers_and_finished_matches_refuse() {
    // cites 000/R5
    let mut none = ask_with(1, json!({"stages": turns(&[0, 0], false)}), Undo::None);
    answer(&mut none, 0, "A", &["x"]).expect("taken");
    refused(&mut none, S0, "no_undo");
    let mut last = ask_with(1, json!({"stages": turns(&[0, 0], true)}), Undo::Own);
    answer(&mut last, 0, "A", &["x"]).expect("taken");
    refused(&mut last, S0, "no_undo");
    let mut over = ask_with(1, json!({"stages": turns(&[0], false)}), Undo::Own);
    answer(&mut over, 0, "A", &["x"]).expect("taken, and the match is over");
    let refusal =
        over.apply(later(&over), By::Human, None, Body::Undo { seat: S0, to: 1 }).expect_err("over");
    assert_eq!(refusal.code().text(), "ended");
}

#[test]
fn automatic_answers_in_between_go_too() {
    // cites 000/R5
    let stages = json!([
        {"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]},
        {"mode": "single", "id": 2, "auto": true, "selectors": [[1, pick("B", &["only"])]]},
        {"mode": "single", "id": 3, "selectors": [[0, pick("C", &["x", "y"])]]}]);
    let mut play = ask_with(2, json!({"stages": stages}), Undo::Own);
    answer(&mut play, 0, "A", &["x"]).expect("taken, and the forced one with it");
    undo(&mut play, S0).expect("an automatic answer is nobody's answer");
    assert_eq!(crate::asker::results(&play), json!([]));
}

fn vote(play: &mut Match, seat: Seat, yes: bool) -> Result<(), Refusal> {
    let title = play.request(seat, AskId::UNDO).title;
    let answer = json!({"title": title, "selection": [if yes { "yes" } else { "no" }]});
    play.apply(later(play), By::Human, None, Body::Answer { seat, ask: AskId::UNDO, answer }).map(|_| ())
}

#[test]
fn consent_asks_every_other_seat_and_all_must_agree() {
    // cites 000/R5
    let mut play = ask_with(3, json!({"stages": turns(&[0, 1, 2, 0], false)}), Undo::Consent);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    answer(&mut play, 1, "A", &["x"]).expect("taken");
    undo(&mut play, S0).expect("asked for");
    assert_eq!(play.rewinds(), 0, "nothing has gone back yet");
    assert!(
        play.open_requests(S0).is_empty() && play.open_requests(S1).len() == 1,
        "a normal request, with an id of its own"
    );
    vote(&mut play, S1, true).expect("agreed");
    assert_eq!(play.rewinds(), 0, "all must agree");
    vote(&mut play, Seat::new(2), true).expect("agreed");
    assert_eq!((play.rewinds(), crate::asker::results(&play)), (1, json!([])));
    answer(&mut play, 0, "A", &["y"]).expect("taken");
    undo(&mut play, S0).expect("asked for");
    vote(&mut play, S1, false).expect("one says no");
    assert_eq!(play.rewinds(), 1);
    assert_eq!(vote(&mut play, Seat::new(2), true).expect_err("it is decided").code().text(), "not_asked");
}

#[test]
fn what_nobody_knows_is_shuffled_again_after_an_undo() {
    // cites 000/R5
    let mut drawn = std::collections::BTreeSet::new();
    let header =
        parlor_core::Header::seeded(&Peek::def(), 2, Json::Null, parlor_core::Seed::from_text("peek"));
    let (mut play, _) = Match::start(Peek::def(), header).expect("starts");
    for _ in 0..30 {
        let answer = json!({"title": "Your turn", "selection": ["draw"]});
        let ask = play.open_requests(S0)[0].ask;
        play.apply(later(&play), By::Human, None, Body::Answer { seat: S0, ask, answer }).expect("taken");
        drawn.insert(play.view(S0.into())["hands"][0][0].as_u64().expect("he sees his card"));
        undo(&mut play, S0).expect("asked for");
        vote(&mut play, S1, true).expect("agreed");
    }
    assert!(drawn.len() >= 6, "thirty second looks showed only {drawn:?} of eight cards");
    let replayed =
        Match::replay(*play.def(), play.header().clone(), play.records().to_vec()).expect("replays");
    assert_eq!(replayed.digest(), play.digest());
}

#[test]
fn the_dice_fall_anew_after_an_undo() {
    // cites 000/R5
    let mut play = ask_with(2, json!({"stages": turns(&[0, 0], false), "dice": true}), Undo::Consent);
    let mut rolled = std::collections::BTreeSet::new();
    for _ in 0..30 {
        answer(&mut play, 0, "A", &["x"]).expect("taken, and a die rolled");
        rolled.insert(play.view(Viewer::Gallery)["rolled"][0].as_u64().expect("a die"));
        undo(&mut play, S0).expect("asked for");
        vote(&mut play, S1, true).expect("agreed");
    }
    assert!(rolled.len() >= 4, "thirty throws showed only {rolled:?}");
}
