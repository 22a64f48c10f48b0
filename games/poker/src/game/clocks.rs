//! Clocks longer than a decision: pauses, rebuys, lost connections, levels.
//!
//! The rules never see the time, and the house starts its clocks anew with every hand. So a table counts in ticks: one wait
//! at a time, by which every clock that runs is shortened when it is over. A clock may therefore be late, by at most a tick
//! when it begins and one at the end of each hand; it is never early.

use serde::{Deserialize, Serialize};

use crate::table::{Table, Timer};

/// The longest tick, in milliseconds.
pub(crate) const TICK_MS: u32 = 5_000;

/// A clock that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Clock {
    Seat(Timer),
    /// The level of a sit-and-go.
    Level,
}

impl Clock {
    const fn is_shown(self) -> bool {
        !matches!(self, Self::Seat(Timer::Rathole(_)))
    }
}

/// The clocks that run, with what is left of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Clocks {
    running: Vec<(Clock, u32)>,
    number: u32,
    /// The tick that stands; 0 if none does.
    ms: u32,
    /// A break before the next hand.
    break_ms: u32,
}

impl Clocks {
    /// The tick that stands, with its number.
    pub(crate) fn tick(&self) -> Option<(u32, u32)> {
        (self.ms > 0).then_some((self.number, self.ms))
    }

    /// The clocks that everybody may see, with what was left of each at the last tick.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (Clock, u32)> {
        self.running.iter().copied().filter(|(clock, _)| clock.is_shown())
    }

    pub(crate) const fn break_ms(&self) -> u32 {
        self.break_ms
    }

    pub(crate) const fn set_break(&mut self, ms: u32) {
        self.break_ms = ms;
    }

    /// Starts and stops clocks as the table says; those that go on keep what is left of them. True if one that everybody sees
    /// has started or stopped.
    pub(crate) fn follow(&mut self, table: &Table, level_ms: Option<u32>) -> bool {
        let runs = table.runs_seat_timers();
        debug_assert_eq!(runs, table.seat_timers().next().is_some(), "both look at the same seats");
        if self.running.is_empty() && level_ms.is_none() && !runs {
            return false;
        }
        let mut wanted: Vec<(Clock, u32)> =
            table.seat_timers().map(|(timer, ms)| (Clock::Seat(timer), ms)).collect();
        wanted.extend(level_ms.map(|ms| (Clock::Level, ms)));
        for (clock, ms) in &mut wanted {
            let old = self.running.iter().find(|(old, _)| old == clock);
            *ms = old.map_or(ms.saturating_add(self.ms).max(1), |(_, left)| *left);
        }
        let before = std::mem::replace(&mut self.running, wanted);
        self.next_tick();
        let shown = |clocks: &[(Clock, u32)]| -> Vec<(Clock, u32)> {
            clocks.iter().copied().filter(|(clock, _)| clock.is_shown()).collect()
        };
        shown(&before) != shown(&self.running)
    }

    /// The same clocks in the next match, where a tick begins anew.
    pub(crate) fn restart(&mut self) {
        self.ms = 0;
        self.break_ms = 0;
        self.next_tick();
    }

    fn next_tick(&mut self) {
        match self.running.iter().map(|(_, left)| *left).min() {
            None => self.ms = 0,
            Some(left) if self.ms == 0 => {
                self.number = (self.number + 1) % 10_000;
                self.ms = left.clamp(1, TICK_MS);
            }
            Some(_) => {}
        }
    }

    /// A tick is over: the clocks that ran out with it.
    pub(crate) fn ticked(&mut self) -> Vec<Clock> {
        let ms = std::mem::take(&mut self.ms);
        let mut out = Vec::new();
        self.running.retain_mut(|(clock, left)| {
            *left = left.saturating_sub(ms);
            if *left == 0 {
                out.push(*clock);
            }
            *left > 0
        });
        self.next_tick();
        out
    }
}
