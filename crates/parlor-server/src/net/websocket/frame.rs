//! One frame: its header, its mask and its errors. Pure functions on bytes; nothing here blocks.

/// The largest payload of a client's frame, in bytes.
pub(super) const FRAME_BYTES_MAX: usize = 16 * 1024;
/// The largest payload of a control frame, in bytes.
pub(super) const CONTROL_BYTES_MAX: usize = 125;
/// The longest header that the server sends, in bytes: an eight-byte length and no mask.
const SENT_HEADER_BYTES_MAX: usize = 10;

const LAST: u8 = 0x80;
const RESERVED: u8 = 0x70;
const OPCODE: u8 = 0x0f;
const MASKED: u8 = 0x80;
const LENGTH: u8 = 0x7f;
/// Length codes: the length is in the next two bytes, or in the next eight.
const IN_TWO: u8 = 126;
const IN_EIGHT: u8 = 127;

/// The kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Opcode {
    /// The next part of a message.
    Continuation,
    /// A UTF-8 message, or its first part.
    Text,
    /// A binary message, or its first part.
    Binary,
    Close,
    Ping,
    Pong,
}

impl Opcode {
    const fn opcode(self) -> u8 {
        match self {
            Self::Continuation => 0x0,
            Self::Text => 0x1,
            Self::Binary => 0x2,
            Self::Close => 0x8,
            Self::Ping => 0x9,
            Self::Pong => 0xa,
        }
    }

    fn of(opcode: u8) -> Option<Self> {
        [Self::Continuation, Self::Text, Self::Binary, Self::Close, Self::Ping, Self::Pong]
            .into_iter()
            .find(|kind| kind.opcode() == opcode)
    }

    /// Whether it is a control frame, which may come between the parts of a message.
    pub(super) const fn control(self) -> bool {
        matches!(self, Self::Close | Self::Ping | Self::Pong)
    }
}

/// What a client did wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProtocolError {
    /// A bit is set that only an extension defines.
    ReservedBits,
    /// The opcode is not defined.
    UnknownKind,
    /// A client's frame has no mask.
    Unmasked,
    /// A length in more bytes than it needs, or of more than 63 bits.
    LongLength,
    /// A control frame in parts, or with more than 125 bytes.
    Control,
    /// A continuation without a message, or a new message before the last one has ended.
    Order,
    /// A close frame with half a code, or with a code that nobody may send.
    CloseCode,
    /// A text that is not UTF-8.
    NotText,
    /// A frame or a message that is too big, or has too many parts.
    TooBig,
}

impl ProtocolError {
    /// The close code of the RFC for this error, and the reason.
    pub(crate) const fn close(self) -> (u16, &'static str) {
        match self {
            Self::ReservedBits => (1002, "reserved_bits"),
            Self::UnknownKind => (1002, "unknown_frame"),
            Self::Unmasked => (1002, "unmasked_frame"),
            Self::LongLength => (1002, "long_length"),
            Self::Control => (1002, "bad_control_frame"),
            Self::Order => (1002, "parts_out_of_order"),
            Self::CloseCode => (1002, "bad_close_code"),
            Self::NotText => (1007, "not_utf8"),
            Self::TooBig => (1009, "too_big"),
        }
    }
}

/// The header of a client's frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Header {
    pub(super) kind: Opcode,
    /// Whether it is the last frame of its message.
    pub(super) last: bool,
    /// The length of the header, in bytes.
    pub(super) bytes: usize,
    pub(super) payload_bytes: usize,
    pub(super) mask: [u8; 4],
}

impl Header {
    /// Parses a header at the front of `bytes`; `None` if it is incomplete. An error is found with the first byte
    /// that is wrong.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<Self>, ProtocolError> {
        let Some(&first) = bytes.first() else { return Ok(None) };
        if first & RESERVED != 0 {
            return Err(ProtocolError::ReservedBits);
        }
        let kind = Opcode::of(first & OPCODE).ok_or(ProtocolError::UnknownKind)?;
        let last = first & LAST != 0;
        if kind.control() && !last {
            return Err(ProtocolError::Control);
        }
        let Some(&second) = bytes.get(1) else { return Ok(None) };
        if second & MASKED == 0 {
            return Err(ProtocolError::Unmasked);
        }
        let short = second & LENGTH;
        if kind.control() && usize::from(short) > CONTROL_BYTES_MAX {
            return Err(ProtocolError::Control);
        }
        let Some((payload, at)) = length(short, bytes)? else { return Ok(None) };
        if payload > FRAME_BYTES_MAX as u64 {
            return Err(ProtocolError::TooBig);
        }
        let Some(&mask) = bytes.get(at..).and_then(<[u8]>::first_chunk) else { return Ok(None) };
        Ok(Some(Self { kind, last, bytes: at + 4, payload_bytes: payload as usize, mask }))
    }
}

