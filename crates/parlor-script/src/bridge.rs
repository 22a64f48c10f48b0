//! The bridge between the executor and a script: it holds the open asks and the mail for the script.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard};

use parlor_core::{AskId, Asks, Rng, Seat};

use crate::open::Asked;
use crate::output::ScriptOutput;
use crate::question::CheckedAnswer;
use crate::script::{Interrupt, Script};
use crate::table::Table;

/// A function that runs while a script waits, to read its state or its open request.
pub(crate) type Job<S> = Box<dyn FnOnce(&mut Table<S>, &mut dyn Asked<S>) -> Box<dyn Any + Send> + Send>;

/// An input for the script.
pub(crate) enum Mail<S: Script> {
    Answer { seat: Seat, answer: CheckedAnswer },
    Elapsed { ask: AskId, seat: Option<Seat> },
    Interrupt(Interrupt),
    Job(Job<S>),
}

/// Random numbers and output, passed to the script for one input.
pub(crate) struct Loan {
    pub(crate) rng: Rng,
    pub(crate) out: ScriptOutput,
}

impl Loan {
    /// A placeholder for the time while the script has them.
    pub(crate) fn none() -> Self {
        Self { rng: Rng::again(Vec::new()), out: ScriptOutput::default() }
    }
}

/// What the executor and the script exchange. Shared, because the script's future owns the other side.
pub(crate) struct Bridge<S: Script> {
    pub(crate) mail: Option<Mail<S>>,
    pub(crate) reply: Option<Box<dyn Any + Send>>,
    pub(crate) asks: Asks,
    /// Whether the script has asked since it was last polled.
    pub(crate) asked: bool,
    pub(crate) loan: Loan,
}

/// The bridge, as both sides hold it. Only one of them ever runs: the lock satisfies the compiler and never blocks.
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
        // No code of a game runs while the lock is held, so a panic cannot leave the data half changed.
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
