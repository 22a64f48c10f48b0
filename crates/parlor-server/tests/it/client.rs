//! A server for each test, and clients that use its public interface.

use parlor_core::Game;
use parlor_script::Script;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use parlor_core::{GameDef, Json};
use parlor_server::{Clock, Config, Registration, Server};
use parlor_store_sqlite::{Options, SqliteStore};
use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::shapes;

static NAMES: AtomicU32 = AtomicU32::new(0);

/// A file that is deleted with its owner.
pub(crate) struct TempFile(pub(crate) PathBuf);

impl TempFile {
    pub(crate) fn new() -> Self {
        let n = NAMES.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("parlor-test-{}-{n}.sqlite", std::process::id())))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let mut path = self.0.clone().into_os_string();
            path.push(end);
            let _ = std::fs::remove_file(path);
        }
    }
}

pub(crate) fn games() -> Vec<GameDef> {
    use parlor_testkit::probes::{boom::Boom, peek::Peek, sealed::Sealed, slow::Slow, window::Window};
    let mut games = vec![
        parlor_oxo::Oxo::def(),
        parlor_testkit::probes::grid64::Grid64::def(),
        parlor_testkit::probes::ring::Ring::def(),
        parlor_hearts::Hearts::def(),
        parlor_draft::Draft::def(),
        parlor_battle::Battle::def(),
        Boom::def(),
        Peek::def(),
        Sealed::def(),
        Slow::def(),
        Window::def(),
    ];
    games.extend(parlor_ruleset::shipped::game_defs());
    games
}

/// A game with its dialect.
pub(crate) fn registration(def: GameDef) -> Registration {
    match def.name {
        "battle" => Registration::new(def).dialect(parlor_battle::dialect::detect),
        "poker" => {
            Registration::new(def).dialect(parlor_poker::detect).document("hand", parlor_poker::show_hand)
        }
        "riichi" => Registration::new(def)
            .table_dialect(parlor_riichi::dialect::detect)
            .notations(parlor_riichi::game::log::write_notation),
        _ if def.identity.is_some() => Registration::new(def).dialect(parlor_ruleset::dialect::detect),
        _ => Registration::new(def),
    }
}

/// Small rulesets that each test one thing.
fn planted() -> &'static [GameDef] {
    static PLANTED: std::sync::OnceLock<Vec<GameDef>> = std::sync::OnceLock::new();
    PLANTED.get_or_init(|| {
        let put = |n: i64| json!({"timing": "instant", "do": [{"set": {"var": "n", "to": n}}]});
        let unsound = json!({
            "name": "Unsound", "author": "test", "players": {"min": 2, "max": 2},
            "vars": {"n": {"owner": "game", "type": "int", "default": 0}},
            "actions": {"good": put(10), "bad": put(11)},
            "invariants": [{"<=": [{"var": "n"}, 10]}],
            "turnStructure": {"phases": [{"id": "p", "steps": [{"id": "s"}]}]}
        });
        let lay = || json!({"timing": "instant", "targets": [{"id": "card", "from": {"zones": ["hand"], "of": "you"}}],
            "do": [{"move": {"what": "card", "to": {"zone": ["table", "you"]}}}]});
        let ways = json!({
            "name": "Two ways", "author": "test", "players": {"min": 2, "max": 2},
            "zones": {"hand": {"owner": "player", "see": "owner"}, "table": {"owner": "player", "see": "all"},
                "bin": {"owner": "player", "see": "all"}},
            "cards": {"stone": {}},
            "setup": [{"forEach": {"seats": "all", "as": "p", "do": [{"create": {"card": "stone", "to": {"zone": ["hand", "p"]}, "n": 3}}]}}],
            "actions": {"lay": lay(), "throw": lay()},
            "manipulations": [{"from": "hand", "to": "bin"}],
            "turnStructure": {"phases": [{"id": "p", "steps": [{"id": "s"}]}]}
        });
        // Example 3 of the document: the player who is hit may hit back at a card of their choice.
        let spikes = json!({
            "name": "Spikes", "author": "test", "players": {"min": 2, "max": 2},
            "attributes": {"damage": {"type": "int", "default": 0}},
            "zones": {"field": {"owner": "player", "see": "all"}},
            "events": {"Damaged": {"target": "entity", "do": [
                {"setAttr": {"of": {"ev": "target"}, "attr": "damage", "to": {"+": [{"attr": [{"ev": "target"}, "damage"]}, 1]}}}]}},
            "cards": {"spike": {"triggers": [{"id": "back", "on": {"event": "Damaged", "where": {"==": [{"ev": "target"}, "self"]}},
                "optional": true, "prompt": "Hit back?", "targets": [{"id": "t", "from": {"zones": ["field"], "of": "each"}}],
                "do": [{"setAttr": {"of": "t", "attr": "damage", "to": 10}}]}]}},
            "setup": [{"forEach": {"seats": "all", "as": "p", "do": [{"create": {"card": "spike", "to": {"zone": ["field", "p"]}, "n": 1}}]}}],
            "actions": {"hit": {"timing": "instant", "targets": [{"id": "card", "from": {"zones": ["field"], "of": "opponent"}}],
                "do": [{"emit": {"event": "Damaged", "payload": {"target": "card"}}}]}},
            "turnStructure": {"phases": [{"id": "p", "steps": [{"id": "s"}]}]}
        });
        [("unsound", unsound), ("two-ways", ways), ("spikes", spikes)]
            .into_iter()
            .map(|(name, ruleset)| {
                let compiled = parlor_ruleset::compile(&ruleset.to_string()).expect("it compiles");
                parlor_ruleset::game_def(Arc::new(compiled.program), name)
            })
            .collect()
    })
}

