//! The JSON Schema: it describes what the compiler knows, takes the rulesets that are shipped, and nothing else.

use parlor_ruleset::internals::{operations, reference};
use parlor_ruleset::{compile, schema, schema_for, shipped};
use serde_json::{Value, json};

/// Checks a value against a schema: the part of JSON Schema 2020-12 that ours is written in. Gives the places that do
/// not fit.
fn faults(root: &Value, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    let Value::Object(rules) = schema else {
        if *schema == Value::Bool(false) {
            out.push(at.to_owned());
        }
        return;
    };
    for (rule, with) in rules {
        let wrong = match rule.as_str() {
            "$ref" => {
                let name =
                    with.as_str().and_then(|r| r.strip_prefix("#/")).expect("a reference in this file");
                let found =
                    root.pointer(&format!("/{name}")).unwrap_or_else(|| panic!("{with} is not there"));
                faults(root, found, value, at, out);
                false
            }
            "anyOf" => !with.as_array().expect("a list").iter().any(|one| fits(root, one, value)),
            "const" => value != with,
            "enum" => !with.as_array().expect("a list").contains(value),
            "type" => {
                let is = |name: &Value| match name.as_str().expect("a type") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "integer" => value.is_i64(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("no type {other}"),
                };
                !with.as_array().map_or_else(|| is(with), |all| all.iter().any(is))
            }
            "required" => {
                value.is_object()
                    && with
                        .as_array()
                        .expect("a list")
                        .iter()
                        .any(|name| value.get(name.as_str().expect("a name")).is_none())
            }
            "minProperties" => {
                value.as_object().is_some_and(|map| (map.len() as u64) < with.as_u64().expect("a number"))
            }
            "minItems" => {
                value.as_array().is_some_and(|list| (list.len() as u64) < with.as_u64().expect("a number"))
            }
            "prefixItems" | "items" => {
                let first = rules.get("prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
                for (n, item) in value.as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
                    let place = format!("{at}/{n}");
                    match (rule.as_str(), first.get(n)) {
                        ("prefixItems", Some(one)) => faults(root, one, item, &place, out),
                        ("items", None) => faults(root, with, item, &place, out),
                        _ => {}
                    }
                }
                false
            }
            "properties" | "additionalProperties" => {
                let known = rules.get("properties");
                for (name, inner) in value.as_object().into_iter().flatten() {
                    let place = format!("{at}/{name}");
                    match (rule.as_str(), known.and_then(|known| known.get(name))) {
                        ("properties", Some(one)) => faults(root, one, inner, &place, out),
                        ("additionalProperties", None) if !name.starts_with("//") => {
                            faults(root, with, inner, &place, out)
                        }
                        _ => {}
                    }
                }
                false
            }
            "patternProperties" | "description" | "title" | "$schema" | "$defs" => false,
            other => panic!("the schema uses {other}, which this test does not know"),
        };
        if wrong {
            out.push(format!("{at}: {rule}"));
        }
    }
}

fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut out = Vec::new();
    faults(root, schema, value, "", &mut out);
    out.is_empty()
}

fn whole(schema: &Value, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    faults(schema, schema, value, "", &mut out);
    out
}

#[test]
fn every_statement_and_expression_is_described_with_its_operands() {
    for mut names in operations() {
        let rows = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rows, "each operation has one row");
    }
    let schema = schema();
    for def in ["statement", "expression"] {
        let def = &schema["$defs"][def];
        let ops = def.get("properties").unwrap_or_else(|| &def["anyOf"][1]["properties"]);
        for (name, op) in ops.as_object().expect("operations") {
            assert!(
                op.as_bool() == Some(true) || op["description"].is_string(),
                "{name} has a word for editors"
            );
        }
    }
}

