//! The table as a house serves it: one hand is one match, and what the seats have goes from one to the next.
//!
//! All rules are those of [`crate::table`]. Here its moves become answers, its clocks asks, its events what viewers are told
//! and its money postings; a view names what a viewer may know, and every card has a commitment that is opened when the card
//! is shown.

mod answer;
mod clocks;
mod deck;
mod dialect;
mod made;
mod odds;
mod play;
mod settings;
mod twin;
mod view;
mod wire;

use arrayvec::ArrayVec;
use parlor_core::game::{DisconnectPolicy, OnDisconnect, Reveal};
use parlor_core::{
    Ask, AskId, Asks, BotChoice, BotDef, DialectAction, Facts, Game, HouseCode, Input, Json, Lobby,
    OpenSeating, Outcome, Output, Refusal, Rng, Seat, Seats, Selector, Setup, TimeLimit, Undo, Viewer, Visit,
};
use serde::{Deserialize, Serialize};

pub use answer::{Move, Said};
use clocks::Clocks;
use deck::Deck;
pub use deck::OpenedCard;
pub use made::{Made, MadeClass, MadeKind};
use settings::Rules;
pub use settings::{Format, Settings};
pub use view::{Shown, View};
pub use wire::{detect, show_hand};

use crate::hand::Phase;
use crate::seat::SEATS_MAX;
use crate::table::{self, Bot, SeatState, SitAndGo, Table};

/// What the ids of asks begin from; a number that tells one from the next is added.
const TURN_ASK: u32 = 0;
const RUN_OUT_ASK: u32 = 100_000;
const START_ASK: u32 = 200_000;
const GAP_ASK: u32 = 300_000;
const IDLE_ASK: u32 = 400_000;
const TICK_ASK: u32 = 500_000;
const REBUY_ASK: u32 = 600_000;
const SEAT_ASK: u32 = 700_000;

/// What an ask is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Turn,
    RunOut,
    Start,
    Gap,
    Idle,
    Tick,
    Rebuy,
    Seat,
}

impl About {
    const fn of(ask: AskId) -> Self {
        match ask.0 {
            TURN_ASK..RUN_OUT_ASK => Self::Turn,
            RUN_OUT_ASK..START_ASK => Self::RunOut,
            START_ASK..GAP_ASK => Self::Start,
            GAP_ASK..IDLE_ASK => Self::Gap,
            IDLE_ASK..TICK_ASK => Self::Idle,
            TICK_ASK..REBUY_ASK => Self::Tick,
            REBUY_ASK..SEAT_ASK => Self::Rebuy,
            SEAT_ASK.. => Self::Seat,
        }
    }
}

/// What is played at the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Room {
    Ring(Box<Table>),
    SitAndGo(Box<SitAndGo>),
}

impl Room {
    pub(crate) fn table(&self) -> &Table {
        match self {
            Self::Ring(table) => table,
            Self::SitAndGo(tournament) => tournament.table(),
        }
    }

    fn tournament(&self) -> Option<&SitAndGo> {
        match self {
            Self::Ring(_) => None,
            Self::SitAndGo(tournament) => Some(tournament),
        }
    }
}

/// One hand at a table, with what comes before and after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Poker {
    pub(crate) rules: Rules,
    pub(crate) room: Room,
    deck: Deck,
    /// Cards that everybody has seen.
    opened: Vec<OpenedCard>,
    /// Seats that the house has given to somebody, whether or not the table still has chips of theirs.
    held: Seats,
    /// Of those without chips here, who does not want to be asked to buy in again.
    declined: Seats,
    /// Who is asked to buy in again, and who may do something beside the hand; as of the last change of the seats.
    beside: (Seats, Seats),
    clocks: Clocks,
    /// Players who have sat down so far; each has a number of their own.
    players: u64,
    /// The number of each seat's player.
    accounts: ArrayVec<u64, SEATS_MAX>,
    /// How often the table has waited for players in this match.
    waits: u32,
    /// Whether the hand of this match was dealt.
    dealt: bool,
    /// Whether a sit-and-go has paid its prizes.
    paid: bool,
    over: bool,
    /// Whether no other hand follows.
    closed: bool,
    #[serde(skip)]
    events: Vec<table::Event>,
}

