//! A JSON reader that keeps the place of every value, for messages that point at it.
//!
//! It is strict where rulesets need it: whole numbers only, no key twice, and limits on size, depth and number of
//! values. It never panics, whatever it is given.

use super::diagnostics::{Finding, Level};
use crate::limits::{FILE_BYTES_MAX, FILE_DEPTH_MAX, FILE_VALUES_MAX};

/// One value with its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Node {
    /// Where it begins: bytes from the start of the file.
    pub at: u32,
    /// What it is.
    pub value: Value,
}

/// What a value is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// An object, in the order of the file.
    Map(Vec<(Key, Node)>),
}

/// The name of a field with its place.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Key {
    /// Where it begins.
    pub at: u32,
    /// The name.
    pub name: String,
}

impl Node {
    /// A value that stands where another stood: for forms that are rewritten.
    #[must_use]
    pub(crate) fn new(at: u32, value: Value) -> Self {
        Self { at, value }
    }

    /// A text in another's place.
    #[must_use]
    pub(crate) fn text(at: u32, text: impl Into<String>) -> Self {
        Self::new(at, Value::Text(text.into()))
    }

    /// A list in another's place.
    #[must_use]
    pub(crate) fn list(at: u32, items: Vec<Self>) -> Self {
        Self::new(at, Value::List(items))
    }

    /// An object in another's place.
    #[must_use]
    pub(crate) fn map(at: u32, fields: Vec<(&str, Self)>) -> Self {
        let fields = fields.into_iter().map(|(name, node)| (Key { at, name: name.to_owned() }, node));
        Self::new(at, Value::Map(fields.collect()))
    }

    /// The field of this name.
    #[must_use]
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match &self.value {
            Value::Map(fields) => fields.iter().find(|(key, _)| key.name == name).map(|(_, node)| node),
            _ => None,
        }
    }

    /// The fields, where this is an object; none otherwise.
    #[must_use]
    pub(crate) fn fields(&self) -> &[(Key, Self)] {
        match &self.value {
            Value::Map(fields) => fields,
            _ => &[],
        }
    }

    /// The items, where this is a list; none otherwise.
    #[must_use]
    pub(crate) fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// The text, where it is one.
    #[must_use]
    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number, where it is one.
    #[must_use]
    pub(crate) fn as_int(&self) -> Option<i64> {
        match &self.value {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The truth value, where it is one.
    #[must_use]
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match &self.value {
            Value::Bool(truth) => Some(*truth),
            _ => None,
        }
    }

    /// What kind of value it is, in words.
    #[must_use]
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Int(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "an object",
        }
    }

    /// The same value without places, in an order of its own: what the content hash is taken of.
    #[must_use]
    pub(crate) fn plain(&self) -> parlor_core::Json {
        use parlor_core::Json;
        match &self.value {
            Value::Null => Json::Null,
            Value::Bool(truth) => Json::Bool(*truth),
            Value::Int(number) => Json::from(*number),
            Value::Text(text) => Json::String(text.clone()),
            Value::List(items) => Json::Array(items.iter().map(Self::plain).collect()),
            Value::Map(fields) => {
                Json::Object(fields.iter().map(|(key, node)| (key.name.clone(), node.plain())).collect())
            }
        }
    }

    /// The same value without its comments: fields that begin with `//`, wherever they stand.
    #[must_use]
    pub(crate) fn without_comments(self) -> Self {
        let value = match self.value {
            Value::List(items) => Value::List(items.into_iter().map(Self::without_comments).collect()),
            Value::Map(fields) => Value::Map(
                fields
                    .into_iter()
                    .filter(|(key, _)| !key.name.starts_with("//"))
                    .map(|(key, node)| (key, node.without_comments()))
                    .collect(),
            ),
            other => other,
        };
        Self { at: self.at, value }
    }

    /// A value made by a program, all of it at one place.
    #[must_use]
    pub(crate) fn of(at: u32, json: &parlor_core::Json) -> Self {
        use parlor_core::Json;
        let value = match json {
            Json::Null => Value::Null,
            Json::Bool(truth) => Value::Bool(*truth),
            Json::Number(number) => Value::Int(number.as_i64().unwrap_or(0)),
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(items) => Value::List(items.iter().map(|item| Self::of(at, item)).collect()),
            Json::Object(map) => Value::Map(
                map.iter().map(|(name, json)| (Key { at, name: name.clone() }, Self::of(at, json))).collect(),
            ),
        };
        Self { at, value }
    }
}

/// Reads a file.
///
/// # Errors
/// The first thing that is not JSON, or the limit that the file goes over.
pub(crate) fn read(text: &str) -> Result<Node, Finding> {
    if text.len() > FILE_BYTES_MAX {
        let message =
            format!("the file has {} bytes, the limit file_bytes_max is {FILE_BYTES_MAX}", text.len());
        return Err(finding(0, message));
    }
    let mut reader = Reader { bytes: text.as_bytes(), text, at: 0, values: 0 };
    // Some editors put a mark before everything that says nothing about it.
    reader.at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    reader.space();
    let node = reader.value(0)?;
    reader.space();
    if reader.at < reader.bytes.len() {
        return Err(reader.wrong("there is more after the end of the ruleset"));
    }
    Ok(node)
}

