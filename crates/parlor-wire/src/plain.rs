//! A fast path for answers, the message that comes with every move: decoded straight from its bytes.
//!
//! It decodes only plain frames: the fields of an answer, each once, without fractions or deep nesting. It leaves
//! anything else to the general decoder, which names every fault.

use parlor_core::Json;
use serde_json::Map;

use parlor_core::AnswerTarget;

use crate::client::ClientMessage;
use crate::codec::FRAME_BYTES_MAX;

/// The maximum nesting depth of a plain answer; far less than a frame may have.
const DEPTH_MAX: usize = 6;

impl ClientMessage {
    /// Decodes a plain answer in MessagePack. None says nothing about the frame, except that the general decoder must
    /// read it.
    #[must_use]
    pub fn plain_answer(frame: &[u8]) -> Option<Self> {
        if frame.len() > FRAME_BYTES_MAX {
            return None;
        }
        let mut bytes = Bytes(frame);
        let (mut kind, mut action, mut data) = (None, None, None);
        let (mut input, mut head, mut request_key) = (None, None, None);
        for _ in 0..bytes.entries()? {
            match bytes.text()? {
                "type" => once(&mut kind, bytes.text()?)?,
                "action" => once(&mut action, bytes.text()?)?,
                "data" => once(&mut data, bytes.value(DEPTH_MAX)?)?,
                "inputId" => once(&mut input, bytes.number()?)?,
                "branchId" => once(&mut head, bytes.number()?)?,
                "requestKey" => once(&mut request_key, bytes.text()?.to_owned())?,
                _ => return None,
            }
        }
        if (kind, action) != (Some("game_action"), Some("answer")) || !bytes.0.is_empty() {
            return None;
        }
        let names =
            input.map(AnswerTarget::Input).or(head.map(AnswerTarget::Head)).unwrap_or(AnswerTarget::Latest);
        Some(Self::Answer { names, answer: data?, request_key })
    }
}

/// A frame that has a field twice is not plain.
fn once<T>(field: &mut Option<T>, value: T) -> Option<()> {
    field.replace(value).is_none().then_some(())
}