/// What one hand passes on to the next: stacks, button, debts, intents, the place in a mixed game, and the clocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Carry {
    room: Room,
    declined: Seats,
    clocks: Clocks,
    players: u64,
    accounts: ArrayVec<u64, SEATS_MAX>,
    paid: bool,
}

/// What viewers are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
#[serde(untagged)]
#[ts(rename = "Event")]
pub enum Told {
    /// What happened at the table.
    Table(table::Event),
    /// What happened around it.
    House(HouseEvent),
}

/// What happened around the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ts_rs::TS)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum HouseEvent {
    /// What only this player knows has changed.
    Own { seat: usize },
    /// A connection was lost, or is back.
    Presence { seat: usize, away: bool },
    /// Clocks that everybody sees have gone on.
    Clocks,
    /// The next level of a sit-and-go.
    LevelUp { level: usize },
    /// A prize of a sit-and-go.
    Prize { seat: usize, place: usize, tokens: i64 },
    /// The hand has been shown; `closed` if it was the last.
    HandEnd { number: u64, closed: bool },
}

const BOTS: &[BotDef] = &[
    BotDef { name: "tight", title: "Tight: folds weak hands", levels: 1, slow: false },
    BotDef { name: "call", title: "Caller: never raises or folds", levels: 1, slow: false },
    BotDef { name: "random", title: "Random", levels: 1, slow: false },
];

fn lobby_settings() -> Json {
    serde_json::json!({"profile": "standard"})
}

impl Poker {
    pub(crate) fn table(&self) -> &Table {
        self.room.table()
    }

    #[inline]
    fn turn_ask(&self) -> Option<(Seat, u32)> {
        let table = self.table();
        Some((Seat::new(table.turn()? as u8), TURN_ASK + table.log.len() as u32))
    }

    /// Players without chips who are asked whether they buy in again.
    fn rebuyers(&self) -> Seats {
        debug_assert_eq!(self.beside, self.beside_the_hand(), "the seats have changed since");
        self.beside.0
    }

    /// Who is asked to buy in again, and who may do something beside the hand.
    fn beside_the_hand(&self) -> (Seats, Seats) {
        let table = self.table();
        let ring = matches!(self.room, Room::Ring(_));
        let (mut rebuyers, mut offered) = (Seats::NONE, self.held);
        for seat in self.held.iter() {
            let n = seat.index();
            let asked = match table.state(n) {
                SeatState::Empty if ring && self.may_sit_again(n) => !self.declined.has(seat),
                SeatState::Empty => {
                    offered = offered.without(seat);
                    false
                }
                SeatState::Broke => ring && !table.closing && table.to_add(n) == 0,
                _ => false,
            };
            if asked {
                rebuyers = rebuyers.with(seat);
            }
        }
        (rebuyers, offered)
    }

    /// Whether the table gave this seat up, and its player may buy in again.
    fn may_sit_again(&self, seat: usize) -> bool {
        let table = self.table();
        !table.closing && table.state(seat) == SeatState::Empty && table.place(seat).is_none()
    }

    /// The ask to answer next while nobody has a turn.
    fn next_beside(&self) -> Ask {
        let rebuyers = self.rebuyers();
        if rebuyers.is_empty() { self.wait() } else { Ask::request(REBUY_ASK, rebuyers) }
    }

    /// A random move that is no bet.
    #[inline(never)]
    fn sample_beside(&self, seat: Seat, ask: AskId, rng: &mut Rng, scratch: &mut Vec<Move>) -> Move {
        // A simulated table stays full.
        if About::of(ask) == About::Rebuy
            && let Ok(buys_in) = self.check_usual_rebuy(seat.index())
        {
            return buys_in;
        }
        scratch.clear();
        self.legal(seat, ask, scratch);
        *rng.pick(scratch)
    }

    /// Whether another hand can follow from here.
    fn goes_on(&self) -> bool {
        if self.over { !self.closed } else { !self.dealt && self.turn_ask().is_none() }
    }

