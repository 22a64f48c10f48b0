//! The matchmaking queues: players who want the same game with the same settings, first come, first served.
//!
//! Plain data. It uses no clock, no socket and no table: its driver passes the time and opens the tables.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use parlor_store::PlayerId;

/// The largest number of waiting players, over all queues.
pub(crate) const WAITING_MAX: usize = 100_000;

/// The key of a queue: what must be equal for two players to play together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Line {
    pub(crate) game: String,
    /// The settings as canonical JSON.
    pub(crate) settings: String,
    pub(crate) seats: u8,
}

/// A waiting player; `T` is data that the driver gets back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ticket<T> {
    pub(crate) player: PlayerId,
    /// When bots may take the empty seats, in the driver's milliseconds.
    pub(crate) fill_at: Option<u64>,
    pub(crate) with: T,
}

/// Why a player cannot be queued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotQueued {
    /// The player waits in another queue.
    Elsewhere,
    /// Too many players wait.
    Full,
}

/// A player's position in their queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    /// Starts at 1.
    pub(crate) place: u64,
    /// The length of the queue.
    pub(crate) waiting: u64,
}

/// Players who will play together, in the order in which they came, and the number of bots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group<T> {
    pub(crate) line: Line,
    pub(crate) people: Vec<Ticket<T>>,
    pub(crate) bots: u8,
}

/// Every queue. A player is in at most one of them, and once.
#[derive(Debug)]
pub(crate) struct Queues<T> {
    /// By number: numbers rise, so the smallest belongs to the player who came first.
    lines: BTreeMap<Line, BTreeMap<i64, Ticket<T>>>,
    places: HashMap<PlayerId, (Line, i64)>,
    /// Queues with enough players for a group.
    together: BTreeSet<Line>,
    /// Players who accept bots after a time, ordered by that time.
    fills: BTreeSet<(u64, i64, PlayerId)>,
    next: i64,
    /// The next number for a player who goes back to the head of a queue; it falls.
    first: i64,
}

impl<T> Default for Queues<T> {
    fn default() -> Self {
        Self {
            lines: BTreeMap::new(),
            places: HashMap::new(),
            together: BTreeSet::new(),
            fills: BTreeSet::new(),
            next: 1,
            first: 0,
        }
    }
}

impl<T> Queues<T> {
    /// The number of waiting players.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Adds a player at the end of a queue. A player who is in it already keeps their place; the new ticket replaces
    /// the old one.
    pub(crate) fn join(&mut self, line: Line, ticket: Ticket<T>) -> Result<Position, NotQueued> {
        let number = match self.places.get(&ticket.player) {
            Some((at, _)) if *at != line => return Err(NotQueued::Elsewhere),
            Some((_, number)) => *number,
            None if self.places.len() >= WAITING_MAX => return Err(NotQueued::Full),
            None => {
                self.next += 1;
                self.next - 1
            }
        };
        Ok(self.put(line, number, ticket))
    }

    /// Puts a player back at the head of the queue they came from, after other players made their match fail.
    pub(crate) fn back(&mut self, line: Line, ticket: Ticket<T>) {
        if !self.places.contains_key(&ticket.player) {
            self.first -= 1;
            self.put(line, self.first, ticket);
        }
    }

    fn put(&mut self, line: Line, number: i64, ticket: Ticket<T>) -> Position {
        let player = ticket.player.clone();
        if let Some(at) = ticket.fill_at {
            self.fills.insert((at, number, player.clone()));
        }
        let waiting = self.lines.entry(line.clone()).or_default();
        if let Some(old) = waiting.insert(number, ticket) {
            let newer = waiting[&number].fill_at;
            if let Some(at) = old.fill_at.filter(|at| newer != Some(*at)) {
                self.fills.remove(&(at, number, player.clone()));
            }
        }
        if waiting.len() >= line.seats.into() {
            self.together.insert(line.clone());
        }
        self.places.insert(player.clone(), (line, number));
        self.position(&player).unwrap_or(Position { place: 1, waiting: 1 })
    }

    /// Removes a player; returns their ticket if they waited.
    pub(crate) fn leave(&mut self, player: &PlayerId) -> Option<Ticket<T>> {
        let (line, number) = self.places.remove(player)?;
        let waiting = self.lines.get_mut(&line)?;
        let ticket = waiting.remove(&number)?;
        if waiting.len() < line.seats.into() {
            self.together.remove(&line);
        }
        if waiting.is_empty() {
            self.lines.remove(&line);
        }
        if let Some(at) = ticket.fill_at {
            self.fills.remove(&(at, number, player.clone()));
        }
        Some(ticket)
    }

    /// The ticket of a waiting player.
    pub(crate) fn ticket(&self, player: &PlayerId) -> Option<(&Line, &Ticket<T>)> {
        let (line, number) = self.places.get(player)?;
        Some((line, self.lines.get(line)?.get(number)?))
    }

    /// The position of a waiting player.
    pub(crate) fn position(&self, player: &PlayerId) -> Option<Position> {
        let (line, number) = self.places.get(player)?;
        let waiting = self.lines.get(line)?;
        // The last player asks most often: counting is skipped for them.
        let last = waiting.last_key_value().is_some_and(|(last, _)| last == number);
        let place = if last { waiting.len() } else { waiting.range(..=*number).count() };
        Some(Position { place: place as u64, waiting: waiting.len() as u64 })
    }

    /// Takes a complete group, if there is one: the first players of a queue.
    pub(crate) fn matched(&mut self) -> Option<Group<T>> {
        let line = self.together.first()?.clone();
        Some(self.take(&line))
    }

    /// Takes the group of the first player whose waiting time has run out.
    pub(crate) fn due(&mut self, now: u64) -> Option<Group<T>> {
        let (at, _, player) = self.fills.first()?;
        let line = (*at <= now).then(|| self.places.get(player))??.0.clone();
        // Players before them in the queue are seated first: nobody is passed over.
        Some(self.take(&line))
    }

    /// When [`Queues::due`] is worth calling again.
    pub(crate) fn wakes_at(&self) -> Option<u64> {
        self.fills.first().map(|(at, _, _)| *at)
    }

    fn take(&mut self, line: &Line) -> Group<T> {
        let mut people = Vec::with_capacity(line.seats.into());
        while people.len() < line.seats.into() {
            let Some(player) = self.lines.get(line).and_then(|waiting| waiting.first_key_value()) else {
                break;
            };
            let player = player.1.player.clone();
            people.extend(self.leave(&player));
        }
        let bots = line.seats - people.len() as u8;
        Group { line: line.clone(), people, bots }
    }
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
