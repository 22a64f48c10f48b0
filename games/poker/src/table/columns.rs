//! The players of a record: one column each over all player arrays, read into seats and written back.
//!
//! `_inactive`, `_intents`, `_deadBlinds`, `_newcomers` and `_blindSeats` exist in the notation only; here they become
//! [`SeatState`]s and [`Positions`].

use crate::hand::Hand;
use crate::money::{Amount, Chips, Scale};
use crate::notation::record::{Record, is_per_player};
use crate::notation::value::Value;
use crate::replay::{Replay, ReplayError};
use crate::seat::SEATS_MAX;
use crate::setup::Interpretation;
use crate::table::positions::Positions;
use crate::table::seat_state::{Flags, Impossible, Intent, SeatState};
use crate::table::settings::{Newcomers, Settings};
use crate::table::view::trim;

/// A column's numbers as they are written.
pub(crate) fn flags(record: &Record, column: usize) -> Flags {
    let number = |name: &str| match record.field(name) {
        Some(Value::Array(values)) => match values.get(column) {
            Some(Value::Number(amount)) => *amount,
            _ => Amount::ZERO,
        },
        _ => Amount::ZERO,
    };
    let intent = Scale::new(0).chips(number("_intents")).and_then(Intent::from_number);
    Flags {
        inactive: record.is_inactive(column),
        intent: intent.unwrap_or(Intent::Play),
        debt: record.scale().chips(number("_deadBlinds")).unwrap_or(0),
    }
}

/// What a column is.
pub(crate) fn state(record: &Record, column: usize) -> Result<SeatState, Impossible> {
    let newcomer = match record.field("_newcomers") {
        Some(Value::Array(values)) => {
            matches!(values.get(column), Some(Value::Number(amount)) if !amount.is_zero())
        }
        _ => false,
    };
    SeatState::from_flags(flags(record, column), newcomer)
}

/// Writes what a column is.
pub(crate) fn set_state(record: &mut Record, column: usize, state: SeatState) {
    let Some(flags) = state.flags() else { return };
    let scale = record.scale();
    put(record, "_inactive", column, Amount::whole(Chips::from(u8::from(flags.inactive))));
    put(record, "_intents", column, Amount::whole(Chips::from(flags.intent.number())));
    if flags.debt > 0 || record.field("_deadBlinds").is_some() {
        put(record, "_deadBlinds", column, trim(scale, flags.debt));
    }
    if record.field("_newcomers").is_some() {
        let new = matches!(state, SeatState::Newcomer(_));
        put(record, "_newcomers", column, Amount::whole(Chips::from(u8::from(new))));
    }
}

/// Sets one entry of an array of numbers, which is made when it is not there.
pub(crate) fn put(record: &mut Record, name: &str, column: usize, amount: Amount) {
    let players = record.players();
    let mut values = match record.take_in_place(name) {
        Some(Value::Array(values)) if values.len() == players => values,
        _ => vec![Value::Number(Amount::ZERO); players],
    };
    values[column] = Value::Number(amount);
    record.set(name, Value::Array(values));
}

impl Record {
    /// A copy of a field, so that it can be set again in its place.
    fn take_in_place(&self, name: &str) -> Option<Value> {
        self.field(name).cloned()
    }
}

/// The column of a player.
pub(crate) fn column_of(record: &Record, name: &str) -> Option<usize> {
    record.field("players")?;
    (0..record.players()).find(|&column| record.name(column) == name)
}

/// The seats of the columns, counted from 1; in order where the record names none.
pub(crate) fn seats(record: &Record) -> Vec<usize> {
    let written = record.amounts("seats").map(|seats| {
        let whole = Scale::new(0);
        seats.iter().map(|&seat| usize::try_from(whole.chips(seat).unwrap_or(0)).unwrap_or(0)).collect()
    });
    let right = |seats: &Vec<usize>| {
        let mut sorted = seats.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len() == seats.len() && sorted.first() > Some(&0)
    };
    written.filter(right).unwrap_or_else(|| (1..=record.players()).collect())
}

/// How many seats the record's table has.
pub(crate) fn seat_count(record: &Record) -> usize {
    let written = record.number("seat_count").and_then(|n| usize::try_from(n).ok()).unwrap_or(9);
    let needed = seats(record).into_iter().max().unwrap_or(0);
    written.clamp(2, SEATS_MAX).max(needed)
}

