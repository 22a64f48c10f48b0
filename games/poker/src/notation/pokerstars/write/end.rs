//! The lines after the play: who collected what, and the summary.

use std::fmt::Write as _;

use super::{Writer, brackets, put_line};
use crate::hand::Phase;
use crate::money::Chips;
use crate::notation::value::Value;

impl Writer<'_> {
    pub(super) fn collected(&mut self) {
        let awards = self.hand().awards();
        let side_pots = awards.iter().map(|award| award.pot).max().unwrap_or(0);
        for award in awards {
            let pot = match (side_pots, award.pot) {
                (0, _) => "pot".to_owned(),
                (_, 0) => "main pot".to_owned(),
                (1, _) => "side pot".to_owned(),
                (_, pot) => format!("side pot-{pot}"),
            };
            put_line!(
                self,
                "{} collected {} from {pot}",
                self.name(award.seat).to_owned(),
                self.money(award.chips)
            );
        }
    }

    pub(super) fn summary(&mut self) {
        put_line!(self, "*** SUMMARY ***");
        let hand = self.hand().clone();
        if hand.phase() == Phase::Over {
            let pots = hand.final_pots();
            let total: Chips = pots.iter().map(|(pot, _)| pot.chips).sum();
            let mut parts = String::new();
            if pots.len() > 1 && hand.live().len() > 1 {
                for (i, (pot, _)) in pots.iter().enumerate() {
                    let name = match (i, pots.len()) {
                        (0, _) => "Main pot".to_owned(),
                        (_, 2) => "Side pot".to_owned(),
                        _ => format!("Side pot-{i}"),
                    };
                    let _ = write!(parts, " {name} {}.", self.money(pot.chips));
                }
            }
            put_line!(self, "Total pot {}{parts} | Rake {}", self.money(total), self.money(hand.raked()));
        }
        if hand.boards() == 2 {
            put_line!(self, "Hand was run twice");
            put_line!(self, "FIRST Board {}", brackets(hand.board(0)));
            put_line!(self, "SECOND Board {}", brackets(hand.board(1)));
        } else if !hand.board(0).is_empty() {
            put_line!(self, "Board {}", brackets(hand.board(0)));
        }
        if matches!(self.record.field("_bombPot"), Some(Value::Bool(true))) {
            put_line!(self, "Hand was a bomb pot");
        }
        for player in self.seat_order() {
            let seat = self.replay.seat(player);
            let button = if player == self.record.button { " (button)" } else { "" };
            let end = match (hand.won()[seat], hand.live().contains(seat)) {
                _ if hand.setup().sitting_out.contains(seat) => continue,
                (0, true) => "lost".to_owned(),
                (0, false) => "folded".to_owned(),
                (won, _) => format!("won ({})", self.money(won)),
            };
            put_line!(self, "Seat {}: {}{button} {end}", self.seats[player], self.names[player]);
        }
    }
}
