//! What is answered over HTTP where the server itself is on HTTPS: where to go, and the proofs that a certificate authority
//! asks for before it issues a certificate. Nothing else.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path as InPath, Request, State};
use axum::http::header::{self, HeaderValue};
use axum::http::uri::{Authority, PathAndQuery};
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use parlor_core::HouseCode;

use super::problem::Problem;
use super::{Shared, throttled};
use crate::house::hub::Hub;

/// The port that `https://` means.
const HTTPS: u16 = 443;
/// The largest proof, in bytes.
const PROOF_BYTES_MAX: u64 = 4096;
/// The longest name of a proof, in bytes.
const PROOF_NAME_BYTES_MAX: usize = 128;

/// The router; `port` is that of the server.
pub(crate) fn routes(hub: Arc<Hub>, port: u16) -> Router {
    Router::new()
        .route("/.well-known/acme-challenge/{name}", get(proof))
        .fallback(async move |request: Request| to_https(&request, port))
        .layer(middleware::from_fn_with_state(hub.clone(), throttled))
        .with_state(hub)
}

/// The same address under `https`.
fn to_https(request: &Request, port: u16) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let host = request.uri().authority().map(Authority::as_str).or(host);
    let host = host.and_then(|host| host.parse::<Authority>().ok());
    let path = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
    let to = host.and_then(|host| {
        let name = host.host();
        let text = if port == HTTPS {
            format!("https://{name}{path}")
        } else {
            format!("https://{name}:{port}{path}")
        };
        HeaderValue::try_from(text.parse::<Uri>().ok()?.to_string()).ok()
    });
    match to {
        Some(to) => (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, to)]).into_response(),
        None => Problem::new(StatusCode::BAD_REQUEST, HouseCode::HttpsOnly, "use https").into_response(),
    }
}

/// A file that the operator's ACME client has written.
async fn proof(State(hub): Shared, InPath(name): InPath<String>) -> Response {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let none = || super::no_such_route().into_response();
    let root = &hub.config.acme_webroot;
    if root.is_empty() || name.len() > PROOF_NAME_BYTES_MAX || !name.bytes().all(good) {
        return none();
    }
    let path = Path::new(root).join(".well-known/acme-challenge").join(name);
    let read = tokio::task::spawn_blocking(move || {
        let about = std::fs::metadata(&path).ok().filter(std::fs::Metadata::is_file)?;
        let mut text = Vec::new();
        let file = std::fs::File::open(&path).ok().filter(|_| about.len() <= PROOF_BYTES_MAX)?;
        file.take(PROOF_BYTES_MAX).read_to_end(&mut text).ok()?;
        Some(text)
    });
    match read.await.ok().flatten() {
        Some(text) => ([(header::CONTENT_TYPE, "text/plain")], text).into_response(),
        None => none(),
    }
}
