//! A store in memory that loses, when told to crash, what was not yet synced. For simulated crashes: `kill -9` alone
//! shows nothing about durability, because the system's page cache survives the process.

mod books;
mod world;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::accounts::{
    Accounts, AuditLine, HeadToHead, OpenHold, PlayedMatch, Player, ROWS_PER_PAGE_MAX, RatingRow,
    StatementLine,
};
use crate::driver::Packed;
use crate::error::{ReadError, WriteError};
use crate::id::{Currency, HoldId, PlayerId, TableId};
use crate::ledger::Owner;
use crate::log::{Health, Listing, MatchLog, MatchSelector, StoredMatch, TableInfo};
use crate::rooms::Rooms;
use crate::rulesets::{RulesetInfo, RulesetVersion, Rulesets};
use crate::write::{Done, Epoch, Facts, Write};
use world::World;

/// When writes become durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Syncs {
    /// Each at once.
    #[default]
    AtOnce,
    /// When [`MemoryLog::sync`] is called; it acknowledges them then.
    ByHand,
    /// Never, but each is acknowledged at once: a disk that lies. The suite must fail here.
    Lying,
}

/// A store in memory.
#[derive(Default)]
pub struct MemoryLog {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// What is on the imaginary disk; readers see nothing else.
    synced: World,
    /// What will be there after the next sync; what new writes are judged by.
    live: World,
    waiting: Vec<(Packed, Done, Result<u64, WriteError>)>,
    unsynced: usize,
    syncs: Syncs,
    read_only: bool,
    quota_bytes: Option<usize>,
    health: Health,
}

impl MemoryLog {
    /// An empty store.
    #[must_use]
    pub fn new(syncs: Syncs) -> Self {
        Self { inner: Mutex::new(Inner { syncs, ..Inner::default() }) }
    }

    /// From now on writes become durable in this way. Pending writes stay pending.
    pub fn set_syncs(&self, syncs: Syncs) {
        self.lock().syncs = syncs;
    }

    /// Makes all pending writes durable, and acknowledges them.
    pub fn sync(&self) {
        let told = self.lock().sync();
        for (done, result) in told {
            done(result);
        }
    }

    /// The power fails: what was not synced is gone, and nothing of it is acknowledged.
    pub fn crash(&self) {
        let mut inner = self.lock();
        let waiting = std::mem::take(&mut inner.waiting);
        inner.live = inner.synced.clone();
        inner.unsynced = 0;
        drop(inner);
        // Dropping a callback may run code of the sender, who must find the lock free.
        drop(waiting);
    }

    /// Refuses every write, or takes them again.
    pub fn set_read_only(&self, read_only: bool) {
        self.lock().read_only = read_only;
    }

    /// Refuses writes once this many bytes are stored.
    pub fn set_quota(&self, bytes_max: Option<u64>) {
        self.lock().quota_bytes = bytes_max.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
    }

    /// Writes that are not yet durable.
    #[must_use]
    pub fn unsynced(&self) -> usize {
        self.lock().unsynced
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No caller's code runs under the lock, so that a panic leaves nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn judge(&mut self, packed: &Packed) -> Result<u64, WriteError> {
        let fault = if self.read_only {
            Some(WriteError::ReadOnly)
        } else if self.quota_bytes.is_some_and(|quota| self.live.bytes + packed.bytes.len() > quota) {
            Some(WriteError::Full)
        } else {
            None
        };
        self.health.failing.clone_from(&fault);
        fault.map_or_else(|| self.live.take(packed), Err)
    }

    fn submit(&mut self, packed: Packed, done: Done) -> Vec<(Done, Result<u64, WriteError>)> {
        let result = self.judge(&packed);
        if result.as_ref().is_err_and(WriteError::passes) || self.syncs == Syncs::Lying {
            self.unsynced += usize::from(result.is_ok());
            return vec![(done, result)];
        }
        self.unsynced += 1;
        self.waiting.push((packed, done, result));
        if self.syncs == Syncs::AtOnce { self.sync() } else { Vec::new() }
    }

    /// The same writes, judged by what is durable, come to the same ends.
    fn sync(&mut self) -> Vec<(Done, Result<u64, WriteError>)> {
        self.unsynced = 0;
        self.health.flushes += 1;
        let waiting = std::mem::take(&mut self.waiting);
        self.health.writes += waiting.len() as u64;
        let settle = |(packed, done, result): (Packed, Done, _)| {
            let again = self.synced.take(&packed);
            debug_assert_eq!(again, result);
            (done, again)
        };
        waiting.into_iter().map(settle).collect()
    }
}

impl MatchLog for MemoryLog {
    fn submit(&self, write: Write, done: Done) {
        let told = match Packed::new(write) {
            Ok(packed) => self.lock().submit(packed, done),
            Err(error) => vec![(done, Err(error))],
        };
        for (done, result) in told {
            done(result);
        }
    }

    fn new_epoch(&self) -> Result<Epoch, WriteError> {
        let mut inner = self.lock();
        if inner.read_only {
            return Err(WriteError::ReadOnly);
        }
        let epoch = Epoch(inner.synced.epoch.0 + 1);
        (inner.synced.epoch, inner.live.epoch) = (epoch, epoch);
        Ok(epoch)
    }

    fn read(&self, table: &TableId, which: MatchSelector) -> Result<Option<StoredMatch>, ReadError> {
        self.lock().synced.read(table, which)
    }

    fn table(&self, table: &TableId) -> Result<Option<TableInfo>, ReadError> {
        Ok(self.lock().synced.tables.get(table).map(|sheet| sheet.info(table)))
    }

    fn tables(&self, listing: &Listing) -> Result<Vec<TableInfo>, ReadError> {
        Ok(self.lock().synced.list(listing))
    }