/// The length of the payload and the position after it in the header; `None` if it is incomplete.
fn length(short: u8, bytes: &[u8]) -> Result<Option<(u64, usize)>, ProtocolError> {
    let rest = &bytes[2..];
    let (length, least, at) = match short {
        IN_TWO => match rest.first_chunk() {
            Some(two) => (u64::from(u16::from_be_bytes(*two)), u64::from(IN_TWO), 4),
            None => return Ok(None),
        },
        IN_EIGHT => match rest.first_chunk() {
            Some(eight) => (u64::from_be_bytes(*eight), 1 << 16, 10),
            None => return Ok(None),
        },
        short => (u64::from(short), 0, 2),
    };
    if length < least || length >> 63 != 0 {
        return Err(ProtocolError::LongLength);
    }
    Ok(Some((length, at)))
}

/// Removes or applies a mask.
pub(super) fn unmask(payload: &mut [u8], mask: [u8; 4]) {
    let [a, b, c, d] = mask;
    let word = u64::from_ne_bytes([a, b, c, d, a, b, c, d]);
    let (words, rest) = payload.as_chunks_mut::<8>();
    for eight in words {
        *eight = (u64::from_ne_bytes(*eight) ^ word).to_ne_bytes();
    }
    for (byte, mask) in rest.iter_mut().zip(mask.into_iter().cycle()) {
        *byte ^= mask;
    }
}

/// Appends a whole message or a control frame to the buffer.
pub(super) fn write(kind: Opcode, payload: &[u8], out: &mut Vec<u8>) {
    out.reserve(SENT_HEADER_BYTES_MAX + payload.len());
    out.push(LAST | kind.opcode());
    match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length), _) if length < IN_TWO => out.push(length),
        (_, Ok(length)) => {
            out.push(IN_TWO);
            out.extend_from_slice(&length.to_be_bytes());
        }
        _ => {
            out.push(IN_EIGHT);
            out.extend_from_slice(&(payload.len() as u64).to_be_bytes());
        }
    }
    out.extend_from_slice(payload);
}

/// Appends a close frame: a code and a reason, which is cut if it is too long.
pub(super) fn write_close(code: u16, reason: &str, out: &mut Vec<u8>) {
    let mut payload = code.to_be_bytes().to_vec();
    let fits = reason.floor_char_boundary(CONTROL_BYTES_MAX - payload.len());
    payload.extend_from_slice(&reason.as_bytes()[..fits]);
    write(Opcode::Close, &payload, out);
}