/// Operands are read as the row says: whatever stands there, it is compiled or refused.
#[test]
fn every_operation_reads_what_its_row_says() {
    let schema = schema();
    let [statements, expressions] = operations();
    let fields = |def: &Value, name: &str| -> Value {
        let row = def.get("properties").unwrap_or_else(|| &def["anyOf"][1]["properties"])[name].clone();
        let object = [&row].into_iter().chain(row["anyOf"].as_array().into_iter().flatten());
        let named = object.filter_map(|one| one["properties"].as_object()).flatten();
        named.map(|(field, _)| (field.clone(), json!(0))).collect()
    };
    let compiles = |statement: &Value| {
        let mut whole = crate::harness::ruleset(&json!({}));
        whole["actions"]["press"]["do"] = json!([statement]);
        compile(&whole.to_string()).is_ok()
    };
    let operands = [
        json!({}),
        json!(null),
        json!(true),
        json!(1),
        json!("x"),
        json!([1]),
        json!([1, 2]),
        json!([1, 2, 3]),
    ];
    let mut good = 0;
    for name in statements {
        let all = operands.iter().cloned().chain([fields(&schema["$defs"]["statement"], name)]);
        good += all.filter(|operands| compiles(&json!({name: operands}))).count();
    }
    for name in expressions {
        let all = operands.iter().cloned().chain([fields(&schema["$defs"]["expression"], name)]);
        let set = |value: &Value| json!({"set": {"var": "n", "to": {name: value}}});
        good += all.filter(|operands| compiles(&set(operands))).count();
    }
    assert!(good > 50, "some of it is right: {good}");
}

#[test]
fn the_shipped_rulesets_fit_with_and_without_their_own_names() {
    for name in shipped::names() {
        let text = shipped::text(name).expect("it is shipped");
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(whole(&schema(), &value), Vec::<String>::new(), "{name}");
        assert_eq!(whole(&schema_for(text), &value), Vec::<String>::new(), "{name} with its names");
    }
}

#[test]
fn what_the_compiler_refuses_for_its_shape_the_schema_refuses_too() {
    let good =
        crate::harness::ruleset(&json!({"procs": {"p": []}, "counters": {"c": {}}, "keywords": {"k": {}}}));
    assert_eq!(whole(&schema(), &good), Vec::<String>::new());
    let act = |statement: Value| ("/actions/press/do".to_owned(), json!([statement]));
    let value = |expression: Value| act(json!({"set": {"var": "n", "to": expression}}));
    let cases: Vec<(String, Value)> = vec![
        ("/colour".to_owned(), json!(1)),
        ("/ir".to_owned(), json!("other/2")),
        ("/name".to_owned(), json!(7)),
        ("/zones/table/owner".to_owned(), json!("nobody")),
        ("/zones/table/colour".to_owned(), json!("red")),
        ("/turnStructure/phases".to_owned(), json!({})),
        ("/turnStructure/phases/0/steps".to_owned(), json!([{"name": "no id"}])),
        ("/triggerOrder".to_owned(), json!("sometimes")),
        ("/actions/press/timing".to_owned(), json!("later")),
        ("/actions/press/targets".to_owned(), json!([{"id": "t", "form": "table"}])),
        ("/cards/stone/triggers".to_owned(), json!([{"id": "t", "on": {"evnt": "Ping"}, "do": []}])),
        ("/cards/stone/statics".to_owned(), json!([{"affects": "table"}])),
        act(json!({"emti": {"event": "Ping"}})),
        act(json!({"set": {"var": "n"}})),
        act(json!({"set": {"var": "n", "two": 1, "to": 1}})),
        act(json!({"loop": {"do": []}})),
        act(json!({"forEach": {"seats": "all", "as": 7, "do": []}})),
        act(json!({"if": [true]})),
        act(json!({"move": {"what": "table"}})),
        act(json!({"move": {"what": "table", "to": "hand", "at": "middle"}})),
        act(json!({"ask": {"id": "a", "mode": "some", "confirm": true}})),
        act(json!({"roll": {"sides": 6}})),
        act(json!({"let": {"to": 3}})),
        act(json!("shuffle")),
        value(json!({"==": [1]})),
        value(json!({"plus": [1, 2]})),
        value(json!({"if": [true, 1]})),
        value(json!({"+": 1})),
        value(json!({"attr": "size"})),
        value(json!({"sum": {"of": 1}})),
        value(json!({"count": {"zones": ["table"], "wher": true}})),
        value(json!({"happened": {"event": "Ping", "scope": "week"}})),
        value(json!([1])),
    ];
    for (pointer, with) in cases {
        let mut bad = good.clone();
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        bad.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}"))[key] = with.clone();
        assert!(!whole(&schema(), &bad).is_empty(), "{pointer} {with}: the schema takes it");
        assert!(compile(&bad.to_string()).is_err(), "{pointer} {with}: the compiler takes it");
    }
}

