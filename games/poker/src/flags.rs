//! Places of a hand where PokerKit departs from casino rules, told from the log alone.

use crate::hand::{Hand, Phase};
use crate::legal::{Action, Legal};
use crate::money::Chips;
use crate::seat::{Seat, SeatSet};
use crate::variant::Limit;

/// Watches a hand line by line.
pub(crate) struct Flags {
    found: Vec<&'static str>,
    street: Option<usize>,
    /// Size of the last full raise, the minimum bet before any.
    full: Chips,
    acted: SeatSet,
}

impl Flags {
    /// Looks at the blinds.
    pub(crate) fn new(hand: &Hand) -> Self {
        let setup = hand.setup();
        let nominal = setup.blinds[..setup.players].iter().map(|blind| blind.abs()).max().unwrap_or(0);
        let short = nominal > hand.bets().iter().copied().max().unwrap_or(0);
        let found = if short { vec!["short_blind"] } else { Vec::new() };
        Self { found, street: None, full: 0, acted: SeatSet::EMPTY }
    }

    /// Looks at an action that is about to be carried out.
    pub(crate) fn see(&mut self, before: &Hand, action: Action) {
        if before.phase() != Phase::Bet {
            return;
        }
        if self.street != before.street() {
            (self.street, self.full, self.acted) = (before.street(), before.bet_size(), SeatSet::EMPTY);
        }
        match action {
            Action::Raise(seat, to) => self.see_raise(before, seat, to),
            Action::Call(seat) | Action::Fold(seat) | Action::BringIn(seat) => self.acted.insert(seat),
            _ => {}
        }
    }

    fn see_raise(&mut self, before: &Hand, seat: Seat, to: Chips) {
        let top = before.bets().iter().copied().max().unwrap_or(0);
        let all_in = to == before.bets()[seat] + before.stacks()[seat];
        let call = match before.legal() {
            Legal::Bet(choices) => choices.call,
            _ => None,
        };
        let (increase, size) = (to - top, before.bet_size());
        if before.setup().variant.limit() == Limit::Fixed {
            if all_in && increase < size && to != size {
                self.found.push("fl_short");
            }
        } else if self.acted.contains(seat) && call.is_some_and(|call| call < self.full) {
            self.found.push("limp_reopen");
        }
        if increase >= self.full {
            (self.full, self.acted) = (increase, SeatSet::EMPTY);
        }
        self.acted.insert(seat);
    }

    /// What was found, in order of name.
    pub(crate) fn into_list(mut self) -> Vec<&'static str> {
        self.found.sort_unstable();
        self.found.dedup();
        self.found
    }
}
