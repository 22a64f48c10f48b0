//! Hearts on a transport of your own: JSON lines over TCP, four players, one thread that owns the table.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use parlor::host::{Command, ConnId, Effect, NewTable, Occupant, RecordWrite, Table};
use parlor::script::Script;
use parlor::wire::{ClientMessage, ServerMessage};
use parlor::{Outcome, Seat, Seed, Viewer};
use serde_json::json;

pub(crate) fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let players: Vec<_> = (0..4).map(|_| thread::spawn(move || play(address))).collect();
    let (outcome, log) = host(&listener);
    let answers: usize = players.into_iter().map(|player| player.join().expect("a player plays on")).sum();
    println!("{answers} answers, {} writes: {outcome:?}", log.len());
    assert!(answers >= 4 * 13, "a deal has thirteen tricks");
}

/// Owns the table until its match is over. What it would store is in the list.
fn host(listener: &TcpListener) -> (Outcome, Vec<RecordWrite>) {
    let began = Instant::now();
    let now = || began.elapsed().as_millis() as u64;
    let chairs = (0..4).map(|seat| Occupant::human(&format!("Player {seat}"))).collect();
    let new = NewTable::new(parlor_hearts::Hearts::def(), Seed::from_text("take it from the system"), chairs);
    let opened = Table::open(new.rules(json!({"until": 0})), 0);
    let (mut table, effects) = opened.expect("four can play one deal");
    let (mut effects, mut log, mut sockets) = (VecDeque::from(effects), Vec::new(), Vec::new());
    let (mailbox, mail) = mpsc::channel();
    for (seat, socket) in (0..4).zip(listener.incoming().map_while(Result::ok)) {
        let (mailbox, lines) = (mailbox.clone(), lines(&socket));
        sockets.push(socket);
        let (conn, viewer) = (ConnId(seat), Viewer::Seat(Seat::new(seat as u8)));
        effects.extend(table.handle(now(), Command::Connect { conn, viewer, last_v: None }));
        thread::spawn(move || lines.for_each(|line| drop(mailbox.send((conn, line)))));
    }
    let mut wake = u64::MAX;
    loop {
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Append(write) => {
                    // Make it durable here. Only then is the table told so, and releases what may be seen.
                    effects.extend(table.handle(now(), write.stored()));
                    log.push(write);
                }
                Effect::Send { conn, message } => {
                    let _ = writeln!(sockets[conn.0 as usize], "{}", json!(*message)); // a lost player comes back
                }
                Effect::Wake { at } => wake = at,
                Effect::Finished => {
                    sockets.iter().for_each(|socket| drop(socket.shutdown(Shutdown::Both)));
                    return (table.current_match().outcome().expect("it is over").clone(), log);
                }
                _ => {} // money, programs that play, players who come and go
            }
        }
        let wait = Duration::from_millis(wake.saturating_sub(now()).min(60_000));
        let command =
            mail.recv_timeout(wait).map_or(Some(Command::Tick), |(conn, line): (ConnId, String)| {
                let message = ClientMessage::read(serde_json::from_str(&line).ok()?).ok()?;
                Command::from_client(conn, message)
            });
        effects.extend(command.into_iter().flat_map(|command| table.handle(now(), command)));
    }
}

/// A player: answers the first request of every message with its first choices. Returns how often.
fn play(address: SocketAddr) -> usize {
    let mut socket = TcpStream::connect(address).expect("the host listens");
    let answer = |line: String| {
        let message: ServerMessage = serde_json::from_str(&line).expect("the host speaks the protocol");
        let prompt = message.requests()?.first()?;
        let (input, data) = (prompt.input_id, prompt.selector.first_legal());
        Some(json!({"type": "game_action", "action": "answer", "inputId": input, "data": data}))
    };
    lines(&socket).filter_map(answer).map(|line| writeln!(socket, "{line}")).take_while(Result::is_ok).count()
}

fn lines(socket: &TcpStream) -> impl Iterator<Item = String> + use<> {
    BufReader::new(socket.try_clone().expect("one more handle")).lines().map_while(Result::ok)
}
