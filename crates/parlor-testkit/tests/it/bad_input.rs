//! Bad input is ordinary: each kind is refused with its code and changes nothing.

use parlor_core::Game;
use parlor_core::limits::{ANSWER_BYTES_MAX, CHAT_CHARS_MAX};
use parlor_core::{AskId, Body, By, Json, Match, Refusal, Seat, Visit};
use parlor_testkit::bad::mutations;
use parlor_testkit::random::random_match;
use serde_json::json;

use crate::asker::{ask, pick};

fn play() -> Match {
    ask(2, json!([{"mode": "single", "id": 1, "selectors": [[0, pick("A", &["x", "y"])]]}]))
}

fn refused(play: &mut Match, body: Body) -> Refusal {
    let (digest, records) = (play.digest(), play.records().len());
    let refusal = play.apply(50, By::Human, None, body.clone()).expect_err("refused");
    assert_eq!((play.digest(), play.records().len()), (digest, records), "{body:?} left a trace");
    assert!(
        !refusal.faults.is_empty() && !refusal.to_string().is_empty(),
        "{body:?} is refused without a reason"
    );
    refusal
}

fn answer(seat: u8, ask: u32, answer: Json) -> Body {
    Body::Answer { seat: Seat::new(seat), ask: AskId(ask), answer }
}

#[test]
fn each_kind_of_bad_answer_is_refused_by_its_name() {
    let good = json!({"title": "A", "selection": ["x"]});
    let deep = (0..400).fold(json!(1), |inner, _| json!([inner]));
    let table = [
        ("a seat that does not exist", answer(9, 1, good.clone()), "unknown_seat"),
        ("a seat that is not asked", answer(1, 1, good.clone()), "not_asked"),
        ("a request that does not stand", answer(0, 7, good.clone()), "stale"),
        ("too long", answer(0, 1, json!({"title": "x".repeat(ANSWER_BYTES_MAX), "selection": []})), "limit"),
        ("too deep", answer(0, 1, json!({"title": "A", "selection": deep})), "limit"),
        ("no object", answer(0, 1, json!(7)), "malformed"),
        ("no list", answer(0, 1, json!({"title": "A", "selection": 7})), "malformed"),
        ("empty", answer(0, 1, json!({"title": "A", "selection": []})), "count"),
        ("two of one", answer(0, 1, json!({"title": "A", "selection": ["x", "y"]})), "count"),
        ("unknown", answer(0, 1, json!({"title": "A", "selection": ["z"]})), "unknown_choice"),
        ("another title", answer(0, 1, json!({"title": "B", "selection": ["x"]})), "title"),
        ("an elapsed ask that does not stand", Body::Elapsed { ask: AskId(9), seat: None }, "stale"),
        ("a chat line of nothing", Body::Chat { seat: None, name: "x".into(), text: String::new() }, "limit"),
        (
            "a chat line too long",
            Body::Chat { seat: None, name: "x".into(), text: "x".repeat(CHAT_CHARS_MAX + 1) },
            "limit",
        ),
        (
            "a late arrival where nobody may come",
            Body::Visit { visit: Visit::join(Seat::new(1), 1) },
            "no_visits",
        ),
        ("an undo of nothing", Body::Undo { seat: Seat::new(0), to: 3 }, "no_more_actions"),
        ("an undo by nobody", Body::Undo { seat: Seat::new(7), to: 3 }, "unknown_seat"),
        ("a migration from outside", Body::Migrate { rules: 1, state: String::new() }, "malformed"),
        ("resume what runs", Body::Resume, "not_paused"),
    ];
    for (name, body, code) in table {
        assert_eq!(refused(&mut play(), body).code().text(), code, "{name}");
    }
}

#[test]
fn every_fault_is_named_not_only_the_first() {
    let bad = answer(0, 1, json!({"title": "B", "selection": ["z", "x"]}));
    let refusal = refused(&mut play(), bad);
    let codes: Vec<&str> = refusal.faults.iter().map(|fault| fault.code.text()).collect();
    assert_eq!(codes, ["title", "unknown_choice", "count"]);
}

#[test]
fn time_does_not_run_backwards() {
    let mut play = play();
    play.apply(70, By::House, None, Body::Note { note: json!(1) }).expect("noted");
    assert_eq!(
        refused(&mut play, answer(0, 1, json!({"title": "A", "selection": ["x"]}))).code().text(),
        "time"
    );
}

#[test]
fn mutated_answers_never_panic_and_never_leave_a_trace() {
    for def in parlor_testkit::probes::all().into_iter().chain([parlor_oxo::Oxo::def()]) {
        let played = random_match(def, &Json::Null, def.seats.0, 11);
        for record in played.records() {
            let Body::Answer { seat, ask, answer: good } = &record.body else { continue };
            let upto = played.records()[..record.seq as usize - 1].to_vec();
            let mut play = Match::replay(def, played.header().clone(), upto).expect("replays");
            for bad in mutations(good) {
                let before = play.digest();
                if play.check(*seat, *ask, &bad).is_ok() {
                    continue;
                }
                let body = Body::Answer { seat: *seat, ask: *ask, answer: bad };
                assert!(play.apply(record.at, By::Human, None, body).is_err());
                assert_eq!(play.digest(), before, "{}", def.name);
            }
        }
    }
}

#[test]
fn settings_that_make_no_sense_are_refused_by_name() {
    let start = |seats, settings| {
        let header = parlor_core::Header::seeded(
            &crate::asker::ASKER,
            seats,
            settings,
            parlor_core::Seed::from_text("s"),
        );
        Match::start(crate::asker::ASKER, header).err().expect("refused")
    };
    assert_eq!(start(9, Json::Null).code().text(), "seats");
    assert_eq!(start(2, json!({"stages": 7})).code().text(), "malformed");
    let crossed = json!({"stages": [{"mode": "single", "id": 1, "selectors": [[0, {"title": "A", "min": 2, "max": 1}]]}]});
    assert_eq!(start(2, crossed).code().text(), "bounds");
}
