//! Matches that are over: their logs, and what the gallery saw.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use parlor_core::game::Reveal;
use parlor_core::{Json, Seat, Viewer};
use parlor_store::{TableId, TableState, Which};
use serde_json::json;

use super::Shared;
use super::ask::{Asked, number};
use super::problem::{Problem, json_ok};
use crate::hub::Hub;

/// The log of a match that is over. While it runs it would tell everybody's secrets.
pub(super) async fn stored(
    hub: &Arc<Hub>,
    id: &str,
    asked: &BTreeMap<String, String>,
) -> Result<parlor_store::StoredMatch, Problem> {
    let name = TableId::new(id).map_err(|_| Problem::not_found())?;
    let wanted = number(asked, "match")?.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let which = wanted.map_or(Which::Last, Which::Match);
    let store = hub.store.clone();
    let read = tokio::task::spawn_blocking(move || (store.table(&name), store.read(&name, which))).await;
    let Ok((Ok(info), Ok(found))) = read else { return Err(Problem::busy()) };
    let (info, found) = info.zip(found).ok_or_else(Problem::not_found)?;
    let over = info.state == TableState::Finished || found.header.match_no < info.match_no;
    if !over {
        return Err(Problem::new(StatusCode::CONFLICT, "running", "the log is open once the match is over"));
    }
    Ok(found)
}

pub(super) async fn log(
    State(hub): Shared,
    Path(id): Path<String>,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let found = stored(&hub, &id, &asked).await?;
    let entry = hub.entry(&found.header.game).ok_or_else(Problem::not_found)?;
    if entry.reveal == Reveal::Auditor {
        let text = "the log of this game is for the auditor: it would show what players kept to themselves";
        return Err(Problem::new(StatusCode::FORBIDDEN, "auditor_only", text));
    }
    let mut header = found.header.clone();
    header.house = parlor_core::record::Aside::default();
    let replayed = parlor_core::Match::replay(entry, header, found.records);
    let replayed = replayed
        .map_err(|e| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "needs_rules", &e.to_string()))?;
    Ok((
        [(header::CONTENT_TYPE, "application/x-ndjson")],
        parlor_core::logfile::LogFile::of(&replayed).write(),
    )
        .into_response())
}

/// A match that is over, step by step, as the gallery saw it; or as one seat did, where the game opens everything at the
/// end.
pub(super) async fn replay(
    State(hub): Shared,
    Path(id): Path<String>,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let found = stored(&hub, &id, &asked).await?;
    let entry = hub.entry(&found.header.game).ok_or_else(Problem::not_found)?;
    // Through whose eyes: nobody's are the gallery's.
    let viewer = match number(&asked, "seat")?.map(|seat| u8::try_from(seat).unwrap_or(u8::MAX)) {
        None => Viewer::Gallery,
        Some(_) if entry.reveal == Reveal::Auditor => {
            let text = "what a player of this game saw stays his own, also when it is over";
            return Err(Problem::new(StatusCode::FORBIDDEN, "auditor_only", text));
        }
        Some(seat) if seat < found.header.seats => Viewer::Seat(Seat::new(seat)),
        Some(_) => {
            return Err(Problem::new(StatusCode::BAD_REQUEST, "unknown_seat", "there is no such seat"));
        }
    };
    let started = parlor_core::Match::start(entry, found.header);
    let (mut play, _) = started.map_err(|refusal| Problem::of(&refusal))?;
    let mut steps = vec![json!({"seq": 0, "view": play.seen(viewer)})];
    for record in found.records {
        let (seq, at) = (record.seq, record.at);
        let applied = play.apply(at, record.by, record.key, record.body);
        let Ok(applied) = applied else { break };
        let events: Vec<&Json> =
            applied.events.iter().filter(|(to, _)| to.sees(viewer)).map(|(_, e)| e).collect();
        steps.push(json!({"seq": seq, "at": at, "events": events, "view": play.seen(viewer)}));
    }
    Ok(json_ok(&json!({"id": id, "steps": steps, "outcome": play.outcome()})))
}
