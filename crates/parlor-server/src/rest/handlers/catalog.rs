//! The catalog of games, and the API descriptions for programs.

use std::collections::BTreeMap;

use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use parlor_core::{GameDef, Json};

use crate::api::{ASYNCAPI, OPENAPI};
use crate::house::hub::{Hub, dry_run_start};
use crate::rest::Shared;
use crate::rest::problem::{Problem, json_ok};
use crate::rest::types::{Catalog, CatalogGame, CatalogLobby, GameInfo, GameQuery, League, SeatRange};

/// What a client needs to offer each game: its seats, its settings, and whether there are stakes.
pub(in crate::rest) async fn catalog(State(hub): Shared) -> Response {
    // What measures servers is served and no game that people play.
    let listed = hub.games.all().into_iter().filter(|def| !def.lobby.hidden);
    json_ok(&Catalog { games: listed.map(|def| about(&hub, &def)).collect() })
}

fn about(hub: &Hub, def: &GameDef) -> CatalogGame {
    let (min, max) = def.seats;
    let schema = def.settings_schema();
    let staked = match def.identity.and_then(|identity| hub.games.version(def.name, &identity)) {
        Some(published) => published.staked,
        None => schema["properties"].get("stake").is_some() || has_stakes(def),
    };
    let sheet = def.sheet();
    let text = sheet.as_ref().and_then(|sheet| sheet["text"].as_str()).unwrap_or_default().to_owned();
    let leagues = def.rating.map_or(&[][..], |rating| rating.leagues);
    CatalogGame {
        name: def.name,
        title: def.title,
        titles: in_each_language(def.title, sheet.as_ref()),
        texts: in_each_language(&text, sheet.as_ref()),
        text,
        rules: def.rules,
        seats: SeatRange { min, max },
        settings: def.default_settings(),
        schema,
        rated: def.rating.is_some(),
        staked,
        visits: def.visits,
        leagues: leagues.iter().map(|&(key, from)| League { key, from }).collect(),
        bots: def.bots,
        open_seating: def.open_seating(&Json::Null),
        lobby: lobby(def),
        published: hub.games.publication(def),
        undo: def.undo,
        ruleset: def.identity.is_some(),
    }
}

/// Whether a table of this game stakes tokens under its usual settings.
fn has_stakes(def: &GameDef) -> bool {
    dry_run_start(*def, def.seats.0, &Json::Null).is_ok_and(|stakes| stakes.iter().any(|stake| *stake > 0))
}

fn lobby(def: &GameDef) -> CatalogLobby {
    let lobby = &def.lobby;
    CatalogLobby {
        order: lobby.order,
        seats: def.usual_seats(),
        settings: lobby.settings.map(|settings| settings()).unwrap_or_default(),
        hidden: lobby.hidden,
        tags: lobby.tags,
        default_for: lobby.default_for,
    }
}

/// A text in every language that the game's sheet translates it to.
fn in_each_language(text: &str, sheet: Option<&Json>) -> BTreeMap<String, Json> {
    let words = sheet.and_then(|sheet| sheet["words"].as_object()).into_iter().flatten();
    words.filter_map(|(language, words)| Some((language.clone(), words.get(text)?.clone()))).collect()
}

/// One game with its sheet, if it has one: what never changes at its tables, for clients that know nothing of the
/// game. Of a ruleset it is the listed version, unless the caller names another by its identity.
pub(in crate::rest) async fn game(
    State(hub): Shared,
    Path(name): Path<String>,
    Query(asked): Query<GameQuery>,
) -> Result<Response, Problem> {
    let def = match &asked.identity {
        Some(identity) => tokio::task::block_in_place(|| hub.def_with(&name, identity)),
        None => hub.def(&name),
    };
    let def = def.ok_or_else(Problem::not_found)?;
    let (game, sheet) = (about(&hub, &def), def.sheet().unwrap_or_default());
    Ok(json_ok(&GameInfo { game, sheet }))
}

pub(in crate::rest) async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

pub(in crate::rest) async fn asyncapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], ASYNCAPI).into_response()
}
