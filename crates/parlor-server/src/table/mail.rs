//! How others reach a table: the mail that its task takes, and what everybody may know without asking.
//!
//! Apart from the task, because this is all that connections, rooms and REST know of it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use parlor_core::{Json, Match, Seat, Viewer};
use parlor_host::{Command, ConnId, Table};
use parlor_store::PlayerId;
use parlor_wire::ServerMessage;
use parlor_wire::lobby::SeatNews;
use tokio::sync::oneshot;

use super::Agreed;
use crate::house::sessions::TableFacts;
use crate::net::bounded_queue;
use crate::net::outbox::Outbox;

/// Why a join was refused: the code and the text of the protocol.
pub(crate) type JoinError = (&'static str, &'static str);

/// Who has joined.
pub(crate) struct Joined {
    pub(crate) viewer: Viewer,
    pub(crate) players: Vec<SeatNews>,
}

/// Somebody's look at a table and its facts.
pub(crate) type Look = Box<dyn FnOnce(&Table, &TableFacts) + Send>;

/// What a table task is sent.
pub(crate) enum Mail {
    /// A player comes back, or somebody looks. Boxed, as all that is large.
    Join(Box<Join>),
    /// A connection is gone.
    Detach { conn: ConnId, by_server: bool },
    /// A connection has caught up and wants to know where things stand.
    Resync { conn: ConnId },
    /// A client's command.
    Do { command: Box<Command>, at: Instant },
    /// A player gets up for good; he may keep his connection.
    Leave { conn: ConnId },
    /// The player of this seat gets up for good.
    GetUp { seat: Seat },
    /// After the match: a player wants another with the same people, or not.
    Rematch { seat: Seat, agree: bool, reply: Option<oneshot::Sender<Agreed>> },
    /// A request by REST: the reply is the first message sent to its connection.
    Rest { command: Box<Command>, conn: ConnId, reply: oneshot::Sender<ServerMessage> },
    /// Somebody wants to look at the table itself.
    Look(Look),
    /// The server stops.
    Stop(oneshot::Sender<()>),
}

/// Somebody who wants to join.
pub(crate) struct Join {
    pub(crate) conn: ConnId,
    pub(crate) token: Option<String>,
    /// The account he shows, if he does.
    pub(crate) player: Option<PlayerId>,
    pub(crate) invite: Option<String>,
    pub(crate) spectate: bool,
    pub(crate) last_v: Option<u64>,
    pub(crate) out: Outbox,
    pub(crate) reply: oneshot::Sender<Result<Joined, JoinError>>,
}

/// How others reach a table.
#[derive(Clone)]
pub(crate) struct TableHandle {
    pub(crate) tx: bounded_queue::Sender<Mail>,
    pub(crate) public: Arc<Public>,
}

/// What everybody may know of a table without asking it.
pub(crate) struct Public {
    pub(crate) game: &'static str,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    pub(crate) over: AtomicBool,
}

/// What REST shows of a table.
pub(crate) fn describe(table: &Table) -> Json {
    let play: &Match = table.current_match();
    serde_json::json!({
        "game": play.def().name,
        "match": play.header().match_no,
        "seats": table.seat_infos(),
        "paused": play.paused(),
        "over": play.outcome().is_some(),
    })
}
