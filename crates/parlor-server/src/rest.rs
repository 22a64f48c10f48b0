//! REST: everything that works without a socket. One file per resource; `routes` is the table of all of them.

pub(crate) mod extract;
mod handlers;
pub(crate) mod problem;
pub(crate) mod routes;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::{StatusCode, Version, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use crate::house::hub::Hub;
use problem::Problem;
use routes::{ROUTES, SOCKETS};

/// The largest request body, in bytes.
const BODY_BYTES_MAX: usize = 32 * 1024;

type Shared = State<Arc<Hub>>;

/// The router with every route.
pub(crate) fn routes(hub: Arc<Hub>) -> Router {
    let mut router = Router::new();
    for route in &ROUTES {
        router = router.route(route.operation.path, (route.answer)());
    }
    for (path, answer) in SOCKETS {
        router = router.route(path, answer());
    }
    router
        .route_layer(middleware::map_response(problem::in_our_words))
        .fallback(crate::web::page)
        .method_not_allowed_fallback(async || {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method", "that cannot be done at this address")
        })
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(hub.clone(), throttled))
        .with_state(hub)
}

/// The response for an unknown address.
pub(crate) fn no_such_route() -> impl IntoResponse {
    Problem::new(StatusCode::NOT_FOUND, "no_route", "there is nothing at this address")
}

async fn throttled(State(hub): Shared, request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return Problem::new(StatusCode::BAD_REQUEST, "bad_host", "a request names one Host").into_response();
    }
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if from.is_some_and(|from| !hub.request_from(from)) {
        return Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", "you are asking too much")
            .into_response();
    }
    next.run(request).await
}
