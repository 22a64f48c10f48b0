//! A question to several that one of them has answered, and that is asked again at once: a loop of an ask with mode
//! `any`.
//!
//! The others must not notice. A seat whose question has stayed the same, word for word, is asked under the number that it
//! had: its answer that may be under way counts, its clock runs on, what it has drafted stays, and nothing is sent to it.
//! The seat that has answered is asked under its number too, so that its clock does not tell whether anybody else is left.

use crate::machine::ids::QuestionId;
use parlor_core::limits::ASKS_MAX;
use parlor_core::{Seat, Seats};

use super::auto::has_priority;
use crate::game::request::{For, Posed, posed};
use crate::machine::state::{KeptAsk, Open, Question, Vm};

/// A question as it was when somebody answered it.
pub struct Asked {
    ask: QuestionId,
    by: Seat,
    /// Under which number each was asked, and for how long.
    groups: Vec<KeptAsk>,
    /// What the others were asked, with what they had drafted.
    others: Vec<Other>,
}

struct Other {
    seat: Seat,
    posed: Posed,
    drafted: Vec<i64>,
    touched: bool,
}

impl Asked {
    /// Whether it was this question.
    pub(super) fn is_of(&self, ask: QuestionId) -> bool {
        self.ask == ask
    }
}

impl Vm<'_, '_> {
    /// Remembers a question to several, before an answer closes it.
    pub(super) fn remember_question(&mut self, ask: QuestionId, by: Seat) {
        let Some(open) = self.state.open.as_ref().filter(|_| !self.program.is_first_edition()) else {
            return;
        };
        let answer = self.program.asks[ask].answer;
        let row = answer.index() * usize::from(self.state.board.seats);
        let other = |seat: Seat| Other {
            seat,
            posed: posed(self.program, self.state, seat, For::Client),
            drafted: self.state.answers[row + seat.index()].clone(),
            touched: self.state.touched[answer].has(seat),
        };
        let others = open.seats.without(by).iter().map(other).collect();
        let mut groups = self.state.more.kept.clone();
        let fresh = groups.iter().fold(open.seats, |left, group| left.but(group.seats));
        groups.push(KeptAsk { id: open.id, seats: fresh, ms: open.ms });
        self.reask = Some(Asked { ask, by, groups, others });
    }

    /// The same question is asked again, of these seats and for so long: whoever it stays the same for keeps its number.
    pub(super) fn ask_again(&mut self, before: Asked, seats: Seats, ms: u32) {
        let def = &self.program.asks[before.ask];
        let what = Question::Ask(before.ask);
        self.state.more.kept.clear();
        self.state.open = Some(Open { id: 0, what, seats, ms });
        let answer = def.answer;
        let row = answer.index() * usize::from(self.state.board.seats);
        let mut same = Seats::only(before.by).shared(seats);
        for Other { seat, posed: old, drafted, touched } in before.others {
            let stays = seats.has(seat) && posed(self.program, self.state, seat, For::Client) == old;
            if stays {
                same = same.with(seat);
                self.state.answers[row + seat.index()] = drafted;
                if touched {
                    self.state.touched[answer] = self.state.touched[answer].with(seat);
                }
            }
        }
        let here = |group: KeptAsk| KeptAsk { seats: group.seats.shared(same), ..group };
        let mut groups: Vec<KeptAsk> = before.groups.into_iter().map(here).collect();
        groups.retain(|group| group.ms == ms && !group.seats.is_empty());
        // The house takes so many asks at once: the newest are asked anew.
        let room = (ASKS_MAX - usize::from(has_priority(self.program))) / (1 + usize::from(def.drafts));
        groups.truncate(room.saturating_sub(1).max(1));
        let kept = groups.iter().fold(Seats::NONE, |all, group| all.and(group.seats));
        let fresh = seats.but(kept);
        let id = match groups.pop_if(|_| fresh.is_empty()) {
            Some(last) => last.id,
            None => self.next_ask(),
        };
        self.wake(fresh);
        self.state.more.kept = groups;
        self.state.open = Some(Open { id, what, seats, ms });
    }
}
