//! `slow`: two seats alternate on time banks with a bonus each round; a seat that runs out loses a point.

use parlor_core::ask::one;
use parlor_core::game::Menu;
use parlor_core::{
    Ask, AskId, Asks, Choice, Game, Input, Outcome, Output, Refusal, Response, Rng, Seat, Seats, Selector,
    Setup, TimeLimit, Undo, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Settings;

/// Time for each answer before the bank is used, in milliseconds.
pub const BASE_MS: u32 = 200;
/// What a round adds to each bank, in milliseconds.
pub const BONUS_MS: u32 = 500;
/// The largest bank, in milliseconds.
pub const CAP_MS: u32 = 1200;
const TURNS: u32 = 8;

/// The seat to move, and how often each seat ran out of time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Slow {
    turn: u32,
    late: [i64; 2],
}

impl Slow {
    fn mover(&self) -> Seat {
        Seat::new((self.turn % 2) as u8)
    }

    fn menu() -> Menu<u8> {
        Menu::new("Tick", vec![0, 1], |n| Choice::new(if *n == 0 { "tick" } else { "tock" }))
    }

    fn next(&mut self, out: &mut impl Output<serde_json::Value>) {
        self.turn += 1;
        if self.turn.is_multiple_of(2) {
            out.add_time(Seats::first(2), BONUS_MS, CAP_MS);
        }
        out.emit(Seats::ALL, json!({"type": "turn", "turn": self.turn, "late": self.late}));
    }
}

impl Game for Slow {
    const NAME: &'static str = "slow";
    const TITLE: &'static str = "Slow (probe)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
    const UNDO: Undo = Undo::Consent;
    type Settings = Settings;
    type Answer = Response;
    type Move = u8;
    type Event = serde_json::Value;
    type Carry = ();
    type View<'a> = serde_json::Value;

    fn start(_: Setup<'_, Self>, _: &mut Rng, out: &mut impl Output<Self::Event>) -> Result<Self, Refusal> {
        out.add_time(Seats::first(2), BONUS_MS, CAP_MS);
        Ok(Self { turn: 0, late: [0; 2] })
    }

    fn open_asks(&self) -> Asks {
        if self.turn == TURNS {
            return Asks::new();
        }
        one(Ask::turn(self.turn, self.mover()).clock(TimeLimit::Bank { base_ms: BASE_MS }))
    }

    fn legal(&self, _: Seat, _: AskId, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }

    fn check(&self, _: Seat, _: AskId, answer: &Response) -> Result<u8, Refusal> {
        Self::menu().check(answer)
    }

    fn to_answer(&self, _: Seat, _: AskId, mv: &u8) -> Response {
        Self::menu().to_answer(mv)
    }

    fn apply(&mut self, input: Input<u8>, _: &mut Rng, out: &mut impl Output<Self::Event>) {
        if let Input::Elapsed { seat: Some(seat), .. } = input {
            self.late[seat.index()] += 1;
        }
        self.next(out);
    }

    fn request(&self, _: Seat, _: AskId) -> Selector {
        Self::menu().selector
    }

    fn view(&self, _: Viewer) -> Self::View<'_> {
        json!({"turn": self.turn, "late": self.late})
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.turn == TURNS).then(|| Outcome::ranked(&self.late.map(|late| -late), "time"))
    }
}
