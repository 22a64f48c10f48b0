//! One WebSocket connection: frames in, messages out, and nothing else. `frame → [dialect] → Inbound`, and back
//! `ServerMessage | LobbyNews → [dialect] → frame`.

mod join;
mod lobby;
mod out;

mod table;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parlor_core::{Fault, HouseCode, Refusal, Viewer};
use parlor_host::ConnId;
use parlor_store::Player;
use parlor_wire::{ClientMessage, CloseReason, Codec, DetectDialect, Inbound, LobbyNews};

use super::protocol::{Decoded, Protocol};
use crate::house::hub::Hub;
use crate::house::signed_in::SignedInLink;
use crate::net::bounded_queue::Receiver;
use crate::net::outbox::{Out, Outbox};
use crate::net::throttle::Bucket;
use crate::net::websocket::{Message, ProtocolError, RecvError, WebSocket};
use crate::table::{Mail, TableHandle};
use table::submit_command;

/// After this many bad frames in a row the connection is closed.
const BAD_FRAMES_MAX: u32 = 5;
/// Refusals for sending too much that a connection is given, on average and in a burst. One that goes on is closed.
const WARNINGS_PER_SECOND: u32 = 1;
const WARNINGS_BURST: u32 = 20;
/// How often a connection that fell behind asks for a snapshot.
const RESYNC_EVERY: Duration = Duration::from_millis(100);
/// How long a client has to read the close frame and to close its side.
const CLOSE_MAX: Duration = Duration::from_secs(1);

enum Location {
    Nowhere,
    /// Signed in, at no table.
    Lobby,
    Room,
    Table(TableHandle),
}

pub(crate) struct Connection {
    hub: Arc<Hub>,
    game_id: String,
    address: IpAddr,
    conn: ConnId,
    protocol: Protocol,
    place: Location,
    out: Outbox,
    behind: Arc<AtomicBool>,
    bucket: Bucket,
    chat: Bucket,
    /// Refusals for sending too much: a client that goes on after these is closed.
    warnings: Bucket,
    bad: u32,
    name: String,
    viewer: Option<Viewer>,
    /// Whether it connected to the lobby and not to a table: then it stays open when a match is over.
    lobby: bool,
    /// The player, once the connection has signed in.
    player: Option<Box<Player>>,
    /// What a spectator needs to take a seat.
    guest: Option<Box<GuestPass>>,
}

/// With what a spectator takes a seat: the token to return with, and the code of a private table.
struct GuestPass {
    token: String,
    invite: Option<String>,
}

