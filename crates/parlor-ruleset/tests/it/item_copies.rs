//! Items that are copied and changed, glances that overlap, and what is written in two ways.

use parlor_core::{Rng, Seat, Seats};
use parlor_ruleset::RulesetGame;
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use serde_json::{Value, json};

use super::rules::{holds, note, program};

fn pass(seat: usize) -> Value {
    json!({"seat": seat, "say": "Pass"})
}

fn with(mut base: Value, more: &Value) -> Value {
    more.as_object().expect("an object").iter().for_each(|(name, value)| base[name] = value.clone());
    base
}

/// Seat 0 presses a button that does this: what `n` is then.
fn comes_to(extra: &Value, given: &Value, code: &Value, n: i64) {
    let extra = with(extra.clone(), &json!({"actions": {"press": {"timing": "instant", "do": code}}}));
    let script = json!([{"seat": 0, "act": "press"}]);
    holds(
        extra,
        json!({"name": format!("{code}"), "given": given, "script": script, "then": {"vars": {"n": n}}}),
    );
}

#[test]
fn a_copy_is_his_who_made_it_and_not_countered() {
    // cites 001-4, 001/R9
    let top = json!({"first": {"stackItems": {}}});
    let score = json!({"timing": "stack", "do": [{"set": {"var": "log", "to": {"+": [{"*": [{"var": "log"}, 10]}, {"+": [1, {"seatNo": "you"}]}]}}}]});
    let fork = json!({"timing": "instant", "do": [{"copyItem": {"item": top, "by": {"seat": 1}}}]});
    let both = json!({"timing": "instant", "do": [{"counterItem": top}, {"copyItem": {"item": top}}]});
    let actions = json!({"score": score, "fork": fork, "both": both});
    let play = |rules: Value, act: &str, log: i64| {
        let script =
            json!([{"seat": 0, "act": "score"}, {"seat": 0, "act": act}, pass(0), pass(1), pass(0), pass(1)]);
        let script: Vec<Value> = script
            .as_array()
            .expect("a list")
            .iter()
            .take(if act == "both" { 4 } else { 6 })
            .cloned()
            .collect();
        holds(
            json!({"actions": actions, "rules": rules}),
            json!({"name": act, "script": script, "then": {"vars": {"log": log}, "stack": []}}),
        );
    };
    play(json!([]), "fork", 21);
    play(json!([]), "both", 1);
}

#[test]
fn who_countered_first_is_named_and_the_top_of_the_stack_comes_first() {
    // cites 001-21
    let zap = json!({"timing": "stack", "do": []});
    let deny = json!({"timing": "stack", "targets": [{"id": "item", "from": {"stackItems": {}}}], "do": [{"counterItem": "item"}]});
    let extra = json!({"actions": {"zap": zap, "deny": deny, "deny2": deny}});
    let program = program(extra);
    let config = settings(&program, &Value::Null).expect("the defaults are good");
    let mut table = RulesetGame::start(program, config, 2, &mut Rng::fast(1), &mut Sink::silent());
    let say =
        |table: &mut RulesetGame, seat: u8, what: Value| crate::harness::say(table, Seat::new(seat), &what);
    say(&mut table, 0, json!({"action": "zap"}));
    for name in ["deny", "deny2"] {
        say(&mut table, 0, json!({"action": name, "targets": {"item": "s1"}}));
    }
    for seat in [0, 1, 0, 1] {
        if table.inside().stack.len() > 1 {
            say(&mut table, seat, json!(["Pass"]));
        }
    }
    // The last one that was put there resolves first, and it is the one that did it.
    let counter = table.inside().stack.first().and_then(|item| item.counter.as_ref()).map(|by| by.order);
    assert!(counter.is_none_or(|order| order == 3), "{counter:?}");
    let first = json!([{"set": {"var": "n", "to": {"if": [{"==": [{"controller": {"first": {"stackItems": {}}}}, "you"]}, 1, 2]}}}]);
    let look = json!({"timing": "instant", "do": first});
    let extra = json!({"actions": {"zap": zap, "look": look}});
    let script = json!([{"seat": 0, "act": "zap"}, pass(0), {"seat": 1, "act": "zap"}, pass(0), {"seat": 1, "act": "look"}]);
    holds(extra, json!({"script": script, "then": {"vars": {"n": 1}}}));
}