    fn finished_beyond(&self, kept: usize) -> Result<Option<u64>, ReadError> {
        Ok(self.lock().synced.finished_beyond(kept))
    }

    fn sweep(&self, finished_before_ms: u64, tables_max: usize) -> Result<usize, WriteError> {
        let mut inner = self.lock();
        if inner.read_only {
            return Err(WriteError::ReadOnly);
        }
        if !inner.waiting.is_empty() {
            // The pending writes were judged with these tables there.
            return Ok(0);
        }
        inner.live.sweep(finished_before_ms, tables_max);
        Ok(inner.synced.sweep(finished_before_ms, tables_max))
    }

    fn health(&self) -> Health {
        let inner = self.lock();
        Health { queued: inner.waiting.len() as u64, ..inner.health.clone() }
    }
}

impl Accounts for MemoryLog {
    fn player(&self, id: &PlayerId) -> Result<Option<Player>, ReadError> {
        Ok(self.lock().synced.players.get(id).cloned())
    }

    fn player_by_token(&self, token_hash: &[u8; 32]) -> Result<Option<Player>, ReadError> {
        let inner = self.lock();
        Ok(inner.synced.players.values().find(|player| player.token_hash == *token_hash).cloned())
    }

    fn player_by_name(&self, name: &str) -> Result<Option<Player>, ReadError> {
        let (inner, key) = (self.lock(), Some(name.to_lowercase()));
        Ok(inner.synced.players.values().find(|player| player.name_key() == key).cloned())
    }

    fn balance(&self, owner: &Owner, currency: &Currency) -> Result<i64, ReadError> {
        Ok(self.lock().synced.books.balance(owner, currency))
    }

    fn due(&self, table: &TableId, currency: &Currency) -> Result<Vec<(PlayerId, i64)>, ReadError> {
        Ok(self.lock().synced.books.due(table, currency))
    }

    fn statement(
        &self,
        owner: &Owner,
        currency: Option<&Currency>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<StatementLine>, ReadError> {
        Ok(self.lock().synced.books.statement(owner, currency, before, limit))
    }

    fn holds(&self, after: Option<&HoldId>, limit: usize) -> Result<Vec<OpenHold>, ReadError> {
        Ok(self.lock().synced.books.holds(after, limit))
    }

    fn standings(&self, id: &PlayerId) -> Result<Vec<RatingRow>, ReadError> {
        Ok(self.lock().synced.standings(id))
    }

    fn leaders(&self, game: &str, limit: usize) -> Result<Vec<(Player, RatingRow)>, ReadError> {
        Ok(self.lock().synced.leaders(game, limit))
    }

    fn head_to_head(&self, id: &PlayerId, other: &PlayerId) -> Result<Vec<HeadToHead>, ReadError> {
        Ok(self.lock().synced.head_to_head(id, other))
    }

    fn history(
        &self,
        id: &PlayerId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<PlayedMatch>, ReadError> {
        Ok(self.lock().synced.history(id, before, limit))
    }

    fn audit_lines(&self, before: Option<u64>, limit: usize) -> Result<Vec<(u64, AuditLine)>, ReadError> {
        let inner = self.lock();
        let numbered = (1..).zip(&inner.synced.audited).filter(|(no, _)| before.is_none_or(|b| *no < b));
        let mut lines: Vec<(u64, AuditLine)> = numbered.map(|(no, line)| (no, line.clone())).collect();
        lines.reverse();
        lines.truncate(limit.min(ROWS_PER_PAGE_MAX));
        Ok(lines)
    }

    fn audit(&self) -> Result<Vec<String>, ReadError> {
        Ok(self.lock().synced.books.audit())
    }
}

impl Rooms for MemoryLog {
    fn rooms(&self) -> Result<Vec<(TableId, Facts)>, ReadError> {
        Ok(self.lock().synced.rooms.iter().map(|(id, body)| (id.clone(), body.clone())).collect())
    }
}

impl Rulesets for MemoryLog {
    fn rulesets(&self, after: Option<&str>, limit: usize) -> Result<Vec<RulesetInfo>, ReadError> {
        let inner = self.lock();
        let all = inner.synced.rulesets.iter();
        let later = all.filter(|(name, _)| after.is_none_or(|after| name.as_str() > after));
        let info = later.filter_map(|(_, (state, versions))| Some(RulesetInfo::of(versions.last()?, *state)));
        Ok(info.take(limit.min(ROWS_PER_PAGE_MAX)).collect())
    }

    fn ruleset(&self, name: &str) -> Result<Option<RulesetInfo>, ReadError> {
        let inner = self.lock();
        let found = inner.synced.rulesets.get(name);
        Ok(found.and_then(|(state, versions)| Some(RulesetInfo::of(versions.last()?, *state))))
    }

    fn ruleset_version(&self, name: &str, version: u32) -> Result<Option<RulesetVersion>, ReadError> {
        let inner = self.lock();
        let versions = inner.synced.rulesets.get(name).map(|(_, versions)| versions);
        Ok(versions.and_then(|all| all.iter().find(|each| each.version == version)).cloned())
    }

    fn ruleset_of(&self, name: &str, identity: &[u8; 32]) -> Result<Option<RulesetVersion>, ReadError> {
        let inner = self.lock();
        let versions = inner.synced.rulesets.get(name).map(|(_, versions)| versions);
        Ok(versions.and_then(|all| all.iter().rev().find(|each| each.identity == *identity)).cloned())
    }

    fn ruleset_versions_since(&self, author: &PlayerId, since_ms: u64) -> Result<usize, ReadError> {
        let inner = self.lock();
        let all = inner.synced.rulesets.values().flat_map(|(_, versions)| versions);
        Ok(all.filter(|each| each.author.as_ref() == Some(author) && each.at_ms >= since_ms).count())
    }
}
