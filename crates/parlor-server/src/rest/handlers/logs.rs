//! Finished matches: their logs and replays.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use parlor_core::game::Reveal;
use parlor_core::{GameDef, Header, HouseCode, Seat, Viewer};
use parlor_store::{MatchSelector, StoredMatch, TableId, TableState};

use super::matches::not_invited;
use crate::house::hub::Hub;
use crate::house::log_readers::ReaderPlace;
use crate::house::sessions::TableFacts;
use crate::rest::Shared;
use crate::rest::extract::{TableName, bearer, match_number};
use crate::rest::problem::Problem;
use crate::rest::types::{LogQuery, Replay, ReplayQuery, ReplayStep};

/// Refuses unless the gallery may read what happened at a table: a private one takes an invitation, and one with a
/// spectator delay must be over.
pub(in crate::rest) fn open_to_gallery(
    facts: &TableFacts,
    invite: Option<&str>,
    over: bool,
) -> Result<(), Problem> {
    if facts.invite.is_some() && invite != facts.invite.as_deref() {
        return Err(not_invited());
    }
    if facts.spectator_delay_ms > 0 && !over {
        let text = "the gallery of this table is held back; its log is open once the match is over";
        return Err(Problem::new(StatusCode::CONFLICT, HouseCode::Running, text));
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
    place: &ReaderPlace,
    id: &str,
    match_no: Option<u64>,
    invite: Option<String>,
    headers: &HeaderMap,
) -> Result<StoredMatch, Problem> {
    let name = TableId::new(id).map_err(|_| Problem::not_found())?;
    let which = match_number(match_no).map_or(MatchSelector::Last, MatchSelector::Match);
    let store = hub.store.clone();
    let (shown, token) = (hub.clone(), bearer(headers));
    let read = hub.read_log(place, move || {
        let (info, mut found) = (store.table(&name), store.read(&name, which));
        let mut open = Ok(());
        if let (Ok(Some(info)), Ok(Some(found))) = (&info, &mut found)
            && let Ok(facts) = serde_json::from_value::<TableFacts>(info.facts.0.clone())
        {
            shown.forget_in(&facts, &mut found.header, &mut found.records);
            let his = token.is_some_and(|token| shown.sat_there(&facts, &token));
            open = if his { Ok(()) } else { open_to_gallery(&facts, invite.as_deref(), true) };
        }
        (info, found, open)
    });
    let Ok((Ok(info), Ok(found), open)) = read.await else { return Err(Problem::busy()) };
    open?;
    let (info, found) = info.zip(found).ok_or_else(Problem::not_found)?;
    let over = info.state == TableState::Finished || found.header.match_no < info.match_no;
    if !over {
        return Err(Problem::new(
            StatusCode::CONFLICT,
            HouseCode::Running,
            "the log is open once the match is over",
        ));
    }
    Ok(found)
}

/// Whether a table takes an invitation.
pub(super) async fn is_private(hub: &Arc<Hub>, id: &str) -> Result<bool, Problem> {
    let name = TableId::new(id).map_err(|_| Problem::not_found())?;
    let store = hub.store.clone();
    let read = hub.store_threads.run(move || store.table(&name)).await;
    let info = read.ok().and_then(Result::ok).flatten().ok_or_else(Problem::not_found)?;
    // What does not decode is shown to nobody.
    Ok(serde_json::from_value::<TableFacts>(info.facts.0).map_or(true, |facts| facts.invite.is_some()))
}

pub(in crate::rest) async fn log(
    State(hub): Shared,
    TableName(id): TableName,
    Query(asked): Query<LogQuery>,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let notation = match asked.form.as_deref() {
        None | Some("records") => None,
        Some("events") => {
            return super::actions::events(State(hub), TableName(id), Query(asked), from, headers).await;
        }
        Some(other) if hub.dialects.is_notation(other) => Some(other.to_owned()),
        Some(_) => return Err(unknown_form()),
    };
    let place = hub.log_reader(from.ip())?;
    let found = stored(&hub, &place, &id, asked.match_no, asked.invite, &headers).await?;
    let def = game_of(&hub, &found.header)?;
    if def.reveal == Reveal::Auditor {
        let text = "the log of this game is for the auditor: it would show what players kept to themselves";
        return Err(Problem::new(StatusCode::FORBIDDEN, HouseCode::AuditorOnly, text));
    }
    let games = hub.clone();
    let written = hub.read_log(&place, move || written(&games, def, found, notation));
    let (media, text) = written.await??;
    Ok(place.answer(media, text))
}

/// A log as text, in the house's form or in a notation of its game.
fn written(
    hub: &Hub,
    def: GameDef,
    found: StoredMatch,
    notation: Option<String>,
) -> Result<(&'static str, String), Problem> {
    let mut header = found.header;
    header.house = parlor_core::record::JsonText::default();
    let needs_rules = |why: &str| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, HouseCode::NeedsRules, why);
    let replayed = parlor_core::Match::replay(def, header, found.records);
    let replayed = replayed.map_err(|error| needs_rules(&error.to_string()))?;
    let text = parlor_core::logfile::LogFile::of(&replayed).write();
    let Some(name) = notation else { return Ok(("application/x-ndjson", text)) };
    let write = hub.dialects.notations(def.name);
    let written = write.and_then(|write| write(&name, &text)).ok_or_else(unknown_form)?;
    written.map_err(|error| needs_rules(&error))
}