/// The settings of a record: the table's rules, the record's own stakes.
pub(crate) fn rules_of(record: &Record, table: &Settings) -> Settings {
    let scale = record.scale();
    let chips = |amount: Option<Amount>| amount.and_then(|amount| scale.chips(amount)).unwrap_or(0);
    let big = chips(record.min_bet.or(record.small_bet)).max(1);
    let blinds: Vec<Chips> = record.blinds.iter().map(|&blind| chips(Some(blind))).collect();
    let small = blinds.iter().copied().filter(|&blind| blind > 0 && blind < big).max().unwrap_or(big / 2);
    let antes: Vec<Chips> = record.antes.iter().map(|&ante| chips(Some(ante))).collect();
    let paying = antes.iter().filter(|&&ante| ante > 0).count();
    Settings {
        seat_count: seat_count(record),
        variants: vec![record.variant],
        small_blind: small,
        big_blind: big,
        ante: antes.iter().copied().max().unwrap_or(0),
        big_blind_ante: paying == 1,
        bring_in: chips(record.bring_in),
        small_bet: chips(record.small_bet),
        big_bet: chips(record.big_bet),
        decimals: scale.decimals(),
        ..table.clone()
    }
}

/// Where the blinds of a record are, in seats counted from 0: as written, or as far as the blinds tell.
pub(crate) fn positions(record: &Record, rules: &Settings) -> Option<Positions> {
    if let Some(Value::Array(values)) = record.field("_blindSeats") {
        let seat = |value: &Value| match value {
            Value::Number(amount) => {
                let seat = usize::try_from(Scale::new(0).chips(*amount)?).ok()?.checked_sub(1)?;
                (seat < rules.seat_count).then_some(seat)
            }
            _ => None,
        };
        let found: Option<Vec<usize>> = values.iter().map(seat).collect();
        if let Some([button, small, big]) = found.as_deref() {
            return Some(Positions { button: *button, small: *small, big: *big });
        }
    }
    let seats = seats(record);
    let scale = record.scale();
    let blind = |column: usize| record.blinds.get(column).and_then(|&b| scale.chips(b)).unwrap_or(0);
    let columns = || 0..record.players();
    let big = columns().find(|&column| blind(column) == rules.big_blind)?;
    let button = record.button;
    let small = columns().find(|&column| (1..rules.big_blind).contains(&blind(column)));
    let small = small.unwrap_or((big + record.players() - 1) % record.players());
    Some(Positions { button: seats[button] - 1, small: seats[small] - 1, big: seats[big] - 1 })
}

/// The hand of a record as far as it goes, with the place of each column.
pub(crate) fn play(record: &Record) -> Result<(Hand, Vec<usize>), ReplayError> {
    let replay = Replay::start(record, Interpretation::House)?;
    let places = (0..record.players()).map(|column| replay.seat(column)).collect();
    Ok((replay.finish()?, places))
}

/// Adds a column to every player array.
pub(crate) fn add_column(record: &mut Record, name: &str, stack: Amount, seat: usize, rules: &Settings) {
    let before = record.players();
    let mut seats = seats(record);
    seats.push(seat);
    if record.field("players").is_none() {
        let names = (0..before).map(|column| Value::Text(record.name(column)));
        record.set("players", Value::Array(names.collect()));
    }
    record.starting_stacks.push(stack);
    record.antes.push(Amount::ZERO);
    if !record.variant.is_stud() {
        record.blinds.push(Amount::ZERO);
    }
    for (field, value) in &mut record.rest {
        if let (true, Value::Array(values)) = (is_per_player(field), value) {
            values.push(if field == "players" {
                Value::Text(name.into())
            } else {
                Value::Number(Amount::ZERO)
            });
        }
    }
    let whole = |&seat: &usize| Value::Number(Amount::whole(seat as Chips));
    record.set("seats", Value::Array(seats.iter().map(whole).collect()));
    let column = record.players() - 1;
    if rules.newcomers != Newcomers::Free {
        put(record, "_newcomers", column, Amount::whole(1));
    }
    put(record, "_intents", column, Amount::ZERO);
    put(record, "_inactive", column, Amount::whole(1));
}

/// A seat for somebody new: the one they want if it is free, else the one behind the last, else the first that is free.
pub(crate) fn free_seat(record: &Record, wanted: Option<usize>) -> Option<usize> {
    let (seats, count) = (seats(record), seat_count(record));
    let free = |seat: &usize| (1..=count).contains(seat) && !seats.contains(seat);
    match wanted {
        Some(seat) => Some(seat).filter(free),
        None => {
            let behind = seats.iter().max().map_or(1, |seat| seat + 1);
            Some(behind).filter(free).or_else(|| (1..=count).find(free))
        }
    }
}
