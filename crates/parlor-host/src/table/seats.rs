//! Players take seats, lose their connections, reconnect and leave.

use parlor_core::game::OnDisconnect;
use parlor_core::{Body, By, HouseCode, Json, PauseReason, Refusal, Seat, StopReason, Viewer, Visit};
use parlor_wire::{CloseReason, ServerMessage};

use super::Table;
use super::reservations::Waiting;
use super::submit::refused;
use crate::chairs::{Note, Occupant};
use crate::command::{ConnId, Effect};
use crate::conns::Conn;

/// A player whose connection is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Away {
    /// The driver's time at which the grace period began: when the connection was lost, or at the last restart.
    since: u64,
    /// Whether the connection was lost before the server's last restart. If so, only the log says who left first.
    before_restart: bool,
    /// Whether the grace period is over and the policy was applied.
    done: bool,
    /// Whether the log says so. A connection that is lost over and over is noted only when it stays away.
    noted: bool,
}

impl Away {
    fn is_waited_for(&self) -> bool {
        self.noted && !self.done
    }
}

/// How many lost connections of a seat are noted at once. Each input of the seat gives one back.
const LOSSES_AT_ONCE_MAX: u8 = 8;
/// How long the next one has to stay away until it is noted; twice as long for each after it.
const HOLD_OFF_MS: u64 = 1000;

impl Table {
    pub(super) fn connect(&mut self, now: u64, conn: ConnId, viewer: Viewer, last_v: Option<u64>) {
        if let Viewer::Seat(seat) = viewer {
            if self.chairs.get(seat.index()).is_none_or(|chair| !chair.is_client()) {
                let refusal = Refusal::of(HouseCode::NotSeated, "nobody of yours sits there");
                self.out.push(Effect::Send {
                    conn,
                    message: std::sync::Arc::new(refused(None, &refusal, 0).into()),
                });
                return;
            }
            self.close_seat(seat, CloseReason::TakenOver);
            if self.chairs[seat.index()].is_human() {
                self.come_back(now, seat);
            }
        }
        self.send_current_state(now, conn, viewer, last_v);
    }

    fn close_seat(&mut self, seat: Seat, reason: CloseReason) {
        let closed: Vec<ConnId> = self
            .conns
            .iter()
            .filter(|(_, conn)| conn.viewer == Viewer::Seat(seat))
            .map(|(id, _)| *id)
            .collect();
        for conn in closed {
            self.conns.remove(conn);
            self.out.push(Effect::Close { conn, reason });
        }
    }

    fn come_back(&mut self, now: u64, seat: Seat) {
        let away = self.away[seat.index()].take();
        if self.finished {
            // Who was there when it ended is part of the log, which stays as it is.
            return;
        }
        if !self.chairs[seat.index()].here {
            self.note(now, &Note::Here { seat, here: true });
        }
        if self.chairs[seat.index()].stand_in {
            self.note(now, &Note::StandIn { seat, bot: false });
        }
        let missed = away.is_some_and(|away| away.noted);
        if missed && self.settings.on_disconnect == OnDisconnect::SitOut && self.current.def().visits {
            // A game that needs no notice refuses it, which is harmless.
            let _ = self.record(now, By::House, None, Body::Visit { visit: Visit::Back { seat } });
        }
        self.end_away_pause(now);
    }

    pub(super) fn disconnect(&mut self, now: u64, conn: ConnId, by_server: bool) {
        let Some(Conn { viewer: Viewer::Seat(seat), .. }) = self.conns.remove(conn) else { return };
        if by_server || self.finished || !self.chairs[seat.index()].is_human() {
            return;
        }
        self.away[seat.index()] = Some(Away { since: now, before_restart: false, done: false, noted: false });
        if self.hold_off(seat) == 0 && !self.stalled {
            self.note_loss(now, seat);
        }
    }

    /// Notes that the connection of this seat is lost, and does what follows at once.
    fn note_loss(&mut self, now: u64, seat: Seat) {
        self.note(now, &Note::Here { seat, here: false });
        if let Some(away) = &mut self.away[seat.index()] {
            away.noted = true;
        }
        if self.settings.on_disconnect == OnDisconnect::SitOut && self.current.def().visits {
            let _ = self.record(now, By::House, None, Body::Visit { visit: Visit::Away { seat } });
        }
        if self.settings.pause_while_away
            && self.current.paused().is_none()
            && self.current.outcome().is_none()
        {
            self.record_by_house(now, Body::Pause { why: PauseReason::PlayerAway });
        }
    }

