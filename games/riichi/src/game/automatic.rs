//! What a seat lets the server do: win, pass, discard what it draws. A draft, so nobody else hears of it; it holds from the
//! next question on and never acts against a win that the seat did not ask for.

use parlor_core::{Ask, AskId, Choice, Refusal, Seat as Chair, Seats, Selector};

use super::{Riichi, SEATS, TableAnswer};
use crate::pay::Seat;
use crate::table::{Action, Automatic, Phase, Table};

/// The draft that stands through the whole game. The numbers of the other asks begin at 1.
pub(super) const AUTOMATIC: AskId = AskId(0);
/// How long a tile is seen before it is discarded by itself, where the pace says nothing about it.
pub(super) const AUTOMATIC_DISCARD_MS: u32 = 600;

const CHOICES: [(&str, &str); 3] =
    [("Win", "win"), ("No calls", "no_calls"), ("Discard drawn", "discard_drawn")];

pub(super) const fn ask() -> Ask {
    Ask::draft(AUTOMATIC.0, Seats::first(SEATS))
}

/// Any of the three may be on.
pub(super) fn selector() -> Selector {
    let choice = |(title, id): (&str, &str)| Choice::new(title).id(id).kind("automatic");
    Selector::pick("Automatic", CHOICES.into_iter().map(choice).collect()).between(0, 3)
}

pub(super) fn checked(answer: &TableAnswer) -> Result<Automatic, Refusal> {
    match answer {
        TableAnswer::Automatic { automatic } => Ok(*automatic),
        TableAnswer::Picked(response) => {
            let on = selector().validate(response)?.indexes();
            let [win, no_calls, discard_drawn] = [0, 1, 2].map(|index| on.contains(&index));
            Ok(Automatic { win, no_calls, discard_drawn })
        }
        TableAnswer::Named(_) => Err(Refusal::of("invalid_action", "this is no answer to what is asked")),
    }
}

/// Every way to set it.
pub(super) fn all() -> impl Iterator<Item = Action> {
    (0..8).map(|bits| {
        let [win, no_calls, discard_drawn] = [1, 2, 4].map(|bit| bits & bit != 0);
        Action::Automatic(Automatic { win, no_calls, discard_drawn })
    })
}

/// The answer of the first seat in a window that the server gives for it.
pub(super) fn call(table: &Table, automatic: &[Automatic; SEATS as usize]) -> Option<(Seat, Action)> {
    let Phase::Window(window) = table.phase() else { return None };
    window.waiting.iter().find_map(|seat| {
        let wanted = automatic[seat.index()];
        let action = match table.offer(seat).ron {
            true => wanted.win.then_some(Action::Ron),
            false => wanted.no_calls.then_some(Action::Pass),
        };
        action.map(|action| (seat, action))
    })
}

impl Riichi {
    /// What the server does in the turn that has just begun.
    pub(super) fn automatic_turn(&self) -> Option<Action> {
        let Phase::Turn { seat, .. } = self.table.phase() else { return None };
        let wanted = self.automatic[seat.index()];
        let options = self.table.turn_options(*seat);
        let drawn = self.table.player(*seat).drawn().filter(|tile| options.discards.contains(*tile));
        match options.tsumo {
            true => wanted.win.then_some(Action::Tsumo),
            false => drawn.filter(|_| wanted.discard_drawn).map(Action::Discard),
        }
    }

    /// What is done by itself for the seat.
    pub(super) fn automatic_of(&self, chair: Chair) -> Option<Automatic> {
        self.automatic.get(chair.index()).copied()
    }
}
