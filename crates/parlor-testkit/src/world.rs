//! A table with a virtual clock, an in-memory log and clients that fold their messages: everything that a server
//! would be around a table, without real time.

use std::collections::{BTreeMap, VecDeque};

use parlor_core::{Account, GameDef, Header, HouseCode, Json, Posting, Record, Rng, Seat, Seed, Viewer};
use parlor_host::{Command, ConnId, Effect, NewTable, Occupant, RecordWrite, Table, TableSettings};
use parlor_wire::{Codec, ServerMessage};

use crate::client::Client;

/// Anything that behaves like a table; tests replace it with broken ones.
pub trait Driven {
    /// As [`Table::handle`].
    fn handle(&mut self, now: u64, command: Command) -> Vec<Effect>;
    /// The table behind it.
    fn table(&self) -> &Table;
}

impl Driven for Table {
    fn handle(&mut self, now: u64, command: Command) -> Vec<Effect> {
        Table::handle(self, now, command)
    }

    fn table(&self) -> &Table {
        self
    }
}

/// When the store reports that a record is safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Commit {
    /// At once.
    AtOnce,
    /// When [`World::commit`] is called.
    ByHand,
}

/// One delivered message.
#[derive(Clone, PartialEq, Debug)]
pub struct Sent {
    /// The virtual time, in milliseconds.
    pub at: u64,
    pub conn: ConnId,
    /// The message as JSON text.
    pub bytes: String,
}

/// One match of the log: its header and its stored records.
#[derive(Clone, PartialEq, Debug)]
pub struct Logged {
    pub header: Header,
    pub records: Vec<Record>,
}

/// The state of a table after a stored record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The number of the match.
    pub match_no: u32,
    pub seq: u32,
    /// The digest of the state.
    pub digest: String,
    /// A snapshot for each viewer, as JSON text, and the time banks.
    pub shown: Vec<String>,
}

/// The initial state of a world.
#[derive(Clone, Debug)]
pub struct Plan {
    pub def: GameDef,
    pub settings: Json,
    pub seats: u8,
    pub table: TableSettings,
    pub seed: String,
}

impl Plan {
    /// A plan with default settings for this game.
    #[must_use]
    pub fn of(def: GameDef, seats: u8, seed: &str) -> Self {
        let table = TableSettings::default();
        Self { def, settings: Json::Null, seats, table, seed: seed.to_owned() }
    }

    /// The occupants of the seats.
    #[must_use]
    pub fn people(&self) -> Vec<Occupant> {
        (0..self.seats).map(|n| Occupant::human(&format!("P{n}"))).collect()
    }

    /// The table's root seed.
    #[must_use]
    pub fn root(&self) -> Seed {
        Seed::from_text(&self.seed)
    }

    /// The connection of this viewer's client.
    #[must_use]
    pub fn conn(&self, viewer: Viewer) -> ConnId {
        ConnId(viewer.index(self.seats) as u64)
    }
}

/// A table and everything around it.
pub struct World<T: Driven = Table> {
    pub plan: Plan,
    pub table: T,
    /// The virtual time, in milliseconds.
    pub now: u64,
    /// When the table wants its next tick.
    pub wake: Option<u64>,
    pub clients: BTreeMap<ConnId, Client>,
    /// The stored log.
    pub log: Vec<Logged>,
    /// What is kept beside the log.
    pub beside: Json,
    /// Records that are submitted and not stored yet.
    pub unstored: VecDeque<RecordWrite>,
    pub sent: Vec<Sent>,
    /// What was said: names and texts.
    pub said: Vec<(String, String)>,
    /// Every command, with its time.
    pub script: Vec<(u64, Command)>,
    /// Violations of the invariants that were found.
    pub violations: Vec<String>,
    /// The balance of each account, by name; the sum is zero.
    pub accounts: BTreeMap<String, i64>,
    /// The table's state after each command.
    pub moments: Vec<Moment>,
    commit: Commit,
    /// The version up to which each viewer's stream is stored.
    safe: Vec<u64>,
}

impl World {
    /// Opens a table and connects every viewer.
    ///
    /// # Panics
    /// If the game refuses the settings.
    #[must_use]
    pub fn open(plan: Plan) -> Self {
        let (table, effects) = open_table(&plan);
        Self::around(plan, table, effects, Commit::AtOnce)
    }
}

/// Opens the plan's table.
///
/// # Panics
/// If the game refuses the settings.
#[must_use]
pub fn open_table(plan: &Plan) -> (Table, Vec<Effect>) {
    let new = NewTable::new(plan.def, plan.root(), plan.people());
    let opened = Table::open(new.rules(plan.settings.clone()).settings(plan.table.clone()), 0);
    opened.unwrap_or_else(|refusal| panic!("{}: {refusal}", plan.def.name))
}

