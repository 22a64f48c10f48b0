//! Texts and messages packed for memory: what is kept for long and hardly ever read, such as the message that a client may
//! have missed. A part that stood before, in the same bytes or in others that are known, is named instead of written, and
//! hexadecimal digits take half a byte each. It is quick rather than tight, and never stored: it may change with any version.

/// The shortest part that is taken over. To name it costs three or four bytes.
const PART_BYTES_MIN: usize = 8;
/// The fewest digits that are written in half.
const DIGITS_MIN: usize = 16;
/// How much longer or shorter what differs may be for the rest to be looked for beside it.
const SHIFT_MAX: usize = 6;
/// How far behind a part that is looked for: what differs is a number or a card more often than not. Farther on only what is
/// noted is found.
const SHIFTED_WITHIN: usize = 12;
/// How many places are remembered at most, as a power of two.
const PLACES_BITS_MAX: u32 = 11;

/// What follows in packed bytes: so many bytes as they are, pairs of digits, bytes that stood so far back, or bytes that stand
/// there in what is known.
const PLAIN: usize = 0;
const DIGITS: usize = 1;
const BACK: usize = 2;
const KNOWN: usize = 3;
const KINDS: usize = 4;

/// Packs bytes by themselves.
#[must_use]
pub fn pack(bytes: &[u8]) -> Box<[u8]> {
    let (mut places, mut noted) = (Places::of(bytes.len()), 0);
    write(bytes, BACK, |at, _| {
        (noted..at).for_each(|at| places.note(bytes, at));
        noted = at;
        places.find(bytes, at).map(|from| (from, alike(&bytes[from..], &bytes[at..])))
    })
}

/// What stands where in bytes that are at hand when others are unpacked.
pub struct Known(Places);

impl Known {
    /// Notes what stands where in these bytes.
    #[must_use]
    pub fn new(known: &[u8]) -> Self {
        let mut places = Places::of(known.len());
        (0..known.len()).for_each(|at| places.note(known, at));
        Self(places)
    }

    /// Packs bytes as what tells them from those that are known.
    #[must_use]
    pub fn pack(&self, bytes: &[u8], known: &[u8]) -> Box<[u8]> {
        let mut part_ended = 0;
        write(bytes, KNOWN, |at, beside| {
            let first = bytes[at..].first_chunk::<PART_BYTES_MIN>()?;
            // Most places begin otherwise: they cost one comparison.
            let part = |from: usize| {
                let there = known.get(from..)?;
                (there.first_chunk() == Some(first)).then(|| (from, alike(there, &bytes[at..])))
            };
            let beside = beside?;
            let found = part(beside).or_else(|| {
                let near = at - part_ended <= SHIFTED_WITHIN;
                let shift = if near { SHIFT_MAX } else { 0 };
                let shifted = (beside.saturating_sub(shift)..=beside + shift).filter_map(part);
                let noted = self.0.find(bytes, at).and_then(part);
                shifted.chain(noted).max_by_key(|(_, len)| *len)
            });
            if let Some((_, len)) = found {
                part_ended = at + len;
            }
            found
        })
    }
}

/// Unpacks what [`pack`] has packed, or [`Known::pack`] of the same `known`.
#[must_use]
pub fn unpack(mut packed: &[u8], known: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while !packed.is_empty() {
        let head = take(&mut packed);
        let len = head / KINDS;
        match head % KINDS {
            PLAIN => all.extend_from_slice(split(&mut packed, len)),
            DIGITS => {
                for byte in split(&mut packed, len) {
                    all.extend([byte >> 4, byte & 15].map(|digit| HEX[usize::from(digit)]));
                }
            }
            KNOWN => {
                let from = take(&mut packed);
                all.extend_from_slice(&known[from..from + len]);
            }
            _ => {
                let from = all.len() - take(&mut packed);
                // It may repeat itself.
                let whole = len.min(all.len() - from);
                all.extend_from_within(from..from + whole);
                (from + whole..from + len).for_each(|at| all.push(all[at]));
            }
        }
    }
    all
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Writes bytes as parts of a kind, digits and what is left. `find` looks for the longest part that stands at a place; it is
/// told where the last one goes on, because what differs is of the same length more often than not.
fn write(
    bytes: &[u8],
    kind: usize,
    mut find: impl FnMut(usize, Option<usize>) -> Option<(usize, usize)>,
) -> Box<[u8]> {
    let mut packed = Vec::new();
    let (mut at, mut plain, mut beside) = (0, 0, Some(0));
    while at < bytes.len() {
        let part = find(at, beside).filter(|(_, len)| *len >= PART_BYTES_MIN);
        let digits = if part.is_none() { digits_at(&bytes[at..]) } else { 0 };
        if part.is_none() && digits < DIGITS_MIN {
            (at, beside) = (at + 1, beside.map(|from| from + 1));
            continue;
        }
        write_plain(&mut packed, &bytes[plain..at]);
        let (from, len) = part.unwrap_or((0, digits));
        if part.is_some() {
            put(&mut packed, len * KINDS + kind);
            put(&mut packed, if kind == BACK { at - from } else { from });
            beside = Some(from + len);
        } else {
            write_digits(&mut packed, &bytes[at..at + digits]);
            beside = beside.map(|from| from + digits);
        }
        at += len;
        plain = at;
    }
    write_plain(&mut packed, &bytes[plain..]);
    packed.into()
}

fn write_plain(packed: &mut Vec<u8>, bytes: &[u8]) {
    if !bytes.is_empty() {
        put(packed, bytes.len() * KINDS + PLAIN);
        packed.extend_from_slice(bytes);
    }
}

fn write_digits(packed: &mut Vec<u8>, digits: &[u8]) {
    put(packed, digits.len() / 2 * KINDS + DIGITS);
    let value = |digit: u8| if digit <= b'9' { digit - b'0' } else { digit - b'a' + 10 };
    packed.extend(digits.chunks_exact(2).map(|pair| value(pair[0]) << 4 | value(pair[1])));
}

/// How many bytes two texts begin with alike.
fn alike(one: &[u8], other: &[u8]) -> usize {
    let words =
        one.chunks_exact(8).zip(other.chunks_exact(8)).take_while(|(one, other)| one == other).count() * 8;
    words + one[words..].iter().zip(&other[words..]).take_while(|(one, other)| one == other).count()
}

/// The last place of what begins with bytes of each hash, plus one.
struct Places {
    last: Vec<u32>,
    bits: u32,
}

impl Places {
    fn of(len: usize) -> Self {
        let bits = (usize::BITS - len.leading_zeros()).clamp(6, PLACES_BITS_MAX);
        Self { last: vec![0; 1 << bits], bits }
    }

    /// The entry for what begins here; none at the end.
    fn slot(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let first = bytes.get(at..)?.first_chunk::<PART_BYTES_MIN>()?;
        Some(
            (u64::from_le_bytes(*first).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - self.bits))
                as usize,
        )
    }

    fn note(&mut self, bytes: &[u8], at: usize) {
        if let Some(slot) = self.slot(bytes, at) {
            self.last[slot] = at as u32 + 1;
        }
    }

    fn find(&self, bytes: &[u8], at: usize) -> Option<usize> {
        self.last[self.slot(bytes, at)?].checked_sub(1).map(|at| at as usize)
    }
}

