//! Admin API: lists tables and gives them orders.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use parlor_core::{HouseCode, Json, Repair, Seat, Viewer};
use parlor_host::Command;
use serde_json::json;

use super::Desk;
use crate::rest::extract::{self, body_of};
use crate::rest::problem::{Problem, done, json_ok, plain};
use crate::rest::types::{DrainOrder, LeadersQuery, LookOrder, Reason, Text};
use crate::table::{Mail, TableHandle, describe};

/// Every table in memory and every room.
pub(super) async fn list(
    State(desk): State<Desk>,
    Query(asked): Query<LeadersQuery>,
) -> Result<Response, Problem> {
    let limit = asked.limit.unwrap_or(1000) as usize;
    let tables: Vec<Json> = desk
        .hub
        .all_running()
        .into_iter()
        .take(limit)
        .map(|(id, handle)| {
            let public = &handle.public;
            let over = public.over.load(std::sync::atomic::Ordering::Acquire);
            json!({"id": id, "game": public.game, "seats": public.seats, "bots": public.bots, "over": over})
        })
        .collect();
    let rooms: Vec<String> = desk.hub.room_names();
    Ok(json_ok(&json!({
        "tables": tables, "rooms": rooms, "queued": desk.hub.queue_len(), "draining": desk.hub.draining(),
    })))
}

/// Describes a table: its players and the kinds of its open requests, but not which seat has which request, which may
/// be secret.
pub(super) async fn one(State(desk): State<Desk>, Path(id): Path<String>) -> Result<Response, Problem> {
    let handle = at(&desk, &id).await?;
    let mut shown = extract::look(&handle, |table, facts| {
        let mut shown = plain(&describe(table));
        let play = table.current_match();
        let stands: Vec<String> =
            play.open_asks().iter().map(|ask| format!("{:?}", ask.kind).to_lowercase()).collect();
        shown["stands"] = json!(stands);
        shown["players"] = json!(facts.players);
        shown["staked"] = json!(facts.staked);
        shown["rated"] = json!(facts.rated);
        shown["records"] = json!(play.record_count());
        shown["onTable"] = json!(play.posted_escrow());
        shown["paused"] = json!(play.paused());
        shown["broken"] = json!(
            play.game().broken_invariant().map(|broken| json!({"why": broken.why, "item": broken.item}))
        );
        shown
    })
    .await?;
    shown["id"] = json!(id);
    Ok(json_ok(&shown))
}

async fn at(desk: &Desk, id: &str) -> Result<TableHandle, Problem> {
    desk.hub.table(id).await.ok_or_else(Problem::not_found)
}

async fn order(
    desk: &Desk,
    id: &str,
    what: &str,
    body: &Bytes,
    command: fn(String) -> Command,
) -> Result<Response, Problem> {
    let Reason { why: Text(why) } = body_of(body)?;
    let handle = at(desk, id).await?;
    desk.note(what, json!({"table": id, "why": why})).await?;
    let mail = Mail::Do { command: Box::new(command(why)), at: std::time::Instant::now() };
    handle.tx.send(mail).await.map_err(|_| Problem::busy())?;
    Ok(done())
}

pub(super) async fn pause(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    order(&desk, &id, "pause", &body, |why| Command::Pause { why: why.into() }).await
}

pub(super) async fn resume(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    order(&desk, &id, "resume", &body, |_| Command::Resume).await
}

/// Ends a table and refunds every stake. A room is closed.
pub(super) async fn kill(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    if desk.hub.with_room(&id, |_| ()).is_some() {
        let Reason { why: Text(why) } = body_of(&body)?;
        desk.note("kill", json!({"room": id, "why": why})).await?;
        desk.hub.drop_room(&id);
        return Ok(done());
    }
    order(&desk, &id, "kill", &body, |why| Command::Kill { why: why.into() }).await
}

/// Expires the clock that would run out next.
pub(super) async fn expire(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    order(&desk, &id, "expire", &body, |_| Command::Expire).await
}

/// Fails the item that is resolving and takes it back, so that play goes on: for a table with a broken invariant.
pub(super) async fn fail(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    broken(&desk, &id, true).await?;
    order(&desk, &id, "fail", &body, |why| Command::Repair { how: Repair::Fail, why }).await
}

/// Ends the match as a draw: for a table with a broken invariant.
pub(super) async fn draw(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    broken(&desk, &id, false).await?;
    order(&desk, &id, "draw", &body, |why| Command::Repair { how: Repair::Draw, why }).await
}

/// Refuses unless the table has a broken invariant, and, with `item`, unless an item can be taken back.
async fn broken(desk: &Desk, id: &str, item: bool) -> Result<(), Problem> {
    let handle = at(desk, id).await?;
    let found = extract::look(&handle, |table, _| table.current_match().game().broken_invariant()).await?;
    let not = |code, text| Err(Problem::new(axum::http::StatusCode::CONFLICT, code, text));
    match found {
        None => not(HouseCode::NotBroken, "nothing is broken here"),
        Some(broken) if item && broken.item.is_none() => {
            not(HouseCode::NoItem, "nothing resolves that could fail: end it as a draw, or kill it")
        }
        Some(_) => Ok(()),
    }
}

/// One seat's view. This is the only way to see another seat's secrets, and it is in the audit log before anything is
/// shown.
pub(super) async fn look(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    let LookOrder { seat, why: Text(why) } = body_of(&body)?;
    let handle = at(&desk, &id).await?;
    if seat >= handle.public.seats {
        return Err(Problem::new(
            axum::http::StatusCode::NOT_FOUND,
            HouseCode::UnknownSeat,
            "there is no such seat",
        ));
    }
    desk.note("look", json!({"table": id, "seat": seat, "why": why})).await?;
    let snapshot =
        extract::look(&handle, move |table, _| table.snapshot(Viewer::Seat(Seat::new(seat)))).await?;
    Ok(json_ok(&snapshot))
}

/// Stops or allows new tables. Running tables go on either way.
pub(super) async fn drain(State(desk): State<Desk>, body: Bytes) -> Result<Response, Problem> {
    let DrainOrder { on } = body_of(&body)?;
    desk.note("drain", json!({"on": on})).await?;
    desk.hub.set_draining(on);
    Ok(json_ok(&json!({"success": true, "draining": on, "tables": desk.hub.count()})))
}
