//! Where a table stands, and what may follow.

use super::Shape;
use crate::error::WriteError;
use crate::write::Epoch;

/// The last entry of a table, and who owns the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// The owner's epoch.
    pub epoch: Epoch,
    /// How many entries the table has, over all its matches.
    pub seq: u64,
    /// The match of the last entry, from 1.
    pub match_no: u32,
    /// The number of the last entry in its match; 0 for the opening.
    pub record_seq: u32,
}

/// What an append is, against what the table has.
pub enum AppendKind {
    /// The append comes next, and leads to this head.
    Next(Head),
    /// The table has as many entries already. The driver compares them: the same append again succeeds, any other
    /// is a [conflict](Head::conflict).
    Duplicate,
}

impl Head {
    /// The error for a writer who thinks that the table stands elsewhere.
    #[must_use]
    pub fn conflict(&self) -> WriteError {
        WriteError::Conflict { epoch: self.epoch, seq: self.seq }
    }

    /// Fences off every writer but the owner, and decides what the append is.
    ///
    /// # Errors
    /// [`WriteError::Conflict`] for another epoch or a wrong count; [`WriteError::Malformed`] for entries that do not
    /// follow one another.
    pub fn place(&self, epoch: Epoch, expected: u64, shapes: &[Shape]) -> Result<AppendKind, WriteError> {
        if epoch != self.epoch || expected > self.seq {
            return Err(self.conflict());
        }
        if expected == self.seq {
            return self.follow(shapes).map(AppendKind::Next);
        }
        let known = expected + shapes.len() as u64 <= self.seq;
        if known && !shapes.is_empty() { Ok(AppendKind::Duplicate) } else { Err(self.conflict()) }
    }

    /// The head after these entries.
    fn follow(mut self, shapes: &[Shape]) -> Result<Self, WriteError> {
        for Shape { match_no, record_seq } in shapes {
            let opens = *record_seq == 0;
            let next = if opens { (self.match_no + 1, 0) } else { (self.match_no, self.record_seq + 1) };
            if (*match_no, *record_seq) != next || *match_no == 0 {
                return Err(WriteError::Malformed("an entry that does not follow the one before it"));
            }
            self = Self { seq: self.seq + 1, match_no: *match_no, record_seq: *record_seq, ..self };
        }
        Ok(self)
    }

    /// The head of a new table after its first entries.
    ///
    /// # Errors
    /// [`WriteError::Conflict`] where the writer expects entries, [`WriteError::Unknown`] where there are none to
    /// open the table with, [`WriteError::Malformed`] for entries that do not follow one another.
    pub fn first(epoch: Epoch, expected: u64, shapes: &[Shape]) -> Result<Self, WriteError> {
        if expected != 0 {
            return Err(Self::default().conflict());
        }
        if shapes.is_empty() {
            return Err(WriteError::Unknown);
        }
        Self { epoch, ..Self::default() }.follow(shapes)
    }

    /// The head under a new owner.
    ///
    /// # Errors
    /// [`WriteError::Conflict`] where an owner with a higher epoch has the table.
    pub fn claimed(self, epoch: Epoch) -> Result<Self, WriteError> {
        if epoch < self.epoch { Err(self.conflict()) } else { Ok(Self { epoch, ..self }) }
    }
}
