//! Button, blinds and debts of the next hand: who plays, where the blinds are, and what coming in costs.
//!
//! Everything follows from the seats and from where the blinds were in the hand before (ruling 004/R7); the arrays of
//! that hand are not looked at. Nothing is changed here: a [`Plan`] says what the next hand is and what becomes of each
//! seat.

use crate::money::Chips;
use crate::seat::{SEATS_MAX, SeatSet};
use crate::table::seat_state::{NewcomerWish, PauseKind, SeatState};
use crate::table::settings::{ButtonRule, MissedBlinds, Newcomers, Settings, Stakes};

/// Seats of button and blinds, counted from 0. With a dead button the first two may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Positions {
    pub button: usize,
    pub small: usize,
    pub big: usize,
}

/// One seat as far as the blinds are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Chair {
    pub state: SeatState,
    pub stack: Chips,
}

/// What a seat pays to be dealt in, besides the blinds of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Entry {
    /// Goes into the pot and counts for no bet.
    pub dead: Chips,
    /// Counts as a bet.
    pub live: Chips,
}

/// The next hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Seats that are dealt in.
    pub players: SeatSet,
    /// Where the blinds are; where the last hand had them when this one has none.
    pub positions: Positions,
    /// Whether blinds are posted.
    pub has_blinds: bool,
    /// What each seat pays to come in.
    pub entries: [Entry; SEATS_MAX],
    /// What each seat is from now on.
    pub states: [SeatState; SEATS_MAX],
}

/// The seats of a table while the next hand is worked out.
struct Seats<'a> {
    settings: &'a Settings,
    stakes: Stakes,
    /// What a seat that comes back must have besides its debt.
    needed: Chips,
    chairs: &'a [Chair; SEATS_MAX],
    last: Option<Positions>,
    /// Plays, as things stand.
    ready: SeatSet,
    /// Comes in where the big blind reaches it.
    waiting: SeatSet,
    /// Comes in without paying, because otherwise fewer than two would play.
    free: SeatSet,
    /// Played the last hand.
    playing: SeatSet,
}

impl Plan {
    /// Works the next hand out; `None` when fewer than two can play, and then no blind is missed. Seats that can no
    /// longer pay what they owe are set to leave in `chairs`.
    #[must_use]
    pub fn next(
        settings: &Settings,
        stakes: Stakes,
        has_blinds: bool,
        chairs: &mut [Chair; SEATS_MAX],
        last: Option<Positions>,
    ) -> Option<Self> {
        let needed = settings.big_blind + settings.ante;
        loop {
            let mut seats = Seats::sort(settings, stakes, needed, chairs, last, has_blinds);
            seats.let_in_free();
            if seats.ready.len() < 2 {
                return None;
            }
            let big = has_blinds.then(|| seats.place_big_blind());
            let unable = seats.unable(big);
            if unable.is_empty() {
                return Some(seats.plan(big));
            }
            unable.iter().for_each(|seat| chairs[seat].state = SeatState::Leaving);
        }
    }
}

impl<'a> Seats<'a> {
    fn sort(
        settings: &'a Settings,
        stakes: Stakes,
        needed: Chips,
        chairs: &'a [Chair; SEATS_MAX],
        last: Option<Positions>,
        has_blinds: bool,
    ) -> Self {
        let mut seats = Self {
            settings,
            stakes,
            needed,
            chairs,
            last,
            ready: SeatSet::EMPTY,
            waiting: SeatSet::EMPTY,
            free: SeatSet::EMPTY,
            playing: SeatSet::EMPTY,
        };
        for seat in 0..settings.seat_count {
            let chair = &seats.chairs[seat];
            match chair.state {
                _ if chair.stack <= 0 => {}
                SeatState::Playing { .. } => seats.playing.insert(seat),
                SeatState::Returning { debt } => {
                    let in_gap = settings.missed_blinds == MissedBlinds::Live && debt > 0;
                    seats.put(seat, !(in_gap && has_blinds && seats.is_in_gap(seat)));
                }
                SeatState::Newcomer(NewcomerWish::Play) => {
                    let ready = !has_blinds || last.is_none() || seats.may_come_in(seat);
                    seats.put(seat, ready);
                }
                SeatState::Newcomer(NewcomerWish::WaitForBigBlind)
                | SeatState::Paused { until: PauseKind::UntilBigBlind, .. } => {
                    // Where there is never a big blind nobody can wait for it.
                    seats.put(seat, !settings.has_blinds());
                }
                SeatState::Newcomer(NewcomerWish::Pause)
                | SeatState::Paused { until: PauseKind::Plain, .. }
                | SeatState::Empty
                | SeatState::Broke
                | SeatState::Leaving => {}
            }
        }
        seats.ready = seats.ready.union(seats.playing);
        seats
    }

