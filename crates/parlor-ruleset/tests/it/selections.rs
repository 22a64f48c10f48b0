//! Selections, one rule at a time: what is selected, counted, kept and asked where two readings come close.

use serde_json::{Value, json};

use super::rules::{holds, note};

/// Actions by their code; each is instant.
fn buttons(list: &[(&str, Value)]) -> Value {
    let named =
        list.iter().map(|(name, code)| ((*name).to_owned(), json!({"timing": "instant", "do": code})));
    Value::Object(named.collect())
}

/// The small game in which seat 0 presses a button that does this: what `n` is then.
fn comes_to(extra: Value, given: &Value, code: &Value, n: i64) {
    let mut extra = extra;
    extra["actions"] = buttons(&[("press", code.clone())]);
    let script = json!([{"seat": 0, "act": "press"}]);
    holds(
        extra,
        json!({"name": format!("{code}"), "given": given, "script": script, "then": {"vars": {"n": n}}}),
    );
}

fn set(value: Value) -> Value {
    json!({"set": {"var": "n", "to": value}})
}

fn truth(value: Value) -> Value {
    set(json!({"if": [value, 1, 2]}))
}

#[test]
fn what_is_selected_and_what_it_comes_to() {
    let cards = json!({"cards": {"a": {}, "b": {}, "c": {}}, "counters": {"coin": {}}});
    let given = json!({"zones": {"table": [["a", "b", "a"], ["c", "b"]]}});
    let all = |more: Value| {
        let mut sel = json!({"zones": ["table"], "of": "all"});
        more.as_object().expect("an object").iter().for_each(|(name, value)| sel[name] = value.clone());
        sel
    };
    let at = |sel: Value, n: i64| json!({"at": [sel, n]});
    let mine = json!({"zones": ["table"], "of": "you"});
    let a = json!({"isCard": ["it", "a"]});
    for (code, n) in [
        (json!([set(json!({"count": all(json!({"n": 2}))}))]), 2),
        (json!([set(json!({"count": all(json!({"distinctBy": {"card": "it"}}))}))]), 3),
        // Of equal ones the first: the bottom of the zone.
        (json!([truth(json!({"==": [{"maxBy": {"from": mine, "key": 1}}, at(mine.clone(), 0)]}))]), 1),
        (json!([truth(json!({"==": [{"minBy": {"from": mine, "key": 1}}, at(mine.clone(), 0)]}))]), 1),
        (json!([truth(json!({"forall": {"zones": ["table"], "of": "you", "where": a}}))]), 2),
        (json!([truth(json!({"forall": {"zones": ["table"], "of": {"seat": 2}, "where": a}}))]), 1),
        (json!([set(json!({"count": all(json!({"where": a, "exclude": at(mine.clone(), 0)}))}))]), 1),
        (json!([set(json!({"count": {"seats": {"from": {"seat": 1}, "n": 1}}}))]), 1),
        // A name that is bound again, and one that is bound for each of many.
        (
            json!([{"let": {"as": "k", "to": 1}}, {"repeat": {"n": 3, "as": "k", "do": [{"add": {"var": "n", "by": "k"}}]}}]),
            3,
        ),
        (
            json!([{"forEach": {"seats": "all", "as": "p", "do": [{"forEach": {"in": {"zones": ["table"], "of": "p"}, "as": "c", "do": [{"add": {"var": "n", "by": 1}}]}}]}}]),
            5,
        ),
        (
            json!([{"forEach": {"seats": "all", "as": "p", "do": [{"add": {"var": "n", "by": {"count": {"zones": ["table"], "of": "others:p"}}}}]}}]),
            5,
        ),
        // Each number of a key has its own `it`.
        (
            json!([set(
                json!({"sum": {"from": mine, "key": {"count": {"zones": ["table"], "of": "all", "where": {"==": [{"card": "it"}, {"card": {"first": mine}}]}}}}})
            )]),
            6,
        ),
        (
            json!([{"addCounter": {"to": mine, "counter": "coin"}}, {"removeCounter": {"from": mine, "counter": "coin", "n": 3}}, {"addCounter": {"to": mine, "counter": "coin"}}, set(json!({"counters": [at(mine.clone(), 0), "coin"]}))]),
            1,
        ),
        // Counters stay behind when a card changes zones, and what they were is remembered.
        (
            json!([{"addCounter": {"to": mine, "counter": "coin", "n": 4}}, {"let": {"as": "x", "to": at(mine.clone(), 1)}}, {"move": {"what": "x", "to": {"zone": ["hand", "you"]}}}, set(json!({"+": [{"*": [{"was": ["x", "coin"]}, 10]}, {"counters": ["x", "coin"]}]}))]),
            40,
        ),
        // Whoever acts has moved it, unless it is said who.
        (
            json!([{"let": {"as": "x", "to": at(mine.clone(), 1)}}, {"move": {"what": "x", "to": {"zone": ["table", "opponent"]}}}, truth(json!({"==": [{"playedBy": "x"}, "you"]}))]),
            1,
        ),
        (json!([{"pay": {"var": "log", "amount": 5}}, set(json!({"+": [{"var": "log"}, 3]}))]), 3),
    ] {
        let mut given = given.clone();
        given["vars"] = json!({"log": 5});
        comes_to(cards.clone(), &given, &code, n);
    }
}

