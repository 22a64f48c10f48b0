//! Finished matches: their logs and replays.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use parlor_core::game::Reveal;
use parlor_core::{GameDef, Header, Json, Seat, Viewer};
use parlor_store::{MatchSelector, TableId, TableState};
use serde_json::json;

use super::matches::not_invited;
use crate::house::hub::Hub;
use crate::house::sessions::TableFacts;
use crate::rest::Shared;
use crate::rest::extract::{Asked, bearer, number};
use crate::rest::problem::{Problem, json_ok};

/// Refuses unless the gallery may read what happened at a table: a private one takes an invitation, and one with a
/// spectator delay must be over.
pub(in crate::rest) fn open_to_gallery(
    facts: &TableFacts,
    asked: &BTreeMap<String, String>,
    over: bool,
) -> Result<(), Problem> {
    if facts.invite.is_some() && asked.get("invite") != facts.invite.as_ref() {
        return Err(not_invited());
    }
    if facts.spectator_delay_ms > 0 && !over {
        let text = "the gallery of this table is held back; its log is open once the match is over";
        return Err(Problem::new(StatusCode::CONFLICT, "running", text));
    }
    Ok(())
}

impl Hub {
    /// Whether this is the token of a player who sits or sat there. Blocks on the store.
    fn sat_there(&self, facts: &TableFacts, token: &str) -> bool {
        let sat = |id: &str| facts.players.iter().flatten().any(|player| player == id);
        facts.seat_of(token).is_some() || self.player_of(token).is_ok_and(|player| sat(player.id.as_str()))
    }
}

/// The game that a stored match was begun with. A version of a ruleset that is not in memory is loaded.
pub(in crate::rest) fn game_of(hub: &Hub, header: &Header) -> Result<GameDef, Problem> {
    tokio::task::block_in_place(|| hub.def_of(header)).ok_or_else(Problem::not_found)
}

/// The log of a finished match. The log of a running one would reveal every seat's secrets.
pub(in crate::rest) async fn stored(
    hub: &Arc<Hub>,
    id: &str,
    asked: &BTreeMap<String, String>,
    headers: &HeaderMap,
) -> Result<parlor_store::StoredMatch, Problem> {
    let name = TableId::new(id).map_err(|_| Problem::not_found())?;
    let wanted = number(asked, "match")?.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let which = wanted.map_or(MatchSelector::Last, MatchSelector::Match);
    let store = hub.store.clone();
    let (shown, asked, token) = (hub.clone(), asked.clone(), bearer(headers));
    let read = tokio::task::spawn_blocking(move || {
        let (info, mut found) = (store.table(&name), store.read(&name, which));
        let mut open = Ok(());
        if let (Ok(Some(info)), Ok(Some(found))) = (&info, &mut found)
            && let Ok(facts) = serde_json::from_value::<TableFacts>(info.facts.0.clone())
        {
            shown.forget_in(&facts, &mut found.header, &mut found.records);
            let his = token.is_some_and(|token| shown.sat_there(&facts, &token));
            open = if his { Ok(()) } else { open_to_gallery(&facts, &asked, true) };
        }
        (info, found, open)
    });
    let Ok((Ok(info), Ok(found), open)) = read.await else { return Err(Problem::busy()) };
    open?;
    let (info, found) = info.zip(found).ok_or_else(Problem::not_found)?;
    let over = info.state == TableState::Finished || found.header.match_no < info.match_no;
    if !over {
        return Err(Problem::new(StatusCode::CONFLICT, "running", "the log is open once the match is over"));
    }
    Ok(found)
}

/// Whether a table takes an invitation.
pub(super) async fn is_private(hub: &Arc<Hub>, id: &str) -> Result<bool, Problem> {
    let name = TableId::new(id).map_err(|_| Problem::not_found())?;
    let store = hub.store.clone();
    let read = tokio::task::spawn_blocking(move || store.table(&name)).await;
    let info = read.ok().and_then(Result::ok).flatten().ok_or_else(Problem::not_found)?;
    // What does not decode is shown to nobody.
    Ok(serde_json::from_value::<TableFacts>(info.facts.0).map_or(true, |facts| facts.invite.is_some()))
}

pub(in crate::rest) async fn log(
    State(hub): Shared,
    Path(id): Path<String>,
    Query(asked): Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let notation = match asked.get("as").map(String::as_str) {
        None | Some("records") => None,
        Some("events") => return super::actions::events(State(hub), Path(id), Query(asked), headers).await,
        Some(other) if hub.dialects.is_notation(other) => Some(other.to_owned()),
        Some(_) => return Err(unknown_form()),
    };
    let found = stored(&hub, &id, &asked, &headers).await?;
    let def = game_of(&hub, &found.header)?;
    if def.reveal == Reveal::Auditor {
        let text = "the log of this game is for the auditor: it would show what players kept to themselves";
        return Err(Problem::new(StatusCode::FORBIDDEN, "auditor_only", text));
    }
    let mut header = found.header.clone();
    header.house = parlor_core::record::JsonText::default();
    let replayed = parlor_core::Match::replay(def, header, found.records);
    let replayed = replayed
        .map_err(|e| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "needs_rules", &e.to_string()))?;
    let text = parlor_core::logfile::LogFile::of(&replayed).write();
    let (media, text) = match notation {
        None => ("application/x-ndjson", text),
        Some(name) => {
            let write = hub.dialects.notations(def.name);
            let written = write.and_then(|write| write(&name, &text)).ok_or_else(unknown_form)?;
            written.map_err(|e| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "needs_rules", &e))?
        }
    };
    Ok(([(header::CONTENT_TYPE, media)], text).into_response())
}

fn unknown_form() -> Problem {
    let text = "a log can be had as records, as events, or in a notation of its game";
    Problem::new(StatusCode::BAD_REQUEST, "malformed", text)
}

/// A finished match, step by step, as the gallery saw it; or as one seat did, if the game reveals everything at the
/// end.
pub(in crate::rest) async fn replay(
    State(hub): Shared,
    Path(id): Path<String>,
    Query(asked): Asked,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let found = stored(&hub, &id, &asked, &headers).await?;
    let def = game_of(&hub, &found.header)?;
    let seat = number(&asked, "seat")?;
    let viewer = match seat.map(|seat| u8::try_from(seat).unwrap_or(u8::MAX)) {
        None => Viewer::Gallery,
        Some(_) if def.reveal == Reveal::Auditor => {
            let text = "what a player of this game saw stays his own, also when it is over";
            return Err(Problem::new(StatusCode::FORBIDDEN, "auditor_only", text));
        }
        Some(seat) if seat < found.header.seats => Viewer::Seat(Seat::new(seat)),
        Some(_) => {
            return Err(Problem::new(StatusCode::BAD_REQUEST, "unknown_seat", "there is no such seat"));
        }
    };
    let started = parlor_core::Match::start(def, found.header);
    let (mut play, _) = started.map_err(|refusal| Problem::of(&refusal))?;
    let mut steps = vec![json!({"seq": 0, "view": play.view(viewer)})];
    for record in found.records {
        let (seq, at) = (record.seq, record.at);
        let applied = play.apply(at, record.by, record.key, record.body);
        let Ok(applied) = applied else { break };
        let events: Vec<&Json> =
            applied.events.iter().filter(|(to, _)| to.sees(viewer)).map(|(_, e)| e).collect();
        steps.push(json!({"seq": seq, "at": at, "events": events, "view": play.view(viewer)}));
    }
    let ruleset = hub.games.publication(play.def());
    Ok(json_ok(&json!({"id": id, "steps": steps, "outcome": play.outcome(), "ruleset": ruleset})))
}
