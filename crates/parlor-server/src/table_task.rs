//! One task owns one table: it takes mail in order, hands records to the store, and lets messages go on its word.

mod people;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parlor_core::{Json, Match, Seat, Viewer};
use parlor_host::{Append, Command, ConnId, Conns, Effect, Submit, Table};
use parlor_store::{
    Append as StoreAppend, Entry as StoreEntry, Facts, PlayerId, TableId, TableState, Write, WriteError,
};
use parlor_wire::lobby::SeatNews;
use parlor_wire::{Letter, LobbyNews, ServerMessage};
use tokio::sync::oneshot;

use crate::bounded;
use crate::hub::Hub;
use crate::money;
use crate::outbox::{Out, Outbox, Put};
use crate::sessions::{Session, TableFacts};
pub(crate) use people::{Agreed, Opening};

/// Mail taken in one go before records are handed on: what comes together is stored together.
const MAIL_PER_TURN_MAX: usize = 64;
/// How often a store that failed is asked whether it is well again.
const PROBE_EVERY: Duration = Duration::from_millis(250);
/// How long the timer of a table sleeps for which nothing is due.
const RING_EVERY_MAX: Duration = Duration::from_secs(60);
/// Connections that stay behind this long are cut.
const BEHIND_MAX: Duration = Duration::from_secs(15);

/// Why a join was refused: the code and the text of the protocol.
pub(crate) type JoinError = (&'static str, &'static str);

/// Who has joined.
pub(crate) struct Joined {
    pub(crate) viewer: Viewer,
    pub(crate) players: Vec<SeatNews>,
}

/// Somebody's look at a table and its facts.
pub(crate) type Look = Box<dyn FnOnce(&Table, &TableFacts) + Send>;

/// What a table task is sent.
pub(crate) enum Mail {
    /// A player comes back, or somebody looks. Boxed, as all that is large.
    Join(Box<Join>),
    /// A connection is gone.
    Detach { conn: ConnId, by_server: bool },
    /// A connection has caught up and wants to know where things stand.
    Resync { conn: ConnId },
    /// A client's command.
    Do { command: Box<Command>, at: Instant },
    /// A player gets up for good; he may keep his connection.
    Leave { conn: ConnId },
    /// The player of this seat gets up for good.
    GetUp { seat: Seat },
    /// After the match: a player wants another with the same people, or not.
    Rematch { seat: Seat, agree: bool, reply: Option<oneshot::Sender<Agreed>> },
    /// A request by REST: the reply is the first message sent to its connection.
    Rest { command: Box<Command>, conn: ConnId, reply: oneshot::Sender<ServerMessage> },
    /// Somebody wants to look at the table itself.
    Look(Look),
    /// The server stops.
    Stop(oneshot::Sender<()>),
}

/// Somebody who wants to join.
pub(crate) struct Join {
    pub(crate) conn: ConnId,
    pub(crate) token: Option<String>,
    /// The account he shows, if he does.
    pub(crate) player: Option<PlayerId>,
    pub(crate) invite: Option<String>,
    pub(crate) spectate: bool,
    pub(crate) last_v: Option<u64>,
    pub(crate) out: Outbox,
    pub(crate) reply: oneshot::Sender<Result<Joined, JoinError>>,
}

/// How others reach a table.
#[derive(Clone)]
pub(crate) struct TableHandle {
    pub(crate) tx: bounded::Sender<Mail>,
    pub(crate) public: Arc<Public>,
}

/// What everybody may know of a table without asking it.
pub(crate) struct Public {
    pub(crate) game: &'static str,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    pub(crate) over: AtomicBool,
}

struct Listener {
    out: Outbox,
    viewer: Viewer,
    behind_since: Option<Instant>,
}