#[test]
fn an_attribute_of_nothing_is_what_its_type_has_for_nothing() {
    let extra = json!({"enums": {"suit": ["hearts", "spades"]}, "attributes": {"suit": {"type": "enum:suit"}}, "cards": {"stone": {"suit": "hearts"}}});
    let nothing = json!({"let": {"as": "x", "to": {"first": {"zones": ["hand"], "of": "you"}}}});
    comes_to(
        extra.clone(),
        &json!({}),
        &json!([nothing, truth(json!({"==": [{"attr": ["x", "suit"]}, "hearts"]}))]),
        2,
    );
    comes_to(extra, &json!({}), &json!([nothing, truth(json!({"isNone": {"attr": ["x", "suit"]}}))]), 1);
}

#[test]
fn attributes_go_through_what_is_set_and_what_is_added_in_its_order() {
    let attributes = json!({"size": {"type": "int", "default": 1, "layer": "stat"}, "twice": {"type": "int", "value": {"*": [{"attr": ["it", "size"]}, 2]}}});
    let fix = |n: i64, zones: Value| json!({"statics": [{"affects": {"zones": ["table"], "where": {"isCard": ["it", "stone"]}}, "set": {"size": n}, "zones": zones}]});
    let bless = json!({"statics": [{"affects": {"zones": ["table"], "of": "you"}, "keywords": ["blessed"]}]});
    let curse =
        json!({"statics": [{"affects": {"zones": ["table"], "of": "opponents"}, "modify": {"size": 10}}]});
    let cards = json!({"stone": {}, "five": fix(5, json!(["table"])), "seven": fix(7, json!(["table"])), "far": fix(9, json!(["hand"])), "saint": bless, "witch": curse});
    let extra = json!({"cards": cards, "attributes": attributes, "keywords": ["blessed"]});
    let stone =
        json!({"first": {"zones": ["table", "hand"], "of": "all", "where": {"isCard": ["it", "stone"]}}});
    let size = json!({"attr": [stone, "size"]});
    let lies = |table: Value| json!({"zones": {"table": table}});
    let again = |card: &str| json!({"move": {"what": {"zones": ["table"], "of": "you", "where": {"isCard": ["it", card]}}, "to": {"zone": ["table", "you"]}}});
    let take = json!({"control": {"what": {"zones": ["table"], "of": "all", "where": {"isCard": ["it", "saint"]}}, "to": {"seat": 1}}});
    for (given, code, n) in [
        // The younger comes last.
        (lies(json!([["stone", "five", "seven"]])), json!([set(size.clone())]), 7),
        (lies(json!([["stone", "five", "seven"]])), json!([again("five"), set(size.clone())]), 5),
        (lies(json!([["stone", "far"]])), json!([set(size.clone())]), 1),
        (
            lies(json!([["stone"], ["seven"]])),
            json!([{"move": {"what": stone, "to": {"zone": ["hand", "you"]}}}, set(size.clone())]),
            1,
        ),
        // What is set comes before what is added, whatever came first.
        (
            lies(json!([["stone"]])),
            json!([{"apply": {"to": stone, "modify": {"size": 4}}}, {"apply": {"to": stone, "set": {"size": 2}}}, set(size.clone())]),
            6,
        ),
        (lies(json!([["stone", "saint"]])), json!([truth(json!({"has": [stone, "blessed"]}))]), 1),
        (lies(json!([["stone", "saint"]])), json!([take, truth(json!({"has": [stone, "blessed"]}))]), 2),
        (lies(json!([["stone"], ["witch"]])), json!([set(size.clone())]), 11),
        (lies(json!([["stone", "witch"]])), json!([set(size.clone())]), 1),
        // As often as it is looked at, and whatever else is looked at with it.
        (
            lies(json!([["stone"]])),
            json!([{"repeat": {"n": 40, "do": [{"add": {"var": "n", "by": {"attr": [stone, "twice"]}}}]}}]),
            80,
        ),
        (
            lies(json!([["stone", "five"]])),
            json!([{"setAttr": {"of": stone, "attr": "size", "to": 2}}, {"apply": {"to": {"zones": ["table"], "of": "you", "where": {"isCard": ["it", "five"]}}, "modify": {"size": 9}}}, set(json!({"count": {"zones": ["table"], "of": "you", "where": {"==": [{"attr": [stone, "twice"]}, {"attr": ["it", "size"]}]}}}))]),
            1,
        ),
    ] {
        comes_to(extra.clone(), &given, &code, n);
    }
}