fn finding(at: usize, message: impl Into<String>) -> Finding {
    Finding {
        level: Level::Error,
        code: "json",
        at: at as u32,
        pointer: String::new(),
        message: message.into(),
        help: None,
        elsewhere: None,
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    values: usize,
}

impl Reader<'_> {
    fn wrong(&self, message: impl Into<String>) -> Finding {
        finding(self.at, message)
    }

    /// A comma after which nothing comes; the reader stands behind it.
    fn trailing(&self, end: &str) -> Finding {
        let comma = self.text[..self.at].rfind(',').unwrap_or(self.at);
        finding(comma, format!("there is a comma before {end}, and nothing after it"))
            .help("leave the comma out")
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self, depth: usize) -> Result<Node, Finding> {
        if depth > FILE_DEPTH_MAX {
            return Err(self.wrong(format!("nested deeper than the limit file_depth_max, {FILE_DEPTH_MAX}")));
        }
        self.values += 1;
        if self.values > FILE_VALUES_MAX {
            return Err(self.wrong(format!("more values than the limit file_values_max, {FILE_VALUES_MAX}")));
        }
        let at = self.at as u32;
        let value = match self.peek() {
            None => return Err(self.wrong("the file ends where a value should stand")),
            Some(b'{') => self.map(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Int(self.number()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(_) => return Err(self.wrong("this is no JSON value")),
        };
        Ok(Node { at, value })
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Finding> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(value);
        }
        Err(self.wrong("this is no JSON value"))
    }

    fn number(&mut self) -> Result<i64, Finding> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if matches!(self.peek(), Some(b'.' | b'e' | b'E')) {
            let help = "count in smaller units: tenths, or hundredths";
            return Err(self.wrong("a number in a ruleset is whole").help(help));
        }
        let digits = &self.text[start..self.at];
        digits.parse().map_err(|_| finding(start, format!("{digits} is no number that fits into 64 bits")))
    }

    fn list(&mut self, depth: usize) -> Result<Value, Finding> {
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.eat(b']') {
            return Ok(Value::List(items));
        }
        loop {
            self.space();
            if !items.is_empty() && self.peek() == Some(b']') {
                return Err(self.trailing("]"));
            }
            items.push(self.value(depth + 1)?);
            self.space();
            if self.eat(b']') {
                return Ok(Value::List(items));
            }
            if !self.eat(b',') {
                return Err(self.wrong("a comma or ] is missing"));
            }
        }
    }

    fn map(&mut self, depth: usize) -> Result<Value, Finding> {
        self.at += 1;
        let mut fields: Vec<(Key, Node)> = Vec::new();
        let mut names = std::collections::BTreeSet::new();
        self.space();
        if self.eat(b'}') {
            return Ok(Value::Map(fields));
        }
        loop {
            self.space();
            let at = self.at;
            if !fields.is_empty() && self.peek() == Some(b'}') {
                return Err(self.trailing("}"));
            }
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a field's name in quotes is missing"));
            }
            let name = self.string()?;
            if !names.insert(name.clone()) {
                let help = "join the two, or leave one out";
                return Err(finding(at, format!("the field {name} is there twice")).help(help));
            }
            self.space();
            if !self.eat(b':') {
                return Err(self.wrong("a colon is missing"));
            }
            self.space();
            let node = self.value(depth + 1)?;
            fields.push((Key { at: at as u32, name }, node));
            self.space();
            if self.eat(b'}') {
                return Ok(Value::Map(fields));
            }
            if !self.eat(b',') {
                return Err(self.wrong("a comma or } is missing"));
            }
        }
    }

    fn string(&mut self) -> Result<String, Finding> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let from = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            text.push_str(&self.text[from..self.at]);
            match self.peek() {
                None => return Err(finding(start, "this text does not end")),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(_) => return Err(self.wrong("a control character stands in a text")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Finding> {
        self.at += 1;
        let letter = self.peek();
        self.at += 1;
        Ok(match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self.unit()?;
                let wide = if (0xd800..0xdc00).contains(&first)
                    && self.bytes[self.at.min(self.bytes.len())..].starts_with(b"\\u")
                {
                    self.at += 2;
                    let second = self.unit()?;
                    0x1_0000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff)
                } else {
                    first
                };
                char::from_u32(wide).ok_or_else(|| self.wrong("this escape is no character"))?
            }
            _ => {
                self.at -= 1;
                return Err(self.wrong("there is no such escape"));
            }
        })
    }

    fn unit(&mut self) -> Result<u32, Finding> {
        let digits = self.bytes.get(self.at..self.at + 4).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let unit = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.wrong("\\u needs four hexadecimal digits"))?;
        self.at += 4;
        Ok(unit)
    }
}