pub(crate) struct TableTask {
    id: TableId,
    table: Table,
    facts: TableFacts,
    public: Arc<Public>,
    hub: Arc<Hub>,
    rx: bounded::Receiver<Mail>,
    /// The store's word on what it was given last. One that is let go of belongs to what a failure has overtaken.
    word: Option<oneshot::Receiver<Result<u64, WriteError>>>,
    listeners: Conns<Listener>,
    replies: Conns<oneshot::Sender<ServerMessage>>,
    /// Entries the store has.
    seq: u64,
    waiting: Vec<Append>,
    /// Who wants to look at the table itself, when everything that happened is stored.
    looks: Vec<Look>,
    /// What the store is working on: the last record in it, and since when.
    at_work: Option<(u32, u32, u64, Instant)>,
    facts_changed: bool,
    /// The state that the store was last told.
    noted: Option<TableState>,
    stalled: bool,
    finished: bool,
    wake: Option<u64>,
    nobody_since: Option<Instant>,
    waiting_for_humans: bool,
    /// Until the first write is stored: who is to be told.
    opening: Option<Box<Opening>>,
    /// Whether what is under way to the store moves tokens or points.
    settling: bool,
    /// What was said last, for latecomers; and what will have been when the store has it.
    said: VecDeque<(String, String)>,
    saying: Vec<(String, String)>,
    /// What the gallery will be told, and when.
    late: VecDeque<(Instant, ConnId, Out)>,
    /// Seats that want a rematch.
    agreed: BTreeSet<Seat>,
}

impl TableTask {
    /// Starts the task of a table; `effects` is what opening or loading it asked for.
    pub(crate) fn spawn(
        hub: Arc<Hub>,
        id: TableId,
        table: Table,
        facts: TableFacts,
        seq: u64,
        effects: Vec<Effect>,
        opening: impl FnOnce(TableHandle) -> Option<Opening>,
    ) -> TableHandle {
        let (tx, rx) = bounded::channel(hub.config.mailbox_max);
        let header = table.play().header();
        let public = Arc::new(Public {
            game: table.play().entry().name,
            seats: header.seats,
            bots: facts.bots,
            over: AtomicBool::new(table.finished()),
        });
        let handle = TableHandle { tx, public: public.clone() };
        let mut task = Self {
            id,
            table,
            facts,
            public,
            hub,
            rx,
            word: None,
            listeners: Conns::default(),
            replies: Conns::default(),
            seq,
            waiting: Vec::new(),
            looks: Vec::new(),
            at_work: None,
            facts_changed: seq == 0,
            noted: None,
            stalled: false,
            finished: false,
            wake: None,
            nobody_since: Some(Instant::now()),
            waiting_for_humans: false,
            opening: opening(handle.clone()).map(Box::new),
            settling: false,
            said: VecDeque::new(),
            saying: Vec::new(),
            late: VecDeque::new(),
            agreed: BTreeSet::new(),
        };
        if !task.public.over.load(Ordering::Acquire) {
            task.hub.note_sitting(task.id.as_str(), task.public.game, &task.facts.players);
        }
        task.hub.metrics.tables.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(async move {
            task.carry_out(effects);
            task.run().await;
            task.hub.metrics.tables.fetch_sub(1, Ordering::Relaxed);
        });
        handle
    }

    async fn run(&mut self) {
        // One timer for the whole table: it is set anew only when it rings too early or would ring too late.
        let alarm = tokio::time::sleep_until(self.next_ring().into());
        tokio::pin!(alarm);
        loop {
            self.flush();
            self.show();
            if self.may_go() {
                return;
            }
            let wake = self.next_wake();
            if let Some(wake) = wake.filter(|wake| *wake < alarm.deadline().into_std()) {
                alarm.as_mut().reset(wake.into());
            }
            tokio::select! {
                biased;
                result = word_of(&mut self.word) => {
                    self.word = None;
                    self.stored(result);
                }
                mail = self.rx.recv() => {
                    let Some(mail) = mail else { return };
                    if self.take_mail(mail).is_break() {
                        return;
                    }
                }
                () = &mut alarm => {
                    if wake.is_some_and(|wake| Instant::now() >= wake) {
                        self.ticked();
                    }
                    alarm.as_mut().reset(self.next_ring().into());
                }
            }
        }
    }

    fn take_mail(&mut self, first: Mail) -> std::ops::ControlFlow<()> {
        let mut next = Some(first);
        for _ in 0..MAIL_PER_TURN_MAX {
            let Some(mail) = next else { break };
            if let Mail::Stop(done) = mail {
                self.stop(done);
                return std::ops::ControlFlow::Break(());
            }
            self.mail(mail);
            next = self.rx.try_recv();
        }
        std::ops::ControlFlow::Continue(())
    }

