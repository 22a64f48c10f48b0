//! Going back (000/R5): an undo is a record, the log only grows, and what nobody knows is shuffled again.

use crate::Json;
use crate::ask::{Ask, AskId, Kind};
use crate::erased::{Hosted, Told};
use crate::game::Undo;
use crate::limits::CHECKPOINT_RECORDS;
use crate::luck::{Luck, Purpose};
use crate::record::By;
use crate::refusal::{Fault, Refusal};
use crate::seat::{Seat, Seats};
use crate::select::{Response, Selector};

use super::book::Cause;
use super::{Applied, Match, guarded, perform};

/// One step of the line that stands now.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A record that the rules saw.
    Played(Trace),
    /// The match went back to here, and what nobody knew was shuffled for this line.
    Line(u32),
}

/// What an undo must know about a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trace {
    seq: u32,
    /// The seat that answered a request; nobody for clocks, visits, offers and drafts.
    answered: Option<Seat>,
    by: By,
    drew: bool,
    shown: bool,
    posted: bool,
    no_undo: bool,
}

impl Trace {
    pub(super) fn of(seq: u32, by: By, cause: &Cause, told: &Told, drew: bool, no_undo: bool) -> Self {
        let answered = match cause {
            Cause::Answer { seat, kind: Kind::Request, .. } => Some(*seat),
            _ => None,
        };
        Self { seq, answered, by, drew, shown: told.shown, posted: !told.postings.is_empty(), no_undo }
    }
}

/// A copy of the game, to go back from without playing the whole log again.
pub(super) struct Checkpoint {
    live: usize,
    game: Box<dyn Hosted>,
    luck: Luck,
}

impl Checkpoint {
    pub(super) fn here(now: &Match) -> Self {
        Self { live: now.live.len(), game: now.game.fork(), luck: now.luck.clone() }
    }
}

/// Seats that have yet to agree to an undo.
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
        // For clients that say it in another language.
        selector.meta = Some(serde_json::json!({"seat": self.asker}));
        selector
    }
}

fn no_undo(text: &'static str) -> Refusal {
    Refusal::of("no_undo", text)
}

impl Match {
    /// The last answer that this seat may ask to take back.
    ///
    /// # Errors
    /// `no_more_actions` when it has given none, `no_undo` when it can no longer be taken back.
    pub fn last_answer(&self, seat: Seat) -> Result<u32, Refusal> {
        let own = self.live.iter().rev().find_map(|step| match step {
            Step::Played(trace) if trace.answered == Some(seat) && trace.by == By::Human => Some(trace.seq),
            _ => None,
        });
        let seq =
            own.ok_or_else(|| Refusal::of("no_more_actions", "there is nothing of yours to take back"))?;
        self.may_undo(seat, seq)?;
        Ok(seq)
    }

