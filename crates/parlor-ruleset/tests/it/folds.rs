//! The deltas of a match, folded over its first table, give its last: after every input.

use std::sync::Arc;

use parlor_core::{Json, Rng};
use parlor_ruleset::internals::settings;
use parlor_ruleset::internals::{Board, Sink};
use parlor_ruleset::{Program, RulesetGame, shipped};

fn folds(p: &Arc<Program>, seed: u64) -> usize {
    let config = settings(p, &Json::Null).expect("the defaults are good");
    let mut rng = Rng::fast(seed);
    let mut deltas = Vec::new();
    let mut first: Option<Board> = None;
    let mut out = Sink { output: None, deltas: Some(&mut deltas), ..Sink::silent() };
    let mut table = RulesetGame::start_with(p.clone(), config, p.seats.0, &mut rng, &mut out, |vm| {
        first = Some(vm.state.board.clone());
    });
    let mut board = first.expect("there is a first table");
    let mut inputs = 0;
    loop {
        for delta in deltas.drain(..) {
            board.apply(p, &delta);
        }
        let bytes = |board: &Board| serde_json::to_string(board).expect("a table is plain data");
        assert_eq!(bytes(&board), bytes(&table.inside().board), "{} {seed}: after {inputs} inputs", p.id);
        assert!(table.sound(), "{} {seed}: an invariant is broken", p.id);
        let Some(open) = table.inside().open.clone() else { return inputs };
        let mut out = Sink { output: None, deltas: Some(&mut deltas), ..Sink::silent() };
        match open.seats.lowest() {
            None => table.elapse(&mut rng, &mut out),
            Some(seat) => {
                let said = table.any(seat, &mut rng);
                table.say(seat, false, said, &mut rng, &mut out);
            }
        }
        inputs += 1;
        if inputs > 1500 {
            return inputs;
        }
    }
}

#[test]
fn what_is_taken_back_is_in_the_deltas_too() {
    // cites 001/R14, 001-6, 001/R11
    let add = |n: i64| serde_json::json!({"add": {"var": "n", "by": n}});
    let program = crate::harness::program(serde_json::json!({
        "actions": {
            "good": {"timing": "instant", "do": [add(1)]},
            "bad": {"timing": "instant", "do": [add(5), {"pay": {"var": "log", "amount": 1}}]},
            "group": {"timing": "instant", "do": [{"atomic": [add(7), {"emit": {"event": "Ping"}}]}]}
        },
        "cannot": [{"id": "no", "event": "Ping"}]
    }));
    let inputs: usize = (0..12).map(|seed| folds(&program, seed)).sum();
    assert!(inputs > 100, "{inputs} inputs");
}

#[test]
fn deltas_folded_from_the_start_are_the_state() {
    // cites 001/R14, 001-6
    for name in ["skirmish", "orcain", "hearts-rules"] {
        let program = shipped::program(name).expect("it is shipped");
        let inputs: usize = (0..12).map(|seed| folds(&program, seed)).sum();
        println!("{name}: 12 matches, {inputs} inputs, folded after each");
    }
    for text in [include_str!("../fixtures/veil.json"), include_str!("../../../../rulesets/atelier.json")] {
        let program = Arc::new(parlor_ruleset::compile(text).expect("it compiles").program);
        let inputs: usize = (0..12).map(|seed| folds(&program, seed)).sum();
        println!("{}: 12 matches, {inputs} inputs, folded after each", program.id);
    }
}