    /// How long a connection of this seat has to be lost until that is noted. A player who comes and goes without
    /// playing would fill the log: the more often they do, the longer it takes, so that the log grows with the logarithm
    /// of time at most.
    fn hold_off(&self, seat: Seat) -> u64 {
        match self.chairs[seat.index()].losses.checked_sub(LOSSES_AT_ONCE_MAX) {
            None => 0,
            Some(more) => HOLD_OFF_MS.saturating_mul(1 << more.min(32)),
        }
    }

    /// The seat has answered, or its time ran out.
    pub(super) fn has_played(&mut self, seat: Seat) {
        if let Some(chair) = self.chairs.get_mut(seat.index()) {
            chair.losses = chair.losses.saturating_sub(1);
        }
    }

    /// Notes the loss that is held off until now, if there is one.
    pub(super) fn note_held_loss(&mut self, now: u64) -> bool {
        let Some((due, seat)) = self.first_held_loss() else { return false };
        if due <= now {
            self.note_loss(now, seat);
        }
        due <= now
    }

    fn first_held_loss(&self) -> Option<(u64, Seat)> {
        let held = |(n, away): (usize, &Option<Away>)| {
            let (seat, away) = (Seat::new(n as u8), away.filter(|away| !away.noted)?);
            Some((away.since.saturating_add(self.hold_off(seat)), seat))
        };
        self.away.iter().enumerate().filter_map(held).min()
    }

    /// What was noted of those who are away was not stored.
    pub(super) fn note_losses_again(&mut self) {
        for (chair, away) in self.chairs.iter().zip(&mut self.away) {
            if let Some(away) = away {
                away.noted &= !chair.here;
            }
        }
    }

    /// Whether a player is away of whom nobody has been told yet.
    #[must_use]
    pub fn holds_a_loss(&self) -> bool {
        self.away.iter().flatten().any(|away| !away.noted)
    }

    /// After a restart, every player who was away before gets a new grace period.
    pub(super) fn still_away(&mut self, now: u64) {
        for (chair, away) in self.chairs.iter().zip(&mut self.away) {
            let gone = chair.is_human() && chair.lost.is_some();
            *away =
                gone.then_some(Away { since: now, before_restart: true, done: chair.stand_in, noted: true });
        }
    }

    /// Resumes the match when nobody is waited for any more.
    fn end_away_pause(&mut self, now: u64) {
        let waiting = self.away.iter().flatten().any(Away::is_waited_for);
        if !waiting && self.current.paused() == Some(&PauseReason::PlayerAway) {
            self.record_by_house(now, Body::Resume);
        }
    }

    /// Applies the disconnect policy to the player whose grace period ended first, if one has.
    pub(super) fn run_grace(&mut self, now: u64) -> bool {
        let Some((due, seat)) = self.first_grace() else { return false };
        if due > now {
            return false;
        }
        if self.away[seat.index()].is_some_and(|away| !away.noted) {
            self.note_loss(now, seat);
        }
        let all_at_once = self.all_gone_at_once();
        if let Some(away) = &mut self.away[seat.index()] {
            away.done = true;
        }
        // A table that its last player has left stays paused: the bot has the seat, and does nothing until somebody is there.
        let deserted = self.settings.on_disconnect == OnDisconnect::Bot && !self.settings.pause_while_away;
        if !deserted && self.current.paused() == Some(&PauseReason::PlayerAway) {
            self.record_by_house(now, Body::Resume);
        }
        match self.settings.on_disconnect {
            // Nobody left first: the match is ended, and everyone is refunded.
            OnDisconnect::Forfeit if all_at_once => {
                self.record_by_house(now, Body::Kill { why: StopReason::Abandoned })
            }
            OnDisconnect::Forfeit => self.leave(now, seat),
            OnDisconnect::Bot => self.note(now, &Note::StandIn { seat, bot: true }),
            OnDisconnect::Wait | OnDisconnect::SitOut => {}
        }
        self.pause_for_the_others(now);
        true
    }

    /// Of several players who are away, the one who left first is the first to lose the seat.
    fn first_grace(&self) -> Option<(u64, Seat)> {
        if !matches!(self.settings.on_disconnect, OnDisconnect::Forfeit | OnDisconnect::Bot) || self.finished
        {
            return None;
        }
        let waiting =
            self.away.iter().enumerate().filter_map(|(n, away)| Some((n, away.filter(|away| !away.done)?)));
        // A bot that stands in and leaves again is in the log too: it waits until the loss is noted.
        let stands_in = self.settings.on_disconnect == OnDisconnect::Bot;
        let first = waiting.map(|(n, away)| {
            let seat = Seat::new(n as u8);
            let held = if stands_in && !away.noted { self.hold_off(seat) } else { 0 };
            (away.since.saturating_add(self.settings.away_grace_ms.max(held)), self.chairs[n].lost, seat)
        });
        first.min().map(|(due, _, seat)| (due, seat))
    }

