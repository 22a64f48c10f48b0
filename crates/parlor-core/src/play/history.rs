//! The history of a match: the steps that were not undone, and checkpoints to go back from.
//!
//! Apart from the rules of undo (who may, and how far), because the three parts must agree: a checkpoint of another
//! history, or a step that was never played, would restore a match that never was.

use crate::ask::AskKind;
use crate::dyn_game::OutputBuffer;
use crate::game_def::GameDef;
use crate::limits::CHECKPOINT_RECORDS;
use crate::record::{By, Header};
use crate::seat::Seat;

use super::packed_log::PackedLog;
use super::requests::Cause;
use super::rules::State;

/// One step of the current history.
#[derive(Clone, Debug)]
enum Step {
    /// A record that the rules saw.
    Played(Trace),
    /// The match was rewound to here, and everything that no seat knows was shuffled again.
    Rewound(u32),
}

impl Step {
    fn trace(&self) -> Option<&Trace> {
        match self {
            Self::Played(trace) => Some(trace),
            Self::Rewound(_) => None,
        }
    }
}

/// What an undo must know about a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trace {
    pub(super) seq: u32,
    /// The seat that answered a request; none for clocks, visits, offers and drafts.
    pub(super) answered: Option<Seat>,
    pub(super) by: By,
    pub(super) drew: bool,
    pub(super) shown: bool,
    pub(super) posted: bool,
    pub(super) final_answer: bool,
}

impl Trace {
    pub(super) fn of(
        seq: u32,
        by: By,
        cause: &Cause,
        output: &OutputBuffer,
        drew: bool,
        final_answer: bool,
    ) -> Self {
        let answered = match cause {
            Cause::Answer { seat, kind: AskKind::Request, .. } => Some(*seat),
            _ => None,
        };
        Self {
            seq,
            answered,
            by,
            drew,
            shown: output.shown,
            posted: !output.postings.is_empty(),
            final_answer,
        }
    }
}

/// A copy of the game, to go back from without replaying the whole log.
struct Checkpoint {
    /// How many steps of the history it includes.
    steps: usize,
    state: State,
}

/// The current history.
#[derive(Default)]
pub(super) struct History {
    /// How often the match was rewound.
    rewinds: u32,
    steps: Vec<Step>,
    /// Oldest first; all of them belong to this history.
    checkpoints: Vec<Checkpoint>,
}

impl History {
    /// The history of a match that starts from this state and cannot go back before it.
    pub(super) fn taken_over(rewinds: u32, state: &mut State) -> Self {
        state.set_rewinds(rewinds);
        let checkpoints = vec![Checkpoint { steps: 0, state: state.fork() }];
        Self { rewinds, steps: Vec::new(), checkpoints }
    }

    /// The same history for a twin, without checkpoints.
    pub(super) fn as_twin(&self) -> Self {
        Self { rewinds: self.rewinds, steps: self.steps.clone(), checkpoints: Vec::new() }
    }

    /// How often the match was rewound.
    pub(super) fn rewinds(&self) -> u32 {
        self.rewinds
    }

    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Adds a record that the rules have applied.
    pub(super) fn played(&mut self, trace: Trace) {
        self.steps.push(Step::Played(trace));
    }

    /// The records, newest first, each with its position.
    pub(super) fn newest(&self) -> impl Iterator<Item = (usize, &Trace)> {
        self.steps.iter().enumerate().rev().filter_map(|(place, step)| Some((place, step.trace()?)))
    }

    /// The records from this position on, oldest first.
    pub(super) fn since(&self, place: usize) -> impl Iterator<Item = &Trace> {
        self.steps[place..].iter().filter_map(Step::trace)
    }

    /// Keeps a checkpoint every [`CHECKPOINT_RECORDS`] steps.
    pub(super) fn keep(&mut self, state: &State) {
        let steps = self.steps.len();
        if steps.is_multiple_of(CHECKPOINT_RECORDS) {
            self.checkpoints.retain(|checkpoint| checkpoint.steps != steps);
            self.checkpoints.push(Checkpoint { steps, state: state.fork() });
        }
    }

    /// The state after the first `steps` steps.
    pub(super) fn rebuild(&self, steps: usize, def: &GameDef, header: &Header, log: &PackedLog) -> State {
        let from = self.checkpoints.iter().rev().find(|checkpoint| checkpoint.steps <= steps);
        let (done, mut state) = match from {
            Some(checkpoint) => (checkpoint.steps, checkpoint.state.fork()),
            None => (0, State::start(def, header).expect("the match started once").0),
        };
        for step in &self.steps[done..steps] {
            match step {
                Step::Played(trace) => {
                    let body = log.get(trace.seq as usize - 1).body;
                    assert!(state.run(&body, false).is_ok(), "a record that was played once plays again");
                }
                Step::Rewound(rewinds) => state.begin_after_rewind(*rewinds),
            }
        }
        state
    }

    /// Goes back to this position, with the state as it was there; later random numbers differ from those undone.
    pub(super) fn go_back(&mut self, place: usize, state: &mut State) {
        self.steps.truncate(place);
        self.checkpoints.retain(|checkpoint| checkpoint.steps <= place);
        self.rewinds += 1;
        state.begin_after_rewind(self.rewinds);
        self.steps.push(Step::Rewound(self.rewinds));
    }
}
