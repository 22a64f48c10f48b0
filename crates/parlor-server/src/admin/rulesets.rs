//! Admin API: takes published rulesets down, and lists them again. Reports about them are in the audit log.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use parlor_store::RulesetState;
use serde_json::json;

use super::Desk;
use crate::house::rulesets::PublishError;
use crate::rest::extract::body_of;
use crate::rest::problem::{Problem, done};
use crate::rest::types::{Reason, Text};

/// No new tables of this ruleset are opened, and its text is no longer shown. Tables that run go on.
pub(super) async fn take_down(
    desk: State<Desk>,
    name: Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    set(desk, name, &body, "ruleset_taken_down", RulesetState::TakenDown).await
}

/// Lists a ruleset again.
pub(super) async fn restore(desk: State<Desk>, name: Path<String>, body: Bytes) -> Result<Response, Problem> {
    set(desk, name, &body, "ruleset_restored", RulesetState::Listed).await
}

async fn set(
    State(desk): State<Desk>,
    Path(name): Path<String>,
    body: &Bytes,
    what: &str,
    state: RulesetState,
) -> Result<Response, Problem> {
    let Reason { why: Text(why) } = body_of(body)?;
    desk.note(what, json!({"ruleset": name, "why": why})).await?;
    let hub = desk.hub.clone();
    let set = tokio::task::spawn_blocking(move || hub.set_ruleset_state(&name, state)).await;
    set.unwrap_or(Err(PublishError::Busy))?;
    Ok(done())
}
