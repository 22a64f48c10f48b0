//! Everybody who means the server ill, each kind from addresses of its own. Together they have half a core.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::budget::{Budget, cpu_seconds};
use crate::{AttackArgs, Outcome};

/// Every kind of attacker, by what it does.
pub(crate) const KINDS: [&str; 10] =
    ["requests", "silence", "sockets", "rubbish", "tables", "frozen", "logs", "bodies", "accounts", "slow"];
/// How many of each kind there are at once.
const OF_EACH: u8 = 6;
/// How long one waits for an answer before it does the next thing.
const PATIENCE: Duration = Duration::from_secs(2);
/// Connections that one silent attacker opens.
const SILENT: usize = 150;
/// Spectators that one frozen reader has.
const FROZEN: usize = 20;
/// A buffer that is full after a few messages.
const SMALL_BUFFER: u32 = 4096;

/// One attacker: the server, an address to come from, and what it may use.
#[derive(Clone)]
struct Attacker {
    server: SocketAddr,
    from: Ipv4Addr,
    n: u64,
    budget: Budget,
    tally: Arc<Mutex<BTreeMap<String, u64>>>,
}

/// Attacks for as long as it is told, and says what it did as JSON.
pub(crate) async fn attack(args: &AttackArgs) -> Outcome<Value> {
    let budget = Budget::watched(Instant::now() + Duration::from_secs(args.seconds));
    let tally: Arc<Mutex<BTreeMap<String, u64>>> = Arc::default();
    if args.burn {
        while !budget.is_over() {
            if budget.is_spent() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            } else {
                std::hint::black_box((0..20_000_u64).fold(1, |sum, n| sum ^ n.wrapping_mul(sum | 1)));
            }
        }
    } else {
        let mut all = JoinSet::new();
        for n in 0..OF_EACH {
            let of = |kind: u8| Attacker {
                server: args.addr,
                from: Ipv4Addr::new(127, 1, kind, n + 1),
                n: u64::from(kind) * 1000 + u64::from(n),
                budget: budget.clone(),
                tally: tally.clone(),
            };
            for (kind, name) in (1..).zip(KINDS) {
                if args.only.as_ref().is_none_or(|only| only == name) {
                    all.spawn(of(kind).does(name));
                }
            }
        }
        while all.join_next().await.is_some() {}
    }
    let did = tally.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok(
        json!({"cpu_seconds": cpu_seconds(), "cpu_share": cpu_seconds() / args.seconds.max(1) as f64, "did": did}),
    )
}

impl Attacker {
    async fn does(self, kind: &str) {
        match kind {
            "requests" => self.floods_requests().await,
            "silence" => self.keeps_silent().await,
            "sockets" => self.floods_sockets().await,
            "rubbish" => self.sends_rubbish().await,
            "tables" => self.joins_and_hangs_up().await,
            "frozen" => self.freezes().await,
            "logs" => self.reads_logs().await,
            "bodies" => self.sends_large_bodies().await,
            "accounts" => self.opens_accounts().await,
            _ => self.sends_slowly().await,
        }
    }

