//! All tables of the language, read: which fields a value has, in the order in which the tables list them.

use std::collections::BTreeMap;

use super::sections::{CARD, PARTS, Row, SECTIONS, SELECTION};
use super::shape::{Field, Shape, letter};
use crate::language::syntax::{Key, Node, Value};
use crate::operations::{EXPRESSIONS, STATEMENTS};

/// All tables, read.
pub(in crate::language) struct Tables {
    sections: Vec<Field>,
    statements: Vec<Field>,
    expressions: Vec<Field>,
    selection: Vec<Field>,
    card: Vec<Field>,
    parts: BTreeMap<&'static str, Shape>,
}

fn field(name: &'static str, shape: &'static str) -> Field {
    Field { name, optional: true, default: None, shape: Shape::read(shape) }
}

impl Tables {
    /// Reads all tables.
    pub(in crate::language) fn read() -> Self {
        let rows = |rows: &[Row]| rows.iter().map(|(name, shape, _)| field(name, shape)).collect();
        Self {
            sections: rows(SECTIONS),
            statements: STATEMENTS.iter().map(|row| field(row.name, row.has)).collect(),
            expressions: EXPRESSIONS.iter().map(|row| field(row.name, row.has)).collect(),
            selection: rows(SELECTION),
            card: rows(CARD),
            parts: PARTS.iter().map(|(name, shape, _)| (*name, Shape::read(shape))).collect(),
        }
    }

    /// A whole ruleset with its fields in order, and so all the way down.
    pub(in crate::language) fn ordered(&self, ruleset: Node) -> Node {
        let Node { at, value } = ruleset;
        match value {
            Value::Map(fields) => Node { at, value: Value::Map(self.sorted(fields, &self.sections)) },
            value => Node { at, value },
        }
    }

    fn value(&self, node: Node, shape: &Shape) -> Node {
        let Node { at, value } = node;
        let value = match value {
            Value::Map(fields) => Value::Map(self.object(fields, shape)),
            Value::List(items) => Value::List(self.list(items, shape)),
            plain => plain,
        };
        Node { at, value }
    }

    fn each(&self, items: Vec<Node>, shape: &Shape) -> Vec<Node> {
        items.into_iter().map(|item| self.value(item, shape)).collect()
    }

    fn list(&self, items: Vec<Node>, shape: &Shape) -> Vec<Node> {
        let code_or_selection = |word: &'static str| matches!(letter(word), "C" | "S");
        match shape {
            Shape::Each(inner, _) => self.each(items, inner),
            Shape::Items(shapes) if shapes.len() == items.len() => {
                items.into_iter().zip(shapes).map(|(item, shape)| self.value(item, shape)).collect()
            }
            Shape::Word(word) if code_or_selection(word) || *word == "W" => self.each(items, shape),
            Shape::Word(word) => match self.parts.get(word) {
                Some(shape) => self.list(items, shape),
                None => items,
            },
            Shape::Either(all) => {
                let fits = |shape: &&Shape| match shape {
                    Shape::Each(..) => true,
                    Shape::Word(word) => code_or_selection(word),
                    Shape::Items(shapes) => shapes.len() == items.len(),
                    _ => false,
                };
                match all.iter().find(fits) {
                    Some(shape) => self.list(items, shape),
                    None => items,
                }
            }
            _ => items,
        }
    }

    fn object(&self, fields: Vec<(Key, Node)>, shape: &Shape) -> Vec<(Key, Node)> {
        match shape {
            Shape::Fields(known) => self.sorted(fields, known),
            Shape::Named(inner) => {
                fields.into_iter().map(|(key, node)| (key, self.value(node, inner))).collect()
            }
            Shape::Word(word) => match letter(word) {
                "C" => self.sorted(fields, &self.statements),
                "E" => self.sorted(fields, &self.expressions),
                "S" | "W" | "pick" => {
                    let one = fields.len() == 1 && !knows(&self.selection, &fields[0].0.name);
                    self.sorted(fields, if one { &self.expressions } else { &self.selection })
                }
                "card" => self.sorted(fields, &self.card),
                word => match self.parts.get(word) {
                    Some(shape) => self.object(fields, shape),
                    None => fields,
                },
            },
            Shape::Either(all) => match all.iter().find(|shape| self.takes(shape, &fields)) {
                Some(shape) => self.object(fields, shape),
                None => fields,
            },
            Shape::Any | Shape::Flag | Shape::Text(_) | Shape::Each(..) | Shape::Items(_) => fields,
        }
    }

    /// Whether an object may be of this shape.
    fn takes(&self, shape: &Shape, fields: &[(Key, Node)]) -> bool {
        let all = |table: &[Field]| {
            let own = fields.iter().filter(|(key, _)| !key.name.starts_with("//"));
            own.map(|(key, _)| key).all(|key| knows(table, &key.name))
        };
        match shape {
            Shape::Fields(known) => all(known),
            Shape::Word(word) => match letter(word) {
                "E" => all(&self.expressions),
                "S" | "W" => all(&self.selection) || all(&self.expressions),
                "C" => all(&self.statements),
                word => self.parts.get(word).is_some_and(|shape| self.takes(shape, fields)),
            },
            Shape::Either(any) => any.iter().any(|shape| self.takes(shape, fields)),
            Shape::Named(_) => true,
            Shape::Any | Shape::Flag | Shape::Text(_) | Shape::Each(..) | Shape::Items(_) => false,
        }
    }

    /// Fields in the order of a table; those that it does not have come last, in their order. A comment goes with the
    /// field after it.
    fn sorted(&self, fields: Vec<(Key, Node)>, known: &[Field]) -> Vec<(Key, Node)> {
        let place = |name: &str| known.iter().position(|other| other.name == name);
        let mut groups: Vec<(usize, Vec<(Key, Node)>)> = Vec::new();
        let mut comments = Vec::new();
        for (key, node) in fields {
            if key.name.starts_with("//") {
                comments.push((key, node));
                continue;
            }
            let at = place(&key.name);
            let node = match at {
                Some(n) => self.value(node, &known[n].shape),
                None => node,
            };
            let mut group = std::mem::take(&mut comments);
            group.push((key, node));
            groups.push((at.unwrap_or(known.len()), group));
        }
        groups.push((usize::MAX, comments));
        groups.sort_by_key(|(place, _)| *place);
        groups.into_iter().flat_map(|(_, group)| group).collect()
    }
}

fn knows(table: &[Field], name: &str) -> bool {
    table.iter().any(|known| known.name == name)
}
