//! Tests the socket against another project's client, and against streams that give and take one byte at a time.

use futures_util::{FutureExt, SinkExt, StreamExt};
use parlor_core::Rng;
use parlor_testkit::world::test_luck;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Theirs;
use tokio_tungstenite::tungstenite::protocol::Role;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::buffer_pool;
use super::frame::{Opcode, ProtocolError};
use super::message::tests::masked;
use super::message::{MESSAGE_BYTES_MAX, Message};
use super::stream::{RecvError, WebSocket};

type Ours = WebSocket<DuplexStream>;

/// Our socket and the other end of its stream, which buffers this many bytes.
fn pair(under_way: usize) -> (Ours, DuplexStream) {
    let (ours, theirs) = duplex(under_way);
    (WebSocket::new(ours, Vec::new()), theirs)
}

/// The same with another project's client.
async fn foreign(under_way: usize) -> (Ours, WebSocketStream<DuplexStream>) {
    let (ours, theirs) = pair(under_way);
    (ours, WebSocketStream::from_raw_socket(theirs, Role::Client, None).await)
}

fn run<T>(test: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("there is a runtime").block_on(test)
}

/// Queues a frame, and waits for the client if much is queued: as a connection does.
async fn feed(ours: &mut Ours, kind: Opcode, payload: &[u8]) -> Result<(), RecvError> {
    ours.put(kind, payload)?;
    if ours.is_full() { ours.flush().await } else { Ok(()) }
}

/// What has arrived by now. Lets other tasks run first, because a task that never yields runs out of its budget.
async fn heard_now(ours: &mut Ours) -> Option<Result<Message, RecvError>> {
    tokio::task::yield_now().await;
    ours.recv().now_or_never()
}

fn payload(rng: &mut Rng, most: u32, text: bool) -> Vec<u8> {
    // Small payloads and those near the borders of the length codes matter most.
    let length = match rng.below(4) {
        0 => rng.below(140),
        1 => [125, 126, 127, 2047, 2048, 2049, 65_535, 65_536][rng.below(8) as usize].min(most),
        _ => rng.below(most + 1),
    };
    if text {
        let letters = ['a', 'ß', '€', '🂡'];
        let mut words = String::new();
        while words.len() + 4 <= length as usize {
            words.push(letters[rng.below(4) as usize]);
        }
        return words.into_bytes();
    }
    (0..length).map(|_| rng.below(256) as u8).collect()
}

/// The frames of one message, in parts, with pings and pongs between them.
fn frames(rng: &mut Rng, text: bool, bytes: &[u8]) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut rest = bytes;
    let mut kind = if text { Data::Text } else { Data::Binary };
    loop {
        let cut = match rng.below(3) {
            0 => rest.len(),
            _ => rng.below(rest.len() as u32 + 1) as usize,
        };
        let (part, tail) = rest.split_at(cut.min(16 * 1024));
        rest = tail;
        let last = rest.is_empty() && rng.below(4) > 0;
        frames.push(Frame::message(part.to_vec(), OpCode::Data(kind), last));
        if last {
            return frames;
        }
        kind = Data::Continue;
        if rng.below(3) == 0 {
            let said: Vec<u8> = (0..rng.below(126)).map(|_| rng.below(256) as u8).collect();
            frames.push(if rng.below(2) == 0 { Frame::ping(said) } else { Frame::pong(said) });
        }
    }
}

