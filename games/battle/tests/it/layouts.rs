//! Drafts and confirms: which are accepted, cleaned or refused, and who receives the events.

use parlor_battle::{Event, Layout, Move, Phase, Wrong};
use parlor_core::{Game, Json, Viewer};
use serde_json::json;

use crate::ring::{A, B, Ring};

fn layout(value: Json) -> Layout {
    serde_json::from_value(value).expect("a layout")
}

#[test]
fn a_draft_is_cleaned_from_left_to_right() {
    // cites 002-7, 002-8, 002/R4
    let cases = [
        (json!(["attack", "attack", "heal"]), json!(["attack", null, "heal"]), vec![1]),
        (json!(["fire", "GRASS", "grass"]), json!([null, null, null]), vec![0, 1, 2]),
        (json!([7, {}, "counter"]), json!([null, null, "counter"]), vec![0, 1]),
        (json!([null, "defense", null]), json!([null, "defense", null]), vec![]),
    ];
    for (said, left, dropped) in cases {
        let mut ring = Ring::staked();
        ring.draft(A, said.clone()).expect("a draft of three entries is always taken");
        assert_eq!(ring.game.view(A.into()).layout, Some(layout(left.clone())), "{said}");
        let heard = ring.heard(A.into());
        let Some(Event::Drafted { layout: told, invalid }) = heard.last() else { panic!("{heard:?}") };
        assert_eq!((*told, invalid.to_vec()), (layout(left), dropped), "{said}");
    }
}

#[test]
fn drafts_and_confirms_are_heard_by_their_sender_alone() {
    let mut ring = Ring::staked();
    let before = [B.into(), Viewer::Gallery].map(|viewer| (ring.heard(viewer).len(), ring.game.view(viewer)));
    ring.draft(A, json!(["attack", null, null])).expect("taken");
    ring.draft(A, json!(["heal", null, null])).expect("taken");
    ring.confirm(A, json!(["heal", "attack", null])).expect("taken");
    let after = [B.into(), Viewer::Gallery].map(|viewer| (ring.heard(viewer).len(), ring.game.view(viewer)));
    assert_eq!(before, after);
    assert_eq!(ring.names(A.into()), ["prep_start", "drafted", "drafted", "confirmed"]);
    let view = ring.game.view(A.into());
    assert_eq!((view.layout, view.confirmed), (Some(layout(json!(["heal", "attack", null]))), true));
}

#[test]
fn a_bad_confirm_first_shows_that_somebody_is_there_and_is_then_refused() {
    // cites 002-8, 002-13, 002/R4
    let mut ring = Ring::staked();
    assert_eq!(ring.confirm(A, json!(["attack", "attack", null])), Ok(Move::Present(Wrong::Cards)));
    let heard = ring.heard(A.into());
    let Some(Event::Present { error }) = heard.last() else { panic!("{heard:?}") };
    assert_eq!(error.to_string(), "Invalid cards: cards must be from your hand");
    assert!(!ring.names(B.into()).contains(&"present".to_owned()), "told to the sender alone");
    let view = ring.game.view(A.into());
    assert_eq!((view.layout, view.confirmed), (Some(Layout::EMPTY), false), "no layout is changed");
    let refusal = ring.confirm(A, json!(["attack", "attack", null])).expect_err("refused the second time");
    assert_eq!(refusal.to_string(), "Invalid cards: cards must be from your hand");
    // The player may still confirm, and counts as present in this round.
    ring.confirm(A, json!(["attack", null, null])).expect("taken");
    ring.play_round();
    assert_eq!(ring.hp(), [10, 8]);
}

#[test]
fn a_layout_without_three_entries_is_treated_alike_in_drafts_and_confirms() {
    // cites 002-4, 002/R4
    for bad in [json!([]), json!(["attack"]), json!([null, null, null, null]), json!("attack"), Json::Null] {
        for draft in [true, false] {
            let mut ring = Ring::staked();
            let mut say = |layout: &Json| {
                if draft { ring.draft(A, layout.clone()) } else { ring.confirm(A, layout.clone()) }
            };
            assert_eq!(say(&bad), Ok(Move::Present(Wrong::Shape)), "{bad}");
            assert_eq!(say(&bad).expect_err("refused the second time").code().text(), "layout", "{bad}");
        }
    }
}

#[test]
fn a_bad_layout_leaves_an_earlier_draft_alone() {
    // cites 002/R4
    let mut ring = Ring::staked();
    ring.draft(A, json!(["attack", null, null])).expect("taken");
    assert!(ring.confirm(A, json!(["heal", "heal", null])).is_err());
    assert!(ring.draft(A, json!([])).is_err());
    ring.play_round();
    assert_eq!(ring.hp(), [10, 8], "the draft was played");
}

#[test]
fn nothing_is_taken_after_a_confirm() {
    // cites 002/R4
    let mut ring = Ring::staked();
    ring.confirm(A, json!(["attack", null, null])).expect("taken");
    assert!(ring.draft(A, json!(["heal", null, null])).is_err());
    assert!(ring.confirm(A, json!(["heal", null, null])).is_err());
    assert!(ring.draft(B, json!(["heal", null, null])).is_ok(), "the other is still asked");
    ring.elapse();
    assert!(ring.draft(B, json!(["heal", null, null])).is_err(), "PREP is over");
}

#[test]
fn a_confirm_may_hold_nulls_and_is_used_as_it_is() {
    // cites 002-4, 002-12, 002/R4
    let mut ring = Ring::staked();
    ring.draft(A, json!(["attack", "heal", "counter"])).expect("taken");
    ring.confirm(A, json!([null, null, "attack"])).expect("taken");
    ring.play_round();
    let view = ring.game.view(Viewer::Gallery);
    assert_eq!(
        view.last.iter().map(|pair| pair[0]).collect::<Vec<_>>(),
        layout(json!([null, null, "attack"])).0
    );
}

#[test]
fn a_draft_that_is_not_confirmed_is_played_with_its_gaps_empty() {
    // cites 002-12, 002-14
    let mut ring = Ring::staked();
    ring.draft(A, json!(["attack", null, null])).expect("taken");
    ring.play_round();
    assert_eq!(ring.hp(), [10, 8], "an attack hits an empty slot");
    assert_eq!(ring.game.view(A.into()).phase, Phase::Prep);
}

#[test]
fn wrong_settings_are_all_named() {
    let settings = parlor_battle::Settings { stake: 2, round_limit: 0, prep_ms: 0, ..Default::default() };
    assert_eq!(settings.check().expect_err("refused").faults.len(), 3);
    assert!(serde_json::from_value::<parlor_battle::Settings>(json!({"stakes": 1})).is_err());
}