/// How many hexadecimal digits stand at the start, an even number.
fn digits_at(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')).count() & !1
}

fn split<'a>(from: &mut &'a [u8], len: usize) -> &'a [u8] {
    let (first, rest) = from.split_at(len);
    *from = rest;
    first
}

/// Writes a number, seven bits to a byte, the lowest first.
fn put(to: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Reads a number that [`put`] has written.
fn take(from: &mut &[u8]) -> usize {
    let (mut number, mut shift) = (0, 0);
    while let Some((byte, rest)) = from.split_first() {
        *from = rest;
        number |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many bytes this takes; it is read back as it was.
    fn packed(bytes: &[u8], known: &[u8]) -> usize {
        let packed = if known.is_empty() { pack(bytes) } else { Known::new(known).pack(bytes, known) };
        assert_eq!(unpack(&packed, known), bytes);
        packed.len()
    }

    fn noise(len: usize, seed: u64) -> Vec<u8> {
        let mut state = seed;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        (0..len).map(|_| byte()).collect()
    }

    /// What one viewer of a table is told.
    fn message(seat: usize) -> Vec<u8> {
        let cards = |n: usize| if n == seat { "AsKd" } else { "????" };
        let lines: Vec<String> = (0..200).map(|n| format!("d dh p{n} {} {}", cards(n), n * 7_919)).collect();
        format!("{seat}{}", lines.join("\n")).into_bytes()
    }

    #[test]
    fn what_stood_before_is_named() {
        let text = r#"{"bet":0,"inactive":false,"intent":0,"stack":100}"#.repeat(20);
        assert!(packed(text.as_bytes(), b"") < 70);
        assert!(packed(&[7; 3_000], b"") < 20, "a part may repeat itself");
        for seat in [1, 100, 199] {
            assert!(packed(&message(seat), &message(0)) < 80, "seat {seat}");
        }
        assert!(packed(&message(3), &message(3)) < 10);
    }

    #[test]
    fn digits_take_half_a_byte() {
        let digits: String = noise(640, 1).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(packed(digits.as_bytes(), b"") <= 645);
        assert!(packed(&digits.as_bytes()[1..], b"") <= 645, "an odd one stays as it is");
        assert_eq!(packed(b"0123456789ABCDEF0", b""), 18, "capitals are no such digits");
    }

    #[test]
    fn noise_takes_hardly_more_than_it_has() {
        for len in [0, 1, 5, 6, 7, 100, 2_000, 70_000] {
            assert!(packed(&noise(len, 2), &noise(300, 3)) <= len + 4, "{len}");
        }
    }

    #[test]
    fn any_edit_of_what_is_known_is_read_back() {
        let first = message(5);
        for at in [0, 1, 7, 8, 300, first.len() - 9, first.len() - 1] {
            let mut cut = first.clone();
            cut.drain(at..(at + 5).min(first.len()));
            let mut longer = first.clone();
            longer.splice(at..at, *b"something that was not there");
            let mut changed = first.clone();
            changed[at] ^= 0x55;
            for edited in [cut, longer, changed] {
                // What is moved far is found by what is noted alone, which may lead elsewhere first.
                let moved = edited.len().abs_diff(first.len());
                assert!(packed(&edited, &first) < 60 + 8 * moved, "at {at}");
            }
        }
    }
}