pub(crate) fn config() -> Config {
    Config { listen: "127.0.0.1:0".to_owned(), admin_listen: String::new(), bot_ms: 0, ..Config::default() }
}

/// A server and its store.
pub(crate) struct House {
    pub(crate) server: Server,
    pub(crate) store: Arc<SqliteStore>,
    pub(crate) file: TempFile,
}

impl House {
    pub(crate) async fn open() -> Self {
        Self::with(config()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        let file = TempFile::new();
        Self::on(config, file).await
    }

    pub(crate) async fn on(config: Config, file: TempFile) -> Self {
        Self::by_clock(Clock::real(), config, file).await
    }

    pub(crate) async fn by_clock(clock: Clock, config: Config, file: TempFile) -> Self {
        let store = Arc::new(SqliteStore::open(&file.0, Options::default()).expect("the store opens"));
        let served = [
            games(),
            vec![parlor_riichi::game::Riichi::def(), parlor_poker::Poker::def(), crate::blame::Claims::def()],
            planted().to_vec(),
        ]
        .concat();
        let served = served.into_iter().map(registration);
        let started = Server::builder(config, served, store.clone()).clock(clock);
        let started = started.rulesets(Arc::new(parlor_ruleset::ServerCompiler)).start().await;
        let server = started.expect("the server starts");
        Self { server, store, file }
    }

    /// Stops the server and starts another on the same store.
    pub(crate) async fn restart(self, config: Config) -> Self {
        self.server.stop().await;
        drop(self.store);
        Self::on(config, self.file).await
    }

    pub(crate) async fn rest(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<Json>,
    ) -> (u16, Json) {
        let (code, reply) = call(self.server.addr, method, path, token, body, &[]).await;
        shapes::check(self.page().await, method, path, code, &reply);
        (code, reply)
    }

    /// The OpenAPI description, which is the same for every server.
    pub(crate) async fn page(&self) -> &'static Json {
        static PAGE: tokio::sync::OnceCell<Json> = tokio::sync::OnceCell::const_new();
        PAGE.get_or_init(async || call(self.server.addr, "GET", "/openapi.json", None, None, &[]).await.1)
            .await
    }

    pub(crate) async fn create(&self, id: &str, game: &str, bots: u8) {
        let body = json!({"id": id, "game": game, "bots": bots});
        let (status, reply) = self.rest("POST", "/matches", None, Some(body)).await;
        assert_eq!(status, 201, "{reply}");
    }

    /// Opens an account; its id and its token.
    pub(crate) async fn player(&self, nickname: &str) -> (String, String) {
        let body = json!({"nickname": nickname});
        let (status, made) = self.rest("POST", "/players/guest", None, Some(body)).await;
        assert_eq!(status, 201, "{made}");
        let text = |name: &str| made[name].as_str().expect("text").to_owned();
        (text("player_id"), text("token"))
    }

    /// An account's balance.
    pub(crate) async fn tokens(&self, token: &str) -> i64 {
        let (_, balance) = self.rest("GET", "/players/me/balance", Some(token), None).await;
        balance["balances"]["tokens"].as_i64().unwrap_or_else(|| panic!("a balance: {balance}"))
    }