#[test]
fn a_changed_event_is_changed_for_what_it_is_done_to() {
    // cites 001-18
    let stones = json!({"zones": ["table"], "of": "all"});
    let zap = json!({"timing": "stack", "targets": [{"id": "at", "from": stones}], "do": [{"setAttr": {"of": "at", "attr": "size", "to": 9}}]});
    let drum = json!({"first": {"zones": ["table"], "of": "all", "where": {"isCard": ["it", "drum"]}}});
    let rules = json!([
        {"id": "b", "on": {"event": "Zap", "moment": "before"}, "limit": {"oncePer": "game"}, "do": [{"modifyEvent": {"at": drum}}]},
        {"id": "a", "on": {"event": "Zap"}, "if": {"isCard": [{"ev": "at"}, "drum"]}, "do": [note(1)]}
    ]);
    let extra = json!({"actions": {"zap": zap}, "rules": rules, "cards": {"stone": {}, "drum": {}}});
    let act = json!({"seat": 0, "act": "zap", "targets": {"at": "stone"}});
    let given = json!({"zones": {"table": [["stone", "drum"]]}});
    holds(
        extra.clone(),
        json!({"given": given, "script": [act, pass(0), pass(1), pass(0), pass(1)], "then": {"cards": {"stone": {"size": 1}, "drum": {"size": 9}}, "vars": {"log": 1}}}),
    );
    // Once in the game: the second one finds its mark.
    holds(
        extra,
        json!({"given": given, "script": [act, pass(0), pass(1), pass(0), pass(1), act, pass(0), pass(1)], "then": {"cards": {"stone": {"size": 9}}}}),
    );
}

#[test]
fn a_card_that_waited_goes_to_its_owner_and_a_copy_takes_none_away() {
    // cites 001/R9
    let zones = json!({"table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"},
        "graveyard": {"owner": "player", "order": "ordered", "see": "all"}, "casting": {"owner": "player", "order": "ordered", "see": "all"}});
    let cast = json!({"timing": "stack", "hold": "casting", "targets": [{"id": "card", "from": {"zones": ["hand"], "of": "you"}}], "do": [note(1), {"move": {"what": "card", "to": {"zone": ["table", "you"]}}}]});
    let top = json!({"first": {"stackItems": {}}});
    let deny = json!({"timing": "instant", "do": [{"counterItem": top}]});
    let fork = json!({"timing": "instant", "do": [{"copyItem": top}, {"counterItem": {"first": {"stackItems": {}}}}]});
    let steal = json!({"timing": "instant", "do": [{"move": {"what": {"zones": ["hand"], "of": "opponent"}, "to": {"zone": ["hand", "you"]}}}]});
    let extra =
        json!({"zones": zones, "actions": {"cast": cast, "deny": deny, "fork": fork, "steal": steal}});
    let given = json!({"zones": {"hand": [["stone"], []]}});
    let act = |seat: usize, name: &str| json!({"seat": seat, "act": name});
    let play = json!({"seat": 0, "act": "cast", "targets": {"card": "stone"}});
    let lies = |zone: &str, seat: usize| {
        let mut all =
            json!({"hand": [[], []], "table": [[], []], "graveyard": [[], []], "casting": [[], []]});
        all[zone][seat] = json!(["stone"]);
        all
    };
    holds(extra.clone(), json!({"given": given, "script": [play], "then": {"zones": lies("casting", 0)}}));
    holds(
        extra.clone(),
        json!({"given": given, "script": [play, act(0, "deny")], "then": {"zones": lies("graveyard", 0)}}),
    );
    holds(
        extra.clone(),
        json!({"given": given, "script": [play, act(0, "fork")], "then": {"zones": lies("casting", 0)}}),
    );
    // Stolen and countered: it is still the first player's card.
    let stolen = json!([pass(0), act(1, "steal"), {"seat": 1, "act": "cast", "targets": {"card": "stone"}}]);
    holds(extra.clone(), json!({"given": given, "script": stolen, "then": {"zones": lies("casting", 1)}}));
    let mut stolen = stolen.as_array().cloned().expect("a list");
    stolen.extend([pass(0), act(1, "deny")]);
    holds(extra, json!({"given": given, "script": stolen, "then": {"zones": lies("graveyard", 0)}}));
}

