//! What is chosen in the middle of an operation.
//!
//! Events, replacements and state checks happen at once: no frame of theirs can wait. Where somebody has a choice in the
//! middle of one (may they replace this, which replacement comes first, in which order do their reactions resolve) the
//! whole operation is taken back, as if it had never begun; they are asked; and the operation is done again with their
//! answer. What was drawn for it is drawn the same. Nothing of it is told before the last choice is made.

use parlor_core::{Rng, Seat, Seats};
use serde::{Deserialize, Serialize};

use crate::limits::CHOICES_PER_OPERATION_MAX;
use crate::machine::ids::EntityId;
use crate::machine::program::Op;
use crate::machine::state::{EventData, Open, Question, State, Verdict, Vm};

/// What kind of choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Whether a replacement is used.
    May,
    /// Which of several replacements comes first.
    Next,
    /// In which order reactions resolve.
    Order,
}

/// A choice that an operation waits for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// What kind.
    pub kind: Kind,
    /// Replacements, or triggers for an order, each with its source.
    pub options: Vec<(u16, EntityId)>,
    /// What it is about.
    pub ev: EventData,
}

impl Choice {
    /// What may be said: numbers of options, or yes and no.
    #[must_use]
    pub fn values(&self) -> Vec<i64> {
        match self.kind {
            Kind::May => vec![1, 0],
            Kind::Next | Kind::Order => (0..self.options.len() as i64).collect(),
        }
    }

    /// How many of them are said.
    #[must_use]
    pub fn count(&self) -> usize {
        if self.kind == Kind::Order { self.options.len() } else { 1 }
    }

    /// What whoever says nothing has said: no; the first; the order of the rules.
    #[must_use]
    pub fn silent(&self) -> Vec<i64> {
        match self.kind {
            Kind::May => vec![0],
            Kind::Next => vec![0],
            Kind::Order => self.values(),
        }
    }

    /// Something that may be said.
    #[must_use]
    pub fn sample(&self, rng: &mut Rng) -> Vec<i64> {
        let mut values = self.values();
        rng.shuffle(&mut values);
        values.truncate(self.count());
        values
    }
}

/// What was chosen and drawn for an operation that is done again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Redo {
    /// Answers, in the order in which they were asked for.
    pub answers: Vec<Vec<i64>>,
    /// Luck, in the order in which it was drawn.
    pub drawn: Vec<u32>,
}

/// How far an operation that is done again has come, and whether anybody can be asked at all.
#[derive(Clone, Debug, Default)]
pub struct Again {
    asking: bool,
    answers: usize,
    drawn: usize,
    wanted: Option<(Seat, Choice)>,
}

/// Everything as it was before an operation.
pub(in crate::machine) struct Saved {
    state: State,
    output: (usize, usize, usize, bool),
    deltas: usize,
    log: usize,
    chance: usize,
    changed: Seats,
    heard: Seats,
}

impl Vm<'_, '_> {
    /// Keeps everything before an operation that may come upon a choice.
    pub(in crate::machine) fn save(&mut self, op: &Op) -> Option<Box<Saved>> {
        self.again = Again::default();
        if matches!(op, Op::Ask(_) | Op::Wait(_)) {
            return None;
        }
        self.again.asking = true;
        let output = self.out.output.as_ref();
        Some(Box::new(Saved {
            state: self.state.clone(),
            output: output.map_or((0, 0, 0, false), |output| {
                (output.events.len(), output.postings.len(), output.bonuses.len(), output.shown)
            }),
            deltas: self.out.deltas.as_ref().map_or(0, |deltas| deltas.len()),
            log: self.out.log.as_ref().map_or(0, |log| log.len()),
            chance: self.out.chance.as_ref().map_or(0, |chance| chance.place()),
            changed: self.changed,
            heard: self.heard,
        }))
    }

    /// The operation is over: nothing of what was chosen for it is needed any more.
    pub(in crate::machine) fn saved(&mut self) {
        self.again = Again::default();
        self.state.redo = Redo::default();
    }

    /// Takes the operation back and asks.
    pub(in crate::machine) fn put_off(&mut self, saved: Saved) {
        let drawn = std::mem::take(&mut self.state.redo.drawn);
        *self.state = saved.state;
        self.state.redo.drawn = drawn;
        (self.depth, self.changed, self.heard) = (0, saved.changed, saved.heard);
        self.replacing.clear();
        if let Some(output) = &mut self.out.output {
            let (events, postings, bonuses, shown) = saved.output;
            output.events.truncate(events);
            output.postings.truncate(postings);
            output.bonuses.truncate(bonuses);
            output.shown = shown;
        }
        if let Some(deltas) = &mut self.out.deltas {
            deltas.truncate(saved.deltas);
        }
        if let Some(log) = &mut self.out.log {
            log.truncate(saved.log);
        }
        if let Some(faces) = &mut self.out.faces {
            faces.truncate(saved.log);
        }
        if let Some(chance) = &mut self.out.chance {
            chance.back(saved.chance);
        }
        let Some((seat, choice)) = std::mem::take(&mut self.again).wanted else { return };
        let ms = self.action_ms();
        let id = self.next_ask();
        self.state.open = Some(Open { id, what: Question::Choose, seats: Seats::only(seat), ms });
        self.state.choice = Some(Box::new(choice));
        self.changed = self.changed.with(seat);
        self.wake(Seats::only(seat));
    }

    /// How long somebody has for an action; 0 for ever.
    pub(in crate::machine) fn action_ms(&mut self) -> u32 {
        self.program.action_ms.map_or(0, |ms| self.eval(ms).clamp(0, 86_400_000) as u32)
    }

    /// What a seat chooses: known already, or the operation waits for it. Where nobody can be asked, what whoever says
    /// nothing has said.
    pub(in crate::machine) fn choose(
        &mut self,
        seat: i64,
        kind: Kind,
        options: Vec<(u16, EntityId)>,
        ev: EventData,
    ) -> Result<Vec<i64>, Verdict> {
        let choice = Choice { kind, options, ev };
        if let Some(said) = self.state.redo.answers.get(self.again.answers) {
            self.again.answers += 1;
            return Ok(if said.is_empty() { choice.silent() } else { said.clone() });
        }
        let seat = State::seat(seat).filter(|seat| seat.index() < usize::from(self.state.board.seats));
        let asked = seat.filter(|seat| !self.state.lost.has(*seat));
        match asked {
            Some(seat) if self.again.asking && self.again.answers < CHOICES_PER_OPERATION_MAX => {
                self.again.wanted = Some((seat, choice));
                Err(Verdict::Choice)
            }
            _ => Ok(choice.silent()),
        }
    }

    /// A seat has chosen, or has let its time go by: the operation is done again.
    pub(in crate::machine) fn chosen(&mut self, said: Vec<i64>) {
        self.state.open = None;
        self.state.choice = None;
        self.state.redo.answers.push(said);
    }

    /// A number below `n` by luck; the same again where an operation is done again.
    pub(in crate::machine) fn below(&mut self, n: u32) -> u32 {
        if !self.program.chooses {
            return self.rng.below(n);
        }
        let place = self.again.drawn;
        self.again.drawn += 1;
        if let Some(word) = self.state.redo.drawn.get(place) {
            return *word % n.max(1);
        }
        let word = self.rng.below(n);
        if self.again.asking {
            self.state.redo.drawn.push(word);
        }
        word
    }

    /// Puts a list into an order by luck.
    pub(in crate::machine) fn mix<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}
