//! What may be done now. An [`Action`] is what somebody asks for; only [`Hand::check`] makes a [`Move`] of it, so that
//! [`Hand::apply`] cannot fail.

use crate::card::Card;
use crate::hand::{Hand, Phase};
use crate::money::Chips;
use crate::row::Row;
use crate::seat::{SEATS_MAX, Seat};

/// Something asked for by a player or the dealer; not yet known to be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
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
    NoHand { seat: Seat },
    /// The bring-in must be posted or completed first.
    #[error("expected the bring-in or a completion")]
    BringInDue,
    /// There is no bring-in to post.
    #[error("no bring-in is due")]
    NoBringIn,
    /// He may only call or fold.
    #[error("raising is closed to p{}", seat + 1)]
    RaiseClosed { seat: Seat },
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
    NotHeld { seat: Seat, card: Option<Card> },
    /// Not every card is shown.
    #[error("expected all of p{}'s cards", seat + 1)]
    NotAllShown { seat: Seat },
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

    /// Folding, where it is allowed; meaningful in [`Phase::Bet`] only.
    #[cfg(feature = "game")]
    pub(crate) fn to_fold(&self) -> Option<Move> {
        (!self.betting.bring_in_due).then_some(Move(Action::Fold(self.actor as usize)))
    }

    /// Raising to what is chosen between the bounds, where it is allowed; meaningful in [`Phase::Bet`] only.
    #[cfg(feature = "game")]
    pub(crate) fn to_raise(&self, to: impl FnOnce(Chips, Chips) -> Chips) -> Option<Move> {
        let seat = self.actor as usize;
        let (least, most) = self.raise_bounds(seat)?;
        Some(Move(Action::Raise(seat, to(least, most).clamp(least, most))))
    }

    /// Checking, calling or posting the bring-in; meaningful in [`Phase::Bet`] only.
    #[cfg(feature = "game")]
    pub(crate) fn to_pay(&self) -> Move {
        let seat = self.actor as usize;
        Move(if self.betting.bring_in_due { Action::BringIn(seat) } else { Action::Call(seat) })
    }

    pub(crate) const fn may_muck(&self) -> bool {
        !self.all_in
    }
}
