//! The table task. One task owns one table: it takes mail in order, submits records to the store, and sends messages
//! when the store has committed them.

mod bot_programs;
mod bot_threads;
mod joining;
mod kept_facts;
mod listener;
mod mail;
mod money;
mod people;
mod presence;
mod scores;
mod sitting;
mod spectator_delay;
mod store_queue;
mod watchers;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parlor_core::{Code, Seat, StopReason, Viewer};
use parlor_host::{Command, ConnId, Conns, Effect, Table};
use parlor_store::TableId;
use parlor_wire::{CloseReason, EncodedMessage, LobbyNews, ServerMessage};
use tokio::sync::oneshot;

use crate::house::hub::Hub;
use crate::house::names;
use crate::house::sessions::TableFacts;
use crate::net::bounded_queue;
use crate::net::outbox::Out;
use kept_facts::KeptFacts;
use listener::{Delivered, Listener};
pub(crate) use mail::{Join, JoinError, Joined, KeepSeat, Look, Mail, Public, TableHandle, describe};
use money::TableMoney;
pub(crate) use people::{Agreed, Opening};
pub(crate) use presence::AFTER_RESTART_MS;
use presence::{Graces, Missing, Presence};
use scores::ShownScores;
use sitting::{KeptSeat, Sitting};
pub(crate) use sitting::{SEAT_KEPT, SeatOffer, SitDown};
use spectator_delay::SpectatorDelay;
use store_queue::StoreQueue;
use watchers::Watchers;

/// The most mail handled before records are submitted: what comes together is stored together.
const MAIL_PER_TURN_MAX: usize = 64;
/// How many times the time after which an idle table leaves memory it may stay there to be given up.
const IDLE_TIMES_MAX: u64 = 10;
/// How long a table stays in memory that is over and that nobody looks at any more, in milliseconds: whoever asks for it
/// later finds it in the store.
const OVER_KEPT_MS: u64 = 2_000;
/// The longest sleep of the timer of a table for which nothing is due.
const RING_EVERY_MAX: Duration = Duration::from_secs(60);

pub(crate) struct TableTask {
    id: TableId,
    table: Table,
    /// Boxed: they are rarely looked at, and a task is one piece of memory.
    facts: Box<TableFacts>,
    public: Arc<Public>,
    hub: Arc<Hub>,
    rx: bounded_queue::Receiver<Mail>,
    listeners: Conns<Listener>,
    /// REST requests that wait for a reply.
    replies: Conns<oneshot::Sender<ServerMessage>>,
    /// Requests to read the table, run when everything that happened is stored.
    looks: Vec<Look>,
    store_queue: StoreQueue,
    presence: Presence,
    /// When the table wants its next tick, in the driver's milliseconds.
    wake: Option<u64>,
    finished: bool,
    /// Until the first write is stored: the room and whom to notify.
    opening: Option<Box<Opening>>,
    /// Whether the match is to be paused when the last player's loss is noted.
    owes_pause: bool,
    spectator_delay: SpectatorDelay,
    /// Seats that agreed to a rematch.
    agreed: BTreeSet<Seat>,
    /// The facts as the store has them, where they differ.
    kept_facts: KeptFacts,
    /// What is set aside for inputs.
    money: TableMoney,
    /// Players who are about to have a seat.
    sitting: Conns<Sitting>,
    /// Seats kept for players who choose what to bring.
    kept_seats: Vec<KeptSeat>,
    watchers: Watchers,
}

