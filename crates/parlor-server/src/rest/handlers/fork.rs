//! Continues a finished match from any of its records, against bots.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{ConnectInfo, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use parlor_core::game::Reveal;
use parlor_core::{GameDef, HouseCode, Refusal, Seat, Seed};
use parlor_host::{Occupant, Table};
use parlor_store::{StoredMatch, TableId};

use super::logs::{game_of, is_private, stored};
use super::matches::link;
use crate::house::hub::{Hub, lock};
use crate::house::sessions::{Continued, Session, TableFacts, fresh_token, hash, random};
use crate::rest::Shared;
use crate::rest::extract::{TableName, account_if_any, body_of, look};
use crate::rest::problem::{Problem, json_ok};
use crate::rest::types::{ForkOrder, ForkQuery, Forked, Text};
use crate::table::{TableHandle, TableTask};

/// The player who continues, and from where.
struct ForkRequest {
    name: String,
    player: Option<String>,
    address: IpAddr,
    seat: Seat,
    from: Continued,
    /// The invitation that the new table takes, if the old one took one.
    invite: Option<String>,
}

/// Creates a table that starts with the log up to a record: the caller in one seat, bots in the others, without
/// stakes.
pub(in crate::rest) async fn fork(
    State(hub): Shared,
    TableName(id): TableName,
    Query(asked): Query<ForkQuery>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let order: ForkOrder = body_of(&body)?;
    let player = account_if_any(&hub, &headers).await?;
    let place = hub.log_reader(from.ip())?;
    let mut found = stored(&hub, &place, &id, asked.match_no, asked.invite, &headers).await?;
    let private = is_private(&hub, &id).await?;
    let def = game_of(&hub, &found.header)?;
    if def.reveal == Reveal::Auditor {
        let text = "what a player of this game saw stays his own: nobody can take his seat afterwards";
        return Err(Problem::new(StatusCode::FORBIDDEN, HouseCode::AuditorOnly, text));
    }
    let ForkOrder { at, seat, player_name } = order;
    if at > found.records.len() as u64 || seat >= found.header.seats {
        let (code, text) = if seat >= found.header.seats {
            (HouseCode::UnknownSeat, "there is no such seat")
        } else {
            (HouseCode::UnknownRecord, "the log has no such moment")
        };
        return Err(Problem::new(StatusCode::BAD_REQUEST, code, text));
    }
    found.records.truncate(at as usize);
    let said = player_name.map(|Text(name)| name).filter(|name| !name.is_empty());
    let name = player.as_ref().map(|player| player.name.clone()).or(said);
    let wish = ForkRequest {
        name: name.unwrap_or_else(|| "Guest".to_owned()),
        player: player.map(|player| player.id.to_string()),
        address: from.ip(),
        seat: Seat::new(seat),
        invite: private.then(|| fresh_token()[..12].to_owned()),
        from: Continued { id, match_no: found.header.match_no, at: at as u32 },
    };
    let invite = wish.invite.clone();
    let (id, token, handle) = hub.play_on(def, found, wish).map_err(|refusal| Problem::of(&refusal))?;
    // Waits until the table is stored: the caller may sit down at once.
    look(&handle, |_, _| ()).await?;
    let link = link(&id, invite.as_deref());
    let forked = Forked { id, session_token: token, seat, link };
    Ok((StatusCode::CREATED, json_ok(&forked)).into_response())
}

impl Hub {
    /// Opens the table; returns its id and the player's token.
    fn play_on(
        self: &Arc<Self>,
        def: GameDef,
        found: StoredMatch,
        wish: ForkRequest,
    ) -> Result<(String, String, TableHandle), Refusal> {
        let (id, token) = (fresh_token()[..12].to_owned(), fresh_token());
        let name = TableId::new(&id).map_err(|_| Refusal::of(HouseCode::InvalidId, "that is no id"))?;
        self.check_capacity()?;
        self.reserve_table(wish.player.as_deref(), Some(wish.address), &id)?;
        let seats = found.header.seats;
        let mut bots = 0;
        let chairs = (0..seats).map(Seat::new).map(|seat| {
            if seat == wish.seat {
                return Occupant::human(&wish.name);
            }
            bots += 1;
            Occupant::bot(&format!("Bot {bots}"))
        });
        let chairs = chairs.collect();
        let settings = self.config.table().with(def.disconnect_policy(&found.header.settings.json()));
        let root = Seed::from_bytes(&random::<96>());
        let facts = TableFacts {
            root: root.to_hex(),
            sessions: vec![Session {
                name: wish.name,
                token: Some(hash(&token)),
                seat: wish.seat,
                player: wish.player,
            }],
            owner: Some(hash(&token)),
            bots: seats - 1,
            settings: settings.clone(),
            // It counts for no player's history: the original match did.
            players: vec![None; seats.into()],
            continued: Some(wish.from),
            invite: wish.invite,
            ..TableFacts::default()
        };
        let (table, effects) =
            Table::play_on(def, root, found.header, found.records, chairs, settings, self.now())?;
        let handle = TableTask::spawn(self.clone(), name, table, facts, 0, effects, |_| None);
        lock(&self.tables).insert(id.clone(), handle.clone());
        Ok((id, token, handle))
    }
}
