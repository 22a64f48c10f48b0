//! The hub: every room, every running table, and access to the tables that are only in the store.

mod addresses;
mod create;
mod quota;
mod resume;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use parlor_core::{GameDef, HouseCode, Refusal, Route};
use parlor_host::ConnId;
use parlor_store::{Epoch, PlayerId, Store};
use parlor_wire::lobby::Sitting;
use tokio::sync::oneshot;

use crate::clock::Clock;
use crate::config::Config;
use crate::house::games::Games;
use crate::house::idempotency::Idempotency;
use crate::house::log_readers::LogReaders;
use crate::house::matchmaking::{self, Seeker};
use crate::house::queue::Queues;
use crate::house::room::state::Room;
use crate::house::ruleset_files::FollowedFiles;
use crate::house::rulesets::Publishing;
use crate::house::signed_in::SignedIn;
use crate::house::store_threads::StoreThreads;
use crate::house::store_watch::{StoreWatch, watch_store};
use crate::house::sweep::keep_sweeping;
use crate::metrics::Metrics;
use crate::net::http::Limits;
use crate::net::open_files;
use crate::net::refusal_log::RefusalLog;
use crate::registration::Dialects;
use crate::table::{Mail, TableHandle};
use addresses::Addresses;
pub(crate) use addresses::network;
pub(crate) use create::{CreateTable, dry_run_start};
use quota::TableQuota;

/// The map of tables keeps room for so many times as many as there are, and at least for so many.
const ROOM_KEPT_TIMES: usize = 8;
const ROOM_KEPT_MIN: usize = 256;

/// The tables of one player; the flag says whether the player has left the table.
pub(crate) type Sittings = BTreeMap<String, (Sitting, bool)>;

