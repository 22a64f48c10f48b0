//! Admin API: players and their tokens, the ledger, the audit log and the store's health.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use parlor_core::Json;
use parlor_store::{AMOUNT_MAX, Owner, PlayerId};
use serde_json::json;

use super::Desk;
use crate::house::accounts::{RIGHTS, Trouble};
use crate::house::stakes;
use crate::rest::extract::body_of;
use crate::rest::problem::{Problem, done, json_ok};
use crate::rest::types::{GrantOrder, HistoryQuery, RightsOrder, Text};

fn named(id: &str) -> Result<PlayerId, Problem> {
    PlayerId::new(id).map_err(|_| Trouble::NoSuchPlayer.into())
}

pub(super) async fn one(State(desk): State<Desk>, Path(id): Path<String>) -> Result<Response, Problem> {
    let id = named(&id)?;
    let matches = desk.hub.sittings(&id);
    let shown = desk
        .hub
        .blocking(move |hub| {
            let player = hub.store.player(&id)?.ok_or(Trouble::NoSuchPlayer)?;
            let mut shown = serde_json::to_value(hub.profile(&player)?).unwrap_or_default();
            shown["created"] = json!(player.created_ms);
            shown["deleted"] = json!(player.deleted_ms);
            Ok(shown)
        })
        .await;
    let mut shown = shown?;
    shown["matches"] = serde_json::to_value(matches).unwrap_or_default();
    Ok(json_ok(&shown))
}

/// Grants tokens; a negative amount burns them. The retry key makes a repeated request safe.
pub(super) async fn tokens(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    let GrantOrder { amount, key: Text(key), why: Text(why) } = body_of(&body)?;
    if !(-AMOUNT_MAX..=AMOUNT_MAX).contains(&amount) {
        return Err(Problem::malformed(&format!("amount is at most {AMOUNT_MAX} either way")));
    }
    let id = named(&id)?;
    desk.note("tokens", json!({"player": id.as_str(), "amount": amount, "key": key, "why": why})).await?;
    let now = desk.hub.blocking(move |hub| hub.grant(&id, amount, &key)).await?;
    Ok(json_ok(&json!({"success": true, "tokens": now})))
}

/// Sets a player's rights.
pub(super) async fn rights(
    State(desk): State<Desk>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Response, Problem> {
    let RightsOrder { rights: wanted } = body_of(&body)?;
    let id = named(&id)?;
    let mut bits = 0;
    for name in &wanted {
        let known = RIGHTS.iter().find(|(known, _)| known == name);
        let (_, bit) = known.ok_or_else(|| Problem::malformed("rights are publish and kill"))?;
        bits |= bit;
    }
    desk.note("rights", json!({"player": id.as_str(), "rights": wanted})).await?;
    desk.hub.blocking(move |hub| hub.set_rights(&id, bits)).await?;
    Ok(done())
}

/// Whether the ledger balances, and the balances of the mint, the house and the burn account.
pub(super) async fn ledger(State(desk): State<Desk>) -> Result<Response, Problem> {
    let shown = desk.hub.blocking(|hub| {
        let of = |owner: Owner| hub.store.balance(&owner, &stakes::tokens());
        let (mint, house, burnt) = (of(Owner::Mint)?, of(Owner::House)?, of(Owner::Burn)?);
        let faults = hub.store.audit()?;
        Ok(json!({
            "currency": "tokens", "minted": -mint, "house": house, "burnt": burnt,
            "balances": faults.is_empty(), "faults": faults,
        }))
    });
    Ok(json_ok(&shown.await?))
}

/// The audit log, newest line first.
pub(super) async fn log(
    State(desk): State<Desk>,
    Query(asked): Query<HistoryQuery>,
) -> Result<Response, Problem> {
    let (before, limit) = (asked.after, asked.limit.unwrap_or(100));
    let lines = desk.hub.blocking(move |hub| Ok(hub.store.audit_lines(before, limit as usize)?)).await?;
    let row = |(no, line): &(u64, parlor_store::AuditLine)| -> Json {
        json!({"no": no, "at": line.at_ms, "what": line.what, "about": line.about})
    };
    Ok(json_ok(&json!({"lines": lines.iter().map(row).collect::<Vec<_>>()})))
}

pub(super) async fn health(State(desk): State<Desk>) -> Response {
    let health = desk.hub.store.health();
    json_ok(&json!({
        "failing": health.failing.map(|error| error.to_string()), "queued": health.queued,
        "flushes": health.flushes, "writes": health.writes, "tables": desk.hub.count(),
    }))
}
