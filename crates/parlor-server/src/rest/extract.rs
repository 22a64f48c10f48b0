//! Helpers that read a request: its body, its token, and the table it is about.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequestParts, Query, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use parlor_core::{HouseCode, Seat};
use parlor_store::Player;
use parlor_wire::Codec;
use serde::de::DeserializeOwned;
use serde_json::json;
use tokio::sync::oneshot;

use super::problem::Problem;
use super::types::InviteQuery;
use crate::house::accounts::Trouble;
use crate::house::hub::Hub;
use crate::house::sessions::TableFacts;
use crate::table::{Mail, TableHandle};

/// Reads a body; a missing one is an empty object.
pub(crate) fn body_of<T: DeserializeOwned>(body: &Bytes) -> Result<T, Problem> {
    let value = if body.is_empty() {
        json!({})
    } else {
        Codec::Json.decode(body).map_err(|why| Problem::malformed(&why.to_string()))?
    };
    if !value.is_object() {
        return Err(Problem::malformed("the body must be object"));
    }
    serde_path_to_error::deserialize(value).map_err(|error| {
        // At the root the path is a dot.
        let (path, why) = (error.path().to_string(), error.inner());
        let why = if path == "." { why.to_string() } else { format!("{path}: {why}") };
        Problem::malformed(&why)
    })
}

/// The number of a match in a query. One that no match can have stays one.
pub(crate) fn match_number(asked: Option<u64>) -> Option<u32> {
    asked.map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

pub(crate) fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(str::to_owned)
}

/// The table that a request names, as its caller may know of it: a private table that they were not invited to has a name
/// that no table has, so that everything answers as if there were none.
pub(crate) struct TableName(pub(crate) String);

impl FromRequestParts<Arc<Hub>> for TableName {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, hub: &Arc<Hub>) -> Result<Self, Problem> {
        let malformed =
            |_| Problem::new(StatusCode::BAD_REQUEST, HouseCode::Malformed, "the address is not UTF-8");
        let params = RawPathParams::from_request_parts(parts, hub).await.map_err(malformed)?;
        let id = params.iter().find(|(name, _)| *name == "id").map(|(_, id)| id.to_owned());
        // The invitation alone: what else is asked for is for the handler to read.
        let asked = Query::<InviteQuery>::from_request_parts(parts, hub).await;
        let invite = asked.ok().and_then(|Query(asked)| asked.invite);
        let named = hub.veiled(id.ok_or_else(Problem::not_found)?, invite, bearer(&parts.headers));
        Ok(Self(named.await?))
    }
}

/// Calls a function with a table, in the table's task.
pub(crate) async fn look<T: Send + 'static>(
    handle: &TableHandle,
    look: impl FnOnce(&parlor_host::Table, &TableFacts) -> T + Send + 'static,
) -> Result<T, Problem> {
    let (tx, rx) = oneshot::channel();
    let mail = Mail::Look(Box::new(move |table, facts| {
        let _ = tx.send(look(table, facts));
    }));
    handle.tx.send(mail).await.map_err(|_| Problem::busy())?;
    rx.await.map_err(|_| Problem::busy())
}

/// A table whose match has started.
pub(super) async fn running_table(hub: &Arc<Hub>, id: &str) -> Result<TableHandle, Problem> {
    match hub.table(id).await {
        Some(handle) => Ok(handle),
        None if hub.with_room(id, |_| ()).is_some() => Err(Problem::not_started()),
        None => Err(Problem::not_found()),
    }
}

/// The caller's seat: by the token of their session or of their account.
pub(super) async fn seat_of(
    hub: &Arc<Hub>,
    handle: &TableHandle,
    headers: &HeaderMap,
) -> Result<Seat, Problem> {
    let token = bearer(headers).ok_or_else(Problem::unauthorized)?;
    let seat = look(handle, move |_, facts| facts.seat_of(&token).map(|session| session.seat)).await?;
    if let Some(seat) = seat {
        heard_of(handle);
        return Ok(seat);
    }
    let player = account_if_any(hub, headers).await?.ok_or_else(Problem::forbidden)?;
    let his =
        look(handle, move |_, facts| facts.seat_of_player(&player.id).map(|session| session.seat)).await?;
    heard_of(handle);
    his.ok_or_else(Problem::forbidden)
}

/// A player who asks for something is there, also without a socket. A table with a full mailbox is in use anyway.
fn heard_of(handle: &TableHandle) {
    let _ = handle.tx.try_send(Mail::HeardOf);
}

/// The account of the request's token.
pub(super) async fn account(hub: &Arc<Hub>, headers: &HeaderMap) -> Result<Player, Problem> {
    let token = bearer(headers).ok_or_else(Problem::unauthorized)?;
    Ok(hub.blocking(move |hub| hub.player_of(&token)).await?)
}

/// The account of the request's token, if there is one; a token that is no player's may be a session's.
pub(super) async fn account_if_any(hub: &Arc<Hub>, headers: &HeaderMap) -> Result<Option<Player>, Problem> {
    let Some(token) = bearer(headers) else { return Ok(None) };
    match hub.blocking(move |hub| hub.player_of(&token)).await {
        Ok(player) => Ok(Some(player)),
        Err(Trouble::Unauthorized) => Ok(None),
        Err(trouble) => Err(trouble.into()),
    }
}
