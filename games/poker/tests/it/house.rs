//! House rules where PokerKit plays others: results written by hand in `tests/data/house.txt`, and rules in small.

use std::collections::BTreeMap;

use parlor_poker::notation::phh;
use parlor_poker::report::Report;
use parlor_poker::{Action, Hand, Interpretation, Rake, Reveal, Row, Setup, Stacked, Variant};

use crate::data;

#[test]
fn flagged_hands_end_as_worked_out_by_hand() {
    let text = std::fs::read_to_string(data::fixture("house.txt")).unwrap();
    let mut report: Option<Report> = None;
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["legal", after, player, call, from, to] => {
                let report = report.as_ref().unwrap();
                let stage = report.steps.iter().find(|stage| stage.i.to_string() == after).unwrap();
                let bets = stage.legal.as_ref().unwrap();
                let said = |amount: &Option<String>| amount.clone().unwrap_or_else(|| "-".into());
                assert_eq!(stage.actor.map(|n| format!("p{n}")).as_deref(), Some(player), "{line}");
                assert_eq!([said(&bets.cc), said(&bets.min), said(&bets.max)], [call, from, to], "{line}");
            }
            ["final", ref stacks @ ..] => {
                assert_eq!(report.as_ref().unwrap().end.as_ref().unwrap().stacks, stacks, "{line}")
            }
            ["refused", at] => {
                let error = report.as_ref().unwrap().error.clone().unwrap();
                assert!(error.starts_with(&format!("actions[{at}] ")), "{line}: {error}");
            }
            [kind, file, key] => {
                let hands =
                    phh::read(&std::fs::read_to_string(data::fixture("synthetic").join(file)).unwrap())
                        .unwrap();
                let (_, record) = hands.iter().find(|(k, _)| k == key).unwrap();
                let played = Report::of(file, key, record, Interpretation::House);
                assert!(played.flags.contains(&kind), "{line}: {:?}", played.flags);
                report = Some(played);
                *kinds.entry(if kind == "short_blind" { "short_blind" } else { "fl_short" }).or_default() +=
                    1;
            }
            _ => panic!("{line}"),
        }
    }
    assert!(kinds.len() == 2 && kinds.values().all(|&count| count >= 5), "{kinds:?}");
}

/// Plays actions; cards may be given as text.
fn play(hand: &mut Hand, actions: &[Action]) {
    for &action in actions {
        let mv = hand.check(action).unwrap_or_else(|refusal| panic!("{action:?}: {refusal}"));
        hand.apply(mv);
    }
}

fn row(text: &str) -> Row {
    Row::parse(text).unwrap()
}

fn raise_bounds(hand: &Hand) -> Option<(i64, i64)> {
    match hand.legal() {
        parlor_poker::Legal::Bet(choices) => choices.raise,
        other => panic!("{other:?}"),
    }
}

/// No-limit hold'em with blinds 50 and 100 (first two places) and these stacks, cards dealt.
fn holdem(stacks: &[i64]) -> Hand {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, stacks.len(), 100, 1);
    setup.stacks[..stacks.len()].copy_from_slice(stacks);
    let mut hand = Hand::start(&setup).unwrap();
    hand.deal(&mut Stacked::new([]));
    hand
}

#[test]
fn a_short_all_in_does_not_let_a_limper_raise_again() {
    let mut hand = holdem(&[10_000, 10_000, 10_000, 150]);
    play(&mut hand, &[Action::Call(2), Action::Raise(3, 150), Action::Call(0)]);
    // The big blind has not acted: 150 plus a full raise of 100.
    assert_eq!(raise_bounds(&hand), Some((250, 10_000)));
    play(&mut hand, &[Action::Call(1)]);
    assert_eq!((hand.turn(), raise_bounds(&hand)), (Some(2), None));
}

#[test]
fn short_all_ins_that_add_up_to_a_full_raise_reopen_the_betting() {
    let mut hand = holdem(&[260, 10_000, 10_000, 190]);
    play(&mut hand, &[Action::Call(2), Action::Raise(3, 190), Action::Raise(0, 260), Action::Call(1)]);
    // 160 more than he called, and a full raise is 100.
    assert_eq!((hand.turn(), raise_bounds(&hand)), (Some(2), Some((360, 10_000))));
}

#[test]
fn a_full_raise_sets_the_size_of_the_next() {
    let mut hand = holdem(&[10_000; 4]);
    play(&mut hand, &[Action::Raise(2, 350)]);
    assert_eq!(raise_bounds(&hand), Some((600, 10_000)));
}

#[test]
fn the_uncalled_part_of_a_bet_goes_back() {
    let mut hand = holdem(&[10_000, 300, 10_000]);
    play(&mut hand, &[Action::Raise(2, 1_000), Action::Fold(0), Action::Call(1)]);
    assert_eq!(hand.uncalled(), Some((2, 700)));
    assert_eq!(hand.stacks()[2], 9_700);
}

