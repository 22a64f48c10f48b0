//! The catalog of games, and the API descriptions for programs.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use parlor_core::{GameDef, Json};
use serde_json::json;

use crate::api::{asyncapi, openapi};
use crate::house::hub::{Hub, dry_run_start};
use crate::rest::Shared;
use crate::rest::extract::Asked;
use crate::rest::problem::{Problem, json_ok};
use crate::rest::routes::operations;

/// What a client needs to offer each game: its seats, its settings, and whether there are stakes.
pub(in crate::rest) async fn catalog(State(hub): Shared) -> Response {
    // What measures servers is served and no game that people play.
    let listed = hub.games.all().into_iter().filter(|def| !def.lobby.hidden);
    json_ok(&json!({"games": listed.map(|def| about(&hub, &def)).collect::<Vec<_>>()}))
}

fn about(hub: &Hub, def: &GameDef) -> Json {
    let (min, max) = def.seats;
    let schema = def.settings_schema();
    let staked = match def.identity.and_then(|identity| hub.games.version(def.name, &identity)) {
        Some(published) => published.staked,
        None => schema["properties"].get("stake").is_some() || has_stakes(def),
    };
    let sheet = def.sheet();
    let leagues = def.rating.map_or(&[][..], |rating| rating.leagues);
    json!({
        "name": def.name, "title": def.title, "titles": titles(def.title, sheet.as_ref()),
        "rules": def.rules,
        "seats": {"min": min, "max": max}, "visits": def.visits, "undo": def.undo,
        "settings": def.default_settings(), "schema": schema,
        "rated": def.rating.is_some(), "staked": staked, "ruleset": def.identity.is_some(),
        "bots": def.bots, "openSeating": def.open_seating(&Json::Null),
        "lobby": lobby(def), "published": hub.games.publication(def),
        "leagues": leagues.iter().map(|(key, from)| json!({"key": key, "from": from})).collect::<Vec<_>>(),
    })
}

/// Whether a table of this game stakes tokens under its usual settings.
fn has_stakes(def: &GameDef) -> bool {
    dry_run_start(*def, def.seats.0, &Json::Null).is_ok_and(|stakes| stakes.iter().any(|stake| *stake > 0))
}

fn lobby(def: &GameDef) -> Json {
    let lobby = &def.lobby;
    json!({
        "order": lobby.order, "seats": def.usual_seats(), "settings": lobby.settings.map(|settings| settings()),
        "hidden": lobby.hidden, "tags": lobby.tags, "default_for": lobby.default_for,
    })
}

/// The title in every language that the game's sheet translates it to.
fn titles(title: &str, sheet: Option<&Json>) -> Json {
    let words = sheet.and_then(|sheet| sheet["words"].as_object()).into_iter().flatten();
    let said = words.filter_map(|(language, words)| Some((language.clone(), words.get(title)?.clone())));
    Json::Object(said.collect())
}

/// One game with its sheet, if it has one: what never changes at its tables, for clients that know nothing of the
/// game. Of a ruleset it is the listed version, unless the caller names another by its identity.
pub(in crate::rest) async fn game(
    State(hub): Shared,
    Path(name): Path<String>,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let def = match asked.get("identity") {
        Some(identity) => tokio::task::block_in_place(|| hub.def_with(&name, identity)),
        None => hub.def(&name),
    };
    let def = def.ok_or_else(Problem::not_found)?;
    let mut game = about(&hub, &def);
    game["sheet"] = json!(def.sheet());
    Ok(json_ok(&game))
}

pub(in crate::rest) async fn openapi() -> Response {
    json_ok(&openapi::page("Parlor", &operations()))
}

pub(in crate::rest) async fn asyncapi() -> Response {
    json_ok(&asyncapi::page())
}
