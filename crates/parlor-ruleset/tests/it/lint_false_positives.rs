//! What is right is not warned about.

use parlor_ruleset::{Level, compile, scenario};
use serde_json::{Value, json};

use crate::harness::{holds, ruleset};
use crate::lint_hints::found;

fn codes(extra: &Value) -> Vec<(&'static str, String)> {
    found(extra).into_iter().map(|finding| (finding.code, finding.pointer)).collect()
}

/// Kinds of cards, and code that looks at them.
fn kinds(flow: Value) -> Value {
    json!({
        "enums": {"kind": ["big", "small", "odd"]}, "attributes": {"kind": {"type": "enum:kind"}, "size": {"type": "int", "default": 1, "kept": false}},
        "cards": {"ox": {"kind": "big", "size": 3}, "ant": {"kind": "small"}},
        "zones": {"box": {"see": "all"}}, "vars": {"n": {"type": "int", "default": 0}}, "events": {}, "actions": {},
        "setup": [{"create": {"cards": ["ox", "ant"], "to": "box"}}],
        "flow": flow
    })
}

#[test]
fn what_is_looked_at_further_out_may_be_anything() {
    let box_has =
        |of: Value| json!({"exists": {"zones": ["box"], "where": {"==": [{"attr": ["it", "kind"]}, of]}}});
    // The `k` of the outer selection is no card: what is printed on cards says nothing about it.
    let by_name = json!([{"set": {"var": "n", "to": {"count": {"enum": "kind", "as": "k", "where": box_has(json!("k"))}}}}]);
    // The same with a card further out, by its attribute.
    let by_card = json!([{"set": {"var": "n", "to": {"count": {"zones": ["box"], "as": "c", "where":
        {"exists": {"zones": ["box"], "where": {"and": [{"==": [{"attr": ["c", "size"]}, 1]}, {"<": [1, {"attr": ["it", "size"]}]}]}}}}}}}]);
    let by_local = json!([{"forEach": {"in": {"enum": "kind"}, "as": "k", "do": [{"if": [box_has(json!("k")), [{"add": {"var": "n", "by": 1}}]]}]}}]);
    for (flow, n) in [(by_name, 2), (by_card, 1), (by_local, 2)] {
        let extra = kinds(flow);
        let never: Vec<_> = codes(&extra).into_iter().filter(|(code, _)| *code == "never").collect();
        assert!(never.is_empty(), "{extra}: {never:?}");
        // It does match, so a warning would be a lie.
        holds(extra, json!({"then": {"vars": {"n": n}}}));
    }
    // What no card has is still said.
    let odd = kinds(
        json!([{"set": {"var": "n", "to": {"count": {"zones": ["box"], "where": {"==": [{"attr": ["it", "kind"]}, "odd"]}}}}}]),
    );
    assert!(codes(&odd).iter().any(|(code, _)| *code == "never"), "{:?}", codes(&odd));
}

/// A trick of cards, and a place for cards that nobody plays.
fn trick(flow: Value) -> Value {
    json!({
        "zones": {"trick": {"order": "ordered", "see": "all"}, "aside": {"order": "ordered", "see": "all"}, "box": {"see": "all"}},
        "vars": {"who": {"type": "seat"}}, "events": {}, "actions": {}, "attributes": {}, "cards": {"stone": {}, "leaf": {}},
        "setup": [{"create": {"cards": ["stone", "leaf"], "to": "box"}}],
        "flow": flow
    })
}

