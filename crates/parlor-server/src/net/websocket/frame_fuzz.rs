//! Any bytes on a socket: they are messages or a fault, and the same ones in whatever parts they arrive.

use parlor_testkit::fuzz::Fuzz;

use super::frame::ProtocolError;
use super::message::tests::masked;
use super::message::{MESSAGE_BYTES_MAX, Message, MessageAssembler};

/// All messages in bytes that arrive in parts of this size, and the fault that ends them.
fn heard(bytes: &[u8], part: usize) -> (Vec<Message>, Option<ProtocolError>) {
    let (mut assembler, mut input, mut messages) = (MessageAssembler::default(), Vec::new(), Vec::new());
    for part in bytes.chunks(part.max(1)) {
        input.extend_from_slice(part);
        loop {
            match assembler.read(&mut input) {
                Ok((used, message)) => {
                    input.drain(..used);
                    let Some(message) = message else { break };
                    messages.push(message);
                }
                Err(fault) => return (messages, Some(fault)),
            }
        }
    }
    (messages, None)
}

fn read(bytes: &[u8]) -> String {
    let whole = heard(bytes, bytes.len());
    for part in [1, 7, 2048] {
        assert_eq!(heard(bytes, part), whole, "in parts of {part}");
    }
    let kinds = whole.0.iter().take(6).map(|message| match message {
        Message::Text(text) => {
            assert!(text.len() <= MESSAGE_BYTES_MAX);
            "text"
        }
        Message::Binary(bytes) => {
            assert!(bytes.len() <= MESSAGE_BYTES_MAX);
            "binary"
        }
        Message::Ping(_) => "ping",
        Message::Pong => "pong",
        Message::Close(Some(_)) => "close with a code",
        Message::Close(None) => "close",
    });
    format!("{} {:?}", kinds.collect::<Vec<_>>().join(" "), whole.1)
}

#[test]
fn the_frame_reader_takes_any_bytes() {
    let parts =
        [masked(0x01, b"Gr\xc3"), masked(0x89, b"there?"), masked(0x00, b""), masked(0x80, b"\xbc\xc3\x9fe")];
    let seeds = vec![
        masked(0x81, b"{\"type\":\"ping\"}"),
        parts.concat(),
        [masked(0x82, &[0x81, 0xa4, b't']), masked(0x8a, b""), masked(0x88, b"\x03\xe8bye")].concat(),
        masked(0x82, &[7; 300]),
        [masked(0x02, &[1; 16_000]), masked(0x00, &[2; 16_000]), masked(0x80, &[3; 768])].concat(),
        [masked(0x88, b""), masked(0x81, b"after")].concat(),
    ];
    let words = ["\u{1}\u{0}", "\u{0}\u{0}", "\u{9}", "\u{8}"];
    Fuzz { name: "frames", seeds, words: &words, codec: None, bytes_max: 40_000 }.run(read);
}