#[test]
fn keywords_that_are_taken_are_gone_though_they_are_given_in_the_same_breath() {
    let extra = json!({"keywords": ["quick"], "cards": {"stone": {}}});
    let stone = json!({"first": {"zones": ["table"], "of": "you"}});
    let code = json!([{"apply": {"to": stone, "keywords": ["quick"], "without": ["quick"]}}, truth(json!({"has": [stone, "quick"]}))]);
    comes_to(extra, &json!({"zones": {"table": [["stone"]]}}), &code, 2);
}

#[test]
fn a_check_sees_every_way_in_which_a_card_may_come_to_fit_it() {
    // cites 001/R11
    let attributes = json!({"size": {"type": "int", "default": 1, "layer": "stat"}});
    let big = json!([{"id": "big", "each": {"zones": ["table"], "of": "all", "where": {">=": [{"+": [{"attr": ["it", "size"]}, {"counters": ["it", "coin"]}]}, 5]}}, "do": [{"add": {"var": "n", "by": 1}}, {"move": {"what": "it", "to": {"zone": ["hand", {"owner": "it"}]}}}]}]);
    let king = json!({"statics": [{"affects": {"zones": ["table"], "of": "you", "where": {"isCard": ["it", "stone"]}}, "modify": {"size": 4}}]});
    let cards = json!({"stone": {}, "giant": {"size": 6}, "king": king});
    let extra = json!({"attributes": attributes, "counters": {"coin": {}}, "cards": cards, "checks": big});
    let all = json!({"zones": ["table"], "of": "all", "where": {"isCard": ["it", "stone"]}});
    let many: Vec<&str> = vec!["stone"; 70];
    let lies = |table: Value, hand: Value| json!({"zones": {"table": table, "hand": hand}});
    let to = |zone: &str, seat: &str| json!({"zone": [zone, seat]});
    let in_hand = json!({"zones": ["hand"], "of": "you"});
    for (given, code, n) in [
        (
            lies(json!([["stone"]]), json!([])),
            json!([{"addCounter": {"to": all, "counter": "coin", "n": 4}}]),
            1,
        ),
        (lies(json!([["stone"]]), json!([])), json!([{"setAttr": {"of": all, "attr": "size", "to": 5}}]), 1),
        (lies(json!([["stone"]]), json!([])), json!([{"apply": {"to": all, "modify": {"size": 4}}}]), 1),
        (
            lies(json!([]), json!([["giant"]])),
            json!([{"move": {"what": in_hand, "to": to("table", "you")}}]),
            1,
        ),
        (lies(json!([]), json!([])), json!([{"create": {"card": "giant", "to": to("table", "you")}}]), 1),
        (
            lies(json!([["stone"]]), json!([["king"]])),
            json!([{"move": {"what": in_hand, "to": to("table", "you")}}]),
            1,
        ),
        (lies(json!([["king"], ["stone"]]), json!([])), json!([{"control": {"what": all, "to": "you"}}]), 1),
        (lies(json!([many]), json!([])), json!([{"setAttr": {"of": all, "attr": "size", "to": 5}}]), 70),
    ] {
        comes_to(extra.clone(), &given, &code, n);
    }
}

