//! The handshake that upgrades a request to a WebSocket.

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode, Version};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use parlor_core::HouseCode;
use sha1::{Digest, Sha1};

use super::WebSocket;
use crate::net::transport::Transport;
use crate::rest::problem::Problem;

/// The GUID of RFC 6455, which is hashed after the client's key.
const MAGIC: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// The length of a client's key before base64, in bytes.
const KEY_BYTES: usize = 16;
const VERSION: HeaderValue = HeaderValue::from_static("13");
const WEBSOCKET: HeaderValue = HeaderValue::from_static("websocket");

/// A valid request for an upgrade.
pub(crate) struct Upgrade {
    on: OnUpgrade,
    accept: HeaderValue,
    offered: Vec<String>,
    chosen: Option<&'static str>,
}

/// The response to a request that is not a valid upgrade.
pub(crate) struct NotUpgraded(StatusCode, HouseCode, &'static str);

impl IntoResponse for NotUpgraded {
    fn into_response(self) -> Response {
        let Self(status, code, message) = self;
        let mut response = Problem::new(status, code, message).into_response();
        if status == StatusCode::UPGRADE_REQUIRED {
            // RFC 6455: a refusal names the version that the server supports.
            response.headers_mut().insert(header::UPGRADE, WEBSOCKET);
            response.headers_mut().insert(header::SEC_WEBSOCKET_VERSION, VERSION);
        }
        response
    }
}

impl<S: Sync> FromRequestParts<S> for Upgrade {
    type Rejection = NotUpgraded;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, NotUpgraded> {
        let accept = check(&parts.method, parts.version, &parts.headers)?;
        let on = parts.extensions.remove::<OnUpgrade>().ok_or(NOT_A_SOCKET)?;
        let offered = words(&parts.headers, header::SEC_WEBSOCKET_PROTOCOL).map(str::to_owned).collect();
        Ok(Self { on, accept, offered, chosen: None })
    }
}

const NOT_A_SOCKET: NotUpgraded =
    NotUpgraded(StatusCode::UPGRADE_REQUIRED, HouseCode::NotASocket, "this address is for sockets");
const OTHER_VERSION: NotUpgraded =
    NotUpgraded(StatusCode::UPGRADE_REQUIRED, HouseCode::SocketVersion, "sockets here speak version 13");
const BAD_KEY: NotUpgraded =
    NotUpgraded(StatusCode::BAD_REQUEST, HouseCode::SocketKey, "Sec-WebSocket-Key has 16 bytes in base64");

/// Checks a request for an upgrade; returns the `Sec-WebSocket-Accept` value.
fn check(method: &Method, version: Version, headers: &HeaderMap) -> Result<HeaderValue, NotUpgraded> {
    let says =
        |name: HeaderName, word: &str| words(headers, name).any(|said| said.eq_ignore_ascii_case(word));
    let asks = says(header::CONNECTION, "upgrade") && says(header::UPGRADE, "websocket");
    if method != Method::GET || version != Version::HTTP_11 || !asks {
        return Err(NOT_A_SOCKET);
    }
    if headers.get(header::SEC_WEBSOCKET_VERSION) != Some(&VERSION) {
        return Err(OTHER_VERSION);
    }
    let mut keys = headers.get_all(header::SEC_WEBSOCKET_KEY).iter();
    let (Some(key), None) = (keys.next(), keys.next()) else { return Err(BAD_KEY) };
    let read = BASE64_STANDARD.decode(key).map_err(|_| BAD_KEY)?;
    if read.len() != KEY_BYTES {
        return Err(BAD_KEY);
    }
    let digest = Sha1::new().chain_update(key).chain_update(MAGIC).finalize();
    HeaderValue::try_from(BASE64_STANDARD.encode(digest)).map_err(|_| BAD_KEY)
}

/// The items of a list header, from all its lines.
fn words(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).map(str::trim)
}

impl Upgrade {
    /// Selects the first of these subprotocols that the client offers; returns its name.
    pub(crate) fn choose(
        &mut self,
        protocols: impl IntoIterator<Item = &'static str>,
    ) -> Option<&'static str> {
        self.chosen = protocols.into_iter().find(|name| self.offered.iter().any(|offered| offered == name));
        self.chosen
    }

    /// Accepts: returns the response to the request. Once it is sent, `begin` gets the socket, or `None` if the
    /// upgrade failed.
    pub(crate) fn grant(self, begin: impl FnOnce(Option<WebSocket>) + Send + 'static) -> Response {
        tokio::spawn(async move {
            // Only the stream itself is kept: what HTTP needed around it is dropped.
            let stream = self.on.await.ok().and_then(|on| on.downcast::<TokioIo<Transport>>().ok());
            begin(stream.map(|parts| WebSocket::new(parts.io.into_inner(), parts.read_buf.to_vec())));
        });
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, WEBSOCKET);
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, self.accept);
        if let Some(chosen) = self.chosen {
            headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(chosen));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "AAECAwQFBgcICQoLDA0ODw==";

    fn request(changes: &[(&'static str, Option<&'static str>)]) -> HeaderMap {
        let usual = [
            ("connection", "keep-alive, Upgrade"),
            ("upgrade", "WebSocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", KEY),
        ];
        let mut headers: HeaderMap = usual
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .into_iter()
            .collect();
        for (name, value) in changes {
            headers.remove(*name);
            if let Some(value) = value {
                headers.insert(*name, HeaderValue::from_static(value));
            }
        }
        headers
    }

    fn checked(headers: &HeaderMap) -> Result<String, (u16, &'static str)> {
        let checked = check(&Method::GET, Version::HTTP_11, headers);
        checked
            .map(|accept| accept.to_str().expect("base64").to_owned())
            .map_err(|NotUpgraded(status, code, _)| (status.as_u16(), code.text()))
    }

    #[test]
    fn a_key_is_answered_by_the_hash_of_it_and_the_magic() {
        // The hash was computed by another program: `printf KEY+MAGIC | openssl sha1 -binary | base64`.
        assert_eq!(checked(&request(&[])).as_deref(), Ok("Bz3qJYTGdOe8gUSpLosEdiLKDrk="));
    }

    #[test]
    fn what_does_not_ask_for_a_socket_gets_none() {
        let rows: [(&str, Option<&str>, u16, &str); 11] = [
            ("connection", None, 426, "not_a_socket"),
            ("connection", Some("keep-alive"), 426, "not_a_socket"),
            ("connection", Some("upgraded"), 426, "not_a_socket"),
            ("upgrade", None, 426, "not_a_socket"),
            ("upgrade", Some("h2c"), 426, "not_a_socket"),
            ("sec-websocket-version", None, 426, "socket_version"),
            ("sec-websocket-version", Some("8"), 426, "socket_version"),
            ("sec-websocket-key", None, 400, "socket_key"),
            ("sec-websocket-key", Some("not base64!"), 400, "socket_key"),
            ("sec-websocket-key", Some("AAECAwQFBgcICQoLDA0O"), 400, "socket_key"),
            ("sec-websocket-key", Some(""), 400, "socket_key"),
        ];
        for (name, value, status, code) in rows {
            assert_eq!(checked(&request(&[(name, value)])), Err((status, code)), "{name}: {value:?}");
        }
        let mut twice = request(&[]);
        twice.append("sec-websocket-key", HeaderValue::from_static(KEY));
        assert_eq!(checked(&twice), Err((400, "socket_key")));
        let refused =
            |method, version| check(&method, version, &request(&[])).is_err_and(|why| why.0.as_u16() == 426);
        assert!(refused(Method::POST, Version::HTTP_11) && refused(Method::GET, Version::HTTP_10));
    }
}
