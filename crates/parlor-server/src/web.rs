//! The web client: files built into the binary, and the headers that restrict what a browser may do with them.

mod share_card;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::house::hub::Hub;

/// A file of the web client.
struct File {
    /// The path, without a leading slash.
    path: &'static str,
    plain: &'static [u8],
    /// The same, compressed. Browsers take brotli over https and from their own machine, gzip from everywhere.
    gzip: Option<&'static [u8]>,
    brotli: Option<&'static [u8]>,
    /// The ETag: changes with the content; quoted, as the header requires.
    tag: &'static str,
}

static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

/// Why this binary has no pages, if it has none; written by the build script.
const MISSING: Option<&str> = include!(concat!(env!("OUT_DIR"), "/web_missing.rs"));

/// Why the web client is not in this binary (it was built with `PARLOR_WEB=skip`, or without npm); `None` if it is.
pub fn web_missing() -> Option<&'static str> {
    MISSING
}

/// The Content-Security-Policy: nothing from other origins, no inline scripts or styles, no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Paths that the client routes itself: each is answered with its index page.
const PAGES: [&str; 8] = ["t", "r", "p", "me", "watch", "replays", "leaders", "try"];
/// Names under `assets/` contain the hash of their content: they never change.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// Answers every address that has no other route: a file, a page of the client, or 404.
pub(crate) async fn page(State(hub): State<Arc<Hub>>, request: Request) -> Response {
    let readable = matches!(*request.method(), Method::GET | Method::HEAD);
    let path = request.uri().path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    let found = FILES.iter().find(|file| file.path == path);
    match found {
        Some(file) if readable => send(file, StatusCode::OK, request.headers()),
        None if readable && matches!(first, "t" | "r") => {
            let about = share_card::of(&hub, path[1..].trim_matches('/')).await;
            match about.zip(index_text()) {
                Some((card, text)) => card.put_into(text),
                None => index(StatusCode::OK, request.headers()),
            }
        }
        None if readable && (path.is_empty() || PAGES.contains(&first)) => {
            index(StatusCode::OK, request.headers())
        }
        // A browser gets a page with help; a program gets problem+json.
        None if readable && wants_page(request.headers()) => index(StatusCode::NOT_FOUND, request.headers()),
        _ => crate::rest::no_such_route().into_response(),
    }
}

fn wants_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

fn index(status: StatusCode, headers: &HeaderMap) -> Response {
    match FILES.iter().find(|file| file.path == "index.html") {
        Some(file) => send(file, status, headers),
        None => crate::rest::no_such_route().into_response(),
    }
}

/// The client's page as text.
fn index_text() -> Option<&'static str> {
    let file = FILES.iter().find(|file| file.path == "index.html")?;
    std::str::from_utf8(file.plain).ok()
}

fn send(file: &'static File, status: StatusCode, asked: &HeaderMap) -> Response {
    let has = |name: HeaderName, text: &str| {
        asked.get(name).and_then(|value| value.to_str().ok()).is_some_and(|value| value.contains(text))
    };
    let known = status == StatusCode::OK && has(header::IF_NONE_MATCH, file.tag);
    let accepted =
        asked.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = [("br", file.brotli), ("gzip", file.gzip)]
        .into_iter()
        .find_map(|(name, packed)| packed.filter(|_| accepts(accepted, name)).map(|packed| (name, packed)));
    let body = Bytes::from_static(if known { &[] } else { packed.map_or(file.plain, |(_, packed)| packed) });
    let mut response = (if known { StatusCode::NOT_MODIFIED } else { status }, body).into_response();
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_TYPE, kind(file.path));
    set(header::ETAG, file.tag);
    set(header::VARY, "accept-encoding");
    for (name, value) in guards() {
        set(name, value);
    }
    if let Some((name, _)) = packed.filter(|_| !known) {
        set(header::CONTENT_ENCODING, name);
    }
    let kept = if file.path.starts_with("assets/") { FOR_EVER } else { ASK_AGAIN };
    headers.insert(header::CACHE_CONTROL, kept);
    response
}

/// The headers that restrict what a browser may do with a page.
fn guards() -> [(HeaderName, &'static str); 4] {
    [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ]
}

/// Whether a list of encodings has this one, and not only to refuse it (`br;q=0`).
fn accepts(list: &str, name: &str) -> bool {
    list.split(',').any(|row| {
        let (found, weight) = row.split_once(';').unwrap_or((row, ""));
        let refused = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()) == Some(0.0);
        found.trim().eq_ignore_ascii_case(name) && !refused
    })
}

/// The media type of a file by its extension. The client has no other kinds.
fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
