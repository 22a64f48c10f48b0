//! The table: applies commands to the current match and collects the effects. It never waits, and never reads a
//! clock.

mod delivery;
mod fork;
mod linking;
mod messages;
mod reservations;
mod retry_keys;
mod seats;
mod submit;
mod time;

use std::collections::VecDeque;
use std::sync::Arc;

use parlor_core::play::{BotTask, MatchLog};
use parlor_core::record::JsonText;
use parlor_core::{
    AnswerTarget, Applied, Body, By, HouseCode, Json, Match, PauseReason, Record, Refusal, Repair, Seat,
    Seats, Seed, Viewer, Visit,
};
use parlor_wire::{EncodedMessage, SeatClock, ServerMessage};

use crate::chairs::{Chair, Note, Occupant, TableSettings};
use crate::clocks::{Banks, Clocks};
use crate::command::{Command, Effect, RecordWrite};
use crate::conns::{Conn, Conns};
use crate::stream::Stream;
use delivery::AwaitingStore;
pub use linking::NewTable;
use reservations::Reservations;
use retry_keys::RetryKeys;
use seats::Away;
use submit::{not_seated, refused};
use time::MatchTime;

/// How many clocks and bots may act in response to one command; the rest wait for the next tick.
pub const STEPS_PER_COMMAND_MAX: usize = 64;

/// What the house does about a record beside storing it.
struct FollowUp {
    /// Who sent what no honest client can have sent.
    blamed: Vec<(Seat, &'static str)>,
    /// Whom the rules have sent away.
    dismissed: Seats,
}

/// A table with its current match.
pub struct Table {
    root: Seed,
    settings: TableSettings,
    current: Match,
    /// The previous match, until its successor is stored.
    before: Option<Box<MatchLog>>,
    chairs: Vec<Chair>,
    away: Vec<Option<Away>>,
    streams: Vec<Stream>,
    released: Vec<u64>,
    conns: Conns<Conn>,
    clocks: Clocks,
    keys: RetryKeys,
    /// The settings of the rules from the next match on, if the owner changed them.
    next_settings: Option<JsonText>,
    /// The clocks that every viewer was last told.
    told_clocks: Vec<SeatClock>,
    /// Free seats at which something is left of the player who had them: nobody sits down there yet.
    vacating: Seats,
    /// The inputs that wait until what they cost is set aside.
    reservations: Reservations,
    /// Whether a link waits: two records belong together, such as a visit and who sits there after it.
    no_link: bool,
    /// The requests that a bot on another thread decides.
    thinking: Vec<(Seat, u32)>,
    pending: VecDeque<AwaitingStore>,
    stored: (u32, u32),
    time: MatchTime,
    stalled: bool,
    finished: bool,
    out: Vec<Effect>,
}

impl Table {
    /// Handles one command and returns what the driver must do.
    pub fn handle(&mut self, now: u64, command: Command) -> Vec<Effect> {
        if !matches!(command, Command::Appended { .. } | Command::AppendFailed) {
            self.run_due(now);
        }
        match command {
            Command::Connect { conn, viewer, last_v } => self.connect(now, conn, viewer, last_v),
            Command::Refresh { conn, viewer } => self.send_current_state(now, conn, viewer, None),
            Command::Disconnect { conn, by_server } => self.disconnect(now, conn, by_server),
            Command::Submit(conn, submit) => match self.seat_of(conn) {
                Some(seat) => self.submit(now, conn, seat, submit),
                None => self.reply(conn, refused(submit.key, &not_seated(), 0)),
            },
            Command::SubmitAs { seat, conn, submit } => self.submit(now, conn, seat, submit),
            Command::Dialect { seat: Some(seat), conn, words, .. } => {
                // A single request without a connection refers to the requests that are open now.
                self.words(now, conn, seat, &words, AnswerTarget::Head(self.current.head(seat.into())));
            }
            Command::Dialect { seat: None, conn, name, words } => match self.seat_of(conn) {
                Some(seat) => self.words(now, conn, seat, &words, AnswerTarget::Latest),
                None => self.guest_words(conn, &name, &words),
            },
            Command::Undo { conn, to, key } => match self.seat_of(conn) {
                Some(seat) => self.undo(now, conn, seat, to, key),
                None => self.reply(conn, refused(key, &not_seated(), 0)),
            },
            Command::UndoAs { seat, conn, to, key } => self.undo(now, conn, seat, to, key),
            Command::Chat { conn, name, text } => self.chat(conn, name, text),
            Command::Leave { seat } => self.leave(now, seat),
            Command::Sit { conn, seat, who, stake } => self.sit(now, conn, seat, who, stake),
            Command::LeaveAfter { seat, leaving } => self.leave_after(now, seat, leaving),
            Command::ChangeSettings { conn, settings } => self.change_settings(now, conn, &settings),
            Command::Reserved { id } => self.reserved(now, id),
            Command::NotReserved { id, why } => self.not_reserved(id, &why),
            Command::Decided { seat, input, answer } => self.decided(now, seat, input, answer),
            Command::ProgramFailed { seat } => self.program_failed(now, seat),
            Command::Pause { why } => self.record_by_house(now, Body::Pause { why }),
            Command::Resume => self.record_by_house(now, Body::Resume),
            Command::Kill { why } => self.record_by_house(now, Body::Kill { why }),
            Command::Expire => self.expire(now),
            Command::Repair { how, why } => self.repair(now, how, why),
            Command::Tick => {}
            Command::Appended { match_no, seq } => self.appended(now, match_no, seq),
            Command::AppendFailed => self.append_failed(now),
            Command::StoreBack => {
                self.stalled = false;
                self.time.go(now, self.stands_still());
                self.link(now);
            }
        }
        self.take_effects(now)
    }

