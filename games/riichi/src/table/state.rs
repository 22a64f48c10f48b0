//! The state of a game: standing, round and phase. The transitions are in the files beside it.

use serde::{Deserialize, Serialize};

use super::SEATS_MAX;
use super::event::Event;
use super::player::Player;
use super::result::{GameEnd, RoundResult};
use super::settings::{Settings, SettingsError};
use super::wall::Wall;
use super::window::Window;
use crate::pay::Seat;
use crate::tile::{Tile, Wind};

/// Some of the seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatSet(u8);

impl SeatSet {
    /// None.
    pub const EMPTY: Self = Self(0);

    /// All seats of a table of so many.
    #[must_use]
    pub const fn all(seats: u8) -> Self {
        Self((1 << seats) - 1)
    }

    /// One seat.
    #[must_use]
    pub const fn only(seat: Seat) -> Self {
        Self(1 << seat.index())
    }

    /// Whether nobody is in.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the seat is in.
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.index() & 1 == 1
    }

    /// Puts a seat in.
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.index();
    }

    /// Takes a seat out.
    pub const fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.index());
    }

    /// The one with the lowest number.
    #[must_use]
    pub fn first(self) -> Option<Seat> {
        self.iter().next()
    }

    /// The seats, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(move |seat| self.contains(*seat))
    }
}

/// Where a game stands between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct Standing {
    /// The hand, counted from 0: East 1, East 2 and so on.
    pub kyoku: u8,
    pub honba: u16,
    /// Riichi sticks on the table.
    pub sticks: u16,
    pub scores: [i32; SEATS_MAX],
    /// Who was dealer in East 1.
    pub first_dealer: Seat,
    /// How many hands in a row the dealer has won.
    pub dealer_wins: u8,
}

impl Standing {
    /// The dealer of this hand.
    #[must_use]
    pub const fn dealer(&self, seats: u8) -> Seat {
        self.first_dealer.after(self.kyoku % seats, seats)
    }
}

/// What came before a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnAfter {
    /// A draw from the wall.
    Draw,
    /// A draw after a kan.
    Rinshan,
    /// Chi or pon: nothing was drawn.
    Call,
}

/// What the table waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Turn {
        seat: Seat,
        after: TurnAfter,
    },
    /// A tile lies there that others may take.
    Window(Window),
    /// The round is over; seats confirm.
    RoundEnd {
        result: Box<RoundResult>,
        next: Standing,
        waiting: SeatSet,
    },
    /// The game is over.
    Over {
        result: Box<RoundResult>,
        end: GameEnd,
    },
}

/// A round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Round {
    pub(super) wall: Wall,
    pub(super) players: [Player; SEATS_MAX],
    /// Indicators that lie open.
    pub(super) dora: u8,
    /// Indicators that are turned before the next discard.
    pub(super) dora_before_discard: u8,
    /// Indicators that are turned when the next discard has passed.
    pub(super) dora_after_discard: u8,
    /// Nobody has called or made a kan.
    pub(super) untouched: bool,
}

/// A game of riichi.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub(super) settings: Settings,
    pub(super) seats: u8,
    /// An empty window waits for [`Table::elapse`], so that nobody can tell it from one in which all passed.
    pub(super) hold_windows: bool,
    pub(super) standing: Standing,
    pub(super) round: Round,
    pub(super) phase: Phase,
}

/// What a transition talks to: who listens, and who has walls.
pub(super) struct Surroundings<'a> {
    pub(super) walls: &'a mut dyn FnMut(&Standing) -> Wall,
    pub(super) emit: &'a mut dyn FnMut(Event),
}

impl Surroundings<'_> {
    pub(super) fn tell(&mut self, event: Event) {
        (self.emit)(event);
    }
}

impl Table {
    /// A new game. `walls` is asked for one at the start of every round.
    ///
    /// # Errors
    /// If [`Settings::validate`] finds a fault.
    pub fn start(
        settings: Settings,
        walls: &mut dyn FnMut(&Standing) -> Wall,
        emit: &mut dyn FnMut(Event),
    ) -> Result<Self, SettingsError> {
        let standing = Standing {
            kyoku: 0,
            honba: 0,
            sticks: 0,
            scores: [settings.start_points; SEATS_MAX],
            first_dealer: Seat::ALL[0],
            dealer_wins: 0,
        };
        Self::start_from(settings, standing, walls, emit)
    }

