//! Judging an action: at the table strictly, in a log of a real hand more kindly.

use crate::hand::{Hand, Phase};
use crate::legal::{Action, Move, Refusal};
use crate::money::Chips;
use crate::row::Row;
use crate::seat::{SEATS_MAX, Seat};

/// How strictly an action is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// As at the table.
    Live,
    /// As a log of a real hand is read: hands are shown in any order or in part, folded cards may have been dealt
    /// again, and a raise may be written as the most that anybody could call.
    Recorded,
}

impl Hand {
    /// Makes a move of an action that is allowed now.
    ///
    /// # Errors
    /// Why it is not allowed.
    pub fn check(&self, action: Action) -> Result<Move, Refusal> {
        self.judge(action, Manner::Live)
    }

    /// Makes a move of an action found in a log of a real hand, which is judged more kindly than a live one.
    ///
    /// # Errors
    /// Why even a log cannot hold it.
    pub fn check_recorded(&self, action: Action) -> Result<Move, Refusal> {
        self.judge(action, Manner::Recorded)
    }

    fn judge(&self, action: Action, manner: Manner) -> Result<Move, Refusal> {
        match action {
            Action::DealHole(seat, row) => {
                self.phase_is(Phase::Deal)?;
                let owed = self.owed.get(seat).copied().unwrap_or(0) as usize;
                self.deal_is_right(&row, owed, manner)?;
            }
            Action::DealBoard(row) => {
                self.phase_is(Phase::Deal)?;
                self.deal_is_right(&row, self.board_owed as usize, manner)?;
            }
            Action::Fold(seat) | Action::Call(seat) => {
                self.turn_is(Phase::Bet, seat)?;
                if self.betting.bring_in_due {
                    return Err(Refusal::BringInDue);
                }
            }
            Action::BringIn(seat) => {
                self.turn_is(Phase::Bet, seat)?;
                if !self.betting.bring_in_due {
                    return Err(Refusal::NoBringIn);
                }
            }
            Action::Raise(seat, to) => {
                self.turn_is(Phase::Bet, seat)?;
                self.raise_is_right(seat, to, manner)?;
            }
            Action::Draw(seat, row) => {
                self.turn_is(Phase::Draw, seat)?;
                self.holds(seat, &row, manner)?;
            }
            Action::Show(seat, row) => {
                self.reveals(seat, manner)?;
                self.shows(seat, &row, manner)?;
            }
            Action::ShowAll(seat) => self.reveals(seat, manner)?,
            Action::Muck(seat) => {
                self.reveals(seat, manner)?;
                self.phase_is(Phase::Reveal)?;
                if manner == Manner::Live && !self.may_muck() {
                    return Err(Refusal::MayNotMuck);
                }
            }
        }
        Ok(Move(action))
    }

    fn phase_is(&self, phase: Phase) -> Result<(), Refusal> {
        if self.phase == phase { Ok(()) } else { Err(Refusal::NotNow { phase: self.phase }) }
    }

    fn turn_is(&self, phase: Phase, seat: Seat) -> Result<(), Refusal> {
        self.phase_is(phase)?;
        match self.turn() {
            Some(turn) if turn == seat => Ok(()),
            Some(turn) => Err(Refusal::NotYourTurn { seat, turn }),
            None => Err(Refusal::NotNow { phase: self.phase }),
        }
    }

    fn reveals(&self, seat: Seat, manner: Manner) -> Result<(), Refusal> {
        if manner == Manner::Live {
            return self.turn_is(Phase::Reveal, seat);
        }
        let showing = match self.phase {
            Phase::Over => self.live,
            _ => self.pending,
        };
        if self.phase != Phase::Over {
            self.phase_is(Phase::Reveal)?;
        }
        if seat < SEATS_MAX && showing.contains(seat) { Ok(()) } else { Err(Refusal::NoHand { seat }) }
    }

    fn raise_is_right(&self, seat: Seat, to: Chips, manner: Manner) -> Result<(), Refusal> {
        let (least, most) = self.raise_bounds(seat).ok_or(Refusal::RaiseClosed { seat })?;
        // Some logs write a raise against shorter stacks as what those can call.
        let all_in_for_others = || {
            let others = self.live.iter().filter(|&other| other != seat);
            others.map(|other| self.bets[other] + self.stacks[other]).max() == Some(to)
        };
        let effective =
            manner == Manner::Recorded && to > self.betting.top && to < least && all_in_for_others();
        if (least..=most).contains(&to) || effective {
            Ok(())
        } else {
            Err(Refusal::RaiseSize { to, least, most })
        }
    }

    fn deal_is_right(&self, row: &Row, owed: usize, manner: Manner) -> Result<(), Refusal> {
        if row.is_empty() || row.len() > owed {
            return Err(Refusal::CardCount { got: row.len(), most: owed });
        }
        if row.repeats() {
            return Err(Refusal::Repeated);
        }
        for (i, card) in row.as_slice().iter().enumerate() {
            let Some(card) = *card else { continue };
            let reshuffled =
                i >= self.fresh as usize || manner == Manner::Recorded && !self.setup.variant.has_board();
            let to_be_had = self.deck.contains(card) || reshuffled && self.reserve.contains(card);
            if !to_be_had {
                return Err(Refusal::NotInDeck(card));
            }
        }
        Ok(())
    }

    /// Whether the cards can be the player's own: known ones, or as many unseen ones as he has.
    fn holds(&self, seat: Seat, row: &Row, manner: Manner) -> Result<(), Refusal> {
        if row.repeats() {
            return Err(Refusal::Repeated);
        }
        let hole = &self.holdings[seat].row;
        let mut unseen = hole.unseen();
        for &card in row.as_slice() {
            let not_held = Refusal::NotHeld { seat, card };
            match card {
                Some(card) if hole.known().any(|own| own == card) => {}
                Some(card) if !self.deck.contains(card) || manner == Manner::Live => return Err(not_held),
                _ => unseen = unseen.checked_sub(1).ok_or(not_held)?,
            }
        }
        Ok(())
    }

    fn shows(&self, seat: Seat, row: &Row, manner: Manner) -> Result<(), Refusal> {
        let hole = &self.holdings[seat].row;
        if manner == Manner::Live {
            self.holds(seat, row, manner)?;
            return if row.len() == hole.len() { Ok(()) } else { Err(Refusal::NotAllShown { seat }) };
        }
        if row.len() > hole.len() {
            return Err(Refusal::CardCount { got: row.len(), most: hole.len() });
        }
        let known: Row = row.known().map(Some).collect();
        self.holds(seat, &known, manner)
    }
}
