//! What the executor does with scripts that panic, and how it restores a script.

use std::sync::atomic::Ordering;

use parlor_core::{Body, By, Json, Match, Refusal, Viewer, Visit};
use parlor_script::{Interrupt, Next, Script, Table};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::small::{A, B, STEPS, STOPPED, Scene, answer, asked, notes, start, start_of, submit};

/// Sends an answer on which the script panics; the match is unchanged and goes on.
fn breaks(scene: Scene, text: &str) {
    let mut play = start(scene);
    let (digest, requests_changed) = (play.digest(), asked(&play, A));
    let why = submit(&mut play, A, json!(["yes"])).expect_err("the script breaks down");
    assert_eq!(why.code().text(), "broken");
    assert!(why.to_string().contains(text), "{why}");
    assert_eq!(
        (play.digest(), asked(&play, A)),
        (digest, requests_changed),
        "{scene:?}: nothing has changed"
    );
    assert!(play.records().is_empty());
}

#[test]
fn an_await_that_is_not_a_request_is_an_error_and_not_a_hang() {
    breaks(Scene::NotARequest, "waits for something that is not a request");
}

#[test]
fn a_panic_stays_at_its_table() {
    breaks(Scene::PanicAfterAnswer, "the rules broke down as planned");
    breaks(Scene::OneOfNothing, "one of nothing cannot be chosen");
}

#[test]
fn a_script_that_asks_for_ever_is_stopped() {
    breaks(Scene::AsksForEver, "fuel_per_input_max");
    breaks(Scene::SegmentsForEver, "nothing is ever asked");
}

#[test]
fn a_seat_is_not_asked_twice_at_once() {
    let settings = json!({"scene": "twice"});
    let def = crate::small::Small::def();
    let header = parlor_core::Header::seeded(&def, 3, settings, parlor_core::Seed::from_text("x"));
    let Err(why) = Match::start(def, header) else { panic!("the script asks one seat twice") };
    assert!(why.to_string().contains("asked twice at once"), "{why}");
}

#[test]
fn a_panic_in_a_check_leaves_the_script_where_it_was() {
    let mut play = start(Scene::PanicInCheck);
    answer(&mut play, A, json!(["yes"]));
    let ask = play.open_requests(A)[0].ask;
    let bad = json!({"title": "Coins", "selection": {"coins": 2}});
    for _ in 0..2 {
        assert_eq!(play.check(A, ask, &bad).expect_err("the check panics").code().text(), "broken");
    }
    assert_eq!(notes(&play).len(), 0, "the state can still be looked at");
    answer(&mut play, A, json!({"coins": 1}));
    assert_eq!(notes(&play), ["1"]);
}

#[test]
fn resuming_costs_the_code_between_two_requests() {
    // cites 000/R8, 000-1
    let mut play = start(Scene::Count);
    for n in 0..300 {
        let before = STEPS.load(Ordering::Relaxed);
        let applied = submit(&mut play, A, json!(["yes"])).expect("taken");
        // A checkpoint for undo runs the open segment again, every 32 records.
        let ran = STEPS.load(Ordering::Relaxed) - before;
        let checkpoint = u32::from(n % 32 == 0) * 10;
        assert!((1..=1 + checkpoint).contains(&ran), "answer {n} ran {ran} steps");
        assert_eq!(applied.seq, n + 1);
    }
}

#[test]
fn whoever_leaves_interrupts_the_script() {
    let mut play = start(Scene::Visit);
    play.apply(0, By::House, None, Body::Visit { visit: Visit::leave(B) }).expect("seat 1 leaves");
    assert_eq!(notes(&play), ["Err(Left(seat 1))"]);
    let outcome = play.outcome().expect("the others have won");
    assert!(!outcome.winners.has(B) && outcome.winners.has(A));
    let again = Match::replay(*play.def(), play.header().clone(), play.records().to_vec()).expect("replays");
    assert_eq!(again.digest(), play.digest());
}

