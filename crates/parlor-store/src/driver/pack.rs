//! Entries as bytes. A packed entry is its length, its kind, its match and JSON. Packed entries follow one another with
//! nothing between, so that a driver joins two flushes by joining their bytes.

use parlor_core::{EncodedRecord, Header};

use crate::error::WriteError;
use crate::write::{Append, ENTRIES_PER_APPEND_MAX, Facts, KEY_CHARS_MAX, LogEntry, WRITE_BYTES_MAX, Write};

const OPEN: u8 = 1;
const RECORD: u8 = 2;
/// Kind and match.
const PREFIX_BYTES: usize = 5;

/// What a driver must know of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The match, from 1.
    pub match_no: u32,
    /// The number of the record in its match; 0 for the opening.
    pub record_seq: u32,
}

/// A write, checked as far as it can be without knowing what is stored, and packed by the thread that submits it.
pub struct Packed {
    /// The write itself; [`Packed::lighten`] takes the records out of it.
    pub write: Write,
    /// One for each entry, in order.
    pub shapes: Vec<Shape>,
    /// The packed entries; [`Frames`] walks over them.
    pub bytes: Vec<u8>,
    /// Everything the write carries, in bytes: what counts against limits.
    pub size: usize,
}

impl Packed {
    /// Checks and packs a write.
    ///
    /// # Errors
    /// [`WriteError::TooLarge`] or [`WriteError::Malformed`]: no store would take the write.
    pub fn new(write: Write) -> Result<Self, WriteError> {
        let (mut shapes, mut bytes) = (Vec::new(), Vec::new());
        if let Write::Append(append) = &write {
            pack(append, &mut shapes, &mut bytes)?;
        }
        let size = bytes.len() + weight(&write);
        if size > WRITE_BYTES_MAX {
            return Err(WriteError::TooLarge { bytes: size, bytes_max: WRITE_BYTES_MAX });
        }
        match &write {
            Write::Post { key, .. } | Write::PlayerPays { key, .. }
                if key.is_empty() || key.chars().count() > KEY_CHARS_MAX =>
            {
                Err(WriteError::Malformed("a key has 1 to 200 characters"))
            }
            _ => Ok(Self { write, shapes, bytes, size }),
        }
    }

    /// Drops the records, which are packed by now. The thread that made them frees them faster than another would.
    pub fn lighten(&mut self) {
        if let Write::Append(append) = &mut self.write {
            let entries = std::mem::take(&mut append.entries);
            append.entries = entries.into_iter().filter(|entry| matches!(entry, LogEntry::Open(_))).collect();
        }
    }

    /// The openings among the entries, each with its place there. Works before and after [`Packed::lighten`].
    pub fn opens(&self) -> impl Iterator<Item = (usize, &Header)> {
        let entries = if let Write::Append(append) = &self.write { &append.entries[..] } else { &[] };
        let headers = entries.iter().filter_map(|entry| match entry {
            LogEntry::Open(header) => Some(&**header),
            LogEntry::Record { .. } => None,
        });
        let places = self.shapes.iter().enumerate().filter(|(_, shape)| shape.record_seq == 0);
        places.map(|(place, _)| place).zip(headers)
    }
}

fn weight(write: &Write) -> usize {
    match write {
        Write::Player(player) | Write::PlayerPays { player, .. } => player.name.len(),
        Write::Room { body: Some(Facts(body)), .. } => body.to_string().len(),
        Write::Ruleset(version) => version.text.len() + version.title.len(),
        Write::Audit(line) => line.what.len() + line.about.to_string().len(),
        Write::Append(Append { facts: Some(facts), .. }) => facts.0.to_string().len(),
        _ => 0,
    }
}

fn pack(append: &Append, shapes: &mut Vec<Shape>, bytes: &mut Vec<u8>) -> Result<(), WriteError> {
    if append.entries.len() > ENTRIES_PER_APPEND_MAX {
        return Err(WriteError::Malformed("too many entries in one append"));
    }
    for entry in &append.entries {
        let (kind, shape) = match entry {
            LogEntry::Open(header) => (OPEN, Shape { match_no: header.match_no, record_seq: 0 }),
            LogEntry::Record { match_no, record } => {
                (RECORD, Shape { match_no: *match_no, record_seq: record.seq })
            }
        };
        let start = bytes.len();
        if let LogEntry::Record { record, .. } = entry {
            bytes.reserve_exact(4 + PREFIX_BYTES + record.json().len());
        }
        bytes.extend([0; 4]);
        bytes.push(kind);
        bytes.extend(shape.match_no.to_le_bytes());
        match entry {
            LogEntry::Open(header) => serde_json::to_writer(&mut *bytes, header)
                .map_err(|_| WriteError::Malformed("an entry that is no JSON"))?,
            LogEntry::Record { record, .. } => bytes.extend_from_slice(record.json().as_bytes()),
        }
        let length = u32::try_from(bytes.len() - start - 4).unwrap_or(u32::MAX);
        bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
        shapes.push(shape);
    }
    Ok(())
}

/// Walks over packed entries without decoding them.
pub struct Frames<'a>(
    /// The bytes that are left.
    pub &'a [u8],
);

impl<'a> Iterator for Frames<'a> {
    /// The entry's bytes, with their length; or what is wrong with them.
    type Item = Result<&'a [u8], &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let length = self.0.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize);
        match length.filter(|length| *length >= PREFIX_BYTES && self.0.len() >= length + 4) {
            Some(length) => {
                let (frame, rest) = self.0.split_at(length + 4);
                self.0 = rest;
                Some(Ok(frame))
            }
            None => {
                self.0 = &[];
                Some(Err("an entry is cut off"))
            }
        }
    }
}

/// Decodes one entry that [`Frames`] found.
///
/// # Errors
/// What is wrong with the entry, without its text: a header holds a seed.
pub fn unpack(frame: &[u8]) -> Result<LogEntry, String> {
    let (prefix, json) = frame[4..].split_at(PREFIX_BYTES);
    let match_no = u32::from_le_bytes([prefix[1], prefix[2], prefix[3], prefix[4]]);
    match prefix[0] {
        OPEN => serde_json::from_slice::<Header>(json).map(|header| LogEntry::Open(Box::new(header))),
        RECORD => EncodedRecord::read(json).map(|record| LogEntry::Record { match_no, record }),
        kind => return Err(format!("an entry of kind {kind}")),
    }
    // Never the text itself.
    .map_err(|error| format!("an entry of match {match_no} does not decode ({:?})", error.classify()))
}

/// The shape of one entry that [`Frames`] found.
///
/// # Errors
/// What is wrong with the entry.
pub fn shape(frame: &[u8]) -> Result<Shape, String> {
    match unpack(frame)? {
        LogEntry::Open(header) => Ok(Shape { match_no: header.match_no, record_seq: 0 }),
        LogEntry::Record { match_no, record } => Ok(Shape { match_no, record_seq: record.seq }),
    }
}

/// CRC-32 (IEEE): finds damage, and stops nobody who forges.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| TABLE[usize::from(crc as u8 ^ byte)] ^ (crc >> 8);
    !bytes.iter().fold(u32::MAX, step)
}

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut crc = n as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[n] = crc;
        n += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_common_one() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn bytes_that_are_cut_off_are_told_from_entries() {
        assert!(Frames(&[9, 0, 0]).next().is_some_and(|frame| frame.is_err()));
        assert!(Frames(&[200, 0, 0, 0, RECORD, 1, 0, 0, 0]).next().is_some_and(|frame| frame.is_err()));
        assert!(Frames(&[]).next().is_none());
    }
}
