//! Clocks, in match time. Everything here follows from the log alone: the same records give the same banks.

use parlor_core::{Ask, AskId, AskKind, Seat, TimeLimit};
use parlor_wire::SeatClock;
use serde::{Deserialize, Serialize};

/// The clock of one open ask.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Running {
    ask: Ask,
    /// Match time at which the ask was opened.
    since: u64,
    /// For each seat still asked: match time at which its own time began.
    seats: Vec<(Seat, u64)>,
    /// Whether the ask has elapsed for everyone, which happens once.
    fired: bool,
    /// Whether it is one seat's own turn: it was asked alone, and not in a window.
    turn: bool,
}

/// A clock that is going to run out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// In match time.
    pub at: u64,
    pub ask: AskId,
    /// The seat whose time runs out; none if the ask elapses for everyone.
    pub seat: Option<Seat>,
}

/// All clocks of a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    running: Vec<Running>,
    banks: Vec<u64>,
}

/// The time banks, as a link carries them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Banks(pub Vec<u64>);

impl Clocks {
    /// Clocks for this many seats, with these banks.
    #[must_use]
    pub fn new(seats: u8, banks: Banks) -> Self {
        let mut banks = banks.0;
        banks.resize(seats as usize, 0);
        Self { running: Vec::new(), banks }
    }

    /// The bank of each seat, in milliseconds.
    #[must_use]
    pub fn banks(&self) -> Banks {
        Banks(self.banks.clone())
    }

    /// Adds to a bank, up to a cap. A bank that already exceeds the cap is unchanged.
    pub fn bonus(&mut self, seat: Seat, add_ms: u32, cap_ms: u32) {
        let bank = &mut self.banks[seat.index()];
        *bank = (*bank + u64::from(add_ms)).min((*bank).max(u64::from(cap_ms)));
    }

    /// Somebody else has this seat: what is left in its bank is not theirs.
    pub fn new_player(&mut self, seat: Seat) {
        if let Some(bank) = self.banks.get_mut(seat.index()) {
            *bank = 0;
        }
    }

    /// A seat has answered: its bank pays for the time used beyond the free time, and its clock restarts.
    pub fn answered(&mut self, seat: Seat, ask: AskId, at: u64) {
        let Some(running) = self.running.iter_mut().find(|running| running.ask.id == ask) else { return };
        let Some((_, since)) = running.seats.iter_mut().find(|(other, _)| *other == seat) else { return };
        if let TimeLimit::Bank { base_ms } = running.ask.clock {
            let used = (at - *since).saturating_sub(u64::from(base_ms));
            let bank = &mut self.banks[seat.index()];
            *bank = bank.saturating_sub(used);
        }
        *since = at;
    }

    /// A seat's own time has run out: its bank is empty.
    pub fn ran_out(&mut self, seat: Seat, ask: AskId) {
        let Some(running) = self.running.iter_mut().find(|running| running.ask.id == ask) else { return };
        if let TimeLimit::Bank { .. } = running.ask.clock {
            self.banks[seat.index()] = 0;
        }
    }

    /// The ask has elapsed for everyone.
    pub fn fired(&mut self, ask: AskId) {
        if let Some(running) = self.running.iter_mut().find(|running| running.ask.id == ask) {
            running.fired = true;
        }
    }

    /// Matches the clocks to the open asks: the clock of an ask that is still open runs on, and one whose ask is gone
    /// costs nobody any time.
    pub fn follow(&mut self, asks: &[Ask], at: u64) {
        let requests = asks.iter().filter(|ask| ask.kind == AskKind::Request);
        // Most often there is one: do not reserve for more.
        let room = Vec::with_capacity(requests.clone().count());
        let old = std::mem::replace(&mut self.running, room);
        for ask in requests {
            let before = old.iter().find(|running| running.ask.id == ask.id);
            let since_of = |seat: Seat| {
                let kept = before.and_then(|running| running.seats.iter().find(|(other, _)| *other == seat));
                (seat, kept.map_or(at, |(_, since)| *since))
            };
            self.running.push(Running {
                ask: *ask,
                since: before.map_or(at, |running| running.since),
                seats: ask.seats.iter().map(since_of).collect(),
                fired: before.is_some_and(|running| running.fired),
                turn: before.map_or(ask.seats.len() == 1 && ask.min_ms == 0, |running| running.turn),
            });
        }
    }

    /// Restarts every clock, as after an undo.
    pub fn restart(&mut self) {
        self.running.clear();
    }

    /// When this seat's time for this ask runs out, in match time.
    #[must_use]
    pub fn until(&self, seat: Seat, ask: AskId) -> Option<u64> {
        let running = self.running.iter().find(|running| running.ask.id == ask)?;
        match running.ask.clock {
            TimeLimit::None => None,
            TimeLimit::Fixed { ms } => Some(running.since + u64::from(ms.max(running.ask.min_ms))),
            TimeLimit::Bank { base_ms } => {
                let (_, since) = running.seats.iter().find(|(other, _)| *other == seat)?;
                Some(since + u64::from(base_ms) + self.banks[seat.index()])
            }
        }
    }

    /// Whether the ask is one seat's own turn.
    #[must_use]
    pub fn is_turn(&self, ask: AskId) -> bool {
        self.running.iter().any(|running| running.ask.id == ask && running.turn)
    }

    /// How long each seat is waited for, where everybody may know it.
    #[must_use]
    pub fn public(&self) -> Vec<SeatClock> {
        let open = self.running.iter().filter(|running| running.ask.public && !running.fired);
        let clock = |running: &Running, seat: Seat| {
            let bank_ms = match running.ask.clock {
                TimeLimit::Bank { .. } => Some(self.banks[seat.index()]),
                _ => None,
            };
            Some(SeatClock { seat, until: self.until(seat, running.ask.id)?, bank_ms })
        };
        open.flat_map(|running| running.seats.iter().filter_map(move |(seat, _)| clock(running, *seat)))
            .collect()
    }

    /// When this seat was asked, in match time.
    #[must_use]
    pub fn asked_at(&self, seat: Seat, ask: AskId) -> Option<u64> {
        let running = self.running.iter().find(|running| running.ask.id == ask)?;
        running.seats.iter().find(|(other, _)| *other == seat).map(|(_, since)| *since)
    }

    /// The clock that runs out first; of several at once, the one that the game listed first.
    #[must_use]
    pub fn next(&self) -> Option<Due> {
        let mut first: Option<Due> = None;
        let mut offer = |due: Due| {
            if first.is_none_or(|best| due.at < best.at) {
                first = Some(due);
            }
        };
        for running in self.running.iter().filter(|running| !running.fired) {
            let ask = &running.ask;
            if ask.seats.is_empty() {
                offer(Due { at: running.since + u64::from(ask.min_ms), ask: ask.id, seat: None });
                continue;
            }
            match ask.clock {
                TimeLimit::None => {}
                TimeLimit::Fixed { ms } => {
                    let at = running.since + u64::from(ms.max(ask.min_ms));
                    offer(Due { at, ask: ask.id, seat: None });
                }
                TimeLimit::Bank { base_ms } => {
                    for (seat, since) in &running.seats {
                        let at = since + u64::from(base_ms) + self.banks[seat.index()];
                        offer(Due { at, ask: ask.id, seat: Some(*seat) });
                    }
                }
            }
        }
        first
    }
}