#[test]
fn a_foreign_client_and_the_server_hear_each_other_as_each_has_spoken() {
    for seed in 0..60_u64 {
        run(async {
            let mut rng = test_luck(seed);
            let under_way = [1, 7, 64, 1000, 100_000][rng.below(5) as usize];
            let most = if under_way == 1 { 3000 } else { MESSAGE_BYTES_MAX as u32 };
            let (mut ours, theirs) = foreign(under_way).await;
            let said: Vec<(bool, Vec<u8>)> = (0..20)
                .map(|_| {
                    let text = rng.below(2) == 0;
                    (text, payload(&mut rng, most, text))
                })
                .collect();
            let answers: Vec<(bool, Vec<u8>)> = (0..20)
                .map(|_| {
                    let text = rng.below(2) == 0;
                    (text, payload(&mut rng, if under_way == 1 { 3000 } else { 70_000 }, text))
                })
                .collect();
            let (mut to_us, mut from_us) = theirs.split();
            let mut parts = test_luck(seed + 1000);
            let speaking = async {
                for (text, bytes) in &said {
                    for frame in frames(&mut parts, *text, bytes) {
                        to_us.send(Theirs::Frame(frame)).await.expect("it is taken");
                    }
                }
            };
            let serving = async {
                let mut heard = Vec::new();
                for (n, (text, bytes)) in answers.iter().enumerate() {
                    loop {
                        match ours.recv().await.expect("it keeps to the rules") {
                            Message::Text(text) => break heard.push((true, text.into_bytes())),
                            Message::Binary(bytes) => break heard.push((false, bytes)),
                            Message::Ping(_) | Message::Pong => {}
                            Message::Close(_) => panic!("it does not go"),
                        }
                    }
                    feed(&mut ours, if *text { Opcode::Text } else { Opcode::Binary }, bytes)
                        .await
                        .expect("it is there");
                    if n % 3 != 0 {
                        ours.flush().await.expect("it is there");
                    }
                }
                ours.flush().await.expect("it is there");
                heard
            };
            let hearing = async {
                let mut heard = Vec::new();
                while heard.len() < answers.len() {
                    match from_us.next().await.expect("it goes on").expect("we keep to the rules") {
                        Theirs::Text(text) => heard.push((true, text.as_bytes().to_vec())),
                        Theirs::Binary(bytes) => heard.push((false, bytes.to_vec())),
                        Theirs::Pong(_) => {}
                        other => panic!("we do not say {other:?}"),
                    }
                }
                heard
            };
            let ((), by_us, by_them) = tokio::join!(speaking, serving, hearing);
            assert!(by_us == said, "seed {seed}: what the client said");
            assert!(by_them == answers, "seed {seed}: what the server said");
            assert!(ours.keeps_nothing(), "seed {seed}");
        });
    }
}

/// Frames of every kind, and the messages they make.
fn script() -> (Vec<u8>, Vec<Message>) {
    let long = "ä".repeat(200);
    let bytes = [
        masked(0x81, "Grüße".as_bytes()),
        masked(0x01, &long.as_bytes()[..131]),
        masked(0x89, b"?"),
        masked(0x00, b""),
        masked(0x80, &long.as_bytes()[131..]),
        masked(0x82, b""),
        masked(0x8a, b"!"),
        masked(0x88, b"\x03\xe9bye"),
    ];
    let said = vec![
        Message::Text("Grüße".to_owned()),
        Message::Ping(b"?".to_vec()),
        Message::Text(long),
        Message::Binary(Vec::new()),
        Message::Pong,
        Message::Close(Some(1001)),
    ];
    (bytes.concat(), said)
}

#[test]
fn it_does_not_matter_where_the_bytes_are_split() {
    let (bytes, said) = script();
    for at in 0..=bytes.len() {
        run(async {
            let (mut ours, mut theirs) = pair(4096);
            let mut heard = Vec::new();
            for piece in [&bytes[..at], &bytes[at..]] {
                theirs.write_all(piece).await.expect("there is room");
                while let Some(message) = heard_now(&mut ours).await {
                    heard.push(message.expect("it keeps to the rules"));
                    if heard.len() == said.len() {
                        break;
                    }
                }
            }
            assert_eq!(heard, said, "split at {at}");
        });
    }
}

#[test]
fn who_stops_waiting_for_a_message_loses_nothing() {
    let (bytes, said) = script();
    run(async {
        let (mut ours, mut theirs) = pair(1);
        let mut heard = Vec::new();
        for byte in bytes {
            theirs.write_all(&[byte]).await.expect("there is room");
            // One future per byte.
            heard.extend(heard_now(&mut ours).await);
        }
        assert_eq!(heard.into_iter().collect::<Result<Vec<_>, _>>(), Ok(said));
    });
}

#[test]
fn what_came_with_the_request_is_heard_first() {
    run(async {
        let (ours, mut theirs) = duplex(64);
        let mut ours: Ours = WebSocket::new(ours, masked(0x81, b"first"));
        theirs.write_all(&masked(0x81, b"second")).await.expect("there is room");
        assert_eq!(ours.recv().await, Ok(Message::Text("first".to_owned())));
        assert_eq!(ours.recv().await, Ok(Message::Text("second".to_owned())));
    });
}

