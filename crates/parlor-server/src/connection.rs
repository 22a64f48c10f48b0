//! One WebSocket: frames in, messages out, and nothing else. `frame → [dialect] → Inbound`, and back
//! `ServerMessage | LobbyNews → [dialect] → frame`.

mod join;
mod lobby;

use std::borrow::Cow;
use std::future::poll_fn;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use parlor_core::limits::CHAT_CHARS_MAX;
use parlor_core::{Fault, Json, Viewer};
use parlor_host::{Answers, Command, ConnId, Submit};
use parlor_store::Player;
use parlor_wire::client::Names;
use parlor_wire::{ClientMessage, Codec, Dialect, Inbound, Letter, LobbyNews};
use serde_json::json;

use crate::bounded::Receiver;
use crate::hub::Hub;
use crate::outbox::{Out, Outbox, Started};
use crate::table_task::{Mail, TableHandle};
use crate::throttle::Bucket;
use crate::websocket::{End, Kind, Message, WebSocket};

/// Bad frames in a row after which a connection is closed.
const BAD_FRAMES_MAX: u32 = 5;
/// How often a connection that fell behind asks for a snapshot.
const RESYNC_EVERY: Duration = Duration::from_millis(100);
/// How long a client has to take one message.
const SEND_MAX: Duration = Duration::from_secs(20);
/// How long a client has to hear that a connection ends, and to hang up.
const CLOSE_MAX: Duration = Duration::from_secs(1);

enum Place {
    Nowhere,
    /// Known to the house, at no table.
    Lobby,
    Room,
    Table(TableHandle),
}

pub(crate) struct Connection {
    hub: Arc<Hub>,
    game_id: String,
    address: IpAddr,
    conn: ConnId,
    codec: Option<Codec>,
    place: Place,
    out: Outbox,
    behind: Arc<AtomicBool>,
    bucket: Bucket,
    chat: Bucket,
    bad: u32,
    name: String,
    viewer: Option<Viewer>,
    /// Whether it came to the house and not to a table: then it stays when a match is over.
    lobby: bool,
    /// Who it is, where it has said so.
    player: Option<Box<Player>>,
    /// Another document's names for what is said here.
    dialect: Option<Box<dyn Dialect>>,
    heard_anything: bool,
    /// Whether a subprotocol was agreed on.
    agreed: bool,
}

/// What somebody wants who joins.
struct Wish {
    name: String,
    token: Option<String>,
    last_v: Option<u64>,
    spectate: bool,
    game_id: Option<String>,
    player_token: Option<String>,
    invite: Option<String>,
}

impl Wish {
    /// To take up a match again that this connection's player sits at.
    fn to_return() -> Self {
        Self {
            name: String::new(),
            token: None,
            last_v: None,
            spectate: false,
            game_id: None,
            player_token: None,
            invite: None,
        }
    }
}