/// How a connection ends.
enum Ending {
    /// The client is gone: nothing can be sent to it.
    Gone,
    /// The server closes it.
    House(CloseReason),
    /// The game's document closes it, with this code and word.
    Dialect(u16, &'static str),
    /// What the client sent is not WebSocket.
    Violation(ProtocolError),
}

/// What to do after a frame.
enum AfterFrame {
    Go,
    Close(CloseReason),
}

/// The result of reading a frame.
enum FrameResult {
    /// Handled already.
    Nothing,
    Decoded(Decoded),
    Bad(Fault),
    /// It sends too much, and was told so often enough.
    Flood,
    Close,
}

/// Runs one connection to its end. Its large state is in one box: the memory of a task holds more than one copy of a
/// value that is passed from one async function to the next.
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
        protocol: Protocol::new(codec),
        place: Location::Nowhere,
        out,
        behind,
        bucket,
        chat,
        warnings: Bucket::new(WARNINGS_PER_SECOND, WARNINGS_BURST),
        bad: 0,
        name: String::new(),
        viewer: None,
        player: None,
        guest: None,
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
        // By the server's clock: a client is not silent while the server stands still and reads nothing.
        let mut heard = self.hub.now();
        let mut heard_at = Instant::now();
        let (heartbeat, join) = (self.hub.config.heartbeat_ms, self.hub.config.join_ms);
        let join_by = heard + join;
        let mut by_server = false;
        // One timer for the whole connection: it is reset only when it fires too early or would fire too late.
        let alarm = tokio::time::sleep(Duration::from_millis(join));
        tokio::pin!(alarm);
        let ending = loop {
            let (deadline, patience) = match self.place {
                Location::Nowhere => (join_by, join),
                _ => (heard + heartbeat, heartbeat),
            };
            // Asks again if the table's mailbox was too full for the request for a snapshot.
            let behind = self.behind.load(Ordering::Acquire);
            let due = heard_at + Duration::from_millis(patience);
            let wake = if behind { due.min(Instant::now() + RESYNC_EVERY) } else { due };
            if wake < alarm.deadline().into_std() {
                alarm.as_mut().reset(wake.into());
            }
            tokio::select! {
                biased;
                out = rx.recv() => {
                    let Some(out) = out else { break Ending::Gone };
                    match self.put_all(socket, out, rx).await {
                        Ok(()) => self.resync_if_behind(rx),
                        // The player left, not the server: their seat is looked after.
                        Err(Ending::Gone) => break Ending::Gone,
                        Err(ending) => {
                            by_server = true;
                            break ending;
                        }
                    }
                }
                frame = socket.recv() => {
                    let frame = match frame {
                        Ok(frame) => frame,
                        Err(RecvError::Gone) => break Ending::Gone,
                        Err(RecvError::ProtocolError(fault)) => break Ending::Violation(fault),
                    };
                    heard_at = Instant::now();
                    heard = self.hub.at(heard_at);
                    self.hub.metrics.frames_in.fetch_add(1, Ordering::Relaxed);
                    let next = match self.read(frame, heard_at) {
                        FrameResult::Nothing => AfterFrame::Go,
                        // Boxed: everything but plain answers is rare, and would take memory in every connection.
                        other => Box::pin(self.react(socket, other)).await,
                    };
                    match next {
                        AfterFrame::Go => {}
                        AfterFrame::Close(reason) => break Ending::House(reason),
                    }
                }
                () = &mut alarm => {
                    self.resync_if_behind(rx);
                    let now = self.hub.now();
                    if now < deadline {
                        let left = Duration::from_millis(deadline - now);
                        alarm.as_mut().reset(tokio::time::Instant::now() + left);
                        continue;
                    }
                    break Ending::House(match self.place {
                        Location::Nowhere => CloseReason::JoinTimeout,
                        _ => CloseReason::HeartbeatTimeout,
                    });
                }
            }
        };
        Box::pin(self.end(socket, ending, by_server)).await;
    }

    async fn end(&mut self, socket: &mut WebSocket, ending: Ending, by_server: bool) {
        self.depart(by_server).await;
        let (code, reason) = match ending {
            Ending::Gone => return,
            Ending::House(reason) => self.protocol.close(reason),
            Ending::Dialect(code, reason) => (code, reason),
            Ending::Violation(error) => error.close(),
        };
        let _ = tokio::time::timeout(CLOSE_MAX, socket.close(code, reason)).await;
    }

    /// Leaves the queue, the room or the table.
    async fn depart(&mut self, by_server: bool) {
        if let Some(player) = self.player.as_ref() {
            self.hub.queue_leave(&player.id, Some(self.conn));
        }
        let by_server = by_server || self.hub.stopping();
        match std::mem::replace(&mut self.place, Location::Nowhere) {
            Location::Nowhere | Location::Lobby => {}
            Location::Room if by_server => {}
            Location::Room => self.leave_room().await,
            Location::Table(handle) => {
                let _ = handle.tx.send(Mail::Detach { conn: self.conn, by_server }).await;
            }
        }
    }

    /// Leaves the room; if its table has just started and this connection has not been sent that yet, leaves the
    /// table.
    async fn leave_room(&mut self) {
        self.hub.leave_room(&self.game_id, self.conn);
        if let Some(handle) = self.hub.running(&self.game_id) {
            let _ = handle.tx.send(Mail::Detach { conn: self.conn, by_server: false }).await;
        }
    }

    /// This connection, as its player sees it.
    fn signed_in_link(&self) -> SignedInLink {
        SignedInLink {
            conn: self.conn,
            address: self.address,
            out: self.out.clone(),
            since_ms: self.hub.wall_ms(),
        }
    }

    /// The connection is this player's from now on.
    fn is_player(&mut self, player: Player) {
        if let Some(other) = self.player.take().filter(|other| other.id != player.id) {
            self.hub.queue_leave(&other.id, Some(self.conn));
            self.hub.signed_in.remove(&other.id, self.conn);
        }
        self.player = Some(Box::new(player));
    }

    /// The location of a connection that is in no room and at no table.
    fn home(&self) -> Location {
        if self.lobby && self.player.is_some() { Location::Lobby } else { Location::Nowhere }
    }

    // ---- in ----

    /// Reads a frame; a plain answer goes to the table at once.
    fn read(&mut self, frame: Message, now: Instant) -> FrameResult {
        let (codec, bytes) = match frame {
            Message::Text(text) => (Codec::Json, text.into_bytes()),
            Message::Binary(bytes) => (Codec::MessagePack, bytes),
            Message::Close(_) => return FrameResult::Close,
            // Each is answered, so each counts as a message.
            Message::Ping(_) | Message::Pong => {
                return if self.bucket.take(now) { FrameResult::Nothing } else { self.too_much(now) };
            }
        };
        if !self.bucket.take(now) {
            return self.too_much(now);
        }
        let undecided = self.protocol.is_undecided().then(|| self.hub.clone());
        let dialects = undecided.as_ref().map_or(&[][..], |hub| self.dialects(hub, codec));
        let said = self.protocol.decode(codec, &bytes, dialects);
        match (said, &self.place) {
            (
                Ok(Decoded::One(Inbound::Table(ClientMessage::Answer { names, answer, request_key }))),
                Location::Table(handle),
            ) => {
                self.bad = 0;
                let command = submit_command(self.conn, names, answer, request_key);
                match handle.tx.try_send(Mail::Do { command: Box::new(command), at: now }) {
                    Ok(()) => FrameResult::Nothing,
                    Err(_) => FrameResult::Bad(busy()),
                }
            }
            (Ok(said), _) => {
                self.bad = 0;
                FrameResult::Decoded(said)
            }
            (Err(fault), _) => {
                self.bad += 1;
                FrameResult::Bad(fault)
            }
        }
    }

    fn too_much(&mut self, now: Instant) -> FrameResult {
        if self.warnings.take(now) {
            FrameResult::Bad(Fault::new(HouseCode::RateLimited, "you are sending too much"))
        } else {
            FrameResult::Flood
        }
    }

    /// The dialects that a connection may begin to speak: that of its table, if the table's game has one for clients
    /// without a subprotocol; else those that a first message tells apart.
    fn dialects<'a>(&self, hub: &'a Hub, codec: Codec) -> &'a [DetectDialect] {
        let at_table = codec == Codec::MessagePack && !self.lobby && !self.protocol.agreed();
        let game = if at_table { hub.game_of(&self.game_id) } else { None };
        let own = game.and_then(|game| hub.dialects.of_game(game));
        own.map_or(&hub.dialects.by_message[..], std::slice::from_ref)
    }

    async fn react(&mut self, socket: &mut WebSocket, heard: FrameResult) -> AfterFrame {
        match heard {
            FrameResult::Nothing => AfterFrame::Go,
            FrameResult::Close => AfterFrame::Close(CloseReason::Closed),
            FrameResult::Flood => AfterFrame::Close(CloseReason::RateLimited),
            FrameResult::Decoded(Decoded::One(said)) => self.handle_inbound(socket, said).await,
            FrameResult::Decoded(Decoded::Many(all)) => {
                for said in all {
                    match self.handle_inbound(socket, said).await {
                        AfterFrame::Go => {}
                        close => return close,
                    }
                }
                AfterFrame::Go
            }
            FrameResult::Bad(fault) => {
                self.refuse(socket, &fault.into()).await;
                if self.bad >= BAD_FRAMES_MAX {
                    AfterFrame::Close(CloseReason::BadFrames)
                } else {
                    AfterFrame::Go
                }
            }
        }
    }

    async fn handle_inbound(&mut self, socket: &mut WebSocket, said: Inbound) -> AfterFrame {
        match said {
            Inbound::Table(message) => self.message(socket, message).await,
            // Boxed: it is rare, and would take memory in every connection.
            Inbound::Lobby(message) => {
                Box::pin(self.lobby_message(socket, message)).await;
                AfterFrame::Go
            }
        }
    }

    async fn error(&mut self, socket: &mut WebSocket, code: HouseCode, message: &str) {
        self.hub.metrics.refused(&code.into());
        self.news(socket, &LobbyNews::error(code, message)).await;
    }

    async fn refuse(&mut self, socket: &mut WebSocket, refusal: &Refusal) {
        self.hub.metrics.refused(refusal.code());
        self.news(socket, &LobbyNews::from(refusal)).await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(player) = &self.player {
            self.hub.signed_in.remove(&player.id, self.conn);
        }
        tracing::debug!(conn = self.conn.0, address = %self.address, "connection closed");
    }
}

fn busy() -> Fault {
    Fault::new(HouseCode::Busy, "this table has too much to do; try again")
}
