//! Makes inputs from others: by their bytes, and where they are trees of values, by their values.

use parlor_core::{Json, Rng};
use parlor_wire::Codec;
use serde_json::{Map, json};

/// Numbers at which something ends.
const NUMBERS: [&str; 16] = [
    "0",
    "-0",
    "-1",
    "1",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e400",
];
/// How often a piece is repeated, at most.
const REPEATED_MAX: u32 = 3000;

/// Mutates inputs of one kind.
pub(super) struct Mutator<'a> {
    pub(super) words: &'a [&'a str],
    pub(super) codec: Option<Codec>,
    pub(super) bytes_max: usize,
}

fn at(rng: &mut Rng, len: usize) -> usize {
    rng.below(len as u32 + 1) as usize
}

impl Mutator<'_> {
    /// A mutant of one input, with pieces of another.
    pub(super) fn mutant(&self, base: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
        let tree = self.codec.filter(|_| rng.below(3) > 0).and_then(|codec| {
            let mut value = read(codec, base)?;
            let donor = read(codec, other).unwrap_or(Json::Null);
            for _ in 0..1 + rng.below(4) {
                self.mutate_value(&mut value, &donor, rng);
            }
            Some(codec.encode(&value))
        });
        let mut bytes = match tree {
            // Sometimes the text of the new tree is damaged, too.
            Some(bytes) if rng.below(4) > 0 => return self.cut(bytes),
            Some(bytes) => bytes,
            None => base.to_vec(),
        };
        for _ in 0..1 << rng.below(4) {
            self.mutate_bytes(&mut bytes, other, rng);
        }
        self.cut(bytes)
    }

    fn cut(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.truncate(self.bytes_max);
        bytes
    }

    fn word(&self, rng: &mut Rng) -> &[u8] {
        if self.words.is_empty() || rng.below(6) == 0 {
            return rng.pick(&NUMBERS).as_bytes();
        }
        rng.pick(self.words).as_bytes()
    }

    fn mutate_bytes(&self, bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
        let len = bytes.len();
        let from = at(rng, len);
        let to = (from + at(rng, 16)).min(len);
        match rng.below(13) {
            0 if from < len => bytes[from] ^= 1 << rng.below(8),
            1 if from < len => bytes[from] = *rng.pick(&[0, 1, 0x20, 0x7f, 0x80, 0xff, b'0', b'"', b'\n']),
            2 => drop(bytes.drain(from..to)),
            3 => {
                let piece = bytes[from..to].to_vec();
                let place = at(rng, len);
                drop(bytes.splice(place..place, piece));
            }
            4 => drop(bytes.splice(from..from, self.word(rng).iter().copied())),
            5 => drop(bytes.splice(from..to, self.word(rng).iter().copied())),
            6 => {
                bytes.truncate(from);
                bytes.extend_from_slice(&other[at(rng, other.len())..]);
            }
            7 => replace_number(bytes, from, rng),
            8 => write_length(bytes, from, rng),
            9 => {
                let piece = if from < to { bytes[from..to].to_vec() } else { self.word(rng).to_vec() };
                let times = (1 + rng.below(REPEATED_MAX) as usize).min(self.bytes_max / piece.len().max(1));
                drop(bytes.splice(from..from, piece.repeat(times)));
            }
            10 => swap_lines(bytes, rng),
            11 if rng.below(4) == 0 => bytes.truncate(from),
            _ => {
                let piece: Vec<u8> = (0..=rng.below(8)).map(|_| rng.below(256) as u8).collect();
                drop(bytes.splice(from..from, piece));
            }
        }
        bytes.truncate(self.bytes_max);
    }

    fn mutate_value(&self, value: &mut Json, donor: &Json, rng: &mut Rng) {
        let place = rng.below(size(value));
        let piece = node(donor, rng.below(size(donor))).clone();
        let other = node(value, rng.below(size(value))).clone();
        let Some(node) = node_mut(value, &mut place.clone()) else { return };
        match rng.below(12) {
            0 => *node = piece,
            1 => *node = other,
            2 => *node = self.scalar(rng),
            3 => *node = json!([node.take()]),
            4 => *node = Json::Null,
            5 => {
                // Deeper than anybody needs.
                for _ in 0..1 + rng.below(100) {
                    *node = if rng.below(2) == 0 { json!([node.take()]) } else { json!({"a": node.take()}) };
                }
            }
            _ => self.mutate_children(node, piece, rng),
        }
    }

    /// What is in a list or an object is dropped, doubled, moved, renamed or added to.
    fn mutate_children(&self, node: &mut Json, piece: Json, rng: &mut Rng) {
        let word = String::from_utf8_lossy(self.word(rng)).into_owned();
        match node {
            Json::Array(items) if items.is_empty() => items.push(piece),
            Json::Array(items) => {
                let (one, two) =
                    (rng.below(items.len() as u32) as usize, rng.below(items.len() as u32) as usize);
                match rng.below(6) {
                    0 => drop(items.remove(one)),
                    1 => items.swap(one, two),
                    2 => items.insert(one, items[two].clone()),
                    3 => items.truncate(one),
                    4 => items.insert(one, piece),
                    _ => {
                        let times = 1 + rng.below(200) as usize;
                        let copies = vec![items[one].clone(); times];
                        items.splice(one..one, copies);
                    }
                }
            }
            Json::Object(map) => {
                let names: Vec<String> = map.keys().cloned().collect();
                let Some(name) = (!names.is_empty()).then(|| rng.pick(&names)) else {
                    map.insert(word, piece);
                    return;
                };
                match rng.below(5) {
                    0 => drop(map.remove(name)),
                    1 => {
                        let value = map.remove(name).unwrap_or_default();
                        map.insert(word, value);
                    }
                    2 => drop(map.insert(word, piece)),
                    3 => drop(map.insert(name.clone(), piece)),
                    _ => swap_values(map, name, rng.pick(&names[..]).as_str()),
                }
            }
            Json::String(text) => match rng.below(3) {
                0 => text.push_str(&word),
                1 => *text = text.repeat(1 + rng.below(50) as usize),
                _ => *text = text.chars().rev().collect(),
            },
            scalar => *scalar = self.scalar(rng),
        }
    }

    fn scalar(&self, rng: &mut Rng) -> Json {
        match rng.below(6) {
            0 => json!(i64::from(rng.below(300)) - 20),
            1 => rng
                .pick(&[json!(i64::MIN), json!(i64::MAX), json!(u64::MAX), json!(1_u64 << 32), json!(-1)])
                .clone(),
            2 => json!(*rng.pick(&[0.5, -0.0, 1e308, -1e18, 1e-320])),
            3 => json!(rng.below(2) == 0),
            4 => rng.pick(&[json!([]), json!({}), json!(""), Json::Null]).clone(),
            _ => json!(String::from_utf8_lossy(self.word(rng))),
        }
    }
}