    fn take_effects(&mut self, now: u64) -> Vec<Effect> {
        let more = self.run_due(now);
        let wake = if more { Some(now) } else { self.next_wake(now) };
        if let Some(at) = wake {
            self.out.push(Effect::Wake { at });
        }
        std::mem::take(&mut self.out)
    }

    // ---- one record ----

    fn record(&mut self, now: u64, by: By, key: Option<String>, body: Body) -> Result<(), Refusal> {
        self.record_paid(now, by, key, body, None)
    }

    /// The same for an input that a reservation pays for.
    fn record_paid(
        &mut self,
        now: u64,
        by: By,
        key: Option<String>,
        body: Body,
        funds: Option<(Seat, u64)>,
    ) -> Result<(), Refusal> {
        if self.finished && matches!(body, Body::Note { .. } | Body::Visit { .. }) {
            // Nothing follows the last match of a table: its log is the one that was published.
            return Err(Refusal::of(HouseCode::Ended, "This game is over"));
        }
        let at = self.time.at(now).max(self.last_at());
        let follow_up = self.record_at(at, by, key, body, funds)?;
        self.after_record(now, follow_up);
        Ok(())
    }

    /// What the table does by itself after each record.
    fn after_record(&mut self, now: u64, follow_up: FollowUp) {
        self.time.go(now, self.stands_still());
        for (seat, why) in follow_up.blamed {
            self.expel(now, seat, why);
        }
        for seat in follow_up.dismissed.iter() {
            self.dismiss(now, seat);
        }
        self.free_vacated();
        self.link(now);
        self.pause_on_broken_invariant(now);
    }

    /// Applies one record.
    fn record_at(
        &mut self,
        at: u64,
        by: By,
        key: Option<String>,
        body: Body,
        funds: Option<(Seat, u64)>,
    ) -> Result<FollowUp, Refusal> {
        if self.stalled {
            return Err(Refusal::of(
                HouseCode::ReadOnly,
                "the store is not taking anything now; clocks are stopped",
            ));
        }
        let (record, applied) = self.current.apply_encoded(at, by, key, body)?;
        self.track(Some(&record), &applied, at);
        self.out.extend(applied.warnings.iter().map(|&(seat, what)| Effect::Warn { seat, what }));
        if let (Some((_, id)), Some(pending)) = (funds, self.pending.back_mut()) {
            pending.funds = Some(id);
        }
        self.out.push(Effect::Append(RecordWrite {
            match_no: self.current.header().match_no,
            opens: None,
            record: Some(record),
            postings: applied.postings,
            funds,
            beside: None,
            ends: applied.outcome,
        }));
        Ok(FollowUp { blamed: applied.blamed, dismissed: applied.dismissed })
    }

