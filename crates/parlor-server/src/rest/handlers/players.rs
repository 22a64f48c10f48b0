//! `/players`: accounts.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::{Json, Money};
use parlor_store::{Currency, HeadToHead, Owner, PlayedMatch, Player, PlayerId, StatementLine, TableId};
use serde_json::json;

use crate::api::schemas as s;
use crate::house::accounts::Trouble;
use crate::house::hub::Hub;
use crate::house::sessions::TableFacts;
use crate::house::signed_in::SignedInLink;
use crate::house::stakes::currency;
use crate::rest::Shared;
use crate::rest::extract::{Asked, account, account_if_any, bearer, body_of, number, text};
use crate::rest::handlers::play::idempotency_key;
use crate::rest::problem::{Problem, json_ok};
use crate::table::Mail;

/// The default number of matches in a response.
const MATCHES_PER_PAGE: usize = 50;

fn plain<T: serde::Serialize>(value: &T) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

pub(in crate::rest) async fn guest(
    State(hub): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    body: Bytes,
) -> Result<Response, Problem> {
    let body = body_of(s::guest_order, &body)?;
    if !hub.guest_from(from.ip()) {
        return Err(Trouble::TooManyGuests.into());
    }
    let (nickname, language) = (text(&body, "nickname"), text(&body, "language"));
    let (profile, token) = hub
        .blocking(move |hub| {
            let (player, token) = hub.new_guest(nickname.as_deref(), language.as_deref())?;
            Ok((hub.profile(&player)?, token))
        })
        .await?;
    let mut shown = plain(&profile);
    shown["token"] = json!(token);
    Ok((StatusCode::CREATED, json_ok(&shown)).into_response())
}

pub(in crate::rest) async fn me(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let matches = hub.sittings(&player.id);
    let profile = hub.blocking(move |hub| hub.profile(&player)).await?;
    let mut shown = plain(&profile);
    shown["matches"] = plain(&matches);
    Ok(json_ok(&shown))
}

pub(in crate::rest) async fn nickname(
    State(hub): Shared,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let to = text(&body_of(s::nickname_order, &body)?, "nickname").unwrap_or_default();
    let profile = hub.blocking(move |hub| hub.profile(&hub.rename(&player.id, &to)?)).await?;
    Ok(json_ok(&plain(&profile)))
}

pub(in crate::rest) async fn profile(
    State(hub): Shared,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let body = body_of(s::profile_order, &body)?;
    let (language, avatar) = (text(&body, "language"), text(&body, "avatar"));
    let profile = hub
        .blocking(move |hub| {
            hub.profile(&hub.set_profile(&player.id, language.as_deref(), avatar.as_deref())?)
        })
        .await?;
    Ok(json_ok(&plain(&profile)))
}

pub(in crate::rest) async fn balance(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let balances = hub.blocking(move |hub| {
        let play = hub.store.balance(&Owner::Player(player.id.clone()), &currency(Money::Play))?;
        Ok((hub.tokens_of(&player.id)?, play))
    });
    let (tokens, play) = balances.await?;
    Ok(json_ok(&json!({"balances": {"tokens": tokens, "play": play}})))
}

/// The caller's matches, newest first; `after` is the `no` of the last one they have.
pub(in crate::rest) async fn matches(
    State(hub): Shared,
    headers: HeaderMap,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let (after, limit) = (number(&asked, "after")?, number(&asked, "limit")?);
    let limit = limit.map_or(MATCHES_PER_PAGE, |limit| limit.clamp(1, 1000) as usize);
    let past = hub.blocking(move |hub| Ok(hub.store.history(&player.id, after, limit)?)).await?;
    Ok(json_ok(&json!({"matches": past.iter().map(played).collect::<Vec<_>>()})))
}

fn played(PlayedMatch { no, table, played, at_ms }: &PlayedMatch) -> Json {
    json!({
        "no": no, "game_id": table.as_str(), "match": played.match_no, "game": played.game,
        "seat": played.seat, "went": played.went.word(), "reason": played.reason,
        "points": played.points.map(|points| points.by), "at": at_ms,
    })
}

/// The caller's statement, newest line first; `after` is the `no` of the last one they have.
pub(in crate::rest) async fn ledger(
    State(hub): Shared,
    headers: HeaderMap,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let (after, limit) = (number(&asked, "after")?, number(&asked, "limit")?);
    let limit = limit.map_or(MATCHES_PER_PAGE, |limit| limit.clamp(1, 1000) as usize);
    let currency = match asked.get("currency").map(|name| Currency::new(name)) {
        None => None,
        Some(Ok(currency)) => Some(currency),
        Some(Err(_)) => {
            return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed", "currency is tokens or play"));
        }
    };
    let owner = Owner::Player(player.id);
    let lines =
        hub.blocking(move |hub| Ok(hub.store.statement(&owner, currency.as_ref(), after, limit)?)).await?;
    let row = |line: &StatementLine| {
        let with = match &line.with {
            Owner::Player(_) => "player",
            Owner::Table(_) => "table",
            Owner::Hold(_) => "hold",
            Owner::House => "house",
            Owner::Burn => "burn",
            Owner::Mint => "mint",
        };
        json!({
            "no": line.no, "at": line.at_ms, "currency": line.currency.as_str(), "change": line.change,
            "balance": line.balance, "reason": line.reason.word(), "with": with,
            "game_id": line.table.as_ref().map(parlor_store::TableId::as_str),
        })
    };
    Ok(json_ok(&json!({"lines": lines.iter().map(row).collect::<Vec<_>>()})))
}

