//! Playing a record: the notation's players and amounts turned into places and chips, each line checked and applied.

use crate::card::CardError;
use crate::hand::{Hand, Phase};
use crate::legal::{Action, Refusal};
use crate::money::{Amount, Chips, Scale};
use crate::notation::entry::Step;
use crate::notation::record::{Record, amount_of};
use crate::notation::value::Value;
use crate::rake::Rake;
use crate::row::Row;
use crate::seat::{SEATS_MAX, Seat};
use crate::setup::{Fault, Interpretation, Setup, SetupError};

/// Why a record could not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The hand cannot be dealt.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An amount that is too large or finer than the hand's smallest unit.
    #[error("{path}: {amount} is too large or too fine")]
    Amount {
        /// Which field.
        path: String,
        amount: Amount,
    },
    /// A line of the log that the rules do not allow.
    #[error("actions[{index}] ({line}): {refusal}")]
    Refused {
        /// Which line, counted from 0.
        index: usize,
        line: String,
        refusal: Refusal,
    },
    /// A call written with an amount that it does not cost.
    #[error("actions[{index}]: expected a call of {cost}, got {written}")]
    CallAmount {
        /// Which line, counted from 0.
        index: usize,
        written: Amount,
        /// What it costs.
        cost: Amount,
    },
    /// A field of ours that does not hold what it should.
    #[error("{path}: {error}")]
    Cards {
        /// Which field.
        path: String,
        error: CardError,
    },
}

/// The rules a log follows: the house's, unless only PokerKit's let it be played to its end. Notations are turned into
/// each other by these, so that a hand played elsewhere is kept as it was.
#[must_use]
pub fn book_of(record: &Record) -> Interpretation {
    let plays = |interpretation: Interpretation| {
        Replay::start(record, interpretation).and_then(Replay::finish).is_ok()
    };
    if !plays(Interpretation::House) && plays(Interpretation::PokerKit) {
        Interpretation::PokerKit
    } else {
        Interpretation::House
    }
}

/// A record being played.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    record: &'a Record,
    scale: Scale,
    hand: Hand,
    /// Lines played so far.
    played: usize,
    second_board: Row,
}

impl<'a> Replay<'a> {
    /// Posts antes and blinds.
    ///
    /// # Errors
    /// When the fields of the record do not make a hand.
    pub fn start(record: &'a Record, interpretation: Interpretation) -> Result<Self, ReplayError> {
        let scale = record.scale();
        let (setup, second_board) = setup_of(record, scale, interpretation)?;
        let hand = Hand::start(&setup)?;
        Ok(Self { record, scale, hand, played: 0, second_board })
    }

    /// The hand as it stands.
    #[must_use]
    pub const fn hand(&self) -> &Hand {
        &self.hand
    }

    /// The unit amounts are counted in.
    #[must_use]
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// Lines played so far.
    #[must_use]
    pub const fn played(&self) -> usize {
        self.played
    }

    /// The place of a player of the record.
    #[must_use]
    pub fn seat(&self, player: usize) -> Seat {
        let first = self.record.button + 1;
        if player >= first { player - first } else { player + self.record.players() - first }
    }

    /// The player of the record at a place.
    #[must_use]
    pub fn player(&self, seat: Seat) -> usize {
        let (player, players) = (self.record.button + 1 + seat, self.record.players());
        if player < players { player } else { player - players }
    }

    /// What the next line asks for; `None` at the end and for lines that ask for nothing.
    ///
    /// # Errors
    /// When its amount does not fit the hand.
    pub fn next_action(&self) -> Result<Option<Action>, ReplayError> {
        match self.record.actions.get(self.played) {
            Some(entry) => self.action(&entry.step, self.played),
            None => Ok(None),
        }
    }

    /// Plays the next line; `false` when there is none.
    ///
    /// # Errors
    /// When the rules do not allow it; the hand is left as it was.
    pub fn step(&mut self) -> Result<bool, ReplayError> {
        let action = self.next_action()?;
        self.step_as(action)
    }

    /// The same for somebody who has just asked for [`Replay::next_action`].
    pub(crate) fn step_as(&mut self, action: Option<Action>) -> Result<bool, ReplayError> {
        let index = self.played;
        let Some(entry) = self.record.actions.get(index) else { return Ok(false) };
        if let Some(action) = action {
            let refused = |refusal| ReplayError::Refused { index, line: entry.to_string(), refusal };
            let mv = self.hand.check_recorded(action).map_err(refused)?;
            self.hand.apply(mv);
            self.deal_second_board().map_err(refused)?;
        }
        self.played += 1;
        Ok(true)
    }

    /// Plays all lines.
    ///
    /// # Errors
    /// At the first line the rules do not allow.
    pub fn finish(mut self) -> Result<Hand, ReplayError> {
        while self.step()? {}
        Ok(self.hand)
    }

    /// What a line asks for in a hand that goes on from this record.
    #[cfg(feature = "table")]
    pub(crate) fn action_in(
        mut self,
        hand: &Hand,
        step: &Step,
        index: usize,
    ) -> Result<Option<Action>, ReplayError> {
        self.hand = hand.clone();
        self.action(step, index)
    }

