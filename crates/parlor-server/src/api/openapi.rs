//! The OpenAPI description, made from the table of operations and the types in it.

use parlor_core::Json;
use serde_json::{Map, json};

use super::schema::{Schemas, names_in, reference_to, remove_null, tidied};
use super::{Auth, Operation};
use crate::rest::types::ProblemBody;

/// The OpenAPI 3.1 description of these operations.
pub(super) fn page(operations: &[Operation]) -> Json {
    let mut schemas = Schemas::new();
    let problem = tidied(reference_to::<ProblemBody>(&mut schemas.written), true);
    let mut paths = Map::new();
    for operation in operations {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = describe(operation, &problem, &mut schemas);
    }
    let schemas = schemas.all();
    for body in paths.values_mut().flat_map(|path| path.as_object_mut().into_iter().flatten()) {
        require_body(body.1, &schemas);
    }
    let bearer = |about: &str| json!({"type": "http", "scheme": "bearer", "description": about});
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Parlor",
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
            "schemas": schemas,
        },
    })
}

/// A body may be left out where none of its fields is required.
fn require_body(operation: &mut Json, schemas: &Map<String, Json>) {
    let Some(body) = operation.get_mut("requestBody") else { return };
    let schema = &body["content"]["application/json"]["schema"];
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    let schema = name.map_or(schema, |name| &schemas[name]);
    body["required"] = json!(schema.get("required").is_some());
}

fn describe(operation: &Operation, problem: &Json, schemas: &mut Schemas) -> Json {
    let in_path = |name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}});
    let mut parameters: Vec<Json> = operation.path_params().map(in_path).collect();
    if let Some(query) = operation.query {
        let query = tidied((query.schema)(&mut schemas.read), false);
        let required = names_in(query.get("required"));
        for (name, schema) in query["properties"].as_object().into_iter().flatten() {
            let mut schema = schema.clone();
            // A query has no null.
            remove_null(&mut schema);
            let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            parameters.push(json!({
                "name": name, "in": "query", "required": required.contains(name),
                "schema": schema, "description": about,
            }));
        }
    }
    let problem = json!({"application/problem+json": {"schema": problem}});
    let mut written = |shape: super::Shape| tidied((shape.schema)(&mut schemas.written), true);
    let (status, reply) = operation.reply;
    let mut content = Map::from_iter([(operation.media.to_owned(), json!({"schema": written(reply)}))]);
    if let Some((media, reply)) = operation.or_else {
        content.insert(media.to_owned(), json!({"schema": written(reply)}));
    }
    let done = json!({"description": "done", "content": content});
    let mut responses = Map::from_iter([(status.to_string(), done)]);
    // Every operation may refuse too many requests and too large a body; one with parameters may also refuse a value
    // that is not text, or not what it must be.
    let everywhere: &[u16] = if parameters.is_empty() { &[413, 429] } else { &[400, 413, 429] };
    for code in operation.errors.iter().chain(everywhere) {
        responses.insert(code.to_string(), json!({"description": reason(*code), "content": problem}));
    }
    let mut described = json!({
        "operationId": operation.name, "summary": operation.about, "responses": responses,
        "security": security(operation.auth),
    });
    if !parameters.is_empty() {
        described["parameters"] = json!(parameters);
    }
    if let Some(body) = operation.body {
        let schema = tidied((body.schema)(&mut schemas.read), false);
        described["requestBody"] = json!({"content": {"application/json": {"schema": schema}}});
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