/// The connections that are signed in as the caller.
pub(in crate::rest) async fn sessions(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let row = |link: &SignedInLink| json!({"address": link.address.to_string(), "since": link.since_ms});
    let links: Vec<Json> = hub.signed_in.of(&player.id).iter().map(row).collect();
    Ok(json_ok(&json!({"sessions": links, "matches": hub.sittings(&player.id)})))
}

/// Gives the caller another token. Whoever has the old one, or a token of one of the caller's sessions, is out.
pub(in crate::rest) async fn change_token(
    State(hub): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (key, token) = (idempotency_key(&headers), bearer(&headers));
    let caller = (from.ip(), token.as_deref());
    let changed = async {
        let player = account(&hub, &headers).await?.id;
        let id = player.clone();
        let token = hub.blocking(move |hub| hub.change_token(&id)).await?;
        hub.forget_room_sessions(&player);
        for sitting in hub.sittings(&player) {
            if let Some(handle) = hub.table(&sitting.game_id).await {
                let _ = handle.tx.send(Mail::ForgetTokens { player: player.clone() }).await;
            }
        }
        Ok::<_, Problem>((StatusCode::OK, json!({"token": token})))
    };
    let (status, changed) = hub.idempotency.once(key.as_deref(), caller, b"", changed).await?;
    Ok((status, json_ok(&changed)).into_response())
}

pub(in crate::rest) async fn delete(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    hub.blocking(move |hub| hub.delete_player(&player.id)).await?;
    Ok(json_ok(&json!({"success": true})))
}

/// A player's public profile; for a player who asks of another, also how their matches went.
pub(in crate::rest) async fn face(
    State(hub): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let asks = account_if_any(&hub, &headers).await?;
    let id = PlayerId::new(&id).map_err(|_| Trouble::NoSuchPlayer)?;
    let shown = hub
        .blocking(move |hub| {
            let player = known(hub, &id)?;
            let profile = hub.profile(&player)?;
            let mut shown = json!({
                "player_id": profile.player_id, "nickname": profile.nickname, "avatar": profile.avatar,
                "rating": profile.rating, "leagueKey": profile.league_key, "ratings": profile.ratings,
            });
            if let Some(asks) = asks.filter(|asks| asks.id != id) {
                let games = hub.store.head_to_head(&asks.id, &id)?;
                let row = |HeadToHead { game, won, lost, drawn }: &HeadToHead| {
                    json!({"game": game, "won": won, "lost": lost, "drawn": drawn})
                };
                shown["headToHead"] = games.iter().map(row).collect();
            }
            Ok(shown)
        })
        .await?;
    Ok(json_ok(&shown))
}

/// A player who has not given their account up.
fn known(hub: &Hub, id: &PlayerId) -> Result<Player, Trouble> {
    let found = hub.store.player(id)?.filter(|player| player.deleted_ms.is_none());
    found.ok_or(Trouble::NoSuchPlayer)
}

/// A player's matches, newest first, without those at private tables.
pub(in crate::rest) async fn matches_of(
    State(hub): Shared,
    Path(id): Path<String>,
    Query(asked): Asked,
) -> Result<Response, Problem> {
    let id = PlayerId::new(&id).map_err(|_| Trouble::NoSuchPlayer)?;
    let (after, limit) = (number(&asked, "after")?, number(&asked, "limit")?);
    let limit = limit.map_or(MATCHES_PER_PAGE, |limit| limit.clamp(1, MATCHES_PER_PAGE as u64) as usize);
    let past = hub
        .blocking(move |hub| {
            let id = known(hub, &id)?.id;
            let mut past = hub.store.history(&id, after, limit)?;
            let mut private: BTreeMap<TableId, bool> = BTreeMap::new();
            for PlayedMatch { table, .. } in &past {
                if !private.contains_key(table) {
                    // A table that was swept away is nobody's secret any more, but nothing is left to show either.
                    let info = hub.store.table(table)?;
                    private.insert(table.clone(), info.is_none_or(|info| is_private(&info.facts.0)));
                }
            }
            past.retain(|past| !private[&past.table]);
            Ok(past)
        })
        .await?;
    Ok(json_ok(&json!({"matches": past.iter().map(played).collect::<Vec<_>>()})))
}

/// Whether a table takes an invitation. What cannot be read is not shown.
fn is_private(facts: &Json) -> bool {
    serde_json::from_value::<TableFacts>(facts.clone()).map_or(true, |facts| facts.invite.is_some())
}