    /// The answers on the line that stands now, oldest first: what an undo may name.
    pub fn undo_targets(&self) -> impl Iterator<Item = u32> + '_ {
        self.live.iter().filter_map(|step| match step {
            Step::Played(trace) if trace.answered.is_some() => Some(trace.seq),
            _ => None,
        })
    }

    fn may_undo(&self, seat: Seat, to: u32) -> Result<usize, Refusal> {
        let policy = self.header.undo;
        if policy == Undo::None {
            return Err(no_undo("nothing is taken back at this table"));
        }
        let found =
            |step: &Step| matches!(step, Step::Played(trace) if trace.seq == to && trace.answered.is_some());
        // From the end: what is taken back is nearly always recent.
        let Some(place) = self.live.iter().rposition(found) else {
            return Err(Refusal::of("no_more_actions", "that is no answer on the line that stands"));
        };
        let after = || {
            self.live[place..].iter().filter_map(|step| match step {
                Step::Played(trace) => Some(trace),
                Step::Line(_) => None,
            })
        };
        if after().any(|trace| trace.no_undo) {
            return Err(no_undo("an answer since then was final"));
        }
        if after().any(|trace| trace.posted) {
            return Err(no_undo("tokens have moved since then"));
        }
        let luck = after().any(|trace| trace.drew || trace.shown);
        if policy == Undo::Own {
            if after().any(|trace| trace.answered.is_some_and(|other| other != seat)) {
                return Err(no_undo("another seat has answered since then"));
            }
            if luck {
                return Err(no_undo("something was drawn or shown since then"));
            }
            if after().filter(|trace| trace.answered.is_some()).count() > 1 {
                return Err(no_undo("only your last answer can be taken back"));
            }
        }
        if luck && self.game.resample(Seats::ALL, &mut self.luck.aside(Purpose::Undo, 0)).is_none() {
            return Err(no_undo("something was drawn since then that cannot be shuffled again"));
        }
        Ok(place)
    }

    pub(super) fn ask_undo(&mut self, seq: u32, seat: Seat, to: u32) -> Result<Applied, Refusal> {
        if seat.index() >= self.header.seats as usize {
            return Err(Refusal::of("unknown_seat", "there is no such seat"));
        }
        if self.vote.is_some() {
            return Err(Refusal::of("undo_pending", "an undo is being decided already"));
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
        let stood = self.restand(Cause::Vote, Seats::NONE);
        Ok(Applied { seq, stood, ..Applied::default() })
    }

    /// A seat answers whether the undo may happen.
    pub(super) fn vote(&mut self, seq: u32, seat: Seat, answer: &Json) -> Result<Applied, Refusal> {
        let Some(vote) = self.vote.as_ref().filter(|vote| vote.waiting.has(seat)) else {
            return Err(self.not_asked(seat));
        };
        super::check_size(answer)?;
        let response: Response =
            serde::Deserialize::deserialize(answer).map_err(|error: serde_json::Error| {
                Refusal::from(Fault::new("malformed", "answer: {error}").arg("error", error.to_string()))
            })?;
        let yes = vote.request().validate(&response)?.single() == Some(0);
        let (asker, to, waiting) = (vote.asker, vote.to, vote.waiting.without(seat));
        if yes && waiting.is_empty() {
            return self.go_back(seq, asker, to);
        }
        self.vote = yes.then_some(Vote { asker, to, waiting });
        let stood = self.restand(Cause::Vote, Seats::NONE);
        Ok(Applied { seq, stood, ..Applied::default() })
    }

    fn go_back(&mut self, seq: u32, seat: Seat, to: u32) -> Result<Applied, Refusal> {
        let place = self.may_undo(seat, to)?;
        let (game, luck) = self.rebuild(place);
        self.live.truncate(place);
        self.checkpoints.retain(|checkpoint| checkpoint.live <= place);
        self.line += 1;
        (self.game, self.luck) = (game, luck);
        begin_line(&mut self.game, &mut self.luck, self.line);
        self.live.push(Step::Line(self.line));
        self.vote = None;
        self.tabled = self.holds();
        self.ended = self.game.outcome();
        let stood = self.restand(Cause::Undo, Seats::ALL);
        Ok(Applied { seq, stood, undone: true, ..Applied::default() })
    }

    /// Keeps a copy now and then, where the table may go back at all.
    pub(super) fn checkpoint(&mut self) {
        if self.header.undo != Undo::None && self.live.len().is_multiple_of(CHECKPOINT_RECORDS) {
            self.checkpoints.retain(|checkpoint| checkpoint.live != self.live.len());
            self.checkpoints.push(Checkpoint::here(self));
        }
    }

    /// The game as it was after the first `live` steps of the standing line.
    pub(super) fn rebuild(&self, live: usize) -> (Box<dyn Hosted>, Luck) {
        let from = self.checkpoints.iter().rev().find(|checkpoint| checkpoint.live <= live);
        let (done, mut game, mut luck) = match from {
            Some(checkpoint) => (checkpoint.live, checkpoint.game.fork(), checkpoint.luck.clone()),
            None => {
                let (start, _) =
                    Self::start(self.entry, self.header.clone()).expect("the match started once");
                (0, start.game, start.luck)
            }
        };
        for step in &self.live[done..live] {
            match step {
                Step::Played(trace) => {
                    let body = self.tape.get(trace.seq as usize - 1).body;
                    let played = guarded(|| perform(game.as_mut(), &mut luck, &body));
                    assert!(matches!(played, Ok(Ok(_))), "a record that was played once plays again");
                }
                Step::Line(line) => begin_line(&mut game, &mut luck, *line),
            }
        }
        (game, luck)
    }
}

/// Later draws belong to the new line, and what no seat knows is shuffled from its stream.
fn begin_line(game: &mut Box<dyn Hosted>, luck: &mut Luck, line: u32) {
    luck.set_line(line);
    if let Some(shuffled) = game.resample(Seats::ALL, &mut luck.aside(Purpose::Undo, line)) {
        *game = shuffled;
    }
}