#[test]
fn a_check_of_some_players_cards_or_of_the_first_alone_is_looked_at_whole() {
    // cites 001/R11
    let check = |more: Value| {
        let mut each =
            json!({"zones": ["table"], "of": "active", "where": {">=": [{"attr": ["it", "size"]}, 5]}});
        more.as_object().expect("an object").iter().for_each(|(name, value)| each[name] = value.clone());
        json!({"checks": [{"id": "c", "each": each, "do": [{"add": {"var": "n", "by": 1}}, {"setAttr": {"of": "it", "attr": "size", "to": 1}}]}]})
    };
    let grow = json!([{"setAttr": {"of": {"zones": ["table"], "of": "all"}, "attr": "size", "to": 5}}]);
    let given = json!({"zones": {"table": [["stone"], ["stone", "stone"]]}});
    comes_to(check(json!({})), &given, &grow, 1);
    let twice = json!({"attributes": {"size": {"type": "int", "default": 1}, "all": {"type": "int", "value": {"count": {"zones": ["hand"], "of": "all"}}}}});
    // What is computed may change with something that lies elsewhere.
    let mut extra = check(json!({"of": "all", "where": {">=": [{"attr": ["it", "all"]}, 2]}}));
    extra["attributes"] = twice["attributes"].clone();
    extra["checks"][0]["do"] = json!([{"add": {"var": "n", "by": 1}}, {"move": {"what": {"zones": ["hand"], "of": "all"}, "to": {"zone": ["table", "active"]}}}]);
    let create = json!([{"create": {"card": "stone", "to": {"zone": ["hand", "you"]}, "n": 2}}]);
    comes_to(extra, &json!({"zones": {"table": [["stone"]]}}), &create, 1);
}

#[test]
fn whoever_has_lost_is_neither_asked_nor_checked_nor_has_a_turn() {
    // cites 001-25
    let ask = json!({"ask": {"id": "q", "who": "all", "mode": "all", "confirm": true}});
    holds(
        json!({"flow": [{"lose": {"seat": 0}}, ask], "actions": {}}),
        json!({"seats": 3, "strict": false, "script": [], "then": {"asked": 1}}),
    );
    // A check over seats leaves them out, or it would never rest.
    let lose = json!([{"id": "out", "seats": "all", "where": {"==": [{"seatNo": "it"}, 1]}, "do": [{"add": {"var": "n", "by": 1}}, {"lose": "it"}]}]);
    holds(
        json!({"checks": lose}),
        json!({"seats": 3, "script": [{"seat": 0, "say": "Pass"}], "then": {"asked": 2, "vars": {"n": 1}, "over": false}}),
    );
    let out = buttons(&[("out", json!([{"lose": {"seat": 1}}]))]);
    let turns = json!({"rules": [{"id": "t", "on": {"event": "TurnStarted"}, "do": [{"set": {"var": "n", "to": {"seatNo": "active"}}}]}], "actions": out});
    holds(
        turns,
        json!({"seats": 3, "script": [{"seat": 0, "act": "out"}, {"seat": 0, "say": "Pass"}, {"seat": 2, "say": "Pass"}], "then": {"asked": 2, "vars": {"n": 2}}}),
    );
}

