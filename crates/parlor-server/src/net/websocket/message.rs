//! Assembles messages from frames: joins parts, checks UTF-8, limits sizes.

use super::frame::{self, Header, Opcode, ProtocolError};

/// The largest message of a client, in bytes, over all its parts.
pub(super) const MESSAGE_BYTES_MAX: usize = 32 * 1024;
/// The largest number of parts of a message: without it, empty parts could go on for ever.
pub(super) const PARTS_MAX: u32 = 1024;

/// A client's message.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Message {
    Text(String),
    Binary(Vec<u8>),
    /// The payload goes back in a pong.
    Ping(Vec<u8>),
    Pong,
    /// The close code, if the client sent one.
    Close(Option<u16>),
}

/// A message that is still incomplete.
struct Begun {
    text: bool,
    bytes: Vec<u8>,
    parts: u32,
}

/// Assembles messages. Holds no memory between two messages.
#[derive(Default)]
pub(super) struct MessageAssembler(Option<Box<Begun>>);

impl MessageAssembler {
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Reads frames until a message is complete; returns how many bytes it has consumed, and the message.
    pub(super) fn read(&mut self, bytes: &mut [u8]) -> Result<(usize, Option<Message>), ProtocolError> {
        let mut done = 0;
        while let Some(header) = Header::read(&bytes[done..])? {
            let from = done + header.bytes;
            let Some(payload) = bytes.get_mut(from..from + header.payload_bytes) else { break };
            done = from + header.payload_bytes;
            frame::unmask(payload, header.mask);
            if let Some(message) = self.take(&header, payload)? {
                return Ok((done, Some(message)));
            }
        }
        Ok((done, None))
    }

    fn take(&mut self, header: &Header, payload: &[u8]) -> Result<Option<Message>, ProtocolError> {
        match (header.kind, &mut self.0) {
            (Opcode::Ping, _) => return Ok(Some(Message::Ping(payload.to_vec()))),
            (Opcode::Pong, _) => return Ok(Some(Message::Pong)),
            (Opcode::Close, _) => return frame::close_code(payload).map(|code| Some(Message::Close(code))),
            (Opcode::Continuation, Some(begun)) => {
                begun.parts += 1;
                if begun.bytes.len() + payload.len() > MESSAGE_BYTES_MAX || begun.parts > PARTS_MAX {
                    return Err(ProtocolError::TooBig);
                }
                begun.bytes.extend_from_slice(payload);
            }
            (Opcode::Text | Opcode::Binary, None) => {
                let text = header.kind == Opcode::Text;
                if header.last {
                    return whole(text, payload.to_vec()).map(Some);
                }
                self.0 = Some(Box::new(Begun { text, bytes: payload.to_vec(), parts: 1 }));
            }
            _ => return Err(ProtocolError::Order),
        }
        if !header.last {
            return Ok(None);
        }
        self.0.take().map(|begun| whole(begun.text, begun.bytes)).transpose()
    }
}

