//! The records of a match in memory: the JSON text that the hash chain covers, with its frequent words replaced by
//! one byte each. It is thirty times smaller than the values, and old records are hardly ever read while the match
//! runs. The hash chain is kept here because it covers exactly these records.

use crate::record::{EncodedRecord, Header, Record};

#[derive(Clone)]
pub(super) struct PackedLog {
    /// Each record with [`END`] after it.
    packed: Vec<u8>,
    records: usize,
    last_at: u64,
    /// The hash over the header and every record, each with the hash before it.
    chain: blake3::Hash,
}

impl PackedLog {
    /// The empty log of a match that starts from this header.
    pub(super) fn of(header: &Header) -> Self {
        Self::after(serde_json::to_string(header).expect("a header is plain data").as_bytes())
    }

    fn after(header: &[u8]) -> Self {
        Self { packed: Vec::new(), records: 0, last_at: 0, chain: blake3::hash(header) }
    }

    /// Adds a record.
    pub(super) fn push(&mut self, record: &EncodedRecord) {
        let text = record.json();
        let room = text.len() / 2;
        if self.packed.capacity() < self.packed.len() + room {
            // Tables are many and mostly small: do not double the capacity.
            self.packed.reserve_exact(room + self.packed.len() / 8);
        }
        pack(text.as_bytes(), &mut self.packed);
        self.packed.push(END);
        self.records += 1;
        self.last_at = record.at;
        self.chain = chain(&self.chain, text);
    }

    pub(super) fn chain(&self) -> blake3::Hash {
        self.chain
    }

    pub(super) fn len(&self) -> usize {
        self.records
    }

    pub(super) fn last_at(&self) -> Option<u64> {
        (self.records > 0).then_some(self.last_at)
    }

    /// The record at this index, from 0.
    pub(super) fn get(&self, place: usize) -> Record {
        self.iter().nth(place).map(read).expect("there is such a record")
    }

    pub(super) fn all(&self) -> Vec<Record> {
        self.iter().map(read).collect()
    }

    /// The packed records.
    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.packed.split(|byte| *byte == END).take(self.records)
    }
}

fn read(packed: &[u8]) -> Record {
    serde_json::from_slice(&unpack(packed)).expect("a record that was written can be read")
}

fn chain(before: &blake3::Hash, record: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before.as_bytes());
    hasher.update(record.as_bytes());
    hasher.finalize()
}

/// Ends each record: a control byte like the words', and used by none of them.
const END: u8 = 0x1f;

/// Words that are replaced by one byte each: a control byte, which JSON text never contains because it escapes them.
/// A word comes before every other that is a prefix of it. This encoding is never stored.
const WORDS: [&[u8]; 16] = [
    b"{\"seq\":",
    b",\"at\":",
    b",\"by\":\"human\",\"do\":\"answer\",\"seat\":",
    b",\"by\":\"bot\",\"do\":\"answer\",\"seat\":",
    b",\"by\":\"human\",",
    b",\"by\":\"house\",\"do\":",
    b",\"by\":\"clock\",\"do\":\"elapsed\",\"ask\":",
    b",\"ask\":",
    b",\"answer\":",
    b",\"key\":\"",
    b",\"seat\":",
    b"{\"selection\":[\"",
    b"\"],\"title\":\"",
    b"\",\"",
    b"\":",
    b"\"}}",
];

fn pack(mut text: &[u8], packed: &mut Vec<u8>) {
    while let Some(first) = text.first() {
        let starts_word = matches!(first, b'{' | b',' | b'"');
        let word = WORDS.iter().position(|word| starts_word && text.starts_with(word));
        packed.push(word.map_or(*first, |word| word as u8));
        text = &text[word.map_or(1, |word| WORDS[word].len())..];
    }
}

fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(packed.len() * 4);
    for byte in packed {
        match WORDS.get(usize::from(*byte)) {
            Some(word) => text.extend_from_slice(word),
            None => text.push(*byte),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ask::AskId;
    use crate::record::{Body, By};
    use crate::seat::Seat;

    fn answer(seq: u32, by: By, key: Option<&str>, answer: crate::Json) -> Record {
        let body = Body::Answer { seat: Seat::new(1), ask: AskId(7), answer };
        Record { seq, at: u64::from(seq) * 10, by, key: key.map(str::to_owned), body }
    }

    #[test]
    fn a_record_is_read_back_as_it_was_written() {
        let records = [
            answer(1, By::Human, None, json!({"title": "Take a cell", "selection": ["12"]})),
            answer(2, By::Bot, None, json!({"selection": [{"title": "a\u{1}b", "selection": ["x", "y"]}]})),
            answer(3, By::Human, Some("k\u{0}\n\",\"by\":"), json!("\u{0}\u{f}\u{1f} é 牌 \",\"at\":")),
            Record {
                seq: 4,
                at: 50,
                by: By::Clock,
                key: None,
                body: Body::Elapsed { ask: AskId(3), seat: None },
            },
            Record { seq: 5, at: 60, by: By::House, key: None, body: Body::Pause { why: "\u{2}".into() } },
        ];
        let mut log = PackedLog::after(b"");
        for record in &records {
            log.push(&record.clone().into());
        }
        assert_eq!(log.all(), records);
        assert_eq!((log.len(), log.last_at()), (5, Some(60)));
    }

    #[test]
    fn the_chain_tells_headers_records_and_their_order_apart() {
        let one: EncodedRecord = answer(1, By::Human, None, json!("a")).into();
        let other: EncodedRecord = answer(2, By::Human, None, json!("b")).into();
        let chain_of = |header: &[u8], records: &[&EncodedRecord]| {
            let mut log = PackedLog::after(header);
            records.iter().for_each(|record| log.push(record));
            log.chain()
        };
        assert_eq!(chain_of(b"h", &[&one, &other]), chain_of(b"h", &[&one, &other]));
        let different = [
            chain_of(b"h", &[]),
            chain_of(b"g", &[]),
            chain_of(b"h", &[&one]),
            chain_of(b"h", &[&one, &other]),
            chain_of(b"h", &[&other, &one]),
            chain_of(b"g", &[&one, &other]),
        ];
        for (n, chain) in different.iter().enumerate() {
            assert!(!different[..n].contains(chain), "number {n}");
        }
    }

    #[test]
    fn an_ordinary_answer_takes_a_third_of_its_text() {
        let mut log = PackedLog::after(b"");
        let record = answer(12, By::Human, None, json!({"title": "Take a cell", "selection": ["12"]}));
        let record = EncodedRecord::from(record);
        log.push(&record);
        let (packed, text) = (log.packed.len(), record.json().len());
        assert!(packed * 3 <= text, "{packed} of {text}");
    }
}