    fn mail(&mut self, mail: Mail) {
        match mail {
            Mail::Join(join) => {
                let Join { conn, token, player, invite, spectate, last_v, out, reply } = *join;
                let joined = self.admit(token.as_deref(), player.as_ref(), invite.as_deref(), spectate);
                match &joined {
                    Ok(joined) => {
                        let viewer = joined.viewer;
                        // The welcome must be in the outbox before the first message of the table.
                        let welcome = reply.send(Ok(Joined { viewer, players: joined.players.clone() }));
                        if welcome.is_ok() {
                            let latecomer = last_v.is_none().then(|| out.clone());
                            self.attach(conn, viewer, last_v, out);
                            self.tell_said(latecomer.as_ref());
                        }
                    }
                    Err(error) => {
                        let _ = reply.send(Err(*error));
                    }
                }
            }
            Mail::Detach { conn, by_server } => self.detach(conn, by_server),
            Mail::Resync { conn } => self.resync(conn),
            Mail::Leave { conn } => self.leave(conn),
            Mail::GetUp { seat } => self.get_up(seat),
            Mail::Rematch { seat, agree, reply } => self.rematch(seat, agree, reply),
            Mail::Do { command, at } => {
                self.hub.metrics.queue.add(at.elapsed().as_micros() as u64);
                self.tell(*command);
            }
            Mail::Rest { command, conn, reply } => {
                self.replies.insert(conn, reply);
                self.tell(*command);
            }
            Mail::Look(look) => self.looks.push(look),
            Mail::Stop(_) => {}
        }
    }

    fn admit(
        &self,
        token: Option<&str>,
        player: Option<&PlayerId>,
        invite: Option<&str>,
        spectate: bool,
    ) -> Result<Joined, JoinError> {
        let players = self.seat_news();
        if spectate {
            let invited = self.facts.invite.is_none() || self.facts.invite.as_deref() == invite;
            let refused = ("not_invited", "This game is private: it takes an invitation");
            return if invited { Ok(Joined { viewer: Viewer::Gallery, players }) } else { Err(refused) };
        }
        let by_account = player.and_then(|player| self.facts.seat_of_player(player));
        let session: Option<&Session> =
            by_account.or_else(|| token.and_then(|token| self.facts.seat_of(token)));
        match session {
            Some(session) => Ok(Joined { viewer: session.seat.into(), players }),
            None => Err(("game_started", "Game has already started")),
        }
    }

    fn attach(&mut self, conn: ConnId, viewer: Viewer, last_v: Option<u64>, out: Outbox) {
        self.listeners.insert(conn, Listener { out, viewer, behind_since: None });
        self.nobody_since = None;
        if self.waiting_for_humans && viewer != Viewer::Gallery {
            self.waiting_for_humans = false;
            self.tell(Command::Resume);
        }
        self.tell(Command::Connect { conn, viewer, last_v });
    }

    fn detach(&mut self, conn: ConnId, by_server: bool) {
        if let Some(opening) = &mut self.opening
            && let Some(member) = opening.room.plan.members.iter_mut().find(|m| m.conn == Some(conn))
        {
            // He went before he was told that it begins: he sits there, and is not here.
            (member.conn, member.out) = (None, None);
        }
        if self.listeners.remove(conn).is_none() {
            return;
        }
        self.tell(Command::Disconnect { conn, by_server });
        self.note_absence(by_server);
    }

    /// When the last human is gone the table stands still, and is given up after a grace.
    fn note_absence(&mut self, by_server: bool) {
        let humans = self.listeners.values().any(|listener| listener.viewer != Viewer::Gallery);
        if self.listeners.is_empty() {
            self.nobody_since = Some(Instant::now());
        }
        if !humans && !by_server && !self.finished && !self.waiting_for_humans {
            self.waiting_for_humans = true;
            self.nobody_since.get_or_insert_with(Instant::now);
            self.tell(Command::Pause { why: "waiting for a player to come back".to_owned() });
        }
    }

    fn leave(&mut self, conn: ConnId) {
        let seat = self.listeners.get(conn).and_then(|listener| listener.viewer.seat());
        let Some(seat) = seat.filter(|_| !self.finished) else { return self.detach(conn, false) };
        // First out, then up: whoever leaves keeps his connection, and may go elsewhere with it.
        self.listeners.remove(conn);
        self.tell(Command::Disconnect { conn, by_server: true });
        self.get_up(seat);
    }

