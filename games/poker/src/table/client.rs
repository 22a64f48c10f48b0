//! The client's side of the notation: states to send, in which a player asks for something; and what a state must hold.

use crate::money::Amount;
use crate::notation::record::Record;
use crate::notation::value::Value;
use crate::seat::SEATS_MAX;
use crate::table::columns;
use crate::table::seat_state::Intent;
use crate::table::settings::Settings;

/// The state with `name` added, who wants to play with `stack` at `seat` (counted from 1) or any seat. The same state
/// when there is no name, no stack, no free seat, or they sit there already.
#[must_use]
pub fn join(record: &Record, name: &str, stack: Amount, seat: Option<usize>) -> Record {
    let mut new = record.clone();
    let sits = columns::column_of(record, name).is_some();
    let brings = !stack.is_zero() && !stack.is_negative() && stack != Amount::Unknown;
    let Some(seat) = columns::free_seat(record, seat).filter(|_| !name.is_empty() && !sits && brings) else {
        return new;
    };
    columns::add_column(&mut new, name, stack, seat, &Settings::document());
    new.set("author", Value::Text(name.into()));
    new
}

/// The state in which `name` asks for something; the same state when they do not sit there.
fn ask(record: &Record, name: &str, intent: Intent) -> Record {
    let mut new = record.clone();
    if let Some(column) = columns::column_of(record, name) {
        columns::put(&mut new, "_intents", column, Amount::whole(i64::from(intent.number())));
        new.set("author", Value::Text(name.into()));
    }
    new
}

/// The state in which `name` asks for a pause.
#[must_use]
pub fn pause(record: &Record, name: &str) -> Record {
    ask(record, name, Intent::Pause)
}

/// The state in which `name` asks to wait for the big blind.
#[must_use]
pub fn wait_for_bb(record: &Record, name: &str) -> Record {
    ask(record, name, Intent::WaitForBigBlind)
}

/// The state in which `name` asks to play again.
#[must_use]
pub fn resume(record: &Record, name: &str) -> Record {
    ask(record, name, Intent::Play)
}

/// The state in which `name` leaves for good.
#[must_use]
pub fn quit(record: &Record, name: &str) -> Record {
    ask(record, name, Intent::Leave)
}

/// Something in a state that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFault {
    /// Where, such as `_deadBlinds[1]`.
    pub path: String,
    pub problem: String,
}

/// Everything that keeps a record from being the state of a table; empty when it is one.
#[must_use]
pub fn validate(record: &Record) -> Vec<StateFault> {
    let mut faults = Vec::new();
    let mut fault = |path: String, problem: String| faults.push(StateFault { path, problem });
    let players = record.players();
    let most = columns::seat_count(record).min(SEATS_MAX);
    let written = record.number("seat_count").and_then(|n| usize::try_from(n).ok());
    if players > written.unwrap_or(most) {
        fault(
            "players".into(),
            format!("expected at most {} players, got {players}", written.unwrap_or(most)),
        );
    }
    match record.field("players") {
        None => fault("players".into(), "is missing".into()),
        Some(_) => {
            for column in 0..players {
                let name = record.name(column);
                if name.is_empty() || (0..column).any(|other| record.name(other) == name) {
                    fault(format!("players[{column}]"), "expected a name that nobody else has".into());
                }
            }
        }
    }
    if let Some(written) = record.amounts("seats") {
        let count = columns::seat_count(record);
        for (column, seat) in written.iter().enumerate() {
            let whole = crate::money::Scale::new(0).chips(*seat).unwrap_or(0);
            let twice = written[..column].contains(seat);
            if whole < 1 || whole > count as i64 || twice {
                fault(
                    format!("seats[{column}]"),
                    format!("expected a seat of its own from 1 to {count}, got {seat}"),
                );
            }
        }
    }
    for column in 0..players {
        if let Err(error) = columns::state(record, column) {
            fault(format!("_deadBlinds[{column}]"), error.to_string());
        }
        if !record.sits_out(column) {
            continue;
        }
        for (name, amounts) in [("blindsOrStraddles", &record.blinds), ("antes", &record.antes)] {
            if let Some(amount) = amounts.get(column).filter(|amount| !amount.is_zero()) {
                fault(
                    format!("{name}[{column}]"),
                    format!("a player who sits out posts nothing (got {amount})"),
                );
            }
        }
    }
    let active = (0..players).filter(|&column| !record.sits_out(column)).count();
    if active >= 2
        && let Err(error) = columns::play(record)
    {
        fault(String::new(), error.to_string());
    }
    faults
}
