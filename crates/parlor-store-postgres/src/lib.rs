//! The store in PostgreSQL, 14 or later: for a house whose truth must outlive its machine. With a synchronous standby
//! every acknowledged write is on two machines.
//!
//! [`PostgresStore`] is a driver of `parlor-store`'s traits. One thread writes, many writes in one transaction; readers
//! have connections of their own and see only what is committed. This crate decides nothing about play or tokens:
//! `parlor_store::driver` does that for every driver.
//!
//! - The append is the fence: it updates the table's row only where epoch and number of entries are what the writer
//!   thinks, under the row lock that a claim takes too.
//! - A commit in doubt is never reported as refused: see the module `writer`.
//! - Of several hosts it talks to the primary with the highest timeline, and to none below the highest it has seen.
//! - No time-out ends a statement, nothing is cancelled, and there is no LISTEN and no advisory lock.

mod accounts;
mod batch;
mod cluster;
mod conn;
mod fault;
mod heads;
mod journal;
mod money;
mod node;
mod numbers;
mod pulse;
mod read;
mod readers;
mod rulesets;
mod schema;
mod statement;
mod writer;

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread::JoinHandle;

use parlor_store::driver::Packed;
use parlor_store::{
    Accounts, AuditLine, Currency, Done, Epoch, Facts, HeadToHead, Health, HoldId, Listing, MatchLog,
    MatchSelector, OpenError, OpenHold, Owner, PlayedMatch, Player, PlayerId, RatingRow, ReadError, Rooms,
    RulesetInfo, RulesetVersion, Rulesets, StatementLine, StoredMatch, TableId, TableInfo, Write, WriteError,
};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use cluster::Cluster;
use conn::{Conn, wait};
use fault::nonsense;
use node::Node;
use pulse::Pulse;
use readers::Readers;
use writer::{Job, Writer};

/// What one flush was like, for measurements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flush {
    /// Writes in it.
    pub writes: usize,
    /// How many of them were refused.
    pub refused: usize,
    /// Bytes of entries in it.
    pub bytes: usize,
    /// What its commit took, in microseconds.
    pub commit_us: u64,
}

/// Called for every flush that was committed, on the store's own thread.
pub(crate) type Observer = Box<dyn Fn(Flush) + Send>;

/// How to open a store. The default is right for a tool that looks at one.
#[derive(Default)]
pub struct Options {
    /// Called for every flush; must not wait.
    pub observer: Option<Box<dyn Fn(Flush) + Send>>,
    /// The name under which this process writes; `main` for a server, `tool` for anything else. Of two processes with
    /// one name the later one writes.
    pub node: Option<String>,
    /// Whether this process serves the store: then no other may until the store is dropped. Tools that look at it may
    /// open it all the same.
    pub serve: bool,
}

/// A store in a PostgreSQL database. Dropping it stores all pending writes.
pub struct PostgresStore {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    pulse: Arc<Pulse>,
    readers: Readers,
}

