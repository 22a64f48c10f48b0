//! `cash`: players come and go, top up and sit out; each hand is a match, and every chip has a posting.

use parlor_core::game::{Menu, Reveal};
use parlor_core::{
    Account, Ask, AskId, Asks, Choice, Facts, Game, Input, Outcome, Output, Refusal, Response, Rng, Seat,
    Seats, Selector, Setup, Undo, Viewer, Visit,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Fault, Settings};

const BUY_IN: i64 = 20;
const TOP_UP: i64 = 5;
const HANDS: u32 = 6;
const OFFER: u32 = 1000;

/// One seat of the table.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Player {
    seated: bool,
    stack: i64,
    sits_out: bool,
    die: u8,
    shown: bool,
    staked: bool,
    folded: bool,
}

/// One hand: every player antes one and rolls a die; the highest die that stays takes the pot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cash {
    fault: Fault,
    players: Vec<Player>,
    pot: i64,
    turn: u8,
    hand: u32,
    over: bool,
    next_wait: bool,
}

/// What one hand passes on to the next.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Carry {
    /// Chips of each seat; `None` for an empty one.
    stacks: Vec<Option<i64>>,
    sits_out: Vec<bool>,
    hand: u32,
}

/// A decision in the hand, or an offer outside of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Stay in.
    Stay,
    /// Give up the pot.
    Fold,
    /// Buy five more chips.
    TopUp,
    /// Sit out the next hand, or play again.
    SitOut(bool),
}

impl Cash {
    fn active(&self, n: usize) -> bool {
        self.players[n].staked && !self.players[n].folded
    }

    fn to_act(&self) -> Option<Seat> {
        let n = usize::from(self.turn);
        (n < self.players.len()).then(|| Seat::new(self.turn))
    }

    /// Moves on to the next active seat, or to the showdown.
    fn advance(&mut self, out: &mut impl Output<serde_json::Value>) {
        while usize::from(self.turn) < self.players.len() && !self.active(usize::from(self.turn)) {
            self.turn += 1;
        }
        let left: Vec<usize> = (0..self.players.len()).filter(|n| self.active(*n)).collect();
        if self.to_act().is_some() && left.len() > 1 {
            return;
        }
        self.turn = self.players.len() as u8;
        if !self.next_wait {
            self.showdown(&left, out);
        }
    }

    fn showdown(&mut self, left: &[usize], out: &mut impl Output<serde_json::Value>) {
        let rake = self.pot / 3;
        if self.fault != Fault::LostPosting {
            out.post(Account::Table, Account::House, rake);
        }
        if let Some(best) = left.iter().copied().max_by_key(|n| (self.players[*n].die, std::cmp::Reverse(*n)))
        {
            self.players[best].stack += self.pot - rake;
        } else {
            out.post(Account::Table, Account::House, self.pot - rake);
        }
        if left.len() > 1 {
            for n in left {
                self.players[*n].shown = true;
            }
            out.mark_revealed();
        }
        self.pot = 0;
        self.next_wait = true;
        let dice: Vec<Option<u8>> = self.players.iter().map(|p| p.shown.then_some(p.die)).collect();
        out.emit(Seats::ALL, json!({"type": "showdown", "dice": dice, "rake": rake}));
    }

    fn end(&mut self, out: &mut impl Output<serde_json::Value>) {
        self.over = true;
        if self.carry().is_none() {
            for (n, player) in self.players.iter_mut().enumerate() {
                out.post(Account::Table, Account::Seat(Seat::new(n as u8)), player.stack);
                player.stack = 0;
            }
        }
        out.emit(Seats::ALL, json!({"type": "hand_end", "hand": self.hand}));
    }

