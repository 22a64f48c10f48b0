//! The kinds of requests, and what the script gets for each.

use parlor_core::{AnswerTarget, Ask, Body, By, Viewer};
use serde_json::json;

use crate::small::{A, B, C, Scene, answer, asked, notes, start, submit};

#[test]
fn a_single_request_gives_the_selection_as_a_list() {
    // cites 000-2, 000-8
    let mut play = start(Scene::Single);
    assert!(asked(&play, A).is_some() && asked(&play, B).is_none());
    let refused = submit(&mut play, B, json!(["green"])).expect_err("only seat 0 is asked");
    assert_eq!(refused.code().text(), "not_asked");
    answer(&mut play, A, json!(["green"]));
    assert_eq!(notes(&play), [r#"["green"]"#]);
    assert!(play.outcome().is_some());
}

#[test]
fn many_answers_come_in_selector_order_whatever_the_order_of_arrival() {
    // cites 000-3, 000-9, 000/R2
    let orders = [[A, B, C], [A, C, B], [B, A, C], [B, C, A], [C, A, B], [C, B, A]];
    let mut digests = Vec::new();
    for order in orders {
        let mut play = start(Scene::Many);
        for seat in order {
            assert!(play.outcome().is_none() && notes(&play).is_empty(), "nothing is done before all are in");
            answer(
                &mut play,
                seat,
                json!([["ace", "queen"], ["king", "ace"], ["queen", "king"]][seat.index()]),
            );
        }
        digests.push((notes(&play), play.view(Viewer::Gallery)));
    }
    let got = [
        "(2, [\"queen\", \"king\"], false)",
        "(0, [\"ace\", \"queen\"], false)",
        "(1, [\"king\", \"ace\"], false)",
    ];
    assert_eq!(digests[0].0, got);
    assert!(digests.iter().all(|other| *other == digests[0]), "the order of arrival makes no difference");
}

#[test]
fn nobody_notices_an_answer_before_all_are_in() {
    // cites 000-9, 000/R2, 000/R4
    let mut play = start(Scene::Many);
    let before: Vec<_> = Viewer::all(3).map(|v| (play.view(v), play.head(v))).collect();
    let requests_changed = [asked(&play, B), asked(&play, C)];
    let applied = answer(&mut play, A, json!(["ace", "king"]));
    assert!(
        applied.events.is_empty() && !applied.requests_changed.has(B) && !applied.requests_changed.has(C)
    );
    assert_eq!([asked(&play, B), asked(&play, C)], requests_changed);
    for (viewer, before) in Viewer::all(3).zip(before).filter(|(viewer, _)| *viewer != Viewer::Seat(A)) {
        assert_eq!((play.view(viewer), play.head(viewer)), before, "{viewer}");
    }
}

#[test]
fn a_forced_answer_in_a_group_comes_by_itself_and_a_secret_one_does_not() {
    // cites 000-3, 000-19, 000/R10
    let mut play = start(Scene::ManyForced);
    assert!(asked(&play, B).is_none(), "seat 1 has no choice, and everybody knows it");
    answer(&mut play, A, json!(["ace", "king"]));
    answer(&mut play, C, json!(["ace", "king"]));
    assert_eq!(notes(&play)[2], "(1, [\"only\"], true)");

    let mut play = start(Scene::ManySecret);
    assert!(asked(&play, B).is_some(), "that seat 1 has no choice is a secret");
    for seat in [A, C] {
        answer(&mut play, seat, json!(["ace", "king"]));
    }
    assert!(play.outcome().is_none());
    answer(&mut play, B, json!(["only"]));
    assert_eq!(notes(&play)[2], "(1, [\"only\"], false)");
}

#[test]
fn any_goes_on_with_the_first_answer_and_the_others_stay_free() {
    // cites 000-4, 000-10
    let mut play = start(Scene::Any);
    answer(&mut play, C, json!(["king"]));
    assert_eq!(notes(&play), ["(2, \"king\")"]);
    assert!(asked(&play, A).is_some() && asked(&play, B).is_some() && asked(&play, C).is_none());
    answer(&mut play, A, json!(["ace"]));
    answer(&mut play, B, json!(["ace"]));
    assert_eq!(notes(&play), ["(2, \"king\")", "(0, \"ace\")", "(1, \"ace\")"]);
}

#[test]
fn a_submission_under_way_stays_good_when_another_seat_was_first() {
    // cites 000-10, 000/R2, 000/R4
    let mut play = start(Scene::Any);
    let (head, (_, input)) = (play.head(B.into()), asked(&play, B).expect("seat 1 is asked"));
    answer(&mut play, A, json!(["ace"]));
    assert_eq!(
        asked(&play, B).map(|(_, id)| id),
        Some(input),
        "the same title and choices: the same request"
    );
    for target in [AnswerTarget::Input(input), AnswerTarget::Head(head)] {
        assert!(play.resolve(B, target, None).is_ok(), "{target:?}");
    }
}

#[test]
fn other_choices_are_another_request() {
    // cites 000-10, 000/R2
    let mut play = start(Scene::AnyThenChanged);
    let (_, input) = asked(&play, B).expect("seat 1 is asked");
    let (_, kept) = asked(&play, C).expect("seat 2 is asked");
    answer(&mut play, A, json!(["ace"]));
    assert_ne!(asked(&play, B).map(|(_, id)| id), Some(input));
    assert_eq!(asked(&play, C).map(|(_, id)| id), Some(kept));
    assert_eq!(play.resolve(B, AnswerTarget::Input(input), None).expect_err("gone").code().text(), "stale");
}

#[test]
fn a_kept_request_is_kept_over_the_end_of_a_segment_and_in_every_copy() {
    // cites 000/R2
    let mut play = start(Scene::AnyOverSeam);
    for n in 0..6 {
        let inputs = [A, B, C].map(|seat| asked(&play, seat).map(|(_, id)| id));
        let seat = [A, C, B][n % 3];
        answer(&mut play, seat, json!(["king"]));
        let now = [A, B, C].map(|seat| asked(&play, seat).map(|(_, id)| id));
        for other in [A, B, C] {
            let same = now[other.index()] == inputs[other.index()];
            assert_eq!(same, other != seat, "only whoever answered is asked anew");
        }
        let copy = play.game().fork();
        assert_eq!((copy.open_asks(), copy.state()), (play.game().open_asks(), play.game().state()));
    }
}

#[test]
fn a_window_stands_for_its_time_whoever_has_a_choice_in_it() {
    // cites 000/R10
    let mut play = start(Scene::Window);
    for seat in [A, B] {
        assert!(asked(&play, seat).is_some());
        answer(&mut play, seat, json!(["pass"]));
    }
    assert!(play.outcome().is_none(), "all have answered, and the time is not over");
    let ask = play.open_asks()[0].id;
    play.apply(500, By::Clock, None, Body::Elapsed { ask, seat: None }).expect("now it is");
    assert_eq!(notes(&play), ["2"]);
}

#[test]
fn any_is_never_answered_by_itself() {
    // cites 000-4, 000/R10
    let play = start(Scene::AnyForced);
    assert!([A, B, C].iter().all(|seat| asked(&play, *seat).is_some()));
    assert!(notes(&play).is_empty());
}

#[test]
fn the_helpers_give_what_they_are_named_for() {
    // cites 000-20
    let mut play = start(Scene::Helpers);
    for selection in [json!(["green"]), json!(["8"]), json!(["9", "7"]), json!(["no"]), json!(["seat 2"])] {
        answer(&mut play, A, selection);
    }
    assert_eq!(notes(&play), [r#"["green"]"#, "8", "[9, 7]", "false", "2"]);
}

#[test]
fn choices_may_be_nested() {
    // cites 000-5, 000-6, 000-7
    let mut play = start(Scene::Nested);
    let pick = json!([{"title": "Dogma", "selection": ["Writing"]}]);
    answer(&mut play, A, pick);
    let answer = "Picks([Picked { index: 0, nested: [Picked { index: 1, nested: [] }] }])";
    assert_eq!(notes(&play), [answer]);
}

#[test]
fn faults_of_an_answer_are_named_and_change_nothing() {
    // cites 000-21, 000-22, 000/R1, 000/R9
    let mut play = start(Scene::Many);
    let digest = play.digest();
    let faults = [
        (json!(["ace"]), "Invalid number of options selected: expected 2-2, got 1"),
        (json!(["ace", "joker"]), "Selection joker didn't exist in the choices"),
    ];
    for (selection, text) in faults {
        assert_eq!(submit(&mut play, A, selection).expect_err("a fault").to_string(), text);
    }
    assert_eq!(play.digest(), digest);
    assert!(play.records().is_empty());

    let mut play = start(Scene::Nested);
    let mixed = json!(["Pass", {"title": "Meld", "selection": []}]);
    let text = submit(&mut play, A, mixed).expect_err("exclusive").to_string();
    assert!(text.starts_with("Exclusive choice mixed with other choices"), "{text}");
}

#[test]
fn an_action_is_anything_and_a_free_form_answer_what_the_game_accepts() {
    // cites 000-5
    let mut play = start(Scene::Action);
    answer(&mut play, A, json!({"anything": [1, 2]}));
    assert_eq!(notes(&play), [r#""{\"anything\":[1,2]}""#]);

    let mut play = start(Scene::FreeForm);
    let refused = submit(&mut play, A, json!({"coins": 4})).expect_err("the game refuses it");
    assert_eq!((refused.code().text(), refused.to_string().as_str()), ("coins", "there are only 3 coins"));
    assert!(submit(&mut play, A, json!({"coins": "x"})).is_err());
    assert!(play.records().is_empty(), "what is refused is not logged");
    answer(&mut play, A, json!({"coins": 2}));
    assert_eq!(notes(&play), ["Take { coins: 2 }"]);
}

#[test]
fn a_request_whose_bounds_make_no_sense_is_refused_where_it_is_made() {
    // cites 000/R1
    let mut play = start(Scene::BadBounds);
    let why = submit(&mut play, A, json!(["yes"])).expect_err("the script asks nonsense");
    assert_eq!(why.code().text(), "broken");
    assert!(why.to_string().contains("min (3) must be <= max (2)"), "{why}");
    assert!(asked(&play, A).is_some(), "and stands where it stood");
}

#[test]
fn two_kinds_of_request_at_once() {
    // cites 000-9
    for order in [[A, B], [B, A]] {
        let mut play = start(Scene::Join);
        for seat in order {
            answer(&mut play, seat, [json!(["y"]), json!(["20"])][seat.index()].clone());
        }
        assert_eq!(notes(&play), ["(20, \"y\")"]);
    }
    for (seat, selection, note) in [(A, "x", "\"x\""), (B, "10", "10")] {
        let mut play = start(Scene::Race);
        answer(&mut play, seat, json!([selection]));
        assert_eq!(notes(&play), [note]);
    }
}

#[test]
fn a_pause_asks_nobody_and_a_clock_answers_for_whoever_is_late() {
    let mut play = start(Scene::Pause);
    let asks = play.open_asks();
    assert_eq!((asks[0].seats.len(), asks[0].min_ms), (0, 900));
    play.apply(900, By::Clock, None, Body::Elapsed { ask: asks[0].id, seat: None })
        .expect("the time is over");
    assert_eq!(notes(&play), ["\"paused\""]);

    let mut play = start(Scene::Clock);
    let Some(Ask { id, clock, .. }) = play.open_asks().first().copied() else { panic!("seat 0 is asked") };
    assert_eq!(clock, parlor_core::TimeLimit::Fixed { ms: 1000 });
    play.apply(1000, By::Clock, None, Body::Elapsed { ask: id, seat: None }).expect("the clock ran out");
    assert_eq!(notes(&play), ["\"first\""]);
}
