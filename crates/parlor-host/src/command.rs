//! What a table is told, and what it wants done.

use std::sync::Arc;

use parlor_core::{AnswerTarget, EncodedRecord, Header, Json, Outcome, Posting, Repair, Seat, Viewer};
use parlor_wire::EncodedMessage;

use crate::chairs::Occupant;

/// One connection of one client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct ConnId(pub u64);

/// An answer on its way in.
#[derive(Clone, PartialEq, Debug)]
pub struct Submit {
    /// Which request it answers.
    pub to: AnswerTarget,
    /// What it says.
    pub answer: Json,
    /// The sender's key for retries.
    pub key: Option<String>,
}

/// What a table is told.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// A client looks at the table; one with a seat takes it over from an older connection.
    Connect {
        /// The connection.
        conn: ConnId,
        /// Who looks.
        viewer: Viewer,
        /// The last version the client has, if it has any.
        last_v: Option<u64>,
    },
    /// A client that fell behind wants to know where things stand: it gets one snapshot.
    Refresh {
        /// The connection.
        conn: ConnId,
        /// Who looks.
        viewer: Viewer,
    },
    /// A client is gone.
    Disconnect {
        /// The connection.
        conn: ConnId,
        /// Whether the server itself closed it; then nobody counts as away.
        by_server: bool,
    },
    /// A client answers.
    Submit(ConnId, Submit),
    /// A player answers without a connection to the table, as by a single request; the reply goes to `conn` all the same.
    SubmitAs {
        /// Who.
        seat: Seat,
        /// Where the reply goes.
        conn: ConnId,
        /// What; it must name the request or the head.
        submit: Submit,
    },
    /// A player without a connection asks to take back his last answer, or the record he names.
    UndoAs {
        /// Who.
        seat: Seat,
        /// Where the reply goes.
        conn: ConnId,
        /// The record, where he names one.
        to: Option<u32>,
        /// The sender's key for retries.
        key: Option<String>,
    },
    /// A client asks to take back its last answer, or the record it names.
    Undo {
        /// The connection.
        conn: ConnId,
        /// The record, where it names one.
        to: Option<u32>,
        /// The sender's key for retries.
        key: Option<String>,
    },
    /// A client says something that is no part of the game.
    Chat {
        /// The connection.
        conn: ConnId,
        /// The name of a spectator; a player's own name counts.
        name: String,
        /// What.
        text: String,
    },
    /// A player gives up and gets up.
    Leave {
        /// From where.
        seat: Seat,
    },
    /// Somebody sits down. In the middle of a match only where the game lets people join.
    Sit {
        /// Where.
        seat: Seat,
        /// Who.
        who: Occupant,
        /// What he brings; already held for him.
        stake: i64,
    },
    /// Somebody speaks in the words of the game's own document. Where a seat is named it is his by right; otherwise
    /// the connection's.
    Dialect {
        /// By whom, where that does not follow from the connection.
        seat: Option<Seat>,
        /// Whom to answer.
        conn: ConnId,
        /// What was said.
        words: Json,
    },
    /// An operator's order.
    Pause {
        /// Why.
        why: String,
    },
    /// An operator's order.
    Resume,
    /// An operator's order.
    Kill {
        /// Why.
        why: String,
    },
    /// An operator's order: the clock that would run out next runs out now.
    Expire,
    /// An operator's order to a table that stands still because its rules found something broken.
    Repair {
        /// How.
        how: Repair,
        /// Why like this.
        why: String,
    },
    /// Time has passed.
    Tick,
    /// All records up to this one are stored.
    Appended {
        /// Of which match.
        match_no: u32,
        /// The last stored record.
        seq: u32,
    },
    /// A record could not be stored: what was not stored has not happened.
    AppendFailed,
    /// The store takes records again.
    StoreBack,
}

/// A record to store, with the tokens that move with it.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordWrite {
    /// Of which match.
    pub match_no: u32,
    /// The header, when this opens a match: stored in the same transaction as what comes before it.
    pub opens: Option<Box<Header>>,
    /// The record; none when a match only opens.
    pub record: Option<EncodedRecord>,
    /// What moves.
    pub postings: Vec<Posting>,
    /// How the match ended, where this record ended it.
    pub ends: Option<Outcome>,
}

/// What a table wants done.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Store this; say [`Command::Appended`] when it is safe.
    Append(RecordWrite),
    /// Deliver this to one client.
    Send {
        /// The connection.
        conn: ConnId,
        /// The message, shared by all that get the same.
        message: Arc<EncodedMessage>,
    },
    /// Close a connection; the code tells the client whether to come back.
    Close {
        /// The connection.
        conn: ConnId,
        /// Why, for programs.
        code: u16,
        /// Why, for people.
        reason: &'static str,
    },
    /// Say [`Command::Tick`] at this time, in the driver's milliseconds. Replaces an earlier wish.
    Wake {
        /// When.
        at: u64,
    },
    /// The last match at this table is over.
    Finished,
}

/// A newer connection has taken the seat over: do not come back by yourself.
pub const CLOSE_TAKEN_OVER: u16 = 4000;
/// The player has left this seat.
pub const CLOSE_LEFT: u16 = 4002;
