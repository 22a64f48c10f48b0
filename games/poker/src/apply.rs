//! Carrying a checked move out. Nothing here can fail.

use crate::card::Card;
use crate::hand::{Hand, Phase};
use crate::legal::{Action, Move};
use crate::money::Chips;
use crate::row::Row;
use crate::seat::Seat;
use crate::setup::Interpretation;

impl Hand {
    /// Carries a move out and goes on to what the hand waits for next.
    #[inline]
    pub fn apply(&mut self, mv: Move) {
        match mv.0 {
            Action::DealHole(seat, row) => {
                row.as_slice().iter().for_each(|&card| self.deal_to(seat, card));
                self.after_deal();
            }
            Action::DealBoard(row) => {
                row.as_slice().iter().for_each(|&card| self.deal_to_board(card));
                self.after_deal();
            }
            Action::Fold(seat) => {
                self.muck(seat);
                self.pending.remove(seat);
                self.next_to_act(seat);
            }
            Action::Call(seat) => self.put_in(seat, self.call_cost(seat)),
            Action::BringIn(seat) => {
                self.betting.bring_in_due = false;
                // Like a blind, a bring-in posted short is a full one to everyone else.
                if self.setup.interpretation == Interpretation::House {
                    self.betting.floor = self.setup.bring_in;
                }
                self.put_in(seat, self.setup.bring_in.min(self.stacks[seat]));
            }
            Action::Raise(seat, to) => self.raise(seat, to),
            Action::Draw(seat, row) => self.draw(seat, &row),
            Action::Show(seat, row) => {
                row.known().for_each(|card| self.turn_up(seat, card));
                self.shown(seat);
            }
            Action::ShowAll(seat) => {
                self.holdings[seat].turn_up_known();
                self.shown(seat);
            }
            Action::Muck(seat) => {
                // The last hand wins whether it is shown or not.
                if self.live.len() > 1 {
                    self.muck(seat);
                }
                self.shown(seat);
            }
        }
    }

    pub(crate) fn deal_to(&mut self, seat: Seat, card: Option<Card>) {
        self.take(card);
        let up = self.owed[seat] <= self.street_rules().up;
        self.holdings[seat].add(card, up);
        self.owed[seat] -= 1;
    }

    pub(crate) fn deal_to_board(&mut self, card: Option<Card>) {
        self.take(card);
        self.boards[self.run as usize].push(card);
        self.board_owed -= 1;
    }

    fn muck(&mut self, seat: Seat) {
        self.live.remove(seat);
        let holding = self.holdings[seat];
        holding.row.known().for_each(|card| self.reserve.insert(card));
    }

    fn put_in(&mut self, seat: Seat, chips: Chips) {
        self.pay(seat, chips);
        self.betting.acted.insert(seat);
        self.pending.remove(seat);
        self.next_to_act(seat);
    }

    fn raise(&mut self, seat: Seat, to: Chips) {
        self.book_raise(seat, to);
        self.pay(seat, to - self.bets[seat]);
        self.opener = seat as u8;
        self.pending = self.live.iter().filter(|&other| other != seat && self.stacks[other] > 0).collect();
        self.next_to_act(seat);
    }

    fn draw(&mut self, seat: Seat, row: &Row) {
        for &card in row.as_slice() {
            let hole = &mut self.holdings[seat].row;
            let at = |wanted: Option<Card>| hole.as_slice().iter().position(|&own| own == wanted);
            let Some(index) = at(card).or_else(|| at(None)) else { continue };
            hole.remove(index);
            if let Some(card) = card {
                self.deck.remove(card);
                self.reserve.insert(card);
            }
        }
        self.owed[seat] = row.len() as u8;
        self.pending.remove(seat);
        if self.pending.is_empty() {
            self.phase = Phase::Deal;
            self.after_deal();
        }
    }

    /// Turns a card face up; one nobody had seen takes the place of an unseen card.
    fn turn_up(&mut self, seat: Seat, card: Card) {
        let holding = &mut self.holdings[seat];
        let at = |wanted: Option<Card>| holding.row.as_slice().iter().position(|&own| own == wanted);
        if let Some(index) = at(Some(card)) {
            holding.up |= 1 << index;
        } else if let Some(index) = at(None) {
            let known = holding.row.as_slice().iter().enumerate();
            holding.row = known.map(|(i, &own)| if i == index { Some(card) } else { own }).collect();
            holding.up |= 1 << index;
            self.deck.remove(card);
        }
    }

    fn shown(&mut self, seat: Seat) {
        // A winner may show what nobody paid to see.
        if self.phase == Phase::Over {
            return;
        }
        self.pending.remove(seat);
        self.after_reveal();
    }
}