/// The bytes still to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    /// The next bytes as a big-endian number.
    fn count(&mut self, bytes: usize) -> Option<u64> {
        Some(self.take(bytes)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn first(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    /// The header of a map.
    fn entries(&mut self) -> Option<usize> {
        self.first().filter(|first| first & 0xf0 == 0x80).map(|first| usize::from(first & 0x0f))
    }

    fn text(&mut self) -> Option<&'a str> {
        let first = self.first()?;
        self.text_after(first)
    }

    fn text_after(&mut self, first: u8) -> Option<&'a str> {
        let length = match first {
            0xa0..=0xbf => usize::from(first & 0x1f),
            0xd9 => self.count(1)? as usize,
            0xda => self.count(2)? as usize,
            _ => return None,
        };
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn number(&mut self) -> Option<u32> {
        match self.first()? {
            small @ 0..=0x7f => Some(small.into()),
            0xcc => self.count(1).map(|number| number as u32),
            0xcd => self.count(2).map(|number| number as u32),
            0xce => self.count(4).map(|number| number as u32),
            _ => None,
        }
    }

    fn value(&mut self, depth_left: usize) -> Option<Json> {
        let first = self.first()?;
        Some(match first {
            0..=0x7f => Json::from(first),
            0x80..=0x8f => {
                let mut map = Map::new();
                for _ in 0..first & 0x0f {
                    let name = self.text()?.to_owned();
                    map.insert(name, self.value(depth_left.checked_sub(1)?)?);
                }
                Json::Object(map)
            }
            0x90..=0x9f => {
                // Each item takes at least a byte: do not reserve for more than can come.
                let items = usize::from(first & 0x0f);
                let mut list = Vec::with_capacity(items.min(self.0.len()));
                for _ in 0..items {
                    list.push(self.value(depth_left.checked_sub(1)?)?);
                }
                Json::Array(list)
            }
            0xc0 => Json::Null,
            0xc2 => Json::Bool(false),
            0xc3 => Json::Bool(true),
            0xcc => Json::from(self.count(1)?),
            0xcd => Json::from(self.count(2)?),
            0xce => Json::from(self.count(4)?),
            0xcf => Json::from(self.count(8)?),
            0xe0..=0xff => Json::from(first as i8),
            text => Json::String(self.text_after(text)?.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use parlor_core::Rng;
    use serde_json::json;

    use super::*;
    use crate::codec::Codec;

    /// The general decoder's result.
    fn by_value(frame: &[u8]) -> Option<ClientMessage> {
        ClientMessage::read(Codec::MessagePack.decode(frame).ok()?).ok()
    }

    fn frames() -> Vec<Vec<u8>> {
        let long = "x".repeat(300);
        [
            json!({"type": "game_action", "action": "answer", "data": {"title": "Play", "selection": ["2♣"]}, "inputId": 3}),
            json!({"type": "game_action", "action": "answer", "data": null, "branchId": 70_000, "requestKey": "k"}),
            json!({"data": [true, false, -1, -32, 127, 128, 255, 256, 65_536, 4_294_967_296_u64, {}], "inputId": 255,
                "branchId": 1, "action": "answer", "type": "game_action"}),
            json!({"type": "game_action", "action": "answer", "data": {"a": {"b": [[["c"]]]}, "t": long}}),
        ]
        .iter()
        .map(|message| Codec::MessagePack.encode(message))
        .collect()
    }

    #[test]
    fn an_answer_that_is_written_plainly_is_read_as_it_is_by_a_value() {
        for frame in frames() {
            let plain = ClientMessage::plain_answer(&frame);
            assert!(plain.is_some(), "{frame:x?}");
            assert_eq!(plain, by_value(&frame));
        }
    }

    #[test]
    fn what_is_no_plain_answer_is_left_to_those_who_know_its_faults() {
        let deep = (0..DEPTH_MAX + 1).fold(json!(1), |inner, _| json!([inner]));
        for message in [
            json!({"type": "ping"}),
            json!({"type": "game_action", "action": "undo", "data": {}}),
            json!({"type": "game_action", "action": "answer"}),
            json!({"type": "game_action", "action": "answer", "data": 1, "inputId": -1}),
            json!({"type": "game_action", "action": "answer", "data": 1, "inputId": 4_294_967_296_u64}),
            json!({"type": "game_action", "action": "answer", "data": 1, "inputId": null}),
            json!({"type": "game_action", "action": "answer", "data": 1, "requestKey": 7}),
            json!({"type": "game_action", "action": "answer", "data": 1.5}),
            json!({"type": "game_action", "action": "answer", "data": deep}),
            json!({"type": "game_action", "action": "answer", "data": 1, "dialect": "x"}),
            json!(["game_action", "answer", 1]),
        ] {
            assert_eq!(ClientMessage::plain_answer(&Codec::MessagePack.encode(&message)), None, "{message}");
        }
        let twice = b"\x84\xa4type\xabgame_action\xa6action\xa6answer\xa4data\x01\xa4data\x02";
        assert_eq!(ClientMessage::plain_answer(twice), None, "a field that is there twice");
    }

    #[test]
    fn whatever_a_frame_becomes_on_the_way_nothing_is_read_that_the_long_way_reads_otherwise() {
        let mut rng = Rng::fast(1);
        let (mut plain, frames) = (0, frames());
        for n in 0..20_000 {
            let mut frame = frames[n % frames.len()].clone();
            for _ in 0..=rng.below(3) {
                let at = rng.below(frame.len() as u32) as usize;
                match rng.below(9) {
                    0 => frame.truncate(at + 1),
                    1 => frame.insert(at, rng.below(256) as u8),
                    _ => frame[at] = rng.below(256) as u8,
                }
            }
            if let Some(message) = ClientMessage::plain_answer(&frame) {
                plain += 1;
                assert_eq!(Some(message), by_value(&frame), "{frame:x?}");
            }
        }
        assert!(plain > 1000, "{plain} of them were still plain");
    }
}
