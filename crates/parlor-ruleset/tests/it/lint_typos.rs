//! Typing mistakes that would mean nothing, or something else: each is an error or a warning at its place, with what
//! to do about it.

use parlor_ruleset::{Finding, Level};
use serde_json::{Value, json};

use crate::lint_hints::found;

/// The one finding of this kind is here, and says this.
pub(crate) fn told(extra: &Value, code: &str, pointer: &str, message: &str, help: &str) -> Finding {
    let all = found(extra);
    let hit = all.iter().find(|finding| finding.code == code && finding.pointer == pointer);
    let hit = hit.unwrap_or_else(|| panic!("{extra}: nothing is {code} at {pointer}: {all:#?}"));
    assert!(hit.message.contains(message), "{extra}: {hit:#?}");
    assert!(hit.help.as_deref().unwrap_or_default().contains(help), "{extra}: {hit:#?}");
    hit.clone()
}

/// Nothing is found.
pub(crate) fn clean(extra: &Value) {
    let all = found(extra);
    assert!(all.is_empty(), "{extra}: {all:#?}");
}

#[test]
fn a_secret_is_told_to_a_seat_in_a_field_and_nothing_else_is_a_secret() {
    // cites 001-14
    let game = |to: Value| {
        json!({"events": {"Ping": {"n": "int", "who": "seat", "secretTo": to}, "Pong": {"n": "int"}, "Hit": {"target": "entity", "n": "int"}},
        "actions": {"press": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 5, "who": "you"}}},
            {"emit": {"event": "Pong", "payload": {"n": 5}}}, {"emit": {"event": "Hit", "payload": {"target": {"first": "table"}, "n": 5}}}]}},
        "setup": [{"create": {"card": "stone", "to": {"zone": ["table", {"seat": 0}]}}}, {"draw": {"seat": {"seat": 0}, "from": "table"}},
            {"set": {"var": "log", "to": {"attr": [{"first": "table"}, "size"]}}}, {"set": {"var": "n", "to": 1}}]})
    };
    clean(&game(json!("who")));
    for (to, message) in [
        (json!(["n"]), "the name of a field is expected here, not a list"),
        (json!(true), "the name of a field is expected here, not true or false"),
        (json!({"n": "who"}), "the name of a field is expected here, not an object"),
        (json!({"fields": ["n"], "to": "who"}), "the name of a field is expected here, not an object"),
        (json!("whom"), "there is no field 'whom' in this event"),
        (json!("n"), "n is no seat"),
    ] {
        let hit = told(&game(to), "secret", "/events/Ping/secretTo", message, "\"secretTo\": \"who\"");
        assert_eq!(hit.level, Level::Error);
    }
    let nobody = json!({"events": {"Ping": {"n": "int", "secretTo": "n"}, "Pong": {"n": "int"}, "Hit": {"target": "entity", "n": "int"}}});
    told(&nobody, "secret", "/events/Ping/secretTo", "n is no seat", "a field of the type seat");
}

/// A game that is nothing but a question.
fn asking(ask: &Value) -> Value {
    json!({
        "enums": {"kind": ["big", "small"]}, "attributes": {"kind": {"type": "enum:kind"}}, "events": {}, "actions": {}, "vars": {"n": {"type": "int", "default": 0}},
        "cards": {"ox": {"kind": "big"}}, "zones": {"box": {"see": "all"}}, "setup": [{"create": {"card": "ox", "to": "box"}}, {"set": {"var": "n", "to": 1}}],
        "flow": [{"ask": ask}]
    })
}

fn ask(more: Value) -> Value {
    let mut ask = json!({"id": "a", "who": {"seat": 0}, "as": "x", "prompt": "?"});
    for (name, value) in more.as_object().expect("an object") {
        ask[name] = value.clone();
    }
    asking(&ask)
}

