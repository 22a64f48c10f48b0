//! How fast rulesets play: hearts per CPU second, ns for one operation, and what silent cards cost.
//!
//! purity: figures for people, no part of any state.

use std::sync::Arc;

use parlor_core::sim::Job;
use parlor_core::{DynGame, Json, Rng, Seat};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::internals::{ActionId, SeatInput};
use parlor_ruleset::{Program, RulesetGame, compile, dialect, shipped};
use parlor_testkit::cpu::Stopwatch;
use serde_json::json;

fn main() {
    // For counting instructions: `valgrind --tool=callgrind rulesets-… playouts 200` is hearts and nothing else; a name
    // after the number is that ruleset, for two.
    let words: Vec<String> = std::env::args().collect();
    if let Some(place) = words.iter().position(|word| word == "playouts") {
        let matches = words.get(place + 1).and_then(|n| n.parse().ok()).unwrap_or(5_000);
        let named =
            shipped::names().into_iter().find(|name| words.get(place + 2).is_some_and(|word| word == name));
        let (name, seats) = named.map_or(("hearts-rules", 4), |name| (name, 2));
        println!("{name}: {:.0}", playouts(name, seats, matches));
        return;
    }
    let hearts = (0..3).map(|_| playouts("hearts-rules", 4, 5_000)).fold(0.0, f64::max);
    let word = if hearts >= 8_000.0 { "ok" } else { "MISSED" };
    println!("hearts-rules: {hearts:.0} playouts per CPU second, must be >= 8,000: {word}");
    println!("orcain: {:.0} playouts per CPU second", playouts("orcain", 2, 20_000));
    println!("skirmish: {:.0} playouts per CPU second", playouts("skirmish", 2, 300));
    operations();
    silent_cards();
    reasons();
}

/// What a request costs with its reasons, and what discovery does: in the middle of matches of skirmish.
fn reasons() {
    let p = shipped::program("skirmish").expect("it is shipped");
    let config = settings(&p, &Json::Null).expect("the defaults are good");
    let mut tables = Vec::new();
    for seed in 0..40 {
        let mut rng = Rng::fast(seed);
        let mut table = RulesetGame::start(p.clone(), config.clone(), 2, &mut rng, &mut Sink::silent());
        for _ in 0..60 {
            let Some(seat) = table.inside().open.as_ref().and_then(|open| open.seats.lowest()) else { break };
            tables.push((table.clone(), seat));
            let said = table.any(seat, &mut rng);
            table.say(seat, false, said, &mut rng, &mut Sink::silent());
        }
    }
    let each = |what: &dyn Fn(&RulesetGame, Seat) -> usize| {
        let watch = Stopwatch::start();
        let bytes: usize = (0..3).flat_map(|_| &tables).map(|(table, seat)| what(table, *seat)).sum();
        (watch.cpu_seconds() * 1e6 / (3 * tables.len()) as f64, bytes / (3 * tables.len()))
    };
    let size = |value: &dyn Fn() -> String| value().len();
    let (us, bytes) = each(&|table, seat| {
        size(&|| serde_json::to_string(&table.request(seat, parlor_core::AskId(0))).expect("JSON"))
    });
    println!("skirmish: a request with its reasons as JSON: {us:.1} µs, {bytes} bytes");
    let (us, bytes) =
        each(&|table, seat| size(&|| json!(dialect::actions(table, seat, &Json::Null)).to_string()));
    println!("skirmish: GET actions as JSON: {us:.1} µs, {bytes} bytes");
}

fn playouts(name: &str, seats: u8, matches: u64) -> f64 {
    let entry = shipped::game_defs().into_iter().find(|entry| entry.name == name).expect("it is shipped");
    let job = Job { settings: Json::Null, seats, seed: 1, bots: false };
    let watch = Stopwatch::start();
    let tally = entry.sim(&job, 0, matches).expect("it can be simulated");
    assert_eq!(tally.matches, matches);
    matches as f64 / watch.cpu_seconds()
}

