//! The records of a match in memory: as the text over which the chain is made. Ten times smaller than the values, and
//! nobody looks at an old record while the match runs.

use crate::record::Record;

#[derive(Clone, Default)]
pub(super) struct Tape {
    text: String,
    /// Where the text of each record ends.
    ends: Vec<u32>,
    last_at: u64,
}

impl Tape {
    /// Adds a record; says what was written of it.
    pub(super) fn push(&mut self, record: &Record) -> &str {
        let text = serde_json::to_string(record).expect("a record is plain data");
        if self.text.capacity() < self.text.len() + text.len() {
            // Most tables are many and small: they are not given room for twice what they have.
            self.text.reserve_exact(text.len() + self.text.len() / 4);
        }
        let from = self.text.len();
        self.text.push_str(&text);
        self.ends.push(self.text.len() as u32);
        self.last_at = record.at;
        &self.text[from..]
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn last_at(&self) -> Option<u64> {
        (!self.ends.is_empty()).then_some(self.last_at)
    }

    /// The record at this place, from 0.
    pub(super) fn get(&self, place: usize) -> Record {
        let from = place.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let text = &self.text[from..self.ends[place] as usize];
        serde_json::from_str(text).expect("a record that was written can be read")
    }

    pub(super) fn all(&self) -> Vec<Record> {
        (0..self.len()).map(|place| self.get(place)).collect()
    }
}
