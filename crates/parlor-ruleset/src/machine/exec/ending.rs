//! The end, who has won, and where the stakes go.

use parlor_core::{Account, Outcome, Output, Seat, Seats};

use crate::machine::eval::Eval;
use crate::machine::program::{NONE, Who};
use crate::machine::state::{EventData, Vm};
use crate::machine::value::seat_value;

impl Vm<'_, '_> {
    /// The match is over.
    pub fn finish(&mut self, outcome: Outcome) {
        if self.state.over.is_none() {
            self.state.over = Some(outcome);
            self.changed = Seats::ALL;
            self.state.next.event += 1;
            let id = self.state.next.event;
            let ev = EventData { id, ty: crate::machine::program::GAME_ENDED, ..EventData::NONE };
            self.append(&ev, crate::machine::Status::Applied);
            self.pay_out();
        }
    }

    /// Everybody's stake goes onto the table.
    pub fn stake(&mut self) {
        let Some(stake) = self.program.stake else { return };
        let amount = self.eval(stake.amount).clamp(0, crate::limits::STAKE_TOKENS_MAX);
        self.state.pot = amount * i64::from(self.state.board.seats);
        for seat in (0..self.state.board.seats).map(Seat::new) {
            self.post(Account::Seat(seat), Account::Table, amount);
        }
    }

    fn post(&mut self, from: Account, to: Account, amount: i64) {
        if let Some(output) = &mut self.out.output {
            Output::<parlor_core::Json>::post(*output, from, to, amount);
        }
    }

    /// The pot goes to the winners, in equal parts, what is left over one by one from the first of them on. Without
    /// winners it goes back or burns, as the ruleset says.
    fn pay_out(&mut self) {
        let (Some(stake), Some(over)) = (self.program.stake, self.state.over.clone()) else { return };
        let pot = std::mem::take(&mut self.state.pot);
        let all = Seats::first(self.state.board.seats);
        let all_lost = !over.places.contains(&1);
        let paid = if !over.winners.is_empty() {
            over.winners
        } else {
            let returns = if all_lost { stake.lost_returns } else { stake.draw_returns };
            if self.eval(returns) != 0 { all } else { Seats::NONE }
        };
        if paid.is_empty() {
            return self.post(Account::Table, Account::Burn, pot);
        }
        let (count, mut left) = (paid.len() as i64, pot % paid.len() as i64);
        for seat in paid.iter() {
            let odd = i64::from(left > 0);
            left -= odd;
            self.post(Account::Table, Account::Seat(seat), pot / count + odd);
        }
    }

    /// Seats lose; when at most one is left, the match is over.
    pub(in crate::machine) fn lose(&mut self, who: Who) {
        for seat in self.seats_of(who) {
            self.state.lost = self.state.lost.with(Seat::new(seat as u8));
        }
        self.changed = Seats::ALL;
    }

    /// Ends the match where seats have lost and at most one is left: after the checks, so that both may lose at once.
    pub fn last_standing(&mut self) {
        if self.state.lost.is_empty() || self.state.over.is_some() {
            return;
        }
        let seats = self.state.board.seats;
        let left: Seats = (0..seats).map(Seat::new).filter(|seat| !self.state.lost.has(*seat)).collect();
        // A team stands while one of it does, and wins together.
        let standing = match left.lowest().and_then(|seat| self.program.teams.get(seat.index())) {
            Some(team) => self.team(*team),
            None if left.len() == 1 => left,
            None => Seats::NONE,
        };
        if left.is_empty() {
            self.finish(Outcome::draw(seats, "all lost"));
        } else if !standing.is_empty() && standing.covers(left) {
            self.finish(Outcome::win(standing, seats, "last standing"));
        }
    }

    pub(in crate::machine) fn finish_now(&mut self, reason: String, losers: Option<Who>) {
        let seats = self.state.board.seats;
        match losers {
            None => self.ranked(reason),
            Some(who) => {
                let named: Seats = self.seats_of(who).map(|n| Seat::new(n as u8)).collect();
                let all = (0..seats).map(Seat::new).filter(|seat| !named.has(*seat));
                let stand: Seats = all.clone().filter(|seat| !self.state.lost.has(*seat)).collect();
                // Whoever had lost before has not won, unless a partner has.
                let with = |seat: &Seat| {
                    self.program
                        .teams
                        .get(seat.index())
                        .is_some_and(|team| !self.team(*team).shared(stand).is_empty())
                };
                let left: Seats = all.filter(|seat| stand.has(*seat) || with(seat)).collect();
                if left.is_empty() {
                    // Nobody has the first place: this is how a match that all have lost differs from a draw.
                    let places = (0..seats).map(|_| 2).collect();
                    self.finish(Outcome { places, ..Outcome::draw(seats, reason) });
                } else {
                    self.finish(Outcome::win(left, seats, reason));
                }
            }
        }
    }

    /// Places by the rank of the ruleset: whoever has lost comes after all others. Seats of a team share the place of
    /// the best of them who has not lost, and a team has lost when all of it have.
    pub(in crate::machine) fn ranked(&mut self, reason: String) {
        let (seats, lost) = (self.state.board.seats, self.state.lost);
        if self.program.rank.is_none() && lost.is_empty() {
            return self.finish(Outcome::draw(seats, reason));
        }
        // Whether a seat stands, and its score: pairs are compared in this order.
        let mut scores: Vec<(bool, i64)> = Vec::with_capacity(usize::from(seats));
        for seat in (0..seats).map(Seat::new) {
            let score = self.program.rank.map_or(0, |rank| {
                self.scratch.its[usize::from(rank.it)] = seat_value(seat.index());
                let score = Eval::outside(self.program, self.state, NONE, NONE).value(self.scratch, rank.by);
                // `!` turns the order of all numbers round; the least of them has no negative.
                if rank.most { score } else { !score }
            });
            scores.push((!lost.has(seat), score));
        }
        if !self.program.teams.is_empty() {
            let own = scores.clone();
            for (seat, score) in scores.iter_mut().enumerate() {
                let team = self.program.teams.get(seat);
                let all = own.iter().enumerate().filter(|(other, _)| self.program.teams.get(*other) == team);
                *score = all.map(|(_, score)| *score).max().unwrap_or(*score);
            }
        }
        let mut steps = scores.clone();
        steps.sort_unstable();
        let steps: Vec<i64> =
            scores.iter().map(|mine| steps.partition_point(|other| other < mine) as i64).collect();
        let mut outcome = Outcome::ranked(&steps, reason);
        if scores.iter().all(|(stands, _)| !stands) {
            // Nobody has the first place: this is how a match that all have lost differs from a draw.
            outcome.places.iter_mut().for_each(|place| *place += 1);
            outcome.winners = Seats::NONE;
        }
        if outcome.winners.len() == usize::from(seats) {
            outcome.winners = Seats::NONE;
        }
        self.finish(outcome);
    }

    /// The flow is at its end.
    pub(in crate::machine) fn rank(&mut self) {
        self.ranked("played out".to_owned());
    }
}