#[test]
fn a_match_that_is_killed_or_goes_back_stops_its_script() {
    // cites 000-14
    let mut play = start(Scene::Visit);
    play.apply(0, By::House, None, Body::Kill { why: "closed".into() }).expect("killed");
    assert!(submit(&mut play, A, json!(["yes"])).is_err(), "nothing is taken after the kill");
    let before = STOPPED.load(Ordering::Relaxed);
    drop(play);
    assert!(STOPPED.load(Ordering::Relaxed) > before, "the interrupt went through the question mark");
}

#[test]
fn a_copy_in_the_middle_of_a_segment_is_the_same_script() {
    // cites 000-1
    let mut play = start(Scene::Rng);
    for n in 0..8 {
        let fork = play.as_twin(play.game().fork());
        assert_eq!(fork.digest(), play.digest(), "after {n} answers");
        assert_eq!(fork.view(Viewer::Gallery), play.view(Viewer::Gallery));
        answer(&mut play, A, json!(["yes"]));
    }
}

#[test]
fn a_saved_script_comes_back_anywhere_and_goes_on_alike() {
    let mut play = start(Scene::Rng);
    for _ in 0..8 {
        let state = play.game().state();
        let moved = Match::take_over(*play.def(), play.header().clone(), play.records().to_vec(), &state);
        let moved = moved.expect("the state loads");
        assert_eq!(moved.game().state(), state);
        answer(&mut play, A, json!(["no"]));
    }
}

/// Dice games under one name. Another number of sides means other rules, perhaps under the same version.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Dice<const SIDES: u32, const RULES: u32> {
    rolls: Vec<u32>,
}

impl<const SIDES: u32, const RULES: u32> Script for Dice<SIDES, RULES> {
    const NAME: &'static str = "dice";
    const TITLE: &'static str = "Dice";
    const RULES: u32 = RULES;
    const SEATS: (u8, u8) = (2, 4);
    type Settings = ();
    type View<'a> = &'a Self;

    fn setup((): &(), _: u8) -> Result<Self, Refusal> {
        Ok(Self::default())
    }

    async fn segment(t: &mut Table<Self>) -> Result<Next, Interrupt> {
        for _ in 0..SIDES {
            let roll = t.roll_die(SIDES);
            t.game.rolls.push(roll);
        }
        for _ in 0..5 {
            t.choose_yes_no(A, "Roll?").await?;
            let roll = t.roll_die(SIDES);
            t.game.rolls.push(roll);
        }
        Ok(Next::Again)
    }

    fn view(&self, _: Viewer) -> &Self {
        self
    }

    fn migrate(rules: u32, state: &[u8]) -> Option<Self> {
        (rules == 1).then(|| Self { rolls: vec![u32::from(state[0])] })
    }
}

#[test]
fn changed_rules_are_noticed_when_a_segment_is_run_again() {
    // cites 000/R7
    let mut play = start_of(Dice::<6, 1>::def(), Json::Null);
    for _ in 0..3 {
        answer(&mut play, A, json!(["yes"]));
    }
    let state = play.game().state();
    let load = |def| Match::take_over(def, play.header().clone(), play.records().to_vec(), &state);
    assert!(load(Dice::<6, 1>::def()).is_ok());
    assert!(load(Dice::<8, 1>::def()).is_err(), "another die, and the same version");
    assert!(load(Dice::<6, 2>::def()).is_err(), "newer rules, and not between two segments");
    let replayed = Match::replay(Dice::<6, 2>::def(), play.header().clone(), play.records().to_vec());
    let Err(error) = replayed else { panic!("a replay under other rules") };
    assert_eq!(error.why.code().text(), "needs_rules");
}

#[test]
fn newer_rules_take_over_between_two_segments() {
    // cites 000/R7
    let play = start_of(Dice::<6, 1>::def(), Json::Null);
    let state = play.game().state();
    let moved = Match::take_over(Dice::<6, 2>::def(), play.header().clone(), Vec::new(), &state);
    let moved = moved.expect("nothing was answered in this segment yet");
    assert_eq!(asked(&moved, A).map(|(title, _)| title).as_deref(), Some("Roll?"));
}

#[test]
fn a_future_can_be_sent_to_another_thread() {
    fn sendable<T: Send>(_: &T) {}
    let play = start(Scene::Single);
    sendable(&play.game().fork());
    let moved = std::thread::spawn(move || play.view(Viewer::Gallery)).join();
    assert!(moved.is_ok());
}
