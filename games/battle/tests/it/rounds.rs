//! Rounds: the order of events, the clocks, absences, sudden death, and what happens at 0 HP.

use parlor_battle::{End, Event, Phase, Profile, Reason, Settings, Verdict};
use parlor_core::{Game, Json, Seats, TimeLimit, Viewer};
use serde_json::json;

use crate::ring::{A, B, Ring};

const NOTHING: [Option<u8>; 3] = [None; 3];

fn nulls() -> Json {
    json!(NOTHING)
}

/// A round in which A hits B once and B does nothing.
fn hit(ring: &mut Ring) {
    ring.round(json!(["attack", null, null]), nulls());
}

#[test]
fn a_round_goes_from_prep_through_three_steps_to_the_next() {
    // cites 002-1, 002-2, 002-9
    let mut ring = Ring::staked();
    let phase = |ring: &Ring| ring.game.view(B.into()).phase;
    let prep = ring.waits_for().expect("PREP");
    assert_eq!(
        (prep.clock, prep.min_ms, prep.seats),
        (TimeLimit::Fixed { ms: 20_000 }, 20_000, Seats::first(2))
    );
    assert_eq!(phase(&ring), Phase::Prep);
    ring.confirm(A, json!(["attack", "defense", "heal"])).expect("taken");
    ring.confirm(B, json!(["heal", "attack", null])).expect("taken");
    for wait in [250, 900, 900] {
        ring.elapse();
        let ask = ring.waits_for().expect("a wait");
        assert_eq!((phase(&ring), ask.min_ms, ask.seats), (Phase::Reveal, wait, Seats::NONE));
    }
    ring.elapse();
    assert_eq!(phase(&ring), Phase::Prep);
    let order = ["reveal_start", "step_reveal", "step_reveal", "step_reveal", "round_end", "prep_start"];
    assert_eq!(ring.names(Viewer::Gallery)[1..], order);
    assert_eq!(ring.names(A.into())[..2], ["prep_start", "confirmed"]);
    let steps: Vec<Json> = ring
        .heard(A.into())
        .into_iter()
        .filter(|event| matches!(event, Event::StepReveal { .. }))
        .map(|event| serde_json::to_value(event).expect("plain"))
        .collect();
    assert_eq!(
        steps,
        [
            json!({"type": "step_reveal", "round": 1, "step": 0, "cards": ["attack", "heal"], "hp": [10, 8]}),
            json!({"type": "step_reveal", "round": 1, "step": 1, "cards": ["defense", "attack"], "hp": [10, 8]}),
            json!({"type": "step_reveal", "round": 1, "step": 2, "cards": ["heal", null], "hp": [10, 8]}),
        ]
    );
    let heard = ring.heard(B.into());
    let Some(Event::PrepStart { round: 2, sudden_death: false, prep_ms: 20_000, hp: [10, 8], pot: 2, hand }) =
        heard.last()
    else {
        panic!("{heard:?}")
    };
    assert_eq!(*hand, ring.game.view(B.into()).hand);
}

#[test]
fn the_profiles_differ_in_whether_the_deadline_is_waited_for() {
    // cites 002/R9, 002-24
    for (profile, min, grace) in [(Profile::Document, 20_000, 0), (Profile::Standard, 0, 15_000)] {
        let mut ring = Ring::with(&Settings::of(profile));
        ring.confirm(A, nulls()).expect("taken");
        ring.confirm(B, nulls()).expect("taken");
        let ask = ring.waits_for().expect("PREP");
        assert_eq!((ask.seats, ask.min_ms, ask.clock), (Seats::NONE, min, TimeLimit::Fixed { ms: 20_000 }));
        ring.elapse();
        assert_eq!(ring.names(Viewer::Gallery), ["prep_start", "reveal_start"]);
        assert_eq!(profile.grace_ms(), grace);
    }
    assert_eq!(Settings::default().profile, Profile::Document);
}

#[test]
fn both_away_once_goes_on_and_twice_burns_the_pot() {
    // cites 002-15, 002-16, 002/R7, 002/R8, 002/R11
    let mut ring = Ring::staked();
    ring.play_round();
    assert_eq!((ring.ends(), ring.hp()), (0, [10, 10]));
    let heard = ring.heard(A.into()).len();
    ring.play_round();
    assert_eq!(
        ring.game.view(A.into()).end,
        Some(End { reason: Reason::Timeout, verdict: Verdict::BothLost })
    );
    assert_eq!(ring.names(A.into())[heard..], ["match_end"], "neither reveals nor a round_end");
    assert_eq!((ring.ear.seats, ring.ear.burnt, ring.ear.table), ([-1, -1], 2, 0));
    let outcome = ring.game.outcome().expect("over");
    assert_eq!(
        (outcome.winners, outcome.places.to_vec(), &*outcome.reason),
        (Seats::NONE, vec![2, 2], "timeout")
    );
    let heard = ring.heard(B.into());
    assert!(matches!(heard.last(), Some(Event::MatchEnd { winner: None, loser: None, draw: false, .. })));
}

