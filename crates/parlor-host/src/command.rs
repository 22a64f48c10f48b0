//! The input and output of a table: [`Command`]s go in, [`Effect`]s come out.

use std::sync::Arc;

use parlor_core::{AnswerTarget, EncodedRecord, Header, Json, Outcome, Posting, Repair, Seat, Viewer};
use parlor_wire::EncodedMessage;

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
    /// A client sends a chat message.
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
    /// A player or a bot takes a seat; during a match only if the game lets players join.
    Sit {
        seat: Seat,
        who: Occupant,
        /// What the player brings, already in escrow.
        stake: i64,
    },
    /// A client sends a message in the game's dialect.
    Dialect {
        /// The seat, if the caller has established it already; otherwise it follows from the connection.
        seat: Option<Seat>,
        /// Where the reply goes.
        conn: ConnId,
        words: Json,
    },
    /// The operator pauses the match.
    Pause {
        why: String,
    },
    /// The operator resumes the match.
    Resume,
    /// The operator ends the match.
    Kill {
        why: String,
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

/// A record to store, with the tokens that move with it.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordWrite {
    pub match_no: u32,
    /// The header, if this opens a match: stored in the same transaction as what comes before it.
    pub opens: Option<Box<Header>>,
    /// None if this only opens a match.
    pub record: Option<EncodedRecord>,
    pub postings: Vec<Posting>,
    /// How the match ended, if this record ended it.
    pub ends: Option<Outcome>,
}

/// An action that the driver must carry out for a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Store this, and send [`Command::Appended`] when it is durable.
    Append(RecordWrite),
    /// Send this to one client.
    Send {
        conn: ConnId,
        /// Shared by all connections that get the same message.
        message: Arc<EncodedMessage>,
    },
    /// Close a connection. The code tells the client whether to reconnect.
    Close {
        conn: ConnId,
        /// The close code, for programs.
        code: u16,
        /// For people.
        reason: &'static str,
    },
    /// Send [`Command::Tick`] at this time, in the driver's milliseconds. Replaces any earlier `Wake`.
    Wake { at: u64 },
    /// Write this to the operator's log: a client sent what an honest one would not.
    Warn { seat: Seat, what: &'static str },
    /// The last match at this table is over.
    Finished,
}

/// Close code: a newer connection has taken over the seat, so the client must not reconnect by itself.
pub const CLOSE_TAKEN_OVER: u16 = 4000;
/// Close code: the player has left this seat.
pub const CLOSE_LEFT: u16 = 4002;
