//! Lists: of tables, and of the players who lead in a game.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use parlor_core::Json;
use parlor_store::{ListOrder, Listing, TableId, TableInfo, TableState};
use serde_json::json;

use super::open_tables;
use crate::house::accounts::Trouble;
use crate::house::hub::Hub;
use crate::house::sessions::{TableFacts, TableResult};
use crate::rest::Shared;
use crate::rest::extract::{Asked, number};
use crate::rest::problem::{Problem, json_ok};

/// The default number of leaders in a response.
const LEADERS: usize = 50;

pub(in crate::rest) async fn list_matches(
    State(hub): Shared,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let limit = number(&asked, "limit")?.unwrap_or(100).clamp(1, 1000) as usize;
    let order = match asked.get("order").map(String::as_str) {
        None | Some("name") => ListOrder::Name,
        Some("newest") => ListOrder::Newest,
        Some(_) => {
            return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed", "order is name or newest"));
        }
    };
    let by_stakes = ["minBet", "seatsFree"].iter().any(|name| asked.contains_key(*name));
    if by_stakes || (asked.contains_key("game") && !asked.contains_key("state")) {
        return open_tables::list(&hub, &asked, limit).await;
    }
    let state = match asked.get("state").map(String::as_str) {
        None => None,
        Some("running") => Some(TableState::Running),
        Some("paused") => Some(TableState::Paused),
        Some("finished") => Some(TableState::Finished),
        Some("waiting") => {
            let after = asked.get("after");
            let mut rooms = hub.all_rooms();
            rooms.sort_by(|(one, ..), (other, ..)| one.cmp(other));
            let waiting: Vec<Json> = rooms
                .into_iter()
                .filter(|(id, ..)| after.is_none_or(|after| *id > *after))
                .filter(|(_, of, ..)| asked.get("game").is_none_or(|game| game == of))
                .take(limit + 1)
                .map(|(id, game, people, seats, bots)| json!({"id": id, "game": game, "status": "waiting", "people": people, "seats": seats, "bots": bots}))
                .collect();
            return Ok(json_ok(&first("matches", waiting, limit)));
        }
        Some(_) => {
            let text = "state is waiting, running, paused or finished";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed", text));
        }
    };
    let after = asked.get("after").and_then(|after| TableId::new(after).ok());
    let listing = Listing { state, game: asked.get("game").cloned(), order, after, limit };
    let listed = hub.blocking(move |hub| {
        let tables = hub.store.tables(&listing)?;
        // A page is full when the store's was: some of its tables may be private.
        let next = tables.last().filter(|_| tables.len() >= limit).map(|info| info.table.to_string());
        let rows: Vec<Json> = tables.iter().filter_map(|info| row(hub, info)).collect();
        Ok::<_, Trouble>((rows, next))
    });
    let (rows, next) = listed.await?;
    Ok(json_ok(&page("matches", rows, next)))
}

/// One page of a list. `next`: what `after` takes for the one after it.
pub(super) fn page(of: &str, rows: Vec<Json>, next: Option<String>) -> Json {
    let mut page = json!({of: rows});
    if let Some(next) = next {
        page["next"] = json!(next);
    }
    page
}

/// One page of a list of tables, cut to its limit; any row beyond that says that there are more.
pub(super) fn first(of: &str, mut rows: Vec<Json>, limit: usize) -> Json {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).and_then(|row| row["id"].as_str()).map(str::to_owned);
    page(of, rows, next)
}

/// A table in a list; none for a private one. Blocks on the store.
fn row(hub: &Hub, info: &TableInfo) -> Option<Json> {
    let status = match info.state {
        TableState::Running => "running",
        TableState::Paused => "paused",
        TableState::Finished => "finished",
    };
    let mut row = json!({"id": info.table.as_str(), "game": info.game, "status": status, "seats": info.seats, "match": info.match_no, "updated": info.updated_ms});
    // What an older build stored may lack its facts.
    let Ok(facts) = serde_json::from_value::<TableFacts>(info.facts.0.clone()) else { return Some(row) };
    if facts.invite.is_some() {
        return None;
    }
    let result = facts.told_result(info.updated_ms, hub.wall_ms());
    row["players"] = json!(hub.names_at(&facts, info.seats, result));
    if let Some(TableResult { places, reason, scores, .. }) = result {
        row["result"] = json!({"places": places, "reason": reason});
        if let Some(scores) = scores {
            row["result"]["scores"] = json!(scores);
        }
    }
    Some(row)
}

/// The players with the highest ratings in a game.
pub(in crate::rest) async fn leaders(
    State(hub): Shared,
    Path(game): Path<String>,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let limit = number(&asked, "limit")?.map_or(LEADERS, |limit| limit.clamp(1, 200) as usize);
    let rated = hub.def(&game).is_some_and(|def| def.rating.is_some());
    if !rated {
        return Err(Problem::new(
            StatusCode::NOT_FOUND,
            "unknown_game",
            "no game of this name rates its players",
        ));
    }
    let leaders = hub
        .blocking(move |hub| {
            let leaders = hub.store.leaders(&game, limit)?.into_iter().map(|(player, standing)| {
                let mut row = serde_json::to_value(hub.rated(standing)).unwrap_or_default();
                row["player_id"] = json!(player.id.as_str());
                row["nickname"] = json!(player.name);
                row["avatar"] = json!(player.avatar);
                row
            });
            Ok::<Vec<Json>, Trouble>(leaders.collect())
        })
        .await?;
    Ok(json_ok(&json!({"leaders": leaders})))
}
