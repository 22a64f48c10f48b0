//! Random matches with drafts, confirms, silence and leaves, checked against a second, simple implementation.

use parlor_battle::resolve::MAX_HP;
use parlor_battle::{BothDead, Event, Profile, Reason, Settings};
use parlor_core::{Game, Json, Rng, Seat, Viewer, Visit};
use serde_json::json;

use crate::ring::{A, B, Ring};

fn said(rng: &mut Rng) -> Json {
    let words = [
        Json::Null,
        json!("attack"),
        json!("defense"),
        json!("heal"),
        json!("counter"),
        json!("x"),
        json!(1),
    ];
    let entries = if rng.below(12) == 0 { rng.below(5) } else { 3 };
    // Mostly nothing or cards; sometimes an entry that is no card.
    let mut word = || {
        let known = if rng.below(6) == 0 { words.len() } else { 5 };
        rng.pick(&words[..known]).clone()
    };
    (0..entries).map(|_| word()).collect()
}

/// A slow and simple reading of the document.
#[derive(Default)]
struct Counted {
    streak: [u32; 2],
    both: u32,
    rounds: u32,
}

impl Counted {
    /// The end that the document asks for after this PREP, as winner or burn.
    fn finalize(&mut self, there: [bool; 2]) -> Option<Option<Seat>> {
        self.rounds += 1;
        for (streak, there) in self.streak.iter_mut().zip(there) {
            *streak = if there { 0 } else { *streak + 1 };
        }
        self.both = if there == [false; 2] { self.both + 1 } else { 0 };
        match () {
            () if self.both >= 2 => Some(None),
            () if self.streak[0] >= 2 => Some(Some(B)),
            () if self.streak[1] >= 2 => Some(Some(A)),
            () => None,
        }
    }
}

fn one(n: u64) -> (Reason, u32) {
    let mut rng = Rng::fast(n);
    let settings = Settings {
        profile: [Profile::Document, Profile::Standard][rng.below(2) as usize],
        stop_at_zero: rng.flip_coin(),
        both_dead: [BothDead::Return, BothDead::Burn][rng.below(2) as usize],
        stake: rng.below(2) as u8,
        ..Settings::default()
    };
    let mut ring = Ring::with(&settings);
    // How often each of the two is silent, from never to nearly always.
    let silence = [rng.below(8), rng.below(8)];
    let leaves = rng.below(4) == 0;
    let mut counted = Counted::default();
    while ring.game.outcome().is_none() {
        let mut there = [false; 2];
        for _ in 0..4 {
            let seat = Seat::new(rng.below(2) as u8);
            if rng.below(8) < silence[seat.index()] {
                continue;
            }
            let layout = said(&mut rng);
            let taken = if rng.flip_coin() { ring.draft(seat, layout) } else { ring.confirm(seat, layout) };
            // The first answer of a round is always accepted, so a refused sender is already present.
            assert!(taken.is_ok() || there[seat.index()], "match {n}");
            there[seat.index()] = true;
        }
        let steps = rng.below(5);
        let leaver = (leaves && rng.below(3) == 0).then(|| Seat::new(rng.below(2) as u8));
        if let Some(seat) = leaver.filter(|_| steps == 0) {
            ring.visit(Visit::leave(seat)).expect("admitted");
            break;
        }
        let expected = counted.finalize(there);
        ring.elapse();
        let afk = ring.ear.told.last().and_then(|(_, event)| match event {
            Event::MatchEnd { reason: Reason::Timeout, winner, .. } => Some(*winner),
            _ => None,
        });
        assert_eq!(afk, expected, "match {n}, round {}", counted.rounds);
        for step in 1.. {
            let hp = ring.hp();
            assert!(hp.iter().all(|hp| *hp <= MAX_HP), "match {n}");
            assert_eq!(ring.ear.table, ring.game.escrow(), "match {n}");
            if ring.game.outcome().is_some() || ring.game.open_asks().len() == 2 {
                break;
            }
            match leaver {
                Some(seat) if step == steps => ring.visit(Visit::leave(seat)).expect("admitted"),
                _ => ring.elapse(),
            }
        }
    }
    let names = ring.names(Viewer::Gallery);
    let count = |name: &str| names.iter().filter(|other| *other == name).count() as u32;
    let (reason, hp) = match ring.ear.told.last() {
        Some((_, Event::MatchEnd { reason, hp, .. })) => (*reason, *hp),
        other => panic!("match {n} ends with {other:?}"),
    };
    let timed_out = u32::from(reason == Reason::Timeout);
    assert_eq!((ring.ends(), count("match_end")), (1, 1), "match {n}: one end, the last thing told");
    assert_eq!(count("reveal_start") + timed_out, counted.rounds, "match {n}: each round is finalised once");
    assert!(reason != Reason::Timeout || counted.rounds >= 2, "match {n} ended by one round");
    assert!(reason != Reason::Normal || hp.contains(&0) || counted.rounds >= 3, "match {n} ended too soon");
    assert_eq!(ring.ear.seats.iter().sum::<i64>() + ring.ear.burnt, 0, "match {n}: tokens are conserved");
    assert_eq!((ring.ear.table, ring.game.escrow()), (0, 0), "match {n}: nothing is left on the table");
    (reason, counted.rounds)
}

#[test]
fn random_matches_keep_the_rules() {
    // cites 002-15, 002-16, 002-19, 002-21, 002-22, 002-23, 002-24, 002/R9, 002/R11
    let matches = std::env::var("PARLOR_SOAK_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let (mut ends, mut rounds) = ([0u64; 3], 0);
    for n in 0..matches {
        let (reason, played) = one(n);
        ends[reason as usize] += 1;
        rounds += u64::from(played);
    }
    let [normal, timeout, disconnect] = ends;
    println!(
        "{matches} matches, {rounds} rounds: {normal} normal, {timeout} timeout, {disconnect} disconnect"
    );
    assert!(ends.iter().all(|count| *count * 50 > matches), "every kind of end is tried: {ends:?}");
}
