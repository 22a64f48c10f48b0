//! The logs as their users see them. Shaped for a store that is replicated some day: the append is the fence, a new
//! owner claims a table before they write, and nothing here says how or where the bytes are kept.

use std::sync::mpsc;

use parlor_core::{Header, Record};

use crate::error::{ReadError, WriteError};
use crate::id::TableId;
use crate::write::{Append, Done, Epoch, Facts, TableState, Write};

/// Tables in one answer of [`MatchLog::tables`].
pub const TABLES_PER_PAGE_MAX: usize = 1000;

/// Which match of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchSelector {
    /// The newest: all a table needs to go on.
    Last,
    /// The one with this number, from 1.
    Match(u32),
}

/// One match as it was stored, and the state of its table.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredMatch {
    /// What the match started from.
    pub header: Header,
    /// What happened in it, in order.
    pub records: Vec<Record>,
    /// Who owns the table.
    pub epoch: Epoch,
    /// How many entries the table had when this was read: the next append's `expected_seq`.
    pub seq: u64,
}

/// One row of the list of tables.
#[derive(Clone, PartialEq, Debug)]
pub struct TableInfo {
    /// The table.
    pub table: TableId,
    /// The game of its last match.
    pub game: String,
    /// The seats of its last match.
    pub seats: u8,
    /// The number of its last match.
    pub match_no: u32,
    /// Whether it goes on.
    pub state: TableState,
    /// Who owns it.
    pub epoch: Epoch,
    /// How many entries it has.
    pub seq: u64,
    /// When it was opened, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it last got an entry or another state, in milliseconds since 1970.
    pub updated_ms: u64,
    /// What the server keeps with it.
    pub facts: Facts,
}

/// In which order tables are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ListOrder {
    /// By their names.
    #[default]
    Name,
    /// The one that was opened last comes first.
    Newest,
}

/// Which tables to list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// Only tables in this state.
    pub state: Option<TableState>,
    /// Only tables whose last match is of this game.
    pub game: Option<String>,
    /// In which order.
    pub order: ListOrder,
    /// Only tables after this one: the last of the page before.
    pub after: Option<TableId>,
    /// How many; 0, or too many, means [`TABLES_PER_PAGE_MAX`].
    pub limit: usize,
}

impl Listing {
    /// For drivers: how many tables one answer may hold.
    #[must_use]
    pub fn page(&self) -> usize {
        if self.limit == 0 { TABLES_PER_PAGE_MAX } else { self.limit.min(TABLES_PER_PAGE_MAX) }
    }
}

/// Whether a store takes writes, and how busy it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Health {
    /// Why the last flush failed, if it did. [`Write::Probe`] finds out whether that is still so.
    pub failing: Option<WriteError>,
    /// Pending writes.
    pub queued: u64,
    /// How long the current flush has taken so far, in milliseconds: a stalled disk shows here.
    pub flushing_ms: Option<u64>,
    /// Flushes so far.
    pub flushes: u64,
    /// Writes stored so far.
    pub writes: u64,
}

/// The logs of all tables, and the queue of writes that logs, accounts and rooms share.
pub trait MatchLog: Send + Sync {
    /// Submits one write and returns at once. The store calls `done` once: after the write is durable, or when it
    /// refuses the write. It takes the writes of one sender in the order in which they were submitted. `done` runs
    /// on the store's own thread and must not wait.
    fn submit(&self, write: Write, done: Done);

    /// An epoch above all that this store ever gave out.
    ///
    /// # Errors
    /// Why it could not be stored.
    fn new_epoch(&self) -> Result<Epoch, WriteError>;

    /// One match of a table; none where there is no such table or match.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, table: &TableId, which: MatchSelector) -> Result<Option<StoredMatch>, ReadError>;

    /// One row of the list of tables.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn table(&self, table: &TableId) -> Result<Option<TableInfo>, ReadError>;

    /// The list of tables.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn tables(&self, listing: &Listing) -> Result<Vec<TableInfo>, ReadError>;

    /// Deletes tables that finished before this time, at most `tables_max` of them, and says how many. A table on
    /// which tokens still lie is kept.
    ///
    /// # Errors
    /// Why nothing was deleted.
    fn sweep(&self, finished_before_ms: u64, tables_max: usize) -> Result<usize, WriteError>;

    /// When the newest of those tables finished that are left over if this many finished ones are kept; none if there are no
    /// more.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn finished_beyond(&self, kept: usize) -> Result<Option<u64>, ReadError>;

    /// Whether the store takes writes, and how many wait. Never waits for the disk.
    fn health(&self) -> Health;

    /// Finds out whether the store is what it was and takes writes now, and waits for it.
    ///
    /// # Errors
    /// Why it does not.
    fn probe(&self) -> Result<(), WriteError> {
        self.write(Write::Probe).map(|_| ())
    }

    /// Submits a write and waits until it is durable.
    ///
    /// # Errors
    /// Why the store refused the write.
    fn write(&self, write: Write) -> Result<u64, WriteError> {
        let (tell, told) = mpsc::sync_channel(1);
        self.submit(
            write,
            Box::new(move |result| {
                // The caller may have stopped waiting.
                let _ = tell.send(result);
            }),
        );
        told.recv().unwrap_or(Err(WriteError::Closed))
    }

    /// Appends and waits until the entries are durable; returns how many entries the table has now.
    ///
    /// # Errors
    /// Why the store refused the append.
    fn append(&self, append: Append) -> Result<u64, WriteError> {
        self.write(Write::Append(append))
    }

    /// Takes a table over and waits until that is durable; returns how many entries the table has.
    ///
    /// # Errors
    /// [`WriteError::Conflict`] where an owner with a higher epoch has it.
    fn claim(&self, table: &TableId, epoch: Epoch) -> Result<u64, WriteError> {
        self.write(Write::Claim { table: table.clone(), epoch })
    }
}
