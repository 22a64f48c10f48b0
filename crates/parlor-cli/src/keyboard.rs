//! Reads lines from stdin with a timeout: a clock may run out while the player thinks.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How many lines are read ahead of the table; the rest stay in the pipe.
const AHEAD_LINES: usize = 16;

/// What a read from stdin gave.
pub(crate) enum Heard {
    /// One line, without its line break.
    Line(String),
    /// No line before the timeout.
    Nothing,
    /// The end of the input.
    Closed,
}

/// Stdin, read by its own thread.
pub(crate) struct Keyboard {
    lines: Receiver<String>,
    /// Whether stdin is a terminal. Piped answers wait until a request is shown.
    pub(crate) live: bool,
}

impl Keyboard {
    /// Starts reading stdin.
    pub(crate) fn open() -> Self {
        let (sender, lines) = sync_channel(AHEAD_LINES);
        std::thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            let mut bytes = Vec::new();
            // A read error ends the input like its regular end does: no more answers come.
            while matches!(stdin.read_until(b'\n', &mut bytes), Ok(1..)) {
                let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
                if sender.send(line).is_err() {
                    return;
                }
                bytes.clear();
            }
        });
        Self::new(lines, io::stdin().is_terminal())
    }

    /// A keyboard that reads lines from a channel.
    pub(crate) fn new(lines: Receiver<String>, live: bool) -> Self {
        Self { lines, live }
    }

    /// The next line, if it arrives within this time.
    pub(crate) fn hear(&self, within: Option<Duration>) -> Heard {
        let heard = match within {
            None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(within) => self.lines.recv_timeout(within),
        };
        match heard {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::Closed,
        }
    }
}