fn whole(text: bool, bytes: Vec<u8>) -> Result<Message, ProtocolError> {
    if text {
        String::from_utf8(bytes).map(Message::Text).map_err(|_| ProtocolError::NotText)
    } else {
        Ok(Message::Binary(bytes))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A client's frame with a mask; lengths up to 65,535 bytes.
    pub(in crate::net::websocket) fn masked(first: u8, payload: &[u8]) -> Vec<u8> {
        let mask = [0x5a, 0x00, 0xff, payload.len() as u8];
        let mut frame = vec![first];
        match u8::try_from(payload.len()) {
            Ok(length) if length < 126 => frame.push(0x80 | length),
            _ => {
                frame.push(0xfe);
                let length = u16::try_from(payload.len()).expect("a test's frame is short");
                frame.extend_from_slice(&length.to_be_bytes());
            }
        }
        frame.extend_from_slice(&mask);
        frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        frame
    }

    /// All messages in these bytes, and the error after them, if there is one.
    fn all(mut bytes: Vec<u8>) -> (Vec<Message>, Option<ProtocolError>) {
        let (mut joiner, mut messages, mut done) = (MessageAssembler::default(), Vec::new(), 0);
        loop {
            match joiner.read(&mut bytes[done..]) {
                Ok((_, None)) => return (messages, None),
                Ok((used, Some(message))) => {
                    done += used;
                    messages.push(message);
                }
                Err(fault) => return (messages, Some(fault)),
            }
        }
    }

    fn text(text: &str) -> Message {
        Message::Text(text.to_owned())
    }

    #[test]
    fn parts_make_a_message_and_what_comes_between_them_is_heard_at_once() {
        let said = [
            masked(0x01, b"Gr\xc3"),
            masked(0x89, b"there?"),
            masked(0x00, b""),
            masked(0x8a, b""),
            masked(0x80, b"\xbc\xc3\x9fe"),
            masked(0x82, b"\x00\xff"),
        ];
        let heard = [
            Message::Ping(b"there?".to_vec()),
            Message::Pong,
            text("Grüße"),
            Message::Binary(b"\x00\xff".to_vec()),
        ];
        assert_eq!(all(said.concat()), (heard.into(), None));
    }

    #[test]
    fn every_fault_ends_the_reading_and_has_its_code() {
        let big = vec![b'x'; 16 * 1024];
        let rows: [(&str, Vec<Vec<u8>>, ProtocolError, u16); 14] = [
            ("more of nothing", vec![masked(0x80, b"x")], ProtocolError::Order, 1002),
            (
                "another message inside one",
                vec![masked(0x01, b"x"), masked(0x81, b"y")],
                ProtocolError::Order,
                1002,
            ),
            ("another first part", vec![masked(0x02, b"x"), masked(0x02, b"y")], ProtocolError::Order, 1002),
            ("a ping in parts", vec![masked(0x09, b"x")], ProtocolError::Control, 1002),
            ("a ping of 126 bytes", vec![masked(0x89, &[0; 126])], ProtocolError::Control, 1002),
            ("an extension's bit", vec![masked(0xc1, b"x")], ProtocolError::ReservedBits, 1002),
            ("an unknown kind", vec![masked(0x83, b"x")], ProtocolError::UnknownKind, 1002),
            ("half a close code", vec![masked(0x88, b"x")], ProtocolError::CloseCode, 1002),
            (
                "a close code of nobody",
                vec![masked(0x88, &1005_u16.to_be_bytes())],
                ProtocolError::CloseCode,
                1002,
            ),
            ("a reason that is no text", vec![masked(0x88, b"\x03\xe8\xc3")], ProtocolError::NotText, 1007),
            ("a text that is none", vec![masked(0x81, b"\xff")], ProtocolError::NotText, 1007),
            (
                "half a character at the end",
                vec![masked(0x01, b"x"), masked(0x80, b"\xc3")],
                ProtocolError::NotText,
                1007,
            ),
            ("a frame that is too big", vec![masked(0x82, &[0; 16 * 1024 + 1])], ProtocolError::TooBig, 1009),
            (
                "a message that is too big",
                vec![masked(0x01, &big), masked(0x00, &big), masked(0x80, b"x")],
                ProtocolError::TooBig,
                1009,
            ),
        ];
        for (what, said, fault, code) in rows {
            assert_eq!(all(said.concat()), (Vec::new(), Some(fault)), "{what}");
            assert_eq!(fault.close().0, code, "{what}");
        }
    }

    #[test]
    fn as_much_as_is_allowed_is_taken() {
        let big = vec![b'x'; 16 * 1024];
        let said = [masked(0x01, &big), masked(0x80, &big), masked(0x89, &[7; 125])];
        let heard = vec![text(&"x".repeat(MESSAGE_BYTES_MAX)), Message::Ping(vec![7; 125])];
        assert_eq!(all(said.concat()), (heard, None));
    }

    #[test]
    fn parts_without_a_byte_have_an_end() {
        let mut said = masked(0x01, b"");
        (2..=PARTS_MAX).for_each(|_| said.extend(masked(0x00, b"")));
        assert_eq!(all(said.clone()), (Vec::new(), None));
        said.extend(masked(0x80, b""));
        assert_eq!(all(said), (Vec::new(), Some(ProtocolError::TooBig)));
    }
}
