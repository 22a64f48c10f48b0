//! A sit-and-go: one table, everybody starts with the same chips, blinds rise by level, and the prize pool goes to the last
//! ones left.
//!
//! Who is away is dealt in, posts, and is checked or folded; nobody sits out. Chips are points: only the buy-ins and the
//! prizes are tokens.

use std::sync::Arc;

use crate::deal::Rng;
use crate::money::Chips;
use crate::seat::SEATS_MAX;
use crate::table::event::Event;
use crate::table::input::{Answer, Order, TableMove, TableRefusal, Timer};
use crate::table::live::Table;
use crate::table::seat_state::Intent;
use crate::table::settings::{Settings, SettingsError, SettingsFault};

/// The blinds of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Level {
    pub small_blind: Chips,
    pub big_blind: Chips,
    pub ante: Chips,
    pub minutes: u32,
    /// A break after the level, in minutes.
    pub break_minutes: u32,
}

/// What a sit-and-go is played under.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SitAndGoSettings {
    /// The table; its blinds are those of the level, its buy-in limits the starting stack.
    pub table: Settings,
    pub starting_stack: Chips,
    pub levels: Vec<Level>,
    /// Tokens each player pays in.
    pub buy_in: Chips,
    /// Shares of the prize pool by place, in hundredths of a percent; together 10000.
    pub payouts: Vec<u32>,
}

impl SitAndGoSettings {
    /// Six players, 1500 chips, levels of five minutes, two thirds to the first and one third to the second.
    #[must_use]
    pub fn six_max(buy_in: Chips) -> Self {
        let blinds = [(10, 20, 0), (15, 30, 0), (25, 50, 5), (50, 100, 10), (100, 200, 20), (200, 400, 40)];
        let level = |(small_blind, big_blind, ante)| Level {
            small_blind,
            big_blind,
            ante,
            minutes: 5,
            break_minutes: 0,
        };
        Self {
            table: Settings::document(),
            starting_stack: 1_500,
            levels: blinds.map(level).to_vec(),
            buy_in,
            payouts: vec![6_667, 3_333],
        }
    }

    fn faults(&self, players: usize) -> Vec<SettingsFault> {
        let mut faults = Vec::new();
        let mut need = |right: bool, field: &str, problem: &str| {
            if !right {
                faults.push(SettingsFault { field: field.into(), problem: problem.into() });
            }
        };
        need(!self.levels.is_empty(), "levels", "expected at least one level");
        let rises = |pair: &[Level]| pair[0].big_blind <= pair[1].big_blind;
        need(self.levels.windows(2).all(rises), "levels", "expected blinds that never fall");
        let sound = |level: &Level| {
            level.big_blind > 0 && (0..=level.big_blind).contains(&level.small_blind) && level.ante >= 0
        };
        need(self.levels.iter().all(sound), "levels", "expected a big blind and no larger small blind");
        need(self.starting_stack > 0, "startingStack", "expected a positive amount");
        need(self.buy_in >= 0, "buyIn", "expected an amount of 0 or more");
        let sum: u64 = self.payouts.iter().map(|&share| u64::from(share)).sum();
        need(sum == 10_000, "payouts", "expected shares that make 10000 together");
        need(
            (1..=players.max(1)).contains(&self.payouts.len()),
            "payouts",
            "expected a share for no more places than players",
        );
        need((2..=self.table.seat_count).contains(&players), "players", "expected 2 up to the seats");
        faults
    }
}

/// Orbits that a sit-and-go goes on while everybody who is left is away.
const ORBITS_ASLEEP_MAX: usize = 2;

/// One player's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "game", derive(ts_rs::TS))]
pub struct Standing {
    pub seat: usize,
    /// The place, 1 for the winner; `None` while they play.
    pub place: Option<usize>,
    pub chips: Chips,
    /// Tokens won.
    pub prize: Chips,
}

/// A sit-and-go.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct SitAndGo {
    settings: SitAndGoSettings,
    table: Table,
    players: usize,
    level: usize,
    away: [bool; SEATS_MAX],
    /// Stacks when the hand began.
    before: [Chips; SEATS_MAX],
    places: [Option<usize>; SEATS_MAX],
    left: usize,
    /// Hands in a row before which everybody who was left was away.
    asleep: usize,
}

