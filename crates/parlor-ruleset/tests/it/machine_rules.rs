//! Small rules that nothing else holds down: each fails where the machine forgets it.

use parlor_core::{AskId, DynGame, Json, Rng, Seat, Viewer};
use parlor_ruleset::internals::Sink;
use parlor_ruleset::internals::settings;
use parlor_ruleset::{RulesetGame, compile, dialect};
use serde_json::{Value, json};

use super::rules::{holds, note};
use crate::harness::{program, say};

const FIRST: Seat = Seat::new(0);

fn lay(extra: Value, given: &Value) -> RulesetGame {
    let p = program(extra);
    let config = settings(&p, &Json::Null).expect("good settings");
    RulesetGame::start_with(p, config, 2, &mut Rng::fast(1), &mut Sink::silent(), |vm| {
        parlor_ruleset::internals::ask_everybody(vm);
        parlor_ruleset::internals::given(vm, given).expect("it can be laid");
    })
}

#[test]
fn a_reaction_s_filters_are_held_against_the_payload() {
    // cites 001-3
    let of = |n: i64, digit: i64| json!({"id": format!("r{n}"), "when": {"eventType": "Ping", "filters": {"n": n}}, "conditions": [], "effects": [note(digit)]});
    holds(
        json!({"rules": [of(4, 1), of(5, 2)]}),
        json!({"script": [{"seat": 0, "act": "press"}], "then": {"vars": {"log": 2}}}),
    );
}

#[test]
fn an_intervening_if_must_hold_when_it_triggers() {
    // cites 001-3
    // It holds when it would resolve, and did not when its event happened: it has never triggered.
    let rules = json!([
        {"id": "a", "on": {"event": "Ping"}, "do": [note(1), {"set": {"var": "n", "to": 7}}]},
        {"id": "b", "on": {"event": "Ping"}, "if": {"==": [{"var": "n"}, 7]}, "do": [note(2)]}
    ]);
    holds(
        json!({"rules": rules}),
        json!({"script": [{"seat": 0, "act": "press"}, {"seat": 0, "act": "press"}], "then": {"vars": {"log": 112}}}),
    );
}

#[test]
fn sources_with_the_same_rule_react_in_the_order_of_their_ids() {
    // cites 001/R3, 001-13
    let card = |digit: i64| json!({"triggers": [{"id": "a", "on": {"event": "Ping"}, "do": [note(digit)]}]});
    holds(
        json!({"cards": {"first": card(1), "second": card(2)}}),
        json!({"given": {"zones": {"table": [["second", "first"]]}}, "script": [{"seat": 0, "act": "press"}], "then": {"vars": {"log": 21}}}),
    );
    // The card that was made first comes out of a hand: it has a newer id than the one that lay there.
    let play = json!([{"move": {"what": {"zones": ["hand"], "of": "you"}, "to": "table"}}, {"emit": {"event": "Ping"}}]);
    holds(
        json!({"cards": {"first": card(1), "second": card(2)}, "actions": {"press": {"timing": "instant", "do": play}}}),
        json!({"given": {"zones": {"hand": [["second"]], "table": [["first"]]}}, "script": [{"seat": 0, "act": "press"}], "then": {"vars": {"log": 12}}}),
    );
}

#[test]
fn nobody_is_asked_in_a_step_without_priority() {
    // cites 001/R5, 001-25
    let step = |id: &str, priority: Value| json!({"id": id, "priority": priority});
    for none in [json!(false), json!({"respond": []}), json!({"respond": ["stackItem"]})] {
        let steps = [step("before", none.clone()), json!({"id": "main"}), step("after", none.clone())];
        let turns = json!({"maxTurns": 3, "phases": [{"id": "p", "steps": steps}]});
        let pass = |seat: u8| json!({"seat": seat, "say": "Pass"});
        let extra = json!({"turnStructure": turns});
        let begins = json!({"script": [], "then": {"asked": 0, "step": "main"}});
        holds(extra.clone(), begins);
        let goes_on = json!({"name": none.to_string(), "script": [pass(0), pass(1)], "then": {"asked": 1, "step": "main"}});
        holds(extra, goes_on);
    }
}

#[test]
fn what_waits_is_resolved_before_the_flow_goes_on() {
    // cites 001-7, 001-17, 001/R18
    let rules = json!([{"id": "a", "on": {"event": "Ping"}, "do": [note(1)]}, {"id": "b", "on": {"event": "Ping"}, "do": [note(2)]}]);
    holds(
        json!({"rules": rules, "actions": {}, "flow": [{"emit": {"event": "Ping"}}, note(9)]}),
        json!({"script": [], "then": {"vars": {"log": 129}, "over": true}}),
    );
}

