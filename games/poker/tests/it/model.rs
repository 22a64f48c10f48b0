//! A slow model of who plays the next hand, where button and blinds are, what coming in costs and what is owed: written
//! from the rulings alone (004/R5, R6, R7, R11, R14), seat by seat, with lists instead of sets.

use parlor_poker::Variant;
use parlor_poker::table::{
    ButtonRule, MissedBlinds, NewcomerWish, Newcomers, PauseKind, Positions, SeatState, Settings,
};

/// One seat before the deal, after those who leave have gone and chips were added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    pub(crate) state: SeatState,
    pub(crate) stack: i64,
}

/// What one seat does in the next hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Is dealt in and pays this much dead and live, besides the blind of its position.
    Plays { dead: i64, live: i64 },
    /// Is not dealt in and owes this much now.
    Owes(i64),
    /// Cannot pay and has to go.
    Leaves,
}

/// The next hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Next {
    /// Button, small and big blind; `None` where the hand has no blinds and nothing moves.
    pub(crate) positions: Option<Positions>,
    pub(crate) parts: Vec<Part>,
}

/// How somebody may come in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Played,
    Pays,
    Free,
    OnBigBlind,
    Out,
}

pub(crate) struct Model<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) variant: Variant,
    pub(crate) bomb_pot: bool,
    pub(crate) last: Option<Positions>,
    pub(crate) seats: Vec<Before>,
}

