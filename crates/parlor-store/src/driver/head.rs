//! Where a table stands, and what may follow.

use super::Shape;
use crate::error::WriteError;
use crate::write::Epoch;

/// Where a table stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Head {
    pub epoch: Epoch,
    pub seq: u64,
    pub match_no: u32,
    pub record_seq: u32,
}

/// What an append is, against what stands.
pub enum AppendKind {
    /// It comes next.
    Next(Head),
    /// It is about entries that are there already: well if they are the same.
    Duplicate,
}

impl Head {
    pub fn conflict(&self) -> WriteError {
        WriteError::Conflict { epoch: self.epoch, seq: self.seq }
    }

    /// Fences off every writer but the owner, and finds the append's place.
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

    /// Where the table stands after these entries.
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

    /// Where a new table stands after its first entries.
    pub fn first(epoch: Epoch, expected: u64, shapes: &[Shape]) -> Result<Self, WriteError> {
        if expected != 0 {
            return Err(Self::default().conflict());
        }
        if shapes.is_empty() {
            return Err(WriteError::Unknown);
        }
        Self { epoch, ..Self::default() }.follow(shapes)
    }

    /// Where the table stands under a new owner.
    pub fn claimed(self, epoch: Epoch) -> Result<Self, WriteError> {
        if epoch < self.epoch { Err(self.conflict()) } else { Ok(Self { epoch, ..self }) }
    }
}
