//! What fails has done nothing: every kind of change is taken back, on the table and beside it.

use parlor_core::{Rng, Seat, Seats};
use parlor_ruleset::RulesetGame;
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::State;
use parlor_ruleset::internals::settings;
use serde_json::{Value, json};

use super::rules::{holds, note, program};

/// A table with something of everything on it, and two buttons.
fn game(first: &Value, press: &Value) -> Value {
    let cards = json!({"stone": {}, "drum": {}, "bell": {"keywords": ["quick"]}});
    let all = |zone: &str| json!({"cards": ["stone", "drum", "bell"], "to": {"zone": [zone, {"seat": 0}]}});
    json!({
        "cards": cards, "keywords": ["quick", "slow"],
        "attributes": {"size": {"type": "int", "default": 1, "layer": "stat"}, "seen": {"type": "int", "value": {"was": ["it", "size"]}}},
        "counters": {"coin": {}},
        "zones": {
            "table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"},
            "deck": {"owner": "player", "order": "ordered", "see": "none"}, "grid": {"owner": "player", "see": "all", "grid": [3, 1]}
        },
        "setup": [{"create": all("table")}, {"create": all("deck")}, {"create": all("hand")}, {"create": all("grid")}],
        "actions": {
            "first": {"timing": "instant", "do": first},
            "wait": {"timing": "stack", "targets": [{"id": "at", "from": "table"}], "do": []},
            "press": {"timing": "instant", "do": press}
        }
    })
}

fn act(table: &mut RulesetGame, name: &str, target: Option<i64>) {
    let n = table.program().actions.iter().position(|action| action.id == name).expect("an action");
    let said = parlor_ruleset::internals::SeatInput::Act(
        parlor_ruleset::internals::ActionId::at(n),
        target.into_iter().collect(),
    );
    table.say(Seat::new(0), false, said, &mut Rng::fast(3), &mut Sink::silent());
}

/// The state but for what counts on: numbers that are used once, and what is asked.
fn still(state: &State) -> State {
    let mut state = state.clone();
    state.board.dirty = None;
    State { next: Default::default(), open: None, facts: Vec::new(), learnt: Vec::new(), ..state }
}

