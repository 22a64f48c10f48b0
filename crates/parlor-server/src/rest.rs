//! REST: what can be asked without a socket.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use parlor_core::game::Reveal;
use parlor_core::{Json, Refusal, Seat, Viewer};
use parlor_host::{Answers, Command, Submit};
use parlor_store::{Listing, TableId, TableState, Which};
use parlor_wire::{Codec, ServerMessage};
use serde_json::json;
use tokio::sync::oneshot;

use crate::connection;
use crate::hub::{Hub, Order};
use crate::sessions::{fresh_token, hash};
use crate::table_task::{Mail, TableHandle, describe, submit_as};

/// Bytes of one request's body.
const BODY_BYTES_MAX: usize = 32 * 1024;
/// Bytes of messages that are gathered before they are written; what waits together leaves together.
const WRITE_TOGETHER_BYTES: usize = 16 * 1024;
/// Bytes read at once, which every connection keeps: most messages of clients are smaller, larger ones come in parts.
const READ_BYTES: usize = 512;
const PROTOCOLS: [(&str, Codec); 2] =
    [("parlor.v1.msgpack", Codec::MessagePack), ("parlor.v1.json", Codec::Json)];

type Shared = State<Arc<Hub>>;

/// A refusal as problem+json, with the members that the documents name.
struct Problem(StatusCode, Json);

impl Problem {
    fn new(status: StatusCode, code: &str, message: &str) -> Self {
        let body = json!({
            "type": format!("urn:parlor:{code}"), "title": message, "status": status.as_u16(),
            "code": code, "message": message, "error": message,
        });
        Self(status, body)
    }

    fn of(refusal: &Refusal) -> Self {
        let status = match refusal.code() {
            "unknown_game" | "seats" | "malformed" | "invalid_id" | "bounds" => StatusCode::BAD_REQUEST,
            "exists" => StatusCode::CONFLICT,
            "at_capacity" => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        Self::new(status, refusal.code(), &refusal.to_string())
    }

    fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "game_not_found", "Game does not exist")
    }

    fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "that is not yours to do")
    }

    fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", "send your token as `Authorization: Bearer …`")
    }

    fn busy() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "this table has too much to do; try again")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.0, [(header::CONTENT_TYPE, "application/problem+json")], self.1.to_string()).into_response()
    }
}

fn json_ok(value: &Json) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// Every route.
pub(crate) fn routes(hub: Arc<Hub>) -> Router {
    Router::new()
        .route("/health", get(async || json_ok(&json!({"status": "ok"}))))
        .route("/healthz", get(async || json_ok(&json!({"status": "ok"}))))
        .route("/readyz", get(ready))
        .route("/status", get(status))
        .route("/metrics", get(metrics))
        .route("/games", get(list_games).post(create_game))
        .route("/matches", get(list_matches).post(create_match))
        .route("/matches/{id}", get(view))
        .route("/matches/{id}/join", post(join))
        .route("/matches/{id}/leave", post(leave))
        .route("/matches/{id}/start", post(start))
        .route("/matches/{id}/kill", post(kill))
        .route("/matches/{id}/undo", post(undo))
        .route("/matches/{id}/responses", post(respond))
        .route("/matches/{id}/log", get(log))
        .route("/matches/{id}/replay", get(replay))
        .route("/ws/{game_id}", get(socket))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(middleware::from_fn_with_state(hub.clone(), throttled))
        .with_state(hub)
}

async fn throttled(State(hub): Shared, request: Request, next: Next) -> Response {
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if from.is_some_and(|from| !hub.request_from(from)) {
        return Problem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", "you are asking too much")
            .into_response();
    }
    next.run(request).await
}

async fn ready(State(hub): Shared) -> Response {
    let health = hub.store.health();
    match (hub.stopping(), health.failing) {
        (false, None) => json_ok(&json!({"status": "ready"})),
        (true, _) => Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the server is stopping")
            .into_response(),
        (_, Some(error)) => {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "read_only", &error.to_string()).into_response()
        }
    }
}

async fn status(State(hub): Shared) -> Response {
    hub.sweep_rooms();
    json_ok(&json!({"status": "ok", "active_games": hub.count(), "max_games": hub.config.tables_max}))
}

async fn metrics(State(hub): Shared) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], hub.metrics.text()).into_response()
}

fn body_of(body: &Bytes) -> Result<Json, Problem> {
    if body.is_empty() {
        return Ok(json!({}));
    }
    let read = Codec::Json.decode(body);
    read.map_err(|why| Problem::new(StatusCode::BAD_REQUEST, "malformed", &why.to_string()))
}