fn unknown_form() -> Problem {
    let text = "a log can be had as records, as events, or in a notation of its game";
    Problem::new(StatusCode::BAD_REQUEST, HouseCode::Malformed, text)
}

/// A finished match, step by step, as the gallery saw it; or as one seat did, if the game reveals everything at the
/// end.
pub(in crate::rest) async fn replay(
    State(hub): Shared,
    TableName(id): TableName,
    Query(asked): Query<ReplayQuery>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let place = hub.log_reader(from.ip())?;
    let found = stored(&hub, &place, &id, asked.match_no, asked.invite, &headers).await?;
    let def = game_of(&hub, &found.header)?;
    let viewer = match asked.seat.map(|seat| u8::try_from(seat).unwrap_or(u8::MAX)) {
        None => Viewer::Gallery,
        Some(_) if def.reveal == Reveal::Auditor => {
            let text = "what a player of this game saw stays his own, also when it is over";
            return Err(Problem::new(StatusCode::FORBIDDEN, HouseCode::AuditorOnly, text));
        }
        Some(seat) if seat < found.header.seats => Viewer::Seat(Seat::new(seat)),
        Some(_) => {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                HouseCode::UnknownSeat,
                "there is no such seat",
            ));
        }
    };
    let games = hub.clone();
    let text = hub.read_log(&place, move || replayed(&games, def, found, viewer, &id));
    let text = text.await??;
    Ok(place.answer("application/json", text))
}

/// Every step of a match with the viewer's view after it.
fn replayed(
    hub: &Hub,
    def: GameDef,
    found: StoredMatch,
    viewer: Viewer,
    id: &str,
) -> Result<String, Problem> {
    let started = parlor_core::Match::start(def, found.header);
    let (mut play, _) = started.map_err(|refusal| Problem::of(&refusal))?;
    let mut steps = vec![ReplayStep { at: None, events: None, seq: 0, view: play.view(viewer) }];
    for record in found.records {
        let (seq, at) = (record.seq, record.at);
        let applied = play.apply(at, record.by, record.key, record.body);
        let Ok(applied) = applied else { break };
        let seen = applied.events.into_iter().filter(|(to, _)| to.sees(viewer));
        let events = seen.map(|(_, event)| event).collect();
        steps.push(ReplayStep { at: Some(at), events: Some(events), seq, view: play.view(viewer) });
    }
    let (outcome, ruleset) = (play.outcome().cloned(), hub.games.publication(play.def()));
    let replay = Replay { id: id.to_owned(), outcome, ruleset, steps };
    Ok(serde_json::to_string(&replay).expect("a reply is plain data"))
}