    fn get_up(&mut self, seat: Seat) {
        let gone: Vec<Option<String>> =
            self.facts.sessions.extract_if(.., |session| session.seat == seat).map(|s| s.player).collect();
        self.hub.note_left(self.id.as_str(), &gone);
        self.facts_changed = true;
        self.tell(Command::Leave { seat });
        self.note_absence(false);
    }

    fn resync(&mut self, conn: ConnId) {
        let Some(listener) = self.listeners.get_mut(conn) else { return };
        listener.out.caught_up();
        listener.behind_since = None;
        let viewer = listener.viewer;
        // The same connection again, from the start: it gets one snapshot instead of all that it missed.
        self.tell(Command::Refresh { conn, viewer });
    }

    // ---- the table and its effects ----

    fn tell(&mut self, command: Command) {
        let began = Instant::now();
        let effects = self.table.handle(self.hub.at(began), command);
        self.hub.metrics.apply.add(began.elapsed().as_micros() as u64);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        let sends = effects.iter().any(|effect| matches!(effect, Effect::Send { .. }));
        let wall_at_zero = if sends { self.wall_at_zero() } else { 0 };
        for effect in effects {
            match effect {
                Effect::Append(append) => self.waiting.push(append),
                Effect::Send { conn, message } => self.send(conn, message, wall_at_zero),
                Effect::Close { conn, code, reason } => {
                    if let Some(listener) = self.listeners.remove(conn) {
                        listener.out.put(Out::Close(code, reason));
                    }
                }
                Effect::Wake { at } => self.wake = Some(at),
                Effect::Finished => self.finish(),
            }
        }
        if sends {
            // Only now: what one input has caused goes out in one write.
            self.listeners.values().for_each(|listener| listener.out.ring());
        }
    }

    /// The wall clock, in milliseconds since 1970, at match time 0.
    fn wall_at_zero(&self) -> i64 {
        self.hub.wall_ms() as i64 - self.table.match_now(self.hub.now()) as i64
    }

    fn send(&mut self, conn: ConnId, message: Arc<Letter>, wall_at_zero: i64) {
        if message.version().is_none()
            && let ServerMessage::Refused { code, .. } = &**message
        {
            self.hub.metrics.refused(code);
        }
        if !self.replies.is_empty()
            && let Some(reply) = self.replies.remove(conn)
        {
            let _ = reply.send(ServerMessage::clone(&message));
            return;
        }
        let Some(listener) = self.listeners.get(conn) else { return };
        let out = Out::Message { message, wall_at_zero };
        if self.facts.spectator_delay_ms > 0 && listener.viewer == Viewer::Gallery {
            return self.hold_back(conn, out);
        }
        self.deliver(conn, out);
    }

    fn deliver(&mut self, conn: ConnId, out: Out) {
        let Some(listener) = self.listeners.get_mut(conn) else { return };
        match listener.out.put_numbered(out) {
            Put::Taken(waiting) => self.hub.metrics.outbox.add(waiting as u64),
            Put::Dropped => {
                let since = *listener.behind_since.get_or_insert_with(Instant::now);
                if since.elapsed() > BEHIND_MAX {
                    self.cut(conn);
                }
            }
            Put::Gone => {}
        }
    }

    /// A client that does not read is let go; its seat stays its own.
    fn cut(&mut self, conn: ConnId) {
        self.hub.metrics.slow_clients.fetch_add(1, Ordering::Relaxed);
        self.listeners.remove(conn);
        let effects = self.table.handle(self.hub.now(), Command::Disconnect { conn, by_server: true });
        self.carry_out(effects);
    }

    fn finish(&mut self) {
        self.hub.note_gone(self.id.as_str(), &self.facts.players);
        self.finished = true;
        self.public.over.store(true, Ordering::Release);
    }

    fn ticked(&mut self) {
        self.wake = None;
        self.tell_late();
        if self.stalled {
            self.probe();
        } else {
            self.tell(Command::Tick);
        }
        let grace = Duration::from_millis(self.hub.config.last_human_grace_ms);
        let given_up = self.waiting_for_humans && !self.stalled;
        if given_up && self.nobody_since.is_some_and(|since| since.elapsed() >= grace) {
            self.waiting_for_humans = false;
            self.tell(Command::Kill { why: "abandoned".to_owned() });
        }
    }

