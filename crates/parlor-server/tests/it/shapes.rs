//! Checks that replies have the shapes of the OpenAPI description: no property is missing, and none is undocumented.

use parlor_core::Json;

/// Fails if a reply is not what its operation promises. Ignores addresses that the description does not have.
pub(crate) fn check(page: &Json, method: &str, address: &str, code: u16, reply: &Json) {
    let address = address.split('?').next().unwrap_or_default();
    let Some(path) = template(page, address) else { return };
    let responses = &page["paths"][path][method.to_lowercase()]["responses"];
    let Some(content) = responses[code.to_string()]["content"].as_object() else {
        assert!(
            responses.is_null() || code == 405,
            "{method} {path}: the page does not know a {code}: {reply}"
        );
        return;
    };
    let faults: Vec<String> =
        content.values().filter_map(|kind| fault(page, &kind["schema"], reply, "it")).collect();
    assert!(faults.len() < content.len(), "{method} {path} {code}: {faults:?}\n{reply}");
}

/// The address's path template in the description.
fn template<'a>(page: &'a Json, address: &str) -> Option<&'a str> {
    let paths = page["paths"].as_object().expect("paths");
    if let Some((path, _)) = paths.get_key_value(address) {
        return Some(path);
    }
    let parts: Vec<&str> = address.split('/').collect();
    let fits = |path: &&String| {
        let known: Vec<&str> = path.split('/').collect();
        known.len() == parts.len()
            && known.iter().zip(&parts).all(|(known, part)| known.starts_with('{') || known == part)
    };
    paths.keys().find(fits).map(String::as_str)
}

/// The first violation of a schema, and its place in the value.
fn fault(page: &Json, schema: &Json, value: &Json, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let shape = page.pointer(name.trim_start_matches('#')).expect("the page has every shape it names");
        return fault(page, shape, value, at);
    }
    if let Some(any) =
        schema["anyOf"].as_array().filter(|any| any.iter().all(|one| one["required"].is_null()))
    {
        let faults: Vec<String> = any.iter().filter_map(|one| fault(page, one, value, at)).collect();
        return (faults.len() == any.len()).then(|| faults.join(", "));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Json::String(kind) => vec![kind],
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        _ => Vec::new(),
    };
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    if !kinds.is_empty() && !kinds.contains(&kind) {
        return Some(format!("{at} is {kind} and not {}", kinds.join(" or ")));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return Some(format!("{at} is {value}"));
    }
    if schema["minimum"].as_i64().zip(value.as_i64()).is_some_and(|(least, got)| got < least) {
        return Some(format!("{at} is {value}"));
    }
    match value {
        Json::Array(items) => items.iter().enumerate().find_map(|(i, item)| {
            fault(page, schema.get("items").unwrap_or(&Json::Null), item, &format!("{at}[{i}]"))
        }),
        Json::Object(members) => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
            if let Some(name) = required.into_iter().find(|name| !members.contains_key(*name)) {
                return Some(format!("{at} has no {name}"));
            }
            let known = schema["properties"].as_object();
            members.iter().find_map(|(name, member)| {
                let schema = known.and_then(|known| known.get(name)).or(schema.get("additionalProperties"));
                match schema {
                    Some(schema) => fault(page, schema, member, &format!("{at}.{name}")),
                    None => known.map(|_| format!("{at} has a {name} that the page does not name")),
                }
            })
        }
        _ => None,
    }
}

#[test]
fn a_reply_that_is_not_what_the_page_says_is_found() {
    let page = serde_json::json!({
        "paths": {"/a/{id}": {"get": {"responses": {"200": {"content": {"application/json": {"schema":
            {"$ref": "#/components/schemas/A"}}}}}}}},
        "components": {"schemas": {"A": {"type": "object", "required": ["n"], "properties":
            {"n": {"type": "integer", "minimum": 0}, "s": {"anyOf": [{"type": "null"}, {"enum": ["x"]}]}}}}},
    });
    let wrong =
        |reply: Json| std::panic::catch_unwind(|| check(&page, "GET", "/a/b?c=d", 200, &reply)).is_err();
    for good in [serde_json::json!({"n": 1}), serde_json::json!({"n": 0, "s": "x"})] {
        assert!(!wrong(good.clone()), "{good}");
    }
    for bad in [
        serde_json::json!([]),
        serde_json::json!({}),
        serde_json::json!({"n": -1}),
        serde_json::json!({"n": 1, "s": "y"}),
        serde_json::json!({"n": 1, "more": 1}),
    ] {
        assert!(wrong(bad.clone()), "{bad}");
    }
    assert!(std::panic::catch_unwind(|| check(&page, "GET", "/a/b", 201, &Json::Null)).is_err());
}
