//! The way to a socket: to a table, or to the house.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parlor_wire::Codec;

use super::Shared;
use super::problem::Problem;
use crate::connection;
use crate::hub::Hub;

/// Bytes of messages that are gathered before they are written; what waits together leaves together.
const WRITE_TOGETHER_BYTES: usize = 16 * 1024;
/// Bytes read at once, which every connection keeps: most messages of clients are smaller, larger ones come in parts.
const READ_BYTES: usize = 512;
const PROTOCOLS: [(&str, Codec); 2] =
    [("parlor.v1.msgpack", Codec::MessagePack), ("parlor.v1.json", Codec::Json)];

/// To a table.
pub(super) async fn to_table(
    State(hub): Shared,
    Path(game_id): Path<String>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    connect(hub, Some(game_id), from, &headers, upgrade)
}

/// To the house.
pub(super) async fn to_lobby(
    State(hub): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    connect(hub, None, from, &headers, upgrade)
}

fn connect(
    hub: Arc<Hub>,
    game_id: Option<String>,
    from: SocketAddr,
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if hub.stopping() {
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the server is stopping")
            .into_response();
    }
    if !origin_is_ours(&hub, headers) {
        return Problem::new(StatusCode::FORBIDDEN, "foreign_origin", "pages of that origin may not connect")
            .into_response();
    }
    if !hub.connect_from(from.ip()) {
        return Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_connections", "too many connections")
            .into_response();
    }
    let upgrade = upgrade
        .protocols(PROTOCOLS.map(|(name, _)| name))
        .max_frame_size(16 * 1024)
        .max_message_size(32 * 1024)
        .read_buffer_size(READ_BYTES)
        .write_buffer_size(WRITE_TOGETHER_BYTES)
        .max_write_buffer_size(128 * 1024);
    let chosen = upgrade.selected_protocol().and_then(|value| value.to_str().ok()).map(str::to_owned);
    let codec = PROTOCOLS.iter().find(|(name, _)| chosen.as_deref() == Some(name)).map(|(_, codec)| *codec);
    let failed = hub.clone();
    let address = from.ip();
    upgrade.on_failed_upgrade(move |_| failed.disconnect_from(address)).on_upgrade(move |socket| {
        // A task of its own: the one that upgraded it holds all that the upgrade needed, and would for as long.
        tokio::spawn(connection::run(hub, socket, game_id, address, codec));
        std::future::ready(())
    })
}

/// A browser says which page connects; anything else says nothing, and is let in.
fn origin_is_ours(hub: &Hub, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok()) else { return true };
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let own =
        origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).is_some_and(|o| o == host);
    own || hub.config.origins.iter().any(|allowed| allowed == origin)
}
