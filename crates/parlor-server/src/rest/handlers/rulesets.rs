//! `/rulesets`: publishing games that are data, and following their files.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_store::{RulesetInfo, RulesetState};

use crate::house::hub::Hub;
use crate::house::rulesets::PublishError;
use crate::rest::Shared;
use crate::rest::extract::{account, body_of};
use crate::rest::problem::{Problem, done, json_ok};
use crate::rest::types::{
    RulesetChecked, RulesetMade, RulesetQuery, RulesetReport, RulesetRow, RulesetStatus, RulesetStatusQuery,
    RulesetText, Rulesets, RulesetsQuery, Text,
};

/// Rulesets in a list, unless the caller says.
const RULESETS_PER_PAGE: usize = 50;
/// How long a request may wait for a change of a file, in milliseconds.
const WAIT_MS_MAX: u64 = 60_000;

impl From<PublishError> for Problem {
    fn from(error: PublishError) -> Self {
        let (code, message) = error.words();
        let status = match &error {
            PublishError::Unsupported | PublishError::NotFound => StatusCode::NOT_FOUND,
            PublishError::NotAllowed | PublishError::TakenDown => StatusCode::FORBIDDEN,
            PublishError::NameTaken => StatusCode::CONFLICT,
            PublishError::Invalid(_) | PublishError::InvalidName | PublishError::Staked => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            PublishError::TooManyToday => StatusCode::TOO_MANY_REQUESTS,
            PublishError::TooMany | PublishError::Busy => StatusCode::SERVICE_UNAVAILABLE,
        };
        let mut problem = Self::new(status, code, message);
        if let PublishError::Invalid(findings) = error {
            problem.1.findings = Some(findings);
        }
        problem
    }
}

/// Runs what blocks on the store or compiles, off the threads that serve connections.
async fn blocking<T: Send + 'static>(
    hub: &std::sync::Arc<Hub>,
    work: impl FnOnce(&Hub) -> Result<T, PublishError> + Send + 'static,
) -> Result<T, Problem> {
    let hub = hub.clone();
    let done = tokio::task::spawn_blocking(move || work(&hub)).await;
    Ok(done.unwrap_or(Err(PublishError::Busy))?)
}

/// The rulesets of which tables can be opened, by name.
pub(in crate::rest) async fn list(
    State(hub): Shared,
    Query(asked): Query<RulesetsQuery>,
) -> Result<Response, Problem> {
    let limit = asked.limit.map_or(RULESETS_PER_PAGE, |limit| limit.clamp(1, 200) as usize);
    let after = asked.after;
    let rows = blocking(&hub, move |hub| {
        let (mut after, mut rows): (_, Vec<RulesetRow>) = (after, Vec::new());
        // Those that were withdrawn do not shorten the page.
        while rows.len() < limit {
            let page = hub.store.rulesets(after.as_deref(), limit)?;
            let Some(last) = page.last() else { break };
            after = Some(last.name.clone());
            rows.extend(page.iter().filter(|info| info.state == RulesetState::Listed).map(RulesetRow::from));
        }
        rows.truncate(limit);
        Ok(rows)
    });
    Ok(json_ok(&Rulesets { rulesets: rows.await? }))
}

/// One version of a ruleset with its text: the newest unless the caller names another.
pub(in crate::rest) async fn show(
    State(hub): Shared,
    Path(name): Path<String>,
    Query(asked): Query<RulesetQuery>,
) -> Result<Response, Problem> {
    let wanted = asked.version.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let shown = blocking(&hub, move |hub| {
        let info = hub.store.ruleset(&name)?.ok_or(PublishError::NotFound)?;
        if info.state == RulesetState::TakenDown {
            return Err(PublishError::TakenDown);
        }
        let found = hub.store.ruleset_version(&name, wanted.unwrap_or(info.version))?;
        let found = found.ok_or(PublishError::NotFound)?;
        let row = RulesetRow::from(&RulesetInfo::of(&found, info.state));
        Ok(RulesetText { row, text: found.text })
    });
    Ok(json_ok(&shown.await?))
}

/// The text of a ruleset, as a body has it.
fn ruleset_text(body: &Bytes) -> Result<String, Problem> {
    String::from_utf8(body.to_vec()).map_err(|_| Problem::malformed("a ruleset is text in UTF-8"))
}

/// Says what is wrong with a ruleset, and publishes nothing.
pub(in crate::rest) async fn check(
    State(hub): Shared,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let author = account(&hub, &headers).await?;
    let text = ruleset_text(&body)?;
    let Ok(_turn) = hub.publishing.turns.try_acquire() else { return Err(PublishError::Busy.into()) };
    let found = blocking(&hub, move |hub| {
        if hub.may_publish(&author) { hub.check_ruleset(&text) } else { Err(PublishError::NotAllowed) }
    });
    let found = found.await?;
    let (name, title, warnings) = (found.name, found.title, found.warnings);
    Ok(json_ok(&RulesetChecked { name, title, warnings }))
}

/// Publishes a ruleset.
pub(in crate::rest) async fn publish(
    State(hub): Shared,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let author = account(&hub, &headers).await?;
    let text = ruleset_text(&body)?;
    let Ok(_turn) = hub.publishing.turns.try_acquire() else { return Err(PublishError::Busy.into()) };
    let (info, warnings) = blocking(&hub, move |hub| hub.publish(&author, &text)).await?;
    let made = RulesetMade { row: RulesetRow::from(&info), warnings };
    Ok((StatusCode::CREATED, json_ok(&made)).into_response())
}

/// Withdraws a ruleset of the caller's: no new tables are opened, and those that run go on.
pub(in crate::rest) async fn withdraw(
    State(hub): Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let author = account(&hub, &headers).await?;
    blocking(&hub, move |hub| hub.withdraw(&author, &name)).await?;
    Ok(done())
}

/// Tells the operator that something is wrong with a ruleset.
pub(in crate::rest) async fn report(
    State(hub): Shared,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let by = account(&hub, &headers).await?;
    let RulesetReport { text: Text(said) } = body_of(&body)?;
    blocking(&hub, move |hub| hub.report_ruleset(&by, &name, &said)).await?;
    Ok(done())
}

/// How the file of a ruleset stands; waits for a change after `v`, if the caller says how long.
pub(in crate::rest) async fn status(
    State(hub): Shared,
    Path(name): Path<String>,
    Query(asked): Query<RulesetStatusQuery>,
) -> Result<Response, Problem> {
    let (wait, v) = (asked.wait, asked.v.unwrap_or(0));
    let mut file = hub.ruleset_files.status(&name).ok_or(PublishError::NotFound)?;
    if let Some(wait_ms) = wait {
        // Whatever ends the wait, the caller gets what stands then.
        let changed = file.wait_for(|status| status.v > v);
        let _ = tokio::time::timeout(Duration::from_millis(wait_ms.min(WAIT_MS_MAX)), changed).await;
    }
    let status = file.borrow().clone();
    Ok(json_ok(&RulesetStatus { v: status.v, version: status.version, findings: status.findings }))
}
