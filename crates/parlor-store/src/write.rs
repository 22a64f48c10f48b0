//! What is written: entries of a table with the tokens that move with them, accounts, rooms and audit lines.

use std::fmt;

use parlor_core::{EncodedRecord, Header, Json};

use crate::accounts::{AuditLine, Played, Player};
use crate::error::WriteError;
use crate::id::{Currency, HoldId, PlayerId, TableId};
use crate::ledger::{Owner, Reason, Transfer};
use crate::rulesets::{RulesetState, RulesetVersion};

/// Entries in one append.
pub const ENTRIES_PER_APPEND_MAX: usize = 1024;
/// Bytes of one write.
pub const WRITE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// Characters of a key.
pub const KEY_CHARS_MAX: usize = 200;

/// Who owns a table: of two owners the one with the higher epoch. The lower one's appends are refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Epoch(pub u64);

/// One entry of a table's log. A table is a chain of matches; its entries are counted from 1 across all of them.
#[derive(Clone, PartialEq, Debug)]
pub enum LogEntry {
    /// The next match opens.
    Open(Box<Header>),
    /// Something happened in the match that is open.
    Record {
        /// The match.
        match_no: u32,
        /// What.
        record: EncodedRecord,
    },
}

/// Whether a table goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableState {
    /// Players play.
    #[default]
    Running,
    /// The table is paused until somebody resumes it.
    Paused,
    /// Its last match is over.
    Finished,
}

/// What the server wants to find again with a table: its root seed, who sits there, whether it is listed. The store
/// never looks inside, and `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Default)]
pub struct Facts(pub Json);

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Facts(…)")
    }
}

/// Entries to add to a table's log, with all that is to change in the same instant.
#[derive(Clone, PartialEq, Debug)]
pub struct Append {
    /// The table. The first append opens it.
    pub table: TableId,
    /// The writer's epoch: the table's own, or any for a new table.
    pub epoch: Epoch,
    /// How many entries the writer thinks the table has. 0 for a new table.
    pub expected_seq: u64,
    /// What is added. It may be empty: then only the rest changes.
    pub entries: Vec<LogEntry>,
    /// Tokens that move.
    pub transfers: Vec<Transfer>,
    /// Players for whom a match ends with these entries: their histories, and their ratings where it counts.
    pub played: Vec<Played>,
    /// The table's state from now on.
    pub state: Option<TableState>,
    /// The table's facts from now on.
    pub facts: Option<Facts>,
    /// The wall clock, in milliseconds since 1970; only for lists and retention.
    pub at_ms: u64,
}

impl Append {
    /// An append of these entries, and nothing else.
    #[must_use]
    pub fn new(table: TableId, epoch: Epoch, expected_seq: u64, entries: Vec<LogEntry>) -> Self {
        let (transfers, played, state, facts) = (Vec::new(), Vec::new(), None, None);
        Self { table, epoch, expected_seq, entries, transfers, played, state, facts, at_ms: 0 }
    }
}

/// One thing to store, whole or not at all. Every driver matches every kind: a new kind does not compile until each
/// driver stores it.
#[derive(Clone, PartialEq, Debug)]
pub enum Write {
    /// Entries for a table, and what goes with them. The same append again is recognised: nothing happens twice.
    Append(Append),
    /// A new owner takes a table: from now on only this epoch may append. Succeeds if the table has this epoch already.
    Claim {
        /// The table.
        table: TableId,
        /// The new owner's epoch.
        epoch: Epoch,
    },
    /// Tokens move outside of any table. The same key again succeeds if the transfers are the same.
    Post {
        /// The name of this event.
        key: String,
        /// What moves: all or nothing.
        transfers: Vec<Transfer>,
        /// The wall clock, in milliseconds since 1970.
        at_ms: u64,
    },
    /// What is left of a hold goes to this owner. Succeeds where nothing is left.
    Release {
        /// The hold.
        hold: HoldId,
        /// In which currency.
        currency: Currency,
        /// To whom.
        to: Owner,
        /// The wall clock, in milliseconds since 1970.
        at_ms: u64,
    },
    /// A player opens an account, or changes it. No two players have the same token, or the same name in whatever case.
    Player(Player),
    /// The same, and tokens move with it: all or nothing. The same key again succeeds if the transfers are the same;
    /// then nothing changes.
    PlayerPays {
        /// The account as it is from now on.
        player: Player,
        /// The name of this event.
        key: String,
        /// What moves.
        transfers: Vec<Transfer>,
        /// The wall clock, in milliseconds since 1970.
        at_ms: u64,
    },
    /// What the server keeps of a room; none deletes the room.
    Room {
        /// The table's name.
        id: TableId,
        /// What is kept.
        body: Option<Facts>,
    },
    /// The next version of a ruleset, which is listed from now on unless an operator has taken it down. The same version
    /// again succeeds if it is the same in all but its time; a name of another author is refused as reused.
    Ruleset(RulesetVersion),
    /// A ruleset is listed, withdrawn or taken down.
    RulesetState {
        /// Its name.
        name: String,
        /// The state from now on.
        state: RulesetState,
    },
    /// One line for the audit log.
    Audit(AuditLine),
    /// Changes nothing, durably: shows whether the store takes writes.
    Probe,
}

impl Write {
    /// Sets tokens of a player aside. Asking again with the same id is no second hold.
    #[must_use]
    pub fn hold(hold: &HoldId, player: &PlayerId, currency: &Currency, amount: i64, at_ms: u64) -> Self {
        let (from, to) = (Owner::Player(player.clone()), Owner::Hold(hold.clone()));
        let transfers = vec![Transfer { from, to, currency: currency.clone(), amount, reason: Reason::Hold }];
        Self::Post { key: format!("hold/{hold}"), transfers, at_ms }
    }
}

/// Called once, when a write is durable or refused, with the number of entries the table has after it (0 for a write
/// that belongs to no table), or with the reason.
pub type Done = Box<dyn FnOnce(Result<u64, WriteError>) + Send>;