#[test]
fn a_word_that_nobody_knows_is_refused_where_a_few_are_known() {
    // cites 001-14
    let rank = |order: Value| json!({"end": {"rank": {"by": {"seatNo": "it"}, "order": order}}});
    let press = json!({"press": {"timing": "instant", "do": [{"emit": {"event": "Ping", "payload": {"n": 5}}}, {"emit": {"event": "Pong", "payload": {"n": 5}}}]}});
    for good in ["asc", "desc"] {
        let all = found(&rank(json!(good)));
        assert!(all.iter().all(|finding| finding.level == Level::Warning), "{all:#?}");
    }
    told(&rank(json!("ascending")), "unknown", "/end/rank/order", "there is no order 'ascending'", "asc");
    told(&rank(json!(true)), "shape", "/end/rank/order", "a word is expected here", "desc, asc");
    let turns = json!({"flow": [{"turns": {"max": 2, "order": "active", "do": [{"nextRound": true}]}}], "actions": press});
    told(&turns, "unknown", "/flow/0/turns/order", "turns have no order of their own", "players.turnOrder");
    let timed = |closes: &str| ask(json!({"confirm": true, "closes": closes, "timeout": 1000}));
    clean(&timed("deadline"));
    told(&timed("dedline"), "unknown", "/flow/0/ask/closes", "there is no closes 'dedline'", "deadline");
    let default = |default: Value| ask(json!({"confirm": true, "timeout": {"ms": 1000, "default": default}}));
    clean(&default(json!({"value": true})));
    told(&default(json!("frist")), "unknown", "/flow/0/ask/timeout", "there is no default 'frist'", "first");
    told(&default(json!(7)), "shape", "/flow/0/ask/timeout/default", "a word is expected here", "first");
    let window = |words: Value| json!({"flow": [{"step": {"id": "s", "priority": {"respond": words}}}], "actions": press});
    told(
        &window(json!(["emtpy"])),
        "unknown",
        "/flow/0/step/priority",
        "there is no window 'emtpy'",
        "empty",
    );
}

#[test]
fn a_question_is_answered_in_one_way_that_can_be_answered() {
    // cites 001-14
    clean(&ask(json!({"pick": {"from": "box", "min": 0, "max": 1}})));
    told(
        &ask(json!({"pick": {"from": "box", "mx": 1}})),
        "unknown",
        "/flow/0/ask/pick/mx",
        "there is no field 'mx'",
        "max",
    );
    told(
        &ask(json!({"confirm": true, "number": {"min": 1, "max": 3}})),
        "ask",
        "/flow/0/ask",
        "number and confirm",
        "ask for the one",
    );
    told(
        &ask(json!({"number": {"min": 5, "max": 3}})),
        "bounds",
        "/flow/0/ask",
        "its min, 5, is more than its max, 3",
        "`max`",
    );
    told(
        &ask(json!({"pick": {"from": "box", "min": 3, "max": 2}})),
        "bounds",
        "/flow/0/ask",
        "its min, 3",
        "`max`",
    );
    told(
        &ask(json!({"pick": {"from": "box", "min": 2}})),
        "bounds",
        "/flow/0/ask",
        "its min, 2, is more than its max, 1",
        "`max`",
    );
    told(
        &ask(json!({"modes": ["one", 2]})),
        "shape",
        "/flow/0/ask/modes/1",
        "a name is expected here, not a number",
        "",
    );
    let draft = |more: Value| {
        let mut all = json!({"confirm": true, "timeout": {"ms": 9, "default": "lastDraft"}});
        all["drafts"] = more;
        ask(all)
    };
    clean(&draft(json!(true)));
    told(&draft(json!(false)), "drafts", "/flow/0/ask", "it takes no drafts", "\"drafts\": true");
}

#[test]
fn a_misspelt_pick_is_one_mistake() {
    let extra = |pick: Value| {
        let mut game = ask(json!({"pick": pick}));
        let used = json!([{"move": {"what": "x", "to": "box"}}, {"set": {"var": "n", "to": {"count": "x"}}},
            {"if": [{"isCard": ["x", "ox"]}, [{"turnUp": "x"}]]}]);
        game["flow"].as_array_mut().expect("a list").extend(used.as_array().expect("a list").clone());
        game
    };
    clean(&extra(json!({"from": "box", "count": 1})));
    let all = found(&extra(json!({"form": "box", "count": 1})));
    let told: Vec<(&str, &str)> = all.iter().map(|f| (f.pointer.as_str(), f.message.as_str())).collect();
    assert_eq!(
        told,
        [
            ("/flow/0/ask/pick", "`from` is missing: what is picked from"),
            ("/flow/0/ask/pick/form", "there is no field 'form'")
        ]
    );
}

