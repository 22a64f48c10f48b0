//! Health and metrics.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::rest::Shared;
use crate::rest::problem::{Problem, json_ok};

pub(in crate::rest) async fn health() -> Response {
    json_ok(&json!({"status": "ok"}))
}

pub(in crate::rest) async fn ready(State(hub): Shared) -> Response {
    let unavailable =
        |code: &str, text: &str| Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, text).into_response();
    if hub.stopping() {
        return unavailable("stopping", "the server is stopping");
    }
    match hub.store_ready().await {
        Err(error) => unavailable("read_only", &error.to_string()),
        Ok(()) if hub.draining() => unavailable("draining", "no new tables now"),
        Ok(()) => json_ok(&json!({"status": "ready"})),
    }
}

pub(in crate::rest) async fn status(State(hub): Shared) -> Response {
    json_ok(&json!({"status": "ok", "active_games": hub.count(), "max_games": hub.config.tables_max}))
}

pub(in crate::rest) async fn metrics(State(hub): Shared) -> Response {
    let mut text = hub.metrics.text();
    text.push_str(&format!("# TYPE parlor_queued gauge\nparlor_queued {}\n", hub.queue_len()));
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}
