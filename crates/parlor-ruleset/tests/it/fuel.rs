//! What operations cost. A short way to a value costs what the long way does: logs that ran out of fuel end at the same
//! operation for ever.

use std::sync::Arc;

use parlor_core::{DynGame, Rng, Seat};
use parlor_ruleset::internals::SeatInput;
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::internals::{ActionId, Limits, VERDICT};
use parlor_ruleset::{Program, RulesetGame, compile};
use serde_json::{Value, json};

/// Three red cards and two blue ones in one zone, and a button.
fn program(button: &Value) -> Program {
    let ruleset = json!({
        "name": "Costs", "author": "test", "players": {"min": 2, "max": 2},
        "enums": {"colour": ["red", "blue"]},
        "attributes": {"colour": {"type": "enum:colour"}, "size": {"type": "int"}},
        "vars": {"n": {"owner": "game", "type": "int", "default": 0}, "one": {"owner": "game", "type": "int", "default": 1}},
        "zones": {"row": {"owner": "game", "order": "ordered", "see": "all"}},
        "cards": {
            "a": {"colour": "red", "size": 1}, "b": {"colour": "red", "size": 2}, "c": {"colour": "blue", "size": 3},
            "d": {"colour": "blue", "size": 4}, "e": {"colour": "red", "size": 5}
        },
        "setup": [{"create": {"card": "a", "to": "row"}}, {"create": {"card": "b", "to": "row"}}, {"create": {"card": "c", "to": "row"}},
            {"create": {"card": "d", "to": "row"}}, {"create": {"card": "e", "to": "row"}}],
        "actions": {"press": {"timing": "instant", "do": button}},
        "turnStructure": {"phases": [{"id": "main", "steps": [{"id": "main"}]}]}
    });
    compile(&ruleset.to_string()).unwrap_or_else(|findings| panic!("{findings:#?}")).program
}

/// Presses the button with so much fuel: what `n` is then, unless a guardrail stopped it.
fn pressed(program: &Program, state: &[u8], ops: u32) -> Option<i64> {
    let limits = Limits { ops, ..program.limits() };
    let program = Arc::new(Program { limits: Some(limits), ..program.clone() });
    let mut table = RulesetGame::load(program, state).expect("a state of these rules");
    let mut log = Vec::new();
    let mut sink = Sink { log: Some(&mut log), ..Sink::silent() };
    table.say(Seat::new(0), false, SeatInput::Act(ActionId(0), Vec::new()), &mut Rng::fast(1), &mut sink);
    let stopped = log.iter().any(|(ev, _)| ev.ty == VERDICT);
    (!stopped).then(|| table.inside().board.vars[0])
}

/// What a press of the button comes to, and the least fuel for it.
fn cost(program: &Program) -> (i64, u32) {
    let config = settings(program, &Value::Null).expect("the defaults are good");
    let p = Arc::new(program.clone());
    let state = RulesetGame::start(p, config, 2, &mut Rng::fast(1), &mut Sink::silent()).state();
    let least = (1..400).find(|ops| pressed(program, &state, *ops).is_some()).expect("400 are enough");
    (pressed(program, &state, 1_000_000).expect("so are a million"), least)
}

/// The same rules without any of the short ways.
fn the_long_way(mut program: Program) -> Program {
    for expr in &mut program.exprs {
        *expr = expr.spelled_out();
    }
    for sel in &mut program.sels {
        sel.test = None;
        sel.whole = sel.whole.filter(|whole| whole.cost == 1 && sel.keep.is_none());
        sel.prefer.iter_mut().for_each(|prefer| prefer.test = None);
    }
    program
}

