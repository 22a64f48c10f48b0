//! The desk between the executor and a script: what is asked lies on it, and so does what has come for the script.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard};

use parlor_core::{AskId, Asks, Rng, Seat};

use crate::open::Asked;
use crate::output::ScriptOutput;
use crate::question::CheckedAnswer;
use crate::script::{Interrupt, Script};
use crate::table::Table;

/// Something to be done with a script that waits: a look at its state, or at what it asks.
pub(crate) type Job<S> = Box<dyn FnOnce(&mut Table<S>, &mut dyn Asked<S>) -> Box<dyn Any + Send> + Send>;

/// What has come for the script.
pub(crate) enum Mail<S: Script> {
    Answer { seat: Seat, answer: CheckedAnswer },
    Elapsed { ask: AskId, seat: Option<Seat> },
    Interrupt(Interrupt),
    Job(Job<S>),
}

/// Luck and effects, lent to the script for one input.
pub(crate) struct Loan {
    pub(crate) rng: Rng,
    pub(crate) out: ScriptOutput,
}

impl Loan {
    /// Luck and effects that come to nothing: what lies in their place while they are lent.
    pub(crate) fn none() -> Self {
        Self { rng: Rng::again(Vec::new()), out: ScriptOutput::default() }
    }
}

/// What lies between the two. It is shared, because the script's future owns the other side.
pub(crate) struct Bridge<S: Script> {
    pub(crate) mail: Option<Mail<S>>,
    pub(crate) reply: Option<Box<dyn Any + Send>>,
    pub(crate) asks: Asks,
    /// Whether the script has put a request here since it was last polled.
    pub(crate) asked: bool,
    pub(crate) loan: Loan,
}

/// The desk, as both sides hold it. Only one of them ever runs: the lock is for the compiler, and never waited for.
pub(crate) struct Shared<S: Script>(Arc<Mutex<Bridge<S>>>);

impl<S: Script> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Script> Shared<S> {
    pub(crate) fn new() -> Self {
        let bridge = Bridge { mail: None, reply: None, asks: Asks::new(), asked: false, loan: Loan::none() };
        Self(Arc::new(Mutex::new(bridge)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Bridge<S>> {
        // No code of a game runs while the lock is held, so it cannot be left in the middle of a change.
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