/// The code of a client's close frame, if it has one.
pub(super) fn close_code(payload: &[u8]) -> Result<Option<u16>, ProtocolError> {
    let Some((code, reason)) = payload.split_first_chunk() else {
        return if payload.is_empty() { Ok(None) } else { Err(ProtocolError::CloseCode) };
    };
    let code = u16::from_be_bytes(*code);
    // 1004 is reserved; 1005, 1006 and 1015 describe connections and are never sent.
    if !matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999) {
        return Err(ProtocolError::CloseCode);
    }
    std::str::from_utf8(reason).map_err(|_| ProtocolError::NotText)?;
    Ok(Some(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MASK: [u8; 4] = [1, 2, 3, 4];

    /// A client's header, built by hand: the first two bytes, the rest of the length, the mask.
    fn header(first: u8, second: u8, length: &[u8]) -> Vec<u8> {
        [&[first, second][..], length, &MASK].concat()
    }

    #[test]
    fn a_header_says_what_follows_it() {
        let rows: [(Vec<u8>, Opcode, bool, usize); 9] = [
            (header(0x81, 0x80, &[]), Opcode::Text, true, 0),
            (header(0x01, 0x85, &[]), Opcode::Text, false, 5),
            (header(0x00, 0xfd, &[]), Opcode::Continuation, false, 125),
            (header(0x80, 0xfe, &[0, 126]), Opcode::Continuation, true, 126),
            (header(0x82, 0xfe, &[0x40, 0]), Opcode::Binary, true, FRAME_BYTES_MAX),
            (header(0x88, 0x82, &[]), Opcode::Close, true, 2),
            (header(0x89, 0xfd, &[]), Opcode::Ping, true, 125),
            (header(0x8a, 0x80, &[]), Opcode::Pong, true, 0),
            (header(0x02, 0xfe, &[1, 0]), Opcode::Binary, false, 256),
        ];
        for (bytes, kind, last, payload_bytes) in rows {
            let whole = Header { kind, last, bytes: bytes.len(), payload_bytes, mask: MASK };
            assert_eq!(Header::read(&bytes), Ok(Some(whole)), "{bytes:x?}");
            for cut in 0..bytes.len() {
                assert_eq!(
                    Header::read(&bytes[..cut]),
                    Ok(None),
                    "{:x?}: the rest is still to come",
                    &bytes[..cut]
                );
            }
        }
    }

    #[test]
    fn a_fault_is_found_with_the_byte_that_is_wrong() {
        let rows: [(&[u8], ProtocolError); 17] = [
            (&[0xc1], ProtocolError::ReservedBits),
            (&[0xa2], ProtocolError::ReservedBits),
            (&[0x91], ProtocolError::ReservedBits),
            (&[0x83], ProtocolError::UnknownKind),
            (&[0x87], ProtocolError::UnknownKind),
            (&[0x8b], ProtocolError::UnknownKind),
            (&[0x8f], ProtocolError::UnknownKind),
            (&[0x08], ProtocolError::Control),
            (&[0x09], ProtocolError::Control),
            (&[0x0a], ProtocolError::Control),
            (&[0x81, 0x05], ProtocolError::Unmasked),
            (&[0x89, 0xfe], ProtocolError::Control),
            (&[0x88, 0xff], ProtocolError::Control),
            (&[0x82, 0xfe, 0, 125], ProtocolError::LongLength),
            (&[0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff], ProtocolError::LongLength),
            (&[0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0], ProtocolError::LongLength),
            (&[0x82, 0xfe, 0x40, 1], ProtocolError::TooBig),
        ];
        for (bytes, fault) in rows {
            assert_eq!(Header::read(bytes), Err(fault), "{bytes:x?}");
            assert_eq!(Header::read(&bytes[..bytes.len() - 1]), Ok(None), "{bytes:x?} but for the last byte");
        }
        assert_eq!(Header::read(&[0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 0]), Err(ProtocolError::TooBig));
    }

    #[test]
    fn a_mask_that_is_put_on_twice_is_gone() {
        for length in 0..40_u8 {
            let plain: Vec<u8> = (0..length).map(|n| n.wrapping_mul(7)).collect();
            let mut bytes = plain.clone();
            unmask(&mut bytes, MASK);
            let slowly: Vec<u8> = plain.iter().enumerate().map(|(n, byte)| byte ^ MASK[n % 4]).collect();
            assert_eq!(bytes, slowly, "{length} bytes");
            unmask(&mut bytes, MASK);
            assert_eq!(bytes, plain);
        }
    }

    #[test]
    fn what_is_sent_has_the_shortest_length_and_no_mask() {
        let rows: [(usize, &[u8]); 7] = [
            (0, &[0x82, 0]),
            (1, &[0x82, 1]),
            (125, &[0x82, 125]),
            (126, &[0x82, 126, 0, 126]),
            (255, &[0x82, 126, 0, 255]),
            (65_535, &[0x82, 126, 0xff, 0xff]),
            (65_536, &[0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ];
        for (length, expected) in rows {
            let mut out = vec![9];
            write(Opcode::Binary, &vec![7; length], &mut out);
            assert_eq!(out[0], 9, "what waits is left alone");
            assert_eq!(&out[1..=expected.len()], expected, "{length} bytes");
            assert_eq!(out.len(), 1 + expected.len() + length);
        }
    }

    #[test]
    fn a_reason_that_has_no_room_is_cut_between_characters() {
        let mut out = Vec::new();
        write_close(4001, &"ü".repeat(80), &mut out);
        assert_eq!(&out[..4], &[0x88, 124, 0x0f, 0xa1]);
        assert_eq!(std::str::from_utf8(&out[4..]), Ok("ü".repeat(61).as_str()));
    }

    #[test]
    fn a_farewell_has_a_code_that_may_be_said_or_none() {
        assert_eq!(close_code(&[]), Ok(None));
        for code in [1000, 1001, 1002, 1003, 1007, 1011, 1012, 1014, 3000, 4999_u16] {
            assert_eq!(close_code(&code.to_be_bytes()), Ok(Some(code)));
        }
        for code in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535_u16] {
            assert_eq!(close_code(&code.to_be_bytes()), Err(ProtocolError::CloseCode), "{code}");
        }
        assert_eq!(close_code(&[3]), Err(ProtocolError::CloseCode), "half a code");
        assert_eq!(close_code(b"\x03\xe8bye"), Ok(Some(1000)));
        assert_eq!(close_code(b"\x03\xe8\xff"), Err(ProtocolError::NotText));
    }
}