    /// A game that goes on from some standing.
    ///
    /// # Errors
    /// If [`Settings::validate`] finds a fault.
    pub fn start_from(
        settings: Settings,
        standing: Standing,
        walls: &mut dyn FnMut(&Standing) -> Wall,
        emit: &mut dyn FnMut(Event),
    ) -> Result<Self, SettingsError> {
        settings.validate()?;
        let wall = walls(&standing);
        let round = Round::new(wall);
        let first = standing.dealer(settings.num_players);
        let phase = Phase::Turn { seat: first, after: TurnAfter::Draw };
        let seats = settings.num_players;
        let mut table = Self { settings, seats, hold_windows: false, standing, round, phase };
        table.deal(&mut Surroundings { walls, emit });
        Ok(table)
    }

    /// From now on an empty window waits for [`Table::elapse`].
    pub const fn hold_windows(&mut self, hold: bool) {
        self.hold_windows = hold;
    }

    /// Starts the round that `standing` names.
    pub(super) fn start_round(&mut self, out: &mut Surroundings<'_>) {
        self.round = Round::new((out.walls)(&self.standing));
        self.deal(out);
    }

    /// Four, four, four and one for each, from the dealer on; then the dealer draws.
    fn deal(&mut self, out: &mut Surroundings<'_>) {
        let dealer = self.dealer();
        for portion in [4, 4, 4, 1] {
            for steps in 0..self.seats {
                let player = &mut self.round.players[dealer.after(steps, self.seats).index()];
                (0..portion).for_each(|_| player.receive(self.round.wall.draw()));
            }
        }
        for player in &mut self.round.players {
            player.update_waits();
        }
        let hands = std::array::from_fn(|seat| self.round.players[seat].tiles().iter().collect());
        let dora = self.round.wall.dora(1)[0];
        out.tell(Event::RoundStarted { standing: self.standing, hands: Box::new(hands), dora });
        self.draw(dealer, out);
    }

    /// What the table plays by.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many seats there are.
    #[must_use]
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// Hand, honba, sticks and scores as they are now.
    #[must_use]
    pub const fn standing(&self) -> &Standing {
        &self.standing
    }

    /// What the table waits for.
    #[must_use]
    pub const fn phase(&self) -> &Phase {
        &self.phase
    }

    /// What a seat has.
    #[must_use]
    pub const fn player(&self, seat: Seat) -> &Player {
        &self.round.players[seat.index()]
    }

    /// The wall of this round: nobody at the table sees it.
    #[must_use]
    pub const fn wall(&self) -> &Wall {
        &self.round.wall
    }

    /// The indicators that lie open.
    #[must_use]
    pub fn dora(&self) -> &[Tile] {
        self.round.wall.dora(self.round.dora)
    }

    /// How many tiles are left to draw.
    #[must_use]
    pub const fn left(&self) -> u8 {
        self.round.wall.left()
    }

    /// The dealer.
    #[must_use]
    pub const fn dealer(&self) -> Seat {
        self.standing.dealer(self.seats)
    }

    /// The wind of the round.
    #[must_use]
    pub const fn round_wind(&self) -> Wind {
        match Wind::new(self.standing.kyoku / self.seats) {
            Some(wind) => wind,
            None => Wind::North,
        }
    }

    /// The wind of a seat.
    #[must_use]
    pub const fn seat_wind(&self, seat: Seat) -> Wind {
        match Wind::new(self.dealer().steps_to(seat, self.seats)) {
            Some(wind) => wind,
            None => Wind::North,
        }
    }

    /// Who is asked now.
    #[must_use]
    pub fn asked(&self) -> SeatSet {
        match &self.phase {
            Phase::Turn { seat, .. } => SeatSet::only(*seat),
            Phase::Window(window) => window.waiting,
            Phase::RoundEnd { waiting, .. } => *waiting,
            Phase::Over { .. } => SeatSet::EMPTY,
        }
    }

    /// How the game ended, once it has.
    #[must_use]
    pub const fn game_end(&self) -> Option<&GameEnd> {
        match &self.phase {
            Phase::Over { end, .. } => Some(end),
            _ => None,
        }
    }

    /// How the round ended, once it has and until the next begins.
    #[must_use]
    pub fn round_result(&self) -> Option<&RoundResult> {
        match &self.phase {
            Phase::RoundEnd { result, .. } | Phase::Over { result, .. } => Some(result),
            _ => None,
        }
    }

    pub(super) fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::ALL.into_iter().take(usize::from(self.seats))
    }

    /// The other seats, in turn order.
    pub(super) fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.seats;
        (1..seats).map(move |steps| seat.after(steps, seats))
    }
}

impl Round {
    pub(super) fn new(wall: Wall) -> Self {
        Self {
            wall,
            players: std::array::from_fn(|_| Player::new()),
            dora: 1,
            dora_before_discard: 0,
            dora_after_discard: 0,
            untouched: true,
        }
    }
}