    pub(crate) async fn client(&self, id: &str, codec: &str) -> Client {
        Client::connect(self, id, codec, None).await.expect("connects")
    }

    /// Two players at a new table, in the order of their seats.
    pub(crate) async fn pair(&self, id: &str, game: &str) -> [Client; 2] {
        self.create(id, game, 0).await;
        let mut clients = Vec::new();
        for name in ["Alice", "Bob"] {
            let mut client = self.client(id, "json").await;
            client.join(name, Some(&format!("token-of-{name}-0123456789"))).await;
            client.until("game_joined").await;
            clients.push(client);
        }
        for client in &mut clients {
            client.until("snapshot").await;
        }
        if clients[0].seat() != 0 {
            clients.swap(0, 1);
        }
        clients.try_into().ok().expect("two clients")
    }
}

/// Sends a request to a server; the given headers may replace the usual ones.
pub(crate) async fn call(
    addr: std::net::SocketAddr,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<Json>,
    headers: &[(&str, &str)],
) -> (u16, Json) {
    let stream = TcpStream::connect(addr).await.expect("connects");
    let (head, body) = exchange(stream, addr, method, path, token, body, headers).await;
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
    (status, serde_json::from_str(&body).unwrap_or(Json::String(body)))
}

/// The same over any stream; the head of the answer, and its body.
pub(crate) async fn exchange(
    mut stream: impl Wire,
    addr: std::net::SocketAddr,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<Json>,
    headers: &[(&str, &str)],
) -> (String, String) {
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let auth = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let own = addr.to_string();
    let host = headers.iter().find(|(name, _)| *name == "Host").map_or(own.as_str(), |(_, host)| host);
    let other: String = headers
        .iter()
        .filter(|(name, _)| *name != "Host")
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {}\r\n{auth}{other}\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.expect("writes");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.expect("reads");
    let (head, body) = reply.split_once("\r\n\r\n").expect("a body");
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    (head.to_owned(), if chunked { unchunk(body) } else { body.to_owned() })
}

fn unchunk(body: &str) -> String {
    let (mut rest, mut whole) = (body, String::new());
    while let Some((size, tail)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.push_str(&tail[..size]);
        rest = &tail[size + 2..];
    }
    whole
}

/// A stream of bytes: TCP, or TLS over it.
pub(crate) trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Wire for S {}

/// A client on a real socket; keeps every message it was sent.
pub(crate) struct Client {
    pub(crate) socket: WebSocketStream<Box<dyn Wire>>,
    binary: bool,
    pub(crate) heard: Vec<Json>,
    pub(crate) closed: Option<(u16, String)>,
}

impl Client {
    pub(crate) async fn connect(
        house: &House,
        id: &str,
        codec: &str,
        origin: Option<&str>,
    ) -> Result<Self, String> {
        Self::at(house, &format!("/ws/{id}"), codec, origin).await
    }

    /// A connection to the lobby.
    pub(crate) async fn lobby(house: &House, codec: &str) -> Self {
        Self::at(house, "/ws", codec, None).await.expect("connects")
    }

    /// The same for a client of a document: text frames and no subprotocol.
    pub(crate) async fn document(house: &House) -> Self {
        let client = Self::at(house, "/ws", "none", None).await.expect("connects");
        Self { binary: false, ..client }
    }

    async fn at(house: &House, path: &str, codec: &str, origin: Option<&str>) -> Result<Self, String> {
        let stream = TcpStream::connect(house.server.addr).await.map_err(|error| error.to_string())?;
        Self::over(stream, &format!("ws://{}{path}", house.server.addr), codec, origin).await
    }

