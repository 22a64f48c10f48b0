//! Players: their order, their teams, and counters that record where points came from.

use std::collections::BTreeMap;

use parlor_core::{Seat, Seats};
use serde::{Deserialize, Serialize};

/// The maximum length of one counter's history; the oldest entries are dropped, and the total stays right.
pub const HISTORY_MAX: usize = 256;

/// One change of a counter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Change {
    pub delta: i64,
    /// The total after the change.
    pub total: i64,
    /// What the change was for.
    pub source: String,
    pub round: u32,
    pub turn: u32,
}

/// A number with a history of its changes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counter {
    total: i64,
    history: Vec<Change>,
}

impl Counter {
    /// The current value.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.total
    }

    /// The changes, oldest first.
    #[must_use]
    pub fn history(&self) -> &[Change] {
        &self.history
    }
}

/// The players of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Players {
    order: Vec<Seat>,
    /// The team of each seat, by the seat's index.
    teams: Vec<u8>,
    out: Seats,
    counters: BTreeMap<String, Vec<Counter>>,
    /// The round that later changes record.
    pub round: u32,
    /// The turn that later changes record.
    pub turn: u32,
}

impl Players {
    /// This many players, in seat order, each on a team of their own.
    #[must_use]
    pub fn new(seats: u8) -> Self {
        Self {
            order: (0..seats).map(Seat::new).collect(),
            teams: (0..seats).collect(),
            out: Seats::NONE,
            counters: BTreeMap::new(),
            round: 0,
            turn: 0,
        }
    }

    /// Sets the teams, one number for each seat.
    #[must_use]
    pub fn teams(mut self, teams: &[u8]) -> Self {
        self.teams = teams.to_vec();
        self
    }

    /// All players who are still in, in turn order.
    pub fn all(&self) -> impl Iterator<Item = Seat> {
        self.order.iter().copied().filter(|seat| !self.out.has(*seat))
    }

    /// All players who are still in, in turn order, starting from this seat.
    ///
    /// # Panics
    /// If the seat is not in the order.
    pub fn from(&self, first: Seat) -> impl Iterator<Item = Seat> {
        let place =
            self.order.iter().position(|seat| *seat == first).expect("the seat has a place in the order");
        let around = self.order[place..].iter().chain(&self.order[..place]);
        around.copied().filter(|seat| !self.out.has(*seat))
    }

    /// The next player after this seat.
    #[must_use]
    pub fn after(&self, seat: Seat) -> Seat {
        self.from(seat).find(|other| *other != seat).unwrap_or(seat)
    }

    /// Changes the turn order.
    ///
    /// # Panics
    /// If it is not an order of the same players.
    pub fn reorder(&mut self, order: Vec<Seat>) {
        let (new, old): (Seats, Seats) =
            (order.iter().copied().collect(), self.order.iter().copied().collect());
        assert!(new == old && order.len() == self.order.len(), "an order has every player once");
        self.order = order;
    }

    /// Removes a player from the turn order.
    pub fn eliminate(&mut self, seat: Seat) {
        self.out = self.out.with(seat);
    }

    /// The team of a seat.
    #[must_use]
    pub fn team(&self, seat: Seat) -> u8 {
        self.teams[seat.index()]
    }

    /// All seats on the team of this seat, including it.
    #[must_use]
    pub fn side(&self, seat: Seat) -> Seats {
        self.order.iter().copied().filter(|other| self.team(*other) == self.team(seat)).collect()
    }

    /// Changes a counter of a seat and records why.
    pub fn count(&mut self, seat: Seat, counter: &str, delta: i64, source: impl Into<String>) {
        let (seats, round, turn) = (self.teams.len(), self.round, self.turn);
        let row = self.counters.entry(counter.to_owned()).or_insert_with(|| vec![Counter::default(); seats]);
        let counter = &mut row[seat.index()];
        counter.total += delta;
        if counter.history.len() == HISTORY_MAX {
            counter.history.remove(0);
        }
        counter.history.push(Change { delta, total: counter.total, source: source.into(), round, turn });
    }

    /// A counter of a seat, if it was ever changed.
    #[must_use]
    pub fn counter(&self, seat: Seat, counter: &str) -> Option<&Counter> {
        self.counters.get(counter)?.get(seat.index())
    }

    /// The current value of a seat's counter.
    #[must_use]
    pub fn total(&self, seat: Seat, counter: &str) -> i64 {
        self.counter(seat, counter).map_or(0, Counter::total)
    }
}
