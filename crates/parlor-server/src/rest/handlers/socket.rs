//! Opens WebSockets: to a table, or to the lobby.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::HouseCode;
use parlor_wire::Codec;

use crate::house::hub::Hub;
use crate::net::connection;
use crate::net::websocket::Upgrade;
use crate::rest::problem::Problem;
use crate::rest::{Shared, origin_is_ours};

const PROTOCOLS: [(&str, Codec); 2] =
    [("parlor.v1.msgpack", Codec::MessagePack), ("parlor.v1.json", Codec::Json)];

/// Opens a socket to a table.
pub(in crate::rest) async fn to_table(
    State(hub): Shared,
    Path(game_id): Path<String>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Response {
    connect(hub, Some(game_id), from, &headers, upgrade)
}

/// Opens a socket to the lobby.
pub(in crate::rest) async fn to_lobby(
    State(hub): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: Upgrade,
) -> Response {
    connect(hub, None, from, &headers, upgrade)
}

fn connect(
    hub: Arc<Hub>,
    game_id: Option<String>,
    from: SocketAddr,
    headers: &HeaderMap,
    mut upgrade: Upgrade,
) -> Response {
    if hub.stopping() {
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, HouseCode::Stopping, "the server is stopping")
            .into_response();
    }
    if !origin_is_ours(&hub, headers) {
        return Problem::new(
            StatusCode::FORBIDDEN,
            HouseCode::ForeignOrigin,
            "pages of that origin may not connect",
        )
        .into_response();
    }
    if !hub.connect_from(from.ip()) {
        hub.too_much.note(from.ip(), "too many sockets");
        return Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            HouseCode::TooManyConnections,
            "too many connections",
        )
        .into_response();
    }
    let chosen = upgrade.choose(PROTOCOLS.map(|(name, _)| name));
    let codec = PROTOCOLS.iter().find(|(name, _)| chosen == Some(*name)).map(|(_, codec)| *codec);
    let address = from.ip();
    upgrade.grant(move |socket| match socket {
        // A task of its own: the task of the upgrade holds memory that the connection does not need.
        Some(socket) => drop(tokio::spawn(connection::run(hub, socket, game_id, address, codec))),
        None => hub.disconnect_from(address),
    })
}
