//! Figures of a few hands and of a file of twenty, counted by hand.

use std::collections::{BTreeMap, BTreeSet};

use parlor_poker::notation::phh;
use parlor_poker::replay::Replay;
use parlor_poker::stats::{Share, Stats, position};
use parlor_poker::{Amount, Interpretation};

use crate::data;

fn hand(actions: &[&str]) -> String {
    let lines: Vec<String> = actions.iter().map(|line| format!("'{line}'")).collect();
    format!(
        "variant = 'NT'\nantes = [0, 0, 0]\nblinds_or_straddles = [1, 2, 0]\nmin_bet = 2\nstarting_stacks = [200, 200, 200]\n\
         players = ['Ann', 'Bob', 'Cid']\nactions = [{}]\n",
        lines.join(", ")
    )
}

const DEAL: [&str; 3] = ["d dh p1 AsAh", "d dh p2 4c5c", "d dh p3 KsKh"];

/// A raise called and continued; a three-bet to the showdown; a walk; a limped pot with a check-raise.
const HANDS: [&[&str]; 4] = [
    &["p3 cbr 6", "p1 f", "p2 cc", "d db 2c7d9h", "p2 cc", "p3 cbr 8", "p2 f"],
    &[
        "p3 cbr 6",
        "p1 cbr 20",
        "p2 f",
        "p3 cc",
        "d db 2c7d9h",
        "p1 cbr 20",
        "p3 cc",
        "d db Jc",
        "p1 cc",
        "p3 cc",
        "d db 3s",
        "p1 cc",
        "p3 cc",
        "p1 sm AsAh",
        "p3 sm KsKh",
    ],
    &["p3 f", "p1 f"],
    &[
        "p3 cc",
        "p1 cc",
        "p2 cc",
        "d db 2c7d9h",
        "p1 cc",
        "p2 cbr 4",
        "p3 f",
        "p1 cbr 12",
        "p2 cc",
        "d db Jc",
        "p1 cbr 20",
        "p2 f",
    ],
];

const fn share(done: u64, of: u64) -> Share {
    Share { done, of }
}

