//! The output of a script.

use parlor_core::{Account, Json, Output, OutputBuffer, Seats};
use serde::Serialize;

/// Emits events, posts tokens, adds time. While a segment is run again, and in a simulation, it discards everything
/// before it is encoded.
#[derive(Default)]
pub struct ScriptOutput {
    pub(crate) output: OutputBuffer,
    pub(crate) listening: bool,
}

impl ScriptOutput {
    /// Emits an event to these viewers. A viewer's view changes only together with an event to them.
    #[inline]
    pub fn emit(&mut self, to: Seats, event: impl Serialize) {
        if self.listening {
            Output::emit(&mut self.output, to, event);
        }
    }

    /// Emits an event to every viewer.
    #[inline]
    pub fn emit_all(&mut self, event: impl Serialize) {
        self.emit(Seats::ALL, event);
    }
}

impl Output<Json> for ScriptOutput {
    fn emit(&mut self, to: Seats, event: Json) {
        Self::emit(self, to, event);
    }

    fn post(&mut self, from: Account, to: Account, amount: i64) {
        if self.listening {
            Output::<Json>::post(&mut self.output, from, to, amount);
        }
    }

    fn add_time(&mut self, seats: Seats, add_ms: u32, cap_ms: u32) {
        if self.listening {
            Output::<Json>::add_time(&mut self.output, seats, add_ms, cap_ms);
        }
    }

    #[inline]
    fn mark_revealed(&mut self) {
        if self.listening {
            Output::<Json>::mark_revealed(&mut self.output);
        }
    }
}