fn small(body: &Json, name: &str) -> Result<Option<u8>, Problem> {
    match body.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => match value.as_u64().and_then(|n| u8::try_from(n).ok()) {
            Some(n) => Ok(Some(n)),
            None => Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "malformed",
                &format!("{name} must be a small whole number"),
            )),
        },
    }
}

fn text(body: &Json, name: &str) -> Option<String> {
    body.get(name).and_then(Json::as_str).map(str::to_owned)
}

fn bearer(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").map(str::to_owned)
}

// ---- /games: the document's own view of the tables ----

async fn list_games(State(hub): Shared) -> Response {
    let mut games: Vec<Json> = hub
        .all_rooms()
        .into_iter()
        .map(|(id, game, people, seats, bots)| {
            json!({"game_id": id, "game": game, "player_count": people, "max_players": seats, "num_bots": bots, "started": false})
        })
        .collect();
    for (id, handle) in hub.all_at_work() {
        let public = &handle.public;
        if !public.over.load(Ordering::Acquire) {
            let people = public.seats - public.bots;
            games.push(json!({"game_id": id, "game": public.game, "player_count": people, "max_players": public.seats, "num_bots": public.bots, "started": true}));
        }
    }
    json_ok(&json!({"games": games}))
}

async fn create_game(State(hub): Shared, body: Bytes) -> Result<Response, Problem> {
    let body = body_of(&body)?;
    let default = if hub.entry("riichi").is_some() { "riichi" } else { "" };
    let game = text(&body, "game").unwrap_or_else(|| default.to_owned());
    let seats = hub.entry(&game).map(|entry| entry.seats.1.min(4));
    let bots = small(&body, "num_bots")?;
    if bots.is_some_and(|bots| bots > 3) {
        return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed", "num_bots is 0 to 3"));
    }
    let bots = bots.or_else(|| seats.map(|seats| seats.saturating_sub(1).min(3)));
    let settings = body.get("settings").cloned().unwrap_or(Json::Null);
    let order = Order { id: text(&body, "game_id"), game, settings, seats, bots, seed: None };
    let made = hub.make(order).map_err(|refusal| Problem::of(&refusal))?;
    let body = json!({"game_id": made.id, "num_bots": made.bots, "status": "created"});
    Ok((StatusCode::CREATED, json_ok(&body)).into_response())
}

// ---- /matches ----

async fn create_match(State(hub): Shared, body: Bytes) -> Result<Response, Problem> {
    let body = body_of(&body)?;
    let order = Order {
        id: text(&body, "id"),
        game: text(&body, "game").unwrap_or_default(),
        settings: body.get("settings").cloned().unwrap_or(Json::Null),
        seats: small(&body, "seats")?,
        bots: small(&body, "bots")?,
        seed: text(&body, "seed"),
    };
    let made = hub.make(order).map_err(|refusal| Problem::of(&refusal))?;
    let body = json!({
        "id": made.id, "status": "waiting", "seats": made.seats, "bots": made.bots, "owner_token": made.owner_token,
    });
    Ok((StatusCode::CREATED, json_ok(&body)).into_response())
}

#[derive(serde::Deserialize)]
struct ListQuery {
    state: Option<String>,
    after: Option<String>,
    limit: Option<usize>,
}

async fn list_matches(State(hub): Shared, Query(query): Query<ListQuery>) -> Result<Response, Problem> {
    let state = match query.state.as_deref() {
        None => None,
        Some("running") => Some(TableState::Running),
        Some("paused") => Some(TableState::Paused),
        Some("finished") => Some(TableState::Finished),
        Some("waiting") => {
            let waiting: Vec<Json> = hub
                .all_rooms()
                .into_iter()
                .map(|(id, game, people, seats, bots)| json!({"id": id, "game": game, "status": "waiting", "people": people, "seats": seats, "bots": bots}))
                .collect();
            return Ok(json_ok(&json!({"matches": waiting})));
        }
        Some(_) => {
            let text = "state is waiting, running, paused or finished";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed", text));
        }
    };
    let after = query.after.as_deref().and_then(|after| TableId::new(after).ok());
    let limit = query.limit.unwrap_or(100).clamp(1, 1000);
    let store = hub.store.clone();
    let listed = tokio::task::spawn_blocking(move || store.tables(&Listing { state, after, limit })).await;
    let Ok(Ok(tables)) = listed else { return Err(Problem::busy()) };
    let rows: Vec<Json> = tables
        .iter()
        .map(|info| {
            let status = match info.state {
                TableState::Running => "running",
                TableState::Paused => "paused",
                TableState::Finished => "finished",
            };
            json!({"id": info.table.as_str(), "game": info.game, "status": status, "seats": info.seats, "match": info.match_no, "updated": info.updated_ms})
        })
        .collect();
    Ok(json_ok(&json!({"matches": rows})))
}