#[test]
fn who_played_a_card_matters_where_it_is_asked() {
    let lay = |to: &str| json!({"move": {"what": {"first": "box"}, "to": to}});
    let by = |extra: &Value| -> Vec<String> {
        codes(extra).into_iter().filter(|(code, _)| *code == "by").map(|(_, pointer)| pointer).collect()
    };
    for ask in [
        json!([{"set": {"var": "who", "to": {"playedBy": {"first": "trick"}}}}]),
        json!([{"set": {"var": "who", "to": {"first": {"seats": "all", "where": {"exists": {"zones": ["trick"], "as": "c", "where": {"==": [{"playedBy": "it"}, {"seat": 0}]}}}}}}}]),
        json!([{"let": {"as": "best", "to": {"last": "trick"}}}, {"set": {"var": "who", "to": {"playedBy": "best"}}}]),
        json!([{"forEach": {"in": "trick", "as": "c", "do": [{"set": {"var": "who", "to": {"playedBy": "c"}}}]}}]),
    ] {
        let flow = |first: Value| {
            let mut all = vec![first, lay("aside")];
            all.extend(ask.as_array().expect("a list").clone());
            trick(Value::Array(all))
        };
        assert_eq!(by(&flow(lay("trick"))), ["/flow/0/move"], "{ask}");
        let said = json!({"move": {"what": {"first": "box"}, "to": "trick", "by": {"seat": 0}}});
        assert_eq!(by(&flow(said)), [""; 0], "{ask}");
    }
    // Where nobody can say which card it is, it may lie anywhere.
    let picked = json!([{"ask": {"id": "a", "who": {"seat": 0}, "as": "c", "pick": {"from": "box"}}},
        {"move": {"what": "c", "to": "aside"}}, {"set": {"var": "who", "to": {"playedBy": "c"}}}]);
    assert_eq!(by(&trick(picked)), ["/flow/1/move"]);
}

#[test]
fn comments_stand_wherever_a_field_may_stand() {
    let extra = json!({
        "enums": {"kind": ["big", "small"]}, "config": {"goal": {"type": "int", "default": 3}}, "constants": {"two": 2},
        "attributes": {"kind": {"type": "enum:kind"}, "size": {"type": "int", "default": 1, "layer": "stat"}},
        "counters": {"pips": {"modifies": {"size": 1}}}, "keywords": {"wild": {}},
        "resources": {"gold": {"owner": "player"}},
        "cards": {"ox": {"kind": "big"}}, "procs": {"work": [{"add": {"var": "n", "by": "two"}}]},
        "decks": {"all": {"product": ["kind"], "into": "box"}},
        "zones": {"box": {"see": "all"}, "hand": {"owner": "player", "see": "owner"}},
        "setup": [{"call": "work"}, {"create": {"card": "ox", "to": "box"}}],
        "actions": {"press": {"timing": "instant", "targets": [{"id": "c", "from": "box"}], "do": [
            {"emit": {"event": "Ping", "payload": {"n": 1}}}, {"modifyEvent": {}}]}},
        "words": {"ja": {"Small": "小"}},
        "tests": [{"given": {"vars": {"log": 1}}, "then": {"vars": {"n": 2}}}]
    });
    fn commented(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(commented).collect(),
            Value::Object(fields) => {
                let said = fields.iter().map(|(name, value)| (name.clone(), commented(value)));
                said.chain([
                    ("// why".to_owned(), json!("because")),
                    ("//2".to_owned(), json!(["any", {"thing": 1}])),
                ])
                .collect()
            }
            other => other.clone(),
        }
    }
    let mut plain = ruleset(&extra);
    plain["actions"]["press"]["do"].as_array_mut().expect("a list").pop();
    let (with, without) = (commented(&plain), plain);
    let findings = |value: &Value| match compile(&value.to_string()) {
        Ok(compiled) => compiled.warnings,
        Err(findings) => findings,
    };
    let said = |value: &Value| -> Vec<_> {
        findings(value).into_iter().map(|finding| (finding.code, finding.pointer, finding.message)).collect()
    };
    assert_eq!(said(&with), said(&without));
    assert!(!findings(&with).iter().any(|finding| finding.level == Level::Error), "{:?}", said(&with));
    // The deck that is a product still lies where it says, after the kinds that are declared one by one.
    let program = compile(&with.to_string()).expect("it compiles").program;
    let test = commented(
        &json!({"given": {"vars": {"log": 1}}, "script": [], "then": {"vars": {"n": 2, "log": 1}, "zones": {"box": ["big", "small", "ox"]}}}),
    );
    scenario::run(&std::sync::Arc::new(program), &test).unwrap_or_else(|why| panic!("{why}"));
}
