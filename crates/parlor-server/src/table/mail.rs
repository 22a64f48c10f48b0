//! A table's mailbox: the mail that its task takes, and the facts that are public without asking it.
//!
//! Apart from the task, because this is all that connections, rooms and REST know of it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use parlor_core::{HouseCode, Match, PauseReason, Refusal, Seat, Viewer};
use parlor_host::{Command, ConnId, Table};
use parlor_store::{PlayerId, WriteError};
use parlor_wire::ServerMessage;
use parlor_wire::lobby::SeatNews;
use tokio::sync::oneshot;

use super::scores::ShownScores;
use super::{Agreed, SeatOffer, SitDown};
use crate::house::sessions::TableFacts;
use crate::house::stakes::Held;
use crate::net::bounded_queue;
use crate::net::outbox::Outbox;
use crate::rest::types::RunningTable;

/// Why a join was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JoinError {
    GameNotFound,
    NotInvited,
    /// Tokens are staked, and the caller has no account.
    PlayersOnly,
    /// They bring more or less than a player may.
    BuyIn,
    /// They do not have what they would bring.
    CannotBuyIn,
    /// They do not have the stake.
    NotEnoughTokens,
    Kicked,
    NameTaken,
    GameFull,
    GameStarted,
    Busy,
}

impl JoinError {
    /// The code and the text of the protocol.
    pub(crate) fn words(self) -> (HouseCode, &'static str) {
        match self {
            Self::GameNotFound => (HouseCode::GameNotFound, "Game does not exist"),
            Self::NotInvited => (HouseCode::NotInvited, "This game is private: it takes an invitation"),
            Self::PlayersOnly => {
                (HouseCode::PlayersOnly, "This game is played for tokens: it takes an account")
            }
            Self::BuyIn => (HouseCode::BuyIn, "that is more or less than a player may bring here"),
            Self::CannotBuyIn => (HouseCode::NotEnoughTokens, "you do not have enough to buy in"),
            Self::NotEnoughTokens => (HouseCode::NotEnoughTokens, "you do not have enough tokens"),
            Self::Kicked => (HouseCode::Kicked, "the owner asked you to go"),
            Self::NameTaken => (HouseCode::NameTaken, "That name is already taken in this game"),
            Self::GameFull => (HouseCode::GameFull, "Game is full"),
            Self::GameStarted => (HouseCode::GameStarted, "Game has already started"),
            Self::Busy => (HouseCode::Busy, "try again"),
        }
    }
}

impl From<JoinError> for Refusal {
    fn from(error: JoinError) -> Self {
        let (code, text) = error.words();
        Self::of(code, text)
    }
}

/// The reply to a successful join.
pub(crate) struct Joined {
    pub(crate) viewer: Viewer,
    pub(crate) players: Vec<SeatNews>,
}

/// A function that reads a table and its facts.
pub(crate) type Look = Box<dyn FnOnce(&Table, &TableFacts) + Send>;

/// Mail to a table task.
pub(crate) enum Mail {
    /// A player returns, or a spectator joins. Boxed, as every large variant.
    Join(Box<Join>),
    /// A connection has closed.
    Detach { conn: ConnId, by_server: bool },
    /// A connection has caught up and needs a snapshot.
    Resync { conn: ConnId },
    /// A client's command; `at` is when it was sent.
    Do { command: Box<Command>, at: Instant },
    /// A player leaves their seat for good; they may keep their connection.
    Leave { conn: ConnId },
    /// The player of this seat leaves it for good.
    GetUp { seat: Seat },
    /// After the match: a player agrees to a rematch, or no longer.
    Rematch { seat: Seat, agree: bool, reply: Option<oneshot::Sender<Agreed>> },
    /// A REST request: the reply is the first message sent to its connection.
    Rest { command: Box<Command>, conn: ConnId, reply: oneshot::Sender<ServerMessage> },
    /// A request to read the table.
    Look(Look),
    /// A player wants a seat at a table that runs.
    Sit(Box<SitDown>),
    /// A player wants a seat kept while they choose what to bring.
    KeepSeat(Box<KeepSeat>),
    /// The store has set aside what an input costs, or not.
    Reserved(Box<Reserved>),
    /// A request waits until the viewer's version is past `v`.
    Watch { viewer: Viewer, v: u64, reply: oneshot::Sender<()> },
    /// A player without a socket has asked for something.
    HeardOf,
    /// The tokens of this player's sessions are no longer good; their account is.
    ForgetTokens { player: PlayerId },
    /// Nobody has come back to a table that runs in the store alone.
    GiveUp,
    /// The server stops.
    Stop(oneshot::Sender<()>),
}

/// A request to keep a seat.
pub(crate) struct KeepSeat {
    /// Any free one if none.
    pub(crate) seat: Option<Seat>,
    pub(crate) token: String,
    pub(crate) player: Option<PlayerId>,
    pub(crate) reply: oneshot::Sender<Result<SeatOffer, Refusal>>,
}

/// What became of a reservation.
pub(crate) struct Reserved {
    pub(crate) id: u64,
    pub(crate) held: Held,
    pub(crate) result: Result<(), WriteError>,
}

/// A request to join.
pub(crate) struct Join {
    pub(crate) conn: ConnId,
    pub(crate) name: String,
    pub(crate) token: Option<String>,
    /// The account that the client signed in with.
    pub(crate) player: Option<PlayerId>,
    pub(crate) invite: Option<String>,
    pub(crate) spectate: bool,
    pub(crate) last_v: Option<u64>,
    /// The last chat message that the client has.
    pub(crate) last_chat: Option<u64>,
    pub(crate) out: Outbox,
    pub(crate) reply: oneshot::Sender<Result<Joined, JoinError>>,
}

/// The sending end of a table's mailbox, and its public facts.
#[derive(Clone)]
pub(crate) struct TableHandle {
    pub(crate) tx: bounded_queue::Sender<Mail>,
    pub(crate) public: Arc<Public>,
}

/// The facts about a table that are public without asking it.
pub(crate) struct Public {
    pub(crate) game: &'static str,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    /// Whether it takes an invitation to know of it.
    pub(crate) private: bool,
    pub(crate) over: AtomicBool,
    /// What lists were last told of its score.
    pub(super) scores: ShownScores,
}

/// What REST shows of a table.
pub(crate) fn describe(table: &Table) -> RunningTable {
    let play: &Match = table.current_match();
    RunningTable {
        game: play.def().name,
        match_no: play.header().match_no,
        seats: table.seat_infos(),
        paused: play.paused().map(PauseReason::to_string),
        over: play.outcome().is_some(),
        seeded: play.header().seeded,
    }
}
