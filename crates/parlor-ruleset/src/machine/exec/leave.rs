//! A seat leaves: what the ruleset does then, and what becomes of the open question.

use parlor_core::{Seat, Seats};

use crate::machine::program::{Block, NONE};
use crate::machine::state::{Question, Vm};
use crate::machine::value::seat_value;

impl Vm<'_, '_> {
    /// A seat has left: the ruleset says what follows, or it has lost. Its own question goes with it; everybody else is
    /// asked on, with what he has drafted and the time he has left.
    pub fn left(&mut self, seat: Seat) {
        let lost_before = self.state.lost;
        self.state.lost = lost_before.with(seat);
        // Whatever is taken back from here on, who is gone stays gone.
        let groups = self.state.groups.iter_mut().map(|group| &mut group.before);
        for before in groups.chain(self.state.current.as_mut().map(|current| &mut current.before)) {
            before.lost = before.lost.with(seat);
        }
        if let Some(block) = self.program.on_leave {
            self.on_leave(block, seat);
        }
        self.last_standing();
        if self.state.over.is_none() && self.withdraw(lost_before) {
            return self.elapsed();
        }
        self.run();
    }

    /// What the ruleset does when somebody leaves. What stands, and what was chosen for it so far, is laid aside while
    /// this runs: it is no part of it.
    fn on_leave(&mut self, block: Block, seat: Seat) {
        let (open, window) = (self.state.open.take(), self.state.window.take());
        let redo = std::mem::take(&mut self.state.redo);
        let you = seat_value(seat.index());
        let done = self.block(block, NONE, you, crate::machine::EventData::NONE, &[you]);
        (self.state.open, self.state.window, self.state.redo) = (open, window, redo);
        if let Err(verdict) = done {
            self.verdict(verdict, 0);
        }
    }

    /// Whoever has lost is asked no longer and counts as one who has not answered. Says whether what stands has to
    /// elapse, because it was his alone.
    fn withdraw(&mut self, lost_before: Seats) -> bool {
        let Some(open) = &mut self.state.open else { return false };
        if open.what == Question::Priority {
            self.pass_over(lost_before);
            return false;
        }
        let gone = open.seats.shared(self.state.lost);
        if gone.is_empty() {
            return false;
        }
        let Question::Ask(ask) = open.what else { return true };
        let def = &self.program.asks[ask];
        for seat in gone.iter() {
            open.seats = open.seats.without(seat);
            self.state.answers[def.answer.index() * usize::from(self.state.board.seats) + seat.index()]
                .clear();
        }
        if open.seats.is_empty() && !def.deadline {
            self.state.open = None;
        }
        if def.shown {
            self.changed = Seats::ALL;
        }
        false
    }
}