#[test]
fn options_beside_from_are_those_of_the_selection() {
    // What stood beside `from` and was none of three words was not looked at.
    use crate::harness::{fails, holds};
    let game = ask(json!({"pick": {"from": {"range": [1, 5]}, "n": 2, "min": 0, "max": 1}}));
    holds(game.clone(), json!({"script": [{"seat": 0, "say": "2"}], "then": {"over": true}}));
    assert_eq!(fails(&game, &json!({"script": [{"seat": 0, "say": "3"}]})).what, "it was refused");
}

#[test]
fn what_happens_says_all_that_its_event_has() {
    // cites 001-14
    let emit = |event: &str, payload: Value| json!({"actions": {"press": {"timing": "instant", "do": [{"emit": {"event": event, "payload": payload}}]}}});
    let at = "/actions/press/do/0/emit";
    told(&emit("Ping", json!({})), "payload", at, "the payload has no n", "\"seat?\"");
    told(&emit("Hit", json!({"n": 1})), "payload", at, "the payload has no target", "left out");
    let lacks = |extra: &Value| found(extra).iter().filter(|finding| finding.code == "payload").count();
    assert_eq!(lacks(&emit("Ping", json!({"n": 1}))), 0);
    let each = json!({"actions": {"press": {"timing": "instant", "do": [{"emit": {"event": "Hit", "payload": {"n": 1}, "each": {"target": "table"}}}]}}});
    assert_eq!(lacks(&each), 0, "{:#?}", found(&each));
    let mut may = emit("Ping", json!({}));
    may["events"] = json!({"Ping": {"n": "int?"}});
    assert_eq!(lacks(&may), 0, "{:#?}", found(&may));
    // The engine's own events happen by themselves.
    let hit = told(
        &emit("GameEnded", json!({})),
        "event",
        &format!("{at}/event"),
        "GameEnded is an event of the engine",
        "finish, win or drawGame",
    );
    assert_eq!(hit.level, Level::Error);
    told(
        &emit("ZoneMoved", json!({})),
        "event",
        &format!("{at}/event"),
        "it happens by itself",
        "of your own",
    );
    let twice = json!({"events": {"RoundStarted": {"n": "int"}}});
    told(&twice, "twice", "/events/RoundStarted", "RoundStarted is an event of the engine", "another name");
    // The line of the log has holes for fields.
    let log = |log: &str| json!({"events": {"Ping": {"n": "int", "ui": {"log": log}}}});
    told(&log("{m} pings"), "unknown", "/events/Ping/ui/log", "there is no field of this event 'm'", "n");
    assert!(found(&log("{n} pings")).iter().all(|finding| finding.level == Level::Warning));
}

#[test]
fn what_is_declared_and_means_nothing_is_warned_about() {
    // cites 001-14
    let idle = |priority: Value| json!({"flow": [{"step": {"id": "rest", "priority": priority}}]});
    for nobody in [json!({"respond": []}), json!(false), json!({"respond": "stackItem"})] {
        told(
            &idle(nobody),
            "idle",
            "/flow/0/step",
            "nothing can happen in the step rest",
            "\"priority\": true",
        );
    }
    assert!(!found(&idle(json!(true))).iter().any(|finding| finding.code == "idle"));
    let teams = json!({"players": {"min": 2, "max": 4, "teams": 3}});
    told(
        &teams,
        "teams",
        "/players/teams",
        "with 2 players there are teams in which nobody is",
        "\"min\": 3",
    );
    let mut old = crate::harness::ruleset(&json!({}));
    old.as_object_mut().expect("an object").remove("ir");
    let found_in = |value: &Value| match parlor_ruleset::compile(&value.to_string()) {
        Ok(compiled) => compiled.warnings,
        Err(findings) => findings,
    };
    assert!(found_in(&old).iter().any(|finding| finding.code == "version"), "{:#?}", found_in(&old));
    // A name that something else has too is no use of it.
    let both = json!({
        "enums": {"kind": ["big", "small"], "call": ["yes", "no"]}, "attributes": {}, "zones": {"deck": {"see": "none"}}, "events": {}, "actions": {}, "cards": {"kind": {}},
        "vars": {"deck": {"type": "int", "default": 4}, "n": {"type": "int", "default": 1}}, "procs": {"call": [{"set": {"var": "n", "to": {"count": "deck"}}}]},
        "setup": [{"create": {"card": "kind", "to": "deck"}}], "flow": [{"call": "call"}]
    });
    let unused: Vec<String> =
        found(&both).into_iter().filter(|f| f.code == "unused").map(|f| f.pointer).collect();
    assert_eq!(unused, ["/enums/call", "/enums/kind", "/vars/deck"], "{:#?}", found(&both));
}