#[test]
fn a_flood_of_pings_is_answered_and_piles_nothing_up() {
    run(async {
        let (mut ours, mut theirs) = pair(64);
        for n in 0..5000_u32 {
            let ping = masked(0x89, &[n.to_be_bytes(); 31].concat());
            for piece in ping.chunks(60) {
                theirs.write_all(piece).await.expect("there is room");
                let _ = heard_now(&mut ours).await;
            }
            assert!(ours.waiting_bytes() <= 2 * 127, "{} bytes wait after {n} pings", ours.waiting_bytes());
        }
        // Now the client reads: it gets a pong for the last ping, and for earlier ones as far as there was room.
        let last = [4999_u32.to_be_bytes(); 31].concat();
        let mut got = Vec::new();
        while !got.ends_with(&last) {
            let _ = heard_now(&mut ours).await;
            let mut piece = [0; 64];
            let bytes = theirs.read(&mut piece).await.expect("it is there");
            got.extend_from_slice(&piece[..bytes]);
        }
        assert!(got.len() <= 4 * 127, "{} bytes of pongs", got.len());
        assert_eq!(&got[..2], &[0x8a, 124]);
        let _ = heard_now(&mut ours).await;
        assert!(ours.keeps_nothing());
    });
}

#[test]
fn a_silent_socket_is_small_and_keeps_no_buffer() {
    assert!(size_of::<WebSocket>() <= 192, "{} bytes", size_of::<WebSocket>());
    run(async {
        let (mut ours, mut theirs) = pair(200_000);
        feed(&mut ours, Opcode::Binary, &[7; 60_000]).await.expect("it is there");
        feed(&mut ours, Opcode::Text, b"x").await.expect("it is there");
        ours.flush().await.expect("it is there");
        theirs.write_all(&masked(0x82, &[7; 10_000])).await.expect("there is room");
        assert_eq!(ours.recv().await, Ok(Message::Binary(vec![7; 10_000])));
        assert!(heard_now(&mut ours).await.is_none());
        assert!(ours.keeps_nothing());
    });
}

#[test]
fn who_does_not_read_has_what_waits_for_him_and_not_the_threads_buffer() {
    run(async {
        buffer_pool::give(Vec::with_capacity(50_000));
        let (mut ours, mut theirs) = pair(100);
        feed(&mut ours, Opcode::Binary, &[7; 1000]).await.expect("there is room to gather it");
        assert!(ours.flush().now_or_never().is_none(), "he does not read");
        assert_eq!(ours.waiting_bytes(), 1004 - 100);
        assert_eq!(ours.room_bytes(), 1004 - 100);
        assert!(buffer_pool::take().capacity() >= 50_000, "the next may have it");
        let reading = async {
            let mut all = vec![0; 1004];
            theirs.read_exact(&mut all).await.map(|_| all)
        };
        let (flushed, all) = tokio::join!(ours.flush(), reading);
        assert_eq!((flushed, &all.expect("all of it")[..6]), (Ok(()), &[0x82, 126, 3, 232, 7, 7][..]));
        assert!(ours.keeps_nothing());
    });
}

#[test]
fn a_farewell_comes_back_with_its_code_and_nothing_after_it() {
    for (said, back) in
        [(masked(0x88, b"\x0f\xa1see you"), &b"\x88\x02\x0f\xa1"[..]), (masked(0x88, b""), &b"\x88\x00"[..])]
    {
        run(async {
            let (mut ours, mut theirs) = pair(64);
            theirs.write_all(&said).await.expect("there is room");
            assert!(matches!(ours.recv().await, Ok(Message::Close(_))));
            assert_eq!(feed(&mut ours, Opcode::Text, b"too late").await, Err(RecvError::Gone));
            let hanging_up = async {
                let mut all = Vec::new();
                theirs.read_to_end(&mut all).await.expect("it ends");
                drop(theirs);
                all
            };
            let ((), all) = tokio::join!(ours.close(1000, "closed"), hanging_up);
            assert_eq!(all, back);
        });
    }
}

#[test]
fn a_client_hears_why_it_is_over_even_while_it_talks() {
    run(async {
        let (mut ours, mut theirs) = foreign(1000).await;
        let talking = async {
            for _ in 0..50 {
                let _ = theirs.send(Theirs::Binary(vec![1; 1000].into())).await;
            }
            let close = loop {
                match theirs.next().await {
                    Some(Ok(Theirs::Close(Some(frame)))) => {
                        break (u16::from(frame.code), frame.reason.to_string());
                    }
                    Some(Ok(_)) => {}
                    other => panic!("no farewell, but {other:?}"),
                }
            };
            let _ = theirs.close(None).await;
            drop(theirs);
            close
        };
        let ((), close) = tokio::join!(ours.close(4001, "join_timeout"), talking);
        assert_eq!(close, (4001, "join_timeout".to_owned()));
    });
}

