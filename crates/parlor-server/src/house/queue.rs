//! Who waits for whom: people who want the same game with the same settings, first come, first served.
//!
//! Plain data. It knows no clock, no socket and no table: whoever drives it says what time it is, and opens the tables.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use parlor_store::PlayerId;

/// People who wait at once, over all lines.
pub(crate) const WAITING_MAX: usize = 100_000;

/// What must be the same for two people to play together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Line {
    pub(crate) game: String,
    /// The settings as canonical JSON.
    pub(crate) settings: String,
    pub(crate) seats: u8,
}

/// Somebody who waits; `T` is whatever the driver wants back with him.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Ticket<T> {
    pub(crate) player: PlayerId,
    /// When bots may take the seats that are still empty, in the driver's milliseconds.
    pub(crate) fill_at: Option<u64>,
    pub(crate) with: T,
}

/// Why somebody cannot wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotQueued {
    /// He waits already, for something else.
    Elsewhere,
    /// Too many wait.
    Full,
}

/// Where somebody is in his line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Position {
    /// From 1.
    pub(crate) place: u64,
    /// How many are in the line.
    pub(crate) waiting: u64,
}

/// People who play together: in the order in which they came, with so many bots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Group<T> {
    pub(crate) line: Line,
    pub(crate) people: Vec<Ticket<T>>,
    pub(crate) bots: u8,
}

/// Every line. A player stands in one of them at most, and once.
#[derive(Debug)]
pub(crate) struct Queues<T> {
    /// By number: numbers rise, so that the first is whoever came first.
    lines: BTreeMap<Line, BTreeMap<i64, Ticket<T>>>,
    places: HashMap<PlayerId, (Line, i64)>,
    /// Lines in which enough people stand.
    together: BTreeSet<Line>,
    /// Those who will play with bots rather than wait longer, by the time.
    fills: BTreeSet<(u64, i64, PlayerId)>,
    next: i64,
    /// Numbers for those who go back to the head of their line; they fall.
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
    /// How many wait.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Puts somebody at the end of a line. Whoever stands in it already keeps his place, and is known by the newer
    /// ticket from now on.
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

    /// Puts somebody back at the head of his line, where he came from: his match came to nothing through others.
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

    /// Takes somebody out; whether he waited, and with what.
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

    /// The ticket of somebody who waits.
    pub(crate) fn ticket(&self, player: &PlayerId) -> Option<(&Line, &Ticket<T>)> {
        let (line, number) = self.places.get(player)?;
        Some((line, self.lines.get(line)?.get(number)?))
    }

    /// Where somebody stands.
    pub(crate) fn position(&self, player: &PlayerId) -> Option<Position> {
        let (line, number) = self.places.get(player)?;
        let waiting = self.lines.get(line)?;
        // The last one, who asks most often, is not counted for.
        let last = waiting.last_key_value().is_some_and(|(last, _)| last == number);
        let place = if last { waiting.len() } else { waiting.range(..=*number).count() };
        Some(Position { place: place as u64, waiting: waiting.len() as u64 })
    }

    /// A group that has come together, if one has: of each line the first first.
    pub(crate) fn matched(&mut self) -> Option<Group<T>> {
        let line = self.together.first()?.clone();
        Some(self.take(&line))
    }

    /// The first group of somebody who does not want to wait for people any longer.
    pub(crate) fn due(&mut self, now: u64) -> Option<Group<T>> {
        let (at, _, player) = self.fills.first()?;
        let line = (*at <= now).then(|| self.places.get(player))??.0.clone();
        // Those before him come first, whoever they are: nobody is passed over.
        Some(self.take(&line))
    }

    /// When [`Queues::due`] is worth asking again.
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
