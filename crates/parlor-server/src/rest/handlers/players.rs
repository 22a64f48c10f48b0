//! `/players`: accounts.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::{Json, MatchResult, Money};
use parlor_store::{Currency, Owner, PlayedMatch, Player, PlayerId, TableId};

use crate::house::accounts::{Mutes, Trouble, mutes_of};
use crate::house::hub::Hub;
use crate::house::sessions::TableFacts;
use crate::house::signed_in::SignedInLink;
use crate::house::stakes::currency;
use crate::rest::Shared;
use crate::rest::extract::{account, account_if_any, bearer, body_of};
use crate::rest::handlers::play::idempotency_key;
use crate::rest::problem::{Problem, done, json_ok, plain};
use crate::rest::types::{
    Balances, Face, GuestOrder, HeadToHead, History, HistoryQuery, Me, MutesOrder, NewPlayer, NewToken,
    Played, PlayerSessions, ProfileOrder, RenameOrder, SignedIn, Statement, StatementLine, StatementQuery,
    StatementSide, Text, Went,
};
use crate::table::Mail;

/// The most names that a player can mute; the body of a request has a limit of its own.
const MUTED_MAX: usize = 200;

/// The default number of matches in a response.
const MATCHES_PER_PAGE: usize = 50;

pub(in crate::rest) async fn guest(
    State(hub): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    body: Bytes,
) -> Result<Response, Problem> {
    let GuestOrder { nickname, language } = body_of(&body)?;
    if !hub.guest_from(from.ip()) {
        return Err(Trouble::TooManyGuests.into());
    }
    let (nickname, language) = (nickname.map(|name| name.0), language.map(|word| word.0));
    let made = hub.blocking(move |hub| {
        let (player, token) = hub.new_guest(nickname.as_deref(), language.as_deref())?;
        Ok(NewPlayer { profile: hub.profile(&player)?, token })
    });
    Ok((StatusCode::CREATED, json_ok(&made.await?)).into_response())
}

pub(in crate::rest) async fn me(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let matches = hub.sittings(&player.id);
    let profile = hub.blocking(move |hub| hub.profile(&player)).await?;
    Ok(json_ok(&Me { profile, matches }))
}

pub(in crate::rest) async fn nickname(
    State(hub): Shared,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let RenameOrder { nickname: Text(to) } = body_of(&body)?;
    let profile = hub.blocking(move |hub| hub.profile(&hub.rename(&player.id, &to)?)).await?;
    Ok(json_ok(&profile))
}

pub(in crate::rest) async fn profile(
    State(hub): Shared,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let ProfileOrder { language, avatar } = body_of(&body)?;
    let (language, avatar) = (language.map(|word| word.0), avatar.map(|word| word.0));
    let profile = hub
        .blocking(move |hub| {
            hub.profile(&hub.set_profile(&player.id, language.as_deref(), avatar.as_deref())?)
        })
        .await?;
    Ok(json_ok(&profile))
}

/// Whom the caller does not want to hear at tables.
pub(in crate::rest) async fn mutes(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    Ok(json_ok(&mutes_of(&account(&hub, &headers).await?)))
}

pub(in crate::rest) async fn set_mutes(
    State(hub): Shared,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let MutesOrder { off, names } = body_of(&body)?;
    if names.len() > MUTED_MAX {
        return Err(Problem::malformed("names: at most 200"));
    }
    let mutes = Mutes { off, names: names.into_iter().map(|name| name.0).collect() };
    let kept = mutes.clone();
    hub.blocking(move |hub| hub.set_mutes(&player.id, kept)).await?;
    Ok(json_ok(&mutes))
}

pub(in crate::rest) async fn balance(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let balances = hub.blocking(move |hub| {
        let play = hub.store.balance(&Owner::Player(player.id.clone()), &currency(Money::Play))?;
        Ok((hub.tokens_of(&player.id)?, play))
    });
    let (tokens, play) = balances.await?;
    Ok(json_ok(&Balances { balances: BTreeMap::from([("tokens", tokens), ("play", play)]) }))
}

/// The caller's matches, newest first; `after` is the `no` of the last one they have.
pub(in crate::rest) async fn matches(
    State(hub): Shared,
    headers: HeaderMap,
    Query(asked): Query<HistoryQuery>,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let HistoryQuery { after, limit } = asked;
    let limit = limit.map_or(MATCHES_PER_PAGE, |limit| limit.clamp(1, 1000) as usize);
    let past = hub.blocking(move |hub| Ok(hub.store.history(&player.id, after, limit)?)).await?;
    Ok(json_ok(&History { matches: past.into_iter().map(played).collect() }))
}

