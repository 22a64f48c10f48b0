//! The OpenAPI description, generated from the table of operations.

use parlor_core::Json;
use serde_json::{Map, json};

use super::{Auth, Operation, schemas};

/// The OpenAPI 3.1 description of these operations.
pub(crate) fn page(title: &str, operations: &[Operation]) -> Json {
    let mut paths = Map::new();
    for operation in operations {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = describe(operation);
    }
    let mut shapes = Map::new();
    // Refusals refer to it by name only.
    by_their_names(&mut schemas::problem(), &mut shapes);
    paths.values_mut().for_each(|path| by_their_names(path, &mut shapes));
    let bearer = |about: &str| json!({"type": "http", "scheme": "bearer", "description": about});
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": title,
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
            "description": "One engine and one server for table games with secrets. Refusals are problem+json with a `code`.",
        },
        "paths": paths,
        "components": {
            "securitySchemes": {
                "player": bearer("The token of an account."),
                "session": bearer("The token of a seat at one table."),
                "owner": bearer("The token of whoever made the table."),
            },
            "schemas": shapes,
        },
    })
}

/// Moves every named schema to the components, once, and leaves a reference in its place.
fn by_their_names(page: &mut Json, shapes: &mut Map<String, Json>) {
    match page {
        Json::Array(items) => items.iter_mut().for_each(|item| by_their_names(item, shapes)),
        Json::Object(members) => {
            members.values_mut().for_each(|member| by_their_names(member, shapes));
            // A property called `title` is a schema and not a string.
            let Some(name) = members.get("title").and_then(Json::as_str).map(str::to_owned) else { return };
            members.remove("title");
            let mut reference = json!({"$ref": format!("#/components/schemas/{name}")});
            if let Some(about) = members.remove(schemas::HERE) {
                reference["description"] = about;
            }
            let shape = std::mem::replace(page, reference);
            debug_assert!(
                shapes.get(&name).is_none_or(|known| *known == shape),
                "two shapes are called {name}"
            );
            shapes.insert(name, shape);
        }
        _ => {}
    }
}

fn describe(operation: &Operation) -> Json {
    let mut parameters: Vec<Json> = operation
        .path_params()
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}))
        .collect();
    for param in operation.query {
        parameters.push(json!({
            "name": param.name, "in": "query", "required": false,
            "schema": (param.schema)(), "description": param.about,
        }));
    }
    let problem = json!({"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}});
    let (status, reply) = operation.reply;
    let mut responses = Map::new();
    let well = if status == 101 {
        json!({"description": "the socket is open"})
    } else {
        let mut content = Map::from_iter([(operation.media.to_owned(), json!({"schema": reply()}))]);
        if let Some((media, reply)) = operation.or_else {
            content.insert(media.to_owned(), json!({"schema": reply()}));
        }
        json!({"description": "done", "content": content})
    };
    responses.insert(status.to_string(), well);
    // Every operation may refuse too many requests and too large a body; one with a path parameter may also refuse a
    // value that is not text.
    let everywhere: &[u16] = if operation.path_params().count() > 0 { &[400, 413, 429] } else { &[413, 429] };
    for code in operation.errors.iter().chain(everywhere) {
        let text = reason(*code);
        responses.insert(code.to_string(), json!({"description": text, "content": problem}));
    }
    let mut described = json!({
        "operationId": operation.name, "summary": operation.about, "responses": responses,
        "security": security(operation.auth),
    });
    if !parameters.is_empty() {
        described["parameters"] = json!(parameters);
    }
    if let Some(body) = operation.body {
        let required = body().get("required").is_some();
        described["requestBody"] =
            json!({"required": required, "content": {"application/json": {"schema": body()}}});
    }
    described
}

fn security(auth: Auth) -> Json {
    match auth {
        Auth::Nobody => json!([]),
        Auth::Anybody => json!([{}, {"player": []}]),
        Auth::Player => json!([{"player": []}]),
        Auth::SeatOrNobody => json!([{}, {"session": []}, {"player": []}]),
        Auth::Seat => json!([{"session": []}, {"player": []}]),
        Auth::Owner => json!([{"owner": []}]),
    }
}

fn reason(code: u16) -> &'static str {
    match code {
        400 => "that cannot be read, or cannot be played",
        401 => "a token is missing, or nobody's",
        402 => "not enough tokens",
        403 => "that is not yours to do",
        404 => "there is no such thing",
        409 => "not as things stand",
        413 => "too big",
        422 => "that answer cannot be taken; every fault is named",
        426 => "this address is for sockets",
        429 => "too much at once",
        503 => "not now: try again",
        _ => "refused",
    }
}
