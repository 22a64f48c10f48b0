//! Where no seat is meant: the flow, phases and the setup are nobody's, and whoever leaves a seat to be understood there
//! is told what is missing and how it is written.

use parlor_ruleset::{Finding, compile};
use serde_json::{Value, json};

use crate::harness::ruleset;

/// What is found in the small game with these sections.
fn found(extra: &Value) -> Vec<Finding> {
    match compile(&ruleset(extra).to_string()) {
        Ok(compiled) => compiled.warnings,
        Err(findings) => findings,
    }
}

/// The small game with this flow.
fn flow(code: Value) -> Value {
    json!({"flow": code, "actions": {}})
}

/// Everything that is refused, with its place, what is missing and the help.
fn refused(extra: &Value) -> Vec<(String, String, String)> {
    found(extra)
        .into_iter()
        .filter(|finding| finding.code == "nobody")
        .map(|finding| (finding.pointer, finding.message, finding.help.unwrap_or_default()))
        .collect()
}

const STONE: &str = "each player has a zone table, and no seat is meant here";

#[test]
fn a_zone_of_a_player_says_whose_where_nobody_acts() {
    // cites 001-14
    let stones = json!({"zones": ["table"], "of": "all"});
    let cases = [
        (json!([{"move": {"what": stones, "to": "table"}}]), "/flow/0/move/to"),
        (json!([{"move": {"what": stones, "to": {"zone": "table"}}}]), "/flow/0/move/to"),
        (json!([{"moveAll": {"from": stones, "to": ["table"]}}]), "/flow/0/moveAll/to"),
        (json!([{"create": {"card": "stone", "to": "table"}}]), "/flow/0/create/to"),
        (json!([{"shuffle": "table"}]), "/flow/0/shuffle"),
        (json!([{"deal": {"from": "table", "to": "hand"}}]), "/flow/0/deal/from"),
        (json!([{"step": {"id": "s", "do": [{"shuffle": "table"}]}}]), "/flow/0/step/do/0/shuffle"),
        (json!([{"turns": {"max": 2, "do": [{"shuffle": "table"}]}}]), "/flow/0/turns/do/0/shuffle"),
    ];
    for (code, pointer) in cases {
        let all = refused(&flow(code.clone()));
        assert_eq!(all.len(), 1, "{code}: {all:?}");
        let (at, message, help) = &all[0];
        assert_eq!((at.as_str(), message.as_str()), (pointer, STONE), "{code}");
        assert!(help.starts_with(r#"say whose: {"zone": ["table", "active"]}"#), "{code}: {help}");
    }
    let setup = json!({"setup": [{"create": {"card": "stone", "to": "table"}}]});
    assert_eq!(refused(&setup)[0].0, "/setup/0/create/to");
    let phase = json!({"turnStructure": {"phases": [{"id": "p", "steps": [{"id": "s", "do": [{"shuffle": "table"}]}]}]}});
    assert_eq!(refused(&phase)[0].0, "/turnStructure/phases/0/steps/0/do/0/shuffle");
}

#[test]
fn the_help_names_the_seat_that_is_known_there() {
    let each =
        |zone: Value| flow(json!([{"forEach": {"seats": "all", "as": "p", "do": [{"shuffle": zone}]}}]));
    let help = &refused(&each(json!("table")))[0].2;
    assert_eq!(help, r#"say whose: {"zone": ["table", "p"]}"#);
    // As it says, so it is taken.
    assert_eq!(refused(&each(json!({"zone": ["table", "p"]}))), []);
    assert_eq!(refused(&flow(json!([{"shuffle": {"zone": ["table", "active"]}}]))), []);
}

#[test]
fn an_action_a_trigger_and_a_rule_have_somebody_who_is_meant() {
    let code = json!([{"create": {"card": "stone", "to": "table"}}]);
    let cards = json!({"stone": {"triggers": [{"id": "t", "on": {"event": "Ping"}, "do": code}], "etb": code, "resolve": code}});
    for extra in [
        json!({"actions": {"press": {"timing": "instant", "do": code}}}),
        json!({"cards": cards}),
        json!({"rules": [{"id": "r", "on": {"event": "Ping"}, "do": code}]}),
        json!({"checks": [{"id": "c", "each": "table", "where": {">": [{"attr": ["it", "size"]}, 9]}, "do": code}]}),
        json!({"on": {"leave": code}}),
        json!({"procs": {"make": code}, "actions": {"press": {"timing": "instant", "do": [{"call": "make"}]}}}),
    ] {
        assert_eq!(refused(&extra), [], "{extra}");
    }
    // A procedure is where it is called.
    let called = json!({"procs": {"make": code}, "setup": [{"call": "make"}]});
    assert_eq!(refused(&called)[0].0, "/procs/make/0/create/to");
}

#[test]
fn words_for_a_seat_mean_nobody_in_a_flow() {
    // cites 001-14
    let ask = |who: Value| json!([{"ask": {"id": "q", "who": who, "confirm": true}}]);
    for (code, pointer, message) in [
        (json!([{"draw": {"seat": "you", "from": "table"}}]), "/flow/0/draw/seat", "nobody is `you` here"),
        (json!([{"extraTurn": "opponent"}]), "/flow/0/extraTurn", "nobody is `opponent` here"),
        (json!([{"lose": "opponents"}]), "/flow/0/lose", "nobody is `opponents` here"),
        (ask(json!("self")), "/flow/0/ask/who", "nobody is `self` here"),
        (
            json!([{"ask": {"id": "q", "confirm": true}}]),
            "/flow/0/ask",
            "`who` is missing, and no seat is meant here",
        ),
        (json!([{"peek": {"what": "table"}}]), "/flow/0/peek", "`to` is missing, and no seat is meant here"),
        (json!([{"turnDown": "self"}]), "/flow/0/turnDown", "no card is `self` here"),
    ] {
        let all = refused(&flow(code.clone()));
        let hit = all.iter().find(|(at, said, _)| (at.as_str(), said.as_str()) == (pointer, message));
        assert!(hit.is_some_and(|(_, _, help)| !help.is_empty()), "{code}: {all:?}");
    }
    assert_eq!(refused(&flow(ask(json!("active")))), []);
}

#[test]
fn what_is_worked_out_for_the_whole_table_is_nobodys_either() {
    let mine = json!({"count": {"zones": ["table"], "of": "you"}});
    for (extra, pointer) in [
        (json!({"invariants": [{"==": [mine, 0]}]}), "/invariants/0/==/0/count/of"),
        (json!({"end": {"rank": {"by": mine}}}), "/end/rank/by/count/of"),
        (
            json!({"attributes": {"size": {"type": "int", "value": mine}}, "cards": {"stone": {}}}),
            "/attributes/size/value/count/of",
        ),
    ] {
        assert_eq!(refused(&extra).iter().map(|(at, ..)| at.as_str()).collect::<Vec<_>>(), [pointer]);
    }
}

#[test]
fn a_rule_of_the_game_has_a_seat_and_no_card_of_its_own() {
    let rule = |what: &str| json!({"rules": [{"id": "r", "on": {"event": "Hit"}, "do": [{"turnDown": what}, {"lose": "you"}]}]});
    assert_eq!(refused(&rule("self"))[0].0, "/rules/0/do/0/turnDown");
    let named =
        json!({"rules": [{"id": "r", "on": {"event": "Hit"}, "do": [{"turnDown": {"ev": "target"}}]}]});
    assert_eq!(refused(&named), []);
}

#[test]
fn an_event_that_speaks_of_whoever_lets_it_happen_needs_somebody() {
    // cites 001-14
    let events = json!({
        "Gift": {"do": [{"create": {"card": "stone", "to": "table"}}]},
        "Feast": {"do": [{"emit": {"event": "Gift"}}]},
        "Toll": {"seat": "seat", "do": [{"create": {"card": "stone", "to": {"zone": ["table", {"ev": "seat"}]}}}]}
    });
    let emit = |event: &str| json!([{"emit": {"event": event, "payload": {}}}]);
    let with = |code: Value| json!({"events": events, "flow": code, "actions": {"press": {"timing": "instant", "do": emit("Gift")}}});
    for event in ["Gift", "Feast"] {
        let all = refused(&with(emit(event)));
        assert_eq!(all.len(), 1, "{all:?}");
        let (at, message, help) = &all[0];
        assert_eq!(at, "/flow/0/emit");
        assert_eq!(*message, format!("{event} speaks of `you`, and here nobody lets it happen"));
        assert!(help.contains("/events/Gift/do/0/create/to"), "{help}");
    }
    let push = json!([{"push": {"event": "Gift"}}]);
    assert_eq!(refused(&with(push))[0].0, "/flow/0/push");
    // By an action somebody lets it happen, and an event with a field for the seat needs nobody.
    assert_eq!(refused(&with(emit("Toll"))), []);
}

#[test]
fn one_deck_lies_in_one_zone() {
    let extra = |into: Value| {
        json!({
            "enums": {"suit": ["red", "blue"]}, "attributes": {"suit": {"type": "enum:suit"}}, "cards": {},
            "decks": {"std": {"product": ["suit"], "into": into}}, "flow": [{"shuffle": {"zone": ["table", "active"]}}], "actions": {}
        })
    };
    let all = refused(&extra(json!("table")));
    assert_eq!((all.len(), all[0].0.as_str()), (1, "/decks/std/into"), "{all:?}");
    assert!(all[0].2.contains("`deal`"), "{all:?}");
    assert_eq!(refused(&extra(json!({"zone": ["table", {"seat": 1}]}))), []);
}
