//! One client of a table of any game, in MessagePack: it answers whatever it is asked, as soon as it is asked.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use crate::Outcome;
use crate::asked::{Asked, Dice, Picked};
use crate::player::open_socket;

/// A client that has heard nothing for so long says that it is there; the server cuts those who do not.
const PING_EVERY: Duration = Duration::from_secs(10);
/// Close codes of a table that is over, and of one that the client has left.
const ENDS: [u16; 2] = [1000, 4002];
/// How long a client waits for its seat.
const SEATED_WITHIN: Duration = Duration::from_secs(60);

/// What all clients of a run have done and were sent.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) answers: AtomicU64,
    /// Bytes of all messages that the server sent, without the frames around them.
    pub(crate) bytes: AtomicU64,
    pub(crate) messages: AtomicU64,
    /// Clients whose match is over.
    pub(crate) done: AtomicU64,
    /// Answers that were refused, by code: the time was over, as a rule.
    pub(crate) refused: Mutex<BTreeMap<String, u64>>,
}

/// What a client reads of a message.
#[derive(Deserialize)]
struct Heard {
    #[serde(rename = "type")]
    kind: String,
    requests: Option<Vec<Asked>>,
    over: Option<IgnoredAny>,
    code: Option<String>,
    message: Option<String>,
}

#[derive(Serialize)]
struct Action {
    #[serde(rename = "type")]
    kind: &'static str,
    action: &'static str,
    data: Picked,
    #[serde(rename = "inputId")]
    input_id: u32,
}

/// A client that sits at a table.
pub(crate) struct Guest {
    socket: WebSocketStream<TcpStream>,
    dice: Dice,
    tally: Arc<Tally>,
    /// What it was asked when it sat down.
    asked: Vec<Asked>,
    /// The last request that it has answered.
    answered: u32,
    /// Its match is over; at some tables another follows.
    over: bool,
}

impl Guest {
    /// Connects and takes a seat; what it is sent from then on is read by [`Guest::play`].
    pub(crate) async fn sit(addr: SocketAddr, table: &str, n: u32, tally: Arc<Tally>) -> Outcome<Self> {
        let socket = open_socket(addr, table).await?;
        let seed = table.bytes().fold(u64::from(n) + 1, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
        let mut guest =
            Self { socket, dice: Dice::new(seed), tally, asked: Vec::new(), answered: 0, over: false };
        guest.say(&json!({"type": "join_game", "player_name": format!("Guest {n}")})).await?;
        let joined = tokio::time::timeout(SEATED_WITHIN, guest.until("game_joined")).await;
        joined.map_err(|_| format!("{table}: no seat within a minute"))??;
        Ok(guest)
    }

    /// Waits until the match has begun.
    pub(crate) async fn begin(&mut self) -> Outcome<()> {
        let snapshot = tokio::time::timeout(SEATED_WITHIN, self.until("snapshot")).await;
        let snapshot = snapshot.map_err(|_| "the match did not begin within a minute")??;
        self.asked = snapshot.requests.unwrap_or_default();
        Ok(())
    }

    /// Answers whatever comes, for as long as the table is there.
    pub(crate) async fn play(mut self) -> Outcome<()> {
        let first = std::mem::take(&mut self.asked);
        self.answer_all(&first).await?;
        while let Some(heard) = self.next().await? {
            if heard.kind == "snapshot" {
                self.note_over(false);
                self.answered = 0;
            }
            if let Some(requests) = &heard.requests {
                self.answer_all(requests).await?;
            }
            if heard.over.is_some() {
                self.note_over(true);
            }
        }
        self.note_over(true);
        Ok(())
    }

    fn note_over(&mut self, over: bool) {
        match (std::mem::replace(&mut self.over, over), over) {
            (false, true) => self.tally.done.fetch_add(1, Ordering::Relaxed),
            (true, false) => self.tally.done.fetch_sub(1, Ordering::Relaxed),
            _ => 0,
        };
    }

    async fn answer_all(&mut self, requests: &[Asked]) -> Outcome<()> {
        for asked in requests.iter().filter(|asked| asked.waits()) {
            if asked.input_id <= self.answered {
                continue;
            }
            self.answered = asked.input_id;
            let data = asked.answer(&mut self.dice)?;
            self.say(&Action { kind: "game_action", action: "answer", data, input_id: asked.input_id })
                .await?;
            self.tally.answers.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    async fn until(&mut self, kind: &str) -> Outcome<Heard> {
        loop {
            match self.next().await? {
                Some(heard) if heard.kind == kind => return Ok(heard),
                Some(_) => {}
                None => return Err(format!("closed before {kind}")),
            }
        }
    }

    async fn say(&mut self, value: &impl Serialize) -> Outcome<()> {
        let bytes = rmp_serde::to_vec_named(value).expect("a message is plain data");
        self.socket.send(Message::Binary(bytes.into())).await.map_err(|error| error.to_string())
    }

    /// The next message; none if the server has ended the connection in good order.
    async fn next(&mut self) -> Outcome<Option<Heard>> {
        loop {
            let frame = match tokio::time::timeout(PING_EVERY, self.socket.next()).await {
                Ok(frame) => frame,
                Err(_) => {
                    self.say(&json!({"type": "ping"})).await?;
                    continue;
                }
            };
            let bytes = match frame {
                Some(Ok(Message::Binary(bytes))) => bytes,
                Some(Ok(Message::Close(Some(frame)))) if ENDS.contains(&frame.code.into()) => {
                    return Ok(None);
                }
                Some(Ok(Message::Close(frame))) => return Err(format!("closed: {frame:?}")),
                Some(Ok(_)) => continue,
                Some(Err(error)) => return Err(error.to_string()),
                None => return Err("the connection is gone".to_owned()),
            };
            self.tally.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            self.tally.messages.fetch_add(1, Ordering::Relaxed);
            let heard: Heard = rmp_serde::from_slice(&bytes).map_err(|error| error.to_string())?;
            match heard.kind.as_str() {
                "refused" => self.note_refusal(heard.code.unwrap_or_default()),
                "session_error" => return Err(format!("{:?}: {:?}", heard.code, heard.message)),
                _ => return Ok(Some(heard)),
            }
        }
    }

    fn note_refusal(&self, code: String) {
        let mut refused = self.tally.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *refused.entry(code).or_default() += 1;
    }
}

impl Tally {
    /// The refusals, as JSON.
    pub(crate) fn refusals(&self) -> Value {
        json!(*self.refused.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}