    /// Keeps clocks, chairs, retry keys and streams in step with one record, in play and in replay alike.
    fn track(&mut self, record: Option<&Record>, applied: &Applied, at: u64) {
        match record.map(|record| &record.body) {
            Some(Body::Answer { seat, ask, .. }) => {
                self.clocks.answered(*seat, *ask, at);
                self.has_played(*seat);
            }
            Some(Body::Elapsed { ask, seat: Some(seat) }) => {
                self.clocks.ran_out(*seat, *ask);
                self.has_played(*seat);
            }
            Some(Body::Elapsed { ask, seat: None }) => self.clocks.fired(*ask),
            Some(Body::Note { note }) => self.noted(record.map_or(0, |record| record.seq), note),
            Some(Body::Visit { visit: Visit::Join { seat, .. } }) => self.clocks.new_player(*seat),
            _ => {}
        }
        if applied.undone {
            self.clocks.restart();
        }
        for bonus in &applied.bonuses {
            for seat in bonus.seats.iter().filter(|seat| seat.index() < self.chairs.len()) {
                self.clocks.bonus(seat, bonus.add_ms, bonus.cap_ms);
            }
        }
        self.clocks.follow(&self.current.open_asks(), at);
        if let Some(record) = record {
            self.keys.note(self.current.header().match_no, record);
        }
        self.queue_messages(record, applied);
    }

    fn noted(&mut self, seq: u32, note: &Json) {
        match serde_json::from_value(note.clone()) {
            Ok(Note::Sit { seat, who }) => {
                if self.chairs[seat.index()].who == Occupant::Empty {
                    self.keys.forget(seat);
                }
                self.chairs[seat.index()] = Chair { who, ..Chair::default() };
            }
            Ok(Note::Expel { seat, .. }) => {
                let name = self.chairs[seat.index()].who.name().to_owned();
                let who = Occupant::Bot { name, choice: self.settings.stand_in.clone(), program: None };
                self.chairs[seat.index()] = Chair { who, ..Chair::default() };
            }
            Ok(Note::Leaving { seat, leaving }) => self.chairs[seat.index()].leaving = leaving,
            Ok(Note::Settings { settings }) => self.next_settings = Some(JsonText::of(&settings)),
            Ok(Note::Here { seat, here }) => {
                let chair = &mut self.chairs[seat.index()];
                (chair.here, chair.lost) = (here, (!here).then_some(seq));
                chair.losses = chair.losses.saturating_add(u8::from(!here));
            }
            Ok(Note::StandIn { seat, bot }) => self.chairs[seat.index()].stand_in = bot,
            Err(_) => {}
        }
    }

    fn finish(&mut self) {
        self.finished = true;
        match self.pending.back_mut() {
            Some(pending) => pending.finished = true,
            None => self.out.push(Effect::Finished),
        }
    }

    fn record_by_house(&mut self, now: u64, body: Body) {
        // An order that makes no sense now (resume what is not paused) changes nothing, and no client is notified.
        let _ = self.record(now, By::House, None, body);
    }

    /// Pauses a match that has a broken invariant until the operator repairs it.
    fn pause_on_broken_invariant(&mut self, now: u64) {
        if self.current.paused().is_some() || self.current.outcome().is_some() {
            return;
        }
        if let Some(broken) = self.current.game().broken_invariant() {
            self.record_by_house(now, Body::Pause { why: PauseReason::BrokenInvariant(broken.why) });
        }
    }

    /// Repairs the match, and resumes it if it can go on.
    fn repair(&mut self, now: u64, how: Repair, why: String) {
        if self.record(now, By::House, None, Body::Repair { how, why }).is_ok()
            && self.current.paused().is_some()
        {
            self.record_by_house(now, Body::Resume);
        }
    }

    /// Pauses the table after a panic in the rules, with the log complete, and does not call them again.
    fn pause_on_rules_panic(&mut self, now: u64, refusal: &Refusal) {
        if refusal.has(HouseCode::Broken) {
            self.record_by_house(now, Body::Pause { why: refusal.into() });
        }
    }