#[test]
fn a_turn_is_left_out_once_and_still_counts_for_the_round() {
    // cites 001-25
    let rules = json!([
        {"id": "t", "on": {"event": "TurnStarted"}, "do": [{"set": {"var": "log", "to": {"+": [{"*": [{"var": "log"}, 10]}, {"seatNo": "active"}]}}}]},
        {"id": "r", "on": {"event": "RoundStarted"}, "do": [{"add": {"var": "n", "by": 1}}]}
    ]);
    let extra = json!({
        "rules": rules, "turnStructure": {"maxTurns": 12, "phases": [{"id": "main", "steps": [{"id": "main"}]}]},
        "actions": buttons(&[("skip", json!([{"skipTurn": {"seat": 1}}])), ("both", json!([{"skipTurn": {"seat": 1}}, {"skipTurn": {"seat": 2}}])), ("again", json!([{"extraTurn": "you"}]))])
    });
    let play = |first: &str, turns: &[usize], log: i64, rounds: i64| {
        let mut script = vec![json!({"seat": 0, "act": first})];
        for active in turns {
            script.extend((0..3).map(|n| json!({"seat": (active + n) % 3, "say": "Pass"})));
        }
        holds(
            extra.clone(),
            json!({"name": first, "seats": 3, "script": script, "then": {"vars": {"log": log, "n": rounds}}}),
        );
    };
    play("skip", &[0, 2], 20, 2);
    play("skip", &[0, 2, 0], 201, 2);
    play("both", &[0], 0, 2);
    play("both", &[0, 0], 1, 2);
    // An extra turn belongs to the round it is in.
    play("again", &[0], 0, 1);
    play("again", &[0, 0], 1, 1);
}

#[test]
fn what_is_asked_again_begins_again() {
    // cites 001-10
    let ask = json!({"ask": {"id": "q", "who": {"seat": 0}, "as": "a", "pick": {"from": {"range": [1, 9]}, "min": 0, "max": 1}, "timeout": {"ms": 100, "default": "pass"}}});
    let sum = json!({"add": {"var": "n", "by": {"max": [0, {"answer": ["a", {"seat": 0}]}]}}});
    let there = json!({"if": [{"touched": ["a", {"seat": 0}]}, [{"add": {"var": "log", "by": 1}}]]});
    let extra = json!({"flow": [{"repeat": {"n": 2, "do": [ask, sum, there]}}], "actions": {}});
    holds(
        extra,
        json!({"script": [{"seat": 0, "say": "7"}, {"elapse": true}], "then": {"vars": {"n": 7, "log": 1}}}),
    );
}

#[test]
fn a_question_whose_bounds_cross_asks_for_the_most_and_silence_takes_the_first() {
    // cites 001-10
    // Written down as numbers they are refused: so the least is worked out.
    let pick = |min: i64, max: i64| json!({"ask": {"id": "q", "who": {"seat": 0}, "as": "a", "pick": {"from": {"zones": ["table"], "of": {"seat": 0}}, "min": {"+": [{"var": "log"}, min]}, "max": max}, "timeout": 100}});
    let count = set(json!({"count": {"answer": ["a", {"seat": 0}]}}));
    let game = |min: i64, max: i64| json!({"flow": [pick(min, max), count], "actions": {}});
    let given = json!({"zones": {"table": [["stone", "stone", "stone"]]}});
    holds(game(3, 1), json!({"given": given, "script": [{"elapse": true}], "then": {"vars": {"n": 1}}}));
    holds(game(0, 2), json!({"given": given, "script": [{"elapse": true}], "then": {"vars": {"n": 1}}}));
    holds(game(2, 3), json!({"given": given, "script": [{"elapse": true}], "then": {"vars": {"n": 2}}}));
}