impl PostgresStore {
    /// Opens the store in this database (`postgres://user@host,host/database`), or creates it there; migrates an older
    /// one. The database itself must exist; what is the store's lies in its schema `parlor`.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn open(url: &str, options: Options) -> Result<Self, OpenError> {
        let cluster = Arc::new(Cluster::parse(url)?);
        let Options { observer, node, serve } = options;
        let name = node.unwrap_or_else(|| if serve { "main" } else { "tool" }.to_owned());
        let pulse = Arc::new(Pulse::default());
        let (jobs, queue) = channel();
        let (ready, opened) = sync_channel(1);
        let its_own = (cluster.clone(), pulse.clone());
        // The caller may be on a runtime of its own: everything that waits does so on this thread.
        let work = move || {
            let (cluster, pulse) = its_own;
            let node = Node::new(name, serve);
            let prepared = runtime().and_then(|runtime| {
                runtime.block_on(prepare(&cluster, serve))?;
                Ok(Writer::new(cluster, runtime, node, pulse, observer))
            });
            let started = prepared.and_then(|mut writer| {
                writer.take_place(serve)?;
                Ok(writer)
            });
            match started {
                Ok(writer) => {
                    // The opener waits for this.
                    let _ = ready.send(Ok(()));
                    writer.work(&queue);
                }
                Err(error) => {
                    let _ = ready.send(Err(error));
                }
            }
        };
        let thread = std::thread::Builder::new().name("parlor-store".to_owned()).spawn(work)?;
        opened.recv().unwrap_or_else(|_| Err(OpenError::Io("the store's thread has died".to_owned())))?;
        let readers = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("parlor-store-read")
            .enable_all()
            .build()?;
        let readers = Readers::new(cluster, readers);
        Ok(Self { jobs: Some(jobs), thread: Some(thread), pulse, readers })
    }

    /// The schema of the database: the newest that this build knows.
    #[must_use]
    pub fn schema() -> u32 {
        schema::SCHEMA
    }

    /// How many commits were in doubt so far, and were settled or are about to be.
    #[must_use]
    pub fn unknown_commits(&self) -> u64 {
        self.pulse.unknown_commits()
    }

    /// The writer acknowledges nothing more, and stops as soon as its connection breaks.
    #[cfg(feature = "conformance")]
    pub fn kill(&self) {
        self.pulse.kill();
        if let Some(jobs) = &self.jobs {
            // It may have stopped already.
            let _ = jobs.send(Job::Die);
        }
    }

    /// Whether the writer has stopped.
    #[cfg(feature = "conformance")]
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Runs something on the writer's thread, between two flushes, and waits for it.
    fn run<T: Send + 'static>(
        &self,
        errand: impl FnOnce(&mut Writer) -> Result<T, WriteError> + Send + 'static,
    ) -> Result<T, WriteError> {
        let (tell, told) = oneshot::channel();
        let job = Job::Run(Box::new(move |writer| {
            // The caller may have stopped waiting.
            let _ = tell.send(errand(writer));
        }));
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        if sent { wait(told).unwrap_or(Err(WriteError::Closed)) } else { Err(WriteError::Closed) }
    }

    fn look<T>(&self, read: impl AsyncFn(&Conn) -> fault::Result<T>) -> Result<T, ReadError> {
        self.readers.look(read)
    }
}

/// The writer's runtime: its connection lives on its own thread.
fn runtime() -> Result<Runtime, OpenError> {
    Ok(Builder::new_current_thread().enable_all().build()?)
}

/// Makes the database ready for this build.
async fn prepare(cluster: &Cluster, serve: bool) -> Result<(), OpenError> {
    let conn = cluster.connect().await.map_err(|fault| fault.open_error())?;
    schema::migrate(&conn).await?;
    if serve { node::alone(&conn).await } else { Ok(()) }
}

/// Raises the epoch of the whole store.
async fn next_epoch(conn: &Conn) -> fault::Result<Epoch> {
    let sql = "UPDATE meta SET value = value + 1 WHERE name = 'epoch' RETURNING value";
    let row = conn.find(sql, &[]).await?.ok_or_else(|| nonsense("a store without an epoch"))?;
    Ok(Epoch(row.get::<_, i64>(0) as u64))
}

impl MatchLog for PostgresStore {
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
        self.run(|writer| writer.run(next_epoch))
    }

    fn read(&self, table: &TableId, which: MatchSelector) -> Result<Option<StoredMatch>, ReadError> {
        self.look(async |conn| read::read(conn, table, which).await)
    }

    fn table(&self, table: &TableId) -> Result<Option<TableInfo>, ReadError> {
        self.look(async |conn| read::table(conn, table).await)
    }

    fn tables(&self, listing: &Listing) -> Result<Vec<TableInfo>, ReadError> {
        self.look(async |conn| read::tables(conn, listing).await)
    }

    fn finished_beyond(&self, kept: usize) -> Result<Option<u64>, ReadError> {
        self.look(async |conn| read::finished_beyond(conn, kept).await)
    }

    fn sweep(&self, finished_before_ms: u64, tables_max: usize) -> Result<usize, WriteError> {
        self.run(move |writer| {
            writer.heads.clear();
            writer.run(async |conn| heads::sweep(conn, finished_before_ms, tables_max).await)
        })
    }

    fn health(&self) -> Health {
        let health = self.pulse.health();
        let dead = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        if dead { Health { failing: Some(WriteError::Closed), ..health } } else { health }
    }

    fn write(&self, write: Write) -> Result<u64, WriteError> {
        let (tell, told) = oneshot::channel();
        let done = move |result| {
            // The caller may have stopped waiting.
            let _ = tell.send(result);
        };
        self.submit(write, Box::new(done));
        wait(told).unwrap_or(Err(WriteError::Closed))
    }
}