#[test]
fn passes_stand_for_what_lay_there_and_for_nothing_that_comes_after() {
    // cites 001-9, 001/R1
    let zap = json!({"timing": "stack", "do": [{"emit": {"event": "Ping"}}]});
    let rules = json!([{"id": "p", "on": {"event": "Ping"}, "respond": true, "do": [note(1)]}]);
    let extra = json!({"actions": {"zap": zap}, "rules": rules});
    let act = json!({"seat": 0, "act": "zap"});
    // The reaction waits for responses of its own.
    holds(
        extra.clone(),
        json!({"script": [act, pass(0), pass(1)], "then": {"asked": 0, "stack": ["Ping"], "vars": {"log": 0}}}),
    );
    holds(
        extra.clone(),
        json!({"script": [act, pass(0), pass(1), pass(0), pass(1)], "then": {"stack": [], "vars": {"log": 1}}}),
    );
    // And so does what lies below one that was countered.
    let deny = json!({"timing": "instant", "do": [{"counterItem": {"first": {"stackItems": {}}}}]});
    let extra = json!({"actions": {"zap": {"timing": "stack", "do": [note(2)]}, "deny": deny}});
    let script = json!([act, act, {"seat": 0, "act": "deny"}]);
    holds(extra, json!({"script": script, "then": {"asked": 0, "stack": ["Zap"], "vars": {"log": 0}}}));
    // Whoever is out need not pass.
    let out = json!({"timing": "instant", "do": [{"lose": {"seat": 1}}]});
    let extra = json!({"actions": {"zap": {"timing": "stack", "do": [note(3)]}, "out": out}});
    holds(
        extra,
        json!({"seats": 3, "script": [{"seat": 0, "act": "out"}, act, pass(0), pass(2)], "then": {"stack": [], "vars": {"log": 3}}}),
    );
}

#[test]
fn a_reaction_looks_again_only_where_it_says_so_and_never_at_itself() {
    // cites 001-3
    let rule = |recheck: Value| {
        with(
            json!({"id": "p", "on": {"event": "Ping", "where": {"==": [{"var": "n"}, 1]}}, "do": [note(1)]}),
            &recheck,
        )
    };
    let spoil = json!({"id": "a", "on": {"event": "Ping"}, "do": [{"set": {"var": "n", "to": 2}}]});
    let press = json!({"press": {"timing": "instant", "do": [{"set": {"var": "n", "to": 1}}, {"emit": {"event": "Ping"}}]}});
    let script = json!([{"seat": 0, "act": "press"}]);
    for (recheck, log) in [(json!({}), 1), (json!({"recheck": true}), 0)] {
        holds(
            json!({"actions": press, "rules": [spoil, rule(recheck)]}),
            json!({"script": script, "then": {"vars": {"log": log}}}),
        );
    }
    // Filters and conditions are all of them asked for.
    let filtered = json!({"id": "f", "when": {"eventType": "Hit", "filters": {"n": 1, "m": 2}}, "conditions": [{"==": [{"ev": "n"}, 1]}, {"==": [{"ev": "m"}, 2]}], "effects": [note(1)]});
    let conditioned = json!({"id": "c", "when": {"eventType": "Hit"}, "conditions": [{"==": [{"ev": "n"}, 1]}, {"==": [{"ev": "m"}, 2]}], "effects": [note(2)]});
    for (n, m, log) in [(1, 2, 21), (1, 3, 0), (3, 2, 0)] {
        let press = json!({"press": {"timing": "instant", "do": [{"emit": {"event": "Hit", "payload": {"n": n, "m": m}}}]}});
        let extra = json!({"events": {"Hit": {"n": "int", "m": "int"}}, "actions": press, "rules": [conditioned, filtered]});
        holds(extra, json!({"name": format!("{n} {m}"), "script": script, "then": {"vars": {"log": log}}}));
    }
    // What reacts to abilities reacts to others'.
    let echo = json!({"id": "e", "on": {"event": "AbilityTriggered"}, "do": [note(9)]});
    let ping = json!({"id": "p", "on": {"event": "Ping"}, "do": [note(1)]});
    let press = json!({"press": {"timing": "instant", "do": [{"emit": {"event": "Ping"}}]}});
    holds(
        json!({"actions": press, "rules": [echo, ping]}),
        json!({"script": script, "then": {"vars": {"log": 19}}}),
    );
}

