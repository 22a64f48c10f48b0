//! A table in a form of its game's own, such as a notation. It is made from the caller's view alone: it cannot show more.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use parlor_core::{DialectAction, Json, Viewer};
use parlor_host::Command;
use parlor_wire::ServerMessage;
use serde_json::json;

use super::matches::{Seating, not_invited, sit_down};
use super::play::{ask, idempotency_key};
use crate::house::sessions::fresh_token;
use crate::rest::Shared;
use crate::rest::extract::{TableName, account_if_any, bearer, body_of, look, running_table, seat_of};
use crate::rest::problem::{Problem, json_ok};
use crate::rest::types::{InviteQuery, Joined};

const NAME_CHARS_MAX: usize = 50;

/// The document, as the caller may see it.
pub(in crate::rest) async fn show(
    State(hub): Shared,
    TableName(id): TableName,
    Path((_, name)): Path<(String, String)>,
    Query(asked): Query<InviteQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let handle = running_table(&hub, &id).await?;
    let document = hub.dialects.document(handle.public.game, &name).ok_or_else(Problem::not_found)?;
    let viewer = match bearer(&headers) {
        Some(_) => Viewer::Seat(seat_of(&hub, &handle, &headers).await?),
        None => Viewer::Gallery,
    };
    let invite = asked.invite;
    let snapshot = look(&handle, move |table, facts| {
        let closed = facts.invite.is_some() && facts.invite != invite
            || facts.spectator_delay_ms > 0 && !table.finished();
        (viewer != Viewer::Gallery || !closed).then(|| table.snapshot(viewer))
    });
    let snapshot = snapshot.await?.ok_or_else(not_invited)?;
    let ServerMessage::Snapshot { view, seats, .. } = snapshot else { return Err(Problem::busy()) };
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (media, body) = document(&view, &seats, accept).ok_or_else(Problem::not_found)?;
    Ok(([(header::CONTENT_TYPE, media)], body).into_response())
}

/// The whole document as the caller would have it: what is theirs to change is changed. Whoever has no seat may ask for
/// one so.
pub(in crate::rest) async fn merge(
    State(hub): Shared,
    TableName(id): TableName,
    Path((_, name)): Path<(String, String)>,
    Query(asked): Query<InviteQuery>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let mut words: Json = body_of(&body)?;
    let handle = running_table(&hub, &id).await?;
    hub.dialects.document(handle.public.game, &name).ok_or_else(Problem::not_found)?;
    if bearer(&headers).is_some()
        && let Ok(seat) = seat_of(&hub, &handle, &headers).await
    {
        if words.get("requestKey").is_none()
            && let Some(key) = idempotency_key(&headers)
        {
            words["requestKey"] = json!(key);
        }
        let order = |conn| Command::Dialect { seat: Some(seat), conn, name: String::new(), words };
        return ask(&hub, &handle, order).await;
    }
    let player = account_if_any(&hub, &headers).await?;
    let called = player
        .as_ref()
        .map(|player| player.name.clone())
        .or_else(|| words["author"].as_str().map(str::to_owned));
    let called = called.filter(|name| (1..=NAME_CHARS_MAX).contains(&name.chars().count()));
    let called = called.ok_or_else(Problem::unauthorized)?;
    let guest = called.clone();
    let meant = look(&handle, move |table, _| table.current_match().game().interpret_guest(&guest, &words));
    let meant = meant.await?.ok_or_else(Problem::forbidden)?;
    let DialectAction::Sit { seat, stake } = meant.map_err(|refusal| Problem::of(&refusal))? else {
        return Err(Problem::forbidden());
    };
    let wish = Seating {
        name: called,
        player: player.map(|player| player.id),
        invite: asked.invite,
        seat: seat.map(|seat| seat.index() as u8),
        buy_in: Some(stake),
    };
    let token = fresh_token();
    let seat = sit_down(&hub, &handle, wish, &token).await?;
    Ok(json_ok(&Joined { id, session_token: token, started: true, seat: Some(seat.index()) }))
}
