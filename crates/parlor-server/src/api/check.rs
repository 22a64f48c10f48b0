//! Checks a value against a schema: the few keywords of JSON Schema that our tables use.

use parlor_core::Json;

/// The first violation, in a sentence; `None` if the value is valid.
pub(crate) fn fault(schema: &Json, value: &Json, at: &str) -> Option<String> {
    let kinds: Vec<&str> = match &schema["type"] {
        Json::String(kind) => vec![kind],
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is(kind, value)) {
        return Some(format!("{at} must be {}", kinds.join(" or ")));
    }
    if let Some(all) = schema["enum"].as_array().filter(|all| !all.contains(value)) {
        let all: Vec<String> = all.iter().map(|one| one.to_string().replace('"', "")).collect();
        return Some(format!("{at} is one of {}", all.join(", ")));
    }
    let bounds = [("minimum", true), ("maximum", false)];
    for (word, least) in bounds {
        if let (Some(bound), Some(got)) = (schema[word].as_i64(), number(value))
            && ((least && got < i128::from(bound)) || (!least && got > i128::from(bound)))
        {
            return Some(format!("{at} is at {} {bound}", if least { "least" } else { "most" }));
        }
    }
    if let Some(text) = value.as_str() {
        let chars = text.chars().count() as u64;
        if schema["minLength"].as_u64().is_some_and(|least| chars < least)
            || schema["maxLength"].as_u64().is_some_and(|most| chars > most)
        {
            return Some(format!("{at} has another length than it may"));
        }
    }
    let members = value.as_object()?;
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        if !members.contains_key(name) {
            return Some(format!("{name} is missing"));
        }
    }
    let known = schema["properties"].as_object()?;
    known.iter().find_map(|(name, schema)| fault(schema, members.get(name)?, name))
}

fn number(value: &Json) -> Option<i128> {
    value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from))
}

fn is(kind: &str, value: &Json) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::fault;

    #[test]
    fn a_value_is_what_its_schema_says_or_it_is_said_what_is_wrong() {
        let schema = json!({"type": "object", "required": ["game"], "properties": {
            "game": {"type": "string", "minLength": 1, "maxLength": 5},
            "bots": {"type": ["integer", "null"], "minimum": 0, "maximum": 9},
            "lang": {"enum": ["en", "ja"]},
        }});
        for good in [json!({"game": "oxo"}), json!({"game": "oxo", "bots": null, "lang": "ja", "other": 7})] {
            assert_eq!(fault(&schema, &good, "the body"), None, "{good}");
        }
        for (bad, why) in [
            (json!([]), "the body must be object"),
            (json!({}), "game is missing"),
            (json!({"game": 7}), "game must be string"),
            (json!({"game": ""}), "game has another length than it may"),
            (json!({"game": "oxo", "bots": 10}), "bots is at most 9"),
            (json!({"game": "oxo", "bots": -1}), "bots is at least 0"),
            (json!({"game": "oxo", "bots": 0.5}), "bots must be integer or null"),
            (json!({"game": "oxo", "bots": u64::MAX}), "bots is at most 9"),
            (json!({"game": "oxo", "lang": "xx"}), "lang is one of en, ja"),
        ] {
            assert_eq!(fault(&schema, &bad, "the body").as_deref(), Some(why), "{bad}");
        }
    }
}
