//! Every table of this server: those that wait for people, those at work, and those that sleep in the store.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use parlor_core::{Account, Entry, Json, Refusal};
use parlor_host::{ConnId, Table};
use parlor_store::{
    Epoch, Listing, MatchLog, PlayerId, TableId, TableInfo, TableState, Which, Write, WriteError,
};
use parlor_wire::Tongue;
use parlor_wire::lobby::Sitting;
use tokio::sync::oneshot;

use crate::clock::Clock;
use crate::config::Config;
use crate::lobby::{self, Seeker};
use crate::metrics::Metrics;
use crate::queue::Queues;
use crate::room::{Plan, Room};
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
    /// The account of whoever makes it.
    pub(crate) player: Option<PlayerId>,
    /// Where he is.
    pub(crate) address: Option<IpAddr>,
    /// Whether it takes an invitation.
    pub(crate) private: bool,
    pub(crate) ready_check: bool,
    pub(crate) spectator_delay_ms: u64,
}

/// A table that was made, and the token of whoever made it.
pub(crate) struct Made {
    pub(crate) id: String,
    pub(crate) owner_token: String,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    pub(crate) invite: Option<String>,
    pub(crate) stake: i64,
}

/// The tables of one player, each with whether he has got up from it.
pub(crate) type Sittings = BTreeMap<String, (Sitting, bool)>;

