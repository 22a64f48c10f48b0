//! What the owner of a table may do while it runs: pause and resume it, remove a player, change its settings.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parlor_core::{HouseCode, PauseReason, Seat};
use parlor_host::Command;

use super::matches::owns;
use super::play::ask;
use crate::house::hub::Hub;
use crate::rest::Shared;
use crate::rest::extract::{TableName, account_if_any, bearer, body_of, look, running_table};
use crate::rest::problem::{Problem, done};
use crate::rest::types::{RemoveOrder, SettingsOrder};
use crate::table::{Mail, TableHandle};

/// The table, if the caller owns it: by the token they got when they made it, or by their account.
async fn owned(hub: &Arc<Hub>, id: &str, headers: &HeaderMap) -> Result<TableHandle, Problem> {
    if bearer(headers).is_none() {
        return Err(Problem::unauthorized());
    }
    let handle = running_table(hub, id).await?;
    let (owner, player) = look(&handle, |_, facts| (facts.owner.clone(), facts.owner_player.clone())).await?;
    if let Err(problem) = owns(headers, owner.as_deref()) {
        let account = account_if_any(hub, headers).await?;
        let is_owner = |account: &parlor_store::Player| player.as_deref() == Some(account.id.as_str());
        if !account.as_ref().is_some_and(is_owner) {
            return Err(problem);
        }
    }
    Ok(handle)
}

async fn order(handle: &TableHandle, command: Command) -> Result<Response, Problem> {
    let mail = Mail::Do { command: Box::new(command), at: Instant::now() };
    handle.tx.send(mail).await.map_err(|_| Problem::busy())?;
    // The reply comes after the table has done it and stored it.
    look(handle, |_, _| ()).await?;
    Ok(done())
}

fn conflict(code: HouseCode, text: &str) -> Problem {
    Problem::new(StatusCode::CONFLICT, code, text)
}

pub(in crate::rest) async fn pause(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let handle = owned(&hub, &id, &headers).await?;
    let paused = look(&handle, |table, _| table.current_match().paused().is_some()).await?;
    if paused {
        return Err(conflict(HouseCode::Paused, "This game is paused"));
    }
    order(&handle, Command::Pause { why: PauseReason::ByOwner }).await
}

pub(in crate::rest) async fn resume(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let handle = owned(&hub, &id, &headers).await?;
    // Only the owner's own pause is theirs to end.
    let by_owner = |why: &PauseReason| *why == PauseReason::ByOwner;
    if !look(&handle, move |table, _| table.current_match().paused().is_some_and(by_owner)).await? {
        return Err(conflict(HouseCode::NotPaused, "its owner did not pause this game"));
    }
    order(&handle, Command::Resume).await
}

/// Removes a player when the match is over, or lets them stay after all.
pub(in crate::rest) async fn remove(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let handle = owned(&hub, &id, &headers).await?;
    let RemoveOrder { seat, remove: leaving } = body_of(&body)?;
    let seat = Some(seat).filter(|n| *n < handle.public.seats).map(Seat::new);
    let Some(seat) = seat else { return Err(conflict(HouseCode::UnknownSeat, "there is no such seat")) };
    let (taken, comes_and_goes) =
        look(&handle, move |table, _| (!table.free_seats().has(seat), table.current_match().def().visits))
            .await?;
    if !comes_and_goes {
        return Err(conflict(HouseCode::NoVisits, "nobody can come or go here"));
    }
    if !taken {
        return Err(conflict(HouseCode::NotSeated, "nobody sits there"));
    }
    order(&handle, Command::LeaveAfter { seat, leaving }).await
}

/// Changes the settings of the rules from the next match on.
pub(in crate::rest) async fn settings(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let handle = owned(&hub, &id, &headers).await?;
    let SettingsOrder { settings } = body_of(&body)?;
    ask(&hub, &handle, |conn| Command::ChangeSettings { conn, settings }).await
}