    /// Whether several people play here and all of them disconnected in the same moment.
    fn all_gone_at_once(&self) -> bool {
        let mut people = self.chairs.iter().zip(&self.away).filter(|(chair, _)| chair.is_human());
        let Some((_, Some(first))) = people.next() else { return false };
        let mut others = people.peekable();
        others.peek().is_some()
            && others.all(|(_, away)| {
                away.is_some_and(|away| {
                    (away.since, away.done) == (first.since, first.done) && !away.before_restart
                })
            })
    }

    /// When a lost connection is noted or its grace is over next.
    pub(super) fn next_grace(&self) -> Option<u64> {
        let (grace, held) = (self.first_grace(), self.first_held_loss());
        grace.into_iter().chain(held).map(|(at, _)| at).min()
    }

    pub(super) fn leave(&mut self, now: u64, seat: Seat) {
        let Some(chair) = self.chairs.get(seat.index()) else { return };
        if self.settings.on_disconnect == OnDisconnect::Bot && !self.current.def().visits {
            // If bots stand in, a bot replaces the player who leaves for good, and the others play on.
            let name = chair.who.name().to_owned();
            let who = Occupant::Bot { name, choice: self.settings.stand_in.clone(), program: None };
            self.note(now, &Note::Sit { seat, who });
            self.away[seat.index()] = None;
            return self.close_seat(seat, CloseReason::SeatLeft);
        }
        self.give_up(now, seat);
    }

    /// Removes the seat from the match by the rules; no bot plays on for it.
    pub(super) fn give_up(&mut self, now: u64, seat: Seat) {
        if let Some(away) = self.away.get_mut(seat.index()) {
            // Nobody waits for this player any more.
            *away = None;
        }
        // A player who leaves for good while another is away counts as having left first, so the pause ends until
        // then.
        if self.current.paused() == Some(&PauseReason::PlayerAway) {
            self.record_by_house(now, Body::Resume);
        }
        self.together(now, |table| {
            let player = table.chairs.get(seat.index()).map_or(0, |chair| chair.who.player());
            let visit = Visit::Leave { seat, player };
            let left = table.record(now, By::House, None, Body::Visit { visit });
            if left.is_ok() && table.current.def().visits && seat.index() < table.chairs.len() {
                table.empty_chair(now, seat);
            }
            if let Err(refusal) = left {
                table.pause_on_rules_panic(now, &refusal);
            }
        });
        self.pause_for_the_others(now);
    }

    /// The rules have sent the player in this seat away.
    pub(super) fn dismiss(&mut self, now: u64, seat: Seat) {
        if self.chairs.get(seat.index()).is_some_and(|chair| chair.who != Occupant::Empty) {
            self.away[seat.index()] = None;
            self.empty_chair(now, seat);
        }
    }

    fn empty_chair(&mut self, now: u64, seat: Seat) {
        self.note(now, &Note::Sit { seat, who: Occupant::Empty });
        self.out.push(Effect::Left { seat });
        // The next player in this seat has secrets that the one who left must not see.
        self.close_seat(seat, CloseReason::SeatLeft);
        self.vacating = self.vacating.with(seat);
        self.free_vacated();
    }

    /// Frees the seats at which nothing is left of the players who had them.
    pub(super) fn free_vacated(&mut self) {
        if self.vacating.is_empty() {
            return;
        }
        let vacated = self.vacating.but(self.current.game().vacating());
        self.vacating = self.vacating.but(vacated);
        self.out.extend(vacated.iter().map(|seat| Effect::Vacated { seat }));
    }

    /// The free seats at which something is left of the players who had them, as the rules say.
    pub(super) fn find_vacating(&mut self) {
        let empty =
            |seat: &Seat| self.chairs.get(seat.index()).is_some_and(|chair| chair.who == Occupant::Empty);
        self.vacating = self.current.game().vacating().iter().filter(empty).collect();
    }

    /// Pauses the match again for the players who are still away.
    fn pause_for_the_others(&mut self, now: u64) {
        let waiting = self.away.iter().flatten().any(Away::is_waited_for);
        let still = self.current.paused().is_some() || self.current.outcome().is_some();
        if waiting && self.settings.pause_while_away && !still {
            self.record_by_house(now, Body::Pause { why: PauseReason::PlayerAway });
        }
    }

    /// A player wants a seat. Where they pay from an account, what they bring is reserved first.
    pub(super) fn sit(&mut self, now: u64, conn: ConnId, seat: Seat, who: Occupant, stake: i64) {
        let pays = self.settings.funded && stake > 0 && matches!(who, Occupant::Human { .. });
        let result = match self.may_sit(seat) {
            Ok(()) if pays => match self.reserve(conn, seat, stake, Waiting::Sit { who, stake }) {
                Ok(()) => return,
                Err(refusal) => Err(refusal),
            },
            Ok(()) => self.take_seat(now, seat, who, stake, None),
            Err(refusal) => Err(refusal),
        };
        if let Err(refusal) = &result {
            self.pause_on_rules_panic(now, refusal);
        }
        self.out.push(Effect::Sat { conn, seat, result });
    }

