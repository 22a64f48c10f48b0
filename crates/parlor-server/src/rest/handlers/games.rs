//! `/games`: the tables as the mahjong document lists them.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::{Json, Route};
use serde_json::json;

use super::matches::chosen_bots;
use crate::api::schemas as s;
use crate::house::hub::{CreateTable, Hub};
use crate::rest::Shared;
use crate::rest::extract::{Asked, bearer, body_of, number, small, text};
use crate::rest::handlers::lists::page;
use crate::rest::handlers::play::idempotency_key;
use crate::rest::problem::{Problem, json_ok};

/// Seats of the document's tables; others are listed under `/matches` alone (003/R13).
const SEATS: u8 = 4;

/// The largest number of tables in a response, and how many there are unless asked.
const GAMES_MAX: u64 = 1000;
const GAMES: u64 = 100;

pub(in crate::rest) async fn list_games(
    State(hub): Shared,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let limit = number(&asked, "limit")?.unwrap_or(GAMES).clamp(1, GAMES_MAX) as usize;
    let after = asked.get("after");
    let listed = |id: &str, seats: u8| seats == SEATS && after.is_none_or(|after| id > after.as_str());
    let mut games: Vec<(String, Json)> = Vec::new();
    for (id, game, people, seats, bots) in hub.all_rooms() {
        if listed(&id, seats) {
            let row = json!({"game_id": id, "game": game, "player_count": people, "max_players": seats, "num_bots": bots, "started": false});
            games.push((id, row));
        }
    }
    for (id, handle) in hub.all_running() {
        let public = &handle.public;
        if listed(&id, public.seats) && !public.private && !public.over.load(Ordering::Acquire) {
            let people = public.seats - public.bots;
            let row = json!({"game_id": id, "game": public.game, "player_count": people, "max_players": public.seats, "num_bots": public.bots, "started": true});
            games.push((id, row));
        }
    }
    games.sort_by(|(one, _), (other, _)| one.cmp(other));
    let more = games.len() > limit;
    games.truncate(limit);
    let next = games.last().filter(|_| more).map(|(id, _)| id.clone());
    let rows: Vec<Json> = games.into_iter().map(|(_, row)| row).collect();
    Ok(json_ok(&page("games", rows, next)))
}

pub(in crate::rest) async fn create_game(
    State(hub): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let (key, token) = (idempotency_key(&headers), bearer(&headers));
    let caller = (from.ip(), token.as_deref());
    let made = make_game(&hub, from, &body);
    let (status, made) = hub.idempotency.once(key.as_deref(), caller, &body, made).await?;
    Ok((status, json_ok(&made)).into_response())
}

async fn make_game(hub: &Hub, from: SocketAddr, body: &Bytes) -> Result<(StatusCode, Json), Problem> {
    let body = body_of(s::game_order, body)?;
    let game = text(&body, "game").unwrap_or_else(|| hub.default_game(Route::Games));
    let seats = hub.def(&game).map(|def| def.seats.1.min(SEATS));
    let bots = small(&body, "num_bots");
    let bots = bots.or_else(|| seats.map(|seats| seats.saturating_sub(1).min(3)));
    let settings = body.get("settings").cloned().unwrap_or(Json::Null);
    let order = CreateTable {
        id: text(&body, "game_id"),
        game,
        settings,
        seats,
        bots,
        chosen_bots: chosen_bots(&body)?,
        address: Some(from.ip()),
        ..CreateTable::default()
    };
    let made = hub.create_table(order).await.map_err(|refusal| Problem::of(&refusal))?;
    let body = json!({"game_id": made.id, "num_bots": made.bots, "status": "created"});
    Ok((StatusCode::CREATED, body))
}