#[test]
fn odd_chips_go_one_by_one_from_the_left_of_the_button() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 4, 100, 10_000);
    setup.blinds = [0; parlor_poker::SEATS_MAX];
    setup.antes[..4].copy_from_slice(&[1, 1, 1, 2]);
    let mut hand = Hand::start(&setup).unwrap();
    let deals = ["2c3d", "2d3h", "7s8s", "2h3s"].iter().enumerate().map(|(s, c)| Action::DealHole(s, row(c)));
    play(&mut hand, &deals.collect::<Vec<_>>());
    let check = [0, 1, 2, 3].map(Action::Call);
    play(&mut hand, &check);
    play(
        &mut hand,
        &[Action::DealBoard(row("TsJsQs")), Action::Call(0), Action::Call(1), Action::Raise(2, 100)],
    );
    play(&mut hand, &[Action::Fold(3), Action::Call(0), Action::Call(1)]);
    play(&mut hand, &[Action::DealBoard(row("Ks")), Action::Call(0), Action::Call(1), Action::Fold(2)]);
    play(&mut hand, &[Action::DealBoard(row("As")), Action::Call(0), Action::Call(1)]);
    play(&mut hand, &[Action::ShowAll(0), Action::ShowAll(1)]);
    // 305 for two who both play the board: the odd chip goes to the first.
    assert_eq!(hand.won(), [153, 152, 0, 0]);
}

#[test]
fn an_odd_chip_in_stud_goes_to_the_highest_card_by_suit() {
    let mut setup = Setup::simple(Variant::Stud, 2, 8, 1_000);
    setup.antes[..2].copy_from_slice(&[1, 2]);
    setup.reveal = Reveal::Auto;
    let mut hand = Hand::start(&setup).unwrap();
    // Both end with ace-high straights of no flush; p2 holds the ace of spades.
    let (one, two) = (["AhKd", "2h", "Qc", "Jd", "Tc", "3d"], ["AsKc", "2d", "Qd", "Jc", "Th", "3c"]);
    play(&mut hand, &[Action::DealHole(0, row("AhKd2h")), Action::DealHole(1, row("AsKc2d"))]);
    play(&mut hand, &[Action::BringIn(1), Action::Call(0)]);
    for street in 2..6 {
        play(&mut hand, &[Action::DealHole(0, row(one[street])), Action::DealHole(1, row(two[street]))]);
        while let (parlor_poker::Phase::Bet, Some(seat)) = (hand.phase(), hand.turn()) {
            play(&mut hand, &[Action::Call(seat)]);
        }
    }
    assert_eq!(hand.won(), [3, 4]);
}

#[test]
fn the_rest_of_the_board_can_be_dealt_twice() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 2, 100, 1_000);
    (setup.runs, setup.reveal) = (2, Reveal::Auto);
    let mut hand = Hand::start(&setup).unwrap();
    play(&mut hand, &[Action::DealHole(0, row("AsAh")), Action::DealHole(1, row("KsKh"))]);
    play(&mut hand, &[Action::Raise(1, 1_000), Action::Call(0)]);
    play(
        &mut hand,
        &[Action::DealBoard(row("2c7d9h")), Action::DealBoard(row("3s")), Action::DealBoard(row("4d"))],
    );
    assert_eq!(hand.boards(), 2);
    assert!(hand.check(Action::DealBoard(row("2c5d6h"))).is_err(), "cards of the first board are gone");
    play(
        &mut hand,
        &[Action::DealBoard(row("Kc5d6h")), Action::DealBoard(row("8s")), Action::DealBoard(row("Td"))],
    );
    assert_eq!(hand.won(), [1_000, 1_000]);
}

#[test]
fn a_bomb_pot_starts_on_the_flop() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 3, 100, 1_000);
    setup.blinds = [0; parlor_poker::SEATS_MAX];
    setup.antes[..3].fill(100);
    setup.bomb_pot = true;
    let mut hand = Hand::start(&setup).unwrap();
    play(
        &mut hand,
        &[
            Action::DealHole(0, row("AsAh")),
            Action::DealHole(1, row("KsKh")),
            Action::DealHole(2, row("QsQh")),
        ],
    );
    play(&mut hand, &[Action::DealBoard(row("2c7d9h"))]);
    assert_eq!((hand.street(), hand.turn(), hand.pot_total()), (Some(1), Some(0), 300));
}

#[test]
fn rake_comes_out_of_all_pots_and_not_out_of_the_uncalled_bet() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 3, 100, 1_000);
    setup.stacks[..3].copy_from_slice(&[200, 1_000, 5_000]);
    setup.reveal = Reveal::Auto;
    setup.rake = Rake { basis_points: 500, cap: Some(1_000), ..Rake::NONE };
    let mut hand = Hand::start(&setup).unwrap();
    play(
        &mut hand,
        &[
            Action::DealHole(0, row("AsAh")),
            Action::DealHole(1, row("KsKh")),
            Action::DealHole(2, row("QsQh")),
        ],
    );
    play(&mut hand, &[Action::Raise(2, 5_000), Action::Call(0), Action::Call(1)]);
    play(
        &mut hand,
        &[Action::DealBoard(row("2c7d9h")), Action::DealBoard(row("3s")), Action::DealBoard(row("4d"))],
    );
    // 600 in the main pot, 1,600 in the side pot: 5 % of 2,200 is 110, 30 and 80.
    assert_eq!((hand.raked(), hand.uncalled()), (110, Some((2, 4_000))));
    assert_eq!(hand.stacks(), [570, 1_520, 4_000]);
    assert_eq!(hand.chips(), 6_200);
}