#[test]
fn every_change_of_an_item_that_fails_is_taken_back() {
    // cites 001-16, 001/R11
    let mine = |zone: &str| json!({"zones": [zone], "of": "you"});
    let one =
        |zone: &str, card: &str| json!({"zones": [zone], "of": "you", "where": {"isCard": ["it", card]}});
    let peek = json!([{"peek": {"what": mine("deck"), "to": "you"}}]);
    let down = json!([{"turnDown": one("table", "drum")}]);
    let top = json!({"first": {"stackItems": {}}});
    let laid = json!([{"move": {"what": one("table", "drum"), "to": {"zone": ["grid", "you"]}, "cell": 1}}]);
    let none = json!([]);
    let changes: Vec<(&Value, Value)> = vec![
        (&none, json!({"set": {"var": "log", "to": 7}})),
        (&none, json!({"setAttr": {"of": mine("table"), "attr": "size", "to": 7}})),
        (&none, json!({"addCounter": {"to": mine("table"), "counter": "coin", "n": 2}})),
        (&none, json!({"move": {"what": one("table", "drum"), "to": {"zone": ["hand", "you"]}}})),
        (
            &none,
            json!({"move": {"what": one("table", "drum"), "to": {"zone": ["table", "opponent"]}, "by": "opponent"}}),
        ),
        (
            &none,
            json!({"move": {"what": one("deck", "drum"), "to": {"zone": ["deck", "you"]}, "at": "bottom"}}),
        ),
        (
            &none,
            json!({"move": {"what": one("table", "drum"), "to": {"zone": ["table", "opponent"]}, "faceDown": true}}),
        ),
        (&none, json!({"move": {"what": one("grid", "stone"), "to": {"zone": ["hand", "you"]}}})),
        (&none, json!({"moveAll": {"from": mine("hand"), "to": {"zone": ["deck", "you"]}}})),
        (&none, json!({"create": {"cards": ["bell", "bell"], "to": {"zone": ["table", "you"]}}})),
        (&none, json!({"turnDown": mine("table")})),
        (&down, json!({"turnUp": mine("table")})),
        (&laid, json!({"move": {"what": one("grid", "drum"), "to": {"zone": ["hand", "you"]}}})),
        (&laid, json!({"move": {"what": one("grid", "drum"), "to": {"zone": ["grid", "you"]}, "cell": 2}})),
        (&peek, json!({"move": {"what": one("deck", "drum"), "to": {"zone": ["deck", "opponent"]}}})),
        (&none, json!({"control": {"what": mine("table"), "to": "opponent"}})),
        (
            &none,
            json!({"apply": {"to": mine("table"), "modify": {"size": 3}, "keywords": ["slow"], "without": ["quick"]}}),
        ),
        (&none, json!({"later": {"on": {"event": "Ping"}, "do": []}})),
        (&none, json!({"nextRound": true})),
        (&none, json!({"emit": {"event": "Ping"}})),
        (&none, json!({"push": {"event": "Ping"}})),
        (&none, json!({"copyItem": top})),
        (&none, json!({"counterItem": top})),
        (&none, json!({"retarget": {"item": top, "target": 0, "to": {"last": mine("table")}}})),
        (&none, json!({"lose": "opponent"})),
        (&none, json!({"extraTurn": "you"})),
        (&none, json!({"skipTurn": "opponent"})),
    ];
    for (first, change) in changes {
        let fails = json!([change, {"move": {"what": {"first": "table"}, "to": {"zone": ["table", "you"]}}}, {"pay": {"var": "n", "amount": 99}}]);
        let program = program(game(first, &fails));
        let config = settings(&program, &Value::Null).expect("the defaults are good");
        let mut table = RulesetGame::start(program, config, 3, &mut Rng::fast(1), &mut Sink::silent());
        act(&mut table, "first", None);
        act(&mut table, "wait", Some(0));
        let before = table.inside().clone();
        act(&mut table, "press", None);
        let after = table.inside();
        assert_eq!(still(after).board, still(&before).board, "{change}: the table");
        assert_eq!(still(after), still(&before), "{change}: beside the table");
    }
}

#[test]
fn a_shuffle_that_is_taken_back_leaves_every_card_where_it_was() {
    // cites 001/R11
    let code = json!([{"shuffle": {"zone": ["hand", "you"]}}, {"shuffle": {"zone": ["deck", "you"]}}, {"pay": {"var": "n", "amount": 99}}]);
    let first = json!([{"move": {"what": {"first": {"zones": ["deck"], "of": "you"}}, "to": {"zone": ["deck", "you"]}}}]);
    let program = program(game(&first, &code));
    let config = settings(&program, &Value::Null).expect("the defaults are good");
    let mut table = RulesetGame::start(program, config, 2, &mut Rng::fast(1), &mut Sink::silent());
    act(&mut table, "first", None);
    let before = table.inside().board.clone();
    act(&mut table, "press", None);
    let after = &table.inside().board;
    assert_eq!((&after.zones, &after.entities), (&before.zones, &before.entities));
    // The other way round: the zones are the same, and so is who may look.
    assert!(before.entities.iter().any(|ent| ent.known != Seats::ALL && !ent.known.is_empty()));
}