impl SitAndGo {
    /// Seats the players, by account, and waits for the first hand.
    ///
    /// # Errors
    /// Everything that is wrong with the settings.
    pub fn start(settings: SitAndGoSettings, accounts: &[u64]) -> Result<Self, SettingsError> {
        let faults = settings.faults(accounts.len());
        if !faults.is_empty() {
            return Err(SettingsError(faults));
        }
        let stack = settings.starting_stack;
        let mut table = Settings {
            buy_in_min: stack,
            buy_in_max: stack,
            rebuy_ms: 0,
            rake_basis_points: 0,
            rathole_ms: 0,
            timeouts_to_sit_out: 0,
            away_grace_ms: u32::MAX,
            finish_hand_before_pause: false,
            ..settings.table.clone()
        };
        settings.levels[0].set(&mut table);
        let mut game = Self {
            table: Table::start(table)?,
            players: accounts.len(),
            level: 0,
            away: [false; SEATS_MAX],
            before: [0; SEATS_MAX],
            places: [None; SEATS_MAX],
            left: accounts.len(),
            asleep: 0,
            settings,
        };
        for (seat, &player) in accounts.iter().enumerate() {
            let sit = Order::Sit { seat, player, chips: stack, owned: stack };
            if let Ok(mv) = game.table.check_order(sit) {
                game.table.apply(mv, &mut crate::deal::Stacked::new([]), &mut |_| {});
            }
        }
        Ok(game)
    }

    /// The table.
    #[must_use]
    pub const fn table(&self) -> &Table {
        &self.table
    }

    /// The table, for the code that paces it.
    pub const fn table_mut(&mut self) -> &mut Table {
        &mut self.table
    }

    /// Whether somebody is away.
    #[must_use]
    pub fn is_away(&self, seat: usize) -> bool {
        self.away.get(seat).is_some_and(|&away| away)
    }

    /// The tournament as it is between two hands.
    #[must_use]
    pub fn between(&self) -> Self {
        Self { table: self.table.between(), ..self.clone() }
    }

    /// Deals the next cards of a run-out.
    pub fn run_on(&mut self, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        self.table.run_on(rng, out);
        self.go_on(rng, out);
    }

    /// The level, counted from 0, and its blinds.
    #[must_use]
    pub fn level(&self) -> (usize, Level) {
        (self.level, self.settings.levels[self.level])
    }

