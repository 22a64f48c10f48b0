//! Values that hold no others: text, numbers, times, true and false.

use super::Result;
use crate::money::Amount;
use crate::notation::value::{Cursor, Value};

pub(super) fn word(cursor: &mut Cursor<'_>) -> Result<Value> {
    let start = cursor.at;
    match cursor.take_while(|b| b.is_ascii_alphabetic()) {
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        _ => {
            cursor.at = start;
            Err(cursor.error("a value"))
        }
    }
}

pub(super) fn number(cursor: &mut Cursor<'_>) -> Result<Value> {
    let start = cursor.at;
    let text =
        cursor.take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b'_' | b':'));
    let plain = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(plain, "inf" | "nan") {
        return Ok(if text.starts_with('-') || plain == "nan" {
            Value::OtherNumber(text.into())
        } else {
            Value::Number(Amount::Unknown)
        });
    }
    let bytes = plain.as_bytes();
    let dated = plain.len() >= 5 && (bytes[2] == b':' || bytes[4] == b'-');
    if dated && bytes[..2].iter().all(u8::is_ascii_digit) && plain == text {
        // A date and a time may have one space between them.
        let mut whole = text.to_owned();
        if bytes[4] == b'-' && !text.contains(':') && cursor.peek() == Some(b' ') {
            let digits = cursor.text.as_bytes().get(cursor.at + 1..cursor.at + 4);
            if digits.is_some_and(|d| d[0].is_ascii_digit() && d[1].is_ascii_digit() && d[2] == b':') {
                cursor.at += 1;
                whole.push(' ');
                whole.push_str(
                    cursor
                        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b':')),
                );
            }
        }
        return Ok(Value::Time(whole));
    }
    let starts_right = bytes.first().is_some_and(u8::is_ascii_digit);
    let leading_zero = bytes.len() > 1 && bytes[0] == b'0' && bytes[1].is_ascii_digit();
    if starts_right && !leading_zero && !text.contains(',') {
        if let Ok(amount) = Amount::parse(text) {
            return Ok(Value::Number(amount));
        }
        if is_other_number(plain) {
            return Ok(Value::OtherNumber(text.into()));
        }
    }
    cursor.at = start;
    Err(cursor.error("a value"))
}

/// Exponents, other bases and numbers of many digits.
fn is_other_number(text: &str) -> bool {
    let digits = |text: &str, base: u32| {
        !text.is_empty() && !text.starts_with('_') && text.chars().all(|c| c == '_' || c.is_digit(base))
    };
    match text.get(..2) {
        Some("0x") => digits(&text[2..], 16),
        Some("0o") => digits(&text[2..], 8),
        Some("0b") => digits(&text[2..], 2),
        _ => {
            let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
            let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
            let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            digits(whole, 10) && digits(part, 10) && digits(exponent, 10)
        }
    }
}

pub(super) fn literal(cursor: &mut Cursor<'_>) -> Result<String> {
    cursor.at += 1;
    let text = cursor.take_while(|b| b != b'\'' && b != b'\n');
    cursor.expect(b'\'', "'")?;
    Ok(text.to_owned())
}

pub(super) fn basic(cursor: &mut Cursor<'_>) -> Result<String> {
    cursor.at += 1;
    let mut text = String::new();
    loop {
        text.push_str(cursor.take_while(|b| !matches!(b, b'"' | b'\\' | b'\n')));
        match cursor.peek() {
            Some(b'"') => {
                cursor.at += 1;
                return Ok(text);
            }
            Some(b'\\') => text.push(escape(cursor)?),
            _ => return Err(cursor.error("\"")),
        }
    }
}

/// A string over several lines; a line break right after the quotes is not part of it.
pub(super) fn long(cursor: &mut Cursor<'_>, quotes: &str) -> Result<String> {
    cursor.at += 3;
    cursor.eat(b'\r');
    cursor.eat(b'\n');
    let quote = quotes.as_bytes()[0];
    let mut text = String::new();
    loop {
        text.push_str(cursor.take_while(|b| b != quote && (b != b'\\' || quote == b'\'')));
        if cursor.starts(quotes) {
            cursor.at += 3;
            // Up to two more quotes belong to the text.
            for _ in 0..2 {
                if cursor.eat(quote) {
                    text.push(quote as char);
                }
            }
            return Ok(text);
        }
        match cursor.peek() {
            Some(b'\\') => {
                let after = cursor.text.as_bytes().get(cursor.at + 1);
                if matches!(after, Some(b'\n' | b'\r' | b' ' | b'\t')) {
                    cursor.at += 1;
                    cursor.take_while(|b| b.is_ascii_whitespace());
                } else {
                    text.push(escape(cursor)?);
                }
            }
            Some(_) => {
                cursor.at += 1;
                text.push(quote as char);
            }
            None => return Err(cursor.error("closing quotes")),
        }
    }
}

fn escape(cursor: &mut Cursor<'_>) -> Result<char> {
    let start = cursor.at;
    cursor.at += 1;
    let kind = cursor.peek();
    cursor.at += 1;
    let code = |cursor: &mut Cursor<'_>, digits: usize| {
        let hex = cursor.text.get(cursor.at..cursor.at + digits)?;
        cursor.at += digits;
        char::from_u32(u32::from_str_radix(hex, 16).ok().filter(|_| !hex.starts_with('+'))?)
    };
    let found = match kind {
        Some(b'b') => Some('\u{8}'),
        Some(b't') => Some('\t'),
        Some(b'n') => Some('\n'),
        Some(b'f') => Some('\u{c}'),
        Some(b'r') => Some('\r'),
        Some(b'"') => Some('"'),
        Some(b'\\') => Some('\\'),
        Some(b'u') => code(cursor, 4),
        Some(b'U') => code(cursor, 8),
        _ => None,
    };
    found.ok_or_else(|| {
        cursor.at = start;
        cursor.error("an escape such as \\n")
    })
}
