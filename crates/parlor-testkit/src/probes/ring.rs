//! `ring`: a cash table whose seats fill and empty while hands are played; all that a cash table needs, in a small game.
//!
//! Every hand is a match. Each player in it antes one chip and has a die of six; the highest die takes the pot, less the
//! rake. Players buy in, top up, leave and come back; each die is committed to by itself.

use parlor_core::commitments::Opened;
use parlor_core::game::{Menu, Reveal};
use parlor_core::{
    Account, Ask, AskId, Asks, BotChoice, BotDef, Choice, Commitments, Facts, Game, HouseCode, Input, Money,
    OpenSeating, Outcome, Output, Refusal, Response, Rng, Seat, Seats, Selector, Setup, Undo, Viewer, Visit,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a player brings if the table did not ask them.
const BUY_IN: i64 = 20;
/// The chips of one top-up.
pub const TOP_UP: i64 = 5;
const OFFER: u32 = 1000;

/// The settings of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    /// Hands after which the table closes; 0 for never.
    pub hands: u32,
    /// How long a player has for a decision, in milliseconds.
    pub turn_ms: u32,
    /// How long the result of a hand is shown, in milliseconds.
    pub pause_ms: u32,
    pub money: Money,
    /// Tests set it: the table posts nothing for the rake, as broken rules would.
    pub lose_rake: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hands: 0, turn_ms: 4000, pause_ms: 500, money: Money::Play, lose_rake: false }
    }
}

/// A player at the table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Player {
    stack: i64,
    /// In this hand: the die, and whether they have folded.
    die: Option<u8>,
    folded: bool,
    shown: Option<Opened>,
}

/// One hand.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ring {
    settings: Settings,
    players: Vec<Option<Player>>,
    pot: i64,
    turn: u8,
    hand: u32,
    commitments: Commitments,
    paid: bool,
    over: bool,
}

/// What one hand passes on to the next.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Carry {
    /// Chips of each seat; none for a free one.
    stacks: Vec<Option<i64>>,
    hand: u32,
}

/// A decision in the hand, or a top-up beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    Stay,
    Fold,
    TopUp,
}

type Event = Value;

impl Ring {
    fn player(&mut self, seat: Seat) -> Option<&mut Player> {
        self.players.get_mut(seat.index())?.as_mut()
    }

    fn is_in(&self, n: usize) -> bool {
        self.players[n].as_ref().is_some_and(|player| player.die.is_some() && !player.folded)
    }

    fn to_act(&self) -> Option<Seat> {
        (usize::from(self.turn) < self.players.len()).then(|| Seat::new(self.turn))
    }

    /// Goes on to the next player who is in, or to the showdown.
    fn advance(&mut self, rng: &Rng, out: &mut impl Output<Event>) {
        if self.paid {
            return;
        }
        while usize::from(self.turn) < self.players.len() && !self.is_in(usize::from(self.turn)) {
            self.turn += 1;
        }
        let left: Vec<usize> = (0..self.players.len()).filter(|n| self.is_in(*n)).collect();
        if self.to_act().is_some() && left.len() > 1 {
            return;
        }
        self.turn = self.players.len() as u8;
        self.showdown(&left, rng, out);
    }

    fn showdown(&mut self, left: &[usize], rng: &Rng, out: &mut impl Output<Event>) {
        self.paid = true;
        let rake = self.pot / 3;
        if !self.settings.lose_rake {
            out.post(Account::Table, Account::House, rake);
        }
        let die = |n: &usize| self.players[*n].as_ref().and_then(|player| player.die);
        let best = left.iter().copied().max_by_key(|n| (die(n), std::cmp::Reverse(*n)));
        let won = self.pot - rake;
        self.pot = 0;
        match best.and_then(|best| self.players[best].as_mut()) {
            Some(winner) => winner.stack += won,
            None => out.post(Account::Table, Account::House, won),
        }
        if left.len() > 1 {
            for n in left {
                let opened = self.commitments.open(*n as u32, rng);
                if let Some(player) = &mut self.players[*n] {
                    player.shown = opened.or(Some(Opened { item: *n as u32, salt: String::new() }));
                }
            }
            out.mark_revealed();
        }
        out.emit(Seats::ALL, json!({"type": "showdown", "winner": best, "won": won, "rake": rake}));
    }

    fn end(&mut self, out: &mut impl Output<Event>) {
        self.over = true;
        if self.carry().is_none() {
            for (n, player) in self.players.iter_mut().enumerate() {
                let stack = player.as_mut().map_or(0, |player| std::mem::take(&mut player.stack));
                out.post(Account::Table, Account::Seat(Seat::new(n as u8)), stack);
            }
        }
        out.emit(Seats::ALL, json!({"type": "hand_end", "hand": self.hand}));
    }

    fn menu(&self, ask: AskId) -> Menu<Move> {
        let (title, moves) = if ask.0 >= OFFER {
            ("Beside the hand", vec![Move::TopUp])
        } else {
            ("Stay?", vec![Move::Stay, Move::Fold])
        };
        Menu::new(title, moves, |mv| {
            Choice::new(match mv {
                Move::Stay => "stay",
                Move::Fold => "fold",
                Move::TopUp => "top up",
            })
        })
    }

