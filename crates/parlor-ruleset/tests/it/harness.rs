//! The harness: a small game to try one rule with.

use std::sync::Arc;

use parlor_core::{AskId, Body, By, DynGame, Match, Rng, Seat, Seats};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::{Program, RulesetGame, compile, scenario};
use serde_json::{Value, json};

/// A small game with a button for each action, changed in these sections.
pub(crate) fn ruleset(extra: &Value) -> Value {
    let mut ruleset = json!({
        "ir": "parlor-ir/1", "name": "A rule", "author": "test", "players": {"min": 2, "max": 3},
        "attributes": {"size": {"type": "int", "default": 1, "layer": "stat"}},
        "vars": {"n": {"owner": "game", "type": "int", "default": 0}, "log": {"owner": "game", "type": "int", "default": 0}},
        "zones": {"table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"}},
        "events": {"Ping": {"n": "int"}, "Pong": {"n": "int"}, "Hit": {"target": "entity", "n": "int"}},
        "cards": {"stone": {}},
        "actions": {"press": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 5}}}]}},
        "turnStructure": {"maxTurns": 3, "phases": [{"id": "main", "steps": [{"id": "main"}]}]}
    });
    for (name, value) in extra.as_object().expect("an object") {
        ruleset[name] = value.clone();
    }
    ruleset
}

/// The program of the small game; what it sends is compared with its types.
pub(crate) fn program(extra: impl std::borrow::Borrow<Value>) -> Arc<Program> {
    let compiled =
        compile(&ruleset(extra.borrow()).to_string()).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let program = Arc::new(compiled.program);
    crate::screen::check(&program);
    program
}

/// A seat answers what it is asked.
pub(crate) fn say(table: &mut RulesetGame, seat: Seat, selection: &Value) {
    let title = table.request(seat, AskId(0)).title;
    let answer = json!({"title": title, "selection": selection});
    let said = table.read(seat, AskId(0), &answer).unwrap_or_else(|why| panic!("{answer}: {why}"));
    table.say(seat, false, said, &mut Rng::fast(1), &mut Sink::silent());
}

/// Both players want to be asked also where they can do nothing: what is told of that.
pub(crate) fn full_control(play: &mut Match) -> Vec<(Seats, Value)> {
    let answer =
        json!({"title": "Pass until", "selection": {"action": "pass_until", "until": "off", "full": true}});
    let body = |n| Body::Answer { seat: Seat::new(n), ask: AskId(1), answer: answer.clone() };
    let applied = (0..2).flat_map(|n| play.apply(0, By::Human, None, body(n)).expect("it is taken").events);
    applied.collect()
}

/// A scenario of the small game holds.
pub(crate) fn holds(extra: Value, test: Value) {
    scenario::run(&program(extra), &test).unwrap_or_else(|why| panic!("{why}"));
}

/// A scenario of the small game fails, and this is why.
pub(crate) fn fails(extra: &Value, test: &Value) -> scenario::Failure {
    match scenario::run(&program(extra), test) {
        Ok(report) => panic!("{test} holds: {report:?}"),
        Err(failure) => failure,
    }
}