    fn menu(&self, seat: Seat, ask: AskId) -> Menu<Move> {
        let moves = if ask.0 >= OFFER {
            vec![Move::TopUp, Move::SitOut(!self.players[seat.index()].sits_out)]
        } else {
            vec![Move::Stay, Move::Fold]
        };
        let title = if ask.0 >= OFFER { "Beside the hand" } else { "Stay?" };
        Menu::new(title, moves, |mv| {
            Choice::new(match mv {
                Move::Stay => "stay",
                Move::Fold => "fold",
                Move::TopUp => "top up",
                Move::SitOut(true) => "sit out",
                Move::SitOut(false) => "play on",
            })
        })
    }

    fn visit(&mut self, visit: Visit, out: &mut impl Output<serde_json::Value>) {
        match visit {
            Visit::Join { seat, stake, .. } => {
                self.players[seat.index()] = Player { seated: true, stack: stake, ..Player::default() };
                out.post(Account::Seat(seat), Account::Table, stake);
            }
            Visit::Leave { seat, .. } => {
                let player = std::mem::take(&mut self.players[seat.index()]);
                out.post(Account::Table, Account::Seat(seat), player.stack);
                self.advance(out);
            }
            Visit::Away { seat } => self.players[seat.index()].sits_out = true,
            Visit::Back { seat } => self.players[seat.index()].sits_out = false,
        }
        out.emit(Seats::ALL, json!({"type": "visit", "visit": visit}));
    }
}

impl Game for Cash {
    const NAME: &'static str = "cash";
    const TITLE: &'static str = "Cash (probe)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 4);
    const UNDO: Undo = Undo::None;
    const REVEAL: Reveal = Reveal::Auditor;
    const VISITS: bool = true;
    type Settings = Settings;
    type Answer = Response;
    type Move = Move;
    type Event = serde_json::Value;
    type Carry = Carry;
    type View<'a> = serde_json::Value;

    fn start(
        setup: Setup<'_, Self>,
        rng: &mut Rng,
        out: &mut impl Output<Self::Event>,
    ) -> Result<Self, Refusal> {
        let fresh = setup.carry.is_none();
        let carry = setup.carry.unwrap_or_else(|| Carry {
            stacks: vec![Some(BUY_IN); setup.seats.into()],
            sits_out: vec![false; setup.seats.into()],
            hand: 0,
        });
        let mut game = Self {
            fault: setup.settings.fault,
            players: Vec::new(),
            pot: 0,
            turn: 0,
            hand: carry.hand,
            over: false,
            next_wait: false,
        };
        for (n, (stack, sits_out)) in carry.stacks.iter().zip(&carry.sits_out).enumerate() {
            if fresh {
                out.post(Account::Seat(Seat::new(n as u8)), Account::Table, stack.unwrap_or(0));
            }
            let mut player = Player {
                seated: stack.is_some(),
                stack: stack.unwrap_or(0),
                sits_out: *sits_out,
                ..Player::default()
            };
            if player.stack > 0 && !player.sits_out {
                player.staked = true;
                player.stack -= 1;
                game.pot += 1;
                player.die = rng.roll_die(6) as u8;
            }
            game.players.push(player);
        }
        game.advance(out);
        Ok(game)
    }

    fn open_asks(&self) -> Asks {
        let mut asks = Asks::new();
        if self.over {
            return asks;
        }
        match self.to_act() {
            Some(seat) => asks.push(Ask::turn(self.turn.into(), seat).within(4000)),
            None => asks.push(Ask::wait(500, 1500)),
        }
        // The offer depends on whether the seat sits out: another offer, another id.
        for sits_out in [false, true] {
            let offered = |n: &usize| self.players[*n].seated && self.players[*n].sits_out == sits_out;
            let seats = (0..self.players.len()).filter(offered).map(|n| Seat::new(n as u8)).collect();
            asks.push(Ask::offer(OFFER + u32::from(sits_out), seats));
        }
        asks
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
        match input {
            Input::Answer { seat, mv: Move::TopUp, .. } => {
                self.players[seat.index()].stack += TOP_UP;
                out.post(Account::Seat(seat), Account::Table, TOP_UP);
                out.emit(Seats::ALL, json!({"type": "topped_up", "seat": seat}));
            }
            Input::Answer { seat, mv: Move::SitOut(out_next), .. } => {
                self.players[seat.index()].sits_out = out_next;
                out.emit(Seats::ALL, json!({"type": "sits_out", "seat": seat, "out": out_next}));
            }
            Input::Answer { seat, mv, .. } => {
                self.players[seat.index()].folded = mv == Move::Fold;
                self.turn += 1;
                out.emit(Seats::ALL, json!({"type": "acted", "seat": seat, "folded": mv == Move::Fold}));
                self.advance(out);
            }
            Input::Elapsed { ask: AskId(500), .. } => self.end(out),
            Input::Elapsed { .. } => {
                self.players[usize::from(self.turn)].folded = true;
                out.emit(Seats::ALL, json!({"type": "timed_out", "seat": self.turn}));
                self.turn += 1;
                self.advance(out);
            }
            Input::Visit(visit) => self.visit(visit, out),
        }
    }

