//! Adds the wall clock of each deadline to a message. It is not part of the data that is numbered and hashed.
//!
//! A message in MessagePack gets it in place: to decode and encode every message of a table with clocks would cost more than
//! to make it.

use parlor_core::Json;
use parlor_wire::Codec;
use serde_json::json;

/// The parts of a message whose entries may have a deadline.
const TIMED: [&str; 2] = ["requests", "clocks"];
/// Match time, in milliseconds.
const UNTIL: &str = "until";
const DEADLINE: &str = "deadlineTs";

/// Adds it to a message as JSON.
pub(super) fn add_to_json(value: &mut Json, wall_at_zero: i64) {
    for name in TIMED {
        for clock in value.get_mut(name).and_then(Json::as_array_mut).into_iter().flatten() {
            if let Some(until) = clock.get(UNTIL).and_then(Json::as_u64) {
                clock[DEADLINE] = json!(wall_at_zero + until as i64);
            }
        }
    }
}

/// The same message in MessagePack with it; none if these bytes are no message.
pub(super) fn add_to_packed(packed: &[u8], wall_at_zero: i64) -> Option<Vec<u8>> {
    let mut rest = packed;
    let mut out = Vec::with_capacity(packed.len() + 64);
    let fields = take_count(&mut rest, Shape::Map)?;
    put_count(&mut out, Shape::Map, fields);
    for _ in 0..fields {
        let key = take(&mut rest)?;
        out.extend_from_slice(key);
        let timed = text(key).is_some_and(|key| TIMED.contains(&key));
        let entries = if timed { take_count(&mut rest, Shape::Array) } else { None };
        match entries {
            Some(entries) => {
                put_count(&mut out, Shape::Array, entries);
                for _ in 0..entries {
                    add_to_entry(take(&mut rest)?, wall_at_zero, &mut out)?;
                }
            }
            None => out.extend_from_slice(take(&mut rest)?),
        }
    }
    rest.is_empty().then_some(out)
}

fn add_to_entry(entry: &[u8], wall_at_zero: i64, out: &mut Vec<u8>) -> Option<()> {
    let mut rest = entry;
    let fields = take_count(&mut rest, Shape::Map)?;
    let inside = rest;
    let mut until = None;
    for _ in 0..fields {
        let (key, value) = (take(&mut rest)?, take(&mut rest)?);
        if text(key) == Some(UNTIL) {
            until = number(value);
        }
    }
    put_count(out, Shape::Map, fields + usize::from(until.is_some()));
    out.extend_from_slice(inside);
    if let Some(until) = until {
        out.extend(Codec::MessagePack.encode(&DEADLINE));
        out.extend(Codec::MessagePack.encode(&(wall_at_zero + until as i64)));
    }
    Some(())
}

/// What has a count before its values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Map,
    Array,
}

impl Shape {
    /// The marker of a short one with its mask, of one with 16 bits, and of one with 32.
    const fn markers(self) -> (u8, u8, u8) {
        match self {
            Self::Map => (0x80, 0xde, 0xdf),
            Self::Array => (0x90, 0xdc, 0xdd),
        }
    }
}

/// Reads how many values follow; nothing is read if something else does.
fn take_count(rest: &mut &[u8], shape: Shape) -> Option<usize> {
    let (short, long, longer) = shape.markers();
    let (&marker, after) = rest.split_first()?;
    let (count, len) = match marker {
        _ if marker & 0xf0 == short => (usize::from(marker & 0x0f), 0),
        _ if marker == long => (sized(after, 2)?, 2),
        _ if marker == longer => (sized(after, 4)?, 4),
        _ => return None,
    };
    *rest = &after[len..];
    Some(count)
}

fn put_count(out: &mut Vec<u8>, shape: Shape, count: usize) {
    let (short, long, longer) = shape.markers();
    match count {
        0..=15 => out.push(short | count as u8),
        16..=0xffff => {
            out.push(long);
            out.extend_from_slice(&(count as u16).to_be_bytes());
        }
        _ => {
            out.push(longer);
            out.extend_from_slice(&(count as u32).to_be_bytes());
        }
    }
}

