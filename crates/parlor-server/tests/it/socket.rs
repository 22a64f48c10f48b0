//! The socket, byte by byte: violations are answered as RFC 6455 says, and any client may commit them.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{House, call, config, play_out};

/// A client's frame with a mask of zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        length @ 0..126 => bytes.push(0x80 | length as u8),
        length @ 126..65_536 => {
            bytes.push(0xfe);
            bytes.extend_from_slice(&(length as u16).to_be_bytes());
        }
        length => {
            bytes.push(0xff);
            bytes.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
    bytes.extend_from_slice(&[0; 4]);
    bytes.extend_from_slice(payload);
    bytes
}

/// A stream after a request for an upgrade, with these bytes right behind the request.
async fn asked(house: &House, path: &str, behind: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(house.server.addr).await.expect("connects");
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAECAwQFBgcICQoLDA0ODw==\r\n\r\n",
        house.server.addr
    );
    stream.write_all(&[head.as_bytes(), behind].concat()).await.expect("it is taken");
    stream
}

/// All frames up to the end of the stream: the first byte and the payload of each.
async fn frames(stream: &mut TcpStream) -> Vec<(u8, Vec<u8>)> {
    let mut all = Vec::new();
    let reading = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut all));
    // The connection may be reset while the client is still sending; it may have been answered all the same.
    let _ = reading.await.expect("the server hangs up");
    let head = all.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    assert!(all.starts_with(b"HTTP/1.1 101 "), "{:?}", String::from_utf8_lossy(&all[..head]));
    let (mut rest, mut frames) = (&all[head..], Vec::new());
    while let [first, short, tail @ ..] = rest {
        let (length, tail) = match short {
            126 => (usize::from(u16::from_be_bytes([tail[0], tail[1]])), &tail[2..]),
            short => (usize::from(*short), tail),
        };
        frames.push((*first, tail[..length].to_vec()));
        rest = &tail[length..];
    }
    frames
}

