//! `peek`: draw, or look at the next card first. Undoing either must reshuffle the cards that no viewer knows.

use parlor_core::ask::one;
use parlor_core::game::Menu;
use parlor_core::{
    Ask, AskId, Asks, Choice, Facts, Game, Input, Outcome, Output, Refusal, Response, Rng, Seat, Seats,
    Secrets, Selector, Setup, Slot, Undo, Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Fault, Settings};

const CARDS: u16 = 8;

/// A deck and two hands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Peek {
    fault: Fault,
    cards: Secrets,
    deck: Vec<Slot>,
    hands: [Vec<Slot>; 2],
    turn: u32,
    stopped: [bool; 2],
}

/// A seat's move on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Take the next card.
    Draw,
    /// Look at the next card.
    Peek,
    /// Take no more.
    Stop,
}

impl Peek {
    fn mover(&self) -> Option<Seat> {
        let turn = |n: u32| Seat::new(((self.turn + n) % 2) as u8);
        let seat = (0..2).map(turn).find(|seat| !self.stopped[seat.index()])?;
        (!self.deck.is_empty()).then_some(seat)
    }

    fn menu(&self, seat: Seat) -> Menu<Move> {
        let known = self.deck.last().is_some_and(|top| self.cards.face(*top, seat.into()).is_some());
        let moves =
            if known { vec![Move::Draw, Move::Stop] } else { vec![Move::Draw, Move::Peek, Move::Stop] };
        Menu::new("Your turn", moves, |mv| Choice::new(format!("{mv:?}").to_lowercase()))
    }
}

/// A hash of the whole state with its secrets: no view may contain it.
pub(super) fn hash_of(state: &impl Serialize) -> String {
    parlor_core::view::hash(&serde_json::to_value(state).expect("a state is plain data"))
}

impl Game for Peek {
    const NAME: &'static str = "peek";
    const TITLE: &'static str = "Peek (probe)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
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
        _: &mut impl Output<Self::Event>,
    ) -> Result<Self, Refusal> {
        let mut cards = Secrets::new(0..CARDS);
        let deck: Vec<Slot> = cards.slots().collect();
        cards.shuffle(&deck, rng);
        let fault = setup.settings.fault;
        Ok(Self { fault, cards, deck, hands: [Vec::new(), Vec::new()], turn: 0, stopped: [false; 2] })
    }

    fn open_asks(&self) -> Asks {
        self.mover().map_or_else(Asks::new, |seat| one(Ask::turn(self.turn, seat)))
    }

    fn legal(&self, seat: Seat, _: AskId, moves: &mut Vec<Move>) {
        moves.extend(self.menu(seat).moves);
    }

    fn check(&self, seat: Seat, _: AskId, answer: &Response) -> Result<Move, Refusal> {
        self.menu(seat).check(answer)
    }

    fn to_answer(&self, seat: Seat, _: AskId, mv: &Move) -> Response {
        self.menu(seat).to_answer(mv)
    }

    fn apply(&mut self, input: Input<Move>, _: &mut Rng, out: &mut impl Output<Self::Event>) {
        let Input::Answer { seat, mv, .. } = input else { return };
        match mv {
            Move::Stop => self.stopped[seat.index()] = true,
            Move::Peek | Move::Draw => {
                let top = *self.deck.last().expect("there is a card to look at");
                self.cards.show(top, Seats::only(seat), out);
                out.emit(Seats::only(seat), json!({"type": "card", "card": self.cards.truth(top)}));
                if mv == Move::Draw {
                    self.deck.pop();
                    self.hands[seat.index()].push(top);
                }
            }
        }
        if mv != Move::Peek {
            self.turn = self.turn / 2 * 2 + seat.index() as u32 + 1;
        }
        out.emit(Seats::ALL, json!({"type": "did", "seat": seat, "what": format!("{mv:?}")}));
        if self.mover().is_none() {
            // The result reveals the value of the hands, so the hands are shown.
            for slot in self.hands.iter().flatten() {
                self.cards.show(*slot, Seats::ALL, out);
            }
            out.emit(Seats::ALL, json!({"type": "laid_open"}));
        }
        if self.fault == Fault::HashMapOrder {
            let bag: std::collections::HashMap<u16, u16> = (0..CARDS).map(|n| (n, n)).collect();
            out.emit(Seats::ALL, json!({"type": "bag", "bag": bag.keys().collect::<Vec<_>>()}));
        }
    }

    fn request(&self, seat: Seat, _: AskId) -> Selector {
        self.menu(seat).selector
    }

    fn view(&self, viewer: Viewer) -> Self::View<'_> {
        let faces =
            |slots: &[Slot]| slots.iter().map(|slot| self.cards.face(*slot, viewer)).collect::<Vec<_>>();
        let mut seen = json!({
            "deck": faces(&self.deck),
            "hands": self.hands.iter().map(|hand| faces(hand)).collect::<Vec<_>>(),
            "turn": self.turn,
            "stopped": self.stopped,
        });
        match self.fault {
            Fault::StateHash => seen["hash"] = json!(hash_of(self)),
            Fault::FaceId => {
                let id = |slot: &Slot| (u32::from(self.cards.truth(*slot)) + 1) * 40503 % 65521;
                seen["ids"] = json!(self.deck.iter().map(id).collect::<Vec<_>>());
            }
            Fault::NextCardBit => {
                seen["texture"] = json!(self.deck.last().map(|top| self.cards.truth(*top) & 1));
            }
            _ => {}
        }
        seen
    }

    fn outcome(&self) -> Option<Outcome> {
        let sum = |hand: &Vec<Slot>| hand.iter().map(|slot| i64::from(self.cards.truth(*slot))).sum();
        let sums: Vec<i64> = self.hands.iter().map(sum).collect();
        self.mover().is_none().then(|| Outcome::ranked(&sums, "points"))
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        let mut other = self.clone();
        if !(self.fault == Fault::UndoKeepsDeck && viewers == Seats::ALL) {
            other.cards.resample(viewers, rng);
        }
        Some(other)
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        self.cards.known_facts(viewer, facts);
    }
}