/// A number of so many bytes, the highest first.
fn sized(bytes: &[u8], len: usize) -> Option<usize> {
    Some(bytes.get(..len)?.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
}

/// Takes one value with all that is in it.
fn take<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let all = *rest;
    let mut left = 1_usize;
    while left > 0 {
        left -= 1;
        if let Some(entries) = take_count(rest, Shape::Map) {
            left += 2 * entries;
        } else if let Some(items) = take_count(rest, Shape::Array) {
            left += items;
        } else {
            *rest = rest.get(scalar_len(rest)?..)?;
        }
    }
    all.get(..all.len() - rest.len())
}

/// How long the value is that is neither map nor array.
fn scalar_len(bytes: &[u8]) -> Option<usize> {
    let (&marker, after) = bytes.split_first()?;
    Some(match marker {
        0xa0..=0xbf => 1 + usize::from(marker & 0x1f),
        0xc4 | 0xd9 => 2 + sized(after, 1)?,
        0xc5 | 0xda => 3 + sized(after, 2)?,
        0xc6 | 0xdb => 5 + sized(after, 4)?,
        0xc7 => 3 + sized(after, 1)?,
        0xc8 => 4 + sized(after, 2)?,
        0xc9 => 6 + sized(after, 4)?,
        0xcc | 0xd0 => 2,
        0xcd | 0xd1 => 3,
        0xca | 0xce | 0xd2 => 5,
        0xcb | 0xcf | 0xd3 => 9,
        0xd4..=0xd8 => 2 + (1 << (marker - 0xd4)),
        _ => 1,
    })
}

/// A short string, as all names of fields are.
fn text(value: &[u8]) -> Option<&str> {
    let (marker, bytes) = value.split_first()?;
    matches!(marker, 0xa0..=0xbf).then(|| std::str::from_utf8(bytes).ok())?
}

/// A number that is not negative.
fn number(value: &[u8]) -> Option<u64> {
    let (marker, bytes) = value.split_first()?;
    match marker {
        0..=0x7f => Some((*marker).into()),
        0xcc..=0xcf => Some(bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes and JSON say the same, whatever is in the message.
    #[test]
    fn a_packed_message_gets_the_deadlines_that_json_gets() {
        let long: Vec<Json> =
            (0..20).map(|n| json!({"title": "x".repeat(n * 9), "n": -(n as i64) * 1000})).collect();
        let wide: serde_json::Map<String, Json> =
            (0..15).map(|n| (format!("f{n}"), json!(n * 70_000))).collect();
        let mut widest = wide.clone();
        widest.insert("until".to_owned(), json!(5));
        for message in [
            json!({"type": "pong"}),
            json!({"type": "update", "v": 7, "requests": [], "clocks": []}),
            json!({"requests": [{"inputId": 3, "until": 41_000, "choices": long}, {"kind": "draft", "until": null}]}),
            json!({"clocks": [{"seat": 1, "until": 0}, {"seat": 2}], "patch": [{"op": "add", "value": {"until": 9}}]}),
            json!({"requests": [widest], "clocks": long, "over": wide, "f": 0.5, "b": [true, null]}),
            json!({"requests": null, "clocks": 3}),
        ] {
            for wall_at_zero in [0, 1_790_000_000_000, -5] {
                let packed = rmp_serde::to_vec_named(&message).expect("packs");
                let timed = add_to_packed(&packed, wall_at_zero).expect("a message");
                let mut wanted = message.clone();
                add_to_json(&mut wanted, wall_at_zero);
                assert_eq!(rmp_serde::from_slice::<Json>(&timed).expect("MessagePack"), wanted);
            }
        }
    }

    #[test]
    fn what_is_no_message_is_left_alone() {
        let packed = rmp_serde::to_vec_named(&json!({"requests": [{"until": 70_000}]})).expect("packs");
        for end in 0..packed.len() {
            assert_eq!(add_to_packed(&packed[..end], 0), None, "{end} bytes");
        }
        assert_eq!(add_to_packed(&[0x93, 1, 2, 3], 0), None);
    }
}
