//! The log as its users see it. Shaped for one that is replicated some day: the append is the fence, a new owner
//! claims a table before it writes, and nothing here says how or where the bytes are kept.

use std::sync::mpsc;

use parlor_core::{Header, Record};

use crate::accounts::{AuditLine, PlayedMatch, Player, RatingRow};
use crate::error::{ReadError, WriteError};
use crate::id::{Currency, PlayerId, TableId};
use crate::ledger::Owner;
use crate::write::{Append, Done, Epoch, Facts, LogEntry, Snapshot, TableState, Write};

/// Tables in one answer of [`MatchLog::tables`].
pub const TABLES_PER_PAGE_MAX: usize = 1000;
/// Entries in one answer of [`MatchLog::tail`].
pub const ENTRIES_PER_TAIL_MAX: usize = 4096;

/// Which match of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchSelector {
    /// The newest: all a table needs to go on.
    Last,
    /// The one with this number, from 1.
    Match(u32),
}

/// One match as it was stored, and where its table stands.
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

/// Which tables to list, in the order of their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// Only tables in this state.
    pub state: Option<TableState>,
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

/// How a store is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Health {
    /// Why the last flush failed, if it did. [`Write::Probe`] finds out whether that is still so.
    pub failing: Option<WriteError>,
    /// Writes that wait.
    pub queued: u64,
    /// For how long the flush at work has been at it, in milliseconds: a stalled disk shows here.
    pub flushing_ms: Option<u64>,
    /// Flushes so far.
    pub flushes: u64,
    /// Writes stored so far.
    pub writes: u64,
}

/// The log of every table, and the accounts that move with it.
pub trait MatchLog: Send + Sync {
    /// Hands one write in and returns at once. `done` is called once: after the write is durable, or when it is
    /// refused. Writes of one sender are taken in the order they were handed in. `done` runs on the store's own
    /// thread and must not wait.
    fn submit(&self, write: Write, done: Done);

    /// An epoch above all that were ever given out here.
    ///
    /// # Errors
    /// Why it could not be noted.
    fn new_epoch(&self) -> Result<Epoch, WriteError>;

    /// One match of a table; none where there is no such table or match.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, table: &TableId, which: MatchSelector) -> Result<Option<StoredMatch>, ReadError>;

    /// The entries after this one, with their numbers, up to [`ENTRIES_PER_TAIL_MAX`].
    ///
    /// # Errors
    /// Why they cannot be read.
    fn tail(&self, table: &TableId, after_seq: u64) -> Result<Vec<(u64, LogEntry)>, ReadError>;

    /// One table's row.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn table(&self, table: &TableId) -> Result<Option<TableInfo>, ReadError>;

    /// The tables there are.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn tables(&self, listing: &Listing) -> Result<Vec<TableInfo>, ReadError>;

    /// What an account holds.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn balance(&self, owner: &Owner, currency: &Currency) -> Result<i64, ReadError>;

    /// Counts everything again, the slow way: what is wrong with the books, in words. Empty when all is well.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn audit(&self) -> Result<Vec<String>, ReadError>;

    /// Forgets tables that were finished before this time, at most so many at once, and says how many they were. A
    /// table on which tokens still lie is kept.
    ///
    /// # Errors
    /// Why nothing was forgotten.
    fn sweep(&self, finished_before_ms: u64, tables_max: usize) -> Result<usize, WriteError>;

    /// The snapshot of a table, if there is a sound one with this tag.
    fn snapshot(&self, table: &TableId, tag: &str) -> Option<Snapshot>;

    /// A player.
    ///
    /// # Errors
    /// Why he cannot be read.
    fn player(&self, id: &PlayerId) -> Result<Option<Player>, ReadError>;

    /// The player with this token.
    ///
    /// # Errors
    /// Why he cannot be read.
    fn player_by_token(&self, token_hash: &[u8; 32]) -> Result<Option<Player>, ReadError>;

    /// The player with this name, whatever its case; none for names of accounts that were given up.
    ///
    /// # Errors
    /// Why he cannot be read.
    fn player_by_name(&self, name: &str) -> Result<Option<Player>, ReadError>;

    /// How a player stands in every game in which he has a rating, by the games' names.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn standings(&self, id: &PlayerId) -> Result<Vec<RatingRow>, ReadError>;

    /// A player's matches, newest first: those before this row, where one is named, up to
    /// [`ROWS_PER_PAGE_MAX`](crate::ROWS_PER_PAGE_MAX).
    ///
    /// # Errors
    /// Why they cannot be read.
    fn history(
        &self,
        id: &PlayerId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PlayedMatch>, ReadError>;

    /// What each player is due when a table stops as it stands: what he has put on it since it was last empty, less
    /// what he has had back, and no more than lies there.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn due(&self, table: &TableId, currency: &Currency) -> Result<Vec<(PlayerId, i64)>, ReadError>;

    /// The tables that wait for their people, in the order of their names.
    ///
    /// # Errors
    /// Why they cannot be read.
    fn rooms(&self) -> Result<Vec<(TableId, Facts)>, ReadError>;

    /// What operators did, newest first, with the numbers of the lines; those before this one, where one is named.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn audit_lines(&self, before: Option<u64>, limit: usize) -> Result<Vec<(u64, AuditLine)>, ReadError>;

    /// How the store is. Never waits for the disk.
    fn health(&self) -> Health;

    /// Writes and waits for the word.
    ///
    /// # Errors
    /// Why the write was not taken.
    fn write(&self, write: Write) -> Result<u64, WriteError> {
        let (tell, told) = mpsc::sync_channel(1);
        self.submit(
            write,
            Box::new(move |result| {
                // Whoever asked may have stopped waiting.
                let _ = tell.send(result);
            }),
        );
        told.recv().unwrap_or(Err(WriteError::Closed))
    }

    /// Appends and waits for the word: the entries the table has now.
    ///
    /// # Errors
    /// Why the append was not taken.
    fn append(&self, append: Append) -> Result<u64, WriteError> {
        self.write(Write::Append(append))
    }

    /// Takes a table over and waits for the word: the entries it has.
    ///
    /// # Errors
    /// [`WriteError::Conflict`] where somebody with a higher epoch has it.
    fn claim(&self, table: &TableId, epoch: Epoch) -> Result<u64, WriteError> {
        self.write(Write::Claim { table: table.clone(), epoch })
    }
}