impl TableTask {
    /// Starts a table's task; `effects` are those of opening or loading it.
    pub(crate) fn spawn(
        hub: Arc<Hub>,
        id: TableId,
        table: Table,
        facts: TableFacts,
        seq: u64,
        effects: Vec<Effect>,
        opening: impl FnOnce(TableHandle) -> Option<Opening>,
    ) -> TableHandle {
        let (tx, rx) = bounded_queue::channel(hub.config.mailbox_max);
        let now = hub.now();
        let header = table.current_match().header();
        let public = Arc::new(Public {
            game: table.current_match().def().name,
            seats: header.seats,
            bots: facts.bots,
            private: facts.invite.is_some(),
            over: AtomicBool::new(table.finished()),
            scores: ShownScores::default(),
        });
        let handle = TableHandle { tx, public: public.clone() };
        let mut task = Self {
            id,
            table,
            facts: Box::new(facts),
            public,
            hub,
            rx,
            listeners: Conns::default(),
            replies: Conns::default(),
            looks: Vec::new(),
            store_queue: StoreQueue::new(seq),
            presence: Presence::nobody(now, if seq == 0 { Missing::NotCome } else { Missing::Restored }),
            wake: None,
            finished: false,
            opening: opening(handle.clone()).map(Box::new),
            owes_pause: false,
            spectator_delay: SpectatorDelay::default(),
            agreed: BTreeSet::new(),
            kept_facts: KeptFacts::default(),
            money: TableMoney::default(),
            sitting: Conns::default(),
            kept_seats: Vec::new(),
            watchers: Watchers::default(),
        };
        if !task.public.over.load(Ordering::Acquire) {
            task.hub.note_sitting(task.id.as_str(), task.public.game, &task.facts.players);
        }
        task.hub.metrics.tables.fetch_add(1, Ordering::Relaxed);
        let hub = task.hub.clone();
        let published = hub.games.is_published(task.table.current_match().def());
        let running = async move {
            task.carry_out(effects);
            if task.opening.is_none() {
                task.start_programs();
            }
            task.run().await;
            let (hub, id) = (task.hub.clone(), task.id.clone());
            drop(task);
            hub.forget_table(id.as_str());
            hub.metrics.tables.fetch_sub(1, Ordering::Relaxed);
        };
        if published {
            hub.publishing.tables.spawn(running);
        } else {
            tokio::spawn(running);
        }
        handle
    }

