//! The store in one SQLite file: no configuration, no server, every acknowledged write durable.
//!
//! [`SqliteStore`] is the default driver of `parlor-store`'s traits. One thread writes, many writes in one transaction;
//! readers have connections of their own and see only what is committed. This crate decides nothing about play or
//! tokens: `parlor_store::driver` does that for every driver.
//!
//! The journal keeps with every transfer what both accounts held after it, so that a page of a statement is found by
//! index and costs the same at either end of it. Holds that have something stand in a table of their own; one that is
//! spent leaves it.

mod accounts;
mod batch;
mod copy;
mod fault;
mod file;
mod group;
mod identity;
mod journal;
mod money;
mod pulse;
mod read;
mod repair;
mod rooms;
mod rulesets;
mod schema;
mod statement;
mod writer;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use parlor_store::driver::Packed;
use parlor_store::{
    Accounts, AuditLine, Currency, Done, Epoch, Facts, HeadToHead, Health, HoldId, Listing, MatchLog,
    MatchSelector, OpenError, OpenHold, Owner, PlayedMatch, Player, PlayerId, RatingRow, ReadError, Rooms,
    RulesetInfo, RulesetVersion, Rulesets, StatementLine, StoredMatch, TableId, TableInfo, Write, WriteError,
};
use rusqlite::{Connection, OpenFlags, TransactionBehavior, params};

use fault::{open_error, read_error, write_error};
use identity::Identity;
use pulse::Pulse;
pub use repair::Repair;
pub use writer::Together;
use writer::{Job, Writer};

/// Connections kept open for reading; more are opened when needed and closed again.
const READERS_KEPT_MAX: usize = 4;

/// What one flush was like, for measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flush {
    /// Writes in it.
    pub writes: usize,
    /// How many of them were refused.
    pub refused: usize,
    /// Bytes of entries in it.
    pub bytes: usize,
    /// What its commit took, most of it the disk, in microseconds.
    pub commit_us: u64,
}

/// Called for every flush that was committed, on the store's own thread.
pub(crate) type Observer = Box<dyn Fn(Flush) + Send>;

/// How to open a store. The default is right for a server.
#[derive(Default)]
pub struct Options {
    /// Called for every flush; must not wait.
    pub observer: Option<Box<dyn Fn(Flush) + Send>>,
    /// Bytes that the file may have; beyond them the disk counts as full.
    pub quota_bytes: Option<u64>,
    /// How long a write waits for another process that keeps the store locked, in milliseconds; 5,000 by default.
    pub busy_ms_max: Option<u64>,
    /// When entries of many tables are stored as one row.
    pub together: Together,
    /// Whether this process serves the store: then no other may until the store is dropped. Tools that look at it or
    /// copy it may open it all the same.
    pub serve: bool,
}

/// A store in one SQLite file. Dropping it stores all pending writes.
pub struct SqliteStore {
    path: PathBuf,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    pulse: Arc<Pulse>,
    readers: Mutex<Vec<Connection>>,
    /// Locked while this process serves the store.
    _lock: Option<File>,
}

/// The writer waits while this lives.
#[cfg(feature = "conformance")]
pub struct HeldBack {
    release: Sender<()>,
}

#[cfg(feature = "conformance")]
impl HeldBack {
    /// The writer stops at once. Pending writes are neither stored nor acknowledged.
    pub fn kill(self) {
        // It waits for this.
        let _ = self.release.send(());
    }
}

impl SqliteStore {
    /// Opens the store in this file, or creates it; migrates an older one.
    ///
    /// # Errors
    /// Why it cannot be used. The file is then as it was.
    pub fn open(path: &Path, options: Options) -> Result<Self, OpenError> {
        let lock = if options.serve { Some(file::lock(path)?) } else { None };
        file::private(path)?;
        let mut conn = Connection::open(path).map_err(open_error)?;
        schema::configure_writer(&conn, options.busy_ms_max)?;
        schema::migrate(&mut conn)?;
        file::private(path)?;
        file::sync_folder(path)?;
        set_quota(&conn, options.quota_bytes).map_err(open_error)?;
        let pulse = Arc::new(Pulse::default());
        let identity = Identity::of(path);
        let mut writer = Writer::new(conn, identity, pulse.clone(), options.observer, options.together);
        // Every table is about to be looked up.
        writer.carry_over();
        let (jobs, queue) = channel();
        let thread =
            std::thread::Builder::new().name("parlor-store".to_owned()).spawn(move || writer.work(&queue))?;
        let (jobs, thread, readers) = (Some(jobs), Some(thread), Mutex::default());
        Ok(Self { path: path.to_owned(), jobs, thread, pulse, readers, _lock: lock })
    }

