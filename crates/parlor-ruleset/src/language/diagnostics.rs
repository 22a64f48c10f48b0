//! Findings: what is wrong with a ruleset, where, and what to do about it. Many at once.

use std::fmt;

use super::suggest;
use crate::limits::FINDINGS_MAX;

/// Names that are listed where nothing is near.
const NAMES_LISTED: usize = 24;

/// What is said of an older word for an operation.
pub(crate) const OLDER: &str = "older";

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// The ruleset cannot be played.
    Error,
    /// It can be played, but something is probably not meant.
    Warning,
}

/// One thing that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What kind of mistake, for programs.
    pub code: &'static str,
    /// Where in the file: bytes from its start.
    pub at: u32,
    /// Where in the value: a JSON pointer (RFC 6901).
    pub pointer: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The file it lies in, where that is not the ruleset itself but one that it extends.
    pub elsewhere: Option<Box<Elsewhere>>,
}

/// A place in another file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// The file, as the ruleset names it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl Finding {
    /// Line and column in its file, both from 1; columns count characters.
    #[must_use]
    pub fn place(&self, text: &str) -> (usize, usize) {
        if let Some(elsewhere) = &self.elsewhere {
            return (elsewhere.line, elsewhere.column);
        }
        let mut at = (self.at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    /// With what to do.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The finding in the words of a compiler: file, line, column, what, and help.
    #[must_use]
    pub fn text(&self, file: &str, text: &str) -> String {
        let (line, column) = self.place(text);
        let file = self.elsewhere.as_ref().map_or(file, |elsewhere| elsewhere.file.as_str());
        let level = if self.level == Level::Error { "error" } else { "warning" };
        let pointer = if self.pointer.is_empty() { "/" } else { &self.pointer };
        let mut said =
            format!("{file}:{line}:{column}: {level}[{}]: {}\n  at {pointer}", self.code, self.message);
        if let Some(help) = &self.help {
            said.push_str("\n  help: ");
            said.push_str(help);
        }
        said
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.pointer, self.message)
    }
}

/// A ruleset with what its findings name mended as far as that is one word for another; nothing where nothing is.
#[must_use]
pub fn mended(text: &str, findings: &[Finding]) -> Option<String> {
    let mut words: Vec<(usize, &str, &str)> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.code == OLDER && finding.elsewhere.is_none()) {
        let word = text.get(finding.at as usize..).and_then(|rest| rest.strip_prefix('"')?.split('"').next());
        if let Some((old, new)) = word.and_then(|old| Some((old, crate::operations::newer(old)?))) {
            words.push((finding.at as usize + 1, old, new));
        }
    }
    words.sort_unstable();
    words.dedup();
    let mut mended = text.to_owned();
    for (at, old, new) in words.iter().rev() {
        mended.replace_range(*at..at + old.len(), new);
    }
    (!words.is_empty()).then_some(mended)
}

/// What helps with any mistake of a kind, where nothing better is known.
fn usual_help(code: &str) -> Option<&'static str> {
    Some(match code {
        "shape" => "what has which fields is listed in docs/ruleset-reference.md, under \"Every word\"",
        "type" => "name the attribute, the variable or the count that is meant",
        "twice" => "each has a name of its own: give one of them another",
        "limit" => "limits are in docs/ruleset-reference.md, under \"Limits and verdicts\"",
        "teams" => {
            "every seat is in one team: {\"north\": [0, 2], \"east\": [1, 3]}, or write how many teams there are"
        }
        "constant" => "a number, true, false, or the value of an enum",
        "phases" | "steps" => "{\"id\": \"main\", \"steps\": [{\"id\": \"main\"}]} is a whole phase",
        "name" => "letters, digits, _ and -",
        _ => return None,
    })
}

/// Everything that was found, and the way down to where the reader is now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    list: Vec<Finding>,
    path: Vec<String>,
    more: usize,
}

impl Findings {
    /// Goes into a field or an item.
    pub(crate) fn enter(&mut self, step: impl fmt::Display) {
        let step = step.to_string();
        // Hardly a name has either, and every value of a ruleset is gone into several times.
        let plain = !step.contains(['~', '/']);
        self.path.push(if plain { step } else { step.replace('~', "~0").replace('/', "~1") });
    }

    /// Comes back out of it.
    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// The way down to here, to come back to later.
    #[must_use]
    pub(crate) fn path(&self) -> Vec<String> {
        self.path.clone()
    }

