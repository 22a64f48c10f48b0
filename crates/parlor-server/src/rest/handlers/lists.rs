//! Lists: of tables, and of the players who lead in a game.

use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use parlor_core::HouseCode;
use parlor_store::{ListOrder, Listing, TableId, TableInfo, TableState};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::open_tables;
use crate::house::accounts::Trouble;
use crate::house::hub::Hub;
use crate::house::sessions::TableFacts;
use crate::rest::Shared;
use crate::rest::problem::{Problem, json_ok};
use crate::rest::types::{
    Leader, Leaders, LeadersQuery, MatchRow, MatchState, Matches, MatchesQuery, TableOrder, TableResult,
};

/// For so long a list waits for the scores of its tables.
const SCORES_WITHIN: Duration = Duration::from_millis(200);

/// The default number of leaders in a response.
const LEADERS: usize = 50;

pub(in crate::rest) async fn list_matches(
    State(hub): Shared,
    Query(asked): Query<MatchesQuery>,
) -> Result<Response, Problem> {
    let limit = asked.limit.unwrap_or(100).clamp(1, 1000) as usize;
    let order = match asked.order {
        None | Some(TableOrder::Name) => ListOrder::Name,
        Some(TableOrder::Newest) => ListOrder::Newest,
    };
    let by_stakes = asked.min_bet.is_some() || asked.seats_free.is_some();
    if by_stakes || (asked.game.is_some() && asked.state.is_none()) {
        return open_tables::list(&hub, &asked, limit).await;
    }
    let state = match asked.state {
        None => None,
        Some(MatchState::Running) => Some(TableState::Running),
        Some(MatchState::Paused) => Some(TableState::Paused),
        Some(MatchState::Finished) => Some(TableState::Finished),
        Some(MatchState::Waiting) => {
            let after = asked.after;
            let mut rooms = hub.all_rooms();
            rooms.sort_by(|(one, ..), (other, ..)| one.cmp(other));
            let waiting = rooms
                .into_iter()
                .filter(|(id, ..)| after.as_ref().is_none_or(|after| id > after))
                .filter(|(_, of, ..)| asked.game.as_ref().is_none_or(|game| game == *of))
                .take(limit + 1)
                .map(|(id, game, people, seats, bots)| MatchRow {
                    people: Some(people),
                    bots: Some(bots),
                    ..MatchRow::new(id, game.to_owned(), MatchState::Waiting, seats)
                });
            return Ok(json_ok(&Matches::first(waiting.collect(), limit)));
        }
    };
    let after = asked.after.and_then(|after| TableId::new(&after).ok());
    let listing = Listing { state, game: asked.game, order, after, limit };
    let listed = hub.blocking(move |hub| {
        let tables = hub.store.tables(&listing)?;
        // A page is full when the store's was: some of its tables may be private.
        let next = tables.last().filter(|_| tables.len() >= limit).map(|info| info.table.to_string());
        let matches = tables.iter().filter_map(|info| row(hub, info)).collect();
        Ok::<_, Trouble>(Matches { matches, next })
    });
    let mut listed = listed.await?;
    add_scores(&hub, &mut listed.matches).await;
    Ok(json_ok(&listed))
}

/// Adds what everybody may see of the score of those that run. A table that has no time for it just now has none.
async fn add_scores(hub: &Hub, rows: &mut [MatchRow]) {
    let mut asked = JoinSet::new();
    for (n, row) in rows.iter().enumerate() {
        if matches!(row.status, MatchState::Running | MatchState::Paused)
            && let Some(table) = hub.running(&row.id)
        {
            asked.spawn(async move { (n, table.shown_scores().await) });
        }
    }
    let until = Instant::now() + SCORES_WITHIN;
    while let Ok(Some(told)) = timeout_at(until, asked.join_next()).await {
        if let Ok((n, scores)) = told {
            rows[n].scores = scores;
        }
    }
}

/// A table in a list; none for a private one. Blocks on the store.
fn row(hub: &Hub, info: &TableInfo) -> Option<MatchRow> {
    let mut row = MatchRow {
        match_no: Some(info.match_no),
        updated: Some(info.updated_ms),
        ..MatchRow::new(info.table.to_string(), info.game.clone(), info.state.into(), info.seats)
    };
    // What an older build stored may lack its facts.
    let Ok(facts) = serde_json::from_value::<TableFacts>(info.facts.0.clone()) else { return Some(row) };
    if facts.invite.is_some() {
        return None;
    }
    let result = facts.told_result(info.updated_ms, hub.wall_ms());
    row.players = Some(hub.names_at(&facts, info.seats, result));
    row.result = result.map(|result| TableResult {
        places: result.places.clone(),
        reason: result.reason.clone(),
        scores: result.scores.clone(),
    });
    Some(row)
}

/// The players with the highest ratings in a game.
pub(in crate::rest) async fn leaders(
    State(hub): Shared,
    Path(game): Path<String>,
    Query(asked): Query<LeadersQuery>,
) -> Result<Response, Problem> {
    let limit = asked.limit.map_or(LEADERS, |limit| limit.clamp(1, 200) as usize);
    let rated = hub.def(&game).is_some_and(|def| def.rating.is_some());
    if !rated {
        return Err(Problem::new(
            StatusCode::NOT_FOUND,
            HouseCode::UnknownGame,
            "no game of this name rates its players",
        ));
    }
    let leaders = hub
        .blocking(move |hub| {
            let leaders = hub.store.leaders(&game, limit)?.into_iter().map(|(player, standing)| Leader {
                player_id: player.id.to_string(),
                nickname: player.name,
                avatar: player.avatar,
                rated: hub.rated(standing),
            });
            Ok::<_, Trouble>(Leaders { leaders: leaders.collect() })
        })
        .await?;
    Ok(json_ok(&leaders))
}