    /// The schema of the file: the newest that this build knows.
    #[must_use]
    pub fn schema() -> u32 {
        schema::SCHEMA
    }

    /// Copies the store, as it is at one instant, into a new file, while it stays in use. The file appears only when it
    /// is complete, checked, and private.
    ///
    /// # Errors
    /// Why there is no copy. Nothing is ever overwritten.
    pub fn backup(&self, to: &Path) -> Result<(), OpenError> {
        copy::copy(&self.path, to)
    }

    /// Puts a copy back where there is no store: checks all of it, then gives it its name.
    ///
    /// # Errors
    /// Why there is no store. Nothing is ever overwritten.
    pub fn restore(backup: &Path, to: &Path) -> Result<(), OpenError> {
        copy::copy(backup, to)
    }

    /// Mends what can be mended of a store that nobody serves: indexes, which are made anew from the tables.
    ///
    /// # Errors
    /// Why it could not be looked at, or nothing was changed.
    pub fn repair(path: &Path) -> Result<Repair, OpenError> {
        repair::repair(path)
    }

    /// What the database finds wrong with its own file; empty when it finds nothing. Reads everything.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn integrity(&self) -> Result<Vec<String>, ReadError> {
        self.look(schema::integrity)
    }

    /// Refuses every write, or takes them again.
    ///
    /// # Errors
    /// Why nothing has changed.
    pub fn set_read_only(&self, read_only: bool) -> Result<(), WriteError> {
        self.run(move |writer| writer.conn.pragma_update(None, "query_only", read_only))
    }

    /// Bytes that the file may have; it is never made smaller than it is.
    ///
    /// # Errors
    /// Why nothing has changed.
    pub fn set_quota(&self, bytes_max: Option<u64>) -> Result<(), WriteError> {
        self.run(move |writer| set_quota(&writer.conn, bytes_max))
    }

    /// Keeps the writer from writing until the result is dropped; writes submitted meanwhile stay pending.
    ///
    /// # Errors
    /// [`WriteError::Closed`], when there is no writer any more.
    #[cfg(feature = "conformance")]
    pub fn hold_back(&self) -> Result<HeldBack, WriteError> {
        let (release, released) = channel::<()>();
        let (tell, told) = sync_channel(1);
        let wait = Job::Run(Box::new(move |writer| {
            let _ = tell.send(());
            writer.stopped = released.recv().is_ok();
        }));
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(wait).is_ok());
        if sent && told.recv().is_ok() { Ok(HeldBack { release }) } else { Err(WriteError::Closed) }
    }

    /// Runs something on the writer's thread, between two flushes, and waits for it.
    fn run<T: Send + 'static>(
        &self,
        errand: impl FnOnce(&mut Writer) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, WriteError> {
        let (tell, told) = sync_channel(1);
        let job = Job::Run(Box::new(move |writer| {
            let result = errand(writer).map_err(|error| write_error(&error));
            // The caller may have stopped waiting.
            let _ = tell.send(result);
        }));
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        if sent { told.recv().unwrap_or(Err(WriteError::Closed)) } else { Err(WriteError::Closed) }
    }

    /// Reads on a connection of its own.
    fn look<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ReadError> {
        let kept = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let conn = match kept {
            Some(conn) => conn,
            None => self.open_reader().map_err(|error| read_error(&error))?,
        };
        let result = read(&conn).map_err(|error| read_error(&error));
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < READERS_KEPT_MAX {
            readers.push(conn);
        }
        result
    }

    fn open_reader(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(&self.path, flags)?;
        schema::settle_reader(&conn)?;
        Ok(conn)
    }
}

