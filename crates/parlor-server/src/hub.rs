//! Every table of this server: those that wait for people, those at work, and those that sleep in the store.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use parlor_core::{Entry, Json, Refusal};
use parlor_host::{ConnId, Table};
use parlor_store::{Epoch, Listing, MatchLog, TableId, TableInfo, TableState, Which};
use tokio::sync::oneshot;

use crate::config::Config;
use crate::metrics::Metrics;
use crate::outbox::Out;
use crate::room::Room;
use crate::sessions::{TableFacts, fresh_token, hash};
use crate::table_task::{Mail, TableHandle, TableTask};
use crate::throttle::Bucket;

/// What a new table is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    pub(crate) id: Option<String>,
    pub(crate) game: String,
    pub(crate) settings: Json,
    pub(crate) seats: Option<u8>,
    pub(crate) bots: Option<u8>,
    pub(crate) seed: Option<String>,
}

/// A table that was made, and the token of whoever made it.
pub(crate) struct Made {
    pub(crate) id: String,
    pub(crate) owner_token: String,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
}

/// Everything a server knows.
pub struct Hub {
    pub(crate) config: Config,
    pub(crate) games: Vec<Entry>,
    pub(crate) store: Arc<dyn MatchLog>,
    pub(crate) epoch: Epoch,
    pub(crate) metrics: Metrics,
    began: Instant,
    rooms: Mutex<HashMap<String, Room>>,
    tables: Mutex<HashMap<String, TableHandle>>,
    loading: tokio::sync::Mutex<()>,
    conns: AtomicU64,
    addresses: Mutex<HashMap<IpAddr, (usize, Bucket)>>,
    stopping: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that can panic runs under these locks; a poisoned one still holds a whole map.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hub {
    pub(crate) async fn open(
        config: Config,
        games: Vec<Entry>,
        store: Arc<dyn MatchLog>,
    ) -> Result<Arc<Self>, String> {
        let epoch = store.new_epoch().map_err(|error| error.to_string())?;
        let hub = Arc::new(Self {
            config,
            games,
            store,
            epoch,
            metrics: Metrics::default(),
            began: Instant::now(),
            rooms: Mutex::default(),
            tables: Mutex::default(),
            loading: tokio::sync::Mutex::default(),
            conns: AtomicU64::new(1),
            addresses: Mutex::default(),
            stopping: AtomicBool::new(false),
        });
        hub.wake_all().await?;
        Ok(hub)
    }

    /// The driver's time: milliseconds since this server began.
    pub(crate) fn now(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// The wall clock, in milliseconds since 1970: only for what people read.
    pub(crate) fn wall_ms(&self) -> u64 {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
    }

    pub(crate) fn new_conn(&self) -> ConnId {
        ConnId(self.conns.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn entry(&self, name: &str) -> Option<Entry> {
        self.games.iter().find(|entry| entry.name == name).copied()
    }

    pub(crate) fn stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }

    // ---- tables ----

    /// Every table that was running when the server went away goes on.
    async fn wake_all(self: &Arc<Self>) -> Result<(), String> {
        let mut listing = Listing { state: Some(TableState::Running), after: None, limit: 0 };
        loop {
            let page = self.store.tables(&listing).map_err(|error| error.to_string())?;
            let Some(last) = page.last() else { return Ok(()) };
            listing.after = Some(last.table.clone());
            for info in page {
                if let Err(why) = self.load(&info) {
                    tracing::error!(table = %info.table, %why, "a table cannot go on");
                }
            }
            tokio::task::yield_now().await;
        }
    }

    fn load(self: &Arc<Self>, info: &TableInfo) -> Result<TableHandle, String> {
        let entry = self.entry(&info.game).ok_or_else(|| format!("there is no game {}", info.game))?;
        let facts: TableFacts =
            serde_json::from_value(info.facts.0.clone()).map_err(|_| "its facts do not decode".to_owned())?;
        let root = facts.root().ok_or("its secret does not decode")?;
        self.store.claim(&info.table, self.epoch).map_err(|error| error.to_string())?;
        let stored = self.store.read(&info.table, Which::Last).map_err(|error| error.to_string())?;
        let stored = stored.ok_or("its log is gone")?;
        let loaded = Table::load(entry, root, stored.header, stored.records, self.now());
        let (table, effects) = loaded.map_err(|error| error.to_string())?;
        let handle = TableTask::spawn(self.clone(), info.table.clone(), table, facts, stored.seq, effects);
        lock(&self.tables).insert(info.table.to_string(), handle.clone());
        Ok(handle)
    }

    /// A table at work; one that sleeps in the store is woken.
    pub(crate) async fn table(self: &Arc<Self>, id: &str) -> Option<TableHandle> {
        if let Some(handle) = self.at_work(id) {
            return Some(handle);
        }
        let _one_at_a_time = self.loading.lock().await;
        if let Some(handle) = self.at_work(id) {
            return Some(handle);
        }
        let name = TableId::new(id).ok()?;
        let hub = self.clone();
        tokio::task::block_in_place(move || {
            let info = hub.store.table(&name).ok()??;
            hub.load(&info)
                .map_err(|why| tracing::error!(table = %name, %why, "a table cannot be woken"))
                .ok()
        })
    }

    fn at_work(&self, id: &str) -> Option<TableHandle> {
        let mut tables = lock(&self.tables);
        if tables.get(id).is_some_and(|handle| handle.tx.is_closed()) {
            tables.remove(id);
        }
        tables.get(id).cloned()
    }

    /// Tables in memory: id and handle.
    pub(crate) fn all_at_work(&self) -> Vec<(String, TableHandle)> {
        let mut tables = lock(&self.tables);
        tables.retain(|_, handle| !handle.tx.is_closed());
        tables.iter().map(|(id, handle)| (id.clone(), handle.clone())).collect()
    }

    pub(crate) fn count(&self) -> usize {
        lock(&self.rooms).len()
            + lock(&self.tables).values().filter(|h| !h.public.over.load(Ordering::Acquire)).count()
    }

    // ---- rooms ----

    /// Makes a table that waits for its people.
    pub(crate) fn make(&self, order: Order) -> Result<Made, Refusal> {
        let Some(entry) = self.entry(&order.game) else {
            let names: Vec<&str> = self.games.iter().map(|entry| entry.name).collect();
            let text = format!("there is no game {}; there are: {}", order.game, names.join(", "));
            return Err(Refusal::of("unknown_game", text));
        };
        let (fewest, most) = entry.seats;
        let seats = order.seats.unwrap_or(fewest);
        let bots = order.bots.unwrap_or(seats.saturating_sub(1));
        if !(fewest..=most).contains(&seats) || bots >= seats {
            let text =
                format!("{} is played by {fewest} to {most}, of whom at least one is no bot", entry.name);
            return Err(Refusal::of("seats", text));
        }
        let id = order.id.unwrap_or_else(|| fresh_token()[..12].to_owned());
        if !parlor_wire::client::is_token(&id) {
            return Err(Refusal::of("invalid_id", "a table's id has 1 to 50 characters of A-Z a-z 0-9 _ -"));
        }
        if self.count() >= self.config.tables_max {
            return Err(Refusal::of("at_capacity", "Server at capacity"));
        }
        try_out(entry, seats, &order.settings)?;
        let owner_token = fresh_token();
        let room = Room {
            entry,
            settings: order.settings,
            seats,
            bots,
            seed: order.seed,
            owner: hash(&owner_token),
            members: Vec::new(),
            since: Instant::now(),
        };
        let known = self.at_work(&id).is_some()
            || TableId::new(&id).is_ok_and(|name| matches!(self.store.table(&name), Ok(Some(_))));
        let mut rooms = lock(&self.rooms);
        if known || rooms.contains_key(&id) {
            return Err(Refusal::of("exists", "Game already exists"));
        }
        rooms.insert(id.clone(), room);
        Ok(Made { id, owner_token, seats, bots })
    }

    /// Does something with a room; none where there is no such room.
    pub(crate) fn with_room<T>(&self, id: &str, act: impl FnOnce(&mut Room) -> T) -> Option<T> {
        lock(&self.rooms).get_mut(id).map(act)
    }

    /// Rooms: id, game, people, seats, bots.
    pub(crate) fn all_rooms(&self) -> Vec<(String, &'static str, usize, u8, u8)> {
        let rooms = lock(&self.rooms);
        rooms.iter().map(|(id, r)| (id.clone(), r.entry.name, r.members.len(), r.seats, r.bots)).collect()
    }

    pub(crate) fn drop_room(&self, id: &str) -> bool {
        lock(&self.rooms).remove(id).is_some()
    }

    /// Starts a room's table when its people are there, or at once when told to.
    pub(crate) fn start_room(self: &Arc<Self>, id: &str, at_once: bool) -> Result<bool, Refusal> {
        let mut rooms = lock(&self.rooms);
        let ready = rooms.get(id).is_some_and(|room| room.full() || (at_once && !room.members.is_empty()));
        if !ready {
            return Ok(false);
        }
        let Some(room) = rooms.remove(id) else { return Ok(false) };
        drop(rooms);
        let root = room.root();
        let (chairs, seats) = room.seating(&root);
        let settings = self.config.table().with(room.entry.patience(&room.settings));
        let facts = room.facts(&root, &seats, settings.clone());
        let seeded = room.seed.is_some();
        let (table, effects) =
            Table::open(room.entry, root, seeded, room.settings.clone(), chairs, settings, self.now())?;
        let name = TableId::new(id).map_err(|_| Refusal::of("invalid_id", "that is no id"))?;
        let players: Vec<Json> = table
            .seat_infos()
            .iter()
            .enumerate()
            .map(|(n, seat)| serde_json::json!({"seat": n, "name": seat.name, "is_bot": seat.is_bot}))
            .collect();
        let handle = TableTask::spawn(self.clone(), name, table, facts, 0, effects);
        lock(&self.tables).insert(id.to_owned(), handle.clone());
        room.tell_others(None, &serde_json::json!({"type": "game_started", "players": players}));
        for (member, seat) in room.members.iter().zip(seats) {
            if let (Some(conn), Some(out)) = (member.conn, &member.out) {
                out.put(Out::Started { handle: handle.clone(), seat });
                let _ = handle.tx.try_send(Mail::Attach { conn, seat, out: out.clone() });
            }
        }
        Ok(true)
    }

    /// Rooms that nobody came to are given up.
    pub(crate) fn sweep_rooms(&self) {
        let old = Duration::from_secs(3600);
        lock(&self.rooms).retain(|_, room| !room.members.is_empty() || room.since.elapsed() < old);
    }

    // ---- addresses ----

    /// Whether one more connection from this address is let in; counts it if so.
    pub(crate) fn connect_from(&self, address: IpAddr) -> bool {
        let all = self.metrics.connections.load(Ordering::Relaxed).max(0) as usize;
        let mut addresses = lock(&self.addresses);
        let (count, _) = addresses.entry(address).or_insert_with(|| (0, self.bucket()));
        if all >= self.config.connections_max || *count >= self.config.connections_per_address_max {
            return false;
        }
        *count += 1;
        self.metrics.connections.fetch_add(1, Ordering::Relaxed);
        true
    }

    pub(crate) fn disconnect_from(&self, address: IpAddr) {
        self.metrics.connections.fetch_sub(1, Ordering::Relaxed);
        if let Some((count, _)) = lock(&self.addresses).get_mut(&address) {
            *count = count.saturating_sub(1);
        }
    }

    /// Whether one more request from this address is let in.
    pub(crate) fn request_from(&self, address: IpAddr) -> bool {
        let now = Instant::now();
        let mut addresses = lock(&self.addresses);
        if addresses.len() > 10_000 {
            addresses.retain(|_, (count, bucket)| *count > 0 || !bucket.full(now));
        }
        addresses.entry(address).or_insert_with(|| (0, self.bucket())).1.take(now)
    }

    fn bucket(&self) -> Bucket {
        Bucket::new(self.config.requests_per_second, self.config.requests_burst)
    }

    /// Tells every table to stop, and waits until each has handed its records in and the store has taken them.
    pub(crate) async fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        let mut waiting = Vec::new();
        for (_, handle) in self.all_at_work() {
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

/// Whether the game starts with these settings at all: a table that cannot start is refused when it is made.
fn try_out(entry: Entry, seats: u8, settings: &Json) -> Result<(), Refusal> {
    let seed = parlor_core::Seed::from_text("try out");
    let header = parlor_core::Header::seeded(&entry, seats, settings.clone(), seed);
    parlor_core::Match::start(entry, header).map(|_| ())
}
