//! `window`: after each discard a seat with the same rank may call. No other seat may notice whether one could.

use parlor_core::ask::one;
use parlor_core::game::Menu;
use parlor_core::{
    Ask, AskId, Asks, Choice, Facts, Game, Input, Outcome, Output, Refusal, Response, Rng, Seat, Seats,
    Secrets, Selector, Setup, Slot, Undo, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Fault, Settings};

const HAND: usize = 4;
/// Every other ask is a window.
const WINDOW: u32 = 1;

/// Four cards each; rank is the face divided by four.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Window {
    fault: Fault,
    cards: Secrets,
    hands: Vec<Vec<Slot>>,
    pile: Vec<Slot>,
    points: Vec<i64>,
    turn: u32,
    /// Whether the last discard may be called.
    open: bool,
    passed: Seats,
    calls: Seats,
    /// The number of inputs of the whole table, now and when the window opened: no view may show it.
    asked: u32,
    asked_then: u32,
}

/// A discard, a call or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Discard this card.
    Discard(Slot),
    /// Take the point.
    Call,
    /// Let it go.
    Pass,
}

impl Window {
    fn seats(&self) -> u8 {
        self.hands.len() as u8
    }

    fn mover(&self) -> Seat {
        Seat::new((self.turn % u32::from(self.seats())) as u8)
    }

    fn rank(&self, slot: Slot) -> u16 {
        self.cards.truth(slot) / 4
    }

    /// Computed each time: nothing is kept that a view could leak.
    fn callers(&self) -> Seats {
        let Some(last) = self.pile.last() else { return Seats::NONE };
        let others = Seats::first(self.seats()).without(self.mover());
        let able =
            |seat: &Seat| self.hands[seat.index()].iter().any(|slot| self.rank(*slot) == self.rank(*last));
        others.iter().filter(able).filter(|seat| !self.passed.has(*seat) && !self.calls.has(*seat)).collect()
    }

    fn over(&self) -> bool {
        self.hands.iter().all(Vec::is_empty) && !self.open
    }

    fn menu(&self, seat: Seat, ask: AskId) -> Menu<Move> {
        if ask.0 % 2 == WINDOW {
            let title = match self.fault {
                Fault::SharedCounter => format!("Call? (request {})", self.asked_then),
                _ => "Call?".to_owned(),
            };
            let label = |mv: &Move| Choice::new(if *mv == Move::Call { "call" } else { "pass" });
            return Menu::new(&title, vec![Move::Call, Move::Pass], label);
        }
        let moves = self.hands[seat.index()].iter().map(|slot| Move::Discard(*slot)).collect();
        Menu::new("Discard a card", moves, |mv| match mv {
            Move::Discard(slot) => Choice::new(format!("{}", self.cards.truth(*slot))),
            other => Choice::new(format!("{other:?}")),
        })
    }

    /// The nearest caller takes the point; then the next seat discards.
    fn close(&mut self, out: &mut impl Output<serde_json::Value>) {
        let seats = self.seats();
        let from = self.mover();
        let nearest =
            (1..seats).map(|d| Seat::new((from.index() as u8 + d) % seats)).find(|s| self.calls.has(*s));
        if let Some(seat) = nearest {
            self.points[seat.index()] += 1;
        }
        self.open = false;
        self.turn += 1;
        out.emit(Seats::ALL, json!({"type": "closed", "taken_by": nearest, "turn": self.turn}));
    }
}

impl Game for Window {
    const NAME: &'static str = "window";
    const TITLE: &'static str = "Window (probe)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (3, 4);
    const UNDO: Undo = Undo::Consent;
    type Settings = Settings;
    type Answer = Response;
    type Move = Move;
    type Event = serde_json::Value;
    type Carry = ();
    type View<'a> = serde_json::Value;

    fn start(
        setup: Setup<'_, Self>,
        rng: &mut Rng,
        out: &mut impl Output<Self::Event>,
    ) -> Result<Self, Refusal> {
        let seats = setup.seats as usize;
        let mut cards = Secrets::new(0..(seats * HAND) as u16);
        let slots: Vec<Slot> = cards.slots().collect();
        cards.shuffle(&slots, rng);
        let hands: Vec<Vec<Slot>> = slots.chunks(HAND).map(<[Slot]>::to_vec).collect();
        for (n, hand) in hands.iter().enumerate() {
            for slot in hand {
                cards.show(*slot, Seats::only(Seat::new(n as u8)), out);
            }
        }
        Ok(Self {
            fault: setup.settings.fault,
            cards,
            hands,
            pile: Vec::new(),
            points: vec![0; seats],
            turn: 0,
            open: false,
            passed: Seats::NONE,
            calls: Seats::NONE,
            asked: 0,
            asked_then: 0,
        })
    }

