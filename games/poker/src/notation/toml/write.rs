//! Writing TOML: one key on a line, text in single quotes where it can be.

use crate::notation::value::Value;

/// Writes `key = value` lines.
pub fn write(table: &[(String, Value)], out: &mut String) {
    for (key, value) in table {
        write_key(key, out);
        out.push_str(" = ");
        write_value(value, out);
        out.push('\n');
    }
}

/// Writes a name, quoted where it must be.
pub fn write_key(key: &str, out: &mut String) {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { out.push_str(key) } else { write_text(key, out) }
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Text(text) => write_text(text, out),
        Value::Number(amount) => out.push_str(&amount.to_string()),
        Value::OtherNumber(text) | Value::Time(text) => out.push_str(text),
        Value::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
        // TOML has no null; an empty table reads back as something that is not a value either.
        Value::Null => out.push_str("{}"),
        Value::Array(values) => {
            out.push('[');
            for (i, value) in values.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_value(value, out);
            }
            out.push(']');
        }
        Value::Table(table) => {
            out.push('{');
            for (i, (key, value)) in table.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                write_key(key, out);
                out.push_str(" = ");
                write_value(value, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    if !text.contains(['\'', '\\', '"']) && !text.chars().any(char::is_control) {
        out.push('\'');
        out.push_str(text);
        out.push('\'');
        return;
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}