/// How a connection ends: the code and the reason.
type Close = (u16, &'static str);

/// How a connection ends whose client does not take what it is sent: cut by us; it may come back.
const TOO_SLOW: Close = (4008, "too_slow");

/// Waits until a client has taken what it is sent.
async fn flush(socket: &mut WebSocket) -> Result<(), Close> {
    // Almost always there is room for it at once.
    let at_once = poll_fn(|context| Poll::Ready(socket.poll_flush(context))).await;
    let done = match at_once {
        Poll::Ready(done) => done.is_ok(),
        // Boxed: it is rare, and would be part of every connection's memory.
        Poll::Pending => {
            let waiting = Box::pin(tokio::time::timeout(SEND_MAX, socket.flush()));
            waiting.await.is_ok_and(|done| done.is_ok())
        }
    };
    if done { Ok(()) } else { Err(TOO_SLOW) }
}

/// What to do after a frame.
enum Next {
    Go,
    Close(u16, &'static str),
}

/// What a frame means to the house.
enum Said {
    One(Inbound),
    Many(Vec<Inbound>),
}

/// A frame, read.
enum Heard {
    /// Done with already.
    Nothing,
    Said(Said),
    Bad(Fault),
    Close,
}

/// Runs one connection to its end. Everything large is in one box: a task's own memory holds what is handed from one
/// async function to the next more than once.
pub(crate) fn run(
    hub: Arc<Hub>,
    socket: WebSocket,
    game_id: Option<String>,
    address: IpAddr,
    codec: Option<Codec>,
) -> impl Future<Output = ()> + Send {
    let (out, rx, behind) = Outbox::new(hub.config.outbox_max);
    let bucket = Bucket::new(hub.config.messages_per_second, hub.config.messages_burst);
    let chat = Bucket::new(hub.config.chat_per_second, hub.config.chat_burst);
    let conn = hub.new_conn();
    let connection = Connection {
        hub,
        lobby: game_id.is_none(),
        game_id: game_id.unwrap_or_default(),
        address,
        conn,
        agreed: codec.is_some(),
        codec,
        place: Place::Nowhere,
        out,
        behind,
        bucket,
        chat,
        bad: 0,
        name: String::new(),
        viewer: None,
        player: None,
        dialect: None,
        heard_anything: false,
    };
    let mut all = Box::new((connection, socket, rx));
    async move {
        let (connection, socket, rx) = &mut *all;
        connection.serve(socket, rx).await;
        connection.hub.disconnect_from(connection.address);
    }
}

impl Connection {
    async fn serve(&mut self, socket: &mut WebSocket, rx: &mut Receiver<Out>) {
        let opened = Instant::now();
        let mut heard = opened;
        let heartbeat = Duration::from_millis(self.hub.config.heartbeat_ms);
        let join = Duration::from_millis(self.hub.config.join_ms);
        let mut by_server = false;
        // One timer for the whole connection: it is set anew only when it rings too early or would ring too late.
        let alarm = tokio::time::sleep_until((opened + join).into());
        tokio::pin!(alarm);
        let close = loop {
            let deadline = match self.place {
                Place::Nowhere => opened + join,
                _ => heard + heartbeat,
            };
            // A table too busy to hear that this connection has caught up is told again.
            let behind = self.behind.load(Ordering::Acquire);
            let wake = if behind { deadline.min(Instant::now() + RESYNC_EVERY) } else { deadline };
            if wake < alarm.deadline().into_std() {
                alarm.as_mut().reset(wake.into());
            }
            tokio::select! {
                biased;
                out = rx.recv() => {
                    let Some(out) = out else { break None };
                    match self.put_all(socket, out, rx).await {
                        Ok(()) => self.resync_if_behind(rx),
                        Err(close) => {
                            by_server = true;
                            break Some(close);
                        }
                    }
                }
                frame = socket.recv() => {
                    let frame = match frame {
                        Ok(frame) => frame,
                        Err(End::Gone) => break None,
                        Err(End::Fault(fault)) => break Some(fault.close()),
                    };
                    heard = Instant::now();
                    self.hub.metrics.frames_in.fetch_add(1, Ordering::Relaxed);
                    let next = match self.read(frame, heard) {
                        Heard::Nothing => Next::Go,
                        // Boxed: all but plain answers are rare, and would be part of every connection's memory.
                        other => Box::pin(self.react(socket, other)).await,
                    };
                    match next {
                        Next::Go => {}
                        Next::Close(code, reason) => break Some((code, reason)),
                    }
                }
                () = &mut alarm => {
                    self.resync_if_behind(rx);
                    if Instant::now() < deadline {
                        alarm.as_mut().reset(deadline.into());
                        continue;
                    }
                    break Some(match self.place {
                        Place::Nowhere => (4001, "join_timeout"),
                        _ => (1000, "heartbeat_timeout"),
                    });
                }
            }
        };
        Box::pin(self.end(socket, close, by_server)).await;
    }

    async fn end(&mut self, socket: &mut WebSocket, close: Option<Close>, by_server: bool) {
        self.depart(by_server).await;
        if let Some((code, reason)) = close {
            let _ = tokio::time::timeout(CLOSE_MAX, socket.close(code, reason)).await;
        }
    }

    /// Leaves the line, the room or the table it was in.
    async fn depart(&mut self, by_server: bool) {
        if let Some(player) = self.player.as_ref() {
            self.hub.queue_leave(&player.id, Some(self.conn));
        }
        let by_server = by_server || self.hub.stopping();
        match std::mem::replace(&mut self.place, Place::Nowhere) {
            Place::Nowhere | Place::Lobby => {}
            Place::Room if by_server => {}
            Place::Room => self.leave_room().await,
            Place::Table(handle) => {
                let _ = handle.tx.send(Mail::Detach { conn: self.conn, by_server }).await;
            }
        }
    }

    /// Leaves the room; where its table has just begun and nobody has told us yet, that.
    async fn leave_room(&mut self) {
        self.hub.leave_room(&self.game_id, self.conn);
        if let Some(handle) = self.hub.at_work(&self.game_id) {
            let _ = handle.tx.send(Mail::Detach { conn: self.conn, by_server: false }).await;
        }
    }

    // ---- out ----

    /// Writes whatever waits in one go: most of the cost of a message is the system call that carries it.
    async fn put_all(
        &mut self,
        socket: &mut WebSocket,
        first: Out,
        rx: &mut Receiver<Out>,
    ) -> Result<(), Close> {
        let mut next = Some(first);
        while let Some(out) = next {
            let (more, close) = self.put_many(socket, out, rx)?;
            flush(socket).await?;
            if let Some(close) = close {
                return Err(close);
            }
            next = more;
        }
        Ok(())
    }

    /// Puts what waits behind what is to be sent, until that is much; says what comes next, or that it was the last.
    fn put_many(
        &mut self,
        socket: &mut WebSocket,
        first: Out,
        rx: &mut Receiver<Out>,
    ) -> Result<(Option<Out>, Option<Close>), Close> {
        let (mut next, mut close) = (Some(first), None);
        let mut frames = 0;
        while let Some(out) = next.take_if(|_| !socket.is_full()) {
            let said = match out {
                Out::Message { message, wall_at_zero } => match &mut self.dialect {
                    Some(dialect) => dialect.message(&message, wall_at_zero),
                    None => {
                        frames += 1;
                        let (kind, bytes) = self.encode(&message, wall_at_zero);
                        socket.put(kind, &bytes).map_err(|_| TOO_SLOW)?;
                        Vec::new()
                    }
                },
                Out::Session(news) => self.worded(&news),
                Out::Started(started) => {
                    let Started { id, handle, seat } = *started;
                    self.game_id = id;
                    self.place = Place::Table(handle);
                    self.viewer = Some(Viewer::Seat(seat));
                    Vec::new()
                }
                Out::Unseated => {
                    self.place = self.home();
                    Vec::new()
                }
                Out::Close(code, reason) => {
                    close = Some((code, reason));
                    break;
                }
            };
            for value in &said {
                frames += 1;
                let (kind, bytes) = self.frame_of(value);
                socket.put(kind, &bytes).map_err(|_| TOO_SLOW)?;
            }
            next = rx.try_recv();
        }
        self.hub.metrics.frames_out.fetch_add(frames, Ordering::Relaxed);
        Ok((next, close))
    }

    /// News in the words of this connection.
    fn worded(&mut self, news: &LobbyNews) -> Vec<Json> {
        match &mut self.dialect {
            Some(dialect) => dialect.news(news),
            None => vec![serde_json::to_value(news).expect("news are plain data")],
        }
    }

    /// Where it is when it is nowhere else.
    fn home(&self) -> Place {
        if self.lobby && self.player.is_some() { Place::Lobby } else { Place::Nowhere }
    }

    fn encode<'a>(&self, message: &'a Letter, wall_at_zero: i64) -> (Kind, Cow<'a, [u8]>) {
        let timed = message.timed();
        let packed = !timed && self.codec.unwrap_or(Codec::MessagePack) == Codec::MessagePack;
        if let Some(packed) = message.ready().filter(|_| packed) {
            return (Kind::Binary, Cow::Borrowed(packed));
        }
        let began = Instant::now();
        let frame = if packed {
            (Kind::Binary, Cow::Borrowed(&**message.packed()))
        } else if timed {
            let mut value = serde_json::to_value(message).expect("a message is plain data");
            add_wall_clock(&mut value, wall_at_zero);
            self.frame_of(&value)
        } else {
            self.frame_of(message)
        };
        self.hub.metrics.encode.add(began.elapsed().as_micros() as u64);
        frame
    }

    fn frame_of(&self, value: &impl serde::Serialize) -> (Kind, Cow<'static, [u8]>) {
        let codec = self.codec.unwrap_or(Codec::MessagePack);
        let kind = match codec {
            Codec::Json => Kind::Text,
            Codec::MessagePack => Kind::Binary,
        };
        (kind, Cow::Owned(codec.encode(value)))
    }

    /// Says something at once.
    async fn news(&mut self, socket: &mut WebSocket, news: &LobbyNews) {
        let said = self.worded(news);
        self.hub.metrics.frames_out.fetch_add(said.len() as u64, Ordering::Relaxed);
        for value in &said {
            let (kind, bytes) = self.frame_of(value);
            // A client that is gone is found out by the next read.
            if socket.put(kind, &bytes).is_ok() {
                let _ = flush(socket).await;
            }
        }
    }

    /// A connection that has emptied its outbox after messages were dropped asks for a snapshot.
    fn resync_if_behind(&self, rx: &Receiver<Out>) {
        if let (true, true, Place::Table(handle)) =
            (rx.is_empty(), self.behind.load(Ordering::Acquire), &self.place)
        {
            let _ = handle.tx.try_send(Mail::Resync { conn: self.conn });
        }
    }

    // ---- in ----

    /// Reads a frame; a plain answer goes to the table at once.
    fn read(&mut self, frame: Message, now: Instant) -> Heard {
        let (codec, bytes) = match frame {
            Message::Text(text) => (Codec::Json, text.into_bytes()),
            Message::Binary(bytes) => (Codec::MessagePack, bytes),
            Message::Close(_) => return Heard::Close,
            // Each is answered: they count as any other message does.
            Message::Ping(_) | Message::Pong => {
                return if self.bucket.take(now) { Heard::Nothing } else { Heard::Bad(too_much()) };
            }
        };
        if !self.bucket.take(now) {
            return Heard::Bad(too_much());
        }
        // Without a subprotocol the first frame decides.
        let own = *self.codec.get_or_insert(codec);
        let said = if own == codec {
            self.understand(codec, &bytes)
        } else {
            Err(Fault::new("invalid_message", "the other codec was agreed on"))
        };
        match (said, &self.place) {
            (
                Ok(Said::One(Inbound::Table(ClientMessage::Answer { names, answer, request_key }))),
                Place::Table(handle),
            ) => {
                self.bad = 0;
                let command = submit(self.conn, names, answer, request_key);
                match handle.tx.try_send(Mail::Do { command: Box::new(command), at: now }) {
                    Ok(()) => Heard::Nothing,
                    Err(_) => Heard::Bad(busy()),
                }
            }
            (Ok(said), _) => {
                self.bad = 0;
                Heard::Said(said)
            }
            (Err(fault), _) => {
                self.bad += 1;
                Heard::Bad(fault)
            }
        }
    }

    fn understand(&mut self, codec: Codec, bytes: &[u8]) -> Result<Said, Fault> {
        let own_words = self.heard_anything && self.dialect.is_none();
        if own_words
            && codec == Codec::MessagePack
            && let Some(answer) = ClientMessage::plain_answer(bytes)
        {
            return Ok(Said::One(Inbound::Table(answer)));
        }
        let value = codec.decode(bytes).map_err(|why| Fault::new("invalid_message", why.to_string()))?;
        self.meaning(value)
    }

    async fn react(&mut self, socket: &mut WebSocket, heard: Heard) -> Next {
        match heard {
            Heard::Nothing => Next::Go,
            Heard::Close => Next::Close(1000, "closed"),
            Heard::Said(Said::One(said)) => self.said(socket, said).await,
            Heard::Said(Said::Many(all)) => {
                for said in all {
                    match self.said(socket, said).await {
                        Next::Go => {}
                        close => return close,
                    }
                }
                Next::Go
            }
            Heard::Bad(fault) => {
                self.error(socket, &fault.code, &fault.to_string()).await;
                if self.bad >= BAD_FRAMES_MAX { Next::Close(4004, "bad_frames") } else { Next::Go }
            }
        }
    }

    /// What a frame means to the house. The first one decides in which words the two speak.
    fn meaning(&mut self, value: Json) -> Result<Said, Fault> {
        if !std::mem::replace(&mut self.heard_anything, true) {
            // Whoever agreed on a subprotocol of the house speaks as the house does, unless he names a dialect.
            let own = self.agreed && value.get("dialect").is_none();
            let tongues = if own { &[] } else { self.hub.tongues.as_slice() };
            self.dialect = tongues.iter().find_map(|tongue| tongue(&value));
        }
        match &mut self.dialect {
            Some(dialect) => dialect.hear(value).map(Said::Many),
            None => Inbound::read(value).map(Said::One),
        }
    }

    async fn said(&mut self, socket: &mut WebSocket, said: Inbound) -> Next {
        match said {
            Inbound::Table(message) => self.message(socket, message).await,
            // Boxed: it happens seldom, and would be part of every connection's memory for good.
            Inbound::Lobby(message) => {
                Box::pin(self.lobby_message(socket, message)).await;
                Next::Go
            }
        }
    }

    async fn error(&mut self, socket: &mut WebSocket, code: &str, message: &str) {
        self.hub.metrics.refused(code);
        self.news(socket, &LobbyNews::error(code, message)).await;
    }

    async fn message(&mut self, socket: &mut WebSocket, message: ClientMessage) -> Next {
        match message {
            ClientMessage::Ping => self.news(socket, &LobbyNews::Pong).await,
            ClientMessage::JoinGame {
                player_name,
                session_token,
                last_v,
                spectate,
                game_id,
                player_token,
                invite,
            } => {
                let wish = Wish {
                    name: player_name,
                    token: session_token,
                    last_v,
                    spectate,
                    game_id,
                    player_token,
                    invite,
                };
                self.join(socket, wish).await;
            }
            ClientMessage::LeaveGame => return self.leave(socket).await,
            other => self.command(socket, other).await,
        }
        Next::Go
    }

    async fn leave(&mut self, socket: &mut WebSocket) -> Next {
        let home = self.home();
        match std::mem::replace(&mut self.place, home) {
            Place::Nowhere | Place::Lobby => {
                self.error(socket, "not_in_game", "You are not in a game").await;
                return Next::Go;
            }
            Place::Room => self.leave_room().await,
            Place::Table(handle) => {
                let _ = handle.tx.send(Mail::Leave { conn: self.conn }).await;
            }
        }
        self.viewer = None;
        self.news(socket, &LobbyNews::GameLeft).await;
        if self.lobby { Next::Go } else { Next::Close(1000, "left") }
    }

    /// Gives a command to the table; a full mailbox is this sender's trouble alone.
    async fn command(&mut self, socket: &mut WebSocket, message: ClientMessage) {
        let conn = self.conn;
        let command = match message {
            ClientMessage::Answer { names, answer, request_key } => submit(conn, names, answer, request_key),
            ClientMessage::Undo { to, request_key: key } => Command::Undo { conn, to, key },
            ClientMessage::Words(words) => Command::Words { seat: None, conn, words },
            ClientMessage::Chat { .. } if !self.chat.take(Instant::now()) => {
                return self.error(socket, "rate_limited", "you are talking too much").await;
            }
            ClientMessage::Chat { text } => Command::Chat { conn, name: self.name.clone(), text },
            _ => return,
        };
        let full = match &self.place {
            Place::Nowhere | Place::Lobby => {
                return self.error(socket, "not_in_game", "You are not in a game").await;
            }
            Place::Room => {
                if let Command::Chat { name, text, .. } = command {
                    if text.chars().count() > CHAT_CHARS_MAX {
                        return self.error(socket, "chat", "that is too long").await;
                    }
                    if self.hub.with_room(&self.game_id, |room| room.chat(name, text)).is_none() {
                        // Its table is being stored: nobody is there yet who would hear it.
                        self.error(socket, "busy", "the game is about to start; try again").await;
                    }
                    return;
                }
                return self.error(socket, "game_not_started", "Game has not started").await;
            }
            Place::Table(handle) => {
                handle.tx.try_send(Mail::Do { command: Box::new(command), at: Instant::now() }).is_err()
            }
        };
        if full {
            let fault = busy();
            self.error(socket, &fault.code, &fault.to_string()).await;
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        tracing::debug!(conn = self.conn.0, address = %self.address, "closed");
    }
}

fn too_much() -> Fault {
    Fault::new("rate_limited", "you are sending too much")
}

fn busy() -> Fault {
    Fault::new("busy", "this table has too much to do; try again")
}

fn submit(conn: ConnId, names: Names, answer: Json, key: Option<String>) -> Command {
    let to = match names {
        Names::Input(input) => Answers::Input(input),
        Names::Head(head) => Answers::Head(head),
        Names::Nothing => Answers::Latest,
    };
    Command::Submit(conn, Submit { to, answer, key })
}

/// Adds the wall clock of each deadline, outside of what is numbered and hashed.
fn add_wall_clock(value: &mut Json, wall_at_zero: i64) {
    for prompt in value.get_mut("requests").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Some(until) = prompt.get("until").and_then(Json::as_u64) {
            prompt["deadlineTs"] = json!(wall_at_zero + until as i64);
        }
    }
}
