//! What is asked, for how long, and what an answer or the end of the time does.

use parlor_core::ask::one;
use parlor_core::{Ask, Asks, Output, Refusal, Rng, Seat as Chair, Seats, TimeLimit};

use super::automatic::{self, AUTOMATIC_DISCARD_MS};
use super::event::{OwnEvent, TableEvent, tell};
use super::{Riichi, SEATS, TableSettings, chair_of, chairs_of, seat_of};
use crate::meld::MeldKind;
use crate::pay::Seat;
use crate::table::{Action, Event, Phase, Standing, Table, Wall};

/// What one input made of the table.
#[derive(Default)]
struct Change {
    /// Somebody was told of something: another decision is open.
    told: bool,
    /// A tile was laid that may be called.
    laid: bool,
    rounds: u32,
}

impl Change {
    fn note(&mut self, event: &Event) {
        self.told = true;
        match event {
            Event::RoundStarted { .. } => self.rounds += 1,
            Event::Discard { .. } | Event::Meld { kind: MeldKind::Ankan | MeldKind::Kakan, .. } => {
                self.laid = true
            }
            _ => {}
        }
    }
}

impl Riichi {
    pub(super) fn open(
        settings: &TableSettings,
        rng: &mut Rng,
        out: &mut impl Output<TableEvent>,
    ) -> Result<Self, Refusal> {
        let pace = settings.pace;
        let cap = pace.bank_max_ms.unwrap_or(u32::MAX);
        out.add_time(Seats::first(SEATS), pace.bank_start_ms, cap);
        out.add_time(Seats::first(SEATS), pace.bank_per_round_ms, cap);
        let mut walls = |_: &Standing| shuffled(rng);
        let table = Table::start(settings.rules, &mut walls, &mut |event| tell(&event, out));
        let table = table.map_err(|error| Refusal::of("settings", error.to_string()))?;
        Ok(Self::resumed(table, pace))
    }

    pub(super) fn asks(&self) -> Asks {
        let mut asks = self.table_asks();
        if !asks.is_empty() {
            asks.push(automatic::ask());
        }
        asks
    }

    fn table_asks(&self) -> Asks {
        let pace = &self.pace;
        match self.table.phase() {
            Phase::Over { .. } => Asks::new(),
            Phase::Turn { seat, .. } => one(self.turn_ask(*seat)),
            Phase::Window(window) => {
                let ask = Ask::request(self.ask, chairs_of(window.waiting)).at_least(pace.call_window_min_ms);
                one(if pace.call_uses_bank {
                    ask.clock(TimeLimit::Bank { base_ms: pace.call_base_ms.max(pace.call_window_min_ms) })
                } else {
                    ask.within(pace.call_base_ms)
                })
            }
            Phase::RoundEnd { waiting, .. } => {
                one(Ask::request(self.ask, chairs_of(*waiting)).within(pace.round_advance_ms).public())
            }
        }
    }

    fn turn_ask(&self, seat: Seat) -> Ask {
        let pace = &self.pace;
        let base_ms = pace.turn_base_ms.max(pace.turn_floor_ms);
        match self.holds_tile(seat) {
            None => Ask::turn(self.ask, chair_of(seat)).clock(TimeLimit::Bank { base_ms }).public(),
            Some(ms) if self.decides(seat) => {
                let clock = TimeLimit::Bank { base_ms: base_ms.max(ms) };
                Ask::turn(self.ask, chair_of(seat)).clock(clock).at_least(ms)
            }
            Some(ms) => Ask::wait(self.ask, ms),
        }
    }

    /// How long the seat holds a drawn tile at least: in riichi, so that nobody sees whether it had a choice (003/R19);
    /// else while the server answers for it.
    pub(super) fn holds_tile(&self, seat: Seat) -> Option<u32> {
        if self.automatic_turn {
            return Some(self.pace.riichi_discard_ms.unwrap_or(AUTOMATIC_DISCARD_MS));
        }
        self.pace.riichi_discard_ms.filter(|_| self.table.player(seat).in_riichi())
    }

    /// Whether a seat in riichi holds its tile however it is answered.
    pub(super) fn holds_in_riichi(&self, seat: Seat) -> bool {
        self.pace.riichi_discard_ms.is_some() && self.table.player(seat).in_riichi()
    }

    /// Whether a seat in riichi has anything to decide, and has not yet.
    pub(super) fn decides(&self, seat: Seat) -> bool {
        let options = self.table.turn_options(seat);
        self.kept.is_none() && (options.tsumo || !options.ankan.is_empty())
    }

    pub(super) fn answered(
        &mut self,
        chair: Chair,
        action: Action,
        rng: &mut Rng,
        out: &mut impl Output<TableEvent>,
    ) {
        let Some(seat) = seat_of(chair) else { return };
        if let Action::Automatic(automatic) = action {
            self.automatic[seat.index()] = automatic;
            return out.emit(Seats::only(chair), OwnEvent::Automatic { automatic }.into());
        }
        match self.table.phase() {
            Phase::Turn { .. } if self.holds_tile(seat).is_some() => {
                self.kept = Some(action);
                out.emit(Seats::only(chair), OwnEvent::Answered.into());
            }
            _ => self.act(seat, action, rng, out),
        }
    }