    /// A client on this stream.
    pub(crate) async fn over(
        stream: impl Wire + 'static,
        url: &str,
        codec: &str,
        origin: Option<&str>,
    ) -> Result<Self, String> {
        let mut request = url.into_client_request().map_err(|e| e.to_string())?;
        if codec != "none" {
            let value = format!("parlor.v1.{codec}").parse().expect("a header");
            request.headers_mut().insert("sec-websocket-protocol", value);
        }
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().expect("a header"));
        }
        let stream: Box<dyn Wire> = Box::new(stream);
        let (socket, _) =
            tokio_tungstenite::client_async(request, stream).await.map_err(|error| error.to_string())?;
        Ok(Self { socket, binary: codec != "json", heard: Vec::new(), closed: None })
    }

    pub(crate) async fn say(&mut self, value: Json) {
        let frame = if self.binary {
            Message::Binary(rmp_serde::to_vec_named(&value).expect("encodes").into())
        } else {
            Message::Text(value.to_string().into())
        };
        self.raw(frame).await;
    }

    pub(crate) async fn raw(&mut self, frame: Message) {
        let _ = self.socket.send(frame).await;
    }

    pub(crate) async fn join(&mut self, name: &str, token: Option<&str>) {
        let mut message = json!({"type": "join_game", "game_id": "ignored", "player_name": name});
        if let Some(token) = token {
            message["session_token"] = json!(token);
        }
        self.say(message).await;
    }

    pub(crate) async fn answer(&mut self, answer: Json) {
        self.say(json!({"type": "game_action", "action": "answer", "data": answer})).await;
    }

    /// The next message; `None` when the socket is closed.
    pub(crate) async fn next(&mut self) -> Option<Json> {
        let frame = tokio::time::timeout(Duration::from_secs(20), self.socket.next()).await;
        let Ok(frame) = frame else {
            panic!("no message within 20 s; the last ones: {:?}", self.heard.iter().rev().take(3))
        };
        let value = match frame {
            Some(Ok(Message::Text(text))) => serde_json::from_str(&text).expect("JSON"),
            Some(Ok(Message::Binary(bytes))) => rmp_serde::from_slice(&bytes).expect("MessagePack"),
            Some(Ok(Message::Close(frame))) => {
                self.closed = frame.map(|frame| (frame.code.into(), frame.reason.to_string()));
                return None;
            }
            Some(Ok(_)) => return Box::pin(self.next()).await,
            _ => return None,
        };
        self.heard.push(value);
        self.heard.last().cloned()
    }

    /// Reads until a message of this type comes.
    pub(crate) async fn until(&mut self, kind: &str) -> Json {
        loop {
            match self.next().await {
                Some(value) if value["type"] == kind => return value,
                Some(_) => {}
                None => panic!("closed ({:?}) before {kind}; heard {:?}", self.closed, self.heard.last()),
            }
        }
    }

    /// Reads until a message of one of these types.
    pub(crate) async fn until_any(&mut self, kinds: &[&str]) -> Json {
        loop {
            let value = self.next().await.unwrap_or_else(|| panic!("closed before any of {kinds:?}"));
            if value["type"].as_str().is_some_and(|kind| kinds.contains(&kind)) {
                return value;
            }
        }
    }

    /// Reads until the socket is closed; returns the close code and the reason.
    pub(crate) async fn until_closed(&mut self) -> Option<(u16, String)> {
        while self.next().await.is_some() {}
        self.closed.clone()
    }

    /// The client's seat, from the list of players.
    pub(crate) fn seat(&self) -> usize {
        let started = self.heard.iter().find(|m| m["type"] == "game_started").expect("the game has started");
        let joined = self.heard.iter().find(|m| m["type"] == "game_joined").expect("joined");
        let mine = joined["players"].as_array().and_then(|names| names.last()).cloned().expect("a name");
        let players = started["players"].as_array().expect("players");
        players.iter().position(|player| player["name"] == mine).expect("my seat")
    }
}

/// Answers every open request with the first choice until the match is over; for games with plain choices.
pub(crate) async fn play_out(client: &mut Client) -> Json {
    let mut pending = client.heard.iter().rev().find_map(|message| message.get("requests").cloned());
    loop {
        if let Some(request) = pending
            .as_ref()
            .and_then(|all| all.as_array())
            .and_then(|all| all.iter().find(|r| r["kind"] == "request"))
        {
            let number = request["count"].as_u64().or(request["min"].as_u64()).unwrap_or(1) as usize;
            let pick = |choice: &Json| match choice.get("id") {
                Some(id) => json!({"title": choice["title"], "id": id}),
                None => choice["title"].clone(),
            };
            let picks: Vec<Json> =
                request["choices"].as_array().expect("choices").iter().take(number).map(pick).collect();
            let answer = json!({"title": request["title"], "selection": picks});
            client.say(json!({"type": "game_action", "action": "answer", "data": answer, "inputId": request["inputId"]})).await;
        }
        let message = loop {
            let message = client.next().await.expect("the match goes on");
            if message["type"] == "update" || message["type"] == "snapshot" {
                break message;
            }
        };
        if message.get("over").is_some() {
            return message;
        }
        pending = message.get("requests").cloned();
    }
}
