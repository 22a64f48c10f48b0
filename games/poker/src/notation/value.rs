//! The tree both syntaxes (TOML and JSON) are read into. Numbers keep their digits, so that what was read is written back
//! exactly.

use std::fmt;

use crate::money::Amount;

/// A value of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text.
    Text(String),
    /// A decimal number or `inf`.
    Number(Amount),
    /// A number the notation never uses (an exponent, another base, too many digits), as written.
    OtherNumber(String),
    /// True or false.
    Bool(bool),
    /// A date or time, as written.
    Time(String),
    /// JSON's null.
    Null,
    /// A row of values.
    Array(Vec<Value>),
    /// Names and values in the order written.
    Table(Table),
}

/// Names and values in the order written.
pub type Table = Vec<(String, Value)>;

impl Value {
    /// What kind of value it is, for messages.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Number(_) => "a number",
            Self::OtherNumber(_) => "a number that is too large, too fine or oddly written",
            Self::Bool(_) => "true or false",
            Self::Time(_) => "a time",
            Self::Null => "null",
            Self::Array(_) => "an array",
            Self::Table(_) => "a table",
        }
    }
}

/// Deepest nesting a document may have.
pub(crate) const DEPTH_MAX: usize = 32;

/// A place in a text, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePosition {
    pub line: usize,
    /// The character in the line.
    pub column: usize,
}

impl SourcePosition {
    /// The place of byte `at` of `text`.
    #[must_use]
    pub fn of(text: &str, at: usize) -> Self {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Self { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }
}

impl fmt::Display for SourcePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Text that does not follow its syntax.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: expected {expected}")]
pub struct SyntaxError {
    pub place: SourcePosition,
    pub expected: &'static str,
}

/// A reader over bytes that knows where it is; both parsers share it.
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(crate) fn starts(&self, with: &str) -> bool {
        self.text.as_bytes()[self.at..].starts_with(with.as_bytes())
    }

    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), SyntaxError> {
        if self.eat(byte) { Ok(()) } else { Err(self.error(expected)) }
    }

    /// Takes bytes as long as they satisfy `is`.
    pub(crate) fn take_while(&mut self, is: impl Fn(u8) -> bool) -> &'a str {
        let from = self.at;
        let rest = self.text.as_bytes().get(from..).unwrap_or_default();
        self.at += rest.iter().position(|&byte| !is(byte)).unwrap_or(rest.len());
        self.text.get(from..self.at).unwrap_or("")
    }

    pub(crate) fn error(&self, expected: &'static str) -> SyntaxError {
        SyntaxError { place: SourcePosition::of(self.text, self.at), expected }
    }
}
