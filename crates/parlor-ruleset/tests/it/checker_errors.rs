//! What the checker refuses, one mistake at a time: each would quietly mean something else.

use parlor_ruleset::compile;
use serde_json::{Value, json};

use crate::harness::ruleset;

/// The codes and messages of what is wrong with the small game with these sections.
fn errors(extra: &Value) -> Vec<(&'static str, String)> {
    let found =
        compile(&ruleset(extra).to_string()).map_or_else(|findings| findings, |compiled| compiled.warnings);
    found.into_iter().map(|finding| (finding.code, finding.message)).collect()
}

fn press(code: Value) -> Value {
    json!({"actions": {"press": {"timing": "instant", "do": [code]}}})
}

#[test]
fn each_mistake_is_named() {
    // cites 001-14
    let stones = json!({"zones": ["table"], "of": "you"});
    let grow = json!({"statics": [{"affects": {"zones": ["table"]}, "modify": {"rank": 1}}]});
    let rank = json!({"size": {"type": "int", "default": 1, "layer": "stat"}, "rank": {"type": "int"}});
    let ask = |more: Value| {
        let mut ask = json!({"id": "q", "who": "you"});
        more.as_object().expect("an object").iter().for_each(|(name, value)| ask[name] = value.clone());
        press(json!({"ask": ask}))
    };
    let cases = [
        (
            json!({"actions": {"press": {"targets": [{"id": "x", "from": {"range": [1, 3]}}], "do": []}}}),
            "type",
            "a target is a thing",
        ),
        (
            ask(json!({"confirm": true, "closes": "deadline"})),
            "deadline",
            "it closes at its deadline and has none",
        ),
        (ask(json!({"slots": {"n": 65, "from": stones}})), "shape", "1 to 64"),
        (json!({"attributes": rank, "cards": {"stone": grow}}), "layer", "rank has no layer"),
        (press(json!({"apply": {"to": stones, "modify": {"rank": 1}}})), "unknown", "no attribute 'rank'"),
        (json!({"events": {"ZoneMoved": {}}}), "twice", "ZoneMoved is an event of the engine"),
        (
            press(json!({"setAttr": {"of": stones, "attr": "size", "to": {"attr": ["you", "size"]}}})),
            "type",
            "an entity is expected here, and this is a seat",
        ),
        (
            press(json!({"set": {"var": "n", "to": {"if": [{"stackEmpty": true}, 1, true]}}})),
            "type",
            "a number is expected here, and this is true or false",
        ),
        (
            press(
                json!({"set": {"var": "n", "to": {"count": {"zones": ["table"], "where": {"exists": {"zones": ["table"], "random": 1}}}}}}),
            ),
            "luck",
            "nothing can be drawn here",
        ),
        (press(json!({"set": {"var": "n", "to": {"teamOf": "you"}}})), "teams", "there are no teams"),
        (
            json!({"config": {"k": {"type": "int", "default": 9, "max": 5}}}),
            "bounds",
            "the default is not between min and max",
        ),
        (
            json!({"config": {"k": {"type": "list:card", "size": {"min": 5, "max": 2}}}}),
            "bounds",
            "min is more than max",
        ),
        (
            press(
                json!({"set": {"var": "n", "to": {"table": [[{"var": "n"}, {"var": "log"}], {"1": 2}, 0]}}}),
            ),
            "shape",
            "this row has 1 keys, not 2",
        ),
        (
            json!({"procs": {"a": [{"call": "b"}], "b": [{"call": "a"}]}, "flow": [{"call": "a"}], "actions": {}}),
            "recursion",
            "a calls itself",
        ),
        (json!({"resources": {"n": {"owner": "player"}}}), "twice", "the variable n is there twice"),
        (
            json!({"replaces": [{"id": "r", "event": "Ping", "do": [], "instead": []}]}),
            "shape",
            "either `do` or `instead`",
        ),
        (json!({"replaces": [{"id": "r", "event": "Ping"}]}), "shape", "either `do` or `instead`"),
        (json!({"words": {"j": {"Press": "x"}}}), "words", "'j' is no language"),
        (json!({"words": {"a-language-of-its-own": {"Press": "x"}}}), "words", "is no language"),
        (
            json!({"turnStructure": {"phases": [{"id": "a", "steps": [{"id": "s"}]}, {"id": "b", "steps": [{"id": "s"}]}]}}),
            "twice",
            "Duplicate step IDs found: s",
        ),
        (
            json!({"attributes": rank, "actions": {"press": {"do": [{"setAttr": {"of": stones, "attr": "rank", "to": 1}}]}}}),
            "kept",
            "this attribute is not kept",
        ),
        (press(json!({"grant": {"to": stones}})), "shape", "`keyword` is missing"),
        (
            press(json!({"emit": {"event": "Ping", "payload": {"m": 1}}})),
            "unknown",
            "no field of this event 'm'",
        ),
        (press(json!({"let": {"as": "x", "to": 1}})), "", ""),
    ];
    for (extra, code, message) in cases.iter().filter(|(_, code, _)| !code.is_empty()) {
        let all = errors(extra);
        let told = all.iter().any(|(other, said)| other == code && said.contains(message));
        assert!(told, "{extra}\nis not told {code}: {message}\nbut {all:#?}");
    }
}

#[test]
fn what_is_right_is_not_refused() {
    // cites 001-14
    // `let` with another type is another name, and inner names do not outlive their block.
    let again = json!([{"let": {"as": "x", "to": 1}}, {"let": {"as": "x", "to": "you"}}, {"set": {"var": "n", "to": {"seatNo": "x"}}}]);
    let bounds = json!({"vars": {"n": {"type": "int", "default": 3, "min": 2, "max": 5}, "log": {"type": "int"}, "own": {"owner": "player", "type": "int", "min": 2, "max": 5, "default": 3}}});
    let mut nobody = bounds.clone();
    // The variable of nobody is 0, so this is no condition with one value only.
    nobody["actions"] = json!({"press": {"do": [{"if": [{">=": [{"var": [{"controller": {"first": "hand"}}, "own"]}, 2]}, [{"set": {"var": "n", "to": 2}}]]}]}});
    let apart = json!({"if": [{"<=": [{"-": [{"var": "n"}, 1]}, {"-": [{"var": "n"}, 2]}]}, [{"set": {"var": "n", "to": 2}}]]});
    let fewer = json!({"if": [{"==": [{"seats": true}, 3]}, [{"set": {"var": "n", "to": 2}}]]});
    let same = json!({"if": [{"<=": [{"var": "n"}, {"var": "n"}]}, [{"set": {"var": "n", "to": 2}}]]});
    let with = |code: Value| {
        errors(&press(code)).into_iter().filter(|(code, _)| *code == "always").collect::<Vec<_>>()
    };
    assert_eq!(
        errors(&json!({"actions": {"press": {"do": again}}}))
            .iter()
            .filter(|(code, _)| *code == "type")
            .count(),
        0
    );
    assert_eq!(errors(&nobody).iter().filter(|(code, _)| *code == "always").count(), 0);
    assert_eq!(with(apart), []);
    assert_eq!(with(fewer), []);
    assert_eq!(with(same), [("always", "this is always true".to_owned())]);
}