#[test]
fn a_limit_of_a_turn_begins_again_with_the_next_and_that_of_a_source_does_not() {
    // cites 001-19
    let turn = json!([{"seat": 0, "act": "press"}, {"seat": 0, "act": "press"}, {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}, {"seat": 1, "act": "press"}]);
    for (limit, n) in [("oncePerTurn", 2), ("oncePerSource", 1)] {
        let trigger =
            json!({"id": "t", "on": {"event": "Ping"}, limit: true, "do": [{"add": {"var": "n", "by": 1}}]});
        holds(
            json!({"cards": {"stone": {"triggers": [trigger]}}}),
            json!({"name": limit, "given": {"zones": {"table": [["stone"]]}}, "script": turn, "then": {"vars": {"n": n}}}),
        );
    }
}

#[test]
fn a_step_says_whether_an_item_waits_for_responses() {
    // cites 001/R1
    let extra = |respond: Value| {
        json!({"actions": {"zap": {"timing": "stack", "do": [{"add": {"var": "n", "by": 1}}]}},
               "turnStructure": {"maxTurns": 3, "phases": [{"id": "p", "steps": [{"id": "s", "priority": {"respond": respond}}]}]}})
    };
    let zap = json!([{"seat": 0, "act": "zap"}]);
    holds(
        extra(json!(["empty", "stackItem"])),
        json!({"script": zap, "then": {"asked": 0, "stack": ["Zap"], "vars": {"n": 0}}}),
    );
    holds(
        extra(json!(["empty"])),
        json!({"script": zap, "then": {"asked": 0, "stack": [], "vars": {"n": 1}}}),
    );
}

#[test]
fn what_waits_says_whether_it_is_an_event_or_a_reaction_and_which() {
    // cites 001-4, 001/R1
    let extra = json!({"respondToTriggers": true, "rules": [{"id": "echo", "on": {"event": "Ping"}, "do": []}],
        "actions": {"press": {"timing": "stack", "do": [{"emit": {"event": "Ping"}}]}}});
    let mut table = lay(extra, &json!({}));
    let top = |table: &RulesetGame| {
        let item = table.view(Viewer::Gallery)["stack"][0].clone();
        (item["kind"].clone(), item["refId"].clone())
    };
    say(&mut table, FIRST, &json!({"action": "press"}));
    assert_eq!(top(&table), (json!("event"), json!("press")));
    say(&mut table, FIRST, &json!(["Pass"]));
    say(&mut table, Seat::new(1), &json!(["Pass"]));
    assert_eq!(top(&table), (json!("reaction"), json!("echo")), "the reaction waits for responses");
}

#[test]
fn every_question_has_its_kind_and_its_constraints() {
    // cites 001-5, 001/R7
    let mine = json!({"zones": ["table"], "of": {"seat": 0}});
    for (kind, how, constraints) in [
        ("target_select", json!({"pick": {"from": mine, "min": 1, "max": 2}}), json!({"min": 1, "max": 2})),
        ("target_select", json!({"pick": {"from": mine, "count": 2}}), json!({"count": 2})),
        ("order_select", json!({"order": mine}), json!({"count": 3})),
        ("mode_pick", json!({"modes": ["left", "right"]}), json!({"count": 1})),
        ("confirm", json!({"confirm": true}), json!({"count": 1})),
        ("number", json!({"number": {"min": 2, "max": 5}}), json!({"count": 1})),
        ("slots", json!({"slots": {"n": 4, "from": mine}}), json!({"count": 1, "slots": 4})),
        ("distribute", json!({"distribute": {"from": mine, "sum": 6}}), json!({"count": 1, "sum": 6})),
    ] {
        let mut ask = json!({"id": "q", "who": {"seat": 0}, "as": "q", "prompt": "Well?"});
        ask.as_object_mut().expect("an object").extend(how.as_object().expect("an object").clone());
        let extra = json!({"flow": [{"ask": ask}], "actions": {}});
        let table = lay(extra, &json!({"zones": {"table": [["stone", "stone", "stone"]]}}));
        let request = serde_json::to_value(table.request(FIRST, AskId(0))).expect("JSON");
        let pending = dialect::pending(&request);
        assert_eq!((&pending["kind"], &pending["constraints"]), (&json!(kind), &constraints), "{how}");
    }
}

#[test]
fn what_an_action_is_paid_with_is_asked_for_as_its_price() {
    // cites 001-5, 001/R7
    let mine = json!({"zones": ["table"], "of": "you"});
    let extra = json!({"actions": {"burn": {
        "timing": "stack",
        "targets": [{"id": "fuel", "from": mine, "price": true}, {"id": "aim", "from": {"zones": ["table"], "of": "each"}}],
        "costs": [{"move": {"what": "fuel", "to": "hand"}}],
        "do": [note(1)]
    }}});
    let mut table = lay(extra, &json!({"zones": {"table": [["stone", "stone"], ["stone"]]}}));
    let kind = |table: &RulesetGame| {
        dialect::pending(&serde_json::to_value(table.request(FIRST, AskId(0))).expect("JSON"))["kind"].clone()
    };
    let held = |table: &RulesetGame| table.view(Viewer::Gallery)["players"].to_string();
    say(&mut table, FIRST, &json!({"action": "burn"}));
    assert_eq!(kind(&table), "pay_cost", "what it is paid with comes first");
    let before = held(&table);
    say(&mut table, FIRST, &json!(["stone"]));
    assert_eq!(kind(&table), "target_select", "then what it is aimed at");
    assert_eq!(held(&table), before, "nothing is paid before all is chosen");
    say(&mut table, FIRST, &json!(["stone"]));
    assert_ne!(held(&table), before, "now it is");
    let stack = table.view(Viewer::Gallery)["stack"].clone();
    assert_eq!(stack[0]["targets"].as_array().map(Vec::len), Some(1), "the price is no target: {stack}");
}

