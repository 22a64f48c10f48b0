//! How matches end, what is paid, and that both happen once.

use parlor_battle::{BothDead, End, Event, Reason, Settings, Verdict};
use parlor_core::{Game, Input, Rng, Seats, Visit};
use serde_json::json;

use crate::ring::{A, B, Ring};

#[test]
fn whoever_leaves_loses_at_once_in_every_phase() {
    // cites 002-17, 002-22
    for steps in 0..=3 {
        let mut ring = Ring::staked();
        ring.confirm(A, json!(["attack", null, null])).expect("taken");
        (0..steps).for_each(|_| ring.elapse());
        let heard = ring.heard(B.into()).len();
        ring.visit(Visit::leave(A)).expect("admitted");
        let end = End { reason: Reason::Disconnect, verdict: Verdict::Won(B) };
        assert_eq!(ring.game.view(B.into()).end, Some(end));
        assert_eq!(ring.names(B.into())[heard..], ["match_end"]);
        assert_eq!((ring.ear.seats, ring.ear.table), ([-1, 1], 0));
        assert!(ring.game.open_asks().is_empty());
    }
}

#[test]
fn connections_that_come_and_go_are_not_the_rules_business_and_nobody_joins() {
    let mut ring = Ring::staked();
    let before = (ring.game, ring.ear.told.len());
    ring.visit(Visit::Away { seat: A }).expect("admitted");
    ring.visit(Visit::Back { seat: A }).expect("admitted");
    assert_eq!(ring.visit(Visit::join(A, 1)).expect_err("refused").code().text(), "join");
    assert_eq!((ring.game, ring.ear.told.len()), before);
}

#[test]
fn ending_twice_is_ending_once() {
    // cites 002-21, 002-23, 002/R11
    let mut ring = Ring::staked();
    let prep = ring.waits_for().expect("PREP").id;
    ring.visit(Visit::leave(A)).expect("admitted");
    let (game, told, postings) = (ring.game, ring.ear.told.len(), ring.ear.postings);
    let late: [Input<_>; 3] = [
        Input::Visit(Visit::leave(B)),
        Input::Visit(Visit::leave(A)),
        Input::Elapsed { ask: prep, seat: None },
    ];
    for input in late {
        ring.game.apply(input, &mut Rng::fast(1), &mut ring.ear);
    }
    assert_eq!((ring.game, ring.ear.told.len(), ring.ear.postings), (game, told, postings));
    assert_eq!((ring.ends(), ring.ear.seats), (1, [-1, 1]));
    let audience = ring.ear.told.iter().find(|(_, event)| matches!(event, Event::MatchEnd { .. }));
    assert_eq!(audience.map(|(to, _)| *to), Some(Seats::ALL), "one event, to both");
}

#[test]
fn both_falling_in_one_step_is_a_draw_and_the_stakes_go_back_or_burn() {
    // cites 002/R7, 002/R11
    for (both_dead, seats, burnt) in [(BothDead::Return, [0, 0], 0), (BothDead::Burn, [-1, -1], 2)] {
        let mut ring = Ring::with(&Settings { both_dead, stake: 1, ..Settings::default() });
        for round in 1..=5 {
            assert_eq!(ring.ends(), 0, "round {round}");
            ring.round(json!(["attack", null, null]), json!(["attack", null, null]));
        }
        assert_eq!(
            ring.game.view(A.into()).end,
            Some(End { reason: Reason::Normal, verdict: Verdict::Draw })
        );
        assert_eq!((ring.ear.seats, ring.ear.burnt, ring.ear.table), (seats, burnt, 0));
        let heard = ring.heard(A.into());
        assert!(matches!(heard.last(), Some(Event::MatchEnd { winner: None, loser: None, draw: true, .. })));
        let outcome = ring.game.outcome().expect("over");
        assert_eq!((outcome.places.to_vec(), &*outcome.reason), (vec![1, 1], "normal"));
    }
}

#[test]
fn a_match_is_charged_once_and_without_a_stake_nothing_moves() {
    // cites 002/R11
    let mut ring = Ring::staked();
    assert_eq!((ring.ear.seats, ring.ear.table, ring.ear.postings), ([-1, -1], 2, 2));
    ring.round(json!(["attack", null, null]), json!(["heal", null, null]));
    assert_eq!((ring.ear.postings, ring.game.escrow()), (2, 2));
    ring.visit(Visit::leave(B)).expect("admitted");
    assert_eq!((ring.ear.seats, ring.ear.postings, ring.game.escrow()), ([1, -1], 3, 0));
    let mut free = Ring::with(&Settings::default());
    assert_eq!(free.game.view(A.into()).pot, 0);
    free.visit(Visit::leave(B)).expect("admitted");
    assert_eq!((free.ear.seats, free.ear.postings), ([0, 0], 0));
}

#[test]
fn a_prep_start_always_comes_before_the_end() {
    // cites 002-2, 002-21
    let mut ring = Ring::staked();
    ring.visit(Visit::leave(A)).expect("admitted");
    for seat in [A, B] {
        assert_eq!(ring.names(seat.into()), ["prep_start", "match_end"]);
    }
}