/// The server's shared state.
pub struct Hub {
    pub(crate) config: Config,
    pub(crate) games: Games,
    pub(crate) publishing: Publishing,
    pub(crate) ruleset_files: FollowedFiles,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) store_watch: StoreWatch,
    pub(crate) log_readers: LogReaders,
    pub(crate) store_threads: StoreThreads,
    /// Those that set aside what players bring to a table.
    pub(crate) reserving_threads: StoreThreads,
    pub(crate) idempotency: Idempotency,
    pub(crate) epoch: Epoch,
    pub(crate) metrics: Metrics,
    pub(crate) clock: Clock,
    pub(crate) rooms: Mutex<HashMap<String, Room>>,
    pub(crate) tables: Mutex<HashMap<String, TableHandle>>,
    loading: tokio::sync::Mutex<()>,
    conns: AtomicU64,
    addresses: Addresses,
    /// How many connections the system has files for.
    files_max: usize,
    stopping: AtomicBool,
    /// True while no new table may start.
    draining: AtomicBool,
    quota: TableQuota,
    pub(crate) signed_in: SignedIn,
    /// The operator's log of senders who were refused for what they are not.
    pub(crate) failed_logins: RefusalLog,
    /// The same for those who asked too much.
    pub(crate) too_much: RefusalLog,
    pub(crate) dialects: Dialects,
    /// Held while an account is read, changed and written.
    pub(crate) accounts: Mutex<()>,
    /// The seats of every player whose match is not over, and whether they have left since.
    pub(crate) sittings: Mutex<HashMap<PlayerId, Sittings>>,
    pub(crate) queues: Mutex<Queues<Seeker>>,
    /// When this server began, in milliseconds since 1970.
    pub(crate) began_ms: u64,
    /// Wakes the matchmaking task when the queues change or the server stops.
    pub(crate) queue_bell: Arc<tokio::sync::Notify>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that can panic runs under these locks; a poisoned lock still guards a complete map.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    pub(crate) async fn open(
        clock: Clock,
        config: Config,
        games: Games,
        publishing: Publishing,
        dialects: Dialects,
        store: Arc<dyn Store>,
    ) -> Result<Arc<Self>, String> {
        let epoch = store.new_epoch().map_err(|error| error.to_string())?;
        let began_ms = clock.wall_ms();
        let hub = Arc::new(Self {
            config,
            games,
            publishing,
            ruleset_files: FollowedFiles::default(),
            store,
            store_watch: StoreWatch::default(),
            log_readers: LogReaders::default(),
            store_threads: StoreThreads::default(),
            reserving_threads: StoreThreads::default(),
            idempotency: Idempotency::default(),
            epoch,
            metrics: Metrics::default(),
            clock,
            rooms: Mutex::default(),
            tables: Mutex::default(),
            loading: tokio::sync::Mutex::default(),
            conns: AtomicU64::new(1),
            addresses: Addresses::default(),
            files_max: open_files::connections_max(open_files::raise()),
            stopping: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            quota: TableQuota::default(),
            signed_in: SignedIn::default(),
            failed_logins: RefusalLog::new("logins failed"),
            too_much: RefusalLog::new("requests were refused"),
            dialects,
            accounts: Mutex::default(),
            sittings: Mutex::default(),
            queues: Mutex::default(),
            began_ms,
            queue_bell: Arc::default(),
        });
        hub.load_rulesets()?;
        hub.release_orphans()?;
        hub.resume_all().await?;
        hub.note_paused()?;
        hub.restore_rooms()?;
        tokio::spawn(matchmaking::tend_queues(Arc::downgrade(&hub)));
        tokio::spawn(watch_store(Arc::downgrade(&hub)));
        tokio::spawn(keep_sweeping(Arc::downgrade(&hub)));
        Ok(hub)
    }

    /// The driver's time: milliseconds since the server started.
    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// The same for an instant that the caller has already read.
    pub(crate) fn at(&self, now: Instant) -> u64 {
        self.clock.at(now)
    }

    /// The wall clock, in milliseconds since 1970. Only for times that people read.
    pub(crate) fn wall_ms(&self) -> u64 {
        self.clock.wall_ms()
    }

    pub(crate) fn new_conn(&self) -> ConnId {
        ConnId(self.conns.fetch_add(1, Ordering::Relaxed))
    }

    /// Numbers the next connections from here on.
    pub(crate) fn skip_conns(&self, to: u64) {
        self.conns.fetch_max(to, Ordering::Relaxed);
    }

    pub(crate) fn def(&self, name: &str) -> Option<GameDef> {
        self.games.find(name)
    }

    /// The game that a request means when it names none: empty if no game here is its default.
    pub(crate) fn default_game(&self, route: Route) -> String {
        self.games.default_for(route).map_or_else(String::new, |def| def.name.to_owned())
    }

    pub(crate) fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    pub(crate) fn draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    pub(crate) fn set_draining(&self, on: bool) {
        self.draining.store(on, Ordering::Release);
    }

    /// Refuses if no more tables may start.
    pub(crate) fn check_capacity(&self) -> Result<(), Refusal> {
        if self.draining() {
            return Err(Refusal::of(HouseCode::Draining, "no new tables now: the server is about to stop"));
        }
        if self.count() >= self.config.tables_max {
            return Err(Refusal::of(HouseCode::AtCapacity, "Server at capacity"));
        }
        Ok(())
    }

    // ---- tables ----

    pub(crate) fn running(&self, id: &str) -> Option<TableHandle> {
        let mut tables = lock(&self.tables);
        if tables.get(id).is_some_and(|handle| handle.tx.is_closed()) {
            tables.remove(id);
        }
        tables.get(id).cloned()
    }

    /// Forgets a table that has left memory, and gives back the room that many of them have had.
    pub(crate) fn forget_table(&self, id: &str) {
        let mut tables = lock(&self.tables);
        if tables.get(id).is_some_and(|handle| handle.tx.is_closed()) {
            tables.remove(id);
        }
        if tables.len() < tables.capacity() / ROOM_KEPT_TIMES {
            tables.shrink_to(ROOM_KEPT_MIN);
        }
    }

    /// The game of a room, or of a table in memory.
    pub(crate) fn game_of(&self, id: &str) -> Option<&'static str> {
        let room = lock(&self.rooms).get(id).map(|room| room.def.name);
        room.or_else(|| self.running(id).map(|handle| handle.public.game))
    }

    /// Tables in memory: id and handle.
    pub(crate) fn all_running(&self) -> Vec<(String, TableHandle)> {
        let mut tables = lock(&self.tables);
        tables.retain(|_, handle| !handle.tx.is_closed());
        tables.iter().map(|(id, handle)| (id.clone(), handle.clone())).collect()
    }

    pub(crate) fn count(&self) -> usize {
        lock(&self.rooms).len()
            + lock(&self.tables).values().filter(|h| !h.public.over.load(Ordering::Acquire)).count()
    }

    // ---- limits ----

    /// Counts one more table for its creator: for their account and for their address. Refuses it if either has too
    /// many. Every way to make a table comes by here.
    pub(crate) fn reserve_table(
        &self,
        player: Option<&str>,
        address: Option<IpAddr>,
        id: &str,
    ) -> Result<(), Refusal> {
        if let Some(player) = player {
            self.reserve(format!("player {player}"), id, self.config.tables_per_player_max)?;
        }
        if let Some(address) = address {
            let maker = format!("address {}", network(address));
            self.reserve(maker, id, self.config.tables_per_address_max)?;
        }
        Ok(())
    }

    fn reserve(&self, maker: String, id: &str, max: usize) -> Result<(), Refusal> {
        self.quota.reserve(maker, id, max, |his| self.strike_out(his))
    }

    /// Whether a player who is about to wait for a table may have one more.
    pub(crate) fn check_table_quota(&self, player: &str, address: IpAddr) -> Result<(), Refusal> {
        let Config { tables_per_player_max, tables_per_address_max, .. } = self.config;
        let makers = [
            (format!("player {player}"), tables_per_player_max),
            (format!("address {}", network(address)), tables_per_address_max),
        ];
        let check =
            |(maker, max): &(String, usize)| self.quota.check(maker, *max, |his| self.strike_out(his));
        makers.iter().try_for_each(check)
    }

    /// Counts tables that are over for nobody any more.
    pub(crate) fn forget_ended_tables(&self) {
        self.quota.strike_out_all(|tables| self.strike_out(tables));
    }

    /// Removes the tables that are over.
    fn strike_out(&self, tables_of_one: &mut HashSet<String>) {
        let (rooms, tables) = (lock(&self.rooms), lock(&self.tables));
        let runs = |id: &String| tables.get(id).is_some_and(|h| !h.public.over.load(Ordering::Acquire));
        tables_of_one.retain(|id| rooms.contains_key(id) || runs(id));
    }

    /// Counts one more connection from this address; false if it may not have one.
    pub(crate) fn connect_from(&self, address: IpAddr) -> bool {
        let connections = &self.metrics.connections;
        let all = connections.load(Ordering::Relaxed).max(0) as usize;
        let count = || {
            connections.fetch_add(1, Ordering::Relaxed);
        };
        // A quarter of the files is for requests: sockets must not shut them out.
        let max = self.config.connections_max.min(self.files_max - self.files_max / 4);
        all < max && self.addresses.connect(address, &self.config, count)
    }

    /// How many HTTP connections may be open.
    pub(crate) fn http_limits(&self) -> Limits {
        let all = self.config.http_connections_max.min(self.files_max / 4).max(1);
        Limits { all, per_address: self.config.http_connections_per_address_max.clamp(1, all) }
    }

    pub(crate) fn disconnect_from(&self, address: IpAddr) {
        self.metrics.connections.fetch_sub(1, Ordering::Relaxed);
        self.addresses.disconnect(address);
    }

    /// Whether this address may make one more request.
    pub(crate) fn request_from(&self, address: IpAddr) -> bool {
        self.addresses.request(address, &self.config)
    }

    /// Whether this address may open one more guest account.
    pub(crate) fn guest_from(&self, address: IpAddr) -> bool {
        self.addresses.guest(address, &self.config)
    }

    /// Stops every table, and waits until each has submitted its records and the store has committed them.
    pub(crate) async fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        self.queue_bell.notify_one();
        let mut waiting = Vec::new();
        for (_, handle) in self.all_running() {
            let (done, stopped) = oneshot::channel();
            if handle.tx.send(Mail::Stop(done)).await.is_ok() {
                waiting.push(stopped);
            }
        }
        for stopped in waiting {
            let _ = tokio::time::timeout(Duration::from_secs(5), stopped).await;
        }
        // The store takes writes in order: when this one is durable, all earlier ones are.
        let store = self.store.clone();
        let _ = tokio::task::spawn_blocking(move || store.write(parlor_store::Write::Probe)).await;
    }
}
