//! A hand as it was written down, in any notation: fields and log, in the order of players it was written in.
//!
//! Blinds and antes are kept as each player posts them (PHH writes them reversed between two players), and the button is
//! an index, so that seat-ordered files and position-ordered ones are the same to the rest of the crate.

use std::borrow::Cow;

use crate::money::{Amount, Chips, Scale};
use crate::notation::entry::{Entry, EntryError, Step};
use crate::notation::value::{Table, Value};
use crate::variant::{Variant, VariantError};

/// A hand as it was written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub variant: Variant,
    /// Which player has the button, or sat before it last when its seat is empty; counted from 0.
    pub button: usize,
    /// Whether antes that nobody matches are returned, if it was said.
    pub ante_trimming: Option<bool>,
    /// Antes by player.
    pub antes: Vec<Amount>,
    /// Blinds, straddles and (below nothing) posts by player; empty in stud.
    pub blinds: Vec<Amount>,
    pub bring_in: Option<Amount>,
    pub small_bet: Option<Amount>,
    pub big_bet: Option<Amount>,
    pub min_bet: Option<Amount>,
    /// Stacks before anything is posted, dead blinds already paid.
    pub starting_stacks: Vec<Amount>,
    pub actions: Vec<Entry>,
    /// All other fields under their PHH names, in the order written; names of our own begin with `_`.
    pub rest: Table,
}

/// A field of a hand that is not right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct RecordError {
    /// Which field, such as `actions[3]`.
    pub path: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A field that the variant needs is not there.
    #[error("is missing")]
    Missing,
    /// Another kind of value was expected.
    #[error("expected {expected}, got {got}")]
    Kind { expected: &'static str, got: &'static str },
    /// An array does not have one entry per player.
    #[error("expected {expected} entries, one per player, got {got}")]
    Length {
        /// Players of the hand.
        expected: usize,
        /// Entries found.
        got: usize,
    },
    /// A line of the log that says nothing known.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// A player the hand does not have.
    #[error("expected a player up to p{players}, got p{}", player + 1)]
    Player {
        /// Which, counted from 0.
        player: usize,
        /// How many there are.
        players: usize,
    },
    /// An unknown game.
    #[error(transparent)]
    Variant(#[from] VariantError),
}

impl Problem {
    pub(crate) fn at(self, path: impl Into<String>) -> RecordError {
        RecordError { path: path.into(), problem: self }
    }
}

impl Record {
    /// How many players, those sitting out included.
    #[must_use]
    pub fn players(&self) -> usize {
        self.starting_stacks.len()
    }