    fn can_deal(&self) -> bool {
        match &self.room {
            Room::Ring(table) => !table.closing && table.can_deal(),
            Room::SitAndGo(tournament) => !tournament.is_over(),
        }
    }

    /// The wait that stands while nobody has a turn.
    fn wait(&self) -> Ask {
        let table = self.table();
        let gap = table.settings().hand_gap_ms;
        let ended = self.room.tournament().is_some_and(SitAndGo::is_over);
        if table.waits_for_cards() {
            Ask::wait(RUN_OUT_ASK + table.log.len() as u32, self.rules.run_out_ms)
        } else if self.dealt || ended {
            Ask::wait(GAP_ASK, gap.saturating_add(self.clocks.break_ms()))
        } else if self.can_deal() {
            Ask::wait(START_ASK + self.waits, gap)
        } else {
            let ms = if self.rules.idle_close_ms > 0 { self.rules.idle_close_ms } else { u32::MAX };
            Ask::wait(IDLE_ASK + self.waits, ms)
        }
    }

    fn result(&self) -> Outcome {
        let table = self.table();
        let seats = table.settings().seat_count;
        if let Some(tournament) = self.room.tournament().filter(|tournament| tournament.is_over()) {
            let mut scores = vec![0; seats];
            for standing in tournament.standings() {
                scores[standing.seat] = -(standing.place.unwrap_or(seats) as i64);
            }
            return Outcome::ranked(&scores, "sit-and-go over");
        }
        if !self.dealt {
            return Outcome::draw(seats as u8, "table closed");
        }
        let mut net = [0; SEATS_MAX];
        if let Some(hand) = table.hand() {
            let setup = hand.setup();
            for (seat, net) in net.iter_mut().enumerate().take(seats) {
                if let Some(place) = table.place(seat) {
                    *net = hand.stacks()[place] - setup.stacks[place] - setup.paid_dead[place];
                }
            }
        }
        Outcome::ranked(&net[..seats], "hand over")
    }
}

impl Game for Poker {
    const NAME: &'static str = "poker";
    const TITLE: &'static str = "Poker";
    const RULES: u32 = 1;
    const SEATS: (u8, u8) = (2, 10);
    const UNDO: Undo = Undo::None;
    const REVEAL: Reveal = Reveal::Auditor;
    const VISITS: bool = true;
    const BOTS: &'static [BotDef] = BOTS;
    const LOBBY: Lobby = Lobby {
        order: 1,
        seats: Some(6),
        settings: Some(lobby_settings),
        tags: &["cards", "money"],
        scores: Some("/seats/*/stack"),
        ..Lobby::DEFAULT
    };

    type Settings = Settings;
    type Answer = Said;
    type Move = Move;
    type Event = Told;
    type Carry = Carry;
    type View<'a> = View<'a>;

    fn start(setup: Setup<'_, Self>, rng: &mut Rng, out: &mut impl Output<Told>) -> Result<Self, Refusal> {
        let table = setup.settings.for_seats(setup.seats)?;
        let held = setup.taken();
        let mut game = match setup.carry {
            Some(carry) => Self::resume(carry, setup.settings.rules, table, held)?,
            None => Self::open(setup.settings, table, held, |seat| setup.stake(seat), rng, out)?,
        };
        game.deal(rng, out);
        game.settle(rng, out);
        Ok(game)
    }

    fn open_asks(&self) -> Asks {
        let mut asks = Asks::new();
        if self.over {
            return asks;
        }
        match self.turn_ask() {
            Some((seat, id)) => {
                let settings = self.table().settings();
                let ask = Ask::turn(id, seat).public();
                asks.push(match settings.time_limit_ms {
                    0 => ask,
                    ms if settings.time_bank_ms + settings.time_bank_add_ms > 0 => {
                        ask.clock(TimeLimit::Bank { base_ms: ms })
                    }
                    ms => ask.within(ms),
                });
            }
            None => asks.push(self.wait()),
        }
        let (rebuyers, offered) = (self.rebuyers(), self.beside.1);
        if !rebuyers.is_empty() {
            asks.push(Ask::request(REBUY_ASK, rebuyers));
        }
        if let Some((number, ms)) = self.clocks.tick() {
            asks.push(Ask::wait(TICK_ASK + number, ms));
        }
        if !offered.is_empty() {
            asks.push(Ask::offer(SEAT_ASK, offered));
        }
        asks
    }