#[test]
fn the_stack_and_the_phase_are_reasons_and_hidden_cards_are_not() {
    // cites 001/R20
    let from = |zone: &str| json!([{"id": "t", "from": {"zones": [zone], "of": "each", "where": {">": [{"attr": ["it", "size"]}, 5]}}}]);
    let extra = json!({
        "zones": {"table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"}, "deck": {"owner": "player", "order": "ordered", "see": "none"}},
        "cards": {"stone": {}, "rock": {"size": 9}},
        "actions": {
            "zap": {"timing": "stack", "do": []},
            "slow": {"timing": "stack", "when": {"stackEmpty": true}, "do": []},
            "late": {"timing": "stack", "when": {"inPhase": "night"}, "do": []},
            "dig": {"timing": "stack", "targets": from("deck"), "do": []},
            "hit": {"timing": "stack", "targets": from("table"), "do": []}
        },
        "turnStructure": {"maxTurns": 3, "phases": [{"id": "day", "steps": [{"id": "noon"}]}, {"id": "night", "steps": [{"id": "moon"}]}]}
    });
    let given = json!({"zones": {"table": [["stone", "rock"]], "deck": [["stone", "rock"]]}});
    let mut table = lay(extra, &given);
    let listed = |table: &RulesetGame, action: &str| {
        let request = table.request(FIRST, AskId(0));
        let found = request.choices.iter().find(|choice| choice.id.as_deref() == Some(action));
        found.cloned().expect("it is listed")
    };
    let why = |choice: &parlor_core::Choice| choice.why_not.as_ref().map(|fault| fault.code.to_string());
    assert_eq!(why(&listed(&table, "late")).as_deref(), Some("phase"));
    // What lies open and is too small is named with its reason; what nobody knows of is not.
    assert_eq!(
        listed(&table, "hit").choices.iter().map(why).collect::<Vec<_>>(),
        [None, Some("needs".to_owned())]
    );
    let dig: Vec<(String, Option<String>)> =
        listed(&table, "dig").choices.iter().map(|choice| (choice.title.clone(), why(choice))).collect();
    assert_eq!(dig, [("a card".to_owned(), None)]);
    say(&mut table, FIRST, &json!({"action": "zap"}));
    assert_eq!(why(&listed(&table, "slow")).as_deref(), Some("stack"));
}

/// What is added to a variable of nobody is a mistake of the rules. Cites 001/R23, 001-16.
#[test]
fn a_variable_of_nobody_is_not_changed_in_silence() {
    let rich = json!({"first": {"seats": "all", "where": {">": [{"var": ["it", "coins"]}, 5]}}});
    for (change, value) in [("add", "by"), ("set", "to")] {
        let give = json!([{"let": {"as": "who", "to": rich}}, {change: {"var": ["who", "coins"], value: 1}}]);
        let game = json!({
            "vars": {"coins": {"owner": "player", "type": "int", "default": 0}},
            "actions": {"give": {"timing": "instant", "do": give}}, "rules": []
        });
        let at = format!("/actions/give/do/1/{change}");
        let why =
            json!({"type": "Verdict", "payload": {"verdict": "rules", "at": at, "why": "coins of nobody"}});
        let events = json!(["Give pending", "Give failed", why]);
        let script = json!([{"seat": 0, "act": "give", "events": events}]);
        holds(game.clone(), json!({"script": script, "then": {"asked": 0, "vars": {"coins": [0, 0]}}}));
        // The first edition says nothing, as it always did.
        let mut first = game;
        first["edition"] = json!(1);
        let script = json!([{"seat": 0, "act": "give", "events": ["Give pending", "Give applied"]}]);
        holds(first, json!({"script": script, "then": {"vars": {"coins": [0, 0]}}}));
    }
    let nobody = json!({"flow": [{"add": {"var": ["none", "coins"], "by": 1}}], "actions": {},
        "vars": {"coins": {"owner": "player", "type": "int", "default": 0}}});
    let compiled = compile(&crate::harness::ruleset(&nobody).to_string()).expect("it is warned of");
    let warning = compiled.warnings.iter().find(|finding| finding.code == "nobody").expect("it is seen");
    assert_eq!(
        (warning.pointer.as_str(), warning.message.as_str()),
        ("/flow/0/add", "this is coins of nobody")
    );
}