#[test]
fn four_hands_are_counted_as_by_hand() {
    let mut stats = Stats::default();
    for actions in HANDS {
        let text = hand(&[&DEAL[..], actions].concat());
        for (_, record) in phh::read(&text).unwrap() {
            stats.count(&record).unwrap();
        }
    }
    for (name, vpip, pfr, three_bet, cbet, af, wtsd, bb100) in [
        ("Ann", share(2, 4), share(1, 4), share(1, 2), share(1, 1), share(3, 0), share(1, 2), 700.0),
        ("Bob", share(1, 3), share(0, 3), share(0, 1), share(0, 0), share(1, 1), share(0, 2), -262.5),
        ("Cid", share(3, 4), share(2, 4), share(0, 0), share(1, 1), share(1, 1), share(1, 3), -437.5),
    ] {
        let of = stats.of(name);
        assert_eq!(of.hands, 4);
        assert_eq!(
            [of.vpip, of.pfr, of.three_bet, of.cbet, of.aggression, of.wtsd],
            [vpip, pfr, three_bet, cbet, af, wtsd],
            "{name}"
        );
        assert!((of.bb100() - bb100).abs() < 1e-9, "{name}: {}", of.bb100());
        assert!(of.bb100_se() > 0.0);
    }
    let lines: Vec<String> = stats.lines().map(|line| serde_json::to_string(&line).unwrap()).collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[0].starts_with(r#"{"player":"Ann","position":"all","hands":4,"vpip":{"done":2,"of":4}"#));
    assert!(lines[1].starts_with(r#"{"player":"Ann","position":"SB","hands":4"#));
    // Files counted apart and added up are the same.
    let mut twice = Stats::default();
    twice.add(&stats);
    twice.add(&stats);
    assert_eq!((twice.of("Ann").hands, twice.of("Ann").vpip), (8, share(4, 8)));
}

/// The file of twenty hands, in the way of `tests/data/stats.txt`.
#[test]
fn twenty_hands_are_counted_as_by_hand() {
    let text = std::fs::read_to_string(data::fixture("stats.phhs")).unwrap();
    let mut stats = Stats::default();
    let mut hands = 0;
    phh::read_each(&text, |key, record| {
        let record = record.unwrap();
        let finished = record.amounts("finishing_stacks").unwrap();
        let played = Replay::start(&record, Interpretation::House).unwrap().finish().unwrap();
        // In the file the players stand in the order of play.
        let stacks = played.stacks().iter().map(|&chips| Amount::whole(chips));
        assert!(stacks.eq(finished), "hand {key}: {:?}", played.stacks());
        stats.count(&record).unwrap();
        hands += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!(hands, 20);
    let part = |share: Share| format!("{}/{}", share.done, share.of);
    let got: Vec<String> = stats
        .lines()
        .map(|line| {
            let won = line.bb100 * line.hands as f64 / 100.0;
            let shares = [line.vpip, line.pfr, line.three_bet, line.cbet, line.af, line.wtsd].map(part);
            let won = (won * 2.0).round() / 2.0;
            format!("{} {} {} {} {won}", line.player, line.position, line.hands, shares.join(" "))
        })
        .collect();
    let expected = std::fs::read_to_string(data::fixture("stats.txt")).unwrap();
    let expected: Vec<&str> = expected.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(got, expected);
}

/// How often each mark was set.
type Marks = BTreeMap<char, u64>;

/// The working behind `stats.txt`, hand by hand, adds up to it; nothing of the program is asked.
#[test]
fn the_working_of_the_twenty_hands_adds_up() {
    let working = std::fs::read_to_string(data::fixture("stats-working.txt")).unwrap();
    // By player and position: hands, how often each mark was set, and chips.
    let mut sums = BTreeMap::<(&str, &str), (u64, Marks, i64)>::new();
    let mut won_in_hand: BTreeMap<&str, i64> = BTreeMap::new();
    for line in working.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let [hand, player, position, chips, marks] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let chips: i64 = chips.parse().unwrap();
        *won_in_hand.entry(hand).or_default() += chips;
        for position in ["all", position] {
            let (hands, counts, sum) = sums.entry((player, position)).or_default();
            *hands += 1;
            *sum += chips;
            for mark in marks.chars() {
                *counts.entry(mark).or_default() += 1;
            }
        }
    }
    assert_eq!(won_in_hand.len(), 20);
    assert!(won_in_hand.values().all(|sum| *sum == 0), "what one wins another loses: {won_in_hand:?}");
    let expected = std::fs::read_to_string(data::fixture("stats.txt")).unwrap();
    let added: BTreeSet<String> = sums
        .iter()
        .map(|((player, position), (hands, counts, chips))| {
            let count = |mark: char| counts.get(&mark).copied().unwrap_or(0);
            let pairs = [('e', 'd'), ('r', 'd'), ('T', 't'), ('C', 'c'), ('b', 'k'), ('s', 'f')];
            let shares = pairs.map(|(done, of)| format!("{}/{}", count(done), count(of)));
            format!("{player} {position} {hands} {} {}", shares.join(" "), *chips as f64 / 2.0)
        })
        .collect();
    let expected: BTreeSet<String> =
        expected.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    assert_eq!(added, expected);
}

/// Whoever throws a losing hand away unseen was at the showdown all the same.
#[test]
fn a_hand_that_is_mucked_was_at_the_showdown() {
    let mut stats = Stats::default();
    let actions = [
        "p3 f",
        "p1 cc",
        "p2 cc",
        "d db 2c7d9h",
        "p1 cc",
        "p2 cc",
        "d db Jc",
        "p1 cc",
        "p2 cc",
        "d db 3s",
        "p1 cc",
        "p2 cc",
        "p1 sm AsAh",
        "p2 sm",
    ];
    for (_, record) in phh::read(&hand(&[&DEAL[..], &actions].concat())).unwrap() {
        stats.count(&record).unwrap();
    }
    assert_eq!(
        ["Ann", "Bob", "Cid"].map(|name| stats.of(name).wtsd),
        [share(1, 1), share(1, 1), share(0, 0)]
    );
}

#[test]
fn places_have_their_names() {
    let of =
        |players: usize| (0..players).map(|place| position(place, players)).collect::<Vec<_>>().join(" ");
    assert_eq!(of(2), "BB BTN");
    assert_eq!(of(3), "SB BB BTN");
    assert_eq!(of(6), "SB BB UTG HJ CO BTN");
    assert_eq!(of(9), "SB BB UTG UTG+1 MP MP HJ CO BTN");
}