/// The code and the reason of the close frame, if the last frame is one.
fn close_sent(frames: &[(u8, Vec<u8>)]) -> Option<(u16, String)> {
    let (_, payload) = frames.last().filter(|(first, _)| *first == 0x88)?;
    let (code, reason) = payload.split_first_chunk()?;
    Some((u16::from_be_bytes(*code), String::from_utf8_lossy(reason).into_owned()))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_closes_the_socket_with_its_code() {
    let house = House::open().await;
    house.create("t", "oxo", 1).await;
    let empty_parts = [frame(0x01, b""), frame(0x00, b"").repeat(5000)].concat();
    let rows: [(&str, Vec<u8>, u16, &str); 12] = [
        ("a bit of an extension", frame(0xc1, b"{}"), 1002, "reserved_bits"),
        ("a kind that there is not", frame(0x83, b"{}"), 1002, "unknown_frame"),
        ("no mask", vec![0x81, 2, b'{', b'}'], 1002, "unmasked_frame"),
        (
            "a length of more bytes than it needs",
            vec![0x81, 0xfe, 0, 2, 0, 0, 0, 0, b'{', b'}'],
            1002,
            "long_length",
        ),
        ("a ping of 126 bytes", frame(0x89, &[b'x'; 126]), 1002, "bad_control_frame"),
        ("more of nothing", frame(0x80, b"{}"), 1002, "parts_out_of_order"),
        ("a code that is never sent", frame(0x88, &1006_u16.to_be_bytes()), 1002, "bad_close_code"),
        ("half a character", [frame(0x01, b"\"\xc3"), frame(0x80, b"\"")].concat(), 1007, "not_utf8"),
        ("a frame of 16 KiB and a byte", frame(0x82, &[b'x'; 16 * 1024 + 1]), 1009, "too_big"),
        ("a frame of 100,000 bytes", frame(0x82, &[b'x'; 100_000]), 1009, "too_big"),
        (
            "a message of three frames of 16 KiB",
            [frame(0x01, &[b'x'; 16 * 1024]), frame(0x00, &[b'x'; 16 * 1024]).repeat(2)].concat(),
            1009,
            "too_big",
        ),
        ("parts without a byte and without an end", empty_parts, 1009, "too_big"),
    ];
    for (what, said, code, reason) in rows {
        let mut stream = asked(&house, "/ws/t", &said).await;
        assert_eq!(close_sent(&frames(&mut stream).await), Some((code, reason.to_owned())), "{what}");
    }
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_asks_for_no_socket_gets_none() {
    let house = House::open().await;
    let (status, problem) = house.rest("GET", "/ws", None, None).await;
    assert_eq!((status, problem["code"].as_str()), (426, Some("not_a_socket")));
    let asks = [("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")];
    let (status, problem) = call(house.server.addr, "GET", "/ws", None, None, &asks).await;
    assert_eq!((status, problem["code"].as_str()), (400, Some("socket_key")));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_speaks_before_the_answer_is_heard_and_a_farewell_comes_back() {
    let house = House::open().await;
    let ping = json!({"type": "ping"}).to_string();
    // In one write with the request, and in two frames of which the second is cut.
    let said = [frame(0x81, ping.as_bytes()), frame(0x01, &ping.as_bytes()[..4])].concat();
    let mut stream = asked(&house, "/ws", &said).await;
    let rest = [frame(0x89, b"there?"), frame(0x80, &ping.as_bytes()[4..]), frame(0x88, b"\x0f\xa0done")];
    stream.write_all(&rest.concat()).await.expect("it is taken");
    let frames = frames(&mut stream).await;
    let kinds: Vec<u8> = frames.iter().map(|(first, _)| *first).collect();
    assert_eq!(kinds.iter().filter(|first| **first == 0x81).count(), 2, "both are answered: {kinds:x?}");
    assert!(frames.contains(&(0x8a, b"there?".to_vec())), "{kinds:x?}");
    assert_eq!(close_sent(&frames), Some((4000, String::new())));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pings_are_answered_and_count_as_messages() {
    let house =
        House::with(parlor_server::Config { messages_burst: 5, messages_per_second: 1, ..config() }).await;
    house.create("t", "oxo", 1).await;
    let mut client = house.client("t", "json").await;
    for n in 0..8_u8 {
        client.raw(Message::Ping(vec![n].into())).await;
    }
    let (mut last, mut refused) = (None, 0);
    while last != Some(7) || refused < 3 {
        let frame = tokio::time::timeout(Duration::from_secs(20), client.socket.next()).await;
        match frame.expect("it goes on").expect("it is open").expect("it is sound") {
            Message::Pong(payload) => last = payload.first().copied(),
            Message::Text(text) => {
                assert!(text.contains("rate_limited"), "{text}");
                refused += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(refused <= 3, "five of the eight were within the limit");
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_only_half_hangs_up_is_gone_and_others_play_on() {
    let house = House::open().await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let connections = async || {
        let (_, text) = house.rest("GET", "/metrics", None, None).await;
        let text = text.as_str().expect("text").to_owned();
        text.lines().find_map(|line| line.strip_prefix("parlor_connections ").map(str::to_owned))
    };
    assert_eq!(connections().await.as_deref(), Some("2"));
    let mut half: Vec<TcpStream> = Vec::new();
    for said in [&b""[..], &frame(0x81, b"{\"type\":\"ping\"}")[..9], &frame(0x01, b"{")] {
        let mut stream = asked(&house, "/ws/t", said).await;
        // Waits for the response: a client that closes before it has no connection.
        stream.readable().await.expect("it is answered");
        stream.shutdown().await.expect("it can be shut");
        half.push(stream);
    }
    for stream in &mut half {
        assert_eq!(frames(stream).await, [], "nobody is there to be told anything");
    }
    for _ in 0..100 {
        if connections().await.as_deref() == Some("2") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(connections().await.as_deref(), Some("2"), "nothing is left of those who hung up");
    tokio::join!(play_out(&mut first), play_out(&mut second));
    house.server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_pings_and_never_reads_costs_nobody_else_anything() {
    let house = House::with(parlor_server::Config {
        messages_per_second: 1_000_000,
        messages_burst: 1_000_000,
        ..config()
    })
    .await;
    let [mut first, mut second] = house.pair("t", "oxo").await;
    let mut rude = house.client("t", "json").await;
    let flood = async {
        for n in 0..30_000_u32 {
            if rude.socket.feed(Message::Ping(vec![n as u8; 125].into())).await.is_err() {
                break;
            }
        }
        rude.socket.flush().await
    };
    let (flooded, over, _) = tokio::join!(flood, play_out(&mut first), play_out(&mut second));
    assert!(flooded.is_ok(), "it is heard, however little it hears");
    assert!(over["over"].is_object());
    house.server.stop().await;
}
