//! Plays without a socket: answers, undo, rematch.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parlor_core::Json;
use parlor_host::{AnswerTarget, Command, Submit};
use parlor_wire::ServerMessage;
use serde_json::json;
use tokio::sync::oneshot;

use crate::api::schemas as s;
use crate::house::hub::Hub;
use crate::rest::Shared;
use crate::rest::extract::{TableName, body_of, running_table, seat_of, text};
use crate::rest::problem::{Problem, json_ok};
use crate::table::{Mail, TableHandle};

/// The retry key of a request, if its header has one.
pub(in crate::rest) fn idempotency_key(headers: &HeaderMap) -> Option<String> {
    headers.get("idempotency-key").and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// Sends a command to the table and waits for its reply.
pub(in crate::rest) async fn ask(
    hub: &Hub,
    handle: &TableHandle,
    make: impl FnOnce(parlor_host::ConnId) -> Command,
) -> Result<Response, Problem> {
    let conn = hub.new_conn();
    let (reply, answer) = oneshot::channel();
    let mail = Mail::Rest { command: Box::new(make(conn)), conn, reply };
    handle.tx.try_send(mail).map_err(|_| Problem::busy())?;
    match answer.await.map_err(|_| Problem::busy())? {
        ServerMessage::Accepted { request_key, branch_id, ignored } => {
            let mut shown = json!({"success": true, "branchId": branch_id, "requestKey": request_key});
            if !ignored.is_empty() {
                shown["ignored"] = json!(ignored);
            }
            Ok(json_ok(&shown))
        }
        ServerMessage::Refused { code, message, faults, branch_id, .. } => {
            let stale = [
                "stale",
                "stale_head",
                "not_asked",
                "ended",
                "killed",
                "paused",
                "key_reused",
                "no_undo",
                "no_more_actions",
                "undo_pending",
            ];
            let status = if stale.contains(&code.as_str()) {
                StatusCode::CONFLICT
            } else {
                StatusCode::UNPROCESSABLE_ENTITY
            };
            let status = if code == "read_only" || code == "not_stored" {
                StatusCode::SERVICE_UNAVAILABLE
            } else {
                status
            };
            let mut problem = Problem::new(status, &code, &message);
            // The documents' own words, with the details beside them.
            if let Some(fault) = faults.first() {
                problem.1["error"] = json!(fault.headline());
            }
            problem.1["status"] = json!("error");
            problem.1["branchId"] = json!(branch_id);
            problem.1["faults"] = serde_json::to_value(faults).unwrap_or_default();
            Err(problem)
        }
        _ => Err(Problem::busy()),
    }
}

pub(in crate::rest) async fn undo(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let body = body_of(s::undo_order, &body)?;
    let to = body.get("to").and_then(Json::as_u64).and_then(|to| u32::try_from(to).ok());
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    let key = body.get("requestKey").and_then(Json::as_str).map(str::to_owned);
    ask(&hub, &handle, |conn| Command::UndoAs { seat, conn, to, key }).await
}

pub(in crate::rest) async fn respond(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let body = body_of(s::response, &body)?;
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    let number = |name: &str| body.get(name).and_then(Json::as_u64).and_then(|n| u32::try_from(n).ok());
    let to = match (number("inputId"), number("branchId")) {
        (Some(input), _) => AnswerTarget::Input(input),
        (None, Some(head)) => AnswerTarget::Head(head),
        (None, None) => {
            let text = "a response names its branchId or its inputId";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed", text));
        }
    };
    let key = text(&body, "requestKey").or_else(|| idempotency_key(&headers));
    let mut answer = body.clone();
    if let Json::Object(map) = &mut answer {
        for name in ["inputId", "branchId", "requestKey"] {
            map.remove(name);
        }
    }
    ask(&hub, &handle, |conn| Command::SubmitAs { seat, conn, submit: Submit { to, answer, key } }).await
}

/// Agrees to a rematch with the same players: all who sit here must agree.
pub(in crate::rest) async fn rematch(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let agree = body_of(s::agree, &body)?.get("agree").and_then(Json::as_bool).unwrap_or(true);
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    if !handle.public.over.load(std::sync::atomic::Ordering::Acquire) {
        return Err(Problem::new(StatusCode::CONFLICT, "running", "the match is not over"));
    }
    let (reply, answer) = oneshot::channel();
    let mail = Mail::Rematch { seat, agree, reply: Some(reply) };
    handle.tx.try_send(mail).map_err(|_| Problem::busy())?;
    let agreed = answer.await.map_err(|_| Problem::busy())?;
    Ok(json_ok(&json!({"agreed": agreed.names, "game_id": agreed.game_id})))
}