/// Looks at a table in its own task.
async fn look<T: Send + 'static>(
    handle: &TableHandle,
    look: impl FnOnce(&parlor_host::Table, &crate::sessions::TableFacts) -> T + Send + 'static,
) -> Result<T, Problem> {
    let (tx, rx) = oneshot::channel();
    let mail = Mail::Look(Box::new(move |table, facts| {
        let _ = tx.send(look(table, facts));
    }));
    handle.tx.send(mail).await.map_err(|_| Problem::busy())?;
    rx.await.map_err(|_| Problem::busy())
}

/// The seat of whoever asks: his token must be one of this table's.
async fn seat_of(handle: &TableHandle, headers: &HeaderMap) -> Result<Seat, Problem> {
    let token = bearer(headers).ok_or_else(Problem::unauthorized)?;
    let seat = look(handle, move |_, facts| facts.seat_of(&token).map(|session| session.seat)).await?;
    seat.ok_or_else(Problem::forbidden)
}

async fn view(State(hub): Shared, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let waiting = hub.with_room(&id, |room| {
        json!({"id": id, "game": room.entry.name, "status": "waiting", "players": room.names(), "seats": room.seats, "bots": room.bots})
    });
    if let Some(waiting) = waiting {
        return Ok(json_ok(&waiting));
    }
    let handle = hub.table(&id).await.ok_or_else(Problem::not_found)?;
    let viewer = match bearer(&headers) {
        Some(_) => Viewer::Seat(seat_of(&handle, &headers).await?),
        None => Viewer::Gallery,
    };
    let shown = look(&handle, move |table, _| (describe(table), table.snapshot(viewer))).await?;
    let (mut about, snapshot) = shown;
    about["id"] = json!(id);
    about["status"] = json!(if about["over"] == json!(true) { "finished" } else { "running" });
    about["snapshot"] = serde_json::to_value(snapshot).unwrap_or_default();
    Ok(json_ok(&about))
}

async fn join(State(hub): Shared, Path(id): Path<String>, body: Bytes) -> Result<Response, Problem> {
    let body = body_of(&body)?;
    let name = text(&body, "player_name").filter(|name| (1..=50).contains(&name.chars().count()));
    let name = name.ok_or_else(|| {
        Problem::new(StatusCode::BAD_REQUEST, "malformed", "player_name has 1 to 50 characters")
    })?;
    let token = fresh_token();
    let joined = hub.with_room(&id, |room| room.join(name, &token, None, None));
    match joined {
        Some(Ok(())) => {}
        Some(Err((code, message))) => return Err(Problem::new(StatusCode::CONFLICT, code, message)),
        None => {
            let started = hub.table(&id).await.is_some();
            let problem = Problem::new(StatusCode::CONFLICT, "game_started", "Game has already started");
            return Err(if started { problem } else { Problem::not_found() });
        }
    }
    let started = hub.start_room(&id, false).map_err(|refusal| Problem::of(&refusal))?;
    Ok(json_ok(&json!({"id": id, "session_token": token, "started": started})))
}

async fn leave(State(hub): Shared, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let handle = hub.table(&id).await.ok_or_else(Problem::not_found)?;
    let seat = seat_of(&handle, &headers).await?;
    let mail = Mail::Do { command: Box::new(Command::Leave { seat }), at: std::time::Instant::now() };
    handle.tx.send(mail).await.map_err(|_| Problem::busy())?;
    Ok(json_ok(&json!({"success": true})))
}

/// Whether the caller made this table.
fn owns(headers: &HeaderMap, owner: Option<&str>) -> Result<(), Problem> {
    let token = bearer(headers).ok_or_else(Problem::unauthorized)?;
    if owner == Some(hash(&token).as_str()) { Ok(()) } else { Err(Problem::forbidden()) }
}