    #[inline]
    fn next_ask(&self) -> Option<Ask> {
        match self.turn_ask() {
            _ if self.over => None,
            Some((seat, id)) => Some(Ask::turn(id, seat)),
            None => Some(self.next_beside()),
        }
    }

    fn legal(&self, seat: Seat, ask: AskId, moves: &mut Vec<Move>) {
        match (About::of(ask), self.table().hand()) {
            (About::Turn, Some(hand)) if self.table().turn() == Some(seat.index()) => {
                answer::turn_moves(hand, moves);
            }
            (About::Rebuy, _) => self.rebuy_moves(seat.index(), moves),
            (About::Seat, _) => self.seat_moves(seat.index(), moves),
            _ => {}
        }
    }

    #[inline]
    fn sample(&self, seat: Seat, ask: AskId, rng: &mut Rng, scratch: &mut Vec<Move>) -> Move {
        if let (About::Turn, Some(hand)) = (About::of(ask), self.table().hand())
            && hand.phase() == Phase::Bet
        {
            let wanted = match rng.below(4) {
                0 => hand.to_fold(),
                1 => hand.to_raise(|least, _| least),
                2 => hand.to_raise(|_, most| most),
                _ => None,
            };
            return Move::play(wanted.unwrap_or_else(|| hand.to_pay()));
        }
        self.sample_beside(seat, ask, rng, scratch)
    }

    fn check(&self, seat: Seat, ask: AskId, said: &Said) -> Result<Move, Refusal> {
        match About::of(ask) {
            About::Turn => self.check_turn(seat, ask, said),
            About::Rebuy => self.check_rebuy(seat.index(), said),
            About::Seat => self.check_seat(seat.index(), said),
            _ => Err(Refusal::of(HouseCode::NotAsked, "nobody is asked this")),
        }
    }

    fn to_answer(&self, _: Seat, ask: AskId, mv: &Move) -> Said {
        let answer = mv.answer();
        Said::Plain(if About::of(ask) == About::Rebuy { answer::as_rebuy(answer) } else { answer })
    }

    fn apply(&mut self, input: Input<Move>, rng: &mut Rng, out: &mut impl Output<Told>) {
        let plays = match &input {
            Input::Answer { mv, .. } => mv.is_turn(),
            Input::Elapsed { ask, .. } => About::of(*ask) == About::RunOut,
            Input::Visit(_) => false,
        };
        let looks = matches!(&input, Input::Elapsed { ask, .. } if About::of(*ask) == About::Gap);
        match input {
            Input::Answer { seat, mv, .. } => self.answer(seat, mv, rng, out),
            Input::Elapsed { ask, .. } => self.elapsed(ask, rng, out),
            Input::Visit(visit) => self.visit(visit, rng, out),
        }
        // As long as the hand goes on, playing it changes nothing about the seats and their clocks; nor does the end of the
        // time in which its result is shown.
        if !(plays && self.table().is_running() || looks && !self.closed) {
            self.settle(rng, out);
        }
    }

    fn request(&self, seat: Seat, ask: AskId) -> Selector {
        match (About::of(ask), self.table().hand()) {
            (About::Turn, Some(hand)) => answer::turn_request(hand),
            (About::Rebuy, _) => {
                let settings = self.table().settings();
                answer::rebuy_request(
                    self.rebuy_chips(seat.index()),
                    settings.buy_in_min,
                    settings.buy_in_max,
                )
            }
            _ => answer::seat_request(self.table()),
        }
    }

