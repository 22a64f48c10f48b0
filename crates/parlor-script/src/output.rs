//! Where the effects of a script go.

use parlor_core::{Account, Json, Output, OutputBuffer, Seats};
use serde::Serialize;

/// Tells events, moves tokens, gives time. While a segment is run again, and in a simulation, nobody listens and nothing
/// is even encoded.
#[derive(Default)]
pub struct ScriptOutput {
    pub(crate) output: OutputBuffer,
    pub(crate) listening: bool,
}

impl ScriptOutput {
    /// Tells these viewers what happened. What a viewer sees changes only with what he is told.
    #[inline]
    pub fn emit(&mut self, to: Seats, event: impl Serialize) {
        if self.listening {
            Output::emit(&mut self.output, to, event);
        }
    }

    /// Tells everybody what happened.
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