#[test]
fn no_flop_no_drop() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 2, 100, 1_000);
    setup.rake = Rake { basis_points: 500, ..Rake::NONE };
    let mut hand = Hand::start(&setup).unwrap();
    play(&mut hand, &[Action::DealHole(0, row("AsAh")), Action::DealHole(1, row("KsKh")), Action::Fold(1)]);
    assert_eq!((hand.raked(), hand.stacks()), (0, &[1_050, 950][..]));
}

/// 004/R8: check when it is free, else fold; show what wins, muck what does not.
#[test]
fn whoever_does_nothing_checks_or_folds_and_mucks_only_what_loses() {
    let mut hand = holdem(&[10_000; 3]);
    assert_eq!(hand.auto().map(|mv| mv.action()), Some(Action::Fold(2)));
    play(&mut hand, &[Action::Call(2), Action::Call(0)]);
    assert_eq!(hand.auto().map(|mv| mv.action()), Some(Action::Call(1)));

    let mut hand = Hand::start(&Setup::simple(Variant::NoLimitHoldem, 2, 100, 1_000)).unwrap();
    play(
        &mut hand,
        &[
            Action::DealHole(0, row("AsAh")),
            Action::DealHole(1, row("KsKh")),
            Action::Call(1),
            Action::Call(0),
        ],
    );
    for board in ["2c7d9h", "3s", "4d"] {
        play(&mut hand, &[Action::DealBoard(row(board)), Action::Call(0), Action::Call(1)]);
    }
    assert_eq!(hand.auto().map(|mv| mv.action()), Some(Action::ShowAll(0)));
    play(&mut hand, &[Action::ShowAll(0)]);
    assert_eq!(hand.auto().map(|mv| mv.action()), Some(Action::Muck(1)));
}

/// 004/R8: who has lost the main pot and still wins a side pot shows.
#[test]
fn a_hand_that_wins_a_side_pot_alone_is_shown() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 3, 100, 1_000);
    setup.stacks[0] = 100;
    let mut hand = Hand::start(&setup).unwrap();
    for (seat, cards) in ["AsAh", "KsKh", "QsQh"].into_iter().enumerate() {
        play(&mut hand, &[Action::DealHole(seat, row(cards))]);
    }
    play(&mut hand, &[Action::Call(2), Action::Call(0), Action::Call(1)]);
    play(&mut hand, &[Action::DealBoard(row("2c7d9h")), Action::Raise(1, 100), Action::Call(2)]);
    for board in ["3s", "4d"] {
        play(&mut hand, &[Action::DealBoard(row(board)), Action::Call(1), Action::Call(2)]);
    }
    play(&mut hand, &[Action::ShowAll(0)]);
    assert_eq!(hand.auto().map(|mv| mv.action()), Some(Action::ShowAll(1)));
    play(&mut hand, &[Action::ShowAll(1)]);
    assert_eq!(hand.auto().map(|mv| mv.action()), Some(Action::Muck(2)));
    play(&mut hand, &[Action::Muck(2)]);
    assert_eq!(hand.stacks(), [300, 1_000, 800]);
}

#[test]
fn eight_players_in_stud_share_the_last_card() {
    let setup = Setup::simple(Variant::Stud, 8, 8, 1_000);
    let mut hand = Hand::start(&setup).unwrap();
    let mut rng = Stacked::new([]);
    while hand.street() < Some(4) {
        hand.deal(&mut rng);
        while let (parlor_poker::Phase::Bet, Some(mv)) = (hand.phase(), hand.auto()) {
            let action = match mv.action() {
                Action::Fold(seat) => Action::Call(seat),
                other => other,
            };
            play(&mut hand, &[action]);
        }
    }
    assert!(matches!(hand.legal(), parlor_poker::Legal::Deal { board: 1, hole } if hole == [0; 10]));
}

/// 004/R2: dead money is in the pot before the first action and part of no bet.
#[test]
fn dead_blinds_lie_in_the_pot_and_chips_are_conserved() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 3, 2, 100);
    setup.stacks[2] = 97;
    setup.paid_dead[2] = 3;
    let mut hand = Hand::start(&setup).unwrap();
    hand.deal(&mut Stacked::new([]));
    assert_eq!((hand.pots()[0].chips, hand.bets()), (3, &[1, 2, 0][..]));
    let parlor_poker::Legal::Bet(choices) = hand.legal() else { panic!() };
    assert_eq!((choices.seat, choices.call), (2, Some(2)));
    play(&mut hand, &[Action::Fold(2), Action::Fold(0)]);
    assert_eq!(hand.stacks(), [99, 104, 97]);
}
