//! Plays without a socket: answers, undo, rematch.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parlor_core::{Code, HouseCode};
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
            let status = status_of(&code);
            let mut problem = Problem::with(status, code, &message);
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

fn status_of(code: &Code) -> StatusCode {
    use HouseCode as C;
    let Code::House(code) = code else { return StatusCode::UNPROCESSABLE_ENTITY };
    match code {
        C::Stale | C::StaleHead | C::NotAsked | C::Ended | C::Killed | C::Paused => StatusCode::CONFLICT,
        C::KeyReused | C::NoUndo | C::NoMoreActions | C::UndoPending => StatusCode::CONFLICT,
        C::ReadOnly | C::NotStored => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
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
        return Err(Problem::new(StatusCode::CONFLICT, HouseCode::Running, "the match is not over"));
    }
    let (reply, answer) = oneshot::channel();
    let mail = Mail::Rematch { seat, agree, reply: Some(reply) };
    handle.tx.try_send(mail).map_err(|_| Problem::busy())?;
    let agreed = answer.await.map_err(|_| Problem::busy())?;
    Ok(json_ok(&Agreed { agreed: agreed.names, game_id: agreed.game_id }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_says_stale_is_not_a_conflict() {
        for (code, status) in [
            (Code::from(HouseCode::Stale), StatusCode::CONFLICT),
            (Code::from(HouseCode::NotStored), StatusCode::SERVICE_UNAVAILABLE),
            (Code::from("stale"), StatusCode::UNPROCESSABLE_ENTITY),
            (Code::from("not_stored"), StatusCode::UNPROCESSABLE_ENTITY),
        ] {
            assert_eq!(status_of(&code), status, "{code:?}");
        }
    }
}
