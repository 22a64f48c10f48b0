//! Where the effects of a script go.

use parlor_core::{Account, Json, Out, Seats, Told};
use serde::Serialize;

/// Tells events, moves tokens, gives time. While a segment is run again, and in a simulation, nobody listens and nothing
/// is even encoded.
#[derive(Default)]
pub struct Effects {
    pub(crate) told: Told,
    pub(crate) listening: bool,
}

impl Effects {
    /// Tells these viewers what happened. What a viewer sees changes only with what he is told.
    #[inline]
    pub fn tell(&mut self, to: Seats, event: impl Serialize) {
        if self.listening {
            Out::tell(&mut self.told, to, event);
        }
    }

    /// Tells everybody what happened.
    #[inline]
    pub fn tell_all(&mut self, event: impl Serialize) {
        self.tell(Seats::ALL, event);
    }
}

impl Out<Json> for Effects {
    fn tell(&mut self, to: Seats, event: Json) {
        Self::tell(self, to, event);
    }

    fn post(&mut self, from: Account, to: Account, amount: i64) {
        if self.listening {
            Out::<Json>::post(&mut self.told, from, to, amount);
        }
    }

    fn bank(&mut self, seats: Seats, add_ms: u32, cap_ms: u32) {
        if self.listening {
            Out::<Json>::bank(&mut self.told, seats, add_ms, cap_ms);
        }
    }

    #[inline]
    fn shown(&mut self) {
        if self.listening {
            Out::<Json>::shown(&mut self.told);
        }
    }
}