#[test]
fn a_zone_takes_as_many_as_it_holds_and_a_grid_as_it_has_cells() {
    // cites 001-16
    let zones = json!({"table": {"owner": "player", "order": "ordered", "see": "all", "capacity": 2}, "hand": {"owner": "player", "see": "owner"}, "grid": {"owner": "game", "see": "all", "grid": [3, 1]}});
    let put = |n: i64| json!([{"move": {"what": {"zones": ["hand"], "of": "you", "n": n}, "to": {"zone": ["table", "you"]}}}]);
    let cell = |n: i64| json!([{"move": {"what": {"first": {"zones": ["hand"], "of": "you"}}, "to": "grid", "cell": n}}]);
    let given = json!({"zones": {"hand": [["stone", "stone", "stone"]]}});
    for (code, good) in
        [(put(2), true), (put(3), false), (cell(2), true), (cell(3), false), (cell(-1), false)]
    {
        let extra = json!({"zones": zones, "actions": buttons(&[("press", code.clone())])});
        let events = if good {
            json!(["Press pending", "Press applied"])
        } else {
            json!(["Press pending", "Press failed", "Verdict"])
        };
        let moved: Vec<Value> = events.as_array().expect("a list").clone();
        let mut all = vec![moved[0].clone()];
        if good {
            let n = if code.to_string().contains("grid") { 1 } else { 2 };
            all.extend((0..n).map(|_| json!("ZoneMoved")));
        } else if code.to_string().contains("\"n\":3") {
            all.extend((0..2).map(|_| json!("ZoneMoved")));
        }
        all.extend(moved[1..].iter().cloned());
        holds(
            extra,
            json!({"name": format!("{code}"), "given": given, "script": [{"seat": 0, "act": "press", "events": all}], "then": {"over": false}}),
        );
    }
}

#[test]
fn what_a_shuffle_mixes_lies_face_up_and_unseen() {
    let zones = json!({"table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"}, "pile": {"owner": "game", "order": "ordered", "see": "all"}});
    let code = json!([{"create": {"card": "stone", "to": "pile", "n": 4}}, {"turnDown": "pile"}, {"shuffle": "pile"}, set(json!({"count": {"zones": ["pile"], "where": {"faceDown": "it"}}}))]);
    let extra = json!({"zones": zones, "actions": buttons(&[("press", code)])});
    let chance = json!([{"shuffle": "pile", "top": []}]);
    holds(
        extra,
        json!({"strict": false, "chance": chance, "script": [{"seat": 0, "act": "press"}], "then": {"vars": {"n": 0}}}),
    );
}

#[test]
fn a_trigger_that_waits_keeps_its_lists_its_condition_its_moment_and_its_source() {
    // cites 001-3
    let game = |later: Value, more: Value| {
        let press = json!({"timing": "instant", "targets": [{"id": "by", "from": {"zones": ["table"], "of": "you"}}],
            "do": [{"let": {"as": "l", "list": {"range": [1, 4]}}}, {"later": later}]});
        let mut actions = buttons(&[
            ("call", json!([{"emit": {"event": "Ping", "payload": {"n": 4}}}])),
            ("push", json!([{"push": {"event": "Ping", "payload": {"n": 4}}}])),
            (
                "away",
                json!([{"move": {"what": {"zones": ["table"], "of": "you"}, "to": {"zone": ["hand", "you"]}}}]),
            ),
            ("give", json!([{"control": {"what": {"zones": ["table"], "of": "you"}, "to": {"seat": 1}}}])),
            ("on", json!([{"set": {"var": "log", "to": 1}}])),
        ]);
        actions["press"] = press;
        let mut game = json!({"actions": actions, "events": {"Ping": {"n": "int", "do": [{"set": {"var": "n", "to": {"*": [{"var": "n"}, 10]}}}]}}});
        more.as_object().expect("an object").iter().for_each(|(name, value)| game[name] = value.clone());
        game
    };
    let play = |later: &Value, names: &[&str], n: i64| {
        let lines: Vec<Value> = names
            .iter()
            .map(|name| {
                if *name == "press" {
                    json!({"seat": 0, "act": "press", "targets": {"by": "stone"}})
                } else {
                    json!({"seat": 0, "act": name})
                }
            })
            .collect();
        holds(
            game(later.clone(), json!({})),
            json!({"name": format!("{names:?}"), "given": {"zones": {"table": [["stone"]]}}, "script": lines, "then": {"vars": {"n": n}}}),
        );
    };
    let on = json!({"event": "Ping"});
    let counts = json!({"on": on, "do": [{"set": {"var": "n", "to": {"count": "l"}}}]});
    play(&counts, &["press", "call"], 4);
    let while_there = json!({"on": on, "until": "whileSourceInPlay", "do": [{"set": {"var": "n", "to": 5}}]});
    play(&while_there, &["press", "call"], 5);
    play(&while_there, &["press", "away", "call"], 0);
    let only = json!({"on": on, "if": {"==": [{"var": "log"}, 1]}, "do": [{"set": {"var": "n", "to": 6}}]});
    play(&only, &["press", "call"], 0);
    play(&only, &["press", "on", "call"], 6);
    // Before the event: what it does comes after.
    let before = json!({"on": {"event": "Ping", "moment": "before"}, "do": [{"set": {"var": "n", "to": 7}}]});
    play(&before, &["press", "push"], 70);
    play(&before, &["press", "call"], 0);
    // It is still his who made it.
    let whose = json!({"on": on, "do": [{"set": {"var": "n", "to": {"+": [1, {"seatNo": "you"}]}}}]});
    play(&whose, &["press", "give", "call"], 1);
}

