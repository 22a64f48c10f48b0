//! Match time, and what is due when it passes.

use parlor_core::play::OpenRequest;
use parlor_core::{AskId, AskKind, Body, By, Json, Purpose, Refusal, Rng, Seat};

use super::{STEPS_PER_COMMAND_MAX, Table};
use crate::command::Effect;

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
            if self.note_held_loss(now) || self.run_grace(now) {
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
                (Some((at, seat, open)), clock) if clock.is_none_or(|due| at <= due.at) => {
                    self.play_bot(now, at, seat, open)
                }
                (_, Some(due)) => {
                    self.due(now, due.at, By::Clock, Body::Elapsed { ask: due.ask, seat: due.seat })
                }
                _ => return false,
            };
            if let Err(refusal) = done {
                // Sound rules refuse neither a bot nor a clock: pause instead of retrying for ever.
                self.record_by_house(now, Body::Pause { why: (&refusal).into() });
            }
        }
        true
    }

    /// The request that a bot has to answer next, with the match time at which it does.
    fn bot_due(&self) -> Option<(u64, Seat, OpenRequest)> {
        let stand_in = &self.settings.stand_in;
        let is_bot = |seat: &Seat| self.chairs[seat.index()].bot(stand_in).is_some();
        let seats = (0..self.seats()).map(Seat::new).filter(is_bot);
        seats
            .flat_map(|seat| self.current.open_requests(seat).iter().map(move |open| (seat, *open)))
            .filter(|(_, open)| open.kind == AskKind::Request || open.ask == AskId::UNDO)
            .filter(|(seat, open)| !self.thinking.contains(&(*seat, open.input)))
            .map(|(seat, open)| {
                let asked = self.clocks.asked_at(seat, open.ask).unwrap_or_else(|| self.last_at());
                // Only on its own turn does a bot take its time: elsewhere its pace would tell who was asked.
                let pace = if self.clocks.is_turn(open.ask) { self.settings.bot_ms } else { 0 };
                (asked + pace, seat, open)
            })
            .min_by_key(|(at, seat, _)| (*at, *seat))
    }

    /// Lets a bot answer, or decide on another thread if it may think for long.
    fn play_bot(&mut self, now: u64, at: u64, seat: Seat, open: OpenRequest) -> Result<(), Refusal> {
        let Some(choice) = self.chairs[seat.index()].bot(&self.settings.stand_in) else { return Ok(()) };
        let slow = self.current.def().bot(choice).is_some_and(|def| def.slow) && open.ask != AskId::UNDO;
        if slow {
            self.thinking.push((seat, open.input));
            self.out.push(Effect::Think { seat, input: open.input });
            return Ok(());
        }
        let answer = self.current.bot(seat, open.ask, choice)?;
        self.due(now, at, By::Bot, Body::Answer { seat, ask: open.ask, answer })
    }

    /// A bot on another thread has decided. One that failed, or took too long, is answered for at random: the game goes
    /// on, and the next decision is the bot's again.
    pub(super) fn decided(&mut self, now: u64, seat: Seat, input: u32, answer: Option<Json>) {
        self.thinking.retain(|thinking| *thinking != (seat, input));
        let stand_in = &self.settings.stand_in;
        if self.finished || self.stands_still() || self.chairs[seat.index()].bot(stand_in).is_none() {
            return;
        }
        let Some(ask) = self.current.open_requests(seat).iter().find(|open| open.input == input) else {
            return;
        };
        let ask = ask.ask;
        let rng = Rng::new(self.root.clone(), self.current.header().match_no);
        let mut rng = rng.for_purpose(Purpose::Bot(seat.index() as u8), u32::MAX - input);
        let fallback = |table: &Self, rng: &mut Rng| table.current.sample(seat, ask, rng);
        let at = self.time.at(now).max(self.last_at());
        let first = answer.map_or_else(|| fallback(self, &mut rng), Ok);
        let done = first.and_then(|answer| self.due(now, at, By::Bot, Body::Answer { seat, ask, answer }));
        let done = done.or_else(|_| {
            let answer = fallback(self, &mut rng)?;
            self.due(now, at, By::Bot, Body::Answer { seat, ask, answer })
        });
        if let Err(refusal) = done {
            self.record_by_house(now, Body::Pause { why: (&refusal).into() });
        }
    }

    /// Makes the clock that would run out next run out now.
    pub(super) fn expire(&mut self, now: u64) {
        if self.finished || self.stalled || self.stands_still() {
            return;
        }
        if let Some(due) = self.clocks.next() {
            let body = Body::Elapsed { ask: due.ask, seat: due.seat };
            if let Err(refusal) = self.due(now, self.time.at(now), By::House, body) {
                self.record_by_house(now, Body::Pause { why: (&refusal).into() });
            }
        }
    }

    fn due(&mut self, now: u64, at: u64, by: By, body: Body) -> Result<(), Refusal> {
        let follow_up = self.record_at(at.max(self.last_at()), by, None, body, None)?;
        self.after_record(now, follow_up);
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
