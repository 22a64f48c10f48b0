//! Shapes in short: how tables of operands are written, and the JSON Schema that each stands for.
//!
//! `[A,B]` has these items, `[A*]` any number of them, `[A+]` at least one; `{a:A,b?:B}` has these fields, `{*:A}` any
//! fields; `A|B` is either; `"x"` is this text; a word is a definition of its name, such as `E` for an expression.

use parlor_core::Json;
use serde_json::{Map, json};

/// Words for what stands everywhere.
const WORDS: [(&str, &str); 8] = [
    ("E", "expression"),
    ("S", "selection"),
    ("W", "who"),
    ("C", "code"),
    ("V", "variable"),
    ("Z", "place"),
    ("T", "text"),
    ("I", "whole"),
];

/// The schema of a shape.
///
/// # Panics
/// When the shape is not written as it must be: they are part of this crate, and a test reads all of them.
pub(super) fn schema(shape: &str) -> Json {
    let mut reader = Reader { rest: shape };
    let schema = reader.union();
    assert!(reader.rest.is_empty(), "{shape}: {} is left over", reader.rest);
    schema
}

/// The names of the fields of an object, those that may be left out with a `?`; of several shapes, of the first that is
/// an object.
pub(super) fn names(shape: &str) -> Option<Vec<&str>> {
    let mut inner = shape.split_once('{')?.1;
    let mut names = Vec::new();
    while let Some((name, rest)) = inner.split_once(':') {
        names.push(name);
        let mut depth = 0u32;
        let end = rest.find(|c: char| {
            depth += u32::from(matches!(c, '{' | '['));
            let over = depth == 0 && matches!(c, ',' | '}');
            depth -= u32::from(depth > 0 && matches!(c, '}' | ']'));
            over
        })?;
        if rest[end..].starts_with('}') {
            break;
        }
        inner = &rest[end + 1..];
    }
    (names != ["*"]).then_some(names)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn takes(&mut self, mark: char) -> bool {
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> &'a str {
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        assert!(!word.is_empty(), "a word is expected at {}", self.rest);
        self.rest = rest;
        word
    }

    fn union(&mut self) -> Json {
        let mut any = vec![self.term()];
        while self.takes('|') {
            any.push(self.term());
        }
        let texts: Option<Vec<&Json>> = any.iter().map(|schema| schema.get("const")).collect();
        match (any.len(), texts) {
            (1, _) => any.remove(0),
            (_, Some(texts)) => json!({"enum": texts}),
            _ => json!({"anyOf": any}),
        }
    }

    fn term(&mut self) -> Json {
        if self.takes('[') {
            return self.list();
        }
        if self.takes('{') {
            return self.object();
        }
        if self.takes('"') {
            let end = self.rest.find('"').expect("a text ends");
            let text = &self.rest[..end];
            self.rest = &self.rest[end + 1..];
            return json!({"const": text});
        }
        match self.word() {
            "bool" => json!({"type": "boolean"}),
            "true" => json!(true),
            word => {
                let name = WORDS.iter().find(|(short, _)| *short == word).map_or(word, |(_, name)| name);
                json!({"$ref": format!("#/$defs/{name}")})
            }
        }
    }

    fn list(&mut self) -> Json {
        let mut items = vec![self.union()];
        let least = usize::from(self.rest.starts_with('+'));
        if self.takes('*') || self.takes('+') {
            assert!(self.takes(']'), "a list ends with ]");
            return json!({"type": "array", "items": items.remove(0), "minItems": least});
        }
        while self.takes(',') {
            items.push(self.union());
        }
        assert!(self.takes(']'), "a list ends with ], at {}", self.rest);
        let n = items.len();
        json!({"type": "array", "prefixItems": items, "items": false, "minItems": n})
    }

    fn object(&mut self) -> Json {
        if self.takes('*') {
            assert!(self.takes(':'), "a field has a shape");
            let each = self.union();
            assert!(self.takes('}'), "an object ends with }}");
            return json!({"type": "object", "patternProperties": {"^//": true}, "additionalProperties": each});
        }
        let (mut fields, mut required) = (Map::new(), Vec::new());
        while !self.takes('}') {
            let name = self.word();
            if !self.takes('?') {
                required.push(name);
            }
            assert!(self.takes(':'), "the field {name} has a shape");
            fields.insert(name.to_owned(), self.union());
            self.takes(',');
        }
        let mut object = json!({
            "type": "object", "properties": fields, "patternProperties": {"^//": true}, "additionalProperties": false,
        });
        if !required.is_empty() {
            object["required"] = json!(required);
        }
        object
    }
}