    fn request(&self, seat: Seat, ask: AskId) -> Selector {
        self.menu(seat, ask).selector
    }

    fn view(&self, viewer: Viewer) -> Self::View<'_> {
        let player = |(n, p): (usize, &Player)| {
            let mine = viewer.seat().is_some_and(|seat| seat.index() == n);
            let die = (p.staked && (mine || p.shown)).then_some(p.die);
            json!({"seated": p.seated, "stack": p.stack, "out": p.sits_out, "folded": p.folded, "die": die})
        };
        json!({
            "players": self.players.iter().enumerate().map(player).collect::<Vec<_>>(),
            "pot": self.pot,
            "turn": self.turn,
            "hand": self.hand,
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        let stacks: Vec<i64> = self.players.iter().map(|player| player.stack).collect();
        self.over.then(|| Outcome::ranked(&stacks, "hand over"))
    }

    fn admit(&self, visit: &Visit) -> Result<(), Refusal> {
        let seated = |seat: &Seat| self.players.get(seat.index()).map(|player| player.seated);
        match visit {
            Visit::Join { seat, stake, .. } if seated(seat) == Some(false) && (1..=100).contains(stake) => {
                Ok(())
            }
            Visit::Join { .. } => Err(Refusal::of("join", "the seat is taken, or the stake is not 1 to 100")),
            Visit::Leave { seat, .. } | Visit::Away { seat } | Visit::Back { seat } => match seated(seat) {
                Some(true) => Ok(()),
                _ => Err(Refusal::of("not_seated", "nobody sits there")),
            },
        }
    }

    fn carry(&self) -> Option<Carry> {
        let playing = self.players.iter().filter(|player| player.stack > 0).count();
        (self.over && playing >= 2 && self.hand + 1 < HANDS).then(|| Carry {
            stacks: self.players.iter().map(|player| player.seated.then_some(player.stack)).collect(),
            sits_out: self.players.iter().map(|player| player.sits_out).collect(),
            hand: self.hand + 1,
        })
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        let mut other = self.clone();
        for (n, player) in other.players.iter_mut().enumerate() {
            let hidden = player.staked && !player.shown && !viewers.has(Seat::new(n as u8));
            // Once the pot is paid, a die that was not shown cannot change the winner.
            if hidden && !self.next_wait {
                player.die = rng.roll_die(6) as u8;
            }
        }
        Some(other)
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        for (n, player) in self.players.iter().enumerate() {
            if player.shown || viewer.seat().is_some_and(|seat| seat.index() == n) {
                facts.add(self.hand * 100 + n as u32, player.die.into());
            }
        }
    }

    fn escrow(&self) -> i64 {
        self.pot + self.players.iter().map(|player| player.stack).sum::<i64>()
    }

    /// A stopped hand has no winner: the first active seat gets the antes back.
    fn refund(&self, seat: Seat) -> i64 {
        let first = (0..self.players.len()).find(|n| self.active(*n));
        let pot = if first == Some(seat.index()) { self.pot } else { 0 };
        pot + self.players[seat.index()].stack
    }
}