    const fn put(&mut self, seat: usize, ready: bool) {
        if ready { self.ready.insert(seat) } else { self.waiting.insert(seat) }
    }

    fn may_come_in(&self, seat: usize) -> bool {
        match self.settings.newcomers {
            Newcomers::Free => true,
            Newcomers::PostBigBlind => !self.is_in_gap(seat),
            Newcomers::WaitForBigBlind => false,
        }
    }

    /// Whether the seat lies behind the button of the next hand and not behind its big blind.
    fn is_in_gap(&self, seat: usize) -> bool {
        self.last.is_some_and(|last| self.is_within(last.small, seat, last.big))
    }

    /// Steps clockwise from one seat to another; a whole round is 0.
    const fn distance(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { to + self.settings.seat_count - from }
    }

    /// Whether going clockwise from `from` (not counted) one meets `seat` no later than `to`.
    const fn is_within(&self, from: usize, seat: usize, to: usize) -> bool {
        let steps = self.distance(from, seat);
        steps > 0 && steps <= self.distance(from, to)
    }

    /// Seats clockwise after one, itself last.
    fn after(&self, seat: usize) -> impl Iterator<Item = usize> + use<> {
        let count = self.settings.seat_count;
        (seat + 1..count).chain(0..=seat.min(count - 1))
    }

    /// With fewer than two playing, those who want to play and then those who wait for the big blind come in free of
    /// debt, in order from the big blind, until two play (ruling 004/R14).
    fn let_in_free(&mut self) {
        let from = self.last.map_or(self.settings.seat_count - 1, |last| last.big);
        // Before the first hand everybody who wants to play does.
        let opening = self.last.is_none();
        let playing = if opening { self.ready } else { self.playing };
        let mut missing = 2usize.saturating_sub(playing.len());
        if missing == 0 {
            return;
        }
        for wants_to_play in [true, false] {
            for seat in self.after(from) {
                let wants = match self.chairs[seat].state {
                    SeatState::Returning { .. } | SeatState::Newcomer(NewcomerWish::Play) => true,
                    SeatState::Newcomer(NewcomerWish::WaitForBigBlind)
                    | SeatState::Paused { until: PauseKind::UntilBigBlind, .. } => false,
                    _ => continue,
                };
                let is_in = opening && self.ready.contains(seat);
                if missing > 0 && !is_in && wants == wants_to_play && self.chairs[seat].stack > 0 {
                    missing -= 1;
                    self.waiting.remove(seat);
                    self.ready.insert(seat);
                    self.free.insert(seat);
                }
            }
        }
    }

    /// Where the last hand had the blinds; before the first hand, so that its first seat becomes the small blind.
    fn before(&self) -> Positions {
        self.last.unwrap_or_else(|| {
            let first = self.ready.lowest().unwrap_or(0);
            let last = self.ready.iter().last().unwrap_or(0);
            Positions { button: last, small: last, big: first }
        })
    }

