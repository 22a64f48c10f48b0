//! Lines from stdin, without waiting for them longer than one wants: a clock may run out in the meantime.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Lines read ahead of the table; the rest wait in the pipe.
const AHEAD_LINES: usize = 16;

/// What came from stdin.
pub(crate) enum Heard {
    /// One line, without its end.
    Line(String),
    /// Nothing within the time.
    Nothing,
    /// There is nothing more to come.
    Closed,
}

/// Stdin, read by a thread of its own.
pub(crate) struct Keyboard {
    lines: Receiver<String>,
    /// Whether a person types. Piped answers wait until they are asked for.
    pub(crate) live: bool,
}

impl Keyboard {
    /// Starts to read stdin.
    pub(crate) fn open() -> Self {
        let (sender, lines) = sync_channel(AHEAD_LINES);
        std::thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            let mut bytes = Vec::new();
            // The end of the input and a broken one are the same to a table: nobody answers any more.
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

    /// Lines from anywhere.
    pub(crate) fn new(lines: Receiver<String>, live: bool) -> Self {
        Self { lines, live }
    }

    /// The next line, if one comes within this time.
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
