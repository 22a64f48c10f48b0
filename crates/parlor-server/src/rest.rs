//! REST: what can be asked without a socket. One file for each resource; `routes` is the table of all of them.

mod ask;
mod games;
mod logs;
mod matches;
mod play;
mod players;
mod problem;
mod queue;
mod socket;
mod system;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use crate::hub::Hub;
use problem::Problem;

/// Bytes of one request's body.
const BODY_BYTES_MAX: usize = 32 * 1024;

type Shared = State<Arc<Hub>>;

/// Every route.
pub(crate) fn routes(hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/health", get(system::health))
        .route("/healthz", get(system::health))
        .route("/readyz", get(system::ready))
        .route("/status", get(system::status))
        .route("/metrics", get(system::metrics))
        .route("/games", get(games::list_games).post(games::create_game))
        .route("/matches", get(matches::list_matches).post(matches::create_match))
        .route("/matches/{id}", get(matches::view))
        .route("/matches/{id}/join", post(matches::join))
        .route("/matches/{id}/leave", post(matches::leave))
        .route("/matches/{id}/start", post(matches::start))
        .route("/matches/{id}/kill", post(matches::kill))
        .route("/matches/{id}/undo", post(play::undo))
        .route("/matches/{id}/responses", post(play::respond))
        .route("/matches/{id}/rematch", post(play::rematch))
        .route("/matches/{id}/log", get(logs::log))
        .route("/matches/{id}/replay", get(logs::replay))
        .route("/players/guest", post(players::guest))
        .route("/players/me", get(players::me).delete(players::delete))
        .route("/players/me/nickname", post(players::nickname))
        .route("/players/me/profile", post(players::profile))
        .route("/players/me/balance", get(players::balance))
        .route("/players/me/matches", get(players::matches))
        .route("/players/{id}", get(players::face))
        // The same doors by the names of the battle's document.
        .route("/auth/guest", post(players::guest))
        .route("/auth/me", get(players::me))
        .route("/account/nickname", post(players::nickname))
        .route("/account/profile", post(players::profile))
        .route("/queue/{game}", get(queue::place).post(queue::join).delete(queue::leave))
        .route("/ws", get(socket::to_lobby))
        .route("/ws/{game_id}", get(socket::to_table))
        .fallback(crate::web::page)
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(hub.clone(), throttled))
        .with_state(hub)
}

/// What a program gets for an address that nothing answers.
pub(crate) fn no_such_route() -> impl IntoResponse {
    Problem::new(StatusCode::NOT_FOUND, "no_such_route", "there is nothing at this address")
}

async fn throttled(State(hub): Shared, request: Request, next: Next) -> Response {
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if from.is_some_and(|from| !hub.request_from(from)) {
        return Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", "you are asking too much")
            .into_response();
    }
    next.run(request).await
}
