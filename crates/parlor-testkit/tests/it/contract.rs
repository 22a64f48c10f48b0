//! Requests to one, to many and to any, and the log of their answers.

use parlor_core::{AskId, Body, By, Json, Match, Seat, Undo, Viewer};
use serde_json::json;

use crate::asker::{ASKER, answer, ask, ask_with, pick, results};

fn replayed(play: &Match) -> Match {
    Match::replay(ASKER, play.header().clone(), play.records().to_vec()).expect("the log replays")
}

fn asked(play: &Match) -> Vec<u8> {
    let seats = (0..play.header().seats).filter(|n| !play.open_requests(Seat::new(*n)).is_empty());
    seats.collect()
}

#[test]
fn a_game_stops_at_a_request_and_is_rebuilt_from_the_stored_answers() {
    // cites 000-1
    let stages = json!([
        {"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]},
        {"mode": "single", "id": 2, "selectors": [[0, pick("B", &["x", "y"])]]}]);
    let mut play = ask(1, stages);
    assert_eq!((asked(&play), play.outcome()), (vec![0], None), "it waits");
    answer(&mut play, 0, "A", &["y"]).expect("taken");
    let again = replayed(&play);
    assert_eq!(again.digest(), play.digest());
    assert_eq!(again.view(Viewer::Gallery), play.view(Viewer::Gallery));
    assert_eq!(
        again.open_requests(Seat::new(0)),
        play.open_requests(Seat::new(0)),
        "even the ids are the same"
    );
}

#[test]
fn single_gives_the_selection_of_the_one_who_was_asked() {
    // cites 000-2, 000-8
    let stages = json!([{"mode": "single", "id": 1, "selectors": [[1, pick("A", &["attack", "defend"])]]}]);
    let mut play = ask(2, stages);
    let refusal = answer(&mut play, 0, "A", &["attack"]).expect_err("it is not his turn");
    assert_eq!(refusal.code().text(), "not_asked");
    // Nor if they name the request of another seat.
    let named = json!({"title": "A", "selection": ["attack"]});
    let body = Body::Answer { seat: Seat::new(0), ask: AskId(1), answer: named };
    assert_eq!(play.apply(0, By::Human, None, body).expect_err("it is hers").code().text(), "not_asked");
    answer(&mut play, 1, "A", &["attack"]).expect("it is hers");
    assert_eq!(results(&play), json!([[[1, "[\"attack\"]"]]]));
}

#[test]
fn many_waits_for_all_and_the_order_of_arrival_changes_nothing() {
    // cites 000-3, 000-9, 000/R2
    let stages = json!([{"mode": "many", "id": 1, "selectors":
        [[2, pick("A", &["x", "y"])], [0, pick("A", &["x", "y"])], [1, pick("A", &["x", "y"])]]}]);
    let mut digests = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut play = ask(3, stages.clone());
        for (n, seat) in order.into_iter().enumerate() {
            assert_eq!(results(&play), json!([]), "nothing is processed before all have answered");
            answer(&mut play, seat, "A", &[["x", "y"][usize::from(seat) % 2]]).expect("taken");
            let others = (0..3).filter(|other| !order[..=n].contains(other));
            for other in others {
                let seen = play.view(Viewer::Seat(Seat::new(other)));
                assert_eq!(
                    seen,
                    json!({"results": [], "mine": null, "rolled": []}),
                    "no answer is visible before all are in"
                );
            }
        }
        assert_eq!(
            results(&play),
            json!([[[2, "[\"x\"]"], [0, "[\"x\"]"], [1, "[\"y\"]"]]]),
            "in selector order"
        );
        digests.push(play.game().state());
    }
    assert!(digests.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn many_takes_one_answer_from_each() {
    // cites 000-3
    let stages = json!([{"mode": "many", "id": 1, "selectors": [[0, pick("A", &["x", "y"])], [1, pick("A", &["x", "y"])]]}]);
    let mut play = ask(2, stages);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    assert_eq!(answer(&mut play, 0, "A", &["y"]).expect_err("he has answered").code().text(), "not_asked");
    assert_eq!(asked(&play), [1]);
}

#[test]
fn any_takes_the_first_and_leaves_the_others_free() {
    // cites 000-4, 000-10
    let stages = json!([
        {"mode": "any", "id": 1, "selectors": [[0, pick("Draft", &["a", "b"])], [1, pick("Draft", &["a", "b"])]]},
        {"mode": "any", "id": 2, "selectors": [[0, pick("Draft", &["b", "c"])]]}]);
    let mut play = ask(2, stages);
    answer(&mut play, 1, "Draft", &["a"]).expect("the first valid answer is taken");
    assert_eq!(results(&play), json!([[[1, "[\"a\"]"]]]), "one response, from whoever came first");
    assert_eq!(asked(&play), [0], "the loop goes on with the others");
    assert_eq!(answer(&mut play, 0, "Draft", &["a"]).expect_err("gone").code().text(), "unknown_choice");
    answer(&mut play, 0, "Draft", &["b"]).expect("still free to answer");
}

#[test]
fn an_any_that_asks_the_same_again_keeps_the_request() {
    // cites 000/R2
    let same = json!([[0, pick("Draft", &["a", "b"])], [1, pick("Draft", &["a", "b"])]]);
    let stages =
        json!([{"mode": "any", "id": 7, "selectors": same}, {"mode": "any", "id": 7, "selectors": same}]);
    let mut play = ask(2, stages);
    let before = play.open_requests(Seat::new(0)).to_vec();
    let head = play.head(Viewer::Seat(Seat::new(0)));
    answer(&mut play, 1, "Draft", &["a"]).expect("taken");
    assert_eq!(play.open_requests(Seat::new(0)), before, "a submission under way stays valid");
    let target = parlor_core::play::AnswerTarget::Head(head);
    assert!(
        play.resolve(Seat::new(0), target, None).is_ok(),
        "so does every branchId since the request first stood"
    );
    assert_ne!(
        play.open_requests(Seat::new(1))[0].input,
        before[0].input + 7,
        "ids are counted for each seat by itself"
    );
    assert_eq!(play.open_requests(Seat::new(1))[0].input, 2, "whoever answered is asked anew");
}

#[test]
fn one_or_many_may_be_asked_according_to_state() {
    // cites 000-11
    let single = json!({"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]});
    let shared = json!({"mode": "many", "id": 2, "selectors": [[0, pick("B", &["x", "y"])], [1, pick("B", &["x", "y"])]]});
    let mut play = ask(2, json!([single, shared]));
    assert_eq!(asked(&play), [0]);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    assert_eq!(asked(&play), [0, 1]);
}

#[test]
fn forced_answers_are_given_at_once_and_derived_again_on_replay() {
    // cites 000-3, 000-19, 000/R10
    let stages = json!([
        {"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]},
        {"mode": "many", "id": 2, "auto": true, "selectors": [[0, pick("B", &["only"])], [1, pick("B", &["only"])]]},
        {"mode": "single", "id": 3, "selectors": [[1, pick("C", &["x", "y"])]]}]);
    let mut play = ask(2, stages);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    assert_eq!(play.records().len(), 1, "the automatic answers are no records");
    assert_eq!(asked(&play), [1]);
    assert_eq!(results(&play)[1], json!([[0, "[\"only\"]"], [1, "[\"only\"]"]]));
    assert_eq!(replayed(&play).digest(), play.digest());
}

#[test]
fn a_seat_that_has_a_choice_stops_the_automatic_answers_behind_it() {
    // cites 000-19
    let stages = json!([
        {"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]},
        {"mode": "many", "id": 2, "auto": true, "selectors": [[0, pick("B", &["x", "y"])], [1, pick("B", &["only"])]]}]);
    let mut play = ask(2, stages);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    assert_eq!(asked(&play), [0, 1], "the second is forced, but the first is not");
    answer(&mut play, 0, "B", &["y"]).expect("taken");
    assert!(play.outcome().is_some(), "then the second follows by itself");
}

#[test]
fn nothing_is_answered_by_itself_where_the_game_does_not_say_so() {
    // cites 000/R10
    let stages = json!([
        {"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]},
        {"mode": "any", "id": 2, "selectors": [[0, pick("B", &["only"])]]}]);
    let mut play = ask(1, stages);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    assert_eq!(asked(&play), [0], "an automatic pass would tell that there was nothing to choose");
}

#[test]
fn a_nested_and_a_free_form_answer_reach_the_game() {
    // cites 000-6, 000-7
    let nested = json!({"title": "Choose Action", "choices": [{"title": "Dogma", "choices": [{"title": "Archery"}, {"title": "The Wheel"}]}, {"title": "Pass"}]});
    let stages = json!([
        {"mode": "single", "id": 1, "selectors": [[0, nested]]},
        {"mode": "single", "id": 2, "selectors": [[0, {"type": "action", "title": "Free"}]]}]);
    let mut play = ask(1, stages);
    let say = |play: &mut Match, ask: u32, answer: Json| {
        play.apply(0, By::Human, None, Body::Answer { seat: Seat::new(0), ask: AskId(ask), answer })
    };
    let bad = json!({"title": "Choose Action", "selection": [{"title": "Dogma", "selection": ["Pottery"]}]});
    assert!(say(&mut play, 1, bad).is_err());
    let good = json!({"title": "Choose Action", "selection": [{"title": "Dogma", "selection": ["Archery"]}]});
    say(&mut play, 1, good).expect("taken");
    say(&mut play, 2, json!({"title": "Free", "selection": {"anything": [1, 2]}})).expect("taken");
    assert_eq!(results(&play)[1][0][1], json!("{\"anything\":[1,2]}"));
}

#[test]
fn the_record_says_whether_a_human_answered() {
    // cites 000-7
    let mut play = ask(1, json!([{"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]}]));
    let claim = json!({"title": "A", "selection": ["x"], "isUserResponse": true});
    play.apply(0, By::Bot, None, Body::Answer { seat: Seat::new(0), ask: AskId(1), answer: claim })
        .expect("taken");
    assert_eq!(play.records()[0].by, By::Bot, "what the sender claims does not count");
}

#[test]
fn nothing_is_saved_after_a_match_was_killed() {
    // cites 000-14
    let stages = json!([{"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]}]);
    let mut play = ask(1, stages);
    play.apply(5, By::House, None, Body::Kill { why: "abandoned".into() }).expect("killed");
    let (records, digest) = (play.records().len(), play.digest());
    assert_eq!(answer(&mut play, 0, "A", &["x"]).expect_err("too late").code().text(), "killed");
    for body in [
        Body::Resume,
        Body::Pause { why: "x".into() },
        Body::Kill { why: "again".into() },
        Body::Undo { seat: Seat::new(0), to: 1 },
    ] {
        assert_eq!(play.apply(9, By::House, None, body).expect_err("too late").code().text(), "killed");
    }
    assert_eq!((play.records().len(), play.digest()), (records, digest));
}

#[test]
fn a_paused_match_takes_nothing_until_it_goes_on() {
    let stages = json!([{"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]}]);
    let mut play = ask(1, stages.clone());
    play.apply(5, By::House, None, Body::Pause { why: "lunch".into() }).expect("paused");
    let refusal = answer(&mut play, 0, "A", &["x"]).expect_err("paused");
    assert_eq!(refusal.to_string(), "This game is paused");
    play.apply(6, By::House, None, Body::Resume).expect("goes on");
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    // Once the match is over no seat has to wait.
    let mut stopped = ask(1, stages);
    stopped.apply(7, By::House, None, Body::Pause { why: "lunch".into() }).expect("paused");
    assert_eq!(stopped.paused(), Some(&"lunch".into()));
    stopped.apply(8, By::House, None, Body::Kill { why: "abandoned".into() }).expect("killed");
    assert_eq!(stopped.paused(), None);
}

#[test]
fn an_answer_costs_the_same_however_long_the_match_is() {
    // cites 000/R8
    use std::sync::atomic::Ordering;
    let stage = |n: u32| json!({"mode": "single", "id": n, "selectors": [[0, pick("A", &["x", "y"])]]});
    // Without undo nothing is kept from which the rules could be run again in less.
    let stages = json!({"stages": (0..200).map(stage).collect::<Vec<_>>()});
    let mut play = ask_with(1, stages, Undo::None);
    for _ in 0..199 {
        answer(&mut play, 0, "A", &["x"]).expect("taken");
    }
    let thread_local_start = crate::asker::APPLIED.load(Ordering::Relaxed);
    answer(&mut play, 0, "A", &["x"]).expect("taken");
    let applied = crate::asker::APPLIED.load(Ordering::Relaxed) - thread_local_start;
    // Other tests of this program apply inputs at the same time, but not fifty during one answer.
    assert!((1..50).contains(&applied), "one answer made the rules run {applied} times");
}
