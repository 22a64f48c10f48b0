//! One client of one table, in MessagePack; it reads only what playing needs.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::Outcome;

/// How long a client waits for one message.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a client reads of a message.
#[derive(Deserialize, Default)]
pub(crate) struct Heard {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) v: u64,
    #[serde(default)]
    pub(crate) requests: Option<Vec<Request>>,
    #[serde(default)]
    pub(crate) code: Option<String>,
    #[serde(default)]
    pub(crate) message: Option<String>,
}

/// What a client reads of a request.
#[derive(Deserialize)]
pub(crate) struct Request {
    #[serde(rename = "inputId")]
    pub(crate) input_id: u32,
}

#[derive(Serialize)]
struct Action<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    action: &'a str,
    data: Answer<'a>,
    #[serde(rename = "inputId")]
    input_id: u32,
}

#[derive(Serialize)]
struct Answer<'a> {
    title: &'a str,
    selection: [&'a str; 1],
}

/// A client.
pub(crate) struct Player {
    socket: WebSocketStream<TcpStream>,
    /// The last version it was brought to.
    pub(crate) v: u64,
    /// Versions it never saw.
    pub(crate) missed: u64,
}

/// Makes a table that waits for two people.
pub(crate) async fn make_table(addr: SocketAddr, id: &str, moves: u32) -> Outcome<()> {
    let body = json!({"id": id, "game": "grid64", "seats": 2, "bots": 0, "settings": {"moves": moves}});
    let reply = request(addr, "POST", "/matches", &body.to_string()).await?;
    if reply.split(' ').nth(1) == Some("201") { Ok(()) } else { Err(format!("no table {id}: {reply}")) }
}

/// One request on a connection of its own; the whole reply.
pub(crate) async fn request(addr: SocketAddr, method: &str, path: &str, body: &str) -> Outcome<String> {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(addr).await.map_err(|error| error.to_string())?;
    stream.write_all(head.as_bytes()).await.map_err(|error| error.to_string())?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).await.map_err(|error| error.to_string())?;
    Ok(reply)
}

/// A socket to a table, in MessagePack.
pub(crate) async fn open_socket(addr: SocketAddr, id: &str) -> Outcome<WebSocketStream<TcpStream>> {
    let mut request = format!("ws://{addr}/ws/{id}").into_client_request().map_err(|e| e.to_string())?;
    request.headers_mut().insert("sec-websocket-protocol", "parlor.v1.msgpack".parse().expect("a header"));
    let stream = TcpStream::connect(addr).await.map_err(|error| error.to_string())?;
    stream.set_nodelay(true).map_err(|error| error.to_string())?;
    let small = WebSocketConfig::default().read_buffer_size(4096).write_buffer_size(0);
    let (socket, _) = tokio_tungstenite::client_async_with_config(request, stream, Some(small))
        .await
        .map_err(|error| error.to_string())?;
    Ok(socket)
}

impl Player {
    /// Connects; joins nothing yet.
    pub(crate) async fn connect(addr: SocketAddr, id: &str) -> Outcome<Self> {
        Ok(Self { socket: open_socket(addr, id).await?, v: 0, missed: 0 })
    }

    /// Takes a seat.
    pub(crate) async fn join(&mut self, name: &str) -> Outcome<()> {
        self.say(&json!({"type": "join_game", "player_name": name})).await?;
        self.until(|heard| heard.kind == "game_joined").await.map(|_| ())
    }

    /// Only looks.
    pub(crate) async fn spectate(&mut self) -> Outcome<()> {
        self.say(&json!({"type": "join_game", "player_name": "", "spectate": true})).await?;
        self.until(|heard| heard.kind == "game_joined").await.map(|_| ())
    }

    /// Takes a cell.
    pub(crate) async fn play(&mut self, input_id: u32, cell: &str) -> Outcome<()> {
        let data = Answer { title: "Take a cell", selection: [cell] };
        self.say(&Action { kind: "game_action", action: "answer", data, input_id }).await
    }

    /// Says something that is no part of the game.
    pub(crate) async fn chat(&mut self, text: &str) -> Outcome<()> {
        self.say(&json!({"type": "chat", "text": text})).await
    }

    async fn say(&mut self, value: &impl Serialize) -> Outcome<()> {
        let bytes = rmp_serde::to_vec_named(value).expect("a message is plain data");
        self.socket.send(Message::Binary(bytes.into())).await.map_err(|error| error.to_string())
    }

    /// Reads until it is asked to move; says under which id.
    pub(crate) async fn asked(&mut self) -> Outcome<u32> {
        let heard = self.until(|heard| heard.requests.as_ref().is_some_and(|all| !all.is_empty())).await?;
        Ok(heard.requests.and_then(|all| all.first().map(|request| request.input_id)).unwrap_or(0))
    }

    /// Reads until it is brought to this version.
    pub(crate) async fn until_version(&mut self, v: u64) -> Outcome<()> {
        while self.v < v {
            self.next().await?;
        }
        Ok(())
    }

    /// Reads until such a message comes.
    pub(crate) async fn until(&mut self, fits: impl Fn(&Heard) -> bool) -> Outcome<Heard> {
        loop {
            let heard = self.next().await?;
            if fits(&heard) {
                return Ok(heard);
            }
        }
    }

    async fn next(&mut self) -> Outcome<Heard> {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            let bytes = match frame.map_err(|_| "no message for a minute")? {
                Some(Ok(Message::Binary(bytes))) => bytes,
                Some(Ok(Message::Close(frame))) => return Err(format!("closed: {frame:?}")),
                Some(Ok(_)) => continue,
                Some(Err(error)) => return Err(error.to_string()),
                None => return Err("the connection is gone".to_owned()),
            };
            let heard: Heard = rmp_serde::from_slice(&bytes).map_err(|error| error.to_string())?;
            if matches!(heard.kind.as_str(), "refused" | "session_error") {
                return Err(format!(
                    "{}: {}",
                    heard.code.unwrap_or_default(),
                    heard.message.unwrap_or_default()
                ));
            }
            if heard.v > 0 {
                if heard.kind != "snapshot" {
                    self.missed += heard.v.saturating_sub(self.v + 1);
                }
                self.v = heard.v;
            }
            return Ok(heard);
        }
    }
}
