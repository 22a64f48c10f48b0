//! Figures over many hands: how often a player did what they could have done.
//!
//! Each figure has its count of opportunities, so that it can be added up and judged. A hand counts for a player who was
//! dealt in. Before the flop means the first street, on the flop the second.
//!
//! - `vpip`: put chips in before the flop by calling or raising; opportunities are hands with a decision there.
//! - `pfr`: raised before the flop; the same opportunities.
//! - `three_bet`: raised when facing exactly one raise before the flop.
//! - `cbet`: bet the flop as the last to raise before it, when nobody had bet yet.
//! - `af`: bets and raises after the flop, and calls there to divide them by.
//! - `wtsd`: had a hand at the showdown, of the hands that saw the flop.
//! - `bb100`: big blinds won in a hundred hands, with its standard error.
//!
//! purity: averages are figures to be shown; no state of a hand holds them

use std::collections::BTreeMap;

use serde::Serialize;

use crate::hand::Phase;
use crate::legal::Action;
use crate::money::{Chips, is_endless};
use crate::notation::record::Record;
use crate::replay::{Replay, ReplayError};
use crate::seat::{SEATS_MAX, SeatSet};
use crate::setup::Interpretation;

/// A share with what it is a share of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Share {
    pub done: u64,
    pub of: u64,
}

impl Share {
    const fn count(&mut self, done: bool) {
        self.of += 1;
        self.done += done as u64;
    }

    const fn add(&mut self, other: Self) {
        self.done += other.done;
        self.of += other.of;
    }
}

/// Figures of one player at one position, or of all.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Figures {
    pub hands: u64,
    pub vpip: Share,
    pub pfr: Share,
    pub three_bet: Share,
    pub cbet: Share,
    /// Bets and raises after the flop, and calls there.
    pub aggression: Share,
    pub wtsd: Share,
    /// Big blinds won, and their squares, for the average and its error.
    won: f64,
    squares: f64,
}

impl Figures {
    /// Adds hands counted elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.hands += other.hands;
        self.vpip.add(other.vpip);
        self.pfr.add(other.pfr);
        self.three_bet.add(other.three_bet);
        self.cbet.add(other.cbet);
        self.aggression.add(other.aggression);
        self.wtsd.add(other.wtsd);
        self.won += other.won;
        self.squares += other.squares;
    }

    /// Big blinds won in a hundred hands.
    #[must_use]
    pub fn bb100(&self) -> f64 {
        if self.hands == 0 { 0.0 } else { 100.0 * self.won / self.hands as f64 }
    }

    /// The standard error of [`Figures::bb100`].
    #[must_use]
    pub fn bb100_se(&self) -> f64 {
        if self.hands < 2 {
            return 0.0;
        }
        let n = self.hands as f64;
        let mean = self.won / n;
        let variance = ((self.squares - n * mean * mean) / (n - 1.0)).max(0.0);
        100.0 * (variance / n).sqrt()
    }
}

/// Figures by player and position.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    by: BTreeMap<String, BTreeMap<&'static str, Figures>>,
}

/// One line of the report.
#[derive(Clone, Debug, Serialize)]
pub struct StatsLine<'a> {
    pub player: &'a str,
    /// `all`, or the position.
    pub position: &'a str,
    pub hands: u64,
    pub vpip: Share,
    pub pfr: Share,
    pub three_bet: Share,
    pub cbet: Share,
    /// Bets and raises (`done`) by calls (`of`) after the flop.
    pub af: Share,
    pub wtsd: Share,
    pub bb100: f64,
    pub bb100_se: f64,
}

/// The name of a place among so many.
#[must_use]
pub const fn position(place: usize, players: usize) -> &'static str {
    match (players - 1 - place, place) {
        (0, _) => "BTN",
        (_, 0) if players == 2 => "BB",
        (_, 0) => "SB",
        (_, 1) => "BB",
        (1, _) => "CO",
        (2, _) => "HJ",
        (_, 2) => "UTG",
        (_, 3) => "UTG+1",
        _ => "MP",
    }
}

/// What one player did in one hand.
#[derive(Clone, Copy, Default)]
struct Hero {
    decided: bool,
    entered: bool,
    raised: bool,
    three_bet: Option<bool>,
    cbet: Option<bool>,
    bets: u64,
    calls: u64,
    saw_flop: bool,
}