    fn view(&self, viewer: Viewer) -> View<'_> {
        View::new(self, viewer)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| self.result())
    }

    fn admit(&self, visit: &Visit) -> Result<(), Refusal> {
        self.admits(*visit)
    }

    fn vacating(&self) -> Seats {
        let Room::Ring(table) = &self.room else { return Seats::NONE };
        let gone = |seat: &Seat| {
            let n = seat.index();
            !self.held.has(*seat) && (table.place(n).is_some() || table.state(n).is_taken())
        };
        (0..table.settings().seat_count).map(|n| Seat::new(n as u8)).filter(gone).collect()
    }

    fn buy_in(&self, player: u64) -> Option<(i64, i64)> {
        let table = &self.table().settings();
        let left_with = Some(self.table().left_with(player)).filter(|chips| *chips > 0)?;
        Some((table.buy_in_min.max(left_with), table.buy_in_max.max(left_with)))
    }

    fn next_match(
        &mut self,
        setup: Setup<'_, Self>,
        rng: &mut Rng,
        out: &mut impl Output<Told>,
    ) -> Result<bool, Refusal> {
        if !self.goes_on() {
            return Ok(false);
        }
        let table = setup.settings.for_seats(setup.seats)?;
        self.begin_next(setup.settings.rules, table, setup.taken())?;
        self.deal(rng, out);
        self.settle(rng, out);
        Ok(true)
    }

    fn carry(&self) -> Option<Carry> {
        self.goes_on().then(|| Carry {
            room: match &self.room {
                Room::Ring(table) => Room::Ring(Box::new(table.between())),
                Room::SitAndGo(tournament) => Room::SitAndGo(Box::new(tournament.between())),
            },
            declined: self.declined,
            clocks: self.clocks.clone(),
            players: self.players,
            accounts: self.accounts.clone(),
            paid: self.paid,
        })
    }

    fn bot(view: &View<'_>, legal: &[Move], rng: &mut Rng) -> Move {
        view.decide(Bot::Tight, legal, rng)
    }

    fn bot_named(bot: &BotChoice, view: &View<'_>, legal: &[Move], rng: &mut Rng) -> Move {
        view.decide(Bot::named(&bot.bot).unwrap_or(Bot::Tight), legal, rng)
    }

    fn cost(&self, seat: Seat, mv: &Move) -> i64 {
        match mv {
            Move::Sit(chips) => *chips,
            Move::Table(mv) if self.room.tournament().is_none() => {
                mv.top_up().map_or(0, |chips| (chips - self.table().to_add(seat.index())).max(0))
            }
            _ => 0,
        }
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        Some(self.twin(viewers, rng))
    }

    fn known_facts(&self, viewer: Viewer, facts: &mut Facts) {
        self.facts(viewer, facts);
    }

    fn escrow(&self) -> i64 {
        match &self.room {
            Room::Ring(table) => table.escrow(),
            Room::SitAndGo(_) if self.paid => 0,
            Room::SitAndGo(tournament) => tournament.prize_pool(),
        }
    }

    fn refund(&self, seat: Seat) -> i64 {
        match &self.room {
            Room::Ring(table) => table.refund(seat.index()),
            Room::SitAndGo(_) if self.paid => 0,
            Room::SitAndGo(_) => self.rules.buy_in,
        }
    }

    fn disconnect_policy(_: &Settings) -> Option<DisconnectPolicy> {
        Some(DisconnectPolicy { on_disconnect: OnDisconnect::SitOut, ..DisconnectPolicy::default() })
    }

    fn open_seating(settings: &Settings) -> Option<OpenSeating> {
        (settings.rules.format == Format::Ring).then_some(OpenSeating {
            start_with: 2,
            buy_in_min: settings.table.buy_in_min,
            buy_in_max: settings.table.buy_in_max,
            money: settings.rules.currency,
            min_bet: settings.table.big_blind,
        })
    }

    fn schema() -> Json {
        Settings::schema()
    }

    fn interpret(&self, seat: Seat, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        Some(self.merge_words(seat, words))
    }

    fn interpret_guest(&self, name: &str, words: &Json) -> Option<Result<DialectAction, Refusal>> {
        Some(self.join_words(name, words))
    }
}
