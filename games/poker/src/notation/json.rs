//! JSON, read into the same tree as TOML, with numbers kept digit by digit.

use crate::money::Amount;
use crate::notation::value::{Cursor, DEPTH_MAX, SyntaxError, Table, Value};

type Result<T> = std::result::Result<T, SyntaxError>;

/// Reads one JSON value, or several one after the other (one hand on each line).
///
/// # Errors
/// The place of the first thing that is not JSON.
pub fn read_all(text: &str) -> Result<Vec<Value>> {
    let mut cursor = Cursor::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    let mut values = Vec::new();
    space(&mut cursor);
    while cursor.peek().is_some() {
        values.push(value(&mut cursor, 0)?);
        space(&mut cursor);
    }
    Ok(values)
}

fn space(cursor: &mut Cursor<'_>) {
    cursor.take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'));
}

fn value(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value> {
    if depth > DEPTH_MAX {
        return Err(cursor.error("less nesting"));
    }
    match cursor.peek() {
        Some(b'"') => Ok(Value::Text(text(cursor)?)),
        Some(b'[') => array(cursor, depth),
        Some(b'{') => object(cursor, depth),
        Some(b't' | b'f' | b'n') => word(cursor),
        _ => number(cursor),
    }
}

fn word(cursor: &mut Cursor<'_>) -> Result<Value> {
    let start = cursor.at;
    match cursor.take_while(|b| b.is_ascii_alphabetic()) {
        "true" => Ok(Value::Bool(true)),
        "false" => Ok(Value::Bool(false)),
        "null" => Ok(Value::Null),
        _ => {
            cursor.at = start;
            Err(cursor.error("a value"))
        }
    }
}

fn array(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value> {
    cursor.at += 1;
    let mut values = Vec::new();
    space(cursor);
    if cursor.eat(b']') {
        return Ok(Value::Array(values));
    }
    loop {
        space(cursor);
        values.push(value(cursor, depth + 1)?);
        space(cursor);
        if cursor.eat(b']') {
            return Ok(Value::Array(values));
        }
        cursor.expect(b',', ", or ]")?;
    }
}

fn object(cursor: &mut Cursor<'_>, depth: usize) -> Result<Value> {
    cursor.at += 1;
    let mut table = Table::new();
    space(cursor);
    if cursor.eat(b'}') {
        return Ok(Value::Table(table));
    }
    loop {
        space(cursor);
        if cursor.peek() != Some(b'"') {
            return Err(cursor.error("a name in quotes"));
        }
        let start = cursor.at;
        let name = text(cursor)?;
        if table.iter().any(|(key, _)| *key == name) {
            cursor.at = start;
            return Err(cursor.error("a name that is not used yet"));
        }
        space(cursor);
        cursor.expect(b':', ":")?;
        space(cursor);
        table.push((name, value(cursor, depth + 1)?));
        space(cursor);
        if cursor.eat(b'}') {
            return Ok(Value::Table(table));
        }
        cursor.expect(b',', ", or }")?;
    }
}

fn number(cursor: &mut Cursor<'_>) -> Result<Value> {
    let start = cursor.at;
    let text = cursor.take_while(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
    let plain = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let leading_zero = plain.len() > 1 && plain[0] == b'0' && plain[1].is_ascii_digit();
    if plain.first().is_some_and(u8::is_ascii_digit) && !leading_zero {
        if let Ok(amount) = Amount::parse(text) {
            return Ok(Value::Number(amount));
        }
        // purity: asks only whether the text is a number; the text itself is kept
        if text.parse::<f64>().is_ok() && !text.ends_with('.') && !text.contains(".e") {
            return Ok(Value::OtherNumber(text.into()));
        }
    }
    cursor.at = start;
    Err(cursor.error("a value"))
}

fn text(cursor: &mut Cursor<'_>) -> Result<String> {
    cursor.at += 1;
    let mut text = String::new();
    loop {
        text.push_str(cursor.take_while(|b| !matches!(b, b'"' | b'\\') && b >= 0x20));
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

fn escape(cursor: &mut Cursor<'_>) -> Result<char> {
    let start = cursor.at;
    let kind = cursor.text.as_bytes().get(cursor.at + 1).copied();
    cursor.at += 2;
    let found = match kind {
        Some(b'"') => Some('"'),
        Some(b'\\') => Some('\\'),
        Some(b'/') => Some('/'),
        Some(b'b') => Some('\u{8}'),
        Some(b'f') => Some('\u{c}'),
        Some(b'n') => Some('\n'),
        Some(b'r') => Some('\r'),
        Some(b't') => Some('\t'),
        Some(b'u') => unicode(cursor),
        _ => None,
    };
    found.ok_or_else(|| {
        cursor.at = start;
        cursor.error("an escape such as \\n")
    })
}

/// Four hexadecimal digits, or two such groups for one character.
fn unicode(cursor: &mut Cursor<'_>) -> Option<char> {
    let group = |cursor: &mut Cursor<'_>| {
        let hex = cursor.text.get(cursor.at..cursor.at + 4)?;
        cursor.at += 4;
        u32::from_str_radix(hex, 16).ok().filter(|_| !hex.starts_with('+'))
    };
    let first = group(cursor)?;
    if !(0xd800..0xdc00).contains(&first) {
        return char::from_u32(first);
    }
    if !cursor.starts("\\u") {
        return None;
    }
    cursor.at += 2;
    let second = group(cursor)?.checked_sub(0xdc00).filter(|&low| low < 0x400)?;
    char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)
}

/// Writes a value on one line.
pub fn write(value: &Value, out: &mut String) {
    match value {
        Value::Text(text) | Value::Time(text) => write_text(text, out),
        // JSON has no infinity: an unknown stack is the text "inf".
        Value::Number(Amount::Unknown) => out.push_str("\"inf\""),
        Value::Number(amount) => out.push_str(&amount.to_string()),
        // purity: asks only whether JSON has a word for it
        Value::OtherNumber(text) if text.parse::<f64>().is_ok_and(f64::is_finite) && !text.contains('_') => {
            out.push_str(text.strip_prefix('+').unwrap_or(text));
        }
        Value::OtherNumber(text) => write_text(text, out),
        Value::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
        Value::Null => out.push_str("null"),
        Value::Array(values) => {
            out.push('[');
            for (i, value) in values.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                write(value, out);
            }
            out.push(']');
        }
        Value::Table(table) => {
            out.push('{');
            for (i, (key, value)) in table.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                write_text(key, out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let text = r#"{"a":[0.10,75.25,-3,1e9],"b":"x\"\u0001é","c":null,"d":true}"#;
        let mut out = String::new();
        write(&read_all(text).unwrap()[0], &mut out);
        assert_eq!(out, text);
    }

    #[test]
    fn an_error_names_its_place() {
        assert_eq!(
            read_all("{\n \"a\": [1,]}").unwrap_err().to_string(),
            "line 2, column 10: expected a value"
        );
        assert!(read_all("{\"a\":01}").is_err());
        assert!(read_all("\"\\ud800\"").is_err());
        assert_eq!(read_all("\"\\ud83c\\udca1\"").unwrap(), [Value::Text("🂡".into())]);
    }
}
