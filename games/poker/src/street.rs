//! The order of play: deal, draw, bet, collect, next street, until only one is left or the hands are shown.

use crate::hand::{Hand, Phase};
use crate::seat::{SEATS_MAX, SeatSet};
use crate::setup::Reveal;

impl Hand {
    /// Begins the street at `self.street`: a draw, or cards owed to players and board.
    pub(crate) fn open_street(&mut self) {
        let street = self.street_rules();
        if street.draw {
            self.phase = Phase::Draw;
            self.pending = self.live;
            return;
        }
        let each = street.down + street.up;
        self.board_owed = street.board;
        // With too few cards for everybody the card is dealt once, for all.
        if each > 0 && usize::from(each) * self.live.len() > self.cards_not_in_play() {
            self.board_owed += each;
        } else if each > 0 {
            self.live.iter().for_each(|seat| self.owed[seat] = each);
        }
        self.phase = Phase::Deal;
    }

    /// Cards that could still be dealt, folded and discarded ones included.
    fn cards_not_in_play(&self) -> usize {
        let held: usize = self.live.iter().map(|seat| self.holdings[seat].row.len()).sum();
        let boards: usize = self.boards.iter().map(crate::row::Row::len).sum();
        self.setup.variant.deck().len() - held - boards
    }

    /// Goes on when nothing is owed any more.
    pub(crate) fn after_deal(&mut self) {
        if self.board_owed == 0 && self.owed == [0; SEATS_MAX] {
            self.open_betting();
        }
    }

    fn open_betting(&mut self) {
        // Once hands lie open nobody bets; the first place shows first.
        if self.all_in {
            self.opener = 0;
            return self.open_reveal();
        }
        self.opener = self.find_opener() as u8;
        self.reset_betting();
        self.pending = SeatSet::EMPTY;
        if !(self.setup.bomb_pot && self.street == 0) {
            self.pending = self.live.iter().filter(|&seat| self.can_act(seat)).collect();
        }
        if self.pending.len() == 1 && self.pending.iter().all(|s| self.bets[s] >= self.betting.top) {
            self.pending = SeatSet::EMPTY;
        }
        self.phase = Phase::Bet;
        self.next_to_act(self.opener as usize);
    }

    /// Gives the turn to the first of those pending from `seat` on, or closes the street.
    #[inline]
    pub(crate) fn next_to_act(&mut self, seat: usize) {
        match self.pending.from(seat) {
            Some(next) if !self.live.is_at_most_one() => self.actor = next as u8,
            _ => self.close_betting(),
        }
    }

    #[inline(never)]
    fn close_betting(&mut self) {
        self.pending = SeatSet::EMPTY;
        self.collect();
        if self.live.is_at_most_one() {
            return self.settle();
        }
        let later = &self.setup.variant.streets()[self.street as usize + 1..];
        let with_chips = self.live.iter().filter(|&seat| self.stacks[seat] > 0).count();
        self.all_in |= with_chips <= 1 && !later.iter().any(|street| street.draw);
        if self.is_last_street() || self.all_in {
            self.open_reveal();
        } else {
            self.street += 1;
            self.open_street();
        }
    }

    fn open_reveal(&mut self) {
        self.phase = Phase::Reveal;
        self.pending = SeatSet::EMPTY;
        if self.setup.reveal == Reveal::Auto {
            // Between streets of a board nothing new is held.
            if self.run_from == 0 || !self.setup.variant.has_board() {
                self.live.iter().for_each(|seat| self.holdings[seat].turn_up());
            }
        } else {
            self.pending = self.live.iter().filter(|&seat| !self.holdings[seat].all_up()).collect();
        }
        self.after_reveal();
    }

    /// Goes on when everybody has shown: the next street of an all-in hand, the second board, or the end.
    pub(crate) fn after_reveal(&mut self) {
        if !self.pending.is_empty() {
            return;
        }
        if !self.is_last_street() {
            if self.run == 0 && self.run_from == 0 {
                self.run_from = self.street + 1;
            }
            self.street += 1;
            self.open_street();
        } else if self.run + 1 < self.setup.runs && self.run_from > 0 && self.setup.variant.has_board() {
            self.run += 1;
            self.street = self.run_from;
            let streets = &self.setup.variant.streets()[..self.street as usize];
            let shared = streets.iter().map(|street| street.board as usize).sum();
            self.boards[self.run as usize] = self.boards[0].as_slice()[..shared].iter().copied().collect();
            self.open_street();
        } else {
            self.settle();
        }
    }
}