    /// When the timer is to ring: not for long where nothing is due.
    fn next_ring(&self) -> Instant {
        self.next_wake().unwrap_or_else(|| Instant::now() + RING_EVERY_MAX)
    }

    /// When time alone brings something about; none where all that can happen is that somebody speaks.
    fn next_wake(&self) -> Option<Instant> {
        let due = self.wake.is_some() || self.stalled || self.waiting_for_humans || !self.late.is_empty();
        if !due && !self.listeners.is_empty() {
            return None;
        }
        let now = Instant::now();
        let mut next = now + Duration::from_millis(self.hub.config.idle_ms.clamp(50, 60_000));
        if let Some(at) = self.wake {
            next = next.min(now + Duration::from_millis(at.saturating_sub(self.hub.now())));
        }
        if self.stalled {
            next = next.min(now + PROBE_EVERY);
        }
        if let Some((at, ..)) = self.late.front() {
            next = next.min(*at);
        }
        if let (true, Some(since)) = (self.waiting_for_humans, self.nobody_since) {
            next = next.min(since + Duration::from_millis(self.hub.config.last_human_grace_ms));
        }
        Some(next)
    }

    /// A table that nobody looks at, that waits for no clock and has nothing to store leaves memory.
    fn may_go(&self) -> bool {
        let quiet = self.listeners.is_empty()
            && self.waiting.is_empty()
            && self.at_work.is_none()
            && self.rx.is_empty();
        let idle = Duration::from_millis(self.hub.config.idle_ms);
        let due = self.wake.is_some() || self.waiting_for_humans || self.stalled;
        quiet && !due && self.nobody_since.is_some_and(|since| since.elapsed() >= idle)
    }

    // ---- the store ----

    /// Hands everything that waits to the store, as one write, unless it is still at work on the last.
    fn flush(&mut self) {
        let idle = self.at_work.is_none() && !self.stalled;
        if !idle || (self.waiting.is_empty() && !self.facts_changed) {
            return;
        }
        let appends = std::mem::take(&mut self.waiting);
        let (match_no, record) = appends.last().map_or_else(
            || (self.table.play().header().match_no, 0),
            |last| (last.match_no, last.record.as_ref().map_or(0, |record| record.seq)),
        );
        let mut entries = Vec::with_capacity(appends.len());
        let (mut transfers, mut played) = (Vec::new(), Vec::new());
        for append in appends {
            self.note_said(&append);
            if !append.postings.is_empty() {
                transfers.extend(money::transfers(&self.facts, &self.id, &append.postings));
            }
            if let Some(outcome) = &append.ends {
                let entry = self.table.play().entry();
                played.extend(money::played(&self.facts, entry, append.match_no, outcome));
            }
            entries.extend(append.opens.map(StoreEntry::Open));
            entries
                .extend(append.record.map(|record| StoreEntry::Record { match_no: append.match_no, record }));
        }
        self.hub.metrics.batch.add(entries.len() as u64);
        let added = entries.len() as u64;
        let mut write = StoreAppend::new(self.id.clone(), self.hub.epoch, self.seq, entries);
        write.at_ms = self.hub.wall_ms();
        self.settling = !transfers.is_empty() || !played.is_empty();
        (write.transfers, write.played) = (transfers, played);
        let state = Some(self.state());
        write.state = state.filter(|_| state != std::mem::replace(&mut self.noted, state));
        write.facts = std::mem::take(&mut self.facts_changed).then(|| Facts(self.facts.json()));
        self.at_work = Some((match_no, record, added, Instant::now()));
        self.hand_in(Write::Append(write));
    }

    fn state(&self) -> TableState {
        let over = self.table.finished();
        if over {
            TableState::Finished
        } else if self.table.play().paused().is_some() && !self.waiting_for_humans {
            TableState::Paused
        } else {
            TableState::Running
        }
    }

    fn hand_in(&mut self, write: Write) {
        let (tx, word) = oneshot::channel();
        self.word = Some(word);
        self.hub.store.submit(
            write,
            Box::new(move |result| {
                // The table may be gone: then nobody waits for the word.
                let _ = tx.send(result);
            }),
        );
    }