    // ---- looking at a table ----

    /// The match being played.
    #[must_use]
    pub fn current_match(&self) -> &Match {
        &self.current
    }

    /// Whether the last match is over.
    #[must_use]
    pub fn finished(&self) -> bool {
        self.finished
    }

    /// What is left in the time banks, in milliseconds.
    #[must_use]
    pub fn banks(&self) -> Banks {
        self.clocks.banks()
    }

    /// Match time at the driver's time `now`.
    #[must_use]
    pub fn match_now(&self, now: u64) -> u64 {
        self.time.at(now)
    }

    /// Who sits where.
    #[must_use]
    pub fn seat_infos(&self) -> Vec<parlor_wire::SeatInfo> {
        self.chairs.iter().map(Chair::info).collect()
    }

    /// The decision that [`Effect::Think`] asks for; none if the request is no longer open.
    #[must_use]
    pub fn bot_task(&self, seat: Seat, input: u32) -> Option<BotTask> {
        let open = self.current.open_requests(seat).iter().find(|open| open.input == input)?;
        let choice = self.chairs.get(seat.index())?.bot(&self.settings.stand_in)?.clone();
        Some(self.current.bot_task(seat, open.ask, choice))
    }

    /// Settings of the table that do not concern the rules.
    #[must_use]
    pub fn settings(&self) -> &TableSettings {
        &self.settings
    }

    /// The seats at which somebody can sit down.
    #[must_use]
    pub fn free_seats(&self) -> parlor_core::Seats {
        let free =
            |seat: &Seat| self.chairs[seat.index()].who == Occupant::Empty && !self.vacating.has(*seat);
        (0..self.seats()).map(Seat::new).filter(free).collect()
    }

    /// The seats that programs outside of the server play, and their names.
    #[must_use]
    pub fn programs(&self) -> Vec<(Seat, String)> {
        let program = |(n, chair): (usize, &Chair)| match &chair.who {
            Occupant::Bot { program: Some(name), .. } => Some((Seat::new(n as u8), name.clone())),
            _ => None,
        };
        self.chairs.iter().enumerate().filter_map(program).collect()
    }

    /// The version of a viewer's stream.
    #[must_use]
    pub fn version(&self, viewer: Viewer) -> u64 {
        self.streams[viewer.index(self.seats())].v()
    }

    /// A fresh snapshot for a viewer, as they would get it by connecting now.
    #[must_use]
    pub fn snapshot(&self, viewer: Viewer) -> ServerMessage {
        self.snapshot_at(viewer, self.streams[viewer.index(self.seats())].v())
    }

    /// This table with another match in place of its own; only for tests that compare twins.
    #[must_use]
    pub fn as_twin(&self, current: Match) -> Self {
        let mut table = Self {
            root: self.root.clone(),
            settings: self.settings.clone(),
            before: self.before.clone(),
            chairs: self.chairs.clone(),
            away: self.away.clone(),
            streams: self.streams.clone(),
            released: self.released.clone(),
            conns: self.conns.clone(),
            clocks: self.clocks.clone(),
            keys: self.keys.clone(),
            next_settings: self.next_settings.clone(),
            told_clocks: self.told_clocks.clone(),
            vacating: self.vacating,
            reservations: self.reservations.clone(),
            no_link: self.no_link,
            thinking: self.thinking.clone(),
            pending: self.pending.clone(),
            stored: self.stored,
            time: self.time,
            stalled: self.stalled,
            finished: self.finished,
            out: Vec::new(),
            current,
        };
        table.clocks.follow(&table.current.open_asks(), table.last_at());
        table
    }

    fn seats(&self) -> u8 {
        self.current.header().seats
    }

    fn last_at(&self) -> u64 {
        self.current.last_at().unwrap_or(0)
    }

    fn stands_still(&self) -> bool {
        self.stalled || self.current.paused().is_some() || self.current.outcome().is_some()
    }
}

/// Shared by all connections that get the same message.
type Shared = Arc<EncodedMessage>;