    fn visit(&mut self, visit: Visit, rng: &Rng, out: &mut impl Output<Event>) {
        match visit {
            Visit::Join { seat, stake, .. } => {
                self.players[seat.index()] = Some(Player { stack: stake, ..Player::default() });
                out.post(Account::Seat(seat), Account::Table, stake);
            }
            Visit::Leave { seat, .. } => {
                let stack = self.players[seat.index()].take().map_or(0, |player| player.stack);
                out.post(Account::Table, Account::Seat(seat), stack);
                self.advance(rng, out);
            }
            Visit::Away { .. } | Visit::Back { .. } => {}
        }
        out.emit(Seats::ALL, json!({"type": "visit", "visit": visit}));
    }
}

impl Game for Ring {
    const NAME: &'static str = "ring";
    const TITLE: &'static str = "Ring (probe)";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 9);
    const UNDO: Undo = Undo::None;
    const REVEAL: Reveal = Reveal::Auditor;
    const VISITS: bool = true;
    const BOTS: &'static [BotDef] = &[
        BotDef { name: "stays", title: "Stays", levels: 1, slow: false },
        BotDef { name: "folds", title: "Folds", levels: 3, slow: false },
        BotDef { name: "thinks", title: "Thinks", levels: 1, slow: true },
    ];
    type Settings = Settings;
    type Answer = Response;
    type Move = Move;
    type Event = Event;
    type Carry = Carry;
    type View<'a> = Value;

    fn start(setup: Setup<'_, Self>, rng: &mut Rng, out: &mut impl Output<Event>) -> Result<Self, Refusal> {
        if setup.settings.turn_ms == 0 {
            return Err(Refusal::of("setting", "turnMs is at least 1"));
        }
        let (fresh, seats) = (setup.carry.is_none(), setup.seats);
        let brought = |n: u8| {
            let seat = Seat::new(n);
            let stake = setup.stake(seat);
            setup.taken().has(seat).then_some(if stake == 0 { BUY_IN } else { stake })
        };
        let stacks = (0..seats).map(brought).collect();
        let carry = setup.carry.unwrap_or(Carry { stacks, hand: 0 });
        let player = |stack: &Option<i64>| stack.map(|stack| Player { stack, ..Player::default() });
        let mut game = Self {
            settings: setup.settings.clone(),
            players: carry.stacks.iter().map(player).collect(),
            pot: 0,
            turn: 0,
            hand: carry.hand,
            commitments: Commitments::default(),
            paid: false,
            over: false,
        };
        game.players.resize(seats.into(), None);
        let mut dice = vec![[0_u8]; seats.into()];
        let able = game.players.iter().flatten().filter(|player| player.stack > 0).count();
        for (n, player) in game.players.iter_mut().enumerate() {
            let Some(player) = player else { continue };
            if fresh {
                out.post(Account::Seat(Seat::new(n as u8)), Account::Table, player.stack);
            }
            if player.stack > 0 && able >= 2 {
                player.stack -= 1;
                game.pot += 1;
                dice[n] = [rng.roll_die(6) as u8];
                player.die = Some(dice[n][0]);
            }
        }
        game.commitments = Commitments::to(&dice, game.hand, rng);
        game.advance(rng, out);
        Ok(game)
    }

    fn open_asks(&self) -> Asks {
        let mut asks = Asks::new();
        if self.over {
            return asks;
        }
        match self.to_act() {
            Some(seat) => asks.push(Ask::turn(self.turn.into(), seat).within(self.settings.turn_ms).public()),
            None => asks.push(Ask::wait(500, self.settings.pause_ms)),
        }
        let sits = |n: &usize| self.players[*n].is_some();
        let seats = (0..self.players.len()).filter(sits).map(|n| Seat::new(n as u8)).collect();
        asks.push(Ask::offer(OFFER, seats));
        asks
    }

    fn legal(&self, _: Seat, ask: AskId, moves: &mut Vec<Move>) {
        moves.extend(self.menu(ask).moves);
    }

    fn check(&self, seat: Seat, ask: AskId, answer: &Response) -> Result<Move, Refusal> {
        if answer.title.as_deref() == Some("forged") {
            return Err(Refusal::forged(seat, "forged", "nobody can have sent that"));
        }
        self.menu(ask).check(answer)
    }

    fn to_answer(&self, _: Seat, ask: AskId, mv: &Move) -> Response {
        self.menu(ask).to_answer(mv)
    }

    fn cost(&self, _: Seat, mv: &Move) -> i64 {
        if *mv == Move::TopUp { TOP_UP } else { 0 }
    }

    fn apply(&mut self, input: Input<Move>, rng: &mut Rng, out: &mut impl Output<Event>) {
        match input {
            Input::Answer { seat, mv: Move::TopUp, .. } => {
                if let Some(player) = self.player(seat) {
                    player.stack += TOP_UP;
                }
                out.post(Account::Seat(seat), Account::Table, TOP_UP);
                out.emit(Seats::ALL, json!({"type": "topped_up", "seat": seat}));
            }
            Input::Answer { seat, mv, .. } => {
                if let Some(player) = self.player(seat) {
                    player.folded = mv == Move::Fold;
                }
                self.turn += 1;
                out.emit(Seats::ALL, json!({"type": "acted", "seat": seat, "folded": mv == Move::Fold}));
                self.advance(rng, out);
            }
            Input::Elapsed { ask: AskId(500), .. } => self.end(out),
            Input::Elapsed { .. } => {
                let seat = Seat::new(self.turn);
                if let Some(player) = self.player(seat) {
                    player.folded = true;
                }
                out.emit(Seats::ALL, json!({"type": "timed_out", "seat": seat}));
                self.turn += 1;
                self.advance(rng, out);
            }
            Input::Visit(visit) => self.visit(visit, rng, out),
        }
    }

    fn request(&self, _: Seat, ask: AskId) -> Selector {
        self.menu(ask).selector
    }

    fn view(&self, viewer: Viewer) -> Value {
        let player = |(n, player): (usize, &Option<Player>)| {
            let Some(player) = player else { return Value::Null };
            let mine = viewer.seat().is_some_and(|seat| seat.index() == n);
            let die = player.die.filter(|_| mine || player.shown.is_some());
            json!({"stack": player.stack, "folded": player.folded, "die": die, "opened": player.shown})
        };
        json!({
            "players": self.players.iter().enumerate().map(player).collect::<Vec<_>>(),
            "pot": self.pot,
            "turn": self.turn,
            "hand": self.hand,
            "commitments": self.commitments.published(),
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        let stack = |player: &Option<Player>| player.as_ref().map_or(0, |player| player.stack);
        let stacks: Vec<i64> = self.players.iter().map(stack).collect();
        self.over.then(|| Outcome::ranked(&stacks, "hand over"))
    }

    fn admit(&self, visit: &Visit) -> Result<(), Refusal> {
        let taken = |seat: &Seat| self.players.get(seat.index()).map(Option::is_some);
        match visit {
            Visit::Join { stake, .. } if !(1..=100).contains(stake) => {
                Err(Refusal::of(HouseCode::BuyIn, "a player brings 1 to 100 chips"))
            }
            Visit::Join { seat, .. } if taken(seat) != Some(false) => {
                Err(Refusal::of(HouseCode::SeatTaken, "that seat is taken"))
            }
            Visit::Leave { seat, .. } if taken(seat) != Some(true) => {
                Err(Refusal::of(HouseCode::NotSeated, "nobody sits there"))
            }
            _ => Ok(()),
        }
    }

    fn carry(&self) -> Option<Carry> {
        let more = self.settings.hands == 0 || self.hand + 1 < self.settings.hands;
        (self.over && more).then(|| Carry {
            stacks: self.players.iter().map(|player| player.as_ref().map(|player| player.stack)).collect(),
            hand: self.hand + 1,
        })
    }

    fn bot(_: &Value, legal: &[Move], _: &mut Rng) -> Move {
        legal[0]
    }

    fn bot_named(bot: &BotChoice, view: &Value, legal: &[Move], rng: &mut Rng) -> Move {
        if bot.bot == "folds" { Move::Fold } else { Self::bot(view, legal, rng) }
    }

    fn open_seating(settings: &Settings) -> Option<OpenSeating> {
        let (start_with, buy_in_min, buy_in_max) = (2, 1, 100);
        Some(OpenSeating { start_with, buy_in_min, buy_in_max, money: settings.money, min_bet: 0 })
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        let mut other = self.clone();
        for (n, player) in other.players.iter_mut().enumerate() {
            let Some(player) = player else { continue };
            // Once the pot is paid, a die that was not shown cannot change the winner.
            let hidden = player.shown.is_none() && !viewers.has(Seat::new(n as u8)) && !self.paid;
            if let Some(die) = player.die.as_mut().filter(|_| hidden) {
                *die = rng.roll_die(6) as u8;
            }
        }
        Some(other)
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        for (n, player) in self.players.iter().enumerate() {
            let Some(player) = player else { continue };
            let known = player.shown.is_some() || viewer.seat().is_some_and(|seat| seat.index() == n);
            if let Some(die) = player.die.filter(|_| known) {
                facts.add(self.hand * 100 + n as u32, die.into());
            }
        }
    }

    fn escrow(&self) -> i64 {
        self.pot + self.players.iter().flatten().map(|player| player.stack).sum::<i64>()
    }

    /// A stopped hand has no winner: the first who is in gets the antes, or the first who sits.
    fn refund(&self, seat: Seat) -> i64 {
        let first = (0..self.players.len()).find(|n| self.is_in(*n));
        let first = first.or_else(|| self.players.iter().position(Option::is_some));
        let pot = if first == Some(seat.index()) { self.pot } else { 0 };
        pot + self.players[seat.index()].as_ref().map_or(0, |player| player.stack)
    }
}