    fn stored(&mut self, result: Result<u64, WriteError>) {
        match result {
            Ok(_) if self.stalled => self.store_back(),
            Ok(_) => {
                let Some((match_no, seq, added, since)) = self.at_work.take() else { return };
                self.hub.metrics.commit.add(since.elapsed().as_micros() as u64);
                self.seq += added;
                let settled = std::mem::take(&mut self.settling);
                self.was_said();
                if let Some(opening) = self.opening.take() {
                    self.opened(*opening);
                } else if settled {
                    self.tell_accounts();
                }
                self.tell(Command::Appended { match_no, seq });
            }
            Err(_) if self.stalled => {}
            Err(error) => self.store_failed(&error),
        }
    }

    /// Lets people look, once nothing is under way to the store: what is not stored is nobody's to see.
    fn show(&mut self) {
        if self.at_work.is_none() && self.waiting.is_empty() {
            for look in std::mem::take(&mut self.looks) {
                look(&self.table, &self.facts);
            }
        }
    }

    fn store_failed(&mut self, error: &WriteError) {
        if let Some(opening) = self.opening.take() {
            self.word = None;
            return self.not_opened(*opening, error);
        }
        tracing::warn!(table = %self.id, seq = self.seq, %error, "the store did not take a write");
        self.word = None;
        self.at_work = None;
        self.waiting.clear();
        self.saying.clear();
        self.facts_changed = true;
        self.noted = None;
        // A table that was given up, and could not say so, is given up again.
        self.waiting_for_humans |= !self.finished && self.listeners.is_empty() && self.nobody_since.is_some();
        let lost = matches!(error, WriteError::Conflict { .. });
        self.stalled = !lost;
        self.tell(Command::AppendFailed);
        if !error.passes() && !lost {
            // The store is well and has refused this: somebody could not pay. What he did has not happened.
            self.stalled = false;
            return self.tell(Command::StoreBack);
        }
        self.notice("read_only", "the server cannot store anything now; clocks are stopped");
        if lost {
            // Somebody else owns the table now: whoever looks must look there.
            for (_, listener) in std::mem::take(&mut self.listeners) {
                listener.out.put(Out::Close(1012, "moved"));
            }
            self.rx.close();
        }
    }

    /// Says nothing, durably: when that works, the table goes on.
    fn probe(&mut self) {
        if self.word.is_none() {
            self.hand_in(Write::Probe);
        }
    }

    fn store_back(&mut self) {
        tracing::info!(table = %self.id, "the store takes writes again");
        self.stalled = false;
        self.tell(Command::StoreBack);
        self.notice("writable", "the server stores again; clocks run");
    }

    /// Tells everybody who looks something that is no part of the match.
    fn notice(&self, code: &str, message: &str) {
        for listener in self.listeners.values() {
            listener.out.put(Out::news(LobbyNews::notice(code, message)));
        }
    }

    /// The server stops: clients are told, clocks stand still with the process, and what was accepted is stored.
    fn stop(&mut self, done: oneshot::Sender<()>) {
        self.flush();
        for (_, listener) in std::mem::take(&mut self.listeners) {
            listener.out.put(Out::Close(1012, "server_restarting"));
        }
        self.rx.close();
        let _ = done.send(());
    }
}

/// The store's word; waits for ever where nothing was handed in.
async fn word_of(word: &mut Option<oneshot::Receiver<Result<u64, WriteError>>>) -> Result<u64, WriteError> {
    match word {
        // A writer that dies says nothing, and has stored nothing that it could stand by.
        Some(word) => word.await.unwrap_or(Err(WriteError::Closed)),
        None => std::future::pending().await,
    }
}

/// What REST shows of a table.
pub(crate) fn describe(table: &Table) -> Json {
    let play: &Match = table.play();
    serde_json::json!({
        "game": play.entry().name,
        "match": play.header().match_no,
        "seats": table.seat_infos(),
        "paused": play.paused(),
        "over": play.outcome().is_some(),
    })
}

/// An answer by REST.
pub(crate) fn submit_as(seat: Seat, conn: ConnId, submit: Submit) -> Command {
    Command::SubmitAs { seat, conn, submit }
}
