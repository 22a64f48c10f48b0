//! The draft: simultaneous picks, undo of one's own pick, and decks chosen by all seats at once.

use parlor_core::{AnswerTarget, Body, By, Json, Match, Seat, Viewer};
use parlor_draft::Draft;
use parlor_script::Script as _;
use serde_json::json;

use parlor_testkit::moves::{answer, asked, bot, choices, start, title};

const A: Seat = Seat::new(0);
const B: Seat = Seat::new(1);
const C: Seat = Seat::new(2);

fn draft() -> Match {
    start(Draft::def(), 3, Json::Null, "draft")
}

#[test]
fn two_picks_at_once_never_conflict() {
    // cites 000-10, 000-23, 000/R2, 000/R4
    let mut play = draft();
    // Both read their request, and then both send: each submission names the input that its client saw.
    let head = play.head(B.into());
    let input = play.open_requests(B)[0].input;
    let pick = choices(&play, B)[0].clone();
    let first = choices(&play, A)[0].clone();
    answer(&mut play, A, &[&first]).expect("seat 0 was first");
    assert_eq!(choices(&play, B)[0], pick, "its pack is as it was");
    for target in [AnswerTarget::Head(head), AnswerTarget::Input(input)] {
        let ask = play.resolve(B, target, None).expect("the request still stands");
        let answer = json!({"title": "Draft a card", "selection": [pick]});
        assert!(play.check(B, ask, &answer).is_ok());
    }
    answer(&mut play, B, &[&pick]).expect("and seat 1 was second");
    let view = play.view(Viewer::Gallery);
    assert_eq!(view["counts"], json!([1, 1, 0]));
}

#[test]
fn nobody_sees_what_another_takes() {
    let mut play = draft();
    let pick = choices(&play, A)[0].clone();
    answer(&mut play, A, &[&pick]).expect("taken");
    assert_eq!(play.view(A.into())["picked"], json!([pick]));
    for viewer in [Viewer::Seat(C), Viewer::Gallery] {
        let text = play.view(viewer).to_string();
        assert!(!text.contains(&pick), "{viewer}: {text}");
        assert!(text.contains("Seat {seat} took a card"), "{viewer}: {text}");
    }
}

#[test]
fn a_seat_takes_back_its_own_last_pick_until_somebody_acts_on_it() {
    // cites 000/R5
    let mut play = draft();
    let (pack, pick) = (choices(&play, A), choices(&play, A)[0].clone());
    answer(&mut play, A, &[&pick]).expect("taken");
    let to = play.last_answer(A).expect("nothing has followed from it");
    let undo = |seat| Body::Undo { seat, to };
    assert!(play.apply(0, By::Human, None, undo(B)).is_err(), "only its own");
    play.apply(0, By::Human, None, undo(A)).expect("seat 0 takes it back");
    assert_eq!(choices(&play, A), pack);

    answer(&mut play, A, &[&pick]).expect("taken again");
    let other = choices(&play, B)[0].clone();
    answer(&mut play, B, &[&other]).expect("and another seat picks");
    assert_eq!(play.last_answer(A).expect_err("too late").code().text(), "no_undo");
}

#[test]
fn a_pick_stays_when_its_pack_was_shown_to_somebody() {
    // cites 000/R5
    let mut play = draft();
    let pick = choices(&play, B)[0].clone();
    answer(&mut play, B, &[&pick]).expect("seat 1 waits for another pack now");
    let pick = choices(&play, A)[0].clone();
    answer(&mut play, A, &[&pick]).expect("which it is shown at once");
    assert_eq!(play.last_answer(A).expect_err("seat 1 has seen what is left").code().text(), "no_undo");
}

#[test]
fn decks_are_chosen_by_all_and_laid_open_together() {
    // cites 000-3, 000-9, 000-23
    let mut play = draft();
    while title(&play, A).as_deref() != Some("Build your deck") {
        let seat = asked(&play)[0];
        bot(&mut play, seat);
    }
    assert_eq!(asked(&play), [A, B, C]);
    for seat in [C, A] {
        bot(&mut play, seat);
        assert_eq!(play.view(Viewer::Gallery)["decks"], json!([[], [], []]));
    }
    bot(&mut play, B);
    let view = play.view(Viewer::Gallery);
    let sizes: Vec<usize> = (0..3).map(|n| view["decks"][n].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(sizes, [6, 6, 6]);
    assert!(play.outcome().is_some());
}
