//! The input and output of a table: [`Command`]s go in, [`Effect`]s come out.

use std::sync::Arc;

use parlor_core::{
    AnswerTarget, EncodedRecord, Header, Json, Outcome, PauseReason, Posting, Refusal, Repair, Seat,
    StopReason, Viewer,
};
use parlor_wire::{ClientMessage, CloseReason, EncodedMessage};

use crate::chairs::Occupant;

/// One connection of one client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct ConnId(pub u64);

/// An answer that a client submits.
#[derive(Clone, PartialEq, Debug)]
pub struct Submit {
    pub to: AnswerTarget,
    pub answer: Json,
    /// The client's retry key.
    pub key: Option<String>,
}

/// An input of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// A client connects. One with a seat replaces an older connection of that seat.
    Connect {
        conn: ConnId,
        viewer: Viewer,
        /// The last version that the client has, if any.
        last_v: Option<u64>,
    },
    /// A client that fell behind asks for the current state and gets one snapshot.
    Refresh {
        conn: ConnId,
        viewer: Viewer,
    },
    /// A client has disconnected.
    Disconnect {
        conn: ConnId,
        /// Whether the server itself closed the connection; then the player does not count as away.
        by_server: bool,
    },
    Submit(ConnId, Submit),
    /// A player answers without a connection to the table, as by a single HTTP request. The reply goes to `conn` all
    /// the same.
    SubmitAs {
        seat: Seat,
        /// Where the reply goes.
        conn: ConnId,
        /// Must name the request or the head.
        submit: Submit,
    },
    /// A player without a connection asks to take back their last answer, or the record they name.
    UndoAs {
        seat: Seat,
        /// Where the reply goes.
        conn: ConnId,
        to: Option<u32>,
        /// The client's retry key.
        key: Option<String>,
    },
    /// A client asks to take back its last answer, or the record it names.
    Undo {
        conn: ConnId,
        to: Option<u32>,
        /// The client's retry key.
        key: Option<String>,
    },
    /// A client sends a chat message. It is no part of the match and stands in no log.
    Chat {
        conn: ConnId,
        /// The name of a spectator; ignored for a player, whose own name counts.
        name: String,
        text: String,
    },
    /// A player leaves the seat for good.
    Leave {
        seat: Seat,
    },
    /// A player or a bot takes a seat; during a match only if the game lets players join. [`Effect::Sat`] says whether
    /// they got it.
    Sit {
        /// The connection on whose behalf.
        conn: ConnId,
        seat: Seat,
        who: Occupant,
        /// What the player brings. Where players pay from accounts it is reserved first.
        stake: i64,
    },
    /// The player in this seat leaves when the match is over, or stays after all.
    LeaveAfter {
        seat: Seat,
        leaving: bool,
    },
    /// The settings of the rules change from the next match on.
    ChangeSettings {
        /// Where the reply goes.
        conn: ConnId,
        settings: Json,
    },
    /// The store has set aside what [`Effect::Reserve`] asked for.
    Reserved {
        id: u64,
    },
    /// The store did not set it aside.
    NotReserved {
        id: u64,
        why: Refusal,
    },
    /// The decision that [`Effect::Think`] asked for; none if it failed, or took too long.
    Decided {
        seat: Seat,
        /// The request as [`Effect::Think`] named it.
        input: u32,
        answer: Option<Json>,
    },
    /// The program that plays this seat has failed: the game's own bot takes over.
    ProgramFailed {
        seat: Seat,
    },
    /// A client sends a message in the game's dialect.
    Dialect {
        /// The seat, if the caller has established it already; otherwise it follows from the connection.
        seat: Option<Seat>,
        /// Where the reply goes.
        conn: ConnId,
        /// The name of a viewer without a seat; ignored for a player.
        name: String,
        words: Json,
    },
    /// The operator pauses the match.
    Pause {
        why: PauseReason,
    },
    /// The operator resumes the match.
    Resume,
    /// The operator ends the match.
    Kill {
        why: StopReason,
    },
    /// The operator makes the clock that would run out next run out now.
    Expire,
    /// The operator repairs a match that is paused because of a broken invariant.
    Repair {
        how: Repair,
        why: String,
    },
    /// Time has passed.
    Tick,
    /// The store has all records up to this one.
    Appended {
        match_no: u32,
        /// The last stored record.
        seq: u32,
    },
    /// The store could not take a record. A record that was not stored has not happened.
    AppendFailed,
    /// The store takes records again.
    StoreBack,
}