impl<T: Driven> World<T> {
    /// A world around a table that was just opened, with every viewer connected.
    pub fn around(plan: Plan, table: T, effects: Vec<Effect>, commit: Commit) -> Self {
        let mut world = Self {
            plan,
            table,
            now: 0,
            wake: None,
            clients: BTreeMap::new(),
            log: Vec::new(),
            beside: Json::Null,
            unstored: VecDeque::new(),
            sent: Vec::new(),
            said: Vec::new(),
            script: Vec::new(),
            violations: Vec::new(),
            accounts: BTreeMap::new(),
            moments: Vec::new(),
            commit,
            safe: Vec::new(),
        };
        world.safe = Viewer::all(world.plan.seats).map(|viewer| version(world.view(), viewer)).collect();
        world.carry_out(effects, false);
        world.commit_if_at_once();
        for viewer in Viewer::all(world.plan.seats) {
            world.connect(viewer);
        }
        world
    }

    /// Connects the viewer's client, or reconnects it with the version it has.
    pub fn connect(&mut self, viewer: Viewer) {
        let conn = self.plan.conn(viewer);
        let last_v = self.clients.get(&conn).map(|client| client.v);
        self.clients.entry(conn).or_insert_with(|| Client::new(viewer));
        self.handle(Command::Connect { conn, viewer, last_v });
    }

    /// Gives the table a command, and carries out its effects.
    pub fn handle(&mut self, command: Command) {
        self.script.push((self.now, command.clone()));
        let effects = self.table.handle(self.now, command);
        self.carry_out(effects, false);
        self.commit_if_at_once();
        self.remember();
    }

    fn commit_if_at_once(&mut self) {
        while self.commit == Commit::AtOnce && !self.unstored.is_empty() {
            self.commit();
        }
    }

    /// Stores every submitted record, and reports it to the table.
    pub fn commit(&mut self) {
        let Some(last) = self.unstored.back() else { return };
        let upto = (last.match_no, last.record.as_ref().map_or(0, |record| record.seq));
        for append in std::mem::take(&mut self.unstored) {
            self.store(append);
        }
        self.safe = Viewer::all(self.plan.seats).map(|viewer| version(self.view(), viewer)).collect();
        let effects = self.table.handle(self.now, Command::Appended { match_no: upto.0, seq: upto.1 });
        self.carry_out(effects, true);
    }

