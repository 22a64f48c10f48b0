//! Card against card, as a table.

use parlor_battle::resolve::{MAX_HP, resolve};
use parlor_battle::{Card, Hand, Layout, Move, Settings, Slot, Wrong};
use parlor_core::{Game, Viewer};
use serde_json::json;

use crate::ring::{A, B, Ring};

const GRASS: Slot = None;
const ATTACK: Slot = Some(Card::Attack);
const DEFENSE: Slot = Some(Card::Defense);
const HEAL: Slot = Some(Card::Heal);
const COUNTER: Slot = Some(Card::Counter);

/// My card, their card, my change in HP, their change in HP: at 5 HP each.
const TABLE: [(Slot, Slot, i8, i8); 25] = [
    (GRASS, GRASS, 0, 0),
    (GRASS, ATTACK, -2, 0),
    (GRASS, DEFENSE, 0, 0),
    (GRASS, HEAL, 0, 1),
    (GRASS, COUNTER, 0, 0),
    (ATTACK, GRASS, 0, -2),
    (ATTACK, ATTACK, -2, -2),
    (ATTACK, DEFENSE, 0, 0),
    (ATTACK, HEAL, 0, -1),
    (ATTACK, COUNTER, -2, 0),
    (DEFENSE, GRASS, 0, 0),
    (DEFENSE, ATTACK, 0, 0),
    (DEFENSE, DEFENSE, 0, 0),
    (DEFENSE, HEAL, 0, 1),
    (DEFENSE, COUNTER, 0, 0),
    (HEAL, GRASS, 1, 0),
    (HEAL, ATTACK, -1, 0),
    (HEAL, DEFENSE, 1, 0),
    (HEAL, HEAL, 1, 1),
    (HEAL, COUNTER, 1, 0),
    (COUNTER, GRASS, 0, 0),
    (COUNTER, ATTACK, 0, -2),
    (COUNTER, DEFENSE, 0, 0),
    (COUNTER, HEAL, 0, 1),
    (COUNTER, COUNTER, 0, 0),
];

#[test]
fn every_pair_does_what_the_table_says() {
    // cites 002-10, 002-18
    for (n, (mine, theirs, me, them)) in TABLE.into_iter().enumerate() {
        let of = |change: i8| 5u8.saturating_add_signed(change);
        assert_eq!(resolve([mine, theirs], [5, 5]), [of(me), of(them)], "{mine:?} against {theirs:?}");
        assert_eq!(resolve([theirs, mine], [5, 5]), [of(them), of(me)], "{theirs:?} against {mine:?}");
        assert!(TABLE[..n].iter().all(|row| (row.0, row.1) != (mine, theirs)), "each pair once");
    }
}

#[test]
fn heals_are_capped_before_damage_and_hp_stay_in_bounds() {
    // cites 002-19, 002/R5
    assert_eq!(resolve([HEAL, ATTACK], [10, 10]), [8, 10]);
    assert_eq!(resolve([HEAL, GRASS], [10, 10]), [10, 10]);
    assert_eq!(resolve([HEAL, ATTACK], [1, 1]), [0, 1], "healed to 2, then hit");
    assert_eq!(resolve([GRASS, ATTACK], [1, 1]), [0, 1]);
    for (mine, theirs, ..) in TABLE {
        for hp in (0..=MAX_HP).flat_map(|a| (0..=MAX_HP).map(move |b| [a, b])) {
            assert!(resolve([mine, theirs], hp).iter().all(|after| *after <= MAX_HP));
        }
    }
}

#[test]
fn a_card_is_spelt_as_its_id_and_an_empty_slot_is_null() {
    // cites 002-4, 002-5, 002-11, 002/R3
    let spelt = serde_json::to_value(Card::ALL).expect("plain");
    assert_eq!(spelt, json!(["attack", "defense", "heal", "counter"]));
    let layout = Layout([ATTACK, GRASS, HEAL]);
    assert_eq!(serde_json::to_value(layout).expect("plain"), json!(["attack", null, "heal"]));
    for name in ["grass", "GRASS", "ATTACK", ""] {
        assert!(
            serde_json::from_value::<Card>(json!(name)).is_err() && Card::from_id(name).is_none(),
            "{name}"
        );
    }
}

#[test]
fn a_hand_is_four_cards_and_stays_the_same() {
    // cites 002-6
    assert!(serde_json::from_value::<Hand>(json!(["attack", "heal", "heal"])).is_err());
    assert!(serde_json::from_value::<Hand>(json!(["attack", "heal", "heal", "heal", "heal"])).is_err());
    let hand = Hand([Card::Attack, Card::Attack, Card::Heal, Card::Counter]);
    let settings = Settings { hands: [hand, Hand::default()], ..Settings::default() };
    let mut ring = Ring::with(&settings);
    for _ in 0..3 {
        assert_eq!(ring.game.view(A.into()).hand, Some(hand));
        ring.round(json!(["attack", "attack", null]), json!(["defense", "counter", null]));
    }
    assert_eq!(ring.game.view(Viewer::Gallery).hand, None);
    // Each lays from their own hand.
    let mut ring = Ring::with(&settings);
    let twice = json!(["attack", "attack", null]);
    assert_eq!(ring.confirm(A, twice.clone()), Ok(Move::Confirm(Layout([ATTACK, ATTACK, GRASS]))));
    assert_eq!(ring.confirm(B, twice), Ok(Move::Present(Wrong::Cards)));
}

#[test]
fn all_layouts_within_a_hand_are_listed_once() {
    // cites 002-7
    let slow = |hand: &Hand| Layout::all(hand).collect::<Vec<_>>();
    assert_eq!(slow(&Hand::default()), Layout::DEFAULT);
    assert_eq!(Layout::DEFAULT.len(), 73);
    let two = Hand([Card::Attack, Card::Attack, Card::Heal, Card::Counter]);
    let count = |layout: &Layout, card| layout.0.iter().filter(|slot| **slot == Some(card)).count();
    let layouts = slow(&two);
    assert!(layouts.iter().all(|l| count(l, Card::Attack) <= 2 && count(l, Card::Defense) == 0));
    assert!(layouts.contains(&Layout([ATTACK, ATTACK, GRASS])) && !layouts.contains(&Layout([ATTACK; 3])));
}