    /// A field that has no place of its own.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.rest.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// A field as text; numbers are given as written.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        match self.field(name)? {
            Value::Text(text) | Value::Time(text) | Value::OtherNumber(text) => Some(text.clone()),
            Value::Number(amount) => Some(amount.to_string()),
            _ => None,
        }
    }

    /// A field as a whole number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<Chips> {
        match self.field(name)? {
            Value::Number(amount) => Scale::new(0).chips(*amount),
            _ => None,
        }
    }

    /// A field with one amount per player; `None` when it is missing or of another shape.
    #[must_use]
    pub fn amounts(&self, name: &str) -> Option<Vec<Amount>> {
        match self.field(name)? {
            Value::Array(values) if values.len() == self.players() => values.iter().map(amount_of).collect(),
            _ => None,
        }
    }

    /// Puts a field in place of one of the same name, or at the end.
    pub fn set(&mut self, name: &str, value: Value) {
        match self.rest.iter_mut().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.rest.push((name.into(), value)),
        }
    }

    /// Takes a field out.
    pub fn take(&mut self, name: &str) -> Option<Value> {
        let index = self.rest.iter().position(|(key, _)| key == name)?;
        Some(self.rest.remove(index).1)
    }

    /// A player's name, `p1` when there is none.
    #[must_use]
    pub fn name(&self, player: usize) -> String {
        self.name_or_number(player).into_owned()
    }

    /// A player's name, `p1` when there is none; not copied.
    pub(crate) fn name_or_number(&self, player: usize) -> Cow<'_, str> {
        let names = match self.field("players") {
            Some(Value::Array(names)) => names.as_slice(),
            _ => &[],
        };
        match names.get(player) {
            Some(Value::Text(name)) => Cow::Borrowed(name),
            _ => Cow::Owned(format!("p{}", player + 1)),
        }
    }

    /// Whether a player sits out.
    #[must_use]
    pub fn is_inactive(&self, player: usize) -> bool {
        match self.field("_inactive") {
            Some(Value::Array(flags)) => flags.get(player).is_some_and(|flag| match flag {
                Value::Number(amount) => !amount.is_zero(),
                Value::Bool(yes) => *yes,
                _ => false,
            }),
            _ => false,
        }
    }

    /// Whether a player takes no part in the hand. One who has cards paused in the middle of it (ruling 004/R4), and owes
    /// nothing for it.
    #[must_use]
    pub fn sits_out(&self, player: usize) -> bool {
        if !self.is_inactive(player) {
            return false;
        }
        let dealt = |entry: &Entry| matches!(entry.step, Step::DealHole(to, _) if to == player);
        let owes = self.amounts("_deadBlinds").is_some_and(|debts| !debts[player].is_zero());
        owes || !self.actions.iter().any(dealt)
    }

    /// Blinds as posted, zeros where the game has none.
    #[must_use]
    pub fn blinds_or_zeros(&self) -> Vec<Amount> {
        if self.blinds.is_empty() { vec![Amount::ZERO; self.players()] } else { self.blinds.clone() }
    }

    /// The smallest unit of the hand: whole chips, or at least cents when there is a currency sign or any fraction.
    #[must_use]
    pub fn scale(&self) -> Scale {
        let mut most = 0;
        let mut see = |amount: Amount| most = most.max(amount.decimals_needed());
        [self.bring_in, self.small_bet, self.big_bet, self.min_bet].into_iter().flatten().for_each(&mut see);
        [&self.antes, &self.blinds, &self.starting_stacks].into_iter().flatten().for_each(|&a| see(a));
        for entry in &self.actions {
            if let Step::Raise(_, to) = entry.step {
                see(to);
            }
        }
        let mut signed = false;
        for (name, value) in &self.rest {
            match (name.as_str(), value) {
                ("finishing_stacks" | "winnings" | "_paidDead" | "_deadBlinds", Value::Array(values)) => {
                    values.iter().filter_map(amount_of).for_each(&mut see);
                }
                ("_rake" | "_rakeCap" | "_totalPot", Value::Number(amount)) => see(*amount),
                ("currency_symbol", Value::Text(sign)) => signed = !sign.is_empty(),
                _ => {}
            }
        }
        Scale::new(if most > 0 || signed { most.max(2) } else { 0 })
    }

    /// The same hand with its players in another order: place k is held by the old player `order(k)`.
    #[must_use]
    pub fn reordered(&self, order: &[usize]) -> Self {
        let place = |player: usize| order.iter().position(|&p| p == player).unwrap_or(player);
        let pick = |amounts: &Vec<Amount>| {
            if amounts.len() == order.len() {
                order.iter().map(|&p| amounts[p]).collect()
            } else {
                amounts.clone()
            }
        };
        let mut new = self.clone();
        new.button = place(self.button);
        new.antes = pick(&self.antes);
        new.blinds = pick(&self.blinds);
        new.starting_stacks = pick(&self.starting_stacks);
        new.actions = self.actions.iter().map(|entry| entry.renumbered(place)).collect();
        for (name, value) in &mut new.rest {
            if let (true, Value::Array(values)) = (is_per_player(name), value)
                && values.len() == order.len()
            {
                *values = order.iter().map(|&p| values[p].clone()).collect();
            }
        }
        new
    }

    /// The same hand as foreign programs write it: dead blinds paid in this hand stand in `_deadBlinds` and are still in
    /// the stack (ruling 004/R2).
    #[must_use]
    pub fn with_foreign_dead_blinds(&self) -> Self {
        let mut new = self.clone();
        let Some(paid) = self.amounts("_paidDead") else { return new };
        let scale = self.scale();
        let mut dead = self.amounts("_deadBlinds").unwrap_or_else(|| vec![Amount::ZERO; self.players()]);
        for (player, &paid) in paid.iter().enumerate().filter(|(_, paid)| !paid.is_zero()) {
            let stack = new.starting_stacks[player];
            if let (Amount::Number { .. }, Some((stack, chips))) =
                (stack, scale.chips(stack).zip(scale.chips(paid)))
            {
                new.starting_stacks[player] = scale.amount(stack + chips);
            }
            dead[player] = paid;
        }
        new.take("_paidDead");
        new.set("_deadBlinds", Value::Array(dead.into_iter().map(Value::Number).collect()));
        new
    }

    /// The order of play: first the player left of the button, last the button.
    #[must_use]
    pub fn order_of_play(&self) -> Vec<usize> {
        let players = self.players();
        (1..=players).map(|k| (self.button + k) % players.max(1)).collect()
    }
}

/// Fields with one entry per player.
pub(crate) fn is_per_player(name: &str) -> bool {
    matches!(
        name,
        "seats"
            | "players"
            | "finishing_stacks"
            | "winnings"
            | "time_banks"
            | "_inactive"
            | "_deadBlinds"
            | "_paidDead"
            | "_intents"
            | "_newcomers"
            | "_venueIds"
            | "_heroIds"
    )
}

/// A number, or the text `inf` as JSON has it.
pub(crate) fn amount_of(value: &Value) -> Option<Amount> {
    match value {
        Value::Number(amount) => Some(*amount),
        Value::Text(text) if text == "inf" => Some(Amount::Unknown),
        _ => None,
    }
}
