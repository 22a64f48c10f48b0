//! The facts beside the log, as the store has them: when a write fails, they go back with the records.
//!
//! Apart from the task because of one rule: a change is kept until the write that contains it is stored, and the facts
//! of a write that failed never were.

use crate::house::sessions::TableFacts;

/// What the store has, where it differs from what the table has.
#[derive(Default)]
pub(super) struct KeptFacts {
    /// The facts as stored, from the first change on until a write with all changes is stored.
    stored: Option<Box<TableFacts>>,
    /// The facts in the pending write.
    pending: Option<Box<TableFacts>>,
    /// Whether they changed after the pending write was submitted.
    changed_since: bool,
}

impl KeptFacts {
    /// The facts are about to change.
    pub(super) fn changing(&mut self, facts: &TableFacts) {
        self.changed_since = true;
        if self.stored.is_none() {
            self.stored = Some(Box::new(facts.clone()));
        }
    }

    /// A write with these facts was submitted.
    pub(super) fn submitted(&mut self, facts: &TableFacts) {
        self.changed_since = false;
        self.pending = self.stored.is_some().then(|| Box::new(facts.clone()));
    }

    /// The pending write is stored.
    pub(super) fn stored(&mut self) {
        let pending = self.pending.take();
        if !self.changed_since {
            self.stored = None;
        } else if pending.is_some() {
            self.stored = pending;
        }
    }

    /// The pending write failed: the facts are these again, if they had changed.
    pub(super) fn failed(&mut self) -> Option<Box<TableFacts>> {
        (self.pending, self.changed_since) = (None, false);
        self.stored.take()
    }
}
