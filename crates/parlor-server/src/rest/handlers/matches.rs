//! `/matches`: creates, lists, shows, joins, starts and ends tables.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::{BotChoice, HouseCode, Json, Seat, StopReason, Viewer};
use parlor_host::Command;
use parlor_store::PlayerId;
use tokio::sync::oneshot;

use crate::house::accounts::RIGHT_TO_KILL;
use crate::house::hub::{CreateTable, Hub};
use crate::house::room::registry::RoomJoin;
use crate::house::room::state::TableWishes;
use crate::house::sessions::{fresh_token, hash};
use crate::rest::Shared;
use crate::rest::extract::{TableName, account_if_any, bearer, body_of, look, running_table, seat_of};
use crate::rest::handlers::play::idempotency_key;
use crate::rest::problem::{Problem, done, json_ok, plain};
use crate::rest::types::{
    BotsOrder, JoinOrder, Joined, MatchInfo, MatchMade, MatchOrder, MatchState, OrNull, ReserveOrder,
    SeatReserved, SeatsInfo, Text, UpTo, ViewQuery,
};
use crate::table::{KeepSeat, Mail, SEAT_KEPT, SitDown, TableHandle, describe};

/// How long a request may wait for news, in milliseconds.
const WAIT_MS_MAX: u64 = 60_000;

pub(in crate::rest) async fn create_match(
    State(hub): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let (key, token) = (idempotency_key(&headers), bearer(&headers));
    let caller = (from.ip(), token.as_deref());
    let made = make_match(&hub, from, &headers, &body);
    let (status, made) = hub.idempotency.once(key.as_deref(), caller, &body, made).await?;
    Ok((status, json_ok(&made)).into_response())
}

