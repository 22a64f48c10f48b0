//! `boom`: rules that fail in every way that safe code can. The table must survive all of them.

use parlor_core::ask::one;
use parlor_core::game::Menu;
use parlor_core::{
    Ask, AskId, Asks, Choice, Game, Input, Outcome, Output, Refusal, Response, Rng, Seat, Seats, Selector,
    Setup, Undo, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Settings;

const TURNS: u32 = 5;
const WAYS: [&str; 5] = ["ok", "panic in apply", "tell for ever", "draw for ever", "panic in check"];
/// An answer with this title is refused with a code that has the same text as one of the house.
pub const SAYS_BROKEN: &str = "say broken";

/// Counts the inputs that succeeded.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Boom {
    turn: u32,
}

impl Boom {
    fn menu() -> Menu<usize> {
        Menu::new("Which?", (0..WAYS.len()).collect(), |way| Choice::new(WAYS[*way]))
    }
}

impl Game for Boom {
    const NAME: &'static str = "boom";
    const TITLE: &'static str = "Boom (probe)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
    const UNDO: Undo = Undo::Consent;
    type Settings = Settings;
    type Answer = Response;
    type Move = usize;
    type Event = serde_json::Value;
    type Carry = ();
    type View<'a> = serde_json::Value;

    fn start(_: Setup<'_, Self>, _: &mut Rng, _: &mut impl Output<Self::Event>) -> Result<Self, Refusal> {
        Ok(Self { turn: 0 })
    }

    fn open_asks(&self) -> Asks {
        if self.turn == TURNS {
            Asks::new()
        } else {
            one(Ask::turn(self.turn, Seat::new((self.turn % 2) as u8)))
        }
    }

    /// Random play only chooses `ok`; tests choose the other answers.
    fn legal(&self, _: Seat, _: AskId, moves: &mut Vec<usize>) {
        moves.push(0);
    }

    fn check(&self, _: Seat, _: AskId, answer: &Response) -> Result<usize, Refusal> {
        if answer.title.as_deref() == Some(SAYS_BROKEN) {
            return Err(Refusal::of("broken", "the rules refuse that"));
        }
        let way = Self::menu().check(answer)?;
        assert!(way != 4, "boom: the check panicked as planned");
        Ok(way)
    }

    fn to_answer(&self, _: Seat, _: AskId, mv: &usize) -> Response {
        Self::menu().to_answer(mv)
    }

    fn apply(&mut self, input: Input<usize>, rng: &mut Rng, out: &mut impl Output<Self::Event>) {
        let Input::Answer { mv, .. } = input else { return };
        self.turn += 1;
        match mv {
            1 => panic!("boom: the rules panicked as planned"),
            2 => loop {
                out.emit(Seats::ALL, json!("again"));
            },
            3 => loop {
                rng.below(6);
            },
            _ => out.emit(Seats::ALL, json!({"type": "ok", "turn": self.turn})),
        }
    }

    fn request(&self, _: Seat, _: AskId) -> Selector {
        Self::menu().selector
    }

    fn view(&self, _: Viewer) -> Self::View<'_> {
        json!({"turn": self.turn})
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.turn == TURNS).then(|| Outcome::draw(2, "nothing broke"))
    }
}