#[test]
fn messages_say_what_to_write() {
    // cites 001-14
    let flow = |flow: Value| {
        let mut game = asking(&json!({"confirm": true, "who": {"seat": 0}}));
        game["flow"] = flow;
        game
    };
    let at = |code: Value, code_is: &str, pointer: &str, message: &str, help: &str| {
        told(&flow(json!([code])), code_is, pointer, message, help)
    };
    at(
        json!({"break": true}),
        "break",
        "/flow/0/break",
        "there is no loop around this",
        "loop, repeat, forEach or turns",
    );
    at(
        json!({"repeat": {"n": 2, "do": [{"batch": [{"break": true}]}]}}),
        "break",
        "/flow/0/repeat/do/0/batch/0/break",
        "no loop",
        "batch",
    );
    at(
        json!({"lose": "everyone"}),
        "unknown",
        "/flow/0/lose",
        "there is no name 'everyone'",
        "all, each, any, inTurn, active",
    );
    at(
        json!({"peek": {"what": "box", "to": "all", "until": "move"}}),
        "unknown",
        "/flow/0/peek/until",
        "there is no duration 'move'",
        "'moves'",
    );
    at(
        json!({"set": {"var": "n", "to": "3"}}),
        "unknown",
        "/flow/0/set/to",
        "there is no name '3'",
        "write 3 without quotes",
    );
    let all = json!([{"ask": {"id": "q", "who": "all", "mode": "all", "as": "bid", "number": {"min": 1, "max": 3}}}, {"set": {"var": "n", "to": "bid"}}]);
    told(
        &flow(all),
        "unknown",
        "/flow/1/set/to",
        "there is no name 'bid'",
        "{\"answer\": [\"bid\", \"active\"]}",
    );
    let hides = json!([{"let": {"as": "ox", "to": {"first": "box"}}}, {"if": [{"isCard": ["ox", "ox"]}, [{"turnUp": "ox"}]]}]);
    told(
        &flow(hides),
        "type",
        "/flow/1/if/0/isCard/1",
        "a value of card is expected here",
        "hides the ox that is meant",
    );
}

#[test]
fn a_comma_too_many_is_named_and_a_mark_before_the_file_is_nothing() {
    let wrong = |text: &str| parlor_ruleset::compile(text).expect_err("it is no JSON").remove(0);
    let list = wrong("{\"name\": \"A\",\n \"flow\": [1, 2, ]}");
    assert_eq!(
        (list.message.as_str(), list.place("{\"name\": \"A\",\n \"flow\": [1, 2, ]}")),
        ("there is a comma before ], and nothing after it", (2, 15))
    );
    assert_eq!(list.help.as_deref(), Some("leave the comma out"));
    assert_eq!(wrong("{\"name\": \"A\",\n}").message, "there is a comma before }, and nothing after it");
    let plain = crate::harness::ruleset(&json!({})).to_string();
    let hash = |text: &str| parlor_ruleset::compile(text).expect("it compiles").program.hash;
    assert_eq!(hash(&format!("\u{feff}{plain}")), hash(&plain));
}

#[test]
fn a_slip_of_the_finger_is_understood_and_another_word_is_not() {
    let suggest = |name: &str| parlor_ruleset::suggest(name, ["oxo", "hearts", "riichi"]);
    assert_eq!(suggest("Oxo"), Some("oxo"));
    assert_eq!(suggest("herats"), Some("hearts"));
    assert_eq!(suggest("richi"), Some("riichi"));
    assert_eq!(suggest("chess"), None);
    assert_eq!(suggest(&"x".repeat(65)), None);
    assert_eq!(parlor_ruleset::suggest("oxo", []), None);
}