#[test]
fn one_away_twice_loses_the_pot_to_the_other() {
    // cites 002-15, 002-16, 002-22, 002/R8
    let mut ring = Ring::staked();
    ring.draft(A, json!(["defense", null, null])).expect("taken");
    ring.play_round();
    assert_eq!(ring.ends(), 0, "one round never ends a match");
    ring.draft(A, json!(["defense", null, null])).expect("taken");
    let heard = ring.heard(A.into()).len();
    ring.play_round();
    assert_eq!(ring.game.view(A.into()).end, Some(End { reason: Reason::Timeout, verdict: Verdict::Won(A) }));
    assert_eq!(ring.names(A.into())[heard..], ["match_end"]);
    assert_eq!((ring.ear.seats, ring.ear.burnt), ([1, -1], 0));
}

#[test]
fn a_streak_is_broken_by_any_sign_of_life() {
    // cites 002-13, 002-14, 002-15, 002/R1
    for sign in ["nulls", "confirm", "bad confirm", "bad draft", "card"] {
        let mut ring = Ring::with(&Settings { round_limit: 9, ..Settings::default() });
        for round in 1..=6 {
            ring.confirm(A, nulls()).expect("taken");
            if round % 2 == 0 {
                let taken = match sign {
                    "nulls" => ring.draft(B, nulls()),
                    "confirm" => ring.confirm(B, nulls()),
                    "bad confirm" => ring.confirm(B, json!(["x", null, null])),
                    "bad draft" => ring.draft(B, json!([])),
                    _ => ring.draft(B, json!([null, "heal", null])),
                };
                taken.expect("taken");
            }
            ring.play_round();
            assert_eq!(ring.ends(), 0, "{sign} in round {round}");
        }
        ring.confirm(A, nulls()).expect("taken");
        ring.play_round();
        ring.confirm(A, nulls()).expect("taken");
        ring.play_round();
        assert_eq!(ring.ends(), 1, "two rounds in a row without {sign}");
    }
}

#[test]
fn both_away_is_looked_at_before_one_away() {
    // cites 002/R11, 002-15
    // A is away in rounds 1 and 2, B in 2 only: A alone has a streak of two.
    let mut ring = Ring::staked();
    ring.confirm(B, nulls()).expect("taken");
    ring.play_round();
    ring.play_round();
    assert_eq!(ring.game.view(A.into()).end, Some(End { reason: Reason::Timeout, verdict: Verdict::Won(B) }));
    // Both in both: both have a streak of two, and neither wins.
    let mut ring = Ring::staked();
    ring.play_round();
    ring.play_round();
    assert_eq!(ring.ear.burnt, 2);
}

#[test]
fn a_difference_at_the_limit_decides_and_equal_hp_go_on_by_whole_rounds() {
    // cites 002-20, 002-22, 002/R8
    let mut ring = Ring::staked();
    for round in 1..=4 {
        assert_eq!(ring.game.view(A.into()).sudden_death, round > 3);
        ring.round(nulls(), nulls());
        assert_eq!(ring.ends(), 0);
    }
    // In sudden death the first hit does not end the match: the round is played out, and they are level again.
    ring.round(json!(["attack", null, null]), json!([null, null, "attack"]));
    assert_eq!((ring.ends(), ring.hp()), (0, [8, 8]));
    ring.round(json!([null, "heal", null]), json!([null, null, "attack"]));
    assert_eq!((ring.ends(), ring.hp()), (1, [7, 8]));
    assert_eq!(ring.game.view(A.into()).end, Some(End { reason: Reason::Normal, verdict: Verdict::Won(B) }));
    assert_eq!(ring.ear.seats, [-1, 1]);
    // And at the limit itself.
    let mut ring = Ring::staked();
    hit(&mut ring);
    hit(&mut ring);
    assert_eq!(ring.ends(), 0);
    hit(&mut ring);
    assert_eq!((ring.ends(), ring.hp(), ring.ear.seats), (1, [10, 4], [1, -1]));
}

/// B is at 2 after four rounds, both confirmed throughout.
fn at_two(stop_at_zero: bool) -> Ring {
    let mut ring = Ring::with(&Settings { stop_at_zero, round_limit: 9, stake: 1, ..Settings::default() });
    (0..4).for_each(|_| hit(&mut ring));
    assert_eq!(ring.hp(), [10, 2]);
    ring
}

#[test]
fn reaching_zero_is_final_and_the_rest_is_shown_without_effect() {
    // cites 002/R6, 002-22
    let mut ring = at_two(false);
    let heard = ring.heard(A.into()).len();
    ring.round(json!(["attack", null, "heal"]), json!([null, "attack", "heal"]));
    let order =
        ["confirmed", "reveal_start", "step_reveal", "step_reveal", "step_reveal", "round_end", "match_end"];
    assert_eq!(ring.names(A.into())[heard..], order);
    for event in &ring.heard(A.into())[heard..] {
        if let Event::StepReveal { hp, .. } | Event::RoundEnd { hp, .. } | Event::MatchEnd { hp, .. } = event
        {
            assert_eq!(*hp, [10, 0]);
        }
    }
    assert_eq!(ring.game.view(B.into()).end, Some(End { reason: Reason::Normal, verdict: Verdict::Won(A) }));
}

#[test]
fn the_rest_is_left_out_where_the_table_says_so() {
    // cites 002/R6
    let mut ring = at_two(true);
    let heard = ring.heard(A.into()).len();
    ring.round(json!(["attack", null, "heal"]), json!([null, "attack", "heal"]));
    let order = ["confirmed", "reveal_start", "step_reveal", "round_end", "match_end"];
    assert_eq!(ring.names(A.into())[heard..], order);
    assert_eq!(ring.game.view(A.into()).shown.len(), 1);
}
