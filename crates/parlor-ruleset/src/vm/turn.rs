//! Turns, steps, and the end.

use parlor_core::{Outcome, Seat, Seats};

use super::act::Done;
use super::board::Delta;
use super::eval::Eval;
use super::state::{EventData, State, Vm};
use crate::program::{Durations, NONE, PHASE_CHANGED, SEAT, STEP_START, TURN_ENDED, TURN_STARTED, Who};

impl Vm<'_, '_> {
    /// The match is over.
    pub fn finish(&mut self, outcome: Outcome) {
        if self.s.over.is_none() {
            self.s.over = Some(outcome);
            self.changed = Seats::ALL;
            self.s.next.event += 1;
            let id = self.s.next.event;
            let ev = EventData { id, ty: crate::program::GAME_ENDED, ..EventData::NONE };
            self.append(&ev, super::Status::Applied);
        }
    }

    pub(super) fn set_turn(&mut self, phase: u16, step: u16, active: u8, turn: u32) {
        self.change(Delta::Turn(phase, step, active, turn));
    }

    pub(super) fn begin_turn(&mut self, first: Option<u32>) -> Done {
        let (seats, board) = (self.s.board.seats, &self.s.board);
        let (phase, step, turn) = (board.phase, board.step, board.turn + 1);
        let active = if board.turn == 0 {
            match first {
                Some(first) => State::seat(self.eval(first)).map_or(0, |seat| seat.index() as u8),
                None => 0,
            }
        } else if let Some(extra) = self.s.extra.pop() {
            extra
        } else {
            let mut next = Seat::new(board.active).next(seats);
            for _ in 0..2 * seats {
                if self.s.skip.has(next) {
                    self.s.skip = self.s.skip.without(next);
                } else if !self.s.lost.has(next) {
                    break;
                }
                next = next.next(seats);
            }
            next.index() as u8
        };
        self.set_turn(phase, step, active, turn);
        self.wake_by_turn();
        self.expire(|m| m.until == Durations::YourNextTurn && m.by == active && m.turn < turn);
        for count in &mut self.s.counts {
            count.0 = 0;
        }
        self.happen(TURN_STARTED, &[SEAT + i64::from(active), turn.into()]).map(|_| ())
    }

    pub(super) fn end_turn(&mut self) -> Done {
        let (active, turn) = (self.s.board.active, self.s.board.turn);
        self.happen(TURN_ENDED, &[SEAT + i64::from(active), turn.into()])?;
        self.expire(|m| match m.until {
            Durations::TurnEnd => true,
            Durations::Turns(n) => turn >= m.turn + u32::from(n),
            _ => false,
        });
        for attr in 0..self.p.attrs.len() {
            let def = &self.p.attrs[attr];
            if let (crate::program::AttrKind::Kept(column), true) = (def.kind, def.reset_turn) {
                for ent in 0..self.s.board.def.len() as u16 {
                    let value = self.p.cards[usize::from(self.s.board.def[usize::from(ent)])].attrs[attr];
                    let index = usize::from(ent) * usize::from(self.p.kept) + usize::from(column);
                    if self.s.board.attrs[index] != value {
                        self.change(Delta::Attr(ent, column, value));
                    }
                }
            }
        }
        use crate::program::Scope;
        self.s.limits.retain(|((_, _, scope, _), _)| matches!(scope, Scope::Source | Scope::Game));
        Ok(())
    }

    pub(super) fn enter_step(&mut self, step: u16) -> Done {
        let phase = self.p.steps[usize::from(step)].phase;
        let (old, active, turn) = (self.s.board.phase, self.s.board.active, self.s.board.turn);
        let first = self.p.steps.iter().position(|other| other.phase == phase) == Some(usize::from(step));
        self.set_turn(phase, step, active, turn);
        self.wake_by_step(step);
        self.s.passed = false;
        if old != phase || first {
            self.happen(PHASE_CHANGED, &[phase.into()])?;
        }
        self.happen(STEP_START, &[phase.into(), step.into()]).map(|_| ())
    }

    /// Seats lose; when at most one is left, the match is over.
    pub(super) fn lose(&mut self, who: Who) {
        for seat in self.seats_of(who) {
            self.s.lost = self.s.lost.with(Seat::new(seat as u8));
        }
        self.changed = Seats::ALL;
    }

    /// Ends the match where seats have lost and at most one is left: after the checks, so that both may lose at once.
    pub fn last_standing(&mut self) {
        if self.s.lost.is_empty() || self.s.over.is_some() {
            return;
        }
        let seats = self.s.board.seats;
        let left: Seats = (0..seats).map(Seat::new).filter(|seat| !self.s.lost.has(*seat)).collect();
        match left.len() {
            0 => self.finish(Outcome::draw(seats, "all lost")),
            1 => self.finish(Outcome::win(left, seats, "last standing")),
            _ => {}
        }
    }

    pub(super) fn finish_now(&mut self, reason: u16, losers: Option<Who>) {
        let seats = self.s.board.seats;
        let reason = self.p.texts[usize::from(reason)].clone();
        match losers {
            None => self.ranked(reason),
            Some(who) => {
                let lost: Seats = self.seats_of(who).into_iter().map(|n| Seat::new(n as u8)).collect();
                let left: Seats = (0..seats).map(Seat::new).filter(|seat| !lost.has(*seat)).collect();
                if left.is_empty() {
                    // Nobody has the first place: this is how a match that all have lost differs from a draw.
                    let places = (0..seats).map(|_| 2).collect();
                    self.finish(Outcome { places, ..Outcome::draw(seats, reason) });
                } else {
                    self.finish(Outcome::win(left, seats, reason));
                }
            }
        }
    }

    pub(super) fn ranked(&mut self, reason: String) {
        let seats = self.s.board.seats;
        let Some(rank) = self.p.rank else {
            self.finish(Outcome::draw(seats, reason));
            return;
        };
        let mut scores = Vec::new();
        for seat in 0..i64::from(seats) {
            self.x.its[usize::from(rank.it)] = SEAT + seat;
            let score = Eval::outside(self.p, self.s, NONE, NONE).value(self.x, rank.by);
            scores.push(if rank.most { score } else { score.saturating_neg() });
        }
        let mut outcome = Outcome::ranked(&scores, reason);
        if outcome.winners.len() == usize::from(seats) {
            outcome.winners = Seats::NONE;
        }
        self.finish(outcome);
    }

    /// The flow is at its end.
    pub(super) fn rank(&mut self) {
        self.ranked("played out".to_owned());
    }
}
