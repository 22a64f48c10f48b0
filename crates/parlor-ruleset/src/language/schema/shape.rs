//! Shapes in short: how tables of operands are written, and what is made of them: the JSON Schema, the order in which
//! fields are laid out, and the operands that the compiler reads.
//!
//! `[A,B]` has these items, `[A*]` any number of them, `[A+]` at least one; `{a:A,b?:B}` has these fields, `{*:A}` any
//! fields; `b?:B=1` is 1 where it is left out; `A|B` is either; `"x"` is this text; a word is a definition of its name,
//! such as `E` for an expression, or `Seat` for one that gives a seat.

use parlor_core::Json;
use serde_json::{Map, json};

/// Words for what stands everywhere: what each is called in the schema, and in the reference.
const WORDS: [(&str, &str, &str); 16] = [
    ("E", "expression", "E"),
    ("Int", "expression", "E"),
    ("Minus", "expression", "E"),
    ("Truth", "expression", "E"),
    ("Seat", "expression", "E"),
    ("Card", "expression", "E"),
    ("Item", "expression", "E"),
    ("Ability", "expression", "E"),
    ("S", "selection", "S"),
    ("Cards", "selection", "S"),
    ("W", "who", "W"),
    ("C", "code", "C"),
    ("V", "variable", "V"),
    ("Z", "place", "Z"),
    ("T", "text", "T"),
    ("I", "whole", "I"),
];

/// What a value may look like.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Shape {
    /// Anything.
    Any,
    /// True or false.
    Flag,
    /// This text.
    Text(&'static str),
    /// Something with a name: an expression is `E`, a zone `zone`.
    Word(&'static str),
    /// A list of such, and whether it has at least one.
    Each(Box<Shape>, bool),
    /// A list of these, one after another.
    Items(Vec<Shape>),
    /// An object with these fields.
    Fields(Vec<Field>),
    /// An object whose fields have names of the author's.
    Named(Box<Shape>),
    /// One of these.
    Either(Vec<Shape>),
}

/// A field of an object.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Field {
    /// Its name.
    pub(crate) name: &'static str,
    /// Whether it may be left out.
    pub(crate) optional: bool,
    /// What stands for it then.
    pub(crate) default: Option<&'static str>,
    /// What it is.
    pub(crate) shape: Shape,
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)?;
        f.write_str(if self.optional { "?" } else { "" })
    }
}

impl Shape {
    /// Reads a shape.
    ///
    /// # Panics
    /// When it is not written as it must be: shapes are part of this crate, and a test reads all of them.
    pub(crate) fn read(text: &'static str) -> Self {
        let mut reader = Reader { rest: text };
        let shape = reader.union();
        assert!(reader.rest.is_empty(), "{text}: {} is left over", reader.rest);
        shape
    }

    /// The fields of an object; of several shapes, of the first that is one.
    pub(crate) fn fields(&self) -> Option<&[Field]> {
        match self {
            Self::Fields(fields) => Some(fields),
            Self::Either(any) => any.iter().find_map(Self::fields),
            _ => None,
        }
    }

    /// The JSON Schema.
    pub(crate) fn schema(&self) -> Json {
        match self {
            Self::Any => json!(true),
            Self::Flag => json!({"type": "boolean"}),
            Self::Text(text) => json!({"const": text}),
            Self::Word(word) => {
                let name = WORDS.iter().find(|(short, ..)| short == word).map_or(*word, |(_, name, _)| name);
                json!({"$ref": format!("#/$defs/{name}")})
            }
            Self::Each(inner, some) => {
                json!({"type": "array", "items": inner.schema(), "minItems": usize::from(*some)})
            }
            Self::Items(items) => {
                let all: Vec<Json> = items.iter().map(Self::schema).collect();
                json!({"type": "array", "prefixItems": all, "items": false, "minItems": items.len()})
            }
            Self::Named(inner) => json!({
                "type": "object", "patternProperties": {"^//": true}, "additionalProperties": inner.schema(),
            }),
            Self::Fields(fields) => object(fields),
            Self::Either(any) => {
                let all: Vec<Json> = any.iter().map(Self::schema).collect();
                match all.iter().map(|schema| schema.get("const")).collect::<Option<Vec<&Json>>>() {
                    Some(texts) => json!({"enum": texts}),
                    None => json!({"anyOf": all}),
                }
            }
        }
    }
}

fn object(fields: &[Field]) -> Json {
    let all: Map<String, Json> =
        fields.iter().map(|field| (field.name.to_owned(), field.shape.schema())).collect();
    let mut object = json!({
        "type": "object", "properties": all, "patternProperties": {"^//": true}, "additionalProperties": false,
    });
    let required: Vec<&str> = fields.iter().filter(|field| !field.optional).map(|field| field.name).collect();
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

/// The letter by which the tables and the reference speak of a word: `E` for every expression.
pub(crate) fn letter(word: &'static str) -> &'static str {
    WORDS.iter().find(|(known, ..)| *known == word).map_or(word, |(.., letter)| letter)
}

/// A shape as the reference prints it.
pub(super) fn printed(text: &'static str) -> String {
    let mut printed = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        if end > 0 {
            printed.push_str(letter(&rest[..end]));
            rest = &rest[end..];
        } else if let Some(default) = rest.strip_prefix('=') {
            rest = default.trim_start_matches(char::is_alphanumeric);
        } else {
            printed.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    printed.replace("Name", "").replace(':', ": ").replace(',', ", ").replace('|', "\\|")
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

    fn needs(&mut self, mark: char) {
        assert!(self.takes(mark), "{mark} is expected at {}", self.rest);
    }

    fn word(&mut self) -> &'static str {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        assert!(!word.is_empty(), "a word is expected at {}", self.rest);
        self.rest = rest;
        word
    }

    fn union(&mut self) -> Shape {
        let mut any = vec![self.term()];
        while self.takes('|') {
            any.push(self.term());
        }
        if any.len() == 1 { any.remove(0) } else { Shape::Either(any) }
    }

    fn term(&mut self) -> Shape {
        if self.takes('[') {
            return self.list();
        }
        if self.takes('{') {
            return self.object();
        }
        if self.takes('"') {
            let (text, rest) = self.rest.split_once('"').expect("a text ends");
            self.rest = rest;
            return Shape::Text(text);
        }
        match self.word() {
            "bool" => Shape::Flag,
            "true" => Shape::Any,
            word => Shape::Word(word),
        }
    }

    fn list(&mut self) -> Shape {
        let mut items = vec![self.union()];
        let some = self.rest.starts_with('+');
        if self.takes('*') || self.takes('+') {
            self.needs(']');
            return Shape::Each(Box::new(items.remove(0)), some);
        }
        while self.takes(',') {
            items.push(self.union());
        }
        self.needs(']');
        Shape::Items(items)
    }

    fn object(&mut self) -> Shape {
        if self.takes('*') {
            self.needs(':');
            let each = self.union();
            self.needs('}');
            return Shape::Named(Box::new(each));
        }
        let mut fields = Vec::new();
        while !self.takes('}') {
            let name = self.word();
            let optional = self.takes('?');
            self.needs(':');
            let shape = self.union();
            let default = self.takes('=').then(|| self.word());
            fields.push(Field { name, optional, default, shape });
            self.takes(',');
        }
        Shape::Fields(fields)
    }
}