impl Accounts for PostgresStore {
    fn player(&self, id: &PlayerId) -> Result<Option<Player>, ReadError> {
        self.look(async |conn| accounts::by_id(conn, id).await)
    }

    fn player_by_token(&self, token_hash: &[u8; 32]) -> Result<Option<Player>, ReadError> {
        self.look(async |conn| accounts::by_token(conn, token_hash).await)
    }

    fn player_by_name(&self, name: &str) -> Result<Option<Player>, ReadError> {
        self.look(async |conn| accounts::by_name(conn, name).await)
    }

    fn balance(&self, owner: &Owner, currency: &Currency) -> Result<i64, ReadError> {
        self.look(async |conn| read::balance(conn, owner, currency).await)
    }

    fn due(&self, table: &TableId, currency: &Currency) -> Result<Vec<(PlayerId, i64)>, ReadError> {
        self.look(async |conn| accounts::due(conn, table, currency).await)
    }

    fn statement(
        &self,
        owner: &Owner,
        currency: Option<&Currency>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StatementLine>, ReadError> {
        self.look(async |conn| statement::statement(conn, owner, currency, before, limit).await)
    }

    fn holds(&self, after: Option<&HoldId>, limit: usize) -> Result<Vec<OpenHold>, ReadError> {
        self.look(async |conn| statement::holds(conn, after, limit).await)
    }

    fn standings(&self, id: &PlayerId) -> Result<Vec<RatingRow>, ReadError> {
        self.look(async |conn| accounts::standings(conn, id).await)
    }

    fn leaders(&self, game: &str, limit: usize) -> Result<Vec<(Player, RatingRow)>, ReadError> {
        self.look(async |conn| accounts::leaders(conn, game, limit).await)
    }

    fn head_to_head(&self, id: &PlayerId, other: &PlayerId) -> Result<Vec<HeadToHead>, ReadError> {
        self.look(async |conn| accounts::head_to_head(conn, id, other).await)
    }

    fn history(
        &self,
        id: &PlayerId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PlayedMatch>, ReadError> {
        self.look(async |conn| accounts::history(conn, id, before, limit).await)
    }

    fn audit_lines(&self, before: Option<u64>, limit: usize) -> Result<Vec<(u64, AuditLine)>, ReadError> {
        self.look(async |conn| accounts::audit_lines(conn, before, limit).await)
    }

    fn audit(&self) -> Result<Vec<String>, ReadError> {
        self.look(async |conn| read::at_one_instant(conn, journal::audit(conn)).await)
    }
}

impl Rooms for PostgresStore {
    fn rooms(&self) -> Result<Vec<(TableId, Facts)>, ReadError> {
        self.look(read::rooms)
    }
}

impl Rulesets for PostgresStore {
    fn rulesets(&self, after: Option<&str>, limit: usize) -> Result<Vec<RulesetInfo>, ReadError> {
        self.look(async |conn| rulesets::list(conn, after, limit).await)
    }

    fn ruleset(&self, name: &str) -> Result<Option<RulesetInfo>, ReadError> {
        self.look(async |conn| rulesets::info(conn, name).await)
    }

    fn ruleset_version(&self, name: &str, version: u32) -> Result<Option<RulesetVersion>, ReadError> {
        self.look(async |conn| rulesets::one(conn, name, version).await)
    }

    fn ruleset_of(&self, name: &str, identity: &[u8; 32]) -> Result<Option<RulesetVersion>, ReadError> {
        self.look(async |conn| rulesets::with_identity(conn, name, identity).await)
    }

    fn ruleset_versions_since(&self, author: &PlayerId, since_ms: u64) -> Result<usize, ReadError> {
        self.look(async |conn| rulesets::count_since(conn, author, since_ms).await)
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.pulse.close();
        self.jobs = None;
        // The callback of the last write may drop the last handle to the store: then this is the writer's thread.
        let own = |thread: &JoinHandle<()>| thread.thread().id() == std::thread::current().id();
        if let Some(thread) = self.thread.take_if(|thread| !own(thread)) {
            // A panic there has already failed every pending write.
            let _ = thread.join();
        }
    }
}
