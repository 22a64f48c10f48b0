//! Writing a hand down while it is played.

use crate::hand::Hand;
use crate::legal::{Action, Move};
use crate::money::{Amount, Chips, Scale};
use crate::notation::entry::{Entry, Step};
use crate::notation::record::Record;
use crate::notation::value::Value;
use crate::row::Row;
use crate::setup::Setup;
use crate::variant::Limit;

/// A record that grows with each move.
#[derive(Clone, Debug)]
pub struct Log {
    record: Record,
    scale: Scale,
    boards: [Row; 2],
}

impl Log {
    /// The record of a hand that begins; players are in the order of play.
    #[must_use]
    pub fn new(setup: &Setup, scale: Scale) -> Self {
        let players = setup.players;
        let amount = |chips: Chips| scale.amount(chips);
        let all = |chips: &[Chips]| chips[..players].iter().map(|&c| amount(c)).collect::<Vec<Amount>>();
        let fixed = setup.variant.limit() == Limit::Fixed;
        let stud = setup.variant.is_stud();
        let mut record = Record {
            variant: setup.variant,
            button: players.saturating_sub(1),
            ante_trimming: Some(setup.ante_trimming),
            antes: all(&setup.antes),
            blinds: if stud { Vec::new() } else { all(&setup.blinds) },
            bring_in: stud.then(|| amount(setup.bring_in)),
            small_bet: fixed.then(|| amount(setup.small_bet)),
            big_bet: fixed.then(|| amount(setup.big_bet)),
            min_bet: (!fixed).then(|| amount(setup.small_bet)),
            starting_stacks: all(&setup.stacks),
            actions: Vec::new(),
            rest: Vec::new(),
        };
        let numbers = |amounts: Vec<Amount>| Value::Array(amounts.into_iter().map(Value::Number).collect());
        if !setup.sitting_out.is_empty() {
            let flags = (0..players).map(|seat| Amount::whole(i64::from(setup.sitting_out.contains(seat))));
            record.set("_inactive", numbers(flags.collect()));
        }
        if setup.paid_dead[..players].iter().any(|&dead| dead > 0) {
            record.set("_paidDead", numbers(all(&setup.paid_dead)));
        }
        if setup.bomb_pot {
            record.set("_bombPot", Value::Bool(true));
        }
        if let Some(rake) = setup.rake.fixed {
            record.set("_rake", Value::Number(amount(rake)));
        }
        if setup.rake.basis_points > 0 {
            let share = Amount::Number { units: Chips::from(setup.rake.basis_points), decimals: 4 };
            record.set("_rakePercentage", Value::Number(share));
        }
        if let Some(cap) = setup.rake.cap {
            record.set("_rakeCap", Value::Number(amount(cap)));
        }
        if setup.runs > 1 {
            record.set("_boards", Value::Array(vec![Value::Text(String::new()); setup.runs as usize]));
        }
        Self { record, scale, boards: [Row::EMPTY; 2] }
    }

    /// Writes down a move that is about to be made in `hand`.
    pub fn push(&mut self, hand: &Hand, mv: Move) {
        let step = match mv.action() {
            Action::DealHole(seat, row) => Step::DealHole(seat, row),
            Action::DealBoard(row) => {
                let run = hand.boards() - 1;
                if run > 0 && self.boards[run].is_empty() {
                    self.boards[run] = *hand.board(run);
                }
                row.as_slice().iter().for_each(|&card| self.boards[run].push(card));
                self.note_boards();
                // PHH has room for one board; the second stands in a field of its own.
                if run > 0 {
                    return;
                }
                Step::DealBoard(row)
            }
            Action::Fold(seat) => Step::Fold(seat),
            Action::Call(seat) => Step::Call(seat, None),
            Action::Raise(seat, to) => Step::Raise(seat, self.scale.amount(to)),
            Action::BringIn(seat) => Step::BringIn(seat),
            Action::Draw(seat, row) => Step::Draw(seat, row),
            Action::Show(seat, row) => Step::Show(seat, row),
            Action::ShowAll(seat) => Step::Show(seat, *hand.hole(seat)),
            Action::Muck(seat) => Step::Muck(seat),
        };
        self.record.actions.push(step.into());
    }

    fn note_boards(&mut self) {
        if self.record.field("_boards").is_some() {
            let texts = self.boards.iter().map(|row| Value::Text(row.to_string()));
            self.record.set("_boards", Value::Array(texts.collect()));
        }
    }

    /// Writes down a message.
    pub fn say(&mut self, seat: usize, text: &str) {
        self.record.actions.push(Entry::from(Step::Chat(seat, text.to_owned())));
    }

    /// The hand as far as it was written down.
    #[must_use]
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// The hand, taken out.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.record
    }
}
