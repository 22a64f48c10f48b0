//! `/queue/{game}`: matchmaking without a socket.

use std::net::SocketAddr;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parlor_core::HouseCode;

use crate::house::accounts::Trouble;
use crate::house::matchmaking::QueueRequest;
use crate::rest::Shared;
use crate::rest::extract::{account, body_of};
use crate::rest::handlers::open_tables;
use crate::rest::problem::{Problem, json_ok};
use crate::rest::types::{QueueLeft, QueuePlace, QueueState, QueueWish, UpTo};

/// Joins the queue; repeating the request keeps the place.
pub(in crate::rest) async fn join(
    State(hub): Shared,
    Path(game): Path<String>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let wish: QueueWish = body_of(&body)?;
    if wish.any_seat {
        return open_tables::any_seat(&hub, &game, player, from.ip(), wish).await;
    }
    let fill_ms = wish.fill_with_bots_after_ms.map(|UpTo(ms)| ms as u32);
    let wish = QueueRequest { game, settings: wish.settings, seats: wish.seats, fill_ms };
    let queueing = hub.clone();
    let joined = hub.store_threads.run(move || queueing.queue_join(&player, wish, None, from.ip())).await;
    let (position, tokens) = joined.map_err(|_| Trouble::Busy)?.map_err(|refusal| Problem::of(&refusal))?;
    Ok(json_ok(&QueuePlace::waiting(position.place, position.waiting, Some(tokens))))
}

/// The caller's position, or the match that was found for them.
pub(in crate::rest) async fn place(
    State(hub): Shared,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    if let Some((_, position)) = hub.queue_place(&player.id).filter(|(waiting_for, _)| *waiting_for == game) {
        return Ok(json_ok(&QueuePlace::waiting(position.place, position.waiting, None)));
    }
    match hub.sittings(&player.id).into_iter().find(|sitting| sitting.game == game) {
        Some(sitting) => {
            let found = QueuePlace::found(QueueState::Matched, &sitting.game_id, &game);
            Ok(json_ok(&QueuePlace { seat: Some(sitting.seat), ..found }))
        }
        None => Err(Problem::new(
            StatusCode::NOT_FOUND,
            HouseCode::NotQueued,
            "you are not waiting for that game",
        )),
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
    Ok(json_ok(&QueueLeft { success: true, left }))
}