    /// An ask is over: everybody has answered and its least time has passed, or a clock has run out.
    pub(super) fn elapsed(&mut self, chair: Option<Chair>, rng: &mut Rng, out: &mut impl Output<TableEvent>) {
        match self.table.phase() {
            Phase::Turn { seat, .. } => {
                let seat = *seat;
                let kept = self.kept.take();
                if let Some(action) = kept.or_else(|| self.timed_out(seat)) {
                    self.act(seat, action, rng, out);
                }
            }
            Phase::Window(window) => {
                let (waiting, ran_out) = (window.waiting, chair.and_then(seat_of));
                let late = waiting.iter().filter(|seat| ran_out.is_none_or(|one| one == *seat));
                for seat in late.collect::<Vec<_>>() {
                    if let Some(action) = self.timed_out(seat) {
                        self.act(seat, action, rng, out);
                    }
                }
                if ran_out.is_none() {
                    self.change(rng, out, |table, walls, emit| table.elapse(walls, emit));
                }
            }
            Phase::RoundEnd { waiting, .. } => {
                for seat in waiting.iter().collect::<Vec<_>>() {
                    self.act(seat, Action::Confirm, rng, out);
                }
            }
            Phase::Over { .. } => {}
        }
    }

    /// What a seat does that has let its time run out (003/R4, 003/R6).
    pub(super) fn timed_out(&self, seat: Seat) -> Option<Action> {
        let takes_win = self.pace.timeout_takes_win;
        match self.table.phase() {
            Phase::Turn { .. } => {
                let options = self.table.turn_options(seat);
                if takes_win && options.tsumo {
                    return Some(Action::Tsumo);
                }
                let drawn = self.table.player(seat).drawn();
                let drawn = drawn.filter(|tile| options.discards.contains(*tile));
                drawn.or_else(|| options.discards.iter().last()).map(Action::Discard)
            }
            Phase::Window(_) if takes_win && self.table.offer(seat).ron => Some(Action::Ron),
            Phase::Window(_) => Some(Action::Pass),
            Phase::RoundEnd { .. } => Some(Action::Confirm),
            Phase::Over { .. } => None,
        }
    }

    fn act(&mut self, seat: Seat, action: Action, rng: &mut Rng, out: &mut impl Output<TableEvent>) {
        self.kept = None;
        let told = self.change(rng, out, |table, walls, emit| table.apply(seat, action, walls, emit));
        if !told {
            // Kept in silence: only the seat itself sees that it has answered.
            out.emit(Seats::only(chair_of(seat)), OwnEvent::Answered.into());
        }
    }

    /// Lets the table change; says whether anybody was told of it.
    fn change(
        &mut self,
        rng: &mut Rng,
        out: &mut impl Output<TableEvent>,
        how: impl FnOnce(&mut Table, &mut dyn FnMut(&Standing) -> Wall, &mut dyn FnMut(Event)),
    ) -> bool {
        let mut change = Change::default();
        let mut emit = |event: Event| {
            change.note(&event);
            tell(&event, out);
        };
        how(&mut self.table, &mut |_| shuffled(rng), &mut emit);
        if change.told {
            self.answer_calls(&mut change, rng, out);
        }
        if change.laid {
            self.windows += 1;
            self.stood = self.stood << 1 | u64::from(matches!(self.table.phase(), Phase::Window(_)));
        }
        if change.rounds > 0 {
            let pace = &self.pace;
            let cap = pace.bank_max_ms.unwrap_or(u32::MAX);
            out.add_time(Seats::first(SEATS), pace.bank_per_round_ms, cap);
        }
        self.round += change.rounds;
        if change.rounds > 0 {
            // Forgotten, it would throw away the next hand.
            self.automatic.iter_mut().for_each(|wanted| wanted.discard_drawn = false);
        }
        self.ask += u32::from(change.told);
        if change.told {
            let action = self.automatic_turn();
            (self.automatic_turn, self.kept) = (action.is_some(), action);
            // In riichi nobody is waited for either.
            let quiet =
                matches!(self.table.phase(), Phase::Turn { seat, .. } if !self.holds_in_riichi(*seat));
            self.quiet = self.quiet << 1 | u64::from(self.automatic_turn && quiet);
        }
        change.told
    }

    /// The server answers a window that has just opened for those who asked for that.
    fn answer_calls(&mut self, change: &mut Change, rng: &mut Rng, out: &mut impl Output<TableEvent>) {
        let mut emit = |event: Event| {
            change.note(&event);
            tell(&event, out);
        };
        while let Some((seat, action)) = automatic::call(&self.table, &self.automatic) {
            self.table.apply(seat, action, &mut |_| shuffled(rng), &mut emit);
        }
    }
}

fn shuffled(rng: &mut Rng) -> Wall {
    Wall::shuffled(|n| rng.below(n as u32) as usize)
}
