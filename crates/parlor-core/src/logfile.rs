//! The text form of a match, JSON lines: the header, one line for each record, and a footer with the digest and the
//! hash chain.
//!
//! It never plays a match and never touches a disk: [`Match::replay`] plays what was read. A file without a footer is
//! valid (the writer was interrupted); a caller that compares footers must report that there is nothing to compare
//! with.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Json;
use crate::play::Match;
use crate::record::{Footer, Header, Record};

/// A match as it is written to a file.
#[derive(Clone, PartialEq, Debug)]
pub struct LogFile {
    pub header: Header,
    /// Every record, in order.
    pub records: Vec<Record>,
    /// Missing if the writer was interrupted.
    pub footer: Option<Footer>,
}

/// Why a text is not the log of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LogError {
    /// The line, counted from 1.
    pub line: usize,
    pub why: String,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for LogError {}

impl LogFile {
    /// The whole of a match, with its footer.
    #[must_use]
    pub fn of(played: &Match) -> Self {
        Self { header: played.header().clone(), records: played.records(), footer: Some(played.footer()) }
    }

    /// The text: a line for the header, one for each record, and one for the footer.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = line(&self.header);
        for record in &self.records {
            text.push_str(&line(record));
        }
        if let Some(footer) = &self.footer {
            text.push_str(&line(footer));
        }
        text
    }

    /// Reads the text that [`LogFile::write`] wrote. It skips nothing: it refuses a line with unknown fields, because
    /// the hash chain would not cover them.
    ///
    /// # Errors
    /// The first line that does not fit, and why.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let mut lines = text.lines().enumerate().map(|(n, text)| (n + 1, text));
        let missing = || LogError { line: 1, why: "the file is empty, a header was expected".to_owned() };
        let (first, text) = lines.next().ok_or_else(missing)?;
        let header = exactly(first, "header", json(first, text)?)?;
        let mut log = Self { header, records: Vec::new(), footer: None };
        for (n, text) in lines {
            if log.footer.is_some() {
                return Err(LogError { line: n, why: "nothing may follow the footer".to_owned() });
            }
            let value = json(n, text)?;
            if value.get("do").is_some() {
                log.records.push(exactly(n, "record", value)?);
            } else {
                log.footer = Some(exactly(n, "footer", value)?);
            }
        }
        Ok(log)
    }
}

/// One line of a log, with its line end: for writers that append during the match.
///
/// # Panics
/// Never for a header, a record or a footer: they are plain data.
#[must_use]
pub fn line(part: &impl Serialize) -> String {
    let mut text = serde_json::to_string(part).expect("a line of a log is plain data");
    text.push('\n');
    text
}

fn json(line: usize, text: &str) -> Result<Json, LogError> {
    let why = |error: serde_json::Error| LogError { line, why: format!("not JSON: {error}") };
    serde_json::from_str(text).map_err(why)
}

/// Reads the value as a `T`, and checks that the `T` serializes to the same value again.
fn exactly<T: Serialize + DeserializeOwned>(line: usize, what: &str, value: Json) -> Result<T, LogError> {
    let part: T = serde_json::from_value(value.clone())
        .map_err(|error| LogError { line, why: format!("not a {what}: {error}") })?;
    let said = serde_json::to_value(&part).expect("a line of a log is plain data");
    if said == value {
        return Ok(part);
    }
    let surplus = value.as_object().and_then(|map| map.keys().find(|key| said.get(key.as_str()).is_none()));
    let why = match surplus {
        Some(key) => format!("a {what} has no field '{key}'"),
        None => format!("this {what} is not written as this build writes it"),
    };
    Err(LogError { line, why })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Undo;
    use crate::record::{Body, By, FORMAT, JsonText};
    use crate::rng::Seed;

    fn log() -> LogFile {
        let header = Header {
            format: FORMAT,
            game: "oxo".to_owned(),
            rules: 1,
            identity: None,
            settings: JsonText::default(),
            seats: 2,
            seated: Vec::new(),
            undo: Undo::None,
            seed: Seed::from_text("log"),
            seeded: true,
            commitment: None,
            nonces: Vec::new(),
            match_no: 1,
            carry: None,
            counts: Vec::new(),
            house: JsonText::default(),
        };
        let note = Record {
            seq: 1,
            at: 7,
            by: By::House,
            key: None,
            body: Body::Note { note: serde_json::json!({"kept": [1, "two"]}) },
        };
        let footer = Footer { digest: "d".to_owned(), chain: "c".to_owned() };
        LogFile { header, records: vec![note], footer: Some(footer) }
    }

    fn refused(text: &str) -> String {
        LogFile::parse(text).expect_err("this is not a log").to_string()
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(LogFile::parse(&log().write()), Ok(log()));
        assert_eq!(log().write().lines().count(), 3);
    }

    #[test]
    fn a_log_without_its_footer_is_still_a_log() {
        let cut = LogFile { footer: None, ..log() };
        assert_eq!(LogFile::parse(&cut.write()), Ok(cut));
    }

    #[test]
    fn an_error_names_the_line_and_what_is_wrong_with_it() {
        let text = log().write();
        assert_eq!(refused(""), "line 1: the file is empty, a header was expected");
        assert!(
            refused(&text.replacen("\"rules\":1", "\"rules\":\"one\"", 1))
                .starts_with("line 1: not a header")
        );
        assert!(refused(&text.replacen("\"at\":7", "\"at\":7,", 1)).starts_with("line 2: not JSON"));
        assert!(
            refused(&text.replacen("\"do\":\"note\"", "\"do\":\"dance\"", 1))
                .starts_with("line 2: not a record")
        );
        assert_eq!(
            refused(&format!("{text}{}", line(&log().records[0]))),
            "line 4: nothing may follow the footer"
        );
    }

    #[test]
    fn a_line_that_says_more_than_it_should_is_refused() {
        let text = log().write().replacen("\"digest\":", "\"by\":\"me\",\"digest\":", 1);
        assert_eq!(refused(&text), "line 3: a footer has no field 'by'");
    }
}
