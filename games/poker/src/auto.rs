//! What is done for a player who does nothing: check if it is free, else fold; stand pat; at the showdown show a hand
//! that wins and muck one that does not (ruling 004/R8).

use crate::hand::{Hand, Phase};
use crate::legal::{Action, Move};
use crate::row::Row;

impl Hand {
    /// The move made for the player whose turn it is; `None` when the hand waits for cards or is over.
    #[must_use]
    pub fn auto(&self) -> Option<Move> {
        let seat = self.turn()?;
        let action = match self.phase {
            Phase::Bet if self.betting.bring_in_due => Action::BringIn(seat),
            Phase::Bet if self.call_cost(seat) == 0 => Action::Call(seat),
            Phase::Bet => Action::Fold(seat),
            Phase::Draw => Action::Draw(seat, Row::EMPTY),
            Phase::Reveal if self.all_in || self.live.len() == 1 || self.can_win(seat) => {
                Action::ShowAll(seat)
            }
            Phase::Reveal => Action::Muck(seat),
            Phase::Deal | Phase::Over => return None,
        };
        Some(Move(action))
    }
}
