//! Plays without a socket: answers, undo, rematch.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parlor_host::{AnswerTarget, Command, Submit};
use parlor_wire::ServerMessage;
use tokio::sync::oneshot;

use crate::house::hub::Hub;
use crate::rest::Shared;
use crate::rest::extract::{TableName, body_of, running_table, seat_of};
use crate::rest::problem::{Problem, json_ok, plain};
use crate::rest::types::{Agreed, Answered, ProblemStatus, RematchOrder, ResponseOrder, UndoOrder};
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
            Ok(json_ok(&Answered { success: true, branch_id, request_key, ignored }))
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
                problem.1.error = fault.headline();
            }
            problem.1.status = ProblemStatus::Word("error");
            problem.1.branch_id = Some(branch_id);
            problem.1.faults = Some(faults);
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
    let UndoOrder { to, request_key: key } = body_of(&body)?;
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    ask(&hub, &handle, |conn| Command::UndoAs { seat, conn, to, key }).await
}

pub(in crate::rest) async fn respond(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let order: ResponseOrder = body_of(&body)?;
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    let to = match (order.input_id, order.branch_id) {
        (Some(input), _) => AnswerTarget::Input(input),
        (None, Some(head)) => AnswerTarget::Head(head),
        (None, None) => return Err(Problem::malformed("a response names its branchId or its inputId")),
    };
    let key = order.request_key.or_else(|| idempotency_key(&headers));
    let answer = plain(&order.answer);
    ask(&hub, &handle, |conn| Command::SubmitAs { seat, conn, submit: Submit { to, answer, key } }).await
}

/// Agrees to a rematch with the same players: all who sit here must agree.
pub(in crate::rest) async fn rematch(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let RematchOrder { agree } = body_of(&body)?;
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    if !handle.public.over.load(std::sync::atomic::Ordering::Acquire) {
        return Err(Problem::new(StatusCode::CONFLICT, "running", "the match is not over"));
    }
    let (reply, answer) = oneshot::channel();
    let mail = Mail::Rematch { seat, agree, reply: Some(reply) };
    handle.tx.try_send(mail).map_err(|_| Problem::busy())?;
    let agreed = answer.await.map_err(|_| Problem::busy())?;
    Ok(json_ok(&Agreed { agreed: agreed.names, game_id: agreed.game_id }))
}
