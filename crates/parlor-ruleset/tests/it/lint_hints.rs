//! Hints for authors who know the game and not yet the language: each mistake is told how it is written here.

use parlor_ruleset::{Finding, Level, compile};
use serde_json::{Value, json};

use crate::harness::ruleset;

pub(crate) fn found(extra: &Value) -> Vec<Finding> {
    match compile(&ruleset(extra).to_string()) {
        Ok(compiled) => compiled.warnings,
        Err(findings) => findings,
    }
}

#[test]
fn a_bare_name_of_something_declared_is_answered_with_how_it_is_written() {
    // cites 001-14
    let game = |code: Value| {
        json!({
            "vars": {"leader": {"owner": "game", "type": "seat"}, "score": {"owner": "player", "type": "int"}, "n": {"owner": "game", "type": "int"}},
            "config": {"goal": {"type": "int", "default": 3}},
            "enums": {"suit": ["red", "blue"]}, "attributes": {"suit": {"type": "enum:suit"}, "size": {"type": "int", "default": 1}},
            "rules": [{"id": "r", "on": {"event": "Hit"}, "do": code}],
            "flow": [{"emit": {"event": "Hit", "payload": {"target": {"first": "table"}, "n": 1}}}], "actions": {}
        })
    };
    let set = |value: Value| json!([{"set": {"var": "n", "to": value}}]);
    let reds = |value: &str| json!([{"set": {"var": "n", "to": {"count": {"zones": ["table"], "where": {"==": [value, {"attr": ["it", "suit"]}]}}}}}]);
    for (code, help) in [
        (json!([{"lose": "leader"}]), r#"it is a variable: {"var": "leader"}"#),
        (set(json!("score")), r#"it is a variable: {"var": ["you", "score"]}"#),
        (set(json!("goal")), r#"it is a knob: {"config": "goal"}"#),
        (reds("it.suit"), r#"it is an attribute: {"attr": ["it", "suit"]}"#),
        (set(json!("size")), r#"it is an attribute: {"attr": [card, "size"]}"#),
        (json!([{"turnDown": "target"}]), r#"it is a field of the event: {"ev": "target"}"#),
        (json!([{"extraTurn": "all"}]), "one seat is expected here: do it for each"),
        (json!([{"add": {"var": "score", "by": 1}}]), r#"say whose: ["you", "score"]"#),
    ] {
        let all = found(&game(code.clone()));
        let said: Vec<&str> = all.iter().filter_map(|finding| finding.help.as_deref()).collect();
        assert_eq!(all.len(), 1, "{code}: {all:#?}");
        assert!(said[0].starts_with(help), "{code}: {said:?}");
    }
}

#[test]
fn what_is_known_somewhere_is_listed_without_what_is_not_known_there() {
    let flow = json!({"flow": [{"repeat": {"n": 2, "do": [{"lose": "nobdy"}]}}], "actions": {}});
    let help = found(&flow)[0].help.clone();
    assert_eq!(
        help.as_deref(),
        Some("known here: all, each, any, inTurn, active"),
        "no `you`, and no name that is none"
    );
}

#[test]
fn a_mistake_is_told_once_and_not_again_by_what_it_makes_of_the_rest() {
    let pay = |var: Value| json!({"timing": "instant", "when": {">": [{"var": var}, 0]}, "costs": [{"pay": {"var": var, "amount": 1}}], "do": []});
    let game = |var: Value| json!({"vars": {"gold": {"owner": "player", "type": "int"}}, "actions": {"press": pay(var)}});
    let all: Vec<(String, String)> =
        found(&game(json!("gold"))).into_iter().map(|finding| (finding.pointer, finding.message)).collect();
    let owner = "each player has a variable gold".to_owned();
    let places = ["/actions/press/costs/0/pay/var", "/actions/press/when/>/0/var"];
    assert_eq!(all, places.map(|at| (at.to_owned(), owner.clone())), "and nothing is `always false`");
}

#[test]
fn a_type_that_is_missing_is_named_with_types() {
    let all = found(&json!({"vars": {"n": {"owner": "game"}, "log": {"owner": "game", "type": "int"}}}));
    assert_eq!((all[0].pointer.as_str(), all[0].message.as_str()), ("/vars/n", "`type` is missing"));
    assert!(all[0].help.as_deref().is_some_and(|help| help.contains("\"int\"")), "{all:#?}");
}

#[test]
fn a_selection_can_be_revealed_as_it_stands() {
    let select = json!({"zones": ["hand"], "of": "all", "where": {"isCard": ["it", "stone"]}});
    for what in [select.clone(), json!({"what": select, "to": "all"})] {
        let all = found(&json!({"flow": [{"reveal": what}], "actions": {}}));
        assert!(all.iter().all(|finding| finding.level == Level::Warning), "{what}: {all:#?}");
    }
}

#[test]
fn a_card_that_a_flow_lays_for_nobody_is_played_by_nobody() {
    let game = |moved: Value| {
        json!({
            "zones": {"table": {"owner": "player", "see": "all"}, "trick": {"owner": "game", "order": "ordered", "see": "all"}},
            "flow": [
                {"forEach": {"seats": "all", "as": "p", "do": [{"move": moved}]}},
                {"lose": {"playedBy": {"first": "trick"}}}
            ],
            "actions": {}
        })
    };
    let card = json!({"first": {"zones": ["table"], "of": "p"}});
    let warned = found(&game(json!({"what": card, "to": "trick"})));
    let hit = warned.iter().find(|finding| finding.code == "by").expect("it is noticed");
    assert_eq!((hit.level, hit.pointer.as_str()), (Level::Warning, "/flow/0/forEach/do/0/move"));
    assert_eq!(hit.help.as_deref(), Some("say who plays it: \"by\": seat"));
    let named = found(&game(json!({"what": card, "to": "trick", "by": "p"})));
    assert!(named.iter().all(|finding| finding.code != "by"), "{named:#?}");
    let own = found(&game(json!({"what": card, "to": {"zone": ["table", "p"]}})));
    assert!(own.iter().all(|finding| finding.code != "by"), "a zone of a player says it: {own:#?}");
}

/// An older word means what it meant, is told at its place, and is written anew.
#[test]
fn older_words_are_told_and_mended() {
    let flow = |deal: &str, owner: &str, first: &str| {
        let one = format!(r#"{{"{owner}": {{"{first}": {{"zones": ["table"], "of": "all"}}}}}}"#);
        let text = format!(
            r#"[{{"{deal}": {{"from": {{"zone": ["table", "active"]}}, "to": "hand"}}}}, {{"lose": {one}}}]"#
        );
        let mut whole = ruleset(&json!({"flow": [], "actions": {}}));
        whole["flow"] = serde_json::from_str(&text).expect("JSON");
        whole.to_string()
    };
    let (old, new) = (flow("dealOut", "ownerOf", "pick"), flow("deal", "owner", "first"));
    let told = compile(&old).expect("it is played as it was").warnings;
    let older: Vec<(&str, &str)> = told
        .iter()
        .filter(|finding| finding.code == "older")
        .map(|finding| (finding.pointer.as_str(), finding.message.as_str()))
        .collect();
    let expected = [
        ("/flow/0/dealOut", "`dealOut` is an older word for `deal`"),
        ("/flow/1/lose/ownerOf", "`ownerOf` is an older word for `owner`"),
        ("/flow/1/lose/ownerOf/pick", "`pick` is an older word for `first`"),
    ];
    assert_eq!(older, expected);
    assert_eq!(parlor_ruleset::mended(&old, &told).as_deref(), Some(new.as_str()));
    let quiet = compile(&new).expect("it is right").warnings;
    assert!(quiet.iter().all(|finding| finding.code != "older"), "{quiet:#?}");
    assert_eq!(parlor_ruleset::mended(&new, &quiet), None, "nothing is left to mend");
}