fn set_quota(conn: &Connection, bytes_max: Option<u64>) -> rusqlite::Result<()> {
    let page: i64 = conn.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let all = i64::from(u32::MAX - 1);
    let pages = bytes_max.map_or(all, |bytes| i64::try_from(bytes).unwrap_or(i64::MAX) / page);
    conn.pragma_update_and_check(None, "max_page_count", pages.clamp(1, all), |_| Ok(()))
}

fn next_epoch(writer: &mut Writer) -> rusqlite::Result<Epoch> {
    let sql = "UPDATE meta SET value = value + 1 WHERE name = 'epoch' RETURNING value";
    let epoch: i64 = writer.conn.query_row(sql, [], |row| row.get(0))?;
    Ok(Epoch(epoch as u64))
}

fn sweep(writer: &mut Writer, before_ms: u64, tables_max: usize) -> rusqlite::Result<usize> {
    writer.heads.clear();
    let tx = writer.conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // What is still gathered of a table must not be left behind.
    group::carry_over(&tx)?;
    let gone = read::forgettable(&tx, before_ms, tables_max)?;
    for (no, id) in &gone {
        tx.prepare_cached(
            "INSERT INTO swept_table SELECT ?1, ?2 WHERE EXISTS
               (SELECT 1 FROM posting WHERE key > 't/' || ?1 || '/' AND key < 't/' || ?1 || '0')",
        )?
        .execute(params![no, id])?;
        tx.prepare_cached("DELETE FROM chunk WHERE place BETWEEN ?1 << 32 AND (?1 << 32) + 4294967295")?
            .execute([no])?;
        tx.prepare_cached("DELETE FROM game_match WHERE table_no = ?1")?.execute([no])?;
        // Nothing writes it now; a store may have rows that an earlier version wrote.
        tx.prepare_cached("DELETE FROM snapshot WHERE id = ?1")?.execute([id])?;
        tx.prepare_cached("DELETE FROM game_table WHERE no = ?1")?.execute([no])?;
    }
    tx.commit()?;
    Ok(gone.len())
}

impl MatchLog for SqliteStore {
    fn submit(&self, write: Write, done: Done) {
        let packed = match Packed::new(write) {
            Ok(mut packed) => {
                packed.lighten();
                Box::new(packed)
            }
            Err(error) => return done(Err(error)),
        };
        if !self.pulse.enters(packed.size) {
            return done(Err(WriteError::Overloaded));
        }
        let Some(jobs) = &self.jobs else { return done(Err(WriteError::Closed)) };
        if let Err(unsent) = jobs.send(Job::Write(packed, done))
            && let Job::Write(_, done) = unsent.0
        {
            done(Err(WriteError::Closed));
        }
    }

    fn new_epoch(&self) -> Result<Epoch, WriteError> {
        self.run(next_epoch)
    }

    fn read(&self, table: &TableId, which: MatchSelector) -> Result<Option<StoredMatch>, ReadError> {
        self.look(|conn| read::read(conn, table, which))
    }

    fn table(&self, table: &TableId) -> Result<Option<TableInfo>, ReadError> {
        self.look(|conn| read::table(conn, table))
    }

    fn tables(&self, listing: &Listing) -> Result<Vec<TableInfo>, ReadError> {
        self.look(|conn| read::tables(conn, listing))
    }

    fn finished_beyond(&self, kept: usize) -> Result<Option<u64>, ReadError> {
        self.look(|conn| read::finished_beyond(conn, kept))
    }

    fn sweep(&self, finished_before_ms: u64, tables_max: usize) -> Result<usize, WriteError> {
        self.run(move |writer| sweep(writer, finished_before_ms, tables_max))
    }

    fn probe(&self) -> Result<(), WriteError> {
        // On a new connection: one that is open remembers the pages it has read.
        let read = self.open_reader().and_then(|conn| schema::look_through(&conn));
        let damage = read.err().map(|error| write_error(&error));
        let damage = damage.filter(|error| matches!(error, WriteError::Damaged(_)));
        self.pulse.found(damage.map(|error| WriteError::Lost(error.to_string())));
        self.write(Write::Probe).map(|_| ())
    }

