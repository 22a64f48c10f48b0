//! REST: everything that works without a socket. One file per resource; `routes` is the table of all of them.

pub(crate) mod extract;
mod handlers;
pub(crate) mod problem;
pub(crate) mod redirect;
pub(crate) mod routes;
pub(crate) mod types;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use parlor_core::HouseCode;

use crate::config::Config;
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
        .route_layer(middleware::map_response(for_programs))
        .fallback(crate::web::page)
        .method_not_allowed_fallback(async || {
            Problem::new(
                StatusCode::METHOD_NOT_ALLOWED,
                HouseCode::Method,
                "that cannot be done at this address",
            )
        })
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(hub.clone(), throttled))
        .with_state(hub)
}

/// What a browser may do with an answer of the API: take it for nothing else than it says it is, and keep no copy.
async fn for_programs(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The response for an unknown address.
pub(crate) fn no_such_route() -> impl IntoResponse {
    Problem::new(StatusCode::NOT_FOUND, HouseCode::NoRoute, "there is nothing at this address")
}

fn has_origin(headers: &HeaderMap) -> bool {
    headers.contains_key(header::ORIGIN)
}

/// Whether the page that makes the request may: one of this server, or of an origin that the operator named. Only
/// browsers name an origin; a request without one is allowed.
pub(crate) fn origin_is_ours(hub: &Hub, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let own =
        origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).is_some_and(|o| o == host);
    own || hub.config.origins.iter().any(|allowed| allowed == origin)
}

/// Whether a `Host` names this server: its own address, a loopback one, or a name that the operator gave. A server that
/// listens on every address does not know its own ones: there any address will do, which no page of another site can be
/// under.
fn host_is_ours(config: &Config, host: &str) -> bool {
    let name = host.rsplit_once(':').filter(|(name, _)| !name.contains(':') || name.ends_with(']'));
    let name = name.map_or(host, |(name, _)| name);
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let known = |own: &String| own == "*" || own.eq_ignore_ascii_case(bare);
    if bare.eq_ignore_ascii_case("localhost") || config.hosts.iter().any(known) {
        return true;
    }
    let listens = config.listen.parse::<SocketAddr>().map(|at| at.ip());
    match (bare.parse::<IpAddr>(), listens) {
        (Ok(ip), Ok(own)) => ip.is_loopback() || own.is_unspecified() || ip == own,
        (Ok(ip), Err(_)) => ip.is_loopback(),
        // A name to listen on is a name of this server.
        (Err(_), Err(_)) => {
            config.listen.rsplit_once(':').is_some_and(|(own, _)| own.eq_ignore_ascii_case(bare))
        }
        (Err(_), Ok(_)) => false,
    }
}

async fn throttled(State(hub): Shared, request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return Problem::new(StatusCode::BAD_REQUEST, HouseCode::BadHost, "a request names one Host")
            .into_response();
    }
    let named = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    let named = request.uri().authority().map(Authority::as_str).or(named);
    if named.is_some_and(|host| !host_is_ours(&hub.config, host)) {
        // A page of another site whose name was pointed at this address would pass for one of ours.
        let text = "this server is not known by that name; its operator names it in `hosts`";
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, HouseCode::ForeignHost, text).into_response();
    }
    let safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let cross = request.headers().get("sec-fetch-site").is_some_and(|site| site == "cross-site");
    if !safe && (!origin_is_ours(&hub, request.headers()) || (cross && !has_origin(request.headers()))) {
        // A form on another page needs no permission of ours to be sent.
        return Problem::new(
            StatusCode::FORBIDDEN,
            HouseCode::ForeignOrigin,
            "pages of that origin may not do that",
        )
        .into_response();
    }
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if let Some(from) = from.filter(|from| !hub.request_from(*from)) {
        hub.too_much.note(from, "too many requests");
        return Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            HouseCode::RateLimited,
            "you are asking too much",
        )
        .into_response();
    }
    let signed = request.headers().contains_key(header::AUTHORIZATION);
    let response = next.run(request).await;
    let unknown = matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    if let Some(from) = from.filter(|_| signed && unknown) {
        hub.failed_logins.note(from, "a token that is not good for it");
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_ours_by_address_by_loopback_or_by_name() {
        let here = |listen: &str, hosts: &[&str]| Config {
            listen: listen.to_owned(),
            hosts: hosts.iter().map(|&name| name.to_owned()).collect(),
            ..Config::default()
        };
        let (own, all) = (here("192.0.2.7:8001", &["play.example"]), here("0.0.0.0:8001", &[]));
        for (host, by_own, by_all) in [
            ("127.0.0.1:8001", true, true),
            ("[::1]:8001", true, true),
            ("LocalHost", true, true),
            ("192.0.2.7", true, true),
            ("192.0.2.8:8001", false, true),
            ("PLAY.example:443", true, false),
            ("evil.example", false, false),
            ("play.example.evil.example", false, false),
            ("127.0.0.1.evil.example", false, false),
            ("", false, false),
            ("::1", true, true),
        ] {
            assert_eq!((host_is_ours(&own, host), host_is_ours(&all, host)), (by_own, by_all), "{host:?}");
        }
        assert!(host_is_ours(&here("127.0.0.1:1", &["*"]), "anything.example"));
        assert!(host_is_ours(&here("games.lan:80", &[]), "games.lan"), "the name it listens on");
    }
}