#[test]
fn a_glance_that_is_over_takes_nothing_that_is_seen_otherwise() {
    // cites 001-23
    let zones = json!({"table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"}, "deck": {"owner": "game", "order": "ordered", "see": "none"}});
    let peek = |until: Value| json!({"peek": {"what": "deck", "to": "you", "until": until}});
    let known = |first: Value| {
        let press = json!([{"create": {"card": "stone", "to": "deck"}}, first]);
        let extra = json!({"zones": zones, "actions": {"press": {"timing": "instant", "do": press}, "mix": {"timing": "instant", "do": [{"shuffle": "deck"}]}}});
        let program = program(extra);
        let config = settings(&program, &Value::Null).expect("the defaults are good");
        let mut table = RulesetGame::start(program, config, 2, &mut Rng::fast(1), &mut Sink::silent());
        crate::harness::say(&mut table, Seat::new(0), &json!({"action": "press"}));
        table
    };
    let turn = |table: &mut RulesetGame| {
        for seat in [0, 1] {
            crate::harness::say(table, Seat::new(seat), &json!(["Pass"]));
        }
        table.inside().board.entities[0].known
    };
    let me = Seats::only(Seat::new(0));
    assert_eq!(turn(&mut known(peek(json!("turnEnd")))), Seats::NONE, "one glance, and it is over");
    let longer = json!({"do": [peek(json!({"turns": 3})), peek(json!("turnEnd"))]});
    assert_eq!(turn(&mut known(longer)), me, "the longer one goes on");
    let shown = json!({"do": [{"reveal": {"what": "deck", "to": "you"}}, peek(json!("turnEnd"))]});
    assert_eq!(turn(&mut known(shown)), me, "who was shown it before still knows it");
    let public =
        json!({"do": [peek(json!("turnEnd")), {"move": {"what": "deck", "to": {"zone": ["table", "you"]}}}]});
    assert!(turn(&mut known(public)).has(Seat::new(1)), "who sees where it lies sees it");
    let mut mixed = known(peek(json!({"turns": 3})));
    crate::harness::say(&mut mixed, Seat::new(0), &json!({"action": "mix"}));
    assert_eq!(
        (&mixed.inside().board.peeks[..], mixed.inside().board.entities[0].known),
        (&[][..], Seats::NONE)
    );
}

