//! Match time, and what is due when it passes.

use parlor_core::{AskId, AskKind, Body, By, Seat};

use super::{STEPS_PER_COMMAND_MAX, Table};

/// Maps the driver's time to match time, which does not pass while the table is paused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MatchTime {
    /// Match time at `since`.
    base: u64,
    /// The driver's time from which match time runs; none while paused.
    since: Option<u64>,
}

impl MatchTime {
    pub(super) fn resume(base: u64, now: u64, still: bool) -> Self {
        Self { base, since: (!still).then_some(now) }
    }

    /// Match time at the driver's time `now`.
    pub(super) fn at(&self, now: u64) -> u64 {
        self.base + self.since.map_or(0, |since| now.saturating_sub(since))
    }

    /// The driver's time at match time `at`; none while paused.
    pub(super) fn when(&self, at: u64) -> Option<u64> {
        self.since.map(|since| since + at.saturating_sub(self.base))
    }

    /// Pauses or runs from here on.
    pub(super) fn go(&mut self, now: u64, still: bool) {
        if still != self.since.is_none() {
            *self = Self::resume(self.at(now), now, still);
        }
    }
}

impl Table {
    /// Runs the clocks, bots and grace periods that are due. Returns whether more is due than one command may do.
    pub(super) fn run_due(&mut self, now: u64) -> bool {
        for _ in 0..STEPS_PER_COMMAND_MAX {
            if self.finished || self.stalled {
                return false;
            }
            if self.run_grace(now) {
                continue;
            }
            if self.stands_still() {
                return false;
            }
            let until = self.time.at(now);
            let bot = self.bot_due().filter(|(at, ..)| *at <= until);
            let clock = self.clocks.next().filter(|due| due.at <= until);
            // A bot that is due together with a clock is not late.
            let done = match (bot, clock) {
                (Some((at, seat, ask)), clock) if clock.is_none_or(|due| at <= due.at) => {
                    let answer = self.current.bot(seat, ask);
                    answer.and_then(|answer| self.due(now, at, By::Bot, Body::Answer { seat, ask, answer }))
                }
                (_, Some(due)) => {
                    self.due(now, due.at, By::Clock, Body::Elapsed { ask: due.ask, seat: due.seat })
                }
                _ => return false,
            };
            if let Err(refusal) = done {
                // Sound rules refuse neither a bot nor a clock: pause instead of retrying for ever.
                self.record_by_house(now, Body::Pause { why: refusal.to_string() });
            }
        }
        true
    }

    /// The request that a bot has to answer next, with the match time at which it does.
    fn bot_due(&self) -> Option<(u64, Seat, AskId)> {
        let seats = (0..self.seats()).map(Seat::new).filter(|seat| self.chairs[seat.index()].is_bot());
        seats
            .flat_map(|seat| self.current.open_requests(seat).iter().map(move |stand| (seat, *stand)))
            .filter(|(_, stand)| stand.kind == AskKind::Request || stand.ask == AskId::UNDO)
            .map(|(seat, stand)| {
                let asked = self.clocks.asked_at(seat, stand.ask).unwrap_or_else(|| self.last_at());
                (asked + self.settings.bot_ms, seat, stand.ask)
            })
            .min_by_key(|(at, seat, _)| (*at, *seat))
    }

    /// Makes the clock that would run out next run out now.
    pub(super) fn expire(&mut self, now: u64) {
        if self.finished || self.stalled || self.stands_still() {
            return;
        }
        if let Some(due) = self.clocks.next() {
            let body = Body::Elapsed { ask: due.ask, seat: due.seat };
            if let Err(refusal) = self.due(now, self.time.at(now), By::House, body) {
                self.record_by_house(now, Body::Pause { why: refusal.to_string() });
            }
        }
    }

    fn due(&mut self, now: u64, at: u64, by: By, body: Body) -> Result<(), parlor_core::Refusal> {
        self.record_at(at.max(self.last_at()), by, None, body)?;
        self.time.go(now, self.stands_still());
        self.link(now);
        self.pause_on_broken_invariant(now);
        Ok(())
    }

    /// When, in the driver's time, something is due next.
    pub(super) fn next_wake(&self, now: u64) -> Option<u64> {
        if self.finished || self.stalled {
            return None;
        }
        let bot = self.bot_due().map(|(at, ..)| at);
        let clock = self.clocks.next().map(|due| due.at);
        let match_due = bot.into_iter().chain(clock).min().and_then(|at| self.time.when(at));
        match_due.into_iter().chain(self.next_grace()).min().map(|at| at.max(now))
    }
}