    /// Gives the big blind to the next seat that plays or waits for it.
    fn place_big_blind(&mut self) -> usize {
        if self.settings.strict_seed && self.ready.len() == 2 && self.waiting.is_empty() {
            return self.ready.iter().last().unwrap_or(0);
        }
        let from = self.before().big;
        let wanted = self.ready.union(self.waiting);
        let big = wanted.after(from).lowest().or_else(|| wanted.lowest()).unwrap_or(from);
        self.waiting.remove(big);
        self.ready.insert(big);
        big
    }

    /// Seats that come back and cannot pay their debt and a blind.
    fn unable(&self, big: Option<usize>) -> SeatSet {
        let cannot = |seat: &usize| match self.chairs[*seat] {
            Chair { state: SeatState::Returning { debt }, stack } => debt > 0 && stack < debt + self.needed,
            _ => false,
        };
        let pays = |seat: &usize| Some(*seat) != big && !self.free.contains(*seat);
        self.ready.without(self.playing).iter().filter(pays).filter(cannot).collect()
    }

    fn plan(&self, big: Option<usize>) -> Plan {
        let before = self.before();
        let positions = big.map_or(before, |big| self.positions(before, big));
        let mut plan = Plan {
            players: self.ready,
            positions,
            has_blinds: big.is_some(),
            entries: [Entry::default(); SEATS_MAX],
            states: self.chairs.map(|chair| chair.state),
        };
        for seat in SeatSet::first(self.settings.seat_count).without(self.playing).iter() {
            if self.ready.contains(seat) {
                if Some(seat) != big && !self.free.contains(seat) {
                    plan.entries[seat] = self.entry(seat, big.is_some());
                }
                plan.states[seat] = SeatState::PLAYING;
            } else if let (Some(last), Some(_)) = (self.last, big) {
                plan.states[seat] = self.missed(seat, last, positions);
            }
        }
        plan
    }

    fn positions(&self, before: Positions, big: usize) -> Positions {
        let back = |from: usize| {
            let count = self.settings.seat_count;
            let seats = (0..from).rev().chain((from + 1..count).rev());
            let mut seats = seats.filter(|&seat| seat != big);
            seats.find(|&seat| self.ready.contains(seat)).unwrap_or(from)
        };
        if self.ready.len() == 2 {
            let small = back(big);
            return Positions { button: small, small, big };
        }
        let small = match self.settings.button {
            ButtonRule::Dead if before.big != big => before.big,
            ButtonRule::Dead | ButtonRule::Moving => back(big),
        };
        let is_behind = before.small != small && !self.is_within(small, before.small, big);
        let button = match self.settings.button {
            ButtonRule::Dead if is_behind => before.small,
            ButtonRule::Dead | ButtonRule::Moving => back(small),
        };
        Positions { button, small, big }
    }

    /// What a seat that did not play the last hand pays.
    fn entry(&self, seat: usize, has_blinds: bool) -> Entry {
        let posts = self.settings.newcomers == Newcomers::PostBigBlind;
        match self.chairs[seat].state {
            SeatState::Newcomer(_) if posts && has_blinds && self.last.is_some() => {
                Entry { dead: 0, live: self.stakes.big_blind }
            }
            SeatState::Returning { debt } => {
                let big = self.stakes.big_blind;
                let is_live = self.settings.missed_blinds == MissedBlinds::Live && has_blinds && debt >= big;
                let live = if is_live { big } else { 0 };
                Entry { dead: debt - live, live }
            }
            _ => Entry::default(),
        }
    }

    /// A seat that is not dealt in, with the blinds that went by.
    fn missed(&self, seat: usize, last: Positions, now: Positions) -> SeatState {
        let SeatState::Paused { until, debt } = self.chairs[seat].state else {
            return self.chairs[seat].state;
        };
        // Where only the button posts, there is no blind to miss.
        if self.stakes.big_blind == 0 {
            return self.chairs[seat].state;
        }
        let mut debt = debt;
        if self.is_within(last.big, seat, now.big) {
            debt += self.stakes.big_blind;
        }
        if self.is_within(last.small, seat, now.small) {
            debt += self.stakes.half();
        }
        SeatState::Paused { until, debt: debt.min(self.stakes.debt_max()) }
    }
}
