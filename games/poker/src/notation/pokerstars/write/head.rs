//! The lines before the cards: header, seats, antes and blinds.

use std::fmt::Write as _;

use super::{Writer, put_line};
use crate::money::Chips;
use crate::notation::entry::{Entry, Step};
use crate::seat::{Seat, SeatSet};
use crate::setup::Setup;
use crate::variant::Limit;

impl Writer<'_> {
    pub(super) fn header(&mut self, game: &str) {
        let setup = *self.hand().setup();
        let posted = setup.blinds[..setup.players].iter().copied().filter(|&b| b > 0).min();
        let small = match setup.variant.limit() {
            Limit::Fixed => setup.small_bet,
            _ => posted.filter(|&b| b < setup.small_bet).unwrap_or(setup.small_bet / 2),
        };
        let big = if setup.variant.limit() == Limit::Fixed { setup.big_bet } else { setup.small_bet };
        let mut stakes = format!("{}/{}", self.money(small), self.money(big));
        if let Some(code) = self.record.text("currency") {
            stakes = format!("{stakes} {code}");
        }
        if setup.variant.is_stud() && !self.bring_in_is_told() {
            stakes = format!("{stakes} bring-in {}", self.money(setup.bring_in));
        }
        let number = self.record.text("hand").unwrap_or_else(|| "-".into());
        let date = self.date().map_or(String::new(), |date| format!(" - {date}"));
        put_line!(self, "PokerStars Hand #{number}:  {game} ({stakes}){date}");
        let table = self.record.text("table").unwrap_or_default();
        let max = self.record.number("seat_count").map_or(String::new(), |count| format!("{count}-max "));
        put_line!(self, "Table '{table}' {max}Seat #{} is the button", self.seats[self.record.button]);
        for player in self.seat_order() {
            let seat = self.replay.seat(player);
            let stack = self.money(setup.stacks[seat] + setup.paid_dead[seat]);
            let out = if setup.sitting_out.contains(seat) { " is sitting out" } else { "" };
            put_line!(self, "Seat {}: {} ({stack} in chips){out}", self.seats[player], self.names[player]);
        }
    }

    /// Players by seat. Some real files have seats that contradict the order of play; theirs are listed in the order of
    /// play, by which the reader knows them.
    pub(super) fn seat_order(&self) -> Vec<usize> {
        let play = self.record.order_of_play();
        let first = play.iter().copied().min_by_key(|&player| self.seats[player]).unwrap_or(0);
        let from = play.iter().position(|&player| player == first).unwrap_or(0);
        let turned: Vec<usize> = play[from..].iter().chain(&play[..from]).copied().collect();
        if turned.is_sorted_by_key(|&player| self.seats[player]) { turned } else { play }
    }

    /// Whether the log shows the full bring-in.
    fn bring_in_is_told(&self) -> bool {
        let posts = self.record.actions.iter().find(|entry| matches!(entry.step, Step::BringIn(_)));
        let setup = self.hand().setup();
        posts.and_then(Entry::player).is_some_and(|player| {
            let seat = self.replay.seat(player);
            setup.stacks[seat] - setup.antes[seat] >= setup.bring_in
        })
    }

    fn date(&self) -> Option<String> {
        let part = |name: &str| self.record.number(name);
        let mut date = format!("{:04}/{:02}/{:02}", part("year")?, part("month")?, part("day")?);
        if let Some(time) = self.record.text("time") {
            let _ = write!(date, " {time}");
            let zone = self.record.text("time_zone_abbreviation").or_else(|| self.record.text("time_zone"));
            if let Some(zone) = zone {
                let _ = write!(date, " {zone}");
            }
        }
        Some(date)
    }

    /// Antes, then blinds and straddles, then posts, dead money last.
    pub(super) fn posts(&mut self) {
        let setup = *self.hand().setup();
        let live = self.hand().live();
        let mut left = setup.stacks;
        for seat in live.iter().filter(|&seat| setup.antes[seat] > 0) {
            self.post(seat, "the ante", setup.antes[seat], &mut left);
        }
        // An ante beyond all others comes back before the blinds.
        let returned = setup.ante_trimming.then(|| beyond_others(&setup, live)).flatten();
        if let Some((seat, chips)) = returned {
            left[seat] += chips;
            put_line!(
                self,
                "Uncalled bet ({}) returned to {}",
                self.money(chips),
                self.name(seat).to_owned()
            );
        }
        let big = setup.small_bet;
        let (mut small_told, mut big_told) = (None, false);
        for seat in live.iter().filter(|&seat| setup.blinds[seat] > 0) {
            let blind = setup.blinds[seat];
            let what = if blind == big && !big_told {
                big_told = true;
                "big blind"
            } else if blind < big && small_told.is_none() {
                small_told = Some(blind);
                "small blind"
            } else {
                "straddle"
            };
            self.post(seat, what, blind, &mut left);
        }
        for seat in live.iter() {
            let (post, dead) = (-setup.blinds[seat].min(0), setup.paid_dead[seat]);
            let full = post == big && left[seat] >= big;
            if full && dead > 0 && big_told {
                left[seat] -= post;
                put_line!(
                    self,
                    "{}: posts small & big blinds {}",
                    self.name(seat).to_owned(),
                    self.money(post + dead)
                );
                continue;
            }
            if post > 0 {
                let what = if full && big_told { "big blind" } else { "a live blind" };
                self.post(seat, what, post, &mut left);
            }
            if dead > 0 {
                let what = if small_told == Some(dead) { "small blind" } else { "dead blind" };
                put_line!(self, "{}: posts {what} {}", self.name(seat).to_owned(), self.money(dead));
            }
        }
    }

    fn post(&mut self, seat: Seat, what: &str, chips: Chips, left: &mut [Chips]) {
        let paid = chips.min(left[seat]);
        left[seat] -= paid;
        let all_in = if left[seat] == 0 { " and is all-in" } else { "" };
        let short = if paid < chips { format!(" (of {})", self.money(chips)) } else { String::new() };
        put_line!(self, "{}: posts {what} {}{all_in}{short}", self.name(seat).to_owned(), self.money(paid));
    }
}

/// By how much the largest ante that was paid exceeds the next, and whose it is.
fn beyond_others(setup: &Setup, live: SeatSet) -> Option<(Seat, Chips)> {
    let paid = |seat: Seat| setup.antes[seat].min(setup.stacks[seat]);
    let top = live.iter().max_by_key(|&seat| paid(seat))?;
    let next = live.iter().filter(|&seat| seat != top).map(paid).max().unwrap_or(0);
    (paid(top) > next).then(|| (top, paid(top) - next))
}