    async fn run(&mut self) {
        // One timer for the whole table: it is reset only when it fires too early or would fire too late.
        let alarm = tokio::time::sleep_until(self.next_ring().into());
        tokio::pin!(alarm);
        loop {
            self.flush();
            self.show();
            // Mail comes before the timer: a busy table would let its spectators wait.
            self.tell_late();
            if self.may_go() {
                return;
            }
            let wake = self.next_wake();
            if let Some(wake) = wake.filter(|wake| *wake < alarm.deadline().into_std()) {
                alarm.as_mut().reset(wake.into());
            }
            tokio::select! {
                biased;
                result = self.store_queue.ack() => self.stored(result),
                mail = self.rx.recv() => {
                    let Some(mail) = mail else { return };
                    if let Some(done) = self.take_mail(mail) {
                        // Boxed: it happens once, and would take memory in every table.
                        Box::pin(self.write_the_rest()).await;
                        let _ = done.send(());
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

    /// Handles what has come. Returns whom to tell when the table has stopped, if it is to stop.
    fn take_mail(&mut self, first: Mail) -> Option<oneshot::Sender<()>> {
        let mut next = Some(first);
        for _ in 0..MAIL_PER_TURN_MAX {
            let Some(mail) = next else { break };
            if let Mail::Stop(done) = mail {
                self.stop();
                return Some(done);
            }
            self.handle_mail(mail);
            next = self.rx.try_recv();
        }
        None
    }

    fn handle_mail(&mut self, mail: Mail) {
        match mail {
            Mail::Join(join) => self.join(*join),
            Mail::Detach { conn, by_server } => self.detach(conn, by_server),
            Mail::Resync { conn } => self.resync(conn),
            Mail::Leave { conn } => self.leave(conn),
            Mail::GetUp { seat } => self.get_up(seat),
            Mail::Rematch { seat, agree, reply } => self.rematch(seat, agree, reply),
            Mail::Do { command, at } => {
                self.hub.metrics.queue.add(at.elapsed().as_micros() as u64);
                self.handle(*command);
            }
            Mail::Rest { command, conn, reply } => {
                self.presence.heard_of(self.hub.now());
                self.replies.insert(conn, reply);
                self.handle(*command);
            }
            Mail::Look(look) => self.looks.push(look),
            Mail::Sit(wish) => self.sit_down(*wish),
            Mail::KeepSeat(wish) => {
                let _ = wish.reply.send(self.keep_seat(wish.seat, &wish.token, wish.player.as_ref()));
            }
            Mail::Reserved(done) => self.reserved(done.id, done.held, done.result),
            Mail::Watch { viewer, v, reply } => self.watchers.add(viewer, v, reply),
            Mail::ForgetTokens { player } => self.change_facts(|facts| {
                for session in &mut facts.sessions {
                    if session.player.as_deref() == Some(player.as_str()) {
                        session.token = None;
                    }
                }
            }),
            Mail::HeardOf => self.presence.heard_of(self.hub.now()),
            Mail::GiveUp => {
                if !self.finished && self.presence.has_no_player() {
                    self.give_up();
                }
            }
            Mail::Stop(_) => {}
        }
    }

    // ---- the table and its effects ----

    fn handle(&mut self, command: Command) {
        let command = match command {
            Command::Chat { conn, name, text } => {
                Command::Chat { conn, name: self.speaker(conn, name), text }
            }
            other => other,
        };
        let began = Instant::now();
        let effects = self.table.handle(self.hub.at(began), command);
        self.hub.metrics.apply.add(began.elapsed().as_micros() as u64);
        self.carry_out(effects);
    }

    /// The name under which somebody speaks here: a spectator never under that of a player.
    fn speaker(&self, conn: ConnId, name: String) -> String {
        let seated = self.listeners.get(conn).is_some_and(|listener| listener.viewer.seat().is_some());
        let look = names::look(&name);
        let taken = || self.table.seat_infos().iter().any(|seat| names::look(&seat.name) == look);
        if !seated && (look.is_empty() || names::is_reserved(&name) || taken()) {
            return format!("Spectator {}", conn.0);
        }
        name
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        let sends = effects.iter().any(|effect| matches!(effect, Effect::Send { .. }));
        let wall_at_zero = if sends { self.wall_at_zero() } else { 0 };
        for effect in effects {
            match effect {
                Effect::Append(append) => self.queue(append),
                Effect::Send { conn, message } => self.send(conn, message, wall_at_zero),
                Effect::Close { conn, reason } => {
                    if let Some(listener) = self.listeners.remove(conn) {
                        listener.out.put(Out::Close(reason));
                        self.note_absence(true);
                    }
                }
                Effect::Wake { at } => self.wake = Some(at),
                Effect::Said { seat: _, name, text } => self.tell_chat(name, text),
                Effect::Warn { seat, what } => {
                    tracing::warn!(table = %self.id, seat = seat.index(), "{what}")
                }
                Effect::Reserve { id, conn, seat, amount } => self.reserve(id, conn, seat, amount),
                Effect::Release { id } => self.release(id),
                Effect::Sat { conn, seat, result } => self.sat(conn, seat, result),
                Effect::WantsSeat { conn, seat, stake } => self.wants_seat(conn, seat, stake),
                Effect::Left { seat } => self.seat_left(seat),
                Effect::Vacated { seat } => self.seat_vacated(seat),
                Effect::Expelled { seat, why } => self.expelled(seat, &why),
                Effect::Think { seat, input } => self.think(seat, input),
                Effect::Finished => self.finish(),
            }
        }
        if sends {
            // Only now, so that the messages of one input go out in one write.
            self.listeners.values().for_each(|listener| listener.out.ring());
        }
    }

    /// The wall clock, in milliseconds since 1970, at match time 0.
    fn wall_at_zero(&self) -> i64 {
        self.hub.wall_ms() as i64 - self.table.match_now(self.hub.now()) as i64
    }

    fn send(&mut self, conn: ConnId, message: Arc<EncodedMessage>, wall_at_zero: i64) {
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
        match listener.deliver(out) {
            Delivered::Taken(waiting) => self.hub.metrics.outbox.add(waiting as u64),
            Delivered::Missed => {}
            Delivered::TooSlow => self.cut(conn),
        }
    }

    /// Cuts off a client that does not read; its player keeps the seat.
    fn cut(&mut self, conn: ConnId) {
        self.hub.metrics.slow_clients.fetch_add(1, Ordering::Relaxed);
        self.listeners.remove(conn);
        let effects = self.table.handle(self.hub.now(), Command::Disconnect { conn, by_server: true });
        self.carry_out(effects);
        self.note_absence(true);
    }

    fn finish(&mut self) {
        self.hub.note_gone(self.id.as_str(), &self.facts.players);
        self.finished = true;
        self.public.over.store(true, Ordering::Release);
    }

    fn ticked(&mut self) {
        self.wake = None;
        self.tell_late();
        if self.store_queue.stalled() {
            self.probe();
        } else {
            self.handle(Command::Tick);
            self.pause_if_owed();
        }
        let waited = !self.finished && !self.store_queue.stalled() && !self.is_held();
        if waited && self.presence.gives_up(self.hub.now(), self.graces()) {
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        self.handle(Command::Kill { why: StopReason::Abandoned });
    }

    /// Whether the table is paused for another reason than that its players are gone: by its owner, or because its rules
    /// broke. Then it stays as it is.
    fn is_held(&self) -> bool {
        self.table.current_match().paused().is_some() && !self.presence.waits()
    }

    /// Whether the table is better given up here than looked for in the store: only here is it known when a player
    /// without a socket last asked for something.
    fn gives_up_soon(&self) -> bool {
        let soon = self.hub.config.idle_ms.saturating_mul(IDLE_TIMES_MAX);
        let at = self.presence.given_up_at(self.graces()).filter(|_| !self.is_held());
        at.is_some_and(|at| at.saturating_sub(self.hub.now()) <= soon)
    }

    fn graces(&self) -> Graces {
        let usual = self.hub.config.last_human_grace_ms;
        Graces { own: self.table.settings().last_human_grace_ms.unwrap_or(usual), usual }
    }

    /// Changes what is stored beside the log.
    fn change_facts(&mut self, change: impl FnOnce(&mut TableFacts)) {
        self.kept_facts.changing(&self.facts);
        change(&mut self.facts);
        self.store_queue.facts_changed();
    }

    /// When the timer fires next; far in the future if nothing is due.
    fn next_ring(&self) -> Instant {
        self.next_wake().unwrap_or_else(|| Instant::now() + RING_EVERY_MAX)
    }

    /// When something is due; `None` if only mail can change the table.
    fn next_wake(&self) -> Option<Instant> {
        let (probe_at, spectator_delay) = (self.store_queue.probe_at(), self.spectator_delay.next());
        let given_up = self.presence.given_up_at(self.graces());
        // While the store fails nobody is given up: that could not be stored.
        let given_up = given_up.filter(|_| !self.finished && !self.is_held() && probe_at.is_none());
        let wake = self.wake.filter(|_| !self.finished || self.has_viewers());
        let due = wake.is_some() || probe_at.is_some() || given_up.is_some() || spectator_delay.is_some();
        if !due && self.has_viewers() {
            return None;
        }
        let now = Instant::now();
        let mut next = now + Duration::from_millis(self.kept_ms().clamp(50, 60_000));
        for at in [wake, given_up].into_iter().flatten() {
            next = next.min(now + Duration::from_millis(at.saturating_sub(self.hub.now())));
        }
        for at in [probe_at, spectator_delay].into_iter().flatten() {
            next = next.min(at);
        }
        Some(next)
    }

    /// Whether anybody looks: people, not programs.
    fn has_viewers(&self) -> bool {
        self.listeners.values().any(|listener| !listener.is_program())
    }

    /// Whether the table can leave memory: it has no viewers, no clock and no pending write.
    fn may_go(&self) -> bool {
        let paying = !self.money.is_idle() || !self.sitting.is_empty();
        let quiet = !self.has_viewers() && self.store_queue.is_idle() && self.rx.is_empty() && !paying;
        // A table that is over waits for nobody, also where its last player was waited for until it was.
        let waits = self.wake.is_some() || self.presence.waits() || self.gives_up_soon();
        let due = self.store_queue.stalled() || (!self.finished && waits);
        quiet && !due && self.presence.nobody_for(self.hub.now(), self.kept_ms())
    }

    /// How long the table stays in memory while nobody looks at it, in milliseconds. One that is over waits no longer for
    /// anybody, unless some of its players agree to a rematch.
    fn kept_ms(&self) -> u64 {
        let idle_ms = self.hub.config.idle_ms;
        let waits = !self.finished || !self.agreed.is_empty();
        if waits { idle_ms } else { idle_ms.min(OVER_KEPT_MS) }
    }

    /// Sends every viewer a notice that is not part of the match.
    fn notice(&self, code: impl Into<Code>, message: &str) {
        let news = LobbyNews::notice(code, message);
        for listener in self.listeners.values() {
            listener.out.put(Out::news(news.clone()));
        }
    }

    /// Stops with the server: connections are closed, clocks stop with the process, accepted inputs are stored.
    fn stop(&mut self) {
        for (_, listener) in std::mem::take(&mut self.listeners) {
            listener.out.put(Out::Close(CloseReason::ServerRestarting));
        }
        self.rx.close();
    }

    /// Stores what was accepted while another write was pending.
    async fn write_the_rest(&mut self) {
        self.flush();
        while self.store_queue.is_at_work() {
            let result = self.store_queue.ack().await;
            self.stored(result);
            self.flush();
        }
    }
}