    fn store(&mut self, append: RecordWrite) {
        for Posting { from, to, amount } in append.postings {
            *self.accounts.entry(account(from)).or_default() -= amount;
            *self.accounts.entry(account(to)).or_default() += amount;
        }
        if let Some(beside) = append.beside {
            self.beside = beside;
        }
        if let Some(header) = append.opens {
            self.log.push(Logged { header: *header, records: Vec::new() });
        }
        if let (Some(record), Some(last)) = (append.record, self.log.last_mut()) {
            last.records.push(record.into_record());
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>, on_the_stores_word: bool) {
        for effect in effects {
            match effect {
                Effect::Append(append) => self.unstored.push_back(append),
                Effect::Send { conn, message } => self.deliver(conn, &message, on_the_stores_word),
                Effect::Close { conn, .. } => {
                    self.clients.remove(&conn);
                }
                Effect::Wake { at } => self.wake = Some(at),
                Effect::Reserve { id, .. } => {
                    // Everybody here can pay.
                    let effects = self.table.handle(self.now, Command::Reserved { id });
                    self.carry_out(effects, on_the_stores_word);
                }
                Effect::Think { seat, input } => {
                    let task = self.view().bot_task(seat, input);
                    let answer = task.and_then(|task| task.run().ok());
                    let effects = self.table.handle(self.now, Command::Decided { seat, input, answer });
                    self.carry_out(effects, on_the_stores_word);
                }
                Effect::Said { name, text, .. } => self.said.push((name, text)),
                Effect::Finished
                | Effect::Warn { .. }
                | Effect::Release { .. }
                | Effect::Sat { .. }
                | Effect::WantsSeat { .. }
                | Effect::Left { .. }
                | Effect::Vacated { .. }
                | Effect::Expelled { .. } => {}
            }
        }
    }

    fn deliver(&mut self, conn: ConnId, message: &ServerMessage, on_the_stores_word: bool) {
        let hasty = match (message.v(), self.clients.get(&conn)) {
            (Some(v), Some(client)) => v > self.safe[client.viewer.index(self.plan.seats)],
            _ => {
                matches!(message, ServerMessage::Accepted { .. })
                    && !on_the_stores_word
                    && !self.unstored.is_empty()
            }
        };
        if hasty {
            self.violations
                .push(format!("seen_is_durable: a message left before its record was stored: {message:?}"));
        }
        let bytes = String::from_utf8(Codec::Json.encode(message)).expect("JSON is text");
        self.sent.push(Sent { at: self.now, conn, bytes });
        // The seat is empty: a viewer who tried to connect to it is not a client of this table.
        let stranger =
            matches!(message, ServerMessage::Refused { code, .. } if *code == HouseCode::NotSeated.into());
        if stranger && self.clients.get(&conn).is_some_and(|client| client.v == 0) {
            self.clients.remove(&conn);
        }
        if let Some(client) = self.clients.get_mut(&conn)
            && let Err(why) = client.fold(message)
        {
            self.violations.push(format!("snapshot_equals_deltas: {why}"));
        }
    }

    /// Advances the time, and ticks the table whenever it wants.
    pub fn advance(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(at) = self.wake.filter(|at| *at <= until) {
            self.wake = None;
            self.now = self.now.max(at);
            self.handle(Command::Tick);
            // A table that wants its next tick at once has more to do than one command may.
            if self.now == until && self.wake == Some(until) && self.script.len() > 100_000 {
                self.violations.push("the table never comes to rest".to_owned());
                break;
            }
        }
        self.now = until;
    }

    /// Advances the time to the table's next tick; returns whether there was one.
    pub fn advance_to_wake(&mut self) -> bool {
        match self.wake {
            Some(at) => {
                self.advance(at.saturating_sub(self.now));
                true
            }
            None => false,
        }
    }

    /// The table.
    pub fn view(&self) -> &Table {
        self.table.table()
    }

    fn remember(&mut self) {
        if self.unstored.is_empty() && self.log.last().is_some() {
            let moment = moment(self.view());
            if self
                .moments
                .last()
                .is_none_or(|last| (last.match_no, last.seq) != (moment.match_no, moment.seq))
            {
                self.moments.push(moment);
            }
        }
    }

    /// Compares every client with a fresh snapshot, and the chips with the accounts.
    pub fn check(&mut self) {
        let mut found = Vec::new();
        let table = self.table.table();
        for client in self.clients.values() {
            if let Err(why) = client.compare(&table.snapshot(client.viewer)) {
                found.push(format!("snapshot_equals_deltas: {}: {why}", client.viewer));
            }
        }
        let (holds, posted_escrow) =
            (table.current_match().escrow(), self.accounts.get("table").copied().unwrap_or(0));
        if self.unstored.is_empty() && holds != posted_escrow {
            found
                .push(format!("chips_are_conserved: the table holds {holds}, the books say {posted_escrow}"));
        }
        let seats = (0..table.current_match().header().seats).map(Seat::new);
        let returns: i64 = seats.map(|seat| table.current_match().game().refund(seat)).sum();
        if table.current_match().outcome().is_none() && returns != holds {
            let of = format!("a stopped match would return {returns} of {holds} tokens on the table");
            found.push(format!("chips_are_conserved: {of}"));
        }
        if self.accounts.values().sum::<i64>() != 0 {
            found.push("chips_are_conserved: the books do not balance".to_owned());
        }
        self.violations.append(&mut found);
    }
}

fn version(table: &Table, viewer: Viewer) -> u64 {
    table.snapshot(viewer).v().unwrap_or(0)
}

/// The current state of a table.
#[must_use]
pub fn moment(table: &Table) -> Moment {
    let play = table.current_match();
    let mut shown: Vec<String> = Viewer::all(play.header().seats)
        .map(|viewer| String::from_utf8(Codec::Json.encode(&table.snapshot(viewer))).expect("JSON is text"))
        .collect();
    shown.push(format!("{:?}", table.banks()));
    Moment { match_no: play.header().match_no, seq: play.next_seq() - 1, digest: play.digest(), shown }
}

fn account(account: Account) -> String {
    match account {
        Account::Seat(seat) => format!("seat {seat}"),
        Account::Table => "table".to_owned(),
        Account::House => "house".to_owned(),
        Account::Burn => "burn".to_owned(),
    }
}

/// Random numbers for the test itself: never the match's own.
#[must_use]
pub fn test_luck(seed: u64) -> Rng {
    Rng::fast(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5eed)
}

/// Every seat of a plan.
pub fn seats(plan: &Plan) -> impl Iterator<Item = Seat> + use<> {
    (0..plan.seats).map(Seat::new)
}
