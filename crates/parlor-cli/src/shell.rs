//! How a command ends: its failure, the exit code, and the text on stderr. Also colours and shared readers.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use parlor_core::Json;
use parlor_core::logfile::LogFile;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage: exit code 2.
    Usage(Complaint),
    /// Any other failure: exit code 1.
    Failed(Complaint),
    /// The command has printed what is wrong as its result: exit code 1.
    Told,
    /// The reader closed the pipe, as in `parlor games | head -1`: exit code 0.
    Closed,
}

/// An error message, and optionally a hint what to do.
#[derive(Debug)]
pub(crate) struct Complaint {
    text: String,
    hint: Option<String>,
}

/// The result of a command.
pub(crate) type Done = Result<(), Failure>;

impl Failure {
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(Complaint { text: text.into(), hint: None })
    }

    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self::Failed(Complaint { text: text.into(), hint: None })
    }

    /// Adds a hint: what to type or change.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Self::Usage(complaint) | Self::Failed(complaint) = &mut self {
            complaint.hint = Some(hint.into());
        }
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage(complaint) | Self::Failed(complaint) => f.write_str(&complaint.text),
            Self::Told | Self::Closed => Ok(()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::failed(format!("cannot write: {error}")),
        }
    }
}

/// Prints the error to stderr and returns the exit code.
pub(crate) fn exit_code(done: Done) -> ExitCode {
    let (complaint, code) = match done {
        Ok(()) | Err(Failure::Closed) => return ExitCode::SUCCESS,
        Err(Failure::Told) => return ExitCode::FAILURE,
        Err(Failure::Failed(complaint)) => (complaint, ExitCode::FAILURE),
        Err(Failure::Usage(complaint)) => (complaint, ExitCode::from(2)),
    };
    let mut err = io::stderr().lock();
    // If stderr is closed too, the exit code has to do.
    let _ = writeln!(err, "error: {}", complaint.text);
    if let Some(hint) = complaint.hint {
        let _ = writeln!(err, "hint: {hint}");
    }
    code
}

/// Colours, used only at a terminal.
#[derive(Clone, Copy)]
pub(crate) struct Paint(bool);

impl Paint {
    /// Colours for stdout: if it is a terminal and `NO_COLOR` is not set.
    pub(crate) fn stdout() -> Self {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|asked| asked.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self(wanted && !dumb && io::stdout().is_terminal())
    }

    fn with(self, code: u8, text: &str) -> String {
        if self.0 { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Errors and failures, in red.
    pub(crate) fn bad(self, text: &str) -> String {
        self.with(31, text)
    }

    /// Warnings, in yellow.
    pub(crate) fn doubtful(self, text: &str) -> String {
        self.with(33, text)
    }

    /// Successes, in green.
    pub(crate) fn good(self, text: &str) -> String {
        self.with(32, text)
    }

    /// Details, dimmed.
    pub(crate) fn aside(self, text: &str) -> String {
        self.with(2, text)
    }
}

/// Reads the log of a match.
pub(crate) fn read_log(path: &Path) -> Result<LogFile, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::failed(format!("cannot read {shown}: {error}")))?;
    LogFile::parse(&text).map_err(|error| {
        Failure::failed(format!("{shown} is not the log of a match: {error}"))
            .hint("`parlor try GAME --record FILE` and `parlor sim GAME --record FILE` write such logs")
    })
}

/// Parses an argument as JSON.
pub(crate) fn json_arg(text: &str) -> Result<Json, String> {
    serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))
}