#[test]
fn a_short_way_costs_what_the_long_way_does() {
    // cites 001/R11
    let colour = |of: &str| json!({"attr": [of, "colour"]});
    let size = json!({"attr": ["it", "size"]});
    let first = json!({"attr": [{"first": "row"}, "colour"]});
    let row = json!({"zones": ["row"]});
    let count =
        |keep: Value| json!([{"set": {"var": "n", "to": {"count": {"zones": ["row"], "where": keep}}}}]);
    let each = |from: Value| {
        let add = json!({"add": {"var": "n", "by": {"attr": ["x", "size"]}}});
        json!([{"forEach": {"in": from, "as": "x", "do": [add]}}])
    };
    let only = |when: Value| json!([{"if": [when, [{"set": {"var": "n", "to": 7}}]]}]);
    let prefer = |from: &Value, prefer: Value| {
        let mut from = from.clone();
        from["prefer"] = json!([prefer]);
        each(from)
    };
    let red = json!({"==": [colour("it"), "red"]});
    let inside = json!({"from": row});
    let table = [
        ("a printed value", count(red.clone()), 3),
        ("any other", count(json!({"not": red})), 2),
        ("the value of another card", count(json!({"==": [colour("it"), first]})), 3),
        ("any other than that", count(json!({"!=": [colour("it"), first]})), 2),
        ("the value of a variable", count(json!({"==": [size, {"var": "one"}]})), 1),
        ("a kind", count(json!({"isCard": ["it", "c"]})), 1),
        ("a condition of two", count(json!({"and": [red, {">": [size, 1]}]})), 2),
        ("a whole zone", each(row.clone()), 15),
        ("a zone inside another selection", each(json!({"from": row, "top": true})), 15),
        ("a zone with a condition", each(json!({"zones": ["row"], "where": red})), 8),
        (
            "one with a condition that is walked",
            each(json!({"zones": ["row"], "where": {">": [size, 1]}})),
            14,
        ),
        (
            "one with a condition by another card",
            each(json!({"zones": ["row"], "where": {"!=": [colour("it"), first]}})),
            7,
        ),
        ("a preference", prefer(&row, json!({"where": {"==": [colour("it"), "blue"]}})), 7),
        ("one that nothing meets", prefer(&row, json!({"where": {"==": [size, 9]}})), 15),
        ("one by another card", prefer(&inside, json!({"where": {"==": [colour("it"), first]}})), 8),
        ("one at times", prefer(&inside, json!({"when": {">": [{"count": "row"}, 5]}, "where": red})), 15),
        ("a variable", only(json!({"==": [{"var": "one"}, 1]})), 7),
        ("how many lie there", only(json!({"==": [{"count": "row"}, 5]})), 7),
        ("more than so many", only(json!({">": [{"count": "row"}, 4]})), 7),
        (
            "a sum of those that meet a condition",
            json!([{"set": {"var": "n", "to": {"sum": {"from": {"zones": ["row"], "where": red}, "of": size}}}}]),
            8,
        ),
        ("a sum", json!([{"set": {"var": "n", "to": {"sum": {"from": "row", "of": size}}}}]), 15),
        (
            "the greatest",
            json!([
                {"let": {"as": "x", "to": {"maxBy": {"from": {"zones": ["row"], "where": red}, "key": size}}}},
                {"if": [{"==": [colour("x"), "red"]}, [{"set": {"var": "n", "to": {"attr": ["x", "size"]}}}]]}
            ]),
            5,
        ),
    ];
    for (name, button, result) in table {
        let short = program(&button);
        let long = the_long_way(short.clone());
        assert!(short.sels != long.sels || short.exprs != long.exprs, "{name}: there is no short way");
        assert_eq!(cost(&short).0, result, "{name}");
        assert_eq!(cost(&short), cost(&long), "{name}");
    }
}

#[test]
fn matches_go_the_same_way_by_the_long_way() {
    for name in ["hearts-rules", "skirmish", "orcain"] {
        let short = parlor_ruleset::shipped::program(name).expect("it is shipped");
        let long = Arc::new(the_long_way((*short).clone()));
        let config = settings(&short, &Value::Null).expect("the defaults are good");
        for seed in 0..6 {
            let (mut a, mut b) = (Rng::fast(seed), Rng::fast(seed));
            let seats = short.seats.0;
            let mut one =
                RulesetGame::start(short.clone(), config.clone(), seats, &mut a, &mut Sink::silent());
            let mut other =
                RulesetGame::start(long.clone(), config.clone(), seats, &mut b, &mut Sink::silent());
            for _ in 0..80 {
                assert_eq!(one.inside(), other.inside(), "{name} {seed}");
                for (table, rng) in [(&mut one, &mut a), (&mut other, &mut b)] {
                    match table.inside().open.as_ref().map(|open| open.seats.lowest()) {
                        None => {}
                        Some(None) => table.elapse(rng, &mut Sink::silent()),
                        Some(Some(seat)) => {
                            let said = table.any(seat, rng);
                            table.say(seat, false, said, rng, &mut Sink::silent());
                        }
                    }
                }
            }
        }
    }
}
