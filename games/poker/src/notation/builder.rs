//! Making a record of the fields of a document, whatever its syntax.

use crate::money::Amount;
use crate::notation::entry::Entry;
use crate::notation::record::{Problem, Record, RecordError, amount_of, is_per_player};
use crate::notation::value::{Table, Value};
use crate::variant::Variant;

/// Builds a record from the fields of a document, under PHH's names and with blinds as each player posts them.
pub(crate) struct Builder {
    pub(crate) fields: Table,
    /// The log, if it has been read already; its field is then null.
    pub(crate) log: Option<Vec<Entry>>,
}

impl Builder {
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        let index = self.fields.iter().position(|(key, _)| key == name)?;
        // An empty place keeps the order of the others without moving them.
        self.fields[index].0.clear();
        Some(std::mem::replace(&mut self.fields[index].1, Value::Null))
    }

    fn amount(&mut self, name: &str) -> Result<Option<Amount>, RecordError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        amount_of(&value).map(Some).ok_or_else(|| kind("a number", &value).at(name))
    }

    pub(crate) fn amounts(&mut self, name: &str) -> Result<Option<Vec<Amount>>, RecordError> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let Value::Array(values) = value else { return Err(kind("an array", &value).at(name)) };
        let one = |(i, value): (usize, &Value)| {
            amount_of(value).ok_or_else(|| kind("a number", value).at(format!("{name}[{i}]")))
        };
        values.iter().enumerate().map(one).collect::<Result<_, _>>().map(Some)
    }

    fn actions(&mut self) -> Result<Vec<Entry>, RecordError> {
        let value = self.take("actions").ok_or_else(|| Problem::Missing.at("actions"))?;
        if let Some(log) = self.log.take() {
            return Ok(log);
        }
        let Value::Array(values) = value else { return Err(kind("an array", &value).at("actions")) };
        let one = |(i, value): (usize, &Value)| match value {
            Value::Text(line) => Entry::parse(line).map_err(|e| Problem::from(e).at(format!("actions[{i}]"))),
            other => Err(kind("text", other).at(format!("actions[{i}]"))),
        };
        values.iter().enumerate().map(one).collect()
    }

    /// Reads all fields; the button is last until the notation says otherwise.
    pub(crate) fn build(mut self) -> Result<Record, RecordError> {
        let missing = |name: &str| Problem::Missing.at(name);
        let variant = match self.take("variant").ok_or_else(|| missing("variant"))? {
            Value::Text(code) => code.parse::<Variant>().map_err(|e| Problem::from(e).at("variant"))?,
            other => return Err(kind("text", &other).at("variant")),
        };
        let ante_trimming = match self.take("ante_trimming_status") {
            None => None,
            Some(Value::Bool(yes)) => Some(yes),
            Some(other) => return Err(kind("true or false", &other).at("ante_trimming_status")),
        };
        let starting_stacks = self.amounts("starting_stacks")?.ok_or_else(|| missing("starting_stacks"))?;
        let antes = self.amounts("antes")?.ok_or_else(|| missing("antes"))?;
        let blinds = self.amounts("blinds_or_straddles")?;
        let blinds = match blinds {
            None if !variant.is_stud() => return Err(missing("blinds_or_straddles")),
            blinds => blinds.unwrap_or_default(),
        };
        let (bring_in, min_bet) = (self.amount("bring_in")?, self.amount("min_bet")?);
        let (small_bet, big_bet) = (self.amount("small_bet")?, self.amount("big_bet")?);
        let actions = self.actions()?;
        let players = starting_stacks.len();
        let record = Record {
            variant,
            button: players.saturating_sub(1),
            ante_trimming,
            antes,
            blinds,
            bring_in,
            small_bet,
            big_bet,
            min_bet,
            starting_stacks,
            actions,
            rest: self.fields.into_iter().filter(|(name, _)| !name.is_empty()).collect(),
        };
        record.check_shape()?;
        Ok(record)
    }
}

impl Record {
    /// What every notation must hold: fields of the variant, one entry per player, players that exist.
    pub(crate) fn check_shape(&self) -> Result<(), RecordError> {
        let need = |there: bool, name: &str| if there { Ok(()) } else { Err(Problem::Missing.at(name)) };
        if self.variant.limit() == crate::variant::Limit::Fixed {
            need(self.small_bet.is_some(), "small_bet")?;
            need(self.big_bet.is_some(), "big_bet")?;
        } else {
            need(self.min_bet.is_some(), "min_bet")?;
        }
        need(!self.variant.is_stud() || self.bring_in.is_some(), "bring_in")?;
        let players = self.players();
        let length = |got: usize, name: &str| {
            if got == players { Ok(()) } else { Err(Problem::Length { expected: players, got }.at(name)) }
        };
        length(self.antes.len(), "antes")?;
        if !self.blinds.is_empty() || !self.variant.is_stud() {
            length(self.blinds.len(), "blinds_or_straddles")?;
        }
        for (name, value) in &self.rest {
            if let (true, Value::Array(values)) = (is_per_player(name), value) {
                length(values.len(), name)?;
            }
        }
        for (i, entry) in self.actions.iter().enumerate() {
            if let Some(player) = entry.player().filter(|&player| player >= players) {
                return Err(Problem::Player { player, players }.at(format!("actions[{i}]")));
            }
        }
        Ok(())
    }
}

pub(crate) fn kind(expected: &'static str, got: &Value) -> Problem {
    Problem::Kind { expected, got: got.kind() }
}