#[test]
fn names_that_a_ruleset_declares_are_offered_and_others_refused() {
    let ruleset = crate::harness::ruleset(&json!({}));
    let named = schema_for(&ruleset.to_string());
    assert_eq!(named["$defs"]["zoneName"]["enum"], json!(["hand", "table"]));
    assert_eq!(named["$defs"]["varName"]["enum"], json!(["log", "n"]));
    assert_eq!(named["$defs"]["attributeName"]["enum"], json!(["size"]));
    for wrong in [
        json!([{"shuffle": "dekc"}]),
        json!([{"set": {"var": "m", "to": 1}}]),
        json!([{"setAttr": {"of": "table", "attr": "weight", "to": 1}}]),
    ] {
        let mut bad = ruleset.clone();
        bad["actions"]["press"]["do"] = wrong.clone();
        assert!(whole(&schema(), &bad).is_empty(), "{wrong}: names are open where nobody declared them");
        assert!(!whole(&named, &bad).is_empty(), "{wrong}");
    }
    assert_eq!(schema_for("{"), schema(), "of a file that cannot be read");
}

#[test]
fn a_statement_without_what_it_needs_is_refused_and_says_what_it_has() {
    // cites 001-14
    let schema = schema();
    let statements = schema["$defs"]["statement"]["properties"].as_object().expect("statements");
    let mut looked = 0;
    for (op, shape) in statements {
        let of = shape["$ref"].as_str().and_then(|r| schema.pointer(r.trim_start_matches('#')));
        let Some(required) = of.unwrap_or(shape).get("required").and_then(Value::as_array) else { continue };
        let small = crate::harness::ruleset(&json!({"flow": [{op: {}}], "actions": {}}));
        let found = compile(&small.to_string()).expect_err("it says nothing of what it does");
        assert!(found.iter().any(|f| f.pointer == format!("/flow/0/{op}")), "{op}: {found:#?}");
        // Whatever is missing, the help names all that must be there.
        if let Some(missing) = found.iter().find(|f| f.message.ends_with("is missing")) {
            let help = missing.help.as_deref().unwrap_or("");
            assert!(help.starts_with(&format!("{op} has ")), "{op}: {missing:#?}");
            for field in required.iter().filter_map(Value::as_str) {
                assert!(help.contains(field), "{op}: no {field} in {help}");
            }
            looked += 1;
        }
    }
    assert!(looked > 20, "{looked}");
}

#[test]
fn the_reference_lists_every_statement_and_expression_with_its_operands() {
    const MARK: &str = "<!-- The rest is made from the tables of the schema: PARLOR_BLESS=1 cargo test -p parlor-ruleset -->\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ruleset-reference.md");
    let page = std::fs::read_to_string(path).expect("the reference is there");
    let (by_hand, made) = page.split_once(MARK).expect("the mark is there");
    if std::env::var_os("PARLOR_BLESS").is_some() {
        std::fs::write(path, format!("{by_hand}{MARK}{}", reference())).expect("it can be written");
        return;
    }
    assert!(made == reference(), "PARLOR_BLESS=1 cargo test -p parlor-ruleset writes it anew");
}
