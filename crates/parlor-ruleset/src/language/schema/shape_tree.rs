//! Shapes as trees: which fields a value of a fixed shape has, in the order in which the tables list them.

use std::collections::BTreeMap;

use super::ops::{EXPRESSIONS, Row, STATEMENTS};
use super::sections::{CARD, PARTS, SECTIONS, SELECTION};
use crate::language::syntax::{Key, Node, Value};

/// What a value may look like.
#[derive(Clone, Debug)]
pub(in crate::language) enum Shape {
    /// Anything: it is left as it is.
    Any,
    /// A whole ruleset.
    Sections,
    /// A part with a name: an expression is `E`, a zone `zone`.
    Part(&'static str),
    /// A list of such.
    Each(Box<Shape>),
    /// A list of these, one after another.
    Items(Vec<Shape>),
    /// An object with these fields.
    Fields(Vec<(&'static str, Shape)>),
    /// An object whose fields have names of the author's.
    Named(Box<Shape>),
    /// One of these.
    Either(Vec<Shape>),
}

/// All tables, read.
pub(in crate::language) struct Tables {
    sections: Vec<(&'static str, Shape)>,
    statements: Vec<(&'static str, Shape)>,
    expressions: Vec<(&'static str, Shape)>,
    selection: Vec<(&'static str, Shape)>,
    card: Vec<(&'static str, Shape)>,
    parts: BTreeMap<&'static str, Shape>,
}

impl Tables {
    /// Reads all tables.
    pub(in crate::language) fn read() -> Self {
        let rows = |rows: &[Row]| rows.iter().map(|(name, shape, _)| (*name, tree(shape))).collect();
        Self {
            sections: rows(SECTIONS),
            statements: rows(STATEMENTS),
            expressions: rows(EXPRESSIONS),
            selection: rows(SELECTION),
            card: rows(CARD),
            parts: PARTS.iter().map(|(name, shape, _)| (*name, tree(shape))).collect(),
        }
    }

    /// The same value with its fields in order, and so all the way down.
    pub(in crate::language) fn ordered(&self, node: Node, shape: &Shape) -> Node {
        let Node { at, value } = node;
        let value = match value {
            Value::Map(fields) => Value::Map(self.object(fields, shape)),
            Value::List(items) => Value::List(self.list(items, shape)),
            plain => plain,
        };
        Node { at, value }
    }

    fn list(&self, items: Vec<Node>, shape: &Shape) -> Vec<Node> {
        let each = |items: Vec<Node>, shape: &Shape| -> Vec<Node> {
            items.into_iter().map(|item| self.ordered(item, shape)).collect()
        };
        match shape {
            Shape::Each(inner) => each(items, inner),
            Shape::Items(shapes) if shapes.len() == items.len() => {
                items.into_iter().zip(shapes).map(|(item, shape)| self.ordered(item, shape)).collect()
            }
            Shape::Part(word @ ("C" | "S" | "W")) => each(items, &Shape::Part(word)),
            Shape::Part(word) => match self.parts.get(word) {
                Some(shape) => self.list(items, shape),
                None => items,
            },
            Shape::Either(all) => {
                let fits = |shape: &&Shape| match shape {
                    Shape::Each(_) | Shape::Part("C" | "S") => true,
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
            Shape::Sections => self.sorted(fields, &self.sections),
            Shape::Fields(known) => self.sorted(fields, known),
            Shape::Named(inner) => fields
                .into_iter()
                .map(|(key, node)| {
                    let node = self.ordered(node, inner);
                    (key, node)
                })
                .collect(),
            Shape::Part("C") => self.sorted(fields, &self.statements),
            Shape::Part("E") => self.sorted(fields, &self.expressions),
            Shape::Part("S" | "W" | "pick") => {
                let one = fields.len() == 1 && !self.knows(&self.selection, &fields[0].0.name);
                self.sorted(fields, if one { &self.expressions } else { &self.selection })
            }
            Shape::Part("card") => self.sorted(fields, &self.card),
            Shape::Part(word) => match self.parts.get(word) {
                Some(shape) => self.object(fields, shape),
                None => fields,
            },
            Shape::Either(all) => match all.iter().find(|shape| self.takes(shape, &fields)) {
                Some(shape) => self.object(fields, shape),
                None => fields,
            },
            Shape::Any | Shape::Each(_) | Shape::Items(_) => fields,
        }
    }

    fn knows(&self, table: &[(&'static str, Shape)], name: &str) -> bool {
        table.iter().any(|(known, _)| *known == name)
    }

    /// Whether an object may be of this shape.
    fn takes(&self, shape: &Shape, fields: &[(Key, Node)]) -> bool {
        let all = |table: &[(&'static str, Shape)]| {
            let own = fields.iter().filter(|(key, _)| !key.name.starts_with("//"));
            own.map(|(key, _)| key).all(|key| self.knows(table, &key.name))
        };
        match shape {
            Shape::Fields(known) => all(known),
            Shape::Part("E") => all(&self.expressions),
            Shape::Part("S" | "W") => all(&self.selection) || all(&self.expressions),
            Shape::Part("C") => all(&self.statements),
            Shape::Part(word) => self.parts.get(word).is_some_and(|shape| self.takes(shape, fields)),
            Shape::Either(any) => any.iter().any(|shape| self.takes(shape, fields)),
            Shape::Named(_) | Shape::Sections => true,
            Shape::Any | Shape::Each(_) | Shape::Items(_) => false,
        }
    }

    /// Fields in the order of a table; those that it does not have come last, in their order. A comment goes with the
    /// field after it.
    fn sorted(&self, fields: Vec<(Key, Node)>, known: &[(&'static str, Shape)]) -> Vec<(Key, Node)> {
        let place = |name: &str| known.iter().position(|(other, _)| *other == name);
        let mut groups: Vec<(usize, Vec<(Key, Node)>)> = Vec::new();
        let mut comments = Vec::new();
        for (key, node) in fields {
            if key.name.starts_with("//") {
                comments.push((key, node));
                continue;
            }
            let at = place(&key.name);
            let node = match at {
                Some(n) => self.ordered(node, &known[n].1),
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

/// The tree of a shape. Shapes are part of this crate, and a test reads all of them as JSON Schema.
fn tree(shape: &'static str) -> Shape {
    Reader { rest: shape }.either()
}

struct Reader {
    rest: &'static str,
}

impl Reader {
    fn takes(&mut self, mark: char) -> bool {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&mut self) -> &'static str {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn either(&mut self) -> Shape {
        let mut any = vec![self.one()];
        while self.takes('|') {
            any.push(self.one());
        }
        if any.len() == 1 { any.remove(0) } else { Shape::Either(any) }
    }

    fn one(&mut self) -> Shape {
        if self.takes('[') {
            let mut items = vec![self.either()];
            if self.takes('*') || self.takes('+') {
                self.takes(']');
                return Shape::Each(Box::new(items.remove(0)));
            }
            while self.takes(',') {
                items.push(self.either());
            }
            self.takes(']');
            return Shape::Items(items);
        }
        if self.takes('{') {
            return self.object();
        }
        if self.takes('"') {
            let end = self.rest.find('"').unwrap_or(self.rest.len());
            self.rest = self.rest.get(end + 1..).unwrap_or("");
            return Shape::Any;
        }
        match self.word() {
            "bool" | "true" | "" => Shape::Any,
            word => Shape::Part(word),
        }
    }

    fn object(&mut self) -> Shape {
        if self.takes('*') {
            self.takes(':');
            let each = self.either();
            self.takes('}');
            return Shape::Named(Box::new(each));
        }
        let mut fields = Vec::new();
        while !self.takes('}') && !self.rest.is_empty() {
            let name = self.word();
            self.takes('?');
            self.takes(':');
            fields.push((name, self.either()));
            self.takes(',');
        }
        Shape::Fields(fields)
    }
}