#[test]
fn what_is_written_in_one_way_is_read_in_that_way() {
    let stones = json!({"zones": ["table"], "of": "you"});
    let grid = json!({"zones": {"table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"}, "grid": {"owner": "game", "see": "all", "grid": [3, 2]}}});
    let set = |value: Value| json!([{"set": {"var": "n", "to": value}}]);
    let none = json!({});
    // The fourth cell of three columns begins the second row.
    comes_to(
        &grid,
        &none,
        &set(json!({"+": [{"*": [{"column": ["grid", 4]}, 10]}, {"row": ["grid", 4]}]})),
        11,
    );
    comes_to(
        &grid,
        &none,
        &set(json!({"+": [{"*": [{"column": ["grid", 2]}, 10]}, {"row": ["grid", 2]}]})),
        20,
    );
    let ping = json!({"emit": {"event": "Ping"}});
    comes_to(&none, &none, &json!([ping, ping, {"set": {"var": "n", "to": {"happened": "Ping"}}}]), 2);
    // A resource never falls below nothing.
    let gold = json!({"resources": {"gold": {"owner": "player", "default": 2}}});
    comes_to(
        &gold,
        &none,
        &json!([{"add": {"var": ["you", "gold"], "by": -5}}, {"set": {"var": "n", "to": {"+": [1, {"var": ["you", "gold"]}]}}}]),
        1,
    );
    // An inner name is not the outer one, and what is looked at inside is not what is looked at outside.
    comes_to(
        &none,
        &none,
        &json!([{"let": {"as": "p", "to": 5}}, {"forEach": {"seats": "all", "as": "p", "do": [{"add": {"var": "n", "by": {"seatNo": "p"}}}]}}, {"add": {"var": "n", "by": "p"}}]),
        6,
    );
    let ranks = json!({"attributes": {"rank": {"type": "int"}, "size": {"type": "int", "default": 1}}, "cards": {"a": {"rank": 1}, "b": {"rank": 2}, "c": {"rank": 2}}});
    let given = json!({"zones": {"table": [["a", "b", "c"], ["b"]]}});
    let twin = json!({"zones": ["table"], "of": "all", "as": "x", "where": {"exists": {"zones": ["table"], "of": "all", "where": {"and": [{"!=": ["it", "x"]}, {"==": [{"attr": ["it", "rank"]}, {"attr": ["x", "rank"]}]}]}}}});
    comes_to(&ranks, &given, &set(json!({"count": twin})), 3);
    let outer = json!({"zones": ["table"], "of": "all", "as": "x", "where": {"exists": {"zones": ["hand"], "of": "all", "where": {"==": [{"attr": ["x", "rank"]}, 1]}}}});
    let mut both = given.clone();
    both["zones"]["hand"] = json!([["b"]]);
    comes_to(&ranks, &both, &set(json!({"count": outer})), 1);
    let whose =
        json!({"seats": "all", "as": "p", "where": {">": [{"count": {"zones": ["table"], "of": "p"}}, 2]}});
    comes_to(&ranks, &given, &set(json!({"count": whose})), 1);
    // Nothing has no rank: it is not a rank of 0 that some card has.
    let same = json!({"zones": ["table"], "of": "you", "where": {"==": [{"attr": ["it", "rank"]}, {"attr": [{"first": {"zones": ["hand"], "of": "you"}}, "rank"]}]}});
    comes_to(&ranks, &given, &set(json!({"count": same})), 0);
    // Inside another selection a `where` is still asked for.
    let inner =
        json!({"from": {"zones": ["table"], "of": "you"}, "where": {"==": [{"attr": ["it", "rank"]}, 2]}});
    comes_to(&ranks, &given, &set(json!({"count": inner})), 2);
    // What layers change is not what is printed.
    let layered = json!({"attributes": {"size": {"type": "int", "layer": "stat"}, "big": {"type": "bool", "value": {">": [{"attr": ["it", "size"]}, 3]}}}, "cards": {"stone": {"size": 1}}});
    let one = json!({"zones": {"table": [["stone"]]}});
    let grown = |value: Value| json!([{"apply": {"to": stones, "modify": {"size": 4}}}, {"set": {"var": "n", "to": value}}]);
    comes_to(
        &layered,
        &one,
        &grown(json!({"count": {"zones": ["table"], "of": "you", "where": {"attr": ["it", "big"]}}})),
        1,
    );
    // What it was is remembered where nothing else is kept.
    let bare =
        json!({"attributes": {"size": {"type": "int", "layer": "stat"}}, "cards": {"stone": {"size": 1}}});
    let left = json!([{"let": {"as": "x", "to": {"first": stones}}}, {"apply": {"to": "x", "modify": {"size": 4}}}, {"control": {"what": "x", "to": {"seat": 1}}}, {"move": {"what": "x", "to": {"zone": ["hand", "you"]}}}, {"set": {"var": "n", "to": {"+": [{"*": [{"was": ["x", "size"]}, 10]}, {"seatNo": {"was": ["x", "controller"]}}]}}}]);
    comes_to(&bare, &one, &left, 51);
    // `moveAll` gathers by name: what came first lies lowest, from wherever it comes.
    let gather = json!([{"moveAll": {"from": {"zones": ["table", "hand"], "of": "all"}, "to": {"zone": ["table", "you"]}}}, {"set": {"var": "n", "to": {"attr": [{"first": stones}, "rank"]}}}]);
    comes_to(&ranks, &both, &gather, 2);
}

#[test]
fn a_card_hears_that_it_leaves_and_turns_end_where_they_are_said_to() {
    // cites 001-25
    let cards = json!({"stone": {"leaves": [note(1)], "etb": [note(2)]}});
    let away = json!({"timing": "instant", "do": [{"move": {"what": {"zones": ["table"], "of": "you"}, "to": {"zone": ["hand", "you"]}}}, {"move": {"what": {"zones": ["hand"], "of": "you"}, "to": {"zone": ["table", "you"]}}}]});
    let extra = json!({"cards": cards, "actions": {"away": away}});
    holds(
        extra,
        json!({"given": {"zones": {"table": [["stone"]]}}, "script": [{"seat": 0, "act": "away"}], "then": {"vars": {"log": 21}}}),
    );
    let steps = json!({"maxTurns": 2, "phases": [{"id": "a", "steps": [{"id": "main"}]}, {"id": "b", "steps": [{"id": "late"}]}], "priorityWindows": [{"phase": "a", "step": "main"}, {"phase": "a", "step": "late"}]});
    let script = json!([pass(0), pass(1), pass(1), pass(0)]);
    holds(json!({"turnStructure": steps}), json!({"script": script, "then": {"over": true}}));
    // Who begins is left to luck.
    let flow = json!([{"turns": {"first": "random", "max": 1, "do": [{"set": {"var": "n", "to": {"+": [1, {"seatNo": "active"}]}}}]}}]);
    holds(
        json!({"flow": flow, "actions": {}}),
        json!({"chance": [{"roll": 1}], "script": [], "then": {"vars": {"n": 2}}}),
    );
}
