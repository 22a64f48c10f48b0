//! Undo (000/R5): an undo is a record, the log only grows, and everything that no seat knows is shuffled again.

use crate::Json;
use crate::ask::{Ask, AskId};
use crate::code::HouseCode;
use crate::game::Undo;
use crate::record::By;
use crate::refusal::{Fault, Refusal};
use crate::seat::{Seat, Seats};
use crate::selector::{Response, Selector};

use super::admission::check_size;
use super::history::Trace;
use super::requests::Cause;
use super::rules::State;
use super::{Applied, Match};

/// An undo, and the seats that have yet to agree to it.
#[derive(Clone, Debug)]
pub(super) struct Vote {
    asker: Seat,
    to: u32,
    waiting: Seats,
}

impl Vote {
    pub(super) fn ask(&self) -> Ask {
        Ask { id: AskId::UNDO, ..Ask::offer(0, self.waiting) }
    }

    pub(super) fn request(&self) -> Selector {
        let mut selector = Selector::yes_no(format!("May seat {} take back what was done?", self.asker));
        // For clients in other languages.
        selector.meta = Some(serde_json::json!({"seat": self.asker}));
        selector
    }
}

fn no_undo(text: &'static str) -> Refusal {
    Refusal::of(HouseCode::NoUndo, text)
}

impl Match {
    /// The last answer that this seat may ask to take back.
    ///
    /// # Errors
    /// `no_more_actions` if it has given none, `final_answer` if it can no longer be taken back.
    pub fn last_answer(&self, seat: Seat) -> Result<u32, Refusal> {
        let own = |trace: &Trace| trace.answered == Some(seat) && trace.by == By::Human;
        let Some((_, trace)) = self.history.newest().find(|(_, trace)| own(trace)) else {
            return Err(Refusal::of(HouseCode::NoMoreActions, "there is nothing of yours to take back"));
        };
        self.may_undo(seat, trace.seq)?;
        Ok(trace.seq)
    }

    /// The answers that were not undone, oldest first: those that an undo may name.
    pub fn undo_targets(&self) -> impl Iterator<Item = u32> + '_ {
        self.history.since(0).filter(|trace| trace.answered.is_some()).map(|trace| trace.seq)
    }

    fn may_undo(&self, seat: Seat, to: u32) -> Result<usize, Refusal> {
        let policy = self.header.undo;
        if policy == Undo::None {
            return Err(no_undo("nothing is taken back at this table"));
        }
        // From the end: an undo nearly always takes back something recent.
        let found = |trace: &Trace| trace.seq == to && trace.answered.is_some();
        let Some((place, _)) = self.history.newest().find(|(_, trace)| found(trace)) else {
            return Err(Refusal::of(HouseCode::NoMoreActions, "that is no answer on the line that stands"));
        };
        let after = || self.history.since(place);
        if after().any(|trace| trace.final_answer) {
            return Err(no_undo("an answer since then was final"));
        }
        if after().any(|trace| trace.posted) {
            return Err(no_undo("tokens have moved since then"));
        }
        let rng = after().any(|trace| trace.drew || trace.shown);
        if policy == Undo::Own {
            if after().any(|trace| trace.answered.is_some_and(|other| other != seat)) {
                return Err(no_undo("another seat has answered since then"));
            }
            if rng {
                return Err(no_undo("something was drawn or shown since then"));
            }
            if after().filter(|trace| trace.answered.is_some()).count() > 1 {
                return Err(no_undo("only your last answer can be taken back"));
            }
        }
        if rng && !self.state.can_shuffle() {
            return Err(no_undo("something was drawn since then that cannot be shuffled again"));
        }
        Ok(place)
    }

    pub(super) fn ask_undo(&mut self, seq: u32, seat: Seat, to: u32) -> Result<Applied, Refusal> {
        if seat.index() >= self.header.seats as usize {
            return Err(Refusal::of(HouseCode::UnknownSeat, "there is no such seat"));
        }
        if self.vote.is_some() {
            return Err(Refusal::of(HouseCode::UndoPending, "an undo is being decided already"));
        }
        self.may_undo(seat, to)?;
        let waiting = match self.header.undo {
            Undo::Consent => Seats::first(self.header.seats).without(seat),
            _ => Seats::NONE,
        };
        if waiting.is_empty() {
            return self.go_back(seq, seat, to);
        }
        self.vote = Some(Vote { asker: seat, to, waiting });
        let requests_changed = self.update(Cause::Vote, Seats::NONE);
        Ok(Applied { seq, requests_changed, ..Applied::default() })
    }

    /// A seat answers whether the undo may happen.
    pub(super) fn vote(&mut self, seq: u32, seat: Seat, answer: &Json) -> Result<Applied, Refusal> {
        let Some(vote) = self.vote.as_ref().filter(|vote| vote.waiting.has(seat)) else {
            return Err(self.not_asked(seat));
        };
        check_size(answer)?;
        let response: Response =
            serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| {
                Refusal::from(
                    Fault::new(HouseCode::Malformed, "answer: {error}").arg("error", error.to_string()),
                )
            })?;
        let yes = vote.request().validate(&response)?.single() == Some(0);
        let (asker, to, waiting) = (vote.asker, vote.to, vote.waiting.without(seat));
        if yes && waiting.is_empty() {
            return self.go_back(seq, asker, to);
        }
        self.vote = yes.then_some(Vote { asker, to, waiting });
        let requests_changed = self.update(Cause::Vote, Seats::NONE);
        Ok(Applied { seq, requests_changed, ..Applied::default() })
    }

    fn go_back(&mut self, seq: u32, seat: Seat, to: u32) -> Result<Applied, Refusal> {
        let place = self.may_undo(seat, to)?;
        self.state = self.rebuild(place);
        self.history.go_back(place, &mut self.state);
        self.vote = None;
        self.posted_escrow = self.escrow();
        self.ended = self.state.game().outcome();
        let requests_changed = self.update(Cause::Undo, Seats::ALL);
        Ok(Applied { seq, requests_changed, undone: true, ..Applied::default() })
    }

    /// The state after the first `steps` steps of the current history.
    pub(super) fn rebuild(&self, steps: usize) -> State {
        self.history.rebuild(steps, &self.def, &self.header, &self.log)
    }
}
