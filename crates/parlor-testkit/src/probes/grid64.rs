//! Grid64: two seats take turns on 64 cells, and the board clears when it is full. A game for measuring servers.

use parlor_core::ask::one;
use parlor_core::{
    Ask, AskId, Asks, Choice, Game, Input, Lobby, Outcome, Output, Refusal, Response, Rng, Seat, Seats,
    Selector, Setup, Viewer,
};
use serde::{Deserialize, Serialize};

const CELLS: u8 = 64;
const TITLE: &str = "Take a cell";

/// What a table may set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Moves after which the match is over.
    pub moves: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { moves: 100 }
    }
}

/// A position: one bit for each cell a seat has taken.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Grid64 {
    taken: [u64; 2],
    turn: u32,
    moves: u32,
}

/// What happened.
#[derive(Serialize)]
#[serde(rename_all = "lowercase", tag = "type")]
pub enum Event {
    /// A seat took a cell.
    Taken {
        seat: Seat,
        /// Which cell, from 0.
        cell: u8,
    },
}

/// What everybody sees.
#[derive(Serialize)]
pub struct View {
    /// The cells of each seat, as 16 hexadecimal digits.
    cells: [String; 2],
    /// Moves made so far.
    turn: u32,
}

impl Grid64 {
    fn free(&self) -> impl Iterator<Item = u8> {
        let taken = self.taken[0] | self.taken[1];
        (0..CELLS).filter(move |cell| taken & 1 << cell == 0)
    }

    /// The cell of an answer that names one free cell and nothing else.
    fn plain(&self, answer: &Response) -> Option<u8> {
        let [pick] = answer.selection.as_array()?.as_slice() else { return None };
        let named = pick.as_str()?;
        let cell: u8 = named.parse().ok()?;
        let taken = self.taken[0] | self.taken[1];
        let free = cell < CELLS && taken & 1 << cell == 0;
        (free && answer.title.as_deref() == Some(TITLE) && cell.to_string() == named).then_some(cell)
    }
}

/// All 16 hexadecimal digits.
fn digits(bits: u64) -> String {
    let digit = |place: u32| char::from(b"0123456789abcdef"[(bits >> (4 * place) & 15) as usize]);
    (0..16).rev().map(digit).collect()
}

impl Game for Grid64 {
    const NAME: &'static str = "grid64";
    const TITLE: &'static str = "Grid 64 (for measuring)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
    const LOBBY: Lobby = Lobby { hidden: true, tags: &["developer"], ..Lobby::DEFAULT };

    type Settings = Settings;
    type Answer = Response;
    type Move = u8;
    type Event = Event;
    type Carry = ();
    type View<'a> = View;

    fn start(setup: Setup<'_, Self>, _: &mut Rng, _: &mut impl Output<Event>) -> Result<Self, Refusal> {
        if setup.settings.moves == 0 {
            return Err(Refusal::of("moves", "a match has at least one move"));
        }
        Ok(Self { taken: [0; 2], turn: 0, moves: setup.settings.moves })
    }

    fn open_asks(&self) -> Asks {
        if self.turn == self.moves {
            return Asks::new();
        }
        one(Ask::turn(self.turn, Seat::new((self.turn % 2) as u8)))
    }

    fn legal(&self, _: Seat, _: AskId, moves: &mut Vec<u8>) {
        moves.extend(self.free());
    }

    fn check(&self, seat: Seat, ask: AskId, answer: &Response) -> Result<u8, Refusal> {
        // The usual answer is checked without building the selector of all free cells.
        if let Some(cell) = self.plain(answer) {
            return Ok(cell);
        }
        let selector = self.request(seat, ask);
        let index =
            selector.validate(answer)?.single().ok_or_else(|| Refusal::of("count", "pick exactly one"))?;
        selector.choices[index].title.parse().map_err(|_| Refusal::of("cell", "that is no cell"))
    }

    fn to_answer(&self, _: Seat, _: AskId, cell: &u8) -> Response {
        Response::picks(TITLE, [cell.to_string()])
    }

    fn apply(&mut self, input: Input<u8>, _: &mut Rng, out: &mut impl Output<Event>) {
        let Input::Answer { seat, mv: cell, .. } = input else { return };
        self.taken[seat.index()] |= 1 << cell;
        if self.taken[0] | self.taken[1] == u64::MAX {
            self.taken = [0; 2];
        }
        self.turn += 1;
        out.emit(Seats::ALL, Event::Taken { seat, cell });
    }

    fn request(&self, _: Seat, _: AskId) -> Selector {
        let mut choices = Vec::with_capacity(CELLS.into());
        choices.extend(self.free().map(|cell| Choice::new(cell.to_string())));
        Selector::pick(TITLE, choices)
    }

    fn view(&self, _: Viewer) -> View {
        View { cells: self.taken.map(digits), turn: self.turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.turn == self.moves).then(|| Outcome::draw(2, "enough"))
    }
}
