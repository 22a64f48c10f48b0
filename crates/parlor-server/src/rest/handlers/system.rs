//! Health and metrics.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use parlor_core::HouseCode;

use crate::house::sessions::hash;
use crate::net::proxies::came_by_a_proxy;
use crate::rest::Shared;
use crate::rest::extract::bearer;
use crate::rest::problem::{Problem, json_ok};
use crate::rest::types::{Health, Status};

pub(in crate::rest) async fn health() -> Response {
    json_ok(&Health { status: "ok" })
}

pub(in crate::rest) async fn ready(State(hub): Shared) -> Response {
    let unavailable = |code: HouseCode, text: &str| {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, code, text).into_response()
    };
    if hub.stopping() {
        return unavailable(HouseCode::Stopping, "the server is stopping");
    }
    match hub.store_ready().await {
        Err(error) => unavailable(HouseCode::ReadOnly, &error.to_string()),
        Ok(()) if hub.draining() => unavailable(HouseCode::Draining, "no new tables now"),
        Ok(()) => json_ok(&Health { status: "ready" }),
    }
}

pub(in crate::rest) async fn status(State(hub): Shared) -> Response {
    json_ok(&Status { status: "ok", active_games: hub.count(), max_games: hub.config.tables_max })
}

/// For programs on this machine, and for those with the operator's token for it: it tells how much goes on here.
pub(in crate::rest) async fn metrics(
    State(hub): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Response {
    let here = from.ip().to_canonical().is_loopback() && !came_by_a_proxy(&headers);
    let token = hub.config.metrics_token.as_str();
    let known = !token.is_empty() && bearer(&headers).is_some_and(|sent| hash(&sent) == hash(token));
    if !here && !known {
        return Problem::forbidden().into_response();
    }
    let mut page = hub.metrics.page();
    page.gauge("parlor_queued", "Players in the queue.", hub.queue_len() as i64);
    let text = page.into_text();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}
