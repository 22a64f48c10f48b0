//! The JSON form of a hand: PHH's fields in camel case, arrays in the order of seats and never reversed. One object,
//! an array of them, or one on each line.

use crate::money::Amount;
use crate::notation::builder::{Builder, kind};
use crate::notation::record::{Record, RecordError, amount_of};
use crate::notation::value::{Table, Value};
use crate::notation::{ReadError, json, phh};

/// Fields that PHH does not have: ours there, plain here.
const OURS: [&str; 7] = ["rake", "totalPot", "rakePercentage", "rakeCap", "seed", "type", "timestamp"];

/// Reads hands, keyed by their number from 1; a single hand has the key `""`.
///
/// # Errors
/// The place of what is no JSON, or the field of the first hand that is no hand.
pub fn read(text: &str) -> Result<Vec<(String, Record)>, ReadError> {
    let mut values = json::read_all(text)?;
    if let [Value::Array(hands)] = values.as_mut_slice() {
        values = std::mem::take(hands);
    }
    let single = values.len() == 1;
    let mut records = Vec::with_capacity(values.len());
    for (i, value) in values.into_iter().enumerate() {
        let key = if single { String::new() } else { (i + 1).to_string() };
        let record = match value {
            Value::Table(fields) => from_fields(fields),
            other => Err(kind("an object", &other).at("")),
        };
        let record = record.map_err(|error| ReadError::Hand { hand: key.clone(), error })?;
        records.push((key, record));
    }
    Ok(records)
}

/// Makes a record of the fields of one object.
///
/// # Errors
/// The field that is not right.
pub fn from_fields(fields: Table) -> Result<Record, RecordError> {
    let fields = fields.into_iter().map(|(name, value)| {
        let name = phh_name(&name);
        let value = match value {
            Value::Text(text) if name == "time" && is_clock(&text) => Value::Time(text),
            Value::Array(values) if matches!(name.as_str(), "finishing_stacks" | "winnings") => {
                Value::Array(values.into_iter().map(|v| amount_of(&v).map_or(v, Value::Number)).collect())
            }
            value => value,
        };
        (name, value)
    });
    let mut builder = Builder { fields: fields.collect(), log: None };
    let button = builder.take("_button");
    let mut record = builder.build()?;
    let players = record.players();
    record.button = match button {
        Some(Value::Number(Amount::Number { units, decimals: 0 }))
            if (1..=players as i64).contains(&units) =>
        {
            units as usize - 1
        }
        Some(other) => return Err(kind("the number of a player", &other).at("_button")),
        None => find_button(&record),
    };
    phh::settle_foreign_dead_blinds(&mut record)?;
    Ok(record)
}

/// The button as the blinds tell it: before the first of the blinds in a row; between two players, on the smaller one.
fn find_button(record: &Record) -> usize {
    let players = record.players();
    let last = players.saturating_sub(1);
    let scale = record.scale();
    let active: Vec<usize> = (0..players).filter(|&p| !record.sits_out(p)).collect();
    let blind = |p: usize| record.blinds.get(p).and_then(|&b| scale.chips(b)).unwrap_or(0).max(0);
    if active.iter().all(|&p| blind(p) == 0) {
        return last;
    }
    if let [one, other] = active[..] {
        return if blind(one) < blind(other) { one } else { other };
    }
    let before = |i: usize| active[(i + active.len() - 1) % active.len()];
    let first = (0..active.len()).find(|&i| blind(active[i]) > 0 && blind(before(i)) == 0);
    // Seats that sit out between the button and the blinds do not move it.
    first.map_or(last, |i| (active[i] + players - 1) % players)
}

/// The fields of a hand under their JSON names, in the order of the record.
#[must_use]
pub fn to_fields(record: &Record) -> Table {
    let numbers =
        |amounts: &[Amount]| Value::Array(amounts.iter().map(|&amount| Value::Number(amount)).collect());
    let mut fields = Table::new();
    let mut put =
        |name: &str, value: Option<Value>| fields.extend(value.map(|value| (name.to_owned(), value)));
    put("variant", Some(Value::Text(record.variant.code().into())));
    put("anteTrimming", record.ante_trimming.map(Value::Bool));
    put("antes", Some(numbers(&record.antes)));
    put("blindsOrStraddles", (!record.blinds.is_empty()).then(|| numbers(&record.blinds)));
    put("bringIn", record.bring_in.map(Value::Number));
    put("smallBet", record.small_bet.map(Value::Number));
    put("bigBet", record.big_bet.map(Value::Number));
    put("minBet", record.min_bet.map(Value::Number));
    put("startingStacks", Some(numbers(&record.starting_stacks)));
    let actions = record.actions.iter().map(|entry| Value::Text(entry.to_string())).collect();
    put("actions", Some(Value::Array(actions)));
    if record.button != find_button(record) {
        put("_button", Some(Value::Number(Amount::whole(record.button as i64 + 1))));
    }
    fields.extend(record.rest.iter().map(|(name, value)| (json_name(name), value.clone())));
    fields
}

/// Writes one hand on one line.
#[must_use]
pub fn write(record: &Record) -> String {
    let mut out = String::new();
    json::write(&Value::Table(to_fields(record)), &mut out);
    out.push('\n');
    out
}

fn is_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 8
        && bytes.iter().enumerate().all(|(i, b)| match i {
            2 | 5 => *b == b':',
            8 => *b == b'.',
            _ => b.is_ascii_digit(),
        })
}

fn phh_name(name: &str) -> String {
    match name {
        "anteTrimming" => "ante_trimming_status".into(),
        _ if OURS.contains(&name) => format!("_{name}"),
        _ if name.starts_with('_') => name.into(),
        _ => name.chars().fold(String::new(), |mut out, c| {
            if c.is_ascii_uppercase() {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
            out
        }),
    }
}

fn json_name(name: &str) -> String {
    match name.strip_prefix('_') {
        Some(ours) if OURS.contains(&ours) => ours.into(),
        Some(_) => name.into(),
        None => {
            let mut up = false;
            name.chars().fold(String::new(), |mut out, c| {
                match c {
                    '_' => up = true,
                    c => {
                        out.push(if std::mem::take(&mut up) { c.to_ascii_uppercase() } else { c });
                    }
                }
                out
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_turned_both_ways() {
        for (json, phh) in [
            ("startingStacks", "starting_stacks"),
            ("timeZoneAbbreviation", "time_zone_abbreviation"),
            ("rake", "_rake"),
            ("_inactive", "_inactive"),
            ("players", "players"),
        ] {
            assert_eq!((phh_name(json).as_str(), json_name(phh).as_str()), (phh, json));
        }
    }

    #[test]
    fn the_blinds_tell_the_button() {
        let hand = |blinds: &str, inactive: &str| {
            let n = blinds.split(',').count();
            let of = |x: &str| vec![x; n].join(",");
            let text = format!(
                "{{\"variant\":\"NT\",\"antes\":[{}],\"blindsOrStraddles\":[{blinds}],\"minBet\":2,\"startingStacks\":[{}],\
                 \"actions\":[],\"_inactive\":[{inactive}]}}",
                of("0"),
                of("50")
            );
            read(&text).unwrap()[0].1.button
        };
        assert_eq!(hand("1,2,0", "0,0,0"), 2);
        assert_eq!(hand("0,1,2", "0,0,0"), 0);
        assert_eq!(hand("2,0,1", "0,0,0"), 1);
        assert_eq!(hand("1,2", "0,0"), 0);
        assert_eq!(hand("2,1", "0,0"), 1);
        assert_eq!(hand("2,0,1", "0,1,0"), 2);
    }
}
