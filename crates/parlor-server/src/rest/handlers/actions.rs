//! Plays a game in its own dialect without a socket: lists possible actions, takes one, lists events.

use std::net::SocketAddr;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parlor_core::{HouseCode, Json, Viewer};
use parlor_host::Command;
use parlor_store::{MatchSelector, TableId, TableState};
use serde_json::json;

use super::logs::open_to_gallery;
use super::play::{ask, idempotency_key};
use crate::house::sessions::TableFacts;
use crate::rest::Shared;
use crate::rest::extract::{TableName, bearer, body_of, look, match_number, running_table, seat_of};
use crate::rest::problem::{Problem, json_ok, plain};
use crate::rest::types::{ActionOrder, ActionsQuery, LogQuery, Told, ToldEvent};

/// The caller's possible actions; for one item, if they name what they clicked on; for one action, with the targets
/// chosen so far.
pub(in crate::rest) async fn list(
    State(hub): Shared,
    TableName(id): TableName,
    Query(asked): Query<ActionsQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    if let Some(named) = asked.player_id {
        let own = [seat.index().to_string(), format!("p{}", seat.index())];
        let is_own = look(&handle, move |table, _| {
            own.contains(&named)
                || table.seat_infos().get(seat.index()).is_some_and(|info| info.name == named)
        });
        if !is_own.await? {
            return Err(Problem::forbidden());
        }
    }
    let targets = match &asked.targets {
        None => Json::Null,
        Some(text) => serde_json::from_str(text)
            .ok()
            .filter(Json::is_object)
            .ok_or_else(|| Problem::malformed("targets: a JSON object of names and ids"))?,
    };
    let wanted = json!({"of": asked.of, "action": asked.action, "targets": targets});
    let actions = look(&handle, move |table, _| table.current_match().game().actions(seat, &wanted)).await?;
    let none =
        || Problem::new(StatusCode::NOT_FOUND, HouseCode::NoActions, "this game has no words of its own");
    actions.map(|actions| json_ok(&actions)).ok_or_else(none)
}

/// Takes an action, in any form that the document has for it.
pub(in crate::rest) async fn act(
    State(hub): Shared,
    TableName(id): TableName,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let mut order: ActionOrder = body_of(&body)?;
    if let Some(key) = idempotency_key(&headers) {
        order.more.entry("requestKey").or_insert(json!(key));
    }
    let words = plain(&order);
    let handle = running_table(&hub, &id).await?;
    let seat = seat_of(&hub, &handle, &headers).await?;
    ask(&hub, &handle, |conn| Command::Dialect { seat: Some(seat), conn, name: String::new(), words }).await
}

/// How far a running match is: a reply goes up to here and no further.
struct Reached {
    match_no: u32,
    seq: u32,
    /// The version in the viewer's stream.
    v: Option<u64>,
}

impl Reached {
    fn of(table: &parlor_host::Table, viewer: Viewer) -> Self {
        let play = table.current_match();
        Self { match_no: play.header().match_no, seq: play.next_seq() - 1, v: table.snapshot(viewer).v() }
    }
}

/// The events so far, with their causes, as the caller was sent them: it reveals nothing new. Rows are numbered for
/// the caller, because the log's own numbers count what others do in secret. `v` is the version of the last one in
/// the caller's stream, so that a client that also reads the stream repeats no event and misses none.
pub(in crate::rest) async fn events(
    State(hub): Shared,
    TableName(id): TableName,
    Query(asked): Query<LogQuery>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let viewer = match bearer(&headers) {
        None => Viewer::Gallery,
        Some(_) => {
            let handle = running_table(&hub, &id).await?;
            seat_of(&hub, &handle, &headers).await?.into()
        }
    };
    let name = TableId::new(&id).map_err(|_| Problem::not_found())?;
    let wanted = match_number(asked.match_no);
    let reached = match hub.running(&id) {
        Some(handle) => Some(look(&handle, move |table, _| Reached::of(table, viewer)).await?),
        None => None,
    };
    let reached = reached.filter(|reached| wanted.is_none_or(|wanted| wanted == reached.match_no));
    let v = reached.as_ref().and_then(|reached| reached.v);
    let wanted = wanted.or(reached.as_ref().map(|reached| reached.match_no));
    let last = reached.map_or(u32::MAX, |reached| reached.seq);
    let (store, games) = (hub.store.clone(), hub.clone());
    let place = hub.log_reader(from.ip())?;
    let told = hub.read_log(&place, move || {
        let found = store.read(&name, wanted.map_or(MatchSelector::Last, MatchSelector::Match));
        let found = found.map_err(|_| Problem::busy())?.ok_or_else(Problem::not_found)?;
        let info = store.table(&name).map_err(|_| Problem::busy())?.ok_or_else(Problem::not_found)?;
        if viewer == Viewer::Gallery {
            let facts: TableFacts = serde_json::from_value(info.facts.0).map_err(|_| Problem::busy())?;
            let over = info.state == TableState::Finished || found.header.match_no < info.match_no;
            open_to_gallery(&facts, asked.invite.as_deref(), over)?;
        }
        let def = games.def_of(&found.header).ok_or_else(Problem::not_found)?;
        let started = parlor_core::Match::start(def, found.header);
        let (mut play, applied) = started.map_err(|refusal| Problem::of(&refusal))?;
        let mut told: Vec<ToldEvent> = Vec::new();
        let mut take = |at: u64, events: Vec<(parlor_core::Seats, Json)>| {
            let his = events.into_iter().filter(|(to, _)| to.sees(viewer));
            for (_, event) in his {
                told.push(ToldEvent { at, event, n: told.len() + 1 });
            }
        };
        take(0, applied.events);
        for record in found.records.into_iter().take_while(|record| record.seq <= last) {
            let at = record.at;
            let Ok(mut applied) = play.apply(at, record.by, record.key, record.body) else { break };
            if applied.undone {
                // Every viewer saw the undo.
                applied.events.push((parlor_core::Seats::ALL, json!({"type": "undone"})));
            }
            take(at, applied.events);
        }
        Ok::<_, Problem>(told)
    });
    let told = Told { events: told.await??, id, v };
    let text = serde_json::to_string(&told).expect("a reply is plain data");
    Ok(place.answer("application/json", text))
}