    fn count(&self, what: &str) {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner).entry(what.to_owned()).or_default() += 1;
    }

    async fn dial(&self, buffer: Option<u32>) -> Outcome<TcpStream> {
        let socket = TcpSocket::new_v4().map_err(|error| error.to_string())?;
        if let Some(bytes) = buffer {
            socket.set_recv_buffer_size(bytes).map_err(|error| error.to_string())?;
        }
        socket.bind(SocketAddr::from((self.from, 0))).map_err(|error| error.to_string())?;
        let dialled = tokio::time::timeout(PATIENCE, socket.connect(self.server)).await;
        dialled.map_err(|_| "no connection".to_owned())?.map_err(|error| error.to_string())
    }

    /// One request on a connection of its own; its status and body.
    async fn ask(&self, method: &str, path: &str, body: &str) -> Outcome<(u16, String)> {
        let mut stream = self.dial(None).await?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.server,
            body.len()
        );
        let mut reply = Vec::new();
        let talk = async {
            stream.write_all(head.as_bytes()).await?;
            stream.read_to_end(&mut reply).await
        };
        let _ = tokio::time::timeout(PATIENCE, talk).await;
        let reply = String::from_utf8_lossy(&reply);
        let status = reply.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or("no answer")?;
        let body = reply.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        self.count(&format!("{method} {status}"));
        Ok((status, body.to_owned()))
    }

    async fn socket(&self, path: &str, buffer: Option<u32>) -> Outcome<WebSocketStream<TcpStream>> {
        let url = format!("ws://{}{path}", self.server);
        let mut request = url.into_client_request().map_err(|error| error.to_string())?;
        request.headers_mut().insert("sec-websocket-protocol", "parlor.v1.json".parse().expect("a header"));
        let stream = self.dial(buffer).await?;
        let opened = tokio::time::timeout(PATIENCE, tokio_tungstenite::client_async(request, stream)).await;
        let (socket, _) = opened.map_err(|_| "no socket".to_owned())?.map_err(|error| error.to_string())?;
        self.count("sockets");
        Ok(socket)
    }

    /// Reads until a message of this type, or the end.
    async fn hear(&self, socket: &mut WebSocketStream<TcpStream>, kind: &str) -> Outcome<String> {
        let wanted = format!("\"type\":\"{kind}\"");
        let heard = tokio::time::timeout(PATIENCE, async {
            while let Some(Ok(message)) = socket.next().await {
                if let Message::Text(text) = message
                    && text.contains(&wanted)
                {
                    return Ok(text.to_string());
                }
            }
            Err(format!("closed before {kind}"))
        });
        heard.await.map_err(|_| format!("no {kind}"))?
    }

    /// Asks for whatever there is, as fast as it may.
    async fn floods_requests(self) {
        let paths =
            ["/catalog", "/matches", "/games", "/healthz", "/matches/load-1", "/nothing", "/rulesets", "/"];
        let mut n = 0;
        while self.budget.take().await {
            n += 1;
            let _ = self.ask("GET", paths[n % paths.len()], "").await;
        }
    }

    /// Opens connections, and says nothing on them.
    async fn keeps_silent(self) {
        while self.budget.take().await {
            let mut held = Vec::new();
            while held.len() < SILENT && self.budget.take().await {
                match self.dial(None).await {
                    Ok(stream) => held.push(stream),
                    Err(_) => break,
                }
            }
            self.count("rounds of silence");
            tokio::time::sleep(PATIENCE * 3).await;
        }
    }

    /// Sends a byte of a request now and then.
    async fn sends_slowly(self) {
        let text = format!("GET / HTTP/1.1\r\nHost: {}\r\nX-A: {}", self.server, "a".repeat(10_000));
        while self.budget.take().await {
            let Ok(mut stream) = self.dial(None).await else { continue };
            for byte in text.as_bytes().chunks(1) {
                if !self.budget.take().await || stream.write_all(byte).await.is_err() {
                    self.count("slow requests that were cut");
                    break;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
    }

    /// Pings until it is cut, and comes back.
    async fn floods_sockets(self) {
        while self.budget.take().await {
            let Ok(mut socket) = self.socket("/ws", None).await else {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            while self.budget.take().await {
                let ping = Message::text(r#"{"type":"ping"}"#);
                if socket.send(ping).await.is_err() {
                    break;
                }
                self.count("pings");
            }
        }
    }

    /// Sends frames that mean nothing.
    async fn sends_rubbish(self) {
        let mut luck = self.n | 1;
        while self.budget.take().await {
            let Ok(mut socket) = self.socket("/ws/load-1", None).await else {
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            };
            for _ in 0..20 {
                luck = luck.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let bytes: Vec<u8> = (0..luck % 900).map(|n| (luck >> (n % 56)) as u8).collect();
                let frame = if luck & 64 == 0 {
                    Message::text("[".repeat(bytes.len()))
                } else {
                    Message::binary(bytes)
                };
                if !self.budget.take().await || socket.send(frame).await.is_err() {
                    break;
                }
                self.count("rubbish");
            }
        }
    }

    /// Makes tables, sits down at some of them, and goes.
    async fn joins_and_hangs_up(self) {
        let mut n = 0;
        while self.budget.take().await {
            n += 1;
            let game = ["oxo", "battle", "hearts", "riichi"][n % 4];
            let made = self.ask("POST", "/matches", &json!({"game": game}).to_string()).await;
            let Ok((201, body)) = made else {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            };
            let made: Value = serde_json::from_str(&body).unwrap_or_default();
            let id = made["id"].as_str().unwrap_or_default();
            if n.is_multiple_of(3) {
                let path = format!("/matches/{id}/join");
                let _ = self.ask("POST", &path, r#"{"player_name":"Mallory"}"#).await;
            } else if let Ok(mut socket) = self.socket(&format!("/ws/{id}"), None).await {
                let _ = socket.send(Message::text(r#"{"type":"join_game","player_name":"Mallory"}"#)).await;
                let _ = self.hear(&mut socket, "snapshot").await;
                self.count("joined and hung up");
            }
        }
    }

    /// Watches honest tables, and never reads what is sent.
    async fn freezes(self) {
        while self.budget.take().await {
            let mut held = Vec::new();
            for n in 0..FROZEN {
                let table = (self.n as usize * FROZEN + n) % 200;
                let Ok(mut socket) = self.socket(&format!("/ws/load-{table}"), Some(SMALL_BUFFER)).await
                else {
                    continue;
                };
                let join = r#"{"type":"join_game","player_name":"","spectate":true}"#;
                if socket.send(Message::text(join)).await.is_ok() {
                    self.count("frozen readers");
                    held.push(socket);
                }
            }
            tokio::time::sleep(Duration::from_secs(20)).await;
        }
    }

    /// Plays a match of its own, and has its log sent over and over, half of the time without reading it.
    async fn reads_logs(self) {
        let id = format!("log-{}", self.n);
        if self.played(&id).await.is_err() {
            self.count("no log to read");
            return;
        }
        let mut n = 0;
        while self.budget.take().await {
            n += 1;
            let what = ["log", "replay"][n % 2];
            if n % 4 < 2 {
                let _ = self.ask("GET", &format!("/matches/{id}/{what}"), "").await;
            } else if let Ok(mut stream) = self.dial(Some(SMALL_BUFFER)).await {
                let head = format!("GET /matches/{id}/{what} HTTP/1.1\r\nHost: {}\r\n\r\n", self.server);
                let _ = stream.write_all(head.as_bytes()).await;
                tokio::time::sleep(Duration::from_millis(100)).await;
                self.count("logs left half read");
            }
        }
    }

    /// A long match with oneself, to its end.
    async fn played(&self, id: &str) -> Outcome<()> {
        const MOVES: u32 = 1500;
        let body = json!({"id": id, "game": "grid64", "seats": 2, "bots": 0, "settings": {"moves": MOVES}});
        self.ask("POST", "/matches", &body.to_string()).await?;
        let mut two = Vec::new();
        for name in ["Mal", "Lory"] {
            let mut socket = self.socket(&format!("/ws/{id}"), None).await?;
            let join = json!({"type": "join_game", "player_name": name}).to_string();
            socket.send(Message::text(join)).await.map_err(|error| error.to_string())?;
            two.push(socket);
        }
        let mut played = 0;
        let [one, other] = &mut two[..] else { return Err("two sit there".to_owned()) };
        while played < MOVES && self.budget.take().await {
            for socket in [&mut *one, &mut *other] {
                let Ok(Some(Ok(message))) =
                    tokio::time::timeout(Duration::from_millis(300), socket.next()).await
                else {
                    continue;
                };
                let Message::Text(text) = message else { continue };
                let heard: Value = serde_json::from_str(&text).unwrap_or_default();
                if let Some(input) = heard["requests"][0]["inputId"].as_u64() {
                    let data = json!({"title": "Take a cell", "selection": [(played % 64).to_string()]});
                    let said =
                        json!({"type": "game_action", "action": "answer", "data": data, "inputId": input});
                    // As many as one may send.
                    tokio::time::sleep(Duration::from_millis(21)).await;
                    socket.send(Message::text(said.to_string())).await.map_err(|error| error.to_string())?;
                    played += 1;
                }
                if heard["over"].is_object() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Posts as much as one may, and more.
    async fn sends_large_bodies(self) {
        let bodies =
            ["[".repeat(900_000), format!("{{\"game\":\"{}\"}}", "x".repeat(2_000_000)), "{".repeat(60_000)];
        let mut n = 0;
        while self.budget.take().await {
            n += 1;
            let path = ["/rulesets", "/matches"][n % 2];
            let _ = self.ask("POST", path, &bodies[n % bodies.len()]).await;
        }
    }

    /// Opens an account with each connection, and queues.
    async fn opens_accounts(self) {
        while self.budget.take().await {
            let Ok(mut socket) = self.socket("/ws", None).await else { continue };
            let _ = socket.send(Message::text(r#"{"type":"hello"}"#)).await;
            if self.hear(&mut socket, "hello_ok").await.is_ok() {
                self.count("accounts");
                let _ = socket.send(Message::text(r#"{"type":"play_bots","game":"battle"}"#)).await;
                let _ = self.hear(&mut socket, "match_found").await;
            } else {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}
