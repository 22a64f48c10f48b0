//! The battle as a ruleset and as a machine are one game.

use parlor_battle::Battle;
use parlor_core::Game;
use parlor_core::{AskKind, Body, By, GameDef, Header, Json, Match, Rng, Seat, Seed, Viewer, Visit};
use parlor_ruleset::shipped;
use parlor_testkit::Kit;
use serde_json::json;

fn ruleset() -> GameDef {
    shipped::game_defs().into_iter().find(|def| def.name == "orcain").expect("it is shipped")
}

fn same(native: &Match, rules: &Match, seed: u64) {
    let (a, b) = (native.view(Viewer::Gallery), rules.view(Viewer::Gallery));
    for seat in 0..2 {
        assert_eq!(a["hp"][seat], b["players"][seat]["vars"]["hp"], "{seed}: hp of {seat}");
    }
    assert_eq!(a["round"], b["vars"]["round"], "{seed}: round");
    assert_eq!(native.outcome(), rules.outcome(), "{seed}: outcome");
    assert_eq!(
        (native.escrow(), native.posted_escrow()),
        (rules.escrow(), rules.posted_escrow()),
        "{seed}: tokens on the table"
    );
    let asks = |play: &Match| -> Vec<_> {
        play.open_asks().iter().map(|ask| (ask.seats, ask.kind, ask.clock, ask.min_ms)).collect()
    };
    assert_eq!(asks(native), asks(rules), "{seed}: something else stands");
}

/// The answer of one, as the other takes it.
fn translated(answer: &Json) -> Json {
    json!({"title": "Confirm a layout", "selection": answer["layout"]})
}

fn layout(rng: &mut Rng) -> Json {
    const CARDS: [&str; 6] = ["attack", "defense", "heal", "counter", "grass", "attack"];
    let def = |rng: &mut Rng| match rng.below(9) {
        n if n < 6 => json!(CARDS[n as usize]),
        _ => Json::Null,
    };
    let entries: Vec<Json> = (0..if rng.below(12) == 0 { 2 } else { 3 }).map(|_| def(rng)).collect();
    json!({"layout": entries})
}

/// What became of the pot, by the kind of end: won, drawn and returned, drawn and burnt, all lost.
#[derive(Default, Debug)]
struct Pots([u32; 4]);

impl Pots {
    fn note(&mut self, play: &Match, staked: bool, returned: bool) {
        let Some(over) = play.outcome().filter(|_| staked) else { return };
        let draw = over.places.iter().all(|place| *place == 1);
        self.0[match (over.winners.is_empty(), draw, returned) {
            (false, ..) => 0,
            (true, true, true) => 1,
            (true, true, false) => 2,
            (true, false, _) => 3,
        }] += 1;
    }
}

fn together(seed: u64, pots: &mut Pots) -> usize {
    // Blow for blow: both fall in the same step, which chance hardly ever brings about.
    let mirrored = seed % 5 == 4;
    let (staked, returned) = (!seed.is_multiple_of(3), seed.is_multiple_of(2));
    let settings = json!({"stake": u8::from(staked), "bothDead": if returned { "return" } else { "burn" }});
    let start = |def: GameDef| {
        let header = Header::seeded(&def, 2, settings.clone(), Seed::from_text(&format!("both {seed}")));
        Match::start(def, header).expect("it starts")
    };
    let ((mut a, first), (mut b, second)) = (start(Battle::def()), start(ruleset()));
    assert_eq!(first.postings, second.postings, "{seed}: stakes");
    let mut rng = Rng::fast(seed);
    for n in 0.. {
        same(&a, &b, seed);
        if a.outcome().is_some() {
            pots.note(&a, staked, returned);
            return n;
        }
        let asks = a.open_asks();
        let place = rng.below(asks.len() as u32) as usize;
        let (ask, other) = (asks[place], b.open_asks()[place]);
        if !mirrored && rng.below(150) == 0 {
            let visit = Visit::leave(Seat::new(rng.below(2) as u8));
            let [left, right] = [&mut a, &mut b].map(|play| {
                play.apply(0, By::House, None, Body::Visit { visit }).expect("whoever leaves leaves").postings
            });
            assert_eq!(left, right, "{seed}: tokens");
            continue;
        }
        if ask.seats.is_empty() || (!mirrored && ask.kind == AskKind::Request && rng.below(3) == 0) {
            if ask.kind != AskKind::Request {
                continue;
            }
            let left = a.apply(0, By::Clock, None, Body::Elapsed { ask: ask.id, seat: None });
            let right = b.apply(0, By::Clock, None, Body::Elapsed { ask: other.id, seat: None });
            let (left, right) = (left.expect("it elapses"), right.expect("it elapses"));
            assert_eq!(left.postings, right.postings, "{seed}: tokens");
            continue;
        }
        let seats: Vec<Seat> = ask.seats.iter().collect();
        let blow = json!({"layout": ["attack", null, null]});
        let (seat, answer) = (*rng.pick(&seats), if mirrored { blow } else { layout(&mut rng) });
        let left = a.apply(0, By::Human, None, Body::Answer { seat, ask: ask.id, answer: answer.clone() });
        let right =
            b.apply(0, By::Human, None, Body::Answer { seat, ask: other.id, answer: translated(&answer) });
        assert_eq!(left.is_ok(), right.is_ok(), "{seed}: {answer} to {:?}: {left:?} {right:?}", ask.kind);
    }
    unreachable!()
}

#[test]
fn the_ruleset_and_the_machine_agree() {
    // cites 001-1, 001/R14
    let matches = std::env::var("PARLOR_SOAK_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let (mut inputs, mut pots) = (0, Pots::default());
    for seed in 0..matches {
        inputs += together(seed, &mut pots);
    }
    println!(
        "orcain: {matches} random logs, {inputs} inputs, agree; pots won, returned, burnt, lost: {:?}",
        pots.0
    );
    assert!(matches < 400 || pots.0.iter().all(|n| *n > 0), "every end of a pot comes up: {pots:?}");
}

#[test]
fn orcain_passes_the_kit() {
    match Kit::of(ruleset()).settings(json!({"stake": 1})).matches(12, 4).run() {
        Ok(report) => println!("orcain: {}", report.text()),
        Err(why) => panic!("{why}"),
    }
}