impl Model<'_> {
    /// The seats after `from`, in the order in which the blinds go round, `from` last.
    fn round(&self, from: usize) -> Vec<usize> {
        let count = self.seats.len();
        (from + 1..count).chain(0..=from).collect()
    }

    /// The seats that something passes which goes from one seat to another: those after the first, and the second.
    fn path(&self, from: usize, to: usize) -> Vec<usize> {
        if from == to {
            return Vec::new();
        }
        let round = self.round(from);
        let end = round.iter().position(|&seat| seat == to).unwrap();
        round[..=end].to_vec()
    }

    fn has_blinds(&self) -> bool {
        !self.variant.is_stud() && !self.bomb_pot
    }

    /// What the blinds of this game are: none where the button alone posts one.
    fn big_blind(&self) -> i64 {
        let none =
            self.variant.is_stud() || self.variant == Variant::ShortDeck && self.settings.button_blind > 0;
        if none { 0 } else { self.settings.big_blind }
    }

    fn way(&self, seat: usize) -> Way {
        let Before { state, stack } = self.seats[seat];
        if stack == 0 {
            return Way::Out;
        }
        // Between the last small blind and the last big blind, the latter's seat included, the button is to come.
        let gap = self.last.is_some_and(|last| self.path(last.small, last.big).contains(&seat));
        let anywhere = !self.has_blinds() || self.last.is_none();
        let never = self.settings.variants.iter().all(|variant| variant.is_stud());
        match state {
            SeatState::Playing { .. } => Way::Played,
            SeatState::Returning { debt } => {
                let held_back = self.settings.missed_blinds == MissedBlinds::Live && debt > 0;
                if held_back && gap && self.has_blinds() { Way::OnBigBlind } else { Way::Pays }
            }
            SeatState::Newcomer(NewcomerWish::Play) if anywhere => Way::Pays,
            SeatState::Newcomer(NewcomerWish::Play) => match self.settings.newcomers {
                Newcomers::Free => Way::Pays,
                Newcomers::PostBigBlind if !gap => Way::Pays,
                Newcomers::PostBigBlind | Newcomers::WaitForBigBlind => Way::OnBigBlind,
            },
            SeatState::Newcomer(NewcomerWish::WaitForBigBlind)
            | SeatState::Paused { until: PauseKind::UntilBigBlind, .. } => {
                if never {
                    Way::Pays
                } else {
                    Way::OnBigBlind
                }
            }
            _ => Way::Out,
        }
    }

    /// Ruling 004/R14: intent 0 first, then intent 1, in order from the big blind, until two play.
    fn fill_up(&self, ways: &mut [Way]) {
        let from = self.last.map_or(self.seats.len() - 1, |last| last.big);
        let opening = self.last.is_none();
        let counts = |way: &Way| *way == Way::Played || opening && *way == Way::Pays;
        let mut playing = ways.iter().filter(|way| counts(way)).count();
        for intent in [0, 1] {
            for seat in self.round(from) {
                let fits = self.seats[seat].state.flags().is_some_and(|flags| {
                    flags.inactive && flags.intent.number() == intent && self.seats[seat].stack > 0
                });
                if fits && playing < 2 && !counts(&ways[seat]) {
                    ways[seat] = Way::Free;
                    playing += 1;
                }
            }
        }
    }

    /// The nearest seat before `from` that plays and is not the big blind.
    fn nearest_before(&self, from: usize, big: usize, plays: &[usize]) -> usize {
        let round = self.round(from);
        let back = round.iter().rev().skip(1);
        back.copied().find(|seat| plays.contains(seat) && *seat != big).unwrap_or(from)
    }

    fn positions(&self, big: usize, plays: &[usize]) -> Positions {
        if plays.len() == 2 {
            let small = plays.iter().copied().find(|&seat| seat != big).unwrap();
            return Positions { button: small, small, big };
        }
        let dead = self.settings.button == ButtonRule::Dead;
        // Before the first hand it is as if the first player had just had the big blind and the last one the small.
        let (old_small, old_big) =
            self.last.map_or((plays[plays.len() - 1], plays[0]), |last| (last.small, last.big));
        let small = if dead && old_big != big { old_big } else { self.nearest_before(big, big, plays) };
        let in_front = old_small == small || self.path(small, big).contains(&old_small);
        let button = if dead && !in_front { old_small } else { self.nearest_before(small, big, plays) };
        Positions { button, small, big }
    }

    /// What happens next; `None` where nobody is dealt a hand.
    pub(crate) fn next(&mut self) -> Option<Next> {
        let mut gone = Vec::new();
        loop {
            let mut ways: Vec<Way> = (0..self.seats.len()).map(|seat| self.way(seat)).collect();
            self.fill_up(&mut ways);
            let is_in = |way: &Way| !matches!(way, Way::OnBigBlind | Way::Out);
            if ways.iter().filter(|way| is_in(way)).count() < 2 {
                return None;
            }
            let first = ways.iter().position(is_in).unwrap();
            let from = self.last.map_or(first, |last| last.big);
            let big = self.round(from).into_iter().find(|&seat| ways[seat] != Way::Out).unwrap();
            let big = self.has_blinds().then_some(big);
            let pays = |seat: usize| ways[seat] == Way::Pays && big != Some(seat);
            let short = |seat: &usize| match self.seats[*seat] {
                Before { state: SeatState::Returning { debt }, stack } => {
                    pays(*seat) && debt > 0 && stack < debt + self.settings.big_blind + self.settings.ante
                }
                _ => false,
            };
            let short: Vec<usize> = (0..self.seats.len()).filter(short).collect();
            if short.is_empty() {
                return Some(self.written(&ways, big, &gone));
            }
            for seat in short {
                self.seats[seat].state = SeatState::Leaving;
                gone.push(seat);
            }
        }
    }

    fn written(&self, ways: &[Way], big: Option<usize>, gone: &[usize]) -> Next {
        let plays: Vec<usize> = (0..ways.len())
            .filter(|&seat| big == Some(seat) || !matches!(ways[seat], Way::OnBigBlind | Way::Out))
            .collect();
        let positions = big.map(|big| self.positions(big, &plays));
        let part = |seat: usize| {
            if gone.contains(&seat) {
                return Part::Leaves;
            }
            if plays.contains(&seat) {
                let pays = ways[seat] == Way::Pays && big != Some(seat);
                return if pays { self.price(seat) } else { Part::Plays { dead: 0, live: 0 } };
            }
            Part::Owes(self.debt(seat, positions))
        };
        Next { positions, parts: (0..ways.len()).map(part).collect() }
    }

    fn price(&self, seat: usize) -> Part {
        let big = self.big_blind();
        match self.seats[seat].state {
            SeatState::Newcomer(_) => {
                let posts = self.settings.newcomers == Newcomers::PostBigBlind
                    && self.has_blinds()
                    && self.last.is_some();
                Part::Plays { dead: 0, live: if posts { big } else { 0 } }
            }
            SeatState::Returning { debt } => {
                let live =
                    self.settings.missed_blinds == MissedBlinds::Live && self.has_blinds() && debt >= big;
                let live = if live { big } else { 0 };
                Part::Plays { dead: debt - live, live }
            }
            _ => Part::Plays { dead: 0, live: 0 },
        }
    }

    fn debt(&self, seat: usize, positions: Option<Positions>) -> i64 {
        let SeatState::Paused { debt, .. } = self.seats[seat].state else {
            return self.seats[seat].state.debt();
        };
        let (Some(last), Some(now)) = (self.last, positions) else { return debt };
        let big = self.big_blind();
        // Where only the button posts, there is no blind to miss.
        if big == 0 {
            return debt;
        }
        let mut owed = debt;
        if self.path(last.big, now.big).contains(&seat) {
            owed += big;
        }
        if self.path(last.small, now.small).contains(&seat) {
            owed += big / 2;
        }
        owed.min(big * 3 / 2)
    }
}