#[test]
fn a_client_that_never_hangs_up_is_waited_for_no_longer_than_asked() {
    run(async {
        let (mut ours, theirs) = pair(1000);
        let closing = tokio::time::timeout(std::time::Duration::from_millis(30), ours.close(1000, "left"));
        assert!(closing.await.is_err(), "it waits for the other side to hang up");
        drop(theirs);
    });
}

#[test]
fn who_hangs_up_is_gone_whatever_he_was_saying() {
    let (bytes, said) = script();
    let whole = masked(0x81, "Grüße".as_bytes()).len();
    for at in 0..bytes.len() - 1 {
        run(async {
            let (mut ours, mut theirs) = pair(4096);
            theirs.write_all(&bytes[..at]).await.expect("there is room");
            theirs.shutdown().await.expect("it can be shut");
            let mut heard = Vec::new();
            let end = loop {
                match ours.recv().await {
                    Ok(message) => heard.push(message),
                    Err(end) => break end,
                }
            };
            assert_eq!(end, RecvError::Gone);
            assert!(said.starts_with(&heard));
            assert_eq!(heard.is_empty(), at < whole, "hung up after {at} bytes");
        });
    }
}

#[test]
fn a_fault_ends_it_and_what_came_before_was_heard() {
    run(async {
        let (mut ours, mut theirs) = pair(4096);
        let said = [masked(0x81, b"fine"), masked(0x81, b"\xff")].concat();
        theirs.write_all(&said).await.expect("there is room");
        assert_eq!(ours.recv().await, Ok(Message::Text("fine".to_owned())));
        assert_eq!(ours.recv().await, Err(RecvError::ProtocolError(ProtocolError::NotText)));
    });
}

#[test]
fn what_waits_for_who_does_not_read_has_an_end() {
    run(async {
        let (mut ours, theirs) = pair(10);
        let mut taken = 0;
        for _ in 0..1000 {
            // Each future that feeds it is dropped while it waits.
            taken += usize::from(!matches!(
                feed(&mut ours, Opcode::Text, &[b'x'; 1000]).now_or_never(),
                Some(Err(_))
            ));
        }
        assert!((129..=132).contains(&taken), "{taken} messages of 1000 bytes");
        assert!(ours.waiting_bytes() <= 130 * 1024);
        drop(theirs);
    });
}

#[test]
fn nothing_comes_after_a_farewell_not_even_an_answer_that_waited() {
    run(async {
        let (mut ours, mut theirs) = pair(64);
        feed(&mut ours, Opcode::Text, &[b'x'; 100]).await.expect("there is room to gather it");
        assert!(ours.flush().now_or_never().is_none(), "he does not read");
        theirs.write_all(&[masked(0x89, b"?"), masked(0x88, b"")].concat()).await.expect("there is room");
        assert_eq!(ours.recv().await, Ok(Message::Ping(b"?".to_vec())));
        assert_eq!(ours.recv().await, Ok(Message::Close(None)));
        let reading = async {
            let mut all = vec![0; 104];
            theirs.read_exact(&mut all).await.map(|_| all)
        };
        let (flushed, all) = tokio::join!(ours.flush(), reading);
        assert_eq!((flushed, &all.expect("all of it")[102..]), (Ok(()), &b"\x88\x00"[..]));
        assert_eq!(ours.flush().await, Ok(()));
        drop(ours);
        let mut rest = Vec::new();
        theirs.read_to_end(&mut rest).await.expect("it ends");
        assert_eq!(rest, b"");
    });
}

/// A stream such as TLS keeps bytes back that the client did not take: they are sent on without another message.
#[test]
fn what_a_stream_keeps_back_is_sent_on() {
    run(async {
        let (ours, mut theirs) = duplex(16);
        let mut ours = WebSocket::new(tokio::io::BufWriter::with_capacity(4096, ours), Vec::new());
        ours.put(Opcode::Binary, &[7; 100]).expect("there is room");
        assert!(ours.flush().now_or_never().is_none(), "not all of it is under way");
        assert!(ours.recv().now_or_never().is_none());
        let reads = async {
            let mut heard = [0; 102];
            theirs.read_exact(&mut heard).await.expect("the whole frame");
            heard
        };
        let heard = tokio::select! {
            heard = reads => heard,
            heard = ours.recv() => panic!("{heard:?}: the client says nothing"),
        };
        assert_eq!((&heard[..2], &heard[2..]), (&[0x82, 100][..], &[7; 100][..]));
    });
}