impl Command {
    /// What a client on this connection asks of its table. None for what is the driver's own: joining, keeping a seat,
    /// sitting down, leaving and keeping the connection alive.
    #[must_use]
    pub fn from_client(conn: ConnId, message: ClientMessage) -> Option<Self> {
        match message {
            ClientMessage::Answer { names: to, answer, request_key: key } => {
                Some(Self::Submit(conn, Submit { to, answer, key }))
            }
            ClientMessage::Undo { to, request_key: key } => Some(Self::Undo { conn, to, key }),
            ClientMessage::Chat { text } => Some(Self::Chat { conn, name: String::new(), text }),
            ClientMessage::Words(words) => {
                Some(Self::Dialect { seat: None, conn, name: String::new(), words })
            }
            ClientMessage::JoinGame { .. }
            | ClientMessage::ReserveSeat { .. }
            | ClientMessage::SitDown { .. }
            | ClientMessage::LeaveGame
            | ClientMessage::Ping => None,
        }
    }
}

/// A record to store, with the tokens that move with it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordWrite {
    pub match_no: u32,
    /// The header, if this opens a match: stored in the same transaction as what comes before it.
    pub opens: Option<Box<Header>>,
    /// None if this only opens a match.
    pub record: Option<EncodedRecord>,
    pub postings: Vec<Posting>,
    /// The reservation that pays for it, and the seat that it was made for.
    pub funds: Option<(Seat, u64)>,
    /// What is kept beside the log from here on, if it changed: it replaces what was kept before.
    pub beside: Option<Json>,
    /// How the match ended, if this record ended it.
    pub ends: Option<Outcome>,
}

impl RecordWrite {
    /// What the table is told once this is durable.
    #[must_use]
    pub fn stored(&self) -> Command {
        Command::Appended {
            match_no: self.match_no,
            seq: self.record.as_ref().map_or(0, |record| record.seq),
        }
    }
}

/// An action that the driver must carry out for a table.
#[derive(Clone, PartialEq, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "most effects are the large one: a box would be one more allocation"
)]
pub enum Effect {
    /// Store this, and send [`Command::Appended`] when it is durable.
    Append(RecordWrite),
    /// Send this to one client.
    Send {
        conn: ConnId,
        /// Shared by all connections that get the same message.
        message: Arc<EncodedMessage>,
    },
    /// Close a connection.
    Close { conn: ConnId, reason: CloseReason },
    /// Send [`Command::Tick`] at this time, in the driver's milliseconds. Replaces any earlier `Wake`.
    Wake { at: u64 },
    /// Set aside what an input of this seat costs, and send [`Command::Reserved`] or [`Command::NotReserved`].
    Reserve { id: u64, conn: ConnId, seat: Seat, amount: i64 },
    /// Give back what was set aside: the input was refused.
    Release { id: u64 },
    /// A player who wanted a seat has it, or why not. Those who watch learn of it when it is stored.
    Sat { conn: ConnId, seat: Seat, result: Result<(), Refusal> },
    /// A viewer without a seat wants one, in the words of the game's dialect.
    WantsSeat { conn: ConnId, seat: Option<Seat>, stake: i64 },
    /// The seat is free: its player has left it.
    Left { seat: Seat },
    /// Nothing is left of the player who had this seat: somebody else can take it.
    Vacated { seat: Seat },
    /// The player in this seat was expelled: their token gives no right to return.
    Expelled { seat: Seat, why: String },
    /// Have the bot in this seat decide on another thread ([`Table::bot_task`](crate::Table::bot_task)), and send
    /// [`Command::Decided`].
    Think { seat: Seat, input: u32 },
    /// Tell every viewer this chat message. Everything that happened before it is stored.
    Said {
        /// The sender's seat; none for a spectator.
        seat: Option<Seat>,
        /// The sender's name.
        name: String,
        text: String,
    },
    /// Write this to the operator's log: a client sent what an honest one would not.
    Warn { seat: Seat, what: &'static str },
    /// The last match at this table is over.
    Finished,
}