async fn make_match(
    hub: &Arc<Hub>,
    from: SocketAddr,
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<(StatusCode, Json), Problem> {
    let order: MatchOrder = body_of(body)?;
    let ms = |limited: Option<UpTo<_>>| limited.map(|UpTo(ms)| ms);
    let (bots, chosen_bots) = match order.bots {
        None => (None, Vec::new()),
        Some(BotsOrder::Count(bots)) => (Some(bots), Vec::new()),
        Some(BotsOrder::Chosen(chosen)) => (None, chosen),
    };
    let order = CreateTable {
        player: account_if_any(hub, headers).await?.map(|player| player.id),
        address: Some(from.ip()),
        private: order.private,
        ready_check: order.ready_check,
        spectator_delay_ms: ms(order.spectator_delay_ms).unwrap_or(0),
        id: order.id.map(|Text(id)| id),
        game: order.game,
        settings: order.settings,
        seats: order.seats,
        bots: bots.or(order.num_bots),
        chosen_bots,
        table: TableWishes {
            away_grace_ms: ms(order.away_grace_ms),
            last_human_grace_ms: ms(order.last_human_grace_ms),
            bot_ms: ms(order.bot_ms),
            stand_in: order.stand_in_bot.map(BotChoice::from),
        },
        seed: order.seed.map(|Text(seed)| seed),
    };
    let made = hub.create_table(order).await.map_err(|refusal| Problem::of(&refusal))?;
    let made = MatchMade {
        link: link(&made.id, made.invite.as_deref()),
        id: made.id,
        status: MatchState::Waiting,
        seats: made.seats,
        bots: made.bots,
        owner_token: made.owner_token,
        stake: made.stake,
        invite: made.invite,
    };
    Ok((StatusCode::CREATED, plain(&made)))
}

/// The table's path in the web client.
pub(super) fn link(id: &str, invite: Option<&str>) -> String {
    invite.map_or_else(|| format!("/t/{id}"), |code| format!("/t/{id}?invite={code}"))
}

pub(in crate::rest) fn not_invited() -> Problem {
    Problem::new(StatusCode::FORBIDDEN, HouseCode::NotInvited, "This game is private: it takes an invitation")
}

pub(in crate::rest) async fn view(
    State(hub): Shared,
    TableName(id): TableName,
    Query(asked): Query<ViewQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let ViewQuery { invite, wait, v } = asked;
    if let Some(waiting) = hub.describe_room(&id, invite.as_deref()) {
        return waiting.as_ref().map(json_ok).ok_or_else(not_invited);
    }
    let handle = hub.table(&id).await.ok_or_else(Problem::not_found)?;
    let viewer = match bearer(&headers) {
        Some(_) => Viewer::Seat(seat_of(&hub, &handle, &headers).await?),
        None => Viewer::Gallery,
    };
    if let Some(wait_ms) = wait {
        let (reply, told) = oneshot::channel();
        let mail = Mail::Watch { viewer, v: v.unwrap_or(0), reply };
        handle.tx.send(mail).await.map_err(|_| Problem::busy())?;
        // Whatever ends the wait, the caller gets what stands then.
        let _ = tokio::time::timeout(Duration::from_millis(wait_ms.min(WAIT_MS_MAX)), told).await;
    }
    let shown = look(&handle, move |table, facts| {
        let private = facts.invite.is_some() && facts.invite != invite;
        // A caller who is not seated sees what the gallery sees, which with a spectator delay is nothing.
        let spectator_delay = facts.spectator_delay_ms > 0 && !table.finished();
        let snapshot = match viewer {
            Viewer::Gallery if private => return None,
            Viewer::Gallery if spectator_delay => None,
            viewer => Some(table.snapshot(viewer)),
        };
        Some((describe(table), facts.continued.clone(), *table.current_match().def(), snapshot))
    });
    let (running, continued, def, snapshot) = shown.await?.ok_or_else(not_invited)?;
    Ok(json_ok(&MatchInfo {
        id,
        game: running.game.to_owned(),
        status: if running.over { MatchState::Finished } else { MatchState::Running },
        seats: SeatsInfo::Taken(running.seats),
        seeded: running.seeded,
        ruleset: hub.games.publication(&def),
        players: None,
        bots: None,
        stake: None,
        settings: None,
        private: None,
        match_no: Some(running.match_no),
        paused: Some(OrNull(running.paused)),
        over: Some(running.over),
        continued_from: Some(OrNull(continued)),
        snapshot: Some(OrNull(snapshot)),
    }))
}

pub(in crate::rest) async fn join(
    State(hub): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let JoinOrder { player_name, invite, seat, buy_in } = body_of(&body)?;
    let player = account_if_any(&hub, &headers).await?;
    let name = player.as_ref().map(|player| player.name.clone()).or(player_name.map(|Text(name)| name));
    let name = name.ok_or_else(|| Problem::malformed("player_name has 1 to 50 characters"))?;
    let id = hub.veiled(id, invite.clone(), bearer(&headers)).await?;
    let wish = Seating { name, player: player.map(|player| player.id), invite, seat, buy_in };
    let taken = take_seat(&hub, &id, wish).await?;
    let seat = taken.seat.map(Seat::index);
    Ok(json_ok(&Joined { id, session_token: taken.token, started: taken.started, seat }))
}

/// A seat that was taken, and the token with which its player returns.
pub(super) struct Taken {
    pub(super) token: String,
    pub(super) started: bool,
    /// Only at a table that runs: before, nobody knows where they will sit.
    pub(super) seat: Option<Seat>,
}

/// Takes a seat at a table that waits or runs.
pub(super) async fn take_seat(hub: &Arc<Hub>, id: &str, wish: Seating) -> Result<Taken, Problem> {
    let token = fresh_token();
    let join = RoomJoin {
        name: wish.name.clone(),
        token: token.clone(),
        player: wish.player.clone(),
        invite: wish.invite.clone(),
        buy_in: wish.buy_in,
    };
    match hub.join_room(id, join, None).await {
        Some(Ok(())) => {}
        Some(Err(refusal)) => {
            return Err(Problem::of_seat(&refusal));
        }
        None => {
            let handle = hub.table(id).await.ok_or_else(Problem::not_found)?;
            let seat = sit_down(hub, &handle, wish, &token).await?;
            return Ok(Taken { token, started: true, seat: Some(seat) });
        }
    }
    let start = hub.start_room(id, false).map_err(|refusal| Problem::of(&refusal))?;
    let started = match start.known().await {
        Ok(started) => started,
        // Their place is stored; the table starts when the store takes it.
        Err(refusal) if refusal.has(HouseCode::Busy) => false,
        Err(refusal) => return Err(Problem::of(&refusal)),
    };
    Ok(Taken { token, started, seat: None })
}

/// A wish for a seat.
pub(super) struct Seating {
    pub(super) name: String,
    pub(super) player: Option<PlayerId>,
    pub(super) invite: Option<String>,
    pub(super) seat: Option<u8>,
    pub(super) buy_in: Option<i64>,
}

/// Takes a seat at a table that runs, and waits until that is stored.
pub(super) async fn sit_down(
    hub: &Hub,
    handle: &TableHandle,
    wish: Seating,
    token: &str,
) -> Result<Seat, Problem> {
    let Seating { name, player, invite, seat, buy_in } = wish;
    if seat.is_some_and(|seat| seat >= handle.public.seats) {
        return Err(Problem::new(StatusCode::CONFLICT, HouseCode::UnknownSeat, "there is no such seat"));
    }
    let named = hub.check_name(&name, player.is_some()).await;
    named.map_err(|refusal| Problem::of_seat(&refusal))?;
    let (reply, answer) = oneshot::channel();
    let wish = SitDown {
        conn: hub.new_conn(),
        name,
        token: token.to_owned(),
        player,
        invite,
        seat: seat.map(Seat::new),
        buy_in,
        link: None,
        reply: Some(reply),
    };
    handle.tx.send(Mail::Sit(Box::new(wish))).await.map_err(|_| Problem::busy())?;
    let sat = answer.await.map_err(|_| Problem::busy())?;
    sat.map_err(|refusal| Problem::of_seat(&refusal))
}

/// Keeps a free seat for a minute, while the caller chooses what to bring.
pub(in crate::rest) async fn reserve(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let order: ReserveOrder = body_of(&body)?;
    let token = bearer(&headers).ok_or_else(Problem::unauthorized)?;
    let handle = running_table(&hub, &id).await?;
    let seat = order.seat.filter(|n| *n < handle.public.seats).map(Seat::new);
    let (reply, answer) = oneshot::channel();
    let player = account_if_any(&hub, &headers).await?.map(|player| player.id);
    let mail = Mail::KeepSeat(Box::new(KeepSeat { seat, token, player, reply }));
    handle.tx.send(mail).await.map_err(|_| Problem::busy())?;
    let offer = answer.await.map_err(|_| Problem::busy())?;
    let offer = offer.map_err(|refusal| Problem::of_seat(&refusal))?;
    Ok(json_ok(&SeatReserved {
        seat: offer.seat.index(),
        for_ms: SEAT_KEPT.as_millis() as u64,
        buy_in_min: offer.open.buy_in_min,
        buy_in_max: offer.open.buy_in_max,
        currency: offer.open.money,
    }))
}

pub(in crate::rest) async fn leave(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    handle.tx.send(Mail::GetUp { seat }).await.map_err(|_| Problem::busy())?;
    Ok(done())
}

/// Refuses unless the caller created this table.
pub(in crate::rest) fn owns(headers: &HeaderMap, owner: Option<&str>) -> Result<(), Problem> {
    let token = bearer(headers).ok_or_else(Problem::unauthorized)?;
    if owner == Some(hash(&token).as_str()) { Ok(()) } else { Err(Problem::forbidden()) }
}

pub(in crate::rest) async fn start(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let owner = hub.with_room(&id, |room| room.plan.owner.clone()).ok_or_else(Problem::not_found)?;
    owns(&headers, Some(&owner))?;
    let start = hub.start_room(&id, true).map_err(|refusal| Problem::of(&refusal))?;
    let started = start.known().await.map_err(|refusal| Problem::of(&refusal))?;
    if !started {
        return Err(Problem::new(StatusCode::CONFLICT, HouseCode::NobodyHere, "nobody has joined yet"));
    }
    Ok(done())
}

pub(in crate::rest) async fn kill(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if let Some(owner) = hub.with_room(&id, |room| room.plan.owner.clone()) {
        owns(&headers, Some(&owner))?;
        hub.drop_room(&id);
        return Ok(done());
    }
    let handle = hub.table(&id).await.ok_or_else(Problem::not_found)?;
    let owner = look(&handle, |_, facts| facts.owner.clone()).await?;
    let may = account_if_any(&hub, &headers).await?.is_some_and(|player| player.rights & RIGHT_TO_KILL != 0);
    if !may {
        owns(&headers, owner.as_deref())?;
    }
    let command = Command::Kill { why: StopReason::ByOwner };
    handle
        .tx
        .send(Mail::Do { command: Box::new(command), at: std::time::Instant::now() })
        .await
        .map_err(|_| Problem::busy())?;
    Ok(done())
}