/// Everything a server knows.
pub struct Hub {
    pub(crate) config: Config,
    pub(crate) games: Vec<Entry>,
    pub(crate) store: Arc<dyn MatchLog>,
    pub(crate) epoch: Epoch,
    pub(crate) metrics: Metrics,
    pub(crate) clock: Clock,
    pub(crate) rooms: Mutex<HashMap<String, Room>>,
    pub(crate) tables: Mutex<HashMap<String, TableHandle>>,
    loading: tokio::sync::Mutex<()>,
    conns: AtomicU64,
    addresses: Mutex<HashMap<IpAddr, (usize, Bucket)>>,
    guests: Mutex<HashMap<IpAddr, Bucket>>,
    stopping: AtomicBool,
    /// Set while no new table may begin.
    draining: AtomicBool,
    /// Tables by who made them; those that are over are struck out when somebody reaches his limit.
    makers: Mutex<HashMap<String, HashSet<String>>>,
    pub(crate) tongues: Vec<Tongue>,
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
        games: Vec<Entry>,
        tongues: Vec<Tongue>,
        store: Arc<dyn MatchLog>,
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
            addresses: Mutex::default(),
            guests: Mutex::default(),
            stopping: AtomicBool::new(false),
            draining: AtomicBool::new(false),
            makers: Mutex::default(),
            tongues,
            accounts: Mutex::default(),
            sittings: Mutex::default(),
            queues: Mutex::default(),
            queue_bell: Arc::default(),
        });
        hub.wake_all().await?;
        hub.note_paused()?;
        hub.rooms_back()?;
        tokio::spawn(lobby::tend_queues(Arc::downgrade(&hub)));
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

    pub(crate) fn entry(&self, name: &str) -> Option<Entry> {
        self.games.iter().find(|entry| entry.name == name).copied()
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
    pub(crate) fn room_for_one(&self) -> Result<(), Refusal> {
        if self.draining() {
            return Err(Refusal::of("draining", "no new tables now: the server is about to stop"));
        }
        if self.count() >= self.config.tables_max {
            return Err(Refusal::of("at_capacity", "Server at capacity"));
        }
        Ok(())
    }

    /// Whether somebody may make one more table; notes it if so.
    pub(crate) fn one_more_by(&self, maker: String, id: &str, max: usize) -> Result<(), Refusal> {
        let mut makers = lock(&self.makers);
        let his = makers.entry(maker).or_default();
        if his.len() >= max {
            let rooms = lock(&self.rooms);
            let tables = lock(&self.tables);
            let runs = |id: &String| tables.get(id).is_some_and(|h| !h.public.over.load(Ordering::Acquire));
            his.retain(|id| rooms.contains_key(id) || runs(id));
        }
        if his.len() >= max {
            return Err(Refusal::of("too_many_tables", "you have too many tables; end one first"));
        }
        his.insert(id.to_owned());
        Ok(())
    }

    // ---- tables ----

    /// Every table that was running when the server went away goes on.
    async fn wake_all(self: &Arc<Self>) -> Result<(), String> {
        let mut listing = Listing { state: Some(TableState::Running), after: None, limit: 0 };
        loop {
            let page = self.store.tables(&listing).map_err(|error| error.to_string())?;
            let Some(last) = page.last() else { return Ok(()) };
            listing.after = Some(last.table.clone());
            for (info, claimed) in page.iter().zip(self.claim_all(&page)) {
                let loaded = claimed.map_err(|error| error.to_string()).and_then(|_| self.take_up(info));
                if let Err(why) = loaded {
                    tracing::error!(table = %info.table, %why, "a table cannot go on");
                }
            }
            tokio::task::yield_now().await;
        }
    }

    /// Claims all of these. They are handed in together, so that the store puts them into one flush: waiting for each
    /// alone would cost a restart a flush for every table.
    fn claim_all(&self, page: &[TableInfo]) -> Vec<Result<u64, WriteError>> {
        let (tell, told) = std::sync::mpsc::channel();
        for (n, info) in page.iter().enumerate() {
            let tell = tell.clone();
            let claim = Write::Claim { table: info.table.clone(), epoch: self.epoch };
            self.store.submit(
                claim,
                Box::new(move |result| {
                    // Nobody waits any more only where the server is going down.
                    let _ = tell.send((n, result));
                }),
            );
        }
        drop(tell);
        let mut words: Vec<_> = page.iter().map(|_| Err(WriteError::Closed)).collect();
        for (n, result) in told {
            words[n] = result;
        }
        words
    }

    /// Whoever sits at a table that stands still sits there all the same.
    fn note_paused(&self) -> Result<(), String> {
        let mut listing = Listing { state: Some(TableState::Paused), after: None, limit: 0 };
        loop {
            let page = self.store.tables(&listing).map_err(|error| error.to_string())?;
            let Some(last) = page.last() else { return Ok(()) };
            listing.after = Some(last.table.clone());
            for info in page {
                if let Ok(facts) = serde_json::from_value::<TableFacts>(info.facts.0) {
                    self.note_sitting(info.table.as_str(), &info.game, &facts.players);
                }
            }
        }
    }

    fn load(self: &Arc<Self>, info: &TableInfo) -> Result<TableHandle, String> {
        self.store.claim(&info.table, self.epoch).map_err(|error| error.to_string())?;
        self.take_up(info)
    }

    /// Goes on with a table that was claimed.
    fn take_up(self: &Arc<Self>, info: &TableInfo) -> Result<TableHandle, String> {
        let entry = self.entry(&info.game).ok_or_else(|| format!("there is no game {}", info.game))?;
        let facts: TableFacts =
            serde_json::from_value(info.facts.0.clone()).map_err(|_| "its facts do not decode".to_owned())?;
        let root = facts.root().ok_or("its secret does not decode")?;
        let stored = self.store.read(&info.table, Which::Last).map_err(|error| error.to_string())?;
        let mut stored = stored.ok_or("its log is gone")?;
        if info.state == TableState::Finished {
            // Nobody who still plays has given his account up.
            self.forget_in(&facts, &mut stored.header, &mut stored.records);
        }
        let loaded = Table::load(entry, root, stored.header, stored.records, self.now());
        let (table, effects) = loaded.map_err(|error| error.to_string())?;
        let handle =
            TableTask::spawn(self.clone(), info.table.clone(), table, facts, stored.seq, effects, |_| None);
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

    pub(crate) fn at_work(&self, id: &str) -> Option<TableHandle> {
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
        self.room_for_one()?;
        let stakes = try_out(entry, seats, &order.settings)?;
        if stakes.iter().any(|stake| *stake > 0) && (bots > 0 || order.seed.is_some()) {
            let text = "where tokens are staked no bot plays, and nobody chooses the seed";
            return Err(Refusal::of("staked", text));
        }
        let (owner_token, invite) = (fresh_token(), order.private.then(|| fresh_token()[..12].to_owned()));
        let stake = stakes.iter().copied().max().unwrap_or(0);
        let maker = order.player.map(|id| id.to_string());
        let plan = Plan {
            game: entry.name.to_owned(),
            settings: order.settings,
            seats,
            bots,
            seed: order.seed,
            owner: hash(&owner_token),
            owner_player: maker.clone(),
            invite: invite.clone(),
            ready_check: order.ready_check,
            spectator_delay_ms: order.spectator_delay_ms,
            stakes,
            ..Plan::default()
        };
        let known = self.at_work(&id).is_some()
            || TableId::new(&id).is_ok_and(|name| matches!(self.store.table(&name), Ok(Some(_))));
        let rooms = lock(&self.rooms);
        if known || rooms.contains_key(&id) {
            return Err(Refusal::of("exists", "Game already exists"));
        }
        drop(rooms);
        if let Some(player) = &maker {
            self.one_more_by(format!("player {player}"), &id, self.config.tables_per_player_max)?;
        }
        if let Some(address) = order.address {
            self.one_more_by(format!("address {address}"), &id, self.config.tables_per_address_max)?;
        }
        let mut rooms = lock(&self.rooms);
        if rooms.contains_key(&id) {
            return Err(Refusal::of("exists", "Game already exists"));
        }
        let room = Room::new(entry, plan);
        self.keep_room(&id, &room);
        rooms.insert(id.clone(), room);
        Ok(Made { id, owner_token, seats, bots, invite, stake })
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

    /// Whether one more account for a guest from this address is let in.
    pub(crate) fn guest_from(&self, address: IpAddr) -> bool {
        let now = Instant::now();
        let mut guests = lock(&self.guests);
        if guests.len() > 10_000 {
            guests.retain(|_, bucket| !bucket.full(now));
        }
        let fresh = || Bucket::new(self.config.guests_per_second, self.config.guests_burst);
        guests.entry(address).or_insert_with(fresh).take(now)
    }

    fn bucket(&self) -> Bucket {
        Bucket::new(self.config.requests_per_second, self.config.requests_burst)
    }

    /// Tells every table to stop, and waits until each has handed its records in and the store has taken them.
    pub(crate) async fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        self.queue_bell.notify_one();
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

/// Whether the game starts with these settings at all: a table that cannot start is refused when it is made. Says what
/// each seat has to put on the table.
pub(crate) fn try_out(entry: Entry, seats: u8, settings: &Json) -> Result<Vec<i64>, Refusal> {
    let seed = parlor_core::Seed::from_text("try out");
    let header = parlor_core::Header::seeded(&entry, seats, settings.clone(), seed);
    let (_, applied) = parlor_core::Match::start(entry, header)?;
    let mut stakes = vec![0; seats.into()];
    for posting in applied.postings {
        for (account, amount) in [(posting.from, posting.amount), (posting.to, -posting.amount)] {
            if let Account::Seat(seat) = account
                && let Some(stake) = stakes.get_mut(seat.index())
            {
                *stake += amount;
            }
        }
    }
    Ok(stakes)
}