    /// Whether only one is left.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.left <= 1
    }

    /// All tokens paid in.
    #[must_use]
    pub const fn prize_pool(&self) -> Chips {
        self.settings.buy_in * self.players as Chips
    }

    /// The next level holds from the next hand on; after the last level nothing changes.
    pub fn level_up(&mut self) {
        if self.level + 1 < self.settings.levels.len() {
            self.level += 1;
        }
    }

    /// Whether somebody is away; their hands are checked or folded for them.
    pub fn set_away(&mut self, seat: usize, away: bool, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        if seat < SEATS_MAX {
            self.away[seat] = away;
            self.go_on(rng, out);
        }
    }

    /// Makes a move of what a seat answers; money cannot be added and nobody sits out.
    ///
    /// # Errors
    /// When it is not allowed now.
    pub fn check(&self, seat: usize, answer: &Answer) -> Result<TableMove, TableRefusal> {
        match answer {
            Answer::TopUp { .. } => Err(TableRefusal::NotHere("chips to buy")),
            Answer::Intent { intent } => match Intent::from_number(*intent) {
                None => Err(TableRefusal::NoSuchIntent(*intent)),
                Some(_) => Err(TableRefusal::NotHere("pauses: who is away is dealt in")),
            },
            _ => self.table.check(seat, answer),
        }
    }

    /// Carries a move out.
    pub fn apply(&mut self, mv: TableMove, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        self.table.apply(mv, rng, out);
        self.go_on(rng, out);
    }

    /// The time of the player to act is up: they are away from now on.
    pub fn time_out(&mut self, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        if let Some(seat) = self.table.turn() {
            self.set_away(seat, true, rng, out);
        }
    }

    /// Begins the next hand at the blinds of the level.
    pub fn next_hand(&mut self, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        if self.is_over() || self.table.is_running() || self.ends_asleep() {
            return;
        }
        self.settings.levels[self.level].set(Arc::make_mut(&mut self.table.settings));
        self.before = std::array::from_fn(|seat| self.table.chairs[seat].stack);
        if let Ok(mv) = self.table.check_order(Order::Elapsed(Timer::NextHand)) {
            self.apply(mv, rng, out);
        }
    }

    /// Ends a tournament that nobody has attended for two orbits: chips that are only posted and folded would go round for
    /// ever.
    fn ends_asleep(&mut self) -> bool {
        let plays = |seat: &usize| self.places[*seat].is_none();
        let all_away = (0..self.players).filter(plays).all(|seat| self.away[seat]);
        self.asleep = if all_away { self.asleep + 1 } else { 0 };
        if self.asleep <= ORBITS_ASLEEP_MAX * self.left {
            return false;
        }
        self.end();
        true
    }

    /// Ends the tournament between two hands. Places go by chips, then by who comes first left of the button.
    pub fn end(&mut self) {
        if self.is_over() || self.table.is_running() {
            return;
        }
        let mut left: Vec<usize> = (0..self.players).filter(|&seat| self.places[seat].is_none()).collect();
        let (count, button) = (self.table.settings.seat_count, self.table.last.map_or(0, |last| last.button));
        let behind = |seat: usize| (seat + count - button - 1) % count;
        left.sort_by_key(|&seat| (std::cmp::Reverse(self.table.chairs[seat].stack), behind(seat)));
        for (place, seat) in left.into_iter().enumerate() {
            self.places[seat] = Some(place + 1);
        }
        self.left = 1;
    }

    /// Acts for those who are away and gives out places when a hand is over.
    fn go_on(&mut self, rng: &mut impl Rng, out: &mut impl FnMut(Event)) {
        while let Some(seat) = self.table.turn().filter(|&seat| self.away[seat]) {
            let Ok(mv) = self.table.check_order(Order::Elapsed(Timer::Turn)) else { return };
            debug_assert!(self.away[seat]);
            self.table.apply(mv, rng, out);
        }
        if !self.table.is_running() {
            self.give_places();
        }
    }

    /// Places of those who lost their last chips: of several in one hand the one who began it with more is higher, then the
    /// one who comes first left of the button.
    fn give_places(&mut self) {
        let count = self.table.settings.seat_count;
        let button = self.table.last.map_or(0, |last| last.button);
        let mut gone: Vec<usize> = (0..self.players)
            .filter(|&seat| self.places[seat].is_none() && self.table.chairs[seat].stack == 0)
            .collect();
        gone.sort_by_key(|&seat| (self.before[seat], std::cmp::Reverse((seat + count - button - 1) % count)));
        for seat in gone {
            self.places[seat] = Some(self.left);
            self.left -= 1;
        }
        if self.left == 1 {
            let last = (0..self.players).find(|&seat| self.places[seat].is_none());
            if let Some(seat) = last {
                self.places[seat] = Some(1);
            }
        }
    }

    /// Everybody with place, chips and prize; who still plays first, by chips.
    #[must_use]
    pub fn standings(&self) -> Vec<Standing> {
        let one = |seat: usize| Standing {
            seat,
            place: self.places[seat],
            chips: self.table.stack(seat),
            prize: self.places[seat].map_or(0, |place| self.prize(place)),
        };
        let mut all: Vec<Standing> = (0..self.players).map(one).collect();
        all.sort_by_key(|standing| (standing.place.unwrap_or(0), -standing.chips, standing.seat));
        all
    }

    /// What it is played by.
    #[must_use]
    pub fn settings(&self) -> &SitAndGoSettings {
        &self.settings
    }

    /// What a place wins; tokens that do not divide go to the first.
    #[must_use]
    pub fn prize(&self, place: usize) -> Chips {
        let pool = self.prize_pool();
        let share = |&bp: &u32| (i128::from(pool) * i128::from(bp) / 10_000) as Chips;
        match place {
            1 => pool - self.settings.payouts.iter().skip(1).map(share).sum::<Chips>(),
            _ => place.checked_sub(1).and_then(|i| self.settings.payouts.get(i)).map_or(0, share),
        }
    }
}

impl Level {
    fn set(self, table: &mut Settings) {
        (table.small_blind, table.big_blind, table.ante) = (self.small_blind, self.big_blind, self.ante);
    }
}