    fn may_sit(&self, seat: Seat) -> Result<(), Refusal> {
        match self.chairs.get(seat.index()) {
            None => Err(Refusal::of(HouseCode::UnknownSeat, "there is no such seat")),
            Some(chair) if chair.who != Occupant::Empty => {
                Err(Refusal::of(HouseCode::SeatTaken, "that seat is taken"))
            }
            Some(_) if self.vacating.has(seat) => {
                Err(Refusal::of(HouseCode::SeatTaken, "whoever had that seat is still part of the hand"))
            }
            Some(_) => Ok(()),
        }
    }

    /// Seats a player; what they bring is there.
    pub(super) fn take_seat(
        &mut self,
        now: u64,
        seat: Seat,
        who: Occupant,
        stake: i64,
        funds: Option<(Seat, u64)>,
    ) -> Result<(), Refusal> {
        self.may_sit(seat)?;
        // A table that everybody had left waits for just this.
        self.end_away_pause(now);
        let mut joined = Ok(());
        self.together(now, |table| {
            if table.current.def().visits {
                let visit = Visit::Join { seat, stake, player: who.player() };
                let body = Body::Visit { visit };
                joined = table.record_paid(now, By::House, None, body, funds);
            }
            if joined.is_ok() {
                table.note(now, &Note::Sit { seat, who });
            }
        });
        joined
    }

    /// The player in this seat leaves when the match is over, or stays after all.
    pub(super) fn leave_after(&mut self, now: u64, seat: Seat, leaving: bool) {
        let Some(chair) = self.chairs.get(seat.index()) else { return };
        if chair.who != Occupant::Empty && chair.leaving != leaving {
            self.note(now, &Note::Leaving { seat, leaving });
        }
    }

    /// Whether somebody leaves when the match is over.
    pub(super) fn anybody_leaving(&self) -> bool {
        self.chairs.iter().any(|chair| chair.leaving)
    }

    /// The match is over: those who were to leave after it do.
    pub(super) fn let_leave(&mut self, now: u64) {
        for seat in (0..self.seats()).map(Seat::new) {
            if std::mem::take(&mut self.chairs[seat.index()].leaving) {
                self.leave(now, seat);
            }
        }
    }

    /// The owner changes the settings of the rules from the next match on.
    pub(super) fn change_settings(&mut self, now: u64, conn: ConnId, settings: &Json) {
        let header = self.current.header();
        let dry_run = parlor_core::Header {
            settings: parlor_core::record::JsonText::of(settings),
            carry: None,
            seed: parlor_core::Seed::from_text("dry run"),
            ..header.clone()
        };
        let started = parlor_core::Match::start(*self.current.def(), dry_run).map(|_| ());
        let result = started.and_then(|()| {
            let note = Note::Settings { settings: settings.clone() };
            self.record(now, By::House, None, Body::Note { note: note.json() })
        });
        let reply = match result {
            Ok(()) => ServerMessage::Accepted { request_key: None, branch_id: 0, ignored: Vec::new() },
            Err(refusal) => refused(None, &refusal, 0),
        };
        self.reply(conn, reply);
    }

    /// The player in this seat sent what no honest client can send: the game's bot has the seat from now on.
    pub(super) fn expel(&mut self, now: u64, seat: Seat, why: &str) {
        if !self.chairs.get(seat.index()).is_some_and(|chair| chair.is_client()) || self.finished {
            return;
        }
        self.note(now, &Note::Expel { seat, why: why.to_owned() });
        self.away[seat.index()] = None;
        self.close_seat(seat, CloseReason::Forged);
        self.out.push(Effect::Expelled { seat, why: why.to_owned() });
    }

    /// The program that plays this seat has failed: the game's own bot takes over for good.
    pub(super) fn program_failed(&mut self, now: u64, seat: Seat) {
        let Some(Occupant::Bot { name, program: Some(_), .. }) =
            self.chairs.get(seat.index()).map(|chair| &chair.who)
        else {
            return;
        };
        let choice = self.settings.stand_in.clone();
        let who = Occupant::Bot { name: name.clone(), choice, program: None };
        self.note(now, &Note::Sit { seat, who });
        self.close_seat(seat, CloseReason::SeatLeft);
    }

    fn note(&mut self, now: u64, note: &Note) {
        // A match takes notes at any time. Only a failed store refuses them, and then nothing has changed.
        let _ = self.record(now, By::House, None, Body::Note { note: note.json() });
    }
}