#[test]
fn a_fallen_group_has_pushed_nothing_and_nobody_has_lost_by_it() {
    // cites 001/R9
    let walled = json!({"id": "no", "event": "Hit", "do": [{"prevent": true}]});
    for change in [
        json!({"push": {"event": "Ping"}}),
        json!({"lose": "opponent"}),
        json!({"skipTurn": "opponent"}),
        json!({"extraTurn": "you"}),
    ] {
        let press = json!([{"atomic": [change, {"emit": {"event": "Hit"}}]}]);
        let game = |replaces: &Value| {
            let rules = json!([{"id": "p", "on": {"event": "Ping"}, "do": [note(1)]}]);
            let turns = json!({"id": "t", "on": {"event": "TurnStarted"}, "do": [{"set": {"var": "n", "to": {"seatNo": "active"}}}]});
            json!({"actions": {"press": {"timing": "instant", "do": press}}, "rules": [rules[0], turns], "replaces": replaces})
        };
        let script =
            json!([{"seat": 0, "act": "press"}, {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}]);
        holds(
            game(&json!([walled])),
            json!({"name": format!("{change}"), "script": script, "then": {"over": false, "vars": {"log": 0, "n": 1}}}),
        );
        // It stands where nothing prevents it: something is different then.
        let stands = parlor_ruleset::scenario::run(
            &program(game(&json!([]))),
            &json!({"script": script, "then": {"over": false, "vars": {"log": 0, "n": 1}}}),
        );
        assert!(stands.is_err(), "{change} does nothing");
    }
}

#[test]
fn what_costs_let_happen_is_void_where_they_cannot_be_paid() {
    // cites 001-29, 001/R11
    // The first cost takes what the second would be paid with: nobody can know before.
    let costs = json!([{"emit": {"event": "Ping"}}, {"pay": {"var": "n", "amount": 1}}]);
    let extra = |takes: i64| {
        json!({
            "events": {"Ping": {"n": "int", "do": [{"add": {"var": "n", "by": {"neg": takes}}}]}},
            "rules": [{"id": "p", "on": {"event": "Ping"}, "do": [note(1)]}],
            "actions": {"press": {"timing": "instant", "costs": costs, "do": [note(2)]}, "count": {"timing": "instant", "do": [{"set": {"var": "n", "to": {"happened": "Ping"}}}]}}
        })
    };
    let script = json!([{"seat": 0, "act": "press"}]);
    let given = json!({"vars": {"n": 1}});
    holds(extra(0), json!({"given": given, "script": script, "then": {"vars": {"n": 0, "log": 12}}}));
    holds(extra(1), json!({"given": given, "script": script, "then": {"vars": {"n": 1, "log": 0}}}));
    let counted = json!([{"seat": 0, "act": "press"}, {"seat": 0, "act": "count"}]);
    holds(extra(1), json!({"given": given, "script": counted, "then": {"vars": {"n": 0, "log": 0}}}));
}

#[test]
fn a_failed_item_leaves_no_batch_and_no_group_open() {
    // cites 001/R11
    let broken =
        |word: &str| json!([{word: [{"emit": {"event": "Ping"}}, {"pay": {"var": "n", "amount": 99}}]}]);
    for word in ["batch", "atomic"] {
        let actions = json!({
            "bad": {"timing": "instant", "do": broken(word)},
            "press": {"timing": "instant", "do": [{"emit": {"event": "Pong"}}, note(1)]}
        });
        let rules = json!([
            {"id": "ping", "on": {"event": "Ping"}, "do": [note(8)]}, {"id": "pong", "on": {"event": "Pong"}, "do": [note(2)]},
            {"id": "no", "on": {"event": "EventPrevented"}, "do": [note(9)]}
        ]);
        // A group that was left open would fall with what is prevented later, and a batch would let nothing be reacted to.
        let replaces = json!([{"id": "no", "event": "Hit", "do": [{"prevent": true}]}]);
        let mut actions = actions;
        actions["hit"] =
            json!({"timing": "instant", "do": [{"set": {"var": "n", "to": 5}}, {"emit": {"event": "Hit"}}]});
        let script =
            json!([{"seat": 0, "act": "bad"}, {"seat": 0, "act": "press"}, {"seat": 0, "act": "hit"}]);
        holds(
            json!({"actions": actions, "rules": rules, "replaces": replaces}),
            json!({"name": word, "script": script, "then": {"vars": {"log": 129, "n": 5}}}),
        );
    }
}