async fn start(State(hub): Shared, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    let owner = hub.with_room(&id, |room| room.owner.clone()).ok_or_else(Problem::not_found)?;
    owns(&headers, Some(&owner))?;
    let started = hub.start_room(&id, true).map_err(|refusal| Problem::of(&refusal))?;
    if !started {
        return Err(Problem::new(StatusCode::CONFLICT, "nobody_here", "nobody has joined yet"));
    }
    Ok(json_ok(&json!({"success": true})))
}

async fn kill(State(hub): Shared, Path(id): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(owner) = hub.with_room(&id, |room| room.owner.clone()) {
        owns(&headers, Some(&owner))?;
        hub.drop_room(&id);
        return Ok(json_ok(&json!({"success": true})));
    }
    let handle = hub.table(&id).await.ok_or_else(Problem::not_found)?;
    let owner = look(&handle, |_, facts| facts.owner.clone()).await?;
    owns(&headers, owner.as_deref())?;
    let command = Command::Kill { why: "ended by its owner".to_owned() };
    handle
        .tx
        .send(Mail::Do { command: Box::new(command), at: std::time::Instant::now() })
        .await
        .map_err(|_| Problem::busy())?;
    Ok(json_ok(&json!({"success": true})))
}

/// Gives a command to the table and waits for its answer.
async fn ask(
    hub: &Hub,
    handle: &TableHandle,
    make: impl FnOnce(parlor_host::ConnId) -> Command,
) -> Result<Response, Problem> {
    let conn = hub.new_conn();
    let (reply, answer) = oneshot::channel();
    let mail = Mail::Rest { command: Box::new(make(conn)), conn, reply };
    handle.tx.try_send(mail).map_err(|_| Problem::busy())?;
    match answer.await.map_err(|_| Problem::busy())? {
        ServerMessage::Accepted { request_key, branch_id } => {
            Ok(json_ok(&json!({"success": true, "branchId": branch_id, "requestKey": request_key})))
        }
        ServerMessage::Refused { code, message, faults, branch_id, .. } => {
            let stale = [
                "stale",
                "stale_head",
                "not_asked",
                "ended",
                "killed",
                "paused",
                "key_reused",
                "no_undo",
                "no_more_actions",
                "undo_pending",
            ];
            let status = if stale.contains(&code.as_str()) {
                StatusCode::CONFLICT
            } else {
                StatusCode::UNPROCESSABLE_ENTITY
            };
            let status = if code == "read_only" || code == "not_stored" {
                StatusCode::SERVICE_UNAVAILABLE
            } else {
                status
            };
            let mut problem = Problem::new(status, &code, &message);
            problem.1["status"] = json!("error");
            problem.1["branchId"] = json!(branch_id);
            problem.1["faults"] = serde_json::to_value(faults).unwrap_or_default();
            Err(problem)
        }
        _ => Err(Problem::busy()),
    }
}

async fn undo(
    State(hub): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let body = body_of(&body)?;
    let to = body.get("to").and_then(Json::as_u64).and_then(|to| u32::try_from(to).ok());
    let handle = hub.table(&id).await.ok_or_else(Problem::not_found)?;
    let seat = seat_of(&handle, &headers).await?;
    ask(&hub, &handle, |conn| Command::UndoAs { seat, conn, to }).await
}