/// The tree of an input, if it is one; no deeper than what encodes it can go.
fn read(codec: Codec, bytes: &[u8]) -> Option<Json> {
    match codec {
        // Files are longer than messages may be.
        Codec::Json => serde_json::from_slice(bytes).ok(),
        Codec::MessagePack => codec.decode(bytes).ok(),
    }
}

fn swap_values(map: &mut Map<String, Json>, one: &str, other: &str) {
    let taken = map.get_mut(one).map(Json::take).unwrap_or_default();
    let given = map.get_mut(other).map(|value| std::mem::replace(value, taken)).unwrap_or_default();
    if let Some(value) = map.get_mut(one).filter(|_| one != other) {
        *value = given;
    }
}

/// How many values there are in one.
fn size(value: &Json) -> u32 {
    match value {
        Json::Array(items) => 1 + items.iter().map(size).sum::<u32>(),
        Json::Object(map) => 1 + map.values().map(size).sum::<u32>(),
        _ => 1,
    }
}

/// The value of this number, in the order in which they are written.
fn node(value: &Json, number: u32) -> &Json {
    fn walk<'a>(value: &'a Json, left: &mut u32) -> Option<&'a Json> {
        if *left == 0 {
            return Some(value);
        }
        *left -= 1;
        match value {
            Json::Array(items) => items.iter().find_map(|item| walk(item, left)),
            Json::Object(map) => map.values().find_map(|item| walk(item, left)),
            _ => None,
        }
    }
    walk(value, &mut number.clone()).unwrap_or(value)
}

fn node_mut<'a>(value: &'a mut Json, left: &mut u32) -> Option<&'a mut Json> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Json::Array(items) => items.iter_mut().find_map(|item| node_mut(item, left)),
        Json::Object(map) => map.values_mut().find_map(|item| node_mut(item, left)),
        _ => None,
    }
}

/// Puts another number in place of the next one in the text.
fn replace_number(bytes: &mut Vec<u8>, from: usize, rng: &mut Rng) {
    let Some(start) = bytes[from..].iter().position(u8::is_ascii_digit).map(|skip| from + skip) else {
        return;
    };
    let end =
        bytes[start..].iter().position(|byte| !byte.is_ascii_digit()).map_or(bytes.len(), |n| start + n);
    let number = match rng.below(2) {
        0 => (*rng.pick(&NUMBERS)).to_owned(),
        _ => rng.below(200).to_string(),
    };
    bytes.splice(start..end, number.into_bytes());
}

/// Writes a number of one, two, four or eight bytes, most of them near the length of what follows.
fn write_length(bytes: &mut [u8], from: usize, rng: &mut Rng) {
    let width = 1 << rng.below(4);
    let Some(field) = bytes.get(from..).filter(|rest| rest.len() >= width) else { return };
    let rest = (field.len() - width) as u64;
    let number = match rng.below(7) {
        0 => 0,
        1 => rest.saturating_sub(1),
        2 => rest,
        3 => rest + 1,
        4 => u64::MAX,
        5 => u64::MAX >> 1,
        _ => u64::from(rng.below(1 << 20)),
    };
    bytes[from..from + width].copy_from_slice(&number.to_be_bytes()[8 - width..]);
}

fn swap_lines(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let (one, two) = (rng.below(lines.len() as u32) as usize, rng.below(lines.len() as u32) as usize);
    lines.swap(one, two);
    *bytes = lines.join(&b'\n');
}