    fn health(&self) -> Health {
        let health = self.pulse.health();
        let dead = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        if dead { Health { failing: Some(WriteError::Closed), ..health } } else { health }
    }
}

impl Accounts for SqliteStore {
    fn player(&self, id: &PlayerId) -> Result<Option<Player>, ReadError> {
        self.look(|conn| accounts::by_id(conn, id))
    }

    fn player_by_token(&self, token_hash: &[u8; 32]) -> Result<Option<Player>, ReadError> {
        self.look(|conn| accounts::by_token(conn, token_hash))
    }

    fn player_by_name(&self, name: &str) -> Result<Option<Player>, ReadError> {
        self.look(|conn| accounts::by_name(conn, name))
    }

    fn balance(&self, owner: &Owner, currency: &Currency) -> Result<i64, ReadError> {
        self.look(|conn| read::balance(conn, owner, currency))
    }

    fn due(&self, table: &TableId, currency: &Currency) -> Result<Vec<(PlayerId, i64)>, ReadError> {
        self.look(|conn| accounts::due(conn, table, currency))
    }

    fn statement(
        &self,
        owner: &Owner,
        currency: Option<&Currency>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StatementLine>, ReadError> {
        self.look(|conn| statement::statement(conn, owner, currency, before, limit))
    }

    fn holds(&self, after: Option<&HoldId>, limit: usize) -> Result<Vec<OpenHold>, ReadError> {
        self.look(|conn| statement::holds(conn, after, limit))
    }

    fn standings(&self, id: &PlayerId) -> Result<Vec<RatingRow>, ReadError> {
        self.look(|conn| accounts::standings(conn, id))
    }

    fn leaders(&self, game: &str, limit: usize) -> Result<Vec<(Player, RatingRow)>, ReadError> {
        self.look(|conn| accounts::leaders(conn, game, limit))
    }

    fn head_to_head(&self, id: &PlayerId, other: &PlayerId) -> Result<Vec<HeadToHead>, ReadError> {
        self.look(|conn| accounts::head_to_head(conn, id, other))
    }

    fn history(
        &self,
        id: &PlayerId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PlayedMatch>, ReadError> {
        self.look(|conn| accounts::history(conn, id, before, limit))
    }

    fn audit_lines(&self, before: Option<u64>, limit: usize) -> Result<Vec<(u64, AuditLine)>, ReadError> {
        self.look(|conn| accounts::audit_lines(conn, before, limit))
    }

    fn audit(&self) -> Result<Vec<String>, ReadError> {
        self.look(journal::audit)
    }
}

impl Rooms for SqliteStore {
    fn rooms(&self) -> Result<Vec<(TableId, Facts)>, ReadError> {
        self.look(rooms::rooms)
    }
}

impl Rulesets for SqliteStore {
    fn rulesets(&self, after: Option<&str>, limit: usize) -> Result<Vec<RulesetInfo>, ReadError> {
        self.look(|conn| rulesets::list(conn, after, limit))
    }

    fn ruleset(&self, name: &str) -> Result<Option<RulesetInfo>, ReadError> {
        self.look(|conn| rulesets::info(conn, name))
    }

    fn ruleset_version(&self, name: &str, version: u32) -> Result<Option<RulesetVersion>, ReadError> {
        self.look(|conn| rulesets::one(conn, name, version))
    }

    fn ruleset_of(&self, name: &str, identity: &[u8; 32]) -> Result<Option<RulesetVersion>, ReadError> {
        self.look(|conn| rulesets::with_identity(conn, name, identity))
    }

    fn ruleset_versions_since(&self, author: &PlayerId, since_ms: u64) -> Result<usize, ReadError> {
        self.look(|conn| rulesets::count_since(conn, author, since_ms))
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.jobs = None;
        // The last connection to close carries the write-ahead log over into the file; only the writer can.
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).clear();
        // The callback of the last write may drop the last handle to the store: then this is the writer's thread.
        let own = |thread: &JoinHandle<()>| thread.thread().id() == std::thread::current().id();
        if let Some(thread) = self.thread.take_if(|thread| !own(thread)) {
            // A panic there has already failed every pending write.
            let _ = thread.join();
        }
    }
}
