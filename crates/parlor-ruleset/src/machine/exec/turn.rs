//! Turns, rounds and steps.

use parlor_core::{Seat, Seats};

use super::board_ops::Done;
use crate::machine::board::Delta;
use crate::machine::ids::{AttrId, PhaseId, StepId};
use crate::machine::program::{
    Durations, ExprId, PHASE_CHANGED, ROUND_STARTED, STEP_START, Scope, TURN_ENDED, TURN_STARTED,
};
use crate::machine::state::{State, Vm};
use crate::machine::value::seat_value;

impl Vm<'_, '_> {
    pub(in crate::machine) fn set_turn(&mut self, phase: PhaseId, step: StepId, active: u8, turn: u32) {
        self.change(Delta::Turn(phase, step, active, turn));
    }

    /// The seat whose turn follows that of another.
    fn follower(&self, seat: Seat) -> Seat {
        let seats = self.state.board.seats;
        if self.program.leftward {
            Seat::new((seat.index() as u8 + seats - 1) % seats)
        } else {
            seat.next(seats)
        }
    }

    pub(in crate::machine) fn begin_turn(&mut self, first: Option<ExprId>) -> Done {
        let board = &self.state.board;
        let (seats, phase, step, turn) = (board.seats, board.phase, board.step, board.turn + 1);
        let mut extra = false;
        // Turns that follow others begin with their own first; without one they go on where those were.
        let begins = match (first, turn - 1) {
            (Some(first), _) => Some(State::seat(self.eval(first)).unwrap_or(Seat::new(0))),
            (None, 0) => Some(Seat::new(0)),
            (None, _) => None,
        };
        let waits = if begins.is_none() { self.state.extra.pop() } else { None };
        let active = if let Some(seat) = waits {
            extra = true;
            seat
        } else {
            let mut next = begins.unwrap_or_else(|| self.follower(Seat::new(self.state.board.active)));
            for _ in 0..2 * seats {
                if self.state.skip.has(next) {
                    self.state.skip = self.state.skip.without(next);
                    self.state.had = self.state.had.with(next);
                } else if !self.state.lost.has(next) {
                    break;
                }
                next = self.follower(next);
            }
            next.index() as u8
        };
        self.set_turn(phase, step, active, turn);
        self.wake_by_turn();
        self.expire(|until, _| {
            until.how == Durations::YourNextTurn && until.by == active && until.turn < turn
        });
        for count in &mut self.state.counts {
            count[0] = 0;
        }
        // A round is over when somebody who had his turn in it has another; an extra turn belongs to the round it is in.
        let seat = Seat::new(active);
        if self.state.board.round == 0 || (self.state.had.has(seat) && !extra) {
            self.next_round(self.state.board.round + 1)?;
        }
        self.state.had = self.state.had.with(seat);
        self.happen(TURN_STARTED, &[seat_value(usize::from(active)), turn.into()]).map(|_| ())
    }

    /// Which round it is. Before the first turn, and in a flow without turns, it is the first.
    pub(in crate::machine) fn board_round(&self) -> u32 {
        self.state.board.round_number(self.program)
    }

    /// Another round begins.
    pub(in crate::machine) fn next_round(&mut self, round: u32) -> Done {
        self.state.had = Seats::NONE;
        self.change(Delta::Round(round));
        self.expire(
            |until, _| matches!(until.how, Durations::Rounds(n) if round > until.round + u32::from(n)),
        );
        for count in &mut self.state.counts {
            count[1] = 0;
        }
        self.state.limits.retain(|((_, _, scope, _), _)| *scope != Scope::Round);
        if !self.program.is_first_edition() || self.wanted_by_rules(ROUND_STARTED) {
            self.happen(ROUND_STARTED, &[round.into()])?;
        }
        Ok(())
    }

    pub(in crate::machine) fn end_turn(&mut self) -> Done {
        let (active, turn) = (self.state.board.active, self.state.board.turn);
        self.happen(TURN_ENDED, &[seat_value(usize::from(active)), turn.into()])?;
        self.expire(|until, _| match until.how {
            Durations::TurnEnd => true,
            Durations::Turns(n) => turn >= until.turn + u32::from(n),
            _ => false,
        });
        for attr in (0..self.program.attrs.len()).map(AttrId::at) {
            let def = &self.program.attrs[attr];
            if let (crate::machine::program::AttrKind::Kept(column), true) = (def.kind, def.reset_turn) {
                for ent in self.state.board.all_entities() {
                    let kind = self.state.board.entities[ent].def;
                    let value = self.program.cards[kind].attrs[attr];
                    if self.state.board.attrs[self.program.attr_at(ent, column)] != value {
                        self.change(Delta::Attr(ent, column, value));
                    }
                }
            }
        }
        self.state.limits.retain(|((_, _, scope, _), _)| !matches!(scope, Scope::Event | Scope::Turn));
        Ok(())
    }

    pub(in crate::machine) fn enter_step(&mut self, step: StepId) -> Done {
        let phase = self.program.steps[step].phase;
        let (old, active, turn) = (self.state.board.phase, self.state.board.active, self.state.board.turn);
        let first = self.program.steps.iter().position(|other| other.phase == phase) == Some(step.index());
        self.set_turn(phase, step, active, turn);
        self.wake_by_step(step);
        self.state.passed = false;
        if old != phase || first {
            self.happen(PHASE_CHANGED, &[phase.value()])?;
        }
        self.happen(STEP_START, &[phase.value(), step.value()]).map(|_| ())
    }
}
