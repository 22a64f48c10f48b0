//! Programs outside of the server that play as bots: an operator names a command, and it speaks the house's messages,
//! one JSON object a line, on its standard input and output.
//!
//! A program is a client like any other, with the view of its seat and nothing else. One that ends, is too slow, or
//! answers wrongly loses the seat to the game's own bot.

use std::process::Stdio;
use std::time::Duration;

use parlor_core::Viewer;
use parlor_host::{Command, ConnId, Submit};
use parlor_wire::codec::FRAME_BYTES_MAX;
use parlor_wire::{ClientMessage, Codec, FirstRequest, ServerMessage};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::Instant;

use super::listener::Listener;
use super::{Mail, TableHandle, TableTask};
use crate::config::BotProgram;
use crate::net::bounded_queue::Receiver;
use crate::net::outbox::{Out, Outbox};

impl TableTask {
    /// Starts the programs that play seats of this table.
    pub(super) fn start_programs(&mut self) {
        for (seat, name) in self.table.programs() {
            let Some(handle) = self.hub.running(self.id.as_str()) else { return };
            let known = self.hub.config.bot_programs.iter().find(|program| program.name == name);
            let child = known.map(|program| (program.clone(), start(program)));
            let Some((program, Ok(child))) = child else {
                tracing::warn!(table = %self.id, program = name, "a bot's program does not start");
                self.handle(Command::ProgramFailed { seat });
                continue;
            };
            let conn = self.hub.new_conn();
            let (out, rx, _) = Outbox::new(self.hub.config.outbox_max);
            self.listeners.insert(conn, Listener::of_program(out, seat.into()));
            self.handle(Command::Connect { conn, viewer: Viewer::Seat(seat), last_v: None });
            let table = self.id.to_string();
            tokio::spawn(async move {
                let why = Running { program, conn, handle: handle.clone(), due: None }.run(child, rx).await;
                if let Err(why) = why {
                    tracing::warn!(table, seat = seat.index(), why, "a bot's program has failed");
                    let failed = Mail::Do {
                        command: Box::new(Command::ProgramFailed { seat }),
                        at: std::time::Instant::now(),
                    };
                    let _ = handle.tx.send(failed).await;
                }
                let _ = handle.tx.send(Mail::Detach { conn, by_server: true }).await;
            });
        }
    }
}

fn start(program: &BotProgram) -> std::io::Result<Child> {
    let Some((command, arguments)) = program.command.split_first() else {
        return Err(std::io::Error::new(std::io::ErrorKind::NotFound, "no command"));
    };
    tokio::process::Command::new(command)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
}

/// A program that plays a seat.
struct Running {
    program: BotProgram,
    conn: ConnId,
    handle: TableHandle,
    /// When it must have answered.
    due: Option<Instant>,
}

impl Running {
    /// Carries messages both ways until the table lets go of the program, or the program fails.
    async fn run(mut self, mut child: Child, mut rx: Receiver<Out>) -> Result<(), &'static str> {
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no standard input or output");
        };
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new();
        loop {
            let late = self.due.unwrap_or_else(|| Instant::now() + Duration::from_secs(3600));
            tokio::select! {
                out = rx.recv() => match out {
                    Some(out) => {
                        if self.give(&mut stdin, out).await? {
                            return Ok(());
                        }
                    }
                    None => return Ok(()),
                },
                read = read_line(&mut stdout, &mut line) => {
                    read?;
                    self.take(&line).await?;
                    line.clear();
                }
                () = tokio::time::sleep_until(late) => {
                    if self.due.is_some() {
                        return Err("it is too slow");
                    }
                }
            }
        }
    }

    /// Writes one message to the program; returns whether the table has let go of it.
    async fn give(&mut self, stdin: &mut ChildStdin, out: Out) -> Result<bool, &'static str> {
        let mut bytes = match out {
            Out::Message { message, .. } => {
                match message.first_request() {
                    FirstRequest::Unchanged => {}
                    FirstRequest::None => self.due = None,
                    FirstRequest::Input(_) => {
                        self.due =
                            Some(Instant::now() + Duration::from_millis(self.program.answer_ms.max(1)));
                    }
                }
                if matches!(&**message, ServerMessage::Refused { .. }) {
                    return Err("it answers wrongly");
                }
                Codec::Json.encode(&*message)
            }
            Out::Session(news) => Codec::Json.encode(&*news),
            Out::Close(_) => return Ok(true),
            Out::Started(_) | Out::Unseated => return Ok(false),
        };
        bytes.push(b'\n');
        let patience = Duration::from_millis(self.program.answer_ms.max(1));
        match tokio::time::timeout(patience, stdin.write_all(&bytes)).await {
            Ok(Ok(())) => Ok(false),
            Ok(Err(_)) => Err("it has ended"),
            Err(_) => Err("it does not read"),
        }
    }

    /// Takes one line of the program as a message of its seat.
    async fn take(&mut self, line: &[u8]) -> Result<(), &'static str> {
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let value = Codec::Json.decode(line).map_err(|_| "it writes what is no JSON")?;
        let message = ClientMessage::read(value).map_err(|_| "it writes what is no message")?;
        let conn = self.conn;
        let command = match message {
            ClientMessage::Answer { names, answer, request_key } => {
                Command::Submit(conn, Submit { to: names, answer, key: request_key })
            }
            ClientMessage::Words(words) => Command::Dialect { seat: None, conn, name: String::new(), words },
            _ => return Ok(()),
        };
        let mail = Mail::Do { command: Box::new(command), at: std::time::Instant::now() };
        self.handle.tx.send(mail).await.map_err(|_| "the table is gone")
    }
}

/// Reads one line, which may not be longer than a frame.
async fn read_line(stdout: &mut BufReader<ChildStdout>, line: &mut Vec<u8>) -> Result<(), &'static str> {
    let room = (FRAME_BYTES_MAX + 1).saturating_sub(line.len()) as u64;
    match stdout.take(room).read_until(b'\n', line).await {
        Ok(0) => Err("it has ended"),
        Ok(_) if line.ends_with(b"\n") => Ok(()),
        Ok(_) if line.len() > FRAME_BYTES_MAX => Err("it writes lines that are too long"),
        Ok(_) => Err("it has ended"),
        Err(_) => Err("it cannot be read"),
    }
}
