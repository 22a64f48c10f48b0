//! The one layout of a ruleset file: fields in the order of the tables, values on one line where they fit.
//!
//! Only fields of things with a fixed shape are put into an order: sections, statements, questions, zones. What an author
//! declares (cards, variables, events, fields of a payload) stays in their order, because the rules number it by that
//! order. Nothing is added or left out, so the ruleset is the same one: its hash stays. A comment, a field that begins
//! with `//`, stays before the field that it stands before.

use super::diagnostics::Finding;
use super::schema::tables::Tables;
use super::syntax::{self, Key, Node, Value};

/// Columns of a line.
const COLUMNS_MAX: usize = 120;

/// A ruleset file in its one layout.
///
/// # Errors
/// Where the text is no JSON, and why.
pub fn format(text: &str) -> Result<String, Finding> {
    let tables = Tables::read();
    let root = tables.ordered(syntax::read(text)?);
    let mut page = Page { text: String::new() };
    page.broken(&root, 0);
    page.text.push('\n');
    Ok(page.text)
}

struct Page {
    text: String,
}

impl Page {
    fn indent(&mut self, depth: usize) {
        self.text.push('\n');
        (0..depth).for_each(|_| self.text.push_str("  "));
    }

    /// Writes a value that begins at this depth, with `before` columns of its line taken and `after` to follow.
    fn value(&mut self, node: &Node, depth: usize, before: usize, after: usize) {
        let line = inline(node);
        let fits = before + line.chars().count() + after <= COLUMNS_MAX;
        match &node.value {
            _ if fits => self.text.push_str(&line),
            Value::List(_) | Value::Map(_) => self.broken(node, depth),
            _ => self.text.push_str(&line),
        }
    }

    /// Writes a list or an object with a line for each part of it.
    fn broken(&mut self, node: &Node, depth: usize) {
        match &node.value {
            Value::Map(fields) if !fields.is_empty() => {
                self.text.push('{');
                for (n, (Key { name, .. }, inner)) in fields.iter().enumerate() {
                    self.indent(depth + 1);
                    let key = format!("{}: ", quoted(name));
                    self.text.push_str(&key);
                    let after = usize::from(n + 1 < fields.len());
                    self.value(inner, depth + 1, 2 * (depth + 1) + key.chars().count(), after);
                    self.text.push_str(if after > 0 { "," } else { "" });
                }
                self.indent(depth);
                self.text.push('}');
            }
            Value::List(items) if items.iter().any(|item| !is_plain(item)) => {
                self.text.push('[');
                for (n, item) in items.iter().enumerate() {
                    self.indent(depth + 1);
                    let after = usize::from(n + 1 < items.len());
                    self.value(item, depth + 1, 2 * (depth + 1), after);
                    self.text.push_str(if after > 0 { "," } else { "" });
                }
                self.indent(depth);
                self.text.push(']');
            }
            Value::List(items) if !items.is_empty() => self.filled(items, depth),
            _ => self.text.push_str(&inline(node)),
        }
    }

    /// Writes a list of plain values, as many on a line as there is room for.
    fn filled(&mut self, items: &[Node], depth: usize) {
        self.text.push('[');
        let mut column = COLUMNS_MAX;
        for (n, item) in items.iter().enumerate() {
            let last = n + 1 == items.len();
            let part = inline(item) + if last { "" } else { "," };
            let width = part.chars().count();
            if column + 1 + width > COLUMNS_MAX {
                self.indent(depth + 1);
                column = 2 * (depth + 1) + width;
            } else {
                self.text.push(' ');
                column += 1 + width;
            }
            self.text.push_str(&part);
        }
        self.indent(depth);
        self.text.push(']');
    }
}

fn is_plain(node: &Node) -> bool {
    !matches!(node.value, Value::List(_) | Value::Map(_))
}

fn quoted(text: &str) -> String {
    parlor_core::Json::from(text).to_string()
}

/// A value on one line.
pub(crate) fn inline(node: &Node) -> String {
    match &node.value {
        Value::List(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Map(fields) => {
            let field = |(key, inner): &(Key, Node)| format!("{}: {}", quoted(&key.name), inline(inner));
            format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        _ => node.plain().to_string(),
    }
}