#[test]
fn limits_count_for_replacements_and_in_groups_that_fell() {
    // cites 001-19, 001/R9
    let double = |limit: Value| json!([{"id": "d", "event": "Ping", "limit": limit, "do": [{"modifyEvent": {"n": {"*": [{"ev": "n"}, 2]}}}]}]);
    let events =
        json!({"Ping": {"n": "int", "do": [{"add": {"var": "n", "by": {"ev": "n"}}}]}, "Hit": {"n": "int"}});
    let ping = json!({"emit": {"event": "Ping", "payload": {"n": 1}}});
    let script = json!([{"seat": 0, "act": "press"}]);
    let extra = json!({"events": events, "replaces": double(json!({"oncePer": "turn"})), "actions": buttons(&[("press", json!([ping, ping, ping]))])});
    holds(extra, json!({"script": script, "then": {"vars": {"n": 4}}}));
    // What fell has not used the limit up.
    let wall = json!({"id": "no", "event": "Hit", "do": [{"prevent": true}]});
    let replaces = json!([double(json!({"oncePer": "turn"}))[0], wall]);
    let extra = json!({"events": events, "replaces": replaces, "actions": buttons(&[("press", json!([{"atomic": [ping, {"emit": {"event": "Hit"}}]}, ping]))])});
    holds(extra, json!({"script": script, "then": {"vars": {"n": 2}}}));
    // Once in a turn is not once in a round.
    let rules = json!([{"id": "r", "on": {"event": "Ping"}, "limit": {"oncePer": "turn"}, "do": [note(1)]}]);
    let extra = json!({"rules": rules, "actions": buttons(&[("press", json!([ping, ping]))])});
    let turns = json!([{"seat": 0, "act": "press"}, {"seat": 0, "say": "Pass"}, {"seat": 1, "say": "Pass"}, {"seat": 1, "act": "press"}]);
    holds(extra, json!({"script": turns, "then": {"vars": {"log": 11}}}));
}

#[test]
fn replacements_and_reactions_go_by_the_seat_whose_turn_it_is() {
    // cites 001/R3, 001-13
    let events = json!({"Ping": {"n": "int", "do": [{"set": {"var": "n", "to": {"ev": "n"}}}]}});
    let change = |digit: i64| json!({"replaces": [{"id": "r", "event": "Ping", "do": [{"modifyEvent": {"n": {"+": [{"*": [{"ev": "n"}, 10]}, digit]}}}]}], "triggers": [{"id": "t", "on": {"event": "Ping"}, "do": [note(digit)]}]});
    let extra = json!({"events": events, "cards": {"a": change(1), "b": change(2), "c": change(3)}, "actions": buttons(&[("press", json!([{"emit": {"event": "Ping", "payload": {"n": 0}}}]))])});
    let given = json!({"zones": {"table": [["a"], ["b"], ["c"]]}});
    let pass = |seat: usize| json!({"seat": seat, "say": "Pass"});
    let script = json!([pass(0), pass(1), pass(2), {"seat": 1, "act": "press"}]);
    holds(
        extra,
        json!({"seats": 3, "given": given, "script": script, "then": {"vars": {"n": 231, "log": 231}}}),
    );
    // And so do seats in turn.
    let each = json!([{"forEach": {"seats": "inTurn", "as": "p", "do": [{"set": {"var": "n", "to": {"+": [{"*": [{"var": "n"}, 10]}, {"+": [1, {"seatNo": "p"}]}]}}}]}}]);
    let extra = json!({"actions": buttons(&[("press", each)])});
    holds(extra, json!({"seats": 3, "script": script, "then": {"vars": {"n": 231}}}));
}