fn button(cards: usize, code: &Json, ops: u32) -> Arc<Program> {
    let ruleset = json!({
        "name": "Bench", "author": "bench", "players": {"min": 2, "max": 2},
        "attributes": {"size": {"type": "int", "default": 0}},
        "vars": {"n": {"owner": "game", "type": "int", "default": 0}},
        "zones": {"table": {"owner": "player", "order": "ordered", "see": "all"}},
        "events": {"Hit": {"target": "entity", "do": [{"setAttr": {"of": {"ev": "target"}, "attr": "size", "to": {"+": [{"attr": [{"ev": "target"}, "size"]}, 1]}}}]}},
        "cards": {"silent": {}, "loud": {"triggers": [{"id": "t", "on": {"event": "Hit", "where": {"==": [{"ev": "target"}, "self"]}}, "do": [{"add": {"var": "n", "by": 1}}]}]}},
        "setup": [{"create": {"card": "loud", "to": {"zone": ["table", {"seat": 0}]}}}, {"create": {"card": "silent", "to": {"zone": ["table", {"seat": 1}]}, "n": cards}}],
        "checks": [{"id": "c", "each": {"zones": ["table"], "of": "each", "where": {">": [{"attr": ["it", "size"]}, 1_000_000_000]}}, "do": [{"add": {"var": "n", "by": 1}}]}],
        "actions": {"press": {"timing": "instant", "do": code}},
        "turnStructure": {"phases": [{"id": "main", "steps": [{"id": "main"}]}]},
        "limits": {"ops": ops}
    });
    let compiled = compile(&ruleset.to_string()).unwrap_or_else(|findings| panic!("{findings:#?}"));
    Arc::new(compiled.program)
}

fn start(p: &Arc<Program>) -> RulesetGame {
    let config = settings(p, &Json::Null).expect("the defaults are good");
    RulesetGame::start(p.clone(), config, 2, &mut Rng::fast(1), &mut Sink::silent())
}

/// One press of the button is one event with one reaction and one round of checks.
fn silent_cards() {
    let press = |cards: usize| {
        let p = button(
            cards,
            &json!([{"emit": {"event": "Hit", "payload": {"target": {"first": {"zones": ["table"], "of": {"seat": 0}}}}}}]),
            1_000_000,
        );
        let mut table = start(&p);
        let mut rng = Rng::fast(1);
        let mut best = f64::MAX;
        for _ in 0..7 {
            let watch = Stopwatch::start();
            for _ in 0..40_000 {
                table.say(
                    Seat::new(0),
                    false,
                    SeatInput::Act(ActionId(0), Vec::new()),
                    &mut rng,
                    &mut Sink::silent(),
                );
            }
            best = best.min(watch.cpu_seconds() / 40_000.0);
        }
        best * 1e9
    };
    let (few, many) = (press(10), press(1000));
    let word = if many <= 1.2 * few { "ok" } else { "MISSED" };
    println!(
        "an event with its reaction: {few:.0} ns among 10 silent cards, {many:.0} ns among 1,000 ({:.2} times), must be <= 1.2: {word}",
        many / few
    );
}

/// Loops over variables: what one operation costs.
fn operations() {
    let p = button(
        1,
        &json!([{"repeat": {"n": 10000, "do": [{"set": {"var": "n", "to": {"%": [{"+": [{"*": [{"var": "n"}, 3]}, 7]}, 1000]}}}]}}]),
        1_000_000,
    );
    let mut table = start(&p);
    let mut rng = Rng::fast(1);
    let watch = Stopwatch::start();
    for _ in 0..50 {
        table.say(
            Seat::new(0),
            false,
            SeatInput::Act(ActionId(0), Vec::new()),
            &mut rng,
            &mut Sink::silent(),
        );
    }
    // Each turn of the loop: again, set, jump, and seven expressions.
    let ns = watch.cpu_seconds() * 1e9 / (50.0 * 10_000.0 * 10.0);
    println!("one operation: {ns:.1} ns");
}
