//! Every table of this server: those that wait for people, those at work, and those that sleep in the store.

mod addresses;
mod create;
mod quota;
mod resume;

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use parlor_core::{GameDef, Refusal};
use parlor_host::ConnId;
use parlor_store::{Epoch, PlayerId, Store};
use parlor_wire::DetectDialect;
use parlor_wire::lobby::Sitting;
use tokio::sync::oneshot;

use crate::clock::Clock;
use crate::config::Config;
use crate::house::matchmaking::{self, Seeker};
use crate::house::queue::Queues;
use crate::house::room::state::Room;
use crate::metrics::Metrics;
use crate::table::{Mail, TableHandle};
use addresses::Addresses;
pub(crate) use create::{CreateTable, dry_run_start};
use quota::TableQuota;

/// The tables of one player, each with whether he has got up from it.
pub(crate) type Sittings = BTreeMap<String, (Sitting, bool)>;

/// Everything a server knows.
pub struct Hub {
    pub(crate) config: Config,
    pub(crate) games: Vec<GameDef>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) epoch: Epoch,
    pub(crate) metrics: Metrics,
    pub(crate) clock: Clock,
    pub(crate) rooms: Mutex<HashMap<String, Room>>,
    pub(crate) tables: Mutex<HashMap<String, TableHandle>>,
    loading: tokio::sync::Mutex<()>,
    conns: AtomicU64,
    addresses: Addresses,
    stopping: AtomicBool,
    /// Set while no new table may begin.
    draining: AtomicBool,
    quota: TableQuota,
    pub(crate) dialects: Vec<DetectDialect>,
    /// Held while an account is read and written again.
    pub(crate) accounts: Mutex<()>,
    /// Where everybody sits whose match is not over, and whether he has got up since.
    pub(crate) sittings: Mutex<HashMap<PlayerId, Sittings>>,
    pub(crate) queues: Mutex<Queues<Seeker>>,
    /// Woken when somebody will not wait longer than until then.
    pub(crate) queue_bell: Arc<tokio::sync::Notify>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that can panic runs under these locks; a poisoned one still holds a whole map.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    pub(crate) async fn open(
        clock: Clock,
        config: Config,
        games: Vec<GameDef>,
        dialects: Vec<DetectDialect>,
        store: Arc<dyn Store>,
    ) -> Result<Arc<Self>, String> {
        let epoch = store.new_epoch().map_err(|error| error.to_string())?;
        let hub = Arc::new(Self {
            config,
            games,
            store,
            epoch,
            metrics: Metrics::default(),
            clock,
            rooms: Mutex::default(),
            tables: Mutex::default(),
            loading: tokio::sync::Mutex::default(),
            conns: AtomicU64::new(1),
            addresses: Addresses::default(),
            stopping: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            quota: TableQuota::default(),
            dialects,
            accounts: Mutex::default(),
            sittings: Mutex::default(),
            queues: Mutex::default(),
            queue_bell: Arc::default(),
        });
        hub.resume_all().await?;
        hub.note_paused()?;
        hub.restore_rooms()?;
        tokio::spawn(matchmaking::tend_queues(Arc::downgrade(&hub)));
        Ok(hub)
    }

    /// The driver's time: milliseconds since this server began.
    pub(crate) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// The same for whoever has just looked at the machine's own clock.
    pub(crate) fn at(&self, now: Instant) -> u64 {
        self.clock.at(now)
    }

    /// The wall clock, in milliseconds since 1970: only for what people read.
    pub(crate) fn wall_ms(&self) -> u64 {
        self.clock.wall_ms()
    }

    pub(crate) fn new_conn(&self) -> ConnId {
        ConnId(self.conns.fetch_add(1, Ordering::Relaxed))
    }

    /// The next connections have numbers from here on.
    pub(crate) fn skip_conns(&self, to: u64) {
        self.conns.fetch_max(to, Ordering::Relaxed);
    }

    pub(crate) fn def(&self, name: &str) -> Option<GameDef> {
        self.games.iter().find(|def| def.name == name).copied()
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

    /// Whether one more table may begin.
    pub(crate) fn check_capacity(&self) -> Result<(), Refusal> {
        if self.draining() {
            return Err(Refusal::of("draining", "no new tables now: the server is about to stop"));
        }
        if self.count() >= self.config.tables_max {
            return Err(Refusal::of("at_capacity", "Server at capacity"));
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

    /// Whether somebody may make one more table; notes it if so.
    pub(crate) fn reserve_table(&self, maker: String, id: &str, max: usize) -> Result<(), Refusal> {
        self.quota.reserve(maker, id, max, |his| {
            let rooms = lock(&self.rooms);
            let tables = lock(&self.tables);
            let runs = |id: &String| tables.get(id).is_some_and(|h| !h.public.over.load(Ordering::Acquire));
            his.retain(|id| rooms.contains_key(id) || runs(id));
        })
    }

    /// Whether one more connection from this address is let in; counts it if so.
    pub(crate) fn connect_from(&self, address: IpAddr) -> bool {
        let connections = &self.metrics.connections;
        let all = connections.load(Ordering::Relaxed).max(0) as usize;
        let count = || {
            connections.fetch_add(1, Ordering::Relaxed);
        };
        all < self.config.connections_max && self.addresses.connect(address, &self.config, count)
    }

    pub(crate) fn disconnect_from(&self, address: IpAddr) {
        self.metrics.connections.fetch_sub(1, Ordering::Relaxed);
        self.addresses.disconnect(address);
    }

    /// Whether one more request from this address is let in.
    pub(crate) fn request_from(&self, address: IpAddr) -> bool {
        self.addresses.request(address, &self.config)
    }

    /// Whether one more account for a guest from this address is let in.
    pub(crate) fn guest_from(&self, address: IpAddr) -> bool {
        self.addresses.guest(address, &self.config)
    }

    /// Tells every table to stop, and waits until each has handed its records in and the store has taken them.
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
        // The store takes writes in order: when this one is durable, so are all before it.
        let store = self.store.clone();
        let _ = tokio::task::spawn_blocking(move || store.write(parlor_store::Write::Probe)).await;
    }
}
