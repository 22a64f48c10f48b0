//! `sealed`: two seats play a card face down before a deadline. Drafts count for a seat that does not confirm; a seat
//! without one is noted.

use parlor_core::{
    Ask, AskId, Asks, Facts, Game, Input, Outcome, Output, Refusal, Rng, Seat, Seats, Selector, Setup, Undo,
    Viewer,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Fault, Settings};

const ROUNDS: u32 = 3;
const STEPS: u32 = 2;
/// Asks of one round: the layout, its draft, then a wait for each step of the reveal.
const ASKS: u32 = 8;

/// The state of the round.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sealed {
    fault: Fault,
    round: u32,
    /// 0 while cards are played, then the step of the reveal.
    step: u32,
    drafted: [Option<u8>; 2],
    confirmed: [Option<u8>; 2],
    present: [bool; 2],
    shown: [Option<u8>; 2],
    points: [i64; 2],
    absent: [u8; 2],
}

/// The card that a player plays, or drafts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lay {
    card: u8,
}

impl Sealed {
    fn over(&self) -> bool {
        self.round == ROUNDS
    }

    fn id(&self, of: u32) -> u32 {
        self.round * ASKS + of
    }

    fn waiting(&self) -> Seats {
        (0..2).map(Seat::new).filter(|seat| self.confirmed[seat.index()].is_none()).collect()
    }

    fn final_card(&self, seat: usize) -> Option<u8> {
        self.confirmed[seat].or(self.drafted[seat])
    }

    fn next_step(&mut self, out: &mut impl Output<serde_json::Value>) {
        self.step += 1;
        if self.step <= STEPS {
            let seat = self.step as usize - 1;
            self.shown[seat] = self.final_card(seat);
            out.mark_revealed();
            out.emit(Seats::ALL, json!({"type": "reveal", "seat": seat, "card": self.shown[seat]}));
            return;
        }
        for seat in 0..2 {
            let (mine, theirs) = (self.shown[seat], self.shown[1 - seat]);
            self.points[seat] += i64::from(mine > theirs);
            self.absent[seat] += u8::from(!self.present[seat]);
        }
        let (fault, round, points, absent) = (self.fault, self.round + 1, self.points, self.absent);
        *self = Self { fault, round, points, absent, ..Self::new() };
        out.emit(Seats::ALL, json!({"type": "round_end", "points": points, "absent": absent}));
    }

    fn new() -> Self {
        Self {
            fault: Fault::None,
            round: 0,
            step: 0,
            drafted: [None; 2],
            confirmed: [None; 2],
            present: [false; 2],
            shown: [None; 2],
            points: [0; 2],
            absent: [0; 2],
        }
    }
}

impl Game for Sealed {
    const NAME: &'static str = "sealed";
    const TITLE: &'static str = "Sealed (probe)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 2);
    const UNDO: Undo = Undo::Consent;
    type Settings = Settings;
    type Answer = Lay;
    type Move = u8;
    type Event = serde_json::Value;
    type Carry = ();
    type View<'a> = serde_json::Value;

    fn start(setup: Setup<'_, Self>, _: &mut Rng, _: &mut impl Output<Self::Event>) -> Result<Self, Refusal> {
        Ok(Self { fault: setup.settings.fault, ..Self::new() })
    }

    fn open_asks(&self) -> Asks {
        let mut asks = Asks::new();
        if self.over() {
            return asks;
        }
        if self.step == 0 {
            // The deadline stays even when both have confirmed: the clock must not show who has.
            asks.push(Ask::request(self.id(0), self.waiting()).within(2000).at_least(2000));
            asks.push(Ask::draft(self.id(1), self.waiting()));
        } else {
            asks.push(Ask::wait(self.id(1 + self.step), 900));
        }
        asks
    }

    fn legal(&self, _: Seat, _: AskId, moves: &mut Vec<u8>) {
        moves.extend(0..3);
    }

    fn check(&self, _: Seat, _: AskId, answer: &Lay) -> Result<u8, Refusal> {
        if answer.card < 3 { Ok(answer.card) } else { Err(Refusal::of("card", "a card is 0, 1 or 2")) }
    }

    fn to_answer(&self, _: Seat, _: AskId, card: &u8) -> Lay {
        Lay { card: *card }
    }

    fn apply(&mut self, input: Input<u8>, _: &mut Rng, out: &mut impl Output<Self::Event>) {
        match input {
            Input::Answer { seat, ask, mv } => {
                self.present[seat.index()] = true;
                let draft = ask == AskId(self.id(1));
                let place = if draft { &mut self.drafted } else { &mut self.confirmed };
                place[seat.index()] = Some(mv);
                let to = if self.fault == Fault::DraftTold { Seats::ALL } else { Seats::only(seat) };
                out.emit(to, json!({"type": if draft { "drafted" } else { "confirmed" }}));
            }
            Input::Elapsed { .. } => self.next_step(out),
            Input::Visit(_) => {}
        }
    }

    fn request(&self, _: Seat, ask: AskId) -> Selector {
        let mut selector = Selector::action(if ask == AskId(self.id(1)) { "Draft" } else { "Lay a card" });
        selector.meta = Some(json!({"cards": [0, 1, 2]}));
        selector
    }

    fn view(&self, viewer: Viewer) -> Self::View<'_> {
        let mine = viewer.seat().map(Seat::index);
        json!({
            "round": self.round,
            "step": self.step,
            "shown": self.shown,
            "points": self.points,
            "absent": self.absent,
            "draft": mine.and_then(|seat| self.drafted[seat]),
            "confirmed": mine.and_then(|seat| self.confirmed[seat]),
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over().then(|| Outcome::ranked(&self.points, "points"))
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        let mut other = self.clone();
        let revealed = |seat: usize| self.step as usize > seat;
        for seat in (0..2).filter(|seat| !viewers.has(Seat::new(*seat as u8)) && !revealed(*seat)) {
            let any = |rng: &mut Rng| [None, Some(0), Some(1), Some(2)][rng.below(4) as usize];
            (other.drafted[seat], other.confirmed[seat]) = (any(rng), any(rng));
            other.present[seat] = other.final_card(seat).is_some();
        }
        Some(other)
    }

    fn known_facts(&self, _: Viewer, facts: &mut Facts) {
        let value = |card: Option<u8>| card.map_or(9, u32::from);
        for seat in 0..2 {
            if self.step as usize > seat {
                facts.add(seat as u32, value(self.shown[seat]));
            }
            facts.add(10 + self.round * 4 + seat as u32, self.points[seat] as u32);
            facts.add(50 + self.round * 4 + seat as u32, self.absent[seat].into());
        }
    }
}