    /// The way down to here, as a pointer.
    #[must_use]
    pub(crate) fn pointer(&self) -> String {
        self.path.iter().fold(String::new(), |all, step| all + "/" + step)
    }

    /// Goes to a place named before; returns the place it left.
    pub(crate) fn go(&mut self, path: Vec<String>) -> Vec<String> {
        std::mem::replace(&mut self.path, path)
    }

    /// Notes an error.
    pub(crate) fn error(&mut self, code: &'static str, at: u32, message: impl Into<String>) {
        self.note(Level::Error, code, at, message.into(), usual_help(code).map(str::to_owned));
    }

    /// Notes an error with what to do about it.
    pub(crate) fn error_help(
        &mut self,
        code: &'static str,
        at: u32,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.note(Level::Error, code, at, message.into(), Some(help.into()));
    }

    /// Notes a warning.
    pub(crate) fn warn(
        &mut self,
        code: &'static str,
        at: u32,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.note(Level::Warning, code, at, message.into(), Some(help.into()));
    }

    /// Notes a name that nobody knows, with the name that was probably meant.
    pub(crate) fn unknown<'a>(
        &mut self,
        at: u32,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str> + Clone,
    ) {
        let near = suggest::name(name, known.clone());
        self.unknown_near(at, what, name, near, known);
    }

    /// Notes a name that nobody knows; what was probably meant is known already.
    pub(crate) fn unknown_near<'a>(
        &mut self,
        at: u32,
        what: &str,
        name: &str,
        near: Option<&str>,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let help = match near {
            Some(near) => Some(format!("did you mean '{near}'?")),
            None => {
                let mut names: Vec<&str> =
                    known.into_iter().filter(|name| !name.is_empty()).take(NAMES_LISTED + 1).collect();
                if names.len() > NAMES_LISTED {
                    names[NAMES_LISTED] = "…";
                }
                (!names.is_empty()).then(|| format!("known here: {}", names.join(", ")))
            }
        };
        self.note(Level::Error, "unknown", at, format!("there is no {what} '{name}'"), help);
    }

    fn note(&mut self, level: Level, code: &'static str, at: u32, message: String, help: Option<String>) {
        if self.list.len() >= FINDINGS_MAX {
            self.more += 1;
            return;
        }
        let pointer = self.pointer();
        let finding = Finding { level, code, at, pointer, message, help, elsewhere: None };
        if !self.list.contains(&finding) {
            self.list.push(finding);
        }
    }

    /// Adds a finding that was made elsewhere.
    pub(crate) fn push(&mut self, finding: Finding) {
        self.list.push(finding);
    }

    /// Whether the ruleset cannot be played.
    #[must_use]
    pub(crate) fn has_errors(&self) -> bool {
        self.list.iter().any(|finding| finding.level == Level::Error)
    }

    /// All that was found so far.
    #[must_use]
    pub(crate) fn list(&self) -> &[Finding] {
        &self.list
    }

    /// All that was found so far, to be explained better.
    pub(crate) fn list_mut(&mut self) -> &mut [Finding] {
        &mut self.list
    }

    /// Whether something of this kind was found here, or inside of here.
    #[must_use]
    pub(crate) fn found_inside(&self, code: &str) -> bool {
        let here = self.pointer();
        self.list.iter().any(|finding| finding.code == code && finding.pointer.starts_with(&here))
    }

    /// Whether there is an error here, or inside of here.
    #[must_use]
    pub(crate) fn wrong_inside(&self) -> bool {
        let here = self.pointer();
        self.list.iter().any(|finding| finding.level == Level::Error && finding.pointer.starts_with(&here))
    }

    /// All that was listed, in the order of the file, errors and warnings.
    #[must_use]
    pub(crate) fn into_list(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|finding| finding.at);
        if self.more > 0 {
            let message = format!("{} more findings are not listed", self.more);
            let help = Some(format!("findings_max is {FINDINGS_MAX}: mend these first"));
            self.path.clear();
            let last = self.list.last().map_or((Level::Warning, 0), |last| (last.level, last.at));
            self.more = 0;
            self.push(Finding {
                level: last.0,
                code: "more",
                at: last.1,
                pointer: String::new(),
                message,
                help,
                elsewhere: None,
            });
        }
        self.list
    }
}
