//! Tables at which players come and go, asked for by their stakes.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::http::StatusCode;
use axum::response::Response;
use parlor_core::{HouseCode, Refusal};
use parlor_store::Player;

use crate::house::hub::{CreateTable, Hub};
use crate::house::matchmaking::canonical;
use crate::house::room::registry::OpenTable;
use crate::house::room::state::TableWishes;
use crate::rest::extract::look;
use crate::rest::handlers::matches::{Seating, take_seat};
use crate::rest::problem::{Problem, json_ok};
use crate::rest::types::{
    MatchRow, MatchState, Matches, MatchesQuery, QueuePlace, QueueState, QueueWish, Stakes,
};
use crate::table::TableHandle;

/// What somebody looks for.
#[derive(Default)]
struct Wanted<'a> {
    game: Option<&'a str>,
    min_bet: Option<i64>,
    free: usize,
}

impl Wanted<'_> {
    fn is(&self, table: &OpenTable) -> bool {
        self.game.is_none_or(|game| game == table.game)
            && self.min_bet.is_none_or(|bet| bet == table.open.min_bet)
            && table.free >= self.free
    }
}

/// The tables that are wanted, by id.
async fn find(hub: &Arc<Hub>, wanted: &Wanted<'_>) -> Vec<OpenTable> {
    let mut found = hub.open_rooms();
    for (id, handle) in hub.all_running() {
        let other = wanted.game.is_some_and(|game| game != handle.public.game);
        if !other && !handle.public.over.load(Ordering::Acquire) {
            found.extend(running(id, &handle).await);
        }
    }
    found.retain(|table| wanted.is(table));
    found.sort_by(|one, other| one.id.cmp(&other.id));
    found
}

/// A table that runs, if it needs no invitation and has open seating.
async fn running(id: String, handle: &TableHandle) -> Option<OpenTable> {
    let seats = handle.public.seats;
    let shown = look(handle, move |table, facts| {
        let current = table.current_match();
        let settings = current.header().settings.json();
        let def = current.def();
        Some(OpenTable {
            id,
            game: def.name,
            runs: true,
            seats,
            free: table.free_seats().len(),
            open: def.open_seating(&settings).filter(|_| facts.invite.is_none())?,
            settings: canonical(def, &settings),
            waiting: Vec::new(),
        })
    });
    // A table that has just ended is not there any more.
    shown.await.ok().flatten()
}

/// Lists tables by game, smallest bet and free seats.
pub(super) async fn list(hub: &Arc<Hub>, asked: &MatchesQuery, limit: usize) -> Result<Response, Problem> {
    if asked.state.is_some() {
        return Err(Problem::malformed("state is asked for without minBet and seatsFree"));
    }
    let wanted = Wanted {
        game: asked.game.as_deref(),
        min_bet: asked.min_bet.map(|bet| i64::try_from(bet).unwrap_or(i64::MAX)),
        free: asked.seats_free.map_or(0, |free| usize::try_from(free).unwrap_or(usize::MAX)),
    };
    let found = find(hub, &wanted).await.into_iter();
    let after = found.filter(|table| asked.after.as_ref().is_none_or(|after| table.id > *after));
    Ok(json_ok(&Matches::first(after.take(limit + 1).map(row).collect(), limit)))
}

fn row(table: OpenTable) -> MatchRow {
    let OpenTable { id, game, runs, seats, free, open, .. } = table;
    let status = if runs { MatchState::Running } else { MatchState::Waiting };
    let stakes = Stakes {
        seats_free: free,
        min_bet: open.min_bet,
        buy_in_min: open.buy_in_min,
        buy_in_max: open.buy_in_max,
        currency: open.money,
    };
    MatchRow { stakes: Some(stakes), ..MatchRow::new(id, game.to_owned(), status, seats) }
}

/// A seat at a table with these settings, or at a new one.
pub(super) async fn any_seat(
    hub: &Arc<Hub>,
    game: &str,
    player: Player,
    address: IpAddr,
    wish: QueueWish,
) -> Result<Response, Problem> {
    let refuse = |code: HouseCode, text: &'static str| Err(Problem::of(&Refusal::of(code, text)));
    let Some(def) = hub.def(game) else { return refuse(HouseCode::UnknownGame, "there is no such game") };
    let QueueWish { settings, seats, fill_with_bots_after_ms, .. } = wish;
    if def.open_seating(&settings).is_none() {
        return refuse(HouseCode::NoVisits, "nobody sits down there once it runs: wait without anySeat");
    }
    if fill_with_bots_after_ms.is_some() {
        return refuse(HouseCode::Malformed, "with anySeat nobody waits for bots");
    }
    let same = canonical(&def, &settings);
    let wanted = Wanted { game: Some(def.name), ..Wanted::default() };
    let mut found = find(hub, &wanted).await;
    found.retain(|table| table.settings == same && seats.is_none_or(|seats| seats == table.seats));
    // Whoever asks again has their seat already.
    let has =
        hub.sittings(&player.id).into_iter().find(|had| found.iter().any(|table| table.id == had.game_id));
    if let Some(had) = has {
        let found = QueuePlace::found(QueueState::Matched, &had.game_id, def.name);
        return Ok(json_ok(&QueuePlace { seat: Some(had.seat), ..found }));
    }
    let name = player.id.to_string();
    if let Some(table) = found.iter().find(|table| table.waiting.contains(&name)) {
        return Ok(json_ok(&QueuePlace::found(QueueState::Waiting, &table.id, def.name)));
    }
    let seating = || Seating {
        name: player.name.clone(),
        player: Some(player.id.clone()),
        invite: None,
        seat: None,
        buy_in: None,
    };
    for table in found.iter().filter(|table| table.free > 0) {
        match take_seat(hub, &table.id, seating()).await {
            Ok(taken) => return Ok(seated(&table.id, def.name, &taken)),
            // Somebody else was quicker, or the table is gone.
            Err(Problem(StatusCode::CONFLICT | StatusCode::NOT_FOUND, _)) => {}
            Err(problem) => return Err(problem),
        }
    }
    let order = CreateTable {
        player: Some(player.id.clone()),
        address: Some(address),
        private: false,
        ready_check: false,
        spectator_delay_ms: 0,
        id: None,
        game: def.name.to_owned(),
        settings,
        seats: seats.or(def.lobby.seats),
        bots: Some(0),
        chosen_bots: Vec::new(),
        table: TableWishes::default(),
        seed: None,
    };
    let made = hub.create_table(order).await.map_err(|refusal| Problem::of(&refusal))?;
    let taken = take_seat(hub, &made.id, seating()).await?;
    Ok(seated(&made.id, def.name, &taken))
}

fn seated(id: &str, game: &str, taken: &super::matches::Taken) -> Response {
    let status = if taken.started { QueueState::Matched } else { QueueState::Waiting };
    json_ok(&QueuePlace {
        session_token: Some(taken.token.clone()),
        seat: taken.seat.map(|seat| seat.index() as u8),
        ..QueuePlace::found(status, id, game)
    })
}
