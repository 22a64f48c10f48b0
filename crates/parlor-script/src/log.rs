//! The game log: what happened, in lines that each viewer reads as far as they may know them.

use std::collections::{BTreeMap, VecDeque};

use parlor_core::{Fault, Json, Seats, Viewer};
use serde::{Deserialize, Serialize};

use crate::output::ScriptOutput;

/// How many lines are kept; the oldest are dropped first.
pub const LINES_MAX: usize = 64;

/// A line: a code for programs and translations, a template for people, and its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Line {
    /// For programs.
    pub code: String,
    /// For people; `{name}` stands for an argument.
    pub template: String,
    /// Text and whole numbers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<BTreeMap<String, String>>", optional))]
    pub args: BTreeMap<String, String>,
    /// The level of indentation.
    pub indent: u8,
}

impl Line {
    /// A line with its code and its English template.
    #[must_use]
    pub fn new(code: &str, template: &str) -> Self {
        Self { code: code.to_owned(), template: template.to_owned(), args: BTreeMap::new(), indent: 0 }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, name: &str, value: impl ToString) -> Self {
        self.args.insert(name.to_owned(), value.to_string());
        self
    }

    /// Sets the level of indentation.
    #[must_use]
    pub fn indent(mut self, indent: u8) -> Self {
        self.indent = indent;
        self
    }

    /// The line as text.
    #[must_use]
    pub fn text(&self) -> String {
        let fault = Fault::new(self.code.clone(), self.template.clone());
        let args = self.args.iter().map(|(name, value)| (name.clone().into(), Json::String(value.clone())));
        Fault { args: args.collect(), ..fault }.to_string()
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Kept {
    id: u32,
    to: Seats,
    line: Line,
    /// What all other viewers read; none if the line is public.
    redacted: Option<Line>,
}

/// The log of one match. Part of the state of a game that has a log.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameLog {
    next: u32,
    lines: VecDeque<Kept>,
}

/// A line as one viewer reads it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LogLine"))]
pub struct View<'a> {
    /// The number of the line in the match.
    pub id: u32,
    /// The line, or its redacted form.
    #[serde(flatten)]
    pub line: &'a Line,
}

impl GameLog {
    /// Adds a public line and emits it.
    pub fn add(&mut self, line: Line, out: &mut ScriptOutput) {
        out.emit_all(LogEvent { log: &line });
        self.push(Seats::ALL, line, None);
    }

    /// Adds a line for these viewers, and a redacted one for all others: there is no private line without one.
    pub fn add_private(&mut self, to: Seats, line: Line, redacted: Line, out: &mut ScriptOutput) {
        out.emit(to, LogEvent { log: &line });
        out.emit(rest(to), LogEvent { log: &redacted });
        self.push(to, line, Some(redacted));
    }

    fn push(&mut self, to: Seats, line: Line, redacted: Option<Line>) {
        if self.lines.len() == LINES_MAX {
            self.lines.pop_front();
        }
        self.lines.push_back(Kept { id: self.next, to, line, redacted });
        self.next += 1;
    }

    /// The lines as this viewer may read them, oldest first.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> Vec<View<'_>> {
        let read = |kept: &'_ Kept| kept.to.sees(viewer);
        let line = |kept| if read(kept) { Some(&kept.line) } else { kept.redacted.as_ref() };
        self.lines.iter().filter_map(|kept| Some(View { id: kept.id, line: line(kept)? })).collect()
    }
}

/// All viewers who are not among these.
fn rest(of: Seats) -> Seats {
    let seats = (0..parlor_core::limits::SEATS_MAX as u8).map(parlor_core::Seat::new);
    let others: Seats = seats.filter(|seat| !of.has(*seat)).collect();
    if of.sees(Viewer::Gallery) { others } else { others.and(Seats::GALLERY) }
}

#[derive(Serialize)]
struct LogEvent<'a> {
    log: &'a Line,
}
