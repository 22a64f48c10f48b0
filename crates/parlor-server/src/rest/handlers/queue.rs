//! `/queue/{game}`: matchmaking without a socket.

use std::net::SocketAddr;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parlor_core::Json;
use serde_json::json;

use crate::api::schemas as s;
use crate::house::accounts::Trouble;
use crate::house::matchmaking::QueueRequest;
use crate::rest::Shared;
use crate::rest::extract::{account, body_of, small};
use crate::rest::handlers::open_tables;
use crate::rest::problem::{Problem, json_ok};

/// Joins the queue; repeating the request keeps the place.
pub(in crate::rest) async fn join(
    State(hub): Shared,
    Path(game): Path<String>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let body = body_of(s::queue_order, &body)?;
    if body.get("anySeat").and_then(Json::as_bool).unwrap_or(false) {
        return open_tables::any_seat(&hub, &game, player, from.ip(), &body).await;
    }
    let fill_ms =
        body.get("fillWithBotsAfterMs").and_then(Json::as_u64).and_then(|ms| u32::try_from(ms).ok());
    let wish = QueueRequest {
        game,
        settings: body.get("settings").cloned().unwrap_or(Json::Null),
        seats: small(&body, "seats"),
        fill_ms,
    };
    let queueing = hub.clone();
    let joined = hub.store_threads.run(move || queueing.queue_join(&player, wish, None, from.ip())).await;
    let (position, tokens) = joined.map_err(|_| Trouble::Busy)?.map_err(|refusal| Problem::of(&refusal))?;
    let (place, waiting) = (position.place, position.waiting);
    Ok(json_ok(&json!({"status": "waiting", "position": place, "waiting": waiting, "tokens": tokens})))
}

/// The caller's position, or the match that was found for them.
pub(in crate::rest) async fn place(
    State(hub): Shared,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    if let Some((_, position)) = hub.queue_place(&player.id).filter(|(waiting_for, _)| *waiting_for == game) {
        let (place, waiting) = (position.place, position.waiting);
        return Ok(json_ok(&json!({"status": "waiting", "position": place, "waiting": waiting})));
    }
    match hub.sittings(&player.id).into_iter().find(|sitting| sitting.game == game) {
        Some(sitting) => {
            let (id, seat) = (sitting.game_id, sitting.seat);
            Ok(json_ok(&json!({"status": "matched", "game_id": id, "game": game, "seat": seat})))
        }
        None => Err(Problem::new(StatusCode::NOT_FOUND, "not_queued", "you are not waiting for that game")),
    }
}

/// Leaves the queue.
pub(in crate::rest) async fn leave(
    State(hub): Shared,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let here = hub.queue_place(&player.id).is_some_and(|(waiting_for, _)| waiting_for == game);
    let left = here && hub.queue_leave(&player.id, None);
    Ok(json_ok(&json!({"success": true, "left": left})))
}