#[test]
fn several_may_be_asked_in_the_middle_of_one_thing() {
    // cites 001-10
    let events =
        json!({"Hit": {"target": "entity", "n": "int", "do": [{"add": {"var": "n", "by": {"ev": "n"}}}]}});
    let may = |id: &str, by: i64| json!({"id": id, "event": "Hit", "optional": true, "do": [{"modifyEvent": {"n": {"+": [{"ev": "n"}, by]}}}]});
    let extra = json!({"events": events, "replaces": [may("a", 10), may("b", 100)], "actions": buttons(&[("press", json!([{"emit": {"event": "Hit", "payload": {"target": {"first": "table"}, "n": 1}}}]))])});
    let given = json!({"zones": {"table": [[], ["stone"]]}});
    let script = json!([{"seat": 0, "act": "press"}, {"seat": 1, "say": "yes"}, {"seat": 1, "say": "yes"}]);
    holds(extra, json!({"given": given, "script": script, "then": {"vars": {"n": 111}}}));
}

#[test]
fn a_group_of_the_flow_is_over_at_its_end() {
    // cites 001/R9
    let rules = json!([{"id": "p", "on": {"event": "Ping"}, "do": [note(1)]}]);
    let code = json!([{"atomic": [{"add": {"var": "n", "by": 1}}]}, {"emit": {"event": "Ping"}}, note(2), {"batch": [{"batch": [{"emit": {"event": "Ping"}}]}, note(3)]}]);
    let extra = json!({"rules": rules, "actions": {}, "turnStructure": {"maxTurns": 1, "phases": [{"id": "main", "steps": [{"id": "main", "do": code}]}]}});
    holds(extra, json!({"script": [], "then": {"vars": {"log": 1231}}}));
}

#[test]
fn a_position_is_where_cards_lie_whose_they_are_and_what_lies_on_them() {
    // cites 001/R11
    let zones = json!({"table": {"owner": "player", "order": "ordered", "see": "all"}, "hand": {"owner": "player", "see": "owner"}, "grid": {"owner": "game", "see": "all", "grid": [9, 1]}});
    let steps =
        json!({"maxTurns": 40, "phases": [{"id": "main", "steps": [{"id": "main"}, {"id": "late"}]}]});
    let stone = json!({"first": {"union": ["table", "grid"]}});
    let walk =
        json!([{"move": {"what": stone, "to": "grid", "cell": {"%": [{"+": [{"cell": stone}, 1]}, 9]}}}]);
    let give = json!([{"control": {"what": stone, "to": {"opponentOf": {"controller": stone}}}}]);
    let grow = json!([{"apply": {"to": stone, "modify": {"size": 1}, "until": "turnEnd"}}]);
    let count = json!([{"addCounter": {"to": stone, "counter": "coin"}}]);
    let nothing = json!([]);
    for (code, same, presses) in
        [(&walk, false, 5), (&give, false, 3), (&grow, false, 5), (&count, false, 5), (&nothing, true, 2)]
    {
        let extra = json!({"zones": zones, "counters": {"coin": {}}, "turnStructure": steps, "limits": {"samePosition": 3}, "actions": buttons(&[("press", code.clone())])});
        let given = if *code == walk {
            json!({"zones": {"grid": ["stone"]}})
        } else {
            json!({"zones": {"table": [["stone"]]}})
        };
        let script: Vec<Value> = (0..presses).map(|_| json!({"seat": 0, "act": "press"})).collect();
        holds(
            extra,
            json!({"name": format!("{code}"), "given": given, "script": script, "then": {"over": same}}),
        );
    }
    // The next step is another position, and so is the next player's turn.
    let extra = json!({"turnStructure": steps, "limits": {"samePosition": 2}});
    let script: Vec<Value> = (0..3).map(|n| json!({"seat": n % 2, "say": "Pass"})).collect();
    holds(extra, json!({"script": script, "then": {"over": false}}));
}
