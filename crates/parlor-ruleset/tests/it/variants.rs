//! Variants: a ruleset that names another and says what is different.

use parlor_ruleset::{compile, compile_beside, merged};
use serde_json::{Value, json};

const BASE: &str = r#"{
  "id": "base", "name": "Base", "author": "test", "players": {"min": 2, "max": 2},
  "vars": {"n": {"owner": "game", "type": "int", "default": 1}, "gone": {"owner": "game", "type": "int", "default": 0}},
  "events": {"Ping": {"n": "int"}},
  "rules": [
    {"id": "one", "on": {"event": "Ping"}, "do": [{"add": {"var": "n", "by": 1}}]},
    {"id": "two", "on": {"event": "Ping"}, "do": [{"add": {"var": "n", "by": 10}}]}
  ],
  "flow": [{"emit": {"event": "Ping"}}],
  "tests": [{"name": "of the base alone"}]
}"#;

fn beside(name: &str) -> Option<String> {
    match name {
        "base.json" => Some(BASE.to_owned()),
        "wrong.json" => Some(BASE.replace("\"by\": 10", "\"by\": true")),
        "torn.json" => Some(BASE[..100].to_owned()),
        "round.json" => Some(json!({"id": "r", "extends": "round.json"}).to_string()),
        name => name.strip_prefix("chain").map(|n| {
            let n: u32 = n.parse().unwrap_or(0);
            json!({"id": format!("c{n}"), "extends": format!("chain{}", n + 1)}).to_string()
        }),
    }
}

fn variant(more: &Value) -> String {
    let mut variant = json!({"id": "mine", "name": "Mine", "extends": "base.json"});
    for (name, value) in more.as_object().expect("an object") {
        variant[name] = value.clone();
    }
    variant.to_string()
}

#[test]
fn a_variant_is_its_base_with_what_it_says_laid_over_it() {
    // cites 001-1
    let text = variant(&json!({
        "vars": {"n": {"default": 5}, "gone": null, "more": {"owner": "game", "type": "int", "default": 2}},
        "rules": {"two": null, "one": {"do": [{"add": {"var": "n", "by": 100}}]}}
    }));
    let compiled = compile_beside(&text, &beside).unwrap_or_else(|found| panic!("{found:#?}"));
    let p = &compiled.program;
    assert_eq!((p.id.as_str(), p.name.as_str()), ("mine", "Mine"));
    let names: Vec<&str> = p.vars.iter().map(|var| var.name.as_str()).collect();
    assert_eq!(names, ["n", "more"], "what is null is gone, what is new comes last");
    let rules: Vec<&str> = p.triggers.iter().map(|trigger| trigger.id.as_str()).collect();
    assert_eq!(rules, ["one"], "a list is met by ids");
    let whole = merged(&text, &beside).expect("it can be merged");
    let json: Value = serde_json::from_str(&whole).expect("it is JSON");
    assert_eq!(
        json["vars"]["n"],
        json!({"owner": "game", "type": "int", "default": 5}),
        "fields are met by name"
    );
    assert_eq!(json["rules"][0]["do"], json!([{"add": {"var": "n", "by": 100}}]), "code is taken whole");
    assert!(json.get("extends").is_none() && json.get("tests").is_none());
    assert_eq!(
        compile(&whole).expect("it compiles").program.hash,
        p.hash,
        "the merged content is the identity"
    );
}

#[test]
fn a_shipped_ruleset_is_extended_by_its_id() {
    let quick = json!({
        "id": "quick", "name": "Quick skirmish", "extends": "skirmish",
        "config": {"life": {"default": 5}, "deck": {"default": ["bear", "giant"]}},
        "cards": {"giant": {"type": "creature", "cost": 1, "power": 9, "toughness": 9},
                  "scholar": {"cost": 1, "triggers": {"study": null}}}
    });
    let p = compile(&quick.to_string()).unwrap_or_else(|found| panic!("{found:#?}")).program;
    let card = |name: &str| p.cards.iter().find(|card| card.name == name).expect("it is there");
    assert!(card("scholar").abilities.triggers.is_empty(), "an ability can be taken away");
    assert_eq!(card("giant").title, "giant");
    assert_eq!(p.config[0].default, [5]);
    let base = compile(parlor_ruleset::shipped::text("skirmish").expect("shipped")).expect("it compiles");
    assert_ne!(base.program.hash, p.hash);
}

#[test]
fn a_mistake_is_named_in_the_file_in_which_it_stands() {
    // cites 001-14
    let text = json!({"id": "mine", "name": "Mine", "extends": "wrong.json"}).to_string();
    let found = compile_beside(&text, &beside).expect_err("the base is wrong");
    let said = found[0].text("mine.json", &text);
    assert!(said.starts_with("wrong.json:7:"), "{said}");
    assert!(said.contains("/rules/1/do/0/add/by"), "{said}");
    let text = variant(&json!({"rules": {"one": {"do": [{"add": {"var": "n", "by": false}}]}}}));
    let found = compile_beside(&text, &beside).expect_err("the variant is wrong");
    assert!(found[0].text("mine.json", &text).starts_with("mine.json:1:"), "{found:?}");
    let text = json!({"id": "mine", "name": "Mine", "extends": "torn.json"}).to_string();
    let found = compile_beside(&text, &beside).expect_err("the base is torn");
    assert!(found[0].text("mine.json", &text).starts_with("torn.json:"), "{found:?}");
}

#[test]
fn a_base_that_cannot_be_had_is_refused() {
    let cases = [
        (
            json!({"id": "m", "name": "M", "extends": "nowhere.json"}),
            "there is no ruleset 'nowhere.json' to extend",
        ),
        (json!({"id": "m", "name": "M", "extends": "round.json"}), "round.json is a variant of itself"),
        (json!({"id": "m", "name": "M", "extends": "chain1"}), "extends_max, 4"),
        (json!({"id": "m", "name": "M", "extends": 3}), "the name of a ruleset is expected here"),
        (json!({"name": "M", "extends": "base.json"}), "a variant has an id of its own"),
        (json!({"id": "base", "name": "M", "extends": "base.json"}), "a variant has an id of its own"),
        (
            json!({"id": "m", "extends": "base.json", "vars": {"nil": null}}),
            "there is no nil that could be taken away",
        ),
    ];
    for (ruleset, message) in cases {
        let found = compile_beside(&ruleset.to_string(), &beside).expect_err("it is refused");
        assert!(found.iter().any(|finding| finding.message.contains(message)), "{ruleset}: {found:#?}");
        assert!(found.iter().all(|finding| finding.help.is_some()), "{found:#?}");
    }
}