async fn respond(
    State(hub): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Problem> {
    let body = body_of(&body)?;
    let handle = hub.table(&id).await.ok_or_else(Problem::not_found)?;
    let seat = seat_of(&handle, &headers).await?;
    let number = |name: &str| body.get(name).and_then(Json::as_u64).and_then(|n| u32::try_from(n).ok());
    let to = match (number("inputId"), number("branchId")) {
        (Some(input), _) => Answers::Input(input),
        (None, Some(head)) => Answers::Head(head),
        (None, None) => {
            let text = "a response names its branchId or its inputId";
            return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed", text));
        }
    };
    let header_key = headers.get("idempotency-key").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let key = text(&body, "requestKey").or(header_key);
    let mut answer = body.clone();
    if let Json::Object(map) = &mut answer {
        for name in ["inputId", "branchId", "requestKey"] {
            map.remove(name);
        }
    }
    ask(&hub, &handle, |conn| submit_as(seat, conn, Submit { to, answer, key })).await
}

#[derive(serde::Deserialize)]
struct LogQuery {
    #[serde(rename = "match")]
    match_no: Option<u32>,
}

/// The log of a match that is over. While it runs it would tell everybody's secrets.
async fn stored(hub: &Arc<Hub>, id: &str, query: &LogQuery) -> Result<parlor_store::StoredMatch, Problem> {
    let name = TableId::new(id).map_err(|_| Problem::not_found())?;
    let which = query.match_no.map_or(Which::Last, Which::Match);
    let store = hub.store.clone();
    let read = tokio::task::spawn_blocking(move || (store.table(&name), store.read(&name, which))).await;
    let Ok((Ok(info), Ok(found))) = read else { return Err(Problem::busy()) };
    let (info, found) = info.zip(found).ok_or_else(Problem::not_found)?;
    let over = info.state == TableState::Finished || found.header.match_no < info.match_no;
    if !over {
        return Err(Problem::new(StatusCode::CONFLICT, "running", "the log is open once the match is over"));
    }
    Ok(found)
}

async fn log(
    State(hub): Shared,
    Path(id): Path<String>,
    Query(query): Query<LogQuery>,
) -> Result<Response, Problem> {
    let found = stored(&hub, &id, &query).await?;
    let entry = hub.entry(&found.header.game).ok_or_else(Problem::not_found)?;
    if entry.reveal == Reveal::Auditor {
        let text = "the log of this game is for the auditor: it would show what players kept to themselves";
        return Err(Problem::new(StatusCode::FORBIDDEN, "auditor_only", text));
    }
    let mut header = found.header.clone();
    header.house = parlor_core::record::Aside::default();
    let replayed = parlor_core::Match::replay(entry, header, found.records);
    let replayed = replayed
        .map_err(|e| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "needs_rules", &e.to_string()))?;
    Ok((
        [(header::CONTENT_TYPE, "application/x-ndjson")],
        parlor_core::logfile::LogFile::of(&replayed).write(),
    )
        .into_response())
}

/// A match that is over, step by step, as the gallery saw it.
async fn replay(
    State(hub): Shared,
    Path(id): Path<String>,
    Query(query): Query<LogQuery>,
) -> Result<Response, Problem> {
    let found = stored(&hub, &id, &query).await?;
    let entry = hub.entry(&found.header.game).ok_or_else(Problem::not_found)?;
    let started = parlor_core::Match::start(entry, found.header);
    let (mut play, _) = started.map_err(|refusal| Problem::of(&refusal))?;
    let mut steps = vec![json!({"seq": 0, "view": play.seen(Viewer::Gallery)})];
    for record in found.records {
        let (seq, at) = (record.seq, record.at);
        let applied = play.apply(at, record.by, record.key, record.body);
        let Ok(applied) = applied else { break };
        let events: Vec<&Json> =
            applied.events.iter().filter(|(to, _)| to.sees(Viewer::Gallery)).map(|(_, e)| e).collect();
        steps.push(json!({"seq": seq, "at": at, "events": events, "view": play.seen(Viewer::Gallery)}));
    }
    Ok(json_ok(&json!({"id": id, "steps": steps, "outcome": play.outcome()})))
}

// ---- the socket ----

async fn socket(
    State(hub): Shared,
    Path(game_id): Path<String>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if hub.stopping() {
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the server is stopping")
            .into_response();
    }
    if !origin_is_ours(&hub, &headers) {
        return Problem::new(StatusCode::FORBIDDEN, "foreign_origin", "pages of that origin may not connect")
            .into_response();
    }
    if !hub.connect_from(from.ip()) {
        return Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_connections", "too many connections")
            .into_response();
    }
    let upgrade = upgrade
        .protocols(PROTOCOLS.map(|(name, _)| name))
        .max_frame_size(16 * 1024)
        .max_message_size(32 * 1024)
        .read_buffer_size(READ_BYTES)
        .write_buffer_size(WRITE_TOGETHER_BYTES)
        .max_write_buffer_size(128 * 1024);
    let chosen = upgrade.selected_protocol().and_then(|value| value.to_str().ok()).map(str::to_owned);
    let codec = PROTOCOLS.iter().find(|(name, _)| chosen.as_deref() == Some(name)).map(|(_, codec)| *codec);
    let failed = hub.clone();
    let address = from.ip();
    upgrade
        .on_failed_upgrade(move |_| failed.disconnect_from(address))
        .on_upgrade(move |socket| connection::run(hub, socket, game_id, address, codec))
}

/// A browser says which page connects; anything else says nothing, and is let in.
fn origin_is_ours(hub: &Hub, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok()) else { return true };
    let host = headers.get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let own =
        origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")).is_some_and(|o| o == host);
    own || hub.config.origins.iter().any(|allowed| allowed == origin)
}