    fn open_asks(&self) -> Asks {
        if self.over() {
            return Asks::new();
        }
        let id = self.turn * 2;
        one(if self.open {
            Ask::request(id + WINDOW, self.callers()).within(3000).at_least(800)
        } else {
            Ask::turn(id, self.mover()).within(5000)
        })
    }

    fn legal(&self, seat: Seat, ask: AskId, moves: &mut Vec<Move>) {
        moves.extend(self.menu(seat, ask).moves);
    }

    fn check(&self, seat: Seat, ask: AskId, answer: &Response) -> Result<Move, Refusal> {
        self.menu(seat, ask).check(answer)
    }

    fn to_answer(&self, seat: Seat, ask: AskId, mv: &Move) -> Response {
        self.menu(seat, ask).to_answer(mv)
    }

    fn apply(&mut self, input: Input<Move>, _: &mut Rng, out: &mut impl Output<Self::Event>) {
        self.asked += 1;
        match input {
            Input::Answer { seat, mv: Move::Call, .. } => self.calls = self.calls.with(seat),
            Input::Answer { seat, mv: Move::Pass, .. } => self.passed = self.passed.with(seat),
            Input::Answer { seat, mv: Move::Discard(slot), .. } => self.discard(seat, slot, out),
            Input::Elapsed { ask, .. } if ask.0 % 2 == WINDOW => self.close(out),
            Input::Elapsed { .. } => self.discard(self.mover(), self.hands[self.mover().index()][0], out),
            Input::Visit(_) => {}
        }
    }

    fn request(&self, seat: Seat, ask: AskId) -> Selector {
        self.menu(seat, ask).selector
    }

    fn view(&self, viewer: Viewer) -> Self::View<'_> {
        let hand = |hand: &Vec<Slot>| match self.fault {
            Fault::FaceId => {
                json!(hand.iter().map(|slot| self.cards.truth(*slot) * 7 % 31).collect::<Vec<_>>())
            }
            _ => json!(hand.iter().map(|slot| self.cards.face(*slot, viewer)).collect::<Vec<_>>()),
        };
        let mut seen = json!({
            "hands": self.hands.iter().map(hand).collect::<Vec<_>>(),
            "pile": self.pile.iter().map(|slot| self.cards.face(*slot, viewer)).collect::<Vec<_>>(),
            "points": self.points,
            "turn": self.turn,
            "open": self.open,
        });
        match self.fault {
            Fault::WaitingFor => seen["waiting"] = json!(self.callers().len()),
            Fault::StateHash => seen["hash"] = json!(super::peek::hash_of(self)),
            _ => {}
        }
        seen
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over().then(|| Outcome::ranked(&self.points, "calls"))
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        let mut other = self.clone();
        other.cards.resample(viewers, rng);
        // A seat that could not have called or passed in the other world has not done so there.
        let able = |seat: &Seat| {
            let last = other.pile.last().copied();
            last.is_some_and(|last| {
                other.hands[seat.index()].iter().any(|slot| other.rank(*slot) == other.rank(last))
            })
        };
        let hidden = |set: Seats| set.iter().filter(|seat| viewers.has(*seat) || able(seat)).collect();
        (other.calls, other.passed) = (hidden(self.calls), hidden(self.passed));
        Some(other)
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        self.cards.known_facts(viewer, facts);
        // Which seat took a point is public once the window has closed.
        facts.extend(
            self.points
                .iter()
                .enumerate()
                .map(|(n, points)| (1000 + self.turn * 8 + n as u32, *points as u32)),
        );
    }
}

impl Window {
    fn discard(&mut self, seat: Seat, slot: Slot, out: &mut impl Output<serde_json::Value>) {
        self.hands[seat.index()].retain(|other| *other != slot);
        self.cards.show(slot, Seats::ALL, out);
        self.pile.push(slot);
        (self.passed, self.calls) = (Seats::NONE, Seats::NONE);
        (self.open, self.asked_then) = (true, self.asked);
        out.emit(Seats::ALL, json!({"type": "discarded", "seat": seat, "card": self.cards.truth(slot)}));
        if self.fault == Fault::PauseOnlyWhenAsked && self.callers().is_empty() {
            self.close(out);
        }
    }
}
