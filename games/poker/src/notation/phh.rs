//! PHH in TOML: `.phh` holds one hand, `.phhs` many under numbered tables.
//!
//! Players are written in the order of play, the button last; between two players the arrays of antes and blinds are
//! reversed.

use crate::money::Amount;
use crate::notation::builder::{Builder, kind};
use crate::notation::entry::{Entry, Step};
use crate::notation::record::{Problem, Record, RecordError};
use crate::notation::value::{Cursor, Table, Value};
use crate::notation::{ReadError, toml};

/// Reads a file: one hand, or many under their keys. A single hand has the key `""`.
///
/// # Errors
/// The place of what is no TOML, or the field of the first hand that is no hand.
pub fn read(text: &str) -> Result<Vec<(String, Record)>, ReadError> {
    let mut records = Vec::new();
    read_each(text, |key, record| {
        let record = record.map_err(|error| ReadError::Hand { hand: key.clone(), error })?;
        records.push((key, record));
        Ok(())
    })?;
    Ok(records)
}

/// Reads a file hand by hand, so that a long one is never in memory as a whole. `each` gets the key of a hand, and the
/// hand or what is wrong with it; where it fails, nothing more is read.
///
/// # Errors
/// The place of what is no TOML, or what `each` says.
pub fn read_each(
    text: &str,
    mut each: impl FnMut(String, Result<Record, RecordError>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    if toml::begins_with_table(text) {
        return toml::read_tables(text, &mut Hands { each, log: None });
    }
    let mut log = None;
    let table = toml::read_around(text, &mut |cursor, name| take_log(cursor, name, &mut log))?;
    let many = !table.is_empty() && table.iter().all(|(_, value)| matches!(value, Value::Table(_)));
    if many {
        return table.into_iter().try_for_each(|(key, value)| each(key, from_value(value, None)));
    }
    each(String::new(), from_fields_and_log(table, log))
}

/// The hands of a file, one by one.
struct Hands<F> {
    each: F,
    /// The log of the hand that is being read, if its lines could be read where they stand.
    log: Option<Vec<Entry>>,
}

impl<F> toml::TableReader<ReadError> for Hands<F>
where
    F: FnMut(String, Result<Record, RecordError>) -> Result<(), ReadError>,
{
    fn take(&mut self, cursor: &mut Cursor<'_>, name: &str) -> bool {
        take_log(cursor, name, &mut self.log)
    }

    fn table(&mut self, name: String, value: Value) -> Result<(), ReadError> {
        let log = self.log.take();
        (self.each)(name, from_value(value, log))
    }
}

/// Lines of a usual log, more or less.
const LINES_USUAL: usize = 32;

/// Reads a log line by line without copying its text. One with a line that is wrong or oddly written is left alone: then it is
/// read as any other array, and the fault is named with its place.
fn take_log(cursor: &mut Cursor<'_>, name: &str, log: &mut Option<Vec<Entry>>) -> bool {
    if name != "actions" || log.is_some() {
        return false;
    }
    let mut lines = Vec::with_capacity(LINES_USUAL);
    let read = toml::each_line(cursor, |line| Entry::parse(line).map(|entry| lines.push(entry)).is_ok());
    *log = read.map(|()| lines);
    log.is_some()
}

fn from_value(value: Value, log: Option<Vec<Entry>>) -> Result<Record, RecordError> {
    match value {
        Value::Table(fields) => from_fields_and_log(fields, log),
        other => Err(kind("a table", &other).at("")),
    }
}

/// Makes a record of the fields of one hand.
///
/// # Errors
/// The field that is not right.
pub fn from_fields(fields: Table) -> Result<Record, RecordError> {
    from_fields_and_log(fields, None)
}

fn from_fields_and_log(fields: Table, log: Option<Vec<Entry>>) -> Result<Record, RecordError> {
    let mut record = Builder { fields, log }.build()?;
    if record.players() == 2 {
        unreverse(&mut record);
    }
    settle_foreign_dead_blinds(&mut record)?;
    Ok(record)
}

/// Between two players arrays are written reversed; some files forget it, which shows in who acts first.
fn unreverse(record: &mut Record) {
    let first = record.actions.iter().find_map(|entry| match entry.step {
        Step::Fold(player) | Step::Call(player, _) | Step::Raise(player, _) => Some(player),
        _ => None,
    });
    let posted = |i: usize| {
        record.blinds.get(i).map_or(Amount::ZERO, |&b| if b.is_negative() { Amount::ZERO } else { b })
    };
    let scale = record.scale();
    let size = |i: usize| scale.chips(posted(i)).unwrap_or(0);
    // As written reversed, the second entry is posted by the first player, and the other one opens.
    let opener_reversed = usize::from(size(1) > size(0));
    let opener_as_written = usize::from(size(0) > size(1));
    let forgotten =
        first.is_some_and(|f| f != opener_reversed && f == opener_as_written) && size(0) != size(1);
    if forgotten {
        record.button = opener_as_written;
    } else {
        record.antes.reverse();
        record.blinds.reverse();
    }
}

/// In foreign files dead blinds of a player who plays were paid in this hand (ruling 004/R2): they are in the pot and
/// no longer in his stack.
pub(crate) fn settle_foreign_dead_blinds(record: &mut Record) -> Result<(), RecordError> {
    let Some(dead) = record.amounts("_deadBlinds") else { return Ok(()) };
    let paying: Vec<usize> =
        (0..record.players()).filter(|&p| !record.is_inactive(p) && !dead[p].is_zero()).collect();
    if paying.is_empty() {
        return Ok(());
    }
    let scale = record.scale();
    let mut paid = record.amounts("_paidDead").unwrap_or_else(|| vec![Amount::ZERO; record.players()]);
    let mut debt = dead.clone();
    for player in paying {
        let name = || format!("_deadBlinds[{player}]");
        let refuse = || Problem::Kind { expected: "dead blinds below the stack", got: "more" }.at(name());
        let stack = record.starting_stacks[player];
        let (chips, owed) = scale.chips(stack).zip(scale.chips(dead[player])).ok_or_else(refuse)?;
        if stack != Amount::Unknown {
            if owed < 0 || owed >= chips {
                return Err(refuse());
            }
            record.starting_stacks[player] = trimmed(scale.amount(chips - owed), stack);
        }
        paid[player] = dead[player];
        debt[player] = Amount::ZERO;
    }
    let array = |amounts: Vec<Amount>| Value::Array(amounts.into_iter().map(Value::Number).collect());
    record.set("_paidDead", array(paid));
    if debt.iter().all(|amount| amount.is_zero()) {
        record.take("_deadBlinds");
    } else {
        record.set("_deadBlinds", array(debt));
    }
    Ok(())
}

/// Writes an amount with no more decimals than it needs or `like` has.
pub(crate) fn trimmed(amount: Amount, like: Amount) -> Amount {
    let (Amount::Number { mut units, mut decimals }, Amount::Number { decimals: wanted, .. }) =
        (amount, like)
    else {
        return amount;
    };
    while decimals > wanted && units % 10 == 0 {
        units /= 10;
        decimals -= 1;
    }
    Amount::Number { units, decimals }
}

/// The fields of a hand in PHH's order: players in the order of play, arrays reversed between two.
#[must_use]
pub fn to_fields(record: &Record) -> Table {
    let order = record.order_of_play();
    let last = record.players().saturating_sub(1);
    let turned;
    let record = if record.button == last {
        record
    } else {
        turned = record.reordered(&order);
        &turned
    };
    let numbers = |amounts: &[Amount]| {
        let mut values: Vec<Value> = amounts.iter().map(|&amount| Value::Number(amount)).collect();
        if values.len() == 2 {
            values.reverse();
        }
        Value::Array(values)
    };
    let mut fields = Table::new();
    let mut put =
        |name: &str, value: Option<Value>| fields.extend(value.map(|value| (name.to_owned(), value)));
    put("variant", Some(Value::Text(record.variant.code().into())));
    put("ante_trimming_status", record.ante_trimming.map(Value::Bool));
    put("antes", Some(numbers(&record.antes)));
    put("blinds_or_straddles", (!record.blinds.is_empty()).then(|| numbers(&record.blinds)));
    put("bring_in", record.bring_in.map(Value::Number));
    put("small_bet", record.small_bet.map(Value::Number));
    put("big_bet", record.big_bet.map(Value::Number));
    put("min_bet", record.min_bet.map(Value::Number));
    let stacks = record.starting_stacks.iter().map(|&stack| Value::Number(stack)).collect();
    put("starting_stacks", Some(Value::Array(stacks)));
    let actions = record.actions.iter().map(|entry| Value::Text(entry.to_phh())).collect();
    put("actions", Some(Value::Array(actions)));
    fields.extend(record.rest.iter().cloned());
    fields
}

/// Writes one hand as a `.phh` file.
#[must_use]
pub fn write(record: &Record) -> String {
    let mut out = String::new();
    toml::write(&to_fields(record), &mut out);
    out
}

/// Writes many hands as a `.phhs` file.
#[must_use]
pub fn write_all<'a>(records: impl IntoIterator<Item = (&'a str, &'a Record)>) -> String {
    let mut out = String::new();
    for (i, (key, record)) in records.into_iter().enumerate() {
        out.push_str(if i > 0 { "\n[" } else { "[" });
        toml::write_key(key, &mut out);
        out.push_str("]\n");
        toml::write(&to_fields(record), &mut out);
    }
    out
}
