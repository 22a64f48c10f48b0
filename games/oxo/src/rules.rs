//! The rules, in the order of play.

use parlor_core::ask::one;
use parlor_core::game::Menu;
use parlor_core::{
    Ask, AskId, Asks, Choice, Game, Input, Lobby, Outcome, Output, Rating, Refusal, Response, Rng, Seat,
    Seats, Selector, Setup, Undo, Viewer,
};
use serde::{Deserialize, Serialize};

use crate::{Event, View};

const CELLS: [&str; 9] = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL: u16 = 0o777;

/// A position: one bit for each cell a seat has taken.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Oxo {
    taken: [u16; 2],
    turn: u8,
}

impl Oxo {
    fn mover(&self) -> usize {
        usize::from(self.turn % 2)
    }

    fn won(&self, seat: usize) -> bool {
        LINES.iter().any(|line| self.taken[seat] & line == *line)
    }

    fn over(&self) -> bool {
        self.won(0) || self.won(1) || self.turn == 9
    }

    fn free(&self) -> impl Iterator<Item = u8> {
        let free = FULL & !(self.taken[0] | self.taken[1]);
        (0..9).filter(move |cell| free & 1 << cell != 0)
    }

    fn menu(&self) -> Menu<u8> {
        Menu::new("Take a cell", self.free().collect(), |cell| Choice::new(CELLS[usize::from(*cell)]))
    }
}

impl Game for Oxo {
    const NAME: &'static str = "oxo";
    const TITLE: &'static str = "Oxo";
    const RULES: u32 = 2;
    const RULES_WITHOUT_AUTO: &'static [u32] = &[1];
    const SEATS: (u8, u8) = (2, 2);
    const UNDO: Undo = Undo::Consent;
    const RATING: Option<Rating> = Some(Rating::DUEL);
    const LOBBY: Lobby = Lobby { order: 10, tags: &["developer"], ..Lobby::DEFAULT };

    type Settings = ();
    type Answer = Response;
    type Move = u8;
    type Event = Event;
    type Carry = ();
    type View<'a> = View;

    fn start(_: Setup<'_, Self>, _: &mut Rng, _: &mut impl Output<Event>) -> Result<Self, Refusal> {
        Ok(Self::default())
    }

    fn open_asks(&self) -> Asks {
        if self.over() {
            return Asks::new();
        }
        one(Ask::turn(self.turn.into(), Seat::new(self.turn % 2)).public().auto())
    }

    fn legal(&self, _: Seat, _: AskId, moves: &mut Vec<u8>) {
        moves.extend(self.free());
    }

    fn check(&self, _: Seat, _: AskId, answer: &Response) -> Result<u8, Refusal> {
        self.menu().check(answer)
    }

    fn to_answer(&self, _: Seat, _: AskId, cell: &u8) -> Response {
        self.menu().to_answer(cell)
    }

    fn apply(&mut self, input: Input<u8>, _: &mut Rng, out: &mut impl Output<Event>) {
        let Input::Answer { seat, mv: cell, .. } = input else { return };
        self.taken[self.mover()] |= 1 << cell;
        self.turn += 1;
        out.emit(Seats::ALL, Event::Taken { seat, cell: CELLS[usize::from(cell)] });
    }

    fn request(&self, _: Seat, _: AskId) -> Selector {
        self.menu().selector
    }

    fn view(&self, _: Viewer) -> View {
        let mark = |cell: u16| match self.taken.map(|taken| taken & 1 << cell != 0) {
            [true, _] => 'x',
            [_, true] => 'o',
            _ => '.',
        };
        View { board: (0..9).map(mark).collect(), turn: self.turn }
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = (0..2).find(|seat| self.won(*seat)).map(|seat| Seats::only(Seat::new(seat as u8)));
        winner
            .map(|winner| Outcome::win(winner, 2, "three in a row"))
            .or_else(|| (self.turn == 9).then(|| Outcome::draw(2, "the board is full")))
    }

    fn bot(view: &View, legal: &[u8], rng: &mut Rng) -> u8 {
        let (mine, theirs) = if view.turn.is_multiple_of(2) { (b'x', b'o') } else { (b'o', b'x') };
        let taken =
            |mark: u8| (0..9).filter(|n| view.board.as_bytes()[*n] == mark).fold(0, |set, n| set | 1 << n);
        let completes = |mark: u8| {
            let held: u16 = taken(mark);
            legal.iter().find(|cell| LINES.iter().any(|line| (held | 1 << **cell) & line == *line))
        };
        *completes(mine).or_else(|| completes(theirs)).unwrap_or_else(|| rng.pick(legal))
    }
}
