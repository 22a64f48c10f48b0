//! What may be done now. An [`Action`] is what somebody asks for; only [`Hand::check`] makes a [`Move`] of it, so that
//! [`Hand::apply`] cannot fail.

use crate::card::Card;
use crate::hand::{Hand, Phase};
use crate::money::Chips;
use crate::row::Row;
use crate::seat::{SEATS_MAX, Seat};

/// Something asked for by a player or the dealer; not yet known to be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Deal cards to a player.
    DealHole(Seat, Row),
    /// Deal cards to the board.
    DealBoard(Row),
    /// Give the hand up.
    Fold(Seat),
    /// Check, or call what is bet.
    Call(Seat),
    /// Bet, complete or raise to a total for this street.
    Raise(Seat, Chips),
    /// Post the bring-in.
    BringIn(Seat),
    /// Exchange these cards; none is standing pat.
    Draw(Seat, Row),
    /// Show these cards.
    Show(Seat, Row),
    /// Show the whole hand as it is known.
    ShowAll(Seat),
    /// Throw the hand away unseen at the showdown.
    Muck(Seat),
}

/// An action that was checked against the hand it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(pub(crate) Action);

impl Move {
    /// What the move does.
    #[must_use]
    pub const fn action(self) -> Action {
        self.0
    }
}

/// What the player whose turn it is may bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Whose turn it is.
    pub seat: Seat,
    /// Whether he may fold.
    pub fold: bool,
    /// What calling costs, 0 for a check; `None` when the bring-in is due.
    pub call: Option<Chips>,
    /// The lowest and highest total he may raise to.
    pub raise: Option<(Chips, Chips)>,
    /// What the bring-in costs when it is due.
    pub bring_in: Option<Chips>,
}

impl Choices {
    /// Folding, where it is allowed.
    #[must_use]
    pub fn to_fold(&self) -> Option<Move> {
        self.fold.then_some(Move(Action::Fold(self.seat)))
    }

    /// Checking or calling, where it is allowed.
    #[must_use]
    pub fn to_call(&self) -> Option<Move> {
        self.call.map(|_| Move(Action::Call(self.seat)))
    }

    /// Raising to a total within the bounds.
    #[must_use]
    pub fn to_raise(&self, to: Chips) -> Option<Move> {
        let (least, most) = self.raise?;
        (least..=most).contains(&to).then_some(Move(Action::Raise(self.seat, to)))
    }

    /// Posting the bring-in, where it is due.
    #[must_use]
    pub fn to_bring_in(&self) -> Option<Move> {
        self.bring_in.map(|_| Move(Action::BringIn(self.seat)))
    }
}

/// Everything that may be done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legal {
    /// Deal: cards owed to each place and to the board.
    Deal {
        /// Cards owed by place.
        hole: [u8; SEATS_MAX],
        /// Cards owed to the board.
        board: u8,
    },
    /// A player exchanges any of his cards.
    Draw(Seat),
    /// A player bets.
    Bet(Choices),
    /// A player shows, or mucks where he may.
    Reveal {
        /// Whose turn it is.
        seat: Seat,
        /// Whether he may muck.
        may_muck: bool,
    },
    /// Nothing: the hand is over.
    Nothing,
}

/// Why an action is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The hand waits for something else.
    #[error("the hand waits for {}", waiting(*.phase))]
    NotNow {
        /// What it waits for.
        phase: Phase,
    },
    /// It is somebody else's turn.
    #[error("it is p{}'s turn, not p{}'s", turn + 1, seat + 1)]
    NotYourTurn {
        /// Who asked.
        seat: Seat,
        /// Whose turn it is.
        turn: Seat,
    },
    /// No such player, or one without a hand.
    #[error("p{} has no hand here", seat + 1)]
    NoHand {
        /// Who.
        seat: Seat,
    },
    /// The bring-in must be posted or completed first.
    #[error("expected the bring-in or a completion")]
    BringInDue,
    /// There is no bring-in to post.
    #[error("no bring-in is due")]
    NoBringIn,
    /// He may only call or fold.
    #[error("raising is closed to p{}", seat + 1)]
    RaiseClosed {
        /// Who.
        seat: Seat,
    },
    /// A raise outside the bounds.
    #[error("expected a raise to between {least} and {most}, got {to}")]
    RaiseSize {
        /// What was asked for.
        to: Chips,
        /// The lowest allowed.
        least: Chips,
        /// The highest allowed.
        most: Chips,
    },
    /// Too many or no cards.
    #[error("expected 1 to {most} cards, got {got}")]
    CardCount {
        /// Cards given.
        got: usize,
        /// Cards owed.
        most: usize,
    },
    /// A card that is not in the deck any more, or never was.
    #[error("{0} is not in the deck")]
    NotInDeck(Card),
    /// A card given twice.
    #[error("the same card is given twice")]
    Repeated,
    /// A card the player does not hold.
    #[error("p{} does not hold {}", seat + 1, card.map_or_else(|| "an unseen card".into(), |c| c.to_string()))]
    NotHeld {
        /// Who.
        seat: Seat,
        /// Which card.
        card: Option<Card>,
    },
    /// Not every card is shown.
    #[error("expected all of p{}'s cards", seat + 1)]
    NotAllShown {
        /// Who.
        seat: Seat,
    },
    /// All-in hands are shown.
    #[error("an all-in hand is shown")]
    MayNotMuck,
}

const fn waiting(phase: Phase) -> &'static str {
    match phase {
        Phase::Deal => "cards",
        Phase::Draw => "a draw",
        Phase::Bet => "a bet",
        Phase::Reveal => "a hand to be shown",
        Phase::Over => "nothing: it is over",
    }
}

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
    /// Everything that may be done now.
    #[must_use]
    pub fn legal(&self) -> Legal {
        match (self.phase, self.turn()) {
            (Phase::Deal, _) => Legal::Deal { hole: self.owed, board: self.board_owed },
            (Phase::Draw, Some(seat)) => Legal::Draw(seat),
            (Phase::Bet, Some(_)) => Legal::Bet(self.choices()),
            (Phase::Reveal, Some(seat)) => Legal::Reveal { seat, may_muck: self.may_muck() },
            _ => Legal::Nothing,
        }
    }

    /// What the player to act may bet; meaningful in [`Phase::Bet`] only.
    pub(crate) fn choices(&self) -> Choices {
        let seat = self.actor as usize;
        let due = self.betting.bring_in_due;
        Choices {
            seat,
            fold: !due,
            call: (!due).then(|| self.call_cost(seat)),
            raise: self.raise_bounds(seat),
            bring_in: due.then(|| self.setup.bring_in.min(self.stacks[seat])),
        }
    }

    const fn may_muck(&self) -> bool {
        !self.all_in
    }

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