    fn action(&self, step: &Step, index: usize) -> Result<Option<Action>, ReplayError> {
        let seat = |player: usize| self.seat(player);
        Ok(Some(match *step {
            Step::DealHole(player, row) => Action::DealHole(seat(player), row),
            Step::DealBoard(row) => Action::DealBoard(row),
            Step::Fold(player) => Action::Fold(seat(player)),
            Step::Call(player, written) => {
                self.check_call(seat(player), written, index)?;
                Action::Call(seat(player))
            }
            Step::Raise(player, to) => {
                let path = || format!("actions[{index}]");
                Action::Raise(seat(player), chips(self.scale, to, path)?)
            }
            Step::BringIn(player) => Action::BringIn(seat(player)),
            Step::Draw(player, row) => Action::Draw(seat(player), row),
            Step::Show(player, row) => Action::Show(seat(player), row),
            Step::ShowAll(player) => Action::ShowAll(seat(player)),
            Step::Muck(player) => Action::Muck(seat(player)),
            Step::Chat(..) | Step::Remark => return Ok(None),
        }))
    }

    /// An amount written with a call must be its cost, or the total called to.
    fn check_call(&self, seat: Seat, written: Option<Amount>, index: usize) -> Result<(), ReplayError> {
        let Some(written) =
            written.filter(|_| self.hand.turn() == Some(seat) && self.hand.phase() == Phase::Bet)
        else {
            return Ok(());
        };
        let cost = self.hand.choices().call.unwrap_or(0);
        let said = self.scale.chips(written);
        if said == Some(cost) || said == Some(cost + self.hand.bets()[seat]) {
            return Ok(());
        }
        Err(ReplayError::CallAmount { index, written, cost: self.scale.amount(cost) })
    }

    /// PHH has no place for a second board: it is dealt from `_boards` once the first is complete.
    fn deal_second_board(&mut self) -> Result<(), Refusal> {
        while self.hand.boards() == 2 && self.hand.phase() == Phase::Deal {
            let dealt = self.hand.board(1).len();
            let owed = self.hand.board_owed as usize;
            let next: Row = self.second_board.as_slice().iter().skip(dealt).take(owed).copied().collect();
            let mv = self.hand.check_recorded(Action::DealBoard(next))?;
            self.hand.apply(mv);
        }
        Ok(())
    }
}

fn chips(scale: Scale, amount: Amount, path: impl Fn() -> String) -> Result<Chips, ReplayError> {
    scale.chips(amount).ok_or_else(|| ReplayError::Amount { path: path(), amount })
}

/// The setup of a record, in the order of play, and its second board.
fn setup_of(
    record: &Record,
    scale: Scale,
    interpretation: Interpretation,
) -> Result<(Setup, Row), ReplayError> {
    let players = record.players();
    if !(2..=SEATS_MAX).contains(&players) {
        return Err(SetupError(vec![Fault::Players { players }]).into());
    }
    let mut setup = Setup::empty(record.variant, players);
    let one =
        |amount: Option<Amount>, name: &str| chips(scale, amount.unwrap_or(Amount::ZERO), || name.into());
    setup.interpretation = interpretation;
    setup.ante_trimming = record.ante_trimming.unwrap_or(false);
    setup.bring_in = one(record.bring_in, "bring_in")?;
    setup.small_bet = one(record.small_bet.or(record.min_bet), "small_bet")?;
    setup.big_bet = one(record.big_bet, "big_bet")?;
    let paid_dead = record.amounts("_paidDead");
    let has_inactive = record.field("_inactive").is_some();
    for seat in 0..players {
        let player = (record.button + 1 + seat) % players;
        let at = |amounts: &[Amount], name: &str| match amounts.get(player) {
            Some(&amount) => chips(scale, amount, || format!("{name}[{player}]")),
            None => Ok(0),
        };
        setup.stacks[seat] = at(&record.starting_stacks, "starting_stacks")?;
        setup.antes[seat] = at(&record.antes, "antes")?;
        setup.blinds[seat] = at(&record.blinds, "blinds_or_straddles")?;
        if let Some(dead) = &paid_dead {
            setup.paid_dead[seat] = at(dead, "_paidDead")?;
        }
        if has_inactive && record.sits_out(player) {
            setup.sitting_out.insert(seat);
        }
    }
    setup.rake = rake_of(record, scale)?;
    setup.bomb_pot = matches!(record.field("_bombPot"), Some(Value::Bool(true)));
    let mut second_board = Row::EMPTY;
    if let Some(Value::Array(boards)) = record.field("_boards") {
        setup.runs = boards.len().clamp(1, u8::MAX as usize) as u8;
        if let Some(Value::Text(text)) = boards.get(1) {
            second_board =
                Row::parse(text).map_err(|error| ReplayError::Cards { path: "_boards[1]".into(), error })?;
        }
    }
    Ok((setup, second_board))
}

/// `_rake` is the amount; else `_rakePercentage` (a share such as 0.05) and `_rakeCap`.
fn rake_of(record: &Record, scale: Scale) -> Result<Rake, ReplayError> {
    let amount = |name: &str| record.field(name).and_then(amount_of);
    let counted = |name: &str| amount(name).map(|a| chips(scale, a, || name.into())).transpose();
    let share = amount("_rakePercentage").and_then(|share| Scale::new(4).chips(share)).unwrap_or(0);
    Ok(Rake {
        fixed: counted("_rake")?,
        basis_points: share.clamp(0, 10_000) as u32,
        cap: counted("_rakeCap")?,
        no_flop_no_drop: true,
    })
}
