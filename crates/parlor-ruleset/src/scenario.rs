//! Scenarios: given a table, a script of what is said, then what must have come of it.
//!
//! A scenario is strict: every event of a step is listed in its order, a field that nobody knows fails, a line that
//! cannot be played or is left over fails, a question that nobody has answered at the end fails unless `then` names who
//! is asked, and where `chance` is scripted, luck that is not in it and a line of it that is left over fail.
//!
//! ```json
//! {"name": "…", "cites": ["001-20"], "settings": {}, "seed": "text",
//!  "chance": [{"shuffle": "deck", "seat": 0, "top": ["bear", "bolt"]}, {"roll": 3}],
//!  "given": {"step": "main", "zones": {"battlefield": [["bear"], ["scholar"]]}, "vars": {"mana": [3, 3]}},
//!  "script": [
//!    {"seat": 0, "act": "attack", "targets": {"attacker": "bear", "defender": "scholar"}, "events": ["Attack pending"]},
//!    {"seat": 0, "say": "Pass"}, {"elapse": true}],
//!  "then": {"asked": 1, "vars": {"life": [12, 12]}, "zones": {"hand": [[], ["bear"]]}, "over": false}}
//! ```

mod chance;
pub(crate) mod given;
mod names;
mod play;
mod shape;
mod then;

use std::fmt;
use std::sync::Arc;

use parlor_core::Json;

use crate::language::Finding;
pub use crate::language::pointer::place;
use crate::machine::program::Program;
pub use names::{findings, of_another};
use play::Play;

/// What a scenario did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Lines played.
    pub lines: usize,
    /// Events compared.
    pub events: usize,
}

/// The first thing that is not as a scenario says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The scenario.
    pub name: String,
    /// Where in the scenario: a JSON pointer (RFC 6901) from its own object on.
    pub pointer: String,
    /// What is wrong.
    pub what: String,
    /// What was expected there, as it is written.
    pub expected: Option<String>,
    /// What there was instead.
    pub got: Option<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.name, self.pointer, self.what)?;
        for (word, text) in [("expected", &self.expected), ("got", &self.got)] {
            if let Some(text) = text {
                write!(f, "\n  {word}: {text}")?;
            }
        }
        Ok(())
    }
}

/// Something that is not as a part of a scenario says: where in that part, and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// Where in the part: the end of a JSON pointer.
    pub pointer: String,
    /// What is wrong.
    pub what: String,
    /// What was expected.
    pub expected: Option<String>,
    /// What there was instead.
    pub got: Option<String>,
}

impl Wrong {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { pointer: String::new(), what: what.into(), expected: None, got: None }
    }

    /// With what was expected and what there was.
    pub(crate) fn not(what: impl Into<String>, expected: &Json, got: &Json) -> Self {
        Self { expected: Some(expected.to_string()), got: Some(got.to_string()), ..Self::new(what) }
    }

    /// As seen from further out.
    pub(crate) fn inside(mut self, step: impl fmt::Display) -> Self {
        let step = step.to_string().replace('~', "~0").replace('/', "~1");
        self.pointer = format!("/{step}{}", self.pointer);
        self
    }
}

/// A file of scenarios as JSON, read as strictly as a ruleset.
///
/// # Errors
/// Where the text is no such JSON, and why.
pub fn read(text: &str) -> Result<Json, Finding> {
    Ok(crate::language::syntax::read(text)?.plain())
}

/// Plays a scenario.
///
/// # Errors
/// The first thing that is not as it says.
pub fn run(program: &Arc<Program>, scenario: &Json) -> Result<Report, Failure> {
    differences(program, scenario).map_err(|mut all| all.swap_remove(0))
}

/// Plays a scenario to its end, as far as it can be played.
///
/// # Errors
/// Everything that is not as it says, the first one first; there is at least one.
pub fn differences(program: &Arc<Program>, scenario: &Json) -> Result<Report, Vec<Failure>> {
    let scenario = &without_comments(scenario);
    let name = scenario["name"].as_str().unwrap_or("a scenario");
    played(program, scenario).map_err(|all| {
        let failure = |Wrong { pointer, what, expected, got }| Failure {
            name: name.to_owned(),
            pointer,
            what,
            expected,
            got,
        };
        all.into_iter().map(failure).collect()
    })
}

/// The same without fields that begin with `//`.
fn without_comments(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(without_comments).collect(),
        Json::Object(fields) => {
            let own = fields.iter().filter(|(name, _)| !name.starts_with("//"));
            Json::Object(own.map(|(name, value)| (name.clone(), without_comments(value))).collect())
        }
        other => other.clone(),
    }
}

fn played(program: &Arc<Program>, scenario: &Json) -> Result<Report, Vec<Wrong>> {
    let wrong = names::check(program, scenario);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut play = Play::start(program, scenario).map_err(|wrong| vec![wrong])?;
    let (mut report, mut differ) = (Report::default(), Vec::new());
    for (n, line) in scenario["script"].as_array().map_or(&[][..], Vec::as_slice).iter().enumerate() {
        let mut events = Vec::new();
        let played = play.line(line, &mut events);
        let here = |wrong: Wrong| wrong.inside(n).inside("script");
        differ.extend(events.into_iter().map(here));
        match (played, play.luck_is_scripted()) {
            (Ok(count), Ok(())) => {
                report.lines += 1;
                report.events += count;
            }
            // A line that cannot be played is the end: what comes after it would differ because of it.
            (played, luck) => {
                differ.extend(played.err().map(here));
                differ.extend(luck.err());
                return Err(differ);
            }
        }
    }
    differ.extend(play.then(&scenario["then"]).into_iter().map(|wrong| wrong.inside("then")));
    if scenario["strict"] != false {
        differ.extend(play.nothing_is_left(scenario).err());
    }
    if differ.is_empty() { Ok(report) } else { Err(differ) }
}
