//! `/games`: the tables as the mahjong document lists them.

use std::net::SocketAddr;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::{Json, Route};

use crate::house::hub::{CreateTable, Hub};
use crate::rest::Shared;
use crate::rest::extract::{bearer, body_of};
use crate::rest::handlers::play::idempotency_key;
use crate::rest::problem::{Problem, json_ok, plain};
use crate::rest::types::{GameMade, GameOrder, GameRow, Games, GamesQuery, Text, UpTo};

/// Seats of the document's tables; others are listed under `/matches` alone (003/R13).
const SEATS: u8 = 4;

/// The largest number of tables in a response, and how many there are unless asked.
const GAMES_MAX: u64 = 1000;
const GAMES: u64 = 100;

pub(in crate::rest) async fn list_games(
    State(hub): Shared,
    Query(asked): Query<GamesQuery>,
) -> Result<Response, Problem> {
    let limit = asked.limit.unwrap_or(GAMES).clamp(1, GAMES_MAX) as usize;
    let after = asked.after;
    let listed = |id: &str, seats: u8| seats == SEATS && after.as_deref().is_none_or(|after| id > after);
    let mut games: Vec<GameRow> = Vec::new();
    for (id, game, people, seats, bots) in hub.all_rooms() {
        if listed(&id, seats) {
            games.push(GameRow {
                game_id: id,
                game,
                player_count: people,
                max_players: seats,
                num_bots: bots,
                started: false,
            });
        }
    }
    for (id, handle) in hub.all_running() {
        let public = &handle.public;
        if listed(&id, public.seats) && !public.private && !public.over.load(Ordering::Acquire) {
            games.push(GameRow {
                game_id: id,
                game: public.game,
                player_count: usize::from(public.seats - public.bots),
                max_players: public.seats,
                num_bots: public.bots,
                started: true,
            });
        }
    }
    games.sort_by(|one, other| one.game_id.cmp(&other.game_id));
    let more = games.len() > limit;
    games.truncate(limit);
    let next = games.last().filter(|_| more).map(|row| row.game_id.clone());
    Ok(json_ok(&Games { games, next }))
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
    let GameOrder { game_id, game, num_bots, bots: chosen_bots, settings } = body_of(body)?;
    let game = game.unwrap_or_else(|| hub.default_game(Route::Games));
    let seats = hub.def(&game).map(|def| def.seats.1.min(SEATS));
    let bots = num_bots.map(|UpTo(bots)| bots as u8);
    let bots = bots.or_else(|| seats.map(|seats| seats.saturating_sub(1).min(3)));
    let order = CreateTable {
        id: game_id.map(|Text(id)| id),
        game,
        settings,
        seats,
        bots,
        chosen_bots,
        address: Some(from.ip()),
        ..CreateTable::default()
    };
    let made = hub.create_table(order).await.map_err(|refusal| Problem::of(&refusal))?;
    let made = GameMade { game_id: made.id, num_bots: made.bots, status: "created" };
    Ok((StatusCode::CREATED, plain(&made)))
}