impl Stats {
    /// Counts a hand.
    ///
    /// # Errors
    /// When its log does not follow the rules; then nothing is counted.
    pub fn count(&mut self, record: &Record) -> Result<(), ReplayError> {
        let mut replay = Replay::start(record, Interpretation::House)?;
        let mut heroes = [Hero::default(); SEATS_MAX];
        let dealt = replay.hand().live();
        let (mut raises, mut raiser, mut flop_bet) = (0, None, false);
        let (mut at_showdown, mut saw_flop) = (SeatSet::EMPTY, SeatSet::EMPTY);
        loop {
            let hand = replay.hand();
            let (street, phase) = (hand.street(), hand.phase());
            if phase == Phase::Reveal && at_showdown.is_empty() {
                at_showdown = hand.live();
            }
            if street >= Some(1) {
                saw_flop = saw_flop.union(hand.live());
            }
            let next = replay.next_action()?;
            if let (Some(action), Phase::Bet) = (next, phase) {
                let cost = |place| hand.bets().iter().max().copied().unwrap_or(0) - hand.bets()[place];
                match (action, street) {
                    (Action::Fold(place), Some(0)) => heroes[place].first_street(false, false, raises),
                    (Action::Call(place), Some(0)) => {
                        heroes[place].first_street(cost(place) > 0, false, raises);
                    }
                    (Action::Raise(place, _), Some(0)) => {
                        heroes[place].first_street(true, true, raises);
                        (raises, raiser) = (raises + 1, Some(place));
                    }
                    (Action::Raise(place, _), Some(street)) => {
                        heroes[place].bets += 1;
                        if street == 1 {
                            heroes[place].flop(raiser == Some(place), flop_bet, true);
                            flop_bet = true;
                        }
                    }
                    (Action::Call(place), Some(street)) => {
                        heroes[place].calls += u64::from(cost(place) > 0);
                        if street == 1 {
                            heroes[place].flop(raiser == Some(place), flop_bet, false);
                        }
                    }
                    (Action::Fold(place), Some(1)) => {
                        heroes[place].flop(raiser == Some(place), flop_bet, false);
                    }
                    _ => {}
                }
            }
            if !replay.step_as(next)? {
                break;
            }
        }
        let hand = replay.hand();
        let big = hand.setup().small_bet.max(1);
        for (nth, place) in dealt.iter().enumerate() {
            let start = hand.setup().stacks[place] + hand.setup().paid_dead[place];
            let won = if is_endless(start) { 0 } else { hand.stacks()[place] - start };
            heroes[place].saw_flop = saw_flop.contains(place);
            let figures = heroes[place].figures(won, big, at_showdown.contains(place));
            let name = record.name_or_number(replay.player(place));
            self.add_to(&name, position(nth, dealt.len()), &figures);
        }
        Ok(())
    }

    fn add_to(&mut self, player: &str, position: &'static str, figures: &Figures) {
        // A name is copied only when it is met for the first time.
        match self.by.get_mut(player) {
            Some(positions) => positions.entry(position).or_default().add(figures),
            None => drop(self.by.insert(player.to_owned(), BTreeMap::from([(position, *figures)]))),
        }
    }

    /// Adds hands counted elsewhere.
    pub fn add(&mut self, other: &Self) {
        for (player, positions) in &other.by {
            for (position, figures) in positions {
                self.add_to(player, position, figures);
            }
        }
    }

    /// A player's figures over all positions.
    #[must_use]
    pub fn of(&self, player: &str) -> Figures {
        let mut all = Figures::default();
        self.by.get(player).into_iter().flat_map(BTreeMap::values).for_each(|figures| all.add(figures));
        all
    }

    /// One line for each player and position, after one for all positions.
    pub fn lines(&self) -> impl Iterator<Item = StatsLine<'_>> {
        self.by.iter().flat_map(|(player, positions)| {
            let each = positions.iter().map(|(position, figures)| line(player, position, figures));
            std::iter::once(line(player, "all", &self.of(player))).chain(each)
        })
    }
}

fn line<'a>(player: &'a str, position: &'a str, figures: &Figures) -> StatsLine<'a> {
    StatsLine {
        player,
        position,
        hands: figures.hands,
        vpip: figures.vpip,
        pfr: figures.pfr,
        three_bet: figures.three_bet,
        cbet: figures.cbet,
        af: figures.aggression,
        wtsd: figures.wtsd,
        bb100: figures.bb100(),
        bb100_se: figures.bb100_se(),
    }
}

impl Hero {
    fn first_street(&mut self, entered: bool, raised: bool, raises: u32) {
        if raises == 1 && self.three_bet.is_none() && !self.raised {
            self.three_bet = Some(raised);
        }
        self.decided = true;
        self.entered |= entered;
        self.raised |= raised;
    }

    const fn flop(&mut self, was_raiser: bool, bet: bool, bets: bool) {
        if was_raiser && self.cbet.is_none() && !bet {
            self.cbet = Some(bets);
        }
    }

    fn figures(&self, won: Chips, big: Chips, shown: bool) -> Figures {
        let mut figures = Figures { hands: 1, ..Figures::default() };
        if self.decided {
            figures.vpip.count(self.entered);
            figures.pfr.count(self.raised);
        }
        self.three_bet.into_iter().for_each(|done| figures.three_bet.count(done));
        self.cbet.into_iter().for_each(|done| figures.cbet.count(done));
        figures.aggression = Share { done: self.bets, of: self.calls };
        if self.saw_flop {
            figures.wtsd.count(shown);
        }
        figures.won = won as f64 / big as f64;
        figures.squares = figures.won * figures.won;
        figures
    }
}