fn played(PlayedMatch { no, table, played, at_ms }: PlayedMatch) -> Played {
    Played {
        no,
        game_id: table.to_string(),
        match_no: played.match_no,
        game: played.game,
        seat: played.seat,
        went: match played.went {
            MatchResult::Won => Went::Won,
            MatchResult::Lost => Went::Lost,
            MatchResult::Drawn => Went::Drawn,
            MatchResult::Stopped => Went::Stopped,
        },
        reason: played.reason,
        points: played.points.map(|points| points.by),
        at: at_ms,
    }
}

/// The caller's statement, newest line first; `after` is the `no` of the last one they have.
pub(in crate::rest) async fn ledger(
    State(hub): Shared,
    headers: HeaderMap,
    Query(asked): Query<StatementQuery>,
) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let StatementQuery { currency, after, limit } = asked;
    let limit = limit.map_or(MATCHES_PER_PAGE, |limit| limit.clamp(1, 1000) as usize);
    let currency = currency.map(|name| Currency::new(&name)).transpose();
    let currency = currency.map_err(|_| Problem::malformed("currency is tokens or play"))?;
    let owner = Owner::Player(player.id);
    let lines =
        hub.blocking(move |hub| Ok(hub.store.statement(&owner, currency.as_ref(), after, limit)?)).await?;
    Ok(json_ok(&Statement { lines: lines.into_iter().map(row).collect() }))
}

fn row(line: parlor_store::StatementLine) -> StatementLine {
    StatementLine {
        no: line.no,
        at: line.at_ms,
        currency: line.currency.to_string(),
        change: line.change,
        balance: line.balance,
        reason: line.reason.word(),
        with: match line.with {
            Owner::Player(_) => StatementSide::Player,
            Owner::Table(_) => StatementSide::Table,
            Owner::Hold(_) => StatementSide::Hold,
            Owner::House => StatementSide::House,
            Owner::Burn => StatementSide::Burn,
            Owner::Mint => StatementSide::Mint,
        },
        game_id: line.table.map(|table| table.to_string()),
    }
}

/// The connections that are signed in as the caller.
pub(in crate::rest) async fn sessions(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    let links = hub.signed_in.of(&player.id);
    let row = |link: &SignedInLink| SignedIn { address: link.address.to_string(), since: link.since_ms };
    let sessions = links.iter().map(row).collect();
    Ok(json_ok(&PlayerSessions { sessions, matches: hub.sittings(&player.id) }))
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
        Ok::<_, Problem>((StatusCode::OK, plain(&NewToken { token })))
    };
    let (status, changed) = hub.idempotency.once(key.as_deref(), caller, b"", changed).await?;
    Ok((status, json_ok(&changed)).into_response())
}

pub(in crate::rest) async fn delete(State(hub): Shared, headers: HeaderMap) -> Result<Response, Problem> {
    let player = account(&hub, &headers).await?;
    hub.blocking(move |hub| hub.delete_player(&player.id)).await?;
    Ok(done())
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
            let head_to_head = match asks.filter(|asks| asks.id != id) {
                None => None,
                Some(asks) => Some(hub.store.head_to_head(&asks.id, &id)?),
            };
            let game =
                |parlor_store::HeadToHead { game, won, lost, drawn }| HeadToHead { game, won, lost, drawn };
            Ok(Face {
                player_id: profile.player_id,
                nickname: profile.nickname,
                avatar: profile.avatar,
                rating: profile.rating,
                league_key: profile.league_key,
                ratings: profile.ratings,
                head_to_head: head_to_head.map(|games| games.into_iter().map(game).collect()),
            })
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
    Query(asked): Query<HistoryQuery>,
) -> Result<Response, Problem> {
    let id = PlayerId::new(&id).map_err(|_| Trouble::NoSuchPlayer)?;
    let HistoryQuery { after, limit } = asked;
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
    Ok(json_ok(&History { matches: past.into_iter().map(played).collect() }))
}

/// Whether a table takes an invitation. What cannot be read is not shown.
fn is_private(facts: &Json) -> bool {
    serde_json::from_value::<TableFacts>(facts.clone()).map_or(true, |facts| facts.invite.is_some())
}
