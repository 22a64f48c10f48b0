//! Money before moves: an input that costs its sender something waits until the store has set that aside.
//!
//! Apart from the table because one thing must hold here: whatever happens to an input that waits, its reservation is
//! used by exactly one record or given back. An input waits outside of the match: it is checked again when its turn
//! comes, and nobody else waits for it.

use parlor_core::{HouseCode, Refusal, Seat};

use super::Table;
use super::submit::refused;
use crate::chairs::Occupant;
use crate::command::{ConnId, Effect, Submit};

/// Inputs of one table that may wait at the same time; each seat has one at most.
pub(super) const RESERVATIONS_MAX: usize = 32;

/// What waits for its money.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Waiting {
    /// A player who takes a seat.
    Sit { who: Occupant, stake: i64 },
    /// An answer, and the message of the dialect that it came in.
    Answer { submit: Submit, words: Option<parlor_core::Json> },
}

/// One input that waits.
#[derive(Clone, PartialEq, Debug)]
struct Reservation {
    id: u64,
    conn: ConnId,
    seat: Seat,
    waiting: Waiting,
}

/// The inputs of a table that wait.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Reservations {
    last: u64,
    open: Vec<Reservation>,
}

impl Reservations {
    /// Whether an input of this seat waits.
    pub(super) fn has(&self, seat: Seat) -> bool {
        self.open.iter().any(|open| open.seat == seat)
    }

    fn add(&mut self, conn: ConnId, seat: Seat, waiting: Waiting) -> Result<u64, Refusal> {
        if self.has(seat) || self.open.len() >= RESERVATIONS_MAX {
            return Err(Refusal::of(
                HouseCode::Busy,
                "another payment for this seat is not finished; try again",
            ));
        }
        self.last += 1;
        self.open.push(Reservation { id: self.last, conn, seat, waiting });
        Ok(self.last)
    }

    fn take(&mut self, id: u64) -> Option<Reservation> {
        let index = self.open.iter().position(|open| open.id == id)?;
        Some(self.open.remove(index))
    }
}

impl Table {
    /// Lets an input wait until this amount is set aside.
    pub(super) fn reserve(
        &mut self,
        conn: ConnId,
        seat: Seat,
        amount: i64,
        waiting: Waiting,
    ) -> Result<(), Refusal> {
        let id = self.reservations.add(conn, seat, waiting)?;
        self.out.push(Effect::Reserve { id, conn, seat, amount });
        Ok(())
    }

    /// The money is there: the input is checked again and applied.
    pub(super) fn reserved(&mut self, now: u64, id: u64) {
        let Some(Reservation { conn, seat, waiting, .. }) = self.reservations.take(id) else {
            return self.out.push(Effect::Release { id });
        };
        let result = match waiting {
            Waiting::Sit { who, stake } => {
                let result = self.take_seat(now, seat, who, stake, Some((seat, id)));
                self.out.push(Effect::Sat { conn, seat, result: result.clone() });
                result
            }
            Waiting::Answer { submit, words } => {
                let key = submit.key.clone();
                let result = self.answer_paid(now, conn, seat, submit, (seat, id));
                if let (Ok(()), Some(words)) = (&result, words) {
                    self.keys.note_words(seat, key.as_deref(), &words);
                }
                self.reply_result(conn, seat, key, &result);
                result
            }
        };
        if let Err(refusal) = result {
            self.out.push(Effect::Release { id });
            self.after_refusal(now, &refusal);
        }
    }

    /// The money is not there: only this input is refused.
    pub(super) fn not_reserved(&mut self, id: u64, why: &Refusal) {
        let Some(Reservation { conn, seat, waiting, .. }) = self.reservations.take(id) else { return };
        match waiting {
            Waiting::Sit { .. } => self.out.push(Effect::Sat { conn, seat, result: Err(why.clone()) }),
            Waiting::Answer { submit, .. } => {
                let head = self.current.head(seat.into());
                self.reply(conn, refused(submit.key, why, head));
            }
        }
    }
}