#[test]
fn who_leaves_in_the_middle_of_an_item_that_fails_is_gone() {
    // cites 001/R11, 001-16
    let ask = json!({"ask": {"id": "q", "who": "you", "confirm": true, "as": "yes"}});
    let press = json!({"timing": "instant", "do": [ask, {"pay": {"var": "n", "amount": 99}}]});
    let extra = json!({"actions": {"press": press}, "on": {"leave": []}});
    let script = json!([{"seat": 0, "act": "press"}, {"seat": 2, "leave": true}, {"seat": 0, "say": "yes"}, {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}]);
    holds(extra, json!({"seats": 3, "script": script, "then": {"over": false, "asked": 1}}));
}

#[test]
fn what_is_done_when_somebody_leaves_is_done_whole_and_what_was_asked_is_still_asked() {
    // cites 001-16
    let stones = json!({"zones": ["table"], "of": "subject"});
    let leave = json!([{"move": {"what": stones, "to": {"zone": ["hand", "subject"]}}}, {"add": {"var": "n", "by": 1}}, {"create": {"card": "stone", "to": {"zone": ["table", {"seat": 0}]}}}, note(7)]);
    let ask = json!({"ask": {"id": "q", "who": {"seat": 0}, "confirm": true}});
    let extra = json!({"flow": [ask, note(8)], "actions": {}, "on": {"leave": leave}});
    let given = json!({"zones": {"table": [[], [], ["stone", "stone"]]}});
    let gone = json!({"seat": 2, "leave": true});
    let lies = json!({"table": [["stone"], [], []], "hand": [[], [], ["stone", "stone"]]});
    holds(
        extra.clone(),
        json!({"seats": 3, "given": given, "script": [gone], "then": {"asked": {"seat": 0, "ask": "q"}, "zones": lies, "vars": {"n": 1, "log": 7}}}),
    );
    holds(
        extra,
        json!({"seats": 3, "given": given, "script": [gone, {"seat": 0, "say": "yes"}], "then": {"over": true, "vars": {"log": 78}}}),
    );
    // And so is who may act.
    let extra = json!({"on": {"leave": leave}});
    holds(
        extra,
        json!({"seats": 3, "given": given, "script": [{"seat": 0, "say": "Pass"}, gone, {"seat": 1, "say": "Pass"}], "then": {"asked": 1, "vars": {"log": 7}}}),
    );
}

#[test]
fn where_one_of_several_leaves_the_others_still_answer_for_themselves() {
    // cites 001-10
    let game = |mode: &str| {
        let ask = json!({"ask": {"id": "q", "who": "all", "mode": mode, "as": "a", "number": {"min": 1, "max": 9}}});
        let sum = json!({"forEach": {"seats": "all", "as": "p", "do": [{"set": {"var": "log", "to": {"+": [{"*": [{"var": "log"}, 10]}, {"max": [0, {"answer": ["a", "p"]}]}]}}}]}});
        json!({"flow": [ask, sum, {"ask": {"id": "end", "who": {"seat": 0}, "confirm": true}}], "actions": {}, "on": {"leave": []}})
    };
    let leave = json!({"seat": 1, "leave": true});
    let said = |seat: usize, n: i64| json!({"seat": seat, "say": n.to_string()});
    let end = json!({"seat": 0, "ask": "end"});
    // Whoever is gone has not answered.
    holds(
        game("all"),
        json!({"seats": 3, "script": [leave, said(0, 7), said(2, 8)], "then": {"asked": end, "vars": {"log": 708}}}),
    );
    holds(
        game("all"),
        json!({"seats": 3, "script": [said(0, 7), leave, said(2, 8)], "then": {"asked": end, "vars": {"log": 708}}}),
    );
    holds(
        game("all"),
        json!({"seats": 3, "script": [said(0, 7), said(2, 8), leave], "then": {"asked": end, "vars": {"log": 708}}}),
    );
    // Where one answer is enough, that of who is gone is none.
    holds(
        game("any"),
        json!({"seats": 3, "script": [leave, said(2, 8)], "then": {"asked": end, "vars": {"log": 8}}}),
    );
}
